//! The number of workers, the jobserver for tools, and the configuration of the pool.

use crate::link::Threads;
use crate::options::RunOptions;
use crate::request::Request;
use raddle_entity::{Executor, Serial};
use raddle_jobs::Config;
use raddle_jobs::lock::lock;
use raddle_jobs::memory::Budget;
use raddle_jobs::server::Server;
use raddle_jobs::timeline::Timeline;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of units that may run at once, and its source.
pub(crate) fn number(run: &RunOptions, units: usize) -> (usize, String) {
    let by = run.jobs_source.name();
    if run.jobs == 1 && units > 0 {
        // Whatever the CPUs: a tool that is started for each kernel reads no file to count them.
        return (1, by.to_owned());
    }
    let cpus = raddle_jobs::cpus::available();
    let (asked, why) = match run.jobs {
        0 => (cpus, "the CPUs available".to_owned()),
        // For seeded disorder, more workers than CPUs are useful.
        jobs if jobs <= cpus || run.chaos.is_some() => (jobs, by.to_owned()),
        jobs => (cpus, format!("the available CPUs, fewer than {by} ({jobs})")),
    };
    if units < asked { (units.max(1), "the number of units".to_owned()) } else { (asked, why) }
}

/// Bytes of text for which one more thread is worth starting: a survey of them takes about two
/// milliseconds.
const TEXT: usize = 1 << 20;

/// Threads for the work on this many bytes of text before units are known; only the calling thread for
/// a small text.
pub(crate) fn of_text(run: &RunOptions, bytes: usize) -> Shared {
    let workers = if bytes < 2 * TEXT { 1 } else { number(run, bytes / TEXT).0 };
    let threads: Box<dyn Executor> = if workers < 2 {
        Box::new(Serial)
    } else {
        let (cancel, jobserver) = (run.cancel.clone(), run.jobserver.clone());
        Box::new(Threads::new(Config { workers, cancel, jobserver, ..Config::default() }))
    };
    Shared { threads, spans: Mutex::default() }
}

/// Threads whose work is recorded.
pub(crate) struct Shared {
    threads: Box<dyn Executor>,
    /// Start and duration of each piece of work.
    spans: Mutex<Vec<(Instant, Duration)>>,
}

impl Shared {
    /// Writes the work to a timeline.
    pub fn record(self, name: &'static str, timeline: &mut Timeline) {
        let spans = self.spans.into_inner().unwrap_or_else(PoisonError::into_inner);
        spans.into_iter().for_each(|(begun, wall)| timeline.shared_phase(name, begun, wall));
    }
}

impl Executor for Shared {
    fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
        let begun = Instant::now();
        self.threads.run(n, piece);
        lock(&self.spans).push((begun, begun.elapsed()));
    }
}

/// A jobserver for tools that compile kernels, if any are used and there is a slot to lend.
fn server(is_needed: bool, run: &RunOptions, slots: usize) -> Option<Arc<Server>> {
    (is_needed && slots > 1).then_some(())?;
    // Without a jobserver, tools work on one thread.
    Server::new(run.jobserver_style, slots).ok().map(Arc::new)
}

/// The configuration of the pool for a request: tokens, memory, time limit and cancellation, and a
/// jobserver for tools if any are used.
pub(crate) fn config(request: &Request, workers: usize) -> Config {
    let run = &request.run;
    let (slots, _) = number(run, usize::MAX);
    Config {
        workers,
        cancel: run.cancel.clone(),
        jobserver: run.jobserver.clone(),
        time_limit: run.kernel_timeout,
        on_step: run.on_step,
        memory: Budget::new(run.max_memory).map(Arc::new),
        server: server(request.fallback.is_some(), run, slots),
        slots,
        ..Config::default()
    }
}
