//! Compiles one unit, from text to [`UnitObject`].
//!
//! ```text
//! text ─ parse_body ─► tree ─ Cached, Separate, Native (stages.rs) ─► object
//!   └─ crashed a process before: isolated              └─ refused: fallback
//!                        └─ a slot elsewhere is free: remote
//! ```
//!
//! **Invariants.** A unit sees its module's outline and the options that affect the generated code,
//! but nothing of the run. It never prints: diagnostics and dumps are returned as values, in the
//! order of the text.

mod cached;
pub mod context;
mod fallback;
mod findings;
pub mod isolated;
mod native;
mod remote;
pub mod result;
mod separate;
mod stages;
pub mod text;
mod watch;

use crate::codes;
use crate::emitted::{EmittedUnit, UnitFolder};
use crate::key;
use crate::program::Unit;
use crate::ptxas::Fallback;
use context::Context;
use native::Native;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Diags};
use raddle_ir::Stop;
use raddle_jobs::restart::Work;
use raddle_jobs::{Body as Rest, Task, TaskResult};
use remote::{Flight, UnderWay};
use result::Compiled;
use separate::Separate;
use stages::{Cached, Compile, Job, look_up};
use watch::Watch;

/// Whether an object is one that a compilation of this kernel, or function, could give.
pub(crate) fn is_of(object: &UnitObject, name: &str, function: bool) -> bool {
    let [only] = &object.functions[..] else { return false };
    object.symbols.name(only.name) == Some(name) && only.entry.is_none() == function
}

/// Where a unit is compiled.
#[derive(Clone, Copy)]
enum Way<'f> {
    /// Here, or elsewhere.
    Any,
    /// Here.
    Here,
    /// Here, while it is under way elsewhere.
    Against(&'f Flight),
}

/// What has come of a unit.
enum Step {
    /// It has ended, with an object or without.
    Ended(Option<Box<UnitObject>>),
    /// It is compiled elsewhere.
    Elsewhere(UnderWay),
}

/// Compiles unit number `index` as far as the settings require. Errors are in the result. Work for
/// another assembler is queued until its memory is available, and a unit that is compiled elsewhere
/// waits for its object.
pub fn compile<'a>(cx: &'a Context<'a>, index: usize, unit: &'a Unit, task: &mut Task) -> TaskResult<'a, Compiled> {
    let mut compiled = Compiled { diags: Diags::with_policy(cx.settings.policy), ..Compiled::default() };
    let isolated = cx.settings.isolated;
    // A process cannot return the body of a function: it is read here, unless that has crashed.
    let is_apart = if unit.makes_object() { isolated.contains(index) } else { isolated.has_crashed(index) };
    if is_apart {
        cx.reset_meter();
        in_process(cx, index, unit, task, &mut compiled);
        return TaskResult::Done(compiled);
    }
    run(cx, index, unit, task, compiled, Way::Any)
}

/// Compiles a unit that has not crashed a process before.
fn run<'a>(
    cx: &'a Context<'a>,
    index: usize,
    unit: &'a Unit,
    task: &mut Task,
    mut compiled: Compiled,
    way: Way<'_>,
) -> TaskResult<'a, Compiled> {
    cx.reset_meter();
    let _work = u32::try_from(index).ok().map(Work::begin);
    let watch = Watch::new(cx, &unit.name, task.steps());
    let result = read_and_compile(cx, (index, unit), &watch, matches!(way, Way::Any), task, &mut compiled);
    (compiled.dump, compiled.passes) = watch.seen();
    match result {
        Ok(Step::Ended(object)) => compiled.object = object.map(|object| *object),
        Ok(Step::Elsewhere(under_way)) => return remote::wait(cx, index, unit, under_way, compiled),
        Err(Stop::Cancelled) if matches!(way, Way::Against(flight) if flight.has_overtaken()) => {
            return TaskResult::Done(compiled);
        }
        Err(Stop::Cancelled) if task.expired() => {
            let message = format!("given up in {}: time limit exceeded", task.last_step().unwrap_or("no step"));
            let diagnostic = cx.at_name(unit, Diagnostic::error(codes::E0049, message));
            compiled.diags.push(diagnostic.help("raise the limit with --kernel-timeout"));
        }
        Err(stop) => match fallback_of(cx, &stop) {
            Some(tool) => return refused(cx, index, unit, (stop, tool), task, compiled),
            None => findings::explain(stop, cx.module(unit), unit, &mut compiled.diags),
        },
    }
    compiled.peak = cx.peak();
    TaskResult::Done(end(cx, index, compiled))
}

