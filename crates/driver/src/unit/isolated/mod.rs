//! Compiles a unit in a separate process: `raddle __unit` (decision D13).
//!
//! **Problem.** A stack overflow, a failed allocation or an invalid memory access in one unit would
//! end all others. **Strategy.** Units are compiled by threads. A unit that crashed its process
//! once ([`raddle_jobs::restart`]) is compiled in a separate process in the next run, on the job
//! token of the task that waits for it. It gets its text and options, and returns an object or a
//! typed failure. A crash of that process is an error of its unit, which names the kernel, the step,
//! the signal and the command that repeats it. A library compiles each unit in a process of the
//! program that it is given ([`attempt`]).
//!
//! **Invariants.** The object is the one that a thread would have made: it depends on the unit's
//! own text alone (decision D9), which is what the process gets, with a line that says what other
//! modules and options have decided ([`crate::program::outside`]); with line tables it gets the whole
//! module's text. The process never outlives the task that waits for it.

pub mod frames;

use super::context::Context;
use super::result::Compiled;
use super::text;
use crate::arguments::{limits, options};
use crate::codes;
use crate::program::{Unit, name_span, outside};
use crate::resume::VARIABLE;
use frames::{Finding, Frame, Size};
use raddle_cubin::unit::UnitObject;
use raddle_diag::Diagnostic;
use raddle_jobs::signals::{self, ExitAction};
use raddle_jobs::{Task, children};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// The most bytes of a process's error output that are shown.
const SAID: u64 = 2000;

/// The output of a unit's process.
#[derive(Debug, Default)]
struct ProcessOutput {
    step: Option<String>,
    object: Option<UnitObject>,
    findings: Vec<Finding>,
    size: Size,
    remarks: bool,
}

/// Compiles unit number `index` in a separate process. Every failure becomes a diagnostic.
pub(crate) fn compile(cx: &Context<'_>, index: usize, unit: &Unit, task: &mut Task, compiled: &mut Compiled) {
    let module = &cx.texts.modules[unit.module];
    let at = name_span(module, unit.func);
    let here = |diagnostic: Diagnostic| diagnostic.at(at, "").in_function(&*unit.name);
    let before = cx.settings.isolated.signal(index);
    if !unit.makes_object() {
        // A separate process cannot return the body as a tree.
        let how = before.map_or("without end".to_string(), signals::name);
        let message = format!("the compiler crashed ({how}) while reading the function");
        compiled.diags.push(here(Diagnostic::error(codes::E0053, message)).help(DEFECT));
        return;
    }
    let (reported, ended, said) = match task.phase("process", |task| run(OWN, &Request::of(cx, unit), task)) {
        Ok(ended) => ended,
        Err(error) => {
            let message = format!("no process could be started for the unit: {error}");
            compiled.diags.push(here(Diagnostic::error(codes::E0042, message)));
            return;
        }
    };
    compiled.instructions = usize::try_from(reported.size.instructions).unwrap_or(0);
    compiled.peak = reported.size.peak;
    let step = reported.step.as_deref().unwrap_or("its start");
    match (ended, reported.object) {
        (Ended::Killed, _) if task.expired() => {
            let message = format!("given up in {step}: time limit exceeded");
            let diagnostic = here(Diagnostic::error(codes::E0049, message));
            compiled.diags.push(diagnostic.help("raise the limit with --kernel-timeout"));
        }
        (Ended::Killed, _) => compiled.diags.push(here(Diagnostic::error(codes::E0043, "cancelled"))),
        (Ended::Itself(status), Some(mut object)) if status.success() => {
            object.module = unit.module as u32;
            if let Some(signal) = before {
                let name = signals::name(signal);
                let message = format!("the compiler crashed ({name}); compiling in a separate process succeeded");
                compiled.diags.push(here(Diagnostic::warning(codes::E0053, message)).help(DEFECT));
            }
            compiled.object = Some(object);
        }
        (Ended::Itself(status), _) if status.code().is_some() && !reported.findings.is_empty() => {
            compiled.diags.extend(reported.findings.into_iter().map(|finding| here(finding.diagnostic())));
        }
        (ended, _) => compiled.diags.push(here(crash(&ended, step, &said))),
    }
}

/// What becomes of a unit in a process of another program.
pub(crate) enum Attempt {
    /// The object, and the peak of memory in bytes.
    Made(Box<UnitObject>, u64),
    /// The process crashed.
    Crashed(Diagnostic),
    /// The task was cancelled, or its time is over.
    Cancelled,
    /// The process found something to say, or the program is not one that compiles units of this
    /// version.
    Refused,
}

/// Compiles a unit in a process of `program`.
pub(crate) fn attempt(cx: &Context<'_>, unit: &Unit, program: &Path, task: &mut Task) -> Attempt {
    let request = Request::of(cx, unit).of_this_version();
    let Ok((reported, ended, said)) = task.phase("process", |task| run(program, &request, task)) else {
        return Attempt::Refused;
    };
    match (&ended, reported.object) {
        (Ended::Killed, _) => Attempt::Cancelled,
        (Ended::Itself(status), Some(_)) if status.success() && reported.remarks => Attempt::Refused,
        (Ended::Itself(status), Some(mut object)) if status.success() => {
            object.module = unit.module as u32;
            Attempt::Made(Box::new(object), reported.size.peak)
        }
        (Ended::Lost, Some(mut object)) => {
            object.module = unit.module as u32;
            Attempt::Made(Box::new(object), reported.size.peak)
        }
        // Without a step it is another program, or another version.
        (Ended::Itself(status), _)
            if status.code().is_some() && (!reported.findings.is_empty() || reported.step.is_none()) =>
        {
            Attempt::Refused
        }
        _ => {
            let step = reported.step.as_deref().unwrap_or("its start");
            Attempt::Crashed(cx.at_name(unit, crash(&ended, step, &said)))
        }
    }
}

