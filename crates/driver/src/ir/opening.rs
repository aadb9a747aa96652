//! What has to be known before the first step: that the library takes the options of the command
//! line, and which functions of the device library the inputs define themselves.

use super::tasks::{Job, Question, refused};
use super::watched::Watched;
use super::workers::CallError;
use super::{Build, Module};
use crate::codes;
use crate::report::IrStepKind;
use raddle_diag::Diagnostic;
use raddle_frontend::protocol::{Request, Response};
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::{DEVICE_LIBRARY, Said};
use raddle_jobs::Task;

impl Build<'_> {
    /// Starts a worker with the options that the user gives LLVM, if there are any: LLVM ends its
    /// process for one that it does not have. `None` after an error.
    pub(super) fn start(&self, report: &mut Watched<'_>) -> Option<()> {
        let options = &self.request.ir.llvm_options;
        if options.is_empty() {
            return Some(());
        }
        let job = job("options", "the options of LLVM".to_owned(), 0);
        let question = Question { job, request: Request::Start, contents: Vec::new() };
        let steps = report.ir_steps.len();
        let answer = |question: &Question<'_>, task: &mut Task| self.answer(question, task);
        let started = self.run_each(IrStepKind::Other, &[question], |question| &question.job, answer, report)?;
        report.ir_steps.truncate(steps);
        match started.into_iter().next()? {
            Ok(_) => Some(()),
            Err(CallError::Ended { said, success, .. }) => {
                // It has done what the option asks for.
                report.diags.push(wrong(options, if success { &[] } else { &said }));
                None
            }
            Err(error) => {
                report.diags.push(refused("the options of LLVM", &error));
                None
            }
        }
    }

    /// The functions that inputs define under names of the device library, sorted. A single input has
    /// no others to define them.
    pub(super) fn owned(
        &self,
        modules: &[Module],
        settings: &Settings,
        report: &mut Watched<'_>,
    ) -> Option<Vec<String>> {
        let asked = modules.iter().filter(|module| modules.len() > 1 && may_own(&module.bytes));
        let question = |module: &'_ Module| {
            let job = job("names", format!("'{}'", module.name), module.bytes.len() as u64);
            (job, Request::Owned { name: module.name.clone() })
        };
        let questions: Vec<Question<'_>> = asked
            .map(|module| {
                let (job, request) = question(module);
                Question { job, request, contents: vec![&module.bytes] }
            })
            .collect();
        if questions.is_empty() {
            return Some(Vec::new());
        }
        let steps = report.ir_steps.len();
        let answer = |question: &Question<'_>, task: &mut Task| {
            let found = Response::Owned { said: Said::default() };
            self.cache.of("names", settings, &question.contents, found, || self.answer(question, task))
        };
        let answers = self.all(IrStepKind::Other, &questions, answer, report)?;
        report.ir_steps.truncate(steps);
        let lines = |(_, names): &(Response, Vec<u8>)| String::from_utf8_lossy(names).into_owned();
        let texts: Vec<String> = answers.iter().map(lines).collect();
        let mut names: Vec<String> = texts.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        Some(names)
    }
}

fn job(name: &str, what: String, cost: u64) -> Job {
    Job { name: name.into(), what, priority: 0, cost, functions: 0 }
}

/// Whether an input may define a function under a name of the device library.
fn may_own(bytes: &[u8]) -> bool {
    if crate::input::is_ir(bytes) {
        let name = format!("@{DEVICE_LIBRARY}");
        let text = String::from_utf8_lossy(bytes);
        let defines = |line: &str| line.starts_with("define") && line.contains(&name) || line.starts_with(&name);
        return text.lines().any(defines);
    }
    memchr::memmem::find(bytes, DEVICE_LIBRARY.as_bytes()).is_some()
}

/// The error for options that end LLVM's process, with what it printed about them.
fn wrong(options: &[String], said: &[String]) -> Diagnostic {
    let mut said = said.iter().map(|line| {
        let line = line.trim_start_matches("raddle: ").trim_end_matches("  Try: 'raddle --help'").trim_end_matches('.');
        line.replacen("Unknown command line argument", "unknown option", 1).replacen("Did you", "did you", 1)
    });
    let given: Vec<String> = options.iter().map(|option| raddle_diag::quote(option)).collect();
    let given = given.join(", ");
    let why = said.next().unwrap_or_else(|| "they let it print and end".to_owned());
    let diagnostic = Diagnostic::error(codes::E0097, format!("LLVM refuses its options (--mllvm {given}): {why}"));
    said.fold(diagnostic, Diagnostic::note)
}
