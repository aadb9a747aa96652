//! The options of fatbinary, by all of their names, and their meaning under that name.
//!
//! Source of names and meanings: `fatbinary --help` (13.0.88), and its behaviour. A test compares the
//! table with that text.

use crate::Meaning::{self, AlreadySo, Here, InPart, NoEffect, NotSupported};
use crate::{Row, Takes, Tool};

/// The tool.
pub static FATBINARY: Tool = Tool { name: "fatbinary", inputs: "", options: OPTIONS };

const fn row(long: &'static str, short: &'static str, takes: Takes, meaning: Meaning) -> Row {
    Row { long, short, takes, meaning, under_name: None, in_library: None }
}

const fn flag(long: &'static str, short: &'static str, meaning: Meaning) -> Row {
    row(long, short, Takes::Nothing, meaning)
}

/// All options of fatbinary 13.0.88, in the order of its help, followed by one that it accepts but
/// does not list, and one of older versions, by which clang 19 calls it.
pub static OPTIONS: &[Row] = &[
    flag("32", "32", NotSupported("addresses have 64 bits; fatbinary refuses it too")),
    flag("64", "64", AlreadySo("addresses have 64 bits")),
    row("cmdline", "cmdline", Takes::Text, Here),
    row("compress", "compress", Takes::Bool, Here),
    flag("compress-all", "compress-all", Here),
    row("compress-mode", "compress-mode", Takes::Text, Here),
    row("create", "create", Takes::Text, Here),
    flag("debug", "g", Here),
    flag("device-c", "c", Here),
    row("embedded-fatbin", "fatbin", Takes::Text, Here),
    flag("help", "h", Here),
    row("ident", "ident", Takes::Text, Here),
    row("image2", "image2", Takes::Whole, NotSupported("files for several architectures are not packed into fatbins")),
    row("image3", "image3", Takes::Whole, Here),
    flag("link", "link", Here),
    flag("no-asm", "no-asm", Here),
    row("options-file", "optf", Takes::List, Here),
    flag("version", "V", Here),
    row("cicc-cmdline", "cicc-cmdline", Takes::Text, NoEffect("it is for LTO-IR, which is refused")),
    row("image", "image", Takes::Whole, InPart("fatbinary 13.0 does not have it; clang 19 gives it")),
];
