//! The values of registers in the middle of a run, for traces.

use super::layout::Function;
use super::warp::Frame;
use std::fmt;

/// The registers of a function at one call depth, before an instruction.
#[derive(Clone, Copy)]
pub struct Registers<'a> {
    pub(super) frame: &'a Frame,
    pub(super) function: &'a Function,
}

impl fmt::Debug for Registers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} registers of {}", self.function.slots.len(), self.function.name)
    }
}

impl Registers<'_> {
    /// The call depth; the kernel is 0.
    pub fn depth(&self) -> u32 {
        self.frame.depth
    }

    /// 32 bits of a register in a lane, and which of them are undefined: those with number `part`, low
    /// first; less than 32 bits for narrow types, one for a predicate. `register` is the number in the
    /// body in explicit form ([`raddle_ptx::Body::to_explicit_form`]), where the elements of a vector
    /// are registers. `None` if there is no such part.
    pub fn part(&self, register: u32, part: u8, lane: u32) -> Option<(u32, u32)> {
        let slot = self.function.slots.get(register as usize)?;
        let lane = lane as usize % 32;
        if slot.bits == 1 {
            let of = |rows: &[u32]| Some(rows.get(slot.at as usize)? >> lane & 1);
            return Some((of(&self.frame.preds)?, of(&self.frame.pred_undef)?)).filter(|_| part == 0);
        }
        let parts = slot.bits.div_ceil(32);
        let (element, within) = (part / parts, part % parts);
        if element >= slot.width {
            return None;
        }
        let rows = slot.bits.div_ceil(64);
        let row = slot.at as usize + usize::from(element * rows + within / 2);
        let mask = u32::MAX >> 32u8.saturating_sub(slot.bits).min(31);
        let of = |rows: &[[u64; 32]]| Some((rows.get(row)?[lane] >> (32 * (within % 2))) as u32 & mask);
        Some((of(&self.frame.rows)?, of(&self.frame.undef)?))
    }
}
