//! Compiles a module.

use crate::{Arch, Cubin, Diagnostic, Error, Kernel, OptLevel, Options};
use raddle_driver::cache::Cache;
use raddle_driver::codes;
use raddle_driver::compile::compile as run;
use raddle_driver::host::{panics, shared};
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{self, CodegenOptions, RunOptions, Selection};
use raddle_driver::ptxas::Fallback;
use raddle_driver::report::Report;
use raddle_driver::request::{Functions, Output, Request};
use std::sync::Arc;

/// The name of a module without one.
const UNNAMED: &str = "<ptx>";

/// Compiles the text of a PTX module to a cubin.
///
/// # Errors
/// The module has errors, or something for which there is no code yet; the options do not fit it; the
/// call is cancelled.
pub fn compile(ptx: &str, options: &Options) -> Result<Cubin, Error> {
    let output = match (options.relocatable, options.debug) {
        (true, _) => Output::Object(Functions::Exported),
        (false, true) => Output::LinkedExecutable,
        (false, false) => Output::Executable,
    };
    let mut report = report(ptx, options, output)?;
    let found: Vec<raddle_diag::Diagnostic> = report.diags.iter().cloned().collect();
    let (Some(bytes), Some(target)) = (report.cubin.take(), report.target) else {
        return Err(Error::of(&found, &report.sources));
    };
    let diagnostics = found.iter().map(|found| Diagnostic::of(found, &report.sources)).collect();
    Ok(Cubin { bytes, arch: Arch::of(target), kernels: report.kernels.iter().map(Kernel::of).collect(), diagnostics })
}

/// Checks the text of a PTX module without compiling it, and lists everything for which there is no
/// code yet.
///
/// ```
/// let ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n    ret;\n}\n";
/// assert!(raddle::check(ptx, &raddle::Options::default())?.is_empty());
/// # Ok::<(), raddle::Error>(())
/// ```
///
/// # Errors
/// As for [`compile`](compile()).
pub fn check(ptx: &str, options: &Options) -> Result<Vec<Diagnostic>, Error> {
    let report = report(ptx, options, Output::Check)?;
    let found: Vec<raddle_diag::Diagnostic> = report.diags.iter().cloned().collect();
    if report.diags.has_errors() {
        return Err(Error::of(&found, &report.sources));
    }
    Ok(found.iter().map(|found| Diagnostic::of(found, &report.sources)).collect())
}

/// Runs a request for the module; the error is a panic outside of any kernel.
fn report(ptx: &str, options: &Options, output: Output) -> Result<Report, Error> {
    let name = options.name.clone().unwrap_or_else(|| UNNAMED.to_owned());
    let wanted = ptx.matches(".entry").count().min(options.jobs.unwrap_or(usize::MAX));
    let lease = shared::of_process().lease(wanted);
    let request = Request {
        inputs: vec![Input { name, content: Content::Text(ptx.to_owned()) }],
        selection: Selection {
            arch: options.arch.map(Arch::target),
            names: options.kernels.clone(),
            ..Selection::default()
        },
        codegen: codegen(options),
        run: run_options(options, lease.count()),
        fallback: options.fallback.clone().map(Fallback::new),
        output,
        ..Request::default()
    };
    let mut observer = options.observer.clone();
    guarded(|| run(request, &mut observer))
}

/// Runs a function; a panic becomes an error.
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Result<T, Error> {
    panics::catch(body).map_err(|panic| {
        let place = panic.place.map_or(String::new(), |place| format!(" at {place}"));
        let message = format!("the compiler panicked{place}: {}", panic.message);
        let found = raddle_diag::Diagnostic::fatal(codes::E0040, message);
        Error::of(&[found], &raddle_diag::SourceMap::new())
    })
}

fn codegen(options: &Options) -> CodegenOptions {
    CodegenOptions {
        opt: match options.opt {
            _ if options.debug => options::OptLevel::O0,
            OptLevel::O0 => options::OptLevel::O0,
            OptLevel::O1 => options::OptLevel::O1,
            OptLevel::O2 => options::OptLevel::O2,
            OptLevel::O3 => options::OptLevel::O3,
        },
        fmad: !options.without_fma,
        maxrregcount: options.registers,
        lineinfo: options.line_info || options.debug,
        debug: options.debug,
        ..CodegenOptions::default()
    }
}

pub(crate) fn run_options(options: &Options, slots: usize) -> RunOptions {
    RunOptions {
        jobs: slots,
        cancel: options.cancel.as_ref().map(crate::Cancel::token).unwrap_or_default(),
        worker: options.program.clone(),
        cache: options.cache.as_ref().and_then(|folder| Cache::open(folder).ok()).map(Arc::new),
        ..RunOptions::default()
    }
}
