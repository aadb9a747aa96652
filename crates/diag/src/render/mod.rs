//! Diagnostics as text: for [people](human), as the [peers' lines](peers), as [JSON](json).

pub mod human;
pub mod json;
pub mod peers;

/// Control characters escaped, so that no input steers a terminal or breaks a line format.
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
