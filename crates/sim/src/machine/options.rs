//! Options of operations: types, modes, functions.

use super::operand::Addr;
use crate::float::{Format, Mode};

/// Element type of packed or scalar integer operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntKind {
    /// 32-bit signed.
    S32,
    /// 32-bit unsigned.
    U32,
    /// Two 16-bit signed.
    S16x2,
    /// Two 16-bit unsigned.
    U16x2,
}

/// The operation of an atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomOp {
    /// Addition.
    Add,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Increment with wrap at the operand.
    Inc,
    /// Decrement with wrap to the operand.
    Dec,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
    /// Exchange.
    Exch,
    /// Compare (first data operand) and swap (second).
    Cas,
    /// Compare and swap that returns 1 for success, else 0 (`CAST`).
    Cast,
}

/// Element type of an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomType {
    /// Unsigned or untyped integer of this many bytes (4, 8, 16).
    U(u8),
    /// Signed integer of this many bytes (4, 8).
    S(u8),
    /// Format of floats, number packed in one word (1 or 2), whether subnormals are flushed.
    F(&'static Format, u8, bool),
}

/// Memory space of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemSpace {
    /// Selected by the address.
    Generic,
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
    /// Shared memory of any block of the cluster.
    Cluster,
    /// Local memory.
    Local,
}

/// A load, store or atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Space.
    pub space: MemSpace,
    /// Address.
    pub addr: Addr,
    /// Bytes: 1, 2, 4, 8, 16.
    pub size: u8,
    /// Whether sub-word values are sign-extended.
    pub signed: bool,
    /// Whether it is volatile, relaxed or stronger.
    pub strong: bool,
}

/// Shuffle modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShflMode {
    /// By index.
    Idx,
    /// From lower lanes.
    Up,
    /// From higher lanes.
    Down,
    /// Butterfly.
    Bfly,
}

/// Vote modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoteMode {
    /// All.
    All,
    /// Any.
    Any,
    /// All equal.
    Eq,
}

/// Warp reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReduxOp {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
    /// Sum.
    Sum,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
}

/// Barrier operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarMode {
    /// Arrive and wait.
    Sync,
    /// Arrive.
    Arrive,
    /// Arrive, wait and count true predicates.
    Popc,
    /// Arrive, wait and return whether all predicates are true.
    And,
    /// Arrive, wait and return whether any predicate is true.
    Or,
}

/// Branch-like operations with a direct target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BraCond {
    /// Guard (and predicate operand) only.
    Plain,
    /// Taken by all active lanes if any of them has the predicate (`.ANY`).
    Any,
    /// Taken by all active lanes if all of them have it (`.ALL`).
    All,
    /// Taken if not all lanes of the uniform register's mask, or its complement, are active
    /// (`BRA.DIV`).
    Div(u8, bool),
    /// Taken if all lanes of the mask are active (`BRA.CONV`).
    Conv(u8, bool),
}

/// MUFU functions, computed by the model shared with the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MufuOp {
    Cos,
    Sin,
    Ex2,
    Lg2,
    Rcp,
    Rsq,
    Sqrt,
    Tanh,
    Rcp64h,
    Rsq64h,
}

/// The format of a half-precision result or operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfKind {
    /// binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// The result is one binary32 (`HADD2.F32`).
    F32,
}

impl HalfKind {
    /// The format of the operands.
    pub fn format(self) -> &'static Format {
        match self {
            HalfKind::Bf16 => &crate::float::BF16,
            _ => &crate::float::F16,
        }
    }
}

/// Modifiers of a half operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMode {
    /// Operand and result format.
    pub kind: HalfKind,
    /// Flushing and saturation.
    pub mode: Mode,
    /// Whether negative results become zero.
    pub relu: bool,
}

/// Format of a MUFU operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfKind32 {
    /// binary32.
    F32,
    /// binary16 in the selected half.
    F16,
    /// bfloat16 in the selected half.
    Bf16,
}
