//! Calls that the lanes of a warp enter together and leave apart.
//!
//! Problem: lanes that call different functions by address return at different times, as do those
//! of a function that does not bring its lanes together at its end. Code of ptxas 13.0.88 often has
//! no instruction that does (`BSSY` before the call, `BSYNC` after it), and yet assumes at the next
//! operation of the warp that they are together. Whether such code would be right if they were
//! tells this fault from others.
//!
//! Strategy: if asked for ([`super::Setup::calls_converge`]), a call is remembered with its lanes,
//! and a lane that returns from it waits for the others ([`Wait::Return`]).

use super::exec_mem::lanes;
use super::subset::{Split, Wait};
use super::warp::Warp;

/// The calls of a warp that have not returned in all lanes, outer ones first.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Whether they are remembered.
    pub remembered: bool,
    open: Vec<OpenCall>,
    /// Number of the next one.
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct OpenCall {
    number: u32,
    /// Where it returns to.
    to: u32,
    lanes: u32,
    /// Lanes that have returned.
    back: u32,
}

impl Calls {
    /// Remembers a call by `lanes` that returns to instruction `to`.
    #[inline]
    pub fn called(&mut self, to: u32, lanes: u32) {
        if self.remembered {
            self.open.push(OpenCall { number: self.next, to, lanes, back: 0 });
            self.next += 1;
        }
    }

    /// Whether there are any.
    #[inline]
    pub fn any(&self) -> bool {
        !self.open.is_empty()
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.open.clear();
    }

    /// The number of the innermost call that returns to `to` in a lane, whose return is noted.
    fn back(&mut self, to: u32, lane: usize) -> Option<u32> {
        let bit = 1 << lane;
        let call = self.open.iter_mut().rev().find(|call| call.to == to && call.lanes & !call.back & bit != 0)?;
        call.back |= bit;
        Some(call.number)
    }

    /// The lanes of a call.
    pub fn lanes(&self, number: u32) -> u32 {
        self.open.iter().find(|call| call.number == number).map_or(0, |call| call.lanes)
    }
}

impl Warp {
    /// Makes lanes wait that have returned from a call by address, `groups` by where they are now.
    pub(super) fn returned(&mut self, groups: &[(u32, u32)], now: u32) {
        for &(to, mask) in groups {
            let mut of = [None; 32];
            for lane in lanes(mask) {
                of[lane] = self.calls.back(to, lane);
            }
            let mut at = 0;
            while at < self.splits.len() {
                let split = self.splits[at];
                at += 1;
                let Some(number) = lanes(split.mask & mask).find_map(|lane| of[lane]) else { continue };
                let same = lanes(split.mask & mask).filter(|&lane| of[lane] == Some(number)).fold(0, |s, l| s | 1 << l);
                // A subset that is released continues after its instruction.
                let waiting = Split { pc: to - 1, mask: same, wait: Wait::Return(number), ..split };
                lanes(same).for_each(|lane| of[lane] = None);
                if same == split.mask {
                    self.splits[at - 1] = waiting;
                } else {
                    self.splits[at - 1].mask &= !same;
                    self.splits.push(waiting);
                    at -= 1;
                }
            }
        }
        self.settle(now);
        self.calls.open.retain(|call| call.back != call.lanes);
    }
}
