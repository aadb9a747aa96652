//! The lines of `ptxas -v`, and of the info log of nvPTXCompiler with that option (ptxas and
//! `libnvptxcompiler_static.a` 13.0.88 output).
//!
//! ```text
//! ptxas info    : 100 bytes gmem, 80 bytes cmem[3]
//! ptxas info    : Compiling entry function 'k' for 'sm_80'
//! ptxas info    : Function properties for k
//!     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//! ptxas info    : Used 8 registers, used 0 barriers, 64 bytes smem, 360 bytes cmem[0]
//! ptxas info    : Compile time = 1.178 ms
//! ```
//!
//! Functions that were inlined have zeros. Stack, constant banks and variables are read from the cubin, so
//! that the lines say what is there; spills are in no cubin.

mod advice;
mod order;

pub use advice::{arrange, is_of_code};

use crate::report::Report;
use order::Listed;
use raddle_codegen::{can_hold, register_budget};
use raddle_cubin::Cubin;
use raddle_cubin::unit::Space;
use raddle_cubin::view::{Kernel, constant_section};
use raddle_ir::{Bounds, OptLevel};
use raddle_ptx::Perf;
use raddle_target::{Limits, TARGETS};
use std::fmt::Write as _;

/// The name at the start of the lines.
const TOOL: &str = "ptxas";

/// The first architecture for which ptxas names no constant banks.
const WITHOUT_BANKS: u16 = 90;

/// The constant banks that each kernel has for itself: parameters, and constants of the optimiser.
const OWN_BANKS: [u8; 2] = [0, 2];

/// The kind of output, as far as it changes the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind<'a> {
    /// Stacks are known over all calls.
    pub executable: bool,
    /// With `-g`.
    pub debug: bool,
    /// How much is done for the code.
    pub speed: Speed,
    /// The names of `--entry`, in whose order kernels are compiled.
    pub entries: &'a [String],
    /// The value of `--maxrregcount`.
    pub registers: Option<u32>,
    /// The lines are those of a log: a line that continues another one says so at its start.
    pub log: bool,
}

/// How much is done for the code, as far as it changes the order of the lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// As usual.
    #[default]
    Usual,
    /// `-O0`.
    None,
    /// `--Ofast-compile=min` and `mid`.
    Some,
    /// `--Ofast-compile=max`.
    Max,
}

impl Speed {
    /// That of a level of optimisation, and the one that `--Ofast-compile` stands for.
    pub fn of(opt: OptLevel, fast: Option<OptLevel>) -> Speed {
        match (opt, fast) {
            (_, Some(OptLevel::O0)) => Speed::Max,
            (_, Some(_)) => Speed::Some,
            (OptLevel::O0, None) => Speed::None,
            _ => Speed::Usual,
        }
    }
}

/// All lines of a compilation.
pub fn lines(report: &Report, cubin: &Cubin, kind: Kind<'_>) -> String {
    let all = order::listed(report, kind);
    let mut out = String::new();
    for (listed, limit) in all.iter().filter_map(|listed| Some((listed, kind.registers?))) {
        out += &overriding(listed, limit, report);
    }
    let _ = writeln!(out, "{TOOL} info    : {}", memory(cubin, kind.executable));
    let functions = cubin.functions();
    for listed in all {
        let function = functions.iter().find(|function| function.name == listed.name);
        out += &lines_of(&listed, function, report, cubin, kind);
    }
    out
}

/// The names of the functions, in the order of their lines.
pub fn names<'r>(report: &'r Report, kind: Kind<'_>) -> Vec<&'r str> {
    order::listed(report, kind).iter().map(|listed| listed.name).collect()
}

/// The line about a kernel under `--maxrregcount`: its own bounds replace the limit, or the limit
/// that of the architecture.
fn overriding(listed: &Listed<'_>, limit: u32, report: &Report) -> String {
    let Some(func) = listed.func.filter(|func| func.entry) else { return String::new() };
    let most = Limits::REGISTERS_PER_THREAD;
    let Perf { maxnreg, maxntid, reqntid, minnctapersm, .. } = func.perf;
    let threads = Bounds { maxntid, reqntid, minnctapersm, ..Bounds::default() };
    let native = report.target.and_then(|target| target.native.as_ref());
    let has_threads = maxntid.is_some() || reqntid.is_some();
    let by_threads = native
        .filter(|native| has_threads && minnctapersm.is_some() && can_hold(&threads, &native.limits))
        .map(|native| register_budget(&threads, None, &native.limits));
    let own = match (maxnreg.map(|own| own.min(most)), by_threads) {
        (Some(own), Some(computed)) if computed < own => (computed, "computed using thread count"),
        (Some(own), _) => (own, "of .maxnreg"),
        (None, Some(computed)) => (computed, "computed using thread count"),
        (None, None) if has_threads => return String::new(),
        (None, None) => {
            let what = format!("256 for '{}' with  {limit} of maxrregcount option", listed.name);
            return format!("{TOOL} info    : Overriding maximum register limit {what}\n");
        }
    };
    match own {
        (own, _) if own == limit => String::new(),
        (own, from) => {
            format!("{TOOL} info    : Overriding global maxrregcount {limit} with entry-specific value {own} {from}\n")
        }
    }
}

