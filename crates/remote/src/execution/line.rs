//! The connection of HTTP/2 that carries all requests, and whether the server still answers.
//!
//! **Problem.** An execution may say nothing for any time, and so does a server that hangs. Pings of HTTP/2
//! would tell them apart, but servers of gRPC allow one in five minutes and close connections that send
//! more. **Strategy.** A call that has heard nothing for a while makes one request that every server
//! answers at once (`GetCapabilities`), for all calls that wait. Without an answer all calls leave the
//! connection, and the next one is tried for a moment: a balancer may lead it to another server.

use super::headers::Headers;
use super::trouble::Trouble;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use futures_util::future::{Either, select};
use reapi::capabilities_client::CapabilitiesClient;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tonic::Status;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};

/// The channel of all clients.
pub(super) type Service = InterceptedService<Channel, Headers>;

/// A connection, by its number among those to this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number(u64);

/// The connections to a server, one after another.
pub(super) struct Line {
    endpoint: Endpoint,
    headers: Headers,
    instance: String,
    /// The time in which a server that hangs is noticed.
    silence: Duration,
    state: Mutex<State>,
    /// The number of files that are being sent.
    uploads: AtomicUsize,
    /// Who holds it asks the server; the others wait.
    asking: tokio::sync::Mutex<()>,
}

/// While a file is being sent, a request waits behind what buffers hold of it: four MiB at 64 KiB a second.
const BUFFERS: Duration = Duration::from_secs(64);

/// A file that is being sent, until it is dropped.
pub(super) struct Upload(Arc<Line>);

impl Drop for Upload {
    fn drop(&mut self) {
        self.0.uploads.fetch_sub(1, Ordering::Relaxed);
    }
}

struct State {
    service: Service,
    number: Number,
    /// When the server was last heard.
    heard: Instant,
    /// It did not answer on the last connection, nor on this one.
    is_gone: bool,
}

impl Line {
    /// Nothing is sent. It is called inside of a runtime.
    pub fn new(endpoint: Endpoint, headers: Headers, instance: String, silence: Duration) -> Line {
        let service = InterceptedService::new(endpoint.connect_lazy(), headers.clone());
        let state = State { service, number: Number(0), heard: Instant::now(), is_gone: false };
        let (state, asking) = (Mutex::new(state), tokio::sync::Mutex::default());
        Line { endpoint, headers, instance, silence, state, uploads: AtomicUsize::new(0), asking }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The channel of the connection in use.
    pub fn service(&self) -> Service {
        self.state().service.clone()
    }

    /// The connection in use.
    pub fn number(&self) -> Number {
        self.state().number
    }

    /// A file is being sent from now on.
    pub fn upload(self: &Arc<Line>) -> Upload {
        self.uploads.fetch_add(1, Ordering::Relaxed);
        Upload(Arc::clone(self))
    }

    /// The server has said or taken something.
    pub fn hear(&self) {
        let mut state = self.state();
        (state.heard, state.is_gone) = (Instant::now(), false);
    }

    /// Waits for a call on a connection, for as long as the server answers requests.
    ///
    /// # Errors
    /// What goes wrong with the call, by `trouble`, or that the server does not answer.
    pub async fn listen<T>(
        &self,
        number: Number,
        call: impl Future<Output = Result<T, Status>>,
        trouble: impl Fn(&Status) -> Trouble,
    ) -> Result<T, Trouble> {
        let mut call = pin!(call);
        let done = loop {
            if let Ok(done) = timeout(self.silence * 2 / 5, &mut call).await {
                break done;
            }
            match select(&mut call, pin!(self.ask(number))).await {
                Either::Left((done, _)) => break done,
                Either::Right((there, _)) => there?,
            }
        };
        if done.is_ok() {
            self.hear();
        }
        done.map_err(|status| trouble(&status))
    }

    /// Whether the server still answers on a connection.
    async fn ask(&self, number: Number) -> Result<(), Trouble> {
        let _one = self.asking.lock().await;
        let (mut long, short) = (self.silence * 2 / 5, self.silence / 5);
        if self.uploads.load(Ordering::Relaxed) > 0 {
            long = long.max(BUFFERS);
        }
        {
            let state = self.state();
            if state.number != number {
                return Err(self.silent(state.is_gone));
            }
            if state.heard.elapsed() < long {
                return Ok(());
            }
        }
        if self.answers(long).await {
            return Ok(());
        }
        {
            let mut state = self.state();
            // A server may be too busy to answer a request, and still send messages on a stream.
            if state.heard.elapsed() < long {
                return Ok(());
            }
            state.service = InterceptedService::new(self.endpoint.connect_lazy(), self.headers.clone());
            (state.number, state.is_gone) = (Number(number.0 + 1), true);
        }
        let answers = self.answers(short).await;
        Err(self.silent(!answers))
    }

    /// Whether it answers within a time. What breaks a connection ends the calls on it as well.
    async fn answers(&self, within: Duration) -> bool {
        let request = reapi::GetCapabilitiesRequest { instance_name: self.instance.clone() };
        let mut client = CapabilitiesClient::new(self.service());
        let answered = timeout(within, client.get_capabilities(request)).await.is_ok();
        if answered {
            self.hear();
        }
        answered
    }

    fn silent(&self, is_gone: bool) -> Trouble {
        match is_gone {
            true => Trouble::Failed(format!("the server has not answered for {} s", self.silence.as_secs_f64())),
            false => Trouble::passing("the server did not answer on a connection"),
        }
    }
}
