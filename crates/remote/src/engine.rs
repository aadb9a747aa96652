//! Asks a server through OpenDAL, from threads that are not asynchronous.
//!
//! Strategy: a runtime with one thread of its own per store. A caller gives it a future and waits for
//! the answer on a channel, with a time limit; what comes later is dropped. So no server, resolver or
//! engine can hold a caller up. The runtime needs next to no CPU time and holds no job token.

use crate::address::{Address, AddressError};
use futures_util::StreamExt;
use opendal::{ErrorKind, Operator};
use raddle_driver::cache::{LARGEST, Listed, Store, StoreError};
use raddle_driver::key::Key;
use std::fmt;
use std::future::Future;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, SystemTime};
use tokio::runtime::Runtime;

/// The time limit of a page of a list, and of the removal of an entry.
const UPKEEP: Duration = Duration::from_secs(60);
/// The time limit of a list.
const LIST: Duration = Duration::from_secs(3600);
/// What an envelope may have beside the entry.
const HEADER: usize = 4096;
/// The number of characters of a server's message that are shown.
const SHOWN: usize = 200;

/// A store behind a URL.
pub struct Opened {
    /// The store.
    pub store: Box<dyn Store>,
    /// Whether the URL says that it is only read.
    pub read_only: bool,
}

/// Opens the store of a URL, with credentials from the environment. Nothing is sent.
///
/// # Errors
/// What is wrong with the URL.
pub fn open(url: &str) -> Result<Opened, AddressError> {
    // Another part of the program may have chosen a provider; then that one is used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    opendal_http_transport_reqwest::install_default();
    let present = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Address { operator, read_only, shown, secrets } = Address::of(url, &present)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(2)
        .thread_name("remote cache")
        .enable_all()
        .build()
        .map_err(|error| AddressError::Engine(error.to_string()))?;
    let store = Engine { operator, runtime: Some(runtime), name: shown, secrets };
    Ok(Opened { store: Box::new(store), read_only })
}

/// A server.
struct Engine {
    operator: Operator,
    /// `None` once it is dropped.
    runtime: Option<Runtime>,
    /// The URL without credentials.
    name: String,
    secrets: Vec<String>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Without waiting for what is under way.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The place of a key: two levels of folders, as in a local cache.
fn path(key: &Key) -> String {
    let name = key.to_string();
    format!("{}/{name}", &name[..2])
}

impl Engine {
    /// Runs a future on the runtime, for a limited time.
    fn run<T: Send + 'static>(
        &self,
        within: Duration,
        future: impl Future<Output = opendal::Result<T>> + Send + 'static,
    ) -> Result<T, Failure> {
        let runtime = self.runtime.as_ref().ok_or(Failure::Ended)?;
        let (send, receive) = sync_channel(1);
        let task = runtime.spawn(async move { drop(send.send(future.await)) });
        match receive.recv_timeout(within) {
            Ok(done) => done.map_err(Failure::Engine),
            Err(RecvTimeoutError::Timeout) => {
                task.abort();
                Err(Failure::Late(within))
            }
            // A panic of the engine, which has ended the task alone.
            Err(RecvTimeoutError::Disconnected) => Err(Failure::Ended),
        }
    }

    /// The error for callers.
    fn told(&self, failure: Failure) -> StoreError {
        let error = match failure {
            Failure::Late(within) => return StoreError::Timeout(within),
            Failure::Ended => return StoreError::Failed("the engine has ended".to_owned()),
            Failure::Engine(error) => error,
        };
        let said = self.said(&error);
        match (error.kind(), status(&error)) {
            (ErrorKind::Unsupported, _) => StoreError::Unsupported("the server cannot do this".to_owned()),
            (_, Some(status @ (401 | 403 | 405 | 501))) => StoreError::Refused(format!("status {status}")),
            (ErrorKind::PermissionDenied, _) => StoreError::Refused(said),
            (_, Some(status)) => StoreError::Failed(format!("status {status}")),
            (_, None) => StoreError::Failed(said),
        }
    }

    /// What went wrong in one short line, without secrets: the innermost cause.
    fn said(&self, error: &opendal::Error) -> String {
        let mut cause: &dyn std::error::Error = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        let mut text = if cause.is::<opendal::Error>() { error.message().to_owned() } else { cause.to_string() };
        for secret in &self.secrets {
            text = text.replace(secret, "***");
        }
        let line = text.lines().next().unwrap_or_default();
        let line: String = line.chars().filter(|c| !c.is_control()).take(SHOWN).collect();
        if line.is_empty() { error.kind().to_string() } else { line }
    }
}

/// Why a request has no result.
enum Failure {
    Late(Duration),
    Ended,
    Engine(opendal::Error),
}

/// The status of HTTP in an error: the engine has it in the text of the context alone.
fn status(error: &opendal::Error) -> Option<u16> {
    let text = error.to_string();
    let (_, after) = text.split_once("Parts { status: ")?;
    after.get(..3)?.parse().ok()
}

/// Reads an object whose size is not believed.
async fn read(operator: Operator, path: String) -> opendal::Result<Vec<u8>> {
    let reader = operator.reader(&path).await?;
    let mut stream = reader.into_stream(..).await?;
    let mut bytes = Vec::new();
    while let Some(part) = stream.next().await {
        let part = part?;
        if bytes.len() + part.len() > LARGEST + HEADER {
            return Err(opendal::Error::new(ErrorKind::Unexpected, "the answer is too large"));
        }
        for piece in part {
            bytes.extend_from_slice(&piece);
        }
    }
    Ok(bytes)
}

/// Lists all objects whose names are keys.
async fn list(operator: Operator) -> opendal::Result<Vec<Listed>> {
    let mut lister = operator.lister_with("").recursive(true).await?;
    let mut found = Vec::new();
    loop {
        let next = tokio::time::timeout(UPKEEP, lister.next()).await;
        let late = |_| opendal::Error::new(ErrorKind::Unexpected, "no answer to a list");
        let Some(object) = next.map_err(late)? else { return Ok(found) };
        let object = object?;
        let Some(key) = Key::parse(object.name()) else { continue };
        if object.path().trim_start_matches('/') == path(&key) {
            let used = object.metadata().last_modified().map(SystemTime::from);
            found.push(Listed { key, bytes: object.metadata().content_length(), used });
        }
    }
}

impl Store for Engine {
    fn get(&self, key: &Key, within: Duration) -> Result<Option<Vec<u8>>, StoreError> {
        match self.run(within, read(self.operator.clone(), path(key))) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Failure::Engine(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(failure) => Err(self.told(failure)),
        }
    }

    fn put(&self, key: &Key, bytes: Vec<u8>, within: Duration) -> Result<(), StoreError> {
        let (operator, path) = (self.operator.clone(), path(key));
        let done = self.run(within, async move { operator.write(&path, bytes).await.map(drop) });
        done.map_err(|failure| self.told(failure))
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        self.run(LIST, list(self.operator.clone())).map_err(|failure| self.told(failure))
    }

    fn remove(&self, key: &Key) -> Result<(), StoreError> {
        let (operator, path) = (self.operator.clone(), path(key));
        self.run(UPKEEP, async move { operator.delete(&path).await }).map_err(|failure| self.told(failure))
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}
