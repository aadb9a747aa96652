//! Actions before a signal ends the process: registered ones, and a last message.
//!
//! The registry is locked while they run and stays locked: a commit of a temporary has either
//! completed, or never happens.
//!
//! Without a thread for signals nothing is registered, and nothing locked: a host of a library may
//! fork at any moment, and its child would find the lock taken.

use crate::lock::lock;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

type Action = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Registry {
    next: u64,
    actions: BTreeMap<u64, Action>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { next: 0, actions: BTreeMap::new() });

/// Whether a thread runs the actions.
static ENABLED: AtomicBool = AtomicBool::new(false);

/// Registers actions from now on: a thread will run them.
pub(crate) fn enable() {
    ENABLED.store(true, Ordering::Relaxed);
}

fn registry() -> MutexGuard<'static, Registry> {
    lock(&REGISTRY)
}

/// Runs all actions, then `end`, which should not return. Nothing is registered or committed
/// meanwhile.
pub(crate) fn run_exit_actions(end: impl FnOnce()) {
    let mut registry = registry();
    for (_, action) in std::mem::take(&mut registry.actions) {
        action();
    }
    end();
}

/// Writes the last message of a process.
pub(crate) fn write_last_message(text: &str) {
    let _ = writeln!(std::io::stderr(), "raddle: {text}");
}

/// An action that runs if a signal ends the process; unregistered on drop.
#[derive(Debug)]
#[must_use = "dropping it forgets the action"]
pub struct ExitAction {
    /// `None` where no thread would run it.
    number: Option<u64>,
}

impl ExitAction {
    /// Registers an action. It runs on the signal thread; it must not register or unregister
    /// others.
    pub fn new(action: impl FnOnce() + Send + 'static) -> ExitAction {
        if !ENABLED.load(Ordering::Relaxed) {
            return ExitAction { number: None };
        }
        let mut registry = registry();
        let number = registry.next;
        registry.next += 1;
        registry.actions.insert(number, Box::new(action));
        ExitAction { number: Some(number) }
    }

    /// Runs `commit` and unregisters the action, with no signal in between.
    pub fn commit<T>(mut self, commit: impl FnOnce() -> T) -> T {
        let Some(number) = self.number.take() else { return commit() };
        let mut registry = registry();
        let result = commit();
        registry.actions.remove(&number);
        result
    }
}

impl Drop for ExitAction {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            registry().actions.remove(&number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_forgotten_when_committed_or_dropped() {
        assert!(ExitAction::new(|| ()).number.is_none());
        enable();
        let kept = ExitAction::new(|| ());
        let committed = ExitAction::new(|| ());
        let number = committed.number.unwrap();
        assert!(registry().actions.contains_key(&number));
        assert_eq!(committed.commit(|| 5), 5);
        assert!(!registry().actions.contains_key(&number));
        let number = kept.number.unwrap();
        drop(kept);
        assert!(!registry().actions.contains_key(&number));
    }
}
