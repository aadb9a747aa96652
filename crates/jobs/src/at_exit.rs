//! Actions before a signal ends the process: registered ones, and a last message.
//!
//! The registry is locked while they run and stays locked: a commit of a temporary has either
//! completed, or never happens.

use crate::lock::lock;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, MutexGuard};

type Action = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Registry {
    next: u64,
    actions: BTreeMap<u64, Action>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { next: 0, actions: BTreeMap::new() });

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
    number: u64,
}

impl ExitAction {
    /// Registers an action. It runs on the signal thread; it must not register or unregister
    /// others.
    pub fn new(action: impl FnOnce() + Send + 'static) -> ExitAction {
        let mut registry = registry();
        let number = registry.next;
        registry.next += 1;
        registry.actions.insert(number, Box::new(action));
        ExitAction { number }
    }

    /// Runs `commit` and unregisters the action, with no signal in between.
    pub fn commit<T>(self, commit: impl FnOnce() -> T) -> T {
        let mut registry = registry();
        let result = commit();
        registry.actions.remove(&self.number);
        drop(registry);
        result
    }
}

impl Drop for ExitAction {
    fn drop(&mut self) {
        registry().actions.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_forgotten_when_committed_or_dropped() {
        let kept = ExitAction::new(|| ());
        let committed = ExitAction::new(|| ());
        let number = committed.number;
        assert!(registry().actions.contains_key(&number));
        assert_eq!(committed.commit(|| 5), 5);
        assert!(!registry().actions.contains_key(&number));
        let number = kept.number;
        drop(kept);
        assert!(!registry().actions.contains_key(&number));
    }
}
