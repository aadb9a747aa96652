//! Control fields: stalls, scoreboards, waits.
//!
//! The serial schedule (`-O0`, and the yardstick for everything better): nothing moves, and every instruction waits for the one
//! before it. A fixed-latency result gets the longest stall there is; an operation whose results come at an unknown time sets a
//! scoreboard, and the next instruction waits for it. A store or another operation without results that reads registers
//! releases a second scoreboard when it has read them, so that its sources are not overwritten early.

use raddle_ir::Stop;
use raddle_sass::row::File;
use raddle_sass::{Class, Ctrl, Inst, Isa, Op};

use crate::code::{CodeBlock, Item};

/// Scoreboard for results.
const WRITE: u8 = 0;
/// Scoreboard for sources.
const READ: u8 = 1;

/// Cycles until the slowest consumer may read the results of a fixed-latency instruction ("ptxas 13.0.88 output", smallest
/// distances over all consumers, rounded up; predicates as guards are the slowest of all).
fn latency(i: &Inst) -> u32 {
    match i.row().class {
        Class::Agu | Class::Dec => 15,
        c if format!("{c:?}").ends_with("mma") || format!("{c:?}").ends_with("Mma") => 36,
        _ => 15,
    }
}

/// Stalls of 12 and more need the yield hint (nvdisasm 13.5.37 rejects them without).
fn legal(c: Ctrl) -> Ctrl {
    Ctrl { yield_: c.yield_ || c.stall >= 12, ..c }
}

/// Sets the control fields of a whole function, serially.
///
/// # Errors
/// [`Stop::Internal`] if the table has no `NOP`.
pub fn serial(blocks: &mut [CodeBlock], isa: Isa) -> Result<(), Stop> {
    let nop = raddle_sass::build::build(isa, Op::Nop, &[], &[])
        .map_err(|e| Stop::Internal { pass: "schedule", what: e.to_string() })?;
    for block in blocks {
        let items = std::mem::take(&mut block.items);
        let mut wait = 0;
        for mut item in items {
            let mut ctrl = Ctrl { wait_mask: wait, stall: 1, ..Ctrl::default() };
            wait = 0;
            let effects = item.inst.row().effects;
            let mut rest = 0;
            let accesses = item.inst.accesses();
            let writes = accesses.iter().any(|a| a.written && a.file != File::Barrier);
            let reads = accesses.iter().any(|a| a.read && a.file != File::Barrier);
            if effects.variable.contains(isa) {
                if writes {
                    ctrl.wr_bar = Some(WRITE);
                    wait |= 1 << WRITE;
                } else if reads || effects.barrier {
                    ctrl.rd_bar = Some(READ);
                    wait |= 1 << READ;
                }
                ctrl.stall = 2;
            } else if writes {
                let cycles = latency(&item.inst);
                ctrl.stall = cycles.min(15) as u8;
                rest = cycles - u32::from(ctrl.stall);
            }
            if effects.branch || effects.barrier || effects.convergent {
                ctrl.stall = ctrl.stall.max(5);
            }
            item.inst.ctrl = legal(ctrl);
            let place = item.place;
            block.items.push(item);
            while rest > 0 {
                let stall = rest.min(15);
                let inst = nop.clone().with_ctrl(legal(Ctrl { stall: stall as u8, ..Ctrl::default() }));
                block.items.push(Item { inst, target: None, reloc: None, place });
                rest -= stall;
            }
        }
        if wait != 0 {
            // The block falls through: the wait must not be lost at its end.
            let inst = nop.clone().with_ctrl(Ctrl { wait_mask: wait, ..Ctrl::default() });
            block.items.push(Item { inst, target: None, reloc: None, place: Default::default() });
        }
    }
    Ok(())
}
