//! Finds the end of a block: bytes against one table, skipping strings and comments.

use super::Scan;

impl Scan<'_, '_> {
    /// Moves after the brace that closes the block opened at `open`. False if there is none.
    pub(super) fn skip_block(&mut self, open: usize) -> bool {
        let text = self.cur.slice(open, self.cur.end());
        if !self.unbalanced {
            if let Some(n) = block_end(text.as_bytes(), false) {
                self.cur.set_pos(open + n);
                return true;
            }
            self.unbalanced = true;
        }
        match block_end(text.as_bytes(), true) {
            Some(n) if text.as_bytes().get(n.wrapping_sub(1)) == Some(&b'}') => {
                self.cur.set_pos(open + n);
                true
            }
            Some(n) => {
                self.cur.set_pos(open + n);
                false
            }
            None => {
                self.cur.set_pos(self.cur.end());
                false
            }
        }
    }
}

/// Characters that stop the fast scan of [`block_end`].
static STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    stops[b'{' as usize] = true;
    stops[b'}' as usize] = true;
    stops[b'/' as usize] = true;
    stops[b'"' as usize] = true;
    stops
};

/// Length of the block at the start of `text`, including braces; with `headers`, it also ends at a
/// line that begins a function (including the newline before it).
pub(super) fn block_end(text: &[u8], headers: bool) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        let b = text[at];
        if !STOPS[b as usize] {
            if headers && b == b'\n' && begins_function(&text[at + 1..]) {
                return Some(at + 1);
            }
            at += 1;
            continue;
        }
        match b {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => at += string_end(&text[at + 1..]),
            _ => match text.get(at + 1) {
                Some(b'/') => {
                    // The newline is scanned again: a header may follow it.
                    at += memchr::memchr(b'\n', &text[at..])?;
                    continue;
                }
                Some(b'*') => at += memchr::memmem::find(&text[at + 2..], b"*/")? + 3,
                _ => {}
            },
        }
        at += 1;
    }
    None
}

/// Bytes from after an opening quote to after the closing one; a string ends with its line at the
/// latest.
fn string_end(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        match b {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn begins_function(line: &[u8]) -> bool {
    if line.first() != Some(&b'.') {
        return false;
    }
    [".entry", ".func", ".visible", ".weak", ".extern"].iter().any(|w| line.starts_with(w.as_bytes()))
}
