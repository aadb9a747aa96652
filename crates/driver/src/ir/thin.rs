//! A program that is not linked before its parts are compiled (`--lto=thin`).
//!
//! Problem: one task links the program and optimises it as a whole, and needs memory for all of it.
//! Strategy: the symbols of the inputs are linked, without their bodies; a part reads the bodies that
//! it needs from the inputs that have them. Passes over the whole program are left out: each part
//! sees the functions that it calls, and no others.

use super::program::Program;
use super::tasks::Question;
use super::watched::Watched;
use super::{Build, Ready};
use crate::codes;
use crate::report::IrStepKind;
use raddle_diag::Diagnostic;
use raddle_frontend::flags::{self, Flag};
use raddle_frontend::merge::{MergeError, merge};
use raddle_frontend::plan::{Plan, PlanOptions};
use raddle_frontend::protocol::{Request, Response};
use raddle_frontend::settings::Settings;
use raddle_frontend::summary::{Kind, Summary, Symbol};
use raddle_jobs::Task;
use std::ops::ControlFlow::{self, Break, Continue};

/// From this size of all simplified inputs on, in bytes of bitcode, a program is not linked unless
/// an option says so: 55 MB took 233 s and 0.7 GiB in this way, 265 s and 2.5 GiB linked
/// (`cargo campaign ir-scale`, two threads).
pub(super) const LARGE: usize = 16 << 20;

/// Why inputs can only be linked: what exists once would be in several parts, or in none.
fn only_linked(inputs: &[(&str, &Summary)]) -> Option<String> {
    for (name, summary) in inputs {
        if !summary.assembly.is_empty() {
            return Some(format!("'{name}' has inline assembly outside of functions"));
        }
        let of_variable = |symbol: &&Symbol| {
            let named = || symbol.uses.iter().map(|used| &summary.symbols[used.symbol as usize]);
            symbol.kind == Kind::Alias && named().any(|named| matches!(named.kind, Kind::Variable(_) | Kind::Alias))
        };
        if let Some(alias) = summary.symbols.iter().find(of_variable) {
            return Some(format!("'{name}' has the alias {} of a variable", alias.name));
        }
    }
    None
}

impl Build<'_> {
    /// Compiles simplified inputs without linking them; returns whether the build has ended. It goes
    /// on if the inputs can only be linked.
    pub(super) fn thin(
        &self,
        inputs: &[(String, Vec<u8>)],
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> ControlFlow<Option<Ready>> {
        let Some(described) = self.describe(inputs, settings, report) else { return Break(None) };
        let names = || inputs.iter().map(|(name, _)| name.as_str());
        let named: Vec<(&str, &[Flag])> = names().zip(described.iter().map(|(_, flags)| &flags[..])).collect();
        if let Err(conflict) = flags::check(&named) {
            report.diags.push(Diagnostic::error(codes::E0092, conflict.to_string()));
            return Break(None);
        }
        let named: Vec<(&str, &Summary)> = names().zip(described.iter().map(|(summary, _)| summary)).collect();
        if let Some(why) = only_linked(&named) {
            report.diags.push(Diagnostic::info(codes::E0094, format!("the inputs are linked as a whole: {why}")));
            return Continue(());
        }
        let merged = report.timeline.main_phase("merge", || merge(&named, settings.relocatable, &settings.keep));
        let (summary, owner) = match merged {
            Ok(program) => (program.summary, program.owner),
            Err(error @ MergeError::Local { .. }) => {
                let message = format!("the inputs are linked as a whole: {error}");
                report.diags.push(Diagnostic::info(codes::E0094, message));
                return Continue(());
            }
            Err(error @ (MergeError::Twice { .. } | MergeError::Kind { .. })) => {
                report.diags.push(Diagnostic::error(codes::E0064, error.to_string()));
                return Break(None);
            }
            Err(error @ MergeError::Name { .. }) => {
                report.diags.push(Diagnostic::error(codes::E0092, error.to_string()));
                return Break(None);
            }
        };
        let program = match Program::of_modules(inputs, owner) {
            Ok(program) => program,
            Err(error) => {
                report.diags.push(super::not_stored(&error));
                return Break(None);
            }
        };
        let options = PlanOptions { partitions: self.request.ir.partitions, ..PlanOptions::default() };
        let plan = report.timeline.main_phase("plan", || Plan::of(&summary, &options));
        Break(self.parts(&summary, &plan, &program, settings, report))
    }

    /// The symbols and the flags of each input.
    fn describe(
        &self,
        inputs: &[(String, Vec<u8>)],
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> Option<Vec<(Summary, Vec<Flag>)>> {
        let ask = |name| Request::Describe { settings: settings.for_part(), name };
        let inputs = inputs.iter().map(|(name, bitcode)| (name.as_str(), bitcode.as_slice()));
        let questions = super::steps::questions(inputs, "describe", ask);
        let answer = |question: &Question<'_>, task: &mut Task| self.answer(question, task);
        let summary = |(response, _)| match response {
            Response::Described { summary, flags } => Some((summary, flags)),
            _ => None,
        };
        self.all(IrStepKind::Describe, &questions, answer, report)?.into_iter().map(summary).collect()
    }
}
