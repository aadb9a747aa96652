//! Rows of the instruction table: the description of one instruction form each.
//!
//! Problem: encoder, decoder, printer, legality, effects and timing must not disagree. Strategy:
//! all of them read the same static [`Row`]; rows are written as text in `isa/*.txt` and converted
//! to Rust by `cargo xtask gen`. Invariant: in a row every one of the 128 bits is exactly one of
//! guard (12-15), control (105-125), constant ([`Row::mask`]), operand bit or field bit; the
//! generator rejects a row that violates this.

use crate::r#gen::{Class, Field, Mod, Op, ROWS};
use crate::units::{Pipe, Queue};
pub use raddle_target::Isa;

/// Index of a row in the table. Stable only within one build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub u16);

impl RowId {
    /// Returns the row.
    ///
    /// # Panics
    /// If the number was not obtained from this crate.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }
}

/// The SASS generations of a row, one bit each in the order of [`Isa`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IsaSet(pub u8);

impl IsaSet {
    /// Whether the set contains `isa`.
    #[must_use]
    pub fn contains(self, isa: Isa) -> bool {
        self.0 >> isa as u8 & 1 != 0
    }
}

/// Register files and other places an operand can read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum File {
    /// General registers, 32 bits a lane.
    Gpr,
    /// Uniform registers, 32 bits a warp.
    Ugpr,
    /// Predicates, one bit a lane.
    Pred,
    /// Uniform predicates, one bit a warp.
    Upred,
    /// Convergence barriers.
    Barrier,
}

/// The role of an operand; unique within a row. The physical source position determines the letter,
/// so that `Rb` of an `FFMA` is the multiplier in every form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SlotRole {
    /// Main result.
    Rd,
    /// Second register result.
    Re,
    /// First predicate result.
    Pd,
    /// Second predicate result.
    Pe,
    /// First source.
    Ra,
    /// Second source.
    Rb,
    /// Third source.
    Rc,
    /// Fourth source (metadata of sparse products, ...).
    Rx,
    /// First predicate source (selector, carry in, combined predicate).
    Pp,
    /// Second predicate source.
    Pq,
    /// Third predicate source.
    Pr,
    /// Memory address.
    Addr,
    /// Second memory address (destination of a copy).
    Addr2,
    /// Immediate control value (truth table, shift, mask, count).
    Imm,
    /// Second immediate control value.
    Imm2,
    /// Third immediate control value.
    Imm3,
    /// Convergence barrier.
    Bar,
    /// Branch target.
    Target,
    /// Anything else printed as an operand (texture dimension, scoreboard, set).
    Misc,
}

/// How an operand's registers are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Written.
    Def,
    /// Read.
    Use,
    /// Read and written.
    Both,
}

/// How many consecutive registers an operand names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// Always this many.
    Fixed(u8),
    /// By the raw value of field number `.0` of the row.
    Field(u8, &'static [u8]),
    /// By the arguments of a texture or surface instruction ([`crate::texture`]).
    Texture,
}

/// When an operand is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Show {
    /// Always.
    Always,
    /// Unless it is `PT` without `!`.
    NotTrue,
    /// Unless it is zero (a distance too), `RZ` or `URZ`.
    NotZero,
    /// Unless it is this immediate.
    NotImm(i64),
    /// If bit v of `.1` is set for the raw value v of field number `.0`.
    Field(u8, u32),
    /// Always, twice (`BAR` with one register for number and count).
    Twice,
    /// Never: an operand that nvdisasm does not show.
    Never,
}

/// A value's bits: up to three pieces `(lowest bit, width)`, least significant first; width 0 ends
/// the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits(pub [(u8, u8); 3]);

impl Bits {
    /// One piece.
    #[must_use]
    pub const fn new(lo: u8, width: u8) -> Self {
        Self([(lo, width), (0, 0), (0, 0)])
    }

    /// Returns the total width in bits.
    #[must_use]
    pub fn width(self) -> u8 {
        self.0.iter().map(|p| p.1).sum()
    }

    /// Extracts the value from a word.
    #[inline]
    #[must_use]
    pub fn get(self, word: u128) -> u64 {
        let [(lo, w), (lo1, w1), (lo2, w2)] = self.0;
        let mut v = (word >> lo) as u64 & mask(w);
        if w1 != 0 {
            v |= ((word >> lo1) as u64 & mask(w1)) << w;
            if w2 != 0 {
                v |= ((word >> lo2) as u64 & mask(w2)) << (w + w1);
            }
        }
        v
    }

    /// Returns the word with only this value set. Bits of `v` beyond the width are dropped.
    #[inline]
    #[must_use]
    pub fn put(self, v: u64) -> u128 {
        let mut word = 0;
        let mut shift = 0;
        for (lo, w) in self.0 {
            if w == 0 {
                break;
            }
            word |= u128::from(v >> shift & mask(w)) << lo;
            shift += w;
        }
        word
    }
}

