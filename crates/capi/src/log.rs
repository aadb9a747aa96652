//! Logs of a handle, as callers read them: a size with the NUL, 0 for an empty log.

use raddle_diag::render::ptxas_lines::{Style, render};
use raddle_diag::{Diagnostic, SourceMap};

/// A log of a handle. It grows over all calls (libnvptxcompiler_static.a 13.0.88 does the same).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Log(String);

impl Log {
    /// Appends a line.
    pub(crate) fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// Appends whole lines.
    pub(crate) fn lines(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Appends a diagnostic in the format of ptxas. What its notes and remedies say follows, so
    /// that nothing is lost.
    pub(crate) fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) {
        self.0.push_str(&render(diagnostic, sources, &Style::default()));
        for text in diagnostic.notes.iter().chain(&diagnostic.helps) {
            self.0.push_str("ptxas         .     ");
            self.line(text);
        }
    }

    /// Its size in bytes with the NUL at its end; 0 if it is empty.
    pub(crate) fn size(&self) -> usize {
        if self.0.is_empty() { 0 } else { self.0.len() + 1 }
    }

    /// Its bytes with the NUL at its end: of an empty log it is the only one, and not counted in
    /// the size (libnvptxcompiler_static.a and libnvJitLink.so 13.0.88).
    pub(crate) fn bytes(&self) -> Vec<u8> {
        // A NUL in a name of the input would end the text for a caller in C.
        self.0.bytes().map(|byte| if byte == 0 { b'?' } else { byte }).chain([0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_driver::codes;

    #[test]
    fn sizes_count_the_nul_and_nothing_is_nothing() {
        let mut log = Log::default();
        assert_eq!((log.size(), log.bytes()), (0, vec![0]));
        log.line("a\0b");
        assert_eq!((log.size(), log.bytes()), (5, b"a?b\n\0".to_vec()));
        let mut other = Log::default();
        other.diagnostic(&Diagnostic::fatal(codes::E0019, "x").note("y").help("z"), &SourceMap::new());
        assert_eq!(other.0, "ptxas fatal   : x\nptxas         .     y\nptxas         .     z\n");
    }
}
