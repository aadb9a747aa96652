//! Decision D9: the object of a kernel's own text is the object that the whole module gives, and
//! nothing else in the module affects its key, not even another kernel that needs a linker of
//! objects.

use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diags, FileId};
use raddle_driver::compile::{self, compile_units};
use raddle_driver::fault::Fault;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions};
use raddle_driver::report::Report;
use raddle_driver::request::{Output, Request};
use raddle_filetest::corpus::ptx;

fn compile(text: &str, opt: OptLevel) -> (Report, Vec<UnitObject>) {
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(text.to_string()) }],
        codegen: CodegenOptions { opt, ..CodegenOptions::default() },
        run: RunOptions { keep_going: true, ..RunOptions::default() },
        keys: true,
        ..Request::default()
    };
    compile_units(request, &mut ())
}

/// The object that contains this kernel.
fn object<'a>(objects: &'a [UnitObject], kernel: &str) -> Option<&'a UnitObject> {
    objects
        .iter()
        .find(|object| object.functions.iter().any(|function| object.symbols.name(function.name) == Some(kernel)))
}

/// The text of every kernel of a module.
fn extracted(text: &str) -> Vec<(String, String)> {
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(text, FileId::FIRST, &mut diags);
    let kernels = outline.kernels();
    kernels
        .map(|(id, kernel)| {
            let text = raddle_ptx::extract(text, FileId::FIRST, &outline, id, &mut diags);
            (kernel.name.to_string(), text)
        })
        .collect()
}

#[test]
fn a_kernel_alone_gives_what_it_gives_in_its_module_at_o0() {
    alone_and_in_its_module(OptLevel::O0);
}

#[test]
fn a_kernel_alone_gives_what_it_gives_in_its_module_at_o1() {
    alone_and_in_its_module(OptLevel::O1);
}

fn alone_and_in_its_module(opt: OptLevel) {
    let mut compared = 0;
    let mut failing = 0;
    let (mut beside, mut functions) = (0, 0);
    let mut complaints = Vec::new();
    // What is extracted does not depend on the level: every module at one of them, every other at both.
    let step = if opt == OptLevel::O0 { 2 } else { 1 };
    for path in ptx(&["kernels", "modules", "producers", "calls"]).into_iter().step_by(step) {
        let text = std::fs::read_to_string(&path).unwrap();
        let (report, whole) = compile(&text, opt);
        if report.target.is_none_or(|target| target.native.is_none()) {
            continue;
        }
        let has_functions = whole.iter().any(|object| object.functions.iter().any(|f| f.entry.is_none()));
        functions += usize::from(has_functions);
        for (kernel, own) in extracted(&text) {
            let place = format!("{} {kernel} -{opt:?}", path.display());
            let key = |report: &Report| {
                report.kernels.iter().find(|row| *row.name == *kernel).and_then(|row| row.key).map(|k| k.to_string())
            };
            let (own_report, alone) = compile(&own, opt);
            if key(&report).is_none() || key(&report) != key(&own_report) {
                complaints.push(format!("{place}: keys {:?} and {:?}", key(&report), key(&own_report)));
            }
            match (object(&whole, &kernel), object(&alone, &kernel)) {
                (Some(a), Some(b)) if a == b => {
                    compared += 1;
                    let reaches = alone.iter().any(|object| object.functions.iter().any(|f| f.entry.is_none()));
                    beside += usize::from(has_functions && !reaches);
                }
                (None, None) => failing += 1,
                (Some(a), Some(b)) => {
                    let code = a.functions.iter().map(|f| &f.code).eq(b.functions.iter().map(|f| &f.code));
                    complaints.push(format!("{place}: objects differ, code {}", if code { "equal" } else { "too" }));
                }
                (a, b) => complaints.push(format!("{place}: {} and {}", a.is_some(), b.is_some())),
            }
        }
    }
    eprintln!(
        "units alone: {compared} equal at -{opt:?}, {beside} of them beside kernels that reach functions, {failing} that \
         compile neither way"
    );
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
    assert!(compared > 60, "{compared}");
    assert!(functions >= 4 && beside >= 2, "{functions} modules with functions, {beside} kernels beside them");
}

