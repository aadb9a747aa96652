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
//! unit (eight registers), within what a thread may have. An order that needs more than the limit
//! and more than the old order is tried again with a lower limit, then given up. In a region that
//! needs more than the limit already, the order with the fewest registers counts: what takes a
//! register waits for the longest path ([`AHEAD`]). A function with matrix products that needs more
//! than a thread has even so is scheduled once more, for latency, without room for fragments, and in
//! regions that end at fences. What allocation then makes of the order may miss a step of occupancy
//! by little: [`Orders::within`] orders the regions anew that need too many registers for that step.
//! Leaves ([`crate::leaf`]) are ordered for the fewest registers ([`dense`]).
//!
//! Invariants: no instruction leaves its block; SSA form, memory order and the order of fences are
//! kept.

use raddle_entity::{EntityRef, PrimaryMap, SecondaryMap};
use raddle_sass::row::{Access as RowAccess, SlotKind, SlotRole, Width};
use raddle_sass::{Isa, Pipe};
use raddle_target::Limits;
use smallvec::SmallVec;

use super::changes::Changes;
use super::dag::{Dag, Dep, Node};
use super::effects::{Access, Role, role};
use super::latency::typical;
use super::list_schedule::{Clock, in_order, permute, pipe};
use super::live_registers::{Diff, Live, Need, Pressure, Touched};
use crate::budgets;
use crate::convention::UTEMP;
use crate::graph::frequency;
use crate::mir::{MBlock, MBlockData, MFunction, MGuard, MInst, MKind};
use crate::verify::registers;

/// Most instructions scheduled at once.
const WINDOW: usize = 4000;
/// Registers not counted in the pressure: the stack pointer, and what alignment wastes.
const SLACK: u32 = 3;
/// The same for an order with a higher pressure.
const DENSE: u32 = 3;
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
/// Typical latency of a fixed-latency result.
const FIXED: u32 = 5;

/// Most predicates that an order may need; there are seven.
const PREDICATES: u32 = 6;

/// The blocks of a function.
type Blocks = PrimaryMap<MBlock, MBlockData>;

/// Numbers of physical registers in the graph.
const PHYSICAL: u32 = 1 << 30;
/// All physical uniform registers together.
const UNIFORM: u32 = 1 << 31;

/// Schedules the instructions of all blocks; `most` is the register limit of a thread, `warps` the
/// most that run on a multiprocessor. Returns `None` for a function that is too large.
pub fn run(f: &mut MFunction, isa: Isa, most: u32, warps: u32) -> Option<Orders> {
    let live = Live::new(f)?;
    let full = Limits::REGISTERS_PER_SM / (warps.max(1) * Limits::WARP) / UNIT * UNIT;
    let (layout, often) = (f.layout.clone(), frequency(f));
    let multiplies = layout.iter().flat_map(|&b| &f.blocks[b].insts).any(|i| i.row().effects.pipe == Pipe::Matrix);
    let full = if multiplies { full.max(MATRIX) } else { full };
    let mut pressure = Pressure::new(&live, &f.vregs);
    let need = needed(&f.blocks, &layout, &mut pressure);
    let reserved = Limits::RESERVED_REGISTERS;
    let step = full.max((need.general + SLACK + reserved).next_multiple_of(UNIT)) - reserved;
    let limit = |dense: u32| Need {
        general: step.saturating_sub(DENSE).max(need.general).min(most.saturating_sub(dense)),
        predicates: PREDICATES,
    };
    let below = budgets::below(f).unwrap_or_default();
    let least = most.saturating_sub(DENSE);
    let limited = limit(if multiplies { FRAGMENTED } else { DENSE });
    let room = Room { limit: limited, spills: false, fenced: false, most: least, below };
    let before = (multiplies && need.general > most).then(|| f.blocks.clone());
    let mut found = Outcome::default();
    reorder(&mut f.blocks, &layout, &often, &mut pressure, isa, &room, None, &mut found);
    if let Some(blocks) = before.filter(|_| found.most > most) {
        // Registers are spilled in any case: fragments need not all find places, and latency counts.
        f.blocks = blocks;
        let room = Room { limit: limit(DENSE), spills: true, fenced: true, ..room };
        found = Outcome::default();
        reorder(&mut f.blocks, &layout, &often, &mut pressure, isa, &room, None, &mut found);
        // Other regions than those of a step of occupancy.
        found.regions.clear();
    }
    Some(Orders { live, often, found })
}

