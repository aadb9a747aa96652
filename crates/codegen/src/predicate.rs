//! If-conversion before registers have numbers: short sides of branches whose values nobody else reads become guarded instructions.
//!
//! Problem: behind allocation ([`crate::ifconv`]) the loads of one side have registers that those of the next side have too, so that
//! they wait for each other, and no pass that orders instructions could see them together before. Strategy: triangles and diamonds
//! whose sides only store, or load for what stands in them, pass nothing on to where they meet: their instructions
//! move in front of that place under the branch's predicate or its opposite. Blocks that only follow each other
//! become one then, which may make a short side of what is around them.
//!
//! Invariants: SSA form; as outside of its side nobody reads what a guarded instruction writes, nothing has to stay there under a false guard. Instructions that
//! depend on which lanes run together, wait or branch are never guarded.

use raddle_entity::SecondaryMap;
use smallvec::SmallVec;

use crate::ifconv::{LIMIT, cost};
use crate::mir::{MArg, MBlock, MEdge, MFunction, MGuard, MTerm, V};

/// Rounds, from inner sides to outer ones: each level costs an instruction at least.
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

/// Puts the sides of the branch at the end of a block under its predicate.
fn convert(f: &mut MFunction, preds: &mut Preds, gone: &mut SecondaryMap<MBlock, bool>, b: MBlock) -> bool {
    let MTerm::Branch { guard: MGuard::Virtual(p, not), then, other } = &f.blocks[b].term else { return false };
    let (p, not, t, e) = (*p, *not, then.to, other.to);
    if t == e || t == b || e == b {
        return false;
    }
    // Where a block that only this branch leads to goes on.
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

/// A block with one predecessor that leads nowhere else becomes part of it.
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
