//! The engine of remote execution of a command line.

use super::request::warn;
use crate::args::Remote;
use crate::ui::Ui;
use crate::{Done, Failure};
use raddle_diag::{Diagnostic, Diags, Policy, SourceMap};
use raddle_driver::cache::shown;
use raddle_driver::codes;
use raddle_driver::engine::Engine;
use raddle_driver::exec::Exec;
use raddle_driver::options::{RemoteLimits, RunOptions};
use raddle_driver::report::Report;
use std::path::Path;
use std::sync::Arc;

/// What the URL of a program begins with that is started for each unit.
const EXEC: &str = "exec:";

/// Adds the engine to the options of a run, if one is given.
pub(super) fn options(args: &Remote, ui: &Ui, run: RunOptions) -> Result<RunOptions, Failure> {
    let remote = RemoteLimits { jobs: args.remote_jobs, ..RemoteLimits::default() };
    Ok(RunOptions { engine: open(args, ui)?, remote, ..run })
}

/// Opens the engine, if one is given. Nothing is sent.
pub(super) fn open(args: &Remote, ui: &Ui) -> Result<Option<Arc<dyn Engine>>, Failure> {
    let Some(url) = args.remote.as_deref().filter(|url| !url.is_empty()) else { return Ok(None) };
    let Some(program) = url.strip_prefix(EXEC) else { return connect(url, args).map(|engine| Some(Arc::from(engine))) };
    if !args.remote_property.is_empty() || args.remote_program.is_some() {
        let message = "--remote-property and --remote-program have no effect with --remote exec:PROGRAM";
        warn(Diagnostic::warning(codes::E0019, message), ui)?;
    }
    Ok(Some(Arc::new(Exec::new(Path::new(program).to_path_buf(), slots(args)))))
}

/// The slots of an engine that has no number of its own.
fn slots(args: &Remote) -> usize {
    if args.remote_jobs == 0 { RemoteLimits::default().jobs } else { args.remote_jobs }
}

/// Warns of an engine that was given up. That is never an error, even where warnings are: the output is
/// complete.
pub(super) fn finish(report: &Report, ui: &Ui) -> Done {
    if let Some(message) = report.remote.as_ref().and_then(|used| used.warning.clone()) {
        tell(message, ui);
    }
    Ok(())
}

/// Shows a warning about what was to be compiled elsewhere.
pub(super) fn tell(message: String, ui: &Ui) {
    let mut diags = Diags::with_policy(Policy { warnings_as_errors: false, ..ui.policy() });
    diags.push(Diagnostic::warning(codes::E0098, message));
    ui.show(&diags, &SourceMap::new());
}

/// Opens the engine of a URL.
#[cfg(feature = "remote")]
fn connect(url: &str, args: &Remote) -> Result<Box<dyn Engine>, Failure> {
    let options = raddle_remote::execution::Options {
        slots: slots(args),
        platform: args.remote_property.clone(),
        program: args.remote_program.clone(),
        ..raddle_remote::execution::Options::default()
    };
    raddle_remote::execution::open(url, options)
        .map_err(|error| Failure::new(codes::E0019, format!("--remote '{}': {error}", shown(url))))
}

/// Without engines a URL is an error.
#[cfg(not(feature = "remote"))]
fn connect(url: &str, _: &Remote) -> Result<Box<dyn Engine>, Failure> {
    let diagnostic =
        Diagnostic::fatal(codes::E0019, format!("'{}': this program has no remote execution", shown(url)))
            .help("build it with it: `cargo install raddle-cli --features remote`, or in a checkout `cargo build --release -p raddle-cli --features remote`")
            .help("exec:PROGRAM works without it");
    Err(Failure::Say(Box::new(diagnostic)))
}
