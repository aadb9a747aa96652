//! Commands on cubins made by ptxas.

use crate::common::{Bench, raddle};

fn fixture(name: &str) -> String {
    format!("{}/../cubin/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn disasm_prints_every_instruction() {
    for name in ["tables.sm_80.cubin", "tables.sm_90.cubin", "variables.sm_90.rel.cubin"] {
        let ran = raddle(&["disasm", &fixture(name), "--hex", "--control"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.contains("EXIT ;") && text.contains("LDC"), "{name}: {text}");
        assert!(text.lines().filter(|line| line.ends_with(" ;")).count() > 20, "{name}: {text}");
    }
    assert_eq!(raddle(&["disasm", &fixture("tables.sm_90.cubin"), "--kernel", "nosuch"]).code, Some(2));
}

#[test]
fn info_lists_kernels_and_variables() {
    let ran = raddle(&["info", &fixture("variables.sm_90.cubin"), "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&value["kind"], &value["sm"]), (&"executable".into(), &90.into()));
    assert_eq!(value["functions"][0]["params"].as_array().unwrap().len(), 3);
    let usage = raddle(&["info", &fixture("variables.sm_90.cubin"), "--resource-usage"]).stdout;
    assert!(String::from_utf8(usage).unwrap().contains("REG:24"));
    // The human format shows the same numbers.
    let people = String::from_utf8(raddle(&["info", &fixture("variables.sm_90.cubin")]).stdout).unwrap();
    assert!(people.starts_with("executable cubin for sm_90, ") && people.contains("gbuf"), "{people}");
    for function in value["functions"].as_array().unwrap() {
        let name = function["name"].as_str().unwrap();
        let line = people.lines().find(|line| line.ends_with(&format!("  {name}"))).unwrap();
        let cells: Vec<&str> = line.split_whitespace().collect();
        for (column, fact) in ["registers", "barriers", "stack", "shared", "code"].into_iter().enumerate() {
            assert_eq!(cells[column], function[fact].to_string(), "{fact} of {name}");
        }
    }
}

#[test]
fn info_shows_people_everything_that_it_shows_machines() {
    for name in ["variables.sm_90.cubin", "variables.sm_80.rel.cubin", "lines.sm_90.cubin"] {
        let machines = raddle(&["info", &fixture(name), "--json"]).stdout;
        let value: serde_json::Value = serde_json::from_slice(&machines).unwrap();
        let ran = raddle(&["info", &fixture(name), "--all"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let people = String::from_utf8(ran.stdout).unwrap();
        let rows: Vec<Vec<&str>> = people.lines().map(|line| line.split_whitespace().collect()).collect();
        // For each list: facts that must appear in one row.
        let lists: [(&str, &[&str]); 6] = [
            ("sections", &["name", "contents", "kind", "offset", "size", "flags", "info"]),
            ("symbols", &["name", "place", "value", "size", "binding", "kind"]),
            ("relocations", &["symbol", "section", "kind", "offset"]),
            ("attributes", &["section", "code"]),
            ("pairs", &["section"]),
            ("segments", &["offset", "file_size", "memory_size"]),
        ];
        for (list, facts) in lists {
            let all = value[list].as_array().unwrap();
            assert!(!all.is_empty() || list == "segments" || list == "relocations", "{name}: no {list}");
            for item in all {
                let cells: Vec<String> = facts
                    .iter()
                    .map(|fact| match &item[*fact] {
                        serde_json::Value::Number(n) => format!("{:#x}", n.as_u64().unwrap()),
                        text => text.as_str().unwrap().to_owned(),
                    })
                    .filter(|cell| !cell.is_empty())
                    .collect();
                let found = rows.iter().any(|row| cells.iter().all(|cell| row.contains(&&**cell)));
                assert!(found, "{name}: no row with {cells:?} of {list} in {people}");
            }
        }
    }
    let bench = Bench::new();
    let text = bench.file("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n");
    assert_eq!(raddle(&["info", &text, "--all"]).code, Some(1));
}

#[test]
fn diff_is_0_for_equal_and_1_for_different_files() {
    let (a, b) = (fixture("tables.sm_90.cubin"), fixture("tables.sm_80.cubin"));
    assert_eq!(raddle(&["diff", &a, &a]).code, Some(0));
    let ran = raddle(&["diff", &a, &b]);
    assert_eq!(ran.code, Some(1));
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.contains("sm_90 -> sm_80") && text.contains("    - 0000") && text.contains("    + 0000"), "{text}");
    let json = raddle(&["diff", &a, &b, "--json"]).stdout;
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&json).unwrap()["sm"], serde_json::json!([90, 80]));
}

#[test]
fn damaged_cubins_are_refused_or_read_but_never_crash() {
    let bench = Bench::new();
    let whole = std::fs::read(fixture("variables.sm_90.cubin")).unwrap();
    for step in 0..40 {
        let cut = bench.file("cut", &whole[..whole.len() * step / 40]);
        assert_eq!(raddle(&["disasm", &cut]).code, Some(1));
        let mut flipped = whole.clone();
        flipped[step * 7] ^= 0xff;
        let flipped = bench.file("flipped", flipped);
        for command in ["disasm", "info"] {
            assert!(matches!(raddle(&[command, &flipped]).code, Some(0 | 1 | 3)), "{command} with byte {}", step * 7);
        }
    }
}

/// Function, offset and text of every instruction in a listing of `cuobjdump -sass`.
fn of_cuobjdump(text: &str) -> Vec<(String, u64, String)> {
    let (mut out, mut function) = (Vec::new(), String::new());
    for line in text.lines() {
        if let Some((_, name)) = line.split_once("Function : ") {
            function = name.trim().to_owned();
        } else if let Some((place, rest)) = line.trim_start().strip_prefix("/*").and_then(|l| l.split_once("*/"))
            && let (Ok(place), Some((text, _))) = (u64::from_str_radix(place, 16), rest.split_once(';'))
        {
            out.push((function.clone(), place, text.trim().to_owned()));
        }
    }
    out.sort();
    out
}

/// The same of our listing.
fn of_disasm(text: &str) -> Vec<(String, u64, String)> {
    let (mut out, mut function) = (Vec::new(), String::new());
    for line in text.lines().filter(|line| !line.starts_with("//")) {
        if let Some(name) = line.strip_suffix(':') {
            function = name.to_owned();
        } else if let Some((place, text)) = line.trim_start().split_once("  ") {
            let text = text.trim_end_matches(';').trim().to_owned();
            out.push((function.clone(), u64::from_str_radix(place, 16).unwrap(), text));
        }
    }
    out.sort();
    out
}

#[test]
fn disasm_of_whole_cubins_is_the_text_of_cuobjdump() {
    use raddle_filetest::corpus::{assemble, ptx};
    use raddle_filetest::oracle::{PTXAS12, require};
    let tools = (require("cuobjdump"), require("ptxas"), require(PTXAS12));
    let (Some(tool), Some(ptxas), Some(ptxas12)) = tools else { return };
    let bench = Bench::new();
    let program = |arch: &str, name: &str| {
        format!("{}/../../tests/corpus/link/tables-many/{arch}/{name}.cubin", env!("CARGO_MANIFEST_DIR"))
    };
    let mut files = Vec::new();
    for arch in ["sm_80", "sm_90"] {
        let linked = bench.path(&format!("{arch}.cubin"));
        let ran = raddle(&["link", &program(arch, "a"), &program(arch, "b"), "-o", &linked]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        files.push(linked);
        files.extend(["lines", "tables", "variables"].map(|name| fixture(&format!("{name}.{arch}.cubin"))));
        files.push(fixture(&format!("variables.{arch}.rel.cubin")));
    }
    // The corpus, each source for one architecture in one form (`cargo campaign objects` tests all).
    // Every third is in the older container of CUDA 12.
    for (i, source) in ptx(&["snippets", "producers"]).iter().step_by(30).enumerate() {
        let arch = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"][i % 5];
        let options: &[&str] = if i % 2 == 1 { &["-c"] } else { &[] };
        let assembler = if i % 3 == 2 { &ptxas12 } else { &ptxas };
        let folder = tempfile::tempdir().unwrap();
        if let Some(bytes) = assemble(assembler, folder.path(), source, arch, options) {
            files.push(bench.file(&format!("{i}.cubin"), bytes));
        }
    }
    assert!(files.len() > 20, "ptxas made too few files: {}", files.len());
    for file in files {
        let theirs = of_cuobjdump(&String::from_utf8(tool.run(&["-sass", &file]).unwrap()).unwrap());
        let ran = raddle(&["disasm", &file]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let ours = of_disasm(&String::from_utf8(ran.stdout).unwrap());
        assert!(theirs.len() >= 4, "{file}: {} instructions", theirs.len());
        assert_eq!(ours, theirs, "{file}");
    }
}
