//! Compiles the text of a module to a cubin, with messages as ptxas writes them.

use crate::log::Log;
use crate::options::{ABORTED, Arch, Options};
use crate::programs;
use raddle_cubin::Cubin;
use raddle_diag::{Class, Diagnostic, Diags, Policy, Severity, SourceMap};
use raddle_driver::cache::Cache;
use raddle_driver::codes;
use raddle_driver::compile::compile;
use raddle_driver::host::{Running, shared};
use raddle_driver::input::{self, Content, Input};
use raddle_driver::modes::select_output;
use raddle_driver::options::{CodegenOptions, RunOptions, Selection};
use raddle_driver::program::Unit;
use raddle_driver::progress::Progress;
use raddle_driver::report::{Report, UnitReport};
use raddle_driver::request::{Output, Request, WarnOn};
use raddle_driver::usage::{Kind, Speed, arrange, lines, names};
use raddle_dropin::asked::{DOUBLES, too_few_registers};
use raddle_dropin::bounds::{FEWEST, NO_THREADS, launch_bound};
use std::sync::Arc;
use std::time::Duration;

/// The name of the text in messages (libnvptxcompiler_static.a 13.0.88).
pub(crate) const NAME: &str = "application ptx input";

/// The newest version of PTX of CUDA 13.0. Newer text is compiled too, up to what the compiler
/// knows, but is not promised.
pub(crate) const NEWEST: (i32, i32) = (9, 0);

/// The interval at which a host is asked whether to cancel.
const TICK: Duration = Duration::from_millis(5);

/// What becomes of a compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A cubin.
    Cubin(Vec<u8>),
    /// The module was checked for a virtual architecture: there is no cubin.
    Checked,
    /// Errors in the module or in the options.
    Failed,
    /// The version of PTX is not known.
    Version,
    /// The host cancelled it.
    Cancelled,
    /// A defect of the compiler.
    Internal,
}

/// The logs of a handle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Logs {
    /// Errors.
    pub errors: Log,
    /// Warnings and what `--verbose` writes.
    pub infos: Log,
}

/// Asks the host whether to cancel; called on the thread that compiles.
pub(crate) type Flow<'a> = &'a mut dyn FnMut() -> bool;

/// Cuts a text at its first NUL: callers pass it with one, without one, and with more after it.
pub(crate) fn text(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or(bytes)
}

