//! What an engine of remote execution did in a build, as text and as JSON.

use raddle_diag::render::json;
use raddle_driver::remote::{RemoteOutcome, RemoteRun, RemoteUsed};
use raddle_driver::report::{Report, UnitReport};
use serde_json::{Value, json};
use std::time::Duration;

/// How an engine ran a unit.
pub(super) fn of_unit(run: &RemoteRun) -> Value {
    json!({
        "outcome": run.outcome.name(),
        "made_there": run.outcome.is_remote(),
        "wall_ms": ms(run.wall),
        "queue_ms": ms(run.queued),
        "execution_ms": ms(run.ran),
        "worker": run.worker,
        "sent_bytes": run.sent,
        "received_bytes": run.received,
    })
}

/// Where a unit was made, as a cell of a table.
pub(super) fn cell(unit: &UnitReport) -> String {
    match &unit.remote {
        Some(run) if run.outcome.is_remote() && run.worker.is_empty() => "there".to_owned(),
        Some(run) if run.outcome.is_remote() => run.worker.clone(),
        Some(run) => format!("here ({})", run.outcome.name()),
        None if unit.cached => "cache".to_owned(),
        None => "here".to_owned(),
    }
}

/// The totals of a build.
struct Totals {
    /// Units by what came of them.
    counts: Vec<(RemoteOutcome, usize)>,
    queued: Duration,
    ran: Duration,
    sent: u64,
    received: u64,
}

impl Totals {
    fn of(report: &Report) -> Totals {
        let all = [
            RemoteOutcome::Made,
            RemoteOutcome::FromCache,
            RemoteOutcome::Overtook,
            RemoteOutcome::Overtaken,
            RemoteOutcome::Said,
            RemoteOutcome::Failed,
        ];
        let runs: Vec<&RemoteRun> = report.units().filter_map(|unit| unit.remote.as_ref()).collect();
        let count = |outcome| runs.iter().filter(|run| run.outcome == outcome).count();
        Totals {
            counts: all.into_iter().map(|outcome| (outcome, count(outcome))).filter(|(_, count)| *count > 0).collect(),
            queued: runs.iter().map(|run| run.queued).sum(),
            ran: runs.iter().map(|run| run.ran).sum(),
            sent: runs.iter().map(|run| run.sent).sum(),
            received: runs.iter().map(|run| run.received).sum(),
        }
    }
}

/// What the engine did in a build, as one JSON object.
pub(super) fn of_build(report: &Report) -> Value {
    let Some(used) = &report.remote else { return Value::Null };
    let Totals { counts, queued, ran, sent, received } = Totals::of(report);
    let outcomes: serde_json::Map<String, Value> =
        counts.into_iter().map(|(outcome, count)| (outcome.name().to_owned(), count.into())).collect();
    json!({
        "schema": json::SCHEMA,
        "kind": "remote",
        "engine": used.engine,
        "slots": used.slots.0,
        "most_at_once": used.slots.1,
        "started": used.started,
        "outcomes": outcomes,
        "queue_ms": ms(queued),
        "execution_ms": ms(ran),
        "waited_ms": ms(report.suspended),
        "sent_bytes": sent,
        "received_bytes": received,
        "given_up": used.warning,
    })
}

/// The same as a line.
pub(super) fn line(report: &Report, used: &RemoteUsed) -> String {
    let Totals { counts, queued, ran, sent, received } = Totals::of(report);
    let there: usize = counts.iter().filter(|(outcome, _)| outcome.is_remote()).map(|(_, count)| count).sum();
    let all = report.units().count();
    let mut line = format!("remote: {there} of {all} compiled by {}", used.engine);
    for (outcome, count) in counts.iter().filter(|(outcome, _)| *outcome != RemoteOutcome::Made) {
        line += &format!(", {count} {}", outcome.name());
    }
    line + &format!(
        "; at most {} at once; {:.3} s in its queue, {:.3} s of execution; {sent} bytes sent, {received} received",
        used.slots.1,
        queued.as_secs_f64(),
        ran.as_secs_f64(),
    )
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
