//! Builds of device code with clang, where we are in the place of clang-nvlink-wrapper, with CMake,
//! and with rustc.

use crate::common::{Bench, finish, raddle};
use raddle_filetest::{llvm, oracle};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Three files of device code, in C: kernels in two of them, functions in two.
const FILES: [(&str, &str); 3] = [
    (
        "first.c",
        "int twice(int);\n__attribute__((nvptx_kernel)) void one(int *p) {\n  int i = __nvvm_read_ptx_sreg_tid_x();\n  \
         p[i] = twice(p[i]);\n}\n",
    ),
    ("second.c", "int plus(int);\nint twice(int x) { return plus(x) * 2; }\n"),
    (
        "third.c",
        "static int amount = 5;\nint plus(int x) { return x + amount; }\n\
         __attribute__((nvptx_kernel)) void two(int *p) {\n  int i = __nvvm_read_ptx_sreg_tid_x();\n  \
         p[i] = plus(p[i]);\n}\n",
    ),
];

const CMAKE: &str = "\
cmake_minimum_required(VERSION 3.13)
project(device C)
set(CMAKE_EXECUTABLE_SUFFIX .cubin)
add_library(functions STATIC second.c)
add_executable(program first.c third.c)
target_link_libraries(program functions)
";

/// An archiver of the same version, or one that does not read bitcode: an older one of LLVM refuses
/// it.
const TOOLCHAIN: &str = "\
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER clang-19)
find_program(CMAKE_AR NAMES llvm-ar-19 ar)
find_program(CMAKE_RANLIB NAMES llvm-ranlib-19 ranlib)
set(CMAKE_C_COMPILER_TARGET nvptx64-nvidia-cuda)
set(CMAKE_C_FLAGS_INIT \"-march=sm_90 -flto -O2 -nogpulib\")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
";

/// A folder with the files, and one with us under the name of clang-nvlink-wrapper.
fn prepared() -> Bench {
    let bench = Bench::new();
    FILES.iter().for_each(|(name, text)| drop(bench.file(name, text)));
    let tools = bench.path("tools");
    std::fs::create_dir(&tools).unwrap();
    symlink(env!("CARGO_BIN_EXE_raddle"), Path::new(&tools).join("clang-nvlink-wrapper")).unwrap();
    bench
}

/// Runs a tool in the folder, with the wrapper where clang searches first.
fn run(bench: &Bench, library: &Path, program: &Path, args: &[&str]) {
    let mut command = Command::new(program);
    command.args(args).current_dir(bench.path("")).env("COMPILER_PATH", bench.path("tools"));
    command.env("RADDLE_LLVM", library).env_remove("MAKEFLAGS");
    let ran = finish(command);
    assert_eq!(ran.code, Some(0), "{args:?}: {}{}", ran.stderr, String::from_utf8_lossy(&ran.stdout));
}

/// Both kernels compute what the sources say.
fn check(bench: &Bench, cubin: &str) {
    let words = |values: &mut dyn Iterator<Item = u32>| values.flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let cubin = bench.path(cubin);
    for (kernel, of) in [("one", (|x| (x + 5) * 2) as fn(u32) -> u32), ("two", |x| x + 5)] {
        let file = bench.file("buffer", words(&mut (0..32)));
        let ran = raddle(&["run", &cubin, "--kernel", kernel, "--block", "32", "--arg", &format!("inout:{file}")]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(std::fs::read(file).unwrap() == words(&mut (0..32).map(of)), "{kernel}");
    }
}

#[test]
fn clang_links_device_code_with_us() {
    let Some(clang) = oracle::require("clang-19") else { return };
    let Some(library) = llvm::require(19) else { return };
    let bench = prepared();
    let device = ["--target=nvptx64-nvidia-cuda", "-march=sm_90", "-O2", "-flto", "-nogpulib"];
    let files = FILES.map(|(name, _)| name);
    for more in [
        &["-o", "a.cubin"][..],
        &["-o", "b.cubin", "--ptxas-path=/none", "-Wl,--plugin-opt=lto-partitions=1,-plugin-opt=O3"],
    ] {
        run(&bench, &library, clang.path(), &[&device[..], &files, more].concat());
        check(&bench, more[1]);
    }
    let mut command = Command::new(bench.path("tools/clang-nvlink-wrapper"));
    command.arg("--version");
    assert!(finish(command).stdout.starts_with(b"raddle"));
}

#[test]
fn a_build_with_cmake_and_clang_ends_in_a_cubin() {
    let Some(_) = oracle::require("clang-19") else { return };
    let Some(cmake) = oracle::require("cmake") else { return };
    let Some(library) = llvm::require(19) else { return };
    let bench = prepared();
    bench.file("CMakeLists.txt", CMAKE);
    bench.file("device.cmake", TOOLCHAIN);
    run(&bench, &library, cmake.path(), &["-S", ".", "-B", "build", "-DCMAKE_TOOLCHAIN_FILE=device.cmake"]);
    run(&bench, &library, cmake.path(), &["--build", "build"]);
    check(&bench, "build/program.cubin");
}

/// A crate without a library: what the compiler demands of one, and a kernel.
const CRATE: &str = include_str!("common/nvptx_crate.txt");

#[test]
fn a_crate_of_rustc_becomes_a_cubin() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let (source, bitcode, cubin) = (bench.file("k.rs", CRATE), bench.path("k.bc"), bench.path("k.cubin"));
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    // Items of the language itself are for the compiler's own library otherwise.
    rustc.env("RUSTC_BOOTSTRAP", "1").args(["--target", "nvptx64-nvidia-cuda", "-Ctarget-cpu=sm_90", "-O"]);
    rustc.args(["--crate-type=lib", "--emit=llvm-bc", "-o", &bitcode, &source]);
    let ran = finish(rustc);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = raddle(&["compile", "--llvm", &library.display().to_string(), &bitcode, "-o", &cubin]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let words = |of: fn(u32) -> u32| (0..32).flat_map(|x| of(x).to_le_bytes()).collect::<Vec<u8>>();
    let file = bench.file("buffer", words(|x| x));
    let ran = raddle(&["run", &cubin, "--kernel", "one", "--block", "32", "--arg", &format!("inout:{file}")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(std::fs::read(file).unwrap() == words(|x| x * 3 + 5));
}

/// The commands of the README, with clang 19 and without the headers of CUDA.
#[test]
fn the_example_of_the_readme_runs() {
    let Some(clang) = oracle::require("clang-19") else { return };
    let Some(library) = llvm::require(19) else { return };
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let from = readme.find("LLVM IR of several modules").expect("the example");
    let example = readme[from..].split("```").nth(1).unwrap();
    let commands: Vec<&str> = example.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert_eq!(commands.len(), 4, "{example}");
    let bench = Bench::new();
    let words = |of: fn(u32) -> u32| (0..32).flat_map(|x| of(x).to_le_bytes()).collect::<Vec<u8>>();
    bench.file(
        "a.cu",
        "extern __attribute__((device)) int factor(int);\nextern \"C\" __attribute__((global)) void scale(int *p) {\n  \
                        int i = __nvvm_read_ptx_sreg_tid_x();\n  p[i] *= factor(i);\n}\n",
    );
    bench.file("b.cu", "__attribute__((device)) int factor(int i) { return i + 7; }\n");
    let buffer = bench.file("x.bin", words(|x| x));
    for line in commands {
        let mut words = line.split_whitespace();
        let (program, mut args): (_, Vec<&str>) = (words.next().unwrap(), words.collect());
        let program = match program {
            "clang++" => clang.path(),
            "raddle" => Path::new(env!("CARGO_BIN_EXE_raddle")),
            other => panic!("{other}"),
        };
        if args.contains(&"-c") {
            args.extend(["-nocudainc", "-nocudalib"]);
        }
        run(&bench, &library, program, &args);
    }
    assert!(std::fs::read(buffer).unwrap() == words(|x| x * (x + 7)));
}
