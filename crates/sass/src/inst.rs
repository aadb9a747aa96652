//! The decoded form of one machine instruction.
//!
//! Problem: the simulator, the scheduler, the encoder and the printer all need the same view of a
//! 128-bit instruction word, and none of them may depend on bit positions. Strategy: an [`Inst`]
//! names its row of the instruction table and holds the values of that row's operands and fields,
//! nothing else. Invariant: no raw word is kept; every bit of the encoding is an operand, a
//! [`Field`] value, a guard bit, a control bit, or a constant of the row, so `encode(decode(w)) ==
//! w` and equal values mean equal words.

use crate::r#gen::{Field, Mod, Op};
use crate::row::{Row, RowId, SlotRole};
use smallvec::SmallVec;

/// The register number that reads as zero and ignores writes (`RZ`).
pub const RZ: u8 = 255;
/// The uniform register that reads as zero and ignores writes (`URZ`), sm_80 to sm_90.
pub const URZ: u8 = 63;
/// The predicate that is always true (`PT`, `UPT`).
pub const PT: u8 = 7;

/// The predicate that guards an instruction: `@P0`, `@!P0`, or nothing (`PT`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// Predicate number 0..=7; 7 is `PT`. A uniform predicate if the row says so
    /// ([`Row::uniform_guard`]).
    pub pred: u8,
    /// Whether the instruction runs where the predicate is false.
    pub neg: bool,
}

impl Guard {
    /// No guard: `PT`.
    pub const ALWAYS: Self = Self { pred: PT, neg: false };

    /// Whether the guard is `PT`, not negated.
    #[must_use]
    pub fn is_always(self) -> bool {
        self == Self::ALWAYS
    }
}

impl Default for Guard {
    fn default() -> Self {
        Self::ALWAYS
    }
}

/// Scheduling control of an instruction (bits 105 to 125; layout from Mesa NAK `sm70_encode` and
/// ptxas 13.0.88 output).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ctrl {
    /// Cycles until the warp's next instruction may issue, 0..=15.
    pub stall: u8,
    /// Yield hint: true lets the scheduler switch to another warp (the bit is stored inverted: 0
    /// yields).
    pub yield_: bool,
    /// Scoreboard 0..=5 released when the results are written (RAW, WAW).
    pub wr_bar: Option<u8>,
    /// Scoreboard 0..=5 released when the sources have been read (WAR).
    pub rd_bar: Option<u8>,
    /// Scoreboards to wait for before issue, bit n for scoreboard n, 6 bits.
    pub wait_mask: u8,
    /// Operand reuse cache, one bit per source position (bit 0 = source a, 1 = b, 2 = c), 4 bits.
    pub reuse: u8,
}

impl Default for Ctrl {
    /// Stall 1 without barriers: the smallest legal control word.
    fn default() -> Self {
        Self { stall: 1, yield_: false, wr_bar: None, rd_bar: None, wait_mask: 0, reuse: 0 }
    }
}

impl Ctrl {
    /// Whether nvdisasm 13.5.37 accepts the combination of stall, yield and reuse: without the
    /// yield hint 1 to 11 cycles; with it any, but reuse needs at least one cycle and not both of
    /// the sources b and c.
    #[must_use]
    pub fn is_legal(self) -> bool {
        if self.yield_ {
            self.reuse == 0 || (self.stall >= 1 && self.reuse & 6 != 6)
        } else {
            (1..=11).contains(&self.stall)
        }
    }

    /// Returns the 21 control bits, to be placed at bit 105 of the word; `None` if a member is out
    /// of range.
    #[must_use]
    pub fn to_bits(self) -> Option<u32> {
        let bar = |b: Option<u8>| match b {
            None => Some(7),
            Some(n) if n < 6 => Some(u32::from(n)),
            Some(_) => None,
        };
        if self.stall > 15 || self.wait_mask > 0x3f || self.reuse > 0xf {
            return None;
        }
        Some(
            u32::from(self.stall)
                | u32::from(!self.yield_) << 4
                | bar(self.wr_bar)? << 5
                | bar(self.rd_bar)? << 8
                | u32::from(self.wait_mask) << 11
                | u32::from(self.reuse) << 17,
        )
    }

