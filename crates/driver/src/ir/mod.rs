//! LLVM IR among the inputs: linked, optimised and compiled to PTX, which is then compiled like any
//! other.
//!
//! ```text
//! inputs ─ simplify: a task each ─► link, phase I: one task ─► plan ─ parts: a task each ─► PTX
//! ```
//!
//! Strategy: [`raddle_frontend`] has the steps; here they are tasks of the pool, each on one token
//! and in one worker process at a time. The program's bitcode is in an unnamed temporary file, from
//! which every worker reads the bodies that its part needs.
//!
//! **Invariant.** The PTX depends on the inputs, the settings and the library alone: inputs are
//! linked in an order that does not depend on the command line, and the plan of the parts does not
//! depend on the number of workers.

pub(crate) mod beside;
mod blame;
mod cached;
mod culprit;
mod emit;
mod kept;
mod locate;
mod lto_ir;
mod opening;
mod parts;
mod program;
mod said;
mod separate;
mod steps;
mod stored;
mod tasks;
mod temps;
mod thin;
mod watched;
mod whole;
mod workers;

use crate::codes;
use crate::input::{Content, Input};
use crate::llvm;
use crate::options::{EarlyObjects, IrOptions, Lto, OptLevel};
use crate::origin::Origin;
use crate::progress::Progress;
use crate::report::Report;
use crate::request::Request;
use crate::workers::config;
use cached::StepCache;
pub use emit::{Form, emit};
pub(crate) use locate::{ORIGIN, locate};
use program::Program;
use raddle_diag::Diagnostic;
use raddle_frontend::plan::{Plan, PlanOptions};
use raddle_frontend::settings::Settings;
use raddle_frontend::summary::Summary;
pub use raddle_frontend::worker::Library;
use raddle_frontend::worker::WorkerError;
use raddle_jobs::Config;
use raddle_target::Target;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use temps::Temps;
use watched::Watched;
use workers::Workers;

/// Inputs that are ready to be compiled.
pub(crate) struct Ready {
    /// PTX.
    pub inputs: Vec<Input>,
    /// Objects of its kernels, if some have been made.
    pub early: Option<Arc<EarlyObjects>>,
}

/// Replaces inputs of LLVM IR and of LTO-IR by PTX; other inputs stay, and come first. `keep_all`: other objects
/// may refer to whatever is not local. Errors go to the report; `None` after one.
pub(crate) fn to_ptx(
    request: &Request,
    keep_all: bool,
    inputs: Vec<Input>,
    report: &mut Report,
    progress: &mut dyn Progress,
) -> Option<Ready> {
    let (ir, others): (Vec<Input>, Vec<Input>) = inputs.into_iter().partition(|input| input.content.is_ir());
    let is_lto_ir = |input: &Input| matches!(input.content, Content::LtoIr(_));
    let (lto_ir, mut others): (Vec<Input>, Vec<Input>) = others.into_iter().partition(is_lto_ir);
    let report = &mut Watched { report, progress };
    if !lto_ir.is_empty() {
        let made = lto_ir::to_ptx(request, lto_ir, &others, report)?;
        others.push(made);
    }
    if ir.is_empty() {
        return Some(Ready { inputs: others, early: None });
    }
    let build = Build::new(request, keep_all, report)?;
    report.origin = Origin::new(request, keep_all, &ir);
    let ir: Vec<Module> = ir.into_iter().filter_map(Module::of).collect();
    let made = build.run(&ir, &others, report)?;
    others.extend(made.inputs);
    Some(Ready { inputs: others, early: made.early })
}

/// An input of LLVM IR.
struct Module {
    name: String,
    bytes: Vec<u8>,
}

impl Module {
    fn of(input: Input) -> Option<Module> {
        let bytes = match input.content {
            Content::Bitcode(bytes) => bytes,
            Content::Ir(text) => text.into_bytes(),
            Content::Text(_) | Content::Elf(_) | Content::LtoIr(_) => return None,
        };
        Some(Module { name: input.name, bytes })
    }
}

/// A build of the IR of a request.
struct Build<'a> {
    request: &'a Request,
    /// Whether other objects may refer to whatever is not local.
    keep_all: bool,
    /// Whether kernels are compiled by the task that makes their PTX.
    compile_early: bool,
    workers: Workers,
    config: Config,
    temps: Temps,
    cache: StepCache,
}

