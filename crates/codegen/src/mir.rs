//! Machine IR before register allocation: rows of the SASS table over scalar virtual registers (D1,
//! D3).
//!
//! Problem: selection, convergence, allocation and scheduling all change machine instructions and
//! must agree on what each one reads and writes. Strategy: an instruction names its row of the
//! table and has one operand for each slot of the row; a register operand is a *list* of scalar
//! 32-bit virtual registers that must be contiguous and aligned (two for a 64-bit value, four for a
//! 128-bit one). Slots say which operands are written, so effects are row data, not code.
//!
//! Invariants ([`crate::verify`]): operands fit their slots in kind and length; while `ssa` holds,
//! every virtual register has one definition that dominates its uses; virtual registers of a list
//! are of the slot's file. In SSA form, the result of a guarded definition is read only under the
//! same guard unless [`MInst::otherwise`] says what it is where the guard fails, so that every use
//! has one reaching value.

use raddle_entity::{PrimaryMap, SecondaryMap};
use raddle_ir::{SourcePos, Strength};
use raddle_sass::inst::MAX_FIELDS;
use raddle_sass::row::{File, Row, RowId, SlotRole};
use smallvec::SmallVec;

use crate::leaf::{Leaf, LeafCall};
pub use crate::mop::{Form, Given, MBlock, MKind, MOp, Regs, V};
pub use crate::reloc::{MReloc, MTarget};

/// A guard: a predicate and whether it is negated, physical after allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MGuard {
    /// No guard.
    Always,
    /// A virtual predicate.
    Virtual(V, bool),
    /// A physical predicate.
    Phys(u8, bool),
}

/// A machine instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MInst {
    /// Its row.
    pub row: RowId,
    /// Raw field values, in the order of the row.
    pub fields: [u16; MAX_FIELDS],
    /// Guard.
    pub guard: MGuard,
    /// Operands, one for each slot of the row.
    pub ops: SmallVec<[MOp; 6]>,
    /// A relocation.
    pub reloc: Option<MReloc>,
    /// Its source location.
    pub place: SourcePos,
    /// How it is ordered with the memory operations around it ([`raddle_ir::order`]): the words of
    /// shared and local accesses do not say.
    pub strength: Strength,
    /// Registers that must keep their values, and their numbers, until here: those that a product of
    /// a warpgroup still reads or writes before this wait.
    pub kept: Regs,
    /// Of a guarded instruction: results with the values that they have where the guard fails.
    /// Outside of SSA form both are one register, which keeps its value there.
    pub otherwise: Otherwise,
    /// With `-g`: no instruction, but a name for a register's value from here on.
    pub name: Option<Name>,
    /// What a call of a leaf reads and writes.
    pub leaf: Option<Box<LeafCall>>,
}

/// Results of a guarded instruction, each with the value that it has where the guard fails.
pub type Otherwise = SmallVec<[(V, V); 1]>;

/// Where a PTX register has its value ([`crate::names`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Number of the PTX register.
    pub of: u32,
    /// Which 32 bits of it, low first.
    pub part: u8,
    /// The register that holds them; `None` if none does.
    pub at: Option<V>,
}

impl MInst {
    /// Creates an instruction of a form, without a guard.
    pub fn new(form: Form, place: SourcePos) -> Self {
        MInst {
            row: form.row,
            fields: form.fields,
            guard: MGuard::Always,
            ops: form.ops,
            reloc: None,
            place,
            strength: Strength::Weak,
            kept: Regs::new(),
            otherwise: Otherwise::new(),
            name: None,
            leaf: None,
        }
    }

