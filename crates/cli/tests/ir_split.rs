//! LLVM IR through objects of its parts (`--split-compile-extended`, `--verify-split`), and called
//! by modules of PTX.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::fmt::Write;

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";

/// A module with `kernels` kernels that multiply by a number of their own; each has a variable in
/// shared memory.
fn kernels(kernels: usize) -> String {
    let mut text = format!("source_filename = \"kernels.cu\"\n{HEAD}declare i32 @more(i32)\n");
    for k in 0..kernels {
        writeln!(
            text,
            "@shared{k} = internal addrspace(3) global [{} x i32] undef, align 4
define ptx_kernel void @k{k}(ptr addrspace(1) %p) #0 {{
  %x = load i32, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(3) @shared{k}
  %s = load volatile i32, ptr addrspace(3) @shared{k}
  %y = call i32 @more(i32 %s)
  %z = mul i32 %y, {}
  store i32 %z, ptr addrspace(1) %p
  ret void
}}",
            8 << k,
            k + 2
        )
        .unwrap();
    }
    text + "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n"
}

/// The function that all of them call.
fn more() -> String {
    format!("source_filename = \"more.cu\"\n{HEAD}define i32 @more(i32 %x) {{ %y = add i32 %x, 5 ret i32 %y }}\n")
}

fn ok(ran: Ran) -> String {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stderr
}

/// The result of a kernel on the number 7.
fn result(bench: &Bench, cubin: &str, kernel: &str) -> u32 {
    let file = bench.file("buffer", 7_u32.to_le_bytes());
    ok(raddle(&["run", cubin, "--kernel", kernel, "--arg", &format!("inout:{file}")]));
    u32::from_le_bytes(std::fs::read(file).unwrap().try_into().unwrap())
}

#[test]
fn parts_become_objects_and_no_kernel_is_lost() {
    const KERNELS: usize = 7;
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let files = [bench.file("kernels.ll", kernels(KERNELS)), bench.file("more.ll", more())];
        let (library, out) = (library.display().to_string(), bench.path("out.cubin"));
        // More parts than inputs, and one.
        for (command, parts) in [("compile", "5"), ("compile", "1"), ("link", "5"), ("link", "1")] {
            let base = [command, "--llvm", &library, "-o", &out, &files[0], &files[1], "--lto-partitions", parts];
            let split = ["--split-compile-extended=2"];
            ok(raddle(&[&base[..], &split[..]].concat()));
            for k in 0..KERNELS {
                let want = (7 + 5) * (k as u32 + 2);
                assert_eq!(
                    result(&bench, &out, &format!("k{k}")),
                    want,
                    "LLVM {major}, {command}, {parts} parts, k{k}"
                );
            }
            let said = ok(raddle(&[&base[..], &["--verify-split"]].concat()));
            assert!(said.contains(&format!("{KERNELS} functions equal, 0 not")), "LLVM {major}, {command}: {said}");
        }
    }
}

#[test]
fn a_difference_between_one_part_and_several_is_shown() {
    // A large local function is inlined where it has one caller, in each part, and not in the
    // whole: there its pointer stays generic.
    const STEPS: usize = 600;
    let step = |n: usize| format!("%a{n} = mul i32 %b{0}, %b{0}\n%b{n} = xor i32 %a{n}, {n}\n", n - 1);
    let steps: String = (1..=STEPS).map(step).collect();
    let mut text = format!("source_filename = \"a.cu\"\n{HEAD}");
    writeln!(text, "define internal i32 @f(ptr %p) {{\n%b0 = load i32, ptr %p\n{steps}ret i32 %b{STEPS}\n}}").unwrap();
    for k in 0..2 {
        writeln!(
            text,
            "define ptx_kernel void @k{k}(ptr addrspace(1) %p) #0 {{
  %generic = addrspacecast ptr addrspace(1) %p to ptr
  %y = call i32 @f(ptr %generic)
  store i32 %y, ptr addrspace(1) %p
  ret void
}}"
        )
        .unwrap();
    }
    text += "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n";
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let (file, library, out) = (bench.file("a.ll", text), library.display().to_string(), bench.path("out"));
    let ran = raddle(&["compile", "--llvm", &library, "-o", &out, &file, "--lto-partitions", "2", "--verify-split"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("error[E0076]: 2 functions differ") && ran.stderr.contains("instructions"),
        "{}",
        ran.stderr
    );
}

/// A kernel that calls a function of LLVM IR and reads a variable of it.
const CALLER: &str = "\
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) more (.param .b32 a);
.extern .global .align 4 .b32 offset;
.visible .entry caller(.param .u64 p)
{
  .reg .b32 %r<4>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [p];
  ld.global.u32 %r1, [%d1];
  { .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call.uni (r), more, (a); ld.param.b32 %r2, [r]; }
  ld.global.u32 %r3, [offset];
  add.s32 %r2, %r2, %r3;
  st.global.u32 [%d1], %r2;
  ret;
}
";

#[test]
fn ptx_calls_functions_of_llvm_ir_in_every_mode() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let with_variable = more() + "@offset = addrspace(1) global i32 1000, align 4\n";
        let (more, kernels) = (bench.file("more.ll", with_variable), bench.file("kernels.ll", kernels(2)));
        let (caller, out) = (bench.file("caller.ptx", CALLER), bench.path("out.cubin"));
        let library = library.display().to_string();
        let modes: [&[&str]; 6] = [
            &[],
            &["--split-compile-extended=2"],
            &["--lto=thin"],
            &["--lto=whole"],
            &["--lto=off"],
            &["--lto-partitions=3"],
        ];
        for command in ["compile", "link"] {
            for (files, more_options) in modes.iter().flat_map(|mode| [(2, mode), (3, mode)]) {
                let files = &[&*more, &caller, &kernels][..files];
                let base = [command, "--llvm", &library, "-o", &out];
                ok(raddle(&[&base[..], files, more_options].concat()));
                let got = result(&bench, &out, "caller");
                assert_eq!(got, 7 + 5 + 1000, "LLVM {major}, {command} {files:?} {more_options:?}");
            }
        }
    }
}
