//! The use of an engine of remote execution in one build: how many units are under way, whether the
//! engine is still used, and what it did.
//!
//! A build must not fail or wait for long because of an engine. So a unit that an engine does not make
//! is compiled here; after [`RemoteLimits::failures`] in a row, or a refusal, no unit is given to it
//! any more; and once workers have nothing else to do, a unit that has been under way for
//! [`RemoteLimits::patience`] is compiled here as well, and the first result counts. An engine that
//! never answers costs at most that time and the time of the units that it was given.

use crate::engine::{Engine, EngineError};
use raddle_jobs::lock::lock;
use raddle_jobs::timeline::Elsewhere;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The most characters of a text of an engine that are kept.
const SAID: usize = 200;

/// When units are given to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteLimits {
    /// The most units under way at once; 0 is as many as the engine has slots.
    pub jobs: usize,
    /// The least estimated cost of a unit that is given to it, in microseconds.
    pub least: u64,
    /// The time under way after which a worker that has nothing else to do compiles a unit, too.
    pub patience: Duration,
    /// The number of failures in a row after which the engine is not used any more.
    pub failures: u32,
}

impl Default for RemoteLimits {
    /// A unit that is given away still costs this process something: it is read, printed, hashed and
    /// sent, and its object is read. For kernels of the corpus whose cost is about `least` that was a
    /// third of the CPU time of their compilation (2.7 of 7.5 ms), and a fifth at one and a half times
    /// that cost. Below it, workers would mostly send.
    fn default() -> RemoteLimits {
        RemoteLimits { jobs: 64, least: 2000, patience: Duration::from_secs(2), failures: 3 }
    }
}

/// How the object of a unit that was given to an engine was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoteOutcome {
    /// By the engine.
    Made,
    /// The engine had it already.
    FromCache,
    /// By the engine, which was faster than a worker here that began later.
    Overtook,
    /// Here, by a worker that was faster.
    Overtaken,
    /// Here, since the engine's compiler had something to say about it.
    Said,
    /// Here, since the engine failed.
    Failed,
}

impl RemoteOutcome {
    /// Its name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            RemoteOutcome::Made => "made",
            RemoteOutcome::FromCache => "from cache",
            RemoteOutcome::Overtook => "faster than here",
            RemoteOutcome::Overtaken => "slower than here",
            RemoteOutcome::Said => "with findings",
            RemoteOutcome::Failed => "failed",
        }
    }

    /// Whether the object comes from the engine.
    pub fn is_remote(self) -> bool {
        matches!(self, RemoteOutcome::Made | RemoteOutcome::FromCache | RemoteOutcome::Overtook)
    }
}

/// How an engine ran a unit.
#[derive(Clone, Debug)]
pub struct RemoteRun {
    /// What came of it.
    pub outcome: RemoteOutcome,
    /// When it was given to the engine.
    pub begun: Instant,
    /// From then to its answer, or to the moment when it was not needed any more.
    pub wall: Duration,
    /// The time in the engine's queue.
    pub queued: Duration,
    /// The time of execution.
    pub ran: Duration,
    /// The machine that ran it, as the engine names it.
    pub worker: String,
    /// Bytes sent for it.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
}

impl RemoteRun {
    /// Its place in a timeline.
    pub(crate) fn span(&self, name: Arc<str>) -> Elsewhere {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let mut texts = vec![("outcome", self.outcome.name().to_owned())];
        texts.extend((!self.worker.is_empty()).then(|| ("worker", self.worker.clone())));
        Elsewhere {
            name,
            begun: self.begun,
            wall: self.wall,
            steps: vec![("queue", self.queued), ("execution", self.ran)],
            numbers: vec![
                ("queue_us", micros(self.queued)),
                ("execution_us", micros(self.ran)),
                ("sent_bytes", self.sent),
                ("received_bytes", self.received),
            ],
            texts,
        }
    }
}

/// What an engine did in a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteUsed {
    /// The name of the engine.
    pub engine: String,
    /// The most units that were to be under way at once, and that were.
    pub slots: (usize, usize),
    /// Units that were given to it.
    pub started: usize,
    /// The last failure.
    pub failure: Option<String>,
    /// What to warn of: why it was not used any more.
    pub warning: Option<String>,
}

/// The use of an engine in one build.
#[derive(Debug)]
pub(crate) struct Remote {
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) limits: RemoteLimits,
    slots: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    under_way: usize,
    most: usize,
    started: usize,
    answered: usize,
    overtaken: usize,
    failed_in_a_row: u32,
    /// The last failure.
    failure: Option<String>,
    /// The reason why the engine is not used any more.
    off: Option<String>,
}

impl Remote {
    /// The use of `engine` by a build that begins.
    pub(crate) fn new(engine: Arc<dyn Engine>, limits: RemoteLimits) -> Arc<Remote> {
        let slots = engine.slots().min(if limits.jobs == 0 { usize::MAX } else { limits.jobs });
        Arc::new(Remote { engine, limits, slots, state: Mutex::default() })
    }

    /// Whether a unit could be given to the engine now.
    pub(crate) fn is_open(&self) -> bool {
        let state = lock(&self.state);
        state.off.is_none() && state.under_way < self.slots
    }

