//! `cargo xtask random-ptx [--count N] [--minutes M] [--again] [--seed S] [-jN] [--statements N] [--witness N] [--only OP]... [--keep FOLDER]`:
//! random well-typed PTX through our compiler, the simulator and the interpreter (see `raddle_tests::random`).
//!
//! Kernel number n of the campaign has seed S + n and runs on architecture n mod 4, at -O0, -O3 and a level between in turn. What
//! fails is minimised and written to the folder as PTX with what was seen at its head. Every N-th kernel's text goes through ptxas
//! too (`--witness`): a third opinion that tells faults of the compiler from faults of the simulator.
//!
//! A campaign may run in pieces (`--minutes` ends one): what was done is kept in `campaign.json` of the folder, and the next piece
//! goes on behind it, until `--count` kernels are done. A piece goes on with what was done by the very same program with the same
//! seed and sizes only; otherwise, and with `--again`, the campaign begins anew. Without `--only`, the figures are recorded.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use raddle_filetest::oracle;
use raddle_tests::judge::ARCHS;
use raddle_tests::level::{Level, row};
use raddle_tests::ptxas::Assembler;
use raddle_tests::random::forms::Forms;
use raddle_tests::random::generate::{Size, generate};
use raddle_tests::random::judge::{self, Failing, Fault, judge};
use raddle_tests::random::minimise::minimise;
use raddle_tests::random::tally::Tally;
use raddle_tests::random::tree::Program;

use serde::{Deserialize, Serialize};

use crate::figures;

/// Candidates that minimising one kernel may try.
const TRIES: usize = 3000;
/// Failing kernels that are minimised; the others are only counted.
const MINIMISED: usize = 40;

struct Options {
    count: usize,
    minutes: Option<f64>,
    again: bool,
    seed: u64,
    jobs: usize,
    size: Size,
    witness: usize,
    only: Vec<String>,
    keep: PathBuf,
}

fn options(args: &[String]) -> Result<Options> {
    let mut options = Options {
        count: 1000,
        minutes: None,
        again: false,
        seed: 1,
        jobs: 1,
        size: Size { statements: 60 },
        witness: 0,
        only: Vec::new(),
        keep: figures::root().join("target/random"),
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--count" => options.count = value()?.parse()?,
            "--minutes" => options.minutes = Some(value()?.parse()?),
            "--again" => options.again = true,
            "--seed" => options.seed = value()?.parse()?,
            "--statements" => options.size.statements = value()?.parse()?,
            "--witness" => options.witness = value()?.parse()?,
            "--only" => options.only.push(value()?.clone()),
            "--keep" => options.keep = value()?.into(),
            other => {
                let jobs = other.strip_prefix("-j").and_then(|n| n.parse().ok());
                options.jobs = jobs.with_context(|| format!("unknown option {other}"))?;
            }
        }
    }
    Ok(options)
}

/// What the workers share, and what one piece of a campaign leaves to the next.
#[derive(Default, Serialize, Deserialize)]
struct State {
    /// The program that did it and what it was asked for; another one begins anew.
    identity: String,
    /// Kernels done: all numbers below.
    done: usize,
    /// Seconds that took.
    seconds: f64,
    tally: Tally,
    /// Architecture and what was seen, by seed.
    failing: BTreeMap<u64, (String, String)>,
    by_fault: BTreeMap<String, usize>,
    witnessed: usize,
    recompiled: usize,
}

impl State {
    /// What was done before by this program for these options; nothing, if it was another.
    fn load(options: &Options) -> Result<Self> {
        let program = blake3::hash(&fs::read(std::env::current_exe()?)?).to_hex();
        let Options { seed, size, witness, only, .. } = options;
        let identity = format!("{program} seed {seed} {size:?} witness {witness} only {only:?}");
        let old = fs::read(options.keep.join(STATE)).ok().and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        Ok(match old {
            Some(old) if old.identity == identity && !options.again => old,
            _ => Self { identity, ..Self::default() },
        })
    }

    fn save(&self, options: &Options) -> Result<()> {
        Ok(fs::write(options.keep.join(STATE), serde_json::to_vec(self)?)?)
    }
}

/// The file of a campaign in the folder.
const STATE: &str = "campaign.json";

/// Runs the command.
///
/// # Errors
/// Wrong options, files that cannot be written, and kernels that fail.
pub fn run(args: &[String]) -> Result<()> {
    let options = options(args)?;
    fs::create_dir_all(&options.keep)?;
    let started = Instant::now();
    let wanted = |op: &str| options.only.is_empty() || options.only.iter().any(|o| op == o);
    let forms: Vec<Forms> = ARCHS.iter().map(|arch| Forms::among(arch, &wanted)).collect();
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
    let before = State::load(&options)?;
    let (done, seconds) = (before.done, before.seconds);
    if done > 0 {
        println!("goes on behind {done} kernels");
    }
    let state = Mutex::new(before);
    let next = AtomicUsize::new(done);
    let patience = options.minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let late = || patience.is_some_and(|patience| started.elapsed() > patience);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                let assembler = ptxas.as_ref().and_then(|ptxas| Assembler::new(ptxas).ok());
                loop {
                    // Numbers are taken in order, and what is taken is done: no gaps.
                    if late() {
                        break;
                    }
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= options.count {
                        break;
                    }
                    one(n, &options, &forms[n % forms.len()], assembler.as_ref(), &state);
                }
            });
        }
    });
    let mut state = state.into_inner().map_err(|_| anyhow::anyhow!("a worker panicked"))?;
    state.done = next.into_inner().min(options.count).max(done);
    state.seconds = seconds + started.elapsed().as_secs_f64();
    state.save(&options)?;
    report(&options, &forms, &state)
}

