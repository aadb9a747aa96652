//! Units on an engine of remote execution: a client of the Remote Execution API (REAPI v2.11), which
//! Bazel, Buildbarn, BuildBuddy, NativeLink, EngFlow and BuildGrid speak.
//!
//! **Strategy.** A unit is an action (`action`): the program, the PTX, a command. `unit` looks it up in the
//! action cache, sends what is missing (`upload`, `program`), executes it (`execute`) and fetches the
//! result (`download`). Whatever may pass is repeated (`retry`, `trouble`), for a limited time. All of it
//! happens on one thread, which waits for the network and holds no job token. `store` keeps entries of a
//! cache in the action cache and the blobs of such a server.
//!
//! **Invariants.** The function that waits for a unit is called once, whatever happens. A blob that is not
//! what its digest says is never used. No message contains credentials. Nothing here waits when an engine
//! is dropped.

mod action;
mod address;
mod connection;
mod digest;
mod download;
mod execute;
mod headers;
mod line;
mod program;
mod retry;
mod secrets;
mod store;
mod traffic;
mod trouble;
mod unit;
mod upload;

use crate::runtime::Background;
use address::Address;
use connection::Connection;
use execute::Running;
use futures_util::future::{AbortHandle, Abortable};
use program::Program;
use raddle_driver::engine::{Answer, Cancel, Engine, EngineError, OnAnswer, RemoteUnit};
use retry::Bounds;
use secrets::{Names, Secrets};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use unit::Shared;

pub use address::OpenError;
#[cfg(feature = "engines")]
pub(crate) use store::is_one;
pub use store::{OpenedStore, open_store};

/// The variables with the credentials of an engine.
const NAMES: Names = Names {
    token: "RADDLE_REMOTE_TOKEN",
    authority: "RADDLE_REMOTE_CA",
    certificate: "RADDLE_REMOTE_CERT",
    key: "RADDLE_REMOTE_CERT_KEY",
};
/// The time in which a server that hangs is noticed.
const SILENCE: Duration = Duration::from_secs(25);
/// The program of this process.
const OWN: &str = "/proc/self/exe";

/// How an engine is used.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of units that are under way at once; at least 1.
    pub slots: usize,
    /// Properties that a worker must have, by name and value (REAPI v2.11, `Platform`).
    pub platform: Vec<(String, String)>,
    /// The program that workers run in the place of this one: it must be `raddle` of the same version.
    pub program: Option<PathBuf>,
    /// The number of requests that are repeated for one unit. The first request to a server that has never
    /// answered is repeated three times at most.
    pub retries: u32,
    /// The pause before the first repetition; each next one is twice as long.
    pub pause: Duration,
    /// The time that all pauses of one unit may take together.
    pub patience: Duration,
    /// The time in which a server is noticed that takes requests and answers none: units that wait for it
    /// then fail.
    pub silence: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            slots: 16,
            platform: Vec::new(),
            program: None,
            retries: 24,
            pause: Duration::from_millis(100),
            patience: Duration::from_secs(60),
            silence: SILENCE,
        }
    }
}

/// Opens the engine of a URL: `grpc://HOST:PORT[/INSTANCE]`, or `grpcs://HOST[:PORT][/INSTANCE]` with TLS,
/// which trusts the certificates of the system, or those of the file that the environment variable
/// `RADDLE_REMOTE_CA` names. `RADDLE_REMOTE_CERT` and `RADDLE_REMOTE_CERT_KEY` name certificate and key of the
/// client. The token in `RADDLE_REMOTE_TOKEN` is sent with each request. Nothing is sent before the first
/// unit.
///
/// # Errors
/// What is wrong with the URL, or why connections cannot be set up.
pub fn open(url: &str, options: Options) -> Result<Box<dyn Engine>, OpenError> {
    let address = Address::of(url)?;
    if address.read_only {
        return Err(OpenError::Parameter("mode".to_owned()));
    }
    let (runtime, connection) = connect(&address, &NAMES, options.silence)?;
    let slots = options.slots.max(1);
    let shared = Shared {
        connection,
        program: Program::new(options.program.unwrap_or_else(|| PathBuf::from(OWN))),
        platform: action::platform(&options.platform),
        bounds: Bounds { retries: options.retries, pause: options.pause, patience: options.patience },
    };
    let (shared, free) = (Arc::new(shared), Arc::new(Semaphore::new(slots)));
    Ok(Box::new(Remote { shared, free, slots, runtime }))
}

