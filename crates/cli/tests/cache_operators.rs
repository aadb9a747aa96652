//! `--def-load-cache` and the related options: they change the same accesses as ptxas, in the same
//! way.

use crate::common::{Bench, raddle};
use raddle_cubin::Cubin;
use raddle_filetest::oracle;
use std::collections::BTreeSet;
use std::fs;

/// Accesses of all kinds, each at a different offset.
fn module(arch: &str) -> String {
    let loads = [
        "global",
        "global.ca",
        "global.cg",
        "global.cs",
        "global.lu",
        "global.cv",
        "weak.global",
        "global.L1::evict_last",
        "global.L1::no_allocate",
        "global.nc",
        "global.nc.L1::evict_last",
        "volatile.global",
        "relaxed.sys.global",
        "",
        "cg",
    ];
    let stores = [
        "global",
        "global.wb",
        "global.cg",
        "global.cs",
        "global.wt",
        "weak.global",
        "global.L1::evict_last",
        "volatile.global",
        "release.gpu.global",
        "",
        "cs",
    ];
    let dot = |kind: &str| if kind.is_empty() { String::new() } else { format!(".{kind}") };
    let mut body = String::from("ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nmov.u32 %r0, 0;\n");
    for (n, kind) in loads.iter().enumerate() {
        body += &format!("ld{}.u32 %r1, [%rd1+{}];\nadd.u32 %r0, %r0, %r1;\n", dot(kind), 64 * n);
    }
    body += "ld.shared.u32 %r1, [s];\nadd.u32 %r0, %r0, %r1;\nst.shared.u32 [s], %r0;\n";
    for (n, kind) in stores.iter().enumerate() {
        body += &format!("st{}.u32 [%rd2+{}], %r0;\n", dot(kind), 64 * n);
    }
    format!(
        ".version 8.0\n.target {arch}\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{{\n\
         .reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n.shared .align 4 .b8 s[64];\n{body}ret;\n}}\n"
    )
}

/// The loads and stores of a cubin: offset of the address, and mnemonic.
fn accesses(cubin: &str) -> BTreeSet<(String, String)> {
    let ran = raddle(&["disasm", cubin]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = String::from_utf8(ran.stdout).unwrap();
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let word = line
            .split_whitespace()
            .find(|word| ["LDG.", "LD.", "STG.", "ST.", "LDS", "STS"].iter().any(|m| word.starts_with(m)));
        let Some(mnemonic) = word else { continue };
        let offset = line.rsplit_once("+0x").map_or("0", |(_, rest)| rest.split(']').next().unwrap_or(""));
        found.insert((offset.to_owned(), mnemonic.to_owned()));
    }
    found
}

fn ours(bench: &Bench, source: &str, options: &[&str]) -> BTreeSet<(String, String)> {
    let cubin = bench.path("ours.cubin");
    let ran = raddle(&[&["compile", source, "-o", &cubin][..], options].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{options:?}");
    accesses(&cubin)
}

#[test]
fn every_option_changes_what_it_changes_for_ptxas() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let bench = Bench::new();
    for arch in ["sm_80", "sm_90"] {
        let source = bench.file("k.ptx", module(arch));
        let plain = ours(&bench, &source, &[]);
        assert!(plain.len() >= 28, "{plain:?}");
        let mut all = vec![String::new()];
        for (access, operators) in [("load", &["ca", "cg", "cs", "lu", "cv"][..]), ("store", &["wb", "cg", "cs", "wt"])]
        {
            all.extend(
                operators.iter().flat_map(|op| ["def", "force"].map(|how| format!("--{how}-{access}-cache={op}"))),
            );
        }
        for option in &all {
            let given: Vec<&str> = [option.as_str()].into_iter().filter(|option| !option.is_empty()).collect();
            let mine = ours(&bench, &source, &given);
            assert!(option.is_empty() || mine != plain, "{arch} {option} changes nothing");
            let theirs = bench.path("theirs.cubin");
            let mut args = vec![format!("-arch={arch}"), "-o".into(), theirs.clone(), source.clone()];
            args.extend(given.iter().map(|option| (*option).to_owned()));
            ptxas.run(&args).unwrap();
            assert_eq!(mine, accesses(&theirs), "{arch} {option}");
        }
    }
}

