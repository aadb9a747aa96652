//! If-conversion: short branches become guarded instructions.
//!
//! Problem: a branch around two instructions costs itself, the convergence barrier around it, and
//! the cycles in which the warp waits for its next instruction. Strategy: once registers have
//! numbers, the blocks of a triangle (one side jumps to the other) or a diamond move before
//! the join, each instruction guarded by the branch's predicate or its negation. A guarded
//! instruction leaves its destination unchanged where the guard fails, just as if it had been
//! skipped, so no select is needed. Inner branches come first; a block and its only successor are
//! merged where possible, and a convergence barrier within one block is removed.
//!
//! Invariants: instructions that are convergent, wait or branch are never guarded; no guarded
//! instruction writes its guard. At most [`LIMIT`] units of work are guarded for one branch.

use raddle_entity::{EntityRef, SecondaryMap};
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Class, Op};
use smallvec::SmallVec;

use crate::alloc::Assignment;
use crate::coalesce::as_copy;
use crate::indirect_calls::may_return_apart;
use crate::mir::{MBlock, MEdge, MFunction, MGuard, MInst, MKind, MTerm, V};

/// Most units of work guarded for one branch: instructions, expensive ones weighted by [`cost`].
pub(crate) const LIMIT: u32 = 8;

/// Runs the pass on a function with allocated registers.
pub fn run(f: &mut MFunction, numbers: &Assignment) {
    skip_empty(f, numbers);
    loop {
        let preds = f.preds();
        let mut changed = false;
        for b in f.layout.clone().into_iter().rev() {
            changed |= convert(f, numbers, &preds, b);
        }
        if !changed {
            break;
        }
        drop_unreached(f);
        join(f);
        skip_empty(f, numbers);
    }
    join(f);
    drop_barriers(f);
}

/// Whether it is a move between registers with the same number.
fn is_nothing(i: &MInst, numbers: &Assignment) -> bool {
    as_copy(i).is_some_and(|(to, from)| numbers.number[to] == numbers.number[from])
}

/// Redirects branches to empty blocks to where those lead; replaces branches with one target.
fn skip_empty(f: &mut MFunction, numbers: &Assignment) {
    let mut leads: SecondaryMap<MBlock, Option<MBlock>> = SecondaryMap::new();
    for &b in &f.layout {
        let data = &mut f.blocks[b];
        data.insts.retain(|i| !is_nothing(i, numbers));
        if let (true, MTerm::Jump(e)) = (data.insts.is_empty(), &data.term)
            && e.to != b
        {
            leads[b] = Some(e.to);
        }
    }
    let end = |mut b: MBlock| {
        // At most as many steps as there are blocks: a cycle of empty blocks has no end.
        for _ in 0..f.layout.len() {
            match leads[b] {
                Some(next) => b = next,
                None => break,
            }
        }
        b
    };
    let ends: Vec<(MBlock, MBlock)> = f.layout.iter().map(|&b| (b, end(b))).collect();
    let mut to: SecondaryMap<MBlock, Option<MBlock>> = SecondaryMap::new();
    ends.into_iter().for_each(|(b, e)| to[b] = Some(e));
    for &b in &f.layout {
        let term = &mut f.blocks[b].term;
        for e in term.edges_mut() {
            e.to = to[e.to].unwrap_or(e.to);
        }
        if let MTerm::Switch(table) = term {
            table.targets.iter_mut().for_each(|t| *t = to[*t].unwrap_or(*t));
        }
        if let MTerm::Branch { then, other, .. } = &*term
            && then.to == other.to
        {
            *term = MTerm::Jump(then.clone());
        }
    }
    drop_unreached(f);
}

fn drop_unreached(f: &mut MFunction) {
    let mut seen: SecondaryMap<MBlock, bool> = SecondaryMap::new();
    let mut work = vec![f.entry()];
    while let Some(b) = work.pop() {
        if !std::mem::replace(&mut seen[b], true) {
            work.extend(f.blocks[b].term.successors());
            work.extend(meets(&f.blocks[b].insts));
        }
    }
    f.layout.retain(|b| seen[*b]);
}

/// Units of work of an instruction; `None` if it must not be guarded.
pub(crate) fn cost(i: &MInst) -> Option<u32> {
    let e = i.row().effects;
    if e.convergent || e.barrier || e.branch || i.guard != MGuard::Always || i.row().uniform_guard {
        return None;
    }
    if matches!(i.row().op, Op::Bssy | Op::Bsync | Op::R2ur | Op::Redux | Op::S2ur | Op::Yield) {
        return None;
    }
    Some(match i.row().class {
        Class::Fp64 => 4,
        _ if e.atomic => 2,
        _ => 1,
    })
}

/// Units of work of a block guarded by `p`; `None` if it must not be guarded.
fn side(f: &MFunction, numbers: &Assignment, b: MBlock, p: V) -> Option<u32> {
    let guard = numbers.number[p];
    let mut sum = 0;
    for i in &f.blocks[b].insts {
        let mut writes = false;
        i.for_each_def(|v| writes |= f.vregs[v] == File::Pred && numbers.number[v] == guard);
        if writes {
            return None;
        }
        sum += cost(i)?;
        if sum > LIMIT {
            return None;
        }
    }
    Some(sum)
}

