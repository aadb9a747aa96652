//! Race checking: the last accesses to a location, and whether they are ordered before the next
//! one.

/// The thread that makes an access, and the accesses ordered before it. Times are stamps of one
/// clock of the whole run, which the machine advances at each step; 0 is before everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Actor {
    /// `block << 10 | thread`, flattened.
    pub thread: u32,
    /// The current time.
    pub now: u32,
    /// Accesses of the same block up to this time are ordered before this one (barrier).
    pub block_sync: u32,
    /// Accesses of the same warp up to this time are ordered before this one.
    pub warp_sync: u32,
    /// Accesses of any thread up to this time are ordered before this one (acquire of a release).
    pub acquired: u32,
    /// Instruction, as an index that the machine can convert to text; below 2^29.
    pub place: u32,
    /// Whether it is atomic, volatile or otherwise strong.
    pub strong: bool,
}

/// A recorded access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    thread: u32,
    time: u32,
    place: u32,
}

const STRONG: u32 = 1 << 31;
/// Other threads of the warp made the same access, unordered.
const OTHERS: u32 = 1 << 30;
/// Threads of other warps made the same access, unordered.
const OTHER_WARPS: u32 = 1 << 29;

impl Stamp {
    /// Thread, as in [`Actor::thread`].
    pub fn thread(self) -> u32 {
        self.thread
    }

    /// Instruction, as in [`Actor::place`].
    pub fn place(self) -> u32 {
        self.place & (OTHER_WARPS - 1)
    }

    /// An access of a thread at a time.
    pub(crate) fn new(thread: u32, time: u32) -> Stamp {
        Stamp { thread, time, place: 0 }
    }

    /// Time, as in [`Actor::now`]; 0 if there was no access.
    pub(crate) fn time(self) -> u32 {
        self.time
    }

    /// Whether the access is ordered before those of this thread from now on.
    #[inline]
    pub(crate) fn ordered_before(self, a: &Actor) -> bool {
        if self.time == 0 || self.time <= a.acquired {
            return true;
        }
        if self.thread >> 10 != a.thread >> 10 {
            return false;
        }
        if self.time <= a.block_sync {
            return true;
        }
        if self.place & OTHER_WARPS != 0 || self.thread >> 5 != a.thread >> 5 {
            return false;
        }
        self.time <= a.warp_sync || (self.thread == a.thread && self.place & OTHERS == 0)
    }
}

/// The last accesses to a word or byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    write: Stamp,
    read: Stamp,
}

/// A race: the access that was not ordered with this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The earlier access.
    pub earlier: Stamp,
    /// Whether it was a write.
    pub was_write: bool,
    /// Byte offset in the segment.
    pub offset: usize,
}

impl Cell {
    /// Forgets the last read.
    pub(super) fn forget_read(&mut self) {
        self.read = Stamp::default();
    }

    /// Returns the last write.
    pub(super) fn last_write(&self) -> Stamp {
        self.write
    }

    #[inline]
    /// Records an access; returns the earlier one that is not ordered with it, and whether that was
    /// a write.
    pub fn note(&mut self, a: &Actor, write: bool) -> Option<(Stamp, bool)> {
        let flags = if a.strong { STRONG } else { 0 };
        let bad = |s: Stamp| (!a.strong || s.place & STRONG == 0) && !s.ordered_before(a);
        let mut conflict = bad(self.write).then_some((self.write, true));
        let mut stamp = Stamp { thread: a.thread, time: a.now, place: a.place | flags };
        if write {
            if conflict.is_none() && bad(self.read) {
                conflict = Some((self.read, false));
            }
            self.write = stamp;
        } else {
            let r = self.read;
            if r.time != 0 && (r.thread != a.thread || r.place & (OTHERS | OTHER_WARPS) != 0) && !r.ordered_before(a) {
                stamp.place |= r.place & (OTHERS | OTHER_WARPS) | OTHERS;
                if r.thread >> 5 != a.thread >> 5 {
                    stamp.place |= OTHER_WARPS;
                }
                if r.place & STRONG == 0 {
                    stamp.place &= !STRONG;
                }
            }
            self.read = stamp;
        }
        conflict
    }
}
