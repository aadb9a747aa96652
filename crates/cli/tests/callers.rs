//! Real programs call `raddle` in the place of NVIDIA's tools: what they make holds our machine code,
//! and the code computes what it should.

use crate::common::{Bench, Ran, command, finish, raddle};
use raddle_filetest::{llvm, oracle};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A folder with links to our program under the names of all tools.
fn bench() -> Bench {
    let bench = Bench::new();
    assert_eq!(raddle(&["install", "--into", &bench.path("links")]).code, Some(0));
    bench
}

/// A file of `tests/callers`.
fn file(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/callers").join(name).to_str().unwrap().to_owned()
}

/// Runs a program in the folder of the bench; it must succeed, with our tools alone.
fn run(bench: &Bench, mut command: Command) -> Ran {
    command.current_dir(bench.dir.path()).stdin(Stdio::null());
    for tool in ["PTXAS", "NVLINK", "FATBINARY"] {
        command.env(format!("RADDLE_{tool}"), "off");
    }
    let ran = finish(command);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

/// Runs nvcc with our tools, without NVIDIA's.
fn nvcc(bench: &Bench, nvcc: &oracle::Oracle, words: &[&str]) {
    let mut command = Command::new("bash");
    command.arg(file("nvcc.sh")).arg(nvcc.path()).arg(bench.path("links")).args(words);
    run(bench, command);
}

/// The line of `--version` that says which build of ours it is.
fn build() -> String {
    let command = command(&["as", "ptxas", "--version"]);
    let text = String::from_utf8(finish(command).stdout).unwrap();
    text.lines().find(|line| line.starts_with("Build raddle_")).unwrap().to_owned()
}

/// The cubins in a file, by the real cuobjdump; each must be ours.
fn cubins(bench: &Bench, name: &str) -> Vec<String> {
    let cuobjdump = oracle::require("cuobjdump").unwrap();
    let folder = bench.path(&format!("{name}.cubins"));
    fs::create_dir(&folder).unwrap();
    let mut command = cuobjdump.command();
    command.args(["-all", "-xelf", "all"]).arg(bench.path(name)).current_dir(&folder);
    assert_eq!(finish(command).code, Some(0));
    let paths = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path().to_str().unwrap().to_owned());
    let mut paths: Vec<String> = paths.collect();
    paths.sort();
    for path in &paths {
        // The note of the tool that made it.
        let bytes = fs::read(path).unwrap();
        let ours = format!("\0raddle\0Raddle {}\0{}\0", env!("CARGO_PKG_VERSION"), build());
        assert!(bytes.windows(ours.len()).any(|part| part == ours.as_bytes()), "{path} is not ours");
        assert!(!bytes.windows(6).any(|part| part == b"\0ptxas"), "{path} is not ours alone");
    }
    paths
}

