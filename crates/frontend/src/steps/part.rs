//! Phase II: one part of a program, to PTX.
//!
//! **Invariant.** The PTX of a part depends on its bitcode, the settings and the library alone:
//! [`part`] reads it from bytes, wherever they were made, so that these bytes identify the PTX in
//! a cache.

use super::aliases::Aliases;
use super::{Said, StepError, floats, machine, reported};
use crate::llvm::{Context, Llvm, Machine, Module};
use crate::settings::Settings;

/// Compiles the bitcode of a part ([`super::extract()`]). Returns the PTX and what LLVM reported.
///
/// # Errors
/// LLVM's reason.
pub fn part(llvm: &'static Llvm, settings: &Settings, name: &str, bitcode: &[u8]) -> Result<(String, Said), StepError> {
    let cx = Context::new(llvm);
    let machine = machine(llvm, settings)?;
    let module = cx.parse(name, bitcode)?;
    compile(&cx, &machine, settings, module)
}

/// Compiles a part that has been read.
pub(super) fn compile<'c>(
    cx: &'c Context,
    machine: &Machine,
    settings: &Settings,
    mut module: Module<'c>,
) -> Result<(String, Said), StepError> {
    Aliases::default().resolve(&mut module)?;
    let level = settings.level;
    let passes = if level == 0 { "thinlto<O0>".to_owned() } else { format!("thinlto<O{level}>") };
    // Functions have been simplified in phase 0. Inlining them first saves simplifying once more,
    // in every part, the bodies of those that nothing calls afterwards.
    let inline = if level > 1 { "inliner-wrapper,globaldce," } else { "" };
    machine.run(&mut module, &format!("elim-avail-extern,globaldce,{inline}{passes}"))?;
    floats::finish(&mut module, machine, settings)?;
    let ptx = machine.emit(module)?;
    Ok((ptx, reported(cx)?))
}
