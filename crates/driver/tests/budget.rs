//! Functions of a program stay within the register budgets of the kernels that reach them, and of
//! no others (DRV-24).

use raddle_cubin::Cubin;
use raddle_cubin::report::Report as Contents;
use raddle_driver::codes;
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, GivenBounds, OptLevel, Selection};
use raddle_driver::report::Report;
use raddle_driver::request::Request;
use std::fmt::Write as _;

/// A recursive function with forty live words, and kernels.
fn module(kernels: &str) -> String {
    let mut text = String::from(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .align 4 .b32 big[40];\n\
         .func (.param .b32 r) deep(.param .b32 a) { .reg .b32 %r<4>, %x<40>; .reg .pred %p; ld.param.b32 %r1, [a];\n",
    );
    for i in 0..40 {
        let _ = writeln!(text, "ld.volatile.global.u32 %x{i}, [big+{}];", 4 * i);
    }
    text += "setp.eq.u32 %p, %r1, 0; @%p bra E; sub.u32 %r2, %r1, 1;\n\
             { .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), deep, (x); ld.param.b32 %r1, [y]; }\nE:\n";
    for i in 0..40 {
        let _ = writeln!(text, "mad.lo.u32 %r1, %r1, %x{i}, %x{};", (i + 7) % 40);
    }
    text + "st.param.b32 [r], %r1; ret; }\n" + kernels
}

fn kernel(name: &str, bounds: &str, callee: &str) -> String {
    format!(
        ".visible .entry {name}(.param .u64 p) {bounds} {{ .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p];\n\
         {{ .param .b32 a; .param .b32 r; st.param.b32 [a], 4; call (r), {callee}, (a); ld.param.b32 %r, [r]; }} st.global.b32 [%d], %r; ret; }}\n"
    )
}

fn compiled(text: &str) -> Report {
    let request = Request {
        inputs: vec![Input { name: "m.ptx".into(), content: Content::Text(text.to_owned()) }],
        codegen: CodegenOptions { opt: OptLevel::O1, ..CodegenOptions::default() },
        ..Request::default()
    };
    compile(request, &mut ())
}

/// The kernels of a program with the registers that they need, callees included.
fn registers(text: &str) -> Vec<(String, u32)> {
    let report = compiled(text);
    let cubin = report.cubin.unwrap_or_else(|| panic!("{:?}", report.diags));
    let cubin = Cubin::parse(&cubin).unwrap();
    cubin.functions().iter().filter(|f| f.is_entry).map(|f| (f.name.to_owned(), f.registers)).collect()
}

#[test]
fn a_function_has_the_least_budget_of_the_kernels_that_reach_it() {
    let free = registers(&module(&kernel("a", "", "deep")));
    assert!(free[0].1 > 44, "the function needs more than the bounds below leave: {free:?}");
    for (bounds, most) in
        [(".maxntid 1024 .minnctapersm 2", 32), (".maxnreg 40", 40), (".reqntid 768 .minnctapersm 2", 40)]
    {
        let both = registers(&module(&(kernel("a", "", "deep") + &kernel("b", bounds, "deep"))));
        assert!(both.iter().all(|(_, count)| *count <= most), "{bounds}: {both:?}");
    }
    // A wrapper between them, and a kernel that does not reach it.
    let wrapper = ".func (.param .b32 r) outer(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a];\n\
        { .param .b32 x; .param .b32 y; st.param.b32 [x], %r; call (y), deep, (x); ld.param.b32 %r, [y]; } st.param.b32 [r], %r; ret; }\n";
    let bound = wrapper.to_owned() + &kernel("b", ".maxnreg 32", "outer");
    assert!(registers(&module(&bound))[0].1 <= 32);
    let other = kernel("a", "", "deep") + ".visible .entry c() .maxntid 1024 .minnctapersm 2 { ret; }\n";
    let found = registers(&module(&other));
    assert!(found.iter().any(|(name, count)| name == "a" && *count == free[0].1), "{found:?} {free:?}");
}

#[test]
fn a_bound_that_no_multiprocessor_meets_is_told() {
    let told = |bounds: &str| {
        let report = compiled(&module(&kernel("a", bounds, "deep")));
        assert!(report.cubin.is_some(), "{:?}", report.diags);
        report.diags.iter().filter(|d| d.code == codes::E0084).map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    for (bounds, want) in [
        (
            ".maxntid 256 .minnctapersm 9",
            ".minnctapersm 9 is ignored: a multiprocessor of sm_90 has too few threads for so many such blocks",
        ),
        (".reqntid 32 .minnctapersm 33", ".minnctapersm 33 is ignored: a multiprocessor of sm_90 holds 32 blocks"),
        (".minnctapersm 2", ".minnctapersm of 'a' is ignored without .maxntid or .reqntid"),
        (".maxnreg 256", ".maxnreg 256 is ignored: a thread has at most 255 registers"),
    ] {
        assert_eq!(told(bounds), [want], "{bounds}");
    }
    for bounds in [".maxntid 256 .minnctapersm 8", ".maxntid 256", ".maxnreg 255", ".maxnreg 16"] {
        assert!(told(bounds).is_empty(), "{bounds}");
    }
}

/// In the place of ptxas a kernel has 24 registers at least, whatever it asks for; the caller says
/// so.
#[test]
fn a_bound_on_registers_is_raised_on_request() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry few() .maxnreg 16 { ret; }\n\
                .visible .entry other() .maxnreg 20 { ret; }\n";
    let compile = |fewest, names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let request = Request {
            inputs: vec![Input { name: "m.ptx".into(), content: Content::Text(text.to_owned()) }],
            selection: Selection { fewest_registers: fewest, names, ..Selection::default() },
            ..Request::default()
        };
        let report = compile(request, &mut ());
        let cubin = report.cubin.unwrap_or_else(|| panic!("{:?}", report.diags));
        let counts: Vec<String> = Contents::new(&Cubin::parse(&cubin).unwrap())
            .attributes
            .iter()
            .filter(|attribute| attribute.name == Some("MAXREG_COUNT"))
            .map(|attribute| attribute.value.clone())
            .collect();
        (counts, report.diags.iter().map(|d| d.message.clone()).collect::<Vec<_>>())
    };
    let said = |asked| format!(".maxnreg {asked} is less than 24, the fewest registers of a kernel");
    assert_eq!(compile(None, &["few"]), (vec!["0x10".to_owned()], vec![]));
    assert_eq!(compile(Some(24), &["few"]), (vec!["0x18".to_owned()], vec![said(16)]));
    assert_eq!(compile(Some(24), &[]).1, [said(16), said(20)]);
}

