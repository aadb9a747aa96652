//! LLVM IR as other front ends write it: Triton and Julia.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::path::Path;

const TRITON: &str = include_str!("common/triton.ll");
const JULIA: &str = include_str!("common/julia.ll");
/// Julia's names of kernels have the types of their parameters.
const VADD: &str = "_Z4vadd13CuDeviceArrayI7Float32Li1ELi1EES_I7Float32Li1ELi1EES_";
const SCALE: &str = "_Z5scale7LLVMPtrI7Float32Li1EE5Int64";

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Compiles the text to PTX and to a cubin.
fn compile(bench: &Bench, library: &Path, text: &str, more: &[&str]) -> (String, String) {
    let (source, ptx, cubin) = (bench.file("k.ll", text), bench.path("k.ptx"), bench.path("k.cubin"));
    let library = library.display().to_string();
    for output in [&["-o", &cubin][..], &["--emit", "ptx", "-o", &ptx]] {
        let args = [&["compile", "--llvm", &library, "--arch", "sm_90", &source], output, more].concat();
        let ran = raddle(&args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{library}");
    }
    (std::fs::read_to_string(ptx).unwrap(), cubin)
}

fn run(cubin: &str, kernel: &str, launch: &[&str], args: &[&str]) -> Ran {
    let args: Vec<&str> = args.iter().flat_map(|arg| ["--arg", arg]).collect();
    raddle(&[&["run", cubin, "--kernel", kernel], launch, &args].concat())
}

#[test]
fn code_in_the_form_of_triton_runs() {
    for library in llvm::VERSIONS.iter().filter_map(|&major| llvm::require(major)) {
        let bench = Bench::new();
        let (ptx, cubin) = compile(&bench, &library, TRITON, &["--lineinfo"]);
        assert!(ptx.contains(".reqntid 128") && ptx.contains(".file"), "{ptx}");
        let numbers: Vec<f32> = (0..1024).map(|n| n as f32 * 0.5).collect();
        let input = bench.file("in", floats(numbers.iter().copied()));
        let output = bench.path("out");
        let args = [format!("in:{input}"), format!("out:{output}:8"), "s32:1000".to_owned()];
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = run(&cubin, "sum_kernel", &["--grid", "2", "--block", "128", "--shared", "16"], &args);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let sums = [&numbers[..512], &numbers[512..1000]].map(|part| part.iter().sum());
        assert!(std::fs::read(output).unwrap() == floats(sums));
    }
}

#[test]
fn code_in_the_form_of_julia_runs() {
    for library in llvm::VERSIONS.iter().filter_map(|&major| llvm::require(major)) {
        let bench = Bench::new();
        for more in [&[][..], &["--lto=off"], &["-O0"]] {
            let (ptx, cubin) = compile(&bench, &library, JULIA, more);
            // Launch bounds by annotation.
            assert!(ptx.contains(".maxntid 256") && ptx.contains(".minnctapersm 2"), "{ptx}");
            let buffer = bench.file("buffer", floats((0..32).map(|n| n as f32)));
            let (none, inout) = ("raw:00000000000000000000000000000000", format!("inout:{buffer}"));
            let ran = run(&cubin, SCALE, &["--block", "32"], &[none, &inout, "s64:32"]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let factors = [1.5, 2.5, 4.0];
            let want = (0..32).map(|n| n as f32 * factors[n % 3]);
            assert!(std::fs::read(buffer).unwrap() == floats(want), "{more:?}");
            // Arrays of no elements: every thread reports an exception and ends.
            let empty = format!("raw:{}", "00".repeat(32));
            let ran = run(&cubin, VADD, &["--block", "32"], &[none, &empty, &empty, &empty]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        }
    }
}

#[test]
fn launch_bounds_are_taken_from_attributes_too() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let text = "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k() #0 { ret void }\n\
                attributes #0 = { \"nvvm.maxntid\"=\"128,2\" \"nvvm.minctasm\"=\"3\" \"nvvm.maxnreg\"=\"40\" }\n";
    let (ptx, cubin) = compile(&bench, &library, text, &[]);
    for bound in [".maxntid 128, 2", ".minnctapersm 3", ".maxnreg 40"] {
        assert!(ptx.contains(bound), "{bound}: {ptx}");
    }
    let info = String::from_utf8(raddle(&["info", &cubin, "--all"]).stdout).unwrap();
    let words: Vec<&str> = info.split_whitespace().collect();
    assert!(words.windows(5).any(|w| w == ["MAX_THREADS", ".nv.info.k", "0x80", "0x2", "0x1"]), "{info}");
}

/// Lists of what is used, inline functions of several modules, private constants, annotations of
/// kernels that lie in different parts.
const LISTED: &str = r#"
source_filename = "used.cu"
target triple = "nvptx64-nvidia-cuda"
$shared_inline = comdat any
@kept = internal addrspace(1) global i32 5, align 4
@table = private unnamed_addr addrspace(4) constant [4 x i32] [i32 3, i32 5, i32 7, i32 11]
@unused = internal addrspace(1) global i32 9
@llvm.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @kept to ptr), ptr @first], section "llvm.metadata"
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @unused to ptr)], section "llvm.metadata"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define linkonce_odr i32 @shared_inline(i32 %x) noinline comdat {
  %at = and i32 %x, 3
  %p = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %at
  %c = load i32, ptr addrspace(4) %p
  %y = mul i32 %x, %c
  ret i32 %y
}
define ptx_kernel void @first(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %at
  %y = call i32 @shared_inline(i32 %x)
  store i32 %y, ptr addrspace(1) %at
  ret void
}
define void @second(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %at
  %y = call i32 @shared_inline(i32 %x)
  %k = load volatile i32, ptr addrspace(1) @kept
  %z = add i32 %y, %k
  store i32 %z, ptr addrspace(1) %at
  ret void
}
!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @second, !"kernel", i32 1}
!1 = !{ptr @second, !"maxntidx", i32 64}
!2 = !{ptr @first, !"maxntidx", i32 32}
"#;

