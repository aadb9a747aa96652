//! Forms between LLVM IR and machine code, and the cache of the steps that make them.

use crate::common::{Bench, Ran, raddle};
use raddle_cubin::model::SymbolPlace;
use raddle_filetest::llvm;
use std::fmt::Write;
use std::path::Path;

/// A module with kernels `k{from}..k{to}`, each of which calls its own local function and `mix`.
fn module(name: &str, kernels: std::ops::Range<usize>, constant: u32) -> String {
    let mut text = format!("source_filename = \"{name}\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n");
    text += "declare i32 @mix(i32)\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
    for k in kernels {
        let add = if k == 0 { constant } else { k as u32 };
        write!(
            text,
            "define internal i32 @own{k}(i32 %x) noinline {{ %y = add i32 %x, {add} ret i32 %y }}
define ptx_kernel void @k{k}(ptr addrspace(1) %p) #0 {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %at
  %y = call i32 @own{k}(i32 %x)
  %z = call i32 @mix(i32 %y)
  store i32 %z, ptr addrspace(1) %at
  ret void
}}
"
        )
        .unwrap();
    }
    text + "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n"
}

/// The module with the function that all kernels call.
fn mix(factor: u32) -> String {
    format!(
        "source_filename = \"mix.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n\
         define i32 @mix(i32 %x) noinline {{ %y = mul i32 %x, {factor} ret i32 %y }}\n"
    )
}

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn compile(library: &Path, files: &[&str], out: &str, more: &[&str]) -> Ran {
    let library = library.display().to_string();
    raddle(&[&["compile", "--llvm", &library, "-o", out], files, more].concat())
}

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

/// The result of a kernel on the numbers 0..32.
fn result(bench: &Bench, cubin: &str, kernel: &str) -> Vec<u8> {
    let file = bench.file("buffer", words(0..32));
    ok(raddle(&["run", cubin, "--kernel", kernel, "--block", "32", "--arg", &format!("inout:{file}")]));
    std::fs::read(file).unwrap()
}

#[test]
fn every_form_of_a_program_can_be_written_and_compiled_further() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let files = [bench.file("a.ll", module("a.cu", 0..2, 7)), bench.file("mix.ll", mix(3))];
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let cubin = bench.path("out.cubin");
        for (form, start) in
            [("bc", &b"BC\xc0\xde"[..]), ("ll", b"; ModuleID"), ("ptx", b"// raddle "), ("obj", b"\x7fELF")]
        {
            let made = bench.path(&format!("made.{form}"));
            ok(compile(&library, &files, &made, &["--emit", form]));
            let bytes = std::fs::read(&made).unwrap();
            assert!(bytes.starts_with(start), "LLVM {major}, {form}: {:?}", &bytes[..20]);
            match form {
                "obj" => drop(ok(raddle(&["link", &made, "-o", &cubin]))),
                _ => drop(ok(compile(&library, &[&made], &cubin, &[]))),
            }
            assert!(result(&bench, &cubin, "k0") == words((0..32).map(|x| (x + 7) * 3)), "LLVM {major}, {form}");
            assert!(result(&bench, &cubin, "k1") == words((0..32).map(|x| (x + 1) * 3)), "LLVM {major}, {form}");
        }
        let ptx = bench.file("x.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry x() { ret; }\n");
        let out = bench.path("never.ptx");
        let ran = compile(&library, &[files[0], files[1], &ptx], &out, &["--emit", "ptx"]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains("x.ptx' is PTX") && !Path::new(&out).exists(), "{}", ran.stderr);
    }
}

/// Hits and misses of steps of LLVM, and of kernels, as the command reports them.
fn used(ran: &Ran) -> [u64; 4] {
    let lines = ran.stderr.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let cache = lines.into_iter().find(|line| line["kind"] == "cache").expect("a line about the cache");
    ["llvm_hits", "llvm_misses", "hits", "misses"].map(|name| cache[name].as_u64().unwrap())
}

