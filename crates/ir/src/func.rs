//! Storage of a function: entity-indexed vectors without lifetimes (D10).

use crate::cx::Unsupported;
use raddle_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

pub use crate::ids::{Block, Inst, Slot, SourcePos, Sym, Value};
use crate::lines::{Lines, Loc};
use crate::op::Op;
use crate::texture::TexBound;
use crate::types::{Space, Width};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// Its width.
    pub width: Width,
    /// Its definition.
    pub def: ValueDef,
}

/// The definition of a value.
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
    /// The operation.
    pub op: Op,
    /// Operands.
    pub args: SmallVec<[Value; 4]>,
    /// Results.
    pub results: SmallVec<[Value; 2]>,
    /// Its source location.
    pub place: SourcePos,
}

/// An edge: the block and the values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The target block.
    pub block: Block,
    /// One value for each parameter of the block.
    pub args: SmallVec<[Value; 4]>,
}

impl Target {
    /// Creates an edge that passes no values.
    pub fn to(block: Block) -> Self {
        Self { block, args: SmallVec::new() }
    }
}

/// The terminator of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// A jump.
    Jump(Target),
    /// A branch on a predicate.
    Branch {
        /// The condition, a predicate.
        cond: Value,
        /// Whether it is known to be equal in all active lanes (`bra.uni`).
        uniform: bool,
        /// The edge taken if it is true.
        then: Target,
        /// The edge taken if it is false.
        other: Target,
    },
    /// A jump to the target with this 32-bit index; undefined beyond the last one (PTX `brx.idx`).
    Switch {
        /// The index.
        index: Value,
        /// The targets, which get no values.
        targets: Vec<Block>,
    },
    /// The end of the thread.
    Exit,
}

impl Terminator {
    /// Returns the successors, a switch's included.
    pub fn successors(&self) -> SmallVec<[Block; 2]> {
        match self {
            Terminator::Jump(t) => SmallVec::from_slice(&[t.block]),
            Terminator::Branch { then, other, .. } => SmallVec::from_slice(&[then.block, other.block]),
            Terminator::Switch { targets, .. } => targets.iter().copied().collect(),
            Terminator::Exit => SmallVec::new(),
        }
    }

    /// Returns the edges with values.
    pub fn targets(&self) -> SmallVec<[&Target; 2]> {
        match self {
            Terminator::Jump(t) => SmallVec::from_slice(&[t]),
            Terminator::Branch { then, other, .. } => SmallVec::from_slice(&[then, other]),
            Terminator::Switch { .. } | Terminator::Exit => SmallVec::new(),
        }
    }

    /// Returns the edges with values, mutably.
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

    /// Replaces every value used by `f` of it.
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
    /// Its terminator; `None` only while the function is being built.
    pub term: Option<Terminator>,
}

/// A variable in shared or local memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotData {
    /// PTX name.
    pub name: String,
    /// `Shared` or `Local`.
    pub space: Space,
    /// Size in bytes; 0 for `.extern .shared` arrays.
    pub size: u32,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// Whether it is dynamic shared memory, which begins after the static variables.
    pub dynamic: bool,
}

/// A kernel parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Byte offset from the first parameter.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes of what the parameter points to (`.ptr .align`, PTX ISA 9.0, 5.1.6.4), a
    /// power of two; 1 if not declared.
    pub pointee_align: u32,
    /// A texture, sampler or surface: its symbol. It has no memory.
    pub opaque: Option<(TexBound, Sym)>,
}

/// Whether a function is a kernel or called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.entry`.
    Kernel,
    /// A `.func` that is called: arguments come by [`crate::Op::Argument`]; a block whose last
    /// instruction is a [`crate::Op::Return`] returns, others that end in [`Terminator::Exit`] end
    /// the thread.
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
    /// `.reqnctapercluster`.
    pub cluster: Option<[u32; 3]>,
    /// `.maxclusterrank`.
    pub max_cluster_rank: Option<u32>,
    /// `.explicitcluster`.
    pub explicit_cluster: bool,
    /// `.blocksareclusters`.
    pub blocks_are_clusters: bool,
}

