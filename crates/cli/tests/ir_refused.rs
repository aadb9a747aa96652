//! What LLVM IR and its options have that PTX or the library has not: refused in plain words, with
//! the names of input, function and construct, and never with addresses or a dump of LLVM's.

use crate::common::{Bench, Ran, command, finish, raddle};
use raddle_filetest::llvm;
use std::path::Path;

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";
const STORE: &str =
    "define ptx_kernel void @fine(ptr addrspace(1) %p) {\n  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n";

fn compile(library: &Path, files: &[&str], out: &str, more: &[&str]) -> Ran {
    let library = library.display().to_string();
    let arch: &[&str] = if more.contains(&"--arch") { &[] } else { &["--arch", "sm_90"] };
    raddle(&[&["compile", "--llvm", &library, "-o", out], arch, files, more].concat())
}

/// A kernel, and another one beside it.
fn kernel(body: &str, more: &str) -> String {
    format!("{HEAD}{more}\n{STORE}define ptx_kernel void @k(ptr addrspace(1) %p) {{\n{body}\n}}\n")
}

#[test]
fn a_construct_without_a_form_in_ptx_is_refused_with_input_and_function() {
    let store = "  store i32 %x, ptr addrspace(1) %p\n  ret void";
    let reads = |from: &str| format!("  %x = load i32, ptr {from}\n{store}");
    let jump = "  %t = load volatile ptr, ptr addrspace(1) @table\n  indirectbr ptr %t, [label %a, label %b]\na:\n  \
                store volatile i32 1, ptr addrspace(1) %p\n  ret void\nb:\n  ret void";
    let cases: [(&str, String, &[&str]); 8] = [
        (
            "ifunc",
            kernel(
                &format!("  %x = call i32 @foo(i32 3)\n{store}"),
                "@foo = ifunc i32 (i32), ptr @resolve\ndefine ptr @resolve() { ret ptr @real }\ndefine i32 @real(i32 %x) { ret i32 %x }",
            ),
            &["the function foo is an ifunc"],
        ),
        (
            "thread",
            kernel(&reads("@t"), "@t = thread_local global i32 0"),
            &["the variable t, which k uses, is thread_local"],
        ),
        (
            "variable",
            kernel(&reads("addrspace(1) @v"), "@v = addrspace(1) global i32 0, align 4294967296"),
            &["the variable v, which k uses, is aligned to 4294967296 bytes"],
        ),
        (
            "memory",
            kernel(
                "  %a = alloca i32, align 4294967296\n  store volatile i32 1, ptr %a\n  %x = load volatile i32, ptr %a\n  store i32 %x, ptr addrspace(1) %p\n  ret void",
                "",
            ),
            &["memory of the function k", "is aligned to 4294967296 bytes"],
        ),
        (
            "jump",
            kernel(jump, "@table = addrspace(1) global [2 x ptr] [ptr blockaddress(@k, %a), ptr blockaddress(@k, %b)]"),
            &["the function k has an indirect jump", "indirectbr ptr"],
        ),
        (
            "block",
            kernel(
                "  br label %b\nb:\n  store volatile ptr blockaddress(@k, %c), ptr addrspace(1) %p\n  %n = load volatile i1, ptr addrspace(1) %p\n  br i1 %n, label %b, label %c\nc:\n  ret void",
                "",
            ),
            &["the function k has the address of a block"],
        ),
        (
            "target",
            kernel(
                &format!("  %x = call i32 @llvm.amdgcn.workitem.id.x()\n{store}"),
                "declare i32 @llvm.amdgcn.workitem.id.x()",
            ),
            &["the intrinsic llvm.amdgcn.workitem.id.x, which k calls, is for amdgcn"],
        ),
        (
            "unknown",
            kernel(&format!("  %x = call i32 @llvm.nvvm.frobnicate()\n{store}"), "declare i32 @llvm.nvvm.frobnicate()"),
            &["this LLVM has no intrinsic llvm.nvvm.frobnicate, which k calls"],
        ),
    ];
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let out = bench.path("out.cubin");
        for (name, text, words) in &cases {
            let file = bench.file(&format!("{name}.ll"), text);
            for mode in [&[][..], &["--lto=off", "-O0"], &["--lto=thin"]] {
                let ran = compile(&library, &[&file], &out, mode);
                assert_eq!(ran.code, Some(1), "LLVM {major} {name} {mode:?}: {}", ran.stderr);
                let place = format!("error[E0092]: '{file}'");
                for word in words.iter().copied().chain([&*place]) {
                    assert!(ran.stderr.contains(word), "LLVM {major} {mode:?}: no {word} in {}", ran.stderr);
                }
                assert!(!ran.stderr.contains("0x") && !Path::new(&out).exists(), "{}", ran.stderr);
            }
        }
        // What nothing refers to is no error.
        let unused =
            format!("{HEAD}declare i32 @llvm.amdgcn.workitem.id.x()\n@t = external thread_local global i32\n{STORE}");
        let ran = compile(&library, &[&bench.file("unused.ll", unused)], &out, &[]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "LLVM {major}");
        std::fs::remove_file(&out).unwrap();
    }
}

