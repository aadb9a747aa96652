//! If-conversion before allocation: short sides of branches whose values are not used elsewhere
//! become guarded instructions.
//!
//! Problem: after allocation ([`crate::ifconv`]) the loads of one side share registers with those
//! of the next, so that they wait for each other, and no scheduling pass before could see them
//! together. Strategy: triangles and diamonds whose sides only store, or load for their own use,
//! and pass no values to the join: their instructions move before the join, guarded by the branch's
//! predicate or its negation. A block and its only successor are then merged, which may make a
//! short side of an enclosing branch.
//!
//! Invariants: SSA form; registers written by a guarded instruction are read only on its side, so
//! they keep no value under a false guard. Convergent, waiting and branching instructions are never
//! guarded.

use raddle_entity::SecondaryMap;
use smallvec::SmallVec;

use crate::ifconv::{LIMIT, cost};
use crate::mir::{MArg, MBlock, MEdge, MFunction, MGuard, MTerm, V};

/// Rounds, from inner to outer sides: each level costs at least one instruction.
const ROUNDS: u32 = LIMIT;

/// Runs the pass.
pub fn run(f: &mut MFunction) {
    for _ in 0..ROUNDS {
        let mut preds = f.preds();
        let mut gone: SecondaryMap<MBlock, bool> = SecondaryMap::new();
        let mut changed = false;
        for b in f.layout.clone().into_iter().rev() {
            changed |= !gone[b] && convert(f, &mut preds, &mut gone, b);
        }
        if !changed {
            break;
        }
        join(f, &preds, &mut gone);
        f.layout.retain(|b| !gone[*b]);
    }
}

type Preds = SecondaryMap<MBlock, SmallVec<[MBlock; 2]>>;

/// Guards the sides of a block's branch.
fn convert(f: &mut MFunction, preds: &mut Preds, gone: &mut SecondaryMap<MBlock, bool>, b: MBlock) -> bool {
    let MTerm::Branch { guard: MGuard::Virtual(p, not), then, other } = &f.blocks[b].term else { return false };
    let (p, not, t, e) = (*p, *not, then.to, other.to);
    if t == e || t == b || e == b {
        return false;
    }
    // The successor of a block that only this branch leads to.
    let next = |x: MBlock| match &f.blocks[x].term {
        MTerm::Jump(edge) if preds[x].as_slice() == [b] && f.blocks[x].params.is_empty() && edge.to != b => Some(edge),
        _ => None,
    };
    let (sides, edge): (SmallVec<[(MBlock, bool); 2]>, MEdge) = match (next(t), next(e)) {
        (Some(edge), _) if edge == other => (SmallVec::from_iter([(t, not)]), edge.clone()),
        (_, Some(edge)) if edge == then => (SmallVec::from_iter([(e, !not)]), edge.clone()),
        (Some(x), Some(y)) if x == y => (SmallVec::from_iter([(t, not), (e, !not)]), x.clone()),
        _ => return false,
    };
    let costs = sides.iter().flat_map(|(x, _)| &f.blocks[*x].insts);
    let mut sum = 0;
    for i in costs {
        match cost(i) {
            Some(n) if sum + n <= LIMIT => sum += n,
            _ => return false,
        }
    }
    for &(x, neg) in &sides {
        let mut insts = std::mem::take(&mut f.blocks[x].insts);
        insts.iter_mut().for_each(|i| i.guard = MGuard::Virtual(p, neg));
        f.blocks[b].insts.append(&mut insts);
        gone[x] = true;
    }
    let into = &mut preds[edge.to];
    into.retain(|x| *x != b && sides.iter().all(|s| s.0 != *x));
    into.push(b);
    f.blocks[b].term = MTerm::Jump(edge);
    true
}

/// Merges a block into its predecessor if it is that block's only successor and has no other
/// predecessor.
fn join(f: &mut MFunction, preds: &Preds, gone: &mut SecondaryMap<MBlock, bool>) {
    let mut names: SecondaryMap<V, Option<V>> = SecondaryMap::new();
    for b in f.layout.clone() {
        if gone[b] {
            continue;
        }
        while let MTerm::Jump(e) = &f.blocks[b].term {
            let to = e.to;
            let args: Option<SmallVec<[V; 4]>> =
                e.args.iter().map(|a| if let MArg::Reg(v) = *a { Some(v) } else { None }).collect();
            let Some(args) = args else { break };
            if preds[to].len() != 1 || to == b || to == f.entry() {
                break;
            }
            gone[to] = true;
            let params = std::mem::take(&mut f.blocks[to].params);
            params.iter().zip(args).for_each(|(&p, a)| names[p] = Some(a));
            let mut insts = std::mem::take(&mut f.blocks[to].insts);
            let (term, place) = (std::mem::replace(&mut f.blocks[to].term, MTerm::Exit), f.blocks[to].place);
            let data = &mut f.blocks[b];
            data.insts.append(&mut insts);
            data.term = term;
            data.place = place;
        }
    }
    let name = |mut v: V| {
        while let Some(to) = names[v] {
            v = to;
        }
        v
    };
    for &b in f.layout.iter().filter(|b| !gone[**b]) {
        let data = &mut f.blocks[b];
        for i in &mut data.insts {
            i.ops.iter_mut().for_each(|o| o.for_each_mut(|v| *v = name(*v)));
            i.kept.iter_mut().for_each(|v| *v = name(*v));
            if let MGuard::Virtual(v, _) = &mut i.guard {
                *v = name(*v);
            }
        }
        if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = &mut data.term {
            *v = name(*v);
        }
        for e in data.term.edges_mut() {
            for a in &mut e.args {
                if let MArg::Reg(v) = a {
                    *v = name(*v);
                }
            }
        }
    }
}
