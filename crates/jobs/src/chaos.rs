//! Seeded disorder: with `RADDLE_CHAOS=seed` tasks start in random order and are delayed randomly,
//! so that tests can show that neither affects the output (decision D20).

use std::time::Duration;

/// A source of disorder: a pure function of its seed and of task numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chaos {
    seed: u64,
}

impl Chaos {
    /// Creates the disorder for a seed.
    pub fn new(seed: u64) -> Chaos {
        Chaos { seed }
    }

    /// The priority that replaces a task's own.
    pub fn priority(self, task: u64) -> u64 {
        self.hash(task, 1)
    }

    /// The delays of a task before its start and after its end: 0 to 2 ms each, mostly 0.
    pub fn delays(self, task: u64) -> (Duration, Duration) {
        let delay = |salt| match self.hash(task, salt) {
            bits if bits & 3 == 0 => Duration::from_micros((bits >> 8) % 2000),
            _ => Duration::ZERO,
        };
        (delay(2), delay(3))
    }

    /// SplitMix64 over seed, task and salt.
    fn hash(self, task: u64, salt: u64) -> u64 {
        let mut z = self.seed.wrapping_add(task.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(salt << 56);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ_and_repeat() {
        let order = |seed| {
            let mut tasks: Vec<u64> = (0..20).collect();
            tasks.sort_by_key(|&task| Chaos::new(seed).priority(task));
            tasks
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        assert!((0..1000).all(|task| Chaos::new(3).delays(task).0 < Duration::from_millis(2)));
        assert!((0..1000).any(|task| Chaos::new(3).delays(task).0 > Duration::ZERO));
    }
}
