//! `cargo campaign bench-code [-O LEVEL] [--arch ARCH]... [--producer NAME]... [--kernel NAME]... [--record]`: our machine code of the
//! corpus kernels beside that of `ptxas -O3`, kernel by kernel, with the reason where we lose.
//!
//! Both cubins run in the simulator; the first sixteen warps' traces of each launch go through one issue model
//! ([`raddle_sim::issue`]) with 1 and with 16 warps. Both sides compile without contracting multiplications and additions.
//! A ratio is ours over theirs: below 1 is better.

use anyhow::{Context, Result, bail, ensure};
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle;
use raddle_sass::Isa;
use raddle_tests::compile::{How, cubin};
use raddle_tests::judge::ARCHS;
use raddle_tests::kernel::{self, Kernel};
use raddle_tests::ptxas::Assembler;
use raddle_tests::{run, simulate};

use crate::arguments::arch;
use crate::code_cost::{Cost, Row, geomean, table};
use xtask::figures;

const COMMAND: &str = "cargo campaign bench-code --record";

#[derive(clap::Args)]
pub struct Options {
    /// Optimisation level of our code, 0 to 3
    #[arg(short = 'O', value_name = "LEVEL", default_value = "3", value_parser = opt_level)]
    opt: OptLevel,
    /// Architecture; may be repeated [default: sm_90, with --record all]
    #[arg(long = "arch", value_name = "SM", value_parser = arch)]
    archs: Vec<&'static str>,
    /// Only PTX of this compiler, nvcc or clang; may be repeated
    #[arg(long = "producer", value_name = "NAME")]
    producers: Vec<String>,
    /// Only this kernel of the corpus; may be repeated
    #[arg(long = "kernel", value_name = "NAME")]
    kernels: Vec<String>,
    /// Record the figures; of the whole corpus only
    #[arg(long, conflicts_with_all = ["producers", "kernels"])]
    record: bool,
}

fn opt_level(text: &str) -> Result<OptLevel> {
    Ok(match text {
        "0" => OptLevel::O0,
        "1" => OptLevel::O1,
        "2" => OptLevel::O2,
        "3" => OptLevel::O3,
        other => bail!("no level {other}"),
    })
}

/// Runs the command.
///
/// # Errors
/// No ptxas, a kernel that one side does not compile or that fails in the simulator.
pub fn run(mut o: Options) -> Result<()> {
    if o.archs.is_empty() {
        o.archs = if o.record { ARCHS.to_vec() } else { vec!["sm_90"] };
    }
    let ptxas = oracle::require("ptxas").context("the comparison needs ptxas (make oracles)")?;
    let assembler = Assembler::new(&ptxas)?;
    let mut rows = Vec::new();
    for &arch in &o.archs {
        for kernel in kernel::all()?.iter().filter(|k| o.kernels.is_empty() || o.kernels.contains(&k.name)) {
            for producer in kernel.producers.iter().filter(|p| o.producers.is_empty() || o.producers.contains(p)) {
                let name = format!("{} {producer} {arch}", kernel.name);
                let ptx = kernel.ptx(producer)?;
                let how = How { arch, opt: o.opt, jobs: 1, chaos: None };
                let sides = cubin(&ptx, how)
                    .and_then(|file| cost(kernel, &file, arch))
                    .and_then(|ours| {
                        let file = assembler.assemble(&simulate::retarget(&ptx, arch), arch)?;
                        Ok((ours, cost(kernel, &file, arch)?))
                    })
                    .with_context(|| name.clone());
                match sides {
                    Ok((ours, theirs)) => rows.push(Row { name, ours, theirs }),
                    Err(error) if !o.record => println!("{error:#}"),
                    Err(error) => return Err(error),
                }
            }
        }
    }
    ensure!(!rows.is_empty(), "nothing to compare");
    rows.sort_by(|a, b| b.worst().total_cmp(&a.worst()).then(a.name.cmp(&b.name)));
    print!("{}", table(&rows));
    summary(&o, &rows)
}

fn summary(o: &Options, rows: &[Row]) -> Result<()> {
    let round = |x: f64| (x * 1000.0).round() / 1000.0;
    let cycles = rows.iter().flat_map(|r| [r.one(), r.sixteen()]);
    let mean = geomean(cycles.clone());
    let worst = cycles.fold(0.0, f64::max);
    let insts = geomean(rows.iter().map(Row::executed));
    let names = |test: &dyn Fn(&Row) -> bool| -> Vec<&str> {
        let mut list: Vec<&str> =
            rows.iter().filter(|r| test(r)).filter_map(|r| r.name.split_whitespace().next()).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let occupancy = names(&|r| r.ours.occupancy < r.theirs.occupancy);
    let spills = names(&|r| r.ours.frame > 0 && r.theirs.frame == 0);
    println!(
        "\n{} codes: cycles {mean:.3} (1 warp {:.3}, 16 warps {:.3}), worst {worst:.2}; instructions {insts:.3}; occupancy lower: {}; stack where \
         ptxas has none: {}",
        rows.len(),
        geomean(rows.iter().map(Row::one)),
        geomean(rows.iter().map(Row::sixteen)),
        occupancy.join(", "),
        spills.join(", ")
    );
    if !o.record {
        return Ok(());
    }
    let what = format!("{} codes: corpus kernels by nvcc and clang, {}", rows.len(), o.archs.join(", "));
    figures::record("code.cycles", round(mean), COMMAND, &format!("{what}; 1 and 16 warps together"))?;
    let first = rows.first().map_or("", |r| &r.name);
    figures::record("code.cycles.worst", round(worst), COMMAND, &format!("{what}; {first}"))?;
    figures::record("code.executed", round(insts), COMMAND, &what)?;
    figures::record("code.occupancy", occupancy.len() as f64, COMMAND, &occupancy.join(", "))?;
    figures::record("code.spills", spills.len() as f64, COMMAND, &spills.join(", "))
}

/// Runs all launches of a kernel and replays them.
fn cost(kernel: &Kernel, file: &[u8], arch: &str) -> Result<Cost> {
    let isa = Isa::by_name(arch).context("an architecture with tables")?;
    let mut cost = Cost::default();
    for launch in &kernel.launches {
        let mut setup = run::setup(&kernel.entry, launch);
        if cost.registers == 0 {
            cost.resources(file, arch, &setup.launch)?;
        }
        cost.add(isa, file, &setup.launch, &mut setup.memory).with_context(|| launch.name.clone())?;
    }
    Ok(cost)
}
