//! Places of the PTX's labels and variables in the code, for debug sections of the input (DRV-19).
//!
//! A label is at the first instruction that comes from the PTX after it: at `-O0` code is in the
//! order of the PTX. A few instructions are not (constants and arguments are at the start);
//! instructions outside the longest ordered run are ignored. A label before the first instruction
//! is at the start, prologue included, and one at the end is at the end of the code.

use raddle_cubin::unit::{DebugPlaces, Local};
use raddle_entity::SecondaryMap;
use raddle_ir::unit::DebugNames;
use raddle_ir::{Function, Slot, SourcePos, Space};

use crate::mir::MFunction;

/// Collects the PTX places of instructions during layout.
pub(crate) struct Places<'a> {
    ir: &'a Function,
    /// Byte offsets in the code and in the PTX function, ascending by the former.
    rows: Vec<(u32, u32)>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(ir: &'a Function) -> Self {
        Self { ir, rows: Vec::new() }
    }

    /// Adds the instruction at `offset`, which comes from `place`.
    pub(crate) fn instruction(&mut self, offset: u32, place: SourcePos) {
        if place == SourcePos::default() {
            return;
        }
        self.rows.push((offset, self.ir.places[place].offset));
    }

    /// Returns the debug facts of a function; `code` and `frame` are sizes in bytes.
    pub(crate) fn finish(self, names: &DebugNames, f: &MFunction, code: u32, frame: u32) -> DebugPlaces {
        let rows = in_order(&self.rows);
        let address = |ptx: u32| match rows.partition_point(|row| row.1 < ptx) {
            0 => 0,
            n => rows.get(n).map_or(code, |row| row.0),
        };
        let labels = names.labels.iter().map(|(name, ptx)| (name.clone(), ptx.map_or(code, address)));
        let (mut locals, mut symbols) = (Vec::new(), Vec::new());
        for (name, slot) in &names.variables {
            match self.ir.slots.iter().find(|(_, data)| data.name == *slot) {
                Some((id, data)) if data.space == Space::Local => locals.push(local(name, id, &f.slots, f, frame)),
                _ => symbols.push((name.clone(), slot.clone())),
            }
        }
        DebugPlaces { labels: labels.collect(), locals, symbols, registers: Vec::new() }
    }
}

/// The location of a variable of the frame. The start of an aligned frame is known to the stack
/// pointer only.
fn local(name: &str, slot: Slot, slots: &SecondaryMap<Slot, i32>, f: &MFunction, frame: u32) -> Local {
    let at = i64::from(slots[slot]);
    let relative_to_sp = f.aligns.is_some();
    Local { name: name.to_owned(), offset: if relative_to_sp { at } else { at - i64::from(frame) }, relative_to_sp }
}

/// Returns the longest subsequence of rows whose second numbers never decrease.
fn in_order(rows: &[(u32, u32)]) -> Vec<(u32, u32)> {
    // Per length the least last row of such a subsequence; per row its predecessor.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(rows.len());
    for (n, row) in rows.iter().enumerate() {
        let at = ends.partition_point(|&end| rows[end].1 <= row.1);
        before.push(at.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(at) {
            Some(end) => *end = n,
            None => ends.push(n),
        }
    }
    let mut out = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(n) = next {
        out.push(rows[n]);
        next = before[n];
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn what_stands_in_the_wrong_place_has_no_say() {
        let list = |ptx: &[u32]| -> Vec<u32> {
            let rows: Vec<(u32, u32)> = (0..).map(|n| 16 * n).zip(ptx.iter().copied()).collect();
            in_order(&rows).into_iter().map(|row| row.1).collect()
        };
        assert_eq!(list(&[90, 95, 10, 10, 20, 30, 90, 5, 99]), [10, 10, 20, 30, 90, 99]);
        assert_eq!(list(&[1, 2, 3]), [1, 2, 3]);
        assert_eq!(list(&[]), [0; 0]);
    }
}
