//! The number of workers, the jobserver for tools, and the configuration of the pool.

use crate::link::Threads;
use crate::options::RunOptions;
use crate::request::Request;
use raddle_entity::{Executor, Serial};
use raddle_jobs::Config;
use raddle_jobs::lock::lock;
use raddle_jobs::memory::Budget;
use raddle_jobs::server::Server;
use raddle_jobs::timeline::{SharedWork, Timeline};
use std::sync::atomic::{AtomicU64, Ordering};
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

/// Bytes of text for which one more thread is worth starting: a survey of them takes about a
/// millisecond.
pub(crate) const TEXT: usize = 512 << 10;

/// Bytes of code for which one more thread is worth starting: making a cubin of them takes about a
/// millisecond.
pub(crate) const CODE: usize = 512 << 10;

/// Threads for the work on this many bytes outside of units, one for each `enough`; only the calling
/// thread for few bytes.
pub(crate) fn of_bytes(run: &RunOptions, bytes: usize, enough: usize) -> Shared {
    let wanted = (bytes / enough).max(1);
    let workers = if wanted < 2 { 1 } else { number(run, wanted).0 };
    let threads: Box<dyn Executor> = if workers < 2 {
        Box::new(Serial)
    } else {
        let (cancel, jobserver) = (run.cancel.clone(), run.jobserver.clone());
        Box::new(Threads::new(Config { workers, cancel, jobserver, ..Config::default() }))
    };
    Shared { threads, wanted, work: Mutex::default() }
}

/// Threads whose work is recorded.
pub(crate) struct Shared {
    threads: Box<dyn Executor>,
    /// The most threads that would be used, whatever the options of the run.
    wanted: usize,
    /// With a name where it is not that of the phase.
    work: Mutex<Vec<(Option<&'static str>, SharedWork)>>,
}

impl Shared {
    /// Returns the result of `work`, during which another thread does what is `beside` it, if there is
    /// one; the latter is recorded as shared work of this name.
    pub fn beside<T: Default + Send>(
        &self,
        name: &'static str,
        beside: Option<impl FnOnce() + Send>,
        work: impl FnOnce() -> T + Send,
    ) -> T {
        let Some(beside) = beside else { return work() };
        let caller = std::thread::current().id();
        let (beside, work, result) = (Mutex::new(Some(beside)), Mutex::new(Some(work)), Mutex::default());
        self.threads.run(2, &|n| {
            if n == 0 {
                let work = lock(&work).take();
                *lock(&result) = work.map(|work| work()).unwrap_or_default();
            } else if let Some(beside) = lock(&beside).take() {
                let begun = Instant::now();
                beside();
                let (wall, longest) = (begun.elapsed(), Duration::ZERO);
                // Beside the coordinator's own events in a timeline, which it may overlap.
                let worker = (std::thread::current().id() != caller).then_some(1);
                lock(&self.work).push((Some(name), SharedWork { begun, wall, longest, threads: 2, worker }));
            }
        });
        result.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the work to a timeline.
    pub fn record(self, name: &'static str, timeline: &mut Timeline) {
        let work = self.work.into_inner().unwrap_or_else(PoisonError::into_inner);
        work.into_iter().for_each(|(own, work)| timeline.shared_phase(own.unwrap_or(name), work));
    }
}

impl Executor for Shared {
    fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
        let begun = Instant::now();
        let longest = AtomicU64::new(0);
        self.threads.run(n, &|i| {
            let begun = Instant::now();
            piece(i);
            let nanos = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
            longest.fetch_max(nanos, Ordering::Relaxed);
        });
        let longest = Duration::from_nanos(longest.into_inner());
        let (wall, threads) = (begun.elapsed(), self.wanted.min(n));
        lock(&self.work).push((None, SharedWork { begun, wall, longest, threads, worker: None }));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_and_what_is_beside_it_are_both_done_on_any_number_of_threads() {
        for workers in [1, 2] {
            let threads = Box::new(Threads::new(Config { workers, ..Config::default() }));
            let shared = Shared { threads, wanted: 2, work: Mutex::default() };
            let done = AtomicU64::new(0);
            let add = |n: u64| {
                done.fetch_add(n, Ordering::Relaxed);
            };
            let work = || {
                shared.run(3, &|_| add(1));
                7
            };
            assert_eq!(shared.beside("beside", Some(|| add(10)), work), 7);
            assert_eq!(shared.beside("nothing", None::<fn()>, || 8), 8);
            assert_eq!(done.load(Ordering::Relaxed), 13);
            let work = shared.work.into_inner().unwrap();
            let mut names: Vec<_> = work.iter().map(|(name, work)| (*name, work.threads)).collect();
            names.sort_unstable();
            assert_eq!(names, [(None, 2), (Some("beside"), 2)]);
        }
    }
}
