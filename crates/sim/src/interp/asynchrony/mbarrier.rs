//! The state of an mbarrier object (PTX ISA 9.0, 9.7.13.15).
//!
//! A phase ends when no arrivals are pending and the tx-count is zero; then the next one begins
//! with the expected arrivals. Invariant: between two operations no phase that could end is open.

/// Largest count of arrivals, and largest absolute tx-count (PTX ISA 9.0, 9.7.13.15.2).
pub const MAX_COUNT: u32 = (1 << 20) - 1;

/// The layout of the opaque 64-bit word (ptxas 13.0.88 output). Other bits than phase and pending
/// arrivals are undefined for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordLayout {
    /// Before sm_90: 2^30 less the expected arrivals in the low half; 2^31 less the pending ones in
    /// bits 32 to 62; the phase in bit 63.
    Wide,
    /// From sm_90 on: 2^20 less the expected arrivals in bits 1 to 20; 2^20 less the pending ones
    /// in bits 43 to 62; the phase in bit 63.
    Narrow,
}

impl WordLayout {
    /// Returns the first bit and the width of the field of pending arrivals.
    const fn pending(self) -> (u32, u32) {
        match self {
            WordLayout::Wide => (32, 31),
            WordLayout::Narrow => (43, 20),
        }
    }

    /// Returns the first bit and the width of undefined bits, in which a token keeps its phase.
    const fn hidden(self) -> (u32, u32) {
        match self {
            WordLayout::Wide => (0, 32),
            WordLayout::Narrow => (21, 22),
        }
    }

    fn field((first, width): (u32, u32), value: u64) -> u64 {
        (value & ((1 << width) - 1)) << first
    }

    /// Returns the bits that a program may rely on.
    pub fn defined(self) -> u64 {
        1 << 63 | WordLayout::field(self.pending(), u64::MAX)
    }

    fn common(self, phase: u32, pending: u32) -> u64 {
        let (_, width) = self.pending();
        u64::from(phase & 1) << 63 | WordLayout::field(self.pending(), (1u64 << width) - u64::from(pending))
    }
}

/// A token: the result of an arrival. The bits that are not [`WordLayout::defined`] are undefined;
/// they hold the number of the phase, so that a token of a phase long past is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token(pub u64);

impl Token {
    /// Returns the arrivals that were pending.
    pub fn pending(self, layout: WordLayout) -> u32 {
        let (first, width) = layout.pending();
        ((1u64 << width) - (self.0 >> first & ((1 << width) - 1))) as u32
    }

    /// Returns by how many phases the token is older than `phase`.
    fn age(self, layout: WordLayout, phase: u32) -> u32 {
        let (first, width) = layout.hidden();
        let mask = ((1u64 << width) - 1) as u32;
        phase.wrapping_sub((self.0 >> first) as u32) & mask
    }
}

/// The scope of a release or acquire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The block.
    Cta,
    /// The cluster.
    Cluster,
}

/// The accesses that a phase's arrivals release, as times of [`crate::mem::Actor`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// Those of the object's block.
    pub block: u32,
    /// Those of any thread, for waits of the block's scope: what arriving threads had acquired.
    pub acquired: u32,
    /// Those of any thread, for waits of the cluster's scope.
    pub cluster: u32,
}

impl Released {
    fn join(&mut self, other: Released) {
        self.block = self.block.max(other.block);
        self.acquired = self.acquired.max(other.acquired);
        self.cluster = self.cluster.max(other.cluster);
    }
}

/// An arrival.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arrival {
    /// Arrivals that it stands for.
    pub count: u32,
    /// Bytes that are expected first.
    pub expect: u32,
    /// Whether later phases expect fewer arrivals.
    pub drop: bool,
    /// Whether the phase must not complete.
    pub no_complete: bool,
    /// What it releases.
    pub released: Released,
}

/// An mbarrier object.
#[derive(Clone, Debug)]
pub struct Mbarrier {
    layout: WordLayout,
    expected: u32,
    pending: u32,
    tx: i64,
    /// Number of the current phase.
    phase: u32,
    /// What the arrivals of this phase, and those of the last one, release.
    open: Released,
    ended: Released,
}

/// Why an operation is not allowed.
pub type Refusal = String;

