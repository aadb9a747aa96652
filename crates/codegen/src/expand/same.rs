//! Values that are the same in all threads of a block, found by their definitions.

use raddle_ir::{Function, Op, Order, Space, Special, Value, ValueDef};

/// Longest chain of definitions that is followed.
const DEPTH: u32 = 16;

/// Whether a value is certainly the same in all threads of a block.
pub(super) fn is_same(f: &Function, v: Value) -> bool {
    within(f, v, DEPTH)
}

fn within(f: &Function, v: Value, depth: u32) -> bool {
    let ValueDef::Result(i, _) = f.values[v].def else { return false };
    let d = &f.insts[i];
    let same = match d.op {
        Op::Const(_) => return true,
        Op::Special(s) => return of_the_block(s),
        Op::Load(m) => {
            let constant = matches!(m.space, Space::Param | Space::Const);
            constant || (m.space == Space::Global && m.is_weak() && m.order == Order::Weak)
        }
        Op::SymbolAddr(..) | Op::SlotAddr(..) | Op::TexHandle(..) => true,
        Op::Pack | Op::Unpack | Op::Trunc | Op::Zext | Op::Sext | Op::Add | Op::Sub | Op::Mul | Op::Mad => true,
        Op::MulWide(_) | Op::MadWide(_) | Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl | Op::Shr(_) => true,
        _ => false,
    };
    same && depth > 0 && d.args.iter().all(|&arg| within(f, arg, depth - 1))
}

/// Whether a special register has one value in a block.
fn of_the_block(s: Special) -> bool {
    use Special::{CtaidX, CtaidY, CtaidZ, NctaidX, NctaidY, NctaidZ, NtidX, NtidY, NtidZ};
    matches!(s, CtaidX | CtaidY | CtaidZ | NctaidX | NctaidY | NctaidZ | NtidX | NtidY | NtidZ)
}
