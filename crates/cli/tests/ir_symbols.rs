//! What exists once in a program of several parts or inputs: what inline assembly defines, what has
//! two names, and kernels that several inputs define.

use crate::common::{Bench, Ran, raddle};
use raddle_filetest::llvm;
use std::path::Path;

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";
const MODES: [&[&str]; 5] =
    [&[], &["--lto=thin", "--lto-partitions=9"], &["--lto=whole"], &["--lto=off"], &["--lto-partitions=9"]];

fn kernel(name: &str, body: &str) -> String {
    format!("define ptx_kernel void @{name}(ptr addrspace(1) %p) {{\n{body}\n  ret void\n}}\n")
}

/// A kernel that stores what a function makes of the number in memory.
fn calling(name: &str, callee: &str) -> String {
    let body =
        "  %x = load i32, ptr addrspace(1) %p\n  %y = call i32 @CALLEE(i32 %x)\n  store i32 %y, ptr addrspace(1) %p";
    kernel(name, &body.replace("CALLEE", callee))
}

/// A kernel that stores the value of a variable.
fn reading(name: &str, variable: &str) -> String {
    kernel(
        name,
        &format!("  %x = load volatile i32, ptr addrspace(1) @{variable}\n  store i32 %x, ptr addrspace(1) %p"),
    )
}

fn made(library: &Path, command: &[&str], out: &str, files: &[&str]) -> Ran {
    let library = library.display().to_string();
    raddle(&[command, &["--llvm", &library, "--arch", "sm_90", "-o", out], files].concat())
}

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran
}

/// The result of a kernel on the number 5.
fn result(bench: &Bench, cubin: &str, kernel: &str) -> u32 {
    let file = bench.file("buffer", 5_u32.to_le_bytes());
    ok(raddle(&["run", cubin, "--kernel", kernel, "--arg", &format!("inout:{file}")]));
    u32::from_le_bytes(std::fs::read(file).unwrap().try_into().unwrap())
}

#[test]
fn what_inline_assembly_defines_exists_once() {
    let module = |line: &str, declared: &str| {
        let kernels =
            [reading("a", "counter"), kernel("b", "  store i32 1, ptr addrspace(1) %p"), reading("c", "counter")];
        format!("source_filename = \"asm.cu\"\n{HEAD}module asm \"{line}\"\n{declared}{}", kernels.concat())
    };
    let declared = "@counter = external addrspace(1) global i32, align 4\n";
    let unrelated = "@counter = internal addrspace(1) global i32 7, align 4\n";
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let out = bench.path("out.cubin");
        for (line, declared) in [
            (".visible .global .align 4 .u32 counter = 7;", declared),
            (".global .align 4 .u32 counter = 7;", declared),
            (".visible .global .align 4 .u32 other = 7;", unrelated),
        ] {
            let file = bench.file("asm.ll", module(line, declared));
            for mode in MODES {
                let ran = ok(made(&library, &[&["compile"], mode].concat(), &out, &[&file]));
                // Thin does not link, and then says why it does.
                let told = ran.stderr.contains("E0094") && ran.stderr.contains("asm.ll' has inline assembly");
                assert!(
                    if mode.contains(&"--lto=thin") { told } else { ran.stderr.is_empty() },
                    "{mode:?}: {}",
                    ran.stderr
                );
                for k in ["a", "c"] {
                    assert_eq!(result(&bench, &out, k), 7, "LLVM {major} {mode:?} {line}");
                }
                assert_eq!(result(&bench, &out, "b"), 1, "LLVM {major} {mode:?} {line}");
            }
        }
        // Nothing but assembly.
        let kernel = ".visible .entry only(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p]; \
                      mov.u32 %r, 11; st.global.u32 [%d], %r; ret; }";
        let file = bench.file("only.ll", format!("{HEAD}module asm \"{kernel}\"\n"));
        for mode in MODES {
            ok(made(&library, &[&["compile"], mode].concat(), &out, &[&file]));
            assert_eq!(result(&bench, &out, "only"), 11, "LLVM {major} {mode:?}");
        }
    }
}

/// Aliases of functions, as clang makes them for constructors and on request, and their kernels.
fn aliases() -> String {
    let functions = "\
@a1 = weak_odr alias i32 (i32), ptr @f1
@a2 = alias i32 (i32), ptr @f2
@a3 = weak alias i32 (i32), ptr @f3
@a4 = internal alias i32 (i32), ptr @f4
@a5 = alias i32 (i32), ptr @a2
@a6 = alias i32 (i32), ptr @f4
define weak_odr i32 @f1(i32 %x) noinline { %y = add i32 %x, 10 ret i32 %y }
define i32 @f2(i32 %x) noinline { %y = add i32 %x, 20 ret i32 %y }
define i32 @f3(i32 %x) noinline { %y = add i32 %x, 30 ret i32 %y }
define internal i32 @f4(i32 %x) noinline { %y = add i32 %x, 40 ret i32 %y }
";
    let kernels = (1..=6).map(|n| calling(&format!("k{n}"), &format!("a{n}")));
    format!("source_filename = \"aliases.cu\"\n{HEAD}{functions}{}", kernels.collect::<String>())
}

