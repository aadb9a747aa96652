//! `raddle link`: outputs, exit codes, messages, and inputs inside of other files.

mod common;

use common::{Bench, raddle};
use raddle_fatbin::{Kind, NewMember, write};
use std::path::Path;

fn object(program: &str, name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/link");
    folder.join(program).join("sm_90").join(name).display().to_string()
}

#[test]
fn objects_in_any_order_and_on_any_number_of_threads_give_the_same_file() {
    let bench = Bench::new();
    let (a, b) = (object("calls", "a.cubin"), object("calls", "b.cubin"));
    let mut all = Vec::new();
    for (number, (files, jobs)) in [([&a, &b], "1"), ([&b, &a], "1"), ([&b, &a], "2")].into_iter().enumerate() {
        let output = bench.file(&format!("{number}.cubin"), "old");
        let ran = raddle(&["link", files[0], files[1], "-o", &output, "-j", jobs]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        all.push(std::fs::read(&output).unwrap());
    }
    assert!(all[0] == all[1] && all[1] == all[2] && all[0].starts_with(b"\x7fELF"));
}

#[test]
fn an_undefined_symbol_is_named_as_people_wrote_it_and_nothing_is_written() {
    let bench = Bench::new();
    let output = bench.file("out.cubin", "old");
    let ran = raddle(&["link", &object("missing", "a.cubin"), "-o", &output]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("E0065") && ran.stderr.contains("nobody(int) (_Z6nobodyi)"), "{}", ran.stderr);
    assert_eq!(std::fs::read(&output).unwrap(), b"old");
    let ran = raddle(&["link", &object("missing", "a.cubin"), "-o", &output, "--message-format=json"]);
    let codes = ran.stderr.lines().filter(|line| line.contains("E0065")).count();
    assert_eq!(codes, 2, "{}", ran.stderr);
}

#[test]
fn fatbins_are_taken_apart_and_other_kinds_refused() {
    let bench = Bench::new();
    let (a, b) = (std::fs::read(object("calls", "a.cubin")).unwrap(), object("calls", "b.cubin"));
    let member = |kind, contents| NewMember { kind, sm: 90, version: (8, 0), contents };
    let fatbin = bench.file("a.fatbin", write(&[member(Kind::Cubin, &a)]));
    let lto = bench.file("lto.fatbin", write(&[member(Kind::LtoIr, b"\x01\x02\x03\x04")]));
    let text = bench.file("k.ptx", ".version 9.0\n.target sm_90\n.address_size 64\n");
    let output = bench.file("out.cubin", "old");
    let ran = raddle(&["link", &fatbin, &b, "-o", &output]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for (file, code, says) in [(&lto, 3, "LTO-IR"), (&text, 3, "is PTX"), (&output, 1, "is an executable")] {
        let ran = raddle(&["link", file, "-o", &output]);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
    let ran = raddle(&["link", &b, "-l", "none", "-o", &output]);
    assert!(ran.code == Some(1) && ran.stderr.contains("no libnone.a"), "{}", ran.stderr);
}

#[test]
fn questions_are_answered() {
    let bench = Bench::new();
    let (output, map) = (bench.file("out.cubin", "old"), bench.file("map", "old"));
    let files = [object("unused", "a.cubin"), object("unused", "b.cubin")];
    let args = ["link", &files[0], &files[1], "-o", &output, "--map", &map, "--why-live", "used", "--why-live", "deep"];
    let ran = raddle(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, b"used <- ka\ndeep: removed, no kernel reaches it\n");
    let map = std::fs::read_to_string(&map).unwrap();
    assert!(map.contains(".text.used") && map.contains("Removed\n") && map.contains("  deep  "), "{map}");
    let ran = raddle(&["link", &files[0], &files[1], "-o", &output, "--trace-symbol", "nothing"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}