const TWO: &str = "\
.version 8.0
.target sm_90
.address_size 64
.global .u32 shared_by_both;
.func helper(.reg .u32 %a) { ret; }
.visible .entry one(.param .u64 p) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; st.u32 [%rd1], 1; ret; }
.visible .entry two() { ret; }
";

#[test]
fn another_kernel_edited_moved_or_dropped_changes_no_key() {
    let keys = |text: &str| -> Vec<(String, String)> {
        let (report, _) = compile(text, OptLevel::O1);
        report.kernels.iter().map(|row| (row.name.to_string(), row.key.map(|key| key.to_string()).unwrap())).collect()
    };
    let of = |text: &str, name: &str| keys(text).into_iter().find(|row| row.0 == name).unwrap().1;
    let one = of(TWO, "one");
    let two = ".visible .entry two() { ret; }\n";
    let edited = TWO.replace(two, ".visible .entry two() { membar.gl; ret; }\n");
    let dropped = TWO.replace(two, "");
    let moved = dropped.replace(".visible .entry one", &format!("{two}.visible .entry one"));
    let commented = TWO.replace("ld.param", "/* a */ ld.param");
    for text in [&edited, &dropped, &moved, &commented] {
        assert_eq!(of(text, "one"), one, "{text}");
    }
    assert_ne!(of(&edited, "two"), of(TWO, "two"));
    assert_ne!(of(&TWO.replace("], 1;", "], 2;"), "one"), one);
    assert_ne!(of(&TWO.replace("version 8.0", "version 8.1"), "one"), one);
}

#[test]
fn what_a_variable_of_a_body_points_to_is_part_of_the_unit() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .u32 outer[2] = {7, 8};\n\
        .visible .entry k(.param .u64 p) { .reg .b64 %rd<4>; .reg .b32 %r<2>; .global .align 8 .u64 at = outer;\n\
        ld.param.u64 %rd1, [p]; ld.global.u64 %rd2, [at]; ld.u32 %r1, [%rd2]; st.u32 [%rd1], %r1; ret; }\n";
    let of = |text: &str| {
        let (report, objects) = compile(text, OptLevel::O1);
        assert!(!report.diags.has_errors(), "{:?}", report.diags.iter().collect::<Vec<_>>());
        (report.kernels[0].key.unwrap().to_string(), object(&objects, "k").cloned())
    };
    let [(_, own)] = &extracted(text)[..] else { panic!("one kernel") };
    assert_eq!(of(text), of(own));
    assert_ne!(of(text).0, of(&text.replace("{7, 8}", "{7, 9}")).0);
}

/// Kernels and functions that call them, directly and by address.
const CALLS: &str = "\
.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 r) f(.param .b32 n) { .reg .u32 %r<4>; .reg .pred %p; ld.param.u32 %r1, [n]; setp.eq.u32 %p, %r1, 0; @%p bra D;
sub.u32 %r1, %r1, 1; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), f, (x); ld.param.b32 %r1, [y]; }
D: add.u32 %r1, %r1, 7; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) g(.param .b32 n) { .reg .u32 %r<4>; ld.param.u32 %r1, [n]; add.u32 %r1, %r1, 9; st.param.b32 [r], %r1; ret; }
.visible .entry one(.param .u64 p) { .reg .b64 %rd<2>; .reg .u32 %r<2>; ld.param.u64 %rd1, [p];
{ .param .b32 x; .param .b32 y; st.param.b32 [x], 5; call (y), f, (x); ld.param.b32 %r1, [y]; } st.u32 [%rd1], %r1; ret; }
.visible .entry two(.param .u64 p) { .reg .b64 %rd<3>; .reg .u32 %r<2>; ld.param.u64 %rd1, [p]; mov.u64 %rd2, g;
{ .param .b32 x; .param .b32 y; P: .callprototype (.param .b32 _) _ (.param .b32 _); st.param.b32 [x], 5; call (y), %rd2, (x), P;
ld.param.b32 %r1, [y]; } st.u32 [%rd1], %r1; ret; }
.visible .entry three(.param .u64 p) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; st.u32 [%rd1], 1; ret; }
";

