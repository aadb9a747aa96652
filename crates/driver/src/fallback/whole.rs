//! A whole module given to ptxas as it is: for an architecture without machine code of ours, or with references to textures, samplers or
//! surfaces at module scope, whose slots behind the parameters of every kernel no linker here gives out.
//!
//! Strategy: one run of ptxas on the pool, so that its token, memory, time limit, cancellation and signals are those of a unit;
//! what it writes is the output, checked as far as it can be read (a cubin for that architecture with the module's kernels).
//!
//! Limits, each a refusal that says what to do: several modules need a linker for that architecture, and kernels cannot be
//! selected, because nothing here puts their code together again.

use super::{Fallback, FallbackError, arguments, run, tool_bytes, without_debug};
use crate::codes;
use crate::compile::{KernelReport, Report, Request};
use crate::plan::{Module, Plan};
use crate::units;
use raddle_cubin::Cubin;
use raddle_diag::{Diagnostic, Span};
use raddle_jobs::memory::Budget;
use raddle_jobs::pool::{Need, run_all};
use raddle_jobs::{Config, Outcome};
use raddle_ptx::Ty;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why a module goes to ptxas as a whole.
pub(crate) enum Why {
    /// No machine code of ours for the target.
    Target,
    /// A function names this `.texref`, `.samplerref` or `.surfref` of the module.
    Reference(Box<str>),
}

impl Why {
    /// What a plan needs a whole module for, if it does.
    pub(crate) fn of(plan: &Plan) -> Option<Why> {
        if plan.target.native.is_none() {
            return Some(Why::Target);
        }
        plan.modules.iter().find_map(reference).map(Why::Reference)
    }

    /// The error of a module that cannot be given to ptxas either.
    pub(crate) fn error(&self, plan: &Plan, message: &str) -> Diagnostic {
        let code = match self {
            Why::Target => codes::E0023,
            Why::Reference(_) => codes::E0030,
        };
        Diagnostic::error(code, format!("{}{message}", self.text(plan)))
    }

    fn text(&self, plan: &Plan) -> String {
        match self {
            Why::Target => format!("no native code for {} yet", plan.target),
            Why::Reference(name) => format!("'{name}' is a reference to a texture, a sampler or a surface"),
        }
    }
}

/// A reference at module scope that the text of a function names.
fn reference(module: &Module) -> Option<Box<str>> {
    let opaque = |ty: Ty| matches!(ty, Ty::Texref | Ty::Samplerref | Ty::Surfref);
    let names = module.outline.globals.values().filter(|g| opaque(g.var.ty)).map(|g| &g.var.name);
    let names: BTreeSet<&str> = names.map(|name| &**name).collect();
    if names.is_empty() {
        return None;
    }
    let texts = module.outline.funcs.values().map(|f| &module.text[f.text.clone()]);
    let words = texts.flat_map(|text| text.split(|c: char| !(c.is_ascii_alphanumeric() || "_$%".contains(c))));
    words.into_iter().find(|word| names.contains(word)).map(Into::into)
}

/// Makes the output of `plan` by ptxas alone; what was done, or what is wrong, is in the report.
pub(crate) fn compile(fallback: &Fallback, why: &Why, request: &Request, plan: &Plan, report: &mut Report) {
    let target = plan.target;
    let refuse = |message: String| why.error(plan, &message);
    let [module] = &plan.modules[..] else {
        let message = ", and what ptxas makes of several modules cannot be linked here".to_owned();
        let help = "compile each module alone, with -c, and link with nvlink";
        report.diags.push(refuse(message).help(help));
        return;
    };
    if plan.units.iter().filter(|unit| unit.kernel).count() != module.outline.kernels().count() {
        let message = ", and ptxas compiles whole modules: no kernel can be selected".to_owned();
        report.diags.push(refuse(message));
        return;
    }
    let run_options = &request.run;
    let (slots, _) = units::workers(run_options, usize::MAX);
    let server = units::server(request, slots);
    let config = Config {
        workers: 1,
        cancel: run_options.cancel.clone(),
        jobserver: run_options.jobserver.clone(),
        time_limit: run_options.kernel_timeout,
        on_step: run_options.on_step,
        memory: Budget::new(run_options.max_memory).map(Arc::new),
        server: server.clone(),
        slots,
        ..Config::default()
    };
    (report.workers, report.workers_by) = (1, "a whole module for ptxas".to_owned());
    let mut arguments = arguments(target, &request.codegen, request.codegen.relocatable);
    if matches!(why, Why::Target) {
        arguments.extend(fallback.options.iter().cloned());
    }
    let bytes = tool_bytes(&module.text);
    let text = module.text.as_ref().clone();
    let modules = [if request.codegen.debug { text } else { without_debug(text) }];
    let ran = run_all(
        &config,
        &modules,
        |_| Need { cost: 1, bytes },
        |_| Arc::from("ptxas"),
        |task, _, text| run(fallback, text, &arguments, server.as_ref(), task),
        |_| !config.cancel.is_cancelled(),
    );
    let finished = ran.ok().and_then(|ran| {
        report.workers_started = ran.workers;
        ran.finished.into_iter().next()
    });
    let Some(finished) = finished else {
        report.diags.push(Diagnostic::fatal(codes::E0042, "no worker could be started"));
        return;
    };
    report.span = finished.wall;
    report.timeline.task(&finished, &[]);
    let (wall, cpu) = (finished.wall, finished.cpu);
    let made = match finished.outcome {
        Outcome::Done(made) => {
            made.and_then(|(bytes, took)| Ok((check(bytes, plan, request.codegen.relocatable)?, took)))
        }
        Outcome::Panicked(panic) => {
            report.diags.push(Diagnostic::error(codes::E0040, format!("the compiler panicked: {}", panic.message)));
            return;
        }
        Outcome::Dropped => Err(FallbackError::Cancelled),
    };
    match made {
        Ok(((bytes, cubin), took)) => {
            let said = format!("all kernels were assembled by ptxas: {}", why.text(plan));
            report.diags.push(Diagnostic::info(codes::E0035, said).at(Span::point(module.file, 0), ""));
            for unit in plan.units.iter().filter(|unit| unit.kernel) {
                let k = cubin.kernel(&unit.name);
                report.kernels.push(KernelReport {
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
                    unverified: Vec::new(),
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

/// Whether ptxas wrote what was asked for.
fn check(bytes: Vec<u8>, plan: &Plan, relocatable: bool) -> Result<(Vec<u8>, Cubin), FallbackError> {
    let cubin = Cubin::parse(&bytes)?;
    let (found, kind) = (cubin.header.sm(), cubin.header.kind);
    if found != plan.target.sm || (kind == raddle_cubin::model::Kind::Relocatable) != relocatable {
        return Err(FallbackError::Other { found, wanted: plan.target.name });
    }
    match plan.units.iter().filter(|unit| unit.kernel).find(|unit| cubin.kernel(&unit.name).is_none()) {
        Some(_) => Err(FallbackError::Missing),
        None => Ok((bytes, cubin)),
    }
}
