//! A folder as a store: a file for each entry, named after its key.
//!
//! A file is written under a temporary name and renamed, so that any number of processes may share a
//! folder. The time of its last change is that of its last use, or at most [`RECENT`] earlier: to
//! write it each time would take as long as opening the file.

use super::Contents;
use super::store::{Listed, Store, StoreError};
use crate::key::Key;
use crate::output;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The time of last use is not written again within this time.
const RECENT: Duration = Duration::from_mins(10);

/// A folder of entries.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Folder> {
        let path = path.into();
        fs::create_dir_all(&path)?;
        Ok(Folder { path })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of a key.
    pub(super) fn file(&self, key: &Key) -> PathBuf {
        let name = key.to_string();
        self.path.join(&name[..2]).join(name)
    }

    /// Returns what `decode` makes of the bytes of a key, and notes the use of the entry, by which
    /// entries are removed; that this fails changes nothing else.
    pub(super) fn read<T>(&self, key: &Key, decode: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        let file = File::open(self.file(key)).ok()?;
        let meta = file.metadata().ok()?;
        // A file is replaced, not changed: it is as long as it was.
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).ok()?);
        (&file).take(meta.len()).read_to_end(&mut bytes).ok()?;
        let read = decode(&bytes)?;
        let is_recent = |used: SystemTime| used.elapsed().is_ok_and(|age| age < RECENT);
        if !meta.modified().is_ok_and(is_recent) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(read)
    }

    /// Writes the bytes of a key, given in parts.
    pub(super) fn write(&self, key: &Key, parts: &[&[u8]]) -> io::Result<()> {
        let path = self.file(key);
        let make = |mut file: &File| parts.iter().try_for_each(|part| file.write_all(part));
        match output::replace(&path, None, &make) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
                output::replace(&path, None, &make)
            }
            written => written,
        }
    }

    /// The number and the size of the entries.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub fn contents(&self) -> io::Result<Contents> {
        let files = self.files()?;
        Ok(Contents { entries: files.len() as u64, bytes: files.iter().map(|file| file.bytes).sum() })
    }

    /// Removes the least recently used entries until at most `bytes` are left, and the files left
    /// by killed processes. Returns what was removed.
    ///
    /// # Errors
    /// The I/O error of the operating system.
    pub fn prune(&self, bytes: u64) -> io::Result<Contents> {
        let mut files = self.files()?;
        files.sort_by(|a, b| (b.used, &b.path).cmp(&(a.used, &a.path)));
        let (mut kept, mut removed) = (0, Contents::default());
        for file in files {
            if file.key.is_some() && kept + file.bytes <= bytes {
                kept += file.bytes;
                continue;
            }
            match fs::remove_file(&file.path) {
                Ok(()) => removed = Contents { entries: removed.entries + 1, bytes: removed.bytes + file.bytes },
                // Another process has removed it already.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(removed)
    }

    /// The files of the two levels of folders. No other file is touched.
    fn files(&self) -> io::Result<Vec<Stored>> {
        let hex = |name: &str| name.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let mut files = Vec::new();
        for folder in fs::read_dir(&self.path)? {
            let folder = folder?;
            let is_ours = folder.file_name().to_str().is_some_and(|name| name.len() == 2 && hex(name));
            if !is_ours || !folder.file_type()?.is_dir() {
                continue;
            }
            for file in fs::read_dir(folder.path())? {
                let file = file?;
                let name = file.file_name();
                let Some(name) = name.to_str() else { continue };
                let key = Key::parse(name);
                // It may be gone by now.
                let Ok(meta) = file.metadata() else { continue };
                if meta.is_file() && (key.is_some() || name.ends_with(output::TEMPORARY)) {
                    let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    files.push(Stored { path: file.path(), bytes: meta.len(), used, key });
                }
            }
        }
        Ok(files)
    }
}

/// A file in a cache.
struct Stored {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
    /// The key of an entry; `None` for a temporary file.
    key: Option<Key>,
}

/// As a store that entries are copied from and to. The time limits are not kept: a file system has
/// none.
impl Store for Folder {
    fn get(&self, key: &Key, _: Duration) -> Result<Option<Vec<u8>>, StoreError> {
        match fs::read(self.file(key)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }

    fn put(&self, key: &Key, bytes: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        self.write(key, &[&bytes]).map_err(|error| failed(&error))
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let files = self.files().map_err(|error| failed(&error))?;
        let listed = |file: Stored| Some(Listed { key: file.key?, bytes: file.bytes, used: Some(file.used) });
        Ok(files.into_iter().filter_map(listed).collect())
    }

    fn remove(&self, key: &Key) -> Result<(), StoreError> {
        match fs::remove_file(self.file(key)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&error)),
            _ => Ok(()),
        }
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}

fn failed(error: &io::Error) -> StoreError {
    StoreError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::object;
    use super::super::{Cache, Used};
    use super::*;

    #[test]
    fn the_least_used_go_first_and_strangers_stay() {
        let dir = tempfile::tempdir().unwrap();
        let folder = || Folder::open(dir.path()).unwrap();
        let cache = Cache::of(Some(folder()), None);
        let target = raddle_target::Target::by_name("sm_90").unwrap();
        let keys = ["a", "b", "c"].map(|text| crate::key::of_text(text, &raddle_ir::CodegenOptions::default(), target));
        for (age, key) in keys.iter().enumerate() {
            cache.put(key, &object());
            let file = File::options().append(true).open(folder().file(key)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(1000 * (3 - age as u64))).unwrap();
        }
        let used = |key: &Key| std::fs::metadata(folder().file(key)).unwrap().modified().unwrap();
        let before = keys.map(|key| used(&key));
        std::fs::write(dir.path().join("mine"), "x").unwrap();
        let one = folder().contents().unwrap().bytes / 3;
        // The oldest entry has been used since.
        assert_eq!(cache.get(&keys[0], 3).unwrap().module, 3);
        let first = used(&keys[0]);
        assert!(first > before[2]);
        assert!(cache.get(&keys[0], 0).is_some() && used(&keys[0]) == first, "written again at once");
        assert_eq!(folder().prune(2 * one).unwrap(), Contents { entries: 1, bytes: one });
        assert_eq!(keys.map(|key| cache.get(&key, 0).is_some()), [true, false, true]);
        assert_eq!(cache.used(), Used { hits: 4, misses: 1, ..Used::default() });
        assert_eq!(folder().prune(0).unwrap().entries, 2);
        assert!(dir.path().join("mine").exists());
    }
}
