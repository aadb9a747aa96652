//! `cargo campaign fuzzx-generated --sources DIR [--count N] [-jN] [--ptxas N] [--minutes M] [--record]`: programs that FuzzX' generator wrote,
//! one PTX file each below DIR, against every machine there is (see `raddle_tests::suites`).
//!
//! Program number n is compiled for one architecture, the four in turn or the next one that has its instructions, by us at -O0 to -O3 and, every N-th (`--ptxas`, 0 for none), by ptxas
//! at -O0 and -O3. What differs is made smaller line by line and written to `target/generated` with what was seen: everything of ours, the first ones
//! of ptxas.

use crate::arguments::folder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Result, ensure};
use raddle_filetest::oracle::{self, Oracle};
use raddle_tests::judge::ARCHS;
use raddle_tests::ptxas::Assembler;
use raddle_tests::suites::compare::{Seen, Side, Tools, Verdict, compare, needs_newer, retarget};
use raddle_tests::suites::fuzzx;
use raddle_tests::suites::program::{Program, Runs};
use raddle_tests::suites::rows::label;
use raddle_tests::suites::smaller::smaller;
use raddle_tests::suites::sources::Files;

use crate::suites;
use xtask::figures;

/// Differences of ptxas that are made smaller; the others are only counted.
const MINIMISED: usize = 60;
/// Candidates that making one smaller may try.
const TRIES: usize = 1500;
/// Programs between two lines of progress.
const TELL: usize = 200;

#[derive(clap::Args)]
pub struct Options {
    /// Folder of programs by FuzzX' generator, one PTX file each
    #[arg(long, value_name = "DIR", value_parser = folder)]
    sources: PathBuf,
    /// Programs [default: all]
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    count: usize,
    /// Threads
    #[arg(short = 'j', value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Also judge the code of ptxas for every Nth program; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1)]
    ptxas: usize,
    /// Minutes after which no further program is begun
    #[arg(long, value_name = "N", default_value_t = f64::INFINITY, hide_default_value = true)]
    minutes: f64,
    /// Record the figures
    #[arg(long)]
    record: bool,
}

#[derive(Debug, Default)]
struct Total {
    programs: usize,
    through_ptxas: usize,
    /// Programs with instructions that no architecture here has.
    elsewhere: usize,
    /// What the interpreter says of programs that it does not run to the end.
    not_run: BTreeMap<String, usize>,
    right: usize,
    /// Programs on which our code differs, or that only we refuse.
    ours: BTreeSet<String>,
    refused: BTreeSet<String>,
    ptxas_right: usize,
    /// Programs on which the code of ptxas differs, by level.
    differs: BTreeMap<&'static str, BTreeSet<String>>,
    died: BTreeSet<String>,
    unread: BTreeMap<String, usize>,
    minimised: usize,
    /// Operations that are left of programs that were made smaller.
    kinds: BTreeMap<String, usize>,
}

