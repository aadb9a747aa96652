//! Passes a whole module to ptxas: for an architecture without code generation here.
//!
//! Strategy: one run of ptxas on the pool, so that its token, memory, time limit, cancellation and
//! signals are handled like those of a unit. Its output is the result, checked as far as it can be
//! read (a cubin for that architecture with the module's kernels).
//!
//! Limits, each an error with a remedy: several modules need a linker for that architecture, and
//! kernels cannot be selected, because their code cannot be recombined here.

use crate::codes;
use crate::options::GivenBounds;
use crate::program::Program;
use crate::ptxas::{Fallback, FallbackError, arguments, run, tool_bytes, without_debug};
use crate::report::{Report, UnitReport};
use crate::request::{Output, Request};
use crate::workers;
use raddle_cubin::Cubin;
use raddle_diag::{Diagnostic, Span};
use raddle_jobs::Outcome;
use raddle_jobs::pool::{ExpectedUse, run_all};
use std::sync::Arc;

/// The reason to pass a program to ptxas as a whole.
fn reason(program: &Program) -> String {
    format!("no native code for {} yet", program.target)
}

/// The error for a module that cannot be passed to ptxas either.
fn error(program: &Program, message: &str) -> Diagnostic {
    Diagnostic::error(codes::E0023, format!("{}{message}", reason(program)))
}

/// Compiles a program as a whole if it needs that and a fallback is configured. Returns true if it
/// did: the report then has the output or an error. Otherwise returns false; the report may have an
/// error, and units are still read for theirs.
pub(crate) fn takes(request: &Request, program: &Program, report: &mut Report) -> bool {
    if request.output == Output::Check {
        return false;
    }
    if program.target.native.is_some() {
        return false;
    }
    let executable = matches!(request.output, Output::Executable | Output::LinkedExecutable | Output::Object(_));
    match request.fallback.as_ref() {
        Some(fallback) if executable && !report.diags.has_errors() => {
            compile(fallback, request, program, report);
            return true;
        }
        _ => report.diags.push(error(program, "")),
    }
    false
}

/// Launch bounds that options give, as arguments of ptxas.
fn bounds(given: &GivenBounds) -> Vec<String> {
    let mut out = Vec::new();
    out.extend(given.threads.map(|[x, y, z]| format!("-maxntid={x},{y},{z}")));
    out.extend(given.blocks.map(|blocks| format!("-minnctapersm={blocks}")));
    out.extend((given.replace || given.registers.is_some()).then(|| "-override-directive-values".to_owned()));
    out
}

/// Compiles `program` with ptxas alone; the output, or the errors, are in the report.
fn compile(fallback: &Fallback, request: &Request, program: &Program, report: &mut Report) {
    let target = program.target;
    let refuse = |message: String| error(program, &message);
    let [module] = &program.modules[..] else {
        let message = ", and the output of ptxas for several modules cannot be linked here".to_owned();
        let help = "compile each module separately with -c, and link with nvlink";
        report.diags.push(refuse(message).help(help));
        return;
    };
    if program.units.iter().filter(|unit| unit.makes_object()).count() != module.outline.kernels().count() {
        let message = ", and ptxas compiles whole modules: no kernel can be selected".to_owned();
        report.diags.push(refuse(message));
        return;
    }
    let config = workers::config(request, 1);
    (report.workers, report.workers_source) = (1, "a whole module for ptxas".to_owned());
    let mut arguments = arguments(target, &request.codegen, request.codegen.relocatable);
    arguments.extend(bounds(&request.selection.bounds));
    arguments.extend(fallback.options.iter().cloned());
    let bytes = tool_bytes(&module.text);
    let text = module.text.as_ref().clone();
    let modules = [if request.codegen.debug { text } else { without_debug(text) }];
    let ran = run_all(
        &config,
        &modules,
        |_| ExpectedUse { priority: 0, cost: 1, bytes },
        |_| Arc::from("ptxas"),
        |task, _, text| run(fallback, text, &arguments, config.server.as_ref(), task),
        |_| !config.cancel.is_cancelled(),
    );
    let finished = ran.ok().and_then(|ran| {
        report.workers_started = ran.workers;
        ran.finished.into_iter().next()
    });
    let Some(mut finished) = finished else {
        report.diags.push(Diagnostic::fatal(codes::E0042, "no worker could be started"));
        return;
    };
    report.span = finished.wall;
    report.timeline.task(&mut finished, &[]);
    let (wall, cpu) = (finished.wall, finished.cpu);
    let made = match finished.outcome {
        Outcome::Done(made) => {
            made.and_then(|(bytes, took)| Ok((check(bytes, program, request.codegen.relocatable)?, took)))
        }
        Outcome::Panicked(panic) => {
            report.diags.push(Diagnostic::error(codes::E0040, format!("the compiler panicked: {}", panic.message)));
            return;
        }
        Outcome::Dropped => Err(FallbackError::Cancelled),
    };
    match made {
        Ok(((bytes, cubin), took)) => {
            let said = format!("all kernels were assembled by ptxas: {}", reason(program));
            report.diags.push(Diagnostic::info(codes::E0035, said).at(Span::point(module.file, 0), ""));
            for unit in program.units.iter().filter(|unit| unit.makes_object()) {
                let k = cubin.kernel(&unit.name);
                report.kernels.push(UnitReport {
                    name: Arc::clone(&unit.name),
                    function: false,
                    key: None,
                    compiled: true,
                    cached: false,
                    cost: unit.cost,
                    instructions: 0,
                    registers: k.as_ref().map_or(0, |k| k.registers as u16),
                    barriers: k.as_ref().map_or(0, |k| k.barriers as u8),
                    spill_bytes: (0, 0),
                    frame: k.as_ref().map_or(0, |k| k.frame_size),
                    shared: k.as_ref().map_or(0, |k| k.shared_size as u32),
                    code: k.as_ref().map_or(0, |k| k.code.len()),
                    wall,
                    cpu,
                    peak: took.most,
                    kept: 0,
                    fallback: true,
                    remote: None,
                });
            }
            report.cubin = Some(bytes);
        }
        Err(error) => {
            let said = Diagnostic::error(codes::E0034, error.to_string()).at(Span::point(module.file, 0), "");
            report.diags.push(error.lines().fold(said, Diagnostic::note));
        }
    }
}

/// Checks that ptxas wrote what was requested.
fn check(bytes: Vec<u8>, program: &Program, relocatable: bool) -> Result<(Vec<u8>, Cubin), FallbackError> {
    let cubin = Cubin::parse(&bytes)?;
    let (found, kind) = (cubin.header.sm(), cubin.header.kind);
    if found != program.target.sm || (kind == raddle_cubin::model::Kind::Relocatable) != relocatable {
        return Err(FallbackError::Other { found, wanted: program.target.name });
    }
    match program.units.iter().filter(|unit| unit.makes_object()).find(|unit| cubin.kernel(&unit.name).is_none()) {
        Some(_) => Err(FallbackError::Missing),
        None => Ok((bytes, cubin)),
    }
}
