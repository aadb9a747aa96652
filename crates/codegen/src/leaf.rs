//! Subroutines for rare cases: the full sequences of quotients and roots, once per kernel and
//! operation.
//!
//! Problem: a slow path of a hundred instructions at each use makes most of a kernel's code.
//! Strategy ("ptxas 13.0.88 output"): a *leaf* is the full sequence of one operation behind the
//! kernel's code. It is compiled first, by the same passes; a call of it lists the registers that it
//! reads and writes, and the allocator keeps other values out of those that the leaf uses
//! ([`Lost`]). No stack, no saved registers, no symbols.
//!
//! Convention: the words of arguments and results are in R4 and up, the return address, from the
//! start of the kernel, in R2 and R3, of which the leaf sets R3 (to zero) itself. Until then R3 holds
//! the predicates that the leaf writes: there are too few for values that live across a call. A leaf
//! uses neither barriers nor uniform registers, so that calls may be where threads have diverged.
//!
//! Invariant: where the leaf and the values around its calls need more registers than there are,
//! the kernel is compiled again with all sequences in place of their calls ([`crate::pipeline`]).

use raddle_ir::Op;
use raddle_sass::row::File;

use crate::mop::Regs;

/// The first of the two registers with the return address.
pub const RETURN: u8 = 2;

/// A call, beside the operands of its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafCall {
    /// Index of the leaf in the list of its function.
    pub of: usize,
    /// The words that it reads, in R4 and up.
    pub takes: Regs,
    /// The words that it writes, in R4 and up.
    pub gives: Regs,
}

/// Registers that a leaf does not preserve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    general: [u64; 4],
}

impl Lost {
    /// Whether register `n` of a file is not preserved.
    pub fn has(&self, file: File, n: usize) -> bool {
        file == File::Gpr && self.general[n / 64] >> (n % 64) & 1 == 1
    }

    /// How many registers of a file are not preserved.
    pub fn count(&self, file: File) -> usize {
        if file == File::Gpr { self.general.iter().map(|w| w.count_ones() as usize).sum() } else { 0 }
    }

    /// Adds a general register.
    pub fn add(&mut self, n: u8) {
        self.general[usize::from(n / 64)] |= 1 << (n % 64);
    }

    /// The same but for some registers among the first 64.
    #[must_use]
    pub fn without(mut self, first: u8, count: usize) -> Self {
        self.general[0] &= !(((1 << count) - 1) << first);
        self
    }
}

/// A leaf of a kernel.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The operation that it computes.
    pub op: Op,
    /// The blocks of its code, 0 until it is compiled.
    pub blocks: usize,
    /// The registers that it writes.
    pub lost: Lost,
    /// Highest general register that it uses, plus one.
    pub registers: u16,
}

impl Leaf {
    /// A leaf that is not compiled yet.
    pub fn new(op: Op) -> Self {
        Leaf { op, blocks: 0, lost: Lost::default(), registers: 0 }
    }
}
