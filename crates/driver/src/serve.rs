//! The process for one unit: reads its text, and writes the result as frames to standard output.

use crate::compile::compile_units;
use crate::fault::Fault;
use crate::key;
use crate::options::CodegenOptions;
use crate::request::Request;
use crate::unit::isolated::frames::{Finding, Frame, Size};
use raddle_diag::Diagnostic;
use raddle_jobs::memory::Limit;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Compiles the one kernel or function that the request selects and writes the result to standard
/// output. Returns whether an object was made. The process ends when process `parent`, which waits
/// for it, ends.
///
/// # Errors
/// The I/O error of standard output.
pub fn serve(mut request: Request, parent: Option<u32>) -> io::Result<bool> {
    if let Some(parent) = parent {
        raddle_jobs::children::die_with_parent(parent);
    }
    if let Some(asked) = asked(&request) {
        io::stdout().lock().write_all(&asked.bytes())?;
    }
    STEPS.get_or_init(|| ());
    request.run.on_step = Some(tell_step);
    request.run.jobs = 1;
    // The waiting process accounts for the memory of the unit.
    request.run.max_memory = Limit::Off;
    request.run.fault = request.run.fault.filter(Fault::is_lasting);
    let (report, objects) = compile_units(request, &mut ());
    // The objects of variables come first.
    let object = objects.into_iter().find(|object| !object.functions.is_empty());
    let mut out = io::stdout().lock();
    if let Some(unit) = report.units().next() {
        let cpu = u64::try_from(unit.cpu.as_micros()).unwrap_or(u64::MAX);
        let size = Frame::Size(Size { instructions: unit.instructions as u64, peak: unit.peak, cpu });
        out.write_all(&size.bytes())?;
    }
    if report.has_remarks {
        out.write_all(&Frame::Remarks.bytes())?;
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

/// What the process was asked for.
fn asked(request: &Request) -> Option<Frame> {
    let [input] = &request.inputs[..] else { return None };
    let (text, target) = (input.content.text()?, request.selection.arch?);
    let options = CodegenOptions { relocatable: request.output.is_relocatable(), ..request.codegen.clone() };
    let (name, function) = match &request.selection.function {
        Some(name) => (name, true),
        None => (request.selection.names.first()?, false),
    };
    Some(Frame::Request(key::of_request(text, &options, target, name, function)))
}

/// Set once steps are to be written to standard output.
static STEPS: OnceLock<()> = OnceLock::new();

/// Writes a step to standard output for the waiting process.
fn tell_step(step: &'static str) {
    if STEPS.get().is_some() {
        // A failure means that the reader has ended, and the object is not needed either.
        let _ = io::stdout().lock().write_all(&Frame::Step(step.to_string()).bytes());
        let _ = io::stdout().lock().flush();
    }
}
