//! Compiles through units (SPLIT-4): the modules are split, every unit becomes an object, and the
//! objects are linked in the order of the units (SPLIT-6). Inputs with a single unit are compiled
//! as a whole (SPLIT-8).
//!
//! The kernels of all units are tasks of one pool, like those of one module: they share tokens,
//! memory ledger, cache and crash handling. Objects are linked in the order of the units.
//!
//! Invariant: an object depends on its unit's text alone, so that any other process makes the same
//! one.

use crate::compile::compile as compile_whole;
use crate::input::{Content, Input};
use crate::link;
use crate::progress::Progress;
use crate::report::Report;
use crate::request::Request;
use raddle_diag::{Diags, SourceMap};
use raddle_entity::Serial;
use raddle_link::objects::{self, LinkOptions};
use raddle_target::Target;

/// The units of all inputs as inputs, each named after its input and its file. `None` if an input
/// has errors.
pub fn units(inputs: &[Input], report: &mut Report) -> Option<Vec<Input>> {
    let mut out = Vec::new();
    for input in inputs {
        let Content::Text(text) = &input.content else { return Some(inputs.to_vec()) };
        let mut sources = SourceMap::new();
        if sources.add(input.name.clone(), text.clone()).is_err() {
            // The compilation of the whole reports it.
            return Some(inputs.to_vec());
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

/// Compiles the inputs through units to one cubin, or to one object if objects are requested.
/// Inputs with a single unit are compiled as a whole.
pub fn compile(mut request: Request, progress: &mut dyn Progress) -> Report {
    if request.codegen.debug {
        let mut report = compile_whole(request, progress);
        crate::program::dwarf::in_parts(&mut report.diags);
        return report;
    }
    let mut failed = Report::new(request.policy);
    let Some(units) = units(&request.inputs, &mut failed) else { return failed };
    if units.len() < 2 {
        return compile_whole(request, progress);
    }
    let relocatable = request.output.is_relocatable();
    let names: Vec<String> = units.iter().map(|unit| unit.name.clone()).collect();
    (request.inputs, request.output) = (units, request.output.of_each_input());
    let mut report = compile_whole(request, progress);
    if !report.diags.has_errors() {
        let Report { timeline, diags, objects, target, .. } = &mut report;
        report.cubin = timeline.main_phase("link", || join(&names, objects, *target, relocatable, diags));
    }
    report
}

/// Links named objects; `None` after an error.
pub fn join(
    names: &[String],
    objects: &[Vec<u8>],
    target: Option<&'static Target>,
    relocatable: bool,
    diags: &mut Diags,
) -> Option<Vec<u8>> {
    let inputs: Vec<objects::Input<'_>> =
        names.iter().zip(objects).map(|(name, bytes)| objects::Input { name, bytes, library: false }).collect();
    let options = LinkOptions { target, relocatable, original: super::private::original, ..LinkOptions::default() };
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
/// `Err` is the report of the first compilation that failed.
pub fn verify(request: &Request) -> Result<Verified, Box<Report>> {
    let mut failed = Report::new(request.policy);
    let Some(units) = units(&request.inputs, &mut failed) else { return Err(Box::new(failed)) };
    let count = units.len();
    let mut cubins: [Vec<u8>; 2] = Default::default();
    for (inputs, place) in [request.inputs.clone(), units].into_iter().zip(&mut cubins) {
        let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
        let mut report =
            compile_whole(Request { inputs, output: request.output.of_each_input(), ..request.clone() }, &mut ());
        let Report { diags, objects, target, .. } = &mut report;
        let bytes = if diags.has_errors() { None } else { join(&names, objects, *target, false, diags) };
        let Some(bytes) = bytes else { return Err(Box::new(report)) };
        *place = bytes;
    }
    Ok(Verified { units: count, cubins })
}