#[test]
fn what_llvm_says_at_its_end_has_no_addresses_of_its_memory() {
    // Instructions of sm_90 for sm_80.
    let text = kernel(
        "  call void @llvm.nvvm.barrier.cluster.arrive()\n  ret void",
        "declare void @llvm.nvvm.barrier.cluster.arrive()",
    );
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, out) = (bench.file("fatal.ll", &text), bench.path("out.cubin"));
        let said = || compile(&library, &[&file], &out, &["--arch", "sm_80"]).stderr;
        let first = said();
        assert!(first.contains("Cannot select: intrinsic %llvm.nvvm.barrier.cluster.arrive"), "LLVM {major}: {first}");
        assert!(!first.contains("0x") && first == said(), "LLVM {major}: {first}");
    }
}

#[test]
fn an_intrinsic_that_the_architecture_lacks_is_named_with_its_line() {
    let arrives = format!(
        "{HEAD}declare void @llvm.nvvm.barrier.cluster.arrive()\n{STORE}define internal void @f() {{\n  call void \
         @llvm.nvvm.barrier.cluster.arrive()\n  ret void\n}}\ndefine ptx_kernel void @k(ptr addrspace(1) %p) {{\n  \
         call void @f()\n  ret void\n}}\n"
    );
    // LLVM splits its result before it looks for code, and then knows no intrinsic any more.
    let loads = format!(
        "{HEAD}declare <2 x i32> @llvm.nvvm.tcgen05.ld.16x64b.x2(ptr addrspace(6), i1)\ndeclare i32 \
         @llvm.nvvm.read.ptx.sreg.tid.x()\n{STORE}define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(6) %t) \
         {{\n  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %a = getelementptr i8, ptr addrspace(6) %t, i32 %i\n  \
         %v = call <2 x i32> @llvm.nvvm.tcgen05.ld.16x64b.x2(ptr addrspace(6) %a, i1 false)\n  \
         store <2 x i32> %v, ptr addrspace(1) %p\n  ret void\n}}\n"
    );
    let arrive = "function f: call void @llvm.nvvm.barrier.cluster.arrive()";
    let load = "function k: %v = call <2 x i32> @llvm.nvvm.tcgen05.ld.16x64b.x2(ptr addrspace(6) %a, i1 false)";
    let has_none = "this LLVM has no code for llvm.nvvm.barrier.cluster.arrive on sm_80 with PTX ";
    let does_not_fail = "LLVM does not fail without llvm.nvvm.tcgen05.ld.16x64b.x2";
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let out = bench.path("out.cubin");
        let fine = bench.file("fine.ll", format!("{HEAD}{STORE}").replace("@fine", "@other"));
        let cases = [("sm_80", &arrives, 8, arrive, has_none), ("sm_90", &loads, 11, load, does_not_fail)];
        // LLVM 19 does not have the second one.
        for (arch, text, line, call, said) in &cases[..if major < 22 { 1 } else { 2 }] {
            let file = bench.file("lacks.ll", text);
            for mode in [&[][..], &["-c", "--lto=off"], &["--lto=thin", "-O0"], &["-O0"]] {
                let ran = compile(&library, &[&fine, &file], &out, &[&["--arch", arch], mode].concat());
                assert_eq!(ran.code, Some(4), "LLVM {major} {mode:?}: {}", ran.stderr);
                let from = format!("it comes from '{file}', line {line}, {call}");
                for word in ["error[E0093]", said, &*from] {
                    assert!(ran.stderr.contains(word), "LLVM {major} {mode:?}: no {word} in {}", ran.stderr);
                }
                assert_eq!(ran.stderr.matches("error[").count(), 1, "LLVM {major} {mode:?}: {}", ran.stderr);
            }
        }
    }
}

