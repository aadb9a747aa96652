//! The line format of `ptxas`, for tools that parse it (ptxas 13.0.88 output):
//!
//! ```text
//! ptxas FILE, line 6; error   : TEXT
//! ptxas fatal   : TEXT
//! ```

use super::clean;
use crate::{Diagnostic, Severity, SourceMap};

/// Options for the lines, for tools that parse them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// The name of the tool at the start.
    pub tool: String,
    /// Print a severity tag first: `@I@`, `@W@`, `@E@`, `@O@` for info, warning, error, fatal.
    pub tags: bool,
    /// Text to append to each line.
    pub suffix: String,
}

impl Default for Style {
    fn default() -> Style {
        Style { tool: "ptxas".to_string(), tags: false, suffix: String::new() }
    }
}

/// The tag of a severity.
const fn tag(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "@I@",
        Severity::Warning => "@W@",
        Severity::Error => "@E@",
        Severity::Fatal => "@O@",
    }
}

/// Renders a line with its newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: &Style) -> String {
    let severity = diagnostic.severity.name();
    let text = clean(&diagnostic.message);
    let tag = if style.tags { tag(diagnostic.severity) } else { "" };
    let Style { tool, suffix, .. } = style;
    match diagnostic.span().and_then(|span| Some((sources.get(span.file)?, span))) {
        Some((file, span)) => {
            let line = file.line(span.start as usize);
            format!("{tag}{tool} {}, line {line}; {severity:<8}: {text}{suffix}\n", clean(file.name()))
        }
        None => format!("{tag}{tool} {severity:<8}: {text}{suffix}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Code, FileId, Span};

    #[test]
    fn lines_are_those_of_ptxas() {
        let mut sources = SourceMap::new();
        sources.add("k.ptx", "a\nb\nfrob\n").unwrap();
        let code = Code::new(1, Class::Input);
        let placed = Diagnostic::error(code, "Not a name of any known instruction: 'frob'")
            .at(Span::new(FileId::FIRST, 4, 8), "");
        assert_eq!(
            render(&placed, &sources, &Style::default()),
            "ptxas k.ptx, line 3; error   : Not a name of any known instruction: 'frob'\n"
        );
        let whole = Diagnostic::fatal(code, "Ptx assembly aborted\ndue to errors");
        let line = "ptxas fatal   : Ptx assembly aborted\n";
        assert_eq!(render(&whole, &sources, &Style::default()), line);
        let style = Style { tool: "t".into(), tags: true, suffix: " [k]".into() };
        let marks = [Diagnostic::info, Diagnostic::warning, Diagnostic::error, Diagnostic::fatal];
        let lines = marks.map(|kind| render(&kind(code, "m"), &sources, &style)).concat();
        let expected = "@I@t info    : m [k]\n@W@t warning : m [k]\n@E@t error   : m [k]\n@O@t fatal   : m [k]\n";
        assert_eq!(lines, expected);
    }
}
