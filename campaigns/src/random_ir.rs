//! `cargo campaign random-ir`: random C programs of several translation units, compiled by gcc for
//! the host and by clang to bitcode, which we link, optimise in two phases and compile.
//!
//! Each batch of programs is one program of LLVM IR with several kernels. What differs is written to
//! `target/random-ir/SEED`: the sources of the units, their bitcode and what was seen.
//!
//! Where ptxas and nvlink are installed, clang's PTX of the same units goes through them, too, on one
//! architecture in turn, and their code runs in the simulator. What fails there is counted by kind and
//! printed, and does not fail the campaign.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_filetest::{llvm, oracle};
use raddle_tests::random_c::linked::{Tools, Wrong, expected, variants};
use raddle_tests::random_c::links::linked;
use raddle_tests::random_c::tree::Program;
use raddle_tests::random_c::units::{bitcode, sources};
use raddle_tests::random_c::witness::{Counts, Kind, Verdict, Witness};

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
    /// Run only the code of clang, ptxas and nvlink; record no figures
    #[arg(long)]
    witness_only: bool,
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
    let witness = match (oracle::find("ptxas"), oracle::find("nvlink")) {
        (Some(ptxas), Some(nvlink)) => {
            Some(Witness { clang: tools.clang.clone(), ptxas, nvlink, libdevice: tools.libdevice.clone() })
        }
        _ => None,
    };
    ensure!(witness.is_some() || !options.witness_only, "ptxas or nvlink is missing: make oracles");
    let seeds: Vec<u64> = (0..options.count as u64).map(|n| options.seed + n).collect();
    let campaign = Campaign { tools, witness, options, total: Mutex::default(), next: AtomicUsize::new(0) };
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
    /// What clang, ptxas and nvlink make of them.
    witness: Counts,
}

struct Campaign {
    tools: Tools,
    witness: Option<Witness>,
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
            let about = || format!("seeds from {}", batch[0]);
            let host = expected(&programs).with_context(about)?;
            let ways = if self.options.witness_only { Vec::new() } else { variants(n) };
            let (right, wrong) = self.tools.judge(&programs, &host, &ways).with_context(about)?;
            let (units, arch) = (2 + n % 3, ["sm_80", "sm_90"][n % 2]);
            let judge = |witness: &Witness| witness.judge(&programs, &host, units, arch);
            let verdicts = self.witness.as_ref().map(judge).transpose().with_context(about)?.unwrap_or_default();
            for verdict in verdicts.iter().filter(|verdict| verdict.kind != Kind::Agrees) {
                self.tell(verdict, units, arch)?;
            }
            if let Some(first) = wrong.first() {
                println!("seeds from {}: {} differences, first {first:?}", batch[0], wrong.len());
                self.keep(&programs, first)?;
            }
            let Ok(mut total) = self.total.lock() else { return Ok(()) };
            total.programs += programs.len();
            total.right += right;
            total.wrong.extend(wrong);
            verdicts.iter().for_each(|verdict| total.witness.add(verdict));
            if total.programs % 30 < programs.len() {
                println!("{} programs, {} runs agree, {} differ", total.programs, total.right, total.wrong.len());
            }
        }
    }

    /// Prints what became of a program in the other tool chain; writes the PTX of one that differs.
    fn tell(&self, verdict: &Verdict, units: usize, arch: &str) -> Result<()> {
        let Verdict { seed, kind, what, ptx } = verdict;
        let note = if kind.is_unexplained() { ", unexplained" } else { "" };
        println!("seed {seed}, ptxas and nvlink, {units} units, {arch}: {}{note}: {what}", kind.name());
        let folder = figures::root().join(format!("target/random-ir/{seed}-{arch}"));
        for (n, text) in ptx.iter().enumerate() {
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(format!("unit{n}.ptx")), text)?;
        }
        Ok(())
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
            "{} programs from seed {} in {:.0} minutes: {} runs agree, {} differ; {}; by clang, ptxas and nvlink: {}",
            total.programs,
            self.options.seed,
            took.as_secs_f64() / 60.0,
            total.right,
            total.wrong.len(),
            libraries.join(", "),
            if self.witness.is_some() { total.witness.text() } else { "not installed".to_owned() }
        );
        println!("{text}");
        if !self.options.no_record && !self.options.witness_only {
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
