//! `raddle compile`: PTX modules to one cubin.

use crate::args::{Compile, Emit, Jobs, Jobserver, MessageFormat, Select};
use crate::demangle::demangle;
use crate::ui::{Table, Ui};
use crate::{Done, Failure, alloc};
use indicatif::ProgressBar;
use raddle_diag::render::json;
use raddle_diag::{Class, Diagnostic, Diags, SourceMap};
use raddle_driver::codes;
use raddle_driver::compile::{self, KernelReport, Progress, Report, Request};
use raddle_driver::fault::Fault;
use raddle_driver::host::Chaos;
use raddle_driver::host::jobserver::{self, Found};
use raddle_driver::input::{self, Input};
use raddle_driver::options::{CodegenOptions, Meter, RunOptions, Selection};
use raddle_driver::output::Dest;
use raddle_driver::unit::Dump;
use std::sync::Arc;
use std::time::Instant;

pub(crate) fn run(args: &Compile, ui: &Ui) -> Done {
    let begun = Instant::now();
    let request = Request {
        inputs: read(&args.files)?,
        selection: selection(&args.select),
        codegen: CodegenOptions {
            opt: args.opt,
            fmad: args.fmad,
            maxrregcount: args.maxrregcount,
            lineinfo: args.lineinfo,
        },
        run: RunOptions { keep_going: args.keep_going, ..run_options(&args.jobs, ui)? },
        dump: match (&args.print_after, args.emit) {
            (Some(pass), _) => Dump::After(pass.clone()),
            (None, Emit::Ir) => Dump::Ir,
            (None, Emit::Mir) => Dump::Mir,
            (None, Emit::Sass | Emit::Cubin) => Dump::None,
        },
        policy: ui.policy(),
    };
    let mut bar = Bar::new(ui);
    let report = compile::compile(request, &mut bar);
    bar.clear();
    ui.show(&report.diags, &report.sources);
    if args.print_after.is_some() && !report.dump.is_empty() {
        ui.note(report.dump.trim_end());
    }
    if args.verbose {
        verbose(&report, ui, begun);
    }
    if let Some(path) = &args.timings {
        let mut trace = Vec::new();
        let written = report.timeline.write(&mut trace).and_then(|()| Dest::new(path).write(&trace));
        written.map_err(|error| unwritable(&path.display().to_string(), &error))?;
    }
    if let Some(class) = report.diags.worst() {
        return Err(summary(&report, class, ui));
    }
    let text;
    let bytes: &[u8] = match (args.emit, &report.cubin) {
        (Emit::Cubin, Some(cubin)) => cubin,
        (Emit::Sass, Some(cubin)) => {
            text = super::disasm::listing(
                &super::parse_cubin("<result>", cubin)?,
                None,
                super::disasm::Columns::default(),
            )?;
            text.as_bytes()
        }
        (Emit::Ir | Emit::Mir, _) => report.dump.as_bytes(),
        (_, None) => return Err(Failure::new(codes::E0041, "no errors and no result")),
    };
    let dest = Dest::new(&args.output);
    match dest.write(bytes) {
        Ok(()) => Ok(()),
        Err(error) if dest == Dest::Stdout && error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::Pipe),
        Err(error) => Err(unwritable(&dest.name(), &error)),
    }
}

fn unwritable(name: &str, error: &std::io::Error) -> Failure {
    Failure::new(codes::E0010, format!("cannot write '{name}': {error}"))
}

/// Reads all inputs; the first that cannot be read ends the command.
pub(super) fn read(files: &[String]) -> Result<Vec<Input>, Failure> {
    files.iter().map(|file| Ok(input::read(file)?)).collect()
}

pub(super) fn selection(select: &Select) -> Selection {
    Selection { arch: select.arch, names: select.entries.clone(), pattern: select.entry_regex.clone() }
}

/// Workers, job slots and disorder, from the command line and the environment.
pub(super) fn run_options(args: &Jobs, ui: &Ui) -> Result<RunOptions, Failure> {
    let meter = Some(Meter { reset: alloc::reset, peak: alloc::peak });
    let mut options = RunOptions { jobs: args.jobs, chaos: chaos()?, fault: fault()?, meter, ..RunOptions::default() };
    if args.jobserver == Jobserver::Off {
        return Ok(options);
    }
    let makeflags = std::env::var("MAKEFLAGS").ok();
    let required = args.jobserver == Jobserver::Require;
    // Without -j a server that is off or broken means one kernel at a time: make has given us one slot.
    let one_slot = if args.jobs == 0 { 1 } else { args.jobs };
    match jobserver::connect(makeflags.as_deref()) {
        Found::Client(client) => options.jobserver = Some(Arc::new(client)),
        Found::Broken(reason) => {
            let message = format!("MAKEFLAGS={}: {reason}", makeflags.unwrap_or_default());
            if required {
                return Err(Failure::new(codes::E0047, message));
            }
            let warning = Diagnostic::warning(codes::E0047, message)
                .help("put a `+` in front of the line in the recipe, or give -j N");
            let mut diags = Diags::with_policy(ui.policy());
            diags.push(warning);
            ui.show(&diags, &SourceMap::new());
            if let Some(class) = diags.worst() {
                return Err(Failure::from(class));
            }
            options.jobs = one_slot;
        }
        Found::None | Found::Serial if required => {
            return Err(Failure::new(codes::E0046, "MAKEFLAGS names no jobserver"));
        }
        Found::Serial => options.jobs = one_slot,
        Found::None => {}
    }
    Ok(options)
}

