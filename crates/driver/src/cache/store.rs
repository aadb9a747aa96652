//! What a cache keeps entries in: bytes by key.
//!
//! **Invariant.** A store is not trusted: what it returns is checked by its caller, and nothing that
//! it says contains credentials.

use crate::key::Key;
use std::fmt::Debug;
use std::time::{Duration, SystemTime};

/// A place that keeps bytes by key, for any number of processes at once.
pub trait Store: Debug + Send + Sync {
    /// Returns the bytes of a key, or `None` if there are none. Returns after `within` at the latest.
    ///
    /// # Errors
    /// The store does not answer, or not in time.
    fn get(&self, key: &Key, within: Duration) -> Result<Option<Vec<u8>>, StoreError>;

    /// Stores the bytes of a key in the place of older ones. Returns after `within` at the latest.
    ///
    /// # Errors
    /// The store does not answer, not in time, or refuses.
    fn put(&self, key: &Key, bytes: Vec<u8>, within: Duration) -> Result<(), StoreError>;

    /// Lists all entries, in any order.
    ///
    /// # Errors
    /// The store does not answer, or cannot list what it has.
    fn list(&self) -> Result<Vec<Listed>, StoreError>;

    /// Removes an entry; one that does not exist is no error.
    ///
    /// # Errors
    /// The store does not answer, or refuses.
    fn remove(&self, key: &Key) -> Result<(), StoreError>;

    /// The name of the store for messages: a path, or a URL without credentials.
    fn name(&self) -> String;
}

/// An entry of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The key.
    pub key: Key,
    /// The size in bytes.
    pub bytes: u64,
    /// The time of the last use, or where the store does not record uses, of the last change.
    pub used: Option<SystemTime>,
}

/// The reason why a store did not do what it was asked for. The texts contain no credentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// No answer within the time limit.
    #[error("no answer within {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// The store does not allow this request, and will not allow the next one.
    #[error("refused: {0}")]
    Refused(String),
    /// The store cannot do this at all.
    #[error("{0}")]
    Unsupported(String),
    /// Anything else: no connection, a broken answer, a full disk.
    #[error("{0}")]
    Failed(String),
}
