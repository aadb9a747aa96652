//! Kernels with fewer registers than they need: spilled, rematerialised and split, they give the
//! same results.
//!
//! Each kernel of the corpus gets a `.maxnreg`, one architecture per limit, and is tested like any
//! other: in the simulator, against interpreter and reference, without a hazard. A wrong register
//! number gives a wrong result or an undefined value there, so this is independent of the
//! allocator's own check.

use std::fs;

use raddle_cubin::Cubin;
use raddle_cubin::info::{Value, code};
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle;
use raddle_tests::compile::{How, cubin, object};
use raddle_tests::exceptions::{Case, settle};
use raddle_tests::judge::Expected;
use raddle_tests::kernel::{self, corpus};

/// The text with a register limit for its kernels.
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

/// The MAXREG_COUNT of the kernel `k`.
fn most_registers(object: &[u8]) -> u16 {
    let cubin = Cubin::parse(object).unwrap();
    let found = cubin.attributes("k").iter().find(|attribute| attribute.code == code::MAXREG_COUNT);
    let Some(Value::Half(most)) = found.map(|attribute| &attribute.value) else { panic!("{found:?}") };
    *most
}

#[test]
fn launch_bounds_leave_what_they_leave_for_ptxas() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let folder = tempfile::tempdir().unwrap();
    let [source, object_file] = ["k.ptx", "k.o"].map(|name| folder.path().join(name).display().to_string());
    let mut seen = std::collections::BTreeSet::new();
    for (threads, ctas) in
        [(96, 7), (96, 20), (128, 13), (256, 9), (288, 1), (288, 6), (320, 4), (512, 3), (1024, 1), (32, 17)]
    {
        for arch in ["sm_80", "sm_86", "sm_89", "sm_90"] {
            let text = format!(
                ".version 8.0\n.target {arch}\n.address_size 64\n\
                 .visible .entry k(.param .u64 p) .maxntid {threads} .minnctapersm {ctas} {{ ret; }}\n"
            );
            fs::write(&source, &text).unwrap();
            let args = [&format!("-arch={arch}"), "-c", &source, "-o", &object_file];
            ptxas.run(&args.map(str::to_owned)).unwrap();
            let theirs = most_registers(&fs::read(&object_file).unwrap());
            let ours = object(&text, How { arch, opt: OptLevel::O3, jobs: 1, chaos: None }).unwrap();
            assert_eq!(most_registers(&ours), theirs, "{ctas} blocks of {threads} threads on {arch}");
            seen.insert(theirs);
        }
    }
    assert!(seen.len() > 5, "{seen:?}");
}

/// Of a kernel whose coefficients and counters are the same in all lanes, these move to uniform registers for a step of
/// occupancy: on sm_90 it takes 44 registers otherwise, and ptxas 13.0.88 makes it with 38. Its results are those of
/// `regressions.rs`.
#[test]
fn values_of_all_lanes_make_room_for_more_warps() {
    let path = corpus().join("regressions/uniform_homes.ptx");
    let ptx = fs::read_to_string(path).unwrap();
    for arch in ["sm_80", "sm_90"] {
        let how = How { arch, opt: OptLevel::O3, jobs: 1, chaos: None };
        let bytes = cubin(&raddle_tests::simulate::retarget(&ptx, arch), how).unwrap();
        let file = Cubin::parse(&bytes).unwrap();
        let kernel = file.kernels().into_iter().next().unwrap();
        assert!(kernel.registers <= 40, "{} registers on {arch}", kernel.registers);
        assert_eq!(kernel.stack_size.max(kernel.frame_size), 0);
    }
}

/// Products of tiles that take nearly all registers of a thread, for which ptxas needs no local memory
/// either: fragments find aligned registers beside single ones, and masks of an inner loop are kept as
/// bits.
#[test]
fn products_that_fill_the_registers_are_not_spilled() {
    for name in ["sm80_matmul_bf16", "sm80_tma_persistent_fp16_ws", "sm80_attn_ptr_causal", "sm90_grouped_gemm"] {
        let path = corpus().join(format!("producers/triton390/{name}.ptx"));
        let arch = if name.starts_with("sm80") { "sm_80" } else { "sm_90a" };
        let how = How { arch, opt: OptLevel::O3, jobs: 1, chaos: None };
        let bytes = cubin(&fs::read_to_string(path).unwrap(), how).unwrap();
        let parsed = Cubin::parse(&bytes).unwrap();
        for kernel in parsed.kernels() {
            assert_eq!(kernel.frame_size, 0, "{name}: {}", kernel.name);
        }
    }
}