#[test]
fn an_edit_is_compiled_again_only_where_it_is_seen() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let cache = bench.path("cache");
        let build = |first: u32, factor: u32, cached: bool| {
            let files = [
                bench.file("a.ll", module("a.cu", 0..8, first)),
                bench.file("b.ll", module("b.cu", 8..16, 0)),
                bench.file("mix.ll", mix(factor)),
            ];
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            let cubin = bench.path("out.cubin");
            let options = ["--lto-partitions", "100", "--message-format", "json", "--cache", &cache];
            let ran = ok(compile(&library, &files, &cubin, if cached { &options } else { &options[..4] }));
            (cached.then(|| used(&ran)), std::fs::read(cubin).unwrap())
        };
        let (cold, bytes) = build(100, 3, true);
        assert_eq!(cold, Some([0, 3 + 16, 0, 16]), "LLVM {major}");
        let again = build(100, 3, true);
        assert_eq!(again.0, Some([3 + 16, 0, 16, 0]), "LLVM {major}: the same again");
        assert!(again.1 == bytes, "LLVM {major}: the same again");
        // One function of one kernel: its module is simplified again, its part is compiled again.
        let edited = build(200, 3, true);
        assert_eq!(edited.0, Some([2 + 15, 1 + 1, 15, 1]), "LLVM {major}");
        assert!(edited.1 == build(200, 3, false).1, "LLVM {major}: with and without a cache");
        // A function that all kernels call.
        let edited = build(200, 5, true);
        assert_eq!(edited.0, Some([2, 1 + 16, 0, 16]), "LLVM {major}");
        assert!(edited.1 == build(200, 5, false).1, "LLVM {major}: with and without a cache");
    }
}

#[test]
fn a_damaged_entry_is_made_again() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let cache = bench.path("cache");
    let files = [bench.file("a.ll", module("a.cu", 0..2, 7)), bench.file("mix.ll", mix(3))];
    let cubin = bench.path("out.cubin");
    let build = || {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let ran = ok(compile(&library, &files, &cubin, &["--message-format", "json", "--cache", &cache]));
        (used(&ran), std::fs::read(&cubin).unwrap())
    };
    let (cold, bytes) = build();
    for folder in std::fs::read_dir(&cache).unwrap() {
        let Ok(files) = std::fs::read_dir(folder.unwrap().path()) else { continue };
        for file in files {
            let path = file.unwrap().path();
            let mut content = std::fs::read(&path).unwrap();
            *content.last_mut().unwrap() ^= 1;
            std::fs::write(&path, content).unwrap();
        }
    }
    let again = build();
    assert!(again.0 == cold && again.1 == bytes, "{:?} {cold:?}", again.0);
}

#[test]
fn a_program_that_defines_nothing_is_an_empty_cubin() {
    let Some(library) = llvm::require(19) else { return };
    let bench = Bench::new();
    let text = "target triple = \"nvptx64-nvidia-cuda\"\ndefine internal i32 @f(i32 %x) { ret i32 %x }\n";
    let file = bench.file("nothing.ll", text);
    for form in ["cubin", "ptx"] {
        let made = bench.path(form);
        ok(compile(&library, &[&file], &made, &["--emit", form, "--arch", "sm_90"]));
        assert!(!std::fs::read(made).unwrap().is_empty());
    }
}

