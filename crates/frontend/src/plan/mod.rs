//! Which symbols are in which part of a program.
//!
//! **Problem.** Parts are optimised independently, and become modules of PTX, so that a part should
//! have the body of every function that it calls: calls between modules are slow. But a function
//! whose address is taken, and a variable, exists once in a program. **Strategy.** Symbols are
//! *single* (one definition in one part, declarations in the others) or *copied* (a local copy in
//! every part that reaches it). Kernels are grouped into parts; a part has the copied symbols that
//! it reaches through copied symbols. A single symbol goes to the one part that uses it, or to a
//! part of its own.
//!
//! | symbol | |
//! |---|---|
//! | kernel; function whose address is taken; alias and what it names | single |
//! | variable in global or constant memory | single, unless a small constant without identity |
//! | variable in shared memory | copied, unless a single function uses it: blocks have their own |
//! | other function | copied |
//!
//! Inline assembly outside of functions is in one part.
//!
//! **Invariants** ([`verify()`]). The plan is a function of summary and options; it does not depend
//! on the number of threads or the order of inputs. Its work is linear in symbols, uses and the
//! sizes of the parts.

mod group;
mod verify;

pub use verify::verify;

use crate::summary::{Kind, Linkage, Space, Summary, Symbol, SymbolId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a program, and the symbols whose linkage changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The parts, in a fixed order.
    pub parts: Vec<Part>,
    /// Symbols that were internal and are visible between parts, ascending; they are local again in
    /// the output.
    pub promoted: Vec<SymbolId>,
}

/// A set of definitions with what they need: one module of phase II.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its name: that of its first kernel, or of its first symbol.
    pub name: String,
    /// Its symbols, ascending.
    pub symbols: Vec<(SymbolId, Role)>,
    /// The greatest priority of its definitions: parts of a greater one are compiled first.
    pub priority: u16,
    /// IR instructions to optimise.
    pub cost: u64,
    /// Whether it has the program's inline assembly outside of functions, which one part has.
    pub assembly: bool,
}

/// What a part does with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// The one definition in the program, with the linkage it had or as promoted.
    Defined,
    /// A local copy of a definition.
    Copied,
    /// A declaration of a definition in another part, or of a symbol that nothing defines.
    Declared,
}

/// Options of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanOptions {
    /// The number of parts with kernels, about; 1 is a single part with everything. By default it
    /// follows from [`PlanOptions::part_size`].
    pub partitions: Option<usize>,
    /// Kernels are put together until a part has this many instructions: below, a part costs more
    /// than it gains.
    pub part_size: u64,
    /// The most bytes of a constant that is copied.
    pub constant_size: u64,
    /// The instructions in copies, beyond the first, that are accepted: percent of the program.
    /// Beyond that, kernels that share functions are put together.
    pub copies: u64,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions { partitions: None, part_size: 200, constant_size: 4 << 10, copies: 50 }
    }
}

/// Figures about a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanFacts {
    /// Number of parts.
    pub parts: usize,
    /// Instructions of the program, without what nothing reaches.
    pub instructions: u64,
    /// Instructions in copies beyond the first.
    pub copied: u64,
    /// Instructions of the largest part.
    pub largest: u64,
}

impl Plan {
    /// Plans a program. One whose inline assembly outside of functions names symbols is one part: what
    /// the assembly defines may be local to a module of PTX.
    pub fn of(summary: &Summary, options: &PlanOptions) -> Plan {
        let one = PlanOptions { partitions: Some(1), ..options.clone() };
        let options = if summary.assembly_names_symbols() { &one } else { options };
        let classes = Classes::of(summary, options);
        let groups = group::kernels(summary, &classes, options);
        let mut plan = Plan { parts: place(summary, &classes, groups, options), promoted: Vec::new() };
        if !summary.assembly.is_empty() {
            if plan.parts.is_empty() {
                plan.parts.push(Part { name: "module asm".to_owned(), ..Part::default() });
            }
            plan.parts[0].assembly = true;
        }
        plan.promoted = promoted(summary, &plan.parts);
        debug_assert_eq!(verify(summary, &plan, options), Ok(()));
        plan
    }

