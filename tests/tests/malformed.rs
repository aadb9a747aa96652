//! Modules of `corpus/malformed`: an error at the right line, never a panic, in bounded time.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use raddle_diag::{Diags, FileId};
use raddle_filetest::work;
use raddle_ptx::{outline, parse_body};
use raddle_tests::kernel::corpus;
use serde::Deserialize;

/// The expected result for a file.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Expected {
    /// Line of the first error, from 1, and a part of its text.
    Error { line: usize, text: String },
    /// No error is found yet, with the reason.
    Gap { gap: String },
}

/// Line and text of every error of a module, in order.
fn errors(text: &str) -> Vec<(usize, String)> {
    let mut diags = Diags::new();
    let module = outline(text, FileId::FIRST, &mut diags);
    for func in module.funcs.keys() {
        parse_body(text, FileId::FIRST, &module, func, &mut diags);
    }
    let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let mut found: Vec<(usize, String)> = diags
        .iter()
        .filter(|d| d.is_error())
        .map(|d| {
            let at = d.span().map_or(0, |span| span.start as usize);
            (lines.partition_point(|end| *end < at) + 1, d.message.to_string())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn every_file_has_the_error_it_is_there_for() {
    let folder = corpus().join("malformed");
    let table = fs::read_to_string(folder.join("expect.toml")).unwrap();
    let expected: BTreeMap<String, Expected> = toml::from_str(&table).unwrap();
    let mut complaints = Vec::new();
    let mut seen = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "ptx") {
            continue;
        }
        seen += 1;
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let errors = errors(&text);
        let Some(want) = expected.get(&name) else {
            complaints.push(format!("{name} has no row in expect.toml: {errors:?}"));
            continue;
        };
        let fine = match want {
            Expected::Error { line, text } => errors.first().is_some_and(|(l, t)| l == line && t.contains(text)),
            Expected::Gap { gap } => errors.is_empty() && !gap.is_empty(),
        };
        if !fine {
            complaints.push(format!("{name}: expect.toml says otherwise than {errors:?}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert_eq!(seen, expected.len(), "files and rows of expect.toml");
}

#[test]
fn mistakes_in_one_function_do_not_hide_those_in_another() {
    let text = fs::read_to_string(corpus().join("malformed/two_mistakes.ptx")).unwrap();
    let lines: Vec<usize> = errors(&text).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [7, 12]);
}

#[test]
fn functions_and_modules_have_a_largest_size() {
    let head = ".version 9.0\n.target sm_90\n.address_size 64\n";
    let long = format!("{head}.entry k() {{ {}}}", "ret;".repeat((1 << 22) + 1));
    let wide = format!("{head}{}", ".pragma \"\";".repeat((1 << 22) + 1));
    let operands = format!("{head}.entry k() {{ .reg .b32 %r<9>; add.s32 {}; }}", "%r1,".repeat(1 << 17));
    let parentheses = format!("{head}.entry k() {{ .reg .b32 %r<9>; mov.u32 %r1, {}; }}", "(".repeat(1 << 17));
    for (text, want) in [
        (&long, "more than 4194304 instructions in one function"),
        (&wide, "more than 4194304 variables"),
        (&operands, "more than 65536 operands"),
        (&parentheses, "expected a simpler expression"),
    ] {
        let found = errors(text);
        assert!(found.len() == 1 && found[0].1.contains(want), "{:?}", found.first());
    }
}

#[test]
fn monsters_end_in_bounded_time() {
    let head = ".version 9.0\n.target sm_90\n.address_size 64\n";
    let body = |inside: &str| format!("{head}.visible .entry k()\n{{\n.reg .b32 %r<9>;\n{inside}\nret;\n}}\n");
    let monsters = [
        ("a long line of blanks", format!("{head}{}", " ".repeat(1 << 26))),
        ("a long name", format!("{head}.global .b8 {}[4];", "x".repeat(1 << 24))),
        ("nested braces", body(&"{".repeat(1 << 20))),
        ("closed nested braces", body(&format!("{}{}", "{".repeat(1 << 20), "}".repeat(1 << 20)))),
        ("nested parentheses", body(&format!("mov.u32 %r1, {}1{};", "(".repeat(1 << 20), ")".repeat(1 << 20)))),
        ("a chain of minus signs", body(&format!("mov.u32 %r1, {}1;", "-".repeat(1 << 20)))),
        ("many errors", body(&"frob.b32 %r1;\n".repeat(1 << 16))),
        ("many labels", body(&(0..1 << 17).map(|i| format!("L{i}: bra L{i};\n")).collect::<String>())),
        ("an initialiser of nested braces", format!("{head}.global .b8 x[4] = {};", "{".repeat(1 << 20))),
        ("a comment without end", format!("{head}/*{}", "*".repeat(1 << 24))),
        ("many quotes", format!("{head}{}", "\"".repeat(1 << 20))),
        ("many registers", body(&".reg .b32 %a<4294967295>;\n".repeat(1000))),
    ];
    for (name, text) in &monsters {
        let begun = work::of_thread();
        let found = errors(text).len();
        work::assert_below(Duration::from_secs(20), begun, &format!("{name}, {found} errors"));
    }
}
