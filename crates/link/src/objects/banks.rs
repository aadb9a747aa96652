//! Lays out shared memory and per-kernel constant banks. What the code of several kernels sees has
//! the same place in all of them.
//!
//! A function is linked once, and its code contains the offsets of its variables in shared memory.
//! Variables that only one kernel reaches are placed for that kernel alone, and may overlap those
//! of other kernels. Those that a function of several kernels uses have one offset in all of them;
//! two that no kernel has in common may overlap: they are coloured, the larger first. A variable
//! that only the code of kernels itself uses is placed in each of them like one of its own: nvlink
//! 13.0.88 colours it, which makes each of these kernels as large as the worst. Dynamic shared
//! memory starts after all of these; a function that uses it is shared by kernels, so it starts at
//! the same offset in all of them. The order of placement is that of nvlink 13.0.88's output.
//!
//! Bank 2 is laid out likewise, with sections instead of variables: a kernel's own section is
//! followed by those of the functions it reaches, the last function first, each at the first offset
//! that is free in all its kernels.

use std::collections::BTreeMap;

use raddle_cubin::elf::align_up;
use raddle_target::{Limits, Native};

use super::bound::{self, Bound};
use super::graph::Graph;
use super::problem::Problem;
use super::read::NONE;
use super::resolve::{Class, FunctionId, Program, State, SymbolId};
use crate::BANK_BYTES;

/// The alignment of dynamic shared memory (nvlink 13.0.88 output: objects do not specify one).
const DYNAMIC_ALIGN: u64 = 16;

/// The shared memory of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Bytes, without those reserved for the system.
    pub size: u64,
    /// Whether the kernel or its callees use any, dynamic memory included.
    pub used: bool,
}

/// The bank 2 of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bank2 {
    /// Functions with sections in it, and their offsets.
    pub parts: Vec<(FunctionId, u64)>,
    pub size: u64,
}

/// The layout of the memory that kernels share.
#[derive(Debug)]
pub(crate) struct Banks {
    /// Live kernels, ascending.
    pub kernels: Vec<FunctionId>,
    /// By kernel.
    pub shared: Vec<Shared>,
    /// By kernel.
    pub bank2: Vec<Bank2>,
    /// Offset of each used variable in shared memory; for dynamic ones, by user.
    places: BTreeMap<SymbolId, u64>,
    /// Offsets of variables that only kernels' own code uses, by kernel.
    own: BTreeMap<(SymbolId, FunctionId), u64>,
    dynamic: BTreeMap<FunctionId, u64>,
    /// Offset of each function's section in bank 2.
    bank2_places: BTreeMap<FunctionId, u64>,
    /// Largest alignment of any variable in shared memory, 0 if there is none.
    pub shared_align: u64,
    /// Words of bound textures in bank 0.
    pub bound: Bound,
}

impl Banks {
    /// An empty layout.
    pub fn none() -> Banks {
        Banks {
            kernels: Vec::new(),
            shared: Vec::new(),
            bank2: Vec::new(),
            places: BTreeMap::new(),
            own: BTreeMap::new(),
            dynamic: BTreeMap::new(),
            bank2_places: BTreeMap::new(),
            shared_align: 0,
            bound: Bound::default(),
        }
    }

    /// The offset of `symbol` in the code of `user`; for no user, such as debug information, that in
    /// the first kernel.
    pub fn shared_place(&self, symbol: SymbolId, user: FunctionId) -> Option<u64> {
        let first = if user == NONE { 0 } else { user };
        let own = self.own.range((symbol, first)..=(symbol, user)).next().map(|(_, &place)| place);
        own.or_else(|| self.places.get(&symbol).copied()).or_else(|| self.dynamic.get(&user).copied())
    }

