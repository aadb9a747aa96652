//! `cargo campaign bench-matrix [--module NAME]... [--rounds N] [--record]`: our code of the modules of real producers that use tensor
//! cores beside that of `ptxas -O3`: estimated cycles, spills, registers, and the time of compilation.
//!
//! Launches are found by trying ([`raddle_tests::producers`]); a kernel without one is compared by its registers and its stack only.
//! Times of both compilers, each as a process of its own on one thread, alternate over the same files; the least of each counts (D24).

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::report::Report;
use raddle_filetest::oracle;
use raddle_sass::Isa;
use raddle_tests::compile::cubin_at;
use raddle_tests::kernel::corpus;
use raddle_tests::level::Level;
use raddle_tests::producers::{Found, Module, modules};
use raddle_tests::ptxas::Assembler;

use crate::arguments::at_least_one;
use crate::code_cost::{Cost, Row, geomean, table};
use crate::peak::finish;
use xtask::figures::{self, root};

const COMMAND: &str = "cargo campaign bench-matrix --record";
/// A module with one of these in its text is of the matrix corpus.
const MATRIX: [&str; 4] = ["mma.sync", "wmma.", "wgmma.", "ldmatrix"];

#[derive(clap::Args)]
pub struct Options {
    /// Only modules whose name contains this; may be repeated
    #[arg(long = "module", value_name = "NAME")]
    modules: Vec<String>,
    /// Rounds of timing; the least time counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = at_least_one)]
    rounds: usize,
    /// Compare the code only, not the time of compilation
    #[arg(long)]
    no_time: bool,
    /// Show this many instructions of each code at which its first warp stalls longest
    #[arg(long, value_name = "N", default_value = "0")]
    hot: usize,
    /// Record the figures; of all modules only
    #[arg(long, conflicts_with_all = ["modules", "no_time"])]
    record: bool,
}

/// Registers and bytes of stack of a kernel, ours and theirs.
struct Static {
    name: String,
    registers: [u32; 2],
    stack: [u32; 2],
    instructions: [u64; 2],
}

/// Runs the command.
///
/// # Errors
/// No ptxas, a module that one side does not compile, code that fails in the simulator.
pub fn run(o: Options) -> Result<()> {
    let ptxas = oracle::require("ptxas").context("the comparison needs ptxas (make oracles)")?;
    let assembler = Assembler::new(&ptxas)?;
    let chosen = |m: &Module| {
        MATRIX.iter().any(|word| m.text.contains(word))
            && m.target().is_some()
            && (o.modules.is_empty() || o.modules.iter().any(|name| m.name.contains(name)))
    };
    let all: Vec<Module> = modules(&corpus().join("producers"))?.into_iter().filter(chosen).collect();
    ensure!(!all.is_empty(), "no module of that name");
    let (mut rows, mut kernels) = (Vec::new(), Vec::new());
    for module in &all {
        both(module, &assembler, &mut rows, &mut kernels).with_context(|| module.name.clone())?;
    }
    rows.sort_by(|a: &Row, b: &Row| b.worst().total_cmp(&a.worst()).then(a.name.cmp(&b.name)));
    print!("{}", table(&rows));
    for row in rows.iter().filter(|_| o.hot > 0) {
        print!("{}, ours:\n{}ptxas:\n{}", row.name, row.ours.hottest(o.hot), row.theirs.hottest(o.hot));
    }
    print!("{}", statics(&kernels));
    summary(&o, &rows, &kernels)?;
    if o.no_time { Ok(()) } else { time(&o, &all) }
}

/// Compares the kernels of a module.
fn both(module: &Module, assembler: &Assembler, rows: &mut Vec<Row>, kernels: &mut Vec<Static>) -> Result<()> {
    let arch = module.target().context("a native target")?.name;
    let files = [cubin_at(&module.text, arch, Level::O3)?, assembler.assemble(&module.text, arch)?];
    let reports = [Report::new(&Cubin::parse(&files[0])?), Report::new(&Cubin::parse(&files[1])?)];
    for ours in &reports[0].functions {
        let Some(theirs) = reports[1].functions.iter().find(|f| f.name == ours.name) else { continue };
        kernels.push(Static {
            name: format!("{} {}", module.name, ours.name),
            registers: [ours.registers, theirs.registers],
            stack: [ours.stack.max(ours.frame), theirs.stack.max(theirs.frame)],
            instructions: [ours.code / 16, theirs.code / 16],
        });
    }
    for found in module.found()? {
        match found {
            Ok(found) => {
                let name = format!("{} {}", module.name, found.kernel);
                let cost = |file: &[u8]| cost(&found, file, arch);
                match cost(&files[0]).and_then(|ours| Ok((ours, cost(&files[1])?))) {
                    Ok((ours, theirs)) => rows.push(Row { name, ours, theirs }),
                    Err(why) => println!("{name}: {why:#}"),
                }
            }
            Err((kernel, why)) => println!("{} {kernel}: no launch: {}", module.name, why.kind),
        }
    }
    Ok(())
}

