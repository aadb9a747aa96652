//! Scheduling: the order of instructions and their control fields (stalls, scoreboards, waits).
//!
//! What each level does:
//! - `-O0`, and `--sched=serial` at any level: `serial`, every instruction waits for the one before
//!   it;
//! - `-O1`: the order stays, each instruction issues as soon as its operands allow;
//! - `-O2` and up: instructions are first reordered to hide latencies ([`early_loads`] before register
//!   allocation, `list_schedule` after it), and operands that are read again stay in the operand cache
//!   (`reuse`).
//!
//! Control fields are set in two steps. `scoreboards` assigns scoreboards to variable-latency
//! instructions, by an estimate of when their registers are touched next. `waits` then computes what
//! is pending along every path of the control flow, to a fixed point, and adds waits where a
//! guarded register is touched and pauses where a fixed-latency result would be read too early. The
//! first step affects speed only: the second ensures correctness.
//!
//! Everywhere, scoreboard 0 is reserved for `LDGDEPBAR` in functions that have it, as `DEPBAR.LE
//! SB0` counts it ("ptxas 13.0.88 output").

mod accesses;
mod changes;
mod dag;
pub mod early_loads;
mod effects;
mod latency;
mod list_schedule;
mod live_registers;
mod raise;
mod region;
mod reuse;
mod scoreboards;
mod serial;
mod updates;
mod waits;

pub(crate) use effects::names_lanes;
pub(crate) use latency::typical;
pub(crate) use list_schedule::pipe;
use raddle_ir::{OptLevel, SourcePos, Stop, Strength};
use raddle_sass::latency::Producer;
use raddle_sass::{Ctrl, Inst, Isa, Op};

use crate::code::{CodeBlock, Item};

/// Scoreboards of a warp.
const SCOREBOARDS: u8 = 6;
/// Longest stall of one instruction.
const LONGEST: u32 = 15;

/// Sets the control fields of a function.
///
/// # Errors
/// [`Stop::Internal`] if the table has no `NOP`, or if an unguarded register is overwritten.
pub fn run(blocks: &mut [CodeBlock], isa: Isa, opt: OptLevel) -> Result<(), Stop> {
    let nop = raddle_sass::build(isa, Op::Nop, &[], &[])
        .map_err(|e| Stop::Internal { pass: "schedule", what: e.to_string() })?;
    if opt == OptLevel::O0 {
        serial::serial(blocks, isa, &nop);
        return Ok(());
    }
    if opt >= OptLevel::O2 {
        list_schedule::run(blocks, isa);
    }
    let touches: Vec<accesses::Touches> = blocks.iter().map(|b| accesses::Touches::new(isa, &b.items)).collect();
    let graph = waits::Graph::new(blocks);
    scoreboards::assign(blocks, &touches, &graph);
    waits::run(blocks, &touches, &graph, isa, &nop)?;
    if opt >= OptLevel::O2 {
        reuse::run(blocks);
    }
    Ok(())
}

/// Returns the cycles that code keeps from a fixed-latency writer of a register to a later one.
#[must_use]
pub fn rewrite_distance(isa: Isa, earlier: Producer, later: Option<Producer>) -> u32 {
    latency::overtaking(isa, earlier, later)
}

/// Stalls of 12 and more need the yield hint (nvdisasm 13.5.37 rejects them without).
fn legal(c: Ctrl) -> Ctrl {
    Ctrl { yield_: c.yield_ || c.stall >= 12, ..c }
}

fn pause(nop: &Inst, stall: u32, wait_mask: u8) -> Item {
    let inst = nop.clone().with_ctrl(legal(Ctrl { stall: stall as u8, wait_mask, ..Ctrl::default() }));
    Item {
        inst,
        target: None,
        reloc: None,
        place: SourcePos::default(),
        strength: Strength::Weak,
        event: None,
        names: Vec::new(),
    }
}

/// The scoreboards that this instruction can wait for itself: those of `mask`, or none where its word
/// has no room for them (`WARPGROUP.DEPBAR`); then a `NOP` before it waits.
fn wait_or_pause(items: &mut Vec<Item>, nop: &Inst, inst: &Inst, mask: u8) -> u8 {
    if mask == 0 || inst.row().effects.waits {
        return mask;
    }
    items.push(pause(nop, 1, mask));
    0
}

/// The least stall after instructions that control warps or order memory ("ptxas 13.0.88 output").
fn least_stall(i: &Inst) -> u32 {
    let e = i.row().effects;
    match i.op() {
        Op::Ldgdepbar => 1,
        Op::Utmacmdflush => 2,
        Op::Utmaldg | Op::Ublkred => 12,
        Op::Utmaredg => 10,
        Op::Bmov | Op::Yield | Op::Nanosleep | Op::Warpsync => 5,
        // Its predicates arrive later than those of comparisons (measured on an H100).
        Op::R2p => 5,
        _ if e.barrier => 6,
        _ if e.branch => 5,
        _ => 1,
    }
}
