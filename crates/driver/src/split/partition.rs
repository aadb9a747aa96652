//! Partitions kernels, functions and variables into units.
//!
//! Strategy: there is a set for each kernel and one for the data of the module; a function that
//! must be unique joins the sets of all that use it. A function must be unique if its address is
//! taken, if it has static memory, if it is larger than [`LARGE`], or if it is weak with shared
//! memory. Every other callee is copied into each set that calls it. A kernel is in the same set as
//! everything that takes its address.
//!
//! Invariants: no unit calls a function of another unit by name; the sets are a function of the
//! module alone, in the order of their first kernels, data first.

use super::graph::Graph;
use crate::program::Module;
use crate::program::cost::Size;
use raddle_ptx::{Func, FuncId, GlobalId, Linkage, Outline, Space};
use std::collections::{BTreeMap, BTreeSet};

/// Statements of a callee from which it is unique instead of being copied into each unit that calls
/// it.
///
/// Measured on the 218 modules of producers that the corpus was made of: 92 callees, the largest of
/// 268 statements, 9 of 10 below 210. All are copied, and the units of a module together are at
/// most 1.003 times as long as the module.
pub const LARGE: usize = 500;

/// The contents of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set {
    /// Whether it owns the data of the module.
    pub data: bool,
    /// Kernels.
    pub kernels: BTreeSet<FuncId>,
    /// Functions that no other unit contains.
    pub kept: BTreeSet<FuncId>,
    /// Functions that other units may contain copies of.
    pub copied: BTreeSet<FuncId>,
    /// Functions that are only declared.
    pub declared: BTreeSet<FuncId>,
    /// Variables that its functions refer to, and those that it owns.
    pub globals: BTreeSet<GlobalId>,
}

/// A union-find structure over numbered sets.
struct Sets(Vec<usize>);

