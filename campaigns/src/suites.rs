//! `cargo campaign suites fuzzx|zluda|ocelot|ocelot-cases|real --sources DIR [-jN] [--turn] [--only PART] [--rows] [--record]`: programs of other projects
//! against every machine there is (see `raddle_tests::suites`).
//!
//! `DIR` is a checkout of the project; which one is meant says the table of `raddle_tests::suites::sources`. `real` takes any folder of PTX modules,
//! for instance made by nvcc or clang of the sources one has. Every verdict that is not agreement is written to
//! `target/suites/SUITE.txt`. `--turn` compiles each program for one architecture, the four in turn. `--rows` prints the rows that `tests/corpus/suites.toml` lacks; `--record` records the figures.

use crate::arguments::folder;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::suites::compare::{Seen, Side, Tools, Verdict, compare_all};
use raddle_tests::suites::program::Program;
use raddle_tests::suites::rows::{Excused, Rows, label};
use raddle_tests::suites::sources::{Files, check, pin};
use raddle_tests::suites::summary::Summary;
use raddle_tests::suites::{fuzzx, ocelot, ocelot_cases, zluda};

use xtask::figures;

/// A suite: its name, which files of a checkout it reads, and its programs.
type Suite = (&'static str, fn(&str) -> bool, fn(&Files) -> Result<Vec<Program>>);

const SUITES: [Suite; 5] = [
    ("fuzzx", fuzzx::wanted, fuzzx::programs),
    ("zluda", zluda::wanted, zluda::programs),
    ("ocelot", ocelot::wanted, ocelot::programs),
    ("ocelot-cases", ocelot_cases::wanted, ocelot_cases::programs),
    ("real", ocelot::wanted, ocelot::programs),
];

#[derive(clap::Args)]
pub struct Options {
    /// The project
    #[arg(value_name = "SUITE", value_parser = SUITES.map(|suite| suite.0))]
    suite: String,
    /// Checkout of the project; for `real` a folder of PTX modules
    #[arg(long, value_name = "DIR", value_parser = folder)]
    sources: PathBuf,
    /// Threads
    #[arg(short = 'j', value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Compile each program for one architecture, the four in turn
    #[arg(long)]
    turn: bool,
    /// Only programs whose name contains this
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// Print the rows that tests/corpus/suites.toml lacks
    #[arg(long)]
    rows: bool,
    /// Record the figures
    #[arg(long)]
    record: bool,
}

/// The version that ptxas says it has: `13.0.88`.
pub fn version(ptxas: &Oracle) -> Result<String> {
    let text = String::from_utf8_lossy(&ptxas.run(&["--version"])?).into_owned();
    let (_, after) = text.split_once(", V").context("ptxas --version")?;
    Ok(after.split_whitespace().next().unwrap_or_default().to_owned())
}

/// Runs the command.
///
/// # Errors
/// Wrong options, a checkout without the suite, and differences without a row.
pub fn run(options: Options) -> Result<()> {
    let chosen = SUITES.into_iter().find(|suite| suite.0 == options.suite);
    let (suite, wanted, read) = chosen.with_context(|| format!("no suite {}", options.suite))?;
    let files = Files::read(&options.sources, wanted)?;
    let mut rows = Rows::read()?;
    if suite != "real"
        && let Err(other) = check(&pin(suite)?, &options.sources, &files)
    {
        println!("note: {other:#}");
        rows.row.clear();
    }
    let mut programs = read(&files)?;
    programs.retain(|p| options.only.as_ref().is_none_or(|part| p.name.contains(part)));
    let (ptxas, nvdisasm) = (oracle::require("ptxas"), oracle::require("nvdisasm"));
    let version = ptxas.as_ref().map(version).transpose()?;
    let old = matches!(suite, "ocelot" | "ocelot-cases" | "real");
    let nvdisasm = nvdisasm.as_ref().filter(|_| old);
    let tools = Tools { ptxas: ptxas.as_ref(), nvdisasm, twice: old, turn: options.turn, ..Tools::NONE };
    let started = Instant::now();
    let seen = compare_all(&programs, tools, options.jobs)?;
    let sum = Summary::of(programs.len(), &seen);
    let list = list(&seen);
    let path = figures::root().join(format!("target/suites/{suite}.txt"));
    fs::create_dir_all(path.parent().unwrap_or(&path))?;
    fs::write(&path, &list)?;
    println!("{suite}: {} ({:.0} s)", sum.text(), started.elapsed().as_secs_f64());
    println!("every verdict that is not agreement: {}", path.display());
    let complaints = rows.without_row(suite, &seen, version.as_deref());
    // Each program is seen on one architecture of four in turn: it may still differ on another.
    let stale = if options.turn { Vec::new() } else { rows.stale(suite, &seen, version.as_deref()) };
    if options.rows {
        print!("{}", missing(suite, &seen, &rows));
    }
    if options.record {
        ensure!(options.only.is_none(), "--record is for whole suites");
        record(&options, &sum, &programs, version.as_deref())?;
    }
    if complaints.is_empty() && stale.is_empty() {
        return Ok(());
    }
    for line in complaints.iter().chain(&stale) {
        println!("{line}");
    }
    bail!("{} differences without a row, {} rows without a difference", complaints.len(), stale.len());
}

/// What was seen first, in which words, how often, and where.
type Line<'a> = (&'a Seen, &'a str, usize, BTreeSet<String>);

/// Every verdict but agreement, one line for a program, a kernel, a side and a kind of verdict: what was seen first, how often, and where.
fn list(seen: &[Seen]) -> String {
    let mut lines: BTreeMap<(usize, String), Line<'_>> = BTreeMap::new();
    let mut order: BTreeMap<&str, usize> = BTreeMap::new();
    for one in seen {
        let next = order.len();
        let n = *order.entry(&one.program).or_insert(next);
        let (kind, what) = match &one.verdict {
            Verdict::Same => continue,
            Verdict::Refused(what) => ("refused", what),
            Verdict::Unread(what) => ("not run", what),
            Verdict::Wrong(what) => ("WRONG", what),
        };
        let (who, place) = match one.side {
            Side::Ours(level) => ("raddle", format!("-{level} {}", one.arch)),
            Side::Ptxas(level) => ("ptxas", format!("{level} {}", one.arch)),
            Side::Program => ("interpreter", String::new()),
            Side::Reference => ("reference", String::new()),
        };
        let key = (n, format!("{kind}: {} {} {who}", one.program, one.kernel));
        let line = lines.entry(key).or_insert((one, what, 0, BTreeSet::new()));
        line.2 += 1;
        line.3.extend(Some(place).filter(|place| !place.is_empty()));
    }
    let mut text = String::new();
    for ((_, key), (first, what, times, places)) in lines {
        let places: Vec<String> = places.into_iter().collect();
        _ = writeln!(text, "{key}: {what} ({}; {times} in all; {})", first.run, places.join(", "));
    }
    text
}

/// The rows that are missing, with what was seen first as reason.
fn missing(suite: &str, seen: &[Seen], rows: &Rows) -> String {
    let mut found: BTreeMap<(String, Excused), String> = BTreeMap::new();
    for one in seen {
        let (Verdict::Wrong(what), Some(side)) = (&one.verdict, Excused::of(one.side)) else { continue };
        let known = rows.row.iter().any(|r| r.suite == suite && r.program == one.program && r.side == side);
        if !known {
            found.entry((one.program.clone(), side)).or_insert_with(|| format!("{}: {what}", label(one)));
        }
    }
    let row = |((program, side), reason): ((String, Excused), String)| {
        let (_, reason) = reason.split_once(": ").unwrap_or(("", &reason));
        let reason = reason.replace(['"', '\\'], "'");
        let side = side.name();
        format!("\n[[row]]\nsuite = \"{suite}\"\nprogram = \"{program}\"\nside = \"{side}\"\nreason = \"{reason}\"\n")
    };
    found.into_iter().map(row).collect()
}

fn record(options: &Options, sum: &Summary, programs: &[Program], version: Option<&str>) -> Result<()> {
    let suite = options.suite.as_str();
    let turn = if options.turn { ("--turn ", "each on one architecture in turn; ") } else { ("", "") };
    let command = format!("cargo campaign suites {suite} --sources DIR {}--record", turn.0);
    let note = format!("{}{}; ptxas {}", turn.1, sum.text(), version.unwrap_or("not there"));
    figures::record(&format!("suites.{suite}.wrong"), sum.wrong as f64, &command, &note)?;
    let names = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(", ");
    let (id, value, note) = match suite {
        "fuzzx" => {
            let differ = format!("the code of ptxas differs on {} of them", sum.ptxas_wrong.len());
            ("programs", sum.ran, format!("of {} programs; {differ}", programs.len()))
        }
        "zluda" => ("demands", sum.met, format!("of {} programs; refused: {}", programs.len(), names(&sum.refused))),
        "ocelot-cases" => {
            let note = format!("of {} cases; {} demands met; {} refused", programs.len(), sum.met, sum.refused.len());
            ("", sum.met_all.len(), note)
        }
        "ocelot" => {
            ("programs", programs.len(), format!("{} of them refused; {} kernels ran", sum.refused.len(), sum.ran))
        }
        _ => ("kernels", sum.ran, format!("of {} modules, {} refused", programs.len(), sum.refused.len())),
    };
    let id = if id.is_empty() { format!("suites.{suite}") } else { format!("suites.{suite}.{id}") };
    figures::record(&id, value as f64, &command, &note)
}
