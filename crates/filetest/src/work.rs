//! The work of a test: the CPU time of its thread, which other programs on the machine do not
//! affect.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// CPU time of this thread since its start.
pub fn of_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// Fails if this thread has worked for longer than `limit` since `before`: a bound on work that
/// also holds on a busy machine.
///
/// # Panics
/// If it has.
pub fn assert_below(limit: Duration, before: Duration, what: &str) {
    let spent = of_thread().saturating_sub(before);
    assert!(spent < limit, "{what}: {spent:?} of work, allowed are {limit:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_no_work_and_work_is() {
        let before = of_thread();
        std::thread::sleep(Duration::from_millis(50));
        assert_below(Duration::from_millis(50), before, "sleep");
        while of_thread() - before < Duration::from_millis(5) {
            std::hint::black_box(0);
        }
        assert!(std::panic::catch_unwind(|| assert_below(Duration::from_millis(5), before, "a loop")).is_err());
    }
}
