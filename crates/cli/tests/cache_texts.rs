//! `--cache` before anything is read: the outcome of a build by its texts, and the keys of kernels by
//! theirs. Whatever was built before, a build gives what it gives without a cache.

use crate::cache::entries;
use crate::common::{Bench, Ran, command, corpus, finish};
use serde_json::Value;
use std::path::PathBuf;

/// Kernels that call a function, read variables, and do neither; one is warned of.
const MODULE: &str = "\
.version 8.0
.target sm_80
.address_size 64
.file 1 \"k.cu\"
.global .align 4 .u32 table[2] = {1, 2};
.const .align 4 .u32 scale = 3;
.func (.reg .u32 %r) twice(.reg .u32 %a) { add.u32 %r, %a, %a; ret; }
.visible .entry calls(.param .u64 p)
{
	.reg .b64 %rd<2>; .reg .b32 %r<3>;
	ld.param.u64 %rd1, [p];
	ld.u32 %r1, [%rd1];
	.loc 1 7 1
	call (%r2), twice, (%r1);
	st.u32 [%rd1], %r2;
	ret;
}
.visible .entry reads(.param .u64 p)
{
	.reg .b64 %rd<2>; .reg .b32 %r<4>;
	ld.param.u64 %rd1, [p];
	ld.global.u32 %r1, [table+4];
	ld.const.u32 %r2, [scale];
	mul.lo.u32 %r3, %r1, %r2;
	st.u32 [%rd1], %r3;
	ret;
}
.visible .entry warned(.param .u64 p) .maxntid 1024 .minnctapersm 9
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [p];
	st.u32 [%rd1], 5;
	ret;
}
.visible .entry plain() { ret; }
";

/// Runs the command. Where a fault is injected, nothing is found by its text.
fn raddle(args: &[&str]) -> Ran {
    let mut command = command(args);
    command.env_remove("RADDLE_FAULT");
    finish(command)
}

/// Numbers that JSON says of a cache.
#[derive(Debug, Default, PartialEq, Eq)]
struct Used {
    outcomes: u64,
    known: u64,
    hits: u64,
    misses: u64,
}

/// The output of a build and what it says, but for what it says of the cache.
type Said = (Vec<u8>, Vec<String>);

/// Builds with more arguments.
fn build(files: &[&str], more: &[&str]) -> (Said, Used) {
    let args = [&["compile", "-o", "-", "--message-format", "json"], files, more].concat();
    let ran = raddle(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let (mut said, mut used) = (Vec::new(), Used::default());
    for line in ran.stderr.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| value[name].as_u64().unwrap();
        match value["kind"] == "cache" {
            true => {
                let (outcomes, known) = (number("outcomes"), number("known"));
                used = Used { outcomes, known, hits: number("hits"), misses: number("misses") };
            }
            false => said.push(line.to_owned()),
        }
    }
    ((ran.stdout, said), used)
}

/// Builds with a cache; the outcome is that without one.
fn cached(folder: &str, files: &[&str], more: &[&str]) -> Used {
    let (said, used) = build(files, &[&["--cache", folder], more].concat());
    assert!(said == build(files, more).0, "{files:?} {more:?}: {:?}", said.1);
    used
}

const UNCHANGED: Used = Used { outcomes: 1, known: 0, hits: 0, misses: 0 };

/// The same build twice: the second takes the outcome of the first, for which `first` was used.
fn twice(folder: &str, files: &[&str], more: &[&str], first: &Used) {
    assert_eq!(cached(folder, files, more), *first, "{files:?} {more:?}");
    assert_eq!(cached(folder, files, more), UNCHANGED, "{files:?} {more:?}");
}

/// Builds without the outcome of an earlier build: the keys that are kept are those of this text again.
fn read_again(folder: &str, file: &str) {
    let (said, used) = build(&[file], &["--cache", folder, "--explain"]);
    assert!(said.0 == build(&[file], &[]).0.0);
    assert_eq!((used.outcomes, used.misses), (0, 0));
}

fn used(known: u64, hits: u64, misses: u64) -> Used {
    Used { outcomes: 0, known, hits, misses }
}

#[test]
fn a_build_in_which_nothing_changed_is_found_as_a_whole() {
    let bench = Bench::new();
    let (folder, module) = (bench.path("cache"), bench.file("m.ptx", MODULE));
    twice(&folder, &[&module], &[], &used(0, 0, 4));
    assert!(build(&[&module], &[]).0.1.iter().any(|line| line.contains("E0084")), "there is a warning to repeat");
    // What is told of kernels or of the build is not kept.
    for more in [&["-v"][..], &["--explain"], &["--timings", "/dev/null"], &["--report", "/dev/null"]] {
        let all = ["compile", &module, "-o", "/dev/null", "--cache", &folder, "--message-format", "json"];
        let ran = raddle(&[&all, more].concat());
        assert!(ran.code == Some(0) && ran.stderr.contains("\"outcomes\":0"), "{more:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("\"known\":4"), "{more:?}: {}", ran.stderr);
    }
    // The place of a file is part of its messages, and so is the name.
    let other = bench.file("other.ptx", MODULE);
    twice(&folder, &[&other], &[], &used(4, 4, 0));
}

