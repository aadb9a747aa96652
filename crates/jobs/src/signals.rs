//! What has to happen before a signal ends the process: unlink temporaries, give back tokens, die by the signal.
//!
//! A thread of its own waits for SIGINT, SIGTERM and SIGHUP, so that a serial phase of the coordinator does not delay
//! the end, and no work is done inside a signal handler. It takes the registry's lock and keeps it: whoever is about
//! to commit a temporary either has committed it, or never will.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

type Action = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Registry {
    next: u64,
    actions: BTreeMap<u64, Action>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { next: 0, actions: BTreeMap::new() });

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the thread that turns SIGINT, SIGTERM and SIGHUP into an orderly death. A signal that is ignored when the
/// process starts (`nohup`) stays ignored.
pub fn install() -> std::io::Result<()> {
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !ignored(signal));
    let mut signals = Signals::new(wanted)?;
    std::thread::Builder::new().name("signals".to_string()).stack_size(64 << 10).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let mut registry = registry();
            for (_, action) in std::mem::take(&mut registry.actions) {
                action();
            }
            // Restores the default action and raises the signal again; the lock is held until the end.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Whether the signal was ignored by our parent, from the mask the kernel shows.
fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// An action that runs if a signal ends the process; forgotten when this is dropped.
#[derive(Debug)]
#[must_use = "dropping it forgets the action"]
pub struct OnSignal {
    number: u64,
}

impl OnSignal {
    /// Registers an action. It runs on the signal thread; it must not register or forget others.
    pub fn new(action: impl FnOnce() + Send + 'static) -> OnSignal {
        let mut registry = registry();
        let number = registry.next;
        registry.next += 1;
        registry.actions.insert(number, Box::new(action));
        OnSignal { number }
    }

    /// Runs `commit` and forgets the action, with no signal in between.
    pub fn commit<T>(self, commit: impl FnOnce() -> T) -> T {
        let mut registry = registry();
        let result = commit();
        registry.actions.remove(&self.number);
        drop(registry);
        result
    }
}

impl Drop for OnSignal {
    fn drop(&mut self) {
        registry().actions.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_forgotten_when_committed_or_dropped() {
        let kept = OnSignal::new(|| ());
        let committed = OnSignal::new(|| ());
        let number = committed.number;
        assert!(registry().actions.contains_key(&number));
        assert_eq!(committed.commit(|| 5), 5);
        assert!(!registry().actions.contains_key(&number));
        let number = kept.number;
        drop(kept);
        assert!(!registry().actions.contains_key(&number));
    }

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        assert!(!ignored(SIGTERM));
    }
}
