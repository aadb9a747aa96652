//! What an engine of remote execution does for the driver: it runs `raddle __unit` for one unit on
//! another machine.
//!
//! **Invariant.** An engine is not trusted: what it returns is read as untrusted frames, and whatever
//! it does, the unit can still be compiled here. Nothing that it says contains credentials.

use std::fmt::Debug;
use std::time::Duration;

/// A unit, as its process gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteUnit {
    /// Its name, for logs of the engine.
    pub name: String,
    /// The PTX that the process reads.
    pub text: String,
    /// The arguments after `raddle __unit`.
    pub arguments: Vec<String>,
    /// The time limit of its execution, without the time in the engine's queue.
    pub limit: Option<Duration>,
}

/// The function that gets the result of a unit; called once, from any thread. It returns quickly and
/// does not panic.
pub type OnAnswer = Box<dyn FnOnce(Result<Answer, EngineError>) + Send>;

/// An engine that compiles units elsewhere.
pub trait Engine: Debug + Send + Sync {
    /// Starts a unit and returns at once. `done` is called once, also after an error and after
    /// [`Cancel::cancel`], but not necessarily after the engine has been dropped.
    fn start(&self, unit: RemoteUnit, done: OnAnswer) -> Box<dyn Cancel>;

    /// The most units that should be under way at once.
    fn slots(&self) -> usize;

    /// The name of the engine for messages: its URL without credentials.
    fn name(&self) -> String;
}

/// A unit that is under way.
pub trait Cancel: Debug + Send + Sync {
    /// The result is not needed any more.
    fn cancel(&self);
}

/// The end of a process of `raddle __unit` on another machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What it wrote: frames.
    pub output: Vec<u8>,
    /// The end of its error output.
    pub said: String,
    /// Its exit status.
    pub status: i32,
    /// Whether the engine had the result already.
    pub from_cache: bool,
    /// The machine that ran it, as the engine names it.
    pub worker: String,
    /// The time in the engine's queue.
    pub queued: Duration,
    /// The time of execution, with fetching inputs and storing outputs.
    pub ran: Duration,
    /// Bytes sent for this unit; the program itself counts for the first unit that needs it.
    pub sent: u64,
    /// Bytes received for it.
    pub received: u64,
}

/// The reason why an engine did not run a unit. The texts contain no credentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The engine does not allow or cannot do this at all: no unit needs to be tried again.
    #[error("refused: {0}")]
    Refused(String),
    /// Anything else, after the engine's own retries: no connection, a lost worker, a broken answer.
    #[error("{0}")]
    Failed(String),
}
