//! What LLVM printed before it ended its process, for messages: without addresses of its memory,
//! which differ from run to run, and without what only its authors need.

/// Digits of a number that is an address.
const DIGITS: usize = 6;

/// A line in plain words; `None` if nothing in it is of use.
pub(super) fn plain(line: &str) -> Option<String> {
    let start = line.trim();
    // Operands of the node of a graph that LLVM names, frames of its stack, and where to report it.
    let is_detail = line.starts_with(' ') && address(start).is_some() || start.starts_with('#');
    if start.is_empty() || is_detail || start.starts_with("PLEASE submit") || start.starts_with("Stack dump") {
        return None;
    }
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("0x") {
        out.push_str(&rest[..at]);
        match address(&rest[at..]) {
            Some(length) => {
                rest = &rest[at + length..];
                match rest.strip_prefix(": ") {
                    Some(after) => rest = after,
                    None => out.push('_'),
                }
            }
            None => {
                out.push_str("0x");
                rest = &rest[at + 2..];
            }
        }
    }
    Some(out + rest)
}

/// The length of the address that a text begins with.
fn address(text: &str) -> Option<usize> {
    let digits = text.strip_prefix("0x")?.bytes().take_while(u8::is_ascii_hexdigit).count();
    (digits >= DIGITS).then_some(digits + 2)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn addresses_and_details_are_left_out() {
        for (line, expected) in [
            (
                "LLVM ERROR: Cannot select: 0x557a891dfd00: i64 = Node<@x> 0",
                Some("LLVM ERROR: Cannot select: i64 = Node<@x> 0"),
            ),
            (
                "LLVM ERROR: Cannot select: 0x55ae6c770400: ch = brind 0x55ae6c770390, 0x1",
                Some("LLVM ERROR: Cannot select: ch = brind _, 0x1"),
            ),
            ("In function: k", Some("In function: k")),
            ("    0x55ae6c770010: i64 = undef", None),
            (" #0 0x00007f5c llvm::sys::PrintStackTrace", None),
            ("PLEASE submit a bug report to https://github.com", None),
            ("Stack dump:", None),
            ("", None),
        ] {
            assert_eq!(plain(line).as_deref(), expected, "{line}");
        }
    }
}
