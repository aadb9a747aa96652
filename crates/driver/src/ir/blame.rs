//! Finds the kernel or function for which LLVM has no code.
//!
//! Problem: a part has many kernels, and a fatal error of LLVM names none. Strategy: the kernels
//! and functions of a part that failed are compiled one by one, each in a worker that is not used
//! again if it dies; the error names those that fail alone. Where none does, the error is that of the
//! part.

use super::Build;
use super::kept::{Form, Kept};
use super::parts::{Parts, what};
use super::tasks::{Job, refused};
use super::watched::Watched;
use super::workers::CallError;
use crate::report::IrStepKind;
use raddle_diag::Diagnostic;
use raddle_frontend::plan::{Part, Plan, Role};
use raddle_frontend::summary::{Kind, SymbolId};
use raddle_jobs::Task;

/// A function of a part that failed, as a part of its own.
struct Alone {
    job: Job,
    part: Part,
    function: SymbolId,
}

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
        // Its bitcode, and how its compilation ends.
        let compile = |alone: &Alone, task: &mut Task| {
            let (_, bitcode) = build.ask("extract", &parts.extract_alone(&alone.part, alone.function), &[], task)?;
            let made = build.ask("LLVM", &parts.compile(&alone.part), &[&bitcode], task);
            let explained = |error| build.with_culprit(error, parts.settings, (&alone.part.name, &bitcode), task);
            let error = made.err().map(explained);
            Ok((bitcode, error))
        };
        let mut named = false;
        let ended = build.run_each(IrStepKind::Other, &alone, |alone| &alone.job, compile, report).unwrap_or_default();
        for (alone, ended) in alone.iter().zip(ended) {
            let (bitcode, error) = match ended {
                Ok((bitcode, Some(error))) => (Some(bitcode), error),
                Ok((_, None)) => continue,
                Err(error) => (None, error),
            };
            named = true;
            let name = &alone.part.name;
            let diagnostic = refused(&format!("'{name}'"), &error);
            let is_kernel = parts.summary.symbols[alone.function as usize].kind == Kind::Kernel;
            let form = if is_kernel { Form::Kernel } else { Form::Function };
            let kept = bitcode.and_then(|bytes| {
                let kept = Kept { files: &[(name, &bytes)], form, settings: parts.settings };
                build.keep(&kept, report)
            });
            report.diags.push(kept.into_iter().fold(diagnostic, Diagnostic::help));
        }
        if !named {
            // It may fail as a whole only.
            let mut diagnostic = refused(&what(part), &error);
            if is_llvm {
                let extract = |_: &Job, task: &mut Task| build.ask("extract", &parts.extract(part), &[], task);
                let job = [parts.job(part)];
                let made = build.run_each(IrStepKind::Other, &job, |job| job, extract, report).unwrap_or_default();
                if let Some(Ok((_, bytes))) = made.into_iter().next() {
                    let name = &part.name;
                    let kept = Kept { files: &[(name, &bytes)], form: Form::Part, settings: parts.settings };
                    diagnostic = build.keep(&kept, report).into_iter().fold(diagnostic, Diagnostic::help);
                }
            }
            report.diags.push(diagnostic);
        }
    }
}

/// A part for each function that is defined in this one.
fn functions(parts: &Parts<'_>, plan: &Plan, part: &Part) -> Vec<Alone> {
    let defined = part.symbols.iter().filter(|(_, role)| *role == Role::Defined).map(|&(symbol, _)| symbol);
    let is_function =
        |symbol: &SymbolId| matches!(parts.summary.symbols[*symbol as usize].kind, Kind::Kernel | Kind::Function);
    let alone = |function: SymbolId| {
        let part = plan.alone(parts.summary, function);
        Alone { job: parts.job(&part), part, function }
    };
    defined.filter(is_function).map(alone).collect()
}