    /// Whether there is more than one part.
    pub fn is_split(&self) -> bool {
        self.parts.len() > 1
    }

    /// A part with one function of a program and what it needs; not one of the plan's.
    pub fn alone(&self, summary: &Summary, function: SymbolId) -> Part {
        let classes = Classes::of(summary, &PlanOptions::default());
        let mut draft = Draft::default();
        draft.define(summary, &classes, &[function]);
        finish(summary, draft)
    }

    /// Figures about it.
    pub fn facts(&self, summary: &Summary) -> PlanFacts {
        let mut counts: BTreeMap<SymbolId, u64> = BTreeMap::new();
        for &(symbol, role) in self.parts.iter().flat_map(|part| &part.symbols) {
            if role != Role::Declared {
                *counts.entry(symbol).or_default() += 1;
            }
        }
        let size = |symbol: SymbolId| instructions(&summary.symbols[symbol as usize]);
        PlanFacts {
            parts: self.parts.len(),
            instructions: counts.keys().map(|&symbol| size(symbol)).sum(),
            copied: counts.iter().map(|(&symbol, &count)| size(symbol) * (count - 1)).sum(),
            largest: self.parts.iter().map(|part| part.cost).max().unwrap_or(0),
        }
    }
}

/// Instructions of a function; 0 for others.
fn instructions(symbol: &Symbol) -> u64 {
    if matches!(symbol.kind, Kind::Kernel | Kind::Function) { symbol.size } else { 0 }
}

/// What the symbols of a program are to its plan.
struct Classes {
    /// Symbols with one definition.
    single: Vec<bool>,
    /// Definitions that are kept even if nothing refers to them.
    root: Vec<bool>,
}

impl Classes {
    fn of(summary: &Summary, options: &PlanOptions) -> Classes {
        let symbols = &summary.symbols;
        let seen_outside = |symbol: &Symbol| symbol.is_defined() && symbol.linkage != Linkage::Internal;
        let root = |symbol: &Symbol| match symbol.kind {
            Kind::Kernel => symbol.is_defined(),
            _ => seen_outside(symbol),
        };
        let single = |symbol: &Symbol| match symbol.kind {
            Kind::Kernel | Kind::Alias => true,
            Kind::Function => !symbol.copyable,
            Kind::Variable(Space::Shared) => seen_outside(symbol),
            Kind::Variable(_) => seen_outside(symbol) || !symbol.copyable || symbol.size > options.constant_size,
        };
        let mut classes =
            Classes { single: symbols.iter().map(single).collect(), root: symbols.iter().map(root).collect() };
        // What an alias names, and the shared memory of single functions.
        for (symbol, id) in symbols.iter().zip(0..) {
            let single = classes.single[id] && symbol.kind != Kind::Kernel;
            for used in symbol.uses.iter().filter(|_| single) {
                let at = used.symbol as usize;
                let shared = symbols[at].kind == Kind::Variable(Space::Shared);
                classes.single[at] |= symbol.kind == Kind::Alias || shared;
            }
        }
        // Shared memory that a copied function uses on behalf of a single one.
        let mut work: Vec<usize> =
            (0..symbols.len()).filter(|&id| classes.single[id] && symbols[id].kind == Kind::Function).collect();
        let mut seen: BTreeSet<usize> = work.iter().copied().collect();
        while let Some(id) = work.pop() {
            for used in &symbols[id].uses {
                let at = used.symbol as usize;
                match symbols[at].kind {
                    Kind::Variable(Space::Shared) => classes.single[at] = true,
                    Kind::Function if !classes.single[at] && seen.insert(at) => work.push(at),
                    _ => {}
                }
            }
        }
        classes
    }

