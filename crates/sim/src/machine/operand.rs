//! Operands of the executable form: sources with their modifiers, predicates, addresses,
//! comparisons.

use super::lanes::{Lanes, each};

/// The origin of a source value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum From {
    /// `Src::imm`, the same for all lanes.
    #[default]
    Imm,
    /// General register.
    Reg(u8),
    /// Uniform register.
    UReg(u8),
}

/// The selected part of a 32-bit source (`.H0_H0`, `.B1`, `.SIGN`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Part {
    /// All 32 bits.
    #[default]
    All,
    /// Lower half, in both halves.
    H0,
    /// Upper half, in both halves.
    H1,
    /// Byte n, zero-extended.
    Byte(u8),
    /// Both halves, exchanged.
    Swap,
}

/// A source operand: `((value & and) ^ xor) + add`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Src {
    /// Origin.
    pub from: From,
    /// Selected part, applied first.
    pub part: Part,
    /// Immediate; 64-bit operands use all of it.
    pub imm: u64,
    /// Absolute value of floats.
    pub and: u32,
    /// Negation of floats, complement of integers. For 64-bit operands `and`, `xor` apply to the
    /// upper word.
    pub xor: u32,
    /// 1 for the negation of integers.
    pub add: u32,
}

impl Default for Src {
    fn default() -> Src {
        Src { from: From::Imm, part: Part::All, imm: 0, and: u32::MAX, xor: 0, add: 0 }
    }
}

impl Src {
    /// Creates an immediate.
    pub fn imm(v: u64) -> Src {
        Src { imm: v, ..Src::default() }
    }

    /// Creates a general register.
    pub fn reg(n: u8) -> Src {
        Src { from: From::Reg(n), ..Src::default() }
    }

    /// Whether it has no modifiers that change the value.
    pub fn is_plain(&self) -> bool {
        self.part == Part::All && self.and == u32::MAX && self.xor == 0 && self.add == 0
    }

    /// Applies part and modifiers to a raw 32-bit value.
    #[inline(always)]
    pub fn apply(&self, raw: u32) -> u32 {
        ((self.select(raw) & self.and) ^ self.xor).wrapping_add(self.add)
    }

    /// [`Src::apply`] to every lane; the part is selected once.
    #[inline]
    pub fn apply_all(&self, raw: &Lanes) -> Lanes {
        let (and, xor, add) = (self.and, self.xor, self.add);
        match self.part {
            Part::All => each(|l| ((raw[l] & and) ^ xor).wrapping_add(add)),
            _ => each(|l| self.apply(raw[l])),
        }
    }

    /// The selected part of a raw value.
    #[inline(always)]
    pub fn select(&self, raw: u32) -> u32 {
        match self.part {
            Part::All => raw,
            Part::H0 => (raw & 0xffff) * 0x1_0001,
            Part::H1 => (raw >> 16) * 0x1_0001,
            Part::Byte(n) => raw >> (8 * n) & 0xff,
            Part::Swap => raw.rotate_left(16),
        }
    }
}

/// A predicate source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PSrc {
    /// Number; 7 is always true.
    pub n: u8,
    /// Whether it is complemented.
    pub not: bool,
    /// Whether it is a uniform predicate.
    pub uniform: bool,
}

impl PSrc {
    /// Always true.
    pub const TRUE: PSrc = PSrc { n: 7, not: false, uniform: false };
    /// Always false.
    pub const FALSE: PSrc = PSrc { n: 7, not: true, uniform: false };
}

/// Comparison of two values that may be unordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cmp {
    /// True if less.
    pub lt: bool,
    /// True if equal.
    pub eq: bool,
    /// True if greater.
    pub gt: bool,
    /// True if unordered.
    pub un: bool,
}

impl Cmp {
    /// Evaluates the comparison for an ordering, `None` for unordered.
    #[inline(always)]
    pub fn test(self, o: Option<std::cmp::Ordering>) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match o {
            Some(Less) => self.lt,
            Some(Equal) => self.eq,
            Some(Greater) => self.gt,
            None => self.un,
        }
    }
}

/// RunSettings two predicates are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bool {
    /// Conjunction.
    #[default]
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
}

impl Bool {
    /// Applies it to lane masks.
    #[inline(always)]
    pub fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Bool::And => a & b,
            Bool::Or => a | b,
            Bool::Xor => a ^ b,
        }
    }
}

impl Bool {
    /// Lanes in which the combination of `a` and `b` is undefined, with `ta` and `tb` the lanes
    /// where they are: a defined false decides a conjunction, a defined true a disjunction.
    #[inline(always)]
    pub fn undefined(self, a: u32, ta: u32, b: u32, tb: u32) -> u32 {
        if ta | tb == 0 {
            return 0;
        }
        match self {
            Bool::And => ta & (b | tb) | tb & (a | ta),
            Bool::Or => ta & (!b | tb) | tb & (!a | ta),
            Bool::Xor => ta | tb,
        }
    }
}

/// An address operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Addr {
    /// Base register, 255 for none.
    pub base: u8,
    /// Whether the base is a register pair.
    pub wide: bool,
    /// Uniform register added, 63 for none.
    pub ubase: u8,
    /// Whether the uniform register is a pair.
    pub uwide: bool,
    /// Byte offset.
    pub offset: i32,
    /// The base is multiplied by 2 to this power.
    pub scale: u8,
}
