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

mod temps;
mod workers;

use crate::codes;
use crate::input::{Content, Input};
use crate::llvm;
use crate::options::{IrOptions, OptLevel};
use crate::report::Report;
use crate::request::{Output, Request};
use crate::workers::config;
use raddle_diag::Diagnostic;
use raddle_frontend::canonical::canonical;
use raddle_frontend::plan::{Plan, PlanOptions, Role};
use raddle_frontend::protocol::{Request as Ask, Response};
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::Treatment;
use raddle_frontend::summary::Summary;
use raddle_frontend::worker::WorkerError;
use raddle_jobs::pool::{ExpectedUse, run_all};
use raddle_jobs::{Config, Outcome, Task};
use raddle_target::Target;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use temps::Temps;
use workers::{CallError, Workers};

/// Replaces inputs of LLVM IR by PTX; other inputs stay, and come first. Errors go to the report;
/// `None` after one.
pub(crate) fn to_ptx(request: &Request, inputs: Vec<Input>, report: &mut Report) -> Option<Vec<Input>> {
    let (ir, mut others): (Vec<Input>, Vec<Input>) = inputs.into_iter().partition(|input| input.content.is_ir());
    if ir.is_empty() {
        return Some(others);
    }
    let build = Build::new(request, report)?;
    let ir: Vec<Module> = ir.into_iter().filter_map(Module::of).collect();
    others.extend(build.run(ir, &others, report)?);
    Some(others)
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
            Content::Text(_) | Content::Elf(_) => return None,
        };
        Some(Module { name: input.name, bytes })
    }
}

/// A build of the IR of a request.
struct Build<'a> {
    request: &'a Request,
    workers: Workers,
    config: Config,
    temps: Temps,
}

