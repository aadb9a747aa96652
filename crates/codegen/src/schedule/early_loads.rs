//! Scheduling before register allocation: moves loads up, within the registers that occupancy
//! allows.
//!
//! Problem: allocation gives the same register to one value after another, and instructions that
//! share a register cannot be reordered. Loads that are to overlap must be adjacent before. But
//! every load moved up extends a live range, and registers limit the number of warps.
//!
//! Strategy: a list schedule of every region in SSA form (`dag`), like the one after allocation,
//! that counts live general registers. As long as an instruction fits the limit, latency decides.
//! Where none does, the one that frees most registers goes first. The limit is the register count
//! of full occupancy, or, if the function needs more already, its own rounded up to the allocation
//! unit (eight registers). An order that needs more than the limit and more than the old order is
//! tried again with a lower limit, then given up.
//!
//! Invariants: no instruction leaves its block; SSA form, memory order and the order of fences are
//! kept.

use raddle_entity::{EntityRef, PrimaryMap, SecondaryMap};
use raddle_sass::row::{Access as RowAccess, File, SlotRole};
use raddle_sass::{Isa, Pipe};
use raddle_target::Limits;
use smallvec::SmallVec;

use super::dag::{Dag, Dep, Node};
use super::effects::{Access, Role, role};
use super::latency::typical;
use super::list_schedule::{Clock, in_order, permute, pipe};
use crate::convention::UTEMP;
use crate::live::members;
use crate::mir::{MArg, MBlock, MBlockData, MFunction, MGuard, MInst, MKind, MTerm, V};

/// Most instructions scheduled at once.
const WINDOW: usize = 4000;
/// Registers not counted in the pressure: the stack pointer, and what alignment wastes.
const SLACK: u32 = 3;
/// The same for an order with a higher pressure.
const DENSE: u32 = 6;
/// The same near the most registers of a thread, in a function with matrix products: fragments need
/// aligned registers.
const FRAGMENTED: u32 = 32;
/// Registers are given to warps in units of eight.
const UNIT: u32 = 8;
/// Registers that a function with matrix products may have: it hides latency by independent
/// instructions more than by many warps.
const MATRIX: u32 = 64;
/// Decrease of the limit where an order needs too much.
const STEP: u32 = 4;
/// Most orders tried for a region.
const TRIES: u32 = 4;
/// How many cycles before the longest path an instruction may take a register, in a region that
/// needs too many: one after the other, until an order fits.
const AHEAD: [u32; 5] = [u32::MAX, 96, 48, 24, 8];
/// Most bits of live sets; larger functions are left alone.
const LARGEST: usize = 1 << 29;
/// Typical latency of a fixed-latency result.
const FIXED: u32 = 5;

/// Registers that a missing predicate counts for: it becomes a register, by two instructions.
const SPILL: u32 = 8;
/// Most predicates that an order may need; there are seven.
const PREDICATES: u32 = 6;

/// Live registers of the two scarce files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Need {
    general: u32,
    predicates: u32,
}

impl Need {
    fn max(self, other: Need) -> Need {
        Need { general: self.general.max(other.general), predicates: self.predicates.max(other.predicates) }
    }

    /// What is missing, in registers.
    fn beyond(self, room: Need) -> u32 {
        self.general.saturating_sub(room.general) + SPILL * self.predicates.saturating_sub(room.predicates)
    }

    fn fits(self, room: Need) -> bool {
        self.general <= room.general && self.predicates <= room.predicates
    }
}

/// Numbers of physical registers in the graph.
const PHYSICAL: u32 = 1 << 30;
/// All physical uniform registers together.
const UNIFORM: u32 = 1 << 31;

