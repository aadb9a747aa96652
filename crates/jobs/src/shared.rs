//! Job slots that all compilations of a process share, where it compiles through a library.
//!
//! **Problem.** A host may compile in as many threads as it likes; if each took the slots of a
//! command, a process would run that many times too many threads. **Strategy.** A process has one
//! set of slots: as many as there are CPUs (or `RADDLE_JOBS`), or under a make its implicit slot
//! and the tokens of its jobserver. A compilation waits for one slot, and takes more only while
//! they are free and it has kernels for them; it keeps them to its end.
//!
//! **Invariants.** All compilations of a process together never run more tasks than it has slots.
//! A forked process has slots of its own: the set is found by the number of the process, and no
//! lock of the parent is taken.

use crate::jobserver::{self, Client, Found, Token};
use crate::{cpus, lock};
use std::sync::{Condvar, Mutex, OnceLock};
use std::time::Duration;

/// The pause between two requests to a jobserver: the implicit slot, which has no descriptor to
/// wait for, may become free as well.
const AGAIN: Duration = Duration::from_millis(20);

/// The slots of a process.
#[derive(Debug)]
pub struct Slots {
    limit: usize,
    used: Mutex<usize>,
    freed: Condvar,
    make: Option<Client>,
}

/// Slots that a compilation holds until this is dropped.
#[derive(Debug)]
#[must_use = "dropping it gives the slots back"]
pub struct Lease<'a> {
    slots: &'a Slots,
    count: usize,
    tokens: Vec<Token>,
}

/// The slots of one process, and of processes forked from it.
struct Process {
    number: u32,
    slots: Slots,
    forked: OnceLock<Box<Process>>,
}

impl Process {
    fn this() -> Process {
        Process { number: std::process::id(), slots: Slots::of_environment(), forked: OnceLock::new() }
    }
}

static FIRST: OnceLock<Box<Process>> = OnceLock::new();

/// The slots of this process.
pub fn of_process() -> &'static Slots {
    let number = std::process::id();
    let mut process = FIRST.get_or_init(|| Box::new(Process::this()));
    while process.number != number {
        process = process.forked.get_or_init(|| Box::new(Process::this()));
    }
    &process.slots
}

impl Slots {
    /// `limit` slots, or the tokens of a make up to that number.
    fn new(limit: usize, make: Option<Client>) -> Slots {
        Slots { limit: limit.max(1), used: Mutex::new(0), freed: Condvar::new(), make }
    }

    /// The slots that the environment describes. A jobserver that cannot be used leaves the
    /// implicit slot: messages would have no reader.
    fn of_environment() -> Slots {
        let asked = std::env::var("RADDLE_JOBS").ok().and_then(|text| text.parse().ok()).filter(|&jobs| jobs > 0);
        let most = asked.unwrap_or_else(cpus::available);
        match jobserver::connect(std::env::var_os("MAKEFLAGS").as_deref()) {
            Found::Client(client) => Slots::new(most, Some(client)),
            Found::Absent(why) if !why.is_one_slot() => Slots::new(most, None),
            Found::Absent(_) | Found::Broken(_) => Slots::new(asked.unwrap_or(1), None),
        }
    }

    /// Waits for a slot and takes up to `wanted`, at least one.
    pub fn lease(&self, wanted: usize) -> Lease<'_> {
        let mut lease = Lease { slots: self, count: 0, tokens: Vec::new() };
        let mut used = lock::lock(&self.used);
        loop {
            while lease.count < wanted.max(1) && *used < self.limit {
                if let Some(client) = &self.make {
                    let Some(token) = client.try_acquire() else { break };
                    lease.tokens.push(token);
                }
                *used += 1;
                lease.count += 1;
            }
            if lease.count > 0 {
                return lease;
            }
            used = match (&self.make, self.freed.wait_timeout(used, AGAIN)) {
                (_, Ok((used, _))) => used,
                // A panic of another thread left the number as it was.
                (_, Err(poisoned)) => poisoned.into_inner().0,
            };
        }
    }
}

impl Lease<'_> {
    /// The number of slots held.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.tokens.clear();
        *lock::lock(&self.slots.used) -= self.count;
        self.slots.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_slots_are_held_than_there_are() {
        let slots = Slots::new(3, None);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for wanted in [1, 2, 3, 9, 1, 2, 0] {
                let (slots, now, most) = (&slots, &now, &most);
                scope.spawn(move || {
                    for _ in 0..50 {
                        let lease = slots.lease(wanted);
                        assert!((1..=wanted.max(1)).contains(&lease.count()));
                        most.fetch_max(
                            now.fetch_add(lease.count(), Ordering::SeqCst) + lease.count(),
                            Ordering::SeqCst,
                        );
                        std::thread::yield_now();
                        now.fetch_sub(lease.count(), Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!((*slots.used.lock().unwrap(), now.into_inner()), (0, 0));
        assert!((1..=3).contains(&most.into_inner()));
    }

    #[test]
    fn the_slots_of_a_make_are_its_implicit_slot_and_its_tokens() {
        let mut command = std::process::Command::new("make");
        let folder = tempfile::tempdir().unwrap();
        let test = std::env::current_exe().unwrap();
        let rule = format!("all:\n\t+{} --exact shared::tests::under_make --nocapture\n", test.display());
        std::fs::write(folder.path().join("Makefile"), rule).unwrap();
        let output =
            command.args(["-j3", "-C"]).arg(folder.path()).env("RADDLE_TEST_SLOTS", "3").env("RADDLE_JOBS", "8");
        let output = output.env_remove("MAKEFLAGS").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("slots seen"),
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// The other half of the test above, which starts it under make.
    #[test]
    fn under_make() {
        let Some(slots) = std::env::var("RADDLE_TEST_SLOTS").ok().and_then(|text| text.parse::<usize>().ok()) else {
            return;
        };
        let all = of_process().lease(99);
        assert_eq!(all.count(), slots, "the implicit slot and the tokens");
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| of_process().lease(1).count());
            std::thread::sleep(AGAIN * 3);
            assert!(!waiting.is_finished(), "all slots are held");
            drop(all);
            assert_eq!(waiting.join().unwrap(), 1);
        });
        println!("slots seen");
    }
}
