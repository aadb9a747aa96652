//! Jobservers of every kind, live, dead and hostile: never more tasks than slots, every token
//! returned, no hang.

use crate::common::server::{NONBLOCK, Server};
use crate::common::trace;
use crate::common::{Bench, PATIENCE, command, kernel};
use raddle_filetest::oracle;
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A module that keeps a few workers busy for a while.
fn module(bench: &Bench, kernels: usize) -> String {
    let text = std::fs::read_to_string(kernel("saxpy")).unwrap();
    let at = text.find(".visible .entry").unwrap();
    let (head, body) = text.split_at(at);
    let bodies: String = (0..kernels)
        .map(|i| body.replace(" saxpy(", &format!(" saxpy{i}(")).replace("saxpy_param", &format!("saxpy{i}_param")))
        .collect();
    let bodies = bodies.replace("$L__BB0", "$L__BB");
    bench.file("many.ptx", format!("{head}{bodies}"))
}

fn start(makeflags: &str, args: &[&str]) -> Child {
    let mut command = command(args);
    // Chaos allows more workers than CPUs: more workers and more tokens.
    command.env("MAKEFLAGS", makeflags).env("RADDLE_CHAOS", "7");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits with a time limit; returns the exit code and standard error.
fn end(mut child: Child) -> (Option<i32>, String) {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "it hangs");
        std::thread::sleep(Duration::from_millis(5));
    }
    let out = child.wait_with_output().unwrap();
    (out.status.code(), String::from_utf8(out.stderr).unwrap())
}

#[test]
fn a_fifo_with_a_blank_in_its_path_and_two_builds_on_it() {
    let bench = Bench::new();
    let mut server = Server::new(&bench, b"abc");
    let module = module(&bench, 40);
    let builds: Vec<Child> = (0..2)
        .map(|i| {
            start(
                &server.auth,
                &[
                    "compile",
                    &module,
                    "-o",
                    &bench.path(&i.to_string()),
                    "-j4",
                    "--jobserver",
                    "require",
                    "--timings",
                    &bench.path(&format!("trace{i}")),
                ],
            )
        })
        .collect();
    for build in builds {
        assert_eq!(end(build), (Some(0), String::new()));
    }
    assert_eq!(server.drain(), b"abc");
    let traces = [trace::read(&bench.path("trace0")), trace::read(&bench.path("trace1"))];
    // Each process also has an implicit slot.
    trace::check(&traces, Some(5));
    assert_eq!(std::fs::read(bench.path("0")).unwrap(), std::fs::read(bench.path("1")).unwrap());
}

