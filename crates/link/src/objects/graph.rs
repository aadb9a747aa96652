//! The call graph: callers, live functions, and the resources that each kernel needs with its
//! callees. Nodes are functions with code, then functions of the driver, then one node for each
//! type of function called by pointer: an edge leads from the caller to the type, and from the type
//! to each live function of that type whose address is taken. Registers and barriers are maxima
//! over what a node reaches, the stack is that of the deepest path: one pass over the strongly
//! connected components, callees first, computes them for all nodes in linear time. Which kernels
//! reach a node (needed for shared memory and constant banks) is computed for 64 kernels at once,
//! in the opposite direction.
//!
//! Nothing here recurses: the input determines the depth of the call graph.

use raddle_cubin::model::Reloc;
use raddle_cubin::reloc::{Action, RelocType};
use raddle_entity::{Executor, FxHashMap, map};

use super::problem::{Problem, Warning};
use super::read::NONE;
use super::resolve::{Class, FunctionId, Program, Role, SymbolId, role};

/// A stack of unknown size (`MIN_STACK_SIZE` as nvlink 13.0.88 writes it).
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// Edges of a function that are not relocations: pairs of `.nv.callgraph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edge<'a> {
    /// The first calls the second.
    Calls(SymbolId, SymbolId),
    /// A function whose address is taken, and its type.
    Taken(SymbolId, &'a str),
    /// A function with indirect calls to this type.
    Indirect(SymbolId, &'a str),
    /// The first takes the address of the second.
    Takes(SymbolId, SymbolId),
}

/// The live functions and the call graph.
#[derive(Debug)]
pub(crate) struct Graph<'a> {
    /// Per function.
    pub live: Vec<bool>,
    /// The reason why it is live: the function that refers to it, itself for kernels, [`NONE`] for
    /// variables and dead functions.
    pub because: Vec<FunctionId>,
    /// Merged call graphs of the objects, sorted, without dead functions.
    pub edges: Vec<Edge<'a>>,
    /// Symbols of the nodes after the functions: functions of the driver.
    pub system: Vec<SymbolId>,
    /// The nodes of the functions of the driver, by symbol.
    system_nodes: FxHashMap<SymbolId, u32>,
    /// Callees by node.
    calls: Vec<Vec<u32>>,
    /// Nodes by component, callees first.
    components: Vec<Vec<u32>>,
}

/// The resources that a function needs with all its callees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub registers: u32,
    pub barriers: u32,
    /// [`UNKNOWN`] if it is recursive.
    pub stack: u32,
    /// A reached function that is part of a cycle, [`NONE`] if there is none.
    pub cycle: u32,
    /// The callee with the most registers.
    pub heaviest: u32,
}

/// The referents of an object's relocations, by the section that contains them.
struct References {
    /// From functions to functions.
    code: Vec<(FunctionId, FunctionId)>,
    /// From variables.
    data: Vec<FunctionId>,
}

