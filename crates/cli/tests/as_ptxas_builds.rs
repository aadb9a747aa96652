//! What a build wants of `raddle` under the name `ptxas`: another ptxas behind it, a cache, reports,
//! job slots, and a crash that costs one kernel.

use crate::common::server::Server;
use crate::common::trace;
use crate::common::{Bench, EMPTY_KERNEL, Ran, UNSUPPORTED, command, corpus, finish};
use raddle_filetest::oracle;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// Our command under the name ptxas.
fn ptxas(bench: &Bench, words: &[&str]) -> Command {
    let mut command = command(words);
    command.arg0("ptxas").current_dir(bench.dir.path()).env("PATH", "/usr/bin:/bin");
    for name in ["RADDLE_PTXAS", "RADDLE_CACHE", "RADDLE_REPORT", "RADDLE_WITHIN"] {
        command.env_remove(name);
    }
    command
}

/// A folder with a module.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("k.ptx", EMPTY_KERNEL);
    bench.file("lacks.ptx", EMPTY_KERNEL.replace("ret;", &format!("{UNSUPPORTED}\nret;")));
    fs::create_dir(bench.path("bin")).unwrap();
    bench
}

fn script(bench: &Bench, name: &str, text: &str) -> String {
    let path = bench.file(name, format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn read(bench: &Bench, name: &str) -> String {
    fs::read_to_string(bench.path(name)).unwrap()
}

/// Options as Triton and XLA give them for an architecture without code generation here.
const BLACKWELL: [&str; 5] = ["-v", "--gpu-name=sm_100a", "k.ptx", "-o", "k ptx.o"];

#[test]
fn a_call_that_cannot_be_answered_here_goes_to_another_ptxas_as_it_is() {
    let bench = bench();
    let other = script(&bench, "other", r#"for word; do echo "[$word]"; done > got; exit 7"#);
    let mut command = ptxas(&bench, &BLACKWELL);
    command.env("RADDLE_PTXAS", &other).env("RADDLE_REPORT", bench.path("reports"));
    let ran = finish(command);
    assert_eq!(ran.code, Some(7), "its exit code is ours");
    assert_eq!(read(&bench, "got"), "[-v]\n[--gpu-name=sm_100a]\n[k.ptx]\n[-o]\n[k ptx.o]\n");
    let told = format!("ptxas info    : the whole call is passed to '{other}': Value 'sm_100a' is not defined");
    assert!(ran.stderr.starts_with(&told), "{}", ran.stderr);
    let reports: Vec<_> = fs::read_dir(bench.path("reports")).unwrap().collect();
    assert_eq!(reports.len(), 1);
    let report: Value = serde_json::from_slice(&fs::read(reports[0].as_ref().unwrap().path()).unwrap()).unwrap();
    assert_eq!((&report["kind"], &report["to"]), (&"passed on".into(), &other.into()));
    // The default architecture, a refused option, and standard input are passed on, too.
    for words in [&["k.ptx"][..], &["-arch=sm_90", "--sanitize=memcheck", "k.ptx"], &["-"]] {
        let catching = script(&bench, "catching", "cat > stdin; echo \"$@\" > got");
        let mut command = ptxas(&bench, words);
        command.env("RADDLE_PTXAS", &catching).stdin(fs::File::open(bench.path("k.ptx")).unwrap());
        let ran = finish(command);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{words:?}");
        assert_eq!((read(&bench, "got"), read(&bench, "stdin")), (words.join(" ") + "\n", EMPTY_KERNEL.to_owned()));
    }
}

#[test]
fn raddle_itself_is_never_the_other_ptxas() {
    let bench = bench();
    let program = env!("CARGO_BIN_EXE_raddle");
    for folder in ["link", "copy", "wrapper", "other"] {
        fs::create_dir(bench.path(folder)).unwrap();
    }
    symlink(program, bench.path("link/ptxas")).unwrap();
    fs::copy(program, bench.path("copy/ptxas")).unwrap();
    script(&bench, "wrapper/ptxas", &format!("exec '{program}' as ptxas \"$@\""));
    fs::write(bench.path("not a program"), "").unwrap();
    let say = |variable: &str, value: &str| {
        let mut command = ptxas(&bench, &BLACKWELL);
        command.env(variable, value);
        let ran = finish(command);
        assert_eq!(ran.code, Some(255), "{value}: {}", ran.stderr);
        ran.stderr
    };
    let [link, copy] = ["link/ptxas", "copy/ptxas"].map(|name| bench.path(name));
    for own in [&link, &copy, program] {
        assert!(say("RADDLE_PTXAS", own).contains(&format!("RADDLE_PTXAS={own} is Raddle itself")));
    }
    let nothing = bench.path("not a program");
    assert!(say("RADDLE_PTXAS", &nothing).contains(&format!("RADDLE_PTXAS={nothing} is not a program")));
    assert!(say("RADDLE_PTXAS", "off").contains("RADDLE_PTXAS is 'off'"));
    let folders = |names: &[&str]| names.iter().map(|name| bench.path(name)).collect::<Vec<_>>().join(":");
    let missing = "RADDLE_PTXAS names none, and no ptxas in PATH is another program";
    assert!(say("PATH", &folders(&["link", "copy"])).contains(missing));
    // A script that starts Raddle again: it ends there.
    let twice = say("PATH", &folders(&["link", "wrapper"]));
    assert!(twice.contains("this ptxas was started by another Raddle"), "{twice}");
    // Behind all of them is one.
    script(&bench, "other/ptxas", "exit 9");
    let mut command = ptxas(&bench, &BLACKWELL);
    command.env("PATH", folders(&["link", "copy", "other"]));
    assert_eq!(finish(command).code, Some(9));
}

#[test]
fn a_kernel_that_lacks_something_alone_goes_to_the_other_ptxas() {
    let Some(tool) = oracle::require("ptxas") else { return };
    let bench = bench();
    let text = EMPTY_KERNEL.to_owned()
        + &read(&bench, "lacks.ptx").split_once(".visible").unwrap().1.replacen("", ".visible", 1);
    bench.file("both.ptx", text.replacen(" k()", " native()", 1));
    let run = |words: &[&str]| {
        let mut command = ptxas(&bench, words);
        command.env("RADDLE_PTXAS", tool.path());
        finish(command)
    };
    let ran = run(&["-arch=sm_90", "both.ptx", "-v"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let told = format!("ptxas info    : 'k' was passed to '{}'\n", tool.path().display());
    assert!(ran.stderr.starts_with(&told), "{}", ran.stderr);
    assert!(ran.stderr.contains("entry function 'native'") && ran.stderr.contains("entry function 'k'"));
    // Without -v builds stay silent.
    let ran = run(&["-arch=sm_90", "both.ptx"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    // Without another ptxas the call names the instruction and its line.
    let ran = finish(ptxas(&bench, &["-arch=sm_90", "lacks.ptx"]));
    assert_eq!(ran.code, Some(255));
    let line = "ptxas lacks.ptx, line 6; error   : ";
    assert!(ran.stderr.starts_with(line) && ran.stderr.contains("pmevent"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("ptxas fatal   : Ptx assembly aborted due to errors\n"), "{}", ran.stderr);
}

/// The tool behind fails for the kernel alone: then it gets the whole call, and what it says is what
/// the caller reads. Standard input was read already.
#[test]
fn a_failure_of_the_other_ptxas_is_told_by_itself() {
    let bench = bench();
    let other = script(&bench, "other", r#"case "$1" in -) cat > stdin; echo mine >&2; exit 3;; *) exit 1;; esac"#);
    let mut command = ptxas(&bench, &["-", "-arch=sm_90"]);
    command.env("RADDLE_PTXAS", &other).stdin(fs::File::open(bench.path("lacks.ptx")).unwrap());
    let ran = finish(command);
    assert_eq!((ran.code, &*ran.stderr), (Some(3), "mine\n"));
    assert_eq!(read(&bench, "stdin"), read(&bench, "lacks.ptx"));
}

/// The data object in a page of a report.
fn data_of(page: &str) -> Value {
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

/// Runs with a folder for reports; returns the data of the new one.
fn reported(bench: &Bench, mut command: Command) -> (Ran, Value) {
    let folder = bench.path("reports");
    let names =
        || -> Vec<_> { fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect() };
    let before = names();
    command.env("RADDLE_REPORT", &folder);
    let ran = finish(command);
    let new: Vec<_> = names().into_iter().filter(|path| !before.contains(path)).collect();
    assert_eq!(new.len(), 1, "{} {new:?}", ran.stderr);
    let page = fs::read_to_string(&new[0]).unwrap();
    (ran, data_of(&page))
}

#[test]
fn objects_are_kept_and_each_call_has_its_report() {
    let bench = bench();
    let cached = |data: &Value| data["kernels"][0]["cached"].as_bool().unwrap();
    let mut cubins = Vec::new();
    for hit in [false, true] {
        let mut command = ptxas(&bench, &["-arch=sm_90", "k.ptx"]);
        command.env("RADDLE_CACHE", bench.path("cache"));
        let (ran, data) = reported(&bench, command);
        assert_eq!((ran.code, &*ran.stderr, cached(&data)), (Some(0), "", hit));
        cubins.push(fs::read(bench.path("elf.o")).unwrap());
    }
    assert!(cubins[0] == cubins[1]);
    // Without the variables nothing is written but the output.
    let other = self::bench();
    let before = other.listing();
    let mut command = ptxas(&other, &["-arch=sm_90", "k.ptx", "-o", "/dev/null"]);
    command.env("XDG_CACHE_HOME", other.path("home")).env("HOME", other.path("home"));
    assert_eq!(finish(command).code, Some(0));
    assert_eq!(other.listing(), before);
}

#[test]
fn kernels_share_the_slots_of_make_and_otherwise_one_is_compiled_at_a_time() {
    let bench = bench();
    fs::copy(corpus().join("modules/eight/nvcc.ptx"), bench.path("eight.ptx")).unwrap();
    let words = ["-arch=sm_90", "eight.ptx", "-o", "out"];
    let workers = |data: &Value| data["build"]["workers"].as_u64().unwrap();
    // Disorder allows more workers than there are CPUs.
    let run = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = ptxas(&bench, words);
        command.env("RADDLE_CHAOS", "7").envs(variables.iter().copied());
        let (ran, data) = reported(&bench, command);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{variables:?}");
        (data, fs::read(bench.path("out")).unwrap())
    };
    let (data, want) = run(&words, &[]);
    assert_eq!(workers(&data), 1);
    let (data, bytes) = run(&[&words[..], &["--split-compile=3"]].concat(), &[]);
    assert!(workers(&data) == 3 && bytes == want);
    let (data, bytes) = run(&words, &[("RADDLE_JOBS", "4")]);
    assert!(workers(&data) == 4 && bytes == want);
    let mut server = Server::new(&bench, b"abc");
    let (data, bytes) = run(&words, &[("MAKEFLAGS", &server.auth)]);
    assert!(bytes == want);
    let slots = trace::check(&[data["trace"].clone()], Some(4));
    assert!(slots >= 1);
    assert_eq!(server.drain(), b"abc", "every token is back");
    // A number that is none is named.
    let mut command = ptxas(&bench, &words);
    command.env("RADDLE_JOBS", "many");
    let ran = finish(command);
    assert!(ran.code == Some(255) && ran.stderr.starts_with("ptxas fatal   : invalid value 'many'"), "{}", ran.stderr);
    // A recipe without `+`: no message, one at a time.
    let (data, bytes) = run(&words, &[("MAKEFLAGS", " -j4 --jobserver-auth=3333,3334")]);
    assert!(workers(&data) == 1 && bytes == want);
}

#[test]
fn a_crash_costs_one_kernel_and_the_name_stays() {
    let bench = bench();
    let whole = |fault: &str| {
        let mut command = ptxas(&bench, &["-arch=sm_90", "-", "-w"]);
        command.env("RADDLE_FAULT", fault).env("RADDLE_PTXAS", "off");
        // A pipe: the run after the crash has to read it from a copy.
        let mut cat = Command::new("cat").arg(bench.path("k.ptx")).stdout(Stdio::piped()).spawn().unwrap();
        command.stdin(cat.stdout.take().unwrap());
        let ran = finish(command);
        cat.wait().unwrap();
        ran
    };
    let ran = whole("segv-once:k");
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(fs::read(bench.path("elf.o")).unwrap().starts_with(b"\x7fELF"));
    let ran = whole("segv:k");
    assert!(ran.code == Some(255) && ran.stderr.starts_with("ptxas <stdin>, line 4; error   : "), "{}", ran.stderr);
}

/// A real make starts several at once, with its slots and, as most recipes do, without them.
#[test]
fn many_at_once_under_make_write_the_same_and_say_nothing() {
    let bench = bench();
    fs::copy(corpus().join("modules/eight/nvcc.ptx"), bench.path("eight.ptx")).unwrap();
    symlink(env!("CARGO_BIN_EXE_raddle"), bench.path("bin/ptxas")).unwrap();
    let names: Vec<String> = (0..8).flat_map(|n| [format!("with{n}.o"), format!("without{n}.o")]).collect();
    bench.file(
        "Makefile",
        format!(
            "all: {}\nwith%.o: eight.ptx\n\t+@bin/ptxas -arch=sm_80 $< -o $@\nwithout%.o: eight.ptx\n\t@bin/ptxas \
             -arch=sm_80 $< -o $@\n",
            names.join(" ")
        ),
    );
    let mut make = Command::new("make");
    make.args(["-j4", "-s", "--no-print-directory"]).current_dir(bench.dir.path()).stdin(Stdio::null());
    make.env_remove("MAKEFLAGS").env("RADDLE_PTXAS", "off").env("RADDLE_CACHE", bench.path("cache"));
    let ran = finish(make);
    assert_eq!((ran.code, &*ran.stderr, ran.stdout.len()), (Some(0), "", 0));
    let first = fs::read(bench.path(&names[0])).unwrap();
    assert!(first.starts_with(b"\x7fELF"));
    assert!(names.iter().all(|name| fs::read(bench.path(name)).unwrap() == first));
}
