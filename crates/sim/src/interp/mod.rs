//! The PTX interpreter: executes PTX thread by thread from the manual's semantics, the reference for compiled code.
//!
//! Problem: a compiler needs somebody to say what a program means. Strategy: a body is decoded once into a compact
//! form ([`code`]) in which registers are rows of 32 lanes, and lanes at the same place take a step together
//! ([`exec`]), which pays for dispatch once a warp; what an instruction computes is written for one thread
//! ([`alu`], [`fpu`], [`video`]). Undefined bits follow every value (decision D19), races and stray accesses are
//! found by the memory model ([`crate::mem`]).
//!
//! Invariants: nothing is shared with the simulator but memory model, launch description, soft float and the model
//! of the multi-function unit; multiplications and additions are never contracted; an instruction without semantics
//! here is refused before anything runs, with all others of its kernel.

mod access;
mod alu;
mod code;
mod compare;
mod decode;
mod decode_arith;
mod decode_cvt;
mod decode_memory;
mod decode_sync;
mod exec;
mod fpu;
mod grid;
mod program;
mod specials;
mod sync;
mod video;
mod warp;

use crate::failure::Failure;
use crate::launch::Launch;
use crate::mem::Memory;
use crate::stats::Stats;
pub use program::{Source, reachable};

/// Runs one launch of a parsed kernel. Module variables and parameters become allocations of `mem` behind those that
/// are there. Fails if an instruction is not supported, if the launch does not fit, or if the program fails.
pub fn run_parsed(source: &Source, launch: &Launch, mem: &mut Memory) -> Result<Stats, Failure> {
    let program = program::Program::load(source, launch, mem)?;
    grid::run(&program, launch, mem)
}
