//! Tasks: submitted, running and finished.

use crate::cancel::CancelToken;
use crate::completion::Completion;
use crate::config::Config;
use crate::doorbell::Doorbell;
use crate::lock::lock;
use crate::panics::{self, Panic};
use crate::phases::{Phase, Phases, thread_cpu};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The number of a task, from 0, in order of submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub usize);

/// The outcome of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// It returned this value, a success or an error of its own.
    Done(T),
    /// It panicked: an internal error of this unit alone.
    Panicked(Panic),
    /// It did not start, or did not complete: the pool was dropped, or no worker could be started.
    Dropped,
}

/// A task that has ended.
#[derive(Clone, Debug)]
pub struct Finished<T> {
    /// Its number.
    pub id: TaskId,
    /// Its name, as submitted.
    pub name: Arc<str>,
    /// Its outcome.
    pub outcome: Outcome<T>,
    /// Wall time of all its parts.
    pub wall: Duration,
    /// CPU time of the workers for them.
    pub cpu: Duration,
    /// The places and times of its parts: one, and one more for each time that it had to wait
    /// ([`TaskResult::NeedsMemory`], [`TaskResult::Waits`]).
    pub parts: Vec<Part>,
    /// The step in which it panicked.
    pub during: Option<&'static str>,
}

/// A part of a task, run by one worker without interruption.
#[derive(Clone, Debug)]
pub struct Part {
    /// The worker, from 0.
    pub worker: usize,
    /// When it began.
    pub started: Instant,
    /// Wall time.
    pub wall: Duration,
    /// The steps that the task marked.
    pub phases: Vec<Phase>,
}

/// A running task.
#[derive(Debug)]
pub struct Running {
    /// Its number.
    pub id: TaskId,
    /// Its name, as submitted.
    pub name: Arc<str>,
    /// When it began.
    pub started: Instant,
    /// Its own flag; the pool's flag cancels it too.
    pub(crate) cancel: CancelToken,
    /// Set when it is cancelled because its time is over.
    pub(crate) expired: AtomicBool,
    step: Mutex<Option<&'static str>>,
    /// The step that was begun last, whether it is still running or not.
    begun: Mutex<Option<&'static str>>,
    /// The steps named by [`Steps`] since the task's own step began, and their times; `None` unless
    /// times are recorded.
    named: Option<Mutex<Vec<(&'static str, Instant)>>>,
}

impl Running {
    /// The current step.
    pub fn step(&self) -> Option<&'static str> {
        *lock(&self.step)
    }

    /// The steps named so far, each lasting until the next one or `end`.
    fn take_named(&self, end: Instant) -> Phases {
        let Some(named) = &self.named else { return Phases::new() };
        let named = std::mem::take(&mut *lock(named));
        let ends = named.iter().skip(1).map(|next| next.1).chain([end]);
        let phase = |(&(name, begun), end): (&(_, Instant), Instant)| {
            let wall = end.saturating_duration_since(begun);
            Phase { name, begun, wall, fine: true }
        };
        named.iter().zip(ends).map(phase).collect()
    }

    fn set_step(&self, step: Option<&'static str>) -> Option<&'static str> {
        if step.is_some() {
            *lock(&self.begun) = step;
        }
        std::mem::replace(&mut *lock(&self.step), step)
    }
}

/// The interface of a running task to the pool.
#[derive(Debug)]
pub struct Task {
    running: Arc<Running>,
    phases: Phases,
    on_step: Option<fn(&'static str)>,
    doorbell: Arc<Doorbell>,
}

impl Task {
    /// The flag to check between steps: set when everything is cancelled, or when this task's time
    /// is over.
    pub fn cancel(&self) -> &CancelToken {
        &self.running.cancel
    }

    /// A new completion, for [`TaskResult::Waits`] of this task.
    pub fn completion(&self) -> Completion {
        Completion::new(&self.doorbell)
    }

    /// Whether this task was cancelled because its time is over.
    pub fn expired(&self) -> bool {
        self.running.expired.load(Ordering::Acquire)
    }

    /// The step that was begun last, by this task or through [`Steps`].
    pub fn last_step(&self) -> Option<&'static str> {
        *lock(&self.running.begun)
    }

    /// Names steps where the task itself is not available.
    pub fn steps(&self) -> Steps {
        Steps { running: Arc::clone(&self.running), on_step: self.on_step }
    }