/// Reads a unit and makes its object, or gives it to an engine if it may be compiled `elsewhere`.
fn read_and_compile(
    cx: &Context<'_>,
    (index, unit): (usize, &Unit),
    watch: &Watch<'_>,
    elsewhere: bool,
    task: &mut Task,
    compiled: &mut Compiled,
) -> Result<Step, Stop> {
    if let Some(object) = known(cx, index, unit, task, compiled) {
        return Ok(Step::Ended(Some(Box::new(object))));
    }
    let module = cx.module(unit);
    let mut body = task.phase("parse", |_| {
        raddle_ptx::parse_body(&module.text, module.file, &module.outline, unit.func, &mut compiled.diags)
    });
    body.resolve_aliases(&module.outline);
    compiled.instructions = body.insts.len();
    if cx.settings.warn_on.double_precision && !unit.is_function() {
        compiled.diags.extend(findings::doubles(module, unit, &body, cx.settings.warn_on.each_instruction));
    }
    if !unit.makes_object() {
        compiled.body = Some(body);
        return Ok(Step::Ended(None));
    }
    if compiled.diags.has_errors() {
        return Ok(Step::Ended(None));
    }
    let job = Job { index, unit, body: &body, options: &cx.options_of(unit) };
    if let Some(folder) = cx.services.emit.filter(|_| !cx.settings.checks_only && !cx.is_late(index)) {
        if look_up(cx, &job, task, compiled).is_none() {
            emit(cx, folder, &job, task, compiled);
        }
        return Ok(Step::Ended(None));
    }
    let engine = remote::wanted(cx, index, unit).filter(|_| elsewhere);
    let object = match engine.and_then(|_| look_up(cx, &job, task, compiled)) {
        Some(object) => Some(object),
        None => {
            if let Some(under_way) = engine.and_then(|engine| remote::start(cx, engine, &job, task)) {
                return Ok(Step::Elsewhere(under_way));
            }
            let inner = Separate { cx, inner: Native { cx, watch } };
            let before = compiled.diags.counts();
            let object = Cached { cx, inner }.compile(&job, task, compiled)?;
            compiled.has_remarks = compiled.diags.counts() != before;
            object
        }
    };
    // Only of code made here: another assembler may move the registers.
    let moves = findings::register_moves(&body);
    compiled.diags.extend(findings::fixed_registers(module, unit, moves, object.as_ref()));
    Ok(Step::Ended(object.map(Box::new)))
}

/// Writes a unit to a folder instead of compiling it.
fn emit(cx: &Context<'_>, folder: &UnitFolder, job: &Job<'_>, task: &mut Task, compiled: &mut Compiled) {
    let (unit, target) = (job.unit, cx.texts.target);
    let written = task.phase("write", |_| {
        let request = isolated::Request::of(cx, unit).of_this_version();
        let asked = key::of_request(&request.text, job.options, target, &unit.name, unit.is_function());
        let emitted = EmittedUnit {
            number: job.index,
            name: unit.name.to_string(),
            function: unit.is_function(),
            file: String::new(),
            output: String::new(),
            arguments: request.arguments,
            key: compiled.key.unwrap_or(asked),
            request: asked,
            cost: unit.cost,
        };
        folder.put(emitted, &request.text)
    });
    if let Err(error) = written {
        let message = format!("'{}' cannot be written: {error}", unit.name);
        compiled.diags.push(cx.at_name(unit, Diagnostic::error(codes::E0010, message)));
    }
}

