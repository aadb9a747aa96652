//! Every option of nvlink, fatbinary, cuobjdump and nvdisasm, by both names: our command reads it as
//! the tool does, and refuses it where the table of `docs/drop-in.md` says so.

use crate::common::tools::outcome;
use crate::common::{Bench, EMPTY_KERNEL, command, raddle};
use raddle_dropin::Meaning::NotSupported;
use raddle_dropin::cuobjdump::CUOBJDUMP;
use raddle_dropin::fatbinary::FATBINARY;
use raddle_dropin::nvdisasm::NVDISASM;
use raddle_dropin::nvlink::NVLINK;
use raddle_dropin::{Row, Takes, Tool};
use raddle_filetest::oracle;
use std::os::unix::process::CommandExt;
use std::process::Command;

const TOOLS: [&Tool; 4] = [&NVLINK, &FATBINARY, &CUOBJDUMP, &NVDISASM];

/// Values to try: right and wrong ones; none for an option without.
fn values(row: &Row) -> Vec<&'static str> {
    match (row.long, row.takes) {
        (_, Takes::Nothing) => vec![],
        ("options-file", _) => vec!["options", "missing"],
        ("image3", _) => vec!["kind=elf,sm=90,file=x.cubin"],
        ("image2", _) => vec!["kind=elf,file=x.cubin"],
        (_, Takes::Choice(known)) => [known, &["frob", "sm_999"]].concat(),
        (_, Takes::Bool) => vec!["true", "false", "frob"],
        (_, Takes::Number) => vec!["2", "frob"],
        (_, _) => vec!["2"],
    }
}

/// Options with values, in every spelling.
fn all(tool: &Tool) -> Vec<(&Row, Vec<String>)> {
    let mut out = Vec::new();
    for row in tool.options {
        for name in [format!("--{}", row.long), format!("-{}", row.short)] {
            if name == "-" {
                continue;
            }
            if row.takes == Takes::Nothing {
                out.push((row, vec![name.clone()]));
                out.push((row, vec![format!("{name}=1")]));
            }
            for value in values(row) {
                out.push((row, vec![format!("{name}={value}")]));
                out.push((row, vec![name.clone(), value.to_owned()]));
            }
        }
    }
    out
}

fn bench() -> Bench {
    let bench = Bench::new();
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    for (option, name) in [("-c", "k.o"), ("--no-info", "x.cubin")] {
        let ran = raddle(&["compile", "--arch", "sm_90", option, &module, "-o", &bench.path(name)]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    bench.file("options", "");
    bench
}

fn ours(tool: &Tool, words: &[String]) -> Command {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = command(&words);
    command.arg0(tool.name).env(format!("RADDLE_{}", tool.name.to_uppercase()), "off").env_remove("RADDLE_NVJITLINK");
    command
}

/// The line is read before the version is printed, so that nothing else of it counts.
#[test]
fn every_option_is_read_as_by_the_tool() {
    for tool in TOOLS {
        let Some(theirs) = oracle::require(tool.name) else { continue };
        let bench = bench();
        let (mut tried, mut other) = (0, Vec::new());
        for (row, option) in all(tool) {
            // It prints first; and clang 19 gives what fatbinary 13.0 does not have.
            if row.long == "help" || (tool.name, row.long) == ("fatbinary", "image") {
                continue;
            }
            tried += 1;
            let words = [&option[..], &["--version".to_owned()]].concat();
            let mut real = theirs.command();
            real.args(&words);
            let said = |command| {
                let (code, _, text) = outcome(command, &bench);
                // The texts of versions differ.
                (code, if code == Some(0) { String::new() } else { text })
            };
            let (ours, theirs) = (said(ours(tool, &words)), said(real));
            if ours != theirs {
                other.push(format!("{words:?}: {ours:?}, not {theirs:?}"));
            }
        }
        assert!(other.is_empty(), "{}: {other:#?}", tool.name);
        assert!(tried > 60, "{} {tried}", tool.name);
    }
}

#[test]
fn what_the_page_calls_refused_is_refused_with_the_reason() {
    let bench = bench();
    for tool in TOOLS {
        for (row, option) in all(tool) {
            let NotSupported(why) = row.under_name() else { continue };
            if option.last().is_some_and(|word| ["frob", "=1", "sm_999"].iter().any(|end| word.ends_with(end))) {
                continue;
            }
            let input: &[&str] = match tool.name {
                "nvlink" => &["-arch=sm_90", "k.o", "-o", "out"],
                "fatbinary" => &["--create=out", "--image3=kind=elf,sm=90,file=x.cubin"],
                _ => &["x.cubin"],
            };
            let words: Vec<String> = option.into_iter().chain(input.iter().map(|word| (*word).to_owned())).collect();
            let (code, files, text) = outcome(ours(tool, &words), &bench);
            assert!(code.is_some_and(|code| code != 0) && files.is_empty(), "{} {words:?} {text}", tool.name);
            // What fatbinary refuses too has its words.
            assert!(why.ends_with("refuses it too") || text.contains(why), "{} {words:?} {text}", tool.name);
        }
    }
}
