//! One element of D: a row of A times a column of B plus an element of C.

use super::machines::{Input, Machine, Unit, row};
use super::number::{Element, Number};
use super::sum::Rule;
use crate::float::{E4M3, E5M2, F16, F32, F64, Format, IntType, Mode, add, fma, to_float};
use smallvec::SmallVec;

/// A product of an element of A and one of B.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// The element of A.
    pub a: u64,
    /// The element of B.
    pub b: u64,
    /// Whether it belongs to the second of the two sums of [`Arithmetic::Composed`].
    pub second: bool,
}

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arithmetic {
    /// The sum of a tensor core.
    Tensor {
        /// Its parameters.
        rule: Rule,
        /// The type of A.
        a: Element,
        /// The type of B.
        b: Element,
    },
    /// 8-bit elements converted to binary16, two sums of a tensor core after each other, from zero,
    /// and one addition: what ptxas 13.0.88 makes of `mma` with e4m3 and e5m2 on sm_90.
    Composed {
        /// The parameters for binary16.
        rule: Rule,
        /// The type of A.
        a: Element,
        /// The type of B.
        b: Element,
    },
    /// `mma.m8n8k4` of binary16 after sm_75: a chain of binary32 operations, and one addition, as
    /// ptxas 13.0.88 makes it. The chain begins with a product for D of binary16, with an addition to
    /// +0 for D of binary32.
    Scalar {
        /// Whether D is binary16.
        half: bool,
    },
    /// binary64: a chain of fused operations from C.
    Double(Mode),
    /// Integers: exact, then modulo 2^32 or clamped. (Whether hardware clamps once or after each
    /// step of k is not known; it differs where the sum overflows on the way only.)
    Integer {
        /// The type of A.
        a: IntType,
        /// The type of B.
        b: IntType,
        /// Whether the result is clamped.
        saturate: bool,
    },
    /// Single bits: the number of ones.
    Bits {
        /// `xor` or `and`.
        xor: bool,
    },
}

/// What is computed, with conversions of C and D between binary16 and binary32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    /// The computation.
    pub arithmetic: Arithmetic,
    /// Whether C is binary16 and is converted to binary32 first.
    pub widen: bool,
    /// Whether the result is converted to binary16, to nearest even.
    pub narrow: bool,
}

const S32: IntType = IntType { bits: 32, signed: true };

impl Product {
    /// The computation without conversions.
    pub const fn plain(arithmetic: Arithmetic) -> Product {
        Product { arithmetic, widen: false, narrow: false }
    }

    /// Returns the element of D. The pairs are in the order of k.
    pub fn of(&self, pairs: &[Pair], c: u64) -> u64 {
        let c = if self.widen { to_float(&F16, &F32, c, Mode::RN, false) } else { c };
        let d = self.arithmetic.of(pairs, c);
        if self.narrow { to_float(&F32, &F16, d, Mode::RN, false) } else { d }
    }
}

impl Arithmetic {
    /// The sum of a tensor core of a machine, for elements of one class, with C and D of binary16 or
    /// of binary32.
    pub fn tensor(machine: Machine, a: Element, b: Element, half: bool) -> Option<Arithmetic> {
        let input = Input::of(a).filter(|input| Input::of(b) == Some(*input))?;
        if let Some(row) = row(machine, Unit::Warp, input, half) {
            return Some(Arithmetic::Tensor { rule: row.rule, a, b });
        }
        let composed = input == Input::Byte && machine >= Machine::Hopper;
        let rule = row(machine, Unit::Warp, Input::Half, half).filter(|_| composed)?.rule;
        Some(Arithmetic::Composed { rule, a, b })
    }

    /// The sum of the tensor core that computes `wgmma`.
    pub fn warpgroup(machine: Machine, a: Element, b: Element, half: bool) -> Option<Arithmetic> {
        let input = Input::of(a).filter(|input| Input::of(b) == Some(*input))?;
        let row = row(machine, Unit::Warpgroup, input, half)?;
        Some(Arithmetic::Tensor { rule: row.rule, a, b })
    }

    fn of(&self, pairs: &[Pair], c: u64) -> u64 {
        match *self {
            Arithmetic::Tensor { rule, a, b } => u64::from(tensor(&rule, pairs.iter(), a, b, c as u32)),
            Arithmetic::Composed { rule, a, b } => {
                let halves = |second: bool, c: u32| {
                    let chosen = pairs.iter().filter(|pair| pair.second == second);
                    let pairs: SmallVec<[Pair; 32]> =
                        chosen.map(|p| Pair { a: half(a, p.a), b: half(b, p.b), ..*p }).collect();
                    tensor(&rule, pairs.iter(), Element::F16, Element::F16, c)
                };
                let sum = u64::from(halves(true, halves(false, 0)));
                let format: &'static Format = if rule.accumulator() == Element::F16 { &F16 } else { &F32 };
                add(format, sum, c, Mode::RN)
            }
            Arithmetic::Scalar { half } => {
                // x + (-0) is x, whatever its sign.
                let start = if half { F32.sign_mask() } else { 0 };
                let wide = |word: u64| to_float(&F16, &F32, word, Mode::RN, false);
                let sum = pairs.iter().fold(start, |sum, p| fma(&F32, wide(p.a), wide(p.b), sum, Mode::RN));
                add(&F32, sum, c, Mode::RN)
            }
            Arithmetic::Double(mode) => pairs.iter().fold(c, |sum, p| fma(&F64, p.a, p.b, sum, mode)),
            Arithmetic::Integer { a, b, saturate } => {
                let sum = pairs.iter().map(|p| a.value(p.a) * b.value(p.b)).sum::<i128>() + S32.value(c);
                if saturate { S32.clamp(sum) } else { S32.wrap(sum) }
            }
            Arithmetic::Bits { xor } => {
                let one = |p: &Pair| if xor { p.a ^ p.b } else { p.a & p.b };
                S32.wrap(pairs.iter().map(|p| i128::from(one(p))).sum::<i128>() + S32.value(c))
            }
        }
    }
}

fn tensor<'a>(rule: &Rule, pairs: impl Iterator<Item = &'a Pair>, a: Element, b: Element, c: u32) -> u32 {
    let (mut of_a, mut of_b) = (SmallVec::<[Number; 32]>::new(), SmallVec::<[Number; 32]>::new());
    for pair in pairs {
        of_a.push(a.decode(pair.a as u32));
        of_b.push(b.decode(pair.b as u32));
    }
    rule.dot(&of_a, &of_b, c)
}

/// Converts 8 bits to binary16, which is exact. A subnormal number becomes a normal one where
/// binary16 has it.
fn half(element: Element, word: u64) -> u64 {
    let format: &'static Format = if element == Element::E4m3 { &E4M3 } else { &E5M2 };
    to_float(format, &F16, word & 0xff, Mode::RN, false)
}
