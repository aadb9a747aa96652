//! `cargo campaign cutlass --sources DIR [--only PART] [--levels all] [--keep DIR] [--record]`: kernels of NVIDIA's CUTLASS.
//!
//! The programs of `tests/corpus/cutlass` are ours and use CUTLASS' public interface; `DIR` is a checkout of it. nvcc
//! compiles them, and their host part, linked with a stand-in for the CUDA runtime, says which launches CUTLASS makes of
//! a problem (`build`, `script`). Each case then runs in the interpreter, and in the simulator with our code and with that
//! of ptxas; results must be those of a product computed on the host, exactly, and those of the simulator must be those of
//! the interpreter in every byte of every buffer (`judge`, `product`). What our code takes is printed beside that of ptxas.

mod build;
mod judge;
mod product;
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use raddle_driver::compile::compile;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{RunOptions, Selection};
use raddle_driver::report::Report;
use raddle_driver::request::Request;
use raddle_filetest::oracle::{self, Oracle};
use raddle_target::Target;
use raddle_tests::judge::static_hazards;
use raddle_tests::level::Level;
use raddle_tests::parallel;
use raddle_tests::suites::sources::{Files, check, pin};

use crate::arguments::folder;
use judge::{Contents, Machine};
use script::Case;
use xtask::figures;

/// The programs, each with the machine it is for.
const PROGRAMS: [(&str, &str); 4] =
    [("sm80_half", "80"), ("sm80_other", "80"), ("sm90_half", "90a"), ("sm90_other", "90a")];

#[derive(clap::Args)]
pub struct Options {
    /// Checkout of CUTLASS
    #[arg(long, value_name = "DIR", value_parser = folder)]
    sources: PathBuf,
    /// Only programs whose name contains this
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// Only cases whose name contains this
    #[arg(long, value_name = "PART")]
    case: Option<String>,
    /// Run the code of every level, not only of -O0 and -O3
    #[arg(long)]
    levels: bool,
    /// Folder for the PTX of each program, and where it is taken from if it is there
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Record the figures
    #[arg(long)]
    record: bool,
}

/// What was seen of a case: which codes failed, and how.
struct Seen {
    name: String,
    kernels: BTreeSet<String>,
    runs: usize,
    /// Of our code, and of machines that do not compute what they should.
    wrong: Vec<String>,
    /// Of the code of ptxas.
    ptxas: Vec<String>,
}

/// What a kernel takes.
#[derive(Clone, Copy, Debug, Default)]
struct Resources {
    registers: u32,
    spilled: (u32, u32),
    instructions: usize,
    milliseconds: f64,
}

/// Runs the command.
///
/// # Errors
/// Missing tools, sources that nvcc refuses, and wrong results of our code.
pub fn run(options: Options) -> Result<()> {
    let nvcc = oracle::find("nvcc").context("nvcc is missing: make oracles")?;
    let ptxas = oracle::find("ptxas").context("ptxas is missing: make oracles")?;
    let headers = |name: &str| name.starts_with("include/");
    let pinned = check(&pin("cutlass")?, &options.sources, &Files::read(&options.sources, headers)?);
    if let Err(other) = &pinned {
        println!("note: {other:#}");
    }
    let chosen = |name: &str| options.only.as_ref().is_none_or(|part| name.contains(part));
    let mut seen: BTreeMap<&str, Vec<Seen>> = BTreeMap::new();
    for (name, machine) in PROGRAMS.into_iter().filter(|(name, _)| chosen(name)) {
        let one = program(&options, &nvcc, &ptxas, name, machine).with_context(|| name)?;
        seen.entry(machine).or_default().extend(one);
    }
    let all = || seen.values().flatten();
    let right = |machine: &str| {
        let of = seen.get(machine).into_iter().flatten().filter(|one| one.wrong.is_empty());
        of.flat_map(|one| &one.kernels).collect::<BTreeSet<_>>().len()
    };
    let (runs, wrong) = (all().map(|one| one.runs).sum::<usize>(), all().map(|one| one.wrong.len()).sum::<usize>());
    let refuted: Vec<&str> = all().filter(|one| !one.ptxas.is_empty()).map(|one| one.name.as_str()).collect();
    let (old, new) = (right("80"), right("90a"));
    let others = if refuted.is_empty() {
        "all right".into()
    } else {
        format!("not as the interpreter, or a finding, in {}", refuted.join(", "))
    };
    println!(
        "{} cases, {runs} runs: {old} kernels for sm_80 and {new} for sm_90a right, {wrong} wrong; ptxas: {others}",
        all().count()
    );
    if options.record {
        ensure!(options.only.is_none() && options.case.is_none(), "--record is for all programs");
        pinned.context("--record is for the pinned checkout")?;
        let command = "cargo campaign cutlass --sources DIR --record";
        let note = format!("{} cases, {runs} runs; code of ptxas: {others}", all().count());
        figures::record("cutlass.kernels.80", old as f64, command, &note)?;
        figures::record("cutlass.kernels.90a", new as f64, command, &note)?;
        figures::record("cutlass.wrong", wrong as f64, command, &note)?;
    }
    ensure!(wrong == 0, "{wrong} wrong");
    Ok(())
}

