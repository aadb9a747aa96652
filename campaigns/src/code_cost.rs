//! The costs of two codes of one kernel, ours and that of ptxas, by the issue model, and the table of them.
//!
//! Both run in the simulator; the traces of a launch's first sixteen warps go through [`raddle_sim::issue`] with one and with 16
//! warps. A ratio is ours over theirs: below 1 is better.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use raddle_cubin::Cubin;
use raddle_cubin::report::Report;
use raddle_sass::{Inst, Isa};
use raddle_sim::issue::{Cycles, Pipe, Step, Trace, Wait, replay};
use raddle_sim::launch::{Dim3, Launch};
use raddle_sim::machine::{self, Image, Setup};
use raddle_sim::mem::Memory;
use raddle_target::{Limits, Target};

/// Warps whose traces are replayed.
const WARPS: usize = 16;

/// What one code of one kernel costs, over all launches.
#[derive(Default)]
pub struct Cost {
    pub one: Cycles,
    pub sixteen: u64,
    /// Warp instructions of whole grids.
    pub executed: u64,
    /// Of the traced warps, by mnemonic.
    by_op: BTreeMap<String, i64>,
    /// Cycles of stall and executions of warp 0, by instruction: its byte offset and its text.
    stalled: BTreeMap<(u32, String), (u64, u64)>,
    pub registers: u32,
    /// Bytes of stack.
    pub frame: u32,
    /// Warps that fit on a multiprocessor.
    pub occupancy: u32,
}

impl Cost {
    /// Runs a launch of a cubin and adds its costs.
    ///
    /// # Errors
    /// A cubin that cannot be loaded, code that fails in the simulator or that is not decoded.
    pub fn add(&mut self, isa: Isa, file: &[u8], launch: &Launch, memory: &mut Memory) -> Result<()> {
        let image = Image::load(file, launch, memory).map_err(|e| anyhow::anyhow!("{e}"))?;
        let warps_per_block = warps(launch.block) as usize;
        let mut traces: Vec<Trace> = Vec::new();
        let mut watch = |e: &machine::Event<'_>| {
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
        let outcome = machine::run_image(&image, launch, memory, options);
        self.executed += outcome.map_err(|e| anyhow::anyhow!("{e}"))?.stats.warp_insts;
        let code: Vec<Inst> =
            image.instructions().iter().map(|i| i.clone().map_err(anyhow::Error::msg)).collect::<Result<_>>()?;
        self.one += replay(isa, &code, &traces[..1], 1);
        self.sixteen += replay(isa, &code, &traces, WARPS).total;
        let mut times: BTreeMap<u32, u64> = BTreeMap::new();
        traces[0].steps.iter().for_each(|step| *times.entry(step.pc).or_default() += 1);
        for (pc, times) in times {
            let inst = &code[pc as usize];
            let entry = self.stalled.entry((pc * 16, inst.to_string())).or_default();
            entry.0 += times * u64::from(inst.ctrl.stall);
            entry.1 += times;
        }
        for step in traces.iter().flat_map(|t| &t.steps) {
            *self.by_op.entry(code[step.pc as usize].op().text().to_owned()).or_default() += 1;
        }
        Ok(())
    }

    /// The instructions at which warp 0 stalls longest, one per line.
    pub fn hottest(&self, count: usize) -> String {
        let mut all: Vec<_> = self.stalled.iter().collect();
        all.sort_by_key(|(at, (cycles, _))| (std::cmp::Reverse(*cycles), *at));
        let line = |((at, text), (cycles, times)): &(&(u32, String), &(u64, u64))| {
            format!("  {at:6x} {cycles:8} cycles {times:6} times  {text}\n")
        };
        all.iter().take(count).map(line).collect()
    }

    /// Sets what the kernel in a cubin has statically, and its occupancy with this launch.
    ///
    /// # Errors
    /// A damaged cubin, or one without the kernel.
    pub fn resources(&mut self, file: &[u8], arch: &str, launch: &Launch) -> Result<()> {
        let report = Report::new(&Cubin::parse(file)?);
        let function = report.functions.iter().find(|f| f.name == launch.kernel).context("the kernel")?;
        self.registers = function.registers;
        self.frame = function.stack.max(function.frame);
        self.occupancy = occupancy(launch, arch, function.registers, function.shared as u32)?;
        Ok(())
    }
}

/// Warps of a block.
fn warps(block: Dim3) -> u32 {
    (block.x * block.y * block.z).div_ceil(Limits::WARP)
}

/// Warps of a launch that fit on a multiprocessor at once.
fn occupancy(launch: &Launch, arch: &str, registers: u32, shared: u32) -> Result<u32> {
    let native = Target::by_name(arch).and_then(|t| t.native.as_ref()).context("a native target")?;
    let limits = native.limits;
    let warps = warps(launch.block);
    let by_registers = Limits::REGISTERS_PER_SM / (registers.next_multiple_of(8) * Limits::WARP).max(1);
    let by_shared = limits.shared_per_sm.checked_div(shared + launch.dyn_shared).unwrap_or(u32::MAX);
    let blocks = (by_registers / warps).min(by_shared).min(limits.ctas_per_sm).min(limits.warps_per_sm / warps);
    Ok(blocks * warps)
}

/// A row of the table.
pub struct Row {
    pub name: String,
    pub ours: Cost,
    pub theirs: Cost,
}

impl Row {
    /// Estimated cycles of one warp, ours over theirs.
    pub fn one(&self) -> f64 {
        self.ours.one.total as f64 / self.theirs.one.total.max(1) as f64
    }

    /// Estimated cycles of sixteen warps.
    pub fn sixteen(&self) -> f64 {
        self.ours.sixteen as f64 / self.theirs.sixteen.max(1) as f64
    }

    /// Executed instructions.
    pub fn executed(&self) -> f64 {
        self.ours.executed as f64 / self.theirs.executed.max(1) as f64
    }

    /// The greater of both ratios of cycles.
    pub fn worst(&self) -> f64 {
        self.one().max(self.sixteen())
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

/// The table of the rows.
pub fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:50} {:>6} {:>6} {:>6}  {:>9} {:>9} {:>9}  why\n",
        "kernel", "1 warp", "16", "insts", "registers", "warps/SM", "stack"
    );
    for r in rows {
        let pair = |a: u32, b: u32| format!("{a}/{b}");
        let _ = writeln!(
            text,
            "{:50} {:6.2} {:6.2} {:6.2}  {:>9} {:>9} {:>9}  {}",
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

/// The geometric mean.
pub fn geomean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let n = values.clone().count().max(1) as f64;
    (values.map(f64::ln).sum::<f64>() / n).exp()
}
