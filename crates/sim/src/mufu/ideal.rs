//! Elementary functions in binary64 from basic operations only, so that every host gives the same
//! bits. Relative errors are below 2^-49 (absolute ones for the sine), far below half a unit of any
//! 32-bit result.

use std::f64::consts::{LN_2, LOG2_E, TAU};

/// Sum of coefficients times powers of `x`, lowest first.
fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// 1/0!, 1/1!, ... 1/15!.
const INVERSE_FACTORIALS: [f64; 16] = {
    let mut table = [1.0; 16];
    let mut n = 1;
    while n < 16 {
        table[n] = table[n - 1] / n as f64;
        n += 1;
    }
    table
};

/// 2^n as binary64 for n in -1022..=1023.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// 2^x; results beyond the range of binary32 are only known to be beyond it.
pub fn exp2(x: f64) -> f64 {
    let x = x.clamp(-400.0, 400.0);
    let whole = x.round();
    // |fraction| <= 0.5, so 15 terms of the exponential series leave less than 2^-60.
    polynomial((x - whole) * LN_2, &INVERSE_FACTORIALS) * power_of_two(whole as i32)
}

/// log2(x) of a positive normal number.
pub fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)); the argument is at most 0.172, its square 0.0295.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut series = 0.0;
    for k in (0..13).rev() {
        series = series * square + 1.0 / f64::from(2 * k + 1);
    }
    f64::from(exponent) + 2.0 * s * series * LOG2_E
}

/// sin(2 pi x), `x` in revolutions.
pub fn sin_turns(x: f64) -> f64 {
    // Exact: both operations are, and above 2^52 every number is integral.
    let turn = x - x.round();
    sine_cosine(turn).0
}

/// cos(2 pi x), `x` in revolutions.
pub fn sin_turns_quarter(x: f64) -> f64 {
    sine_cosine(x - x.round()).1
}

/// Sine and cosine of `turn` revolutions, -0.5..=0.5: reduced to an eighth, where both series
/// converge fast.
fn sine_cosine(turn: f64) -> (f64, f64) {
    let quarter = (turn * 4.0).round();
    let angle = (turn - quarter * 0.25) * TAU;
    let square = angle * angle;
    let term = |n: usize| if (n / 2).is_multiple_of(2) { INVERSE_FACTORIALS[n] } else { -INVERSE_FACTORIALS[n] };
    let sine = angle * polynomial(square, &[1, 3, 5, 7, 9, 11, 13, 15].map(term));
    let cosine = polynomial(square, &[0, 2, 4, 6, 8, 10, 12, 14].map(term));
    match quarter as i32 & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// tanh(x).
pub fn tanh(x: f64) -> f64 {
    let magnitude = x.abs();
    let result = if magnitude < 0.125 {
        // e^2x - 1 by a separate series: the difference would cancel.
        let double = 2.0 * magnitude;
        let less_one = double * polynomial(double, &INVERSE_FACTORIALS[1..]);
        less_one / (less_one + 2.0)
    } else if magnitude > 30.0 {
        1.0
    } else {
        1.0 - 2.0 / (exp2(2.0 * magnitude * LOG2_E) + 1.0)
    };
    result.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_the_host_library() {
        for step in 0..100_000 {
            let x = f64::from(step - 50_000) * 0.000_731;
            let close = |ours: f64, theirs: f64, what: &str| {
                let allowed = theirs.abs().max(0.25) * 4e-15;
                assert!((ours - theirs).abs() <= allowed, "{what}({x}): {ours} and {theirs}");
            };
            close(exp2(x), x.exp2(), "exp2");
            close(tanh(x), x.tanh(), "tanh");
            let turn = x - x.round();
            close(sin_turns(x), (turn * TAU).sin(), "sin");
            close(sin_turns_quarter(x), (turn * TAU).cos(), "cos");
            if x > 0.0 {
                close(log2(x), x.log2(), "log2");
            }
        }
    }
}
