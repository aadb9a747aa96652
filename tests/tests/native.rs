//! Our machine code runs in the simulator as its text runs in the interpreter and as the references
//! compute, without a hazard, on every architecture, at every level (`raddle_tests::level` selects
//! the levels); and its bytes do not depend on the order of work.
//!
//! `ONLY=name` tests the kernels whose name contains that text; `cargo campaign native` tests any
//! selection of kernels and levels.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex, OnceLock};

use raddle_driver::options::OptLevel;
use raddle_tests::compile::{How, cubin, cubin_at};
use raddle_tests::exceptions::{Case, settle};
use raddle_tests::judge::{ARCHS, Expected};
use raddle_tests::kernel::{self, Kernel, corpus};
use raddle_tests::level::{Level, number};

/// The expected results of the kernels, by name and producer, shared by the four architectures.
type Known = BTreeMap<(String, String), Arc<OnceLock<Result<Expected, String>>>>;

static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());

/// Compares a cubin with the expected results of its kernel, which are computed once.
fn judge(kernel: &Kernel, producer: &str, ptx: &str, cubin: &[u8], arch: &str) -> anyhow::Result<()> {
    let key = (kernel.name.clone(), producer.to_owned());
    let slot = KNOWN.lock().unwrap().entry(key).or_default().clone();
    let expected = slot.get_or_init(|| Expected::of(kernel, ptx).map_err(|error| format!("{error:#}")));
    expected.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?.judge(kernel, cubin, arch)
}

/// All kernels by both compilers on one architecture.
fn kernels(row: usize) {
    let arch = ARCHS[row];
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut results = Vec::new();
    for kernel in kernel::all().unwrap().iter().filter(|k| k.name.contains(&only)) {
        for (n, producer) in kernel.producers.iter().enumerate() {
            for level in Level::some(number(&kernel.name) + n, row) {
                let one = |ptx: String| judge(kernel, producer, &ptx, &cubin_at(&ptx, arch, level)?, arch);
                let case = Case::new(&kernel.name, producer, &format!("{arch}-{level}"));
                results.push((case, kernel.ptx(producer).and_then(one)));
            }
        }
    }
    settle("native", &results).unwrap();
}

#[test]
fn kernels_sm_80() {
    kernels(0);
}

#[test]
fn kernels_sm_86() {
    kernels(1);
}

#[test]
fn kernels_sm_89() {
    kernels(2);
}

#[test]
fn kernels_sm_90() {
    kernels(3);
}

#[test]
fn bytes_do_not_depend_on_how_the_work_was_done() {
    let ptx = fs::read_to_string(corpus().join("modules/eight/nvcc.ptx")).unwrap();
    let plain = How { arch: "sm_90", opt: OptLevel::O3, jobs: 1, chaos: None };
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
