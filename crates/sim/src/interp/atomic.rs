//! Read-modify-write operations of one element.

use super::alu::Alu;
use super::fpu::{Fpu, FpuOp};
use crate::float::Mode;
use crate::mem::Space;
use crate::mufu::Mufu;

/// Read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AtomOp {
    /// An operation of [`Alu`] on the old value and the operand.
    Alu(Alu),
    Exch,
    Cas,
    /// Wrapping increment and decrement against the operand.
    Inc,
    Dec,
}

impl AtomOp {
    /// Returns the new value of an element in memory of this space; none for an exchange, which
    /// does not compute.
    pub fn combine(self, space: Space, old: u128, b: u128, mufu: Mufu) -> Option<u128> {
        match self {
            AtomOp::Exch | AtomOp::Cas => None,
            AtomOp::Inc => Some(if old >= b { 0 } else { old + 1 }),
            AtomOp::Dec => Some(if old == 0 || old > b { b } else { old - 1 }),
            AtomOp::Alu(op) => Some(in_memory(op, space).eval([old as u64, b as u64, 0, 0], mufu).into()),
        }
    }
}

/// `add.f32` flushes subnormals in global memory and keeps them in shared memory (PTX ISA 9.0,
/// `atom`, `cp.reduce.async.bulk.tensor`).
fn in_memory(op: Alu, space: Space) -> Alu {
    match op {
        Alu::Fpu(fpu) if fpu.format.bits() == 32 && fpu.op == FpuOp::Add => {
            let mode = Mode { ftz: space == Space::Global, ..fpu.mode };
            Alu::Fpu(Fpu { mode, ..fpu })
        }
        other => other,
    }
}
