//! `compile --explain`: the duration of a build, a lower bound for any schedule, what delayed it,
//! and the reason for the number of workers.

use crate::args::MessageFormat;
use crate::demangle::demangle;
use crate::ui::{Table, Ui};
use raddle_diag::render::json;
use raddle_driver::host::bounds::{self, Reason};
use raddle_driver::report::Report;
use std::time::{Duration, Instant};

/// The number of kernels listed.
const COSTLIEST: usize = 10;

/// The times of a build, and their reasons.
pub(super) struct BuildSummary {
    /// From the start of the command to the end of its work.
    wall: Duration,
    /// Phases that use one CPU: reading, outline, linking.
    serial: Duration,
    /// From the start of the first kernel to the end of the last.
    kernels: Duration,
    /// The total time of all kernels.
    sum: Duration,
    bound: bounds::Bound,
    longest: Option<usize>,
    /// The mean number of slots under a jobserver.
    slots: Option<f64>,
    /// The lower bound for any schedule if kernels had a CPU all the time; `None` if other programs
    /// compiled some of them.
    alone: Option<Duration>,
}

impl BuildSummary {
    pub(super) fn of(report: &Report, begun: Instant) -> BuildSummary {
        let times: Vec<Duration> = report.units().map(|unit| unit.wall).collect();
        let slots = mean_slots(report);
        let cpu: Vec<Duration> = report.units().map(|unit| unit.cpu).collect();
        // The CPU time of a separate process is not counted here.
        let elsewhere = report.units().any(|unit| unit.fallback || unit.cpu < unit.wall / 50);
        BuildSummary {
            wall: begun.elapsed(),
            serial: report.timeline.serial(),
            kernels: report.span,
            sum: times.iter().sum(),
            bound: bounds::lower(&times, report.workers),
            longest: (0..times.len()).max_by_key(|&i| (times[i], std::cmp::Reverse(i))),
            slots,
            alone: (!elsewhere).then(|| bounds::lower(&cpu, report.workers).time),
        }
    }

    /// What a shorter build would need.
    fn verdict(&self, report: &Report) -> String {
        let workers = report.workers;
        if report.units().next().is_none() {
            return "there were no kernels".to_string();
        }
        if self.kernels < self.wall / 2 {
            return "most of the time was not spent in kernels: reading, outline and linking use one CPU".to_string();
        }
        if let Some(slots) = self.slots
            && slots < 0.8 * workers as f64
        {
            return format!("job slots: {slots:.1} of make on average for {workers} workers");
        }
        if report.held_back > self.kernels / 5 {
            let limit = report.memory.as_ref().map_or(0, |budget| budget.limit()) >> 20;
            let seconds = report.held_back.as_secs_f64();
            return format!("memory: kernels waited {seconds:.1} s for it; the limit of all builds is {limit} MiB");
        }
        if let Some(alone) = self.alone
            && starved(self.kernels, alone)
        {
            let times = ms(self.kernels) / ms(alone).max(1.0);
            return format!("other programs: with the CPUs to itself this build could be {times:.1} times as fast");
        }
        match self.bound.reason {
            Reason::Longest => {
                let longest = self.longest.and_then(|i| report.units().nth(i));
                let name = longest.map_or(String::new(), |unit| demangle(&unit.name));
                format!("one kernel takes as long as all others: only a smaller '{name}' would help")
            }
            Reason::Work if workers == 1 => "one worker: more would help".to_string(),
            Reason::Work => format!("the work itself: all {workers} workers were needed to the end"),
            Reason::Counting => format!("a few long kernels do not divide evenly among {workers} workers"),
        }
    }

    /// The summary as JSON.
    pub(super) fn facts(&self, report: &Report) -> serde_json::Value {
        serde_json::json!({
            "schema": json::SCHEMA,
            "kind": "build",
            "wall_ms": ms(self.wall),
            "serial_ms": ms(self.serial),
            "kernels_ms": ms(self.kernels),
            "sum_ms": ms(self.sum),
            "bound_ms": ms(self.bound.time),
            "bound": format!("{:?}", self.bound.reason).to_lowercase(),
            "held_back_by": self.verdict(report),
            "workers": report.workers,
            "workers_by": report.workers_source,
            "workers_started": report.workers_started,
            "mean_slots": self.slots,
            "memory_limit": report.memory.as_ref().map(|budget| budget.limit()),
            "memory_wait_ms": ms(report.held_back),
        })
    }
}

/// The mean number of slots held while units were compiled; `None` without a jobserver.
fn mean_slots(report: &Report) -> Option<f64> {
    let (first, last) = (report.tokens.first()?, report.tokens.last()?);
    let total = last.at.duration_since(first.at).as_secs_f64();
    let pairs = report.tokens.windows(2);
    let area: f64 = pairs.map(|pair| pair[0].held as f64 * pair[1].at.duration_since(pair[0].at).as_secs_f64()).sum();
    (total > 0.0).then(|| area / total)
}

/// Whether kernels took so much longer than alone that their order cannot be the reason: twice as
/// long, and not only by moments.
fn starved(kernels: Duration, alone: Duration) -> bool {
    kernels > 2 * alone + Duration::from_millis(100)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

pub(crate) fn show(report: &Report, ui: &Ui, begun: Instant) {
    let summary = BuildSummary::of(report, begun);
    if ui.format() == MessageFormat::Json {
        ui.note(&summary.facts(report).to_string());
        return;
    }
    let over = if summary.bound.time.is_zero() { 1.0 } else { ms(summary.kernels) / ms(summary.bound.time) };
    let reason = match summary.bound.reason {
        Reason::Work => "all work over all workers",
        Reason::Longest => "the longest kernel",
        Reason::Counting => "several long kernels on one worker",
    };
    let mut table = Table::new(&["ms", "what"]);
    for (time, what) in [
        (summary.wall, "wall time".to_string()),
        (summary.serial, "of it outline and linking, on one CPU".to_string()),
        (summary.kernels, format!("of it kernels, {over:.2} times the lower bound")),
        (summary.bound.time, format!("lower bound for any schedule: {reason}")),
        (summary.sum, "all kernels one after another".to_string()),
    ] {
        table.row([format!("{:.1}", ms(time)), what]);
    }
    ui.note(table.to_string().trim_end());
    ui.note(&format!("limited by: {}", summary.verdict(report)));
    let slots = summary.slots.map_or(String::new(), |slots| format!("; {slots:.1} job slots on average"));
    ui.note(&format!(
        "workers: {} (limited by {}), {} started{slots}",
        report.workers, report.workers_source, report.workers_started
    ));
    let mut costliest: Vec<_> = report.units().collect();
    costliest.sort_by_key(|kernel| std::cmp::Reverse(kernel.wall));
    let mut table = Table::new(&["ms", "KiB peak", "PTX", "costliest kernels"]);
    for kernel in costliest.iter().take(COSTLIEST) {
        table.row([
            format!("{:.1}", ms(kernel.wall)),
            kernel.peak.div_ceil(1024).to_string(),
            kernel.instructions.to_string(),
            demangle(&kernel.name),
        ]);
    }
    ui.note(table.to_string().trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_are_blamed_only_for_what_they_took() {
        let judged = |kernels, alone| starved(Duration::from_millis(kernels), Duration::from_millis(alone));
        assert!(judged(8000, 1400) && judged(400, 100));
        assert!(!judged(1500, 1400) && !judged(150, 40) && !judged(0, 0), "a tenth of a second has no cause");
    }
}
