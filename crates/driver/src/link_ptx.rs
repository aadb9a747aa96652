//! Compiles the inputs of PTX and IR of a link to objects, whole or through units (SPLIT-4), in the
//! order of the inputs (SPLIT-6).
//!
//! Strategy: all PTX inputs are compiled at once by the pool of a compilation, each to its own
//! object, or through units with extended splitting. The objects replace their inputs. The linker
//! then checks them like objects of other compilers.

use crate::codes;
use crate::compile::compile_after;
use crate::consensus::{CarriedOptions, parse_carried};
use crate::input::{Content, Input};
use crate::link_inputs::{Loaded, LoadedKind, left_out};
use crate::link_ir;
use crate::link_options::{CommandLineOptions, resolve_options};
use crate::options::{JobsSource, RunOptions, Selection};
use crate::progress::Progress;
use crate::report::Report;
use crate::request::{Functions, Output, Request};
use crate::split;
use raddle_diag::{Diagnostic, Diags, FileId, Policy, Severity, SourceMap};
use raddle_target::Target;

/// The architecture for PTX that is linked with cubins for `sm`: the one that the PTX names, if it
/// has that number.
fn target<'a>(inputs: impl Iterator<Item = &'a Input>, sm: Option<u32>) -> Option<&'static Target> {
    let sm = sm?;
    let declared = inputs.filter_map(|input| match &input.content {
        Content::Text(text) => raddle_ptx::outline(text, FileId::FIRST, &mut Diags::new()).target,
        _ => None,
    });
    let declared = declared.filter(|target| u32::from(target.sm) == sm).max_by_key(|target| target.name);
    declared.or_else(|| Target::by_name(&format!("sm_{sm}")))
}

/// Compiles the PTX inputs of a link and puts the objects in their places. Returns the report of
/// the compilation, `None` if there was nothing to compile. If it has errors, the inputs are
/// unchanged.
pub fn assemble(
    loaded: &mut Vec<Loaded>,
    given: &CommandLineOptions,
    sm: Option<u32>,
    run: RunOptions,
    policy: Policy,
    progress: &mut dyn Progress,
) -> Option<Report> {
    if loaded.iter().all(|file| file.kind == LoadedKind::Cubin) {
        return None;
    }
    let mut report = Report::new(policy);
    let carried = |file: &Loaded| Some(parse_carried(file.kind.options()?));
    let options: Vec<(&str, CarriedOptions)> =
        loaded.iter().filter_map(|file| Some((&*file.name, carried(file)?))).collect();
    let resolved = resolve_options(given, &options, &mut report.diags);
    let mut run = run.at_most(resolved.jobs.unwrap_or(0), JobsSource::Split);
    if !link_ir::to_ptx(loaded, given, sm, (&resolved, &mut run), &mut report, progress) {
        return Some(report);
    }
    let ptx: Vec<usize> =
        (0..loaded.len()).filter(|&index| matches!(loaded[index].kind, LoadedKind::Ptx { .. })).collect();
    let mut inputs = Vec::new();
    for &at in &ptx {
        match String::from_utf8(loaded[at].bytes.to_vec()) {
            Ok(text) => inputs.push((at, Input { name: loaded[at].name.clone(), content: Content::Text(text) })),
            Err(_) => {
                let message = format!("'{}': the PTX is not text", loaded[at].name);
                report.diags.push(Diagnostic::fatal(codes::E0002, message));
            }
        }
    }
    if report.diags.has_errors() {
        return Some(report);
    }
    let arch = given.target.or_else(|| target(inputs.iter().map(|(_, input)| input), sm));
    let selection = Selection { arch, ..Selection::default() };
    let (fallback, reproduce) = (given.fallback.clone(), given.reproduce.clone());
    let (codegen, output) = (resolved.codegen, Output::Objects(Functions::Exported));
    let request = Request { selection, codegen, run, policy, fallback, reproduce, output, ..Request::default() };
    let (runtime, program): (Vec<_>, Vec<_>) = inputs.into_iter().partition(|(at, _)| loaded[*at].runtime);
    let mut objects: Vec<Option<Made>> = loaded.iter().map(|_| None).collect();
    if !program.is_empty() {
        report = compile_all(&request, program, resolved.extended, report, &mut objects, progress);
        if report.diags.has_errors() {
            return Some(report);
        }
    }
    for (at, input) in runtime {
        let done = compile_all(&request, vec![(at, input)], false, Report::new(policy), &mut objects, &mut ());
        let wrong =
            done.diags.iter().find(|found| found.severity >= Severity::Error).map(|found| found.message.clone());
        if let Some(message) = wrong {
            report.diags.push(left_out(&loaded[at].name, &message));
            objects[at] = Some(Vec::new());
        }
    }
    *loaded = std::mem::take(loaded)
        .into_iter()
        .zip(objects)
        .flat_map(|(file, made)| match made {
            None => vec![file],
            Some(made) => {
                let Loaded { library, runtime, .. } = file;
                let object = |(name, bytes): (String, Vec<u8>)| Loaded {
                    name,
                    bytes: bytes.into(),
                    library,
                    inside: false,
                    runtime,
                    kind: LoadedKind::Cubin,
                };
                made.into_iter().map(object).collect()
            }
        })
        .collect();
    Some(report)
}

/// Objects of an input, with their names.
type Made = Vec<(String, Vec<u8>)>;

/// Compiles inputs, each with its number, at once, and puts the objects of each in its place.
/// Earlier diagnostics precede those of this compilation.
fn compile_all(
    request: &Request,
    inputs: Vec<(usize, Input)>,
    extended: bool,
    mut report: Report,
    objects: &mut [Option<Made>],
    progress: &mut dyn Progress,
) -> Report {
    let (places, mut inputs): (Vec<usize>, Vec<Input>) = inputs.into_iter().unzip();
    // The number of units that each input gives.
    let mut counts = vec![1; inputs.len()];
    if extended {
        let mut all = Vec::new();
        for (input, count) in inputs.iter().zip(&mut counts) {
            let Some(units) = split::units(std::slice::from_ref(input), &mut report) else { return report };
            *count = units.len();
            all.extend(units);
        }
        inputs = all;
    }
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    report.sources = SourceMap::new();
    let (mut done, _) = compile_after(report, Request { inputs, ..request.clone() }, progress);
    if !done.diags.has_errors() {
        let mut made = names.into_iter().zip(std::mem::take(&mut done.objects));
        for (at, count) in places.into_iter().zip(counts) {
            objects[at] = Some(made.by_ref().take(count).collect());
        }
    }
    done
}