    /// Returns its row.
    pub fn row(&self) -> &'static Row {
        self.row.row()
    }

    /// Returns the operand in the slot with this role.
    pub fn slot(&self, role: SlotRole) -> Option<&MOp> {
        self.row().slots.iter().position(|s| s.role == role).map(|i| &self.ops[i])
    }

    /// Whether operand `i` is written. Address bases and bank indices never are.
    pub fn is_def(&self, i: usize) -> bool {
        self.ops[i].is_written(&self.row().slots[i])
    }

    /// Calls `f` on every virtual register read, the guard first.
    pub fn for_each_use(&self, mut f: impl FnMut(V)) {
        if let MGuard::Virtual(v, _) = self.guard {
            f(v);
        }
        self.kept.iter().for_each(|&v| f(v));
        self.otherwise.iter().for_each(|&(_, v)| f(v));
        self.leaf.iter().flat_map(|call| &call.takes).for_each(|&v| f(v));
        self.named().into_iter().for_each(&mut f);
        for (o, slot) in self.ops.iter().zip(self.row().slots) {
            if !o.is_written(slot) {
                o.for_each(&mut f);
            }
        }
    }

    /// Returns the register that gets a name here.
    pub fn named(&self) -> Option<V> {
        self.name.and_then(|name| name.at)
    }

    /// Calls `f` on the registers that are neither guard nor operands, mutably; on results that
    /// [`MInst::otherwise`] names, too.
    pub fn for_each_beside_mut(&mut self, mut f: impl FnMut(&mut V)) {
        self.kept.iter_mut().for_each(&mut f);
        self.otherwise.iter_mut().flat_map(|(to, from)| [to, from]).for_each(&mut f);
        self.leaf.iter_mut().flat_map(|call| call.takes.iter_mut().chain(&mut call.gives)).for_each(&mut f);
        self.name.iter_mut().filter_map(|name| name.at.as_mut()).for_each(f);
    }

    /// Calls `f` on every virtual register written.
    pub fn for_each_def(&self, mut f: impl FnMut(V)) {
        self.leaf.iter().flat_map(|call| &call.gives).for_each(|&v| f(v));
        for (o, slot) in self.ops.iter().zip(self.row().slots) {
            if o.is_written(slot) {
                o.for_each(&mut f);
            }
        }
    }

    /// Whether the instruction writes `v` under a guard and reads it, as an operand or for its value
    /// where the guard fails: there the register keeps its value.
    pub fn is_kept(&self, v: V) -> bool {
        let has = |written: bool| {
            let mut found = false;
            for (o, slot) in self.ops.iter().zip(self.row().slots) {
                if o.is_written(slot) == written {
                    o.for_each(|w| found |= w == v);
                }
            }
            found
        };
        self.guard != MGuard::Always && has(true) && (has(false) || self.otherwise.iter().any(|&(_, from)| from == v))
    }

    /// Calls `f` on every virtual register written, mutably.
    pub fn for_each_def_mut(&mut self, mut f: impl FnMut(&mut V)) {
        self.leaf.iter_mut().flat_map(|call| &mut call.gives).for_each(&mut f);
        let slots = self.row().slots;
        for (o, slot) in self.ops.iter_mut().zip(slots) {
            if o.is_written(slot) {
                o.for_each_mut(&mut f);
            }
        }
    }

    /// Whether it must stay even if its results are unused.
    pub fn has_effect(&self) -> bool {
        let e = self.row().effects;
        let loads = e.writes.is_none() && !e.atomic && self.strength == Strength::Weak;
        e.convergent || e.barrier || e.branch || !loads || !self.writes_something() || self.writes_number()
    }

    /// Whether it writes a physical general register.
    fn writes_number(&self) -> bool {
        (0..self.ops.len()).any(|n| matches!(self.ops[n].kind, MKind::Phys(_)) && self.is_def(n))
    }

    fn writes_something(&self) -> bool {
        self.ops.iter().zip(self.row().slots).any(|(o, slot)| o.is_written(slot))
    }
}

/// A value passed on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MArg {
    /// A virtual register.
    Reg(V),
    /// Constant bits; for a predicate 0 or 1.
    Imm(u32),
    /// Undefined bits.
    Undef,
}

/// An edge with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MEdge {
    /// The target.
    pub to: MBlock,
    /// A value for each parameter.
    pub args: SmallVec<[MArg; 4]>,
}

/// A jump table in the function's constant pool: code offsets of four bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Byte offset in the pool (constant bank 2).
    pub at: u32,
    /// The targets, possibly repeated.
    pub targets: Vec<MBlock>,
}

/// The terminator of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MTerm {
    /// A jump.
    Jump(MEdge),
    /// A branch on a predicate.
    Branch {
        /// The condition.
        guard: MGuard,
        /// The edge taken if it holds.
        then: MEdge,
        /// The edge taken otherwise.
        other: MEdge,
    },
    /// A jump through a table, by the last instruction of the block.
    Switch(Table),
    /// A return from a called function.
    Return,
    /// The end of the thread.
    Exit,
}

impl MTerm {
    /// Returns the edges that carry values.
    pub fn edges(&self) -> SmallVec<[&MEdge; 2]> {
        match self {
            MTerm::Jump(e) => SmallVec::from_iter([e]),
            MTerm::Branch { then, other, .. } => SmallVec::from_iter([then, other]),
            MTerm::Switch(_) | MTerm::Return | MTerm::Exit => SmallVec::new(),
        }
    }

