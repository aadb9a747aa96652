//! Workers over a [`Queue`]: started late, joined at the end, their panics caught.
//!
//! The pool borrows from its environment (`std::thread::scope`), so that tasks share options, outlines and sources
//! by plain references. See the crate's documentation for the protocol.

use crate::cancel::CancelToken;
use crate::chaos::Chaos;
use crate::doorbell::Doorbell;
use crate::jobserver::{Client, Token};
use crate::panics::{self, Panic};
use crate::queue::Queue;
use crate::timeline::{Phase, Phases, thread_cpu};
use rustix::event::{PollFd, PollFlags, poll};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

/// How a pool works. Nothing in it can reach a task's result.
#[derive(Clone, Debug)]
pub struct Config {
    /// Tasks at once; 0 means the CPUs available to this process.
    pub workers: usize,
    /// Stack of each worker, in bytes.
    pub stack: usize,
    /// Seeded disorder for tests.
    pub chaos: Option<Chaos>,
    /// Shown to every task.
    pub cancel: CancelToken,
    /// The make above us: each running task holds one of its tokens. `None` is as many as there are workers.
    pub jobserver: Option<Arc<Client>>,
}

impl Default for Config {
    fn default() -> Config {
        Config { workers: 0, stack: 16 << 20, chaos: None, cancel: CancelToken::new(), jobserver: None }
    }
}

impl Config {
    /// The number of workers for `units` tasks: never more than there are tasks, at least one.
    pub fn workers_for(&self, units: usize) -> usize {
        let asked = if self.workers == 0 { crate::cpus::available() } else { self.workers };
        asked.min(units).max(1)
    }
}

/// The number of a task, from 0, in order of submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub usize);

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// It returned this, be it a success or an error of its own.
    Done(T),
    /// It panicked: an internal error of this unit alone.
    Panicked(Panic),
    /// It never began: the pool was dropped, or no worker could be started.
    Dropped,
}

/// A task that has ended.
#[derive(Clone, Debug)]
pub struct Finished<T> {
    /// Which.
    pub id: TaskId,
    /// Its name, as submitted.
    pub name: Arc<str>,
    /// How.
    pub outcome: Outcome<T>,
    /// The worker it ran on, from 0.
    pub worker: usize,
    /// When it began and how long it took; both equal the submission for a dropped task.
    pub started: Instant,
    /// Wall time.
    pub wall: Duration,
    /// CPU time of the worker.
    pub cpu: Duration,
    /// The steps the task marked.
    pub phases: Vec<Phase>,
}

/// What a running task sees of the pool.
#[derive(Debug)]
pub struct Task {
    cancel: CancelToken,
    phases: Phases,
}

impl Task {
    /// The flag to look at between steps.
    pub fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    /// Runs one named step and notes its time.
    pub fn phase<T>(&mut self, name: &'static str, body: impl FnOnce(&mut Task) -> T) -> T {
        let begun = Instant::now();
        let result = body(self);
        self.phases.push(Phase { name, begun, wall: begun.elapsed() });
        result
    }
}

type Body<'env, T> = Box<dyn FnOnce(&mut Task) -> T + Send + 'env>;

struct Job<'env, T> {
    id: TaskId,
    name: Arc<str>,
    body: Body<'env, T>,
    submitted: Instant,
}

struct Shared<'env, T> {
    queue: Queue<Job<'env, T>>,
    finished: Mutex<Vec<Finished<T>>>,
    doorbell: Doorbell,
    config: Config,
}

impl<T> Shared<'_, T> {
    fn deliver(&self, finished: Finished<T>) {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).push(finished);
    }
}

/// A set of workers and their queue.
pub struct Pool<'scope, 'env, T> {
    scope: &'scope Scope<'scope, 'env>,
    shared: Arc<Shared<'env, T>>,
    limit: usize,
    workers: usize,
    submitted: usize,
    delivered: usize,
    ready: Vec<Finished<T>>,
    /// One per permit of the queue, the implicit slot first; empty without a jobserver.
    tokens: Vec<Token>,
}

