//! The SASS simulator: runs the machine code of a cubin, anybody's, and treats hazards as failures.
//!
//! Problem: without a GPU, only a machine that is at least as strict as the hardware can show that machine code is
//! right: not only its arithmetic, but its stalls, scoreboards, convergence and memory order. Strategy: a warp of 32
//! lanes at a time executes decoded instructions (tables of `raddle_sass`, no compiler code) beside a tracker that
//! holds every promise of the control fields against what ptxas is known to rely on; subsets of a diverged warp, warps and blocks
//! interleave in a seeded order; memory knows bounds, undefined bits and races ([`crate::mem`]).
//!
//! Pipeline: [`Image`] (load, relocate, decode) -> `predecode` (one [`uop::Uop`] per word) -> `run` (choose a warp,
//! step) with `exec_*` (semantics), `hazard` (control fields), `barrier` (named barriers).
//!
//! Invariants: the same file, launch and seed give the same run; nothing is allocated per step; an instruction that is
//! not modelled is a failure where it is reached, never a guess.

mod barrier;
mod block;
mod coalesce;
mod draft;
mod exec_atom;
mod exec_copy;
mod exec_float;
mod exec_flow;
mod exec_int;
mod exec_mem;
mod exec_warp;
mod hazard;
mod image;
mod kind;
mod late;
mod lines;
mod lockstep;
mod operand;
mod operands;
mod options;
mod predecode;
mod run;
mod schedule;
mod select_float;
mod select_int;
mod select_other;
mod stubs;
mod system;
#[cfg(test)]
mod tests;
mod uop;
mod warp;
mod watch;

pub use image::Image;
pub use late::Completion;
pub use run::Event;
pub use schedule::Order;

use crate::failure::{Failure, FailureKind};
use crate::launch::{Check, Launch};
use crate::mem::Memory;
use crate::mufu::Mufu;
use crate::stats::Stats;
use rustc_hash::FxHashMap;

/// What a launch description leaves open.
#[derive(Default)]
pub struct Setup<'a> {
    /// The multi-function unit's error setting.
    pub mufu: Mufu,
    /// When variable-latency results are there.
    pub completion: Completion,
    /// Called before every instruction.
    pub trace: Option<&'a mut dyn FnMut(&Event)>,
}

/// A run that came to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Counters.
    pub stats: Stats,
    /// Races and hazards where they are only warnings, at most 100 each.
    pub warnings: Vec<String>,
}

/// Runs the kernel `launch` names from the cubin in `file`. Buffers are read and written in `mem`.
///
/// # Errors
/// A [`Failure`] that names kernel, thread, instruction and what went wrong.
pub fn run(file: &[u8], launch: &Launch, mem: &mut Memory) -> Result<Outcome, Failure> {
    run_with(file, launch, mem, Setup::default())
}

/// [`run()`] with a setup.
///
/// # Errors
/// As [`run()`].
pub fn run_with(file: &[u8], launch: &Launch, mem: &mut Memory, setup: Setup<'_>) -> Result<Outcome, Failure> {
    let fail = |kind: FailureKind| Failure::of_launch(&launch.kernel, kind);
    let image = Image::load(file, launch, mem).map_err(fail)?;
    run_image(&image, launch, mem, setup)
}

/// Runs a loaded image. The launch must be the one it was loaded for.
///
/// # Errors
/// As [`run()`].
pub fn run_image(image: &Image, launch: &Launch, mem: &mut Memory, setup: Setup<'_>) -> Result<Outcome, Failure> {
    let global = global(image, launch, mem, setup.mufu);
    let max_steps = launch.max_steps.min(u64::from(u32::MAX - 16));
    let how = run::How { hazards: launch.hazards, completion: setup.completion, order: Order::of(launch.seed) };
    let runner = run::Runner::new(image, global, how, max_steps, setup.trace);
    let (stats, warnings) = runner.run()?;
    Ok(Outcome { stats, warnings })
}

/// Runs a loaded image whose threads share nothing, fast: warps of a block go through the code together, and neither hazards nor races
/// are looked for (`lockstep`).
///
/// # Errors
/// As [`run()`]; named barriers are not supported.
pub fn run_apart(image: &Image, launch: &Launch, mem: &mut Memory, mufu: Mufu) -> Result<Stats, Failure> {
    if image.systems.is_some() {
        let kind = FailureKind::Unsupported("functions of the driver where threads share nothing".into());
        return Err(Failure::of_launch(&launch.kernel, kind));
    }
    let mut global = global(image, launch, mem, mufu);
    global.races = Check::Off;
    lockstep::Lockstep::new(image, global, launch.max_steps).run()
}

fn global<'a>(image: &'a Image, launch: &Launch, mem: &'a mut Memory, mufu: Mufu) -> block::Global<'a> {
    let native = image.target.native.as_ref();
    block::Global {
        mem,
        banks: &image.banks,
        grid: launch.grid,
        block: launch.block,
        shared_base: native.map_or(0, |n| n.shared_base),
        warps_per_sm: native.map_or(64, |n| n.limits.warps_per_sm),
        now: 1,
        races: launch.races,
        warnings: Vec::new(),
        releases: FxHashMap::default(),
        stats: Stats::default(),
        mufu,
        smem_size: image.shared_size,
        rng: block::Rng::new(launch.seed),
    }
}
