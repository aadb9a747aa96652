//! Parameter memory of device functions and of calls, held in registers.
//!
//! Problem: PTX passes arguments through `.param` variables that are accessed by bytes, but
//! inlining needs values. Strategy: each accessed part (a variable or parameter, a byte offset, a
//! size) is a *cell*, and a cell is one more register of the function, numbered after the carry
//! flag. Places that are accessed in two sizes, or by their address, are memory and have no cells
//! ([`crate::places`]). Kernel parameters are constant memory and have none either.

use crate::in_memory::InMemory;
use crate::param_accesses::{Cell, access, call_places};
use crate::reason::{Reason, unsupported, width_of};
use raddle_entity::FxHashMap;
use raddle_ptx::{Body, InstId, Referent};
use smallvec::SmallVec;

/// The cells of a body, numbered in the order of the text.
#[derive(Default)]
pub(crate) struct Cells {
    pub list: Vec<Cell>,
    /// By place and offset.
    index: FxHashMap<(Referent, i64), usize>,
    /// By place, in the order of numbers.
    of_place: FxHashMap<Referent, Vec<usize>>,
    /// The places that are memory.
    pub in_memory: InMemory,
}

impl Cells {
    /// Finds all cells; `entry` is true for a kernel, whose parameters are not cells.
    pub(crate) fn of(body: &Body, entry: bool, in_memory: InMemory) -> Cells {
        let mut cells = Cells { in_memory, ..Cells::default() };
        for inst in body.insts.keys() {
            let Some((place, offset, ty, count)) = access(body, entry, inst) else { continue };
            if cells.in_memory.get(place).is_some() {
                continue;
            }
            let Ok(width) = width_of(ty) else { continue };
            for n in 0..i64::from(count) {
                let offset = offset + n * i64::from(ty.bytes());
                let number = cells.list.len();
                if let std::collections::hash_map::Entry::Vacant(e) = cells.index.entry((place, offset)) {
                    e.insert(number);
                    cells.list.push(Cell { place, offset, bytes: ty.bytes(), width });
                    cells.of_place.entry(place).or_default().push(number);
                }
            }
        }
        cells
    }

    /// Returns the cells that a load or store of parameter memory touches, in order; `None` if it
    /// touches none.
    pub(crate) fn touched(
        &self,
        body: &Body,
        entry: bool,
        inst: InstId,
    ) -> Option<Result<SmallVec<[usize; 4]>, Reason>> {
        let (place, offset, ty, count) = access(body, entry, inst).filter(|a| self.in_memory.get(a.0).is_none())?;
        let mut out = SmallVec::new();
        for n in 0..i64::from(count) {
            let offset = offset + n * i64::from(ty.bytes());
            match self.index.get(&(place, offset)) {
                Some(&cell) if self.list[cell].bytes == ty.bytes() && !self.overlaps(cell) => out.push(cell),
                _ => return Some(unsupported("accesses of different sizes to the same part of a parameter")),
            }
        }
        Some(Ok(out))
    }

    fn overlaps(&self, cell: usize) -> bool {
        let c = self.list[cell];
        self.at(c.place).iter().any(|&other| {
            let o = self.list[other];
            other != cell && o.offset < c.offset + i64::from(c.bytes) && c.offset < o.offset + i64::from(o.bytes)
        })
    }

    /// Returns the cells of one place.
    pub(crate) fn at(&self, place: Referent) -> &[usize] {
        self.of_place.get(&place).map_or(&[], |list| list)
    }

    /// Returns the cell of a place at an offset.
    pub(crate) fn find(&self, place: Referent, offset: i64) -> Option<usize> {
        self.index.get(&(place, offset)).copied()
    }

    /// Returns the cells that a call reads and writes.
    pub(crate) fn of_call(&self, body: &Body, inst: InstId) -> (Vec<usize>, Vec<usize>) {
        let cells = |list: Vec<Referent>| list.iter().flat_map(|&p| self.at(p).iter().copied()).collect();
        let (rets, args) = call_places(body, inst);
        (cells(args), cells(rets))
    }
}
