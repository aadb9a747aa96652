//! The command lines of the tools that Raddle stands in for: their options as tables, a reader of
//! their spellings, and the page that lists them.
//!
//! Problem: callers have the names, spellings and messages of these tools in their sources.
//! Strategy: a [`Tool`] is a table with a [`Row`] per option; [`line::read`] reads a command line by
//! such a table, in the way in which all of NVIDIA's tools read theirs; [`asked`] judges what a line
//! of ptxas asks for; [`page::page`] prints the tables. What an option does is the caller's business.
//!
//! Invariants: pure, apart from the options files that the caller hands in; a name is one option's.
//!
//! Source of all facts: `--help` of the tools of CUDA 13.0.88, and what they do.
#![forbid(unsafe_code)]

mod archs;
pub mod asked;
pub mod bounds;
pub mod cuobjdump;
pub mod fatbinary;
pub mod line;
pub mod number;
pub mod nvdisasm;
pub mod nvlink;
pub mod page;
pub mod ptxas;
mod words;

pub use archs::{GPU_NAMES, PTX_VERSIONS, REAL_NAMES};

/// The meaning of an option here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The same as the option of `raddle` with this name.
    Same(&'static str),
    /// The same as in the tool itself; `raddle` by its own name has no such option.
    Here,
    /// The same as in the tool but for what this says.
    InPart(&'static str),
    /// Always the case here, for this reason.
    AlreadySo(&'static str),
    /// A hint without effect here, for this reason.
    NoEffect(&'static str),
    /// Only for architectures that need the tool itself; without it, a hint, with this reason.
    FallbackOnly(&'static str),
    /// Not supported, for this reason.
    NotSupported(&'static str),
    /// Depends on the value; any other value is an error.
    ByValue(&'static [(&'static str, Meaning)]),
}

/// What follows the name of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A value; the last one counts, and another one than before is worth a warning.
    Text,
    /// A whole number.
    Number,
    /// A number that is appended to the name, or follows `=`; it may be left out.
    Level,
    /// `true` or `false`.
    Bool,
    /// Values separated by commas, which add up.
    List,
    /// A value that adds up without being cut at commas.
    Whole,
    /// One of these.
    Choice(&'static [&'static str]),
}

/// An option of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name after two dashes.
    pub long: &'static str,
    /// Its name after a single dash; empty if there is none.
    pub short: &'static str,
    /// What follows it.
    pub takes: Takes,
    /// Its meaning as an option of `raddle compile` (ptxas), or under the name of the tool.
    pub meaning: Meaning,
    /// Its meaning under the name of the tool, where that is another one.
    pub under_name: Option<Meaning>,
    /// Its meaning in the library that takes the tool's options, where that is another one than
    /// under the name of the tool.
    pub in_library: Option<Meaning>,
}

/// Where the options of a tool are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a command line, under the name of the tool.
    Command,
    /// In a call of a library: nvPTXCompiler takes the options of ptxas.
    Library,
}

impl Row {
    /// The same row with another meaning under the name of the tool.
    #[must_use]
    pub const fn named(self, meaning: Meaning) -> Row {
        Row { under_name: Some(meaning), ..self }
    }

    /// The same row with another meaning in the library.
    #[must_use]
    pub const fn called(self, meaning: Meaning) -> Row {
        Row { in_library: Some(meaning), ..self }
    }

    /// Its meaning in a place.
    pub fn meaning_in(&self, place: Place) -> Meaning {
        self.in_library.filter(|_| place == Place::Library).unwrap_or(self.under_name())
    }

    /// Whether its value may be appended to its short name.
    pub fn appends(&self) -> bool {
        matches!(self.short, "O" | "m" | "l" | "L") && self.takes_value()
    }

    /// Its meaning under the name of the tool.
    pub fn under_name(&self) -> Meaning {
        self.under_name.unwrap_or(self.meaning)
    }

    /// Whether it takes a value.
    pub fn takes_value(&self) -> bool {
        self.takes != Takes::Nothing
    }
}

/// A tool.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its inputs, as in the first line of its help.
    pub inputs: &'static str,
    /// Its options, in the order of its help, followed by those that it does not list.
    pub options: &'static [Row],
}

/// All tools with a table.
pub static TOOLS: &[&Tool] =
    &[&ptxas::PTXAS, &nvlink::NVLINK, &fatbinary::FATBINARY, &cuobjdump::CUOBJDUMP, &nvdisasm::NVDISASM];

impl Tool {
    /// The number of an option, by the name after two dashes.
    pub fn index(&self, long: &str) -> Option<usize> {
        self.options.iter().position(|row| row.long == long)
    }

    /// A short help.
    pub fn help(&self) -> String {
        let mut out = format!("\nUsage  : {} [options] {}", self.name, self.inputs);
        out.truncate(out.trim_end().len());
        out += "\n\nOptions\n=======\n\n";
        for row in self.options {
            let value = match row.takes {
                Takes::Nothing => "",
                Takes::Number | Takes::Level => " <N>",
                Takes::Bool => " <true|false>",
                Takes::List | Takes::Whole => " <value>,...",
                Takes::Text | Takes::Choice(_) => " <value>",
            };
            let names = format!("--{}{value}", row.long);
            let short = if row.short.is_empty() { String::new() } else { format!("(-{})", row.short) };
            let (class, why) = page::class(row.under_name());
            out += format!("{names:<56}{short}").trim_end();
            out += &format!("\n        {class}{}{why}.\n\n", if why.is_empty() { "" } else { ": " });
        }
        out
    }
}
