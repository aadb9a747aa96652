//! Errors that are reported once.
//!
//! Problem: the body of a function is read for its errors, and again where it is compiled; a function
//! of LLVM IR may be in several parts of the program. Strategy: of equal errors the first is kept,
//! and of errors from one instruction of an input the first part's.

use crate::ir;
use raddle_diag::{Diagnostic, Diags, FileId};
use std::collections::{BTreeMap, BTreeSet};

/// Removes repeated errors.
pub(crate) fn remove(diags: &mut Diags) {
    // Those beyond the limit are numbers only.
    if diags.omitted() > 0 {
        return;
    }
    let mut kept = Diags::with_policy(diags.policy());
    let mut seen = BTreeSet::new();
    let mut of_instruction: BTreeMap<(String, String), Option<FileId>> = BTreeMap::new();
    for diagnostic in std::mem::take(diags).into_vec() {
        let file = diagnostic.labels.first().map(|label| label.span.file);
        let is_first = !diagnostic.is_error() || seen.insert(format!("{diagnostic:?}"));
        let first = origin(&diagnostic).map(|key| *of_instruction.entry(key).or_insert(file));
        if is_first && first.is_none_or(|first| first == file) {
            kept.push(diagnostic);
        }
    }
    *diags = kept;
}

/// The message of an error and the instruction of the input that it comes from, where it is known.
fn origin(diagnostic: &Diagnostic) -> Option<(String, String)> {
    let note = diagnostic.notes.iter().find(|note| note.starts_with(ir::ORIGIN))?;
    Some((format!("{} {}", diagnostic.code, diagnostic.message), note.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;
    use raddle_diag::{SourceMap, Span};

    #[test]
    fn equal_errors_and_those_of_one_instruction_in_several_parts_are_one() {
        let mut sources = SourceMap::new();
        let [first, second] = ["a", "b"].map(|name| sources.add(name.to_owned(), "text".to_owned()).unwrap());
        let at = |file, place, note: &str| {
            Diagnostic::error(codes::E0030, "x").at(Span::point(file, place), "").note(note.to_owned())
        };
        let from = format!("{}'a.ll', function f: y", ir::ORIGIN);
        let mut diags = Diags::new();
        // Twice in one part: two instructions of PTX.
        for (file, place, note) in [
            (first, 1, "a"),
            (first, 1, "a"),
            (first, 2, &*from),
            (first, 3, &from),
            (second, 2, &from),
            (second, 1, "a"),
        ] {
            diags.push(at(file, place, note));
        }
        remove(&mut diags);
        assert_eq!((diags.counts().errors, diags.iter().count()), (4, 4));
    }
}
