//! The connection to a server: credentials, time limits, and what the server can do.
//!
//! One connection of HTTP/2 carries all requests. It is made at the first request, and again after it has
//! broken. Probes of TCP find a machine that is gone, and requests a process that does not answer (`line`),
//! so a stream may be silent for any time.

use super::address::{Address, OpenError};
use super::headers::Headers;
use super::line::{Line, Number, Service};
use super::secrets::Secrets;
use super::traffic::Traffic;
use super::trouble::Trouble;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use prost::Message;
use reapi::action_cache_client::ActionCacheClient;
use reapi::capabilities_client::CapabilitiesClient;
use reapi::content_addressable_storage_client::ContentAddressableStorageClient;
use reapi::digest_function::Value::Sha256;
use reapi::execution_client::ExecutionClient;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tonic::transport::Endpoint;
use tonic::{Response, Status};

/// The time limit of a connection that is being made.
const CONNECT: Duration = Duration::from_secs(5);
/// The time limit of a request with a short answer, and of the next message of a download.
pub(super) const REQUEST: Duration = Duration::from_secs(60);
/// After this time without a message the server is asked whether it is still there. Servers of gRPC allow
/// this every five minutes, and close connections that do it more often.
const PING: Duration = Duration::from_secs(320);
/// The same for its machine: after this time, in this interval, and so many times without an answer.
const PROBE: (Duration, Duration, u32) = (Duration::from_secs(15), Duration::from_secs(5), 3);
/// The most bytes of one answer, and of all, that are under way.
const WINDOW: (u32, u32) = (1 << 20, 8 << 20);
/// The largest message that is accepted.
const MESSAGE: usize = 64 << 20;
/// The most bytes of blobs in one message, whatever the server allows: most servers accept messages of
/// 4 MiB, the default of gRPC.
const BATCH: usize = (4 << 20) - (64 << 10);

/// A server.
pub(super) struct Connection {
    line: Arc<Line>,
    /// The instance of the server that is asked.
    pub instance: String,
    /// The URL without credentials.
    pub name: String,
    secrets: Vec<String>,
    abilities: Mutex<Known>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What is known of a server.
#[derive(Clone, Debug)]
enum Known {
    Nothing,
    Abilities(Abilities),
    /// It could not be asked at this moment.
    Failure(Instant, Trouble),
}

/// What a server can do (REAPI v2.11, `Capabilities.GetCapabilities`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Abilities {
    /// The most bytes of blobs in one message.
    pub batch: usize,
    /// The largest blob, where there is a limit.
    pub largest: Option<u64>,
    /// It executes actions.
    pub executes: bool,
    /// Its action cache can be written.
    pub keeps_results: bool,
}

impl Connection {
    /// Sets up a connection; nothing is sent. A server that says nothing for `silence` is noticed. It is
    /// called inside of a runtime.
    pub fn new(address: &Address, secrets: Secrets, silence: Duration) -> Result<Connection, OpenError> {
        let setup = |error: tonic::transport::Error| OpenError::Setup(error.to_string());
        let mut endpoint = Endpoint::from_shared(address.endpoint.clone()).map_err(setup)?;
        if address.tls {
            endpoint = endpoint.tls_config(secrets.tls()?).map_err(setup)?;
        }
        let endpoint = endpoint
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .tcp_keepalive(Some(PROBE.0))
            .tcp_keepalive_interval(Some(PROBE.1))
            .tcp_keepalive_retries(Some(PROBE.2))
            .initial_stream_window_size(WINDOW.0)
            .initial_connection_window_size(WINDOW.1)
            .http2_keep_alive_interval(PING)
            .keep_alive_timeout(CONNECT)
            .keep_alive_while_idle(false);
        let headers = Headers::new(&secrets)?;
        Ok(Connection {
            line: Arc::new(Line::new(endpoint, headers, address.instance.clone(), silence)),
            instance: address.instance.clone(),
            name: address.shown.clone(),
            secrets: secrets.hidden(),
            abilities: Mutex::new(Known::Nothing),
        })
    }

    pub fn blobs(&self) -> ContentAddressableStorageClient<Service> {
        ContentAddressableStorageClient::new(self.line.service()).max_decoding_message_size(MESSAGE)
    }

    pub fn streams(&self) -> ByteStreamClient<Service> {
        ByteStreamClient::new(self.line.service()).max_decoding_message_size(MESSAGE)
    }

    pub fn results(&self) -> ActionCacheClient<Service> {
        ActionCacheClient::new(self.line.service()).max_decoding_message_size(MESSAGE)
    }

    pub fn execution(&self) -> ExecutionClient<Service> {
        ExecutionClient::new(self.line.service()).max_decoding_message_size(MESSAGE)
    }

    pub fn operations(&self) -> OperationsClient<Service> {
        OperationsClient::new(self.line.service())
    }

