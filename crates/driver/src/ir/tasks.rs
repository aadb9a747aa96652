//! Requests to workers as tasks of the pool.

use super::Build;
use super::watched::Watched;
use super::workers::CallError;
use crate::codes;
use crate::llvm;
use crate::report::{IrStep, IrStepKind};
use raddle_diag::Diagnostic;
use raddle_frontend::protocol::{Request, Response};
use raddle_frontend::steps::StepError;
use raddle_jobs::pool::{Event, ExpectedUse, run_all};
use raddle_jobs::{Outcome, Task};
use std::sync::Arc;
use std::time::Duration;

/// The expected peak of memory of a worker: the library itself, and bytes per byte of bitcode or
/// instruction.
const LEAST: u64 = 96 << 20;
const PER_COST: u64 = 64;

/// What a task is about.
pub(super) struct Job {
    /// Its name in the timeline.
    pub name: Arc<str>,
    /// What it is about, in messages.
    pub what: String,
    /// Tasks of a greater priority start first; see [`raddle_frontend::summary::Symbol::priority`].
    pub priority: u16,
    /// Its cost, in bytes of bitcode or instructions.
    pub cost: u64,
    /// The number of functions that it compiles; 0 if that is unknown.
    pub functions: usize,
}

/// A task that is one request.
pub(super) struct Question<'a> {
    pub job: Job,
    pub request: Request,
    pub contents: Vec<&'a [u8]>,
}

/// A response with its content.
pub(super) type Answer = (Response, Vec<u8>);

