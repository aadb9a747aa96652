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
//! and more than the old order is tried again with a lower limit, then given up; where limits had a say,
//! loads move up in what was found (`raise`). New values of a loop's variables follow the readers of
//! the old (`updates`). In a region that needs more than the limit already, the order with the fewest registers counts: what takes a
//! register waits for the longest path (`region::AHEAD`). A function with matrix products that needs more
//! than a thread has even so is scheduled once more, for latency, without room for fragments, and in
//! regions that end at fences. What allocation then makes of the order may miss a step of occupancy
//! by little: [`Orders::within`] orders the regions anew that need too many registers for that step.
//! Leaves ([`crate::leaf`]) are ordered for the fewest registers ([`dense`]).
//!
//! Invariants: no instruction leaves its block; SSA form, memory order and the order of fences are
//! kept.

use raddle_entity::SecondaryMap;
use raddle_sass::{Isa, Pipe};
use raddle_target::Limits;

use super::effects::{Role, ssa_role};
use super::live_registers::{Live, Need, Pressure};
use super::region::{RoomOfBlock, schedule_region};
use super::updates::{self, Blocks};
use crate::budgets;
use crate::graph::frequency;
use crate::mir::{MBlock, MFunction};

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

/// Most predicates that an order may need; there are seven.
const PREDICATES: u32 = 6;

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
        let updates = updates::of(blocks, b);
        let insts = &mut blocks[b].insts;
        let updates = updates::sink(insts, updates);
        pressure.enter(b, &blocks[b]);
        let insts = &mut blocks[b].insts;
        let roles: Vec<Role> = insts.iter().map(ssa_role).collect();
        let mut from = 0;
        while from < insts.len() {
            let ends = |&r: &Role| r == Role::Wall || room.fenced && r == Role::Fence;
            let wall = roles[from..].iter().position(ends).map_or(insts.len(), |n| from + n + 1);
            let to = wall.min(from + WINDOW);
            let region = &mut insts[from..to];
            let cycles = match known.and_then(|known| known.regions.get(out.regions.len())) {
                Some(&(cycles, most)) if most.general <= general => cycles,
                _ => schedule_region(region, &roles[from..to], &updates, pressure, isa, of_block),
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
