//! Every option of ptxas, by both names and every spelling of its value, does what the table of
//! `docs/drop-in.md` says; the real one accepts it, too.

use crate::common::{Bench, EMPTY_KERNEL, Ran, command, finish};
use raddle_dropin::Meaning::{self, AlreadySo, ByValue, FallbackOnly, NoEffect, NotSupported};
use raddle_dropin::ptxas::PTXAS;
use raddle_dropin::{Row, Takes};
use raddle_filetest::oracle;
use std::fs;
use std::os::unix::process::CommandExt;

/// Values to try; none for an option without.
fn values(row: &Row) -> Vec<&'static str> {
    match (row.long, row.takes) {
        (_, Takes::Nothing) => vec![],
        ("abi", _) => vec!["yes"],
        (_, Takes::Bool) => vec!["true", "false"],
        ("Ofast-compile", _) => vec!["0", "min", "mid", "max"],
        ("def-load-cache" | "force-load-cache", _) => vec!["ca", "cg", "cs", "lu", "cv"],
        ("def-store-cache" | "force-store-cache", _) => vec!["wb", "cg", "cs", "wt"],
        ("entry", _) => vec!["k"],
        ("gpu-name", _) => vec!["sm_80", "sm_86", "sm_89", "sm_90", "compute_80", "lto_90"],
        ("input-as-string", _) => vec![EMPTY_KERNEL],
        ("machine", _) => vec!["64"],
        ("maxrregcount" | "device-function-maxrregcount", _) => vec!["24", "255", "archmin", "archmax"],
        ("maxntid", _) => vec!["128", "32,2,1"],
        ("opt-level", _) => vec!["0", "1", "2", "3"],
        ("options-file", _) => vec!["options"],
        ("output-file", _) => vec!["elf.o"],
        ("register-usage-level", _) => vec!["0", "5", "10"],
        ("sanitize", _) => vec!["memcheck", "threadsteer"],
        (_, _) => vec!["2"],
    }
}

/// The spellings of an option with a value.
fn spellings(row: &Row, value: Option<&str>) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    let short = format!("-{}", row.short);
    for name in [format!("--{}", row.long), short.clone()] {
        // Some have one name only, or the tool knows another one by the second.
        if name == "-" || name == "--abi" || name == "-fast-compile" {
            continue;
        }
        match value {
            None => out.push(vec![name]),
            Some(value) => {
                out.push(vec![format!("{name}={value}")]);
                if row.takes != Takes::Level || name.starts_with("--") {
                    out.push(vec![name, value.to_owned()]);
                }
            }
        }
    }
    if let Some(value) = value.filter(|_| matches!(row.short, "O" | "m")) {
        out.push(vec![short + value]);
    }
    out
}

/// The meaning of an option with a value.
fn meaning(row: &Row, value: Option<&str>) -> Meaning {
    match row.under_name() {
        ByValue(values) => values.iter().find(|(known, _)| Some(*known) == value).unwrap().1,
        meaning => meaning,
    }
}

/// The command line: the module is a file, except where it is in the option.
fn line(row: &Row, option: &[String]) -> Vec<String> {
    let mut words: Vec<String> = option.to_vec();
    if row.long != "gpu-name" {
        words.extend(["-arch", "sm_90"].map(str::to_owned));
    }
    if row.long == "device-function-maxrregcount" {
        words.push("-c".to_owned());
    }
    if row.long != "input-as-string" {
        words.push("k.ptx".to_owned());
    }
    words
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("k.ptx", EMPTY_KERNEL.replace("sm_90", "sm_80"));
    bench.file("options", "-O2");
    bench
}

/// Runs a command in the folder; returns what it did, and the cubin.
fn done(bench: &Bench, mut command: std::process::Command) -> (Ran, Option<Vec<u8>>) {
    command.current_dir(bench.dir.path());
    let ran = finish(command);
    let cubin = fs::read(bench.path("elf.o")).ok();
    let _ = fs::remove_file(bench.path("elf.o"));
    (ran, cubin)
}

/// All options with a value and a spelling, but for those that print and end.
fn all() -> impl Iterator<Item = (&'static Row, Option<&'static str>, Vec<String>)> {
    let works = |row: &&Row| !["help", "version", "list-version"].contains(&row.long);
    PTXAS.options.iter().filter(works).flat_map(|row| {
        let values: Vec<Option<&str>> = match values(row) {
            none if none.is_empty() => vec![None],
            some => some.into_iter().map(Some).collect(),
        };
        values.into_iter().flat_map(move |value| {
            spellings(row, value).into_iter().map(move |option| (row, value, line(row, &option)))
        })
    })
}

#[test]
fn every_option_does_what_the_page_says() {
    let bench = bench();
    let run = |words: &[String]| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = command(&words);
        command.arg0("ptxas").env("RADDLE_PTXAS", "off");
        done(&bench, command)
    };
    let plain = run(&["-arch", "sm_90", "k.ptx"].map(str::to_owned)).1.unwrap();
    let mut tried = 0;
    for (row, value, words) in all() {
        tried += 1;
        let (ran, cubin) = run(&words);
        match meaning(row, value) {
            NotSupported(why) => {
                let want = format!("ptxas fatal   : option '--{}' is not supported by Raddle: {why}; ", row.long);
                assert!(ran.code == Some(255) && ran.stderr.starts_with(&want), "{words:?} {}", ran.stderr);
                assert!(cubin.is_none(), "{words:?}");
            }
            AlreadySo(_) | NoEffect(_) | FallbackOnly(_) => {
                assert_eq!(ran.code, Some(0), "{words:?} {}", ran.stderr);
                let told = ["ptxas warning : ", "ptxas info    : Command line option "];
                let is_told = |line: &str| told.iter().any(|start| line.starts_with(start));
                assert!(ran.stderr.lines().all(is_told), "{}", ran.stderr);
                assert!(cubin.unwrap() == plain, "{words:?}");
            }
            _ => {
                assert_eq!(ran.code, Some(0), "{words:?} {}", ran.stderr);
                let only_read = value.is_some_and(|value| value.starts_with("compute_") || value.starts_with("lto_"));
                assert_eq!(cubin.is_some(), !only_read, "{words:?}");
            }
        }
    }
    assert!(tried > 200, "{tried}");
}

/// Each of them is one that ptxas has, also those that are refused here.
#[test]
fn every_option_of_the_page_is_one_of_ptxas() {
    let Some(tool) = oracle::require("ptxas") else { return };
    let bench = bench();
    for (row, _, words) in all() {
        let mut command = tool.command();
        command.args(&words);
        let (ran, _) = done(&bench, command);
        // Patches for tools have no kernels.
        let code = if row.long == "compile-as-tools-patch" { 255 } else { 0 };
        assert_eq!(ran.code, Some(code), "{words:?} {}", ran.stderr);
        assert!(!ran.stderr.contains("Unknown option"), "{words:?} {}", ran.stderr);
    }
}
