//! LLVM IR inside other files, in links, from standard input, and the libraries that compile it.

use crate::common::{Bench, Ran, finish, raddle};
use raddle_filetest::llvm;
use std::path::Path;
use std::process::{Command, Stdio};

/// A kernel that calls a function of the other module.
const KERNEL: &str = r#"
source_filename = "kernel.cu"
target triple = "nvptx64-nvidia-cuda"
declare i32 @other(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @one(ptr addrspace(1) %p) #0 {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %at
  %y = call i32 @other(i32 %x)
  store i32 %y, ptr addrspace(1) %at
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
"#;

const FUNCTION: &str = r#"
source_filename = "function.cu"
target triple = "nvptx64-nvidia-cuda"
define i32 @other(i32 %x) noinline {
  %y = mul i32 %x, 7
  ret i32 %y
}
"#;

/// A kernel that does the same.
const PTX: &str = "\
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) other(.param .b32 x);
.visible .entry two(.param .u64 p) {
    .reg .b64 %p, %i; .reg .b32 %x;
    .param .b32 a; .param .b32 b;
    ld.param.u64 %p, [p];
    mov.u32 %x, %tid.x;
    mul.wide.u32 %i, %x, 4;
    add.u64 %p, %p, %i;
    ld.global.u32 %x, [%p];
    st.param.b32 [a], %x;
    call (b), other, (a);
    ld.param.b32 %x, [b];
    st.global.u32 [%p], %x;
    ret;
}
";

/// Bitcode of both modules.
fn bitcode(bench: &Bench, library: &Path) -> [Vec<u8>; 2] {
    let files = [bench.file("kernel.ll", KERNEL), bench.file("function.ll", FUNCTION)];
    let temps = bench.path("temps");
    let ran = compile(library, &files.each_ref().map(String::as_str), "/dev/null", &["--save-temps", &temps]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ["kernel", "function"].map(|name| std::fs::read(format!("{temps}/{name}.ll.simplified.bc")).unwrap())
}

fn compile(llvm: &Path, files: &[&str], cubin: &str, more: &[&str]) -> Ran {
    raddle(&[&["compile", "--llvm", llvm.to_str().unwrap(), "-o", cubin], files, more].concat())
}

/// Runs a kernel, which multiplies by 7.
fn assert_multiplies(bench: &Bench, cubin: &str, kernel: &str) {
    let words = |by: u32| -> Vec<u8> { (0..32u32).flat_map(|x| (x * by).to_le_bytes()).collect() };
    let file = bench.file("p", words(1));
    let ran = raddle(&["run", cubin, "--kernel", kernel, "--block", "32", "--arg", &format!("inout:{file}")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(std::fs::read(file).unwrap() == words(7), "{kernel}");
}

/// An archive in the common format.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, contents) in members {
        let head = format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, 644, contents.len());
        out.extend([head.as_bytes(), contents].concat());
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    out
}

/// An offload package with one image of bitcode, as clang makes it for CUDA.
fn package(arch: &str, image: &[u8]) -> Vec<u8> {
    let text = format!("arch\0triple\0nvptx64-nvidia-cuda\0{arch}\0");
    let (strings, arch_at) = (72 + 32, 72 + 32 + 32);
    let at = (strings + text.len()).next_multiple_of(8);
    let size = (at + image.len()).next_multiple_of(8);
    let mut out = b"\x10\xff\x10\xad\x01\0\0\0".to_vec();
    let values = [size, 32, 40, 2 | 2 << 16, 72, 2, at, image.len(), strings, arch_at, strings + 5, strings + 12];
    out.extend(values.iter().flat_map(|&value| (value as u64).to_le_bytes()));
    out.extend(text.as_bytes());
    out.resize(at, 0);
    out.extend(image);
    out.resize(size, 0);
    out
}

/// A host object with these packages.
fn host_object(packages: &[u8]) -> Vec<u8> {
    let names = b"\0.llvm.offloading\0";
    let start = (64 + names.len()).next_multiple_of(8);
    let table = (start + packages.len()).next_multiple_of(8);
    let mut out = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\x3e\0\x01\0\0\0".to_vec();
    out.extend([0; 16]);
    out.extend((table as u64).to_le_bytes());
    out.extend([0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 64, 0, 3, 0, 1, 0]);
    out.extend(names);
    out.resize(start, 0);
    out.extend(packages);
    out.resize(table, 0);
    for (name, kind, offset, size) in [(0u32, 0u32, 0, 0), (0, 3, 64, names.len()), (1, 1, start, packages.len())] {
        out.extend([name.to_le_bytes(), kind.to_le_bytes()].concat());
        out.extend([0, 0, offset, size, 0, 1, 0].iter().flat_map(|&value| (value as u64).to_le_bytes()));
    }
    out
}

#[test]
fn bitcode_is_taken_out_of_archives_packages_and_objects() {
    let Some(library) = llvm::require(19) else { return };
    let bench = Bench::new();
    let [kernel, function] = bitcode(&bench, &library);
    let packages = [package("sm_80", b"BC\xc0\xdedamaged"), package("sm_90", &kernel)].concat();
    let function_file = bench.file("function.bc", &function);
    let files = [
        bench.file("both.a", archive(&[("kernel.bc", &kernel), ("notes", b"text"), ("function.o", &function)])),
        bench.file("kernel.offload", &packages),
        bench.file("kernel.o", host_object(&packages)),
        bench.file("kernel.a", archive(&[("kernel.o", &host_object(&packages))])),
    ];
    let cubin = bench.path("out.cubin");
    for (number, file) in files.iter().enumerate() {
        let inputs = if number == 0 { vec![&file[..]] } else { vec![&file[..], &function_file] };
        let files = [&inputs[..], &["--llvm", library.to_str().unwrap(), "-o", &cubin]].concat();
        for command in [&["compile"][..], &["compile", "--arch", "sm_90"], &["link", "--arch", "sm_90"]] {
            let ran = raddle(&[command, &files].concat());
            assert_eq!(ran.code, Some(0), "{command:?} {file}: {}", ran.stderr);
            assert_multiplies(&bench, &cubin, "one");
        }
        let ran = raddle(&["info", file]);
        assert!(String::from_utf8(ran.stdout).unwrap().contains("LLVM bitcode"), "{file}: {}", ran.stderr);
    }
    // An error names the member.
    let ran = compile(&library, &[&files[2]], &cubin, &["--arch", "sm_86"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("kernel.o[LLVM bitcode for sm_80]"), "{}", ran.stderr);
    let ran = compile(&library, &[&files[1]], &cubin, &["--arch", "sm_75"]);
    assert!(ran.code == Some(3) && ran.stderr.contains("it has LLVM bitcode for sm_80"), "{}", ran.stderr);
    let ran = raddle(&["link", &files[1], "-o", &cubin]);
    assert!(ran.code == Some(2) && ran.stderr.contains("E0024"), "{}", ran.stderr);
    assert!(ran.stderr.contains("has code for sm_80, sm_90"), "{}", ran.stderr);
}

#[test]
fn files_that_cannot_be_read_are_told_with_advice() {
    let bench = Bench::new();
    let lto = bench.file("k.ltoir", b"\xed\x43\x4e\x7f\x01\x41\x02\x62\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let archived = bench.file("lto.a", archive(&[("k.ltoir", &std::fs::read(&lto).unwrap())]));
    let thin = bench.file("thin.a", b"!<thin>\n/               0           0     0     0       8         `\n");
    let mut newer = package("sm_90", b"BC\xc0\xde");
    newer[4] = 9;
    // A library whose other member is whole.
    let cut = bench.file("cut.a", archive(&[("cut.o", &newer[..80]), ("fine.bc", b"BC\xc0\xde")]));
    let unknown = bench.file("unknown.a", archive(&[("fine.bc", b"BC\xc0\xde"), ("k.o", &newer)]));
    let newer = bench.file("k.offload", newer);
    for (file, code, words) in [
        (&lto, 3, ["E0069", "NVIDIA's LTO-IR", "LLVM bitcode with clang"]),
        (&archived, 3, ["E0069", "lto.a(k.ltoir)", "LLVM bitcode with clang"]),
        (&thin, 1, ["E0005", "thin archive", "`ar rcs`"]),
        (&newer, 1, ["E0005", "offload package", "unknown version"]),
        (&cut, 1, ["E0005", "cut.a(cut.o)", "cut off"]),
        (&unknown, 1, ["E0005", "unknown.a(k.o)", "unknown version"]),
    ] {
        for command in ["compile", "link"] {
            let ran = raddle(&[command, file, "-o", "/dev/null"]);
            assert_eq!(ran.code, Some(code), "{command} {file}: {}", ran.stderr);
            assert!(words.iter().all(|word| ran.stderr.contains(word)), "{command} {file}: {}", ran.stderr);
        }
    }
}

#[test]
fn commands_for_other_inputs_say_what_ir_is() {
    let bench = Bench::new();
    let (text, bitcode) = (bench.file("k.ll", KERNEL), bench.file("k.bc", b"BC\xc0\xde"));
    let out = bench.path("out");
    for file in [&text, &bitcode] {
        for command in [
            &["split", file, "-o", &out][..],
            &["info", file],
            &["disasm", file],
            &["diff", file, file],
            &["run", file, "--kernel", "one"],
        ] {
            let ran = raddle(command);
            assert!(ran.code == Some(1) && ran.stderr.contains("' is LLVM IR, "), "{command:?}: {}", ran.stderr);
        }
    }
    assert_eq!(bench.listing(), ["k.bc", "k.ll"]);
}

#[test]
fn an_object_of_ir_is_linked_with_ptx() {
    let Some(library) = llvm::require(19) else { return };
    let bench = Bench::new();
    let files = [bench.file("kernel.ll", KERNEL), bench.file("function.ll", FUNCTION)];
    let (object, ptx, cubin) = (bench.path("ir.o"), bench.file("two.ptx", PTX), bench.path("out.cubin"));
    let ran = compile(&library, &files.each_ref().map(String::as_str), &object, &["-c"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = raddle(&["link", &object, &ptx, "-o", &cubin]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_multiplies(&bench, &cubin, "one");
    assert_multiplies(&bench, &cubin, "two");
}

#[test]
fn after_a_crash_ir_of_standard_input_is_compiled_again() {
    let Some(library) = llvm::require(19) else { return };
    let bench = Bench::new();
    let alone = KERNEL
        .replace("declare i32 @other", "define internal i32 @other")
        .replace("@other(i32)\n", "@other(i32 %x) noinline {\n  %y = mul i32 %x, 7\n  ret i32 %y\n}\n");
    let (input, cubin) = (bench.file("kernel.ll", alone), bench.path("out.cubin"));
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat $0 | $1 compile - --llvm $2 -o $3", &input, env!("CARGO_BIN_EXE_raddle")]);
    shell.arg(&library).arg(&cubin).stdin(Stdio::null()).env("RADDLE_FAULT", "segv-once:one");
    shell.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR")).env_remove("MAKEFLAGS");
    let ran = finish(shell);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("warning[E0053]"), "{}", ran.stderr);
    assert_multiplies(&bench, &cubin, "one");
}

#[test]
fn doctor_shows_the_libraries_or_what_is_missing() {
    let bench = Bench::new();
    let (none, old) = (bench.path("none"), bench.file("libLLVM-14.so.1", "x"));
    let facts = |args: &[&str]| {
        let ran = raddle(&[&["doctor", "--message-format", "json"], args].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let object: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        ["LLVM", "libdevice"].map(|name| object["facts"][name].as_str().unwrap().to_owned())
    };
    let [llvm, libdevice] = facts(&["--llvm", &old, "--libdevice", &none]);
    assert!(llvm.starts_with("none: ") && llvm.contains("libLLVM-14.so.1' is LLVM 14, 19 or newer"), "{llvm}");
    assert!(libdevice.starts_with("none: ") && libdevice.contains(&none), "{libdevice}");
    let device = bench.file("libdevice.10.bc", "BC");
    assert_eq!(facts(&["--llvm", &none, "--libdevice", &device])[1], device);
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let [found, _] = facts(&["--llvm", library.to_str().unwrap()]);
        assert!(found.contains("libLLVM") && found.contains(&format!("(LLVM {major}.")), "{found}");
    }
}
