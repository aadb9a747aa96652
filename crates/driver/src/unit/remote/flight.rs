//! A unit between its start by an engine and its answer.

use crate::engine::{Answer, Cancel, EngineError, RemoteUnit};
use crate::remote::{Remote, Slot};
use raddle_jobs::lock::lock;
use raddle_jobs::{CancelToken, Completion};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A unit that is under way. Dropping it cancels it, if there is no answer.
pub struct Flight {
    shared: Arc<Shared>,
    cancel: Box<dyn Cancel>,
}

/// What it shares with the engine.
struct Shared {
    remote: Arc<Remote>,
    completion: Completion,
    state: Mutex<State>,
}

struct State {
    answer: Option<Result<Answer, EngineError>>,
    /// When it was answered.
    ended: Option<Instant>,
    /// Its slot, until it is answered or not needed any more.
    slot: Option<Slot>,
    /// The compilation here that an answer makes useless.
    racing: Option<CancelToken>,
    /// Whether an answer has cancelled that.
    has_overtaken: bool,
}

impl Flight {
    /// Gives a unit to the engine of a slot. `completion` is told of its answer.
    pub fn start(slot: Slot, unit: RemoteUnit, completion: Completion) -> Flight {
        let remote = Arc::clone(slot.remote());
        let state = State { answer: None, ended: None, slot: Some(slot), racing: None, has_overtaken: false };
        let shared = Arc::new(Shared { remote: Arc::clone(&remote), completion, state: Mutex::new(state) });
        let told = Arc::clone(&shared);
        let cancel = remote.engine.start(unit, Box::new(move |answer| told.answered(answer)));
        Flight { shared, cancel }
    }

    /// What is told of the answer.
    pub fn completion(&self) -> Completion {
        self.shared.completion.clone()
    }

    /// The use of its engine.
    pub fn remote(&self) -> &Remote {
        &self.shared.remote
    }

    /// The time after which idle workers compile the unit, too.
    pub fn patience(&self) -> Duration {
        self.shared.remote.limits.patience
    }

    /// Takes the answer, if there is one that was not taken.
    pub fn answer(&self) -> Option<Result<Answer, EngineError>> {
        lock(&self.shared.state).answer.take()
    }

    /// When it was answered; now, if it was not.
    pub fn ended(&self) -> Instant {
        lock(&self.shared.state).ended.unwrap_or_else(Instant::now)
    }

    /// From now on an answer with an object cancels `local`.
    pub fn race(&self, local: &CancelToken) {
        let mut state = lock(&self.shared.state);
        match &state.answer {
            Some(answer) if is_promising(answer) => {
                state.has_overtaken = true;
                drop(state);
                local.cancel();
            }
            _ => state.racing = Some(local.clone()),
        }
    }

    /// Whether an answer has cancelled the compilation here.
    pub fn has_overtaken(&self) -> bool {
        lock(&self.shared.state).has_overtaken
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        let is_answered = state.ended.is_some();
        let slot = state.slot.take();
        state.racing = None;
        drop(state);
        if !is_answered {
            self.cancel.cancel();
        }
        drop(slot);
    }
}

impl Shared {
    fn answered(&self, answer: Result<Answer, EngineError>) {
        if let Err(error) = &answer {
            self.remote.has_failed(error);
        }
        let mut state = lock(&self.state);
        if state.ended.is_some() {
            return;
        }
        let racing = state.racing.take().filter(|_| is_promising(&answer));
        state.has_overtaken = racing.is_some();
        (state.ended, state.answer) = (Some(Instant::now()), Some(answer));
        let slot = state.slot.take();
        drop(state);
        drop(slot);
        if let Some(racing) = racing {
            racing.cancel();
        }
        self.completion.complete();
    }
}

/// Whether an answer is likely to have an object.
fn is_promising(answer: &Result<Answer, EngineError>) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.status == 0)
}
