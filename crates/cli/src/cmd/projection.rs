//! The same build on more workers, simulated from its recorded times.
//!
//! Tasks are started the longest first, each as soon as a worker is free, as the pool does when it
//! knows their times. Steps on LLVM IR follow one another, and what one task or the coordinator did
//! takes as long as it took. Memory, caches and other programs are not simulated.

use raddle_driver::host::bounds::longest_first;
use raddle_driver::report::Report;
use std::time::Duration;

/// The numbers of workers for which a build is simulated.
pub(super) const WORKERS: [usize; 3] = [8, 16, 64];

/// The steps of a build with their times.
#[derive(Debug)]
pub(super) struct Recorded {
    /// The tasks of each step: of LLVM IR, or all kernels.
    steps: Vec<Vec<Duration>>,
    /// What the coordinator does alone.
    serial: Duration,
}

/// A simulated build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Projection {
    pub workers: usize,
    /// From the first task to the end.
    pub time: Duration,
    /// Of it, the time in which one worker has something to do: single tasks and the coordinator.
    pub alone: Duration,
}

impl Recorded {
    /// The steps of a build; `None` if nothing was compiled.
    pub(super) fn of(report: &Report) -> Option<Recorded> {
        let of_ir = report.ir_steps.iter().map(|step| step.tasks.iter().map(|(_, time)| *time).collect());
        let mut steps: Vec<Vec<Duration>> = of_ir.collect();
        if steps.is_empty() {
            steps.push(report.units().map(|unit| unit.wall).collect());
        }
        steps.retain(|step| !step.is_empty());
        (!steps.is_empty()).then(|| Recorded { steps, serial: report.timeline.serial() })
    }

    /// The build on this many workers.
    pub(super) fn on(&self, workers: usize) -> Projection {
        let span = |step: &Vec<Duration>| {
            let costs: Vec<u64> = step.iter().map(|time| time.as_nanos().try_into().unwrap_or(u64::MAX)).collect();
            longest_first(&costs, step, 0, workers)
        };
        let single: Duration = self.steps.iter().filter(|step| step.len() == 1).flatten().sum();
        Projection {
            workers,
            time: self.steps.iter().map(span).sum::<Duration>() + self.serial,
            alone: single + self.serial,
        }
    }
}

impl Projection {
    /// The share of the time in which one worker has something to do, in percent.
    pub(super) fn share_alone(&self) -> f64 {
        100.0 * self.alone.as_secs_f64() / self.time.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_one_another_and_single_tasks_do_not_shrink() {
        let times = |millis: &[u64]| -> Vec<Duration> { millis.iter().map(|&ms| Duration::from_millis(ms)).collect() };
        let recorded = Recorded {
            steps: vec![times(&[30, 10, 20]), times(&[25]), times(&[40, 40, 40, 40])],
            serial: Duration::from_millis(15),
        };
        let on = |workers| {
            let made = recorded.on(workers);
            (made.time.as_millis(), made.alone.as_millis())
        };
        assert_eq!(on(1), (60 + 25 + 160 + 15, 40));
        assert_eq!(on(2), (30 + 25 + 80 + 15, 40));
        assert_eq!(on(64), (30 + 25 + 40 + 15, 40));
        assert!((recorded.on(64).share_alone() - 100.0 * 40.0 / 110.0).abs() < 1e-9);
    }
}
