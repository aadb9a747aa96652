//! How many units run at once, and slots for the tools that some are given to.

use crate::options::RunOptions;
use raddle_jobs::server::Server;
use std::sync::Arc;

/// How many units may run at once, and who says so.
pub(crate) fn number(run: &RunOptions, units: usize) -> (usize, String) {
    let cpus = raddle_jobs::cpus::available();
    let by = run.jobs_by.name();
    let (asked, why) = match run.jobs {
        0 => (cpus, "the CPUs available".to_owned()),
        // Disorder is the point: more workers than CPUs bring more of it.
        jobs if jobs <= cpus || run.chaos.is_some() => (jobs, by.to_owned()),
        jobs => (cpus, format!("the CPUs available, fewer than {by} says ({jobs})")),
    };
    if units < asked { (units.max(1), "the number of units".to_owned()) } else { (asked, why) }
}

/// A server for the tools that kernels are given to, if they are given to any and there is a slot to lend.
pub(crate) fn server(is_needed: bool, run: &RunOptions, slots: usize) -> Option<Arc<Server>> {
    (is_needed && slots > 1).then_some(())?;
    // Without one tools work on one thread, as they do for others.
    Server::new(run.jobserver_style, slots).ok().map(Arc::new)
}
