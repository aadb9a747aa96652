//! Matrix products of a warpgroup (`wgmma`, PTX ISA 9.0, 9.7.15), as payload of operations.
//!
//! An accumulator is an ordinary value: C is an operand, D a result. Until a
//! [`WgmmaWait`](crate::Op::WgmmaWait) that has D as operand, the tensor core still writes its
//! registers; so nothing but a product or a wait may use D before, and the wait returns it anew.
//! A wait has the registers of A as operands, too, so that they are not used for anything else
//! before.

use crate::types::{MmaKind, MmaTy, Sat};
use crate::{token_struct, tokens};

tokens! {
    /// Where A is.
    WgmmaLeft { /// In shared memory: a descriptor of 64 bits.
        Shared = "desc", /// In four registers of 32 bits.
        Registers = "regs" }
}

token_struct! {
    /// `wgmma.mma_async`: operands are A, the descriptor of B (64 bits), the metadata of a sparse
    /// A, the predicate of C, then the 32-bit pieces of C; results those of D.
    Wgmma {
        /// Columns of B; rows are 64.
        columns: u16,
        /// Element type of C and D.
        d: MmaTy,
        /// Element type of A.
        a: MmaTy,
        /// Element type of B.
        b: MmaTy,
        /// Whether integer results are clamped.
        sat: Sat,
        /// Dense, `and`, or sparse with a selector.
        kind: MmaKind,
        /// Where A is.
        left: WgmmaLeft,
        /// Bit 0: A is negated, 1: B is, 2: A is stored by columns of k, 3: B is.
        marks: u8,
    }
}

impl Wgmma {
    /// Bit of [`Wgmma::marks`]: A is negated.
    pub const NEGATED_A: u8 = 1;
    /// B is negated.
    pub const NEGATED_B: u8 = 2;
    /// A is stored with the elements of one k adjacent.
    pub const TURNED_A: u8 = 4;
    /// B is.
    pub const TURNED_B: u8 = 8;

    /// Number of 32-bit pieces of C and D per lane.
    pub fn pieces(&self) -> usize {
        usize::from(self.columns) * self.d.bits() / 64
    }

    /// Columns of A, those that a sparse A lacks counted.
    pub fn inner(&self) -> usize {
        (256 << usize::from(self.kind.selector().is_some())) / self.a.bits()
    }
}
