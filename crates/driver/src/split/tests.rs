use super::*;
use crate::program::Module;
use raddle_diag::FileId;
use std::sync::Arc;

const HEADER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

fn module(text: &str) -> Module {
    let text = format!("{HEADER}{text}");
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(&text, FileId::FIRST, &mut diags);
    assert!(!diags.has_errors(), "{diags:?}");
    Module::new(FileId::FIRST, Arc::new(text), outline, &raddle_entity::Serial)
}

fn cut(text: &str) -> Split {
    let mut diags = Diags::new();
    let split = split(&module(text), &mut diags);
    assert!(!diags.has_errors(), "{diags:?}");
    // Each unit is a module without errors.
    for unit in &split.units {
        let outline = raddle_ptx::outline(&unit.text, FileId::FIRST, &mut diags);
        for (id, _) in outline.funcs.iter().filter(|(_, func)| func.body.is_some()) {
            raddle_ptx::parse_body(&unit.text, FileId::FIRST, &outline, id, &mut diags);
        }
        assert!(!diags.has_errors(), "{diags:?}\n{}", unit.text);
    }
    split
}

fn kernels(split: &Split) -> Vec<String> {
    split.units.iter().map(|unit| unit.kernels.join(" ")).collect()
}

#[test]
fn every_kernel_is_a_unit_and_small_callees_are_copied() {
    let split = cut("\
        .visible .func small() { ret; }\n.func tiny() { call small; ret; }\n\
        .visible .entry a() { call tiny; ret; }\n.visible .entry b() { call small; ret; }\n");
    assert_eq!(kernels(&split), ["", "a", "b"], "the visible function has a unit");
    let [data, a, b] = &split.units[..] else { panic!() };
    assert_eq!((&data.file[..], &a.file[..]), ("module.data.ptx", "a.ptx"));
    assert_eq!((a.copied.join(" "), b.copied.join(" ")), ("small tiny".into(), "small".into()));
    assert!(data.text.contains(".visible .func small") && !a.text.contains(".visible .func"));
}

/// The definition of another module may replace all of them; functions with shared memory are not
/// copied.
#[test]
fn copies_of_weak_functions_are_weak() {
    let text = "\
        .shared .u32 s;\n.weak .func small() { ret; }\n\
        .weak .func sharing() { .reg .b32 %r; mov.b32 %r, 1; st.shared.b32 [s], %r; ret; }\n\
        .visible .entry a() { call small; ret; }\n.visible .entry b() { call small; ret; }\n\
        .visible .entry c() { call sharing; ret; }\n.visible .entry d() { call sharing; ret; }\n";
    let split = cut(text);
    assert_eq!(kernels(&split), ["", "a", "b", "c d"]);
    let weak: Vec<usize> = split.units.iter().map(|unit| unit.text.matches(".weak .func").count()).collect();
    // A declaration and a definition.
    assert_eq!(weak, [2, 2, 2, 2], "{split:?}");
    assert_eq!((split.units[1].copied.join(" "), split.units[3].kept.join(" ")), ("small".into(), "sharing".into()));
}

#[test]
fn variables_are_owned_once_and_private_ones_get_names_that_no_other_module_has() {
    let text = "\
        .global .u32 counter;\n.visible .const .u32 limit = 3;\n.global .u64 unused;\n.shared .u32 s;\n\
        .visible .entry a() { .reg .b64 %d; mov.u64 %d, counter; mov.u64 %d, s; ret; }\n\
        .visible .entry b() { .reg .b32 %r; ld.const.u32 %r, [limit]; ret; }\n";
    let split = cut(text);
    let [data, a, b] = &split.units[..] else { panic!("{split:?}") };
    assert_eq!(
        (data.owns.join(" "), a.uses.join(" "), b.uses.join(" ")),
        ("counter limit".into(), "counter".into(), "limit".into())
    );
    let name = &split.private["counter"];
    assert_eq!(private::original(name), Some("counter"));
    assert!(data.text.contains(&format!(".visible .global .u32 {name};")), "{}", data.text);
    assert!(a.text.contains(&format!(".extern .global .u32 {name};")) && a.text.contains(".shared .u32 s;"));
    assert!(b.text.contains(".extern .const .u32 limit;"), "{}", b.text);
    // An edit of a body does not change the name; another module has another name.
    assert_eq!(cut(&text.replace("[limit]; ret", "[limit]; bar.sync 0; ret")).private, split.private);
    assert_ne!(cut(&text.replace("entry b", "entry c")).private, split.private);
}

