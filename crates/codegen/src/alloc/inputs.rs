//! What placing registers needs to know of a function: live ranges, hints, numbers that are not to be
//! assigned, calls.

use std::cell::OnceCell;

use raddle_entity::SecondaryMap;
use raddle_sass::row::{File, SlotKind};
use smallvec::SmallVec;

use super::{NUMBERS, UNIFORM};
use crate::budgets;
use crate::coalesce::as_copy;
use crate::convention::{DESC, ENTRY_STACK, FIRST_WORD, FRAME, LOST_UNIFORM, RETURN, STACK, is_call, is_kept};
use crate::graph::frequency;
use crate::leaf::{self, Lost};
use crate::leaf_places;
use crate::live::{Ranges, ranges};
use crate::mir::{MFunction, MInst, MKind, V};
use crate::verify::registers;

/// Physical numbers that instructions name and virtual registers do not get, by file.
#[derive(Clone, Debug)]
pub struct Reserved([[bool; NUMBERS]; 5]);

impl Reserved {
    /// Collects a function's: stack pointer, global-memory descriptor, and those in operands.
    pub fn of(f: &MFunction) -> Self {
        let mut r = Reserved([[false; NUMBERS]; 5]);
        r.take(File::Gpr, STACK, 1);
        if f.grows {
            r.take(File::Gpr, FRAME, 1);
        }
        if f.called {
            r.take(File::Gpr, if f.is_leaf { leaf::RETURN } else { RETURN }, 2);
            if f.aligns.is_some() {
                r.take(File::Gpr, ENTRY_STACK, 1);
            }
            r.take(File::Ugpr, LOST_UNIFORM, UNIFORM);
        }
        if f.uses_desc {
            r.take(File::Ugpr, DESC, 2);
        }
        for &b in &f.layout {
            for i in &f.blocks[b].insts {
                for (n, o) in i.ops.iter().enumerate() {
                    match o.kind {
                        // See [`leaf_places::words`].
                        MKind::Phys(_) if f.is_leaf && f.layout.len() == 1 => {}
                        MKind::Phys(first) => {
                            let predicate = matches!(i.row().slots[n].kind, SlotKind::Pred(_));
                            r.take(if predicate { File::Pred } else { File::Gpr }, first, registers(i, n));
                        }
                        MKind::Uniform(first) => r.take(File::Ugpr, first, registers(i, n)),
                        _ => {}
                    }
                }
            }
        }
        r
    }

    fn take(&mut self, file: File, first: u8, count: usize) {
        let first = usize::from(first);
        self.0[file as usize][first..(first + count.max(1)).min(NUMBERS)].fill(true);
    }

    /// How many of the first `room` numbers of a file that are not reserved callees preserve.
    pub fn kept_of_calls(&self, file: File, room: usize) -> usize {
        let free = (0..NUMBERS).filter(|&n| !self.has(file, n)).take(room);
        free.filter(|&n| is_kept(file, n)).count()
    }

    /// Whether a number of a file is reserved.
    pub fn has(&self, file: File, number: usize) -> bool {
        self.0[file as usize].get(number).copied().unwrap_or(true)
    }
}

/// Inputs of placing, shared by all files and attempts; to be recomputed when the function changes.
pub struct AllocInputs {
    pub(super) ranges: Ranges,
    /// The other sides of each register's moves.
    pub(super) hints: SecondaryMap<V, SmallVec<[V; 2]>>,
    pub(super) reserved: Reserved,
    /// The points at which calls clobber all registers that are not callee-saved, ascending.
    pub(super) calls: Vec<u32>,
    /// The points at which calls of leaves write, ascending, and what they write besides their
    /// results.
    pub(super) leaf_calls: Vec<(u32, Lost)>,
    /// In a leaf: when its argument and result words are in their registers.
    pub(super) words: Vec<(u8, u32, u32)>,
    /// In a leaf: the words that registers are moved from or to.
    pub(super) preferred: SecondaryMap<V, Option<u8>>,
    /// The numbers of operands of those calls.
    pub(super) pins: SecondaryMap<V, Option<u8>>,
    /// By how many each register's number must stay below the limit: what the budgets of the blocks
    /// that it is live in are below the greatest.
    pub(super) below: SecondaryMap<V, u32>,
    /// How often each register is read or written; computed when first needed, by spilling.
    uses: OnceCell<SecondaryMap<V, u64>>,
}

