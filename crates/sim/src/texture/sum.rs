//! The weights of filtered texels, and their sum.
//!
//! What no public document says was found from the results of an H100 (`tests/corpus/gpu/textures`):
//! * weights are integers, whose sum is [`ONE`]: along one axis the fraction and its complement; the
//!   weight of both second texels of two axes is the product, rounded to nearest, and the others
//!   keep the sums along each axis;
//! * the sum of normalised texels is exact, then rounded to 16 bits, ties upwards;
//! * texels of binary16 and binary32 are aligned to the largest exponent among them, with four bits
//!   more than their mantissa has; what is below is cut off. The sum is exact, then rounded to the
//!   format of the texels, ties away from zero.
//!
//! Not found are the weights of one in 18 places in three dimensions, and the numbers that texels of
//! sRGB become: binary16, which the exact value rounded is not.

use super::coords::{Along, ONE};
use super::{Channel, Format};

/// The weights of the texels along two axes, the first one fastest.
fn plane(x: u32, y: u32) -> [u32; 4] {
    let both = half(x * y);
    [ONE + both - x - y, x - both, y - both, both]
}

/// A product of two weights, rounded.
fn half(product: u32) -> u32 {
    (product + ONE / 2) / ONE
}

/// The weights of eight texels: along the first axis fastest.
pub fn cube([x, y, z]: [&Along; 3]) -> [u32; 8] {
    let near = plane(x.fraction, y.fraction);
    let far = share(near, z.fraction);
    std::array::from_fn(|n| if n < 4 { near[n] - far[n] } else { far[n - 4] })
}

/// The part of each weight that goes to the second of two places; together they have the fraction of
/// the sum.
pub fn share<const N: usize>(weights: [u32; N], fraction: u32) -> [u32; N] {
    let (mut sum, mut given) = (0, 0);
    weights.map(|weight| {
        sum += weight * fraction;
        let to = half(sum);
        let part = to - given;
        given = to;
        part
    })
}

/// How a channel is summed.
enum Sum {
    /// As an integer, of this range, in steps of a fraction of one.
    Steps(f64, f64),
    /// As a binary number with this many bits of mantissa and this least exponent.
    Binary(i32, i32),
}

fn sum_of(format: &Format, channel: usize) -> Sum {
    let top = (1u64 << (format.channel.bits() - u32::from(matches!(format.channel, Channel::Signed(_))))) - 1;
    match format.channel {
        _ if format.srgb && channel < 3 => Sum::Binary(11, -14),
        Channel::Unsigned(_) => Sum::Steps(top as f64, 65535.0),
        Channel::Signed(_) => Sum::Steps(top as f64, 32767.0),
        Channel::Float(16) => Sum::Binary(11, -14),
        Channel::Float(_) => Sum::Binary(24, -126),
    }
}

/// The exponent of a number, of one if it is zero.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// The sum of channel `channel` of texels, as binary32 numbers with their weights.
pub fn weighted(format: &Format, channel: usize, terms: &[(f32, u32)]) -> f32 {
    let one = f64::from(ONE);
    let sum = |of: &dyn Fn(f64) -> f64| {
        terms.iter().map(|&(value, weight)| of(f64::from(value)) * f64::from(weight)).sum::<f64>() / one
    };
    if terms.iter().any(|(value, _)| !value.is_finite()) {
        return sum(&|value| value) as f32;
    }
    match sum_of(format, channel) {
        // The upper one of two integers that are as near.
        Sum::Steps(top, unit) => ((sum(&|value| (value * top).round()) * unit / top + 0.5).floor() / unit) as f32,
        Sum::Binary(bits, least) => {
            let largest = terms.iter().fold(0f64, |most, (value, _)| most.max(f64::from(value.abs())));
            if largest == 0.0 {
                return terms.iter().map(|&(value, _)| value).sum();
            }
            let unit = |of: f64, bits: i32| 2f64.powi(exponent(of).max(least) + 1 - bits);
            let aligned = unit(largest, bits + GUARD);
            // At most 28 bits, times 9 of weight, of 16 texels: exact.
            let exact = sum(&|value| (value / aligned).trunc() * aligned);
            let last = unit(exact, bits);
            ((exact / last).round() * last) as f32
        }
    }
}

/// Bits of an aligned texel beside those of its mantissa.
const GUARD: i32 = 4;
