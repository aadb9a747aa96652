//! `cargo campaign prove [--only PASS] [--timeout MS] [--json FILE] [--record]`: proves that passes keep the meaning of functions.
//!
//! Every kernel of the corpus is lowered and goes through the passes of -O3. What a pass changed is held against what was there
//! before by `raddle-prove`, with z3. A change is *proven*, *refuted* (there are values for which both differ: our bug, and the
//! campaign fails), or *open*, with the reason. `--record` writes docs/proofs.md and the figures.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use raddle_filetest::{corpus as files, oracle};
use raddle_ir::{CodegenOptions, Cx, OptLevel};
use raddle_prove::solver::Solver;
use raddle_prove::table::{Row, Table, Wanted};
use raddle_prove::{Limits, corpus};
use raddle_target::Target;
use serde_json::json;
use xtask::figures::{self, root};

/// How to measure the figures again.
const COMMAND: &str = "cargo campaign prove --record";

/// The folders of the corpus.
const FOLDERS: &[&str] = &["kernels", "modules", "producers", "regressions", "snippets"];

/// Stack of a thread: terms are as deep as the longest chain of operations.
const STACK: usize = 1 << 29;

#[derive(clap::Args)]
pub struct Options {
    /// Only changes of this pass
    #[arg(long, value_name = "PASS")]
    only: Option<String>,
    /// Milliseconds for a question to the solver; ten times as long for a change
    #[arg(long, value_name = "MS", default_value_t = 500)]
    timeout: u64,
    /// Most instructions of a function
    #[arg(long, value_name = "N", default_value_t = 6000)]
    instructions: usize,
    /// Only modules whose path contains one of these
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Write the table as JSON to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write docs/proofs.md and record the figures
    #[arg(long, conflicts_with_all = ["only", "names"])]
    record: bool,
}

/// Runs the command.
///
/// # Errors
/// A missing solver, a pass that stops, a refuted change, unwritable files.
pub fn run(options: Options) -> Result<()> {
    let z3 = oracle::find("z3").context("z3 is not installed: make oracles")?;
    let wanted = |path: &Path| {
        let name = path.to_string_lossy();
        options.names.is_empty() || options.names.iter().any(|n| name.contains(n.as_str()))
    };
    let modules: Vec<PathBuf> = files::ptx(FOLDERS).into_iter().filter(|path| wanted(path)).collect();
    let table = judged(&modules, z3.path(), &options)?;
    print!("{}", text(&table));
    for refuted in &table.refuted {
        println!("\n{} of {} is refuted by {:?}", refuted.pass, refuted.kernel, refuted.values);
        println!("before:\n{}after:\n{}", refuted.before, refuted.after);
    }
    if let Some(file) = &options.json {
        let rows: BTreeMap<&str, _> = table.rows.iter().map(|(pass, row)| (*pass, of_row(row))).collect();
        let all = json!({ "schema": 1, "passes": rows, "total": of_row(&table.total()), "questions": table.asked });
        fs::write(file, serde_json::to_string_pretty(&all)? + "\n").with_context(|| file.display().to_string())?;
    }
    if options.record {
        record(&table, &options)?;
    }
    ensure!(table.refuted.is_empty(), "{} changes are refuted", table.refuted.len());
    Ok(())
}

/// Judges modules on all cores; the table is in their order.
fn judged(modules: &[PathBuf], z3: &Path, options: &Options) -> Result<Table> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Table)>> {
        let codegen = CodegenOptions { opt: OptLevel::O3, ..CodegenOptions::default() };
        let target = Target::by_name("sm_90").context("sm_90")?;
        let cx = Cx::new(target, &codegen);
        let limit = Duration::from_millis(options.timeout);
        let mut solver = Solver::new(z3, limit);
        let limits = Limits { asking: limit * 10, instructions: options.instructions };
        let wanted = Wanted { only: options.only.as_deref(), limits, seen: &|_, _, _, _, _| {} };
        let mut out = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = modules.get(n) else { return Ok(out) };
            let name = path.strip_prefix(files::folder()).unwrap_or(path).display().to_string();
            let source = fs::read_to_string(path).with_context(|| name.clone())?;
            let mut table = Table::default();
            for mut f in corpus::kernels(&source, &cx) {
                table.judge(&cx, &name, &mut f, Some(&mut solver), &wanted).with_context(|| name.clone())?;
            }
            if n % 100 == 99 {
                eprintln!("{} of {} modules", n + 1, modules.len());
            }
            out.push((n, table));
        }
    };
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let mut parts = thread::scope(|scope| -> Result<Vec<(usize, Table)>> {
        let spawn = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let workers = (0..jobs).map(spawn).collect::<std::io::Result<Vec<_>>>()?;
        let mut parts = Vec::new();
        for worker in workers {
            parts.extend(worker.join().map_err(|_| anyhow!("a worker panicked"))??);
        }
        Ok(parts)
    })?;
    parts.sort_by_key(|part| part.0);
    let mut table = Table::default();
    parts.into_iter().for_each(|(_, part)| table.join(part));
    Ok(table)
}