impl AllocInputs {
    /// Computes the facts of a function that is not in SSA form.
    pub fn of(f: &MFunction) -> Self {
        let mut hints: SecondaryMap<V, SmallVec<[V; 2]>> = SecondaryMap::new();
        for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
            if let Some((to, from)) = as_copy(i) {
                hints[to].push(from);
                hints[from].push(to);
            }
        }
        let ranges = ranges(f);
        AllocInputs {
            below: below(f, &ranges),
            ranges,
            hints,
            reserved: Reserved::of(f),
            calls: call_points(f),
            leaf_calls: leaf_points(f),
            words: leaf_places::words(f),
            preferred: leaf_places::preferred(f),
            pins: leaf_places::pins(f),
            uses: OnceCell::new(),
        }
    }

    /// Whether the function contains calls.
    pub fn calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// How many of `room` registers of a file callees preserve.
    pub fn kept_of_calls(&self, file: File, room: usize) -> usize {
        self.reserved.kept_of_calls(file, room)
    }

    /// Whether the register is live across a call.
    pub(super) fn crosses(&self, v: V) -> bool {
        self.ranges.of(v).iter().any(|&(from, to)| {
            let next = self.calls.partition_point(|&c| c < from);
            self.calls.get(next).is_some_and(|&c| c < to)
        })
    }

    pub(super) fn uses(&self, f: &MFunction) -> &SecondaryMap<V, u64> {
        self.uses.get_or_init(|| {
            let mut uses: SecondaryMap<V, u64> = SecondaryMap::new();
            let often = frequency(f);
            for &b in &f.layout {
                for i in &f.blocks[b].insts {
                    i.for_each_use(|v| uses[v] += often[b]);
                    i.for_each_def(|v| uses[v] += often[b]);
                }
            }
            uses
        })
    }

    /// Returns the most registers of a file that are live at once, with what a call of a leaf does not
    /// preserve; and the most that are live across a call by the convention.
    pub(crate) fn most(&self, f: &MFunction, file: File) -> (usize, usize) {
        let ranges = || f.vregs.iter().filter(|(_, fl)| **fl == file).flat_map(|(v, _)| self.ranges.of(v));
        let last = ranges().map(|r| r.1).chain(self.calls.last().copied()).chain(self.leaf_calls.last().map(|c| c.0));
        let points = last.max().map_or(0, |last| last as usize + 1);
        // How many ranges end and begin at each point.
        let mut changes = vec![(0u32, 0u32); points];
        for &(from, to) in ranges() {
            changes[from as usize].1 += 1;
            changes[to as usize].0 += 1;
        }
        let (mut calls, mut leaf_calls) = (self.calls.iter().peekable(), self.leaf_calls.iter().peekable());
        let (mut now, mut most, mut across) = (0usize, 0, 0);
        for (at, (ends, begins)) in (0u32..).zip(changes) {
            now -= ends as usize;
            if calls.next_if_eq(&&at).is_some() {
                across = across.max(now);
            }
            now += begins as usize;
            most = most.max(now);
            while let Some((_, lost)) = leaf_calls.next_if(|call| call.0 == at) {
                most = most.max(now + lost.count(file));
            }
        }
        (most, across)
    }
}

/// See [`AllocInputs::below`].
fn below(f: &MFunction, ranges: &Ranges) -> SecondaryMap<V, u32> {
    let mut out = SecondaryMap::new();
    let Some(of_blocks) = budgets::below(f) else { return out };
    // First points of the blocks in layout order.
    let mut starts = Vec::new();
    let mut number = 0u32;
    for &b in &f.layout {
        starts.push((2 * number, of_blocks[b]));
        number += f.blocks[b].insts.len() as u32 + 1;
    }
    for (v, _) in f.vregs.iter().filter(|(_, file)| **file == File::Gpr) {
        for &(from, to) in ranges.of(v) {
            let first = starts.partition_point(|s| s.0 <= from).saturating_sub(1);
            let touched = starts[first..].iter().take_while(|s| s.0 < to);
            out[v] = touched.map(|s| s.1).fold(out[v], u32::max);
        }
    }
    out
}

/// The points at which instructions write, with what `found` says of them: see [`crate::live`].
pub(crate) fn points<T>(f: &MFunction, found: impl Fn(&MInst) -> Option<T>) -> Vec<(u32, T)> {
    let mut out = Vec::new();
    let mut number = 0;
    for &b in &f.layout {
        let insts = (number..).zip(&f.blocks[b].insts);
        out.extend(insts.filter_map(|(n, i)| Some((2 * n + 1, found(i)?))));
        number += f.blocks[b].insts.len() as u32 + 1;
    }
    out
}

/// The points at which calls write.
pub(crate) fn call_points(f: &MFunction) -> Vec<u32> {
    points(f, |i| is_call(i).then_some(())).into_iter().map(|p| p.0).collect()
}

/// The points at which calls of leaves write, and what they write besides their results.
pub(crate) fn leaf_points(f: &MFunction) -> Vec<(u32, Lost)> {
    if f.leaves.is_empty() {
        return Vec::new();
    }
    points(f, |i| i.leaf.as_ref().map(|call| f.leaves[call.of].lost.without(FIRST_WORD, call.gives.len())))
}
