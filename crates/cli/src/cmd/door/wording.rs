//! Diagnostics in the words of another tool, where callers look for them.
//!
//! Strategy: a table per tool from codes to what it says; the values come from our message.
//! Everything else keeps its own words in the format of the tool.

use raddle_diag::{Code, Diagnostic, Severity, SourceMap};
use regex_lite::Regex;

/// What a tool says instead of a message.
pub(super) struct Row {
    pub code: Code,
    /// A pattern of our message.
    pub ours: &'static str,
    /// The words of the tool, with groups of the pattern and `{file}`.
    pub theirs: &'static str,
    /// Another severity of an error.
    pub severity: Option<Severity>,
    /// Whether it comes with a place.
    pub place: bool,
    /// Whether it is all that the tool says, up to its last message.
    pub alone: bool,
    /// Whether not even the last message follows.
    pub last: bool,
}

/// A row that changes the words alone.
pub(super) const fn row(code: Code, ours: &'static str, theirs: &'static str) -> Row {
    Row { code, ours, theirs, severity: None, place: true, alone: false, last: false }
}

/// A row of an error that ends everything, without a place.
pub(super) const fn last(code: Code, ours: &'static str, theirs: &'static str) -> Row {
    Row { severity: Some(Severity::Fatal), place: false, alone: true, last: true, ..row(code, ours, theirs) }
}

/// The first row that fits, and the diagnostic in the words of the tool.
pub(super) fn worded(
    rows: &'static [Row],
    diagnostic: &Diagnostic,
    sources: &SourceMap,
) -> Option<(&'static Row, Diagnostic)> {
    let file = diagnostic.span().and_then(|span| sources.get(span.file)).map_or("", |file| file.name());
    let fits = |row: &&Row| row.code == diagnostic.code;
    let (row, message) = rows.iter().filter(fits).find_map(|row| Some((row, theirs(row, diagnostic, file)?)))?;
    let severity = row.severity.filter(|_| diagnostic.is_error()).unwrap_or(diagnostic.severity);
    let labels = if row.place { diagnostic.labels.clone() } else { Vec::new() };
    Some((row, Diagnostic { severity, message, labels, ..diagnostic.clone() }))
}

/// The words of a tool by a row; `None` if our message is another one.
fn theirs(row: &Row, diagnostic: &Diagnostic, file: &str) -> Option<String> {
    // The patterns are constants, checked by tests.
    let groups = Regex::new(row.ours).ok()?.captures(&diagnostic.message)?;
    let mut out = String::new();
    groups.expand(row.theirs, &mut out);
    Some(out.replace("{file}", file))
}

/// Checks the patterns of a table.
#[cfg(test)]
pub(super) fn patterns_are_sound(rows: &[Row]) -> bool {
    rows.iter().all(|row| Regex::new(row.ours).is_ok())
}
