//! The report of a compilation.

use crate::cache::Cache;
use crate::key::Key;
use crate::llvm::Llvm;
use crate::origin::Origin;
use crate::program::Program;
use crate::remote::{RemoteRun, RemoteUsed};
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diags, Policy, SourceMap};
use raddle_jobs::memory::Budget;
use raddle_jobs::timeline::Timeline;
use raddle_jobs::tokens::Holding;
use raddle_target::Target;
use std::sync::Arc;
use std::time::Duration;

/// Facts about a compiled kernel or function that is not inlined (DRV-15, ISO-4).
#[derive(Clone, Debug)]
pub struct UnitReport {
    /// Its name as in the text.
    pub name: Arc<str>,
    /// The cache key, if it was requested.
    pub key: Option<Key>,
    /// Whether it is a device function, not a kernel.
    pub function: bool,
    /// Whether an object was made.
    pub compiled: bool,
    /// Whether the object was made by an earlier run.
    pub cached: bool,
    /// Its estimated cost, in arbitrary units.
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
    /// Static shared memory that it places itself, in bytes.
    pub shared: u32,
    /// Bytes of code.
    pub code: usize,
    /// Wall time of its task.
    pub wall: Duration,
    /// CPU time of its task.
    pub cpu: Duration,
    /// The peak of memory of its task, in bytes; 0 without a meter.
    pub peak: u64,
    /// The memory that its task held at its end, in bytes; 0 without a meter.
    pub kept: u64,
    /// Whether another assembler made its code.
    pub fallback: bool,
    /// How an engine of remote execution ran it, if it was given to one.
    pub remote: Option<RemoteRun>,
}

/// A step of the compilation of LLVM IR.
#[derive(Clone, Debug)]
pub struct IrStep {
    /// The step.
    pub kind: IrStepKind,
    /// Its tasks with their wall times.
    pub tasks: Vec<(Arc<str>, Duration)>,
    /// From the start of the first task to the end of the last.
    pub span: Duration,
}

/// The kind of a step of the compilation of LLVM IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IrStepKind {
    /// Inputs are read for their architecture.
    Read,
    /// Phase 0: each input is simplified.
    Simplify,
    /// The symbols of each input are read, where inputs are not linked.
    Describe,
    /// Phase I: inputs are linked, and interprocedural passes run.
    Link,
    /// A program of one function is compiled in one step.
    Whole,
    /// Phase II: each part is optimised and its kernels are compiled.
    Parts,
    /// Inputs of LTO-IR are linked and optimised by nvJitLink.
    NvJitLink,
    /// What is done only after a failure, or for `--emit`.
    Other,
}

impl IrStepKind {
    /// Its name in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            IrStepKind::Read => "read",
            IrStepKind::Simplify => "simplify",
            IrStepKind::Describe => "describe",
            IrStepKind::Link => "link",
            IrStepKind::Whole => "whole",
            IrStepKind::Parts => "parts",
            IrStepKind::NvJitLink => "nvjitlink",
            IrStepKind::Other => "other",
        }
    }
}

impl IrStep {
    /// The time of all its tasks, one after another.
    pub fn work(&self) -> Duration {
        self.tasks.iter().map(|(_, time)| *time).sum()
    }
}

