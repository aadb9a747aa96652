//! The options of nvPTXCompiler: those of ptxas, one word of the array for each word of a command
//! line.
//!
//! Strategy: one table of names; each row says what the option sets. Values follow after `=` or as
//! the next word. Messages are those of ptxas 13.0.88 for the same mistake.

use raddle_driver::consensus::parse_carried;
use raddle_driver::modes::ModeOptions;
use raddle_driver::options::{CacheRule, CodegenOptions, OptLevel};
use raddle_driver::request::WarnOn;
use raddle_target::Target;

/// What the options ask for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    /// The architecture; ptxas' default is sm_75.
    pub arch: Arch,
    /// Options that affect the generated code.
    pub codegen: CodegenOptions,
    /// The options that select the kind of output.
    pub mode: ModeOptions,
    /// The kernels to compile; all if empty.
    pub entries: Vec<String>,
    /// Optional warnings.
    pub warn_on: WarnOn,
    /// `--verbose`.
    pub verbose: bool,
    /// `--disable-warnings`.
    pub no_warnings: bool,
    /// `--warning-as-error`.
    pub warnings_as_errors: bool,
    /// `--suppress-stack-size-warning`.
    pub no_stack_warning: bool,
    /// `--suppress-debug-info`.
    pub no_debug_info: bool,
    /// `--split-compile`: kernels compiled at once; 0 is as many as there are slots.
    pub split: Option<usize>,
    /// Warnings about the options themselves.
    pub warnings: Vec<String>,
}

/// What `--gpu-name` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arch {
    /// `sm_90`: machine code.
    Real(&'static Target),
    /// `compute_90`: the module is only checked.
    Virtual(&'static Target),
}

impl Arch {
    /// The architecture.
    pub(crate) fn target(self) -> &'static Target {
        match self {
            Arch::Real(target) | Arch::Virtual(target) => target,
        }
    }

    /// Reads the value of `--gpu-name`.
    pub(crate) fn read(text: &str) -> Option<Arch> {
        match text.strip_prefix("compute_") {
            Some(number) => Target::by_name(&format!("sm_{number}")).map(Arch::Virtual),
            None => Target::by_name(text).map(Arch::Real),
        }
    }
}

