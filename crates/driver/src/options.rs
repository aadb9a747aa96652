//! What the user may choose, split by what it can change (decision D8).
//!
//! [`CodegenOptions`] changes bytes and is all that a unit's compilation sees; [`Selection`] says what is compiled;
//! [`RunOptions`] changes neither.

use crate::cache::Cache;
use crate::fault::Fault;
use crate::resume::Isolated;
pub use raddle_ir::{Cache as CacheOperator, CacheRule, CodegenOptions, OptLevel};
use raddle_jobs::jobserver::Client;
use raddle_jobs::memory::Limit;
use raddle_jobs::server::Style;
use raddle_jobs::{CancelToken, Chaos};
use raddle_target::Target;
use regex_lite::Regex;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How the work is done; nothing in it can reach the output.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Units compiled at once; 0 means the CPUs available.
    pub jobs: usize,
    /// What has said that number.
    pub jobs_by: JobsBy,
    /// Compile every unit even after one has failed.
    pub keep_going: bool,
    /// Seeded disorder (`RADDLE_CHAOS`).
    pub chaos: Option<Chaos>,
    /// The parent make, if it shares its slots.
    pub jobserver: Option<Arc<Client>>,
    /// A jobserver that never gives a slot is an error.
    pub jobserver_required: bool,
    /// How tools that are started for kernels are told of slots for them.
    pub jobserver_style: Style,
    /// A kernel that takes longer is given up, between two steps of its compilation.
    pub kernel_timeout: Option<Duration>,
    /// How often [`crate::progress::Progress::running`] is called; `None` is never.
    pub tick: Option<Duration>,
    /// Ends the compilation early.
    pub cancel: CancelToken,
    /// Objects made before, and where those made now are kept.
    pub cache: Option<Arc<Cache>>,
    /// Where it is noted what kernels took, for the order of the next build.
    pub history: Option<PathBuf>,
    /// A failure on demand (`RADDLE_FAULT`).
    pub fault: Option<Fault>,
    /// The memory that units may take together with those of other builds.
    pub max_memory: Limit,
    /// Units that are compiled in a process of their own.
    pub isolated: Isolated,
    /// A kernel that takes more steps is given up: the same ones on every machine.
    pub kernel_steps: Option<u64>,
    /// Note how long each pass of each unit takes, for the timeline.
    pub fine: bool,
    /// Told each step of each unit as it begins, on any thread.
    pub on_step: Option<fn(&'static str)>,
    /// Measures the memory of units; `None` reports 0.
    pub meter: Option<Meter>,
}

/// What has said how many units are compiled at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JobsBy {
    /// `-j N`
    #[default]
    Jobs,
    /// `RADDLE_JOBS`
    Environment,
    /// `--split-compile` or `--split-compile-extended`, on the command line or with an input.
    Split,
    /// The parent make, which has one slot for this command or a jobserver that cannot be used.
    Make,
}

impl JobsBy {
    /// As a reader knows it.
    pub fn name(self) -> &'static str {
        match self {
            JobsBy::Jobs => "-j",
            JobsBy::Environment => "RADDLE_JOBS",
            JobsBy::Split => "--split-compile",
            JobsBy::Make => "the one slot that make has for this command",
        }
    }
}

impl RunOptions {
    /// Lowers the number of units at once to `jobs`, which `by` says; 0 changes nothing.
    #[must_use]
    pub fn at_most(mut self, jobs: usize, by: JobsBy) -> RunOptions {
        if jobs != 0 && (self.jobs == 0 || jobs < self.jobs) {
            (self.jobs, self.jobs_by) = (jobs, by);
        }
        self
    }
}

/// A counter of memory that belongs to the calling thread. The command's allocator is one.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Begins a new count.
    pub reset: fn(),
    /// The most bytes held since then.
    pub peak: fn() -> u64,
    /// The bytes held now, of those allocated since then.
    pub held: fn() -> u64,
}

/// Which kernels are compiled, and for what.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The architecture; `None` takes the one of the modules.
    pub arch: Option<&'static Target>,
    /// Entry names, exactly; each must exist.
    pub names: Vec<String>,
    /// Entries whose name matches. With names too: either.
    pub pattern: Option<Regex>,
    /// This function instead of any entry.
    pub function: Option<String>,
}

impl Selection {
    /// Whether an entry of this name is wanted.
    pub fn wants(&self, name: &str) -> bool {
        if self.names.is_empty() && self.pattern.is_none() {
            return self.function.is_none();
        }
        self.names.iter().any(|wanted| wanted == name) || self.pattern.as_ref().is_some_and(|p| p.is_match(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_number_counts_and_says_whose_it_is() {
        let of = |jobs| RunOptions { jobs, ..RunOptions::default() };
        let with = |jobs, split| {
            let run = of(jobs).at_most(split, JobsBy::Split);
            (run.jobs, run.jobs_by)
        };
        assert_eq!([with(0, 3), with(3, 0)], [(3, JobsBy::Split), (3, JobsBy::Jobs)]);
        assert_eq!([with(2, 3), with(4, 3)], [(2, JobsBy::Jobs), (3, JobsBy::Split)]);
        assert_eq!(with(0, 0).0, 0);
    }

    #[test]
    fn selections_by_name_and_pattern_are_a_union() {
        let all = Selection::default();
        assert!(all.wants("k"));
        let some =
            Selection { names: vec!["a".into()], pattern: Some(Regex::new("^b").unwrap()), ..Selection::default() };
        assert_eq!(["a", "ab", "b1"].map(|name| some.wants(name)), [true, false, true]);
    }
}
