//! Numeric operations of our own machine code on every 65,537th operand and on all special ones. `cargo xtask exhaustive` does all
//! 2^32.
#![forbid(unsafe_code)]

use raddle_driver::options::OptLevel;
use raddle_sim::float::{F32, F64};
use raddle_sim::mufu::ErrorSetting;
use raddle_tests::exhaustive::ops::{self, Op};
use raddle_tests::exhaustive::{Compiled, Operands, SETTINGS, judge};
use raddle_tests::rng::Rng;

const STRIDED: Operands<'static> = Operands::Strided { start: 0x1234, stride: 65_537, count: 65_536 };

/// Judges an operation; what is wrong with it goes to the list.
fn check(
    op: &Op,
    compiled: &Compiled,
    operands: Operands<'_>,
    (setting, checked): (ErrorSetting, bool),
    complaints: &mut Vec<String>,
) {
    match judge(op, compiled, operands, setting, checked) {
        Ok((0, _)) => {}
        Ok((wrong, first)) => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            complaints.push(format!("{} under {setting:?}: {wrong} differ: {}", op.name, first.join("; ")));
        }
        Err(error) => complaints.push(format!("{error:#}")),
    }
}

#[test]
fn words_are_right_on_a_subset() {
    let specials = [ops::specials(&F32)];
    let mut complaints = Vec::new();
    for (n, op) in ops::words().iter().enumerate() {
        let arch = ["sm_80", "sm_90"][n % 2];
        let compiled = Compiled::new(op, arch, OptLevel::O3).unwrap();
        for &setting in if op.mufu { &SETTINGS[..] } else { &SETTINGS[..1] } {
            check(op, &compiled, Operands::Listed(&specials), (setting, true), &mut complaints);
            check(op, &compiled, STRIDED, (setting, false), &mut complaints);
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Quotients just below the normal range that were rounded twice once.
const JUST_SUBNORMAL: &[(u64, u64)] = &[
    (0x20_0000_0002, 0x3f0f_ffff_ffff_fffe),
    (0x01f0_0000_0000_0001, 0xc1df_ffff_ffff_fffd),
    (0x7fd8_0000_0000_0000, 0x3ff0_0000_0000_0000),
    (0x7fdf_ffff_ffff_fffe, 0x3ff0_0000_0000_0000),
];

#[test]
fn doubles_are_right_on_a_sample() {
    let specials: Vec<u64> = ops::specials(&F64).into_iter().step_by(13).collect();
    let mut rng = Rng::new(3, 64);
    let mut complaints = Vec::new();
    for (n, op) in ops::doubles().iter().enumerate() {
        let compiled = Compiled::new(op, ["sm_90", "sm_80"][n % 2], OptLevel::O3).unwrap();
        let mut pairs: Vec<(u64, u64)> =
            specials.iter().map(|&x| (x, specials[rng.next() as usize % specials.len()])).collect();
        pairs.extend((0..20_000).map(|_| (ops::random_double(&mut rng), ops::random_double(&mut rng))));
        pairs.extend(JUST_SUBNORMAL);
        let mut lists: Vec<Vec<u64>> = vec![pairs.iter().map(|p| p.0).collect(), pairs.iter().map(|p| p.1).collect()];
        lists.truncate(op.operands);
        for setting in SETTINGS {
            check(op, &compiled, Operands::Listed(&lists), (setting, false), &mut complaints);
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The references from the host's arithmetic say what the soft float says.
#[test]
fn the_references_agree_with_the_soft_float() {
    let specials = ops::specials(&F32);
    for op in ops::words() {
        let strided = (0..0x1_0000u64).map(|n| n.wrapping_mul(65_521) & 0xffff_ffff);
        for x in specials.iter().copied().chain(strided) {
            let (fast, soft) = ((op.reference)(x, 0), (op.soft)(x, 0));
            assert!(fast == soft, "{} of {x:#x}: {fast:#x}, soft float {soft:#x}", op.name);
        }
    }
    let mut rng = Rng::new(4, 64);
    for op in ops::doubles() {
        for _ in 0..20_000 {
            let (x, y) = (ops::random_double(&mut rng), ops::random_double(&mut rng));
            let (fast, soft) = ((op.reference)(x, y), (op.soft)(x, y));
            assert!(fast == soft, "{} of {x:#x}, {y:#x}: {fast:#x}, soft float {soft:#x}", op.name);
        }
    }
}
