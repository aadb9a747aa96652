//! Random signals over every token transport: all tokens are returned, no output is partial, no
//! flag of an inherited descriptor changes, and the build ends at once.
#![forbid(unsafe_code)]

mod common;

use crate::common::tokens::{TOKENS, TRANSPORTS, Tokens, Transport, end, hash};
use crate::common::{Bench, PATIENCE, children, corpus, kernel};
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The kernels of the module, and those that are compiled if each has a separate process.
const KERNELS: usize = 24;
const APART: usize = 6;

/// The kinds of interruption.
const STROKES: [Stroke; 5] = [
    Stroke::Build(Signal::INT),
    Stroke::Build(Signal::TERM),
    Stroke::Build(Signal::HUP),
    Stroke::Build(Signal::KILL),
    Stroke::Child,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stroke {
    /// This signal is sent to the build itself.
    Build(Signal),
    /// A process that compiles one kernel for the build is killed.
    Child,
}

/// The builds that are interrupted.
struct Target {
    program: PathBuf,
    module: String,
    out: String,
    /// The output of an undisturbed build.
    whole: Vec<u8>,
    usual: Duration,
}

impl Target {
    /// A command for a build with all kernels, or for some kernels with a process for each.
    fn command(&self, tokens: &Tokens, isolated: bool, seed: u64, bench: &Bench) -> Command {
        let mut command = Command::new("env");
        command.arg("--default-signal").arg(&self.program);
        command.args(["compile", &self.module, "-o", &self.out, "-j6", "--history", "off"]);
        // Chaos allows more workers than CPUs: more workers and more tokens.
        command.env("MAKEFLAGS", &tokens.auth).env("RADDLE_CHAOS", seed.to_string());
        command.env("XDG_RUNTIME_DIR", bench.dir.path()).env_remove("RADDLE_FAULT").env_remove("RADDLE_RESUME");
        if isolated {
            // As after a crash: every kernel gets a process.
            command.env("RADDLE_RESUME", "runs=1 unit=*");
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    fn new(bench: &Bench, tokens: &Tokens, program: &Path, isolated: bool) -> Target {
        let kernels = if isolated { APART } else { KERNELS };
        let (module, out) = (module(bench, kernels), bench.path(if isolated { "apart" } else { "out" }));
        let mut target = Target { program: program.to_owned(), module, out, whole: Vec::new(), usual: Duration::MAX };
        for seed in 0..3 {
            let begun = Instant::now();
            let status = target.command(tokens, isolated, seed, bench).status().unwrap();
            assert!(status.success(), "{status}");
            target.usual = target.usual.min(begun.elapsed());
        }
        target.whole = std::fs::read(&target.out).unwrap();
        target
    }
}

/// A module with this number of small kernels.
fn module(bench: &Bench, kernels: usize) -> String {
    let text = std::fs::read_to_string(kernel("saxpy")).unwrap();
    let (head, body) = text.split_at(text.find(".visible .entry").unwrap());
    let bodies: String = (0..kernels)
        .map(|i| body.replace(" saxpy(", &format!(" saxpy{i}(")).replace("saxpy_param", &format!("saxpy{i}_param")))
        .collect();
    bench.file(&format!("{kernels}.ptx"), format!("{head}{}", bodies.replace("$L__BB0", "$L__BB")))
}

/// The results of a storm.
#[derive(Debug, Default)]
struct Tally {
    /// Builds that died by their signal.
    died: usize,
    /// Processes for one kernel that were killed.
    children: usize,
    /// Tokens lost with a build killed by SIGKILL.
    taken_along: usize,
    slowest: Duration,
    /// Violations.
    faults: Vec<String>,
}

/// Interrupts builds at random times, over all transports in turn.
fn storm(rounds: u64, program: &Path) -> Tally {
    let mut tally = Tally::default();
    let bench = Bench::new();
    let servers = TRANSPORTS.map(|transport| Tokens::new(transport, &bench));
    let flags: Vec<[u32; 4]> = servers.iter().map(Tokens::flags).collect();
    let targets = [false, true].map(|isolated| Target::new(&bench, &servers[0], program, isolated));
    for round in 0..rounds {
        let number = round as usize % servers.len();
        let stroke = STROKES[(round as usize / servers.len()) % STROKES.len()];
        // Sometimes a build with child processes is interrupted itself.
        let isolated = stroke == Stroke::Child || hash(round).is_multiple_of(8);
        let (tokens, target) = (&servers[number], &targets[usize::from(isolated)]);
        let mut fault =
            |what: String| tally.faults.push(format!("round {round}, {:?}, {stroke:?}: {what}", TRANSPORTS[number]));
        let _ = std::fs::remove_file(&target.out);
        let mut child = target.command(tokens, isolated, round, &bench).spawn().unwrap();
        // Spread over the whole build, at any load of the machine.
        std::thread::sleep(target.usual.mul_f64((hash(round ^ 0x5eed) % 1000) as f64 / 1000.0));
        let struck = Instant::now();
        let mut hit = false;
        match stroke {
            // The number has not been reused, since this process was not reaped.
            Stroke::Build(signal) => hit = kill_process(Pid::from_child(&child), signal).is_ok(),
            Stroke::Child => {
                for pid in children(child.id(), "__unit").into_iter().take(1) {
                    hit = Pid::from_raw(pid as i32).is_some_and(|pid| kill_process(pid, Signal::KILL).is_ok());
                }
            }
        }
        let mut said = String::new();
        let status = end(&mut child);
        let took = struck.elapsed();
        // Children may have inherited it: read what is there, with a time limit.
        let _ = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
        match (stroke, status.map(|status| (status.code(), status.signal()))) {
            (_, None) => fault("it hangs".to_string()),
            (Stroke::Build(signal), Some((_, Some(died_of)))) if died_of == signal.as_raw() => {
                tally.died += 1;
                tally.slowest = tally.slowest.max(took);
            }
            // The child ended before the signal.
            (Stroke::Build(_), Some((Some(0), _))) => {}
            (Stroke::Child, Some((Some(4), _))) if hit && said.contains("SIGKILL") => tally.children += 1,
            (Stroke::Child, Some((Some(0), _))) => {}
            (_, Some(end)) => fault(format!("{end:?}: {said}")),
        }
        let killed = stroke == Stroke::Build(Signal::KILL);
        match tokens.returned(killed) {
            Ok(lost) => tally.taken_along += lost,
            Err(what) => fault(what),
        }
        if tokens.flags() != flags[number] {
            fault("a flag of an inherited descriptor has changed".to_string());
        }
        if std::fs::read(&target.out).is_ok_and(|out| out != target.whole) {
            fault("half an output".to_string());
        }
        for name in bench.listing().into_iter().filter(|name| name.ends_with(".tmp")) {
            if !killed {
                fault(format!("a temporary stays: {name}"));
            }
            let _ = std::fs::remove_file(bench.path(&name));
        }
    }
    tally
}

#[test]
fn a_storm_of_signals_loses_no_token_and_leaves_no_partial_output() {
    // Four times every interruption over every transport.
    let tally = storm(80, Path::new(env!("CARGO_BIN_EXE_raddle")));
    assert!(tally.faults.is_empty(), "{:#?}", tally.faults);
    assert!(tally.died > 8, "most ended before the signal: {tally:?}");
}

#[test]
fn a_link_under_signals_is_whole_or_not_there_and_loses_no_token() {
    let bench = Bench::new();
    let tokens = Tokens::new(Transport::Fifo("to kens"), &bench);
    let object = |name: &str| corpus().join("link/calls/sm_90").join(name);
    let out = bench.path("out");
    let command = || {
        let mut command = Command::new("env");
        command.args(["--default-signal", env!("CARGO_BIN_EXE_raddle"), "link", "-o", &out, "-j4"]);
        command.args([object("a.cubin"), object("b.cubin")]).env("MAKEFLAGS", &tokens.auth);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let begun = Instant::now();
    assert!(command().status().unwrap().success());
    let (usual, whole) = (begun.elapsed(), std::fs::read(&out).unwrap());
    for round in 0..60 {
        std::fs::remove_file(&out).ok();
        let signal = [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT][round as usize % 4];
        let mut child = command().spawn().unwrap();
        std::thread::sleep(usual.mul_f64((hash(round) % 1000) as f64 / 1000.0));
        let struck = Instant::now();
        // The number has not been reused, since this process was not reaped.
        kill_process(Pid::from_child(&child), signal).ok();
        let status = end(&mut child).unwrap();
        assert!(status.success() || status.signal() == Some(signal.as_raw()), "{status}");
        assert!(struck.elapsed() < PATIENCE);
        assert!(std::fs::read(&out).map_or(!status.success(), |out| out == whole), "round {round}: {status}");
        assert_eq!(tokens.take(), TOKENS, "round {round}");
        tokens.put(TOKENS);
        assert!(bench.listing().iter().all(|name| !name.ends_with(".tmp")), "{:?}", bench.listing());
    }
}

/// The long storm, for `cargo campaign signal-storm`, which reads the last line.
#[test]
#[ignore = "10,000 rounds take most of an hour: cargo campaign signal-storm"]
fn a_long_storm() {
    let rounds = std::env::var("RADDLE_STORM_ROUNDS").map_or(10_000, |text| text.parse().unwrap());
    let program = std::env::var_os("RADDLE_STORM_PROGRAM").map_or(env!("CARGO_BIN_EXE_raddle").into(), PathBuf::from);
    let tally = storm(rounds, &program);
    tally.faults.iter().for_each(|fault| println!("{fault}"));
    let summary = serde_json::json!({
        "rounds": rounds,
        "died": tally.died,
        "children": tally.children,
        "taken_along": tally.taken_along,
        "slowest_ms": tally.slowest.as_secs_f64() * 1e3,
        "faults": tally.faults.len(),
    });
    println!("storm {summary}");
}
