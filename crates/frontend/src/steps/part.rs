//! Phase II: one part of a program, to PTX.
//!
//! Problem: every part needs a few functions of a program that may be large. Strategy: the
//! program's bitcode is opened without reading bodies; what the part does not have becomes local,
//! so that linking into an empty module takes what the part refers to and nothing else.
//!
//! **Invariant.** The PTX of a part depends on its bitcode, the settings and the library alone:
//! [`part`] reads it from bytes, wherever they were made, so that these bytes identify the PTX in
//! a cache.

use super::{Said, StepError, machine, reported};
use crate::llvm::{Context, Linkage, Llvm, Module, TRIPLE};
use crate::settings::Settings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What a part does with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Treatment {
    /// The definition in the program, with its linkage.
    Defined,
    /// The definition in the program, which was local and becomes visible to other parts.
    Promoted,
    /// A local copy of a definition.
    Copied,
    /// A declaration of a definition in another part.
    Declared,
}

/// Compiles the bitcode of a part ([`extract`]). Returns the PTX and what LLVM reported.
///
/// # Errors
/// LLVM's reason.
pub fn part(llvm: &'static Llvm, settings: &Settings, name: &str, bitcode: &[u8]) -> Result<(String, Said), StepError> {
    let cx = Context::new(llvm);
    let machine = machine(llvm, settings)?;
    let mut module = cx.parse(name, bitcode)?;
    let level = settings.level;
    let passes = if level == 0 { "thinlto<O0>".to_owned() } else { format!("thinlto<O{level}>") };
    // Functions have been simplified in phase 0. Inlining them first saves simplifying once more,
    // in every part, the bodies of those that nothing calls afterwards.
    let inline = if level > 1 { "inliner-wrapper,globaldce," } else { "" };
    machine.run(&mut module, &format!("elim-avail-extern,globaldce,{inline}{passes}"))?;
    let ptx = machine.emit(module)?;
    Ok((ptx, reported(&cx)?))
}

/// Returns the bitcode of a part before any pass: `symbols` says what it does with the symbols of
/// `program`, by name; it has no others.
///
/// # Errors
/// LLVM's reason.
pub fn extract(
    llvm: &'static Llvm,
    program: &Path,
    name: &str,
    symbols: &BTreeMap<String, Treatment>,
) -> Result<Vec<u8>, StepError> {
    let cx = Context::new(llvm);
    let whole = opened(&cx, program, symbols)?;
    let mut module = cx.module(name);
    module.set_target(TRIPLE, &whole.layout());
    module.link(whole)?;
    Ok(module.bitcode())
}

/// Opens a program so that linking it into another module takes a part of it.
fn opened<'c>(cx: &'c Context, program: &Path, symbols: &BTreeMap<String, Treatment>) -> Result<Module<'c>, StepError> {
    let mut whole = cx.open_lazily(program)?;
    for value in whole.globals().filter(|value| !value.is_declaration()) {
        let local = value.linkage() == Linkage::Internal;
        match symbols.get(&value.name()) {
            None | Some(Treatment::Copied) => {
                value.set_default_visibility();
                value.set_linkage(Linkage::Internal);
            }
            Some(Treatment::Promoted) => {
                value.set_default_visibility();
                value.set_linkage(Linkage::External);
            }
            Some(Treatment::Defined) => {}
            Some(Treatment::Declared) => {
                if local {
                    value.set_default_visibility();
                }
                if value.is_variable() {
                    value.set_linkage(Linkage::External);
                    value.drop_initializer();
                } else {
                    value.set_linkage(Linkage::AvailableExternally);
                }
            }
        }
    }
    for list in ["llvm.used", "llvm.compiler.used"] {
        whole.delete_variable(list);
    }
    Ok(whole)
}
