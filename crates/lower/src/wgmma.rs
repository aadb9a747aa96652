//! Matrix products of a warpgroup (PTX ISA 9.0, 9.7.15).
//!
//! Problem: registers of a product belong to the tensor core until a wait that covers it, but the
//! text of the wait names none. Strategy: a forward analysis over the control flow numbers the
//! groups committed since each register was last used by a product; a wait covers the registers
//! whose groups are older than those that may stay pending. It has these as operands, and returns
//! accumulators anew, so that no use can move before it. `wgmma.fence` orders registers, which are
//! values here: code generation places its own where registers are final.

use crate::build::Lower;
use crate::flow::{Flow, defs};
use crate::mma::mma_type;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_entity::FxHashMap;
use raddle_ir::{MmaKind, Op as I, Sat, Value, Wgmma, WgmmaLeft, Width};
use raddle_ptx::{Body, InstId, Mod, Op, Operand, Ty};
use std::collections::BTreeMap;

/// A register is not followed beyond this many groups.
const OLDEST: u8 = 32;

/// A register that a pending product uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Use {
    /// Groups committed since, that of the product included; 0 for a product in no group yet.
    age: u8,
    /// Whether it is an accumulator; otherwise part of A.
    accumulator: bool,
    /// The product.
    inst: InstId,
}

/// The registers of pending products.
type State = BTreeMap<u32, Use>;

/// What a wait completes: accumulators and registers of A.
#[derive(Clone, Debug, Default)]
pub(crate) struct Completed {
    /// Accumulators.
    pub accumulators: Vec<u32>,
    /// Registers of A.
    pub left: Vec<u32>,
}

/// The result of the analysis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    /// By wait.
    completed: FxHashMap<u32, Completed>,
    /// Instructions that access a register too early, with the register and the product.
    early: FxHashMap<u32, (u32, InstId)>,
}

impl Pending {
    /// Analyses a body.
    pub(crate) fn of(body: &Body, flow: &Flow) -> Pending {
        let mut pending = Pending::default();
        let is_product = |i: usize| body.op(InstId::from_u32(i as u32)) == Op::WgmmaMmaAsync;
        if !(0..body.insts.len()).any(is_product) {
            return pending;
        }
        let mut starts: Vec<Option<State>> = vec![None; flow.blocks.len()];
        starts[0] = Some(State::new());
        let mut work = vec![0];
        while let Some(b) = work.pop() {
            let Some(mut state) = starts[b].clone() else { continue };
            flow.blocks[b].insts.clone().for_each(|i| step(body, InstId::from_u32(i as u32), &mut state, None));
            for s in flow.blocks[b].end.successors() {
                if join(&mut starts[s], &state) {
                    work.push(s);
                }
            }
        }
        for (block, start) in flow.blocks.iter().zip(starts) {
            let Some(mut state) = start else { continue };
            for i in block.insts.clone() {
                step(body, InstId::from_u32(i as u32), &mut state, Some(&mut pending));
            }
        }
        pending
    }

    /// What a wait completes.
    pub(crate) fn completed(&self, inst: InstId) -> Option<&Completed> {
        self.completed.get(&inst.as_u32())
    }
}

/// Adds a state to that of a block; returns whether it changed.
fn join(into: &mut Option<State>, from: &State) -> bool {
    let Some(state) = into else {
        *into = Some(from.clone());
        return true;
    };
    let mut changed = false;
    for (&reg, new) in from {
        match state.get_mut(&reg) {
            Some(old) if old.age <= new.age && old.accumulator >= new.accumulator => {}
            Some(old) => {
                let accumulator = old.accumulator | new.accumulator;
                let first = if old.age <= new.age { *old } else { *new };
                changed = true;
                *old = Use { accumulator, ..first };
            }
            None => {
                changed = true;
                state.insert(reg, *new);
            }
        }
    }
    changed
}

fn step(body: &Body, inst: InstId, state: &mut State, found: Option<&mut Pending>) {
    match body.op(inst) {
        Op::WgmmaMmaAsync => {
            for (n, accumulator) in [(0, true), (1, false)] {
                let Some(Operand::Vec(list)) = body.operand(inst, n) else { continue };
                for part in body.list(list) {
                    if let Operand::Reg(reg) = part {
                        state.insert(reg.as_u32(), Use { age: 0, accumulator, inst });
                    }
                }
            }
        }
        Op::WgmmaCommitGroup => state.values_mut().for_each(|u| u.age = (u.age + 1).min(OLDEST)),
        Op::WgmmaWaitGroup => {
            let left = match body.operand(inst, 0) {
                Some(Operand::Imm(left)) => left.bits,
                _ => u64::MAX,
            };
            let done = |u: &Use| u.age > 0 && u64::from(u.age) > left;
            if let Some(found) = found {
                let of = |accumulator: bool| {
                    state.iter().filter(|(_, u)| done(u) && u.accumulator == accumulator).map(|(r, _)| *r).collect()
                };
                let completed = Completed { accumulators: of(true), left: of(false) };
                found.completed.insert(inst.as_u32(), completed);
            }
            state.retain(|_, u| !done(u));
        }
        Op::WgmmaFence => {}
        _ if state.is_empty() => {}
        _ => {
            let Some(found) = found else { return };
            let mut check = |reg: raddle_ptx::Reg| {
                if let Some(u) = state.get(&reg.as_u32()) {
                    found.early.entry(inst.as_u32()).or_insert((reg.as_u32(), u.inst));
                }
            };
            crate::flow::uses(body, inst, &mut check);
            defs(body, inst, &mut check);
        }
    }
}