#[test]
fn an_option_that_llvm_does_not_have_is_named() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, out) = (bench.file("a.ll", kernel("  ret void", "")), bench.path("out.cubin"));
        for (options, words) in [
            (
                &["-nvptx-sched4rag"][..],
                &["unknown option '-nvptx-sched4rag'", "did you mean '--nvptx-sched4reg'?"][..],
            ),
            (&["-nvptx-sched4reg", "-frobnicate"], &["unknown option '-frobnicate'"]),
            (&["-unroll-threshold=many"], &["the --unroll-threshold option: 'many' value invalid"]),
            (&["word"], &["unknown option 'word'"]),
            (&["-help"], &["--mllvm '-help'", "they let it print and end"]),
            (&["-version"], &["--mllvm '-version'", "they let it print and end"]),
        ] {
            let options: Vec<String> = options.iter().map(|option| format!("--mllvm={option}")).collect();
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            for (command, more) in
                [("compile", &[][..]), ("compile", &["--lto=off"]), ("link", &[]), ("compile", &["--emit", "ll"])]
            {
                let llvm = library.display().to_string();
                let fixed = [command, "--llvm", &llvm, "--arch", "sm_90", "-o", &out, &file];
                let ran = raddle(&[&fixed, &options[..], more].concat());
                assert_eq!((ran.code, ran.stdout.len()), (Some(2), 0), "LLVM {major} {options:?}: {}", ran.stderr);
                for word in words.iter().chain(&["error[E0097]"]) {
                    assert!(ran.stderr.contains(word), "LLVM {major}: no {word} in {}", ran.stderr);
                }
                assert!(!Path::new(&out).exists() && ran.stderr.lines().count() < 6, "{}", ran.stderr);
            }
        }
        let ran = compile(
            &library,
            &[&file],
            &out,
            &["--mllvm=-unroll-threshold=7", "--explain", "--fmad=false", "--prec-sqrt=false"],
        );
        assert!(ran.code == Some(0) && !ran.stderr.contains("other steps"), "LLVM {major}: {}", ran.stderr);
        std::fs::remove_file(&out).unwrap();
    }
}

#[test]
fn functions_under_names_of_the_device_library_are_those_that_an_input_defines() {
    let user = format!(
        "source_filename = \"user.cu\"\n{HEAD}declare i32 @__nv_popc(i32)\ndeclare i32 @__nv_mine(i32)\n\
         define ptx_kernel void @k(ptr addrspace(1) %p) {{\n  %a = call i32 @__nv_popc(i32 255)\n  %b = call i32 @__nv_mine(i32 %a)\n  \
         store i32 %b, ptr addrspace(1) %p\n  ret void\n}}\n"
    );
    let both = format!(
        "source_filename = \"own.cu\"\n{HEAD}define i32 @__nv_popc(i32 %x) {{ ret i32 1000 }}\n\
         define i32 @__nv_mine(i32 %x) {{ %y = add i32 %x, 5 ret i32 %y }}\n"
    );
    let one = both.replace("define i32 @__nv_popc(i32 %x) { ret i32 1000 }\n", "");
    // In place of NVIDIA's.
    let library_text = format!(
        "{HEAD}define i32 @__nv_popc(i32 %x) {{ ret i32 8 }}\ndefine i32 @__nv_mine(i32 %x) {{ ret i32 99 }}\n"
    );
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (out, missing) = (bench.path("out.cubin"), bench.path("none.bc"));
        let device = bench.file("device.ll", &library_text);
        let user = bench.file("user.ll", &user);
        let (both, one) = (bench.file("both.ll", &both), bench.file("one.ll", &one));
        let bitcode = bench.path("both.bc");
        let ran = compile(&library, &[&both], &bitcode, &["-c", "--emit", "bc"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        for mode in [&[][..], &["--lto=off"], &["--lto=thin"], &["--lto=whole"]] {
            for (files, given, expected) in [
                ([&user, &both], &missing, 1005),
                ([&both, &user], &device, 1005),
                ([&user, &bitcode], &device, 1005),
                ([&user, &one], &device, 13),
            ] {
                let files = files.map(String::as_str);
                let ran = compile(&library, &files, &out, &[&["--libdevice", given], mode].concat());
                assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "LLVM {major} {mode:?} {files:?}");
                let file = bench.file("buffer", [0; 4]);
                let ran = raddle(&["run", &out, "--kernel", "k", "--arg", &format!("inout:{file}")]);
                assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                let got = u32::from_le_bytes(std::fs::read(file).unwrap().try_into().unwrap());
                assert_eq!(got, expected, "LLVM {major} {mode:?} {files:?}");
            }
        }
        // Without a definition the library is needed.
        let ran = compile(&library, &[&user], &out, &["--libdevice", &missing]);
        assert!(ran.code == Some(1) && ran.stderr.contains("E0091"), "{}", ran.stderr);
        // A file that is something else.
        for other in [bench.file("other.ll", format!("{HEAD}{STORE}")), bench.file("text", "no IR")] {
            let ran = compile(&library, &[&user], &out, &["--libdevice", &other]);
            let said = format!("'{other}' is not the device library: ");
            assert!(ran.code == Some(1) && ran.stderr.contains(&said), "LLVM {major}: {}", ran.stderr);
            assert!(ran.stderr.contains("user.ll'"), "{}", ran.stderr);
        }
    }
}

