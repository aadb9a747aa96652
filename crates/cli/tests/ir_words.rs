//! What the command says about LLVM IR, and the options about how many tasks compile it.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::fmt::Write;
use std::path::Path;

/// Kernels in a module, each with a function of its own.
fn module(kernels: usize) -> String {
    let mut text = "source_filename = \"words.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n".to_owned();
    for k in 0..kernels {
        writeln!(
            text,
            "define internal i32 @own{k}(i32 %x) noinline {{ %y = add i32 %x, {k} ret i32 %y }}
define ptx_kernel void @k{k}(ptr addrspace(1) nocapture %p) #0 {{
  %x = load i32, ptr addrspace(1) %p
  %y = call i32 @own{k}(i32 %x)
  store i32 %y, ptr addrspace(1) %p
  ret void
}}"
        )
        .unwrap();
    }
    text + "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n"
}

fn compile(library: &Path, file: &str, out: &str, more: &[&str]) -> Ran {
    let library = library.display().to_string();
    raddle(&[&["compile", "--llvm", &library, "-o", out, file], more].concat())
}

fn ok(ran: Ran) -> String {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn verbose_output_says_whether_parts_were_compiled_concurrently_and_why_not() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let (many, one, out) = (bench.file("many.ll", module(4)), bench.file("one.ll", module(1)), bench.path("out"));
    for (file, more, said) in [
        (&many, &["-j2", "--lto-partitions", "100"][..], "LLVM IR in 4 parts, concurrent: yes\n"),
        (&many, &["-j1", "--lto-partitions", "100"], "LLVM IR, concurrent: no, one worker\n"),
        (&many, &["-j2", "--lto", "whole"], "LLVM IR, concurrent: no, the program is one part: --lto=whole\n"),
        (&one, &["-j2"], "LLVM IR, concurrent: no, the program is one part\n"),
    ] {
        let text = ok(compile(&library, file, &out, &[&["-v"], more].concat()));
        assert!(text.contains(said), "{more:?}: no {said} in {text}");
        assert!(!ok(compile(&library, file, &out, more)).contains("concurrent"));
    }
    let text = ok(compile(&library, &many, &out, &["-v", "-j1", "--message-format", "json"]));
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let llvm = lines.into_iter().find(|line| line["kind"] == "llvm").expect("a line about LLVM");
    assert_eq!((llvm["concurrent"].as_bool(), llvm["why_not"].is_string()), (Some(false), true), "{llvm}");
}

#[test]
fn explain_says_how_long_workers_waited_for_phase_one() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let (many, out) = (bench.file("many.ll", module(4)), bench.path("out"));
    let idle = |jobs: &str| {
        let text = ok(compile(&library, &many, &out, &["--explain", jobs, "--lto-partitions", "4"]));
        let row = text.lines().find(|line| line.contains("phase I (link)")).expect("a row").to_owned();
        let seconds =
            row.split("nothing overlaps it: ").nth(1).and_then(|rest| rest.strip_suffix(" worker-seconds idle"));
        seconds.and_then(|seconds| seconds.parse::<f64>().ok()).unwrap_or_else(|| panic!("{row}"))
    };
    // One worker that is busy is all there are.
    assert!(idle("-j1") < 0.002, "{}", idle("-j1"));
    if std::thread::available_parallelism().is_ok_and(|cpus| cpus.get() > 1) {
        assert!(idle("-j2") > 0.0);
    }
}

#[test]
fn bitcode_that_is_newer_than_the_library_is_refused_with_both_versions_and_advice() {
    let (Some(old), Some(new)) = (llvm::require(19), llvm::require(22)) else { return };
    let bench = Bench::new();
    let (file, bitcode, out) = (bench.file("new.ll", module(2)), bench.path("new.bc"), bench.path("out.cubin"));
    ok(compile(&new, &file, &bitcode, &["--emit", "bc"]));
    ok(compile(&new, &bitcode, &out, &[]));
    std::fs::remove_file(&out).unwrap();
    for mode in ["--lto=partial", "--lto=thin"] {
        let ran = compile(&old, &bitcode, &out, &[mode]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        for word in ["E0092", "new.bc", "written by LLVM 22.", "the library is LLVM 19.", "newer library with --llvm"] {
            assert!(ran.stderr.contains(word), "no {word} in {}", ran.stderr);
        }
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn the_options_of_splitting_hold_for_llvm_ir() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (many, out) = (bench.file("many.ll", module(4)), bench.path("out"));
        let built = |more: &[&str]| {
            let text = ok(compile(&library, &many, &out, more));
            (text, std::fs::read(&out).unwrap())
        };
        // One after another, and as many as there are CPUs: the same bytes.
        let (text, plain) = built(&["--lto-partitions", "4"]);
        assert_eq!(text, "");
        for limit in ["--split-compile=1", "--split-compile=0", "--split-compile=2"] {
            let (text, bytes) = built(&["--lto-partitions", "4", limit, "-v"]);
            assert!(bytes == plain, "LLVM {major}, {limit}");
            let said = if limit.ends_with('1') { "concurrent: no, one worker" } else { "LLVM IR" };
            assert!(text.contains(said), "LLVM {major}, {limit}: {text}");
        }
        // The other option takes precedence, which is told.
        let (text, _) = built(&["--split-compile=1", "--split-compile-extended=2"]);
        assert!(text.contains("E0085") && text.contains("--split-compile-extended"), "LLVM {major}: {text}");
        let listed = String::from_utf8(raddle(&["info", &out]).stdout).unwrap();
        assert!((0..4).all(|k| listed.contains(&format!("k{k}"))), "LLVM {major}: {listed}");
    }
}
