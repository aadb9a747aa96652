//! What every pass is given (D6), what stops it (D7), and the options that change bytes (D8).

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use raddle_target::Target;
use thiserror::Error;

use crate::types::Cache;

/// Optimisation level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptLevel {
    /// Nothing moves, everything waits.
    O0,
    /// Cheap optimisations, linear in the function.
    O1,
    /// Everything that does not make code longer.
    O2,
    /// Everything.
    O3,
}

/// Which cache operator weak accesses to global and generic memory have; those with an eviction priority of L1 keep it (ptxas 13.0.88
/// output).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CacheRule {
    /// The one in the text.
    #[default]
    AsWritten,
    /// This one where the text has none.
    Default(Cache),
    /// This one.
    Forced(Cache),
}

impl CacheRule {
    /// The operator in place of the one in the text. Of those for read-only data (`ld.global.nc`) only `.cs` has an effect there.
    pub fn apply(self, written: Cache) -> Cache {
        let op = match self {
            Self::Default(op) if matches!(written, Cache::None | Cache::Nc) => op,
            Self::Forced(op) => op,
            _ => return written,
        };
        match written {
            Cache::Nc if op == Cache::Cs => Cache::NcEvictFirst,
            Cache::None | Cache::Ca | Cache::Cg | Cache::Cs | Cache::Lu | Cache::Cv | Cache::Wb | Cache::Wt => op,
            _ => written,
        }
    }

    /// The rule for `load`s or `store`s as an option without its dashes, `def-load-cache=cg`; nothing where the text decides.
    pub fn words(self, access: &str) -> Option<String> {
        let (how, op) = match self {
            Self::AsWritten => return None,
            Self::Default(op) => ("def", op),
            Self::Forced(op) => ("force", op),
        };
        Some(format!("{how}-{access}-cache={}", op.name()))
    }
}

/// The options that change machine code, and nothing else: how the work is done is another type, which passes do not see (D8).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CodegenOptions {
    /// `-O`.
    pub opt: OptLevel,
    /// May `mul` and `add` without a rounding modifier become `fma`? (From `-O1` on, as ptxas does.)
    pub fmad: bool,
    /// `--maxrregcount`.
    pub maxrregcount: Option<u32>,
    /// `--lineinfo`: tables of source lines are made. The code is the same with and without.
    pub lineinfo: bool,
    /// `-g`: functions stay functions, and objects say where labels and variables of the PTX are. The level is `-O0`.
    pub debug: bool,
    /// `--sched=serial`: every instruction waits for all before it, at any level; tells mistakes of scheduling from others.
    pub serial: bool,
    /// The code is for a linker of objects: addresses are filled into instructions, and functions are called.
    pub relocatable: bool,
    /// `--def-load-cache` and `--force-load-cache`.
    pub loads: CacheRule,
    /// `--def-store-cache` and `--force-store-cache`.
    pub stores: CacheRule,
}

impl Default for CodegenOptions {
    fn default() -> Self {
        Self {
            opt: OptLevel::O1,
            fmad: true,
            maxrregcount: None,
            lineinfo: false,
            debug: false,
            serial: false,
            relocatable: false,
            loads: CacheRule::AsWritten,
            stores: CacheRule::AsWritten,
        }
    }
}

impl CodegenOptions {
    /// One text per value, distinct for distinct values: what keys are made of (D8, D9).
    pub fn canonical(&self) -> String {
        let regs = self.maxrregcount.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let (fmad, lineinfo, serial) = (u8::from(self.fmad), u8::from(self.lineinfo), u8::from(self.serial));
        let debug = if self.debug { ";debug" } else { "" };
        let relocatable = if self.relocatable { ";relocatable" } else { "" };
        let caches: String = self.cache_words().map(|words| format!(";{words}")).collect();
        let opt = self.opt as u8;
        format!(
            "O{opt};fmad={fmad};maxrregcount={regs};lineinfo={lineinfo};serial={serial}{debug}{relocatable}{caches}"
        )
    }

