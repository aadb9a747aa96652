//! An engine that starts a program for each unit: `raddle` itself on this machine, or a script that
//! takes it to another one (`srun raddle "$@"`, `ssh host raddle "$@"`).
//!
//! The program gets the arguments of `raddle __unit` with that word in front, the PTX on its standard
//! input, and writes what `raddle __unit` writes. Each unit under way has a thread, which sleeps until
//! the program has ended.

use crate::engine::{Answer, Cancel, Engine, EngineError, OnAnswer, RemoteUnit};
use crate::resume::VARIABLE;
use crate::unit::isolated::tail;
use raddle_jobs::lock::lock;
use raddle_jobs::signals::ExitAction;
use raddle_jobs::{CancelToken, children};
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The most bytes of an output that are kept.
const MOST: u64 = 256 << 20;

/// The stack of the thread of a unit.
const STACK: usize = 256 << 10;

/// An engine that starts a program for each unit.
#[derive(Clone, Debug)]
pub struct Exec {
    program: PathBuf,
    slots: usize,
}

impl Exec {
    /// Starts `program` for each unit, `slots` of them at once.
    pub fn new(program: PathBuf, slots: usize) -> Exec {
        Exec { program, slots }
    }
}

/// Kills the program.
#[derive(Debug)]
struct Kill(CancelToken);

impl Cancel for Kill {
    fn cancel(&self) {
        self.0.cancel();
    }
}

impl Engine for Exec {
    fn start(&self, unit: RemoteUnit, done: OnAnswer) -> Box<dyn Cancel> {
        let (cancel, program) = (CancelToken::new(), self.program.clone());
        let token = cancel.clone();
        // The thread gives the answer, or this one if no thread could be started.
        let done = Arc::new(Mutex::new(Some(done)));
        let given = Arc::clone(&done);
        let answer = move |answer: Result<Answer, EngineError>| {
            if let Some(done) = lock(&given).take() {
                done(answer);
            }
        };
        let tell = answer.clone();
        let thread = std::thread::Builder::new().name("unit".to_owned()).stack_size(STACK);
        if let Err(error) = thread.spawn(move || tell(run(&program, &unit, &token))) {
            answer(Err(EngineError::Failed(format!("no thread could be started: {error}"))));
        }
        Box::new(Kill(cancel))
    }

    fn slots(&self) -> usize {
        self.slots
    }

    fn name(&self) -> String {
        format!("exec:{}", self.program.display())
    }
}

/// Runs the program for a unit, to its end.
fn run(program: &Path, unit: &RemoteUnit, cancel: &CancelToken) -> Result<Answer, EngineError> {
    let begun = Instant::now();
    let failed = |error: io::Error| EngineError::Failed(format!("'{}': {error}", program.display()));
    let ended = process(program, unit, cancel).map_err(failed)?;
    let Some((output, said, status)) = ended else { return Err(EngineError::Cancelled) };
    let (sent, received) = (unit.text.len() as u64, output.len() as u64);
    let (ran, queued) = (begun.elapsed(), Duration::ZERO);
    Ok(Answer { output, said, status, from_cache: false, worker: String::new(), queued, ran, sent, received })
}

/// What a program wrote to its output and its error output, and its status.
type Output = (Vec<u8>, String, i32);

/// Runs the program; `None` if it was cancelled.
fn process(program: &Path, unit: &RemoteUnit, cancel: &CancelToken) -> io::Result<Option<Output>> {
    let [mut input, output, mut said] = [tempfile::tempfile()?, tempfile::tempfile()?, tempfile::tempfile()?];
    input.write_all(unit.text.as_bytes())?;
    input.rewind()?;
    let mut command = Command::new(program);
    command.arg("__unit").args(&unit.arguments);
    command.stdin(input).stdout(output.try_clone()?).stderr(said.try_clone()?);
    // It must take no token of a make.
    for name in ["MAKEFLAGS", VARIABLE] {
        command.env_remove(name);
    }
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let mut child = command.spawn()?;
    let killer = ExitAction::new(children::killer(&child));
    let ended = children::ended(&child, cancel, unit.limit.unwrap_or(Duration::MAX));
    if !matches!(ended, Ok(Some(true))) {
        // This fails only if the process has ended already.
        let _ = child.kill();
    }
    let status = killer.commit(|| child.wait())?;
    match ended? {
        Some(true) => {}
        Some(false) => return Ok(None),
        None => return Err(io::ErrorKind::TimedOut.into()),
    }
    let mut bytes = Vec::new();
    let mut output = output;
    output.rewind()?;
    output.take(MOST).read_to_end(&mut bytes)?;
    // A signal is a status as a shell has it.
    let status = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    Ok(Some((bytes, tail(&mut said).unwrap_or_default(), status)))
}
