//! An engine of remote execution for tests: it keeps blobs in memory, runs commands in temporary folders,
//! and fails where a test wants it to.

mod blobs;
mod faults;
mod work;

pub use faults::{Fault, Plan};

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream::byte_stream_server::ByteStreamServer;
use bazel_remote_apis::google::longrunning::operations_server::OperationsServer;
use faults::Door;
use reapi::action_cache_server::ActionCacheServer;
use reapi::capabilities_server::CapabilitiesServer;
use reapi::content_addressable_storage_server::ContentAddressableStorageServer;
use reapi::execution_server::ExecutionServer;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tonic::transport::{Certificate, Identity, ServerTlsConfig};
use tonic::{Request, Status};

/// How an engine behaves.
pub struct Settings {
    /// The most bytes of blobs in one message; 0 is no limit.
    pub batch: i64,
    /// It executes actions.
    pub executes: bool,
    /// Results come with the contents of their files.
    pub inlines: bool,
    /// It knows how much of a broken upload it has.
    pub resumes: bool,
    /// The header `authorization` that it wants.
    pub token: Option<&'static str>,
    /// Certificate and key of a server with TLS.
    pub tls: Option<(Vec<u8>, Vec<u8>)>,
    /// The authority of which clients must have a certificate.
    pub clients: Option<Vec<u8>>,
    /// The time that it takes for each part of an upload.
    pub slow_writes: Duration,
    /// What fails.
    pub plan: Plan,
}

impl Default for Settings {
    fn default() -> Settings {
        let plan = Box::new(|_, _| None);
        Settings {
            batch: 0,
            executes: true,
            inlines: false,
            resumes: true,
            token: None,
            tls: None,
            clients: None,
            slow_writes: Duration::ZERO,
            plan,
        }
    }
}

/// A running engine. It ends when it is dropped.
pub struct Fake {
    pub state: Arc<State>,
    address: SocketAddr,
    _runtime: tokio::runtime::Runtime,
}

/// What an engine has.
pub struct State {
    pub settings: Settings,
    pub blobs: Mutex<HashMap<String, Vec<u8>>>,
    pub results: Mutex<HashMap<String, reapi::ActionResult>>,
    /// Uploads that are not complete, by name.
    uploads: Mutex<HashMap<String, Vec<u8>>>,
    operations: Mutex<HashMap<String, Running>>,
    /// The number of calls, by name.
    calls: Mutex<HashMap<&'static str, u64>>,
    /// Names of operations that were cancelled.
    pub cancelled: Mutex<Vec<String>>,
    /// The bytes of blobs that came.
    pub came: Mutex<u64>,
    pub door: Door,
}

/// The action of an operation, and its end.
type Running = (reapi::Digest, watch::Receiver<Option<reapi::ExecuteResponse>>);

impl Fake {
    pub fn start(settings: Settings) -> Fake {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            settings,
            blobs: Mutex::default(),
            results: Mutex::default(),
            uploads: Mutex::default(),
            operations: Mutex::default(),
            calls: Mutex::default(),
            cancelled: Mutex::default(),
            came: Mutex::default(),
            door: Door::default(),
        });
        let service = || Service(Arc::clone(&state));
        let mut server = tonic::transport::Server::builder();
        if let Some((certificate, key)) = &state.settings.tls {
            let _ = rustls::crypto::ring::default_provider().install_default();
            let mut tls = ServerTlsConfig::new().identity(Identity::from_pem(certificate, key));
            if let Some(authority) = &state.settings.clients {
                tls = tls.client_ca_root(Certificate::from_pem(authority));
            }
            server = server.tls_config(tls).unwrap();
        }
        let server = server
            .add_service(ContentAddressableStorageServer::new(service()).max_decoding_message_size(64 << 20))
            .add_service(ByteStreamServer::new(service()).max_decoding_message_size(64 << 20))
            .add_service(ActionCacheServer::new(service()))
            .add_service(CapabilitiesServer::new(service()))
            .add_service(ExecutionServer::new(service()))
            .add_service(OperationsServer::new(service()));
        let connections = state.door.connections(listener, &runtime);
        runtime.spawn(server.serve_with_incoming(connections));
        Fake { state, address, _runtime: runtime }
    }

    /// The URL of an instance.
    pub fn url(&self) -> String {
        let scheme = if self.state.settings.tls.is_some() { "grpcs" } else { "grpc" };
        format!("{scheme}://{}/main", self.address)
    }

    /// The number of calls so far.
    pub fn calls(&self, name: &str) -> u64 {
        self.state.calls.lock().unwrap().get(name).copied().unwrap_or_default()
    }
}

/// The services.
struct Service(Arc<State>);

impl Service {
    /// Counts a call, checks what every request has, and returns what goes wrong with it. What can go wrong
    /// with any call has gone wrong already.
    async fn enter<T>(&self, name: &'static str, request: &Request<T>) -> Result<Option<Fault>, Status> {
        let number = {
            let mut calls = self.0.calls.lock().unwrap();
            let number = calls.entry(name).or_default();
            *number += 1;
            *number - 1
        };
        let header = |name: &str| request.metadata().get(name).and_then(|value| value.to_str().ok());
        if self.0.settings.token.is_some_and(|token| header("authorization") != Some(token)) {
            return Err(Status::unauthenticated("who are you"));
        }
        let tool = request.metadata().get_bin("build.bazel.remote.execution.v2.requestmetadata-bin");
        assert!(tool.is_some(), "{name}: no name of the tool");
        let fault = (self.0.settings.plan)(name, number);
        match fault {
            Some(Fault::Code(code)) => return Err(Status::new(code, "asked for by a test")),
            Some(Fault::Repeat) => {
                return Err(Status::permission_denied(format!("no {}", header("authorization").unwrap_or_default())));
            }
            Some(Fault::Break) => {
                self.0.door.break_all();
                return Err(Status::unavailable("the connection is broken"));
            }
            Some(Fault::Slow) => tokio::time::sleep(std::time::Duration::from_millis(30)).await,
            _ => {}
        }
        Ok(fault)
    }

    /// Checks the name of the instance.
    fn instance(name: &str) -> Result<(), Status> {
        if name == "main" { Ok(()) } else { Err(Status::invalid_argument(format!("no instance '{name}'"))) }
    }
}

/// The hash of a digest whose size is that of the blob.
fn hash(digest: Option<&reapi::Digest>) -> Result<String, Status> {
    digest.map(|digest| digest.hash.clone()).ok_or_else(|| Status::invalid_argument("no digest"))
}

/// The digest of bytes.
pub fn digest(bytes: &[u8]) -> reapi::Digest {
    use sha2::Digest as _;
    let hash: String = sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    reapi::Digest { hash, size_bytes: bytes.len() as i64 }
}
