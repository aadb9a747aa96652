//! Every option in `ptxas --help`, by both of its names: accepted with the same meaning, reported
//! to have no effect, or refused with a reason (DRV-9). The list is stored in the tree; if there is
//! a ptxas, its help must agree.

use crate::common::{Bench, EMPTY_KERNEL, raddle};
use raddle_filetest::oracle;

/// The names after two dashes and after one, a value, the exit code of `raddle compile` with it,
/// and its message, which may be empty.
const ROWS: &str = include_str!("ptxas_options.txt");

struct Row {
    long: &'static str,
    short: &'static str,
    value: Option<&'static str>,
    code: i32,
    says: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = ROWS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.splitn(5, ' ').map(str::trim);
            let mut next = || words.next().unwrap_or("");
            let (long, short, value, code, says) = (next(), next(), next(), next(), next());
            Row { long, short, value: Some(value).filter(|value| *value != "."), code: code.parse().unwrap(), says }
        })
        .collect()
}

#[test]
fn each_option_does_what_the_list_says_by_both_names() {
    let bench = Bench::new();
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    let out = bench.path("out.cubin");
    for row in rows() {
        for name in [format!("--{}", row.long), format!("-{}", row.short)] {
            let spelled = match row.value {
                None => vec![vec![name.clone()]],
                // ptxas does not accept a level after a blank.
                Some(value) if name == "-O" => vec![vec![format!("-O{value}")]],
                Some(value) => vec![vec![format!("{name}={value}")], vec![name.clone(), value.replace("OUT", &out)]],
            };
            for words in spelled {
                let words: Vec<String> = words.into_iter().map(|word| word.replace("OUT", &out)).collect();
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let output = if row.long == "output-file" { vec![] } else { vec!["-o", &out] };
                let ran = raddle(&[&["compile", &module], &output[..], &words].concat());
                assert_eq!(ran.code, Some(row.code), "{words:?}: {}", ran.stderr);
                let silent = row.says.is_empty() && !["help", "version", "verbose"].contains(&row.long);
                assert!(!silent || ran.stderr.is_empty(), "{words:?}: {}", ran.stderr);
                assert!(ran.stderr.contains(row.says), "{words:?}: {}", ran.stderr);
                let makes = row.code == 0 && !["help", "version"].contains(&row.long);
                assert_eq!(std::fs::remove_file(&out).is_ok(), makes, "{words:?}");
            }
        }
    }
}

#[test]
fn the_list_is_that_of_the_help_of_ptxas() {
    let Some(ptxas) = oracle::require("ptxas") else { return };
    let help = String::from_utf8(ptxas.run(&["--help"]).unwrap()).unwrap();
    // `--name <value>      (-short)`
    let listed = help.lines().filter(|line| line.starts_with("--"));
    let listed = listed.map(|line| {
        let long = line[2..].split_whitespace().next().unwrap();
        let short = line.rsplit_once("(-").unwrap().1.split_once(')').unwrap().0;
        (long.to_owned(), short.to_owned())
    });
    let mut listed: Vec<(String, String)> = listed.collect();
    let mut known: Vec<(String, String)> = rows().iter().map(|row| (row.long.into(), row.short.into())).collect();
    listed.sort();
    known.sort();
    known.dedup();
    assert!(listed.len() > 50 && known == listed, "{known:?}\n{listed:?}");
}

const DOUBLES: &str = "\
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b64 %p; .reg .f64 %d; .reg .b32 %r; .reg .b64 %q;
    .local .b32 x[30];
    ld.param.u64 %p, [p]; ld.global.f64 %d, [%p]; add.f64 %d, %d, %d; st.global.f64 [%p], %d;
    ld.global.b32 %r, [%p+8]; mul.wide.u32 %q, %r, 4; mov.u64 %p, x; add.u64 %q, %q, %p;
    st.local.b32 [%q], %r; ld.local.b32 %r, [x+4]; ld.param.u64 %p, [p]; st.global.b32 [%p+8], %r;
    ret;
}
";

