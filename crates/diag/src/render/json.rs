//! One JSON object per line and diagnostic. `schema` increases when a field changes its meaning or
//! is removed.

use crate::{Diagnostic, SourceMap};
use serde::Serialize;

/// The number in every object's `schema` field.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    kind: &'static str,
    severity: &'static str,
    code: String,
    class: &'static str,
    message: &'a str,
    function: Option<&'a str>,
    labels: Vec<Label<'a>>,
    notes: &'a [String],
    helps: &'a [String],
}

#[derive(Serialize)]
struct Label<'a> {
    file: &'a str,
    start: u32,
    end: u32,
    line: usize,
    column: usize,
    primary: bool,
    text: &'a str,
}

/// Renders a line with its newline. Offsets are bytes from 0, lines and columns (in characters)
/// count from 1.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> Result<String, serde_json::Error> {
    let labels = diagnostic.labels.iter().enumerate().filter_map(|(i, label)| {
        let file = sources.get(label.span.file)?;
        let place = file.place(label.span.start as usize);
        Some(Label {
            file: file.name(),
            start: label.span.start,
            end: label.span.end,
            line: place.line,
            column: place.column,
            primary: i == 0,
            text: &label.text,
        })
    });
    let object = Object {
        schema: SCHEMA,
        kind: "diagnostic",
        severity: diagnostic.severity.name(),
        code: diagnostic.code.to_string(),
        class: diagnostic.class().name(),
        message: &diagnostic.message,
        function: diagnostic.function.as_deref(),
        labels: labels.collect(),
        notes: &diagnostic.notes,
        helps: &diagnostic.helps,
    };
    let mut line = serde_json::to_string(&object)?;
    line.push('\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Code, FileId, Span};

    #[test]
    fn one_line_with_all_fields() {
        let mut sources = SourceMap::new();
        sources.add("k.ptx", "a\nü frob\n").unwrap();
        let diagnostic = Diagnostic::error(Code::new(123, Class::Unsupported), "no\nway")
            .at(Span::new(FileId::FIRST, 5, 9), "here")
            .note("n")
            .in_function("k");
        let line = render(&diagnostic, &sources).unwrap();
        assert_eq!(line.matches('\n').count(), 1);
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["schema"], 1);
        assert_eq!(value["code"], "E0123");
        assert_eq!(value["class"], "unsupported");
        assert_eq!(value["labels"][0]["line"], 2);
        assert_eq!(value["labels"][0]["column"], 3);
        assert_eq!(value["function"], "k");
    }
}
