//! One unit from text to [`UnitObject`]: the path of D5 on one screen.
//!
//! ```text
//! text ─ parse_body ─► tree ─ coverage, lower ─► SSA ─ opt ─► SSA ─ codegen ─► UnitObject
//! ```
//!
//! **Invariants.** A unit sees its module's outline, the options that change bytes, and nothing of the run. It never
//! prints: findings and dumps come back as values, in the order of the text.

use crate::cache::Cache;
use crate::codes;
use crate::fallback::{self, Fallback};
use crate::fault::Fault;
use crate::isolated::{self, Isolated};
use crate::key::{self, Key};
use crate::options::Meter;
use crate::plan::{Module, UnitPlan, name_span};
use crate::unverified;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Counts, Diagnostic, Diags, Policy, SourceMap, Span};
use raddle_ir::{CodegenOptions, Cx, Observer, Stop, Unsupported};
use raddle_jobs::restart::Work;
use raddle_jobs::server::Server;
use raddle_jobs::{Body as Rest, Next, Steps, Task};
use raddle_ptx::{Body, DebugStrings, FuncId, InstId};
use raddle_target::Target;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What is wanted of a unit besides its object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Dump {
    /// Nothing.
    #[default]
    None,
    /// The SSA form after the last optimisation.
    Ir,
    /// The machine form after the last pass of code generation that shows one.
    Mir,
    /// The unit after the pass of this name, each time it has run.
    After(String),
}

/// How far a unit is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Parse and list what is unsupported.
    Check,
    /// To the object.
    Compile,
}

/// What all units of a run share, read-only.
pub struct Shared<'a> {
    /// The texts.
    pub sources: &'a SourceMap,
    /// The inputs.
    pub modules: &'a [Module],
    /// What `.loc` names functions by, per input; empty unless line information is wanted.
    pub strings: &'a [DebugStrings],
    /// The machine.
    pub target: &'static Target,
    /// What changes bytes.
    pub options: &'a CodegenOptions,
    /// The same for code for a linker of objects.
    pub object_options: &'a CodegenOptions,
    /// What to render.
    pub dump: &'a Dump,
    /// How far.
    pub depth: Depth,
    /// What is kept of diagnostics.
    pub policy: Policy,
    /// The first unit in input order that is known to have failed, `usize::MAX` without one: those behind it only
    /// check, unless told to keep going.
    pub first_failed: &'a AtomicUsize,
    /// Compile even behind `first_failed`.
    pub keep_going: bool,
    /// Who compiles what we cannot.
    pub fallback: Option<&'a Fallback>,
    /// Where such a tool finds slots that no unit needs.
    pub server: Option<&'a Arc<Server>>,
    /// Steps that each may take.
    pub steps: Option<u64>,
    /// Units that are compiled in a process of their own.
    pub isolated: &'a Isolated,
    /// A failure on demand.
    pub fault: Option<&'a Fault>,
    /// Measures memory.
    pub meter: Option<Meter>,
    /// Compute the keys of kernels.
    pub keys: bool,
    /// Objects made before; needs keys.
    pub cache: Option<&'a Cache>,
    /// Warn of double precision.
    pub warn_on_doubles: bool,
}

impl Shared<'_> {
    /// What changes the bytes of a unit.
    pub fn options_of(&self, unit: &UnitPlan) -> CodegenOptions {
        let options = if unit.relocatable { self.object_options } else { self.options };
        let least = unit.registers.into_iter().chain(options.maxrregcount).min();
        CodegenOptions { maxrregcount: least, ..options.clone() }
    }
}