/// The lines of a function or kernel.
fn lines_of(
    listed: &Listed<'_>,
    function: Option<&Kernel<'_>>,
    report: &Report,
    cubin: &Cubin,
    kind: Kind<'_>,
) -> String {
    let mut out = String::new();
    let name = listed.name;
    let entry = function.filter(|function| function.is_entry);
    if entry.is_some() {
        let target = report.target.map_or("", |target| target.name);
        let _ = writeln!(out, "{TOOL} info    : Compiling entry function '{name}' for '{target}'");
    }
    let (stores, loads) = listed.unit.map_or((0, 0), |unit| unit.spill_bytes);
    let goes_on = if kind.log { "ptxas         .     " } else { "    " };
    let _ = writeln!(
        out,
        "{TOOL} info    : Function properties for {name}\n{goes_on}{} bytes stack frame, {stores} bytes spill stores, {loads} \
         bytes spill loads",
        function.map_or(0, |function| function.frame_size)
    );
    if let Some(function) = entry {
        let (registers, barriers) = (function.registers, function.barriers);
        let _ = write!(out, "{TOOL} info    : Used {registers} registers, used {barriers} barriers");
        // Recursion has no known depth.
        if kind.executable && function.stack_size > 0 && function.stack_size < u32::MAX {
            let _ = write!(out, ", {} bytes cumulative stack size", function.stack_size);
        }
        let own = listed.unit.map_or(0, |unit| u64::from(unit.shared));
        let shared = match kind.executable {
            true => function.shared_size.saturating_sub(reserved(cubin)).max(own),
            false => own + shared_of(name, cubin),
        };
        if shared > 0 {
            let _ = write!(out, ", {shared} bytes smem");
        }
        if cubin.header.sm() < WITHOUT_BANKS {
            for bank in
                function.const_banks.iter().filter(|bank| !bank.bytes.is_empty() && OWN_BANKS.contains(&bank.bank))
            {
                let _ = write!(out, ", {} bytes cmem[{}]", bank.bytes.len(), bank.bank);
            }
        }
        out.push('\n');
    }
    if listed.timed {
        let took = listed.unit.map_or(0.0, |unit| unit.wall.as_secs_f64() * 1e3);
        let _ = writeln!(out, "{TOOL} info    : Compile time = {took:.3} ms");
    }
    out
}

/// The shared memory that the driver has for itself in front of a kernel's own.
fn reserved(cubin: &Cubin) -> u64 {
    let target = TARGETS.iter().find(|target| target.sm == cubin.header.sm()).and_then(|target| target.native.as_ref());
    target.map_or(0, |native| native.shared_base.into())
}

/// The shared memory of a kernel in an object, in bytes: its variables are named KERNEL.VARIABLE.N
/// there, and the linker places them.
fn shared_of(kernel: &str, cubin: &Cubin) -> u64 {
    let variables = cubin.variables();
    let own = variables.iter().filter(|v| v.space == Space::Shared && !v.is_global);
    own.filter(|v| v.name.strip_prefix(kernel).is_some_and(|rest| rest.starts_with('.'))).map(|v| v.size).sum()
}

/// The memory of variables: global memory, then constant banks that no function has for itself.
fn memory(cubin: &Cubin, executable: bool) -> String {
    let global = cubin.sections.iter().filter(|s| s.name == ".nv.global" || s.name == ".nv.global.init");
    let mut out = format!("{} bytes gmem", global.map(|s| s.size()).sum::<u64>());
    if cubin.header.sm() >= WITHOUT_BANKS {
        return out;
    }
    let banks = cubin.sections.iter().filter_map(|section| match constant_section(&section.name) {
        // The addresses in bank 4 are the linker's.
        Some((4, None)) if !executable => None,
        Some((bank, None)) => Some((bank, section.size())),
        _ => None,
    });
    let mut banks: Vec<(u8, u64)> = banks.filter(|(_, size)| *size > 0).collect();
    banks.sort_unstable();
    for (bank, size) in banks {
        let _ = write!(out, ", {size} bytes cmem[{bank}]");
    }
    out
}