/// What an option does.
#[derive(Clone, Copy)]
enum Meaning {
    /// A switch.
    Flag(fn(&mut Options)),
    /// It has a value; the error is the message.
    Value(fn(&mut Options, &str) -> Result<(), String>),
    /// A switch without effect here: a hint, or always the case.
    Idle,
    /// An option with a value and without effect here.
    IdleValue,
    /// Not supported, for this reason.
    Refused(&'static str),
    /// Not supported, with a value.
    RefusedValue(&'static str),
}

use Meaning::{Flag, Idle, IdleValue, Refused, RefusedValue, Value};

/// Long name, short name, meaning. Source of the names: `ptxas --help` (13.0.88), and what the
/// library accepts besides.
const OPTIONS: &[(&str, &str, Meaning)] = &[
    ("Ofast-compile", "Ofc", Value(fast)),
    ("allow-expensive-optimizations", "allow-expensive-optimizations", Value(|_, text| switch(text).map(drop))),
    ("compile-as-tools-patch", "astoolspatch", Flag(|o| o.mode.tools_patch = true)),
    ("compile-only", "c", Flag(|o| o.mode.compile_only = true)),
    ("compiler-annotations", "annotate", Idle),
    ("def-load-cache", "dlcm", Value(|o, text| cache(&mut o.codegen.loads, "dlcm", "default", "load", text))),
    ("def-store-cache", "dscm", Value(|o, text| cache(&mut o.codegen.stores, "dscm", "default", "store", text))),
    ("device-debug", "g", Flag(|o| o.mode.debug = true)),
    ("device-function-maxrregcount", "func-maxrregcount", RefusedValue("one limit holds for kernels and functions")),
    ("device-stack-protector", "device-stack-protector", Value(|_, text| off("device-stack-protector", text))),
    ("disable-optimizer-constants", "disable-optimizer-consts", Idle),
    ("disable-warnings", "w", Flag(|o| o.no_warnings = true)),
    ("dont-merge-basicblocks", "no-bb-merge", Idle),
    (
        "entry",
        "e",
        Value(|o, text| {
            o.entries.extend(text.split(',').map(str::to_owned));
            Ok(())
        }),
    ),
    ("extensible-whole-program", "ewp", Flag(|o| o.mode.extensible = true)),
    ("fast-compile", "fast-compile", Flag(|o| o.mode.fast = Some(OptLevel::O0))),
    (
        "fmad",
        "fmad",
        Value(|o, text| {
            o.codegen.fmad = switch(text)?;
            Ok(())
        }),
    ),
    ("force-load-cache", "flcm", Value(|o, text| cache(&mut o.codegen.loads, "flcm", "force", "load", text))),
    ("force-store-cache", "fscm", Value(|o, text| cache(&mut o.codegen.stores, "fscm", "force", "store", text))),
    ("g-tensor-memory-access-check", "g-tmem-access-check", Idle),
    ("generate-line-info", "lineinfo", Flag(|o| o.codegen.lineinfo = true)),
    ("gno-tensor-memory-access-check", "gno-tmem-access-check", Idle),
    ("gpu-name", "arch", Value(arch)),
    ("input-as-string", "ias", RefusedValue("the PTX is that of nvPTXCompilerCreate")),
    ("legacy-bar-warp-wide-behavior", "legacy-bar-warp-wide-behavior", Flag(|o| o.mode.legacy_barriers = true)),
    ("machine", "m", Value(machine)),
    (
        "make-errors-visible-at-exit",
        "make-errors-visible-at-exit",
        Refused("there is no such code at the ends of kernels"),
    ),
    ("maxntid", "maxntid", RefusedValue("use the directive in the PTX, for each kernel")),
    ("maxrregcount", "maxrregcount", Value(registers)),
    ("minnctapersm", "minnctapersm", RefusedValue("use the directive in the PTX, for each kernel")),
    ("opt-level", "O", Value(level)),
    ("optimize-float-atomics", "opt-fp-atomics", Idle),
    ("options-file", "optf", RefusedValue("an application passes its options in the array")),
    ("output-file", "o", IdleValue),
    ("override-directive-values", "override-directive-values", Refused("directives of the PTX are kept")),
    (
        "position-independent-code",
        "pic",
        Value(|o, text| {
            o.mode.position_independent = switch(text)?;
            Ok(())
        }),
    ),
    ("preserve-relocs", "preserve-relocs", Refused("an executable is linked whole; -c keeps all relocations")),
    ("register-usage-level", "regUsageLevel", IdleValue),
    ("return-at-end", "ret-end", Idle),
    ("sanitize", "sanitize", RefusedValue("no code is instrumented")),
    ("sp-bounds-check", "sp-bounds-check", Refused("there is no code that checks the stack pointer")),
    (
        "split-compile",
        "split-compile",
        Value(|o, text| {
            o.split = Some(number(text)?);
            Ok(())
        }),
    ),
    ("suppress-async-bulk-multicast-advisory-warning", "suppress-async-bulk-multicast-advisory-warning", Idle),
    ("suppress-debug-info", "suppress-debug-info", Flag(|o| o.no_debug_info = true)),
    ("suppress-double-demote-warning", "suppress-double-demote-warning", Idle),
    ("suppress-sparse-mma-advisory-info", "suppress-sparse-mma-advisory-info", Idle),
    ("suppress-stack-size-warning", "suppress-stack-size-warning", Flag(|o| o.no_stack_warning = true)),
    ("verbose", "v", Flag(|o| o.verbose = true)),
    ("warn-on-double-precision-use", "warn-double-usage", Flag(|o| o.warn_on.double_precision = true)),
    ("warn-on-local-memory-usage", "warn-lmem-usage", Flag(|o| o.warn_on.local_memory = true)),
    ("warn-on-spills", "warn-spills", Flag(|o| o.warn_on.spills = true)),
    ("warning-as-error", "Werror", Flag(|o| o.warnings_as_errors = true)),
];

/// The fewest registers that a limit leaves a kernel, and the most that there are (ptxas 13.0.88).
const REGISTERS: (u32, u32) = (24, 255);

impl Options {
    /// The defaults of ptxas for an architecture.
    pub(crate) fn new(arch: Arch) -> Options {
        Options {
            arch,
            codegen: CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() },
            mode: ModeOptions::default(),
            entries: Vec::new(),
            warn_on: WarnOn::default(),
            verbose: false,
            no_warnings: false,
            warnings_as_errors: false,
            no_stack_warning: false,
            no_debug_info: false,
            split: None,
            warnings: Vec::new(),
        }
    }

    /// Reads options as words.
    ///
    /// # Errors
    /// The message, without the name of the tool.
    pub(crate) fn read(&mut self, words: &[&str]) -> Result<(), String> {
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            let (name, value) = split(word);
            let Some(&(long, short, meaning)) = find(name) else {
                return Err(match word.starts_with('-') {
                    true => format!("Unknown option '{}'", unknown(word)),
                    false => format!("Input file '{word}' could not be opened"),
                });
            };
            let shown = if name.starts_with("--") { format!("--{long}") } else { format!("-{short}") };
            let with_value = matches!(meaning, Value(_) | IdleValue | RefusedValue(_));
            let value = match (with_value, value) {
                (true, None) => Some(words.next().ok_or_else(|| format!("argument expected after '{shown}'"))?),
                (false, Some(_)) => return Err(format!("no argument expected after '{shown}'")),
                (_, value) => value,
            };
            match (meaning, value) {
                (Flag(set), _) => set(self),
                (Value(set), Some(value)) => set(self, value)?,
                (Refused(why) | RefusedValue(why), _) => return Err(format!("{shown} is not supported: {why}")),
                (Idle | IdleValue | Value(_), _) => {}
            }
        }
        Ok(())
    }
}