/// Makes a pool for at most `units` tasks at once, hands it to `body`, and joins every worker.
pub fn scope<'env, T, R>(
    config: &Config,
    units: usize,
    body: impl for<'scope> FnOnce(&mut Pool<'scope, 'env, T>) -> R,
) -> std::io::Result<R>
where
    T: Send + 'env,
{
    let doorbell = Doorbell::new()?;
    Ok(std::thread::scope(|threads| {
        let limit = config.workers_for(units);
        let shared = Arc::new(Shared {
            queue: Queue::new(if config.jobserver.is_some() { 0 } else { limit }),
            finished: Mutex::new(Vec::new()),
            doorbell,
            config: config.clone(),
        });
        let mut pool = Pool {
            scope: threads,
            shared,
            limit,
            workers: 0,
            submitted: 0,
            delivered: 0,
            ready: Vec::new(),
            tokens: Vec::new(),
        };
        body(&mut pool)
        // Dropping the pool closes the queue; the scope joins the workers.
    }))
}

impl<'scope, 'env: 'scope, T: Send + 'env> Pool<'scope, 'env, T> {
    /// Queues a task; greater priorities start earlier. If no worker can be started at all, the task comes back
    /// from `Pool::next` as [`Outcome::Dropped`].
    pub fn submit<F>(&mut self, priority: u64, name: impl Into<Arc<str>>, body: F) -> TaskId
    where
        F: FnOnce(&mut Task) -> T + Send + 'env,
    {
        let id = TaskId(self.submitted);
        self.submitted += 1;
        let priority = self.shared.config.chaos.map_or(priority, |chaos| chaos.priority(id.0 as u64));
        let job = Job { id, name: name.into(), body: Box::new(body), submitted: Instant::now() };
        if let Err(job) = self.shared.queue.push(priority, job) {
            self.shared.deliver(job.dropped());
        }
        if self.tokens.is_empty() {
            self.acquire();
        }
        self.staff();
        id
    }

    /// Takes tokens for tasks that could start now, and gives back those that none needs. Returns whether one more
    /// would help.
    fn acquire(&mut self) -> bool {
        let Some(client) = self.shared.config.jobserver.clone() else { return false };
        let surplus = if self.tokens.is_empty() { 0 } else { self.shared.queue.withdraw_idle_permits() };
        self.tokens.truncate(self.tokens.len() - surplus);
        loop {
            let load = self.shared.queue.load();
            let wanted = load.running + load.queued > load.permits && load.permits < self.limit;
            if !wanted {
                return false;
            }
            let Some(token) = client.try_acquire() else { return client.is_alive() };
            self.tokens.push(token);
            self.shared.queue.add_permit();
            self.staff();
        }
    }

    /// Starts a worker if one more could run something now.
    fn staff(&mut self) {
        let load = self.shared.queue.load();
        let could_run = load.queued > load.waiting && self.workers < self.limit.min(load.permits);
        if !could_run {
            return;
        }
        let shared = Arc::clone(&self.shared);
        let number = self.workers;
        let builder = Builder::new().name(format!("worker {number}")).stack_size(self.shared.config.stack);
        match builder.spawn_scoped(self.scope, move || work(&shared, number)) {
            Ok(_) => self.workers += 1,
            // The machine gives no more threads: go on with those there are.
            Err(_) if self.workers > 0 => self.limit = self.workers,
            Err(_) => self.drop_queued(),
        }
    }

