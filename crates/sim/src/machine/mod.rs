//! The SASS simulator: runs the machine code of a cubin of any compiler, and reports hazards as
//! failures.
//!
//! Problem: without a GPU, only a machine that is at least as strict as the hardware can show that
//! machine code is correct: not only its arithmetic, but its stalls, scoreboards, convergence and
//! memory order. Strategy: a warp of 32 lanes at a time executes decoded instructions (tables of
//! `raddle_sass`, no compiler code), while a tracker checks the control fields against what ptxas
//! is known to rely on; subsets of a diverged warp, warps and blocks interleave in a seeded order;
//! memory checks bounds, undefined bits and races ([`crate::mem`]).
//!
//! Pipeline: [`Image`] (load, relocate, decode) -> `predecode` (one [`uop::Uop`] per word) -> `run`
//! (choose a warp, step) with `exec_*` (semantics), `hazard` (control fields), `barrier` (named
//! barriers), `asynchrony` (mbarrier objects, bulk and tensor copies, clusters). Clusters start and
//! end as a whole (`grid`).
//!
//! Invariants: the same file, launch and seed give the same run; no allocation per step; an
//! instruction that is not modelled is a failure when it is executed, never a guess.

mod async_op;
mod asynchronous;
mod asynchrony;
mod barrier;
mod block;
mod calls;
mod cluster;
mod coalesce;
mod copies;
mod driver_texture;
mod exec_atom;
mod exec_copy;
mod exec_float;
mod exec_flow;
mod exec_int;
mod exec_mem;
mod exec_multimem;
mod exec_tensor;
mod exec_texture;
mod exec_warp;
mod exec_wgmma;
mod grid;
mod handles;
mod hazard;
mod image;
mod kind;
mod lanes;
mod late;
mod lines;
mod lockstep;
mod object;
mod operand;
mod operands;
mod options;
mod pending;
mod places;
mod predecode;
mod products;
mod quad;
mod resident;
mod run;
mod schedule;
mod select_float;
mod select_int;
mod select_other;
mod select_tensor;
mod select_texture;
mod select_wgmma;
mod shape;
mod stubs;
mod subset;
mod system;
pub mod tensor;
#[cfg(test)]
mod tests;
mod texture;
mod unit;
mod uop;
mod uop_builder;
mod warp;
mod watch;

pub use image::Image;
pub use late::Completion;
pub use run::{Event, Registers};
pub use schedule::SubsetOrder;

use crate::failure::{Failure, FailureKind};
use crate::launch::{Launch, OnFinding};
use crate::mem::Memory;
use crate::mem::regions::Regions;
use crate::mufu::Mufu;
use crate::stats::Stats;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Settings that a launch description does not contain.
#[derive(Default)]
pub struct Setup<'a> {
    /// The multi-function unit's error setting.
    pub mufu: Mufu,
    /// When variable-latency results arrive.
    pub completion: Completion,
    /// Called before every instruction.
    pub trace: Option<&'a mut dyn FnMut(&Event<'_>)>,
    /// Whether the lanes of a call come together again where it returns, even if the code has no
    /// instruction for that.
    pub calls_converge: bool,
    /// Whether lanes that wait at a convergence barrier leave the regions that were opened after its
    /// own, as by `BREAK`, where otherwise nothing can run any more.
    pub regions_are_left: bool,
}

/// The result of a completed run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Counters.
    pub stats: Stats,
    /// Races and hazards, if they are only warnings, at most 100 each.
    pub warnings: Vec<String>,
}

/// Runs the kernel of `launch` from the cubin in `file`. Buffers are read and written in `mem`.
///
/// # Errors
/// A [`Failure`] with kernel, thread, instruction and kind.
pub fn run(file: &[u8], launch: &Launch, mem: &mut Memory) -> Result<Outcome, Failure> {
    run_with(file, launch, mem, Setup::default())
}

/// [`run()`] with additional settings.
///
/// # Errors
/// Those of [`run()`].
pub fn run_with(file: &[u8], launch: &Launch, mem: &mut Memory, setup: Setup<'_>) -> Result<Outcome, Failure> {
    let fail = |kind: FailureKind| Failure::of_launch(&launch.kernel, kind);
    let image = Image::load(file, launch, mem).map_err(fail)?;
    run_image(&image, launch, mem, setup)
}

/// Runs a loaded image. The launch must be the one it was loaded for.
///
/// # Errors
/// Those of [`run()`].
pub fn run_image(image: &Image, launch: &Launch, mem: &mut Memory, setup: Setup<'_>) -> Result<Outcome, Failure> {
    let mut global = global(image, launch, mem, setup.mufu);
    global.late = setup.completion == Completion::Late;
    let max_steps = launch.max_steps.min(u64::from(u32::MAX - 16));
    let how = run::RunSettings {
        hazards: launch.hazards,
        completion: setup.completion,
        order: SubsetOrder::of(launch.seed),
        calls_converge: setup.calls_converge,
        regions_are_left: setup.regions_are_left,
    };
    let runner = run::Runner::new(image, global, how, max_steps, setup.trace);
    let (stats, warnings) = runner.run()?;
    Ok(Outcome { stats, warnings })
}

/// Runs a loaded image whose threads do not communicate, fast: warps of a block advance together,
/// without checks for hazards and races (`lockstep`).
///
/// # Errors
/// Those of [`run()`]; named barriers are not supported.
pub fn run_lockstep(image: &Image, launch: &Launch, mem: &mut Memory, mufu: Mufu) -> Result<Stats, Failure> {
    if image.systems.is_some() {
        let kind = FailureKind::Unsupported("driver functions in a run without communication".into());
        return Err(Failure::of_launch(&launch.kernel, kind));
    }
    let mut global = global(image, launch, mem, mufu);
    global.races = OnFinding::Off;
    lockstep::Lockstep::new(image, global, launch.max_steps).run()
}

fn global<'a>(image: &'a Image, launch: &Launch, mem: &'a mut Memory, mufu: Mufu) -> block::Global<'a> {
    let native = image.target.native.as_ref();
    block::Global {
        multicast: mem.has_multicast(),
        mem,
        banks: &image.banks,
        grid: image.grid,
        block: launch.block,
        shared_base: native.map_or(0, |n| n.shared_base),
        warps_per_sm: native.map_or(64, |n| n.limits.warps_per_sm),
        now: 1,
        races: launch.races,
        warnings: Vec::new(),
        unwritten: Vec::new(),
        releases: FxHashMap::default(),
        stats: Stats::default(),
        mufu,
        smem_size: image.shared_size,
        rng: block::Rng::new(launch.seed),
        late: false,
        regions: Regions::default(),
        fences: Default::default(),
        map_fences: BTreeMap::new(),
        copies: 0,
    }
}
