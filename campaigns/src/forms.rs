//! `cargo campaign forms [--arch SM] [--version V] [--only TEXT] [--all] [--out FILE]`: the forms of the PTX table that
//! ptxas takes for a target and we have no machine code for.
//!
//! Every spelling of every row of the table is judged by ptxas, then lowered and selected. What we refuse is listed by row, with the
//! number of spellings, one of them (with `--all` every one), and why; nothing is run. Without `--arch` all targets with code
//! generation are judged, and the list with its reasons becomes a section of `docs/status.md`: each spelling has a reason in
//! `tests/corpus/forms.toml`, or ptxas takes it and makes no code either.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use raddle_diag::{Diags, FileId};
use raddle_ir::{CodegenOptions, Cx, Stop};
use raddle_ptx::FormId;
use raddle_ptx::examples::spellings;
use raddle_target::{TARGETS, Target};
use raddle_tests::kernel::corpus;

use crate::probe_ptx::{HEAD, judge, module};
use crate::ptx_oracle::Ptxas;
use crate::status;

/// Instructions of one of our modules.
const CHUNK: usize = 50;
/// Behind these nothing runs: each has a module of its own.
const ENDS: &[&str] = &["bra", "brx", "exit", "ret", "trap", "brkpt", "call"];
/// The reason of a spelling that ptxas accepts, and then has no code for: it crashes, or ends with an error of its code generator.
const NEITHER: &str = "ptxas 13.0.88 takes it and makes no code of it either";

#[derive(clap::Args)]
pub struct Options {
    /// Architecture; without it all, and docs/status.md is written
    #[arg(long, value_name = "SM")]
    arch: Option<String>,
    /// PTX version
    #[arg(long, value_name = "V", default_value = "9.0")]
    version: String,
    /// Only instructions that begin with this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// List every spelling that is refused, not one for each row
    #[arg(long)]
    all: bool,
    /// Write the list to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// No ptxas, unknown targets, files that cannot be written, a spelling without a reason.
pub fn run(options: Options) -> Result<()> {
    let ptxas = Ptxas::new("forms")?;
    let mut report = String::new();
    let mut by_target = Vec::new();
    for target in TARGETS.iter().filter(|target| target.native.is_some()) {
        if options.arch.as_ref().is_some_and(|arch| arch != target.name) {
            continue;
        }
        let found = Found::of(&ptxas, target, &options.version, options.only.as_deref())?;
        report += &found.listed(options.all);
        println!(
            "{}: ptxas takes {} of {} spellings; {} of them have no machine code",
            target.name,
            found.taken,
            found.spellings,
            found.missing.len()
        );
        by_target.push((target.name, found));
    }
    ensure!(!by_target.is_empty(), "no target {}", options.arch.unwrap_or_default());
    match &options.out {
        Some(path) => std::fs::write(path, &report)?,
        None => print!("{report}"),
    }
    if options.arch.is_none() && options.only.is_none() {
        status::write("Spellings of PTX without machine code", &section(&ptxas, &options.version, &by_target)?)?;
    }
    Ok(())
}

/// A spelling that ptxas takes and we refuse.
struct Missing {
    op: String,
    text: String,
    /// What our compiler says.
    why: String,
}

/// What a target lacks.
struct Found {
    /// Spellings of the table.
    spellings: usize,
    /// Those that ptxas takes.
    taken: usize,
    missing: Vec<Missing>,
}

impl Found {
    fn of(ptxas: &Ptxas, target: &'static Target, version: &str, only: Option<&str>) -> Result<Found> {
        let arch = target.name;
        let mut seen = BTreeSet::new();
        let mut lines: Vec<(FormId, String)> =
            FormId::all().flat_map(|form| spellings(form).into_iter().map(move |line| (form, line))).collect();
        lines.retain(|(_, line)| seen.insert(line.clone()) && only.is_none_or(|t| line.starts_with(t)));
        let texts: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        let rejected = judge(ptxas, version, arch, &texts)?;
        let taken: Vec<usize> = (0..lines.len()).filter(|i| !rejected.contains_key(i)).collect();
        let (alone, together): (Vec<usize>, Vec<usize>) =
            taken.iter().partition(|&&i| ENDS.contains(&texts[i].split(['.', ' ']).next().unwrap_or("")));
        // An instruction may be refused for what is before it: in the end each is alone.
        let of = |chunk: &[usize]| {
            let chosen: Vec<Option<&str>> = chunk.iter().map(|&i| Some(texts[i])).collect();
            let mut refused = BTreeMap::new();
            for (line, why) in refusals(&module(version, arch, &chosen), target) {
                if let Some(&i) = (line as usize).checked_sub(HEAD).and_then(|n| chunk.get(n)) {
                    refused.entry(i).or_insert(why);
                }
            }
            refused
        };
        let refused: BTreeSet<usize> =
            together.chunks(CHUNK).chain(alone.chunks(1)).flat_map(|chunk| of(chunk).into_keys()).collect();
        let missing = refused.into_iter().flat_map(|i| of(&[i])).map(|(i, why)| {
            let (form, text) = &lines[i];
            Missing { op: form.op().name().to_owned(), text: text.clone(), why }
        });
        Ok(Found { spellings: lines.len(), taken: taken.len(), missing: missing.collect() })
    }

