//! Functions that stay functions: which, and the objects they are linked through.
//!
//! Problem: kernels are compiled without knowing of each other, and inline what they call; what calls itself, is called by its address or
//! belongs to another object cannot be inlined. Strategy: such functions are units like kernels. Which are needed is known once the
//! kernels are compiled, by the names that nothing defines; then they are compiled, and what they need in turn. In a program of one
//! compilation their code meets the kernels' as it would from several objects: units become a relocatable object, and the linker of
//! objects makes the executable.

use crate::codes;
use crate::link;
use crate::plan::{Module, Plan, UnitPlan};
use raddle_cubin::unit::UnitObject;
use raddle_diag::{Diagnostic, Diags};
use raddle_entity::Serial;
use raddle_ir::CodegenOptions;
use raddle_link::objects::{Input, LinkOptions};
use raddle_lower::{Apart, SYSTEM_CALLS};
use raddle_ptx::{Linkage, Symbol};
use std::collections::BTreeSet;

/// Does a module declare functions of the driver, call by address, or keep addresses of functions? The rest, recursion, shows in bodies.
fn shows_calls(module: &Module) -> bool {
    let outline = &module.outline;
    if outline.funcs.values().all(|f| f.entry) {
        return false;
    }
    let text = module.text.as_bytes();
    let finds = |what: &str| memchr::memmem::find(text, what.as_bytes()).is_some();
    let system = outline.funcs.values().any(|f| f.body.is_none() && SYSTEM_CALLS.contains(&&*f.name));
    let address = |id| {
        let init = raddle_ptx::parse_init(&module.text, outline, id).ok().flatten();
        init.is_some_and(|init| {
            init.addresses.iter().any(|a| matches!(outline.symbol(&a.symbol), Some(Symbol::Func(_))))
        })
    };
    system || finds(".callprototype") || finds(".calltargets") || outline.globals.keys().any(address)
}

/// Finds what is not inlined, once bodies have been read, and decides whether code is for a linker of objects.
pub(crate) fn decide(plan: &mut Plan, codegen: &CodegenOptions) -> CodegenOptions {
    let external = codegen.relocatable;
    let aparts: Vec<Apart> = plan.modules.iter().map(|m| Apart::of(&m.bodies, external)).collect();
    let needed = external
        || plan.modules.iter().zip(&aparts).any(|(module, apart)| !apart.recursive.is_empty() || shows_calls(module));
    if needed {
        plan.modules.iter_mut().zip(aparts).for_each(|(module, apart)| module.apart = Some(apart));
    }
    plan.linked = needed && !external;
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
