//! `raddle` under the name `fatbinary`: every line of `as_fatbinary.txt` does what fatbinary does, and
//! the real cuobjdump finds the same in what both write.

use crate::common::tools::{cases, outcome};
use crate::common::{Bench, command, finish, raddle};
use raddle_filetest::oracle;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

const CASES: &str = include_str!("as_fatbinary.txt");

/// A folder with the inputs of the cases.
fn bench() -> Bench {
    let bench = Bench::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/as_fatbinary")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, bench.dir.path().join(path.file_name().unwrap())).unwrap();
    }
    for (options, cubin) in [(&[][..], "k.cubin"), (&["-c"], "c.cubin")] {
        let [module, cubin] = ["k.ptx", cubin].map(|name| bench.path(name));
        let words = [&["compile", "--arch", "sm_90", &module, "-o", &cubin], options].concat();
        assert_eq!(raddle(&words).code, Some(0));
    }
    bench
}

/// Our command under the name fatbinary, without another fatbinary.
fn fatbinary(words: &[&str]) -> Command {
    let mut command = command(words);
    command.arg0("fatbinary").env("RADDLE_FATBINARY", "off");
    for name in ["RADDLE_REPORT", "RADDLE_WITHIN"] {
        command.env_remove(name);
    }
    command
}

/// What was done and printed, without empty lines.
fn done(command: Command, bench: &Bench) -> (Option<i32>, Vec<String>, String) {
    let (code, files, text) = outcome(command, bench);
    ["x", "y"].iter().for_each(|name| drop(fs::remove_file(bench.path(name))));
    (code, files, text.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect())
}

#[test]
fn every_line_does_what_fatbinary_does() {
    let (cases, bench) = (cases(CASES), bench());
    assert!(cases.len() > 30);
    for case in cases {
        let words: Vec<&str> = case.words.iter().map(String::as_str).collect();
        assert_eq!(done(fatbinary(&words), &bench), (Some(case.code), case.files, case.says), "{words:?}");
    }
}

#[test]
fn the_list_is_what_fatbinary_does() {
    let Some(tool) = oracle::require("fatbinary") else { return };
    let bench = bench();
    for case in cases(CASES) {
        let mut command = tool.command();
        command.args(&case.words);
        assert_eq!(done(command, &bench), (Some(case.code), case.files, case.says), "{:?}", case.words);
    }
}

#[test]
fn the_options_are_those_of_the_help_of_fatbinary() {
    let Some(tool) = oracle::require("fatbinary") else { return };
    crate::common::tools::help_agrees(&tool, &raddle_dropin::fatbinary::FATBINARY);
}

const ELF: &str = "--image3=kind=elf,sm=90,file=k.cubin";
const OBJECT: &str = "--image3=kind=elf,sm=90,file=c.cubin";
const PTX: &str = "--image3=kind=ptx,sm=80,file=k.ptx";

/// As XLA, clang and nvcc call it, and all that changes the contents.
const CALLS: &[&[&str]] = &[
    &["--64", "--link", "--compress-all", ELF],
    &["-64", "--cmdline=--compile-only  ", "--cicc-cmdline=-ftz=0", OBJECT, PTX, "--device-c"],
    &["-64", "--ident=a b.cu", ELF, PTX],
    &["--64", "-g", "--ident=12345678", ELF, PTX, "--cmdline=12345678"],
    &["-64", "--compress=false", PTX, ELF],
    &["-64", "--compress-mode=size", PTX, ELF, ELF],
    &["-64", "--image3=kind=ptx,sm=90a,file=k.ptx", "--image3=kind=ptx,sm=100f,file=k.ptx"],
];

/// What cuobjdump says of a file, and what it extracts.
fn seen(file: &str, extracted: &[(&str, &str)]) -> (String, Vec<(String, Vec<u8>)>) {
    let cuobjdump = oracle::require("cuobjdump").unwrap();
    let bench = Bench::new();
    let run = |words: &[&str]| {
        let mut command = cuobjdump.command();
        command.args(words).arg(file).current_dir(bench.dir.path());
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{words:?} {}", ran.stderr);
        String::from_utf8(ran.stdout).unwrap()
    };
    let text = run(&[]);
    extracted.iter().for_each(|(option, what)| drop(run(&[option, what])));
    let files = bench.listing().into_iter().map(|name| {
        let bytes = fs::read(bench.path(&name)).unwrap();
        // The names hold the name of the file.
        (name.split_once('.').unwrap().1.to_owned(), bytes)
    });
    (text, files.collect())
}

