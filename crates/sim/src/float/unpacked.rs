//! A number independent of formats: sign, wide significand, exponent; exact arithmetic, and
//! rounding in one place.

use super::format::{Format, Specials};

/// Rounding of an inexact result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rounding {
    /// `.rn`: to nearest, ties to even.
    #[default]
    Nearest,
    /// `.rz`: towards zero.
    Zero,
    /// `.rm`: towards minus infinity.
    Down,
    /// `.rp`: towards plus infinity.
    Up,
    /// `.rna`: to nearest, ties away from zero.
    NearestAway,
}

/// A value outside any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpacked {
    /// Not a number; payloads are dropped.
    Nan,
    /// Infinity; true is negative.
    Infinity(bool),
    /// Zero; true is negative.
    Zero(bool),
    /// (-1)^negative * significand * 2^exponent, significand not zero. The lowest bit may be
    /// sticky, for everything below it; operations leave at least two bits between it and any
    /// rounding position.
    Finite {
        /// Sign.
        negative: bool,
        /// Exponent of the lowest bit of `significand`.
        exponent: i32,
        /// Magnitude, never zero.
        significand: u128,
    },
}

use Unpacked::{Finite, Infinity, Nan, Zero};

/// Shifts right and ORs everything shifted out into the lowest bit.
fn shift_right_sticky(value: u128, by: u32) -> u128 {
    match by {
        0 => value,
        1..=127 => (value >> by) | u128::from(value << (128 - by) != 0),
        _ => u128::from(value != 0),
    }
}

impl Unpacked {
    /// Decodes an encoding.
    pub fn unpack(format: &Format, bits: u64) -> Unpacked {
        let negative = bits & format.sign_mask() != 0;
        let magnitude = bits & format.magnitude_mask();
        if magnitude == 0 {
            return Zero(negative);
        }
        if format.is_nan(bits) {
            return Nan;
        }
        if format.specials == Specials::Ieee && magnitude == format.infinity() {
            return Infinity(negative);
        }
        let field = (magnitude >> format.fraction_bits) as i32;
        let fraction = magnitude & (format.min_normal() - 1);
        let hidden = if field == 0 { 0 } else { format.min_normal() };
        let exponent = field.max(1) - format.bias() - format.fraction_bits as i32;
        Finite { negative, exponent, significand: u128::from(fraction | hidden) }
    }

    /// Rounds to `format`. `satfinite` replaces infinities and overflow by the largest finite
    /// number.
    pub fn pack(self, format: &Format, rounding: Rounding, satfinite: bool) -> u64 {
        let sign = |negative: bool| if negative { format.sign_mask() } else { 0 };
        let (negative, exponent, significand) = match self {
            Nan => return format.nan,
            Zero(negative) => return sign(negative),
            Infinity(negative) => {
                return sign(negative)
                    | match format.specials {
                        _ if satfinite => format.max_finite(),
                        Specials::Ieee => format.infinity(),
                        Specials::NanOnly => format.magnitude_mask(),
                        Specials::Finite => format.max_finite(),
                    };
            }
            Finite { negative, exponent, significand } => (negative, exponent, significand),
        };
        let top = exponent + 127 - significand.leading_zeros() as i32;
        let lowest_normal = 1 - format.bias();
        let unit = top.max(lowest_normal) - format.fraction_bits as i32;
        let by = unit - exponent;
        let kept = if by <= 0 {
            // Exact: the significand fits after the left shift because it is narrower than the
            // format's.
            significand << (-by) as u32
        } else {
            round_at(significand, by as u32, rounding, negative)
        };
        // A carry out of the significand increments the exponent field by itself.
        let field = (unit - lowest_normal + format.fraction_bits as i32) as u64;
        let magnitude = (field << format.fraction_bits) + kept as u64;
        if field < (1 << format.exponent_bits) && magnitude <= format.max_finite() {
            return sign(negative) | magnitude;
        }
        let to_infinity = match rounding {
            Rounding::Nearest | Rounding::NearestAway => true,
            Rounding::Zero => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        };
        if to_infinity {
            Infinity(negative).pack(format, rounding, satfinite)
        } else {
            sign(negative) | format.max_finite()
        }
    }

