//! The options of nvlink, by all of their names, and their meaning under that name.
//!
//! Source of names and meanings: `nvlink --help` (13.0.88), and its behaviour. A test compares the
//! table with that text.

use crate::Meaning::{self, AlreadySo, Here, NoEffect, NotSupported, Same};
use crate::{GPU_NAMES, Row, Takes, Tool};

/// The tool.
pub static NVLINK: Tool = Tool { name: "nvlink", inputs: "<objects>", options: OPTIONS };

const fn row(long: &'static str, short: &'static str, takes: Takes, meaning: Meaning) -> Row {
    Row { long, short, takes, meaning, under_name: None, in_library: None }
}

const fn flag(long: &'static str, short: &'static str, meaning: Meaning) -> Row {
    row(long, short, Takes::Nothing, meaning)
}

/// For options of the optimiser of NVIDIA's LTO-IR.
const OF_LTO_IR: Meaning = NoEffect("it is for the optimisation of NVIDIA's LTO-IR");
const KEPT: Meaning = NoEffect("kernels and variables are kept, used or not");
const LTO_IR: Meaning =
    NotSupported("NVIDIA's library alone reads LTO-IR; RADDLE_NVJITLINK names it, and then the option is accepted");

/// The values of `--cpu-arch`.
const CPUS: &[&str] = &["AARCH64", "ARMv7", "PPC64LE", "X86", "X86_64", "unknown"];

/// All options of nvlink 13.0.88, in the order of its help, followed by those that it accepts but does
/// not list.
pub static OPTIONS: &[Row] = &[
    row("Ofast-compile", "Ofc", Takes::Text, OF_LTO_IR),
    row("Xnvvm", "Xnvvm", Takes::List, OF_LTO_IR),
    row("Xptxas", "Xptxas", Takes::List, OF_LTO_IR),
    row("arch", "arch", Takes::Choice(GPU_NAMES), Here),
    row("cpu-arch", "cpu-arch", Takes::Choice(CPUS), NoEffect("the output has nothing of the host")),
    flag("debug", "g", AlreadySo("debug information of objects is linked")),
    row("device-stack-protector", "device-stack-protector", Takes::Bool, OF_LTO_IR),
    flag("disable-infos", "disable-infos", AlreadySo("there are no infos but those of -v, which nvlink prints too")),
    flag("disable-warnings", "w", Same("no-warnings")),
    flag("dlto", "dlto", LTO_IR),
    flag("dump-callgraph", "dump-callgraph", NotSupported("`raddle link --why-live` and `--map` say who needs what")),
    flag(
        "dump-callgraph-no-demangle",
        "dump-callgraph-no-demangle",
        NotSupported("`raddle link --why-live` and `--map` say who needs what"),
    ),
    flag("emit-ptx", "emit-ptx", NotSupported("machine code is the only output of a link")),
    flag("extra-warnings", "extrawarn", NoEffect("there are no further warnings")),
    row(
        "gen-host-linker-script",
        "ghls",
        Takes::Choice(&["lcs-abs", "lcs-aug"]),
        NotSupported("nothing is written for the host's linker"),
    ),
    flag("help", "h", Here),
    flag("ignore-host-info", "ignore-host-info", AlreadySo("references of the host are not read")),
    flag("keep-system-libraries", "keep-system-libraries", NoEffect("members of libraries are linked where needed")),
    row("kernels-used", "kernels-used", Takes::List, KEPT),
    row("library", "l", Takes::List, Here),
    row("library-path", "L", Takes::List, Same("library-path")),
    flag("link-time-opt", "lto", LTO_IR),
    row("machine", "m", Takes::Choice(&["64"]), Here),
    row("maxrregcount", "maxrregcount", Takes::Number, OF_LTO_IR),
    row("nvvmpath", "nvvmpath", Takes::Text, OF_LTO_IR),
    row("options-file", "optf", Takes::List, Here),
    row("output-file", "o", Takes::Text, Here),
    flag("preserve-relocs", "preserve-relocs", NotSupported("an executable has no relocations; -r keeps all of them")),
    row("register-link-binaries", "", Takes::Text, Here),
    flag("relocatable-link", "r", Same("relocatable")),
    flag("report-arch", "report-arch", Here),
    row("split-compile", "split-compile", Takes::Number, OF_LTO_IR),
    row("split-compile-extended", "split-compile-extended", Takes::Number, Here),
    flag("suppress-arch-warning", "suppress-arch-warning", AlreadySo("there is no such warning")),
    flag("suppress-debug-info", "suppress-debug-info", NoEffect("debug information of objects is linked")),
    flag("suppress-stack-size-warning", "suppress-stack-size-warning", Here),
    row("time", "time", Takes::Text, NoEffect("RADDLE_REPORT has the times")),
    row("uidx-file", "uidx", Takes::Text, OF_LTO_IR),
    flag("use-host-info", "use-host-info", KEPT),
    row("variables-used", "variables-used", Takes::List, KEPT),
    flag("verbose", "v", Here),
    flag("version", "V", Here),
    flag("warning-as-error", "Werror", Same("warnings-as-errors")),
    flag("shared", "shared", NoEffect("the output has nothing of the host")),
    row("host-ccbin", "host-ccbin", Takes::Text, NoEffect("the output has nothing of the host")),
];
