//! The read-only context that all units of a run share.

use crate::cache::Cache;
use crate::early::EarlyObjects;
use crate::emitted::UnitFolder;
use crate::fault::Fault;
use crate::known::KnownKeys;
use crate::options::Meter;
use crate::program::{Module, Unit, name_span};
use crate::ptxas::Fallback;
use crate::remote::Remote;
use crate::request::{Dump, WarnOn};
use crate::resume::Isolated;
use raddle_diag::{Diagnostic, Policy, SourceMap};
use raddle_ir::CodegenOptions;
use raddle_jobs::server::Server;
use raddle_ptx::DebugStrings;
use raddle_target::Target;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The context that all units of a run share.
pub struct Context<'a> {
    /// The inputs.
    pub texts: Texts<'a>,
    /// The settings.
    pub settings: Settings<'a>,
    /// Services of the run.
    pub services: Services<'a>,
}

/// The inputs of a compilation and its target.
pub struct Texts<'a> {
    /// The source texts.
    pub sources: &'a SourceMap,
    /// The modules.
    pub modules: &'a [Module],
    /// The function names for `.loc`, per input; empty unless line information is requested.
    pub strings: &'a [DebugStrings],
    /// The target.
    pub target: &'static Target,
}

/// The settings of a compilation.
pub struct Settings<'a> {
    /// Options that affect the generated code.
    pub codegen: &'a CodegenOptions,
    /// The same for code for a linker of objects.
    pub relocatable: &'a CodegenOptions,
    /// The internal form to dump.
    pub dump: &'a Dump,
    /// Whether everything is only read and checked, not compiled.
    pub checks_only: bool,
    /// The rules for keeping diagnostics.
    pub policy: Policy,
    /// Whether to compile units after one that failed.
    pub keep_going: bool,
    /// The step limit of each unit.
    pub steps: Option<u64>,
    /// The time limit of each unit.
    pub time_limit: Option<Duration>,
    /// Units that are compiled in separate processes.
    pub isolated: &'a Isolated,
    /// An injected fault.
    pub fault: Option<&'a Fault>,
    /// Whether to compute the keys of units.
    pub keys: bool,
    /// Optional warnings.
    pub warn_on: WarnOn,
}

/// Services that units use.
pub struct Services<'a> {
    /// The first unit in input order that is known to have failed, `usize::MAX` if there is none.
    /// Units after it are only checked, unless the build keeps going.
    pub first_failed: &'a AtomicUsize,
    /// The assembler for kernels that cannot be compiled here.
    pub fallback: Option<&'a Fallback>,
    /// The program whose processes compile units; `None` compiles them on threads.
    pub worker: Option<&'a Path>,
    /// The jobserver that lends idle slots to that assembler.
    pub server: Option<&'a Arc<Server>>,
    /// Measures memory.
    pub meter: Option<Meter>,
    /// The cache of objects; needs keys.
    pub cache: Option<&'a Cache>,
    /// Keys of kernels by their texts.
    pub known: Option<&'a KnownKeys>,
    /// Objects that were made before the program was complete; needs keys.
    pub early: Option<&'a EarlyObjects>,
    /// The folder to which units are written instead of being compiled; needs keys.
    pub emit: Option<&'a UnitFolder>,
    /// The engine that compiles units elsewhere.
    pub remote: Option<&'a Arc<Remote>>,
}

impl Context<'_> {
    /// The module of a unit.
    pub fn module(&self, unit: &Unit) -> &Module {
        &self.texts.modules[unit.module]
    }

    /// The options that affect the code of a unit.
    pub fn options_of(&self, unit: &Unit) -> CodegenOptions {
        let options = if unit.relocatable { self.settings.relocatable } else { self.settings.codegen };
        let least = unit.registers.into_iter().chain(options.maxrregcount).min();
        CodegenOptions { maxrregcount: least, ..options.clone() }
    }

    /// Whether an earlier unit has failed, so that this one is only checked.
    pub fn is_late(&self, index: usize) -> bool {
        self.services.first_failed.load(Ordering::Relaxed) < index && !self.settings.keep_going
    }

    /// Records that a unit failed.
    pub fn has_failed(&self, index: usize) {
        self.services.first_failed.fetch_min(index, Ordering::Relaxed);
    }

    /// The peak of this thread's memory since its count began, in bytes; 0 without a meter.
    pub fn peak(&self) -> u64 {
        self.services.meter.map_or(0, |meter| (meter.peak)())
    }

    /// Begins a new count of memory.
    pub fn reset_meter(&self) {
        if let Some(meter) = self.services.meter {
            (meter.reset)();
        }
    }

    /// Places a diagnostic at the name of a unit.
    pub fn at_name(&self, unit: &Unit, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.at(name_span(self.module(unit), unit.func), "").in_function(&*unit.name)
    }
}
