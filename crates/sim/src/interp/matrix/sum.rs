//! The sum of products of a tensor core, on integers.
//!
//! Within a block of products, every product is exact; the products and the accumulator are cut,
//! toward zero, to multiples of a unit that lies a fixed number of bits below the largest exponent
//! among them, and added exactly; the sum is rounded once. Longer sums are chains of blocks, whose
//! rounded result is the next accumulator. (Model of the MMA-Sim paper, arXiv 2511.10909; measured
//! by Khattak and Mikaitis, arXiv 2512.07004, whose published results `cargo campaign
//! tensor-vectors` compares with this file.)

use super::number::{Element, Finite, Number};
use smallvec::SmallVec;

/// How the sum of a block becomes the accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// binary32, toward zero; subnormal numbers are kept, 2^128 and more is an infinity.
    Single,
    /// The same, with 13 bits of fraction.
    Short,
    /// binary16, to nearest even; an overflow is an infinity.
    Half,
}

/// The parameters of a tensor core for one type of elements and accumulators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Products in a block.
    pub block: usize,
    /// Bits of the terms that are kept below the largest exponent.
    pub fraction: i32,
    /// How the sum is rounded.
    pub rounding: Rounding,
    /// The exponent of a term that is zero.
    pub zero: i32,
}

impl Rule {
    /// The format of the accumulator.
    pub const fn accumulator(&self) -> Element {
        match self.rounding {
            Rounding::Half => Element::F16,
            Rounding::Single | Rounding::Short => Element::F32,
        }
    }

    /// The NaN that this tensor core returns.
    const fn nan(&self) -> u32 {
        match self.rounding {
            Rounding::Half => 0x7fff,
            Rounding::Single | Rounding::Short => 0x7fff_ffff,
        }
    }

    const fn infinity(&self, negative: bool) -> u32 {
        match self.rounding {
            Rounding::Half => 0x7c00 | (negative as u32) << 15,
            Rounding::Single | Rounding::Short => 0x7f80_0000 | (negative as u32) << 31,
        }
    }

    /// Returns `c` plus the sum of the products of `a` and `b`, in the order of the slices, as a
    /// word of the accumulator's format. `c` is one, too.
    pub fn dot(&self, a: &[Number], b: &[Number], c: u32) -> u32 {
        let pairs = a.chunks(self.block.max(1)).zip(b.chunks(self.block.max(1)));
        let mut terms = SmallVec::<[Number; 33]>::new();
        pairs.fold(c, |c, (a, b)| {
            terms.clear();
            for (x, y) in a.iter().zip(b) {
                terms.push(x.times(*y));
            }
            terms.push(self.accumulator().decode(c));
            self.block(&terms)
        })
    }

    /// Returns the rounded sum of the terms of one block, the accumulator included.
    fn block(&self, terms: &[Number]) -> u32 {
        let (mut plus, mut minus, mut largest) = (false, false, i32::MIN);
        for term in terms {
            match *term {
                Number::Nan => return self.nan(),
                Number::Infinite { negative: true } => minus = true,
                Number::Infinite { negative: false } => plus = true,
                Number::Finite(x) if x.significand == 0 => largest = largest.max(self.zero),
                Number::Finite(x) => largest = largest.max(x.exponent),
            }
        }
        match (plus, minus) {
            (true, true) => return self.nan(),
            (true, false) | (false, true) => return self.infinity(minus),
            (false, false) => {}
        }
        let unit = largest - self.fraction;
        // A zero is negative only if every cut term is.
        let (mut sum, mut negative) = (0i64, true);
        for term in terms {
            let Number::Finite(x) = *term else { continue };
            let magnitude = cut(x, unit);
            sum += if x.negative { -magnitude } else { magnitude };
            negative &= x.negative && magnitude == 0;
        }
        let negative = if sum == 0 { negative } else { sum < 0 };
        let sign = u32::from(negative);
        match self.rounding {
            Rounding::Single => sign << 31 | single(sum.unsigned_abs(), unit),
            Rounding::Short => sign << 31 | short(single(sum.unsigned_abs(), unit)),
            Rounding::Half => match half(sum.unsigned_abs(), unit) {
                // What rounds to zero loses its sign (an H100).
                0 if sum != 0 => 0,
                word => sign << 15 | word,
            },
        }
    }
}

/// Returns a term in multiples of 2^`unit`, cut toward zero: less than 2^40, as no term has more
/// than 24 bits before its last and none is above `unit` by more than the kept fraction.
fn cut(x: Finite, unit: i32) -> i64 {
    let shift = x.exponent - x.fraction as i32 - unit;
    let magnitude = x.significand as i64;
    match shift {
        // A zero may have a factor above all other terms.
        _ if magnitude == 0 => 0,
        0.. => magnitude << shift,
        -63.. => magnitude >> -shift,
        _ => 0,
    }
}

/// Returns the exponent of the leading bit of `magnitude` · 2^`unit`, which is not zero.
fn leading(magnitude: u64, unit: i32) -> i32 {
    63 - magnitude.leading_zeros() as i32 + unit
}

/// Rounds `magnitude` · 2^`unit` toward zero to binary32.
fn single(magnitude: u64, unit: i32) -> u32 {
    if magnitude == 0 {
        return 0;
    }
    let exponent = leading(magnitude, unit);
    if exponent >= 128 {
        return 0x7f80_0000;
    }
    let exponent = exponent.max(-126);
    let shift = exponent - 23 - unit;
    let significand = match shift {
        64.. => 0,
        0.. => (magnitude >> shift) as u32,
        _ => (magnitude << -shift) as u32,
    };
    // The hidden bit of a normal number adds one to the exponent field.
    (((exponent + 126) as u32) << 23) + significand
}

/// Cuts binary32 to 13 bits of fraction.
fn short(word: u32) -> u32 {
    word & !0x3ff
}

/// Rounds `magnitude` · 2^`unit` to binary16, to nearest even.
fn half(magnitude: u64, unit: i32) -> u32 {
    if magnitude == 0 {
        return 0;
    }
    let exponent = leading(magnitude, unit).max(-14);
    if exponent > 15 {
        return 0x7c00;
    }
    let shift = exponent - 10 - unit;
    let significand = match shift {
        // Below half of the smallest number.
        63.. => 0,
        1.. => {
            let (kept, rest, tie) = (magnitude >> shift, magnitude & ((1 << shift) - 1), 1u64 << (shift - 1));
            kept + u64::from(rest > tie || rest == tie && kept & 1 == 1)
        }
        _ => magnitude << -shift,
    };
    // A carry out of the significand is one more in the exponent field, and an infinity at its top.
    ((((exponent + 14) as u32) << 10) + significand as u32).min(0x7c00)
}
