//! What options and inputs say about floating point and launches, seen in the PTX.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::path::Path;

/// Operations that the switches are about, with the flags that clang writes for CUDA.
const FLOATS: &str = r#"
source_filename = "floats.cu"
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.sqrt.f32(float)
declare <2 x float> @llvm.sqrt.v2f32(<2 x float>)
declare float @llvm.fmuladd.f32(float, float, float)
define ptx_kernel void @k(ptr addrspace(1) %p, float %x, float %y, <2 x float> %v) #0 {
  %m = fmul contract float %x, %y
  %a = fadd contract float %m, %x
  %b = call float @llvm.fmuladd.f32(float %a, float %y, float %x)
  %s = call float @llvm.sqrt.f32(float %b)
  %d = fdiv float %s, %y
  store float %d, ptr addrspace(1) %p
  %w = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %v)
  %q = getelementptr i8, ptr addrspace(1) %p, i64 8
  store <2 x float> %w, ptr addrspace(1) %q
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
"#;

/// A second kernel, with all that fast arithmetic allows, so that the program takes all steps.
const SECOND: &str = r#"define ptx_kernel void @second(ptr addrspace(1) %p, float %x, float %y) #1 {
  %m = fmul fast float %x, %y
  %a = fadd fast float %m, %x
  store float %a, ptr addrspace(1) %p
  ret void
}
attributes #1 = { "target-cpu"="sm_90" "unsafe-fp-math"="true" }
"#;

fn compile(library: &Path, files: &[&str], out: &str, more: &[&str]) -> Ran {
    let library = library.display().to_string();
    raddle(&[&["compile", "--llvm", &library, "-o", out], files, more].concat())
}

fn ptx(bench: &Bench, library: &Path, text: &str, more: &[&str]) -> String {
    let (file, out) = (bench.file("in.ll", text), bench.path("out.ptx"));
    let ran = compile(library, &[&file], &out, &[&["--emit", "ptx"], more].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{more:?}");
    std::fs::read_to_string(out).unwrap()
}

#[test]
fn the_four_switches_decide_about_operations_whatever_flags_they_have() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        for text in [FLOATS.to_owned(), format!("{FLOATS}{SECOND}")] {
            for (switch, with, without) in [
                (&[][..], &["fma.rn.f32", "sqrt.rn.f32", "div.rn.f32"][..], &[".ftz", "approx", "mul.", "add.rn"][..]),
                (&["--fmad", "false"], &["mul.rn.f32", "add.rn.f32", "sqrt.rn.f32"], &["fma", "mad"]),
                (&["--fmad", "false", "-O0"], &["mul.rn.f32", "add.rn.f32", "sqrt.rn.f32"], &["fma", "mad"]),
                (&["--prec-sqrt", "false"], &["sqrt.approx.f32", "div.rn.f32", "fma.rn.f32"], &["sqrt.rn"]),
                (&["--prec-sqrt", "false", "--ftz", "true"], &["sqrt.approx.ftz.f32"], &["sqrt.rn"]),
                (&["--prec-div", "false"], &["div.full.f32", "sqrt.rn.f32"], &["div.rn"]),
                (&["--ftz", "true"], &["fma.rn.ftz.f32", "sqrt.rn.ftz.f32", "div.rn.ftz.f32"], &["rn.f32"]),
            ] {
                let ptx = ptx(&bench, &library, &text, switch);
                for word in with {
                    assert!(ptx.contains(word), "LLVM {major}, {switch:?}: no {word} in {ptx}");
                }
                for word in without {
                    assert!(!ptx.contains(word), "LLVM {major}, {switch:?}: {word} in {ptx}");
                }
            }
        }
    }
}

/// A kernel that stores what the device library is told about subnormal numbers.
fn flushes(name: &str, flag: &str) -> String {
    format!(
        "source_filename = \"{name}.cu\"
target triple = \"nvptx64-nvidia-cuda\"
@.ftz = private constant [11 x i8] c\"__CUDA_FTZ\\00\"
declare i32 @__nvvm_reflect(ptr)
define ptx_kernel void @{name}(ptr addrspace(1) %p) #0 {{
  %b = call i32 @__nvvm_reflect(ptr @.ftz)
  %c = add i32 %b, 700
  store i32 %c, ptr addrspace(1) %p
  ret void
}}
attributes #0 = {{ \"target-cpu\"=\"sm_90\" }}
{flag}"
    )
}

/// The flag with this value.
fn flag(value: u32) -> String {
    format!("!llvm.module.flags = !{{!0}}\n!0 = !{{i32 4, !\"nvvm-reflect-ftz\", i32 {value}}}\n")
}

#[test]
fn the_flag_of_a_module_says_whether_the_device_library_flushes_unless_an_option_does() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (on, off) = (&["--ftz", "true"][..], &["--ftz", "false"][..]);
        for (text, option, number) in [
            ("", &[][..], 700),
            (&*flag(0), &[], 700),
            (&flag(1), &[], 701),
            (&flag(1), off, 700),
            (&flag(1), on, 701),
            (&flag(0), on, 701),
        ] {
            let ptx = ptx(&bench, &library, &flushes("k", text), option);
            assert!(ptx.contains(&format!(", {number};")), "LLVM {major}, {text:?} {option:?}: {ptx}");
        }
    }
}

