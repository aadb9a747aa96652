//! Which element of a matrix is in which register of which lane (PTX ISA 9.0, 9.7.14.5).
//!
//! Lane `4g + t` has elements of row `g` of A, of column `g` of B, and of row `g` of the result;
//! the same formulas hold for all shapes of eight columns and for all types.

use crate::machine::uop::{From, Src};
use crate::machine::warp::Warp;

/// Most elements of a row of A or a column of B: those of four bits in `SP.168128`.
pub const LONGEST: usize = 128;

/// Rows of A or columns of B, as encodings.
pub struct Lines {
    /// The elements of each.
    pub bits: [[u64; LONGEST]; 16],
    /// Lines with undefined bits.
    pub undefined: u16,
}

/// The registers of one factor.
#[derive(Clone, Copy, Debug)]
pub struct Registers<'a> {
    /// The first.
    pub source: &'a Src,
    /// Their number, of 32 bits or of 64 for elements of 64.
    pub count: u8,
    /// Bits of an element.
    pub element: u8,
    /// Whether every second register has lines 8 to 15: A of sixteen rows.
    pub tall: bool,
    /// Whether signs are removed, before they are changed.
    pub absolute: bool,
    /// Whether signs are changed.
    pub negated: bool,
}

impl Registers<'_> {
    /// The sign bits that are removed and those that are changed.
    fn signs(&self) -> (u64, u64) {
        let sign = 1u64 << (self.element - 1);
        (if self.absolute { sign } else { 0 }, if self.negated { sign } else { 0 })
    }
}

/// Element, line and first column of register `r` in lane `lane`, of `E` elements a register.
fn place(r: usize, lane: usize, elements: usize, tall: bool) -> (usize, usize) {
    let (group, thread) = (lane / 4, lane % 4);
    let (line, run) = if tall { (group + 8 * (r & 1), r >> 1) } else { (group, r) };
    (line, elements * thread + 4 * elements * run)
}

impl Warp {
    /// Reads one register of an operand: value and undefined bits.
    pub fn piece(&self, source: &Src, r: usize, lane: usize) -> (u32, u32) {
        match source.from {
            From::Reg(255) | From::Imm | From::UReg(_) => (0, 0),
            From::Reg(n) => {
                (self.reg(n.saturating_add(r as u8))[lane], self.reg_undef(n.saturating_add(r as u8), lane))
            }
        }
    }

    /// [`Warp::piece`] of a pair.
    pub fn pair(&self, source: &Src, r: usize, lane: usize) -> (u64, u64) {
        let ((low, low_undef), (high, high_undef)) =
            (self.piece(source, 2 * r, lane), self.piece(source, 2 * r + 1, lane));
        (u64::from(high) << 32 | u64::from(low), u64::from(high_undef) << 32 | u64::from(low_undef))
    }

    /// Reads a factor.
    pub fn lines(&self, factor: Registers<'_>) -> Lines {
        let mut out = Lines { bits: [[0; LONGEST]; 16], undefined: 0 };
        let width = usize::from(factor.element);
        let elements = (32 / width).max(1);
        let (removed, changed) = factor.signs();
        let mask = u64::MAX >> (64 - width);
        for r in 0..usize::from(factor.count) {
            for lane in 0..32 {
                let (value, undefined) = if width == 64 {
                    self.pair(factor.source, r, lane)
                } else {
                    let (value, undefined) = self.piece(factor.source, r, lane);
                    (value.into(), undefined.into())
                };
                let (line, first) = place(r, lane, elements, factor.tall);
                out.undefined |= u16::from(undefined != 0) << line;
                for e in 0..elements {
                    out.bits[line][first + e] = (value >> (e * width) & mask & !removed) ^ changed;
                }
            }
        }
        out
    }
}

/// Row and column of the elements of the result in register `r` of a lane: one, or two adjacent
/// ones of 16 bits.
pub fn result_place(r: usize, lane: usize, halves: bool) -> (usize, usize) {
    let (group, thread) = (lane / 4, lane % 4);
    if halves { (group + 8 * r, 2 * thread) } else { (group + 8 * (r >> 1), 2 * thread + (r & 1)) }
}

/// The columns of the kept elements of each row of a sparse A.
pub struct Kept {
    /// By row and kept element.
    pub columns: [[u8; LONGEST]; 16],
    /// Whether metadata has undefined bits.
    pub undefined: bool,
}

/// How the metadata of a sparse A is stored: four bits for two kept elements (or pairs of elements
/// of four bits) of four, or for one of two. Layout as ptxas 13.0.88 assumes it where it sorts
/// metadata, and PTX ISA 9.0, 9.7.14.6.
#[derive(Clone, Copy, Debug)]
pub struct Metadata<'a> {
    /// The register.
    pub source: &'a Src,
    /// Which lanes of a group of four have the metadata.
    pub selector: u8,
    /// Registers of A.
    pub count: u8,
    /// Bits of an element.
    pub element: u8,
}

impl Warp {
    /// Reads the metadata of a sparse A.
    pub fn kept(&self, m: Metadata<'_>) -> Kept {
        let mut out = Kept { columns: [[0; LONGEST]; 16], undefined: false };
        let elements = 32 / usize::from(m.element);
        let selector = usize::from(m.selector);
        for r in 0..usize::from(m.count) {
            for lane in 0..32 {
                let (group, thread) = (lane / 4, lane % 4);
                let few = m.count == 2;
                // The lane of the group whose word it is, the first of its bits, their number.
                let (holder, first, bits) = if m.element >= 16 {
                    let holder = if few { selector } else { 2 * selector + (r >> 1) };
                    (holder, 4 * (thread + 4 * (r & 1)), 4)
                } else {
                    let holder = if few { 2 * selector + (r & 1) } else { r };
                    (holder, 8 * thread, 8)
                };
                let (word, undefined) = self.piece(m.source, 0, 4 * group + holder % 4);
                let nibbles = word >> first;
                out.undefined |= undefined >> first & ((1 << bits) - 1) != 0;
                let (row, start) = place(r, lane, elements, true);
                for e in 0..elements {
                    out.columns[row][start + e] = column(nibbles, e, start, m.element) as u8;
                }
            }
        }
        out
    }
}

/// The column of kept element `e` of a register whose first kept element is number `start`.
fn column(nibbles: u32, e: usize, start: usize, element: u8) -> usize {
    // A pair of elements of four bits is kept together.
    let (unit, within) = if element == 4 { (e / 2, e % 2) } else { (e, 0) };
    let step = if element == 4 { 2 } else { 1 };
    let index = |n: usize| (nibbles >> (2 * n) & 3) as usize;
    if element == 32 {
        // Four bits for one of two: 0b0100 the first, 0b1110 the second (PTX ISA 9.0, 9.7.14.6).
        return 2 * start + (index(0) >> 1);
    }
    2 * start + (unit / 2 * 4 + index(unit)) * step + within
}
