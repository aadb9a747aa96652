//! The options of cuobjdump, by all of their names, and their meaning under that name.
//!
//! Source of names and meanings: `cuobjdump --help` (13.4.92, which is what is packaged beside CUDA
//! 13.0), and its behaviour. A test compares the table with that text.

use crate::Meaning::{self, Here, InPart, NoEffect};
use crate::{REAL_NAMES, Row, Takes, Tool};

const fn row(long: &'static str, short: &'static str, takes: Takes, meaning: Meaning) -> Row {
    Row { long, short, takes, meaning, under_name: None, in_library: None }
}

const fn flag(long: &'static str, short: &'static str, meaning: Meaning) -> Row {
    row(long, short, Takes::Nothing, meaning)
}

/// The tool.
pub static CUOBJDUMP: Tool = Tool { name: "cuobjdump", inputs: "<file>", options: OPTIONS };

/// All options of cuobjdump, in the order of its help.
pub static OPTIONS: &[Row] = &[
    flag("all-fatbin", "all", NoEffect("all fatbins of a file are read")),
    flag("dump-elf", "elf", InPart("sections, symbols and constant banks; other contents are left out")),
    flag("dump-elf-symbols", "symbols", Here),
    flag("dump-ptx", "ptx", Here),
    flag("dump-resource-usage", "res-usage", Here),
    flag("dump-sass", "sass", Here),
    row("extract-elf", "xelf", Takes::List, Here),
    row("extract-ptx", "xptx", Takes::List, Here),
    row("extract-text", "xtext", Takes::List, Here),
    row("function", "fun", Takes::List, Here),
    row("function-index", "findex", Takes::Number, Here),
    row("gpu-architecture", "arch", Takes::Choice(REAL_NAMES), Here),
    flag("help", "h", Here),
    flag("list-elf", "lelf", Here),
    flag("list-ptx", "lptx", Here),
    flag("list-text", "ltext", Here),
    row("options-file", "optf", Takes::List, Here),
    flag("sort-functions", "sort", Here),
    flag("version", "V", Here),
];
