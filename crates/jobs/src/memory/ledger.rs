//! A ledger of the memory of all builds of one user that share a limit (decision D12).
//!
//! **Problem.** Each of 48 builds fits alone, but not all together, and they do not know of each
//! other. **Strategy.** A folder has one file per process. It contains the memory that its process
//! holds anyway (its base) and its memory for units. Its owner keeps it locked, so that the file of
//! a dead process is recognised by its free lock, and removed by the next process that finds it.
//! Every change is made under the lock of one more file.
//!
//! A build whose next unit has been refused for [`FAIR`] takes precedence: until it has the memory
//! for that unit, builds that began to wait later get no more. So small units of builds that come
//! and go cannot starve a large one. It takes precedence for [`TURN`], then not for as long, and so
//! on: where limits differ, it may wait for a unit that takes minutes and that does not wait itself.
//!
//! **Invariants.** Units are granted at most what the limit leaves after all claims, with one
//! exception: while no build has memory for units, a request is granted what the next unit needs,
//! so that every build completes. A base is recorded, never refused.

use rustix::time::{ClockId, clock_gettime};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The limit for waiting at the gate: a change takes some tens of microseconds.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time that a build waits for memory before it takes precedence.
const FAIR: Duration = Duration::from_millis(500);

/// The time for which a waiting build takes precedence, and for which it does not.
const TURN: Duration = Duration::from_secs(4);

/// A waiting build repeats its request ([`super::Budget::AGAIN`]): after this time without one it
/// has been stopped, and others do not wait for it.
const GONE: Duration = Duration::from_secs(2);

/// The memory that a process claims, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Memory that it holds regardless of running units: input, results.
    pub base: u64,
    /// Memory that its running units may use.
    pub units: u64,
}

/// The page of a process in the ledger; removed on drop.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    gate: File,
    page: File,
    path: PathBuf,
    own: Claim,
    /// The time since when its next unit has been refused.
    waits: Option<Duration>,
}

/// The total claims of all others, and the one that has waited longest.
#[derive(Clone, Copy, Debug, Default)]
struct Others {
    claim: Claim,
    /// The start of its wait.
    first: Option<Duration>,
}

