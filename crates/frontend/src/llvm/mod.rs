//! LLVM, loaded at run time through its C API: the only unsafe code of this crate (decision D23).
//!
//! Problem: the C API has no types that keep its objects alive, and it is different in every
//! version. Strategy: a library is loaded once and stays for the life of the process ([`Llvm`]);
//! [`Context`] owns its modules' memory and outlives [`Module`]; values borrow their module, and
//! whatever deletes a value takes the module mutably, so that no value is used after it.
//!
//! **Invariant.** No type of LLVM leaves this crate: its users see bitcode, text and
//! [`crate::summary`].

#![allow(unsafe_code, reason = "the C API of LLVM (decision D23)")]

mod alias;
mod api;
mod context;
mod fatal;
mod machine;
mod module;
mod rewrite;
mod value;

pub use api::LoadError;
pub use context::{Context, Report, Severity};
pub use machine::{Machine, MachineOptions, TRIPLE};
pub use module::Module;
pub use value::{Linkage, Value};

use api::Api;
use std::ffi::CString;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The oldest version that is used.
pub const OLDEST: u32 = 19;

/// A loaded library. A process loads one.
pub struct Llvm {
    api: Api,
    /// Major, minor and patch version.
    pub version: (u32, u32, u32),
}

impl Llvm {
    /// Loads the library at `path` with options of LLVM's command line (`-mllvm`), which are
    /// process-wide; the first call of a process counts, later ones return the same library. LLVM ends
    /// the process for an option that it does not have.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load(path: &Path, options: &[String]) -> Result<&'static Llvm, LoadError> {
        static LOADED: OnceLock<Llvm> = OnceLock::new();
        static LOADING: Mutex<()> = Mutex::new(());
        let _loading = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(llvm) = LOADED.get() {
            return Ok(llvm);
        }
        let api = Api::load(path)?;
        let mut version = (0, 0, 0);
        let words: Vec<CString> = std::iter::once("raddle").chain(options.iter().map(String::as_str)).map(c).collect();
        let words: Vec<_> = words.iter().map(|word| word.as_ptr()).collect();
        // SAFETY: the pointers are valid for the calls. The initialisers register targets in a linked
        // list without a lock of its own: two threads that run them at once can make a circle of it,
        // in which a search for a target never ends. `LOADING` lets one thread run them, once.
        unsafe {
            (api.LLVMGetVersion)(&mut version.0, &mut version.1, &mut version.2);
            match &api.read_options {
                _ if words.len() == 1 => {}
                Some(options) => options.read(words.len() as i32, words.as_ptr()),
                None => (api.LLVMParseCommandLineOptions)(words.len() as i32, words.as_ptr(), c("raddle").as_ptr()),
            }
            (api.LLVMInitializeNVPTXTargetInfo)();
            (api.LLVMInitializeNVPTXTarget)();
            (api.LLVMInitializeNVPTXTargetMC)();
            (api.LLVMInitializeNVPTXAsmPrinter)();
        }
        let llvm = LOADED.get_or_init(|| Llvm { api, version });
        fatal::install(llvm);
        Ok(llvm)
    }
}

/// A text for the C API; it ends at a NUL byte.
fn c(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}
