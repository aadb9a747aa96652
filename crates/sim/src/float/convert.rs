//! Conversions: float to float, float to integer, integer to float (PTX ISA 9.0, `cvt`).

use super::arith::Mode;
use super::format::{BF16, F16, F32, F64, Format};
use super::lanes::{self, Bias};
use super::unpacked::{Rounding, Unpacked};

/// An integer type of 8, 16, 32 or 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntType {
    /// Width in bits.
    pub bits: u32,
    /// Whether it is two's complement.
    pub signed: bool,
}

impl IntType {
    /// Smallest and largest value.
    pub fn range(self) -> (i128, i128) {
        if self.signed {
            (-(1i128 << (self.bits - 1)), (1i128 << (self.bits - 1)) - 1)
        } else {
            (0, (1i128 << self.bits) - 1)
        }
    }

    /// The value as an integer, from the low `bits` of `raw`.
    pub fn value(self, raw: u64) -> i128 {
        let unused = 64 - self.bits;
        if self.signed { i128::from(((raw << unused) as i64) >> unused) } else { i128::from((raw << unused) >> unused) }
    }

    /// The low `bits` of a value.
    pub fn wrap(self, value: i128) -> u64 {
        value as u64 & (u64::MAX >> (64 - self.bits))
    }

    /// The nearest value of this type.
    pub fn clamp(self, value: i128) -> u64 {
        let (low, high) = self.range();
        self.wrap(value.clamp(low, high))
    }
}

/// Converts between formats. `mode` is rounding, `.ftz` (inputs and results of `.f32` only, as the
/// manual says for conversions) and `.sat`; `satfinite` clamps to the largest finite number.
#[inline(always)]
pub fn to_float(from: &'static Format, to: &'static Format, bits: u64, mode: Mode, satfinite: bool) -> u64 {
    let is_f32 = |format: &'static Format| std::ptr::eq(format, &F32);
    let is_f64 = |format: &'static Format| std::ptr::eq(format, &F64);
    let bits = if mode.ftz && is_f32(from) { from.flush(bits) } else { bits };
    let result = if satfinite {
        general(from, to, bits, mode.rounding, true)
    } else if is_f64(from) && is_f32(to) {
        lanes::narrow64(bits, Bias::new(mode.rounding)).into()
    } else if is_f32(from) && is_f64(to) {
        lanes::widen(bits as u32)
    } else if is_f32(from) && (std::ptr::eq(to, &F16) || std::ptr::eq(to, &BF16)) {
        lanes::narrow32(bits as u32, to, Bias::new(mode.rounding)).into()
    } else {
        general(from, to, bits, mode.rounding, false)
    };
    let result = if mode.ftz && is_f32(to) { flushed(from, bits, result, mode.rounding) } else { result };
    if mode.sat { super::saturate(to, result) } else { result }
}

/// A binary32 result under `.ftz`: tiny results become zero, even if rounding made them normal.
fn flushed(from: &'static Format, bits: u64, result: u64, rounding: Rounding) -> u64 {
    let sign = result & F32.sign_mask();
    if result ^ sign != F32.min_normal() || !std::ptr::eq(from, &F64) {
        return F32.flush(result);
    }
    if Unpacked::unpack(from, bits).is_tiny(&F32, rounding) { sign } else { result }
}

/// Through the exact value.
#[inline(never)]
fn general(from: &Format, to: &Format, bits: u64, rounding: Rounding, satfinite: bool) -> u64 {
    Unpacked::unpack(from, bits).pack(to, rounding, satfinite)
}

/// `cvt.rna.tf32.f32`: the upper 19 bits of a binary32, ties away from zero; infinities stay, NaNs
/// keep their upper bits (ptxas 13.0.88 output for sm_90).
pub fn tf32_rna(bits: u32) -> u32 {
    let finite = bits & 0x7fff_ffff < 0x7f80_0000;
    (if finite { bits.wrapping_add(0x1000) } else { bits }) & 0xffff_e000
}

/// Rounds to an integral value of the same format.
#[inline(always)]
pub fn round_to_integral(format: &'static Format, bits: u64, mode: Mode) -> u64 {
    let result = if std::ptr::eq(format, &F32) {
        let bits = if mode.ftz { format.flush(bits) } else { bits };
        lanes::to_integral(bits as u32, Bias::new(mode.rounding)).into()
    } else {
        Unpacked::unpack(format, bits).round_to_integral(mode.rounding).pack(format, mode.rounding, false)
    };
    if mode.sat { super::saturate(format, result) } else { result }
}

