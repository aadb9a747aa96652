//! Kernels with fewer registers than they want: spilled, computed again and split as they are, they compute what they did.
//!
//! Each kernel of the corpus gets a `.maxnreg`, one architecture per limit, and is judged as any other: in the simulator, against
//! interpreter and reference, without a hazard. A wrong number of a register is a wrong result or an undefined value there,
//! so this does not lean on the allocator's own check.
#![forbid(unsafe_code)]

use raddle_driver::options::OptLevel;
use raddle_tests::compile::{How, cubin};
use raddle_tests::exceptions::{Case, settle};
use raddle_tests::judge::Expected;
use raddle_tests::kernel;

/// The text with a bound on the registers of its kernels.
fn bounded(ptx: &str, registers: u32) -> String {
    let mut out = String::with_capacity(ptx.len() + 64);
    let mut entry = false;
    for line in ptx.lines() {
        entry |= line.contains(".entry");
        if entry && line.starts_with('{') {
            out.push_str(&format!(".maxnreg {registers}\n"));
            entry = false;
        }
        if !line.trim_start().starts_with(".maxnreg") && !line.trim_start().starts_with(".minnctapersm") {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

fn kernels(registers: u32, arch: &'static str) {
    let mut results = Vec::new();
    for kernel in &kernel::all().unwrap() {
        let producer = &kernel.producers[registers as usize % kernel.producers.len()];
        let case = Case::new(&kernel.name, producer, &format!("{arch}-{registers}"));
        let result = kernel.ptx(producer).and_then(|ptx| {
            let ptx = bounded(&ptx, registers);
            let expected = Expected::of(kernel, &ptx)?;
            expected.judge(kernel, &cubin(&ptx, How { arch, opt: OptLevel::O3, jobs: 1, chaos: None })?, arch)
        });
        results.push((case, result));
    }
    settle("registers", &results).unwrap();
}

#[test]
fn with_16_registers() {
    kernels(16, "sm_90");
}

#[test]
fn with_21_registers() {
    kernels(21, "sm_86");
}

#[test]
fn with_28_registers() {
    kernels(28, "sm_80");
}
