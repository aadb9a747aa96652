//! Matrix products that sm_90 has no instruction for, as products that it has ("ptxas 13.0.88
//! output").
//!
//! Elements of four bits become bytes: even and odd ones apart, in the upper half of the byte, so
//! that a product is 256 times the wanted one; their sum is exact. Floats of eight bits become f16:
//! of four neighbours the first two and the last two apart, and the accumulator is added at the end.
//! Where A is sparse, the rows of B that two of four neighbours stand for are in one lane for bytes
//! and in two lanes for halves: the first product has those of even lanes, the second of odd ones.
//! The ones of an exclusive or are those of one operand without the other, both ways.

use raddle_entity::FxHashMap;
use raddle_ir::verify::mma_pieces;
use raddle_ir::{
    Cond, Cty, CvtRnd, Fty, Ftz, Function, Inst, Mma, MmaKind, MmaShape, MmaTy, Op, PrmtMode, Rnd, Sat, ShflMode, Sign,
    SourcePos, Special, Value, Width,
};
use raddle_target::{Isa, Target};

use super::Expander;

/// How a product is expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    Nibbles,
    Quarters,
    SparseQuarters,
    Xor,
}

fn plan(op: Op) -> Option<(Mma, Plan)> {
    let Op::Mma(m) = op else { return None };
    let plan = match m.a {
        MmaTy::S4 | MmaTy::U4 => Plan::Nibbles,
        MmaTy::E4m3 | MmaTy::E5m2 if m.kind == MmaKind::Dense => Plan::Quarters,
        MmaTy::E4m3 | MmaTy::E5m2 if m.kind == MmaKind::Sparse0 => Plan::SparseQuarters,
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
            Plan::SparseQuarters => self.sparse_quarters(m, [of_a, of_b, of_c], *metadata.first()?),
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
        Some(self.plus(&sum, c, m.d))
    }

    /// The sums of two accumulators.
    fn plus(&mut self, sum: &[Value], c: &[Value], ty: MmaTy) -> Vec<Value> {
        let fty = if ty == MmaTy::F16 { Fty::F16x2 } else { Fty::F32 };
        let add = Op::Fadd(fty, Rnd::Rn, Ftz::No, Sat::No);
        sum.iter().zip(c).map(|(&sum, &c)| self.op(add, &[sum, c], Width::B32)).collect()
    }

    fn sparse_quarters(&mut self, m: Mma, [a, b, c]: [&[Value]; 3], metadata: Value) -> Option<Vec<Value>> {
        let halves = Mma { shape: halved(m.shape)?, a: MmaTy::F16, b: MmaTy::F16, ..m };
        let lane = self.op(Op::Special(Special::LaneId), &[], Width::B32);
        let one = self.constant(1, Width::B32);
        let bit = self.op(Op::And, &[lane, one], Width::B32);
        let zero = self.constant(0, Width::B32);
        let odd = self.op(Op::Icmp(Cond::Ne, Sign::U), &[bit, zero], Width::P);
        let metadata = self.sparse_metadata(lane, metadata);
        let (mut even_rows, mut odd_rows) = (Vec::with_capacity(b.len()), Vec::with_capacity(b.len()));
        for &own in b {
            let other = self.shuffle(ShflMode::Bfly, own, one, 0x1f);
            let (own, other) = (self.pair(own), self.pair(other));
            let mut choose = |of_odd, of_even| {
                let half = self.op(Op::Select, &[odd, of_odd, of_even], Width::B16);
                self.halves(half, m.b)
            };
            even_rows.push(choose(other[1], own[0]));
            odd_rows.push(choose(own[1], other[0]));
        }
        let a = self.pairs(a, m.a);
        let sum = self.zeros(c.len());
        let sum = self.mma(halves, &[&a[0], &even_rows, &sum, &[metadata]]);
        let sum = self.mma(Mma { kind: MmaKind::Sparse1, ..halves }, &[&a[1], &odd_rows, &sum, &[metadata]]);
        Some(self.plus(&sum, c, m.d))
    }

    /// The metadata of both products. Nibble k of a lane's word is about its k-th pair of columns,
    /// of the first product for even k. A product of halves has them in two lanes of four, with 16
    /// bits of each of two neighbours: the first one in lanes 0 and 1, the second in lanes 2 and 3.
    fn sparse_metadata(&mut self, lane: Value, word: Value) -> Value {
        // Even nibbles to the lower half, odd ones to the upper.
        let four = self.constant(4, Width::B32);
        let middle = self.constant(0x00f0_00f0, Width::B32);
        let shifted = self.op(Op::Shr(Sign::U), &[word, four], Width::B32);
        let differ = self.op(Op::Xor, &[word, shifted], Width::B32);
        let differ = self.op(Op::And, &[differ, middle], Width::B32);
        let above = self.op(Op::Shl, &[differ, four], Width::B32);
        let word = self.op(Op::Xor, &[word, differ], Width::B32);
        let word = self.op(Op::Xor, &[word, above], Width::B32);
        let zero = self.constant(0, Width::B32);
        let bytes = self.constant(0x3120, Width::B32);
        let word = self.op(Op::Prmt(PrmtMode::Index), &[word, zero, bytes], Width::B32);

        let one = self.constant(1, Width::B32);
        let first = self.op(Op::Shl, &[lane, one], Width::B32);
        let second = self.op(Op::Or, &[first, one], Width::B32);
        // Of the four lanes, the one that the two lowest bits give.
        let first = self.shuffle(ShflMode::Idx, word, first, 0x1c03);
        let second = self.shuffle(ShflMode::Idx, word, second, 0x1c03);
        let two = self.constant(2, Width::B32);
        let bit = self.op(Op::And, &[lane, two], Width::B32);
        let upper = self.op(Op::Icmp(Cond::Ne, Sign::U), &[bit, zero], Width::P);
        let (high, low) = (self.constant(0x7632, Width::B32), self.constant(0x5410, Width::B32));
        let bytes = self.op(Op::Select, &[upper, high, low], Width::B32);
        self.op(Op::Prmt(PrmtMode::Index), &[first, second, bytes], Width::B32)
    }

    /// Shuffles among all lanes of the warp; `clamp` is operand c of `shfl.sync`.
    fn shuffle(&mut self, mode: ShflMode, value: Value, lane: Value, clamp: u64) -> Value {
        let clamp = self.constant(clamp, Width::B32);
        let all = self.constant(u64::from(u32::MAX), Width::B32);
        let args = [value, lane, clamp, all];
        let inst = self.f.append(self.block, Op::Shfl(mode), &args, &[Width::B32, Width::P], self.place);
        self.f.insts[inst].results[0]
    }

    /// The lower and the upper half of a register.
    fn pair(&mut self, value: Value) -> [Value; 2] {
        let inst = self.f.append(self.block, Op::Unpack, &[value], &[Width::B16, Width::B16], self.place);
        let results = &self.f.insts[inst].results;
        [results[0], results[1]]
    }

    /// Two elements as f16.
    fn halves(&mut self, pair: Value, ty: MmaTy) -> Value {
        let from = if ty == MmaTy::E4m3 { Cty::E4m3x2 } else { Cty::E5m2x2 };
        self.op(Op::Cvt(Cty::F16x2, from, CvtRnd::Rn, Ftz::No, Sat::No), &[pair], Width::B32)
    }

    /// The lower and the upper two of the four elements of each register, as f16.
    fn pairs(&mut self, values: &[Value], ty: MmaTy) -> [Vec<Value>; 2] {
        let mut out = [Vec::with_capacity(values.len()), Vec::with_capacity(values.len())];
        for &v in values {
            for (half, out) in self.pair(v).into_iter().zip(&mut out) {
                out.push(self.halves(half, ty));
            }
        }
        out
    }
}
