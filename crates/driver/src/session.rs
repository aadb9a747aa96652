//! Runs the units on the pool: bodies of device functions, then kernels, then functions that turn
//! out to be needed (DRV-23). A panic is an error of its unit alone (POOL-4).
//!
//! ```text
//! read bodies ─► decide what is not inlined ─► kernels
//!   ─► functions that objects refer to, until none is missing ─► collect
//! ```
//!
//! Bodies come first: they are read once, for their errors and for all kernels that inline them.
//!
//! **Invariant.** Diagnostics do not depend on the order in which units end, nor on the number of
//! units at once.

use crate::codes;
use crate::collect::{self, failed};
use crate::key;
use crate::known::KnownKeys;
use crate::options::CodegenOptions;
use crate::program::history::{History, Lesson, Names, RecordedCost};
use crate::program::{BATCH, Program, Unit, functions};
use crate::progress::Progress;
use crate::remote::Remote;
use crate::report::Report;
use crate::request::{Output, Request};
use crate::slots;
use crate::unit;
use crate::unit::context::{Context, Services, Settings, Texts};
use crate::unit::result::Compiled;
use crate::workers;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, SourceMap};
use raddle_jobs::pool::{ExpectedUse, Ran, run_in_parts};
use raddle_jobs::timeline::Sample;
use raddle_jobs::tokens::Holding;
use raddle_jobs::{Config, Event, Finished, Outcome, Running, restart};
use raddle_ptx::DebugStrings;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

/// The least time that a unit gets to stop after its time limit.
const PATIENCE: Duration = Duration::from_millis(500);

/// The results of a program's units.
pub(crate) struct Results {
    /// The objects, in input order.
    pub objects: Vec<UnitObject>,
    /// The kind of output: an executable may turn out to need a linker of objects.
    pub output: Output,
    /// What is to be recorded about the units' costs.
    pub lesson: Option<Lesson>,
}

/// The estimated cost of a unit whose object is in the cache, in about microseconds: to read it.
const KNOWN: u64 = 50;

/// A unit with its number in the program.
#[derive(Clone, Copy)]
struct Numbered<'a> {
    index: usize,
    unit: &'a Unit,
    /// Whether an earlier build knows its key, so that its object is probably in the cache.
    known: bool,
}

/// Runs every unit, and functions that turn out to be needed, and collects the results in input
/// order.
pub(crate) fn run(
    request: &Request,
    program: &mut Program,
    checks_only: bool,
    variables: &[UnitObject],
    progress: &mut dyn Progress,
    report: &mut Report,
) -> Results {
    let history = request.run.history.as_deref().filter(|_| !checks_only).map(History::read);
    let mut names = Names::default();
    if let Some(history) = &history {
        report.timeline.main_phase("history", || {
            names.extend(program, &request.codegen);
            history.apply(program, &names);
        });
    }
    (report.workers, report.workers_source) = workers::number(&request.run, program.units.len());
    let mut session = Session::new(request, program, checks_only, report.workers);
    report.memory = session.config.memory.clone();
    progress.planned(program.units.len(), program.units.iter().map(|unit| unit.cost).sum());
    ask(progress, &session.config);
    if wants_keys(request) {
        // Computed once, and not as part of a unit's time.
        key::build_id();
    }
    let begun = Instant::now();
    let output = match session.all(program, variables, progress, report) {
        Ok(output) => output,
        Err(error) => {
            report.diags.push(Diagnostic::fatal(codes::E0042, format!("no worker could be started: {error}")));
            return Results { objects: Vec::new(), output: request.output, lesson: None };
        }
    };
    report.span = begun.elapsed();
    report.remote = session.remote.as_ref().map(|remote| remote.used());
    let results = session.finished(program, &report.sources);
    session.keep_keys(&results);
    let lesson = history.map(|history| {
        names.extend(program, &request.codegen);
        Lesson { history, names, costs: results.iter().map(cost_to_record).collect() }
    });
    let client = request.run.jobserver.as_ref();
    let trouble = client.and_then(|client| slots::trouble(client, request.run.jobserver_required));
    report.is_about_this_run |= trouble.is_some();
    report.diags.extend(trouble);
    report.timeline.load(&session.samples, &session.tokens);
    report.tokens.extend(session.tokens);
    Results { objects: collect::run(request, program, results, report), output, lesson }
}

