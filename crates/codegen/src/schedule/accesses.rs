//! Registers that the instructions of a block touch, computed once for all steps of scheduling.
//!
//! Registers of all files share one numbering, [`Cell`]. A register that an instruction reads and
//! writes is listed once for each.

use raddle_sass::latency::{Consumer, Producer};
use raddle_sass::row::{File, Space};
use raddle_sass::{Inst, Isa, Mod, Op};
use smallvec::SmallVec;

use super::least_stall;
use crate::code::Item;
use crate::mir::MBlock;
use crate::products::{is_product_op, sources};

/// A register of any file as one number.
pub(super) type Cell = u16;
/// First uniform register.
const UNIFORM: Cell = 256;
/// First predicate.
const PREDICATE: Cell = UNIFORM + 64;
/// First uniform predicate.
const UNIFORM_PREDICATE: Cell = PREDICATE + 8;
/// Not a register: written by operations without a result whose completion is waited for before
/// the next access of memory, barrier or fence ("ptxas 13.0.88 output").
const COMPLETION: Cell = UNIFORM_PREDICATE + 8;
/// Number of registers.
pub(super) const CELLS: usize = COMPLETION as usize + 1;

/// A touched register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// The register.
    pub cell: Cell,
    /// The consumer, if it is read.
    pub read: Option<Consumer>,
    /// Whether it is read when the instruction reaches its unit, not at issue.
    pub late: bool,
    /// Whether it is written.
    pub written: bool,
    /// The producer, if it is written with fixed latency.
    pub fixed: Option<Producer>,
}

/// Scheduling facts of one instruction.
#[derive(Clone, Debug)]
pub(super) struct Info {
    first: u32,
    end: u32,
    /// Whether its results arrive, or its sources are read, after a variable time.
    pub variable: bool,
    /// Whether it waits for all pending operations: an earlier load must not refill a cache that it
    /// invalidates.
    pub drains: bool,
    /// Whether it leaves the function, after all pending operations have completed.
    pub leaves: bool,
    /// Least cycles until the next instruction.
    pub stall: u32,
    /// Its branch target.
    pub target: Option<MBlock>,
}

/// The touched registers of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    touches: Vec<Touch>,
    /// Facts by instruction.
    pub infos: Vec<Info>,
}

impl Touches {
    pub(super) fn new(isa: Isa, items: &[Item]) -> Touches {
        let mut all = Touches::default();
        for (n, item) in items.iter().enumerate() {
            let first = all.touches.len() as u32;
            let mut touched = touched(isa, &item.inst);
            if item.inst.op() == Op::Warpgroup && item.inst.has(Mod::Arrive) {
                // What the products that follow read must be complete.
                let products = items[n + 1..].iter().take_while(|i| i.inst.op() != Op::Warpgroup);
                let cells = products.filter(|i| is_product_op(i.inst.op())).flat_map(|i| sources(&i.inst));
                touched.extend(cells.map(|n| Touch {
                    cell: n.into(),
                    read: None,
                    late: false,
                    written: false,
                    fixed: None,
                }));
            }
            let e = item.inst.row().effects;
            all.infos.push(Info {
                first,
                end: first + touched.len() as u32,
                variable: (e.variable.contains(isa) || completes(&item.inst))
                    && !touched.is_empty()
                    && !is_product_op(item.inst.op()),
                drains: item.inst.op() == Op::Cctl && !e.variable.contains(isa),
                leaves: is_left(&item.inst),
                stall: least_stall(&item.inst).max(before(&item.inst, &items[n + 1..])),
                target: item.target.filter(|_| item.inst.op() == Op::Bra),
            });
            all.touches.extend(touched);
        }
        all
    }

    /// Returns the registers that instruction `n` touches.
    pub(super) fn of(&self, n: usize) -> &[Touch] {
        let i = &self.infos[n];
        &self.touches[i.first as usize..i.end as usize]
    }
}

/// The stall that an instruction needs by what follows it, each of which takes at least a cycle. The
/// numbers are the fewest cycles in code of ptxas 13.0.88.
///
/// A branch soon after a `BSSY` makes lanes go on without those that it parts them from, and a product
/// of a warpgroup, or a wait for products, soon after another product gives wrong results (both seen on
/// an H100 with one cycle between them).
pub(super) fn before(i: &Inst, rest: &[Item]) -> u32 {
    let distance = |to: &Inst| match i.op() {
        Op::Bssy if to.row().effects.branch => Some(4),
        op if is_product_op(op) && is_product_op(to.op()) => Some(4),
        op if is_product_op(op) && to.op() == Op::Warpgroup => Some(3),
        _ => None,
    };
    if i.op() != Op::Bssy && !is_product_op(i.op()) {
        return 1;
    }
    // What comes after the block is not known.
    let next = rest.iter().take(4).enumerate().find_map(|(n, item)| Some((n, distance(&item.inst)?)));
    let (between, cycles) = next.unwrap_or((rest.len(), 4));
    (cycles as u32).saturating_sub(between as u32).max(1)
}

/// Whether it leaves the function by a call or a return.
pub(super) fn is_left(i: &Inst) -> bool {
    matches!(i.op(), Op::Call | Op::Ret)
}

/// Whether it reads its uniform registers when it reaches its unit, as all do general registers,
/// and not at issue ("ptxas 13.0.88 output").
fn reads_uniform_late(i: &Inst) -> bool {
    use Op::*;
    matches!(i.op(), Syncs | Arrives | Ublkcp | Ublkpf | Ublkred | Utmaldg | Utmastg | Utmaredg | Utmapf | Utmacctl)
}

/// Whether its completion is waited for though it has no result.
pub(super) fn completes(i: &Inst) -> bool {
    i.op() == Op::Fence || (i.op() == Op::Syncs && i.row().uniform_guard)
}

/// Whether it waits for such operations.
fn awaits_completion(i: &Inst) -> bool {
    let e = i.row().effects;
    let memory = [e.reads, e.writes].into_iter().flatten().any(|space| space != Space::Const);
    e.barrier || e.convergent || memory
}

fn touched(isa: Isa, i: &Inst) -> SmallVec<[Touch; 8]> {
    let mut out = SmallVec::new();
    if is_left(i) {
        // The code that follows does not know what is pending: all of it has to complete.
        let touch = |cell| Touch { cell, read: None, late: false, written: true, fixed: None };
        out.extend((0..CELLS as Cell).map(touch));
    } else if completes(i) || awaits_completion(i) {
        out.push(Touch { cell: COMPLETION, read: None, late: false, written: completes(i), fixed: None });
    }
    let uniform_late = reads_uniform_late(i);
    for a in i.accesses() {
        let base = match a.file {
            File::Gpr => 0,
            File::Ugpr => UNIFORM,
            File::Pred => PREDICATE,
            File::Upred => UNIFORM_PREDICATE,
            File::Barrier => continue,
        };
        for reg in a.first..a.first.saturating_add(a.count) {
            out.push(Touch {
                cell: base + Cell::from(reg),
                read: Consumer::new(i, &a, reg),
                late: a.file == File::Gpr || (a.file == File::Ugpr && uniform_late),
                written: a.written,
                fixed: Producer::new(isa, i, &a, reg),
            });
        }
    }
    out
}