/// The source location of instructions: a row of the table that instructions hold indices into
/// (D18).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SourcePosData {
    /// Byte offset in the PTX function.
    pub offset: u32,
    /// Line in the PTX text, from 1; 0 = unknown.
    pub line: u32,
    /// Line in the PTX text of the instruction itself, from 1, if it was inlined with its function;
    /// 0 = same as `line`, or line information is off.
    pub inner_line: u32,
    /// Location in the program's sources.
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
    /// Whether a kernel has more than 4,352 bytes of parameters, computed from their sizes and
    /// alignments alone: some targets place those elsewhere.
    pub many_params: bool,
    /// Whether it contains `wmma` of PTX, which an attribute of the kernel says.
    pub wmma: bool,
    /// Whether it contains `tensormap.replace`, which an attribute of the module says.
    pub tensormap: bool,
    /// Whether its module has samplers apart from textures (`texmode_independent`), which an attribute
    /// of the module says.
    pub samplers: bool,
    /// The instruction because of which products of a warpgroup run one after another: it touches a
    /// register of one that is not waited for.
    pub serial_products: Option<Unsupported>,
    /// Launch bounds.
    pub bounds: Bounds,
    /// Variables in shared and local memory.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// Names of symbols outside the function.
    pub symbols: PrimaryMap<Sym, String>,
    /// Alignments in bytes of symbols that are defined with the function, powers of two; 0 =
    /// unknown.
    pub symbol_aligns: SecondaryMap<Sym, u32>,
    /// Whether a symbol is a function that another compiler may have compiled: the lanes of a warp
    /// may return from it one group after the other.
    pub foreign: SecondaryMap<Sym, bool>,
    /// Whether the same holds for functions that it calls by address.
    pub foreign_addresses: bool,
    /// Blocks.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Blocks in layout order; the first is the entry, which has no parameters and no predecessors.
    pub layout: Vec<Block>,
    /// Instructions.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Values.
    pub values: PrimaryMap<Value, ValueData>,
    /// Source locations; the first means "none".
    pub places: PrimaryMap<SourcePos, SourcePosData>,
    /// Source location of each block's terminator.
    pub term_places: SecondaryMap<Block, SourcePos>,
    /// Blocks whose innermost loop must not be unrolled (`.pragma "nounroll"`, PTX ISA 9.0, 12.1).
    /// Lowering marks loop headers; a pass that replaces such a block by another block of the loop
    /// marks that one.
    pub rolled: SecondaryMap<Block, bool>,
    /// The sources that locations refer to; empty if line information is off.
    pub lines: Lines,
}

impl Function {
    /// Creates an empty function.
    pub fn new(name: impl Into<String>) -> Self {
        let mut places = PrimaryMap::new();
        places.push(SourcePosData::default());
        Self {
            name: name.into(),
            kind: Kind::Kernel,
            params: Vec::new(),
            many_params: false,
            wmma: false,
            tensormap: false,
            samplers: false,
            serial_products: None,
            bounds: Bounds::default(),
            slots: PrimaryMap::new(),
            symbols: PrimaryMap::new(),
            symbol_aligns: SecondaryMap::new(),
            foreign: SecondaryMap::new(),
            foreign_addresses: false,
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

    /// Returns the entry block.
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

    /// Creates an instruction with results of these widths, in no block yet.
    pub fn make(&mut self, op: Op, args: &[Value], results: &[Width], place: SourcePos) -> Inst {
        let inst = self.insts.next_key();
        let results = results
            .iter()
            .enumerate()
            .map(|(n, &width)| self.values.push(ValueData { width, def: ValueDef::Result(inst, n as u32) }))
            .collect();
        self.insts.push(InstData { op, args: SmallVec::from_slice(args), results, place })
    }

    /// Appends an instruction to a block.
    pub fn append(&mut self, block: Block, op: Op, args: &[Value], results: &[Width], place: SourcePos) -> Inst {
        let inst = self.make(op, args, results, place);
        self.blocks[block].insts.push(inst);
        inst
    }

    /// Appends an instruction with one result.
    pub fn append1(&mut self, block: Block, op: Op, args: &[Value], width: Width, place: SourcePos) -> Value {
        let inst = self.append(block, op, args, &[width], place);
        self.insts[inst].results[0]
    }

    /// Returns the width of a value.
    pub fn width(&self, v: Value) -> Width {
        self.values[v].width
    }

    /// Returns the instruction that defines `v` and its operation; `None` for a block parameter.
    pub fn def(&self, v: Value) -> Option<(Inst, Op)> {
        match self.values[v].def {
            ValueDef::Result(i, _) => Some((i, self.insts[i].op)),
            ValueDef::Param(..) => None,
        }
    }

    /// Returns the bits of `v` if it is a constant.
    pub fn constant(&self, v: Value) -> Option<u64> {
        match self.values[v].def {
            ValueDef::Result(i, _) => match self.insts[i].op {
                Op::Const(bits) => Some(bits),
                _ => None,
            },
            ValueDef::Param(..) => None,
        }
    }

    /// Returns the terminator of a block; `Exit` for a block without one (the verifier rejects
    /// those).
    pub fn term(&self, b: Block) -> &Terminator {
        self.blocks[b].term.as_ref().unwrap_or(&Terminator::Exit)
    }
}
