//! The container of a function body and its accessors.

use crate::table::{Mod, Op};
use crate::tree::*;
use crate::ty::{SpecialReg, Ty};
use raddle_entity::{EntityRef, PrimaryMap};
use smallvec::SmallVec;

/// A parsed function body. See the module header of [`crate::tree`] for the layout.
#[derive(Clone, Default, PartialEq)]
pub struct Body {
    /// Instructions in order.
    pub insts: PrimaryMap<InstId, Inst>,
    /// Declarations of registers, in order of their first register.
    pub groups: PrimaryMap<RegGroupId, RegGroup>,
    /// Variables declared in the body.
    pub vars: PrimaryMap<VarId, Variable>,
    /// Labels in order of definition, or first use where that is earlier.
    pub labels: PrimaryMap<LabelId, Label>,
    /// All symbols: names from outside, and variables of the body.
    pub syms: PrimaryMap<SymId, SymbolRef>,
    /// `.branchtargets` and `.calltargets`.
    pub targets: PrimaryMap<TargetsId, Targets>,
    /// `.callprototype`s.
    pub protos: PrimaryMap<ProtoId, Proto>,
    /// `.loc` directives.
    pub locs: Vec<Loc>,
    /// Initial values of variables declared in the body, as text.
    pub inits: Vec<(VarId, Box<str>)>,
    /// `.pragma` strings.
    pub pragmas: Vec<Box<str>>,
    /// Statements that are not instructions, each with the number of the instruction after it.
    pub marks: Vec<(u32, Mark)>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) words: Vec<Word>,
    pub(crate) regs: u32,
}

/// An operand in four bytes: a tag of five bits and a payload of 27.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Word(pub(crate) u32);

/// Payload bits of a [`Word`].
pub(crate) const PAYLOAD_BITS: u32 = 27;
/// Largest payload.
pub(crate) const PAYLOAD_MAX: u32 = (1 << PAYLOAD_BITS) - 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Tag {
    Reg,
    NotPred,
    Also,
    Neg,
    /// pool: register, constant of 64 bits
    Sum,
    /// pool: register, part, minus
    RegPart,
    /// pool: two of register + 1 or 0
    Pair,
    /// payload: signed 27 bits
    SmallInt,
    /// pool: low, high
    Int,
    /// pool: bits
    F32,
    /// pool: low, high
    F64,
    /// payload: register number and component
    Special,
    /// payload: register, offset 0
    AddrReg,
    /// pool: register, offset of 64 bits
    AddrRegOff,
    AddrSym,
    AddrNone,
    Symbol,
    SymbolOff,
    /// pool: length, items
    Vec,
    Bracket,
    Args,
    Label,
    Func,
    Proto,
    Targets,
    Sink,
}

const TAGS: [Tag; 26] = [
    Tag::Reg,
    Tag::NotPred,
    Tag::Also,
    Tag::Neg,
    Tag::Sum,
    Tag::RegPart,
    Tag::Pair,
    Tag::SmallInt,
    Tag::Int,
    Tag::F32,
    Tag::F64,
    Tag::Special,
    Tag::AddrReg,
    Tag::AddrRegOff,
    Tag::AddrSym,
    Tag::AddrNone,
    Tag::Symbol,
    Tag::SymbolOff,
    Tag::Vec,
    Tag::Bracket,
    Tag::Args,
    Tag::Label,
    Tag::Func,
    Tag::Proto,
    Tag::Targets,
    Tag::Sink,
];

impl Word {
    pub(crate) fn new(tag: Tag, payload: u32) -> Word {
        Word((tag as u32) << PAYLOAD_BITS | (payload & PAYLOAD_MAX))
    }

    pub(crate) fn tag(self) -> Tag {
        TAGS[(self.0 >> PAYLOAD_BITS) as usize]
    }

    pub(crate) fn payload(self) -> u32 {
        self.0 & PAYLOAD_MAX
    }
}

impl Body {
    /// Replaces references to aliases by references to their functions (`.alias`).
    pub fn resolve_aliases(&mut self, outline: &crate::module::Outline) {
        if outline.aliases.is_empty() {
            return;
        }
        for sym in self.syms.values_mut() {
            if let Referent::Func(id) = &mut sym.referent {
                *id = outline.meant(*id);
            }
        }
    }

    /// Number of registers: ids run from 0.
    pub fn reg_count(&self) -> u32 {
        self.regs
    }

    /// The declaration of a register.
    pub fn reg_group(&self, reg: Reg) -> &RegGroup {
        // Groups are sorted by their first register, which empty groups share with their successor.
        let groups = self.groups.values().as_slice();
        let after = groups.partition_point(|g| g.first <= reg);
        &groups[after.saturating_sub(1)]
    }

