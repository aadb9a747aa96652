//! Compiled objects by key (BEY-3), and PTX made from LLVM IR: after an edit of one kernel of 300, one
//! kernel is compiled.
//!
//! ```text
//! Cache ─► Folder   files named after keys, for all builds of a machine
//!       ─► Remote   a Store for all machines: breaker (is it still asked), envelope (is it to be
//!                   believed), a queue of writes
//! ```
//!
//! The first level that has an entry gives it; what the remote level gives is kept in the folder. An
//! entry (`entry.rs`) whose content is not exactly what was written is a miss, and is written again.
//! The key of an object that another assembler made includes the hash of that program (`tools.rs`).
//!
//! Before a body is read, texts as they are in files are looked up: what a whole build gave
//! (`outcome.rs`, [`crate::unchanged`]), and the keys of kernels (`by_text.rs`, [`crate::known`]). These
//! entries are in the folder alone.
//!
//! The diagnostics of a kernel are the same with a warm cache, byte for byte: they come from steps
//! before the lookup (the outline, the body, what lowering refuses) or from steps after all kernels
//! are compiled (launch bounds, links). A kernel with diagnostics from the steps in between is not
//! stored ([`crate::unit`]).
//!
//! **Invariant.** A build with a cache, whatever its content, gives the same bytes as a build
//! without one. An error in a level costs time and nothing else, and a remote level costs at most the
//! time that [`RemoteOptions`] allow.

mod breaker;
mod by_text;
mod copy;
mod entry;
mod envelope;
mod folder;
mod outcome;
mod place;
mod remote;
mod store;
mod tools;
pub(crate) mod wire;

pub(crate) use by_text::{KeysByText, Known};
pub use copy::{Checked, Shelf};
pub use entry::{decode, encode, sealed};
pub use envelope::LARGEST;
pub use folder::Folder;
pub(crate) use outcome::Outcome;
pub use place::{Place, shown};
pub use remote::{RemoteOptions, RemoteUsed};
pub use store::{Listed, Store, StoreError};

use crate::key::Key;
use raddle_cubin::unit::UnitObject;
use remote::Remote;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A cache of objects.
#[derive(Debug)]
pub struct Cache {
    folder: Option<Folder>,
    remote: Option<Remote>,
    used: Counters,
    tools: tools::Tools,
}

#[derive(Debug, Default)]
struct Counters {
    hits: AtomicU64,
    misses: AtomicU64,
    step_hits: AtomicU64,
    step_misses: AtomicU64,
    outcomes: AtomicU64,
    known: AtomicU64,
    unwritten: AtomicU64,
}

/// Counts of the uses of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Objects that were found.
    pub hits: u64,
    /// Objects that were missing or damaged.
    pub misses: u64,
    /// Results of steps that come before PTX (compilation of LLVM IR) that were found.
    pub step_hits: u64,
    /// Results of such steps that were missing or damaged.
    pub step_misses: u64,
    /// Builds whose whole outcome was found: none of their objects was looked up.
    pub outcomes: u64,
    /// Kernels whose keys were found by their texts.
    pub known: u64,
    /// Entries that could not be written to the folder.
    pub unwritten: u64,
    /// The uses of the remote level, if there is one.
    pub remote: Option<RemoteUsed>,
}

/// The size of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Entries.
    pub entries: u64,
    /// Their total size in bytes.
    pub bytes: u64,
}

impl Cache {
    /// Opens the cache in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// The I/O error of the operating system; `Unsupported` for a URL.
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<Cache> {
        match Place::of(folder.into().as_os_str()) {
            Place::Folder(path) => Ok(Cache::of(Some(Folder::open(path)?), None)),
            Place::Url(url) => {
                let message = format!("'{}' is a URL, not a folder", shown(&url));
                Err(io::Error::new(io::ErrorKind::Unsupported, message))
            }
        }
    }

    /// A cache of these levels.
    pub fn of(folder: Option<Folder>, remote: Option<(Arc<dyn Store>, &RemoteOptions)>) -> Cache {
        let remote = remote.map(|(store, options)| Remote::new(store, options));
        Cache { folder, remote, used: Counters::default(), tools: tools::Tools::default() }
    }

    /// Returns the object of a key, as an object of the module with this number.
    pub fn get(&self, key: &Key, module: u32) -> Option<UnitObject> {
        let object = self.near(key, module).or_else(|| self.far(key, module));
        self.count(object.is_some());
        object
    }

    /// Looks a key up in the folder; [`Cache::count`] follows.
    pub(crate) fn near(&self, key: &Key, module: u32) -> Option<UnitObject> {
        let object = self.folder.as_ref()?.read(key, decode)?;
        Some(UnitObject { module, ..object })
    }

    /// Looks a key up in the remote level; [`Cache::count`] follows.
    pub(crate) fn far(&self, key: &Key, module: u32) -> Option<UnitObject> {
        let bytes = self.remote.as_ref()?.get(key)?;
        let object = decode(&bytes)?;
        self.keep(key, &[&bytes]);
        Some(UnitObject { module, ..object })
    }

