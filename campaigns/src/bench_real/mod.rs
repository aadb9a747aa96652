//! `cargo campaign bench-real --sources DIR [--only PART] [--arch ARCH] [--worst N] [--cycles] [--record]`: our machine code of real
//! programs beside that of `ptxas -O3`, kernel by kernel: instructions, registers, occupancy, stack; with `--cycles` also the
//! cycles of the kernels that can be run ([`cycles`]).
//!
//! `DIR` holds checkouts of other projects ([`sources`]). Both sides contract multiplications and additions, as both do unless asked
//! otherwise. Instructions are those of the code, not those that run: loops that one side unrolls further count. A ratio
//! is ours over theirs: below 1 is better. A module that one side does not compile is left out, and counted.

mod cycles;
mod sources;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use raddle_cubin::Cubin;
use raddle_filetest::oracle::{self, Oracle};
use raddle_sass::{Isa, Op, decode};
use raddle_target::{Limits, Target};
use raddle_tests::compile::cubin_contracted;
use raddle_tests::ptxas::Assembler;
use raddle_tests::{parallel, simulate};

use crate::arguments::{arch, folder};
use crate::suites::version;
use sources::{Module, modules};
use xtask::figures;

const COMMAND: &str = "cargo campaign bench-real --sources DIR --record";
/// Threads of a CTA where a kernel does not say.
const CTA: u32 = 256;
/// A kernel with at least this many instructions by ptxas counts among the worst.
const SMALL: u64 = 64;
/// A ratio of instructions above this is bad.
const BAD: f64 = 1.5;
/// Least modules of a record.
const MODULES: usize = 300;

#[derive(clap::Args)]
pub struct Options {
    /// Folder with checkouts of other projects
    #[arg(long, value_name = "DIR", value_parser = folder)]
    sources: PathBuf,
    /// Only files whose path contains this
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// Architecture
    #[arg(long, value_name = "SM", default_value = "sm_90", value_parser = arch)]
    arch: &'static str,
    /// Show this many kernels with the greatest ratios
    #[arg(long, value_name = "N", default_value = "40")]
    worst: usize,
    /// Also run the kernels for which a launch can be found, and compare the cycles
    #[arg(long)]
    cycles: bool,
    /// Record the figures; of all files only
    #[arg(long, conflicts_with = "only")]
    record: bool,
}

/// What one code of a kernel has.
#[derive(Default)]
struct Code {
    /// Instructions, without the padding after the last one.
    instructions: u64,
    registers: u32,
    stack: u32,
    /// Warps that fit on a multiprocessor by registers and static shared memory.
    warps: u32,
    by_op: BTreeMap<String, i64>,
}

/// A kernel with both codes.
struct Row {
    name: String,
    ours: Code,
    theirs: Code,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.ours.instructions as f64 / self.theirs.instructions.max(1) as f64
    }

    /// The instructions that our code has more or fewer of.
    fn reason(&self) -> String {
        let mut surplus: Vec<(i64, &str)> = Vec::new();
        for op in self.ours.by_op.keys().chain(self.theirs.by_op.keys()) {
            let count = |c: &Code| c.by_op.get(op).copied().unwrap_or(0);
            surplus.push((count(&self.ours) - count(&self.theirs), op));
        }
        surplus.sort_by_key(|&(n, op)| (-n.abs(), op));
        surplus.dedup();
        surplus.iter().filter(|s| s.0 != 0).take(6).map(|(n, op)| format!("{n:+} {op} ")).collect()
    }
}