/// Schedules the instructions of all blocks; `most` is the register limit of a thread, `warps` the
/// most that run on a multiprocessor.
pub fn run(f: &mut MFunction, isa: Isa, most: u32, warps: u32) {
    let Some(live) = Live::new(f) else { return };
    let full = Limits::REGISTERS_PER_SM / (warps.max(1) * Limits::WARP) / UNIT * UNIT;
    let layout = f.layout.clone();
    let multiplies = layout.iter().flat_map(|&b| &f.blocks[b].insts).any(|i| i.row().effects.pipe == Pipe::Matrix);
    let (full, dense) = if multiplies { (full.max(MATRIX), FRAGMENTED) } else { (full, DENSE) };
    let mut pressure = Pressure { live: &live, files: &f.vregs, left: SecondaryMap::new(), now: Need::default() };
    pressure.left.resize(f.vregs.len());
    let mut need = Need::default();
    for &b in &layout {
        pressure.enter(b, &f.blocks[b]);
        need = f.blocks[b].insts.iter().fold(need, |n, i| n.max(pressure.issue(i)));
        pressure.leave(b, &f.blocks[b]);
    }
    let step = full.max((need.general + SLACK).next_multiple_of(UNIT));
    let limit = step.saturating_sub(DENSE).max(need.general).min(most.saturating_sub(dense));
    let limit = Need { general: limit, predicates: PREDICATES };
    for &b in &layout {
        pressure.enter(b, &f.blocks[b]);
        let insts = &mut f.blocks[b].insts;
        let roles: Vec<Role> = insts.iter().map(|i| role(i.row(), special(i), passing(i))).collect();
        let mut from = 0;
        while from < insts.len() {
            let wall = roles[from..].iter().position(|&r| r == Role::Wall).map_or(insts.len(), |n| from + n + 1);
            let to = wall.min(from + WINDOW);
            region(&mut insts[from..to], &roles[from..to], &mut pressure, isa, limit);
            from = to;
        }
        pressure.leave(b, &f.blocks[b]);
    }
}

fn special(i: &MInst) -> Option<u8> {
    i.ops.iter().find_map(|o| if let MKind::Special(n) = o.kind { Some(n) } else { None })
}

fn passing(i: &MInst) -> bool {
    i.ops.iter().any(|o| matches!(o.kind, MKind::Uniform(UTEMP)))
}

/// Schedules a region; advances the pressure to its end.
fn region(insts: &mut [MInst], roles: &[Role], pressure: &mut Pressure<'_>, isa: Isa, limit: Need) {
    let before = pressure.now;
    if insts.len() > 2 {
        let touched = Touched::of(insts, pressure.files);
        let nodes: Vec<Node> = insts.iter().zip(roles).map(|(i, &role)| node(i, role)).collect();
        let variable: Vec<bool> = insts.iter().map(|i| i.row().effects.variable.contains(isa)).collect();
        let latency = |n: usize| if variable[n] { typical(insts[n].row()) } else { FIXED };
        let dag = Dag::new(&nodes, |dep, from, _| match dep {
            Dep::Read(_) | Dep::Rewrite(_) => latency(from),
            Dep::Overwrite | Dep::Order => 1,
        });
        let heights = dag.heights(|n| if variable[n] { latency(n) } else { 1 });
        let pipes: Vec<(Pipe, u32)> = insts.iter().map(|i| pipe(isa, i.row())).collect();
        let old = (0..insts.len()).fold(Need::default(), |n, k| n.max(pressure.issue_known(&touched, k)));
        let cycles = in_order(&dag, &heights, &pipes);
        pressure.back(before, &touched);
        let mut best: Option<Found> = None;
        if old.general > limit.general {
            // Longer live ranges cause spills: the order with the fewest registers counts.
            for ahead in AHEAD {
                let found = schedule(&touched, &dag, &heights, &pipes, pressure, limit, ahead);
                pressure.back(before, &touched);
                let least = best.as_ref().map_or(old.general, |b| b.most.general);
                if found.most.general < least && found.most.fits(limit.max(old)) {
                    best = Some(found);
                }
                if best.as_ref().is_some_and(|b| b.most.fits(limit)) {
                    break;
                }
            }
        } else {
            for n in 0..TRIES {
                let room = Need { general: limit.general.saturating_sub(n * STEP), ..limit };
                let found = schedule(&touched, &dag, &heights, &pipes, pressure, room, u32::MAX);
                pressure.back(before, &touched);
                if found.cycles < cycles && found.most.fits(limit.max(old)) {
                    best = Some(found);
                    break;
                }
            }
        }
        if let Some(found) = best {
            permute(insts, &found.order);
        }
    }
    insts.iter().for_each(|i| {
        pressure.issue(i);
    });
}

/// An order, its length in cycles, and the registers that it needs.
struct Found {
    order: Vec<u32>,
    cycles: u32,
    most: Need,
}

