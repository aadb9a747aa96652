//! The result of a unit.

use crate::cache::Known;
use crate::key::Key;
use crate::remote::RemoteRun;
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Counts, Diags};
use raddle_ptx::Body;
use std::time::Duration;

/// The result of a unit.
#[derive(Default)]
pub struct Compiled {
    /// Its object, if it was compiled.
    pub object: Option<UnitObject>,
    /// Its diagnostics.
    pub diags: Diags,
    /// The requested dump.
    pub dump: String,
    /// Instructions of its PTX text.
    pub instructions: usize,
    /// Whether it went beyond a check: failures after that may be hidden by an earlier failure.
    pub beyond_check: bool,
    /// The passes that produced a dump, each once, in order; only for
    /// [`Dump::After`](crate::request::Dump::After).
    pub passes: Vec<&'static str>,
    /// The body of a device function, for the kernels that call it.
    pub body: Option<Body>,
    /// The key of a kernel, if it was requested.
    pub key: Option<Key>,
    /// The diagnostics made before the key: a build that takes the object from the cache makes them
    /// too.
    pub said_before_key: Counts,
    /// The hash of the text of a kernel, if its key may be kept by it.
    pub text: Option<Key>,
    /// Whether the object comes from the cache.
    pub cached: bool,
    /// The peak of memory, its own or that of another assembler, in bytes; 0 without a meter.
    pub peak: u64,
    /// The memory held at its end, in bytes; 0 without a meter.
    pub kept: u64,
    /// Whether another assembler made its code.
    pub fallback: bool,
    /// CPU time that it took outside of its task: that of another assembler, or of an earlier
    /// compilation.
    pub other_cpu: Duration,
    /// Wall time of an earlier compilation.
    pub other_wall: Duration,
    /// Whether anything but errors was said while it was compiled, after it was read.
    pub has_remarks: bool,
    /// How an engine of remote execution ran it.
    pub remote: Option<RemoteRun>,
}

impl Compiled {
    /// The beginning of another compilation of the same unit: what was looked up is not looked up
    /// again.
    pub fn again(&self) -> Compiled {
        Compiled {
            diags: Diags::with_policy(self.diags.policy()),
            key: self.key,
            said_before_key: self.said_before_key,
            text: self.text,
            ..Compiled::default()
        }
    }

    /// Whether another assembler or another machine made its object.
    pub fn is_elsewhere(&self) -> bool {
        self.fallback || self.remote.as_ref().is_some_and(|run| run.outcome.is_remote())
    }

    /// The key of a kernel about which nothing is to be said, with the hash of its text.
    pub fn known(&self) -> Option<(Key, Known)> {
        let is_silent = self.object.is_some() && !self.fallback && self.diags.is_empty();
        let known = Known { key: self.key?, instructions: self.instructions as u64 };
        self.text.filter(|_| is_silent).map(|text| (text, known))
    }
}
