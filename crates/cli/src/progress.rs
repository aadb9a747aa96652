//! The progress display: a bar on a terminal, lines elsewhere, and alarms.

use crate::args::{Jobs, MessageFormat, ProgressKind};
use crate::demangle::demangle;
use crate::ui::Ui;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use raddle_diag::render::json;
use raddle_driver::host::{self, Running, jobserver::Client};
use raddle_driver::options::RunOptions;
use raddle_driver::program::Unit;
use raddle_driver::progress::Progress;
use raddle_driver::report::IrStepKind;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The interval at which bar and alarms are updated.
const TICK: Duration = Duration::from_millis(100);
/// The interval of lines without a terminal.
const LINE: Duration = Duration::from_secs(10);
/// What is counted where no step of LLVM runs.
const KERNELS: &str = "kernels";
/// The number of kernels named on the bar.
const NAMED: usize = 3;
/// The longest name shown.
const NAME: usize = 40;

/// The progress display.
pub(crate) struct Show<'a> {
    ui: &'a Ui,
    bar: ProgressBar,
    kind: ProgressKind,
    alarm: Duration,
    client: Option<Arc<Client>>,
    begun: Instant,
    /// What is counted.
    what: &'static str,
    /// Whether that is functions, of which a task has several.
    functions: bool,
    units: usize,
    ended: usize,
    cost: u64,
    done: u64,
    line_at: Instant,
    /// Kernels that an engine has.
    elsewhere: usize,
    /// When each task's next alarm is due, by number and name.
    alarms: BTreeMap<(usize, Arc<str>), Duration>,
}

