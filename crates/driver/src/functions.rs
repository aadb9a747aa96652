//! Functions that stay functions: which, and the objects they are linked through.
//!
//! Problem: kernels are compiled without knowing of each other, and inline what they call; what calls itself, is called by its address or
//! belongs to another object cannot be inlined. Strategy: such functions are units like kernels. Which are needed is known once the
//! kernels are compiled, by the names that nothing defines; then they are compiled, and what they need in turn. In a program of one
//! compilation their code meets the kernels' as it would from several objects: units become a relocatable object, and the linker of
//! objects makes the executable.

use crate::budget;
use crate::codes;
use crate::compile::Request;
use crate::externs;
use crate::link;
use crate::mode::Mode;
use crate::plan::{Module, Plan, UnitPlan};
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Diags};
use raddle_entity::Serial;
use raddle_ir::CodegenOptions;
use raddle_link::objects::{Input, LinkOptions};
use raddle_lower::{Apart, SYSTEM_CALLS};
use raddle_ptx::{Linkage, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// What a text says that calls by address.
const BY_ADDRESS: [&str; 2] = [".callprototype", ".calltargets"];

/// The identifiers of a text.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%'))).filter(|word| !word.is_empty())
}

/// Does a text call by address?
pub(crate) fn by_address(text: &str) -> bool {
    BY_ADDRESS.iter().any(|what| memchr::memmem::find(text.as_bytes(), what.as_bytes()).is_some())
}

/// Does a kernel reach what is not inlined: functions that call themselves, functions of the driver, calls by address, variables with
/// addresses of functions? Bodies of kernels are not read yet: what their texts name counts.
fn calls(module: &Module, apart: &Apart) -> bool {
    let outline = &module.outline;
    let text_of = |f: &raddle_ptx::Func| module.text.get(f.text.clone()).unwrap_or_default();
    if outline.funcs.values().all(|f| f.entry && !by_address(text_of(f))) {
        return false;
    }
    let mut work: Vec<&str> = Vec::new();
    for (id, f) in outline.funcs.iter().filter(|(_, f)| !f.entry) {
        let system = f.body.is_none() && SYSTEM_CALLS.contains(&&*f.name);
        if system || apart.recursive.contains(&id) || by_address(text_of(f)) {
            work.push(&f.name);
        }
    }
    // Who names whom: functions by their texts, variables by the addresses in them.
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for id in outline.globals.keys() {
        let init = raddle_ptx::parse_init(&module.text, outline, id).ok().flatten();
        let name: &str = &outline.globals[id].var.name;
        for address in init.iter().flat_map(|init| &init.addresses) {
            match outline.symbol(&address.symbol) {
                Some(Symbol::Func(_)) => work.push(name),
                Some(Symbol::Global(other)) => users.entry(&outline.globals[other].var.name).or_default().push(name),
                None => {}
            }
        }
    }
    let kernels = || outline.funcs.values().filter(|f| f.entry).map(text_of);
    if work.is_empty() {
        return kernels().any(by_address);
    }
    for f in outline.funcs.values().filter(|f| !f.entry) {
        for word in identifiers(text_of(f)).filter(|word| outline.symbol(word).is_some() && **word != *f.name) {
            users.entry(word).or_default().push(&f.name);
        }
    }
    for (new, old) in &outline.aliases {
        users.entry(old).or_default().push(new);
    }
    let mut reach: BTreeSet<&str> = BTreeSet::new();
    while let Some(name) = work.pop() {
        if reach.insert(name) {
            work.extend(users.get(name).into_iter().flatten());
        }
    }
    let shown = |name: &&str| match outline.symbol(name) {
        Some(Symbol::Global(id)) => {
            matches!(outline.globals[id].linkage, Linkage::Visible | Linkage::Weak | Linkage::Common)
        }
        _ => false,
    };
    reach.iter().any(shown)
        || kernels().any(|text| by_address(text) || identifiers(text).any(|word| reach.contains(word)))
}

/// Finds what is not inlined, once bodies have been read, and decides whether code is for a linker of objects.
pub(crate) fn decide(plan: &mut Plan, request: &Request, diags: &mut Diags) -> CodegenOptions {
    let codegen = &request.codegen;
    let external = codegen.relocatable;
    let joined = !external && externs::settle(plan, diags) || request.mode == Mode::ThroughObject;
    let aparts: Vec<Apart> = plan.modules.iter().map(|m| Apart::of(&m.bodies, external)).collect();
    let needed = external || joined || plan.modules.iter().zip(&aparts).any(|(module, apart)| calls(module, apart));
    if needed {
        plan.modules.iter_mut().zip(aparts).for_each(|(module, apart)| module.apart = Some(apart));
    }
    plan.linked = needed && !external;
    if plan.linked {
        budget::run(plan, codegen);
    }
    CodegenOptions { relocatable: needed, ..codegen.clone() }
}

/// Functions that others may call: those of an object are compiled whether its kernels need them or not.
pub(crate) fn shown(plan: &Plan) -> Vec<UnitPlan> {
    let units = plan.units.iter().filter(|unit| !unit.kernel);
    units
        .filter(|unit| {
            let linkage = plan.modules[unit.module].outline.funcs[unit.func].linkage;
            matches!(linkage, Linkage::Visible | Linkage::Weak)
        })
        .map(UnitPlan::as_function)
        .collect()
}

/// Functions of the modules that objects name and that are not compiled yet, in input order.
pub(crate) fn needed(plan: &Plan, objects: &[&UnitObject]) -> Vec<UnitPlan> {
    let mut names: BTreeSet<(usize, &str)> = BTreeSet::new();
    for object in objects {
        let code = object.functions.iter().flat_map(|f| &f.relocations);
        for r in code.chain(object.data.iter().flat_map(|d| &d.relocations)) {
            names.extend(object.symbols.name(r.symbol).map(|name| (object.module as usize, name)));
        }
    }
    let compiled: BTreeSet<(usize, &str)> =
        plan.units.iter().filter(|unit| unit.kernel).map(|unit| (unit.module, &*unit.name)).collect();
    let units = plan.units.iter().filter(|unit| !unit.kernel);
    units
        .filter(|unit| {
            let key = (unit.module, &*unit.name);
            names.contains(&key) && !compiled.contains(&key)
        })
        .map(UnitPlan::as_function)
        .collect()
}

/// Links an object alone into an executable.
pub(crate) fn link(object: &[u8], plan: &Plan, diags: &mut Diags) -> Option<Vec<u8>> {
    let input = Input { name: "<result>", bytes: object, library: false };
    let options = LinkOptions { target: Some(plan.target), ..LinkOptions::default() };
    match raddle_link::objects::link(&[input], &options, &Serial) {
        Ok(linked) => {
            for warning in &linked.warnings {
                diags.push(link::warning(warning.clone(), &str::to_owned));
            }
            Some(linked.bytes(&Serial))
        }
        Err(problems) => {
            problems.into_iter().for_each(|problem| diags.push(link::diagnostic(problem, &str::to_owned)));
            if !diags.has_errors() {
                diags.push(Diagnostic::fatal(codes::E0041, "the linker gave neither a result nor a reason"));
            }
            None
        }
    }
}
