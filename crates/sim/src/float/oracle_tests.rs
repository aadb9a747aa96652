//! Random operands against `rustc_apfloat`, a port of LLVM's soft float: an independent
//! implementation.

use super::*;
use raddle_entity::SplitMix;
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

/// Reproducible operands.
struct Random(SplitMix);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// Returns an encoding biased towards difficult cases of rounding: near powers of two, close
    /// exponents, the ends of the range.
    fn encoding(&mut self, format: &Format) -> u64 {
        let raw = self.next();
        let mask = format.magnitude_mask() | format.sign_mask();
        let fraction = format.min_normal() - 1;
        match self.next() % 8 {
            0 => raw & mask & !fraction,
            1 => (raw & mask) | fraction,
            2 => (raw & mask & !fraction) | (raw & 3),
            3 => raw & (fraction | format.sign_mask()),
            4 | 5 => {
                let near = (format.bias() as u64 + raw % 8 - 4) << format.fraction_bits;
                near | (self.next() & (fraction | format.sign_mask()))
            }
            _ => raw & mask,
        }
    }
}

const ROUNDINGS: [(Rounding, Round); 5] = [
    (Rounding::Nearest, Round::NearestTiesToEven),
    (Rounding::Zero, Round::TowardZero),
    (Rounding::Down, Round::TowardNegative),
    (Rounding::Up, Round::TowardPositive),
    (Rounding::NearestAway, Round::NearestTiesToAway),
];

fn same(format: &Format, ours: u64, theirs: u128, what: &dyn std::fmt::Debug) {
    let theirs = format.canonical(theirs as u64);
    assert_eq!(ours, theirs, "{ours:#x} instead of {theirs:#x}: {what:x?}");
}

fn arithmetic<F: Float>(format: &'static Format, count: u32) {
    let mut random = Random(SplitMix(u64::from(format.bits())));
    for _ in 0..count {
        let (a, b, c) = (random.encoding(format), random.encoding(format), random.encoding(format));
        let [x, y, z] = [a, b, c].map(|bits| F::from_bits(bits.into()));
        for (rounding, round) in ROUNDINGS {
            let mode = Mode { rounding, ..Mode::RN };
            let what = (rounding, a, b, c);
            same(format, add(format, a, b, mode), x.add_r(y, round).value.to_bits(), &("+", what));
            same(format, sub(format, a, b, mode), x.sub_r(y, round).value.to_bits(), &("-", what));
            same(format, mul(format, a, b, mode), x.mul_r(y, round).value.to_bits(), &("*", what));
            same(format, div(format, a, b, mode), x.div_r(y, round).value.to_bits(), &("/", what));
            let fused = x.mul_add_r(y, z, round).value.to_bits();
            same(format, fma(format, a, b, c, mode), fused, &("fma", what));
        }
    }
}

#[test]
fn arithmetic_equals_apfloat() {
    arithmetic::<Half>(&F16, 20_000);
    arithmetic::<BFloat>(&BF16, 20_000);
    arithmetic::<Single>(&F32, 20_000);
    arithmetic::<Double>(&F64, 20_000);
}

fn conversion<F: Float + FloatConvert<T>, T: Float>(from: &'static Format, to: &'static Format, count: u32) {
    let mut random = Random(SplitMix(u64::from(from.bits() * 100 + to.bits())));
    for _ in 0..count {
        let bits = random.encoding(from);
        for (rounding, round) in ROUNDINGS {
            let mut loses = false;
            let theirs: T = F::from_bits(bits.into()).convert_r(round, &mut loses).value;
            let ours = to_float(from, to, bits, Mode { rounding, ..Mode::RN }, false);
            same(to, ours, theirs.to_bits(), &(rounding, bits));
        }
    }
}

#[test]
fn conversions_equal_apfloat() {
    conversion::<Single, Half>(&F32, &F16, 50_000);
    conversion::<Single, BFloat>(&F32, &BF16, 50_000);
    conversion::<Single, Float8E5M2>(&F32, &E5M2, 50_000);
    conversion::<Double, Single>(&F64, &F32, 50_000);
    conversion::<Double, Half>(&F64, &F16, 50_000);
    conversion::<Half, Double>(&F16, &F64, 5_000);
    conversion::<BFloat, Single>(&BF16, &F32, 5_000);
    conversion::<Float8E4M3FN, Half>(&E4M3, &F16, 2_000);
    conversion::<Float8E5M2, Half>(&E5M2, &F16, 2_000);
    conversion::<Single, Double>(&F32, &F64, 20_000);
}

/// `rustc_apfloat` has no square root: the defining inequality is checked instead, exactly.
#[test]
fn square_roots_are_the_nearest() {
    let mut random = Random(SplitMix(7));
    for _ in 0..50_000 {
        let a = random.encoding(&F64) & F64.magnitude_mask();
        assert_eq!(
            sqrt(&F64, a, Mode::RN),
            Unpacked::unpack(&F64, a).sqrt().pack(&F64, Rounding::Nearest, false),
            "host and own square root of {a:#x}"
        );
        let half = random.encoding(&F16) & F16.magnitude_mask();
        if F16.is_nan(half) || half == F16.infinity() || half == 0 {
            continue;
        }
        // In binary64 the square of a binary16 number is exact.
        let value = |bits| f64::from_bits(to_float(&F16, &F64, bits, Mode::RN, false));
        let mode = |rounding| Mode { rounding, ..Mode::RN };
        let down = sqrt(&F16, half, mode(Rounding::Down));
        let up = sqrt(&F16, half, mode(Rounding::Up));
        assert!(value(down) * value(down) <= value(half) && value(half) <= value(up) * value(up));
        assert!(up - down <= 1);
        let middle = (value(down) + value(up)) / 2.0;
        let nearest = sqrt(&F16, half, mode(Rounding::Nearest));
        let expected = if value(half) < middle * middle { down } else { up };
        assert_eq!(nearest, expected, "square root of {half:#x}");
    }
}