impl<'a> Build<'a> {
    /// Finds the library.
    fn new(request: &'a Request, report: &mut Report) -> Option<Build<'a>> {
        let found = match llvm::find(&request.ir) {
            Ok(found) => found,
            Err(error) => {
                report.diags.push(error.diagnostic());
                return None;
            }
        };
        let mut options = process_options(request);
        options.extend(request.ir.llvm_options.iter().cloned());
        let program = request.ir.worker.clone().unwrap_or_else(|| "/proc/self/exe".into());
        let workers = Workers::new(program, found.path.clone(), options);
        report.llvm = Some(found);
        let (number, _) = crate::workers::number(&request.run, usize::MAX);
        let temps = Temps::new(request.ir.save_temps.clone());
        Some(Build { request, workers, config: config(request, number), temps })
    }

    /// Runs all steps.
    fn run(&self, modules: Vec<Module>, others: &[Input], report: &mut Report) -> Option<Vec<Input>> {
        let target = match self.request.selection.arch {
            Some(target) => target,
            None => self.target(&modules, others, report)?,
        };
        let settings = settings(self.request, target);
        let simplified = self.simplify(&modules, &settings, report)?;
        let (bitcode, summary) = self.link(simplified, &settings, report)?;
        let file = match stored(&bitcode) {
            Ok(file) => file,
            Err(error) => {
                let message = format!("the program's bitcode cannot be stored: {error}");
                report.diags.push(Diagnostic::fatal(codes::E0010, message));
                return None;
            }
        };
        drop(bitcode);
        let partitions = self.request.ir.partitions;
        let options = PlanOptions { partitions, relocatable: settings.relocatable, ..PlanOptions::default() };
        let plan = report.timeline.main_phase("plan", || Plan::of(&summary, &options));
        self.parts(&summary, &plan, &file, &settings, report)
    }

    /// The architecture that the inputs name; they must agree.
    fn target(&self, modules: &[Module], others: &[Input], report: &mut Report) -> Option<&'static Target> {
        let named = self.all(
            modules,
            |module| (Arc::from(format!("read {}", module.name)), module.bytes.len() as u64),
            |module| (Ask::Inspect { name: module.name.clone() }, vec![module.bytes.as_slice()]),
            |module| format!("'{}'", module.name),
            report,
        )?;
        let mut found: Vec<(&str, &'static Target)> = Vec::new();
        for other in others {
            let Content::Text(text) = &other.content else { continue };
            let outline = raddle_ptx::outline(text, raddle_diag::FileId::FIRST, &mut raddle_diag::Diags::new());
            found.extend(outline.target.map(|target| (other.name.as_str(), target)));
        }
        for (module, (response, _)) in modules.iter().zip(named) {
            let Response::Inspected { arch: Some(arch) } = response else { continue };
            match Target::by_name(&arch) {
                Some(target) => found.push((&module.name, target)),
                None => {
                    let message = format!("'{}' is for {arch}, which is not known here", module.name);
                    report.diags.push(Diagnostic::error(codes::E0023, message));
                }
            }
        }
        let first = match found.first() {
            Some(first) => *first,
            None => {
                let message = "the LLVM IR names no architecture";
                report.diags.push(Diagnostic::error(codes::E0024, message).help("choose one with --arch"));
                return None;
            }
        };
        if let Some((name, target)) = found.iter().find(|(_, target)| target.name != first.1.name) {
            let message = format!("'{}' is for {}, but '{name}' is for {}", first.0, first.1.name, target.name);
            report.diags.push(Diagnostic::error(codes::E0024, message).help("choose one with --arch"));
            return None;
        }
        (!report.diags.has_errors()).then_some(first.1)
    }

    /// Phase 0. Returns names and bitcode, in an order that does not depend on the order of inputs.
    fn simplify(&self, modules: &[Module], settings: &Settings, report: &mut Report) -> Option<Vec<(String, Vec<u8>)>> {
        // The message for a missing library is the worker's, which knows whether it is needed.
        let libdevice = llvm::libdevice(&self.request.ir).ok();
        let made = self.all(
            modules,
            |module| (Arc::from(format!("simplify {}", module.name)), module.bytes.len() as u64),
            |module| {
                let (settings, name, libdevice) = (settings.clone(), module.name.clone(), libdevice.clone());
                (Ask::Simplify { settings, name, libdevice }, vec![module.bytes.as_slice()])
            },
            |module| format!("'{}'", module.name),
            report,
        )?;
        let mut out = Vec::new();
        for (module, (response, bitcode)) in modules.iter().zip(made) {
            if let Response::Simplified { warnings } = response {
                warn(&format!("'{}'", module.name), warnings, report);
            }
            self.temps.keep(&format!("{}.simplified.bc", temps::stem(&module.name)), &bitcode, report);
            out.push((module.name.clone(), bitcode));
        }
        // By content: names are those of the command line.
        out.sort_by_cached_key(|(name, bitcode)| (*blake3::hash(bitcode).as_bytes(), name.clone()));
        Some(out)
    }

    /// Phase I.
    fn link(
        &self,
        simplified: Vec<(String, Vec<u8>)>,
        settings: &Settings,
        report: &mut Report,
    ) -> Option<(Vec<u8>, Summary)> {
        let size = simplified.iter().map(|(_, bitcode)| bitcode.len() as u64).sum();
        let all = [simplified];
        let made = self.all(
            &all,
            |_| (Arc::from("link"), size),
            |inputs| {
                let names = inputs.iter().map(|(name, _)| name.clone()).collect();
                let contents = inputs.iter().map(|(_, bitcode)| bitcode.as_slice()).collect();
                (Ask::Link { settings: settings.clone(), names }, contents)
            },
            |_| "the linked program".to_owned(),
            report,
        )?;
        let (response, bitcode) = made.into_iter().next()?;
        let Response::Linked { summary, warnings } = response else { return None };
        warn("the linked program", warnings, report);
        self.temps.keep("linked.bc", &bitcode, report);
        Some((bitcode, summary))
    }

    /// Phase II.
    fn parts(
        &self,
        summary: &Summary,
        plan: &Plan,
        file: &Stored,
        settings: &Settings,
        report: &mut Report,
    ) -> Option<Vec<Input>> {
        let promoted: BTreeSet<u32> = plan.promoted.iter().map(|promoted| promoted.symbol).collect();
        let made = self.all(
            &plan.parts,
            |part| (Arc::from(part.name.as_str()), part.cost),
            |part| {
                let treatment = |&(symbol, role): &(u32, Role)| {
                    let treatment = match role {
                        Role::Defined if promoted.contains(&symbol) => Treatment::Promoted,
                        Role::Defined => Treatment::Defined,
                        Role::Copied => Treatment::Copied,
                        Role::Declared => Treatment::Declared,
                    };
                    (summary.symbols[symbol as usize].name.clone(), treatment)
                };
                let symbols: BTreeMap<String, Treatment> = part.symbols.iter().map(treatment).collect();
                let (settings, program, name) = (settings.clone(), file.path.clone(), part.name.clone());
                (Ask::Part { settings, program, name, symbols }, Vec::new())
            },
            |part| format!("the part with '{}'", part.name),
            report,
        )?;
        let mut out = Vec::new();
        for (number, (part, (response, ptx))) in plan.parts.iter().zip(made).enumerate() {
            if let Response::Part { warnings } = response {
                warn(&format!("the part with '{}'", part.name), warnings, report);
            }
            let text = String::from_utf8_lossy(&ptx);
            let name = if plan.is_split() { format!("<LLVM IR: {}>", part.name) } else { "<LLVM IR>".to_owned() };
            let text = canonical(&text);
            self.temps.keep(&format!("part{number}.ptx"), text.as_bytes(), report);
            out.push(Input { name, content: Content::Text(text) });
        }
        Some(out)
    }

    /// Runs a request for each item on the pool; `None` if one fails or is cancelled. `need` gives
    /// name and cost, `what` names an item in messages.
    fn all<T: Sync>(
        &self,
        items: &[T],
        need: impl Fn(&T) -> (Arc<str>, u64),
        ask: impl Fn(&T) -> (Ask, Vec<&[u8]>) + Send + Sync,
        what: impl Fn(&T) -> String,
        report: &mut Report,
    ) -> Option<Vec<(Response, Vec<u8>)>> {
        let call = |task: &mut Task, _, item: &T| {
            let (request, contents) = ask(item);
            task.phase("LLVM", |task| self.workers.call(&request, &contents, task))
        };
        let ran = run_all(
            &self.config,
            items,
            |item| ExpectedUse { cost: need(item).1, bytes: LEAST + need(item).1 * PER_COST },
            |item| need(item).0,
            call,
            |_| !self.config.cancel.is_cancelled(),
        );
        let finished = match ran {
            Ok(ran) => ran.finished,
            Err(error) => {
                report.diags.push(Diagnostic::fatal(codes::E0042, format!("no worker could be started: {error}")));
                return None;
            }
        };
        let mut out = Vec::new();
        for (item, finished) in items.iter().zip(finished) {
            report.timeline.task(&finished, &[]);
            match finished.outcome {
                Outcome::Done(Ok(made)) => out.push(made),
                Outcome::Done(Err(error)) => report.diags.push(refused(&what(item), &error)),
                Outcome::Panicked(panic) => {
                    let message = format!("{}: the compiler panicked: {}", what(item), panic.message);
                    report.diags.push(Diagnostic::error(codes::E0040, message));
                }
                Outcome::Dropped => {
                    report.diags.push(Diagnostic::error(codes::E0043, format!("{}: cancelled", what(item))));
                }
            }
        }
        (!report.diags.has_errors()).then_some(out)
    }
}

/// The expected peak of memory of a worker: the library itself, and bytes per byte of bitcode or
/// instruction.
const LEAST: u64 = 96 << 20;
const PER_COST: u64 = 64;

fn warn(what: &str, warnings: Vec<String>, report: &mut Report) {
    for warning in warnings {
        report.diags.push(Diagnostic::warning(codes::E0092, format!("{what}: LLVM: {warning}")));
    }
}

fn refused(what: &str, error: &CallError) -> Diagnostic {
    match error {
        CallError::Io(_) => Diagnostic::fatal(codes::E0042, format!("{what}: {error}")),
        CallError::Ended { said, .. } => {
            let diagnostic = Diagnostic::error(codes::E0093, format!("{what}: {error}"));
            said.iter().fold(diagnostic, |diagnostic, line| diagnostic.note(line.clone()))
        }
        CallError::Cancelled => Diagnostic::error(codes::E0043, format!("{what}: cancelled")),
        CallError::Expired => Diagnostic::error(codes::E0049, format!("{what}: given up in LLVM: {error}"))
            .help("raise the limit with --kernel-timeout"),
        CallError::Failed(why) => Diagnostic::error(codes::E0092, format!("{what}: LLVM: {why}")),
    }
}

/// Settings of a build.
fn settings(request: &Request, target: &Target) -> Settings {
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
        prec_div,
        prec_sqrt,
        fmad: request.codegen.fmad,
        debug: request.codegen.debug || request.codegen.lineinfo,
        relocatable: request.output.is_relocatable() && request.output != Output::Unit { relocatable: false },
    }
}

/// Options of LLVM that are process-wide: they do not depend on the architecture.
fn process_options(request: &Request) -> Vec<String> {
    settings(request, &raddle_target::TARGETS[0]).process_options()
}

/// Bytes in a file without a name, which other processes of this user can open by a path.
struct Stored {
    path: PathBuf,
    _file: std::fs::File,
}

fn stored(bytes: &[u8]) -> io::Result<Stored> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
    Ok(Stored { path: path.into(), _file: file })
}

/// Answers requests on standard input until it ends, for process `parent`.
///
/// # Errors
/// The library cannot be used, or a pipe fails.
pub fn serve(library: &Path, options: &[String], parent: Option<u32>) -> Result<(), WorkerError> {
    if let Some(parent) = parent {
        raddle_jobs::children::die_with_parent(parent);
    }
    raddle_frontend::worker::serve(library, options, &mut io::stdin().lock(), &mut io::stdout().lock())
}
