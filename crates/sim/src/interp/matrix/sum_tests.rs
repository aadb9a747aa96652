//! The rule for sums on cases computed by hand, and on random ones with wrong parameters.

use super::{Element, Input, Machine, Rounding, Rule, TABLE, Unit, row};
use crate::float::{E4M3, F16, F32, F64, Format, Mode, to_float};
use raddle_entity::SplitMix;

fn rule(machine: Machine, input: Input, half: bool) -> Rule {
    row(machine, Unit::Warp, input, half).unwrap().rule
}

/// The word of a number that the format has.
fn word(format: &'static Format, x: f64) -> u32 {
    let word = to_float(&F64, format, x.to_bits(), Mode::RN, false);
    assert_eq!(to_float(format, &F64, word, Mode::RN, false), x.to_bits(), "{x} is not exact");
    word as u32
}

fn pow(n: i32) -> f64 {
    2f64.powi(n)
}

/// The sum of products of binary16 numbers, with `c` and the result in the accumulator's format.
fn halves(rule: Rule, products: &[(f64, f64)], c: f64) -> f64 {
    let of = |x: f64| Element::F16.decode(word(&F16, x));
    let (a, b): (Vec<_>, Vec<_>) = products.iter().map(|&(a, b)| (of(a), of(b))).unzip();
    let format = if rule.rounding == Rounding::Half { &F16 } else { &F32 };
    let d = rule.dot(&a, &b, word(format, c));
    f64::from_bits(to_float(format, &F64, u64::from(d), Mode::RN, false))
}

#[test]
fn small_integers_are_exact() {
    for machine in [Machine::Volta, Machine::Turing, Machine::Ampere, Machine::Hopper] {
        let products: Vec<(f64, f64)> = (1..=16).map(|i| (f64::from(i), f64::from(17 - 2 * i))).collect();
        let sum: f64 = products.iter().map(|(a, b)| a * b).sum();
        assert_eq!(halves(rule(machine, Input::Half, false), &products, 0.5), sum + 0.5);
        assert_eq!(halves(rule(machine, Input::Half, true), &products, 0.5), sum + 0.5);
    }
}

#[test]
fn terms_are_cut_toward_zero_below_the_largest() {
    // The largest exponent is 30: the unit is 2^6 with 24 bits, 2^5 with 25, 2^7 with 23.
    let big = (pow(15), pow(15));
    let gone = (-pow(15), pow(15));
    let (ampere, hopper, volta) = (
        rule(Machine::Ampere, Input::Half, false),
        rule(Machine::Hopper, Input::Half, false),
        rule(Machine::Volta, Input::Half, false),
    );
    for (small, on_ampere, on_hopper, on_volta) in
        [(64.0, 64.0, 64.0, 0.0), (63.0, 0.0, 32.0, 0.0), (-63.0, 0.0, -32.0, 0.0), (-191.0, -128.0, -160.0, -128.0)]
    {
        assert_eq!(halves(ampere, &[big, (small, 1.0), gone], 0.0), on_ampere);
        assert_eq!(halves(hopper, &[big, (small, 1.0), gone], 0.0), on_hopper);
        assert_eq!(halves(volta, &[big, (small, 1.0), gone], 0.0), on_volta);
        // The accumulator is a term like any other.
        assert_eq!(halves(ampere, &[big, gone], small), on_ampere);
    }
}

#[test]
fn the_sum_is_rounded_once_toward_zero() {
    let tiny = (pow(-12), pow(-12));
    let one_more = 1.0 + pow(-23);
    assert_eq!(halves(rule(Machine::Ampere, Input::Half, false), &[(1.0, 1.0), tiny, tiny, tiny], 0.0), one_more);
    assert_eq!(halves(rule(Machine::Volta, Input::Half, false), &[(1.0, 1.0), tiny, tiny, tiny], 0.0), 1.0);
    assert_eq!(halves(rule(Machine::Ampere, Input::Half, false), &[(-1.0, 1.0), (-pow(-12), pow(-12))], 0.0), -1.0);
    // Products are not normalised: 1.5 · 1.5 counts with exponent 0, so 2^-24 is kept beside it.
    let d = halves(rule(Machine::Ampere, Input::Half, false), &[(1.5, 1.5), (-1.5, 1.5), tiny], 0.0);
    assert_eq!(d, pow(-24));
}

