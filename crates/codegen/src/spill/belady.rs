//! Spill planning: keeps at most a given number of registers of a file in place at every point, by
//! furthest next use.
//!
//! Braun and Hack, "Register Spilling and Live-Range Splitting for SSA-Form Programs" (CC 2009), on
//! variables: a block begins with what most of its predecessors end with, a loop with what is used
//! in it and then, as far as the loop leaves room, with what is live through it. Within a block, a
//! use reloads a register that is not in place, and when there are too many, the one with the
//! furthest next use is evicted; leaving a loop counts as [`LEAVE`] instructions. An edge reloads
//! what its target needs and its source lacks.
//!
//! Invariant: after [`apply`](super::apply::apply), at most `limit` registers of the file are live
//! at any point, but for single instructions that need more. A home is stored after every
//! definition from which a reload can be reached.

use raddle_entity::{EntityRef, FxHashMap, SecondaryMap};
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use raddle_sass::row::File;

use smallvec::SmallVec;

use super::plan::{Homes, Plan, Reloads};
use crate::alloc::Reserved;
use crate::budgets;
use crate::convention::{is_call, is_kept};
use crate::graph::{b as ir_block, cfg, m as machine_block};
use crate::live::{Liveness, for_each_end_use};
use crate::mir::{MBlock, MFunction, MInst, MTerm, V};
use crate::pressure::LiveSet;

/// Distance in instructions that a loop exit counts for.
const LEAVE: u32 = 1 << 16;
/// No next use.
const DEAD: u32 = u32::MAX;
/// The largest distance, so that sums stay below [`DEAD`].
const FAR: u32 = 1 << 28;
/// More registers than a file has.
const ALL: usize = 256;
/// Passes over the blocks to compute distances; more, for deeper nests, would gain little.
const PASSES: usize = 4;

/// Next-use distances of the live-in registers of each block.
type Distances = SecondaryMap<MBlock, Vec<(V, u32)>>;

/// AllocInputs for planning, independent of the limit.
pub struct NextUses {
    order: Vec<MBlock>,
    preds: SecondaryMap<MBlock, SmallVec<[MBlock; 2]>>,
    depth: SecondaryMap<MBlock, u32>,
    distances: Distances,
    /// The highest pressure in the loop of each header.
    inside: SecondaryMap<MBlock, usize>,
}

impl NextUses {
    /// Analyses the registers of a file.
    pub fn of(f: &MFunction, file: File) -> Self {
        let cfg = cfg(f);
        let dom = DomTree::dominators(&cfg);
        let loops = Loops::of(&cfg, &dom);
        let order: Vec<MBlock> = cfg.rpo.iter().map(|&x| machine_block(x)).collect();
        let mut depth = SecondaryMap::new();
        let mut preds: SecondaryMap<MBlock, SmallVec<[MBlock; 2]>> = SecondaryMap::new();
        for &x in &order {
            depth[x] = loops.depth[ir_block(x)];
            preds[x] = cfg.preds[ir_block(x)].iter().map(|&q| machine_block(q)).collect();
        }
        let (distances, pressure) = distances(f, file, &order, &depth);
        let mut inside: SecondaryMap<MBlock, usize> = SecondaryMap::new();
        for &h in &loops.headers {
            let mut work: Vec<_> = cfg.preds[h].iter().copied().filter(|&x| dom.dominates(h, x)).collect();
            let mut seen: SecondaryMap<_, bool> = SecondaryMap::new();
            seen[h] = true;
            let mut most = pressure[machine_block(h)];
            while let Some(x) = work.pop() {
                if !std::mem::replace(&mut seen[x], true) {
                    most = most.max(pressure[machine_block(x)]);
                    work.extend(cfg.preds[x].iter().copied());
                }
            }
            inside[machine_block(h)] = most;
        }
        NextUses { order, preds, depth, distances, inside }
    }
}