    /// The variables in shared memory with their offsets, by symbol; with the kernel where each has
    /// its own.
    pub fn shared_variables(&self) -> impl Iterator<Item = (SymbolId, Option<FunctionId>, u64)> {
        let of_all = self.places.iter().map(|(&symbol, &place)| (symbol, None, place));
        let own = self.own.iter().map(|(&(symbol, kernel), &place)| (symbol, Some(kernel), place));
        let mut all: Vec<_> = of_all.chain(own).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// The offset of the section of `function` in bank 2.
    pub fn bank2_place(&self, function: FunctionId) -> u64 {
        self.bank2_places.get(&function).copied().unwrap_or(0)
    }
}

/// A variable to place.
struct Variable {
    symbol: SymbolId,
    size: u64,
    align: u64,
    /// Kernels that reach a user, ascending.
    kernels: Vec<u32>,
    /// Whether each of them is a user, and there is no other.
    own: bool,
}

/// The functions that use each variable in shared memory.
fn users(program: &Program<'_>, graph: &Graph<'_>) -> BTreeMap<SymbolId, Vec<FunctionId>> {
    let mut out: BTreeMap<SymbolId, Vec<FunctionId>> = BTreeMap::new();
    for (object, this) in program.objects.iter().enumerate() {
        let any = this.raw.symbols.iter().any(|s| s.other & 0xe0 == raddle_cubin::elf::st::OTHER_SHARED);
        for &(section, target) in this.relocations.iter().filter(|_| any) {
            let owner = this.owner[target as usize];
            if owner == NONE || !graph.live[(program.first[object] + owner) as usize] {
                continue;
            }
            for r in this.raw.relocations(section) {
                if let Some(symbol) = program.lookup(object as u32, r.symbol)
                    && program.symbols[symbol as usize].class == Class::Shared
                {
                    out.entry(symbol).or_default().push(program.first[object] + owner);
                }
            }
        }
    }
    for list in out.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    out
}

/// Lays out shared memory and bank 2 of every live kernel. With `preplaced_shared`, the contents of
/// kernels' own sections are placed already.
pub(crate) fn run(
    program: &Program<'_>,
    graph: &Graph<'_>,
    native: &Native,
    preplaced_shared: bool,
) -> Result<Banks, Vec<Problem>> {
    let kernels: Vec<FunctionId> = (0..program.functions.len() as u32)
        .filter(|&f| graph.live[f as usize] && program.function(f).is_entry)
        .collect();
    let mut out = Banks {
        shared: vec![Shared::default(); kernels.len()],
        bank2: vec![Bank2::default(); kernels.len()],
        kernels,
        ..Banks::none()
    };
    let mut problems = Vec::new();
    match bound::run(program, graph, &out.kernels) {
        Ok(words) => out.bound = words,
        Err(list) => problems.extend(list),
    }
    if preplaced_shared {
        take_placed(program, &mut out);
    }
    lay_out_shared(program, graph, native, &mut out, &mut problems);
    lay_out_bank2(program, graph, &mut out, &mut problems);
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

/// Shared memory that code has placed is at the start of its kernel's.
fn take_placed(program: &Program<'_>, out: &mut Banks) {
    for (&f, shared) in out.kernels.iter().zip(&mut out.shared) {
        let object = &program.objects[program.functions[f as usize].object as usize];
        if let Some(section) = object.raw.sections.get(program.function(f).shared as usize) {
            *shared = Shared { size: section.size, used: true };
            out.shared_align = out.shared_align.max(section.align);
        }
    }
}

fn lay_out_shared(
    program: &Program<'_>,
    graph: &Graph<'_>,
    native: &Native,
    out: &mut Banks,
    problems: &mut Vec<Problem>,
) {
    let users = users(program, graph);
    let mut nodes: Vec<u32> = users.values().flatten().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    let reached: BTreeMap<u32, Vec<u32>> = nodes.iter().copied().zip(graph.reached_by(&out.kernels, &nodes)).collect();
    let kernels_of = |functions: &[FunctionId]| -> Vec<u32> {
        let mut all: Vec<u32> = functions.iter().filter_map(|f| reached.get(f)).flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut fixed = Vec::new();
    let mut dynamic: Vec<FunctionId> = Vec::new();
    for (&symbol, functions) in &users {
        let s = &program.symbols[symbol as usize];
        if s.state == State::Undefined {
            dynamic.extend(functions);
            continue;
        }
        out.shared_align = out.shared_align.max(s.align);
        let users: Option<Vec<u32>> =
            functions.iter().map(|f| out.kernels.binary_search(f).ok().map(|at| at as u32)).collect();
        let (own, kernels) = (users.is_some(), users.unwrap_or_else(|| kernels_of(functions)));
        fixed.push(Variable { symbol, size: s.size, align: s.align, kernels, own });
    }
    let (several, mut one): (Vec<Variable>, Vec<Variable>) =
        fixed.into_iter().partition(|v| v.kernels.len() > 1 && !v.own);
    let mut ends: Vec<u64> = out.shared.iter().map(|s| s.size).collect();
    colour(several, &mut ends, out);
    one.sort_by_key(|v| (std::cmp::Reverse(v.align), v.size));
    for (v, &kernel) in one.iter().flat_map(|v| v.kernels.iter().map(move |kernel| (v, kernel))) {
        let end = &mut ends[kernel as usize];
        let place = align_up(*end, v.align).unwrap_or(u64::MAX);
        *end = place.saturating_add(v.size);
        match v.own {
            true => out.own.insert((v.symbol, out.kernels[kernel as usize]), place),
            false => out.places.insert(v.symbol, place),
        };
    }
    dynamic.sort_unstable();
    dynamic.dedup();
    start_dynamic(&dynamic, &reached, &mut ends, out);
    for &kernel in reached.values().flatten() {
        out.shared[kernel as usize].used = true;
    }
    let limit = u64::from(Limits::STATIC_SHARED);
    for (kernel, &size) in ends.iter().enumerate() {
        if size > limit {
            let user = format!("kernel {}", program.function_name(out.kernels[kernel]));
            problems.push(Problem::TooMuch { user, what: "shared memory", size, limit });
        }
        out.shared[kernel].size = size;
    }
    if !dynamic.is_empty() {
        out.shared_align = out.shared_align.max(DYNAMIC_ALIGN);
    }
    debug_assert!(native.shared_base.is_multiple_of(DYNAMIC_ALIGN as u32), "shared memory starts aligned");
}

/// Places variables that several kernels reach: equal colours overlap.
fn colour(mut several: Vec<Variable>, ends: &mut [u64], out: &mut Banks) {
    struct Colour {
        size: u64,
        align: u64,
        kernels: Vec<u64>,
        members: Vec<usize>,
    }
    // More colours than this end in an error, or nearly so: the search is limited.
    const SEARCHED: usize = 4096;
    several.sort_by_key(|v| (std::cmp::Reverse(v.size), std::cmp::Reverse(v.align)));
    let mut colours: Vec<Colour> = Vec::new();
    let mut total = 0u64;
    for (index, v) in several.iter().enumerate() {
        // More memory than a block can have is an error anyway, so no colour is searched.
        let free = |c: &Colour| v.kernels.iter().all(|&k| c.kernels[k as usize / 64] >> (k % 64) & 1 == 0);
        let found = if total > BANK_BYTES * 4 { None } else { colours.iter().take(SEARCHED).position(free) };
        let at = found.unwrap_or_else(|| {
            total = total.saturating_add(v.size.max(1));
            let kernels = vec![0; ends.len().div_ceil(64)];
            colours.push(Colour { size: 0, align: 1, kernels, members: Vec::new() });
            colours.len() - 1
        });
        if total > BANK_BYTES * 4 {
            for &k in &v.kernels {
                ends[k as usize] = total;
            }
            return;
        }
        let c = &mut colours[at];
        (c.size, c.align) = (c.size.max(v.size), c.align.max(v.align));
        for &k in &v.kernels {
            c.kernels[k as usize / 64] |= 1 << (k % 64);
        }
        c.members.push(index);
    }
    let mut at = 0u64;
    for c in colours {
        at = align_up(at, c.align).unwrap_or(u64::MAX);
        for v in c.members.into_iter().map(|m| &several[m]) {
            out.places.insert(v.symbol, at);
            for &k in &v.kernels {
                let end = &mut ends[k as usize];
                *end = (*end).max(at.saturating_add(v.size));
            }
        }
        at = at.saturating_add(c.size);
    }
}

/// Determines the start of dynamic shared memory: the same for all kernels that share a function
/// that uses it.
fn start_dynamic(users: &[FunctionId], reached: &BTreeMap<u32, Vec<u32>>, ends: &mut [u64], out: &mut Banks) {
    let mut group: Vec<u32> = (0..ends.len() as u32).collect();
    fn root(group: &mut [u32], mut k: u32) -> u32 {
        while group[k as usize] != k {
            group[k as usize] = group[group[k as usize] as usize];
            k = group[k as usize];
        }
        k
    }
    let of = |f: &FunctionId| reached.get(f).map_or(&[][..], |k| k);
    for f in users {
        for pair in of(f).windows(2) {
            let (a, b) = (root(&mut group, pair[0]), root(&mut group, pair[1]));
            group[a.max(b) as usize] = a.min(b);
        }
    }
    let mut starts: BTreeMap<u32, u64> = BTreeMap::new();
    for &k in users.iter().flat_map(of) {
        let end = align_up(ends[k as usize], DYNAMIC_ALIGN).unwrap_or(u64::MAX);
        let start = starts.entry(root(&mut group, k)).or_default();
        *start = (*start).max(end);
    }
    for f in users {
        for &k in of(f) {
            let start = starts.get(&root(&mut group, k)).copied().unwrap_or(0);
            ends[k as usize] = start;
            out.dynamic.insert(*f, start);
        }
    }
}

fn lay_out_bank2(program: &Program<'_>, graph: &Graph<'_>, out: &mut Banks, problems: &mut Vec<Problem>) {
    let section = |f: FunctionId| {
        let function = program.function(f);
        let object = &program.objects[program.functions[f as usize].object as usize];
        object.raw.sections.get(function.constants[1] as usize)
    };
    let mut ends = vec![0u64; out.kernels.len()];
    for (kernel, &f) in out.kernels.iter().enumerate() {
        if let Some(own) = section(f) {
            ends[kernel] = own.bytes.len() as u64;
            out.bank2[kernel].parts.push((f, 0));
        }
    }
    let others: Vec<FunctionId> = (0..program.functions.len() as u32)
        .rev()
        .filter(|&f| graph.live[f as usize] && !program.function(f).is_entry && section(f).is_some())
        .collect();
    for (f, kernels) in others.iter().zip(graph.reached_by(&out.kernels, &others)) {
        let Some(own) = section(*f) else { continue };
        let end = kernels.iter().map(|&k| ends[k as usize]).max().unwrap_or(0);
        let place = align_up(end, own.align).unwrap_or(u64::MAX);
        out.bank2_places.insert(*f, place);
        for &k in &kernels {
            ends[k as usize] = place.saturating_add(own.bytes.len() as u64);
            out.bank2[k as usize].parts.push((*f, place));
        }
    }
    for (kernel, size) in ends.into_iter().enumerate() {
        if size > BANK_BYTES {
            let user = format!("kernel {}", program.function_name(out.kernels[kernel]));
            problems.push(Problem::TooMuch { user, what: "constant memory in bank 2", size, limit: BANK_BYTES });
        }
        out.bank2[kernel].size = size;
    }
}
