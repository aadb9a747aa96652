//! The tree of one function body.
//!
//! Problem: modules can have hundreds of megabytes and every consumer visits every instruction, so
//! a body must take less memory than a few times its text. Strategy: an [`Inst`] is 24 bytes, its
//! operands are 4-byte words in a pool, decoded to [`Operand`] on access, and the dotted part of an
//! instruction (operation, form, modifiers, types) is stored once per distinct spelling as a
//! [`Shape`]. Everything that is not an instruction (labels, `.loc`, scopes, declarations) is a
//! [`Mark`] with the number of the instruction after it.
//!
//! Invariants: a body refers to its module only through [`SymbolRef`] (by name, together with the
//! module's id); offsets count from the first byte of the function (its directive, `.entry` or
//! `.func` line), so editing another function leaves the body unchanged.

use crate::table::{FormId, Mod, Op};
use crate::ty::{Space, SpecialReg, Ty};
use raddle_entity::entity_impl;
use smallvec::SmallVec;

/// A register of a function, scopes resolved; ids are dense: `0..Body::reg_count()`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(u32);
entity_impl!(Reg, "reg");

/// A declaration of registers: `.reg .b32 %r<40>;` is one group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegGroupId(u32);
entity_impl!(RegGroupId, "group");

/// A label of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(u32);
entity_impl!(LabelId, "label");

/// A variable declared inside a function (`.local`, `.shared`, `.param`, ...).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);
entity_impl!(VarId, "var");

/// A symbol that a body refers to: see [`SymbolRef`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymId(u32);
entity_impl!(SymId, "sym");

/// A `.branchtargets` or `.calltargets` list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetsId(u32);
entity_impl!(TargetsId, "targets");

/// A `.callprototype`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProtoId(u32);
entity_impl!(ProtoId, "proto");

/// An instruction of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// A module-level variable: an index into [`Outline::globals`](crate::module::Outline::globals).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A function: an index into [`Outline::funcs`](crate::module::Outline::funcs).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// `@%p` or `@!%p`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The predicate register.
    pub reg: Reg,
    /// True for `@!%p`.
    pub negated: bool,
}

/// An optional [`Guard`], in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PackedGuard(u32);

impl PackedGuard {
    pub(crate) fn new(guard: Option<Guard>) -> Self {
        PackedGuard(guard.map_or(0, |g| (g.reg.as_u32() + 1) << 1 | u32::from(g.negated)))
    }

    fn get(self) -> Option<Guard> {
        let reg = (self.0 >> 1).checked_sub(1)?;
        Some(Guard { reg: Reg::from_u32(reg), negated: self.0 & 1 == 1 })
    }
}

/// One instruction. Its parts are read through [`Body`](crate::Body): `types`, `mods`, `operands`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Inst {
    /// The instruction.
    pub op: Op,
    /// The row of the table that it matched.
    pub form: FormId,
    pub(crate) shape: u32,
    pub(crate) guard: PackedGuard,
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// Byte offset of the opcode (or the guard) from the start of the function.
    pub offset: u32,
}

impl Inst {
    /// The guard predicate, if any.
    pub fn guard(&self) -> Option<Guard> {
        self.guard.get()
    }

    /// Number of operands.
    pub fn operand_count(&self) -> usize {
        self.count as usize
    }
}

const _: () = assert!(size_of::<Inst>() <= 48);

/// The dotted part of an instruction, stored once per distinct spelling.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// The instruction.
    pub op: Op,
    /// The row of the table.
    pub form: FormId,
    /// Modifiers in the order of the row.
    pub mods: SmallVec<[Mod; 6]>,
    /// Types in the order of the row: `cvt.rn.f32.s32` has `[F32, S32]`.
    pub types: SmallVec<[Ty; 4]>,
    /// The canonical spelling: `ld.global.nc.v4.b32`.
    pub dotted: Box<str>,
}