    /// Sleeps until a task has ended; `None` once every submitted task has been delivered.
    pub fn next_finished(&mut self) -> Option<Finished<T>> {
        loop {
            if let Some(finished) = self.ready.pop() {
                self.delivered += 1;
                return Some(finished);
            }
            if self.delivered == self.submitted {
                return None;
            }
            self.shared.doorbell.silence();
            let mut list = self.shared.finished.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::swap(&mut self.ready, &mut list);
            drop(list);
            self.ready.reverse();
            let wants = self.acquire();
            if self.ready.is_empty() {
                let mut fds = vec![PollFd::from_borrowed_fd(self.shared.doorbell.fd(), PollFlags::IN)];
                if let Some(client) = self.shared.config.jobserver.as_ref().filter(|_| wants) {
                    fds.push(PollFd::from_borrowed_fd(client.fd(), PollFlags::IN));
                }
                // An interrupted poll and a failed one both end in another look at the list.
                let _ = poll(&mut fds, None);
            }
        }
    }

    /// Discards what is queued; each such task comes back as [`Outcome::Dropped`]. What runs goes on. Nothing can
    /// be submitted afterwards.
    pub fn drop_queued(&mut self) {
        for job in self.shared.queue.close() {
            self.shared.deliver(job.dropped());
        }
        self.shared.doorbell.ring();
    }

    /// Sleeps until nothing is queued and nothing runs.
    pub fn wait(&self) {
        self.shared.queue.wait_idle();
    }

    /// Workers started so far.
    pub fn workers(&self) -> usize {
        self.workers
    }
}

impl<T> Drop for Pool<'_, '_, T> {
    fn drop(&mut self) {
        drop(self.shared.queue.close());
        if !self.tokens.is_empty() {
            // A running task holds its token to its end.
            self.shared.queue.wait_idle();
        }
    }
}

impl<T> Job<'_, T> {
    fn dropped(self) -> Finished<T> {
        Finished {
            id: self.id,
            name: self.name,
            outcome: Outcome::Dropped,
            worker: 0,
            started: self.submitted,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            phases: Vec::new(),
        }
    }
}

fn work<T>(shared: &Shared<'_, T>, worker: usize) {
    while let Some(job) = shared.queue.take() {
        let delays = shared.config.chaos.map(|chaos| chaos.delays(job.id.0 as u64)).unwrap_or_default();
        std::thread::sleep(delays.0);
        let mut task = Task { cancel: shared.config.cancel.clone(), phases: Phases::new() };
        let (started, cpu) = (Instant::now(), thread_cpu());
        let body = job.body;
        let outcome = match panics::catch(|| body(&mut task)) {
            Ok(value) => Outcome::Done(value),
            Err(panic) => Outcome::Panicked(panic),
        };
        let (wall, cpu) = (started.elapsed(), thread_cpu().saturating_sub(cpu));
        std::thread::sleep(delays.1);
        let phases = task.phases;
        shared.deliver(Finished { id: job.id, name: job.name, outcome, worker, started, wall, cpu, phases });
        shared.queue.finish();
        shared.doorbell.ring();
    }
}

/// Runs one task per unit, greatest cost first, and returns the outcomes in input order. `watch` sees each task as
/// it ends (progress), and may discard the rest by returning `false`.
pub fn run_all<'env, U, T>(
    config: &Config,
    units: &'env [U],
    cost: impl Fn(&U) -> u64,
    name: impl Fn(&U) -> Arc<str>,
    body: impl Fn(&mut Task, usize, &'env U) -> T + Send + Sync + 'env,
    mut watch: impl FnMut(&Finished<T>) -> bool,
) -> std::io::Result<Vec<Finished<T>>>
where
    U: Sync,
    T: Send + 'env,
{
    let body = Arc::new(body);
    scope(config, units.len(), |pool| {
        for (i, unit) in units.iter().enumerate() {
            let body = Arc::clone(&body);
            pool.submit(cost(unit), name(unit), move |task| body(task, i, unit));
        }
        let mut slots: Vec<Option<Finished<T>>> = units.iter().map(|_| None).collect();
        while let Some(finished) = pool.next_finished() {
            if !watch(&finished) {
                pool.drop_queued();
            }
            let slot = finished.id.0;
            slots[slot] = Some(finished);
        }
        slots.into_iter().flatten().collect()
    })
}
