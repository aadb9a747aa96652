//! `cargo campaign bench-code [-O LEVEL] [--arch ARCH]... [--producer NAME]... [--kernel NAME]... [--record]`: our machine code of the
//! corpus kernels beside that of `ptxas -O3`, kernel by kernel, with the reason where we lose.
//!
//! Both cubins run in the simulator; the first sixteen warps' traces of each launch go through one issue model
//! ([`raddle_sim::issue`]) with 1 and with 16 warps. Both sides compile without contracting multiplications and additions.
//! A ratio is ours over theirs: below 1 is better.

use crate::arguments::arch;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use raddle_cubin::Cubin;
use raddle_cubin::report::Report;
use raddle_driver::options::OptLevel;
use raddle_filetest::oracle;
use raddle_sass::{Inst, Isa};
use raddle_sim::issue::{Cycles, Pipe, Step, Trace, Wait, replay};
use raddle_sim::machine::{self, Image, Setup};
use raddle_target::{Limits, Target};
use raddle_tests::compile::{How, cubin};
use raddle_tests::judge::ARCHS;
use raddle_tests::kernel::{self, Kernel};
use raddle_tests::ptxas::Assembler;
use raddle_tests::{run, simulate};

use xtask::figures;

/// Warps whose traces are replayed.
const WARPS: usize = 16;
const COMMAND: &str = "cargo campaign bench-code --record";

/// What one code of one kernel costs, over all launches.
#[derive(Default)]
struct Cost {
    one: Cycles,
    sixteen: u64,
    /// Warp instructions of whole grids.
    executed: u64,
    /// Of the traced warps, by mnemonic.
    by_op: BTreeMap<String, i64>,
    registers: u32,
    /// Bytes of stack.
    frame: u32,
    /// Warps that fit on a multiprocessor.
    occupancy: u32,
}

/// A row of the table.
struct Row {
    name: String,
    ours: Cost,
    theirs: Cost,
}

impl Row {
    fn one(&self) -> f64 {
        self.ours.one.total as f64 / self.theirs.one.total.max(1) as f64
    }

    fn sixteen(&self) -> f64 {
        self.ours.sixteen as f64 / self.theirs.sixteen.max(1) as f64
    }

    fn executed(&self) -> f64 {
        self.ours.executed as f64 / self.theirs.executed.max(1) as f64
    }

    /// What our code has more of: cycles of one warp by cause, and the instructions with the greatest surplus.
    fn reason(&self) -> String {
        let (a, b) = (self.ours.one, self.theirs.one);
        let mut text = String::new();
        let mut causes =
            vec![("stalls".to_owned(), a.stalls, b.stalls), ("barriers".to_owned(), a.barriers, b.barriers)];
        let waits = Wait::ALL.iter().enumerate();
        causes.extend(waits.map(|(n, w)| (format!("waits on {}", w.name()), a.by_wait[n], b.by_wait[n])));
        let pipes = Pipe::ALL.iter().enumerate();
        causes.extend(pipes.map(|(n, p)| (p.name().to_owned(), a.by_pipe[n], b.by_pipe[n])));
        for (what, ours, theirs) in causes {
            let more = ours as i64 - theirs as i64;
            if more * 20 > b.total as i64 {
                let _ = write!(text, "{what} {more:+}; ");
            }
        }
        let mut surplus: Vec<(i64, &str)> = Vec::new();
        for op in self.ours.by_op.keys().chain(self.theirs.by_op.keys()) {
            let count = |c: &Cost| c.by_op.get(op).copied().unwrap_or(0);
            surplus.push((count(&self.ours) - count(&self.theirs), op));
        }
        surplus.sort_by_key(|&(n, op)| (-n.abs(), op));
        surplus.dedup();
        for (n, op) in surplus.iter().filter(|s| s.0 != 0).take(5) {
            let _ = write!(text, "{n:+} {op} ");
        }
        text
    }
}

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
    rows.sort_by(|a, b| b.one().max(b.sixteen()).total_cmp(&a.one().max(a.sixteen())).then(a.name.cmp(&b.name)));
    print!("{}", table(&rows));
    summary(&o, &rows)
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:34} {:>6} {:>6} {:>6}  {:>9} {:>9} {:>9}  why\n",
        "kernel", "1 warp", "16", "insts", "registers", "warps/SM", "stack"
    );
    for r in rows {
        let pair = |a: u32, b: u32| format!("{a}/{b}");
        let _ = writeln!(
            text,
            "{:34} {:6.2} {:6.2} {:6.2}  {:>9} {:>9} {:>9}  {}",
            r.name,
            r.one(),
            r.sixteen(),
            r.executed(),
            pair(r.ours.registers, r.theirs.registers),
            pair(r.ours.occupancy, r.theirs.occupancy),
            pair(r.ours.frame, r.theirs.frame),
            r.reason()
        );
    }
    text
}

