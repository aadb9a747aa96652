//! The state of an mbarrier object of sm_90, by its 64-bit word.
//!
//! Bits 1 to 20 are 2^20 less the expected arrivals, bits 43 to 62 that less the pending ones, bit
//! 63 is the phase (ptxas 13.0.88 output: what it stores to begin an object, and what it reads from
//! the result of an arrival). The tx-count is in bits that no code looks at, kept here apart.

/// First bit of the rank of its block in a shared address (ptxas 13.0.88 output: `SR_CgaCtaId` shifted
/// by 24 for own addresses, `PRMT` 0x654 for `mapa`).
pub const RANK_SHIFT: u32 = 24;

/// A place in the shared memory of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Rank of the block.
    pub rank: usize,
    /// Offset in its shared memory.
    pub offset: usize,
}

impl Place {
    /// Returns the shared address.
    pub fn address(self) -> usize {
        self.rank << RANK_SHIFT | self.offset
    }
}

/// Largest count of arrivals, and largest absolute tx-count (PTX ISA 9.0, 9.7.13.15.2).
pub const LIMIT: u32 = (1 << 20) - 1;

const FIELD: u64 = LIMIT as u64;
const EXPECTED: u32 = 1;
const PENDING: u32 = 43;
const PHASE: u32 = 63;
/// Unknown bits of the upper word, in which a result keeps the number of its phase.
const NUMBER: u64 = 0x7ff;
const NUMBER_AT: u32 = 32;

/// What the arrivals of a phase release, as times of [`crate::mem::Actor`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// Accesses of the object's block.
    pub block: u32,
    /// Accesses that arriving threads of the block had acquired.
    pub acquired: u32,
    /// Accesses of any thread, for those that make them visible with `CCTL.IVALL`.
    pub cluster: u32,
}

impl Released {
    fn join(&mut self, o: Released) {
        *self = Released {
            block: self.block.max(o.block),
            acquired: self.acquired.max(o.acquired),
            cluster: self.cluster.max(o.cluster),
        };
    }
}

/// A change of an object: expected or completed bytes first, then arrivals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arrival {
    /// Arrivals.
    pub count: u32,
    /// Change of the tx-count.
    pub bytes: i64,
    /// Whether later phases expect fewer arrivals.
    pub drops: bool,
    /// What it releases.
    pub released: Released,
}

/// A valid object.
#[derive(Clone, Debug)]
pub struct Object {
    expected: u32,
    pending: u32,
    bytes: i64,
    /// Number of the current phase; its lowest bit is that of the word.
    phase: u32,
    open: Released,
    ended: Released,
    /// The instruction that began it.
    pub place: u32,
}

fn counted(word: u64, at: u32) -> u32 {
    ((1 << 20) - (word >> at & FIELD)) as u32
}

fn field(count: u32, at: u32) -> u64 {
    (((1 << 20) - u64::from(count)) & FIELD) << at
}

impl Object {
    /// Begins an object with this word.
    pub fn begin(word: u64, place: u32) -> Result<Object, String> {
        let (expected, pending) = (counted(word, EXPECTED), counted(word, PENDING));
        let fields = FIELD << EXPECTED | FIELD << PENDING;
        if word & !fields != 0 || expected != pending {
            return Err(format!("an mbarrier object is begun with the word {word:#018x}, which has no initial state"));
        }
        if !(1..=LIMIT).contains(&expected) {
            return Err("an mbarrier object that expects no arrivals, or too many".into());
        }
        let (open, ended) = Default::default();
        Ok(Object { expected, pending, bytes: 0, phase: 0, open, ended, place })
    }

    /// Returns the word in memory and its unknown bits.
    pub fn word(&self) -> (u64, u64) {
        let known = FIELD << EXPECTED | FIELD << PENDING | 1 << PHASE;
        (field(self.expected, EXPECTED) | self.visible(), !known)
    }

    fn visible(&self) -> u64 {
        field(self.pending, PENDING) | u64::from(self.phase & 1) << PHASE
    }

