//! What a unit gives.

use crate::key::Key;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Counts, Diags};
use raddle_ptx::Body;
use std::time::Duration;

/// What became of a unit.
#[derive(Default)]
pub struct Compiled {
    /// Its object, if it was compiled.
    pub object: Option<UnitObject>,
    /// What was found.
    pub diags: Diags,
    /// What was rendered.
    pub dump: String,
    /// Instructions of its PTX text.
    pub instructions: usize,
    /// Whether more was done than a check: what failed then may be hidden by an earlier failure.
    pub beyond_check: bool,
    /// The passes that showed what they made, each once, in order; filled for [`Dump::After`](crate::request::Dump::After) only.
    pub passes: Vec<&'static str>,
    /// The body of a device function, for the kernels that call it.
    pub body: Option<Body>,
    /// The key of a kernel, if it was asked for.
    pub key: Option<Key>,
    /// Instructions that no machine here can run ([`crate::unverified`]), each with how often it is written.
    pub unverified: Vec<(String, usize)>,
    /// What had been found when its key was: a build that takes the object from the cache finds it too.
    pub said_before_key: Counts,
    /// Whether the object comes from the cache.
    pub cached: bool,
    /// The most memory it held at once, or another assembler did for it, in bytes; 0 without a meter.
    pub peak: u64,
    /// What it holds at its end, in bytes; 0 without a meter.
    pub kept: u64,
    /// Another assembler made its code.
    pub fallback: bool,
    /// CPU time of that.
    pub tool_cpu: Duration,
}
