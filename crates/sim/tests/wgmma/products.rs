//! Products of all types, layouts and shapes.

use crate::setting::*;

fn check(case: &Case, times: usize) {
    for seed in 0..3 {
        let setting = Setting::new(case, 17 + seed, times, &body(case, times));
        let found = setting.run(seed).unwrap_or_else(|e| panic!("{e}\n{}", product(case)));
        let wrong = found.iter().zip(&setting.expected).position(|(f, e)| f != e);
        let show = |at: usize| format!("word {at}: {:#x} instead of {:#x}", found[at], setting.expected[at]);
        assert!(
            wrong.is_none(),
            "{}\nmodes {:?} {:?}: {}",
            product(case),
            case.wide,
            case.turned,
            show(wrong.unwrap_or(0))
        );
    }
}

const TYPES: [(Type, Type, Type); 17] = [
    (F32, F16, F16),
    (F16, F16, F16),
    (F32, BF16, BF16),
    (F32, TF32, TF32),
    (F32, E4M3, E4M3),
    (F32, E4M3, E5M2),
    (F32, E5M2, E4M3),
    (F32, E5M2, E5M2),
    (F16, E4M3, E4M3),
    (F16, E4M3, E5M2),
    (F16, E5M2, E4M3),
    (F16, E5M2, E5M2),
    (S32, S8, S8),
    (S32, S8, U8),
    (S32, U8, S8),
    (S32, U8, U8),
    (S32, B1, B1),
];

#[test]
fn every_type_in_every_mode_is_the_plain_product() {
    for (i, (d, a, b)) in TYPES.into_iter().enumerate() {
        for (j, wide) in [[8, 8], [4, 2], [2, 4], [1, 1]].into_iter().enumerate() {
            let n = [8, 16, 32, 64][(i + j) % 4];
            check(&Case { wide, ..Case::new(d, a, b, n) }, 1);
        }
        check(&Case { registers: true, ..Case::new(d, a, b, 24) }, 2);
    }
}

#[test]
fn matrices_may_be_stored_by_columns_of_k() {
    for (ty, n) in [(F16, 128), (BF16, 64)] {
        for wide in [[8, 8], [4, 4], [2, 2], [1, 1]] {
            for turned in [[true, true], [true, false], [false, true]] {
                check(&Case { wide, turned, ..Case::new(F32, ty, ty, n) }, 1);
            }
        }
        check(&Case { registers: true, turned: [false, true], ..Case::new(F32, ty, ty, n) }, 1);
    }
}

#[test]
fn sparse_products_use_what_the_metadata_keeps() {
    for (d, a, b) in TYPES.into_iter().filter(|t| t.1.bits != 1) {
        for selector in 0..if a.bits == 8 { 1 } else { 2 } {
            let case = Case { sparse: true, selector, ..Case::new(d, a, b, 32) };
            check(&case, 1);
            check(&Case { registers: true, ..case }, 1);
            check(&Case { wide: [1, 4], ..case }, 1);
        }
    }
}

#[test]
fn the_largest_shape_and_the_scales_work() {
    check(&Case::new(F32, F16, F16, 256), 2);
    check(&Case { scale_d: false, ..Case::new(F32, BF16, BF16, 40) }, 2);
    check(&Case { signs: [-1, 1], ..Case::new(F32, F16, F16, 16) }, 3);
    check(&Case { signs: [1, -1], registers: true, ..Case::new(F16, E4M3, E5M2, 16) }, 1);
    check(&Case { signs: [-1, -1], ..Case::new(F32, TF32, TF32, 8) }, 1);
}
