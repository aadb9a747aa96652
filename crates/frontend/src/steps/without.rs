//! The intrinsic because of which LLVM ends its process, where it does not say so.
//!
//! Problem: for an intrinsic that the architecture lacks LLVM may end in a step that knows no
//! intrinsics any more. Strategy: a part is compiled with calls of functions in place of its
//! intrinsics, one after the other, until LLVM has code for the rest; the last one is to blame.

use super::part::compile;
use super::{StepError, machine};
use crate::llvm::{Context, Llvm};
use crate::settings::Settings;

/// What the names of intrinsics of the target begin with.
const OF_TARGET: &str = "llvm.nvvm.";

/// The functions that take the place of intrinsics.
const STAND_IN: &str = "raddle_stand_in_";

/// The intrinsics of the target that a part calls, by name.
///
/// # Errors
/// LLVM's reason.
pub fn intrinsics(llvm: &'static Llvm, name: &str, bitcode: &[u8]) -> Result<Vec<String>, StepError> {
    let cx = Context::new(llvm);
    let module = cx.parse(name, bitcode)?;
    let called = |f: &crate::llvm::Value<'_>| f.users().next().is_some();
    let names = module.functions().filter(called).map(|f| f.name());
    Ok(names.filter(|name| name.starts_with(OF_TARGET)).collect())
}

/// Compiles a part with calls of functions in place of these intrinsics. Returns the calls of the
/// last one, a line each; none if it cannot be replaced.
///
/// # Errors
/// LLVM's reason.
pub fn without(
    llvm: &'static Llvm,
    settings: &Settings,
    name: &str,
    bitcode: &[u8],
    intrinsics: &[String],
) -> Result<Vec<String>, StepError> {
    let cx = Context::new(llvm);
    let machine = machine(llvm, settings)?;
    let mut module = cx.parse(name, bitcode)?;
    let mut calls = Vec::new();
    for (n, intrinsic) in intrinsics.iter().enumerate() {
        calls = module.calls_of(|f| f.name() == *intrinsic);
        if !module.replace_by_function(intrinsic, &format!("{STAND_IN}{n}")) {
            calls.clear();
        }
    }
    compile(&cx, &machine, settings, module)?;
    Ok(calls)
}