#[test]
fn subnormal_numbers_count_with_the_smallest_exponent() {
    let ampere = rule(Machine::Ampere, Input::Half, false);
    assert_eq!(halves(ampere, &[(pow(-24), pow(-24))], 0.0), pow(-48));
    // 2^-24 has exponent -14: the unit is 2^-38, and the product 2^-28 + 2^-36 + 2^-46 is cut.
    let small = (1.0 + pow(-9)) * pow(-14);
    let d = halves(ampere, &[(pow(-24), 1.0), (small, small)], 0.0);
    assert_eq!(d, pow(-24) + pow(-28) + pow(-36));
    // Results below the normal numbers of binary32: 3 · 2^-150 is cut to 2^-149.
    let bf16 = |x: f64| Element::Bf16.decode(word(&F32, x) >> 16);
    assert_eq!(ampere.dot(&[bf16(pow(-100))], &[bf16(3.0 * pow(-50))], 0), 1);
    assert_eq!(ampere.dot(&[bf16(pow(-100))], &[bf16(-3.0 * pow(-49))], 0), 0x8000_0003);
}

#[test]
fn binary16_results_are_rounded_to_nearest_even() {
    for machine in [Machine::Volta, Machine::Ampere, Machine::Hopper] {
        let rule = rule(machine, Input::Half, true);
        for (sum, want) in [(1.0, 2048.0), (3.0, 2052.0), (-1.0, 2047.0)] {
            assert_eq!(halves(rule, &[(sum, 1.0)], 2048.0), want);
        }
        assert_eq!(halves(rule, &[(15.0, 1.0)], 65504.0), 65504.0);
        assert_eq!(halves(rule, &[(16.0, 1.0)], 65504.0), f64::INFINITY);
        assert_eq!(halves(rule, &[(pow(-24), 0.5)], 0.0), 0.0);
        assert_eq!(halves(rule, &[(pow(-24), 0.75)], 0.0), pow(-24));
        assert_eq!(halves(rule, &[(pow(-24), 1.0)], pow(-14)), pow(-14) + pow(-24));
    }
}

#[test]
fn eight_bit_elements_keep_13_bits() {
    let ada = rule(Machine::Ada, Input::Byte, false);
    let of = |x: f64| Element::E4m3.decode(word(&E4M3, x));
    let sum = |terms: &[f64]| {
        let (a, b): (Vec<_>, Vec<_>) = terms.iter().map(|&x| (of(x), of(pow(-6)))).unzip();
        f32::from_bits(ada.dot(&a, &b, 0))
    };
    // 2^-6 · 2^6 = 1 and 2^-6 · 2^-7 = 2^-13; 2^-14 is below the unit.
    assert_eq!(f64::from(sum(&[64.0, pow(-7)])), 1.0 + pow(-13));
    assert_eq!(f64::from(sum(&[64.0, pow(-8)])), 1.0);
    assert_eq!(f64::from(sum(&[64.0, -pow(-8)])), 1.0);
    assert_eq!(f64::from(sum(&[-64.0, -pow(-7)])), -1.0 - pow(-13));
    // 1.75 + 1.75 + 2^-13 needs 15 bits: 14 are kept.
    assert_eq!(f64::from(sum(&[112.0, 112.0, pow(-7)])), 3.5);
    assert_eq!(Element::E4m3.decode(0x7f), super::Number::Nan);
    assert_eq!(of(448.0), Element::E4m3.decode(0x7e));
}

#[test]
fn blocks_are_a_chain() {
    // 2^24 + 1 is not in binary32: in blocks of four each one is lost, a pair in one block is not.
    let tf32 = |x: f64| Element::Tf32.decode(word(&F32, x));
    let (a, b) = ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0].map(tf32), [1.0; 8].map(tf32));
    let c = word(&F32, pow(24));
    assert_eq!(rule(Machine::Ampere, Input::Tf32, false).dot(&a, &b, c), c);
    assert_eq!(rule(Machine::Hopper, Input::Tf32, false).dot(&a, &b, c), word(&F32, pow(24) + 2.0));
    // The low 13 bits of tf32 do not count.
    assert_eq!(Element::Tf32.decode(0x3f80_1fff), Element::Tf32.decode(0x3f80_0000));
}

