//! Reads the debug sections of a module: data with holes for values that depend on code and linking
//! (PTX ISA 9.0, 11.5.4).
//!
//! A section is a list of `.b8`, `.b16`, `.b32` and `.b64` numbers and of labels. A number of 32 or
//! 64 bits may be replaced by the name of a label, variable, function or section, optionally with
//! an addend, or by the difference of two labels. Names are not resolved here: labels of functions
//! have addresses only after code generation.
//!
//! All errors are collected; after an error, reading continues at the next line.

use crate::cursor::Cursor;
use crate::errors::E0128;
use crate::module::Outline;
use crate::tree::ImmKind;
use raddle_diag::{Diagnostic, Diags, FileId, Span};
use std::ops::Range;

/// A section; parts of the text with the same name are concatenated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugSection {
    /// Name with its dot, `.debug_info`.
    pub name: String,
    /// Contents, with zeros in the holes.
    pub bytes: Vec<u8>,
    /// The holes, in ascending order.
    pub holes: Vec<Hole>,
    /// Labels of the section with their offsets.
    pub labels: Vec<(String, u64)>,
    /// Range of the text that names it first.
    pub text: Range<usize>,
}

/// A field to be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Byte offset in the section.
    pub offset: u64,
    /// Width of the field: 4 or 8 bytes.
    pub width: u8,
    /// The name of a label, variable, function or section.
    pub name: String,
    /// A label whose address is subtracted.
    pub minus: Option<String>,
    /// Added to the address.
    pub addend: i64,
    /// Range of the text that specifies it.
    pub text: Range<usize>,
}

/// Reads the debug sections of a module, in the order of their first occurrence. Those of PTX 1.x
/// (`@@DWARF`) are skipped.
pub fn debug_sections(src: &str, file: FileId, outline: &Outline, diags: &mut Diags) -> Vec<DebugSection> {
    let mut out: Vec<DebugSection> = Vec::new();
    for range in outline.sections.iter().filter(|range| src[(*range).clone()].starts_with(".section")) {
        let mut cur = Cursor::new(src, range.start, range.end);
        cur.dot_word();
        cur.skip_space();
        let name = cur.dotted();
        let at = out.iter().position(|s| s.name == name).unwrap_or_else(|| {
            let text = range.start..cur.pos();
            out.push(DebugSection { name: name.to_owned(), text, ..DebugSection::default() });
            out.len() - 1
        });
        cur.eat(b'{');
        let mut reader = Reader { cur, section: &mut out[at] };
        while let Some(result) = reader.line() {
            if let Err(Wrong(range, message)) = result {
                let span = Span::new(file, range.start as u32, range.end as u32);
                diags.push(Diagnostic::error(E0128, message).at(span, ""));
                reader.cur.set_pos(range.end);
                reader.cur.skip_line();
            }
        }
    }
    out
}

/// An error: its range and message.
struct Wrong(Range<usize>, String);

struct Reader<'a, 'o> {
    cur: Cursor<'a>,
    section: &'o mut DebugSection,
}

impl Reader<'_, '_> {
    /// Reads a type with its list, or a label; `None` at the end.
    fn line(&mut self) -> Option<Result<(), Wrong>> {
        self.cur.skip_space();
        if self.cur.at_end() || self.cur.peek() == b'}' {
            return None;
        }
        let start = self.cur.pos();
        let word = self.cur.dotted();
        let width = match word {
            ".b8" => 1,
            ".b16" => 2,
            ".b32" => 4,
            ".b64" => 8,
            _ if !word.is_empty() && !word.starts_with('.') && self.cur.eat(b':') => {
                self.section.labels.push((word.to_owned(), self.section.bytes.len() as u64));
                return Some(Ok(()));
            }
            _ => {
                self.cur.bump();
                let message = "neither a label nor .b8, .b16, .b32 or .b64 in a debug section";
                return Some(Err(Wrong(start..self.cur.pos(), message.into())));
            }
        };
        Some(self.list(width))
    }

    fn list(&mut self, width: u8) -> Result<(), Wrong> {
        loop {
            self.item(width)?;
            if !self.cur.eat(b',') {
                return Ok(());
            }
        }
    }