    /// The list by operation and reason, the longest first.
    fn listed(&self, all: bool) -> String {
        let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for Missing { op, text, why } in &self.missing {
            groups.entry((op, why)).or_default().push(text);
        }
        let mut list: Vec<_> = groups.into_iter().collect();
        list.sort_by_key(|(key, members)| (std::cmp::Reverse(members.len()), *key));
        let mut out = String::new();
        for ((op, why), members) in &list {
            for text in &members[..if all { members.len() } else { 1 }] {
                let _ = writeln!(out, "{:6} {op}: {why} | {text}", members.len());
            }
        }
        out
    }
}

/// Why spellings have no machine code: a row of `tests/corpus/forms.toml`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    /// The spellings begin with this.
    op: String,
    /// They contain this, too.
    #[serde(default)]
    part: String,
    /// The fact that is not published, and what would give it.
    why: String,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Reasons {
    reason: Vec<Reason>,
}

/// Returns the reasons with the number of spellings for each target.
fn reasons(ptxas: &Ptxas, version: &str, found: &[(&str, Found)]) -> Result<Vec<(String, String, Vec<usize>)>> {
    let path = corpus().join("forms.toml");
    let rows = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let rows = toml::from_str::<Reasons>(&rows)?.reason;
    let mut counts: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    let mut used = vec![false; rows.len()];
    for (n, (target, found)) in found.iter().enumerate() {
        for Missing { op, text, why } in &found.missing {
            let row = rows.iter().position(|row| text.starts_with(&row.op) && text.contains(&row.part));
            let key = match row {
                Some(row) => {
                    used[row] = true;
                    let Reason { op, part, why } = &rows[row];
                    (if part.is_empty() { op.clone() } else { format!("{op}, {part}") }, why.clone())
                }
                None => {
                    let (verdict, code) = ptxas.run(&module(version, target, &[Some(text)]), target)?;
                    ensure!(code.is_none(), "{target}: no reason for `{text}` ({why}): {verdict:?}");
                    (op.clone(), NEITHER.to_owned())
                }
            };
            counts.entry(key).or_insert_with(|| vec![0; 5])[n] += 1;
        }
    }
    let idle = rows.iter().zip(used).find(|(_, used)| !used);
    ensure!(idle.is_none(), "no spelling is missing for `{}`", idle.map_or("", |(row, _)| &row.op));
    Ok(counts.into_iter().map(|((what, why), counts)| (what, why, counts)).collect())
}

/// The section of `docs/status.md`.
fn section(ptxas: &Ptxas, version: &str, found: &[(&str, Found)]) -> Result<String> {
    let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
    let numbers = |of: &dyn Fn(&Found) -> usize| -> String {
        found.iter().map(|(_, found)| of(found).to_string()).collect::<Vec<_>>().join(" | ")
    };
    let mut out = format!(
        "Generated by `cargo campaign forms`: of the {} spellings that the PTX table has, how many ptxas takes for PTX {version}, and which of\n\
         those have no machine code here, with the reason. A test holds that each of them has one.\n\n\
         | | {} | because |\n|---|{}---|\n| ptxas takes | {} | |\n| no code here | {} | |\n",
        found.first().map_or(0, |(_, found)| found.spellings),
        names.join(" | "),
        "---|".repeat(names.len()),
        numbers(&|found| found.taken),
        numbers(&|found| found.missing.len()),
    );
    for (what, why, counts) in reasons(ptxas, version, found)? {
        let counts: Vec<String> = counts[..names.len()].iter().map(ToString::to_string).collect();
        writeln!(out, "| `{what}` | {} | {why} |", counts.join(" | "))?;
    }
    Ok(out)
}

/// Lines of a module that are refused, and why.
fn refusals(src: &str, target: &'static Target) -> Vec<(u32, String)> {
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(src, FileId::FIRST, &mut diags);
    let lines: Vec<usize> = std::iter::once(0).chain(src.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let bodies = Default::default();
    let options = CodegenOptions::default();
    let cx = Cx::new(target, &options);
    let mut out = Vec::new();
    for (func, f) in outline.kernels() {
        let body = raddle_ptx::parse_body(src, FileId::FIRST, &outline, func, &mut diags);
        let line = |at: u32| lines.partition_point(|&s| s <= f.text.start + at as usize) as u32;
        let input = raddle_lower::Input {
            outline: &outline,
            func,
            body: &body,
            bodies: &bodies,
            out_of_line: None,
            src,
            line: &line,
            lines: None,
            serial_products: None,
        };
        let stopped = |stop: Stop| match stop {
            Stop::Unsupported(list) => list,
            _ => Vec::new(),
        };
        let mut list = Vec::new();
        match raddle_lower::coverage(&cx, &input) {
            Ok((function, lowering)) => {
                list.extend(lowering);
                list.extend(raddle_codegen::coverage(&cx, &function).unwrap_or_else(stopped));
            }
            Err(stop) => list.extend(stopped(stop)),
        }
        out.extend(list.into_iter().map(|u| (u.line, u.why)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_without_code_has_a_reason() {
        if raddle_filetest::oracle::require("ptxas").is_none() {
            return;
        }
        let ptxas = Ptxas::new("forms-test").unwrap();
        let targets = TARGETS.iter().filter(|target| target.native.is_some());
        let found: Vec<_> = targets.map(|t| (t.name, Found::of(&ptxas, t, "9.0", None).unwrap())).collect();
        assert_eq!(found.len(), 5);
        let rows = reasons(&ptxas, "9.0", &found).unwrap();
        let listed: usize = rows.iter().flat_map(|(_, _, counts)| counts).sum();
        assert_eq!(listed, found.iter().map(|(_, found)| found.missing.len()).sum::<usize>());
    }
}
