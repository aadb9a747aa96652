//! Decides the public litmus tests for PTX and compares them with their listed verdicts.
//!
//! A checkout has programs (`*.litmus`) under `litmus/PTX` and lists of verdicts (`litmus/PTX/...,
//! 1`) in the files `dartagnan/src/test/resources/PTX*-expected.csv`: 1 if the answer is yes. Lists
//! with `Liveness` in their name answer another question, whether all threads terminate under a
//! fair schedule, which the axioms of memory do not determine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use raddle_ir::order::Rules;

use super::decide::answer;
use super::parse::{Refused, parse};
use super::swap::unsound;

/// The number of backward jumps in each thread.
pub const TURNS: usize = 2;

/// The results for the programs of a checkout.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of answers that agree with the list.
    pub agreeing: usize,
    /// The number of answers without a listed verdict.
    pub unlisted: usize,
    /// Answers that differ from the list.
    pub different: Vec<String>,
    /// Undecided: the number of programs for each unsupported construct.
    pub lacking: BTreeMap<String, usize>,
    /// Verdicts on termination, which are not checked here.
    pub liveness: usize,
    /// Pairs of operations that may be reordered.
    pub pairs: usize,
    /// Pairs whose exchange adds an outcome.
    pub unsound: Vec<String>,
}

impl Report {
    /// The number of decided programs.
    pub fn decided(&self) -> usize {
        self.agreeing + self.unlisted + self.different.len()
    }
}

/// Whether a file of a checkout is one of those that [`judge`] reads.
pub fn is_read(path: &str) -> bool {
    path.starts_with("litmus/PTX/")
        || path.strip_prefix("dartagnan/src/test/resources/PTX").is_some_and(|name| name.ends_with("-expected.csv"))
}

/// Decides the programs of a checkout.
///
/// # Errors
/// Files that cannot be read, lists that contradict each other, a checkout without programs, a
/// malformed program.
pub fn judge(sources: &Path) -> Result<Report> {
    let mut report = Report::default();
    let verdicts = verdicts(&sources.join("dartagnan/src/test/resources"), &mut report)?;
    let files = programs(&sources.join("litmus/PTX"))?;
    ensure!(!files.is_empty(), "{}: no programs", sources.display());
    for path in files {
        let name = path.strip_prefix(sources)?.to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).with_context(|| name.clone())?;
        let program = match parse(&text) {
            Ok(program) => program,
            Err(Refused::Lacks(what)) => {
                *report.lacking.entry(what.to_owned()).or_default() += 1;
                continue;
            }
            Err(refused) => anyhow::bail!("{name}: {refused}"),
        };
        let Ok(ours) = answer(&program, TURNS) else {
            *report.lacking.entry("an execution count within the limit".to_owned()).or_default() += 1;
            continue;
        };
        match verdicts.get(&name) {
            None => report.unlisted += 1,
            Some(theirs) if *theirs == ours => report.agreeing += 1,
            Some(theirs) => report.different.push(format!("{name}: {ours}, the list says {theirs}")),
        }
        match unsound(&program, Rules::ALL, 1) {
            Ok((found, pairs)) => {
                report.pairs += pairs;
                report.unsound.extend(found.iter().map(|u| format!("{name}: {u:?}")));
            }
            Err(limit) => report.unsound.push(format!("{name}: not tried, {limit:?}")),
        }
    }
    Ok(report)
}

/// The verdicts of all lists, by the program's path.
fn verdicts(dir: &Path, report: &mut Report) -> Result<BTreeMap<String, bool>> {
    let mut verdicts = BTreeMap::new();
    for path in entries(dir)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("PTX") || !name.ends_with("-expected.csv") {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let rows = text.lines().filter_map(|row| row.trim().split_once(','));
        if name.contains("Liveness") {
            report.liveness = report.liveness.max(rows.count());
            continue;
        }
        for (program, verdict) in rows {
            let verdict = verdict.trim() == "1";
            let before = verdicts.insert(program.to_owned(), verdict);
            ensure!(before.is_none_or(|b| b == verdict), "{program}: two lists contradict each other");
        }
    }
    Ok(verdicts)
}

/// The programs below a folder, in the order of their paths.
fn programs(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for path in entries(dir)? {
        if path.is_dir() {
            out.extend(programs(&path)?);
        } else if path.extension().is_some_and(|e| e == "litmus") {
            out.push(path);
        }
    }
    Ok(out)
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>> {
    let list = fs::read_dir(dir).with_context(|| dir.display().to_string())?;
    let mut paths = list.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
