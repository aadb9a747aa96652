//! Servers that fail: once, always, at random.

use super::fake::{Fault, Settings};
use super::{Bench, PATIENCE, PROGRAM, options, run, start, want};
use raddle_driver::engine::EngineError;
use raddle_remote::execution::open;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tonic::Code;

/// Whatever fails once: the answer is right, and what is repeated is no more than needed.
#[test]
fn one_failure_is_repaired() {
    let broken =
        [Fault::Code(Code::Unavailable), Fault::Code(Code::Aborted), Fault::Code(Code::Internal), Fault::Break];
    let streams = [Fault::End, Fault::Lose];
    let blobs = [Fault::Flip, Fault::Cut];
    let cases: Vec<(&str, Fault)> =
        ["GetCapabilities", "GetActionResult", "FindMissingBlobs", "BatchUpdateBlobs", "Execute"]
            .into_iter()
            .flat_map(|call| broken.map(|fault| (call, fault)))
            .chain(broken.map(|fault| ("BatchReadBlobs", fault)))
            .chain(streams.map(|fault| ("Execute", fault)))
            .chain(blobs.map(|fault| ("BatchReadBlobs", fault)))
            .chain([
                ("FindMissingBlobs", Fault::Lose),
                ("BatchUpdateBlobs", Fault::Lose),
                ("BatchReadBlobs", Fault::Lose),
            ])
            .chain([
                ("Execute", Fault::Code(Code::ResourceExhausted)),
                ("Execute", Fault::Size),
                ("Execute", Fault::Slow),
            ])
            .collect();
    for (name, fault) in cases {
        for at in 0..2 {
            let bench = Bench::failing(move |call, number| (call == name && number == at).then_some(fault));
            let answer = bench.run("one").unwrap_or_else(|error| panic!("{name} {at} {fault:?}: {error}"));
            assert_eq!(answer.output, want("one").into_bytes(), "{name} {fault:?}");
            assert!(bench.fake.calls("Execute") <= 3, "{name} {fault:?}: {}", bench.fake.calls("Execute"));
        }
    }
}

#[test]
fn a_stream_continues_where_it_broke_off() {
    // An upload of several messages, and a download.
    let mut program = PROGRAM.as_bytes().to_vec();
    program.extend("# and more\n".repeat(200_000).bytes());
    for resumes in [true, false] {
        let plan = |call: &'static str, number| (matches!(call, "Write" | "Read") && number == 0).then_some(Fault::End);
        let settings = Settings { batch: 10_000, resumes, plan: Box::new(plan), ..Settings::default() };
        let bench = Bench::with(settings, &program, 4);
        let answer = bench.run("large").unwrap();
        assert_eq!(answer.output, want("large").into_bytes());
        assert_eq!(
            (bench.fake.calls("Write"), bench.fake.calls("Read"), bench.fake.calls("QueryWriteStatus")),
            (2, 2, 1)
        );
        let came = *bench.fake.state.came.lock().unwrap() as usize;
        let twice = came > program.len() + (400 << 10);
        assert_eq!(twice, !resumes, "{came} of {}", program.len());
        assert!(answer.received < 13_500 + 2000, "{}", answer.received);
    }
}

#[test]
fn an_operation_that_breaks_is_not_executed_again() {
    let bench = Bench::failing(|call, number| {
        (call == "Execute" || call == "WaitExecution" && number < 3).then_some(Fault::End)
    });
    assert_eq!(bench.run("one").unwrap().output, want("one").into_bytes());
    assert_eq!((bench.fake.calls("Execute"), bench.fake.calls("WaitExecution")), (1, 4));
}

#[test]
fn a_blob_that_stays_wrong_is_never_used() {
    for fault in [Fault::Flip, Fault::Cut, Fault::Lose] {
        for batch in [0, 100] {
            let plan = move |call: &'static str, _| matches!(call, "BatchReadBlobs" | "Read").then_some(fault);
            let bench = Bench::new(Settings { batch, plan: Box::new(plan), ..Settings::default() });
            let error = bench.run("a line of more than a hundred characters ".repeat(4).trim()).unwrap_err();
            assert!(matches!(&error, EngineError::Failed(_)), "{fault:?}: {error:?}");
            assert!(bench.fake.calls("Execute") <= 4);
        }
        // A result of the action cache that is no good is made again.
        let bench = Bench::new(Settings { inlines: true, ..Settings::default() });
        bench.run("one").unwrap();
        let hash = bench.fake.state.results.lock().unwrap().keys().next().cloned().unwrap();
        {
            let mut results = bench.fake.state.results.lock().unwrap();
            let file = &mut results.get_mut(&hash).unwrap().output_files[0];
            match fault {
                Fault::Flip => file.contents[0] ^= 1,
                Fault::Cut => drop(file.contents.pop()),
                _ => {
                    file.contents.clear();
                    bench.fake.state.blobs.lock().unwrap().remove(&file.digest.clone().unwrap().hash);
                }
            }
        }
        let answer = bench.run("one").unwrap();
        assert_eq!((answer.output, answer.from_cache), (want("one").into_bytes(), false), "{fault:?}");
    }
}

