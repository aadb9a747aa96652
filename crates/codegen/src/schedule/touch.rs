//! The registers that the instructions of a block touch, looked up once for all steps of scheduling.
//!
//! Registers of all files have one numbering, [`Cell`]. A register that an instruction reads and writes is listed for both.

use raddle_sass::latency::{Consumer, Producer};
use raddle_sass::row::File;
use raddle_sass::{Inst, Isa, Op};
use smallvec::SmallVec;

use super::least_stall;
use crate::code::Item;
use crate::mir::MBlock;

/// A register of any file as one number.
pub(super) type Cell = u16;
/// First uniform register.
const UNIFORM: Cell = 256;
/// First predicate.
const PREDICATE: Cell = UNIFORM + 64;
/// First uniform predicate.
const UNIFORM_PREDICATE: Cell = PREDICATE + 8;
/// Number of registers.
pub(super) const CELLS: usize = UNIFORM_PREDICATE as usize + 8;

/// A touched register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Which.
    pub cell: Cell,
    /// How it is read.
    pub read: Option<Consumer>,
    /// It is written.
    pub written: bool,
    /// How it is written, if in a fixed time.
    pub fixed: Option<Producer>,
}

/// What scheduling asks of one instruction.
#[derive(Clone, Debug)]
pub(super) struct Info {
    first: u32,
    end: u32,
    /// Its results come, or its sources are read, at a time not known beforehand.
    pub variable: bool,
    /// It waits for whatever is under way: an invalidated cache must not be filled by a load from before.
    pub drains: bool,
    /// It leaves the function: all that is under way has to arrive before.
    pub leaves: bool,
    /// Least cycles until the next instruction.
    pub stall: u32,
    /// Where it may branch to.
    pub target: Option<MBlock>,
}

/// The touched registers of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    touches: Vec<Touch>,
    /// By instruction.
    pub infos: Vec<Info>,
}

impl Touches {
    pub(super) fn new(isa: Isa, items: &[Item]) -> Touches {
        let mut all = Touches::default();
        for item in items {
            let first = all.touches.len() as u32;
            let touched = touched(isa, &item.inst);
            let e = item.inst.row().effects;
            all.infos.push(Info {
                first,
                end: first + touched.len() as u32,
                variable: e.variable.contains(isa) && !touched.is_empty(),
                drains: item.inst.op() == Op::Cctl && !e.variable.contains(isa),
                leaves: is_left(&item.inst),
                stall: least_stall(&item.inst),
                target: item.target.filter(|_| item.inst.op() == Op::Bra),
            });
            all.touches.extend(touched);
        }
        all
    }

    /// The registers that instruction `n` touches.
    pub(super) fn of(&self, n: usize) -> &[Touch] {
        let i = &self.infos[n];
        &self.touches[i.first as usize..i.end as usize]
    }
}

/// Does it leave the function for one that is compiled apart, by a call or a return?
pub(super) fn is_left(i: &Inst) -> bool {
    matches!(i.op(), Op::Call | Op::Ret)
}

/// Predicates and uniform registers are read at issue; general registers when the unit gets to the instruction
/// ("ptxas 13.0.88 output").
pub(super) fn is_read_late(cell: Cell) -> bool {
    cell < UNIFORM
}

fn touched(isa: Isa, i: &Inst) -> SmallVec<[Touch; 8]> {
    let mut out = SmallVec::new();
    if is_left(i) {
        // Whoever goes on does not know what is under way: all of it has to arrive.
        out.extend((0..CELLS as Cell).map(|cell| Touch { cell, read: None, written: true, fixed: None }));
    }
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
                written: a.written,
                fixed: Producer::new(isa, i, &a, reg),
            });
        }
    }
    out
}