/// What options say of launch bounds is what a kernel has that says nothing itself, or what all have.
#[test]
fn options_give_launch_bounds() {
    let kernels =
        [("plain", ""), ("own", ".maxntid 64 .minnctapersm 3"), ("exact", ".reqntid 64"), ("few", ".maxnreg 32")];
    let kernels = kernels.map(|(name, bounds)| format!(".visible .entry {name}() {bounds} {{ ret; }}\n")).concat();
    let text = format!(".version 8.0\n.target sm_80\n.address_size 64\n{kernels}");
    let compile = |bounds| {
        let request = Request {
            inputs: vec![Input { name: "m.ptx".into(), content: Content::Text(text.clone()) }],
            selection: Selection { bounds, ..Selection::default() },
            ..Request::default()
        };
        let report = compile(request, &mut ());
        let cubin = report.cubin.unwrap_or_else(|| panic!("{:?}", report.diags));
        let contents = Contents::new(&Cubin::parse(&cubin).unwrap());
        let of = |wanted: &str| -> Vec<String> {
            let found = contents.attributes.iter().filter(|attribute| attribute.name == Some(wanted));
            let mut found: Vec<String> =
                found.map(|a| format!("{} {}", a.section.trim_start_matches(".nv.info."), a.value)).collect();
            found.sort();
            found
        };
        (of("MAX_THREADS"), of("MAXREG_COUNT"))
    };
    let given = GivenBounds { threads: Some([128, 2, 1]), blocks: Some(2), ..GivenBounds::default() };
    let (threads, _) = compile(given);
    assert_eq!(threads, ["few 0x80 0x2 0x1", "own 0x40 0x1 0x1", "plain 0x80 0x2 0x1"]);
    let (threads, _) = compile(GivenBounds { replace: true, ..given });
    assert_eq!(threads, ["few 0x80 0x2 0x1", "own 0x80 0x2 0x1", "plain 0x80 0x2 0x1"]);
    let (_, registers) = compile(GivenBounds { registers: Some(40), ..GivenBounds::default() });
    assert_eq!(registers, ["exact 0x28", "few 0x28", "own 0x28", "plain 0x28"]);
}
