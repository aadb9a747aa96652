//! Linked units equal the whole: each function has the same code, registers, stack and memory, in
//! any order and on any number of workers.

use raddle_cubin::Cubin;
use raddle_cubin::diff::Difference;
use raddle_cubin::view::Kernel;
use raddle_diag::{Diags, Policy, SourceMap};
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{CodegenOptions, OptLevel, RunOptions, Selection};
use raddle_driver::report::Report;
use raddle_driver::request::{Functions, Output, Request};
use raddle_driver::split::{self, verify};
use raddle_filetest::corpus::ptx;
use raddle_target::Target;

/// Kernels that share every kind of symbol: a recursive function, private constants (used in an
/// order other than that of their declarations), a counter, shared memory, a table of functions.
const SHARING: &str = "\
.version 8.0
.target sm_80
.address_size 64
.global .u32 counter;
.const .u32 b = 5;
.const .u32 a = 7;
.shared .align 4 .b8 s[64];
.func (.param .b32 r) f(.param .b32 n) { .reg .b32 %r; ld.param.b32 %r, [n]; add.u32 %r, %r, 1; st.param.b32 [r], %r; ret; }
.func (.param .b32 r) g(.param .b32 n) { .reg .b32 %r; ld.param.b32 %r, [n]; add.u32 %r, %r, 2; st.param.b32 [r], %r; ret; }
.global .align 8 .u64 table[2] = {f, g};
.func (.param .b32 r) fact(.param .b32 n) { .reg .b32 %r<4>; .reg .pred %p; ld.param.b32 %r0, [n]; mov.b32 %r1, 1; setp.lt.u32 %p, %r0, 2; @%p bra E;
 { .param .b32 x; .param .b32 y; sub.u32 %r2, %r0, 1; st.param.b32 [x], %r2; call (y), fact, (x); ld.param.b32 %r3, [y]; } mul.lo.u32 %r1, %r0, %r3;
E: st.param.b32 [r], %r1; ret; }
.visible .entry one(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p];
 { .param .b32 x; .param .b32 r; st.param.b32 [x], 4; call (r), fact, (x); ld.param.b32 %r, [r]; } st.global.b32 [%d], %r; ret; }
.visible .entry two(.param .u64 p) { .reg .b32 %r; .reg .b64 %d; ld.param.u64 %d, [p]; ld.const.u32 %r, [a];
 atom.global.add.u32 %r, [counter], %r; st.shared.u32 [s+4], %r; st.global.b32 [%d], %r; ret; }
.visible .entry three(.param .u64 p) { .reg .b32 %r; .reg .b64 %d; ld.param.u64 %d, [p]; ld.shared.u32 %r, [s];
 { .param .b32 x; .param .b32 r; st.param.b32 [x], %r; call (r), fact, (x); ld.param.b32 %r, [r]; } st.global.b32 [%d], %r;
 ld.const.u32 %r, [b]; st.global.b32 [%d], %r; ret; }
.visible .entry four(.param .u64 p) { .reg .b32 %r; .reg .b64 %d, %t; ld.param.u64 %d, [p]; ld.global.u64 %t, [table+8];
 { .param .b32 x; .param .b32 r; P: .callprototype (.param .b32 _) _ (.param .b32 _); st.param.b32 [x], 1; call (r), %t, (x), P;
 ld.param.b32 %r, [r]; } st.global.b32 [%d], %r; ret; }
";

/// Kernels with jump tables, one of them with two.
const TABLES: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .entry low(.param .u64 p) { .reg .b64 %d; .reg .b32 %r<4>; ld.param.u64 %d, [p]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3;
T: .branchtargets A, B, C, D;
 brx.idx %r2, T; A: add.u32 %r1, %r1, 5; bra Z; B: brev.b32 %r1, %r1; bra Z; C: clz.b32 %r1, %r1; bra Z; D: popc.b32 %r1, %r1; Z: st.global.b32 [%d], %r1; ret; }
.visible .entry high(.param .u64 p) { .reg .b64 %d; .reg .b32 %r<4>; ld.param.u64 %d, [p]; mov.u32 %r1, %tid.y; and.b32 %r2, %r1, 3;
T: .branchtargets D, A, C, B, A;
 brx.idx %r2, T; A: mul.lo.u32 %r1, %r1, %r1; bra Z; B: brev.b32 %r1, %r1; bra Z; C: clz.b32 %r1, %r1; bra Z; D: popc.b32 %r1, %r1; Z: shr.u32 %r2, %r1, 4; and.b32 %r2, %r2, 3;
U: .branchtargets E, F, G, H;
 brx.idx %r2, U; E: add.u32 %r1, %r1, 5; bra Y; F: brev.b32 %r1, %r1; bra Y; G: clz.b32 %r1, %r1; bra Y; H: popc.b32 %r1, %r1; Y: st.global.b32 [%d], %r1; ret; }
";

fn request(text: &str, arch: Option<&str>) -> Request {
    Request {
        inputs: vec![Input { name: "m.ptx".into(), content: Content::Text(text.to_owned()) }],
        selection: Selection { arch: arch.and_then(Target::by_name), ..Selection::default() },
        codegen: CodegenOptions { opt: OptLevel::O1, ..CodegenOptions::default() },
        ..Request::default()
    }
}

fn difference(cubins: &[Vec<u8>; 2]) -> Difference {
    Difference::new(&Cubin::parse(&cubins[0]).unwrap(), &Cubin::parse(&cubins[1]).unwrap())
}