/// Schedules the instructions of all blocks for the fewest registers.
pub fn dense(f: &mut MFunction, isa: Isa) {
    let Some(live) = Live::new(f) else { return };
    let (layout, often) = (f.layout.clone(), frequency(f));
    let mut pressure = Pressure::new(&live, &f.vregs);
    reorder(&mut f.blocks, &layout, &often, &mut pressure, isa, &Room::of(0), None, &mut Outcome::default());
}

/// What [`run`] knows of the orders that it has found for the regions of a function.
pub struct Orders {
    live: Live,
    often: SecondaryMap<MBlock, u64>,
    found: Outcome,
}

/// The outcome of orders.
#[derive(Default)]
struct Outcome {
    /// The cycles of each region, and the registers that it needs.
    regions: Vec<(u32, Need)>,
    /// The estimated cycles of the regions, weighted by block frequency.
    cycles: u64,
    /// The most general registers that are live at once.
    most: u32,
}

impl Orders {
    /// The most general registers that are live at once.
    pub fn most(&self) -> u32 {
        self.found.most
    }

    /// Orders the instructions of a function, in the state after [`run`], for at most `registers`
    /// general registers where orders alone achieve that: regions that need no more stay as they are.
    /// Returns `None` as soon as it is known that `less` or more registers are live at once, or that the
    /// estimated time is more than `slower` of that of the known orders.
    pub fn within(&self, f: &MFunction, isa: Isa, registers: u32, less: u32, slower: (u64, u64)) -> Option<MFunction> {
        let mut pressure = Pressure::new(&self.live, &f.vregs);
        let at_start = |b: MBlock| self.live.start_values(b).chain(f.blocks[b].params.iter().copied());
        if f.layout.iter().any(|&b| pressure.count(at_start(b)).general >= less) {
            return None;
        }
        let known = Known { regions: &self.found.regions, less, cycles: self.found.cycles * slower.0 / slower.1 };
        let mut ordered = f.clone();
        let (blocks, room) = (&mut ordered.blocks, Room::of(registers));
        let known = Some(&known);
        reorder(blocks, &f.layout, &self.often, &mut pressure, isa, &room, known, &mut Outcome::default())
            .then_some(ordered)
    }
}

/// The orders of a function that [`Orders::within`] starts from, and when it gives up.
struct Known<'a> {
    regions: &'a [(u32, Need)],
    /// So many registers are too many.
    less: u32,
    /// The most time.
    cycles: u64,
}

/// What the orders of a function may need.
struct Room {
    limit: Need,
    /// Whether registers are spilled whatever the order is.
    spills: bool,
    /// Whether fences end regions: memory accesses do not cross them, and an order of one side with few
    /// registers is found more easily than one of both.
    fenced: bool,
    /// Registers of the block that has most, and how many fewer each block has.
    most: u32,
    below: SecondaryMap<MBlock, u32>,
}

impl Room {
    /// A number of general registers, as far as orders alone achieve that.
    fn of(registers: u32) -> Room {
        let limit = Need { general: registers, predicates: PREDICATES };
        Room { limit, spills: false, fenced: false, most: u32::MAX, below: SecondaryMap::new() }
    }
}

/// What the orders of a block may need.
#[derive(Clone, Copy)]
struct RoomOfBlock {
    limit: Need,
    spills: bool,
}

/// Returns the most registers live at once.
fn needed(blocks: &Blocks, layout: &[MBlock], pressure: &mut Pressure<'_>) -> Need {
    let mut need = Need::default();
    for &b in layout {
        pressure.enter(b, &blocks[b]);
        need = blocks[b].insts.iter().fold(need, |n, i| n.max(pressure.issue(i)));
        pressure.leave(b, &blocks[b]);
    }
    need
}

