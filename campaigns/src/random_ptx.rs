//! `cargo campaign random-ptx [--count N] [--minutes M] [--again] [--seed S] [-jN] [--statements N] [--witness N]
//! [--only OP]... [--keep FOLDER] [--no-record] [--text]`:
//! random well-typed PTX through our compiler, the simulator and the interpreter (see `raddle_tests::random`).
//!
//! Kernel number n of the campaign has seed S + n and runs on architecture n mod 4, at -O0, -O3 and a level between in turn. What
//! fails is minimised and written to the folder as PTX with what was seen at its head. Every N-th kernel's text goes through ptxas
//! too (`--witness`): a third opinion that tells faults of the compiler from faults of the simulator.
//!
//! A campaign may run in pieces (`--minutes` ends one, and so does a signal): the next piece goes on behind what was done, with
//! the same program or another one, until `--count` kernels are done ([`crate::random_state`]); `--again` begins anew. Without
//! `--only` and `--no-record`, the figures are recorded. `--text` prints the kernels and does nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use raddle_filetest::oracle;
use raddle_sim::machine::Completion;
use raddle_tests::judge::ARCHS;
use raddle_tests::level::{Level, row};
use raddle_tests::ptxas::Assembler;
use raddle_tests::random::forms::Forms;
use raddle_tests::random::generate::{Size, generate};
use raddle_tests::random::judge::{self, Failing, Fault, judge};
use raddle_tests::random::minimise::{Parts, minimise};
use raddle_tests::random::tally::Tally;
use raddle_tests::random::tree::Program;

use crate::random_state::{Failed, State};
use xtask::figures;

/// Candidates that minimising one kernel may try.
const TRIES: usize = 3000;
/// Failing kernels that are minimised; the others are only counted.
const MINIMISED: usize = 40;
/// Time between two states that are kept.
const SAVE: Duration = Duration::from_secs(60);

#[derive(clap::Args)]
pub struct Options {
    /// Kernels
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,
    /// Minutes after which the campaign stops; the next one continues
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// Begin anew, whatever was done before
    #[arg(long)]
    again: bool,
    /// Seed of the first; kernel n has this plus n
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(short = 'j', value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Statements of a kernel [default: 12 to 60]
    #[arg(long, value_name = "N")]
    statements: Option<usize>,
    /// Also judge the code of ptxas for every Nth kernel; 0 for none
    #[arg(long, value_name = "N", default_value_t = 0)]
    witness: usize,
    /// Only programs with this operation; may be repeated
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Folder for kernels that fail [default: target/random]
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Record no figures
    #[arg(long)]
    no_record: bool,
    /// Only print the kernels
    #[arg(long)]
    text: bool,
}

impl Options {
    fn keep(&self) -> PathBuf {
        self.keep.clone().unwrap_or_else(|| figures::root().join("target/random"))
    }

    fn size(&self) -> Size {
        self.statements.map_or(Size { few: 12, many: 60 }, |many| Size { few: many, many })
    }
}

/// Runs the command.
///
/// # Errors
/// Wrong options, files that cannot be written, and kernels that fail.
pub fn run(options: Options) -> Result<()> {
    let keep = options.keep();
    fs::create_dir_all(&keep)?;
    let started = Instant::now();
    let wanted = |op: &str| options.only.is_empty() || options.only.iter().any(|o| op == o);
    let forms: Vec<Forms> = ARCHS.iter().map(|arch| Forms::among(arch, &wanted)).collect();
    if options.text {
        for n in 0..options.count {
            let forms = &forms[n % forms.len()];
            println!("{}", generate(forms, options.seed + n as u64, options.size()).text(forms.arch));
        }
        return Ok(());
    }
    for forms in &forms {
        let left_out: usize = forms.left_out.values().map(Vec::len).sum();
        println!(
            "{}: {} spellings, {} pairs of operation and type; left out {left_out}:",
            forms.arch,
            forms.list.len(),
            forms.keys().len()
        );
        for (why, list) in &forms.left_out {
            println!("  {:6} {why}: {}", list.len(), list.iter().take(4).cloned().collect::<Vec<_>>().join(" "));
        }
    }
    ensure!(forms.iter().all(|f| !f.list.is_empty()), "nothing to draw from");
    println!("forms asked in {:.1} s", started.elapsed().as_secs_f64());
    let ptxas = oracle::find("ptxas").filter(|_| options.witness > 0);
    let Options { seed, witness, only, .. } = &options;
    let size = &options.size();
    let identity = format!("seed {seed} {size:?} witness {witness} only {only:?}");
    let (before, once_more) = State::load(&keep, identity, options.again)?;
    let seconds = before.seconds;
    if before.count() > 0 {
        println!("goes on behind {} kernels, {} of them once more", before.count(), once_more.len());
    }
    let left: Vec<usize> = (0..options.count).filter(|n| !before.has(*n)).collect();
    // What failed with another program comes first.
    let numbers: Vec<usize> = once_more.iter().map(|failed| (failed - seed) as usize).chain(left).collect();
    let state = Mutex::new((before, Instant::now()));
    let next = AtomicUsize::new(0);
    let patience = options.minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let late = || patience.is_some_and(|patience| started.elapsed() > patience);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                let assembler = ptxas.as_ref().and_then(|ptxas| Assembler::new(ptxas).ok());
                while !late() {
                    let Some(&n) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    let outcome = one(n, &options, &forms[n % forms.len()], assembler.as_ref(), &state);
                    let Ok(mut locked) = state.lock() else { break };
                    let (state, saved) = &mut *locked;
                    outcome.enter(state, n, &options, &forms[n % forms.len()]);
                    if saved.elapsed() > SAVE {
                        *saved = Instant::now();
                        state.seconds = seconds + started.elapsed().as_secs_f64();
                        state.save(&keep).unwrap_or_else(|error| eprintln!("{error:#}"));
                    }
                }
            });
        }
    });
    let (mut state, _) = state.into_inner().map_err(|_| anyhow::anyhow!("a worker panicked"))?;
    state.seconds = seconds + started.elapsed().as_secs_f64();
    state.save(&keep)?;
    report(&options, &forms, &state)
}

