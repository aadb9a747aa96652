//! One model of the multi-function unit, shared by interpreter and simulator.
//!
//! Problem: the bit patterns of `MUFU` are not documented and no GPU was available to record them;
//! yet both machines must agree, and code that is meant to be correctly rounded (division,
//! reciprocal, square root) must be so for every result of the unit within its documented error.
//! Strategy: each operation has an ideal result and a documented bound (PTX ISA 9.0, `.approx`
//! instructions). An [`ErrorSetting`] selects the ideal result or either end of the bound. Only
//! IEEE basic operations of the host are used, so the bits are the same everywhere. Invariants:
//! special operands give exactly the results of the manual's tables under every setting; subnormal
//! operands and results are zeros of their sign (except for the hyperbolic tangent), as in the
//! `.ftz` forms (the forms without `.ftz` are expansions around them).

mod ideal;

use crate::float::{BF16, F16, F32, F64, Format, Mode, Rounding, to_float};

/// An operation of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// 1 / x.
    Rcp,
    /// 1 / sqrt(x).
    Rsq,
    /// sqrt(x).
    Sqrt,
    /// 2^x.
    Ex2,
    /// log2(x).
    Lg2,
    /// sin(2 pi x): the operand is in revolutions.
    Sin,
    /// cos(2 pi x): the operand is in revolutions.
    Cos,
    /// tanh(x).
    Tanh,
}

/// Which result within the documented error the unit returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ErrorSetting {
    /// The correctly rounded result, as far as an error of 2^-50 decides it.
    #[default]
    Exact = 0,
    /// The smallest magnitude the bound allows (`lg2`, `sin`, `cos`: the lowest value).
    Low = 1,
    /// The largest magnitude the bound allows (`lg2`, `sin`, `cos`: the highest value).
    High = 2,
}

/// The unit with an error setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Mufu {
    /// The selected result within the documented error.
    pub error: ErrorSetting,
}

/// A documented bound: |result - ideal| <= relative * |ideal| + absolute.
struct Bound {
    relative: f64,
    absolute: f64,
}

const fn relative(relative: f64) -> Bound {
    Bound { relative, absolute: 0.0 }
}

const fn absolute(absolute: f64) -> Bound {
    Bound { relative: 0.0, absolute }
}

/// 2^-n, n below 1023.
const fn pow2m(n: u64) -> f64 {
    f64::from_bits((1023 - n) << 52)
}

/// The unit in the last place of binary32 at a value.
#[inline(always)]
const fn ulp32(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & 0x7ff0_0000_0000_0000) * pow2m(23)
}

/// Bounds of the `.f32` forms (PTX ISA 9.0: 9.7.3.14 `rcp` 1 ulp, 9.7.3.15 `sqrt` 2^-23, 9.7.3.16
/// `rsqrt` 2^-22.9, 9.7.3.18 and 19 `sin`, `cos` 2^-20.5 in one period, 9.7.3.20 `lg2` 2^-22,
/// 9.7.3.21 `ex2` 2^-22, 9.7.3.22 `tanh` 2^-11).
#[inline(always)]
fn bound32(function: Function, ideal: f64) -> Bound {
    match function {
        Function::Rcp => absolute(ulp32(ideal)),
        Function::Sqrt => relative(pow2m(23)),
        // 2^-22.9, rounded down.
        Function::Rsq => relative(1.07 * pow2m(23)),
        Function::Ex2 => relative(pow2m(22)),
        // Relative outside (0.5, 2.0), where the logarithm is beyond -1 and 1.
        Function::Lg2 if ideal.abs() >= 1.0 => relative(pow2m(22)),
        Function::Lg2 => absolute(pow2m(22)),
        // 2^-20.5, rounded down.
        Function::Sin | Function::Cos => absolute(1.41 * pow2m(21)),
        Function::Tanh => relative(pow2m(11)),
    }
}

/// Bounds of the 16-bit forms (PTX ISA 9.0, 9.7.4.9 and 10: `tanh` 2^-10.987 absolute for f16 and
/// 2^-8 for bf16, `ex2` 2^-9.9 relative for f16 and 2^-7 for bf16).
fn bound16(format: &'static Format, function: Function) -> Bound {
    let bf16 = std::ptr::eq(format, &BF16);
    match (function, bf16) {
        (Function::Tanh, false) => absolute(1.008 * pow2m(11)),
        (Function::Tanh, true) => absolute(pow2m(8)),
        (_, false) => relative(1.07 * pow2m(10)),
        (_, true) => relative(pow2m(7)),
    }
}