#[test]
fn the_steps_of_a_build_are_explained() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let files = [bench.file("a.ll", module("a.cu", 0..4, 7)), bench.file("mix.ll", mix(3))];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let cubin = bench.path("out.cubin");
    let explain = |more: &[&str]| ok(compile(&library, &files, &cubin, &[&["--explain", "-j2"], more].concat())).stderr;
    let text = explain(&["--lto-partitions", "100"]);
    for part in ["phase 0, 2 inputs: ", "phase I (link), one task: ", "4 parts, concurrent: yes", "all parts one after"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(explain(&["--lto-partitions", "1"]).contains("concurrent: no, the program is one part"));
    let llvm = library.display().to_string();
    let link = ["link", "--llvm", &llvm, "--arch", "sm_90", "--explain", "-o", &cubin];
    let text = ok(raddle(&[&link[..], &files].concat())).stderr;
    assert!(text.contains("phase I (link), one task: "), "{text}");
    let text = explain(&["--lto-partitions", "100", "--message-format", "json"]);
    let build: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    let (llvm, steps) = (&build["llvm"], &build["llvm"]["steps"]);
    assert_eq!(llvm["concurrent"], true, "{build}");
    assert!(llvm["library"].as_str().unwrap().starts_with("LLVM 22."), "{build}");
    let names: Vec<&str> = steps.as_array().unwrap().iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(names, ["read", "simplify", "link", "parts"]);
    assert!(steps[3]["tasks"] == 4 && steps[3]["work_ms"].as_f64().unwrap() > 0.0, "{build}");
    // With 64 workers phase I and the coordinator take as long as they took.
    let on_64 = &build["simulated"][2];
    let alone = on_64["one_worker_percent"].as_f64().unwrap() / 100.0 * on_64["ms"].as_f64().unwrap();
    let want = steps[2]["work_ms"].as_f64().unwrap() + build["serial_ms"].as_f64().unwrap();
    assert!((alone - want).abs() < 1e-6 && want > 0.0, "{build}");
}

/// Two kernels that share a variable and a table of functions, all local to their module.
const SHARED: &str = r#"
source_filename = "shared.cu"
target triple = "nvptx64-nvidia-cuda"
@counts = internal addrspace(1) global [32 x i32] zeroinitializer, align 4
@table = internal addrspace(1) global [2 x ptr] [ptr @plus, ptr @minus]
@seen = addrspace(1) global i32 0, align 4
@unseen = hidden addrspace(1) global i32 0, align 4
@kept = protected addrspace(1) global i32 0, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define internal i32 @plus(i32 %x) noinline { %y = add i32 %x, 1 ret i32 %y }
define internal i32 @minus(i32 %x) noinline { %y = sub i32 %x, 1 ret i32 %y }
define ptx_kernel void @k0(ptr addrspace(1) %p) #0 {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %at
  %odd = and i32 %x, 1
  %entry = getelementptr ptr, ptr addrspace(1) @table, i32 %odd
  %f = load volatile ptr, ptr addrspace(1) %entry
  %y = call i32 %f(i32 %x)
  %count = getelementptr i32, ptr addrspace(1) @counts, i32 %i
  store volatile i32 %y, ptr addrspace(1) %count
  %z = load volatile i32, ptr addrspace(1) %count
  store i32 %z, ptr addrspace(1) %at
  ret void
}
define ptx_kernel void @k1(ptr addrspace(1) %p) #0 {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %f = load volatile ptr, ptr addrspace(1) @table
  %count = getelementptr i32, ptr addrspace(1) @counts, i32 %i
  %x = load volatile i32, ptr addrspace(1) %count
  %y = call i32 %f(i32 %x)
  store i32 %y, ptr addrspace(1) %at
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
"#;

/// Names and bindings of the functions and variables that a cubin defines. All have the default
/// visibility, as in what clang, ptxas and nvlink make: PTX has no other.
fn bindings(cubin: &str) -> Vec<(String, u8)> {
    let bytes = std::fs::read(cubin).unwrap();
    let raw = raddle_cubin::raw::Raw::parse(&bytes).unwrap();
    let named = raw.symbols.iter().filter(|symbol| matches!(symbol.place, SymbolPlace::Section(_)));
    // Functions, and variables: not the sections.
    let named = named.filter(|symbol| symbol.kind != 3).inspect(|symbol| assert_eq!(symbol.other & 3, 0, "{symbol:?}"));
    let mut found: Vec<_> = named.map(|symbol| (symbol.name.to_owned(), symbol.binding)).collect();
    found.sort();
    found
}

