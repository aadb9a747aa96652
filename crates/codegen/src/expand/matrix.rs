//! Matrix products that sm_90 has no instruction for, as products that it has ("ptxas 13.0.88
//! output").
//!
//! Elements of four bits become bytes: even and odd ones apart, in the upper half of the byte, so
//! that a product is 256 times the wanted one; their sum is exact. Floats of eight bits become f16:
//! of four neighbours the first two and the last two apart, and the accumulator is added at the end.
//! The ones of an exclusive or are those of one operand without the other, both ways.

use raddle_entity::FxHashMap;
use raddle_ir::verify::mma_pieces;
use raddle_ir::{
    Cty, CvtRnd, Fty, Ftz, Function, Inst, Mma, MmaKind, MmaShape, MmaTy, Op, Rnd, Sat, Sign, SourcePos, Value, Width,
};
use raddle_target::{Isa, Target};

use super::Expander;

/// How a product is expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    Nibbles,
    Quarters,
    Xor,
}

fn plan(op: Op) -> Option<(Mma, Plan)> {
    let Op::Mma(m) = op else { return None };
    let plan = match m.a {
        MmaTy::S4 | MmaTy::U4 => Plan::Nibbles,
        MmaTy::E4m3 | MmaTy::E5m2 if m.kind == MmaKind::Dense => Plan::Quarters,
        MmaTy::B1 if m.kind == MmaKind::Xor => Plan::Xor,
        _ => return None,
    };
    Some((m, plan))
}

/// The shape with half the columns of A.
fn halved(shape: MmaShape) -> Option<MmaShape> {
    Some(match shape {
        MmaShape::M8n8k32 => MmaShape::M8n8k16,
        MmaShape::M16n8k16 => MmaShape::M16n8k8,
        MmaShape::M16n8k32 => MmaShape::M16n8k16,
        MmaShape::M16n8k64 => MmaShape::M16n8k32,
        MmaShape::M16n8k128 => MmaShape::M16n8k64,
        _ => return None,
    })
}

/// Expands the products of a function that the machine lacks.
pub(super) fn run(f: &mut Function, target: &Target) {
    if target.native.as_ref().is_none_or(|native| native.isa < Isa::Sm90) {
        return;
    }
    let mut renamed: FxHashMap<Value, Value> = FxHashMap::default();
    for b in f.layout.clone() {
        if !f.blocks[b].insts.iter().any(|&i| plan(f.insts[i].op).is_some()) {
            continue;
        }
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let mut e = Expander { f, block: b, place: SourcePos::default() };
        for i in insts {
            match e.product(i) {
                Some(values) => renamed.extend(e.f.insts[i].results.iter().copied().zip(values)),
                None => e.f.blocks[b].insts.push(i),
            }
        }
    }
    if renamed.is_empty() {
        return;
    }
    let of = |mut v: Value| {
        while let Some(&new) = renamed.get(&v) {
            v = new;
        }
        v
    };
    for b in f.layout.clone() {
        for &i in &f.blocks[b].insts {
            f.insts[i].args.iter_mut().for_each(|v| *v = of(*v));
        }
        if let Some(term) = &mut f.blocks[b].term {
            term.map_uses(of);
        }
    }
}

