//! Floating-point operations, for one thread.
//!
//! Exact operations come from [`crate::float`]. Approximate ones are defined as their canonical
//! expansion around the multi-function unit: the sequence that ptxas 13.0.88 emits, so that
//! interpreter and simulator agree bit for bit with their common model of the unit (decision D19).
//! Correctly rounded ones (`div.rn`, `sqrt.rn`, `rcp.rn`) are computed exactly, whatever expansion
//! a compiler uses.

use crate::float::{self, F32, F64, Format, IntType, MinMax, Mode, Rounding, TF32};
use crate::mufu::{Function, Mufu};

/// A floating-point instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fpu {
    pub op: FpuOp,
    pub format: &'static Format,
    pub mode: Mode,
    /// Number of values in a word: 2 for `.f16x2`, `.bf16x2`, `.f32x2`.
    pub lanes: u32,
}

/// The operation on one value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FpuOp {
    Add,
    Sub,
    Mul,
    Fma {
        relu: bool,
    },
    Div,
    /// `div.approx`: scaled reciprocal times the dividend.
    DivApprox,
    /// `div.full`: `div.approx`, scaled for large divisors, too.
    DivFull,
    Rcp,
    RcpApprox,
    Sqrt,
    SqrtApprox,
    RsqrtApprox,
    /// `rsqrt.approx.ftz.f64` and `rcp.approx.ftz.f64`: upper halves only.
    Rcp64,
    Rsqrt64,
    /// `rsqrt.approx.f64`: the unit's value and one step of third order.
    RsqrtApprox64,
    Sin,
    Cos,
    Lg2,
    Ex2,
    Tanh,
    Neg,
    Abs,
    MinMax(MinMax),
    /// `min` and `max` of three values.
    MinMax3(MinMax),
    Copysign,
    /// Conversion to the other format, with `satfinite` and `relu` in addition to the mode.
    Cvt {
        to: &'static Format,
        satfinite: bool,
        relu: bool,
    },
    /// Rounding to an integral value.
    Integral,
    /// `cvt.rna.tf32.f32`, and the other tf32 conversions.
    Tf32 {
        satfinite: bool,
        relu: bool,
    },
    ToInt {
        to: IntType,
        bits: u32,
    },
    FromInt {
        from: IntType,
    },
    /// Packs two values `a` and `b`, `b` in the lower half.
    CvtPack2 {
        to: &'static Format,
        satfinite: bool,
        relu: bool,
    },
    /// Converts a packed pair to another format.
    CvtPair {
        to: &'static Format,
        satfinite: bool,
        relu: bool,
    },
}

const FTZ: Mode = Mode { rounding: Rounding::Nearest, ftz: true, sat: false };

fn single(x: f32) -> u64 {
    u64::from(x.to_bits())
}

/// Returns the magnitude of a binary32 as a number, subnormals kept.
fn magnitude(x: u64) -> f32 {
    f32::from_bits(x as u32 & 0x7fff_ffff)
}

/// 1/(2 pi) as in ptxas output.
const INVERSE_TAU: f32 = 0.159_154_94;

impl Fpu {
    /// Returns the result word.
    #[inline]
    pub fn eval(&self, x: [u64; 4], mufu: Mufu) -> u64 {
        if self.lanes == 1 {
            return self.one(x, mufu);
        }
        let bits = self.format.bits();
        let mask = u64::MAX >> (64 - bits);
        let lane = |i: u32| self.one(x.map(|word| word >> (i * bits) & mask), mufu) << (i * bits);
        lane(0) | lane(1)
    }