/// An object of each input.
fn objects(request: Request) -> Report {
    compile(Request { output: Output::Objects(Functions::Exported), ..request }, &mut ())
}

#[test]
fn jumps_by_tables_are_those_of_an_executable() {
    for arch in ["sm_80", "sm_90"] {
        let found = verify(&request(TABLES, Some(arch))).unwrap_or_else(|report| panic!("{:?}", report.diags));
        assert!(found.units == 2 && difference(&found.cubins).is_empty(), "{arch}");
        let whole = compile(request(TABLES, Some(arch)), &mut ()).cubin.unwrap();
        let [whole, units] = [&whole, &found.cubins[1]].map(|bytes| Cubin::parse(bytes).unwrap());
        for name in ["low", "high"] {
            let [a, b] = [&whole, &units].map(|cubin| cubin.kernel(name).unwrap());
            assert!(a.code == b.code, "{arch} {name}: other code");
            let tables = |k: &Kernel<'_>| k.const_banks.iter().find(|bank| bank.bank == 2).unwrap().bytes.to_vec();
            assert!(tables(&a) == tables(&b) && tables(&a).len() >= 16, "{arch} {name}: other tables");
        }
    }
}

#[test]
fn units_linked_give_the_functions_of_the_whole() {
    let (mut equal, mut units, mut refused) = (0, 0, 0);
    let mut complaints = Vec::new();
    for (number, path) in ptx(&["abi", "kernels", "modules"]).into_iter().enumerate() {
        let text = std::fs::read_to_string(&path).unwrap();
        let arch = Target::by_name(["sm_80", "sm_90"][number % 2]).unwrap();
        let Ok(found) = verify(&request(&text, Some(arch.name))) else {
            refused += 1;
            continue;
        };
        let difference = difference(&found.cubins);
        equal += difference.equal;
        units += found.units;
        if !difference.is_empty() {
            complaints.push(format!("{}: {difference:#?}", path.display()));
        }
    }
    eprintln!("{equal} functions equal in {units} units; {refused} modules that do not compile");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(equal > 60 && units > 60, "{equal} {units}");
}

#[test]
fn what_kernels_share_is_the_same_on_every_architecture() {
    for arch in ["sm_80", "sm_90"] {
        let found = verify(&request(SHARING, Some(arch))).unwrap_or_else(|report| panic!("{:?}", report.diags));
        let difference = difference(&found.cubins);
        assert!(difference.is_empty(), "{arch}: {difference:#?}");
        assert!(found.units == 5 && difference.equal >= 7, "{} {}", found.units, difference.equal);
    }
}

/// The comparison detects a difference.
#[test]
fn a_unit_of_another_text_is_found() {
    let mut report = Report::default();
    let whole = request(SHARING, Some("sm_90"));
    let mut units = split::units(&whole.inputs, &mut report).unwrap();
    for unit in &mut units {
        if let Content::Text(text) = &mut unit.content {
            *text = text.replace("+4], %r", "+8], %r");
        }
    }
    let made = |inputs: Vec<Input>| {
        let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
        let mut report = objects(Request { inputs, ..whole.clone() });
        let Report { objects, target, diags, .. } = &mut report;
        split::join(&names, objects, *target, false, &[], diags).unwrap()
    };
    let difference = difference(&[made(whole.inputs.clone()), made(units)]);
    let names: Vec<&str> = difference.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["two"]);
}

#[test]
fn objects_depend_on_their_units_alone() {
    let mut report = Report::default();
    let whole = request(SHARING, Some("sm_90"));
    let units = split::units(&whole.inputs, &mut report).unwrap();
    let together = objects(Request { inputs: units.clone(), ..whole.clone() });
    assert!(!together.diags.has_errors() && together.objects.len() == units.len(), "{:?}", together.diags);
    for (unit, object) in units.iter().zip(&together.objects) {
        let alone = objects(Request { inputs: vec![unit.clone()], ..whole.clone() });
        assert!(alone.objects.first() == Some(object), "{}", unit.name);
    }
    // Any order and number of workers.
    let mut turned = units.clone();
    turned.reverse();
    let run = RunOptions { jobs: 2, chaos: Some(raddle_driver::host::Chaos::new(7)), ..RunOptions::default() };
    let mut again = objects(Request { inputs: turned.clone(), run, ..whole.clone() }).objects;
    let link = |inputs: &[Input], objects: &[Vec<u8>]| {
        let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
        split::join(&names, objects, whole.selection.arch, false, &[], &mut Diags::new()).unwrap()
    };
    assert!(link(&turned, &again) == link(&units, &together.objects), "the linker's order");
    again.reverse();
    assert!(again == together.objects, "the compiler's order");
}

#[test]
fn one_unit_is_compiled_as_a_whole_and_errors_are_those_of_the_module() {
    let one = request(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n", None);
    let whole = raddle_driver::compile::compile(one.clone(), &mut ()).cubin;
    assert!(whole.is_some() && split::compile(one, &mut ()).cubin == whole);
    let wrong = request(&SHARING.replace("atom.global.add", "atom.global.frob"), None);
    let report = split::compile(wrong, &mut ());
    let said: Vec<&str> = report.diags.iter().map(|d| d.message.as_str()).collect();
    assert!(report.cubin.is_none() && said.iter().any(|text| text.contains("frob")), "{said:?}");
    let mut sources = SourceMap::new();
    sources.add("m.ptx", SHARING).unwrap();
    assert!(split::read(&sources, &mut Diags::with_policy(Policy::default())).is_some());
}
