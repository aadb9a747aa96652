//! Matrix products of a warpgroup among machine instructions, and the registers that they use.

use raddle_entity::SecondaryMap;
use raddle_sass::row::File;
use raddle_sass::{Inst, Op};

use crate::mir::{MFunction, MInst, V};

/// The name of a group that an instruction ends (`gsb0`).
pub const ENDS_GROUP: u16 = 0;
/// No group.
pub const NO_END: u16 = 7;

/// Whether an operation is a product of a warpgroup.
pub fn is_product_op(op: Op) -> bool {
    matches!(op, Op::Hgmma | Op::Qgmma | Op::Igmma | Op::Bgmma)
}

/// Whether an instruction is a product.
pub fn is_product(i: &MInst) -> bool {
    is_product_op(i.row().op)
}

/// Whether an instruction is a wait for products.
pub fn is_wait(i: &MInst) -> bool {
    i.row().op == Op::Warpgroup
}

/// The registers that products use: they are not spilled.
pub fn pinned(f: &MFunction) -> SecondaryMap<V, bool> {
    let mut out = SecondaryMap::new();
    for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        i.kept.iter().for_each(|&v| out[v] = true);
        if is_product(i) {
            let general = |v: V| if f.vregs[v] == File::Gpr { Some(v) } else { None };
            i.for_each_use(|v| general(v).into_iter().for_each(|v| out[v] = true));
            i.for_each_def(|v| out[v] = true);
        }
    }
    out
}

/// The general registers that a product reads.
pub fn sources(i: &Inst) -> impl Iterator<Item = u8> {
    let accesses = i.accesses().into_iter().filter(|a| a.file == File::Gpr && a.read);
    accesses.flat_map(|a| a.first..a.first.saturating_add(a.count))
}
