//! Products of a warpgroup, as instructions ask for them (`HGMMA`, `QGMMA`, `IGMMA`, `BGMMA`).

use super::number::Layout;
use super::op::{Arithmetic, Element};
use super::sum::{Output, Rule};

/// One product. Its D has 64 rows, 16 of each of four warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GmmaOp {
    /// Columns of B.
    pub columns: u16,
    /// Columns of A, the left out ones of a sparse A counted; single bits in words of 32.
    pub inner: u8,
    /// Type of A.
    pub a: Element,
    /// Type of B.
    pub b: Element,
    /// The arithmetic.
    pub arithmetic: Arithmetic,
    /// Whether A is in registers.
    pub registers: bool,
    /// First register of D, 255 for none.
    pub d: u8,
    /// First register of the accumulator, 255 for none. At -O0 ptxas 13.0.88 sometimes gives it
    /// other registers than D.
    pub c: u8,
    /// First register of the descriptors.
    pub descriptors: u8,
    /// A sparse A: the selector of its metadata.
    pub selector: Option<u8>,
    /// Whether A and B are stored with the elements of one k adjacent.
    pub turned: [bool; 2],
    /// Whether signs of A and B are changed.
    pub negated: [bool; 2],
    /// Whether the instruction is the last of its group.
    pub ends_group: bool,
}

impl GmmaOp {
    /// Whether two results are in one register.
    pub fn is_half(&self) -> bool {
        matches!(self.arithmetic, Arithmetic::Float(Rule { output: Output::Half, .. }))
    }

    /// Registers of D.
    pub fn count(&self) -> u8 {
        (self.columns / if self.is_half() { 4 } else { 2 }) as u8
    }

    /// Stored elements of a row of A.
    pub fn stored(&self) -> usize {
        usize::from(if self.selector.is_some() { self.inner / 2 } else { self.inner })
    }
}

/// The rule of products of a warpgroup on sm_90a. Of e4m3 and e5m2 published results decide `fraction`
/// for binary32 (arXiv 2512.07004); the rest is from MMA-Sim alone (arXiv 2511.10909).
pub fn warpgroup_rule(factors: Layout, output: Output) -> Rule {
    let byte = factors == Layout::E4M3 || factors == Layout::E5M2;
    let (block, fraction) = match factors {
        _ if byte => (32, 13),
        Layout::TF32 => (8, 25),
        _ => (16, 25),
    };
    Rule { block, fraction, zero: -133, output }
}
