//! Definitions of one name in LLVM IR and elsewhere: which of them a program has.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";
const TAIL: &str = "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n";

/// Kernels that store `f` of what is in memory; a definition of `f` that adds 100.
fn module(linkage: &str, kernels: usize) -> String {
    let mut text = format!("source_filename = \"a.cu\"\n{HEAD}");
    writeln!(text, "define {linkage} i32 @f(i32 %x) {{ %y = add i32 %x, 100 ret i32 %y }}").unwrap();
    for k in 0..kernels {
        writeln!(
            text,
            "define ptx_kernel void @k{k}(ptr addrspace(1) %p) #0 {{
  %x = load i32, ptr addrspace(1) %p
  %y = call i32 @f(i32 %x)
  store i32 %y, ptr addrspace(1) %p
  ret void
}}"
        )
        .unwrap();
    }
    text + TAIL
}

/// A definition of `f` that adds 5000.
const STRONG: &str = "\
.version 8.0
.target sm_90
.address_size 64
.visible .func (.param .b32 r) f (.param .b32 a)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [a];
  add.s32 %r2, %r1, 5000;
  st.param.b32 [r], %r2;
  ret;
}
";

/// What raddle says for a command, with an output.
fn made(library: &Path, command: &[&str], out: &str, files: &[&str]) -> Ran {
    let library = library.display().to_string();
    raddle(&[command, &["--llvm", &library, "--arch", "sm_90", "-o", out], files].concat())
}

fn ok(ran: Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// The result of a kernel on the number 5.
fn result(bench: &Bench, cubin: &str, kernel: &str) -> u32 {
    let file = bench.file("buffer", 5_u32.to_le_bytes());
    ok(raddle(&["run", cubin, "--kernel", kernel, "--arg", &format!("inout:{file}")]));
    u32::from_le_bytes(std::fs::read(file).unwrap().try_into().unwrap())
}

const MODES: [&[&str]; 5] = [&[], &["--lto=thin"], &["--lto=whole"], &["--lto=off"], &["--lto-partitions=4"]];

#[test]
fn a_strong_definition_of_ptx_or_an_object_takes_the_place_of_a_weak_one() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (strong, object, out) = (bench.file("strong.ptx", STRONG), bench.path("strong.o"), bench.path("out.cubin"));
        ok(made(&library, &["compile", "-c"], &object, &[&strong]));
        let weak = bench.file("weak.ll", module("weak", 4));
        for (case, mode) in MODES.into_iter().enumerate() {
            for (n, (command, other)) in
                [("link", &object), ("link", &strong), ("compile", &strong)].into_iter().enumerate()
            {
                for (order, files) in [[&*weak, other], [other, &weak]].into_iter().enumerate() {
                    if !llvm::takes(major, case + n + order) {
                        continue;
                    }
                    ok(made(&library, &[&[command], mode].concat(), &out, &files));
                    for k in ["k0", "k3"] {
                        assert_eq!(result(&bench, &out, k), 5005, "LLVM {major}: {command} {mode:?} {files:?} {k}");
                    }
                }
            }
            // Through an object, in several parts as well.
            let parts = bench.path("parts.o");
            let command = if llvm::takes(major, case) { &["compile", "-c"][..] } else { &["link", "-r"] };
            ok(made(&library, &[command, mode].concat(), &parts, &[&weak]));
            ok(made(&library, &["link"], &out, &[&parts, &object]));
            assert_eq!(result(&bench, &out, "k0"), 5005, "LLVM {major}: {command:?} {mode:?}");
        }
    }
}

#[test]
fn two_strong_definitions_are_an_error_that_names_the_symbol() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (strong, object, out) = (bench.file("strong.ptx", STRONG), bench.path("strong.o"), bench.path("out.cubin"));
        ok(made(&library, &["compile", "-c"], &object, &[&strong]));
        let file = bench.file("a.ll", module("", 2));
        for mode in MODES {
            for other in [&object, &strong] {
                let ran = made(&library, &[&["link"], mode].concat(), &out, &[&file, other]);
                assert_eq!(ran.code, Some(1), "LLVM {major} {mode:?} {other}: {}", ran.stderr);
                assert!(ran.stderr.contains("error[E0064]") && ran.stderr.contains(" f"), "{}", ran.stderr);
            }
        }
    }
}

#[test]
fn a_variable_of_one_name_is_one_variable() {
    // An inline variable of C++ in two units: one of LLVM IR, one of PTX.
    let text = format!(
        "source_filename = \"a.cu\"\n{HEAD}$v = comdat any
@v = linkonce_odr addrspace(1) global i32 7, comdat, align 4
define ptx_kernel void @set(ptr addrspace(1) %p) #0 {{
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) @v
  ret void
}}
{TAIL}"
    );
    let other = "\
.version 8.0
.target sm_90
.address_size 64
.weak .global .align 4 .u32 v = 7;
.visible .entry get(.param .u64 p)
{
  .reg .b32 %r<2>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [p];
  ld.global.u32 %r1, [v];
  st.global.u32 [%d1], %r1;
  ret;
}
";
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, ptx, object) = (bench.file("a.ll", &text), bench.file("b.ptx", other), bench.path("b.o"));
        ok(made(&library, &["compile", "-c"], &object, &[&ptx]));
        let out = bench.path("out.cubin");
        for (mode, other) in MODES.iter().flat_map(|mode| [(mode, &object), (mode, &ptx)]) {
            ok(made(&library, &[&["link"], *mode].concat(), &out, &[&file, other]));
            let variables = raddle_cubin::Cubin::parse(&std::fs::read(&out).unwrap()).unwrap().variables().len();
            assert_eq!(variables, 1, "LLVM {major} {mode:?} {other}");
        }
    }
}

#[test]
fn kernels_of_internal_linkage_are_kept() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let text = module("internal", 2).replace("define ptx_kernel", "define internal ptx_kernel");
        let (file, out) = (bench.file("a.ll", text), bench.path("out.cubin"));
        for mode in MODES {
            ok(made(&library, &[&["compile"], mode].concat(), &out, &[&file]));
            for k in ["k0", "k1"] {
                assert_eq!(result(&bench, &out, k), 105, "LLVM {major} {mode:?} {k}");
            }
        }
    }
}