/// The seed of RADDLE_CHAOS; text that is no number is refused, since a test that meant disorder would run without.
fn chaos() -> Result<Option<Chaos>, Failure> {
    let Ok(text) = std::env::var("RADDLE_CHAOS") else { return Ok(None) };
    match text.parse() {
        Ok(seed) => Ok(Some(Chaos::new(seed))),
        Err(_) => Err(Failure::new(codes::E0029, format!("RADDLE_CHAOS={} is no number", raddle_diag::quote(&text)))),
    }
}

/// The failure that RADDLE_FAULT asks for.
fn fault() -> Result<Option<Fault>, Failure> {
    let Ok(text) = std::env::var("RADDLE_FAULT") else { return Ok(None) };
    let wrong = |why| Failure::new(codes::E0029, format!("RADDLE_FAULT={}: {why}", raddle_diag::quote(&text)));
    text.parse().map(Some).map_err(wrong)
}

/// Says how many kernels failed, for people, and gives the exit code.
pub(super) fn summary(report: &Report, class: Class, ui: &Ui) -> Failure {
    let counts = report.diags.counts();
    if ui.human() {
        let errors = counts.errors + counts.fatals;
        let plural = if errors == 1 { "" } else { "s" };
        ui.note(&format!("{errors} error{plural}; nothing was written (exit code {})", class.exit_code()));
    }
    if ui.format() == MessageFormat::Ptxas {
        ui.note("ptxas fatal   : Ptx assembly aborted due to errors");
    }
    Failure::from(class)
}

fn verbose(report: &Report, ui: &Ui, begun: Instant) {
    match ui.format() {
        MessageFormat::Human => table(report, ui, begun),
        MessageFormat::Json => report.kernels.iter().for_each(|kernel| ui.note(&object(kernel))),
        MessageFormat::Ptxas => {
            let target = report.target.map_or("?", |target| target.name);
            let compiled = report.kernels.iter().filter(|kernel| kernel.compiled);
            compiled.for_each(|kernel| ui.note(&properties(kernel, target)));
        }
    }
}

/// A kernel as one JSON object.
fn object(kernel: &KernelReport) -> String {
    serde_json::json!({
        "schema": json::SCHEMA,
        "kind": "kernel",
        "name": &*kernel.name,
        "compiled": kernel.compiled,
        "registers": kernel.registers,
        "barriers": kernel.barriers,
        "spill_stores": kernel.spill_bytes.0,
        "spill_loads": kernel.spill_bytes.1,
        "stack": kernel.frame,
        "shared": kernel.shared,
        "code": kernel.code,
        "instructions": kernel.instructions,
        "sass_instructions": kernel.code / 16,
        "peak_bytes": kernel.peak,
        "wall_ms": kernel.wall.as_secs_f64() * 1e3,
        "cpu_ms": kernel.cpu.as_secs_f64() * 1e3,
    })
    .to_string()
}

/// A kernel in the words of `ptxas -v` (ptxas 13.0.88 output).
fn properties(kernel: &KernelReport, target: &str) -> String {
    let KernelReport { name, registers, barriers, spill_bytes: (stores, loads), frame, shared, .. } = kernel;
    let smem = if *shared > 0 { format!(", {shared} bytes smem") } else { String::new() };
    format!(
        "ptxas info    : Compiling entry function '{name}' for '{target}'\n\
         ptxas info    : Function properties for {name}\n    \
         {frame} bytes stack frame, {stores} bytes spill stores, {loads} bytes spill loads\n\
         ptxas info    : Used {registers} registers, used {barriers} barriers{smem}"
    )
}

fn table(report: &Report, ui: &Ui, begun: Instant) {
    let mut table = Table::new(&[
        "regs", "spill st", "spill ld", "stack", "shared", "code", "PTX", "KiB peak", "ms", "CPU", "kernel",
    ]);
    for kernel in &report.kernels {
        let number = |n: usize| if kernel.compiled { n.to_string() } else { "-".to_string() };
        table.row([
            number(kernel.registers.into()),
            number(kernel.spill_bytes.0 as usize),
            number(kernel.spill_bytes.1 as usize),
            number(kernel.frame as usize),
            number(kernel.shared as usize),
            number(kernel.code),
            kernel.instructions.to_string(),
            kernel.peak.div_ceil(1024).to_string(),
            format!("{:.1}", kernel.wall.as_secs_f64() * 1e3),
            format!("{:.1}", kernel.cpu.as_secs_f64() * 1e3),
            demangle(&kernel.name),
        ]);
    }
    let cpu: f64 = report.kernels.iter().map(|kernel| kernel.cpu.as_secs_f64()).sum();
    ui.note(table.to_string().trim_end());
    ui.note(&format!(
        "{} kernels for {} on {} workers: {:.1} ms, {:.1} ms of CPU in kernels",
        report.kernels.len(),
        report.target.map_or("?", |target| target.name),
        report.workers,
        begun.elapsed().as_secs_f64() * 1e3,
        cpu * 1e3,
    ));
}

/// The bar on a terminal.
pub(super) struct Bar<'a> {
    ui: &'a Ui,
    bar: ProgressBar,
}

impl<'a> Bar<'a> {
    pub(super) fn new(ui: &'a Ui) -> Bar<'a> {
        Bar { ui, bar: ProgressBar::hidden() }
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar<'_> {
    fn planned(&mut self, units: usize) {
        self.bar = self.ui.progress(units);
    }

    fn ended(&mut self, name: &str, _: bool) {
        if !self.bar.is_hidden() {
            self.bar.set_message(demangle(name));
        }
        self.bar.inc(1);
    }
}
