//! Registers that functions of a program may have: no more than any kernel that reaches them (DRV-24).
//!
//! Problem: the registers of a kernel are those of the largest function that it reaches, and its launch bounds leave it only so many. What
//! is inlined is compiled under the kernel's bounds; what stays a function is compiled once, for all. Strategy: in a program of one
//! compilation all kernels are known, so a function gets the least budget of the kernels whose texts lead to it. Names count, not calls:
//! bodies of kernels are not read yet, and a budget that is too small costs a spill, one that is too large a launch. Functions of objects
//! have no budget: linkers tell what does not fit.

use crate::codes;
use crate::functions::{by_address, identifiers};
use crate::plan::{Module, Plan, name_span};
use raddle_diag::{Diagnostic, Diags};
use raddle_ir::{Bounds, CodegenOptions};
use raddle_ptx::{FuncId, Outline, Symbol};
use raddle_target::Limits;
use std::collections::{BTreeMap, BTreeSet};

fn bounds(module: &Module, func: FuncId) -> Bounds {
    let perf = &module.outline.funcs[func].perf;
    Bounds { maxntid: perf.maxntid, reqntid: perf.reqntid, minnctapersm: perf.minnctapersm, maxnreg: perf.maxnreg }
}

/// Warns of launch bounds that ask for more than a multiprocessor can hold.
pub(crate) fn check(plan: &Plan, diags: &mut Diags) {
    let Some(native) = &plan.target.native else { return };
    for unit in plan.units.iter().filter(|unit| unit.kernel) {
        let module = &plan.modules[unit.module];
        let bounds = bounds(module, unit.func);
        if !raddle_codegen::can_hold(&bounds, &native.limits) {
            let asked = bounds.minnctapersm.unwrap_or(0);
            let message = format!(
                "no multiprocessor of {} holds {asked} such blocks: .minnctapersm is ignored",
                plan.target.name
            );
            let found = Diagnostic::warning(codes::E0084, message).at(name_span(module, unit.func), "");
            diags.push(found.in_function(&*unit.name));
        }
    }
}

/// Gives the functions of a plan their budgets.
pub(crate) fn run(plan: &mut Plan, codegen: &CodegenOptions) {
    let Some(native) = &plan.target.native else { return };
    let mut budgets: BTreeMap<(usize, String), u32> = BTreeMap::new();
    for unit in plan.units.iter().filter(|unit| unit.kernel) {
        let module = &plan.modules[unit.module];
        let budget = raddle_codegen::register_budget(&bounds(module, unit.func), codegen.maxrregcount, &native.limits);
        if budget >= Limits::REGISTERS_PER_THREAD {
            continue;
        }
        for name in reached(&module.outline, &module.text, &unit.name) {
            let meant = module.outline.func(name).map(|id| &*module.outline.funcs[module.outline.meant(id)].name);
            let least = budgets.entry((unit.module, meant.unwrap_or(name).to_owned())).or_insert(budget);
            *least = budget.min(*least);
        }
    }
    for unit in plan.units.iter_mut().filter(|unit| !unit.kernel) {
        unit.registers = budgets.get(&(unit.module, unit.name.to_string())).copied();
    }
}

/// The names that a function's text leads to; all of the module's functions once something on the way calls by address.
pub(crate) fn reached<'a>(outline: &'a Outline, text: &'a str, from: &'a str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::from([from]);
    let mut work = vec![from];
    let mut add = |name: &'a str, work: &mut Vec<&'a str>| {
        if seen.insert(name) {
            work.push(name);
        }
    };
    while let Some(name) = work.pop() {
        let range = match outline.symbol(name) {
            Some(Symbol::Func(id)) => Some(outline.funcs[outline.meant(id)].text.clone()),
            Some(Symbol::Global(id)) => outline.globals[id].init.clone(),
            None => None,
        };
        let Some(text) = range.and_then(|range| text.get(range)) else { continue };
        if by_address(text) {
            outline.funcs.values().filter(|f| !f.entry).for_each(|f| add(&f.name, &mut work));
        }
        identifiers(text).filter(|word| outline.symbol(word).is_some()).for_each(|word| add(word, &mut work));
    }
    seen
}
