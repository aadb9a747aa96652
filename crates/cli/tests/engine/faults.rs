//! Whatever an engine does: every unit ends, the bytes are those of a build here, and every token of
//! make comes back.

use crate::builds::{Built, build, same};
pub use crate::common::small;
use crate::common::tokens::Make;
use crate::fake::{Deed, FAULTS, Fake};
use raddle_driver::engine::{Answer, Cancel, Engine, OnAnswer, RemoteUnit};
use raddle_driver::exec::Exec;
use raddle_driver::host::CancelToken;
use raddle_driver::host::memory::Limit;
use raddle_driver::options::{RemoteLimits, RunOptions};
use raddle_driver::remote::RemoteOutcome;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Everything is given to the engine.
pub const ALL: RemoteLimits =
    RemoteLimits { jobs: 0, least: 0, patience: Duration::from_millis(100), failures: u32::MAX };

fn count(built: &Built, outcome: RemoteOutcome) -> usize {
    let runs = built.report.kernels.iter().filter_map(|kernel| kernel.remote.as_ref());
    runs.filter(|run| run.outcome == outcome).count()
}

#[test]
fn a_thousand_units_with_faults_give_the_same_bytes_and_every_token_comes_back() {
    let text = small(1000);
    let local = build(&text, RunOptions::default());
    let make = Make::new(b"abc");
    let engine = Arc::new(Fake::seeded(1000, 7, 30));
    let run = RunOptions {
        jobs: 2,
        jobserver: Some(Arc::clone(&make.client)),
        engine: Some(engine.clone()),
        // For those that are never answered.
        remote: RemoteLimits { patience: Duration::from_secs(12), ..ALL },
        ..RunOptions::default()
    };
    let built = build(&text, run);
    same(&local, &built, "1000 units");
    assert_eq!(make.there(), 3, "every token is back");
    let used = built.report.remote.as_ref().unwrap();
    let deeds = engine.deeds();
    assert!(FAULTS.iter().all(|deed| deeds.get(deed).is_some_and(|&count| count > 0)), "{deeds:?}");
    let there =
        built.report.kernels.iter().filter(|k| k.remote.as_ref().is_some_and(|run| run.outcome.is_remote())).count();
    let here = built.report.kernels.len() - there;
    println!(
        "1000 units: {} given to the engine, {there} made there, {here} here; {deeds:?}; {} at once",
        used.started, used.slots.1
    );
    assert_eq!(used.started, engine.started());
    assert!(used.started > 900 && there > 100 && here > 50, "{} {there} {here}", used.started);
    for outcome in [RemoteOutcome::Made, RemoteOutcome::FromCache, RemoteOutcome::Failed, RemoteOutcome::Overtaken] {
        assert!(count(&built, outcome) > 0, "{outcome:?}");
    }
    let worker = |run: &raddle_driver::remote::RemoteRun| !run.outcome.is_remote() || run.worker == "worker 1";
    assert!(built.report.kernels.iter().filter_map(|kernel| kernel.remote.as_ref()).all(worker));
}

#[test]
fn any_number_of_workers_and_any_faults_give_the_same_bytes() {
    let text = small(60);
    let local = build(&text, RunOptions::default());
    for seed in 0..6 {
        for jobs in [1, 2] {
            let engine = Arc::new(Fake::seeded(1 + seed as usize * 3, seed, 10 * seed));
            let chaos = (seed % 2 == 1).then(|| raddle_driver::host::Chaos::new(seed));
            let run = RunOptions { jobs, chaos, engine: Some(engine), remote: ALL, ..RunOptions::default() };
            same(&local, &build(&text, run), &format!("seed {seed}, -j{jobs}"));
        }
    }
}

#[test]
fn one_worker_has_several_units_under_way_and_they_hold_no_token() {
    let text = small(40);
    let local = build(&text, RunOptions::default());
    let make = Make::new(b"abcd");
    // Each answer is late: all slots fill up.
    let engine = Arc::new(Fake::new(8, |_| Deed::Late));
    let run = RunOptions {
        jobs: 1,
        jobserver: Some(Arc::clone(&make.client)),
        engine: Some(engine),
        remote: RemoteLimits { patience: Duration::from_secs(30), ..ALL },
        ..RunOptions::default()
    };
    let built = build(&text, run);
    same(&local, &built, "one worker");
    let used = built.report.remote.as_ref().unwrap();
    assert_eq!((used.slots, make.there()), ((8, 8), 4));
    assert!(built.report.suspended > Duration::from_millis(50), "{:?}", built.report.suspended);
    let most = built.report.tokens.iter().map(|holding| holding.held).max();
    assert!(most <= Some(1), "{most:?}");
    assert!(count(&built, RemoteOutcome::Made) >= 8, "and the others here, as slots were full");
}