/// A run of all units.
struct Session<'a> {
    request: &'a Request,
    checks_only: bool,
    /// Code generation options for a linker of objects.
    relocatable: CodegenOptions,
    strings: Vec<DebugStrings>,
    first_failed: AtomicUsize,
    config: Config,
    /// Keys of kernels by their texts.
    known: Option<KnownKeys>,
    /// The engine that compiles units elsewhere.
    remote: Option<Arc<Remote>>,
    /// The results of the units.
    results: Vec<Option<Finished<Compiled>>>,
    tokens: Vec<Holding>,
    samples: Vec<Sample>,
}

impl<'a> Session<'a> {
    fn new(request: &'a Request, program: &Program, checks_only: bool, workers: usize) -> Session<'a> {
        let run = &request.run;
        let engine = run.engine.clone().filter(|_| !checks_only);
        let remote = engine.map(|engine| Remote::new(engine, run.remote));
        let config = Config {
            suspends: remote.is_some(),
            chaos: run.chaos,
            tick: run.tick,
            batch: if run.chaos.is_some() { 0 } else { BATCH },
            fine: run.fine,
            ..workers::config(request, workers)
        };
        let strings = match request.codegen.lineinfo {
            true => program.modules.iter().map(|module| DebugStrings::of(&module.text, &module.outline)).collect(),
            false => Vec::new(),
        };
        Session {
            request,
            checks_only,
            relocatable: CodegenOptions { relocatable: true, ..request.codegen.clone() },
            strings,
            first_failed: AtomicUsize::new(usize::MAX),
            config,
            known: None,
            remote,
            results: program.units.iter().map(|_| None).collect(),
            tokens: Vec::new(),
            samples: Vec::new(),
        }
    }

    /// Runs the units of a program and the functions that they turn out to need.
    fn all(
        &mut self,
        program: &mut Program,
        variables: &[UnitObject],
        progress: &mut dyn Progress,
        report: &mut Report,
    ) -> std::io::Result<Output> {
        let request = self.request;
        let bodies = numbers(program, |unit| !unit.makes_object());
        self.part(program, bodies, progress, report)?;
        let Report { timeline, diags, .. } = &mut *report;
        let decide = || functions::decide(program, request.output, &request.codegen, diags);
        let linked = timeline.main_phase("functions", decide);
        let output = match request.output {
            Output::Executable if linked => Output::LinkedExecutable,
            output => output,
        };
        self.known = timeline.main_phase("keys", || self.known_keys(program));
        program.units.extend(match &request.selection.function {
            Some(name) => functions::selected(program, name),
            None if exports_functions(request) => functions::exported(program),
            None => Vec::new(),
        });
        self.part(program, numbers(program, Unit::makes_object), progress, report)?;
        // A single unit needs no others. Variables may refer to functions even in a module without
        // kernels.
        while output.is_linked() && !output.is_unit() {
            let before = program.units.len();
            let compiled = self.results.iter().flatten().filter_map(|finished| match &finished.outcome {
                Outcome::Done(compiled) => compiled.object.as_ref(),
                _ => None,
            });
            let made: Vec<&UnitObject> = variables.iter().chain(compiled).collect();
            let needed = report.timeline.main_phase("functions", || functions::needed(program, &made));
            if needed.is_empty() {
                break;
            }
            program.units.extend(needed);
            self.part(program, (before..program.units.len()).collect(), progress, report)?;
        }
        Ok(output)
    }

    /// Runs some of the units.
    fn part(
        &mut self,
        program: &mut Program,
        numbers: Vec<usize>,
        progress: &mut dyn Progress,
        report: &mut Report,
    ) -> std::io::Result<()> {
        self.results.resize_with(program.units.len(), || None);
        let cx = self.context(program, &report.sources, self.checks_only);
        let ran = run_units(&cx, &program.units, &numbers, &self.config, progress)?;
        report.workers_started = report.workers_started.max(ran.workers);
        report.held_back += ran.held_back;
        report.suspended += ran.suspended;
        self.tokens.extend(ran.tokens);
        self.samples.extend(ran.samples);
        for (index, mut finished) in numbers.into_iter().zip(ran.finished) {
            if let Outcome::Done(compiled) = &mut finished.outcome
                && let Some(body) = compiled.body.take()
            {
                let unit = &program.units[index];
                program.modules[unit.module].bodies.insert(unit.func, body);
            }
            self.results[index] = Some(finished);
        }
        Ok(())
    }

    /// What earlier builds know of the kernels.
    fn known_keys(&self, program: &Program) -> Option<KnownKeys> {
        if self.checks_only { None } else { KnownKeys::read(self.request, program) }
    }

    /// Keeps what this build knows of them.
    fn keep_keys(&self, results: &[Finished<Compiled>]) {
        let known = results.iter().filter_map(|finished| match &finished.outcome {
            Outcome::Done(compiled) => compiled.known(),
            _ => None,
        });
        if let Some(keys) = &self.known {
            keys.keep(known);
        }
    }

    /// The results, independent of the order of work.
    fn finished(&mut self, program: &Program, sources: &SourceMap) -> Vec<Finished<Compiled>> {
        let mut results: Vec<_> = std::mem::take(&mut self.results).into_iter().flatten().collect();
        if !self.checks_only && !self.request.run.keep_going {
            let cx = self.context(program, sources, true);
            check_again(&cx, program, &self.config, &mut results);
        }
        results
    }

    /// The context that all units share.
    fn context<'c>(&'c self, program: &'c Program, sources: &'c SourceMap, checks_only: bool) -> Context<'c> {
        let (request, run) = (self.request, &self.request.run);
        Context {
            texts: Texts { sources, modules: &program.modules, strings: &self.strings, target: program.target },
            settings: Settings {
                codegen: &request.codegen,
                relocatable: &self.relocatable,
                dump: &request.dump,
                checks_only,
                policy: request.policy,
                keep_going: run.keep_going,
                steps: run.kernel_steps,
                time_limit: run.kernel_timeout,
                isolated: &run.isolated,
                fault: run.fault.as_ref(),
                keys: wants_keys(request),
                warn_on: request.warn_on,
            },
            services: Services {
                first_failed: &self.first_failed,
                fallback: request.fallback.as_ref(),
                worker: run.worker.as_deref(),
                server: self.config.server.as_ref(),
                meter: run.meter,
                cache: run.cache.as_deref(),
                known: self.known.as_ref(),
                early: run.early.as_deref(),
                emit: run.emit.as_deref(),
                remote: self.remote.as_ref(),
            },
        }
    }
}

