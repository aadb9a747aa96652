//! `cargo campaign producers-fallback`: with `--fallback=ptxas`, every module of the producers that ptxas accepts compiles.
//!
//! Each module of `tests/corpus/producers` is given to ptxas for the architecture it names (sm_80 where that is older), and, if ptxas
//! accepts it, to our compiler with ptxas behind it. What comes out must have the module's kernels and be read by nvdisasm whole. Records
//! how many modules fail.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{RunOptions, Selection};
use raddle_driver::ptxas::Fallback;
use raddle_driver::request::Request;
use raddle_filetest::oracle::{self, Oracle};
use raddle_target::Target;
use raddle_tests::kernel::corpus;
use raddle_tests::producers::{self, Module};
use raddle_tests::read;

use xtask::figures;

const COMMAND: &str = "cargo campaign producers-fallback";

/// What became of a module.
enum Verdict {
    /// ptxas does not accept it.
    Refused,
    /// It compiled; so many of its kernels were left to ptxas, of so many.
    Compiled(usize, usize),
}

/// Runs the campaign and records `codegen.producers.fallback`.
///
/// # Errors
/// Missing tools, and modules that do not compile.
pub fn run() -> Result<()> {
    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?;
    let nvdisasm = oracle::find("nvdisasm").context("nvdisasm is missing: make oracles")?;
    let folder = tempfile::tempdir()?;
    let modules = producers::modules(&corpus().join("producers"))?;
    let (mut accepted, mut whole, mut kernels, mut left, mut failed) = (0, 0, 0, 0, Vec::new());
    for module in &modules {
        match one(module, &ptxas, &nvdisasm, folder.path()) {
            Ok(Verdict::Refused) => println!("{}: ptxas does not accept it", module.name),
            Ok(Verdict::Compiled(by_ptxas, of)) => {
                accepted += 1;
                kernels += of;
                left += by_ptxas;
                whole += usize::from(by_ptxas == 0);
            }
            Err(why) => {
                accepted += 1;
                failed.push(format!("{}: {why:#}", module.name));
            }
        }
    }
    let note = format!(
        "{} of {accepted} modules that ptxas accepts compile ({} in the corpus); {whole} without ptxas; {left} of {kernels} kernels by \
         ptxas",
        accepted - failed.len(),
        modules.len()
    );
    println!("{note}");
    ensure!(accepted > 200, "ptxas accepts only {accepted} modules");
    figures::record("codegen.producers.fallback", failed.len() as f64, COMMAND, &note)?;
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}

/// The architecture that a module names, sm_80 for older ones.
fn target(module: &Module) -> Result<&'static Target> {
    let named = module.text.lines().find_map(|l| l.trim_start().strip_prefix(".target ")).context("no .target")?;
    let name = named.split([',', ' ']).next().unwrap_or_default().trim();
    let target = Target::by_name(name).with_context(|| format!("unknown target {name}"))?;
    if target.sm < 80 { Target::by_name("sm_80").context("no sm_80") } else { Ok(target) }
}

fn one(module: &Module, ptxas: &Oracle, nvdisasm: &Oracle, folder: &Path) -> Result<Verdict> {
    let target = target(module)?;
    let (input, output) = (folder.join("in.ptx"), folder.join("out.cubin"));
    std::fs::write(&input, &module.text)?;
    let mut command = ptxas.command();
    command.arg(format!("-arch={target}")).arg(&input).arg("-o").arg(&output);
    if !command.output()?.status.success() {
        return Ok(Verdict::Refused);
    }
    let request = Request {
        inputs: vec![Input { name: module.name.clone(), content: Content::Text(module.text.clone()) }],
        selection: Selection { arch: Some(target), ..Selection::default() },
        run: RunOptions { jobs: 2, ..RunOptions::default() },
        fallback: Some(Fallback {
            ptxas: ptxas.path().to_owned(),
            limit: Duration::from_secs(600),
            options: Vec::new(),
        }),
        ..Request::default()
    };
    let report = compile(request, &mut ());
    let errors: Vec<&str> = report.diags.iter().filter(|d| d.is_error()).map(|d| &*d.message).collect();
    let bytes = report.cubin.with_context(|| errors.join("; "))?;
    let theirs = Cubin::parse(&std::fs::read(&output)?)?;
    let ours = Cubin::parse(&bytes)?;
    for kernel in theirs.kernels() {
        ensure!(ours.kernel(kernel.name).is_some(), "kernel {} is not there", kernel.name);
    }
    read::disassembles(nvdisasm, &bytes)?;
    Ok(Verdict::Compiled(report.kernels.iter().filter(|k| k.fallback).count(), report.kernels.len()))
}
