//! Scalar types of kernel arguments, their bytes, and the distance between two values.

use half::f16;
use serde::Deserialize;

/// Scalar type of an argument, or of the elements of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are those of PTX")]
pub enum Scalar {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F64,
}

impl Scalar {
    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 | Self::F16 => 2,
            Self::U32 | Self::S32 | Self::F32 => 4,
            Self::U64 | Self::S64 | Self::F64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// The number nearest to `value`, little-endian. Integers wrap to their width.
    pub(crate) fn bytes(self, value: f64) -> Vec<u8> {
        match self {
            Self::F16 => f16::from_f64(value).to_le_bytes().to_vec(),
            Self::F32 => (value as f32).to_le_bytes().to_vec(),
            Self::F64 => value.to_le_bytes().to_vec(),
            _ => (value as i128).to_le_bytes()[..self.size()].to_vec(),
        }
    }

    /// The element as a number: exact except for 64-bit integers above 2^53.
    pub(crate) fn value(self, bytes: &[u8]) -> f64 {
        let mut raw = [0; 8];
        raw[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(raw);
        let unused = 64 - 8 * self.size();
        match self {
            Self::F16 => f16::from_bits(bits as u16).to_f64(),
            Self::F32 => f32::from_bits(bits as u32).into(),
            Self::F64 => f64::from_bits(bits),
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => bits as f64,
            Self::S8 | Self::S16 | Self::S32 | Self::S64 => (((bits << unused) as i64) >> unused) as f64,
        }
    }

    /// The number of representable values between two floats: 0 for equal bits, for two NaNs, and
    /// for -0 and +0.
    pub(crate) fn ulps(self, a: &[u8], b: &[u8]) -> u64 {
        let (x, y) = (self.value(a), self.value(b));
        if x.is_nan() || y.is_nan() {
            return if x.is_nan() && y.is_nan() { 0 } else { u64::MAX };
        }
        let ordered = |bytes: &[u8]| {
            let mut raw = [0; 8];
            raw[..bytes.len()].copy_from_slice(bytes);
            let (bits, sign) = (u64::from_le_bytes(raw), 1u64 << (8 * self.size() - 1));
            if bits & sign == 0 { bits as i64 } else { -((bits & !sign) as i64) }
        };
        ordered(a).abs_diff(ordered(b))
    }
}

/// A Rust type that elements can be read as.
pub trait Element: Copy {
    /// Its type in a launch description. Signedness does not matter for access.
    const SIZE: usize;
    /// Reads one element, little-endian.
    fn read(bytes: &[u8]) -> Self;
    /// Writes one element, little-endian.
    fn write(self, out: &mut Vec<u8>);
}

macro_rules! elements {
    ($($ty:ty),*) => {$(
        impl Element for $ty {
            const SIZE: usize = size_of::<$ty>();
            fn read(bytes: &[u8]) -> Self {
                let mut raw = [0; size_of::<$ty>()];
                raw.copy_from_slice(bytes);
                Self::from_le_bytes(raw)
            }
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

elements!(u8, i8, u16, i16, u32, i32, u64, i64, f16, f32, f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_crosses_zero_and_nan_is_far() {
        let ulps = |a: f64, b: f64| Scalar::F32.ulps(&Scalar::F32.bytes(a), &Scalar::F32.bytes(b));
        assert_eq!(ulps(-0.0, 0.0), 0);
        assert_eq!(ulps(f64::from(f32::from_bits(1)), -f64::from(f32::from_bits(1))), 2);
        assert_eq!(ulps(f64::NAN, 1.0), u64::MAX);
    }

    #[test]
    fn integers_wrap_and_read_back() {
        assert_eq!(Scalar::S8.value(&Scalar::S8.bytes(-3.0)), -3.0);
        assert_eq!(Scalar::U32.bytes(4_294_967_295.0), [255; 4]);
    }
}
