//! Our own compiler, called as a library.

use anyhow::{Result, bail, ensure};
use raddle_driver::compile::{Request, compile};
use raddle_driver::host::Chaos;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions, Selection};
use raddle_target::Target;

/// How a module is compiled.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Architecture.
    pub arch: &'static str,
    /// Level of optimisation.
    pub opt: OptLevel,
    /// Units at once.
    pub jobs: usize,
    /// Seed of disorder, `None` for order.
    pub chaos: Option<u64>,
}

/// Compiles a module without contracting multiplications and additions.
///
/// # Errors
/// The first three messages of the compiler.
pub fn cubin(ptx: &str, how: How) -> Result<Vec<u8>> {
    work(ptx, how, false)
}

/// [`cubin`] with line information.
///
/// # Errors
/// As [`cubin`].
pub fn cubin_with_lines(ptx: &str, how: How) -> Result<Vec<u8>> {
    work(ptx, how, true)
}

fn work(ptx: &str, how: How, lineinfo: bool) -> Result<Vec<u8>> {
    let Some(arch) = Target::by_name(how.arch) else { bail!("no architecture {}", how.arch) };
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(ptx.to_owned()) }],
        selection: Selection { arch: Some(arch), ..Selection::default() },
        codegen: CodegenOptions { opt: how.opt, fmad: false, lineinfo, ..CodegenOptions::default() },
        run: RunOptions { jobs: how.jobs, chaos: how.chaos.map(Chaos::new), ..RunOptions::default() },
        ..Request::default()
    };
    let report = compile(request, &mut ());
    let messages: Vec<String> = report.diags.iter().filter(|d| d.is_error()).map(|d| d.message.to_string()).collect();
    ensure!(messages.is_empty(), "{} errors: {}", messages.len(), messages[..messages.len().min(3)].join("; "));
    let Some(cubin) = report.cubin else { bail!("neither a cubin nor an error") };
    Ok(cubin)
}
