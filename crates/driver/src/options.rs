//! User options, grouped by what they can change (decision D8).
//!
//! [`CodegenOptions`] affects the generated code and is all that the compilation of a unit sees;
//! [`Selection`] selects what is compiled; [`RunOptions`] affects neither.

use crate::cache::Cache;
pub use crate::early::{EarlyObject, EarlyObjects};
use crate::emitted::UnitFolder;
use crate::engine::Engine;
use crate::fault::Fault;
pub use crate::remote::RemoteLimits;
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

/// Options of the run; none of them can affect the output.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Units compiled at once; 0 means the number of available CPUs.
    pub jobs: usize,
    /// The source of that number.
    pub jobs_source: JobsSource,
    /// Compile every unit even after one has failed.
    pub keep_going: bool,
    /// Seeded random disorder of tasks (`RADDLE_CHAOS`).
    pub chaos: Option<Chaos>,
    /// The parent make, if it shares its slots.
    pub jobserver: Option<Arc<Client>>,
    /// Makes it an error if the jobserver never gives a slot.
    pub jobserver_required: bool,
    /// The jobserver style by which tools started for kernels are offered slots.
    pub jobserver_style: Style,
    /// The time after which the compilation of a kernel is given up, between two steps.
    pub kernel_timeout: Option<Duration>,
    /// The interval between calls of [`crate::progress::Progress::running`]; `None` is never.
    pub tick: Option<Duration>,
    /// Cancels the compilation.
    pub cancel: CancelToken,
    /// The cache of compiled objects.
    pub cache: Option<Arc<Cache>>,
    /// The file that records the costs of kernels, for the order of the next build.
    pub history: Option<PathBuf>,
    /// An injected fault (`RADDLE_FAULT`).
    pub fault: Option<Fault>,
    /// The memory that units may use together with those of other builds.
    pub max_memory: Limit,
    /// Units that are compiled in separate processes.
    pub isolated: Isolated,
    /// The program `raddle` of this version, whose processes compile all units: for a library, whose
    /// host a crash of the compiler would end. `None` compiles them on threads.
    pub worker: Option<PathBuf>,
    /// The number of steps after which the compilation of a kernel is given up: the same on every
    /// machine.
    pub kernel_steps: Option<u64>,
    /// Records the time of each pass of each unit, for the timeline.
    pub fine: bool,
    /// Called at the start of each step of each unit, on any thread.
    pub on_step: Option<fn(&'static str)>,
    /// Nothing of the report is used but output, diagnostics and source texts: a build whose inputs and
    /// options are those of an earlier one takes them from the cache as a whole.
    pub only_output: bool,
    /// Objects of units that were made before the program was complete.
    pub early: Option<Arc<EarlyObjects>>,
    /// The folder to which units are written instead of being compiled. There is no output then.
    pub emit: Option<Arc<UnitFolder>>,
    /// The engine of remote execution that compiles units elsewhere.
    pub engine: Option<Arc<dyn Engine>>,
    /// When units are given to it.
    pub remote: RemoteLimits,
    /// Measures the memory of units; with `None` it is reported as 0.
    pub meter: Option<Meter>,
}

/// Options for inputs of LLVM IR.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IrOptions {
    /// The LLVM library, or a folder with it; by default it is searched for.
    pub llvm: Option<PathBuf>,
    /// NVIDIA's device library, or a folder with it; by default it is searched for.
    pub libdevice: Option<PathBuf>,
    /// NVIDIA's library that compiles LTO-IR, or a folder with it.
    pub nvjitlink: Option<PathBuf>,
    /// Flush subnormal `f32` operands and results to zero; by default false.
    pub ftz: Option<bool>,
    /// Divide `f32` as IEEE 754 says; by default true.
    pub prec_div: Option<bool>,
    /// Take square roots of `f32` as IEEE 754 says; by default true.
    pub prec_sqrt: Option<bool>,
    /// Options for LLVM itself (`-mllvm`).
    pub llvm_options: Vec<String>,
    /// What is optimised together; by default [`Lto::Partial`], and [`Lto::Thin`] for a large program.
    pub lto: Option<Lto>,
    /// The variable of the environment that decides [`IrOptions::lto`], if one does.
    pub lto_variable: Option<&'static str>,
    /// The number of parts that the linked program is split into; by default it follows from its
    /// size.
    pub partitions: Option<usize>,
    /// Symbols that other inputs of a link refer to or define for others, sorted.
    pub keep: Vec<String>,
    /// Architectures that other inputs of a link name, with the names of these inputs.
    pub beside: Vec<(String, &'static Target)>,
    /// Ask LLVM for remarks.
    pub remarks: bool,
    /// Number the instructions of each input in place of its debug information.
    pub locate: bool,
    /// A folder for the bitcode and PTX between the steps.
    pub save_temps: Option<PathBuf>,
    /// The program that is started as a worker process: `raddle`, or one that calls
    /// [`crate::ir::serve`] for the arguments of `raddle __llvm`. By default the program of this
    /// process.
    pub worker: Option<PathBuf>,
}

