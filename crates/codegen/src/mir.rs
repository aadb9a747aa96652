//! Machine code before registers have numbers: rows of the SASS table over scalar virtual registers (D1, D3).
//!
//! Problem: selection, convergence, allocation and scheduling all change machine instructions and must agree on what each
//! one reads and writes. Strategy: an instruction names its row of the table and has one operand for each slot of the row; a
//! register operand is a *list* of scalar 32-bit virtual registers that must be contiguous and aligned (a 64-bit value is two, a
//! 128-bit one four). Slots say which operands are written, so effects are row data, not code here.
//!
//! Invariants ([`crate::verify`]): operands fit their slots in kind and length; while `ssa` holds, every virtual register has one
//! definition that dominates its uses; virtual registers of a list are of the slot's file. In SSA form nobody reads what a guarded definition
//! writes but under the same guard, so that every use has one reaching value.

use raddle_entity::{PrimaryMap, SecondaryMap};
use raddle_ir::{Bond, Place};
use raddle_sass::inst::MAX_FIELDS;
use raddle_sass::row::{File, Row, RowId, SlotRole};
use smallvec::SmallVec;

pub use crate::mop::{Form, Given, MBlock, MKind, MOp, Regs, V};
pub use crate::reloc::{MReloc, MTarget};

/// A guard: a predicate and its negation, or a predicate with a number after allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MGuard {
    /// None.
    Always,
    /// A virtual predicate.
    Virtual(V, bool),
    /// A predicate with a number.
    Phys(u8, bool),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MInst {
    /// Form.
    pub row: RowId,
    /// Raw field values, as the row orders them.
    pub fields: [u16; MAX_FIELDS],
    /// Guard.
    pub guard: MGuard,
    /// Operands, one for each slot of the row.
    pub ops: SmallVec<[MOp; 6]>,
    /// To be filled in by the linker.
    pub reloc: Option<MReloc>,
    /// Where it comes from.
    pub place: Place,
    /// How it is bound to the memory operations around it ([`raddle_ir::order`]): the words of accesses to shared and local memory
    /// do not say.
    pub bond: Bond,
}

impl MInst {
    /// An instruction of a form, without a guard.
    pub fn new(form: Form, place: Place) -> Self {
        MInst {
            row: form.row,
            fields: form.fields,
            guard: MGuard::Always,
            ops: form.ops,
            reloc: None,
            place,
            bond: Bond::Weak,
        }
    }

    /// Its row.
    pub fn row(&self) -> &'static Row {
        self.row.row()
    }

    /// The operand in the slot with this role.
    pub fn slot(&self, role: SlotRole) -> Option<&MOp> {
        self.row().slots.iter().position(|s| s.role == role).map(|i| &self.ops[i])
    }

    /// Is operand `i` written? Address bases and bank indices never are.
    pub fn is_def(&self, i: usize) -> bool {
        self.ops[i].is_written(&self.row().slots[i])
    }

    /// Calls `f` on every virtual register read, the guard first.
    pub fn for_each_use(&self, mut f: impl FnMut(V)) {
        if let MGuard::Virtual(v, _) = self.guard {
            f(v);
        }
        for (o, slot) in self.ops.iter().zip(self.row().slots) {
            if !o.is_written(slot) {
                o.for_each(&mut f);
            }
        }
    }

    /// Calls `f` on every virtual register written.
    pub fn for_each_def(&self, mut f: impl FnMut(V)) {
        for (o, slot) in self.ops.iter().zip(self.row().slots) {
            if o.is_written(slot) {
                o.for_each(&mut f);
            }
        }
    }

    /// Calls `f` on every virtual register written, to be changed.
    pub fn for_each_def_mut(&mut self, mut f: impl FnMut(&mut V)) {
        let slots = self.row().slots;
        for (o, slot) in self.ops.iter_mut().zip(slots) {
            if o.is_written(slot) {
                o.for_each_mut(&mut f);
            }
        }
    }

    /// Must it stay even if nothing it writes is read?
    pub fn has_effect(&self) -> bool {
        let e = self.row().effects;
        let loads = e.writes.is_none() && !e.atomic && self.bond == Bond::Weak;
        e.convergent || e.barrier || e.branch || !loads || !self.writes_something() || self.writes_number()
    }

    /// Does it write a general register by its number?
    fn writes_number(&self) -> bool {
        (0..self.ops.len()).any(|n| matches!(self.ops[n].kind, MKind::Phys(_)) && self.is_def(n))
    }

    fn writes_something(&self) -> bool {
        self.ops.iter().zip(self.row().slots).any(|(o, slot)| o.is_written(slot))
    }
}

/// A value passed along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MArg {
    /// A virtual register.
    Reg(V),
    /// Constant bits; for a predicate 0 or 1.
    Imm(u32),
    /// Any bits.
    Undef,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MEdge {
    /// Where to.
    pub to: MBlock,
    /// A value for each parameter.
    pub args: SmallVec<[MArg; 4]>,
}

