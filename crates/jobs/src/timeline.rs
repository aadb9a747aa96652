//! The timeline of a run: collected by the coordinator, written as a Chrome trace.
//!
//! The format is the Trace Event Format, which Perfetto and `chrome://tracing` read: complete
//! events (`X`) for phases of the coordinator, tasks, their steps, and passes within those;
//! counters (`C`) for tasks queued and running, tokens and memory; names of threads (`M`). Times
//! are microseconds since the start of the run; `otherData.origin_us` is that start on the
//! machine's monotonic clock, so that the traces of several processes can be aligned.

use crate::phases::time_of;
pub use crate::phases::{Phase, Phases, thread_cpu};
use crate::task::{Finished, Outcome};
use crate::tokens::Holding;
use rustix::time::ClockId;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A sample of the load of the process.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The time of the sample.
    pub at: Instant,
    /// Queued jobs.
    pub queued: usize,
    /// Running jobs.
    pub running: usize,
    /// Slots lent to tools.
    pub lent: usize,
    /// Resident memory in bytes; 0 if the system does not report it.
    pub resident: u64,
}

impl Sample {
    /// The least time between two samples.
    pub const EVERY: Duration = Duration::from_millis(2);

    /// Takes a sample.
    pub fn now(queued: usize, running: usize, lent: usize) -> Sample {
        Sample { at: Instant::now(), queued, running, lent, resident: resident() }
    }
}