/// Converts to an integer, clamped to the range of `to`. A NaN becomes 0, except that from `.f64`,
/// or to a 64-bit integer, it becomes the value with only the top bit set (PTX ISA 9.0, `cvt`,
/// notes on NaN).
#[inline(always)]
pub fn to_int(from: &'static Format, to: IntType, bits: u64, rounding: Rounding, ftz: bool) -> u64 {
    if std::ptr::eq(from, &F32) {
        if to.bits <= 32 {
            return short_to_int(to, rounding, ftz)(bits as u32).into();
        }
        let x = if ftz { from.flush(bits) } else { bits } as u32;
        return lanes::to_int64(x, Bias::new(rounding), to.signed);
    }
    exact_to_int(from, to, bits, rounding)
}

/// [`to_int`] from binary32 to at most 32 bits, as a function of the operand; everything else is
/// computed once.
#[inline(always)]
pub fn short_to_int(to: IntType, rounding: Rounding, ftz: bool) -> impl Fn(u32) -> u32 {
    let (bias, flushed) = (Bias::new(rounding), if ftz { 0x7f80_0000 } else { 0 });
    // Zeros of either sign become the same integer.
    move |x| lanes::to_int32(if x & flushed == 0 && ftz { 0 } else { x }, bias, to.bits, to.signed)
}

/// [`to_int`] through the exact value.
#[inline(never)]
fn exact_to_int(from: &'static Format, to: IntType, bits: u64, rounding: Rounding) -> u64 {
    match Unpacked::unpack(from, bits).round_to_integral(rounding) {
        Unpacked::Nan if std::ptr::eq(from, &F64) || to.bits == 64 => 1 << (to.bits - 1),
        Unpacked::Nan | Unpacked::Zero(_) => 0,
        Unpacked::Infinity(negative) => to.clamp(if negative { i128::MIN } else { i128::MAX }),
        Unpacked::Finite { negative, exponent, significand } => {
            // Integral, so that a negative exponent cannot occur; above 2^64 everything is out of
            // range.
            let too_large = exponent as u32 + 128 - significand.leading_zeros() > 100;
            let magnitude = if too_large { i128::MAX } else { (significand << exponent as u32) as i128 };
            to.clamp(if negative { -magnitude } else { magnitude })
        }
    }
}

/// Converts an integer, given in the low bits of `raw`.
#[inline(always)]
pub fn from_int(from: IntType, to: &'static Format, raw: u64, mode: Mode) -> u64 {
    let result = if from.bits <= 32 && std::ptr::eq(to, &F32) {
        let unused = 32 - from.bits;
        let high = (raw as u32) << unused;
        let negative = from.signed && high >> 31 != 0;
        let magnitude = if negative { ((high as i32) >> unused).unsigned_abs() } else { high >> unused };
        lanes::from_int32(negative, magnitude, Bias::new(mode.rounding)).into()
    } else {
        let value = from.value(raw);
        Unpacked::from_integer(value < 0, value.unsigned_abs() as u64).pack(to, mode.rounding, false)
    };
    if mode.sat { super::saturate(to, result) } else { result }
}

#[cfg(test)]
mod tests {
    use super::super::format::{E4M3, E5M2};
    use super::*;

    const S32: IntType = IntType { bits: 32, signed: true };
    const U64: IntType = IntType { bits: 64, signed: false };
    const U8: IntType = IntType { bits: 8, signed: false };