struct Planner<'a> {
    f: &'a MFunction,
    file: File,
    /// Numbers that no register gets.
    reserved: Reserved,
    /// The most registers in each block.
    limits: SecondaryMap<MBlock, usize>,
    reloads: &'a Reloads,
    homes: Homes,
    outlook: &'a NextUses,
    entry: SecondaryMap<MBlock, Option<Vec<V>>>,
    exit: SecondaryMap<MBlock, Option<Vec<V>>>,
    away: SecondaryMap<V, bool>,
    /// The next use of each register from the current point.
    next: SecondaryMap<V, u32>,
    plan: Plan,
    /// Whether anything is reloaded from a home.
    needs_home: bool,
    behind: Beyond,
    /// Next uses in the current block, of registers met on the backward walk; `None` for the
    /// others.
    ahead: Vec<Option<u32>>,
    /// Whether a register is in place.
    present: Vec<bool>,
    /// Registers that are evicted only if there are no others.
    pinned: SecondaryMap<V, bool>,
}

/// Computes a plan that keeps the registers of `pinned` in place as long as others can be evicted;
/// returns `None` if a register needs a home and none is allowed.
pub fn plan(
    f: &MFunction,
    file: File,
    limit: usize,
    reloads: &Reloads,
    outlook: &NextUses,
    homes: Homes,
    pinned: SecondaryMap<V, bool>,
) -> Option<Plan> {
    let below = if file == File::Gpr { budgets::below(f) } else { None };
    let mut limits = SecondaryMap::with_default(limit);
    for (&x, below) in f.layout.iter().zip(below.iter().cycle()) {
        limits[x] = limit.saturating_sub(below[x] as usize);
    }
    let mut p = Planner {
        f,
        file,
        reserved: Reserved::of(f),
        limits,
        reloads,
        homes,
        outlook,
        entry: SecondaryMap::new(),
        exit: SecondaryMap::new(),
        away: SecondaryMap::new(),
        next: SecondaryMap::with_default(DEAD),
        plan: Plan::default(),
        needs_home: false,
        behind: Beyond::of(f),
        ahead: vec![None; f.vregs.len()],
        present: vec![false; f.vregs.len()],
        pinned,
    };
    for &x in &outlook.order {
        let start = p.start(x);
        p.walk(x, start);
        if homes == Homes::NoMemory && p.needs_home {
            return None;
        }
    }
    p.edges();
    if homes == Homes::NoMemory && p.needs_home {
        return None;
    }
    let mut plan = p.plan;
    plan.away = f.vregs.keys().filter(|&v| p.away[v]).collect();
    Some(plan)
}

/// Next-use distances at the beginning of blocks, and the pressure in each.
fn distances(
    f: &MFunction,
    file: File,
    order: &[MBlock],
    depth: &SecondaryMap<MBlock, u32>,
) -> (Distances, SecondaryMap<MBlock, usize>) {
    let live = Liveness::of(f);
    let mut first: SecondaryMap<MBlock, Vec<(V, u32)>> = SecondaryMap::new();
    let mut out: Distances = SecondaryMap::new();
    let mut pressure: SecondaryMap<MBlock, usize> = SecondaryMap::new();
    let mut at: SecondaryMap<V, u32> = SecondaryMap::with_default(DEAD);
    at.resize(f.vregs.len());
    let mut now = LiveSet::of(f, file);
    for &x in order {
        let data = &f.blocks[x];
        let of_file = |v: &V| f.vregs[*v] == file;
        // Backwards: the first use of each register, and the pressure.
        now.clear();
        live.live_out(f, x).into_iter().for_each(|v| now.insert(v));
        for_each_end_use(&data.term, |v| now.insert(v));
        let mut most = now.count();
        for i in data.insts.iter().rev() {
            let mut dead = 0;
            i.for_each_def(|v| {
                now.remove(v);
                dead += usize::from(f.vregs[v] == file);
            });
            most = most.max(now.count() + dead.max(lost(f, file, i)));
            i.for_each_use(|v| now.insert(v));
            most = most.max(now.count());
        }
        pressure[x] = most;
        let mut list: Vec<(V, u32)> = live.live_in(x).filter(of_file).map(|v| (v, FAR)).collect();
        list.sort_unstable();
        let mut note = |v: V, n: usize| {
            if at[v] == DEAD {
                at[v] = n as u32;
            }
        };
        for (n, i) in data.insts.iter().enumerate() {
            i.for_each_use(|v| note(v, n));
        }
        for_each_end_use(&data.term, |v| note(v, data.insts.len()));
        first[x] = list.iter().filter(|(v, _)| at[*v] != DEAD).map(|(v, _)| (*v, at[*v])).collect();
        for i in &data.insts {
            i.for_each_use(|v| at[v] = DEAD);
        }
        for_each_end_use(&data.term, |v| at[v] = DEAD);
        out[x] = list;
    }
    // A use in the block comes first; a register written before it is not live in, so the first use
    // is the next.
    let mut behind = Beyond::of(f);
    for _ in 0..PASSES {
        for &x in order.iter().rev() {
            behind.look(f, x, &out, depth);
            let len = f.blocks[x].insts.len() as u32 + 1;
            let mut list = std::mem::take(&mut out[x]);
            let mut uses = first[x].iter().peekable();
            for (v, d) in &mut list {
                while uses.next_if(|u| u.0 < *v).is_some() {}
                *d = match uses.next_if(|u| u.0 == *v) {
                    Some(u) => u.1,
                    None => behind.get(*v).map_or(FAR, |b| (b + len).min(FAR)),
                };
            }
            out[x] = list;
        }
    }
    (out, pressure)
}

