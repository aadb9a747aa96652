//! Compiles a unit elsewhere, by an engine of remote execution ([`crate::engine`]).
//!
//! ```text
//! start ─► under way ─ answered ─► object: as if it had been made here
//!              │           └─ anything else ─► compiled here
//!              └─ no other work here ─► compiled here at the same time: the first result counts
//! ```
//!
//! **Invariants.** Object and diagnostics are those of a compilation here, byte for byte, whatever the
//! engine does: where the process elsewhere has anything to say, the unit is compiled here, which says
//! it. While a unit is under way, nothing of it is in memory but its result, and it holds no worker and
//! no job token. A unit that is not needed any more is cancelled.

mod answer;
mod flight;

use super::context::Context;
use super::result::Compiled;
use super::stages::{Job, keep};
use super::{Way, end, findings, isolated, run};
use crate::engine::{Answer, EngineError, RemoteUnit};
use crate::key;
use crate::program::Unit;
use crate::remote::{Remote, RemoteOutcome, RemoteRun, plain};
use crate::request::Dump;
use answer::{Received, receive};
pub(super) use flight::Flight;
use raddle_jobs::restart::Work;
use raddle_jobs::{Task, TaskResult};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most bytes of a text that is sent: with line tables the text of a unit is that of the module.
const MOST_TEXT: usize = 16 << 20;

/// A unit that is under way.
pub(super) struct UnderWay {
    flight: Flight,
    begun: Instant,
    /// What the process is asked for.
    asked: key::Key,
    /// The number of `setmaxnreg` in its body.
    register_moves: usize,
}

/// The engine for a unit, if it should be compiled elsewhere and a slot is free.
pub(super) fn wanted<'a>(cx: &Context<'a>, index: usize, unit: &Unit) -> Option<&'a Arc<Remote>> {
    let settings = &cx.settings;
    let only_object = !settings.checks_only && *settings.dump == Dump::None && settings.fault.is_none();
    let remote = cx.services.remote.filter(|_| only_object && cx.services.worker.is_none())?;
    let text = if settings.codegen.lineinfo { cx.module(unit).text.len() } else { 0 };
    let is_worth_it = unit.cost >= remote.limits.least && text <= MOST_TEXT;
    (is_worth_it && unit.makes_object() && !cx.is_late(index) && remote.is_open()).then_some(remote)
}

/// Gives a unit to the engine; `None` if no slot is free any more.
pub(super) fn start(cx: &Context<'_>, remote: &Arc<Remote>, job: &Job<'_>, task: &mut Task) -> Option<UnderWay> {
    let slot = remote.slot()?;
    let unit = job.unit;
    task.phase("send", |task| {
        let request = isolated::Request::of(cx, unit);
        if request.text.len() > MOST_TEXT {
            return None;
        }
        let asked = key::of_request(&request.text, job.options, cx.texts.target, &unit.name, unit.is_function());
        let isolated::Request { text, arguments } = request.of_this_version();
        let limit = cx.settings.time_limit;
        let begun = Instant::now();
        let given = RemoteUnit { name: unit.name.to_string(), text, arguments, limit };
        let flight = Flight::start(slot, given, task.completion());
        Some(UnderWay { flight, begun, asked, register_moves: findings::register_moves(job.body) })
    })
}

/// Waits for a unit that is under way.
pub(super) fn wait<'a>(
    cx: &'a Context<'a>,
    index: usize,
    unit: &'a Unit,
    under_way: UnderWay,
    compiled: Compiled,
) -> TaskResult<'a, Compiled> {
    let (completion, patience) = (under_way.flight.completion(), under_way.flight.patience());
    TaskResult::Waits {
        completion,
        overdue: Some(under_way.begun + patience),
        rest: Box::new(move |task| {
            let elsewhere = Elsewhere { cx, index, unit, under_way, compiled };
            match elsewhere.under_way.flight.answer() {
                Some(answer) => elsewhere.settle(answer, RemoteOutcome::Made, task),
                // What compiles here needs its memory first.
                None => TaskResult::NeedsMemory { bytes: unit.bytes, rest: Box::new(move |task| elsewhere.race(task)) },
            }
        }),
    }
}

/// What a unit under way needs to be ended.
struct Elsewhere<'a> {
    cx: &'a Context<'a>,
    index: usize,
    unit: &'a Unit,
    under_way: UnderWay,
    compiled: Compiled,
}

