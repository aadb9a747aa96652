//! The list of known failures, in one file, with reasons: `corpus/exceptions.toml`.
//!
//! Problem: a table-driven test over kernels x compilers x architectures needs a list of what is
//! unsupported, and such lists become stale. Strategy: a case that fails and is not listed fails
//! the test, and so does a listed case that passes. So the list can only grow by a deliberate edit.
//!
//! A row has `stage`, `name` (of kernel or snippet), `reason`, and optionally `producer` and
//! `arch`; a missing one means all. An architecture without a level (`sm_90` for `sm_90-O1`) means
//! all levels.

use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::kernel::corpus;

/// One case of a table-driven test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Kernel or snippet.
    pub name: String,
    /// The producer of the PTX.
    pub producer: String,
    /// Architecture, such as `sm_90`; empty if it does not matter.
    pub arch: String,
}

impl Case {
    /// Creates a case.
    pub fn new(name: &str, producer: &str, arch: &str) -> Self {
        Self { name: name.to_owned(), producer: producer.to_owned(), arch: arch.to_owned() }
    }
}

/// One row of the list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    stage: String,
    name: String,
    producer: Option<String>,
    arch: Option<String>,
    reason: String,
}

impl Exception {
    fn covers(&self, case: &Case) -> bool {
        self.name == case.name
            && self.producer.as_ref().is_none_or(|p| *p == case.producer)
            && self.arch.as_ref().is_none_or(|a| *a == case.arch || case.arch.starts_with(&format!("{a}-")))
    }
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    exception: Vec<Exception>,
}

/// The result of a stage: cases that passed, and cases that failed as listed.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Cases that passed.
    pub passed: usize,
    /// Cases that failed and are listed.
    pub excepted: usize,
}

/// Compares the results of one stage with the list.
///
/// # Errors
/// Unreadable rows or rows without a reason; cases that failed and are not listed; rows that cover
/// no failing case.
pub fn settle(stage: &str, results: &[(Case, Result<()>)]) -> Result<Outcome> {
    let path = corpus().join("exceptions.toml");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let file: File = toml::from_str(&text).with_context(|| path.display().to_string())?;
    let rows: Vec<Exception> = file.exception.into_iter().filter(|row| row.stage == stage).collect();
    settle_with(stage, &rows, results)
}

fn settle_with(stage: &str, rows: &[Exception], results: &[(Case, Result<()>)]) -> Result<Outcome> {
    let mut complaints = Vec::new();
    let mut outcome = Outcome::default();
    for (case, result) in results {
        let listed = rows.iter().any(|row| row.covers(case));
        let Case { name, producer, arch } = case;
        match (result, listed) {
            (Ok(()), false) => outcome.passed += 1,
            (Err(_), true) => outcome.excepted += 1,
            (Ok(()), true) => complaints.push(format!("{name} ({producer} {arch}) passes: take its row away")),
            (Err(error), false) => complaints.push(format!("{name} ({producer} {arch}): {error:#}")),
        }
    }
    for row in rows {
        ensure!(!row.reason.is_empty(), "{stage}: the row of {} has no reason", row.name);
        // A test may run only some of the architectures: rows of others are ignored.
        let touched = results.iter().any(|(case, _)| case.name == row.name);
        let used = results.iter().any(|(case, _)| row.covers(case));
        if touched && !used && row.arch.is_none() {
            complaints.push(format!("the row of {} ({:?}) covers no case", row.name, row.producer));
        }
    }
    eprintln!("{stage}: {} passed, {} listed as exceptions", outcome.passed, outcome.excepted);
    ensure!(complaints.is_empty(), "{stage}: {} complaints:\n{}", complaints.len(), complaints.join("\n"));
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, arch: Option<&str>) -> Exception {
        let (stage, reason) = ("s".into(), "not yet".into());
        Exception { stage, name: name.into(), producer: None, arch: arch.map(str::to_owned), reason }
    }

    fn results() -> Vec<(Case, Result<()>)> {
        vec![
            (Case::new("good", "nvcc", "sm_80"), Ok(())),
            (Case::new("bad", "nvcc", "sm_80"), Err(anyhow::anyhow!("wrong"))),
            (Case::new("bad", "nvcc", "sm_90"), Err(anyhow::anyhow!("wrong"))),
        ]
    }

    #[test]
    fn a_failure_must_be_listed_and_a_listed_case_must_fail() {
        let outcome = settle_with("s", &[row("bad", None)], &results()).unwrap();
        assert_eq!((outcome.passed, outcome.excepted), (1, 2));
        let error = settle_with("s", &[row("bad", Some("sm_80"))], &results()).unwrap_err().to_string();
        assert!(error.contains("bad (nvcc sm_90): wrong"), "{error}");
        let error = settle_with("s", &[row("bad", None), row("good", None)], &results()).unwrap_err().to_string();
        assert!(error.contains("good (nvcc sm_80) passes"), "{error}");
    }
}
