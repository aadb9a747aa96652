//! Kernels that fail, hang or are slow: the others finish, each failure names its kernel and can be
//! repeated (ISO-2, ISO-4, BEY-5), and a build reports what it did.

use crate::common::{Bench, EMPTY_KERNEL, FAULT, Ran, UNSUPPORTED, UNSUPPORTED_NAME, command, corpus, finish, raddle};
use serde_json::Value;
use std::process::Command;

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// Runs the command with an injected fault.
fn faulty(fault: &str, args: &[&str]) -> Ran {
    let mut command = command(args);
    command.env("RADDLE_FAULT", fault);
    let out = command.output().unwrap();
    Ran { code: out.status.code(), stdout: out.stdout, stderr: String::from_utf8(out.stderr).unwrap() }
}

/// The command in a message that repeats a failure.
fn repetition(stderr: &str) -> String {
    let line = stderr.lines().find_map(|line| Some(line.split_once("to repeat it: ")?.1)).unwrap();
    line.replacen("raddle", env!("CARGO_BIN_EXE_raddle"), 1)
}

#[test]
fn a_build_leaves_nothing_in_the_ledger_of_memory() {
    let bench = Bench::new();
    let good = bench.file("k.ptx", EMPTY_KERNEL);
    let bad = bench.file("bad.ptx", EMPTY_KERNEL.replace("ret;", "no;"));
    for (module, code) in [(good, 0), (bad, 1)] {
        let mut build = command(&["compile", &module, "-o", &bench.path("k.cubin"), "--max-memory", "1G"]);
        build.env("XDG_RUNTIME_DIR", bench.dir.path());
        let ran = finish(build);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        let folders = std::fs::read_dir(bench.dir.path()).unwrap().map(|entry| entry.unwrap().path());
        let ledger = folders.into_iter().find(|path| path.is_dir()).expect("a ledger");
        let files = std::fs::read_dir(ledger).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(files.collect::<Vec<_>>(), ["lock"]);
    }
}

