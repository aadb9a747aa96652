//! The interface for observing a compilation.

use crate::program::Unit;
use crate::report::IrStepKind;
use raddle_jobs::Running;
use std::sync::Arc;
use std::time::Duration;

/// Observes the progress of a compilation.
pub trait Progress {
    /// Announces the number of units to compile and their total cost.
    fn planned(&mut self, units: usize, cost: u64);
    /// A unit has ended.
    fn ended(&mut self, unit: &Unit, wall: Duration, failed: bool);
    /// Announces a step of the compilation of LLVM IR, before [`Progress::planned`]: its tasks,
    /// the functions that they compile, 0 where these are not counted, and their total cost.
    fn step(&mut self, _step: IrStepKind, _tasks: usize, _functions: usize, _cost: u64) {}
    /// A task of the step has ended: its name, its functions, its cost.
    fn step_ended(&mut self, _name: &str, _functions: usize, _cost: u64, _wall: Duration, _failed: bool) {}
    /// These units or tasks are running now, the oldest first.
    fn running(&mut self, running: &[Arc<Running>]);
    /// So many units have been given to an engine of remote execution and are neither made nor given up.
    /// Called before [`Progress::running`], where there is an engine.
    fn elsewhere(&mut self, _units: usize) {}
    /// Whether to cancel the compilation (DRV-2). Called before the first unit, after each, and
    /// after each call of [`Progress::running`]. Running units then stop between two steps, and
    /// others do not begin: each is an error E0043, and there is no output. To cancel from another
    /// thread, keep a clone of [`RunOptions::cancel`](crate::options::RunOptions::cancel).
    fn is_cancelled(&mut self) -> bool {
        false
    }
}

/// Observes nothing.
impl Progress for () {
    fn planned(&mut self, _: usize, _: u64) {}
    fn ended(&mut self, _: &Unit, _: Duration, _: bool) {}
    fn running(&mut self, _: &[Arc<Running>]) {}
}