/// Two kernels and a function that stays a function, which load at 128, 256 and 64 bytes.
const FUNCTIONS: &str = ".version 8.0
.target sm_80
.address_size 64
.func (.param .b32 r) f(.param .b64 p, .param .b32 n)
{
.reg .b64 %p; .reg .b32 %n, %v, %w; .reg .pred %q;
ld.param.b64 %p, [p]; ld.param.b32 %n, [n]; ld.global.u32 %v, [%p+64];
setp.eq.u32 %q, %n, 0; @%q bra DONE; sub.u32 %n, %n, 1;
{ .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %p; st.param.b32 [b], %n;
call.uni (c), f, (a, b); ld.param.b32 %w, [c]; }
add.u32 %v, %v, %w;
DONE: st.param.b32 [r], %v; ret;
}
.visible .entry k(.param .u64 p)
{
.reg .b64 %p; .reg .b32 %v, %w;
ld.param.u64 %p, [p]; ld.global.u32 %v, [%p+128];
{ .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %p; st.param.b32 [b], %v;
call.uni (c), f, (a, b); ld.param.b32 %w, [c]; }
add.u32 %v, %v, %w; st.global.u32 [%p], %v; ret;
}
.visible .entry other(.param .u64 p)
{
.reg .b64 %p; .reg .b32 %v;
ld.param.u64 %p, [p]; ld.global.u32 %v, [%p+256]; st.global.u32 [%p], %v; ret;
}
";

#[test]
fn every_function_follows_the_rule() {
    let bench = Bench::new();
    let source = bench.file("k.ptx", FUNCTIONS);
    for (option, mnemonic) in
        [("--def-load-cache=cg", "LDG.E.STRONG.GPU"), ("--force-load-cache=cv", "LDG.E.STRONG.SYS")]
    {
        let found = ours(&bench, &source, &["-w", option]);
        let loads: BTreeSet<_> = found.into_iter().filter(|(_, m)| m.starts_with("LDG")).collect();
        let want = ["40", "80", "100"].map(|offset| (offset.to_owned(), mnemonic.to_owned()));
        assert_eq!(loads, BTreeSet::from(want), "{option}");
    }
}

/// Kernels passed to ptxas are assembled under the same rules.
#[test]
fn the_fallback_is_given_the_rules() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let bench = Bench::new();
    // There is no code generation here for this architecture.
    let source = bench.file("k.ptx", module("sm_75"));
    let rules = ["--force-load-cache=cg", "--def-store-cache=cs"];
    let fallback = format!("--fallback=ptxas:{}", ptxas.path().display());
    let assembled = |rules: &[&str]| {
        let (ours, theirs) = (bench.path("ours.cubin"), bench.path("theirs.cubin"));
        let ran = raddle(&[&["compile", &source, "-o", &ours, &fallback][..], rules].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let args = [&["-arch=sm_75", "-o", &theirs, &source][..], rules].concat();
        ptxas.run(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>()).unwrap();
        let code = |path: &str| Cubin::parse(&fs::read(path).unwrap()).unwrap().kernel("k").unwrap().code.to_vec();
        (code(&ours), code(&theirs))
    };
    let (plain, ruled) = (assembled(&[]), assembled(&rules));
    assert!(plain.0 == plain.1 && ruled.0 == ruled.1 && plain.0 != ruled.0);
}

#[test]
fn a_default_beside_a_forced_operator_is_warned_about() {
    let bench = Bench::new();
    let source = bench.file("k.ptx", module("sm_90"));
    let cubin = bench.path("k.cubin");
    let args = ["compile", &source, "-o", &cubin, "--dlcm=cs", "--flcm=cg", "--dscm=wb", "--fscm=wt"];
    let ran = raddle(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for access in ["load", "store"] {
        assert!(
            ran.stderr.contains(&format!("--def-{access}-cache has no effect beside --force-{access}-cache")),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(accesses(&cubin), ours(&bench, &source, &["--force-load-cache=cg", "--force-store-cache=wt"]));
    let wrong = raddle(&["compile", &source, "-o", &cubin, "--dlcm=wt"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("ca, cg, cs, lu, cv"), "{}", wrong.stderr);
}
