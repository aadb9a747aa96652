//! List scheduling of every region after register allocation.
//!
//! Problem: a warp issues in order, so an instruction that waits for a result delays all that
//! follow. Strategy: within a region ([`super::dag`]) repeatedly take, of the instructions whose
//! predecessors have issued, the one that can issue first; among those that can issue now, the one
//! with the longest latency path to the end of the region. Loads count with the latency of memory,
//! so they and their addresses go first and their readers last. An arithmetic pipe that takes a
//! warp in two cycles is busy for the second, which alternates pipes.
//!
//! The new order is kept only if the same model says that it ends earlier than the old one. Labels,
//! relocations and source places are part of an [`Item`] and move with it.

use raddle_sass::latency::latency;
use raddle_sass::row::{Row, SlotRole};
use raddle_sass::{Inst, Isa, Kind, Op, Pipe, RZ, URZ};

use super::accesses::{CELLS, Touches, is_left};
use super::dag::{Dag, Dep, Node};
use super::effects::{Access, Role, role};
use super::latency::{SOURCES_READ, overtaking, overwriting, typical};
use crate::code::{CodeBlock, Item};
use crate::convention::{DESC, UTEMP};

/// Most instructions scheduled at once.
const WINDOW: usize = 1000;
/// Pipes that [`pipe`] distinguishes.
const PIPES: usize = Pipe::ALL.len();

/// Schedules the instructions of all blocks.
pub(super) fn run(blocks: &mut [CodeBlock], isa: Isa) {
    let others = blocks.iter().flat_map(|b| &b.items).any(|i| is_left(&i.inst));
    for block in blocks {
        block_order(&mut block.items, isa, others);
    }
}

fn special(i: &Inst) -> Option<u8> {
    i.operands.iter().find_map(|o| if let Kind::Special(n) = o.kind { Some(n) } else { None })
}

/// Whether it passes on a value that lanes that run next may overwrite. `others`: they may be in
/// other functions, which overwrite the global-memory descriptor too.
fn passing(i: &Inst, others: bool) -> bool {
    let descriptor = others && i.op() == Op::Uldc && i.operands.iter().any(|o| o.kind == Kind::UReg(DESC));
    descriptor || i.operands.iter().any(|o| o.kind == Kind::UReg(UTEMP))
}

fn block_order(items: &mut [Item], isa: Isa, others: bool) {
    if items.len() < 3 {
        return;
    }
    let roles: Vec<Role> =
        items.iter().map(|i| role(i.inst.row(), special(&i.inst), passing(&i.inst, others))).collect();
    let mut from = 0;
    while from < items.len() {
        // A region ends with a wall.
        let wall = roles[from..].iter().position(|&r| r == Role::Wall).map_or(items.len(), |n| from + n + 1);
        let to = wall.min(from + WINDOW);
        if to - from > 2 {
            region(&mut items[from..to], &roles[from..to], isa);
        }
        from = to;
    }
}

/// Returns the pipe of an instruction, and the cycles for which it is busy.
pub(crate) fn pipe(isa: Isa, row: &Row) -> (Pipe, u32) {
    (row.effects.pipe, row.effects.pipe.interval(isa, row.op))
}

fn region(items: &mut [Item], roles: &[Role], isa: Isa) {
    let touches = Touches::new(isa, items);
    let nodes = nodes(items, roles, &touches);
    let dag = Dag::new(&nodes, |dep, from, to| distance(&touches, items, isa, dep, from, to));
    let tail = |n: usize| if touches.infos[n].variable { typical(items[n].inst.row()) } else { 1 };
    let heights = dag.heights(tail);
    let pipes: Vec<(Pipe, u32)> = items.iter().map(|i| pipe(isa, i.inst.row())).collect();
    let (order, cycles) = schedule(&dag, &heights, &pipes);
    if cycles < in_order(&dag, &heights, &pipes) {
        permute(items, &order);
    }
}

/// Applies an order to `items`.
pub(super) fn permute<T>(items: &mut [T], order: &[u32]) {
    let mut order = order.to_vec();
    // Cycle by cycle: an item that gives way moves on to the place that is filled next.
    for first in 0..order.len() {
        let mut to = first;
        loop {
            let from = std::mem::replace(&mut order[to], to as u32) as usize;
            if from == first || from == to {
                break;
            }
            items.swap(to, from);
            to = from;
        }
    }
}

fn nodes(items: &[Item], roles: &[Role], touches: &Touches) -> Vec<Node> {
    // Write counts of registers: an address is unchanged while its base is not written.
    let mut writes = vec![0u64; CELLS];
    let mut out = Vec::with_capacity(items.len());
    for (n, item) in items.iter().enumerate() {
        let touched = touches.of(n);
        let (base, offset) = address(&item.inst, &writes).unzip();
        let row = item.inst.row();
        out.push(Node {
            reads: touched.iter().filter(|t| t.read.is_some()).map(|t| u32::from(t.cell)).collect(),
            writes: touched.iter().filter(|t| t.written).map(|t| u32::from(t.cell)).collect(),
            role: roles[n],
            access: Access::new(row, &item.inst.fields, item.strength, base, offset.unwrap_or(0)),
        });
        for t in touched.iter().filter(|t| t.written) {
            writes[usize::from(t.cell)] += 1;
        }
    }
    out
}