/// Schedules a region with at most `room` registers where possible. What takes a register waits for
/// what is more than `ahead` cycles farther from the end of the region.
fn schedule(
    touched: &Touched,
    dag: &Dag,
    heights: &[u32],
    pipes: &[(Pipe, u32)],
    pressure: &mut Pressure<'_>,
    room: Need,
    ahead: u32,
) -> Found {
    let mut clock = Clock::new(pipes);
    let mut left = dag.preds.clone();
    let mut ready: Vec<u32> = (0..left.len() as u32).filter(|&n| left[n as usize] == 0).collect();
    let mut found = Found { order: Vec::with_capacity(left.len()), cycles: 0, most: Need::default() };
    while !ready.is_empty() {
        // No instruction that is left has a greater height.
        let highest = ready.iter().map(|&n| heights[n as usize]).max().unwrap_or(0);
        let key = |&n: &u32| {
            let (peak, after) = pressure.effect_of(touched, n as usize);
            let low = u32::MAX - heights[n as usize];
            // Those that fit, by time; the others, by the registers they free.
            let fits = peak.fits(room) || after.fits(pressure.now);
            let early = after.general > pressure.now.general && highest - heights[n as usize] > ahead;
            let first = if fits { 0 } else { after.beyond(room) };
            (!fits, early, first, clock.at(n as usize), low, n)
        };
        let Some(k) = (0..ready.len()).min_by_key(|&k| key(&ready[k])) else { break };
        let n = ready.swap_remove(k) as usize;
        clock.issue(n, dag, heights[n]);
        found.most = found.most.max(pressure.issue_known(touched, n));
        found.order.push(n as u32);
        for &(s, _) in &dag.succs[n] {
            left[s as usize] -= 1;
            if left[s as usize] == 0 {
                ready.push(s);
            }
        }
    }
    found.cycles = clock.end;
    found
}

/// Returns the graph node of an instruction.
fn node(i: &MInst, role: Role) -> Node {
    let (mut reads, mut writes) = (SmallVec::new(), SmallVec::new());
    i.for_each_use(|v| reads.push(v.index() as u32));
    i.for_each_def(|v| writes.push(v.index() as u32));
    for (n, o) in i.ops.iter().enumerate() {
        let name = match o.kind {
            MKind::Phys(r) => PHYSICAL | u32::from(r),
            MKind::Uniform(_) => UNIFORM,
            MKind::Addr { phys: Some(r), .. } => PHYSICAL | u32::from(r),
            _ => continue,
        };
        if i.is_def(n) {
            writes.push(name);
        }
        if !i.is_def(n) || i.row().slots[n].access == RowAccess::Both {
            reads.push(name);
        }
    }
    if let MGuard::Phys(p, _) = i.guard {
        reads.push(PHYSICAL | 1 << 9 | u32::from(p));
    }
    let (base, offset) = address(i).unzip();
    Node { reads, writes, role, access: Access::new(i.row(), &i.fields, i.strength, base, offset.unwrap_or(0)) }
}

/// Returns an identifier of the base of an instruction's address, and the offset.
fn address(i: &MInst) -> Option<(u64, i32)> {
    let Some(MKind::Addr { base, phys, offset, .. }) = i.slot(SlotRole::Addr).map(|o| &o.kind) else { return None };
    let name = match (phys, base.as_slice()) {
        (Some(r), _) => u64::from(PHYSICAL | u32::from(*r)),
        (None, []) => u64::from(UNIFORM),
        (None, [v, ..]) => v.index() as u64,
    };
    Some((name, *offset))
}

/// Values live at block ends; only those used in several blocks are kept in sets.
struct Live {
    /// The number of a value in the sets.
    index: SecondaryMap<V, Option<u32>>,
    values: Vec<V>,
    at_start: SecondaryMap<MBlock, Vec<u64>>,
    at_end: SecondaryMap<MBlock, Vec<u64>>,
}

fn terminator_uses(t: &MTerm, mut f: impl FnMut(V)) {
    if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = t {
        f(*v);
    }
    for e in t.edges() {
        e.args.iter().for_each(|a| {
            if let MArg::Reg(v) = a {
                f(*v);
            }
        });
    }
}