#[test]
fn options_are_part_of_what_is_found() {
    let bench = Bench::new();
    let (folder, module) = (bench.path("cache"), bench.file("m.ptx", MODULE));
    twice(&folder, &[&module], &[], &used(0, 0, 4));
    for more in [&["-O0"][..], &["--arch", "sm_90"], &["--maxrregcount", "32"], &["--fmad", "false"]] {
        twice(&folder, &[&module], more, &used(0, 0, 4));
    }
    twice(&folder, &[&module], &["-c"], &used(0, 0, 4));
    // Options that change what is said, not the code, and fewer kernels.
    for (more, kernels) in [(&["-w"][..], 4), (&["--warn-on-spills"], 4), (&["-e", "reads"], 1), (&["-e", "plain"], 1)]
    {
        twice(&folder, &[&module], more, &used(0, kernels, 0));
    }
    let warned = build(&[&module], &["--cache", &folder]);
    assert!(warned.0.1.iter().any(|line| line.contains("E0084")) && warned.1 == UNCHANGED);
    // Warnings are errors: nothing is written, whatever is known.
    let ran = raddle(&["compile", &module, "-o", "-", "--cache", &folder, "--Werror"]);
    assert!(ran.code == Some(1) && ran.stdout.is_empty(), "{}", ran.stderr);
    twice(&folder, &[&module], &["-j", "1", "--kernel-steps", "100000000"], &used(4, 4, 0));
}

/// Each edit with the numbers of kernels whose keys are known by their texts, of found and of compiled
/// kernels.
#[test]
fn edits_are_seen() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    twice(&folder, &[&bench.file("m.ptx", MODULE)], &[], &used(0, 0, 4));
    for (what, from, to, first) in [
        ("a kernel", "st.u32 [%rd1], 5;", "st.u32 [%rd1], 6;", used(3, 3, 1)),
        ("blanks in a kernel", "st.u32 [%rd1], 5;", "st.u32  [%rd1], 5 ;", used(3, 4, 0)),
        ("a bound", ".maxntid 1024", ".maxntid 512", used(3, 3, 1)),
        ("an empty line before all", ".version", "\n.version", used(0, 4, 0)),
        ("a variable", "{1, 2}", "{1, 7}", used(0, 3, 1)),
        ("a constant", "scale = 3", "scale = 4", used(0, 3, 1)),
        ("a function", "add.u32 %r, %a, %a;", "mad.lo.u32 %r, %a, %a, 1;", used(0, 3, 1)),
        ("the version", ".version 8.0", ".version 8.1", used(0, 0, 4)),
        ("a line number", ".loc 1 7", ".loc 1 8", used(3, 3, 1)),
        (
            "a kernel more",
            ".visible .entry plain",
            ".visible .entry more() { ret; }\n.visible .entry plain",
            used(4, 4, 1),
        ),
    ] {
        let text = MODULE.replacen(from, to, 1);
        assert_ne!(text, MODULE, "{what}");
        let edited = bench.file("m.ptx", text);
        assert_eq!(cached(&folder, &[&edited], &[]), first, "{what}");
        assert_eq!(cached(&folder, &[&edited], &[]), UNCHANGED, "{what}");
        // As before the edit.
        let before = bench.file("m.ptx", MODULE);
        assert_eq!(cached(&folder, &[&before], &[]), UNCHANGED, "{what}");
        read_again(&folder, &before);
    }
}

#[test]
fn lines_count_where_they_are_in_the_output() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let of = |text: &str| bench.file("m.ptx", text);
    twice(&folder, &[&of(MODULE)], &["--lineinfo"], &used(0, 0, 4));
    for (from, to) in [(".loc 1 7", ".loc 1 8"), (".visible .entry calls", "\n.visible .entry calls"), ("k.cu", "l.cu")]
    {
        twice(&folder, &[&of(&MODULE.replacen(from, to, 1))], &["--lineinfo"], &used(0, 0, 4));
    }
}

/// A kernel that moves before what it reads is an error, whatever is known of its text.
#[test]
fn declarations_come_before_uses() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let (kernels, variable) = (&MODULE[MODULE.find(".visible .entry reads").unwrap()..], ".global .u32 more = 1;\n");
    let header = &MODULE[..MODULE.find(".func").unwrap()];
    let (own, others) = kernels.split_at(kernels.find(".visible .entry warned").unwrap());
    let own = own.replacen("table+4", "more", 1);
    let build = |parts: [&str; 3], more: &[&str]| {
        let file = bench.file("m.ptx", header.to_owned() + &parts.concat());
        let ran = raddle(&[&["compile", &file, "-o", "-"], more].concat());
        (ran.code, ran.stdout, ran.stderr)
    };
    let cached = ["--cache", &folder];
    assert_eq!(build([others, variable, &own], &cached).0, Some(0));
    let (code, _, said) = build([&own, variable, others], &[]);
    assert!(code == Some(1) && said.contains("unknown symbol 'more'"), "{said}");
    assert_eq!(build([&own, variable, others], &cached), build([&own, variable, others], &[]));
}

