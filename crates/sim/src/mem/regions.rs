//! Memory that asynchronous operations read or write, until threads know that they are done.
//!
//! Problem: an operation that nothing waits for often has finished in time, so that its result does
//! not show the error. Strategy: each operation has a region of its source and of its destination.
//! A thread knows that the operation is done if it has waited for it, or is ordered after a thread
//! that has; every access of other threads is a finding, whatever the moment at which the
//! operation takes effect.

use super::{Actor, AllocId, Stamp};
use std::collections::BTreeMap;
use std::ops::Range;

/// Marks the place of an access by the asynchronous proxy in the simulator.
pub const ASYNC_PROXY: u32 = 1 << 28;

/// Memory: an allocation, or the shared memory of a block by flat index and rank in its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// An allocation of global memory.
    Global(AllocId),
    /// Shared memory.
    Shared {
        /// Flat index of the block.
        index: u64,
        /// Rank of the block in its cluster.
        rank: usize,
    },
}

/// How an operation uses a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It reads it.
    Source,
    /// It writes it.
    Target,
    /// It reduces into it, element by element, atomically.
    Reduced,
}

/// The phase of an mbarrier object in which an operation was counted: the rank of the object's
/// block, its offset, and the number of the phase.
pub type Signal = (Ground, usize, u32);

/// Memory that an asynchronous operation uses.
#[derive(Clone, Debug)]
pub struct Region {
    /// The operation.
    pub number: u64,
    /// The memory.
    pub ground: Ground,
    /// Its bytes.
    pub range: Range<usize>,
    /// Those of them that are used, if not all are.
    pub parts: Vec<Range<usize>>,
    /// Its use.
    pub role: Role,
    /// The thread that issued the operation, as in [`Actor::thread`], and the step.
    pub thread: u32,
    /// The step that issued it.
    pub place: u32,
    /// The phase that has counted it.
    pub signal: Option<Signal>,
    /// Whether a thread has waited for it.
    pub awaited: bool,
    /// Threads that have waited for it and see its effect, with the time.
    observers: BTreeMap<u32, u32>,
}

impl Region {
    /// Creates a region of an operation that has not taken effect.
    pub fn new(number: u64, (ground, range): (Ground, Range<usize>), role: Role, by: &Actor) -> Region {
        let (thread, place) = (by.thread, by.place);
        Region {
            number,
            ground,
            range,
            parts: Vec::new(),
            role,
            thread,
            place,
            signal: None,
            awaited: false,
            observers: BTreeMap::new(),
        }
    }

    /// Returns the bytes that are used.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let all = if self.parts.is_empty() { std::slice::from_ref(&self.range) } else { &self.parts };
        all.iter().cloned()
    }

    fn touches(&self, range: &Range<usize>) -> bool {
        let overlaps = |r: &Range<usize>| r.start < range.end && range.start < r.end;
        overlaps(&self.range) && (self.parts.is_empty() || self.parts.iter().any(overlaps))
    }

    /// Whether a thread knows that the operation is done.
    pub fn known(&self, actor: &Actor) -> bool {
        self.observers.contains_key(&actor.thread)
            || self.observers.iter().any(|(&thread, &time)| Stamp::new(thread, time).ordered_before(actor))
    }

    /// Whether accesses of these kinds must not overlap in time.
    fn excludes(&self, role: Role) -> bool {
        self.role != role || role == Role::Target
    }
}

/// All regions.
#[derive(Debug, Default)]
pub struct Regions {
    all: Vec<Region>,
    operations: u64,
}