impl Sets {
    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// The lower number represents both.
    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Whether this module defines the variable, in memory that outlives a launch.
pub(super) fn is_owned(outline: &Outline, id: GlobalId) -> bool {
    let global = &outline.globals[id];
    global.linkage != Linkage::Extern && matches!(global.var.space, Space::Global | Space::Const)
}

/// Whether this module defines the variable, in shared memory.
fn is_static_shared(outline: &Outline, id: GlobalId) -> bool {
    let global = &outline.globals[id];
    global.var.space == Space::Shared && global.linkage != Linkage::Extern
}

fn is_shown(func: &Func) -> bool {
    !func.entry && func.body.is_some() && matches!(func.linkage, Linkage::Visible | Linkage::Weak)
}

/// The functions that must be unique.
fn kept(module: &Module, graph: &Graph) -> BTreeSet<FuncId> {
    let outline = &module.outline;
    let names = graph.funcs.values().chain(graph.data.values());
    let addressed: BTreeSet<FuncId> = names.flat_map(|names| names.addresses.iter().copied()).collect();
    let large = |func: &Func| {
        let body = func.body.clone().and_then(|body| module.text.get(body));
        body.is_some_and(|body| Size::of(body).statements > LARGE)
    };
    // A linker keeps one copy of a weak function, and its shared memory would not be that of the
    // kernels in other units.
    let shares = |id: FuncId, func: &Func| {
        let globals = || graph.globals(&graph.reached([id]));
        func.linkage == Linkage::Weak && globals().iter().any(|&id| is_static_shared(outline, id))
    };
    let funcs = outline.funcs.iter().filter(|(_, func)| !func.entry && func.body.is_some());
    let kept =
        funcs.filter(|&(id, func)| addressed.contains(&id) || graph.has_state(id) || large(func) || shares(id, func));
    kept.map(|(id, _)| id).collect()
}

/// Partitions a module into sets.
pub(super) fn partition(module: &Module, graph: &Graph) -> Vec<Set> {
    let outline = &module.outline;
    let kept = kept(module, graph);
    let kernels: Vec<FuncId> = outline.kernels().map(|(id, _)| id).collect();
    // 0 is the data, then kernels, then kept functions.
    const DATA: usize = 0;
    let nodes: Vec<FuncId> = kernels.iter().copied().chain(kept.iter().copied()).collect();
    let number: BTreeMap<FuncId, usize> = nodes.iter().enumerate().map(|(at, &id)| (id, at + 1)).collect();
    let reached: Vec<BTreeSet<FuncId>> = nodes.iter().map(|&id| graph.reached([id])).collect();
    let mut sets = Sets((0..=nodes.len()).collect());
    for (at, reached) in reached.iter().enumerate() {
        reached.iter().filter_map(|id| number.get(id)).for_each(|&other| sets.unite(at + 1, other));
    }
    // Functions that are found by name or through data are with the data.
    let called: BTreeSet<FuncId> = reached.iter().take(kernels.len()).flatten().copied().collect();
    let in_data: BTreeSet<FuncId> =
        graph.data.values().flat_map(|names| names.addresses.iter().copied()).filter(|id| kept.contains(id)).collect();
    let shown = outline.funcs.iter().filter(|(_, func)| is_shown(func)).map(|(id, _)| id);
    let shown: Vec<FuncId> = shown.filter(|id| !(kept.contains(id) && called.contains(id))).collect();
    let outside = graph.reached(in_data.iter().copied().chain(shown));
    let listed = graph.data.values().flat_map(|names| names.addresses.iter()).filter(|id| outline.funcs[**id].entry);
    outside.iter().chain(listed).filter_map(|id| number.get(id)).for_each(|&other| sets.unite(DATA, other));
    // A function reached through data uses the shared memory of the kernel that calls it.
    let by_address = graph.globals(&graph.reached(in_data.iter().copied()));
    let common = |id: &GlobalId| {
        is_static_shared(outline, *id) && (by_address.contains(id) || outline.globals[*id].linkage != Linkage::Local)
    };
    for (at, reached) in reached.iter().enumerate() {
        if graph.globals(reached).iter().any(common) {
            sets.unite(DATA, at + 1);
        }
    }
    let mut out: BTreeMap<usize, (Set, BTreeSet<FuncId>)> = BTreeMap::new();
    out.insert(DATA, (Set { data: true, ..Set::default() }, outside));
    for (at, (&id, reached)) in nodes.iter().zip(&reached).enumerate() {
        let is_kernel = at < kernels.len();
        if !is_kernel && !called.contains(&id) && !out[&DATA].1.contains(&id) {
            // An unused function.
            continue;
        }
        let (set, all) = out.entry(sets.find(at + 1)).or_default();
        if is_kernel {
            set.kernels.insert(id)
        } else {
            set.kept.insert(id)
        };
        all.extend(reached);
    }
    let used: BTreeSet<GlobalId> = out.values().flat_map(|(_, funcs)| graph.globals(funcs)).collect();
    let mut list: Vec<Set> = out
        .into_values()
        .map(|(mut set, funcs)| {
            set.globals = graph.globals(&funcs);
            if set.data {
                let shown = outline.globals.iter().filter(|(_, g)| g.linkage != Linkage::Local).map(|(id, _)| id);
                let owned = graph.with_contents(used.iter().copied().chain(shown).collect());
                set.globals.extend(owned.into_iter().filter(|&id| is_owned(outline, id)));
                let contents = set.globals.iter().filter_map(|id| graph.data.get(id));
                let others: Vec<GlobalId> = contents.flat_map(|names| names.globals.iter().copied()).collect();
                set.globals.extend(others);
            }
            for id in funcs.into_iter().filter(|id| !set.kernels.contains(id) && !set.kept.contains(id)) {
                let list = if outline.funcs[id].body.is_some() { &mut set.copied } else { &mut set.declared };
                list.insert(id);
            }
            let contents = set.globals.iter().filter_map(|id| graph.data.get(id).filter(|_| set.data));
            let named = contents.flat_map(|names| names.addresses.iter().copied());
            set.declared.extend(named.filter(|id| outline.funcs[*id].body.is_none()).collect::<Vec<_>>());
            set
        })
        .filter(|set| *set != Set { data: true, ..Set::default() })
        .collect();
    list.sort_by_key(|set| (!set.data, set.kernels.first().copied()));
    list
}
