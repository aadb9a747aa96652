//! Figures: what an issue asks for, what was measured, by which command, at which commit (decision D21).
//!
//! Problem: numbers in prose rot. Strategy: `docs/figures/targets.toml` lists every figure with its target;
//! each campaign writes what it measured through [`record`] into `docs/figures/<id>.json`; `cargo xtask figures` joins
//! both into `docs/figures.md`. A figure nobody measured yet is a row that says so.
//!
//! A record is one JSON object: `id`, `value` (number, in the unit of the target), `note` (text, may be empty: what was
//! left out, on which machine), `command` (how to measure it again), `commit` (short hash, `+` where the tree was not
//! clean), `date` (ISO 8601, UTC day).
//!
//! Invariant: a record has a target; a value is never typed in by hand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::chart::{self, Group};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// One figure that an issue asks for: a row of `docs/figures/targets.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Dotted name, also the name of the record's file.
    pub id: String,
    /// Number of the issue.
    pub issue: u32,
    /// The issue's point in a few words.
    pub point: String,
    /// Unit of target and value.
    pub unit: String,
    /// The value must be at least this.
    pub at_least: Option<f64>,
    /// The value must be at most this.
    pub at_most: Option<f64>,
}

impl Target {
    /// Whether a value meets the target.
    pub fn met(&self, value: f64) -> bool {
        self.at_least.is_none_or(|bound| value >= bound) && self.at_most.is_none_or(|bound| value <= bound)
    }

    fn bound(&self) -> String {
        match (self.at_least, self.at_most) {
            (Some(low), _) => format!(">= {}", number(low)),
            (None, Some(high)) => format!("<= {}", number(high)),
            (None, None) => String::new(),
        }
    }
}

#[derive(Deserialize)]
struct Targets {
    figure: Vec<Target>,
}

/// One measured figure: the content of `docs/figures/<id>.json`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Id of the target.
    pub id: String,
    /// The measured value, in the target's unit.
    pub value: f64,
    /// What a reader has to know beside the number.
    pub note: String,
    /// The command that measures it.
    pub command: String,
    /// Commit of the measured tree.
    pub commit: String,
    /// Day of the measurement, UTC.
    pub date: String,
}

/// Root of the checkout that this program was built from.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// Writes a measured figure beside its target and says whether it is met.
///
/// `command` is what a person types to measure again, such as `cargo campaign mutants`; `note` says what the number leaves
/// out. Call it only with a value that was measured just now.
///
/// # Errors
/// An id without a target, a value that is not finite, and trouble with files.
pub fn record(id: &str, value: f64, command: &str, note: &str) -> Result<()> {
    record_of(id, value, command, note, &commit()?)
}

/// [`record`] for a campaign that ran while the tree went on: `commit` is that of its program.
///
/// # Errors
/// Those of [`record`].
pub fn record_of(id: &str, value: f64, command: &str, note: &str, commit: &str) -> Result<()> {
    let targets = targets()?;
    let Some(target) = targets.iter().find(|target| target.id == id) else {
        bail!("figure {id} has no row in docs/figures/targets.toml");
    };
    ensure!(value.is_finite(), "figure {id} has no finite value");
    let record = Record {
        id: id.to_owned(),
        value,
        note: note.to_owned(),
        command: command.to_owned(),
        commit: commit.to_owned(),
        date: today(),
    };
    let path = root().join(format!("docs/figures/{id}.json"));
    fs::write(&path, serde_json::to_string_pretty(&record)? + "\n").with_context(|| path.display().to_string())?;
    let verdict = if target.met(value) { "met" } else { "missed" };
    println!("figure {id}: {} {} (target {}, {verdict})", number(value), target.unit, target.bound());
    Ok(())
}

/// Writes `docs/figures.md` and the chart of README; with `check` only compares.
///
/// # Errors
/// A record without a target, unreadable files, and with `--check` a stale file.
pub fn run(check: bool) -> Result<()> {
    let root = root();
    let records = records()?;
    let files = [("docs/figures.md", page(&targets()?, &records)?), ("docs/speed.svg", speed(&records)?)];
    for (name, text) in files {
        let path = root.join(name);
        if check {
            ensure!(fs::read_to_string(&path).is_ok_and(|old| old == text), "{name} is stale: make figures");
            continue;
        }
        fs::write(&path, text)?;
        println!("wrote {name}");
    }
    Ok(())
}

/// The chart of README: one module of 321 kernels, ours over ptxas.
fn speed(records: &BTreeMap<String, Record>) -> Result<String> {
    let ratio = |id: &str| Ok::<f64, anyhow::Error>(records.get(id).with_context(|| format!("{id}: no record"))?.value);
    let groups = [
        Group {
            names: ["raddle -O3 -j2", "ptxas -O3 --split-compile=2"],
            title: "Time, both on two threads (ptxas = 1)",
            ratio: ratio("speed.wall")?,
        },
        Group {
            names: ["raddle -O3 -j2", "ptxas -O3, one thread"],
            title: "Peak memory (ptxas = 1)",
            ratio: ratio("speed.memory")?,
        },
    ];
    Ok(chart::svg(&groups, "Time and memory to compile one module of 321 kernels, beside ptxas 13.0.88"))
}

