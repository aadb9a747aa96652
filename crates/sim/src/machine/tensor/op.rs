//! Products and transfers of matrices, as instructions ask for them.

use super::number::Layout;
use super::sum::{Output, Rule};
use crate::float::Rounding;
use crate::machine::operand::Addr;

/// Element type of a factor, with its arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A float of 32 bits or fewer: its format and its bits in a register.
    Float(Layout, u8),
    /// An integer of so many bits.
    Integer {
        /// 4 or 8.
        bits: u8,
        /// Whether it is signed.
        signed: bool,
    },
    /// 32 single bits, for `POPC`.
    Bits,
    /// binary64.
    Double,
}

impl Element {
    /// Bits in a register.
    pub fn bits(self) -> u8 {
        match self {
            Element::Float(_, bits) | Element::Integer { bits, .. } => bits,
            Element::Bits => 32,
            Element::Double => 64,
        }
    }
}

/// How products become results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// By the rule of the machine for these float types.
    Float(Rule),
    /// Exact; clamped to 32 bits if true, else modulo 2^32.
    Integer(bool),
    /// The number of bits set in the combination of two words: exclusive or if true, else
    /// conjunction. Added modulo 2^32.
    Popcount(bool),
    /// A chain of fused multiply-adds, in rising order of columns of A.
    Double(Rounding),
}

/// A matrix product with its shape and types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixOp {
    /// Rows of A.
    pub rows: u8,
    /// Columns of A, the left out ones of a sparse A counted; single bits in words of 32.
    pub inner: u8,
    /// Type of A.
    pub a: Element,
    /// Type of B.
    pub b: Element,
    /// The arithmetic.
    pub arithmetic: Arithmetic,
    /// A sparse A: the selector of its metadata.
    pub selector: Option<u8>,
    /// Whether signs of A, B and C are changed.
    pub negated: [bool; 3],
    /// Whether signs of A, B and C are removed.
    pub absolute: [bool; 3],
}

impl MatrixOp {
    /// Registers of A, B and of the result: of 32 bits, or of 64 for binary64.
    pub fn registers(&self) -> [u8; 3] {
        let elements = (32 / self.a.bits()).max(1);
        let kept = if self.selector.is_some() { self.inner / 2 } else { self.inner };
        let result = self.rows / 8 * if self.is_half() { 1 } else { 2 };
        // Four lanes have the columns of a row.
        [kept / 4 / elements * (self.rows / 8), self.inner / 4 / elements, result]
    }

    /// Whether two results are in one register.
    pub fn is_half(&self) -> bool {
        matches!(self.arithmetic, Arithmetic::Float(Rule { output: Output::Half, .. }))
    }
}

/// Addresses and number of matrices in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Address of a row.
    pub addr: Addr,
    /// Matrices: 1, 2 or 4.
    pub count: u8,
    /// Whether they are transposed.
    pub transposed: bool,
}

/// An instruction that moves fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferOp {
    /// From shared memory.
    Load(Rows),
    /// To shared memory.
    Store(Rows),
    /// Between lanes: transposes a matrix.
    Transpose,
}