    /// Whether it is below the least normal number of `format` when rounded to its precision with
    /// unbounded exponents. This is how `.ftz` decides on results ("ptxas 13.0.88 output": its
    /// folded products, and the bounds it compares with around `cvt.ftz.f32.f64`).
    pub fn is_tiny(self, format: &Format, rounding: Rounding) -> bool {
        let Finite { negative, exponent, significand } = self else { return matches!(self, Zero(_)) };
        let up = format.bias() / 2;
        let raised = Finite { negative, exponent: exponent + up, significand }.pack(format, rounding, false);
        (raised & format.magnitude_mask()) >> format.fraction_bits < 1 + up as u64
    }

    /// The exact value of an integer.
    pub fn from_integer(negative: bool, magnitude: u64) -> Unpacked {
        if magnitude == 0 {
            return Zero(false);
        }
        Finite { negative, exponent: 0, significand: u128::from(magnitude) }
    }

    /// Rounds to an integral value, like `cvt` with `.rni`, `.rzi`, `.rmi`, `.rpi`; a zero result
    /// keeps the sign.
    pub fn round_to_integral(self, rounding: Rounding) -> Unpacked {
        match self {
            Finite { negative, exponent, significand } if exponent < 0 => {
                match round_at(significand, exponent.unsigned_abs(), rounding, negative) {
                    0 => Zero(negative),
                    integer => Finite { negative, exponent: 0, significand: integer },
                }
            }
            other => other,
        }
    }

    /// The same value with the other sign.
    pub fn negate(self) -> Unpacked {
        match self {
            Nan => Nan,
            Infinity(negative) => Infinity(!negative),
            Zero(negative) => Zero(!negative),
            Finite { negative, exponent, significand } => Finite { negative: !negative, exponent, significand },
        }
    }

    /// Significand with its top bit at 126, so that a sum cannot overflow, and the matching
    /// exponent.
    fn normalized(exponent: i32, significand: u128) -> (i32, u128) {
        let by = significand.leading_zeros() as i32 - 1;
        if by >= 0 {
            (exponent - by, significand << by as u32)
        } else {
            (exponent + 1, shift_right_sticky(significand, 1))
        }
    }

    /// Sum. `rounding` only determines the sign of an exact zero.
    pub fn plus(self, other: Unpacked, rounding: Rounding) -> Unpacked {
        let zero = rounding == Rounding::Down;
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinity(a), Infinity(b)) => {
                if a == b {
                    Infinity(a)
                } else {
                    Nan
                }
            }
            (Infinity(a), _) | (_, Infinity(a)) => Infinity(a),
            (Zero(a), Zero(b)) => Zero(if a == b { a } else { zero }),
            (Zero(_), x) | (x, Zero(_)) => x,
            (
                Finite { negative: an, exponent: ae, significand: am },
                Finite { negative: bn, exponent: be, significand: bm },
            ) => {
                let (ae, am) = Self::normalized(ae, am);
                let (be, bm) = Self::normalized(be, bm);
                let ((ln, le, lm), (sn, se, sm)) =
                    if (ae, am) >= (be, bm) { ((an, ae, am), (bn, be, bm)) } else { ((bn, be, bm), (an, ae, am)) };
                let sm = shift_right_sticky(sm, le.abs_diff(se));
                let significand = if ln == sn { lm + sm } else { lm - sm };
                if significand == 0 { Zero(zero) } else { Finite { negative: ln, exponent: le, significand } }
            }
        }
    }

    /// Product; exact for significands of at most 64 bits.
    pub fn times(self, other: Unpacked) -> Unpacked {
        match (self, other) {
            (Nan, _) | (_, Nan) | (Zero(_), Infinity(_)) | (Infinity(_), Zero(_)) => Nan,
            (Infinity(a), x) | (x, Infinity(a)) => Infinity(a ^ x.is_negative()),
            (Zero(a), x) | (x, Zero(a)) => Zero(a ^ x.is_negative()),
            (
                Finite { negative: an, exponent: ae, significand: am },
                Finite { negative: bn, exponent: be, significand: bm },
            ) => Finite { negative: an ^ bn, exponent: ae + be, significand: am * bm },
        }
    }

    /// Quotient with at least 63 significant bits, the lowest of them sticky.
    pub fn over(self, other: Unpacked) -> Unpacked {
        match (self, other) {
            (Nan, _) | (_, Nan) | (Zero(_), Zero(_)) | (Infinity(_), Infinity(_)) => Nan,
            (Infinity(a), x) => Infinity(a ^ x.is_negative()),
            (x, Infinity(a)) => Zero(a ^ x.is_negative()),
            (Zero(a), x) => Zero(a ^ x.is_negative()),
            (x, Zero(a)) => Infinity(a ^ x.is_negative()),
            (
                Finite { negative: an, exponent: ae, significand: am },
                Finite { negative: bn, exponent: be, significand: bm },
            ) => {
                let (ae, am) = Self::normalized(ae, am);
                let significand = (am / bm) | u128::from(am % bm != 0);
                Finite { negative: an ^ bn, exponent: ae - be, significand }
            }
        }
    }

    /// Square root with 63 significant bits, the lowest of them sticky.
    pub fn sqrt(self) -> Unpacked {
        match self {
            Nan => Nan,
            Zero(negative) => Zero(negative),
            Infinity(false) => Infinity(false),
            Infinity(true) | Finite { negative: true, .. } => Nan,
            Finite { negative: false, exponent, significand } => {
                let (mut exponent, mut significand) = Self::normalized(exponent, significand);
                if exponent & 1 != 0 {
                    exponent -= 1;
                    significand <<= 1;
                }
                let root = significand.isqrt();
                let significand = (root << 1) | u128::from(root * root != significand);
                Finite { negative: false, exponent: exponent / 2 - 1, significand }
            }
        }
    }

    /// Sign; false for NaN.
    pub fn is_negative(self) -> bool {
        match self {
            Nan => false,
            Infinity(negative) | Zero(negative) | Finite { negative, .. } => negative,
        }
    }
}