/// Returns `width` one bits, 0..=64.
#[inline]
#[must_use]
pub const fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A field's legal values with their tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// Name of the table in `isa/*.txt`.
    pub name: &'static str,
    /// Bit v set: raw value v (below 64) is legal.
    pub legal: u64,
    /// `(raw value, token)`, ascending by raw value. A raw value not listed is illegal.
    pub list: &'static [(u16, Mod)],
}

impl Values {
    /// Returns the token of a raw value; `None` if the value is illegal.
    #[must_use]
    pub fn name(&self, raw: u16) -> Option<Mod> {
        if let Some(&(v, m)) = self.list.get(usize::from(raw))
            && v == raw
        {
            return Some(m);
        }
        self.list.iter().find(|e| e.0 == raw).map(|e| e.1)
    }

    /// Whether a raw value is legal.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, raw: u16) -> bool {
        if raw < 64 { self.legal >> raw & 1 != 0 } else { self.list.iter().any(|e| e.0 == raw) }
    }

    /// Returns the first raw value with this token.
    #[must_use]
    pub fn value(&self, m: Mod) -> Option<u16> {
        self.list.iter().find(|e| e.1 == m).map(|e| e.0)
    }
}

/// A modifier field of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// Its name.
    pub field: Field,
    /// Its bits.
    pub bits: Bits,
    /// Its values.
    pub values: &'static Values,
}

impl FieldSpec {
    /// Returns the width in bits.
    #[must_use]
    pub fn width(&self) -> u8 {
        self.bits.width()
    }
}

/// How a slot's value is encoded and printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// General register, 8 bits.
    Reg(Bits),
    /// Uniform register, 6 bits.
    UReg(Bits),
    /// Predicate, 3 bits.
    Pred(Bits),
    /// Predicate, 3 bits stored inverted (0 is `PT`).
    PredInv(Bits),
    /// Uniform predicate, 3 bits.
    UPred(Bits),
    /// Uniform predicate, 3 bits stored inverted (0 is `UPT`).
    UPredInv(Bits),
    /// Convergence barrier, 4 bits.
    Barrier(Bits),
    /// Unsigned immediate printed in hexadecimal, stored shifted right by the second member.
    UImm(Bits, u8),
    /// Signed immediate printed in hexadecimal with its sign, stored shifted right by the second
    /// member.
    SImm(Bits, u8),
    /// 32-bit float immediate.
    F32(Bits),
    /// Upper half of a 64-bit float immediate.
    F64(Bits),
    /// An f16 immediate in the lower half of 32 bits, whose upper half is ignored.
    F16(Bits),
    /// Two f16 immediates; two bf16 immediates if field `.0` of the row has the raw value `.1`.
    F16x2(Bits, Option<(u8, u16)>),
    /// Two bf16 immediates.
    Bf16x2(Bits),
    /// `c[bank][offset]`: signed offset and bank; the offset is stored shifted right by the third
    /// member; if the fourth is true, a blank is printed between the brackets.
    CBank(Bits, Bits, u8, bool),
    /// `c[bank][Rbase+offset]`: offset, bank, base.
    CBankIndexed(Bits, Bits, Bits),
    /// `c[bank][URbase+offset]`: offset, bank, uniform base.
    CBankUniform(Bits, Bits, Bits),
    /// `cx[URn][offset]`: offset, handle; the offset is stored shifted right by the third member.
    CBankBindless(Bits, Bits, u8),
    /// Memory address: offset (signed), base, uniform base, descriptor; absent parts have width 0.
    Addr {
        /// Signed byte offset.
        offset: Bits,
        /// Base register.
        base: Bits,
        /// Uniform register added.
        ubase: Bits,
        /// Descriptor register.
        desc: Bits,
        /// Whether the descriptor is not printed (sm_80 to sm_89).
        hidden: bool,
        /// Suffix of the base register: `.64`, `.U32`, or empty; with a field, by its value.
        suffix: AddrSuffix,
    },
    /// Matrix descriptors in uniform registers, `gdesc[URn]`: A in n and n+1, B in n+2 and n+3.
    GDesc(Bits),
    /// Cache policy in a uniform register pair, `desc[URn]`.
    Desc(Bits),
    /// Special register; only those that existed before sm_90 if the second member is true.
    Special(Bits, bool),
    /// Branch target relative to the next instruction, stored shifted right by the second member;
    /// printed as an absolute address, or as stored if the third member is true (`BRX`).
    Rel(Bits, u8, bool),
    /// Scoreboard.
    Scoreboard(Bits),
    /// Named value.
    Named(Bits, &'static Values),
    /// Set of small numbers.
    Set(Bits),
    /// `PR`: no bits.
    PredFile,
    /// `UPR`: no bits.
    UPredFile,
}

