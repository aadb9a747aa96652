//! The context of a pass (D6), the reasons to stop (D7), and the options that affect the generated
//! code (D8).

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use raddle_target::Target;
use thiserror::Error;

use crate::types::Cache;

/// Optimisation level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptLevel {
    /// No reordering; every instruction waits for the one before.
    O0,
    /// Cheap optimisations, linear in the function.
    O1,
    /// All optimisations that do not make code longer.
    O2,
    /// All optimisations.
    O3,
}

/// The cache operator of weak accesses to global and generic memory; accesses with an L1 eviction
/// priority keep it (ptxas 13.0.88 output).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CacheRule {
    /// The operator in the text.
    #[default]
    AsWritten,
    /// This operator where the text has none.
    Default(Cache),
    /// This operator everywhere.
    Forced(Cache),
}

impl CacheRule {
    /// Returns the operator that replaces `written`. For read-only data (`ld.global.nc`) only `.cs`
    /// has an effect.
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

    /// Returns the rule for `load`s or `store`s as an option without dashes, `def-load-cache=cg`;
    /// `None` for [`CacheRule::AsWritten`].
    pub fn words(self, access: &str) -> Option<String> {
        let (how, op) = match self {
            Self::AsWritten => return None,
            Self::Default(op) => ("def", op),
            Self::Forced(op) => ("force", op),
        };
        Some(format!("{how}-{access}-cache={}", op.name()))
    }
}

/// The options that affect the generated code. How the work is done is in another type, which
/// passes do not see (D8).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CodegenOptions {
    /// `-O`.
    pub opt: OptLevel,
    /// Whether `mul` and `add` without a rounding modifier may become `fma` (from `-O1` on, as in
    /// ptxas).
    pub fmad: bool,
    /// `--maxrregcount`.
    pub maxrregcount: Option<u32>,
    /// `--lineinfo`: emit line tables. The code is the same with and without.
    pub lineinfo: bool,
    /// `-g`: functions are not inlined, and objects give the locations of PTX labels and variables.
    /// The level is `-O0`.
    pub debug: bool,
    /// `--sched=serial`: every instruction waits for all before it, at any level; tells scheduling
    /// errors from others.
    pub serial: bool,
    /// The code is for a linker of objects: addresses are relocations in instructions, and
    /// functions are called.
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
    /// Returns a text that is different for different options, for cache keys (D8, D9).
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

    /// Returns the rules for cache operators in the form of [`CacheRule::words`].
    pub fn cache_words(&self) -> impl Iterator<Item = String> {
        [(self.loads, "load"), (self.stores, "store")].into_iter().filter_map(|(rule, access)| rule.words(access))
    }
}

/// An unsupported instruction.
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
    /// The reason, if there is more to say than "not yet".
    pub why: String,
}

/// The reason why a compilation stopped without output.
#[derive(Clone, Debug, Error)]
pub enum Stop {
    /// Errors in the input; the diagnostics have been given to the context, or are here as text.
    #[error("{}", .0.join("\n"))]
    Errors(Vec<String>),
    /// All unsupported instructions of the unit.
    #[error("{} unsupported instruction(s), first: {}", .0.len(), .0.first().map_or("", |u| &u.what))]
    Unsupported(Vec<Unsupported>),
    /// The code exceeds a resource of the machine, e.g. registers under a bound.
    #[error("{kernel}: {what}")]
    Resources {
        /// Kernel.
        kernel: String,
        /// What does not fit.
        what: String,
    },
    /// An instruction would have to touch a register of a product of a warpgroup that is not waited for.
    /// Products that run one after another have no such registers.
    #[error("{}: line {}: {}", .0.kernel, .0.line, .0.why)]
    InFlight(Unsupported),
    /// The compilation was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The step budget is used up.
    #[error("out of fuel")]
    Fuel,
    /// A violated invariant, our bug: exit code 4.
    #[error("internal error in {pass}: {what}")]
    Internal {
        /// The pass.
        pass: &'static str,
        /// The violation.
        what: String,
    },
}

/// Receives the beginning and end of passes.
pub trait Observer {
    /// Called when a pass begins.
    fn before(&self, _pass: &'static str) {}
    /// Called when a pass ends; `text` renders its result (to be called only if needed).
    fn after(&self, pass: &'static str, text: &dyn Fn() -> String);
}

/// An observer that ignores everything.
pub struct NullObserver;

impl Observer for NullObserver {
    fn after(&self, _: &'static str, _: &dyn Fn() -> String) {}
}

/// The context of a pass.
pub struct Cx<'a> {
    /// The target architecture.
    pub target: &'static Target,
    /// The options that affect the generated code.
    pub options: &'a CodegenOptions,
    /// Steps left, or unlimited.
    pub fuel: Cell<Option<u64>>,
    /// Set by another thread to cancel.
    pub cancel: Option<&'a AtomicBool>,
    /// Receives the beginning and end of passes.
    pub observer: &'a dyn Observer,
}

impl<'a> Cx<'a> {
    /// Creates a context without limits and observer.
    pub fn new(target: &'static Target, options: &'a CodegenOptions) -> Self {
        Self { target, options, fuel: Cell::new(None), cancel: None, observer: &NullObserver }
    }

    /// Uses up `steps` of fuel.
    ///
    /// # Errors
    /// [`Stop::Fuel`] when it is used up, [`Stop::Cancelled`] after a cancellation.
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