fn of_row(row: &Row) -> serde_json::Value {
    let open: BTreeMap<String, usize> = row.open.iter().map(|(why, n)| (why.to_string(), *n)).collect();
    json!({ "changed": row.changed, "proven": row.proven, "refuted": row.refuted, "open": open })
}

fn percent(part: usize, all: usize) -> f64 {
    (1000.0 * part as f64 / all.max(1) as f64).floor() / 10.0
}

fn reasons(row: &Row) -> String {
    let mut open: Vec<_> = row.open.iter().collect();
    open.sort_by_key(|(why, n)| (std::cmp::Reverse(**n), why.to_string()));
    open.iter().map(|(why, n)| format!("{n} {why}")).collect::<Vec<_>>().join(", ")
}

/// The rows, with the sum of all.
fn rows(table: &Table) -> Vec<(&str, Row)> {
    let passes = table.rows.iter().map(|(pass, row)| (*pass, row.clone()));
    passes.chain([("all", table.total())]).collect()
}

fn text(table: &Table) -> String {
    let mut out = format!("{:14} {:>7} {:>7} {:>6} {:>7}  open\n", "pass", "changed", "proven", "%", "refuted");
    for (pass, row) in rows(table) {
        let share = percent(row.proven, row.changed);
        let why = reasons(&row);
        _ = writeln!(out, "{pass:14} {:7} {:7} {share:6.1} {:7}  {why}", row.changed, row.proven, row.refuted);
    }
    out
}

/// Writes the page and the figures.
fn record(table: &Table, options: &Options) -> Result<()> {
    let all = table.total();
    let mut page = format!(
        "# Proofs of passes\n\nGenerated by `{COMMAND}`. Each kernel of tests/corpus\n({}) is lowered for sm_90 and\n\
         goes through the passes of -O3. What a pass changed is held against what was there before\n(crates/prove): \
         *proven* to keep the meaning for all inputs, *refuted* by values for which both\ndiffer, or *open*, with the \
         reason. z3 has {} ms for a question.\n\nA proof rests on the semantics of operations in crates/prove, on z3, and on \
         PTX' rule that an\naccess stays inside its variable. Operations of floating point are functions of which nothing\nis \
         known. A proof does not show that a function ends, nor that a load that was moved up is to an\naddress that may be \
         read.\n\n\
         | pass | changed | proven | % | refuted | open |\n|---|---|---|---|---|---|\n",
        FOLDERS.join(", "),
        options.timeout
    );
    for (pass, row) in rows(table) {
        let share = percent(row.proven, row.changed);
        let why = reasons(&row);
        _ = writeln!(page, "| {pass} | {} | {} | {share:.1} | {} | {why} |", row.changed, row.proven, row.refuted);
    }
    let path = root().join("docs/proofs.md");
    fs::write(&path, page).with_context(|| path.display().to_string())?;
    println!("wrote docs/proofs.md");
    let zero: Vec<&str> = table.rows.iter().filter(|(_, row)| row.proven == 0).map(|(pass, _)| *pass).collect();
    let note =
        format!("{} of {} changes of {} passes; open: {}", all.proven, all.changed, table.rows.len(), reasons(&all));
    figures::record("proofs.validated", percent(all.proven, all.changed), COMMAND, &note)?;
    figures::record("proofs.refuted", all.refuted as f64, COMMAND, &format!("of {} changes", all.changed))?;
    figures::record("proofs.passes.at.zero", zero.len() as f64, COMMAND, &zero.join(", "))
}
