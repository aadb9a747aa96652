//! What `raddle cache` does with all entries of a folder or of a remote store: shows, checks, removes and
//! copies them.
//!
//! A folder keeps entries as they are; a remote store keeps them in envelopes ([`super::envelope`]).

use super::envelope::Seal;
use super::store::{Listed, Store, StoreError};
use super::{Contents, entry};
use crate::key::Key;
use raddle_jobs::lock::lock;
use std::sync::Mutex;
use std::time::Duration;

/// The number of requests at once.
const AT_ONCE: usize = 8;

/// A store with the form of its entries.
#[derive(Debug)]
pub struct Shelf {
    store: Box<dyn Store>,
    /// Opens and closes envelopes, where the store has them.
    seal: Option<Seal>,
    /// The time limit of one request.
    timeout: Duration,
}

/// The result of a check of all entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Entries that are as they were written.
    pub whole: u64,
    /// Entries that are damaged, of another key, or without the right signature.
    pub damaged: u64,
}

impl Shelf {
    /// A store of entries as they are.
    pub fn plain(store: Box<dyn Store>) -> Shelf {
        Shelf { store, seal: None, timeout: Duration::MAX }
    }

    /// A store of envelopes, signed with a secret unless it is empty, with a time limit for each
    /// request.
    pub fn remote(store: Box<dyn Store>, secret: &[u8], timeout: Duration) -> Shelf {
        Shelf { store, seal: Some(Seal::new(secret)), timeout }
    }

    /// The name of the store, without credentials.
    pub fn name(&self) -> String {
        self.store.name()
    }

    /// The number and the size of the entries.
    ///
    /// # Errors
    /// The store does not answer, or cannot list what it has.
    pub fn contents(&self) -> Result<Contents, StoreError> {
        let listed = self.store.list()?;
        Ok(Contents { entries: listed.len() as u64, bytes: listed.iter().map(|entry| entry.bytes).sum() })
    }

    /// Reads and checks all entries. One that is removed meanwhile does not count.
    ///
    /// # Errors
    /// The store does not answer, or cannot list what it has.
    pub fn verify(&self) -> Result<Checked, StoreError> {
        let checked = Mutex::new(Checked::default());
        each(&self.store.list()?, |listed| {
            let Some(bytes) = self.store.get(&listed.key, self.timeout)? else { return Ok(()) };
            let is_whole = self.open(&listed.key, bytes).is_some();
            let mut checked = lock(&checked);
            *(if is_whole { &mut checked.whole } else { &mut checked.damaged }) += 1;
            Ok(())
        })?;
        Ok(checked.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// Removes the least recently used entries, or where the store does not record uses, the oldest,
    /// until at most `bytes` are left. Returns what was removed.
    ///
    /// # Errors
    /// The store does not answer, refuses, or cannot list what it has with its times.
    pub fn prune(&self, bytes: u64) -> Result<Contents, StoreError> {
        let mut listed = self.store.list()?;
        if listed.iter().any(|entry| entry.used.is_none()) {
            return Err(StoreError::Unsupported("it does not say how old entries are".to_owned()));
        }
        listed.sort_by_key(|entry| std::cmp::Reverse((entry.used, entry.key)));
        let mut kept = 0;
        listed.retain(|entry| {
            let fits = kept + entry.bytes <= bytes;
            kept += if fits { entry.bytes } else { 0 };
            !fits
        });
        each(&listed, |entry| self.store.remove(&entry.key))?;
        Ok(Contents { entries: listed.len() as u64, bytes: listed.iter().map(|entry| entry.bytes).sum() })
    }

    /// Copies the entries that `to` does not have. Damaged ones are left out. Returns what was copied,
    /// with the size of the entries as they are in a folder.
    ///
    /// # Errors
    /// One of the stores does not answer, or refuses; this one cannot list what it has.
    pub fn copy(&self, to: &Shelf) -> Result<Contents, StoreError> {
        let copied = Mutex::new(Contents::default());
        each(&self.store.list()?, |listed| {
            let key = &listed.key;
            // An entry that is there but damaged is written again.
            if to.store.get(key, to.timeout)?.and_then(|bytes| to.open(key, bytes)).is_some() {
                return Ok(());
            }
            let Some(entry) = self.store.get(key, self.timeout)?.and_then(|bytes| self.open(key, bytes)) else {
                return Ok(());
            };
            let size = entry.len() as u64;
            let bytes = to.seal.as_ref().map(|seal| seal.close(key, &entry)).unwrap_or(entry);
            to.store.put(key, bytes, to.timeout)?;
            let mut copied = lock(&copied);
            *copied = Contents { entries: copied.entries + 1, bytes: copied.bytes + size };
            Ok(())
        })?;
        Ok(copied.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    /// The entry in the bytes of a key, if it is undamaged.
    fn open(&self, key: &Key, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let entry = match &self.seal {
            Some(seal) => seal.open(key, &bytes)?,
            None => bytes,
        };
        entry::is_whole(&entry).then_some(entry)
    }
}

/// Does the same with all entries, several at once. Ends after the first error.
fn each(listed: &[Listed], act: impl Fn(&Listed) -> Result<(), StoreError> + Sync) -> Result<(), StoreError> {
    let (rest, failed) = (Mutex::new(listed.iter()), Mutex::new(None));
    let work = || {
        while lock(&failed).is_none() {
            let Some(entry) = lock(&rest).next() else { break };
            if let Err(error) = act(entry) {
                lock(&failed).get_or_insert(error);
            }
        }
    };
    std::thread::scope(|scope| (0..AT_ONCE.min(listed.len())).for_each(|_| drop(scope.spawn(work))));
    failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).map_or(Ok(()), Err)
}
