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

#[cfg(test)]
mod tests {
    use super::is_same;
    use raddle_ir::{Value, ValueDef};

    #[test]
    fn what_depends_on_the_thread_is_not_the_same() {
        let text = "kernel k\n  params 0:8\nb0:\n  v0: b32 = special.tid_x\n  v1: b32 = special.ctaid_x\n  \
                    v2: b32 = const.4\n  v3: b32 = add v1, v2\n  v4: b32 = add v0, v2\n  v5: b32 = mad v3, v1, v4\n  \
                    v6: b32 = special.laneid\n  v7: b32 = popc v1\n  jump b1(v1)\nb1(v8: b32):\n  v9: b32 = add v8, v2\n  \
                    exit\nend\n";
        let f = raddle_ir::text::parse(text).unwrap().remove(0);
        let same = |v: Value| is_same(&f, v);
        let all: Vec<bool> = f.values.keys().map(same).collect();
        assert_eq!(all.iter().filter(|same| **same).count(), 3, "{all:?}");
        for (v, data) in f.values.iter().filter(|(v, _)| same(*v)) {
            let ValueDef::Result(i, _) = data.def else { panic!("{v} is a parameter") };
            let op = f.insts[i].op.to_string();
            assert!(["special.ctaid_x", "const.4", "add"].contains(&&*op), "{op}");
            assert!(f.insts[i].args.iter().all(|&arg| same(arg)), "{op} of a thread's own");
        }
    }
}