/// Whether the keys of units are needed.
fn wants_keys(request: &Request) -> bool {
    let run = &request.run;
    request.keys || run.cache.is_some() || run.early.is_some() || run.emit.is_some()
}

/// The numbers of selected units.
fn numbers(program: &Program, wanted: impl Fn(&Unit) -> bool) -> Vec<usize> {
    (0..program.units.len()).filter(|&index| wanted(&program.units[index])).collect()
}

/// Whether functions that other objects may call are compiled even without a caller. With `-g`
/// executables contain them, too.
fn exports_functions(request: &Request) -> bool {
    let (output, debug) = (request.output, request.codegen.debug);
    !output.is_unit() && (output.exports_functions() || debug && !output.is_relocatable())
}

/// Runs units on the pool.
fn run_units(
    cx: &Context<'_>,
    units: &[Unit],
    numbers: &[usize],
    config: &Config,
    progress: &mut dyn Progress,
) -> std::io::Result<Ran<Compiled>> {
    let numbered = |&index: &usize| Numbered { index, unit: &units[index], known: is_known(cx, &units[index]) };
    let part: Vec<Numbered<'_>> = numbers.iter().map(numbered).collect();
    let watch = |event: Event<'_, Compiled>| match event {
        Event::Ended(finished) => {
            let Numbered { index, unit, .. } = part[finished.id.0];
            let bad = failed(finished);
            if bad {
                cx.has_failed(index);
            }
            progress.ended(unit, finished.wall, bad);
            ask(progress, config)
        }
        Event::Tick(running) => {
            abandon(running, &part, config);
            if let Some(remote) = cx.services.remote {
                progress.elsewhere(remote.under_way());
            }
            progress.running(running);
            ask(progress, config)
        }
    };
    run_in_parts(
        config,
        &part,
        need,
        |it| Arc::clone(&it.unit.name),
        |task, _, it| unit::compile(cx, it.index, it.unit, task),
        watch,
    )
}

