//! Kernels that crash the compiler process (ISO-2): the others finish, each failure is named and
//! can be repeated, no token is lost, and no process is left over.

use crate::common::server::Server;
use crate::common::{Bench, Ran, children, command, corpus, finish};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// The command with an injected fault.
fn faulty(fault: &str, args: &[&str]) -> Command {
    let mut command = command(&[&["compile"], args].concat());
    command.env("RADDLE_FAULT", fault);
    command
}

fn ran(mut command: Command) -> Ran {
    let out = command.output().unwrap();
    Ran { code: out.status.code(), stdout: out.stdout, stderr: String::from_utf8(out.stderr).unwrap() }
}

/// The number of compiled kernels in the table of `-v`.
fn compiled(stderr: &str) -> usize {
    stderr.lines().filter(|line| line.split_whitespace().nth(5).is_some_and(|c| c.parse::<u32>().is_ok())).count()
}

/// The kinds of crashes: the fault, the step in which it happens, the signal, and a further
/// message.
const CRASHES: [(&str, &str, &str, &str); 5] = [
    ("stack-overflow", "fault", "SIGABRT", "overflowed its stack"),
    ("abort", "fault", "SIGABRT", ""),
    ("oom", "fault", "SIGABRT", "memory allocation of"),
    ("segv", "fault", "SIGSEGV", ""),
    // In the middle of code generation: the pass is named.
    ("segv@alloc", "alloc", "SIGSEGV", ""),
];

#[test]
fn what_ends_the_process_is_an_error_of_its_kernel_alone() {
    let bench = Bench::new();
    let mut server = Server::new(&bench, b"abc");
    let folder = bench.path("kept");
    for (kind, step, signal, said) in CRASHES {
        let out = bench.path("out");
        let fault = format!("{kind}:scan");
        let mut command =
            faulty(&fault, &[&eight(), "-o", &out, "--arch", "sm_90", "-k", "-v", "--reproduce", &folder]);
        let begun = Instant::now();
        command.env("MAKEFLAGS", &server.auth);
        let ran = ran(command);
        assert_eq!(ran.code, Some(4), "{kind}: {}", ran.stderr);
        assert_eq!(ran.stderr.matches("error[").count(), 1, "{kind}: {}", ran.stderr);
        let ended = format!("the compiler crashed ({signal}) in {step}");
        for part in ["E0053", "in function `scan`", "nvcc.ptx:", &ended, said, "to repeat it: raddle compile "] {
            assert!(ran.stderr.contains(part), "{kind}: {part}: {}", ran.stderr);
        }
        assert!(compiled(&ran.stderr) >= 7, "{kind}: {}", ran.stderr);
        assert_eq!(server.drain(), b"abc", "{kind}");
        std::io::Write::write_all(&mut server.fifo, b"abc").unwrap();
        assert!(!std::path::Path::new(&out).exists(), "{kind}");
        assert!(begun.elapsed() < crate::common::PATIENCE);
        // The kernel alone fails in the same way.
        let line = ran.stderr.lines().find_map(|line| Some(line.split_once("to repeat it: ")?.1)).unwrap();
        let line = line.replacen("raddle", env!("CARGO_BIN_EXE_raddle"), 1);
        assert!(line.contains("scan.ptx"), "{line}");
        let again = Command::new("sh").args(["-c", &line]).env("RADDLE_FAULT", &fault).output().unwrap();
        assert_eq!(again.status.code(), Some(4), "{line}");
        assert!(String::from_utf8(again.stderr).unwrap().contains(&ended), "{line}");
    }
}

#[test]
fn a_module_full_of_crashes_is_listed_whole() {
    let ran = ran(faulty("segv:*", &[&eight(), "-o", "/dev/null", "-k", "-j2"]));
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("error[E0053]").count(), 8, "{}", ran.stderr);
    // Without -k only the first kernel's failure is reported, whichever crashed first.
    let first = crate::common::raddle(&["compile", &eight(), "-o", "/dev/null", "-v"]).stderr;
    assert!(!first.is_empty());
    for seed in ["1", "2", "3"] {
        let mut command = faulty("abort:*", &[&eight(), "-o", "/dev/null", "-j4"]);
        command.env("RADDLE_CHAOS", seed);
        let stderr = self::ran(command).stderr;
        assert_eq!(stderr.matches("error[E0053]").count(), 1, "{stderr}");
    }
}

#[test]
fn a_crash_that_does_not_come_again_costs_a_warning() {
    let bench = Bench::new();
    let (crashed, plain) = (bench.path("crashed"), bench.path("plain"));
    for more in [&[][..], &["--lineinfo"], &["-O0"], &["-g"]] {
        let run = ran(faulty("segv-once:scan", &[&[&eight(), "-o", &crashed], more].concat()));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.stderr.matches("warning[E0053]").count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains("SIGSEGV") && run.stderr.contains("scan"), "{}", run.stderr);
        assert_eq!(finish(command(&[&["compile", &eight(), "-o", &plain], more].concat())).code, Some(0));
        assert!(std::fs::read(&crashed).unwrap() == std::fs::read(&plain).unwrap(), "{more:?}");
    }
}