/// The kernels of a cubin.
fn codes(file: &[u8], arch: &str) -> Result<BTreeMap<String, Code>> {
    let isa = Isa::by_name(arch).context("an architecture with tables")?;
    let native = Target::by_name(arch).and_then(|t| t.native.as_ref()).context("a native target")?;
    let cubin = Cubin::parse(file)?;
    let mut out = BTreeMap::new();
    for kernel in cubin.kernels().into_iter().filter(|k| k.is_entry) {
        let words = kernel.code.as_chunks::<16>().0.iter().map(|word| u128::from_le_bytes(*word));
        let mut ops: Vec<Op> = words.map(|word| Ok(decode(isa, word)?.op())).collect::<Result<_>>()?;
        let used = ops.iter().rposition(|&op| op != Op::Nop).map_or(0, |last| last + 1);
        ops.truncate(used);
        let mut by_op = BTreeMap::new();
        ops.iter().for_each(|op| *by_op.entry(op.text().to_owned()).or_default() += 1);
        let warps = CTA / Limits::WARP;
        let registers = kernel.registers.next_multiple_of(8) * Limits::WARP;
        let by_registers = Limits::REGISTERS_PER_SM / registers.max(1);
        let by_shared = native.limits.shared_per_sm.checked_div(kernel.shared_size as u32).unwrap_or(u32::MAX);
        let by_warps = native.limits.warps_per_sm / warps;
        let ctas = (by_registers / warps).min(by_shared).min(native.limits.ctas_per_sm).min(by_warps);
        let code = Code {
            instructions: used as u64,
            registers: kernel.registers,
            stack: kernel.stack_size.max(kernel.frame_size),
            warps: ctas * warps,
            by_op,
        };
        out.insert(kernel.name.to_owned(), code);
    }
    Ok(out)
}

/// The cubin of ptxas, as it is without options of its own but `-O3`.
fn theirs(ptxas: &Oracle, ptx: &str, arch: &str) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let (source, cubin) = (folder.path().join("k.ptx"), folder.path().join("k.cubin"));
    fs::write(&source, ptx)?;
    let shown = |path: &std::path::Path| path.display().to_string();
    ptxas.run(&[format!("-arch={arch}"), "-O3".into(), "-o".into(), shown(&cubin), shown(&source)])?;
    Ok(fs::read(cubin)?)
}

/// Both codes of all kernels of a module.
fn compare(module: &Module, ptxas: &Oracle, arch: &'static str) -> Result<Vec<Row>> {
    let ptx = simulate::retarget(&fs::read_to_string(&module.file)?, arch);
    let mut theirs = codes(&theirs(ptxas, &ptx, arch).context("ptxas")?, arch).context("code of ptxas")?;
    let ours = codes(&cubin_contracted(&ptx, arch)?, arch)?;
    let pair = |(kernel, ours): (String, Code)| {
        let theirs = theirs.remove(&kernel)?;
        Some(Row { name: format!("{} {kernel}", module.name), ours, theirs })
    };
    Ok(ours.into_iter().filter_map(pair).collect())
}

/// Runs the command.
///
/// # Errors
/// No ptxas or nvcc, and files that cannot be read.
pub fn run(o: Options) -> Result<()> {
    let ptxas = oracle::require("ptxas").context("the comparison needs ptxas (make oracles)")?;
    let modules = modules(&o.sources, &|name| o.only.as_ref().is_none_or(|part| name.contains(part)))?;
    let results = parallel::map(&modules, |module| compare(module, &ptxas, o.arch));
    let (mut rows, mut compiled, mut refused) = (Vec::new(), Vec::new(), 0);
    for (module, result) in modules.iter().zip(results) {
        match result {
            Ok(more) => {
                rows.extend(more);
                compiled.push(module);
            }
            Err(error) => {
                println!("{}: {error:#}", module.name);
                refused += 1;
            }
        }
    }
    ensure!(!rows.is_empty(), "nothing to compare");
    rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()).then(a.name.cmp(&b.name)));
    print!("{}", table(&rows, o.worst));
    print!("{}", fewer_warps(&rows, o.worst));
    let version = version(&ptxas)?;
    summary(&o, &rows, modules.len(), refused, &version)?;
    if o.cycles {
        let assembler = Assembler::new(&ptxas)?;
        let what = format!("of {} modules on {}, ptxas {version}", compiled.len(), o.arch);
        let ran = parallel::map(&compiled, |module| {
            let ptx = simulate::retarget(&fs::read_to_string(&module.file)?, o.arch);
            cycles::compare(&module.name, &ptx, &assembler, o.arch).with_context(|| module.name.clone())
        });
        cycles::report(ran, o.worst, o.record.then_some(what.as_str()))?;
    }
    Ok(())
}

