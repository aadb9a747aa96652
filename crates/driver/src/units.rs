//! The loop over units: device functions, then kernels, on the pool; results in input order (DRV-14, 23; POOL-4).
//!
//! Device functions come first: their bodies are read once, for their errors and for all kernels that call them.
//!
//! **Invariant.** What is reported does not depend on the order in which units end, nor on how many ran at once.

use crate::codes;
use crate::compile::{KernelReport, Progress, Report, Request};
use crate::functions;
use crate::history::{History, Took};
use crate::key;
use crate::mode::Mode;
use crate::options::RunOptions;
use crate::plan::{BATCH, Plan, UnitPlan, name_span};
use crate::reproduce;
use crate::slots;
use crate::unit::{self, Compiled, Depth, Dump, Shared};
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Diags, SourceMap};
use raddle_jobs::memory::Budget;
use raddle_jobs::pool::{Need, Ran, run_in_parts};
use raddle_jobs::server::Server;
use raddle_jobs::{Config, Event, Finished, Outcome, Running, restart};
use raddle_ptx::DebugStrings;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a unit gets at least to stop once its time is over.
const PATIENCE: Duration = Duration::from_millis(500);

/// A unit with its number in the plan.
#[derive(Clone, Copy)]
struct Numbered<'a> {
    index: usize,
    unit: &'a UnitPlan,
}

/// How many units may run at once, and who says so.
pub(crate) fn workers(run: &RunOptions, units: usize) -> (usize, String) {
    let cpus = raddle_jobs::cpus::available();
    let by = run.jobs_by.name();
    let (asked, why) = match run.jobs {
        0 => (cpus, "the CPUs available".to_owned()),
        // Disorder is the point: more workers than CPUs bring more of it.
        jobs if jobs <= cpus || run.chaos.is_some() => (jobs, by.to_owned()),
        jobs => (cpus, format!("the CPUs available, fewer than {by} says ({jobs})")),
    };
    if units < asked { (units.max(1), "the number of units".to_owned()) } else { (asked, why) }
}

/// A server for the tools that kernels are given to, if they are given to any and there is a slot to lend.
pub(crate) fn server(request: &Request, slots: usize) -> Option<Arc<Server>> {
    request.fallback.as_ref().filter(|_| slots > 1)?;
    // Without one tools work on one thread, as they do for others.
    Server::new(request.run.jobserver_style, slots).ok().map(Arc::new)
}

