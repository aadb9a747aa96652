//! A position in the text: skips blanks and comments, reads names, numbers and strings.
//!
//! Strategy: bytes and one table of character classes; every read past the end returns a NUL byte,
//! which no rule accepts, so reading cannot run past the text.

use crate::tree::{Imm, ImmKind};

/// Characters of names: letters, digits, `_`, `$`, `%`.
const NAME: u8 = 1;
/// Blanks.
const SPACE: u8 = 2;
/// Decimal digits.
const DIGIT: u8 = 4;

static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut c = 0;
    while c < 256 {
        let b = c as u8;
        if b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b == b'%' {
            class[c] |= NAME;
        }
        if b.is_ascii_digit() {
            class[c] |= DIGIT;
        }
        if matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) {
            class[c] |= SPACE;
        }
        c += 1;
    }
    class
};

/// Whether a character may be part of a name.
pub(crate) fn is_name(b: u8) -> bool {
    CLASS[b as usize] & NAME != 0
}

/// The error of a malformed number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BadNumber;

/// A position in a text.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    pos: usize,
    end: usize,
    /// The start of a comment that is not closed.
    unclosed: Option<usize>,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor over `text[start..end]`; positions count from the start of `text`.
    pub(crate) fn new(text: &'a str, start: usize, end: usize) -> Self {
        let end = end.min(text.len());
        Cursor { text, pos: start.min(end), end, unclosed: None }
    }

    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    pub(crate) fn set_pos(&mut self, pos: usize) {
        self.pos = pos.min(self.end);
    }

    /// The start of a comment that is not closed.
    pub(crate) fn unclosed(&self) -> Option<usize> {
        self.unclosed
    }

    pub(crate) fn at_end(&self) -> bool {
        self.pos >= self.end
    }

    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// The current byte, NUL at the end.
    #[inline]
    pub(crate) fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    #[inline]
    pub(crate) fn peek_at(&self, ahead: usize) -> u8 {
        let at = self.pos + ahead;
        if at < self.end { self.text.as_bytes()[at] } else { 0 }
    }

    /// Advances by one byte.
    #[inline]
    pub(crate) fn bump(&mut self) {
        if self.pos < self.end {
            self.pos += 1;
        }
    }

    /// The text between two positions; empty if they are not at character boundaries.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    /// Skips blanks and comments. An unclosed comment extends to the end of the text, and the
    /// result is `false`.
    #[inline]
    pub(crate) fn skip_space(&mut self) -> bool {
        let bytes = &self.text.as_bytes()[..self.end];
        while let Some(&b) = bytes.get(self.pos) {
            if CLASS[b as usize] & SPACE != 0 {
                self.pos += 1;
            } else if b == b'/' {
                match bytes.get(self.pos + 1) {
                    Some(b'/') => self.skip_line(),
                    Some(b'*') => match memchr::memmem::find(&bytes[self.pos + 2..], b"*/") {
                        Some(n) => self.pos += n + 4,
                        None => {
                            self.unclosed = Some(self.pos);
                            self.pos = self.end;
                            return false;
                        }
                    },
                    _ => return true,
                }
            } else {
                return true;
            }
        }
        true
    }

    /// Skips to the next newline or the end.
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.pos..self.end];
        self.pos += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// Skips blanks; reads `b` if it is next.
    #[inline]
    pub(crate) fn eat(&mut self, b: u8) -> bool {
        if self.peek() != b {
            self.skip_space();
            if self.peek() != b || self.at_end() {
                return false;
            }
        }
        self.bump();
        true
    }

    /// Reads a run of name characters, which may be empty.
    #[inline]
    pub(crate) fn name(&mut self) -> &'a str {
        let start = self.pos;
        let bytes = &self.text.as_bytes()[..self.end];
        while self.pos < bytes.len() && CLASS[bytes[self.pos] as usize] & NAME != 0 {
            self.pos += 1;
        }
        self.slice(start, self.pos)
    }

    /// Reads a dotted word: name characters, dots, and double colons: `ld.param::entry.b64`,
    /// `.entry`.
    #[inline]
    pub(crate) fn dotted(&mut self) -> &'a str {
        let start = self.pos;
        let bytes = &self.text.as_bytes()[..self.end];
        while let Some(&b) = bytes.get(self.pos) {
            if CLASS[b as usize] & NAME != 0 || b == b'.' {
                self.pos += 1;
            } else if b == b':' && bytes.get(self.pos + 1) == Some(&b':') {
                self.pos += 2;
            } else {
                break;
            }
        }
        self.slice(start, self.pos)
    }

    /// Reads one dotted part: `.b32`, `.shared::cta`; empty if the next byte is not a dot.
    pub(crate) fn dot_word(&mut self) -> &'a str {
        let start = self.pos;
        if self.peek() != b'.' {
            return "";
        }
        self.bump();
        loop {
            self.name();
            if self.peek() == b':' && self.peek_at(1) == b':' {
                self.pos += 2;
            } else {
                return self.slice(start, self.pos);
            }
        }
    }

    /// Reads a number: the cursor is at a digit, or at a dot before one.
    pub(crate) fn number(&mut self) -> Result<Imm, BadNumber> {
        let bytes = &self.text.as_bytes()[..self.end];
        let start = self.pos;
        // Plain decimal integers first: nearly all numbers are.
        let mut value: u64 = 0;
        let mut overflow = false;
        while let Some(&b) = bytes.get(self.pos) {
            if CLASS[b as usize] & DIGIT == 0 {
                break;
            }
            let (v, o) = value.overflowing_mul(10);
            let (v, o2) = v.overflowing_add(u64::from(b - b'0'));
            value = v;
            overflow |= o || o2;
            self.pos += 1;
        }
        let next = self.peek();
        let int = |bits| Ok(Imm { bits, kind: ImmKind::Int });
        if self.pos == start + 1 && bytes[start] == b'0' && next.is_ascii_alphabetic() {
            self.pos += 1;
            let digits_at = self.pos;
            let digits = self.name();
            let exact = |n: usize, kind| match u64::from_str_radix(digits, 16) {
                Ok(bits) if digits.len() == n => Ok(Imm { bits, kind }),
                _ => Err(BadNumber),
            };
            return match next {
                b'f' | b'F' => exact(8, ImmKind::F32),
                b'd' | b'D' => exact(16, ImmKind::F64),
                b'x' | b'X' => radix(digits, 16).and_then(int),
                b'b' | b'B' => radix(digits, 2).and_then(int),
                b'U' if digits.is_empty() => int(0),
                b'e' | b'E' => {
                    self.pos = digits_at - 1;
                    self.decimal(start)
                }
                _ => Err(BadNumber),
            };
        }
        match next {
            b'.' => {
                self.bump();
                while CLASS[self.peek() as usize] & DIGIT != 0 {
                    self.bump();
                }
                self.decimal(start)
            }
            b'e' | b'E' => self.decimal(start),
            _ => {
                if self.peek() == b'U' {
                    self.bump();
                }
                let digits = self.slice(start, self.pos).trim_end_matches('U');
                if is_name(self.peek()) || digits.is_empty() {
                    self.name();
                    return Err(BadNumber);
                }
                if digits.len() > 1 && digits.starts_with('0') {
                    return radix(&digits[1..], 8).and_then(int);
                }
                if overflow { Err(BadNumber) } else { int(value) }
            }
        }
    }

    /// Reads the rest of a decimal floating-point number, with an optional exponent.
    fn decimal(&mut self, start: usize) -> Result<Imm, BadNumber> {
        if matches!(self.peek(), b'e' | b'E') {
            self.bump();
            if matches!(self.peek(), b'+' | b'-') {
                self.bump();
            }
            if !self.peek().is_ascii_digit() {
                self.name();
                return Err(BadNumber);
            }
        }
        while CLASS[self.peek() as usize] & DIGIT != 0 {
            self.bump();
        }
        if is_name(self.peek()) {
            self.name();
            return Err(BadNumber);
        }
        let text = self.slice(start, self.pos);
        // A literal of a megabyte is an error: f64 needs at most 767 digits.
        if text.len() > 1024 {
            return Err(BadNumber);
        }
        let value: f64 = text.parse().map_err(|_| BadNumber)?;
        Ok(Imm { bits: value.to_bits(), kind: ImmKind::F64 })
    }

    /// Reads a string in double quotes; `None` if it is not closed.
    pub(crate) fn string(&mut self) -> Option<&'a str> {
        let start = self.pos + 1;
        let bytes = &self.text.as_bytes()[..self.end];
        let mut at = start;
        loop {
            match bytes.get(at)? {
                b'"' => {
                    self.pos = at + 1;
                    return Some(self.slice(start, at));
                }
                b'\\' => at += 2,
                b'\n' => return None,
                _ => at += 1,
            }
        }
    }
}