/// What became of a unit.
#[derive(Default)]
pub struct Compiled {
    /// Its object, if it was compiled.
    pub object: Option<UnitObject>,
    /// What was found.
    pub diags: Diags,
    /// What was rendered.
    pub dump: String,
    /// Instructions of its PTX text.
    pub instructions: usize,
    /// Whether more was done than a check: what failed then may be hidden by an earlier failure.
    pub beyond_check: bool,
    /// The passes that showed what they made, each once, in order; filled for [`Dump::After`] only.
    pub passes: Vec<&'static str>,
    /// The body of a device function, for the kernels that call it.
    pub body: Option<Body>,
    /// The key of a kernel, if it was asked for.
    pub key: Option<Key>,
    /// Instructions that no machine here can run ([`unverified`]), each with how often it is written.
    pub unverified: Vec<(String, usize)>,
    /// What had been found when its key was: a build that takes the object from the cache finds it too.
    pub said_before_key: Counts,
    /// Whether the object comes from the cache.
    pub cached: bool,
    /// The most memory it held at once, or another assembler did for it, in bytes; 0 without a meter.
    pub peak: u64,
    /// What it holds at its end, in bytes; 0 without a meter.
    pub kept: u64,
    /// Another assembler made its code.
    pub fallback: bool,
    /// CPU time of that.
    pub tool_cpu: Duration,
}

/// Takes unit number `index` as far as `shared.depth` says. Errors are in the result. What another assembler is to do waits for the memory that
/// it will take.
pub fn compile<'a>(shared: &'a Shared<'a>, index: usize, unit: &'a UnitPlan, task: &mut Task) -> Next<'a, Compiled> {
    if let Some(meter) = shared.meter {
        (meter.reset)();
    }
    let mut compiled = Compiled { diags: Diags::with_policy(shared.policy), ..Compiled::default() };
    if shared.isolated.contains(index) {
        apart(shared, index, unit, task, &mut compiled);
        return Next::Done(compiled);
    }
    let _work = u32::try_from(index).ok().map(Work::begin);
    let watch = Watch::new(shared, &unit.name, task.steps());
    let result = stages(shared, index, unit, task, &watch, &mut compiled);
    compiled.dump = watch.text.into_inner();
    compiled.passes = watch.passes.into_inner();
    match result {
        Ok(object) => compiled.object = object,
        Err(Stop::Cancelled) if task.expired() => {
            let message = format!("given up in {}: its time is over", task.last_step().unwrap_or("no step"));
            let at = name_span(&shared.modules[unit.module], unit.func);
            let diagnostic = Diagnostic::error(codes::E0049, message).at(at, "").in_function(&*unit.name);
            compiled.diags.push(diagnostic.help("give it more with --kernel-timeout"));
        }
        Err(stop) => match shared.fallback.filter(|_| can_fall_back(shared, &stop)) {
            Some(fallback) => {
                let mut refused = Diags::new();
                explain(stop, &shared.modules[unit.module], unit, &mut refused);
                let refused: Vec<Diagnostic> = refused.iter().cloned().collect();
                if let Some((cache, key)) = kept_under(shared, unit, &compiled, Some(fallback))
                    && let Some(object) = task.phase("cache", |_| cache.get_by(&key, unit.module as u32))
                {
                    fallback::tell(&refused, shared, unit, &mut compiled);
                    (compiled.object, compiled.fallback, compiled.cached) = (Some(object), true, true);
                    return Next::Done(end(shared, index, unit, compiled, task));
                }
                compiled.peak = shared.meter.map_or(0, |meter| (meter.peak)());
                let closure = task.phase("extract", |_| fallback::Closure::of(shared, unit));
                let bytes = closure.needs(unit);
                let rest: Rest<'a, Compiled> = Box::new(move |task| {
                    // Perhaps on another thread, behind other units: a crash is this one's, and so is what it holds.
                    let _work = u32::try_from(index).ok().map(Work::begin);
                    if let Some(meter) = shared.meter {
                        (meter.reset)();
                    }
                    fallback::compile(fallback, shared, unit, (closure, refused), task, &mut compiled);
                    Next::Done(end(shared, index, unit, compiled, task))
                });
                return if bytes > unit.bytes { Next::Later { bytes, rest } } else { rest(task) };
            }
            None => explain(stop, &shared.modules[unit.module], unit, &mut compiled.diags),
        },
    }
    compiled.peak = shared.meter.map_or(0, |meter| (meter.peak)());
    Next::Done(end(shared, index, unit, compiled, task))
}