/// Returns an identifier of the base of an instruction's address, and the offset.
fn address(i: &Inst, writes: &[u64]) -> Option<(u64, i32)> {
    let Some(Kind::Addr { base, ubase, offset, .. }) = i.slot(SlotRole::Addr).map(|o| o.kind) else { return None };
    let count = |cell: usize| writes.get(cell).copied().unwrap_or(0) & 0x3ff;
    let general = if base == RZ { 0 } else { count(base.into()) << 10 | count(usize::from(base) + 1) };
    let uniform =
        if ubase == URZ { 0 } else { count(256 + usize::from(ubase)) << 10 | count(257 + usize::from(ubase)) };
    Some((((general << 20 | uniform) << 8 | u64::from(base)) << 8 | u64::from(ubase), offset))
}

fn distance(touches: &Touches, items: &[Item], isa: Isa, dep: Dep, from: usize, to: usize) -> u32 {
    let variable = touches.infos[from].variable;
    let row = items[from].inst.row();
    let least = touches.infos[from].stall;
    let find = |n: usize, r: u32, written: bool| {
        touches
            .of(n)
            .iter()
            .filter(move |t| u32::from(t.cell) == r && if written { t.written } else { t.read.is_some() })
    };
    match dep {
        Dep::Read(_) | Dep::Rewrite(_) if variable => typical(row),
        Dep::Read(r) => {
            let producers = find(from, r, true).filter_map(|t| t.fixed);
            let needs = producers.flat_map(|p| {
                find(to, r, false).filter_map(|t| t.read).map(move |c| u32::from(latency(isa, p, c).schedule))
            });
            needs.max().unwrap_or(1)
        }
        Dep::Rewrite(r) => {
            let producers = find(from, r, true).filter_map(|t| t.fixed);
            let later = find(to, r, true).find_map(|t| t.fixed);
            producers.map(|p| overtaking(isa, p, later)).max().unwrap_or(1)
        }
        Dep::Overwrite if variable && touches.of(from).iter().any(|t| t.late) => SOURCES_READ,
        Dep::Overwrite => least.max(overwriting(row.class, Some(items[to].inst.row().class))),
        Dep::Order => least,
    }
}

/// Issue times of instructions, by their predecessors and the state of their pipes.
pub(super) struct Clock<'a> {
    pipes: &'a [(Pipe, u32)],
    /// Earliest issue by instruction.
    earliest: Vec<u32>,
    free: [u32; PIPES],
    now: u32,
    /// The cycle in which everything has completed.
    pub end: u32,
}

impl Clock<'_> {
    pub(super) fn new(pipes: &[(Pipe, u32)]) -> Clock<'_> {
        Clock { pipes, earliest: vec![0; pipes.len()], free: [0; PIPES], now: 0, end: 0 }
    }

    /// Returns when an instruction can issue.
    pub(super) fn at(&self, n: usize) -> u32 {
        self.now.max(self.earliest[n]).max(self.free[self.pipes[n].0 as usize])
    }

    /// Issues an instruction.
    pub(super) fn issue(&mut self, n: usize, dag: &Dag, height: u32) {
        let at = self.at(n);
        let (pipe, busy) = self.pipes[n];
        self.free[pipe as usize] = at + busy;
        for &(s, d) in &dag.succs[n] {
            let e = &mut self.earliest[s as usize];
            *e = (*e).max(at + d);
        }
        self.now = at + 1;
        self.end = self.end.max(at + height);
    }
}

/// Returns a list schedule and its length in cycles.
fn schedule(dag: &Dag, heights: &[u32], pipes: &[(Pipe, u32)]) -> (Vec<u32>, u32) {
    let mut clock = Clock::new(pipes);
    let mut left = dag.preds.clone();
    let mut ready: Vec<u32> = (0..left.len() as u32).filter(|&n| left[n as usize] == 0).collect();
    let mut order = Vec::with_capacity(left.len());
    while !ready.is_empty() {
        let key = |&(_, &n): &(usize, &u32)| (clock.at(n as usize), u32::MAX - heights[n as usize], n);
        let Some((k, _)) = ready.iter().enumerate().min_by_key(key) else { break };
        let n = ready.swap_remove(k);
        clock.issue(n as usize, dag, heights[n as usize]);
        order.push(n);
        for &(s, _) in &dag.succs[n as usize] {
            left[s as usize] -= 1;
            if left[s as usize] == 0 {
                ready.push(s);
            }
        }
    }
    (order, clock.end)
}

/// Returns the length in cycles of the present order.
pub(super) fn in_order(dag: &Dag, heights: &[u32], pipes: &[(Pipe, u32)]) -> u32 {
    let mut clock = Clock::new(pipes);
    (0..pipes.len()).for_each(|n| clock.issue(n, dag, heights[n]));
    clock.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_come_first_and_their_readers_last() {
        // Two loads, each read at once by an addition; the schedule puts both loads before the
        // first addition.
        let node = |reads: &[u32], writes: &[u32]| Node {
            reads: reads.iter().copied().collect(),
            writes: writes.iter().copied().collect(),
            role: Role::Free,
            access: None,
        };
        let nodes = [node(&[0], &[1]), node(&[1], &[2]), node(&[3], &[4]), node(&[4], &[5])];
        let dag = Dag::new(&nodes, |dep, from, _| if dep == Dep::Order || from % 2 == 1 { 1 } else { 400 });
        let heights = dag.heights(|_| 1);
        let pipes = [(Pipe::Alu, 1); 4];
        let (order, cycles) = schedule(&dag, &heights, &pipes);
        assert_eq!(order, [0, 2, 1, 3]);
        assert!(cycles < in_order(&dag, &heights, &pipes));
    }
}