/// The suffix of an address's base register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddrSuffix {
    /// None.
    Plain,
    /// `.64`.
    Wide,
    /// `.U32`.
    U32,
    /// None, and an absolute address is printed signed (`STSM`, `LDGSTS`).
    Signed,
    /// If field number `.0` of the row has value v: entry v (an empty string for none).
    Field(u8, &'static [&'static str]),
}

/// The bit number of an absent modifier.
pub const NO_BIT: u8 = 255;

/// One operand position of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its role.
    pub role: SlotRole,
    /// Its encoding.
    pub kind: SlotKind,
    /// Bit of the negation, or [`NO_BIT`].
    pub neg: u8,
    /// Bit of the absolute value, or [`NO_BIT`].
    pub abs: u8,
    /// Bit of the complement, or [`NO_BIT`].
    pub not: u8,
    /// The field of the row that, if 1, turns the negation into a complement (`IADD3.X`).
    pub tilde: Option<u8>,
    /// Reuse bit 0..=3 that belongs to this operand, or [`NO_BIT`].
    pub reuse: u8,
    /// Selector printed after the operand (`.H0_H0`).
    pub sel: Option<FieldSpec>,
    /// Token always printed after the operand (`.SIGN`), `Mod::None` if there is none.
    pub suffix: Mod,
    /// Whether `RZ` and `URZ` (as the base of an address: of sm_90) are illegal here.
    pub nonzero: bool,
    /// When it is printed.
    pub show: Show,
    /// Whether it is read or written.
    pub access: Access,
    /// Number of registers named.
    pub width: Width,
    /// Text before the operand if it is not the first one, usually `", "`.
    pub sep: &'static str,
}

/// One part of the mnemonic after its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A fixed token, printed with a dot.
    Fixed(Mod),
    /// The token of field number n of the row, printed with a dot unless it is silent.
    Field(u8),
    /// The token of the first entry whose conditions all hold (`IMAD.MOV`), nothing if none does.
    Alias(&'static [(&'static [Cond], Mod)]),
}

/// A condition of an alias token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Operand n is `RZ` or the immediate 0.
    IsZero(u8),
    /// Operand n is the immediate 1.
    IsOne(u8),
    /// Operand n is an immediate power of two from 2 to 2^30, but not 2^16.
    IsPowerOfTwo(u8),
    /// Field n has this raw value.
    Field(u8, u16),
}

/// Memory space that an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory.
    Global,
    /// Generic addresses.
    Generic,
    /// Shared memory.
    Shared,
    /// Per-thread local memory.
    Local,
    /// Constant banks.
    Const,
    /// Textures.
    Texture,
    /// Surfaces.
    Surface,
}

/// Effects of a row other than on its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    /// Space read.
    pub reads: Option<Space>,
    /// Space written.
    pub writes: Option<Space>,
    /// Whether the read and the write are one atomic operation.
    pub atomic: bool,
    /// Whether it depends on, or changes, the lanes that run together (votes, shuffles, barriers,
    /// matrix products).
    pub convergent: bool,
    /// Whether it waits for, or signals, other threads, or orders memory.
    pub barrier: bool,
    /// Whether it changes the program counter.
    pub branch: bool,
    /// Architectures on which the results have a variable latency: a scoreboard must guard them.
    pub variable: IsaSet,
    /// Whether a scoreboard for the results may be set.
    pub write_barrier: bool,
    /// Whether a scoreboard for the sources may be set.
    pub read_barrier: bool,
    /// Whether scoreboards may be waited for.
    pub waits: bool,
    /// The pipe that executes it.
    pub pipe: Pipe,
    /// The queue in which its results arrive in the order of issue, if they do.
    pub results: Option<Queue>,
    /// The queue in which its sources are read in the order of issue, if they are.
    pub sources: Option<Queue>,
}

/// One instruction form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Base mnemonic.
    pub op: Op,
    /// Architectures that have it.
    pub isas: IsaSet,
    /// Mask of constant bits, which never include guard and control bits.
    pub mask: u128,
    /// Values of the constant bits.
    pub bits: u128,
    /// The rest of the mnemonic.
    pub mnemonic: &'static [Part],
    /// Fixed tokens of the mnemonic.
    pub fixed: &'static [Mod],
    /// Operands in print order.
    pub slots: &'static [Slot],
    /// Modifier fields, at most [`crate::inst::MAX_FIELDS`].
    pub fields: &'static [FieldSpec],
    /// Latency class.
    pub class: Class,
    /// Effects.
    pub effects: Effects,
    /// Whether the guard is a uniform predicate.
    pub uniform_guard: bool,
}

impl Row {
    /// Returns the index of a field in [`Row::fields`].
    #[inline]
    #[must_use]
    pub fn field_index(&self, field: Field) -> Option<usize> {
        self.fields.iter().position(|f| f.field == field)
    }
}