#[test]
fn zero_tokens_and_competitors_that_snatch_them() {
    let bench = Bench::new();
    let mut server = Server::new(&bench, b"");
    let module = module(&bench, 40);
    let out = bench.path("out");
    let timings = bench.path("trace");
    let args = ["compile", &module, "-o", &out, "-j4", "--timings", &timings];
    assert_eq!(end(start(&server.auth, &args)).0, Some(0));
    assert_eq!(trace::check(&[trace::read(&timings)], Some(1)), 1, "the implicit slot alone");
    // Another client repeatedly takes tokens and returns them.
    server.fifo.write_all(b"xy").unwrap();
    let mut thief = OpenOptions::new().read(true).write(true).custom_flags(NONBLOCK).open(&server.path).unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let told = stop.clone();
    let thief = std::thread::spawn(move || {
        let mut byte = [0];
        while !told.load(std::sync::atomic::Ordering::Relaxed) {
            if thief.read(&mut byte).is_ok_and(|n| n == 1) {
                std::thread::sleep(Duration::from_micros(200));
                thief.write_all(&byte).unwrap();
            }
        }
    });
    for _ in 0..3 {
        assert_eq!(end(start(&server.auth, &args)).0, Some(0));
        trace::check(&[trace::read(&timings)], Some(3));
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    thief.join().unwrap();
    assert_eq!(server.drain(), b"xy");
}

#[test]
fn a_server_whose_token_is_withheld_does_not_delay_the_end() {
    let bench = Bench::new();
    let mut server = Server::new(&bench, b"a");
    let module = module(&bench, 40);
    // Another client takes the token during the build and keeps it: the build must not wait for it
    // at its end.
    for round in 0..8 {
        let trace = bench.path("trace");
        let mut build = start(&server.auth, &["compile", &module, "-o", "/dev/null", "-j4", "--timings", &trace]);
        std::thread::sleep(Duration::from_millis(3 * round));
        let mut byte = [0];
        let taken = server.fifo.read(&mut byte).is_ok_and(|n| n == 1);
        let begun = Instant::now();
        assert_eq!(build.wait().unwrap().code(), Some(0));
        assert!(begun.elapsed() < PATIENCE, "round {round}");
        if taken {
            server.fifo.write_all(&byte).unwrap();
        }
        assert_eq!(server.drain(), b"a", "round {round}");
        trace::check(&[trace::read(&trace)], Some(2));
        server.fifo.write_all(b"a").unwrap();
    }
}

#[test]
fn descriptors_that_are_open_closed_or_something_else() {
    let bench = Bench::new();
    let mut server = Server::new(&bench, b"ab");
    let module = module(&bench, 20);
    let raddle = env!("CARGO_BIN_EXE_raddle");
    let timings = bench.path("trace");
    let run = |redirections: &str, makeflags: &str| {
        let script =
            format!("exec '{raddle}' compile '{module}' -o /dev/null -j4 --timings '{timings}' {redirections}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).env("MAKEFLAGS", makeflags).stderr(Stdio::piped()).stdout(Stdio::piped());
        end(shell.spawn().unwrap())
    };
    let fifo = server.path.clone();
    assert_eq!(run(&format!("3<'{fifo}' 4>'{fifo}'"), " -j --jobserver-auth=3,4"), (Some(0), String::new()));
    assert_eq!(
        run(
            &format!("7<'{fifo}' 8>'{fifo}'"),
            "k -j3 --jobserver-fds=1,2 --jobserver-fds=7,8 -- A=--jobserver-auth=3,4"
        )
        .0,
        Some(0)
    );
    assert_eq!(server.drain(), b"ab");
    trace::check(&[trace::read(&timings)], Some(3));
    // A regular file, closed descriptors, garbage: a warning that names the variable, and the build
    // continues.
    for (redirections, flags) in [
        (format!("3<'{module}' 4<'{module}'"), " -j --jobserver-auth=3,4"),
        ("3<&- 4>&-".to_string(), " -j --jobserver-auth=3,4"),
        (String::new(), "--jobserver-auth=10,"),
        (String::new(), "--jobserver-auth=fifo:/nonexistent/fifo"),
    ] {
        let (code, stderr) = run(&redirections, flags);
        assert_eq!(code, Some(0), "{flags}: {stderr}");
        assert!(stderr.matches("warning[E0047]").count() == 1 && stderr.contains(flags.trim()), "{flags}: {stderr}");
        // It was given -j4: without slots that limit applies.
        assert!(trace::most(&[trace::read(&timings)]) <= 4, "{flags}");
    }
    // Disabled, a dry run, no jobserver at all: nothing is reported.
    for flags in ["--jobserver-auth=-2,-2", "n", "kns", "", " "] {
        assert_eq!(run("", flags), (Some(0), String::new()), "{flags}");
    }
    // Character devices: one without tokens, which is reported, and one with unlimited data.
    for (device, most, told) in [("/dev/null", 1, 1), ("/dev/zero", 4, 0)] {
        let (code, stderr) = run("", &format!("--jobserver-auth=fifo:{device}"));
        assert_eq!((code, stderr.matches("warning[E0047]").count()), (Some(0), told), "{device}: {stderr}");
        trace::check(&[trace::read(&timings)], Some(most));
    }
}

#[test]
fn a_server_that_fails_in_the_middle_is_warned_about_once() {
    let bench = Bench::new();
    let module = module(&bench, 20);
    // Reads give unlimited data, writes fail.
    let flags = "--jobserver-auth=fifo:/dev/full";
    let (code, stderr) = end(start(flags, &["compile", &module, "-o", "/dev/null", "-j4"]));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.matches("warning[E0047]").count() == 1 && stderr.contains("could not be returned"), "{stderr}");
}

#[test]
fn a_terminal_is_no_server() {
    let bench = Bench::new();
    let module = module(&bench, 4);
    // A descriptor that was left open; `script` gives its child a terminal.
    let line = format!("{} compile {module} -o /dev/null -j2 3<>/dev/tty 4>&3", env!("CARGO_BIN_EXE_raddle"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env("MAKEFLAGS", " -j --jobserver-auth=3,4").stdin(Stdio::null());
    let out = script.output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && said.contains("descriptor 3 is not the jobserver's"), "{said}");
}

#[test]
fn flags_that_are_no_text_still_name_the_server() {
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::new();
    let mut server = Server::named(&bench, "tokens", b"ab");
    let module = module(&bench, 20);
    let flags = [server.auth.as_bytes(), b" -- NAME=caf\xe9"].concat();
    let args = ["compile", &module, "-o", "/dev/null", "-j4", "--jobserver", "require"];
    let timings = bench.path("trace");
    let mut command = command(&[&args[..], &["--timings", &timings]].concat());
    command.env("MAKEFLAGS", std::ffi::OsStr::from_bytes(&flags)).env("RADDLE_CHAOS", "7").stderr(Stdio::piped());
    assert_eq!(end(command.spawn().unwrap()), (Some(0), String::new()));
    trace::check(&[trace::read(&timings)], Some(3));
    assert_eq!(server.drain(), b"ab");
}

#[test]
fn a_dead_server_is_fatal_only_where_one_is_required() {
    let bench = Bench::new();
    let module = module(&bench, 2);
    for (flags, args, code, says) in [
        ("--jobserver-auth=3,4", &["--jobserver", "require"][..], 2, "E0047"),
        ("", &["--jobserver=require"], 2, "E0046"),
        ("--jobserver-auth=3,4", &["--no-jobserver"], 0, ""),
        ("--jobserver-auth=3,4", &["--jobserver=off"], 0, ""),
        ("--jobserver-auth=3,4", &["-w"], 0, ""),
    ] {
        let (got, stderr) = end(start(flags, &[&["compile", &module, "-o", "/dev/null"], args].concat()));
        assert_eq!(got, Some(code), "{args:?}: {stderr}");
        assert!(if says.is_empty() { stderr.is_empty() } else { stderr.contains(says) }, "{args:?}: {stderr}");
    }
}

#[test]
fn under_make_tasks_of_all_processes_never_exceed_its_slots() {
    let bench = Bench::new();
    let module = module(&bench, 30);
    let raddle = env!("CARGO_BIN_EXE_raddle");
    let rules: String = (0..5)
        .map(|i| format!("t{i}:\n\t+RADDLE_CHAOS={i} {raddle} compile {module} -j8 -o out{i} --timings trace{i}\n"))
        .collect();
    let makefile = bench.file("Makefile", format!("all: t0 t1 t2 t3 t4\n{rules}"));
    let mut make = Command::new("make");
    make.args(["-j3", "-f", &makefile, "-C", bench.dir.path().to_str().unwrap()]);
    for name in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] {
        make.env_remove(name);
    }
    let out = make.output().unwrap();
    let stderr = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.success() && !stderr.contains("INTERNAL"), "{stderr}");
    let traces: Vec<_> = (0..5).map(|i| trace::read(&bench.path(&format!("trace{i}")))).collect();
    assert!(trace::check(&traces, Some(3)) >= 2, "make -j3 gives more than one");
}

