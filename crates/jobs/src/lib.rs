//! Task pool, GNU make job tokens, cancellation and the timeline of tasks.
//!
//! # The protocol, from a task's submission to its result
//!
//! 1. The coordinator (the main thread) submits a task with a priority to a [`Pool`]; tiny tasks
//!    are batched. The task enters the [`Queue`](queue::Queue): highest priority first, equal
//!    priorities in order of submission.
//! 2. A worker is started only if no worker is idle, the limit is not reached and a *permit* is
//!    free. A permit allows one task to run: it is the implicit slot of the process, or a token of
//!    the parent make.
//! 3. A worker takes the best task while fewer tasks run than permits are held, runs it and catches
//!    panics, puts the outcome into the finished list, and rings the coordinator's doorbell.
//! 4. The coordinator sleeps in one `poll`: on the doorbell, which workers and a cancellation ring,
//!    on the jobserver while a task could start and no permit is free, and until the next deadline
//!    (the end of a token's turn, the time limit of a task, a progress report). A separate thread
//!    handles signals ([`signals`]). Outcomes arrive in any order; callers restore input order by
//!    task number.
//! 5. Once everything is submitted the queue is sealed: a worker that finds no task ends, and its
//!    token is returned.
//! 6. A task that waits for something outside ([`TaskResult::Waits`]) is suspended: it holds no
//!    worker, permit or memory. Once that is complete, which rings the doorbell, the coordinator
//!    queues the rest before all other tasks; workers end only after the last suspended task.
//! 7. Idle slots may be lent to tools that tasks have started ([`server`]).
//! 8. Dropping the pool discards queued and suspended tasks, lets running ones finish, and joins
//!    every worker.
//!
//! **Invariants.** At most `permits` tasks run, less those lent; `permits <= workers + 1` where
//! none is lent; each part of a task runs at most once; every submitted task gives exactly one outcome. The
//! accounting of 1 to 3 is in [`queue`] alone and is explored exhaustively under loom
//! (`tests/loom.rs`); all synchronization goes through one facade.
#![deny(unsafe_code)]

#[cfg(not(loom))]
mod at_exit;
#[cfg(not(loom))]
mod batches;
#[cfg(not(loom))]
pub mod bounds;
pub mod cancel;
pub mod chaos;
#[cfg(not(loom))]
pub mod children;
#[cfg(not(loom))]
mod completion;
#[cfg(not(loom))]
mod config;
pub mod cpus;
#[cfg(not(loom))]
mod doorbell;
#[cfg(not(loom))]
pub mod jobserver;
pub mod lock;
#[cfg(not(loom))]
pub mod memory;
pub mod panics;
#[cfg(not(loom))]
mod phases;
#[cfg(not(loom))]
pub mod pool;
pub mod queue;
#[cfg(not(loom))]
pub mod restart;
#[cfg(not(loom))]
pub mod server;
#[cfg(not(loom))]
pub mod shared;
#[cfg(not(loom))]
pub mod signals;
#[cfg(not(loom))]
mod small_files;
mod sync;
#[cfg(not(loom))]
pub mod sys;
#[cfg(not(loom))]
pub mod task;
#[cfg(not(loom))]
pub mod timeline;
#[cfg(not(loom))]
pub mod tokens;

#[cfg(all(test, feature = "shuttle"))]
mod random_schedules;

pub use cancel::CancelToken;
pub use chaos::Chaos;
#[cfg(not(loom))]
pub use completion::Completion;
#[cfg(not(loom))]
pub use pool::{Body, Config, Event, Finished, Outcome, Part, Pool, Running, Task, TaskId, TaskResult};
#[cfg(not(loom))]
pub use task::Steps;
