//! Configuration of a pool.

use crate::cancel::CancelToken;
use crate::chaos::Chaos;
use crate::jobserver::Client;
use crate::memory::Budget;
use crate::server::Server;
use std::sync::Arc;
use std::time::Duration;

/// Configuration of a pool. It cannot affect the result of a task, except for the time limit.
#[derive(Clone, Debug)]
pub struct Config {
    /// Tasks at once; 0 means the number of CPUs available to this process.
    pub workers: usize,
    /// The stack size of each worker, in bytes.
    pub stack: usize,
    /// Seeded disorder for tests.
    pub chaos: Option<Chaos>,
    /// Passed to every task; once it is cancelled, no task is started.
    pub cancel: CancelToken,
    /// The parent make: each running task holds one of its tokens. Without one, as many tasks may
    /// run as there are workers.
    pub jobserver: Option<Arc<Client>>,
    /// The time after which a task is cancelled.
    pub time_limit: Option<Duration>,
    /// The longest interval between progress reports of the coordinator; `None` reports only
    /// events.
    pub tick: Option<Duration>,
    /// Tasks of lower cost are batched up to this cost; a worker takes a batch at once.
    pub batch: u64,
    /// The memory that tasks may use together; `None` is unlimited.
    pub memory: Option<Arc<Budget>>,
    /// Lends idle slots to tools that tasks start.
    pub server: Option<Arc<Server>>,
    /// The most tasks and tool slots at once, if more than the number of workers.
    pub slots: usize,
    /// Tasks may wait for something outside: workers are kept for what is left of them.
    pub suspends: bool,
    /// Records the times of steps within a task's own steps, such as passes.
    pub fine: bool,
    /// Called at the start of each step of a task, on the task's thread.
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
            suspends: false,
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