/// The notation of an immediate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImmKind {
    /// An integer; the value is in two's complement of 64 bits.
    Int,
    /// `0f3F800000`: the bits of an f32 in the low half.
    F32,
    /// `0d3FF0000000000000` or a decimal floating-point number: the bits of an f64.
    F64,
}

/// A literal operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Imm {
    /// The bits, interpreted by [`ImmKind`].
    pub bits: u64,
    /// Its notation.
    pub kind: ImmKind,
}

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// `[%rd1+8]`
    Reg(Reg),
    /// `[name+8]`
    Sym(SymId),
    /// `[4096]`
    None,
}

/// A selector after a register or special register: `%v.x`, `%r1.b0`, `%r1.h1`, `%r1.b3210`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// Component 0 to 3 of a vector register (`.x .y .z .w`, also `.r .g .b .a`).
    Component(u8),
    /// Bytes of a video instruction: up to four byte numbers 0 to 7, the first written in the
    /// lowest nibble, and their number.
    Bytes(u16, u8),
    /// Half words of a video instruction: up to two numbers 0 to 3, the first written in the lowest
    /// nibble, and their number.
    Halves(u8, u8),
}

/// A list of operands of a body: braces, brackets or parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct List {
    pub(crate) first: u32,
    pub(crate) len: u32,
}

/// An operand, decoded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// `!%p`
    NotPred(Reg),
    /// `|%p` after the previous operand, where `tex` and the like report residency; `None` is `_`.
    Also(Option<Reg>),
    /// `-%r` (video instructions).
    Neg(Reg),
    /// `%r+8`: the sum, modulo two to the register's width (ptxas 13.0.88; not in the manual).
    Sum(Reg, i64),
    /// A part of a register; the flag is a leading minus sign (video instructions).
    RegPart(Reg, Part, bool),
    /// `%p|%q`; `None` is `_`.
    Pair(Option<Reg>, Option<Reg>),
    /// A literal.
    Imm(Imm),
    /// A special register; component 0 to 3 if one is selected of a vector.
    Special(SpecialReg, Option<u8>),
    /// `[base+offset]`
    Addr(Base, i64),
    /// `name` or `name+offset`: the address of a variable, a texture, a function (in `mov`), a
    /// `.param` in a call.
    Symbol(SymId, i64),
    /// `{a, b}`
    Vec(List),
    /// `[a, b]`, `[a, {b, c}]`: brackets with more than one part.
    Bracket(List),
    /// `(a, b)`: arguments or results of a call.
    Args(List),
    /// A label.
    Label(LabelId),
    /// The callee of a direct call.
    Func(SymId),
    /// A `.callprototype` named by an indirect call.
    Proto(ProtoId),
    /// A `.calltargets` or `.branchtargets` list named by an indirect call or `brx`.
    Targets(TargetsId),
    /// `_`
    Sink,
}

/// The referent of a [`SymbolRef`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Referent {
    /// A module-level variable.
    Global(GlobalId),
    /// A function of the module.
    Func(FuncId),
    /// A variable of this function.
    Var(VarId),
    /// A parameter of this function, by position.
    Param(u32),
    /// A return parameter of this function, by position.
    Ret(u32),
}

/// A symbol that a body refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolRef {
    /// The name as written.
    pub name: Box<str>,
    /// Its referent.
    pub referent: Referent,
}

/// A declaration of registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegGroup {
    /// The name, without number if the group is parametrised: `%r` of `%r<40>`.
    pub name: Box<str>,
    /// Type of one element.
    pub ty: Ty,
    /// 1, or 2 or 4 for `.v2` and `.v4` registers.
    pub width: u8,
    /// `Some(40)` for `%r<40>`, which declares `%r0` to `%r39`.
    pub count: Option<u32>,
    /// Id of the first register.
    pub first: Reg,
}

impl RegGroup {
    /// Number of registers in the group.
    pub fn len(&self) -> u32 {
        self.count.unwrap_or(1)
    }