    #[inline]
    fn one(&self, [a, b, c, _]: [u64; 4], mufu: Mufu) -> u64 {
        let (format, mode) = (self.format, self.mode);
        let unit = |function: Function, x: u64| u64::from(mufu.f32(function, x as u32));
        let mul = |x: u64, y: f32, mode: Mode| float::mul(&F32, x, single(y), mode);
        match self.op {
            FpuOp::Add => float::add(format, a, b, mode),
            FpuOp::Sub => float::sub(format, a, b, mode),
            FpuOp::Mul => float::mul(format, a, b, mode),
            FpuOp::Fma { relu } => relu_if(relu, format, float::fma(format, a, b, c, mode)),
            FpuOp::Div => float::div(format, a, b, mode),
            FpuOp::Rcp => float::rcp(format, a, mode),
            FpuOp::Sqrt => float::sqrt(format, a, mode),
            FpuOp::DivApprox | FpuOp::DivFull if mode.ftz => self.div_ftz(a, b, mufu),
            FpuOp::DivApprox | FpuOp::DivFull => {
                let large = magnitude(b) > EIGHTH_OF_TOP && self.op == FpuOp::DivFull;
                let scale = |x: u64| {
                    let x = if large { mul(x, 0.25, Mode::RN) } else { x };
                    if magnitude(b) < f32::MIN_POSITIVE { mul(x, 16_777_216.0, Mode::RN) } else { x }
                };
                float::mul(&F32, unit(Function::Rcp, scale(b)), scale(a), Mode::RN)
            }
            FpuOp::RcpApprox if mode.ftz => unit(Function::Rcp, a),
            FpuOp::RcpApprox => {
                let factor = match magnitude(a) {
                    m if m > EIGHTH_OF_TOP => 0.25,
                    m if m < f32::MIN_POSITIVE => 16_777_216.0,
                    _ => 1.0,
                };
                mul(unit(Function::Rcp, mul(a, factor, Mode::RN)), factor, Mode::RN)
            }
            FpuOp::SqrtApprox if mode.ftz => unit(Function::Sqrt, a),
            FpuOp::SqrtApprox => {
                scaled(a, 16_777_216.0, |x| unit(Function::Sqrt, x), |r| mul(r, 1.0 / 4096.0, Mode::RN))
            }
            FpuOp::RsqrtApprox if mode.ftz => unit(Function::Rsq, a),
            FpuOp::RsqrtApprox => scaled(a, 16_777_216.0, |x| unit(Function::Rsq, x), |r| mul(r, 4096.0, Mode::RN)),
            FpuOp::Lg2 if mode.ftz => unit(Function::Lg2, a),
            FpuOp::Lg2 => {
                scaled(a, 16_777_216.0, |x| unit(Function::Lg2, x), |r| float::add(&F32, r, single(-24.0), Mode::RN))
            }
            FpuOp::Ex2 | FpuOp::Tanh if format.bits() == 16 => {
                let function = if self.op == FpuOp::Ex2 { Function::Ex2 } else { Function::Tanh };
                u64::from(mufu.half(format, function, a as u16))
            }
            FpuOp::Ex2 if mode.ftz => unit(Function::Ex2, a),
            FpuOp::Ex2 => {
                // Not below -126, NaN included: one step.
                if f32::from_bits(a as u32).is_nan() || f32::from_bits(a as u32) >= -126.0 {
                    unit(Function::Ex2, a)
                } else {
                    let root = unit(Function::Ex2, mul(a, 0.5, Mode::RN));
                    float::mul(&F32, root, root, Mode::RN)
                }
            }
            FpuOp::Sin | FpuOp::Cos => {
                let turns = mul(a, INVERSE_TAU, Mode { rounding: Rounding::Zero, ..mode });
                unit(if self.op == FpuOp::Sin { Function::Sin } else { Function::Cos }, turns)
            }
            FpuOp::Tanh => unit(Function::Tanh, a),
            FpuOp::Rcp64 => u64::from(mufu.rcp64h((a >> 32) as u32)) << 32,
            FpuOp::Rsqrt64 => u64::from(mufu.rsq64h((a >> 32) as u32)) << 32,
            FpuOp::RsqrtApprox64 => rsqrt64(a, mufu),
            FpuOp::Neg => sign_operation(format, a, mode, |bits| bits ^ format.sign_mask()),
            FpuOp::Abs => sign_operation(format, a, mode, |bits| bits & format.magnitude_mask()),
            FpuOp::MinMax(how) => float::min_max(format, a, b, how),
            FpuOp::MinMax3(how) => {
                let inner = MinMax { xorsign_abs: false, ..how };
                float::min_max(format, float::min_max(format, a, b, inner), c, inner)
            }
            FpuOp::Copysign => (b & format.magnitude_mask()) | (a & format.sign_mask()),
            FpuOp::Cvt { to, satfinite, relu } => relu_if(relu, to, convert(format, to, a, mode, satfinite)),
            FpuOp::Integral => float::round_to_integral(format, a, mode),
            FpuOp::Tf32 { satfinite, relu } => {
                let rounded = if mode.rounding == Rounding::NearestAway && !satfinite && !relu {
                    u64::from(float::tf32_rna(a as u32)) >> 13
                } else {
                    relu_if(relu, &TF32, convert(&F32, &TF32, a, mode, satfinite))
                };
                rounded << 13
            }
            FpuOp::ToInt { to, bits } => {
                let unused = 64 - to.bits;
                let value = float::to_int(format, to, a, mode.rounding, mode.ftz);
                let wide = if to.signed { (((value << unused) as i64) >> unused) as u64 } else { value };
                wide & u64::MAX >> (64 - bits)
            }
            FpuOp::FromInt { from } => float::from_int(from, format, a, mode),
            FpuOp::CvtPack2 { to, satfinite, relu } => {
                let one = |x| relu_if(relu, to, convert(format, to, x, mode, satfinite));
                one(a) << to.bits() | one(b)
            }
            FpuOp::CvtPair { to, satfinite, relu } => {
                let mask = u64::MAX >> (64 - format.bits());
                let one = |x| relu_if(relu, to, convert(format, to, x & mask, mode, satfinite));
                one(a >> format.bits()) << to.bits() | one(a)
            }
        }
    }