/// Splits a word into the name of an option and the value in it: `-O3`, `-m64`, `-arch=sm_90`.
fn split(word: &str) -> (&str, Option<&str>) {
    if let Some((name, value)) = word.split_once('=') {
        return (name, Some(value));
    }
    if find(word).is_none() {
        if let Some(level) = word.strip_prefix("-O").filter(|level| !level.is_empty()) {
            return ("-O", Some(level));
        }
        if let Some(bits) = word.strip_prefix("-m").filter(|bits| bits.starts_with(|c: char| c.is_ascii_digit())) {
            return ("-m", Some(bits));
        }
    }
    (word, None)
}

/// The row of an option: long names take two dashes, short ones one.
fn find(name: &str) -> Option<&'static (&'static str, &'static str, Meaning)> {
    match name.strip_prefix("--") {
        Some(long) => OPTIONS.iter().find(|row| row.0 == long),
        None => name.strip_prefix('-').and_then(|short| OPTIONS.iter().find(|row| row.1 == short)),
    }
}

/// How ptxas shows an option that it does not know: with one dash, up to a value.
fn unknown(word: &str) -> &str {
    let word = if word.starts_with("--") { &word[1..] } else { word };
    word.split_once('=').map_or(word, |(name, _)| name)
}

fn arch(options: &mut Options, text: &str) -> Result<(), String> {
    options.arch = Arch::read(text).ok_or_else(|| format!("Value '{text}' is not defined for option 'gpu-name'"))?;
    Ok(())
}

fn machine(_: &mut Options, text: &str) -> Result<(), String> {
    if text == "64" { Ok(()) } else { Err(format!("Value '{text}' is not defined for option 'machine'")) }
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("'{text}': expected true or false")),
    }
}

/// A switch that can only be off.
fn off(name: &str, text: &str) -> Result<(), String> {
    if switch(text)? { Err(format!("--{name}=true is not supported")) } else { Ok(()) }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("'{text}': expected a number"))
}

fn level(options: &mut Options, text: &str) -> Result<(), String> {
    options.mode.opt = Some(match number(text)? {
        0 => OptLevel::O0,
        1 => OptLevel::O1,
        2 => OptLevel::O2,
        _ => OptLevel::O3,
    });
    Ok(())
}

fn fast(options: &mut Options, text: &str) -> Result<(), String> {
    options.mode.fast = match text {
        "0" => None,
        "min" | "mid" => Some(OptLevel::O1),
        "max" => Some(OptLevel::O0),
        _ => {
            let known = "is not 'max', 'mid', 'min', or '0'";
            return Err(format!("Invalid value for --Ofast-compile/-Ofc ({text}), {known}"));
        }
    };
    Ok(())
}

/// A limit of registers. One that is too large is ignored, and one that is too small is raised,
/// each with a warning.
fn registers(options: &mut Options, text: &str) -> Result<(), String> {
    let (least, most) = REGISTERS;
    let count = match text {
        "archmin" => i64::from(least),
        "archmax" => i64::from(most),
        _ => text.parse::<i64>().map_err(|_| format!("Invalid value '{text}' for option 'maxrregcount'"))?,
    };
    options.codegen.maxrregcount = match u32::try_from(count) {
        Ok(count) if count < least => {
            let arch = options.arch.target().name;
            let what = format!("adjusting per thread register count of {count} to lower bound of {least}");
            options.warnings.push(format!("For profile {arch} {what}"));
            Some(least)
        }
        Ok(count) if count <= most => Some(count),
        _ => {
            options.warnings.push(format!("Too big maxrregcount value specified {count}, will be ignored"));
            None
        }
    };
    Ok(())
}

