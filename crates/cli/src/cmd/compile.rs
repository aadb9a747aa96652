//! `raddle compile`: PTX modules to one cubin.

use super::{build_outputs, caching, explain_build, kernels, remote, request, restart, split, units};
use crate::args::ptxas::{self, Verdict};
use crate::args::{Compile, Emit, MessageFormat};
use crate::progress::Show;
use crate::ui::Ui;
use crate::{Done, Failure};
use raddle_diag::{Class, Code, Diagnostic, Diags, Policy, SourceMap};
use raddle_driver::codes;
use raddle_driver::compile::compile;
use raddle_driver::input::Input;
use raddle_driver::ir;
use raddle_driver::modes::{ModeOptions, select_output};
use raddle_driver::options::{CodegenOptions, JobsSource, OptLevel, RunOptions};
use raddle_driver::output::Dest;
use raddle_driver::ptxas::Fallback;
use raddle_driver::report::Report;
use raddle_driver::request::{Dump, Output, Request};
use std::time::Instant;

pub(crate) fn run(args: &Compile, ui: &Ui) -> Done {
    let begun = Instant::now();
    if args.print_after.is_some() && matches!(args.emit, Emit::Ir | Emit::Mir) {
        let message = "--print-after cannot be combined with --emit ir or --emit mir";
        return Err(Failure::Say(Box::new(Diagnostic::fatal(codes::E0019, message))));
    }
    let (output, opt) = selected(args, ui)?;
    if output.is_relocatable() && args.split.verify_split {
        return Err(Failure::new(codes::E0019, split::NO_EXECUTABLE));
    }
    build_outputs::check_outputs(&args.files, &args.record, &[Some(&args.output), args.ir.remarks.as_ref()])?;
    request::warn_of_useless(&args.codegen.caches, ui)?;
    let (split_jobs, through_units) = split::wanted(&args.split, ui)?;
    let cache = build_outputs::cache(&args.record, ui)?;
    let resume = restart::resume()?;
    let inputs = restart::read(&args.files, &resume, args.ir.libraries.wanted(args.select.arch))?;
    let isolated = resume.isolated.clone();
    restart::arm(resume, inputs.copies);
    let run = request::run_options(&args.jobs, ui)?.at_most(split_jobs.unwrap_or(0), JobsSource::Split);
    let run = RunOptions { isolated, ..build_outputs::options(&args.record, cache.clone(), run) };
    let run = units::options(&args.units, ui, remote::options(&args.record.remote, ui, run)?)?;
    let emitted_to = run.emit.clone();
    let run = RunOptions { only_output: !args.verbose && !args.record.tells(), ..run };
    let request = request_of(args, ui.policy(), (output, opt), inputs.inputs, run);
    if args.split.verify_split {
        split::verify(&request, ui)?;
    }
    let mut show = Show::new(ui, &args.jobs, &request.run);
    let (mut report, emitted) = match args.emit.form() {
        Some(form) => ir::emit(request, form, &mut show),
        None if through_units => (raddle_driver::split::compile(request, &mut show), None),
        None => (compile(request, &mut show), None),
    };
    show.clear();
    restart::disarm();
    ui.show(&report.diags, &report.sources);
    if args.print_after.is_some() && !report.dump.is_empty() {
        ui.note(report.dump.trim_end());
    }
    if args.verbose {
        kernels::show(&report, ui, begun);
    }
    remote::finish(&report, ui)?;
    let done = match (&args.units.emit_units, emitted_to) {
        (Some(path), Some(folder)) if !report.diags.has_errors() => units::finish(path, &folder, ui),
        _ => finish(args, ui, &report, emitted, begun),
    };
    if args.record.explain {
        explain_build::show(&report, ui, begun);
    }
    if let Some(cache) = cache {
        caching::finish(&cache, ui)?;
        kernels::cache(cache.used(), !report.functions.is_empty(), ui, args.verbose);
    }
    // The process ends: the claim to memory is returned, but freeing all objects one by one would take
    // longer than writing the output.
    drop(report.memory.take());
    std::mem::forget(report);
    done
}

