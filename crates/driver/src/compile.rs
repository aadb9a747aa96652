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
use crate::dwarf;
use crate::fallback::{Fallback, whole};
use crate::functions;
use crate::input::{Content, Input};
use crate::key::Key;
use crate::mode::Mode;
use crate::options::{RunOptions, Selection};
use crate::plan::{self, Plan, UnitPlan};
use crate::unit::{Depth, Dump};
use crate::units;
use raddle_cubin::unit::{Definition, UnitObject};
use raddle_diag::{Diagnostic, Diags, Policy, SourceMap, Span};
use raddle_ir::CodegenOptions;
use raddle_jobs::Running;
use raddle_jobs::memory::Budget;
use raddle_jobs::timeline::Timeline;
use raddle_jobs::tokens::Holding;
use raddle_link::DebugModule;
use raddle_target::Target;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
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
    /// Compute the keys of kernels (D9).
    pub keys: bool,
    /// A folder that keeps what failed, each kernel alone.
    pub reproduce: Option<PathBuf>,
    /// Who compiles what we cannot.
    pub fallback: Option<Fallback>,
    /// What is made; an object if `codegen` says so.
    pub mode: Mode,
    /// What is warned of on demand.
    pub warn_on: WarnOn,
}

/// Warnings about kernels and functions that are given on demand, as by the options of ptxas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarnOn {
    /// Registers that are spilled.
    pub spills: bool,
    /// A stack frame.
    pub local_memory: bool,
    /// Instructions on `.f64`.
    pub double_precision: bool,
}

/// Sees the work go on.
pub trait Progress {
    /// So many units will be compiled, of this cost together.
    fn planned(&mut self, units: usize, cost: u64);
    /// A unit has ended.
    fn ended(&mut self, unit: &UnitPlan, wall: Duration, failed: bool);
    /// These run now, the oldest first.
    fn running(&mut self, running: &[Arc<Running>]);
    /// Whether the compilation shall end early (DRV-2). Asked before the first unit, after each, and each time that
    /// [`Progress::running`] was called. Units that run then stop between two steps, others do not begin: each is an error
    /// E0043, and there is no output. To cancel from another thread, keep a clone of [`RunOptions::cancel`].
    fn is_cancelled(&mut self) -> bool {
        false
    }
}

/// Sees nothing.
impl Progress for () {
    fn planned(&mut self, _: usize, _: u64) {}
    fn ended(&mut self, _: &UnitPlan, _: Duration, _: bool) {}
    fn running(&mut self, _: &[Arc<Running>]) {}
}

/// What is known of a kernel, or of a function that stays one, after its compilation (DRV-15, ISO-4).
#[derive(Clone, Debug)]
pub struct KernelReport {
    /// Its name as in the text.
    pub name: Arc<str>,
    /// What the unit is made from, if that was asked for.
    pub key: Option<Key>,
    /// Whether it is a function that kernels call, and no kernel.
    pub function: bool,
    /// Whether there is an object.
    pub compiled: bool,
    /// Whether the object was made by an earlier run.
    pub cached: bool,
    /// What it was expected to cost, in arbitrary units.
    pub cost: u64,
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
    /// What its task held at its end, in bytes; 0 without a meter.
    pub kept: u64,
    /// Another assembler made its code.
    pub fallback: bool,
    /// Instructions in it that no machine here can run, by name, each with how often it is written: what they compute was compared
    /// with nothing ([`crate::unverified`]). Empty for code of another assembler.
    pub unverified: Vec<(String, usize)>,
}

