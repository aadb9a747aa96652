//! The command with `--remote exec:PROGRAM`, which starts a program for each kernel: what it shows, and
//! what it does without an engine that works.

use crate::common::{Bench, PATIENCE, Ran, children, command, corpus, finish, raddle, tokens, trace};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// A program of this text in the folder.
fn script(bench: &Bench, name: &str, text: &str) -> String {
    let path = bench.file(name, format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// The command without an injected fault, for which everything stays here.
fn plain(args: &[&str]) -> Command {
    let mut command = command(args);
    command.env_remove("RADDLE_FAULT");
    command
}

fn own() -> String {
    format!("exec:{}", env!("CARGO_BIN_EXE_raddle"))
}

fn json(ran: &Ran) -> Vec<Value> {
    ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn kernels_are_compiled_by_the_program_and_everything_shows_it() {
    let bench = Bench::new();
    let [here, there] = ["here", "there"].map(|name| bench.path(name));
    assert_eq!(finish(plain(&["compile", &eight(), "-o", &here])).code, Some(0));
    let (timings, report) = (bench.path("trace"), bench.path("page.html"));
    let own = own();
    // A wait that no worker interrupts: the timeline shows only what the program did.
    let slow = script(&bench, "slow", &format!("sleep 0.05; exec {} \"$@\"", env!("CARGO_BIN_EXE_raddle")));
    let slow = format!("exec:{slow}");
    let line =
        ["compile", &eight(), "-o", &there, "-v", "--timings", &timings, "--report", &report, "--history", "off"];
    let ran = finish(plain(&[&line[..], &["--message-format", "json", "-j1", "--remote", &slow]].concat()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    let lines = json(&ran);
    let kernels: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "kernel").collect();
    let remote: Vec<&Value> = kernels.iter().map(|kernel| &kernel["remote"]).filter(|run| !run.is_null()).collect();
    let costly = remote.len();
    assert!(kernels.len() == 8 && costly > 0, "{}", ran.stderr);
    assert!(remote.iter().all(|run| run["made_there"] == true && run["received_bytes"].as_u64() > Some(100)));
    assert!(remote.iter().all(|run| run["execution_ms"].as_f64() > Some(50.0)), "{remote:?}");
    let build = lines.iter().find(|line| line["kind"] == "remote").unwrap();
    assert_eq!((build["started"].as_u64(), &build["given_up"]), (Some(costly as u64), &Value::Null));
    let trace = trace::read(&timings);
    trace::is_sound(&trace);
    let spans = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["cat"] == "remote");
    let spans: Vec<&Value> = spans.collect();
    assert_eq!(spans.len(), costly);
    assert!(spans.iter().all(|span| span["args"]["execution_us"].as_u64() > Some(50_000)), "{spans:?}");
    let page = std::fs::read_to_string(&report).unwrap();
    assert!(page.contains("\"made_there\":true") && page.contains("\"cat\":\"remote\""));
    // As text, with the engine from the environment.
    let mut command = plain(&["compile", &eight(), "-o", &there, "-v", "--explain"]);
    command.env("RADDLE_REMOTE", &own);
    let ran = finish(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let explained = ran.stderr.lines().filter(|line| line.starts_with("remote: ") && line.contains("at most "));
    let waited = explained.filter(|line| line.ends_with(" s with nothing to compile here"));
    assert_eq!(waited.count(), 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains(&format!("of 8 compiled by {own}")) && ran.stderr.contains("  made  "),
        "{}",
        ran.stderr
    );
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
}

#[test]
fn an_option_limits_the_kernels_under_way() {
    let bench = Bench::new();
    let slow = script(&bench, "slow", &format!("sleep 0.1; exec {} \"$@\"", env!("CARGO_BIN_EXE_raddle")));
    let slow = format!("exec:{slow}");
    let line = ["compile", &eight(), "-o", "/dev/null", "-v", "--message-format", "json", "-j1", "--remote", &slow];
    let most = |jobs: &str| {
        let ran = finish(plain(&[&line[..], &["--history", "off", "--remote-jobs", jobs]].concat()));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let lines = json(&ran);
        let build = lines.iter().find(|line| line["kind"] == "remote").unwrap();
        (build["slots"].as_u64().unwrap(), build["most_at_once"].as_u64().unwrap())
    };
    assert_eq!(most("1"), (1, 1));
    let (slots, most) = most("8");
    assert!(slots == 8 && most > 1, "{most}");
}

/// Its kernels are compiled where LLVM has made their PTX.
#[test]
fn llvm_ir_stays_here() {
    let Some(library) = raddle_filetest::llvm::require(19) else { return };
    let library = library.to_str().unwrap();
    let bench = Bench::new();
    // Many steps, so that the cost is no reason.
    let steps: String = (0..400).map(|n| format!("  %a{} = mul i32 %a{n}, %a{n}\n", n + 1)).collect();
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k(ptr addrspace(1) %p) #0 {{\n\
         %a0 = load i32, ptr addrspace(1) %p\n{steps}  store i32 %a400, ptr addrspace(1) %p\n  ret void\n}}\n\
         attributes #0 = {{ \"target-cpu\"=\"sm_90\" }}\n"
    );
    let (input, [here, there]) = (bench.file("k.ll", text), ["here", "there"].map(|name| bench.path(name)));
    assert_eq!(finish(plain(&["compile", &input, "-o", &here, "--llvm", library])).code, Some(0));
    let options = ["--llvm", library, "-v", "--message-format", "json", "--history", "off"];
    let own = own();
    let line = [&["compile", &input, "-o", &there, "--remote", &own][..], &options].concat();
    let ran = finish(plain(&line));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    let lines = json(&ran);
    let build = lines.iter().find(|line| line["kind"] == "remote").unwrap();
    assert_eq!(build["started"], 0, "{build}");
}

#[test]
fn a_link_compiles_its_ptx_there_too() {
    let bench = Bench::new();
    let [here, there] = ["here", "there"].map(|name| bench.path(name));
    let line = |out: &str| ["link".to_owned(), eight(), "-o".to_owned(), out.to_owned()];
    let here_line = line(&here);
    let words: Vec<&str> = here_line.iter().map(String::as_str).collect();
    assert_eq!(finish(plain(&words)).code, Some(0));
    let (own, there_line, timings) = (own(), line(&there), bench.path("trace"));
    let mut words: Vec<&str> = there_line.iter().map(String::as_str).collect();
    words.extend(["--remote", &own, "--timings", &timings]);
    let ran = finish(plain(&words));
    assert_eq!((ran.code, &ran.stderr[..]), (Some(0), ""));
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    let trace = trace::read(&timings);
    assert!(trace["traceEvents"].as_array().unwrap().iter().any(|event| event["cat"] == "remote"));
}

#[test]
fn a_program_that_is_none_costs_a_warning_and_never_the_build() {
    let bench = Bench::new();
    let [here, there] = ["here", "there"].map(|name| bench.path(name));
    assert_eq!(finish(plain(&["compile", &eight(), "-o", &here])).code, Some(0));
    let liar = script(&bench, "liar", "cat > /dev/null; echo nonsense");
    let broken = script(&bench, "broken", "echo no room on this machine >&2; exit 3");
    for (program, why) in [(liar, "damaged"), (broken, "no room on this machine"), (bench.path("none"), "No such file")]
    {
        // Warnings are errors, but this one.
        let url = format!("exec:{program}");
        let ran = finish(plain(&["compile", &eight(), "-o", &there, "--Werror", "--remote", &url]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains("warning[E0098]") && ran.stderr.contains(why), "{}", ran.stderr);
        assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    }
}

#[test]
fn the_time_limit_of_a_kernel_holds_there_too_and_it_is_then_compiled_here() {
    let bench = Bench::new();
    let [here, there] = ["here", "there"].map(|name| bench.path(name));
    assert_eq!(finish(plain(&["compile", &eight(), "-o", &here])).code, Some(0));
    let url = format!("exec:{}", script(&bench, "slow", "exec sleep 60"));
    let begun = Instant::now();
    let line = ["compile", &eight(), "-o", &there, "--remote", &url, "--kernel-timeout", "1"];
    let ran = finish(plain(&line));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning[E0098]") && ran.stderr.contains("timed out"), "{}", ran.stderr);
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn a_url_needs_the_feature() {
    if cfg!(feature = "remote") {
        return;
    }
    let url = "grpc://user:secret@host:8980/main";
    for line in [&["compile", &eight(), "-o", "/dev/null", "--remote", url][..], &["doctor", "--remote", url]] {
        let ran = raddle(line);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("grpc://host:8980/main") && ran.stderr.contains("--features remote"),
            "{}",
            ran.stderr
        );
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
    }
    let ran = raddle(&["compile", &eight(), "-o", "/dev/null", "--remote", url, "--remote-property", "os"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("KEY=VALUE"), "{}", ran.stderr);
}

#[test]
fn the_doctor_tries_an_engine() {
    let bench = Bench::new();
    let ran = finish(plain(&["doctor", "--remote", &own()]));
    let text = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(ran.code, Some(0), "{text}{}", ran.stderr);
    for part in ["works: the same bytes as here", "execution", "queue", "worker", "sent", "received", "program"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let ran = finish(plain(&["doctor", "--message-format", "json", "--remote", &own()]));
    let object: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&object["works"], &object["facts"]["outcome"]), (&true.into(), &"made".into()));
    let broken = script(&bench, "broken", "echo no room on this machine >&2; exit 3");
    let ran = finish(plain(&["doctor", "--remote", &format!("exec:{broken}")]));
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.code == Some(1) && text.contains("does not work") && text.contains("no room"), "{text}{}", ran.stderr);
}

#[test]
fn a_kernel_that_crashed_before_stays_here_and_the_others_do_not() {
    let bench = Bench::new();
    let [here, there] = ["here", "there"].map(|name| bench.path(name));
    let own = own();
    let run = |args: &[&str]| {
        let mut command = plain(args);
        // As after a crash of the fourth kernel.
        command.env("RADDLE_RESUME", "runs=1 unit=3:11");
        finish(command)
    };
    let local = run(&["compile", &eight(), "-o", &here]);
    let line = ["compile", &eight(), "-o", &there, "--remote", &own, "-v", "--message-format", "json"];
    let remote = run(&line);
    assert_eq!((local.code, remote.code), (Some(0), Some(0)), "{}", remote.stderr);
    assert!(local.stderr.contains("E0053") && remote.stderr.contains("E0053"), "{}", remote.stderr);
    assert_eq!(std::fs::read(&here).unwrap(), std::fs::read(&there).unwrap());
    let lines = json(&remote);
    let kernels: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "kernel").collect();
    assert!(kernels[3]["remote"].is_null() && kernels.iter().any(|kernel| !kernel["remote"].is_null()));
}

#[test]
fn a_signal_ends_the_build_and_what_it_has_started() {
    let bench = Bench::new();
    let slow = script(&bench, "slow", "exec sleep 60");
    let url = format!("exec:{slow}");
    let mut command = plain(&["compile", &eight(), "-o", &bench.path("out"), "--remote", &url]);
    let mut build = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while children(build.id(), "sleep").is_empty() {
        assert!(begun.elapsed() < PATIENCE, "nothing was started");
        std::thread::sleep(Duration::from_millis(2));
    }
    let started = children(build.id(), "sleep");
    let begun = Instant::now();
    rustix::process::kill_process(rustix::process::Pid::from_child(&build), rustix::process::Signal::INT).unwrap();
    let status = tokens::end(&mut build).unwrap();
    let took = begun.elapsed();
    println!("ended {took:?} after the signal");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2));
    assert!(took < Duration::from_millis(500), "{took:?}");
    let lives = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(" Z ")
    };
    let begun = Instant::now();
    while started.iter().any(lives) {
        assert!(begun.elapsed() < Duration::from_secs(5), "a process was left");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!bench.listing().contains(&"out".to_owned()));
}
