//! Arithmetic on encodings, with PTX's modifiers.

use super::format::{F32, F64, Format};
use super::lanes;
use super::unpacked::{Rounding, Unpacked};

/// The modifiers of an arithmetic instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Mode {
    /// `.rn`, `.rz`, `.rm`, `.rp`.
    pub rounding: Rounding,
    /// `.ftz`: subnormal inputs and tiny results become the zero of their sign. A result is tiny if
    /// it is below the least normal number when rounded with unbounded exponents
    /// ([`Unpacked::is_tiny`]).
    pub ftz: bool,
    /// `.sat`: the result is clamped to [0.0, 1.0], a NaN becomes +0.0.
    pub sat: bool,
}

impl Mode {
    /// `.rn` without other modifiers.
    pub const RN: Mode = Mode { rounding: Rounding::Nearest, ftz: false, sat: false };

    #[inline(always)]
    fn input(self, format: &Format, bits: u64) -> u64 {
        if self.ftz { format.flush(bits) } else { bits }
    }

    #[inline(always)]
    fn output(self, format: &Format, bits: u64) -> u64 {
        let bits = if self.ftz { format.flush(bits) } else { bits };
        if self.sat { saturate(format, bits) } else { bits }
    }

    /// The same for a result that may have become the least normal number by rounding.
    #[inline(always)]
    fn output_of(self, format: &'static Format, bits: u64, exact: impl FnOnce() -> Unpacked) -> u64 {
        let least = self.ftz && bits & format.magnitude_mask() == format.min_normal() && std::ptr::eq(format, &F32);
        if least && exact().is_tiny(format, self.rounding) {
            return self.output(format, bits & format.sign_mask());
        }
        self.output(format, bits)
    }
}

/// Clamps to [0.0, 1.0]; NaN becomes +0.0 (PTX ISA 9.0, 9.7.3, `.sat`).
#[inline(always)]
pub fn saturate(format: &Format, bits: u64) -> u64 {
    if bits & format.sign_mask() != 0 || format.is_nan(bits) { 0 } else { bits.min(format.one()) }
}

/// `.relu`: negative results become +0.0, a NaN the canonical one.
#[inline]
pub fn relu(format: &Format, bits: u64) -> u64 {
    if format.is_nan(bits) {
        format.nan
    } else if bits & format.sign_mask() != 0 {
        0
    } else {
        bits
    }
}

/// Uses a host operation where the host is exact: round-to-nearest in binary32 and binary64.
macro_rules! on_host {
    ($format:expr, $mode:expr, |$($x:ident),+| $operation:expr $(, $exact:expr)?) => {
        if $mode.rounding == Rounding::Nearest {
            if std::ptr::eq($format, &F32) {
                let bits = {
                    $(let $x = f32::from_bits($x as u32);)+
                    F32.canonical(u64::from($operation.to_bits()))
                };
                return finish!($mode, &F32, bits $(, $exact)?);
            }
            if std::ptr::eq($format, &F64) {
                $(let $x = f64::from_bits($x);)+
                return $mode.output(&F64, F64.canonical($operation.to_bits()));
            }
        }
    };
}

/// Uses the fast path of a binary32 operation in another rounding.
macro_rules! on_lanes {
    ($format:expr, $mode:expr, $operation:ident, $($x:ident),+ $(; $exact:expr)?) => {
        if std::ptr::eq($format, &F32) {
            let bits = lanes::$operation($($x as u32),+, $mode.rounding).into();
            return finish!($mode, &F32, bits $(, $exact)?);
        }
    };
}

/// Flushes and saturates a result; `exact` computes it unrounded where that can matter.
macro_rules! finish {
    ($mode:expr, $format:expr, $bits:expr) => {
        $mode.output($format, $bits)
    };
    ($mode:expr, $format:expr, $bits:expr, $exact:expr) => {
        $mode.output_of($format, $bits, || $exact)
    };
}

/// `a + b`.
#[inline(always)]
pub fn add(format: &'static Format, a: u64, b: u64, mode: Mode) -> u64 {
    let (a, b) = (mode.input(format, a), mode.input(format, b));
    on_host!(format, mode, |a, b| (a + b));
    on_lanes!(format, mode, add, a, b);
    mode.output(format, exact_sum(format, a, b, mode.rounding))
}

/// `a - b`.
#[inline]
pub fn sub(format: &'static Format, a: u64, b: u64, mode: Mode) -> u64 {
    add(format, a, b ^ format.sign_mask(), mode)
}

/// `a * b`.
#[inline(always)]
pub fn mul(format: &'static Format, a: u64, b: u64, mode: Mode) -> u64 {
    let (a, b) = (mode.input(format, a), mode.input(format, b));
    on_host!(format, mode, |a, b| (a * b), product(&F32, a, b));
    on_lanes!(format, mode, mul, a, b; product(&F32, a, b));
    mode.output(format, exact_product(format, a, b, mode.rounding))
}