/// What a compilation gives.
#[derive(Debug)]
pub struct Report {
    /// The cubin; `None` after an error, or if only checks were asked for.
    pub cubin: Option<Vec<u8>>,
    /// Relocatable objects, one per input in input order; only of [`compile_objects`], and none after an error.
    pub objects: Vec<Vec<u8>>,
    /// What was rendered, units in input order.
    pub dump: String,
    /// What was found, in input order.
    pub diags: Diags,
    /// The texts the diagnostics point into.
    pub sources: SourceMap,
    /// Per kernel, in input order.
    pub kernels: Vec<KernelReport>,
    /// Per function that stays a function, in the order in which they were found to be needed.
    pub functions: Vec<KernelReport>,
    /// What ran when.
    pub timeline: Timeline,
    /// The architecture, if it could be found out.
    pub target: Option<&'static Target>,
    /// Workers that were allowed to run.
    pub workers: usize,
    /// Who says so.
    pub workers_by: String,
    /// Workers that were started.
    pub workers_started: usize,
    /// From the first unit's beginning to the last one's end.
    pub span: Duration,
    /// Job tokens held over time; empty without a jobserver.
    pub tokens: Vec<Holding>,
    /// The memory that units of this and other builds may take; claimed as long as this is there.
    pub memory: Option<Arc<Budget>>,
    /// How long it kept workers idle.
    pub held_back: Duration,
}

impl Default for Report {
    fn default() -> Report {
        Report::new(Policy::default())
    }
}

impl Report {
    /// Of nothing.
    pub(crate) fn new(policy: Policy) -> Report {
        Report {
            cubin: None,
            objects: Vec::new(),
            dump: String::new(),
            diags: Diags::with_policy(policy),
            sources: SourceMap::new(),
            kernels: Vec::new(),
            functions: Vec::new(),
            timeline: Timeline::new(),
            target: None,
            workers: 0,
            workers_by: "nothing to do".to_owned(),
            workers_started: 0,
            span: Duration::ZERO,
            tokens: Vec::new(),
            memory: None,
            held_back: Duration::ZERO,
        }
    }
}

impl Report {
    /// Kernels, then functions that stay functions.
    pub fn units(&self) -> impl Iterator<Item = &KernelReport> {
        self.kernels.iter().chain(&self.functions)
    }
}

impl KernelReport {
    /// Its numbers by name, for machines.
    pub fn facts(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("cost", self.cost),
            ("registers", self.registers.into()),
            ("spill_stores", self.spill_bytes.0.into()),
            ("spill_loads", self.spill_bytes.1.into()),
            ("ptx_instructions", self.instructions as u64),
            ("sass_instructions", self.code as u64 / 16),
            ("peak_bytes", self.peak),
            ("cpu_us", self.cpu.as_micros().try_into().unwrap_or(u64::MAX)),
        ]
    }
}

/// Compiles to a cubin.
pub fn compile(request: Request, progress: &mut dyn Progress) -> Report {
    work(request, Goal::Executable, progress, &mut Vec::new())
}

/// Compiles each input to a relocatable object of its own, the kernels of all at the same time.
pub fn compile_objects(mut request: Request, progress: &mut dyn Progress) -> Report {
    request.codegen.relocatable = true;
    work(request, Goal::Separate, progress, &mut Vec::new())
}

/// As [`compile`], and gives what was linked: the objects of the modules' variables, then those of the kernels.
pub fn compile_units(request: Request, progress: &mut dyn Progress) -> (Report, Vec<UnitObject>) {
    let mut objects = Vec::new();
    (work(request, Goal::Executable, progress, &mut objects), objects)
}

/// Parses everything and lists what is unsupported.
pub fn check(request: Request, progress: &mut dyn Progress) -> Report {
    work(request, Goal::Checks, progress, &mut Vec::new())
}

/// Compiles the one kernel or function that the request selects, and links nothing.
pub(crate) fn unit_object(request: Request) -> (Report, Option<UnitObject>) {
    let mut objects = Vec::new();
    let report = work(request, Goal::Objects, &mut (), &mut objects);
    // Behind those of variables.
    let object = objects.into_iter().find(|object| !object.functions.is_empty());
    (report, object)
}

/// What a compilation is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Checks,
    Objects,
    Separate,
    Executable,
}

