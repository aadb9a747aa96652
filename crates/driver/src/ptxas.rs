//! Runs the user's ptxas: its path, start, supervision, limits and failures.
//!
//! Invariant: a failure of ptxas (an error, a crash, a hang, malformed output) is an error of the
//! unit or module that it was started for.

use raddle_cubin::ReadError;
use raddle_ir::CodegenOptions;
use raddle_jobs::children::ResourceUsage;
use raddle_jobs::server::Server;
use raddle_jobs::signals::ExitAction;
use raddle_jobs::{Task, children};
use raddle_link::ImportError;
use raddle_target::Target;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The assembler for kernels that cannot be compiled here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fallback {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub ptxas: PathBuf,
    /// The time limit for one kernel.
    pub limit: Duration,
    /// Options for whole modules for an architecture without code generation here.
    pub options: Vec<String>,
}

/// The default time limit for one kernel.
const LIMIT: Duration = Duration::from_secs(1800);

/// The variable that is set for the programs started here. A Raddle that finds it passes nothing on:
/// under the name of ptxas, or behind a script, that would go on for ever.
pub const WITHIN: &str = "RADDLE_WITHIN";

/// The largest cubin that is read back, in bytes.
const MOST: u64 = 1 << 30;

impl Fallback {
    /// This program, with the default limit.
    pub fn new(ptxas: PathBuf) -> Fallback {
        Fallback { ptxas, limit: LIMIT, options: Vec::new() }
    }
}

impl FromStr for Fallback {
    type Err = String;

    /// Parses `ptxas` or `ptxas:PATH`.
    fn from_str(text: &str) -> Result<Self, String> {
        let ptxas = match text.split_once(':') {
            None if text == "ptxas" => "ptxas",
            Some(("ptxas", path)) if !path.is_empty() => path,
            _ => return Err("expected ptxas or ptxas:PATH".to_owned()),
        };
        Ok(Fallback::new(ptxas.into()))
    }
}

