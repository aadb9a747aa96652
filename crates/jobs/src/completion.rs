//! The end of work outside of the pool, for which a task waits.

use crate::doorbell::Doorbell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The end of work that something outside of the pool does for a task
/// ([`TaskResult::Waits`](crate::TaskResult::Waits)). Cheap to clone; never reset.
#[derive(Clone, Debug)]
pub struct Completion(Arc<State>);

#[derive(Debug)]
struct State {
    complete: AtomicBool,
    doorbell: Arc<Doorbell>,
}

impl Completion {
    pub(crate) fn new(doorbell: &Arc<Doorbell>) -> Completion {
        Completion(Arc::new(State { complete: AtomicBool::new(false), doorbell: Arc::clone(doorbell) }))
    }

    /// Ends the wait. May be called from any thread, also before the task waits, and after the pool
    /// has ended.
    pub fn complete(&self) {
        self.0.complete.store(true, Ordering::Release);
        self.0.doorbell.ring();
    }

    /// Whether [`Completion::complete`] was called.
    pub fn is_complete(&self) -> bool {
        self.0.complete.load(Ordering::Acquire)
    }
}
