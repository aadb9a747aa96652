//! Requests to workers as tasks of the pool.

use super::Build;
use super::workers::CallError;
use crate::codes;
use crate::report::Report;
use raddle_diag::Diagnostic;
use raddle_frontend::protocol::{Request, Response};
use raddle_jobs::pool::{ExpectedUse, run_all};
use raddle_jobs::{Outcome, Task};
use std::sync::Arc;

/// The expected peak of memory of a worker: the library itself, and bytes per byte of bitcode or
/// instruction.
const LEAST: u64 = 96 << 20;
const PER_COST: u64 = 64;

/// A request to make, with what it refers to.
pub(super) struct Job<'a> {
    /// Its name in the timeline.
    pub name: Arc<str>,
    /// What it is about, in messages.
    pub what: String,
    /// Its cost, in bytes of bitcode or instructions.
    pub cost: u64,
    pub request: Request,
    pub contents: Vec<&'a [u8]>,
}

/// A response with its content.
pub(super) type Answer = (Response, Vec<u8>);

impl Build<'_> {
    /// Runs jobs. Returns what became of each; `None` if no worker could be started.
    pub(super) fn try_all(&self, jobs: &[Job<'_>], report: &mut Report) -> Option<Vec<Result<Answer, CallError>>> {
        self.try_all_then(jobs, |_, answer, _| answer, report)
    }

    /// Like [`Build::try_all`], and goes on with the answer to each job in the same task.
    pub(super) fn try_all_then<T: Send>(
        &self,
        jobs: &[Job<'_>],
        then: impl Fn(&Job<'_>, Answer, &mut Task) -> T + Send + Sync,
        report: &mut Report,
    ) -> Option<Vec<Result<T, CallError>>> {
        let call = |task: &mut Task, _, job: &Job<'_>| {
            let answer = task.phase("LLVM", |task| self.workers.call(&job.request, &job.contents, task))?;
            Ok(then(job, answer, task))
        };
        let ran = run_all(
            &self.config,
            jobs,
            |job| ExpectedUse { cost: job.cost, bytes: LEAST + job.cost.saturating_mul(PER_COST) },
            |job| Arc::clone(&job.name),
            call,
            |_| !self.config.cancel.is_cancelled(),
        );
        let finished = match ran {
            Ok(ran) => ran.finished,
            Err(error) => {
                report.diags.push(Diagnostic::fatal(codes::E0042, format!("no worker could be started: {error}")));
                return None;
            }
        };
        let mut out = Vec::new();
        for finished in finished {
            report.timeline.task(&finished, &[]);
            out.push(match finished.outcome {
                Outcome::Done(answer) => answer,
                Outcome::Panicked(panic) => Err(CallError::Panicked(panic.message)),
                Outcome::Dropped => Err(CallError::Cancelled),
            });
        }
        Some(out)
    }

    /// Runs jobs; `None`, with errors in the report, unless all succeed.
    pub(super) fn all(&self, jobs: &[Job<'_>], report: &mut Report) -> Option<Vec<Answer>> {
        let mut out = Vec::new();
        for (job, answer) in jobs.iter().zip(self.try_all(jobs, report)?) {
            match answer {
                Ok(answer) => {
                    warn(&job.what, &answer.0, report);
                    out.push(answer);
                }
                Err(error) => report.diags.push(refused(&job.what, &error)),
            }
        }
        (!report.diags.has_errors()).then_some(out)
    }
}

/// Reports the warnings of a response.
pub(super) fn warn(what: &str, response: &Response, report: &mut Report) {
    for warning in response.warnings() {
        report.diags.push(Diagnostic::warning(codes::E0092, format!("{what}: LLVM: {warning}")));
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
