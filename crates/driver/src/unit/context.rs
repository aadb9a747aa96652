//! What all units of a run share, read-only.

use crate::cache::Cache;
use crate::fault::Fault;
use crate::options::Meter;
use crate::program::{Module, Unit, name_span};
use crate::ptxas::Fallback;
use crate::request::Dump;
use crate::resume::Isolated;
use raddle_diag::{Diagnostic, Policy, SourceMap};
use raddle_ir::CodegenOptions;
use raddle_jobs::server::Server;
use raddle_ptx::DebugStrings;
use raddle_target::Target;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What all units of a run share.
pub struct Context<'a> {
    /// What is compiled.
    pub texts: Texts<'a>,
    /// How it is compiled.
    pub settings: Settings<'a>,
    /// What helps.
    pub services: Services<'a>,
}

/// What is compiled, and for what machine.
pub struct Texts<'a> {
    /// The texts.
    pub sources: &'a SourceMap,
    /// The inputs.
    pub modules: &'a [Module],
    /// What `.loc` names functions by, per input; empty unless line information is wanted.
    pub strings: &'a [DebugStrings],
    /// The machine.
    pub target: &'static Target,
}

/// How units are compiled.
pub struct Settings<'a> {
    /// What changes bytes.
    pub codegen: &'a CodegenOptions,
    /// The same for code for a linker of objects.
    pub relocatable: &'a CodegenOptions,
    /// What to render.
    pub dump: &'a Dump,
    /// Everything is read and checked, nothing compiled.
    pub checks_only: bool,
    /// What is kept of diagnostics.
    pub policy: Policy,
    /// Compile even what comes after a unit that failed.
    pub keep_going: bool,
    /// Steps that each may take.
    pub steps: Option<u64>,
    /// Units that are compiled in a process of their own.
    pub isolated: &'a Isolated,
    /// A failure on demand.
    pub fault: Option<&'a Fault>,
    /// Compute the keys of units.
    pub keys: bool,
    /// Warn of double precision.
    pub warn_on_doubles: bool,
}

/// What helps units along.
pub struct Services<'a> {
    /// The first unit in input order that is known to have failed, `usize::MAX` without one: those after it are only
    /// checked, unless told to keep going.
    pub first_failed: &'a AtomicUsize,
    /// Who compiles what we cannot.
    pub fallback: Option<&'a Fallback>,
    /// Where such a tool finds slots that no unit needs.
    pub server: Option<&'a Arc<Server>>,
    /// Measures memory.
    pub meter: Option<Meter>,
    /// Objects made before; needs keys.
    pub cache: Option<&'a Cache>,
}

impl Context<'_> {
    /// The module of a unit.
    pub fn module(&self, unit: &Unit) -> &Module {
        &self.texts.modules[unit.module]
    }

    /// What changes the bytes of a unit.
    pub fn options_of(&self, unit: &Unit) -> CodegenOptions {
        let options = if unit.relocatable { self.settings.relocatable } else { self.settings.codegen };
        let least = unit.registers.into_iter().chain(options.maxrregcount).min();
        CodegenOptions { maxrregcount: least, ..options.clone() }
    }

    /// Whether an earlier unit has failed, so that this one is only checked.
    pub fn is_late(&self, index: usize) -> bool {
        self.services.first_failed.load(Ordering::Relaxed) < index && !self.settings.keep_going
    }

    /// Notes that a unit failed.
    pub fn has_failed(&self, index: usize) {
        self.services.first_failed.fetch_min(index, Ordering::Relaxed);
    }

    /// The most memory that this thread held since its count began, in bytes; 0 without a meter.
    pub fn peak(&self) -> u64 {
        self.services.meter.map_or(0, |meter| (meter.peak)())
    }

    /// Begins a new count of memory.
    pub fn reset_meter(&self) {
        if let Some(meter) = self.services.meter {
            (meter.reset)();
        }
    }

    /// A finding about a unit, at its name.
    pub fn at_name(&self, unit: &Unit, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.at(name_span(self.module(unit), unit.func), "").in_function(&*unit.name)
    }
}