#[test]
fn what_was_local_is_local_in_the_output_of_a_split_program() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let file = bench.file("shared.ll", SHARED);
        let llvm = library.display().to_string();
        let made = |command: &[&str], parts: &str| {
            let cubin = bench.path(&format!("{}.{parts}", command.concat()));
            ok(raddle(
                &[command, &["--llvm", &llvm, "--arch", "sm_90", "-o", &cubin, "--lto-partitions", parts, &file]]
                    .concat(),
            ));
            cubin
        };
        for command in [&["compile"][..], &["compile", "-c"], &["compile", "--split-compile-extended=2"], &["link"]] {
            let (one, many) = (made(command, "1"), made(command, "100"));
            let expected = bindings(&one);
            assert_eq!(bindings(&many), expected, "LLVM {major}: {command:?}");
            let binding = |start: &str| expected.iter().find(|(name, _)| name.starts_with(start)).unwrap().1;
            assert_eq!((binding("counts"), binding("table"), binding("seen")), (0, 0, 1), "{expected:?}");
            assert_eq!((binding("unseen"), binding("kept")), (1, 1), "{expected:?}");
        }
        let cubin = made(&["compile"], "100");
        let step = |x: u32| if x & 1 == 0 { x + 1 } else { x - 1 };
        assert!(result(&bench, &cubin, "k0") == words((0..32).map(step)), "LLVM {major}");
    }
}

#[test]
fn a_missing_device_library_is_named_with_the_places_that_were_searched() {
    let Some(library) = llvm::require(19) else { return };
    let bench = Bench::new();
    let text = "target triple = \"nvptx64-nvidia-cuda\"\ndeclare float @__nv_sinf(float)\n\
                define float @NAME(float %x) { %y = call float @__nv_sinf(float %x) ret float %y }\n";
    let files = ["f", "g"].map(|name| bench.file(&format!("{name}.ll"), text.replace("NAME", name)));
    let (missing, cubin) = (bench.path("none/libdevice.10.bc"), bench.path("out.cubin"));
    let args = ["--arch", "sm_90", "-c", "--libdevice", &missing];
    let ran = compile(&library, &files.each_ref().map(String::as_str), &cubin, &args);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for file in &files {
        assert!(
            ran.stderr.contains(&format!("[E0091]: '{file}' calls functions of libdevice, and ")),
            "{}",
            ran.stderr
        );
    }
    let count = |text: &str| ran.stderr.matches(text).count();
    assert_eq!((count(&format!("searched {missing}")), count("name it with --libdevice")), (1, 1), "{}", ran.stderr);
}

/// A program of one function, and what it computes.
const ONE: &str = r#"
source_filename = "one.cu"
target triple = "nvptx64-nvidia-cuda"
@seen = internal addrspace(1) global i32 3, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k0(ptr addrspace(1) %p) #0 {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %c = load volatile i32, ptr addrspace(1) @seen
  %y = mul i32 %i, %c
  store i32 %y, ptr addrspace(1) %at
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
"#;

#[test]
fn a_program_of_one_function_takes_one_step() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, cubin, cache) = (bench.file("one.ll", ONE), bench.path("out.cubin"), bench.path("cache"));
        let build = |more: &[&str]| ok(compile(&library, &[&file], &cubin, &[&["--explain"], more].concat())).stderr;
        let text = build(&[]);
        assert!(text.contains("concurrent: no, the program is one function"), "{text}");
        assert!(!text.contains("phase I ("), "{text}");
        let bytes = std::fs::read(&cubin).unwrap();
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            build(&[level]);
            assert!(result(&bench, &cubin, "k0") == words((0..32).map(|i| i * 3)), "LLVM {major}, {level}");
        }
        for warm in [false, true] {
            let args = ["--cache", &cache, "--message-format", "json"];
            let ran = ok(compile(&library, &[&file], &cubin, &args));
            assert_eq!(used(&ran), if warm { [1, 0, 1, 0] } else { [0, 1, 0, 1] }, "LLVM {major}");
            assert!(std::fs::read(&cubin).unwrap() == bytes, "LLVM {major}");
        }
        let ptx = bench.path("one.ptx");
        ok(compile(&library, &[&file], &ptx, &["--emit", "ptx"]));
        ok(compile(&library, &[&ptx], &cubin, &[]));
        assert!(result(&bench, &cubin, "k0") == words((0..32).map(|i| i * 3)), "LLVM {major}");
        // Two inputs, or two functions, take all steps.
        let (other, mix) = (bench.file("mix.ll", mix(3)), bench.file("a.ll", SHARED));
        for files in [&[&*file, &*other][..], &[&*mix]] {
            let text = ok(compile(&library, files, &cubin, &["--explain"])).stderr;
            assert!(text.contains("phase I ("), "{files:?}: {text}");
        }
    }
}

