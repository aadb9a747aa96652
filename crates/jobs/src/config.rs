//! How a pool works.

use crate::cancel::CancelToken;
use crate::chaos::Chaos;
use crate::jobserver::Client;
use crate::memory::Budget;
use crate::server::Server;
use std::sync::Arc;
use std::time::Duration;

/// How a pool works. Nothing in it can reach a task's result, but a time limit that ends it.
#[derive(Clone, Debug)]
pub struct Config {
    /// Tasks at once; 0 means the CPUs available to this process.
    pub workers: usize,
    /// Stack of each worker, in bytes.
    pub stack: usize,
    /// Seeded disorder for tests.
    pub chaos: Option<Chaos>,
    /// Shown to every task; when it is cancelled, nothing more is begun.
    pub cancel: CancelToken,
    /// The parent make: each running task holds one of its tokens. `None` is as many as there are workers.
    pub jobserver: Option<Arc<Client>>,
    /// A task that runs longer is cancelled.
    pub time_limit: Option<Duration>,
    /// The coordinator wakes at least so often to show what runs; `None` is only when something happens.
    pub tick: Option<Duration>,
    /// Tasks that cost less are put together until they cost so much: a worker takes them at once.
    pub batch: u64,
    /// The memory that tasks may take together; `None` is any.
    pub memory: Option<Arc<Budget>>,
    /// Where tools that tasks start find slots that no task needs.
    pub server: Option<Arc<Server>>,
    /// Tasks and slots of tools at once, if that is more than there are workers.
    pub slots: usize,
    /// Note the times of steps within a task's own as well, such as passes.
    pub fine: bool,
    /// Told each step of a task as it begins, on the task's thread.
    pub on_step: Option<fn(&'static str)>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            workers: 0,
            stack: 16 << 20,
            chaos: None,
            cancel: CancelToken::new(),
            jobserver: None,
            time_limit: None,
            tick: None,
            batch: 0,
            memory: None,
            server: None,
            slots: 0,
            fine: false,
            on_step: None,
        }
    }
}

impl Config {
    /// The number of workers for `units` tasks: never more than there are tasks, at least one.
    pub fn workers_for(&self, units: usize) -> usize {
        let asked = if self.workers == 0 { crate::cpus::available() } else { self.workers };
        asked.min(units).max(1)
    }
}
