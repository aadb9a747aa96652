//! The order of one region in SSA form, before register allocation (see [`super::early_loads`]).

use raddle_entity::EntityRef;
use raddle_sass::row::{Access as RowAccess, SlotKind, SlotRole, Width};
use raddle_sass::{Isa, Pipe};
use smallvec::SmallVec;

use super::changes::Changes;
use super::dag::{Dag, Dep, Node};
use super::effects::{Access, Role};
use super::latency::typical;
use super::list_schedule::{Clock, in_order, permute, pipe};
use super::live_registers::{Diff, Need, Pressure, Touched};
use super::raise;
use super::updates::Updates;
use crate::mir::{MGuard, MInst, MKind};
use crate::verify::registers;

/// Decrease of the limit where an order needs too much.
const STEP: u32 = 4;
/// Most orders tried for a region.
const TRIES: u32 = 4;
/// How many cycles before the longest path an instruction may take a register, in a region that
/// needs too many: one after the other, until an order fits.
const AHEAD: [u32; 5] = [u32::MAX, 96, 48, 24, 8];
/// Typical latency of a fixed-latency result.
const FIXED: u32 = 5;

/// Numbers of physical registers in the graph.
const PHYSICAL: u32 = 1 << 30;
/// All physical uniform registers together.
const UNIFORM: u32 = 1 << 31;

/// What the orders of a block may need.
#[derive(Clone, Copy)]
pub(super) struct RoomOfBlock {
    pub limit: Need,
    /// Whether registers are spilled whatever the order is.
    pub spills: bool,
}

/// Schedules a region. Returns the estimated cycles.
pub(super) fn schedule_region(
    insts: &mut [MInst],
    roles: &[Role],
    updates: &Updates,
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
    let nodes: Vec<Node> = insts.iter().zip(roles).map(|(i, &role)| node(i, role, updates)).collect();
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
    // Registers are not known to be scarce where the first list schedule fits and takes fewer cycles.
    let (mut best, mut scarce): (Option<Found>, bool) = (None, true);
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
                (best, scarce) = (found, n > 0);
                break;
            }
        }
    }
    if scarce {
        let region = raise::Region {
            touched: &touched,
            dag: &dag,
            latency: (0..insts.len()).map(latency).collect(),
            free: nodes.iter().map(|n| n.role == Role::Free && n.access.is_none()).collect(),
        };
        let start = best.as_ref().map_or_else(|| (0..insts.len() as u32).collect(), |b| b.order.clone());
        let most = best.as_ref().map_or(old, |b| b.most).max(limit);
        for together in raise::TOGETHER {
            let order = raise::raise(&region, pressure, start.clone(), most.general, together);
            let found = measure(&touched, &dag, &heights, &pipes, pressure, order);
            pressure.back(before, &touched);
            let least = best.as_ref().map_or(cycles, |b| b.cycles);
            if found.cycles < least && found.most.fits(most) {
                best = Some(found);
            }
        }
    }
    let Some(found) = best else { return cycles };
    permute(insts, &found.order);
    found.cycles
}

/// Returns the cycles and the registers of an order.
fn measure(
    touched: &Touched,
    dag: &Dag,
    heights: &[u32],
    pipes: &[(Pipe, u32)],
    pressure: &mut Pressure<'_>,
    order: Vec<u32>,
) -> Found {
    let (mut clock, mut most) = (Clock::new(pipes), Need::default());
    for &n in &order {
        clock.issue(n as usize, dag, heights[n as usize]);
        most = most.max(pressure.issue_known(touched, n as usize));
    }
    Found { order, cycles: clock.end, most }
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
fn node(i: &MInst, role: Role, updates: &Updates) -> Node {
    let (mut reads, mut writes) = (SmallVec::new(), SmallVec::new());
    i.for_each_use(|v| reads.push(v.index() as u32));
    i.for_each_def(|v| {
        writes.push(v.index() as u32);
        // As if it overwrote the old value: after those that read it.
        writes.extend(updates.get(&v).map(|old| old.index() as u32));
    });
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
