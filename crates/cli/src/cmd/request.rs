//! Inputs and options of `compile` and `check`, from the command line and the environment.

use crate::args::{Caches, Jobs, Jobserver, JobserverStyle, Select};
use crate::progress::Show;
use crate::ui::Ui;
use crate::{Done, Failure, alloc};
use raddle_diag::{Diagnostic, Diags, SourceMap};
use raddle_driver::codes;
use raddle_driver::fault::Fault;
use raddle_driver::host::Chaos;
use raddle_driver::host::jobserver::{self, Found};
use raddle_driver::host::memory::Limit;
use raddle_driver::host::server::Style;
use raddle_driver::input::{self, Input};
use raddle_driver::options::{JobsSource, Meter, RunOptions, Selection};
use raddle_driver::slots;
use raddle_driver::unpack::{self, Wanted};
use std::sync::Arc;

/// Reads all inputs; an unreadable input ends the command.
pub(super) fn read(files: &[String], wanted: Wanted) -> Result<Vec<Input>, Failure> {
    let mut out = Vec::new();
    for file in files {
        match unpack::modules(file, wanted)? {
            Some(modules) => out.extend(modules),
            None => out.push(input::read(file)?),
        }
    }
    Ok(out)
}

pub(super) fn selection(select: &Select) -> Selection {
    Selection {
        arch: select.arch,
        names: select.entries.clone(),
        pattern: select.entry_regex.clone(),
        ..Selection::default()
    }
}

/// The options of the run, from the command line and the environment: workers, job slots and
/// disorder.
pub(super) fn run_options(args: &Jobs, ui: &Ui) -> Result<RunOptions, Failure> {
    let mut options = plain_run_options()?;
    options.kernel_timeout = args.kernel_timeout;
    options.kernel_steps = args.kernel_steps;
    options.tick = Some(Show::tick());
    options.max_memory = args.max_memory;
    options.jobserver_style = match args.jobserver_style {
        JobserverStyle::Pipe => Style::Pipe,
        JobserverStyle::Fifo => Style::Fifo,
    };
    let how = if args.no_jobserver { Jobserver::Off } else { args.jobserver };
    slots(&mut options, args.jobs, how, ui)?;
    Ok(options)
}

/// The options of the environment, and the memory meter.
pub(super) fn plain_run_options() -> Result<RunOptions, Failure> {
    let meter = Some(Meter { reset: alloc::reset, peak: alloc::peak, held: alloc::held });
    Ok(RunOptions { max_memory: Limit::Auto, chaos: chaos()?, fault: fault()?, meter, ..RunOptions::default() })
}

/// Sets the number of workers, and connects to the parent make.
pub(super) fn slots(run: &mut RunOptions, jobs: usize, how: Jobserver, ui: &Ui) -> Done {
    (run.jobs, run.jobs_source) = (jobs, jobs_source(jobs));
    if how == Jobserver::Off {
        return Ok(());
    }
    let makeflags = std::env::var_os("MAKEFLAGS");
    let value = makeflags.as_deref().unwrap_or_default().to_string_lossy();
    run.jobserver_required = how == Jobserver::Require;
    let one_slot = match jobserver::connect(makeflags.as_deref()) {
        Found::Client(client) => {
            run.jobserver = Some(Arc::new(client));
            false
        }
        Found::Broken(reason) => {
            if how != Jobserver::Silent {
                warn(slots::broken(&reason, &value, jobs, run.jobserver_required), ui)?;
            }
            true
        }
        Found::Absent(why) if run.jobserver_required => return Err(Box::new(slots::required(why, &value)).into()),
        Found::Absent(why) => why.is_one_slot(),
    };
    if one_slot && jobs == 0 {
        (run.jobs, run.jobs_source) = (1, JobsSource::Make);
    }
    Ok(())
}

/// The source of the number of kernels compiled at once.
fn jobs_source(jobs: usize) -> JobsSource {
    let environment = std::env::var("RADDLE_JOBS").ok();
    let environment = environment.and_then(|text| if text == "-1" { Some(0) } else { text.parse().ok() });
    if environment == Some(jobs) { JobsSource::Environment } else { JobsSource::Jobs }
}

/// Warns of options for cache operators that another option makes useless.
pub(super) fn warn_of_useless(caches: &Caches, ui: &Ui) -> Result<(), Failure> {
    for message in caches.useless() {
        warn(Diagnostic::warning(codes::E0019, message), ui)?;
    }
    Ok(())
}

/// Shows a warning; fails where warnings are errors.
pub(super) fn warn(warning: Diagnostic, ui: &Ui) -> Result<(), Failure> {
    let mut diags = Diags::with_policy(ui.policy());
    diags.push(warning);
    ui.show(&diags, &SourceMap::new());
    diags.worst().map_or(Ok(()), |class| Err(Failure::from(class)))
}

/// The seed in RADDLE_CHAOS; text that is not a number is an error, since a test with a typo would
/// run without disorder.
fn chaos() -> Result<Option<Chaos>, Failure> {
    let Ok(text) = std::env::var("RADDLE_CHAOS") else { return Ok(None) };
    match text.parse() {
        Ok(seed) => Ok(Some(Chaos::new(seed))),
        Err(_) => {
            Err(Failure::new(codes::E0029, format!("RADDLE_CHAOS={} is not a number", raddle_diag::quote(&text))))
        }
    }
}

/// The fault in RADDLE_FAULT.
pub(super) fn fault() -> Result<Option<Fault>, Failure> {
    let Ok(text) = std::env::var("RADDLE_FAULT") else { return Ok(None) };
    let wrong = |why| Failure::new(codes::E0029, format!("RADDLE_FAULT={}: {why}", raddle_diag::quote(&text)));
    text.parse().map(Some).map_err(wrong)
}
