//! Compiles a random kernel and runs it in interpreter and simulator.

use std::fmt;

use crate::simulator;
use anyhow::Result;
use raddle_diag::Class;
use raddle_driver::compile::compile as drive;
use raddle_driver::host::Chaos;
use raddle_driver::input::{Content, Input};
use raddle_driver::options::{RunOptions, Selection};
use raddle_driver::request::Request;
use raddle_sim::failure::{Failure, FailureKind};
use raddle_sim::launch::{Arg, Dim3, Launch};
use raddle_sim::machine::Completion;
use raddle_sim::mem::{AllocId, Memory};
use raddle_sim::{interp, machine};
use raddle_target::Target;

use super::registers::{all, initial};
use super::tree::{CELLS, PLACE, Program, ROW, SHARED_AT, THREADS};
use crate::judge::static_hazards;
use crate::level::Level;
use crate::rng::Rng;

/// An error of the compiler.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// Line in the text, from 1; 0 if unknown.
    pub line: usize,
    /// Its class.
    pub class: Class,
    /// The message.
    pub message: String,
}

/// Compiles a module without contracting multiplications and additions.
///
/// # Errors
/// All errors of the compiler.
pub fn compile(
    text: &str,
    arch: &str,
    level: Level,
    jobs: usize,
    chaos: Option<u64>,
) -> Result<Vec<u8>, Vec<Complaint>> {
    let request = Request {
        inputs: vec![Input { name: "random.ptx".into(), content: Content::Text(text.to_owned()) }],
        selection: Selection { arch: Target::by_name(arch), ..Selection::default() },
        codegen: level.options(),
        run: RunOptions { jobs, chaos: chaos.map(Chaos::new), ..RunOptions::default() },
        ..Request::default()
    };
    let report = drive(request, &mut ());
    let errors: Vec<Complaint> = report
        .diags
        .iter()
        .filter(|d| d.is_error())
        .map(|d| {
            let at = d.span().map_or(0, |span| text[..(span.start as usize).min(text.len())].matches('\n').count() + 1);
            Complaint { line: at, class: d.class(), message: d.message.clone() }
        })
        .collect();
    match report.cubin {
        Some(cubin) if errors.is_empty() => Ok(cubin),
        _ => Err(errors),
    }
}

/// The results of a run: outputs, scratch memory, cells.
pub type Results = [Vec<u8>; 3];

struct Prepared {
    memory: Memory,
    launch: Launch,
    outputs: [AllocId; 3],
}

/// Memory and launch of a program; the data depends on its seed.
fn prepare(program: &Program) -> Prepared {
    let mut memory = Memory::new();
    let rows = program.blocks * THREADS;
    let mut rng = Rng::new(program.seed, 99);
    let mut input = vec![0; rows * ROW];
    for row in input.chunks_mut(ROW) {
        for (n, register) in all().enumerate() {
            row[n * 8..][..8].copy_from_slice(&initial(register.bank, &mut rng).to_le_bytes());
        }
        row[SHARED_AT..].iter_mut().for_each(|byte| *byte = rng.next() as u8);
    }
    let mut bytes = |n: usize| (0..n).map(|_| rng.next() as u8).collect::<Vec<u8>>();
    let (scratch, cells, blob) = (bytes(rows * PLACE), bytes(CELLS), bytes(PLACE));
    let flags = bytes(4);
    let input = memory.add("in", input, true);
    let output = memory.add("out", vec![0; rows * ROW], true);
    let scratch = memory.add("scratch", scratch, true);
    let cells = memory.add("cells", cells, true);
    let mut launch = Launch::new("k");
    launch.grid = Dim3::from(program.blocks as u32);
    launch.block = Dim3::from(THREADS as u32);
    launch.max_steps = 1 << 22;
    launch.seed = program.seed;
    let buffers = [input, output, scratch, cells].map(Arg::Buffer);
    launch.args = buffers.into_iter().chain([Arg::Value(flags), Arg::Value(blob)]).collect();
    Prepared { memory, launch, outputs: [output, scratch, cells] }
}

impl Prepared {
    fn results(&self) -> Result<Results, Failure> {
        let read = |id| self.memory.read_back(id).map(<[u8]>::to_vec).map_err(|kind| Failure::of_launch("k", kind));
        let [a, b, c] = self.outputs;
        Ok([read(a)?, read(b)?, read(c)?])
    }
}

/// Runs the text in the interpreter.
///
/// # Errors
/// A failed run.
pub fn interpret(program: &Program, text: &str) -> Result<Results, Failure> {
    let mut prepared = prepare(program);
    interp::run(text, &prepared.launch, &mut prepared.memory)?;
    prepared.results()
}

