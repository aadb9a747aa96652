//! Reordering of memory operations of one thread: the rules of every pass and both schedulers
//! (D33).
//!
//! **Facts** (PTX ISA 9.0, 8): weak accesses of different threads to the same bytes must be ordered
//! by synchronisation, or the program has a data race. Between two synchronisations of a thread its
//! weak accesses may therefore be merged, forwarded and moved as in a single-threaded program.
//! *Strong* operations (relaxed, acquire, release, volatile, memory-mapped) may be observed by
//! other threads at any time. An acquire pattern orders what follows it, a release pattern what
//! precedes it; fences and barriers are both (8.7). Volatile accesses are always performed and keep
//! their order (9.7.9.8, 9.7.9.11).
//!
//! **Stricter than the model.** Strong operations keep their order even where their bytes differ
//! and both are only relaxed: warp-synchronous programs (reductions over volatile shared memory)
//! rely on it, and ptxas 13.0.88 keeps it. `ld.cv` and `st.wt` count as volatile: the manual calls
//! cache operators hints (9.7.9.1), and ptxas 13.0.88 moves `ld.cv` out of a loop that polls with
//! it, which then never ends.
//!
//! [`may_swap`] decides, as a conjunction of the [`Rules`]. Each rule can be left out, so that
//! tests can show that it is needed.

use crate::op::Op;
use crate::types::{Cache, Mem, Order, Space};

/// How an operation is ordered with other memory operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Only with accesses to its own bytes.
    #[default]
    Weak,
    /// Performed exactly once, and in order with all operations that are not weak: relaxed,
    /// volatile, memory-mapped accesses, relaxed atomics.
    Strong,
    /// `Strong`, and what follows it stays after it.
    Acquire,
    /// `Strong`, and what precedes it stays before it.
    Release,
    /// `Acquire` and `Release`: fences, barriers, waits for other threads, atomics with both.
    Both,
}

impl Strength {
    /// Returns the strength of an access with this order.
    pub const fn of(order: Order) -> Strength {
        match order {
            Order::Weak => Strength::Weak,
            Order::Volatile | Order::Relaxed | Order::Mmio => Strength::Strong,
            Order::Acquire => Strength::Acquire,
            Order::Release => Strength::Release,
            Order::AcqRel | Order::Sc => Strength::Both,
        }
    }

    /// Whether what follows it stays after it.
    pub const fn acquires(self) -> bool {
        matches!(self, Strength::Acquire | Strength::Both)
    }

    /// Whether what precedes it stays before it.
    pub const fn releases(self) -> bool {
        matches!(self, Strength::Release | Strength::Both)
    }
}

impl Mem {
    /// Returns the strength of a load or store.
    pub const fn strength(&self) -> Strength {
        match self.cache {
            Cache::Cv | Cache::Wt => Strength::Strong,
            _ => Strength::of(self.order),
        }
    }

    /// Whether it may be merged, moved or removed.
    pub const fn is_weak(&self) -> bool {
        matches!(self.strength(), Strength::Weak)
    }
}

/// Returns the strength of an operation; `None` if it does not take part in memory order.
pub const fn strength(op: &Op) -> Option<Strength> {
    Some(match op {
        Op::Load(m) if matches!(m.space, Space::Param | Space::Const) => return None,
        Op::Load(m) | Op::Store(m) => m.strength(),
        // An atomic is performed once whatever its order (PTX ISA 9.0, 9.7.13.3: relaxed if nothing
        // is written).
        Op::Atom(a) | Op::Red(a) | Op::LoadReduce(a, _) => match Strength::of(a.order) {
            Strength::Weak => Strength::Strong,
            strength => strength,
        },
        Op::LdMatrix(..) | Op::SurfLoad(_) | Op::SurfStore(_) => Strength::Weak,
        Op::SurfRed(_) => Strength::Strong,
        Op::StMatrix(..) | Op::DiscardLine => Strength::Weak,
        // The copy itself happens later, at a time that other operations determine.
        Op::CpAsync(..) | Op::CpAsyncCommit | Op::CpAsyncWait(_) => Strength::Both,
        Op::Bulk(_) | Op::Tensor(_) | Op::BulkCommit | Op::BulkWait(..) | Op::TensorMap(_) => Strength::Both,
        Op::StoreAsync(_) | Op::RedAsync(..) | Op::Mbar(_) | Op::ClusterBar(_) => Strength::Both,
        Op::Bar(_) | Op::Fence(..) | Op::FenceAsync(_) | Op::WarpSync | Op::GridDepWait | Op::GridDepLaunch => {
            Strength::Both
        }
        // A product reads shared memory at some moment before the wait.
        Op::Wgmma(_) | Op::WgmmaCommit | Op::WgmmaWait(..) => Strength::Both,
        Op::Call(_) | Op::CallAt | Op::Trap | Op::Brkpt => Strength::Both,
        _ => return None,
    })
}

/// A memory operation as [`may_swap`] sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// How it is ordered.
    pub strength: Strength,
    /// Whether it writes memory.
    pub writes: bool,
    /// Whether no other thread can access its bytes: local memory.
    pub private: bool,
}

/// A set of ordering rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules(u8);

