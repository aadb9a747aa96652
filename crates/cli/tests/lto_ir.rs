//! NVIDIA's LTO-IR, made by nvcc and compiled by nvJitLink.

use crate::common::{Bench, raddle};
use raddle_filetest::oracle;

const KERNEL: &str = "extern __device__ int twice(int x);
extern __device__ int other(int x);
__device__ int added = 5;
extern \"C\" __global__ void k(int *p) { p[threadIdx.x] = twice(p[threadIdx.x]) + other(3) + added; }
extern \"C\" __device__ __noinline__ int kept(int x) { return x * 7; }
";
const TWICE: &str = "__device__ int twice(int x) { return x * 2; }\n";
const OTHER: &str = "__device__ int other(int x) { return x + 100; }\n";
const CALLS: &str = "extern \"C\" __device__ int kept(int x);
extern \"C\" __global__ void calls(int *p) { *p = kept(*p); }
";

/// What the kernel makes of 32 numbers from 0 on.
fn expected() -> Vec<i32> {
    (0..32).map(|i| 2 * i + 103 + 5).collect()
}

/// Compiles sources with nvcc to files with this suffix; returns their paths.
fn nvcc(bench: &Bench, sources: &[(&str, &str)], options: &[&str], suffix: &str) -> Option<Vec<String>> {
    let nvcc = oracle::require("nvcc")?;
    let compile = |&(name, text): &(&str, &str)| {
        let (source, out) = (bench.file(&format!("{name}.cu"), text), bench.path(&format!("{name}.{suffix}")));
        let done = nvcc.command().args(["-dc", &source, "-o", &out]).args(options).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        out
    };
    Some(sources.iter().map(compile).collect())
}