/// The result of a compilation.
#[derive(Debug)]
pub struct Report {
    /// The cubin; `None` after an error, or if only checks were requested.
    pub cubin: Option<Vec<u8>>,
    /// Relocatable objects, one per input in input order; only of
    /// [`crate::request::Output::Objects`], and none after an error.
    pub objects: Vec<Vec<u8>>,
    /// Dumps of internal forms, units in input order.
    pub dump: String,
    /// Diagnostics, in input order.
    pub diags: Diags,
    /// The texts that the diagnostics refer to.
    pub sources: SourceMap,
    /// The kernels, in input order.
    pub kernels: Vec<UnitReport>,
    /// Functions that are not inlined, in the order in which they were found to be needed.
    pub functions: Vec<UnitReport>,
    /// The times of all tasks and steps.
    pub timeline: Timeline,
    /// The architecture, if it could be determined.
    pub target: Option<&'static Target>,
    /// The LLVM library, if there were inputs of LLVM IR.
    pub llvm: Option<Llvm>,
    /// The inputs of LLVM IR, if an error in their PTX is to be explained.
    pub(crate) origin: Option<Origin>,
    /// Symbols that were local in the LLVM IR and are visible between its parts, sorted: they are
    /// local again in the output.
    pub locals: Vec<String>,
    /// Remarks of LLVM, each with the input or part that it is about.
    pub remarks: Vec<(String, String)>,
    /// The steps of the compilation of LLVM IR, in their order.
    pub ir_steps: Vec<IrStep>,
    /// What makes a program of LLVM IR one part, beside its size.
    pub one_part: Option<&'static str>,
    /// The number of workers allowed.
    pub workers: usize,
    /// The source of that number.
    pub workers_source: String,
    /// The number of workers started.
    pub workers_started: usize,
    /// From the start of the first unit to the end of the last.
    pub span: Duration,
    /// Job tokens held over time; empty without a jobserver.
    pub tokens: Vec<Holding>,
    /// The memory that units of this and other builds may use; claimed for the life of this report.
    pub memory: Option<Arc<Budget>>,
    /// The time that workers were idle because of it.
    pub held_back: Duration,
    /// The use of an engine of remote execution, if there was one.
    pub remote: Option<RemoteUsed>,
    /// The time in which nothing ran here, and units were compiled elsewhere.
    pub suspended: Duration,
    /// Whether anything but errors was said about a unit while it was compiled, after it was read.
    pub(crate) has_remarks: bool,
    /// Whether a diagnostic is about this run, not about the inputs.
    pub(crate) is_about_this_run: bool,
    /// What the compilation has used.
    pub(crate) used: Used,
}

/// What a compilation has used, and a report does not need. It lives as long as the report: a process
/// that ends forgets both, since freeing them piece by piece takes as long as writing the output.
#[derive(Default)]
pub(crate) struct Used {
    /// The program.
    pub program: Option<Program>,
    /// The objects that the output was made from.
    pub objects: Vec<UnitObject>,
    /// Where its outcome is to be kept.
    pub place: Option<(Arc<Cache>, Key)>,
}

impl std::fmt::Debug for Used {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Used").finish_non_exhaustive()
    }
}

impl Default for Report {
    fn default() -> Report {
        Report::new(Policy::default())
    }
}

impl Report {
    /// An empty report.
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
            llvm: None,
            origin: None,
            locals: Vec::new(),
            remarks: Vec::new(),
            ir_steps: Vec::new(),
            one_part: None,
            workers: 0,
            workers_source: "nothing to do".to_owned(),
            workers_started: 0,
            span: Duration::ZERO,
            tokens: Vec::new(),
            memory: None,
            held_back: Duration::ZERO,
            remote: None,
            suspended: Duration::ZERO,
            has_remarks: false,
            is_about_this_run: false,
            used: Used::default(),
        }
    }
}

impl Report {
    /// The first function with more than one result: ptxas then compiles all calls without the ABI.
    pub fn without_abi(&self) -> Option<&str> {
        let modules = self.used.program.iter().flat_map(|program| &program.modules);
        modules.flat_map(|module| module.outline.funcs.values()).find(|f| f.rets.len() > 1).map(|f| &*f.name)
    }

    /// The architecture that the first module names.
    pub fn module_target(&self) -> Option<&str> {
        self.used.program.as_ref()?.modules.first().and_then(|module| module.outline.target).map(|target| target.name)
    }

    /// Kernels, then functions that are not inlined.
    pub fn units(&self) -> impl Iterator<Item = &UnitReport> {
        self.kernels.iter().chain(&self.functions)
    }

    /// A step of the compilation of LLVM IR, if it ran.
    pub fn ir_step(&self, kind: IrStepKind) -> Option<&IrStep> {
        self.ir_steps.iter().find(|step| step.kind == kind)
    }
}

impl UnitReport {
    /// Its figures by name, for machine-readable output.
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
