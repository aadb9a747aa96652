//! `--reproduce`: what LLVM failed at is kept, and the command that is told repeats the failure.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::path::Path;

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\ndeclare void @llvm.nvvm.barrier.cluster.arrive()\n";
/// An instruction of sm_90, for which LLVM ends its process on sm_80.
const FATAL: &str = "  call void @llvm.nvvm.barrier.cluster.arrive()\n";

/// Options that change what functions become.
const OPTIONS: [&str; 7] = [
    "-O2",
    "--ftz=true",
    "--prec-div=false",
    "--prec-sqrt=false",
    "--fmad=false",
    "--mllvm=-unroll-threshold=7",
    "--mllvm=-nvptx-sched4reg",
];

fn compile(library: &Path, files: &[&str], more: &[&str]) -> Ran {
    let library = library.display().to_string();
    raddle(&[&["compile", "--llvm", &library, "--arch", "sm_80", "-o", "/dev/null"], files, more].concat())
}

/// The commands that repeat failures.
fn commands(said: &str) -> Vec<Vec<String>> {
    let told = said.lines().filter_map(|line| line.split("to repeat it: raddle ").nth(1));
    told.map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

/// Repeats the one failure that a run told, and compares it.
fn repeated(what: &str, first: &Ran, words: &[&str]) -> Vec<String> {
    assert_eq!(first.code, Some(4), "{what}: {}", first.stderr);
    let [command] = &commands(&first.stderr)[..] else { panic!("{what}: {}", first.stderr) };
    let again = raddle(&command.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.code, Some(4), "{what} {command:?}: {}", again.stderr);
    for said in [&first.stderr, &again.stderr] {
        for word in words.iter().chain(&["error[E0093]"]) {
            assert!(said.contains(word), "{what}: no {word} in {said}");
        }
    }
    command.clone()
}

#[test]
fn the_command_for_a_kernel_or_a_function_has_all_options() {
    let kernel = format!(
        "{HEAD}define ptx_kernel void @bad() {{\n{FATAL}  ret void\n}}\n\
         define ptx_kernel void @fine(ptr addrspace(1) %p) {{\n  store i32 1, ptr addrspace(1) %p\n  ret void\n}}\n"
    );
    // Local, and called by its address only.
    let function = format!(
        "{HEAD}@table = internal addrspace(1) global [1 x ptr] [ptr @bad]\n\
         define internal void @bad(ptr addrspace(1) %p) {{\n{FATAL}  store i32 1, ptr addrspace(1) %p\n  ret void\n}}\n\
         define ptx_kernel void @fine(ptr addrspace(1) %p) {{\n  %f = load volatile ptr, ptr addrspace(1) @table\n  \
         call void %f(ptr addrspace(1) %p)\n  ret void\n}}\n"
    );
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        for (name, text) in [("kernel", &kernel), ("function", &function)] {
            let file = bench.file(&format!("{name}.ll"), text);
            for mode in [&[][..], &["--lto=thin"], &["--lto-partitions=1"]] {
                let what = format!("LLVM {major} {name} {mode:?}");
                let kept = bench.path(&format!("kept {name}").replace(' ', "_"));
                let ran = compile(&library, &[&file], &[&OPTIONS, mode, &["--reproduce", &kept]].concat());
                let command = repeated(&what, &ran, &["'bad", "barrier.cluster.arrive", "SIGABRT"]);
                for option in OPTIONS {
                    assert!(command.iter().any(|word| word == option), "{what}: no {option} in {command:?}");
                }
                assert_eq!(command.contains(&"-c".to_owned()), name == "function", "{what} {command:?}");
            }
            // Without a folder the command cannot be told.
            let ran = compile(&library, &[&file], &[]);
            assert!(ran.stderr.contains("--reproduce DIR keeps its bitcode"), "{}", ran.stderr);
        }
    }
}

#[test]
fn an_input_that_ends_llvm_is_kept() {
    // LLVM's reader calls itself for each level.
    let depth = 200_000;
    let deep = format!("{HEAD}@deep = global {}i8{} zeroinitializer\n", "[1 x ".repeat(depth), "]".repeat(depth));
    let kernel = |name: &str, body: &str| format!("define ptx_kernel void @{name}() {{\n{body}  ret void\n}}\n");
    let alone = format!("{HEAD}{}{}", kernel("bad", FATAL), kernel("fine", ""));
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let kept = bench.path("kept");
        let (deep, alone, other) = (
            bench.file("deep.ll", &deep),
            bench.file("alone.ll", &alone),
            bench.file("other.ll", format!("{HEAD}{}", kernel("other", ""))),
        );
        for (file, mode) in [(&deep, "--lto=partial"), (&deep, "--lto=off"), (&alone, "--lto=off")] {
            let what = format!("LLVM {major} {file} {mode}");
            let more = [&OPTIONS[..], &[mode, "--reproduce", &kept]].concat();
            let ran = compile(&library, &[&other, file], &more);
            let command = repeated(&what, &ran, &["LLVM ended its process"]);
            assert!(OPTIONS.iter().all(|option| command.iter().any(|word| word == option)), "{what}: {command:?}");
            // As it was given, or as bitcode.
            let copy = command.iter().find(|word| word.starts_with(&*kept)).unwrap();
            let is_same = std::fs::read(copy).unwrap() == std::fs::read(file).unwrap();
            assert_eq!(is_same, *file == deep, "{what}: {copy}");
        }
    }
}
