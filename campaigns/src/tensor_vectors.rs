//! `cargo campaign tensor-vectors --sources DIR [--record]`: results of tensor cores that others published, beside the models that
//! interpreter and simulator have of them (see `raddle_tests::tensor`).
//!
//! Each set is also computed with wrong values in the table of machines, which the results must notice where the table says that
//! they were measured.

use std::path::PathBuf;

use crate::arguments::folder;
use anyhow::{Result, bail, ensure};
use raddle_tests::suites::sources::{Files, check, pin};
use raddle_tests::tensor::{self, judge, wanted};

use xtask::figures;

/// How to measure the figures again.
const COMMAND: &str = "cargo campaign tensor-vectors --sources DIR --record";

#[derive(clap::Args)]
pub struct Options {
    /// Checkout of the project
    #[arg(long, value_name = "DIR", value_parser = folder)]
    sources: PathBuf,
    /// Record the figures
    #[arg(long)]
    record: bool,
}

/// Runs the command.
///
/// # Errors
/// A checkout without results, sums that the model does not give, a wrong value that is not noticed.
pub fn run(Options { sources, record }: Options) -> Result<()> {
    let files = Files::read(&sources, wanted)?;
    let pin = pin("tensor-vectors")?;
    let pinned = check(&pin, &sources, &files);
    if let Err(other) = &pinned {
        println!("note: {other:#}");
    }
    let sets = judge(&files)?;
    println!(
        "{:20} {:>6} {:>9} {:>7} {:>9}   with a bit less, a bit more, half a block",
        "set", "sums", "products", "differ", "simulator"
    );
    for set in &sets {
        let [less, more, shorter] = set.missed_wrongly;
        let simulated = set.simulated.map_or("-".to_owned(), |missed| missed.to_string());
        println!(
            "{:20} {:6} {:9} {:7} {simulated:>9}   {less:6} {more:6} {shorter:6}",
            set.name, set.rows, set.products, set.missed
        );
    }
    let (rows, missed): (usize, usize) = (sets.iter().map(|s| s.rows).sum(), sets.iter().map(|s| s.missed).sum());
    let complaints: Vec<String> = sets.iter().flat_map(|set| set.complaints()).collect();
    let missing = |s: &tensor::Set| usize::from(s.missed > 0) + usize::from(s.simulated.is_some_and(|n| n > 0));
    let unnoticed = complaints.len() - sets.iter().map(missing).sum::<usize>();
    let simulated: Vec<(usize, usize)> = sets.iter().filter_map(|s| Some((s.rows, s.simulated?))).collect();
    let (simulated_rows, simulated_missed) = simulated.iter().fold((0, 0), |sum, s| (sum.0 + s.0, sum.1 + s.1));
    println!("{} sets, {rows} sums, {missed} differ", sets.len());
    println!("simulator: {} sets, {simulated_rows} sums, {simulated_missed} differ", simulated.len());
    if record {
        ensure!(pinned.is_ok(), "--record is for the pinned commit");
        let of = format!("{} sets of eight machines, {}", sets.len(), pin.project);
        figures::record("sim.tensor.sums", rows as f64, COMMAND, &of)?;
        figures::record("sim.tensor.wrong", missed as f64, COMMAND, &format!("of {rows}"))?;
        let of = format!("{} sets of sm_80 to sm_90, one instruction each", simulated.len());
        figures::record("sim.tensor.simulated", simulated_rows as f64, COMMAND, &of)?;
        figures::record(
            "sim.tensor.simulated.wrong",
            simulated_missed as f64,
            COMMAND,
            &format!("of {simulated_rows}"),
        )?;
        let tried: usize = sets.iter().map(|s| s.pinned.iter().filter(|&&p| p).count()).sum();
        figures::record("sim.tensor.unnoticed", unnoticed as f64, COMMAND, &format!("of {tried}"))?;
    }
    if complaints.is_empty() {
        return Ok(());
    }
    complaints.iter().for_each(|line| println!("{line}"));
    bail!("{} complaints", complaints.len());
}