/// Takes the object from the cache without reading the body, if an earlier build knows its key and has
/// found nothing to say about it.
fn known(cx: &Context<'_>, index: usize, unit: &Unit, task: &mut Task, compiled: &mut Compiled) -> Option<UnitObject> {
    let is_new = compiled.key.is_none();
    let keys = cx.services.known.filter(|_| is_new && !cx.settings.checks_only && !cx.is_late(index))?;
    compiled.text = task.phase("key", |_| keys.text(cx.module(unit), unit));
    let known = keys.get(&compiled.text?)?;
    (compiled.key, compiled.instructions) = (Some(known.key), known.instructions as usize);
    let object = cached::get(cx, unit, compiled, None, task)?;
    compiled.cached = true;
    Some(object)
}

/// The assembler to use after a stop, if one is configured and applies.
fn fallback_of<'a>(cx: &Context<'a>, stop: &Stop) -> Option<&'a Fallback> {
    let possible = !cx.settings.checks_only && matches!(stop, Stop::Unsupported(_) | Stop::Resources { .. });
    cx.services.fallback.filter(|_| possible)
}

/// Passes a refused unit to another assembler, or takes its object from the cache.
fn refused<'a>(
    cx: &'a Context<'a>,
    index: usize,
    unit: &'a Unit,
    (stop, tool): (Stop, &'a Fallback),
    task: &mut Task,
    mut compiled: Compiled,
) -> TaskResult<'a, Compiled> {
    let mut found = Diags::new();
    findings::explain(stop, cx.module(unit), unit, &mut found);
    let refused: Vec<Diagnostic> = found.iter().cloned().collect();
    if let Some(object) = cached::get(cx, unit, &compiled, Some(tool), task) {
        fallback::tell(&refused, cx, unit, &mut compiled);
        (compiled.object, compiled.fallback, compiled.cached) = (Some(object), true, true);
        return TaskResult::Done(end(cx, index, compiled));
    }
    compiled.peak = cx.peak();
    let closure = task.phase("extract", |_| fallback::Closure::of(cx, unit));
    let bytes = closure.needs(unit);
    let rest: Rest<'a, Compiled> = Box::new(move |task| {
        // This may run on another thread, after other units: crashes and memory are attributed to
        // this unit.
        let _work = u32::try_from(index).ok().map(Work::begin);
        cx.reset_meter();
        fallback::compile(tool, cx, unit, (closure, refused), task, &mut compiled);
        // The note about the fallback need not be stored: it is made again from the refusal.
        if let Some(object) = compiled.object.as_ref().filter(|_| !compiled.diags.has_errors()) {
            cached::put(cx, unit, &compiled, Some(tool), object, task);
        }
        TaskResult::Done(end(cx, index, compiled))
    });
    if bytes > unit.bytes { TaskResult::NeedsMemory { bytes, rest } } else { rest(task) }
}

/// Ends every unit that was compiled in this process.
fn end(cx: &Context<'_>, index: usize, mut compiled: Compiled) -> Compiled {
    if compiled.diags.has_errors() {
        compiled.object = None;
        cx.has_failed(index);
    }
    // A clone has no spare capacity, unlike buffers that grew in steps; it is kept until all other
    // units end.
    if !compiled.cached {
        compiled.object = compiled.object.as_ref().cloned();
    }
    compiled.kept = cx.services.meter.map_or(0, |meter| (meter.held)());
    compiled
}

/// Compiles a unit in a separate process. It is not done for checks, whose kernels need not
/// compile.
fn in_process(cx: &Context<'_>, index: usize, unit: &Unit, task: &mut Task, compiled: &mut Compiled) {
    if cx.settings.checks_only || cx.is_late(index) {
        return;
    }
    compiled.beyond_check = true;
    isolated::compile(cx, index, unit, task, compiled);
    if compiled.diags.has_errors() {
        compiled.object = None;
        cx.has_failed(index);
    }
}
