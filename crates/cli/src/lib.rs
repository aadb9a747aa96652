//! The raddle command.
//!
//! There is one file per command under [`cmd`]. Each reads its inputs, calls the driver, the
//! simulator or a reader, shows the result through [`ui`], and returns an exit code. Nothing here
//! decides how code is generated.
#![deny(unsafe_code)]

mod alloc;
mod args;
mod cmd;
mod demangle;
mod progress;
mod ui;

use args::{Cli, Command};
use raddle_diag::{Class, Code, Diagnostic, SourceMap};
use raddle_driver::codes;
use raddle_driver::host::{panics, signals};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use ui::Ui;

/// The reason why a command ends without completing its work.
#[derive(Debug)]
enum Failure {
    /// Everything has been reported; the process ends with this code.
    Told(u8),
    /// A last diagnostic to report.
    Say(Box<Diagnostic>),
    /// The reader of standard output has closed it.
    Pipe,
}

impl Failure {
    fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure::Say(Box::new(Diagnostic::fatal(code, message)))
    }
}

impl From<Class> for Failure {
    fn from(class: Class) -> Failure {
        Failure::Told(class.exit_code())
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure::Say(diagnostic)
    }
}

/// The outcome of a command.
type Done = Result<(), Failure>;

/// Runs the command of this process.
pub fn main() -> ExitCode {
    if let Some(code) = cmd::door::enter() {
        return code;
    }
    let given: Vec<OsString> = cmd::door::words().collect();
    let is_dry_run = args::nvlink_wrapper::is_dry_run(&given);
    let words = args::bitcode_linker::translate(args::nvlink_wrapper::translate(given.into_iter()));
    if is_dry_run {
        let shown: Vec<String> = words.iter().map(|word| format!("{:?}", word.to_string_lossy())).collect();
        return ended(print(&(shown.join(" ") + "\n")));
    }
    let words: Vec<OsString> = args::ptxas::translate(words.into_iter());
    if asks_for_version(&words) {
        return ended(print(&version_line(&cmd::doctor::version())));
    }
    let cli = parse(words);
    let ui = Ui::new(&cli.global);
    // Crashes of such a process are reported by the process that started it.
    let isolated = matches!(cli.command, Command::Unit(_) | Command::Llvm(_));
    if !isolated && let Err(error) = signals::install() {
        ui.note(&format!("warning: signals cannot be handled, temporary files may be left over: {error}"));
    }
    let done = panics::catch(|| dispatch(&cli.command, &ui)).unwrap_or_else(|panic| {
        let place = panic.place.map_or(String::new(), |place| format!(" at {place}"));
        let message = format!("raddle panicked{place}: {}", panic.message);
        Err(Failure::Say(Box::new(
            Diagnostic::fatal(codes::E0040, message)
                .help("this is an internal error of Raddle: please report it with the input"),
        )))
    });
    let code = match done {
        Ok(()) => 0,
        Err(Failure::Told(code)) => code,
        Err(Failure::Say(diagnostic)) => {
            ui.show_one(&diagnostic, &SourceMap::new());
            diagnostic.class().exit_code()
        }
        Err(Failure::Pipe) => {
            // End like a program without pipe handling: silently, by SIGPIPE.
            let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
            return ExitCode::from(Class::Input.exit_code());
        }
    };
    let nothing = code != 0 && matches!(cli.command, Command::Compile(_) | Command::Link(_));
    let more = if nothing { cmd::compile::nothing_written(code) } else { String::new() };
    if !isolated {
        ui.end(&more);
    }
    ExitCode::from(code)
}

/// The exit code of a command that only prints.
fn ended<E>(printed: Result<(), E>) -> ExitCode {
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(Class::Input.exit_code()),
    }
}

/// Whether the version is all that is asked for: then nothing is parsed. Tools ask for it often.
fn asks_for_version(words: &[OsString]) -> bool {
    matches!(words, [_, word] if word == "--version")
}

/// What `--version` prints.
fn version_line(version: &str) -> String {
    format!("raddle {version}\n")
}

/// Parses the command line. `--version` also names the library of LLVM, which `-V` leaves out: it
/// has to be searched for.
fn parse(words: Vec<OsString>) -> Cli {
    let asks = words.iter().any(|word| word == "--version");
    let name_library = |command: clap::Command| match asks {
        // clap keeps borrowed texts only, and the process ends with this one.
        true => command.long_version(&*Box::leak(cmd::doctor::version().into_boxed_str())),
        false => command,
    };
    args::quick::parse_with(words, name_library).unwrap_or_else(|error| error.exit())
}

fn dispatch(command: &Command, ui: &Ui) -> Done {
    match command {
        Command::Compile(args) => cmd::compile::run(args, ui),
        Command::Link(args) => cmd::link::run(args, ui),
        Command::Split(args) => cmd::split::run(args, ui),
        Command::Check(args) => cmd::check::run(args, ui),
        Command::Run(args) => cmd::run::run(args, ui),
        Command::Disasm(args) => cmd::disasm::run(args, ui),
        Command::Info(args) => cmd::info::run(args, ui),
        Command::Explain(args) => cmd::explain::run(args, ui),
        Command::Diff(args) => cmd::diff::run(args),
        Command::Cache(args) => cmd::cache::run(args, ui),
        Command::Doctor(args) => cmd::doctor::run(args, ui),
        Command::Unit(args) => cmd::unit::run(args),
        Command::Llvm(args) => cmd::llvm::run(args),
        Command::Install(args) => cmd::door::install(args),
        Command::As(args) => cmd::door::refuse(args),
        Command::Completions(args) => cmd::completions::run(args),
        Command::Man(args) => cmd::man::run(args),
    }
}

/// Prints to standard output and checks every error.
fn print(text: &str) -> Done {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Pipe),
        Err(error) => Err(Failure::new(codes::E0010, format!("cannot write to standard output: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_version_is_told_as_by_all_declarations() {
        let whole = Cli::command().long_version("1.2.3\nLLVM 9").render_long_version();
        assert_eq!(version_line("1.2.3\nLLVM 9"), whole);
        let words = |line: &str| -> Vec<OsString> { line.split(' ').map(OsString::from).collect() };
        assert!(asks_for_version(&words("raddle --version")));
        for other in ["raddle", "raddle -V", "raddle compile --version", "raddle --version x"] {
            assert!(!asks_for_version(&words(other)), "{other}");
        }
    }
}
