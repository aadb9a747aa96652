//! The serial schedule: every instruction waits for the one before it.
//!
//! A fixed-latency instruction gets the longest stall; a variable-latency one sets a scoreboard,
//! and the next instruction waits for it. Nothing moves. This is the meaning of `-O0` and
//! `--sched=serial`, and the reference for the other schedules: if their results differ, they are
//! wrong.

use raddle_sass::latency::Producer;
use raddle_sass::row::File;
use raddle_sass::{Ctrl, Inst, Isa};

use super::accesses::{before, completes};
use super::latency::slowest;
use super::scoreboards::counts_groups;
use super::{LONGEST, least_stall, legal, pause, wait_or_pause};
use crate::code::CodeBlock;

/// Scoreboard for results.
const WRITE: u8 = 1;
/// Scoreboard for sources.
const READ: u8 = 2;

/// Sets the control fields of all blocks.
pub(super) fn serial(blocks: &mut [CodeBlock], isa: Isa, nop: &Inst) {
    for block in blocks {
        let items = std::mem::take(&mut block.items);
        let mut wait = 0;
        for mut item in items {
            let wait_mask = wait_or_pause(&mut block.items, nop, &item.inst, std::mem::take(&mut wait));
            let mut ctrl = Ctrl { wait_mask, ..Ctrl::default() };
            let mut cycles = least_stall(&item.inst).max(before(&item.inst, &[]));
            let accesses = item.inst.accesses();
            let writes = accesses.iter().any(|a| a.written && a.file != File::Barrier);
            let reads = accesses.iter().any(|a| a.read && a.file != File::Barrier);
            if let Some((results, sources)) = counts_groups(&item.inst) {
                (ctrl.wr_bar, ctrl.rd_bar) = (results, sources);
                cycles = 2;
            } else if completes(&item.inst) {
                (ctrl.wr_bar, ctrl.rd_bar) = (Some(WRITE), reads.then_some(READ));
                wait |= 1 << WRITE | u8::from(reads) << READ;
                cycles = cycles.max(2);
            } else if item.inst.row().effects.variable.contains(isa)
                && (writes || reads)
                && !crate::products::is_product_op(item.inst.op())
            {
                if writes {
                    ctrl.wr_bar = Some(WRITE);
                    wait |= 1 << WRITE;
                } else {
                    ctrl.rd_bar = Some(READ);
                    wait |= 1 << READ;
                }
                cycles = cycles.max(2);
            } else {
                for a in accesses.iter().filter(|a| a.written) {
                    for reg in a.first..a.first.saturating_add(a.count) {
                        if let Some(p) = Producer::new(isa, &item.inst, a, reg) {
                            cycles = cycles.max(LONGEST).max(slowest(isa, p));
                        }
                    }
                }
            }
            ctrl.stall = cycles.min(LONGEST) as u8;
            item.inst.ctrl = legal(ctrl);
            block.items.push(item);
            let mut rest = cycles.saturating_sub(LONGEST);
            while rest > 0 {
                block.items.push(pause(nop, rest.min(LONGEST), 0));
                rest -= rest.min(LONGEST);
            }
        }
        if wait != 0 {
            // The block falls through: the wait must also hold at its end.
            block.items.push(pause(nop, 1, wait));
        }
    }
}
