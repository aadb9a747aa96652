//! Conversions: float to float, float to integer, integer to float (PTX ISA 9.0, `cvt`).

use super::arith::Mode;
use super::format::{F32, F64, Format};
use super::unpacked::{Rounding, Unpacked};

/// An integer type of 8, 16, 32 or 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntType {
    /// Width in bits.
    pub bits: u32,
    /// Two's complement or not.
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

    /// The value as an integer, reading the low `bits` of `raw`.
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

/// Converts between formats. `mode` is rounding, `.ftz` (inputs and results of `.f32` only, as the manual says for
/// conversions) and `.sat`; `satfinite` clamps to the largest finite number.
pub fn to_float(from: &'static Format, to: &'static Format, bits: u64, mode: Mode, satfinite: bool) -> u64 {
    let is_f32 = |format: &'static Format| std::ptr::eq(format, &F32);
    let bits = if mode.ftz && is_f32(from) { from.flush(bits) } else { bits };
    let result = Unpacked::unpack(from, bits).pack(to, mode.rounding, satfinite);
    let result = if mode.ftz && is_f32(to) { to.flush(result) } else { result };
    if mode.sat { super::saturate(to, result) } else { result }
}

/// `cvt.rna.tf32.f32`: the upper 19 bits of a binary32, ties away from zero; infinities stay, NaNs keep their upper
/// bits (ptxas 13.0.88 output for sm_90).
pub fn tf32_rna(bits: u32) -> u32 {
    let finite = bits & 0x7fff_ffff < 0x7f80_0000;
    (if finite { bits.wrapping_add(0x1000) } else { bits }) & 0xffff_e000
}

/// Rounds to an integral value of the same format.
pub fn round_to_integral(format: &'static Format, bits: u64, mode: Mode) -> u64 {
    let flush = mode.ftz && std::ptr::eq(format, &F32);
    let bits = if flush { format.flush(bits) } else { bits };
    let integral = Unpacked::unpack(format, bits).round_to_integral(mode.rounding);
    let result = integral.pack(format, mode.rounding, false);
    if mode.sat { super::saturate(format, result) } else { result }
}

/// Converts to an integer, clamped to the range of `to`. A NaN becomes 0, except that from `.f64`, or to a 64-bit
/// integer, it becomes the value with only the top bit set (PTX ISA 9.0, `cvt`, notes on NaN).
pub fn to_int(from: &'static Format, to: IntType, bits: u64, rounding: Rounding, ftz: bool) -> u64 {
    let bits = if ftz && std::ptr::eq(from, &F32) { from.flush(bits) } else { bits };
    match Unpacked::unpack(from, bits).round_to_integral(rounding) {
        Unpacked::Nan if std::ptr::eq(from, &F64) || to.bits == 64 => 1 << (to.bits - 1),
        Unpacked::Nan | Unpacked::Zero(_) => 0,
        Unpacked::Infinity(negative) => to.clamp(if negative { i128::MIN } else { i128::MAX }),
        Unpacked::Finite { negative, exponent, significand } => {
            // Integral, so that a negative exponent cannot occur; beyond 2^64 everything is out of range.
            let too_large = exponent as u32 + 128 - significand.leading_zeros() > 100;
            let magnitude = if too_large { i128::MAX } else { (significand << exponent as u32) as i128 };
            to.clamp(if negative { -magnitude } else { magnitude })
        }
    }
}

/// Converts an integer, given in the low bits of `raw`.
pub fn from_int(from: IntType, to: &'static Format, raw: u64, mode: Mode) -> u64 {
    let value = from.value(raw);
    let unpacked = Unpacked::from_integer(value < 0, value.unsigned_abs() as u64);
    let result = unpacked.pack(to, mode.rounding, false);
    if mode.sat { super::saturate(to, result) } else { result }
}

#[cfg(test)]
mod tests {
    use super::super::format::{BF16, E4M3, E5M2, F16};
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
}