fn cost(found: &Found, file: &[u8], arch: &str) -> Result<Cost> {
    let isa = Isa::by_name(arch).context("an architecture with tables")?;
    let mut cost = Cost::default();
    let (mut memory, launch) = found.launch();
    cost.resources(file, arch, &launch)?;
    cost.add(isa, file, &launch, &mut memory)?;
    Ok(cost)
}

fn statics(kernels: &[Static]) -> String {
    let mut text = format!("\n{:60} {:>9} {:>11} {:>13}\n", "kernel", "registers", "stack", "instructions");
    for k in kernels {
        let pair = |[a, b]: [u32; 2]| format!("{a}/{b}");
        let insts = format!("{}/{}", k.instructions[0], k.instructions[1]);
        let _ = writeln!(text, "{:60} {:>9} {:>11} {:>13}", k.name, pair(k.registers), pair(k.stack), insts);
    }
    text
}

fn summary(o: &Options, rows: &[Row], kernels: &[Static]) -> Result<()> {
    let cycles = rows.iter().flat_map(|r| [r.one(), r.sixteen()]);
    let mean = geomean(cycles.clone());
    let worst = cycles.fold(0.0, f64::max);
    let spills: Vec<&str> =
        kernels.iter().filter(|k| k.stack[0] > 0 && k.stack[1] == 0).map(|k| k.name.as_str()).collect();
    let more = kernels.iter().filter(|k| k.stack[0] > k.stack[1]).count();
    println!(
        "\n{} kernels ran of {}: cycles {mean:.3} (1 warp {:.3}, 16 warps {:.3}), worst {worst:.2}; instructions {:.3}; registers {:.3}; \
         stack where ptxas has none: {}; more stack: {more}",
        rows.len(),
        kernels.len(),
        geomean(rows.iter().map(Row::one)),
        geomean(rows.iter().map(Row::sixteen)),
        geomean(rows.iter().map(Row::executed)),
        geomean(kernels.iter().map(|k| f64::from(k.registers[0]) / f64::from(k.registers[1].max(1)))),
        spills.join(", ")
    );
    if !o.record {
        return Ok(());
    }
    let what = format!("{} kernels of real producers' modules that use tensor cores", rows.len());
    figures::record("matrix.cycles", round(mean), COMMAND, &format!("{what}; 1 and 16 warps together"))?;
    let first = rows.first().map_or("", |r| &r.name);
    figures::record("matrix.cycles.worst", round(worst), COMMAND, &format!("{what}; {first}"))?;
    figures::record(
        "matrix.spills",
        spills.len() as f64,
        COMMAND,
        &format!("of {}: {}", kernels.len(), spills.join(", ")),
    )
}

/// Compiles all modules by both sides in turn, and compares the sums of the least times.
fn time(o: &Options, all: &[Module]) -> Result<()> {
    let ptxas = oracle::require("ptxas").context("the comparison needs ptxas (make oracles)")?;
    let built = Command::new(env!("CARGO")).args(["build", "--release", "--package", "raddle-cli"]).status()?;
    ensure!(built.success(), "the release build failed");
    let raddle = root().join("target/release/raddle");
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out.cubin");
    let (mut ours, mut theirs) = (0.0, 0.0);
    for module in all {
        let file = folder.path().join("module.ptx");
        fs::write(&file, &module.text)?;
        let arch = module.target().context("a native target")?.name;
        let mut least = [f64::INFINITY; 2];
        for _ in 0..o.rounds {
            let mut first = Command::new(&raddle);
            first.args(["compile", "--arch", arch, "-O3", "-j", "1", "-o"]).arg(&out).arg(&file);
            least[0] = least[0].min(finish(&mut first)?.seconds);
            let mut second = ptxas.command();
            second.args([&format!("-arch={arch}"), "-O3", "-o"]).arg(&out).arg(&file);
            least[1] = least[1].min(finish(&mut second)?.seconds);
        }
        println!("{:50} {:.3} s, ptxas {:.3} s, {:.3}", module.name, least[0], least[1], least[0] / least[1]);
        ours += least[0];
        theirs += least[1];
    }
    println!("{} modules: {ours:.2} s, ptxas {theirs:.2} s, ratio {:.3}", all.len(), ours / theirs);
    if !o.record {
        return Ok(());
    }
    let note =
        format!("{} modules on one thread, least of {}: {ours:.2} s, ptxas -O3 {theirs:.2} s", all.len(), o.rounds);
    figures::record("matrix.time", round(ours / theirs), COMMAND, &note)
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
