//! Simplifies control flow.
//!
//! Problem: lowering and other passes leave branches whose condition is known, blocks that only
//! jump on, blocks that can be merged, and parameters that get the same value on every edge.
//! Strategy: rounds until nothing changes, each linear: redundant conditions and edges (known
//! conditions, negations, both edges to one block), parameters with one value, empty blocks, and
//! blocks whose only predecessor has no other successor.
//!
//! Invariants: no instruction is duplicated, moved across a branch or made conditional, so
//! convergent operations (D4) run with the same lanes as before. A value passed on an edge may be
//! chosen by a select instead of by the edge.

use std::cell::OnceCell;

use raddle_entity::SecondaryMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cx, Function, Op, Stop, Target, Terminator, Value, ValueDef, Width};
use smallvec::SmallVec;

use crate::edit::{Renames, def_block, homes, retain_params};

/// Most rounds: each does all of its simplifications, and few enable others.
const ROUNDS: usize = 8;

/// Most selects that may replace a branch with two edges to one block.
const SELECTS: usize = 2;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    for _ in 0..ROUNDS {
        cx.step(f.layout.len() as u64)?;
        let mut changed = terminators(f);
        changed |= drop_unreachable(f);
        changed |= single_values(f);
        changed |= skip_empty(f);
        changed |= merge(f);
        if !changed {
            break;
        }
    }
    Ok(())
}

/// Simplifies branches whose target is known.
fn terminators(f: &mut Function) -> bool {
    let mut changed = false;
    for n in 0..f.layout.len() {
        let b = f.layout[n];
        // Removing a negation or an equal edge may expose a known condition.
        while let Some(term) = simpler(f, b) {
            f.blocks[b].term = Some(term);
            changed = true;
        }
    }
    changed
}

/// Returns a simpler terminator of a block, if there is one.
fn simpler(f: &mut Function, b: Block) -> Option<Terminator> {
    match f.term(b).clone() {
        Terminator::Branch { cond, uniform, then, other } => {
            if let Some(known) = f.constant(cond) {
                return Some(Terminator::Jump(if known != 0 { then } else { other }));
            }
            if let Some((i, Op::Not)) = f.def(cond) {
                return Some(Terminator::Branch { cond: f.insts[i].args[0], uniform, then: other, other: then });
            }
            if then.block != other.block {
                return None;
            }
            let differ: SmallVec<[Value; 4]> =
                then.args.iter().zip(&other.args).filter(|(a, b)| a != b).map(|(a, _)| *a).collect();
            if differ.len() > SELECTS || differ.iter().any(|&v| f.width(v) == Width::B128) {
                return None;
            }
            let place = f.term_places[b];
            let choose = |(&x, &y): (&Value, &Value)| {
                if x == y { x } else { f.append1(b, Op::Select, &[cond, x, y], f.width(x), place) }
            };
            let args = then.args.iter().zip(&other.args).map(choose).collect();
            Some(Terminator::Jump(Target { block: then.block, args }))
        }
        Terminator::Switch { index, targets } => {
            // An index beyond the last target is undefined (PTX ISA 9.0, 9.7.12.5), so any target
            // is valid.
            let first = *targets.first()?;
            let to = match f.constant(index) {
                Some(n) => targets.get(n as usize).copied().unwrap_or(first),
                None if targets.iter().all(|&t| t == first) => first,
                None => return None,
            };
            Some(Terminator::Jump(Target::to(to)))
        }
        Terminator::Jump(_) | Terminator::Exit => None,
    }
}

fn drop_unreachable(f: &mut Function) -> bool {
    let cfg = Cfg::of(f);
    let before = f.layout.len();
    f.layout.retain(|&b| cfg.reachable(b));
    f.layout.len() != before
}