impl Live {
    fn new(f: &MFunction) -> Option<Live> {
        let mut home: SecondaryMap<V, Option<MBlock>> = SecondaryMap::new();
        for &b in &f.layout {
            f.blocks[b].params.iter().for_each(|&v| home[v] = Some(b));
            f.blocks[b].insts.iter().for_each(|i| i.for_each_def(|v| home[v] = Some(b)));
        }
        let mut live = Live {
            index: SecondaryMap::new(),
            values: Vec::new(),
            at_start: SecondaryMap::new(),
            at_end: SecondaryMap::new(),
        };
        for &b in &f.layout {
            let mut used = |v: V| {
                if home[v] != Some(b) && live.index[v].is_none() {
                    live.index[v] = Some(live.values.len() as u32);
                    live.values.push(v);
                }
            };
            f.blocks[b].insts.iter().for_each(|i| i.for_each_use(&mut used));
            terminator_uses(&f.blocks[b].term, used);
        }
        let words = live.values.len().div_ceil(64);
        if words.saturating_mul(64).saturating_mul(f.layout.len()) > LARGEST {
            return None;
        }
        let mut known: SecondaryMap<MBlock, Vec<u64>> = SecondaryMap::new();
        for &b in &f.layout {
            let (mut start, mut own) = (vec![0u64; words], vec![0u64; words]);
            let put = |set: &mut Vec<u64>, v: V| {
                if let Some(n) = live.index[v] {
                    set[n as usize / 64] |= 1 << (n % 64);
                }
            };
            let foreign = |v: V| home[v] != Some(b);
            f.blocks[b].insts.iter().for_each(|i| {
                i.for_each_use(|v| {
                    if foreign(v) {
                        put(&mut start, v)
                    }
                })
            });
            terminator_uses(&f.blocks[b].term, |v| {
                if foreign(v) {
                    put(&mut start, v)
                }
            });
            f.blocks[b].params.iter().for_each(|&v| put(&mut own, v));
            f.blocks[b].insts.iter().for_each(|i| i.for_each_def(|v| put(&mut own, v)));
            live.at_start[b] = start;
            live.at_end[b] = vec![0; words];
            known[b] = own;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &b in f.layout.iter().rev() {
                for s in f.blocks[b].term.successors() {
                    for w in 0..words {
                        let new = live.at_start[s][w] & !live.at_end[b][w];
                        if new != 0 {
                            changed = true;
                            live.at_end[b][w] |= new;
                            live.at_start[b][w] |= new & !known[b][w];
                        }
                    }
                }
            }
        }
        Some(live)
    }

    fn members<'a>(&'a self, set: &'a [u64]) -> impl Iterator<Item = V> + 'a {
        members(set).map(|n| self.values[n])
    }

    /// Returns the values live at the end of a block.
    fn end_values(&self, b: MBlock) -> impl Iterator<Item = V> + '_ {
        self.members(&self.at_end[b])
    }

    /// Returns the values live at the start of a block, without its parameters.
    fn start_values(&self, b: MBlock) -> impl Iterator<Item = V> + '_ {
        self.members(&self.at_start[b])
    }
}

/// Register pressure while the instructions of a block issue one by one.
struct Pressure<'a> {
    live: &'a Live,
    files: &'a PrimaryMap<V, File>,
    /// Remaining uses of a value in the block; one more for a value that is live out of it.
    left: SecondaryMap<V, u32>,
    now: Need,
}

