//! Entry point for the PTX reader: outline and every body.

use raddle_diag::{Diags, FileId};
use raddle_ptx::{outline, parse_body};

/// Reads `data` as a PTX module. Any outcome but a panic is right; text that is not UTF-8 is read as far as it goes.
pub fn run(data: &[u8]) {
    let text = match std::str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&data[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut diags = Diags::new();
    let module = outline(text, FileId::FIRST, &mut diags);
    for func in module.funcs.keys() {
        let body = parse_body(text, FileId::FIRST, &module, func, &mut diags);
        std::hint::black_box(body.insts.len());
    }
    for diagnostic in diags.iter() {
        if let Some(span) = diagnostic.span() {
            assert!(span.start as usize <= text.len(), "{span:?} is behind the text of {} bytes", text.len());
        }
    }
}