/// `a * b + c`, rounded once.
#[inline(always)]
pub fn fma(format: &'static Format, a: u64, b: u64, c: u64, mode: Mode) -> u64 {
    let (a, b, c) = (mode.input(format, a), mode.input(format, b), mode.input(format, c));
    on_host!(format, mode, |a, b, c| a.mul_add(b, c), product_and_sum(&F32, [a, b, c], mode.rounding));
    on_lanes!(format, mode, fma, a, b, c; product_and_sum(&F32, [a, b, c], mode.rounding));
    mode.output(format, exact_fma(format, [a, b, c], mode.rounding))
}

#[inline(never)]
fn exact_sum(format: &Format, a: u64, b: u64, rounding: Rounding) -> u64 {
    Unpacked::unpack(format, a).plus(Unpacked::unpack(format, b), rounding).pack(format, rounding, false)
}

#[inline(never)]
fn exact_product(format: &Format, a: u64, b: u64, rounding: Rounding) -> u64 {
    product(format, a, b).pack(format, rounding, false)
}

#[inline(never)]
fn exact_fma(format: &Format, x: [u64; 3], rounding: Rounding) -> u64 {
    product_and_sum(format, x, rounding).pack(format, rounding, false)
}

#[cold]
fn product(format: &Format, a: u64, b: u64) -> Unpacked {
    Unpacked::unpack(format, a).times(Unpacked::unpack(format, b))
}

#[cold]
fn product_and_sum(format: &Format, x: [u64; 3], rounding: Rounding) -> Unpacked {
    let [a, b, c] = x.map(|x| Unpacked::unpack(format, x));
    a.times(b).plus(c, rounding)
}

/// `a / b`, correctly rounded.
pub fn div(format: &'static Format, a: u64, b: u64, mode: Mode) -> u64 {
    let (a, b) = (mode.input(format, a), mode.input(format, b));
    on_host!(format, mode, |a, b| (a / b));
    let quotient = Unpacked::unpack(format, a).over(Unpacked::unpack(format, b));
    mode.output(format, quotient.pack(format, mode.rounding, false))
}

/// `1 / a`, correctly rounded.
pub fn rcp(format: &'static Format, a: u64, mode: Mode) -> u64 {
    div(format, format.one(), a, mode)
}

/// Square root, correctly rounded.
pub fn sqrt(format: &'static Format, a: u64, mode: Mode) -> u64 {
    let a = mode.input(format, a);
    on_host!(format, mode, |a| a.sqrt());
    let root = Unpacked::unpack(format, a).sqrt();
    mode.output(format, root.pack(format, mode.rounding, false))
}

/// The modifiers of `min` and `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MinMax {
    /// True for `max`.
    pub max: bool,
    /// `.ftz`.
    pub ftz: bool,
    /// `.NaN`: a NaN input gives the canonical NaN; without it the other input.
    pub nan: bool,
    /// `.xorsign.abs`: magnitudes are compared, the sign is the exclusive or of the inputs' signs.
    pub xorsign_abs: bool,
    /// `.abs` alone (three-input forms): magnitudes are compared and returned.
    pub abs: bool,
}

/// `min` and `max` (PTX ISA 9.0, 9.7.3.12 and 13): -0.0 is below +0.0; two NaNs give the canonical
/// NaN.
pub fn min_max(format: &Format, a: u64, b: u64, how: MinMax) -> u64 {
    let (mut a, mut b) = if how.ftz { (format.flush(a), format.flush(b)) } else { (a, b) };
    let sign = (a ^ b) & format.sign_mask();
    if how.xorsign_abs || how.abs {
        a &= format.magnitude_mask();
        b &= format.magnitude_mask();
    }
    let (a_nan, b_nan) = (format.is_nan(a), format.is_nan(b));
    let chosen = if (a_nan && b_nan) || (how.nan && (a_nan || b_nan)) {
        return format.nan;
    } else if a_nan {
        b
    } else if b_nan || (key(format, a) < key(format, b)) != how.max {
        a
    } else {
        b
    };
    if how.xorsign_abs { (chosen & format.magnitude_mask()) | sign } else { chosen }
}

/// Maps encodings to integers in the order of their values, -0.0 below +0.0. Not valid for NaNs.
fn key(format: &Format, bits: u64) -> i64 {
    let magnitude = (bits & format.magnitude_mask()) as i64;
    if bits & format.sign_mask() != 0 { !magnitude } else { magnitude }
}

