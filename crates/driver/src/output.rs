//! Writes outputs atomically (DRV-22).
//!
//! A regular file is written under a temporary name in its folder, closed, and renamed; a symbolic
//! link stays a link. Anything else (`/dev/null`, `/dev/full`, a pipe) is written to directly and
//! never replaced. Every write and every close is checked. A signal removes the temporary.

use raddle_jobs::lock::lock;
use raddle_jobs::signals::ExitAction;
use raddle_link::objects::Sink;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// The destination of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dest {
    /// Standard output.
    Stdout,
    /// A regular or special file.
    Path(PathBuf),
}

impl Dest {
    /// Parses a path; `-` is standard output.
    pub fn new(path: impl Into<PathBuf>) -> Dest {
        let path = path.into();
        if path.as_os_str() == "-" { Dest::Stdout } else { Dest::Path(path) }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Dest::Stdout => "<stdout>".to_string(),
            Dest::Path(path) => path.display().to_string(),
        }
    }

    /// Writes an output of `size` bytes whose parts `make` writes in any order, from any thread;
    /// into a regular file they are written directly. On an error an existing regular file is
    /// unchanged.
    pub fn write_parts(&self, size: u64, make: &dyn Fn(&dyn Sink) -> io::Result<()>) -> io::Result<()> {
        match self {
            Dest::Path(path) => match std::fs::metadata(path) {
                Ok(meta) if meta.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
                Ok(meta) if meta.is_file() => {
                    return replace(&std::fs::canonicalize(path)?, Some(meta.permissions()), &|file| {
                        make(&Parts(file))
                    });
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return replace(path, None, &|file| make(&Parts(file)));
                }
                Err(error) => return Err(error),
            },
            Dest::Stdout => {}
        }
        let all = Whole(Mutex::new(Vec::with_capacity(usize::try_from(size).unwrap_or(0))));
        make(&all)?;
        self.write(&all.0.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes the whole output. On an error an existing regular file is unchanged.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let whole = |mut file: &File| file.write_all(bytes);
        match self {
            Dest::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
            Dest::Path(path) => match std::fs::metadata(path) {
                Ok(meta) if meta.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
                Ok(meta) if !meta.is_file() => write_closed(OpenOptions::new().write(true).open(path)?, &whole),
                Ok(meta) => replace(&std::fs::canonicalize(path)?, Some(meta.permissions()), &whole),
                Err(error) if error.kind() == io::ErrorKind::NotFound => replace(path, None, &whole),
                Err(error) => Err(error),
            },
        }
    }
}

/// A file whose parts are written at their offsets.
struct Parts<'f>(&'f File);

impl Sink for Parts<'_> {
    fn put(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, offset)
    }
}

/// A buffer for an output that cannot be written in parts.
struct Whole(Mutex<Vec<u8>>);

impl Sink for Whole {
    fn put(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut all = lock(&self.0);
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let end = start.checked_add(bytes.len()).ok_or(io::ErrorKind::OutOfMemory)?;
        if all.len() < end {
            all.resize(end, 0);
        }
        all[start..end].copy_from_slice(bytes);
        Ok(())
    }
}

/// The suffix of files that are being written.
pub(crate) const TEMPORARY: &str = ".tmp";

/// Writes the content of a file.
pub(crate) type Make<'m> = &'m dyn Fn(&File) -> io::Result<()>;

fn write_closed(file: File, make: Make<'_>) -> io::Result<()> {
    make(&file)?;
    raddle_jobs::sys::close(file)
}

/// Replaces the file at `path` atomically: `make` writes it under a temporary name, which a signal
/// removes.
pub(crate) fn replace(path: &Path, permissions: Option<std::fs::Permissions>, make: Make<'_>) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut temporary = std::ffi::OsString::from(".");
    // A name has at most 255 bytes: the temporary of a long one does not include it.
    if name.len() < 200 {
        temporary.push(name);
    }
    temporary.push(format!(".{}-{}{TEMPORARY}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let temporary = path.with_file_name(temporary);
    let doomed = temporary.clone();
    let on_signal = ExitAction::new(move || drop(std::fs::remove_file(doomed)));
    let written = OpenOptions::new().write(true).create_new(true).open(&temporary).and_then(|file| {
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        write_closed(file, make)
    });
    on_signal.commit(|| {
        let renamed = written.and_then(|()| std::fs::rename(&temporary, path));
        if renamed.is_err() {
            // The first error is reported.
            let _ = std::fs::remove_file(&temporary);
        }
        renamed
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    fn listing(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn regular_files_are_replaced_and_keep_their_mode() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        Dest::new(&path).write(b"one").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        Dest::new(&path).write(b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(listing(dir.path()), ["out"]);
    }

    #[test]
    fn parts_come_in_any_order() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let make = |sink: &dyn Sink| sink.put(3, b"def").and_then(|()| sink.put(0, b"abc"));
        Dest::new(&path).write_parts(6, &make).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"abcdef");
        let broken = |sink: &dyn Sink| sink.put(0, b"x").and_then(|()| Err(io::Error::from(io::ErrorKind::Other)));
        assert!(Dest::new(&path).write_parts(6, &broken).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"abcdef");
        assert_eq!(listing(dir.path()), ["out"]);
        Dest::new("/dev/null").write_parts(6, &make).unwrap();
    }

    #[test]
    fn links_stay_links() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        Dest::new(&link).write(b"new").unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn special_files_are_written_to_and_stay() {
        Dest::new("/dev/null").write(b"gone").unwrap();
        assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let error = Dest::new("/dev/full").write(b"no room").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn failures_leave_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Dest::new(dir.path()).write(b"x").is_err());
        assert!(Dest::new(dir.path().join("no/such")).write(b"x").is_err());
        assert!(listing(dir.path()).is_empty());
    }

    #[test]
    fn long_names_get_a_temporary_too() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("n".repeat(255));
        Dest::new(&path).write(b"x").unwrap();
        assert_eq!(std::fs::read(path).unwrap(), b"x");
    }
}