    /// Whether there is a remote level.
    pub(crate) fn has_remote(&self) -> bool {
        self.remote.is_some()
    }

    /// Counts the lookup of a unit's object.
    pub(crate) fn count(&self, found: bool) {
        let counter = if found { &self.used.hits } else { &self.used.misses };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts the lookup of a unit's object under a second key, after the first has missed. The two
    /// lookups count as one hit.
    pub(crate) fn count_second(&self, found: bool) {
        if found {
            self.used.misses.fetch_sub(1, Ordering::Relaxed);
            self.used.hits.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the hash of a program that makes objects; `None` if no hash identifies its output.
    pub fn tool(&self, program: &Path) -> Option<blake3::Hash> {
        self.tools.identity(program)
    }

    /// Returns the result of a step that comes before PTX.
    pub(crate) fn get_step(&self, key: &Key) -> Option<Vec<u8>> {
        let found = self.near_step(key).or_else(|| {
            let bytes = self.remote.as_ref()?.get(key)?;
            let result = entry::step(&bytes)?.to_vec();
            self.keep(key, &[&bytes]);
            Some(result)
        });
        let counter = if found.is_some() { &self.used.step_hits } else { &self.used.step_misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    fn near_step(&self, key: &Key) -> Option<Vec<u8>> {
        self.folder.as_ref()?.read(key, |bytes| Some(entry::step(bytes)?.to_vec()))
    }

    /// Stores the result of a step that comes before PTX.
    pub(crate) fn put_step(&self, key: &Key, bytes: &[u8]) {
        self.store(key, entry::of_step(bytes));
    }

    /// Whether there is a folder, which alone has entries of texts.
    pub(crate) fn has_folder(&self) -> bool {
        self.folder.is_some()
    }

    /// Returns the outcome of a build of this many inputs.
    pub(crate) fn outcome(&self, key: &Key, inputs: usize) -> Option<Outcome<'static>> {
        let outcome = self.near_texts(key, |bytes| Outcome::decode(bytes, inputs))?;
        self.used.outcomes.fetch_add(1, Ordering::Relaxed);
        Some(outcome)
    }

    /// Stores the outcome of a build.
    pub(crate) fn keep_outcome(&self, key: &Key, outcome: &Outcome<'_>) {
        let head = outcome.head();
        let parts: Vec<&[u8]> = [&head[..]].into_iter().chain(outcome.files()).collect();
        self.keep_texts(key, &parts);
    }

    /// Returns the keys of kernels by their texts.
    pub(crate) fn keys_by_text(&self, key: &Key) -> Option<KeysByText> {
        self.near_texts(key, KeysByText::decode)
    }

    /// Stores the keys of kernels by their texts.
    pub(crate) fn keep_keys_by_text(&self, key: &Key, keys: &KeysByText) {
        self.keep_texts(key, &[&keys.encode()]);
    }

    fn keep_texts(&self, key: &Key, known: &[&[u8]]) {
        let start = entry::start_of_texts(key, known);
        self.keep(key, &[&[&start[..]], known].concat());
    }

    /// Counts a kernel whose key was found by its text.
    pub(crate) fn count_known(&self) {
        self.used.known.fetch_add(1, Ordering::Relaxed);
    }

    fn near_texts<T>(&self, key: &Key, decode: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        self.folder.as_ref()?.read(key, |bytes| entry::texts(key, bytes).and_then(decode))
    }

    /// Stores an object.
    pub fn put(&self, key: &Key, object: &UnitObject) {
        self.store(key, encode(object));
    }

    /// Stores an entry in all levels.
    fn store(&self, key: &Key, entry: Vec<u8>) {
        self.keep(key, &[&entry]);
        if let Some(remote) = &self.remote {
            remote.put(key, entry);
        }
    }

    /// Stores an entry, given in parts, in the folder.
    fn keep(&self, key: &Key, entry: &[&[u8]]) {
        if self.folder.as_ref().is_some_and(|folder| folder.write(key, entry).is_err()) {
            self.used.unwritten.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until all entries are written to the remote level, at most for the time limit of one
    /// request. What is stored after that is not written there.
    pub fn finish(&self) {
        if let Some(remote) = &self.remote {
            remote.finish();
        }
    }

    /// A warning about the remote level, which has not been used for the whole build.
    pub fn warning(&self) -> Option<String> {
        self.remote.as_ref()?.warning()
    }

    /// The uses of the cache so far.
    pub fn used(&self) -> Used {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let Counters { hits, misses, step_hits, step_misses, outcomes, known, unwritten } = &self.used;
        Used {
            hits: read(hits),
            misses: read(misses),
            step_hits: read(step_hits),
            step_misses: read(step_misses),
            outcomes: read(outcomes),
            known: read(known),
            unwritten: read(unwritten),
            remote: self.remote.as_ref().map(Remote::used),
        }
    }
}

#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod tests;
