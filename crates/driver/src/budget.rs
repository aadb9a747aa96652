//! Registers that functions of a program may have: no more than any kernel that reaches them (DRV-24).
//!
//! Problem: the registers of a kernel are those of the largest function that it reaches, and its launch bounds leave it only so many. What
//! is inlined is compiled under the kernel's bounds; what stays a function is compiled once, for all. Strategy: in a program of one
//! compilation all kernels are known, so a function gets the least budget of the kernels whose texts lead to it. Names count, not calls:
//! bodies of kernels are not read yet, and a budget that is too small costs a spill, one that is too large a launch. Functions of objects
//! have no budget: linkers tell what does not fit.

use crate::codes;
use crate::functions::{by_address, identifiers};
use crate::plan::{Module, Plan, UnitPlan, name_span};
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
    let mut kernels: Vec<(u32, &UnitPlan)> = Vec::new();
    for unit in plan.units.iter().filter(|unit| unit.kernel) {
        let bounds = bounds(&plan.modules[unit.module], unit.func);
        let budget = raddle_codegen::register_budget(&bounds, codegen.maxrregcount, &native.limits);
        if budget < Limits::REGISTERS_PER_THREAD {
            kernels.push((budget, unit));
        }
    }
    // The smallest budget first: what a kernel reaches as the first one has no smaller one, and is read once.
    kernels.sort_by_key(|(budget, _)| *budget);
    let mut reach: Vec<Reach<'_>> = plan.modules.iter().map(|m| Reach::new(&m.outline, &m.text)).collect();
    let mut budgets: BTreeMap<(usize, String), u32> = BTreeMap::new();
    for (budget, unit) in kernels {
        let outline = &plan.modules[unit.module].outline;
        for name in reach[unit.module].add(&unit.name) {
            let meant = outline.func(name).map(|id| &*outline.funcs[outline.meant(id)].name);
            let least = budgets.entry((unit.module, meant.unwrap_or(name).to_owned())).or_insert(budget);
            *least = budget.min(*least);
        }
    }
    for unit in plan.units.iter_mut().filter(|unit| !unit.kernel) {
        unit.registers = budgets.get(&(unit.module, unit.name.to_string())).copied();
    }
}

/// What the texts of functions lead to, by name: all of the module's functions once something on the way calls by address.
///
/// Each text is read once, however many kernels lead to it.
pub(crate) struct Reach<'a> {
    outline: &'a Outline,
    text: &'a str,
    seen: BTreeSet<&'a str>,
    /// Something calls by address: all functions are reached.
    all: bool,
}

impl<'a> Reach<'a> {
    /// Nothing is reached yet.
    pub fn new(outline: &'a Outline, text: &'a str) -> Self {
        Self { outline, text, seen: BTreeSet::new(), all: false }
    }

    /// The names that are reached from here and were not reached before, this one among them.
    pub fn add(&mut self, from: &'a str) -> Vec<&'a str> {
        let mut new = Vec::new();
        self.see(from, &mut new);
        let mut next = 0;
        while let Some(&name) = new.get(next) {
            next += 1;
            let outline = self.outline;
            let range = match outline.symbol(name) {
                Some(Symbol::Func(id)) => Some(outline.funcs[outline.meant(id)].text.clone()),
                Some(Symbol::Global(id)) => outline.globals[id].init.clone(),
                None => None,
            };
            let Some(text) = range.and_then(|range| self.text.get(range)) else { continue };
            if !self.all && by_address(text) {
                self.all = true;
                outline.funcs.values().filter(|f| !f.entry).for_each(|f| self.see(&f.name, &mut new));
            }
            for word in identifiers(text).filter(|word| outline.symbol(word).is_some()) {
                self.see(word, &mut new);
            }
        }
        new
    }

    /// Whether a name was reached.
    pub fn has(&self, name: &str) -> bool {
        self.seen.contains(name)
    }

    fn see(&mut self, name: &'a str, new: &mut Vec<&'a str>) {
        if self.seen.insert(name) {
            new.push(name);
        }
    }
}
