//! Workers over a [`Queue`]: started late, ended early, their panics caught.
//!
//! The pool borrows from its environment (`std::thread::scope`), so that tasks share options,
//! outlines and sources by plain references. See the crate's documentation for the protocol.

mod run;

pub use crate::config::Config;
use crate::doorbell::Doorbell;
use crate::lock::lock;
use crate::memory::Budget;
use crate::memory::ledger::Ask;
use crate::queue::Queue;
use crate::task::{AfterPart, PendingTask, Wait};
pub use crate::task::{Body, Finished, Outcome, Part, Running, Task, TaskId, TaskResult};
use crate::timeline::{Resident, Sample};
use crate::tokens::{Tokens, Wanted};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

pub use run::{ExpectedUse, Ran, run_all, run_in_parts};

/// The work that a worker takes at once: one task, or several tiny ones.
struct Job<'env, T> {
    tasks: Vec<PendingTask<'env, T>>,
    /// What it waits for, if it is suspended.
    wait: Option<Wait>,
}

impl<'env, T> Job<'env, T> {
    fn new(tasks: Vec<PendingTask<'env, T>>) -> Self {
        Job { tasks, wait: None }
    }
}

struct Shared<'env, T> {
    queue: Queue<Job<'env, T>>,
    finished: Mutex<Vec<Finished<T>>>,
    running: Mutex<Vec<Arc<Running>>>,
    doorbell: Arc<Doorbell>,
    config: Config,
}

/// An event for the coordinator.
#[derive(Debug)]
pub enum Event<'a, T> {
    /// A task has ended.
    Ended(&'a Finished<T>),
    /// A tick: these tasks are running, the oldest first.
    Tick(&'a [Arc<Running>]),
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
    /// At least one per permit of the queue; `None` without a jobserver.
    tokens: Option<Tokens>,
    samples: Vec<Sample>,
    memory: Resident,
    /// The time that workers were idle because of memory.
    held_back: Duration,
    /// The time in which nothing ran, and tasks waited for something outside.
    suspended: Duration,
}

/// Makes a pool for at most `units` tasks at once, passes it to `body`, and joins every worker.
pub fn scope<'env, T, R>(
    config: &Config,
    units: usize,
    body: impl for<'scope> FnOnce(&mut Pool<'scope, 'env, T>) -> R,
) -> std::io::Result<R>
where
    T: Send + 'env,
{
    let doorbell = Arc::new(Doorbell::new()?);
    config.cancel.wakes(&doorbell);
    config.server.iter().for_each(|server| server.attach(&doorbell));
    Ok(std::thread::scope(|threads| {
        let limit = config.workers_for(units).min(crate::cpus::threads_with_room(config.stack));
        let slots = config.server.as_ref().map_or(0, |_| config.slots);
        let shared = Arc::new(Shared {
            queue: Queue::new(if config.jobserver.is_some() { 0 } else { limit.max(slots) }),
            finished: Mutex::new(Vec::new()),
            running: Mutex::new(Vec::new()),
            doorbell,
            config: config.clone(),
        });
        let mut pool = Pool {
            scope: threads,
            tokens: config.jobserver.clone().map(Tokens::new),
            shared,
            limit,
            workers: 0,
            submitted: 0,
            delivered: 0,
            ready: Vec::new(),
            samples: Vec::new(),
            memory: Resident::default(),
            held_back: Duration::ZERO,
            suspended: Duration::ZERO,
        };
        if config.suspends {
            pool.shared.queue.linger();
        }
        if config.memory.is_some() {
            pool.shared.queue.grant(0);
        }
        body(&mut pool)
        // Dropping the pool closes the queue; the scope joins the workers.
    }))
}

impl<'scope, 'env: 'scope, T: Send + 'env> Pool<'scope, 'env, T> {
    /// Queues a task; higher priorities start earlier. If no worker can be started at all,
    /// [`Pool::next_finished`] returns the task as [`Outcome::Dropped`].
    pub fn submit<F>(&mut self, priority: u64, name: impl Into<Arc<str>>, body: F) -> TaskId
    where
        F: FnOnce(&mut Task) -> T + Send + 'env,
    {
        let id = TaskId(self.submitted);
        self.submit_batch(
            priority,
            0,
            vec![(id, name.into(), Box::new(|task: &mut Task| TaskResult::Done(body(task))))],
        );
        id
    }

