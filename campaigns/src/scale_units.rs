//! `cargo campaign scale-units`: what docs/scale.md simulates from.
//!
//! Compiles the module of `bench-compile` on one thread, first with an empty cache, then with a full one, and writes
//! docs/scale-units.json: for each unit the processor time of both and its sizes, and the time of what units do not share. The least
//! of several rounds counts: other processes only add to it.

use std::fs;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use raddle_driver::cache::Cache;
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::RunOptions;
use raddle_driver::report::Report;
use raddle_driver::request::Request;
use raddle_filetest::oracle;
use xtask::figures::{self, root};
use xtask::scale::{FILE, Recorded, Unit};

use crate::bench_module::{self, Shape};

/// Kernels of the module.
const KERNELS: usize = 320;

#[derive(clap::Args)]
pub struct Options {
    /// Rounds
    #[arg(default_value_t = 5)]
    rounds: usize,
}

/// Runs the command.
///
/// # Errors
/// nvcc is missing, or the module does not compile.
pub fn run(options: &Options) -> Result<()> {
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let text = bench_module::ptx(&nvcc, Shape::Mixed(KERNELS))?;
    let mut recorded: Option<Recorded> = None;
    for _ in 0..options.rounds.max(1) {
        let round = round(&text)?;
        match &mut recorded {
            Some(recorded) => recorded.least(&round),
            None => recorded = Some(round),
        }
    }
    let recorded = Recorded { commit: figures::commit()?, ..recorded.context("no rounds")? };
    let work: u64 = recorded.units.iter().map(|unit| unit.compile_us).sum();
    println!(
        "{} units, {:.2} s; {:.1} ms serial",
        recorded.units.len(),
        work as f64 / 1e6,
        recorded.serial_us as f64 / 1e3
    );
    Ok(fs::write(root().join(FILE), serde_json::to_string(&recorded)? + "\n")?)
}

fn round(text: &str) -> Result<Recorded> {
    let folder = tempfile::tempdir()?;
    let cache = Arc::new(Cache::open(folder.path())?);
    let (cold, found) = (built(text, &cache)?, built(text, &cache)?);
    ensure!(found.units().all(|unit| unit.cached || unit.function), "a unit was not found in the cache");
    let instructions: usize = cold.units().map(|unit| unit.instructions).sum();
    let units = cold.units().zip(found.units()).filter(|(unit, _)| !unit.function).map(|(unit, again)| Unit {
        compile_us: unit.cpu.as_micros() as u64,
        found_us: again.cpu.as_micros() as u64,
        text_bytes: (text.len() * unit.instructions / instructions.max(1)) as u64,
        object_bytes: unit.code as u64,
    });
    Ok(Recorded { commit: String::new(), serial_us: cold.timeline.serial().as_micros() as u64, units: units.collect() })
}

fn built(text: &str, cache: &Arc<Cache>) -> Result<Report> {
    let request = Request {
        inputs: vec![Input { name: "mixed.ptx".to_owned(), content: Content::Text(text.to_owned()) }],
        run: RunOptions { jobs: 1, cache: Some(Arc::clone(cache)), ..RunOptions::default() },
        ..Request::default()
    };
    let report = compile(request, &mut ());
    ensure!(!report.diags.has_errors(), "the module does not compile");
    Ok(report)
}
