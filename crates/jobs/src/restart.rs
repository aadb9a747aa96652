//! Restart after a crash: the process replaces itself by another run of its program, which is told
//! what crashed.
//!
//! **Problem.** A stack overflow, a failed allocation or an invalid memory access ends the process,
//! and with it the work of all other threads; the process cannot be repaired from inside.
//! **Strategy.** A supervising second process would have to forward signals and count tokens, so
//! there is none. Instead the thread that handles signals is notified of the crash while the
//! crashed thread is stopped, returns tokens and removes temporaries as for any other signal, and
//! then executes the program again in the same process: same number, same parent, same descriptors.
//! The new run is told which work crashed and runs it in a separate process (decision D13).
//!
//! **Invariants.** The new run uses nothing of the crashed one except what [`arm`]'s function put
//! into the command. A crash outside repeatable work ends the process by its signal.

use crate::at_exit;
use crate::lock::lock;
use crate::sys::handlers;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Mutex;

/// Work that crashes this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The number given to [`Work::begin`].
    pub work: u32,
    /// The signal; `None` for work that hangs.
    pub signal: Option<i32>,
}

/// Makes the command that replaces this process; `None` if another run would not help.
type Plan = Box<dyn FnMut(Crash) -> Option<Command> + Send>;

static PLAN: Mutex<Option<Plan>> = Mutex::new(None);

/// Enables restarts after a crash. The function is called on another thread, at most a few times.
pub fn arm(plan: impl FnMut(Crash) -> Option<Command> + Send + 'static) {
    *lock(&PLAN) = Some(Box::new(plan));
}

/// Disables restarts: what follows cannot be repeated.
pub fn disarm() {
    *lock(&PLAN) = None;
}

/// Marks the calling thread as doing repeatable work, until dropped.
#[derive(Debug)]
#[must_use = "the work ends when this is dropped"]
pub struct Work {
    outer: u32,
}

impl Work {
    /// Begins work number `number`, which is less than `u32::MAX`.
    pub fn begin(number: u32) -> Work {
        Work { outer: handlers::set_work(number) }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        handlers::set_work(self.outer);
    }
}

/// Restarts the program because of work that hangs. Returns only if that fails.
pub fn abandon(work: u32) {
    if let Some(command) = command(Crash { work, signal: None }) {
        at_exit::run_exit_actions(|| execute(command));
    }
}

/// Restarts the program after a crash, once everything has been returned. Returns only if that
/// fails.
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
    at_exit::write_last_message(&format!("cannot run again: {error}"));
}