    /// Adds to `into` the copied symbols that these reach through copied symbols, and to `singles`
    /// the single ones that they, and those, refer to.
    fn close(
        &self,
        summary: &Summary,
        from: &[SymbolId],
        into: &mut BTreeSet<SymbolId>,
        singles: &mut BTreeSet<SymbolId>,
    ) {
        let mut work = from.to_vec();
        while let Some(id) = work.pop() {
            for used in &summary.symbols[id as usize].uses {
                let at = used.symbol;
                if self.single[at as usize] || !summary.symbols[at as usize].is_defined() {
                    singles.insert(at);
                } else if into.insert(at) {
                    work.push(at);
                }
            }
        }
    }
}

/// A part that is being made.
#[derive(Default)]
struct Draft {
    defined: BTreeSet<SymbolId>,
    copied: BTreeSet<SymbolId>,
    /// Single or undefined symbols that it refers to.
    needed: BTreeSet<SymbolId>,
}

impl Draft {
    fn define(&mut self, summary: &Summary, classes: &Classes, symbols: &[SymbolId]) {
        self.defined.extend(symbols);
        classes.close(summary, symbols, &mut self.copied, &mut self.needed);
    }
}

/// Places every symbol that is needed.
fn place(summary: &Summary, classes: &Classes, groups: Vec<Vec<SymbolId>>, options: &PlanOptions) -> Vec<Part> {
    let mut drafts: Vec<Draft> = Vec::new();
    for kernels in &groups {
        let mut draft = Draft::default();
        draft.define(summary, classes, kernels);
        drafts.push(draft);
    }
    let mut own: Vec<SymbolId> = Vec::new();
    for (symbol, home) in homes(summary, classes, &drafts) {
        match home.or((options.partitions == Some(1) && !drafts.is_empty()).then_some(0)) {
            Some(at) => drafts[at].define(summary, classes, &[symbol]),
            None => own.push(symbol),
        }
    }
    let mut draft = Draft::default();
    let mut size = 0;
    let limit = match options.partitions {
        Some(1) => u64::MAX,
        _ => options.part_size.max(total(summary) / 64),
    };
    for chunk in own.chunk_by(|&a, &b| alias_of(summary, a) == alias_of(summary, b)) {
        draft.define(summary, classes, chunk);
        size += chunk.iter().map(|&symbol| instructions(&summary.symbols[symbol as usize])).sum::<u64>();
        if size > limit {
            drafts.push(std::mem::take(&mut draft));
            size = 0;
        }
    }
    drafts.push(draft);
    drafts.into_iter().filter(|draft| !draft.defined.is_empty()).map(|draft| finish(summary, draft)).collect()
}

/// The symbol that an alias names, or the symbol itself.
fn alias_of(summary: &Summary, id: SymbolId) -> SymbolId {
    let mut at = id;
    // Aliases of aliases end: LLVM refuses circles.
    for _ in 0..summary.symbols.len() {
        match (&summary.symbols[at as usize].kind, summary.symbols[at as usize].uses.first()) {
            (Kind::Alias, Some(used)) => at = used.symbol,
            _ => break,
        }
    }
    at
}

/// The parts that use a single symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Users {
    /// One part.
    One(usize),
    /// Several, or one without kernels.
    Several,
}

