//! Contexts, and the diagnostics that LLVM reports to them.

use super::Llvm;
use super::api::{ContextRef, DiagnosticRef, severity};
use std::cell::RefCell;
use std::ffi::c_void;

/// A diagnostic of LLVM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its severity.
    pub severity: Severity,
    /// Its text, with a place in the source where LLVM knows one.
    pub message: String,
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// There is no usable result.
    Error,
    /// A warning.
    Warning,
    /// A remark of an optimisation.
    Remark,
    /// A note.
    Note,
}

/// An LLVM context: modules of one context share types and constants, and one thread uses it.
pub struct Context {
    pub(super) llvm: &'static Llvm,
    pub(super) raw: ContextRef,
    /// At a fixed address, which LLVM keeps.
    state: Box<State>,
}

/// What the callback for diagnostics needs.
struct State {
    llvm: &'static Llvm,
    reports: RefCell<Vec<Report>>,
}

/// Adds a diagnostic to the reports of a context.
unsafe extern "C" fn report(info: DiagnosticRef, state: *mut c_void) {
    // SAFETY: `Context::new` gives this state, which lives as long as the context that calls; the
    // diagnostic lives for this call.
    let (state, level, text) = unsafe {
        let state = &*state.cast::<State>();
        let api = &state.llvm.api;
        (state, (api.LLVMGetDiagInfoSeverity)(info), (api.LLVMGetDiagInfoDescription)(info))
    };
    let severity = match level {
        severity::ERROR => Severity::Error,
        severity::WARNING => Severity::Warning,
        severity::REMARK => Severity::Remark,
        _ => Severity::Note,
    };
    state.reports.borrow_mut().push(Report { severity, message: state.llvm.api.message(text) });
}

impl Context {
    /// Creates an empty context.
    pub fn new(llvm: &'static Llvm) -> Context {
        let state = Box::new(State { llvm, reports: RefCell::default() });
        // SAFETY: the state outlives the context, see `drop`.
        let raw = unsafe {
            let raw = (llvm.api.LLVMContextCreate)();
            let pointer = (&raw const *state).cast_mut().cast::<c_void>();
            (llvm.api.LLVMContextSetDiagnosticHandler)(raw, Some(report), pointer);
            raw
        };
        Context { llvm, raw, state }
    }

    /// Takes the diagnostics reported since the last call.
    pub fn take_reports(&self) -> Vec<Report> {
        self.state.reports.take()
    }

    /// The first error reported since the last call of [`Context::take_reports`], or `otherwise`.
    pub(super) fn error(&self, otherwise: String) -> String {
        let reports = self.take_reports();
        let error = reports.into_iter().find(|report| report.severity == Severity::Error);
        error.map_or(otherwise, |report| report.message)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow their context, so none is left; the state is dropped after this.
        unsafe { (self.llvm.api.LLVMContextDispose)(self.raw) }
    }
}
