//! The loop (DRV-14, 23, 25): read, plan, compile units on the pool, link in input order.
//!
//! ```text
//! inputs ─ read, outline ─► plan ─ one task per kernel, longest first ─► results by number ─ finalize ─► bytes
//!          one thread                N workers                           input order         one thread
//! ```
//!
//! **Invariants.** Diagnostics and bytes are in input order and do not depend on the number of workers or the order in
//! which they end. An error anywhere means no output: there is no partial cubin.

use crate::codes;
use crate::input::{Content, Input};
use crate::options::{RunOptions, Selection};
use crate::plan::{self, Plan, UnitPlan, name_span};
use crate::unit::{self, Compiled, Depth, Dump, Shared};
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Diags, Policy, SourceMap, Span};
use raddle_ir::CodegenOptions;
use raddle_jobs::pool::run_all;
use raddle_jobs::timeline::Timeline;
use raddle_jobs::{Config, Finished, Outcome};
use raddle_ptx::DebugStrings;
use raddle_target::Target;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Everything a compilation is given.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// PTX modules, in the order of the command line.
    pub inputs: Vec<Input>,
    /// Which kernels, for what.
    pub selection: Selection,
    /// What changes bytes.
    pub codegen: CodegenOptions,
    /// How the work is done.
    pub run: RunOptions,
    /// What is rendered besides.
    pub dump: Dump,
    /// What is kept of diagnostics.
    pub policy: Policy,
}

/// Sees the work go on.
pub trait Progress {
    /// So many units will be compiled.
    fn planned(&mut self, units: usize);
    /// A unit has ended.
    fn ended(&mut self, name: &str, failed: bool);
}

/// Sees nothing.
impl Progress for () {
    fn planned(&mut self, _: usize) {}
    fn ended(&mut self, _: &str, _: bool) {}
}

/// What is known of a kernel after its compilation.
#[derive(Clone, Debug)]
pub struct KernelReport {
    /// Its name as in the text.
    pub name: Arc<str>,
    /// Whether there is an object.
    pub compiled: bool,
    /// Instructions of its PTX text.
    pub instructions: usize,
    /// Registers per thread.
    pub registers: u16,
    /// Named barriers.
    pub barriers: u8,
    /// Bytes stored to and loaded from spill slots.
    pub spill_bytes: (u32, u32),
    /// Bytes of its stack frame.
    pub frame: u32,
    /// Static shared memory it places itself, in bytes.
    pub shared: u32,
    /// Bytes of code.
    pub code: usize,
    /// Wall time of its task.
    pub wall: Duration,
    /// CPU time of its task.
    pub cpu: Duration,
    /// The most memory its task held at once, in bytes; 0 without a meter.
    pub peak: u64,
}

/// What a compilation gives.
#[derive(Debug)]
pub struct Report {
    /// The cubin; `None` after an error, or if only checks were asked for.
    pub cubin: Option<Vec<u8>>,
    /// What was rendered, units in input order.
    pub dump: String,
    /// What was found, in input order.
    pub diags: Diags,
    /// The texts the diagnostics point into.
    pub sources: SourceMap,
    /// Per kernel, in input order.
    pub kernels: Vec<KernelReport>,
    /// What ran when.
    pub timeline: Timeline,
    /// The architecture, if it could be found out.
    pub target: Option<&'static Target>,
    /// Workers that were allowed to run.
    pub workers: usize,
}

/// Compiles to a cubin.
pub fn compile(request: Request, progress: &mut dyn Progress) -> Report {
    work(request, Depth::Compile, progress)
}

/// Parses everything and lists what is unsupported.
pub fn check(request: Request, progress: &mut dyn Progress) -> Report {
    work(request, Depth::Check, progress)
}

fn work(mut request: Request, depth: Depth, progress: &mut dyn Progress) -> Report {
    let mut report = Report {
        cubin: None,
        dump: String::new(),
        diags: Diags::with_policy(request.policy),
        sources: SourceMap::new(),
        kernels: Vec::new(),
        timeline: Timeline::new(),
        target: None,
        workers: 0,
    };
    register(std::mem::take(&mut request.inputs), &mut report);
    let Report { sources, diags, timeline, .. } = &mut report;
    let Some(plan) = timeline.main_phase("outline", || plan::plan(sources, &request.selection, diags)) else {
        return report;
    };
    report.target = Some(plan.target);
    if depth == Depth::Compile && plan.target.native.is_none() {
        let message = format!("no native code for {} yet", plan.target.name);
        report.diags.push(Diagnostic::error(codes::E0023, message));
    }
    // Wrong outlines may have hidden kernels: their bodies are still read for errors, but nothing is compiled.
    let depth = if report.diags.has_errors() { Depth::Check } else { depth };
    let mut objects = match depth {
        Depth::Compile => variables(&plan, &mut report.diags),
        Depth::Check => Vec::new(),
    };
    objects.extend(run_units(&request, &plan, depth, progress, &mut report));
    if depth == Depth::Compile && !report.diags.has_errors() {
        let Report { diags, timeline, .. } = &mut report;
        report.cubin = timeline.main_phase("finalize", || finalize(&objects, &plan, &request.codegen, diags));
    }
    report
}