/// Builds, compiles and runs one program.
fn program(options: &Options, nvcc: &Oracle, ptxas: &Oracle, name: &str, machine: &str) -> Result<Vec<Seen>> {
    let own = figures::root().join("tests/corpus/cutlass");
    let temporary = tempfile::tempdir()?;
    let built = match &options.keep {
        Some(keep) => kept(keep, name, || build::build(nvcc, &options.sources, &own, name, machine, temporary.path()))?,
        None => build::build(nvcc, &options.sources, &own, name, machine, temporary.path())?,
    };
    let arch = if machine == "80" { "sm_80" } else { "sm_90a" };
    let mut cases = script::read(&built.scripts)?;
    cases.retain(|case| options.case.as_ref().is_none_or(|part| case.name.contains(part)));
    let mut reports = Vec::new();
    for level in Level::ALL {
        reports.push((level, ours(&built.ptx, arch, level)?));
    }
    let (_, best) = reports.iter().find(|(level, _)| *level == Level::O3).context("no -O3")?;
    let (theirs, their_cubin) = assemble(ptxas, &built.ptx, arch, temporary.path())?;
    table(&cases, best, &theirs);
    let run = |level: &Level| options.levels || matches!(level, Level::O0 | Level::O3);
    let codes: Vec<(String, &[u8])> = reports
        .iter()
        .filter(|(level, _)| run(level))
        .filter_map(|(level, report)| Some((format!("-{level}"), report.cubin.as_deref()?)))
        .collect();
    let mut unsafe_code = Vec::new();
    for (level, cubin) in &codes {
        let found = static_hazards(cubin, arch).err();
        unsafe_code.extend(found.map(|why| format!("{level}: {why:#}")));
    }
    let mut seen = parallel::map(&cases, |case| one(case, &built.ptx, &codes, &their_cubin));
    if let Some(first) = seen.first_mut() {
        first.wrong.extend(unsafe_code);
    }
    for one in &seen {
        one.wrong.iter().for_each(|why| println!("WRONG {name} {}: {why}", one.name));
        one.ptxas.iter().for_each(|why| println!("ptxas {name} {}: {why}", one.name));
    }
    Ok(seen)
}

/// What is in the folder of `--keep`, or put there now.
fn kept(keep: &Path, name: &str, build: impl FnOnce() -> Result<build::Built>) -> Result<build::Built> {
    let files = ["ptx", "launches", "again"].map(|end| keep.join(format!("{name}.{end}")));
    if files.iter().all(|file| file.exists()) {
        let [ptx, one, other] = files.map(fs::read_to_string);
        return Ok(build::Built { ptx: ptx?, scripts: [one?, other?] });
    }
    let built = build()?;
    fs::create_dir_all(keep)?;
    for (file, text) in files.iter().zip([&built.ptx, &built.scripts[0], &built.scripts[1]]) {
        fs::write(file, text)?;
    }
    Ok(built)
}

/// Compiles all kernels of a module at a level.
fn ours(ptx: &str, arch: &str, level: Level) -> Result<Report> {
    let request = Request {
        inputs: vec![Input { name: "module.ptx".into(), content: Content::Text(ptx.to_owned()) }],
        selection: Selection { arch: Some(Target::by_name(arch).context("an architecture")?), ..Selection::default() },
        codegen: level.options(),
        run: RunOptions { jobs: 1, keep_going: true, ..RunOptions::default() },
        ..Request::default()
    };
    let report = compile(request, &mut ());
    let errors: Vec<&str> = report.diags.iter().filter(|d| d.is_error()).map(|d| d.message.as_str()).collect();
    ensure!(errors.is_empty(), "-{level}: {} errors: {}", errors.len(), errors[..errors.len().min(3)].join("; "));
    Ok(report)
}

