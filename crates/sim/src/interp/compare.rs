//! Comparison operators of `setp`, `set`, `vset` (PTX ISA 9.0, 9.7.6).

use std::cmp::Ordering;

/// A relation between two numbers, with or without the unordered case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    /// Whether it holds if one operand is a NaN.
    pub unordered: bool,
}

impl Relation {
    /// Whether the relation holds for an order; `None` is unordered.
    #[inline]
    pub fn of(self, order: Option<Ordering>) -> bool {
        match order {
            Some(Ordering::Less) => self.less,
            Some(Ordering::Equal) => self.equal,
            Some(Ordering::Greater) => self.greater,
            None => self.unordered,
        }
    }
}

/// The type in which two words are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    Int(crate::float::IntType),
    Float { format: &'static crate::float::Format, ftz: bool },
}

impl Domain {
    /// Returns the order of two words.
    #[inline]
    pub fn order(self, a: u64, b: u64) -> Option<Ordering> {
        match self {
            Domain::Int(ty) if ty.signed => {
                let unused = 64 - ty.bits;
                Some(((a << unused) as i64).cmp(&((b << unused) as i64)))
            }
            Domain::Int(_) => Some(a.cmp(&b)),
            Domain::Float { format, ftz } => crate::float::compare(format, a, b, ftz),
        }
    }
}

/// The operator that combines a comparison with a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    And,
    Or,
    Xor,
}

impl Join {
    /// Applies it bitwise, one bit per lane.
    pub fn of(self, a: u32, b: u32) -> u32 {
        match self {
            Join::And => a & b,
            Join::Or => a | b,
            Join::Xor => a ^ b,
        }
    }
}
