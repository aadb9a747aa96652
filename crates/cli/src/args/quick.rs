//! Reads the command lines of commands that are started thousands of times without building the
//! declarations of all other commands, which takes as long as the compilation of a small kernel.
//!
//! **Invariant.** A line that is read here gives what all declarations give; any other line is left to
//! them, with its error or its help.

use super::{Cli, Compile, Global, Link, Llvm, Unit};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;

/// Reads a command line. `change` is applied to the declarations where all are needed.
///
/// # Errors
/// The error, the help or the version to print.
pub fn parse_with(words: Vec<OsString>, change: impl FnOnce(Command) -> Command) -> Result<Cli, clap::Error> {
    let words = spelt(words);
    match quick(&words) {
        Some(cli) => Ok(cli),
        None => Cli::from_arg_matches(&change(Cli::command()).try_get_matches_from(words)?),
    }
}

/// Reads a command line that another tool's was translated to.
///
/// # Errors
/// What is wrong with it.
pub fn parse(words: impl Iterator<Item = String>) -> Result<Cli, clap::Error> {
    let words: Vec<OsString> = words.map(OsString::from).collect();
    quick(&words).map_or_else(|| Cli::try_parse_from(&words), Ok)
}

/// Spells a line as it is declared: for clang's `-mllvm`, and for the number of `-j -1`, which looks
/// like an option.
fn spelt(words: Vec<OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::with_capacity(words.len());
    let mut are_options = true;
    for word in words {
        are_options &= word != "--";
        let text = word.to_str().filter(|_| are_options);
        let is_number = || out.last().is_some_and(|last| last == "-j" || last == "--jobs");
        match text {
            Some("-mllvm") => out.push("--mllvm".into()),
            Some(text) if text.starts_with("-mllvm=") => out.push(format!("-{text}").into()),
            Some("-1") if is_number() => *out.last_mut().expect("a word") = "--jobs=-1".into(),
            _ => out.push(word),
        }
    }
    out
}

/// Reads the line if its first word names such a command and nothing is wrong with the others.
fn quick(words: &[OsString]) -> Option<Cli> {
    let name = words.get(1)?.to_str()?;
    let command = match name {
        "compile" => Compile::augment_args(Command::new("compile")),
        "link" => Link::augment_args(Command::new("link")),
        "__unit" => Unit::augment_args(Command::new("__unit")),
        "__llvm" => Llvm::augment_args(Command::new("__llvm")),
        _ => return None,
    };
    let all = Global::augment_args(Command::new("raddle")).subcommand(command);
    Cli::from_arg_matches(&all.try_get_matches_from(words).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_line_means_the_same_with_and_without_the_other_commands() {
        for line in [
            "raddle compile k.ptx -o x",
            "raddle compile a.ptx b.ptx --arch sm_90 -j 2 -v -o x --message-format json -w --tool-name t",
            "raddle compile --color never -c k.ptx --cache=d --max-memory 2G -e a,b -o x -- -x",
            "raddle link a.o b.o -o x --no-info -j 3 -l cudadevrt",
            "raddle compile compile -o x",
            "raddle link link --severity-tags -o x",
        ] {
            let quick = quick(&words(line)).unwrap_or_else(|| panic!("{line}"));
            let whole = Cli::try_parse_from(words(line)).unwrap();
            assert_eq!(format!("{quick:?}"), format!("{whole:?}"), "{line}");
        }
    }

    #[test]
    fn other_spellings_mean_the_same() {
        for (other, line) in [
            ("raddle compile a.bc -mllvm -x -mllvm=-y -o o", "raddle compile a.bc --mllvm -x --mllvm=-y -o o"),
            ("raddle compile a.bc -j -1 -o o", "raddle compile a.bc -j 0 -o o"),
            ("raddle compile a.bc -j-1 -o o", "raddle compile a.bc -j0 -o o"),
            ("raddle link a.bc --jobs -1 -o o", "raddle link a.bc --jobs 0 -o o"),
            ("raddle check a.ptx --jobs=-1", "raddle check a.ptx --jobs=0"),
        ] {
            let read = |line| parse_with(words(line), |all| all).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(format!("{:?}", read(other)), format!("{:?}", read(line)), "{other}");
        }
        let after = words("raddle compile -o o -- -mllvm -j -1");
        assert_eq!(spelt(after.clone()), after);
        assert!(parse_with(words("raddle compile a.bc -j -2 -o o"), |all| all).is_err());
    }

    #[test]
    fn what_is_no_plain_call_is_left_to_all_declarations() {
        for line in [
            "raddle",
            "raddle compile",
            "raddle compile --help",
            "raddle compile -V",
            "raddle compile k.ptx --frob",
            "raddle --color never compile k.ptx",
            "raddle doctor",
            "raddle frob k.ptx",
        ] {
            assert!(quick(&words(line)).is_none(), "{line}");
            let ours = parse(line.split(' ').map(str::to_owned)).map_err(|error| error.to_string());
            let theirs = Cli::try_parse_from(words(line)).map_err(|error| error.to_string());
            assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{line}");
        }
    }
}
