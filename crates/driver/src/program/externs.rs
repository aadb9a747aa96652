//! Resolves `.extern .shared` variables in whole programs (PTX ISA 9.0, 11.6.1; behaviour of ptxas
//! 13.0.88).
//!
//! Problem: without a size such a variable is the memory that the launch provides; with a size, or
//! with a definition in another input, it is static memory of the kernel, which must be
//! allocated. Strategy: a variable that another input defines is left to the linker of objects,
//! which knows all inputs; an undefined one with a size becomes a variable of its module.

use super::{Module, Program};
use crate::codes;
use raddle_diag::{Diagnostic, Diags, Span};
use raddle_ptx::{GlobalId, Linkage, Space};
use std::collections::BTreeSet;

/// The `.extern .shared` variables of a module.
fn declared(module: &Module) -> impl Iterator<Item = (GlobalId, &str)> {
    let globals = module.outline.globals.iter();
    let shared = globals.filter(|(_, g)| g.linkage == Linkage::Extern && g.var.space == Space::Shared);
    shared.map(|(id, g)| (id, &*g.var.name))
}

/// Resolves them for a whole program. Returns whether some are defined by another input.
pub(crate) fn settle(program: &mut Program, diags: &mut Diags) -> bool {
    let mut defined: BTreeSet<&str> = BTreeSet::new();
    for module in &program.modules {
        let globals = module.outline.globals.values().filter(|g| g.var.space == Space::Shared);
        defined.extend(globals.filter(|g| matches!(g.linkage, Linkage::Visible | Linkage::Weak)).map(|g| &*g.var.name));
    }
    let mut joined = false;
    let mut own: Vec<(usize, GlobalId)> = Vec::new();
    for (index, module) in program.modules.iter().enumerate() {
        for (id, name) in declared(module) {
            if defined.contains(name) {
                joined = true;
            } else if module.outline.globals[id].var.size().is_some() {
                own.push((index, id));
            }
        }
    }
    for (index, id) in own {
        let module = &mut program.modules[index];
        let global = &mut module.outline.globals[id];
        global.linkage = Linkage::Local;
        let message =
            format!("'{}' is undefined and has a size: it becomes a variable of this module", global.var.name);
        let span = Span::new(module.file, global.span.start as u32, global.span.end as u32);
        diags.push(Diagnostic::warning(codes::E0083, message).at(span, ""));
    }
    joined
}
