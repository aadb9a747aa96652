//! What happens to a unit: executed, found, cancelled.

use super::fake::{Fault, Settings};
use super::{Bench, PATIENCE, PROGRAM, start, want};
use raddle_driver::engine::EngineError;
use std::time::{Duration, Instant};

#[test]
fn a_unit_is_executed_once_and_found_after_that() {
    for (batch, inlines) in [(0, false), (0, true), (1000, false), (1000, true)] {
        let bench = Bench::new(Settings { batch, inlines, ..Settings::default() });
        for text in ["one", "large"] {
            let first = bench.run(text).unwrap();
            assert_eq!((String::from_utf8(first.output.clone()).unwrap(), first.status), (want(text), 0));
            assert!(!first.from_cache && first.worker == "worker 7" && first.ran > Duration::ZERO, "{first:?}");
            assert!(first.sent > 400 && first.received as usize > first.output.len(), "{first:?}");
            let again = bench.run(text).unwrap();
            assert!(again.from_cache && again.output == first.output && again.sent < first.sent, "{again:?}");
            assert_eq!((again.queued, again.ran), (Duration::ZERO, Duration::ZERO));
        }
        assert_eq!((bench.fake.calls("Execute"), bench.fake.calls("GetCapabilities")), (2, 1));
        assert_eq!(bench.fake.calls("Read") > 0, batch > 0 && !inlines);
    }
}

#[test]
fn a_unit_that_fails_says_why() {
    let bench = Bench::new(Settings::default());
    for times in 1..3 {
        let answer = bench.run("fails").unwrap();
        assert_eq!((&*answer.said, answer.status, answer.output.len()), ("went wrong\n", 3, 0));
        // The server has kept the failure, which is not used.
        assert!(!answer.from_cache && bench.fake.calls("Execute") == times);
    }
}

#[test]
fn the_program_is_sent_once() {
    let mut program = PROGRAM.as_bytes().to_vec();
    program.extend("# and more\n".repeat(100_000).bytes());
    let bench = Bench::with(Settings::default(), &program, 64);
    let outcomes: Vec<_> = (0..50).map(|at| start(&*bench.engine, &format!("unit {at}"))).collect();
    let mut sent = Vec::new();
    for (at, (_, outcome)) in outcomes.iter().enumerate() {
        let answer = outcome.recv_timeout(PATIENCE).unwrap().unwrap();
        assert_eq!(answer.output, want(&format!("unit {at}")).into_bytes());
        sent.push(answer.sent as usize);
    }
    assert_eq!(bench.fake.calls("Execute"), 50);
    assert_eq!(sent.iter().filter(|sent| **sent > program.len()).count(), 1, "{sent:?}");
    assert!((*bench.fake.state.came.lock().unwrap() as usize) < program.len() + 50 * 2000);
}

#[test]
fn a_unit_that_is_not_needed_is_cancelled() {
    let bench = Bench::failing(|call, _| (call == "Execute").then_some(Fault::Die));
    let cancelled = || bench.fake.state.cancelled.lock().unwrap().clone();
    // On a busy machine the client may not know the name of the operation yet.
    let pauses = [100, 200, 400, 800, 1600, 3200, 6400].map(Duration::from_millis);
    for (at, pause) in pauses.into_iter().enumerate() {
        let (cancel, outcome) = start(&*bench.engine, &format!("unit {at}"));
        assert!(outcome.recv_timeout(pause).is_err(), "the worker is dead");
        cancel.cancel();
        cancel.cancel();
        assert_eq!(outcome.recv_timeout(PATIENCE).unwrap(), Err(EngineError::Cancelled));
        std::thread::sleep(pause);
        if !cancelled().is_empty() {
            break;
        }
    }
    assert!(cancelled()[0].starts_with("main/operations/"));
    // Once it has ended, nothing happens.
    let bench = Bench::new(Settings::default());
    let (cancel, outcome) = start(&*bench.engine, "one");
    assert!(outcome.recv_timeout(PATIENCE).unwrap().is_ok());
    cancel.cancel();
    assert!(outcome.recv_timeout(Duration::from_millis(50)).is_err());
}

#[test]
fn an_engine_that_is_dropped_does_not_wait() {
    let Bench { fake, engine, _dir } = Bench::failing(|call, _| (call == "Execute").then_some(Fault::Die));
    let units: Vec<_> = (0..20).map(|at| start(&*engine, &format!("unit {at}"))).collect();
    while fake.calls("Execute") == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let begun = Instant::now();
    drop(engine);
    assert!(begun.elapsed() < Duration::from_secs(5));
    for (_, outcome) in units {
        // Told of the end, or not told: never kept waiting.
        let told = outcome.recv_timeout(PATIENCE);
        assert!(told.is_err() || told.is_ok_and(|answer| answer.is_err()));
    }
}
