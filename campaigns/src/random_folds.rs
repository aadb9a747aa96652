//! `cargo campaign random-folds [--count N] [--seed S] [-jN] [--batch N] [--no-ptxas] [--minutes M] [--no-record]`: short random kernels in which
//! optimisers fold, on every machine there is (see `raddle_tests::folds`).
//!
//! Kernel number n has seed S + n; a batch is one module for one architecture, the architectures in turn. Our code is judged at all levels, that of ptxas at -O0 and
//! -O3. What differs is minimised and written to `target/folds/SEED.ptx` with what was seen; of the differences of ptxas one for each set of
//! operations that are left.

use crate::arguments::at_least_one;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Result, ensure};
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::folds::generate::generate;
use raddle_tests::folds::judge::program;
use raddle_tests::folds::tree::Kernel;
use raddle_tests::judge::ARCHS;
use raddle_tests::ptxas::Assembler;
use raddle_tests::suites::compare::{Seen, Side, Tools, Verdict, compare};
use raddle_tests::suites::rows::label;

use crate::suites;
use xtask::figures;

/// Differences of ptxas that are minimised; the others are only counted.
const MINIMISED: usize = 200;

#[derive(clap::Args)]
pub struct Options {
    /// Kernels
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,
    /// Seed of the first; kernel n has this plus n
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(short = 'j', value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Kernels of a module
    #[arg(long, value_name = "N", default_value = "50", value_parser = at_least_one)]
    batch: usize,
    /// Do not judge the code of ptxas
    #[arg(long)]
    no_ptxas: bool,
    /// Minutes after which no further program is begun
    #[arg(long, value_name = "N", default_value_t = f64::INFINITY, hide_default_value = true)]
    minutes: f64,
    /// Record no figures
    #[arg(long)]
    no_record: bool,
}

#[derive(Debug, Default)]
struct Total {
    kernels: usize,
    right: usize,
    ours: Vec<u64>,
    ptxas: BTreeSet<u64>,
    optimised: BTreeSet<u64>,
    unread: BTreeMap<String, usize>,
    refused: usize,
    /// Operations that are left of minimal kernels.
    kinds: BTreeMap<String, usize>,
}

/// Runs the command.
///
/// # Errors
/// Wrong options, files that cannot be written, and differences of our code.
pub fn run(options: Options) -> Result<()> {
    let seeds: Vec<u64> = (0..options.count as u64).map(|n| options.seed + n).collect();
    let folder = figures::root().join("target/folds");
    fs::create_dir_all(&folder)?;
    let ptxas = oracle::require("ptxas").filter(|_| !options.no_ptxas);
    let campaign = Campaign { options, folder, ptxas, total: Mutex::default(), next: AtomicUsize::new(0) };
    let started = Instant::now();
    std::thread::scope(|scope| -> Result<()> {
        let work = || campaign.work(&seeds, started);
        let workers: Vec<_> = (0..campaign.options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    campaign.report(started.elapsed().as_secs_f64() / 60.0)
}

struct Campaign {
    options: Options,
    folder: PathBuf,
    ptxas: Option<Oracle>,
    total: Mutex<Total>,
    next: AtomicUsize,
}

impl Campaign {
    fn work(&self, seeds: &[u64], started: Instant) -> Result<()> {
        let assembler = self.ptxas.as_ref().map(Assembler::new).transpose()?;
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = seeds.chunks(self.options.batch).nth(n) else { return Ok(()) };
            if started.elapsed().as_secs_f64() > self.options.minutes * 60.0 {
                return Ok(());
            }
            let arch = ARCHS[n % ARCHS.len()];
            let kernels: Vec<Kernel> = batch.iter().map(|&seed| generate(seed)).collect();
            self.batch(&kernels, arch, assembler.as_ref())?;
        }
    }

    fn batch(&self, kernels: &[Kernel], arch: &'static str, assembler: Option<&Assembler<'_>>) -> Result<()> {
        let seen = compare(&program(kernels, arch), Tools { archs: &[arch], ..Tools::NONE }, assembler);
        // A ptxas that dies of one kernel says nothing about the others of its module.
        if kernels.len() > 1 && seen.iter().any(|s| s.kernel.is_empty() && s.verdict != Verdict::Same) {
            return kernels.iter().try_for_each(|kernel| self.batch(std::slice::from_ref(kernel), arch, assembler));
        }
        let mut smaller = Vec::new();
        if let Ok(mut total) = self.total.lock() {
            total.kernels += kernels.len();
            let ours = |s: &&Seen| matches!(s.side, Side::Ours(_)) && s.verdict == Verdict::Same;
            total.right += seen.iter().filter(ours).count();
            for kernel in kernels {
                let of = |s: &&Seen| (s.kernel == kernel.name() || s.kernel.is_empty()) && s.verdict != Verdict::Same;
                let about: Vec<&Seen> = seen.iter().filter(of).collect();
                for one in &about {
                    match (one.side, &one.verdict) {
                        (Side::Ptxas(level), Verdict::Wrong(_)) => {
                            total.ptxas.insert(kernel.seed);
                            if level == "-O3" {
                                total.optimised.insert(kernel.seed);
                            }
                        }
                        (Side::Ptxas(_), Verdict::Unread(what)) => {
                            let what = what.split(" at ").next().unwrap_or_default();
                            let what = what.split_once("not supported: ").map_or(what, |(_, rest)| rest);
                            *total.unread.entry(what.to_owned()).or_default() += 1;
                        }
                        (Side::Ptxas(_), _) => total.refused += 1,
                        (_, _) if total.ours.last() != Some(&kernel.seed) => total.ours.push(kernel.seed),
                        _ => {}
                    }
                }
                let ours = about.iter().find(|s| !matches!(s.side, Side::Ptxas(_)));
                let theirs =
                    about.iter().rfind(|s| matches!((s.side, &s.verdict), (Side::Ptxas(_), Verdict::Wrong(_))));
                if let Some(first) = ours {
                    println!("seed {}: {}: {:?}", kernel.seed, label(first), first.verdict);
                }
                let wanted = ours.or(theirs.filter(|_| total.ptxas.len() <= MINIMISED));
                smaller.extend(wanted.map(|worst| (kernel.clone(), (*worst).clone())));
            }
            if total.kernels % 1000 < kernels.len() {
                println!(
                    "{} kernels, {} wrong, ptxas differs on {}",
                    total.kernels,
                    total.ours.len(),
                    total.ptxas.len()
                );
            }
        }
        smaller.into_iter().try_for_each(|(kernel, worst)| self.keep(&kernel, &worst, arch, assembler))
    }

    /// Writes a kernel that differs, minimised, if it is the smallest of its kind.
    fn keep(&self, kernel: &Kernel, worst: &Seen, arch: &'static str, assembler: Option<&Assembler<'_>>) -> Result<()> {
        let level = match worst.side {
            Side::Ours(level) => vec![level],
            _ => Vec::new(),
        };
        let assembler = assembler.filter(|_| matches!(worst.side, Side::Ptxas(_)));
        let tools = Tools { archs: &[arch], levels: &level, ..Tools::NONE };
        let mut last = None;
        let mut fails = |candidate: &Kernel| {
            let seen = compare(&program(std::slice::from_ref(candidate), arch), tools, assembler);
            let same = |s: &&Seen| {
                s.side == worst.side && std::mem::discriminant(&s.verdict) == std::mem::discriminant(&worst.verdict)
            };
            let sound = worst.side == Side::Program
                || seen.iter().all(|s| s.side != Side::Program || s.verdict == Verdict::Same);
            let Some(found) = seen.iter().find(same).filter(|_| sound) else { return false };
            last = Some(found.clone());
            true
        };
        let mut best = kernel.clone();
        let mut part = 0;
        let mut changed = false;
        loop {
            if part == best.parts() {
                if !changed {
                    break;
                }
                (part, changed) = (0, false);
                continue;
            }
            let candidate = best.without(part);
            if candidate != best && fails(&candidate) {
                (best, changed) = (candidate, true);
            } else {
                part += 1;
            }
        }
        fails(&best);
        let seen = last.unwrap_or_else(|| worst.clone());
        let text = Kernel::module(std::slice::from_ref(&best), "sm_80");
        let kind = operations(&best);
        if let Ok(mut total) = self.total.lock() {
            let size = total.kinds.entry(kind.clone()).or_insert(usize::MAX);
            if *size <= text.len() && matches!(seen.side, Side::Ptxas(_)) {
                return Ok(());
            }
            *size = text.len();
        }
        let who = if matches!(seen.side, Side::Ptxas(_)) { "ptxas" } else { "ours" };
        let name = format!("{who}-{}.ptx", kind.replace([' ', '.'], "_").chars().take(80).collect::<String>());
        let head = format!("// seed {}: {}: {:?}\n", kernel.seed, label(&seen), seen.verdict);
        Ok(fs::write(self.folder.join(name), head + &text)?)
    }

    fn report(&self, minutes: f64) -> Result<()> {
        let Ok(total) = self.total.lock() else { return Ok(()) };
        let version = self.ptxas.as_ref().map(suites::version).transpose()?;
        let text = format!(
            "{} kernels from seed {} in {minutes:.0} minutes, each at -O0 to -O3 on one architecture in turn; our code: {} runs agree; ptxas {}: its code of -O3 \
             differs on {} kernels, of -O0 on {} others; the simulator cannot run: {:?}",
            total.kernels,
            self.options.seed,
            total.right,
            version.as_deref().unwrap_or("not there"),
            total.optimised.len(),
            total.ptxas.difference(&total.optimised).count(),
            total.unread
        );
        println!("{text}\n{} kinds of differences of ptxas: {:?}", total.kinds.len(), total.kinds.keys());
        println!("ours: {:?}", total.ours);
        if !self.options.no_record {
            let command =
                format!("cargo campaign random-folds --count {} --seed {}", self.options.count, self.options.seed);
            figures::record("suites.folds", total.kernels as f64, &command, &text)?;
            figures::record("suites.folds.wrong", total.ours.len() as f64, &command, "")?;
        }
        ensure!(total.ours.is_empty(), "{} kernels differ: see {}", total.ours.len(), self.folder.display());
        Ok(())
    }
}

/// The operations of a kernel, each once, in the order of names.
fn operations(kernel: &Kernel) -> String {
    let text = kernel.text();
    let body = text.split("ld.param.u64 %o").nth(1).unwrap_or_default();
    let one = |line: &str| {
        let line = line.trim();
        let line = if line.starts_with('@') { line.split_once(' ')?.1 } else { line };
        let name = line.split(' ').next().unwrap_or_default();
        let plain = ["mov", "ld", "st", "ret", "}", "mad.wide", "L", "bra"].iter().any(|p| name.starts_with(p));
        (!plain && !name.is_empty() && !name.ends_with(':')).then(|| name.to_owned())
    };
    let names: BTreeSet<String> = body.lines().filter_map(one).collect();
    names.into_iter().map(|name| name.trim_matches([',', ';']).to_owned()).collect::<Vec<_>>().join(" ")
}