/// Finds a home for every single symbol that is a root or that something needs: the number of the
/// one part that uses it, or `None` for a part without kernels. Aliases share the home of what they
/// name, and are next to it.
fn homes(summary: &Summary, classes: &Classes, drafts: &[Draft]) -> Vec<(SymbolId, Option<usize>)> {
    let symbols = &summary.symbols;
    let single = |id: SymbolId| {
        let symbol = &symbols[id as usize];
        // A function that other objects may call is defined once, and copied where it is called.
        let once = classes.single[id as usize] || classes.root[id as usize];
        symbol.is_defined() && once && symbol.kind != Kind::Kernel
    };
    let key = |id: SymbolId| alias_of(summary, id);
    let mut members: BTreeMap<SymbolId, Vec<SymbolId>> = BTreeMap::new();
    for id in (0..).take(symbols.len()).filter(|&id| single(id)) {
        members.entry(key(id)).or_default().push(id);
    }
    let mut users: BTreeMap<SymbolId, Users> = BTreeMap::new();
    let mut next: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
    // Users flow along references between single symbols; each changes at most twice.
    let mut flow = |start: Vec<(SymbolId, Users)>, users: &mut BTreeMap<SymbolId, Users>| {
        let mut work = start;
        while let Some((group, by)) = work.pop() {
            let joined = match users.get(&group) {
                Some(&known) if known == by || known == Users::Several => continue,
                Some(_) => Users::Several,
                None => by,
            };
            users.insert(group, joined);
            let next = next.entry(group).or_insert_with(|| {
                let (mut copied, mut needed) = (BTreeSet::new(), BTreeSet::new());
                classes.close(summary, members.get(&group).map_or(&[], Vec::as_slice), &mut copied, &mut needed);
                needed.into_iter().filter(|&id| single(id)).map(key).filter(|&to| to != group).collect()
            });
            work.extend(next.iter().map(|&to| (to, joined)));
        }
    };
    let needed = |(at, draft): (usize, &Draft)| {
        let ids: Vec<SymbolId> = draft.needed.iter().copied().filter(|&id| single(id)).collect();
        ids.into_iter().map(move |id| (key(id), Users::One(at)))
    };
    flow(drafts.iter().enumerate().flat_map(needed).collect(), &mut users);
    for (&group, ids) in &members {
        if !users.contains_key(&group) && ids.iter().any(|&id| classes.root[id as usize]) {
            flow(vec![(group, Users::Several)], &mut users);
        }
    }
    let mut out = Vec::new();
    for (group, users) in users {
        let home = match users {
            Users::One(at) => Some(at),
            Users::Several => None,
        };
        out.extend(members.get(&group).into_iter().flatten().map(|&id| (id, home)));
    }
    out
}

/// Completes a part.
fn finish(summary: &Summary, draft: Draft) -> Part {
    let name = |id: &SymbolId| summary.symbols[*id as usize].name.clone();
    let kernel = draft.defined.iter().find(|&&id| summary.symbols[id as usize].kind == Kind::Kernel);
    let name = kernel.or(draft.defined.first()).map(name).unwrap_or_default();
    let priority = draft.defined.iter().map(|&id| summary.symbols[id as usize].priority).max().unwrap_or(0);
    let bodies = draft.defined.iter().chain(draft.copied.difference(&draft.defined));
    let cost = bodies.map(|&id| instructions(&summary.symbols[id as usize])).sum();
    let mut symbols: BTreeMap<SymbolId, Role> = BTreeMap::new();
    symbols.extend(draft.needed.iter().map(|&id| (id, Role::Declared)));
    symbols.extend(draft.copied.iter().map(|&id| (id, Role::Copied)));
    symbols.extend(draft.defined.iter().map(|&id| (id, Role::Defined)));
    Part { name, symbols: symbols.into_iter().collect(), priority, cost, assembly: false }
}

/// Instructions of all functions.
fn total(summary: &Summary) -> u64 {
    summary.symbols.iter().map(instructions).sum()
}

/// The internal symbols that a part declares and another one defines.
fn promoted(summary: &Summary, parts: &[Part]) -> Vec<SymbolId> {
    let declared = parts.iter().flat_map(|part| &part.symbols).filter(|(_, role)| *role == Role::Declared);
    let ids: BTreeSet<SymbolId> = declared.map(|&(id, _)| id).collect();
    ids.into_iter().filter(|&id| summary.symbols[id as usize].linkage == Linkage::Internal).collect()
}