impl Build<'_> {
    /// Runs a task for each item, as a step of the build. Returns what became of each; `None` if no worker could be
    /// started.
    pub(super) fn run_each<J: Sync, T: Send>(
        &self,
        step: IrStepKind,
        items: &[J],
        job: impl Fn(&J) -> &Job + Send + Sync,
        run: impl Fn(&J, &mut Task) -> Result<T, CallError> + Send + Sync,
        report: &mut Watched<'_>,
    ) -> Option<Vec<Result<T, CallError>>> {
        let functions = items.iter().map(|item| job(item).functions).sum();
        report.progress.step(step, items.len(), functions, items.iter().map(|item| job(item).cost).sum());
        let progress = &mut *report.progress;
        let watch = |event: Event<'_, Result<T, CallError>>| {
            match event {
                Event::Ended(finished) => {
                    let job = job(&items[finished.id.0]);
                    let failed = !matches!(finished.outcome, Outcome::Done(Ok(_)));
                    progress.step_ended(&job.name, job.functions, job.cost, finished.wall, failed);
                }
                Event::Tick(running) => progress.running(running),
            }
            if progress.is_cancelled() {
                self.config.cancel.cancel();
            }
            !self.config.cancel.is_cancelled()
        };
        let ran = run_all(
            &self.config,
            items,
            |item| {
                let &Job { priority, cost, .. } = job(item);
                ExpectedUse { priority, cost, bytes: LEAST + cost.saturating_mul(PER_COST) }
            },
            |item| Arc::clone(&job(item).name),
            |task, _, item| run(item, task),
            watch,
        );
        let finished = match ran {
            Ok(ran) => {
                report.timeline.load(&ran.samples, &ran.tokens);
                report.tokens.extend(ran.tokens);
                report.workers_started = report.workers_started.max(ran.workers);
                report.held_back += ran.held_back;
                ran.finished
            }
            Err(error) => {
                report.diags.push(Diagnostic::fatal(codes::E0042, format!("no worker could be started: {error}")));
                return None;
            }
        };
        let parts = || finished.iter().flat_map(|finished| &finished.parts);
        let (first, last) =
            (parts().map(|part| part.started).min(), parts().map(|part| part.started + part.wall).max());
        let span = first.zip(last).map_or(Duration::ZERO, |(first, last)| last - first);
        let times = finished.iter().map(|finished| (Arc::clone(&finished.name), finished.wall)).collect();
        report.ir_steps.push(IrStep { kind: step, tasks: times, span });
        let mut out = Vec::new();
        for mut finished in finished {
            report.timeline.task(&mut finished, &[]);
            out.push(match finished.outcome {
                Outcome::Done(answer) => answer,
                Outcome::Panicked(panic) => Err(CallError::Panicked(panic.message)),
                Outcome::Dropped => Err(CallError::Cancelled),
            });
        }
        Some(out)
    }

    /// Asks a worker, in the course of a task; the time is recorded as that of `phase`.
    pub(super) fn ask(
        &self,
        phase: &'static str,
        request: &Request,
        contents: &[&[u8]],
        task: &mut Task,
    ) -> Result<Answer, CallError> {
        task.phase(phase, |task| self.workers.call(request, contents, task))
    }

    /// Answers questions through `answer`; `None`, with errors in the report, unless all succeed.
    pub(super) fn all(
        &self,
        step: IrStepKind,
        questions: &[Question<'_>],
        answer: impl Fn(&Question<'_>, &mut Task) -> Result<Answer, CallError> + Send + Sync,
        report: &mut Watched<'_>,
    ) -> Option<Vec<Answer>> {
        let mut out = Vec::new();
        // Whether the places where the device library was searched are still to be named.
        let mut named = true;
        let answers = self.run_each(step, questions, |question| &question.job, answer, report)?;
        for (question, answer) in questions.iter().zip(answers) {
            let job = &question.job;
            match answer {
                Ok(answer) => {
                    self.warn(&job.what, &answer.0, report);
                    out.push(answer);
                }
                Err(CallError::Failed(StepError::NeedsDeviceLibrary)) => {
                    report.diags.push(self.without_library(&job.what, std::mem::take(&mut named)));
                }
                Err(error) => {
                    let diagnostic = refused(&job.what, &error);
                    let diagnostic =
                        self.keep_inputs(question, &error, report).into_iter().fold(diagnostic, Diagnostic::help);
                    report.diags.push(diagnostic);
                }
            }
        }
        (!report.diags.has_errors()).then_some(out)
    }

    /// Reports the warnings of a response, and its remarks where they are wanted.
    pub(super) fn warn(&self, what: &str, response: &Response, report: &mut Watched<'_>) {
        let Some(said) = response.said() else { return };
        for warning in &said.warnings {
            report.diags.push(Diagnostic::warning(codes::E0092, format!("{what}: LLVM: {warning}")));
        }
        // LLVM makes a few even if nothing asks for them.
        if self.request.ir.remarks {
            report.remarks.extend(said.remarks.iter().map(|remark| (what.to_owned(), remark.clone())));
        }
    }

    /// The error for an input that needs the device library, and with `places`, where it was
    /// searched.
    fn without_library(&self, what: &str, places: bool) -> Diagnostic {
        let missing = llvm::libdevice(&self.request.ir).err().map(|error| error.diagnostic());
        let mut diagnostic = missing.unwrap_or_else(|| Diagnostic::fatal(codes::E0091, "libdevice.10.bc is gone"));
        diagnostic.message = format!("{what} calls functions of libdevice, and {}", diagnostic.message);
        if !places {
            (diagnostic.notes, diagnostic.helps) = (Vec::new(), Vec::new());
        }
        diagnostic
    }

    /// The answer to a question, from a worker.
    pub(super) fn answer(&self, question: &Question<'_>, task: &mut Task) -> Result<Answer, CallError> {
        self.ask("LLVM", &question.request, &question.contents, task)
    }
}

/// The error for a request without a response.
pub(super) fn refused(what: &str, error: &CallError) -> Diagnostic {
    match error {
        CallError::Io(_) => Diagnostic::fatal(codes::E0042, format!("{what}: {error}")),
        CallError::Ended { said, .. } => {
            let diagnostic = Diagnostic::error(codes::E0093, format!("{what}: {error}"));
            said.iter().fold(diagnostic, |diagnostic, line| diagnostic.note(line.clone()))
        }
        CallError::Cancelled => Diagnostic::error(codes::E0043, format!("{what}: cancelled")),
        CallError::Expired => Diagnostic::error(codes::E0049, format!("{what}: given up in LLVM: {error}"))
            .help("raise the limit with --kernel-timeout"),
        CallError::Panicked(_) => Diagnostic::error(codes::E0040, format!("{what}: {error}")),
        CallError::Failed(why) => Diagnostic::error(codes::E0092, format!("{what}: LLVM: {why}")),
    }
}
