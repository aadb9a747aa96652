//! Checks traces of `--timings`: never more tasks than slots.

use serde_json::Value;

/// Reads a trace from a file.
pub fn read(path: &str) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Start and end of a trace's tasks on the machine's clock, in microseconds. Times are truncated
/// twice, so each end of an interval is moved inwards by two.
fn tasks(trace: &Value) -> Vec<(u64, u64)> {
    let origin = trace["otherData"]["origin_us"].as_u64().unwrap();
    let tasks = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["cat"] == "kernel");
    let span = |task: &Value| {
        let begun = origin + task["ts"].as_u64().unwrap();
        (begun + 2, begun + task["dur"].as_u64().unwrap().max(5) - 2)
    };
    tasks.map(span).collect()
}

/// Start and end of the phases on one thread.
fn phases(trace: &Value) -> Vec<(u64, u64)> {
    let origin = trace["otherData"]["origin_us"].as_u64().unwrap();
    let phases = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["cat"] == "main");
    let span = |phase: &Value| {
        let begun = origin + phase["ts"].as_u64().unwrap();
        (begun + 2, begun + phase["dur"].as_u64().unwrap().max(4) - 2)
    };
    phases.map(span).collect()
}

/// The number of slots of a process over time, including the implicit one.
fn slots(trace: &Value) -> Vec<(u64, i64)> {
    let origin = trace["otherData"]["origin_us"].as_u64().unwrap();
    let events = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["name"] == "tokens");
    events.map(|event| (origin + event["ts"].as_u64().unwrap(), event["args"]["held"].as_i64().unwrap())).collect()
}

/// Checks what viewers of the Trace Event Format rely on: every event has its fields, and events on
/// one thread are nested or disjoint.
pub fn is_sound(trace: &Value) {
    let number = |event: &Value, name: &str| event[name].as_u64().unwrap_or_else(|| panic!("{name}: {event}"));
    let mut open: std::collections::BTreeMap<u64, Vec<(u64, u64)>> = std::collections::BTreeMap::new();
    for event in trace["traceEvents"].as_array().unwrap() {
        assert!(event["name"].is_string() && number(event, "pid") > 0, "{event}");
        match event["ph"].as_str().unwrap() {
            "X" => {
                let begun = number(event, "ts");
                open.entry(number(event, "tid")).or_default().push((begun, begun + number(event, "dur")));
            }
            "C" => assert!(event["args"].as_object().unwrap().values().all(Value::is_number), "{event}"),
            "M" => assert!(event["args"]["name"].is_string(), "{event}"),
            other => panic!("{other}: {event}"),
        }
    }
    for (thread, mut spans) in open {
        spans.sort_by_key(|&(begun, end)| (begun, std::cmp::Reverse(end)));
        let mut around: Vec<u64> = Vec::new();
        for (begun, end) in spans {
            around.retain(|&outer| outer > begun);
            assert!(
                around.last().is_none_or(|&outer| end <= outer),
                "thread {thread}: {begun} to {end} crosses {around:?}"
            );
            around.push(end);
        }
    }
}

/// Checks that tasks(t) <= slots held(t) for each of these processes, that none holds more than the
/// implicit slot in phases on one thread, and that tasks(t) <= `limit` for all of them together.
/// Returns the most tasks at once.
pub fn check(traces: &[Value], limit: Option<usize>) -> usize {
    for (number, trace) in traces.iter().enumerate() {
        is_sound(trace);
        let held = slots(trace);
        assert!(!held.is_empty(), "trace {number} has no slots");
        let tasks = tasks(trace);
        assert!(!tasks.is_empty(), "trace {number} has no tasks");
        for &(at, _) in &tasks {
            // The number of tasks is greatest at the start of one.
            let running = tasks.iter().filter(|&&(begun, end)| begun <= at && at < end).count() as i64;
            // A change of slots is recorded after one is taken and before one is returned.
            let now = held.iter().rev().find(|&&(since, _)| since <= at).map_or(0, |slot| slot.1);
            assert!(running <= now, "trace {number}: {running} tasks on {now} slots at {at}");
        }
        // Phases on one thread hold only the implicit slot.
        for (begun, end) in phases(trace) {
            let most = held.iter().filter(|&&(at, _)| begun < at && at < end).map(|slot| slot.1).max().unwrap_or(0);
            let before = held.iter().rev().find(|&&(at, _)| at <= begun).map_or(0, |slot| slot.1);
            assert!(most.max(before) <= 1, "trace {number}: {most} slots in a phase on one thread");
        }
    }
    let together = most(traces);
    assert!(limit.is_none_or(|limit| together <= limit), "{together} tasks at once, {limit:?} slots");
    together
}

/// The most tasks of all these processes at once.
pub fn most(traces: &[Value]) -> usize {
    let mut edges: Vec<(u64, i64)> =
        traces.iter().flat_map(tasks).flat_map(|(begun, end)| [(begun, 1), (end, -1)]).collect();
    edges.sort_unstable();
    let mut now = 0;
    let together = edges.iter().map(|edge| {
        now += edge.1;
        now
    });
    usize::try_from(together.max().unwrap_or(0)).unwrap()
}
