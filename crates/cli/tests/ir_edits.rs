//! The cache of steps of LLVM after edits: what an edit is not about is not compiled again.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::fmt::Write;
use std::path::Path;

const MODULES: usize = 6;
const KERNELS: usize = 4;

/// Module `m`: kernels that each call a local function and functions of two other modules. `edits`
/// counts the edits of its first local function; every other one adds an instruction.
fn module(m: usize, edits: u32) -> String {
    let others = [(m + 1) % MODULES, (m + 3) % MODULES];
    let mut text = format!("source_filename = \"m{m}.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n");
    for other in others {
        writeln!(text, "declare i32 @mix{other}(i32)").unwrap();
    }
    writeln!(text, "define i32 @mix{m}(i32 %x) noinline {{ %y = mul i32 %x, {} ret i32 %y }}", 2 * m + 3).unwrap();
    for k in 0..KERNELS {
        let number = if k == 0 { edits } else { 0 };
        let more = if number % 2 == 1 { "%z = xor i32 %y, %x" } else { "%z = or i32 %y, 1" };
        writeln!(
            text,
            "define internal i32 @own{k}(i32 %x) noinline {{ %y = add i32 %x, {} {more} ret i32 %z }}
define ptx_kernel void @k{m}_{k}(ptr addrspace(1) %p) #0 {{
  %x = load i32, ptr addrspace(1) %p
  %a = call i32 @own{k}(i32 %x)
  %b = call i32 @mix{}(i32 %a)
  %c = call i32 @mix{}(i32 %b)
  store i32 %c, ptr addrspace(1) %p
  ret void
}}",
            1000 * k as u32 + number,
            others[0],
            others[1]
        )
        .unwrap();
    }
    text + "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n"
}

fn compile(library: &Path, files: &[&str], out: &str, more: &[&str]) -> Ran {
    let library = library.display().to_string();
    let ran = raddle(&[&["compile", "--llvm", &library, "-o", out, "--lto-partitions", "100"], files, more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

/// Hits and misses of steps of LLVM.
fn steps(ran: &Ran) -> [u64; 2] {
    let lines = ran.stderr.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let cache = lines.into_iter().find(|line| line["kind"] == "cache").expect("a line about the cache");
    ["llvm_hits", "llvm_misses"].map(|name| cache[name].as_u64().unwrap())
}

const ALL: u64 = (MODULES + MODULES * KERNELS) as u64;

/// Writes the modules with these numbers of edits.
fn write(bench: &Bench, edits: [u32; MODULES]) -> Vec<String> {
    edits.iter().enumerate().map(|(m, &edits)| bench.file(&format!("m{m}.ll"), module(m, edits))).collect()
}

#[test]
fn no_edit_of_one_function_changes_what_others_are_compiled_from() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (cache, cubin) = (bench.path("cache"), bench.path("out.cubin"));
        let options = ["--message-format", "json", "--cache", &cache];
        let mut edits = [0; MODULES];
        for edit in 0..=12 {
            // All modules in turn, and not in the order of their names.
            let edited = edit * 5 % MODULES;
            edits[edited] += u32::from(edit > 0);
            let files = write(&bench, edits);
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            let ran = compile(&library, &files, &cubin, &options);
            let expected = if edit == 0 { [0, ALL] } else { [ALL - 2, 2] };
            assert_eq!(steps(&ran), expected, "LLVM {major}, edit {edit}, of module {edited}");
        }
    }
}

#[test]
fn many_parts_have_the_same_bytes_for_any_order_of_inputs_and_any_number_of_workers() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let files = write(&bench, [0; MODULES]);
        let mut files: Vec<&str> = files.iter().map(String::as_str).collect();
        let mut made = Vec::new();
        for (turn, jobs) in ["-j1", "-j2", "-j4", "-j3"].into_iter().enumerate() {
            let cubin = bench.path("out.cubin");
            compile(&library, &files, &cubin, &[jobs]);
            made.push(std::fs::read(cubin).unwrap());
            files.rotate_left(1 + turn);
            files.swap(0, 4);
        }
        assert!(made.iter().all(|bytes| *bytes == made[0]), "LLVM {major}");
    }
}

#[test]
fn versions_of_llvm_do_not_share_results_in_a_cache() {
    let libraries: Vec<_> = llvm::VERSIONS.iter().filter_map(|&major| llvm::require(major)).collect();
    if libraries.len() != llvm::VERSIONS.len() {
        return;
    }
    let bench = Bench::new();
    let files = write(&bench, [0; MODULES]);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (cache, cubin) = (bench.path("cache"), bench.path("out.cubin"));
    let options = ["--message-format", "json", "--cache", &cache];
    for expected in [[0, ALL], [ALL, 0]] {
        for library in &libraries {
            let ran = compile(library, &files, &cubin, &options);
            assert_eq!(steps(&ran), expected, "{}", library.display());
        }
    }
}
