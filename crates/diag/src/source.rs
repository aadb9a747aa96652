//! Inputs by number, spans in them, and lines and columns computed on demand.
//!
//! **Strategy.** On the first query a file counts the newlines before each 64 KiB block: a place
//! costs one block scan, the index 4 bytes per block, and an input without diagnostics costs
//! nothing.

use memchr::{memchr, memchr_iter, memrchr};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The number of an input in its [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The first input of a map.
    pub const FIRST: FileId = FileId(0);

    /// The number, from 0, in the order of addition.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The input.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte; equal to `start` for a point.
    pub end: u32,
}

impl Span {
    /// Creates the span `start..end`; an end before its start gives a point.
    pub const fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end: if end < start { start } else { end } }
    }

    /// Creates a point.
    pub const fn point(file: FileId, offset: u32) -> Span {
        Span { file, start: offset, end: offset }
    }

    /// The same range, moved by `base` bytes (saturating).
    #[must_use]
    pub const fn shifted(self, base: u32) -> Span {
        Span { file: self.file, start: self.start.saturating_add(base), end: self.end.saturating_add(base) }
    }

    /// As a range of indices.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

const BLOCK: usize = 1 << 16;

/// One input: its name and text.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: Arc<String>,
    newlines_before_block: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The name as given by the user.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as a shared handle, which tasks can hold without a lifetime.
    pub fn shared_text(&self) -> Arc<String> {
        Arc::clone(&self.text)
    }

    /// The offset limited to the text and moved to the start of its character.
    fn clamp(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }

    /// The line number, from 1, of an offset; offsets after the end count as the end.
    pub fn line(&self, offset: usize) -> usize {
        let offset = self.clamp(offset);
        let bytes = self.text.as_bytes();
        let index = self.newlines_before_block.get_or_init(|| {
            let mut total = 0;
            let mut before = Vec::with_capacity(bytes.len() / BLOCK + 1);
            for block in bytes.chunks(BLOCK) {
                before.push(total);
                total += newlines(block);
            }
            before
        });
        let block = offset / BLOCK;
        match index.get(block) {
            Some(&before) => (before + newlines(&bytes[block * BLOCK..offset])) as usize + 1,
            // The end of a text whose length is a multiple of the block.
            None => newlines(bytes) as usize + 1,
        }
    }

    /// Line and column of an offset; offsets after the end count as the end.
    pub fn place(&self, offset: usize) -> LineColumn {
        let offset = self.clamp(offset);
        let start = self.line_range(offset).start;
        LineColumn { line: self.line(offset), column: self.text[start..offset].chars().count() + 1 }
    }

    /// The range of the line that contains an offset, without its newline.
    pub fn line_range(&self, offset: usize) -> Range<usize> {
        let offset = self.clamp(offset);
        let bytes = self.text.as_bytes();
        let start = memrchr(b'\n', &bytes[..offset]).map_or(0, |i| i + 1);
        let end = memchr(b'\n', &bytes[offset..]).map_or(bytes.len(), |i| offset + i);
        start..end
    }
}

fn newlines(bytes: &[u8]) -> u32 {
    memchr_iter(b'\n', bytes).count() as u32
}

/// An input of 4 GiB or more: offsets have 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The size in bytes.
    pub bytes: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "input of {} bytes; the limit is 4294967295", self.bytes)
    }
}

impl std::error::Error for TooLarge {}

/// All inputs of a run, filled before tasks start and then shared read-only.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Creates a map without inputs.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds an input and returns its number; fails for 4 GiB and more.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> Result<FileId, TooLarge> {
        let text = Arc::new(text.into());
        if u32::try_from(text.len()).is_err() {
            return Err(TooLarge { bytes: text.len() });
        }
        let id = FileId(u32::try_from(self.files.len()).map_err(|_| TooLarge { bytes: text.len() })?);
        self.files.push(SourceFile { name: name.into(), text, newlines_before_block: OnceLock::new() });
        Ok(id)
    }

    /// The input with a number; `None` for a number of another map.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.index())
    }

    /// All inputs in order.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, file)| (FileId(i as u32), file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceMap {
        let mut map = SourceMap::new();
        map.add("f", text).unwrap();
        map
    }

    #[test]
    fn places_agree_with_counting() {
        let text: String = (0..40_000).map(|i| format!("{}ü{}\n", i, "x".repeat(i % 17))).collect();
        let map = file(&text);
        let f = map.get(FileId::FIRST).unwrap();
        for offset in (0..text.len() + 9).step_by(9973) {
            let cut = text.floor_char_boundary(offset);
            let line = text[..cut].matches('\n').count() + 1;
            let column = text[..cut].rsplit('\n').next().unwrap().chars().count() + 1;
            assert_eq!(f.place(offset), LineColumn { line, column }, "offset {offset}");
        }
    }

    #[test]
    fn ends_and_empty_texts_have_places() {
        for size in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK] {
            let text = "\n".repeat(size);
            let map = file(&text);
            let f = map.get(FileId::FIRST).unwrap();
            assert_eq!(f.place(usize::MAX), LineColumn { line: size + 1, column: 1 });
            assert_eq!(f.place(0), LineColumn { line: 1, column: 1 });
        }
    }

    #[test]
    fn line_ranges_exclude_the_newline() {
        let map = file("ab\ncd");
        let f = map.get(FileId::FIRST).unwrap();
        assert_eq!(f.line_range(2), 0..2);
        assert_eq!(f.line_range(3), 3..5);
        assert_eq!(f.line_range(99), 3..5);
    }

    #[test]
    fn spans_never_end_before_they_start() {
        assert_eq!(Span::new(FileId::FIRST, 5, 2), Span::point(FileId::FIRST, 5));
        assert_eq!(Span::point(FileId::FIRST, u32::MAX).shifted(1).end, u32::MAX);
    }
}
