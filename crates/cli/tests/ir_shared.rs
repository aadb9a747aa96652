//! Shared variables that kernels and functions whose address is taken use together.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::fmt::Write;
use std::path::Path;

/// The number of kernels that call by address.
const KERNELS: usize = 2;

/// A module too large for one part: every kernel writes to shared memory through a function of a
/// table and reads what another thread wrote; kernel `own` uses the same variable and calls nothing.
fn module() -> String {
    let mut text = r#"source_filename = "shared.cu"
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [32 x i32] undef, align 4
@table = internal addrspace(1) global [2 x ptr] [ptr @put, ptr @add]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
define internal void @put(i32 %i, i32 %x) noinline {
  %a = getelementptr i32, ptr addrspace(3) @s, i32 %i
  store volatile i32 %x, ptr addrspace(3) %a
  ret void
}
define internal void @add(i32 %i, i32 %x) noinline {
  %y = add i32 %x, 100
  %a = getelementptr i32, ptr addrspace(3) @s, i32 %i
  store volatile i32 %y, ptr addrspace(3) %a
  ret void
}
"#
    .to_owned();
    let begin = "  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x0 = load i32, ptr addrspace(1) %at\n";
    let end = "  call void @llvm.nvvm.barrier0()
  %r = sub i32 31, %i
  %b = getelementptr i32, ptr addrspace(3) @s, i32 %r
  %y = load volatile i32, ptr addrspace(3) %b
  store i32 %y, ptr addrspace(1) %at
  ret void\n}\n";
    for k in 0..KERNELS {
        writeln!(text, "define ptx_kernel void @k{k}(ptr addrspace(1) %p) #0 {{\n{begin}").unwrap();
        for n in 0..STEPS {
            let constant = constant(k, n);
            writeln!(text, "  %y{n} = xor i32 %x{n}, {constant}\n  %x{} = mul i32 %y{n}, {constant}", n + 1).unwrap();
        }
        writeln!(
            text,
            "  %odd = and i32 %i, 1\n  %e = getelementptr ptr, ptr addrspace(1) @table, i32 %odd
  %f = load volatile ptr, ptr addrspace(1) %e\n  call void %f(i32 %i, i32 %x{STEPS})\n{end}"
        )
        .unwrap();
    }
    let own = "  %a = getelementptr i32, ptr addrspace(3) @s, i32 %i\n  store volatile i32 %x0, ptr addrspace(3) %a\n";
    text + &format!(
        "define ptx_kernel void @own(ptr addrspace(1) %p) #0 {{\n{begin}{own}{end}\
         attributes #0 = {{ \"target-cpu\"=\"sm_90\" }}\n"
    )
}

const STEPS: usize = 150;

fn constant(kernel: usize, step: usize) -> u32 {
    (7 * step + 10 * kernel + 3) as u32 | 1
}

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// What kernel `k` makes of the numbers 0..32.
fn expected(k: usize) -> Vec<u8> {
    let mixed = |x: u32| (0..STEPS).fold(x, |x, n| (x ^ constant(k, n)).wrapping_mul(constant(k, n)));
    words((0..32).rev().map(|i| mixed(i).wrapping_add(i % 2 * 100)))
}

fn ok(ran: Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

fn check(bench: &Bench, cubin: &str, what: &str) {
    let run = |kernel: &str| {
        let buffer = bench.file("buffer", words(0..32));
        let argument = format!("inout:{buffer}");
        ok(raddle(&["run", cubin, "--kernel", kernel, "--block", "32", "--arg", &argument]));
        std::fs::read(buffer).unwrap()
    };
    for k in 0..KERNELS {
        assert!(run(&format!("k{k}")) == expected(k), "{what}, k{k}");
    }
    assert!(run("own") == words((0..32).rev()), "{what}, own");
}

#[test]
fn a_shared_variable_of_several_parts_is_one_variable_of_each_block() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, cubin, object) = (bench.file("shared.ll", module()), bench.path("out.cubin"), bench.path("out.o"));
        let build = |library: &Path, command: &str, out: &str, more: &[&str]| {
            let library = library.display().to_string();
            ok(raddle(&[&[command, "--llvm", &library, "-o", out, &file], more].concat()));
        };
        for mode in [&[][..], &["--lto=partial", "--lto-partitions=4"], &["--lto=thin"], &["--lto=whole"]] {
            build(&library, "compile", &cubin, mode);
            check(&bench, &cubin, &format!("LLVM {major}, {mode:?}"));
            build(&library, "compile", &object, &[&["-c"], mode].concat());
            ok(raddle(&["link", &object, "-o", &cubin]));
            check(&bench, &cubin, &format!("LLVM {major}, -c {mode:?}"));
        }
        build(&library, "link", &cubin, &[]);
        check(&bench, &cubin, &format!("LLVM {major}, link"));
    }
}