/// Replaces parameters that get one value on every edge, other than the parameter itself, by that
/// value; undefined values on edges are ignored.
fn single_values(f: &mut Function) -> bool {
    let cfg = Cfg::of(f);
    // Computed on demand: few functions need them.
    let (dom, home) = (OnceCell::new(), OnceCell::new());
    let mut names = Renames::default();
    for &b in &cfg.rpo {
        if f.blocks[b].params.is_empty() {
            continue;
        }
        let params = f.blocks[b].params.clone();
        // The values passed to each parameter: none yet, one, or several.
        let mut got: SmallVec<[Option<Result<Value, ()>>; 4]> = SmallVec::from_elem(None, params.len());
        let mut done = None;
        for &p in &cfg.preds[b] {
            if done.replace(p) == Some(p) {
                continue;
            }
            for t in f.term(p).targets().into_iter().filter(|t| t.block == b) {
                for (k, &v) in t.args.iter().enumerate() {
                    let v = names.get(v);
                    if v == params[k] || matches!(f.def(v), Some((_, Op::Undef))) {
                        continue;
                    }
                    got[k] = match got[k] {
                        None => Some(Ok(v)),
                        Some(Ok(w)) if w == v => Some(Ok(v)),
                        _ => Some(Err(())),
                    };
                }
            }
        }
        let mut keep: SmallVec<[bool; 4]> = SmallVec::from_elem(true, params.len());
        for (k, got) in got.into_iter().enumerate() {
            if let Some(Ok(v)) = got
                && def_block(f, home.get_or_init(|| homes(f)), v)
                    .is_some_and(|d| d != b && dom.get_or_init(|| DomTree::dominators(&cfg)).dominates(d, b))
            {
                names.set(params[k], v);
                keep[k] = false;
            }
        }
        retain_params(f, &cfg.preds[b], b, &keep);
    }
    names.apply(f);
    names.any()
}

/// Redirects edges to blocks that only jump on to the targets of those blocks.
fn skip_empty(f: &mut Function) -> bool {
    // An empty block whose parameters are used in later blocks stays.
    let mut foreign: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &b in &f.layout {
        let mut note = |v: Value, at: Option<Block>| {
            if let ValueDef::Param(d, _) = f.values[v].def
                && at != Some(d)
            {
                foreign[d] = true;
            }
        };
        for &i in &f.blocks[b].insts {
            f.insts[i].args.iter().for_each(|&v| note(v, None));
        }
        f.term(b).for_each_use(|v| note(v, Some(b)));
    }
    let entry = f.entry();
    let onward = |f: &Function, b: Block| match f.term(b) {
        Terminator::Jump(t) if b != entry && t.block != b && f.blocks[b].insts.is_empty() && !foreign[b] => {
            Some(t.clone())
        }
        _ => None,
    };
    let mut changed = false;
    // Successors first, so that chains collapse in one round.
    for &b in Cfg::of(f).rpo.iter().rev() {
        let Some(mut term) = f.blocks[b].term.take() else { continue };
        for t in term.targets_mut() {
            // At most twice: successors are done already, except along back edges, and a cycle must
            // end.
            for _ in 0..2 {
                let Some(next) = onward(f, t.block).filter(|n| n.block != t.block && t.block != b) else { break };
                let params = &f.blocks[t.block].params;
                let value = |v: Value| params.iter().position(|&p| p == v).map_or(v, |k| t.args[k]);
                let args = next.args.iter().map(|&v| value(v)).collect();
                if f.rolled[t.block] {
                    f.rolled[next.block] = true;
                }
                *t = Target { block: next.block, args };
                changed = true;
            }
        }
        if let Terminator::Switch { targets, .. } = &mut term {
            for t in targets {
                if let Some(next) = onward(f, *t).filter(|n| n.args.is_empty() && *t != b) {
                    if f.rolled[*t] {
                        f.rolled[next.block] = true;
                    }
                    *t = next.block;
                    changed = true;
                }
            }
        }
        f.blocks[b].term = Some(term);
    }
    changed && drop_unreachable(f)
}

/// Merges a block with its only successor if that has no other predecessor.
fn merge(f: &mut Function) -> bool {
    let cfg = Cfg::of(f);
    let mut names = Renames::default();
    let mut gone: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut changed = false;
    for &b in &cfg.rpo {
        if gone[b] {
            continue;
        }
        while let Terminator::Jump(t) = f.term(b) {
            let (next, args) = (t.block, t.args.clone());
            if next == b || cfg.preds[next].len() != 1 {
                break;
            }
            for (p, &a) in std::mem::take(&mut f.blocks[next].params).into_iter().zip(&args) {
                names.set(p, a);
            }
            let mut insts = std::mem::take(&mut f.blocks[next].insts);
            f.blocks[b].insts.append(&mut insts);
            f.blocks[b].term = f.blocks[next].term.replace(Terminator::Exit);
            f.term_places[b] = f.term_places[next];
            f.rolled[b] |= f.rolled[next];
            gone[next] = true;
            changed = true;
        }
    }
    f.layout.retain(|&b| !gone[b]);
    names.apply(f);
    changed
}