/// Compares two numbers; `None` if one is a NaN; zeros are equal. With `ftz` subnormal inputs count
/// as zero.
#[inline]
pub fn compare(format: &Format, a: u64, b: u64, ftz: bool) -> Option<std::cmp::Ordering> {
    let (a, b) = if ftz { (format.flush(a), format.flush(b)) } else { (a, b) };
    if format.is_nan(a) || format.is_nan(b) {
        return None;
    }
    if (a | b) & format.magnitude_mask() == 0 {
        return Some(std::cmp::Ordering::Equal);
    }
    Some(key(format, a).cmp(&key(format, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    fn bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    #[test]
    fn nans_are_canonical() {
        let signalling = 0xff80_0001;
        assert_eq!(add(&F32, signalling, bits(1.0), Mode::RN), 0x7fff_ffff);
        assert_eq!(sub(&F32, F32.infinity(), F32.infinity(), Mode::RN), 0x7fff_ffff);
        assert_eq!(mul(&F64, 0, F64.infinity(), Mode::RN), 0xfff8_0000_0000_0000);
        assert_eq!(sqrt(&F32, bits(-1.0), Mode::RN), 0x7fff_ffff);
    }

    #[test]
    fn tiny_is_what_rounds_below_the_normal_numbers_with_any_exponent() {
        // (1 - 2^-24) * 2^-126 is halfway between the largest subnormal and the least normal
        // number. ptxas 13.0.88 folds the product to zero with `.ftz`, and to the least normal
        // number without.
        let (a, b, least) = (0x3f7f_ffff, 0x0080_0000, 0x0080_0000);
        let ftz = |rounding| Mode { rounding, ftz: true, sat: false };
        assert_eq!(mul(&F32, a, b, Mode::RN), least);
        assert_eq!(mul(&F32, a, b, ftz(Rounding::Nearest)), 0);
        assert_eq!(mul(&F32, a | 0x8000_0000, b, ftz(Rounding::Nearest)), 0x8000_0000);
        assert_eq!(fma(&F32, a, b, 0, ftz(Rounding::Nearest)), 0);
        assert_eq!(mul(&F32, a, b, ftz(Rounding::Up)), 0, "it needs no rounding when exponents have no bound");
    }

    #[test]
    fn flushing_keeps_the_sign() {
        let ftz = Mode { ftz: true, ..Mode::RN };
        assert_eq!(mul(&F32, bits(-1e-30), bits(1e-10), ftz), 0x8000_0000);
        assert_eq!(add(&F32, 0x8000_0001, 0x8000_0001, ftz), 0x8000_0000);
        assert_eq!(add(&F32, 1, bits(1.0), ftz), bits(1.0));
    }

    #[test]
    fn saturation_clamps_and_drops_nans() {
        let sat = Mode { sat: true, ..Mode::RN };
        assert_eq!(add(&F32, bits(0.75), bits(0.75), sat), bits(1.0));
        assert_eq!(add(&F32, bits(-0.75), bits(0.5), sat), 0);
        assert_eq!(add(&F32, F32.nan, bits(0.5), sat), 0);
        assert_eq!(add(&F32, bits(0.25), bits(0.5), sat), bits(0.75));
    }

    #[test]
    fn an_exact_zero_is_negative_only_when_rounding_down() {
        let down = Mode { rounding: Rounding::Down, ..Mode::RN };
        assert_eq!(sub(&F32, bits(3.0), bits(3.0), down), 0x8000_0000);
        assert_eq!(sub(&F32, bits(3.0), bits(3.0), Mode::RN), 0);
    }

    #[test]
    fn min_max_follow_the_manual() {
        let min = MinMax::default();
        let max = MinMax { max: true, ..min };
        assert_eq!(min_max(&F32, bits(0.0), bits(-0.0), min), bits(-0.0));
        assert_eq!(min_max(&F32, bits(-0.0), bits(0.0), max), bits(0.0));
        assert_eq!(min_max(&F32, F32.nan, bits(2.0), max), bits(2.0));
        assert_eq!(min_max(&F32, bits(2.0), F32.nan, MinMax { nan: true, ..max }), F32.nan);
        assert_eq!(min_max(&F32, F32.nan, 0xffc0_0000, max), F32.nan);
        let xor = MinMax { xorsign_abs: true, ..max };
        assert_eq!(min_max(&F32, bits(-3.0), bits(2.0), xor), bits(-3.0));
        assert_eq!(min_max(&F32, bits(-3.0), bits(-2.0), xor), bits(3.0));
    }

    #[test]
    fn comparison_knows_zeros_and_nans() {
        assert_eq!(compare(&F32, bits(0.0), bits(-0.0), false), Some(Ordering::Equal));
        assert_eq!(compare(&F32, bits(-1.0), bits(-2.0), false), Some(Ordering::Greater));
        assert_eq!(compare(&F32, F32.nan, bits(0.0), false), None);
        assert_eq!(compare(&F32, 1, 0, true), Some(Ordering::Equal));
    }
}
