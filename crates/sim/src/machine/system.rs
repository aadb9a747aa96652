//! Driver functions in a loaded image: each is one word of code, which returns; before it runs, the
//! machine performs the function.
//!
//! Registers that are not callee-saved are undefined after a call ("ptxas 13.0.88 output"), so that
//! code which relies on them fails. Driver functions that are not simulated, such as those that
//! launch kernels, have a word too: a call of it is a failure that names the function.

use super::block::{Block, Exec, Global, LaneFailure};
use super::driver_texture::{DriverLookup, FIRST};
use super::exec_mem::lanes;
use super::image::Image;
use super::warp::Warp;
use crate::failure::FailureKind;
use crate::system::{System, View};

/// Performs driver function `n` for the lanes of `m`.
#[cold]
pub fn call(image: &Image, n: u32, m: u32, warp: &mut Warp, block: &mut Block, g: &mut Global<'_>) -> Exec {
    let Some(&system) = System::ALL.get(n as usize) else {
        let name = image.systems.and_then(|first| image.functions.iter().find(|f| f.0 == first + n));
        return match name {
            Some((_, name)) if m != 0 => {
                if let Some(lookup) = DriverLookup::of(name) {
                    return lookup.call(m, warp, block, g);
                }
                let kind = FailureKind::Unsupported(format!("a call of the driver function {name}"));
                Err(LaneFailure::new(m.trailing_zeros() as usize, kind))
            }
            _ => Ok(()),
        };
    };
    let mut results = [0u64; 32];
    for lane in lanes(m) {
        let fail = |kind: FailureKind| LaneFailure::new(lane, kind);
        let mut args = Vec::new();
        let mut at = FIRST;
        for &bytes in system.params() {
            let words = (bytes / 4) as u8;
            at = at.next_multiple_of(words);
            let mut value = 0;
            for n in (0..words).rev() {
                if warp.reg_undef(at + n, lane) != 0 {
                    return Err(fail(FailureKind::UndefinedOperand("an argument of a driver function")));
                }
                value = value << 32 | u64::from(warp.reg(at + n)[lane]);
            }
            args.push(value);
            at += words;
        }
        let local = block.local.get(warp.index as usize * 32 + lane).map(|seg| (seg, u64::from(block.local_low)));
        // Shared memory begins with the part reserved by the system.
        let mut view = View { mem: &mut *g.mem, shared: (&block.shared, 0), local };
        results[lane] = view.call(system, &args).map_err(fail)?;
    }
    let words = (system.result() / 4) as u8;
    for lane in lanes(m) {
        for n in 0..words {
            warp.put_lane(FIRST + n, lane, (results[lane] >> (32 * n)) as u32);
        }
    }
    warp.lose(m, FIRST..FIRST + words);
    Ok(())
}

impl Image {
    /// Returns the driver function at an instruction.
    #[inline(always)]
    pub fn system_at(&self, pc: u32) -> Option<u32> {
        self.systems.filter(|&first| pc >= first).map(|first| pc - first)
    }
}