/// Polls for cancellation, cancels all tasks if requested, and returns whether to continue.
fn ask(progress: &mut dyn Progress, config: &Config) -> bool {
    if progress.is_cancelled() {
        config.cancel.cancel();
    }
    !config.cancel.is_cancelled()
}

/// Restarts the program without the first unit that did not stop after its time limit.
fn abandon(running: &[Arc<Running>], part: &[Numbered<'_>], config: &Config) {
    let Some(limit) = config.time_limit else { return };
    let patience = limit + (limit / 2).max(PATIENCE);
    if let Some(stuck) = running.iter().find(|task| task.started.elapsed() > patience)
        && let Ok(unit) = u32::try_from(part[stuck.id.0].index)
    {
        restart::abandon(unit);
    }
}

/// The cost of a unit to record; none for a unit that was not compiled in this run.
fn cost_to_record(finished: &Finished<Compiled>) -> Option<RecordedCost> {
    let Outcome::Done(compiled) = &finished.outcome else { return None };
    let made = compiled.object.is_some() && !compiled.cached;
    // Of a unit that was made elsewhere, what its process has measured.
    let elsewhere = compiled.remote.as_ref().is_some_and(|run| run.outcome.is_remote());
    let here = if elsewhere { Duration::ZERO } else { finished.cpu };
    let cost = RecordedCost { cpu: here + compiled.other_cpu, peak: compiled.peak };
    (made && !cost.cpu.is_zero()).then_some(cost)
}

fn need(it: &Numbered<'_>) -> ExpectedUse {
    let cost = if it.known { it.unit.cost.min(KNOWN) } else { it.unit.cost };
    ExpectedUse { priority: 0, cost, bytes: it.unit.bytes }
}

/// Whether an earlier build knows the key of a unit.
fn is_known(cx: &Context<'_>, unit: &Unit) -> bool {
    cx.services.known.is_some_and(|known| known.has(cx.module(unit), unit))
}

/// Makes diagnostics independent of the order of work. Units after the first failure in input order
/// were either only checked, or compiled because they began before that failure. The latter are
/// checked again, and the findings of the check replace those of their compilation.
fn check_again(cx: &Context<'_>, program: &Program, config: &Config, results: &mut [Finished<Compiled>]) {
    let Some(first) = results.iter().position(failed) else { return };
    let compiled = |finished: &Finished<Compiled>| match &finished.outcome {
        Outcome::Done(compiled) => compiled.beyond_check,
        Outcome::Panicked(_) => true,
        Outcome::Dropped => false,
    };
    let again: Vec<Numbered<'_>> = (first + 1..results.len())
        .filter(|&index| compiled(&results[index]))
        .map(|index| Numbered { index, unit: &program.units[index], known: false })
        .collect();
    let checked = run_in_parts(
        config,
        &again,
        need,
        |it| Arc::clone(&it.unit.name),
        |task, _, it| unit::compile(cx, it.index, it.unit, task),
        |_| !config.cancel.is_cancelled(),
    );
    // Without a pool there was no first round either.
    for (it, finished) in again.iter().zip(checked.into_iter().flat_map(|ran| ran.finished)) {
        results[it.index].outcome = finished.outcome;
    }
}
