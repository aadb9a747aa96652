//! Diagnostics as text: [human-readable](human), as [lines of ptxas](ptxas_lines), as [JSON](json).

pub mod human;
pub mod json;
pub mod ptxas_lines;

/// Escapes control characters, so that input cannot control a terminal or break a line format.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
