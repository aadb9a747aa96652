//! Sums of products as tensor cores round them.
//!
//! A unit adds a block of products and the accumulator at once: all terms are aligned with the
//! largest exponent, cut to a few fraction bits and added exactly; only the sum is rounded. Longer
//! sums are chains of blocks. Model and parameters: Li et al., arXiv 2511.10909 (MMA-Sim); the
//! parameters that published results of hardware decide are in the notes of the table.

use super::number::{Class, Layout, Number};
use raddle_sass::Isa;
use smallvec::SmallVec;

/// The result type of a sum, with its rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// binary32, cut towards zero.
    Single,
    /// binary32 of which the upper 13 fraction bits remain, cut towards zero.
    Short,
    /// binary16, to nearest even.
    Half,
}

impl Output {
    /// The format of accumulator and result.
    pub fn layout(self) -> Layout {
        match self {
            Output::Single | Output::Short => Layout::F32,
            Output::Half => Layout::F16,
        }
    }

    fn nan(self) -> u32 {
        match self {
            Output::Single | Output::Short => 0x7fff_ffff,
            Output::Half => 0x7fff,
        }
    }

    fn infinity(self, negative: bool) -> u32 {
        match self {
            Output::Single | Output::Short => 0x7f80_0000 | u32::from(negative) << 31,
            Output::Half => 0x7c00 | u32::from(negative) << 15,
        }
    }

    /// Rounds `magnitude * 2^unit`.
    fn round(self, negative: bool, magnitude: u64, unit: i32) -> u32 {
        let (bits, least, most) = match self {
            Output::Single | Output::Short => (23, -126, 127),
            Output::Half => (10, -14, 15),
        };
        let sign = u32::from(negative) << if self == Output::Half { 15 } else { 31 };
        if magnitude == 0 {
            return sign;
        }
        let exponent = 63 - magnitude.leading_zeros() as i32 + unit;
        if exponent > most {
            return self.infinity(negative);
        }
        let exponent = exponent.max(least);
        // The bits below the last place of the result.
        let below = exponent - bits - unit;
        let mut places = match below {
            ..=0 => magnitude << -below,
            1..=63 => magnitude >> below,
            _ => 0,
        };
        if self == Output::Half && (1..=63).contains(&below) {
            let rest = magnitude & ((1 << below) - 1);
            let half = 1u64 << (below - 1);
            places += u64::from(rest > half || rest == half && places & 1 != 0);
        }
        // The hidden bit adds one to the exponent field; a carry out of the fraction does so too,
        // and makes an infinity of the largest exponent.
        let field = (exponent - least) as u32;
        // What rounds to zero loses its sign (an H100).
        if self == Output::Half && field == 0 && places == 0 {
            return 0;
        }
        let encoding = sign | ((field << bits) + places as u32);
        if self == Output::Short { encoding & !0x3ff } else { encoding }
    }
}

/// The parameters of a sum on one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Products that are added at once.
    pub block: u8,
    /// Fraction bits of an aligned term, below the largest exponent.
    pub fraction: i8,
    /// Exponent of a term that is zero.
    pub zero: i16,
    /// Type of accumulator and result.
    pub output: Output,
}

/// The rule for factors of a format.
///
/// Decided by published results (arXiv 2512.07004, `model_validation`): `fraction` where the
/// result is binary32; `block` 16 of e4m3 and e5m2, 4 of tf32 on sm_80. From MMA-Sim alone: longer
/// blocks, `fraction` of binary16 results, `zero`.
pub fn rule(isa: Isa, factors: Layout, output: Output) -> Option<Rule> {
    let hopper = matches!(isa, Isa::Sm90 | Isa::Sm90a);
    let byte = factors == Layout::E4M3 || factors == Layout::E5M2;
    let half = output == Output::Half;
    let (block, fraction, zero) = match (hopper, factors) {
        // QMMA.
        (false, _) if byte && isa == Isa::Sm89 => (16, 13, -132),
        _ if byte => return None,
        (false, Layout::TF32) => (4, 24, -132),
        (false, _) => (8, 24, if half { -21 } else { -132 }),
        (true, Layout::TF32) => (8, 25, -133),
        (true, _) => (16, 25, if half { -22 } else { -133 }),
    };
    Some(Rule { block, fraction, zero, output })
}

