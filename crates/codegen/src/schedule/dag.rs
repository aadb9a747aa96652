//! Dependences between the instructions of a region.
//!
//! A region is a straight run of instructions without a [`Role::Wall`] inside. Edges lead from
//! earlier to later instructions and carry the least issue distance: register results to readers,
//! readers to the next writer, writer to writer, and the order of memory, convergence and fences.
//! The number of edges is linear: a store with more than [`REMEMBERED`] preceding accesses is
//! ordered after all of them and replaces them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::effects::{Access, Role};

/// Accesses since the last fence that a store is compared with individually.
const REMEMBERED: usize = 48;

/// An instruction of a region.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Registers read, by numbers of the caller.
    pub reads: SmallVec<[u32; 6]>,
    /// Registers written.
    pub writes: SmallVec<[u32; 4]>,
    /// How its order is restricted.
    pub role: Role,
    /// The memory access.
    pub access: Option<Access>,
}

/// Why one instruction must follow another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dep {
    /// It reads the register (RAW).
    Read(u32),
    /// It overwrites a source of the other (WAR).
    Overwrite,
    /// It overwrites the result of the other (WAW).
    Rewrite(u32),
    /// Memory or fences.
    Order,
}

/// The dependence graph, by position in the region.
#[derive(Clone, Debug, Default)]
pub(super) struct Dag {
    /// Later instructions with distances.
    pub succs: Vec<SmallVec<[(u32, u32); 4]>>,
    /// The number of incoming edges of each.
    pub preds: Vec<u32>,
}

impl Dag {
    /// Builds the graph; `distance` returns the least cycles from one instruction to another.
    pub(super) fn new(nodes: &[Node], distance: impl Fn(Dep, usize, usize) -> u32) -> Dag {
        let mut b =
            Builder { dag: Dag { succs: vec![SmallVec::new(); nodes.len()], preds: vec![0; nodes.len()] }, distance };
        let mut registers: FxHashMap<u32, Users> = FxHashMap::default();
        let mut memory = Memory::default();
        for (n, node) in nodes.iter().enumerate() {
            for &r in &node.reads {
                let users = registers.entry(r).or_default();
                if let Some(w) = users.writer {
                    b.edge(Dep::Read(r), w as usize, n);
                }
                // If it also writes the register, it is the new writer.
                if !node.writes.contains(&r) {
                    users.readers.push(n as u32);
                }
            }
            for &r in &node.writes {
                let users = registers.entry(r).or_default();
                for m in users.readers.drain(..) {
                    b.edge(Dep::Overwrite, m as usize, n);
                }
                if let Some(w) = users.writer.replace(n as u32) {
                    b.edge(Dep::Rewrite(r), w as usize, n);
                }
            }
            memory.add(&mut b, n, node);
        }
        b.dag
    }

    /// Returns the cycles from the issue of each instruction to the end of the region on the
    /// longest path; `tail` is added to instructions without successors.
    pub(super) fn heights(&self, tail: impl Fn(usize) -> u32) -> Vec<u32> {
        let mut heights: Vec<u32> = (0..self.succs.len()).map(tail).collect();
        for n in (0..self.succs.len()).rev() {
            let longest = self.succs[n].iter().map(|&(s, d)| d + heights[s as usize]).max();
            heights[n] = heights[n].max(longest.unwrap_or(0));
        }
        heights
    }
}

/// The instructions that touched a register.
#[derive(Default)]
struct Users {
    /// Its last writer.
    writer: Option<u32>,
    /// Its readers since then.
    readers: SmallVec<[u32; 4]>,
}

struct Builder<F> {
    dag: Dag,
    distance: F,
}

impl<F: Fn(Dep, usize, usize) -> u32> Builder<F> {
    fn edge(&mut self, dep: Dep, from: usize, to: usize) {
        if from == to {
            return;
        }
        let distance = (self.distance)(dep, from, to);
        // Several edges to the same instruction are added one after another.
        match self.dag.succs[from].last_mut().filter(|e| e.0 == to as u32) {
            Some(e) => e.1 = e.1.max(distance),
            None => {
                self.dag.succs[from].push((to as u32, distance));
                self.dag.preds[to] += 1;
            }
        }
    }
}

/// Preceding instructions that are ordered by more than registers.
#[derive(Default)]
struct Memory {
    fence: Option<usize>,
    loads: Vec<(usize, Access)>,
    stores: Vec<(usize, Access)>,
    /// The last access that is not weak.
    strong: Option<usize>,
    convergent: Vec<usize>,
    /// All instructions since the last fence, for a wall at the end.
    last: Vec<usize>,
}

impl Memory {
    fn add<F: Fn(Dep, usize, usize) -> u32>(&mut self, b: &mut Builder<F>, n: usize, node: &Node) {
        if node.role == Role::Wall {
            for m in std::mem::take(&mut self.last) {
                b.edge(Dep::Order, m, n);
            }
            *self = Memory { fence: Some(n), last: vec![n], ..Memory::default() };
            return;
        }
        self.last.push(n);
        if node.role == Role::Free && node.access.is_none() {
            return;
        }
        if let Some(f) = self.fence {
            b.edge(Dep::Order, f, n);
        }
        if node.role == Role::Fence {
            let accesses = self.loads.drain(..).chain(self.stores.drain(..)).map(|e| e.0);
            for m in accesses.chain(self.convergent.drain(..)) {
                b.edge(Dep::Order, m, n);
            }
            self.fence = Some(n);
            return;
        }
        if node.role == Role::Convergent {
            self.convergent.push(n);
        }
        let Some(mut access) = node.access else { return };
        if access.writes() && self.loads.len() + self.stores.len() >= REMEMBERED {
            for (m, _) in self.loads.drain(..).chain(self.stores.drain(..)) {
                b.edge(Dep::Order, m, n);
            }
            access = Access::anywhere();
        }
        // Strong accesses form a chain: only the last one needs an edge.
        let chained = |m: usize, e: &Access| access.is_strong() && e.is_strong() && self.strong != Some(m);
        for (m, e) in self.stores.iter().chain(&self.loads) {
            if !chained(*m, e) && e.conflicts(&access) {
                b.edge(Dep::Order, *m, n);
            }
        }
        if access.is_strong() {
            self.strong = Some(n);
        }
        if access.writes() { self.stores.push((n, access)) } else { self.loads.push((n, access)) }
    }
}
