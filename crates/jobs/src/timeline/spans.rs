//! Work elsewhere in a timeline: what another machine did for a task.
//!
//! Any number of such spans overlap, so each gets the first lane that is free: a thread of its own in
//! the trace, after those of the workers.

use super::{Event, Name, Timeline, Value, Values};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of the first lane among the threads of a trace.
const FIRST: usize = 1 << 20;

/// Work that something outside of the pool did for a task.
#[derive(Clone, Debug)]
pub struct Elsewhere {
    /// The name of the task.
    pub name: Arc<str>,
    /// When it began.
    pub begun: Instant,
    /// Its duration, as seen from here.
    pub wall: Duration,
    /// Its steps in their order, which together are no longer: what they leave is before and after
    /// them, in equal parts, since it is not measured.
    pub steps: Vec<(&'static str, Duration)>,
    /// Numbers that are shown with it.
    pub numbers: Vec<(&'static str, u64)>,
    /// Texts that are shown with it.
    pub texts: Vec<(&'static str, String)>,
}

impl Timeline {
    /// Records work elsewhere.
    pub fn elsewhere(&mut self, span: Elsewhere) {
        self.elsewhere.push(span);
    }
}

/// The spans with their lanes, in order of their starts.
fn lanes(timeline: &Timeline) -> Vec<(usize, &Elsewhere)> {
    let mut spans: Vec<&Elsewhere> = timeline.elsewhere.iter().collect();
    spans.sort_by_key(|span| span.begun);
    // The end of the last span of each lane.
    let mut ends: Vec<u64> = Vec::new();
    let lane = |span: &Elsewhere| {
        let begun = timeline.micros(span.begun);
        let lane = ends.iter().position(|&end| end <= begun).unwrap_or_else(|| {
            ends.push(0);
            ends.len() - 1
        });
        ends[lane] = timeline.micros(span.begun + span.wall);
        lane
    };
    let numbers: Vec<usize> = spans.iter().copied().map(lane).collect();
    numbers.into_iter().zip(spans).collect()
}

/// The names of the lanes.
pub(super) fn threads(timeline: &Timeline) -> BTreeMap<usize, String> {
    lanes(timeline).into_iter().map(|(lane, _)| (FIRST + lane, format!("remote {lane}"))).collect()
}

/// The events of all spans.
pub(super) fn events(timeline: &Timeline) -> Vec<Event> {
    let mut events = Vec::new();
    for (lane, span) in lanes(timeline) {
        let numbers = span.numbers.iter().map(|&(name, number)| (name, Value::Number(number)));
        let texts = span.texts.iter().map(|(name, text)| (*name, Value::Text(text.clone())));
        let args = Values(numbers.chain(texts).collect());
        let name = Name::Shared(Arc::clone(&span.name));
        events.push(timeline.complete(name, "remote", (span.begun, span.wall), FIRST + lane, args));
        let all: Duration = span.steps.iter().map(|(_, wall)| *wall).sum();
        let Some(rest) = span.wall.checked_sub(all) else { continue };
        let mut begun = span.begun + rest / 2;
        for &(name, wall) in &span.steps {
            let step = timeline.complete(Name::Fixed(name), "phase", (begun, wall), FIRST + lane, Values::default());
            events.push(step);
            begun += wall;
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_overlap_have_lanes_of_their_own() {
        let mut timeline = Timeline::new();
        let origin = timeline.origin();
        let at = |micros| Duration::from_micros(micros);
        for (name, begun, wall) in [("a", 0, 10), ("b", 5, 10), ("c", 12, 10), ("d", 13, 3)] {
            timeline.elsewhere(Elsewhere {
                name: name.into(),
                begun: origin + at(begun),
                wall: at(wall),
                steps: vec![("queue", at(2)), ("execution", at(4))],
                numbers: vec![("sent_bytes", 7)],
                texts: vec![("worker", "w".to_owned())],
            });
        }
        let mut bytes = Vec::new();
        timeline.write(&mut bytes).unwrap();
        let trace: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let events = trace["traceEvents"].as_array().unwrap();
        let spans: Vec<_> = events.iter().filter(|event| event["cat"] == "remote").collect();
        let lane = |event: &&serde_json::Value| event["tid"].as_u64().unwrap() as usize - FIRST;
        assert_eq!(spans.iter().map(lane).collect::<Vec<_>>(), [0, 1, 0, 2]);
        assert_eq!((&spans[0]["args"]["worker"], &spans[0]["args"]["sent_bytes"]), (&"w".into(), &7.into()));
        let steps: Vec<_> = events.iter().filter(|event| event["cat"] == "phase").collect();
        assert_eq!(steps.len(), 6, "what is longer than its span is not shown: {steps:?}");
        assert_eq!((&steps[0]["ts"], &steps[1]["ts"], &steps[1]["dur"]), (&2.into(), &4.into(), &4.into()));
        let names: Vec<_> =
            events.iter().filter(|event| event["ph"] == "M").map(|event| &event["args"]["name"]).collect();
        assert_eq!(names, ["coordinator", "remote 0", "remote 1", "remote 2"]);
    }
}
