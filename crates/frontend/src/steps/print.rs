//! Bitcode as text.

use super::StepError;
use crate::llvm::{Context, Llvm};

/// Returns the textual IR of bitcode.
///
/// # Errors
/// LLVM's reason.
pub fn print(llvm: &'static Llvm, name: &str, bitcode: &[u8]) -> Result<String, StepError> {
    let cx = Context::new(llvm);
    Ok(cx.parse(name, bitcode)?.text())
}