/// Returns the sum of the products of encodings and of an accumulator, in the encoding of the result.
pub fn dot(rule: Rule, factors: [Layout; 2], pairs: &[[u32; 2]], accumulator: u32) -> u32 {
    let [a, b] = factors;
    let products: Vec<(Number, Number)> = pairs.iter().map(|&[x, y]| (a.read(x), b.read(y))).collect();
    sum(rule, &products, a.fraction() + b.fraction(), accumulator)
}

/// Returns the sum of the products and of an accumulator, in the encoding of the result. Products
/// are pairs of numbers with `fraction` fraction bits together.
pub fn sum(rule: Rule, products: &[(Number, Number)], fraction: i32, accumulator: u32) -> u32 {
    let blocks = products.chunks(usize::from(rule.block));
    blocks.fold(accumulator, |sum, block| one_block(rule, block, fraction, sum))
}

/// A term of a block: `magnitude * 2^(exponent - fraction)`.
struct Term {
    negative: bool,
    magnitude: u64,
    exponent: i32,
    fraction: i32,
}

fn one_block(rule: Rule, products: &[(Number, Number)], fraction: i32, accumulator: u32) -> u32 {
    let layout = rule.output.layout();
    let c = layout.read(accumulator);
    if let Some(special) = special(rule.output, products, c) {
        return special;
    }
    let place = |exponent: i32, magnitude: u64| if magnitude == 0 { i32::from(rule.zero) } else { exponent };
    let mut terms = SmallVec::<[Term; 33]>::new();
    for (a, b) in products {
        let magnitude = u64::from(a.significand) * u64::from(b.significand);
        let exponent = place(a.exponent + b.exponent, magnitude);
        terms.push(Term { negative: a.negative != b.negative, magnitude, exponent, fraction });
    }
    let magnitude = u64::from(c.significand);
    let exponent = place(c.exponent, magnitude);
    terms.push(Term { negative: c.negative, magnitude, exponent, fraction: layout.fraction() });
    let top = terms.iter().fold(i32::MIN, |top, term| top.max(term.exponent));
    let unit = top - i32::from(rule.fraction);
    let (mut total, mut minus_zeros) = (0i64, true);
    for term in &terms {
        let left = term.exponent - term.fraction - unit;
        let cut = match left {
            0.. => term.magnitude << left,
            -63..0 => term.magnitude >> -left,
            _ => 0,
        };
        total += if term.negative { -(cut as i64) } else { cut as i64 };
        minus_zeros &= term.negative && cut == 0;
    }
    rule.output.round(if total == 0 { minus_zeros } else { total < 0 }, total.unsigned_abs(), unit)
}