pub(crate) fn build<'a>(
    program: &Program<'a>,
    keep_all: bool,
    executor: &dyn Executor,
) -> Result<Graph<'a>, Vec<Problem>> {
    let found = map(program.objects.len(), executor, |object| references(program, object as u32));
    let mut problems = Vec::new();
    let mut of: Vec<Vec<FunctionId>> = vec![Vec::new(); program.functions.len()];
    let mut graph = Graph {
        live: vec![false; program.functions.len()],
        because: vec![NONE; program.functions.len()],
        edges: Vec::new(),
        system: Vec::new(),
        system_nodes: FxHashMap::default(),
        calls: Vec::new(),
        components: Vec::new(),
    };
    let mut work = Vec::new();
    for (object, found) in found.into_iter().enumerate() {
        match found {
            Ok(found) => {
                for (from, to) in found.code {
                    of[from as usize].push(to);
                }
                for f in found.data {
                    if !std::mem::replace(&mut graph.live[f as usize], true) {
                        work.push(f);
                    }
                }
            }
            Err(problem) => problems.push(problem),
        }
        if let Err(problem) = edges(program, object as u32, &mut graph.edges) {
            problems.push(problem);
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    graph.edges.sort_unstable();
    graph.edges.dedup();
    for edge in &graph.edges {
        if let Edge::Calls(a, b) | Edge::Takes(a, b) = *edge
            && let (Some(a), Some(b)) = (program.defined_function(a), program.defined_function(b))
        {
            of[a as usize].push(b);
        }
    }
    for id in 0..program.functions.len() as u32 {
        let root = keep_all || program.function(id).is_entry;
        if root && !program.functions[id as usize].overridden && !std::mem::replace(&mut graph.live[id as usize], true)
        {
            graph.because[id as usize] = id;
            work.push(id);
        }
    }
    while let Some(f) = work.pop() {
        for &g in &of[f as usize] {
            if !std::mem::replace(&mut graph.live[g as usize], true) {
                graph.because[g as usize] = f;
                work.push(g);
            }
        }
    }
    graph.connect(program, &of);
    Ok(graph)
}

fn references(program: &Program<'_>, object: u32) -> Result<References, Problem> {
    let this = &program.objects[object as usize];
    let mut out = References { code: Vec::new(), data: Vec::new() };
    for &(section, target) in &this.relocations {
        let Some(place) = this.raw.sections.get(target as usize) else { continue };
        let owner = this.owner[target as usize];
        let debug = role(place) == Role::Debug;
        let from = if owner == NONE { NONE } else { program.first[object as usize] + owner };
        for r in this.raw.relocations(section) {
            let Some(symbol) = program.lookup(object, r.symbol) else {
                return Err(relocation(program, object, target, &r, "?", "refers to a symbol that does not exist"));
            };
            if debug || RelocType::by_number(r.number).is_some_and(|t| t.action == Action::UnusedClear) {
                continue;
            }
            let to = program.symbols[symbol as usize].function;
            let is_code = matches!(program.symbols[symbol as usize].class, Class::Function | Class::Section);
            if to == NONE || !is_code || to == from {
                continue;
            }
            if from == NONE { out.data.push(to) } else { out.code.push((from, to)) }
        }
    }
    out.code.sort_unstable();
    out.code.dedup();
    out.data.sort_unstable();
    out.data.dedup();
    Ok(out)
}

pub(crate) fn relocation(
    program: &Program<'_>,
    object: u32,
    section: u32,
    r: &Reloc,
    symbol: &str,
    why: &str,
) -> Problem {
    let this = &program.objects[object as usize];
    Problem::Relocation {
        object: this.name.to_owned(),
        section: this.section_name(section).to_owned(),
        number: r.number,
        offset: r.offset,
        symbol: symbol.to_owned(),
        why: why.to_owned(),
    }
}

/// Reads `.nv.callgraph`: pairs after the heads `{0, -1}` to `{0, -4}`.
pub(crate) fn edges<'a>(program: &Program<'a>, object: u32, out: &mut Vec<Edge<'a>>) -> Result<(), Problem> {
    let this = &program.objects[object as usize];
    let malformed =
        || Problem::Malformed { object: this.name.to_owned(), what: "the call graph cannot be read".into() };
    for (index, section) in this.raw.sections.iter().enumerate() {
        if section.kind != raddle_cubin::elf::sht::CUDA_CALLGRAPH {
            continue;
        }
        let mut part = 0;
        for [a, b] in this.raw.pairs(index as u32) {
            if a == 0 {
                part = b as i32;
                continue;
            }
            let a = program.lookup(object, a).ok_or_else(malformed)?;
            let symbol = || program.lookup(object, b).ok_or_else(malformed);
            let text = || this.raw.string(b).ok_or_else(malformed);
            out.push(match part {
                -1 => Edge::Calls(a, symbol()?),
                -2 => Edge::Taken(a, text()?),
                -3 => Edge::Indirect(a, text()?),
                -4 => Edge::Takes(a, symbol()?),
                _ => return Err(malformed()),
            });
        }
    }
    Ok(())
}