impl Mbarrier {
    /// Initialises an object for this many arrivals.
    pub fn new(layout: WordLayout, count: u32) -> Result<Mbarrier, Refusal> {
        if !(1..=MAX_COUNT).contains(&count) {
            return Err(format!("an mbarrier object cannot expect {count} arrivals"));
        }
        let (open, ended) = Default::default();
        Ok(Mbarrier { layout, expected: count, pending: count, tx: 0, phase: 0, open, ended })
    }

    /// Returns the number of the current phase, from 0.
    pub fn phase(&self) -> u32 {
        self.phase
    }

    /// Returns what the last phase that ended has released.
    pub fn released(&self) -> Released {
        self.ended
    }

    /// Returns the word in memory, and the mask of its undefined bits: tx-count and unknown ones.
    pub fn word(&self) -> (u64, u64) {
        let (expected, known) = match self.layout {
            WordLayout::Wide => ((1u64 << 30) - u64::from(self.expected), 0xffff_ffff),
            WordLayout::Narrow => (((1u64 << 20) - u64::from(self.expected)) << 1, 0x1f_fffe),
        };
        (self.layout.common(self.phase, self.pending) | expected, !(self.layout.defined() | known))
    }

    /// Returns the state as a token.
    pub fn token(&self) -> Token {
        let hidden = WordLayout::field(self.layout.hidden(), self.phase.into());
        Token(self.layout.common(self.phase, self.pending) | hidden)
    }

    /// Describes the state.
    pub fn describe(&self) -> String {
        let Mbarrier { phase, pending, tx, .. } = self;
        format!("phase {phase}, {pending} pending arrival(s), tx-count {tx}")
    }

    /// Whether the phase of a token is complete.
    pub fn passed(&self, token: Token) -> Result<bool, Refusal> {
        match token.age(self.layout, self.phase) {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(format!("a wait with a token of neither the current nor the last phase ({})", self.describe())),
        }
    }

    /// Whether the phase of this parity, of the current and the last one, is complete.
    pub fn passed_parity(&self, parity: u32) -> bool {
        self.phase & 1 != parity
    }

    fn add_tx(&mut self, bytes: i64) -> Result<(), Refusal> {
        let tx = self.tx + bytes;
        if tx.unsigned_abs() > u64::from(MAX_COUNT) {
            return Err(format!("the tx-count {tx} of an mbarrier object is out of range"));
        }
        self.tx = tx;
        Ok(())
    }

    /// Ends the phase if it is complete; returns whether it was.
    fn end(&mut self) -> bool {
        if self.pending != 0 || self.tx != 0 {
            return false;
        }
        self.phase = self.phase.wrapping_add(1);
        self.pending = self.expected;
        self.ended = std::mem::take(&mut self.open);
        true
    }

    /// Expects bytes; returns whether the phase ends.
    pub fn expect(&mut self, bytes: u32) -> Result<bool, Refusal> {
        self.add_tx(bytes.into())?;
        Ok(self.end())
    }

    /// Completes bytes; returns whether the phase ends.
    pub fn complete(&mut self, bytes: u32) -> Result<bool, Refusal> {
        self.add_tx(-i64::from(bytes))?;
        Ok(self.end())
    }

    /// Adds pending arrivals to the current phase, for copies that will arrive.
    pub fn add_pending(&mut self) -> Result<(), Refusal> {
        if self.pending >= MAX_COUNT {
            return Err(format!("too many pending arrivals ({})", self.describe()));
        }
        self.pending += 1;
        Ok(())
    }

