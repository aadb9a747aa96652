//! The kinds of output of `raddle compile`, and the messages about contradictory and unsupported
//! modes (DRV-6, DRV-9).

use crate::common::{Bench, Ran, raddle};
use raddle_cubin::Cubin;
use raddle_cubin::model::{Kind, SymbolPlace};

const MODULE: &str = "\
.version 8.0
.target sm_90
.address_size 64
.visible .func (.param .b32 r) shown(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; mul.lo.u32 %r, %r, 7; st.param.b32 [r], %r; ret; }
.visible .entry k(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p];
 { .param .b32 a; .param .b32 r; st.param.b32 [a], 4; call (r), shown, (a); ld.param.b32 %r, [r]; } st.global.b32 [%d], %r; ret; }
";

/// A module with a call of an undefined function.
fn open() -> String {
    MODULE
        .replace(".visible .func", ".extern .func other(.param .b32 a);\n.visible .func")
        .replace("st.global.b32", "{ .param .b32 a; st.param.b32 [a], %r; call other, (a); } st.global.b32")
}

fn compiled(bench: &Bench, text: &str, options: &[&str]) -> (Ran, Option<Cubin>) {
    let (module, output) = (bench.file("m.ptx", text), bench.path("out"));
    let ran = raddle(&[&["compile", &module, "-o", &output], options].concat());
    let cubin = std::fs::read(&output).ok().map(|bytes| Cubin::parse(&bytes).unwrap());
    let _ = std::fs::remove_file(&output);
    (ran, cubin)
}

/// The functions that have code under their own names, and whether each is global.
fn functions(cubin: &Cubin) -> Vec<&str> {
    let mut names: Vec<&str> = cubin.functions().iter().map(|f| f.name).collect();
    names.sort_unstable();
    names
}

fn is_undefined(cubin: &Cubin, name: &str) -> bool {
    cubin.symbols.iter().any(|s| s.name == name && s.place == SymbolPlace::Undefined)
}

#[test]
fn each_mode_makes_what_the_table_says() {
    let bench = Bench::new();
    let rows: [(&[&str], Kind, &[&str], &str); 6] = [
        (&[], Kind::Executable, &["k"], ""),
        (&["-c"], Kind::Relocatable, &["k", "shown"], ""),
        (&["--ewp"], Kind::Relocatable, &["k"], ""),
        (&["-c", "--ewp"], Kind::Relocatable, &["k", "shown"], "warning[E0019]"),
        (&["-g", "-c"], Kind::Relocatable, &["k", "shown"], ""),
        (&["-g"], Kind::Executable, &["k", "shown"], "info[E0082]"),
    ];
    for (options, kind, names, says) in rows {
        let (ran, cubin) = compiled(&bench, MODULE, options);
        assert_eq!(ran.code, Some(0), "{options:?}: {}", ran.stderr);
        let cubin = cubin.unwrap();
        assert_eq!((cubin.header.kind, functions(&cubin)), (kind, names.to_vec()), "{options:?}");
        assert!(ran.stderr.contains(says), "{options:?}: {}", ran.stderr);
        let contradictions = ran.stderr.matches("contradict").count() + ran.stderr.matches("E0082").count();
        assert_eq!(contradictions > 0, !says.is_empty(), "{options:?}: {}", ran.stderr);
    }
    // Undefined symbols: allowed in objects, not in programs.
    for (options, code) in [(&["-c"][..], 0), (&["--ewp"], 0), (&[], 3), (&["-g"], 3)] {
        let (ran, cubin) = compiled(&bench, &open(), options);
        assert_eq!(ran.code, Some(code), "{options:?}: {}", ran.stderr);
        assert_eq!(cubin.is_some_and(|cubin| is_undefined(&cubin, "other")), code == 0, "{options:?}");
    }
}

#[test]
fn debugging_is_without_optimisation() {
    let bench = Bench::new();
    let size = |options: &[&str]| {
        let (ran, cubin) =
            compiled(&bench, &MODULE.replace("mul.lo.u32 %r, %r, 7;", &"mul.lo.u32 %r, %r, 7; ".repeat(20)), options);
        assert_eq!(ran.code, Some(0), "{options:?}: {}", ran.stderr);
        cubin.unwrap().functions().iter().find(|f| f.name == "k").unwrap().code.len()
    };
    assert_eq!(size(&["-g"]), size(&["-g", "-O0"]));
    assert!(size(&["-g"]) > size(&["-O3"]));
    let (ran, cubin) = compiled(&bench, MODULE, &["-g", "-O3"]);
    assert!(
        ran.code == Some(2) && cubin.is_none() && ran.stderr.contains("-g needs code without optimisation"),
        "{}",
        ran.stderr
    );
}

