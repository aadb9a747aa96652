//! The worker processes that load LLVM (decision D30).
//!
//! **Problem.** A fatal error of LLVM ends its process, and some of its options are process-wide; a
//! process takes time to start and to load the library. **Strategy.** `raddle __llvm` processes
//! answer one request after another. A task that needs LLVM takes an idle worker, or starts one;
//! the task waits for it with its own job token, so there are never more busy workers than tasks. A
//! worker that dies costs the request that it was working on.
//!
//! **Invariants.** Workers are killed when their task is cancelled, when a signal ends this process
//! and when this process dies; none outlives [`Workers`].

use super::said;
use crate::resume::VARIABLE;
use raddle_frontend::protocol::{Message, Request, Response};
use raddle_frontend::steps::StepError;
use raddle_frontend::worker::Library;
use raddle_jobs::lock::lock;
use raddle_jobs::signals::{self, ExitAction};
use raddle_jobs::{Task, children};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The most bytes of a worker's error output that are shown.
const SAID: u64 = 2000;

/// Why a request has no response.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// No process could be started, or its pipes failed.
    #[error("no LLVM worker process could be used: {0}")]
    Io(#[from] io::Error),
    /// The process ended.
    #[error("{library} ended its process ({how})")]
    Ended {
        /// The library that it had loaded.
        library: &'static str,
        /// The signal or the exit status.
        how: String,
        /// Whether it ended without an error of its own.
        success: bool,
        /// The end of its error output.
        said: Vec<String>,
    },
    /// The task was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The task's time limit has passed.
    #[error("time limit exceeded")]
    Expired,
    /// This process panicked.
    #[error("the compiler panicked: {0}")]
    Panicked(String),
    /// A step has no result.
    #[error(transparent)]
    Failed(#[from] StepError),
}

/// Worker processes with the same library and options.
pub(crate) struct Workers {
    idle: Mutex<Vec<Worker>>,
    /// Asks the thread that starts processes for one more.
    wanted: Mutex<Option<Sender<Sender<io::Result<Worker>>>>>,
    starter: Mutex<Option<JoinHandle<()>>>,
}

/// The name of a library in messages.
fn name(kind: Library) -> &'static str {
    match kind {
        Library::Llvm => "LLVM",
        Library::NvJitLink => "nvJitLink",
    }
}

/// One process.
struct Worker {
    kind: Library,
    child: Child,
    input: Option<children::Input>,
    output: OwnedFd,
    said: File,
    killer: Option<ExitAction>,
}

impl Workers {
    /// No process is started before the first request. `program`, by default that of this process,
    /// is started as `raddle __llvm`; `options` are process-wide options of LLVM.
    pub fn new(program: Option<PathBuf>, kind: Library, library: PathBuf, options: Vec<String>) -> Workers {
        let program = program.unwrap_or_else(|| "/proc/self/exe".into());
        let (sender, receiver) = channel();
        // A process dies with the thread that started it; threads of the pool end with their run.
        let starter =
            std::thread::spawn(move || start_all(&receiver, &|| Worker::start(&program, kind, &library, &options)));
        Workers { idle: Mutex::default(), wanted: Mutex::new(Some(sender)), starter: Mutex::new(Some(starter)) }
    }

    /// Runs a request in a worker; returns its response and the first of its contents.
    pub fn call(&self, request: &Request, contents: &[&[u8]], task: &Task) -> Result<(Response, Vec<u8>), CallError> {
        let mut worker = match self.waiting(task) {
            Some(worker) => worker,
            None => self.start()?,
        };
        let message = worker.call(request, contents, task)?;
        lock(&self.idle).push(worker);
        match message.head {
            Response::Failed(why) => Err(CallError::Failed(why)),
            response => Ok((response, message.contents.into_iter().next().unwrap_or_default())),
        }
    }

    /// An idle worker. One that was killed while it waited has lost nothing.
    fn waiting(&self, task: &Task) -> Option<Worker> {
        loop {
            let worker = lock(&self.idle).pop()?;
            if !matches!(children::ended(&worker.child, task.cancel(), Duration::ZERO), Ok(Some(true))) {
                return Some(worker);
            }
        }
    }