impl<'a> Graph<'a> {
    /// Adds nodes and edges of live functions.
    fn connect(&mut self, program: &Program<'a>, of: &[Vec<FunctionId>]) {
        let functions = program.functions.len();
        let alive = |symbol: SymbolId| match program.defined_function(symbol) {
            Some(f) => self.live[f as usize],
            None => true,
        };
        self.edges = std::mem::take(&mut self.edges)
            .into_iter()
            .filter(|edge| match *edge {
                Edge::Calls(a, b) | Edge::Takes(a, b) => alive(a) && alive(b),
                Edge::Taken(a, _) | Edge::Indirect(a, _) => alive(a),
            })
            .collect();
        let mut types: FxHashMap<&str, u32> = FxHashMap::default();
        self.calls = vec![Vec::new(); functions];
        // A function of the driver has one node however often it is called.
        for edge in &self.edges {
            if let Edge::Calls(_, b) = *edge
                && program.defined_function(b).is_none()
            {
                let (list, calls) = (&mut self.system, &mut self.calls);
                self.system_nodes.entry(b).or_insert_with(|| {
                    list.push(b);
                    calls.push(Vec::new());
                    calls.len() as u32 - 1
                });
            }
        }
        for edge in &self.edges {
            if let Edge::Taken(_, text) | Edge::Indirect(_, text) = *edge {
                let calls = &mut self.calls;
                types.entry(text).or_insert_with(|| {
                    calls.push(Vec::new());
                    calls.len() as u32 - 1
                });
            }
        }
        let node =
            |symbol: SymbolId| program.defined_function(symbol).or_else(|| self.system_nodes.get(&symbol).copied());
        for edge in &self.edges {
            let (from, to) = match *edge {
                // Two names of one function: in objects the second "calls" the first (ptxas 13.0.88
                // output for `.alias`).
                Edge::Calls(a, b) if a != b && node(a) == node(b) => continue,
                Edge::Calls(a, b) => (node(a), node(b)),
                Edge::Taken(a, text) => (types.get(text).copied(), node(a)),
                Edge::Indirect(a, text) => (node(a), types.get(text).copied()),
                Edge::Takes(..) => continue,
            };
            if let (Some(from), Some(to)) = (from, to) {
                self.calls[from as usize].push(to);
            }
        }
        // In an object without a call graph the relocations are the calls.
        for (f, to) in of.iter().enumerate() {
            let object = &program.objects[program.functions[f].object as usize];
            let has_graph = object.raw.sections.iter().any(|s| s.kind == raddle_cubin::elf::sht::CUDA_CALLGRAPH);
            if self.live[f] && !has_graph {
                self.calls[f].extend(to);
            }
        }
        for list in &mut self.calls {
            list.sort_unstable();
            list.dedup();
        }
        self.components = components(&self.calls);
    }

    /// Registers, barriers and stack of every function. Warnings are in the order of the kernels.
    pub fn usage(&self, program: &Program<'_>) -> (Vec<Usage>, Vec<Warning>) {
        let mut out = vec![Usage { cycle: NONE, heaviest: NONE, ..Usage::default() }; self.calls.len()];
        for component in &self.components {
            let mut all = Usage { cycle: NONE, heaviest: NONE, ..Usage::default() };
            let is_cycle = component.len() > 1 || component.iter().any(|&n| self.calls[n as usize].contains(&n));
            let mut frames = 0;
            for &node in component {
                for &callee in &self.calls[node as usize] {
                    let below = out[callee as usize];
                    all.add(&below);
                    all.stack = all.stack.max(below.stack);
                }
                if (node as usize) < program.functions.len() {
                    let f = program.function(node);
                    let own =
                        Usage { registers: f.registers, barriers: f.barriers, stack: 0, cycle: NONE, heaviest: node };
                    all.add(&own);
                    frames = f.stack();
                }
            }
            if is_cycle {
                all.stack = UNKNOWN;
                let named = component.iter().copied().filter(|&n| (n as usize) < program.functions.len());
                all.cycle = named.min().unwrap_or(NONE);
            } else if all.stack != UNKNOWN {
                all.stack = all.stack.saturating_add(frames).min(UNKNOWN - 1);
            }
            for &node in component {
                out[node as usize] = all;
            }
        }
        let mut warnings = Vec::new();
        for id in (0..program.functions.len() as u32).filter(|&f| self.live[f as usize]) {
            let usage = out[id as usize];
            if program.function(id).is_entry && usage.stack == UNKNOWN {
                let function = if usage.cycle == NONE { id } else { usage.cycle };
                warnings.push(Warning::Stack {
                    kernel: program.function_name(id).to_owned(),
                    function: program.function_name(function).to_owned(),
                });
            }
        }
        let functions = program.functions.len();
        for edge in &self.edges {
            if let Edge::Indirect(a, _) = *edge
                && let Some(f) = program.defined_function(a)
                && self.calls[f as usize]
                    .iter()
                    .any(|&n| n as usize >= functions + self.system.len() && self.calls[n as usize].is_empty())
            {
                warnings.push(Warning::NoCallee { caller: program.function_name(f).to_owned() });
            }
        }
        (out, warnings)
    }

