//! The order and number of the dotted parts of an instruction.
//!
//! Modifiers of an instruction come in any order, and types keep theirs (the rows of the table
//! distinguish them). Three rules restrict this, all as accepted by ptxas 13.0.88 (`cargo campaign
//! probe-ptx --orders`):
//!
//! - some modifiers are parts of the opcode: they come first, in the order of their slots
//!   (`mul.lo.s32`, not `mul.s32.lo`);
//! - modifiers for the same property of different operands keep the order of their slots (source
//!   and destination space, layouts of two matrices);
//! - a modifier is written once, with a few exceptions.

use crate::table::{Mod, Op};

/// Modifiers that are parts of the opcode.
const PARTS: &[(&[Op], &[Mod])] = &[
    (&[Op::Mul, Op::Mad, Op::Mul24, Op::Mad24, Op::Madc, Op::Dp2a], &[Mod::Lo, Mod::Hi, Mod::Wide]),
    (&[Op::Bar, Op::Barrier], &[Mod::Cta, Mod::Arrive, Mod::Red]),
    (&[Op::BarrierCluster], &[Mod::Arrive, Mod::Wait]),
    (&[Op::Createpolicy], &[Mod::Fractional, Mod::Range]),
    (&[Op::Cvta], &[Mod::To]),
    (&[Op::Div], &[Mod::Full]),
    (&[Op::MbarrierArrive, Op::MbarrierArriveDrop], &[Mod::ExpectTx]),
    (&[Op::MbarrierTestWait, Op::MbarrierTryWait], &[Mod::Parity]),
    (&[Op::Membar], &[Mod::Proxy]),
    (&[Op::Setmaxnreg], &[Mod::Inc, Mod::Dec]),
    (&[Op::Shf], &[Mod::L, Mod::R]),
    (&[Op::Suld, Op::Sust, Op::Sured], &[Mod::B, Mod::P]),
    (&[Op::Tex, Op::Txq], &[Mod::Base, Mod::Level, Mod::Grad]),
    (&[Op::WmmaLoad, Op::WmmaStore], &[Mod::A, Mod::B, Mod::C, Mod::D]),
];

/// Whether a modifier is part of the opcode.
pub(crate) fn is_part(op: Op, m: Mod) -> bool {
    PARTS.iter().any(|(ops, mods)| ops.contains(&op) && mods.contains(&m))
}

/// The number of groups in [`group`].
pub(crate) const GROUPS: usize = 3;

/// The group within which modifiers keep the order of their slots; `None` for unordered ones.
pub(crate) fn group(m: Mod) -> Option<usize> {
    match m {
        Mod::Row | Mod::Col => Some(0),
        Mod::And | Mod::Xor | Mod::Popc => Some(1),
        _ => crate::shapes::space_of(m.name()).map(|_| 2),
    }
}

/// Whether the modifier may be written twice.
pub(crate) fn repeatable(m: Mod) -> bool {
    use Mod::{Approx, Cc, NaN, Relu, Sat, Satfinite, Shiftamt, Sync, Uni};
    matches!(m, Approx | Cc | NaN | Relu | Sat | Satfinite | Shiftamt | Sync | Uni)
}
