//! How a function is stored: entity-indexed vectors without lifetimes (D10).

use raddle_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

pub use crate::ids::{Block, Inst, Place, Slot, Sym, Value};
use crate::lines::{Lines, Loc};
use crate::op::Op;
use crate::types::{Space, Width};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// Its width.
    pub width: Width,
    /// Where it comes from.
    pub def: ValueDef,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// The n-th result of an instruction.
    Result(Inst, u32),
    /// The n-th parameter of a block.
    Param(Block, u32),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstData {
    /// What it does.
    pub op: Op,
    /// Operands.
    pub args: SmallVec<[Value; 4]>,
    /// Results.
    pub results: SmallVec<[Value; 2]>,
    /// Where it comes from.
    pub place: Place,
}

/// An edge: the block and the values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where to.
    pub block: Block,
    /// One value for each parameter of the block.
    pub args: SmallVec<[Value; 4]>,
}

impl Target {
    /// An edge that passes nothing.
    pub fn to(block: Block) -> Self {
        Self { block, args: SmallVec::new() }
    }
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// To one block.
    Jump(Target),
    /// To the first if the predicate is true, else to the second.
    Branch {
        /// A predicate.
        cond: Value,
        /// Known to be equal in all active lanes (`bra.uni`)?
        uniform: bool,
        /// If true.
        then: Target,
        /// If false.
        other: Target,
    },
    /// To the target with this index (32 bits); beyond the last one: undefined (PTX `brx.idx`).
    Switch {
        /// The index.
        index: Value,
        /// The targets, without values.
        targets: Vec<Block>,
    },
    /// The thread ends.
    Exit,
}

impl Terminator {
    /// The edges out of the block. A switch's carry no values.
    pub fn successors(&self) -> SmallVec<[Block; 2]> {
        match self {
            Terminator::Jump(t) => SmallVec::from_slice(&[t.block]),
            Terminator::Branch { then, other, .. } => SmallVec::from_slice(&[then.block, other.block]),
            Terminator::Switch { targets, .. } => targets.iter().copied().collect(),
            Terminator::Exit => SmallVec::new(),
        }
    }

    /// The edges with values.
    pub fn targets(&self) -> SmallVec<[&Target; 2]> {
        match self {
            Terminator::Jump(t) => SmallVec::from_slice(&[t]),
            Terminator::Branch { then, other, .. } => SmallVec::from_slice(&[then, other]),
            Terminator::Switch { .. } | Terminator::Exit => SmallVec::new(),
        }
    }

    /// The edges with values, to be changed.
    pub fn targets_mut(&mut self) -> SmallVec<[&mut Target; 2]> {
        let mut out = SmallVec::new();
        match self {
            Terminator::Jump(t) => out.push(t),
            Terminator::Branch { then, other, .. } => {
                out.push(then);
                out.push(other);
            }
            Terminator::Switch { .. } | Terminator::Exit => {}
        }
        out
    }

    /// Calls `f` on every value used, edges included.
    pub fn for_each_use(&self, mut f: impl FnMut(Value)) {
        match self {
            Terminator::Branch { cond, .. } => f(*cond),
            Terminator::Switch { index, .. } => f(*index),
            Terminator::Jump(_) | Terminator::Exit => {}
        }
        for t in self.targets() {
            t.args.iter().for_each(|v| f(*v));
        }
    }

    /// Lets `f` replace every value used.
    pub fn map_uses(&mut self, mut f: impl FnMut(Value) -> Value) {
        match self {
            Terminator::Branch { cond: v, .. } | Terminator::Switch { index: v, .. } => *v = f(*v),
            Terminator::Jump(_) | Terminator::Exit => {}
        }
        for t in self.targets_mut() {
            t.args.iter_mut().for_each(|v| *v = f(*v));
        }
    }
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockData {
    /// Its parameters.
    pub params: SmallVec<[Value; 4]>,
    /// Its instructions in order.
    pub insts: Vec<Inst>,
    /// How it ends; `None` only while the function is being built.
    pub term: Option<Terminator>,
}

/// A variable in shared or local memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotData {
    /// PTX name.
    pub name: String,
    /// `Shared` or `Local`.
    pub space: Space,
    /// Bytes; 0 for `.extern .shared` arrays.
    pub size: u32,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// Dynamic shared memory: begins where the static variables end.
    pub dynamic: bool,
}

/// A kernel parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Byte offset from the first parameter.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// What the parameter points to is aligned to so many bytes (`.ptr .align`, PTX ISA 9.0, 5.1.6.4), a power of two; 1 where nothing is said.
    pub pointee_align: u32,
}

/// What the function is to its callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.entry`.
    Kernel,
    /// `.func` that is called: arguments come by [`crate::Op::Argument`], and a block whose last instruction is a [`crate::Op::Return`]
    /// returns where others that end in [`Terminator::Exit`] end the thread.
    Called,
}

/// Performance directives (PTX ISA 9.0, 11.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Bounds {
    /// `.maxntid`.
    pub maxntid: Option<[u32; 3]>,
    /// `.reqntid`.
    pub reqntid: Option<[u32; 3]>,
    /// `.minnctapersm`.
    pub minnctapersm: Option<u32>,
    /// `.maxnreg`.
    pub maxnreg: Option<u32>,
}

