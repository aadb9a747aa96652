//! The type of a diagnostic: plain data, without source text.

use crate::{Class, Code, Span};
use std::fmt::Write as _;

/// The severity, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information; nothing is wrong.
    Info,
    /// Suspicious, but the result is as requested.
    Warning,
    /// An error; the task continues to find more, but gives no result.
    Error,
    /// An error that ends the task.
    Fatal,
}

impl Severity {
    /// Its name, as in the messages of ptxas and nvlink.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Fatal => "fatal",
        }
    }
}

/// A place with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text; may be empty.
    pub text: String,
}

/// A diagnostic. The first label is the primary one: line formats show only its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Its stable code.
    pub code: Code,
    /// One sentence without a full stop that names what was found. At most [`MESSAGE_LIMIT`] bytes.
    pub message: String,
    /// Places, the primary one first; empty for diagnostics without a place in a file.
    pub labels: Vec<Label>,
    /// Further facts, one line each.
    pub notes: Vec<String>,
    /// Remedies, one line each.
    pub helps: Vec<String>,
    /// The function or kernel it was found in, as named in the input (mangled).
    pub function: Option<String>,
}

/// The longest message, in bytes; longer ones are truncated with an ellipsis.
pub const MESSAGE_LIMIT: usize = 4096;

impl Diagnostic {
    /// Creates a diagnostic without a place. The first line of a text is the message, the others
    /// are notes.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        let mut message = message.into();
        if message.len() > MESSAGE_LIMIT {
            message.truncate(message.floor_char_boundary(MESSAGE_LIMIT));
            message.push_str("...");
        }
        let mut notes = Vec::new();
        if let Some((first, others)) = message.split_once('\n') {
            notes.extend(others.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
            message.truncate(first.trim_end().trim_end_matches(':').len());
        }
        Diagnostic { severity, code, message, labels: Vec::new(), notes, helps: Vec::new(), function: None }
    }

    /// Creates a [`Severity::Fatal`] diagnostic.
    pub fn fatal(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Fatal, code, message)
    }

    /// Creates a [`Severity::Error`] diagnostic.
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// Creates a [`Severity::Warning`] diagnostic.
    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    /// Creates a [`Severity::Info`] diagnostic.
    pub fn info(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Info, code, message)
    }

    /// Adds a place; the first one is the primary one. With an empty text only the caret is drawn.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a further fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a remedy.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(text.into());
        self
    }

    /// Sets the function or kernel it was found in.
    #[must_use]
    pub fn in_function(mut self, name: impl Into<String>) -> Diagnostic {
        self.function = Some(name.into());
        self
    }

    /// The primary place, if it has one.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// The class of its code.
    pub fn class(&self) -> Class {
        self.code.class()
    }

    /// Whether it is an error or worse.
    pub fn is_error(&self) -> bool {
        self.severity >= Severity::Error
    }

    /// Moves every place by `base` bytes: from function-relative to file offsets.
    #[must_use]
    pub fn shifted(mut self, base: u32) -> Diagnostic {
        for label in &mut self.labels {
            label.span = label.span.shifted(base);
        }
        self
    }
}

/// Quotes a piece of the input for a message: control characters escaped, truncated after 60
/// characters.
///
/// ```
/// assert_eq!(raddle_diag::quote("ad\td"), "'ad\\td'");
/// ```
pub fn quote(text: &str) -> String {
    const LIMIT: usize = 60;
    let mut out = String::from("'");
    for (i, c) in text.chars().enumerate() {
        if i == LIMIT {
            out.push_str("...");
            break;
        }
        match c {
            c if c.is_control() => {
                let _ = write!(out, "{}", c.escape_default());
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    const CODE: Code = Code::new(1, Class::Input);

    #[test]
    fn messages_and_quotes_are_bounded() {
        let long = "ä".repeat(1 << 20);
        assert!(Diagnostic::error(CODE, long.clone()).message.len() <= MESSAGE_LIMIT + 3);
        assert_eq!(quote(&long).chars().count(), 60 + 3 + 2);
        assert_eq!(quote("\0\x1b[31m"), "'\\u{0}\\u{1b}[31m'");
    }

    #[test]
    fn a_message_is_one_line_and_the_others_are_notes() {
        let list = Diagnostic::error(CODE, "not supported: \n  k, line 3: a\n\n  k, line 4: b\n");
        assert_eq!(list.message, "not supported");
        assert_eq!(list.notes, ["k, line 3: a", "k, line 4: b"]);
        assert_eq!(Diagnostic::error(CODE, "one: two").message, "one: two");
    }

    #[test]
    fn shifting_moves_every_label() {
        let span = Span::new(FileId::FIRST, 3, 5);
        let moved = Diagnostic::error(CODE, "m").at(span, "a").at(span, "b").shifted(10);
        assert!(moved.labels.iter().all(|label| label.span == Span::new(FileId::FIRST, 13, 15)));
    }

    #[test]
    fn severities_are_ordered() {
        assert!(Severity::Info < Severity::Warning && Severity::Error < Severity::Fatal);
    }
}
