//! Which registers belong to pending matrix products of a warpgroup (PTX ISA 9.0, 9.7.15).
//!
//! Problem: registers of a product belong to the tensor core until a wait that covers it, but the
//! text of the wait names none. Strategy: a forward analysis over the control flow numbers the
//! groups committed since each register was last used by a product; a wait covers the registers
//! whose groups are older than those that may stay pending. It has these as operands, and returns
//! accumulators anew, so that no use can move before it.

use raddle_entity::FxHashMap;
use raddle_ptx::{Body, InstId, Op, Operand, Reg};
use std::collections::BTreeMap;
use std::ops::Range;

/// Calls a function on the registers of an instruction.
type Touched<'a> = &'a dyn Fn(InstId, &mut dyn FnMut(Reg));

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
    early: BTreeMap<u32, (u32, InstId)>,
}

impl Pending {
    /// Analyses a body with these blocks: their instructions and successors. `touched` lists the
    /// registers that an instruction reads or writes.
    pub(crate) fn of(body: &Body, blocks: &[(Range<usize>, Vec<usize>)], touched: Touched<'_>) -> Pending {
        let mut pending = Pending::default();
        let is_product = |i: usize| body.op(InstId::from_u32(i as u32)) == Op::WgmmaMmaAsync;
        if !(0..body.insts.len()).any(is_product) {
            return pending;
        }
        let mut starts: Vec<Option<State>> = vec![None; blocks.len()];
        starts[0] = Some(State::new());
        let mut work = vec![0];
        while let Some(b) = work.pop() {
            let Some(mut state) = starts[b].clone() else { continue };
            blocks[b].0.clone().for_each(|i| step(body, InstId::from_u32(i as u32), &mut state, None));
            for &s in &blocks[b].1 {
                if join(&mut starts[s], &state) {
                    work.push(s);
                }
            }
        }
        for ((insts, _), start) in blocks.iter().zip(starts) {
            let Some(mut state) = start else { continue };
            for i in insts.clone() {
                step(body, InstId::from_u32(i as u32), &mut state, Some((&mut pending, touched)));
            }
        }
        pending
    }

    /// The first instruction that accesses a register too early, the register, and the product that uses
    /// it.
    pub(crate) fn first_early(&self) -> Option<(InstId, u32, InstId)> {
        let (&inst, &(reg, product)) = self.early.first_key_value()?;
        Some((InstId::from_u32(inst), reg, product))
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

fn step(body: &Body, inst: InstId, state: &mut State, found: Option<(&mut Pending, Touched<'_>)>) {
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
            if let Some((found, _)) = found {
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
            let Some((found, touched)) = found else { return };
            let mut check = |reg: Reg| {
                if let Some(u) = state.get(&reg.as_u32()) {
                    found.early.entry(inst.as_u32()).or_insert((reg.as_u32(), u.inst));
                }
            };
            touched(inst, &mut check);
        }
    }
}