/// Compiles the text of a module.
pub(crate) fn run(name: &str, ptx: &[u8], options: &Options, flow: Option<Flow<'_>>, logs: &mut Logs) -> Outcome {
    let fatal = |logs: &mut Logs, text: &str| logs.errors.line(&format!("ptxas fatal   : {text}"));
    let text = match input::of_bytes(name, ptx) {
        Ok(Content::Text(text)) => text,
        Err(found) if found.code != codes::E0003 => {
            logs.errors.diagnostic(&found, &SourceMap::new());
            return Outcome::Failed;
        }
        Ok(_) | Err(_) => {
            let missing = format!("Missing .version directive at start of file '{name}'");
            logs.errors.line(&format!("ptxas {name}, line 1; fatal   : {missing}"));
            fatal(logs, ABORTED);
            return Outcome::Failed;
        }
    };
    let (fallback, unusable) = match programs::fallback() {
        Ok(fallback) => (fallback, None),
        Err(why) => (None, Some(why)),
    };
    if let Arch::Real(target) = options.arch
        && target.native.is_none()
        && fallback.is_none()
    {
        // Callers look for this line, and let the driver compile the module.
        fatal(logs, &format!("Value '{}' is not defined for option 'gpu-name'", target.name));
        logs.errors.line(&format!("ptxas         .     there is no native code for {} yet", target.name));
        unusable.iter().for_each(|why| logs.errors.line(&format!("ptxas         .     {why}")));
        return Outcome::Failed;
    }
    let policy = Policy {
        infos: false,
        warnings: !options.no_warnings,
        without: if options.no_stack_warning { &[codes::E0068] } else { &[] },
        warnings_as_errors: options.warnings_as_errors,
        ..Policy::default()
    };
    let mut diags = Diags::with_policy(policy);
    let (output, opt) = select_output(options.mode, &mut diags);
    for warning in options.warnings.iter().filter(|_| !options.no_warnings) {
        logs.infos.line(&format!("ptxas warning : {warning}"));
    }
    for found in diags.iter() {
        let log = if found.is_error() { &mut logs.errors } else { &mut logs.infos };
        log.diagnostic(found, &SourceMap::new());
    }
    if diags.has_errors() {
        return Outcome::Failed;
    }
    let lease = shared::of_process().lease(wanted(&text, options));
    let debug = options.mode.debug;
    let request = Request {
        inputs: vec![Input { name: name.to_owned(), content: Content::Text(text) }],
        selection: Selection {
            arch: Some(options.arch.target()),
            names: options.entries.clone(),
            fewest_registers: Some(FEWEST),
            bounds: options.bounds,
            all: debug || options.mode.compile_only,
            ..Selection::default()
        },
        codegen: CodegenOptions {
            opt,
            debug,
            lineinfo: (options.codegen.lineinfo || debug) && !options.no_debug_info,
            ..options.codegen.clone()
        },
        run: run_options(lease.count(), flow.is_some()),
        policy,
        output: if let Arch::Virtual(_) = options.arch { Output::Check } else { output },
        // The others have the words of ptxas, which callers look for: `told_on_request`.
        warn_on: WarnOn {
            double_precision: options.warn_on.double_precision,
            each_instruction: true,
            ..WarnOn::default()
        },
        fallback: fallback.clone(),
        ..Request::default()
    };
    let mut watch = Watch { flow, cancelled: false };
    let report = compile(request, &mut watch);
    drop(lease);
    if watch.cancelled {
        return Outcome::Cancelled;
    }
    let speed = Speed::of(opt, options.mode.fast);
    let registers = options.codegen.maxrregcount;
    let entries = &options.entries;
    let kind = Kind { executable: !output.is_relocatable(), debug, speed, entries, registers, log: true };
    let unsupported = report.diags.worst() == Some(Class::Unsupported);
    if options.verbose && !report.diags.has_errors() {
        for (unit, other) in report.units().filter(|unit| unit.fallback).zip(fallback.iter().cycle()) {
            logs.infos.line(&format!("ptxas info    : '{}' was passed to '{}'", unit.name, other.ptxas.display()));
        }
    }
    let outcome = finish(report, options, kind, logs);
    if unsupported {
        unusable.iter().for_each(|why| logs.errors.line(&format!("ptxas         .     {why}")));
    }
    outcome
}

/// The number of kernels that could be compiled at once: those in the text, up to what
/// `--split-compile` allows.
fn wanted(text: &str, options: &Options) -> usize {
    let kernels = text.matches(".entry").count();
    match options.split {
        None | Some(0) => kernels,
        Some(most) => kernels.min(most),
    }
}

/// The options of the run: slots, and what the environment says of a cache, of programs and, for
/// tests, of failures.
pub(crate) fn run_options(slots: usize, asks: bool) -> RunOptions {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    RunOptions {
        jobs: slots,
        tick: asks.then_some(TICK),
        // A cache that cannot be used costs time only.
        cache: variable("RADDLE_CACHE").and_then(|folder| Cache::open(folder).ok()).map(Arc::new),
        fault: std::env::var("RADDLE_FAULT").ok().and_then(|text| text.parse().ok()),
        worker: programs::worker(),
        ..RunOptions::default()
    }
}

