//! Puts the parts of a file at their places.
//!
//! Problem: copying the parts of a large file into one buffer, and the page faults of that buffer,
//! are most of the time of writing it. Strategy: places are checked first; then the buffer is cut
//! between parts into pieces, which an executor fills at once.
//!
//! Invariants: no bytes are written twice, except a whole part with the same bytes (the
//! finalizer's constants of sm_100 are those of the program, ptxas 13.0.88 output). Gaps are zero.
//! The result does not depend on the executor.

use std::borrow::Cow;

use raddle_entity::{Executor, for_each_mut};

/// The largest file that is written; a larger model is invalid.
const MAX_FILE: u64 = 1 << 36;
/// Bytes from which parts next to each other are a piece of their own.
const PIECE: usize = 64 << 10;

/// A part of a file.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    /// Its name in errors.
    pub what: &'a str,
    /// The file offset.
    pub offset: u64,
    /// Its bytes.
    pub data: Cow<'a, [u8]>,
}

impl Part<'_> {
    /// The file offset behind it.
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.data.len() as u64)
    }

    fn misplaced(&self) -> Misplaced {
        Misplaced(self.what.to_owned())
    }
}

/// The name of a part that overlaps another one, or is beyond the largest size.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misplaced(pub String);

/// A range of the file that is filled at once: its start, its bytes, and the parts in it.
type Piece<'p, 'a> = (u64, &'p mut [u8], &'p [Part<'a>]);

/// Returns the bytes of a file with these parts; empty ones are nowhere.
///
/// # Errors
/// A part that is misplaced.
pub(crate) fn assemble(mut parts: Vec<Part<'_>>, executor: &dyn Executor) -> Result<Vec<u8>, Misplaced> {
    parts.retain(|part| !part.data.is_empty());
    if let Some(part) = parts.iter().find(|part| part.end() > MAX_FILE) {
        return Err(part.misplaced());
    }
    parts.sort_by_key(|part| (part.offset, part.end()));
    for pair in parts.windows(2) {
        let twice = pair[0].offset == pair[1].offset && pair[0].data == pair[1].data;
        if pair[0].end() > pair[1].offset && !twice {
            return Err(pair[1].misplaced());
        }
    }
    parts.dedup_by(|next, first| next.offset == first.offset);
    let size = parts.last().map_or(0, Part::end);
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
    for_each_mut(&mut pieces(&mut bytes, &parts), executor, |(start, bytes, parts)| {
        for part in *parts {
            let at = (part.offset - *start) as usize;
            bytes[at..at + part.data.len()].copy_from_slice(&part.data);
        }
    });
    Ok(bytes)
}

/// Cuts a file between its parts, which are sorted and do not overlap.
fn pieces<'p, 'a>(bytes: &'p mut [u8], parts: &'p [Part<'a>]) -> Vec<Piece<'p, 'a>> {
    let mut out = Vec::with_capacity(bytes.len() / PIECE + 1);
    let (mut rest, mut start, mut first) = (bytes, 0, 0);
    for (n, part) in parts.iter().enumerate() {
        let size = (part.end() - start) as usize;
        if size >= PIECE || n + 1 == parts.len() {
            let (piece, behind) = std::mem::take(&mut rest).split_at_mut(size);
            out.push((start, piece, &parts[first..=n]));
            (rest, start, first) = (behind, part.end(), n + 1);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_entity::Serial;

    fn part(what: &'static str, offset: u64, data: &[u8]) -> Part<'static> {
        Part { what, offset, data: Cow::Owned(data.to_vec()) }
    }

    /// Runs pieces from the last to the first.
    struct Backwards;

    impl Executor for Backwards {
        fn run(&self, n: usize, piece: &(dyn Fn(usize) + Sync)) {
            (0..n).rev().for_each(piece);
        }
    }

    #[test]
    fn parts_in_any_order_are_at_their_places() {
        let large: Vec<u8> = (0..3 * PIECE).map(|n| n as u8).collect();
        let parts = || {
            vec![
                part("d", 9 + large.len() as u64, b"end"),
                part("a", 0, b"ab"),
                part("empty", 1, b""),
                part("c", 6, &large),
                part("b", 3, b"c"),
                part("again", 3, b"c"),
            ]
        };
        let wanted = [&b"ab\0c\0\0"[..], &large, b"\0\0\0end"].concat();
        assert!(assemble(parts(), &Serial).unwrap() == wanted);
        assert!(assemble(parts(), &Backwards).unwrap() == wanted);
        assert_eq!(assemble(Vec::new(), &Serial).unwrap(), b"");
    }

    #[test]
    fn parts_that_overlap_are_an_error() {
        let made = |second: Part<'static>| assemble(vec![part("a", 2, b"abcd"), second], &Serial);
        for (offset, data) in [(5, &b"x"[..]), (0, b"xyz"), (2, b"abce"), (2, b"abc"), (3, b"b")] {
            assert!(made(part("b", offset, data)).is_err(), "{offset} {data:?}");
        }
        assert_eq!(made(part("b", 2, b"abcd")).unwrap(), b"\0\0abcd");
        assert_eq!(made(part("far", u64::MAX, b"x")), Err(Misplaced("far".into())));
        assert_eq!(made(part("far", MAX_FILE, b"x")), Err(Misplaced("far".into())));
    }
}