/// Schedules the regions of all blocks, but for those known to be within the limit, and adds them to `out`.
/// Returns false as soon as an order is out of reach ([`Known`]).
#[expect(clippy::too_many_arguments, reason = "a function, its limits, what is known and what is found")]
fn reorder(
    blocks: &mut Blocks,
    layout: &[MBlock],
    often: &SecondaryMap<MBlock, u64>,
    pressure: &mut Pressure<'_>,
    isa: Isa,
    room: &Room,
    known: Option<&Known<'_>>,
    out: &mut Outcome,
) -> bool {
    for &b in layout {
        let general = room.limit.general.min(room.most.saturating_sub(room.below[b]));
        let of_block = RoomOfBlock { limit: Need { general, ..room.limit }, spills: room.spills };
        pressure.enter(b, &blocks[b]);
        let insts = &mut blocks[b].insts;
        let roles: Vec<Role> = insts.iter().map(|i| role(i.row(), special(i), passing(i))).collect();
        let mut from = 0;
        while from < insts.len() {
            let ends = |&r: &Role| r == Role::Wall || room.fenced && r == Role::Fence;
            let wall = roles[from..].iter().position(ends).map_or(insts.len(), |n| from + n + 1);
            let to = wall.min(from + WINDOW);
            let region = &mut insts[from..to];
            let cycles = match known.and_then(|known| known.regions.get(out.regions.len())) {
                Some(&(cycles, most)) if most.general <= general => cycles,
                _ => schedule_region(region, &roles[from..to], pressure, isa, of_block),
            };
            let most = region.iter().fold(Need::default(), |most, i| most.max(pressure.issue(i)));
            out.cycles += often[b] * u64::from(cycles);
            out.most = out.most.max(most.general);
            out.regions.push((cycles, most));
            if known.is_some_and(|known| out.most >= known.less || out.cycles > known.cycles) {
                return false;
            }
            from = to;
        }
        pressure.leave(b, &blocks[b]);
    }
    true
}

fn special(i: &MInst) -> Option<u8> {
    i.ops.iter().find_map(|o| if let MKind::Special(n) = o.kind { Some(n) } else { None })
}

fn passing(i: &MInst) -> bool {
    i.ops.iter().any(|o| matches!(o.kind, MKind::Uniform(UTEMP)))
}

/// Schedules a region. Returns the estimated cycles.
fn schedule_region(
    insts: &mut [MInst],
    roles: &[Role],
    pressure: &mut Pressure<'_>,
    isa: Isa,
    room: RoomOfBlock,
) -> u32 {
    if insts.len() <= 2 {
        return insts.len() as u32;
    }
    let RoomOfBlock { limit, spills } = room;
    let before = pressure.now;
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
            let least = best.as_ref().map_or(old, |b| b.most).general;
            let Some(below) = least.checked_sub(1) else { break };
            let most = Need { general: below, ..limit.max(old) };
            let goal = Goal { most, cycles: u32::MAX };
            let found = schedule(&touched, &dag, &heights, &pipes, pressure, limit, ahead, goal);
            pressure.back(before, &touched);
            best = found.or(best);
            if best.as_ref().is_some_and(|b| b.most.fits(limit)) {
                break;
            }
        }
    }
    if old.general <= limit.general || spills {
        let (cycles, most) = best.as_ref().map_or((cycles, old), |b| (b.cycles, b.most));
        for n in 0..TRIES {
            let room = Need { general: most.max(limit).general.saturating_sub(n * STEP), ..limit };
            let goal = Goal { most: limit.max(most), cycles };
            let found = schedule(&touched, &dag, &heights, &pipes, pressure, room, u32::MAX, goal);
            pressure.back(before, &touched);
            if found.is_some() {
                best = found;
                break;
            }
        }
    }
    let Some(found) = best else { return cycles };
    permute(insts, &found.order);
    found.cycles
}

/// An order, its length in cycles, and the registers that it needs.
struct Found {
    order: Vec<u32>,
    cycles: u32,
    most: Need,
}

/// What an order must achieve.
#[derive(Clone, Copy)]
struct Goal {
    /// Most registers that it may need.
    most: Need,
    /// It must take fewer cycles.
    cycles: u32,
}

