//! The PTX interpreter: executes PTX thread by thread from the manual's semantics, the reference
//! for compiled code.
//!
//! Problem: a compiler needs a reference for the meaning of a program. Strategy: a body is decoded
//! once into a compact form ([`code`]) in which registers are rows of 32 lanes, and lanes at the
//! same step advance together ([`exec`]), so that dispatch is paid once per warp; the semantics of
//! instructions are written for one thread ([`alu`], [`fpu`], [`video`]), those of matrix
//! instructions for a warp ([`matrix`]), those of mbarrier objects and asynchronous operations in
//! [`asynchrony`]. Undefined bits are tracked for every value, and are a
//! failure where they decide something (decision D19); the memory model ([`crate::mem`]) detects
//! races and stray accesses.
//!
//! Invariants: nothing is shared with the simulator but memory model, launch description, soft
//! float and the model of the multi-function unit; multiplications and additions are never
//! contracted; unsupported instructions are reported before anything runs, all those of the kernel
//! together.

mod alu;
mod asynchrony;
mod atomic;
mod bits;
mod code;
mod compare;
mod cta;
mod decode;
mod exec;
mod fpu;
mod grid;
mod layout;
pub mod matrix;
mod order;
mod place;
mod program;
mod registers;
mod specials;
mod texture;
mod video;
mod vmad;
mod warp;
mod wgmma;

use crate::failure::{Failure, FailureKind, Location};
use crate::launch::Launch;
use crate::mem::Memory;
use crate::stats::Stats;
use program::{Program, Source, reachable};
use raddle_diag::{Diags, FileId};
use raddle_ptx::Outline;
pub use registers::Registers;

/// The result of a run, apart from memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Counters.
    pub stats: Stats,
    /// Races, if they are only warnings ([`crate::launch::OnFinding::Warn`]), and atomic operations on
    /// memory that was never written: at most 100.
    pub warnings: Vec<String>,
}

/// A step of some lanes of a warp, for traces.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    /// Flat index of the block.
    pub block: u64,
    /// Warp in its block.
    pub warp: u32,
    /// Lanes that take the step, whatever their guards.
    pub mask: u32,
    /// The instruction.
    pub place: Location,
    /// The registers of its function.
    pub registers: Registers<'a>,
}

/// Settings of a run that a launch does not contain.
#[derive(Default)]
pub struct Setup<'a> {
    /// Called before each instruction.
    pub trace: Option<&'a mut dyn FnMut(&Event<'_>)>,
    /// The SM whose tensor cores multiply matrices: what `mma` rounds differs between machines. By
    /// default that of the module's `.target`.
    pub sm: Option<u32>,
}

/// [`run_with`] without a trace; warnings are dropped.
///
/// # Errors
/// Those of [`run_with`].
pub fn run(text: &str, launch: &Launch, mem: &mut Memory) -> Result<Stats, Failure> {
    run_with(text, launch, mem, Setup::default()).map(|outcome| outcome.stats)
}

/// Runs one launch of a kernel of a PTX module. Module variables and parameters become allocations
/// of `mem`, after the existing ones.
///
/// # Errors
/// A [`Failure`] if the parts of the module that the kernel reaches have errors, if instructions
/// are unsupported (all of them are named), if the launch does not fit the kernel, or if the
/// program fails.
pub fn run_with(text: &str, launch: &Launch, mem: &mut Memory, setup: Setup<'_>) -> Result<Outcome, Failure> {
    let fail = |kind| Failure::of_launch(&launch.kernel, kind);
    let mut diags = Diags::new();
    let outline = raddle_ptx::outline(text, FileId::FIRST, &mut diags);
    let kernel = outline.func(&launch.kernel).filter(|&id| outline.funcs[id].entry);
    let Some(kernel) = kernel else {
        let why = errors(text, &diags).unwrap_or_else(|| format!("no kernel {} in the module", launch.kernel));
        return Err(fail(FailureKind::Load(why)));
    };
    let bodies = reachable(text, &outline, kernel, |func| {
        let mut body = raddle_ptx::parse_body(text, FileId::FIRST, &outline, func, &mut diags);
        body.resolve_aliases(&outline);
        body
    });
    if let Some(why) = errors(text, &diags) {
        return Err(fail(FailureKind::Load(why)));
    }
    let source = Source { text, outline: &outline, bodies, sm: setup.sm };
    let program = Program::load(&source, launch, mem)?;
    grid::run(&program, launch, mem, setup)
}

/// Reads the bodies that a kernel of a module reaches, for their errors: those that [`run_with`] has
/// only as text.
pub fn check(text: &str, file: FileId, outline: &Outline, kernel: &str, diags: &mut Diags) {
    if let Some(kernel) = outline.func(kernel) {
        reachable(text, outline, kernel, |func| raddle_ptx::parse_body(text, file, outline, func, diags));
    }
}

/// Returns the errors of a module, one a line, if there are any.
fn errors(text: &str, diags: &Diags) -> Option<String> {
    let lines: Vec<String> = diags
        .iter()
        .filter(|d| d.is_error())
        .map(|d| {
            let at = d.span().map_or(0, |span| span.start as usize).min(text.len());
            let line = text.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
            format!("line {line}: {}", d.message)
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
