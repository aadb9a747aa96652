//! `cargo xtask coverage [--arch ARCH]... [-O0|-O1] [--emit ir|sass] [-o FILE] PATH...`: which PTX modules compile whole,
//! and what the others lack.
//!
//! Every kernel of every `.ptx` file (folders are searched) goes through lowering, optimisation, code generation and the
//! linker; nothing is run. Prints one line a module that does not compile, and at the end the missing instructions by the
//! number of modules that they hold up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use raddle_diag::{Diags, FileId};
use raddle_ir::{CodegenOptions, Cx, Observer, OptLevel, Stop};
use raddle_target::Target;

/// Prints what a pass made.
pub(crate) struct Emit(pub Option<String>);

impl Observer for Emit {
    fn after(&self, pass: &'static str, text: &dyn Fn() -> String) {
        if self.0.as_deref() == Some(pass) {
            println!("{}", text());
        }
    }
}

/// Runs the command.
///
/// # Errors
/// Unreadable files, unknown architectures.
pub fn run(args: &[String]) -> Result<()> {
    let mut archs = Vec::new();
    let mut paths = Vec::new();
    let mut options = CodegenOptions::default();
    let mut emit = None;
    let mut out = None;
    let mut args = args.iter();
    while let Some(a) = args.next() {
        match a.as_str() {
            "--arch" => archs.push(args.next().context("--arch needs a name")?.clone()),
            "--emit" => emit = Some(args.next().context("--emit needs a pass")?.clone()),
            "-o" => out = Some(args.next().context("-o needs a file")?.clone()),
            "-O0" => options.opt = OptLevel::O0,
            "-O1" => options.opt = OptLevel::O1,
            path => files(Path::new(path), &mut paths)?,
        }
    }
    if archs.is_empty() {
        archs.push("sm_90a".to_owned());
    }
    let emit = Emit(emit);
    for arch in &archs {
        let target = Target::by_name(arch).with_context(|| format!("no target {arch}"))?;
        let (mut whole, mut lacking) = (0, BTreeMap::<String, usize>::new());
        for path in &paths {
            let lacks = module(path, target, &options, &emit, out.as_deref())?;
            if lacks.is_empty() {
                whole += 1;
                continue;
            }
            println!("{}: {}", path.display(), lacks[0]);
            let mut seen: Vec<&str> = lacks.iter().map(|l| l.split(" (").next().unwrap_or(l)).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.into_iter().for_each(|l| *lacking.entry(l.to_owned()).or_default() += 1);
        }
        let mut list: Vec<_> = lacking.into_iter().collect();
        list.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        for (what, n) in list {
            println!("{n:5} {what}");
        }
        println!("{arch}: {whole} of {} modules compile whole", paths.len());
    }
    Ok(())
}

/// All PTX files below a path, sorted.
///
/// # Errors
/// Unreadable folders.
pub(crate) fn files(path: &Path, out: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(path)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
        entries.sort();
        return entries.iter().try_for_each(|p| files(p, out));
    }
    if path.extension().is_some_and(|e| e == "ptx") {
        out.push(path.to_owned());
    }
    Ok(())
}

/// What a module lacks; empty if it compiles.
pub(crate) fn module(
    path: &Path,
    target: &'static Target,
    options: &CodegenOptions,
    emit: &Emit,
    out: Option<&str>,
) -> Result<Vec<String>> {
    let src = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(&src, FileId::FIRST, &mut diags);
    let mut lacks = Vec::new();
    let mut units = Vec::new();
    let lines: Vec<usize> = std::iter::once(0).chain(src.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let functions = outline.funcs.iter().filter(|(_, f)| !f.entry && f.body.is_some()).map(|(id, _)| id);
    let bodies =
        functions.map(|id| (id, raddle_ptx::parse_body(&src, FileId::FIRST, &outline, id, &mut diags))).collect();
    for (func, f) in outline.kernels() {
        let body = raddle_ptx::parse_body(&src, FileId::FIRST, &outline, func, &mut diags);
        let line = |at: u32| lines.partition_point(|&s| s <= f.text.start + at as usize) as u32;
        let input = raddle_lower::Input {
            outline: &outline,
            func,
            body: &body,
            bodies: &bodies,
            apart: None,
            src: &src,
            line: &line,
            lines: None,
        };
        let cx = Cx { observer: emit, ..Cx::new(target, options) };
        let unit = raddle_lower::lower(&cx, &input).and_then(|function| {
            let mut unit = raddle_lower::unit(&cx, &input, function)?;
            raddle_opt::run(&cx, &mut unit.function)?;
            if let Err(e) = raddle_ir::verify::verify(&unit.function) {
                return Err(Stop::Internal { pass: "opt", what: e.join("; ") });
            }
            raddle_codegen::expand::run(&mut unit.function);
            raddle_opt::late(&cx, &mut unit.function)?;
            raddle_codegen::compile_unit(&cx, &unit)
        });
        match unit {
            Ok(unit) => units.push(unit),
            Err(Stop::Unsupported(list)) => {
                lacks.extend(list.iter().map(|u| format!("{} ({}, line {}) {}", u.what, u.kernel, u.line, u.why)));
            }
            Err(stop) => lacks.push(format!("{} ({})", stop, f.name)),
        }
    }
    if diags.has_errors() {
        lacks.push("errors".into());
    }
    if lacks.is_empty() && !units.is_empty() {
        let bytes = raddle_link::finalize(&units, &raddle_link::FinalizeOptions::new(target));
        match (bytes, out) {
            (Ok(bytes), Some(out)) => std::fs::write(out, bytes)?,
            (Ok(_), None) => {}
            (Err(e), _) => lacks.push(format!("link: {e}")),
        }
    }
    if units.is_empty() && lacks.is_empty() && out.is_some() {
        bail!("{}: no kernels", path.display());
    }
    Ok(lacks)
}
