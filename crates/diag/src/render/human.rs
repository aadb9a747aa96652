//! The human-readable format: the line, a caret, labels, notes, and optionally colours.
//!
//! **Strategy.** The renderer never gets the whole file, but a window of whole lines around each
//! label, and of a line longer than [`LINE_LIMIT`] only the piece around the label. Line and column
//! are computed from the file and printed explicitly, so that truncation cannot change them.

use super::clean;
use crate::{Diagnostic, Label, Severity, SourceFile, SourceMap};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// The longest piece of a source line shown, in bytes.
pub const LINE_LIMIT: usize = 200;
/// Labels of one file share a snippet while its lines have at most this many bytes.
const WINDOW_LIMIT: usize = 2048;

/// Style of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Use ANSI colours.
    pub colour: bool,
    /// Columns of the terminal; `None` for a file or pipe.
    pub width: Option<usize>,
}

/// Renders a diagnostic with its snippet, newline-terminated. `demangle` converts the names of
/// functions.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, style: Style, demangle: &dyn Fn(&str) -> String) -> String {
    let message = clean(&diagnostic.message);
    let level = match diagnostic.severity {
        Severity::Info => Level::INFO,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
        Severity::Fatal => Level::ERROR.with_name("fatal"),
    };
    let windows = windows(diagnostic, sources);
    let mut group = Group::with_title(level.primary_title(message).id(diagnostic.code.to_string()));
    for window in &windows {
        let name = clean(window.file.name());
        let mut snippet = Snippet::source(window.text.as_str())
            .line_start(window.file.line(window.bytes.start))
            .annotations(window.marks.iter().map(|mark| {
                let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                kind.span(mark.range.clone()).label((!mark.text.is_empty()).then(|| clean(mark.text)))
            }));
        if whole_lines(window) {
            snippet = snippet.path(name);
        } else {
            // The renderer would count the column within the piece.
            let place = window.file.place(window.first_label);
            group = group.element(Origin::path(name).line(place.line).char_column(place.column));
        }
        group = group.element(snippet);
    }
    if let Some(function) = &diagnostic.function {
        group = group.element(Level::NOTE.message(format!("in function `{}`", clean(&demangle(function)))));
    }
    group = group.elements(diagnostic.notes.iter().map(|note| Level::NOTE.message(clean(note))));
    group = group.elements(diagnostic.helps.iter().map(|help| Level::HELP.message(clean(help))));
    let renderer = if style.colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(style.width.unwrap_or(140));
    let mut out = renderer.render(&[group]);
    if windows.is_empty() {
        // Without a snippet the gutter is omitted.
        out = out.split('\n').enumerate().filter(|(i, line)| *i != 1 || !is_gutter(line)).fold(String::new(), joined);
    }
    out.push('\n');
    out
}

/// Whether a line is an empty gutter, with or without colours.
fn is_gutter(line: &str) -> bool {
    let end = line.rfind('|').map_or(0, |bar| bar + 1);
    let bare = |part: &str| part.chars().all(|c| !c.is_alphanumeric() || c.is_ascii_digit() || c == 'm');
    end > 0 && bare(&line[..end]) && bare(&line[end..])
}

fn joined(mut text: String, (i, line): (usize, &str)) -> String {
    if i > 0 {
        text.push('\n');
    }
    text.push_str(line);
    text
}

struct Mark<'a> {
    /// In bytes of the window's text.
    range: Range<usize>,
    text: &'a str,
    primary: bool,
}

struct Window<'a> {
    file: &'a SourceFile,
    /// The range of the file it shows.
    bytes: Range<usize>,
    text: String,
    /// File offset of the label whose place is printed above the window.
    first_label: usize,
    marks: Vec<Mark<'a>>,
}

/// The range of the label's first line, truncated around the label if the line is long.
fn piece(file: &SourceFile, label: &Label) -> Range<usize> {
    let text = file.text();
    let start = text.floor_char_boundary(label.span.start as usize);
    let line = file.line_range(start);
    if line.len() <= LINE_LIMIT {
        return line;
    }
    let from = text.ceil_char_boundary(start.saturating_sub(LINE_LIMIT / 4).max(line.start));
    let to = text.floor_char_boundary((from + LINE_LIMIT).min(line.end));
    from..to.max(from)
}