/// The numbers after the kernel has run in the simulator.
fn run(bench: &Bench, cubin: &str) -> Vec<i32> {
    let file = bench.file("data.bin", Vec::from_iter((0..32i32).flat_map(i32::to_le_bytes)));
    let ran = raddle(&["run", cubin, "--kernel", "k", "--block", "32", "--arg", &format!("inout:{file}")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let bytes = std::fs::read(&file).unwrap();
    bytes.chunks_exact(4).map(|word| i32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn objects_of_lto_ir_become_a_program() {
    let bench = Bench::new();
    let Some(library) = oracle::require_nvjitlink() else { return };
    let library = library.to_str().unwrap();
    let program = [("k", KERNEL), ("twice", TWICE), ("other", OTHER)];
    let dlto = ["-gencode", "arch=compute_90,code=lto_90"];
    let Some(objects) = nvcc(&bench, &program, &dlto, "o") else { return };
    let Some(files) = nvcc(&bench, &program, &["-arch=sm_90", "-dlto", "-ltoir"], "ltoir") else { return };
    let Some(both) = nvcc(&bench, &program, &["-arch=sm_90", "-dlto"], "both.o") else { return };
    let out = bench.path("out.cubin");
    let build = |command: &str, inputs: &[String], options: &[&str]| {
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let ran = raddle(&[&[command, "-o", &out][..], &inputs, options].concat());
        assert_eq!(ran.code, Some(0), "{command} {inputs:?}: {}", ran.stderr);
        assert_eq!(run(&bench, &out), expected(), "{command} {inputs:?}");
        std::fs::read(&out).unwrap()
    };
    let with = ["--nvjitlink", library, "--arch", "sm_90"];
    for command in ["link", "compile"] {
        let made = build(command, &objects, &with);
        assert!(made == build(command, &files, &with));
        assert!(made == build(command, &Vec::from_iter(files.iter().rev().cloned()), &with));
        assert!(made == build(command, &both, &with));
        build(command, &objects, &[&with[..], &["-O0"]].concat());
    }
    // The architecture is that of the objects, and the library may be in the environment.
    build("link", &objects, &["--nvjitlink", library]);
    // A library of objects, and LTO-IR beside machine code and PTX, which define what it calls.
    let Some(cubin) = nvcc(&bench, &[("twice", TWICE)], &["-arch=sm_90"], "cubin.o") else { return };
    let Some(ptx) = nvcc(&bench, &[("other", OTHER)], &["-gencode", "arch=compute_90,code=compute_90"], "ptx.o") else {
        return;
    };
    build("link", &[objects[0].clone(), cubin[0].clone(), ptx[0].clone()], &with);
    // Options that the objects carry.
    let Some(flushed) = nvcc(&bench, &[("twice", TWICE)], &[&dlto[..], &["-ftz=true"]].concat(), "ftz.o") else {
        return;
    };
    let differ = [&objects[0], &flushed[0], &objects[2]].map(String::as_str);
    let ran = raddle(&[&["link", "-o", &out, "--nvjitlink", library], &differ[..]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for part in ["E0074", "k.o[LTO-IR]' has -ftz false but", "twice.ftz.o[LTO-IR]' has -ftz true"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    build("link", &differ.map(str::to_owned), &[&with[..], &["--ftz", "true"]].concat());
    // Where both are in a file and no library is named, PTX is taken.
    assert!(build("link", &both, &[]) != build("link", &both, &with));
}

#[test]
fn results_are_cached_by_the_inputs_and_the_options() {
    let bench = Bench::new();
    let Some(library) = oracle::require_nvjitlink() else { return };
    let program = [("k", KERNEL), ("twice", TWICE), ("other", OTHER)];
    let Some(files) = nvcc(&bench, &program, &["-arch=sm_90", "-dlto", "-ltoir"], "ltoir") else { return };
    let (out, cache, report) = (bench.path("out.cubin"), bench.path("cache"), bench.path("report.json"));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let build = |options: &[&str]| {
        let fixed = ["link", "--arch", "sm_90", "-o", &out, "--cache", &cache, "--timings", &report, "--nvjitlink"];
        let ran = raddle(&[&fixed[..], &[library.to_str().unwrap()], &files, options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        // The worker is asked where the result is not in the cache.
        let asked = std::fs::read_to_string(&report).unwrap().contains("\"LLVM\"");
        (std::fs::read(&out).unwrap(), asked)
    };
    let (cold, asked) = build(&[]);
    assert!(asked);
    assert!(build(&[]) == (cold.clone(), false));
    let (other, asked) = build(&["--fmad", "false"]);
    assert!(asked && other == cold);
}

#[test]
fn what_is_missing_is_named_with_advice() {
    let bench = Bench::new();
    let input = bench.file("x.ltoir", b"\xed\x43\x4e\x7f and more");
    let out = bench.path("out.cubin");
    let fails = |args: &[&str], code: i32, parts: &[&str]| {
        let ran = raddle(&[&[args[0], &input, "-o", &out, "--arch", "sm_90"], &args[1..]].concat());
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        for part in parts {
            assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        }
        assert!(!std::path::Path::new(&out).exists());
    };
    for command in ["link", "compile"] {
        fails(&[command], 3, &["E0069", "x.ltoir", "LTO-IR", "--nvjitlink", "-dlto"]);
        fails(&[command, "--nvjitlink", "/nonexistent"], 1, &["E0091", "no usable libnvJitLink.so at '/nonexistent'"]);
    }
    let ran = raddle(&["disasm", &input]);
    assert!(ran.code == Some(1) && ran.stderr.contains("is LTO-IR, not a cubin"), "{:?} {}", ran.code, ran.stderr);
    let no_library = bench.file("libnvJitLink.so", "text");
    fails(&["link", "--nvjitlink", &no_library], 1, &["E0091", "no usable", "libnvJitLink.so"]);
    let Some(library) = oracle::require_nvjitlink() else { return };
    let library = library.to_str().unwrap();
    fails(&["link", "--nvjitlink", library], 1, &["E0092", "x.ltoir", "nvJitLink"]);
    // LTO-IR for a newer architecture, and a function that only another input calls.
    let Some(newer) = nvcc(&bench, &[("twice", TWICE)], &["-gencode", "arch=compute_90,code=lto_90"], "o") else {
        return;
    };
    let ran = raddle(&["link", &newer[0], "-o", &out, "--arch", "sm_80", "--nvjitlink", library]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("E0069") && ran.stderr.contains("LTO-IR for sm_90"), "{}", ran.stderr);
    let program = [("k", KERNEL), ("twice", TWICE), ("other", OTHER)];
    let Some(mut files) = nvcc(&bench, &program, &["-arch=sm_90", "-dlto", "-ltoir"], "ltoir") else { return };
    let Some(calls) = nvcc(&bench, &[("calls", CALLS)], &["-arch=sm_90"], "cubin.o") else { return };
    files.extend(calls);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let ran = raddle(&[&["link", "-o", &out, "--arch", "sm_90", "--nvjitlink", library], &files[..]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for part in ["E0065", "kept", "nvJitLink drops functions"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
}
