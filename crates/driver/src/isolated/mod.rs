//! One unit in a process of its own: `raddle __unit` (decision D13).
//!
//! **Problem.** A stack overflow, a failed allocation or a stray access in one unit would take all others with it.
//! **Strategy.** Units are compiled by threads. A unit that has ended its process once ([`raddle_jobs::restart`]) is given to
//! a process of its own in the next run, on the job token of the task that waits for it: its text and options go in over a
//! pipe, an object or a typed failure comes back. What ends such a process is an error of its unit like any other: it names
//! the kernel, the step, the signal and the command that repeats it.
//!
//! **Invariants.** The object is the one that a thread would have made (the text is the unit's own, decision D9; with line
//! tables the whole module's). Such a process never outlives the task that waits for it.

mod frames;
mod serve;

pub use serve::serve;

use crate::codes;
use crate::key;
use crate::plan::{UnitPlan, name_span};
use crate::unit::{Compiled, Shared};
use frames::{Finding, Frame};
use raddle_cubin::unit::UnitObject;
use raddle_diag::Diagnostic;
use raddle_ir::{CodegenOptions, OptLevel};
use raddle_jobs::signals::{self, OnSignal};
use raddle_jobs::{Task, children};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;

/// Longest part of what a process said that is shown.
const SAID: u64 = 2000;

/// The units that are compiled in a process of their own, by number in the plan, with the signal that ended an earlier run
/// (0 for one that did not end).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Isolated {
    /// Which.
    pub units: BTreeMap<u32, i32>,
    /// All of them.
    pub all: bool,
}

impl Isolated {
    /// Whether a unit is to be compiled apart.
    pub fn contains(&self, index: usize) -> bool {
        self.all || u32::try_from(index).is_ok_and(|index| self.units.contains_key(&index))
    }

    /// The signal of an earlier run.
    fn signal(&self, index: usize) -> Option<i32> {
        u32::try_from(index).ok().and_then(|index| self.units.get(&index)).copied().filter(|&signal| signal != 0)
    }
}

/// The options that a unit's process is started with, in the words of the command line: those that are not what the command takes
/// without them (SPLIT-3).
pub fn arguments(options: &CodegenOptions, arch: &str) -> Vec<String> {
    let mut words = vec!["--arch".to_string(), arch.to_string()];
    words.extend((options.opt != OptLevel::O3).then(|| format!("-O{}", options.opt as u8)));
    words.extend((!options.fmad).then(|| "--fmad=false".to_string()));
    words.extend(options.maxrregcount.map(|registers| format!("--maxrregcount={registers}")));
    words.extend(options.lineinfo.then(|| "--lineinfo".to_string()));
    words.extend(options.debug.then(|| "--device-debug".to_string()));
    words.extend(options.serial.then(|| "--sched=serial".to_string()));
    words.extend(options.relocatable.then(|| "-c".to_string()));
    words.extend(options.cache_words().map(|rule| format!("--{rule}")));
    words
}

/// What a unit may take, in those words.
pub fn limits(steps: Option<u64>) -> Option<String> {
    steps.map(|steps| format!("--kernel-steps={steps}"))
}

/// What a unit's process has told.
#[derive(Debug, Default)]
struct Told {
    step: Option<String>,
    object: Option<UnitObject>,
    findings: Vec<Finding>,
    unverified: Vec<(String, u64)>,
    instructions: u64,
    peak: u64,
}

/// Compiles unit number `index` in a process of its own. Everything that goes wrong is a finding.
pub(crate) fn compile(shared: &Shared<'_>, index: usize, unit: &UnitPlan, task: &mut Task, compiled: &mut Compiled) {
    let module = &shared.modules[unit.module];
    let at = name_span(module, unit.func);
    let here = |diagnostic: Diagnostic| diagnostic.at(at, "").in_function(&*unit.name);
    let before = shared.isolated.signal(index);
    if !unit.kernel {
        // Its body would have to come back as a tree.
        let how = before.map_or("without end".to_string(), signals::name);
        let message = format!("the compiler ended by {how} while it read the function");
        compiled.diags.push(here(Diagnostic::error(codes::E0053, message)).help(DEFECT));
        return;
    }
    let text = match shared.options.lineinfo {
        // Line tables name lines of the whole text.
        true => module.text.as_ref().clone(),
        false => key::text(module, unit.func),
    };
    let mut arguments = arguments(&shared.options_of(unit), shared.target.name);
    arguments.extend(limits(shared.steps));
    arguments.extend([if unit.function { "--function" } else { "-e" }.to_string(), unit.name.to_string()]);
    let (told, ended, said) = match task.phase("process", |task| run(&text, &arguments, task)) {
        Ok(ended) => ended,
        Err(error) => {
            let message = format!("no process could be started for the unit: {error}");
            compiled.diags.push(here(Diagnostic::error(codes::E0042, message)));
            return;
        }
    };
    compiled.instructions = usize::try_from(told.instructions).unwrap_or(0);
    compiled.peak = told.peak;
    compiled.unverified = told.unverified.into_iter().map(|(name, count)| (name, count as usize)).collect();
    let step = told.step.as_deref().unwrap_or("its start");
    match (ended, told.object) {
        (Ended::Killed, _) if task.expired() => {
            let message = format!("given up in {step}: its time is over");
            let diagnostic = here(Diagnostic::error(codes::E0049, message));
            compiled.diags.push(diagnostic.help("give it more with --kernel-timeout"));
        }
        (Ended::Killed, _) => compiled.diags.push(here(Diagnostic::error(codes::E0043, "cancelled"))),
        (Ended::Itself(status), Some(mut object)) if status.success() => {
            object.module = unit.module as u32;
            if let Some(signal) = before {
                let name = signals::name(signal);
                let message = format!("the compiler was ended by {name} and went well in a process of its own");
                compiled.diags.push(here(Diagnostic::warning(codes::E0053, message)).help(DEFECT));
            }
            compiled.object = Some(object);
        }
        (Ended::Itself(status), _) if status.code().is_some() && !told.findings.is_empty() => {
            compiled.diags.extend(told.findings.into_iter().map(|finding| here(finding.diagnostic())));
        }
        (Ended::Itself(status), _) => {
            let how = status.signal().map_or(status.to_string(), signals::name);
            let mut diagnostic = Diagnostic::error(codes::E0053, format!("the compiler was ended by {how} in {step}"));
            diagnostic.notes.extend(said.lines().filter(|line| !line.trim().is_empty()).map(str::to_string));
            compiled.diags.push(here(diagnostic).help(DEFECT));
        }
    }
}

