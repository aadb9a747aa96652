//! `compile --explain`: the duration of a build, a lower bound for any schedule, what delayed it,
//! and the reason for the number of workers.
//!
//! The tasks of a build are its kernels; with LLVM IR, the parts of the program, whose tasks
//! compile their kernels too.

use super::projection::{Projection, Recorded, WORKERS};
use super::remote_table;
use crate::args::MessageFormat;
use crate::demangle::demangle;
use crate::ui::{Table, Ui};
use raddle_diag::render::json;
use raddle_driver::host::bounds::{self, Reason};
use raddle_driver::report::{IrStep, IrStepKind, Report};
use std::time::{Duration, Instant};

/// The number of kernels listed.
const COSTLIEST: usize = 10;

/// The times of a build, and their reasons.
pub(super) struct BuildSummary {
    /// From the start of the command to the end of its work.
    wall: Duration,
    /// Phases that use one CPU: reading, outline, linking.
    serial: Duration,
    /// From the start of the first task to the end of the last.
    kernels: Duration,
    /// The total time of all tasks.
    sum: Duration,
    bound: bounds::Bound,
    /// The name of the longest task.
    longest: String,
    /// What a task is: a kernel or a part.
    what: &'static str,
    /// The time in which LLVM IR was linked, by one task, and all time that LLVM IR took.
    linked: (Duration, Duration),
    /// The mean number of slots under a jobserver.
    slots: Option<f64>,
    /// The lower bound for any schedule if kernels had a CPU all the time; `None` if other programs
    /// compiled some of them.
    alone: Option<Duration>,
}