/// `significand / 2^by`, rounded to an integer. `by` is at least 1.
fn round_at(significand: u128, by: u32, rounding: Rounding, negative: bool) -> u128 {
    let (kept, rest, half) = match by {
        0..=127 => (significand >> by, significand & ((1 << by) - 1), 1u128 << (by - 1)),
        128 => (0, significand, 1 << 127),
        // Far below half: any value smaller than the half compares correctly.
        _ => (0, 1, 2),
    };
    let up = match rounding {
        Rounding::Nearest => rest > half || (rest == half && kept & 1 != 0),
        Rounding::NearestAway => rest >= half,
        Rounding::Zero => false,
        Rounding::Down => negative && rest != 0,
        Rounding::Up => !negative && rest != 0,
    };
    kept + u128::from(up)
}

#[cfg(test)]
mod tests {
    use super::super::format::{E2M1, E4M3, F16, F32};
    use super::*;

    #[test]
    fn every_f16_reads_back() {
        for bits in 0..=0xffffu64 {
            let expected = F16.canonical(bits);
            assert_eq!(Unpacked::unpack(&F16, bits).pack(&F16, Rounding::Nearest, false), expected);
        }
    }

    #[test]
    fn overflow_goes_where_the_rounding_points() {
        let huge = Finite { negative: true, exponent: 200, significand: 1 };
        assert_eq!(huge.pack(&F32, Rounding::Nearest, false), 0xff80_0000);
        assert_eq!(huge.pack(&F32, Rounding::Zero, false), 0xff7f_ffff);
        assert_eq!(huge.pack(&F32, Rounding::Up, false), 0xff7f_ffff);
        assert_eq!(huge.pack(&F32, Rounding::Down, false), 0xff80_0000);
        assert_eq!(huge.pack(&E4M3, Rounding::Nearest, true), 0xfe);
        assert_eq!(huge.pack(&E2M1, Rounding::Nearest, true), 0xf);
    }

    #[test]
    fn tiny_values_round_to_zero_or_the_smallest_subnormal() {
        let tiny = Finite { negative: false, exponent: -5000, significand: 3 };
        assert_eq!(tiny.pack(&F32, Rounding::Nearest, false), 0);
        assert_eq!(tiny.pack(&F32, Rounding::Up, false), 1);
    }
}