#[test]
fn what_is_asked_to_be_told_is_told() {
    let bench = Bench::new();
    let module = bench.file("k.ptx", DOUBLES);
    let cache = bench.path("cache");
    let build = |options: &[&str]| {
        let ran = raddle(&[&["compile", &module, "-o", "/dev/null", "--cache", &cache], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stderr
    };
    assert_eq!(build(&[]), "");
    // The second time nothing is compiled.
    for _ in 0..2 {
        let said = build(&["-warn-lmem-usage", "-warn-double-usage", "-warn-spills"]);
        assert_eq!(said.matches("warning[E0087]").count(), 2, "{said}");
        assert!(said.contains("'k' uses double precision: 3 instructions"), "{said}");
        assert!(said.contains("local memory is used in 'k': a stack frame of 128 bytes"), "{said}");
    }
    let spills = bench.file("s.ptx", spilling());
    let ran = raddle(&["compile", &spills, "-o", "/dev/null", "--maxrregcount=16", "--warn-on-spills"]);
    assert!(ran.code == Some(0) && ran.stderr.contains("registers are spilled in 'k': "), "{}", ran.stderr);
}

/// A kernel with forty live values.
fn spilling() -> String {
    let lines = |line: &dyn Fn(usize) -> String| (0..40).map(line).collect::<Vec<_>>().concat();
    let loads = lines(&|i| format!("    ld.volatile.global.u32 %r{i}, [%p+{}];\n", 4 * i));
    let stores = lines(&|i| format!("    st.volatile.global.u32 [%p+{}], %r{};\n", 4 * i, 39 - i));
    let head = EMPTY_KERNEL
        .replace("k()", "k(.param .u64 p)")
        .replace("    ret;", "    .reg .b64 %p; .reg .b32 %r<40>;\n    BODY\n    ret;");
    head.replace("BODY", &format!("ld.param.u64 %p, [p];\n{loads}{stores}"))
}

#[test]
fn a_warning_of_the_stack_can_be_switched_off_alone() {
    let beside = crate::common::corpus().join("calls/beside.ptx").to_str().unwrap().to_string();
    let compile = |option: &[&str]| raddle(&[&["compile", &beside, "-o", "/dev/null"], option].concat());
    assert!(compile(&[]).stderr.contains("warning[E0068]"));
    let quiet = compile(&["-suppress-stack-size-warning"]);
    assert_eq!((quiet.code, &quiet.stderr[..]), (Some(0), ""));
}

#[test]
fn a_faster_compilation_is_one_without_optimisation() {
    let bench = Bench::new();
    let saxpy = crate::common::kernel("saxpy");
    let code = |options: &[&str]| {
        let ran = raddle(&[&["compile", &saxpy, "-o", "-"], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    assert!(code(&["--fast-compile"]) == code(&["-O0"]) && code(&["-Ofc=mid"]) == code(&["-O1"]));
    assert!(code(&["-Ofc", "0"]) == code(&["-O3"]) && code(&["-O0"]) != code(&["-O3"]));
    // For an unsupported option nothing else is reported.
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    let ran = raddle(&["compile", &module, "-o", "/dev/null", "--fast-compile", "--abi=no"]);
    assert!(ran.code == Some(3) && ran.stderr.matches("E00").count() == 1, "{}", ran.stderr);
    let ran = raddle(&["compile", &module, "-o", "/dev/null", "--fast-compile", "-O3"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--Ofast-compile selects -O0"), "{}", ran.stderr);
}

/// Only ptxas uses the options for tcgen05: it gets them with modules for architectures without
/// code generation here.
#[test]
fn options_of_tensor_memory_reach_the_fallback() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let module = bench.file("k.ptx", EMPTY_KERNEL);
    let told = bench.path("told");
    let tool = bench.file("ptxas", format!("#!/bin/sh\necho \"$@\" > '{told}'\nexit 1\n"));
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let fallback = format!("--fallback=ptxas:{tool}");
    for (given, passed) in [
        ("--g-tensor-memory-access-check", "--g-tensor-memory-access-check"),
        ("-gno-tmem-access-check", "--gno-tensor-memory-access-check"),
    ] {
        let ran = raddle(&["compile", &module, "-o", "/dev/null", "--arch", "sm_100a", &fallback, given]);
        assert!(ran.code == Some(3) && !ran.stderr.contains("E0086"), "{}", ran.stderr);
        let arguments = std::fs::read_to_string(&told).unwrap();
        assert!(arguments.split_whitespace().any(|word| word == passed), "{arguments}");
        let ran = raddle(&["compile", &module, "-o", "/dev/null", "--arch", "sm_90", given]);
        assert!(ran.code == Some(0) && ran.stderr.contains("info[E0086]"), "{}", ran.stderr);
    }
}
