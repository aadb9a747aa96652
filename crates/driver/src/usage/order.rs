//! Which functions have lines, and in which order (ptxas 13.0.88 output).
//!
//! | output | order |
//! |---|---|
//! | executable | kernels from the last; after each what it reaches, by name and without a time |
//! | executable, `-Ofc=max` | kernels from the first; after each what it reaches and no other did |
//! | executable, `-Ofc=min`, `mid` | the same, but what it reaches is before it, from the last |
//! | object | functions that others see from the first, then the others: all from the last |
//! | object without optimisation, and everything with `-g` | the same, from the first |
//!
//! The names of `--entry` are in the place of the order of the text in executables. What was inlined
//! here has no code of its own, and is listed all the same.

use super::{Kind, Speed};
use crate::program::names::identifiers;
use crate::program::{Module, Program};
use crate::report::{Report, UnitReport};
use raddle_ptx::{Func, Linkage, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A function with lines.
pub(super) struct Listed<'r> {
    /// Its name.
    pub name: &'r str,
    /// Its declaration, if it was read here.
    pub func: Option<&'r Func>,
    /// What is known of its code; none if it was inlined.
    pub unit: Option<&'r UnitReport>,
    /// Whether it is compiled by itself, in a time of its own.
    pub timed: bool,
}

/// The functions of a report, in the order of their lines.
pub(super) fn listed<'r>(report: &'r Report, kind: Kind<'_>) -> Vec<Listed<'r>> {
    let units: BTreeMap<&str, &UnitReport> = report.units().map(|unit| (&*unit.name, unit)).collect();
    let Some(program) = &report.used.program else {
        return report
            .units()
            .map(|unit| Listed { name: &unit.name, func: None, unit: Some(unit), timed: true })
            .collect();
    };
    let mut all: Vec<Place<'_>> = places(program).collect();
    // A kernel without a unit was not selected.
    all.retain(|place| !place.func.entry || units.contains_key(&*place.func.name));
    let ordered = if kind.executable && !kind.debug {
        // The names of `--entry` are in the place of the text's order.
        all.sort_by_key(|place| kind.entries.iter().position(|name| **name == *place.func.name));
        of_executable(&all, kind.speed)
    } else {
        // What others see is first.
        all.sort_by_key(|place| !place.func.entry && place.func.linkage == Linkage::Local);
        if kind.speed != Speed::None && kind.speed != Speed::Max && !kind.debug {
            all.reverse();
        }
        all.into_iter().map(|place| (place.func, true)).collect()
    };
    ordered
        .into_iter()
        .map(|(func, timed)| Listed {
            name: &func.name,
            func: Some(func),
            unit: units.get(&*func.name).copied(),
            timed,
        })
        .collect()
}

/// A function that has a body.
#[derive(Clone, Copy)]
struct Place<'r> {
    module: &'r Module,
    func: &'r Func,
}

/// All functions, in the order of the text.
fn places(program: &Program) -> impl Iterator<Item = Place<'_>> {
    let funcs = program.modules.iter().flat_map(|module| module.outline.funcs.values().map(move |func| (module, func)));
    funcs.filter(|(_, func)| func.body.is_some()).map(|(module, func)| Place { module, func })
}

/// The functions of an executable, and whether each has a time of its own.
fn of_executable<'r>(all: &[Place<'r>], speed: Speed) -> Vec<(&'r Func, bool)> {
    let mut kernels: Vec<Place<'r>> = all.iter().copied().filter(|place| place.func.entry).collect();
    let mut out = Vec::new();
    if let Speed::Max | Speed::Some = speed {
        let mut seen = BTreeSet::new();
        for kernel in kernels {
            let mut group = reached(kernel, &mut seen);
            if speed == Speed::Some {
                group.reverse();
            }
            out.extend(group.into_iter().map(|func| (func, true)));
        }
        return out;
    }
    kernels.reverse();
    for kernel in kernels {
        let mut group = reached(kernel, &mut BTreeSet::new());
        group[1..].sort_by(|a, b| a.name.cmp(&b.name));
        out.extend(group.into_iter().map(|func| (func, func.entry)));
    }
    out
}

/// A kernel and the functions that it reaches and that were not seen, each before what it calls.
fn reached<'r>(kernel: Place<'r>, seen: &mut BTreeSet<usize>) -> Vec<&'r Func> {
    let outline = &kernel.module.outline;
    let mut out = Vec::new();
    let mut work = vec![kernel.func];
    while let Some(func) = work.pop() {
        if !seen.insert(std::ptr::from_ref(func).addr()) {
            continue;
        }
        out.push(func);
        let body = func.body.clone().and_then(|body| kernel.module.text.get(body)).unwrap_or("");
        let callee = |name| match outline.symbol(name) {
            Some(Symbol::Func(id)) => Some(&outline.funcs[outline.meant(id)]).filter(|f| !f.entry && f.body.is_some()),
            _ => None,
        };
        let callees: Vec<&Func> = identifiers(body).filter_map(callee).collect();
        work.extend(callees.into_iter().rev());
    }
    out
}
