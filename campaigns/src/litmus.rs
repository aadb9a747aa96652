//! `cargo campaign litmus [--sources DIR] [--programs N] [--record]`: decides public litmus tests and judges the rules of order.
//!
//! `--sources` names a checkout with public litmus tests (format and folders: `raddle_tests::litmus::public`); without it only
//! our own programs are judged, N of each shape (default 20,000, or all where a shape has fewer).

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use raddle_ir::order::Rules;
use raddle_tests::litmus::public;
use raddle_tests::litmus::shapes::{SHAPES, some};
use raddle_tests::litmus::swap::unsound;
use raddle_tests::suites::sources::{Files, check, pin};

use xtask::figures;

/// How to measure the figures again.
const COMMAND: &str = "cargo campaign litmus --sources DIR --record";

#[derive(clap::Args)]
pub struct Options {
    /// Checkout with public litmus tests; without it only our own programs are decided
    #[arg(long, value_name = "DIR")]
    sources: Option<PathBuf>,
    /// Own programs of each shape, or all where a shape has fewer
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    programs: u64,
    /// Record the figures
    #[arg(long)]
    record: bool,
}

/// Runs the command.
///
/// # Errors
/// Wrong arguments, unreadable sources, an answer that differs from the public verdict, an exchange that shows.
pub fn run(Options { sources, programs, record }: Options) -> Result<()> {
    let mut wrong = Vec::new();
    let (mut pairs, mut judged) = (0, 0);
    for shape in SHAPES {
        for program in some(shape, programs, 2) {
            let (found, tried) = unsound(&program, Rules::ALL, 0).map_err(|e| anyhow::anyhow!("{e:?}: {program}"))?;
            wrong.extend(found.iter().map(|u| format!("{program}{u:?}")));
            pairs += tried;
            judged += 1;
        }
    }
    if let Some(dir) = &sources {
        let pinned = check(&pin("litmus")?, dir, &Files::read(dir, public::is_read)?);
        match pinned {
            Err(other) if record => return Err(other),
            Err(other) => println!("note: {other:#}"),
            Ok(()) => {}
        }
    }
    println!("own programs: {judged}, {pairs} pairs that may change places, {} of them show", wrong.len());
    let report = sources.map(|dir| public::judge(&dir)).transpose()?;
    if let Some(report) = &report {
        let decided = report.decided();
        println!("public programs: {decided} decided, {} as listed, {} not listed", report.agreeing, report.unlisted);
        report.lacking.iter().for_each(|(what, count)| println!("  {count} lack {what}"));
        println!("  {} verdicts on the end of all threads are not asked", report.liveness);
        println!("  {} pairs that may change places, {} of them show", report.pairs, report.unsound.len());
        wrong.extend(report.unsound.iter().cloned());
    }
    let different = report.as_ref().map_or(&[][..], |r| &r.different[..]);
    different.iter().chain(&wrong).for_each(|what| println!("{what}"));
    if record {
        let report = report.as_ref().context("--record needs --sources")?;
        let lacking: Vec<String> = report.lacking.iter().map(|(what, n)| format!("{n} lack {what}")).collect();
        let turns = format!("{}; loops up to {} jumps backwards", lacking.join(", "), public::TURNS);
        figures::record("litmus.decided", report.decided() as f64, COMMAND, &turns)?;
        let listed = format!("{} have a listed verdict", report.agreeing + different.len());
        figures::record("litmus.differences", different.len() as f64, COMMAND, &listed)?;
        let tried = format!("{judged} own and {} public programs, {} pairs", report.decided(), pairs + report.pairs);
        figures::record("litmus.unsound", wrong.len() as f64, COMMAND, &tried)?;
    }
    ensure!(different.is_empty() && wrong.is_empty(), "{} differences", different.len() + wrong.len());
    Ok(())
}
