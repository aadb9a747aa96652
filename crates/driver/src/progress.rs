//! Who watches a compilation.

use crate::program::Unit;
use raddle_jobs::Running;
use std::sync::Arc;
use std::time::Duration;

/// Sees the work go on.
pub trait Progress {
    /// So many units will be compiled, of this cost together.
    fn planned(&mut self, units: usize, cost: u64);
    /// A unit has ended.
    fn ended(&mut self, unit: &Unit, wall: Duration, failed: bool);
    /// These run now, the oldest first.
    fn running(&mut self, running: &[Arc<Running>]);
    /// Whether the compilation shall end early (DRV-2). Asked before the first unit, after each, and each time that
    /// [`Progress::running`] was called. Units that run then stop between two steps, others do not begin: each is an error
    /// E0043, and there is no output. To cancel from another thread, keep a clone of [`RunOptions::cancel`](crate::options::RunOptions::cancel).
    fn is_cancelled(&mut self) -> bool {
        false
    }
}

/// Sees nothing.
impl Progress for () {
    fn planned(&mut self, _: usize, _: u64) {}
    fn ended(&mut self, _: &Unit, _: Duration, _: bool) {}
    fn running(&mut self, _: &[Arc<Running>]) {}
}
