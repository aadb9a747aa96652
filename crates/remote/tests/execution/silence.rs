//! Servers that take requests and answer none, or only some.

use super::fake::{Fault, Settings};
use super::{Bench, Outcome, PATIENCE, PROGRAM, options, start, want};
use raddle_driver::engine::{Cancel, Engine, EngineError};
use raddle_remote::execution::{Options, open};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time in which the client notices it.
const SILENCE: Duration = Duration::from_secs(1);
/// What the load of the machine may add.
const LOAD: Duration = Duration::from_secs(10);

fn client(url: &str, dir: &Path) -> Box<dyn Engine> {
    let path = dir.join("program");
    std::fs::write(&path, PROGRAM).unwrap();
    open(url, Options { silence: SILENCE, ..options(path, 64) }).unwrap()
}

/// An engine whose worker says nothing the first few times, and a client.
fn quiet(times: u64) -> (Bench, Box<dyn Engine>) {
    let bench = Bench::new(Settings {
        plan: Box::new(move |call, number| (call == "Execute" && number < times).then_some(Fault::Die)),
        ..Settings::default()
    });
    let engine = client(&bench.fake.url(), bench._dir.path());
    (bench, engine)
}

/// Starts units, and waits until all are under way.
fn under_way(bench: &Bench, engine: &dyn Engine, count: u64) -> Vec<(Box<dyn Cancel>, Outcome)> {
    let units = (0..count).map(|at| start(engine, &format!("unit {at}"))).collect();
    let begun = Instant::now();
    while bench.fake.calls("Execute") < count {
        assert!(begun.elapsed() < PATIENCE, "{} of {count}", bench.fake.calls("Execute"));
        std::thread::sleep(Duration::from_millis(5));
    }
    units
}

#[test]
fn a_server_that_never_says_anything_is_noticed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let engine = client(&format!("grpc://{}", listener.local_addr().unwrap()), dir.path());
    let begun = Instant::now();
    let (_cancel, outcome) = start(&*engine, "one");
    // The connections are made by the kernel.
    let error = outcome.recv_timeout(PATIENCE).unwrap().unwrap_err();
    let took = begun.elapsed();
    println!("noticed after {took:?}");
    assert_eq!(error, EngineError::Failed("the server has not answered for 1 s".to_owned()));
    assert!(took >= SILENCE * 4 / 5 && took < SILENCE + LOAD, "{took:?}");
}

#[test]
fn a_server_that_hangs_while_units_are_under_way_is_noticed() {
    let (bench, engine) = quiet(u64::MAX);
    let units = under_way(&bench, &*engine, 20);
    bench.fake.state.door.hang(true);
    let begun = Instant::now();
    for (_, outcome) in &units {
        let error = outcome.recv_timeout(PATIENCE).unwrap().unwrap_err();
        assert_eq!(error, EngineError::Failed("the server has not answered for 1 s".to_owned()));
    }
    let took = begun.elapsed();
    println!("20 units failed after {took:?}");
    assert!(took < 2 * SILENCE + LOAD, "{took:?}");
}

#[test]
fn units_go_on_at_another_connection_where_one_hangs() {
    let (bench, engine) = quiet(8);
    let units = under_way(&bench, &*engine, 8);
    let before = bench.fake.state.door.count();
    bench.fake.state.door.hang(false);
    let begun = Instant::now();
    for (at, (_, outcome)) in units.iter().enumerate() {
        // The server does not know their operations any more: they are executed again.
        let answer = outcome.recv_timeout(PATIENCE).unwrap().unwrap();
        assert_eq!(answer.output, want(&format!("unit {at}")).into_bytes());
    }
    assert!(bench.fake.state.door.count() > before, "there is a new connection");
    // And new units are executed at once.
    let (_cancel, outcome) = start(&*engine, "new");
    let answer = outcome.recv_timeout(PATIENCE).unwrap().unwrap();
    assert_eq!(answer.output, want("new").into_bytes());
    assert!(begun.elapsed() < PATIENCE);
}

#[test]
fn a_file_may_be_slower_than_that() {
    // The program is sent in parts, which the server takes slowly.
    let mut program = PROGRAM.as_bytes().to_vec();
    program.extend("# and more\n".repeat(600_000).bytes());
    let bench = Bench::with(
        Settings { batch: 10_000, slow_writes: Duration::from_millis(100), ..Settings::default() },
        &program,
        4,
    );
    let engine =
        open(&bench.fake.url(), Options { silence: SILENCE, ..options(bench._dir.path().join("program"), 4) }).unwrap();
    let begun = Instant::now();
    let (_cancel, outcome) = start(&*engine, "one");
    let answer = outcome.recv_timeout(PATIENCE).unwrap().unwrap();
    assert_eq!(answer.output, want("one").into_bytes());
    assert!(begun.elapsed() > 2 * SILENCE, "{:?}", begun.elapsed());
    assert_eq!((bench.fake.state.door.count(), bench.fake.calls("Write")), (1, 1), "once, on one connection");
}

#[test]
fn a_worker_that_says_nothing_is_waited_for() {
    let (bench, engine) = quiet(u64::MAX);
    let units = under_way(&bench, &*engine, 20);
    let (begun, before) = (Instant::now(), bench.fake.calls("GetCapabilities"));
    let waits = 4 * SILENCE;
    std::thread::sleep(waits);
    for (_, outcome) in &units {
        assert!(outcome.try_recv().is_err(), "the server answers, so the units are under way");
    }
    // All of them ask together, about once in two fifths of the time.
    let asked = bench.fake.calls("GetCapabilities") - before;
    let most = begun.elapsed().as_millis() / (SILENCE * 2 / 5).as_millis() + 2;
    println!("asked {asked} times in {:?}", begun.elapsed());
    assert!(asked >= 3 && u128::from(asked) <= most, "{asked} of {most}");
    assert_eq!(bench.fake.state.door.count(), 1, "on one connection");
}
