//! Splits a module into several that compile independently (issue: split compilation;
//! `docs/splitting.md`).
//!
//! Problem: one module may have hundreds of kernels, and other processes or machines could compile
//! them. Each unit must be a complete module, and the linked objects must equal the whole.
//! Strategy: [`partition`] groups kernels, functions and variables. One unit owns the variables of
//! the module and the others declare them, under names that no other module uses ([`private`]).
//! [`raddle_ptx::compose`] prints the units.
//!
//! Invariants: units are a function of the module's text alone; the text of a unit does not depend
//! on the kernels of other units.

mod build;
mod graph;
mod partition;
pub mod private;

pub use build::{Verified, compile, join, units, verify};
pub use partition::LARGE;

use crate::options::Selection;
use crate::program::{self, Module};
use crate::reproduce::file_name;
use graph::Graph;
use partition::{Set, is_owned};
use raddle_diag::{Diags, SourceMap};
use raddle_entity::Serial;
use raddle_ptx::{FuncId, GlobalId, Linkage, Parts};
use raddle_target::Target;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The file name of the unit that owns the module's data; kernels never have this name.
const DATA: &str = "module.data.ptx";

/// A unit: a module that compiles by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unit {
    /// Name of its file, without a folder: derived from its first kernel.
    pub file: String,
    /// Kernels, in the order of the module.
    pub kernels: Vec<String>,
    /// Functions that no other unit contains.
    pub kept: Vec<String>,
    /// Functions that other units may contain copies of.
    pub copied: Vec<String>,
    /// Variables that it defines.
    pub owns: Vec<String>,
    /// Variables that another unit defines.
    pub uses: Vec<String>,
    /// Its PTX text.
    #[serde(skip)]
    pub text: String,
}

/// A module split into units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Split {
    /// The units: data first, then in the order of their first kernels.
    pub units: Vec<Unit>,
    /// Names of private variables, and their names in units.
    pub private: BTreeMap<String, String>,
}

/// Reads a module and splits it into units; `None` after an error, which is in `diags`.
pub fn read(sources: &SourceMap, diags: &mut Diags) -> Option<(Split, &'static Target)> {
    let program = program::read(sources, &Selection::default(), diags, &Serial)?;
    let split = split(program.modules.first()?, diags);
    (!diags.has_errors()).then_some((split, program.target))
}

/// Splits a module into units. Errors in bodies go to `diags`; after an error the units must not be
/// used.
pub fn split(module: &Module, diags: &mut Diags) -> Split {
    let graph = Graph::new(module, diags);
    let sets = partition::partition(module, &graph);
    let outline = &module.outline;
    let tag = private::tag(outline, &module.text);
    let hidden = outline.globals.keys().filter(|&id| is_owned(outline, id));
    let hidden = hidden.filter(|&id| outline.globals[id].linkage == Linkage::Local);
    let names: BTreeMap<GlobalId, String> =
        hidden.map(|id| (id, private::name(&outline.globals[id].var.name, &tag))).collect();
    let units: Vec<Unit> = sets.iter().map(|set| unit(module, &graph, set, &names)).collect();
    let seen: BTreeSet<GlobalId> = sets.iter().flat_map(|set| set.globals.iter().copied()).collect();
    let private = names.into_iter().filter(|(id, _)| seen.contains(id));
    let private = private.map(|(id, name)| (outline.globals[id].var.name.to_string(), name)).collect();
    Split { units, private }
}

fn unit(module: &Module, graph: &Graph, set: &Set, names: &BTreeMap<GlobalId, String>) -> Unit {
    let outline = &module.outline;
    let mut parts = Parts::default();
    for &id in set.kernels.iter().chain(&set.kept).chain(&set.declared) {
        parts.funcs.insert(id, outline.funcs[id].linkage);
    }
    for &id in &set.copied {
        let linkage = match outline.funcs[id].linkage {
            linkage if set.data => linkage,
            // One definition is chosen for all callers, possibly that of another module.
            Linkage::Weak => Linkage::Weak,
            // Other units refer to one definition, which is with the data.
            _ => Linkage::Local,
        };
        parts.funcs.insert(id, linkage);
    }
    let (mut owns, mut uses) = (Vec::new(), Vec::new());
    for &id in &set.globals {
        let global = &outline.globals[id];
        let linkage = match (is_owned(outline, id), set.data, global.linkage) {
            (false, _, linkage) => linkage,
            (true, false, _) => Linkage::Extern,
            (true, true, Linkage::Local) => Linkage::Visible,
            (true, true, linkage) => linkage,
        };
        parts.globals.insert(id, linkage);
        if is_owned(outline, id) {
            parts.names.extend(names.get(&id).map(|name| (id, name.clone())));
            let list = if set.data { &mut owns } else { &mut uses };
            list.push(global.var.name.to_string());
        }
    }
    let text = raddle_ptx::compose(&module.text, outline, &graph.bodies, &parts);
    let list = |ids: &BTreeSet<FuncId>| ids.iter().map(|&id| outline.funcs[id].name.to_string()).collect::<Vec<_>>();
    let kernels = list(&set.kernels);
    let file = match kernels.first() {
        Some(kernel) if !set.data => file_name(kernel),
        _ => DATA.to_owned(),
    };
    Unit { file, kernels, kept: list(&set.kept), copied: list(&set.copied), owns, uses, text }
}

#[cfg(test)]
mod tests;