/// Resident memory of this process in bytes, from `/proc/self/statm`; 0 if it does not exist.
pub fn resident() -> u64 {
    let statm = crate::small_files::text("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * rustix::param::page_size() as u64
}

/// The peak of resident memory of this process, in bytes, from `VmHWM`; 0 if the system does not
/// report it.
pub fn peak_resident() -> u64 {
    let status = crate::small_files::text("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The events of a run, relative to its start.
#[derive(Debug)]
pub struct Timeline {
    origin: Instant,
    clock: Duration,
    pid: u32,
    events: Vec<Event>,
    threads: BTreeMap<usize, String>,
}

/// The name of an event. Names are shared: most timelines are never written.
#[derive(Debug)]
enum Name {
    Fixed(&'static str),
    Shared(Arc<str>),
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Name::Fixed(name) => name,
            Name::Shared(name) => name,
        })
    }
}

/// Named values of an event, as an object.
#[derive(Debug, Default)]
struct Values(Vec<(&'static str, u64)>);

impl Values {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// One event of the Trace Event Format; times in microseconds.
#[derive(Debug, Serialize)]
struct Event {
    name: Name,
    #[serde(skip_serializing_if = "str::is_empty")]
    cat: &'static str,
    ph: &'static str,
    ts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    pid: u32,
    tid: usize,
    #[serde(skip_serializing_if = "Values::is_empty")]
    args: Values,
}

/// The name of a thread in the Trace Event Format.
#[derive(Debug, Serialize)]
struct ThreadName<'a> {
    name: &'static str,
    ph: &'static str,
    ts: u64,
    pid: u32,
    tid: usize,
    args: BTreeMap<&'static str, &'a str>,
}

/// The thread number of the coordinator; workers follow.
const MAIN: usize = 0;

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline::new()
    }
}

impl Timeline {
    /// Creates a timeline that starts now.
    pub fn new() -> Timeline {
        let threads = BTreeMap::from([(MAIN, "coordinator".to_string())]);
        let (clock, pid) = (time_of(ClockId::Monotonic), std::process::id());
        Timeline { origin: Instant::now(), clock, pid, events: Vec::new(), threads }
    }

    /// The start of the timeline.
    pub fn origin(&self) -> Instant {
        self.origin
    }

    /// Runs a serial phase of the coordinator and records its time.
    pub fn main_phase<T>(&mut self, name: &'static str, body: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = body();
        self.complete(Name::Fixed(name), "main", begun, begun.elapsed(), MAIN, Values::default());
        result
    }

    /// Records work within a phase of the coordinator that its threads have shared.
    pub fn shared_phase(&mut self, name: &'static str, begun: Instant, wall: Duration) {
        self.complete(Name::Fixed(name), "shared", begun, wall, MAIN, Values::default());
    }

    /// The total time of the coordinator's phases.
    pub fn serial(&self) -> Duration {
        let micros = self.events.iter().filter(|event| event.cat == "main").filter_map(|event| event.dur).sum();
        Duration::from_micros(micros)
    }

    /// Records a task, each of its parts, and its steps; `facts` are shown with it.
    pub fn task<T>(&mut self, finished: &Finished<T>, facts: &[(&'static str, u64)]) {
        if matches!(finished.outcome, Outcome::Dropped) {
            return;
        }
        for part in &finished.parts {
            let thread = part.worker + 1;
            self.threads.entry(thread).or_insert_with(|| format!("worker {}", part.worker));
            let name = Name::Shared(Arc::clone(&finished.name));
            self.complete(name, "kernel", part.started, part.wall, thread, Values(facts.to_vec()));
            for phase in &part.phases {
                let kind = if phase.fine { "pass" } else { "phase" };
                self.complete(Name::Fixed(phase.name), kind, phase.begun, phase.wall, thread, Values::default());
            }
        }
    }

    /// Records the load over time.
    pub fn load(&mut self, samples: &[Sample], tokens: &[Holding]) {
        for sample in samples {
            let tasks = [("queued", sample.queued), ("running", sample.running), ("lent", sample.lent)];
            let tasks = tasks.map(|(name, count)| (name, count as u64));
            self.counter("jobs", sample.at, &tasks);
            self.counter("memory", sample.at, &[("resident", sample.resident)]);
        }
        for holding in tokens {
            self.counter("tokens", holding.at, &[("held", holding.held as u64)]);
        }
    }

    fn micros(&self, at: Instant) -> u64 {
        micros(at.saturating_duration_since(self.origin))
    }

    fn counter(&mut self, name: &'static str, at: Instant, values: &[(&'static str, u64)]) {
        let (ts, args) = (self.micros(at), Values(values.to_vec()));
        self.add(Event { name: Name::Fixed(name), cat: "", ph: "C", ts, dur: None, pid: 0, tid: MAIN, args });
    }

    fn complete(&mut self, name: Name, cat: &'static str, begun: Instant, wall: Duration, tid: usize, args: Values) {
        let ts = self.micros(begun);
        // Ends are truncated to microseconds like starts, so that nested events stay nested.
        let dur = Some(self.micros(begun + wall) - ts);
        self.add(Event { name, cat, ph: "X", ts, dur, pid: 0, tid, args });
    }

    fn add(&mut self, event: Event) {
        self.events.push(Event { pid: self.pid, ..event });
    }

    /// Writes the Trace Event Format.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        #[derive(Serialize)]
        struct Trace<'a> {
            #[serde(rename = "displayTimeUnit")]
            unit: &'static str,
            #[serde(rename = "otherData")]
            other: Other,
            #[serde(rename = "traceEvents")]
            events: Vec<Line<'a>>,
        }
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Line<'a> {
            Thread(ThreadName<'a>),
            Event(&'a Event),
        }
        #[derive(Serialize)]
        struct Other {
            origin_us: u64,
        }
        let pid = self.pid;
        let names = self.threads.iter().map(|(&tid, name)| {
            let args = BTreeMap::from([("name", &**name)]);
            Line::Thread(ThreadName { name: "thread_name", ph: "M", ts: 0, pid, tid, args })
        });
        let events = names.chain(self.events.iter().map(Line::Event)).collect();
        let trace = Trace { unit: "ms", other: Other { origin_us: micros(self.clock) }, events };
        serde_json::to_writer(&mut *out, &trace)?;
        out.write_all(b"\n")
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trace_is_json_with_complete_events_counters_and_names() {
        let mut timeline = Timeline::new();
        assert_eq!(timeline.main_phase("outline", || 3), 3);
        timeline.load(&[Sample::now(2, 1, 0)], &[Holding { at: Instant::now(), held: 3 }]);
        let mut bytes = Vec::new();
        timeline.write(&mut bytes).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let events = value["traceEvents"].as_array().unwrap();
        let kinds: Vec<&str> = events.iter().map(|event| event["ph"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["M", "X", "C", "C", "C"]);
        assert_eq!((&events[1]["name"], &events[4]["args"]["held"]), (&"outline".into(), &3.into()));
        assert!(events[3]["args"]["resident"].as_u64().unwrap() > 100_000);
        assert!(value["otherData"]["origin_us"].is_u64());
    }

    #[test]
    fn memory_of_the_process_is_known() {
        assert!(resident() > 100_000 && peak_resident() >= 100_000);
    }
}
