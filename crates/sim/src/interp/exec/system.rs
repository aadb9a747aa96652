//! Calls of driver functions ([`crate::system`]): thread by thread, in the order of the lanes.

use super::super::code::*;
use super::super::cta::Cta;
use super::super::warp::{Warp, lanes};
use super::{Group, Machine, Step, fault};
use crate::failure::FailureKind;
use crate::system::View;

impl Machine<'_, '_> {
    pub(super) fn system(&mut self, cta: &mut Cta, w: usize, group: &Group, call: &SystemCall, mask: u32) -> Step<()> {
        let Cta { warps, blocks, .. } = cta;
        let warp = &mut warps[w];
        let shared = &mut blocks[warp.block].shared;
        for lane in lanes(mask) {
            let mut args = Vec::with_capacity(call.args.len());
            for (&place, &bytes) in call.args.iter().zip(call.system.params()) {
                let (word, undef) = word(warp, group.frame, lane, place, bytes);
                if undef != 0 {
                    return fault(lane, FailureKind::UndefinedOperand("an argument of a driver function"));
                }
                args.push(word);
            }
            let mut view = View {
                mem: &mut *self.mem,
                shared: (&mut *shared, u64::from(self.program.shared_base)),
                local: Some((&warp.local[lane], 0)),
            };
            let result = match view.call(call.system, &args) {
                Ok(result) => result,
                Err(kind) => return fault(lane, kind),
            };
            match call.rets.first() {
                Some(&ArgPlace::Frame { offset, bytes }) => {
                    let at = (warp.base[lane] + offset) as usize;
                    warp.local[lane].store(at, bytes.min(call.system.result()) as usize, result.into(), 0);
                }
                Some(&ArgPlace::Row { row, bits }) => {
                    warp.frames[group.frame].set(row, lane, result & u64::MAX >> (64 - bits), 0);
                }
                Some(ArgPlace::Nowhere) | None => {}
            }
        }
        Ok(())
    }
}

/// Returns an argument and its undefined bits.
fn word(warp: &Warp, frame: usize, lane: usize, place: ArgPlace, bytes: u32) -> (u64, u64) {
    let mask = u64::MAX >> (64 - 8 * bytes);
    let (word, undef) = match place {
        ArgPlace::Frame { offset, bytes: there } => {
            let (word, undef) = warp.local[lane].load((warp.base[lane] + offset) as usize, bytes.min(there) as usize);
            (word as u64, undef as u64)
        }
        ArgPlace::Row { row, .. } => {
            let frame = &warp.frames[frame];
            (frame.get(row, lane), frame.get_undef(row, lane))
        }
        ArgPlace::Nowhere => (0, u64::MAX),
    };
    (word & mask, undef & mask)
}