fn work(mut request: Request, goal: Goal, progress: &mut dyn Progress, objects: &mut Vec<UnitObject>) -> Report {
    let depth = if goal == Goal::Checks { Depth::Check } else { Depth::Compile };
    let mut report = Report::new(request.policy);
    register(std::mem::take(&mut request.inputs), &mut report);
    let Report { sources, diags, timeline, .. } = &mut report;
    let Some(mut plan) = timeline.main_phase("outline", || plan::plan(sources, &request.selection, diags)) else {
        return report;
    };
    report.target = Some(plan.target);
    if depth == Depth::Compile
        && let Some(why) = whole::Why::of(&plan)
    {
        let possible = goal == Goal::Executable && !report.diags.has_errors();
        match request.fallback.as_ref() {
            Some(fallback) if possible => {
                whole::compile(fallback, &why, &request, &plan, &mut report);
                return report;
            }
            // The kernels say what they lack.
            None if matches!(why, whole::Why::Reference(_)) => {}
            _ => report.diags.push(why.error(&plan, "")),
        }
    }
    let with_sections = depth == Depth::Compile && request.codegen.debug && request.codegen.lineinfo;
    let sections = match with_sections && goal != Goal::Objects {
        true => dwarf::read(&plan, &mut report.diags),
        false => Vec::new(),
    };
    // Wrong outlines may have hidden kernels: their bodies are still read for errors, but nothing is compiled.
    let depth = if report.diags.has_errors() { Depth::Check } else { depth };
    if depth == Depth::Compile {
        *objects = variables(&plan, &mut report.diags);
        let named = dwarf::variables(&plan, &sections).into_iter();
        objects.extend(named.map(|(index, data)| data_object(index, &plan.modules[index], &data)));
    }
    // One unit alone needs no others.
    let whole = goal != Goal::Objects;
    let units = units::run(&request, &mut plan, (depth, whole), objects, progress, &mut report);
    objects.extend(units);
    if (plan.linked || request.codegen.relocatable) && !report.diags.has_errors() {
        let first = in_order_of_text(&plan, objects);
        objects.splice(0..0, first);
    }
    let modules = match report.diags.has_errors() {
        true => Vec::new(),
        false => dwarf::modules(&plan, sections, objects, &mut report.diags),
    };
    if goal == Goal::Executable && !report.diags.has_errors() {
        let Report { diags, timeline, .. } = &mut report;
        report.cubin = timeline.main_phase("finalize", || finalize(objects, &plan, &request.codegen, &modules, diags));
    }
    if goal == Goal::Separate && !report.diags.has_errors() {
        let Report { diags, timeline, .. } = &mut report;
        report.objects =
            timeline.main_phase("finalize", || separate(objects, &plan, &request.codegen, &modules, diags));
    }
    report
}

/// Puts the texts into the source map.
pub(crate) fn register(inputs: Vec<Input>, report: &mut Report) {
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
            Ok(data) => objects.push(data_object(index, module, &data)),
            Err(refused) => diags.extend(refused.into_iter().map(|item| {
                let at = Span::point(module.file, item.offset as u32);
                Diagnostic::error(codes::E0033, format!("variable '{}'", item.name)).at(at, item.why)
            })),
        }
    }
    objects
}

/// An object of variables.
fn data_object(index: usize, module: &plan::Module, data: &[raddle_ir::unit::Data]) -> UnitObject {
    let mut object = UnitObject { module: index as u32, ..UnitObject::default() };
    raddle_codegen::add_data(&mut object, data);
    for r in data.iter().flat_map(|d| &d.relocs) {
        if let Some(text) = raddle_lower::function_type(&module.outline, &r.symbol) {
            let name = object.symbols.intern(&r.symbol);
            object.types.push((name, text));
        }
    }
    object
}