#[test]
fn an_edit_of_a_kernel_changes_its_unit_alone() {
    let text = "\
        .global .u32 counter;\n\
        .visible .entry a() { .reg .b64 %d; mov.u64 %d, counter; ret; }\n.visible .entry b() { ret; }\n";
    let (old, new) = (cut(text), cut(&text.replace("entry b() {", "entry b() { bar.sync 0;")));
    let changed: Vec<bool> = old.units.iter().zip(&new.units).map(|(old, new)| old.text != new.text).collect();
    assert_eq!(changed, [false, false, true]);
}

#[test]
fn what_must_not_exist_twice_joins_its_kernels() {
    let split = cut("\
        .func target() { ret; }\n.func counts() { .global .u32 n; ret; }\n\
        .visible .entry a() { .reg .b64 %d; mov.u64 %d, target; ret; }\n\
        .visible .entry b() { call counts; ret; }\n.visible .entry c() { ret; }\n\
        .visible .entry d() { call target; ret; }\n.visible .entry e() { call counts; ret; }\n");
    assert_eq!(kernels(&split), ["a d", "b e", "c"]);
    assert_eq!(split.units[0].kept, ["target"]);
    let body = "add.s32 %r, %r, 1; ".repeat(LARGE + 1);
    let large = format!(
        ".func large() {{ .reg .b32 %r; {body} ret; }}\n.visible .entry a() {{ call large; ret; }}\n\
         .visible .entry b() {{ call large; ret; }}\n"
    );
    assert_eq!(kernels(&cut(&large)), ["a b"]);
    assert_eq!(kernels(&cut(&large.replacen("add.s32 %r, %r, 1; ", "", 10))), ["a", "b"]);
}

#[test]
fn functions_that_data_name_stay_with_the_data() {
    let text = "\
        .func f() { ret; }\n.global .u64 table[1] = {f};\n.shared .u32 s;\n\
        .visible .entry a() { .reg .b64 %d; mov.u64 %d, table; ret; }\n\
        .visible .entry b() { .reg .b64 %d; mov.u64 %d, s; ret; }\n";
    assert_eq!(kernels(&cut(text)), ["", "a", "b"]);
    // Such a function uses the shared memory of its caller.
    let uses =
        text.replace(".func f() {", ".func f() { .reg .b64 %d; mov.u64 %d, s;").replacen(".shared .u32 s;\n", "", 1);
    let uses = format!(".shared .u32 s;\n{uses}");
    assert_eq!(kernels(&cut(&uses)), ["b", "a"]);
}

/// A kernel shares a unit with those that take its address, in code, in a function that they reach,
/// or in data.
#[test]
fn kernels_whose_addresses_are_taken_are_with_who_takes_them() {
    let first = ".extern .entry far();\n.visible .entry e() { ret; }\n.visible .entry b() .maxntid 32 { ret; }\n\
        .visible .entry c() { ret; }\n";
    let rest = ".func starts() { .reg .b64 %d; mov.u64 %d, c; ret; }\n\
        .visible .entry a() { .reg .b64 %d; mov.u64 %d, b; mov.u64 %d, far; ret; }\n\
        .visible .entry d() { call starts; ret; }\n";
    let split = cut(&format!("{first}{rest}"));
    assert_eq!(kernels(&split), ["e", "b a", "c d"]);
    let [e, ba, cd] = &split.units[..] else { panic!() };
    for declared in [".extern .entry far();", ".visible .entry b();"] {
        assert!(ba.text.contains(declared), "{}", ba.text);
    }
    assert!(cd.text.contains(".visible .entry c();") && !e.text.contains(".entry e();"));
    assert_eq!(ba.text.matches(".maxntid").count(), 1, "{}", ba.text);
    let split = cut(&format!("{first}.visible .global .align 8 .u64 list[1] = {{e}};\n{rest}"));
    assert_eq!(kernels(&split), ["e", "b a", "c d"]);
    let data = &split.units[0].text;
    assert!(split.units[0].file == DATA && data.find(".visible .entry e();") < data.find("list[1] = {e}"), "{data}");
}