impl Rules {
    /// Accesses that may share a byte stay in order if one of them writes, or if one is strong
    /// (coherence).
    pub const BYTES: Rules = Rules(1);
    /// Strong operations stay in order.
    pub const STRONG: Rules = Rules(2);
    /// What follows an acquire stays after it, except accesses to private memory.
    pub const ACQUIRE: Rules = Rules(4);
    /// What precedes a release stays before it, except accesses to private memory.
    pub const RELEASE: Rules = Rules(8);
    /// All rules, with their names.
    pub const LIST: [(&'static str, Rules); 4] =
        [("bytes", Rules::BYTES), ("strong", Rules::STRONG), ("acquire", Rules::ACQUIRE), ("release", Rules::RELEASE)];
    /// All rules.
    pub const ALL: Rules = Rules(15);

    /// Returns the rules without those of `other`.
    #[must_use]
    pub const fn without(self, other: Rules) -> Rules {
        Rules(self.0 & !other.0)
    }

    const fn has(self, rule: Rules) -> bool {
        self.0 & rule.0 != 0
    }
}

/// Whether two operations of a thread, `first` before `second`, may be swapped. `overlap`: they may
/// share a byte.
///
/// The operations must be adjacent; an operation may move past several if it may pass each of them.
pub fn may_swap(first: Event, second: Event, overlap: bool) -> bool {
    may_swap_by(Rules::ALL, first, second, overlap)
}

/// Decides by some of the rules only, for tests that show the need for a rule.
pub fn may_swap_by(rules: Rules, first: Event, second: Event, overlap: bool) -> bool {
    let (strong, strong_too) = (!matches!(first.strength, Strength::Weak), !matches!(second.strength, Strength::Weak));
    if rules.has(Rules::BYTES) && overlap && (first.writes || second.writes || strong || strong_too) {
        return false;
    }
    if rules.has(Rules::STRONG) && strong && strong_too {
        return false;
    }
    if rules.has(Rules::ACQUIRE) && first.strength.acquires() && (!second.private || strong_too) {
        return false;
    }
    !(rules.has(Rules::RELEASE) && second.strength.releases() && (!first.private || strong))
}

#[cfg(test)]
mod tests {
    use super::{Event, Rules, Strength, may_swap, may_swap_by};

    const STRENGTHS: [Strength; 5] =
        [Strength::Weak, Strength::Strong, Strength::Acquire, Strength::Release, Strength::Both];

    fn event(strength: Strength, writes: bool) -> Event {
        Event { strength, writes, private: false }
    }

    #[test]
    fn weak_accesses_are_bound_by_their_bytes_alone() {
        for (w1, w2) in [(false, false), (false, true), (true, false), (true, true)] {
            let (a, b) = (event(Strength::Weak, w1), event(Strength::Weak, w2));
            assert!(may_swap(a, b, false));
            assert_eq!(may_swap(a, b, true), !w1 && !w2);
        }
    }

    #[test]
    fn strong_operations_keep_their_order() {
        for first in STRENGTHS.into_iter().skip(1) {
            for second in STRENGTHS.into_iter().skip(1) {
                assert!(!may_swap(event(first, true), event(second, false), false), "{first:?} {second:?}");
            }
        }
        // Weak accesses may pass relaxed and volatile ones to other bytes.
        assert!(may_swap(event(Strength::Weak, true), event(Strength::Strong, true), false));
        assert!(may_swap(event(Strength::Strong, false), event(Strength::Weak, false), false));
        assert!(!may_swap(event(Strength::Strong, false), event(Strength::Weak, false), true));
    }

    #[test]
    fn acquire_and_release_are_one_way() {
        for writes in [false, true] {
            let weak = event(Strength::Weak, writes);
            assert!(!may_swap(event(Strength::Acquire, false), weak, false));
            assert!(may_swap(weak, event(Strength::Acquire, false), false));
            assert!(!may_swap(weak, event(Strength::Release, true), false));
            assert!(may_swap(event(Strength::Release, true), weak, false));
            assert!(!may_swap(event(Strength::Both, false), weak, false));
            assert!(!may_swap(weak, event(Strength::Both, false), false));
        }
    }

    #[test]
    fn private_memory_is_ordered_by_its_bytes_alone() {
        let local = Event { strength: Strength::Weak, writes: true, private: true };
        for strength in STRENGTHS {
            assert!(may_swap(local, event(strength, true), false) && may_swap(event(strength, true), local, false));
        }
        let volatile = Event { strength: Strength::Strong, ..local };
        assert!(!may_swap(volatile, event(Strength::Both, false), false));
    }

    #[test]
    fn every_rule_forbids_something_that_no_other_forbids() {
        for (name, rule) in Rules::LIST {
            let mut alone = false;
            for (b1, b2) in STRENGTHS.into_iter().flat_map(|a| STRENGTHS.map(|b| (a, b))) {
                for bits in 0..8 {
                    let (a, b) = (event(b1, bits & 1 != 0), event(b2, bits & 2 != 0));
                    alone |=
                        !may_swap(a, b, bits & 4 != 0) && may_swap_by(Rules::ALL.without(rule), a, b, bits & 4 != 0);
                }
            }
            assert!(alone, "{name}");
        }
    }
}
