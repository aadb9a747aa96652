//! Stores of what was loaded wait until the next load is under way.
//!
//! Problem: where each of several loads stands behind a test of its own, and each is stored before the next test ("if it is inside, load it, else zero;
//! store it to shared memory", twice), the store waits for its load, and the next load waits behind the store. The schedule cannot help, for
//! they are in blocks apart.
//!
//! Strategy: a store at the end of a block with a branch moves behind the side that the branch may run, to where the ways meet, if that side loads
//! something and what is stored comes from a load itself. In order of the blocks, so that stores move on over several sides.
//!
//! **Invariants.** The side is entered by the branch alone and goes to the meeting place, which nothing else leads to: the store is done as often as before, by
//! the same lanes. Only weak stores move; nothing that they pass may, by [`crate::alias`], touch their bytes, and nothing that they pass has an effect but
//! other stores; so between the two places there is no synchronisation, and stores that move keep their order.

use raddle_entity::FxHashSet;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cx, Function, Inst, Op, Space, Stop, Terminator, Value, ValueDef};

use crate::alias::{Aliases, Location};

/// Instructions that a side may have.
const MAX_SIDE: usize = 12;

/// Instructions at the end of a block that a store may pass.
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

/// A block, the side that its branch may run, which loads, and the place where they meet.
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

/// A load that takes its time.
fn is_slow(f: &Function, i: Inst) -> bool {
    matches!(f.insts[i].op, Op::Load(m) if !matches!(m.space, Space::Param | Space::Const))
}

/// The stores of `b` that may be done behind `side`, in their order.
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

/// May an instruction read or write these bytes?
fn meets(f: &Function, aliases: &Aliases, i: Inst, at: &Location) -> bool {
    let effect = aliases.effect(f, i);
    [&effect.reads, &effect.writes].into_iter().any(|reach| aliases.reaches(f, reach, at, false))
}

/// Is it, on some way to its block, what was loaded just before?
fn comes_from_load(f: &Function, cfg: &Cfg, v: Value) -> bool {
    let loaded = |v: Value| matches!(f.values[v].def, ValueDef::Result(i, _) if is_slow(f, i));
    let ValueDef::Param(b, n) = f.values[v].def else { return loaded(v) };
    let preds: FxHashSet<Block> = cfg.preds[b].iter().copied().collect();
    preds.into_iter().any(|p| f.term(p).targets().iter().any(|t| t.block == b && loaded(t.args[n as usize])))
}
