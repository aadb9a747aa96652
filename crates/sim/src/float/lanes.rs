//! Branch-free conversions from and to binary32 on machine words: the same results as through
//! [`Unpacked`], in loops over lanes that become vector instructions.
//!
//! Problem: the general path through 128-bit significands takes tens of nanoseconds, too much for
//! runs over all 2^32 operands. Strategy: rounding to a position is adding something below it and
//! truncating ([`Bias`]); exponents select shift amounts, limited where a longer shift changes
//! nothing; special operands are selected at the end. Invariant: every function equals the general
//! one of [`super::convert`] on every operand (`tests` below, and every exhaustive run).
//!
//! [`Unpacked`]: super::Unpacked

use super::format::{F32, Format};
use super::unpacked::Rounding;

/// What is added below a rounding position so that truncation there rounds.
#[derive(Clone, Copy, Debug)]
pub struct Bias {
    /// All ones: just below half a unit, for both roundings to nearest.
    half: u64,
    /// One: completes the half if the kept part is odd.
    even: u64,
    /// One: completes the half.
    away: u64,
    /// All ones: just below a unit, for positive values.
    positive: u64,
    /// The same for negative values.
    negative: u64,
}

impl Bias {
    /// Returns the row of a rounding, which loops over lanes load once.
    #[inline(always)]
    pub fn new(rounding: Rounding) -> Bias {
        BIASES[rounding as usize & 7]
    }

    const fn of(rounding: Rounding) -> Bias {
        let none = Bias { half: 0, even: 0, away: 0, positive: 0, negative: 0 };
        match rounding {
            Rounding::Nearest => Bias { half: !0, even: 1, ..none },
            Rounding::NearestAway => Bias { half: !0, away: 1, ..none },
            Rounding::Zero => none,
            Rounding::Down => Bias { negative: !0, ..none },
            Rounding::Up => Bias { positive: !0, ..none },
        }
    }

    /// `mask`: the bits below the position; `kept`: the bits above it; `sign`: all ones for
    /// negative values.
    #[inline(always)]
    fn below(self, kept: u64, mask: u64, sign: u64) -> u64 {
        let directed = self.positive & !sign | self.negative & sign;
        (mask >> 1 & self.half) + (mask & (kept & self.even | self.away)) + (mask & directed)
    }

    /// The same in 32 bits.
    #[inline(always)]
    fn below32(self, kept: u32, mask: u32, sign: u32) -> u32 {
        let directed = self.positive as u32 & !sign | self.negative as u32 & sign;
        (mask >> 1 & self.half as u32) + (mask & (kept & self.even as u32 | self.away as u32)) + (mask & directed)
    }

    /// Whether overflow gives infinity: all ones or zero.
    #[inline(always)]
    fn overflows(self, sign: u64) -> u64 {
        self.half | self.positive & !sign | self.negative & sign
    }
}

/// By number of the rounding; as many rows as three bits can select, so that no bounds check is
/// needed.
static BIASES: [Bias; 8] = {
    use Rounding::{Down, Nearest, NearestAway, Up, Zero};
    let all = [Nearest, Zero, Down, Up, NearestAway];
    let mut table = [Bias::of(Nearest); 8];
    let mut i = 0;
    while i < 5 {
        table[all[i] as usize] = Bias::of(all[i]);
        i += 1;
    }
    table
};

/// Sign (all ones or zero), exponent field (one for subnormals) and significand of a binary32.
#[inline(always)]
fn parts(x: u32) -> (u32, u32, u32) {
    let e = x >> 23 & 0xff;
    ((x as i32 >> 31) as u32, e.max(1), x & 0x7f_ffff | u32::from(e != 0) << 23)
}

#[inline(always)]
fn is_nan(x: u32) -> bool {
    x & 0x7fff_ffff > 0x7f80_0000
}

/// Converts to an integer of at most 32 bits, in the low bits; a NaN is zero.
#[inline(always)]
pub fn to_int32(x: u32, bias: Bias, bits: u32, signed: bool) -> u32 {
    let (sign, e, significand) = parts(x);
    // After 26 positions nothing is left of a significand of 24 bits, whatever is added to it.
    let (right, left) = (150u32.saturating_sub(e).min(26), e.saturating_sub(150));
    let mask = (1 << right) - 1;
    let rounded = (significand + bias.below32(significand >> right, mask, sign)) >> right;
    let magnitude = if left > 8 { u32::MAX } else { rounded << (left & 15) };
    let largest = u32::MAX >> (32 - bits);
    let limit = if signed { (largest >> 1) + (sign & 1) } else { largest & !sign };
    let value = (magnitude.min(limit) ^ sign).wrapping_sub(sign);
    if is_nan(x) { 0 } else { value & largest }
}

/// Converts to an integer of 64 bits; a NaN is the top bit.
#[inline(always)]
pub fn to_int64(x: u32, bias: Bias, signed: bool) -> u64 {
    let (sign, e, significand) = parts(x);
    let (sign, significand) = (i64::from(sign as i32) as u64, u64::from(significand));
    let (right, left) = (150u32.saturating_sub(e).min(26), e.saturating_sub(150));
    let mask = (1u64 << right) - 1;
    let rounded = (significand + bias.below(significand >> right, mask, sign)) >> right;
    let magnitude = if left > 40 { u64::MAX } else { rounded << (left & 63) };
    let limit = if signed { (u64::MAX >> 1) + (sign & 1) } else { !sign };
    let value = (magnitude.min(limit) ^ sign).wrapping_sub(sign);
    if is_nan(x) { 1 << 63 } else { value }
}