/// ninja is a jobserver client, and passes on what it was given: its commands and our kernels share
/// the slots of the parent process. It accepts a fifo, and pipes in the build of it that PyPI has;
/// it does not accept a space in a path.
#[test]
fn builds_under_ninja_share_the_slots_of_the_parent_make() {
    let Some(ninja) = oracle::require("ninja") else { return };
    let version = String::from_utf8(ninja.run(&["--version"]).unwrap()).unwrap();
    assert!(version.starts_with("1.13."), "{version}");
    let raddle = env!("CARGO_BIN_EXE_raddle");
    for jobs in ["", "-j2"] {
        let bench = Bench::new();
        let module = module(&bench, 12);
        let rule = "rule cubin\n  command = RADDLE_CHAOS=1 $raddle compile $in -o $out -j4 --jobserver require --timings $out.trace";
        let builds: String = (0..4).map(|i| format!("build out{i}: cubin {module}\n")).collect();
        bench.file("build.ninja", format!("raddle = {raddle}\n{rule}\n{builds}"));
        let mut server = Server::named(&bench, "tokens", b"ab");
        let mut command = ninja.command();
        command.args(["-C", bench.dir.path().to_str().unwrap(), "-v"]).args(Some(jobs).filter(|jobs| !jobs.is_empty()));
        let out = command.env("MAKEFLAGS", &server.auth).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{said}");
        assert_eq!(server.drain(), b"ab", "{jobs}: {said}");
        let traces: Vec<_> = (0..4).map(|i| trace::read(&bench.path(&format!("out{i}.trace")))).collect();
        // With an explicit `-j` ninja takes no tokens for its commands: each of them has a slot
        // besides ours.
        let most = if jobs.is_empty() { 3 } else { 4 };
        assert!(trace::check(&traces, Some(most)) >= 2, "{jobs}: {said}");
        assert_eq!(std::fs::read(bench.path("out0")).unwrap(), std::fs::read(bench.path("out3")).unwrap());
    }
}