#[test]
fn modes_of_link_time_optimisation_differ_in_what_they_see() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let mix = mix(3).replace("noinline", "");
        let files = [bench.file("a.ll", module("a.cu", 0..2, 7)), bench.file("mix.ll", mix)];
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let cubin = bench.path("out.cubin");
        let mut explained = Vec::new();
        for mode in ["off", "whole", "partial"] {
            let args = ["--lto", mode, "--explain", "--arch", "sm_90"];
            explained.push(ok(compile(&library, &files, &cubin, &args)).stderr);
            assert!(result(&bench, &cubin, "k0") == words((0..32).map(|x| (x + 7) * 3)), "LLVM {major}, {mode}");
            let calls = bindings(&cubin).iter().any(|(name, _)| name == "mix");
            assert_eq!(calls, mode == "off", "LLVM {major}, {mode}: a function of another module is inlined");
            let llvm = library.display().to_string();
            let link = ["link", "--llvm", &llvm, "--arch", "sm_90", "--lto", mode, "-o", &cubin];
            ok(raddle(&[&link[..], &files].concat()));
            assert!(result(&bench, &cubin, "k1") == words((0..32).map(|x| (x + 1) * 3)), "LLVM {major}, {mode}");
        }
        let linked = |text: &str| text.contains("phase I (link)");
        assert!(!linked(&explained[0]) && linked(&explained[1]) && linked(&explained[2]), "{explained:?}");
        assert!(explained[1].contains("concurrent: no, the program is one part"), "{}", explained[1]);
        let mut command = crate::common::command(&["compile", "--llvm", &library.display().to_string(), "-o", &cubin]);
        command.args(&files).args(["--explain", "--lto-partitions", "100"]);
        command.env("LIBNVVM_DISABLE_CONCURRENT_API", "1");
        let ran = ok(crate::common::finish(command));
        assert!(ran.stderr.contains("concurrent: no, the program is one part"), "{}", ran.stderr);
    }
}

#[test]
fn progress_counts_the_tasks_of_each_step_and_the_functions_of_parts() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let files = [bench.file("a.ll", module("a.cu", 0..4, 7)), bench.file("mix.ll", mix(3))];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let text = ok(compile(
        &library,
        &files,
        &bench.path("out.cubin"),
        &["--progress", "lines", "--lto-partitions", "100", "--arch", "sm_90"],
    ))
    .stderr;
    let counted = |start: &str| text.lines().filter(|line| line.starts_with(start) && line.ends_with(" ms")).count();
    assert!(["[1/2] simplify ", "[2/2] simplify ", "[1/1] link "].iter().all(|start| counted(start) == 1), "{text}");
    // A kernel and the two functions that it calls.
    assert_eq!((counted("[3/12] k"), counted("[6/12] k")), (1, 1), "{text}");
}