    /// The rules for cache operators as [`CacheRule::words`] has them.
    pub fn cache_words(&self) -> impl Iterator<Item = String> {
        [(self.loads, "load"), (self.stores, "store")].into_iter().filter_map(|(rule, access)| rule.words(access))
    }
}

/// An instruction that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unsupported {
    /// Kernel.
    pub kernel: String,
    /// Line in the PTX text, from 1; 0 = unknown.
    pub line: u32,
    /// Byte offset of the instruction in the function's body.
    pub offset: u32,
    /// The instruction without its operands (`wgmma.fence.sync.aligned`).
    pub what: String,
    /// Why, if that is more than "not yet".
    pub why: String,
}

/// Why there is no output.
#[derive(Clone, Debug, Error)]
pub enum Stop {
    /// The input is wrong; the diagnostics have been handed to the context or are here as text.
    #[error("{}", .0.join("\n"))]
    Errors(Vec<String>),
    /// All instructions of the unit that are not supported.
    #[error("{} unsupported instruction(s), first: {}", .0.len(), .0.first().map_or("", |u| &u.what))]
    Unsupported(Vec<Unsupported>),
    /// The code does not fit the machine, e.g. registers under a bound.
    #[error("{kernel}: {what}")]
    Resources {
        /// Kernel.
        kernel: String,
        /// What does not fit.
        what: String,
    },
    /// Asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The step budget is spent.
    #[error("out of fuel")]
    Fuel,
    /// A broken invariant of ours: exit code 4.
    #[error("internal error in {pass}: {what}")]
    Internal {
        /// The pass.
        pass: &'static str,
        /// What is broken.
        what: String,
    },
}

/// Hears of passes as they begin and end.
pub trait Observer {
    /// A pass begins.
    fn before(&self, _pass: &'static str) {}
    /// A pass ended; `text` renders what it made (only called when wanted).
    fn after(&self, pass: &'static str, text: &dyn Fn() -> String);
}

/// Hears nothing.
pub struct Quiet;

impl Observer for Quiet {
    fn after(&self, _: &'static str, _: &dyn Fn() -> String) {}
}

/// What every pass is given.
pub struct Cx<'a> {
    /// The machine.
    pub target: &'static Target,
    /// What changes bytes.
    pub options: &'a CodegenOptions,
    /// Steps left, or unlimited.
    pub fuel: Cell<Option<u64>>,
    /// Set from outside to stop.
    pub cancel: Option<&'a AtomicBool>,
    /// Hears of passes.
    pub observer: &'a dyn Observer,
}

impl<'a> Cx<'a> {
    /// A context without limits that nobody listens to.
    pub fn new(target: &'static Target, options: &'a CodegenOptions) -> Self {
        Self { target, options, fuel: Cell::new(None), cancel: None, observer: &Quiet }
    }

    /// Takes `steps` of fuel.
    ///
    /// # Errors
    /// [`Stop::Fuel`] when it is spent, [`Stop::Cancelled`] when asked to stop.
    pub fn step(&self, steps: u64) -> Result<(), Stop> {
        if self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(Stop::Cancelled);
        }
        if let Some(left) = self.fuel.get() {
            self.fuel.set(Some(left.checked_sub(steps).ok_or(Stop::Fuel)?));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_one_text_each() {
        let a = CodegenOptions::default();
        let b = CodegenOptions { maxrregcount: Some(32), ..a.clone() };
        assert_eq!(a.canonical(), "O1;fmad=1;maxrregcount=-;lineinfo=0;serial=0");
        assert_eq!(b.canonical(), "O1;fmad=1;maxrregcount=32;lineinfo=0;serial=0");
    }

    #[test]
    fn fuel_runs_out() {
        let options = CodegenOptions::default();
        let cx = Cx::new(Target::by_name("sm_90").unwrap(), &options);
        cx.fuel.set(Some(3));
        assert!(cx.step(3).is_ok());
        assert!(matches!(cx.step(1), Err(Stop::Fuel)));
    }
}