    /// `div.approx.ftz`: reciprocal times dividend; `div.full.ftz` scales divisors whose reciprocal
    /// would underflow.
    fn div_ftz(&self, a: u64, b: u64, mufu: Mufu) -> u64 {
        let quotient = |a: u64, b: u64| {
            let reciprocal = u64::from(mufu.f32(Function::Rcp, b as u32));
            float::mul(&F32, a, reciprocal, FTZ)
        };
        if self.op == FpuOp::DivFull && magnitude(b) > EIGHTH_OF_TOP {
            let quarter = |x| float::mul(&F32, x, single(0.25), FTZ);
            return quotient(quarter(a), quarter(b));
        }
        quotient(a, b)
    }
}

/// 2^126: above it reciprocals are subnormal.
const EIGHTH_OF_TOP: f32 = 8.507_059e37;

/// Applies `f`, with a scaling by `factor` and its inverse if the operand is subnormal or zero.
fn scaled(a: u64, factor: f32, f: impl Fn(u64) -> u64, back: impl Fn(u64) -> u64) -> u64 {
    if magnitude(a) < f32::MIN_POSITIVE { back(f(float::mul(&F32, a, single(factor), Mode::RN))) } else { f(a) }
}

fn relu_if(relu: bool, format: &Format, bits: u64) -> u64 {
    if relu { float::relu(format, bits) } else { bits }
}

/// Converts between formats; `.satfinite` of a NaN is the canonical NaN (or largest number) of the
/// target.
fn convert(from: &'static Format, to: &'static Format, bits: u64, mode: Mode, satfinite: bool) -> u64 {
    float::to_float(from, to, bits, mode, satfinite)
}

/// `neg` and `abs`: the sign bit changes, NaNs become canonical in binary32 and the 16-bit formats
/// with arithmetic.
fn sign_operation(format: &'static Format, a: u64, mode: Mode, f: impl Fn(u64) -> u64) -> u64 {
    let a = if mode.ftz { format.flush(a) } else { a };
    if format.is_nan(a) { format.nan } else { f(a) }
}

