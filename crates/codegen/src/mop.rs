//! Operands of machine instructions before allocation.

use raddle_entity::entity_impl;
use raddle_sass::form::{SlotOperand, Unused};
use raddle_sass::inst::MAX_FIELDS;
use raddle_sass::row::{Access, NO_BIT, Slot, SlotKind, SlotRole, Width};
use smallvec::SmallVec;

/// A virtual register: 32 bits of a register file, or one predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct V(u32);
entity_impl!(V, "%");

/// A block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MBlock(u32);
entity_impl!(MBlock, "L");

/// Virtual registers that an operand names, low word first.
pub type Regs = SmallVec<[V; 2]>;

/// Operands by role, for finding a form.
pub type Given = SmallVec<[(SlotRole, MOp); 6]>;
/// A row with its field values and operands.
pub type Form = raddle_sass::form::Form<MOp>;

/// What an operand names.
#[derive(Debug, PartialEq, Eq)]
pub enum MKind {
    /// `RZ`, `URZ` or `PT`, depending on the slot.
    Zero,
    /// Virtual registers.
    Regs(Regs),
    /// A physical register: a general one, such as the stack pointer, or a predicate, depending on the
    /// slot.
    Phys(u8),
    /// A physical uniform register.
    Uniform(u8),
    /// A 32-bit immediate: integer, float or halves, depending on the slot. In a 64-bit float slot,
    /// the upper half.
    Imm(u32),
    /// `c[bank][offset]`.
    CBank {
        /// Bank.
        bank: u8,
        /// Byte offset, up to the end of the bank: [`crate::code`] brings it into the range of the
        /// instruction.
        offset: i32,
        /// Index register.
        index: Option<V>,
    },
    /// A memory address.
    Addr {
        /// Base: no, one or two registers.
        base: Regs,
        /// A physical base register instead.
        phys: Option<u8>,
        /// First uniform register of the descriptor.
        desc: Option<u8>,
        /// Byte offset.
        offset: i32,
    },
    /// A special register by number.
    Special(u8),
    /// A branch target.
    Target(MBlock),
    /// The start of the function, as a branch target.
    FunctionStart,
    /// A convergence barrier.
    Barrier(u8),
    /// A scoreboard named by an operand.
    Scoreboard(u8),
    /// A set of scoreboards, one bit each.
    Set(u32),
    /// A named value.
    Named(u16),
}

/// Register lists are copied bytewise, which a derived clone does not do.
impl Clone for MKind {
    fn clone(&self) -> Self {
        match self {
            MKind::Zero => MKind::Zero,
            MKind::Regs(vs) => MKind::Regs(Regs::from_slice(vs)),
            MKind::Phys(n) => MKind::Phys(*n),
            MKind::Uniform(n) => MKind::Uniform(*n),
            MKind::Imm(bits) => MKind::Imm(*bits),
            MKind::CBank { bank, offset, index } => MKind::CBank { bank: *bank, offset: *offset, index: *index },
            MKind::Addr { base, phys, desc, offset } => {
                MKind::Addr { base: Regs::from_slice(base), phys: *phys, desc: *desc, offset: *offset }
            }
            MKind::Special(n) => MKind::Special(*n),
            MKind::Target(b) => MKind::Target(*b),
            MKind::FunctionStart => MKind::FunctionStart,
            MKind::Barrier(n) => MKind::Barrier(*n),
            MKind::Scoreboard(n) => MKind::Scoreboard(*n),
            MKind::Set(set) => MKind::Set(*set),
            MKind::Named(value) => MKind::Named(*value),
        }
    }
}

/// An operand with its modifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MOp {
    /// What it names.
    pub kind: MKind,
    /// Negation.
    pub neg: bool,
    /// Absolute value.
    pub abs: bool,
    /// Complement.
    pub not: bool,
    /// Raw selector (`.H0_H0`, ...).
    pub sel: u8,
}

impl MOp {
    /// Creates an operand without modifiers.
    pub const fn new(kind: MKind) -> Self {
        Self { kind, neg: false, abs: false, not: false, sel: 0 }
    }

    /// Creates `RZ` or `PT`.
    pub const fn zero() -> Self {
        Self::new(MKind::Zero)
    }

    /// Creates `!PT`.
    pub const fn never() -> Self {
        Self { kind: MKind::Zero, neg: false, abs: false, not: true, sel: 0 }
    }

    /// Creates an operand of one register.
    pub fn reg(v: V) -> Self {
        Self::new(MKind::Regs(SmallVec::from_slice(&[v])))
    }

    /// Creates an operand of several registers.
    pub fn regs(vs: &[V]) -> Self {
        Self::new(MKind::Regs(SmallVec::from_slice(vs)))
    }

    /// Creates an immediate.
    pub const fn imm(bits: u32) -> Self {
        Self::new(MKind::Imm(bits))
    }

    /// Creates `c[bank][offset]`.
    pub const fn cbank(bank: u8, offset: i32) -> Self {
        Self::new(MKind::CBank { bank, offset, index: None })
    }

