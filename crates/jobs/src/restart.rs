//! Going on after a crash: the process replaces itself by another run of its program, which knows what has crashed.
//!
//! **Problem.** A stack overflow, a failed allocation or a stray access ends a whole process, with it the work of all other
//! threads, and nobody can mend such a process from inside. **Strategy.** No second process watches the first one, which
//! would have to pass on signals and count tokens. Instead the thread that handles signals hears of the crash while the
//! crashed thread stands still, gives back tokens and removes temporaries as for any other signal, and then executes the
//! program anew in the same process: same number, same parent, same descriptors. The new run is told which work has crashed
//! and does that in a process apart (decision D13).
//!
//! **Invariants.** Nothing of the crashed run is used by the new one but what [`arm`]'s function put into the command.
//! A crash outside of repeatable work ends the process by its signal.

use crate::at_exit;
use crate::lock::lock;
use crate::sys::handlers;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Mutex;

/// Work that cannot be done in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The number given to [`Work::begin`].
    pub work: u32,
    /// The signal; `None` for work that does not end.
    pub signal: Option<i32>,
}

/// Makes the command that takes the place of this process; `None` if there is no point in another run.
type Plan = Box<dyn FnMut(Crash) -> Option<Command> + Send>;

static PLAN: Mutex<Option<Plan>> = Mutex::new(None);

/// Says how the program is run again after a crash. The function is called on another thread, at most a few times.
pub fn arm(plan: impl FnMut(Crash) -> Option<Command> + Send + 'static) {
    *lock(&PLAN) = Some(Box::new(plan));
}

/// No other run any more: what follows cannot be repeated.
pub fn disarm() {
    *lock(&PLAN) = None;
}

/// The calling thread does repeatable work of this number as long as this lives.
#[derive(Debug)]
#[must_use = "the work ends when this is dropped"]
pub struct Work {
    outer: u32,
}

impl Work {
    /// Work number `number`, which is less than `u32::MAX`.
    pub fn begin(number: u32) -> Work {
        Work { outer: handlers::set_work(number) }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        handlers::set_work(self.outer);
    }
}

/// Runs the program again because of work that does not end. Returns only if that cannot be done.
pub fn abandon(work: u32) {
    if let Some(command) = command(Crash { work, signal: None }) {
        at_exit::leave(|| execute(command));
    }
}

/// Runs the program again after a crash, once everything has been given back. Returns only if that cannot be done.
pub(crate) fn after_crash(work: u32, signal: i32) {
    if work != handlers::NO_WORK
        && let Some(command) = command(Crash { work, signal: Some(signal) })
    {
        execute(command);
    }
}

fn command(crash: Crash) -> Option<Command> {
    lock(&PLAN).as_mut().and_then(|plan| plan(crash))
}

fn execute(mut command: Command) {
    let error = command.exec();
    at_exit::complain(&format!("cannot run again: {error}"));
}