#[test]
fn functions_out_of_line_affect_no_key_but_their_own() {
    let keys = |text: &str| -> Vec<(String, String)> {
        let (report, _) = compile(text, OptLevel::O1);
        assert!(!report.diags.has_errors(), "{:?}", report.diags.iter().collect::<Vec<_>>());
        report.kernels.iter().map(|row| (row.name.to_string(), row.key.map(|key| key.to_string()).unwrap())).collect()
    };
    let before = keys(CALLS);
    assert_eq!(before.len(), 3);
    assert_eq!(keys(&CALLS.replace("%r1, 7;", "%r1, 8;").replace("%r1, 9;", "%r1, 10;")), before);
    // The types of functions are part of the kernels' keys.
    let other = keys(&CALLS.replace(" f(.param .b32 n)", " f(.param .u32 n)"));
    assert!(other[0] != before[0] && other[1..] == before[1..], "{other:?} {before:?}");
    let (_, objects) = compile(CALLS, OptLevel::O1);
    for (kernel, own) in extracted(CALLS) {
        let (report, alone) = compile(&own, OptLevel::O1);
        assert!(!report.diags.has_errors(), "{kernel}: {:?}", report.diags.iter().collect::<Vec<_>>());
        assert_eq!(object(&objects, &kernel), object(&alone, &kernel), "{kernel}");
        assert_eq!(
            report.kernels[0].key.unwrap().to_string(),
            before.iter().find(|b| b.0 == kernel).unwrap().1,
            "{kernel}"
        );
    }
}

/// The error codes of a check and of a compilation, with a fault as in `RADDLE_FAULT`.
fn verdicts(text: &str, opt: OptLevel, fault: Option<&str>) -> [Vec<String>; 2] {
    let fault: Option<Fault> = fault.map(|fault| fault.parse().unwrap());
    let request = || Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(text.to_string()) }],
        codegen: CodegenOptions { opt, ..CodegenOptions::default() },
        run: RunOptions { keep_going: true, fault: fault.clone(), ..RunOptions::default() },
        ..Request::default()
    };
    let errors = |report: Report| {
        let errors = report.diags.iter().filter(|d| d.is_error());
        errors.map(|d| format!("{} {} {}", d.code, d.function.as_deref().unwrap_or("-"), d.message)).collect()
    };
    [
        errors(compile::compile(Request { output: Output::Check, ..request() }, &mut ())),
        errors(compile_units(request(), &mut ()).0),
    ]
}

#[test]
fn what_a_check_lets_pass_compiles() {
    const PART: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 y;\n\
        .global .align 4 .u32 part[2] = {y, 0};\n.visible .entry k()\n{\n.reg .b32 %r<2>;\n\
        ld.global.u32 %r1, [part];\nst.global.u32 [y], %r1;\nret;\n}\n";
    let [checked, compiled] = verdicts(PART, OptLevel::O1, None);
    assert!(checked.len() == 1 && checked[0].contains("variable `part`"), "{checked:?}");
    assert_eq!(checked, compiled);
    let mut seen = [0, 0];
    let mut differ = Vec::new();
    let paths = ptx(&["modules", "calls", "regressions", "snippets"]);
    // Some are judged a second time, with an instruction that every module has counted as unsupported.
    let again = paths.iter().step_by(20).map(|path| (path, Some("unsupported:ret")));
    for (path, fault) in paths.iter().map(|path| (path, None)).chain(again) {
        let text = std::fs::read_to_string(path).unwrap();
        // A function that nothing calls is compiled for an object, and not checked.
        if text.contains(".target sm_1") || fault.is_some() && text.contains(".func") {
            continue;
        }
        let [checked, compiled] = verdicts(&text, OptLevel::O1, fault);
        seen[usize::from(checked.is_empty())] += 1;
        // Only a compilation reports missing machine code for the target and undefined symbols; all
        // other errors are the same.
        let more = |error: &String| ["E0023", "E0065"].iter().any(|code| error.starts_with(code));
        let compiled: Vec<String> = compiled.into_iter().filter(|error| !more(error)).collect();
        if checked != compiled {
            differ.push(format!("{}: {checked:?}, {compiled:?}", path.display()));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    // Refused and taken.
    assert!(seen[0] > 3 && seen[1] > 400, "{seen:?}");
}
