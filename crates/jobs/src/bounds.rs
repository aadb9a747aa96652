//! Lower bounds for any schedule, and the schedule of the pool for the same tasks.
//!
//! For times `t` on `m` machines no schedule is shorter than the greatest of: the sum of all times
//! over `m`; the longest time; and for each `k`, the sum of the `k+1` smallest among the `k*m+1`
//! longest, since `k+1` of those share a machine.

use crate::batches::batches;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// The greatest of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// All machines are busy to the end: more machines would help.
    Work,
    /// One task takes all the time: only a shorter task would help.
    Longest,
    /// There are more long tasks than machines: some machine runs several of them.
    Counting,
}

/// The lower bound of all schedules, and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The time.
    pub time: Duration,
    /// The reason.
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
    // Of equal bounds the first, and simplest, is reported.
    counting.fold(if longest.time > work.time { longest } else { work }, |best, next| {
        if next.time > best.time { next } else { best }
    })
}

/// The time of the pool's schedule for tasks of these costs and times on `machines` machines:
/// batches as made by [`crate::Config::batch`], the costliest first, each as soon as a machine is
/// free.
pub fn longest_first(costs: &[u64], times: &[Duration], batch: u64, machines: usize) -> Duration {
    let mut jobs: Vec<(u64, Duration)> = batches(costs, batch)
        .into_iter()
        .map(|tasks| {
            let cost = tasks.iter().fold(0_u64, |sum, &task| sum.saturating_add(costs[task]));
            (cost, tasks.iter().filter_map(|&task| times.get(task)).sum())
        })
        .collect();
    // Stable: equal costs stay in order of submission.
    jobs.sort_by_key(|job| Reverse(job.0));
    let mut free: BinaryHeap<Reverse<Duration>> = (0..machines.max(1)).map(|_| Reverse(Duration::ZERO)).collect();
    let mut end = Duration::ZERO;
    for (_, time) in jobs {
        let Reverse(at) = free.pop().unwrap_or_default();
        end = end.max(at + time);
        free.push(Reverse(at + time));
    }
    end
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
        let walls: Vec<Duration> = times.iter().map(|&t| Duration::from_millis(t)).collect();
        for machines in [1, 2, 3, 8, 32] {
            let (low, _) = bound(&times, machines);
            let made = longest_first(&times, &walls, 0, machines).as_millis() as u64;
            assert!(made >= low && made * 20 <= low * 21, "{machines} machines: {made} over {low}");
        }
    }

    #[test]
    fn batches_and_wrong_costs_cost_time() {
        let walls: Vec<Duration> = [8, 1, 1].map(Duration::from_millis).into();
        let made = |costs: &[u64], batch| longest_first(costs, &walls, batch, 2).as_millis();
        assert_eq!(made(&[8, 1, 1], 0), 8);
        // The long one comes last.
        assert_eq!(made(&[1, 5, 5], 0), 9);
        assert_eq!(made(&[8, 1, 1], 100), 10);
    }
}