/// Runs a cubin in the simulator, with results available at once or as late as possible.
///
/// # Errors
/// A failed run; hazards, races and stray accesses are failures.
pub fn simulate(program: &Program, cubin: &[u8], completion: Completion) -> Result<Results, Failure> {
    let mut prepared = prepare(program);
    let setup = machine::Setup { completion, ..machine::Setup::default() };
    simulator::run_with(cubin, &prepared.launch, &mut prepared.memory, setup)?;
    prepared.results()
}

/// The kind of failure of a kernel, which minimising preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The compiler reports the PTX as invalid.
    Rejected,
    /// The compiler reports a form as unsupported that it compiles elsewhere.
    Unsupported,
    /// The compiler has an internal error, or panics.
    Internal,
    /// The run in the interpreter fails.
    Interpreter,
    /// The static checker finds a hazard.
    Static,
    /// The simulator finds a hazard.
    Hazard,
    /// The run in the simulator fails otherwise.
    Simulator,
    /// The results differ.
    Different,
    /// The bytes depend on the order of work.
    Bytes,
}

/// A kernel that fails.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The kind of failure.
    pub fault: Fault,
    /// The level.
    pub level: Level,
    /// The observation.
    pub what: String,
    /// Whether the code is that of ptxas.
    pub by_ptxas: bool,
}

impl Failing {
    /// A failure of our own code.
    pub fn new(fault: Fault, level: Level, what: String) -> Self {
        Self { fault, level, what, by_ptxas: false }
    }
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = if self.by_ptxas { "ptxas' code: " } else { "" };
        write!(f, "{:?} at -{}: {of}{}", self.fault, self.level, self.what)
    }
}

/// The completion times at a level: both, where instructions are reordered most.
fn completions(level: Level) -> &'static [Completion] {
    if level == Level::O3 { &[Completion::Early, Completion::Late] } else { &[Completion::Early] }
}

/// Compiles a program at every given level and compares its results with the interpreter's.
///
/// # Errors
/// The first failure.
pub fn judge(program: &Program, arch: &'static str, levels: &[Level]) -> Result<(), Failing> {
    let text = program.text(arch);
    let want = interpret(program, &text);
    for &level in levels {
        let failing = |fault, what| Failing::new(fault, level, what);
        let cubin = compile(&text, arch, level, 1, None).map_err(|errors| {
            let class = errors.iter().map(|e| e.class).max_by_key(|c| c.exit_code());
            let fault = match class {
                Some(Class::Unsupported) => Fault::Unsupported,
                Some(Class::Internal) | None => Fault::Internal,
                Some(_) => Fault::Rejected,
            };
            let lines: Vec<&str> = text.lines().collect();
            let line = |e: &Complaint| lines.get(e.line.wrapping_sub(1)).map_or("", |l| l.trim()).to_owned();
            let messages = errors.iter().take(3).map(|e| format!("{} ({})", e.message, line(e)));
            failing(fault, messages.collect::<Vec<_>>().join("; "))
        })?;
        let want = want.as_ref().map_err(|e| failing(Fault::Interpreter, e.to_string()))?;
        static_hazards(&cubin, arch).map_err(|e| failing(Fault::Static, format!("{e:#}")))?;
        for &completion in completions(level) {
            let got = simulate(program, &cubin, completion).map_err(|e| {
                let hazard = matches!(*e.kind, FailureKind::Hazard(_));
                failing(if hazard { Fault::Hazard } else { Fault::Simulator }, e.to_string())
            })?;
            same(&got, want).map_err(|what| failing(Fault::Different, what))?;
        }
    }
    Ok(())
}

/// Compares results.
///
/// # Errors
/// The first difference, by the name of the register that was stored there.
pub fn same(got: &Results, want: &Results) -> Result<(), String> {
    for (name, (got, want)) in ["out", "scratch", "cells"].iter().zip(got.iter().zip(want)) {
        if got == want {
            continue;
        }
        let Some(at) = got.iter().zip(want).position(|(g, w)| g != w) else { continue };
        let place = if *name == "out" {
            let register = all().nth(at % ROW / 8).filter(|_| at % ROW < SHARED_AT);
            let what = register.map_or_else(|| "memory".to_owned(), |r| r.to_string());
            format!("thread {}: {what}", at / ROW)
        } else {
            format!("{name}[{at}]")
        };
        let word = |bytes: &[u8]| bytes[at & !7..][..8].iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
        let count = got.iter().zip(want).filter(|(g, w)| g != w).count();
        return Err(format!("{place} is {:#x}, not {:#x}; {count} bytes differ", word(got), word(want)));
    }
    Ok(())
}