impl Pressure<'_> {
    /// Counts values by file.
    fn count(&self, values: impl Iterator<Item = V>) -> Need {
        let mut need = Need::default();
        for v in values {
            need.general += u32::from(self.files[v] == File::Gpr);
            need.predicates += u32::from(self.files[v] == File::Pred);
        }
        need
    }

    /// Enters a block.
    fn enter(&mut self, b: MBlock, data: &MBlockData) {
        let mut seen = |v: V, n: u32| self.left[v] += n;
        data.insts.iter().for_each(|i| i.for_each_use(|v| seen(v, 1)));
        terminator_uses(&data.term, |v| seen(v, 1));
        let ends: Vec<V> = self.live.end_values(b).collect();
        ends.into_iter().for_each(|v| seen(v, 1));
        self.now = self.count(self.live.start_values(b).chain(data.params.iter().copied()));
    }

    /// Leaves a block and resets its counts.
    fn leave(&mut self, b: MBlock, data: &MBlockData) {
        let mut gone = |v: V| self.left[v] = 0;
        data.insts.iter().for_each(|i| i.for_each_use(&mut gone));
        terminator_uses(&data.term, &mut gone);
        let ends: Vec<V> = self.live.end_values(b).collect();
        ends.into_iter().for_each(gone);
    }

    /// Counts the values whose last use is an instruction, which may name them more than once.
    fn ending(&self, i: &MInst) -> Need {
        let mut uses: SmallVec<[V; 8]> = SmallVec::new();
        i.for_each_use(|v| uses.push(v));
        uses.sort_unstable();
        let groups = uses.chunk_by(|a, b| a == b);
        self.count(groups.filter(|g| self.left[g[0]] == g.len() as u32).map(|g| g[0]))
    }

    /// Returns the registers in use at and after an instruction that issues next.
    fn effect(&self, i: &MInst) -> (Need, Need) {
        let mut defs: SmallVec<[V; 8]> = SmallVec::new();
        i.for_each_def(|v| defs.push(v));
        let (ending, defined) = (self.ending(i), self.count(defs.iter().copied()));
        let dead = self.count(defs.iter().copied().filter(|&v| self.left[v] == 0));
        let peak = |now: u32, ending: u32, defined: u32| now.saturating_sub(ending) + defined;
        let at = Need {
            general: peak(self.now.general, ending.general, defined.general),
            predicates: peak(self.now.predicates, ending.predicates, defined.predicates),
        };
        (at, Need { general: at.general - dead.general, predicates: at.predicates - dead.predicates })
    }

    /// Issues an instruction; returns the registers in use at it.
    fn issue(&mut self, i: &MInst) -> Need {
        let (peak, after) = self.effect(i);
        i.for_each_use(|v| self.left[v] = self.left[v].saturating_sub(1));
        self.now = after;
        peak
    }

    /// [`Pressure::effect`] for an instruction of a region.
    fn effect_of(&self, touched: &Touched, n: usize) -> (Need, Need) {
        let (uses, defs) = touched.at(n);
        let (mut at, mut after) = (self.now, Need::default());
        for u in uses {
            let ends = u32::from(self.left[u.v] == u.times);
            at.general -= (ends * u.weight.general).min(at.general);
            at.predicates -= (ends * u.weight.predicates).min(at.predicates);
        }
        for d in defs {
            let dead = u32::from(self.left[d.v] == 0);
            at.general += d.weight.general;
            at.predicates += d.weight.predicates;
            after.general += dead * d.weight.general;
            after.predicates += dead * d.weight.predicates;
        }
        (at, Need { general: at.general - after.general, predicates: at.predicates - after.predicates })
    }

    /// [`Pressure::issue`] for an instruction of a region.
    fn issue_known(&mut self, touched: &Touched, n: usize) -> Need {
        let (peak, after) = self.effect_of(touched, n);
        for u in touched.at(n).0 {
            self.left[u.v] = self.left[u.v].saturating_sub(u.times);
        }
        self.now = after;
        peak
    }

    /// Undoes the issue of all instructions of a region; `now` registers were in use before.
    fn back(&mut self, now: Need, touched: &Touched) {
        touched.list.iter().for_each(|t| self.left[t.v] += t.times);
        self.now = now;
    }
}

/// A register that an instruction touches.
#[derive(Clone, Copy, Debug)]
struct Touch {
    v: V,
    /// How often it is read; 0 for a result.
    times: u32,
    /// What it adds to the pressure.
    weight: Need,
}

/// The registers that the instructions of a region read and write, each once per instruction.
struct Touched {
    list: Vec<Touch>,
    /// The ends of each instruction's reads and results in the list.
    ends: Vec<(u32, u32)>,
}

impl Touched {
    fn of(insts: &[MInst], files: &PrimaryMap<V, File>) -> Touched {
        let mut out = Touched { list: Vec::with_capacity(4 * insts.len()), ends: Vec::with_capacity(insts.len()) };
        let weight =
            |v: V| Need { general: u32::from(files[v] == File::Gpr), predicates: u32::from(files[v] == File::Pred) };
        for i in insts {
            let from = out.list.len();
            i.for_each_use(|v| match out.list[from..].iter_mut().find(|t| t.v == v) {
                Some(t) => t.times += 1,
                None => out.list.push(Touch { v, times: 1, weight: weight(v) }),
            });
            let reads = out.list.len() as u32;
            i.for_each_def(|v| out.list.push(Touch { v, times: 0, weight: weight(v) }));
            out.ends.push((reads, out.list.len() as u32));
        }
        out
    }

    /// Returns the reads and results of an instruction.
    fn at(&self, n: usize) -> (&[Touch], &[Touch]) {
        let from = if n == 0 { 0 } else { self.ends[n - 1].1 as usize };
        let (reads, end) = (self.ends[n].0 as usize, self.ends[n].1 as usize);
        (&self.list[from..reads], &self.list[reads..end])
    }
}
