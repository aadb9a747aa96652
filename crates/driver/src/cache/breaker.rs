//! Decides whether a remote store is still asked, and how long an answer may take.
//!
//! A build must not be slower with a bad server than without one by more than an announced bound. So all
//! time that requests take counts, that of hits too: what a hit saves is not known. A request may take
//! what is left of the budget, and at most the time limit of one. Once nothing is left, or [`IN_A_ROW`]
//! requests in a row have failed, nothing is asked for any more in this build. Writes have their own row
//! of failures: they cost no worker any time.
//!
//! **Invariant.** Requests of which each begins after the end of the one before take at most the budget
//! together, whatever the store does. So no worker waits longer than that.

use super::store::StoreError;
use std::time::Duration;

/// The number of failures in a row after which a store is given up.
pub const IN_A_ROW: u32 = 3;

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
    /// The time that requests may still take, of all workers together.
    left: Duration,
    failed_reads: u32,
    failed_writes: u32,
    /// The reason why nothing is read any more.
    pub no_reads: Option<String>,
    /// The reason why nothing is written any more.
    pub no_writes: Option<String>,
}

impl Breaker {
    /// `budget`: the time that requests may take.
    pub fn new(budget: Duration) -> Breaker {
        Breaker { left: budget, failed_reads: 0, failed_writes: 0, no_reads: None, no_writes: None }
    }

    /// The time that a request may take, if one may be made. `timeout`: the time limit of each.
    pub fn within(&self, timeout: Duration) -> Option<Duration> {
        let within = self.left.min(timeout);
        (self.no_reads.is_none() && !within.is_zero()).then_some(within)
    }

    /// Records a read.
    pub fn read(&mut self, took: Duration, how: &Read<'_>) {
        self.left = self.left.saturating_sub(took);
        if let Read::Failed(error) = how {
            self.failed_reads += 1;
            if is_final(error) || self.failed_reads >= IN_A_ROW {
                // What does not answer is not written to either.
                self.no_reads.get_or_insert_with(|| error.to_string());
                self.no_writes.get_or_insert_with(|| error.to_string());
            }
        } else {
            self.failed_reads = 0;
        }
        if self.left.is_zero() {
            self.no_reads.get_or_insert_with(|| "answers took the time that --cache-max-wait allows".to_owned());
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
    fn all_time_counts() {
        for how in [Read::Hit, Read::Miss, Read::Refused, Read::Failed(&failed())] {
            let mut breaker = Breaker::new(5 * SECOND);
            assert_eq!(breaker.within(3 * SECOND), Some(3 * SECOND));
            breaker.read(3 * SECOND, &how);
            assert_eq!(breaker.within(3 * SECOND), Some(2 * SECOND), "what is left: {how:?}");
            breaker.read(2 * SECOND, &how);
            assert_eq!(breaker.within(3 * SECOND), None, "{how:?}");
            let warning = "was not read any more: answers took the time that --cache-max-wait allows";
            assert_eq!(breaker.warning().as_deref(), Some(warning));
        }
        assert_eq!(Breaker::new(Duration::ZERO).within(SECOND), None);
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