/// Where an instruction comes from: a row of the table that instructions hold indices into (D18).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PlaceData {
    /// Byte offset in the PTX function.
    pub offset: u32,
    /// Line in the PTX text, from 1; 0 = unknown.
    pub line: u32,
    /// Line in the PTX text of the instruction itself, from 1, where it was inlined with its function; 0 = that is `line`,
    /// or line information is not wanted.
    pub inner_line: u32,
    /// Place in the program's sources.
    pub loc: Loc,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// PTX name.
    pub name: String,
    /// Kernel or function.
    pub kind: Kind,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// A kernel with more than 4,352 bytes of parameters, by their sizes and alignments alone: some targets have those elsewhere.
    pub many_params: bool,
    /// Launch bounds.
    pub bounds: Bounds,
    /// Variables in shared and local memory.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// Names of symbols outside.
    pub symbols: PrimaryMap<Sym, String>,
    /// Alignment in bytes of those symbols that are defined with the function, powers of two; 0 = unknown.
    pub symbol_aligns: SecondaryMap<Sym, u32>,
    /// Blocks.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Blocks in layout order; the first is the entry, which has no parameters and no predecessors.
    pub layout: Vec<Block>,
    /// Instructions.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Values.
    pub values: PrimaryMap<Value, ValueData>,
    /// Source places; the first stands for "none".
    pub places: PrimaryMap<Place, PlaceData>,
    /// Place of each block's terminator.
    pub term_places: SecondaryMap<Block, Place>,
    /// Blocks whose innermost loop is not to be unrolled (`.pragma "nounroll"`, PTX ISA 9.0, 12.1). Lowering sets it for headers;
    /// a pass that lets another block of the loop stand for such a block sets it there.
    pub rolled: SecondaryMap<Block, bool>,
    /// The sources that places lead to; empty unless line information is wanted.
    pub lines: Lines,
}

impl Function {
    /// An empty function.
    pub fn new(name: impl Into<String>) -> Self {
        let mut places = PrimaryMap::new();
        places.push(PlaceData::default());
        Self {
            name: name.into(),
            kind: Kind::Kernel,
            params: Vec::new(),
            many_params: false,
            bounds: Bounds::default(),
            slots: PrimaryMap::new(),
            symbols: PrimaryMap::new(),
            symbol_aligns: SecondaryMap::new(),
            blocks: PrimaryMap::new(),
            layout: Vec::new(),
            insts: PrimaryMap::new(),
            values: PrimaryMap::new(),
            places,
            term_places: SecondaryMap::new(),
            rolled: SecondaryMap::new(),
            lines: Lines::default(),
        }
    }

    /// The entry block.
    pub fn entry(&self) -> Block {
        self.layout.first().copied().unwrap_or(Block::from_u32(0))
    }

    /// Adds an empty block at the end of the layout.
    pub fn add_block(&mut self) -> Block {
        let b = self.blocks.push(BlockData { params: SmallVec::new(), insts: Vec::new(), term: None });
        self.layout.push(b);
        b
    }

    /// Adds a parameter to a block.
    pub fn add_param(&mut self, block: Block, width: Width) -> Value {
        let n = self.blocks[block].params.len() as u32;
        let v = self.values.push(ValueData { width, def: ValueDef::Param(block, n) });
        self.blocks[block].params.push(v);
        v
    }

    /// Makes an instruction with results of these widths, in no block yet.
    pub fn make(&mut self, op: Op, args: &[Value], results: &[Width], place: Place) -> Inst {
        let inst = self.insts.next_key();
        let results = results
            .iter()
            .enumerate()
            .map(|(n, &width)| self.values.push(ValueData { width, def: ValueDef::Result(inst, n as u32) }))
            .collect();
        self.insts.push(InstData { op, args: SmallVec::from_slice(args), results, place })
    }

    /// Appends an instruction to a block.
    pub fn append(&mut self, block: Block, op: Op, args: &[Value], results: &[Width], place: Place) -> Inst {
        let inst = self.make(op, args, results, place);
        self.blocks[block].insts.push(inst);
        inst
    }

    /// Appends an instruction with one result.
    pub fn append1(&mut self, block: Block, op: Op, args: &[Value], width: Width, place: Place) -> Value {
        let inst = self.append(block, op, args, &[width], place);
        self.insts[inst].results[0]
    }

    /// The width of a value.
    pub fn width(&self, v: Value) -> Width {
        self.values[v].width
    }

    /// The operation that defines `v`, and its instruction; `None` for a block parameter.
    pub fn def(&self, v: Value) -> Option<(Inst, Op)> {
        match self.values[v].def {
            ValueDef::Result(i, _) => Some((i, self.insts[i].op)),
            ValueDef::Param(..) => None,
        }
    }

    /// The bits of `v` if it is a constant.
    pub fn constant(&self, v: Value) -> Option<u64> {
        match self.values[v].def {
            ValueDef::Result(i, _) => match self.insts[i].op {
                Op::Const(bits) => Some(bits),
                _ => None,
            },
            ValueDef::Param(..) => None,
        }
    }

    /// The terminator of a finished block; `Exit` for one without (the verifier rejects those).
    pub fn term(&self, b: Block) -> &Terminator {
        self.blocks[b].term.as_ref().unwrap_or(&Terminator::Exit)
    }
}