    /// The type of a register (of one component if it is a vector).
    pub fn reg_ty(&self, reg: Reg) -> Ty {
        self.reg_group(reg).ty
    }

    /// The name of a register, without its scope.
    pub fn reg_name(&self, reg: Reg) -> String {
        let group = self.reg_group(reg);
        match group.count {
            Some(_) => format!("{}{}", group.name, reg.as_u32() - group.first.as_u32()),
            None => group.name.to_string(),
        }
    }

    /// The dotted part of an instruction.
    pub fn shape(&self, inst: InstId) -> &Shape {
        &self.shapes[self.insts[inst].shape as usize]
    }

    /// The instruction's operation.
    pub fn op(&self, inst: InstId) -> Op {
        self.insts[inst].op
    }

    /// Types of an instruction in order: `cvt.rn.f32.s32` has `[F32, S32]`.
    pub fn types(&self, inst: InstId) -> &[Ty] {
        &self.shape(inst).types
    }

    /// Modifiers of an instruction in canonical order.
    pub fn mods(&self, inst: InstId) -> &[Mod] {
        &self.shape(inst).mods
    }

    /// Whether the instruction has this modifier.
    pub fn has(&self, inst: InstId, m: Mod) -> bool {
        self.mods(inst).contains(&m)
    }

    /// The first of `choices` that the instruction has.
    pub fn one_of(&self, inst: InstId, choices: &[Mod]) -> Option<Mod> {
        self.mods(inst).iter().copied().find(|m| choices.contains(m))
    }

    /// Operand `index` of an instruction, or `None` past the end.
    pub fn operand(&self, inst: InstId, index: usize) -> Option<Operand> {
        let inst = self.insts[inst];
        (index < inst.count as usize).then(|| self.decode(self.words[inst.first as usize + index]))
    }

    /// All operands of an instruction, in order, for matching as a slice.
    pub fn operands(&self, inst: InstId) -> SmallVec<[Operand; 6]> {
        self.operand_words(inst).iter().map(|&w| self.decode(w)).collect()
    }

    /// The operands of an instruction, in packed form.
    pub(crate) fn operand_words(&self, inst: InstId) -> &[Word] {
        let inst = self.insts[inst];
        &self.words[inst.first as usize..][..inst.count as usize]
    }

    /// The members of a list operand, in order.
    pub fn list(&self, list: List) -> SmallVec<[Operand; 8]> {
        self.list_words(list).iter().map(|&w| self.decode(w)).collect()
    }

    /// The members of a list operand, in packed form.
    pub(crate) fn list_words(&self, list: List) -> &[Word] {
        &self.words[list.first as usize..][..list.len as usize]
    }