impl Mufu {
    /// Moves the ideal value to the chosen end of its bound, within [-limit, limit], and rounds
    /// back towards the ideal value so that rounding stays within the bound. Zeros, infinities and
    /// NaNs without absolute bound are exact.
    #[inline(always)]
    fn round(self, format: &'static Format, ideal: f64, bound: Bound, limit: f64) -> u64 {
        let by = bound.relative * ideal.abs() + bound.absolute;
        let (value, rounding) = match self.error {
            ErrorSetting::Exact => (ideal, Rounding::Nearest),
            ErrorSetting::Low => (ideal - by, Rounding::Up),
            ErrorSetting::High => (ideal + by, Rounding::Down),
        };
        let value = value.clamp(-limit, limit);
        to_float(&F64, format, value.to_bits(), Mode { rounding, ..Mode::RN }, false)
    }

    /// [`Mufu::round`] of the magnitude, for functions that are odd or positive.
    #[inline(always)]
    fn round_magnitude(self, format: &'static Format, ideal: f64, bound: Bound, limit: f64) -> u64 {
        let magnitude = self.round(format, ideal.abs(), bound, limit).min(format.infinity());
        let magnitude = if magnitude & format.sign_mask() != 0 { 0 } else { magnitude };
        if ideal < 0.0 { magnitude | format.sign_mask() } else { magnitude }
    }

    /// The operation on binary32.
    #[inline(always)]
    pub fn f32(self, function: Function, x: u32) -> u32 {
        // Only the hyperbolic tangent supports subnormals: it returns them (PTX ISA 9.0, `tanh`).
        if function == Function::Tanh && F32.is_subnormal(u64::from(x)) {
            return x;
        }
        let x = F32.flush(u64::from(x));
        let value = f64::from(f32::from_bits(x as u32));
        match function {
            Function::Rcp => return self.algebraic(1.0 / value, function),
            Function::Sqrt => return self.algebraic(value.sqrt(), function),
            Function::Rsq => return self.algebraic(1.0 / value.sqrt(), function),
            _ => {}
        }
        if F32.is_nan(x) {
            return F32.nan as u32;
        }
        if let Some(exact) = special(function, value) {
            return F32.canonical(u64::from((exact as f32).to_bits())) as u32;
        }
        let ideal = match function {
            Function::Ex2 => ideal::exp2(value),
            Function::Lg2 => ideal::log2(value),
            Function::Sin => ideal::sin_turns(value),
            Function::Cos => ideal::sin_turns_quarter(value),
            Function::Rcp | Function::Sqrt | Function::Rsq | Function::Tanh => ideal::tanh(value),
        };
        let bound = bound32(function, ideal);
        let rounded = match function {
            Function::Lg2 => self.round(&F32, ideal, bound, f64::INFINITY),
            Function::Sin | Function::Cos => self.round(&F32, ideal, bound, 1.0),
            Function::Tanh => return self.round_magnitude(&F32, ideal, bound, 1.0) as u32,
            _ => self.round_magnitude(&F32, ideal, bound, f64::INFINITY),
        };
        F32.flush(rounded) as u32
    }

    /// Returns a reciprocal or root from the host's result, which has one or two roundings in
    /// binary64. Where that is zero, infinite or NaN it equals the manual's. Branch-free, for loops
    /// over lanes.
    #[inline(always)]
    fn algebraic(self, ideal: f64, function: Function) -> u32 {
        let how = &MOVES[self.error as usize & 3];
        let magnitude = ideal.abs();
        let bound = bound32(function, ideal);
        let moved = magnitude + how.towards * (bound.relative * magnitude + bound.absolute);
        let value = if magnitude > 0.0 && magnitude < f64::INFINITY { moved } else { magnitude };
        let mode = Mode { rounding: how.rounding, ..Mode::RN };
        let rounded = F32.flush(to_float(&F64, &F32, value.to_bits(), mode, false)) as u32;
        let sign = if ideal.is_nan() { 0 } else { (ideal.to_bits() >> 32) as u32 & 0x8000_0000 };
        rounded | sign
    }

    /// `Ex2` and `Tanh` on [`F16`] or [`BF16`]. Binary16 keeps subnormals, bfloat16 flushes them
    /// (`.ftz.bf16`).
    pub fn half(self, format: &'static Format, function: Function, x: u16) -> u16 {
        let flush = |bits: u64| if std::ptr::eq(format, &F16) { bits } else { format.flush(bits) };
        let x = flush(u64::from(x));
        if format.is_nan(x) {
            return format.nan as u16;
        }
        let value = f64::from_bits(to_float(format, &F64, x, Mode::RN, false));
        let exact = |value: f64| to_float(&F64, format, value.to_bits(), Mode::RN, false) as u16;
        let bound = bound16(format, function);
        if let Some(value) = special(function, value) {
            return exact(value);
        }
        flush(match function {
            Function::Tanh => self.round_magnitude(format, ideal::tanh(value), bound, 1.0),
            _ => self.round_magnitude(format, ideal::exp2(value), bound, f64::INFINITY),
        }) as u16
    }

