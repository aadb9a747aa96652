//! Diagnostics in the words of ptxas (13.0.88 output).

use super::super::wording::{self, Row, last, row};
use super::inputs::STRING;
use raddle_diag::{Diagnostic, Severity, SourceMap};
use raddle_driver::codes;
use raddle_dropin::asked::{DOUBLES, too_few_registers};
use raddle_dropin::bounds::{NO_THREADS, launch_bound};
use raddle_ptx::errors as ptx;

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
    last(
        codes::E0022,
        "is for sm_\\d+, which does not run on sm_\\d+$",
        "SM version specified by .target is higher than default SM version assumed",
    ),
    last(
        codes::E0022,
        "is for (\\S+), which does not run on (\\S+)$",
        "PTX with .target '$1' cannot be compiled for architecture '$2'",
    ),
    last(codes::E0020, "^no kernel '(.*)'$", "Unknown function $1"),
    row(
        ptx::E0107,
        "^(\\S+) needs PTX version \\S+ or later, the module says (\\S+)$",
        "PTX .version $2 does not support .target $1",
    ),
    row(ptx::E0111, "^unknown (?:symbol|predicate) ('.*')$", "Unknown symbol $1"),
    row(ptx::E0112, "^unknown label ('.*')$", "Unknown symbol $1"),
    row(ptx::E0120, "^('.*') is not the name of an instruction$", "Not a name of any known instruction: $1"),
    last(
        codes::E0025,
        "32-bit",
        " 32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported on sm_90 or higher architectures.",
    ),
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
    row(codes::E0087, "^'.*' uses double precision", DOUBLES),
    row(codes::E0084, "^\\.minnctapersm of .* is ignored without", NO_THREADS),
    row(ptx::E0117, "^the number of \\.(\\w+) is 0", "Positive non-zero value expected for $1"),
    row(
        ptx::E0117,
        "has both \\.maxntid and \\.reqntid$",
        "Conflicting directives: .maxntid and .reqntid cannot both be specified",
    ),
];

/// Messages, and whether the last message of ptxas follows.
pub(super) struct Worded {
    pub said: Vec<Diagnostic>,
    pub aborted: bool,
}

/// The messages of ptxas for diagnostics of `raddle`; `complete` says whether all inputs were read.
pub(super) fn worded<'d>(found: impl Iterator<Item = &'d Diagnostic>, sources: &SourceMap, complete: bool) -> Worded {
    let mut said: Vec<Diagnostic> = Vec::new();
    // Errors that end a file; the next one is read.
    let mut ends: Vec<Diagnostic> = Vec::new();
    for diagnostic in found {
        if diagnostic.code == codes::E0031
            && let Some(message) = too_few_registers(&diagnostic.message, diagnostic.function.as_deref().unwrap_or(""))
        {
            said.push(Diagnostic::fatal(codes::E0031, message));
            continue;
        }
        if diagnostic.code == codes::E0084
            && let Some(message) = launch_bound(&diagnostic.message, diagnostic.function.as_deref().unwrap_or(""))
        {
            said.push(Diagnostic { message, labels: Vec::new(), ..diagnostic.clone() });
            continue;
        }
        if let Some(message) = unresolved(diagnostic) {
            let said = vec![Diagnostic::fatal(codes::E0030, message)];
            return Worded { said, aborted: false };
        }
        let Some((row, made)) = wording::worded(ROWS, diagnostic, sources) else {
            said.push(diagnostic.clone());
            continue;
        };
        if row.last && (said.iter().chain(&ends).any(Diagnostic::is_error) || !complete) {
            // It follows from an error that was said.
            continue;
        }
        let file = |made: &Diagnostic| made.span().map(|span| span.file);
        if row.last {
            // Of warnings, only what the text says was said before.
            said.retain(|made| made.code == codes::E0084 && made.span().is_some());
            said.push(made);
            return Worded { said, aborted: false };
        }
        if row.alone {
            // After a wrong version on the command line nothing else follows: XLA asks in this way.
            let name = file(&made).and_then(|file| sources.get(file)).map_or("", |file| file.name());
            if row.code == ptx::E0105 && name == STRING {
                return Worded { said: vec![made], aborted: false };
            }
            if ends.iter().all(|end| file(end) != file(&made)) {
                ends.push(made);
            }
            continue;
        }
        said.push(made);
    }
    if !ends.is_empty() {
        let ended: Vec<_> = ends.iter().map(|made| made.span().map(|span| span.file)).collect();
        said.retain(|made| made.is_error() && !ended.contains(&made.span().map(|span| span.file)));
        said.append(&mut ends);
        said.sort_by_key(|made| made.span().map(|span| (span.file, span.start)));
        return Worded { said, aborted: true };
    }
    if said.iter().any(|made| made.code == codes::E0026) {
        // What is defined twice is found while the text is read.
        said.sort_by_key(|made| made.span().map(|span| (span.file, span.start)));
    }
    // Warnings of registers and stack that are errors are the last that ptxas says.
    let is_last = |made: &Diagnostic| made.code == codes::E0087 && made.message != DOUBLES;
    let aborted = !complete || said.iter().any(|made| made.is_error() && !is_last(made));
    Worded { said, aborted }
}

/// The words for a call of a function that no input defines; none for any other message.
fn unresolved(diagnostic: &Diagnostic) -> Option<String> {
    let text = &diagnostic.labels.first().filter(|_| diagnostic.code == codes::E0030)?.text;
    let (name, _) = text.strip_prefix('`')?.split_once("` is not defined here")?;
    Some(format!("Unresolved extern function '{name}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        assert!(wording::patterns_are_sound(ROWS));
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
