//! The options of nvdisasm, by all of their names, and their meaning under that name.
//!
//! Source of names and meanings: `nvdisasm --help` (13.4.92, which is what is packaged beside CUDA
//! 13.0), and its behaviour. A test compares the table with that text.

use crate::Meaning::{self, AlreadySo, Here, NoEffect, NotSupported};
use crate::{Row, Takes, Tool};

const fn row(long: &'static str, short: &'static str, takes: Takes, meaning: Meaning) -> Row {
    Row { long, short, takes, meaning, under_name: None, in_library: None }
}

const fn flag(long: &'static str, short: &'static str, meaning: Meaning) -> Row {
    row(long, short, Takes::Nothing, meaning)
}

/// The tool.
pub static NVDISASM: Tool = Tool { name: "nvdisasm", inputs: "<image file>", options: OPTIONS };

const GRAPH: Meaning = NotSupported("there are no control flow graphs");
const LINES: Meaning = NotSupported("source lines are not printed beside instructions");
const RANGES: Meaning = NotSupported("live ranges are not computed from machine code");
const JSON: Meaning = NotSupported("`raddle disasm --message-format json` is another format");

/// The values of `--binary`.
const RAW: &[&str] = &[
    "SM100", "SM100a", "SM100f", "SM101", "SM101a", "SM101f", "SM103", "SM103a", "SM103f", "SM107", "SM107a", "SM107f",
    "SM110", "SM110a", "SM110f", "SM120", "SM120a", "SM120f", "SM121", "SM121a", "SM121f", "SM75", "SM80", "SM86",
    "SM87", "SM88", "SM89", "SM90", "SM90a",
];

/// All options of nvdisasm, in the order of its help.
pub static OPTIONS: &[Row] = &[
    flag("annotate", "annotate", JSON),
    row("base-address", "base", Takes::Text, NoEffect("it is for raw binaries, which are refused")),
    row("binary", "b", Takes::Choice(RAW), NotSupported("instructions are read from cubins")),
    row("cuda-function-index", "fun", Takes::List, NotSupported("all functions are printed")),
    flag("emit-json", "json", JSON),
    flag("help", "h", Here),
    row("life-range-mode", "lrm", Takes::Choice(&["count", "narrow", "wide"]), RANGES),
    flag("no-dataflow", "ndf", AlreadySo("targets are those that the instructions name")),
    flag("no-vliw", "novliw", AlreadySo("one instruction is a line")),
    row("options-file", "optf", Takes::List, Here),
    flag("output-control-flow-graph", "cfg", GRAPH),
    flag("output-control-flow-graph-with-basic-blocks", "bbcfg", GRAPH),
    flag("print-code", "c", AlreadySo("code is all that is printed, without the option too")),
    flag("print-instr-offsets-cfg", "poff", GRAPH),
    flag("print-instruction-encoding", "hex", Here),
    flag("print-life-ranges", "plr", RANGES),
    flag("print-line-info", "g", LINES),
    flag("print-line-info-inline", "gi", LINES),
    flag("print-line-info-ptx", "gp", LINES),
    flag("print-raw", "raw", NotSupported("branches are printed with labels")),
    flag("separate-functions", "sf", NoEffect("functions stand apart")),
    flag("sort-sections", "sort", NoEffect("code comes in the order of the file")),
    flag("version", "V", Here),
];