/// The code of `ptxas -O3`, and what each of its kernels takes.
fn assemble(ptxas: &Oracle, ptx: &str, arch: &str, folder: &Path) -> Result<(BTreeMap<String, Resources>, Vec<u8>)> {
    let (source, cubin) = (folder.join("k.ptx"), folder.join("k.cubin"));
    fs::write(&source, ptx)?;
    let shown = |path: &Path| path.display().to_string();
    let (machine, out, input) = (format!("-arch={arch}"), shown(&cubin), shown(&source));
    let started = Instant::now();
    let output = ptxas.output(&["-v", "-O3", "--fmad=false", &machine, "-o", &out, &input])?;
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if !output.status.success() {
        bail!("ptxas: {}", text.lines().find(|line| line.contains("error")).unwrap_or(&text));
    }
    let mut found: BTreeMap<String, Resources> = BTreeMap::new();
    let before = |line: &str, what: &str| -> Option<u32> { line.split(what).next()?.rsplit(' ').next()?.parse().ok() };
    let mut last = String::new();
    for line in text.lines() {
        if let Some(name) = line.split("Compiling entry function '").nth(1) {
            name.split('\'').next().unwrap_or(name).clone_into(&mut last);
        } else if line.contains(" bytes spill stores") {
            let spilled = (" bytes spill stores", " bytes spill loads");
            let both = (before(line, spilled.0), before(line, spilled.1));
            found.entry(last.clone()).or_default().spilled = (both.0.unwrap_or(0), both.1.unwrap_or(0));
        } else if line.contains(" registers") {
            found.entry(last.clone()).or_default().registers = before(line, " registers").unwrap_or(0);
        }
    }
    let bytes = fs::read(&cubin)?;
    for function in raddle_cubin::Cubin::parse(&bytes)?.functions() {
        if let Some(one) = found.get_mut(function.name) {
            one.instructions = function.code.len() / 16;
            one.milliseconds = milliseconds;
        }
    }
    Ok((found, bytes))
}

/// Prints what each kernel takes at -O3, beside that of ptxas -O3.
fn table(cases: &[Case], ours: &Report, theirs: &BTreeMap<String, Resources>) {
    println!("  regs  ptxas   spilled st/ld  ptxas st/ld   words  ptxas    ms  case");
    let mut shown = BTreeSet::new();
    for case in cases {
        for kernel in case.kernels().filter(|kernel| shown.insert((*kernel).to_owned())) {
            let Some(own) = ours.kernels.iter().find(|unit| &*unit.name == kernel) else { continue };
            let their = theirs.get(kernel).copied().unwrap_or_default();
            let spilled = |(stores, loads): (u32, u32)| format!("{stores}/{loads}");
            println!(
                "{:6} {:6} {:>15} {:>12} {:7} {:6} {:5.0}  {}",
                own.registers,
                their.registers,
                spilled(own.spill_bytes),
                spilled(their.spilled),
                own.code / 16,
                their.instructions,
                own.wall.as_secs_f64() * 1e3,
                case.name
            );
        }
    }
    let total: f64 = ours.kernels.iter().map(|unit| unit.wall.as_secs_f64() * 1e3).sum();
    let whole = theirs.values().map(|one| one.milliseconds).fold(0.0, f64::max);
    println!("{} kernels: {total:.0} ms, ptxas {whole:.0} ms", ours.kernels.len());
}

/// Runs one case everywhere.
fn one(case: &Case, ptx: &str, codes: &[(String, &[u8])], theirs: &[u8]) -> Seen {
    let kernels = case.kernels().map(str::to_owned).collect();
    let mut seen = Seen { name: case.name.clone(), kernels, runs: 0, wrong: Vec::new(), ptxas: Vec::new() };
    let before = judge::operands(case, 1);
    let interpreted = judge::run(case, &before, Machine::Interpreter(ptx), 1);
    let interpreted = interpreted.and_then(|after| judge::check(case, &before, &after).map(|()| after));
    let interpreted = match interpreted.context("interpreter") {
        Ok(after) => Some(after),
        Err(why) => {
            seen.wrong.push(format!("{why:#}"));
            None
        }
    };
    let simulate = |code: &[u8]| -> Result<()> {
        let after: Contents = judge::run(case, &before, Machine::Simulator(code), 1)?;
        judge::check(case, &before, &after)?;
        interpreted.as_ref().map_or(Ok(()), |want| judge::same(&after, want))
    };
    for (level, code) in codes {
        seen.runs += 1;
        seen.wrong.extend(simulate(code).err().map(|why| format!("{level}: {why:#}")));
    }
    seen.ptxas.extend(simulate(theirs).err().map(|why| format!("{why:#}")));
    seen
}