/// The result of a block with infinities or NaNs among its terms.
fn special(output: Output, products: &[(Number, Number)], c: Number) -> Option<u32> {
    let finite = |n: &Number| n.class == Class::Finite;
    if finite(&c) && products.iter().all(|(a, b)| finite(a) && finite(b)) {
        return None;
    }
    // Infinities seen, by sign.
    let mut seen = [false; 2];
    for (a, b) in products {
        match (a.class, b.class) {
            (Class::Nan, _) | (_, Class::Nan) => return Some(output.nan()),
            (Class::Finite, Class::Finite) => {}
            _ if a.is_zero() || b.is_zero() => return Some(output.nan()),
            _ => seen[usize::from(a.negative != b.negative)] = true,
        }
    }
    match c.class {
        Class::Nan => return Some(output.nan()),
        Class::Infinite => seen[usize::from(c.negative)] = true,
        Class::Finite => {}
    }
    Some(if seen == [true; 2] { output.nan() } else { output.infinity(seen[1]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of products of f16 on sm_80, from a binary32 accumulator.
    fn single(pairs: &[[u32; 2]], c: f32) -> f32 {
        let rule = rule(Isa::Sm80, Layout::F16, Output::Single).unwrap();
        f32::from_bits(dot(rule, [Layout::F16; 2], pairs, c.to_bits()))
    }

    const ONE: u32 = 0x3c00;
    /// 2^12.
    const LARGE: u32 = 0x6c00;

    #[test]
    fn terms_are_cut_below_the_largest() {
        // 2^24 + 1 - 2^24: one is at the last place that is kept, a half of it is not.
        let hidden = [[LARGE, LARGE], [LARGE | 0x8000, LARGE]];
        assert_eq!(single(&[hidden[0], [ONE, ONE], hidden[1]], 0.0), 1.0);
        assert_eq!(single(&[hidden[0], [ONE, 0x3800], hidden[1]], 0.0), 0.0);
        // In another block the rest is exact.
        let mut blocks = vec![[0, 0]; 16];
        (blocks[0], blocks[7], blocks[8]) = (hidden[0], hidden[1], [ONE, 0x3800]);
        assert_eq!(single(&blocks, 0.0), 0.5);
    }

    #[test]
    fn results_are_cut_towards_zero_or_rounded_to_nearest() {
        assert_eq!(single(&[[0x3c01, 0x3c01]], 8_388_608.0), 8_388_609.0);
        assert_eq!(single(&[[0x3e00, ONE]], 16_777_216.0), 16_777_216.0);
        let half = rule(Isa::Sm80, Layout::F16, Output::Half).unwrap();
        let sum = |pairs: &[[u32; 2]], c| dot(half, [Layout::F16; 2], pairs, c);
        // 2048 + 1 is a tie, 2048 + 3 another one.
        assert_eq!(sum(&[[ONE, ONE]], 0x6800), 0x6800);
        assert_eq!(sum(&[[0x4200, ONE]], 0x6800), 0x6802);
        assert_eq!(sum(&[[0x7bff, ONE], [0x7bff, ONE]], 0), 0x7c00);
        let short = rule(Isa::Sm89, Layout::E4M3, Output::Short).unwrap();
        let word = dot(short, [Layout::E4M3; 2], &[[0x38, 0x38]], (1.0f32 / 3.0).to_bits());
        assert_eq!(word & 0x3ff, 0);
    }

    #[test]
    fn specials_come_first() {
        let (infinite, nan) = (0x7c00, 0x7c01);
        assert_eq!(single(&[[infinite, ONE]], -1.0), f32::INFINITY);
        assert_eq!(single(&[[infinite, 0xbc00]], 1.0), f32::NEG_INFINITY);
        let bits = |pairs: &[[u32; 2]], c| single(pairs, c).to_bits();
        assert_eq!(bits(&[[infinite, 0]], 0.0), 0x7fff_ffff);
        assert_eq!(bits(&[[infinite, ONE], [0xfc00, ONE]], 0.0), 0x7fff_ffff);
        assert_eq!(bits(&[[nan, ONE]], 0.0), 0x7fff_ffff);
        assert_eq!(bits(&[[ONE, ONE]], f32::NAN), 0x7fff_ffff);
        // e4m3 has one NaN and no infinity.
        let numbers = [0x7e, 0x7f].map(|word| Layout::E4M3.read(word));
        assert_eq!(numbers.map(|n| n.class), [Class::Finite, Class::Nan]);
    }

    #[test]
    fn zeros_and_subnormal_numbers_keep_their_places() {
        assert_eq!(single(&[[0x8000, ONE]], -0.0).to_bits(), 0x8000_0000);
        assert_eq!(single(&[[0x8000, ONE]], 0.0).to_bits(), 0);
        assert_eq!(single(&[[1, ONE]], 0.0), 2f32.powi(-24));
        let bf16 = rule(Isa::Sm90, Layout::BF16, Output::Single).unwrap();
        // The least subnormal number of binary32 is a subnormal one of bfloat16 times 2^-16.
        assert_eq!(dot(bf16, [Layout::BF16; 2], &[[1, 0x3780]], 0), 1);
    }

    #[test]
    fn machines_differ() {
        assert_eq!(rule(Isa::Sm90, Layout::E4M3, Output::Short), None);
        assert_eq!(rule(Isa::Sm86, Layout::E4M3, Output::Short), None);
        let blocks = [Isa::Sm80, Isa::Sm90].map(|isa| rule(isa, Layout::F16, Output::Single).unwrap().block);
        assert_eq!(blocks, [8, 16]);
    }
}
