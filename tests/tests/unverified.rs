//! The list of forms that compile and that interpreter or simulator cannot run
//! (`raddle_driver::unverified`) is correct: every spelling of every form of the PTX table is
//! compiled and run in the interpreter, and the code of those that are listed in the simulator.
#![forbid(unsafe_code)]

use raddle_driver::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{OptLevel, Selection};
use raddle_driver::request::{Output, Request};
use raddle_driver::unverified;
use raddle_ptx::FormId;
use raddle_ptx::examples::{PREAMBLE, spellings};
use raddle_sim::failure::FailureKind;
use raddle_sim::launch::{Dim3, Launch};
use raddle_sim::mem::Memory;
use raddle_sim::{interp, machine};
use raddle_target::Target;
use raddle_tests::compile::{How, cubin};
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

/// Whether the simulator does not support the code of an instruction.
fn simulator_refuses(line: &str) -> bool {
    let how = How { arch: "sm_90a", opt: OptLevel::O0, jobs: 1, chaos: None };
    let cubin = cubin(&module(&[line]), how).unwrap_or_else(|e| panic!("{line}: {e:#}"));
    let mut launch = Launch::new("k");
    launch.block = Dim3::from(32);
    let Err(failure) = machine::run(&cubin, &launch, &mut Memory::new()) else { return false };
    matches!(*failure.kind, FailureKind::Unsupported(_))
}

#[test]
fn what_compiles_and_cannot_be_run_is_listed_and_nothing_else() {
    let mut seen = BTreeSet::new();
    let lines: Vec<String> = FormId::all().flat_map(spellings).filter(|line| seen.insert(line.clone())).collect();
    let dotted = |line: &str| line.split(' ').next().unwrap_or("").to_owned();
    let (alone, together): (Vec<&str>, Vec<&str>) =
        lines.iter().map(String::as_str).partition(|line| ENDS.contains(&dotted(line).split('.').next().unwrap_or("")));
    let (mut count, mut missing, mut too_many) = (0, Vec::new(), Vec::new());
    let mut used = BTreeSet::new();
    for chunk in together.chunks(CHUNK).chain(alone.chunks(1)) {
        let left = compiled(chunk);
        count += left.len();
        let unknown = unknown(&left);
        for (number, line) in left.iter().enumerate() {
            let listed = unverified::listed(&dotted(line));
            used.extend(listed.map(|row| row.0));
            match (unknown.get(&number), listed) {
                (Some(why), None) => missing.push(why.clone()),
                (None, Some(row)) if !simulator_refuses(line) => too_many.push(format!("{line}: {}", row.0)),
                _ => {}
            }
        }
    }
    println!("{} spellings, {count} of them compile", lines.len());
    assert!(count > 2000, "{count}");
    assert!(missing.is_empty(), "{} compile, cannot be run and are not listed:\n{}", missing.len(), missing.join("\n"));
    assert!(too_many.is_empty(), "{} can be run and are listed:\n{}", too_many.len(), too_many.join("\n"));
    let idle: Vec<&str> = unverified::LIST.iter().map(|row| row.0).filter(|name| !used.contains(name)).collect();
    assert!(idle.is_empty(), "no spelling that compiles begins with {idle:?}");
}

#[test]
fn the_page_has_the_list() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/status.md")).unwrap();
    let section = page.split_once("\n## Unverified forms\n").expect("a section").1;
    let section = section.split("\n## ").next().unwrap().trim();
    assert_eq!(section, unverified::page().trim(), "cargo campaign unverified");
}
