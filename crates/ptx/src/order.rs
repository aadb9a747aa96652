//! Where the dotted parts of an instruction may stand, and how often.
//!
//! Modifiers of an instruction come in any order and types keep theirs (the rows of the table say which is which). Three
//! rules narrow this down, all of them what ptxas 13.0.88 accepts (`cargo xtask probe-ptx --orders`):
//!
//! - some modifiers are parts of the opcode: they stand first, in the order of their slots (`mul.lo.s32`, not `mul.s32.lo`);
//! - modifiers that name the same thing of different operands keep the order of their slots (source and destination
//!   space, layouts of two matrices);
//! - a modifier is written once, but for a few.

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

/// Is the modifier a part of the opcode?
pub(crate) fn is_part(op: Op, m: Mod) -> bool {
    PARTS.iter().any(|(ops, mods)| ops.contains(&op) && mods.contains(&m))
}

/// Number of groups that [`group`] tells apart.
pub(crate) const GROUPS: usize = 3;

/// The group within which modifiers keep the order of their slots; `None` where they are free.
pub(crate) fn group(m: Mod) -> Option<usize> {
    match m {
        Mod::Row | Mod::Col => Some(0),
        Mod::And | Mod::Xor | Mod::Popc => Some(1),
        _ => crate::shapes::space_of(m.name()).map(|_| 2),
    }
}

/// May the modifier be written twice?
pub(crate) fn repeatable(m: Mod) -> bool {
    use Mod::{Approx, Cc, NaN, Relu, Sat, Satfinite, Shiftamt, Sync, Uni};
    matches!(m, Approx | Cc | NaN | Relu | Sat | Satfinite | Shiftamt | Sync | Uni)
}