fn windows<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Window<'a>> {
    let mut windows: Vec<Window<'a>> = Vec::new();
    for (i, label) in diagnostic.labels.iter().enumerate() {
        let Some(file) = sources.get(label.span.file) else {
            continue;
        };
        let piece = piece(file, label);
        let whole = piece == file.line_range(piece.start);
        let joined = windows.iter_mut().find(|window| {
            let union = window.bytes.start.min(piece.start)..window.bytes.end.max(piece.end);
            std::ptr::eq(window.file, file) && whole && union.len() <= WINDOW_LIMIT && whole_lines(window)
        });
        match joined {
            Some(window) => {
                window.bytes = window.bytes.start.min(piece.start)..window.bytes.end.max(piece.end);
            }
            None => windows.push(Window {
                file,
                bytes: piece,
                text: String::new(),
                first_label: label.span.start as usize,
                marks: Vec::new(),
            }),
        }
        let start = file.text().floor_char_boundary(label.span.start as usize);
        let end = (label.span.end as usize).min(file.line_range(start).end).max(start);
        let end = file.text().ceil_char_boundary(end);
        let window = windows
            .iter_mut()
            .find(|window| std::ptr::eq(window.file, file) && window.bytes.start <= start && start <= window.bytes.end);
        if let Some(window) = window {
            window.marks.push(Mark { range: start..end.min(window.bytes.end), text: &label.text, primary: i == 0 });
        }
    }
    for window in &mut windows {
        window.text = window.file.text()[window.bytes.clone()].to_string();
        let base = window.bytes.start;
        for mark in &mut window.marks {
            mark.range = mark.range.start - base..(mark.range.end - base).max(mark.range.start - base);
        }
    }
    windows
}

fn whole_lines(window: &Window<'_>) -> bool {
    window.bytes.start == window.file.line_range(window.bytes.start).start
        && window.bytes.end == window.file.line_range(window.bytes.end).end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Code, FileId, Span};

    fn show(text: &str, diagnostic: &Diagnostic) -> String {
        let mut sources = SourceMap::new();
        sources.add("k.ptx", text).unwrap();
        render(diagnostic, &sources, Style::default(), &str::to_string)
    }

    fn at(start: u32, end: u32) -> Diagnostic {
        Diagnostic::error(Code::new(123, Class::Input), "unknown instruction 'frob'")
            .at(Span::new(FileId::FIRST, start, end), "not an instruction")
    }

    #[test]
    fn shows_line_caret_function_and_notes() {
        let text = ".entry k()\n{\n  frob.u32 %r1;\n}\n";
        let out = show(text, &at(15, 19).in_function("k").note("a note").help("a help"));
        let expected = "\
error[E0123]: unknown instruction 'frob'
 --> k.ptx:3:3
  |
3 |   frob.u32 %r1;
  |   ^^^^ not an instruction
  |
  = note: in function `k`
  = note: a note
  = help: a help
";
        assert_eq!(out, expected);
    }

    #[test]
    fn long_lines_are_cut_and_keep_their_column() {
        let text = format!("{}frob{}", "x".repeat(1 << 20), "y".repeat(1 << 20));
        let out = show(&text, &at(1 << 20, (1 << 20) + 4));
        assert!(out.len() < 1000, "{} bytes", out.len());
        assert!(out.contains("k.ptx:1:1048577"), "{out}");
        assert!(out.contains("frob"), "{out}");
    }

    #[test]
    fn odd_spans_and_texts_do_not_panic() {
        let texts = ["", "\n", "ü", "\0\x1b[31m\r\n\t", "a\nb\nc", "ü\u{202e}\n"];
        for text in texts {
            for start in 0..6 {
                for end in start..12 {
                    let d = at(start, end).at(Span::new(FileId::FIRST, end, start), "second");
                    let out = show(text, &d);
                    assert!(out.contains("E0123") && !out.contains('\x1b'), "{out}");
                }
            }
        }
    }

    #[test]
    fn without_a_place_there_is_no_gutter() {
        let plain = Diagnostic::error(Code::new(123, Class::Input), "no").in_function("k").note("n");
        assert_eq!(show("", &plain), "error[E0123]: no\n = note: in function `k`\n = note: n\n");
        let style = Style { colour: true, width: None };
        let coloured = render(&plain, &SourceMap::new(), style, &str::to_string);
        assert_eq!(coloured.lines().count(), 3, "{coloured}");
    }

    #[test]
    fn near_labels_share_a_snippet_and_far_ones_do_not() {
        let text = format!("first\nsecond\n{}last\n", "filler\n".repeat(1000));
        let near = show(&text, &at(6, 12).at(Span::new(FileId::FIRST, 0, 5), "declared here"));
        assert_eq!(near.matches("k.ptx:").count(), 1, "{near}");
        assert!(near.contains("declared here"), "{near}");
        let far = show(&text, &at(7013, 7017).at(Span::new(FileId::FIRST, 0, 5), "declared here"));
        assert_eq!(far.matches("k.ptx:").count(), 2, "{far}");
    }

    #[test]
    fn colours_only_when_asked() {
        let mut sources = SourceMap::new();
        sources.add("k.ptx", "frob").unwrap();
        let style = Style { colour: true, width: Some(80) };
        assert!(render(&at(0, 4), &sources, style, &str::to_string).contains('\x1b'));
    }
}