    fn start(&self) -> io::Result<Worker> {
        let (sender, receiver) = channel();
        let gone = || io::Error::other("the thread that starts processes has ended");
        lock(&self.wanted).as_ref().ok_or_else(gone)?.send(sender).map_err(|_| gone())?;
        receiver.recv().map_err(|_| gone())?
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        lock(&self.idle).clear();
        *lock(&self.wanted) = None;
        if let Some(starter) = lock(&self.starter).take() {
            // It has not panicked, or there is nothing left to do about it.
            let _ = starter.join();
        }
    }
}

/// Starts processes on request, until nobody can ask any more.
fn start_all(wanted: &Receiver<Sender<io::Result<Worker>>>, start: &dyn Fn() -> io::Result<Worker>) {
    while let Ok(reply) = wanted.recv() {
        // The task that asked has ended if the reply cannot be sent.
        let _ = reply.send(start());
    }
}

impl Worker {
    fn start(program: &Path, kind: Library, library: &Path, options: &[String]) -> io::Result<Worker> {
        let said = tempfile::tempfile()?;
        let mut command = Command::new(program);
        command.arg("__llvm").arg(format!("--parent={}", std::process::id())).arg(library);
        if kind == Library::NvJitLink {
            command.arg("--nvjitlink");
        }
        command.args(options.iter().map(|option| format!("--option={option}")));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(said.try_clone()?);
        // It runs on our token and must take no other.
        for name in ["MAKEFLAGS", VARIABLE] {
            command.env_remove(name);
        }
        let mut child = command.spawn()?;
        let killer = Some(ExitAction::new(children::killer(&child)));
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let input = input.map(children::Input::new).transpose();
        let output = output.ok_or_else(|| io::Error::other("no pipe"))?.into();
        let mut worker = Worker { kind, child, input: None, output, said, killer };
        worker.input = input?;
        Ok(worker)
    }

    fn call(&mut self, request: &Request, contents: &[&[u8]], task: &Task) -> Result<Message<Response>, CallError> {
        let sent = match &self.input {
            Some(input) => Message::write(request, contents, &mut input.until(task.cancel())?),
            None => Ok(()),
        };
        let (mut response, mut malformed) = (None, None);
        let heard = children::listen_until(&self.output, task.cancel(), |bytes| match Message::take(bytes) {
            Ok(None) => ControlFlow::Continue(0),
            Ok(Some((message, _))) => {
                response = Some(message);
                ControlFlow::Break(())
            }
            Err(error) => {
                malformed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        if let Some(error) = malformed {
            return Err(error.into());
        }
        match (heard, response) {
            (_, Some(response)) => Ok(response),
            (children::ListenResult::Cancelled, None) if task.expired() => Err(CallError::Expired),
            (children::ListenResult::Cancelled, None) => Err(CallError::Cancelled),
            // A process that dies reads no more: that it could not be sent everything says nothing.
            (_, None) => {
                drop(sent);
                let status = self.end(false)?;
                let how = status.signal().map_or(status.to_string(), signals::name);
                let (library, success) = (name(self.kind), status.success());
                Err(CallError::Ended { library, how, success, said: self.said() })
            }
        }
    }

    /// Ends the process and waits for it.
    fn end(&mut self, kill: bool) -> io::Result<ExitStatus> {
        self.input = None;
        if kill {
            // This fails only if the process has ended already.
            let _ = self.child.kill();
        }
        match self.killer.take() {
            Some(killer) => killer.commit(|| self.child.wait()),
            None => self.child.wait(),
        }
    }

    /// The last lines of its error output.
    fn said(&mut self) -> Vec<String> {
        let read = |file: &mut File| -> io::Result<String> {
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(SAID)))?;
            let mut bytes = Vec::new();
            file.take(SAID).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let text = read(&mut self.said).unwrap_or_default();
        text.lines().filter_map(said::plain).collect()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.killer.is_some() {
            // Idle or given up: it holds nothing that needs an orderly end.
            let _ = self.end(true);
        }
    }
}