/// A runtime and a connection, with the credentials of environment variables.
fn connect(address: &Address, names: &'static Names, silence: Duration) -> Result<(Background, Connection), OpenError> {
    crate::runtime::provide_tls();
    let runtime = Background::start("remote execution").map_err(|error| OpenError::Setup(error.to_string()))?;
    let secrets = Secrets::read(names)?;
    let connection = {
        let _inside = runtime.enter();
        Connection::new(address, secrets, silence)?
    };
    Ok((runtime, connection))
}

/// An engine.
struct Remote {
    shared: Arc<Shared>,
    /// A permit for each slot.
    free: Arc<Semaphore>,
    slots: usize,
    runtime: Background,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("name", &self.name()).field("slots", &self.slots).finish_non_exhaustive()
    }
}

impl Engine for Remote {
    fn start(&self, unit: RemoteUnit, done: OnAnswer) -> Box<dyn Cancel> {
        let (handle, registration) = AbortHandle::new_pair();
        let mut waiting = Waiting(Some(done));
        let (shared, free) = (Arc::clone(&self.shared), Arc::clone(&self.free));
        let running = Arc::new(Running::default());
        let cancelled = Arc::clone(&running);
        let ran = Abortable::new(
            async move {
                // The permit is there for as long as the unit is under way; the semaphore is never closed.
                let _permit = free.acquire_owned().await;
                let answer = unit::run(&shared, unit, &running).await;
                (shared, answer)
            },
            registration,
        );
        let shared = Arc::clone(&self.shared);
        self.runtime.spawn(async move {
            match ran.await {
                Ok((_, answer)) => waiting.tell(answer),
                Err(_) => {
                    waiting.tell(Err(EngineError::Cancelled));
                    cancelled.cancel(&shared.connection).await;
                }
            }
        });
        Box::new(Handle(handle))
    }

    fn slots(&self) -> usize {
        self.slots
    }

    fn name(&self) -> String {
        self.shared.connection.name.clone()
    }
}

/// The function that waits for a unit. It is called when this is dropped, at the latest: after a panic, or
/// where the engine is dropped.
struct Waiting(Option<OnAnswer>);

impl Waiting {
    fn tell(&mut self, answer: Result<Answer, EngineError>) {
        if let Some(done) = self.0.take() {
            done(answer);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.tell(Err(EngineError::Failed("the client of the engine has ended".to_owned())));
    }
}

/// A unit that is under way.
#[derive(Debug)]
struct Handle(AbortHandle);

impl Cancel for Handle {
    fn cancel(&self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_panic_is_told() {
        let (send, receive) = channel();
        let runtime = Background::start("test").unwrap();
        let waiting = Waiting(Some(Box::new(move |answer| send.send(answer).unwrap_or_default())));
        runtime.spawn(async move {
            let _waiting = waiting;
            panic!("asked for by a test");
        });
        let told = receive.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(matches!(told, Err(EngineError::Failed(_))), "{told:?}");
        assert!(receive.recv().is_err(), "it is told once");
    }

    #[test]
    fn the_end_of_the_runtime_is_told() {
        let (send, receive) = channel();
        let runtime = Background::start("test").unwrap();
        for number in 0..3 {
            let send = send.clone();
            let waiting = Waiting(Some(Box::new(move |_| send.send(number).unwrap_or_default())));
            runtime.spawn(async move {
                let _waiting = waiting;
                tokio::time::sleep(Duration::from_secs(600)).await;
            });
        }
        drop((runtime, send));
        let mut told: Vec<i32> = receive.iter().collect();
        told.sort_unstable();
        assert_eq!(told, [0, 1, 2]);
    }
}
