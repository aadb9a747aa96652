//! A unit that is compiled in a process of its own gives the bytes of one that is compiled beside the
//! others: elsewhere, for a library, and after a crash. Its text alone does not say which functions are
//! called, under which other names one is known, and what other inputs and options decide.

use crate::builds::{Built, built, local, remote, request, same};
use crate::common::{Bench, command, finish};
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, GivenBounds, OptLevel, RunOptions, Selection};
use raddle_driver::request::{Functions, Output, Request};
use std::path::PathBuf;

const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// A function that multiplies.
fn function(linkage: &str, name: &str, factor: u32) -> String {
    format!(
        "{linkage} .func (.param .b32 r) {name}(.param .b32 a)\n{{ .reg .u32 %r<3>; ld.param.u32 %r1, [a]; \
         mul.lo.u32 %r1, %r1, {factor}; st.param.b32 [r], %r1; ret; }}\n"
    )
}

/// A function that calls itself and another one.
fn recursive(name: &str, callee: &str) -> String {
    format!(
        ".func (.param .b32 r) {name}(.param .b32 a)\n{{ .reg .u32 %r<6>; .reg .pred %p; ld.param.u32 %r1, [a];\n\
         setp.lt.u32 %p, %r1, 2; @%p bra E; sub.u32 %r3, %r1, 2;\n\
         {{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), {name}, (x); ld.param.b32 %r2, [y]; }}\n\
         {{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), {callee}, (x); ld.param.b32 %r2, [y]; }}\n\
         add.u32 %r1, %r2, %r1;\nE: st.param.b32 [r], %r1; ret; }}\n"
    )
}

/// A kernel that calls functions one after another, with values that live across the calls.
fn kernel(name: &str, callees: &[&str]) -> String {
    let call = |callee: &&str| {
        format!(
            "{{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), {callee}, (x); ld.param.b32 %r2, [y]; }}\n\
             add.u32 %r1, %r1, %r2;\n"
        )
    };
    let calls: String = callees.iter().map(call).collect();
    format!(
        ".visible .entry {name}(.param .u64 p)\n{{ .reg .b64 %rd<2>; .reg .u32 %r<3>; ld.param.u64 %rd1, [p];\n\
         ld.global.u32 %r1, [%rd1];\n{calls}st.global.u32 [%rd1], %r1; ret; }}\n"
    )
}

/// Programs whose units depend on more than their texts.
fn programs() -> Vec<(String, Vec<String>)> {
    let declared = |name: &str| format!(".extern .func (.param .b32 r) {name}(.param .b32 a);\n");
    let alias = format!(
        "{}.visible .func (.param .b32 r) other (.param .b32 a);\n.alias other, f;\n",
        function(".visible", "f", 3)
    );
    let shared = |declaration: &str, name: &str| {
        format!(
            "{declaration}\n.visible .entry {name}(.param .u64 p)\n{{ .reg .b64 %rd<2>; .reg .u32 %r<3>; \
             ld.param.u64 %rd1, [p]; ld.shared.u32 %r1, [s+4]; st.global.u32 [%rd1], %r1; ret; }}\n"
        )
    };
    let program = |what: &str, modules: &[&[String]]| {
        (what.to_owned(), modules.iter().map(|parts| format!("{HEAD}{}", parts.concat())).collect::<Vec<_>>())
    };
    vec![
        program("an alias that its text does not name", &[&[alias.clone(), kernel("k", &["f"])]]),
        program("an alias in a linked program", &[&[alias, recursive("down", "other"), kernel("k", &["down", "f"])]]),
        program(
            "weak functions of a linked program",
            &[&[function(".weak", "f", 5), recursive("down", "f"), kernel("k", &["f", "down"]), kernel("l", &["f"])]],
        ),
        program(
            "one function in two modules",
            &[
                &[function(".weak", "f", 3), kernel("k", &["f", "f"])],
                &[function(".weak", "f", 3), recursive("down", "f"), kernel("l", &["f", "down"])],
            ],
        ),
        program(
            "a function of another module",
            &[&[function(".visible", "f", 3), kernel("k", &["f"])], &[declared("f"), kernel("l", &["f", "f"])]],
        ),
        program(
            "shared memory that an input makes its own, in a linked program",
            &[&[
                function(".visible", "f", 3),
                recursive("down", "f"),
                kernel("k", &["down"]),
                shared(".extern .shared .align 4 .b8 s[16];", "l"),
            ]],
        ),
        program(
            "shared memory of another input",
            &[
                &[shared(".visible .shared .align 4 .b8 s[16];", "k")],
                &[shared(".extern .shared .align 4 .b8 s[16];", "l")],
            ],
        ),
    ]
}

fn inputs(modules: &[String]) -> Vec<Input> {
    let input =
        |(at, text): (usize, &String)| Input { name: format!("{at}.ptx"), content: Content::Text(text.clone()) };
    modules.iter().enumerate().map(input).collect()
}

/// The settings under which programs are compiled.
fn settings() -> Vec<(CodegenOptions, Output)> {
    let plain = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
    let lines = CodegenOptions { lineinfo: true, ..plain.clone() };
    let debug = CodegenOptions { debug: true, lineinfo: true, opt: OptLevel::O0, ..plain.clone() };
    let objects = [Output::Object(Functions::Exported), Output::Object(Functions::Reachable)];
    let mut out = vec![(debug, Output::Executable)];
    for codegen in [plain, lines] {
        out.extend([Output::Executable, objects[0], objects[1]].map(|output| (codegen.clone(), output)));
    }
    out
}