#[test]
fn options_without_an_effect_and_priorities_that_are_none_are_told() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, out) = (bench.file("a.ll", kernel("  ret void", "")), bench.path("out.cubin"));
        for (mode, told) in [("off", true), ("whole", true), ("partial", false), ("thin", false)] {
            let ran = compile(&library, &[&file], &out, &["--lto", mode, "--lto-partitions", "4"]);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let said = format!("--lto-partitions 4 has no effect: --lto={mode} does not split the program");
            assert_eq!(
                ran.stderr.contains(&said) && ran.stderr.contains("E0085"),
                told,
                "LLVM {major} {mode}: {}",
                ran.stderr
            );
        }
        for value in ["", "x", "0", "65536", "-1", "1.5"] {
            let text = kernel("  ret void", "").replace(
                "@k(ptr addrspace(1) %p) {",
                &format!("@k(ptr addrspace(1) %p) \"raddle-priority\"=\"{value}\" {{"),
            );
            let file = bench.file("priority.ll", text);
            let ran = compile(&library, &[&file], &out, &[]);
            let said = format!("the function k has raddle-priority=\"{value}\": a priority is 1 to 65535");
            assert!(
                ran.code == Some(1) && ran.stderr.contains(&said) && ran.stderr.contains("priority.ll'"),
                "LLVM {major} {value}: {}",
                ran.stderr
            );
        }
    }
}

#[test]
fn empty_variables_of_the_environment_are_as_none_and_one_that_decides_is_named() {
    let Some(library) = llvm::require(22) else { return };
    let bench = Bench::new();
    let (file, out) = (bench.file("a.ll", kernel("  ret void", "")), bench.path("out.cubin"));
    for variable in ["RADDLE_LLVM", "RADDLE_NVJITLINK"] {
        let mut command = command(&["compile", "--arch", "sm_90", "-o", &out, &file]);
        command.env("RADDLE_LLVM", &library).env(variable, "");
        let ran = finish(command);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{variable}");
    }
    let llvm = library.display().to_string();
    let mut command =
        command(&["compile", "--arch", "sm_90", "-v", "--lto-partitions", "4", "--llvm", &llvm, "-o", &out, &file]);
    command.env("LIBNVVM_DISABLE_CONCURRENT_API", "1");
    let ran = finish(command);
    let said = "LLVM IR, concurrent: no, the program is one part: LIBNVVM_DISABLE_CONCURRENT_API\n";
    assert!(ran.code == Some(0) && ran.stderr.contains(said), "{}", ran.stderr);
    assert!(ran.stderr.contains("has no effect: LIBNVVM_DISABLE_CONCURRENT_API does not split"), "{}", ran.stderr);
}

#[test]
fn small_forms_of_ir_are_read() {
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let out = bench.path("out.cubin");
        let bare = kernel("  ret void", "").replace("nvptx64-nvidia-cuda", "nvptx64");
        for (name, text) in [("comments.ll", "; nothing\n\n  ; at all\n"), ("bare.ll", &bare)] {
            let (file, llvm) = (bench.file(name, text), library.display().to_string());
            for command in ["compile", "link"] {
                let ran = raddle(&[command, "--llvm", &llvm, "--arch", "sm_90", "-o", &out, &file]);
                assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "LLVM {major} {command} {name}");
            }
        }
    }
}

#[test]
fn an_error_in_ptx_of_a_function_is_told_once() {
    let text = format!(
        "{HEAD}define i32 @f() noinline {{\n  %x = call i32 asm sideeffect \"frobnicate.b32 $0, 7;\", \"=r\"()\n  ret i32 %x\n}}\n\
         define i32 @h(i32 %x) noinline {{\n  %y = add i32 %x, 3\n  ret i32 %y\n}}\n\
         define ptx_kernel void @k(ptr addrspace(1) %p) {{\n  %x = call i32 @f()\n  %y = call i32 @h(i32 %x)\n  \
         store i32 %y, ptr addrspace(1) %p\n  ret void\n}}\n"
    );
    for &major in llvm::VERSIONS {
        let Some(library) = llvm::require(major) else { continue };
        let bench = Bench::new();
        let (file, out) = (bench.file("a.ll", &text), bench.path("out.cubin"));
        for mode in [&[][..], &["-c"], &["-c", "--lto-partitions=9"], &["-c", "--lto=off"], &["-c", "--lto=thin"]] {
            let ran = compile(&library, &[&file], &out, mode);
            assert_eq!(ran.code, Some(1), "LLVM {major} {mode:?}: {}", ran.stderr);
            assert_eq!(ran.stderr.matches("error[E0120]").count(), 1, "LLVM {major} {mode:?}: {}", ran.stderr);
            assert!(
                ran.stderr.contains("1 error;") && ran.stderr.contains("a.ll', line 3, function f"),
                "{}",
                ran.stderr
            );
        }
    }
}