impl<'a> Elsewhere<'a> {
    /// Takes the object of an answer; without one, compiles the unit here.
    fn settle(
        self,
        answer: Result<Answer, EngineError>,
        outcome: RemoteOutcome,
        task: &mut Task,
    ) -> TaskResult<'a, Compiled> {
        let Elsewhere { cx, index, unit, under_way, mut compiled } = self;
        // A crash while the answer is read is one of this unit, which is then compiled here.
        let _work = u32::try_from(index).ok().map(Work::begin);
        let received = task.phase("receive", |_| receive(&answer, &under_way.asked, unit));
        let remote = under_way.flight.remote();
        let outcome = match &received {
            Received::Object(..) => outcome,
            Received::Findings => RemoteOutcome::Said,
            Received::Nothing(_) => RemoteOutcome::Failed,
        };
        let wall = under_way.flight.ended().saturating_duration_since(under_way.begun);
        let run = of_answer(answer.as_ref().ok(), outcome, under_way.begun, wall);
        match received {
            Received::Object(mut object, size) => {
                remote.has_answered();
                object.module = unit.module as u32;
                // The cost of a unit is what its process has measured.
                compiled.other_cpu = Duration::from_micros(size.cpu);
                (compiled.beyond_check, compiled.peak) = (true, size.peak);
                keep(cx, unit, &object, task, &compiled);
                let module = cx.module(unit);
                let warning = findings::fixed_registers(module, unit, under_way.register_moves, Some(&object));
                compiled.diags.extend(warning);
                (compiled.object, compiled.remote) = (Some(*object), Some(run));
                TaskResult::Done(end(cx, index, compiled))
            }
            Received::Findings => {
                remote.has_answered();
                here(cx, index, unit, compiled.again(), run)
            }
            Received::Nothing(error) => {
                // Without an answer it has been counted.
                if answer.is_ok() {
                    remote.has_failed(&error);
                }
                here(cx, index, unit, compiled.again(), run)
            }
        }
    }

    /// Compiles the unit here although it is under way. The first result counts.
    fn race(self, task: &mut Task) -> TaskResult<'a, Compiled> {
        let flight = &self.under_way.flight;
        if let Some(answer) = flight.answer() {
            return self.settle(answer, RemoteOutcome::Made, task);
        }
        flight.race(task.cancel());
        let (cx, index, unit) = (self.cx, self.index, self.unit);
        let mut result = run(cx, index, unit, task, self.compiled.again(), Way::Against(flight));
        let stopped = matches!(&result, TaskResult::Done(done) if done.object.is_none() && !done.diags.has_errors());
        if flight.has_overtaken()
            && stopped
            && let Some(answer) = flight.answer()
        {
            return self.settle(answer, RemoteOutcome::Overtook, task);
        }
        if let TaskResult::Done(done) = &mut result {
            flight.remote().was_overtaken();
            let begun = self.under_way.begun;
            done.remote = Some(of_answer(None, RemoteOutcome::Overtaken, begun, begun.elapsed()));
        }
        result
    }
}

/// Compiles a unit here after all, once there is memory for it.
fn here<'a>(
    cx: &'a Context<'a>,
    index: usize,
    unit: &'a Unit,
    compiled: Compiled,
    run_elsewhere: RemoteRun,
) -> TaskResult<'a, Compiled> {
    let rest = Box::new(move |task: &mut Task| {
        let mut result = run(cx, index, unit, task, compiled, Way::Here);
        if let TaskResult::Done(done) = &mut result {
            done.remote = Some(run_elsewhere);
        }
        result
    });
    TaskResult::NeedsMemory { bytes: unit.bytes, rest }
}

/// What the report says of a unit that was under way.
fn of_answer(answer: Option<&Answer>, outcome: RemoteOutcome, begun: Instant, wall: Duration) -> RemoteRun {
    let none = Answer::default();
    let Answer { from_cache, worker, queued, ran, sent, received, .. } = answer.unwrap_or(&none);
    let outcome = if outcome == RemoteOutcome::Made && *from_cache { RemoteOutcome::FromCache } else { outcome };
    let (worker, queued, ran) = (plain(worker), *queued, *ran);
    RemoteRun { outcome, begun, wall, queued, ran, worker, sent: *sent, received: *received }
}