fn geomean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let n = values.clone().count().max(1) as f64;
    (values.map(f64::ln).sum::<f64>() / n).exp()
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
        let image = Image::load(file, &setup.launch, &mut setup.memory).map_err(|e| anyhow::anyhow!("{e}"))?;
        let warps_per_block = (launch.block.iter().product::<u32>()).div_ceil(Limits::WARP) as usize;
        let mut traces: Vec<Trace> = Vec::new();
        let mut watch = |e: &machine::Event| {
            let n = e.block as usize * warps_per_block + e.warp as usize;
            if n < WARPS {
                if traces.len() <= n {
                    traces.resize(n + 1, Trace::default());
                }
                traces[n].block = e.block;
                traces[n].steps.push(Step { pc: e.pc / 16, lanes: e.mask });
            }
        };
        let options = Setup { trace: Some(&mut watch), ..Setup::default() };
        let outcome = machine::run_image(&image, &setup.launch, &mut setup.memory, options);
        cost.executed += outcome.map_err(|e| anyhow::anyhow!("{}: {e}", launch.name))?.stats.warp_insts;
        let code: Vec<Inst> = image
            .instructions()
            .iter()
            .map(|i| i.clone().map_err(anyhow::Error::msg))
            .collect::<Result<_>>()
            .with_context(|| kernel.name.clone())?;
        cost.one += replay(isa, &code, &traces[..1], 1);
        cost.sixteen += replay(isa, &code, &traces, WARPS).total;
        for step in traces.iter().flat_map(|t| &t.steps) {
            *cost.by_op.entry(code[step.pc as usize].op().text().to_owned()).or_default() += 1;
        }
    }
    let report = Report::new(&Cubin::parse(file)?);
    let function = report.functions.iter().find(|f| f.name == kernel.entry).context("the kernel")?;
    cost.registers = function.registers;
    cost.frame = function.stack.max(function.frame);
    cost.occupancy = occupancy(kernel, arch, function.registers, function.shared as u32)?;
    Ok(cost)
}

/// Warps of the kernel's first launch that fit on a multiprocessor at once.
fn occupancy(kernel: &Kernel, arch: &str, registers: u32, shared: u32) -> Result<u32> {
    let native = Target::by_name(arch).and_then(|t| t.native.as_ref()).context("a native target")?;
    let limits = native.limits;
    let launch = &kernel.launches[0];
    let warps = launch.block.iter().product::<u32>().div_ceil(Limits::WARP);
    let by_registers = Limits::REGISTERS_PER_SM / (registers.next_multiple_of(8) * Limits::WARP).max(1);
    let by_shared = limits.shared_per_sm.checked_div(shared + launch.shared).unwrap_or(u32::MAX);
    let blocks = (by_registers / warps).min(by_shared).min(limits.ctas_per_sm).min(limits.warps_per_sm / warps);
    Ok(blocks * warps)
}