#[test]
fn units_under_way_hold_no_memory_of_the_ledger() {
    let text = small(40);
    let local = build(&text, RunOptions::default());
    // As much memory as lets one unit run.
    let max_memory = Limit::Bytes(1 << 20);
    let engine = Arc::new(Fake::new(30, |_| Deed::Late));
    let remote = RemoteLimits { patience: Duration::from_secs(60), ..ALL };
    let run = RunOptions { jobs: 2, max_memory, engine: Some(engine), remote, ..RunOptions::default() };
    let built = build(&text, run);
    same(&local, &built, "little memory");
    assert!(built.report.memory.as_ref().is_some_and(|budget| budget.limit() == 1 << 20));
    assert_eq!(built.report.remote.as_ref().unwrap().slots, (30, 30), "all slots were in use at once");
}

#[test]
fn an_engine_that_never_answers_costs_at_most_its_bound() {
    let text = small(30);
    let begun = Instant::now();
    let local = build(&text, RunOptions { jobs: 2, ..RunOptions::default() });
    let alone = begun.elapsed();
    for patience in [Duration::from_millis(100), Duration::from_millis(1500)] {
        let engine = Arc::new(Fake::new(64, |_| Deed::Never));
        let remote = RemoteLimits { patience, ..ALL };
        let begun = Instant::now();
        let built = build(&text, RunOptions { jobs: 2, engine: Some(engine), remote, ..RunOptions::default() });
        let took = begun.elapsed();
        same(&local, &built, "never");
        println!("30 units: {alone:?} here, {took:?} with an engine that never answers, patience {patience:?}");
        // The units that it was given take as long as all of them here; the rest is the load of the machine.
        let bound = patience + 2 * alone + Duration::from_millis(1500);
        assert!(took >= patience && took < bound, "{took:?}, {bound:?}");
        let warning = built.report.remote.as_ref().and_then(|used| used.warning.clone()).unwrap();
        assert!(warning.contains("fake://engine compiled nothing: no answer within"), "{warning}");
        assert_eq!(count(&built, RemoteOutcome::Overtaken), 30);
    }
}

#[test]
fn failures_in_a_row_and_a_refusal_end_its_use_and_are_no_error() {
    let text = small(50);
    let local = build(&text, RunOptions::default());
    for (deed, most) in [(Deed::Refuse, 1), (Deed::Fail, 3)] {
        let engine = Arc::new(Fake::new(8, move |_| deed));
        let remote = RemoteLimits { failures: 3, ..ALL };
        let run = RunOptions { jobs: 1, engine: Some(engine.clone()), remote, ..RunOptions::default() };
        let built = build(&text, run);
        same(&local, &built, &format!("{deed:?}"));
        let used = built.report.remote.as_ref().unwrap();
        // The driver may have started more units before the answers were read.
        assert!((most..=8).contains(&engine.started()), "{deed:?}: {}", engine.started());
        assert!(used.warning.as_ref().is_some_and(|warning| warning.starts_with("fake://engine was not used")));
    }
    // Refused later: the others are made here.
    let engine = Arc::new(Fake::new(50, |number| if number == 20 { Deed::Refuse } else { Deed::Run }));
    let remote = RemoteLimits { patience: Duration::from_secs(30), ..ALL };
    let run = RunOptions { jobs: 2, engine: Some(engine), remote, ..RunOptions::default() };
    let built = build(&text, run);
    same(&local, &built, "refused later");
    assert!(count(&built, RemoteOutcome::Made) >= 10);
    assert!(built.report.remote.as_ref().is_some_and(|used| used.warning.is_some()));
}

/// An engine that gives one answer, after a while.
#[derive(Debug)]
struct Replay {
    answer: Answer,
    after: Duration,
}

#[derive(Debug)]
struct Nothing;

