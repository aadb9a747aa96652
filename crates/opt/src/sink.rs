//! Sinks stores of loaded values below the next load.
//!
//! Problem: with several guarded loads, each stored before the next guard ("if inside, load, else
//! zero; store to shared memory", twice), the store waits for its load, and the next load waits for
//! the store. The scheduler cannot help, for they are in different blocks.
//!
//! Strategy: a store of a loaded value at the end of a block with a branch moves past a side block
//! that loads something, to the block where the paths meet. Blocks are visited in order, so that
//! stores may move past several side blocks.
//!
//! **Invariants.** The branch is the side block's only predecessor, and the meeting block has no
//! predecessors but the two: the store is executed as often as before, by the same lanes. Only weak
//! stores move; nothing that they pass may touch their bytes ([`crate::alias`]) or have an effect
//! other than a store. So there is no synchronisation between the two places, and moved stores keep
//! their order.

use raddle_entity::FxHashSet;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cx, Function, Inst, Op, Space, Stop, Terminator, Value, ValueDef};

use crate::alias::{Aliases, Location};

/// Most instructions of a side block.
const MAX_SIDE: usize = 12;

/// Instructions at the end of a block among which stores are moved.
const WINDOW: usize = 24;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let sides: Vec<(Block, Block, Block)> = cfg.rpo.iter().filter_map(|&b| side(f, &cfg, b)).collect();
    if sides.is_empty() {
        return Ok(());
    }
    let dom = DomTree::dominators(&cfg);
    let aliases = Aliases::of(f, &cfg);
    for (b, side, meet) in sides {
        cx.step(f.blocks[b].insts.len().min(WINDOW) as u64)?;
        if dom.dominates(meet, b) {
            continue;
        }
        let stores = late_stores(f, &cfg, &aliases, b, side);
        if !stores.is_empty() {
            f.blocks[b].insts.retain(|i| !stores.contains(i));
            f.blocks[meet].insts.splice(0..0, stores);
        }
    }
    Ok(())
}

/// Matches a branch around a side block that loads; returns the branching block, the side block and
/// the block where they meet.
fn side(f: &Function, cfg: &Cfg, b: Block) -> Option<(Block, Block, Block)> {
    let Terminator::Branch { then, other, .. } = f.term(b) else { return None };
    let both = [(then.block, other.block), (other.block, then.block)];
    both.into_iter().find_map(|(side, meet)| {
        let alone = side != meet && cfg.preds[side].len() == 1 && cfg.preds[meet].len() == 2;
        let leads = matches!(f.term(side), Terminator::Jump(t) if t.block == meet);
        let insts = &f.blocks[side].insts;
        let quiet = insts.len() <= MAX_SIDE && insts.iter().all(|&i| !f.insts[i].op.has_effect());
        (alone && leads && quiet && insts.iter().any(|&i| is_slow(f, i))).then_some((b, side, meet))
    })
}

/// A load with a long latency.
fn is_slow(f: &Function, i: Inst) -> bool {
    matches!(f.insts[i].op, Op::Load(m) if !matches!(m.space, Space::Param | Space::Const))
}

/// The stores of `b` that may move past `side`, in their order.
fn late_stores(f: &Function, cfg: &Cfg, aliases: &Aliases, b: Block, side: Block) -> Vec<Inst> {
    let mut passed: Vec<Inst> = f.blocks[side].insts.clone();
    let mut out: Vec<Inst> = Vec::new();
    for &i in f.blocks[b].insts.iter().rev().take(WINDOW) {
        let d = &f.insts[i];
        if let (Op::Store(_), Some((mem, at))) = (d.op, aliases.access(f, i))
            && mem.is_weak()
            && d.args[1..].iter().any(|&v| comes_from_load(f, cfg, v))
            && passed.iter().all(|&p| !meets(f, aliases, p, &at))
        {
            out.push(i);
            continue;
        }
        if d.op.has_effect() && !matches!(d.op, Op::Store(m) if m.is_weak()) {
            break;
        }
        passed.push(i);
    }
    out.reverse();
    out
}

/// Whether an instruction may read or write these bytes.
fn meets(f: &Function, aliases: &Aliases, i: Inst, at: &Location) -> bool {
    let effect = aliases.effect(f, i);
    [&effect.reads, &effect.writes].into_iter().any(|reach| aliases.reaches(f, reach, at, false))
}

/// Whether the value is the result of a long load, or a parameter that is passed one.
fn comes_from_load(f: &Function, cfg: &Cfg, v: Value) -> bool {
    let loaded = |v: Value| matches!(f.values[v].def, ValueDef::Result(i, _) if is_slow(f, i));
    let ValueDef::Param(b, n) = f.values[v].def else { return loaded(v) };
    let preds: FxHashSet<Block> = cfg.preds[b].iter().copied().collect();
    preds.into_iter().any(|p| f.term(p).targets().iter().any(|t| t.block == b && loaded(t.args[n as usize])))
}
