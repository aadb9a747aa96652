//! If-conversion before allocation: short sides of branches whose values are not used elsewhere
//! become guarded instructions.
//!
//! Problem: after allocation ([`crate::ifconv`]) the loads of one side share registers with those
//! of the next, so that they wait for each other, and no scheduling pass before could see them
//! together. Strategy: the short sides of triangles and diamonds move before the join, guarded by
//! the branch's predicate or its negation. What a side passes to the join must be computed there, or
//! be the same on the other way; its value on the other way is the one that the result keeps where
//! the guard fails ([`MInst::otherwise`]). A block and its only successor are then merged, which may
//! make a short side of an enclosing branch.
//!
//! A side may start asynchronous work, as one elected lane does for its warp. `SYNCS` takes the
//! predicate. What runs in the uniform datapath takes a uniform predicate: whether any lane that
//! runs has the predicate (`VOTEU.ANY`). `R2UR` under the predicate reads a lane that has it ("ptxas
//! 13.0.88 output").
//!
//! Invariants: SSA form; registers written by a guarded instruction are read only on its side, or
//! after the join with a value for a false guard. Convergent, waiting and branching instructions are never
//! guarded.

use raddle_entity::SecondaryMap;
use raddle_ir::{SourcePos, Stop};
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Isa, Op};
use smallvec::SmallVec;

use crate::copies::copy;
use crate::ifconv::{LIMIT, cost};
use crate::mir::{MArg, MBlock, MEdge, MFunction, MGuard, MInst, MOp, MTerm, Regs, V};
use crate::sass::{self, tokens};

/// Most units of work guarded for one branch whose side starts asynchronous work: its operands take
/// a uniform register each.
const ASYNCHRONOUS: u32 = 20;

/// Rounds, from inner to outer sides: each level costs at least one instruction.
const ROUNDS: u32 = LIMIT;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks an instruction.
pub fn run(f: &mut MFunction, isa: Isa) -> Result<(), Stop> {
    for _ in 0..ROUNDS {
        let mut preds = f.preds();
        let mut gone: SecondaryMap<MBlock, bool> = SecondaryMap::new();
        let mut changed = false;
        for b in f.layout.clone().into_iter().rev() {
            changed |= !gone[b] && convert(f, isa, &mut preds, &mut gone, b)?;
        }
        if !changed {
            break;
        }
        join(f, &preds, &mut gone);
        f.layout.retain(|b| !gone[*b]);
    }
    Ok(())
}

type Preds = SecondaryMap<MBlock, SmallVec<[MBlock; 2]>>;

/// The guard that an instruction of a side takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    /// The branch's predicate.
    Lanes,
    /// A uniform predicate.
    Warp,
    /// None: it only orders, or it has no effect and nothing else reads its result.
    None,
}

/// The guard of an instruction of a side, its units of work, and whether it starts asynchronous
/// work; `None` if it must not be guarded.
fn guard(i: &MInst) -> Option<(Guard, u32, bool)> {
    if let Some(units) = cost(i) {
        return Some((Guard::Lanes, units, false));
    }
    let (row, e) = (i.row(), i.row().effects);
    if e.convergent || e.branch || i.guard != MGuard::Always {
        return None;
    }
    let mut results = 0;
    i.for_each_def(|_| results += 1);
    match row.op {
        Op::R2ur => Some((Guard::Lanes, 1, false)),
        // To order more than the branch did is no error.
        Op::Fence => Some((Guard::None, 1, false)),
        // One with a result waits for a phase.
        Op::Syncs if !row.uniform_guard && results == 0 => Some((Guard::Lanes, 1, true)),
        Op::Usetmaxreg | Op::UcgabarArv | Op::UcgabarWait => None,
        _ if !row.uniform_guard => None,
        _ if e.barrier || e.writes.is_some() => (results == 0).then_some((Guard::Warp, 1, true)),
        _ => (e.reads.is_none() && results > 0).then_some((Guard::None, 1, false)),
    }
}

/// Whether sides may be guarded for one branch.
fn are_short<'a>(insts: impl Iterator<Item = &'a MInst>) -> bool {
    let (mut sum, mut starts, mut scalar) = (0, false, true);
    for i in insts {
        let Some((_, units, asynchronous)) = guard(i) else { return false };
        sum += units;
        starts |= asynchronous;
        scalar &= cost(i).is_some();
    }
    if starts { sum <= ASYNCHRONOUS } else { scalar && sum <= LIMIT }
}

/// Appends a vote to a block: whether any lane has a predicate, or its negation.
fn vote(f: &mut MFunction, isa: Isa, b: MBlock, (p, not): (V, bool), place: SourcePos) -> Result<V, Stop> {
    let any = f.vreg(File::Upred);
    let source = if not { MOp::reg(p).complemented() } else { MOp::reg(p) };
    let given = [(SlotRole::Pd, MOp::reg(any)), (SlotRole::Pp, source)];
    let form = find(isa, &sass::voteu(tokens::Vote::Any), &given)
        .ok_or_else(|| Stop::Internal { pass: "predicate", what: "no row for VOTEU".to_owned() })?;
    f.blocks[b].insts.push(MInst::new(form, place));
    Ok(any)
}

