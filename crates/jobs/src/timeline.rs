//! When what ran where: collected by the coordinator, written as a Chrome trace.

use crate::pool::Finished;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// A step of a task.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Its name.
    pub name: &'static str,
    /// When it began.
    pub begun: Instant,
    /// How long it took.
    pub wall: Duration,
}

/// The steps a task has marked, in the order in which they ended.
pub type Phases = Vec<Phase>;

/// CPU time the calling thread has used.
pub fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// The events of a run, relative to its beginning.
#[derive(Debug)]
pub struct Timeline {
    origin: Instant,
    events: Vec<Event>,
}

/// One complete event of the Trace Event Format (`ph: X`); times in microseconds.
#[derive(Debug, Serialize)]
struct Event {
    name: String,
    cat: &'static str,
    ph: &'static str,
    ts: u64,
    dur: u64,
    pid: u32,
    tid: usize,
}

/// The thread number of the coordinator; workers follow.
const MAIN: usize = 0;

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline::new()
    }
}

impl Timeline {
    /// A timeline that begins now.
    pub fn new() -> Timeline {
        Timeline { origin: Instant::now(), events: Vec::new() }
    }

    /// Runs a serial phase of the coordinator and notes its time.
    pub fn main_phase<T>(&mut self, name: &'static str, body: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = body();
        self.add(name.to_string(), "main", begun, begun.elapsed(), MAIN);
        result
    }

    /// Notes a task and its steps.
    pub fn task<T>(&mut self, finished: &Finished<T>) {
        let thread = finished.worker + 1;
        self.add(finished.name.to_string(), "kernel", finished.started, finished.wall, thread);
        for phase in &finished.phases {
            self.add(phase.name.to_string(), "phase", phase.begun, phase.wall, thread);
        }
    }

    fn add(&mut self, name: String, cat: &'static str, begun: Instant, wall: Duration, tid: usize) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let ts = micros(begun.saturating_duration_since(self.origin));
        self.events.push(Event { name, cat, ph: "X", ts, dur: micros(wall), pid: 1, tid });
    }

    /// Writes the Trace Event Format, as Perfetto and `chrome://tracing` read it.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        #[derive(Serialize)]
        struct Trace<'a> {
            #[serde(rename = "displayTimeUnit")]
            unit: &'static str,
            #[serde(rename = "traceEvents")]
            events: &'a [Event],
        }
        serde_json::to_writer(&mut *out, &Trace { unit: "ms", events: &self.events })?;
        out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trace_is_json_with_complete_events() {
        let mut timeline = Timeline::new();
        assert_eq!(timeline.main_phase("outline", || 3), 3);
        let mut bytes = Vec::new();
        timeline.write(&mut bytes).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(value["traceEvents"][0]["name"], "outline");
        assert_eq!(value["traceEvents"][0]["ph"], "X");
    }
}
