//! Compiles through units (SPLIT-4): the modules are split, every unit becomes an object, and the
//! objects are linked in the order of the units (SPLIT-6). Inputs with a single unit are compiled
//! as a whole (SPLIT-8).
//!
//! The kernels of all units are tasks of one pool, like those of one module: they share tokens,
//! memory ledger, cache and crash handling. Objects are linked in the order of the units.
//!
//! Invariant: an object depends on its unit's text alone, so that any other process makes the same
//! one.

use crate::compile::{compile as compile_whole, compile_after};
use crate::input::{Content, Input};
use crate::ir;
use crate::key;
use crate::link;
use crate::progress::Progress;
use crate::report::{Report, UnitReport};
use crate::request::Request;
use raddle_diag::{Diags, SourceMap};
use raddle_entity::Serial;
use raddle_link::objects::{self, LinkOptions};
use raddle_target::Target;
use std::collections::BTreeMap;

/// The units of all PTX inputs as inputs, each named after its input and its file; other inputs stay
/// as they are. `None` if an input has errors.
pub fn units(inputs: &[Input], report: &mut Report) -> Option<Vec<Input>> {
    let mut out = Vec::new();
    for input in inputs {
        let mut sources = SourceMap::new();
        // LLVM IR is split later, and the compilation reports all else.
        let text = input.content.text();
        if text.is_none_or(|text| sources.add(input.name.clone(), text).is_err()) {
            out.push(input.clone());
            continue;
        }
        let mut diags = Diags::with_policy(report.diags.policy());
        match super::read(&sources, &mut diags) {
            Some((split, _)) => out.extend(split.units.into_iter().map(|unit| Input {
                name: format!("{}[{}]", input.name, unit.file),
                content: Content::Text(unit.text),
            })),
            None => {
                // The first input with errors ends it, as in a compilation without a split.
                (report.sources, report.diags) = (sources, diags);
                return None;
            }
        }
    }
    Some(out)
}

/// Compiles the inputs through units to one cubin, or to one object if objects are requested. The
/// units of LLVM IR are its parts. PTX inputs with a single unit are compiled as a whole.
pub fn compile(mut request: Request, progress: &mut dyn Progress) -> Report {
    if request.codegen.debug {
        let mut report = compile_whole(request, progress);
        crate::program::dwarf::in_parts(&mut report.diags);
        return report;
    }
    let mut failed = Report::new(request.policy);
    let Some(units) = units(&request.inputs, &mut failed) else { return failed };
    if units.len() < 2 && !units.iter().any(is_ir) {
        return compile_whole(request, progress);
    }
    request.inputs = units;
    through_objects(request, progress)
}

/// Compiles each input to an object, and each part of LLVM IR, and links them.
fn through_objects(mut request: Request, progress: &mut dyn Progress) -> Report {
    let (relocatable, keep_all) = (request.output.is_relocatable(), request.output.exports_functions());
    request.output = request.output.of_each_input();
    request.codegen.relocatable = true;
    let mut report = Report::new(request.policy);
    let inputs = std::mem::take(&mut request.inputs);
    let Some(ready) = ir::to_ptx(&request, keep_all, inputs, &mut report, progress) else { return report };
    request.run.early = ready.early.or(request.run.early);
    request.inputs = ready.inputs;
    let names: Vec<String> = request.inputs.iter().map(|input| input.name.clone()).collect();
    let (mut report, units) = compile_after(report, request, progress);
    report.used.objects = units;
    merge_copies(&mut report.functions);
    if !report.diags.has_errors() {
        let Report { timeline, diags, objects, target, locals, .. } = &mut report;
        report.cubin = timeline.main_phase("link", || join(&names, objects, *target, relocatable, locals, diags));
    }
    report
}

/// Each unit has its own copy of a function that its kernels call: one function of the program, which
/// took the time of all copies.
fn merge_copies(functions: &mut Vec<UnitReport>) {
    let mut merged: Vec<UnitReport> = Vec::with_capacity(functions.len());
    let facts = |f: &UnitReport| (f.compiled, f.instructions, f.registers, f.spill_bytes, f.frame, f.shared, f.code);
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for copy in functions.drain(..) {
        match known.get(&(copy.name.clone(), facts(&copy))).map(|&n| &mut merged[n]) {
            Some(first) => {
                first.wall += copy.wall;
                first.cpu += copy.cpu;
                first.peak = first.peak.max(copy.peak);
                first.cached &= copy.cached;
                first.fallback |= copy.fallback;
            }
            None => {
                known.insert((copy.name.clone(), facts(&copy)), merged.len());
                merged.push(copy);
            }
        }
    }
    *functions = merged;
}

/// Whether the input becomes PTX first.
fn is_ir(input: &Input) -> bool {
    !matches!(input.content, Content::Text(_) | Content::Elf(_))
}

/// Links named objects; symbols that `locals` names become local. `None` after an error.
pub fn join(
    names: &[String],
    objects: &[Vec<u8>],
    target: Option<&'static Target>,
    relocatable: bool,
    locals: &[String],
    diags: &mut Diags,
) -> Option<Vec<u8>> {
    let inputs: Vec<objects::Input<'_>> =
        names.iter().zip(objects).map(|(name, bytes)| objects::Input { name, bytes, library: false }).collect();
    let original = super::private::original;
    let tool = key::tool_note();
    let options = LinkOptions { target, relocatable, original, locals, tool, ..LinkOptions::default() };
    match objects::link(&inputs, &options, &Serial) {
        Ok(linked) => {
            diags.extend(link::warnings(&linked.warnings, &str::to_owned));
            Some(linked.bytes(&Serial))
        }
        Err(problems) => {
            diags.extend(problems.into_iter().map(|problem| link::diagnostic(problem, &str::to_owned)));
            None
        }
    }
}

/// Executables of the same inputs, to compare.
#[derive(Debug)]
pub struct Verified {
    /// The number of units.
    pub units: usize,
    /// The executable of the whole and that of the units, both linked from objects.
    pub cubins: [Vec<u8>; 2],
}

/// Compiles the inputs as a whole and in units, both through objects, for the caller to compare.
/// LLVM IR is compiled in one part and in several. `Err` is the report of the first compilation
/// that failed.
pub fn verify(request: &Request) -> Result<Verified, Box<Report>> {
    let mut failed = Report::new(request.policy);
    let Some(units) = units(&request.inputs, &mut failed) else { return Err(Box::new(failed)) };
    let (inputs, ir) = (request.inputs.clone(), request.ir.in_one_part());
    let whole = Request { inputs, ir, ..request.clone() };
    let split = Request { inputs: units, ir: request.ir.in_parts(), ..request.clone() };
    let (mut count, mut cubins): (_, [Vec<u8>; 2]) = (0, Default::default());
    for (request, place) in [whole, split].into_iter().zip(&mut cubins) {
        let mut report = through_objects(request, &mut ());
        let Some(bytes) = report.cubin.take() else { return Err(Box::new(report)) };
        (count, *place) = (report.objects.len(), bytes);
    }
    Ok(Verified { units: count, cubins })
}