/// Rounds to an integral value.
#[inline(always)]
pub fn to_integral(x: u32, bias: Bias) -> u32 {
    let (sign, e, significand) = parts(x);
    let right = 150u32.saturating_sub(e).min(26);
    let mask = (1 << right) - 1;
    let add = bias.below32(significand >> right, mask, sign);
    let magnitude = x & 0x7fff_ffff;
    // From one upwards a carry out of the fraction increments the exponent; below, the result is
    // zero or one.
    let large = (magnitude + add) & !mask;
    let small = ((significand + add) >> right).wrapping_mul(0x3f80_0000);
    let result = if e >= 127 { large } else { small } | sign & 0x8000_0000;
    let result = if e >= 150 { x } else { result };
    if is_nan(x) { F32.nan as u32 } else { result }
}

/// Converts a sign and a magnitude to binary32.
#[inline(always)]
pub fn from_int32(negative: bool, magnitude: u32, bias: Bias) -> u32 {
    let sign = 0u32.wrapping_sub(u32::from(negative));
    let zeros = magnitude.leading_zeros();
    let normal = magnitude << (zeros & 31);
    let kept = normal >> 8;
    let up = ((normal & 0xff) + bias.below32(kept, 0xff, sign)) >> 8;
    // The significand's top bit adds one to the exponent.
    let result = ((157u32.wrapping_sub(zeros)) << 23).wrapping_add(kept + up) | sign & 0x8000_0000;
    if magnitude == 0 { 0 } else { result }
}

/// Converts binary64 to binary32.
#[inline(always)]
pub fn narrow64(x: u64, bias: Bias) -> u32 {
    let sign = (x as i64 >> 63) as u64;
    let field = x >> 52 & 0x7ff;
    let significand = x & ((1 << 52) - 1) | u64::from(field != 0) << 52;
    let (magnitude, nan) = (x << 1, x << 1 > 0xffe0_0000_0000_0000);
    // Exponent field of the result; below one it is subnormal, and after 54 positions nothing is
    // left.
    let right = 29 + 897u64.saturating_sub(field).min(25);
    let mask = (1u64 << right) - 1;
    let rounded = (significand + bias.below(significand >> right, mask, sign)) >> right;
    let result = (field.saturating_sub(897) << 23) + rounded;
    let infinite = if magnitude == 0xffe0_0000_0000_0000 { !0 } else { bias.overflows(sign) };
    let limit = 0x7f7f_ffff + (infinite & 1);
    let result = result.min(limit) as u32 | sign as u32 & 0x8000_0000;
    if nan { F32.nan as u32 } else { result }
}

/// Converts binary32 to binary64.
#[inline(always)]
pub fn widen(x: u32) -> u64 {
    if is_nan(x) { super::F64.nan } else { f64::from(f32::from_bits(x)).to_bits() }
}

/// Converts binary32 to an IEEE format with at most 8 bits of exponent and 16 in all.
#[inline(always)]
pub fn narrow32(x: u32, to: &Format, bias: Bias) -> u32 {
    let (sign, e, significand) = parts(x);
    let lowest = (128 - (1 << (to.exponent_bits - 1))) + 1;
    let right = (23 - to.fraction_bits) + (lowest as u32).saturating_sub(e).min(26 - (23 - to.fraction_bits));
    let mask = (1u32 << right) - 1;
    let rounded = (significand + bias.below32(significand >> right, mask, sign)) >> right;
    let result = (e.saturating_sub(lowest as u32) << to.fraction_bits) + rounded;
    let infinite = x & 0x7fff_ffff == 0x7f80_0000 || bias.overflows(i64::from(sign as i32) as u64) != 0;
    let limit = to.infinity() as u32 - u32::from(!infinite);
    let result = result.min(limit) | sign & to.sign_mask() as u32;
    if is_nan(x) { to.nan as u32 } else { result }
}

/// The sum of two finite binary64 rounded to odd: truncated, with the last bit set if inexact.
/// Rounding that to binary32 equals rounding the exact sum once (S. Boldo, G. Melquiond, "Emulation
/// of FMA and correctly rounded sums", 2008). Other sums are those of the host.
#[inline(always)]
fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let rest = sum - a;
    let error = (a - (sum - rest)) + (b - rest);
    let bits = sum.to_bits();
    let away = (error > 0.0) == (sum > 0.0);
    let odd = if away { bits | 1 } else { (bits.wrapping_sub(1)) | 1 };
    // An even sum may be on either side of the exact one; an odd one is correct on either side.
    let wrong = error.abs() > 0.0 && bits & 1 == 0;
    if wrong { f64::from_bits(odd) } else { sum }
}

/// `a + b` on binary32, in any rounding.
#[inline(always)]
pub fn add(a: u32, b: u32, rounding: Rounding) -> u32 {
    sum(f64::from(f32::from_bits(a)), f64::from(f32::from_bits(b)), rounding)
}

/// `a * b` on binary32, in any rounding: binary64 holds the product.
#[inline(always)]
pub fn mul(a: u32, b: u32, rounding: Rounding) -> u32 {
    let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
    narrow64(product.to_bits(), Bias::new(rounding))
}

/// `a * b + c` on binary32, in any rounding.
#[inline(always)]
pub fn fma(a: u32, b: u32, c: u32, rounding: Rounding) -> u32 {
    let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
    sum(product, f64::from(f32::from_bits(c)), rounding)
}

#[inline(always)]
fn sum(a: f64, b: f64, rounding: Rounding) -> u32 {
    let sum = sum_to_odd(a, b);
    // An exact zero from numbers of different signs is negative when rounding down.
    let flip = rounding == Rounding::Down && sum == 0.0 && (a.is_sign_negative() || b.is_sign_negative());
    narrow64(if flip { 1 << 63 } else { sum.to_bits() }, Bias::new(rounding))
}