#[test]
fn modules_whose_flags_differ_are_named_both() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let files = [("a", 0), ("same", 0), ("other", 1)]
            .map(|(name, value)| bench.file(&format!("{name}.ll"), flushes(name, &flag(value))));
        let files = [&*files[0], &files[1], &files[2]];
        let cubin = bench.path("out.cubin");
        for mode in ["--lto=partial", "--lto=thin", "--lto=whole"] {
            let ran = compile(&library, &files, &cubin, &[mode]);
            assert_eq!(ran.code, Some(1), "LLVM {major}, {mode}: {}", ran.stderr);
            for word in ["E0092", "a.ll", "other.ll", "nvvm-reflect-ftz", "is 0 in", "1 in the other"] {
                assert!(ran.stderr.contains(word), "LLVM {major}, {mode}: no {word} in {}", ran.stderr);
            }
            assert!(!Path::new(&cubin).exists());
            for option in ["true", "false"] {
                let ran = compile(&library, &files, &bench.path("right.cubin"), &[mode, "--ftz", option]);
                assert_eq!(ran.code, Some(0), "LLVM {major}, {mode}, {option}: {}", ran.stderr);
            }
        }
    }
}

#[test]
fn launch_bounds_that_are_attributes_are_kept() {
    const BOUNDS: &str = r#"
source_filename = "bounds.cu"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @most(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @exact(ptr addrspace(1) %p) #1 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "nvvm.maxntid"="128,2" "nvvm.minctasm"="2" "nvvm.maxnreg"="40" "nvvm.maxclusterrank"="8" }
attributes #1 = { "nvvm.reqntid"="64" }
"#;
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        for mode in ["--lto=partial", "--lto=whole", "-O0"] {
            let ptx = ptx(&bench, &library, BOUNDS, &["--arch", "sm_90", mode]);
            for bound in [".maxntid 128, 2", ".minnctapersm 2", ".maxnreg 40", ".maxclusterrank 8", ".reqntid 64"] {
                assert!(ptx.contains(bound), "LLVM {major}, {mode}: no {bound} in {ptx}");
            }
        }
    }
}

/// A kernel with a property, in the form of new front ends.
fn kernel(parameters: &str, attributes: &str, more: &str) -> String {
    format!(
        "source_filename = \"kernel.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n\
         define ptx_kernel void @narrow(ptr addrspace(1) %p{parameters}) {attributes} {{\n  \
         store i32 1, ptr addrspace(1) %p\n  ret void\n}}\n{more}\n"
    )
}

#[test]
fn clusters_are_kept_or_refused_by_name() {
    let bench = Bench::new();
    let old = "!nvvm.annotations = !{!0}\n!0 = !{ptr @narrow, ";
    let dimensions = format!("{old}!\"cluster_dim_x\", i32 2, !\"cluster_dim_y\", i32 1, !\"cluster_dim_z\", i32 1}}");
    let attribute = "\"nvvm.cluster_dim\"=\"2,1,1\"";
    for (major, text, part, refused) in [
        (22, kernel("", attribute, ""), ".reqnctapercluster 2, 1, 1", None),
        (22, kernel("", "", &dimensions), ".reqnctapercluster 2, 1, 1", None),
        (19, kernel("", attribute, ""), "", Some(("nvvm.cluster_dim", "20"))),
        (19, kernel("", "", &dimensions), "", Some(("nvvm.cluster_dim", "20"))),
        (19, kernel("", "\"nvvm.blocksareclusters\"", ""), "", Some(("nvvm.blocksareclusters", "22"))),
        (19, kernel("", "", &format!("{old}!\"cluster_max_blocks\", i32 4}}")), ".maxclusterrank 4", None),
        (22, kernel("", "", &format!("{old}!\"cluster_max_blocks\", i32 4}}")), ".maxclusterrank 4", None),
    ] {
        let Some(library) = llvm::require(major) else { continue };
        let Some((what, first)) = refused else {
            let ptx = ptx(&bench, &library, &text, &["--arch", "sm_90"]);
            assert!(ptx.contains(part), "LLVM {major}: no {part} in {ptx}");
            continue;
        };
        let file = bench.file("in.ll", &text);
        let ran = compile(&library, &[&file], &bench.path("out.ptx"), &["--arch", "sm_90"]);
        let said = format!("this LLVM has no {what}, which the kernel narrow has; LLVM {first} and newer do");
        assert!(ran.code == Some(1) && ran.stderr.contains(&said), "{:?} {}", ran.code, ran.stderr);
        // An architecture without clusters has nothing to lose.
        let ran = compile(&library, &[&file], &bench.path("out.cubin"), &["--arch", "sm_80"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    }
}

/// A parameter that all threads read in one place has no copy in local memory.
#[test]
fn constant_parameters_are_kept() {
    let address = "define internal void @leak(ptr %at) noinline { call void asm sideeffect \"prefetch.tensormap [$0];\", \"l\"(ptr %at) ret void }";
    let body = |parameter: &str, metadata: &str| {
        format!(
            "source_filename = \"constant.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n{address}\n\
             define ptx_kernel void @k(i32 %n, ptr byval([128 x i8]) align 64 {parameter} %map) {{\n  \
             call void @leak(ptr %map)\n  ret void\n}}\n{metadata}\n"
        )
    };
    let annotated = "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"grid_constant\", !1}\n!1 = !{i32 2}";
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        for (text, copied) in
            [(body("\"nvvm.grid_constant\"", ""), false), (body("", annotated), false), (body("", ""), true)]
        {
            let ptx = ptx(&bench, &library, &text, &["--arch", "sm_90"]);
            assert_eq!(ptx.contains(".local"), copied, "LLVM {major}: {ptx}");
            assert_eq!(ptx.contains("cvta.param"), !copied, "LLVM {major}: {ptx}");
        }
    }
}
