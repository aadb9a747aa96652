//! An engine of remote execution, BuildGrid, as a cache and as a place for units.

use super::common::{Bench, command, finish, trace};
use super::measured::{WAITS, build as compile, client};
use super::{PATIENT, build, eight, plain, raddle};
use raddle_driver::engine::RemoteUnit;
use raddle_driver::options::RunOptions;
use raddle_driver::remote::RemoteOutcome;
use raddle_filetest::engine::Engine;
use raddle_remote::execution::{Options, open};
use serde_json::Value;
use std::sync::mpsc::channel;
use std::time::Duration;

#[test]
fn an_engine_is_a_cache() {
    let Some(mut engine) = Engine::start(0) else { return };
    let url = engine.url.clone();
    let cold = build(&url, &PATIENT).0;
    assert_eq!([&cold["misses"], &cold["written"], &cold["unwritten"]], [8, 8, 0]);
    let warm = build(&url, &PATIENT).0;
    assert_eq!([&warm["hits"], &warm["written"]], [8, 0]);
    let read_only = build(&format!("{url}?mode=ro"), &PATIENT).0;
    assert_eq!([&read_only["hits"], &read_only["written"]], [8, 0]);
    let mut signed = raddle(&["compile", &eight(), "-o", "-", "--cache", &url, "--message-format", "json", "-v"]);
    signed.args(PATIENT).env("RADDLE_CACHE_KEY", "very secret");
    let ran = finish(signed);
    assert!(ran.code == Some(0) && ran.stderr.contains("\"refused\":8"), "{}", ran.stderr);
    assert!(ran.stdout == plain() && !ran.stderr.contains("very secret"));
    // It cannot be listed.
    let listed = finish(raddle(&["cache", "stats", &url]));
    assert!(listed.code == Some(1) && listed.stderr.contains("cannot list"), "{:?} {}", listed.code, listed.stderr);
    // An instance that it does not have, and a server that is gone.
    let (used, said) = build(&url.replace("main", "other"), &["-j", "1"]);
    assert_eq!([&used["hits"], &used["failed"], &used["unwritten"]], [0, 3, 8], "{used} {said}");
    engine.tell("stop server");
    let (used, said) = build(&url, &["-j", "1"]);
    assert_eq!([&used["hits"], &used["failed"], &used["unwritten"]], [0, 3, 8], "{used}");
    assert!(said.contains("was not used any more: Connection refused"), "{said}");
    let wrong = finish(raddle(&["compile", &eight(), "-o", "-", "--cache", "grpc://very-secret@h:1"]));
    assert!(wrong.code == Some(2) && !wrong.stderr.contains("very-secret"), "{}", wrong.stderr);
}

/// What a build shows of a real engine: queues, times, machines, bytes.
#[test]
fn a_timeline_has_what_the_engine_did() {
    let Some(started) = Engine::start(2) else { return };
    let bench = Bench::new();
    let timings = bench.path("trace");
    let texts = [std::fs::read_to_string(eight()).unwrap()];
    let engine = Some(client(&started.url, 64, env!("CARGO_BIN_EXE_raddle")));
    let built = compile(&texts, RunOptions { engine, remote: WAITS, fine: true, ..RunOptions::default() });
    let report = built.report;
    assert_eq!(report.kernels.len(), 8);
    for kernel in &report.kernels {
        let run = kernel.remote.as_ref().unwrap_or_else(|| panic!("{} was made here", kernel.name));
        assert!(run.worker.starts_with("worker-") && run.outcome == RemoteOutcome::Made, "{run:?}");
        assert!(run.queued > Duration::ZERO && run.ran > Duration::ZERO && run.queued + run.ran <= run.wall, "{run:?}");
        assert!(run.sent > 500 && run.received > 500, "{run:?}");
    }
    // The program was sent once, with one of them.
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_raddle")).unwrap().len();
    assert_eq!(report.kernels.iter().filter(|k| k.remote.as_ref().is_some_and(|run| run.sent > program)).count(), 1);
    report.timeline.write(&mut std::fs::File::create(&timings).unwrap()).unwrap();
    let trace = trace::read(&timings);
    trace::is_sound(&trace);
    let spans = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["cat"] == "remote");
    let spans: Vec<&Value> = spans.filter(|event| event["args"].get("outcome").is_some()).collect();
    assert_eq!(spans.len(), 8);
    for span in spans {
        let number = |name: &str| span["args"][name].as_u64().unwrap_or_else(|| panic!("{name}: {span}"));
        assert!(number("queue_us") > 0 && number("execution_us") > 0 && number("sent_bytes") > 500, "{span}");
        assert!(number("received_bytes") > 500 && span["args"]["worker"].as_str().unwrap().starts_with("worker-"));
    }
}

/// What a worker returns is what a process here does.
#[test]
fn an_engine_compiles_kernels() {
    let Some(started) = Engine::start(2) else { return };
    let program = Some(env!("CARGO_BIN_EXE_raddle").into());
    let engine = open(&started.url, Options { program, ..Options::default() }).unwrap();
    let (send, receive) = channel();
    let names = ["saxpy", "scan", "matmul"].map(str::to_owned);
    let module = std::fs::read_to_string(eight()).unwrap();
    let arguments = |name: &str| ["--arch", "sm_90", "-e", name].map(str::to_owned).to_vec();
    for round in 0..2 {
        for name in &names {
            let (send, name) = (send.clone(), name.clone());
            let unit =
                RemoteUnit { name: name.clone(), text: module.clone(), arguments: arguments(&name), limit: None };
            drop(engine.start(unit, Box::new(move |answer| send.send((name, answer)).unwrap())));
        }
        for _ in &names {
            let (name, answer) = receive.recv_timeout(Duration::from_secs(180)).unwrap();
            let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((answer.status, &*answer.said, answer.from_cache), (0, "", round == 1), "{name}");
            // A worker has an empty environment.
            let mut here = command(&["__unit"]);
            here.env_remove("RADDLE_FAULT").args(arguments(&name)).stdin(std::fs::File::open(eight()).unwrap());
            let here = finish(here).stdout;
            // Only the time and the memory that it took differ, two numbers of eight bytes.
            let differ = answer.output.iter().zip(&here).filter(|(a, b)| a != b).count();
            assert!(answer.output.len() == here.len() && differ <= 16, "{name}: {differ} of {}", here.len());
        }
    }
}