/// Runs every unit, with `whole` the functions that turn out to be needed as well, and takes the results in input order. Gives the objects.
pub(crate) fn run(
    request: &Request,
    plan: &mut Plan,
    (depth, whole): (Depth, bool),
    variables: &[UnitObject],
    progress: &mut dyn Progress,
    report: &mut Report,
) -> Vec<UnitObject> {
    let history = request.run.history.as_deref().filter(|_| depth == Depth::Compile).map(History::read);
    if let Some(history) = &history {
        report.timeline.main_phase("history", || history.apply(plan, &request.codegen));
    }
    let first_failed = AtomicUsize::new(usize::MAX);
    let strings: Vec<DebugStrings> = match request.codegen.lineinfo {
        true => plan.modules.iter().map(|module| DebugStrings::of(&module.text, &module.outline)).collect(),
        false => Vec::new(),
    };
    let run = &request.run;
    (report.workers, report.workers_by) = workers(run, plan.units.len());
    let (most, _) = workers(run, usize::MAX);
    let server = server(request, most);
    let config = Config {
        workers: report.workers,
        chaos: run.chaos,
        cancel: run.cancel.clone(),
        jobserver: run.jobserver.clone(),
        time_limit: run.kernel_timeout,
        tick: run.tick,
        batch: if run.chaos.is_some() { 0 } else { BATCH },
        fine: run.fine,
        on_step: run.on_step,
        memory: Budget::new(run.max_memory).map(Arc::new),
        server: server.clone(),
        slots: most,
        ..Config::default()
    };
    report.memory = config.memory.clone();
    progress.planned(plan.units.len(), plan.units.iter().map(|unit| unit.cost).sum());
    ask(progress, &config);
    let mut results: Vec<Option<Finished<Compiled>>> = plan.units.iter().map(|_| None).collect();
    if request.keys || run.cache.is_some() {
        // Once for all, and on nobody's account.
        key::build_id();
    }
    let begun = Instant::now();
    let mut tokens = Vec::new();
    let mut samples = Vec::new();
    let objects = raddle_ir::CodegenOptions { relocatable: true, ..request.codegen.clone() };
    let mut next: Vec<usize> = (0..plan.units.len()).filter(|&index| !plan.units[index].kernel).collect();
    let mut bodies_read = false;
    while !next.is_empty() || !bodies_read {
        let shared = shared(request, &objects, plan, &report.sources, &strings, depth, &first_failed, server.as_ref());
        let ran = match part(&shared, &plan.units, &next, &config, progress) {
            Ok(ran) => ran,
            Err(error) => {
                report.diags.push(Diagnostic::fatal(codes::E0042, format!("no worker could be started: {error}")));
                return Vec::new();
            }
        };
        report.workers_started = report.workers_started.max(ran.workers);
        tokens.extend(ran.tokens);
        samples.extend(ran.samples);
        report.held_back += ran.held_back;
        for (index, mut finished) in next.into_iter().zip(ran.finished) {
            if let Outcome::Done(compiled) = &mut finished.outcome
                && let Some(body) = compiled.body.take()
            {
                let unit = &plan.units[index];
                plan.modules[unit.module].bodies.insert(unit.func, body);
            }
            results[index] = Some(finished);
        }
        next = Vec::new();
        if !std::mem::replace(&mut bodies_read, true) {
            functions::decide(plan, request, &mut report.diags);
            let more = match &request.selection.function {
                Some(name) => functions::selected(plan, name),
                None if all_functions(request) && whole && request.mode != Mode::Extensible => functions::shown(plan),
                None => Vec::new(),
            };
            plan.units.extend(more);
            next = (0..plan.units.len()).filter(|&index| plan.units[index].kernel).collect();
        }
        // A module without kernels may have variables that name functions.
        if next.is_empty() && whole && (plan.linked || request.codegen.relocatable) {
            let before = plan.units.len();
            let compiled = results.iter().flatten().filter_map(|finished| match &finished.outcome {
                Outcome::Done(compiled) => compiled.object.as_ref(),
                _ => None,
            });
            let made: Vec<&UnitObject> = variables.iter().chain(compiled).collect();
            let needed = functions::needed(plan, &made);
            plan.units.extend(needed);
            next = (before..plan.units.len()).collect();
        }
        results.resize_with(plan.units.len(), || None);
    }
    report.span = begun.elapsed();
    let mut results: Vec<Finished<Compiled>> = results.into_iter().flatten().collect();
    if depth == Depth::Compile && !run.keep_going {
        let shared = shared(request, &objects, plan, &report.sources, &strings, Depth::Check, &first_failed, None);
        hide_later_failures(&shared, plan, &config, &mut results);
    }
    if let Some(history) = history {
        let took: Vec<Option<Took>> = results.iter().map(took).collect();
        // A history that cannot be written costs a little time in the next build.
        let _ = report.timeline.main_phase("history", || history.learn(plan, &request.codegen, &took));
    }
    report.diags.extend(run.jobserver.as_ref().and_then(|client| slots::trouble(client, run.jobserver_required)));
    report.timeline.load(&samples, &tokens);
    report.tokens = tokens;
    collect(request, plan, results, report)
}

/// Are functions that others may call compiled though no kernel calls them?
fn all_functions(request: &Request) -> bool {
    request.codegen.relocatable || request.codegen.debug
}

/// What the units of a part see.
#[expect(clippy::too_many_arguments, reason = "what a run has found out so far")]
fn shared<'a>(
    request: &'a Request,
    objects: &'a raddle_ir::CodegenOptions,
    plan: &'a Plan,
    sources: &'a SourceMap,
    strings: &'a [DebugStrings],
    depth: Depth,
    first_failed: &'a AtomicUsize,
    server: Option<&'a Arc<Server>>,
) -> Shared<'a> {
    Shared {
        sources,
        modules: &plan.modules,
        strings,
        target: plan.target,
        options: &request.codegen,
        object_options: objects,
        dump: &request.dump,
        depth,
        policy: request.policy,
        first_failed,
        keep_going: request.run.keep_going,
        steps: request.run.kernel_steps,
        isolated: &request.run.isolated,
        fault: request.run.fault.as_ref(),
        fallback: request.fallback.as_ref(),
        server,
        meter: request.run.meter,
        keys: request.keys || request.run.cache.is_some(),
        cache: request.run.cache.as_deref(),
        warn_on_doubles: request.warn_on.double_precision,
    }
}