/// The registers of a file that an instruction does not preserve as a call, its results included; of
/// general ones, those below R32 in calls by the convention.
fn lost(f: &MFunction, file: File, i: &MInst) -> usize {
    match &i.leaf {
        Some(call) => f.leaves[call.of].lost.count(file),
        None if !is_call(i) => 0,
        None if file == File::Gpr => (0..32).filter(|&n| !is_kept(file, n)).count(),
        None => ALL,
    }
}

/// Next-use distances from the end of a block.
struct Beyond {
    /// By register; [`DEAD`] without a use.
    at: Vec<u32>,
    /// The registers with a use.
    known: Vec<V>,
}

impl Beyond {
    fn of(f: &MFunction) -> Beyond {
        Beyond { at: vec![DEAD; f.vregs.len()], known: Vec::new() }
    }

    /// Computes the distances from the end of `x` into its successors.
    fn look(&mut self, f: &MFunction, x: MBlock, at: &Distances, depth: &SecondaryMap<MBlock, u32>) {
        self.known.drain(..).for_each(|v| self.at[v.index()] = DEAD);
        for s in f.blocks[x].term.successors() {
            let way = depth[x].saturating_sub(depth[s]) * LEAVE;
            for &(v, d) in &at[s] {
                let known = &mut self.at[v.index()];
                if *known == DEAD {
                    self.known.push(v);
                }
                *known = (d + way).min(FAR).min(*known);
            }
        }
    }

    fn get(&self, v: V) -> Option<u32> {
        Some(self.at[v.index()]).filter(|&d| d != DEAD)
    }
}

