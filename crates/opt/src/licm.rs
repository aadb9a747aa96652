//! Moves loop-invariant operations before the loop.
//!
//! Strategy: loops from the outside in; an operation all of whose operands are defined outside goes
//! to the end of the preheader, which is created where there is none. The walk is in reverse
//! postorder, so operations that depend on moved ones follow at once.
//!
//! Invariants: only pure operations move; none of them can fail, so it does not matter whether the
//! loop would have reached them. A constant bank is read early only at a known offset. Convergent
//! operations stay (D4). A moved value is live through the loop, so the pass stops at a budget of
//! registers ([`BUDGET`]) per loop, less those live through it already; changes of width, which
//! cost nothing, are free.

use raddle_entity::SecondaryMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::live::Liveness;
use raddle_ir::loops::Loops;
use raddle_ir::{Block, Cx, Function, Inst, Op, Space, Stop, Target, Terminator, Value, Width};

use crate::edit::{def_block, homes};

/// Registers live through a loop above which nothing more is moved out of it. 40 registers per
/// thread leave room for 48 warps on a multiprocessor.
const BUDGET: u32 = 40;

/// Predicates that may be moved out of one loop: there are seven.
const PREDICATES: u32 = 2;

/// Values above which nothing moves: computing the liveness of all of them would cost too much.
const LARGE: usize = 200_000;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    moves(cx, f, false)
}

/// Runs the pass after expansion: quotients, remainders and roots that are left then are slow paths, which
/// hardly ever run where they are.
///
/// # Errors
/// Those of [`run`].
pub fn late(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    moves(cx, f, true)
}

fn moves(cx: &Cx<'_>, f: &mut Function, late: bool) -> Result<(), Stop> {
    let loops = {
        let cfg = Cfg::of(f);
        Loops::of(&cfg, &DomTree::dominators(&cfg))
    };
    if loops.headers.is_empty() || f.values.len() > LARGE {
        return Ok(());
    }
    let preheaders = preheaders(f, &loops);
    let cfg = Cfg::of(f);
    let loops = Loops::of(&cfg, &DomTree::dominators(&cfg));
    let live = Liveness::of(f, &cfg);
    let mut home = homes(f);
    // Live through each loop: live into its header and not one of its parameters.
    let mut room: SecondaryMap<Block, (u32, u32)> = SecondaryMap::new();
    for &h in &loops.headers {
        let through = live.live_in(h).map(|v| registers(f.width(v))).sum::<u32>();
        let params = f.blocks[h].params.iter().map(|&v| registers(f.width(v))).sum::<u32>();
        room[h] = (BUDGET.saturating_sub(through + params), PREDICATES);
    }
    for &b in &cfg.rpo {
        cx.step(f.blocks[b].insts.len() as u64)?;
        if loops.innermost[b].is_none() {
            continue;
        }
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for i in insts {
            if late && matches!(f.insts[i].op, Op::Fdiv(..) | Op::Fsqrt(..) | Op::Div(_) | Op::Rem(_)) {
                kept.push(i);
                continue;
            }
            match destination(f, &loops, &preheaders, &home, &mut room, b, i) {
                Some(to) => {
                    f.blocks[to].insts.push(i);
                    home[i] = Some(to);
                }
                None => kept.push(i),
            }
        }
        f.blocks[b].insts = kept;
    }
    Ok(())
}

/// Returns the preheader of the outermost loop around `b` in which no operand of the instruction
/// changes.
fn destination(
    f: &Function,
    loops: &Loops,
    preheaders: &SecondaryMap<Block, Option<Block>>,
    home: &SecondaryMap<Inst, Option<Block>>,
    room: &mut SecondaryMap<Block, (u32, u32)>,
    b: Block,
    i: Inst,
) -> Option<Block> {
    let d = &f.insts[i];
    if !d.op.is_pure() || d.results.is_empty() || !early(f, i) {
        return None;
    }
    let free = costs_nothing(f, i);
    let cost = d.results.iter().map(|&v| registers(f.width(v))).sum::<u32>();
    let predicates = d.results.iter().filter(|&&v| f.width(v) == Width::P).count() as u32;
    let (mut to, mut at) = (None, loops.innermost[b]);
    while let Some(h) = at {
        let changes = |v: Value| def_block(f, home, v).is_none_or(|d| loops.contains(h, d));
        let (registers, flags) = room[h];
        if d.args.iter().any(|&v| changes(v)) || (!free && (registers < cost || flags < predicates)) {
            break;
        }
        let Some(before) = preheaders[h] else { break };
        if !free {
            room[h] = (registers - cost, flags - predicates);
        }
        to = Some(before);
        at = loops.parent[h];
    }
    to
}

/// Whether the instruction may run where the program would not have reached it.
fn early(f: &Function, i: Inst) -> bool {
    match f.insts[i].op {
        Op::Load(m) => {
            let known = |v: Value| matches!(f.def(v), Some((_, Op::Const(_) | Op::SymbolAddr(..))));
            matches!(m.space, Space::Param | Space::Const) && known(f.insts[i].args[0])
        }
        _ => true,
    }
}

/// Whether the instruction only renames registers.
fn costs_nothing(f: &Function, i: Inst) -> bool {
    let d = &f.insts[i];
    match d.op {
        Op::Const(_) | Op::Undef | Op::Trunc => true,
        Op::Zext => f.width(d.args[0]) == Width::B32,
        Op::Pack | Op::Unpack => {
            d.args.iter().all(|&v| f.width(v) >= Width::B32) && d.results.iter().all(|&v| f.width(v) >= Width::B32)
        }
        _ => false,
    }
}

/// The number of registers that a value takes.
fn registers(w: Width) -> u32 {
    if w == Width::P { 0 } else { w.bits().div_ceil(32) }
}

/// Returns the preheader of each loop, created where there is none. A loop that a switch enters has
/// none: a switch passes no values and its targets are fixed.
fn preheaders(f: &mut Function, loops: &Loops) -> SecondaryMap<Block, Option<Block>> {
    let cfg = Cfg::of(f);
    let mut out: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    for &h in &loops.headers {
        let mut entries: Vec<Block> = cfg.preds[h].iter().copied().filter(|&p| !loops.contains(h, p)).collect();
        entries.dedup();
        if let [p] = entries[..]
            && matches!(f.term(p), Terminator::Jump(_))
        {
            out[h] = Some(p);
            continue;
        }
        // One edge of a branch, or several edges: insert a block.
        if entries.iter().any(|&p| matches!(f.term(p), Terminator::Switch { .. })) {
            continue;
        }
        let before = f.add_block();
        let at = f.layout.iter().position(|&b| b == h).unwrap_or(0);
        f.layout.pop();
        f.layout.insert(at, before);
        let widths: Vec<Width> = f.blocks[h].params.iter().map(|&v| f.width(v)).collect();
        let args = widths.into_iter().map(|w| f.add_param(before, w)).collect();
        f.blocks[before].term = Some(Terminator::Jump(Target { block: h, args }));
        f.term_places[before] = f.term_places[h];
        for p in entries {
            if let Some(term) = &mut f.blocks[p].term {
                term.targets_mut().into_iter().filter(|t| t.block == h).for_each(|t| t.block = before);
            }
        }
        out[h] = Some(before);
    }
    out
}