/// What became of one kernel.
struct Outcome {
    program: Program,
    failing: Option<Failing>,
    witnessed: bool,
    recompiled: bool,
}

impl Outcome {
    /// Counts it.
    fn enter(self, state: &mut State, n: usize, options: &Options, forms: &Forms) {
        let seed = options.seed + n as u64;
        if let Some(failing) = &self.failing {
            println!("seed {seed} {}: {failing}", forms.arch);
        }
        let (arch, fault) = (forms.arch.to_owned(), |f: &Failing| format!("{:?}", f.fault));
        state.found(seed, self.failing.map(|f| Failed { arch, fault: fault(&f), what: f.to_string() }));
        if state.has(n) {
            return;
        }
        state.finish(n);
        state.tally.add(&self.program, forms);
        state.witnessed += usize::from(self.witnessed);
        state.recompiled += usize::from(self.recompiled);
        if state.count().is_multiple_of(1000) {
            println!("{} kernels, {} fail", state.count(), state.failing.len());
        }
    }
}

/// Kernel number `n`.
fn one(
    n: usize,
    options: &Options,
    forms: &Forms,
    assembler: Option<&Assembler<'_>>,
    state: &Mutex<(State, Instant)>,
) -> Outcome {
    let seed = options.seed + n as u64;
    let program = generate(forms, seed, options.size());
    let mut result = judge(&program, forms.arch, &Level::some(n / ARCHS.len(), row(forms.arch)));
    let witnessed = assembler.filter(|_| n.is_multiple_of(options.witness.max(1)));
    if let (Some(assembler), Ok(())) = (witnessed, &result) {
        result = witness(&program, forms.arch, assembler);
    }
    let recompile = n.is_multiple_of(50) && result.is_ok();
    if recompile {
        result = same_bytes(&program, forms.arch);
    }
    let failing = result.as_ref().err().map(|failing| {
        let many = state.lock().map_or(0, |s| s.0.failing.len()) >= MINIMISED;
        let again = |candidate: &Program| match witnessed.filter(|_| failing.by_ptxas) {
            Some(assembler) => witness(candidate, forms.arch, assembler),
            None if failing.fault == Fault::Bytes => same_bytes(candidate, forms.arch),
            None => judge(candidate, forms.arch, &[failing.level]),
        };
        let mut fails = |candidate: &Program| again(candidate).is_err_and(|other| other.fault == failing.fault);
        // Without its first lines, what follows reads registers that nobody wrote: a fault of its own that the interpreter finds.
        let parts = if failing.fault == Fault::Interpreter { Parts::Whole } else { Parts::Lines };
        let tries = if failing.by_ptxas { TRIES / 10 } else { TRIES };
        let minimal = if many { program.clone() } else { minimise(&program, tries, parts, &mut fails) };
        let smaller = again(&minimal).err().unwrap_or_else(|| failing.clone());
        let head = format!("// seed {seed}, {}, {smaller}\n", forms.arch).replace('\n', "\n// ");
        let path = options.keep().join(format!("{seed}.ptx"));
        let text = format!("{}\n{}", head.trim_end_matches("// "), minimal.text(forms.arch));
        if let Err(error) = fs::write(&path, text) {
            eprintln!("{}: {error}", path.display());
        }
        smaller
    });
    Outcome { program, failing, witnessed: witnessed.is_some(), recompiled: recompile }
}

