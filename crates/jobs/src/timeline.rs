//! The timeline of a run: collected by the coordinator, written as a Chrome trace.
//!
//! The format is the Trace Event Format, which Perfetto and `chrome://tracing` read: complete
//! events (`X`) for phases of the coordinator, tasks, their steps, and passes within those, and for
//! work elsewhere; counters (`C`) for tasks queued, running and elsewhere, tokens and memory; names
//! of threads (`M`). Times
//! are microseconds since the start of the run; `otherData.origin_us` is that start on the
//! machine's monotonic clock, so that the traces of several processes can be aligned, and
//! `otherData.written_us` the time at which the writing of the timeline itself began.

mod spans;

use crate::phases::time_of;
pub use crate::phases::{Phase, Phases, thread_cpu};
use crate::queue::Load;
use crate::task::{Finished, Part};
use crate::tokens::Holding;
use rustix::time::ClockId;
use serde::{Serialize, Serializer};
pub use spans::Elsewhere;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
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
    /// Jobs that wait for something outside.
    pub suspended: usize,
    /// Resident memory in bytes; 0 if the system does not report it.
    pub resident: u64,
}

impl Sample {
    /// The least time between two samples.
    pub const EVERY: Duration = Duration::from_millis(2);

    /// Takes a sample.
    pub fn now(load: Load, meter: &mut Resident) -> Sample {
        let Load { queued, running, lent, suspended, .. } = load;
        Sample { at: Instant::now(), queued, running, lent, suspended, resident: meter.bytes() }
    }
}

/// Reads the resident memory of this process many times: the file stays open.
#[derive(Debug, Default)]
pub struct Resident {
    file: Option<File>,
    failed: bool,
}

impl Resident {
    /// More than the file has.
    const USUAL: usize = 256;

    /// Resident memory in bytes, from `/proc/self/statm`; 0 if it does not exist.
    pub fn bytes(&mut self) -> u64 {
        if self.file.is_none() && !self.failed {
            self.file = File::open("/proc/self/statm").ok();
            self.failed = self.file.is_none();
        }
        let mut text = [0; Self::USUAL];
        let length = self.file.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or(0);
        let words = std::str::from_utf8(&text[..length]).unwrap_or_default();
        let pages: u64 = words.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
        pages * rustix::param::page_size() as u64
    }
}

/// Resident memory of this process in bytes; 0 if the system does not report it.
pub fn resident() -> u64 {
    Resident::default().bytes()
}

