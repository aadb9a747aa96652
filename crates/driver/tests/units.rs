//! Decision D9: the object of a kernel's own text is the object that the whole module gives, and nothing else in the module
//! matters to its key. One thing does: where a kernel of the module reaches what is not inlined, all of them are for a linker of
//! objects, and their texts alone give the same if that is asked for.

mod common;

use common::modules;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diags, FileId};
use raddle_driver::compile::{Report, Request, compile_units};
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions};

fn compile(text: &str, opt: OptLevel, relocatable: bool) -> (Report, Vec<UnitObject>) {
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(text.to_string()) }],
        codegen: CodegenOptions { opt, relocatable, ..CodegenOptions::default() },
        run: RunOptions { keep_going: true, ..RunOptions::default() },
        keys: true,
        ..Request::default()
    };
    compile_units(request, &mut ())
}

/// The object with this kernel.
fn object<'a>(objects: &'a [UnitObject], kernel: &str) -> Option<&'a UnitObject> {
    objects
        .iter()
        .find(|object| object.functions.iter().any(|function| object.symbols.name(function.name) == Some(kernel)))
}

/// Every kernel of a module with its own text.
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
fn a_kernel_alone_gives_what_it_gives_in_its_module() {
    let mut compared = [0, 0];
    let (mut failing, mut linked) = (0, 0);
    let mut complaints = Vec::new();
    for path in modules(&["kernels", "modules", "producers"]) {
        let text = std::fs::read_to_string(&path).unwrap();
        for (level, opt) in [OptLevel::O0, OptLevel::O1].into_iter().enumerate() {
            let (report, whole) = compile(&text, opt, false);
            if report.target.is_none_or(|target| target.native.is_none()) {
                continue;
            }
            for (kernel, own) in extracted(&text) {
                let place = format!("{} {kernel} -O{level}", path.display());
                let key = |report: &Report| {
                    report
                        .kernels
                        .iter()
                        .find(|row| *row.name == *kernel)
                        .and_then(|row| row.key)
                        .map(|k| k.to_string())
                };
                let (mut own_report, mut alone) = compile(&own, opt, false);
                if key(&report) != key(&own_report) {
                    (own_report, alone) = compile(&own, opt, true);
                    linked += 1;
                }
                if key(&report).is_none() || key(&report) != key(&own_report) {
                    complaints.push(format!("{place}: keys {:?} and {:?}", key(&report), key(&own_report)));
                }
                match (object(&whole, &kernel), object(&alone, &kernel)) {
                    (Some(a), Some(b)) if a == b => compared[level] += 1,
                    (None, None) => failing += 1,
                    (Some(a), Some(b)) => {
                        let code = a.functions.iter().map(|f| &f.code).eq(b.functions.iter().map(|f| &f.code));
                        complaints
                            .push(format!("{place}: objects differ, code {}", if code { "equal" } else { "too" }));
                    }
                    (a, b) => complaints.push(format!("{place}: {} and {}", a.is_some(), b.is_some())),
                }
            }
        }
    }
    eprintln!("units alone: {compared:?} equal at -O0 and -O1, {failing} that compile neither way");
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
    assert!(compared.iter().all(|&count| count > 60) && linked < 60, "{compared:?}, {linked} for a linker");
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
        let (report, _) = compile(text, OptLevel::O1, false);
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
