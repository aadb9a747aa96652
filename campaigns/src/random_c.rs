//! `cargo campaign random-c [--count N] [--seed S] [-jN] [--batch N] [--ptxas N] [--minutes M] [--store N] [--text] [--no-record]`: random C
//! programs, compiled by gcc for the host and by nvcc for PTX, on every machine there is (see `raddle_tests::random_c`).
//!
//! Program number n has seed S + n. `--batch` of them share one run of each compiler. The code of ptxas is judged for every N-th batch
//! (`--ptxas`, 0 for none). What differs is minimised and written to `target/random-c/SEED.cu` with what was seen. `--minutes` ends the campaign early; `--store`
//! writes the first N programs to `tests/corpus/random_c`; `--text` prints sources and does nothing else.

use crate::arguments::at_least_one;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::ptxas::Assembler;
use raddle_tests::random_c::generate::generate;
use raddle_tests::random_c::make::Compilers;
use raddle_tests::random_c::minimise::minimise;
use raddle_tests::random_c::tree::Program;
use raddle_tests::random_c::{stored, text};
use raddle_tests::suites::compare::{Seen, Side, Tools, Verdict, compare};
use raddle_tests::suites::rows::label;
use raddle_tests::suites::summary::Summary;

use xtask::figures;

/// Candidates that minimising one program may try: each takes gcc and nvcc.
const TRIES: usize = 120;
/// Differences that are minimised; the others are only written.
const MINIMISED: usize = 12;

