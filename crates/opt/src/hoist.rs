//! Hoists equal computations of both sides of a branch above it.
//!
//! Problem: programmers and compilers write the same address and the same load on both sides of a
//! branch. Each side waits for its own load, and the code exists twice; [`crate::gvn`] finds
//! nothing, as neither place dominates the other.
//!
//! Strategy: from the last branch to the first, operations with equal operands at the beginning of
//! both successors become one before the branch. Operations on moved ones follow in the same walk.
//!
//! **Invariants.** Both successors have the branch as their only predecessor, so every path
//! computes as much as before. Only pure operations move, and weak loads before the first effect of
//! either side: no new bytes are read, and nothing in between could write them. Convergent
//! operations stay (D4). At most [`MOST`] results move above one branch, as they are live across
//! it.

use raddle_entity::{FxHashMap, FxHashSet};
use raddle_ir::cfg::Cfg;
use raddle_ir::{Block, Cx, Function, Inst, Op, Stop, Terminator, Width};
use smallvec::SmallVec;

use crate::edit::Renames;
use crate::gvn::{Key, key};

/// Instructions of each side that are considered.
const WINDOW: usize = 48;

/// Most operations hoisted above one branch.
const MOST: usize = 16;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let mut names = Renames::default();
    for &b in cfg.rpo.iter().rev() {
        let Terminator::Branch { then, other, .. } = f.term(b) else { continue };
        let (x, y) = (then.block, other.block);
        if x != y && cfg.preds[x].len() == 1 && cfg.preds[y].len() == 1 {
            cx.step((f.blocks[x].insts.len() + f.blocks[y].insts.len()).min(2 * WINDOW) as u64)?;
            common(f, &mut names, b, x, y);
        }
    }
    names.apply(f);
    Ok(())
}

/// Moves the computations common to `x` and `y` to the end of `b`.
fn common(f: &mut Function, names: &mut Renames, b: Block, x: Block, y: Block) {
    let mut leaders: FxHashMap<Key, Inst> = FxHashMap::default();
    for i in movable(f, names, x) {
        leaders.entry(key(f, i, SmallVec::from_slice(&f.insts[i].args))).or_insert(i);
    }
    if leaders.is_empty() {
        return;
    }
    let mut gone: FxHashSet<Inst> = FxHashSet::default();
    for i in movable(f, names, y) {
        if gone.len() == 2 * MOST {
            break;
        }
        // Equal operands have the same name by now; others belong to one side and match nothing.
        names.inst(f, i);
        let Some(leader) = leaders.remove(&key(f, i, SmallVec::from_slice(&f.insts[i].args))) else { continue };
        for k in 0..f.insts[i].results.len() {
            names.set(f.insts[i].results[k], f.insts[leader].results[k]);
        }
        f.blocks[b].insts.push(leader);
        gone.extend([leader, i]);
    }
    for side in [x, y] {
        f.blocks[side].insts.retain(|i| !gone.contains(i));
    }
}

/// The instructions at the beginning of a block that may move before it, with renamed operands.
fn movable(f: &mut Function, names: &mut Renames, b: Block) -> Vec<Inst> {
    let window: Vec<Inst> = f.blocks[b].insts.iter().copied().take(WINDOW).collect();
    let mut effects = false;
    let mut out = Vec::new();
    for i in window {
        names.inst(f, i);
        let d = &f.insts[i];
        effects |= d.op.has_effect();
        let load = matches!(d.op, Op::Load(m) if m.is_weak()) && !effects;
        let flag = d.results.iter().any(|&v| f.width(v) == Width::P);
        if (d.op.is_pure() || load) && !d.results.is_empty() && !flag {
            out.push(i);
        }
    }
    out
}