/// Puts the texts into the source map.
fn register(inputs: Vec<Input>, report: &mut Report) {
    for input in inputs {
        match input.content {
            Content::Text(text) => {
                if let Err(error) = report.sources.add(input.name, text) {
                    report.diags.push(Diagnostic::fatal(codes::E0004, error.to_string()));
                }
            }
            Content::Elf(_) => {
                let message = format!("'{}' is a cubin, not a PTX module", input.name);
                report.diags.push(Diagnostic::fatal(codes::E0005, message));
            }
        }
    }
}

/// One object per module with the variables that the host may ask for, whether a kernel uses them or not.
fn variables(plan: &Plan, diags: &mut Diags) -> Vec<UnitObject> {
    let mut objects = Vec::new();
    for (index, module) in plan.modules.iter().enumerate() {
        match raddle_lower::visible(&module.text, &module.outline) {
            Ok(data) if data.is_empty() => {}
            Ok(data) => {
                let mut object = UnitObject { module: index as u32, ..UnitObject::default() };
                raddle_codegen::add_data(&mut object, &data);
                objects.push(object);
            }
            Err(refused) => diags.extend(refused.into_iter().map(|item| {
                let at = Span::point(module.file, item.offset as u32);
                Diagnostic::error(codes::E0033, format!("variable '{}'", item.name)).at(at, item.why)
            })),
        }
    }
    objects
}

/// Runs every unit on the pool and takes the results in input order.
fn run_units(
    request: &Request,
    plan: &Plan,
    depth: Depth,
    progress: &mut dyn Progress,
    report: &mut Report,
) -> Vec<UnitObject> {
    let first_failed = AtomicUsize::new(usize::MAX);
    let config = Config {
        workers: request.run.jobs,
        chaos: request.run.chaos,
        cancel: request.run.cancel.clone(),
        jobserver: request.run.jobserver.clone(),
        ..Config::default()
    };
    report.workers = config.workers_for(plan.units.len());
    let strings: Vec<DebugStrings> = match request.codegen.lineinfo {
        true => plan.modules.iter().map(|m| DebugStrings::of(&m.text, &m.outline)).collect(),
        false => Vec::new(),
    };
    let shared = Shared {
        sources: &report.sources,
        modules: &plan.modules,
        strings: &strings,
        target: plan.target,
        options: &request.codegen,
        dump: &request.dump,
        depth,
        policy: request.policy,
        first_failed: &first_failed,
        keep_going: request.run.keep_going,
        fault: request.run.fault.as_ref(),
        meter: request.run.meter,
    };
    progress.planned(plan.units.len());
    let results = run_all(
        &config,
        &plan.units,
        |unit| unit.cost,
        |unit| Arc::clone(&unit.name),
        |task, index, unit| unit::compile(&shared, index, unit, task),
        |finished| {
            let bad = failed(finished);
            if bad {
                first_failed.fetch_min(finished.id.0, Ordering::Relaxed);
            }
            progress.ended(&finished.name, bad);
            !config.cancel.is_cancelled()
        },
    );
    let results = results.and_then(|mut results| {
        if depth == Depth::Compile && !request.run.keep_going {
            hide_later_failures(&shared, plan, &config, &mut results)?;
        }
        Ok(results)
    });
    let results = match results {
        Ok(results) => results,
        Err(error) => {
            report.diags.push(Diagnostic::fatal(codes::E0042, format!("no worker could be started: {error}")));
            return Vec::new();
        }
    };
    let mut objects = Vec::new();
    let mut passes: Vec<&'static str> = Vec::new();
    for (unit, finished) in plan.units.iter().zip(results) {
        report.timeline.task(&finished);
        let (wall, cpu) = (finished.wall, finished.cpu);
        let compiled = outcome(plan, unit, finished, request.run.cancel.is_cancelled());
        if unit.kernel {
            report.kernels.push(slot(unit, &compiled, wall, cpu));
        }
        report.diags.append(compiled.diags);
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
        report.diags.push(Diagnostic::fatal(codes::E0048, message).help(format!("these ran: {}", passes.join(", "))));
    }
    objects
}

