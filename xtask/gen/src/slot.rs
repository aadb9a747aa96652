//! An operand slot of a row, and the Rust expressions that describe it in the generated table.

use std::fmt;

use crate::table::{Bits, FieldT, bits_expr};

/// No bit.
pub const NO_BIT: u8 = 255;

/// A parsed operand slot.
#[derive(Debug, Clone)]
pub struct SlotT {
    /// Its role in the instruction: a name of `SlotRole`.
    pub role: String,
    pub kind: Kind,
    /// All its bits.
    pub bits: Bits,
    pub neg: u8,
    pub abs: u8,
    pub not: u8,
    /// Field whose value 1 turns negation into complement.
    pub tilde: Option<usize>,
    pub reuse: u8,
    pub sel: Option<FieldT>,
    pub show: Show,
    pub access: &'static str,
    pub width: Width,
    pub space_sep: bool,
    /// Token always printed after the operand.
    pub suffix: String,
    /// `RZ` and `URZ` are illegal.
    pub nonzero: bool,
}

/// What is in a slot: the variants of `SlotKind`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A register, by the variant for its file: `Reg`, `UReg`, `Pred`, `UPred`, `PredInv`.
    Register(&'static str, Bits),
    /// A number, by the variant for its meaning: `Barrier`, `Scoreboard`, `Set`, `F32`, `F64`,
    /// `F16`, `Bf16x2`.
    Number(&'static str, Bits),
    /// An unsigned (`UImm`) or signed (`SImm`) integer, shifted left.
    Integer(&'static str, Bits, u8),
    /// Two halves; a field with this value shows them in another way.
    F16x2(Bits, Option<(usize, String)>),
    /// A word of a constant bank; `spaced`: printed with a blank between the brackets.
    ConstantBank {
        offset: Bits,
        bank: Bits,
        scale: u8,
        spaced: bool,
    },
    /// A word of a constant bank at a register, by the variant for its file.
    ConstantBankAt(&'static str, [Bits; 3]),
    /// A branch distance; `raw`: not relative to this instruction.
    Distance {
        bits: Bits,
        shift: u8,
        raw: bool,
    },
    /// A special register; `old`: by the names of older architectures.
    Special {
        bits: Bits,
        old: bool,
    },
    /// A value of this table.
    Named(Bits, String),
    /// All predicates: `PredFile`, `UPredFile`.
    File(&'static str),
    /// The address of a matrix descriptor.
    MatrixDescriptor(Bits),
    CacheDescriptor(Bits),
    /// An address.
    Address {
        offset: Bits,
        base: Bits,
        ubase: Bits,
        desc: Bits,
        hidden: bool,
        suffix: String,
    },
}

/// When a slot is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Show {
    Always,
    NotTrue,
    NotZero,
    NotImm(i64),
    Never,
    Twice,
    /// If the field's value is in the set.
    Field(usize, u32),
}

/// How many registers a slot names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Width {
    Fixed(u8),
    /// By the value of a field.
    Field(usize, Vec<u8>),
    /// By the arguments of a texture or surface instruction.
    Texture,
}

impl Kind {
    /// Whether it is a register of the uniform file.
    pub fn is_uniform_register(&self) -> bool {
        matches!(self, Kind::Register("UReg", _))
    }

    /// Whether it is a word of a constant bank.
    pub fn is_constant_bank(&self) -> bool {
        matches!(self, Kind::ConstantBank { .. } | Kind::ConstantBankAt(..))
    }

    /// Whether it is an integer.
    pub fn is_integer(&self) -> bool {
        matches!(self, Kind::Integer(..))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SlotKind::")?;
        match self {
            Kind::Register(name, bits) | Kind::Number(name, bits) => write!(f, "{name}({})", bits_expr(bits)),
            Kind::Integer(name, bits, shift) => write!(f, "{name}({}, {shift})", bits_expr(bits)),
            Kind::F16x2(bits, None) => write!(f, "F16x2({}, None)", bits_expr(bits)),
            Kind::F16x2(bits, Some((field, value))) => {
                write!(f, "F16x2({}, Some(({field}, {value})))", bits_expr(bits))
            }
            Kind::ConstantBank { offset, bank, scale, spaced } => {
                write!(f, "CBank({}, {}, {scale}, {spaced})", bits_expr(offset), bits_expr(bank))
            }
            Kind::ConstantBankAt(name, [offset, bank, register]) => {
                write!(f, "{name}({}, {}, {})", bits_expr(offset), bits_expr(bank), bits_expr(register))
            }
            Kind::Distance { bits, shift, raw } => write!(f, "Rel({}, {shift}, {raw})", bits_expr(bits)),
            Kind::Special { bits, old } => write!(f, "Special({}, {old})", bits_expr(bits)),
            Kind::Named(bits, values) => write!(f, "Named({}, &V_{})", bits_expr(bits), values.to_uppercase()),
            Kind::File(name) => f.write_str(name),
            Kind::MatrixDescriptor(bits) => write!(f, "GDesc({})", bits_expr(bits)),
            Kind::CacheDescriptor(bits) => write!(f, "Desc({})", bits_expr(bits)),
            Kind::Address { offset, base, ubase, desc, hidden, suffix } => write!(
                f,
                "Addr {{ offset: {}, base: {}, ubase: {}, desc: {}, hidden: {hidden}, suffix: {suffix} }}",
                bits_expr(offset),
                bits_expr(base),
                bits_expr(ubase),
                bits_expr(desc)
            ),
        }
    }
}

impl fmt::Display for Show {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Show::Field(field, values) => write!(f, "Show::Field({field}, {values})"),
            other => write!(f, "Show::{other:?}"),
        }
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Width::Fixed(count) => write!(f, "Width::Fixed({count})"),
            Width::Field(field, counts) => write!(f, "Width::Field({field}, &{counts:?})"),
            Width::Texture => f.write_str("Width::Texture"),
        }
    }
}
