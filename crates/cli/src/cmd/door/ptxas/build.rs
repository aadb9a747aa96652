//! Compiles for a call of ptxas.

use super::super::other::Other;
use super::super::say;
use super::plan::Plan;
use super::remarks;
use super::wording::{Worded, worded};
use super::{ABORTED, End, TOOL, inputs};
use crate::Failure;
use crate::args::Jobserver;
use crate::cmd::{build_outputs, caching, compile, request, restart};
use crate::ui::Ui;
use raddle_cubin::Cubin;
use raddle_diag::{Class, Code, Diagnostic, Diags, Policy, Severity, SourceMap};
use raddle_driver::codes;
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::modes::select_output;
use raddle_driver::options::{JobsSource, RunOptions};
use raddle_driver::output::Dest;
use raddle_driver::report::Report;
use raddle_driver::request::Output;
use raddle_driver::usage::{self, Kind, Speed};
use raddle_dropin::bounds::FEWEST;
use std::time::Instant;

/// Warnings that ptxas does not give: builds that treat warnings as errors would fail.
const UNKNOWN_TO_PTXAS: &[Code] = &[codes::E0068, codes::E0095];

/// Compiles, and writes the output.
pub(super) fn run(plan: &Plan) -> Result<(), End> {
    let begun = Instant::now();
    let ui = Ui::new(&plan.global);
    let policy = Policy { without: UNKNOWN_TO_PTXAS, ..ui.policy() };
    warn(plan, policy, &ui)?;
    let other = Other::find(TOOL);
    let no_code = plan.no_code();
    if let (Some(why), Some(_)) = (&no_code, other.path()) {
        return Err(End::Elsewhere(why.clone(), None));
    }
    let args = &plan.args;
    let resume = restart::resume().map_err(|failure| ended(failure, &ui))?;
    let read = inputs::read(&plan.files, &plan.strings, &resume);
    let isolated = resume.isolated.clone();
    restart::arm(resume, read.copies);
    let cache = build_outputs::cache(&args.record, &ui).map_err(|failure| ended(failure, &ui))?;
    let run = run_options(plan, &ui).map_err(|failure| ended(failure, &ui))?;
    let run = RunOptions { isolated, ..build_outputs::options(&args.record, cache.clone(), run) };
    let mut mode = args.mode.options(&args.codegen);
    if (plan.fast_compile || mode.extensible) && remarks::are_without_abi(&read.inputs) {
        (mode.fast, mode.extensible) = (None, false);
    }
    let speed = mode.fast;
    let (output, opt) = select_output(mode, &mut Diags::with_policy(policy));
    let only_read = plan.only_read || !read.complete || no_code.is_some();
    let output = if only_read { Output::Check } else { output };
    let missing = if args.mode.device_debug { missing_sections(&read.inputs) } else { Vec::new() };
    let mut request = compile::request_of(args, policy, (output, opt), read.inputs, run);
    request.selection.fewest_registers = Some(FEWEST);
    request.selection.bounds = plan.bounds;
    request.selection.all = args.mode.device_debug || plan.object;
    request.warn_on.each_instruction = true;
    request.fallback = other.path().and_then(|path| format!("ptxas:{}", path.display()).parse().ok());
    let report = compile(request, &mut ());
    restart::disarm();
    if let Some(cache) = cache {
        caching::finish(&cache, &ui).map_err(|failure| ended(failure, &ui))?;
    }
    build_outputs::write(&args.record, &report, begun).map_err(|failure| ended(failure, &ui))?;
    let counts = |diagnostic: &&Diagnostic| !only_read || diagnostic.class() != Class::Unsupported;
    let worst = report.diags.iter().filter(counts).filter(|d| d.is_error()).map(Diagnostic::class).max();
    if matches!(worst, Some(Class::Unsupported | Class::Internal)) && read.complete && other.path().is_some() {
        // What is missing here may be there; an error in the input is one for everybody.
        let why = report.diags.iter().find(|d| d.is_error()).map_or_else(String::new, |d| d.message.clone());
        return Err(End::Elsewhere(why, read.stdin));
    }
    if worst.is_none() && read.complete {
        remarks::show(plan, &report, policy, &ui)?;
    }
    let Worded { said, aborted } = worded(report.diags.iter().filter(counts), &report.sources, read.complete);
    let kind = Kind {
        executable: !output.is_relocatable(),
        debug: args.mode.device_debug,
        speed: Speed::of(opt, speed),
        entries: &plan.entries,
        registers: args.codegen.maxrregcount,
        log: false,
    };
    // A last message comes after what was said before.
    let ends = !aborted && said.last().is_some_and(|last| last.severity == Severity::Fatal);
    let said = if ends { said } else { usage::arrange(said, &usage::names(&report, kind)) };
    let (before, of_code) = said.split_at(said.iter().position(usage::is_of_code).unwrap_or(said.len()));
    before.iter().for_each(|diagnostic| ui.show_one(diagnostic, &report.sources));
    if !aborted && read.complete && report.units().next().is_some() {
        remarks::warn(missing.into_iter(), policy, &ui)?;
    }
    of_code.iter().for_each(|diagnostic| ui.show_one(diagnostic, &report.sources));
    if worst.is_some() || !read.complete {
        return Err(if aborted || !read.complete { End::Fatal(ABORTED.to_owned()) } else { End::Failed });
    }
    if let Some(why) = no_code {
        return Err(End::Elsewhere(why, None));
    }
    if plan.only_read {
        return Ok(());
    }
    let Some(bytes) = &report.cubin else { return Err(End::Fatal("internal error of Raddle: no result".to_owned())) };
    if plan.verbose {
        tell(&report, bytes, kind, &other);
    }
    let path = &args.output;
    let unwritable = |_| End::Fatal(format!("Output file '{}' could not be opened", plan.output));
    report.keeping(|| Dest::new(path).write(bytes)).map_err(unwritable)
}