    /// Upper half of `rcp.approx.ftz.f64` (`MUFU.RCP64H`): from the upper half of the operand; the
    /// lower half of the result is zero. Subnormal operands and results are zeros. The settings
    /// differ by one unit of the upper half, about 2^-20.
    #[inline(always)]
    pub fn rcp64h(self, high: u32) -> u32 {
        let x = f64::from_bits(F64.flush(u64::from(high) << 32));
        self.high(1.0 / x, x)
    }

    /// Upper half of `rsqrt.approx.ftz.f64` (`MUFU.RSQ64H`), like [`Mufu::rcp64h`].
    #[inline(always)]
    pub fn rsq64h(self, high: u32) -> u32 {
        let x = f64::from_bits(F64.flush(u64::from(high) << 32));
        let ideal = if x == 0.0 { 1.0 / x } else { 1.0 / x.sqrt() };
        self.high(ideal, x)
    }

    #[inline(always)]
    fn high(self, ideal: f64, x: f64) -> u32 {
        let bits = F64.flush(ideal.to_bits());
        let nearest = ((bits + 0x8000_0000) >> 32) as u32;
        let exact = x == 0.0 || x.is_infinite() || bits << 1 == 0;
        let moved = nearest.wrapping_add(MOVES[self.error as usize & 3].units);
        let result = if exact { nearest } else { moved };
        if ideal.is_nan() { (F64.nan >> 32) as u32 } else { result }
    }
}

/// The effect of a setting on the magnitude of an ideal result, by number of the setting.
#[derive(Clone, Copy)]
struct Move {
    /// Multiple of the bound that is added.
    towards: f64,
    /// Rounding towards the ideal value, to stay within the bound.
    rounding: Rounding,
    /// Units of the upper half of a binary64 that are added.
    units: u32,
}

static MOVES: [Move; 4] = {
    let exact = Move { towards: 0.0, rounding: Rounding::Nearest, units: 0 };
    let low = Move { towards: -1.0, rounding: Rounding::Up, units: u32::MAX };
    let high = Move { towards: 1.0, rounding: Rounding::Down, units: 1 };
    [exact, low, high, exact]
};