fn radix(digits: &str, radix: u32) -> Result<u64, BadNumber> {
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    if digits.starts_with('+') {
        return Err(BadNumber);
    }
    u64::from_str_radix(digits, radix).map_err(|_| BadNumber)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Result<(u64, ImmKind), BadNumber> {
        let mut cursor = Cursor::new(text, 0, text.len());
        cursor.number().map(|imm| (imm.bits, imm.kind))
    }

    #[test]
    fn numbers_of_every_base() {
        assert_eq!(number("42;"), Ok((42, ImmKind::Int)));
        assert_eq!(number("0x1F,"), Ok((31, ImmKind::Int)));
        assert_eq!(number("0xFFFFFFFFFFFFFFFFU"), Ok((u64::MAX, ImmKind::Int)));
        assert_eq!(number("017"), Ok((15, ImmKind::Int)));
        assert_eq!(number("0b101"), Ok((5, ImmKind::Int)));
        assert_eq!(number("7U"), Ok((7, ImmKind::Int)));
        assert_eq!(number("0f3F800000"), Ok((0x3f80_0000, ImmKind::F32)));
        assert_eq!(number("0d3FF0000000000000"), Ok((1f64.to_bits(), ImmKind::F64)));
        assert_eq!(number("1.5e2"), Ok((150f64.to_bits(), ImmKind::F64)));
        assert_eq!(number("0e1"), Ok((0, ImmKind::F64)));
        for bad in ["0f3F8", "0x", "18446744073709551616", "12ab", "089", "0b2", "1e"] {
            assert_eq!(number(bad), Err(BadNumber), "{bad}");
        }
    }

    #[test]
    fn blanks_comments_and_words() {
        let text = " /* a */ // b\n ld.param::entry.b64 x";
        let mut cursor = Cursor::new(text, 0, text.len());
        assert!(cursor.skip_space());
        assert_eq!(cursor.dotted(), "ld.param::entry.b64");
        let text = "/* open";
        assert!(!Cursor::new(text, 0, text.len()).skip_space());
    }
}
