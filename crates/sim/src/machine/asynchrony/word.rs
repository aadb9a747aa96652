//! The word of an mbarrier object before sm_90, which is plain memory: `STS.64` begins it, code
//! polls its phase with `LDS`.
//!
//! The low half is 2^30 less the expected arrivals; the upper half is 2^31 less the pending ones,
//! with the phase in its highest bit (ptxas 13.0.88 output: the words that it stores, its tests of
//! bit 31, its additions to both halves for `.noComplete` and `arrive_drop`). What `ATOMS.ARRIVE.64`
//! does when no arrival is left follows from that: it is not visible in any code.

use crate::mem::Segment;

const PHASE: u64 = 1 << 63;

/// Returns the word after an arrival, and whether a phase ended.
pub fn after(word: u64) -> (u64, bool) {
    let next = word.wrapping_add(1 << 32);
    if next & !PHASE >> 32 << 32 != 0 {
        return (next, false);
    }
    // The carry has changed the phase; 2^31 less the expected arrivals are pending.
    let pending = (1 << 30) + (word & 0xffff_ffff);
    (next | (pending & 0x7fff_ffff) << 32, true)
}

/// Arrives at the word at an offset; returns it as it was, with its undefined bits.
pub fn arrive(memory: &mut Segment, offset: usize) -> (u64, u64) {
    let (word, undefined) = memory.load(offset, 8);
    let (word, undefined) = (word as u64, undefined as u64);
    let unknown = if undefined != 0 { u128::MAX } else { 0 };
    memory.store(offset, 8, after(word).0.into(), unknown);
    (word, undefined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn initial(count: u64) -> u64 {
        ((1 << 31) - count) << 32 | ((1 << 30) - count)
    }

    #[test]
    fn the_last_arrival_begins_the_next_phase() {
        let word = initial(3);
        let (one, ended) = after(word);
        assert_eq!((one, ended), (word + (1 << 32), false));
        let (three, ended) = after(after(one).0);
        assert_eq!((three, ended), (initial(3) | PHASE, true));
        assert_eq!(after(after(after(three).0).0), (initial(3), true));
        // One of them drops out: the low half is one more before it arrives.
        let (next, _) = after(after(after(word).0 + 1).0);
        assert_eq!(next, initial(2) | PHASE);
    }
}