impl Lower<'_> {
    /// Fails if an instruction accesses a register of a pending product.
    pub(crate) fn not_pending(&self, inst: InstId) -> Result<(), Reason> {
        let Some(&(reg, product)) = self.pending.early.get(&inst.as_u32()) else { return Ok(()) };
        let body = self.input.body;
        let line = (self.input.line)(body.insts[product].offset);
        let name = body.reg_name(raddle_ptx::Reg::from_u32(reg));
        unsupported(format!(
            "with register {name}, which the wgmma.mma_async of line {line} uses: no wgmma.wait_group covers it before"
        ))
    }

    /// Lowers `wgmma`.
    pub(crate) fn wgmma(&mut self, inst: InstId) -> Result<(), Reason> {
        match self.input.body.op(inst) {
            Op::WgmmaMmaAsync => self.wgmma_product(inst),
            Op::WgmmaCommitGroup => {
                self.emit_many(I::WgmmaCommit, &[], &[]);
                Ok(())
            }
            Op::WgmmaWaitGroup => self.wgmma_wait(inst),
            // Registers are values.
            _ => Ok(()),
        }
    }

    fn wgmma_wait(&mut self, inst: InstId) -> Result<(), Reason> {
        let Some(Operand::Imm(left)) = self.input.body.operand(inst, 0) else { return not_yet() };
        let completed = self.pending.completed(inst).cloned().unwrap_or_default();
        let all = completed.accumulators.iter().chain(&completed.left);
        let args = all.map(|&reg| self.read_word(reg)).collect::<Result<Vec<Value>, _>>()?;
        let count = completed.accumulators.len();
        // More groups than a counter holds are never pending.
        let op = I::WgmmaWait(left.bits.min(7) as u8, count as u16);
        let results = self.emit_many(op, &args, &vec![Width::B32; count]);
        for (&reg, &value) in completed.accumulators.iter().zip(&results) {
            self.assign(reg, value);
        }
        Ok(())
    }

    /// Reads a register that must have 32 bits.
    fn read_word(&mut self, reg: u32) -> Result<Value, Reason> {
        let value = self.read(reg)?;
        if self.f.width(value) == Width::B32 { Ok(value) } else { unsupported("a register that has not 32 bits") }
    }

    fn wgmma_product(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let has = |m| body.has(inst, m);
        let [d, a, b] = body.types(inst)[..] else { return not_yet() };
        let columns =
            body.mods(inst).iter().find_map(|m| m.name().strip_prefix("m64n")?.split('k').next()?.parse().ok());
        let Some(columns) = columns else { return not_yet() };
        let operands = body.operands(inst);
        let [of_d, of_a, of_b, ref rest @ ..] = *operands.as_slice() else { return not_yet() };
        let (left, mut args) = match of_a {
            Operand::Vec(_) => (WgmmaLeft::Registers, Vec::new()),
            _ => (WgmmaLeft::Shared, vec![self.value(of_a, Ty::B64)?]),
        };
        if left == WgmmaLeft::Registers {
            for part in self.parts(Some(of_a)) {
                args.push(self.value(part, Ty::B32)?);
            }
        }
        args.push(self.value(of_b, Ty::B64)?);
        let (kind, rest) = match rest {
            [metadata, Operand::Imm(selector), rest @ ..] if has(Mod::Sp) => {
                args.push(self.value(*metadata, Ty::B32)?);
                let kind = usize::try_from(selector.bits).ok().and_then(|n| MmaKind::SPARSE.get(n));
                (kind.copied().ok_or_else(|| Reason("a selector of metadata above 1".into()))?, rest)
            }
            rest if a == Ty::B1 => (MmaKind::And, rest),
            rest => (MmaKind::Dense, rest),
        };
        let [scale, immediates @ ..] = rest else { return not_yet() };
        args.push(self.value(*scale, Ty::Pred)?);
        let value = |n: usize| match immediates.get(n) {
            Some(Operand::Imm(imm)) => imm.bits as i32,
            _ => i32::from(n < 2),
        };
        let turned_b = if left == WgmmaLeft::Registers { 2 } else { 3 };
        let mut marks = 0;
        let turned = |n: usize| immediates.len() > 2 && value(n) == 1;
        let conditions = [
            (value(0) == -1, Wgmma::NEGATED_A),
            (value(1) == -1, Wgmma::NEGATED_B),
            (left == WgmmaLeft::Shared && turned(2), Wgmma::TURNED_A),
            (turned(turned_b), Wgmma::TURNED_B),
        ];
        conditions.iter().filter(|c| c.0).for_each(|c| marks |= c.1);
        let sat = if has(Mod::Satfinite) { Sat::Yes } else { Sat::No };
        let m = Wgmma { columns, d: mma_type(d)?, a: mma_type(a)?, b: mma_type(b)?, sat, kind, left, marks };
        let parts = self.parts(Some(of_d));
        for &part in &parts {
            args.push(self.value(part, Ty::B32)?);
        }
        if parts.len() != m.pieces() {
            return unsupported(format!("{} registers for D, {} expected", parts.len(), m.pieces()));
        }
        let results = self.emit_many(I::Wgmma(m), &args, &vec![Width::B32; parts.len()]);
        for (&part, &v) in parts.iter().zip(&results) {
            self.set_operand(Some(part), v)?;
        }
        Ok(())
    }
}
