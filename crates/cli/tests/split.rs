//! `raddle split`: a folder of modules that compile independently.

use crate::common::{Bench, raddle};
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

/// The files in a folder.
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
    // The same bytes again, also from another path.
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

#[test]
fn units_compiled_by_other_processes_link_to_what_one_command_gives() {
    let bench = Bench::new();
    let (module, folder) = (bench.file("m.ptx", MODULE), bench.path("units"));
    assert_eq!(raddle(&["split", &module, "-o", &folder]).code, Some(0));
    let mut args = vec!["link".to_owned()];
    for name in ["two.ptx", "one.ptx", "module.data.ptx"] {
        let (unit, object) = (format!("{folder}/{name}"), format!("{folder}/{name}.o"));
        let ran = raddle(&["compile", "-c", &unit, "-o", &object]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        args.push(object);
    }
    let (by_hand, at_once) = (bench.path("a.cubin"), bench.path("b.cubin"));
    args.extend(["-o".to_owned(), by_hand.clone()]);
    let ran = raddle(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = raddle(&["compile", &module, "-o", &at_once, "--split-compile-extended=2", "--verify-split"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("3 objects: 2 functions equal, 0 not"), "{}", ran.stderr);
    assert!(std::fs::read(&by_hand).unwrap() == std::fs::read(&at_once).unwrap());
    let json = raddle(&["link", &module, "-o", &at_once, "--verify-split", "--message-format=json"]);
    assert!(json.stderr.contains("\"kind\":\"split\"") && json.stderr.contains("\"equal\":2"), "{}", json.stderr);
}

#[test]
fn the_extended_option_goes_before_the_other_and_that_is_told() {
    let bench = Bench::new();
    let (module, output) = (bench.file("m.ptx", MODULE), bench.path("o"));
    let args = ["compile", &module, "-o", &output, "--split-compile=4", "--split-compile-extended=2"];
    let ran = raddle(&args);
    assert!(ran.code == Some(0) && ran.stderr.contains("info[E0085]"), "{}", ran.stderr);
    let ran = raddle(&[&args[..], &["--warnings-as-errors"]].concat());
    assert_eq!(ran.code, Some(0), "no warning: {}", ran.stderr);
    for wrong in ["-1", "many", ""] {
        assert_eq!(raddle(&["compile", &module, "-o", &output, &format!("--split-compile={wrong}")]).code, Some(2));
    }
    // Without units the bytes are those of an ordinary compilation.
    let plain = bench.path("plain");
    for (output, more) in [(&output, "--split-compile=1"), (&plain, "-j2")] {
        assert_eq!(raddle(&["compile", &module, "-o", output, more]).code, Some(0));
    }
    assert!(std::fs::read(&output).unwrap() == std::fs::read(&plain).unwrap());
}

#[test]
fn the_program_of_the_units_runs_and_its_private_variables_have_their_names() {
    let bench = Bench::new();
    let (module, folder) = (bench.file("m.ptx", MODULE), bench.path("units"));
    assert_eq!(raddle(&["split", &module, "-o", &folder]).code, Some(0));
    let mut objects = Vec::new();
    for unit in ["two", "module.data", "one"] {
        let object = bench.path(&format!("{unit}.o"));
        let file = Path::new(&folder).join(format!("{unit}.ptx"));
        let ran = raddle(&["compile", "-c", file.to_str().unwrap(), "-o", &object]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        objects.push(object);
    }
    let marked = |file: &str| {
        let bytes = std::fs::read(file).unwrap();
        let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        (has("counter"), has("$private$"))
    };
    let (object, program, whole) = (bench.path("r.o"), bench.path("p.cubin"), bench.path("w.cubin"));
    let files: Vec<&str> = objects.iter().map(String::as_str).collect();
    for (options, to) in [(&["link", "-r", "-o"][..], &object), (&["link", "-o"][..], &program)] {
        let ran = raddle(&[options, &[to], &files].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let ran = raddle(&["compile", "--split-compile-extended=2", &module, "-o", &whole]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // A relocatable object needs the unique names; a program has those of its text.
    assert_eq!([&object, &program, &whole].map(|file| marked(file)), [(true, true), (true, false), (true, false)]);
    for cubin in [&program, &whole] {
        let out = bench.path("out");
        let line = ["run", cubin, "--kernel", "one", "--grid", "1", "--block", "1", "--arg", &format!("out:{out}:4")];
        let ran = raddle(&line);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(std::fs::read(&out).unwrap(), [8, 0, 0, 0]);
    }
}