#[test]
fn special_values_come_first() {
    let inf = f64::INFINITY;
    for (half, nan) in [(false, 0x7fff_ffff_u32), (true, 0x7fff)] {
        let rule = rule(Machine::Ampere, Input::Half, half);
        let format = if half { &F16 } else { &F32 };
        let of = |x: f64| Element::F16.decode(to_float(&F64, &F16, x.to_bits(), Mode::RN, false) as u32);
        let dot = |a: f64, b: f64, c: f64| {
            rule.dot(&[of(1.0), of(a)], &[of(1.0), of(b)], to_float(&F64, format, c.to_bits(), Mode::RN, false) as u32)
        };
        let infinite = |x: f64| to_float(&F64, format, x.to_bits(), Mode::RN, false) as u32;
        assert_eq!(dot(inf, -2.0, 1.0), infinite(-inf));
        assert_eq!(dot(1.0, 1.0, inf), infinite(inf));
        assert_eq!(dot(inf, 0.0, 1.0), nan);
        assert_eq!(dot(-inf, 1.0, inf), nan);
        assert_eq!(dot(f64::NAN, 1.0, inf), nan);
        assert_eq!(rule.dot(&[of(1.0)], &[of(1.0)], nan | 1), nan);
    }
    // 2^128 is an infinity, what is below is not.
    let rule = rule(Machine::Ampere, Input::Half, false);
    let bf16 = |x: f64| Element::Bf16.decode(word(&F32, x) >> 16);
    let largest = rule.dot(&[bf16(pow(127)), bf16(pow(126))], &[bf16(1.0), bf16(1.9921875)], 0);
    assert_eq!(largest, word(&F32, pow(127) + 1.9921875 * pow(126)));
    assert_eq!(rule.dot(&[bf16(pow(127))], &[bf16(2.0)], 0), 0x7f80_0000);
}

#[test]
fn zeros_are_negative_only_together() {
    let rule = rule(Machine::Ampere, Input::Half, false);
    let of = |x: f64| Element::F16.decode(word(&F16, x));
    assert_eq!(rule.dot(&[of(-0.0)], &[of(1.0)], 0x8000_0000), 0x8000_0000);
    assert_eq!(rule.dot(&[of(0.0)], &[of(1.0)], 0x8000_0000), 0);
    assert_eq!(rule.dot(&[of(1.0), of(-1.0)], &[of(1.0), of(1.0)], 0x8000_0000), 0);
    // In binary16, what rounds to zero loses its sign (an H100).
    let half = |x: f64, c: u32| self::rule(Machine::Hopper, Input::Half, true).dot(&[of(x)], &[of(pow(-14))], c);
    assert_eq!(half(-pow(-14), 0x8000), 0);
    assert_eq!(half(-0.0, 0x8000), 0x8000);
    assert_eq!(half(-pow(-10), 0), 0x8001);
    // A zero times a number far above all other terms does not count with its exponent.
    let bf16 = |x: f64| Element::Bf16.decode(word(&F32, x) >> 16);
    let (zeros, large) = ([bf16(0.0), bf16(pow(-60))], [bf16(pow(127)), bf16(pow(-60))]);
    assert_eq!(rule.dot(&zeros, &large, 0), word(&F32, pow(-120)));
}

/// A number of the format below two.
fn random(format: &Format, rng: &mut SplitMix) -> u32 {
    let exponent = i64::from(format.bias()) - (rng.next() % 6) as i64;
    let fraction = rng.next() & ((1 << format.fraction_bits) - 1);
    let sign = rng.next() & 1;
    ((sign << format.exponent_bits | exponent as u64) << format.fraction_bits | fraction) as u32
}

#[test]
fn wrong_parameters_change_results() {
    const ROWS: u32 = 3000;
    for row in TABLE {
        let (element, format): (Element, &'static Format) = match row.input {
            Input::Half => (Element::F16, &F16),
            Input::Tf32 => (Element::Tf32, &F32),
            Input::Byte => (Element::E4m3, &E4M3),
        };
        let right = row.rule;
        let wrong = [
            Rule { fraction: right.fraction - 1, ..right },
            Rule { fraction: right.fraction + 1, ..right },
            Rule { block: right.block / 2, ..right },
        ];
        let mut changed = [0; 3];
        let mut rng = SplitMix(7);
        for n in 0..ROWS {
            let k = right.block;
            let mut a: Vec<u32> = (0..k).map(|_| random(format, &mut rng)).collect();
            let mut b: Vec<u32> = (0..k).map(|_| random(format, &mut rng)).collect();
            if n % 2 == 0 {
                // Two products, the largest by far, cancel: what was cut below them shows.
                let large = |word: u32| {
                    word & !(format.infinity() as u32) | (format.one() as u32 + (5 << format.fraction_bits))
                };
                (a[0], b[0]) = (large(a[0]), large(b[0]));
                (a[1], b[1]) = (a[0] ^ format.sign_mask() as u32, b[0]);
            }
            let c = if n % 2 == 0 { 0 } else { 1 }
                * random(if right.rounding == Rounding::Half { &F16 } else { &F32 }, &mut rng);
            let of = |words: &[u32]| words.iter().map(|&w| element.decode(w)).collect::<Vec<_>>();
            let (a, b) = (of(&a), of(&b));
            let d = right.dot(&a, &b, c);
            for (count, wrong) in changed.iter_mut().zip(&wrong) {
                *count += u32::from(wrong.dot(&a, &b, c) != d);
            }
        }
        assert!(changed.iter().all(|&n| n > ROWS / 100), "{row:?}: {changed:?}");
    }
}
