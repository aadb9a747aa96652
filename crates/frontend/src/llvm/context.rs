//! Contexts, and the diagnostics that LLVM reports to them.

use super::Llvm;
use super::api::{BufferRef, ContextRef, DiagnosticRef, ModuleRef, severity};
use super::c;
use super::module::Module;
use std::cell::RefCell;
use std::ffi::c_void;
use std::path::Path;

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

    /// Reads a module: bitcode or textual IR, completely.
    ///
    /// # Errors
    /// LLVM's reason.
    pub fn parse(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        let (api, name) = (&self.llvm.api, c(name));
        let (mut module, mut message) = (ModuleRef::NULL, std::ptr::null_mut());
        // SAFETY: the buffer is a copy of `bytes`, and the parser takes it over.
        let failed = unsafe {
            let buffer =
                (api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            (api.LLVMParseIRInContext)(self.raw, buffer, &mut module, &mut message)
        };
        let message = api.message(message);
        if failed != 0 {
            return Err(self.error(message));
        }
        Ok(Module { cx: self, raw: module })
    }

    /// Opens a file of bitcode; bodies of functions are read when they are linked into another
    /// module.
    ///
    /// # Errors
    /// LLVM's reason.
    pub fn open_lazily(&self, path: &Path) -> Result<Module<'_>, String> {
        let api = &self.llvm.api;
        let path = c(&path.to_string_lossy());
        let (mut buffer, mut message, mut module) = (BufferRef::NULL, std::ptr::null_mut(), ModuleRef::NULL);
        // SAFETY: the out parameters are valid, and the reader takes the buffer over.
        unsafe {
            if (api.LLVMCreateMemoryBufferWithContentsOfFile)(path.as_ptr(), &mut buffer, &mut message) != 0 {
                return Err(api.message(message));
            }
            if (api.LLVMGetBitcodeModuleInContext2)(self.raw, buffer, &mut module) != 0 {
                return Err(self.error("not LLVM bitcode".to_owned()));
            }
        }
        Ok(Module { cx: self, raw: module })
    }

    /// Creates an empty module.
    pub fn module(&self, name: &str) -> Module<'_> {
        // SAFETY: the context is alive.
        let raw = unsafe { (self.llvm.api.LLVMModuleCreateWithNameInContext)(c(name).as_ptr(), self.raw) };
        Module { cx: self, raw }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow their context, so none is left; the state is dropped after this.
        unsafe { (self.llvm.api.LLVMContextDispose)(self.raw) }
    }
}
