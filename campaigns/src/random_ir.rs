//! `cargo campaign random-ir`: random C programs of several translation units, compiled by gcc for
//! the host and by clang to bitcode, which we link, optimise in two phases and compile.
//!
//! Each batch of programs is one program of LLVM IR with several kernels. What differs is written to
//! `target/random-ir/SEED`: the sources of the units, their bitcode and what was seen.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_filetest::{llvm, oracle};
use raddle_tests::random_c::linked::{Tools, Wrong, variants};
use raddle_tests::random_c::links::linked;
use raddle_tests::random_c::tree::Program;
use raddle_tests::random_c::units::{bitcode, sources};

use crate::arguments::at_least_one;
use xtask::figures;

#[derive(clap::Args)]
pub struct Options {
    /// Programs
    #[arg(long, value_name = "N", default_value_t = 300)]
    count: usize,
    /// Seed of the first; program n has this plus n
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(short = 'j', value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Programs that are linked together
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one)]
    batch: usize,
    /// Minutes after which no further batch is begun
    #[arg(long, value_name = "N", default_value_t = f64::INFINITY, hide_default_value = true)]
    minutes: f64,
    /// Record no figures
    #[arg(long)]
    no_record: bool,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, sources that they refuse, and differences.
pub fn run(options: Options) -> Result<()> {
    let libraries: Vec<_> = llvm::VERSIONS.iter().filter_map(|&major| llvm::find(major)).collect();
    ensure!(!libraries.is_empty(), "no LLVM library: versions {:?}", llvm::VERSIONS);
    let tools = Tools {
        clang: oracle::find("clang-19").context("clang-19 is missing")?,
        llvm: libraries,
        libdevice: oracle::libdevice().context("libdevice is missing: make oracles")?,
        worker: std::env::current_exe()?,
    };
    let seeds: Vec<u64> = (0..options.count as u64).map(|n| options.seed + n).collect();
    let campaign = Campaign { tools, options, total: Mutex::default(), next: AtomicUsize::new(0) };
    let started = Instant::now();
    std::thread::scope(|scope| -> Result<()> {
        let work = || campaign.work(&seeds, started);
        let workers: Vec<_> = (0..campaign.options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    campaign.report(started.elapsed())
}

#[derive(Default)]
struct Total {
    programs: usize,
    right: usize,
    wrong: Vec<Wrong>,
}

struct Campaign {
    tools: Tools,
    options: Options,
    total: Mutex<Total>,
    next: AtomicUsize,
}

impl Campaign {
    fn work(&self, seeds: &[u64], started: Instant) -> Result<()> {
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = seeds.chunks(self.options.batch).nth(n) else { return Ok(()) };
            if started.elapsed().as_secs_f64() > self.options.minutes * 60.0 {
                return Ok(());
            }
            let programs: Vec<Program> = batch.iter().map(|&seed| linked(seed)).collect();
            let (right, wrong) =
                self.tools.judge(&programs, &variants(n)).with_context(|| format!("seeds from {}", batch[0]))?;
            if let Some(first) = wrong.first() {
                println!("seeds from {}: {} differences, first {first:?}", batch[0], wrong.len());
                self.keep(&programs, first)?;
            }
            let Ok(mut total) = self.total.lock() else { return Ok(()) };
            total.programs += programs.len();
            total.right += right;
            total.wrong.extend(wrong);
            if total.programs % 30 < programs.len() {
                println!("{} programs, {} runs agree, {} differ", total.programs, total.right, total.wrong.len());
            }
        }
    }

    /// Writes the units of programs that differ.
    fn keep(&self, programs: &[Program], wrong: &Wrong) -> Result<()> {
        let folder = figures::root().join(format!("target/random-ir/{}", programs[0].seed));
        fs::create_dir_all(&folder)?;
        bitcode(&self.tools.clang, programs, wrong.variant.units, wrong.variant.bitcode, &folder)?;
        for (n, text) in sources(programs, wrong.variant.units).iter().enumerate() {
            fs::write(folder.join(format!("unit{n}.cu")), text)?;
        }
        Ok(fs::write(folder.join("seen"), format!("{wrong:#?}\n"))?)
    }

    fn report(&self, took: Duration) -> Result<()> {
        let Ok(total) = self.total.lock() else { return Ok(()) };
        let libraries: Vec<String> = self.tools.llvm.iter().map(|path| name(path)).collect();
        let text = format!(
            "{} programs from seed {} in {:.0} minutes: {} runs agree, {} differ; {}",
            total.programs,
            self.options.seed,
            took.as_secs_f64() / 60.0,
            total.right,
            total.wrong.len(),
            libraries.join(", ")
        );
        println!("{text}");
        if !self.options.no_record {
            let command =
                format!("cargo campaign random-ir --count {} --seed {}", self.options.count, self.options.seed);
            figures::record("suites.random-ir", total.programs as f64, &command, &text)?;
            figures::record("suites.random-ir.wrong", total.wrong.len() as f64, &command, "")?;
        }
        ensure!(total.wrong.is_empty(), "differences: see target/random-ir");
        Ok(())
    }
}

fn name(path: &std::path::Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}
