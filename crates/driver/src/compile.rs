//! The whole compilation on one screen: read, run, finish (DRV-23). Options do not change during a
//! compilation (DRV-14). At its end everything is released, and the times are in the report
//! (DRV-25).
//!
//! ```text
//! inputs ─ read, outline ─► program ─ session: a task per kernel, longest first ─► objects ─
//! finish ─► bytes
//!          one thread                 N workers                                   input order
//! ```
//!
//! **Invariants.** Diagnostics and bytes are in input order and do not depend on the number of
//! workers or the order in which they end. After any error there is no output: there is no partial
//! cubin.

use crate::finish::{Made, Parts};
use crate::ir;
use crate::program::{self, Program, dwarf, variables};
use crate::progress::Progress;
use crate::repeated;
use crate::report::Report;
use crate::request::{Output, Request};
use crate::session::{self, Results};
use crate::texts::register;
use crate::unchanged::Place;
use crate::whole_module;
use crate::workers;
use raddle_cubin::unit::UnitObject;

/// Compiles a request. Errors are in the report. The outcome is kept for later builds by
/// [`Report::keeping`].
pub fn compile(mut request: Request, progress: &mut dyn Progress) -> Report {
    let place = Place::of(&request);
    if let Some(report) = place.as_ref().and_then(|place| place.look_up(&mut request)) {
        return report;
    }
    let (mut report, objects) = compile_units(request, progress);
    report.used.objects = objects;
    if let Some(place) = place {
        place.give_to(&mut report);
    }
    report
}

/// Like [`compile`], and also returns the objects that the output was made from: those of
/// variables, then those of units.
pub fn compile_units(request: Request, progress: &mut dyn Progress) -> (Report, Vec<UnitObject>) {
    let report = Report::new(request.policy);
    compile_after(report, request, progress)
}

/// Like [`compile_units`], after steps that have written to a report: its diagnostics come first,
/// and its times are kept. Texts of these steps are not compiled.
pub(crate) fn compile_after(
    report: Report,
    request: Request,
    progress: &mut dyn Progress,
) -> (Report, Vec<UnitObject>) {
    let (mut report, objects) = compile_inputs(report, request, progress);
    if report.diags.has_errors() {
        ir::locate(&mut report);
        repeated::remove(&mut report.diags);
    }
    (report, objects)
}

/// Reads, compiles and finishes.
fn compile_inputs(mut report: Report, mut request: Request, progress: &mut dyn Progress) -> (Report, Vec<UnitObject>) {
    let relocatable = request.output.is_relocatable();
    debug_assert!(
        relocatable || !request.codegen.relocatable,
        "relocatable code requested together with {:?}",
        request.output
    );
    request.codegen.relocatable = relocatable;
    let inputs = std::mem::take(&mut request.inputs);
    let keep_all = request.output.exports_functions();
    let Some(ready) = ir::to_ptx(&request, keep_all, inputs, &mut report, progress) else {
        return (report, Vec::new());
    };
    request.run.early = ready.early.or(request.run.early);
    register(ready.inputs, &mut report);
    let Report { sources, diags, timeline, .. } = &mut report;
    let text = sources.iter().map(|(_, source)| source.text().len()).sum();
    let threads = workers::of_bytes(&request.run, text, workers::TEXT);
    let program = timeline.main_phase("outline", || program::read(sources, &request.selection, diags, &threads));
    threads.record("survey", timeline);
    let Some(mut program) = program else {
        return (report, Vec::new());
    };
    report.target = Some(program.target);
    if whole_module::takes(&request, &program, &mut report) {
        return (report, Vec::new());
    }
    let objects = of_program(&request, &mut program, progress, &mut report);
    report.used.program = Some(program);
    (report, objects)
}

/// Compiles the units of a program and puts their objects together.
fn of_program(
    request: &Request,
    program: &mut Program,
    progress: &mut dyn Progress,
    report: &mut Report,
) -> Vec<UnitObject> {
    let wants_sections = request.output != Output::Check && !request.output.is_unit();
    let sections = match wants_sections && request.codegen.debug && request.codegen.lineinfo {
        true => dwarf::read(program, &mut report.diags),
        false => Vec::new(),
    };
    // An outline with errors may hide kernels: bodies are still read for errors, but nothing is
    // compiled.
    let checks_only = request.output == Output::Check || report.diags.has_errors();
    let mut objects = Vec::new();
    if !checks_only {
        objects = variables::visible(program, &mut report.diags);
        let named = dwarf::variables(program, &sections).into_iter();
        objects.extend(named.map(|(index, data)| variables::object(index, &program.modules[index], &data)));
    }
    let Results { objects: units, output, lesson } =
        session::run(request, program, checks_only, &objects, progress, report);
    objects.extend(units);
    if !report.diags.has_errors() && output.is_linked() {
        let first = variables::in_order_of_text(program, &objects);
        objects.splice(0..0, first);
    }
    let debug = match report.diags.has_errors() {
        true => Vec::new(),
        false => dwarf::modules(program, sections, &objects, &mut report.diags),
    };
    let code = objects.iter().flat_map(|object| &object.functions).map(|function| function.code.len()).sum();
    let threads = workers::of_bytes(&request.run, code, workers::CODE);
    let is_emitted = request.run.emit.is_some();
    let no_output = report.diags.has_errors() || checks_only || output.is_unit() || is_emitted;
    if no_output && lesson.is_none() {
        return objects;
    }
    let Report { diags, timeline, locals, .. } = report;
    let finish = || {
        if no_output {
            return Made::default();
        }
        let (objects, codegen) = (&mut objects[..], &request.codegen);
        Parts { program, objects, codegen, debug: &debug, locals, executor: &threads }.finish(output, diags)
    };
    let learn = lesson.map(|lesson| || lesson.learn());
    let Made { cubin, objects: of_inputs } =
        timeline.main_phase("finalize", || threads.beside("history", learn, finish));
    threads.record("finalize", timeline);
    (report.cubin, report.objects) = (cubin, of_inputs);
    objects
}