/// A table of branch targets in the constant pool of the function: code offsets of four bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Byte offset in the pool (constant bank 2).
    pub at: u32,
    /// The targets; one may come several times.
    pub targets: Vec<MBlock>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MTerm {
    /// To one block.
    Jump(MEdge),
    /// By a predicate (negated if the flag is set).
    Branch {
        /// The predicate.
        guard: MGuard,
        /// If it holds.
        then: MEdge,
        /// Otherwise.
        other: MEdge,
    },
    /// To the n-th target; the instruction that jumps is the last of the block.
    Switch(Table),
    /// A called function returns.
    Return,
    /// The thread ends.
    Exit,
}

impl MTerm {
    /// The edges that carry values.
    pub fn edges(&self) -> SmallVec<[&MEdge; 2]> {
        match self {
            MTerm::Jump(e) => SmallVec::from_iter([e]),
            MTerm::Branch { then, other, .. } => SmallVec::from_iter([then, other]),
            MTerm::Switch(_) | MTerm::Return | MTerm::Exit => SmallVec::new(),
        }
    }

    /// The same, to be changed.
    pub fn edges_mut(&mut self) -> SmallVec<[&mut MEdge; 2]> {
        match self {
            MTerm::Jump(e) => SmallVec::from_iter([e]),
            MTerm::Branch { then, other, .. } => SmallVec::from_iter([then, other]),
            MTerm::Switch(_) | MTerm::Return | MTerm::Exit => SmallVec::new(),
        }
    }

    /// Successors.
    pub fn successors(&self) -> SmallVec<[MBlock; 2]> {
        match self {
            MTerm::Switch(table) => table.targets.iter().copied().collect(),
            t => t.edges().iter().map(|e| e.to).collect(),
        }
    }

    /// Replaces a target.
    pub fn retarget(&mut self, from: MBlock, to: MBlock) {
        if let MTerm::Switch(table) = self {
            table.targets.iter_mut().filter(|t| **t == from).for_each(|t| *t = to);
        }
        for e in self.edges_mut() {
            if e.to == from {
                e.to = to;
            }
        }
    }
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MBlockData {
    /// Parameters; none once SSA form is left.
    pub params: SmallVec<[V; 4]>,
    /// Instructions.
    pub insts: Vec<MInst>,
    /// How it ends.
    pub term: MTerm,
    /// Where the end comes from.
    pub place: Place,
}

/// A function.
#[derive(Clone, Debug)]
pub struct MFunction {
    /// Register file of each virtual register.
    pub vregs: PrimaryMap<V, File>,
    /// Blocks.
    pub blocks: PrimaryMap<MBlock, MBlockData>,
    /// Blocks in layout order, the entry first.
    pub layout: Vec<MBlock>,
    /// Does every virtual register have one definition?
    pub ssa: bool,
    /// Bytes of local memory below the initial stack pointer.
    pub frame: u32,
    /// Alignment of that frame: 8, or 16 where it holds variables.
    pub frame_align: u32,
    /// Offsets of variables: local ones above the stack pointer, shared ones in the memory of the block.
    pub slots: SecondaryMap<raddle_ir::Slot, i32>,
    /// Bytes of static shared memory, and its alignment.
    pub shared: (u32, u32),
    /// Bytes stored to and loaded from spill slots.
    pub spills: (u32, u32),
    /// Named barriers used.
    pub barriers: u8,
    /// The instructions use the descriptor of global memory, which the entry has to load.
    pub uses_desc: bool,
    /// Bytes of constants of its own (constant bank 2): its tables.
    pub pool: u32,
    /// It is called, and its frame is aligned to so many bytes, more than callers promise.
    pub aligns: Option<u32>,
    /// It takes memory of the stack as it runs: its frame is found by [`crate::convention::FRAME`].
    pub grows: bool,
    /// It is called and returns; otherwise threads begin and end in it.
    pub called: bool,
}

impl Default for MFunction {
    /// No blocks, in SSA form.
    fn default() -> Self {
        MFunction {
            vregs: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            layout: Vec::new(),
            ssa: true,
            frame: 0,
            frame_align: 8,
            slots: SecondaryMap::new(),
            shared: (0, 1),
            spills: (0, 0),
            barriers: 0,
            uses_desc: false,
            pool: 0,
            aligns: None,
            grows: false,
            called: false,
        }
    }
}

impl MFunction {
    /// Bytes by which the stack pointer goes down: variables keep their alignment whatever spilling adds behind them.
    pub fn frame_bytes(&self) -> u32 {
        self.frame.next_multiple_of(self.frame_align)
    }

    /// A new virtual register.
    pub fn vreg(&mut self, file: File) -> V {
        self.vregs.push(file)
    }

    /// The entry block.
    pub fn entry(&self) -> MBlock {
        self.layout[0]
    }

    /// Predecessors of every block, in layout order, once per edge.
    pub fn preds(&self) -> raddle_entity::SecondaryMap<MBlock, SmallVec<[MBlock; 2]>> {
        let mut preds: raddle_entity::SecondaryMap<MBlock, SmallVec<[MBlock; 2]>> = Default::default();
        preds.resize(self.blocks.len());
        for &b in &self.layout {
            for s in self.blocks[b].term.successors() {
                preds[s].push(b);
            }
        }
        preds
    }
}
