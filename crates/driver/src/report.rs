//! What a compilation gives.

use crate::key::Key;
use raddle_diag::{Diags, Policy, SourceMap};
use raddle_jobs::memory::Budget;
use raddle_jobs::timeline::Timeline;
use raddle_jobs::tokens::Holding;
use raddle_target::Target;
use std::sync::Arc;
use std::time::Duration;

/// What is known of a kernel, or of a function that stays one, after its compilation (DRV-15, ISO-4).
#[derive(Clone, Debug)]
pub struct UnitReport {
    /// Its name as in the text.
    pub name: Arc<str>,
    /// What the unit is made from, if that was asked for.
    pub key: Option<Key>,
    /// Whether it is a function that kernels call, and no kernel.
    pub function: bool,
    /// Whether there is an object.
    pub compiled: bool,
    /// Whether the object was made by an earlier run.
    pub cached: bool,
    /// What it was expected to cost, in arbitrary units.
    pub cost: u64,
    /// Instructions of its PTX text.
    pub instructions: usize,
    /// Registers per thread.
    pub registers: u16,
    /// Named barriers.
    pub barriers: u8,
    /// Bytes stored to and loaded from spill slots.
    pub spill_bytes: (u32, u32),
    /// Bytes of its stack frame.
    pub frame: u32,
    /// Static shared memory it places itself, in bytes.
    pub shared: u32,
    /// Bytes of code.
    pub code: usize,
    /// Wall time of its task.
    pub wall: Duration,
    /// CPU time of its task.
    pub cpu: Duration,
    /// The most memory its task held at once, in bytes; 0 without a meter.
    pub peak: u64,
    /// What its task held at its end, in bytes; 0 without a meter.
    pub kept: u64,
    /// Another assembler made its code.
    pub fallback: bool,
    /// Instructions in it that no machine here can run, by name, each with how often it is written: what they compute was compared
    /// with nothing ([`crate::unverified`]). Empty for code of another assembler.
    pub unverified: Vec<(String, usize)>,
}

/// What a compilation gives.
#[derive(Debug)]
pub struct Report {
    /// The cubin; `None` after an error, or if only checks were asked for.
    pub cubin: Option<Vec<u8>>,
    /// Relocatable objects, one per input in input order; only of [`crate::request::Output::Objects`], and none after an error.
    pub objects: Vec<Vec<u8>>,
    /// What was rendered, units in input order.
    pub dump: String,
    /// What was found, in input order.
    pub diags: Diags,
    /// The texts the diagnostics point into.
    pub sources: SourceMap,
    /// Per kernel, in input order.
    pub kernels: Vec<UnitReport>,
    /// Per function that stays a function, in the order in which they were found to be needed.
    pub functions: Vec<UnitReport>,
    /// What ran when.
    pub timeline: Timeline,
    /// The architecture, if it could be found out.
    pub target: Option<&'static Target>,
    /// Workers that were allowed to run.
    pub workers: usize,
    /// Who says so.
    pub workers_by: String,
    /// Workers that were started.
    pub workers_started: usize,
    /// From the first unit's beginning to the last one's end.
    pub span: Duration,
    /// Job tokens held over time; empty without a jobserver.
    pub tokens: Vec<Holding>,
    /// The memory that units of this and other builds may take; claimed as long as this is there.
    pub memory: Option<Arc<Budget>>,
    /// How long it kept workers idle.
    pub held_back: Duration,
}

impl Default for Report {
    fn default() -> Report {
        Report::new(Policy::default())
    }
}

impl Report {
    /// Of nothing.
    pub(crate) fn new(policy: Policy) -> Report {
        Report {
            cubin: None,
            objects: Vec::new(),
            dump: String::new(),
            diags: Diags::with_policy(policy),
            sources: SourceMap::new(),
            kernels: Vec::new(),
            functions: Vec::new(),
            timeline: Timeline::new(),
            target: None,
            workers: 0,
            workers_by: "nothing to do".to_owned(),
            workers_started: 0,
            span: Duration::ZERO,
            tokens: Vec::new(),
            memory: None,
            held_back: Duration::ZERO,
        }
    }
}

impl Report {
    /// Kernels, then functions that stay functions.
    pub fn units(&self) -> impl Iterator<Item = &UnitReport> {
        self.kernels.iter().chain(&self.functions)
    }
}

impl UnitReport {
    /// Its numbers by name, for machines.
    pub fn facts(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("cost", self.cost),
            ("registers", self.registers.into()),
            ("spill_stores", self.spill_bytes.0.into()),
            ("spill_loads", self.spill_bytes.1.into()),
            ("ptx_instructions", self.instructions as u64),
            ("sass_instructions", self.code as u64 / 16),
            ("peak_bytes", self.peak),
            ("cpu_us", self.cpu.as_micros().try_into().unwrap_or(u64::MAX)),
        ]
    }
}