/// Runs some of the units.
fn part(
    shared: &Shared<'_>,
    units: &[UnitPlan],
    numbers: &[usize],
    config: &Config,
    progress: &mut dyn Progress,
) -> std::io::Result<Ran<Compiled>> {
    let part: Vec<Numbered<'_>> = numbers.iter().map(|&index| Numbered { index, unit: &units[index] }).collect();
    let watch = |event: Event<'_, Compiled>| match event {
        Event::Ended(finished) => {
            let Numbered { index, unit } = part[finished.id.0];
            let bad = failed(finished);
            if bad {
                shared.first_failed.fetch_min(index, Ordering::Relaxed);
            }
            progress.ended(unit, finished.wall, bad);
            ask(progress, config)
        }
        Event::Tick(running) => {
            abandon(running, &part, config);
            progress.running(running);
            ask(progress, config)
        }
    };
    run_in_parts(
        config,
        &part,
        |it| need(it.unit),
        |it| Arc::clone(&it.unit.name),
        |task, _, it| unit::compile(shared, it.index, it.unit, task),
        watch,
    )
}

/// Asks whether to end early, tells all tasks if so, and gives whether to go on.
fn ask(progress: &mut dyn Progress, config: &Config) -> bool {
    if progress.is_cancelled() {
        config.cancel.cancel();
    }
    !config.cancel.is_cancelled()
}