/// Per module an object with the variables that its objects define, in the order of the text: in an object variables lie in the order in
/// which they are met first, and that shall not depend on which kernel comes first.
fn in_order_of_text(plan: &Plan, objects: &[UnitObject]) -> Vec<UnitObject> {
    let mut out = Vec::new();
    for (index, module) in plan.modules.iter().enumerate() {
        let own = objects.iter().filter(|object| object.module as usize == index);
        let defined = own.flat_map(|object| {
            let data = object.data.iter().filter(|d| !matches!(d.definition, Definition::Extern(_)));
            data.filter_map(|d| object.symbols.name(d.name))
        });
        let defined: BTreeSet<&str> = defined.collect();
        let names = module.outline.globals.values().map(|global| &*global.var.name);
        let names: Vec<&str> = names.filter(|name| defined.contains(name)).collect();
        // They have been described before, or they would not be there.
        if let Ok(data) = raddle_lower::named(&module.text, &module.outline, &names, false)
            && !data.is_empty()
        {
            out.push(data_object(index, module, &data));
        }
    }
    out
}

/// What the linker is told of a module.
fn link_options<'m>(
    plan: &Plan,
    module: Option<&plan::Module>,
    codegen: &CodegenOptions,
    modules: &'m [DebugModule],
) -> raddle_link::FinalizeOptions<'m> {
    let mut options = raddle_link::FinalizeOptions::new(plan.target);
    options.virtual_sm = module.and_then(|module| module.outline.target).map(|target| target.sm);
    options.modules = modules;
    options.debug = if codegen.lineinfo { raddle_link::Debug::Lines } else { raddle_link::Debug::None };
    options
}

/// A relocatable object per module, in input order; none after an error.
fn separate(
    objects: &mut [UnitObject],
    plan: &Plan,
    codegen: &CodegenOptions,
    modules: &[DebugModule],
    diags: &mut Diags,
) -> Vec<Vec<u8>> {
    // Within a module the order stays: variables, kernels, functions.
    objects.sort_by_key(|object| object.module);
    let mut out = Vec::new();
    for (index, module) in plan.modules.iter().enumerate() {
        let first = objects.partition_point(|object| (object.module as usize) < index);
        let end = objects.partition_point(|object| object.module as usize <= index);
        let own = modules.get(index).map_or(&[][..], std::slice::from_ref);
        out.extend(object_of(&objects[first..end], &link_options(plan, Some(module), codegen, own), diags));
    }
    if diags.has_errors() { Vec::new() } else { out }
}

/// Links the units into the executable.
fn finalize(
    objects: &[UnitObject],
    plan: &Plan,
    codegen: &CodegenOptions,
    modules: &[DebugModule],
    diags: &mut Diags,
) -> Option<Vec<u8>> {
    let options = link_options(plan, plan.modules.first(), codegen, modules);
    if plan.linked {
        let object = raddle_link::mixed(objects, &options).map_err(|error| diags.push(unlinked(&error))).ok()?;
        return functions::link(&object, plan, codegen.debug, diags);
    }
    if codegen.relocatable {
        return object_of(objects, &options, diags);
    }
    match raddle_link::finalize(objects, &options) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            diags.push(unlinked(&error));
            None
        }
    }
}

/// One relocatable object of all units.
fn object_of(objects: &[UnitObject], options: &raddle_link::FinalizeOptions<'_>, diags: &mut Diags) -> Option<Vec<u8>> {
    raddle_link::relocatable(objects, options).map_err(|error| diags.push(unlinked(&error))).ok()
}

fn unlinked(error: &raddle_link::LinkError) -> Diagnostic {
    use raddle_link::LinkError as L;
    let code = match error {
        L::TooMuch { .. } => codes::E0031,
        L::Target(_) => codes::E0023,
        L::Duplicate { .. } | L::Undefined { .. } => codes::E0045,
        _ => codes::E0041,
    };
    Diagnostic::fatal(code, error.to_string())
}
