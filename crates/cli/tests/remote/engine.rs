//! An engine of remote execution, BuildGrid, as a cache and as a place for units.

use super::common::{command, finish};
use super::{PATIENT, build, eight, plain, raddle};
use raddle_driver::engine::RemoteUnit;
use raddle_filetest::engine::Engine;
use raddle_remote::execution::{Options, open};
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
