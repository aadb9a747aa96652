//! Raddle as a jobserver for the tools it starts: slots that a tool takes are lent, and the total
//! never exceeds the available slots.
#![forbid(unsafe_code)]

mod common;

use crate::common::server::Server;
use crate::common::{Bench, PATIENCE, command, trace};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A client in shell: it takes slots from descriptor 3 and returns them to descriptor 4.
const CONNECT: &str = "auth=${MAKEFLAGS##*--jobserver-auth=}
case $auth in
    fifo:*) path=${auth#fifo:}; exec 3<\"$path\" 4>\"$path\" ;;
    *) exec 3</proc/self/fd/${auth%,*} 4>/proc/self/fd/${auth#*,} ;;
esac
take() { dd bs=1 count=1 <&3 2>/dev/null; }
";

/// A program in the place of ptxas; it writes no output, so that its kernel is an error, whatever
/// else it does.
fn tool(bench: &Bench, script: &str) -> String {
    let path = bench.file("tool", format!("#!/bin/sh\n{CONNECT}{script}\nexit 7\n"));
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

/// Starts a build whose kernels are all passed to the tool.
fn start(bench: &Bench, kernels: usize, tool: &str, makeflags: Option<&str>, more: &[&str]) -> Child {
    let bodies: String = (0..kernels).map(|i| format!(".visible .entry k{i}()\n{{\nret;\n}}\n")).collect();
    let input = bench.file("k.ptx", format!(".version 8.0\n.target sm_90\n.address_size 64\n{bodies}"));
    let (fallback, trace) = (format!("ptxas:{tool}"), bench.path("trace"));
    let args = ["compile", &input, "-o", "/dev/null", "-k", "--fallback", &fallback, "--timings", &trace];
    let mut command = command(&[&args[..], more].concat());
    // Chaos allows more workers than CPUs.
    command.env("RADDLE_FAULT", "resources:*").env("RADDLE_CHAOS", "1").env("BENCH", bench.dir.path());
    command.env("TMPDIR", bench.dir.path());
    command.envs(makeflags.map(|flags| ("MAKEFLAGS", flags))).stderr(Stdio::piped()).spawn().unwrap()
}

/// The end of a build whose kernels all failed.
fn end(build: Child, kernels: usize) {
    let out = build.wait_with_output().unwrap();
    let stderr = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(3), "{stderr}");
    assert_eq!(stderr.matches("ptxas ended with exit status: 7").count(), kernels, "{stderr}");
}

#[test]
fn a_tool_finds_the_slots_that_no_kernel_needs() {
    for style in ["pipe", "fifo"] {
        let bench = Bench::new();
        // It takes two slots besides its own; there is no third.
        let script = "ls -l /proc/$$/fd > $BENCH/fds; echo \"$MAKEFLAGS\" > $BENCH/flags; a=$(take); b=$(take)
timeout 0.3 dd bs=1 count=1 <&3 2>/dev/null > $BENCH/third
printf %s \"$a$b\" >&4; printf %s \"$a$b\" > $BENCH/taken";
        let build = start(&bench, 1, &tool(&bench, script), None, &["-j3", "--jobserver-style", style]);
        end(build, 1);
        let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
        assert_eq!((read("taken").len(), read("third").len()), (2, 0), "{style}: {}", read("flags"));
        assert!(
            read("flags").starts_with(" -j3 --jobserver-auth=") && read("flags").contains("fifo:") == (style == "fifo")
        );
        // Besides its standard three and those that it opened itself (its script, 3 and 4) a tool
        // has inherited the two descriptors of our pipe.
        let fds = read("fds");
        let mut pipes: Vec<&str> = fds.lines().filter_map(|line| line.split_once("-> pipe:")).map(|it| it.1).collect();
        // Descriptors that the process running this test left open do not count.
        let ours =
            std::fs::read_dir("/proc/self/fd").unwrap().filter_map(|fd| std::fs::read_link(fd.ok()?.path()).ok());
        let ours: Vec<String> = ours.map(|to| to.display().to_string()).collect();
        pipes.retain(|pipe| !ours.contains(&format!("pipe:{pipe}")));
        assert!(!fds.contains("memfd:") && pipes.iter().all(|pipe| pipe == &pipes[0]), "{style}: {fds}");
        assert_eq!(pipes.len(), if style == "pipe" { 4 } else { 0 }, "{style}: {fds}");
        // The folder of the fifo has been removed.
        assert!(bench.listing().iter().all(|name| !name.starts_with("raddle-slots")), "{:?}", bench.listing());
    }
}

#[test]
fn tools_that_are_killed_with_slots_lose_none_of_a_makes() {
    let bench = Bench::new();
    let mut server = Server::new(&bench, b"abc");
    // Each takes the slots that it gets within a while: the last one gets at least one more. It
    // records how long it has them, and every other one is killed with them.
    let script =
        "n=1; while [ $n -lt 4 ] && [ -n \"$(timeout 0.2 dd bs=1 count=1 <&3 2>/dev/null)\" ]; do n=$((n+1)); done
from=$(date +%s%N); sleep 0.1; to=$(date +%s%N); echo $n $from $to >> $BENCH/log
if [ $(($$ % 2)) = 0 ]; then kill -9 $$; fi
while [ $n -gt 1 ]; do printf + >&4; n=$((n-1)); done";
    let build = start(&bench, 3, &tool(&bench, script), Some(&server.auth), &["-j4"]);
    let out = build.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(3), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(server.drain(), b"abc");
    let log = std::fs::read_to_string(bench.path("log")).unwrap();
    let rows: Vec<Vec<u64>> =
        log.lines().map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 3);
    for row in &rows {
        let others = rows.iter().filter(|other| other[1] <= row[1] && row[1] < other[2]);
        let slots: u64 = others.map(|other| other[0]).sum();
        assert!(slots <= 4, "{slots} slots at once: {log}");
    }
    assert!(rows.iter().any(|row| row[0] > 1), "no tool got a second slot: {log}");
    let trace = trace::read(&bench.path("trace"));
    trace::check(std::slice::from_ref(&trace), Some(4));
}

#[test]
fn a_signal_ends_tools_with_their_build() {
    for signal in [15, 9] {
        let bench = Bench::new();
        let mut server = Server::new(&bench, b"ab");
        let script = "a=$(take); echo $$ > $BENCH/pid.new; mv $BENCH/pid.new $BENCH/pid; exec sleep 600";
        let mut build = start(&bench, 1, &tool(&bench, script), Some(&server.auth), &["-j3"]);
        let begun = Instant::now();
        let pid = loop {
            if let Ok(pid) = std::fs::read_to_string(bench.path("pid")) {
                break pid.trim().to_string();
            }
            assert!(begun.elapsed() < PATIENCE && build.try_wait().unwrap().is_none());
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(Command::new("kill").args([format!("-{signal}"), build.id().to_string()]).status().unwrap().success());
        assert_eq!(build.wait().unwrap().signal(), Some(signal));
        while std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z ")) {
            assert!(begun.elapsed() < PATIENCE, "signal {signal}: the tool stays");
            std::thread::sleep(Duration::from_millis(5));
        }
        if signal == 15 {
            assert_eq!(server.drain(), b"ab");
        }
    }
}
