//! Inputs that are not linked before they are compiled (`--lto=off`).

use super::kept::{Form, Kept};
use super::tasks::{Job, refused};
use super::watched::Watched;
use super::workers::CallError;
use super::{Build, Module, Ready};
use crate::early::EarlyObjects;
use crate::input::{Content, Input};
use crate::report::IrStepKind;
use raddle_diag::Diagnostic;
use raddle_frontend::settings::Settings;
use raddle_jobs::Task;
use std::sync::Arc;

impl Build<'_> {
    /// Makes PTX of each input; they are linked as modules of PTX.
    pub(super) fn separately(
        &self,
        modules: &[Module],
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> Option<Ready> {
        let simplified = self.simplify(modules, settings, report)?;
        let job = |(name, bitcode): (String, Vec<u8>)| {
            let what = format!("'{name}'");
            (
                Job {
                    name: format!("compile {name}").into(),
                    what,
                    priority: 0,
                    cost: bitcode.len() as u64,
                    functions: 0,
                },
                name,
                bitcode,
            )
        };
        let inputs: Vec<(Job, String, Vec<u8>)> = simplified.into_iter().map(job).collect();
        let make = |(job, name, bitcode): &(Job, String, Vec<u8>), task: &mut Task| {
            let made = self.made(name, bitcode, settings, job, task);
            made.map_err(|error| self.with_culprit(error, settings, (name, bitcode), task))
        };
        let (mut out, mut early) = (Vec::new(), EarlyObjects::default());
        let made = self.run_each(IrStepKind::Parts, &inputs, |(job, ..)| job, make, report)?;
        for ((job, name, bitcode), made) in inputs.iter().zip(made) {
            match made {
                Ok(made) => {
                    self.warn(&job.what, &made.response, report);
                    let stem = super::temps::stem(name, inputs.iter().map(|(_, name, _)| name.as_str()));
                    self.temps.keep(&format!("{stem}.ptx"), made.text.as_bytes(), report);
                    early.extend(made.objects);
                    out.push(Input { name: format!("<LLVM IR: {name}>"), content: Content::Text(made.text) });
                }
                Err(error) => {
                    let kept = Kept { files: &[(name, bitcode)], form: Form::Part, settings };
                    let ended = matches!(error, CallError::Ended { .. } | CallError::Failed(_));
                    let kept = if ended { self.keep(&kept, report) } else { None };
                    report.diags.push(kept.into_iter().fold(refused(&job.what, &error), Diagnostic::help));
                }
            }
        }
        let early = (!early.is_empty()).then(|| Arc::new(early));
        (!report.diags.has_errors()).then_some(Ready { inputs: out, early })
    }
}
