//! Reads a command line by the table of a tool.
//!
//! Long names take two dashes, short ones one. A value follows `=` or is the next word, whatever
//! that begins with; after some names of one letter it may be appended (`-O3`, `-m64`). A lone dash is
//! an input. `--options-file` puts the words of a file in its place; `@FILE` does so too where there
//! is no input of that name, for callers that know no better.
//!
//! Messages are those of the tools (ptxas 13.0.88 output): callers look for some of them.

use crate::number::integer;
use crate::{Row, Takes, Tool, words};

/// A command line that a tool refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// No option has this name, which is given without its first dash.
    #[error("Unknown option '{0}'")]
    Unknown(String),
    /// The value is missing.
    #[error("argument expected after '{0}'")]
    Missing(String),
    /// There is a value, and the option takes none.
    #[error("no argument expected after '{0}'")]
    Unexpected(String),
    /// Not a number.
    #[error("'{0}': expected a number")]
    NotANumber(String),
    /// A number of more than 32 bits.
    #[error("32-bit integer value ({0}) out of range")]
    OutOfRange(String),
    /// Not a truth value.
    #[error("'{0}': expected true or false")]
    NotABool(String),
    /// None of the values of the option.
    #[error("Value '{value}' is not defined for option '{option}'")]
    Undefined {
        /// The value.
        value: String,
        /// The option's long name.
        option: &'static str,
    },
    /// An options file cannot be read.
    #[error("Could not open options file '{0}'")]
    NoFile(String),
    /// Options files that name each other.
    #[error("Too many options file opened '{0}'")]
    TooDeep(String),
    /// A quote in an options file is not closed.
    #[error("Stray '\"' character")]
    Quote,
}

/// An option with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The row of the table.
    pub index: usize,
    /// Its value: empty where it takes none.
    pub value: String,
}

/// A command line that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The options, in order; a list is one per value.
    pub options: Vec<Given>,
    /// The other words.
    pub inputs: Vec<String>,
    /// Warnings, as the tools word them.
    pub warnings: Vec<String>,
}

impl Line {
    /// Whether an option is given.
    pub fn has(&self, tool: &Tool, long: &str) -> bool {
        self.values(tool, long).next().is_some()
    }

    /// The values of an option, in order.
    pub fn values<'a>(&'a self, tool: &Tool, long: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let index = tool.index(long);
        self.options.iter().filter(move |given| Some(given.index) == index).map(|given| given.value.as_str())
    }

    /// The value that counts: the last.
    pub fn value<'a>(&'a self, tool: &Tool, long: &str) -> Option<&'a str> {
        self.values(tool, long).last()
    }
}

/// Access to files.
pub trait Files {
    /// The text of a file; `None` if it cannot be read.
    fn text(&self, path: &str) -> Option<String>;
    /// Whether there is a file of this name.
    fn exists(&self, path: &str) -> bool;
}

/// The files of the system.
#[derive(Clone, Copy, Debug)]
pub struct System;

impl Files for System {
    fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(path).ok()
    }

    fn exists(&self, path: &str) -> bool {
        std::path::Path::new(path).exists()
    }
}

/// The name of the option by which all tools read options from files.
const OPTIONS_FILE: &str = "options-file";
/// Options files that may be open at once.
const DEPTH: usize = 16;

/// Reads the words after the tool's name.
///
/// # Errors
/// The first word that the tool would refuse.
pub fn read(tool: &Tool, words: &[String], files: &dyn Files) -> Result<Line, LineError> {
    let mut line = Line::default();
    Reader { tool, files, depth: 0 }.read(words, &mut line)?;
    Ok(line)
}

struct Reader<'a> {
    tool: &'a Tool,
    files: &'a dyn Files,
    depth: usize,
}

