//! References from the host's IEEE arithmetic, fast enough for 2^32 operands.
//!
//! The host rounds to nearest. For other roundings the nearest result is compared with the exact
//! one by a product that f64 represents exactly (two f32 have 48 significant bits), and moved by
//! one unit if it is on the wrong side.

use raddle_sim::float::{F32, F64, Rounding};

/// Replaces a NaN by the canonical one.
#[inline(always)]
pub fn canonical(x: f32) -> u32 {
    if x.is_nan() { F32.nan as u32 } else { x.to_bits() }
}

/// The same for f64.
#[inline(always)]
pub fn canonical64(x: f64) -> u64 {
    if x.is_nan() { F64.nan } else { x.to_bits() }
}

/// If `ftz`, replaces a subnormal by the zero of its sign.
#[inline(always)]
pub fn flush_if(x: u32, ftz: bool) -> u32 {
    if ftz && x & 0x7f80_0000 == 0 { x & 0x8000_0000 } else { x }
}

/// A function whose operand and result are flushed if `ftz`.
#[inline(always)]
pub fn with_ftz(x: u32, ftz: bool, f: impl Fn(f32) -> f32) -> u32 {
    flush_if(canonical(f(f32::from_bits(flush_if(x, ftz)))), ftz)
}

/// The result of a rounding, from the nearest result and its comparison with the exact one.
#[inline(always)]
fn directed(nearest: f32, exact: std::cmp::Ordering, rounding: Rounding) -> f32 {
    let up = match rounding {
        Rounding::Up => true,
        Rounding::Down => false,
        Rounding::Zero => nearest.is_sign_negative(),
        _ => return nearest,
    };
    match (exact, up) {
        (std::cmp::Ordering::Greater, true) => nearest.next_up(),
        (std::cmp::Ordering::Less, false) => nearest.next_down(),
        _ => nearest,
    }
}

/// `1 / x`.
#[inline(always)]
pub fn reciprocal(x: f32, rounding: Rounding) -> f32 {
    let nearest = 1.0 / x;
    if x.is_nan() || x.is_infinite() || x == 0.0 {
        return nearest;
    }
    // Compares 1/x with nearest: 1 with nearest * x, reversed if x is negative. Above the largest
    // number the nearest is infinite, and the exact one smaller in magnitude.
    let product = f64::from(nearest) * f64::from(x);
    let exact = 1.0f64.partial_cmp(&product).unwrap_or(std::cmp::Ordering::Equal);
    directed(nearest, if x < 0.0 { exact.reverse() } else { exact }, rounding)
}

/// Square root.
#[inline(always)]
pub fn root(x: f32, rounding: Rounding) -> f32 {
    let nearest = x.sqrt();
    if nearest.is_nan() || nearest.is_infinite() {
        return nearest;
    }
    let square = f64::from(nearest) * f64::from(nearest);
    directed(nearest, f64::from(x).partial_cmp(&square).unwrap_or(std::cmp::Ordering::Equal), rounding)
}

/// Converts f64 to f32.
#[inline(always)]
pub fn to_f32(x: f64, rounding: Rounding) -> f32 {
    let nearest = x as f32;
    directed(nearest, x.partial_cmp(&f64::from(nearest)).unwrap_or(std::cmp::Ordering::Equal), rounding)
}

/// Rounds to an integral value.
#[inline(always)]
pub fn integral(x: f32, rounding: Rounding) -> f32 {
    match rounding {
        Rounding::Zero => x.trunc(),
        Rounding::Down => x.floor(),
        Rounding::Up => x.ceil(),
        _ => x.round_ties_even(),
    }
}

/// Converts to a 16-bit format, rounding to nearest or towards zero.
#[inline(always)]
pub fn narrowed<T: Copy>(
    x: u32,
    rounding: Rounding,
    nearest: impl Fn(f32) -> T,
    back: impl Fn(T) -> f32,
    bits: impl Fn(T) -> u16,
) -> u64 {
    let x = f32::from_bits(x);
    if x.is_nan() {
        return 0x7fff;
    }
    let result = nearest(x);
    // One encoding less is one towards zero, also from infinity.
    let beyond = rounding == Rounding::Zero && back(result).abs() > x.abs();
    u64::from(bits(result)) - u64::from(beyond)
}