/// Builds with an engine and as a library does; returns the units that the engine has made.
fn everywhere(here: &Built, request: impl Fn(RunOptions) -> Request, what: &str) -> usize {
    let (_, run) = remote();
    let there = built(request(run));
    same(here, &there, &format!("{what}, elsewhere"));
    let runs = || there.report.units().filter_map(|unit| unit.remote.as_ref());
    let why = there.report.remote.as_ref().and_then(|used| used.failure.clone());
    assert_eq!(why, None, "{what}");
    let library = RunOptions { worker: Some(env!("CARGO_BIN_EXE_raddle").into()), ..local() };
    same(here, &built(request(library)), &format!("{what}, for a library"));
    runs().filter(|run| run.outcome.is_remote()).count()
}

#[test]
fn what_a_text_does_not_say_reaches_the_process() {
    let mut there = 0;
    for (what, modules) in programs() {
        for (codegen, output) in settings() {
            let of = |run| Request { inputs: inputs(&modules), codegen: codegen.clone(), output, ..request("", run) };
            let here = built(of(local()));
            let what = format!("{what} {codegen:?} {output:?}");
            assert!(
                here.report.units().count() > 0 && !here.messages.contains("\"error\""),
                "{what}: {}",
                here.messages
            );
            there += everywhere(&here, of, &what);
        }
    }
    println!("{there} units were made elsewhere");
    assert!(there > 100, "{there}");
}

#[test]
fn calls_of_the_corpus_reach_the_process() {
    let mut there = 0;
    for path in raddle_filetest::corpus::ptx(&["calls", "abi"]) {
        let text = std::fs::read_to_string(&path).unwrap();
        for (codegen, output) in settings() {
            let of = |run| Request { codegen: codegen.clone(), output, ..request(&text, run) };
            there += everywhere(&built(of(local())), of, &format!("{} {codegen:?} {output:?}", path.display()));
        }
    }
    println!("corpus: {there} units were made elsewhere");
    assert!(there > 100, "{there}");
}

#[test]
fn launch_bounds_of_options_reach_the_process() {
    let mut seen = Vec::new();
    let many: String = (0..60).map(|n| format!("ld.global.u32 %r{n}, [%rd1+{}];\n", 4 * n)).collect();
    let sums: String = (0..60).map(|n| format!("st.global.u32 [%rd1+{}], %r{n};\n", 400 - 4 * n)).collect();
    let text = format!(
        "{HEAD}.visible .entry k(.param .u64 p)\n{{ .reg .b64 %rd<2>; .reg .u32 %r<60>; ld.param.u64 %rd1, [p];\n{many}\
         bar.sync 0;\n{sums}ret; }}\n"
    );
    for lineinfo in [false, true] {
        for bounds in [
            GivenBounds::default(),
            GivenBounds { registers: Some(32), ..GivenBounds::default() },
            GivenBounds { threads: Some([1024, 1, 1]), blocks: Some(2), ..GivenBounds::default() },
        ] {
            let selection = Selection { bounds, ..Selection::default() };
            let codegen = CodegenOptions { lineinfo, opt: OptLevel::O3, ..CodegenOptions::default() };
            let of = |run| Request { selection: selection.clone(), codegen: codegen.clone(), ..request(&text, run) };
            let here = built(of(local()));
            assert_eq!(everywhere(&here, of, &format!("{bounds:?} {lineinfo}")), 1);
            seen.push(here.report.kernels[0].registers);
        }
    }
    assert!(seen[0] > seen[1] && seen[0] > seen[2] && seen[..3] == seen[3..], "bounds have an effect: {seen:?}");
}

/// As after crashes of all units.
#[test]
fn units_that_crashed_give_the_same_bytes() {
    let bench = Bench::new();
    let corpus = raddle_filetest::corpus::ptx(&["calls", "abi"]).into_iter();
    let written = |(number, (_, modules)): (usize, (String, Vec<String>))| {
        let name = |(at, text): (usize, &String)| bench.file(&format!("{number}-{at}.ptx"), text).into();
        modules.iter().enumerate().map(name).collect::<Vec<PathBuf>>()
    };
    let programs: Vec<Vec<PathBuf>> =
        programs().into_iter().enumerate().map(written).chain(corpus.map(|path| vec![path])).collect();
    let mut compiled = 0;
    for files in programs {
        for options in [&[][..], &["-c"], &["-c", "--lineinfo"], &["--lineinfo"]] {
            let run = |out: &str, isolated: bool| {
                let mut command = command(&[&["compile", "-o", out], options].concat());
                command.args(&files).env_remove("RADDLE_FAULT");
                if isolated {
                    command.env("RADDLE_RESUME", "runs=1 unit=*");
                }
                let ran = finish(command);
                (ran.code, ran.stderr, std::fs::read(out).ok())
            };
            let (here, there) = (run(&bench.path("here"), false), run(&bench.path("there"), true));
            // After a crash errors are at the name of their unit.
            let said = |run: &(Option<i32>, String, _)| (run.0 == Some(0)).then(|| run.1.clone());
            assert_eq!((here.0, said(&here)), (there.0, said(&there)), "{files:?} {options:?}");
            assert!(here.2 == there.2, "{files:?} {options:?}: the bytes differ");
            compiled += usize::from(here.0 == Some(0));
            for out in ["here", "there"] {
                // An error leaves none.
                let _ = std::fs::remove_file(bench.path(out));
            }
        }
    }
    assert!(compiled > 40, "{compiled}");
}