impl Reader<'_> {
    fn read(&self, words: &[String], line: &mut Line) -> Result<(), LineError> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if let Some(path) = word.strip_prefix('@')
                && !self.files.exists(word)
                && self.files.exists(path)
            {
                self.file(path, line)?;
                continue;
            }
            if word.len() < 2 || !word.starts_with('-') {
                line.inputs.push(word.clone());
                continue;
            }
            let (index, shown, value) = self.named(word)?;
            let row = &self.tool.options[index];
            let value = match (row.takes, value) {
                (Takes::Nothing, None) => String::new(),
                (Takes::Nothing, Some(_)) => return Err(LineError::Unexpected(shown.to_owned())),
                (_, Some(value)) => value.to_owned(),
                // `--opt-level N` takes the next word; `-O` alone is the default.
                (Takes::Level, None) if !shown.starts_with("--") => continue,
                (_, None) => words.next().cloned().ok_or_else(|| LineError::Missing(shown.to_owned()))?,
            };
            self.take(index, row, value, line)?;
        }
        Ok(())
    }

    /// The option of a word, the name as it stands there, and the value in the word.
    fn named<'w>(&self, word: &'w str) -> Result<(usize, &'w str, Option<&'w str>), LineError> {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let unknown = || LineError::Unknown(name[1..].to_owned());
        let position = |wanted: &dyn Fn(&Row) -> bool| self.tool.options.iter().position(wanted);
        if let Some(long) = name.strip_prefix("--") {
            return position(&|row| row.long == long).map(|at| (at, name, value)).ok_or_else(unknown);
        }
        if let Some(at) = position(&|row| !row.short.is_empty() && row.short == &name[1..]) {
            return Ok((at, name, value));
        }
        // A name of one letter with its value appended.
        let first = word[1..].chars().next().map_or(1, char::len_utf8);
        let (short, rest) = word[1..].split_at(first);
        let appended = |row: &Row| row.short == short && row.appends();
        position(&appended).map(|at| (at, &word[..=first], Some(rest))).ok_or_else(unknown)
    }

    fn take(&self, index: usize, row: &Row, value: String, line: &mut Line) -> Result<(), LineError> {
        let is_number = |value: &str| integer(value).is_some();
        match row.takes {
            Takes::Number | Takes::Level => match integer(&value).map(i32::try_from) {
                None => return Err(LineError::NotANumber(value)),
                Some(Err(_)) => return Err(LineError::OutOfRange(value)),
                Some(Ok(_)) => Self::redefined(index, row, &value, line),
            },
            Takes::Bool if value != "true" && value != "false" => return Err(LineError::NotABool(value)),
            Takes::Choice(values) if is_number(values[0]) && !is_number(&value) => {
                return Err(LineError::NotANumber(value));
            }
            Takes::Choice(values) if !values.contains(&value.as_str()) => {
                return Err(LineError::Undefined { value, option: row.long });
            }
            Takes::List => {
                let parts = value.split(',').filter(|part| !part.is_empty());
                if row.long == OPTIONS_FILE {
                    return parts.into_iter().try_for_each(|path| self.file(path, line));
                }
                line.options.extend(parts.map(|part| Given { index, value: part.to_owned() }));
                return Ok(());
            }
            Takes::Text | Takes::Bool | Takes::Choice(_) => Self::redefined(index, row, &value, line),
            Takes::Nothing | Takes::Whole => {}
        }
        line.options.push(Given { index, value });
        Ok(())
    }

    /// Warns if the option has another value already.
    fn redefined(index: usize, row: &Row, value: &str, line: &mut Line) {
        let last = line.options.iter().rfind(|given| given.index == index);
        if last.is_some_and(|given| given.value != value) {
            let option = row.long;
            line.warnings.push(format!(
                "incompatible redefinition for option '{option}', the last value of this option was used"
            ));
        }
    }

    /// Reads the words of a file.
    fn file(&self, path: &str, line: &mut Line) -> Result<(), LineError> {
        if self.depth == DEPTH {
            return Err(LineError::TooDeep(path.to_owned()));
        }
        let text = self.files.text(path).ok_or_else(|| LineError::NoFile(path.to_owned()))?;
        let words = words::split(&text).ok_or(LineError::Quote)?;
        Reader { depth: self.depth + 1, ..*self }.read(&words, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptxas::PTXAS;
    use std::collections::BTreeMap;

    struct Fake(BTreeMap<&'static str, &'static str>);

    impl Files for Fake {
        fn text(&self, path: &str) -> Option<String> {
            self.0.get(path).map(|text| (*text).to_owned())
        }

        fn exists(&self, path: &str) -> bool {
            self.0.contains_key(path)
        }
    }

    fn line(words: &str) -> Result<Line, LineError> {
        let files = Fake(
            [("f", "-arch sm_80 -c"), ("g", "-optf f k.ptx"), ("loop", "-optf loop"), ("@odd", ""), ("q", "\"")].into(),
        );
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        read(&PTXAS, &words, &files)
    }

    /// What was read, in long names.
    fn shown(words: &str) -> String {
        let line = line(words).unwrap();
        let options = line.options.iter().map(|given| {
            let row = &PTXAS.options[given.index];
            if row.takes_value() { format!("{}={}", row.long, given.value) } else { row.long.to_owned() }
        });
        options.chain(line.inputs.iter().map(|input| format!("[{input}]"))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_spelling_is_read() {
        for (words, want) in [
            ("-arch sm_90 k.ptx", "gpu-name=sm_90 [k.ptx]"),
            ("-arch=sm_90 --output-file x", "gpu-name=sm_90 output-file=x"),
            ("-O3 -O=1 -O --opt-level 2 -m64 -m 64", "opt-level=3 opt-level=1 opt-level=2 machine=64 machine=64"),
            ("--entry a,b, -e c --entry=d", "entry=a entry=b entry=c entry=d"),
            ("-maxrregcount -1 -", "maxrregcount=-1 [-]"),
            ("-optf f,f -v", "gpu-name=sm_80 compile-only gpu-name=sm_80 compile-only verbose"),
            ("-optf g @f @odd @none", "gpu-name=sm_80 compile-only gpu-name=sm_80 compile-only [k.ptx] [@odd] [@none]"),
            ("-ias a,b", "input-as-string=a,b"),
        ] {
            assert_eq!(shown(words), want, "{words}");
        }
    }

    #[test]
    fn wrong_lines_are_refused_in_the_words_of_ptxas() {
        for (words, want) in [
            ("--bogus=1", "Unknown option '-bogus'"),
            ("-bogus", "Unknown option 'bogus'"),
            ("--", "Unknown option '-'"),
            ("-vx", "Unknown option 'vx'"),
            ("-ec", "Unknown option 'ec'"),
            ("-opt-level=1", "Unknown option 'opt-level'"),
            ("-maxrregcount32", "'axrregcount32': expected a number"),
            ("-o", "argument expected after '-o'"),
            ("--verbose=true", "no argument expected after '--verbose'"),
            ("-arch sm_50", "Value 'sm_50' is not defined for option 'gpu-name'"),
            ("-m32", "Value '32' is not defined for option 'machine'"),
            ("--fmad k.ptx", "'k.ptx': expected true or false"),
            ("-Ox", "'x': expected a number"),
            ("-optf none", "Could not open options file 'none'"),
            ("-optf loop", "Too many options file opened 'loop'"),
            ("-optf q", "Stray '\"' character"),
        ] {
            assert_eq!(line(words).unwrap_err().to_string(), want, "{words}");
        }
    }

    #[test]
    fn another_value_is_worth_a_warning() {
        let warned = |words| line(words).unwrap().warnings;
        assert!(warned("-arch sm_90 -arch sm_90 -v -v -e a -e b").is_empty());
        let want = "incompatible redefinition for option 'fmad', the last value of this option was used";
        assert_eq!(warned("-fmad=true -fmad=false"), [want]);
        assert_eq!(line("-arch sm_90 -arch sm_80").unwrap().value(&PTXAS, "gpu-name"), Some("sm_80"));
    }
}