/// The error of a process that crashed.
fn crash(ended: &Ended, step: &str, said: &str) -> Diagnostic {
    let how = match ended {
        Ended::Itself(status) => status.signal().map_or(status.to_string(), signals::name),
        Ended::Killed | Ended::Lost => "its process was lost".to_owned(),
    };
    let mut diagnostic = Diagnostic::error(codes::E0053, format!("the compiler crashed ({how}) in {step}"));
    diagnostic.notes.extend(said.lines().filter(|line| !line.trim().is_empty()).map(str::to_string));
    diagnostic.help(DEFECT)
}

const DEFECT: &str = "this is an internal error of Raddle: please report it with the kernel";

/// The outcome of a process.
enum Ended {
    /// Killed by us.
    Killed,
    /// Ended by itself.
    Itself(ExitStatus),
    /// Another part of this process has waited for it.
    Lost,
}

/// The program of this process.
const OWN: &str = "/proc/self/exe";

/// What a process is asked for.
pub(crate) struct Request {
    /// The PTX that it reads.
    pub text: String,
    /// The arguments after `raddle __unit`.
    pub arguments: Vec<String>,
}

impl Request {
    /// The same, refused by a program of another version.
    #[must_use]
    pub fn of_this_version(mut self) -> Request {
        self.arguments.push(format!("--caller={}", env!("CARGO_PKG_VERSION")));
        self
    }

    /// The request for a unit.
    pub fn of(cx: &Context<'_>, unit: &Unit) -> Request {
        let module = cx.module(unit);
        let whole = cx.settings.codegen.lineinfo;
        let mut text = match whole {
            // Line tables refer to lines of the whole text.
            true => module.text.as_ref().clone(),
            false => text::text(module, unit.func),
        };
        text.push_str(&outside::line(module, unit.func, &text, unit.relocatable, whole));
        let mut arguments = options(&cx.options_of(unit), cx.texts.target.name);
        arguments.extend(limits(cx.settings.steps));
        arguments.extend([if unit.is_function() { "--function" } else { "-e" }.to_string(), unit.name.to_string()]);
        Request { text, arguments }
    }
}

/// Runs a process until it ends or the task is cancelled. Returns its frames and the end of its error
/// output.
fn run(program: impl AsRef<Path>, request: &Request, task: &Task) -> io::Result<(ProcessOutput, Ended, String)> {
    let mut said = tempfile::tempfile()?;
    // Not a pipe: where a host has left the action of SIGPIPE as it is, a process that reads nothing
    // would end it.
    let mut input = tempfile::tempfile()?;
    input.write_all(request.text.as_bytes())?;
    input.rewind()?;
    let mut command = Command::new(program.as_ref());
    command.arg("__unit").args(&request.arguments).arg(format!("--parent={}", std::process::id()));
    command.stdin(input).stdout(Stdio::piped()).stderr(said.try_clone()?);
    // It runs on our token and must take no other.
    for name in ["MAKEFLAGS", VARIABLE] {
        command.env_remove(name);
    }
    let mut child = command.spawn()?;
    let output = child.stdout.take();
    let killer = ExitAction::new(children::killer(&child));
    let mut reported = ProcessOutput::default();
    let heard = match output {
        Some(output) => children::listen(output.into(), task.cancel(), |bytes| reported.read_frames(bytes)),
        None => Ok(children::ListenResult::Everything),
    };
    let killed = !matches!(heard, Ok(children::ListenResult::Everything));
    if killed {
        // This fails only if the process has ended already.
        let _ = child.kill();
    }
    // The process number is not reused before this: until then a kill by number reaches this
    // process alone. A host may wait for all children, or ignore SIGCHLD.
    let status = killer.commit(|| child.wait());
    heard?;
    let ended = match status {
        _ if killed => Ended::Killed,
        Ok(status) => Ended::Itself(status),
        Err(_) => Ended::Lost,
    };
    Ok((reported, ended, tail(&mut said).unwrap_or_default()))
}

/// The last bytes of a file, at most [`SAID`], as text.
pub(crate) fn tail(file: &mut File) -> io::Result<String> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SAID)))?;
    let mut bytes = Vec::new();
    file.take(SAID).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl ProcessOutput {
    /// Takes complete frames from the front of `bytes`; returns their length in bytes.
    fn read_frames(&mut self, bytes: &[u8]) -> usize {
        let mut rest = bytes;
        while let Some(frame) = Frame::take(&mut rest) {
            match frame {
                Frame::Step(step) => self.step = Some(step),
                Frame::Object(object) => self.object = Some(*object),
                Frame::Finding(finding) => self.findings.push(finding),
                Frame::Size(size) => self.size = size,
                Frame::Remarks => self.remarks = true,
                Frame::Request(_) => {}
            }
        }
        bytes.len() - rest.len()
    }
}