fn convert(
    f: &mut MFunction,
    numbers: &Assignment,
    preds: &SecondaryMap<MBlock, SmallVec<[MBlock; 2]>>,
    b: MBlock,
) -> bool {
    let MTerm::Branch { guard: MGuard::Virtual(p, not), then, other } = f.blocks[b].term.clone() else { return false };
    let (t, e) = (then.to, other.to);
    if t == e || t == b || e == b {
        return false;
    }
    let only = |x: MBlock| preds[x].as_slice() == [b];
    let next = |x: MBlock| match &f.blocks[x].term {
        MTerm::Jump(edge) => Some(edge.to),
        _ => None,
    };
    // The blocks to guard, and the block where they join.
    let (sides, to): (SmallVec<[(MBlock, bool); 2]>, MBlock) = if only(t) && next(t) == Some(e) {
        (SmallVec::from_iter([(t, not)]), e)
    } else if only(e) && next(e) == Some(t) {
        (SmallVec::from_iter([(e, !not)]), t)
    } else if let (true, true, Some(j)) = (only(t) && only(e), next(t) == next(e), next(t)) {
        (SmallVec::from_iter([(t, not), (e, !not)]), j)
    } else {
        return false;
    };
    let total: Option<u32> = sides.iter().map(|&(x, _)| side(f, numbers, x, p)).sum();
    if total.is_none_or(|n| n > LIMIT) {
        return false;
    }
    for (x, neg) in sides {
        let mut insts = std::mem::take(&mut f.blocks[x].insts);
        for i in &mut insts {
            i.guard = MGuard::Virtual(p, neg);
        }
        f.blocks[b].insts.extend(insts);
    }
    f.blocks[b].term = MTerm::Jump(MEdge { to, args: SmallVec::new() });
    true
}

/// Merges a block into its predecessor if it is that block's only successor and has no other
/// predecessor.
fn join(f: &mut MFunction) {
    let preds = f.preds();
    let mut gone: SecondaryMap<MBlock, bool> = SecondaryMap::new();
    let mut named: SecondaryMap<MBlock, usize> = SecondaryMap::new();
    f.layout.iter().flat_map(|b| meets(&f.blocks[*b].insts)).for_each(|to| named[to] += 1);
    // How often the barriers of the current block name each block.
    let mut here: SecondaryMap<MBlock, usize> = SecondaryMap::new();
    for b in f.layout.clone() {
        if gone[b] {
            continue;
        }
        meets(&f.blocks[b].insts).for_each(|to| here[to] += 1);
        while let MTerm::Jump(e) = &f.blocks[b].term {
            let to = e.to;
            if preds[to].len() != 1 || to == b || to == f.entry() {
                break;
            }
            // A barrier elsewhere that names the block needs its beginning, and so does one here
            // that joins lanes again.
            if here[to] != named[to] || parts_until(f, b, to) {
                break;
            }
            gone[to] = true;
            let insts = std::mem::take(&mut f.blocks[to].insts);
            meets(&insts).for_each(|to| here[to] += 1);
            let (term, place) = (f.blocks[to].term.clone(), f.blocks[to].place);
            let data = &mut f.blocks[b];
            data.insts.extend(insts);
            data.term = term;
            data.place = place;
        }
        meets(&f.blocks[b].insts).for_each(|to| here[to] = 0);
    }
    f.layout.retain(|b| !gone[*b]);
    debug_assert!(f.layout.iter().all(|b| b.index() < f.blocks.len()));
}

/// Whether lanes may diverge between a barrier that names `to` and the end of the block.
fn parts_until(f: &MFunction, block: MBlock, to: MBlock) -> bool {
    let insts = &f.blocks[block].insts;
    let names = |i: &MInst| meets(std::slice::from_ref(i)).any(|b| b == to);
    insts.iter().position(names).is_some_and(|from| insts[from..].iter().any(|i| may_return_apart(f, i)))
}

/// Removes barriers that are set and waited for in one block, where threads cannot diverge in
/// between.
fn drop_barriers(f: &mut MFunction) {
    let number = |i: &MInst| match i.slot(SlotRole::Bar).map(|o| &o.kind) {
        Some(MKind::Barrier(n)) => Some(*n),
        _ => None,
    };
    for b in f.layout.clone() {
        let insts = &mut f.blocks[b].insts;
        // Barriers set but not waited for yet, and the positions of instructions to remove.
        let mut open: Vec<(Option<u8>, usize)> = Vec::new();
        let mut gone: Vec<usize> = Vec::new();
        for (k, i) in insts.iter().enumerate() {
            match i.row().op {
                Op::Bssy => open.push((number(i), k)),
                Op::Bsync => {
                    if let Some(n) = open.iter().position(|o| o.0 == number(i)) {
                        gone.extend([open.remove(n).1, k]);
                    }
                }
                _ => {}
            }
        }
        gone.sort_unstable();
        let mut gone = gone.into_iter().peekable();
        let mut k = 0..;
        insts.retain(|_| gone.next_if_eq(&k.next().unwrap_or(0)).is_none());
    }
}

/// The blocks that the convergence barriers of a block name as join points.
fn meets(insts: &[MInst]) -> impl Iterator<Item = MBlock> + '_ {
    let target = |i: &MInst| match i.slot(SlotRole::Target).map(|o| &o.kind) {
        Some(MKind::Target(b)) => Some(*b),
        _ => None,
    };
    insts.iter().filter(|i| i.row().op == Op::Bssy).filter_map(target)
}
