//! A program of one function, without phases and parts (OPT-2).

use super::tasks::{Job, Question, refused};
use super::watched::Watched;
use super::workers::CallError;
use super::{Build, Module, Ready};
use crate::ahead;
use crate::early::EarlyObjects;
use crate::input::{Content, Input};
use crate::llvm;
use crate::report::IrStepKind;
use raddle_frontend::canonical::canonical;
use raddle_frontend::protocol::{Request, Response};
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::Said;
use raddle_jobs::Task;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

/// A larger input has more than one function, or takes so long that a detour does not matter.
const MOST: usize = 1 << 20;

impl Build<'_> {
    /// Compiles a program of one function; returns whether the build has ended. It goes on if there is more than one
    /// function, or on a failure that the way through all steps meets again, and reports.
    pub(super) fn whole(
        &self,
        modules: &[Module],
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> ControlFlow<Option<Ready>> {
        let [module] = modules else { return Continue(()) };
        if module.bytes.len() > MOST || self.temps.is_kept() {
            return Continue(());
        }
        let libdevice = llvm::libdevice(&self.request.ir).ok();
        let library = self.cache.device_library(libdevice.as_deref());
        let question = Question {
            job: Job {
                name: format!("compile {}", module.name).into(),
                what: format!("'{}'", module.name),
                priority: 0,
                cost: module.bytes.len() as u64,
                functions: 1,
            },
            request: Request::Whole { settings: settings.clone(), name: module.name.clone(), libdevice },
            contents: vec![&module.bytes],
        };
        let contents = [module.name.as_bytes(), &module.bytes, &library];
        let compile = |question: &Question<'_>, task: &mut Task| {
            let found = Response::Part { said: Said::default() };
            let (response, ptx) = self.cache.of("whole", settings, &contents, found, || {
                let (response, ptx) = self.answer(question, task)?;
                Ok((response, task.phase("canonical", |_| canonical(&String::from_utf8_lossy(&ptx))).into_bytes()))
            })?;
            if response == Response::NotOneFunction {
                return Ok::<_, CallError>(None);
            }
            let text = String::from_utf8_lossy(&ptx).into_owned();
            let possible = self.compile_early && ahead::is_possible(self.request);
            let objects = if possible { ahead::compile(self.request, NAME, &text, task) } else { Vec::new() };
            Ok(Some((response, text, objects)))
        };
        let steps = report.ir_steps.len();
        let made = self.run_each(IrStepKind::Whole, &[question], |question| &question.job, compile, report);
        let Some(made) = made else { return Break(None) };
        let what = format!("'{}'", module.name);
        let (response, text, objects) = match made.into_iter().next() {
            Some(Ok(Some(made))) => made,
            // The time that was given is over.
            Some(Err(error @ (CallError::Expired | CallError::Cancelled))) => {
                report.diags.push(refused(&what, &error));
                return Break(None);
            }
            _ => {
                report.ir_steps.truncate(steps);
                return Continue(());
            }
        };
        self.warn(&what, &response, report);
        let mut early = EarlyObjects::default();
        early.extend(objects);
        let early = (!early.is_empty()).then(|| Arc::new(early));
        let input = Input { name: NAME.to_owned(), content: Content::Text(text) };
        Break((!report.diags.has_errors()).then_some(Ready { inputs: vec![input], early }))
    }
}

/// The name of the PTX as an input.
const NAME: &str = "<LLVM IR>";
