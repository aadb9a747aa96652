//! Finds the kernel or function for which LLVM has no code.
//!
//! Problem: a part has many kernels, and a fatal error of LLVM names none. Strategy: the kernels
//! and functions of a part that failed are compiled one by one, each in a worker that is not used
//! again if it dies; the error names those that fail alone.

use super::Build;
use super::parts::{Parts, what};
use super::tasks::{Job, refused};
use super::watched::Watched;
use super::workers::CallError;
use crate::codes;
use crate::output::Dest;
use crate::report::IrStepKind;
use crate::reproduce::{file_name, quoted};
use raddle_diag::Diagnostic;
use raddle_frontend::plan::{Part, Plan, Role};
use raddle_frontend::summary::Kind;
use raddle_jobs::Task;

/// Reports parts that failed, by number, with the functions that fail alone.
pub(super) fn report(
    build: &Build<'_>,
    parts: &Parts<'_>,
    plan: &Plan,
    died: Vec<(usize, CallError)>,
    report: &mut Watched<'_>,
) {
    for (number, error) in died {
        let part = &plan.parts[number];
        let is_llvm = matches!(error, CallError::Ended { .. } | CallError::Failed(_));
        let alone = if is_llvm { functions(parts, plan, part) } else { Vec::new() };
        let alone: Vec<(Job, Part)> = alone.into_iter().map(|part| (parts.job(&part), part)).collect();
        // Its bitcode, and how its compilation ends.
        let compile = |(_, part): &(Job, Part), task: &mut Task| {
            let (_, bitcode) = build.ask("extract", &parts.extract(part), &[], task)?;
            let made = build.ask("LLVM", &parts.compile(part), &[&bitcode], task);
            Ok((bitcode, made.err()))
        };
        let mut named = false;
        let ended = build.run_each(IrStepKind::Other, &alone, |(job, _)| job, compile, report).unwrap_or_default();
        for ((_, one), ended) in alone.iter().zip(ended) {
            let (bitcode, error) = match ended {
                Ok((bitcode, Some(error))) => (Some(bitcode), error),
                Ok((_, None)) => continue,
                Err(error) => (None, error),
            };
            named = true;
            let diagnostic = refused(&format!("'{}'", one.name), &error);
            let kept = bitcode.and_then(|bitcode| keep(build, parts, one, &bitcode, report));
            report.diags.push(kept.into_iter().fold(diagnostic, Diagnostic::help));
        }
        if !named {
            report.diags.push(refused(&what(part), &error));
        }
    }
}

/// A part for each function that is defined in this one.
fn functions(parts: &Parts<'_>, plan: &Plan, part: &Part) -> Vec<Part> {
    let defined = part.symbols.iter().filter(|(_, role)| *role == Role::Defined).map(|&(symbol, _)| symbol);
    let is_function =
        |symbol: &u32| matches!(parts.summary.symbols[*symbol as usize].kind, Kind::Kernel | Kind::Function);
    defined.filter(is_function).map(|symbol| plan.alone(parts.summary, symbol)).collect()
}

/// Keeps the bitcode of a function, if a folder for failures was given. Returns the command that
/// repeats the failure.
fn keep(build: &Build<'_>, parts: &Parts<'_>, part: &Part, bitcode: &[u8], report: &mut Watched<'_>) -> Option<String> {
    let Some(folder) = build.request.reproduce.as_deref() else {
        return Some("--reproduce DIR keeps its bitcode".to_owned());
    };
    let path = folder.join(file_name(&part.name)).with_extension("bc");
    let written = std::fs::create_dir_all(folder).and_then(|()| Dest::Path(path.clone()).write(bitcode));
    if let Err(error) = written {
        let message = format!("cannot write '{}': {error}", path.display());
        report.diags.push(Diagnostic::error(codes::E0010, message));
        return None;
    }
    let llvm = report.llvm.as_ref()?.path.display().to_string();
    let file = quoted(&path.display().to_string());
    let settings = parts.settings;
    Some(format!(
        "to repeat it: raddle compile {file} --llvm {} --arch {} -O{} -j1 -o /dev/null",
        quoted(&llvm),
        settings.arch,
        settings.level
    ))
}
