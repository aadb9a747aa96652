//! Cooperative cancellation: a flag that tasks look at between steps, and that wakes whoever sleeps.

use crate::lock::lock;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};

/// Something that sleeps and wants to hear of a cancellation.
#[cfg_attr(loom, allow(dead_code, reason = "the pool, which sleeps, is not in the model"))]
pub(crate) trait Sleeper: Send + Sync {
    /// Wakes it.
    fn wake(&self);
}

/// A flag shared by everyone who may cancel and everyone who has to notice. Cheap to clone; never goes back.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<State>);

#[derive(Default)]
struct State {
    flag: Arc<AtomicBool>,
    heirs: Mutex<Vec<Heir>>,
}

/// Who is told of a cancellation.
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
    /// A token nobody has cancelled yet.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Asks everyone to stop.
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

    /// Whether somebody has asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.flag.load(Ordering::Acquire)
    }

    /// A token that is cancelled with this one, or alone.
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

    /// Adds an heir; `false` if the token is cancelled and nobody will be told any more.
    fn tell(&self, heir: Heir) -> bool {
        let mut heirs = lock(&self.0.heirs);
        // Whoever cancels sets the flag first and then takes the lock: either we see the flag, or it sees the heir.
        if self.is_cancelled() {
            return false;
        }
        if heirs.len() == heirs.capacity() {
            heirs.retain(|heir| !heir.is_gone());
        }
        heirs.push(heir);
        true
    }

    /// The flag itself, for crates that do not depend on this one.
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
    fn tokens_nobody_holds_are_forgotten() {
        let parent = CancelToken::new();
        for _ in 0..10_000 {
            drop(parent.child());
        }
        assert!(parent.0.heirs.lock().unwrap().capacity() < 100);
    }
}