    /// What the server can do. It is asked once, and again after a failure, which those who waited for the
    /// same answer share.
    pub async fn abilities(&self, traffic: &Traffic) -> Result<Abilities, Trouble> {
        let begun = Instant::now();
        let mut known = self.abilities.lock().await;
        match &*known {
            Known::Abilities(abilities) => return Ok(*abilities),
            Known::Failure(when, trouble) if *when > begun => return Err(trouble.clone()),
            _ => {}
        }
        let request = reapi::GetCapabilitiesRequest { instance_name: self.instance.clone() };
        let (size, mut client) = (request.encoded_len(), CapabilitiesClient::new(self.line.service()));
        let told = self.ask(traffic, size, client.get_capabilities(request)).await;
        let abilities = told.and_then(|told| Abilities::read(&told));
        *known = match &abilities {
            Ok(abilities) => Known::Abilities(*abilities),
            Err(trouble) => Known::Failure(Instant::now(), trouble.clone()),
        };
        abilities
    }

    /// Waits for an answer for a limited time. `size`: the bytes of the request.
    pub async fn ask<A: Message>(
        &self,
        traffic: &Traffic,
        size: usize,
        call: impl Future<Output = Result<Response<A>, Status>>,
    ) -> Result<A, Trouble> {
        traffic.sent(size);
        let answer = self.within(REQUEST, call).await?.into_inner();
        traffic.received(answer.encoded_len());
        Ok(answer)
    }

    /// Waits for a call for a limited time, and for as long as the server answers.
    pub async fn within<T>(
        &self,
        limit: Duration,
        call: impl Future<Output = Result<T, Status>>,
    ) -> Result<T, Trouble> {
        self.within_on(self.number(), limit, call).await
    }

    /// The same on a connection that a call has begun on.
    pub async fn within_on<T>(
        &self,
        number: Number,
        limit: Duration,
        call: impl Future<Output = Result<T, Status>>,
    ) -> Result<T, Trouble> {
        match tokio::time::timeout(limit, self.listen(number, call)).await {
            Ok(done) => done,
            Err(_) => Err(Trouble::passing(format!("no answer within {} s", limit.as_secs()))),
        }
    }

    /// Waits for a call on a connection, for as long as the server answers.
    pub async fn listen<T>(&self, number: Number, call: impl Future<Output = Result<T, Status>>) -> Result<T, Trouble> {
        self.line.listen(number, call, |status| self.trouble(status)).await
    }

    /// The connection on which calls are made now.
    pub fn number(&self) -> Number {
        self.line.number()
    }

    /// The connections, to be told that the server takes a part of a request.
    pub fn line(&self) -> Arc<Line> {
        Arc::clone(&self.line)
    }

    /// The meaning of the status of a call.
    pub fn trouble(&self, status: &Status) -> Trouble {
        Trouble::of_call(status, &self.secrets)
    }

    /// What must not be shown.
    pub fn secrets(&self) -> &[String] {
        &self.secrets
    }
}

impl Abilities {
    /// # Errors
    /// The server does not know digests by SHA-256.
    fn read(told: &reapi::ServerCapabilities) -> Result<Abilities, Trouble> {
        let cache = told.cache_capabilities.clone().unwrap_or_default();
        let execution = told.execution_capabilities.clone().unwrap_or_default();
        let mut known = cache.digest_functions;
        if execution.exec_enabled {
            known.extend(&execution.digest_functions);
            known.extend(Some(execution.digest_function).filter(|function| *function != 0));
        }
        if !known.is_empty() && !known.contains(&(Sha256 as i32)) {
            return Err(Trouble::Refused("the server does not know SHA-256".to_owned()));
        }
        let positive = |value: i64| u64::try_from(value).ok().filter(|value| *value > 0);
        let batch = positive(cache.max_batch_total_size_bytes).and_then(|bytes| usize::try_from(bytes).ok());
        Ok(Abilities {
            batch: batch.unwrap_or(BATCH).min(BATCH),
            largest: positive(cache.max_cas_blob_size_bytes),
            executes: execution.exec_enabled,
            keeps_results: cache.action_cache_update_capabilities.is_some_and(|update| update.update_enabled),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reapi::digest_function::Value::{Blake3, Md5};

    fn told(functions: &[i32], batch: i64) -> reapi::ServerCapabilities {
        let cache = reapi::CacheCapabilities {
            digest_functions: functions.to_vec(),
            max_batch_total_size_bytes: batch,
            ..reapi::CacheCapabilities::default()
        };
        reapi::ServerCapabilities { cache_capabilities: Some(cache), ..reapi::ServerCapabilities::default() }
    }

    #[test]
    fn abilities_are_read_with_care() {
        let read = |functions: &[i32], batch| Abilities::read(&told(functions, batch));
        for (batch, want) in [(0, BATCH), (-1, BATCH), (1000, 1000), (i64::MAX, BATCH)] {
            assert_eq!(read(&[Sha256 as i32], batch).unwrap().batch, want);
        }
        assert!(read(&[], 0).is_ok() && read(&[Md5 as i32, Sha256 as i32], 0).is_ok());
        assert!(matches!(read(&[Blake3 as i32], 0), Err(Trouble::Refused(_))));
        assert!(!read(&[], 0).unwrap().executes);
    }
}