#[test]
fn what_is_not_supported_is_named_with_its_place_in_the_ir() {
    let bench = Bench::new();
    let out = bench.path("out.cubin");
    let prefetch = "void @llvm.nvvm.cp.async.bulk.tensor.prefetch.im2col.3d";
    let declared = format!("{prefetch}(ptr, i32, i32, i32, i16, i64, i1)");
    let fetched = format!("{prefetch}(ptr null, i32 0, i32 0, i32 0, i16 0, i64 0, i1 false)");
    let tid = "i32 @llvm.nvvm.read.ptx.sreg.tid.x()";
    let asked = "%y = call i32 asm sideeffect \"cvta.shared.u32 $0, $1;\", \"=r,r\"(i32 7)";
    let calling = |name: &str, call: &str| {
        format!(
            "source_filename = \"{name}.cu\"\ntarget triple = \"nvptx64-nvidia-cuda\"\ndeclare {declared}\n\n\
             define void @{name}(ptr addrspace(1) %p) {{\n  store i32 7, ptr addrspace(1) %p\n  {call}\n  ret void\n}}\n"
        )
    };
    let inner = |name: &str| calling(name, asked);
    let kernels = "target triple = \"nvptx64-nvidia-cuda\"\ndeclare void @first(ptr addrspace(1))\n\
                   declare void @second(ptr addrspace(1))\ndefine ptx_kernel void @k(ptr addrspace(1) %p) {\n  \
                   call void @first(ptr addrspace(1) %p)\n  ret void\n}\ndefine ptx_kernel void @l(ptr addrspace(1) %p) {\n  \
                   call void @second(ptr addrspace(1) %p)\n  ret void\n}\n";
    let files = [
        bench.file("kernels.ll", kernels),
        bench.file("first.ll", inner("first")),
        bench.file(
            "second.ll",
            inner("second").replace("  store", &format!("  %x = call {tid}\n  store")) + &format!("declare {tid}\n"),
        ),
    ];
    let files = files.each_ref().map(String::as_str);
    let Some(library) = llvm::require(22) else { return };
    for shape in [&["--lto", "partial"][..], &["--lto", "thin", "--lto-partitions", "9"], &["-O1"], &["-g", "-O0"]] {
        let ran = compile(&library, &files, &out, &[&["--arch", "sm_90a"], shape].concat());
        assert_eq!(ran.code, Some(3), "{shape:?} {}", ran.stderr);
        for (name, line) in [("first", 7), ("second", 8)] {
            let place = format!("{name}.ll', line {line}, function {name}: {asked}");
            assert!(ran.stderr.contains(&place), "{shape:?} {place}: {}", ran.stderr);
        }
    }
    // One function, by the way for such programs, and a link.
    let one = bench.file("one.ll", inner("one").replace("define void", "define ptx_kernel void"));
    for command in ["compile", "link"] {
        let ran = raddle(&[command, &one, "--arch", "sm_90a", "-o", &out, "--llvm", library.to_str().unwrap()]);
        let place = format!("one.ll', line 7, function one: {asked}");
        assert!(ran.code == Some(3) && ran.stderr.contains(&place), "{command} {}", ran.stderr);
    }
    // A name that is relative, and standard input.
    let one = std::fs::read(bench.path("one.ll")).unwrap();
    bench.file("with blank.ll", &one);
    for (input, name) in [("./with blank.ll", "./with blank.ll"), ("-", "<stdin>")] {
        let mut command = crate::common::command(&["compile", input, "--arch", "sm_90a", "-o", &out, "--llvm"]);
        command.arg(&library).current_dir(bench.path("")).stdin(std::fs::File::open(bench.path("one.ll")).unwrap());
        let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
        assert!(said.contains(&format!("it comes from '{name}', line 7, function one")), "{said}");
    }
    // PTX that cannot be read, from inline assembly.
    let call = "%x = call i32 asm sideeffect \"frobnicate.b32 $0, 7;\", \"=r\"()";
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @k(ptr addrspace(1) %p) {{\n  {call}\n  \
         store i32 %x, ptr addrspace(1) %p\n  ret void\n}}\n"
    );
    let ran = compile(&library, &[&bench.file("asm.ll", text)], &out, &["--arch", "sm_90"]);
    let place = format!("asm.ll', line 3, function k: {call}");
    assert!(ran.code == Some(1) && ran.stderr.contains("E0120") && ran.stderr.contains(&place), "{}", ran.stderr);
    // The older LLVM does not know it.
    let Some(library) = llvm::require(19) else { return };
    let first = bench.file("first.ll", calling("first", &format!("call {fetched}")));
    let files = [files[0], &first, files[2]];
    let ran = compile(&library, &files, &out, &["--arch", "sm_90a"]);
    let said = "this LLVM has no intrinsic llvm.nvvm.cp.async.bulk.tensor.prefetch.im2col.3d, which first calls";
    assert!(ran.code == Some(1) && ran.stderr.contains(said), "{}", ran.stderr);
}
