//! Calls that the lanes of a warp enter together and leave apart.
//!
//! Problem: lanes that call different functions by address return at different times, as do those
//! of a function that does not bring its lanes together at its end. Code of ptxas 13.0.88 often has
//! no instruction that does (`BSSY` before the call, `BSYNC` after it), and yet assumes at the next
//! operation of the warp that they are together. Whether such code would be right if they were
//! tells this fault from others.
//!
//! Strategy: if asked for ([`super::Setup::calls_converge`]), a call is remembered with its lanes,
//! and a lane that returns from it waits for the others ([`super::subset::Wait::Return`]).

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
    pub fn back(&mut self, to: u32, lane: usize) -> Option<u32> {
        let bit = 1 << lane;
        let call = self.open.iter_mut().rev().find(|call| call.to == to && call.lanes & !call.back & bit != 0)?;
        call.back |= bit;
        Some(call.number)
    }

    /// Forgets the calls that have returned in all lanes.
    pub fn settle(&mut self) {
        self.open.retain(|call| call.back != call.lanes);
    }

    /// The lanes of a call.
    pub fn lanes(&self, number: u32) -> u32 {
        self.open.iter().find(|call| call.number == number).map_or(0, |call| call.lanes)
    }
}
