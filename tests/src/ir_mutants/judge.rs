//! What the compiler makes of damaged files.
//!
//! Problem: a worker process with LLVM takes longer to start than a small module to compile.
//! Strategy: [`Judge::batch`] gives many files to one run, in which workers go on from input to
//! input. One more input that is never valid ends the run after the step that treats each input on
//! its own; all that this step refuses is reported, input by input. [`Judge::alone`] compiles one
//! file to the end.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use raddle_cubin::raw::Raw;
use raddle_diag::{Class, Diagnostic};
use raddle_driver::codes;
use raddle_driver::compile::compile;
use raddle_driver::input::{self, Content, Input};
use raddle_driver::options::{CodegenOptions, IrOptions, Lto, OptLevel, RunOptions, Selection};
use raddle_driver::report::Report;
use raddle_driver::request::{Functions, Output, Request};
use raddle_driver::unpack::unpack;
use raddle_fatbin::container;
use raddle_target::Target;

use super::mutate::Mutant;

/// Compiles mutants.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The LLVM library.
    pub llvm: PathBuf,
    /// The program of worker processes.
    pub worker: PathBuf,
    /// The time limit of an input.
    pub limit: Duration,
}

/// What became of mutants.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Mutants that were tried.
    pub mutants: usize,
    /// Mutants that the step for single inputs takes.
    pub accepted: usize,
    /// Mutants that were refused, by code of the error.
    pub refused: BTreeMap<String, usize>,
    /// Mutants that were compiled to the end, and of these the ones that have a result.
    pub compiled: (usize, usize),
    /// Mutants that were linked, and of these the ones that have a result.
    pub linked: (usize, usize),
    /// Errors that name a kernel or function of the mutant, and not its file.
    pub named_by_symbol: usize,
    /// What must not be.
    pub faults: Vec<String>,
}

impl Tally {
    /// Adds the numbers of another one.
    pub fn add(&mut self, other: Tally) {
        self.mutants += other.mutants;
        self.accepted += other.accepted;
        other.refused.into_iter().for_each(|(code, count)| *self.refused.entry(code).or_default() += count);
        self.compiled = (self.compiled.0 + other.compiled.0, self.compiled.1 + other.compiled.1);
        self.linked = (self.linked.0 + other.linked.0, self.linked.1 + other.linked.1);
        self.named_by_symbol += other.named_by_symbol;
        self.faults.extend(other.faults);
    }

    fn refuse(&mut self, error: &Diagnostic) {
        *self.refused.entry(error.code.to_string()).or_default() += 1;
    }
}

/// The input that ends a run.
const NEVER_VALID: &str = "never-valid.ll";

/// Errors with which an input of LLVM IR may be refused: LLVM's, its end, the time limit.
const REFUSALS: [raddle_diag::Code; 3] = [codes::E0092, codes::E0093, codes::E0049];

impl Judge {
    /// Tries mutants in one run. Returns which of them were accepted.
    pub fn batch(&self, mutants: &[Mutant], tally: &mut Tally) -> Vec<usize> {
        let mut inputs = Vec::new();
        let mut accepted = vec![false; mutants.len()];
        for (n, mutant) in mutants.iter().enumerate() {
            tally.mutants += 1;
            match guarded(mutant, || read(mutant)) {
                Err(fault) => tally.faults.push(fault),
                Ok(Err(error)) => {
                    tally.refuse(&error);
                    if !error.message.contains(&mutant.name()) || error.class() == Class::Internal {
                        tally.faults.push(format!("{}: {}: {}", mutant.name(), error.code, error.message));
                    }
                }
                // What is taken for PTX, or for a cubin.
                Ok(Ok(found)) if found.iter().any(|input| !input.content.is_ir()) => self.alone(mutant, tally),
                Ok(Ok(found)) => {
                    accepted[n] = true;
                    inputs.extend(found);
                }
            }
        }
        let text = "define void @f( {".to_owned();
        inputs.push(Input { name: NEVER_VALID.into(), content: Content::Ir(text) });
        let first = mutants.first().map_or(0, |mutant| mutant.number);
        // Now and then the step that reads the architecture.
        let arch = (first / mutants.len().max(1) as u64) % 8 != 7;
        let ran = catch_unwind(AssertUnwindSafe(|| compile(self.request(inputs, arch, 2), &mut ())));
        let Ok(report) = ran else {
            tally.faults.push(format!("the run of {} mutants from {first} panicked", mutants.len()));
            return Vec::new();
        };
        if report.cubin.is_some() || !report.diags.iter().any(|d| d.is_error() && d.message.contains(NEVER_VALID)) {
            tally
                .faults
                .push(format!("{} mutants from {first}: an input that is never valid was taken", mutants.len()));
        }
        for error in report.diags.iter().filter(|d| d.is_error() && !d.message.contains(NEVER_VALID)) {
            let named = mutants.iter().position(|mutant| error.message.contains(&format!("'{}", mutant.name())));
            match named {
                Some(n) if REFUSALS.contains(&error.code) => {
                    if std::mem::take(&mut accepted[n]) {
                        tally.refuse(error);
                    }
                }
                _ => tally.faults.push(format!("mutants from {first}: {}: {}", error.code, error.message)),
            }
        }
        let taken: Vec<usize> = (0..mutants.len()).filter(|&n| accepted[n]).collect();
        tally.accepted += taken.len();
        taken
    }

