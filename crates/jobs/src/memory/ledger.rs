//! Who uses how much memory: a ledger of all builds of one user that share a limit (decision D12).
//!
//! **Problem.** Each of 48 builds alone fits; together they do not, and none knows of the others. **Strategy.** A folder with
//! one file per process. A file says what its process holds anyway (its base) and what it has for units; its owner keeps it
//! locked, so that the claim of a dead process is known by its lock, which died with it, and is removed by whoever finds it.
//! Every change is made under the lock of one more file.
//!
//! **Invariants.** Units are granted at most what the limit leaves behind the claims of all, but for one: while nobody has
//! anything for units, whoever asks gets what the next one needs, so that every build comes to its end. A base is noted, never
//! refused.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long the gate may be closed: a change takes some tens of microseconds.
const PATIENCE: Duration = Duration::from_secs(1);

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
        let mut ledger = Ledger { folder: folder.to_path_buf(), gate, page: page?, path, own: Claim::default() };
        ledger.note()?;
        Ok(ledger)
    }

    /// What all others claim, in bytes.
    ///
    /// # Errors
    /// What the system says.
    pub fn claimed(&self) -> io::Result<u64> {
        enter(&self.gate)?;
        let others = self.others();
        self.gate.unlock()?;
        others.map(|others| others.base.saturating_add(others.units))
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
        enter(&self.gate)?;
        let result = self.others().and_then(|others| {
            // Somebody else's note may say anything.
            let taken = [others.units, base].into_iter().fold(others.base, u64::saturating_add);
            let room = limit.saturating_sub(taken);
            let room = if back_off { 0 } else { room.min(ask.most) };
            let alone = if others.units == 0 && ask.held == 0 { ask.least } else { 0 };
            self.own = Claim { base, units: room.max(ask.held).max(alone) };
            self.note()
        });
        self.gate.unlock()?;
        result.map(|()| self.own.units)
    }

    /// The claims of all others together; pages of dead processes are removed. Under the gate's lock.
    fn others(&self) -> io::Result<Claim> {
        let mut sum = Claim::default();
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
                    let mut bytes = [0; 16];
                    if page.read_exact(&mut bytes).is_ok() {
                        let (base, units) = bytes.split_at(8);
                        let number = |half: &[u8]| half.iter().rev().fold(0_u64, |n, &byte| n << 8 | u64::from(byte));
                        sum.base = sum.base.saturating_add(number(base));
                        sum.units = sum.units.saturating_add(number(units));
                    }
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(sum)
    }

    fn note(&mut self) -> io::Result<()> {
        self.page.rewind()?;
        self.page.write_all(&[self.own.base.to_le_bytes(), self.own.units.to_le_bytes()].concat())
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