/// Shows the warnings about options; fails where warnings are errors.
fn warn(plan: &Plan, policy: Policy, ui: &Ui) -> Result<(), End> {
    remarks::warn(plan.warnings.iter().cloned(), policy, ui)
}

/// What is missed of debug information that is wanted (ptxas 13.0.88 output).
fn missing_sections(inputs: &[Input]) -> Vec<String> {
    let has =
        |name: &str| inputs.iter().any(|input| matches!(&input.content, Content::Text(text) if text.contains(name)));
    let missing = [".debug_abbrev", ".debug_info"].into_iter().filter(|name| !has(name));
    missing.map(|name| format!(" {name} section not found")).collect()
}

/// The end after a failure that is not about the input.
fn ended(failure: Failure, ui: &Ui) -> End {
    if let Failure::Say(diagnostic) = failure {
        ui.show_one(&diagnostic, &SourceMap::new());
    }
    End::Failed
}

/// The options of the run. A make that shares its slots decides how many kernels are compiled at
/// once; without one, `RADDLE_JOBS` or `--split-compile`, and otherwise it is one: builds start many
/// of these tools at once.
fn run_options(plan: &Plan, ui: &Ui) -> Result<RunOptions, Failure> {
    let mut run = request::plain_run_options()?;
    request::slots(&mut run, plan.args.jobs.jobs, Jobserver::Silent, ui)?;
    if plan.jobserver && plan.split.is_some_and(|split| split != 1) && run.jobserver.is_none() {
        remarks::no_jobserver(ui)?;
    }
    match plan.split {
        None if run.jobserver.is_none() && run.jobs == 0 => (run.jobs, run.jobs_source) = (1, JobsSource::Split),
        None | Some(0) => {}
        Some(split) => run = run.at_most(split, JobsSource::Split),
    }
    Ok(run)
}

/// What `-v` prints.
fn tell(report: &Report, bytes: &[u8], kind: Kind<'_>, other: &Other) {
    for unit in report.units().filter(|unit| unit.fallback) {
        let path = other.path().map_or_else(String::new, |path| path.display().to_string());
        say(TOOL, "info", &format!("'{}' was passed to '{path}'", unit.name));
    }
    if let Ok(cubin) = Cubin::parse(bytes) {
        let text = usage::lines(report, &cubin, kind);
        // A failure to write to standard error cannot be reported.
        let _ = std::io::Write::write_all(&mut std::io::stderr().lock(), text.as_bytes());
    }
}
