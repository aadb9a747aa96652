//! Debug information of LLVM IR, from clang to the cubin.

use crate::common::{Bench, raddle};
use raddle_filetest::oracle::Oracle;
use raddle_filetest::{llvm, oracle};

/// A kernel that calls a function of the other file; lines count.
const KERNEL: &str = r#"__attribute__((device)) int twice(int x);
__attribute__((device)) int once(int x);
extern "C" __attribute__((global)) void one(int *p) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  p[i] = twice(p[i]);
}
extern "C" __attribute__((global)) void two(int *p) {
  int i = __nvvm_read_ptx_sreg_tid_x();
  p[i] = once(p[i]);
}
"#;

const FUNCTIONS: &str = r#"__attribute__((device)) int twice(int x) {
  return x * 1234567;
}

__attribute__((device)) __attribute__((noinline)) int once(int x) {
  return x ^ 7654321;
}
"#;

/// Compiles both files to bitcode with debug information.
fn units(clang: &Oracle, bench: &Bench) -> Vec<String> {
    let mut units = Vec::new();
    for (name, text) in [("kernel.cu", KERNEL), ("functions.cu", FUNCTIONS)] {
        let (source, out) = (bench.file(name, text), bench.path(&format!("{name}.bc")));
        let fixed = "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -fgpu-rdc -O1 -w -g \
                     -emit-llvm -c -o";
        let args: Vec<&str> = fixed.split_whitespace().chain([out.as_str(), source.as_str()]).collect();
        clang.run(&args).unwrap();
        units.push(out);
    }
    units
}

#[test]
fn lines_of_the_sources_are_in_the_cubin_of_linked_and_split_programs() {
    let Some(clang) = oracle::require("clang-19") else { return };
    let Some(nvdisasm) = oracle::require("nvdisasm") else { return };
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let library = library.display().to_string();
        let bench = Bench::new();
        let units = units(&clang, &bench);
        let files: Vec<&str> = units.iter().map(String::as_str).collect();
        for (parts, option) in [("1", "--lineinfo"), ("100", "--lineinfo"), ("1", "-g"), ("100", "-g")] {
            let cubin = bench.path("out.cubin");
            let args = ["compile", "--llvm", &library, "--lto-partitions", parts, option, "-o", &cubin];
            let ran = raddle(&[&args[..], &files].concat());
            assert_eq!(ran.code, Some(0), "LLVM {major}, {parts} {option}: {}", ran.stderr);
            let text = String::from_utf8(nvdisasm.run(&["-g", &cubin]).unwrap()).unwrap();
            let lines: Vec<&str> = text.lines().filter(|line| line.contains("//## File")).collect();
            let has = |file: &str, line: u32| {
                let found = |text: &&str| text.contains(&format!("{file}\", line {line}"));
                assert!(lines.iter().any(found), "LLVM {major}, {parts} {option}: {file} {line} in {lines:#?}");
            };
            has("kernel.cu", 9);
            has("functions.cu", 6);
            // Inlined into another file where the code is optimised; LLVM 19 and 22 do not say where.
            has("functions.cu", 2);
        }
    }
}

#[test]
fn remarks_say_what_was_inlined_and_where() {
    let Some(clang) = oracle::require("clang-19") else { return };
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let library = library.display().to_string();
        let bench = Bench::new();
        let units = units(&clang, &bench);
        let files: Vec<&str> = units.iter().map(String::as_str).collect();
        let (cubin, remarks) = (bench.path("out.cubin"), bench.path("remarks.json"));
        for command in ["compile", "link"] {
            let args =
                [command, "--llvm", &library, "--lineinfo", "--arch", "sm_90", "-o", &cubin, "--remarks", &remarks];
            let ran = raddle(&[&args[..], &files].concat());
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "LLVM {major}");
            let text = std::fs::read_to_string(&remarks).unwrap();
            let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
            let inlined = lines.into_iter().find(|remark| {
                let message = remark["message"].as_str().unwrap();
                message.contains("twice") && message.contains("inlined into 'one'")
            });
            let inlined = inlined.unwrap_or_else(|| panic!("LLVM {major}: {text}"));
            assert_eq!(inlined["kind"], "remark");
            assert!(inlined["place"].as_str().unwrap().ends_with("kernel.cu:5:10"), "LLVM {major}: {inlined}");
            assert!(inlined["about"].as_str().unwrap().contains("one"), "LLVM {major}: {inlined}");
        }
    }
}