/// Writes the logs, and returns the outcome.
fn finish(mut report: Report, options: &Options, kind: Kind<'_>, logs: &mut Logs) -> Outcome {
    let version = |found: &&Diagnostic| found.code == raddle_ptx::errors::E0105;
    if let Some(found) = report.diags.iter().find(version) {
        logs.errors.line(&unsupported_version(found, &report));
        return Outcome::Version;
    }
    let said = report.diags.iter().map(in_its_words).collect();
    for said in arrange(said, &names(&report, kind)) {
        match said.severity {
            Severity::Info => {}
            Severity::Warning => logs.infos.diagnostic(&said, &report.sources),
            Severity::Error | Severity::Fatal => logs.errors.diagnostic(&said, &report.sources),
        }
    }
    if report.diags.has_errors() {
        logs.errors.line(&format!("ptxas fatal   : {ABORTED}"));
        return match report.diags.worst() {
            Some(Class::Internal) => Outcome::Internal,
            _ => Outcome::Failed,
        };
    }
    let cubin = report.cubin.take();
    let told = told_on_request(&report, options.warn_on);
    if options.warnings_as_errors && !told.is_empty() {
        told.iter().for_each(|text| logs.errors.line(&format!("ptxas error   : {text}")));
        return Outcome::Failed;
    }
    for text in told.iter().filter(|_| !options.no_warnings) {
        logs.infos.line(&format!("ptxas warning : {text}"));
    }
    if options.verbose
        && let Some(cubin) = cubin.as_deref().and_then(|bytes| Cubin::parse(bytes).ok())
    {
        logs.infos.lines(&lines(&report, &cubin, kind));
    }
    match (cubin, options.arch) {
        (Some(cubin), _) => Outcome::Cubin(cubin),
        (None, Arch::Virtual(_)) => Outcome::Checked,
        (None, Arch::Real(_)) => Outcome::Internal,
    }
}

/// A message about registers in the words of ptxas, for which callers look; any other as it is.
fn in_its_words(found: &Diagnostic) -> Diagnostic {
    let function = found.function.as_deref().unwrap_or("");
    if found.code == codes::E0031
        && let Some(message) = too_few_registers(&found.message, function)
    {
        return Diagnostic::fatal(codes::E0031, message);
    }
    if found.code == codes::E0084
        && let Some(message) = launch_bound(&found.message, function)
    {
        return Diagnostic { message, labels: Vec::new(), ..found.clone() };
    }
    if found.code == codes::E0084 {
        return Diagnostic { message: NO_THREADS.to_owned(), ..found.clone() };
    }
    if found.code == codes::E0087 {
        return Diagnostic { message: DOUBLES.to_owned(), ..found.clone() };
    }
    found.clone()
}

/// The warnings about stack and spills that options ask for (ptxas 13.0.88 output).
fn told_on_request(report: &Report, warn_on: WarnOn) -> Vec<String> {
    let mut out = Vec::new();
    for UnitReport { name, frame, spill_bytes: (stores, loads), .. } in report.units() {
        if warn_on.local_memory && *frame > 0 {
            out.push(format!("Local memory used for function '{name}', size of stack frame: {frame} bytes"));
        }
        if warn_on.spills && stores + loads > 0 {
            let what = format!("{stores} bytes spill stores, {loads} bytes spill loads");
            out.push(format!("Registers are spilled to local memory in function '{name}', {what}"));
        }
    }
    out
}

/// The message for a version that is not known. Callers read the newest one out of it.
fn unsupported_version(found: &Diagnostic, report: &Report) -> String {
    let place = found.span().and_then(|span| {
        let file = report.sources.get(span.file)?;
        let version = file.text().get(span.start as usize..span.end as usize)?;
        Some((file.name(), file.line(span.start as usize), version))
    });
    let (name, line, version) = place.unwrap_or((NAME, 1, "?"));
    let (major, minor) = NEWEST;
    format!("ptxas {name}, line {line}; fatal   : Unsupported .version {version}; current version is '{major}.{minor}'")
}

/// Asks the host whether to cancel.
struct Watch<'a> {
    flow: Option<Flow<'a>>,
    cancelled: bool,
}

impl Progress for Watch<'_> {
    fn planned(&mut self, _: usize, _: u64) {}

    fn ended(&mut self, _: &Unit, _: Duration, _: bool) {}

    fn running(&mut self, _: &[Arc<Running>]) {}

    fn is_cancelled(&mut self) -> bool {
        // Once it is cancelled, it stays so.
        self.cancelled = self.cancelled || self.flow.as_mut().is_some_and(|flow| flow());
        self.cancelled
    }
}
