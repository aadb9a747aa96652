//! Single statements in a kernel.

use raddle_diag::{Diags, FileId};
use raddle_ptx::{outline, parse_body};

/// The first error in a kernel with these statements, after this module header.
pub fn error_for(head: &str, statements: &str) -> Option<String> {
    let text = format!("{head}{statements}\nret;\n}}\n");
    let mut diags = Diags::new();
    let module = outline(&text, FileId::FIRST, &mut diags);
    for func in module.funcs.keys() {
        parse_body(&text, FileId::FIRST, &module, func, &mut diags);
    }
    diags.iter().find(|d| d.is_error()).map(|d| format!("{} {}", d.code, d.message))
}

/// Checks rows: `None` is accepted, `Some` a part of the error.
pub fn hold_after(head: &str, rows: &[(&str, Option<&str>)]) {
    for (statements, want) in rows {
        let found = error_for(head, statements);
        let fine = match (&found, want) {
            (None, None) => true,
            (Some(found), Some(want)) => found.contains(want),
            _ => false,
        };
        assert!(fine, "{statements}: {found:?}, not {want:?}");
    }
}
