//! The options of ptxas, by all of their names, and their meaning as options of `raddle compile` and
//! under the name `ptxas`.
//!
//! Source of names and meanings: `ptxas --help` (13.0.88), and its behaviour. A test compares the
//! table with that text.

use crate::Meaning::{self, AlreadySo, ByValue, FallbackOnly, Here, InPart, NoEffect, NotSupported, Same};
use crate::{GPU_NAMES, Row, Takes, Tool};

/// The tool.
pub static PTXAS: Tool = Tool { name: "ptxas", inputs: "<ptx file>,...", options: OPTIONS };

const fn row(long: &'static str, short: &'static str, takes: Takes, meaning: Meaning) -> Row {
    Row { long, short, takes, meaning, under_name: None, in_library: None }
}

const fn flag(long: &'static str, short: &'static str, meaning: Meaning) -> Row {
    row(long, short, Takes::Nothing, meaning)
}

const NO_OUTPUT: Meaning = NotSupported("a library prints nothing");
const NO_ADVICE: &str = "Raddle gives no such advice";
const DIRECTIVE: &str = "use the directive in the PTX, for each kernel";
const ONE_LEVEL: Meaning = NoEffect("use -O");
const TMEM: Meaning = FallbackOnly("it is for tcgen05, which no architecture supported by Raddle has");

