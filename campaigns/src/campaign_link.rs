//! `cargo campaign campaign-link`: our device linker beside nvlink over the corpus; writes docs/link.md, records the figure.
//!
//! Programs of several objects come from `tests/corpus/link`; every PTX module of the corpus (kernels, modules, producers) that
//! ptxas takes for an architecture is a program of one object. Both linkers get the same objects in the same order; compared
//! is the code of every function, byte for byte, and what a loader sees beside it (`cubin::facts`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::link::{ARCHES, Program, differences, facts_of, nvlink, ours, programs};

use crate::files;
use xtask::figures;

/// Folders with modules of one object each.
const MODULES: &[&str] = &["tests/corpus/kernels", "tests/corpus/modules", "tests/corpus/producers"];

/// Why facts differ, by the beginning of a line; the first that fits counts.
const REASONS: &[(&str, &str)] = &[
    (
        "code ",
        "variables in shared memory of equal size and alignment that one kernel reaches: nvlink's order of them is that of an unstable sort",
    ),
    (
        "memory .nv.shared.",
        "a kernel without shared memory on sm_90: nvlink lists the system's 1,024 bytes for it or not, depending on functions that it \
         does not call",
    ),
    ("memory .nv.global ", "common symbols: we take the largest alignment of a name, nvlink that of its first object"),
];

#[derive(Default)]
struct Row {
    programs: u32,
    /// Programs that both refuse.
    refused: u32,
    functions: u32,
    equal: u32,
    /// Programs whose facts are all equal.
    same: u32,
}

pub fn run() -> Result<()> {
    let tool = oracle::find("nvlink").context("nvlink is needed: make oracles")?;
    let ptxas = oracle::find("ptxas").context("ptxas is needed: make oracles")?;
    let mut rows: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    let mut unknown = Vec::new();
    for arch in ARCHES {
        for program in programs(arch)? {
            let row = rows.entry(("several objects", arch)).or_default();
            compare(&tool, &program, row, &mut reasons, &mut unknown)?;
        }
        for module in modules()? {
            let Some(program) = assemble(&ptxas, &module, arch)? else { continue };
            let row = rows.entry(("one object", arch)).or_default();
            compare(&tool, &program, row, &mut reasons, &mut unknown)?;
        }
    }
    let (functions, equal) = rows.values().fold((0, 0), |(f, e), r| (f + r.functions, e + r.equal));
    ensure!(functions > 0, "nothing was linked");
    for line in &unknown {
        println!("{line}");
    }
    fs::write(figures::root().join("docs/link.md"), page(&rows, &reasons, &unknown))?;
    ensure!(unknown.is_empty(), "{} differences without a listed reason", unknown.len());
    let share = f64::from(equal * 10_000 / functions) / 100.0;
    let note = format!("{equal} of {functions} functions; docs/link.md has the rest by reason");
    println!("{share} % {note}");
    figures::record("link.text", share, "cargo campaign campaign-link", &note)
}

/// The PTX modules of the corpus, sorted.
fn modules() -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    MODULES.iter().try_for_each(|folder| files::ptx(&figures::root().join(folder), &mut out))?;
    Ok(out)
}

/// The module as a relocatable object; `None` if ptxas does not take it for the architecture.
fn assemble(ptxas: &Oracle, module: &Path, arch: &'static str) -> Result<Option<Program>> {
    let folder = tempfile::tempdir()?;
    let object = folder.path().join("a.cubin");
    let shown = |path: &Path| path.display().to_string();
    let args = [format!("-arch={arch}"), "-c".into(), shown(module), "-o".into(), shown(&object)];
    if !ptxas.output(&args)?.status.success() {
        return Ok(None);
    }
    let name = module.strip_prefix(figures::root())?.display().to_string();
    Ok(Some(Program { name, arch, objects: vec![("a.cubin".into(), fs::read(object)?)] }))
}

fn compare(
    tool: &Oracle,
    program: &Program,
    row: &mut Row,
    reasons: &mut BTreeMap<&str, u32>,
    unknown: &mut Vec<String>,
) -> Result<()> {
    row.programs += 1;
    let mut tell = |what: String| unknown.push(format!("{} {}: {what}", program.name, program.arch));
    let linked = match ours(program) {
        Ok(linked) => linked,
        Err(problems) => {
            let order: Vec<String> = program.objects.iter().map(|o| o.0.clone()).collect();
            match nvlink(tool, program, &order)? {
                Ok(_) => tell(format!("nvlink links it, we say: {}", problems[0])),
                Err(_) => row.refused += 1,
            }
            return Ok(());
        }
    };
    let theirs = match nvlink(tool, program, &linked.order)? {
        Ok(theirs) => theirs,
        Err(said) => {
            tell(format!("we link it, nvlink says: {}", said.lines().next().unwrap_or_default()));
            return Ok(());
        }
    };
    let (a, b) = (code(&linked.bytes)?, code(&theirs)?);
    row.functions += b.len() as u32;
    row.equal += b.iter().filter(|f| a.contains(f)).count() as u32;
    let found = differences(&facts_of(&linked.bytes)?, &facts_of(&theirs)?);
    row.same += u32::from(found.is_empty());
    for line in found.iter().filter(|l| l.starts_with('-')) {
        match REASONS.iter().find(|r| line[2..].starts_with(r.0)) {
            Some((_, reason)) => *reasons.entry(reason).or_default() += 1,
            None => tell(line.clone()),
        }
    }
    for line in found.iter().filter(|l| l.starts_with('+')) {
        if !REASONS.iter().any(|r| line[2..].starts_with(r.0)) {
            tell(line.clone());
        }
    }
    Ok(())
}

/// Name and code of every function.
fn code(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>> {
    let cubin = Cubin::parse(bytes)?;
    Ok(cubin.functions().iter().map(|f| (f.name.to_owned(), f.code.to_vec())).collect())
}

fn page(rows: &BTreeMap<(&str, &str), Row>, reasons: &BTreeMap<&str, u32>, unknown: &[String]) -> String {
    let mut out = String::from(
        "<!-- Written by `cargo campaign campaign-link`. -->\n# raddle link beside nvlink\n\n\
         Both linkers get the same objects (ptxas 13.0.88 with `-c`) in the same order. Facts are what a loader sees: code, symbols with\n\
         their bindings, relocations, constant banks, memory, registers, stack, barriers and all attributes.\n\n\
         | programs of | architecture | programs | refused by both | functions | code equal | programs with all facts equal |\n\
         |---|---|---:|---:|---:|---:|---:|\n",
    );
    for ((set, arch), r) in rows {
        let _ = writeln!(
            out,
            "| {set} | {arch} | {} | {} | {} | {} | {} |",
            r.programs, r.refused, r.functions, r.equal, r.same
        );
    }
    out.push_str("\nWhat differs, by reason:\n\n| lines | reason |\n|---:|---|\n");
    for (reason, lines) in reasons {
        let _ = writeln!(out, "| {lines} | {reason} |");
    }
    let _ = writeln!(out, "| {} | not explained |", unknown.len());
    out
}
