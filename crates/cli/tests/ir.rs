//! `raddle compile` of LLVM IR with the real command and both versions of LLVM.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::path::Path;

/// Two kernels, a variable, and a function of the other module.
const FIRST: &str = r#"
source_filename = "first.cu"
target triple = "nvptx64-nvidia-cuda"
@scale = addrspace(1) global i32 7, align 4
define internal i32 @helper(i32 %x) noinline {
  %c = load i32, ptr addrspace(1) @scale
  %y = mul i32 %x, %c
  ret i32 %y
}
declare i32 @other(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @one(ptr addrspace(1) %p) #0 {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %at
  %y = call i32 @helper(i32 %x)
  %z = call i32 @other(i32 %y)
  store i32 %z, ptr addrspace(1) %at
  ret void
}
define ptx_kernel void @two(ptr addrspace(1) %p) #0 {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %y = call i32 @helper(i32 %i)
  store i32 %y, ptr addrspace(1) %at
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
"#;

/// A function that the first module calls, by a local one of the same name as there, and by address.
const SECOND: &str = r#"
source_filename = "second.cu"
target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(1) global [2 x ptr] [ptr @helper, ptr @twice]
define internal i32 @helper(i32 %x) noinline {
  %y = xor i32 %x, 12345
  ret i32 %y
}
define internal i32 @twice(i32 %x) noinline {
  %y = shl i32 %x, 1
  ret i32 %y
}
define i32 @other(i32 %x) {
  %odd = and i32 %x, 1
  %at = getelementptr ptr, ptr addrspace(1) @table, i32 %odd
  %f = load volatile ptr, ptr addrspace(1) %at
  %y = call i32 %f(i32 %x)
  ret i32 %y
}
"#;

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn compile(llvm: &Path, files: &[&str], cubin: &str, more: &[&str]) -> Ran {
    let llvm = llvm.display().to_string();
    raddle(&[&["compile", "--llvm", &llvm, "-o", cubin], files, more].concat())
}

/// Runs both kernels.
fn results(bench: &Bench, cubin: &str) -> (Vec<u8>, Vec<u8>) {
    let run = |kernel: &str, buffer: &str| {
        let file = bench.file(buffer, words(0..32));
        let ran = raddle(&["run", cubin, "--kernel", kernel, "--block", "32", "--arg", &format!("inout:{file}")]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        std::fs::read(file).unwrap()
    };
    (run("one", "p"), run("two", "q"))
}

fn expected() -> (Vec<u8>, Vec<u8>) {
    let other = |x: u32| if x & 1 == 0 { x ^ 12345 } else { x << 1 };
    (words((0..32).map(|x| other(x * 7))), words((0..32).map(|i| i * 7)))
}

#[test]
fn modules_of_ir_become_one_cubin_that_computes_what_they_say() {
    for (major, library) in llvm::all() {
        let bench = Bench::new();
        let (first, second) = (bench.file("first.ll", FIRST), bench.file("second.ll", SECOND));
        let cubin = bench.path("out.cubin");
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let ran = compile(&library, &[&first, &second], &cubin, &[level]);
            assert_eq!(ran.code, Some(0), "LLVM {major}, {level}: {}", ran.stderr);
            assert!(results(&bench, &cubin) == expected(), "LLVM {major}, {level}");
        }
    }
}

#[test]
fn bytes_do_not_depend_on_workers_order_or_the_names_of_files() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let (first, second) = (bench.file("first.ll", FIRST), bench.file("second.ll", SECOND));
    let again = bench.file("again.ll", FIRST);
    let cubin = bench.path("out.cubin");
    let mut made = Vec::new();
    for (files, jobs) in
        [([&first, &second], "-j1"), ([&second, &first], "-j1"), ([&again, &second], "-j2"), ([&second, &again], "-j2")]
    {
        let ran = compile(&library, &files.map(String::as_str), &cubin, &[jobs]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        made.push(std::fs::read(&cubin).unwrap());
    }
    assert!(made.iter().all(|bytes| *bytes == made[0]));
}