/// The end of every unit that was compiled in this process.
fn end(shared: &Shared<'_>, index: usize, unit: &UnitPlan, mut compiled: Compiled, task: &mut Task) -> Compiled {
    if compiled.diags.has_errors() {
        compiled.object = None;
        shared.first_failed.fetch_min(index, Ordering::Relaxed);
    }
    // What the fallback says is said again from what was refused.
    let silent = compiled.fallback || compiled.diags.counts() == compiled.said_before_key;
    let fallback = shared.fallback.filter(|_| compiled.fallback);
    if let Some((cache, key)) = kept_under(shared, unit, &compiled, fallback)
        && let Some(object) = &compiled.object
        && !compiled.cached
        && silent
    {
        task.phase("cache", |_| cache.put(&key, object));
    }
    // A copy has no room to spare, where what grew in steps has: it waits for all others.
    compiled.object = compiled.object.as_ref().cloned();
    compiled.kept = shared.meter.map_or(0, |meter| (meter.held)());
    compiled
}

/// A unit in a process of its own. It is not checked: what only checks need not succeed.
fn apart(shared: &Shared<'_>, index: usize, unit: &UnitPlan, task: &mut Task, compiled: &mut Compiled) {
    let late = shared.first_failed.load(Ordering::Relaxed) < index && !shared.keep_going;
    if shared.depth == Depth::Check || late {
        return;
    }
    compiled.beyond_check = true;
    isolated::compile(shared, index, unit, task, compiled);
    if compiled.diags.has_errors() {
        compiled.object = None;
        shared.first_failed.fetch_min(index, Ordering::Relaxed);
    }
}

fn stages(
    shared: &Shared<'_>,
    index: usize,
    unit: &UnitPlan,
    task: &mut Task,
    watch: &Watch<'_>,
    compiled: &mut Compiled,
) -> Result<Option<UnitObject>, Stop> {
    let module = &shared.modules[unit.module];
    let func = &module.outline.funcs[unit.func];
    let cancel = task.cancel().flag();
    let options = shared.options_of(unit);
    let mut cx = Cx::new(shared.target, &options);
    cx.cancel = Some(&cancel);
    cx.fuel.set(shared.steps);
    cx.observer = watch;

    let mut body = task.phase("parse", |_| {
        raddle_ptx::parse_body(&module.text, module.file, &module.outline, unit.func, &mut compiled.diags)
    });
    body.resolve_aliases(&module.outline);
    compiled.instructions = body.insts.len();
    if shared.warn_on_doubles && !unit.function {
        compiled.diags.extend(doubles(module, unit, &body));
    }
    if !unit.kernel {
        compiled.body = Some(body);
        return Ok(None);
    }
    if compiled.diags.has_errors() {
        return Ok(None);
    }
    compiled.unverified = unverified::found(&body, &module.bodies);
    if shared.keys {
        let key = task.phase("key", |_| key::of(module, unit.func, &options, shared.target));
        (compiled.key, compiled.said_before_key) = (Some(key), compiled.diags.counts());
        if let Some(cache) = cache_of(shared, unit)
            && let Some(object) = task.phase("cache", |_| cache.get(&key, unit.module as u32))
        {
            compiled.cached = true;
            return Ok(Some(object));
        }
    }
    let lines = Lines::of(shared, module, func.text.clone());
    let line_of = |id: FuncId, offset: u32| {
        let at = module.outline.funcs[id].text.start + offset as usize;
        shared.sources.get(module.file).map_or(0, |file| file.line(at) as u32)
    };
    let string_of = |label: &str, offset: u64| shared.strings.get(unit.module)?.get(label, offset).map(str::to_owned);
    let input = raddle_lower::Input {
        outline: &module.outline,
        func: unit.func,
        body: &body,
        bodies: &module.bodies,
        apart: module.apart.as_ref().filter(|_| unit.relocatable),
        src: &module.text,
        line: &|offset| lines.line(offset),
        lines: shared.options.lineinfo.then_some(raddle_lower::LineInfo { line: &line_of, string: &string_of }),
    };
    let (function, mut unsupported) = task.phase("lower", |_| raddle_lower::survey(&cx, &input))?;
    let data = match task.phase("variables", |_| raddle_lower::variables(&input, &function)) {
        Ok(data) => data,
        Err(Stop::Unsupported(list)) => {
            unsupported.extend(list);
            Vec::new()
        }
        Err(stop) => return Err(stop),
    };
    let late = shared.first_failed.load(Ordering::Relaxed) < index && !shared.keep_going;
    if shared.depth == Depth::Check || late || !unsupported.is_empty() {
        // Everything that is missing, before any work on what is there: what lowering refuses and what has no machine code.
        unsupported.extend(task.phase("coverage", |_| raddle_codegen::coverage(&cx, &function))?);
        return if unsupported.is_empty() { Ok(None) } else { Err(Stop::Unsupported(in_ptx(unsupported, &body))) };
    }
    compiled.beyond_check = true;
    let mut lowered = raddle_lower::unit_with(&cx, &input, function, data);
    if let Some(fault) = shared.fault {
        task.phase("fault", |task| fault.strike(&unit.name, task.cancel()))?;
    }
    task.phase("opt", |_| raddle_opt::run(&cx, &mut lowered.function))?;
    watch.ir(&lowered.function);
    // What division and roots are made of is folded, shared and moved out of loops like the rest.
    task.phase("expand", |_| raddle_codegen::expand::run(&mut lowered.function));
    task.phase("late", |_| raddle_opt::late(&cx, &mut lowered.function))?;
    let mut object = task.phase("codegen", |_| match raddle_codegen::compile_unit(&cx, &lowered) {
        Err(Stop::Unsupported(list)) => Err(Stop::Unsupported(in_ptx(list, &body))),
        other => other,
    })?;
    object.module = unit.module as u32;
    Ok(Some(object))
}