/// The expansion of `rsqrt.approx.f64`: y + y e (3/8 e + 1/2) with e = 1 - x y^2, scaled for tiny
/// operands.
fn rsqrt64(a: u64, mufu: Mufu) -> u64 {
    let x = f64::from_bits(a);
    if x.is_nan() || x < 0.0 {
        return F64.nan;
    }
    if x == 0.0 || x.is_infinite() {
        return (1.0 / x).abs().copysign(x).to_bits();
    }
    let step = |x: f64| {
        let y = f64::from_bits(u64::from(mufu.rsq64h((x.to_bits() >> 32) as u32)) << 32);
        let e = x.mul_add(-(y * y), 1.0);
        e.mul_add(0.375, 0.5).mul_add(y * e, y)
    };
    let result = if x < f64::MIN_POSITIVE { step(x * 18_014_398_509_481_984.0) * 134_217_728.0 } else { step(x) };
    result.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::{E4M3, E5M2, F16};
    use crate::mufu::ErrorSetting;

    fn f32_op(op: FpuOp, mode: Mode) -> Fpu {
        Fpu { op, format: &F32, mode, lanes: 1 }
    }

    fn bits(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    fn value(x: u64) -> f32 {
        f32::from_bits(x as u32)
    }

    #[test]
    fn expansions_reach_results_the_unit_flushes() {
        let m = Mufu::default();
        let run = |op, mode, a: f32, b: f32| value(f32_op(op, mode).eval([bits(a), bits(b), 0, 0], m));
        assert_eq!(run(FpuOp::RcpApprox, Mode::RN, 2f32.powi(127), 0.0), 2f32.powi(-127));
        assert_eq!(run(FpuOp::RcpApprox, FTZ, 2f32.powi(127), 0.0), 0.0);
        assert_eq!(run(FpuOp::RcpApprox, Mode::RN, 2f32.powi(-140), 0.0), f32::INFINITY);
        assert_eq!(run(FpuOp::DivApprox, Mode::RN, 2f32.powi(-120), 2f32.powi(-140)), 2f32.powi(20));
        assert_eq!(run(FpuOp::DivApprox, Mode::RN, 2f32.powi(127), 2f32.powi(127)), 0.0);
        assert_eq!(run(FpuOp::DivFull, Mode::RN, 2f32.powi(127), 2f32.powi(127)), 1.0);
        assert_eq!(run(FpuOp::DivFull, FTZ, 2f32.powi(127), 2f32.powi(127)), 1.0);
        assert_eq!(run(FpuOp::RsqrtApprox, Mode::RN, 2f32.powi(-140), 0.0), 2f32.powi(70));
        assert_eq!(run(FpuOp::SqrtApprox, Mode::RN, 2f32.powi(-140), 0.0), 2f32.powi(-70));
        assert_eq!(run(FpuOp::Lg2, Mode::RN, 2f32.powi(-140), 0.0), -140.0);
        assert_eq!(run(FpuOp::Lg2, FTZ, 2f32.powi(-140), 0.0), f32::NEG_INFINITY);
        assert_eq!(run(FpuOp::Ex2, Mode::RN, -140.0, 0.0), 2f32.powi(-140));
        assert_eq!(run(FpuOp::Ex2, FTZ, -140.0, 0.0), 0.0);
        assert!((run(FpuOp::Sin, Mode::RN, 1.0, 0.0) - 1f32.sin()).abs() < 1e-6);
        assert_eq!(run(FpuOp::Cos, FTZ, 0.0, 0.0), 1.0);
    }

    #[test]
    fn double_reciprocal_root_is_close_under_every_setting() {
        for error in [ErrorSetting::Exact, ErrorSetting::Low, ErrorSetting::High] {
            for step in 0..5_000u64 {
                let x = f64::from_bits(0x0000_1234_0000_0000 + step * 0x0003_0000_1234_5678 / 2);
                let got = f64::from_bits(rsqrt64(x.to_bits(), Mufu { error }));
                assert!((got * x * got - 1.0).abs() < 1e-14, "{x:e} {got:e}");
            }
        }
        assert_eq!(rsqrt64((-1.0f64).to_bits(), Mufu::default()), F64.nan);
        assert_eq!(rsqrt64((-0.0f64).to_bits(), Mufu::default()), f64::NEG_INFINITY.to_bits());
    }

    #[test]
    fn packed_values_stay_apart() {
        let add = Fpu { op: FpuOp::Add, format: &F16, mode: Mode::RN, lanes: 2 };
        // 1 + 2 in the upper half, 65504 + 65504 in the lower.
        assert_eq!(add.eval([0x3c00_7bff, 0x4000_7bff, 0, 0], Mufu::default()), 0x4200_7c00);
        let relu = Fpu { op: FpuOp::Fma { relu: true }, ..add };
        assert_eq!(relu.eval([0x3c00_3c00, 0xc000_3c00, 0x3c00_3c00, 0], Mufu::default()), 0x0000_4000);
    }

    #[test]
    fn conversions_pack_the_first_operand_high() {
        let pack = |to, satfinite| {
            let op = FpuOp::CvtPack2 { to, satfinite, relu: false };
            f32_op(op, Mode::RN).eval([bits(1.0), bits(1e9), 0, 0], Mufu::default())
        };
        assert_eq!(pack(&E4M3, true), 0x387e);
        assert_eq!(pack(&F16, false), 0x3c00_7c00);
        let unpack = Fpu {
            op: FpuOp::CvtPair { to: &F16, satfinite: false, relu: false },
            format: &E5M2,
            mode: Mode::RN,
            lanes: 1,
        };
        assert_eq!(unpack.eval([0x3c7b, 0, 0, 0], Mufu::default()), 0x3c00_7b00);
    }

    #[test]
    fn narrow_integers_fill_their_register() {
        let op = FpuOp::ToInt { to: IntType { bits: 16, signed: true }, bits: 32 };
        let got =
            f32_op(op, Mode { rounding: Rounding::Zero, ..Mode::RN }).eval([bits(-1.5), 0, 0, 0], Mufu::default());
        assert_eq!(got, 0xffff_ffff);
    }
}