#[derive(clap::Args)]
pub struct Options {
    /// Programs
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Seed of the first; program n has this plus n
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(short = 'j', value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Programs that share one run of each compiler
    #[arg(long, value_name = "N", default_value = "5", value_parser = at_least_one)]
    batch: usize,
    /// Also judge the code of ptxas for every Nth batch; 0 for none
    #[arg(long, value_name = "N", default_value_t = 10)]
    ptxas: usize,
    /// Minutes after which no further program is begun
    #[arg(long, value_name = "N", default_value_t = f64::INFINITY, hide_default_value = true)]
    minutes: f64,
    /// Write the first N programs to tests/corpus/random_c
    #[arg(long, value_name = "N", default_value_t = 0)]
    store: usize,
    /// Only print the sources
    #[arg(long)]
    text: bool,
    /// Record no figures
    #[arg(long)]
    no_record: bool,
}

/// Runs the command.
///
/// # Errors
/// Missing compilers, sources that they refuse, and differences of our code.
pub fn run(options: Options) -> Result<()> {
    let seeds: Vec<u64> = (0..options.count as u64).map(|n| options.seed + n).collect();
    if options.text {
        seeds.iter().for_each(|&seed| println!("{}", text::device(&[generate(seed)])));
        return Ok(());
    }
    let nvcc = raddle_filetest::oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let compilers = Compilers::with(nvcc).context("gcc is missing")?;
    if options.store > 0 {
        for &seed in seeds.iter().take(options.store) {
            stored::write(seed, &compilers.make(&[generate(seed)])?)?;
        }
        return Ok(());
    }
    let folder = figures::root().join("target/random-c");
    fs::create_dir_all(&folder)?;
    let ptxas = oracle::find("ptxas").filter(|_| options.ptxas > 0);
    let campaign = Campaign { compilers, ptxas, folder, options, total: Mutex::default(), next: AtomicUsize::new(0) };
    let started = Instant::now();
    std::thread::scope(|scope| -> Result<()> {
        let work = || campaign.work(&seeds, started);
        let workers: Vec<_> = (0..campaign.options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    campaign.report(started.elapsed())
}

#[derive(Debug, Default)]
struct Total {
    programs: usize,
    through_ptxas: usize,
    right: usize,
    wrong: Vec<u64>,
    interpreter: Vec<u64>,
    refused: Vec<u64>,
    ptxas_right: usize,
    ptxas_wrong: Vec<u64>,
    ptxas_unread: Vec<u64>,
    minimised: usize,
}

struct Campaign {
    compilers: Compilers,
    ptxas: Option<Oracle>,
    folder: PathBuf,
    options: Options,
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
            let assembler = assembler.as_ref().filter(|_| n.is_multiple_of(self.options.ptxas.max(1)));
            self.batch(batch, assembler).with_context(|| format!("seeds from {}", batch[0]))?;
        }
    }

    fn batch(&self, seeds: &[u64], assembler: Option<&Assembler<'_>>) -> Result<()> {
        let programs: Vec<Program> = seeds.iter().map(|&seed| generate(seed)).collect();
        let suite = self.compilers.make(&programs)?;
        let seen = compare(&suite, Tools::NONE, assembler);
        let sum = Summary::of(programs.len(), &seen);
        let mut smaller = Vec::new();
        {
            let Ok(mut total) = self.total.lock() else { return Ok(()) };
            total.programs += programs.len();
            total.through_ptxas += assembler.map_or(0, |_| programs.len());
            (total.right, total.ptxas_right) = (total.right + sum.right, total.ptxas_right + sum.ptxas_right);
            for program in &programs {
                let name = program.name();
                // What is about the module is about all of its programs.
                let about: Vec<&Seen> = seen
                    .iter()
                    .filter(|s| s.kernel == name || s.kernel.is_empty())
                    .filter(|s| s.verdict != Verdict::Same)
                    .collect();
                let Some(first) = about.first() else { continue };
                let wrong = |side: fn(Side) -> bool| {
                    about.iter().any(|s| side(s.side) && matches!(s.verdict, Verdict::Wrong(_)))
                };
                let refused = |side: fn(Side) -> bool| {
                    about.iter().any(|s| side(s.side) && !matches!(s.verdict, Verdict::Wrong(_)))
                };
                let seed = program.seed;
                if wrong(|s| matches!(s, Side::Ours(_))) {
                    total.wrong.push(seed);
                } else if refused(|s| matches!(s, Side::Ours(_))) {
                    total.refused.push(seed);
                }
                if wrong(|s| matches!(s, Side::Program | Side::Reference)) || refused(|s| matches!(s, Side::Program)) {
                    total.interpreter.push(seed);
                }
                if wrong(|s| matches!(s, Side::Ptxas(_))) {
                    total.ptxas_wrong.push(seed);
                } else if refused(|s| matches!(s, Side::Ptxas(_))) {
                    total.ptxas_unread.push(seed);
                }
                let worst = about.iter().find(|s| matches!(s.verdict, Verdict::Wrong(_))).unwrap_or(first);
                // What the simulator cannot run of others' code is counted only.
                if matches!((worst.side, &worst.verdict), (Side::Ptxas(_), Verdict::Unread(_) | Verdict::Refused(_))) {
                    continue;
                }
                println!("seed {}: {}: {:?}", program.seed, label(worst), worst.verdict);
                total.minimised += 1;
                smaller.push((program, (*worst).clone(), total.minimised <= MINIMISED));
            }
            if total.programs % 100 < programs.len() {
                println!("{} programs, {} wrong", total.programs, total.wrong.len());
            }
        }
        smaller.into_iter().try_for_each(|(program, worst, small)| self.keep(program, &worst, small, assembler))
    }

    /// Writes a program that differs, minimised.
    fn keep(&self, program: &Program, worst: &Seen, small: bool, assembler: Option<&Assembler<'_>>) -> Result<()> {
        let kind = |s: &Seen| (s.side, std::mem::discriminant(&s.verdict));
        let mut last = None;
        let mut fails = |candidate: &Program| {
            let Ok(suite) = self.compilers.make(std::slice::from_ref(candidate)) else { return false };
            let assembler = assembler.filter(|_| matches!(worst.side, Side::Ptxas(_)));
            let level = match worst.side {
                Side::Ours(level) => vec![level],
                _ => Vec::new(),
            };
            let arch = if worst.arch.is_empty() { "sm_90" } else { worst.arch };
            let seen = compare(&suite, Tools { archs: &[arch], levels: &level, ..Tools::NONE }, assembler);
            let Some(found) = seen.iter().find(|s| kind(s) == kind(worst)) else { return false };
            last = Some((found.clone(), suite.text));
            true
        };
        let minimal = if small { minimise(program, TRIES, &mut fails) } else { program.clone() };
        fails(&minimal);
        let (seen, ptx) = last.unwrap_or_else(|| (worst.clone(), String::new()));
        let head = format!("// seed {}: {}: {:?}\n", program.seed, label(&seen), seen.verdict);
        fs::write(self.folder.join(format!("{}.cu", program.seed)), head.clone() + &text::device(&[minimal]))?;
        Ok(fs::write(self.folder.join(format!("{}.ptx", program.seed)), head + &ptx)?)
    }

    fn report(&self, took: Duration) -> Result<()> {
        let Ok(total) = self.total.lock() else { return Ok(()) };
        let mut other = total.interpreter.clone();
        other.sort_unstable();
        let text = format!(
            "{} programs from seed {} in {:.0} minutes; our code: {} runs agree, {} programs differ, {} refused; the interpreter differs on {}; the code of \
             ptxas, for {} of them: {} runs agree, {} programs differ, {} that the simulator cannot run",
            total.programs,
            self.options.seed,
            took.as_secs_f64() / 60.0,
            total.right,
            total.wrong.len(),
            total.refused.len(),
            other.len(),
            total.through_ptxas,
            total.ptxas_right,
            total.ptxas_wrong.len(),
            total.ptxas_unread.len()
        );
        println!("{text}");
        println!("ours {:?}\nrefused {:?}\ninterpreter {other:?}", total.wrong, total.refused);
        println!("ptxas {:?}\nnot run {:?}", total.ptxas_wrong, total.ptxas_unread);
        if !self.options.no_record {
            let command =
                format!("cargo campaign random-c --count {} --seed {}", self.options.count, self.options.seed);
            figures::record("suites.random-c", total.programs as f64, &command, &text)?;
            figures::record("suites.random-c.wrong", total.wrong.len() as f64, &command, "")?;
        }
        ensure!(total.wrong.is_empty() && other.is_empty(), "differences: see {}", self.folder.display());
        Ok(())
    }
}