    /// Compiles a mutant to the end, in one of several ways.
    pub fn alone(&self, mutant: &Mutant, tally: &mut Tally) {
        tally.compiled.0 += 1;
        let name = mutant.name();
        let ran = guarded(mutant, || {
            let inputs = read(mutant).map_err(|error| format!("{}: {}", error.code, error.message))?;
            let mut request = self.request(inputs, true, 1);
            let number = mutant.number as usize;
            request.codegen.opt = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3][number % 4];
            request.ir.partitions = [None, Some(1), Some(8)][number % 3];
            request.ir.lto = [None, Some(Lto::Thin)][number / 12 % 2];
            if number % 5 == 4 {
                request.codegen.relocatable = true;
                request.output = Output::Object(Functions::Exported);
            }
            Ok::<_, String>(compile(request, &mut ()))
        });
        let report = match ran {
            Ok(Ok(report)) => report,
            Ok(Err(fault)) | Err(fault) => return tally.faults.push(format!("{name}: {fault}")),
        };
        match &report.cubin {
            Some(cubin) if !report.diags.has_errors() => {
                tally.compiled.1 += 1;
                if let Err(error) = Raw::parse(cubin) {
                    tally.faults.push(format!("{name}: a damaged cubin: {error}"));
                }
            }
            None if report.diags.has_errors() => {}
            _ => tally.faults.push(format!("{name}: a cubin after an error, or neither")),
        }
        for error in report.diags.iter().filter(|d| d.is_error()) {
            match names(error, &report, &name) {
                Some(by_file) => tally.named_by_symbol += usize::from(!by_file),
                None => tally.faults.push(format!("{name}: {} names nothing: {}", error.code, error.message)),
            }
            if error.class() == Class::Internal && error.code != codes::E0093 {
                tally.faults.push(format!("{name}: {}: {}", error.code, error.message));
            }
        }
        if let Some(error) = report.diags.iter().find(|d| d.is_error()) {
            tally.refuse(error);
        }
    }

    fn request(&self, inputs: Vec<Input>, arch: bool, jobs: usize) -> Request {
        let target = Target::by_name("sm_90").filter(|_| arch);
        Request {
            inputs,
            selection: Selection { arch: target, ..Selection::default() },
            codegen: CodegenOptions { opt: OptLevel::O2, ..CodegenOptions::default() },
            run: RunOptions { jobs, keep_going: true, kernel_timeout: Some(self.limit), ..RunOptions::default() },
            ir: IrOptions { llvm: Some(self.llvm.clone()), worker: Some(self.worker.clone()), ..IrOptions::default() },
            ..Request::default()
        }
    }
}

/// Whether an error names the file (`true`), or a kernel, function or part of it (`false`).
pub(super) fn names(error: &Diagnostic, report: &Report, file: &str) -> Option<bool> {
    let place = error.span().and_then(|span| report.sources.get(span.file)).map(|source| source.name());
    if error.message.contains(file) || place.is_some_and(|name| name.contains(file)) {
        return Some(true);
    }
    let symbol = ["'", "the part with '", "variable '"].iter().any(|start| error.message.starts_with(start));
    (error.function.is_some() || symbol).then_some(false)
}

/// Runs what must not panic.
pub(super) fn guarded<T>(mutant: &Mutant, run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("{} panicked: {}", mutant.name(), text.unwrap_or_default())
    })
}

/// The modules in a mutant, as the command line reads them from a file.
fn read(mutant: &Mutant) -> Result<Vec<Input>, Box<Diagnostic>> {
    let name = mutant.name();
    match mutant.bytes.get(..container::START) {
        Some(start) if container::is_container(start) => unpack(&name, &mutant.bytes, Target::by_name("sm_90").into()),
        _ => Ok(vec![Input { content: input::of_bytes(&name, &mutant.bytes)?, name }]),
    }
}