    /// Arrives; returns whether the phase ends.
    pub fn arrive(&mut self, arrival: &Arrival) -> Result<bool, Refusal> {
        let Arrival { count, expect, drop, no_complete, released } = *arrival;
        if !(1..=MAX_COUNT).contains(&count) {
            return Err(format!("{count} is no number of arrivals"));
        }
        if count > self.pending || (drop && count > self.expected) {
            return Err(format!("{count} arrival(s) at an mbarrier object with {}", self.describe()));
        }
        self.add_tx(expect.into())?;
        self.open.join(released);
        if drop {
            self.expected -= count;
        }
        self.pending -= count;
        let ended = self.end();
        if ended && no_complete {
            return Err("an arrival with .noComplete completes the phase".into());
        }
        Ok(ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn barrier(count: u32) -> Mbarrier {
        Mbarrier::new(WordLayout::Narrow, count).unwrap()
    }

    fn arrive(b: &mut Mbarrier, count: u32) -> Result<bool, Refusal> {
        b.arrive(&Arrival { count, ..Arrival::default() })
    }

    #[test]
    fn a_phase_ends_with_the_last_arrival_and_the_last_byte() {
        let mut b = barrier(2);
        let first = b.token();
        assert_eq!((b.passed(first), b.passed_parity(0), b.passed_parity(1)), (Ok(false), false, true));
        assert_eq!(b.arrive(&Arrival { count: 1, expect: 48, ..Arrival::default() }), Ok(false));
        assert_eq!((b.complete(16), arrive(&mut b, 1), b.complete(16)), (Ok(false), Ok(false), Ok(false)));
        assert_eq!((b.complete(16), b.phase(), b.passed(first), b.passed_parity(0)), (Ok(true), 1, Ok(true), true));
        assert_eq!(arrive(&mut b, 2), Ok(true));
        assert!(b.passed(first).is_err(), "two phases ago");
    }

    #[test]
    fn bytes_may_arrive_before_they_are_expected() {
        let mut b = barrier(1);
        assert_eq!((b.complete(64), arrive(&mut b, 1)), (Ok(false), Ok(false)), "tx-count -64");
        assert_eq!((b.expect(64), b.phase()), (Ok(true), 1));
        assert!(b.expect(MAX_COUNT).is_ok() && b.expect(1).is_err());
        let mut b = barrier(1);
        assert!(b.complete(MAX_COUNT).is_ok() && b.complete(1).is_err());
    }

    #[test]
    fn drops_count_from_the_next_phase_on() {
        let mut b = barrier(3);
        assert_eq!(b.arrive(&Arrival { count: 1, drop: true, ..Arrival::default() }), Ok(false));
        assert_eq!((arrive(&mut b, 2), b.token().pending(WordLayout::Narrow)), (Ok(true), 2));
        assert_eq!((arrive(&mut b, 1), arrive(&mut b, 1), b.phase()), (Ok(false), Ok(true), 2));
    }

    #[test]
    fn wrong_counts_are_refused() {
        assert!(Mbarrier::new(WordLayout::Narrow, 0).is_err());
        assert!(Mbarrier::new(WordLayout::Narrow, MAX_COUNT + 1).is_err());
        let mut b = barrier(2);
        assert!(arrive(&mut b, 0).is_err() && arrive(&mut b, 3).is_err());
        let no_complete = Arrival { count: 1, no_complete: true, ..Arrival::default() };
        assert_eq!(b.arrive(&no_complete), Ok(false));
        assert!(b.arrive(&no_complete).is_err());
    }

    #[test]
    fn words_have_their_fields() {
        let (word, undef) = barrier(5).word();
        assert_eq!(word, (0x10_0000 - 5) << 43 | (0x10_0000 - 5) << 1);
        assert_eq!(undef, 1 | 0x3f_ffff << 21);
        let mut b = Mbarrier::new(WordLayout::Wide, 5).unwrap();
        assert_eq!(b.word(), ((0x8000_0000 - 5) << 32 | (0x4000_0000 - 5), 0));
        assert_eq!((arrive(&mut b, 5), b.word().0 >> 63, b.token().pending(WordLayout::Wide)), (Ok(true), 1, 5));
        assert_eq!(barrier(9).token().pending(WordLayout::Narrow), 9);
        assert_eq!(WordLayout::Narrow.defined(), 0xffff_f800_0000_0000);
    }

    #[test]
    fn a_phase_releases_what_its_own_arrivals_release() {
        let mut b = barrier(1);
        let released = |block| Released { block, acquired: 2, cluster: 1 };
        b.arrive(&Arrival { count: 1, released: released(7), ..Arrival::default() }).unwrap();
        assert_eq!(b.released(), released(7));
        b.arrive(&Arrival { count: 1, ..Arrival::default() }).unwrap();
        assert_eq!(b.released(), Released::default());
    }
}
