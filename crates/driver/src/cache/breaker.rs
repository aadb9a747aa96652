//! Decides whether a remote store is still asked.
//!
//! A build must not be slower with a bad server than without one by more than an announced bound. So
//! time that requests take without a use counts: that of a miss, of a failure, of an answer that is
//! refused, and what a hit takes beyond [`FAIR`]. Once the sum over all workers exceeds the budget, or
//! [`IN_A_ROW`] requests in a row have failed, nothing is asked for any more in this build. Writes have
//! their own row of failures: they cost no worker any time.

use super::store::StoreError;
use std::time::Duration;

/// The number of failures in a row after which a store is given up.
pub const IN_A_ROW: u32 = 3;

/// The time that a hit may take for free: about that of the compilation of a small kernel.
pub const FAIR: Duration = Duration::from_millis(100);

/// How a read ended.
#[derive(Debug)]
pub(super) enum Read<'a> {
    /// With an entry of this many bytes.
    Hit,
    /// Without an entry.
    Miss,
    /// With bytes that are not the entry of this key.
    Refused,
    /// With an error.
    Failed(&'a StoreError),
}

/// What a build knows of its remote store.
#[derive(Debug)]
pub(super) struct Breaker {
    budget: Duration,
    /// The time that requests took without a use, of all workers together.
    pub lost: Duration,
    failed_reads: u32,
    failed_writes: u32,
    /// The reason why nothing is read any more.
    pub no_reads: Option<String>,
    /// The reason why nothing is written any more.
    pub no_writes: Option<String>,
}

impl Breaker {
    /// `budget`: the time that may be lost.
    pub fn new(budget: Duration) -> Breaker {
        let (lost, no_reads, no_writes) = (Duration::ZERO, None, None);
        Breaker { budget, lost, failed_reads: 0, failed_writes: 0, no_reads, no_writes }
    }

    /// Records a read.
    pub fn read(&mut self, took: Duration, how: &Read<'_>) {
        self.lost += if matches!(how, Read::Hit) { took.saturating_sub(FAIR) } else { took };
        let Read::Failed(error) = how else {
            self.failed_reads = 0;
            if self.lost > self.budget && self.no_reads.is_none() {
                let lost = self.lost.as_secs_f64();
                self.no_reads = Some(format!("answers without a use took {lost:.1} s (--cache-max-wait)"));
            }
            return;
        };
        self.failed_reads += 1;
        if is_final(error) || self.failed_reads >= IN_A_ROW || self.lost > self.budget {
            self.no_reads.get_or_insert_with(|| error.to_string());
            // What does not answer is not written to either.
            self.no_writes.get_or_insert_with(|| error.to_string());
        }
    }

    /// Records a write.
    pub fn write(&mut self, done: &Result<(), StoreError>) {
        let Err(error) = done else {
            self.failed_writes = 0;
            return;
        };
        self.failed_writes += 1;
        if is_final(error) || self.failed_writes >= IN_A_ROW {
            self.no_writes.get_or_insert_with(|| error.to_string());
        }
    }

    /// What to warn of, once at the end of the build.
    pub fn warning(&self) -> Option<String> {
        match (&self.no_reads, &self.no_writes) {
            (None, None) => None,
            (Some(reads), None) => Some(format!("was not read any more: {reads}")),
            (None, Some(writes)) => Some(format!("was not written any more: {writes}")),
            (Some(reads), Some(writes)) if reads == writes => Some(format!("was not used any more: {reads}")),
            (Some(reads), Some(writes)) => {
                Some(format!("was not read any more: {reads}; and not written any more: {writes}"))
            }
        }
    }
}

/// Whether the next request will end as this one did.
fn is_final(error: &StoreError) -> bool {
    matches!(error, StoreError::Refused(_) | StoreError::Unsupported(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn failed() -> StoreError {
        StoreError::Failed("connection refused".to_owned())
    }

    #[test]
    fn three_failures_in_a_row_end_it() {
        let mut breaker = Breaker::new(100 * SECOND);
        for how in [Read::Failed(&failed()), Read::Failed(&failed()), Read::Miss, Read::Failed(&failed())] {
            breaker.read(Duration::ZERO, &how);
        }
        breaker.read(Duration::ZERO, &Read::Failed(&failed()));
        assert_eq!((&breaker.no_reads, breaker.warning()), (&None, None));
        breaker.read(Duration::ZERO, &Read::Failed(&failed()));
        assert_eq!(breaker.warning().as_deref(), Some("was not used any more: connection refused"));
    }

    #[test]
    fn time_without_a_use_ends_it() {
        for how in [Read::Miss, Read::Refused, Read::Failed(&failed())] {
            let mut breaker = Breaker::new(2 * SECOND);
            breaker.read(SECOND, &how);
            breaker.read(SECOND, &how);
            assert_eq!(breaker.no_reads, None, "{how:?}");
            breaker.read(Duration::from_millis(1), &how);
            assert!(breaker.no_reads.is_some(), "{how:?}");
        }
        let mut breaker = Breaker::new(2 * SECOND);
        (0..1000).for_each(|_| breaker.read(FAIR, &Read::Hit));
        assert_eq!((breaker.lost, &breaker.no_reads), (Duration::ZERO, &None), "fast hits are free");
        breaker.read(FAIR + 3 * SECOND, &Read::Hit);
        assert_eq!(breaker.lost, 3 * SECOND);
        assert!(breaker.no_reads.is_some() && breaker.no_writes.is_none());
        assert!(breaker.warning().unwrap().starts_with("was not read any more: answers without a use took 3.0 s"));
    }

    #[test]
    fn a_refusal_to_write_leaves_the_reads() {
        let mut breaker = Breaker::new(SECOND);
        breaker.write(&Err(failed()));
        breaker.write(&Err(failed()));
        breaker.write(&Ok(()));
        breaker.write(&Err(failed()));
        assert_eq!(breaker.warning(), None);
        breaker.write(&Err(StoreError::Refused("status 405".to_owned())));
        assert_eq!(breaker.no_reads, None);
        assert_eq!(breaker.warning().as_deref(), Some("was not written any more: refused: status 405"));
    }
}
