//! Records of a compilation: cache, history, timeline and report page.

use super::{caching, report_page};
use crate::args::{Ir, Record};
use crate::ui::Ui;
use crate::{Done, Failure};
use raddle_diag::render::json;
use raddle_driver::cache::Cache;
use raddle_driver::codes;
use raddle_driver::options::RunOptions;
use raddle_driver::output::Dest;
use raddle_driver::program::history::History;
use raddle_driver::report::Report;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The cache, if one is given and can be used.
pub(super) fn cache(record: &Record, ui: &Ui) -> Result<Option<Arc<Cache>>, Failure> {
    caching::open(&record.caching, ui)
}

/// Adds cache and history to the options of a run.
pub(super) fn options(record: &Record, cache: Option<Arc<Cache>>, run: RunOptions) -> RunOptions {
    let (keep_going, fine) = (record.keep_going, record.timings.is_some());
    RunOptions { keep_going, cache, history: history(record), fine, ..run }
}

/// The file that records the costs of kernels.
fn history(record: &Record) -> Option<PathBuf> {
    match &record.history {
        Some(path) if path.as_os_str() == "off" => None,
        Some(path) => Some(path.clone()),
        None => History::default_path(caching::folder(&record.caching).as_deref()),
    }
}

/// Refuses an output that would overwrite an input or another output.
pub(super) fn check_outputs(inputs: &[String], record: &Record, outputs: &[Option<&PathBuf>]) -> Done {
    // Special files can be written several times; standard output once.
    let file = |path: &Path| match std::fs::canonicalize(path) {
        Ok(path) => path.is_file().then_some(path),
        Err(_) => Some(path.to_path_buf()),
    };
    let inputs: Vec<PathBuf> =
        inputs.iter().filter(|name| *name != "-").filter_map(|name| file(name.as_ref())).collect();
    let outputs = outputs.iter().copied().chain([record.timings.as_ref(), record.report.as_ref()]);
    let mut seen: Vec<PathBuf> = Vec::new();
    for (output, path) in outputs.flatten().filter_map(|name| Some((name, file(name)?))) {
        if inputs.contains(&path) {
            return Err(Failure::new(codes::E0019, format!("'{}' is an input and an output", output.display())));
        }
        if seen.contains(&path) {
            return Err(Failure::new(codes::E0019, format!("'{}' is named as two outputs", output.display())));
        }
        seen.push(path);
    }
    Ok(())
}

/// Writes timeline and report page, if requested.
pub(super) fn write(record: &Record, report: &Report, begun: Instant) -> Done {
    if let Some(path) = &record.timings {
        let mut trace = Vec::new();
        let written = report.timeline.write(&mut trace).and_then(|()| Dest::new(path).write(&trace));
        written.map_err(|error| unwritable(&path.display().to_string(), &error))?;
    }
    if let Some(path) = &record.report {
        let page = report_page::page(report, begun)?;
        let written = Dest::new(path).write(page.as_bytes());
        written.map_err(|error| unwritable(&path.display().to_string(), &error))?;
    }
    Ok(())
}

/// Writes the remarks of LLVM, if requested.
pub(super) fn write_remarks(ir: &Ir, report: &Report) -> Done {
    let Some(path) = &ir.remarks else { return Ok(()) };
    let line = |(what, text): &(String, String)| {
        let place = text.split_once(": ").filter(|(place, _)| is_place(place));
        let (place, text) = place.map_or((None, text.as_str()), |(place, text)| (Some(place), text));
        let place = place.filter(|place| !place.starts_with("<unknown>"));
        let remark = serde_json::json!({
            "schema": json::SCHEMA, "kind": "remark", "about": what, "place": place, "message": text,
        });
        format!("{remark}\n")
    };
    let lines: String = report.remarks.iter().map(line).collect();
    Dest::new(path).write(lines.as_bytes()).map_err(|error| unwritable(&path.display().to_string(), &error))
}

/// Whether text is `FILE:LINE:COLUMN`.
fn is_place(text: &str) -> bool {
    let mut parts = text.rsplitn(3, ':');
    let is_number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
    is_number(parts.next()) && is_number(parts.next()) && parts.next().is_some()
}

/// The failure for an output that cannot be written.
pub(super) fn unwritable(name: &str, error: &std::io::Error) -> Failure {
    Failure::new(codes::E0010, format!("cannot write '{name}': {error}"))
}