/// Another module that calls these functions by both names.
fn users() -> String {
    let names = ["a1", "a2", "a3", "a5", "a6", "f1", "f2"];
    let declared = names.map(|name| format!("declare i32 @{name}(i32)\n")).concat();
    let kernels = names.map(|name| calling(&format!("m_{name}"), name)).concat();
    format!("source_filename = \"users.cu\"\n{HEAD}{declared}{kernels}")
}

const RESULTS: [(&str, u32); 13] = [
    ("k1", 15),
    ("k2", 25),
    ("k3", 35),
    ("k4", 45),
    ("k5", 25),
    ("k6", 45),
    ("m_a1", 15),
    ("m_a2", 25),
    ("m_a3", 35),
    ("m_a5", 25),
    ("m_a6", 45),
    ("m_f1", 15),
    ("m_f2", 25),
];

#[test]
fn aliases_of_functions_are_what_they_name_in_every_mode() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (first, second) = (bench.file("aliases.ll", aliases()), bench.file("users.ll", users()));
        let (out, objects) = (bench.path("out.cubin"), [bench.path("first.o"), bench.path("second.o")]);
        let check = |what: &str| {
            for (kernel, expected) in RESULTS {
                assert_eq!(result(&bench, &out, kernel), expected, "LLVM {major} {what} {kernel}");
            }
        };
        for (case, mode) in MODES.into_iter().enumerate() {
            // Each version of LLVM compiles at one of the levels, and every second one between objects.
            let level = if llvm::takes(major, case) { "-O3" } else { "-O0" };
            ok(made(&library, &[&["compile", level], mode].concat(), &out, &[&second, &first]));
            check(&format!("{mode:?} {level}"));
            if !llvm::takes(major, case) {
                continue;
            }
            // Between objects.
            for (file, object) in [&first, &second].into_iter().zip(&objects) {
                ok(made(&library, &[&["compile", "-c"], mode].concat(), object, &[file]));
            }
            ok(raddle(&["link", &objects[0], &objects[1], "-o", &out]));
            check(&format!("-c {mode:?}"));
        }
    }
}

#[test]
fn an_alias_without_a_form_in_ptx_is_named_with_its_input() {
    let variable = format!(
        "source_filename = \"v.cu\"\n{HEAD}@v = addrspace(1) global i32 7, align 4\n@av = alias i32, ptr addrspace(1) @v\n{}{}",
        reading("k", "av"),
        reading("l", "v")
    );
    let local = variable.replace("@v = addrspace(1)", "@v = internal addrspace(1)");
    let user = format!(
        "source_filename = \"u.cu\"\n{HEAD}@av = external addrspace(1) global i32, align 4\n{}",
        reading("m", "av")
    );
    let of_kernel = format!(
        "source_filename = \"k.cu\"\n{HEAD}@second = alias void (ptr addrspace(1)), ptr @first\n{}{}",
        kernel("first", "  store i32 1, ptr addrspace(1) %p"),
        kernel("other", "  store i32 1, ptr addrspace(1) %p")
    );
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (out, other) = (bench.path("out.cubin"), bench.file("u.ll", &user));
        let (file, inner) = (bench.file("v.ll", &variable), bench.file("local.ll", &local));
        for mode in MODES {
            for (file, works) in [(&file, !mode.contains(&"--lto=off")), (&inner, true)] {
                let ran = made(&library, &[&["compile"], mode].concat(), &out, &[file, &other]);
                if works {
                    ok(ran);
                    let results = ["k", "l", "m"].map(|kernel| result(&bench, &out, kernel));
                    assert_eq!(results, [7; 3], "LLVM {major} {mode:?} {file}");
                    continue;
                }
                assert_eq!(ran.code, Some(1), "LLVM {major} {mode:?}: {}", ran.stderr);
                for word in ["E0092", "v.ll'", "av is an alias of the variable v"] {
                    assert!(ran.stderr.contains(word), "no {word} in {}", ran.stderr);
                }
            }
        }
        let ran = made(&library, &["compile", "-c"], &out, &[&file]);
        assert!(ran.code == Some(1) && ran.stderr.contains("v.ll': av is an alias of"), "{}", ran.stderr);
        // Two modules whose aliases name each other's are no endless work.
        let circle = |one: &str, other: &str| {
            let alias = format!(
                "@{one} = alias i32 (i32), ptr @{other}\ndefine weak i32 @{other}(i32 %x) noinline {{ ret i32 1 }}\n"
            );
            format!(
                "source_filename = \"{one}\"\n{HEAD}{alias}{}{}",
                calling(&format!("k_{one}"), one),
                calling(&format!("l_{one}"), other)
            )
        };
        let circle = [bench.file("a.ll", circle("a", "b")), bench.file("b.ll", circle("b", "a"))];
        for mode in MODES {
            let ran = made(&library, &[&["compile"], mode].concat(), &out, &circle.each_ref().map(String::as_str));
            assert!(
                ran.code == Some(0) || ran.stderr.contains("error[E0092]"),
                "LLVM {major} {mode:?}: {}",
                ran.stderr
            );
        }
        let other = "define ptx_kernel void @other";
        for text in [of_kernel.clone(), of_kernel.split(other).next().unwrap().to_owned()] {
            let file = bench.file("kernel.ll", text);
            for more in [&[][..], &["-c"], &["--lto=off"]] {
                let ran = made(&library, &[&["compile"], more].concat(), &out, &[&file]);
                assert!(ran.code == Some(1) && ran.stderr.contains("kernel.ll'"), "{more:?}: {}", ran.stderr);
                assert!(ran.stderr.contains("second is an alias of the kernel first"), "{more:?}: {}", ran.stderr);
            }
        }
    }
}

