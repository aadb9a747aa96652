//! Phase I: all inputs as one program.
//!
//! Problem: this step is serial. Strategy: it does only what needs the whole program: link, make
//! local what only this program sees, propagate constants between functions, remove what is dead.
//! Inlining, and everything within functions, is left to phase II, where each part has the bodies
//! of all functions that it calls.

use super::aliases::Aliases;
use super::names::OddNames;
use super::summarize::{summarize, words};
use super::{Said, StepError, machine, reported};
use crate::flags::{self, Flag};
use crate::llvm::{Context, Linkage, Llvm, Module, TRIPLE};
use crate::settings::Settings;
use crate::summary::Summary;

/// A program that has been linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Its bitcode.
    pub bitcode: Vec<u8>,
    /// Its symbols.
    pub summary: Summary,
    /// What LLVM reported.
    pub said: Said,
}

/// The interprocedural passes.
const PASSES: &str = "globalopt,ipsccp,deadargelim,elim-avail-extern,globaldce";

/// Links inputs, in this order.
///
/// # Errors
/// LLVM's reason, with the name of the input.
pub fn link(llvm: &'static Llvm, settings: &Settings, inputs: &[(&str, &[u8])]) -> Result<Linked, StepError> {
    let cx = Context::new(llvm);
    let machine = machine(llvm, settings)?;
    let mut program = cx.module("program");
    program.set_target(TRIPLE, machine.layout());
    let mut odd = OddNames::default();
    let mut aliases = Aliases::default();
    let parse = |(name, bytes): &(&str, &[u8])| cx.parse(name, bytes).map_err(|why| format!("'{name}': {why}"));
    let modules = inputs.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    let all: Vec<Vec<Flag>> = modules.iter().map(Module::flags).collect();
    let named: Vec<(&str, &[Flag])> = inputs.iter().zip(&all).map(|((name, _), flags)| (*name, &flags[..])).collect();
    flags::check(&named).map_err(|conflict| conflict.to_string())?;
    for ((name, _), module) in inputs.iter().zip(modules) {
        odd.add(&module, name);
        aliases.add(&module, name);
        program.link(module).map_err(|why| format!("'{name}': {why}"))?;
    }
    for list in ["llvm.used", "llvm.compiler.used"] {
        program.delete_variable(list);
    }
    if !settings.relocatable {
        internalize(&program, &settings.keep);
    }
    aliases.resolve(&mut program)?;
    if settings.level > 0 {
        machine.run(&mut program, PASSES)?;
    } else {
        machine.run(&mut program, "elim-avail-extern,globaldce")?;
    }
    let said = reported(&cx)?;
    odd.check(&program)?;
    let summary = summarize(&program, &machine);
    Ok(Linked { bitcode: program.bitcode(), summary, said })
}

/// Makes everything local but kernels, variables that the host finds by name, and what is to be
/// kept: `kept`, which is sorted, and what inline assembly outside of functions names.
pub(super) fn internalize(program: &Module<'_>, kept: &[String]) {
    let assembly = words(&program.assembly());
    for value in program.globals().filter(|value| !value.is_declaration()) {
        let shown = value.is_variable() && matches!(value.address_space(), 0 | 1 | 4);
        let external = matches!(value.linkage(), Linkage::External | Linkage::Weak | Linkage::Common);
        let named = || kept.binary_search(&value.name()).is_ok() || assembly.contains(&value.name());
        let keep = value.has_kernel_convention() || external && (shown || named());
        if !keep && !matches!(value.linkage(), Linkage::Appending | Linkage::AvailableExternally) {
            value.set_default_visibility();
            value.set_linkage(Linkage::Internal);
        }
    }
}