/// Kernel number `n`.
fn one(n: usize, options: &Options, forms: &Forms, assembler: Option<&Assembler<'_>>, state: &Mutex<State>) {
    let seed = options.seed + n as u64;
    let program = generate(forms, seed, options.size);
    let mut result = judge(&program, forms.arch, &Level::some(n / ARCHS.len(), row(forms.arch)));
    let witnessed = assembler.filter(|_| n.is_multiple_of(options.witness.max(1)));
    if let (Some(assembler), Ok(())) = (witnessed, &result) {
        result = witness(&program, forms.arch, assembler);
    }
    let recompile = n.is_multiple_of(50) && result.is_ok();
    if recompile {
        result = same_bytes(&program, forms.arch);
    }
    let minimal = result.as_ref().err().map(|failing| {
        let many = state.lock().map_or(0, |s| s.failing.len()) >= MINIMISED;
        let again = |candidate: &Program| match witnessed.filter(|_| failing.by_ptxas) {
            Some(assembler) => witness(candidate, forms.arch, assembler),
            None if failing.fault == Fault::Bytes => same_bytes(candidate, forms.arch),
            None => judge(candidate, forms.arch, &[failing.level]),
        };
        let mut fails = |candidate: &Program| again(candidate).is_err_and(|other| other.fault == failing.fault);
        let tries = if failing.by_ptxas { TRIES / 10 } else { TRIES };
        let minimal = if many { program.clone() } else { minimise(&program, tries, &mut fails) };
        let smaller = again(&minimal).err().unwrap_or_else(|| failing.clone());
        let head = format!("// seed {seed}, {}, {smaller}\n", forms.arch).replace('\n', "\n// ");
        let path = options.keep.join(format!("{seed}.ptx"));
        let text = format!("{}\n{}", head.trim_end_matches("// "), minimal.text(forms.arch));
        if let Err(error) = fs::write(&path, text) {
            eprintln!("{}: {error}", path.display());
        }
        smaller
    });
    let Ok(mut state) = state.lock() else { return };
    state.tally.add(&program, forms);
    state.witnessed += usize::from(witnessed.is_some());
    state.recompiled += usize::from(recompile);
    if let Some(failing) = minimal {
        println!("seed {seed} {}: {failing}", forms.arch);
        *state.by_fault.entry(format!("{:?}", failing.fault)).or_default() += 1;
        state.failing.insert(seed, (forms.arch.to_owned(), failing.to_string()));
    }
    if state.tally.kernels.is_multiple_of(1000) {
        println!("{} kernels, {} fail", state.tally.kernels, state.failing.len());
    }
}

/// The code of ptxas in the simulator against the interpreter.
fn witness(program: &Program, arch: &'static str, assembler: &Assembler<'_>) -> Result<(), Failing> {
    let text = program.text(arch);
    let failing = |fault, what| Failing { by_ptxas: true, ..Failing::new(fault, Level::O3, what) };
    let cubin = assembler.assemble(&text, arch).map_err(|e| failing(Fault::Rejected, format!("{e:#}")))?;
    let want = judge::interpret(program, &text).map_err(|e| failing(Fault::Interpreter, e.to_string()))?;
    let got = judge::simulate(program, &cubin).map_err(|e| failing(Fault::Simulator, e.to_string()))?;
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
    println!("{kernels} kernels in {seconds:.0} s, {} fail: {:?}", state.failing.len(), state.by_fault);
    println!("{} through ptxas too, {} compiled again in disorder", state.witnessed, state.recompiled);
    println!("{} pairs of operation and type, {} spellings", keys.len(), spellings.len());
    let wanted: std::collections::BTreeSet<&str> = forms.iter().flat_map(Forms::keys).collect();
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
    if options.only.is_empty() {
        let command = "make campaign-random";
        let shapes: Vec<String> = shapes.iter().map(|(shape, count)| format!("{count} {shape}")).collect();
        let note = format!(
            "seeds from {}, one build, {:.0} minutes; four architectures in turn, -O0, -O3 and one level between in turn; {} also \
             through ptxas; {}",
            options.seed,
            seconds / 60.0,
            state.witnessed,
            shapes.join(", ")
        );
        figures::record("codegen.random.kernels", *kernels as f64, command, &note)?;
        let note = format!("in {kernels} kernels: {:?}", state.by_fault);
        figures::record("codegen.random.differences", state.failing.len() as f64, command, &note)?;
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
        figures::record("codegen.random.coverage", covered, command, &note)?;
    }
    ensure!(state.failing.is_empty(), "{} kernels fail; see {}", state.failing.len(), options.keep.display());
    Ok(())
}
