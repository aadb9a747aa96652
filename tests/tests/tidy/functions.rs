//! Functions are short: what has phases is cut along them.
//!
//! Strategy: the sources are formatted, so a function ends at the first line that is a closing
//! brace with the indentation of its `fn`. Tests do not count.

use std::sync::LazyLock;

use regex::Regex;

use super::source::{code, is_generated, rust_files};
use super::tree::{report, text};

/// The number of lines above which a function needs a reason.
const LINES: usize = 120;

/// Functions above the limit, with their reasons.
const LONG: &[(&str, &str, &str)] = &[
    ("campaigns/src/gpu_latency/forms.rs", "readers", "a table: a form of instruction per operand"),
    ("campaigns/src/gpu_latency/uniform.rs", "readers", "a table: a form of instruction per operand"),
    ("crates/codegen/src/select/int.rs", "int32", "a match with one arm per operation"),
    ("crates/ir/src/verify.rs", "well_typed", "a table: a pattern of widths per operation"),
    ("crates/sim/src/machine/select_float.rs", "select", "a match with one arm per instruction"),
    ("crates/sim/src/machine/select_int.rs", "select", "a match with one arm per instruction"),
    ("crates/sim/src/machine/select_other.rs", "select", "a match with one arm per instruction"),
];

/// The first line of a function: indentation and name.
static FIRST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^( *)(?:pub(?:\([^)]*\))? )?(?:(?:const|async|unsafe|extern "C") )*fn (\w+)"#).expect("a pattern")
});

/// The functions of a text, with their numbers of lines.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if !line.contains("fn ") {
            continue;
        }
        let Some(start) = FIRST.captures(line) else { continue };
        let on_one_line = line.ends_with(['}', ';']);
        let ends = |line: &&str| {
            let rest = line.strip_prefix(&start[1]).unwrap_or_default();
            rest == "}" || rest.starts_with(')') && rest.ends_with(';')
        };
        let more = if on_one_line { Some(0) } else { lines[at..].iter().position(ends) };
        found.push((start[2].to_owned(), 1 + more.unwrap_or(lines.len() - at)));
    }
    found
}

#[test]
fn functions_are_short() {
    let is_test =
        |path: &str| path.starts_with("tests/tests/") || path.starts_with("crates/") && path.contains("/tests/");
    let (mut complaints, mut excused, mut seen) = (Vec::new(), Vec::new(), 0);
    for path in rust_files().into_iter().filter(|path| !is_test(path) && !is_generated(path)) {
        for (name, lines) in functions(code(&text(&path).unwrap_or_default())) {
            seen += 1;
            if lines <= LINES {
                continue;
            }
            match LONG.iter().find(|row| row.0 == path && row.1 == name) {
                Some(row) => excused.push(row),
                None => complaints.push(format!("{path}: {name} has {lines} lines, cut it or give a reason in LONG")),
            }
        }
    }
    assert!(seen > 5000, "only {seen} functions");
    let needless = LONG.iter().filter(|row| !excused.contains(row) || row.2.is_empty());
    complaints.extend(needless.map(|(path, name, _)| format!("{path}: {name} needs no exception any more")));
    report(&complaints);
}

#[test]
fn lines_are_counted_from_the_first_to_the_closing_brace() {
    let text = "pub(crate) const fn a() -> u32 { 1 }\n\
        impl X {\n    fn b(\n        n: u32,\n    ) -> u32\n    where\n        u32: Copy,\n    {\n        if n > 0 {\n            1\n        }\n    }\n}\n\
        trait Y {\n    fn c(\n        self,\n    );\n    fn d(&self);\n}\n\
        unsafe extern \"C\" fn e() {\n    fn f() {\n    }\n}\n// fn g() {\n";
    let found = functions(text);
    let found: Vec<(&str, usize)> = found.iter().map(|(name, lines)| (&**name, *lines)).collect();
    assert_eq!(found, [("a", 1), ("b", 10), ("c", 3), ("d", 1), ("e", 4), ("f", 2)]);
}