    /// The kernels that reach each of `nodes`, as numbers in `kernels`, ascending.
    pub fn reached_by(&self, kernels: &[FunctionId], nodes: &[u32]) -> Vec<Vec<u32>> {
        let mut out = vec![Vec::new(); nodes.len()];
        if nodes.is_empty() {
            return out;
        }
        let mut component_of = vec![0u32; self.calls.len()];
        for (index, component) in self.components.iter().enumerate() {
            for &node in component {
                component_of[node as usize] = index as u32;
            }
        }
        let mut masks = vec![0u64; self.components.len()];
        for (block, some) in kernels.chunks(64).enumerate() {
            masks.fill(0);
            for (bit, &k) in some.iter().enumerate() {
                masks[component_of[k as usize] as usize] |= 1 << bit;
            }
            for index in (0..self.components.len()).rev().filter(|&i| i < self.components.len()) {
                let mask = masks[index];
                if mask != 0 {
                    for &node in &self.components[index] {
                        for &callee in &self.calls[node as usize] {
                            masks[component_of[callee as usize] as usize] |= mask;
                        }
                    }
                }
            }
            for (list, &node) in out.iter_mut().zip(nodes) {
                let mut mask = masks[component_of[node as usize] as usize];
                while mask != 0 {
                    list.push((block * 64) as u32 + mask.trailing_zeros());
                    mask &= mask - 1;
                }
            }
        }
        out
    }

    /// The node of a function of the driver.
    pub fn system_node(&self, program: &Program<'_>, index: usize) -> u32 {
        (program.functions.len() + index) as u32
    }

    /// Whether a symbol is a function of the driver that a live function calls.
    pub fn is_system(&self, symbol: SymbolId) -> bool {
        self.system_nodes.contains_key(&symbol)
    }
}

impl Usage {
    fn add(&mut self, other: &Usage) {
        if other.registers > self.registers {
            (self.registers, self.heaviest) = (other.registers, other.heaviest);
        }
        self.barriers = self.barriers.max(other.barriers);
        if self.cycle == NONE {
            self.cycle = other.cycle;
        }
    }
}

/// Strongly connected components, each after all that it reaches (Tarjan's algorithm with an
/// explicit stack).
fn components(calls: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const FRESH: u32 = u32::MAX;
    let mut number = vec![FRESH; calls.len()];
    let mut low = vec![0u32; calls.len()];
    let mut open = vec![false; calls.len()];
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut out = Vec::new();
    let mut next = 0;
    for root in 0..calls.len() as u32 {
        if number[root as usize] != FRESH {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            let n = node as usize;
            if *edge == 0 && number[n] == FRESH {
                (number[n], low[n]) = (next, next);
                next += 1;
                stack.push(node);
                open[n] = true;
            }
            if let Some(&callee) = calls[n].get(*edge) {
                *edge += 1;
                let c = callee as usize;
                if number[c] == FRESH {
                    path.push((callee, 0));
                } else if open[c] {
                    low[n] = low[n].min(number[c]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[n]);
            }
            if low[n] == number[n] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    open[member as usize] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                component.sort_unstable();
                out.push(component);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn components_come_after_what_they_reach() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3, 4 -> 0.
        let calls = [vec![1], vec![2], vec![1, 3], vec![], vec![0]];
        assert_eq!(components(&calls), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn a_long_chain_does_not_recurse() {
        let calls: Vec<Vec<u32>> = (0..200_000).map(|i| if i < 199_999 { vec![i + 1] } else { vec![] }).collect();
        assert_eq!(components(&calls).len(), 200_000);
    }
}