    /// Returns the negated operand.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { neg: !self.neg, ..self }
    }

    /// Returns the complemented operand.
    #[must_use]
    pub fn complemented(self) -> Self {
        Self { not: !self.not, ..self }
    }

    /// Whether this slot writes its registers. Address bases and bank indices are never written.
    pub(crate) fn is_written(&self, slot: &Slot) -> bool {
        matches!(slot.access, Access::Def | Access::Both)
            && matches!(self.kind, MKind::Regs(_) | MKind::Phys(_) | MKind::Uniform(_))
    }

    /// Calls `f` on every virtual register.
    pub fn for_each(&self, mut f: impl FnMut(V)) {
        match &self.kind {
            MKind::Regs(vs) | MKind::Addr { base: vs, .. } => vs.iter().for_each(|&v| f(v)),
            MKind::CBank { index: Some(v), .. } => f(*v),
            _ => {}
        }
    }

    /// Calls `f` on every virtual register, mutably.
    pub fn for_each_mut(&mut self, mut f: impl FnMut(&mut V)) {
        match &mut self.kind {
            MKind::Regs(vs) | MKind::Addr { base: vs, .. } => vs.iter_mut().for_each(f),
            MKind::CBank { index: Some(v), .. } => f(v),
            _ => {}
        }
    }

    /// Returns the list of virtual registers that must be contiguous.
    pub fn list_mut(&mut self) -> Option<&mut Regs> {
        match &mut self.kind {
            MKind::Regs(vs) | MKind::Addr { base: vs, .. } if !vs.is_empty() => Some(vs),
            _ => None,
        }
    }
}

impl SlotOperand for MOp {
    fn fits(&self, slot: &Slot, fields: &[u16; MAX_FIELDS]) -> bool {
        let kind = match (&self.kind, &slot.kind) {
            (
                MKind::Zero | MKind::Regs(_),
                SlotKind::Reg(_)
                | SlotKind::UReg(_)
                | SlotKind::GDesc(_)
                | SlotKind::Pred(_)
                | SlotKind::PredInv(_)
                | SlotKind::UPred(_)
                | SlotKind::UPredInv(_),
            ) => true,
            (MKind::Phys(_), SlotKind::Reg(_) | SlotKind::Pred(_)) | (MKind::Uniform(_), SlotKind::UReg(_)) => true,
            (MKind::Regs(_), SlotKind::Desc(_)) => true,
            // An address in uniform registers.
            (MKind::Regs(_), SlotKind::Addr { ubase, desc, .. }) => ubase.width() > 0 && desc.width() == 0,
            (MKind::Imm(_), SlotKind::F32(_) | SlotKind::F64(_) | SlotKind::F16x2(..) | SlotKind::Bf16x2(_)) => true,
            (MKind::Imm(v), SlotKind::Named(b, values)) => {
                u64::from(*v) <= raddle_sass::row::mask(b.width()) && values.is_legal(*v as u16)
            }
            (MKind::Imm(v), SlotKind::UImm(b, s)) => {
                u64::from(*v >> s) <= raddle_sass::row::mask(b.width()) && (*v >> s << s) == *v
            }
            (MKind::Imm(v), SlotKind::SImm(b, s)) => {
                let v = i64::from(*v as i32);
                let half = 1i64 << (b.width() - 1);
                v >> s << s == v && (-half..half).contains(&(v >> s))
            }
            (MKind::CBank { index: None, .. }, SlotKind::CBank(..)) => true,
            (MKind::CBank { .. }, SlotKind::CBankIndexed(..)) => true,
            (MKind::CBank { index: Some(_), .. }, SlotKind::CBankUniform(..)) => true,
            (MKind::Addr { base, desc: given, offset: at, .. }, SlotKind::Addr { offset, base: b, desc, .. }) => {
                let half = 1i64 << (offset.width().max(1) - 1);
                let registers = match slot.width {
                    Width::Fixed(n) => n,
                    Width::Field(f, n) => n.get(usize::from(fields[usize::from(f)])).copied().unwrap_or(1),
                    Width::Texture => base.len() as u8,
                };
                given.is_some() == (desc.width() > 0)
                    && b.width() > 0
                    && (-half..half).contains(&i64::from(*at))
                    && (base.is_empty() || base.len() == usize::from(registers))
            }
            (MKind::Special(_), SlotKind::Special(..))
            | (MKind::Target(_) | MKind::FunctionStart, SlotKind::Rel(..))
            | (MKind::Barrier(_), SlotKind::Barrier(_))
            | (MKind::Scoreboard(_), SlotKind::Scoreboard(_))
            | (MKind::Set(_), SlotKind::Set(_)) => true,
            (MKind::Named(v), SlotKind::Named(_, values)) => values.is_legal(*v),
            _ => false,
        };
        let tilde = slot.tilde.is_some_and(|f| fields[usize::from(f)] != 0);
        let neg = !self.neg || (slot.neg != NO_BIT && !tilde);
        let not = !self.not || slot.not != NO_BIT || (tilde && slot.neg != NO_BIT);
        let sel = self.sel == 0 || slot.sel.as_ref().is_some_and(|s| s.values.is_legal(u16::from(self.sel)));
        kind && neg && not && sel && (!self.abs || slot.abs != NO_BIT)
    }

    fn unused(_: &Slot, what: Unused) -> Self {
        match what {
            Unused::Zero => MOp::zero(),
            Unused::Never => MOp::never(),
            Unused::Imm(v) => MOp::imm(v as u32),
            Unused::Set => MOp::new(MKind::Set(0)),
        }
    }
}