/// Schedules a region with at most `room` registers where possible. What takes a register waits for
/// what is more than `ahead` cycles farther from the end of the region. Returns `None` as soon as
/// the goal is out of reach.
#[expect(clippy::too_many_arguments, reason = "a region, a state and three limits")]
fn schedule(
    touched: &Touched,
    dag: &Dag,
    heights: &[u32],
    pipes: &[(Pipe, u32)],
    pressure: &mut Pressure<'_>,
    room: Need,
    ahead: u32,
    goal: Goal,
) -> Option<Found> {
    let mut clock = Clock::new(pipes);
    let mut changes = Changes::new(touched, heights.len(), pressure);
    let mut left = dag.preds.clone();
    let mut ready: Vec<u32> = (0..left.len() as u32).filter(|&n| left[n as usize] == 0).collect();
    let mut found = Found { order: Vec::with_capacity(left.len()), cycles: 0, most: Need::default() };
    while !ready.is_empty() {
        // No instruction that is left has a greater height.
        let highest = match ahead {
            u32::MAX => 0,
            _ => ready.iter().map(|&n| heights[n as usize]).max().unwrap_or(0),
        };
        let room = pressure.now.left_of(room);
        let key = |&n: &u32| {
            let (change, height) = (changes.of(n as usize), heights[n as usize]);
            // Those that fit, by time; the others, by the registers they free.
            let fits = change.at.fits(room) || change.after.fits(Diff::default());
            let early = change.after.general > 0 && highest.saturating_sub(height) > ahead;
            let first = if fits { 0 } else { change.after.beyond(room) };
            // Compared as one number, which takes a fraction of the time of a tuple.
            let class = u32::from(!fits) << 31 | u32::from(early) << 30 | first.min((1 << 30) - 1);
            let rank = u64::from(class) << 32 | u64::from(clock.at(n as usize));
            u128::from(rank) << 64 | u128::from(u32::MAX - height) << 32 | u128::from(n)
        };
        let Some(k) = (0..ready.len()).min_by_key(|&k| key(&ready[k])) else { break };
        let n = ready.swap_remove(k) as usize;
        clock.issue(n, dag, heights[n]);
        found.most = found.most.max(changes.issue(n, pressure));
        found.order.push(n as u32);
        if clock.end >= goal.cycles || !found.most.fits(goal.most) {
            changes.give_up(&found.order, pressure);
            return None;
        }
        for &(s, _) in &dag.succs[n] {
            left[s as usize] -= 1;
            if left[s as usize] == 0 {
                ready.push(s);
            }
        }
    }
    found.cycles = clock.end;
    Some(found)
}

/// Returns the graph node of an instruction.
fn node(i: &MInst, role: Role) -> Node {
    let (mut reads, mut writes) = (SmallVec::new(), SmallVec::new());
    i.for_each_use(|v| reads.push(v.index() as u32));
    i.for_each_def(|v| writes.push(v.index() as u32));
    for (n, o) in i.ops.iter().enumerate() {
        let slot = &i.row().slots[n];
        let (name, count) = match o.kind {
            MKind::Phys(p) if matches!(slot.kind, SlotKind::Pred(_)) => (PHYSICAL | 1 << 9 | u32::from(p), 1),
            // The arguments of a lookup are four at most.
            MKind::Phys(r) if slot.width == Width::Texture => (PHYSICAL | u32::from(r), 4),
            MKind::Phys(r) => (PHYSICAL | u32::from(r), registers(i, n).max(1) as u32),
            MKind::Uniform(_) => (UNIFORM, 1),
            MKind::Addr { phys: Some(r), .. } => (PHYSICAL | u32::from(r), 1),
            _ => continue,
        };
        if i.is_def(n) {
            writes.extend(name..name + count);
        }
        if !i.is_def(n) || slot.access == RowAccess::Both {
            reads.extend(name..name + count);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pressure::peak;
    use crate::testing::{ISA, constant, function, store};
    use raddle_sass::row::File;

    #[test]
    fn an_order_for_few_registers_uses_values_at_once() {
        let mut f = function(1);
        let vs: Vec<_> = (0..8).map(|n| constant(&mut f, 0, n)).collect();
        vs.iter().for_each(|&v| store(&mut f, 0, &[v]));
        let mut fast = f.clone();
        let orders = run(&mut fast, ISA, 255, 64).unwrap();
        let small = orders.within(&fast, ISA, 2, 3, (100, 1)).unwrap();
        assert!(peak(&f, File::Gpr) == 8);
        assert!(peak(&small, File::Gpr) <= 2, "{} live", peak(&small, File::Gpr));
        // Too slow, and too few registers.
        assert!(orders.within(&fast, ISA, 2, 3, (1, 100)).is_none());
        assert!(orders.within(&fast, ISA, 0, 1, (100, 1)).is_none());
        // The known order is within the limit.
        let same = orders.within(&fast, ISA, orders.most(), orders.most() + 1, (1, 1)).unwrap();
        assert_eq!(same.blocks, fast.blocks);
    }
}
