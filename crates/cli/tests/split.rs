//! `raddle split`: a folder of modules that compile by themselves.

mod common;

use common::{Bench, raddle};
use std::collections::BTreeMap;
use std::path::Path;

const MODULE: &str = "\
.version 8.0
.target sm_90
.address_size 64
.global .u32 counter;
.func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; shl.b32 %r, %r, 1; st.param.b32 [r], %r; ret; }
.visible .entry one(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p];
 { .param .b32 a; .param .b32 r; st.param.b32 [a], 4; call (r), twice, (a); ld.param.b32 %r, [r]; } st.global.b32 [%d], %r; ret; }
.visible .entry two() { .reg .b32 %r; atom.global.add.u32 %r, [counter], 1; ret; }
";

/// What is in a folder.
fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|e| (e.file_name().into_string().unwrap(), std::fs::read(e.path()).unwrap())).collect()
}

#[test]
fn a_module_becomes_modules_that_are_right_by_themselves() {
    let bench = Bench::new();
    let (module, folder) = (bench.file("m.ptx", MODULE), bench.path("units"));
    let ran = raddle(&["split", &module, "-o", &folder, "-v"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("module.data.ptx"), "{}", ran.stderr);
    let found = files(&folder);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["manifest.json", "module.data.ptx", "one.ptx", "two.ptx"]);
    for name in &names[1..] {
        let ran = raddle(&["check", Path::new(&folder).join(name).to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
    }
    let list = String::from_utf8(found["manifest.json"].clone()).unwrap();
    for part in [
        "\"schema\": 1",
        "\"source\": \"m.ptx\"",
        "\"counter\": \"counter$private$",
        "\"copied\": [\n        \"twice\"",
    ] {
        assert!(list.contains(part), "{part} in {list}");
    }
    // Again the same bytes, from another place too.
    let (again, other) = (bench.file("other.ptx", MODULE), bench.path("other"));
    assert_eq!(raddle(&["split", &again, "-o", &other]).code, Some(0));
    assert_eq!(files(&other)["two.ptx"], found["two.ptx"]);
}

#[test]
fn units_of_an_earlier_split_do_not_stay_and_other_files_do() {
    let bench = Bench::new();
    let (module, folder) = (bench.file("m.ptx", MODULE), bench.path("units"));
    assert_eq!(raddle(&["split", &module, "-o", &folder]).code, Some(0));
    std::fs::write(Path::new(&folder).join("mine.ptx"), "mine").unwrap();
    let less = bench.file("m.ptx", MODULE.replace("entry two", "entry three"));
    assert_eq!(raddle(&["split", &less, "-o", &folder]).code, Some(0));
    let names: Vec<String> = files(&folder).into_keys().collect();
    assert_eq!(names, ["manifest.json", "mine.ptx", "module.data.ptx", "one.ptx", "three.ptx"]);
}

#[test]
fn wrong_modules_and_folders_write_nothing() {
    let bench = Bench::new();
    let (wrong, folder) =
        (bench.file("m.ptx", MODULE.replace("atom.global.add", "atom.global.frob")), bench.path("units"));
    let ran = raddle(&["split", &wrong, "-o", &folder]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("frob") && !Path::new(&folder).exists(), "{}", ran.stderr);
    let (module, file) = (bench.file("m.ptx", MODULE), bench.file("file", "x"));
    let ran = raddle(&["split", &module, "-o", &file]);
    assert!(ran.code == Some(1) && ran.stderr.contains("E0010"), "{}", ran.stderr);
}
