//! Words at the end of a build and in its tables: numbers of errors, kernels and functions, and what
//! an error is about.

use crate::common::{Bench, EMPTY_KERNEL, command, finish, raddle};
use std::path::Path;

/// An object of the corpus whose header names another architecture.
fn object(bench: &Bench, sm: u8) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/link/calls/sm_90/a.cubin");
    let mut bytes = std::fs::read(path).unwrap();
    bytes[49] = sm;
    bench.file(&format!("sm{sm}.o"), &bytes)
}

/// A kernel that calls a recursive function.
const KERNEL: &str = ".visible .entry NAME(.param .u64 p) { .reg .b32 %r; .reg .u64 %d; ld.param.u64 %d, [p];\n\
    { .param .b32 x; .param .b32 y; st.param.b32 [x], 5; call.uni (y), r, (x); ld.param.b32 %r, [y]; } st.global.u32 [%d], %r; ret; }\n";

/// Two kernels and a recursive function.
fn recursive() -> String {
    let kernels = ["k1", "k2"].map(|name| KERNEL.replace("NAME", name)).concat();
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .func (.param .b32 o) r(.param .b32 a) {{ .reg .b32 %r<5>; .reg .pred %p; ld.param.b32 %r1, [a]; setp.lt.s32 %p, %r1, 1;\n\
         @%p bra E; sub.s32 %r2, %r1, 1;\n\
         {{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call.uni (y), r, (x); ld.param.b32 %r3, [y]; }} add.s32 %r1, %r3, %r1;\n\
         E: st.param.b32 [o], %r1; ret; }}\n{kernels}"
    )
}

#[test]
fn an_object_for_another_architecture_is_held_against_the_link() {
    let bench = Bench::new();
    let [old, new] = [75, 100].map(|sm| object(&bench, sm));
    for (input, found) in [(&old, "sm_75"), (&new, "sm_100")] {
        let ran = raddle(&["link", input, "--arch", "sm_90", "-o", "/dev/null"]);
        let text = format!("fatal[E0062]: '{input}' is for {found}, the link is for sm_90\n");
        assert!(ran.code == Some(1) && ran.stderr.starts_with(&text), "{}", ran.stderr);
        assert!(ran.stderr.ends_with("\n1 error; nothing was written (exit code 1)\n"), "{}", ran.stderr);
    }
    let ran = raddle(&["link", &old, &new, "--arch", "sm_90", "--keep", "k", "-o", "/dev/null"]);
    assert!(ran.stderr.ends_with("\n2 errors, 1 warning; nothing was written (exit code 1)\n"), "{}", ran.stderr);
}

#[test]
fn a_jobserver_that_is_required_and_gone_has_a_remedy_that_fits() {
    let bench = Bench::new();
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    let missing = format!("-j2 --jobserver-auth=fifo:{}", bench.path("fifo"));
    let other = format!("-j2 --jobserver-auth=fifo:{module}");
    for makeflags in [missing, other] {
        for (how, wanted) in [("require", "start the command from a recipe"), ("auto", "or use --jobserver=off")] {
            let mut build = command(&["compile", &module, "-o", "/dev/null", &format!("--jobserver={how}")]);
            build.env("MAKEFLAGS", &makeflags);
            let ran = finish(build);
            assert!(ran.stderr.contains("E0047") && ran.stderr.contains(wanted), "{how}: {}", ran.stderr);
            let required = how == "require";
            assert_eq!(ran.stderr.contains("--jobserver=off"), !required, "{}", ran.stderr);
            let end = if required { "\n1 error; nothing was written (exit code 2)\n" } else { "\n1 warning\n" };
            assert!(ran.stderr.ends_with(end), "{how}: {}", ran.stderr);
        }
    }
}