impl Cancel for Nothing {
    fn cancel(&self) {}
}

impl Engine for Replay {
    fn start(&self, _: RemoteUnit, done: OnAnswer) -> Box<dyn Cancel> {
        let (answer, after) = (self.answer.clone(), self.after);
        std::thread::spawn(move || {
            std::thread::sleep(after);
            done(Ok(answer));
        });
        Box::new(Nothing)
    }
    fn slots(&self) -> usize {
        1
    }
    fn name(&self) -> String {
        "replay".to_owned()
    }
}

#[test]
fn an_answer_that_is_faster_than_the_compilation_here_is_taken() {
    // One kernel, which takes long.
    let step = |n: usize| format!("mad.lo.u32 %r{}, %r{}, %r{}, {n};\n", n + 2, n + 1, n);
    let steps: String = (0..6000).map(step).collect();
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<6002>;\n\
         .reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\nld.global.u32 %r0, [%rd1];\nld.global.u32 %r1, [%rd1+4];\n{steps}\
         st.global.u32 [%rd1], %r6001;\nret;\n}}\n"
    );
    let begun = Instant::now();
    let local = build(&text, RunOptions::default());
    let alone = begun.elapsed();
    let engine = Arc::new(Fake::new(1, |_| Deed::Run));
    let waits = RemoteLimits { patience: Duration::from_secs(100), ..ALL };
    same(
        &local,
        &build(&text, RunOptions { engine: Some(engine.clone()), remote: waits, ..RunOptions::default() }),
        "first",
    );
    let unit = engine.units().remove(0);
    let (tell, told) = std::sync::mpsc::channel();
    let exec = Exec::new(env!("CARGO_BIN_EXE_raddle").into(), 1);
    exec.start(unit, Box::new(move |answer| tell.send(answer).unwrap()));
    let good = told.recv().unwrap().unwrap();
    let mut damaged = good.clone();
    let at = damaged.output.len() - 20;
    damaged.output[at] ^= 1;
    let failed = Answer { status: 1, ..good.clone() };
    // It is compiled here from the first moment on.
    let remote = RemoteLimits { patience: Duration::ZERO, ..ALL };
    println!("one kernel: {alone:?} here");
    for (answer, outcome) in [
        (good, RemoteOutcome::Overtook),
        // Cancelled for an answer that looks right, and compiled again.
        (damaged, RemoteOutcome::Failed),
        // What is known to be no object does not stop it.
        (failed, RemoteOutcome::Overtaken),
    ] {
        let engine = Arc::new(Replay { answer, after: alone / 4 });
        let run = RunOptions { jobs: 1, engine: Some(engine), remote, ..RunOptions::default() };
        let built = build(&text, run);
        same(&local, &built, &format!("{outcome:?}"));
        assert_eq!(count(&built, outcome), 1, "{outcome:?}: {:?}", built.report.kernels[0].remote);
    }
}

#[test]
fn a_cancellation_in_the_middle_ends_at_once() {
    let text = small(400);
    let make = Make::new(b"abc");
    for (seed, deed) in [(1, Deed::Late), (2, Deed::Never), (3, Deed::Run)] {
        let engine = Arc::new(Fake::new(8, move |_| deed));
        let cancel = CancelToken::new();
        let run = RunOptions {
            jobs: 2,
            cancel: cancel.clone(),
            jobserver: Some(Arc::clone(&make.client)),
            engine: Some(engine.clone()),
            remote: RemoteLimits { patience: Duration::from_secs(60), ..ALL },
            ..RunOptions::default()
        };
        let (built, waited) = std::thread::scope(|scope| {
            let stopped = scope.spawn(|| {
                let begun = Instant::now();
                while engine.started() < 5 + seed && begun.elapsed() < Duration::from_secs(20) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                cancel.cancel();
                Instant::now()
            });
            let built = build(&text, run);
            let ended = Instant::now();
            (built, ended.saturating_duration_since(stopped.join().unwrap()))
        });
        println!("cancelled with {deed:?}: ended after {waited:?}");
        assert!(waited < Duration::from_millis(500), "{deed:?}: {waited:?}");
        assert!(built.report.cubin.is_none() && make.there() == 3);
        assert!(built.report.diags.iter().any(|diagnostic| diagnostic.code.to_string() == "E0043"));
    }
}
