//! Diagnostics in the words of ptxas, where callers look for them.
//!
//! Strategy: one table from codes to what ptxas says (13.0.88 output); the values come from the
//! message. Everything else keeps its own words in the format of ptxas.

use super::inputs::STRING;
use raddle_diag::{Code, Diagnostic, Severity, SourceMap};
use raddle_driver::codes;
use raddle_ptx::errors as ptx;
use regex_lite::Regex;

/// What ptxas says instead of a message.
struct Row {
    code: Code,
    /// A pattern of our message.
    ours: &'static str,
    /// The words of ptxas, with groups of the pattern and `{file}`.
    theirs: &'static str,
    severity: Option<Severity>,
    /// Whether it comes with a place.
    place: bool,
    /// Whether it is all that ptxas says, up to the last message.
    alone: bool,
    /// Whether not even the last message follows.
    last: bool,
}

const fn row(code: Code, ours: &'static str, theirs: &'static str) -> Row {
    Row { code, ours, theirs, severity: None, place: true, alone: false, last: false }
}

/// The rows; the first that fits counts.
const ROWS: &[Row] = &[
    Row {
        severity: Some(Severity::Fatal),
        alone: true,
        ..row(ptx::E0104, "^missing (\\.\\w+)", "Missing $1 directive at start of file '{file}'")
    },
    Row {
        severity: Some(Severity::Fatal),
        alone: true,
        ..row(ptx::E0105, "^PTX version (\\S+) is", "Unsupported .version $1; current version is '9.0'")
    },
    Row {
        severity: Some(Severity::Fatal),
        place: false,
        alone: true,
        last: true,
        ..row(
            codes::E0022,
            "is for sm_\\d+, which does not run on sm_\\d+$",
            "SM version specified by .target is higher than default SM version assumed",
        )
    },
    Row {
        severity: Some(Severity::Fatal),
        place: false,
        alone: true,
        last: true,
        ..row(
            codes::E0022,
            "is for (\\S+), which does not run on (\\S+)$",
            "PTX with .target '$1' cannot be compiled for architecture '$2'",
        )
    },
    Row {
        severity: Some(Severity::Fatal),
        place: false,
        alone: true,
        last: true,
        ..row(codes::E0020, "^no kernel '(.*)'$", "Unknown function $1")
    },
    row(
        ptx::E0107,
        "^(\\S+) needs PTX version \\S+ or later, the module says (\\S+)$",
        "PTX .version $2 does not support .target $1",
    ),
    row(ptx::E0120, "^('.*') is not the name of an instruction$", "Not a name of any known instruction: $1"),
    Row {
        severity: Some(Severity::Fatal),
        place: false,
        alone: true,
        last: true,
        ..row(
            codes::E0025,
            "32-bit",
            " 32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported on sm_90 or higher architectures.",
        )
    },
    row(codes::E0026, "^kernel ('.*') is in two inputs$", "Duplicate definition of function $1"),
    Row {
        place: false,
        ..row(
            codes::E0087,
            "^local memory is used in ('.*'): a stack frame of (\\d+) bytes$",
            "Local memory used for function $1, size of stack frame: $2 bytes",
        )
    },
    Row {
        place: false,
        ..row(
            codes::E0087,
            "^registers are spilled in ('.*'): (\\d+) bytes of stores, (\\d+) bytes of loads$",
            "Registers are spilled to local memory in function $1, $2 bytes spill stores, $3 bytes spill loads",
        )
    },
    row(codes::E0087, "^'.*' uses double precision", "Program is doing double precision computations."),
];

/// Messages, and whether the last message of ptxas follows.
pub(super) struct Worded {
    pub said: Vec<Diagnostic>,
    pub aborted: bool,
}

/// The messages of ptxas for diagnostics of `raddle`; `complete` says whether all inputs were read.
pub(super) fn worded<'d>(found: impl Iterator<Item = &'d Diagnostic>, sources: &SourceMap, complete: bool) -> Worded {
    let mut said = Vec::new();
    for diagnostic in found {
        let fits = |row: &&Row| row.code == diagnostic.code;
        let file = diagnostic.span().and_then(|span| sources.get(span.file)).map_or("", |file| file.name());
        let made = ROWS.iter().filter(fits).find_map(|row| Some((row, theirs(row, diagnostic, file)?)));
        let Some((row, message)) = made else {
            said.push(diagnostic.clone());
            continue;
        };
        let severity = row.severity.filter(|_| diagnostic.is_error()).unwrap_or(diagnostic.severity);
        let labels = if row.place { diagnostic.labels.clone() } else { Vec::new() };
        let made = Diagnostic { severity, message, labels, ..diagnostic.clone() };
        if row.last && (!said.is_empty() || !complete) {
            // It follows from an error that was said.
            continue;
        }
        if row.alone {
            // After a wrong version on the command line nothing else follows: XLA asks in this way.
            let last = row.last || row.code == ptx::E0105 && file == STRING;
            return Worded { said: vec![made], aborted: !last };
        }
        said.push(made);
    }
    Worded { said, aborted: true }
}

/// The words of ptxas by a row; `None` if our message is another one.
fn theirs(row: &Row, diagnostic: &Diagnostic, file: &str) -> Option<String> {
    // The patterns are constants, checked by a test.
    let groups = Regex::new(row.ours).ok()?.captures(&diagnostic.message)?;
    let mut out = String::new();
    groups.expand(row.theirs, &mut out);
    Some(out.replace("{file}", file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        assert!(ROWS.iter().all(|row| Regex::new(row.ours).is_ok()));
    }

    #[test]
    fn what_is_alone_ends_the_list() {
        let found = [
            Diagnostic::error(ptx::E0104, "something else"),
            Diagnostic::error(ptx::E0104, "missing .version at the start of the module"),
            Diagnostic::error(codes::E0032, "x"),
        ];
        let worded = worded(found.iter(), &SourceMap::new(), true);
        assert!(worded.aborted);
        let [only] = &worded.said[..] else { panic!("{:?}", worded.said) };
        assert_eq!(only.message, "Missing .version directive at start of file ''");
        assert_eq!(only.severity, Severity::Fatal);
    }
}