/// Runs a kernel `k(const int *x, int *y, int n)` of a cubin in the simulator on 0 to 99.
fn computed(bench: &Bench, cubin: &str, kernel: &str) -> Vec<i32> {
    let input: Vec<u8> = (0..100_i32).flat_map(i32::to_le_bytes).collect();
    let (input, output) = (bench.file("x.bin", input), bench.path("y.bin"));
    let [input, out] = [format!("in:{input}"), format!("out:{output}:400")];
    let ran = raddle(&[
        "run", cubin, "--kernel", kernel, "--grid", "2", "--block", "64", "--arg", &input, "--arg", &out, "--arg",
        "s32:100",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let bytes = fs::read(output).unwrap();
    bytes.chunks_exact(4).map(|word| i32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn nvcc_makes_host_objects_with_our_code() {
    let (Some(tool), Some(_), Some(_)) =
        (oracle::require("nvcc"), oracle::require("cuobjdump"), oracle::require("g++"))
    else {
        return;
    };
    let bench = bench();
    let source = file("whole.cu");
    let targets = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"];
    nvcc(&bench, &tool, &[&["-c", &source, "-o", "whole.o"], &targets[..]].concat());
    let cubins = cubins(&bench, "whole.o");
    assert_eq!(cubins.len(), 2);
    for cubin in &cubins {
        let want: Vec<i32> = (0..100).map(|x| 6 * x + 1).collect();
        assert_eq!(computed(&bench, cubin, "whole"), want, "{cubin}");
    }
}

/// The real nvcc in a toolkit made of links, without a change of its call or of the environment.
#[test]
fn nvcc_in_a_toolkit_with_our_tools_compiles_links_and_falls_back() {
    let (Some(tool), Some(_), Some(_)) =
        (oracle::require("nvcc"), oracle::require("cuobjdump"), oracle::require("g++"))
    else {
        return;
    };
    let bench = Bench::new();
    let [toolkit, cuda] = [tool.path().ancestors().nth(2).unwrap().to_str().unwrap().to_owned(), bench.path("cuda")];
    // The second time it replaces its own links.
    for _ in 0..2 {
        let ran = raddle(&["install", "--into", &cuda, "--toolkit", &toolkit]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    }
    let nvcc = |words: &[&str]| {
        let mut command = Command::new(bench.path("cuda/bin/nvcc"));
        command.args(words).current_dir(bench.dir.path()).stdin(Stdio::null());
        for name in ["RADDLE_PTXAS", "RADDLE_NVLINK", "RADDLE_FATBINARY", "RADDLE_WITHIN", "RADDLE_FAULT"] {
            command.env_remove(name);
        }
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{words:?} {}", ran.stderr);
        ran.stderr
    };
    let [caller, callee] = ["caller.cu", "callee.cu"].map(file);
    nvcc(&["-arch=sm_90", "-dc", &caller, &callee]);
    nvcc(&["-arch=sm_90", "-dlink", "caller.o", "callee.o", "-lcudadevrt", "-o", "device.o"]);
    let linked = cubins(&bench, "device.o");
    let want: Vec<i32> = (0..100).map(|x| x * x + 1).collect();
    assert_eq!(computed(&bench, &linked[0], "caller"), want);
    // For an architecture without code generation here, the toolkit's ptxas is behind.
    let told = nvcc(&["-arch=sm_100", "-cubin", "-Xptxas=-v", &file("whole.cu"), "-o", "whole.cubin"]);
    assert!(told.contains("raddle-fallback/ptxas'"), "{told}");
    assert!(fs::read(bench.path("whole.cubin")).unwrap().windows(6).any(|part| part == b"\0ptxas"));
    let ran = raddle(&["install", "--into", &cuda, "--toolkit", bench.dir.path().to_str().unwrap()]);
    assert!(ran.code == Some(1) && ran.stderr.contains("is no CUDA toolkit: it has no bin/ptxas"), "{}", ran.stderr);
}

#[test]
fn nvcc_links_our_objects_by_our_linker() {
    let (Some(tool), Some(_), Some(_)) =
        (oracle::require("nvcc"), oracle::require("cuobjdump"), oracle::require("g++"))
    else {
        return;
    };
    let bench = bench();
    let [caller, callee] = ["caller.cu", "callee.cu"].map(file);
    nvcc(&bench, &tool, &["-arch=sm_90", "-dc", &caller, &callee]);
    // A host object without device code and a library that is not needed are among the inputs.
    bench.file("host.c", "int host;\n");
    let mut host = Command::new("gcc");
    host.args(["-c", "host.c", "-o", "host.o"]);
    run(&bench, host);
    let link = ["-arch=sm_90", "-dlink", "caller.o", "host.o", "callee.o", "-lcudadevrt", "-o", "device.o"];
    nvcc(&bench, &tool, &link);
    let cubins = cubins(&bench, "device.o");
    let [program] = &cubins[..] else { panic!("{cubins:?}") };
    let want: Vec<i32> = (0..100).map(|x| x * x + 1).collect();
    assert_eq!(computed(&bench, program, "caller"), want);
    // The host's linker finds every name that the objects register.
    bench.file("main.cc", "int main() {}\n");
    let mut host = Command::new("g++");
    host.args(["-o", "program", "main.cc", "device.o", "caller.o", "callee.o"]);
    host.arg("-L").arg(tool.path().ancestors().nth(2).unwrap().join("lib")).args(["-lcudart_static", "-lrt", "-ldl"]);
    run(&bench, host);
}

#[test]
fn clang_assembles_and_packs_with_our_tools() {
    let (Some(clang), Some(_)) = (oracle::require("clang-19"), oracle::require("cuobjdump")) else { return };
    let bench = bench();
    // What clang looks for in a toolkit.
    for folder in ["toolkit/include", "toolkit/nvvm/libdevice"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    fs::rename(bench.path("links"), bench.path("toolkit/bin")).unwrap();
    bench.file("toolkit/include/cuda.h", "#define CUDA_VERSION 12030\n");
    fs::copy(file("clang.cu"), bench.path("k.cu")).unwrap();
    for driver in ["--no-offload-new-driver", "--offload-new-driver"] {
        let object = format!("k{driver}.o");
        let mut command = clang.command();
        command.args(["-x", "cuda", "k.cu", "--cuda-gpu-arch=sm_80", "--cuda-gpu-arch=sm_90", driver, "-O2"]);
        command.args(["-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "--cuda-path=toolkit", "-c"]);
        command.args(["-o", &object]);
        run(&bench, command);
        let cubins = cubins(&bench, &object);
        assert_eq!(cubins.len(), 2);
        for cubin in &cubins {
            let want: Vec<i32> = (0..100).map(|x| x - 7).collect();
            assert_eq!(computed(&bench, cubin, "_Z1kPKiPii"), want, "{cubin}");
        }
    }
}

/// Triton compiles without a GPU; the script compares the results of its kernels with numpy's, also
/// those of our code of the LLVM IR that it makes.
#[test]
fn kernels_of_triton_are_ours_and_right() {
    let Some(python) = oracle::require(oracle::TRITON) else { return };
    let library = |&major: &u32| Some(format!("{major}={}", llvm::require(major)?.display()));
    let libraries: Vec<String> = llvm::VERSIONS.iter().filter_map(library).collect();
    let bench = bench();
    let mut command = python.command();
    command.args([&file("with_triton.py"), env!("CARGO_BIN_EXE_raddle"), &bench.path("links")]);
    command.env("LLVM_LIBRARIES", libraries.join(":"));
    let ran = run(&bench, command);
    let text = String::from_utf8(ran.stdout).unwrap();
    let right = |what: &str| text.matches(&format!("{what}: ours, right, ")).count();
    assert_eq!(right("_80") + right("_90"), 14, "{text}");
    // LLVM 19 has the intrinsics of one of seven kernels, for both architectures.
    for library in libraries {
        let (major, _) = library.split_once('=').unwrap();
        let (by, refused) = (format!("LLVM IR by LLVM {major}"), format!("LLVM IR by LLVM {major}: refused by name"));
        let count = if major == "19" { (2, 12) } else { (14, 0) };
        assert_eq!((right(&by), text.matches(&refused).count()), count, "{text}");
    }
}

/// MLIR's pass from GPU modules to cubins starts ptxas; the script compares results with numpy's.
#[test]
fn kernels_of_mlir_are_ours_and_right() {
    let (Some(python), Some(_)) = (oracle::require(oracle::TRITON), oracle::require("mlir-opt-19")) else { return };
    let bench = bench();
    let mut command = python.command();
    command.args([&file("with_mlir.py"), env!("CARGO_BIN_EXE_raddle"), &bench.path("links")]);
    let ran = run(&bench, command);
    let text = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(text.matches(": ours, right, ").count(), 6, "{text}");
}

/// clang's new driver packs, links and wraps by programs of its own; the script compares results with
/// numpy's.
#[test]
fn programs_of_clangs_new_driver_are_ours_and_right() {
    let tools = [oracle::TRITON, "clang-19", "clang-linker-wrapper-19", "nvcc"].map(oracle::require);
    let [Some(python), Some(_), Some(_), Some(nvcc)] = tools else { return };
    let bench = bench();
    let mut command = python.command();
    command.args([&file("with_clang.py"), env!("CARGO_BIN_EXE_raddle"), &bench.path("links")]);
    command.arg(nvcc.path().ancestors().nth(2).unwrap());
    let ran = run(&bench, command);
    let text = String::from_utf8(ran.stdout).unwrap();
    // Four kernels for two architectures in each way.
    assert_eq!(text.matches(": ours, right, ").count(), 7 * 8, "{text}");
    assert_eq!(text.matches(", clang -flto").count(), 2 * 8, "{text}");
}

/// rustc has a back end for NVIDIA's devices: its PTX, and its bitcode as one program of LLVM IR.
#[test]
fn kernels_of_rustc_are_ours_and_right() {
    let Some(rustc) = oracle::require("rustc") else { return };
    let bench = Bench::new();
    for arch in ["sm_80", "sm_90"] {
        let mut command = rustc.command();
        command.args([
            "--edition",
            "2021",
            "--target",
            "nvptx64-nvidia-cuda",
            "-O",
            "-C",
            "panic=abort",
            &file("kernel.rs"),
        ]);
        command.args([&format!("-Ctarget-cpu={arch}"), "--emit=asm=k.ptx,llvm-bc=k.bc"]);
        // It has no core library for this target, and what takes its place is unstable.
        run(&bench, {
            command.env("RUSTC_BOOTSTRAP", "1");
            command
        });
        for input in ["k.ptx", "k.bc"] {
            let cubin = bench.path("k.cubin");
            let ran = raddle(&["compile", &bench.path(input), "--arch", arch, "--history", "off", "-o", &cubin]);
            assert_eq!(ran.code, Some(0), "{input}: {}", ran.stderr);
            let want: Vec<i32> = (0..100).map(|x| x * x + x).collect();
            assert_eq!(computed(&bench, &cubin, "k"), want, "{input} for {arch}");
        }
    }
}

/// rustc links for that target by a program of its own, llvm-bitcode-linker: Raddle takes its
/// place. The output is PTX where rustc wants a file of that kind, and a cubin elsewhere; a
/// library of Rust is among the inputs.
#[test]
fn rustc_links_by_our_linker() {
    let Some(rustc) = oracle::require("rustc") else { return };
    let bench = Bench::new();
    assert_eq!(raddle(&["install", "--into", &bench.path("links")]).code, Some(0));
    let library = fs::read_to_string(file("kernel.rs")).unwrap().replace("\"cdylib\"", "\"rlib\"");
    let library = library.replace("fn k(", "fn of_library(");
    bench.file("parts.rs", library);
    for arch in ["sm_80", "sm_90"] {
        let build = |words: &[&str]| {
            let mut command = rustc.command();
            command.args(["--edition", "2021", "--target", "nvptx64-nvidia-cuda", "-O", "-C", "panic=abort"]);
            command.args([
                &format!("-Ctarget-cpu={arch}"),
                &format!("-Clinker={}", bench.path("links/llvm-bitcode-linker")),
            ]);
            // It has no core library for this target, and what takes its place is unstable.
            command.args(words).env("RUSTC_BOOTSTRAP", "1");
            run(&bench, command)
        };
        build(&["parts.rs"]);
        for (out, more) in [("k.ptx", None), ("k.cubin", None), ("both.cubin", Some("-Clink-arg=libparts.rlib"))] {
            let source = file("kernel.rs");
            build(&[&[&*source, "-o", out][..], &more.into_iter().collect::<Vec<_>>()].concat());
            let cubin = bench.path("run.cubin");
            match fs::read(bench.path(out)).unwrap() {
                text if out.ends_with("ptx") => {
                    assert!(text.starts_with(b"// raddle "), "the linker was another");
                    let ran = raddle(&["compile", &bench.path(out), "--history", "off", "-o", &cubin]);
                    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                }
                bytes => {
                    assert!(bytes.windows(8).any(|part| part == b"\0raddle\0"), "{out} is not ours");
                    fs::write(&cubin, bytes).unwrap();
                }
            }
            let want: Vec<i32> = (0..100).map(|x| x * x + x).collect();
            for kernel in ["k", "of_library"].iter().take(1 + usize::from(more.is_some())) {
                assert_eq!(computed(&bench, &cubin, kernel), want, "{out} for {arch}");
            }
        }
    }
}

/// CMake finds out what nvcc can do, and Ninja builds a library whose device code is linked.
#[test]
fn cmake_and_ninja_build_a_library_with_our_tools() {
    let tools = ["nvcc", "cmake", "ninja", "cuobjdump", "g++"].map(oracle::require);
    let [Some(nvcc), Some(cmake), Some(ninja), Some(_), Some(_)] = tools else { return };
    let bench = Bench::new();
    let toolkit = nvcc.path().ancestors().nth(2).unwrap().to_str().unwrap();
    assert_eq!(raddle(&["install", "--into", &bench.path("cuda"), "--toolkit", toolkit]).code, Some(0));
    // The toolkit of the tests has its libraries in a folder that nvcc does not search.
    if !Path::new(&bench.path("cuda/lib64")).exists() {
        std::os::unix::fs::symlink("lib", bench.path("cuda/lib64")).unwrap();
    }
    fs::copy(file("cmake/CMakeLists.txt"), bench.path("CMakeLists.txt")).unwrap();
    fs::copy(file("caller.cu"), bench.path("caller.cu")).unwrap();
    fs::copy(file("callee.cu"), bench.path("callee.cu")).unwrap();
    // 30 sources in all; nvcc takes most of a second for each.
    for number in 0..28 {
        let text = format!("__device__ int of_{number}(int x) {{ return x + {number}; }}\n");
        bench.file(&format!("part_{number}.cu"), text);
    }
    let mut configure = cmake.command();
    configure.args(["-G", "Ninja", "-B", "build", "."]);
    configure.arg(format!("-DCMAKE_MAKE_PROGRAM={}", ninja.path().display()));
    configure.arg(format!("-DCMAKE_CUDA_COMPILER={}", bench.path("cuda/bin/nvcc")));
    // It tries the default architecture of nvcc, which is not ours: the toolkit's own tools are behind.
    configure.current_dir(bench.dir.path()).stdin(Stdio::null()).env_remove("RADDLE_WITHIN").env_remove("RADDLE_PTXAS");
    let ran = finish(configure);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut build = ninja.command();
    build.args(["-C", "build", "-j2"]);
    run(&bench, build);
    // Two objects and their link, each for two architectures, and many objects for one.
    for (library, count) in [("libmany.a", 6), ("libparts.a", 28)] {
        fs::copy(bench.path(&format!("build/{library}")), bench.path(library)).unwrap();
        assert_eq!(cubins(&bench, library).len(), count);
    }
    let program = fs::read_dir(bench.path("build/CMakeFiles/many.dir")).unwrap().map(|entry| entry.unwrap().path());
    let program = program.into_iter().find(|path| path.ends_with("cmake_device_link.o")).unwrap();
    fs::copy(program, bench.path("device.o")).unwrap();
    let want: Vec<i32> = (0..100).map(|x| x * x + 1).collect();
    for cubin in cubins(&bench, "device.o") {
        assert_eq!(computed(&bench, &cubin, "caller"), want, "{cubin}");
    }
}
