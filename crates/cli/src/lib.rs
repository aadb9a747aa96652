//! The raddle command.
//!
//! One file per command under [`cmd`]; each reads, asks the driver, the simulator or a reader, shows what came out
//! through [`ui`], and gives an exit code. Nothing here decides how code is made.
#![deny(unsafe_code)]

mod alloc;
mod args;
mod cmd;
mod demangle;
mod progress;
mod ui;

use args::{Cli, Command};
use clap::Parser;
use raddle_diag::{Class, Code, Diagnostic, SourceMap};
use raddle_driver::codes;
use raddle_driver::host::{panics, signals};
use std::io::{self, Write};
use std::process::ExitCode;
use ui::Ui;

/// Why a command ends without having done its work.
#[derive(Debug)]
enum Failure {
    /// Everything has been said; the process ends with this code.
    Told(u8),
    /// One thing is left to say.
    Say(Box<Diagnostic>),
    /// Nobody reads our standard output any more.
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
    let cli = Cli::parse_from(args::ptxas::translate(std::env::args_os()));
    let ui = Ui::new(&cli.global);
    // What ends the process for one unit is told by the process that has started it.
    let apart = matches!(cli.command, Command::Unit(_));
    if !apart && let Err(error) = signals::install() {
        ui.note(&format!("warning: signals cannot be handled, temporaries may stay behind: {error}"));
    }
    let done = panics::catch(|| dispatch(&cli.command, &ui)).unwrap_or_else(|panic| {
        let place = panic.place.map_or(String::new(), |place| format!(" at {place}"));
        let message = format!("raddle panicked{place}: {}", panic.message);
        Err(Failure::Say(Box::new(
            Diagnostic::fatal(codes::E0040, message)
                .help("this is a defect of Raddle: please report it with the input"),
        )))
    });
    if !matches!(done, Err(Failure::Pipe)) {
        ui.end();
    }
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Told(code)) => ExitCode::from(code),
        Err(Failure::Say(diagnostic)) => {
            ui.show_one(&diagnostic, &SourceMap::new());
            ExitCode::from(diagnostic.class().exit_code())
        }
        Err(Failure::Pipe) => {
            // Die as a program that does not know about pipes would: quietly, by SIGPIPE.
            let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
            ExitCode::from(Class::Input.exit_code())
        }
    }
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
        Command::Doctor => cmd::doctor::run(ui),
        Command::Unit(args) => cmd::unit::run(args),
        Command::Completions(args) => cmd::completions::run(args),
        Command::Man(args) => cmd::man::run(args),
    }
}

/// Prints to standard output, every error noticed.
fn print(text: &str) -> Done {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Pipe),
        Err(error) => Err(Failure::new(codes::E0010, format!("cannot write to standard output: {error}"))),
    }
}
