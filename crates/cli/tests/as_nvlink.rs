//! `raddle` under the name `nvlink`: every line of `as_nvlink.txt` does what nvlink does, character
//! for character.

use crate::common::tools::{cases, outcome};
use crate::common::{Bench, command, finish, raddle};
use raddle_filetest::oracle;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

const CASES: &str = include_str!("as_nvlink.txt");

/// A folder with the inputs of the cases; the objects are ours.
fn bench() -> Bench {
    let bench = Bench::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/as_nvlink")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, bench.dir.path().join(path.file_name().unwrap())).unwrap();
    }
    for (module, object, arch) in [
        ("a", "a", "sm_90"),
        ("b", "b", "sm_90"),
        ("b", "old", "sm_80"),
        ("recursive", "recursive", "sm_90"),
        ("shared", "shared", "sm_90"),
        ("shared", "shared80", "sm_80"),
    ] {
        let [module, object] = [format!("{module}.ptx"), format!("{object}.o")].map(|name| bench.path(&name));
        assert_eq!(raddle(&["compile", "-c", "--arch", arch, &module, "-o", &object]).code, Some(0));
    }
    for (object, arch) in [("whole", "sm_90"), ("whole80", "sm_80")] {
        let [module, object] = [bench.path("module.ptx"), bench.path(&format!("{object}.cubin"))];
        assert_eq!(raddle(&["compile", "--arch", arch, &module, "-o", &object]).code, Some(0));
    }
    // Without code for sm_90: a fatbin, a host object that is a fatbin in an archive, and PTX alone.
    let mut fatbinary = command(&["--create=old.fatbin", "-c", "--image3=kind=elf,sm=80,file=old.o"]);
    fatbinary.arg0("fatbinary").current_dir(bench.dir.path());
    assert_eq!(finish(fatbinary).code, Some(0));
    let old = fs::read(bench.path("old.fatbin")).unwrap();
    let head = format!("!<arch>\n{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "old.o/", 0, 0, 0, 644, old.len());
    bench.file("libold.a", [head.as_bytes(), &old, if old.len() % 2 == 1 { b"\n" } else { b"" }].concat());
    bench.file("text", "a text, and a long one at that, without any device code\n");
    bench.file("options", "-arch sm_90 a.o b.o");
    bench.file("empty", "");
    bench.file("one", "x");
    bench
}

/// Our command under the name nvlink, without another nvlink.
fn nvlink(words: &[&str]) -> Command {
    let mut command = command(words);
    command.arg0("nvlink").env("RADDLE_NVLINK", "off");
    for name in ["RADDLE_CACHE", "RADDLE_REPORT", "RADDLE_WITHIN", "RADDLE_NVJITLINK"] {
        command.env_remove(name);
    }
    command
}

#[test]
fn every_line_does_what_nvlink_does() {
    let cases = cases(CASES);
    assert!(cases.len() > 40);
    let bench = bench();
    for case in cases {
        let words: Vec<&str> = case.words.iter().map(String::as_str).collect();
        let done = outcome(nvlink(&words), &bench);
        let _ = fs::remove_file(bench.path("x"));
        assert_eq!(done, (Some(case.code), case.files, case.says), "{words:?}");
    }
}

#[test]
fn the_list_is_what_nvlink_does() {
    let Some(tool) = oracle::require("nvlink") else { return };
    let bench = bench();
    for case in cases(CASES) {
        let mut command = tool.command();
        command.args(&case.words);
        let done = outcome(command, &bench);
        let _ = fs::remove_file(bench.path("x"));
        assert_eq!(done, (Some(case.code), case.files, case.says), "{:?}", case.words);
    }
}

#[test]
fn the_options_are_those_of_the_help_of_nvlink() {
    let Some(tool) = oracle::require("nvlink") else { return };
    crate::common::tools::help_agrees(&tool, &raddle_dropin::nvlink::NVLINK);
}

#[test]
fn the_program_is_that_of_raddle_link() {
    let bench = bench();
    let path = |name: &str| bench.path(name);
    let ran = raddle(&["link", &path("a.o"), &path("b.o"), "--arch", "sm_90", "-o", &path("ours")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut command = nvlink(&["-arch=sm_90", "a.o", "b.o", "-o", "theirs", "--register-link-binaries=names"]);
    command.current_dir(bench.dir.path());
    let ran = finish(command);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(fs::read(path("ours")).unwrap() == fs::read(path("theirs")).unwrap());
    let names = fs::read_to_string(path("names")).unwrap();
    let folder: String = fs::canonicalize(bench.dir.path())
        .unwrap()
        .display()
        .to_string()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let want = ["a", "b"].map(|name| format!("DEFINE_REGISTER_FUNC({folder}_{name}_o)\n")).concat();
    assert_eq!(names, format!("#define NUM_PRELINKED_OBJECTS 2\n{want}"));
    let version = String::from_utf8(finish(nvlink(&["--version"])).stdout).unwrap();
    assert!(version.starts_with("nvlink: Raddle ") && version.contains("release 13.0, V13.0.88\nBuild raddle_"));
}

/// By either way in.
#[test]
fn the_wrapper_of_clang_is_behind_the_same_door() {
    let bench = bench();
    let link = ["-o", "x", "--arch=sm_90", "a.o", "b.o", "--ptxas-path=/none"];
    let run = |mut command: Command| {
        command.current_dir(bench.dir.path());
        let ran = finish(command);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
        let bytes = fs::read(bench.path("x")).unwrap();
        fs::remove_file(bench.path("x")).unwrap();
        bytes
    };
    let mut named = command(&link);
    named.arg0("/usr/bin/clang-nvlink-wrapper-19");
    let named = run(named);
    assert!(named == run(command(&[&["as", "clang-nvlink-wrapper"], &link[..]].concat())));
    assert!(named == run(command(&["link", "-o", "x", "--arch", "sm_90", "a.o", "b.o"])));
}

#[test]
fn what_cannot_be_linked_here_goes_to_another_nvlink() {
    use std::os::unix::fs::PermissionsExt;
    let bench = bench();
    let other = bench.file("other", "#!/bin/sh\necho \"$@\" > got; exit 5\n");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    for words in ["-arch=sm_100 a.o -o x", "-arch=sm_90 --dump-callgraph a.o b.o -o x", "-arch=sm_90 -lto a.o -o x"] {
        let split: Vec<&str> = words.split(' ').collect();
        let mut command = nvlink(&split);
        command.env("RADDLE_NVLINK", &other).current_dir(bench.dir.path());
        assert_eq!(finish(command).code, Some(5), "{words}");
        assert_eq!(fs::read_to_string(bench.path("got")).unwrap(), format!("{words}\n"));
        let mut command = nvlink(&split);
        command.current_dir(bench.dir.path());
        let ran = finish(command);
        assert!(ran.code == Some(1) && ran.stderr.contains("RADDLE_NVLINK is 'off'"), "{}", ran.stderr);
    }
}