#[test]
fn ir_and_ptx_are_compiled_together() {
    let Some(library) = llvm::require(19) else { return };
    let bench = Bench::new();
    let (first, second) = (bench.file("first.ll", FIRST), bench.file("second.ll", SECOND));
    let ptx =
        bench.file("three.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry three() { ret; }\n");
    let cubin = bench.path("out.cubin");
    let ran = compile(&library, &[&first, &ptx, &second], &cubin, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let listed = String::from_utf8(raddle(&["info", &cubin]).stdout).unwrap();
    assert!(["one", "two", "three"].iter().all(|kernel| listed.contains(kernel)), "{listed}");
    assert!(results(&bench, &cubin) == expected());
}

#[test]
fn what_cannot_be_compiled_is_an_error_that_names_the_input() {
    let Some(library) = llvm::require(19) else { return };
    let bench = Bench::new();
    let cubin = bench.path("out.cubin");
    let first = bench.file("first.ll", FIRST);
    let host = bench.file("host.ll", SECOND.replace("nvptx64-nvidia-cuda", "x86_64-pc-linux-gnu"));
    let broken = bench.file("broken.ll", "define i32 @f( {\n");
    let nameless = bench.file("nameless.ll", FIRST.replace("\"target-cpu\"=\"sm_90\"", "nounwind"));
    let undominated = "  br i1 true, label %a, label %b\na:\n  %u = add i32 1, 2\n  br label %b\nb:\n  store i32 %u, ptr addrspace(1) %at\n";
    let invalid = FIRST.replacen("  store i32 %z, ptr addrspace(1) %at\n", undominated, 1);
    let invalid = bench.file("invalid.ll", invalid);
    let dotted = bench.file("dotted.ll", FIRST.replace("@scale", "@\"9.scale\""));
    let constructor = "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @first, ptr null }]\ndefine internal void @first() {\n  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  store i32 %i, ptr addrspace(1) @scale\n  ret void\n}\n";
    let constructor = bench.file("constructor.ll", format!("{FIRST}{constructor}"));
    let bitcode = bench.file("broken.bc", b"BC\xc0\xde\x35\x14\0\0\x07\0\0\0");
    for (files, code, words) in [
        (&[&first, &host][..], 1, &["E0092", "host.ll", "x86_64-pc-linux-gnu"][..]),
        (&[&first, &broken], 1, &["E0092", "broken.ll", "expected"]),
        (&[&bitcode], 1, &["E0092", "broken.bc"]),
        (&[&dotted], 1, &["E0092", "dotted.ll", "\"9.scale\"", "PTX does not allow"]),
        // Readers take it, and passes would give it some meaning.
        (&[&invalid], 1, &["E0092", "invalid.ll", "does not dominate"]),
        (&[&constructor], 1, &["E0092", "constructor.ll", "constructors and destructors", "first__"]),
        (&[&nameless], 2, &["E0024", "no architecture", "--arch"]),
        (&[&first], 3, &["E0030", "`other` is not defined here"]),
    ] {
        let files: Vec<&str> = files.iter().map(|file| file.as_str()).collect();
        let ran = compile(&library, &files, &cubin, &[]);
        assert_eq!(ran.code, Some(code), "{files:?}: {}", ran.stderr);
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{words:?} in {}", ran.stderr);
        assert!(!Path::new(&cubin).exists());
    }
}

#[test]
fn a_library_that_cannot_be_used_is_named() {
    let bench = Bench::new();
    let first = bench.file("first.ll", FIRST);
    let (none, old) = (bench.path("none"), bench.file("libLLVM-14.so.1", "x"));
    for (path, word) in [(&none, "there is no such file or folder"), (&old, "LLVM 14")] {
        let ran = raddle(&["compile", "--llvm", path, &first, "-o", &bench.path("out.cubin")]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains("E0091") && ran.stderr.contains(word), "{}", ran.stderr);
    }
}

/// An intrinsic of sm_90, for which LLVM ends its process on sm_80.
const FATAL: &str = r#"
source_filename = "fatal.cu"
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.barrier.cluster.arrive()
define ptx_kernel void @clusters() {
  call void @llvm.nvvm.barrier.cluster.arrive()
  ret void
}
define ptx_kernel void @fine(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
"#;

#[test]
fn a_fatal_error_of_llvm_names_its_kernel_and_keeps_its_bitcode() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, kept) = (bench.file("fatal.ll", FATAL), bench.path("kept"));
        let cubin = bench.path("out.cubin");
        let ran = compile(&library, &[&file], &cubin, &["--arch", "sm_80", "--reproduce", &kept]);
        assert_eq!(ran.code, Some(4), "{}", ran.stderr);
        assert!(ran.stderr.contains("'clusters': LLVM ended its process (SIGABRT)"), "{}", ran.stderr);
        assert!(ran.stderr.contains("barrier.cluster.arrive"), "what LLVM printed: {}", ran.stderr);
        assert!(!ran.stderr.contains("'fine'"), "{}", ran.stderr);
        let alone = format!("{kept}/clusters.bc");
        assert!(ran.stderr.contains(&format!("to repeat it: raddle compile {alone} ")), "{}", ran.stderr);
        let again = compile(&library, &[&alone], &cubin, &["--arch", "sm_80", "-O3"]);
        assert!(again.code == Some(4) && again.stderr.contains("'clusters'"), "{}", again.stderr);
        assert!(!Path::new(&cubin).exists());
    }
}

