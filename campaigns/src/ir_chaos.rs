//! `cargo campaign ir-chaos`: random programs of LLVM IR under seeded disorder, the same bytes each time.
//!
//! A seed brings random delays and another order of tasks. Compared with one worker without disorder, with every LLVM library, split
//! by size and into many parts.

use anyhow::{Context, Result, ensure};
use raddle_filetest::{llvm, oracle};
use raddle_tests::ir_chaos::compare;
use raddle_tests::random_c::generate::generate;
use raddle_tests::random_c::linked::Tools;

use xtask::figures;

/// Programs that are linked together.
const BATCH: u64 = 2;

#[derive(clap::Args)]
pub struct Options {
    /// Batches of programs
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: u64,
    /// Seeds of disorder for each
    #[arg(long, value_name = "N", default_value_t = 20)]
    seeds: u64,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, programs that are refused, and differences.
pub fn run(Options { count, seeds }: Options) -> Result<()> {
    let commit = figures::commit()?;
    let libraries: Vec<_> = llvm::VERSIONS.iter().filter_map(|&major| llvm::find(major)).collect();
    ensure!(!libraries.is_empty(), "no LLVM library: versions {:?}", llvm::VERSIONS);
    let tools = Tools {
        clang: oracle::find("clang-19").context("clang-19 is missing")?,
        llvm: libraries,
        libdevice: oracle::libdevice().context("libdevice is missing: make oracles")?,
        worker: std::env::current_exe()?,
    };
    let (mut compilations, mut differences) = (0, 0);
    for batch in 0..count {
        let programs: Vec<_> = (0..BATCH).map(|n| generate(90_000 + BATCH * batch + n)).collect();
        let compared = compare(&tools, &programs, seeds)?;
        compilations += compared.compilations;
        differences += compared.differences.len();
        compared.differences.iter().for_each(|difference| println!("{difference}"));
        println!("{compilations} compilations, {differences} differ");
    }
    let note = format!(
        "{compilations} compilations of {count} batches of {BATCH} random programs in three units, {seeds} seeds, {} libraries",
        tools.llvm.len()
    );
    figures::record_of(
        "hardening.ir.chaos",
        f64::from(u32::try_from(differences)?),
        "cargo campaign ir-chaos",
        &note,
        &commit,
    )?;
    ensure!(differences == 0, "{differences} differences");
    Ok(())
}