const DEFECT: &str = "this is a defect of Raddle: please report it with the kernel";

/// How a process ended.
enum Ended {
    /// We killed it.
    Killed,
    /// By itself.
    Itself(ExitStatus),
}

/// Runs a process for this text until it ends or the task is cancelled; gives what it told and the end of what it said.
fn run(text: &str, arguments: &[String], task: &Task) -> io::Result<(Told, Ended, String)> {
    let mut said = tempfile::tempfile()?;
    let mut command = Command::new("/proc/self/exe");
    command.arg("__unit").args(arguments).arg(format!("--parent={}", std::process::id()));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(said.try_clone()?);
    // It runs on our token and must take no other.
    for name in ["MAKEFLAGS", crate::resume::VARIABLE] {
        command.env_remove(name);
    }
    let mut child = command.spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let killer = OnSignal::new(children::killer(&child));
    // A process that dies before it has read everything is found out below. It reads everything before it answers.
    let sent = input.map_or(Ok(()), |mut input| input.write_all(text.as_bytes()));
    let mut told = Told::default();
    let heard = match output {
        Some(output) => children::listen(output.into(), task.cancel(), |bytes| told.hear(bytes)),
        None => Ok(children::Heard::Everything),
    };
    let killed = !matches!(heard, Ok(children::Heard::Everything));
    if killed {
        // Fails only for one that is gone.
        let _ = child.kill();
    }
    // No number is reused before this: whoever kills by it until then hits nobody else.
    let status = killer.commit(|| child.wait())?;
    heard?;
    drop(sent);
    let ended = if killed { Ended::Killed } else { Ended::Itself(status) };
    Ok((told, ended, tail(&mut said).unwrap_or_default()))
}

/// The end of a file.
fn tail(file: &mut File) -> io::Result<String> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SAID)))?;
    let mut bytes = Vec::new();
    file.take(SAID).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Told {
    /// Takes whole frames from the front of `bytes`; gives how many bytes they were.
    fn hear(&mut self, bytes: &[u8]) -> usize {
        let mut rest = bytes;
        while let Some(frame) = Frame::take(&mut rest) {
            match frame {
                Frame::Step(step) => self.step = Some(step),
                Frame::Object(object) => self.object = Some(*object),
                Frame::Unverified(names) => self.unverified = names,
                Frame::Finding(finding) => self.findings.push(finding),
                Frame::Size { instructions, peak } => (self.instructions, self.peak) = (instructions, peak),
            }
        }
        bytes.len() - rest.len()
    }
}

/// Where the steps of a unit's process are told; the first use decides.
static STEPS: OnceLock<()> = OnceLock::new();

/// Tells a step on standard output, where the process that started us listens.
fn tell_step(step: &'static str) {
    if STEPS.get().is_some() {
        // Nobody listens any more: then the object is not wanted either.
        let _ = io::stdout().lock().write_all(&Frame::Step(step.to_string()).bytes());
        let _ = io::stdout().lock().flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{Cache, CacheRule};

    #[test]
    fn only_what_differs_from_the_default_is_passed_on() {
        let default = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
        assert_eq!(arguments(&default, "sm_90"), ["--arch", "sm_90"]);
        let other = CodegenOptions {
            opt: OptLevel::O0,
            fmad: false,
            maxrregcount: Some(40),
            lineinfo: true,
            debug: true,
            serial: true,
            relocatable: true,
            loads: CacheRule::Default(Cache::Cg),
            stores: CacheRule::Forced(Cache::Wt),
        };
        let mut want = vec!["--arch", "sm_80", "-O0", "--fmad=false", "--maxrregcount=40", "--lineinfo"];
        want.extend(["--device-debug", "--sched=serial", "-c"]);
        want.extend(["--def-load-cache=cg", "--force-store-cache=wt"]);
        assert_eq!(arguments(&other, "sm_80"), want);
    }
}