#[test]
fn what_llvm_prints_does_not_disturb_its_answers() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (first, second) = (bench.file("first.ll", FIRST), bench.file("second.ll", SECOND));
        let cubin = bench.path("out.cubin");
        // `-` is the standard output.
        let options = ["--mllvm=-time-passes", "--mllvm=-info-output-file=-"];
        let ran = compile(&library, &[&first, &second], &cubin, &options);
        assert_eq!((ran.code, ran.stdout.len()), (Some(0), 0), "LLVM {major}: {}", ran.stderr);
        assert!(results(&bench, &cubin) == expected(), "LLVM {major}");
    }
}

#[test]
fn a_time_limit_ends_a_worker() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let file = bench.file("first.ll", SECOND);
    let ran = compile(&library, &[&file], &bench.path("out.cubin"), &["--arch", "sm_90", "--kernel-timeout", "0.0001"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("E0049") && ran.stderr.contains("--kernel-timeout"), "{}", ran.stderr);
}

/// A kernel in PTX that calls a function of the IR, and defines one that the IR calls.
const CALLER: &str = ".version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) other (.param .b32 x);
.visible .entry three(.param .u64 p) {
  .reg .b64 %p, %o; .reg .b32 %t, %x;
  ld.param.u64 %p, [p];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %o, %t, 4;
  add.s64 %p, %p, %o;
  { .param .b32 a; .param .b32 b;
    st.param.b32 [a], %t;
    call (b), other, (a);
    ld.param.b32 %x, [b]; }
  st.global.b32 [%p], %x;
  ret;
}
";

#[test]
fn ir_is_linked_with_objects_and_ptx_that_refer_to_it() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let library = library.display().to_string();
        let (first, second) = (bench.file("first.ll", FIRST), bench.file("second.ll", SECOND));
        let (ptx, object) = (bench.file("three.ptx", CALLER), bench.path("three.o"));
        let made = raddle(&["compile", "-c", &ptx, "-o", &object]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let cubin = bench.path("out.cubin");
        for other in [&ptx, &object] {
            for files in [[&first, other, &second], [other, &second, &first]] {
                let files = files.map(String::as_str);
                let ran =
                    raddle(&[&["link", "--llvm", &library, "-o", &cubin, "--arch", "sm_90"], &files[..]].concat());
                assert_eq!(ran.code, Some(0), "LLVM {major}: {}", ran.stderr);
                assert!(results(&bench, &cubin) == expected(), "LLVM {major}");
                let file = bench.file("r", words(0..32));
                let args = ["run", &cubin, "--kernel", "three", "--block", "32", "--arg", &format!("inout:{file}")];
                assert_eq!(raddle(&args).code, Some(0));
                let other = |x: u32| if x & 1 == 0 { x ^ 12345 } else { x << 1 };
                assert!(std::fs::read(file).unwrap() == words((0..32).map(other)), "LLVM {major}");
            }
        }
    }
}

