//! The options of ptxas, by all of their names, and their meaning in `raddle compile`.
//!
//! Strategy: one table. Before the command line is parsed, a name of ptxas is replaced by ours
//! where there is one; all others become `--ptxas-option NAME[=VALUE]`, which `compile` handles by
//! the table. As in ptxas, long names take two dashes, short ones one.
//!
//! Source of names and meanings: `ptxas --help` (13.0.88), and its behaviour. A test compares the
//! table with that text.

use clap::CommandFactory;
use std::ffi::OsString;

/// The meaning of an option here.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// The same as our option of this name.
    Same(&'static str),
    /// Always the case here, for this reason.
    AlreadySo(#[expect(dead_code, reason = "documents the table; it is not reported")] &'static str),
    /// A hint without effect here, for this reason, which is reported.
    NoEffect(&'static str),
    /// Only for architectures that need a fallback; without one it is handled like a hint, with
    /// this reason.
    FallbackOnly(&'static str),
    /// Not supported, for this reason.
    NotSupported(&'static str),
    /// Depends on the value; any other value is an error.
    ByValue(&'static [(&'static str, Meaning)]),
}

/// An option of ptxas.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name after two dashes.
    pub long: &'static str,
    /// Its name after a single dash.
    pub short: &'static str,
    /// Whether it takes a value.
    pub value: bool,
    /// Its meaning.
    pub meaning: Meaning,
}

use Meaning::{AlreadySo, ByValue, FallbackOnly, NoEffect, NotSupported, Same};

const fn flag(long: &'static str, short: &'static str, meaning: Meaning) -> Row {
    Row { long, short, value: false, meaning }
}

const fn value(long: &'static str, short: &'static str, meaning: Meaning) -> Row {
    Row { long, short, value: true, meaning }
}

const NO_ADVICE: &str = "Raddle gives no such advice";
const DIRECTIVE: &str = "use the directive in the PTX, for each kernel";
const ONE_LEVEL: Meaning = NoEffect("use -O");
const TMEM: Meaning = FallbackOnly("it is for tcgen05, which no architecture supported by Raddle has");

/// All options of ptxas 13.0.88, in the order of its help, followed by one that it accepts but does
/// not list.
pub const OPTIONS: &[Row] = &[
    value("Ofast-compile", "Ofc", Same("Ofast-compile")),
    value(
        "allow-expensive-optimizations",
        "allow-expensive-optimizations",
        ByValue(&[("true", ONE_LEVEL), ("false", ONE_LEVEL)]),
    ),
    flag("compile-as-tools-patch", "astoolspatch", Same("compile-as-tools-patch")),
    flag("compile-only", "c", Same("compile-only")),
    flag("compiler-annotations", "annotate", NoEffect("the notes are about ptxas' own passes")),
    value("def-load-cache", "dlcm", Same("def-load-cache")),
    value("def-store-cache", "dscm", Same("def-store-cache")),
    flag("device-debug", "g", Same("device-debug")),
    value(
        "device-function-maxrregcount",
        "func-maxrregcount",
        NotSupported("one limit holds for kernels and functions: --maxrregcount"),
    ),
    value(
        "device-stack-protector",
        "device-stack-protector",
        ByValue(&[
            ("false", AlreadySo("there are no stack canaries")),
            ("true", NotSupported("there is no code for stack canaries")),
        ]),
    ),
    flag(
        "disable-optimizer-constants",
        "disable-optimizer-consts",
        AlreadySo("constants of the optimiser are in the code"),
    ),
    flag("disable-warnings", "w", Same("no-warnings")),
    flag("dont-merge-basicblocks", "no-bb-merge", NoEffect("-O0 merges none, and other levels are not for debugging")),
    value("entry", "e", Same("entry")),
    flag("extensible-whole-program", "ewp", Same("extensible-whole-program")),
    value("fmad", "fmad", Same("fmad")),
    value("force-load-cache", "flcm", Same("force-load-cache")),
    value("force-store-cache", "fscm", Same("force-store-cache")),
    flag("g-tensor-memory-access-check", "g-tmem-access-check", TMEM),
    flag("generate-line-info", "lineinfo", Same("generate-line-info")),
    flag("gno-tensor-memory-access-check", "gno-tmem-access-check", TMEM),
    value("gpu-name", "arch", Same("arch")),
    flag("help", "h", Same("help")),
    value("input-as-string", "ias", NotSupported("give the PTX on standard input, as the file `-`")),
    flag("legacy-bar-warp-wide-behavior", "legacy-bar-warp-wide-behavior", Same("legacy-bar-warp-wide-behavior")),
    flag("list-version", "version-ls", NotSupported("`raddle doctor` names the newest version of PTX that is read")),
    value("machine", "m", ByValue(&[("64", AlreadySo("hosts have 64 bits"))])),
    flag(
        "make-errors-visible-at-exit",
        "make-errors-visible-at-exit",
        NotSupported("there is no such code at the ends of kernels"),
    ),
    value("maxntid", "maxntid", NotSupported(DIRECTIVE)),
    value("maxrregcount", "maxrregcount", Same("maxrregcount")),
    value("minnctapersm", "minnctapersm", NotSupported(DIRECTIVE)),
    value("opt-level", "O", Same("opt-level")),
    flag("optimize-float-atomics", "opt-fp-atomics", AlreadySo("the optimisation that it permits is not done")),
    value("options-file", "optf", NotSupported("let the shell or the build put the options on the command line")),
    value("output-file", "o", Same("output")),
    flag("override-directive-values", "override-directive-values", NotSupported("directives of the PTX are kept")),
    value("position-independent-code", "pic", Same("position-independent-code")),
    flag(
        "preserve-relocs",
        "preserve-relocs",
        NotSupported("an executable is linked whole; -c makes an object with all relocations"),
    ),
    value("register-usage-level", "regUsageLevel", ByValue(&REGISTER_LEVELS)),
    flag("return-at-end", "ret-end", NoEffect("-O0 keeps every return, and other levels are not for debugging")),
    value(
        "sanitize",
        "sanitize",
        NotSupported("Raddle instruments no code; `raddle run` finds stray accesses and races"),
    ),
    flag("sp-bounds-check", "sp-bounds-check", NotSupported("there is no code that checks the stack pointer")),
    value("split-compile", "split-compile", Same("split-compile")),
    flag(
        "suppress-async-bulk-multicast-advisory-warning",
        "suppress-async-bulk-multicast-advisory-warning",
        AlreadySo(NO_ADVICE),
    ),
    flag("suppress-debug-info", "suppress-debug-info", Same("suppress-debug-info")),
    flag("suppress-double-demote-warning", "suppress-double-demote-warning", AlreadySo(NO_ADVICE)),
    flag("suppress-sparse-mma-advisory-info", "suppress-sparse-mma-advisory-info", AlreadySo(NO_ADVICE)),
    flag("suppress-stack-size-warning", "suppress-stack-size-warning", Same("suppress-stack-size-warning")),
    flag("verbose", "v", Same("verbose")),
    flag("version", "V", Same("version")),
    flag("warn-on-double-precision-use", "warn-double-usage", Same("warn-on-double-precision-use")),
    flag("warn-on-local-memory-usage", "warn-lmem-usage", Same("warn-on-local-memory-usage")),
    flag("warn-on-spills", "warn-spills", Same("warn-on-spills")),
    flag("warning-as-error", "Werror", Same("warnings-as-errors")),
    flag("fast-compile", "fast-compile", Same("Ofast-compile=max")),
];

const REGISTER_HINT: Meaning = NoEffect("registers are limited by --maxrregcount and launch bounds");

/// Values of `--register-usage-level`.
const REGISTER_LEVELS: [(&str, Meaning); 11] = [
    ("0", REGISTER_HINT),
    ("1", REGISTER_HINT),
    ("2", REGISTER_HINT),
    ("3", REGISTER_HINT),
    ("4", REGISTER_HINT),
    ("5", AlreadySo("it is the default")),
    ("6", REGISTER_HINT),
    ("7", REGISTER_HINT),
    ("8", REGISTER_HINT),
    ("9", REGISTER_HINT),
    ("10", REGISTER_HINT),
];

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
    let commands = super::Cli::command();
    let is_command = |word: &OsString| commands.get_subcommands().any(|command| command.get_name() == word);
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
        if !row.value && value.is_some() {
            // The parser of our options reports a value that is not allowed.
            out.push(word);
            continue;
        }
        let mut option = OsString::from(match row.meaning {
            Same(ours) => format!("--{ours}"),
            _ => format!("--ptxas-option={}", row.long),
        });
        let mut next = || words.next_if(|next| next.to_str().is_none_or(|text| !text.starts_with('-') || text == "-"));
        match value.map(OsString::from).or_else(|| if row.value { next() } else { None }) {
            Some(value) => {
                option.push("=");
                option.push(value);
            }
            None if row.value && !matches!(row.meaning, Same(_)) => option.push("="),
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
        Same(_) | AlreadySo(_) | ByValue(_) => Verdict::Nothing,
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
