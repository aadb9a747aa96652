//! `raddle` in the place of other tools: by the name under which it is started, or by `raddle as`.
//!
//! Strategy: the name is found before the command line is read, since each tool reads its own way
//! ([`raddle_dropin::line`]). What a tool prints and how it ends is that of the tool; the work is
//! that of the commands of `raddle`.

mod callers;
mod cuobjdump;
mod elf;
mod fatbinary;
mod install;
mod nvdisasm;
mod nvlink;
mod other;
mod ptxas;
mod sass;
mod wording;

pub(crate) use callers::facts;
pub(crate) use install::run as install;

use crate::args::{As, Cli, bitcode_linker, nvlink_wrapper};
use crate::{Done, Failure};
use clap::CommandFactory;
use raddle_diag::render::json;
use raddle_driver::cache::Place;
use raddle_driver::codes;
use raddle_driver::host::{panics, signals};
use raddle_driver::key::{self, BUILD};
use raddle_driver::output::Dest;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

/// The exit code of the tools after an error.
const FAILED: u8 = 255;

/// A tool that Raddle stands in for.
struct Door {
    name: &'static str,
    /// Runs it with the words after its name, and returns the exit code.
    run: fn(Vec<String>) -> u8,
}

const DOORS: &[Door] = &[
    Door { name: "ptxas", run: ptxas::run },
    Door { name: "nvlink", run: nvlink::run },
    Door { name: "fatbinary", run: fatbinary::run },
    Door { name: "cuobjdump", run: cuobjdump::run },
    Door { name: "nvdisasm", run: nvdisasm::run },
];

/// The names of all tools.
fn names() -> impl Iterator<Item = &'static str> {
    DOORS.iter().map(|door| door.name).chain([nvlink_wrapper::NAME, bitcode_linker::NAME])
}

/// Whether a tool's command line becomes one of `raddle` itself.
fn is_translated(name: &str) -> bool {
    nvlink_wrapper::is_name(name) || name == bitcode_linker::NAME
}

/// Runs this process as the tool by whose name it was started; `None` if that is `raddle`.
pub(crate) fn enter() -> Option<ExitCode> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let name = if words.get(1).is_some_and(|word| word == "as") && door(words.get(2)?).is_some() {
        let name = words.get(2)?.clone();
        words.drain(..3);
        name
    } else {
        let name = started_as(words.first()?, words.get(1));
        words.drain(..1);
        name
    };
    let door = door(&name)?;
    let words = words.into_iter().map(|word| word.to_string_lossy().into_owned()).collect();
    // The tools print nothing of a signal handler that cannot be installed.
    let _ = signals::install();
    let code = panics::catch(|| (door.run)(words)).unwrap_or_else(|panic| {
        let place = panic.place.map_or(String::new(), |place| format!(" at {place}"));
        say(door.name, "fatal", &format!("internal error of Raddle{place}: {}", panic.message));
        FAILED
    });
    Some(ExitCode::from(code))
}

/// The command line for `raddle` itself: `raddle as clang-nvlink-wrapper` is the one of that tool,
/// and so is `raddle as llvm-bitcode-linker`.
pub(crate) fn words() -> impl Iterator<Item = OsString> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let wrapped = words.get(1).is_some_and(|word| word == "as")
        && words.get(2).is_some_and(|name| is_translated(&name.to_string_lossy()));
    words.into_iter().skip(if wrapped { 2 } else { 0 })
}

/// The tool of a name, which may be a path and may end in a version, or in what a caller puts behind a
/// dash: Triton brings a `ptxas-blackwell`.
fn door(name: &OsStr) -> Option<&'static Door> {
    let name = Path::new(name).file_name()?.to_str()?;
    DOORS.iter().find(|door| {
        let rest = name.strip_prefix(door.name);
        rest.is_some_and(|rest| rest.starts_with('-') || rest.bytes().all(|c| c.is_ascii_digit() || c == b'.'))
    })
}

/// The name under which this process was started. A caller that holds the file open starts a path
/// such as `/proc/self/fd/7`, which says nothing: then it is the name of the file itself, or that
/// of the tool whose command line this is, since a link to `raddle` leaves no name either. Those
/// callers hold ptxas.
fn started_as(first: &OsStr, word: Option<&OsString>) -> OsString {
    if !is_descriptor(Path::new(first)) {
        return first.to_owned();
    }
    let file = std::fs::read_link("/proc/self/exe").unwrap_or_default();
    let is_named =
        door(file.as_os_str()).is_some() || file.file_name().is_some_and(|name| is_translated(&name.to_string_lossy()));
    if is_named || word.is_some_and(|word| is_command(word)) { file.into() } else { "ptxas".into() }
}

