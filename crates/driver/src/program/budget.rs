//! Register budgets of functions: at most those of any kernel that reaches them (DRV-24).
//!
//! Problem: a kernel needs the registers of the largest function that it reaches, and its launch
//! bounds limit them. Inlined code is compiled under the kernel's bounds; a function that is not
//! inlined is compiled once, for all. Strategy: in a program of one compilation all kernels are
//! known, so a function gets the least budget of the kernels whose texts reach it. Names count, not
//! calls: bodies of kernels are not read yet. A budget that is too small costs a spill, one that is
//! too large a failed launch. Functions of objects have no budget: linkers report what does not
//! fit.

use super::names::Reach;
use super::{Module, Program, Unit, name_span};
use crate::codes;
use crate::options::{GivenBounds, Selection};
use raddle_diag::{Diagnostic, Diags, FileId, Span};
use raddle_ir::{Bounds, CodegenOptions};
use raddle_ptx::{FuncId, Outline, Perf};
use raddle_target::Limits;
use std::collections::BTreeMap;

pub(crate) fn bounds(module: &Module, func: FuncId) -> Bounds {
    let perf = &module.outline.funcs[func].perf;
    let (maxntid, reqntid) = (perf.maxntid, perf.reqntid);
    Bounds { maxntid, reqntid, minnctapersm: perf.minnctapersm, maxnreg: perf.maxnreg, ..Bounds::default() }
}

/// Gives the kernels of a module the launch bounds of options.
pub(super) fn give(outline: &mut Outline, given: &GivenBounds) {
    for func in outline.funcs.values_mut().filter(|func| func.entry && func.body.is_some()) {
        let perf = &mut func.perf;
        if let Some(registers) = given.registers {
            (perf.maxnreg, perf.minnctapersm) = (Some(registers), None);
        }
        if perf.reqntid.is_none() && (given.replace || perf.maxntid.is_none()) {
            perf.maxntid = given.threads.or(perf.maxntid);
        }
        let is_limited = perf.maxntid.is_some() || perf.reqntid.is_some();
        if is_limited && (given.replace || perf.minnctapersm.is_none()) {
            perf.minnctapersm = given.blocks.or(perf.minnctapersm);
        }
    }
}

/// Raises the numbers of `.maxnreg` that are below the fewest registers, with a warning.
pub(super) fn raise(outline: &mut Outline, file: FileId, selection: &Selection, diags: &mut Diags) {
    let Some(fewest) = selection.fewest_registers else { return };
    for func in outline.funcs.values_mut().filter(|func| func.entry && func.body.is_some()) {
        let Some(asked) = func.perf.maxnreg.filter(|asked| *asked < fewest) else { continue };
        func.perf.maxnreg = Some(fewest);
        if selection.wants(&func.name) {
            let message = format!(".maxnreg {asked} is less than {fewest}, the fewest registers of a kernel");
            let at = Span::new(file, func.span.start as u32, func.span.end as u32);
            diags.push(Diagnostic::warning(codes::E0084, message).at(at, "").in_function(&*func.name));
        }
    }
}

/// Warns of launch bounds that say nothing, of all kernels of a text.
pub(super) fn idle(outline: &Outline, file: FileId, diags: &mut Diags) {
    for (_, func) in outline.kernels() {
        let Perf { maxntid: None, reqntid: None, minnctapersm: Some(_), .. } = func.perf else { continue };
        let Some(end) = func.body.as_ref().map(|body| body.end as u32) else { continue };
        let message = format!(".minnctapersm of '{}' is ignored without .maxntid or .reqntid", func.name);
        // ptxas names the end of the body.
        let at = Span::new(file, end.saturating_sub(1), end);
        diags.push(Diagnostic::warning(codes::E0084, message).at(at, "").in_function(&*func.name));
    }
}

/// Warns of launch bounds that exceed the limits of a thread or a multiprocessor.
pub(crate) fn check(program: &Program, diags: &mut Diags) {
    let Some(native) = &program.target.native else { return };
    let (limits, target) = (&native.limits, program.target.name);
    for unit in program.units.iter().filter(|unit| unit.makes_object()) {
        let module = &program.modules[unit.module];
        let bounds = bounds(module, unit.func);
        let name = name_span(module, unit.func);
        let mut warn = |at, message| {
            diags.push(Diagnostic::warning(codes::E0084, message).at(at, "").in_function(&*unit.name));
        };
        if let Some(most) = bounds.maxnreg.filter(|most| *most > Limits::REGISTERS_PER_THREAD) {
            let has = Limits::REGISTERS_PER_THREAD;
            warn(name, format!(".maxnreg {most} is ignored: a thread has at most {has} registers"));
        }
        let Some(threads) = bounds.reqntid.or(bounds.maxntid) else { continue };
        let (all, most) =
            (threads.iter().fold(1u32, |all, &n| all.saturating_mul(n)), limits.warps_per_sm * Limits::WARP);
        if all > most {
            let directive = if bounds.reqntid.is_some() { ".reqntid" } else { ".maxntid" };
            let what = if bounds.minnctapersm.is_some() { "and .minnctapersm are" } else { "is" };
            let has = format!("a multiprocessor of {target} has {most} threads");
            warn(name, format!("{directive} {all} {what} ignored: {has}"));
            continue;
        }
        let Some(asked) = bounds.minnctapersm else { continue };
        if asked > limits.ctas_per_sm {
            let most = limits.ctas_per_sm;
            warn(name, format!(".minnctapersm {asked} is ignored: a multiprocessor of {target} holds {most} blocks"));
        } else if all.saturating_mul(asked) > most || !raddle_codegen::can_hold(&bounds, limits) {
            let what = "has too few threads for so many such blocks";
            warn(name, format!(".minnctapersm {asked} is ignored: a multiprocessor of {target} {what}"));
        }
    }
}

/// Sets the register budgets of the functions of a program.
pub(crate) fn run(program: &mut Program, codegen: &CodegenOptions) {
    let Some(native) = &program.target.native else { return };
    let mut kernels: Vec<(u32, &Unit)> = Vec::new();
    for unit in program.units.iter().filter(|unit| unit.makes_object()) {
        let bounds = bounds(&program.modules[unit.module], unit.func);
        let budget = raddle_codegen::register_budget(&bounds, codegen.maxrregcount, &native.limits);
        if budget < Limits::REGISTERS_PER_THREAD {
            kernels.push((budget, unit));
        }
    }
    // The smallest budget first: the first kernel that reaches a function has its smallest budget,
    // and the function is read once.
    kernels.sort_by_key(|(budget, _)| *budget);
    let mut reach: Vec<Reach<'_>> = program.modules.iter().map(|m| Reach::new(&m.outline, &m.text)).collect();
    let mut budgets: BTreeMap<(usize, String), u32> = BTreeMap::new();
    for (budget, unit) in kernels {
        let outline = &program.modules[unit.module].outline;
        for name in reach[unit.module].add(&unit.name) {
            let meant = outline.func(name).map(|id| &*outline.funcs[outline.meant(id)].name);
            let least = budgets.entry((unit.module, meant.unwrap_or(name).to_owned())).or_insert(budget);
            *least = budget.min(*least);
        }
    }
    for unit in program.units.iter_mut().filter(|unit| !unit.makes_object()) {
        unit.registers = budgets.get(&(unit.module, unit.name.to_string())).copied();
    }
}
