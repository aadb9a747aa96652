//! Who uses how much memory: a ledger of all builds of one user that share a limit (decision D12).
//!
//! **Problem.** Each of 48 builds alone fits; together they do not, and none knows of the others. **Strategy.** A folder with
//! one file per process. A file says what its process holds anyway (its base) and what it has for units; its owner keeps it
//! locked, so that the claim of a dead process is known by its lock, which died with it, and is removed by whoever finds it.
//! Every change is made under the lock of one more file.
//!
//! A build whose next unit was refused for [`FAIR`] comes first: until it has what that unit needs, others that have begun to wait
//! later get nothing new. So a great unit is not kept waiting for ever by small ones of builds that come and go.
//!
//! **Invariants.** Units are granted at most what the limit leaves behind the claims of all, but for one: while nobody has
//! anything for units, whoever asks gets what the next one needs, so that every build comes to its end. A base is noted, never
//! refused.

use rustix::time::{ClockId, clock_gettime};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long the gate may be closed: a change takes some tens of microseconds.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a build waits for memory before others wait for it.
const FAIR: Duration = Duration::from_millis(500);

/// Whoever waits asks again all the time ([`super::Budget::AGAIN`]): one that has not asked for so long was stopped, and nobody
/// waits for it.
const GONE: Duration = Duration::from_secs(2);

/// What a process claims, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// What it holds whatever is done: input, results.
    pub base: u64,
    /// What its running units may take.
    pub units: u64,
}

/// A process' page in the ledger; gone when this is dropped.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    gate: File,
    page: File,
    path: PathBuf,
    own: Claim,
    /// Since when its next unit is refused.
    waits: Option<Duration>,
}

/// What all others claim, and who of them has waited longest.
#[derive(Clone, Copy, Debug, Default)]
struct Others {
    claim: Claim,
    /// Since when.
    first: Option<Duration>,
}

impl Ledger {
    /// The user's ledger for a limit of this name: a folder for files of running programs, or for temporary ones.
    pub fn folder(limit: &str) -> PathBuf {
        let safe: String = limit.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let user = rustix::process::getuid().as_raw();
        match std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| Path::new(folder).is_dir()) {
            Some(folder) => PathBuf::from(folder).join(format!("raddle-{safe}")),
            None => std::env::temp_dir().join(format!("raddle-{user}-{safe}")),
        }
    }

    /// Opens a page in the ledger of this folder, which is made if it is not there.
    ///
    /// # Errors
    /// What the system says; a folder of another user.
    pub fn open(folder: &Path) -> io::Result<Ledger> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let meta = fs::symlink_metadata(folder)?;
        if !meta.is_dir() || meta.uid() != rustix::process::getuid().as_raw() {
            // In a folder for everybody's temporary files anybody may have been first.
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

    /// What all others claim, in bytes.
    ///
    /// # Errors
    /// What the system says.
    pub fn claimed(&self) -> io::Result<u64> {
        enter(&self.gate)?;
        let others = self.others(now());
        self.gate.unlock()?;
        others.map(|others| others.claim.base.saturating_add(others.claim.units))
    }

    /// What this process claims.
    pub fn own(&self) -> Claim {
        self.own
    }

    /// Notes `base` and asks for `most` bytes for units, of which `least` would do. Gives what is granted: as much as `limit`
    /// leaves, at most `most`, at least `held`, which is in use, and `least` while nobody has anything for units. With
    /// `back_off` nothing more than that.
    ///
    /// # Errors
    /// What the system says.
    pub fn claim(&mut self, base: u64, ask: Ask, limit: u64, back_off: bool) -> io::Result<u64> {
        self.claim_at(now(), base, ask, limit, back_off)
    }

    fn claim_at(&mut self, now: Duration, base: u64, ask: Ask, limit: u64, back_off: bool) -> io::Result<u64> {
        enter(&self.gate)?;
        let result = self.others(now).and_then(|Others { claim: others, first }| {
            // Whoever waits longer than we do comes first.
            let back_off = back_off || first.is_some_and(|first| self.waits.is_none_or(|own| first < own));
            // Somebody else's note may say anything.
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

    /// The claims of all others together, and the longest wait above [`FAIR`]; pages of dead processes are removed. Under the
    /// gate's lock.
    fn others(&self, now: Duration) -> io::Result<Others> {
        let mut others = Others::default();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path == self.path || path.extension().is_none_or(|extension| extension != "claim") {
                continue;
            }
            // It may be gone by now.
            let Ok(mut page) = File::open(&path) else { continue };
            match page.try_lock_shared() {
                Ok(()) => {
                    let _ = fs::remove_file(&path);
                }
                Err(TryLockError::WouldBlock) => {
                    let mut bytes = Vec::new();
                    // A page that is being made has nothing on it.
                    let _ = page.read_to_end(&mut bytes);
                    let mut numbers =
                        bytes.chunks_exact(8).map(|n| n.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
                    let mut number = || numbers.next().unwrap_or(0);
                    let claim = &mut others.claim;
                    claim.base = claim.base.saturating_add(number());
                    claim.units = claim.units.saturating_add(number());
                    let (since, asked) = (Duration::from_millis(number()), Duration::from_millis(number()));
                    let waits = !since.is_zero() && now >= since + FAIR && now < asked + GONE;
                    let first = others.first.filter(|&first| first <= since);
                    others.first = if waits { first.or(Some(since)) } else { others.first };
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(others)
    }

    /// Four numbers: base, units, since when the next unit is refused (0: it is not), when it was asked for.
    fn note(&mut self, now: Duration) -> io::Result<()> {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let numbers = [self.own.base, self.own.units, self.waits.map_or(0, |since| ms(since).max(1)), ms(now)];
        self.page.rewind()?;
        self.page.write_all(&numbers.map(u64::to_le_bytes).concat())
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        // Whoever looks next removes what is left.
        let _ = fs::remove_file(&self.path);
    }
}

/// Takes the lock of a gate; gives up on an owner that was stopped.
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

/// What units need, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// What running ones hold.
    pub held: u64,
    /// With that, what the next one needs.
    pub least: u64,
    /// With that, what all need that could run now.
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
        // A unit that fits nowhere runs alone.
        assert_eq!(b.claim(10, ask(0, 500, 900), 100, false).unwrap(), 500);
        assert_eq!(a.claim(10, ask(0, 5, 5), 100, false).unwrap(), 0);
        assert_eq!(b.own(), Claim { base: 10, units: 500 });
        // A note of any size leaves others nothing, and no more than that.
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
        assert_eq!(claim(&mut small, at(10), ask(30, 60, 60)), 60, "for a moment nobody minds");
        // One of the two small units has ended, another one comes: it gets nothing beside what runs.
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
    fn nobody_waits_for_a_build_that_was_stopped() {
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
        // A page whose owner was killed: nobody holds its lock.
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
