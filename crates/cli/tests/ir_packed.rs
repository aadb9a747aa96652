//! Addresses at any place of a variable: LLVM writes them byte by byte where they are not aligned.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::path::Path;

/// A packed variable with the addresses of a variable and a function, and a number; kernels that read
/// through them.
const PACKED: &str = r#"
source_filename = "packed.cu"
target triple = "nvptx64-nvidia-cuda"
@there = addrspace(1) global [4 x i32] [i32 5, i32 6, i32 7, i32 8], align 4
@packed = internal addrspace(1) global <{ i8, ptr, i16, ptr, i32 }> <{ i8 1, ptr addrspacecast (ptr addrspace(1) getelementptr (i32, ptr addrspace(1) @there, i64 2) to ptr), i16 2, ptr @triple, i32 9 }>, align 1
define i32 @triple(i32 %x) noinline { %y = mul i32 %x, 3 ret i32 %y }
define ptx_kernel void @k(ptr addrspace(1) %p) #0 {
  %at = getelementptr i8, ptr addrspace(1) @packed, i64 1
  %address = load volatile ptr, ptr addrspace(1) %at, align 1
  %x = load i32, ptr %address
  %of = getelementptr i8, ptr addrspace(1) @packed, i64 11
  %f = load volatile ptr, ptr addrspace(1) %of, align 1
  %y = call i32 %f(i32 %x)
  %more = getelementptr i8, ptr addrspace(1) @packed, i64 19
  %n = load volatile i32, ptr addrspace(1) %more, align 1
  %z = add i32 %y, %n
  store i32 %z, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @l(ptr addrspace(1) %p) #0 {
  %x = load volatile i8, ptr addrspace(1) @packed
  %y = zext i8 %x to i32
  store i32 %y, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
"#;

fn made(library: &Path, command: &[&str], out: &str, files: &[&str]) {
    let library = library.display().to_string();
    ok(raddle(&[command, &["--llvm", &library, "-o", out], files].concat()));
}

fn ok(ran: Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn an_address_that_is_not_aligned_in_a_variable_is_stored_byte_by_byte() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, ptx, out) = (bench.file("packed.ll", PACKED), bench.path("packed.ptx"), bench.path("out.cubin"));
        let (object, cache) = (bench.path("packed.o"), bench.path("cache"));
        made(&library, &["compile", "--emit", "ptx"], &ptx, &[&file]);
        assert!(std::fs::read_to_string(&ptx).unwrap().contains("0xFF00(generic("), "LLVM {major}");
        let check = |what: &str, cubin: &str| {
            for (kernel, expected) in [("k", 7 * 3 + 9), ("l", 1_u32)] {
                let buffer = bench.file("buffer", [0; 4]);
                ok(raddle(&["run", cubin, "--kernel", kernel, "--arg", &format!("inout:{buffer}")]));
                let got = u32::from_le_bytes(std::fs::read(buffer).unwrap().try_into().unwrap());
                assert_eq!(got, expected, "LLVM {major} {what} {kernel}");
            }
        };
        check("interpreter", &ptx);
        for arch in ["sm_80", "sm_90"] {
            for mode in [&["-O3"][..], &["-O0"], &["--lto-partitions=9"], &["--cache", &cache], &["--cache", &cache]] {
                made(&library, &[&["compile", "--arch", arch], mode].concat(), &out, &[&file]);
                check(&format!("{arch} {mode:?}"), &out);
                made(&library, &[&["compile", "-c", "--arch", arch], mode].concat(), &object, &[&file]);
                ok(raddle(&["link", &object, "-o", &out]));
                check(&format!("{arch} -c {mode:?}"), &out);
            }
        }
    }
}