/// The code of ptxas in the simulator against the interpreter.
fn witness(program: &Program, arch: &'static str, assembler: &Assembler<'_>) -> Result<(), Failing> {
    let text = program.text(arch);
    let failing = |fault, what| Failing { by_ptxas: true, ..Failing::new(fault, Level::O3, what) };
    let cubin = assembler.assemble(&text, arch).map_err(|e| failing(Fault::Rejected, format!("{e:#}")))?;
    let want = judge::interpret(program, &text).map_err(|e| failing(Fault::Interpreter, e.to_string()))?;
    let got =
        judge::simulate(program, &cubin, Completion::Early).map_err(|e| failing(Fault::Simulator, e.to_string()))?;
    judge::same(&got, &want).map_err(|what| failing(Fault::Different, what))
}

/// The same bytes for other numbers of workers and in disorder.
fn same_bytes(program: &Program, arch: &'static str) -> Result<(), Failing> {
    let text = program.text(arch);
    let bytes = |jobs, chaos| judge::compile(&text, arch, Level::O3, jobs, chaos).ok();
    let plain = bytes(1, None);
    let other = [(2, None), (3, Some(1)), (8, Some(2))].into_iter().find(|&(jobs, chaos)| bytes(jobs, chaos) != plain);
    match other {
        None => Ok(()),
        Some((jobs, chaos)) => Err(Failing::new(Fault::Bytes, Level::O3, format!("-j {jobs}, chaos {chaos:?}"))),
    }
}

fn report(options: &Options, forms: &[Forms], state: &State) -> Result<()> {
    let Tally { kernels, keys, spellings, shapes } = &state.tally;
    let seconds = state.seconds;
    println!("{kernels} kernels in {seconds:.0} s, {} fail: {:?}", state.failing.len(), state.by_fault());
    println!("{} through ptxas too, {} compiled again in disorder", state.witnessed, state.recompiled);
    println!("{} pairs of operation and type, {} spellings", keys.len(), spellings.len());
    let wanted: BTreeSet<&str> = forms.iter().flat_map(Forms::keys).collect();
    let rare: Vec<String> = wanted
        .iter()
        .map(|key| (key, keys.get(*key).copied().unwrap_or(0)))
        .filter(|(_, count)| *count < 20)
        .map(|(key, count)| format!("{key} {count}"))
        .collect();
    println!("below 20 times: {} {}", rare.len(), rare.join(", "));
    for (shape, count) in shapes {
        println!("  {count:8} {shape}");
    }
    if options.only.is_empty() && !options.no_record {
        let command = "make campaign-random";
        let shapes: Vec<String> = shapes.iter().map(|(shape, count)| format!("{count} {shape}")).collect();
        let pieces: Vec<String> = state.pieces.iter().map(|p| format!("{} at {}", p.kernels, p.commit)).collect();
        let note = format!(
            "seeds from {}: {}, {:.0} minutes; four architectures in turn, -O0, -O3 and one level between in turn, results at once \
             and, at -O3, as late as may be; {} also through ptxas; {}",
            options.seed,
            pieces.join(", "),
            seconds / 60.0,
            state.witnessed,
            shapes.join(", ")
        );
        let commit = state.pieces.last().map_or("", |piece| &piece.commit);
        figures::record_of("codegen.random.kernels", *kernels as f64, command, &note, commit)?;
        let mended = match state.mended.len() {
            0 => String::new(),
            n => format!("; {n} failed at first and pass since a fault was mended"),
        };
        let note = format!("in {kernels} kernels: {:?}{mended}", state.by_fault());
        figures::record_of("codegen.random.differences", state.failing.len() as f64, command, &note, commit)?;
        let covered = 100.0 * (wanted.len() - rare.len()) as f64 / wanted.len().max(1) as f64;
        let reasons: BTreeMap<&str, usize> =
            forms.iter().flat_map(|f| &f.left_out).map(|(why, list)| (why.as_str(), list.len())).collect();
        let left_out: Vec<String> = reasons.iter().map(|(why, n)| format!("{n} {why}")).collect();
        let note = format!(
            "{} pairs of operation and type, {} spellings; below 20 times: {}; spellings not drawn: {}",
            wanted.len(),
            spellings.len(),
            if rare.is_empty() { "none".to_owned() } else { rare.join(", ") },
            left_out.join(", ")
        );
        figures::record_of("codegen.random.coverage", covered, command, &note, commit)?;
    }
    ensure!(state.failing.is_empty(), "{} kernels fail; see {}", state.failing.len(), options.keep().display());
    Ok(())
}