/// Starts the program again without the first unit that neither ended nor stopped when its time was over.
fn abandon(running: &[Arc<Running>], part: &[Numbered<'_>], config: &Config) {
    let Some(limit) = config.time_limit else { return };
    let patience = limit + (limit / 2).max(PATIENCE);
    if let Some(stuck) = running.iter().find(|task| task.started.elapsed() > patience)
        && let Ok(unit) = u32::try_from(part[stuck.id.0].index)
    {
        restart::abandon(unit);
    }
}

/// What a history is told of a unit; nothing of one that was not compiled here.
fn took(finished: &Finished<Compiled>) -> Option<Took> {
    let Outcome::Done(compiled) = &finished.outcome else { return None };
    let made = compiled.object.is_some() && !compiled.cached;
    made.then_some(Took { cpu: finished.cpu + compiled.tool_cpu, peak: compiled.peak })
}

fn need(unit: &UnitPlan) -> Need {
    Need { cost: unit.cost, bytes: unit.bytes }
}

fn failed(finished: &Finished<Compiled>) -> bool {
    !matches!(&finished.outcome, Outcome::Done(compiled) if !compiled.diags.has_errors())
}

/// Makes what is reported independent of the order of work: units behind the first failure in input order have been
/// checked only, or were compiled because they began before that failure. The latter are checked again, and the check's
/// findings take the place of whatever their compilation gave.
fn hide_later_failures(shared: &Shared<'_>, plan: &Plan, config: &Config, results: &mut [Finished<Compiled>]) {
    let Some(first) = results.iter().position(failed) else { return };
    let compiled = |finished: &Finished<Compiled>| match &finished.outcome {
        Outcome::Done(compiled) => compiled.beyond_check,
        Outcome::Panicked(_) => true,
        Outcome::Dropped => false,
    };
    let again: Vec<Numbered<'_>> = (first + 1..results.len())
        .filter(|&index| compiled(&results[index]))
        .map(|index| Numbered { index, unit: &plan.units[index] })
        .collect();
    let checked = run_in_parts(
        config,
        &again,
        |it| need(it.unit),
        |it| Arc::clone(&it.unit.name),
        |task, _, it| unit::compile(shared, it.index, it.unit, task),
        |_| !config.cancel.is_cancelled(),
    );
    // Without a pool there was no first round either.
    for (it, finished) in again.iter().zip(checked.into_iter().flat_map(|ran| ran.finished)) {
        results[it.index].outcome = finished.outcome;
    }
}

/// Puts the results into the report, in input order, and gives the objects.
fn collect(request: &Request, plan: &Plan, results: Vec<Finished<Compiled>>, report: &mut Report) -> Vec<UnitObject> {
    let mut objects = Vec::new();
    let mut passes: Vec<&'static str> = Vec::new();
    let mut dropped = false;
    for (unit, finished) in plan.units.iter().zip(results) {
        // Why nothing was begun is said once, with the first kernel that was not.
        let again = matches!(finished.outcome, Outcome::Dropped) && std::mem::replace(&mut dropped, true);
        let slot = slot(unit, &finished);
        let facts = slot.as_ref().map_or(Vec::new(), |slot| slot.facts());
        report.timeline.task(&finished, &facts);
        let asked_for = slot.as_ref().map_or(Vec::new(), |slot| asked_for(request, plan, unit, slot));
        if unit.function { &mut report.functions } else { &mut report.kernels }.extend(slot);
        let mut compiled = outcome(request, plan, unit, finished);
        if again {
            compiled.diags = Diags::new();
        }
        if compiled.diags.has_errors() {
            reproduce::advise(request, plan, unit, &mut compiled, &report.sources);
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
        report.diags.push(Diagnostic::fatal(codes::E0048, message).help(format!("these ran: {}", passes.join(", "))));
    }
    objects
}

/// The warnings on demand about a compiled unit.
fn asked_for(request: &Request, plan: &Plan, unit: &UnitPlan, slot: &KernelReport) -> Vec<Diagnostic> {
    let KernelReport { name, frame, spill_bytes: (stores, loads), .. } = slot;
    let mut out = Vec::new();
    if request.warn_on.local_memory && *frame > 0 {
        out.push(format!("local memory is used in '{name}': a stack frame of {frame} bytes"));
    }
    if request.warn_on.spills && stores + loads > 0 {
        out.push(format!("registers are spilled in '{name}': {stores} bytes of stores, {loads} bytes of loads"));
    }
    let at = name_span(&plan.modules[unit.module], unit.func);
    let warning = |message| Diagnostic::warning(codes::E0087, message).at(at, "").in_function(&**name);
    out.into_iter().map(warning).collect()
}

/// A task's result as a unit's, its end by panic or by being dropped included.
fn outcome(request: &Request, plan: &Plan, unit: &UnitPlan, finished: Finished<Compiled>) -> Compiled {
    let diagnostic = match finished.outcome {
        Outcome::Done(compiled) => return compiled,
        Outcome::Panicked(panic) => {
            let place = panic.place.map_or(String::new(), |place| format!(" at {place}"));
            let step = finished.during.unwrap_or("no step");
            Diagnostic::error(codes::E0040, format!("the compiler panicked in {step}{place}: {}", panic.message))
                .help("this is a defect of Raddle: please report it with the kernel")
        }
        Outcome::Dropped if request.run.cancel.is_cancelled() => Diagnostic::error(codes::E0043, "cancelled"),
        Outcome::Dropped => Diagnostic::error(codes::E0042, "no worker could be started"),
    };
    let mut compiled = Compiled::default();
    let span = name_span(&plan.modules[unit.module], unit.func);
    compiled.diags.push(diagnostic.at(span, "").in_function(&*unit.name));
    compiled
}

/// What is known of a kernel, or of a function that stays one; `None` where a body was only read.
fn slot(unit: &UnitPlan, finished: &Finished<Compiled>) -> Option<KernelReport> {
    if !unit.kernel {
        return None;
    }
    let compiled = match &finished.outcome {
        Outcome::Done(compiled) => Some(compiled),
        _ => None,
    };
    let function = compiled.and_then(|compiled| compiled.object.as_ref()?.functions.first());
    Some(KernelReport {
        name: Arc::clone(&unit.name),
        function: unit.function,
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
        wall: finished.wall,
        cpu: finished.cpu,
        peak: compiled.map_or(0, |compiled| compiled.peak),
        kept: compiled.map_or(0, |compiled| compiled.kept),
        fallback: compiled.is_some_and(|compiled| compiled.fallback),
        unverified: compiled.filter(|it| !it.fallback).map_or(Vec::new(), |it| it.unverified.clone()),
    })
}