#[test]
fn an_object_of_ir_has_what_others_need() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let (first, second) = (bench.file("first.ll", FIRST), bench.file("second.ll", SECOND));
    let objects = [bench.path("first.o"), bench.path("second.o")];
    for (file, object) in [first, second].iter().zip(&objects) {
        let ran = compile(&library, &[file], object, &["-c", "--arch", "sm_90"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let cubin = bench.path("out.cubin");
    let ran = raddle(&["link", &objects[0], &objects[1], "-o", &cubin]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(results(&bench, &cubin) == expected());
}

#[test]
fn bitcode_is_found_in_archives_and_offload_packages() {
    let Some(library) = llvm::require(19) else { return };
    let Some(clang) = raddle_filetest::oracle::require("clang-19") else { return };
    let bench = Bench::new();
    let source = bench.file(
        "unit.cu",
        "extern \"C\" __attribute__((global)) void one(unsigned *p) { p[__nvvm_read_ptx_sreg_tid_x()] += 3; }\n\
         extern \"C\" __attribute__((global)) void two(unsigned *p) { p[__nvvm_read_ptx_sreg_tid_x()] *= 2; }\n",
    );
    let device = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_90", "-O2", "-w"];
    let bitcode = bench.path("unit.bc");
    let only = ["--cuda-device-only", "-emit-llvm", "-c", "-o", &bitcode, &source];
    clang.run(&[&device[..], &only].concat()).unwrap();
    let image = std::fs::read(&bitcode).unwrap();
    let archive = bench.file("lib.a", archive_of(&[("unit.bc", &image)]));
    // As `clang -foffload-lto` and `ar` make them: a device image beside one of the host.
    let packages = [package(&image, "x86_64-unknown-linux-gnu", ""), package(&image, "nvptx64-nvidia-cuda", "sm_90")];
    let packages = bench.file("unit.pkg", packages.concat());
    let nested = bench.file("packages.a", archive_of(&[("unit.o", &std::fs::read(&packages).unwrap())]));
    let expected = (words((0..32).map(|x| x + 3)), words((0..32).map(|x| x * 2)));
    let cubin = bench.path("out.cubin");
    let library = library.display().to_string();
    for file in [&bitcode, &packages, &archive, &nested] {
        for command in ["compile", "link"] {
            let ran = raddle(&[command, "--llvm", &library, "--arch", "sm_90", file, "-o", &cubin]);
            assert_eq!(ran.code, Some(0), "{command} {file}: {}", ran.stderr);
            assert!(results(&bench, &cubin) == expected, "{command} {file}");
        }
    }
}

/// An offload package with bitcode (Clang, "Offload Binary").
fn package(image: &[u8], triple: &str, arch: &str) -> Vec<u8> {
    let texts = ["triple", triple, "arch", arch];
    let (entry, table) = (32_usize, 32 + 40);
    let mut offset = table + 32;
    let mut strings = Vec::new();
    let mut pairs = Vec::new();
    for text in texts {
        pairs.extend((offset as u64).to_le_bytes());
        strings.extend(text.bytes().chain([0]));
        offset += text.len() + 1;
    }
    let start = offset.next_multiple_of(8);
    let size = (start + image.len()).next_multiple_of(8);
    let mut out = vec![0x10, 0xff, 0x10, 0xad, 1, 0, 0, 0];
    [size, entry, 40].iter().for_each(|&n| out.extend((n as u64).to_le_bytes()));
    out.extend([2, 0, 2, 0, 0, 0, 0, 0]);
    [table, 2, start, image.len()].iter().for_each(|&n| out.extend((n as u64).to_le_bytes()));
    out.extend(pairs);
    out.extend(strings);
    out.resize(start, 0);
    out.extend_from_slice(image);
    out.resize(size, 0);
    out
}

/// An archive with these members.
fn archive_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        out.extend(
            format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, 644, bytes.len()).bytes(),
        );
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    out
}

#[test]
fn one_task_goes_from_bitcode_to_machine_code_and_no_kernel_is_compiled_twice() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let (first, second) = (bench.file("first.ll", FIRST), bench.file("second.ll", SECOND));
    let (cubin, times) = (bench.path("out.cubin"), bench.path("times.json"));
    let ran = compile(&library, &[&first, &second], &cubin, &["--lto-partitions", "100", "--timings", &times]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let times: serde_json::Value = serde_json::from_slice(&std::fs::read(times).unwrap()).unwrap();
    let events = times["traceEvents"].as_array().unwrap();
    let complete = |name: &str, kind: &str| -> Vec<(f64, f64)> {
        let found = events.iter().filter(|event| event["name"] == name && event["cat"] == kind && event["ph"] == "X");
        found.map(|event| (event["ts"].as_f64().unwrap(), event["dur"].as_f64().unwrap())).collect()
    };
    let codegen = complete("codegen", "phase");
    assert_eq!(codegen.len(), 4, "two kernels, two functions that are called by address: {codegen:?}");
    for kernel in ["one", "two"] {
        let tasks = complete(kernel, "kernel");
        let inside = |&&(from, dur): &&(f64, f64)| codegen.iter().any(|&(at, _)| (from..from + dur).contains(&at));
        let llvm = complete("LLVM", "phase");
        let with_code: Vec<_> = tasks.iter().filter(inside).collect();
        assert_eq!(with_code.len(), 1, "{kernel}: {tasks:?}");
        let (from, dur) = *with_code[0];
        assert!(
            llvm.iter().any(|&(at, _)| (from..from + dur).contains(&at)),
            "{kernel}: {tasks:?}, LLVM {llvm:?}, code {codegen:?}"
        );
    }
}