    fn single(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    #[test]
    fn to_int_agrees_with_the_host() {
        // Rust's `as` truncates, clamps and turns NaN into 0, as PTX does for these widths.
        for step in 0..200_000u32 {
            let bits = step.wrapping_mul(0x9e37_79b9);
            let x = f32::from_bits(bits);
            assert_eq!(to_int(&F32, S32, bits.into(), Rounding::Zero, false), x as i32 as u32 as u64);
            assert_eq!(to_int(&F32, U8, bits.into(), Rounding::Zero, false), x as u8 as u64);
            if !x.is_nan() {
                assert_eq!(to_int(&F32, U64, bits.into(), Rounding::Zero, false), x as u64);
            }
        }
        assert_eq!(to_int(&F32, U64, F32.nan, Rounding::Zero, false), 1 << 63);
        assert_eq!(to_int(&F64, S32, F64.nan, Rounding::Zero, false), 1 << 31);
    }

    #[test]
    fn integral_rounding_has_four_directions() {
        let round =
            |x: f32, rounding| f32::from_bits(round_to_integral(&F32, single(x), Mode { rounding, ..Mode::RN }) as u32);
        assert_eq!(round(2.5, Rounding::Nearest), 2.0);
        assert_eq!(round(-2.5, Rounding::Zero), -2.0);
        assert_eq!(round(-2.5, Rounding::Down), -3.0);
        assert_eq!(round(2.25, Rounding::Up), 3.0);
        assert_eq!(round(-0.25, Rounding::Nearest).to_bits(), (-0.0f32).to_bits());
        assert_eq!(round(1e30, Rounding::Up), 1e30);
    }

    #[test]
    fn from_int_agrees_with_the_host() {
        for step in 0..100_000u64 {
            let raw = step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            assert_eq!(from_int(U64, &F32, raw, Mode::RN), single(raw as f32));
            assert_eq!(from_int(S32, &F32, raw & 0xffff_ffff, Mode::RN), single(raw as i32 as f32));
            assert_eq!(from_int(U64, &F64, raw, Mode::RN), (raw as f64).to_bits());
        }
    }

    #[test]
    fn small_formats_saturate() {
        assert_eq!(to_float(&F32, &E4M3, single(1e9), Mode::RN, true), 0x7e);
        assert_eq!(to_float(&F32, &E4M3, single(f32::NEG_INFINITY), Mode::RN, true), 0xfe);
        assert_eq!(to_float(&F32, &E5M2, single(1e9), Mode::RN, true), 0x7b);
        assert_eq!(to_float(&F32, &E5M2, F32.nan, Mode::RN, true), 0x7f);
        assert_eq!(to_float(&E4M3, &F16, 0x7e, Mode::RN, false), 0x5f00);
        assert_eq!(to_float(&F32, &BF16, single(1.0), Mode::RN, false), 0x3f80);
    }

    #[test]
    fn tf32_rounds_ties_away() {
        assert_eq!(tf32_rna(0x3f80_1000), 0x3f80_2000);
        assert_eq!(tf32_rna(0x3f80_0fff), 0x3f80_0000);
        assert_eq!(tf32_rna(0x7f80_0000), 0x7f80_0000);
    }

    /// The fast paths of binary32 against the exact values, on operands of every exponent and
    /// around every rounding position.
    #[test]
    fn short_ways_equal_the_exact_ones() {
        use Rounding::{Down, Nearest, NearestAway, Up, Zero};
        let exact_to_integral = |x: u64, r| Unpacked::unpack(&F32, x).round_to_integral(r).pack(&F32, r, false);
        let mut state = 1u64;
        for step in 0..60_000u32 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let any = (state >> 32) as u32;
            let forms = [any, any & 0xff80_0003, any | 0x7f_fffc, any & 0xffc0_0000, any & 0xfff8_0000 | step & 1];
            let x = u64::from(forms[step as usize % 5]);
            for rounding in [Nearest, NearestAway, Down, Up, Zero] {
                let mode = Mode { rounding, ..Mode::RN };
                let say = || format!("{x:#x} {rounding:?}");
                for (bits, signed) in [(8, true), (16, false), (32, true), (32, false), (64, true), (64, false)] {
                    let to = IntType { bits, signed };
                    assert_eq!(to_int(&F32, to, x, rounding, false), exact_to_int(&F32, to, x, rounding), "{}", say());
                    if bits < 64 {
                        let value = to.value(x);
                        let exact = Unpacked::from_integer(value < 0, value.unsigned_abs() as u64);
                        assert_eq!(from_int(to, &F32, x, mode), exact.pack(&F32, rounding, false), "{}", say());
                    }
                }
                assert_eq!(round_to_integral(&F32, x, mode), exact_to_integral(x, rounding), "{}", say());
                for to in [&F16, &BF16, &F64] {
                    let exact = general(&F32, to, x, rounding, false);
                    assert_eq!(to_float(&F32, to, x, mode, false), exact, "{}", say());
                }
                let wide = [state, x << 32 | 1, (state & 0x800f_ffff_f000_0000) | (860 + (state >> 40) % 300) << 52];
                for x in wide {
                    let exact = general(&F64, &F32, x, rounding, false);
                    assert_eq!(to_float(&F64, &F32, x, mode, false), exact, "{x:#x} {rounding:?}");
                }
            }
        }
    }
}
