//! The command lines of programs that call the tools, word for word: Raddle makes the same files
//! as the tool, says the same, and its code is its own.
//!
//! Source: the sources of the callers.

use crate::common::tools::outcome;
use crate::common::{Bench, command, finish, raddle};
use raddle_filetest::oracle;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

/// A kernel that calls a function of another module, and one that calls none.
const CALLER: &str = "\
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) other(.param .b32 a);
.visible .entry k(.param .u64 p, .param .u32 n)
{
.reg .b64 %rd<2>;
.reg .b32 %r<3>;
ld.param.u64 %rd1, [p];
ld.param.u32 %r1, [n];
{
.param .b32 a;
.param .b32 r;
st.param.b32 [a], %r1;
call (r), other, (a);
ld.param.b32 %r2, [r];
}
st.global.u32 [%rd1], %r2;
ret;
}
";
const CALLEE: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) other(.param .b32 a)
{
.reg .b32 %r<3>;
ld.param.b32 %r1, [a];
add.s32 %r2, %r1, 5;
st.param.b32 [r], %r2;
ret;
}
";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("a.ptx", CALLER);
    bench.file("b.ptx", CALLEE);
    let alone = CALLER.replace(".extern .func (.param .b32 r) other(.param .b32 a);\n", "");
    let (start, end) = (alone.find("{\n.param").unwrap(), alone.find("st.global").unwrap());
    bench.file("in.ptx", format!("{}add.s32 %r2, %r1, 5;\n{}", &alone[..start], &alone[end..]));
    bench.file("words", "-m64 -O2\n--gpu-name sm_90 --output-file \"out file\" in.ptx");
    bench
}

/// Our command under the name of a tool, without another one.
fn ours(tool: &str, words: &[&str]) -> Command {
    let mut command = command(words);
    command.arg0(tool);
    for tool in ["PTXAS", "NVLINK", "FATBINARY"] {
        command.env(format!("RADDLE_{tool}"), "off");
    }
    for name in ["RADDLE_CACHE", "RADDLE_REPORT", "RADDLE_WITHIN"] {
        command.env_remove(name);
    }
    command
}

/// Whether a file has code of this build, and of no other compiler.
fn is_ours(bench: &Bench, name: &str) -> bool {
    let bytes = fs::read(bench.path(name)).unwrap();
    let has = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    has(concat!("\0raddle\0Raddle ", env!("CARGO_PKG_VERSION"), "\0Build raddle_").as_bytes()) && !has(b"\0ptxas\0")
}

