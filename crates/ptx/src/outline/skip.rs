//! Finds the end of a block, skipping strings and comments.

use super::Scan;

impl Scan<'_, '_> {
    /// Moves after the brace that closes the block opened at `open`. False if there is none.
    pub(super) fn skip_block(&mut self, open: usize) -> bool {
        let text = self.cur.slice(open, self.cur.end());
        if !self.unbalanced {
            if let Some(n) = block_end(text.as_bytes()) {
                self.cur.set_pos(open + n);
                return true;
            }
            self.unbalanced = true;
        }
        match block_or_header_end(text.as_bytes()) {
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

/// Length of the block at the start of `text`, including braces.
///
/// Two searches run next to each other: for braces and quotes, and for slashes, which begin comments.
/// Each continues from the place that the other one has skipped to.
pub(super) fn block_end(text: &[u8]) -> Option<usize> {
    let stop_from = |at: usize| Some(at + memchr::memchr3(b'{', b'}', b'"', text.get(at..)?)?);
    let slash_from = |at: usize| {
        let found = text.get(at..).and_then(|rest| memchr::memchr(b'/', rest));
        found.map_or(text.len(), |n| at + n)
    };
    let (mut depth, mut stop, mut slash) = (0usize, stop_from(0)?, slash_from(0));
    loop {
        let next = if slash < stop {
            let next = comment_end(text, slash)?;
            slash = slash_from(next);
            next
        } else {
            let next = match text[stop] {
                b'{' => {
                    depth += 1;
                    stop + 1
                }
                b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(stop + 1);
                    }
                    stop + 1
                }
                _ => stop + 1 + string_end(&text[stop + 1..]),
            };
            if slash < next {
                slash = slash_from(next);
            }
            next
        };
        if stop < next {
            stop = stop_from(next)?;
        }
    }
}

/// The end of the comment that may begin at a slash; otherwise the next byte. `None` if the text ends
/// before.
fn comment_end(text: &[u8], slash: usize) -> Option<usize> {
    match text.get(slash + 1) {
        Some(b'/') => Some(slash + memchr::memchr(b'\n', &text[slash..])?),
        Some(b'*') => Some(slash + 4 + memchr::memmem::find(&text[slash + 2..], b"*/")?),
        _ => Some(slash + 1),
    }
}

/// Like [`block_end`], but the block also ends before a line that begins a function.
fn block_or_header_end(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'\n' if begins_function(&text[at + 1..]) => return Some(at + 1),
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => at += string_end(&text[at + 1..]),
            b'/' => {
                at = comment_end(text, at)?;
                continue;
            }
            _ => {}
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

/// Whether a line looks like the start of a function.
pub(super) fn begins_function(line: &[u8]) -> bool {
    if line.first() != Some(&b'.') {
        return false;
    }
    [".entry", ".func", ".visible", ".weak", ".extern"].iter().any(|w| line.starts_with(w.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_entity::SplitMix;

    #[test]
    fn blocks_end_with_their_brace() {
        let end = |text: &str| block_end(text.as_bytes());
        assert_eq!((end("{}"), end("{ {} } }"), end("{"), end("")), (Some(2), Some(6), None, None));
        assert_eq!((end("{ // }\n}"), end("{ // }"), end("{/*}*/}"), end("{/*}")), (Some(8), None, Some(7), None));
        assert_eq!((end("{ \"}\" }"), end("{ \"//\" }"), end("{\"\\\"}\"}")), (Some(7), Some(8), Some(7)));
        assert_eq!((end("{ / }"), end("{ \"}\n}"), end("{/*/}*/}")), (Some(5), Some(6), Some(8)));
    }

    /// A text without headers ends for both searches at the same place.
    #[test]
    fn both_searches_agree() {
        let mut rng = SplitMix(1);
        let mut found = 0;
        for _ in 0..200_000 {
            let length = 1 + rng.next() as usize % 40;
            let mut text = vec![b'{'];
            text.extend((0..length).map(|_| b"{}}//**\"\\\n a"[rng.next() as usize % 12]));
            let end = block_end(&text);
            assert_eq!(end, block_or_header_end(&text), "{}", String::from_utf8_lossy(&text));
            found += usize::from(end.is_some());
        }
        assert!(found > 20_000, "{found}");
    }
}