/// All options of ptxas 13.0.88, in the order of its help, followed by those that it accepts but does
/// not list.
pub static OPTIONS: &[Row] = &[
    row("Ofast-compile", "Ofc", Takes::Text, Same("Ofast-compile")).named(Here),
    row(
        "allow-expensive-optimizations",
        "allow-expensive-optimizations",
        Takes::Bool,
        ByValue(&[("true", ONE_LEVEL), ("false", ONE_LEVEL)]),
    ),
    flag("compile-as-tools-patch", "astoolspatch", Same("compile-as-tools-patch"))
        .named(NotSupported("code that tools patch into running kernels follows no published convention")),
    flag("compile-only", "c", Same("compile-only")).named(Here),
    flag("compiler-annotations", "annotate", NoEffect("the notes are about ptxas' own passes")),
    row("def-load-cache", "dlcm", Takes::Text, Same("def-load-cache")).named(Here),
    row("def-store-cache", "dscm", Takes::Text, Same("def-store-cache")).named(Here),
    flag("device-debug", "g", Same("device-debug")).named(Here),
    row(
        "device-function-maxrregcount",
        "func-maxrregcount",
        Takes::Text,
        NotSupported("one limit holds for kernels and functions of an object: --maxrregcount"),
    ),
    row(
        "device-stack-protector",
        "device-stack-protector",
        Takes::Bool,
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
    row("entry", "e", Takes::List, Same("entry")),
    flag("extensible-whole-program", "ewp", Same("extensible-whole-program")).named(Here),
    row("fmad", "fmad", Takes::Bool, Same("fmad")),
    row("force-load-cache", "flcm", Takes::Text, Same("force-load-cache")).named(Here),
    row("force-store-cache", "fscm", Takes::Text, Same("force-store-cache")).named(Here),
    flag("g-tensor-memory-access-check", "g-tmem-access-check", TMEM),
    flag("generate-line-info", "lineinfo", Same("generate-line-info")).named(Here),
    flag("gno-tensor-memory-access-check", "gno-tmem-access-check", TMEM),
    row("gpu-name", "arch", Takes::Choice(GPU_NAMES), Same("arch")).named(Here),
    flag("help", "h", Same("help")).named(Here).called(NO_OUTPUT),
    row("input-as-string", "ias", Takes::Whole, NotSupported("give the PTX on standard input, as the file `-`"))
        .named(Here)
        .called(NotSupported("the PTX is that of nvPTXCompilerCreate")),
    flag("legacy-bar-warp-wide-behavior", "legacy-bar-warp-wide-behavior", Same("legacy-bar-warp-wide-behavior"))
        .named(NoEffect("it is for architectures below sm_70")),
    flag("list-version", "version-ls", NotSupported("`raddle doctor` names the newest version of PTX that is read"))
        .named(Here)
        .called(NO_OUTPUT),
    row("machine", "m", Takes::Choice(&["64"]), ByValue(&[("64", AlreadySo("hosts have 64 bits"))])).named(Here),
    flag(
        "make-errors-visible-at-exit",
        "make-errors-visible-at-exit",
        NotSupported("there is no such code at the ends of kernels"),
    ),
    row("maxntid", "maxntid", Takes::List, NotSupported(DIRECTIVE)).named(Here),
    row("maxrregcount", "maxrregcount", Takes::Text, Same("maxrregcount")).named(Here),
    row("minnctapersm", "minnctapersm", Takes::Number, NotSupported(DIRECTIVE)).named(Here),
    row("opt-level", "O", Takes::Level, Same("opt-level")).named(Here),
    flag("optimize-float-atomics", "opt-fp-atomics", AlreadySo("the optimisation that it permits is not done")),
    row(
        "options-file",
        "optf",
        Takes::List,
        NotSupported("let the shell or the build put the options on the command line"),
    )
    .named(Here),
    row("output-file", "o", Takes::Text, Same("output")).named(Here).called(NoEffect("the application has the bytes")),
    flag("override-directive-values", "override-directive-values", NotSupported("directives of the PTX are kept"))
        .named(InPart("`.reqntid` is kept, since code may depend on it, and -v does not tell")),
    row("position-independent-code", "pic", Takes::Bool, Same("position-independent-code")).named(ByValue(&[
        ("false", AlreadySo("it is the default")),
        ("true", AlreadySo("the loader places the code of every cubin; with -c it is refused")),
    ])),
    flag(
        "preserve-relocs",
        "preserve-relocs",
        NotSupported("an executable is linked whole; -c makes an object with all relocations"),
    ),
    row("register-usage-level", "regUsageLevel", Takes::Number, ByValue(&REGISTER_LEVELS)).named(REGISTER_HINT),
    flag("return-at-end", "ret-end", NoEffect("-O0 keeps every return, and other levels are not for debugging")),
    row(
        "sanitize",
        "sanitize",
        Takes::Choice(&["memcheck", "threadsteer"]),
        NotSupported("Raddle instruments no code; `raddle run` finds stray accesses and races"),
    ),
    flag("sp-bounds-check", "sp-bounds-check", NotSupported("there is no code that checks the stack pointer")),
    row("split-compile", "split-compile", Takes::Number, Same("split-compile")).named(Here),
    flag(
        "suppress-async-bulk-multicast-advisory-warning",
        "suppress-async-bulk-multicast-advisory-warning",
        AlreadySo(NO_ADVICE),
    ),
    flag("suppress-debug-info", "suppress-debug-info", Same("suppress-debug-info")).named(Here),
    flag("suppress-double-demote-warning", "suppress-double-demote-warning", AlreadySo(NO_ADVICE)),
    flag("suppress-sparse-mma-advisory-info", "suppress-sparse-mma-advisory-info", AlreadySo(NO_ADVICE)),
    flag("suppress-stack-size-warning", "suppress-stack-size-warning", Same("suppress-stack-size-warning")),
    flag("verbose", "v", Same("verbose")).named(Here),
    flag("version", "V", Same("version")).named(Here).called(NO_OUTPUT),
    flag("warn-on-double-precision-use", "warn-double-usage", Same("warn-on-double-precision-use")),
    flag("warn-on-local-memory-usage", "warn-lmem-usage", Same("warn-on-local-memory-usage")),
    flag("warn-on-spills", "warn-spills", Same("warn-on-spills")),
    flag("warning-as-error", "Werror", Same("warnings-as-errors")),
    flag("fast-compile", "fast-compile", Same("Ofast-compile=max")).named(Here),
    row("regAllocOptLevel", "regAllocOptLevel", Takes::Number, NoEffect("registers are allocated in one way")),
    row("key", "k", Takes::Text, NoEffect("ptxas has none for it either")),
    row("cloning", "cloning", Takes::Text, NoEffect("no function is cloned for a caller")),
    flag("uumn", "uumn", NoEffect("ptxas has no words for it")),
    flag("jobserver", "jobserver", Same("jobserver")).named(Here),
    row("abi", "abi", Takes::Text, Same("abi")).named(ByValue(&[("yes", AlreadySo("it is the only convention"))])),
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