impl<'a> Build<'a> {
    /// Finds the library.
    fn new(request: &'a Request, keep_all: bool, report: &mut Watched<'_>) -> Option<Build<'a>> {
        let found = match llvm::find(&request.ir) {
            Ok(found) => found,
            Err(error) => {
                report.diags.push(error.diagnostic());
                return None;
            }
        };
        let mut options = process_options(request);
        options.extend(request.ir.llvm_options.iter().cloned());
        options.extend(Settings::REMARKS.iter().filter(|_| request.ir.remarks).map(|&option| option.to_owned()));
        let cache = request.run.cache.clone().filter(|_| !request.ir.remarks);
        let cache = StepCache::new(cache, || format!("{} {options:?}", found.identity()));
        let workers = Workers::new(request.ir.worker.clone(), Library::Llvm, found.path.clone(), options);
        report.llvm = Some(found);
        let IrOptions { lto, lto_variable, partitions, .. } = request.ir;
        if let Some(lto @ (Lto::Off | Lto::Whole)) = lto
            && let Some(parts) = partitions.filter(|&parts| lto == Lto::Off || parts != 1)
        {
            let decides = lto_variable.map_or_else(|| format!("--lto={}", lto.word()), str::to_owned);
            let message = format!("--lto-partitions {parts} has no effect: {decides} does not split the program");
            report.diags.push(Diagnostic::warning(codes::E0085, message));
        }
        Some(Build::with(request, keep_all, workers, cache))
    }

    /// A build with these workers.
    fn with(request: &'a Request, keep_all: bool, workers: Workers, cache: StepCache) -> Build<'a> {
        let (number, _) = crate::workers::number(&request.run, usize::MAX);
        let temps = Temps::new(request.ir.save_temps.clone());
        let compile_early = request.selection.names.is_empty() && request.selection.pattern.is_none();
        let config = config(request, number);
        Build { request, keep_all, compile_early, workers, config, temps, cache }
    }

    /// Runs all steps.
    fn run(&self, modules: &[Module], others: &[Input], report: &mut Watched<'_>) -> Option<Ready> {
        let settings = self.settings(modules, others, report)?;
        if let ControlFlow::Break(ended) = self.whole(modules, &settings, report) {
            return ended;
        }
        let lto = self.request.ir.lto;
        if lto == Some(Lto::Off) {
            return self.separately(modules, &settings, report);
        }
        let simplified = self.simplify(modules, &settings, report)?;
        let is_large = simplified.iter().map(|(_, bitcode)| bitcode.len()).sum::<usize>() >= thin::LARGE;
        if (lto == Some(Lto::Thin) || lto.is_none() && is_large)
            && let ControlFlow::Break(ended) = self.thin(&simplified, &settings, report)
        {
            return ended;
        }
        let (bitcode, summary) = self.link(&simplified, &settings, report)?;
        drop(simplified);
        let partitions = if lto == Some(Lto::Whole) { Some(1) } else { self.request.ir.partitions };
        report.one_part = self.one_part(&summary, partitions);
        self.compiled(bitcode, &summary, partitions, &settings, report)
    }

    /// What makes a program one part, beside its size.
    fn one_part(&self, summary: &Summary, partitions: Option<usize>) -> Option<&'static str> {
        let ir = &self.request.ir;
        match (ir.lto, partitions) {
            (Some(Lto::Whole), _) => Some(ir.lto_variable.unwrap_or("--lto=whole")),
            (_, Some(1)) => Some("--lto-partitions=1"),
            _ => summary.assembly_names_symbols().then_some("inline assembly outside of functions names its symbols"),
        }
    }

    /// The settings, with the architecture and the symbols that the other inputs share with it.
    fn settings(&self, modules: &[Module], others: &[Input], report: &mut Watched<'_>) -> Option<Settings> {
        self.start(report)?;
        let target = match self.request.selection.arch {
            Some(target) => target,
            None => self.target(modules, others, report)?,
        };
        let mut settings = settings(self.request, self.keep_all, target);
        settings.keep.extend(others.iter().filter_map(|other| other.content.text()).flat_map(beside::shared));
        settings.keep.sort_unstable();
        settings.keep.dedup();
        settings.owned = self.owned(modules, &settings, report)?;
        Some(settings)
    }

    /// Phase 0 and phase I: the program's bitcode and its symbols.
    fn linked(&self, modules: &[Module], settings: &Settings, report: &mut Watched<'_>) -> Option<(Vec<u8>, Summary)> {
        let simplified = self.simplify(modules, settings, report)?;
        self.link(&simplified, settings, report)
    }

    /// Phase II.
    fn compiled(
        &self,
        bitcode: Vec<u8>,
        summary: &Summary,
        partitions: Option<usize>,
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> Option<Ready> {
        let program = match Program::linked(&bitcode) {
            Ok(program) => program,
            Err(error) => {
                report.diags.push(not_stored(&error));
                return None;
            }
        };
        drop(bitcode);
        let options = PlanOptions { partitions, ..PlanOptions::default() };
        let plan = report.timeline.main_phase("plan", || Plan::of(summary, &options));
        self.parts(summary, &plan, &program, settings, report)
    }
}

/// The error for bitcode that cannot be written to a temporary file.
fn not_stored(error: &io::Error) -> Diagnostic {
    Diagnostic::fatal(codes::E0010, format!("the program's bitcode cannot be stored: {error}"))
}

/// Settings of a build.
fn settings(request: &Request, keep_all: bool, target: &Target) -> Settings {
    let IrOptions { ftz, prec_div, prec_sqrt, .. } = request.ir;
    Settings {
        arch: target.name.to_owned(),
        sm: target.sm.into(),
        level: match request.codegen.opt {
            OptLevel::O0 => 0,
            OptLevel::O1 => 1,
            OptLevel::O2 => 2,
            OptLevel::O3 => 3,
        },
        ftz,
        // The defaults of NVIDIA's compiler.
        prec_div: prec_div.unwrap_or(true),
        prec_sqrt: prec_sqrt.unwrap_or(true),
        fmad: request.codegen.fmad,
        debug: request.codegen.debug || request.codegen.lineinfo,
        keep: request.ir.keep.clone(),
        owned: Vec::new(),
        locate: request.ir.locate,
        relocatable: keep_all,
    }
}

/// Options of LLVM that are process-wide: they do not depend on the architecture.
fn process_options(request: &Request) -> Vec<String> {
    settings(request, false, &raddle_target::TARGETS[0]).process_options()
}

/// Answers requests on standard input until it ends, for process `parent`.
///
/// # Errors
/// The library cannot be used, or a pipe fails.
pub fn serve(kind: Library, library: &Path, options: &[String], parent: Option<u32>) -> Result<(), WorkerError> {
    if let Some(parent) = parent {
        raddle_jobs::children::die_with_parent(parent);
    }
    // LLVM prints there, too: the times of passes, for example.
    let mut output = io::BufWriter::new(raddle_jobs::children::private_output()?);
    raddle_frontend::worker::serve(kind, library, options, &mut io::stdin().lock(), &mut output)
}