impl<'a> Show<'a> {
    /// Creates a display that is empty until the plan is known.
    pub(crate) fn new(ui: &'a Ui, args: &Jobs, run: &RunOptions) -> Show<'a> {
        let now = Instant::now();
        Show {
            ui,
            bar: ProgressBar::hidden(),
            kind: args.progress,
            alarm: args.alarm,
            client: run.jobserver.clone(),
            begun: now,
            what: KERNELS,
            functions: false,
            units: 0,
            ended: 0,
            cost: 0,
            done: 0,
            line_at: now + LINE,
            elsewhere: 0,
            alarms: BTreeMap::new(),
        }
    }

    /// The interval at which [`Progress::running`] is to be called.
    pub(crate) fn tick() -> Duration {
        TICK
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints a line without disturbing the bar.
    fn say(&self, text: &str) {
        self.bar.suspend(|| self.ui.note(text));
    }

    /// The estimated remaining time, by the cost model; `None` before there is anything to base it
    /// on.
    fn left(&self) -> Option<Duration> {
        let part = self.done as f64 / self.cost.max(1) as f64;
        (part > 0.02).then(|| self.begun.elapsed().mul_f64((1.0 - part).max(0.0) / part))
    }

    /// Names the tasks that have run longest, for a line.
    fn slowest(running: &[Arc<Running>]) -> String {
        let names = running.iter().take(NAMED).map(|task| {
            let name = demangle(&task.name);
            let short: String = name.chars().take(NAME).collect();
            let dots = if short.len() < name.len() { "..." } else { "" };
            format!("{short}{dots} {:.1} s", task.started.elapsed().as_secs_f64())
        });
        let more = if running.len() > NAMED { format!(" and {} more", running.len() - NAMED) } else { String::new() };
        names.collect::<Vec<_>>().join(", ") + &more
    }

    fn state(&self, running: &[Arc<Running>]) -> String {
        let left = self.left().map_or(String::new(), |left| format!("{} s left; ", left.as_secs() + 1));
        let tokens = self.client.as_ref().map_or(String::new(), |client| format!("{} tokens; ", client.held()));
        let elsewhere = if self.elsewhere > 0 { format!("{} elsewhere; ", self.elsewhere) } else { String::new() };
        format!("{left}{tokens}{elsewhere}{} MiB; {}", host::resident() >> 20, Show::slowest(running))
    }

    /// The line for output without a terminal, if one is due.
    fn line(&mut self, now: Instant, running: &[Arc<Running>]) -> Option<String> {
        let wanted = self.kind == ProgressKind::Auto && self.bar.is_hidden() && self.ui.human() && now >= self.line_at;
        wanted.then(|| {
            self.line_at = now + LINE;
            let seconds = now.duration_since(self.begun).as_secs();
            let (ended, units, what) = (self.ended, self.units, self.what);
            format!("{ended} of {units} {what} after {seconds} s; {}", self.state(running))
        })
    }

    fn ring(&mut self, running: &[Arc<Running>]) {
        if self.alarm.is_zero() {
            return;
        }
        let mut due = Vec::new();
        for task in running {
            let next = self.alarms.entry((task.id.0, Arc::clone(&task.name))).or_insert(self.alarm);
            let elapsed = task.started.elapsed();
            if elapsed >= *next {
                while *next <= elapsed {
                    *next *= 2;
                }
                due.push((Arc::clone(task), elapsed));
            }
        }
        for (task, elapsed) in due {
            let (seconds, step) = (elapsed.as_secs_f64(), task.step().unwrap_or("start"));
            match self.ui.format() {
                MessageFormat::Json => self.say(
                    &serde_json::json!({
                        "schema": json::SCHEMA, "kind": "slow", "name": &*task.name, "seconds": seconds, "step": step,
                    })
                    .to_string(),
                ),
                MessageFormat::Human | MessageFormat::Ptxas => self.say(&format!(
                    "{}: {}'{}' has been compiled for {seconds:.1} s (now in {step})",
                    if self.ui.human() { "note".to_string() } else { format!("{} info    ", self.ui.tool()) },
                    if self.what == KERNELS { "kernel " } else { "" },
                    demangle(&task.name)
                )),
            }
        }
    }
}

impl Show<'_> {
    /// Begins to count anew.
    fn count(&mut self, what: &'static str, units: usize, cost: u64) {
        self.bar.finish_and_clear();
        self.bar = ProgressBar::hidden();
        (self.what, self.units, self.cost) = (what, units, cost);
        (self.ended, self.done) = (0, 0);
        self.begun = Instant::now();
        self.line_at = self.begun + LINE;
        if self.kind != ProgressKind::Auto || !self.ui.terminal() || units < 2 {
            return;
        }
        let bar = ProgressBar::with_draw_target(Some(units as u64), ProgressDrawTarget::stderr());
        let template = format!("{{spinner}} {{pos}}/{{len}} {what} [{{bar:12}}] {{wide_msg:.dim}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        self.bar = bar;
    }

    /// Advances by `count`, the kernels, inputs or functions of a task that has ended.
    fn one_ended(&mut self, name: &str, count: usize, cost: u64, wall: Duration, failed: bool) {
        self.ended += count;
        self.done += cost;
        self.bar.inc(count as u64);
        if self.kind == ProgressKind::Lines && self.ui.human() {
            let how = if failed { " (failed)" } else { "" };
            let name = demangle(name);
            self.say(&format!("[{}/{}] {name} {:.1} ms{how}", self.ended, self.units, wall.as_secs_f64() * 1e3));
        }
    }
}

impl Progress for Show<'_> {
    fn planned(&mut self, units: usize, cost: u64) {
        self.functions = false;
        self.count(KERNELS, units, cost);
    }

    fn ended(&mut self, unit: &Unit, wall: Duration, failed: bool) {
        self.one_ended(&unit.name, 1, unit.cost, wall, failed);
    }

    fn step(&mut self, step: IrStepKind, tasks: usize, functions: usize, cost: u64) {
        self.functions = step == IrStepKind::Parts && functions > 0;
        let what = match step {
            IrStepKind::Read => "inputs read",
            IrStepKind::Simplify => "inputs simplified",
            IrStepKind::Describe => "inputs described",
            IrStepKind::Link => "programs linked",
            IrStepKind::Whole => "programs compiled",
            IrStepKind::Parts if self.functions => "functions compiled",
            IrStepKind::Parts => "inputs compiled",
            IrStepKind::NvJitLink => "programs of LTO-IR linked",
            IrStepKind::Other => "steps",
        };
        self.count(what, if self.functions { functions } else { tasks }, cost);
    }

    fn step_ended(&mut self, name: &str, functions: usize, cost: u64, wall: Duration, failed: bool) {
        self.one_ended(name, if self.functions { functions } else { 1 }, cost, wall, failed);
    }

    fn elsewhere(&mut self, units: usize) {
        self.elsewhere = units;
    }

    fn running(&mut self, running: &[Arc<Running>]) {
        if !self.bar.is_hidden() {
            self.bar.set_message(self.state(running));
        }
        if let Some(line) = self.line(Instant::now(), running) {
            self.say(&line);
        }
        self.ring(running);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser;

    #[test]
    fn without_a_terminal_there_is_a_line_now_and_then() {
        let cli = Cli::parse_from(["raddle", "check", "k.ptx"]);
        let crate::args::Command::Check(check) = &cli.command else { panic!("check") };
        let ui = Ui::new(&cli.global);
        let mut show = Show::new(&ui, &check.jobs, &RunOptions::default());
        show.planned(8, 1000);
        // A test runner may have a terminal.
        show.bar = ProgressBar::hidden();
        let begun = show.begun;
        assert_eq!(show.line(begun + LINE / 2, &[]), None);
        (show.ended, show.done) = (3, 250);
        let line = show.line(begun + LINE, &[]).unwrap();
        assert!(line.starts_with("3 of 8 kernels after 10 s; ") && line.contains(" s left; "), "{line}");
        assert!(line.contains(" MiB; "), "{line}");
        assert_eq!(show.line(begun + LINE + LINE / 2, &[]), None);
        show.elsewhere(5);
        let line = show.line(begun + 2 * LINE, &[]).unwrap();
        assert!(line.contains(" s left; 5 elsewhere; ") && line.contains(" MiB; "), "{line}");
        show.elsewhere(0);
        assert!(!show.state(&[]).contains("elsewhere"));
        show.kind = ProgressKind::Off;
        assert_eq!(show.line(begun + 9 * LINE, &[]), None);
    }
}
