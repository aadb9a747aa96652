//! `--lto=thin`: programs of LLVM IR whose bodies are not linked.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::path::Path;

/// A kernel in its own module that calls `callee`, and a function that other modules may call.
fn module(name: &str, callee: &str, constant: u32) -> String {
    format!(
        "source_filename = \"{name}.cu\"
target triple = \"nvptx64-nvidia-cuda\"
@count_{name} = addrspace(1) global i32 0, align 4
@table = internal addrspace(4) constant [2 x i32] [i32 {constant}, i32 5]
declare i32 @{callee}(i32)
define internal i32 @helper(i32 %x) noinline {{
  %at = getelementptr i32, ptr addrspace(4) @table, i32 0
  %c = load i32, ptr addrspace(4) %at
  %y = add i32 %x, %c
  ret i32 %y
}}
define linkonce_odr i32 @same(i32 %x) noinline {{
  %y = mul i32 %x, 3
  ret i32 %y
}}
define i32 @from_{name}(i32 %x) {{
  %y = call i32 @helper(i32 %x)
  %z = call i32 @same(i32 %y)
  ret i32 %z
}}
define ptx_kernel void @k_{name}(ptr addrspace(1) %p) {{
  %x = load i32, ptr addrspace(1) %p
  %y = call i32 @{callee}(i32 %x)
  %z = call i32 @same(i32 %y)
  store i32 %z, ptr addrspace(1) %p
  store i32 %z, ptr addrspace(1) @count_{name}
  ret void
}}
"
    )
}

/// Three modules in a circle of calls, with their constants.
const MODULES: [(&str, &str, u32); 3] = [("a", "from_b", 1_000), ("b", "from_c", 20_000), ("c", "from_a", 300_000)];

fn files(bench: &Bench) -> Vec<String> {
    let write = |(name, callee, constant)| bench.file(&format!("{name}.ll"), module(name, callee, constant));
    MODULES.map(write).to_vec()
}

fn compile(library: &Path, files: &[String], out: &str, more: &[&str]) -> Ran {
    let fixed = ["compile", "--arch", "sm_90", "--llvm", library.to_str().unwrap(), "-o", out];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    raddle(&[&fixed[..], &files, more].concat())
}

/// Checks what each kernel computes.
fn assert_right(bench: &Bench, cubin: &str, more: &str) {
    for (at, (name, ..)) in MODULES.iter().enumerate() {
        let file = bench.file("data.bin", 7u32.to_le_bytes());
        let kernel = format!("k_{name}");
        let ran = raddle(&["run", cubin, "--kernel", &kernel, "--block", "1", "--arg", &format!("inout:{file}")]);
        assert_eq!(ran.code, Some(0), "{more}: {}", ran.stderr);
        let expected = (7 + MODULES[(at + 1) % 3].2) * 9;
        assert_eq!(std::fs::read(&file).unwrap(), expected.to_le_bytes(), "{kernel} {more}");
    }
}

#[test]
fn parts_take_what_they_need_of_every_input() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (mut files, out) = (files(&bench), bench.path("out.cubin"));
        let mut made = Vec::new();
        for level in ["-O0", "-O1", "-O3"] {
            for parts in ["1", "3", "100"] {
                let shape = ["--lto", "thin", level, "--lto-partitions", parts, "--explain"];
                let ran = compile(&library, &files, &out, &shape);
                assert_eq!(ran.code, Some(0), "{shape:?}: {}", ran.stderr);
                let said = ran.stderr + &String::from_utf8_lossy(&ran.stdout);
                assert!(said.contains("symbols of 3 inputs, in place of phase I"), "{said}");
                assert_right(&bench, &out, &format!("LLVM {major} {shape:?}"));
            }
        }
        for jobs in ["-j1", "-j2", "-j1", "-j2"] {
            let ran = compile(&library, &files, &out, &["--lto", "thin", "--lto-partitions", "100", jobs]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            made.push(std::fs::read(&out).unwrap());
            files.rotate_left(1);
        }
        assert!(made.iter().all(|bytes| *bytes == made[0]), "LLVM {major}");
        // A relocatable object has what other objects may call.
        let object = bench.path("out.o");
        let ran = compile(&library, &files, &object, &["--lto", "thin", "-c"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let caller = bench.file("caller.ll", module("d", "from_a", 0));
        let caller_object = bench.path("caller.o");
        assert_eq!(compile(&library, &[caller], &caller_object, &["-c"]).code, Some(0));
        let ran = raddle(&["link", &object, &caller_object, "-o", &out]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_right(&bench, &out, &format!("LLVM {major} -c"));
    }
}

#[test]
fn modules_that_are_no_program_are_told_as_a_link_tells_it() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let out = bench.path("out.cubin");
    let thin = |files: &[String], code: i32, parts: &[&str]| {
        let ran = compile(&library, files, &out, &["--lto", "thin", "--lto-partitions", "3"]);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        for part in parts {
            assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
        }
    };
    let mut twice = files(&bench);
    twice.push(bench.file("d.ll", module("a", "from_b", 9).replace("a.cu", "d.cu")));
    thin(&twice, 1, &["E0064", "a.ll' and '", "d.ll' define count_a"]);
    // Two sources with one name: their local symbols have the same names, so they are linked.
    let same = MODULES.map(|(name, callee, constant)| {
        let text = module(name, callee, constant).replace(&format!("{name}.cu"), "same.cu");
        bench.file(&format!("same_{name}.ll"), text)
    });
    thin(&same, 0, &["E0094", "the inputs are linked as a whole: the local symbol helper__"]);
    assert_right(&bench, &out, "linked");
    let odd = files(&bench)
        .into_iter()
        .chain([bench.file("odd.ll", "source_filename = \"odd.cu\"\n@\"a b\" = addrspace(1) global i32 7\n")]);
    thin(&odd.collect::<Vec<_>>(), 1, &["E0092", "odd.ll': the symbol \"a b\" has a name that PTX does not allow"]);
    // A symbol that nothing defines.
    thin(&files(&bench)[..2], 3, &["E0030", "`from_c` is not defined here"]);
}