/// A kernel that names another one, itself or through a variable, is always read.
#[test]
fn kernels_that_name_others_are_always_read() {
    let bench = Bench::new();
    let edit = |text: &str| text.replacen("st.u32 [%rd1], %r3;", "st.u32 [%rd1], %r2;", 1);
    let own = MODULE.replacen("st.u32 [%rd1], 5;", "mov.u64 %rd1, calls;", 1);
    let in_a_variable = format!("{MODULE}.visible .global .align 8 .u64 kernels[1] = {{plain}};\n");
    for (text, known) in [(own, 2), (in_a_variable, 0)] {
        let folder = bench.path(&format!("cache {known}"));
        cached(&folder, &[&bench.file("m.ptx", &text)], &[]);
        assert_eq!(cached(&folder, &[&bench.file("m.ptx", &text)], &[]), UNCHANGED);
        let edited = bench.file("m.ptx", edit(&text));
        assert_eq!(cached(&folder, &[&edited], &[]), used(known, 3, 1));
    }
}

/// A second input, in a build and in a link.
#[test]
fn other_inputs_are_part_of_what_is_found() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let header = &MODULE[..MODULE.find(".file").unwrap()];
    let one = bench.file("one.ptx", MODULE);
    let library = |value: u32| {
        let text = format!(
            "{header}.visible .entry second(.param .u64 p) {{ .reg .b64 %rd; ld.param.u64 %rd, [p]; st.u32 [%rd], {value}; ret; }}\n"
        );
        bench.file("two.ptx", text)
    };
    twice(&folder, &[&one, &library(1)], &[], &used(0, 0, 5));
    twice(&folder, &[&one, &library(2)], &[], &used(4, 4, 1));
    twice(&folder, &[&library(2), &one], &[], &used(0, 5, 0));
    let link = |value: u32, more: &[&str]| {
        let object = bench.path("two.o");
        assert_eq!(raddle(&["compile", "-c", &library(value), "-o", &object]).code, Some(0));
        let ran = raddle(&[&["link", &one, &object, "-o", "-", "--arch", "sm_80"], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (ran.stdout, ran.stderr)
    };
    for value in [1, 1, 2, 1] {
        assert!(link(value, &["--cache", &folder]) == link(value, &[]), "{value}");
    }
    assert!(link(1, &[]).0 != link(2, &[]).0);
}

/// What happens to the bytes of an entry.
type Damage = fn(&[u8]) -> Vec<u8>;

/// Entries that are damaged, cut, or those of other texts are not used.
#[test]
fn damaged_entries_are_made_again() {
    let bench = Bench::new();
    let (folder, module) = (bench.path("cache"), bench.file("m.ptx", MODULE));
    let edited = bench.file("n.ptx", MODULE.replacen("st.u32 [%rd1], 5;", "st.u32 [%rd1], 6;", 1));
    twice(&folder, &[&module], &[], &used(0, 0, 4));
    twice(&folder, &[&edited], &[], &used(3, 3, 1));
    let texts = || {
        let is_of_texts = |path: &PathBuf| std::fs::read(path).unwrap().starts_with(b"raddle texts\n");
        entries(&folder).into_iter().filter(is_of_texts).collect::<Vec<PathBuf>>()
    };
    let whole: Vec<(PathBuf, Vec<u8>)> =
        texts().into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    assert_eq!(whole.len(), 3, "two outcomes and a list of keys");
    let damages: [Damage; 4] = [
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |bytes| bytes.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == bytes.len() / 2)).collect(),
        |_| Vec::new(),
        |bytes| [bytes, &[0]].concat(),
    ];
    for damage in damages {
        whole.iter().for_each(|(path, bytes)| std::fs::write(path, damage(bytes)).unwrap());
        twice(&folder, &[&module], &[], &used(0, 4, 0));
    }
    // Each has the content of the next.
    for ((path, _), (_, other)) in whole.iter().zip(whole.iter().cycle().skip(1)) {
        std::fs::write(path, other).unwrap();
    }
    twice(&folder, &[&edited], &[], &used(0, 4, 0));
    let ran = raddle(&["cache", "verify", &folder]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// The kernels of the corpus, in one module, each edited in turn.
#[test]
fn one_edited_kernel_is_read_and_compiled() {
    let bench = Bench::new();
    let folder = bench.path("cache");
    let text = std::fs::read_to_string(corpus().join("modules/eight/nvcc.ptx")).unwrap();
    let module = |text: &str| bench.file("m.ptx", text);
    twice(&folder, &[&module(&text)], &[], &used(0, 0, 8));
    for (at, _) in text.match_indices(".entry ") {
        let (head, tail) = text.split_at(at);
        let edited = format!("{head}{}", tail.replacen("ret;", "membar.gl;\n\tret;", 1));
        assert_eq!(cached(&folder, &[&module(&edited)], &[]), used(7, 7, 1));
        assert_eq!(cached(&folder, &[&module(&text)], &[]), UNCHANGED);
        read_again(&folder, &module(&text));
    }
}
