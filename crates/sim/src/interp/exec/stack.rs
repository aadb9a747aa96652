//! Runs `alloca`, `stacksave` and `stackrestore` (PTX ISA 9.0, stack manipulation instructions):
//! stack memory of a size known at run time.
//!
//! A thread's frames grow upwards here; `alloca` takes undefined memory after the current one, and
//! the end of the function frees it. `stacksave` returns the address of its end. The hardware stack
//! grows downwards: programs may not compare these addresses with anything.

use super::super::code::StackOp;
use super::super::layout::Function;
use super::super::warp::{Warp, lanes};
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;

impl Machine<'_, '_> {
    /// Runs a stack operation in the lanes of `mask`.
    pub(super) fn stack(&self, warp: &mut Warp, group: &Group, op: StackOp, mask: u32) -> Step<()> {
        let own = |warp: &Warp, lane| {
            let function = &self.program.functions[warp.frames[group.frame].function as usize];
            warp.base[lane] + function.frame_bytes
        };
        for lane in lanes(mask) {
            let (top, end) = (warp.top[lane], warp.local[lane].len() as u64);
            let known = |warp: &Warp, row, what| {
                let frame = &warp.frames[group.frame];
                if frame.get_undef(row, lane) != 0 {
                    return fault(lane, FailureKind::UndefinedOperand(what));
                }
                Ok(frame.get(row, lane))
            };
            match op {
                StackOp::Alloca { dst, size, align } => {
                    let size = known(warp, size, "the size")?;
                    let at = u64::from(top).next_multiple_of(align.into());
                    let Some(to) = at.checked_add(size).filter(|&to| to <= end) else {
                        return fault(lane, FailureKind::StackOverflow(size));
                    };
                    undefine(warp, lane, at..to);
                    warp.top[lane] = to as u32;
                    warp.frames[group.frame].set(dst, lane, at, 0);
                }
                StackOp::Save { dst } => warp.frames[group.frame].set(dst, lane, top.into(), 0),
                StackOp::Restore { src } => {
                    let to = known(warp, src, "the stack pointer")?;
                    if to > u64::from(top) || to < u64::from(own(warp, lane)) {
                        return fault(lane, FailureKind::WildStack(to));
                    }
                    undefine(warp, lane, to..top.into());
                    warp.top[lane] = to as u32;
                }
            }
        }
        Ok(())
    }

    /// Returns the base of the frame of a function that this lane calls now, if it has room.
    pub(super) fn next_frame(&self, warp: &Warp, lane: usize, callee: &Function) -> Option<u32> {
        let base = warp.top[lane].next_multiple_of(callee.frame_align);
        (base as usize + callee.frame_bytes as usize <= warp.local[lane].len()).then_some(base)
    }
}

/// Makes these bytes undefined.
fn undefine(warp: &mut Warp, lane: usize, bytes: std::ops::Range<u64>) {
    for byte in bytes {
        warp.local[lane].store(byte as usize, 1, 0, u128::MAX);
    }
}