    /// Queues several tasks that one worker runs in sequence. Once everything is submitted, the
    /// numbers over all batches must be unique and without gaps.
    fn submit_batch(&mut self, priority: u64, bytes: u64, tasks: Vec<(TaskId, Arc<str>, Body<'env, T>)>) {
        let Some(first) = tasks.first().map(|task| task.0.0 as u64) else { return };
        self.submitted += tasks.len();
        let priority = self.shared.config.chaos.map_or(priority, |chaos| chaos.priority(first));
        let tasks = tasks.into_iter().map(|(id, name, body)| PendingTask::new(id, name, body)).collect();
        if let Err(job) = self.shared.queue.push_weighted(priority, bytes, Job::new(tasks)) {
            self.deliver_dropped(job);
        }
        if self.tokens.as_ref().is_some_and(Tokens::is_empty) {
            self.balance();
        }
        self.staff();
    }

    fn deliver_dropped(&self, job: Job<'env, T>) {
        lock(&self.shared.finished).extend(job.tasks.into_iter().map(|task| task.dropped()));
    }

    /// Takes and returns tokens. Returns whether one more would help.
    fn balance(&mut self) -> bool {
        let Some(mut tokens) = self.tokens.take() else { return false };
        let shared = Arc::clone(&self.shared);
        let server = shared.config.server.as_ref();
        let wanted = Wanted {
            tasks: self.limit,
            all: self.limit.max(server.map_or(0, |_| shared.config.slots)),
            spare: server.map_or(0, |server| server.wants()),
        };
        let wants = tokens.balance(&shared.queue, wanted, || {
            self.staff();
            self.limit
        });
        self.tokens = Some(tokens);
        wants
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
            // No more threads can be started: continue with the existing ones.
            Err(_) if self.workers > 0 => self.limit = self.workers,
            Err(_) => self.drop_queued(),
        }
    }

    /// Ends submission: workers end as the queue empties.
    pub fn seal(&mut self) {
        self.shared.queue.seal();
        self.admit();
    }

    /// Requests the memory of tasks that could run now. Returns whether it keeps work waiting.
    fn admit(&mut self) -> bool {
        let shared = Arc::clone(&self.shared);
        let Some(budget) = &shared.config.memory else { return false };
        let load = shared.queue.load();
        // For one task more than may run now: a token is requested only if there is memory for it.
        let slots = self.limit.min(load.permits.saturating_add(1));
        let (held, least, most) = shared.queue.need(slots.saturating_sub(load.running));
        let granted = budget.claim(Ask { held, least, most });
        shared.queue.grant(granted);
        (0..self.limit).for_each(|_| self.staff());
        // If the queue has changed since the request, tasks wait for the coordinator, not for
        // memory, and workers will ring.
        granted < most && shared.queue.is_held_back()
    }

    /// Sleeps until a task has ended; `None` once every submitted task has been delivered.
    pub fn next_finished(&mut self) -> Option<Finished<T>> {
        self.next_event(&mut |_| ())
    }

    /// Sleeps until a task has ended, calling `tick` at every tick of the configuration; `None`
    /// once every submitted task has been delivered.
    pub fn next_event(&mut self, tick: &mut dyn FnMut(&[Arc<Running>])) -> Option<Finished<T>> {
        let mut next_tick = self.shared.config.tick.map(|tick| Instant::now() + tick);
        loop {
            if let Some(finished) = self.ready.pop() {
                self.delivered += 1;
                return Some(finished);
            }
            if self.delivered == self.submitted {
                return None;
            }
            self.shared.doorbell.silence();
            if self.shared.config.cancel.is_cancelled() {
                self.drop_queued();
            }
            std::mem::swap(&mut self.ready, &mut lock(&self.shared.finished));
            self.ready.reverse();
            let overdue = self.resume();
            let held_back = self.admit();
            let wants = self.balance();
            let lends = self.lend();
            self.sample();
            if self.ready.is_empty() {
                let expiry = self.expire();
                if next_tick.is_some_and(|at| at <= Instant::now()) {
                    tick(&self.running());
                    next_tick = self.shared.config.tick.map(|tick| Instant::now() + tick);
                }
                let turn = self.tokens.as_ref().and_then(Tokens::next_turn);
                let again = (held_back || lends).then(|| Instant::now() + Budget::AGAIN);
                let begun = Instant::now();
                let load = self.shared.queue.load();
                self.sleep(wants, [expiry, next_tick, turn, again, overdue].into_iter().flatten().min());
                if held_back && self.shared.queue.load().running < self.limit {
                    self.held_back += begun.elapsed();
                }
                if load.suspended > 0 && load.running == 0 && !held_back {
                    self.suspended += begun.elapsed();
                }
            }
        }
    }

    /// Queues suspended tasks whose wait is over, and with nothing else to do those that are overdue.
    /// Returns when the next one is.
    fn resume(&mut self) -> Option<Instant> {
        let queue = &self.shared.queue;
        let wait = |job: &Job<'env, T>| job.wait.as_ref().map(|wait| (wait.completion.is_complete(), wait.overdue));
        let now = Instant::now();
        let mut resumed = queue.resume(|job| wait(job).is_none_or(|(complete, _)| complete));
        let is_overdue = |job: &_| wait(job).and_then(|(_, overdue)| overdue).is_some_and(|at| at <= now);
        resumed += queue.resume_idle(self.limit, is_overdue);
        let next = queue.least_suspended(|job| wait(job)?.1.filter(|at| *at > now));
        (0..resumed.min(self.limit)).for_each(|_| self.staff());
        next
    }