#[test]
fn a_crash_in_the_ptx_of_a_link_ends_its_kernel_alone() {
    let bench = Bench::new();
    let (crashed, plain) = (bench.path("crashed"), bench.path("plain"));
    let link = |output: &str, fault: &str| {
        let mut command = command(&["link", &eight(), "-o", output, "--arch", "sm_90", "-O1"]);
        command.env("RADDLE_FAULT", fault);
        ran(command)
    };
    let run = link(&crashed, "segv:scan");
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(run.stderr.contains("error[E0053]") && run.stderr.contains("in function `scan`"), "{}", run.stderr);
    assert!(!std::path::Path::new(&crashed).exists());
    for (output, fault) in [(&crashed, "segv-once:scan"), (&plain, "segv-once:none")] {
        let run = link(output, fault);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.stderr.matches("warning[E0053]").count(), usize::from(output == &crashed), "{}", run.stderr);
    }
    assert!(std::fs::read(&crashed).unwrap() == std::fs::read(&plain).unwrap());
}

#[test]
fn an_input_that_cannot_be_read_twice_is_read_once() {
    for script in ["cat $0 | $1 compile - -o -", "$1 compile - -o - < $0", "$1 compile /dev/stdin -o - < $0"] {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, &eight(), env!("CARGO_BIN_EXE_raddle")]).env_remove("MAKEFLAGS");
        let plain = finish(shell).stdout;
        let mut shell = Command::new("sh");
        shell.args(["-c", script, &eight(), env!("CARGO_BIN_EXE_raddle")]).env_remove("MAKEFLAGS");
        let crashed = ran({
            shell.env("RADDLE_FAULT", "segv-once:scan");
            shell
        });
        assert_eq!(crashed.code, Some(0), "{script}: {}", crashed.stderr);
        assert!(crashed.stdout == plain && plain.len() > 1000, "{script}");
    }
}

#[test]
fn a_kernel_that_neither_ends_nor_stops_is_given_up() {
    let begun = Instant::now();
    let args = [&eight(), "-o", "/dev/null", "-k", "-j2", "-v", "--kernel-timeout", "1.5"];
    let run = ran(faulty("hang:scan", &args));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("E0049") && run.stderr.contains("given up in fault"), "{}", run.stderr);
    assert!(compiled(&run.stderr) >= 7 && begun.elapsed() < crate::common::PATIENCE, "{}", run.stderr);
}

/// A build that hangs in a process for one unit, and that process.
fn stuck(server: &Server, module: &str) -> (Child, u32) {
    let mut command = faulty("hang:scan", &[module, "-o", "/dev/null", "-k", "-j4", "--kernel-timeout", "5"]);
    // The first run detects it; chaos allows more workers than CPUs.
    command.env("MAKEFLAGS", &server.auth).env("RADDLE_CHAOS", "3").env("RADDLE_RESUME", "runs=1 unit=0:11 unit=*");
    let build = command.stderr(Stdio::piped()).spawn().unwrap();
    let unit = unit_of(build.id());
    (build, unit)
}