    /// True for `%r<0>`.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A label of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The name as written.
    pub name: Box<str>,
    /// The instruction after it (the number of instructions for a label at the end).
    pub at: InstId,
    /// Byte offset from the start of the function.
    pub offset: u32,
}

/// A variable declaration: of a module, a function or a parameter list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name; empty for an unnamed parameter (`_`).
    pub name: Box<str>,
    /// State space.
    pub space: Space,
    /// Element type.
    pub ty: Ty,
    /// 1, or 2 or 4 for `.v2` and `.v4`.
    pub width: u8,
    /// Explicit alignment in bytes, if given.
    pub align: Option<u32>,
    /// Array dimensions, outermost first; `None` is `[]`.
    pub dims: SmallVec<[Option<u64>; 1]>,
    /// `.ptr` attribute of a kernel parameter.
    pub ptr: Option<Ptr>,
}

impl Variable {
    /// The type that says what the driver binds to it: of textures, samplers and surfaces, and of
    /// variables in `.tex`, which name textures (PTX ISA 9.0, 5.1.8). Its type for all others.
    pub fn meant_type(&self) -> Ty {
        if self.space == Space::Tex { Ty::Texref } else { self.ty }
    }

    /// Alignment in bytes: the explicit one, else that of the type (PTX ISA 9.0, 5.4.5).
    pub fn alignment(&self) -> u32 {
        self.align.unwrap_or(self.ty.bytes() * u32::from(self.width))
    }

    /// Size in bytes; `None` for an array without size.
    pub fn size(&self) -> Option<u64> {
        let one = u64::from(self.ty.bytes()) * u64::from(self.width);
        self.dims.iter().try_fold(one, |size, dim| size.checked_mul((*dim)?))
    }
}

/// `.ptr .global .align 16`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ptr {
    /// The state space of the target.
    pub space: Space,
    /// Alignment of the target, if given.
    pub align: Option<u32>,
}

/// A `.branchtargets` or `.calltargets` list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Targets {
    /// Its label.
    pub name: Box<str>,
    /// Labels of a `.branchtargets` list, in order.
    pub labels: Vec<LabelId>,
    /// Functions of a `.calltargets` list, in order.
    pub funcs: Vec<SymId>,
    /// True for `.calltargets`.
    pub calls: bool,
}

/// A `.callprototype`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proto {
    /// Its label.
    pub name: Box<str>,
    /// Return parameters.
    pub rets: Vec<Variable>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// `.noreturn`
    pub noreturn: bool,
    /// `.abi_preserve N`
    pub abi_preserve: Option<u32>,
    /// `.abi_preserve_control N`
    pub abi_preserve_control: Option<u32>,
}

/// A `.loc` directive (PTX ISA 9.0, 11.5.3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loc {
    /// File number, as declared by `.file`.
    pub file: u32,
    /// Line, from 1 (0 means none).
    pub line: u32,
    /// Column.
    pub column: u32,
    /// `function_name LABEL[+N], inlined_at FILE LINE COLUMN`
    pub inlined: Option<Box<Inlined>>,
}

/// The inlining part of a `.loc`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inlined {
    /// A label of the `.debug_str` section.
    pub function: Box<str>,
    /// Offset added to it.
    pub function_offset: u64,
    /// File of the call.
    pub file: u32,
    /// Line of the call.
    pub line: u32,
    /// Column of the call.
    pub column: u32,
}

/// A statement that is not an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A label definition.
    Label(LabelId),
    /// `.loc`: an index into [`Body::locs`](crate::Body::locs).
    Loc(u32),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `.reg`
    Regs(RegGroupId),
    /// A variable declaration.
    Var(VarId),
    /// `.pragma`: an index into [`Body::pragmas`](crate::Body::pragmas).
    Pragma(u32),
    /// `.branchtargets` or `.calltargets`
    Targets(TargetsId),
    /// `.callprototype`
    Proto(ProtoId),
}

/// A statement in order: see [`Body::stmts`](crate::Body::stmts).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// An instruction.
    Inst(InstId),
    /// Anything else.
    Mark(Mark),
}