#[test]
fn tables_count_what_there_is() {
    let bench = Bench::new();
    let module = bench.file("r.ptx", recursive());
    let cache = bench.path("cache");
    let build = ["compile", &module, "--arch", "sm_90", "-v", "-j2", "-w", "-o", "/dev/null"];
    let ran = raddle(&[&build[..], &["--cache", &cache]].concat());
    assert!(ran.stderr.contains("cache: 0 of 3 kernels and functions found"), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 kernels and 1 function for sm_90 on"), "{}", ran.stderr);
    // Each unit has a copy of the function.
    let ran = raddle(&[&build[..], &["--split-compile-extended", "2"]].concat());
    assert!(ran.stderr.contains("2 kernels and 1 function for sm_90 on"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().filter(|line| line.ends_with("  r")).count(), 1, "{}", ran.stderr);
    let empty = bench.file("e.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .u32 g = 7;\n");
    let ran = raddle(&["compile", &empty, "-v", "-o", "/dev/null"]);
    assert!(ran.code == Some(0) && ran.stderr.starts_with("0 kernels for sm_90 on "), "{}", ran.stderr);
    assert!(ran.stderr.contains(" 0.0 ms of CPU") && !ran.stderr.contains("-0.0"), "{}", ran.stderr);
    let one = bench.file("k.ptx", EMPTY_KERNEL);
    let ran = raddle(&["compile", &one, "-v", "-j1", "-o", "/dev/null", "--cache", &cache]);
    assert!(ran.stderr.contains("\n1 kernel for ") && ran.stderr.contains(" on 1 worker: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("cache: 0 of 1 kernel found"), "{}", ran.stderr);
}

#[test]
fn a_run_names_the_place_of_an_error_in_a_function() {
    let bench = Bench::new();
    let call = "call f; ret;";
    let text = EMPTY_KERNEL.replace("ret;", call).replacen(
        ".visible .entry",
        ".func f() { .reg .b32 %r;\n mov.u32 %r, nobody; ret; }\n.visible .entry",
        1,
    );
    let module = bench.file("k.ptx", &text);
    let ran = raddle(&["run", &module]);
    let compiled = raddle(&["compile", &module, "-o", "/dev/null"]);
    assert_eq!((ran.code, compiled.code), (Some(1), Some(1)), "{}", ran.stderr);
    let first = |text: &str| text.split("\n\n").next().unwrap_or_default().to_owned();
    let place = ran.stderr.lines().find(|line| line.contains("--> ")).unwrap_or_default();
    assert!(place.contains("k.ptx:") && ran.stderr.contains("^^^^^^"), "{}", ran.stderr);
    assert!(first(&compiled.stderr).contains(place) && !ran.stderr.contains("`k`"), "{}", ran.stderr);
}

#[test]
fn numbers_of_arguments_have_their_plural() {
    let bench = Bench::new();
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    let ran = raddle(&["run", &module, "--arg", "u32:1"]);
    assert!(ran.stderr.contains("the kernel has 0 parameters, 1 argument is given"), "{}", ran.stderr);
    let one = bench.file("one.ptx", EMPTY_KERNEL.replace("()", "(.param .u32 p)"));
    let ran = raddle(&["run", &one, "--arg", "u32:1", "--arg", "u32:2"]);
    assert!(ran.stderr.contains("the kernel has 1 parameter, 2 arguments are given"), "{}", ran.stderr);
}

#[test]
fn lanes_that_starve_are_told_in_groups() {
    let bench = Bench::new();
    let body = ".reg .pred %p; .reg .b32 %t, %r; mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 16;\n\
                @%p shfl.sync.bfly.b32 %r, %t, 1, 31, -1;\n@!%p bar.warp.sync -1; ret;";
    let module = bench.file("k.ptx", EMPTY_KERNEL.replace("ret;", body));
    let ran = raddle(&["run", &module, "--block", "32"]);
    let text = &ran.stderr;
    assert!(text.contains("deadlock: lanes 0x0000ffff of warp 0 wait for lanes 0xffff0000 at "), "{text}");
    assert!(text.contains("31, -1; lanes 0xffff0000 of warp 0 wait for lanes 0x0000ffff at "), "{text}");
    assert!(!text.contains(";;"), "{text}");
}

#[test]
fn both_machines_warn_of_an_atomic_on_memory_that_nothing_was_written_to() {
    let bench = Bench::new();
    let body = ".shared .align 4 .b32 s; .reg .b32 %r; atom.shared.add.u32 %r, [s], 1; red.shared.add.u32 [s], 1; ret;";
    let module = bench.file("k.ptx", EMPTY_KERNEL.replace("ret;", body));
    let cubin = bench.path("k.cubin");
    assert_eq!(raddle(&["compile", &module, "-o", &cubin]).code, Some(0));
    for file in [&module, &cubin] {
        let ran = raddle(&["run", file]);
        let warning = "warning: an atomic operation computes with memory that nothing was written to at ";
        assert!(ran.code == Some(0) && ran.stderr.contains(warning), "{file}: {}", ran.stderr);
    }
}

#[test]
fn block_scaled_products_are_refused_with_the_reason() {
    let bench = Bench::new();
    let body = ".reg .b32 %r<9>; .reg .f32 %f<5>;\n\
        mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 \
        {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}, %r7, {0, 1}, %r8, {2, 3}; ret;";
    let text = EMPTY_KERNEL.replace("ret;", body).replace("8.0", "9.0");
    let text: String = text
        .lines()
        .map(|line| if line.starts_with(".target") { ".target sm_120a\n".to_owned() } else { format!("{line}\n") })
        .collect();
    let module = bench.file("k.ptx", text);
    let ran = raddle(&["check", &module, "--arch", "sm_120a"]);
    assert!(ran.stderr.contains("^ products with block scales, which sm_120a and later have"), "{}", ran.stderr);
}