/// If no more threads can be created, there are fewer workers, and no tokens for the missing ones.
#[test]
fn threads_that_cannot_be_made_hold_no_tokens() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    std::fs::set_permissions(bench.dir.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let raddle = bench.path("raddle");
    std::fs::copy(env!("CARGO_BIN_EXE_raddle"), &raddle).unwrap();
    let module = module(&bench, 60);
    let mut server = Server::named(&bench, "tokens", b"abcdefg");
    std::fs::set_permissions(&server.path, PermissionsExt::from_mode(0o666)).unwrap();
    let mut fewer = 0;
    for threads in 1..6 {
        // The superuser has no such limit: the test runs as a user without other processes.
        let (out, trace) = (bench.path("out"), bench.path(&format!("trace{threads}")));
        let script = format!(
            "prefix=; if [ \"$(id -u)\" = 0 ]; then prefix='setpriv --reuid=61234 --regid=61234 --clear-groups'; fi
            exec $prefix prlimit --nproc={threads} {raddle} compile {module} -o {out} -j8 --history off --timings {trace}"
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).env("MAKEFLAGS", &server.auth).env("RADDLE_CHAOS", "7").stderr(Stdio::piped());
        let (code, stderr) = end(shell.spawn().unwrap());
        assert_eq!(server.drain(), b"abcdefg", "{threads} threads: {stderr}");
        server.fifo.write_all(b"abcdefg").unwrap();
        if code != Some(0) {
            // Not even one worker can be created.
            assert!(
                code == Some(4) && stderr.matches("error[E0042]").count() == 1,
                "{threads} threads: {code:?} {stderr}"
            );
            continue;
        }
        let trace = trace::read(&trace);
        let events = trace["traceEvents"].as_array().unwrap();
        let threads_named = events.iter().filter(|event| event["name"] == "thread_name").count();
        // All but the coordinator.
        let workers = threads_named - 1;
        let tokens = events.iter().filter(|event| event["name"] == "tokens");
        let held = tokens.filter_map(|event| event["args"]["held"].as_u64()).max().unwrap();
        // A token for one more is tried, and returned.
        assert!(workers < threads && held <= workers as u64 + 1, "{threads} threads: {workers} workers, {held} slots");
        trace::check(&[trace], Some(workers));
        fewer += 1;
    }
    let root = std::fs::metadata("/proc/self").is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == 0);
    assert!(fewer >= 2 || !root, "{fewer}");
}