    /// Returns the same, mutably.
    pub fn edges_mut(&mut self) -> SmallVec<[&mut MEdge; 2]> {
        match self {
            MTerm::Jump(e) => SmallVec::from_iter([e]),
            MTerm::Branch { then, other, .. } => SmallVec::from_iter([then, other]),
            MTerm::Switch(_) | MTerm::Return | MTerm::Exit => SmallVec::new(),
        }
    }

    /// Returns the successors.
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
    /// The terminator.
    pub term: MTerm,
    /// The source location of the terminator.
    pub place: SourcePos,
}

/// A function.
#[derive(Clone, Debug)]
pub struct MFunction {
    /// Register file of each virtual register.
    pub vregs: PrimaryMap<V, File>,
    /// General registers whose homes, when they are spilled, may be uniform registers
    /// ([`crate::spill::uniform`]).
    pub alike: SecondaryMap<V, bool>,
    /// Blocks.
    pub blocks: PrimaryMap<MBlock, MBlockData>,
    /// Blocks in layout order, the entry first.
    pub layout: Vec<MBlock>,
    /// Whether every virtual register has one definition.
    pub ssa: bool,
    /// Bytes of local memory below the initial stack pointer.
    pub frame: u32,
    /// Alignment of that frame: 8, or 16 where it holds variables.
    pub frame_align: u32,
    /// Offsets of variables: local ones from the stack pointer, shared ones in the memory of the
    /// CTA.
    pub slots: SecondaryMap<raddle_ir::Slot, i32>,
    /// [`raddle_ir::Function::foreign`].
    pub foreign: SecondaryMap<raddle_ir::Sym, bool>,
    /// [`raddle_ir::Function::foreign_addresses`].
    pub foreign_addresses: bool,
    /// Bytes of static shared memory, and its alignment.
    pub shared: (u32, u32),
    /// Bytes stored to and loaded from spill slots.
    pub spills: (u32, u32),
    /// Named barriers used.
    pub barriers: u8,
    /// Whether instructions use the global-memory descriptor, which the entry then loads.
    pub uses_desc: bool,
    /// Bytes of its constant pool (constant bank 2): its jump tables.
    pub pool: u32,
    /// For a called function, the alignment of its frame, if larger than what callers guarantee.
    pub aligns: Option<u32>,
    /// Whether it allocates stack dynamically: its frame is addressed by
    /// [`crate::convention::FRAME`].
    pub grows: bool,
    /// Whether it is called and returns; otherwise it is a kernel.
    pub called: bool,
    /// What its prologue stores, once registers have numbers.
    pub stores: Stores,
    /// Its subroutines for rare cases.
    pub leaves: Vec<Leaf>,
    /// Whether it is such a subroutine.
    pub is_leaf: bool,
    /// One more than the highest general register of code that lanes run along with; 0 without such
    /// code.
    pub quad_registers: u16,
    /// The registers that a kernel begins with that passes some on ([`crate::budgets`]).
    pub entry_registers: Option<u16>,
}

/// Values of the caller in the frame of a called function. Offsets are from the lowered stack
/// pointer.
#[derive(Clone, Debug, Default)]
pub struct Stores {
    /// The offset of the caller's stack pointer, in a function that aligns its own.
    pub entry_at: Option<u32>,
    /// Callee-saved registers, in their order in memory.
    pub saved: Vec<u8>,
    /// The offset of the first of them.
    pub saved_at: u32,
}

impl Default for MFunction {
    /// Creates a function without blocks, in SSA form.
    fn default() -> Self {
        MFunction {
            vregs: PrimaryMap::new(),
            alike: SecondaryMap::new(),
            blocks: PrimaryMap::new(),
            layout: Vec::new(),
            ssa: true,
            frame: 0,
            frame_align: 8,
            slots: SecondaryMap::new(),
            foreign: SecondaryMap::new(),
            foreign_addresses: false,
            shared: (0, 1),
            spills: (0, 0),
            barriers: 0,
            uses_desc: false,
            pool: 0,
            aligns: None,
            grows: false,
            called: false,
            stores: Stores::default(),
            leaves: Vec::new(),
            is_leaf: false,
            quad_registers: 0,
            entry_registers: None,
        }
    }
}

impl MFunction {
    /// Returns the decrement of the stack pointer, which keeps variables aligned whatever spilling
    /// adds.
    pub fn frame_bytes(&self) -> u32 {
        self.frame.next_multiple_of(self.frame_align)
    }

    /// Creates a virtual register.
    pub fn vreg(&mut self, file: File) -> V {
        self.vregs.push(file)
    }

    /// Returns the entry block.
    pub fn entry(&self) -> MBlock {
        self.layout[0]
    }

    /// Returns the predecessors of every block, in layout order, once per edge.
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
