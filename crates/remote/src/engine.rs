//! Asks a server through OpenDAL, from threads that are not asynchronous.
//!
//! Strategy: a runtime with one thread of its own per store (`runtime`), on which a caller waits for an
//! answer for a limited time.
//!
//! The engine of Redis tries for seconds to connect to a server that is gone. So before the first request,
//! and after each that has failed, a connection is made and dropped: where no server listens, that fails at
//! once, and so does the request.

use crate::address::{Address, AddressError};
use crate::runtime::{Background, Late};
use futures_util::StreamExt;
use opendal::{ErrorKind, Operator};
use raddle_driver::cache::{LARGEST, Listed, Store, StoreError};
use raddle_driver::key::Key;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

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
    #[cfg(feature = "execution")]
    if crate::execution::is_one(url) {
        let crate::execution::OpenedStore { store, read_only } = crate::execution::open_store(url)?;
        return Ok(Opened { store, read_only });
    }
    crate::runtime::provide_tls();
    opendal_http_transport_reqwest::install_default();
    let present = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Address { operator, listens, read_only, shown, secrets } = Address::of(url, &present)?;
    let runtime = Background::start("remote cache").map_err(|error| AddressError::Engine(error.to_string()))?;
    let door = listens.map(Door::new).map(Arc::new);
    let store = Engine { operator, door, runtime, name: shown, secrets };
    Ok(Opened { store: Box::new(store), read_only })
}

/// A server.
struct Engine {
    operator: Operator,
    door: Option<Arc<Door>>,
    runtime: Background,
    /// The URL without credentials.
    name: String,
    secrets: Vec<String>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Where a server listens.
struct Door {
    host: String,
    port: u16,
    /// Whether the last request had an answer.
    is_open: AtomicBool,
}

impl Door {
    fn new((host, port): (String, u16)) -> Door {
        Door { host, port, is_open: AtomicBool::new(false) }
    }

    /// Runs a request, after a connection if the last one has failed.
    async fn pass<T>(&self, request: impl Future<Output = opendal::Result<T>>) -> opendal::Result<T> {
        if !self.is_open.load(Ordering::Relaxed) {
            let connected = tokio::net::TcpStream::connect((&*self.host, self.port)).await;
            connected.map_err(|error| opendal::Error::new(ErrorKind::Unexpected, "no connection").set_source(error))?;
        }
        let done = request.await;
        let answered = done.as_ref().err().is_none_or(|error| error.kind() == ErrorKind::NotFound);
        self.is_open.store(answered, Ordering::Relaxed);
        done
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
        let door = self.door.clone();
        let passed = async move {
            match door {
                Some(door) => door.pass(future).await,
                None => future.await,
            }
        };
        match self.runtime.wait(within, passed) {
            Ok(done) => done.map_err(Failure::Engine),
            Err(Late::Late) => {
                if let Some(door) = &self.door {
                    door.is_open.store(false, Ordering::Relaxed);
                }
                Err(Failure::Late(within))
            }
            // A panic of the engine, which has ended the task alone.
            Err(Late::Ended) => Err(Failure::Ended),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn wait<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    /// The number of connections that were made so far.
    fn connections(listener: &TcpListener) -> usize {
        listener.set_nonblocking(true).unwrap();
        listener.incoming().take_while(Result::is_ok).count()
    }

    #[test]
    fn nothing_is_asked_where_nobody_listens() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let store = open(&format!("redis://127.0.0.1:{port}/0/p")).unwrap().store;
        let key = Key::parse(&"5a".repeat(32)).unwrap();
        let door = Door::new(("127.0.0.1".to_owned(), port));
        for _ in 0..3 {
            let mut asked = 0;
            let done = wait(door.pass(async {
                asked += 1;
                Ok(())
            }));
            assert_eq!((done.unwrap_err().kind(), asked), (ErrorKind::Unexpected, 0));
            let error = store.get(&key, Duration::from_secs(600)).unwrap_err();
            assert!(error.to_string().contains("onnection refused"), "{error}");
        }
    }

    #[test]
    fn a_server_is_tried_again_after_a_failure_alone() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let door = Door::new(("127.0.0.1".to_owned(), listener.local_addr().unwrap().port()));
        let fails = |kind| async move { Err(opendal::Error::new(kind, "")) };
        let pass = |kind: Option<ErrorKind>| match kind {
            None => drop(wait(door.pass(async { Ok(()) }))),
            Some(kind) => drop(wait(door.pass::<()>(fails(kind)))),
        };
        let (works, missing, broken) = (None, Some(ErrorKind::NotFound), Some(ErrorKind::Unexpected));
        // What happens, and whether a connection came before it.
        let steps = [(works, 1), (works, 0), (missing, 0), (broken, 0), (broken, 1), (missing, 1), (works, 0)];
        for (at, (kind, made)) in steps.into_iter().enumerate() {
            pass(kind);
            assert_eq!(connections(&listener), made, "step {at}");
        }
    }
}