/// The process for one unit that a build has started.
fn unit_of(build: u32) -> u32 {
    let begun = Instant::now();
    loop {
        let found = children(build, "scan");
        if let [unit] = found[..] {
            return unit;
        }
        assert!(begun.elapsed() < crate::common::PATIENCE, "{found:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(signal: &str, pid: u32) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}

#[test]
fn processes_for_units_neither_outlive_their_parent_nor_lose_its_tokens() {
    let bench = Bench::new();
    let mut server = Server::new(&bench, b"abc");
    // If the process for the unit is killed, that is an error of its kernel.
    let (build, unit) = stuck(&server, &eight());
    kill("-KILL", unit);
    let out = build.wait_with_output().unwrap();
    let stderr = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("the compiler crashed (SIGKILL) in"), "{stderr}");
    assert_eq!(server.drain(), b"abc");
    std::io::Write::write_all(&mut server.fifo, b"abc").unwrap();
    for signal in [2, 15, 1, 9] {
        let (mut build, unit) = stuck(&server, &eight());
        let begun = Instant::now();
        kill(&format!("-{signal}"), build.id());
        assert_eq!(build.wait().unwrap().signal(), Some(signal));
        assert!(begun.elapsed() < crate::common::PATIENCE);
        let gone = || !std::path::Path::new(&format!("/proc/{unit}/cwd")).exists();
        while !gone() {
            assert!(begun.elapsed() < crate::common::PATIENCE, "signal {signal}: the process for the unit stays");
            std::thread::sleep(Duration::from_millis(5));
        }
        // Tokens cannot be returned after SIGKILL of their holder.
        if signal != 9 {
            assert_eq!(server.drain(), b"abc", "signal {signal}");
            std::io::Write::write_all(&mut server.fifo, b"abc").unwrap();
        }
    }
}

#[test]
fn a_crash_outside_of_kernels_ends_the_process_by_its_signal() {
    let mut child =
        command(&["compile", "-", "-o", "/dev/null"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    crate::common::handles(child.id(), 31);
    // While a thread is being created, its creator blocks signals, and the new one would receive
    // this signal.
    let begun = Instant::now();
    let comm = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    let tasks = || std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap().filter_map(Result::ok);
    while !tasks().any(|task| comm(task).trim() == "signals") {
        assert!(begun.elapsed() < crate::common::PATIENCE);
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(50));
    kill("-SEGV", child.id());
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(11), "{status:?}");
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.unwrap(), &mut said).unwrap();
    assert!(said.contains("crashed (SIGSEGV)"), "{said}");
    let mut wrong = command(&["compile", &eight(), "-o", "/dev/null"]);
    wrong.env("RADDLE_RESUME", "what");
    assert_eq!(ran(wrong).code, Some(2));
}

#[test]
fn units_of_objects_are_compiled_apart_too() {
    let bench = Bench::new();
    let text = |name: &str| std::fs::read_to_string(corpus().join("abi/recursion").join(name)).unwrap();
    let kernels = text("kernels.ptx");
    let functions = text("functions.ptx");
    let object = |name: &str, fault: &str| {
        let out = bench.path(&format!("{name}.o"));
        let mut command = faulty(fault, &["-c", &bench.path("m.ptx"), "-o", &out, "--arch", "sm_90"]);
        if fault.is_empty() {
            command.env_remove("RADDLE_FAULT");
        }
        (ran(command), std::fs::read(&out))
    };
    bench.file("m.ptx", &kernels);
    let (whole, want) = object("whole", "");
    let (apart, got) = object("apart", "segv-once:k");
    assert_eq!((whole.code, apart.code), (Some(0), Some(0)), "{}{}", whole.stderr, apart.stderr);
    assert!(want.unwrap() == got.unwrap());
    // So are functions that are not inlined.
    bench.file("m.ptx", &functions);
    let (whole, want) = object("functions", "");
    let (apart, got) = object("functions-apart", "segv-once:fib");
    assert_eq!((whole.code, apart.code), (Some(0), Some(0)), "{}{}", whole.stderr, apart.stderr);
    assert!(apart.stderr.contains("warning[E0053]") && apart.stderr.contains("in function `fib`"), "{}", apart.stderr);
    assert!(want.unwrap() == got.unwrap());
    let (ran, none) = object("function", "segv:fib");
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    for part in ["E0053", "in function `fib`", "the compiler crashed (SIGSEGV) in fault"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert!(none.is_err() && ran.stderr.matches("error[").count() == 1, "{}", ran.stderr);
}

#[test]
fn a_function_that_crashes_leaves_the_kernels_of_its_program() {
    let bench = Bench::new();
    let module = corpus().join("calls/beside.ptx").to_str().unwrap().to_string();
    let args = [&module, "-o", &bench.path("out"), "--arch", "sm_90", "-k", "-v"];
    let crashed = ran(faulty("segv:sum", &args));
    assert_eq!(crashed.code, Some(4), "{}", crashed.stderr);
    assert!(crashed.stderr.contains("in function `sum`"), "{}", crashed.stderr);
    assert_eq!(crashed.stderr.matches("error[").count(), 1, "{}", crashed.stderr);
    let rows = crashed.stderr.lines().filter(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let named = words.last().is_some_and(|name| ["k", "other", "where", "there"].contains(name));
        named && words.first().is_some_and(|registers| registers.parse::<u32>().is_ok())
    });
    assert_eq!(rows.count(), 4, "{}", crashed.stderr);
    // A kernel that needs the function does not crash, and gives the same code in a separate
    // process.
    let mut plain = command(&[&["compile"], &args[..]].concat());
    plain.env_remove("RADDLE_FAULT");
    let want = (ran(plain).code, std::fs::read(bench.path("out")).unwrap());
    for once in ["segv-once:sum", "segv-once:k", "segv-once:other"] {
        let apart = ran(faulty(once, &args));
        assert_eq!((apart.code, std::fs::read(bench.path("out")).unwrap()), want, "{once}: {}", apart.stderr);
    }
}

#[test]
fn a_process_for_a_unit_ends_if_its_parent_has_ended_before_it_looked() {
    let file = std::fs::File::open(eight()).unwrap();
    let mut unit = command(&["__unit", "--arch", "sm_90", "-e", "scan", "--parent", "1"]);
    let out = unit.stdin(file).output().unwrap();
    assert_eq!((out.status.code(), out.stdout.len()), (Some(1), 0));
    let file = std::fs::File::open(eight()).unwrap();
    let parent = std::process::id().to_string();
    let mut unit = command(&["__unit", "--arch", "sm_90", "-e", "scan", "--parent", &parent]);
    let out = unit.stdin(file).output().unwrap();
    assert!(out.status.success() && !out.stdout.is_empty());
}