    /// Runs a named step and records its time.
    pub fn phase<T>(&mut self, name: &'static str, body: impl FnOnce(&mut Task) -> T) -> T {
        let begun = Instant::now();
        let outer = self.running.set_step(Some(name));
        if let Some(tell) = self.on_step {
            tell(name);
        }
        let result = body(self);
        *lock(&self.running.step) = outer;
        let end = Instant::now();
        self.phases.extend(self.running.take_named(end));
        self.phases.push(Phase { name, begun, wall: end.saturating_duration_since(begun), fine: false });
        result
    }
}

/// Names the steps within a step of a task, such as the passes of a compiler. Their times are
/// recorded if [`Config::fine`] is set.
#[derive(Clone, Debug)]
pub struct Steps {
    running: Arc<Running>,
    on_step: Option<fn(&'static str)>,
}

impl Steps {
    /// Begins a step, which ends the one before it.
    pub fn begin(&self, name: &'static str) {
        self.running.set_step(Some(name));
        if let Some(named) = &self.running.named {
            lock(named).push((name, Instant::now()));
        }
        if let Some(tell) = self.on_step {
            tell(name);
        }
    }
}

/// The body of a task, or the rest of it.
pub type Body<'env, T> = Box<dyn FnOnce(&mut Task) -> TaskResult<'env, T> + Send + 'env>;

/// The continuation of a task.
pub enum TaskResult<'env, T> {
    /// It has ended with this result.
    Done(T),
    /// It has to wait for memory that was not foreseen: the rest is queued before all other tasks,
    /// with this need, and no memory is held meanwhile.
    NeedsMemory {
        /// The memory that the rest needs, in bytes.
        bytes: u64,
        /// The rest.
        rest: Body<'env, T>,
    },
    /// It waits for something outside of the pool: the rest is queued before all other tasks once
    /// that is complete. Meanwhile it holds no worker, no token and no memory. The rest needs little
    /// memory, or asks for it.
    Waits {
        /// What it waits for.
        completion: Completion,
        /// From then on a worker without any other task runs the rest, complete or not.
        overdue: Option<Instant>,
        /// The rest. It is dropped when everything is cancelled.
        rest: Body<'env, T>,
    },
}

/// What a suspended task waits for.
pub(crate) struct Wait {
    pub(crate) completion: Completion,
    pub(crate) overdue: Option<Instant>,
}

/// The state of a task after one of its parts.
pub(crate) enum AfterPart<'env, T> {
    /// It has ended.
    Nothing(Finished<T>),
    /// The rest, and the bytes that it needs.
    Rest(u64, PendingTask<'env, T>),
    /// The rest, and what it waits for.
    Waits(Wait, PendingTask<'env, T>),
}

/// A task that waits for its start or continuation.
pub(crate) struct PendingTask<'env, T> {
    pub(crate) id: TaskId,
    pub(crate) name: Arc<str>,
    body: Body<'env, T>,
    /// The completed parts, and their CPU time.
    before: (Vec<Part>, Duration),
}

impl<'env, T> PendingTask<'env, T> {
    /// Creates a task that has not started.
    pub(crate) fn new(id: TaskId, name: Arc<str>, body: Body<'env, T>) -> Self {
        PendingTask { id, name, body, before: Default::default() }
    }

    /// Converts it to a dropped task.
    pub(crate) fn dropped(self) -> Finished<T> {
        let (parts, cpu) = self.before;
        let wall = parts.iter().map(|part| part.wall).sum();
        Finished { id: self.id, name: self.name, outcome: Outcome::Dropped, wall, cpu, parts, during: None }
    }

    /// Runs it, or its next part; `list` contains it while it runs.
    pub(crate) fn run(
        self,
        worker: usize,
        config: &Config,
        list: &Mutex<Vec<Arc<Running>>>,
        doorbell: &Arc<Doorbell>,
    ) -> AfterPart<'env, T> {
        let PendingTask { id, name, body, before: (mut parts, before) } = self;
        let started = Instant::now();
        let running = Arc::new(Running {
            id,
            name: Arc::clone(&name),
            started,
            cancel: config.cancel.child(),
            expired: AtomicBool::new(false),
            step: Mutex::new(None),
            begun: Mutex::new(None),
            named: config.fine.then(Mutex::default),
        });
        lock(list).push(Arc::clone(&running));
        let (on_step, doorbell) = (config.on_step, Arc::clone(doorbell));
        let mut task = Task { running: Arc::clone(&running), phases: Phases::new(), on_step, doorbell };
        let cpu = thread_cpu();
        let result = panics::catch(|| body(&mut task));
        let cpu = before + thread_cpu().saturating_sub(cpu);
        parts.push(Part { worker, started, wall: started.elapsed(), phases: task.phases });
        lock(list).retain(|other| !Arc::ptr_eq(other, &running));
        let (outcome, during) = match result {
            Ok(TaskResult::Done(value)) => (Outcome::Done(value), None),
            Ok(TaskResult::NeedsMemory { bytes, rest }) => {
                return AfterPart::Rest(bytes, PendingTask { id, name, body: rest, before: (parts, cpu) });
            }
            Ok(TaskResult::Waits { completion, overdue, rest }) => {
                let rest = PendingTask { id, name, body: rest, before: (parts, cpu) };
                return AfterPart::Waits(Wait { completion, overdue }, rest);
            }
            // The panic left the step as it was.
            Err(panic) => (Outcome::Panicked(panic), running.step()),
        };
        let wall = parts.iter().map(|part| part.wall).sum();
        AfterPart::Nothing(Finished { id, name, outcome, wall, cpu, parts, during })
    }
}
