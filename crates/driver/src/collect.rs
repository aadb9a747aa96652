//! Collects the results of the units into the report, in input order.

use crate::codes;
use crate::program::{Program, Unit, name_span};
use crate::report::{Report, UnitReport};
use crate::reproduce;
use crate::request::{Dump, Request};
use crate::unit::result::Compiled;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Diags};
use raddle_jobs::{Finished, Outcome};
use std::sync::Arc;
use std::time::Duration;

/// Whether a unit failed.
pub(crate) fn failed(finished: &Finished<Compiled>) -> bool {
    !matches!(&finished.outcome, Outcome::Done(compiled) if !compiled.diags.has_errors())
}

/// Puts the results into the report, in input order, and returns the objects.
pub(crate) fn run(
    request: &Request,
    program: &Program,
    results: Vec<Finished<Compiled>>,
    report: &mut Report,
) -> Vec<UnitObject> {
    let mut objects = Vec::new();
    let mut passes: Vec<&'static str> = Vec::new();
    let mut dropped = false;
    for (unit, mut finished) in program.units.iter().zip(results) {
        // The reason why no unit was started is reported once, with the first kernel that was not
        // started.
        let again = matches!(finished.outcome, Outcome::Dropped) && std::mem::replace(&mut dropped, true);
        let slot = slot(unit, &finished);
        let facts = slot.as_ref().map_or(Vec::new(), |slot| slot.facts());
        report.timeline.task(&mut finished, &facts);
        let asked_for = slot.as_ref().map_or(Vec::new(), |slot| asked_for(request, program, unit, slot));
        if unit.is_function() { &mut report.functions } else { &mut report.kernels }.extend(slot);
        let mut compiled = outcome(request, program, unit, finished);
        report.has_remarks |= compiled.has_remarks;
        if let Some(remote) = &compiled.remote {
            report.timeline.elsewhere(remote.span(Arc::clone(&unit.name)));
        }
        if again {
            compiled.diags = Diags::new();
        }
        if compiled.diags.has_errors() {
            reproduce::advise(request, program, unit, &mut compiled, &report.sources);
        }
        report.diags.append(compiled.diags);
        report.diags.extend(asked_for);
        report.dump.push_str(&compiled.dump);
        objects.extend(compiled.object);
        for pass in compiled.passes {
            if !passes.contains(&pass) {
                passes.push(pass);
            }
        }
    }
    if let Dump::After(wanted) = &request.dump
        && !passes.is_empty()
        && !passes.contains(&wanted.as_str())
    {
        let message = format!("no kernel ran a pass {}", raddle_diag::quote(wanted));
        report
            .diags
            .push(Diagnostic::fatal(codes::E0048, message).help(format!("passes that ran: {}", passes.join(", "))));
    }
    objects
}

/// The optional warnings about a compiled unit.
fn asked_for(request: &Request, program: &Program, unit: &Unit, slot: &UnitReport) -> Vec<Diagnostic> {
    let UnitReport { name, frame, spill_bytes: (stores, loads), .. } = slot;
    let mut out = Vec::new();
    if request.warn_on.local_memory && *frame > 0 {
        out.push(format!("local memory is used in '{name}': a stack frame of {frame} bytes"));
    }
    if request.warn_on.spills && stores + loads > 0 {
        out.push(format!("registers are spilled in '{name}': {stores} bytes of stores, {loads} bytes of loads"));
    }
    let at = name_span(&program.modules[unit.module], unit.func);
    let warning = |message| Diagnostic::warning(codes::E0087, message).at(at, "").in_function(&**name);
    out.into_iter().map(warning).collect()
}

/// Converts the result of a task into that of its unit, also after a panic or for a task that was
/// dropped.
fn outcome(request: &Request, program: &Program, unit: &Unit, finished: Finished<Compiled>) -> Compiled {
    let diagnostic = match finished.outcome {
        Outcome::Done(compiled) => return compiled,
        Outcome::Panicked(panic) => {
            let place = panic.place.map_or(String::new(), |place| format!(" at {place}"));
            let step = finished.during.unwrap_or("no step");
            Diagnostic::error(codes::E0040, format!("the compiler panicked in {step}{place}: {}", panic.message))
                .help("this is an internal error of Raddle: please report it with the kernel")
        }
        Outcome::Dropped if request.run.cancel.is_cancelled() => Diagnostic::error(codes::E0043, "cancelled"),
        Outcome::Dropped => Diagnostic::error(codes::E0042, "no worker could be started"),
    };
    let mut compiled = Compiled::default();
    let span = name_span(&program.modules[unit.module], unit.func);
    compiled.diags.push(diagnostic.at(span, "").in_function(&*unit.name));
    compiled
}

/// The report of a kernel or of a function that is not inlined; `None` where a body was only read.
fn slot(unit: &Unit, finished: &Finished<Compiled>) -> Option<UnitReport> {
    if !unit.makes_object() {
        return None;
    }
    let compiled = match &finished.outcome {
        Outcome::Done(compiled) => Some(compiled),
        _ => None,
    };
    let function = compiled.and_then(|compiled| compiled.object.as_ref()?.functions.first());
    Some(UnitReport {
        name: Arc::clone(&unit.name),
        function: unit.is_function(),
        key: compiled.and_then(|compiled| compiled.key),
        compiled: function.is_some(),
        cached: compiled.is_some_and(|compiled| compiled.cached),
        cost: unit.cost,
        instructions: compiled.map_or(0, |compiled| compiled.instructions),
        registers: function.map_or(0, |f| f.registers),
        barriers: function.map_or(0, |f| f.barriers),
        spill_bytes: function.map_or((0, 0), |f| f.spill_bytes),
        frame: function.map_or(0, |f| f.frame_size),
        shared: function.map_or(0, |f| f.shared.size),
        code: function.map_or(0, |f| f.code.len()),
        wall: finished.wall + compiled.map_or(Duration::ZERO, |compiled| compiled.other_wall),
        cpu: finished.cpu + compiled.filter(|it| !it.is_elsewhere()).map_or(Duration::ZERO, |it| it.other_cpu),
        peak: compiled.map_or(0, |compiled| compiled.peak),
        kept: compiled.map_or(0, |compiled| compiled.kept),
        fallback: compiled.is_some_and(|compiled| compiled.fallback),
        remote: compiled.and_then(|compiled| compiled.remote.clone()),
    })
}
