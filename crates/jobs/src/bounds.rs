//! What no schedule can beat, to judge one by.
//!
//! For times `t` on `m` machines no schedule ends before the greatest of: the sum of all times over `m`; the longest time;
//! and for each `k`, the sum of the `k+1` smallest among the `k*m+1` longest, since `k+1` of those share
//! a machine.

use std::time::Duration;

/// Which bound is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// All machines are busy to the end: more of them would help.
    Work,
    /// One task takes as long as everything: only a shorter one would help.
    Longest,
    /// So many long tasks that some machine gets several of them.
    Counting,
}

/// The time that no schedule beats, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The time.
    pub time: Duration,
    /// Why.
    pub reason: Reason,
}

/// The lower bound for these times on `machines` machines (at least one).
pub fn lower(times: &[Duration], machines: usize) -> Bound {
    let m = machines.max(1);
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    // sums[i] is the sum of the i longest.
    let mut sums = vec![Duration::ZERO];
    sums.extend(sorted.iter().scan(Duration::ZERO, |sum, &time| {
        *sum += time;
        Some(*sum)
    }));
    let sum = sums[sorted.len()];
    let work = Bound { time: sum / u32::try_from(m).unwrap_or(u32::MAX), reason: Reason::Work };
    let longest = Bound { time: sorted.first().copied().unwrap_or_default(), reason: Reason::Longest };
    let counting = (1..=times.len().saturating_sub(1) / m).map(|k| {
        let end = k * m + 1;
        Bound { time: sums[end] - sums[end - k - 1], reason: Reason::Counting }
    });
    // Of equal bounds the first, and simplest, is named.
    counting.fold(if longest.time > work.time { longest } else { work }, |best, next| {
        if next.time > best.time { next } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(times: &[u64], machines: usize) -> (u64, Reason) {
        let times: Vec<Duration> = times.iter().map(|&t| Duration::from_millis(t)).collect();
        let bound = lower(&times, machines);
        (bound.time.as_millis() as u64, bound.reason)
    }

    #[test]
    fn each_bound_can_be_the_greatest() {
        assert_eq!(bound(&[4, 4, 4, 4], 2), (8, Reason::Work));
        assert_eq!(bound(&[9, 1, 1], 2), (9, Reason::Longest));
        // Three equal tasks on two machines: two of them share one.
        assert_eq!(bound(&[5, 5, 5], 2), (10, Reason::Counting));
        assert_eq!(bound(&[], 3), (0, Reason::Work));
        assert_eq!(bound(&[7, 2], 0), (9, Reason::Work));
    }

    #[test]
    fn longest_first_is_close_to_the_bound() {
        let times: Vec<u64> = (0..200_u64).map(|i| 1 + (i * 7919 % 101) * (i * 104_729 % 13)).collect();
        for machines in [1, 2, 3, 8, 32] {
            let mut sorted = times.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let mut loads = vec![0; machines];
            for time in sorted {
                *loads.iter_mut().min().unwrap() += time;
            }
            let (low, _) = bound(&times, machines);
            let made = loads.into_iter().max().unwrap();
            assert!(made >= low && made * 20 <= low * 21, "{machines} machines: {made} over {low}");
        }
    }
}
