//! Builds of LLVM IR under signals, with little memory and with outputs that fail: no worker process
//! stays, every token is returned, no output is partial, and a worker that is killed is an error that
//! says so.
#![forbid(unsafe_code)]

mod common;

use crate::common::server::Server;
use crate::common::tokens::{TRANSPORTS, Tokens, end, hash};
use crate::common::{Bench, PATIENCE, Ran, children, finish, trace};
use raddle_filetest::llvm;
use rustix::process::{Pid, Signal, kill_process};
use std::fmt::Write as _;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The kinds of interruption.
const STROKES: [Stroke; 5] = [
    Stroke::Build(Signal::INT),
    Stroke::Build(Signal::TERM),
    Stroke::Build(Signal::HUP),
    Stroke::Build(Signal::KILL),
    Stroke::Worker,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stroke {
    /// This signal is sent to the build itself.
    Build(Signal),
    /// A worker process with LLVM is killed.
    Worker,
}

/// Modules whose kernels call functions of the next module.
fn modules(bench: &Bench) -> Vec<String> {
    const MODULES: usize = 4;
    let module = |m: usize| {
        let next = (m + 1) % MODULES;
        let mut text = format!(
            "source_filename = \"m{m}.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n\
             @v{m} = addrspace(1) global i32 {m}, align 4\ndeclare i32 @f{next}(i32)\n\
             define i32 @f{m}(i32 %x) noinline {{\n  %y = mul i32 %x, {}\n  ret i32 %y\n}}\n",
            m + 3
        );
        for k in 0..4 {
            _ = writeln!(
                text,
                "define ptx_kernel void @k{m}{k}(ptr addrspace(1) %p, i32 %n) {{\nentry:\n  br label %loop\nloop:\n  \
                 %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i\n  \
                 %x = load i32, ptr addrspace(1) %at\n  %y = call i32 @f{next}(i32 %x)\n  \
                 store i32 %y, ptr addrspace(1) %at\n  %j = add i32 %i, {}\n  %c = icmp slt i32 %j, %n\n  \
                 br i1 %c, label %loop, label %done\ndone:\n  ret void\n}}",
                k + 1
            );
        }
        bench.file(&format!("m{m}.ll"), text)
    };
    (0..MODULES).map(module).collect()
}

/// The builds that are interrupted.
struct Target {
    program: PathBuf,
    args: Vec<String>,
    temps: String,
    out: String,
    /// The output of an undisturbed build.
    whole: Vec<u8>,
    usual: Duration,
}

impl Target {
    fn new(bench: &Bench, program: &Path, library: &Path, command: &str) -> Target {
        let (out, temps) = (bench.path("out"), bench.path("temporary"));
        std::fs::create_dir_all(&temps).unwrap();
        let fixed = [command, "--arch", "sm_90", "-o", &out, "--llvm", library.to_str().unwrap()];
        let mut args: Vec<String> = fixed.map(str::to_owned).to_vec();
        if command == "compile" {
            args.extend(["--lto-partitions", "6", "--history", "off"].map(str::to_owned));
        }
        args.extend(modules(bench));
        let mut target =
            Target { program: program.to_owned(), args, temps, out, whole: Vec::new(), usual: Duration::MAX };
        for _ in 0..3 {
            let begun = Instant::now();
            let ran = finish(target.command(bench));
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            target.usual = target.usual.min(begun.elapsed());
        }
        target.whole = std::fs::read(&target.out).unwrap();
        target
    }

    /// The same builds with another output.
    fn to(&self, out: &str) -> Target {
        let args = self.args.iter().map(|arg| if *arg == self.out { out.to_owned() } else { arg.clone() }).collect();
        let (program, temps, whole) = (self.program.clone(), self.temps.clone(), self.whole.clone());
        Target { program, args, temps, out: out.to_owned(), whole, usual: self.usual }
    }

    /// A build without a jobserver and without disorder.
    fn command(&self, bench: &Bench) -> Command {
        let mut command = Command::new("env");
        command.arg("--default-signal").arg(&self.program).args(&self.args).args(["-j4"]);
        for name in ["RADDLE_FAULT", "RADDLE_RESUME", "RADDLE_CHAOS", "MAKEFLAGS", "RADDLE_LLVM"] {
            command.env_remove(name);
        }
        command.env("XDG_RUNTIME_DIR", bench.dir.path()).env("TMPDIR", &self.temps);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// The whole output, or none.
    fn is_sound(&self) -> bool {
        std::fs::read(&self.out).map_or(true, |out| out == self.whole)
    }
}

/// The worker processes of a build, which may have ended.
fn workers(build: u32) -> Vec<u32> {
    let mark = format!("--parent={build}\0");
    let pids = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_worker = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        line.contains("\0__llvm\0") && line.contains(&mark)
    };
    pids.filter(is_worker).collect()
}

/// Waits until a build that has ended has no workers; returns whether that is so.
fn all_gone(build: u32) -> bool {
    let begun = Instant::now();
    while !workers(build).is_empty() {
        if begun.elapsed() > Duration::from_secs(10) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// The results of a storm.
#[derive(Debug, Default)]
struct Tally {
    /// Builds that died by their signal.
    died: usize,
    /// Workers that were killed, and of these those whose work was lost.
    workers: (usize, usize),
    /// Builds that were restarted after a crash of the compiler.
    restarted: usize,
    /// Tokens lost with a build killed by SIGKILL.
    taken_along: usize,
    slowest: Duration,
    /// Violations.
    faults: Vec<String>,
}

/// Interrupts builds at random times, over all transports, commands and libraries in turn.
fn storm(rounds: u64, program: &Path, libraries: &[PathBuf]) -> Tally {
    let mut tally = Tally::default();
    let bench = Bench::new();
    let servers = TRANSPORTS.map(|transport| Tokens::new(transport, &bench));
    let flags: Vec<[u32; 4]> = servers.iter().map(Tokens::flags).collect();
    let folders: Vec<(Bench, &str, &PathBuf)> = libraries
        .iter()
        .flat_map(|library| ["compile", "link"].map(|command| (Bench::new(), command, library)))
        .collect();
    let targets: Vec<Target> =
        folders.iter().map(|(bench, command, library)| Target::new(bench, program, library, command)).collect();
    for round in 0..rounds {
        let number = round as usize % servers.len();
        let stroke = STROKES[(round as usize / servers.len()) % STROKES.len()];
        let at = (round as usize / (servers.len() * STROKES.len()) + number) % targets.len();
        let (tokens, target, folder) = (&servers[number], &targets[at], &folders[at].0);
        let mut fault =
            |what: String| tally.faults.push(format!("round {round}, {:?}, {stroke:?}: {what}", TRANSPORTS[number]));
        let _ = std::fs::remove_file(&target.out);
        let mut command = target.command(folder);
        command.env("MAKEFLAGS", &tokens.auth).env("RADDLE_CHAOS", round.to_string());
        if hash(round ^ 1).is_multiple_of(3) {
            // Less than any task expects to need.
            command.args(["--max-memory", "40M"]);
        }
        if hash(round ^ 4).is_multiple_of(4) && target.args[0] == "compile" {
            // What an interrupted build has stored is found by later ones.
            command.args(["--cache", &folder.path("cache")]);
        }
        let crash = stroke != Stroke::Worker && hash(round ^ 2).is_multiple_of(4);
        if crash {
            // While workers wait, or work for others, the process is replaced by another run.
            command.env("RADDLE_FAULT", "segv-once:k21");
        }
        let mut child = command.spawn().unwrap();
        // Spread over the whole build, at any load of the machine.
        let whole = if crash { 2.0 } else { 1.0 };
        std::thread::sleep(target.usual.mul_f64(whole * (hash(round ^ 0x5eed) % 1000) as f64 / 1000.0));
        let struck = Instant::now();
        let mut hit = false;
        match stroke {
            // The number has not been reused, since this process was not reaped.
            Stroke::Build(signal) => hit = kill_process(Pid::from_child(&child), signal).is_ok(),
            Stroke::Worker => {
                let all = children(child.id(), "__llvm");
                if let Some(&pid) = all.get(hash(round ^ 3) as usize % all.len().max(1)) {
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
            (_, None) => fault("it hangs".to_owned()),
            (Stroke::Build(signal), Some((_, Some(died_of)))) if died_of == signal.as_raw() => {
                tally.died += 1;
                tally.slowest = tally.slowest.max(took);
            }
            // The build ended before the signal.
            (Stroke::Build(_), Some((Some(0), _))) => tally.restarted += usize::from(said.contains("E0053")),
            (Stroke::Worker, Some((Some(4), _))) if hit && said.contains("E0093") && said.contains("(SIGKILL)") => {
                tally.workers = (tally.workers.0 + 1, tally.workers.1 + 1);
            }
            (Stroke::Worker, Some((Some(0), _))) => tally.workers.0 += usize::from(hit),
            (_, Some(end)) => fault(format!("{end:?}: {said}")),
        }
        if !all_gone(child.id()) {
            fault("worker processes stay".to_owned());
        }
        let killed = stroke == Stroke::Build(Signal::KILL);
        match tokens.returned(killed) {
            Ok(lost) => tally.taken_along += lost,
            Err(what) => fault(what),
        }
        if tokens.flags() != flags[number] {
            fault("a flag of an inherited descriptor has changed".to_owned());
        }
        if !target.is_sound() {
            fault("half an output".to_owned());
        }
        let left = std::fs::read_dir(&target.temps).unwrap().count();
        if left > 0 && !killed {
            fault(format!("{left} temporaries stay"));
        }
        for name in folder.listing().into_iter().filter(|name| name.ends_with(".tmp")) {
            if !killed {
                fault(format!("a temporary stays: {name}"));
            }
            let _ = std::fs::remove_file(folder.path(&name));
        }
    }
    tally
}

/// The libraries of this machine.
fn libraries() -> Vec<PathBuf> {
    llvm::VERSIONS.iter().filter_map(|&major| llvm::require(major)).collect()
}

#[test]
fn a_storm_of_signals_leaves_no_worker_no_partial_output_and_all_tokens() {
    let libraries = libraries();
    if libraries.is_empty() {
        return;
    }
    let (mut died, mut workers) = (0, 0);
    // On a busy machine builds end before their signal comes.
    for _ in 0..5 {
        let tally = storm(40, Path::new(env!("CARGO_BIN_EXE_raddle")), &libraries);
        assert!(tally.faults.is_empty(), "{:#?}", tally.faults);
        (died, workers) = (died + tally.died, workers + tally.workers.0);
        if died > 6 && workers > 1 {
            return;
        }
    }
    panic!("most ended before the signal: {died} builds and {workers} workers died of theirs");
}

/// The long storm, for `cargo campaign ir-storm`, which reads the last line.
#[test]
#[ignore = "thousands of rounds take most of an hour: cargo campaign ir-storm"]
fn a_long_storm() {
    let rounds = std::env::var("RADDLE_STORM_ROUNDS").map_or(3000, |text| text.parse().unwrap());
    let program = std::env::var_os("RADDLE_STORM_PROGRAM").map_or(env!("CARGO_BIN_EXE_raddle").into(), PathBuf::from);
    let tally = storm(rounds, &program, &libraries());
    tally.faults.iter().for_each(|fault| println!("{fault}"));
    let summary = serde_json::json!({
        "rounds": rounds,
        "died": tally.died,
        "workers": tally.workers.0,
        "lost": tally.workers.1,
        "restarted": tally.restarted,
        "taken_along": tally.taken_along,
        "slowest_ms": tally.slowest.as_secs_f64() * 1e3,
        "faults": tally.faults.len(),
    });
    println!("storm {summary}");
}

/// A build by a shell, which sets limits or closes descriptors first.
fn by_shell(target: &Target, bench: &Bench, before: &str, redirections: &str) -> (Ran, u32) {
    let mut shell = Command::new("sh");
    let script = format!("{before}\nexec \"$@\" {redirections}");
    let plain = target.command(bench);
    shell.args(["-c", &script, "sh"]).arg(&target.program).args(&target.args).arg("-j2");
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    if target.out.starts_with(bench.dir.path().to_str().unwrap()) {
        let _ = std::fs::remove_file(&target.out);
    }
    let child = shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (id, begun) = (child.id(), Instant::now());
    let out = child.wait_with_output().unwrap();
    assert!(begun.elapsed() < PATIENCE, "{before}");
    let stderr = String::from_utf8(out.stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{before}: {stderr}");
    (Ran { code: out.status.code(), stdout: out.stdout, stderr }, id)
}

#[test]
fn limits_of_the_system_give_an_error_or_the_whole_output() {
    let Some(library) = libraries().pop() else { return };
    let bench = Bench::new();
    let target = Target::new(&bench, Path::new(env!("CARGO_BIN_EXE_raddle")), &library, "compile");
    let mut ended = [0, 0];
    let files = [0, 1, 2, 4, 16, 64, 100_000].map(|blocks| format!("trap '' XFSZ; ulimit -f {blocks}"));
    let memory = [60_000, 150_000, 250_000, 400_000, 8_000_000].map(|kib| format!("ulimit -v {kib}"));
    let open = [8, 12, 16, 20, 30, 64].map(|files| format!("ulimit -n {files}"));
    let folder = ["TMPDIR=/nonexistent; export TMPDIR", "TMPDIR=/proc; export TMPDIR"].map(str::to_owned);
    for limit in files.iter().chain(&memory).chain(&open).chain(&folder) {
        let (ran, build) = by_shell(&target, &bench, limit, "");
        assert!(all_gone(build), "{limit}: worker processes stay");
        match ran.code {
            Some(0) => assert!(std::fs::read(&target.out).unwrap() == target.whole, "{limit}"),
            code => {
                let told = ran.stderr.contains("error[") || ran.stderr.contains("fatal[");
                assert!(matches!(code, Some(1 | 4)) && told, "{limit}: {code:?} {}", ran.stderr);
                assert!(!Path::new(&target.out).exists(), "{limit}");
            }
        }
        ended[usize::from(ran.code == Some(0))] += 1;
        assert!(bench.listing().iter().all(|name| !name.ends_with(".tmp")), "{limit}: {:?}", bench.listing());
    }
    assert!(ended[0] > 5 && ended[1] > 3, "{ended:?}");
}

#[test]
fn outputs_and_descriptors_that_are_closed_or_full() {
    let Some(library) = libraries().pop() else { return };
    let bench = Bench::new();
    let target = Target::new(&bench, Path::new(env!("CARGO_BIN_EXE_raddle")), &library, "compile");
    for closed in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "<&- 3<&- 4<&- 5<&-"] {
        let (ran, build) = by_shell(&target, &bench, "", closed);
        assert_eq!(ran.code, Some(0), "{closed}: {}", ran.stderr);
        assert!(std::fs::read(&target.out).unwrap() == target.whole && all_gone(build), "{closed}");
    }
    let (ran, build) = by_shell(&target.to("/dev/full"), &bench, "", "");
    assert!(ran.code == Some(1) && ran.stderr.contains("E0010") && all_gone(build), "{:?} {}", ran.code, ran.stderr);
    let target = target.to("-");
    let (ran, build) = by_shell(&target, &bench, "", "");
    assert!(ran.code == Some(0) && ran.stdout == target.whole && all_gone(build), "{}", ran.stderr);
    // A reader that is gone: the command ends as for PTX.
    let (read, write) = rustix::pipe::pipe().unwrap();
    drop(read);
    let mut command = target.command(&bench);
    let child = command.stdout(write).spawn().unwrap();
    let (id, done) = (child.id(), child.wait_with_output().unwrap());
    let ptx = crate::common::kernel("saxpy");
    let (read, write) = rustix::pipe::pipe().unwrap();
    drop(read);
    let plain = crate::common::command(&["compile", &ptx, "-o", "-"]).stdout(write).output().unwrap();
    assert_eq!((done.status.code(), done.stderr.is_empty()), (plain.status.code(), plain.stderr.is_empty()));
    assert!(all_gone(id));
}

#[test]
fn builds_that_share_little_memory_and_few_slots_all_end() {
    const BUILDS: usize = 6;
    let Some(library) = libraries().pop() else { return };
    let bench = Bench::new();
    let target = Target::new(&bench, Path::new(env!("CARGO_BIN_EXE_raddle")), &library, "compile");
    let mut server = Server::new(&bench, b"abc");
    let outs: Vec<(String, String)> =
        (0..BUILDS).map(|n| (bench.path(&format!("out{n}")), bench.path(&format!("trace{n}")))).collect();
    let start = |(out, timings): &(String, String)| {
        let mut command = target.to(out).command(&bench);
        command.env("MAKEFLAGS", &server.auth).env("RADDLE_CHAOS", "5").args(["--timings", timings]);
        command.args(["--max-memory", "250M"]).spawn().unwrap()
    };
    let builds: Vec<_> = outs.iter().map(start).collect();
    for (build, (out, _)) in builds.into_iter().zip(&outs) {
        let id = build.id();
        let done = build.wait_with_output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        assert!(std::fs::read(out).unwrap() == target.whole && all_gone(id));
    }
    assert_eq!(server.drain(), b"abc");
    let traces: Vec<_> = outs.iter().map(|(_, timings)| trace::read(timings)).collect();
    trace::check(&traces, Some(BUILDS + 3));
}

/// Most builds until enough workers were killed while they waited.
const TRIES: usize = 60;
/// Fewer of these builds would not show it.
const ENOUGH: usize = 3;

#[test]
fn a_worker_that_ends_while_it_waits_costs_nothing() {
    let Some(library) = libraries().pop() else { return };
    let bench = Bench::new();
    let target = Target::new(&bench, Path::new(env!("CARGO_BIN_EXE_raddle")), &library, "compile");
    // Workers are killed as soon as they stop working; some are hit while they work again.
    let mut costless = 0;
    for _ in 0..TRIES {
        if costless > ENOUGH {
            break;
        }
        let _ = std::fs::remove_file(&target.out);
        let child = target.command(&bench).spawn().unwrap();
        let (id, mut killed) = (child.id(), 0);
        while killed == 0 && Path::new(&format!("/proc/{id}/exe")).exists() {
            for pid in children(id, "__llvm") {
                killed +=
                    usize::from(waits(pid) && kill_process(Pid::from_raw(pid as i32).unwrap(), Signal::KILL).is_ok());
            }
        }
        let done = child.wait_with_output().unwrap();
        assert!(matches!(done.status.code(), Some(0 | 4)), "{}", String::from_utf8_lossy(&done.stderr));
        costless += usize::from(killed > 0 && done.status.code() == Some(0));
    }
    assert!(costless > ENOUGH, "{costless} of {TRIES}");
}

/// Whether a process waits to read its standard input.
fn waits(pid: u32) -> bool {
    // Number of the system call and its first argument: `read` of descriptor 0.
    let call = std::fs::read_to_string(format!("/proc/{pid}/syscall")).unwrap_or_default();
    call.starts_with("0 0x0 ") || call.starts_with("63 0x0 ")
}

#[test]
fn a_worker_that_does_not_read_is_given_up_in_time() {
    let Some(library) = libraries().pop() else { return };
    let bench = Bench::new();
    // More than a pipe holds.
    let large = format!("{}target triple = \"nvptx64-nvidia-cuda\"\n", "; a comment\n".repeat(50_000));
    let (input, out) = (bench.file("large.ll", large), bench.path("out"));
    let args = ["compile", &input, "--arch", "sm_90", "--kernel-timeout", "1.5", "-o", &out, "--llvm"];
    // On a busy machine a worker may have read everything before it is stopped.
    let given_up = (0..50).any(|_| {
        let mut command = crate::common::command(&[&args[..], &[library.to_str().unwrap()]].concat());
        let begun = Instant::now();
        let mut build = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let id = build.id();
        while build.try_wait().unwrap().is_none() {
            if let [worker] = children(id, "__llvm")[..] {
                // It may have ended by now.
                let _ = kill_process(Pid::from_raw(worker as i32).unwrap(), Signal::STOP);
                break;
            }
        }
        let done = build.wait_with_output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(begun.elapsed() < PATIENCE && all_gone(id));
        if done.status.code() == Some(0) {
            return false;
        }
        assert_eq!(done.status.code(), Some(1), "{said}");
        assert!(said.contains("E0049") && said.contains("large.ll"), "{said}");
        true
    });
    assert!(given_up);
}