/// Why a kernel could not be assembled.
#[derive(Debug, thiserror::Error)]
pub enum FallbackError {
    /// A temporary file could not be written or read.
    #[error("{0}: {1}")]
    File(&'static str, std::io::Error),
    /// The program could not be started.
    #[error("'{}' cannot be started: {error}", .program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// It failed or was killed by a signal.
    #[error("ptxas ended with {status}")]
    Failed {
        /// Exit code or signal.
        status: ExitStatus,
        /// What it printed.
        text: String,
    },
    /// It exceeded the time limit.
    #[error("ptxas did not end within {} s", .0.as_secs_f64())]
    Hung(Duration),
    /// The compilation was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Its output is not a cubin.
    #[error("ptxas wrote no cubin: {0}")]
    Unreadable(#[from] ReadError),
    /// Its output is larger than the limit.
    #[error("ptxas wrote {0} bytes")]
    Huge(u64),
    /// Its output cannot be linked.
    #[error("the output of ptxas cannot be linked: {0}")]
    Import(#[from] ImportError),
    /// Its output is for another architecture.
    #[error("the output of ptxas is not a file of the requested kind for {wanted} (found sm_{found})")]
    Other {
        /// SM number in the file.
        found: u16,
        /// The requested architecture.
        wanted: &'static str,
    },
    /// The kernel is missing from its output.
    #[error("the output of ptxas has no kernel or function of this name")]
    Missing,
    /// A variable that cannot be described.
    #[error("variable '{0}': {1}")]
    Variable(String, String),
}

impl FallbackError {
    /// The first lines that the program printed.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let text = if let FallbackError::Failed { text, .. } = self { text } else { "" };
        text.lines().filter(|line| !line.trim().is_empty()).take(8)
    }
}

/// Memory that ptxas takes for a module: the base, and per statement of its text. "ptxas 13.0.88
/// output", 224 modules of the corpus and of producers for sm_75 to sm_90: 23.2 to 66.3 MiB, of
/// which two took more than this model says, by at most 18 %, and none less than 46 % of it;
/// generated kernels of 20,000 and 28,000 statements took 110 and 182 MiB, 41 and 50 % of it.
const TOOL: u64 = 32 << 20;
const STATEMENT: u64 = 12 << 10;
/// It takes more than this for the smallest module. A unit that took less was not assembled by it
/// in the earlier build.
pub(crate) const LEAST: u64 = 20 << 20;

/// The estimated memory of ptxas for a module, in bytes.
pub(crate) fn tool_bytes(ptx: &str) -> u64 {
    TOOL + memchr::memchr_iter(b';', ptx.as_bytes()).count() as u64 * STATEMENT
}

/// The module without `debug` in its `.target`, which requests debug information whatever the
/// options say.
pub(crate) fn without_debug(ptx: String) -> String {
    match ptx.find("\n.address_size") {
        Some(end) if ptx[..end].contains(", debug") => ptx[..end].replace(", debug", "") + &ptx[end..],
        _ => ptx,
    }
}

/// The options that affect the generated code, as arguments of ptxas.
pub(crate) fn arguments(target: &Target, options: &CodegenOptions, relocatable: bool) -> Vec<String> {
    let mut out =
        vec![format!("-arch={}", target.name), format!("-O{}", options.opt as u8), format!("-fmad={}", options.fmad)];
    out.extend(options.maxrregcount.map(|n| format!("-maxrregcount={n}")));
    out.extend(options.debug.then(|| "-g".to_owned()));
    out.extend((!options.lineinfo).then(|| "-suppress-debug-info".to_owned()));
    out.extend((options.lineinfo && !options.debug).then(|| "-lineinfo".to_owned()));
    out.extend(relocatable.then(|| "-c".to_owned()));
    out.extend(options.cache_words().map(|rule| format!("--{rule}")));
    out
}

/// Assembles a module in a temporary folder, which is removed at the end.
pub(crate) fn run(
    fallback: &Fallback,
    ptx: &str,
    arguments: &[String],
    server: Option<&Arc<Server>>,
    task: &Task,
) -> Result<(Vec<u8>, ResourceUsage), FallbackError> {
    let folder = tempfile::tempdir().map_err(|e| FallbackError::File("no temporary folder", e))?;
    let doomed = folder.path().to_owned();
    let guard = ExitAction::new(move || drop(fs::remove_dir_all(doomed)));
    let bytes = Run { fallback, folder: folder.path(), server, task }.ptxas(ptx, arguments);
    drop(guard);
    bytes
}

/// One run of the program.
struct Run<'a> {
    fallback: &'a Fallback,
    folder: &'a Path,
    server: Option<&'a Arc<Server>>,
    task: &'a Task,
}

impl Run<'_> {
    fn ptxas(&self, ptx: &str, arguments: &[String]) -> Result<(Vec<u8>, ResourceUsage), FallbackError> {
        let [input, output, messages] = ["in.ptx", "out.cubin", "messages"].map(|name| self.folder.join(name));
        let file = |what| move |e| FallbackError::File(what, e);
        fs::write(&input, ptx).map_err(file("the kernel cannot be written"))?;
        let said = File::create(&messages).map_err(file("the messages cannot be written"))?;
        let also = said.try_clone().map_err(file("the messages cannot be written"))?;
        let mut command = Command::new(&self.fallback.ptxas);
        command.args(arguments).arg(&input).arg("-o").arg(&output);
        // It runs on our token and must take no others than those that we lend.
        command.env(WITHIN, "1").env_remove("MAKEFLAGS").stdin(Stdio::null()).stdout(said).stderr(also);
        let slots = self.server.map(|server| server.admit(&mut command));
        let start = |error| FallbackError::Start { program: self.fallback.ptxas.clone(), error };
        let own = children::peak(None);
        let mut child = command.spawn().map_err(start)?;
        let killer = ExitAction::new(children::killer(&child));
        let (status, seen) = self.watch(&child);
        if status.is_err() {
            // This fails only if the child has ended already.
            drop(child.kill());
        }
        // The process number is not reused before this: until then a kill by number reaches this
        // process alone.
        let ended = killer.commit(|| children::reap(child));
        drop(slots);
        status?;
        let (status, mut took) = ended.map_err(|e| FallbackError::File("ptxas is lost", e))?;
        // The system's figure is at least the memory of this process itself: up to that, the
        // observed peak is used.
        if own.is_none_or(|own| took.most <= own) {
            took.most = seen;
        }
        if !status.success() {
            let text = fs::read(&messages).unwrap_or_default();
            return Err(FallbackError::Failed { status, text: String::from_utf8_lossy(&text).into_owned() });
        }
        let size = fs::metadata(&output).map_err(file("ptxas wrote nothing"))?.len();
        if size > MOST {
            return Err(FallbackError::Huge(size));
        }
        Ok((fs::read(&output).map_err(file("the result cannot be read"))?, took))
    }

    /// Sleeps until the program has ended, and leaves reaping to the caller. Also returns the
    /// largest memory observed.
    fn watch(&self, child: &Child) -> (Result<(), FallbackError>, u64) {
        let mut seen = LEAST;
        let mut look = || seen = seen.max(children::peak(Some(child)).unwrap_or(0));
        let ended = children::ended_watched(child, self.task.cancel(), self.fallback.limit, &mut look);
        let ended = match ended {
            Ok(Some(true)) => Ok(()),
            Ok(Some(false)) => Err(FallbackError::Cancelled),
            Ok(None) => Err(FallbackError::Hung(self.fallback.limit)),
            Err(error) => Err(FallbackError::File("ptxas is lost", error)),
        };
        (ended, seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_names_a_program() {
        assert_eq!("ptxas".parse::<Fallback>().unwrap().ptxas, Path::new("ptxas"));
        assert_eq!("ptxas:/a:b".parse::<Fallback>().unwrap().ptxas, Path::new("/a:b"));
        for wrong in ["", "nvcc", "ptxas:", "ptxas2"] {
            assert!(wrong.parse::<Fallback>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_kernel_alone_has_nothing_to_debug() {
        let text = |target: &str| format!(".version 9.0\n.target {target}\n.address_size 64\n// , debug\n");
        assert_eq!(without_debug(text("sm_90a, debug")), text("sm_90a"));
        assert_eq!(without_debug(text("sm_90, texmode_independent")), text("sm_90, texmode_independent"));
    }
}
