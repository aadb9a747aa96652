//! Registers that a warp may use, where it passes some to other warps (`setmaxnreg`).
//!
//! Problem: a warp that has returned registers must not touch them, and one that has taken some may use
//! them, beyond the launch bounds of its kernel. Strategy ("ptxas 13.0.88 output"): the number at entry
//! is known where `.maxnreg` states it, or `.minnctapersm` with the threads of a block; elsewhere
//! `setmaxnreg` does nothing. A kernel has that number of registers whatever it uses, and fewer if it
//! takes less. Budgets follow control flow: of the paths to a block the least counts. Spilling and
//! allocation keep within the budget of each block; [`crate::budget_check`] compares the finished code
//! with them.
//!
//! Invariant: a block with `USETMAXREG` ends behind it ([`split`]), or with the branch on its success, so
//! that a budget is one of a whole block.

use raddle_entity::SecondaryMap;
use raddle_ir::{Bounds, Function, Op, Stop};
use raddle_sass::Op as Machine;
use raddle_sass::row::SlotRole;
use raddle_target::Limits;
use smallvec::SmallVec;

use crate::bounds::register_budget;
use crate::mir::{MBlock, MBlockData, MEdge, MFunction, MInst, MKind, MTerm};

/// Registers are allocated in units of this many for a thread (PTX ISA 9.0, `setmaxnreg`).
const UNIT: u32 = 8;

/// Whether launch bounds tell how many registers a kernel has at entry.
pub fn are_known(bounds: &Bounds) -> bool {
    bounds.maxnreg.is_some() || bounds.minnctapersm.is_some() && bounds.reqntid.or(bounds.maxntid).is_some()
}

/// The registers that a kernel passes on or takes; empty if it does neither.
pub(crate) fn counts(f: &Function) -> impl Iterator<Item = (bool, u32)> + '_ {
    let insts = f.layout.iter().flat_map(|&b| &f.blocks[b].insts).map(|&i| f.insts[i].op);
    insts.filter_map(|op| match op {
        Op::GiveRegisters(n) => Some((false, n.into())),
        Op::TakeRegisters(n) | Op::TryRegisters(n) => Some((true, n.into())),
        _ => None,
    })
}

/// The registers that a kernel begins with, if it passes registers on.
pub(crate) fn at_entry(f: &Function, maxrregcount: Option<u32>, limits: &Limits) -> Option<u32> {
    let taken = counts(f).filter(|c| c.0).map(|c| c.1).min().unwrap_or(u32::MAX);
    counts(f).next()?;
    Some(register_budget(&f.bounds, maxrregcount, limits).min(taken))
}

/// The most registers that a warp of a kernel ever has.
pub(crate) fn greatest(f: &Function, entry: u32) -> u32 {
    counts(f).filter(|c| c.0).map(|c| c.1).fold(entry, u32::max).min(Limits::REGISTERS_PER_THREAD)
}

/// Checks that a kernel returns registers that it can have, as ptxas 13.0.88 does.
///
/// # Errors
/// [`Stop::Resources`] that names the number.
pub(crate) fn check(f: &Function, entry: u32) -> Result<(), Stop> {
    let most = greatest(f, entry).next_multiple_of(UNIT);
    match counts(f).find(|&(takes, count)| !takes && count > most) {
        Some((_, count)) => {
            let what = format!("returns registers down to {count} by setmaxnreg, but never has more than {most}");
            Err(Stop::Resources { kernel: f.name.clone(), what })
        }
        None => Ok(()),
    }
}

/// What an instruction does to the budget: the number, and whether it may fail.
fn change(i: &MInst) -> Option<(u32, bool)> {
    if i.row().op != Machine::Usetmaxreg {
        return None;
    }
    match i.slot(SlotRole::Imm).map(|o| &o.kind) {
        Some(&MKind::Imm(count)) => Some((count, i.slot(SlotRole::Pd).is_some())),
        _ => None,
    }
}

/// Ends blocks behind what changes the budget for certain.
pub(crate) fn split(f: &mut MFunction) {
    for b in f.layout.clone() {
        let mut b = b;
        while let Some(n) = f.blocks[b].insts.iter().position(|i| matches!(change(i), Some((_, false))))
            && n + 1 < f.blocks[b].insts.len()
        {
            let data = &mut f.blocks[b];
            let insts = data.insts.split_off(n + 1);
            let term = std::mem::replace(&mut data.term, MTerm::Exit);
            let rest = MBlockData { params: SmallVec::new(), insts, term, place: data.place };
            let behind = f.blocks.push(rest);
            f.blocks[b].term = MTerm::Jump(MEdge { to: behind, args: SmallVec::new() });
            let at = f.layout.iter().position(|&x| x == b).map_or(f.layout.len(), |at| at + 1);
            f.layout.insert(at, behind);
            b = behind;
        }
    }
}

/// How many registers fewer than the greatest budget each block has; `None` in a function that passes
/// no registers on.
pub(crate) fn below(f: &MFunction) -> Option<SecondaryMap<MBlock, u32>> {
    let entry = u32::from(f.entry_registers?);
    let mut budgets: SecondaryMap<MBlock, Option<u32>> = SecondaryMap::new();
    budgets[f.entry()] = Some(entry);
    let mut work = vec![f.entry()];
    while let Some(b) = work.pop() {
        let Some(now) = budgets[b] else { continue };
        let changed = f.blocks[b].insts.iter().filter_map(change).next_back();
        for to in f.blocks[b].term.successors() {
            let repeats = to == b || f.blocks[to].term.successors()[..] == [b];
            let count = match changed {
                Some((_, true)) if repeats => now,
                Some((count, true)) => count,
                // What a warp returns is at most what it has.
                Some((count, false)) => now.min(count),
                None => now,
            };
            if budgets[to].is_none_or(|old| count < old) {
                budgets[to] = Some(count);
                work.push(to);
            }
        }
    }
    let most = f.layout.iter().filter_map(|&b| budgets[b]).max().unwrap_or(entry).min(Limits::REGISTERS_PER_THREAD);
    let mut below = SecondaryMap::new();
    f.layout.iter().for_each(|&b| below[b] = budgets[b].map_or(0, |n| most.saturating_sub(n)));
    Some(below)
}