/// The kernels that are at least [`SMALL`], the worst first.
fn table(rows: &[Row], most: usize) -> String {
    let mut text = format!("{:>5} {:>13} {:>9} {:>7}  kernel: why\n", "ratio", "instructions", "registers", "stack");
    for r in rows.iter().filter(|r| r.theirs.instructions >= SMALL).take(most) {
        let instructions = format!("{}/{}", r.ours.instructions, r.theirs.instructions);
        let registers = format!("{}/{}", r.ours.registers, r.theirs.registers);
        let stack = format!("{}/{}", r.ours.stack, r.theirs.stack);
        let why = r.reason();
        _ = writeln!(text, "{:5.2} {instructions:>13} {registers:>9} {stack:>7}  {}: {why}", r.ratio(), r.name);
    }
    text
}

/// The kernels of which fewer warps fit on a multiprocessor, by how many registers too many they have.
fn fewer_warps(rows: &[Row], most: usize) -> String {
    let mut lower: Vec<&Row> = rows.iter().filter(|r| r.ours.warps < r.theirs.warps).collect();
    lower.sort_by_key(|r| (r.theirs.registers as i64 - r.ours.registers as i64, &r.name));
    let mut text = format!("\n{:>9} {:>9}  fewer warps\n", "registers", "warps/SM");
    for r in lower.into_iter().take(most) {
        let (registers, warps) = ((r.ours.registers, r.theirs.registers), (r.ours.warps, r.theirs.warps));
        let pair = |(a, b): (u32, u32)| format!("{a}/{b}");
        let leaf = if r.ours.by_op.contains_key("CALL") { ": calls" } else { "" };
        _ = writeln!(text, "{:>9} {:>9}  {}{leaf}", pair(registers), pair(warps), r.name);
    }
    text
}

fn summary(o: &Options, rows: &[Row], modules: usize, refused: usize, version: &str) -> Result<()> {
    let round = |x: f64| (x * 1000.0).round() / 1000.0;
    let total = |count: &dyn Fn(&Row) -> (u64, u64)| {
        let (ours, theirs) = rows.iter().map(count).fold((0, 0), |(a, b), (x, y)| (a + x, b + y));
        round(ours as f64 / theirs.max(1) as f64)
    };
    let instructions = total(&|r| (r.ours.instructions, r.theirs.instructions));
    let registers = total(&|r| (r.ours.registers.into(), r.theirs.registers.into()));
    let bad = rows.iter().filter(|r| r.theirs.instructions >= SMALL && r.ratio() > BAD);
    let bad: Vec<&str> = bad.map(|r| r.name.as_str()).collect();
    let lower = rows.iter().filter(|r| r.ours.warps < r.theirs.warps).count();
    let occupancy = round(100.0 * lower as f64 / rows.len() as f64);
    let stack: Vec<&str> =
        rows.iter().filter(|r| r.ours.stack > 0 && r.theirs.stack == 0).map(|r| r.name.as_str()).collect();
    println!(
        "\n{modules} modules, {refused} of them refused, {} kernels on {}: instructions {instructions}, above {BAD}: {}; registers {registers}; \
         occupancy lower: {lower} ({occupancy} %); stack where ptxas has none: {}",
        rows.len(),
        o.arch,
        bad.len(),
        stack.join(", ")
    );
    if !o.record {
        return Ok(());
    }
    ensure!(modules >= MODULES, "a record needs {MODULES} modules");
    let what =
        format!("{} kernels of {modules} modules ({refused} refused) on {}, ptxas {version}", rows.len(), o.arch);
    figures::record("real.instructions", instructions, COMMAND, &what)?;
    let first = bad.first().map_or(String::new(), |name| format!("; the worst: {name}"));
    figures::record("real.instructions.worst", bad.len() as f64, COMMAND, &format!("{what}{first}"))?;
    figures::record("real.registers", registers, COMMAND, &what)?;
    figures::record("real.occupancy", occupancy, COMMAND, &what)?;
    figures::record("real.stack", stack.len() as f64, COMMAND, &format!("{what}; {}", stack.join(", ")))
}
