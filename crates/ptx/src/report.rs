//! The sink for the parser's errors.

use raddle_diag::{Code, Diagnostic, Diags, FileId, Span};

/// Errors kept for one function before the rest of it is skipped.
pub(crate) const ERRORS_PER_FUNCTION: u32 = 200;

/// A sink with the current file and function.
pub(crate) struct Reporter<'d> {
    file: FileId,
    diags: &'d mut Diags,
    function: Option<Box<str>>,
    errors: u32,
}

impl<'d> Reporter<'d> {
    pub(crate) fn new(file: FileId, diags: &'d mut Diags, function: Option<&str>) -> Self {
        Reporter { file, diags, function: function.map(Into::into), errors: 0 }
    }

    /// Reports an error at a range of bytes of the file.
    pub(crate) fn error(&mut self, code: Code, start: usize, end: usize, message: impl Into<String>) {
        self.errors += 1;
        let limit = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let span = Span::new(self.file, limit(start), limit(end));
        let mut diagnostic = Diagnostic::error(code, message).at(span, "");
        if let Some(function) = &self.function {
            diagnostic = diagnostic.in_function(&**function);
        }
        self.diags.push(diagnostic);
    }

    pub(crate) fn set_function(&mut self, function: Option<&str>) {
        self.function = function.map(Into::into);
    }

    /// Whether there were errors.
    pub(crate) fn any(&self) -> bool {
        self.errors > 0
    }

    /// Whether the function has so many errors that reading on is pointless.
    pub(crate) fn full(&self) -> bool {
        self.errors >= ERRORS_PER_FUNCTION
    }
}
