//! Diagnostics and errors.

use raddle_diag::render::human;
use raddle_diag::{Class, SourceMap};
use raddle_driver::codes;
use std::fmt;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Nothing is wrong.
    Info,
    /// Suspicious.
    Warning,
    /// There is no result.
    Error,
}

/// Something that was found, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    code: String,
    message: String,
    file: Option<String>,
    place: Option<(usize, usize)>,
    function: Option<String>,
    notes: Vec<String>,
    rendered: String,
}

impl Diagnostic {
    pub(crate) fn of(found: &raddle_diag::Diagnostic, sources: &SourceMap) -> Diagnostic {
        let at = found.span().and_then(|span| Some((sources.get(span.file)?, span)));
        let place = at.map(|(file, span)| {
            let place = file.place(span.start as usize);
            (place.line, place.column)
        });
        let style = human::Style { colour: false, width: None };
        Diagnostic {
            severity: match found.severity {
                raddle_diag::Severity::Info => Severity::Info,
                raddle_diag::Severity::Warning => Severity::Warning,
                raddle_diag::Severity::Error | raddle_diag::Severity::Fatal => Severity::Error,
            },
            code: found.code.to_string(),
            message: found.message.clone(),
            file: at.map(|(file, _)| file.name().to_owned()),
            place,
            function: found.function.clone(),
            notes: found.notes.iter().chain(&found.helps).cloned().collect(),
            rendered: human::render(found, sources, style, &str::to_owned),
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Its stable code, such as `E0030`; `raddle explain E0030` explains it.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// One sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The name of the input that it is in.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The line in the input, from 1 on.
    pub fn line(&self) -> Option<usize> {
        self.place.map(|place| place.0)
    }

    /// The column in the line, from 1 on, in characters.
    pub fn column(&self) -> Option<usize> {
        self.place.map(|place| place.1)
    }

    /// The kernel or function that it is about, as named in the input.
    pub fn function(&self) -> Option<&str> {
        self.function.as_deref()
    }

    /// Further facts and remedies.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// The text for people, with the line of the input: several lines, the last with its newline.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rendered)
    }
}

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input has errors.
    Input,
    /// The options contradict each other, or the input.
    Usage,
    /// The input is right, and has something for which there is no code yet.
    Unsupported,
    /// A defect of the compiler.
    Internal,
    /// It was cancelled.
    Cancelled,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    diagnostics: Vec<Diagnostic>,
}

impl Error {
    /// The error that diagnostics are about.
    pub(crate) fn of(found: &[raddle_diag::Diagnostic], sources: &SourceMap) -> Error {
        let mut kind = ErrorKind::Internal;
        let worst = found.iter().filter(|found| found.is_error()).map(raddle_diag::Diagnostic::class).max();
        if let Some(class) = worst {
            kind = match class {
                Class::Input => ErrorKind::Input,
                Class::Usage => ErrorKind::Usage,
                Class::Unsupported => ErrorKind::Unsupported,
                Class::Internal => ErrorKind::Internal,
            };
        }
        if found.iter().any(|found| found.code == codes::E0043) {
            kind = ErrorKind::Cancelled;
        }
        Error { kind, diagnostics: found.iter().map(|found| Diagnostic::of(found, sources)).collect() }
    }

    /// What kind it is: the worst of its diagnostics.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Everything that was found, warnings included, in the order of the input.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// All diagnostics, as people read them.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.diagnostics.iter().map(|found| found.rendered.as_str()).collect();
        f.write_str(text.trim_end())
    }
}

impl std::error::Error for Error {}