/// A warning of double precision, if the body has any.
fn doubles(module: &Module, unit: &UnitPlan, body: &Body) -> Option<Diagnostic> {
    let is_double = |inst: &InstId| body.dotted(*inst).split('.').any(|part| part == "f64");
    let count = body.insts.keys().filter(is_double).count();
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("'{}' computes in double precision: {count} instruction{plural}", unit.name);
    let warning = Diagnostic::warning(codes::E0087, message);
    (count > 0).then(|| warning.at(name_span(module, unit.func), "").in_function(&*unit.name))
}

/// The cache, where an object is all that is wanted of a unit, and no failure is asked for in it.
fn cache_of<'a>(shared: &Shared<'a>, unit: &UnitPlan) -> Option<&'a Cache> {
    let only_object = shared.depth == Depth::Compile && *shared.dump == Dump::None;
    shared.cache.filter(|_| only_object && !shared.fault.is_some_and(|fault| fault.is_for(&unit.name)))
}

/// Where the object of a unit is kept, made by us or by a fallback.
fn kept_under<'a>(
    shared: &Shared<'a>,
    unit: &UnitPlan,
    compiled: &Compiled,
    fallback: Option<&Fallback>,
) -> Option<(&'a Cache, Key)> {
    let (cache, key) = (cache_of(shared, unit)?, compiled.key?);
    let Some(fallback) = fallback else { return Some((cache, key)) };
    Some((cache, key.with_tool(&cache.tool(&fallback.ptxas)?)))
}

/// In the order of the text, each instruction once, under its PTX name.
fn in_ptx(mut list: Vec<Unsupported>, body: &Body) -> Vec<Unsupported> {
    for item in list.iter_mut().filter(|item| item.line != 0) {
        if let Some(name) = raddle_lower::instruction_at(body, item.offset) {
            item.what = name;
        }
    }
    list.sort_by(|a, b| (a.offset, &a.what, &a.why).cmp(&(b.offset, &b.what, &b.why)));
    list.dedup_by(|a, b| (a.offset, &a.what) == (b.offset, &b.what));
    list
}

/// Line numbers in one function, by bisection.
struct Lines {
    /// The line its text begins in.
    first: u32,
    /// Offsets of its newlines, from its start.
    newlines: Vec<u32>,
}

