//! Inputs and options of `compile` and `check`, from the command line and the environment.

use crate::args::{Caches, Jobs, Jobserver, JobserverStyle, Select};
use crate::progress::Show;
use crate::ui::Ui;
use crate::{Failure, alloc};
use raddle_diag::{Diagnostic, Diags, SourceMap};
use raddle_driver::cache::Cache;
use raddle_driver::codes;
use raddle_driver::fault::Fault;
use raddle_driver::host::Chaos;
use raddle_driver::host::jobserver::{self, Client, Found};
use raddle_driver::host::memory::Limit;
use raddle_driver::host::server::Style;
use raddle_driver::input::{self, Input};
use raddle_driver::options::{Meter, RunOptions, Selection};
use raddle_driver::unpack;
use raddle_target::Target;
use std::path::Path;
use std::sync::Arc;

/// Reads all inputs; the first that cannot be read ends the command.
pub(super) fn read(files: &[String], arch: Option<&'static Target>) -> Result<Vec<Input>, Failure> {
    let mut out = Vec::new();
    for file in files {
        match unpack::modules(file, arch)? {
            Some(modules) => out.extend(modules),
            None => out.push(input::read(file)?),
        }
    }
    Ok(out)
}

pub(super) fn selection(select: &Select) -> Selection {
    Selection { arch: select.arch, names: select.entries.clone(), pattern: select.entry_regex.clone(), function: None }
}

/// Workers, job slots and disorder, from the command line and the environment.
pub(super) fn run_options(args: &Jobs, ui: &Ui) -> Result<RunOptions, Failure> {
    let mut options = RunOptions { jobs: args.jobs, ..plain_run_options()? };
    options.kernel_timeout = args.kernel_timeout;
    options.kernel_steps = args.kernel_steps;
    options.tick = Some(Show::tick());
    options.max_memory = args.max_memory;
    options.jobserver_style = match args.jobserver_style {
        JobserverStyle::Pipe => Style::Pipe,
        JobserverStyle::Fifo => Style::Fifo,
    };
    let how = if args.no_jobserver { Jobserver::Off } else { args.jobserver };
    (options.jobs, options.jobserver) = slots(args.jobs, how, ui)?;
    Ok(options)
}

/// What the environment says, and the meter of memory.
pub(super) fn plain_run_options() -> Result<RunOptions, Failure> {
    let meter = Some(Meter { reset: alloc::reset, peak: alloc::peak, held: alloc::held });
    Ok(RunOptions { max_memory: Limit::Auto, chaos: chaos()?, fault: fault()?, meter, ..RunOptions::default() })
}

/// How many workers, and the make above us that has their slots.
pub(super) fn slots(jobs: usize, how: Jobserver, ui: &Ui) -> Result<(usize, Option<Arc<Client>>), Failure> {
    if how == Jobserver::Off {
        return Ok((jobs, None));
    }
    let makeflags = std::env::var_os("MAKEFLAGS");
    let required = how == Jobserver::Require;
    // Without -j a server that is off or broken means one kernel at a time: make has given us one slot.
    let one_slot = if jobs == 0 { 1 } else { jobs };
    match jobserver::connect(makeflags.as_deref()) {
        Found::Client(client) => Ok((jobs, Some(Arc::new(client)))),
        Found::Broken(reason) => {
            let message = format!("MAKEFLAGS={}: {reason}", makeflags.unwrap_or_default().to_string_lossy());
            if required {
                return Err(Failure::new(codes::E0047, message));
            }
            let warning = Diagnostic::warning(codes::E0047, message)
                .help("put a `+` in front of the line in the recipe, or give -j N");
            warn(warning, ui)?;
            Ok((one_slot, None))
        }
        Found::None | Found::Serial if required => Err(Failure::new(codes::E0046, "MAKEFLAGS names no jobserver")),
        Found::Serial => Ok((one_slot, None)),
        Found::None => Ok((jobs, None)),
    }
}

/// The cache in a folder; a warning and `None` if it cannot be used.
pub(super) fn cache(folder: &Path, ui: &Ui) -> Result<Option<Arc<Cache>>, Failure> {
    match Cache::open(folder) {
        Ok(cache) => Ok(Some(Arc::new(cache))),
        Err(error) => {
            let message = format!("'{}': {error}", folder.display());
            warn(Diagnostic::warning(codes::E0018, message), ui).map(|()| None)
        }
    }
}

/// Warns of options for cache operators of which one makes the other useless.
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

/// The seed of RADDLE_CHAOS; text that is no number is refused, since a test that meant disorder would run without.
fn chaos() -> Result<Option<Chaos>, Failure> {
    let Ok(text) = std::env::var("RADDLE_CHAOS") else { return Ok(None) };
    match text.parse() {
        Ok(seed) => Ok(Some(Chaos::new(seed))),
        Err(_) => Err(Failure::new(codes::E0029, format!("RADDLE_CHAOS={} is no number", raddle_diag::quote(&text)))),
    }
}

/// The failure that RADDLE_FAULT asks for.
pub(super) fn fault() -> Result<Option<Fault>, Failure> {
    let Ok(text) = std::env::var("RADDLE_FAULT") else { return Ok(None) };
    let wrong = |why| Failure::new(codes::E0029, format!("RADDLE_FAULT={}: {why}", raddle_diag::quote(&text)));
    text.parse().map(Some).map_err(wrong)
}