    /// Sleeps until a worker rings, everything is cancelled, a token is available (if `wants`), or
    /// a deadline.
    fn sleep(&self, wants: bool, until: Option<Instant>) {
        let mut fds = vec![PollFd::from_borrowed_fd(self.shared.doorbell.fd(), PollFlags::IN)];
        if let Some(tokens) = self.tokens.as_ref().filter(|_| wants) {
            fds.push(PollFd::from_borrowed_fd(tokens.client().fd(), PollFlags::IN));
        }
        // Rounded up, so that the deadline has passed after waking.
        let left = until.map(|at| at.saturating_duration_since(Instant::now()) + Duration::from_micros(100));
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        // After an interrupted or a failed poll everything is checked again.
        let _ = poll(&mut fds, timeout.as_ref());
    }

    /// Cancels the tasks whose time is over; returns the next deadline.
    fn expire(&self) -> Option<Instant> {
        let limit = self.shared.config.time_limit?;
        let now = Instant::now();
        let mut next: Option<Instant> = None;
        for running in lock(&self.shared.running).iter().filter(|running| !running.cancel.is_cancelled()) {
            let end = running.started + limit;
            if end <= now {
                running.expired.store(true, Ordering::Release);
                running.cancel.cancel();
            } else {
                next = Some(next.map_or(end, |other| other.min(end)));
            }
        }
        // A task that starts meanwhile has a full limit left.
        Some(next.unwrap_or(now + limit).min(now + limit))
    }

    /// The running tasks, the oldest first.
    pub fn running(&self) -> Vec<Arc<Running>> {
        let mut list = lock(&self.shared.running).clone();
        list.sort_by_key(|running| running.started);
        list
    }

    fn sample(&mut self) {
        if self.samples.last().is_none_or(|last| last.at.elapsed() >= Sample::EVERY) {
            self.samples.push(Sample::now(self.shared.queue.load(), &mut self.memory));
        }
    }

    /// Discards queued and suspended tasks; each is returned as [`Outcome::Dropped`]. Running tasks
    /// continue.
    /// Nothing can be submitted afterwards.
    pub fn drop_queued(&mut self) {
        let dropped = self.shared.queue.close();
        if dropped.is_empty() {
            // Ringing would repeatedly wake a coordinator that waits for running tasks.
            return;
        }
        for job in dropped {
            self.deliver_dropped(job);
        }
        self.shared.doorbell.ring();
    }

    /// Sleeps until nothing is queued and nothing runs. Not for tasks that wait for something outside:
    /// only [`Pool::next_event`] continues them.
    pub fn wait(&self) {
        self.shared.queue.wait_idle();
    }

    /// Workers started so far.
    pub fn workers(&self) -> usize {
        self.workers
    }
}

impl<T> Pool<'_, '_, T> {
    /// Lends idle slots to running tools. Returns whether there are any.
    fn lend(&self) -> bool {
        let server = self.shared.config.server.as_ref();
        server.is_some_and(|server| server.settle(&self.shared.queue, self.tokens.is_some()))
    }
}

impl<T> Drop for Pool<'_, '_, T> {
    fn drop(&mut self) {
        drop(self.shared.queue.close());
        if self.tokens.is_some() || self.shared.config.server.is_some() {
            // A running task holds its token to its end, and so do the tools it has started.
            self.shared.queue.wait_idle();
        }
        self.lend();
        if let Some(tokens) = &mut self.tokens {
            tokens.release();
        }
    }
}

fn work<T>(shared: &Shared<'_, T>, worker: usize) {
    while let Some((job, weight)) = shared.queue.take_weighted() {
        for task in job.tasks {
            if shared.config.cancel.is_cancelled() {
                lock(&shared.finished).push(task.dropped());
                continue;
            }
            let delays = shared.config.chaos.map(|chaos| chaos.delays(task.id.0 as u64)).unwrap_or_default();
            std::thread::sleep(delays.0);
            let left = task.run(worker, &shared.config, &shared.running, &shared.doorbell);
            std::thread::sleep(delays.1);
            match left {
                AfterPart::Nothing(finished) => lock(&shared.finished).push(finished),
                AfterPart::Rest(bytes, rest) => {
                    if let Err(job) = shared.queue.push_again(u64::MAX, bytes, Job::new(vec![rest])) {
                        lock(&shared.finished).extend(job.tasks.into_iter().map(|task| task.dropped()));
                    }
                }
                AfterPart::Waits(wait, rest) => {
                    if let Err(job) = shared.queue.suspend(Job { tasks: vec![rest], wait: Some(wait) }) {
                        lock(&shared.finished).extend(job.tasks.into_iter().map(|task| task.dropped()));
                    }
                    // It may be complete already, and other tasks of a batch may take long.
                    shared.doorbell.ring();
                }
            }
        }
        shared.queue.finish_weighted(weight);
        shared.doorbell.ring();
    }
}