/// Reads the table of targets.
///
/// # Errors
/// A table that cannot be read, and a target without exactly one bound.
pub fn targets() -> Result<Vec<Target>> {
    let path = root().join("docs/figures/targets.toml");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let targets: Targets = toml::from_str(&text).with_context(|| path.display().to_string())?;
    for target in &targets.figure {
        ensure!(target.at_least.is_some() != target.at_most.is_some(), "{}: one bound is needed", target.id);
    }
    Ok(targets.figure)
}

/// Reads the records, by id.
///
/// # Errors
/// A record that cannot be read, or is in a file of another name.
pub fn records() -> Result<BTreeMap<String, Record>> {
    let mut records = BTreeMap::new();
    for entry in fs::read_dir(root().join("docs/figures"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|ext| ext != "json") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let record: Record = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        ensure!(path.file_stem().is_some_and(|stem| *stem == *record.id), "{}: holds {}", path.display(), record.id);
        records.insert(record.id.clone(), record);
    }
    Ok(records)
}

/// The page: one table per issue, its rows in the order of the targets.
fn page(targets: &[Target], records: &BTreeMap<String, Record>) -> Result<String> {
    for id in records.keys() {
        ensure!(targets.iter().any(|target| target.id == *id), "record {id} has no target");
    }
    let mut page = String::from(
        "# Figures\n\nGenerated by `make figures` from docs/figures: every figure an issue asks for, its target, the \
         last measured value, and the\ncommand that measures it. Not to be edited by hand.\n",
    );
    let mut issues: Vec<u32> = targets.iter().map(|target| target.issue).collect();
    issues.sort_unstable();
    issues.dedup();
    for issue in issues {
        let rows: Vec<&Target> = targets.iter().filter(|target| target.issue == issue).collect();
        let measured = rows.iter().filter(|target| records.contains_key(&target.id)).count();
        let met = rows.iter().filter(|t| records.get(&t.id).is_some_and(|r| t.met(r.value))).count();
        let total = rows.len();
        write!(page, "\n## Issue {issue}: {met} of {total} met, {measured} measured\n\n")?;
        page.push_str("| figure | what | target | value | | measured by | commit, day | note |\n");
        page.push_str("|---|---|---|---|---|---|---|---|\n");
        for target in rows {
            write!(page, "| {} | {} | {} {} | ", target.id, target.point, target.bound(), target.unit)?;
            match records.get(&target.id) {
                None => page.push_str("not measured yet | | | | |\n"),
                Some(record) => {
                    let verdict = if target.met(record.value) { "met" } else { "**missed**" };
                    let Record { value, command, commit, date, note, .. } = record;
                    writeln!(page, "{} | {verdict} | `{command}` | {commit}, {date} | {note} |", number(*value))?;
                }
            }
        }
    }
    Ok(page)
}

/// A number as people write it: whole ones grouped by thousands, others with up to four significant decimals.
fn number(value: f64) -> String {
    if value.fract() != 0.0 {
        let text = if value.abs() < 1.0 { format!("{value:.4}") } else { format!("{value:.2}") };
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 { format!("-{text}") } else { text }
}

/// Short hash of the checked-out commit, with `+` where tracked files other than figures differ from it.
pub fn commit() -> Result<String> {
    let git = |args: &[&str]| -> Result<String> {
        let output = Command::new("git").args(args).current_dir(root()).output().context("git")?;
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    let hash = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs"])?;
    Ok(if changed.is_empty() { hash } else { hash + "+" })
}

/// Today in UTC, as YYYY-MM-DD: days since the epoch turned into a date of the Gregorian calendar.
fn today() -> String {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let mut day = (seconds / 86_400) as i64;
    let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let mut year = 1970;
    while day >= 365 + i64::from(leap(year)) {
        day -= 365 + i64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + i64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(id: &str) -> Target {
        Target {
            id: id.into(),
            issue: 7,
            point: "speed".into(),
            unit: "words".into(),
            at_least: Some(1000.0),
            at_most: None,
        }
    }

    #[test]
    fn every_row_of_the_table_is_on_the_page() {
        let targets = [target("a.b"), target("c")];
        let record = Record {
            id: "c".into(),
            value: 999.0,
            note: "one box".into(),
            command: "cargo xtask c".into(),
            commit: "abc".into(),
            date: "2026-11-21".into(),
        };
        let page = page(&targets, &BTreeMap::from([("c".to_owned(), record)])).unwrap();
        assert!(page.contains("| a.b | speed | >= 1,000 words | not measured yet |"), "{page}");
        assert!(page.contains("| 999 | **missed** | `cargo xtask c` | abc, 2026-11-21 | one box |"), "{page}");
        assert!(page.contains("0 of 2 met, 1 measured"), "{page}");
    }

    #[test]
    fn a_record_without_a_target_is_an_error() {
        let error = record("no.such.figure", 1.0, "x", "").unwrap_err();
        assert!(error.to_string().contains("targets.toml"), "{error}");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(1_000_000.0), "1,000,000");
        assert_eq!(number(0.125), "0.125");
        assert_eq!(number(-12.5), "-12.5");
    }

    #[test]
    fn the_table_and_the_records_of_this_checkout_are_sound() {
        page(&targets().unwrap(), &records().unwrap()).unwrap();
    }
}
