//! What is kept of a compilation and told of it: cache, history, timeline and page.

use super::{page, request};
use crate::args::Record;
use crate::ui::Ui;
use crate::{Done, Failure};
use raddle_driver::cache::Cache;
use raddle_driver::codes;
use raddle_driver::options::RunOptions;
use raddle_driver::output::Dest;
use raddle_driver::program::history::History;
use raddle_driver::report::Report;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The cache, if one is named and can be used.
pub(super) fn cache(record: &Record, ui: &Ui) -> Result<Option<Arc<Cache>>, Failure> {
    Ok(record.cache.as_deref().map(|folder| request::cache(folder, ui)).transpose()?.flatten())
}

/// Adds what is kept to the options of a run.
pub(super) fn options(record: &Record, cache: Option<Arc<Cache>>, run: RunOptions) -> RunOptions {
    let (keep_going, fine) = (record.keep_going, record.timings.is_some());
    RunOptions { keep_going, cache, history: history(record), fine, ..run }
}

/// Where it is noted what kernels took.
fn history(record: &Record) -> Option<PathBuf> {
    match &record.history {
        Some(path) if path.as_os_str() == "off" => None,
        Some(path) => Some(path.clone()),
        None => History::default_path(record.cache.as_deref()),
    }
}

/// Writes timeline and page, if they are wanted.
pub(super) fn write(record: &Record, report: &Report, begun: Instant) -> Done {
    if let Some(path) = &record.timings {
        let mut trace = Vec::new();
        let written = report.timeline.write(&mut trace).and_then(|()| Dest::new(path).write(&trace));
        written.map_err(|error| unwritable(&path.display().to_string(), &error))?;
    }
    if let Some(path) = &record.report {
        let page = page::page(report, begun)?;
        let written = Dest::new(path).write(page.as_bytes());
        written.map_err(|error| unwritable(&path.display().to_string(), &error))?;
    }
    Ok(())
}

/// That an output cannot be written.
pub(super) fn unwritable(name: &str, error: &std::io::Error) -> Failure {
    Failure::new(codes::E0010, format!("cannot write '{name}': {error}"))
}
