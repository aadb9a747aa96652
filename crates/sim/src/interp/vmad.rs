//! `vmad` (PTX ISA 9.0, scalar video instructions): multiply-add on parts of words, negated, scaled
//! and clamped.
//!
//! The result is signed if a factor is signed or something is negated, whatever the destination
//! type.

use super::alu::{Alu, mask};
use super::code::ZERO;
use super::decode::{Decoded, Decoder};
use super::video::{Select, part};
use crate::float::IntType;
use raddle_ptx::{Mod, Operand, Ty};

/// A `vmad`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vmad {
    a: Select,
    b: Select,
    /// Whether the product is subtracted.
    minus_product: bool,
    /// Whether the third source is subtracted.
    minus_sum: bool,
    /// Whether one is added.
    plus_one: bool,
    /// Number of bits shifted out.
    scale: u32,
    sat: bool,
}

impl Vmad {
    /// Returns the result word.
    pub fn eval(&self, a: u64, b: u64, c: u64) -> u64 {
        let signed = self.a.signed || self.b.signed || self.minus_product || self.minus_sum;
        let word = IntType { bits: 32, signed };
        let product = part(a, self.a, self.a.units & 7) * part(b, self.b, self.b.units & 7);
        let sum = word.value(c);
        let total = if self.minus_product { -product } else { product };
        let total = total + if self.minus_sum { -sum } else { sum } + i128::from(self.plus_one);
        let scaled = total >> self.scale;
        if self.sat { word.clamp(scaled) } else { scaled as u64 & mask(32) }
    }
}

impl Decoder<'_> {
    /// Decodes a `vmad`.
    pub(super) fn vmad(&mut self) -> Decoded<()> {
        let [d, a, b, c] = self.exactly()?;
        let signed = [1, 2].map(|n| self.body.types(self.inst()).get(n).is_some_and(|ty| ty.is_signed()));
        let plain = |operand: Operand| match operand {
            Operand::Neg(reg) => (Operand::Reg(reg), true),
            Operand::RegPart(reg, part, true) => (Operand::RegPart(reg, part, false), true),
            other => (other, false),
        };
        let [(a, minus_a), (b, minus_b), (c, minus_sum)] = [a, b, c].map(plain);
        let (a_row, a) = self.selected(a, 32, 0, signed[0])?;
        let (b_row, b) = self.selected(b, 32, 0, signed[1])?;
        let op = Vmad {
            a,
            b,
            minus_product: minus_a != minus_b,
            minus_sum,
            plus_one: self.has(Mod::Po),
            scale: if self.has(Mod::Shr7) {
                7
            } else if self.has(Mod::Shr15) {
                15
            } else {
                0
            },
            sat: self.has(Mod::Sat),
        };
        let rows = [a_row, b_row, self.source(c, Ty::B32)?, ZERO];
        let dst = self.target(d)?;
        self.alu(Alu::Vmad(op), dst, &rows);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(signed: bool) -> Vmad {
        let all = Select { units: 0, bits: 32, signed };
        Vmad { a: all, b: all, minus_product: false, minus_sum: false, plus_one: false, scale: 0, sat: false }
    }

    #[test]
    fn unsigned_results_do_not_wrap_before_they_are_clamped() {
        let most = u64::from(u32::MAX);
        let mad = Vmad { sat: true, ..words(false) };
        assert_eq!(mad.eval(most, most, most), most);
        assert_eq!(Vmad { scale: 15, ..mad }.eval(most, 0x8000, 0x8000), most);
        assert_eq!(Vmad { scale: 15, sat: false, ..mad }.eval(most, 0x8000, 0x8000), 0);
        assert_eq!(Vmad { plus_one: true, ..mad }.eval(2, 3, 4), 11);
    }

    #[test]
    fn a_negation_makes_the_result_signed() {
        let most = u64::from(u32::MAX);
        let mad = Vmad { sat: true, minus_product: true, ..words(false) };
        assert_eq!(mad.eval(most, most, 0), 0x8000_0000);
        assert_eq!(mad.eval(2, 3, most), (-7i32) as u32 as u64);
        let less = Vmad { minus_product: false, minus_sum: true, ..mad };
        assert_eq!(less.eval(most, most, 5), 0x7fff_ffff);
        assert_eq!(less.eval(0, 0, 1), most);
        assert_eq!(Vmad { scale: 7, ..less }.eval(1, 1, 1000), (-8i32) as u32 as u64);
    }
}