impl Lines {
    fn of(shared: &Shared<'_>, module: &Module, text: Range<usize>) -> Lines {
        let first = shared.sources.get(module.file).map_or(1, |file| file.line(text.start));
        let newlines = memchr::memchr_iter(b'\n', &module.text.as_bytes()[text]).map(|i| i as u32);
        Lines { first: first as u32, newlines: newlines.collect() }
    }

    fn line(&self, offset: u32) -> u32 {
        self.first + self.newlines.partition_point(|&newline| newline < offset) as u32
    }
}

/// Collects what is to be rendered.
struct Watch<'a> {
    dump: &'a Dump,
    fault: Option<&'a Fault>,
    kernel: &'a str,
    steps: Steps,
    text: RefCell<String>,
    passes: RefCell<Vec<&'static str>>,
}

impl<'a> Watch<'a> {
    fn new(shared: &Shared<'a>, kernel: &'a str, steps: Steps) -> Watch<'a> {
        let (dump, fault) = (shared.dump, shared.fault);
        Watch { dump, fault, kernel, steps, text: RefCell::default(), passes: RefCell::default() }
    }

    fn ir(&self, function: &raddle_ir::Function) {
        if *self.dump == Dump::Ir {
            *self.text.borrow_mut() = raddle_ir::text::print(function);
        }
    }
}

impl Observer for Watch<'_> {
    fn before(&self, pass: &'static str) {
        self.steps.begin(pass);
        if let Some(fault) = self.fault {
            fault.strike_in(pass, self.kernel);
        }
    }

    fn after(&self, pass: &'static str, text: &dyn Fn() -> String) {
        let mut out = self.text.borrow_mut();
        let mut passes = self.passes.borrow_mut();
        if matches!(self.dump, Dump::After(_)) && !passes.contains(&pass) {
            passes.push(pass);
        }
        match self.dump {
            // What code generation shows last is the machine form; the passes before it show SSA and are replaced.
            Dump::Mir => *out = text(),
            Dump::After(wanted) if wanted == pass => {
                out.push_str(&format!("// after {pass}\n"));
                out.push_str(&text());
            }
            _ => {}
        }
    }
}

/// Whether a stop is one that another assembler may get past.
fn can_fall_back(shared: &Shared<'_>, stop: &Stop) -> bool {
    shared.depth == Depth::Compile && matches!(stop, Stop::Unsupported(_) | Stop::Resources { .. })
}

/// Turns what stopped a unit into diagnostics with places.
fn explain(stop: Stop, module: &Module, unit: &UnitPlan, diags: &mut Diags) {
    let name = name_span(module, unit.func);
    let at_name = |diagnostic: Diagnostic| diagnostic.at(name, "").in_function(&*unit.name);
    match stop {
        Stop::Errors(list) => {
            diags.extend(list.into_iter().map(|text| at_name(Diagnostic::error(codes::E0032, text))));
        }
        Stop::Unsupported(list) => {
            diags.extend(list.into_iter().map(|item| unsupported(item, module, unit)));
        }
        Stop::Resources { what, .. } => diags.push(at_name(Diagnostic::error(codes::E0031, what))),
        Stop::Cancelled => diags.push(at_name(Diagnostic::error(codes::E0043, "cancelled"))),
        Stop::Fuel => {
            let spent = Diagnostic::error(codes::E0044, "the step budget is spent");
            diags.push(at_name(spent.help("give it more with --kernel-steps")));
        }
        Stop::Internal { pass, what } => {
            diags.push(at_name(Diagnostic::error(codes::E0041, format!("internal error in {pass}: {what}"))));
        }
    }
}

fn unsupported(item: Unsupported, module: &Module, unit: &UnitPlan) -> Diagnostic {
    let func = &module.outline.funcs[unit.func];
    let span = if item.line == 0 && item.offset == 0 {
        name_span(module, unit.func)
    } else {
        let start = func.text.start + item.offset as usize;
        let rest = module.text.get(start..func.text.end).unwrap_or("");
        // The opcode with its modifiers: up to the first blank.
        let length = rest.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(rest.len());
        Span::new(module.file, start as u32, (start + length) as u32)
    };
    Diagnostic::error(codes::E0030, format!("unsupported: {}", item.what)).at(span, item.why).in_function(item.kernel)
}
