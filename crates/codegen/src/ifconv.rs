//! If-conversion: short branches become guarded instructions.
//!
//! Problem: a branch around two instructions costs itself, the convergence barrier around it, and the cycles in which the warp
//! waits for its next instruction. Strategy: once registers have numbers, the blocks of a triangle (one side goes straight to where
//! the other leads) or a diamond move in front of the join, each instruction under the branch's predicate or its opposite. As
//! a guarded instruction leaves its registers as they were where the guard fails, exactly as not having been there does,
//! nothing has to be tied together or selected. Inner branches come first; blocks that only follow each other become one, and a
//! convergence barrier around what is straight now goes away.
//!
//! Invariants: instructions that depend on which lanes run together, wait, or branch are never guarded; no instruction under a
//! guard writes the guard. At most [`LIMIT`] units of work are put under guards for one branch.

use raddle_entity::{EntityRef, SecondaryMap};
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Class, Op};
use smallvec::SmallVec;

use crate::alloc::Assignment;
use crate::callees::through_register;
use crate::coalesce::as_copy;
use crate::mir::{MBlock, MEdge, MFunction, MGuard, MInst, MKind, MTerm, V};

/// Work under guards that a branch may become: instructions, dear ones counted by [`cost`].
pub(crate) const LIMIT: u32 = 8;

/// Runs the pass on a function whose registers have numbers.
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

/// Does it do anything, now that it is known which registers are the same?
fn is_nothing(i: &MInst, numbers: &Assignment) -> bool {
    as_copy(i).is_some_and(|(to, from)| numbers.number[to] == numbers.number[from])
}

/// Branches to blocks that only lead on go where those lead; branches with one target are none.
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
        // As many steps as there are blocks: a ring of empty blocks has no end.
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

/// Units of work of an instruction; `None` if it cannot stand under a guard.
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

/// What the instructions of a block cost under a guard that is `p`.
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
    // Blocks to go under guards, and where all goes on.
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

/// A block with one predecessor that leads nowhere else becomes part of it.
fn join(f: &mut MFunction) {
    let preds = f.preds();
    let mut gone: SecondaryMap<MBlock, bool> = SecondaryMap::new();
    let mut named: SecondaryMap<MBlock, usize> = SecondaryMap::new();
    f.layout.iter().flat_map(|b| meets(&f.blocks[*b].insts)).for_each(|to| named[to] += 1);
    // How often the barriers of the block at hand name each block.
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
            // A barrier elsewhere that names the block needs it to begin where it does, and so does one here that brings
            // lanes together again.
            if here[to] != named[to] || parts_until(&f.blocks[b].insts, to) {
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

/// Do lanes part between a barrier that names `to` and the end of the block?
fn parts_until(insts: &[MInst], to: MBlock) -> bool {
    let names = |i: &MInst| meets(std::slice::from_ref(i)).any(|b| b == to);
    insts.iter().position(names).is_some_and(|from| insts[from..].iter().any(through_register))
}

/// A barrier that is set and waited for in one block, with nothing between that could part threads, is not needed.
fn drop_barriers(f: &mut MFunction) {
    let number = |i: &MInst| match i.slot(SlotRole::Bar).map(|o| &o.kind) {
        Some(MKind::Barrier(n)) => Some(*n),
        _ => None,
    };
    for b in f.layout.clone() {
        let insts = &mut f.blocks[b].insts;
        // Barriers that nobody has waited for yet, and the positions of what goes.
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

/// Where the convergence barriers of a block say that threads meet.
fn meets(insts: &[MInst]) -> impl Iterator<Item = MBlock> + '_ {
    let target = |i: &MInst| match i.slot(SlotRole::Target).map(|o| &o.kind) {
        Some(MKind::Target(b)) => Some(*b),
        _ => None,
    };
    insts.iter().filter(|i| i.row().op == Op::Bssy).filter_map(target)
}
