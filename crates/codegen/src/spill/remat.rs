//! Rematerialisation: registers that need no other register to be computed again need not be kept
//! or stored.
//!
//! A register qualifies if all its definitions are equal instructions of fixed latency without
//! guard and register operands: moves of immediates, relocated ones too, and of constants from a
//! bank. What those read does not change during a launch.

use raddle_entity::SecondaryMap;
use raddle_sass::Op;
use raddle_sass::row::File;

use crate::live::ranges;
use crate::mir::{MFunction, MGuard, MInst, MKind, V};

/// Returns the instruction that rematerialises each register of a file, if there is one.
pub fn candidates(f: &MFunction, file: File) -> SecondaryMap<V, Option<MInst>> {
    let mut out: SecondaryMap<V, Option<MInst>> = SecondaryMap::new();
    let mut refused: SecondaryMap<V, bool> = SecondaryMap::new();
    for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        let cheap = is_cheap(i);
        i.for_each_def(|v| {
            if f.vregs[v] != file {
                return;
            }
            let same = cheap && out[v].as_ref().is_none_or(|j| same_but_register(i, j));
            if same && !refused[v] {
                out[v].get_or_insert_with(|| i.clone());
            } else {
                refused[v] = true;
                out[v] = None;
            }
        });
    }
    out
}

fn is_cheap(i: &MInst) -> bool {
    let mut written = 0;
    i.for_each_def(|_| written += 1);
    let mut read = 0;
    i.for_each_use(|_| read += 1);
    let plain = i.ops.iter().all(|o| !matches!(o.kind, MKind::Phys(_) | MKind::Uniform(_)));
    i.guard == MGuard::Always && matches!(i.row().op, Op::Mov | Op::Umov) && written == 1 && read == 0 && plain
}

/// Whether two instructions that write one register each compute the same.
fn same_but_register(a: &MInst, b: &MInst) -> bool {
    a.row == b.row
        && a.fields == b.fields
        && a.reloc == b.reloc
        && a.ops.iter().zip(&b.ops).enumerate().all(|(n, (x, y))| a.is_def(n) || x == y)
}

/// Removes cheap instructions whose results are unused.
pub fn drop_unread(f: &mut MFunction, file: File) {
    let live = ranges(f);
    let mut point = 1;
    for b in f.layout.clone() {
        let vregs = &f.vregs;
        f.blocks[b].insts.retain(|i| {
            let at = point;
            point += 2;
            let mut read = !is_cheap(i);
            i.for_each_def(|v| {
                let r = live.of(v);
                let k = r.partition_point(|r| r.1 <= at);
                // It is unused if it is live for the instant of its definition only.
                read |= vregs[v] != file || r.get(k).is_some_and(|r| r.0 <= at && r.1 > at + 1);
            });
            read
        });
        point += 2;
    }
}
