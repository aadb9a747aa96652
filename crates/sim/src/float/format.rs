//! The binary formats as data: field widths, and encodings of infinities and NaNs.

/// The meaning of encodings with the largest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// IEEE 754: infinities and NaNs.
    Ieee,
    /// No infinity; only exponent and fraction all ones is a NaN (e4m3, OCP 8-bit floating point).
    NanOnly,
    /// Every encoding is a finite number (e2m1, e2m3, e3m2).
    Finite,
}

/// A binary floating-point format of at most 64 bits.
#[derive(Debug, PartialEq, Eq)]
pub struct Format {
    /// Width of the exponent field in bits.
    pub exponent_bits: u32,
    /// Width of the fraction field in bits, the hidden bit not counted.
    pub fraction_bits: u32,
    /// Meaning of the top exponent.
    pub specials: Specials,
    /// The one NaN that operations return. For formats without NaN: the largest finite number,
    /// which is what PTX conversions return for a NaN (PTX ISA 9.0, `cvt`, `.satfinite`).
    pub nan: u64,
}

impl Format {
    const fn new(exponent_bits: u32, fraction_bits: u32, specials: Specials, nan: u64) -> Self {
        Format { exponent_bits, fraction_bits, specials, nan }
    }

    /// Width of an encoding in bits.
    pub const fn bits(&self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// Exponent bias.
    pub const fn bias(&self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Mask of the sign bit.
    pub const fn sign_mask(&self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// Mask of all bits but the sign.
    pub const fn magnitude_mask(&self) -> u64 {
        self.sign_mask() - 1
    }

    /// Encoding of positive infinity, if the format has one; also the first magnitude above the
    /// finite ones of an IEEE format.
    pub const fn infinity(&self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// Encoding of the largest finite magnitude.
    pub const fn max_finite(&self) -> u64 {
        match self.specials {
            Specials::Ieee => self.infinity() - 1,
            Specials::NanOnly => self.magnitude_mask() - 1,
            Specials::Finite => self.magnitude_mask(),
        }
    }

    /// Encoding of 1.0.
    pub const fn one(&self) -> u64 {
        (self.bias() as u64) << self.fraction_bits
    }

    /// Encoding of the smallest positive normal number.
    pub const fn min_normal(&self) -> u64 {
        1 << self.fraction_bits
    }

    /// Whether `bits` encodes a NaN.
    #[inline]
    pub const fn is_nan(&self, bits: u64) -> bool {
        let magnitude = bits & self.magnitude_mask();
        match self.specials {
            Specials::Ieee => magnitude > self.infinity(),
            Specials::NanOnly => magnitude == self.magnitude_mask(),
            Specials::Finite => false,
        }
    }

    /// Whether `bits` encodes a subnormal number (zero does not count).
    #[inline]
    pub const fn is_subnormal(&self, bits: u64) -> bool {
        let magnitude = bits & self.magnitude_mask();
        magnitude != 0 && magnitude < self.min_normal()
    }

    /// Returns `bits`, or the zero of its sign if it is subnormal: the effect of `.ftz` on inputs
    /// and results.
    #[inline]
    pub const fn flush(&self, bits: u64) -> u64 {
        if self.is_subnormal(bits) { bits & self.sign_mask() } else { bits }
    }

    /// Returns `bits`, or the canonical NaN if it is any NaN.
    #[inline]
    pub const fn canonical(&self, bits: u64) -> u64 {
        if self.is_nan(bits) { self.nan } else { bits }
    }
}

/// IEEE binary16 (`.f16`); canonical NaN 0x7fff (PTX ISA 9.0, 9.7.4).
pub static F16: Format = Format::new(5, 10, Specials::Ieee, 0x7fff);
/// bfloat16 (`.bf16`); canonical NaN 0x7fff.
pub static BF16: Format = Format::new(8, 7, Specials::Ieee, 0x7fff);
/// The 19 bits of `.tf32`; in a `.b32` register they are the upper ones. See
/// [`crate::float::tf32_rna`].
pub static TF32: Format = Format::new(8, 10, Specials::Ieee, 0x3ffff);
/// IEEE binary32 (`.f32`); canonical NaN 0x7fffffff (PTX ISA 9.0, 9.7.3).
pub static F32: Format = Format::new(8, 23, Specials::Ieee, 0x7fff_ffff);
/// IEEE binary64 (`.f64`); the NaN that code of ptxas 13.0.88 returns for an invalid operation
/// (`-0x80000` as upper half in the slow path of `rsqrt.approx.f64`).
pub static F64: Format = Format::new(11, 52, Specials::Ieee, 0xfff8_0000_0000_0000);
/// `.e4m3`: no infinities (PTX ISA 9.0, 5.2.3).
pub static E4M3: Format = Format::new(4, 3, Specials::NanOnly, 0x7f);
/// `.e5m2`: IEEE-like; canonical NaN 0x7f (PTX ISA 9.0, 5.2.3).
pub static E5M2: Format = Format::new(5, 2, Specials::Ieee, 0x7f);
/// `.e2m3`: finite numbers only.
pub static E2M3: Format = Format::new(2, 3, Specials::Finite, 0x1f);
/// `.e3m2`: finite numbers only.
pub static E3M2: Format = Format::new(3, 2, Specials::Finite, 0x1f);
/// `.e2m1`: finite numbers only.
pub static E2M1: Format = Format::new(2, 1, Specials::Finite, 0x7);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_of_landmarks() {
        assert_eq!(F32.one(), 1.0f32.to_bits() as u64);
        assert_eq!(F64.one(), 1.0f64.to_bits());
        assert_eq!(F32.max_finite(), f32::MAX.to_bits() as u64);
        assert_eq!(F64.infinity(), f64::INFINITY.to_bits());
        assert_eq!(E4M3.max_finite(), 0x7e);
        assert_eq!(E2M1.max_finite(), 0x7);
        assert!(E4M3.is_nan(0xff) && !E4M3.is_nan(0x78));
        assert_eq!(F32.flush(0x8000_0001), 0x8000_0000);
        assert_eq!(F32.flush(0x0080_0000), 0x0080_0000);
    }
}
