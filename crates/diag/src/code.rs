//! Stable codes and the tables that explain them.
//!
//! Each crate owns a range and declares its codes with [`codes!`](crate::codes): a constant per
//! code and one static table. The driver joins the tables into a [`Registry`] for `raddle explain
//! E0123`.
//!
//! | range | owner |
//! |---|---|
//! | 0001-0099 | driver, cli: inputs, outputs, options |
//! | 0100-0299 | ptx |
//! | 0300-0399 | lower (coverage) |
//! | 0400-0499 | ir, opt |
//! | 0500-0599 | codegen |
//! | 0600-0699 | sass |
//! | 0700-0799 | cubin |
//! | 0800-0899 | link |
//! | 0900-0999 | sim |

use std::fmt;

/// The party that must act on a diagnostic; determines the exit code of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The input, or the file system, is wrong: exit code 1.
    Input,
    /// The command line is wrong: exit code 2.
    Usage,
    /// The input is valid but uses an unsupported feature: exit code 3.
    Unsupported,
    /// An internal error of Raddle: exit code 4.
    Internal,
}

impl Class {
    /// The process exit code of a run whose worst error is of this class.
    pub const fn exit_code(self) -> u8 {
        match self {
            Class::Input => 1,
            Class::Usage => 2,
            Class::Unsupported => 3,
            Class::Internal => 4,
        }
    }

    /// The name used in JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Input => "input",
            Class::Usage => "usage",
            Class::Unsupported => "unsupported",
            Class::Internal => "internal",
        }
    }
}

/// A stable code such as `E0123`. Its number never changes its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    number: u16,
    class: Class,
}

impl Code {
    /// Creates a code; use [`codes!`](crate::codes) instead, which also registers the explanation.
    pub const fn new(number: u16, class: Class) -> Code {
        Code { number, class }
    }

    /// The number, 1 to 9999.
    pub const fn number(self) -> u16 {
        self.number
    }

    /// The class of the code.
    pub const fn class(self) -> Class {
        self.class
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "E{:04}", self.number)
    }
}

/// One row of a crate's table of codes.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// One line: the problem.
    pub title: &'static str,
    /// The reason and the remedy, in a few lines.
    pub explanation: &'static str,
}

/// All codes of one crate, ascending.
pub type CodeTable = &'static [CodeInfo];

/// Declares a crate's codes: one constant each, and the table that explains them.
///
/// ```
/// raddle_diag::codes! {
///     /// What this crate can complain about.
///     pub static CODES = [
///         Input E0101 = 101, "unexpected character",
///             "PTX source is ASCII text (PTX ISA 9.0, 4.2).";
///         Unsupported E0102 = 102, "texture instructions", "Not lowered yet.";
///     ];
/// }
/// assert_eq!(E0101.to_string(), "E0101");
/// assert_eq!(CODES.len(), 2);
/// ```
#[macro_export]
macro_rules! codes {
    ($(#[$meta:meta])* $vis:vis static $table:ident = [
        $($class:ident $name:ident = $number:literal, $title:expr, $explanation:expr;)*
    ];) => {
        $(
            #[doc = $title]
            $vis const $name: $crate::Code = {
                assert!($crate::names_number(stringify!($name), $number), "a code is named after its number");
                $crate::Code::new($number, $crate::Class::$class)
            };
        )*
        $(#[$meta])*
        $vis static $table: &[$crate::CodeInfo] = &[
            $($crate::CodeInfo { code: $name, title: $title, explanation: $explanation },)*
        ];
    };
}

/// Whether `name` is `E` and the four decimal digits of `number`; used by [`codes!`](crate::codes)
/// to check its rows.
pub const fn names_number(name: &str, number: u16) -> bool {
    let name = name.as_bytes();
    if name.len() != 5 || name[0] != b'E' {
        return false;
    }
    let mut value = 0;
    let mut i = 1;
    while i < 5 {
        if !name[i].is_ascii_digit() {
            return false;
        }
        value = value * 10 + (name[i] - b'0') as u16;
        i += 1;
    }
    value == number
}

/// The codes of all crates, ordered by number.
#[derive(Debug, Default)]
pub struct Registry {
    rows: Vec<&'static CodeInfo>,
}

impl Registry {
    /// Joins the tables. A number declared twice is returned as the error.
    pub fn new(tables: &[CodeTable]) -> Result<Registry, Code> {
        let mut rows: Vec<&'static CodeInfo> = tables.iter().flat_map(|table| table.iter()).collect();
        rows.sort_by_key(|row| row.code.number());
        match rows.windows(2).find(|pair| pair[0].code.number() == pair[1].code.number()) {
            Some(pair) => Err(pair[0].code),
            None => Ok(Registry { rows }),
        }
    }

    /// The row of a code written as `E0123`, `e123` or `123`; `None` if there is no such code.
    pub fn find(&self, text: &str) -> Option<&'static CodeInfo> {
        let digits = text.strip_prefix(['E', 'e']).unwrap_or(text);
        let number: u16 = digits.parse().ok()?;
        self.rows.binary_search_by_key(&number, |row| row.code.number()).ok().map(|i| self.rows[i])
    }

    /// All rows, ascending.
    pub fn rows(&self) -> &[&'static CodeInfo] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    codes! {
        /// A table for the tests.
        pub static ONE = [
            Input E0007 = 7, "seven", "About seven.";
            Internal E0120 = 120, "a hundred and twenty", "About it.";
        ];
    }
    codes! {
        static TWO = [ Usage E0011 = 11, "eleven", "About eleven."; ];
    }

    #[test]
    fn finds_codes_however_they_are_written() {
        let registry = Registry::new(&[ONE, TWO]).unwrap();
        assert_eq!(registry.rows().iter().map(|row| row.code.number()).collect::<Vec<_>>(), [7, 11, 120]);
        for text in ["E0120", "e120", "120"] {
            assert_eq!(registry.find(text).unwrap().code, E0120);
        }
        for text in ["", "E", "E0121", "X0120", "E99999", "-7"] {
            assert!(registry.find(text).is_none(), "{text}");
        }
        assert_eq!(E0011.class().exit_code(), 2);
    }

    #[test]
    fn a_number_declared_twice_is_refused() {
        assert_eq!(Registry::new(&[ONE, TWO, ONE]).unwrap_err(), E0007);
    }

    #[test]
    fn names_must_match_numbers() {
        assert!(names_number("E0042", 42));
        for name in ["E0042", "E042", "X0007", "E00a7"] {
            assert!(!names_number(name, 7), "{name}");
        }
    }
}