impl Expander<'_> {
    /// Expands a product; returns its results, `None` if it stays.
    fn product(&mut self, i: Inst) -> Option<Vec<Value>> {
        let (m, plan) = plan(self.f.insts[i].op)?;
        self.place = self.f.insts[i].place;
        let args = self.f.insts[i].args.clone();
        let (a, b, c) = mma_pieces(&m);
        let (of_a, rest) = args.split_at(a);
        let (of_b, rest) = rest.split_at(b);
        let (of_c, metadata) = rest.split_at(c);
        match plan {
            Plan::Nibbles => self.nibbles(m, [of_a, of_b, of_c, metadata]),
            Plan::Quarters => self.quarters(m, [of_a, of_b, of_c]),
            Plan::Xor => {
                let and = Mma { kind: MmaKind::And, ..m };
                let (not_a, not_b) = (self.each(of_a, Op::Not), self.each(of_b, Op::Not));
                let sum = self.mma(and, &[of_a, &not_b, of_c]);
                Some(self.mma(and, &[&not_a, of_b, &sum]))
            }
        }
    }

    fn mma(&mut self, m: Mma, args: &[&[Value]]) -> Vec<Value> {
        let (_, _, c) = mma_pieces(&m);
        let inst = self.f.append(self.block, Op::Mma(m), &args.concat(), &vec![Width::B32; c], self.place);
        self.f.insts[inst].results.to_vec()
    }

    fn each(&mut self, values: &[Value], op: Op) -> Vec<Value> {
        values.iter().map(|&v| self.op(op, &[v], Width::B32)).collect()
    }

    fn zeros(&mut self, n: usize) -> Vec<Value> {
        let zero = self.constant(0, Width::B32);
        vec![zero; n]
    }

    fn nibbles(&mut self, m: Mma, [a, b, c, metadata]: [&[Value]; 4]) -> Option<Vec<Value>> {
        let byte = |ty| if ty == MmaTy::S4 { MmaTy::S8 } else { MmaTy::U8 };
        let bytes = Mma { shape: halved(m.shape)?, a: byte(m.a), b: byte(m.b), sat: Sat::No, ..m };
        let mask = self.constant(0xf0f0_f0f0, Width::B32);
        let four = self.constant(4, Width::B32);
        let mut sum = self.zeros(c.len());
        for odd in [false, true] {
            let mut upper = |values: &[Value]| -> Vec<Value> {
                let shifted = |e: &mut Self, v| if odd { v } else { e.op(Op::Shl, &[v, four], Width::B32) };
                values
                    .iter()
                    .map(|&v| {
                        let v = shifted(self, v);
                        self.op(Op::And, &[v, mask], Width::B32)
                    })
                    .collect()
            };
            let (a, b) = (upper(a), upper(b));
            sum = self.mma(bytes, &[&a, &b, &sum, metadata]);
        }
        let eight = self.constant(8, Width::B32);
        let add = if m.sat == Sat::Yes { Op::AddSat } else { Op::Add };
        let one = |e: &mut Self, (sum, c): (Value, Value)| {
            let sum = e.op(Op::Shr(Sign::S), &[sum, eight], Width::B32);
            e.op(add, &[sum, c], Width::B32)
        };
        Some(sum.into_iter().zip(c.iter().copied()).map(|pair| one(self, pair)).collect())
    }

    fn quarters(&mut self, m: Mma, [a, b, c]: [&[Value]; 3]) -> Option<Vec<Value>> {
        let halves = Mma { shape: halved(m.shape)?, a: MmaTy::F16, b: MmaTy::F16, ..m };
        let mut sum = self.zeros(c.len());
        let (a, b) = (self.pairs(a, m.a), self.pairs(b, m.b));
        for n in 0..2 {
            sum = self.mma(halves, &[&a[n], &b[n], &sum]);
        }
        let fty = if m.d == MmaTy::F16 { Fty::F16x2 } else { Fty::F32 };
        let add = Op::Fadd(fty, Rnd::Rn, Ftz::No, Sat::No);
        Some(sum.into_iter().zip(c).map(|(sum, &c)| self.op(add, &[sum, c], Width::B32)).collect())
    }

    /// The lower and the upper two of the four elements of each register, as f16.
    fn pairs(&mut self, values: &[Value], ty: MmaTy) -> [Vec<Value>; 2] {
        let from = if ty == MmaTy::E4m3 { Cty::E4m3x2 } else { Cty::E5m2x2 };
        let mut out = [Vec::with_capacity(values.len()), Vec::with_capacity(values.len())];
        for &v in values {
            let halves = self.f.append(self.block, Op::Unpack, &[v], &[Width::B16, Width::B16], self.place);
            let halves = self.f.insts[halves].results.clone();
            for (half, out) in halves.into_iter().zip(&mut out) {
                let convert = Op::Cvt(Cty::F16x2, from, CvtRnd::Rn, Ftz::No, Sat::No);
                out.push(self.op(convert, &[half], Width::B32));
            }
        }
        out
    }
}