impl Ledger {
    /// The user's ledger for a limit with this name: in the folder for files of running programs,
    /// or for temporary ones.
    pub fn folder(limit: &str) -> PathBuf {
        let safe: String = limit.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let user = rustix::process::getuid().as_raw();
        match std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| Path::new(folder).is_dir()) {
            Some(folder) => PathBuf::from(folder).join(format!("raddle-{safe}")),
            None => std::env::temp_dir().join(format!("raddle-{user}-{safe}")),
        }
    }

    /// Opens a page in the ledger of this folder, which is created if it does not exist.
    ///
    /// # Errors
    /// The error of the operating system; a folder of another user.
    pub fn open(folder: &Path) -> io::Result<Ledger> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let meta = fs::symlink_metadata(folder)?;
        if !meta.is_dir() || meta.uid() != rustix::process::getuid().as_raw() {
            // In a shared folder for temporary files another user may have created it.
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let gate = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join("lock"))?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}-{number}.claim", std::process::id()));
        enter(&gate)?;
        let page = OpenOptions::new().create(true).truncate(true).read(true).write(true).open(&path).and_then(|page| {
            page.lock()?;
            Ok(page)
        });
        gate.unlock()?;
        let mut ledger =
            Ledger { folder: folder.to_path_buf(), gate, page: page?, path, own: Claim::default(), waits: None };
        ledger.note(Duration::ZERO)?;
        Ok(ledger)
    }

    /// The total claims of all others, in bytes.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn claimed(&self) -> io::Result<u64> {
        enter(&self.gate)?;
        let others = self.others(now());
        self.gate.unlock()?;
        others.map(|others| others.claim.base.saturating_add(others.claim.units))
    }

    /// The claim of this process.
    pub fn own(&self) -> Claim {
        self.own
    }

    /// Records `base` and requests `most` bytes for units, of which `least` are enough. Returns the
    /// grant: as much as `limit` leaves, at most `most`; at least `held`, which is in use, and at
    /// least `least` while no build has memory for units. With `back_off` it is not above that
    /// minimum.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn claim(&mut self, base: u64, ask: Ask, limit: u64, back_off: bool) -> io::Result<u64> {
        self.claim_at(now(), base, ask, limit, back_off)
    }

    fn claim_at(&mut self, now: Duration, base: u64, ask: Ask, limit: u64, back_off: bool) -> io::Result<u64> {
        enter(&self.gate)?;
        let result = self.others(now).and_then(|Others { claim: others, first }| {
            // A build that has waited longer takes precedence.
            let back_off = back_off || first.is_some_and(|first| self.waits.is_none_or(|own| first < own));
            // The page of another process may contain anything.
            let taken = [others.units, base].into_iter().fold(others.base, u64::saturating_add);
            let room = limit.saturating_sub(taken);
            let room = if back_off { 0 } else { room.min(ask.most) };
            let alone = if others.units == 0 && ask.held == 0 { ask.least } else { 0 };
            self.own = Claim { base, units: room.max(ask.held).max(alone) };
            let refused = self.own.units < ask.least;
            self.waits = refused.then(|| self.waits.unwrap_or(now));
            self.note(now)
        });
        self.gate.unlock()?;
        result.map(|()| self.own.units)
    }

    /// The total claims of all others, and the longest wait above [`FAIR`]; removes pages of dead
    /// processes. Needs the gate's lock.
    fn others(&self, now: Duration) -> io::Result<Others> {
        let mut others = Others::default();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path == self.path || path.extension().is_none_or(|extension| extension != "claim") {
                continue;
            }
            // It may have been removed.
            let Ok(mut page) = File::open(&path) else { continue };
            match page.try_lock_shared() {
                Ok(()) => {
                    let _ = fs::remove_file(&path);
                }
                Err(TryLockError::WouldBlock) => {
                    let mut bytes = Vec::new();
                    // A page that is being created is empty.
                    let _ = page.read_to_end(&mut bytes);
                    let mut numbers =
                        bytes.chunks_exact(8).map(|n| n.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
                    let mut number = || numbers.next().unwrap_or(0);
                    let claim = &mut others.claim;
                    claim.base = claim.base.saturating_add(number());
                    claim.units = claim.units.saturating_add(number());
                    let (since, asked) = (Duration::from_millis(number()), Duration::from_millis(number()));
                    let waits = !since.is_zero() && now < asked + GONE && has_turn(now.saturating_sub(since));
                    let first = others.first.filter(|&first| first <= since);
                    others.first = if waits { first.or(Some(since)) } else { others.first };
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(others)
    }

    /// Writes four numbers: base, units, the time since when the next unit has been refused (0: it
    /// has not), the time of the request.
    fn note(&mut self, now: Duration) -> io::Result<()> {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let numbers = [self.own.base, self.own.units, self.waits.map_or(0, |since| ms(since).max(1)), ms(now)];
        self.page.rewind()?;
        self.page.write_all(&numbers.map(u64::to_le_bytes).concat())
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        // The next process that reads the ledger removes what is left.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether a build that has waited for so long takes precedence now.
fn has_turn(waited: Duration) -> bool {
    waited >= FAIR && ((waited - FAIR).as_millis() / TURN.as_millis()).is_multiple_of(2)
}

/// Locks a gate; gives up if its owner was stopped.
fn enter(gate: &File) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match gate.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if begun.elapsed() > PATIENCE => return Err(io::ErrorKind::TimedOut.into()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_micros(200)),
        }
    }
}

/// The machine's monotonic clock, the same for all processes.
fn now() -> Duration {
    let time = clock_gettime(ClockId::Monotonic);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// The memory that units need, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Memory held by running units.
    pub held: u64,
    /// The same with the next unit.
    pub least: u64,
    /// The same with all units that could run now.
    pub most: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ask(held: u64, least: u64, most: u64) -> Ask {
        Ask { held, least, most }
    }

    #[test]
    fn what_is_granted_never_exceeds_the_limit_but_for_one() {
        let dir = tempfile::tempdir().unwrap();
        let (mut a, mut b) = (Ledger::open(dir.path()).unwrap(), Ledger::open(dir.path()).unwrap());
        assert_eq!(a.claim(10, ask(0, 20, 60), 100, false).unwrap(), 60);
        assert_eq!(b.claim(10, ask(0, 20, 60), 100, false).unwrap(), 20);
        assert_eq!(b.claim(10, ask(20, 40, 60), 100, false).unwrap(), 20, "no more is left");
        assert_eq!(a.claim(10, ask(30, 30, 30), 100, true).unwrap(), 30);
        assert_eq!(b.claim(10, ask(20, 40, 60), 100, false).unwrap(), 50);
        assert_eq!(b.claim(10, ask(20, 40, 60), 100, true).unwrap(), 20, "memory is short");
        assert_eq!(a.claim(10, ask(0, 0, 0), 100, false).unwrap(), 0);
        // A unit that never fits runs alone.
        assert_eq!(b.claim(10, ask(0, 500, 900), 100, false).unwrap(), 500);
        assert_eq!(a.claim(10, ask(0, 5, 5), 100, false).unwrap(), 0);
        assert_eq!(b.own(), Claim { base: 10, units: 500 });
        // A page with any value only blocks the others.
        assert_eq!(b.claim(u64::MAX, ask(u64::MAX, 1, 1), 100, false).unwrap(), u64::MAX);
        assert_eq!(a.claim(10, ask(0, 5, 5), 100, false).unwrap(), 0);
    }

    #[test]
    fn a_great_unit_is_not_kept_waiting_by_small_ones_that_come_and_go() {
        let dir = tempfile::tempdir().unwrap();
        let [mut small, mut great, mut late] = [(); 3].map(|()| Ledger::open(dir.path()).unwrap());
        let at = Duration::from_secs;
        let claim = |who: &mut Ledger, now, ask| who.claim_at(now, 0, ask, 100, false).unwrap();
        assert_eq!(claim(&mut small, at(10), ask(0, 30, 60)), 60);
        assert_eq!(claim(&mut great, at(10), ask(0, 80, 80)), 40, "not enough: it waits");
        assert_eq!(claim(&mut small, at(10), ask(30, 60, 60)), 60, "for a moment this is allowed");
        // One of the two small units has ended, and another one comes: it gets no memory while the
        // large one waits.
        assert_eq!(claim(&mut great, at(11), ask(0, 80, 80)), 40);
        assert_eq!(claim(&mut small, at(11), ask(30, 60, 60)), 30);
        assert_eq!(claim(&mut late, at(11), ask(0, 1, 1)), 0);
        assert_eq!(claim(&mut great, at(12), ask(0, 80, 80)), 70);
        assert_eq!(claim(&mut small, at(12), ask(0, 30, 60)), 0);
        assert_eq!(claim(&mut great, at(12), ask(0, 80, 80)), 100 - 20, "it has what it needs");
        assert_eq!(claim(&mut great, at(12), ask(0, 0, 0)), 0);
        assert_eq!(claim(&mut late, at(12), ask(0, 1, 1)), 1);
        assert_eq!(claim(&mut small, at(12), ask(0, 30, 60)), 60);
    }

    #[test]
    fn a_build_with_too_low_a_limit_holds_others_up_for_a_while_only() {
        let dir = tempfile::tempdir().unwrap();
        let [mut long, mut little, mut other] = [(); 3].map(|()| Ledger::open(dir.path()).unwrap());
        let at = Duration::from_secs;
        let claim = |who: &mut Ledger, now, limit| who.claim_at(at(now), 0, ask(0, 20, 20), limit, false).unwrap();
        assert_eq!(long.claim_at(at(10), 0, ask(0, 50, 50), 100, false).unwrap(), 50);
        // The long unit alone has more than this build may use together with others.
        for (now, granted) in [(10, 20), (11, 0), (14, 0), (15, 20), (18, 20), (19, 0), (23, 20)] {
            assert_eq!(claim(&mut little, now, 40), 0, "{now}");
            assert_eq!(claim(&mut other, now, 100), granted, "{now}");
            other.claim_at(at(now), 0, ask(0, 0, 0), 100, false).unwrap();
        }
        long.claim_at(at(24), 0, ask(0, 0, 0), 100, false).unwrap();
        assert_eq!(claim(&mut little, 24, 40), 20);
    }

    #[test]
    fn no_build_waits_for_one_that_was_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let [mut one, mut stopped] = [(); 2].map(|()| Ledger::open(dir.path()).unwrap());
        let at = Duration::from_secs;
        let claim = |who: &mut Ledger, now, ask| who.claim_at(now, 0, ask, 100, false).unwrap();
        assert_eq!(claim(&mut one, at(10), ask(0, 30, 30)), 30);
        assert_eq!(claim(&mut stopped, at(10), ask(0, 90, 90)), 70);
        assert_eq!(claim(&mut one, at(11), ask(30, 30, 31)), 30);
        assert_eq!(claim(&mut one, at(20), ask(0, 30, 30)), 30);
    }

    #[test]
    fn claims_die_with_their_process() {
        let dir = tempfile::tempdir().unwrap();
        let mut a = Ledger::open(dir.path()).unwrap();
        let b = Ledger::open(dir.path()).unwrap();
        // A page whose owner was killed: its lock is free.
        fs::write(dir.path().join("1-0.claim"), [0xff; 16]).unwrap();
        assert_eq!(a.claim(0, ask(0, 1, 70), 100, false).unwrap(), 70);
        assert!(!dir.path().join("1-0.claim").exists());
        drop(b);
        drop(a);
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["lock"]);
        assert!(Ledger::open(Path::new("/proc/no")).is_err());
        assert!(Ledger::folder("/sys/fs").to_string_lossy().ends_with("-sys-fs"));
    }
}
