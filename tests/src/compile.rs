//! Calls our compiler as a library.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use raddle_driver::compile::compile;
use raddle_driver::host::Chaos;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions, Selection};
use raddle_driver::ptxas::Fallback;
use raddle_driver::request::{Functions, Output, Request};
use raddle_target::Target;

use crate::level::Level;

/// Options of a compilation.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Architecture.
    pub arch: &'static str,
    /// Level of optimisation.
    pub opt: OptLevel,
    /// Units at once.
    pub jobs: usize,
    /// Seed of disorder, `None` for none.
    pub chaos: Option<u64>,
}

impl How {
    fn codegen(self) -> CodegenOptions {
        CodegenOptions { opt: self.opt, fmad: false, ..CodegenOptions::default() }
    }

    fn run(self) -> RunOptions {
        RunOptions { jobs: self.jobs, chaos: self.chaos.map(Chaos::new), ..RunOptions::default() }
    }
}

/// Compiles a module without contracting multiplications and additions.
///
/// # Errors
/// The first three messages of the compiler.
pub fn cubin(ptx: &str, how: How) -> Result<Vec<u8>> {
    work(ptx, how.arch, how.codegen(), how.run())
}

/// Compiles a module with `-O3`: multiplications and additions are contracted, as they are by
/// default.
///
/// # Errors
/// As [`cubin`].
pub fn cubin_contracted(ptx: &str, arch: &str) -> Result<Vec<u8>> {
    let codegen = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    work(ptx, arch, codegen, RunOptions { jobs: 1, ..RunOptions::default() })
}

/// Like [`cubin`], with line information.
///
/// # Errors
/// As [`cubin`].
pub fn cubin_with_lines(ptx: &str, how: How) -> Result<Vec<u8>> {
    work(ptx, how.arch, CodegenOptions { lineinfo: true, ..how.codegen() }, how.run())
}

/// Compiles a module to a relocatable object.
///
/// # Errors
/// As [`cubin`].
pub fn object(ptx: &str, how: How) -> Result<Vec<u8>> {
    object_of(ptx, how, how.codegen())
}

/// Compiles a module to a relocatable object with line information.
///
/// # Errors
/// As [`cubin`].
pub fn object_with_lines(ptx: &str, how: How) -> Result<Vec<u8>> {
    object_of(ptx, how, CodegenOptions { lineinfo: true, ..how.codegen() })
}

/// Compiles modules with these names with `-g`, to an object or an executable. `jobs` and `chaos`
/// are those of [`How`]; the level is `-O0`.
///
/// # Errors
/// As [`cubin`].
pub fn for_debugging(modules: &[(&str, &str)], how: How, relocatable: bool) -> Result<Vec<u8>> {
    finish(debugging(modules, how, relocatable)?)
}

/// Like [`for_debugging`], with the kernels and functions of this name, all for `*`, made by this
/// ptxas.
///
/// # Errors
/// As [`cubin`].
pub fn for_debugging_by(
    ptxas: &Path,
    name: &str,
    modules: &[(&str, &str)],
    how: How,
    relocatable: bool,
) -> Result<Vec<u8>> {
    finish(by(ptxas, name, debugging(modules, how, relocatable)?)?)
}

/// Like [`cubin`] or, relocatable, [`object`], with the kernels and functions of this name, all for
/// `*`, made by this ptxas.
///
/// # Errors
/// As [`cubin`].
pub fn with_fallback(ptxas: &Path, name: &str, ptx: &str, how: How, relocatable: bool) -> Result<Vec<u8>> {
    let input = Input { name: "module.ptx".into(), content: Content::Text(ptx.to_owned()) };
    let output = if relocatable { Output::Object(Functions::Exported) } else { Output::Executable };
    let request = Request { output, ..request(vec![input], how.arch, how.codegen(), how.run())? };
    finish(by(ptxas, name, request)?)
}

/// Makes our compiler refuse the kernels and functions of this name.
fn by(ptxas: &Path, name: &str, mut request: Request) -> Result<Request> {
    request.run.fault = Some(format!("resources:{name}").parse().map_err(|e| anyhow!("{e}"))?);
    request.fallback = Some(Fallback { ptxas: ptxas.to_owned(), limit: Duration::from_secs(300), options: Vec::new() });
    Ok(request)
}

fn debugging(modules: &[(&str, &str)], how: How, relocatable: bool) -> Result<Request> {
    let how = How { opt: OptLevel::O0, ..how };
    let codegen = CodegenOptions { lineinfo: true, debug: true, ..how.codegen() };
    let output = if relocatable { Output::Object(Functions::Exported) } else { Output::LinkedExecutable };
    let input = |&(name, text): &(&str, &str)| Input { name: name.into(), content: Content::Text(text.to_owned()) };
    Ok(Request { output, ..request(modules.iter().map(input).collect(), how.arch, codegen, how.run())? })
}

/// Like [`cubin`], at one of the tested levels, one unit at a time.
///
/// # Errors
/// As [`cubin`].
pub fn cubin_at(ptx: &str, arch: &str, level: Level) -> Result<Vec<u8>> {
    work(ptx, arch, level.options(), RunOptions { jobs: 1, ..RunOptions::default() })
}

fn object_of(ptx: &str, how: How, codegen: CodegenOptions) -> Result<Vec<u8>> {
    let input = Input { name: "module.ptx".into(), content: Content::Text(ptx.to_owned()) };
    let output = Output::Object(Functions::Exported);
    finish(Request { output, ..request(vec![input], how.arch, codegen, how.run())? })
}

fn work(ptx: &str, arch: &str, codegen: CodegenOptions, run: RunOptions) -> Result<Vec<u8>> {
    let input = Input { name: "module.ptx".into(), content: Content::Text(ptx.to_owned()) };
    finish(request(vec![input], arch, codegen, run)?)
}

fn request(inputs: Vec<Input>, arch: &str, codegen: CodegenOptions, run: RunOptions) -> Result<Request> {
    let Some(target) = Target::by_name(arch) else { bail!("no architecture {arch}") };
    let selection = Selection { arch: Some(target), ..Selection::default() };
    Ok(Request { inputs, selection, codegen, run, ..Request::default() })
}

fn finish(request: Request) -> Result<Vec<u8>> {
    let report = compile(request, &mut ());
    let messages: Vec<String> = report.diags.iter().filter(|d| d.is_error()).map(|d| d.message.to_string()).collect();
    ensure!(messages.is_empty(), "{} errors: {}", messages.len(), messages[..messages.len().min(3)].join("; "));
    let Some(cubin) = report.cubin else { bail!("neither a cubin nor an error") };
    Ok(cubin)
}
