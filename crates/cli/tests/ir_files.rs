//! Files that a build of LLVM IR writes and reads beside its output.

use crate::common::{Bench, Ran, command, finish, raddle};
use raddle_filetest::llvm;
use std::collections::BTreeSet;
use std::path::Path;

/// A module of two kernels with names of its own.
fn module(name: &str, number: u32) -> String {
    let kernel = |k: u32| {
        format!(
            "define internal i32 @own{k}(i32 %x) {{ %y = mul i32 %x, {number} ret i32 %y }}\n\
             define ptx_kernel void @{name}_{k}(ptr addrspace(1) %p) #0 {{\n  %x = load i32, ptr addrspace(1) %p\n  \
             %y = call i32 @own{k}(i32 %x)\n  store i32 %y, ptr addrspace(1) %p\n  ret void\n}}\n"
        )
    };
    format!(
        "source_filename = \"{name}.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n{}{}\
         attributes #0 = {{ \"target-cpu\"=\"sm_90\" }}\n",
        kernel(0),
        kernel(1)
    )
}

fn compile(library: &Path, files: &[&str], out: &str, more: &[&str]) -> Ran {
    let library = library.display().to_string();
    raddle(&[&["compile", "--llvm", &library, "-o", out], files, more].concat())
}

#[test]
fn files_between_the_steps_are_those_of_every_input_whatever_its_name() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        for folder in ["one", "two"] {
            std::fs::create_dir(bench.path(folder)).unwrap();
        }
        let files = [("one/k.ll", "a", 3), ("two/k.ll", "b", 4), ("two/k l.ll", "c", 5), ("one/k+l.ll", "d", 6)];
        let files = files.map(|(file, name, number)| bench.file(file, module(name, number)));
        let files = files.each_ref().map(String::as_str);
        for (mode, endings) in [("--lto=partial", &[".simplified.bc"][..]), ("--lto=off", &[".simplified.bc", ".ptx"])]
        {
            let folder = bench.path(&format!("temps{mode}"));
            let listed = |files: &[&str]| {
                let ran = compile(&library, files, &bench.path("out.cubin"), &[mode, "--save-temps", &folder]);
                assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "LLVM {major} {mode}");
                let names = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name());
                names.map(|name| name.into_string().unwrap()).collect::<BTreeSet<String>>()
            };
            let names = listed(&files);
            for ending in endings {
                let contents: BTreeSet<Vec<u8>> = names
                    .iter()
                    .filter(|name| name.ends_with(ending) && !name.starts_with("part"))
                    .map(|name| std::fs::read(Path::new(&folder).join(name)).unwrap())
                    .collect();
                assert_eq!(contents.len(), 4, "LLVM {major} {mode} {ending}: {names:?}");
            }
            // The order of inputs decides nothing.
            let [a, b, c, d] = files;
            assert_eq!(listed(&[d, c, b, a]), names, "LLVM {major} {mode}");
        }
    }
}

#[test]
fn the_order_of_remarks_does_not_depend_on_that_of_the_tasks() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let files: Vec<String> =
            ["a", "b", "c"].map(|name| bench.file(&format!("{name}.ll"), module(name, 7))).into_iter().collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let llvm = library.display().to_string();
        for mode in ["--lto=partial", "--lto=thin", "--lto=off"] {
            let mut first: Option<String> = None;
            for run in 0..6_u64 {
                let (out, remarks) = (bench.path("out.cubin"), bench.path("remarks.json"));
                let jobs = format!("-j{}", 1 + run % 4);
                let args =
                    ["compile", "--llvm", &llvm, "-o", &out, mode, &jobs, "--lto-partitions=9", "--remarks", &remarks];
                let mut command = command(&[&args[..], &files].concat());
                if run > 0 {
                    command.env("RADDLE_CHAOS", run.to_string());
                }
                let ran = finish(command);
                assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                let text = std::fs::read_to_string(&remarks).unwrap();
                let first = first.get_or_insert_with(|| text.clone());
                assert!(text.lines().count() > 6 && text == *first, "LLVM {major} {mode} {run}:\n{text}\n{first}");
            }
        }
    }
}

#[test]
fn a_cubin_in_an_archive_beside_ir_is_not_left_out_in_silence() {
    let ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry only() { ret; }\n";
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (ir, ptx) = (bench.file("a.ll", module("a", 3)), bench.file("b.ptx", ptx));
        let (bitcode, object, out) = (bench.path("a.bc"), bench.path("b.o"), bench.path("out.cubin"));
        let made = compile(&library, &[&ir], &bitcode, &["--emit", "bc"]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        assert_eq!(raddle(&["compile", "-c", "-o", &object, &ptx]).code, Some(0));
        let mut archive = b"!<arch>\n".to_vec();
        for (name, file) in [("a.bc", &bitcode), ("b.o", &object)] {
            let bytes = std::fs::read(file).unwrap();
            archive.extend(format!("{:<16}{:<32}{:<10}`\n", format!("{name}/"), 0, bytes.len()).bytes());
            archive.extend_from_slice(&bytes);
            archive.resize(archive.len().next_multiple_of(2), b'\n');
        }
        let archive = bench.file("lib.a", archive);
        let ran = compile(&library, &[&archive], &out, &[]);
        assert!(ran.code == Some(1) && ran.stderr.contains("lib.a(b.o)' is a cubin"), "LLVM {major}: {}", ran.stderr);
        assert!(ran.stderr.contains("raddle link") && !Path::new(&out).exists(), "{}", ran.stderr);
    }
}