#[test]
fn cuobjdump_finds_the_same_in_what_both_write() {
    let (Some(tool), Some(_)) = (oracle::require("fatbinary"), oracle::require("cuobjdump")) else { return };
    for words in CALLS {
        let bench = bench();
        let mut theirs = tool.command();
        theirs.args(*words).arg("--create=a.theirs").current_dir(bench.dir.path());
        let ran = finish(theirs);
        assert_eq!(ran.code, Some(0), "{words:?} {}", ran.stderr);
        let mut ours = fatbinary(&[words, &["--create=a.ours"][..]].concat());
        ours.current_dir(bench.dir.path());
        let ran = finish(ours);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{words:?}");
        let kinds = [("-xelf", ELF), ("-xelf", OBJECT), ("-xptx", "kind=ptx")];
        let of_kind = |mark: &str| words.iter().any(|word| word.contains(mark));
        let wanted: Vec<(&str, &str)> =
            kinds.into_iter().filter(|(_, mark)| of_kind(mark)).map(|(option, _)| (option, "all")).collect();
        let [theirs, ours] = ["a.theirs", "a.ours"].map(|name| seen(&bench.path(name), &wanted));
        assert!(!theirs.1.is_empty() || wanted.is_empty());
        assert_eq!(ours, theirs, "{words:?}");
    }
}

/// Uncompressed fatbins are the same bytes, with cubins of the newest architectures too: their
/// members have a section of the cubin in the header, and a flag for it.
#[test]
fn uncompressed_fatbins_are_the_same_bytes() {
    let (Some(tool), Some(ptxas)) = (oracle::require("fatbinary"), oracle::require("ptxas")) else { return };
    let bench = bench();
    for arch in ["80", "90a", "100", "100f", "120a", "121f"] {
        for kind in [&[][..], &["-c"]] {
            let mut made = ptxas.command();
            let gpu = format!("-arch=sm_{arch}");
            made.args(kind).args([&gpu, "k.ptx", "-o", "x.cubin"]).current_dir(bench.dir.path());
            assert_eq!(finish(made).code, Some(0), "{arch}");
            let images = [("elf", "x.cubin"), ("ptx", "k.ptx")];
            let images = images.map(|(kind, file)| format!("--image3=kind={kind},sm={arch},file={file}"));
            for more in [&[][..], &["--ident=a name", "--cmdline=-O2 -v"], &["-g"], &["-compress-mode=none"]] {
                let mut words = vec!["-64", "--compress=false", "--create=x.fatbin", &images[0], &images[1]];
                words.extend(more);
                let made = |mut command: Command| {
                    command.args(&words).current_dir(bench.dir.path());
                    let ran = finish(command);
                    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{words:?}");
                    fs::read(bench.path("x.fatbin")).unwrap()
                };
                let (ours, theirs) = (made(fatbinary(&[])), made(tool.command()));
                assert!(ours == theirs, "{arch} {kind:?} {more:?}");
                let read = raddle_fatbin::members(&ours).unwrap();
                assert_eq!(read[0].options, None, "{arch}");
            }
        }
    }
}

/// The C text, compiled by the host's compiler, holds the fatbin where the driver, nvlink and
/// cuobjdump look for it.
#[test]
fn the_text_for_a_host_object_has_the_fatbin() {
    let (Some(gxx), Some(_)) = (oracle::require("g++"), oracle::require("cuobjdump")) else { return };
    let include = oracle::require("fatbinary").unwrap().path().ancestors().nth(2).unwrap().join("include");
    for (words, prelude) in [
        (&["-64", ELF, PTX][..], ""),
        (&["-64", ELF, PTX, "--no-asm"], ""),
        (&["-64", OBJECT, "-c"], "#define __NV_MODULE_ID _module\n"),
        (&["-64", OBJECT, "-c", "-no-asm"], "#define __NV_MODULE_ID _module\n"),
        (&["-64", ELF, "-link"], "static void *__cudaPrelinkedFatbins[1];\n"),
    ] {
        let bench = bench();
        let mut ours = fatbinary(&[words, &["--embedded-fatbin=e.c", "--create=e.fatbin"]].concat());
        ours.current_dir(bench.dir.path());
        assert_eq!(finish(ours).code, Some(0));
        // Something uses it, as the registration code does.
        let user = if words.contains(&"-c") { "" } else { "const void *user() { return &__fatDeviceText; }\n" };
        let text = bench.file("e.cpp", format!("{prelude}#include \"e.c\"\n{user}"));
        let object = bench.path("e.o");
        let mut compile = gxx.command();
        compile.args(["-c", "-I"]).arg(&include).args([&text, "-o", &object]);
        let ran = finish(compile);
        assert_eq!(ran.code, Some(0), "{words:?} {}", ran.stderr);
        let bytes = fs::read(&object).unwrap();
        let fatbin = fs::read(bench.path("e.fatbin")).unwrap();
        assert!(bytes.windows(fatbin.len()).any(|part| part == fatbin), "{words:?}");
        let [inside, alone] = [&object, &bench.path("e.fatbin")].map(|file| seen(file, &[("-xelf", "all")]));
        assert_eq!(inside.1.len(), 1);
        assert_eq!(inside.1[0].1, alone.1[0].1, "{words:?}");
    }
}
