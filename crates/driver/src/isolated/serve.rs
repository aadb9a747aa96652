//! The process for one unit: reads its text, answers with frames on standard output.

use super::frames::{Finding, Frame};
use super::{STEPS, tell_step};
use crate::compile::{Request, unit_object};
use crate::fault::Fault;
use raddle_diag::Diagnostic;
use raddle_jobs::memory::Limit;
use std::io::{self, Write};

/// Compiles the one kernel or function that the request selects and tells the outcome on standard output. Gives whether there is an
/// object. Ends with process `parent`, which waits for it.
///
/// # Errors
/// What the system says about standard output.
pub fn serve(mut request: Request, parent: Option<u32>) -> io::Result<bool> {
    if let Some(parent) = parent {
        raddle_jobs::children::die_with_parent(parent);
    }
    STEPS.get_or_init(|| ());
    request.run.on_step = Some(tell_step);
    request.run.jobs = 1;
    // What the unit takes is on the account of the process that waits for it.
    request.run.max_memory = Limit::Off;
    request.run.fault = request.run.fault.filter(Fault::is_lasting);
    let (report, object) = unit_object(request);
    let mut out = io::stdout().lock();
    if let Some(unit) = report.units().next() {
        let size = Frame::Size { instructions: unit.instructions as u64, peak: unit.peak };
        out.write_all(&size.bytes())?;
        let names = unit.unverified.iter().map(|(name, count)| (name.clone(), *count as u64));
        out.write_all(&Frame::Unverified(names.collect()).bytes())?;
    }
    let errors = report.diags.iter().filter(|diagnostic| diagnostic.is_error());
    let line = |diagnostic: &Diagnostic| {
        let span = diagnostic.labels.first()?.span;
        let file = report.sources.get(span.file)?;
        let rest = file.text().get(span.start as usize..)?;
        Some(rest.lines().next()?.trim().to_string())
    };
    for diagnostic in errors {
        out.write_all(&Frame::Finding(Finding::of(diagnostic, line(diagnostic))).bytes())?;
    }
    let object = object.filter(|_| !report.diags.has_errors());
    let made = object.is_some();
    if let Some(object) = object {
        out.write_all(&Frame::Object(Box::new(object)).bytes())?;
    }
    out.flush()?;
    Ok(made)
}
