//! The program in a form between IR and machine code.

use super::tasks::{Job, Question};
use super::watched::Watched;
use super::{Build, Module, Ready};
use crate::codes;
use crate::input::Content;
use crate::progress::Progress;
use crate::report::{IrStepKind, Report};
use crate::request::Request;
use raddle_diag::Diagnostic;
use raddle_frontend::protocol;
use raddle_frontend::settings::Settings;
use std::ops::ControlFlow;

/// A form of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// LLVM bitcode, after the inputs have been linked and the interprocedural passes have run.
    Bitcode,
    /// The same as textual IR.
    Text,
    /// PTX: one module.
    Ptx,
}

/// Returns the program of a request, whose inputs are LLVM IR, in this form; `None` after an error,
/// which is in the report.
pub fn emit(mut request: Request, form: Form, progress: &mut dyn Progress) -> (Report, Option<Vec<u8>>) {
    let mut report = Report::new(request.policy);
    let inputs = std::mem::take(&mut request.inputs);
    for other in inputs.iter().filter(|input| !input.content.is_ir()) {
        let what = match other.content {
            Content::Text(_) => "PTX",
            Content::LtoIr(_) => "LTO-IR",
            _ => "a cubin",
        };
        let message = format!("'{}' is {what}: only LLVM IR can be written in this form", other.name);
        report.diags.push(Diagnostic::fatal(codes::E0019, message));
    }
    if report.diags.has_errors() {
        return (report, None);
    }
    let modules: Vec<Module> = inputs.into_iter().filter_map(Module::of).collect();
    let watched = &mut Watched { report: &mut report, progress };
    let build = Build::new(&request, request.output.exports_functions(), watched);
    let build = build.map(|build| Build { compile_early: false, ..build });
    let bytes = build.and_then(|build| build.emit(&modules, form, watched));
    (report, bytes)
}

impl Build<'_> {
    fn emit(&self, modules: &[Module], form: Form, report: &mut Watched<'_>) -> Option<Vec<u8>> {
        let settings: Settings = self.settings(modules, &[], report)?;
        if form == Form::Ptx
            && let ControlFlow::Break(ended) = self.whole(modules, &settings, report)
        {
            return text_of(ended?, report);
        }
        let (bitcode, summary) = self.linked(modules, &settings, report)?;
        match form {
            Form::Bitcode => Some(bitcode),
            Form::Text => {
                let question = Question {
                    job: Job {
                        name: "print".into(),
                        what: "the linked program".to_owned(),
                        priority: 0,
                        cost: bitcode.len() as u64,
                        functions: 0,
                    },
                    request: protocol::Request::Print { name: "program".to_owned() },
                    contents: vec![&bitcode],
                };
                let answers =
                    self.all(IrStepKind::Other, &[question], |question, task| self.answer(question, task), report)?;
                Some(answers.into_iter().next()?.1)
            }
            Form::Ptx => {
                let ready = self.compiled(bitcode, &summary, Some(1), &settings, report)?;
                text_of(ready, report)
            }
        }
    }
}

/// The one text of PTX, with a line that says what made it.
fn text_of(ready: Ready, report: &Report) -> Option<Vec<u8>> {
    let Content::Text(text) = ready.inputs.into_iter().next()?.content else { return None };
    let library = report.llvm.as_ref().map_or("", |llvm| llvm.identity());
    let made_by = format!("// raddle {}, {library}\n", env!("CARGO_PKG_VERSION"));
    Some((made_by + text.trim_start()).into_bytes())
}