#[test]
fn a_panic_names_kernel_line_step_and_the_command_that_repeats_it() {
    let bench = Bench::new();
    let out = bench.path("out");
    // In a pass of optimisation and in one of code generation.
    for pass in ["gvn", "schedule"] {
        let ran = faulty(&format!("panic@{pass}:scan"), &["compile", &eight(), "-o", &out, "-e", "scan"]);
        assert!(ran.stderr.contains(&format!("panicked in {pass} at")), "{}", ran.stderr);
    }
    let ran = faulty("panic:scan", &["compile", &eight(), "-o", &out, "--arch", "sm_90", "-k", "-v"]);
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    for part in ["E0040", "in function `scan`", "panicked in fault at", "nvcc.ptx:", "asked for by RADDLE_FAULT"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert_eq!(ran.stderr.matches("error[").count(), 1, "{}", ran.stderr);
    // The others were compiled.
    let table =
        ran.stderr.lines().filter(|line| line.split_whitespace().nth(5).is_some_and(|c| c.parse::<u32>().is_ok()));
    assert!(table.count() >= 7, "{}", ran.stderr);
    assert!(bench.listing().is_empty());
    let again =
        Command::new("sh").args(["-c", &repetition(&ran.stderr)]).env("RADDLE_FAULT", "panic:scan").output().unwrap();
    assert_eq!(again.status.code(), Some(4));
}

#[test]
fn what_failed_is_kept_alone_and_fails_alone_in_the_same_way() {
    let bench = Bench::new();
    let folder = bench.path("kept things");
    let saxpy = std::fs::read_to_string(corpus().join("kernels/saxpy/nvcc.ptx")).unwrap();
    let input = bench.file("in.ptx", format!("{saxpy}\n.visible .entry $odd() {{ {UNSUPPORTED} ret; }}\n"));
    let ran = raddle(&["compile", &input, "-o", "/dev/null", "--reproduce", &folder, "-O0", "--maxrregcount", "64"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let kept: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let text = std::fs::read_to_string(&kept[0]).unwrap();
    assert!(text.contains(UNSUPPORTED_NAME) && !text.contains("saxpy"), "{text}");
    let line = repetition(&ran.stderr);
    assert!(line.contains("-O0") && line.contains("--maxrregcount=64") && line.contains("--arch sm_80"), "{line}");
    let again = Command::new("sh").args(["-c", &line]).env("RADDLE_FAULT", FAULT).output().unwrap();
    assert_eq!(again.status.code(), Some(3), "{line}");
    assert!(String::from_utf8(again.stderr).unwrap().contains(&format!("unsupported: {UNSUPPORTED_NAME}")));
    // Errors in the text need no reproduction and are not written.
    let broken = bench.file("broken.ptx", EMPTY_KERNEL.replace("ret;", "frob;"));
    let none = bench.path("none");
    assert_eq!(raddle(&["compile", &broken, "-o", "/dev/null", "--reproduce", &none]).code, Some(1));
    assert!(!std::path::Path::new(&none).exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_said() {
    let ran = faulty("fuel:scan", &["compile", &eight(), "-o", "/dev/null", "--reproduce", "/proc/no"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("E0010") && ran.stderr.contains("E0044"), "{}", ran.stderr);
}

#[test]
fn a_kernel_that_takes_too_long_is_given_up_alone() {
    let begun = std::time::Instant::now();
    let args = [
        "compile",
        &eight(),
        "-o",
        "/dev/null",
        "-k",
        "-j2",
        "--kernel-timeout",
        "2",
        "--message-format",
        "json",
        "-v",
    ];
    let ran = faulty("spin:scan", &args);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(begun.elapsed() < crate::common::PATIENCE);
    let lines: Vec<Value> = ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let errors: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "diagnostic").collect();
    assert_eq!(errors.len(), 1, "{}", ran.stderr);
    assert_eq!((&errors[0]["code"], &errors[0]["function"]), (&"E0049".into(), &"scan".into()));
    assert_eq!(lines.iter().filter(|line| line["compiled"] == true).count(), 7);
    for wrong in ["x", "-1", "1e99", "nan"] {
        assert_eq!(raddle(&["compile", "x", "-o", "y", "--kernel-timeout", wrong]).code, Some(2), "{wrong}");
    }
}

#[test]
fn a_budget_of_steps_gives_up_the_same_kernels_everywhere() {
    let bench = Bench::new();
    let folder = bench.path("kept");
    let given_up = |jobs: &str, isolated: bool| -> Vec<Value> {
        let args =
            ["compile", &eight(), "-o", "/dev/null", "-k", jobs, "--kernel-steps", "3000", "--reproduce", &folder];
        let mut command = command(&[&args[..], &["--message-format", "json"]].concat());
        if isolated {
            command.env("RADDLE_RESUME", "runs=1 unit=*");
        }
        let ran = finish(command);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let lines = ran.stderr.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.inspect(|line| assert_eq!(line["code"], "E0044")).map(|line| line["function"].clone()).collect()
    };
    let first = given_up("-j1", false);
    assert!(first.contains(&"matmul".into()) && !first.contains(&"saxpy".into()), "{first:?}");
    assert_eq!((given_up("-j2", false), given_up("-j2", true)), (first.clone(), first.clone()));
    let ran = raddle(&[
        "compile",
        &eight(),
        "-o",
        "/dev/null",
        "-e",
        "matmul",
        "--kernel-steps",
        "3000",
        "--reproduce",
        &folder,
    ]);
    let again = Command::new("sh").args(["-c", &repetition(&ran.stderr)]).output().unwrap();
    assert!(again.status.code() == Some(1) && String::from_utf8_lossy(&again.stderr).contains("E0044"));
    assert_eq!(raddle(&["compile", &eight(), "-o", "/dev/null", "--kernel-steps", "100000000"]).code, Some(0));
}

#[test]
fn a_variable_says_how_many_workers_where_no_option_does() {
    let workers = |variable: &str, args: &[&str]| {
        let mut command = command(
            &[&["compile", &eight(), "-o", "/dev/null", "--explain", "--message-format", "json"], args].concat(),
        );
        // Chaos allows more workers than CPUs.
        command.env("RADDLE_JOBS", variable).env("RADDLE_CHAOS", "1");
        let ran = finish(command);
        serde_json::from_str::<Value>(ran.stderr.trim()).map_or(Value::from(ran.code), |build| build["workers"].clone())
    };
    assert_eq!([workers("1", &[]), workers("3", &[]), workers("3", &["-j2"]), workers("many", &[])], [1, 3, 2, 2]);
}

#[test]
fn slow_kernels_raise_an_alarm_and_progress_has_lines() {
    let args = ["compile", &eight(), "-o", "/dev/null", "-j2", "--alarm", "0.1"];
    let ran = faulty("slow:scan", &args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("kernel 'scan' has been compiled for") && ran.stderr.contains("now in fault"),
        "{}",
        ran.stderr
    );
    // An alarm is repeated only when the time has doubled.
    let alarms = ran.stderr.lines().filter(|line| line.contains("'scan'"));
    let after: Vec<f64> =
        alarms.map(|line| line.split_once(" for ").unwrap().1.split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(after.iter().enumerate().all(|(i, &after)| after >= 0.1 * f64::from(1 << i)), "{}", ran.stderr);
    assert!(!faulty("slow:scan", &[&args[..5], &["--alarm", "0"]].concat()).stderr.contains("scan"));
    let lines = raddle(&["compile", &eight(), "-o", "/dev/null", "--progress", "lines"]).stderr;
    assert_eq!(lines.lines().filter(|line| line.contains("/8] ") && line.ends_with(" ms")).count(), 8, "{lines}");
    assert_eq!(raddle(&["compile", &eight(), "-o", "/dev/null"]).stderr, "", "no terminal, no bar");
    assert!(raddle(&["compile", &eight(), "-o", "/dev/null", "--progress", "off"]).stderr.is_empty());
}

#[test]
fn a_build_is_explained() {
    let ran = raddle(&["compile", &eight(), "-o", "/dev/null", "--explain", "-j1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for part in [
        "wall time",
        "lower bound for any schedule",
        "limited by: ",
        "simulated on 64 workers; one works alone for ",
        "workers: 1 (limited by -j), 1 started",
        "costliest kernels",
        "matmul",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let ran = raddle(&["compile", &eight(), "-o", "/dev/null", "--explain", "--message-format", "json", "-j200"]);
    let build: Value = serde_json::from_str(ran.stderr.trim()).unwrap();
    assert_eq!((&build["schema"], &build["kind"]), (&1.into(), &"build".into()));
    let number = |name: &str| build[name].as_f64().unwrap();
    assert!(number("wall_ms") >= number("kernels_ms") && number("kernels_ms") >= number("bound_ms") * 0.9, "{build}");
    // More workers do not make the longest kernel or the coordinator faster.
    let simulated: Vec<(u64, f64, f64)> = build["simulated"]
        .as_array()
        .unwrap()
        .iter()
        .map(|made| {
            (
                made["workers"].as_u64().unwrap(),
                made["ms"].as_f64().unwrap(),
                made["one_worker_percent"].as_f64().unwrap(),
            )
        })
        .collect();
    assert_eq!(simulated.iter().map(|made| made.0).collect::<Vec<_>>(), [8, 16, 64]);
    for &(workers, ms, alone) in &simulated {
        assert!(ms >= number("serial_ms") && ms <= number("sum_ms") + number("serial_ms"), "{workers}: {build}");
        assert!((alone / 100.0 * ms - number("serial_ms")).abs() < 1e-6, "{workers}: {build}");
    }
    let cpus = std::thread::available_parallelism().unwrap().get() as u64;
    assert!(build["workers"].as_u64().unwrap() <= cpus.min(8) && !build["workers_by"].as_str().unwrap().is_empty());
}

#[test]
fn one_cpu_means_one_worker_for_any_number_of_jobs() {
    let mut command = Command::new("taskset");
    command.args(["-c", "0", env!("CARGO_BIN_EXE_raddle"), "compile", &eight(), "-o", "/dev/null", "-j8", "--explain"]);
    let ran = finish(command);
    assert!(ran.stderr.contains("workers: 1 (limited by the available CPUs, fewer than -j (8))"), "{}", ran.stderr);
}

#[test]
fn too_little_memory_for_threads_means_fewer_workers() {
    let bench = Bench::new();
    let kernels: String =
        (0..200).map(|i| format!(".visible .entry k{i}()\n{{\n{}ret;\n}}\n", "membar.gl;\n".repeat(200))).collect();
    let input = bench.file("k.ptx", format!(".version 8.0\n.target sm_90\n.address_size 64\n{kernels}"));
    let run = |limit: &str, out: &str| {
        let script =
            format!("ulimit -v {limit}; exec {} compile {input} -o {out} -j64 --explain", env!("CARGO_BIN_EXE_raddle"));
        let mut shell = Command::new("sh");
        // Chaos allows more workers than CPUs: 64 stacks of 16 MiB do not fit.
        shell.args(["-c", &script]).env("RADDLE_CHAOS", "1").env_remove("MAKEFLAGS");
        finish(shell)
    };
    let (little, much) = (bench.path("little"), bench.path("much"));
    let ran = run("500000", &little);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let started = |stderr: &str| -> usize {
        let line = stderr.lines().find(|line| line.starts_with("workers: 64 ")).unwrap();
        line.split(", ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    assert!((1..40).contains(&started(&ran.stderr)), "{}", ran.stderr);
    assert_eq!(run("unlimited", &much).code, Some(0));
    assert_eq!(std::fs::read(little).unwrap(), std::fs::read(much).unwrap());
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for args in
        [&["--emit", "ir", "--print-after", "lower"][..], &["--no-jobserver", "--jobserver", "require"], &["-j"]]
    {
        let ran = raddle(&[&["compile", &eight(), "-o", "/dev/null"], args].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn keys_of_kernels_are_shown_and_do_not_depend_on_the_file() {
    let keys = |path: &str| -> Vec<(String, String)> {
        let ran = raddle(&["compile", path, "-o", "/dev/null", "-v", "--message-format", "json"]);
        let lines = ran.stderr.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|k| (k["name"].as_str().unwrap().to_string(), k["key"].as_str().unwrap().to_string())).collect()
    };
    let bench = Bench::new();
    let module = std::fs::read_to_string(eight()).unwrap();
    let first = keys(&eight());
    assert!(first.len() == 8 && first.iter().all(|row| row.1.len() == 64));
    let copy = bench.file("copy.ptx", format!("{module}\n.visible .entry one_more() {{ ret; }}\n"));
    assert_eq!(keys(&copy)[..8], first[..]);
    let table = raddle(&["compile", &eight(), "-o", "/dev/null", "-v"]).stderr;
    assert!(table.contains(&first[0].1[..8]), "{table}");
}

#[test]
fn little_memory_keeps_kernels_waiting_and_changes_no_bytes() {
    let bench = Bench::new();
    let (little, much) = (bench.path("little"), bench.path("much"));
    let build = |out: &str, limit: &str| {
        let args = ["compile", &eight(), "-o", out, "-j4", "--max-memory", limit, "--history", "off", "--explain"];
        let mut command = command(&[&args[..], &["--message-format", "json"]].concat());
        // Chaos allows more workers than CPUs. A separate ledger.
        command.env("RADDLE_CHAOS", "5").env("XDG_RUNTIME_DIR", bench.dir.path());
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        serde_json::from_str::<Value>(ran.stderr.trim()).unwrap()
    };
    let held = build(&little, "1M");
    assert_eq!(held["memory_limit"], 1 << 20);
    assert!(held["memory_wait_ms"].as_f64().unwrap() > 0.0, "{held}");
    // The main reason for delay depends on timing: memory, or the one kernel that takes as long as
    // all others.
    assert!(!held["held_back_by"].as_str().unwrap().is_empty(), "{held}");
    for limit in ["off", "auto", "64G"] {
        let free = build(&much, limit);
        assert_eq!(free["memory_wait_ms"], 0.0, "{limit}: {free}");
        assert_eq!(free["memory_limit"].is_null(), limit == "off");
        assert!(std::fs::read(&little).unwrap() == std::fs::read(&much).unwrap());
    }
    assert_eq!(raddle(&["compile", &eight(), "-o", "/dev/null", "--max-memory", "much"]).code, Some(2));
}

#[test]
fn a_finished_kernel_keeps_little_more_than_its_share_of_the_output() {
    let bench = Bench::new();
    let out = bench.path("out");
    let ran = raddle(&["compile", &eight(), "-o", &out, "-j1", "-v", "--message-format", "json", "--history", "off"]);
    let kernels: Vec<Value> = ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let number = |kernel: &Value, name: &str| kernel[name].as_u64().unwrap();
    // The first one also fills tables that live as long as the process. Which one is first is not left to a history.
    let first = kernels.iter().max_by_key(|kernel| number(kernel, "kept_bytes")).unwrap();
    let kept = kernels.iter().map(|kernel| number(kernel, "kept_bytes")).sum::<u64>() - number(first, "kept_bytes");
    let size = std::fs::metadata(out).unwrap().len() - number(first, "code");
    assert!(kept > size / 4 && kept * 10 <= size * 12, "{kept} bytes kept for an output of {size}");
}

/// A library starts `raddle` for a kernel: one of another version is of no use, and a crash is seen.
#[test]
fn a_library_gets_kernels_of_its_own_version_alone() {
    let bench = Bench::new();
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    let run = |version: &str, fault: &str| {
        let mut command = command(&["__unit", "--arch", "sm_90", "-e", "k", &format!("--caller={version}")]);
        command.stdin(std::fs::File::open(&module).unwrap()).env("RADDLE_FAULT", fault);
        finish(command)
    };
    let own = run(env!("CARGO_PKG_VERSION"), FAULT);
    assert_eq!((own.code, &*own.stderr), (Some(0), ""));
    assert!(!own.stdout.is_empty());
    let other = run("0.0.0", FAULT);
    assert_eq!((other.code, other.stdout.len()), (Some(2), 0), "{}", other.stderr);
    assert!(other.stderr.contains("the library is of 0.0.0"), "{}", other.stderr);
    assert_eq!(run(env!("CARGO_PKG_VERSION"), "segv:k").code, None);
}

/// An engine of remote execution gives files to the process of a unit, and takes one.
#[test]
fn a_unit_may_be_read_from_a_file_and_written_to_one() {
    let bench = Bench::new();
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    let out = bench.path("unit.out");
    let unit = |more: &[&str]| {
        let mut command = command(&[&["__unit", "--arch", "sm_90", "-e", "k"], more].concat());
        command.stdin(std::fs::File::open(&module).unwrap());
        finish(command)
    };
    let piped = unit(&[]);
    assert_eq!((piped.code, &*piped.stderr), (Some(0), ""));
    let mut filed = command(&["__unit", "--arch", "sm_90", "-e", "k", "--input", &module, "--output", &out]);
    filed.stdin(std::process::Stdio::null());
    let filed = finish(filed);
    assert_eq!((filed.code, &*filed.stderr, filed.stdout.len()), (Some(0), "", 0));
    // The peak of memory may differ.
    let (written, piped) = (std::fs::read(&out).unwrap(), piped.stdout);
    let same = |count: usize| written.len() == piped.len() && written[..count] == piped[..count];
    let object = written.len() - written.iter().zip(&piped).rev().take_while(|(a, b)| a == b).count();
    assert!(same(16) && object < written.len() - 100, "{} and {} bytes", written.len(), piped.len());
    // What is written before a crash is there.
    let mut crash = command(&["__unit", "--arch", "sm_90", "-e", "k", "--input", &module, "--output", &out]);
    crash.env("RADDLE_FAULT", "segv:k");
    let crash = finish(crash);
    assert_eq!(crash.code, None, "{}", crash.stderr);
    assert!((1..written.len()).contains(&std::fs::read(&out).unwrap().len()));
    for (wrong, code) in [(["--input", "/no/such.ptx"], "E0001"), (["--output", "/no/such/folder"], "E0010")] {
        let ran = unit(&wrong);
        assert!(ran.code == Some(1) && ran.stderr.contains(code), "{}", ran.stderr);
    }
}
