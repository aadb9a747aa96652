//! `cargo campaign mutate-ir`: damaged bitcode, textual IR, offload packages, archives and host objects.
//!
//! Every mutant is one input of a run of many, in this process, with workers that go on from input to input; some of those that
//! the first step takes are compiled to the end or linked, each in a run of its own. Nothing may panic or hang, and every refusal must name
//! its input; the end of a worker is such a refusal. Mutant `n` is the same on every machine with the same clang.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_filetest::{llvm, oracle};
use raddle_tests::ir_mutants::{Judge, Mutant, Tally, mutate, seeds};

use xtask::figures::{self, root};

/// Mutants of a run.
const BATCH: u64 = 400;
/// Of the mutants that the first step takes, one in this many is compiled to the end.
const DEEP: usize = 10;
/// After this time an input is given up, in seconds.
const LIMIT: u64 = 20;
/// A batch that takes longer hangs, in seconds.
const HANGS: u64 = 1200;

#[derive(clap::Args)]
pub struct Options {
    /// Mutants
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    count: u64,
    /// The first one
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// Write this mutant to target/mutate-ir and compile it to the end
    #[arg(long, value_name = "N")]
    show: Option<u64>,
    /// Record no figures
    #[arg(long)]
    no_record: bool,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, and faults.
pub fn run(options: Options) -> Result<()> {
    let libraries: Vec<PathBuf> = llvm::VERSIONS.iter().filter_map(|&major| llvm::find(major)).collect();
    ensure!(!libraries.is_empty(), "no LLVM library: versions {:?}", llvm::VERSIONS);
    let clang = oracle::find("clang-19").context("clang-19 is missing")?;
    let folder = root().join("target/mutate-ir");
    fs::create_dir_all(&folder)?;
    let seeds = seeds(&clang, &folder)?;
    let (worker, limit) = (std::env::current_exe()?, Duration::from_secs(LIMIT));
    let judges: Vec<Judge> = libraries.into_iter().map(|llvm| Judge { llvm, worker: worker.clone(), limit }).collect();
    let judge = |number: u64| &judges[(number / BATCH) as usize % judges.len()];
    let mut tally = Tally::default();
    if let Some(number) = options.show {
        let mutant = mutate(&seeds, number);
        fs::write(folder.join(mutant.name()), &mutant.bytes)?;
        judge(number).alone(&mutant, &mut tally);
        println!("{}: {tally:#?}", folder.join(mutant.name()).display());
        return Ok(());
    }
    // That of this program: the tree may go on.
    let commit = figures::commit()?;
    let started = Instant::now();
    let at = watch(started);
    let end = options.from + options.count;
    for from in (options.from..end).step_by(BATCH as usize) {
        at.store(started.elapsed().as_secs(), Ordering::Relaxed);
        // What remains if this process ends.
        fs::write(folder.join("batch"), format!("{from}\n"))?;
        let mutants: Vec<Mutant> = (from..end.min(from + BATCH)).map(|number| mutate(&seeds, number)).collect();
        let before = tally.faults.len();
        let taken = judge(from).batch(&mutants, &mut tally);
        let deep = taken.into_iter().skip((from / BATCH) as usize % DEEP).step_by(DEEP);
        for (turn, n) in deep.enumerate() {
            judge(from).alone(&mutants[n], &mut tally);
            if turn % 2 == 0 {
                judge(from).link(&mutants[n], &mut tally)?;
            }
        }
        mutants.iter().try_for_each(|mutant| judge(from).load(mutant, &mut tally))?;
        keep(&mutants, &tally.faults[before..], &folder)?;
        if (from / BATCH) % 10 == 9 {
            println!("{} mutants in {:.0} s", tally.mutants, started.elapsed().as_secs_f64());
        }
    }
    report(&options, &tally, started.elapsed(), &commit)
}

/// Ends the process when a batch hangs. Returns where to put the time at which a batch begins.
fn watch(started: Instant) -> Arc<AtomicU64> {
    let at = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&at);
    std::thread::spawn(move || {
        while started.elapsed().as_secs() < seen.load(Ordering::Relaxed) + HANGS {
            std::thread::sleep(Duration::from_secs(5));
        }
        eprintln!("error: a batch hangs, see target/mutate-ir/batch");
        std::process::exit(1);
    });
    at
}

/// Prints faults, and keeps the mutants that they name.
fn keep(mutants: &[Mutant], faults: &[String], folder: &Path) -> Result<()> {
    for fault in faults {
        println!("{fault}");
        for mutant in mutants.iter().filter(|mutant| fault.contains(&mutant.name())) {
            fs::write(folder.join(mutant.name()), &mutant.bytes)?;
        }
    }
    Ok(())
}

fn report(options: &Options, tally: &Tally, took: Duration, commit: &str) -> Result<()> {
    let Tally { mutants, accepted, refused, compiled, linked, named_by_symbol, faults } = tally;
    let codes: Vec<String> = refused.iter().map(|(code, count)| format!("{code} {count}")).collect();
    let note = format!(
        "{accepted} taken by the step for single inputs; refused: {}; {} of those taken were compiled to the end, {} of them \
         without an error, and {} linked, {} of them without an error; {named_by_symbol} errors name a kernel or a part; {:.0} \
         minutes",
        codes.join(", "),
        compiled.0,
        compiled.1,
        linked.0,
        linked.1,
        took.as_secs_f64() / 60.0
    );
    println!("{mutants} mutants: {note}; {} faults", faults.len());
    if !options.no_record {
        let command = "cargo campaign mutate-ir";
        figures::record_of("hardening.ir.mutants", *mutants as f64, command, &note, commit)?;
        let note = "crashes, hangs, refusals that name nothing, damaged outputs";
        figures::record_of("hardening.ir.faults", faults.len() as f64, command, note, commit)?;
    }
    ensure!(faults.is_empty(), "{} faults, see target/mutate-ir", faults.len());
    Ok(())
}
