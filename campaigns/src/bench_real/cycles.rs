//! Cycles of real programs by the issue model, for kernels that can be run.
//!
//! Problem: the text of a module does not say how its kernels are launched. Strategy: a launch is found by trial in the
//! interpreter ([`raddle_tests::producers`]); both codes run with it in the simulator and go through the issue model
//! ([`crate::code_cost`]). A kernel on which the code of ptxas does not compute what PTX says is left out, as is one for
//! which no launch was found, whose launch changes no buffer, or whose result depends on the order of threads. Neither side contracts
//! multiplications and additions beyond what nvcc did: the results of the interpreter are those of its PTX.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use raddle_driver::options::OptLevel;
use raddle_sass::Isa;
use raddle_sim::failure::Failure;
use raddle_tests::compile::{How, cubin};
use raddle_tests::producers::{Found, Module};
use raddle_tests::ptxas::Assembler;

use crate::code_cost::{Cost, Row, geomean, table};
use xtask::figures;

use super::COMMAND;

/// The most instructions of a thread in an attempt to launch a kernel.
const STEPS: u64 = 1 << 20;
/// A ratio of cycles above this is bad.
const BAD: f64 = 1.2;

/// What the simulator says of a launch that no multiprocessor takes.
const TOO_MUCH_SHARED: &str = "bytes of shared memory are more than a block may have";
/// What the simulator says of a race.
const RACE: &str = "race on ";

/// What became of a kernel.
pub enum Ran {
    /// Both codes ran.
    Both(Box<Row>),
    /// One side or both did not, and why.
    Not(String),
}

/// The cycles of the kernels of a module.
///
/// # Errors
/// A module that one side does not compile, and code of ours that fails, or that differs from the interpreter.
pub fn compare(name: &str, text: &str, ptxas: &Assembler<'_>, arch: &'static str) -> Result<Vec<Ran>> {
    let ours = &cubin(text, How { arch, opt: OptLevel::O3, jobs: 1, chaos: None })?;
    let theirs = &ptxas.assemble(text, arch)?;
    let module = Module { name: name.to_owned(), text: text.to_owned(), steps: STEPS };
    let one = |found: Result<Found, (String, Failure)>| match found {
        Ok(found) => cost_of_both(name, text, &found, ours, theirs, arch),
        Err((kernel, why)) => {
            let why = why.kind.to_string();
            Ok(Ran::Not(format!("{name} {kernel}: no launch: {}", why.lines().next().unwrap_or_default())))
        }
    };
    match module.found() {
        Ok(kernels) => kernels.into_iter().map(one).collect(),
        // An argument for which no value can be made up.
        Err(why) => Ok(vec![Ran::Not(format!("{name}: no launch: {why:#}"))]),
    }
}

fn cost_of_both(
    module: &str,
    text: &str,
    found: &Found,
    ours: &[u8],
    theirs: &[u8],
    arch: &'static str,
) -> Result<Ran> {
    let name = format!("{module} {}", found.kernel);
    if !found.wrote {
        return Ok(Ran::Not(format!("{name}: the launch changes no buffer")));
    }
    if found.races() || !found.warnings().is_empty() {
        return Ok(Ran::Not(format!("{name}: its launches race")));
    }
    if let Err(why) = found.judge(ours) {
        // Its own shared memory beside the dynamic one that was tried.
        if format!("{why:#}").contains(TOO_MUCH_SHARED) {
            return Ok(Ran::Not(format!("{name}: no launch: {why:#}")));
        }
        // In the interpreter one thread saw what the other wrote; on a machine it need not.
        let races = |why: &anyhow::Error| format!("{why:#}").contains(RACE);
        if races(&why) && found.judge(theirs).is_err_and(|theirs| races(&theirs)) {
            return Ok(Ran::Not(format!("{name}: its launches race in both codes")));
        }
        let order = found.other_orders(text).with_context(|| format!("{name}: our code: {why:#}"))?;
        return Ok(Ran::Not(format!("{name}: {order}")));
    }
    if let Err(why) = found.judge(theirs) {
        return Ok(Ran::Not(format!("{name}: code of ptxas: {why:#}")));
    }
    let (ours, theirs) = (cost(found, ours, arch), cost(found, theirs, arch));
    Ok(Ran::Both(Box::new(Row { ours: ours?, theirs: theirs?, name })))
}

fn cost(found: &Found, cubin: &[u8], arch: &str) -> Result<Cost> {
    let isa = Isa::by_name(arch).context("an architecture with tables")?;
    let (mut memory, launch) = found.launch();
    let mut cost = Cost::default();
    cost.resources(cubin, arch, &launch)?;
    cost.add(isa, cubin, &launch, &mut memory)?;
    Ok(cost)
}

/// Prints the worst rows and the means; records them if `recorded` describes the run. `modules` has what became of each
/// module's kernels.
///
/// # Errors
/// Figures that cannot be written, and modules with an error.
pub fn report(modules: Vec<Result<Vec<Ran>>>, most: usize, recorded: Option<&str>) -> Result<()> {
    let (mut rows, mut not, mut failed) = (Vec::new(), Vec::new(), 0);
    for module in modules {
        match module {
            Err(error) => {
                println!("error: {error:#}");
                failed += 1;
            }
            Ok(ran) => {
                for kernel in ran {
                    match kernel {
                        Ran::Both(row) => rows.push(*row),
                        Ran::Not(why) => not.push(why),
                    }
                }
            }
        }
    }
    rows.sort_by(|a, b| b.worst().total_cmp(&a.worst()).then(a.name.cmp(&b.name)));
    not.sort();
    let mut text = String::new();
    not.iter().for_each(|why| _ = writeln!(text, "not run: {why}"));
    let round = |x: f64| (x * 1000.0).round() / 1000.0;
    let mean = round(geomean(rows.iter().flat_map(|r| [r.one(), r.sixteen()])));
    let bad = rows.iter().filter(|r| r.worst() > BAD).count();
    let share = round(100.0 * bad as f64 / rows.len().max(1) as f64);
    let executed = round(geomean(rows.iter().map(Row::executed)));
    let count = rows.len();
    rows.truncate(most);
    print!("{text}\n{}", table(&rows));
    println!(
        "\n{count} kernels ran, {} did not: cycles {mean}, above {BAD}: {bad} ({share} %); executed instructions {executed}",
        not.len()
    );
    ensure!(failed == 0, "{failed} modules with an error");
    let Some(what) = recorded else { return Ok(()) };
    let what = format!("{count} kernels ran with launches found by trial, {} did not; {what}", not.len());
    figures::record("real.cycles", mean, COMMAND, &format!("{what}; 1 and 16 warps together; executed {executed}"))?;
    figures::record("real.cycles.worst", share, COMMAND, &format!("{what}; {bad} kernels"))
}