impl Planner<'_> {
    /// How many of `limit` registers can keep values while an instruction runs, beside `results` that it
    /// writes.
    fn kept(&self, i: &MInst, results: usize, limit: usize) -> usize {
        let beside = limit.saturating_sub(results);
        match &i.leaf {
            Some(call) => beside.min(limit.saturating_sub(self.f.leaves[call.of].lost.count(self.file))),
            None if is_call(i) => beside.min(self.reserved.kept_of_calls(self.file, limit)),
            None => beside,
        }
    }

    /// Whether it cannot be reloaded.
    fn is_homeless(&self, v: V) -> bool {
        self.homes == Homes::NoMemory && !self.is_cheap(v)
    }

    /// Whether its reload needs no memory.
    fn is_cheap(&self, v: V) -> bool {
        self.reloads.cheap[v].is_some() || self.reloads.alike[v]
    }

    /// The eviction priority of a register with next use in `d` instructions.
    fn score(&self, v: V, d: u32) -> u64 {
        if self.pinned[v] || self.is_homeless(v) {
            return 0;
        }
        let ease = if self.reloads.readable.is[v] {
            16
        } else if self.is_cheap(v) {
            4
        } else if self.away[v] {
            2
        } else {
            1
        };
        u64::from(d) * ease
    }

    /// Returns the registers in place at the beginning of a block.
    fn start(&mut self, x: MBlock) -> Vec<V> {
        let NextUses { preds, inside, distances, .. } = self.outlook;
        let (preds, inside, list) = (&preds[x], inside[x], &distances[x]);
        let limit = self.limits[x];
        let mut chosen: Vec<V> = Vec::new();
        let ends: Vec<&Vec<V>> = preds.iter().filter_map(|q| self.exit[*q].as_ref()).collect();
        let mut counts: FxHashMap<V, usize> = FxHashMap::default();
        ends.iter().flat_map(|e| e.iter()).for_each(|&v| *counts.entry(v).or_default() += 1);
        let rank = |p: &Self, v: V, d: u32| (p.score(v, d), v);
        if preds.is_empty() {
            // Registers live into the function are undefined: they need no reload.
            chosen = list.iter().map(|l| l.0).take(limit).collect();
        } else if inside > 0 || ends.len() < preds.len() {
            let stays = |l: &(V, u32)| l.1 < LEAVE || self.pinned[l.0] && counts.contains_key(&l.0);
            let (mut used, mut through): (Vec<_>, Vec<_>) = list.iter().copied().partition(stays);
            let passing = through.len();
            through.retain(|l| counts.contains_key(&l.0));
            // What has no home stays.
            through.retain(|&(v, _)| {
                let stays = self.is_homeless(v) && chosen.len() < limit;
                chosen.extend(stays.then_some(v));
                !stays
            });
            let taken = chosen.len();
            used.sort_by_key(|&(v, d)| rank(self, v, d));
            chosen.extend(used.iter().map(|l| l.0).take(limit - taken));
            let room = limit.saturating_sub(inside.saturating_sub(passing) + taken).min(limit - chosen.len());
            through.sort_by_key(|&(v, d)| rank(self, v, d));
            chosen.extend(through.iter().map(|l| l.0).take(room));
        } else {
            let mut some = Vec::new();
            for &(v, d) in list {
                match counts.get(&v) {
                    Some(&n) if n == ends.len() => chosen.push(v),
                    Some(_) => some.push((v, d)),
                    None => {}
                }
            }
            some.sort_by_key(|&(v, d)| rank(self, v, d));
            let room = limit.saturating_sub(chosen.len());
            chosen.extend(some.iter().map(|l| l.0).take(room));
        }
        list.iter().for_each(|&(v, d)| self.next[v] = d);
        chosen.sort_unstable();
        chosen
    }

    /// Walks a block from the registers in place at its beginning.
    fn walk(&mut self, x: MBlock, start: Vec<V>) {
        let limit = self.limits[x];
        let data = &self.f.blocks[x];
        let end = data.insts.len();
        // Next uses of the touched registers after each instruction, backwards.
        self.behind.look(self.f, x, &self.outlook.distances, &self.outlook.depth);
        let (behind, ahead) = (&self.behind, &mut self.ahead);
        let next_of = |ahead: &[Option<u32>], v: V| match ahead[v.index()] {
            Some(n) => n,
            None => behind.get(v).map_or(DEAD, |d| d + end as u32 + 1),
        };
        for_each_end_use(&data.term, |v| ahead[v.index()] = Some(end as u32));
        let mut touched: Vec<SmallVec<[(V, u32); 6]>> = Vec::with_capacity(end);
        for (n, i) in data.insts.iter().enumerate().rev() {
            let mut list: SmallVec<[(V, u32); 6]> = SmallVec::new();
            i.for_each_use(|v| list.push((v, next_of(ahead, v))));
            i.for_each_def(|v| {
                list.retain(|l| l.0 != v);
                list.push((v, next_of(ahead, v)));
            });
            i.for_each_def(|v| ahead[v.index()] = Some(DEAD));
            i.for_each_use(|v| ahead[v.index()] = Some(n as u32));
            touched.push(list);
        }
        touched.reverse();
        for_each_end_use(&data.term, |v| ahead[v.index()] = None);
        touched.iter().flatten().for_each(|&(v, _)| ahead[v.index()] = None);

        let mut here = start.clone();
        here.iter().for_each(|v| self.present[v.index()] = true);
        self.entry[x] = Some(start);
        let mut fetches = Vec::new();
        for (n, i) in data.insts.iter().enumerate() {
            i.for_each_use(|v| self.fetch(v, n, &mut here, &mut fetches));
            self.shrink(&mut here, n, limit);
            for &(v, next) in &touched[n] {
                self.next[v] = next;
            }
            // Registers that die here make room for results.
            self.drop_dead(&mut here, &touched[n]);
            let mut written: SmallVec<[V; 4]> = SmallVec::new();
            i.for_each_def(|v| {
                if self.f.vregs[v] == self.file && !written.contains(&v) {
                    written.push(v);
                }
            });
            if written.iter().any(|v| self.present[v.index()]) {
                here.retain(|v| !written.contains(v));
            }
            self.shrink(&mut here, n + 1, self.kept(i, written.len(), limit));
            for v in written {
                self.present[v.index()] = true;
                here.push(v);
            }
            self.drop_dead(&mut here, &touched[n]);
        }
        for_each_end_use(&data.term, |v| self.fetch(v, end, &mut here, &mut fetches));
        self.shrink(&mut here, end, limit);
        self.plan.fetches[x] = fetches;
        here.iter().for_each(|v| self.present[v.index()] = false);
        here.sort_unstable();
        self.exit[x] = Some(here);
    }

    fn fetch(&mut self, v: V, n: usize, here: &mut Vec<V>, fetches: &mut Vec<(usize, V)>) {
        if self.f.vregs[v] == self.file && !std::mem::replace(&mut self.present[v.index()], true) {
            here.push(v);
            self.away[v] = true;
            self.needs_home |= !self.is_cheap(v);
            self.next[v] = n as u32;
            fetches.push((n, v));
        }
    }

    /// Removes registers that die at an instruction, which are among those it touches.
    fn drop_dead(&mut self, here: &mut Vec<V>, touched: &[(V, u32)]) {
        for &(v, next) in touched {
            if next == DEAD && std::mem::replace(&mut self.present[v.index()], false) {
                here.retain(|&w| w != v);
            }
        }
    }

    /// Evicts registers with the furthest next use until `limit` are left; `n` is the next
    /// instruction.
    fn shrink(&mut self, here: &mut Vec<V>, n: usize, limit: usize) {
        while here.len() > limit {
            let score = |v: V| (self.score(v, self.next[v].saturating_sub(n as u32)), v);
            let Some(k) = (0..here.len()).max_by_key(|&k| score(here[k])) else { return };
            self.present[here[k].index()] = false;
            here.swap_remove(k);
        }
    }

    /// Computes the reloads on edges.
    fn edges(&mut self) {
        for &x in &self.outlook.order {
            let Some(exit) = &self.exit[x] else { continue };
            for (n, s) in self.f.blocks[x].term.successors().into_iter().enumerate() {
                let Some(entry) = &self.entry[s] else { continue };
                // Table entries with the same target are one edge.
                let mut mine = self.plan.edges.iter().rev().take_while(|e| e.0 == x);
                if matches!(self.f.blocks[x].term, MTerm::Switch(_)) && mine.any(|e| e.2 == s) {
                    continue;
                }
                let missing: Vec<V> = entry.iter().copied().filter(|v| exit.binary_search(v).is_err()).collect();
                if !missing.is_empty() {
                    for &v in &missing {
                        self.away[v] = true;
                        self.needs_home |= !self.is_cheap(v);
                    }
                    self.plan.edges.push((x, n, s, missing));
                }
            }
        }
    }
}
