//! PTX: the outline, and every body.

use raddle_diag::{Diags, SourceMap};
use raddle_ptx::{Scratch, extract, outline, parse_body_with, print_module};

/// Reads the outline of any bytes.
pub fn ptx_outline(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut map = SourceMap::new();
    let Ok(file) = map.add("fuzz.ptx", &*text) else { return };
    let mut diags = Diags::new();
    outline(&text, file, &mut diags);
}

/// Reads, prints and extracts every body of a module made of any bytes. What is clean must print and read back clean.
///
/// # Panics
/// When the printed text of a clean module is not clean, and when a message points behind the text.
pub fn ptx_body(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut map = SourceMap::new();
    let Ok(file) = map.add("fuzz.ptx", &*text) else { return };
    let mut diags = Diags::new();
    let out = outline(&text, file, &mut diags);
    let mut scratch = Scratch::new();
    let printed = print_module(&text, &out, |id| parse_body_with(&mut scratch, &text, file, &out, id, &mut diags));
    for span in diags.iter().filter_map(raddle_diag::Diagnostic::span) {
        assert!(span.start as usize <= text.len(), "{span:?} is behind the text of {} bytes", text.len());
    }
    let clean = !diags.has_errors();
    if let Some((id, _)) = out.kernels().next() {
        extract(&text, file, &out, id, &mut diags);
    }
    if clean {
        let mut again = Diags::new();
        let out = outline(&printed, file, &mut again);
        for id in out.funcs.keys() {
            parse_body_with(&mut scratch, &printed, file, &out, id, &mut again);
        }
        let first = again.iter().next().map(|d| d.message.clone());
        assert!(!again.has_errors(), "printed text is not clean: {first:?}");
    }
}
