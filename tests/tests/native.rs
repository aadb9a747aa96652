//! Our own machine code: it runs in the simulator as its text runs in the interpreter and as the references compute, without a
//! hazard, on every architecture, with and without optimisation; and its bytes do not depend on how the work was done.
#![forbid(unsafe_code)]

use std::fs;

use raddle_driver::options::OptLevel;
use raddle_tests::compile::{How, cubin};
use raddle_tests::exceptions::{Case, settle};
use raddle_tests::judge::judge;
use raddle_tests::kernel::{self, corpus};

/// All kernels by both compilers, on one architecture, at one level.
fn kernels(arch: &'static str, opt: OptLevel) {
    let variant = format!("{arch}-{opt:?}");
    let how = How { arch, opt, jobs: 1, chaos: None };
    let mut results = Vec::new();
    for kernel in kernel::all().unwrap() {
        for producer in &kernel.producers {
            let result = kernel.ptx(producer).and_then(|ptx| judge(&kernel, &ptx, &cubin(&ptx, how)?));
            results.push((Case::new(&kernel.name, producer, &variant), result));
        }
    }
    settle("native", &results).unwrap();
}

#[test]
fn kernels_sm_80_o0() {
    kernels("sm_80", OptLevel::O0);
}

#[test]
fn kernels_sm_80_o1() {
    kernels("sm_80", OptLevel::O1);
}

#[test]
fn kernels_sm_86_o0() {
    kernels("sm_86", OptLevel::O0);
}

#[test]
fn kernels_sm_86_o1() {
    kernels("sm_86", OptLevel::O1);
}

#[test]
fn kernels_sm_89_o0() {
    kernels("sm_89", OptLevel::O0);
}

#[test]
fn kernels_sm_89_o1() {
    kernels("sm_89", OptLevel::O1);
}

#[test]
fn kernels_sm_90_o0() {
    kernels("sm_90", OptLevel::O0);
}

#[test]
fn kernels_sm_90_o1() {
    kernels("sm_90", OptLevel::O1);
}

/// The levels above -O1 are right too, and what they add leaves a trace.
#[test]
fn levels_two_and_three_compute_the_same_with_other_code() {
    let mut results = Vec::new();
    for name in ["scan", "matmul", "sha256"] {
        let kernel = kernel::all().unwrap().into_iter().find(|k| k.name == name).unwrap();
        let ptx = kernel.ptx("nvcc").unwrap();
        let at = |opt| cubin(&ptx, How { arch: "sm_90", opt, jobs: 1, chaos: None }).unwrap();
        for opt in [OptLevel::O2, OptLevel::O3] {
            results.push((Case::new(name, "nvcc", &format!("sm_90-{opt:?}")), judge(&kernel, &ptx, &at(opt))));
        }
        assert!(at(OptLevel::O1) != at(OptLevel::O0), "{name}");
    }
    settle("native", &results).unwrap();
}

#[test]
fn bytes_do_not_depend_on_how_the_work_was_done() {
    let ptx = fs::read_to_string(corpus().join("modules/eight/nvcc.ptx")).unwrap();
    let plain = How { arch: "sm_90", opt: OptLevel::O1, jobs: 1, chaos: None };
    let want = match cubin(&ptx, plain) {
        Ok(want) => want,
        Err(error) => {
            settle("native", &[(Case::new("eight", "nvcc", "sm_90"), Err(error))]).unwrap();
            return;
        }
    };
    for jobs in [1, 2, 3, 8] {
        for chaos in [None, Some(1), Some(2), Some(3), Some(4)] {
            assert!(cubin(&ptx, How { jobs, chaos, ..plain }).unwrap() == want, "-j {jobs}, chaos {chaos:?}");
        }
    }
}
