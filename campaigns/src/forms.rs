//! `cargo campaign forms [--arch SM] [--version V] [--only TEXT] [--all yes] [--out FILE]`: the forms of the PTX table that
//! ptxas takes for a target and we have no machine code for.
//!
//! Every spelling of every row of the table is judged by ptxas, then lowered and selected. What we refuse is listed by row, with the
//! number of spellings, one of them (with `--all yes` every one), and why; nothing is run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use raddle_diag::{Diags, FileId};
use raddle_ir::{CodegenOptions, Cx, Stop};
use raddle_ptx::FormId;
use raddle_ptx::examples::spellings;
use raddle_target::Target;

use crate::probe_ptx::{HEAD, judge, module};
use crate::ptx_oracle::Ptxas;

/// Instructions of one of our modules.
const CHUNK: usize = 50;
/// Behind these nothing runs: each has a module of its own.
const ENDS: &[&str] = &["bra", "brx", "exit", "ret", "trap", "brkpt", "call"];

#[derive(clap::Args)]
pub struct Options {
    /// Architecture
    #[arg(long, value_name = "SM", default_value = "sm_90")]
    arch: String,
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
/// No ptxas, unknown targets, files that cannot be written.
pub fn run(options: Options) -> Result<()> {
    let (arch, version) = (options.arch.as_str(), options.version.as_str());
    let target = Target::by_name(arch).with_context(|| format!("no target {arch}"))?;
    let mut seen = BTreeSet::new();
    let mut lines: Vec<(FormId, String)> =
        FormId::all().flat_map(|form| spellings(form).into_iter().map(move |line| (form, line))).collect();
    lines.retain(|(_, line)| seen.insert(line.clone()) && options.only.as_ref().is_none_or(|t| line.starts_with(t)));
    let texts: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
    let rejected = judge(&Ptxas::new("forms")?, version, arch, &texts)?;
    let taken: Vec<usize> = (0..lines.len()).filter(|i| !rejected.contains_key(i)).collect();
    let (alone, together): (Vec<usize>, Vec<usize>) =
        taken.iter().partition(|&&i| ENDS.contains(&texts[i].split(['.', ' ']).next().unwrap_or("")));
    let mut refused = BTreeMap::new();
    for chunk in together.chunks(CHUNK).chain(alone.chunks(1)) {
        let chosen: Vec<Option<&str>> = chunk.iter().map(|&i| Some(texts[i])).collect();
        for (line, why) in refusals(&module(version, arch, &chosen), target) {
            if let Some(&i) = (line as usize).checked_sub(HEAD).and_then(|n| chunk.get(n)) {
                refused.entry(i).or_insert(why);
            }
        }
    }
    // By operation and reason.
    let mut groups: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (i, why) in &refused {
        groups.entry((lines[*i].0.op().name().to_owned(), why.clone())).or_default().push(*i);
    }
    let mut list: Vec<_> = groups.into_iter().collect();
    list.sort_by_key(|(key, members)| (std::cmp::Reverse(members.len()), key.clone()));
    let mut report = String::new();
    for ((op, why), members) in &list {
        let shown = if options.all { members.len() } else { 1 };
        for &member in &members[..shown] {
            writeln!(report, "{:6} {op}: {why} | {}", members.len(), texts[member])?;
        }
    }
    if let Some(path) = &options.out {
        std::fs::write(path, &report)?;
    } else {
        print!("{report}");
    }
    println!(
        "{arch}: ptxas takes {} of {} spellings; {} of them have no machine code",
        taken.len(),
        lines.len(),
        refused.len()
    );
    Ok(())
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
