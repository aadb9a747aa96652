//! Tasks: what is submitted, what runs, what comes out.

use crate::cancel::CancelToken;
use crate::panics::{self, Panic};
use crate::pool::Config;
use crate::timeline::{Phase, Phases, thread_cpu};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
    /// The step it was in when it ended by a panic.
    pub during: Option<&'static str>,
}

/// A task that runs now.
#[derive(Debug)]
pub struct Running {
    /// Which.
    pub id: TaskId,
    /// Its name, as submitted.
    pub name: Arc<str>,
    /// When it began.
    pub started: Instant,
    /// Its own flag; the pool's cancels it too.
    pub(crate) cancel: CancelToken,
    /// Set when it is cancelled because its time is over.
    pub(crate) expired: AtomicBool,
    step: Mutex<Option<&'static str>>,
    /// The step that began last, whether it goes on or not.
    begun: Mutex<Option<&'static str>>,
    /// What [`Steps`] has named since the task's own step began, and when; `None` unless times are wanted.
    named: Option<Mutex<Vec<(&'static str, Instant)>>>,
}

impl Running {
    /// The step it is in.
    pub fn step(&self) -> Option<&'static str> {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The steps named so far, each as long as to the next one or to `end`.
    fn take_named(&self, end: Instant) -> Phases {
        let Some(named) = &self.named else { return Phases::new() };
        let named = std::mem::take(&mut *named.lock().unwrap_or_else(PoisonError::into_inner));
        let ends = named.iter().skip(1).map(|next| next.1).chain([end]);
        let phase = |(&(name, begun), end): (&(_, Instant), Instant)| {
            let wall = end.saturating_duration_since(begun);
            Phase { name, begun, wall, fine: true }
        };
        named.iter().zip(ends).map(phase).collect()
    }

    fn set_step(&self, step: Option<&'static str>) -> Option<&'static str> {
        if step.is_some() {
            *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = step;
        }
        std::mem::replace(&mut *self.step.lock().unwrap_or_else(PoisonError::into_inner), step)
    }
}

/// What a running task sees of the pool.
#[derive(Debug)]
pub struct Task {
    running: Arc<Running>,
    phases: Phases,
    on_step: Option<fn(&'static str)>,
}

impl Task {
    /// The flag to look at between steps: set when everything is cancelled, or when this task's time is over.
    pub fn cancel(&self) -> &CancelToken {
        &self.running.cancel
    }

    /// Whether this task was cancelled because its time is over.
    pub fn expired(&self) -> bool {
        self.running.expired.load(Ordering::Acquire)
    }

    /// The step that was begun last, be it one of this task or one that [`Steps`] named.
    pub fn last_step(&self) -> Option<&'static str> {
        *self.running.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For naming steps where the task itself is out of reach.
    pub fn steps(&self) -> Steps {
        Steps { running: Arc::clone(&self.running), on_step: self.on_step }
    }

    /// Runs one named step and notes its time.
    pub fn phase<T>(&mut self, name: &'static str, body: impl FnOnce(&mut Task) -> T) -> T {
        let begun = Instant::now();
        let outer = self.running.set_step(Some(name));
        if let Some(tell) = self.on_step {
            tell(name);
        }
        let result = body(self);
        *self.running.step.lock().unwrap_or_else(PoisonError::into_inner) = outer;
        let end = Instant::now();
        self.phases.extend(self.running.take_named(end));
        self.phases.push(Phase { name, begun, wall: end.saturating_duration_since(begun), fine: false });
        result
    }
}

/// Names the steps of a task from within one of them, such as the passes of a compiler. Their times are noted if
/// [`Config::fine`] says so.
#[derive(Clone, Debug)]
pub struct Steps {
    running: Arc<Running>,
    on_step: Option<fn(&'static str)>,
}

impl Steps {
    /// A step begins; the one before it has ended.
    pub fn begin(&self, name: &'static str) {
        self.running.set_step(Some(name));
        if let Some(named) = &self.running.named {
            named.lock().unwrap_or_else(PoisonError::into_inner).push((name, Instant::now()));
        }
        if let Some(tell) = self.on_step {
            tell(name);
        }
    }
}

/// What a task does, or the rest of it.
pub type Body<'env, T> = Box<dyn FnOnce(&mut Task) -> Next<'env, T> + Send + 'env>;

/// How a task goes on.
pub enum Next<'env, T> {
    /// It has ended, with this.
    Done(T),
    /// It has to wait for memory that nobody knew of when it began: the rest is queued before all others, with this need, and nothing is
    /// held meanwhile.
    Later {
        /// Bytes that the rest takes.
        bytes: u64,
        /// The rest.
        rest: Body<'env, T>,
    },
}

/// What one part of a task was.
pub(crate) enum Ran<'env, T> {
    /// The last one.
    Ended(Finished<T>),
    /// The rest needs so many bytes.
    Waits(u64, Waiting<'env, T>),
}

/// What the parts of a task that have been run took together.
#[derive(Default)]
struct Before {
    started: Option<Instant>,
    wall: Duration,
    cpu: Duration,
    phases: Phases,
}

/// A task nobody has begun.
pub(crate) struct Waiting<'env, T> {
    pub(crate) id: TaskId,
    pub(crate) name: Arc<str>,
    body: Body<'env, T>,
    before: Before,
}

impl<'env, T> Waiting<'env, T> {
    /// A task of which nothing has been run.
    pub(crate) fn new(id: TaskId, name: Arc<str>, body: Body<'env, T>) -> Self {
        Waiting { id, name, body, before: Before::default() }
    }

    /// Its end without a beginning.
    pub(crate) fn dropped(self, submitted: Instant) -> Finished<T> {
        Finished {
            id: self.id,
            name: self.name,
            outcome: Outcome::Dropped,
            worker: 0,
            started: submitted,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            phases: Vec::new(),
            during: None,
        }
    }

    /// Runs it, or its next part; `list` names it as long as it runs.
    pub(crate) fn run(self, worker: usize, config: &Config, list: &Mutex<Vec<Arc<Running>>>) -> Ran<'env, T> {
        let Waiting { id, name, body, before } = self;
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
        list.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&running));
        let mut task = Task { running: Arc::clone(&running), phases: before.phases, on_step: config.on_step };
        let cpu = thread_cpu();
        let result = panics::catch(|| body(&mut task));
        let (wall, cpu) = (before.wall + started.elapsed(), before.cpu + thread_cpu().saturating_sub(cpu));
        list.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| !Arc::ptr_eq(other, &running));
        let (started, phases) = (before.started.unwrap_or(started), task.phases);
        let (outcome, during) = match result {
            Ok(Next::Done(value)) => (Outcome::Done(value), None),
            Ok(Next::Later { bytes, rest }) => {
                let before = Before { started: Some(started), wall, cpu, phases };
                return Ran::Waits(bytes, Waiting { id, name, body: rest, before });
            }
            // Nobody set the step back.
            Err(panic) => (Outcome::Panicked(panic), running.step()),
        };
        Ran::Ended(Finished { id, name, outcome, worker, started, wall, cpu, phases, during })
    }
}
