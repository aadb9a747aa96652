//! The options of ptxas, by all of their names, and their meaning in `raddle compile`.
//!
//! Strategy: the table of [`raddle_dropin`]. Before the command line is parsed, a name of ptxas is replaced by ours
//! where there is one; all others become `--ptxas-option NAME[=VALUE]`, which `compile` handles by
//! the table. As in ptxas, long names take two dashes, short ones one.
//!
//! Source of names and meanings: `ptxas --help` (13.0.88), and its behaviour. A test compares the
//! table with that text.

use clap::Subcommand;
use raddle_dropin::Meaning::{AlreadySo, ByValue, FallbackOnly, Here, InPart, NoEffect, NotSupported, Same};
use raddle_dropin::Row;
use raddle_dropin::ptxas::OPTIONS;
use std::ffi::OsString;

/// The option of ptxas for a word that begins with dashes, and the value after `=`.
fn named(word: &str) -> Option<(&'static Row, Option<&str>)> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    if let Some(long) = name.strip_prefix("--") {
        return OPTIONS.iter().find(|row| row.long == long).map(|row| (row, value));
    }
    let short = name.strip_prefix('-')?;
    // Names of a single letter are ours, too, except one.
    if short.len() == 1 && short != "m" {
        return None;
    }
    if let Some(row) = OPTIONS.iter().find(|row| row.short == short) {
        return Some((row, value));
    }
    // `-m64`.
    let machine = short.strip_prefix('m').filter(|bits| bits.bytes().all(|b| b.is_ascii_digit()))?;
    OPTIONS.iter().find(|row| row.short == "m").map(|row| (row, Some(machine)))
}

/// Replaces the options of ptxas in a command line by ours; only `raddle compile` accepts them.
pub fn translate(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words = words.peekable();
    let mut out: Vec<OsString> = Vec::new();
    let is_command = |word: &OsString| word.to_str().is_some_and(super::Command::has_subcommand);
    // The first word that names a command is the command: files may have such names.
    let mut command: Option<OsString> = None;
    while let Some(word) = words.next() {
        let compile = command.as_ref().is_some_and(|command| command == "compile");
        let text = word.to_str().filter(|text| compile && text.len() > 1 && text.starts_with('-'));
        if command.is_none() && is_command(&word) {
            command = Some(word.clone());
        }
        if word == "--" {
            out.push(word);
            out.extend(words);
            return out;
        }
        let Some((row, value)) = text.and_then(named) else {
            out.push(word);
            continue;
        };
        if !row.takes_value() && value.is_some() {
            // The parser of our options reports a value that is not allowed.
            out.push(word);
            continue;
        }
        let mut option = OsString::from(match row.meaning {
            Same(ours) => format!("--{ours}"),
            _ => format!("--ptxas-option={}", row.long),
        });
        let mut next = || words.next_if(|next| next.to_str().is_none_or(|text| !text.starts_with('-') || text == "-"));
        match value.map(OsString::from).or_else(|| if row.takes_value() { next() } else { None }) {
            Some(value) => {
                option.push("=");
                option.push(value);
            }
            None if row.takes_value() && !matches!(row.meaning, Same(_)) => option.push("="),
            None => {}
        }
        out.push(option);
    }
    out
}

/// The verdict on an option that [`translate`] turned into `--ptxas-option`.
pub fn verdict(text: &str) -> Verdict {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    let Some(row) = OPTIONS.iter().find(|row| row.long == name) else {
        return Verdict::Wrong(format!("ptxas has no option --{name}"));
    };
    let meaning = match (row.meaning, value) {
        (ByValue(values), value) => match values.iter().find(|(known, _)| Some(*known) == value) {
            Some((_, meaning)) => *meaning,
            None => {
                let known: Vec<&str> = values.iter().map(|(known, _)| *known).collect();
                return Verdict::Wrong(format!("--{name} is one of {}", known.join(", ")));
            }
        },
        (_, Some("")) => return Verdict::Wrong(format!("--{name} needs a value")),
        (meaning, _) => meaning,
    };
    let shown = value.map_or(format!("--{name}"), |value| format!("--{name}={value}"));
    match meaning {
        NotSupported(why) => Verdict::NotSupported(format!("{shown} is not supported: {why}")),
        NoEffect(why) => Verdict::NoEffect(format!("{shown} has no effect: {why}")),
        FallbackOnly(why) => Verdict::FallbackOnly(format!("{shown} has no effect: {why}")),
        Same(_) | Here | InPart(_) | AlreadySo(_) | ByValue(_) => Verdict::Nothing,
    }
}

/// The verdict on an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is always the case here: nothing is reported.
    Nothing,
    /// An info.
    NoEffect(String),
    /// An info without a fallback; with one it is passed to that.
    FallbackOnly(String),
    /// It is not supported.
    NotSupported(String),
    /// It is used wrongly.
    Wrong(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let words = translate(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_of_ptxas_become_ours_and_ours_stay() {
        for (line, want) in [
            ("raddle compile k -arch=sm_90 -o x", "raddle compile k --arch=sm_90 -o x"),
            ("raddle compile k --gpu-name sm_90 -O3 -v", "raddle compile k --arch=sm_90 -O3 -v"),
            (
                "raddle compile k -pic=true -ewp -c",
                "raddle compile k --position-independent-code=true --extensible-whole-program -c",
            ),
            (
                "raddle compile k -m64 -m 32 -kj2",
                "raddle compile k --ptxas-option=machine=64 --ptxas-option=machine=32 -kj2",
            ),
            (
                "raddle compile k -maxntid 128 -ret-end",
                "raddle compile k --ptxas-option=maxntid=128 --ptxas-option=return-at-end",
            ),
            (
                "raddle compile k --fast-compile --sanitize -o -",
                "raddle compile k --Ofast-compile=max --ptxas-option=sanitize= -o -",
            ),
            ("raddle compile --verbose=1 k -- -arch", "raddle compile --verbose=1 k -- -arch"),
            // Short names have one dash, long ones two; other commands are not changed.
            ("raddle compile k -gpu-name --arch=sm_80 -E ^m", "raddle compile k -gpu-name --arch=sm_80 -E ^m"),
            ("raddle disasm -arch k", "raddle disasm -arch k"),
            ("raddle run compile -arch", "raddle run compile -arch"),
            ("raddle -w compile -arch=sm_90", "raddle -w compile --arch=sm_90"),
        ] {
            assert_eq!(translated(line), want);
        }
    }

    #[test]
    fn every_name_is_one_options() {
        for (i, row) in OPTIONS.iter().enumerate() {
            for other in &OPTIONS[..i] {
                assert!(row.long != other.long && row.short != other.short, "{row:?} {other:?}");
            }
        }
    }

    #[test]
    fn each_meaning_says_what_it_must() {
        assert_eq!(verdict("machine=64"), Verdict::Nothing);
        assert_eq!(verdict("machine=32"), Verdict::Wrong("--machine is one of 64".into()));
        assert_eq!(verdict("maxntid="), Verdict::Wrong("--maxntid needs a value".into()));
        assert!(
            matches!(verdict("sanitize=memcheck"), Verdict::NotSupported(why) if why.contains("instruments no code"))
        );
        assert!(matches!(verdict("register-usage-level=7"), Verdict::NoEffect(_)));
        assert!(matches!(verdict("nothing"), Verdict::Wrong(_)));
    }
}