    /// Decodes 21 control bits; `None` if a scoreboard field holds 6, which no tool emits.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<Self> {
        let bar = |v: u32| match v & 7 {
            7 => Some(None),
            6 => None,
            n => Some(Some(n as u8)),
        };
        Some(Self {
            stall: (bits & 15) as u8,
            yield_: bits >> 4 & 1 == 0,
            wr_bar: bar(bits >> 5)?,
            rd_bar: bar(bits >> 8)?,
            wait_mask: (bits >> 11 & 0x3f) as u8,
            reuse: (bits >> 17 & 0xf) as u8,
        })
    }
}

/// The kind of an operand. The row determines which kinds a position takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// General register 0..=254, or 255 = `RZ`.
    Reg(u8),
    /// Uniform register 0..=62, or 63 = `URZ`.
    UReg(u8),
    /// Predicate 0..=6, or 7 = `PT`.
    Pred(u8),
    /// Uniform predicate 0..=6, or 7 = `UPT`.
    UPred(u8),
    /// Convergence barrier register `B0`..`B15`.
    Barrier(u8),
    /// Integer immediate as stored, sign-extended in a signed slot. 32-bit data immediates are
    /// 0..=0xffff_ffff.
    Imm(i64),
    /// Bits of a 32-bit float immediate.
    F32(u32),
    /// Upper 32 bits of a 64-bit float immediate (the lower half is zero).
    F64(u32),
    /// Two 16-bit float immediates (f16, or bf16 if the row's format field says so); the upper half
    /// is printed first.
    F16x2(u32),
    /// Constant bank: `c[bank][offset]`, `c[bank][Rn+offset]`, or the bindless `cx[URn][offset]`.
    CBank {
        /// Bank number 0..=31; unused (0) in the bindless form.
        bank: u8,
        /// Index register, `RZ` if none or if the row has none.
        base: u8,
        /// Uniform register: handle of the bindless form, index of `c[bank][URn+offset]`, else
        /// `URZ`.
        handle: u8,
        /// Byte offset, signed if the row has an index register.
        offset: i32,
    },
    /// Memory address: `[Rn(.64)+URn+offset]`, with a descriptor `desc[URn][...]` if the row has
    /// one.
    Addr {
        /// Base register, `RZ` if none. Two registers if the row's address-size field says 64.
        base: u8,
        /// Uniform register added, `URZ` if none or if the row has none.
        ubase: u8,
        /// Uniform register pair with the memory descriptor, `URZ` if the row has none.
        desc: u8,
        /// Byte offset, signed 24 bits for most rows.
        offset: i32,
    },
    /// Special register (`SR_TID.X`, ...), its number 0..=255.
    Special(u8),
    /// Branch target in bytes relative to the *next* instruction.
    Rel(i64),
    /// Scoreboard named by an operand (`SB0`).
    Scoreboard(u8),
    /// A named value printed as an operand (texture dimension, ...), its raw value.
    Named(u16),
    /// A set of small numbers printed as `{3,1}`, one bit each.
    Set(u32),
    /// The predicate file as one operand (`PR`).
    PredFile,
    /// The uniform predicate file as one operand (`UPR`).
    UPredFile,
}

/// One operand with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    /// Its kind and value.
    pub kind: Kind,
    /// Arithmetic negation (`-R1`).
    pub neg: bool,
    /// Absolute value (`|R1|`), applied before negation.
    pub abs: bool,
    /// Logical complement (`!P0`, `~R1`).
    pub not: bool,
    /// Raw value of the operand's own selector field (`.H0_H0`, `.B3`, ...), 0 if the slot has
    /// none; [`Inst::selector`] gives its name.
    pub sel: u8,
}