    /// The number of units that the engine has been given and not answered.
    pub(crate) fn under_way(&self) -> usize {
        lock(&self.state).under_way
    }

    /// A slot for a unit, if one is free and the engine is used.
    pub(crate) fn slot(self: &Arc<Remote>) -> Option<Slot> {
        let mut state = lock(&self.state);
        if state.off.is_some() || state.under_way >= self.slots {
            return None;
        }
        state.under_way += 1;
        state.started += 1;
        state.most = state.most.max(state.under_way);
        Some(Slot(Arc::clone(self)))
    }

    /// Records that the engine ran a unit, whatever came of it.
    pub(crate) fn has_answered(&self) {
        let mut state = lock(&self.state);
        state.failed_in_a_row = 0;
        state.answered += 1;
    }

    /// Records that a worker here was faster.
    pub(crate) fn was_overtaken(&self) {
        lock(&self.state).overtaken += 1;
    }

    /// Records that the engine did not run a unit.
    pub(crate) fn has_failed(&self, error: &EngineError) {
        let mut state = lock(&self.state);
        match error {
            EngineError::Cancelled => return,
            EngineError::Refused(_) => state.failed_in_a_row = u32::MAX,
            EngineError::Failed(_) => state.failed_in_a_row = state.failed_in_a_row.saturating_add(1),
        }
        let why = plain(&error.to_string());
        if state.failed_in_a_row >= self.limits.failures {
            state.off.get_or_insert_with(|| why.clone());
        }
        state.failure = Some(why);
    }

    /// What the engine did.
    pub(crate) fn used(&self) -> RemoteUsed {
        let state = lock(&self.state);
        // Of an engine that runs nothing, the user should know even where few units were given to it.
        let never = || {
            let patience = self.limits.patience.as_secs_f64();
            let none = (state.overtaken > 0).then(|| format!("no answer within {patience} s"));
            state.failure.clone().or(none).filter(|_| state.answered == 0)
        };
        let engine = plain(&self.engine.name());
        let warning = match (&state.off, never()) {
            (Some(why), _) => Some(format!("{engine} was not used any more: {why}")),
            (None, Some(why)) => Some(format!("{engine} compiled nothing: {why}")),
            (None, None) => None,
        };
        RemoteUsed {
            engine,
            slots: (self.slots, state.most),
            started: state.started,
            failure: state.failure.clone(),
            warning,
        }
    }
}

/// The slot of a unit that is under way, until it is dropped.
#[derive(Debug)]
pub(crate) struct Slot(Arc<Remote>);

impl Slot {
    /// The use of the engine.
    pub(crate) fn remote(&self) -> &Arc<Remote> {
        &self.0
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.0.state).under_way -= 1;
    }
}

/// A text of an engine, as one line of bounded length.
pub(crate) fn plain(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SAID).collect();
    plain.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Cancel, OnAnswer, RemoteUnit};

    #[derive(Debug)]
    struct Idle;

    impl Cancel for Idle {
        fn cancel(&self) {}
    }

    impl Engine for Idle {
        fn start(&self, _: RemoteUnit, _: OnAnswer) -> Box<dyn Cancel> {
            Box::new(Idle)
        }
        fn slots(&self) -> usize {
            3
        }
        fn name(&self) -> String {
            "idle".to_owned()
        }
    }

    fn remote(jobs: usize) -> Arc<Remote> {
        Remote::new(Arc::new(Idle), RemoteLimits { jobs, ..RemoteLimits::default() })
    }

    #[test]
    fn slots_are_limited_and_come_back() {
        for (jobs, most) in [(0, 3), (2, 2), (9, 3)] {
            let remote = remote(jobs);
            let slots: Vec<Slot> = std::iter::from_fn(|| remote.slot()).collect();
            assert_eq!((slots.len(), remote.under_way(), remote.is_open()), (most, most, false));
            drop(slots);
            assert!(remote.is_open() && remote.under_way() == 0);
            assert_eq!((remote.used().slots, remote.used().started), ((most, most), most));
        }
    }

    #[test]
    fn failures_in_a_row_and_refusals_end_its_use() {
        let failed = EngineError::Failed("connection\nlost".to_owned());
        let remote = remote(0);
        for _ in 0..2 {
            for _ in 1..3 {
                remote.has_failed(&failed);
            }
            remote.has_failed(&EngineError::Cancelled);
            assert!(remote.is_open());
            remote.has_answered();
        }
        for _ in 0..3 {
            remote.has_failed(&failed);
        }
        assert!(!remote.is_open() && remote.slot().is_none());
        assert_eq!(remote.used().warning.as_deref(), Some("idle was not used any more: connection lost"));
        let refusing = super::Remote::new(Arc::new(Idle), RemoteLimits::default());
        refusing.has_failed(&EngineError::Refused("no such instance".to_owned()));
        assert!(!refusing.is_open() && refusing.used().warning.is_some_and(|why| why.contains("no such instance")));
    }

    #[test]
    fn an_engine_that_never_answers_is_said() {
        let remote = remote(0);
        assert_eq!(remote.used().warning, None);
        remote.was_overtaken();
        assert_eq!(remote.used().warning.as_deref(), Some("idle compiled nothing: no answer within 2 s"));
        remote.has_answered();
        assert_eq!(remote.used().warning, None);
    }
}
