//! The line format of `ptxas`, for tools that parse it (ptxas 13.0.88 output):
//!
//! ```text
//! ptxas FILE, line 6; error   : TEXT
//! ptxas fatal   : TEXT
//! ```

use super::clean;
use crate::{Diagnostic, SourceMap};

/// One line with its newline. `tool` is the name in front (`ptxas` for its parsers).
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, tool: &str) -> String {
    let severity = diagnostic.severity.name();
    let text = clean(&diagnostic.message);
    match diagnostic.span().and_then(|span| Some((sources.get(span.file)?, span))) {
        Some((file, span)) => {
            let line = file.line(span.start as usize);
            format!("{tool} {}, line {line}; {severity:<8}: {text}\n", file.name())
        }
        None => format!("{tool} {severity:<8}: {text}\n"),
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
            render(&placed, &sources, "ptxas"),
            "ptxas k.ptx, line 3; error   : Not a name of any known instruction: 'frob'\n"
        );
        let whole = Diagnostic::fatal(code, "Ptx assembly aborted\ndue to errors");
        assert_eq!(render(&whole, &sources, "ptxas"), "ptxas fatal   : Ptx assembly aborted\\ndue to errors\n");
    }
}