    /// Statements in order: instructions and everything between them.
    pub fn stmts(&self) -> impl Iterator<Item = Stmt> + '_ {
        let mut next_inst = 0u32;
        let mut next_mark = 0usize;
        std::iter::from_fn(move || {
            if let Some(&(at, mark)) = self.marks.get(next_mark)
                && at <= next_inst
            {
                next_mark += 1;
                return Some(Stmt::Mark(mark));
            }
            if (next_inst as usize) < self.insts.len() {
                next_inst += 1;
                return Some(Stmt::Inst(InstId::from_u32(next_inst - 1)));
            }
            None
        })
    }

    /// The dotted name of an instruction in canonical order, as in messages and printed text.
    pub fn dotted(&self, inst: InstId) -> &str {
        &self.shape(inst).dotted
    }

    /// The same body with all places set to 0, for comparing bodies read from different texts.
    pub fn without_places(mut self) -> Body {
        for inst in self.insts.values_mut() {
            inst.offset = 0;
        }
        for label in self.labels.values_mut() {
            label.offset = 0;
        }
        self
    }

    /// Decodes a packed operand.
    pub(crate) fn decode(&self, word: Word) -> Operand {
        let payload = word.payload();
        let at = |i: u32| self.words[(payload + i) as usize].0;
        let wide = |i: u32| u64::from(at(i)) | u64::from(at(i + 1)) << 32;
        let list = || List { first: payload + 1, len: at(0) };
        match word.tag() {
            Tag::Reg => Operand::Reg(Reg::from_u32(payload)),
            Tag::NotPred => Operand::NotPred(Reg::from_u32(payload)),
            Tag::Also => Operand::Also(payload.checked_sub(1).map(Reg::from_u32)),
            Tag::Neg => Operand::Neg(Reg::from_u32(payload)),
            Tag::Sum => Operand::Sum(Reg::from_u32(at(0)), wide(1) as i64),
            Tag::RegPart => Operand::RegPart(Reg::from_u32(at(0)), unpack_part(at(1)), at(2) != 0),
            Tag::Pair => {
                let reg = |n: u32| n.checked_sub(1).map(Reg::from_u32);
                Operand::Pair(reg(at(0)), reg(at(1)))
            }
            Tag::SmallInt => {
                let shift = 64 - PAYLOAD_BITS;
                let value = (u64::from(payload) << shift) as i64 >> shift;
                Operand::Imm(Imm { bits: value as u64, kind: ImmKind::Int })
            }
            Tag::Int => Operand::Imm(Imm { bits: wide(0), kind: ImmKind::Int }),
            Tag::F32 => Operand::Imm(Imm { bits: u64::from(at(0)), kind: ImmKind::F32 }),
            Tag::F64 => Operand::Imm(Imm { bits: wide(0), kind: ImmKind::F64 }),
            Tag::Special => {
                let (reg, component) = unpack_special(payload);
                Operand::Special(reg, component)
            }
            Tag::AddrReg => Operand::Addr(Base::Reg(Reg::from_u32(payload)), 0),
            Tag::AddrRegOff => Operand::Addr(Base::Reg(Reg::from_u32(at(0))), wide(1) as i64),
            Tag::AddrSym => Operand::Addr(Base::Sym(SymId::from_u32(at(0))), wide(1) as i64),
            Tag::AddrNone => Operand::Addr(Base::None, wide(0) as i64),
            Tag::Symbol => Operand::Symbol(SymId::from_u32(payload), 0),
            Tag::SymbolOff => Operand::Symbol(SymId::from_u32(at(0)), wide(1) as i64),
            Tag::Vec => Operand::Vec(list()),
            Tag::Bracket => Operand::Bracket(list()),
            Tag::Args => Operand::Args(list()),
            Tag::Label => Operand::Label(LabelId::from_u32(payload)),
            Tag::Func => Operand::Func(SymId::from_u32(payload)),
            Tag::Proto => Operand::Proto(ProtoId::from_u32(payload)),
            Tag::Targets => Operand::Targets(TargetsId::from_u32(payload)),
            Tag::Sink => Operand::Sink,
        }
    }

    /// The variable of this body that a symbol refers to; `None` for other symbols.
    pub fn var_of(&self, sym: SymId) -> Option<VarId> {
        match self.syms[sym].referent {
            Referent::Var(var) => Some(var),
            _ => None,
        }
    }

    /// The number of the instruction after a label.
    pub fn label_at(&self, label: LabelId) -> usize {
        self.labels[label].at.index()
    }
}

/// Packs a part selector into 32 bits.
pub(crate) fn pack_part(part: Part) -> u32 {
    match part {
        Part::Component(c) => u32::from(c),
        Part::Bytes(sel, n) => 1 << 28 | u32::from(n) << 16 | u32::from(sel),
        Part::Halves(sel, n) => 2 << 28 | u32::from(n) << 16 | u32::from(sel),
    }
}

fn unpack_part(bits: u32) -> Part {
    let n = (bits >> 16 & 0xff) as u8;
    match bits >> 28 {
        0 => Part::Component(bits as u8),
        1 => Part::Bytes(bits as u16, n),
        _ => Part::Halves(bits as u8, n),
    }
}

/// Packs a special register and its component into a payload: kind, number, component + 1.
pub(crate) fn pack_special(reg: SpecialReg, component: Option<u8>) -> u32 {
    let (kind, n) = match reg {
        SpecialReg::Pm(n) => (1, u32::from(n)),
        SpecialReg::Pm64(n) => (2, u32::from(n)),
        SpecialReg::Envreg(n) => (3, u32::from(n)),
        plain => (0, plain.row() as u32),
    };
    kind << 16 | n << 8 | component.map_or(0, |c| u32::from(c) + 1)
}

/// The special register of a packed operand.
pub(crate) fn special_of(word: Word) -> SpecialReg {
    unpack_special(word.payload()).0
}

fn unpack_special(payload: u32) -> (SpecialReg, Option<u8>) {
    let n = (payload >> 8) as u8;
    let reg = match payload >> 16 {
        0 => SpecialReg::from_row(usize::from(n)),
        1 => SpecialReg::Pm(n),
        2 => SpecialReg::Pm64(n),
        _ => SpecialReg::Envreg(n),
    };
    (reg, (payload as u8).checked_sub(1))
}
