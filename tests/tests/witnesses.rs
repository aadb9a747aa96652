//! What compiles has a witness: every spelling of every form of the PTX table that compiles can be
//! run by the interpreter. Code that nothing can be compared with is not supported.

use raddle_driver::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::Selection;
use raddle_driver::request::{Output, Request};
use raddle_ptx::FormId;
use raddle_ptx::examples::{PREAMBLE, spellings};
use raddle_sim::failure::FailureKind;
use raddle_sim::interp;
use raddle_sim::launch::Launch;
use raddle_sim::mem::Memory;
use raddle_target::Target;
use std::collections::{BTreeMap, BTreeSet};

/// Instructions of one module.
const CHUNK: usize = 50;

/// These end or redirect execution: each has a separate module.
const ENDS: &[&str] = &["bra", "brx", "exit", "ret", "trap", "brkpt", "call"];

/// Lines before the first instruction.
const HEAD: usize = 5;

fn module(lines: &[&str]) -> String {
    let body: String = lines.iter().map(|line| format!("{line};\n")).collect();
    format!(".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k() {{\n{PREAMBLE}\n{body}ret; }}\n")
}

/// The instructions, by number, that cannot be parsed or compiled.
fn refused(lines: &[&str]) -> BTreeSet<usize> {
    let input = Input { name: "forms.ptx".into(), content: Content::Text(module(lines)) };
    let selection = Selection { arch: Target::by_name("sm_90a"), ..Selection::default() };
    let report = compile::compile(
        Request { output: Output::Check, inputs: vec![input], selection, ..Request::default() },
        &mut (),
    );
    let places = report.diags.iter().filter(|d| d.is_error()).map(|d| {
        let span = d.span().unwrap_or_else(|| panic!("{d:?}"));
        report.sources.get(span.file).unwrap().line(span.start as usize) - HEAD - 1
    });
    places.collect()
}

/// The instructions that compile.
fn compiled<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let mut left = lines.to_vec();
    loop {
        // An invalid line may hide others that lowering refuses.
        let wrong = refused(&left);
        if wrong.is_empty() {
            return left;
        }
        let mut number = 0..;
        left.retain(|_| number.next().is_some_and(|n| !wrong.contains(&n)));
    }
}

/// The instructions, by number, that the interpreter does not support, each with its reason.
fn unknown(lines: &[&str]) -> BTreeMap<usize, String> {
    let mut launch = Launch::new("k");
    // Only decoding matters: the registers hold no meaningful values.
    launch.max_steps = 1;
    let Err(failure) = interp::run(&module(lines), &launch, &mut Memory::new()) else { return BTreeMap::new() };
    let FailureKind::Unsupported(list) = *failure.kind else { return BTreeMap::new() };
    let rows = list.lines().filter_map(|line| {
        let (number, text) = line.trim().strip_prefix("k, line ")?.split_once(": ")?;
        Some((number.parse::<usize>().ok()? - HEAD - 1, text.to_owned()))
    });
    rows.collect()
}

#[test]
fn what_compiles_can_be_run() {
    let mut seen = BTreeSet::new();
    let lines: Vec<String> = FormId::all().flat_map(spellings).filter(|line| seen.insert(line.clone())).collect();
    let dotted = |line: &str| line.split(' ').next().unwrap_or("").to_owned();
    let (alone, together): (Vec<&str>, Vec<&str>) =
        lines.iter().map(String::as_str).partition(|line| ENDS.contains(&dotted(line).split('.').next().unwrap_or("")));
    let (mut count, mut missing) = (0, Vec::new());
    for chunk in together.chunks(CHUNK).chain(alone.chunks(1)) {
        let left = compiled(chunk);
        count += left.len();
        missing.extend(unknown(&left).into_values());
    }
    println!("{} spellings, {count} of them compile", lines.len());
    assert!(count > 2500, "{count}");
    assert!(missing.is_empty(), "{} compile and cannot be run:\n{}", missing.len(), missing.join("\n"));
}
