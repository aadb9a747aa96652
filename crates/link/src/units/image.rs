//! The content of an output before its sections and symbols are numbered: sections by role, symbols
//! and relocations by meaning.

use std::collections::BTreeMap;

use raddle_cubin::model::Kind;
use raddle_cubin::unit::{Entry, Function};
use raddle_target::Native;

use super::frame::Frames;
use super::lines::LineSections;
use super::resolve::DefId;

/// An executable or an object.
pub(super) struct Image<'a> {
    pub kind: Kind,
    /// The sections of code in file order.
    pub texts: Vec<Text<'a>>,
    pub data: Data,
    /// The number of addresses in constant bank 4.
    pub slots: usize,
    /// Relocations that are left to a linker or to the driver.
    pub relocations: BTreeMap<Patchable, Vec<Pending<'a>>>,
    pub frame: Frames,
    pub lines: Option<LineSections>,
    /// Other debug sections: name, bytes.
    pub debug: Vec<(String, Vec<u8>)>,
    /// Symbols besides those of sections and pools: local ones and global ones.
    pub locals: Vec<Plan<'a>>,
    pub globals: Vec<Plan<'a>>,
    /// `.nv.info`: attribute, symbol, value.
    pub facts: Vec<(u8, Sym<'a>, u32)>,
    /// The four lists of `.nv.callgraph`.
    pub calls: [Vec<(Sym<'a>, Callee<'a>)>; 4],
    /// `.nv.prototype`, if there is one: functions with the offsets of their types.
    pub prototypes: Option<Vec<(Sym<'a>, u32)>>,
    /// Types of functions, which precede the names of symbols in the string table.
    pub types: Vec<&'a str>,
}

/// A section of variables: contents or size, and alignment.
#[derive(Clone, Debug, Default)]
pub(super) struct Data {
    pub global_init: (Vec<u8>, u64),
    pub constant: (Vec<u8>, u64),
    pub global: (u64, u64),
    pub shared: (u64, u64),
}

/// A section of code with its related sections.
pub(super) struct Text<'a> {
    pub def: DefId,
    pub name: &'a str,
    /// The function itself, then copies of its callees, each with its offset.
    pub functions: Vec<(&'a Function, u32)>,
    pub code: Vec<u8>,
    /// Constant bank 2.
    pub pool: Vec<u8>,
    /// Its own shared memory: size and alignment.
    pub shared: Option<(u64, u64)>,
    /// Functions that it uses and the file does not define.
    pub externals: Vec<Sym<'a>>,
    /// ELF types of textures, samplers and surfaces with a word behind the parameters.
    pub words: Vec<u8>,
    /// Parameters that are textures, samplers or surfaces: their numbers and symbols.
    pub opaque: Vec<(usize, DefId)>,
}

impl<'a> Text<'a> {
    /// The facts about a kernel; `None` for a function.
    pub fn entry(&self) -> Option<&'a Entry> {
        self.functions.first().and_then(|(f, _)| f.entry.as_ref())
    }

    pub fn registers(&self) -> u16 {
        self.functions.iter().map(|(f, _)| f.registers).max().unwrap_or(0)
    }

    pub fn barriers(&self) -> u8 {
        self.functions.iter().map(|(f, _)| f.barriers).max().unwrap_or(0)
    }
}

/// The role of a section; the number is that of its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Role {
    Null,
    SectionNames,
    SymbolNames,
    Symbols,
    Frame,
    Line,
    DebugStrings,
    PtxLine,
    /// One of [`Image::debug`].
    Debug(usize),
    ToolNote,
    CudaNote,
    Info,
    Compat,
    TextInfo(usize),
    Callgraph,
    Prototypes,
    RelocAction,
    /// Relocations of a section, without or with addends.
    Relocs(Patchable, bool),
    Slots,
    Const,
    Pool(usize),
    Params(usize),
    Text(usize),
    GlobalInit,
    /// Shared variables to be placed by a linker.
    Shared,
    /// Shared memory of a kernel, already placed.
    OwnShared(usize),
    ReservedShared,
    Global,
}

/// A section that may have relocations; the order is that of the relocation sections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Patchable {
    Text(usize),
    Slots,
    GlobalInit,
    Const,
    Params(usize),
    Line,
    PtxLine,
    Debug(usize),
    Frame,
}

impl Patchable {
    /// The section.
    pub fn role(self) -> Role {
        match self {
            Self::Text(n) => Role::Text(n),
            Self::Slots => Role::Slots,
            Self::GlobalInit => Role::GlobalInit,
            Self::Const => Role::Const,
            Self::Params(n) => Role::Params(n),
            Self::Line => Role::Line,
            Self::PtxLine => Role::PtxLine,
            Self::Debug(n) => Role::Debug(n),
            Self::Frame => Role::Frame,
        }
    }
}

/// The end of a kernel's parameters in constant bank 0.
pub(super) fn param_end(entry: Option<&Entry>, native: &Native) -> usize {
    let ends = entry.into_iter().flat_map(|e| &e.params).map(|p| usize::from(p.offset) + usize::from(p.size));
    usize::from(native.cbank.params_at(entry.is_some_and(|e| e.many_params))) + ends.max().unwrap_or(0)
}

/// A symbol by meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Sym<'a> {
    Null,
    Section(Role),
    /// The constant pool of a function, as a variable.
    Pool(DefId),
    /// A part of a function: text, function within it, part within that.
    Part(usize, usize, usize),
    /// The copy of a device function within a text.
    Copy(usize, usize),
    Def(DefId),
    /// An alias of a function.
    Alias(DefId, &'a str),
    /// An undefined symbol.
    Undefined(&'a str),
    ReservedSize,
    ReservedAlias,
}

/// The place of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum At {
    Undefined,
    Common,
    Section(Role),
}

/// A symbol to be written.
#[derive(Clone, Debug)]
pub(super) struct Plan<'a> {
    pub sym: Sym<'a>,
    pub name: String,
    pub binding: u8,
    pub kind: u8,
    pub other: u8,
    pub at: At,
    pub value: u64,
    pub size: u64,
}

/// A relocation of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending<'a> {
    pub offset: u64,
    /// ELF number.
    pub number: u32,
    pub symbol: Sym<'a>,
    pub addend: i64,
}

/// The second half of an entry in the call graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Callee<'a> {
    Function(Sym<'a>),
    /// The offset of a type in the string table.
    Type(u32),
}
