//! Steps of a task, and the clocks that measure them.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// A step of a task.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Its name.
    pub name: &'static str,
    /// When it began.
    pub begun: Instant,
    /// Its duration.
    pub wall: Duration,
    /// Whether it is a step within one of the task's own, such as a pass.
    pub fine: bool,
}

/// The steps a task has marked, in the order in which they ended.
pub type Phases = Vec<Phase>;

/// CPU time the calling thread has used.
pub fn thread_cpu() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

/// Reads a clock of the system.
pub(crate) fn time_of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}