/// Another module with the same inline function.
const AGAIN: &str = r#"
source_filename = "used2.cu"
target triple = "nvptx64-nvidia-cuda"
$shared_inline = comdat any
@table = private unnamed_addr addrspace(4) constant [4 x i32] [i32 3, i32 5, i32 7, i32 11]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define linkonce_odr i32 @shared_inline(i32 %x) noinline comdat {
  %at = and i32 %x, 3
  %p = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %at
  %c = load i32, ptr addrspace(4) %p
  %y = mul i32 %x, %c
  ret i32 %y
}
define ptx_kernel void @third(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %y = call i32 @shared_inline(i32 %i)
  store i32 %y, ptr addrspace(1) %at
  ret void
}
"#;

#[test]
fn what_a_part_must_leave_out_keeps_no_part_from_running() {
    for library in llvm::VERSIONS.iter().filter_map(|&major| llvm::require(major)) {
        let bench = Bench::new();
        let (first, second, cubin) = (bench.file("a.ll", LISTED), bench.file("b.ll", AGAIN), bench.path("k.cubin"));
        let library = library.display().to_string();
        let table = [3u32, 5, 7, 11];
        for options in ["--lto=off", "--lto-partitions=1", "--lto-partitions=3", "--lto=thin"] {
            let ran =
                raddle(&["compile", "--llvm", &library, "--arch", "sm_90", &first, &second, options, "-o", &cubin]);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{options}");
            for (kernel, more) in [("first", 0), ("second", 5), ("third", 0)] {
                let buffer = bench.file("buffer", (0..32u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
                let ran = run(&cubin, kernel, &["--block", "32"], &[&format!("inout:{buffer}")]);
                assert_eq!(ran.code, Some(0), "{options} {kernel}: {}", ran.stderr);
                let want = (0..32u32).map(|x| x * table[x as usize % 4] + more);
                let want: Vec<u8> = want.flat_map(u32::to_le_bytes).collect();
                assert!(std::fs::read(buffer).unwrap() == want, "{options} {kernel}");
            }
        }
    }
}
