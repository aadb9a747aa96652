//! Entries of a cache on a server of REAPI: each is the output file of an action that is never executed
//! (REAPI v2.11, `ActionCache`).
//!
//! The command of the action names the key, so the digest of the action stands for it. The entry is a blob.
//! Such a server can neither list its entries nor remove one.

use super::action::{Action, OUTPUT};
use super::address::{Address, OpenError};
use super::connection::Connection;
use super::digest::Blob;
use super::retry::{Bounds, Retries};
use super::secrets::Names;
use super::traffic::Traffic;
use super::trouble::Trouble;
use super::unit::{look_up, output};
use super::upload;
use super::{SILENCE, connect};
use crate::runtime::{Background, Late};
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use prost::Message;
use raddle_driver::cache::{Listed, Store, StoreError};
use raddle_driver::key::Key;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// The variables with the credentials of a cache.
const NAMES: Names = Names {
    token: "RADDLE_CACHE_TOKEN",
    authority: "RADDLE_CACHE_CA",
    certificate: "RADDLE_CACHE_CERT",
    key: "RADDLE_CACHE_CERT_KEY",
};
/// No request is repeated: a cache that fails is a miss.
const ONCE: Bounds = Bounds { retries: 0, pause: Duration::ZERO, patience: Duration::ZERO };

/// Whether a URL names such a server.
#[cfg(feature = "engines")]
pub(crate) fn is_one(url: &str) -> bool {
    url.starts_with("grpc://") || url.starts_with("grpcs://")
}

/// A store behind a URL.
#[derive(Debug)]
pub struct OpenedStore {
    /// The store.
    pub store: Box<dyn Store>,
    /// Whether the URL says that it is only read.
    pub read_only: bool,
}

/// Opens the cache of a URL, which is that of an engine ([`super::open`]), or of a server that has an
/// action cache and blobs alone. It may have `?mode=ro`. Token, trusted certificates, and certificate and
/// key of the client are those of the environment variables `RADDLE_CACHE_TOKEN`, `RADDLE_CACHE_CA`,
/// `RADDLE_CACHE_CERT` and `RADDLE_CACHE_CERT_KEY`. Nothing is sent.
///
/// # Errors
/// What is wrong with the URL, or why connections cannot be set up.
pub fn open_store(url: &str) -> Result<OpenedStore, OpenError> {
    let address = Address::of(url)?;
    let (runtime, connection) = connect(&address, &NAMES, SILENCE)?;
    let store = Results { connection: Arc::new(connection), runtime };
    Ok(OpenedStore { store: Box::new(store), read_only: address.read_only })
}

/// A server.
#[derive(Debug)]
struct Results {
    connection: Arc<Connection>,
    runtime: Background,
}

/// The action that stands for a key.
fn action(key: &Key) -> Action {
    Action::of_name(vec!["raddle cache entry 1".to_owned(), key.to_string()])
}

async fn get(connection: &Connection, key: &Key) -> Result<Option<Vec<u8>>, Trouble> {
    let (traffic, mut retries) = (Traffic::default(), Retries::new(ONCE, 0));
    let found = look_up(connection, &action(key).digest, &traffic, &mut retries).await?;
    let Some(mut result) = found else { return Ok(None) };
    match output(connection, &mut result, &traffic, &mut retries).await {
        // The server has kept the result, but not the blob.
        Err(Trouble::NotFound(_)) => Ok(None),
        done => done,
    }
}

async fn put(connection: &Connection, key: &Key, bytes: Vec<u8>) -> Result<(), Trouble> {
    let (traffic, mut retries) = (Arc::new(Traffic::default()), Retries::new(ONCE, 0));
    if !connection.abilities(&traffic).await?.keeps_results {
        return Err(Trouble::Refused("the action cache cannot be written".to_owned()));
    }
    let Action { digest, blobs } = action(key);
    let entry = Blob::of(bytes);
    let file = reapi::OutputFile {
        path: OUTPUT.to_owned(),
        digest: Some(entry.digest.message()),
        ..reapi::OutputFile::default()
    };
    let blobs: Vec<Arc<Blob>> = blobs.into_iter().chain([entry]).map(Arc::new).collect();
    upload::send_missing(connection, &blobs, &[], &traffic, &mut retries).await?;
    let request = reapi::UpdateActionResultRequest {
        instance_name: connection.instance.clone(),
        action_digest: Some(digest.message()),
        action_result: Some(reapi::ActionResult { output_files: vec![file], ..reapi::ActionResult::default() }),
        ..reapi::UpdateActionResultRequest::default()
    };
    let (size, mut client) = (request.encoded_len(), connection.results());
    connection.ask(&traffic, size, client.update_action_result(request)).await.map(drop)
}

impl Results {
    /// Waits for a request for a limited time.
    fn run<T: Send + 'static>(
        &self,
        within: Duration,
        request: impl Future<Output = Result<T, Trouble>> + Send + 'static,
    ) -> Result<T, StoreError> {
        match self.runtime.wait(within, request) {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(Trouble::Refused(text) | Trouble::Unimplemented(text))) => Err(StoreError::Refused(text)),
            Ok(Err(trouble)) => Err(StoreError::Failed(trouble.to_string())),
            Err(Late::Late) => Err(StoreError::Timeout(within)),
            Err(Late::Ended) => Err(StoreError::Failed("the client of the server has ended".to_owned())),
        }
    }
}

impl Store for Results {
    fn get(&self, key: &Key, within: Duration) -> Result<Option<Vec<u8>>, StoreError> {
        let (connection, key) = (Arc::clone(&self.connection), *key);
        self.run(within, async move { get(&connection, &key).await })
    }

    fn put(&self, key: &Key, bytes: Vec<u8>, within: Duration) -> Result<(), StoreError> {
        let (connection, key) = (Arc::clone(&self.connection), *key);
        self.run(within, async move { put(&connection, &key, bytes).await })
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        Err(StoreError::Unsupported("a server of REAPI cannot list its entries".to_owned()))
    }

    fn remove(&self, _: &Key) -> Result<(), StoreError> {
        Err(StoreError::Unsupported("a server of REAPI cannot remove an entry".to_owned()))
    }

    fn name(&self) -> String {
        self.connection.name.clone()
    }
}