/// Whether a path is that of an open file: `/proc/self/fd/7`, `/proc/123/fd/7`, `/dev/fd/7`.
fn is_descriptor(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(OsStr::to_str).collect();
    let number = match parts[..] {
        ["/", "proc", _, "fd", number] | ["/", "proc", _, "task", _, "fd", number] | ["/", "dev", "fd", number] => {
            number
        }
        _ => return false,
    };
    !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit())
}

/// Whether a word is a command of `raddle` itself.
fn is_command(word: &OsStr) -> bool {
    let commands = Cli::command();
    word == "help" || word.to_str().is_some_and(|word| commands.find_subcommand(word).is_some())
}

/// `raddle as` with a name that is no tool's.
pub(crate) fn refuse(args: &As) -> Done {
    let message = format!("'{}' is none of: {}", args.tool, names().collect::<Vec<_>>().join(", "));
    Err(Failure::new(codes::E0019, message))
}

/// Options of `raddle compile` and `raddle link` from the environment: `RADDLE_CACHE`,
/// `RADDLE_REMOTE_CACHE`, `RADDLE_REPORT`. Costs of kernels are recorded beside the objects only, so that a tool that is
/// started thousands of times writes only the files that were asked for.
fn settings(tool: &str) -> Vec<String> {
    let mut out = Vec::new();
    let caches = ["RADDLE_CACHE", "RADDLE_REMOTE_CACHE"].into_iter().filter_map(folder);
    let mut has_folder = false;
    for cache in caches {
        has_folder |= matches!(Place::of(cache.as_os_str()), Place::Folder(_));
        out.push(format!("--cache={}", cache.display()));
    }
    if !has_folder {
        out.push("--history=off".to_owned());
    }
    out.extend(report_file(tool, "html").map(|file| format!("--report={}", file.display())));
    out
}

/// A folder that a variable names.
fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The file for the report of this call, if one is wanted: its name is that of no other call.
fn report_file(tool: &str, kind: &str) -> Option<PathBuf> {
    let folder = folder("RADDLE_REPORT")?;
    // The error shows when the file is written.
    let _ = std::fs::create_dir_all(&folder);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Some(folder.join(format!("{tool}-{}-{}.{kind}", now.as_nanos(), std::process::id())))
}

/// The report of a call that is passed on as a whole.
fn note_passed_on(tool: &str, why: &str, other: &other::Other, words: &[String]) {
    let Some((file, path)) = report_file(tool, "json").zip(other.path()) else { return };
    let text = serde_json::json!({
        "schema": json::SCHEMA, "kind": "passed on", "to": path.display().to_string(), "why": why, "arguments": words,
    });
    if let Err(error) = Dest::new(&file).write(format!("{text}\n").as_bytes()) {
        say(tool, "warning", &format!("cannot write '{}': {error}", file.display()));
    }
}

/// The message about a value that the environment gives an option.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// Prints a line in the format of a tool.
fn say(tool: &str, severity: &str, text: &str) {
    use std::io::Write;
    // A failure to write to standard error cannot be reported.
    let _ = writeln!(std::io::stderr().lock(), "{tool} {severity:<8}: {text}");
}

/// The text of `--version`: the release by which callers choose, and what decides the bytes of the
/// output here, since some use the text as the key of a cache.
fn version(tool: &str, what: &str, other: &other::Other) -> String {
    format!(
        "{tool}: Raddle {version}, in the place of {what}\n\
         Cuda compilation tools, release 13.0, V13.0.88\n\
         {BUILD}{version}/{build}\n\
         Fallback: {other}\n",
        version = env!("CARGO_PKG_VERSION"),
        build = key::build_id(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_an_open_file_is_no_name() {
        for path in ["/proc/self/fd/7", "/proc/123/fd/10", "/proc/thread-self/fd/3", "/dev/fd/9"] {
            assert!(is_descriptor(Path::new(path)), "{path}");
        }
        for path in ["/proc/self/fd/", "/proc/self/fd/ptxas", "/proc/fd/7", "/dev/fd", "proc/self/fd/7", "ptxas"] {
            assert!(!is_descriptor(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_is_started_without_a_name_is_raddle_if_a_command_follows() {
        let started =
            |words: &[&str]| started_as(OsStr::new("/proc/self/fd/7"), words.first().map(OsString::from).as_ref());
        for words in [&["-arch", "sm_90"][..], &["--version"], &["k.ptx"], &[]] {
            assert_eq!(started(words), "ptxas", "{words:?}");
        }
        for words in [&["compile"][..], &["__unit"], &["doctor"], &["as"], &["help"]] {
            assert_ne!(started(words), "ptxas", "{words:?}");
        }
        assert_eq!(started_as(OsStr::new("raddle"), None), "raddle");
    }
}