impl BuildSummary {
    pub(super) fn of(report: &Report, begun: Instant) -> BuildSummary {
        let parts = report.ir_step(IrStepKind::Parts).or(report.ir_step(IrStepKind::Whole));
        let (names, times): (Vec<&str>, Vec<Duration>) = match parts {
            Some(parts) => parts.tasks.iter().map(|(name, time)| (&**name, *time)).unzip(),
            None => report.units().map(|unit| (&*unit.name, unit.wall)).unzip(),
        };
        let slots = mean_slots(report);
        let cpu: Vec<Duration> = report.units().map(|unit| unit.cpu).collect();
        // The CPU time of a separate process is not counted here.
        let elsewhere = parts.is_some()
            || report.units().any(|unit| unit.fallback || unit.remote.is_some() || unit.cpu < unit.wall / 50);
        let longest = (0..times.len()).max_by_key(|&i| (times[i], std::cmp::Reverse(i)));
        let link = report.ir_step(IrStepKind::Link);
        BuildSummary {
            wall: begun.elapsed(),
            serial: report.timeline.serial(),
            kernels: parts.map_or(report.span, |parts| parts.span),
            sum: times.iter().sum(),
            bound: bounds::lower(&times, report.workers),
            longest: longest.map_or(String::new(), |i| demangle(names[i])),
            what: if parts.is_some() { "part" } else { "kernel" },
            linked: (link.map_or(Duration::ZERO, |link| link.span), report.ir_steps.iter().map(|step| step.span).sum()),
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
        let (link, ir) = self.linked;
        if link > ir / 4 {
            let share = 100.0 * ms(link) / ms(ir);
            return format!("the link of LLVM IR, which uses one CPU: {share:.0} % of the time in LLVM");
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
        if report.suspended > self.kernels / 5 {
            let (waited, all) = (report.suspended.as_secs_f64(), self.kernels.as_secs_f64());
            return format!("remote execution: {waited:.1} s of {all:.1} s with nothing to compile here");
        }
        if let Some(alone) = self.alone
            && starved(self.kernels, alone)
        {
            let times = ms(self.kernels) / ms(alone).max(1.0);
            return format!("other programs: with the CPUs to itself this build could be {times:.1} times as fast");
        }
        match self.bound.reason {
            Reason::Longest => {
                let BuildSummary { what, longest, .. } = self;
                format!("one {what} takes as long as all others: only a smaller '{longest}' would help")
            }
            Reason::Work if workers == 1 => "one worker: more would help".to_string(),
            Reason::Work => format!("the work itself: all {workers} workers were needed to the end"),
            Reason::Counting => format!("a few long {}s do not divide evenly among {workers} workers", self.what),
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
            "llvm": ir_facts(report),
            "bound": format!("{:?}", self.bound.reason).to_lowercase(),
            "held_back_by": self.verdict(report),
            "workers": report.workers,
            "workers_by": report.workers_source,
            "workers_started": report.workers_started,
            "mean_slots": self.slots,
            "memory_limit": report.memory.as_ref().map(|budget| budget.limit()),
            "memory_wait_ms": ms(report.held_back),
            "remote": remote_table::of_build(report),
            "simulated": simulated(report).map(|made| serde_json::json!({
                "workers": made.workers, "ms": ms(made.time), "one_worker_percent": made.share_alone(),
            })).collect::<Vec<_>>(),
        })
    }
}

/// The build on more workers.
fn simulated(report: &Report) -> impl Iterator<Item = Projection> {
    Recorded::of(report).into_iter().flat_map(|recorded| WORKERS.map(|workers| recorded.on(workers)))
}

/// The steps of the compilation of LLVM IR as JSON; null if there was none.
fn ir_facts(report: &Report) -> serde_json::Value {
    let Some(llvm) = report.llvm.as_ref().filter(|_| !report.ir_steps.is_empty()) else {
        return serde_json::Value::Null;
    };
    let step = |step: &IrStep| {
        serde_json::json!({
            "step": step.kind.name(), "tasks": step.tasks.len(), "work_ms": ms(step.work()), "wall_ms": ms(step.span),
            "idle_ms": ms(idle(step, report)),
        })
    };
    serde_json::json!({
        "library": llvm.identity(),
        "concurrent": concurrency(report).is_ok(),
        "why_not": concurrency(report).err(),
        "steps": report.ir_steps.iter().map(step).collect::<Vec<_>>(),
    })
}

/// The time of workers that had nothing to do in a step: the next one needs all of its results.
fn idle(step: &IrStep, report: &Report) -> Duration {
    (step.span * report.workers as u32).saturating_sub(step.work())
}

/// `-v`: whether parts of LLVM IR were optimised concurrently, or why not; nothing without LLVM IR.
pub(super) fn show_concurrency(report: &Report, ui: &Ui) {
    let facts = ir_facts(report);
    match ui.format() {
        _ if facts.is_null() => {}
        MessageFormat::Json => {
            let mut facts = facts;
            (facts["schema"], facts["kind"]) = (json::SCHEMA.into(), "llvm".into());
            ui.note(&facts.to_string());
        }
        MessageFormat::Human => ui.note(&match concurrency(report) {
            Ok(parts) => format!("LLVM IR in {parts} parts, concurrent: yes"),
            Err(why) => format!("LLVM IR, concurrent: no, {why}"),
        }),
        MessageFormat::Ptxas => {}
    }
}

/// Whether parts of LLVM IR were optimised concurrently, or why not.
fn concurrency(report: &Report) -> Result<usize, String> {
    if report.ir_step(IrStepKind::Whole).is_some() {
        return Err("the program is one function".to_owned());
    }
    match report.ir_step(IrStepKind::Parts).map_or(0, |parts| parts.tasks.len()) {
        0 => Err("the program is empty".to_owned()),
        1 => Err(format!("the program is one part{}", report.one_part.map_or(String::new(), |why| format!(": {why}")))),
        _ if report.workers <= 1 => Err("one worker".to_owned()),
        parts => Ok(parts),
    }
}

/// Rows about the steps of the compilation of LLVM IR: times, and what took them.
fn ir_rows(report: &Report) -> Vec<(Duration, String)> {
    let work: Duration = report.ir_steps.iter().map(IrStep::work).sum();
    let row = |step: &IrStep| {
        let tasks = step.tasks.len();
        let share = 100.0 * ms(step.work()) / ms(work).max(f64::MIN_POSITIVE);
        let what = match step.kind {
            IrStepKind::Read => format!("of it reading LLVM IR: {tasks} inputs"),
            IrStepKind::Simplify => format!("of it phase 0, {tasks} inputs: {share:.0} % of the work on LLVM IR"),
            IrStepKind::Describe => {
                format!("of it symbols of {tasks} inputs, in place of phase I: {share:.0} % of the work on LLVM IR")
            }
            IrStepKind::Link => {
                let idle = idle(step, report).as_secs_f64();
                format!(
                    "of it phase I (link), one task: {share:.0} % of the work on LLVM IR; \
                     nothing overlaps it: {idle:.3} worker-seconds idle"
                )
            }
            IrStepKind::Parts => match concurrency(report) {
                Ok(_) => format!("of it phase II and machine code, {tasks} parts, concurrent: yes"),
                Err(why) => format!("of it phase II and machine code, concurrent: no, {why}"),
            },
            IrStepKind::Whole => "of it LLVM and machine code, concurrent: no, the program is one function".to_owned(),
            IrStepKind::NvJitLink => "of it nvJitLink, one task that is not split".to_owned(),
            IrStepKind::Other => "of it other steps of LLVM".to_owned(),
        };
        (step.span, what)
    };
    report.ir_steps.iter().map(row).collect()
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
    if report.workers == 0 && report.ir_steps.is_empty() {
        ui.note("nothing was compiled");
        return;
    }
    let over = if summary.bound.time.is_zero() { 1.0 } else { ms(summary.kernels) / ms(summary.bound.time) };
    let reason = match summary.bound.reason {
        Reason::Work => "all work over all workers".to_owned(),
        Reason::Longest => format!("the longest {}", summary.what),
        Reason::Counting => format!("several long {}s on one worker", summary.what),
    };
    let mut table = Table::new(&["ms", "what"]);
    let what = summary.what;
    let mut rows = vec![(summary.wall, "wall time".to_string())];
    rows.extend(ir_rows(report));
    rows.extend([
        (summary.serial, "of it outline and linking of cubins, on one CPU".to_string()),
        (summary.kernels, format!("of it {what}s, {over:.2} times the lower bound")),
        (summary.bound.time, format!("lower bound for any schedule: {reason}")),
        (summary.sum, format!("all {what}s one after another")),
    ]);
    rows.extend(simulated(report).map(|made| {
        let what = format!("simulated on {} workers; one works alone for {:.0} %", made.workers, made.share_alone());
        (made.time, what)
    }));
    for (time, what) in rows {
        table.row([format!("{:.1}", ms(time)), what]);
    }
    ui.note(table.to_string().trim_end());
    ui.note(&format!("limited by: {}", summary.verdict(report)));
    let slots = summary.slots.map_or(String::new(), |slots| format!("; {slots:.1} job slots on average"));
    ui.note(&format!(
        "workers: {} (limited by {}), {} started{slots}",
        report.workers, report.workers_source, report.workers_started
    ));
    if let Some(used) = &report.remote {
        let waited = report.suspended.as_secs_f64();
        ui.note(&format!("{}; {waited:.3} s with nothing to compile here", remote_table::line(report, used)));
    }
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