#[test]
fn modes_that_there_are_not_are_refused_with_the_reason() {
    let bench = Bench::new();
    let rows: [(&[&str], &str); 4] = [
        (&["--compile-as-tools-patch"], "tools patch into running kernels"),
        (&["--assyscall"], "only the driver provides"),
        (&["--abi=no"], "the platform's convention"),
        (&["--position-independent-code=true", "-c"], "the loader places code"),
    ];
    for (options, why) in rows {
        let (ran, cubin) = compiled(&bench, MODULE, options);
        assert!(ran.code == Some(3) && cubin.is_none(), "{options:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("E0081") && ran.stderr.contains(why), "{options:?}: {}", ran.stderr);
    }
    for options in [&["--abi=yes"][..], &["--pic=false"]] {
        let (ran, _) = compiled(&bench, MODULE, options);
        assert!(ran.code == Some(0) && ran.stderr.is_empty(), "{options:?}: {}", ran.stderr);
    }
    let (ran, cubin) = compiled(&bench, MODULE, &["--legacy-bar-warp-wide-behavior"]);
    assert!(ran.code == Some(0) && cubin.is_some() && ran.stderr.contains("below sm_70"), "{}", ran.stderr);
    // There is no code generation for those.
    let old =
        MODULE.replace("8.0", "6.0").replace("sm_90", "sm_60").replace("st.global", "bar.warp.sync -1; st.global");
    let (ran, _) = compiled(&bench, &old, &["--arch", "sm_60"]);
    assert!(ran.code == Some(3) && ran.stderr.contains("E0023"), "{}", ran.stderr);
}

/// A kernel that writes word 15 of `s` and reads it.
fn kernel(name: &str, shared: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n{shared}\n.visible .entry {name}(.param .u64 p) {{ .reg .b64 %d; .reg .b32 %r; \
         ld.param.u64 %d, [p]; mov.u32 %r, 9; st.shared.u32 [s+60], %r; ld.shared.u32 %r, [s+60]; st.global.b32 [%d], %r; ret; }}\n"
    )
}

#[test]
fn external_variables_in_shared_memory_have_the_memory_that_they_declare() {
    let bench = Bench::new();
    let sized = bench.file("sized.ptx", kernel("a", ".extern .shared .align 4 .b8 s[64];"));
    let dynamic = bench.file("dynamic.ptx", kernel("b", ".extern .shared .align 4 .b8 s[];"));
    let defined = bench.file("defined.ptx", kernel("c", ".visible .shared .align 4 .b8 s[64];"));
    // Modules, kernels that run without dynamic shared memory, and the number of messages that the
    // variable is undefined.
    let rows: [(&[&str], &[&str], usize); 4] = [
        (&[&sized], &["a"], 1),
        (&[&defined, &sized], &["c", "a"], 0),
        (&[&defined, &dynamic], &["c", "b"], 0),
        (&[&dynamic, &sized, &defined], &["a", "b", "c"], 0),
    ];
    for (modules, kernels, told) in rows {
        let output = bench.path("out.cubin");
        let ran = raddle(&[&["compile", "-o", &output], modules].concat());
        assert_eq!((ran.code, ran.stderr.matches("E0083").count()), (Some(0), told), "{modules:?}: {}", ran.stderr);
        for name in kernels {
            let out = bench.path("bytes");
            let arg = format!("out:{out}:4");
            let ran = raddle(&["run", &output, "--kernel", name, "--grid", "1", "--block", "1", "--arg", &arg]);
            assert_eq!(ran.code, Some(0), "{modules:?} {name}: {}", ran.stderr);
            assert_eq!(std::fs::read(&out).unwrap(), [9, 0, 0, 0]);
        }
    }
    let ran = raddle(&["compile", &dynamic, "-o", "/dev/null"]);
    assert!(ran.code == Some(0) && ran.stderr.is_empty(), "memory from the launch: {}", ran.stderr);
}