impl Operand {
    /// Creates an operand without modifiers.
    #[must_use]
    pub const fn new(kind: Kind) -> Self {
        Self { kind, neg: false, abs: false, not: false, sel: 0 }
    }
    /// General register `n` (255 = `RZ`).
    #[must_use]
    pub const fn reg(n: u8) -> Self {
        Self::new(Kind::Reg(n))
    }
    /// Uniform register `n` (63 = `URZ`).
    #[must_use]
    pub const fn ureg(n: u8) -> Self {
        Self::new(Kind::UReg(n))
    }
    /// Predicate `n` (7 = `PT`).
    #[must_use]
    pub const fn pred(n: u8) -> Self {
        Self::new(Kind::Pred(n))
    }
    /// Uniform predicate `n` (7 = `UPT`).
    #[must_use]
    pub const fn upred(n: u8) -> Self {
        Self::new(Kind::UPred(n))
    }
    /// `!PT`: a predicate source that is always false.
    #[must_use]
    pub const fn not_pt() -> Self {
        Self { not: true, ..Self::pred(PT) }
    }
    /// Integer immediate.
    #[must_use]
    pub const fn imm(v: i64) -> Self {
        Self::new(Kind::Imm(v))
    }
    /// `c[bank][offset]`.
    #[must_use]
    pub const fn cbank(bank: u8, offset: i32) -> Self {
        Self::new(Kind::CBank { bank, base: RZ, handle: URZ, offset })
    }
    /// `[Rbase+offset]`, without uniform register or descriptor.
    #[must_use]
    pub const fn addr(base: u8, offset: i32) -> Self {
        Self::new(Kind::Addr { base, ubase: URZ, desc: URZ, offset })
    }
    /// The same operand, negated.
    #[must_use]
    pub const fn neg(self) -> Self {
        Self { neg: !self.neg, ..self }
    }
    /// The same operand with logical complement toggled.
    #[must_use]
    pub const fn not(self) -> Self {
        Self { not: !self.not, ..self }
    }
    /// The same operand with absolute value.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self { abs: true, ..self }
    }
}

/// Most fields of a row; checked by the generator.
pub const MAX_FIELDS: usize = 16;

/// One machine instruction, decoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inst {
    /// The table row: form, encoding, text, effects.
    pub row: RowId,
    /// Guard predicate.
    pub guard: Guard,
    /// Scheduling control.
    pub ctrl: Ctrl,
    /// Operands, one per slot of the row, in nvdisasm's print order, including unprinted ones such
    /// as an unused carry `PT`.
    pub operands: SmallVec<[Operand; 6]>,
    /// Raw field values in the order of [`Row::fields`]; entries past the row's count are 0.
    pub fields: [u16; MAX_FIELDS],
}

impl Inst {
    /// Returns the table row of this instruction.
    #[must_use]
    pub fn row(&self) -> &'static Row {
        self.row.row()
    }

    /// Returns the base mnemonic.
    #[must_use]
    pub fn op(&self) -> Op {
        self.row().op
    }

    /// Returns the raw value of a field; `None` if the row has no such field.
    #[must_use]
    pub fn raw(&self, field: Field) -> Option<u16> {
        self.row().field_index(field).map(|i| self.fields[i])
    }

    /// Returns the value of a field as a token; `None` if the row has no such field; [`Mod::None`]
    /// for a value without text (the field's silent default).
    #[must_use]
    pub fn get(&self, field: Field) -> Option<Mod> {
        let row = self.row();
        let i = row.field_index(field)?;
        row.fields[i].values.name(self.fields[i])
    }

    /// Whether the mnemonic contains this token, fixed in the row or as the value of a field.
    #[must_use]
    pub fn has(&self, m: Mod) -> bool {
        let row = self.row();
        row.fixed.contains(&m) || row.fields.iter().zip(self.fields).any(|(f, v)| f.values.name(v) == Some(m))
    }

    /// Sets a field by raw value. Returns false if the row has no such field or the value does not
    /// fit.
    pub fn set_raw(&mut self, field: Field, value: u16) -> bool {
        let row = self.row();
        match row.field_index(field) {
            Some(i) if u32::from(value) < 1 << row.fields[i].width() => {
                self.fields[i] = value;
                true
            }
            _ => false,
        }
    }

    /// Sets a field by token. Returns false if the row has no such field or the field no such
    /// value.
    pub fn set(&mut self, field: Field, m: Mod) -> bool {
        let row = self.row();
        let Some(i) = row.field_index(field) else { return false };
        let Some(v) = row.fields[i].values.value(m) else { return false };
        self.fields[i] = v;
        true
    }

    /// Returns the operand in the slot with this role; `None` if the row has none.
    #[must_use]
    pub fn slot(&self, role: SlotRole) -> Option<&Operand> {
        let i = self.row().slots.iter().position(|s| s.role == role)?;
        self.operands.get(i)
    }

    /// Returns the selector (`.H0_H0`, `.B1`, ...) of operand `i`; `None` if its slot has no
    /// selector field.
    #[must_use]
    pub fn selector(&self, i: usize) -> Option<Mod> {
        let slot = self.row().slots.get(i)?;
        slot.sel.as_ref()?.values.name(u16::from(self.operands.get(i)?.sel))
    }
}