/// A cache operator of all loads or stores.
fn cache(rule: &mut CacheRule, name: &str, how: &str, access: &str, text: &str) -> Result<(), String> {
    let read = parse_carried(&format!("-{name}={text}"));
    match read.loads.or(read.stores) {
        // A forced operator takes precedence, in any order.
        Some(CacheRule::Default(_)) if matches!(rule, CacheRule::Forced(_)) => Ok(()),
        Some(read) => {
            *rule = read;
            Ok(())
        }
        None => Err(format!("Invalid {how} cache modifier on {access} specified: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_driver::options::CacheOperator;

    fn read(words: &[&str]) -> Result<Options, String> {
        let mut options = Options::new(Arch::read("sm_75").unwrap());
        options.read(words).map(|()| options)
    }

    #[test]
    fn options_are_read_in_every_spelling() {
        let words = [
            "--gpu-name",
            "sm_90a",
            "-O1",
            "-v",
            "-c",
            "-lineinfo",
            "--fmad=false",
            "-m64",
            "-e",
            "a,b",
            "-maxrregcount=40",
        ];
        let options = read(&words).unwrap();
        assert_eq!(options.arch.target().name, "sm_90a");
        assert_eq!((options.mode.opt, options.verbose, options.mode.compile_only), (Some(OptLevel::O1), true, true));
        let CodegenOptions { fmad, lineinfo, maxrregcount, .. } = options.codegen;
        assert_eq!(
            (fmad, lineinfo, maxrregcount, options.entries),
            (false, true, Some(40), vec!["a".into(), "b".into()])
        );
        assert!(matches!(read(&["-arch=compute_80"]).unwrap().arch, Arch::Virtual(target) if target.name == "sm_80"));
        let cached = read(&["-flcm=cg", "-dlcm=ca", "--def-store-cache", "wt"]).unwrap().codegen;
        assert_eq!(cached.loads, CacheRule::Forced(CacheOperator::Cg));
        assert_eq!(cached.stores, CacheRule::Default(CacheOperator::Wt));
    }

    #[test]
    fn mistakes_have_the_messages_of_ptxas() {
        for (words, want) in [
            (&["--frob"][..], "Unknown option '-frob'"),
            (&["-frob=3"], "Unknown option '-frob'"),
            (&["--gpu-name sm_80"], "Unknown option '-gpu-name sm_80'"),
            (&["-arch=sm_80 -v"], "Value 'sm_80 -v' is not defined for option 'gpu-name'"),
            (&["-arch"], "argument expected after '-arch'"),
            (&["-c=1"], "no argument expected after '-c'"),
            (&["x.ptx"], "Input file 'x.ptx' could not be opened"),
            (&[""], "Input file '' could not be opened"),
            (&["-Ox"], "'x': expected a number"),
            (&["--fmad=frob"], "'frob': expected true or false"),
            (&["-maxrregcount=x"], "Invalid value 'x' for option 'maxrregcount'"),
            (&["-dlcm=frob"], "Invalid default cache modifier on load specified: frob"),
            (&["-m=32"], "Value '32' is not defined for option 'machine'"),
            (&["-maxntid", "128"], "-maxntid is not supported: use the directive in the PTX, for each kernel"),
        ] {
            assert_eq!(read(words), Err(want.to_owned()), "{words:?}");
        }
        let few = read(&["-maxrregcount=16", "-maxrregcount=300"]).unwrap();
        assert_eq!((few.codegen.maxrregcount, few.warnings.len()), (None, 2));
    }

    /// What `ptxas --help` lists and this table has not, each with the reason.
    const WITHOUT: &[&str] = &[
        // They print, which a library does not.
        "help",
        "list-version",
        "version",
    ];

    #[test]
    fn every_option_of_ptxas_has_a_row() {
        let Some(ptxas) = raddle_filetest::oracle::require("ptxas") else { return };
        let help = String::from_utf8(ptxas.run(&["--help"]).unwrap()).unwrap();
        let rows = help.lines().filter(|line| line.starts_with("--"));
        let mut seen = 0;
        for row in rows {
            let long = row[2..].split([' ', '\t']).next().unwrap();
            let short = row.rsplit_once("(-").unwrap().1.trim_end().trim_end_matches(')');
            seen += 1;
            match OPTIONS.iter().find(|ours| ours.0 == long) {
                Some(ours) => assert_eq!(ours.1, short),
                None => assert!(WITHOUT.contains(&long), "{long}"),
            }
        }
        assert!(seen > 45, "{seen}");
    }
}