/// Results that sides pass to the join, with their values where the guards fail.
type Passed = SmallVec<[(V, MArg); 2]>;

/// The edge to the join of guarded sides, and the results of the sides that it passes, with their
/// values where the guards fail. `first` leaves the first side, `last` the second one or the branch.
/// `None` if a value differs that no guarded instruction computes.
fn joined(f: &MFunction, sides: &[(MBlock, bool)], first: &MEdge, last: &MEdge) -> Option<(MEdge, Passed)> {
    let computes = |n: usize, a: MArg| {
        let (MArg::Reg(v), Some(&(x, _))) = (a, sides.get(n)) else { return None };
        let mut found = false;
        f.blocks[x].insts.iter().filter(|i| cost(i).is_some()).for_each(|i| i.for_each_def(|d| found |= d == v));
        found.then_some(v)
    };
    let mut edge = first.clone();
    let mut otherwise = Passed::new();
    for (arg, &other) in edge.args.iter_mut().zip(&last.args) {
        if *arg == other {
            continue;
        }
        // The second side comes after the first one.
        let (to, value) = match (computes(1, other), computes(0, *arg)) {
            (Some(v), _) => (v, *arg),
            (None, Some(v)) => (v, other),
            (None, None) => return None,
        };
        if otherwise.iter().any(|&(v, before)| v == to && before != value) {
            return None;
        }
        *arg = MArg::Reg(to);
        if value != MArg::Undef && !otherwise.contains(&(to, value)) {
            otherwise.push((to, value));
        }
    }
    Some((edge, otherwise))
}

/// Guards the sides of a block's branch.
fn convert(
    f: &mut MFunction,
    isa: Isa,
    preds: &mut Preds,
    gone: &mut SecondaryMap<MBlock, bool>,
    b: MBlock,
) -> Result<bool, Stop> {
    let MTerm::Branch { guard: MGuard::Virtual(p, not), then, other } = &f.blocks[b].term else { return Ok(false) };
    let (p, not, t, e) = (*p, *not, then.to, other.to);
    if t == e || t == b || e == b {
        return Ok(false);
    }
    // The successor of a block that only this branch leads to.
    let next = |x: MBlock| match &f.blocks[x].term {
        MTerm::Jump(edge) if preds[x].as_slice() == [b] && f.blocks[x].params.is_empty() && edge.to != b => Some(edge),
        _ => None,
    };
    let (sides, edge, last): (SmallVec<[(MBlock, bool); 2]>, &MEdge, &MEdge) = match (next(t), next(e)) {
        (Some(edge), _) if edge.to == other.to => (SmallVec::from_iter([(t, not)]), edge, other),
        (_, Some(edge)) if edge.to == then.to => (SmallVec::from_iter([(e, !not)]), edge, then),
        (Some(x), Some(y)) if x.to == y.to => (SmallVec::from_iter([(t, not), (e, !not)]), x, y),
        _ => return Ok(false),
    };
    if !are_short(sides.iter().flat_map(|(x, _)| &f.blocks[*x].insts)) {
        return Ok(false);
    }
    let Some((edge, otherwise)) = joined(f, &sides, edge, last) else { return Ok(false) };
    for &(x, neg) in &sides {
        let first = f.blocks[x].insts.iter().find(|i| guard(i).is_some_and(|g| g.0 == Guard::Warp)).map(|i| i.place);
        let warp = match first {
            Some(place) => MGuard::Virtual(vote(f, isa, b, (p, neg), place)?, false),
            None => MGuard::Always,
        };
        let lanes = MGuard::Virtual(p, neg);
        let mut insts = std::mem::take(&mut f.blocks[x].insts);
        for i in &mut insts {
            i.guard = match guard(i).map(|g| g.0) {
                Some(Guard::Lanes) => lanes,
                Some(Guard::Warp) => warp,
                _ => MGuard::Always,
            };
            let mut results = Regs::new();
            i.for_each_def(|v| results.push(v));
            for &(to, value) in otherwise.iter().filter(|(to, _)| results.contains(to)) {
                let from = match value {
                    MArg::Reg(v) => v,
                    constant => {
                        let v = f.vreg(f.vregs[to]);
                        f.blocks[b].insts.push(copy(isa, f.vregs[v], v, constant, i.place)?);
                        v
                    }
                };
                i.otherwise.push((to, from));
            }
        }
        f.blocks[b].insts.append(&mut insts);
        gone[x] = true;
    }
    let into = &mut preds[edge.to];
    into.retain(|x| *x != b && sides.iter().all(|s| s.0 != *x));
    into.push(b);
    f.blocks[b].term = MTerm::Jump(edge);
    Ok(true)
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
            i.for_each_beside_mut(|v| *v = name(*v));
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