fn failed(finished: &Finished<Compiled>) -> bool {
    !matches!(&finished.outcome, Outcome::Done(compiled) if !compiled.diags.has_errors())
}

/// Makes what is reported independent of the order of work: units behind the first failure in input order have been
/// checked only, or were compiled because they began before that failure. The latter are checked again, and the check's
/// findings take the place of whatever their compilation gave.
fn hide_later_failures(
    shared: &Shared<'_>,
    plan: &Plan,
    config: &Config,
    results: &mut [Finished<Compiled>],
) -> std::io::Result<()> {
    let Some(first) = results.iter().position(failed) else { return Ok(()) };
    let compiled = |finished: &Finished<Compiled>| match &finished.outcome {
        Outcome::Done(compiled) => compiled.beyond_check,
        Outcome::Panicked(_) => true,
        Outcome::Dropped => false,
    };
    let again: Vec<usize> = (first + 1..results.len()).filter(|&index| compiled(&results[index])).collect();
    let shared = Shared { depth: Depth::Check, ..*shared };
    let checked = run_all(
        config,
        &again,
        |&index| plan.units[index].cost,
        |&index| Arc::clone(&plan.units[index].name),
        |task, _, &index| unit::compile(&shared, index, &plan.units[index], task),
        |_| !config.cancel.is_cancelled(),
    )?;
    for (index, finished) in again.into_iter().zip(checked) {
        results[index].outcome = finished.outcome;
    }
    Ok(())
}

/// A task's result as a unit's, its end by panic or by being dropped included (POOL-4).
fn outcome(plan: &Plan, unit: &UnitPlan, finished: Finished<Compiled>, cancelled: bool) -> Compiled {
    let diagnostic = match finished.outcome {
        Outcome::Done(compiled) => return compiled,
        Outcome::Panicked(panic) => {
            let place = panic.place.map_or(String::new(), |place| format!(" at {place}"));
            Diagnostic::error(codes::E0040, format!("the compiler panicked{place}: {}", panic.message))
                .help("this is a defect of Raddle: please report it with the kernel")
        }
        Outcome::Dropped if cancelled => Diagnostic::error(codes::E0043, "cancelled"),
        Outcome::Dropped => Diagnostic::error(codes::E0042, "no worker could be started"),
    };
    let mut compiled = Compiled::default();
    let span = name_span(&plan.modules[unit.module], unit.func);
    compiled.diags.push(diagnostic.at(span, "").in_function(&*unit.name));
    compiled
}

fn slot(unit: &UnitPlan, compiled: &Compiled, wall: Duration, cpu: Duration) -> KernelReport {
    let function = compiled.object.as_ref().and_then(|object| object.functions.first());
    KernelReport {
        name: Arc::clone(&unit.name),
        compiled: function.is_some(),
        instructions: compiled.instructions,
        registers: function.map_or(0, |f| f.registers),
        barriers: function.map_or(0, |f| f.barriers),
        spill_bytes: function.map_or((0, 0), |f| f.spill_bytes),
        frame: function.map_or(0, |f| f.frame_size),
        shared: function.map_or(0, |f| f.shared.size),
        code: function.map_or(0, |f| f.code.len()),
        wall,
        cpu,
        peak: compiled.peak,
    }
}

/// Links the units into the executable.
fn finalize(objects: &[UnitObject], plan: &Plan, codegen: &CodegenOptions, diags: &mut Diags) -> Option<Vec<u8>> {
    let mut options = raddle_link::FinalizeOptions::new(plan.target);
    options.virtual_sm = plan.modules.first().and_then(|module| module.outline.target).map(|target| target.sm);
    options.debug = if codegen.lineinfo { raddle_link::Debug::Lines } else { raddle_link::Debug::None };
    match raddle_link::finalize(objects, &options) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            use raddle_link::LinkError as L;
            let code = match error {
                L::TooMuch { .. } => codes::E0031,
                L::Target(_) => codes::E0023,
                L::Duplicate { .. } | L::Undefined { .. } => codes::E0045,
                _ => codes::E0041,
            };
            diags.push(Diagnostic::fatal(code, error.to_string()));
            None
        }
    }
}