/// The number that kernel `k` stores for 37.
fn stored(bench: &Bench, cubin: &str) -> i32 {
    let (out, cubin) = (format!("out:{}:4", bench.path("number")), bench.path(cubin));
    let ran = raddle(&["run", &cubin, "--kernel", "k", "--arg", &out, "--arg", "s32:37"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    i32::from_le_bytes(fs::read(bench.path("number")).unwrap().try_into().unwrap())
}

/// Caller, its line, the file with the code.
const LINES: &[(&str, &str, &str)] = &[
    ("Triton", "-lineinfo -v --gpu-name=sm_90a in.ptx -o in.ptx.o", "in.ptx.o"),
    ("Triton, debugging", "-g --fmad=false -v --opt-level 0 --gpu-name=sm_80 in.ptx -o in.ptx.o", "in.ptx.o"),
    ("XLA", "in.ptx -o out -arch=sm_90a --warn-on-spills -v", "out"),
    ("XLA, for its linker", "in.ptx -o out -arch=sm_90 --warn-on-spills -c --generate-line-info", "out"),
    ("MLIR", "-arch sm_90 in.ptx -o out --opt-level 2", "out"),
    ("clang", "-m64 -O2 --gpu-name sm_90 --output-file out in.ptx -v", "out"),
    ("clang, in parts", "-m64 -O3 -lineinfo --gpu-name sm_80 --output-file out in.ptx -c", "out"),
    ("clang, a long line", "--options-file words", "out file"),
    ("clang-nvlink-wrapper", "-m64 -c in.ptx -O3 -arch sm_90 -o out", "out"),
    ("Julia", "--verbose --gpu-name sm_90 --output-file out in.ptx", "out"),
    ("IREE", "-arch sm_80 in.ptx -o in.ptx.cubin", "in.ptx.cubin"),
    ("nvcc", "-arch=sm_90a -m64 in.ptx -o out -maxrregcount=64 -g --dont-merge-basicblocks --return-at-end", "out"),
];

#[test]
fn every_callers_line_does_what_ptxas_does() {
    let theirs = oracle::require("ptxas");
    for (caller, line, file) in LINES {
        let words: Vec<&str> = line.split(' ').collect();
        let have = bench();
        let done = outcome(ours("ptxas", &words), &have);
        assert!(done.0 == Some(0) && done.1 == [*file], "{caller}: {done:?}");
        assert!(is_ours(&have, file), "{caller}");
        if !words.contains(&"-c") {
            assert_eq!(stored(&have, file), 42, "{caller}");
        }
        if let Some(theirs) = &theirs {
            let mut command = theirs.command();
            command.args(&words);
            assert_eq!(done, outcome(command, &bench()), "{caller}");
        }
    }
    // GCC keeps no output, tinygrad writes over its input.
    let have = bench();
    let gcc = outcome(ours("ptxas", &["-c", "-o", "/dev/null", "a.ptx", "--gpu-name", "sm_80", "-O0"]), &have);
    assert_eq!(gcc, (Some(0), vec![], String::new()));
    let tinygrad = outcome(ours("ptxas", &["-arch=sm_90", "-o", "in.ptx", "in.ptx"]), &have);
    assert_eq!(tinygrad, (Some(0), vec![], String::new()));
    assert_eq!(stored(&have, "in.ptx"), 42);
}

/// XLA compiles modules one by one, links the objects, and packs the program with its PTX.
#[test]
fn what_xla_compiles_links_and_packs_is_ours_and_right() {
    let have = bench();
    let steps = [
        ("ptxas", "a.ptx -o a.cubin -arch=sm_90 --warn-on-spills -c"),
        ("ptxas", "b.ptx -o b.cubin -arch=sm_90 --warn-on-spills -c"),
        ("nvlink", "-arch=sm_90 a.cubin b.cubin -o linked"),
        (
            "fatbinary",
            "--64 --link --compress-all --create=packed --image3=kind=elf,sm=90,file=linked --image3=kind=ptx,sm=80,file=in.ptx",
        ),
    ];
    let theirs = steps.iter().map(|(tool, _)| oracle::require(tool)).collect::<Option<Vec<_>>>();
    let other = bench();
    for (step, (tool, line)) in steps.iter().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        let done = outcome(ours(tool, &words), &have);
        assert!(done.0 == Some(0) && done.1.len() == 1, "{tool}: {done:?}");
        if let Some(theirs) = &theirs {
            let mut command = theirs[step].command();
            command.args(&words);
            assert_eq!(done, outcome(command, &other), "{tool}");
        }
    }
    assert!(is_ours(&have, "linked") && stored(&have, "linked") == 42);
    let unpacked = outcome(ours("cuobjdump", &["-xelf", "all", "packed"]), &have);
    assert_eq!((unpacked.0, &unpacked.1[..]), (Some(0), &["packed.1.sm_90.cubin".to_owned()][..]), "{}", unpacked.2);
    assert_eq!(stored(&have, "packed.1.sm_90.cubin"), 42);
}

/// TVM has nvcc make a cubin.
#[test]
fn what_tvm_has_nvcc_compile_is_ours() {
    let (Some(nvcc), Some(_)) = (oracle::require("nvcc"), oracle::require("g++")) else { return };
    let bench = Bench::new();
    let toolkit = nvcc.path().ancestors().nth(2).unwrap().to_str().unwrap();
    assert_eq!(raddle(&["install", "--into", &bench.path("cuda"), "--toolkit", toolkit]).code, Some(0));
    bench.file("k.cu", "extern \"C\" __global__ void k(int *p, int n) { *p = n + 5; }\n");
    let mut command = Command::new(bench.path("cuda/bin/nvcc"));
    command.args(["--cubin", "-O3", "-arch", "sm_80", "-o", "k.cubin", "k.cu"]);
    command.current_dir(bench.dir.path()).stdin(Stdio::null()).env("RADDLE_PTXAS", "off").env_remove("RADDLE_WITHIN");
    let ran = finish(command);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(is_ours(&bench, "k.cubin") && stored(&bench, "k.cubin") == 42);
}