/// The peak of resident memory of this process, in bytes, from `VmHWM`; 0 if the system does not
/// report it.
pub fn peak_resident() -> u64 {
    let status = crate::small_files::text("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Work that threads have shared.
#[derive(Clone, Copy, Debug)]
pub struct SharedWork {
    /// When it began.
    pub begun: Instant,
    /// Its duration.
    pub wall: Duration,
    /// The duration of its longest piece: no number of threads does it in less.
    pub longest: Duration,
    /// The most threads that would have been used, whatever `-j` allowed.
    pub threads: usize,
    /// The worker, for work that one of them did while the coordinator did something else.
    pub worker: Option<usize>,
}

/// The events of a run, relative to its start.
#[derive(Debug)]
pub struct Timeline {
    origin: Instant,
    clock: Duration,
    pid: u32,
    /// Events of the coordinator.
    events: Vec<Event>,
    tasks: Vec<Ended>,
    elsewhere: Vec<Elsewhere>,
}

/// A task that has ended. Its events are made when a timeline is written, which few are.
#[derive(Debug)]
struct Ended {
    name: Arc<str>,
    parts: Vec<Part>,
    facts: Values,
}

/// The name of an event.
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
#[derive(Clone, Debug, Default)]
struct Values(Vec<(&'static str, Value)>);

/// A value of an event.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Value {
    Number(u64),
    Text(String),
}

impl Values {
    fn numbers(values: &[(&'static str, u64)]) -> Values {
        Values(values.iter().map(|&(name, value)| (name, Value::Number(value))).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
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
        let (clock, pid) = (time_of(ClockId::Monotonic), std::process::id());
        Timeline { origin: Instant::now(), clock, pid, events: Vec::new(), tasks: Vec::new(), elsewhere: Vec::new() }
    }

    /// The start of the timeline.
    pub fn origin(&self) -> Instant {
        self.origin
    }

    /// Runs a serial phase of the coordinator and records its time.
    pub fn main_phase<T>(&mut self, name: &'static str, body: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = body();
        let event = self.complete(Name::Fixed(name), "main", (begun, begun.elapsed()), MAIN, Values::default());
        self.events.push(event);
        result
    }

    /// Records work within a phase of the coordinator that its threads have shared.
    pub fn shared_phase(&mut self, name: &'static str, work: SharedWork) {
        let SharedWork { begun, wall, longest, threads, worker } = work;
        let longest = u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX);
        let facts = Values::numbers(&[("longest_ns", longest), ("threads", threads as u64)]);
        let thread = worker.map_or(MAIN, |worker| worker + 1);
        let event = self.complete(Name::Fixed(name), "shared", (begun, wall), thread, facts);
        self.events.push(event);
    }

    /// The total time of the coordinator's phases.
    pub fn serial(&self) -> Duration {
        let micros = self.events.iter().filter(|event| event.cat == "main").filter_map(|event| event.dur).sum();
        Duration::from_micros(micros)
    }

    /// Records a task, each of its parts, and its steps, which are taken out of it; `facts` are shown
    /// with it.
    pub fn task<T>(&mut self, finished: &mut Finished<T>, facts: &[(&'static str, u64)]) {
        let parts = std::mem::take(&mut finished.parts);
        self.tasks.push(Ended { name: Arc::clone(&finished.name), parts, facts: Values::numbers(facts) });
    }

    /// The events of a task.
    fn events_of<'a>(&'a self, task: &'a Ended) -> impl Iterator<Item = Event> + 'a {
        task.parts.iter().flat_map(move |part| {
            let thread = part.worker + 1;
            let name = Name::Shared(Arc::clone(&task.name));
            let whole = self.complete(name, "kernel", (part.started, part.wall), thread, task.facts.clone());
            let phases = part.phases.iter().map(move |phase| {
                let kind = if phase.fine { "pass" } else { "phase" };
                self.complete(Name::Fixed(phase.name), kind, (phase.begun, phase.wall), thread, Values::default())
            });
            std::iter::once(whole).chain(phases)
        })
    }

    /// The names of threads, by number.
    fn threads(&self) -> BTreeMap<usize, String> {
        let of_tasks = self.tasks.iter().flat_map(|task| &task.parts).map(|part| part.worker + 1);
        let threads = of_tasks.chain(self.events.iter().map(|event| event.tid)).filter(|&thread| thread != MAIN);
        let workers = threads.map(|thread| (thread, format!("worker {}", thread - 1)));
        let first = std::iter::once((MAIN, "coordinator".to_string()));
        first.chain(workers).chain(spans::threads(self)).collect()
    }

    /// Records the load over time.
    pub fn load(&mut self, samples: &[Sample], tokens: &[Holding]) {
        for sample in samples {
            let Sample { queued, running, lent, suspended, .. } = *sample;
            let tasks = [("queued", queued), ("running", running), ("lent", lent), ("elsewhere", suspended)];
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
        let (ts, args) = (self.micros(at), Values::numbers(values));
        let pid = self.pid;
        self.events.push(Event { name: Name::Fixed(name), cat: "", ph: "C", ts, dur: None, pid, tid: MAIN, args });
    }

    fn complete(
        &self,
        name: Name,
        cat: &'static str,
        (begun, wall): (Instant, Duration),
        tid: usize,
        args: Values,
    ) -> Event {
        let ts = self.micros(begun);
        // Ends are truncated to microseconds like starts, so that nested events stay nested.
        let dur = Some(self.micros(begun + wall) - ts);
        Event { name, cat, ph: "X", ts, dur, pid: self.pid, tid, args }
    }

    /// Writes the Trace Event Format.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let written_us = self.micros(Instant::now());
        #[derive(Serialize)]
        struct Trace<'a> {
            #[serde(rename = "displayTimeUnit")]
            unit: &'static str,
            #[serde(rename = "otherData")]
            other: Other,
            #[serde(rename = "traceEvents")]
            events: Events<'a>,
        }
        #[derive(Serialize)]
        struct Other {
            origin_us: u64,
            written_us: u64,
        }
        let other = Other { origin_us: micros(self.clock), written_us };
        serde_json::to_writer(&mut *out, &Trace { unit: "ms", other, events: Events(self) })?;
        out.write_all(b"\n")
    }
}

/// All events, made one after another: those of passes would fill as much memory as a build needs.
struct Events<'a>(&'a Timeline);

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Line<'a> {
            Thread(ThreadName<'a>),
            Event(&'a Event),
            OfTask(Event),
        }
        let (timeline, threads) = (self.0, self.0.threads());
        let names = threads.iter().map(|(&tid, name)| {
            let args = BTreeMap::from([("name", &**name)]);
            Line::Thread(ThreadName { name: "thread_name", ph: "M", ts: 0, pid: timeline.pid, tid, args })
        });
        let tasks = timeline.tasks.iter().flat_map(|task| timeline.events_of(task)).map(Line::OfTask);
        let elsewhere = spans::events(timeline).into_iter().map(Line::OfTask);
        serializer.collect_seq(names.chain(timeline.events.iter().map(Line::Event)).chain(tasks).chain(elsewhere))
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Outcome, TaskId};

    #[test]
    fn the_trace_is_json_with_complete_events_counters_and_names() {
        let mut timeline = Timeline::new();
        assert_eq!(timeline.main_phase("outline", || 3), 3);
        let load = Load { queued: 2, running: 1, permits: 1, lent: 0, suspended: 7, waiting: 0 };
        timeline.load(&[Sample::now(load, &mut Resident::default())], &[Holding { at: Instant::now(), held: 3 }]);
        let mut bytes = Vec::new();
        timeline.write(&mut bytes).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let events = value["traceEvents"].as_array().unwrap();
        let kinds: Vec<&str> = events.iter().map(|event| event["ph"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["M", "X", "C", "C", "C"]);
        assert_eq!((&events[1]["name"], &events[4]["args"]["held"]), (&"outline".into(), &3.into()));
        assert_eq!(events[2]["args"]["elsewhere"], 7);
        assert!(events[3]["args"]["resident"].as_u64().unwrap() > 100_000);
        assert!(value["otherData"]["origin_us"].is_u64());
        assert!(value["otherData"]["written_us"].as_u64() >= events[1]["dur"].as_u64());
    }

    #[test]
    fn a_task_is_an_event_for_each_of_its_parts_with_the_steps_within() {
        let mut timeline = Timeline::new();
        let (started, wall) = (timeline.origin(), Duration::from_micros(9));
        let phases = vec![Phase { name: "parse", begun: started, wall: Duration::from_micros(3), fine: false }];
        let first = Part { worker: 2, started, wall, phases };
        let parts = vec![first, Part { worker: 0, started: started + wall, wall, phases: Vec::new() }];
        let (cpu, name) = (Duration::ZERO, Arc::from("k"));
        let mut task = Finished { id: TaskId(0), name, outcome: Outcome::Done(()), wall, cpu, parts, during: None };
        timeline.task(&mut task, &[("cost", 7)]);
        assert!(task.parts.is_empty());
        let mut bytes = Vec::new();
        timeline.write(&mut bytes).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let events = value["traceEvents"].as_array().unwrap();
        let row = |event: &serde_json::Value| {
            let number = |name: &str| event[name].as_u64();
            (
                event["name"].as_str().unwrap().to_owned(),
                number("tid").unwrap(),
                number("dur"),
                event["args"]["cost"].as_u64(),
            )
        };
        let rows: Vec<_> = events.iter().map(row).collect();
        let all = [
            ("thread_name", 0, None, None),
            ("thread_name", 1, None, None),
            ("thread_name", 3, None, None),
            ("k", 3, Some(9), Some(7)),
            ("parse", 3, Some(3), None),
            ("k", 1, Some(9), Some(7)),
        ];
        assert_eq!(rows, all.map(|(name, tid, dur, cost)| (name.to_owned(), tid, dur, cost)));
    }

    #[test]
    fn memory_of_the_process_is_known() {
        assert!(resident() > 100_000 && peak_resident() >= 100_000);
        let mut meter = Resident::default();
        let before = meter.bytes();
        let more = std::hint::black_box(vec![1_u8; 64 << 20]);
        // What other tests free meanwhile is less.
        assert!(meter.bytes() > before + (more.len() as u64) / 2);
    }
}
