//! Cooperative cancellation: a flag that tasks check between steps, and that wakes sleeping
//! threads.

use crate::lock::lock;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};

/// A sleeping thread to wake on cancellation.
#[cfg_attr(loom, allow(dead_code, reason = "the pool, which sleeps, is not in the model"))]
pub(crate) trait Sleeper: Send + Sync {
    /// Wakes it.
    fn wake(&self);
}

/// A cancellation flag, shared by the code that sets it and the code that checks it. Cheap to
/// clone; never reset.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Default)]
struct State {
    flag: Arc<AtomicBool>,
    heirs: Mutex<Vec<Heir>>,
}

/// The waiters notified of a cancellation.
enum Heir {
    Child(Weak<State>),
    Sleeper(Weak<dyn Sleeper>),
}

impl Heir {
    fn is_gone(&self) -> bool {
        match self {
            Heir::Child(child) => child.strong_count() == 0,
            Heir::Sleeper(sleeper) => sleeper.strong_count() == 0,
        }
    }
}

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Cancels the token.
    pub fn cancel(&self) {
        let mut open = vec![Arc::clone(&self.0)];
        while let Some(state) = open.pop() {
            state.flag.store(true, Ordering::Release);
            for heir in lock(&state.heirs).drain(..) {
                match heir {
                    Heir::Child(child) => open.extend(child.upgrade()),
                    Heir::Sleeper(sleeper) => drop(sleeper.upgrade().map(|sleeper| sleeper.wake())),
                }
            }
        }
    }

    /// Whether the token is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.flag.load(Ordering::Acquire)
    }

    /// A token that is cancelled together with this one, or separately.
    pub fn child(&self) -> CancelToken {
        let child = CancelToken::new();
        if !self.tell(Heir::Child(Arc::downgrade(&child.0))) {
            child.cancel();
        }
        child
    }

    /// Wakes the sleeper when the token is cancelled; at once if it is already.
    #[cfg_attr(loom, allow(dead_code, reason = "the pool, which sleeps, is not in the model"))]
    pub(crate) fn wakes<S: Sleeper + 'static>(&self, sleeper: &Arc<S>) {
        let weak: Weak<S> = Arc::downgrade(sleeper);
        if !self.tell(Heir::Sleeper(weak)) {
            sleeper.wake();
        }
    }

    /// Adds an heir; returns `false` if the token is cancelled and no longer notifies.
    fn tell(&self, heir: Heir) -> bool {
        let mut heirs = lock(&self.0.heirs);
        // Cancelling sets the flag first and then takes the lock: either the flag is seen here, or
        // the heir is seen there.
        if self.is_cancelled() {
            return false;
        }
        if heirs.len() == heirs.capacity() {
            heirs.retain(|heir| !heir.is_gone());
        }
        heirs.push(heir);
        true
    }

    /// The underlying flag, for crates that do not depend on this one.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.flag)
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CancelToken").field(&self.is_cancelled()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_cancelled_with_their_parent_or_alone() {
        let parent = CancelToken::new();
        let (first, second) = (parent.child(), parent.child());
        first.cancel();
        assert!(first.is_cancelled() && !second.is_cancelled() && !parent.is_cancelled());
        parent.cancel();
        assert!(second.is_cancelled() && parent.child().is_cancelled());
    }

    #[test]
    fn unheld_tokens_are_forgotten() {
        let parent = CancelToken::new();
        for _ in 0..10_000 {
            drop(parent.child());
        }
        assert!(parent.0.heirs.lock().unwrap().capacity() < 100);
    }
}
