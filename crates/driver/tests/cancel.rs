//! A caller of the library cancels a compilation (DRV-2): by a callback between kernels, or by a
//! token from another thread.

use raddle_driver::compile::compile;
use raddle_driver::host::{CancelToken, Running};
use raddle_driver::input::{Content, Input};
use raddle_driver::options::RunOptions;
use raddle_driver::program::Unit;
use raddle_driver::progress::Progress;
use raddle_driver::report::Report;
use raddle_driver::request::Request;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Far longer than a compilation of the eight kernels on a busy machine.
const PATIENCE: Duration = Duration::from_secs(50);

fn request(run: RunOptions) -> Request {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/modules/eight/nvcc.ptx");
    let content = Content::Text(std::fs::read_to_string(path).unwrap());
    let run = RunOptions { keep_going: true, ..run };
    Request { inputs: vec![Input { name: "eight.ptx".into(), content }], run, ..Request::default() }
}

/// Cancels after this number of units, or while a unit of this name runs.
struct Impatient {
    most: usize,
    running: &'static str,
    ended: usize,
    seen: bool,
}

impl Progress for Impatient {
    fn planned(&mut self, units: usize, _: u64) {
        assert_eq!(units, 8);
    }
    fn ended(&mut self, _: &Unit, _: Duration, _: bool) {
        self.ended += 1;
    }
    fn running(&mut self, running: &[Arc<Running>]) {
        self.seen |= running.iter().any(|task| *task.name == *self.running);
    }
    fn is_cancelled(&mut self) -> bool {
        self.ended >= self.most || self.seen
    }
}

/// The numbers of compiled and of cancelled units; there is never an output.
fn counts(report: &Report) -> (usize, usize) {
    assert!(report.cubin.is_none());
    let codes: Vec<String> = report.diags.iter().map(|d| d.code.to_string()).collect();
    assert!(!codes.is_empty() && codes.iter().all(|code| code == "E0043"), "{codes:?}");
    let compiled = report.kernels.iter().filter(|kernel| kernel.compiled).count();
    (compiled, report.kernels.len() - compiled)
}

#[test]
fn a_callback_ends_a_compilation_between_two_kernels() {
    for most in [0, 1, 3] {
        let mut impatient = Impatient { most, running: "", ended: 0, seen: false };
        let report = compile(request(RunOptions { jobs: 1, ..RunOptions::default() }), &mut impatient);
        let (compiled, cancelled) = counts(&report);
        // Tiny kernels are batched into one task: some of a batch may have ended by then.
        assert!(compiled >= most && cancelled > 0 && compiled + cancelled == 8, "{most}: {compiled} and {cancelled}");
        assert_eq!(compiled == 0, most == 0);
    }
    let mut patient = Impatient { most: 9, running: "", ended: 0, seen: false };
    let report = compile(request(RunOptions::default()), &mut patient);
    assert!(report.cubin.is_some() && report.diags.is_empty() && patient.ended == 8);
}

#[test]
fn a_kernel_in_the_middle_of_its_compilation_stops() {
    // The unit waits for the cancellation, for up to a minute.
    let fault = Some("spin:scan".parse().unwrap());
    let begun = Instant::now();
    let tick = Some(Duration::from_millis(5));
    let run = RunOptions { tick, fault: fault.clone(), ..RunOptions::default() };
    let report = compile(request(run), &mut Impatient { most: 9, running: "scan", ended: 0, seen: false });
    assert!(counts(&report).1 >= 1 && begun.elapsed() < PATIENCE);
    // The same from another thread, without a callback.
    let cancel = CancelToken::new();
    let run = RunOptions { cancel: cancel.clone(), fault, ..RunOptions::default() };
    let begun = Instant::now();
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            cancel.cancel();
        });
        compile(request(run), &mut ())
    });
    assert!(counts(&report).1 >= 1 && begun.elapsed() < PATIENCE);
}