impl Regions {
    /// Returns the number of a new operation.
    pub fn number(&mut self) -> u64 {
        self.operations += 1;
        self.operations
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns a region that an access of this kind must not touch.
    pub fn conflict(&self, ground: Ground, range: &Range<usize>, role: Role, actor: &Actor) -> Option<&Region> {
        let touching = self.all.iter().filter(|r| r.ground == ground && r.touches(range));
        touching.into_iter().find(|r| r.excludes(role) && !r.known(actor))
    }

    /// Adds a region; it replaces those of earlier operations in the same bytes.
    pub fn add(&mut self, region: Region) {
        if region.role == Role::Target && region.parts.is_empty() {
            let inside = |r: &Region| {
                r.ground == region.ground && region.range.start <= r.range.start && r.range.end <= region.range.end
            };
            self.all.retain(|r| r.number == region.number || !inside(r));
        }
        self.all.push(region);
    }

    /// The bytes of an operation are counted in these phases, one for each destination.
    pub fn signal(&mut self, number: u64, signals: &[Signal]) {
        for region in self.all.iter_mut().filter(|r| r.number == number) {
            let of_block = |s: &&Signal| s.0 == region.ground;
            region.signal = signals.iter().find(of_block).or(signals.first()).copied();
        }
    }

    /// A thread has waited for all phases of an object before this one; with `sees` it sees what
    /// was done in them.
    pub fn observe(&mut self, (ground, offset, phase): Signal, actor: &Actor, sees: bool) {
        let counted = |s: Signal| s.0 == ground && s.1 == offset && phase.wrapping_sub(s.2) as i32 > 0;
        for region in self.all.iter_mut().filter(|r| r.signal.is_some_and(counted)) {
            region.awaited = true;
            if sees {
                region.observers.entry(actor.thread).or_insert(actor.now);
            }
        }
        // A source in global memory is free for everyone: its readers need no order.
        let free = |r: &Region| r.role == Role::Source && matches!(r.ground, Ground::Global(_)) && r.awaited;
        self.all.retain(|r| !free(r));
    }

    /// Removes and returns the regions of an operation; with `read`, its source only.
    pub fn take(&mut self, number: u64, read: bool) -> Vec<Region> {
        self.all.extract_if(.., |r| r.number == number && (!read || r.role == Role::Source)).collect()
    }

    /// A cluster ends: returns a region of its shared memory that nothing has waited for, and
    /// forgets those of its blocks.
    pub fn end(&mut self, blocks: &[u64]) -> Option<Region> {
        let shared = |r: &Region| matches!(r.ground, Ground::Shared { index, .. } if blocks.contains(&index));
        let open = self.all.iter().find(|r| shared(r) && !r.awaited).cloned();
        self.all.retain(|r| !shared(r) && !blocks.contains(&u64::from(r.thread >> 10)));
        open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: Ground = Ground::Shared { index: 0, rank: 0 };

    fn actor(thread: u32, now: u32) -> Actor {
        Actor { thread, now, ..Actor::default() }
    }

    #[test]
    fn threads_know_what_they_or_their_predecessors_waited_for() {
        let mut regions = Regions::default();
        let number = regions.number();
        regions.add(Region::new(number, (BLOCK, 16..64), Role::Target, &actor(0, 1)));
        let conflict = |regions: &Regions, a: &Actor| regions.conflict(BLOCK, &(60..68), Role::Source, a).is_some();
        assert!(conflict(&regions, &actor(0, 2)), "even the thread that issued it");
        assert!(regions.conflict(BLOCK, &(64..68), Role::Source, &actor(0, 2)).is_none());
        regions.signal(number, &[(BLOCK, 0, 3)]);
        regions.observe((BLOCK, 0, 3), &actor(5, 3), true);
        assert!(conflict(&regions, &actor(5, 4)), "phase 3 is not over");
        regions.observe((BLOCK, 0, 4), &actor(5, 5), true);
        assert!(!conflict(&regions, &actor(5, 6)));
        assert!(conflict(&regions, &actor(40, 6)));
        assert!(!conflict(&regions, &Actor { block_sync: 5, ..actor(40, 7) }), "a barrier after the wait");
    }

    #[test]
    fn reductions_exclude_other_accesses_only() {
        let mut regions = Regions::default();
        let memory = Ground::Shared { index: 1, rank: 1 };
        regions.add(Region::new(1, (memory, 0..16), Role::Reduced, &actor(0, 1)));
        let found = |role| regions.conflict(memory, &(0..16), role, &actor(0, 2)).is_some();
        assert_eq!([Role::Reduced, Role::Source, Role::Target].map(found), [false, true, true]);
        assert!(regions.end(&[1]).is_some() && regions.is_empty());
    }
}