    fn item(&mut self, width: u8) -> Result<(), Wrong> {
        self.cur.skip_space();
        let start = self.cur.pos();
        let bits = 8 * u32::from(width);
        let value = if matches!(self.cur.peek(), b'-' | b'+' | b'0'..=b'9') {
            self.number(-(1i128 << (bits - 1))..=(1i128 << bits) - 1)? as u64
        } else {
            let name = self.cur.dotted().to_owned();
            if name.is_empty() {
                self.cur.bump();
                return Err(Wrong(start..self.cur.pos(), format!("a number was expected behind .b{bits}")));
            }
            let (mut minus, mut addend) = (None, 0);
            let mut end = self.cur.pos();
            if self.cur.eat(b'-') {
                self.cur.skip_space();
                match self.cur.peek() {
                    b'0'..=b'9' => addend = -self.number(0..=1 << 31)?,
                    _ => minus = Some(self.cur.dotted().to_owned()),
                }
                end = self.cur.pos();
            } else if self.cur.eat(b'+') {
                self.cur.skip_space();
                addend = self.number(-(1 << 31)..=(1 << 31) - 1)?;
                end = self.cur.pos();
            }
            let text = start..end;
            if width < 4 {
                return Err(Wrong(text, format!("an address takes 32 or 64 bits, not {bits}")));
            }
            let offset = self.section.bytes.len() as u64;
            self.section.holes.push(Hole { offset, width, name, minus, addend: addend as i64, text });
            0
        };
        self.section.bytes.extend(&value.to_le_bytes()[..width.into()]);
        Ok(())
    }

    /// Reads a number with an optional sign.
    fn number(&mut self, fits: std::ops::RangeInclusive<i128>) -> Result<i128, Wrong> {
        let start = self.cur.pos();
        let negative = self.cur.peek() == b'-';
        if matches!(self.cur.peek(), b'-' | b'+') {
            self.cur.bump();
            self.cur.skip_space();
        }
        let number = if self.cur.peek().is_ascii_digit() { self.cur.number().ok() } else { None };
        let number = number.filter(|imm| imm.kind == ImmKind::Int).map(|imm| i128::from(imm.bits));
        let here = || start..self.cur.pos();
        let Some(number) = number else { return Err(Wrong(here(), "this is no whole number".into())) };
        let value = if negative { -number } else { number };
        if fits.contains(&value) { Ok(value) } else { Err(Wrong(here(), format!("{value} does not fit"))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sections: &str) -> (Vec<DebugSection>, Vec<String>) {
        let src = format!(".version 8.0\n.target sm_80\n.address_size 64\n{sections}");
        let mut diags = Diags::new();
        let outline = crate::outline(&src, FileId::FIRST, &mut diags);
        let out = debug_sections(&src, FileId::FIRST, &outline, &mut diags);
        let line = |d: &Diagnostic| {
            let span = d.labels[0].span;
            format!("{} {}: {}", d.code, &src[span.start as usize..span.end as usize], d.message)
        };
        (out, diags.iter().map(line).collect())
    }

    #[test]
    fn numbers_labels_and_holes_are_read() {
        let (out, said) = read(
            ".section .debug_x\n{\n.b8 1,-1, 0x10 // one\n$L: .b16 65535\n.b32 -2\n/* two */ M:\n.b64 18446744073709551615\n.b64 $F+4\n\
             .b32 .debug_loc+133\n.b32 $L-M\n.b64 v-8\n}\n.section .debug_y { }\n.section .debug_x { .b8 7\nN: }\n",
        );
        assert_eq!(said, Vec::<String>::new());
        let names: Vec<(&str, usize)> = out.iter().map(|s| (&*s.name, s.bytes.len())).collect();
        assert_eq!(names, [(".debug_x", 3 + 2 + 4 + 8 + 8 + 4 + 4 + 8 + 1), (".debug_y", 0)]);
        assert_eq!(out[0].bytes[..9], [1, 255, 16, 255, 255, 254, 255, 255, 255]);
        assert_eq!((&out[0].bytes[9..17], out[0].bytes[41]), (&[255; 8][..], 7));
        assert_eq!(out[0].labels, [("$L".into(), 3), ("M".into(), 9), ("N".into(), 42)]);
        let hole = |h: &Hole| (h.offset, h.width, h.name.clone(), h.minus.clone(), h.addend);
        let want = [
            (17, 8, "$F".into(), None, 4),
            (25, 4, ".debug_loc".into(), None, 133),
            (29, 4, "$L".into(), Some("M".into()), 0),
            (33, 8, "v".into(), None, -8),
        ];
        assert_eq!(out[0].holes.iter().map(hole).collect::<Vec<_>>(), want);
    }

    #[test]
    fn every_mistake_is_told_with_its_place() {
        let (out, said) =
            read(".section .debug_x\n{\n.b8 300\n.s32 5\n.b16 $L\n.b32 1.5\n.b8 1,\n.b8 -129\n.b64 1e3\n.b8 9\n}\n");
        let want = [
            "E0128 300: 300 does not fit",
            "E0128 .s32 : neither a label nor .b8, .b16, .b32 or .b64 in a debug section",
            "E0128 $L: an address takes 32 or 64 bits, not 16",
            "E0128 1.5: this is no whole number",
            // After a comma the list continues.
            "E0128 .b8 -129: an address takes 32 or 64 bits, not 8",
            "E0128 1e3: this is no whole number",
        ];
        assert_eq!(said, want);
        assert_eq!(out[0].bytes.last(), Some(&9));
    }
}
