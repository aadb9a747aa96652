//! Under real GNU make: slots are shared, none is lost, and builds survive broken servers.

use crate::common::{Bench, EMPTY_KERNEL, corpus, trace};
use std::process::Command;

/// Runs make with this makefile; returns its exit code and standard error.
fn make(bench: &Bench, makefile: &str, args: &[&str]) -> (Option<i32>, String) {
    let makefile = makefile.replace("RADDLE ", concat!(env!("CARGO_BIN_EXE_raddle"), " "));
    let path = bench.file("Makefile", makefile);
    let mut command = Command::new("make");
    command.args(["-f", &path, "-C", bench.dir.path().to_str().unwrap()]).args(args);
    for name in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL", "RADDLE_CHAOS"] {
        command.env_remove(name);
    }
    let out = command.output().expect("GNU make is installed");
    (out.status.code(), String::from_utf8(out.stderr).unwrap())
}

fn module() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

#[test]
fn slots_of_make_are_shared_and_all_come_back() {
    let bench = Bench::new();
    let rule = "RADDLE_CHAOS=1 RADDLE compile --jobserver require -j4 -o /dev/null";
    let rules: String = (0..6).map(|i| format!("t{i}:\n\t+{rule} {} --timings trace{i}\n", module())).collect();
    let targets: Vec<String> = (0..6).map(|i| format!("t{i}")).collect();
    let makefile = format!("all: {}\n{rules}", targets.join(" "));
    // Newer versions of make offer a choice.
    let help = Command::new("make").arg("--help").output().unwrap();
    let styles: &[&str] = match String::from_utf8_lossy(&help.stdout).contains("--jobserver-style") {
        true => &["--jobserver-style=pipe", "--jobserver-style=fifo"],
        false => &["--no-builtin-rules"],
    };
    for (jobs, style) in ["-j2", "-j4"].into_iter().flat_map(|jobs| styles.iter().map(move |style| (jobs, style))) {
        let (code, stderr) = make(&bench, &makefile, &[jobs, style]);
        assert_eq!(code, Some(0), "{stderr}");
        // make says `INTERNAL: Exiting with N jobserver tokens available; should be M!` and exits 0.
        assert!(!stderr.contains("INTERNAL"), "{stderr}");
        let traces: Vec<_> = (0..6).map(|i| trace::read(&bench.path(&format!("trace{i}")))).collect();
        let slots = jobs.strip_prefix("-j").and_then(|slots| slots.parse().ok());
        assert!(trace::check(&traces, slots) >= 2, "{jobs}");
    }
}

/// `make -n` runs lines with a `+`: a dry run has one slot, which is not reported.
#[test]
fn a_dry_run_of_make_compiles_with_what_it_is_given() {
    let bench = Bench::new();
    let rule = format!("all:\n\t+RADDLE compile {} -o out --timings trace\n\techo never > never\n", module());
    for args in [&["-n"][..], &["-n", "-j3"], &["-n", "-j1"]] {
        let (code, stderr) = make(&bench, &rule, args);
        assert_eq!((code, &stderr[..]), (Some(0), ""), "{args:?}");
        if args.contains(&"-j3") {
            trace::check(&[trace::read(&bench.path("trace"))], Some(3));
        }
        assert_eq!(bench.listing(), ["Makefile", "out", "trace"]);
    }
}

#[test]
fn tokens_come_back_after_errors_too() {
    let bench = Bench::new();
    let broken = bench.file("broken.ptx", EMPTY_KERNEL.replace("ret;", "frob;"));
    let rule = format!("all: a b\na:\n\t-+RADDLE check --arch sm_90 {broken} {0}\nb:\n\t+RADDLE check {0}\n", module());
    let (code, stderr) = make(&bench, &rule, &["-j3"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("E0120") && !stderr.contains("INTERNAL"), "{stderr}");
}

#[test]
fn a_recipe_without_plus_is_warned_about_and_works() {
    let bench = Bench::new();
    let (code, stderr) = make(&bench, &format!("all:\n\tRADDLE check {}\n", module()), &["-j2"]);
    assert_eq!(code, Some(0), "{stderr}");
    // Newer versions of make have a fifo that needs no `+`.
    if stderr.contains("warning") {
        assert!(stderr.contains("E0047") && stderr.contains("MAKEFLAGS=") && stderr.contains('+'), "{stderr}");
    }
    let (code, stderr) = make(&bench, &format!("all:\n\tRADDLE check --jobserver off {}\n", module()), &["-j2"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stderr.contains("warning"), "{stderr}");
}

#[test]
fn a_jobserver_can_be_demanded() {
    let bench = Bench::new();
    let (code, stderr) = make(&bench, &format!("all:\n\t+RADDLE check --jobserver require {}\n", module()), &[]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("E0046"), "{stderr}");
}

#[test]
fn cargo_is_a_server_for_build_scripts() {
    let bench = Bench::new();
    std::fs::create_dir(bench.dir.path().join("src")).unwrap();
    bench.file("Cargo.toml", "[package]\nname = \"k\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n");
    bench.file("src/lib.rs", "");
    let script = r#"
        fn main() {
            let flags = std::env::var("CARGO_MAKEFLAGS").unwrap();
            let out = std::env::var("OUT_DIR").unwrap() + "/k.cubin";
            let builds: Vec<_> = (0..3).map(|i| {
                let mut command = std::process::Command::new(RADDLE);
                command.args(["compile", MODULE, "--jobserver", "require", "-j4", "-o", &format!("{out}{i}")]);
                command.args(["--timings", &format!("{TRACE}{i}")]);
                command.env("MAKEFLAGS", &flags).env("RADDLE_CHAOS", "1").spawn().unwrap()
            }).collect();
            assert!(builds.into_iter().all(|mut build| build.wait().unwrap().success()));
        }"#;
    let constants = format!(
        "const RADDLE: &str = {:?};\nconst MODULE: &str = {:?};\nconst TRACE: &str = {:?};\n",
        env!("CARGO_BIN_EXE_raddle"),
        std::fs::canonicalize(module()).unwrap(),
        bench.path("trace")
    );
    bench.file("build.rs", constants + script);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "-j3", "--manifest-path", &bench.path("Cargo.toml")]);
    cargo.env("CARGO_TARGET_DIR", bench.path("target")).env_remove("MAKEFLAGS").env_remove("CARGO_MAKEFLAGS");
    let out = cargo.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let traces: Vec<_> = (0..3).map(|i| trace::read(&bench.path(&format!("trace{i}")))).collect();
    // Three processes, of which cargo knows one, and its two other tokens.
    trace::check(&traces, Some(5));
}