/// A kernel in PTX that stores a number.
fn ptx(linkage: &str, number: u32) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n{linkage} .entry t(.param .u64 p)\n{{\n  .reg .b32 %r; .reg .b64 %d;\n  \
         ld.param.u64 %d, [p];\n  mov.u32 %r, {number};\n  st.global.u32 [%d], %r;\n  ret;\n}}\n"
    )
}

#[test]
fn of_weak_kernels_of_one_name_a_program_has_one() {
    let ir = |source: &str, linkage: &str, own: &str| {
        let shared =
            kernel("t", "  store i32 100, ptr addrspace(1) %p").replace("define", &format!("define {linkage}"));
        format!("source_filename = \"{source}\"\n{HEAD}{shared}{}", kernel(own, "  store i32 1, ptr addrspace(1) %p"))
    };
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let out = bench.path("out.cubin");
        let (weak, strong) = (bench.file("weak.ptx", ptx(".weak", 100)), bench.file("strong.ptx", ptx(".visible", 7)));
        for linkage in ["weak_odr", "linkonce_odr"] {
            let (a, b) =
                (bench.file("a.ll", ir("a.cu", linkage, "own_a")), bench.file("b.ll", ir("b.cu", linkage, "own_b")));
            let cases = MODES.iter().flat_map(|mode| [(mode, "compile"), (mode, "link")]);
            for (case, (mode, command)) in cases.enumerate() {
                // Both become `.weak` in PTX: one of them meets all neighbours.
                let lists = if linkage == "weak_odr" { 5 } else { 1 };
                for (list, (files, number)) in [
                    (vec![&*a, &b], 100),
                    (vec![&a, &weak], 100),
                    (vec![&weak, &b, &a], 100),
                    (vec![&strong, &a, &b], 7),
                    (vec![&a, &strong], 7),
                ]
                .into_iter()
                .enumerate()
                .take(lists)
                {
                    if !llvm::takes(major, case + list) {
                        continue;
                    }
                    let what = format!("LLVM {major} {command} {mode:?} {linkage} {files:?}");
                    let ran = made(&library, &[&[command], *mode].concat(), &out, &files);
                    assert_eq!(ran.code, Some(0), "{what}: {}", ran.stderr);
                    assert_eq!(result(&bench, &out, "t"), number, "{what}");
                    let listed = String::from_utf8(raddle(&["info", &out]).stdout).unwrap();
                    assert!(listed.contains("own_a"), "{what}: {listed}");
                }
            }
        }
        // Two that are not weak are none.
        let a = bench.file("a.ll", ir("a.cu", "", "own_a"));
        for mode in MODES {
            let ran = made(&library, &[&["compile"], mode].concat(), &out, &[&a, &strong]);
            assert!(ran.code == Some(1) && ran.stderr.contains("E0026"), "LLVM {major} {mode:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn of_weak_kernels_in_ptx_a_program_has_one() {
    let bench = Bench::new();
    let out = bench.path("out.cubin");
    let files = [(".weak", 1), (".weak", 2), (".visible", 3)]
        .map(|(linkage, number)| bench.file(&format!("{number}.ptx"), ptx(linkage, number)));
    let [first, second, strong] = files.each_ref().map(String::as_str);
    for (inputs, number) in
        [(&[first, second][..], 1), (&[second, first], 2), (&[first, strong, second], 3), (&[strong, first], 3)]
    {
        ok(raddle(&[&["compile", "-o", &out], inputs].concat()));
        assert_eq!(result(&bench, &out, "t"), number, "{inputs:?}");
        ok(raddle(&[&["compile", "-e", "t", "-o", &out], inputs].concat()));
        assert_eq!(result(&bench, &out, "t"), number, "{inputs:?}");
    }
    let again = bench.file("again.ptx", ptx(".visible", 4));
    let ran = raddle(&["compile", "-o", &out, first, strong, &again]);
    assert!(ran.code == Some(1) && ran.stderr.contains("E0026") && ran.stderr.contains("again.ptx"), "{}", ran.stderr);
}