impl IrOptions {
    /// The same for a program in one part.
    #[must_use]
    pub fn in_one_part(&self) -> IrOptions {
        IrOptions { partitions: Some(1), ..self.clone() }
    }

    /// The same for a program in several parts, where its size or a number of parts asks for them.
    #[must_use]
    pub fn in_parts(&self) -> IrOptions {
        let lto = self.lto.map(|lto| if lto == Lto::Whole { Lto::Partial } else { lto });
        IrOptions { partitions: self.partitions.filter(|&parts| parts != 1), lto, ..self.clone() }
    }
}

/// What is optimised together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lto {
    /// Each input by itself.
    Off,
    /// The linked program, in one piece.
    Whole,
    /// The linked program in parts, each with the bodies of all functions that it calls.
    Partial,
    /// The same parts, of inputs whose symbols alone are linked: nothing is optimised as a whole.
    Thin,
}

impl Lto {
    /// The word for it on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Lto::Off => "off",
            Lto::Whole => "whole",
            Lto::Partial => "partial",
            Lto::Thin => "thin",
        }
    }
}

/// The source of the number of units compiled at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JobsSource {
    /// `-j N`
    #[default]
    Jobs,
    /// `RADDLE_JOBS`
    Environment,
    /// `--split-compile` or `--split-compile-extended`, on the command line or carried by an input.
    Split,
    /// The parent make, which has one slot for this command, or a jobserver that cannot be used.
    Make,
}

impl JobsSource {
    /// The name of the source in messages.
    pub fn name(self) -> &'static str {
        match self {
            JobsSource::Jobs => "-j",
            JobsSource::Environment => "RADDLE_JOBS",
            JobsSource::Split => "--split-compile",
            JobsSource::Make => "the one slot that make has for this command",
        }
    }
}

impl RunOptions {
    /// Lowers the number of units at once to `jobs`, which comes from `by`; 0 changes nothing.
    #[must_use]
    pub fn at_most(mut self, jobs: usize, by: JobsSource) -> RunOptions {
        if jobs != 0 && (self.jobs == 0 || jobs < self.jobs) {
            (self.jobs, self.jobs_source) = (jobs, by);
        }
        self
    }
}

/// A counter of the memory of the calling thread, such as the allocator of the command.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Begins a new count.
    pub reset: fn(),
    /// The peak of held bytes since then.
    pub peak: fn() -> u64,
    /// The bytes held now, of those allocated since then.
    pub held: fn() -> u64,
}

/// Launch bounds that options give kernels, as options of ptxas do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenBounds {
    /// The most threads of a block, for kernels without `.maxntid` and `.reqntid`.
    pub threads: Option<[u32; 3]>,
    /// The fewest blocks of a multiprocessor, for kernels that limit their threads and have no
    /// `.minnctapersm`.
    pub blocks: Option<u32>,
    /// `threads` and `blocks` also replace what kernels ask for, but for `.reqntid`, without which
    /// code may be wrong.
    pub replace: bool,
    /// The registers of a thread in all kernels, in the place of `.maxnreg` and `.minnctapersm`.
    pub registers: Option<u32>,
}

/// Selects the kernels to compile, and the architecture.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The architecture; `None` takes that of the modules.
    pub arch: Option<&'static Target>,
    /// Exact names of entries; each must exist.
    pub names: Vec<String>,
    /// Selects entries whose name matches, in addition to `names`.
    pub pattern: Option<Regex>,
    /// A function to compile instead of entries.
    pub function: Option<String>,
    /// The fewest registers that `.maxnreg` leaves a kernel, if a smaller number is to be raised
    /// to it, as ptxas does.
    pub fewest_registers: Option<u32>,
    /// Launch bounds that options give.
    pub bounds: GivenBounds,
    /// The names must exist, and all entries are compiled, as ptxas does for objects and for
    /// debugging.
    pub all: bool,
}

impl Selection {
    /// Whether the entry of this name is selected.
    pub fn wants(&self, name: &str) -> bool {
        if self.all || self.names.is_empty() && self.pattern.is_none() {
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
            let run = of(jobs).at_most(split, JobsSource::Split);
            (run.jobs, run.jobs_source)
        };
        assert_eq!([with(0, 3), with(3, 0)], [(3, JobsSource::Split), (3, JobsSource::Jobs)]);
        assert_eq!([with(2, 3), with(4, 3)], [(2, JobsSource::Jobs), (3, JobsSource::Split)]);
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