/// Results fixed by the manual's tables of special operands. `x` is not a NaN and not subnormal.
#[inline(always)]
fn special(function: Function, x: f64) -> Option<f64> {
    let nan = f64::NAN;
    Some(match function {
        Function::Rcp if x == 0.0 || x.is_infinite() => 1.0 / x,
        Function::Rsq if x == 0.0 => 1.0 / x,
        Function::Rsq | Function::Sqrt | Function::Lg2 if x < 0.0 => nan,
        Function::Rsq if x.is_infinite() => 0.0,
        Function::Sqrt if x == 0.0 || x.is_infinite() => x,
        Function::Lg2 if x == 0.0 => f64::NEG_INFINITY,
        Function::Lg2 if x.is_infinite() => x,
        Function::Ex2 if x == 0.0 => 1.0,
        Function::Ex2 if x.is_infinite() => {
            if x > 0.0 {
                x
            } else {
                0.0
            }
        }
        Function::Sin | Function::Cos if x.is_infinite() => nan,
        Function::Sin if x == 0.0 => x,
        Function::Cos if x == 0.0 => 1.0,
        Function::Tanh if x == 0.0 => x,
        Function::Tanh if x.is_infinite() => x.signum(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ErrorSetting; 3] = [ErrorSetting::Exact, ErrorSetting::Low, ErrorSetting::High];
    const INFINITY: u32 = 0x7f80_0000;
    const NAN: u32 = 0x7fff_ffff;

    #[test]
    fn special_operands_follow_the_manual() {
        use Function::*;
        let minus = |bits: u32| bits | 0x8000_0000;
        let one = 1.0f32.to_bits();
        let rows = [
            (Rcp, minus(INFINITY), minus(0)),
            (Rcp, minus(1), minus(INFINITY)),
            (Rcp, 1, INFINITY),
            (Rcp, INFINITY, 0),
            (Rcp, 0x7f00_0001, 0),
            (Rsq, minus(INFINITY), NAN),
            (Rsq, minus(one), NAN),
            (Rsq, minus(0), minus(INFINITY)),
            (Rsq, INFINITY, 0),
            (Sqrt, minus(one), NAN),
            (Sqrt, minus(0), minus(0)),
            (Sqrt, INFINITY, INFINITY),
            (Sin, INFINITY, NAN),
            (Sin, minus(0), minus(0)),
            (Cos, minus(INFINITY), NAN),
            (Cos, minus(0), one),
            (Lg2, minus(one), NAN),
            (Lg2, minus(1), minus(INFINITY)),
            (Lg2, INFINITY, INFINITY),
            (Ex2, minus(INFINITY), 0),
            (Ex2, 1, one),
            (Ex2, INFINITY, INFINITY),
            (Ex2, (-127.0f32).to_bits(), 0),
            (Ex2, 128.0f32.to_bits(), INFINITY),
            (Tanh, minus(INFINITY), minus(one)),
            (Tanh, minus(0), minus(0)),
            (Tanh, minus(1), minus(1)),
            (Tanh, NAN, NAN),
        ];
        for error in ALL {
            for (function, x, expected) in rows {
                // A result moved down may be below the overflow threshold.
                if function == Ex2 && x == 128.0f32.to_bits() && error != ErrorSetting::Exact {
                    continue;
                }
                let got = Mufu { error }.f32(function, x);
                assert_eq!(got, expected, "{function:?} of {x:#x} under {error:?}: {got:#x}");
            }
        }
    }

    #[test]
    fn exact_setting_rounds_correctly() {
        let unit = Mufu::default();
        for step in 0..300_000u32 {
            let bits = step.wrapping_mul(0x9e37_79b9) & 0x7fff_ffff;
            let x = f32::from_bits(bits);
            if !x.is_normal() {
                continue;
            }
            let rcp = F32.flush(u64::from((1.0 / x).to_bits())) as u32;
            assert_eq!(unit.f32(Function::Rcp, bits), rcp, "{x:e}");
            assert_eq!(unit.f32(Function::Sqrt, bits), x.sqrt().to_bits(), "{x:e}");
        }
    }

    #[test]
    fn every_setting_keeps_the_bound() {
        use Function::*;
        for function in [Rcp, Rsq, Sqrt, Ex2, Lg2, Sin, Cos, Tanh] {
            for step in 1..20_000u32 {
                let x = (f64::from(step) * 0.001_37 - 13.0) as f32;
                let x = if matches!(function, Rsq | Sqrt | Lg2) { x.abs() } else { x };
                if x == 0.0 {
                    continue;
                }
                let wide = f64::from(x);
                let turn = wide * std::f64::consts::TAU;
                let ideal = match function {
                    Rcp => 1.0 / wide,
                    Rsq => 1.0 / wide.sqrt(),
                    Sqrt => wide.sqrt(),
                    Ex2 => wide.exp2(),
                    Lg2 => wide.log2(),
                    Sin => turn.sin(),
                    Cos => turn.cos(),
                    Tanh => wide.tanh(),
                };
                let bound = bound32(function, ideal);
                let allowed = bound.relative * ideal.abs() + bound.absolute;
                let [exact, low, high] = ALL.map(|error| {
                    let got = f64::from(f32::from_bits(Mufu { error }.f32(function, x.to_bits())));
                    assert!((got - ideal).abs() <= allowed * 1.000_001, "{function:?}({x}) {error:?}: {got}");
                    got
                });
                assert!((exact - ideal).abs() <= ideal.abs() * pow2m(24) + 1e-14, "{function:?}({x}) = {exact}");
                assert!(low.abs().min(high.abs()) <= exact.abs());
            }
        }
    }

    #[test]
    fn upper_halves_of_doubles() {
        for error in ALL {
            let unit = Mufu { error };
            for step in 1..20_000u32 {
                let high = 0x0020_0000 + step * 104_000;
                let x = f64::from_bits(u64::from(high) << 32);
                let got = f64::from_bits(u64::from(unit.rcp64h(high)) << 32);
                assert!((got * x - 1.0).abs() < 2.1e-6, "{x:e} {got:e}");
                let got = f64::from_bits(u64::from(unit.rsq64h(high)) << 32);
                assert!((got * got * x - 1.0).abs() < 4.2e-6, "{x:e} {got:e}");
            }
            assert_eq!(unit.rcp64h(0), 0x7ff0_0000);
            assert_eq!(unit.rcp64h(0xfff0_0000), 0x8000_0000);
            assert_eq!(unit.rcp64h(0x8000_0001), 0xfff0_0000);
            assert_eq!(unit.rsq64h(0xbff0_0000), 0xfff8_0000);
            assert_eq!(unit.rsq64h(0x8000_0000), 0xfff0_0000);
        }
    }

    #[test]
    fn half_forms() {
        let unit = Mufu::default();
        assert_eq!(unit.half(&F16, Function::Ex2, 0x3c00), 0x4000);
        assert_eq!(unit.half(&BF16, Function::Ex2, 0xbf80), 0x3f00);
        assert_eq!(unit.half(&F16, Function::Tanh, 0x7c00), 0x3c00);
        assert_eq!(unit.half(&F16, Function::Tanh, 0x8000), 0x8000);
        assert_eq!(unit.half(&F16, Function::Tanh, 0xfe00), 0x7fff);
        assert_eq!(unit.half(&F16, Function::Ex2, 0xfc00), 0);
    }
}
