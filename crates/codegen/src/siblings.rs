//! Rows of the table that differ in the kinds of their operands only.

use std::sync::OnceLock;

use raddle_sass::Isa;
use raddle_sass::row::{Row, RowId, Slot, SlotKind};
use smallvec::SmallVec;

use crate::mir::{MInst, MOp, V};

/// Returns the rows that differ from a row in operand kinds only, that row included.
pub(crate) fn siblings(id: RowId) -> &'static [RowId] {
    static CACHE: OnceLock<Vec<OnceLock<SmallVec<[RowId; 4]>>>> = OnceLock::new();
    let rows = &raddle_sass::r#gen::ROWS;
    let cache = CACHE.get_or_init(|| rows.iter().map(|_| OnceLock::new()).collect());
    cache[usize::from(id.0)].get_or_init(|| {
        let row = id.row();
        let alike = |other: &Row| {
            other.op == row.op
                && other.fixed == row.fixed
                && other.effects == row.effects
                && other.fields.len() == row.fields.len()
                && other.fields.iter().zip(row.fields).all(|(a, b)| a.field == b.field && a.values == b.values)
                && other.slots.len() == row.slots.len()
                && other.slots.iter().zip(row.slots).all(|(a, b)| a.role == b.role && a.width == b.width)
        };
        let mut list: SmallVec<[RowId; 4]> =
            (0..rows.len() as u16).map(RowId).filter(|other| alike(other.row())).collect();
        // Forms without uniform registers first: those are requested explicitly.
        list.sort_by_key(|other| other.row().slots.iter().any(|s| matches!(s.kind, SlotKind::UReg(_))));
        list
    })
}

/// Returns the instruction with a uniform predicate as operand `n`, which was another one.
pub(crate) fn with_uniform_predicate(isa: Isa, i: &MInst, n: usize, p: V) -> Option<MInst> {
    let uniform = |slot: &Slot| matches!(slot.kind, SlotKind::UPred(_) | SlotKind::UPredInv(_));
    let like = |row: &Row| {
        row.isas.contains(isa)
            && row.slots.len() == i.ops.len()
            && row.slots.iter().enumerate().all(|(k, slot)| {
                let before = &i.row().slots[k];
                slot.role == before.role && uniform(slot) == (k == n || uniform(before))
            })
    };
    let row = *siblings(i.row).iter().find(|id| like(id.row()))?;
    let mut new = MInst { row, ..i.clone() };
    new.ops[n] = MOp { not: i.ops[n].not, ..MOp::reg(p) };
    Some(new)
}