/// The request of a command line.
pub(super) fn request_of(
    args: &Compile,
    policy: Policy,
    (output, opt): (Output, OptLevel),
    inputs: Vec<Input>,
    run: RunOptions,
) -> Request {
    let without: &[Code] = if args.mode.suppress_stack_size_warning { &[codes::E0068] } else { policy.without };
    Request {
        inputs,
        selection: request::selection(&args.select),
        codegen: CodegenOptions {
            opt,
            debug: args.mode.device_debug,
            lineinfo: (args.codegen.lineinfo || args.mode.device_debug) && !args.mode.suppress_debug_info,
            ..args.codegen.options()
        },
        run,
        dump: match (&args.print_after, args.emit) {
            (Some(pass), _) => Dump::After(pass.clone()),
            (None, Emit::Ir) => Dump::Ir,
            (None, Emit::Mir) => Dump::Mir,
            (None, _) => Dump::None,
        },
        policy: Policy { without, ..policy },
        keys: args.verbose,
        reproduce: args.record.reproduce.clone(),
        fallback: args.fallback.clone().map(|fallback| Fallback { options: passed_on(args), ..fallback }),
        output,
        warn_on: args.mode.warn_on(),
        ir: args.ir.options(),
    }
}

/// The options that only a fallback uses.
fn passed_on(args: &Compile) -> Vec<String> {
    let fallback_only = |option: &&String| matches!(ptxas::verdict(option), Verdict::FallbackOnly(_));
    args.mode.ptxas_options.iter().filter(fallback_only).map(|option| format!("--{option}")).collect()
}

/// Returns output and optimisation level; contradictory or unsupported options end the command.
fn selected(args: &Compile, ui: &Ui) -> Result<(Output, OptLevel), Failure> {
    let mut diags = Diags::with_policy(ui.policy());
    let mode = args.mode.options(&args.codegen);
    let compile_only = mode.compile_only || args.emit == Emit::Obj;
    let selected = select_output(ModeOptions { compile_only, ..mode }, &mut diags);
    for option in &args.mode.ptxas_options {
        match ptxas::verdict(option) {
            Verdict::Nothing => {}
            Verdict::FallbackOnly(_) if args.fallback.is_some() => {}
            Verdict::NoEffect(message) | Verdict::FallbackOnly(message) => {
                diags.push(Diagnostic::info(codes::E0086, message))
            }
            Verdict::NotSupported(message) => diags.push(Diagnostic::fatal(codes::E0081, message)),
            Verdict::Wrong(message) => diags.push(Diagnostic::fatal(codes::E0019, message)),
        }
    }
    ui.show(&diags, &SourceMap::new());
    diags.worst().map_or(Ok(selected), |class| Err(Failure::from(class)))
}

/// Writes the output.
fn finish(args: &Compile, ui: &Ui, report: &Report, emitted: Option<Vec<u8>>, begun: Instant) -> Done {
    build_outputs::write(&args.record, report, begun)?;
    build_outputs::write_remarks(&args.ir, report)?;
    if let Some(class) = report.diags.worst() {
        return Err(summary(report, class, ui));
    }
    let (text, fatbin);
    let bytes: &[u8] = match (args.emit, emitted.as_ref().or(report.cubin.as_ref())) {
        (Emit::Bc | Emit::Ll | Emit::Ptx | Emit::Obj | Emit::Cubin, Some(bytes)) => bytes,
        (Emit::Sass, Some(cubin)) => {
            text = super::disasm::listing(
                &super::parse_cubin("<result>", cubin)?,
                None,
                super::disasm::Columns::default(),
            )?;
            text.as_bytes()
        }
        (Emit::Fatbin, Some(cubin)) => {
            fatbin = super::fatbin::of(cubin)?;
            &fatbin
        }
        (Emit::Ir | Emit::Mir, _) => report.dump.as_bytes(),
        (_, None) => return Err(Failure::new(codes::E0041, "no errors and no result")),
    };
    let dest = Dest::new(&args.output);
    match report.keeping(|| dest.write(bytes)) {
        Ok(()) => Ok(()),
        Err(error) if dest == Dest::Stdout && error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::Pipe),
        Err(error) => Err(build_outputs::unwritable(&dest.name(), &error)),
    }
}

/// What follows the number of errors where there is no output.
pub(crate) fn nothing_written(code: u8) -> String {
    format!("; nothing was written (exit code {code})")
}

/// Reports the number of errors, in human format, and returns the exit code.
fn summary(report: &Report, class: Class, ui: &Ui) -> Failure {
    ui.end(&nothing_written(class.exit_code()));
    if ui.format() == MessageFormat::Ptxas {
        let aborted = Diagnostic::fatal(codes::E0032, "Ptx assembly aborted due to errors");
        ui.show_one(&aborted, &report.sources);
    }
    Failure::from(class)
}