#[test]
fn a_server_that_refuses_is_not_asked_again() {
    for code in [Code::PermissionDenied, Code::Unauthenticated, Code::Unimplemented] {
        let bench = Bench::failing(move |call, _| (call == "Execute").then_some(Fault::Code(code)));
        assert!(matches!(bench.run("one"), Err(EngineError::Refused(_))), "{code:?}");
        assert_eq!(bench.fake.calls("Execute"), 1);
    }
    let bench = Bench::new(Settings { executes: false, ..Settings::default() });
    assert!(matches!(bench.run("one"), Err(EngineError::Refused(_))));
    let bench = Bench::new(Settings { token: Some("Bearer other"), ..Settings::default() });
    assert!(matches!(bench.run("one"), Err(EngineError::Refused(_))));
    // No program, no unit.
    let engine = open(&bench.fake.url(), options(PathBuf::from("/no/such/program"), 1)).unwrap();
    assert!(matches!(run(&*engine, "one"), Err(EngineError::Refused(_))));
    // An action cache that the server does not have is as good as an empty one.
    let bench = Bench::failing(|call, _| (call == "GetActionResult").then_some(Fault::Code(Code::Unimplemented)));
    assert_eq!(bench.run("one").unwrap().output, want("one").into_bytes());
}

#[test]
fn a_server_that_stays_broken_is_given_up() {
    for name in
        ["GetCapabilities", "GetActionResult", "FindMissingBlobs", "BatchUpdateBlobs", "Execute", "BatchReadBlobs"]
    {
        for fault in [Fault::Code(Code::Unavailable), Fault::Break] {
            let bench = Bench::failing(move |call, _| (call == name).then_some(fault));
            assert!(matches!(bench.run("one"), Err(EngineError::Failed(_))), "{name}");
            assert!(bench.fake.calls(name) <= 10, "{name}");
        }
    }
    // No server at all.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("grpc://{}", listener.local_addr().unwrap());
    drop(listener);
    let engine = open(&url, options(PathBuf::from("/bin/sh"), 1)).unwrap();
    let error = run(&*engine, "one").unwrap_err();
    assert!(error.to_string().contains("onnection refused"), "{error}");
}

/// A sequence of pseudorandom numbers: what fails depends on the seed, the call and its number.
fn draw(call: &str, number: u64) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ number;
    for byte in call.bytes() {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    for _ in 0..3 {
        state ^= state >> 31;
        state = state.wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    state >> 16
}

/// A thousand units, and three of ten calls fail.
#[test]
fn a_thousand_units_with_random_failures_all_end_and_none_is_wrong() {
    let faults = [
        Fault::Code(Code::Unavailable),
        Fault::Code(Code::Aborted),
        Fault::Code(Code::ResourceExhausted),
        Fault::End,
        Fault::Lose,
        Fault::Flip,
        Fault::Cut,
        Fault::Size,
        Fault::Slow,
    ];
    let plan = move |call: &'static str, number| {
        let drawn = draw(call, number);
        let (percent, which) = (drawn % 100, drawn / 100);
        match percent {
            0..30 if which % 40 == 0 => Some(Fault::Break),
            0..30 if which % 40 == 1 && call == "Execute" => Some(Fault::Die),
            0..30 => Some(faults[which as usize % faults.len()]),
            _ => None,
        }
    };
    let bench = Bench::with(Settings { plan: Box::new(plan), ..Settings::default() }, PROGRAM.as_bytes(), 64);
    let begun = Instant::now();
    let units: Vec<_> = (0..1000).map(|at| start(&*bench.engine, &format!("unit {at}"))).collect();
    let (mut right, mut failed, mut cancelled) = (0, Vec::new(), 0);
    for (at, (cancel, outcome)) in units.iter().enumerate() {
        // Where a worker has died, the driver does not need the result any more.
        let answer = outcome.recv_timeout(Duration::from_secs(4)).or_else(|_| {
            cancel.cancel();
            outcome.recv_timeout(PATIENCE)
        });
        match answer.expect("the function was called") {
            Ok(answer) => {
                assert_eq!((answer.output, answer.status), (want(&format!("unit {at}")).into_bytes(), 0));
                right += 1;
            }
            Err(EngineError::Cancelled) => cancelled += 1,
            Err(EngineError::Failed(why)) => failed.push(why),
            Err(error) => panic!("{error:?}"),
        }
        assert!(outcome.try_recv().is_err(), "called twice");
    }
    assert!(right > 800, "{right} right, {cancelled} cancelled, {} failed: {failed:#?}", failed.len());
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}
