//! `cargo xtask native-figures`: our own machine code of the corpus kernels, judged by simulator, interpreter and reference; and whether
//! its bytes depend on how the work was done.

use std::fs;

use anyhow::{Result, ensure};
use raddle_driver::options::OptLevel;
use raddle_tests::compile::{How, cubin};
use raddle_tests::judge::{ARCHS, judge};
use raddle_tests::kernel::{self, PRODUCERS, corpus};

use crate::figures;

/// The kernels that issue 2 asks for first.
const FIRST: &[&str] = &["saxpy", "matmul"];
/// The kernels that it asks for on every architecture.
const EIGHT: &[&str] =
    &["collatz", "histogram", "matmul", "reduce_shared", "reduce_shuffle", "saxpy", "scan", "transpose"];

/// Runs the command.
///
/// # Errors
/// Unreadable files, and cubins that differ.
pub fn run(_: &[String]) -> Result<()> {
    let (mut first, mut eight, mut passed, mut total) = (0, 0, 0, 0);
    for kernel in kernel::all()? {
        for producer in PRODUCERS {
            let ptx = kernel.ptx(producer)?;
            for &arch in ARCHS {
                for opt in [OptLevel::O0, OptLevel::O1] {
                    let how = How { arch, opt, jobs: 1, chaos: None };
                    let result = cubin(&ptx, how).and_then(|cubin| judge(&kernel, &ptx, &cubin));
                    total += 1;
                    if let Err(error) = result {
                        println!("{} by {producer}, {arch} {opt:?}: {error:#}", kernel.name);
                        continue;
                    }
                    let name = kernel.name.as_str();
                    passed += 1;
                    let by_nvcc = *producer == "nvcc";
                    eight += u32::from(by_nvcc && EIGHT.contains(&name));
                    first += u32::from(by_nvcc && FIRST.contains(&name) && arch == "sm_90" && opt == OptLevel::O1);
                }
            }
        }
    }
    let command = "cargo xtask native-figures";
    figures::record("codegen.thread", f64::from(first), command, "nvcc -O3, -O1 of ours, no hazard")?;
    let note = format!("nvcc's PTX; of all corpus kernels by nvcc and clang {passed} of {total} cubins");
    figures::record("codegen.kernels", f64::from(eight), command, &note)?;
    determinism(command)
}

/// Compiles a module of eight kernels in many ways and counts the outputs that differ from the first.
fn determinism(command: &str) -> Result<()> {
    let (mut differences, mut runs) = (0, 0);
    for producer in PRODUCERS {
        let ptx = fs::read_to_string(corpus().join(format!("modules/eight/{producer}.ptx")))?;
        for &arch in ARCHS {
            for opt in [OptLevel::O0, OptLevel::O1] {
                let want = cubin(&ptx, How { arch, opt, jobs: 1, chaos: None })?;
                for jobs in [1, 2, 3, 8] {
                    for chaos in (0..8).map(|seed| (seed > 0).then_some(seed)) {
                        runs += 1;
                        differences += u32::from(cubin(&ptx, How { arch, opt, jobs, chaos })? != want);
                    }
                }
            }
        }
    }
    let note = format!("{runs} compilations of a module of eight kernels: -j 1, 2, 3, 8, in order and seven disorders");
    figures::record("driver.determinism", f64::from(differences), command, &note)?;
    ensure!(differences == 0, "{differences} outputs differ");
    Ok(())
}
