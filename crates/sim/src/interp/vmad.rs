//! `vmad` (PTX ISA 9.0, scalar video instructions): multiply-add on parts of words, negated, scaled
//! and clamped.
//!
//! The result is signed if a factor is signed or something is negated, whatever the destination
//! type.

use super::bits::mask;
use super::video::{Select, part};
use crate::float::IntType;

/// A `vmad`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vmad {
    pub a: Select,
    pub b: Select,
    /// Whether the product is subtracted.
    pub minus_product: bool,
    /// Whether the third source is subtracted.
    pub minus_sum: bool,
    /// Whether one is added.
    pub plus_one: bool,
    /// Number of bits shifted out.
    pub scale: u32,
    pub sat: bool,
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