/// Runs the command.
///
/// # Errors
/// Wrong options, files that cannot be read or written, and differences of our code.
pub fn run(options: Options) -> Result<()> {
    let files = Files::read(&options.sources, |path| path.ends_with(".ptx"))?;
    let folder = figures::root().join("target/generated");
    fs::create_dir_all(&folder)?;
    let ptxas = oracle::require("ptxas").filter(|_| options.ptxas > 0);
    let campaign = Campaign { options, folder, ptxas, total: Mutex::default(), next: AtomicUsize::new(0) };
    let names: Vec<&String> = files.0.keys().take(campaign.options.count).collect();
    let started = Instant::now();
    std::thread::scope(|scope| -> Result<()> {
        let work = || campaign.work(&files, &names, started);
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
    fn work(&self, files: &Files, names: &[&String], started: Instant) -> Result<()> {
        let assembler = self.ptxas.as_ref().map(Assembler::new).transpose()?;
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(name) = names.get(n) else { return Ok(()) };
            if started.elapsed().as_secs_f64() > self.options.minutes * 60.0 {
                return Ok(());
            }
            let written = files.text(name)?;
            let in_turn = (0..ARCHS.len()).map(|k| ARCHS[(n + k) % ARCHS.len()]);
            let fitting = in_turn.map(|arch| (arch, retarget(&written, arch))).find(|(_, text)| !needs_newer(text));
            let Some((arch, text)) = fitting else {
                if let Ok(mut total) = self.total.lock() {
                    total.elsewhere += 1;
                }
                continue;
            };
            let assembler = assembler.as_ref().filter(|_| n.is_multiple_of(self.options.ptxas.max(1)));
            self.one(&fuzzx::generated(name.trim_end_matches(".ptx"), text)?, arch, assembler)?;
        }
    }

    fn one(&self, program: &Program, arch: &'static str, assembler: Option<&Assembler<'_>>) -> Result<()> {
        let seen = compare(program, Tools { archs: &[arch], ..Tools::NONE }, assembler);
        let mut worst = None;
        if let Ok(mut total) = self.total.lock() {
            total.note(program, &seen, assembler.is_some());
            let bad = |s: &&Seen| match &s.verdict {
                Verdict::Same => false,
                Verdict::Refused(_) => total.refused.contains(&program.name),
                Verdict::Unread(_) | Verdict::Wrong(_) => true,
            };
            if let Some(first) = seen.iter().filter(|s| matches!(s.side, Side::Ours(_))).find(bad) {
                println!("{}: {:?}", label(first), first.verdict);
                worst = Some(first.clone());
            } else if total.minimised < MINIMISED {
                let theirs = |s: &&Seen| matches!((s.side, &s.verdict), (Side::Ptxas(_), Verdict::Wrong(_)));
                worst = seen.iter().find(theirs).cloned();
                total.minimised += usize::from(worst.is_some());
            }
            if total.programs.is_multiple_of(TELL) {
                let differs: BTreeSet<_> = total.differs.values().flatten().collect();
                println!("{} programs, {} wrong, ptxas differs on {}", total.programs, total.ours.len(), differs.len());
            }
        }
        worst.map_or(Ok(()), |worst| self.keep(program, &worst, arch, assembler))
    }

    /// Writes a program that differs, made smaller.
    fn keep(
        &self,
        program: &Program,
        worst: &Seen,
        arch: &'static str,
        assembler: Option<&Assembler<'_>>,
    ) -> Result<()> {
        let Runs::Made(runs) = &program.runs else { return Ok(()) };
        let runs: Vec<_> = runs.iter().filter(|run| worst.run.is_empty() || run.name == worst.run).cloned().collect();
        let (who, ours, theirs) = match worst.side {
            Side::Ours(level) => ("ours", vec![level], Vec::new()),
            Side::Ptxas(level) => ("ptxas", Vec::new(), vec![level]),
            Side::Program | Side::Reference => return Ok(()),
        };
        let tools = Tools { archs: &[arch], levels: &ours, theirs: &theirs, ..Tools::NONE };
        let mut last = worst.clone();
        let text = smaller(&program.text, TRIES, |text| {
            // Undefined programs are told apart before a compiler is asked.
            if !runs.iter().any(|run| run.interpret(text).is_ok()) {
                return false;
            }
            let candidate =
                Program { name: program.name.clone(), text: text.to_owned(), runs: Runs::Made(runs.clone()) };
            let seen = compare(&candidate, tools, assembler);
            let Some(found) = seen.iter().find(|s| s.side == worst.side && same_kind(&s.verdict, &worst.verdict))
            else {
                return false;
            };
            last = found.clone();
            true
        });
        let kind = operations(&text);
        if let Ok(mut total) = self.total.lock()
            && who == "ptxas"
        {
            *total.kinds.entry(kind.clone()).or_default() += 1;
        }
        let head = format!("// {}: {:?}\n// {kind}\n", label(&last), last.verdict);
        let name = format!("{who}-{}.ptx", program.name.replace('/', "_"));
        Ok(fs::write(self.folder.join(name), head + &text)?)
    }

    fn report(&self, minutes: f64) -> Result<()> {
        let Ok(total) = self.total.lock() else { return Ok(()) };
        let version = self.ptxas.as_ref().map(suites::version).transpose()?;
        let none = BTreeSet::new();
        let (o3, o0) = (total.differs.get("-O3").unwrap_or(&none), total.differs.get("-O0").unwrap_or(&none));
        let text = format!(
            "{} programs in {minutes:.0} minutes, each at -O0 to -O3 on one architecture in turn; our code: {} runs agree, {} programs refused that \
             ptxas takes; not judged: {} that the interpreter ends with a finding, {} for other architectures; ptxas {}: {} programs, its code of -O3 differs on {}, that \
             of -O0 on {}, it died of {}; {} made smaller, {} kinds; the simulator cannot run: {:?}",
            total.programs,
            total.right,
            total.refused.len(),
            total.not_run.values().sum::<usize>(),
            total.elsewhere,
            version.as_deref().unwrap_or("not there"),
            total.through_ptxas,
            o3.len(),
            o0.len(),
            total.died.len(),
            total.minimised,
            total.kinds.len(),
            total.unread
        );
        println!("{text}\nnot judged: {:?}\nrefused: {:?}\nours: {:?}", total.not_run, total.refused, total.ours);
        total.kinds.iter().for_each(|(kind, times)| println!("{times:4} {kind}"));
        if self.options.record {
            let command = "cargo campaign fuzzx-generated --sources DIR --record";
            figures::record("suites.generated", total.programs as f64, command, &text)?;
            figures::record("suites.generated.wrong", total.ours.len() as f64, command, "")?;
        }
        ensure!(total.ours.is_empty(), "{} programs differ: see {}", total.ours.len(), self.folder.display());
        Ok(())
    }
}

impl Total {
    fn note(&mut self, program: &Program, seen: &[Seen], through_ptxas: bool) {
        self.programs += 1;
        self.through_ptxas += usize::from(through_ptxas);
        let taken = !seen.iter().any(|s| matches!((s.side, &s.verdict), (Side::Ptxas(_), Verdict::Refused(_))));
        for one in seen {
            let name = || program.name.clone();
            match (one.side, &one.verdict) {
                (Side::Program | Side::Reference, Verdict::Same) => {}
                (
                    Side::Program | Side::Reference,
                    Verdict::Wrong(what) | Verdict::Unread(what) | Verdict::Refused(what),
                ) => {
                    *self.not_run.entry(what.clone()).or_default() += 1;
                }
                (Side::Ours(_), Verdict::Same) => self.right += 1,
                (Side::Ours(_), Verdict::Refused(_)) if !taken => {}
                (Side::Ours(_), Verdict::Refused(_)) => _ = self.refused.insert(name()),
                (Side::Ours(_), _) => _ = self.ours.insert(name()),
                (Side::Ptxas(_), Verdict::Same) => self.ptxas_right += 1,
                (Side::Ptxas(_), Verdict::Wrong(what)) if what.contains("signal:") => _ = self.died.insert(name()),
                (Side::Ptxas(level), Verdict::Wrong(_)) => _ = self.differs.entry(level).or_default().insert(name()),
                (Side::Ptxas(_), Verdict::Unread(what)) => {
                    *self.unread.entry(without_numbers(what)).or_default() += 1;
                }
                (Side::Ptxas(_), Verdict::Refused(_)) => {}
            }
        }
    }
}

/// What the simulator says, without the place, the program's name and numbers, so that the same reasons count together.
fn without_numbers(what: &str) -> String {
    let what = what.split(" at ").next().unwrap_or_default();
    let what = what.split_once(": ").map_or(what, |(_, rest)| rest);
    what.chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
}

/// Whether two verdicts are of one kind: a ptxas that dies is not a code that differs.
fn same_kind(a: &Verdict, b: &Verdict) -> bool {
    match (a, b) {
        (Verdict::Wrong(a), Verdict::Wrong(b)) => a.contains("signal:") == b.contains("signal:"),
        (Verdict::Refused(a), Verdict::Refused(b)) => a == b,
        _ => false,
    }
}

/// The operations of a module, each once, in the order of names, without those that every program has.
fn operations(text: &str) -> String {
    let one = |line: &str| {
        let line = line.trim();
        let line = if line.starts_with('@') { line.split_once(' ')?.1.trim() } else { line };
        let name = line.split([' ', '\t', ';']).next().unwrap_or_default();
        let plain = ["mov.u32", "ld.param", "ret", "bra", "cvta", ".", "//"].iter().any(|p| name.starts_with(p));
        (name.contains('.') && !plain).then(|| name.to_owned())
    };
    let names: BTreeSet<String> = text.lines().filter_map(one).collect();
    names.into_iter().collect::<Vec<_>>().join(" ")
}