    /// Returns the result of an arrival: pending arrivals and phase, with the number of the phase
    /// in unknown bits, and the mask of these.
    pub fn state(&self) -> (u64, u64) {
        let known = FIELD << PENDING | 1 << PHASE;
        (self.visible() | (u64::from(self.phase) & NUMBER) << NUMBER_AT, !known)
    }

    /// Returns the number of the current phase.
    pub fn phase(&self) -> u32 {
        self.phase
    }

    /// Returns what the last phase has released.
    pub fn released(&self) -> Released {
        self.ended
    }

    /// Describes the state.
    pub fn describe(&self) -> String {
        format!("phase {}, {} pending arrival(s), tx-count {}", self.phase, self.pending, self.bytes)
    }

    /// Whether the phase of the upper word of a result, or of a parity in bit 31, is complete.
    pub fn passed(&self, upper: u32) -> Result<bool, String> {
        // A result has pending arrivals, a parity has none.
        if u64::from(upper) << 32 & FIELD << PENDING != 0 {
            let age = self.phase.wrapping_sub(upper) & NUMBER as u32;
            if age > 1 {
                let state = self.describe();
                return Err(format!("a wait with a token of neither the current nor the last phase ({state})"));
            }
        }
        Ok(upper >> 31 != self.phase & 1)
    }

    /// Changes the object. Returns whether its phase ends.
    pub fn change(&mut self, by: &Arrival) -> Result<bool, String> {
        let bytes = self.bytes + by.bytes;
        if bytes.unsigned_abs() > LIMIT.into() {
            return Err(format!("the tx-count {bytes} of an mbarrier object is out of range"));
        }
        if by.count > self.pending || by.drops && by.count > self.expected {
            return Err(format!("{} arrival(s) at an mbarrier object with {}", by.count, self.describe()));
        }
        self.bytes = bytes;
        self.open.join(by.released);
        if by.drops {
            self.expected -= by.count;
        }
        self.pending -= by.count;
        let ends = self.pending == 0 && self.bytes == 0;
        if ends {
            self.phase = self.phase.wrapping_add(1);
            self.pending = self.expected;
            self.ended = std::mem::take(&mut self.open);
        }
        Ok(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word that ptxas computes for a count.
    fn initial(count: u64) -> u64 {
        ((1 << 20) - count) << EXPECTED | ((1 << 20) - count) << PENDING
    }

    fn arrive(o: &mut Object, count: u32, bytes: i64) -> Result<bool, String> {
        o.change(&Arrival { count, bytes, ..Arrival::default() })
    }

    #[test]
    fn a_phase_ends_with_the_last_arrival_and_byte() {
        let mut o = Object::begin(initial(2), 7).unwrap();
        assert_eq!(o.word().0, initial(2));
        let token = (o.state().0 >> 32) as u32;
        assert_eq!((o.passed(token), o.passed(0), o.passed(1 << 31)), (Ok(false), Ok(false), Ok(true)));
        assert_eq!(
            (arrive(&mut o, 1, 32), arrive(&mut o, 1, 0), arrive(&mut o, 0, -16)),
            (Ok(false), Ok(false), Ok(false))
        );
        assert!(arrive(&mut o, 1, 0).is_err(), "nothing is pending");
        assert_eq!(
            (arrive(&mut o, 0, -16), o.phase(), o.passed(token), o.passed(0)),
            (Ok(true), 1, Ok(true), Ok(true))
        );
        assert_eq!(o.word().0, initial(2) | 1 << 63);
        assert_eq!((arrive(&mut o, 2, 0), o.passed(0)), (Ok(true), Ok(false)));
        assert!(o.passed(token).is_err(), "two phases ago");
    }

    #[test]
    fn states_that_no_object_begins_with_are_refused() {
        for word in [0, initial(1) | 1 << 63, initial(3) ^ 1 << PENDING, initial(2) | 1 << 30] {
            assert!(Object::begin(word, 0).is_err(), "{word:#x}");
        }
        let mut o = Object::begin(initial(1), 0).unwrap();
        assert!(arrive(&mut o, 0, i64::from(LIMIT) + 1).is_err());
        assert_eq!(o.change(&Arrival { count: 1, drops: true, ..Arrival::default() }), Ok(true));
        assert!(arrive(&mut o, 1, 0).is_err(), "no arrival is expected");
    }
}
