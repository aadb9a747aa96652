//! Register allocation of a function, file by file: placement, spilling where numbers are too few,
//! and fewer registers where that allows more warps.
//!
//! Strategy: [`alloc`] places registers without spilling. If that fails, [`spill`] lowers the
//! pressure, further with every attempt; at last every register in the way is spilled everywhere. For
//! a step of occupancy registers are rematerialised or moved to uniform registers, never to memory.

use raddle_entity::SecondaryMap;
use raddle_ir::{Cx, Function, Op, OptLevel, Stop, WgmmaLeft};
use raddle_sass::row::File;
use raddle_target::{Limits, Native};
use smallvec::SmallVec;

use crate::destruct::Groups;
use crate::mir::{MFunction, V};
use crate::verify::checked;
use crate::{alloc, alloc_check, convention, graph, pressure, products, spill};

/// Registers that spilling leaves free so that groups find places, one attempt after the other.
const SLACK: [usize; 6] = [0, 1, 2, 4, 8, 16];
/// A step of [`SLACK`] is left out where more registers than this, for each that it leaves free, found
/// no place before: it would fail, too.
const HELPED: usize = 4;
/// Spilling leaves more registers than this: single instructions need them.
const LEAST: usize = 3;
/// Registers that ptxas 13.0.88 wants beside those of a product of a warpgroup.
const BESIDE_PRODUCT: usize = 26;
/// A step of occupancy is tried if it is at most one in this many registers away.
const NEAR: u32 = 4;
/// The step may cost one more instruction in this many.
const WORTH: u64 = 12;
/// Registers that are left free for groups at it, one attempt after the other.
const FREE: [usize; 3] = [0, 2, 4];
/// Registers below a step of occupancy for which instructions are ordered for it, one after the other:
/// fewer leave too little room for groups, more cost time.
pub(crate) const ORDER: [u32; 2] = [4, 8];
/// Most rounds of spilling everywhere before allocation fails.
const SPILL_ROUNDS: usize = 12;

/// Allocates every virtual register of a function that is not in SSA form. Returns `None` if the
/// function calls leaves and its registers do not suffice without spilling.
///
/// # Errors
/// [`Stop::Resources`] when `limit` general registers are too few; [`Stop::Fuel`],
/// [`Stop::Cancelled`].
pub(crate) fn run(
    cx: &Cx<'_>,
    native: &'static Native,
    f: &Function,
    m: &mut MFunction,
    groups: &mut Groups,
    limit: u32,
) -> Result<Option<alloc::Assignment>, Stop> {
    cx.step(m.vregs.len() as u64)?;
    // That many are counted with those that are reserved.
    let least = if m.called || convention::calls(m) { u32::from(convention::REGISTERS) } else { 0 };
    let limit = limit.max(least.saturating_sub(Limits::RESERVED_REGISTERS)) as usize;
    if usize::from(m.quad_registers) > limit {
        return Err(too_few(f, limit));
    }
    if usize::from(of_leaves(m)) > limit {
        return Ok(None);
    }
    let mut work =
        Work { cx, native, facts: alloc::AllocInputs::of(m), m, groups, placed: alloc::Assignment::default() };
    // Spilled predicates need registers, and uniform registers general ones.
    for file in [File::Upred, File::Ugpr, File::Pred, File::Gpr] {
        cx.step(work.m.vregs.len() as u64)?;
        let placed = match work.file(file, limit)? {
            Some(placed) => placed,
            None if !work.m.leaves.is_empty() => return Ok(None),
            None if work.m.entry_registers.is_some() => {
                let what = "needs more registers than setmaxnreg leaves a warp".to_owned();
                return Err(Stop::Resources { kernel: f.name.clone(), what });
            }
            None => return Err(too_few(f, limit)),
        };
        let fewer = match file {
            File::Gpr if cx.options.opt >= OptLevel::O2 && !work.m.is_leaf && work.m.entry_registers.is_none() => {
                work.for_more_warps(pressure::warps_of_cta(f), &placed)?
            }
            _ => None,
        };
        work.placed = fewer.unwrap_or(placed);
    }
    let Work { m, placed, .. } = work;
    checked(m, "spill")?;
    alloc_check::check(m, &placed)?;
    alloc::drop_moves(m, &placed);
    Ok(Some(alloc::Assignment { registers: placed.registers.max(of_leaves(m)), ..placed }))
}

fn too_few(f: &Function, limit: usize) -> Stop {
    let count = limit + Limits::RESERVED_REGISTERS as usize;
    let mut what = format!("needs more than {count} registers");
    if let Some((line, needs)) = greatest_product(f).filter(|(_, needs)| *needs > count) {
        what += &format!(": the instruction at line {line} needs {needs}");
    }
    Stop::Resources { kernel: f.name.clone(), what }
}

/// The line of the product of a warpgroup with most registers, and how many a kernel with it should
/// have, as ptxas 13.0.88 tells.
fn greatest_product(f: &Function) -> Option<(u32, usize)> {
    let mut greatest = None;
    for inst in f.insts.values() {
        let Op::Wgmma(m) = &inst.op else { continue };
        let left = if m.left == WgmmaLeft::Registers { 4 } else { 0 };
        let needs = m.pieces() + left + BESIDE_PRODUCT;
        if greatest.is_none_or(|(_, most)| needs > most) {
            greatest = Some((f.places[inst.place].line, needs));
        }
    }
    greatest
}

/// State of allocation across the files.
struct Work<'a> {
    cx: &'a Cx<'a>,
    native: &'static Native,
    m: &'a mut MFunction,
    groups: &'a mut Groups,
    facts: alloc::AllocInputs,
    /// The assignment of the previous files.
    placed: alloc::Assignment,
}

impl Work<'_> {
    fn place(
        &self,
        file: File,
        limit: usize,
        fixed: &SecondaryMap<V, bool>,
    ) -> Result<alloc::Assignment, alloc::Failed> {
        alloc::place(self.m, self.groups, &self.facts, file, limit, fixed, &self.placed)
    }

    /// Allocates one file: without spilling where that can succeed, then with ever fewer registers
    /// live at once, then with every register in the way spilled everywhere. Returns `None` if all
    /// of that fails.
    fn file(&mut self, file: File, limit: usize) -> Result<Option<alloc::Assignment>, Stop> {
        let mut fixed = products::pinned(self.m);
        let leaves = file == File::Gpr && !self.m.leaves.is_empty();
        let room = alloc::room(&self.facts, file, limit);
        let steps: Vec<usize> = SLACK.into_iter().filter(|s| room > s + LEAST).collect();
        let mut failed = alloc::Failed::default();
        // What an attempt leaves without a place matters only where no step follows.
        if !alloc::is_hopeless(self.m, &self.facts, file, limit) || steps.is_empty() && !leaves {
            match self.place(file, limit, &fixed) {
                Ok(placed) => return Ok(Some(placed)),
                Err(f) => failed = f,
            }
        }
        if leaves {
            return Ok(None);
        }
        let mut whole = (self.m.clone(), self.groups.clone());
        let mut survey = spill::Survey::of(self.m, file, self.native.isa);
        let mut missing = 0;
        for (n, &slack) in steps.iter().enumerate() {
            if slack * HELPED < missing && n + 1 < steps.len() {
                continue;
            }
            self.cx.step(self.m.vregs.len() as u64)?;
            if !self.spilled(&whole, file, &survey, room - slack)? {
                // Too few uniform registers for homes of general ones.
                whole.0.alike.clear();
                survey = spill::Survey::of(&whole.0, file, self.native.isa);
                self.spilled(&whole, file, &survey, room - slack)?;
            }
            match self.place(file, limit, &fixed) {
                Ok(placed) => return Ok(Some(placed)),
                Err(f) => failed = f,
            }
            missing = failed.spill.len();
        }
        for _ in 0..SPILL_ROUNDS {
            let spill: Vec<V> = failed.spill.into_iter().filter(|v| !fixed[*v]).collect();
            if spill.is_empty() {
                return Ok(None);
            }
            spill::everywhere::run(self.m, self.groups, self.native.isa, &spill, &mut fixed)?;
            self.cx.step(self.m.vregs.len() as u64)?;
            self.facts = alloc::AllocInputs::of(self.m);
            failed = match self.place(file, limit, &fixed) {
                Ok(placed) => return Ok(Some(placed)),
                Err(failed) => failed,
            };
        }
        Ok(None)
    }

    /// Spills registers of a file of a function until at most `room` are live at once. Returns whether there are
    /// uniform registers for all homes in them.
    fn spilled(
        &mut self,
        whole: &(MFunction, Groups),
        file: File,
        survey: &spill::Survey,
        room: usize,
    ) -> Result<bool, Stop> {
        (*self.m, *self.groups) = whole.clone();
        *self.groups = spill::run(self.m, self.groups, survey, room)?;
        checked(self.m, "spill")?;
        self.facts = alloc::AllocInputs::of(self.m);
        if file != File::Gpr {
            return Ok(true);
        }
        let placed = with_homes(self.m, self.groups, &self.facts, &self.placed);
        Ok(placed.map(|placed| self.placed = placed).is_some())
    }

    /// Allocates within the next step of occupancy as long as the assignment, `now` at first, is near
    /// one. `cta` is the number of warps of a CTA.
    fn for_more_warps(&mut self, cta: u32, now: &alloc::Assignment) -> Result<Option<alloc::Assignment>, Stop> {
        let most = more(weight(self.m));
        let mut best = None;
        while let Some(less) = near(self.native, cta, self.m, best.as_ref().unwrap_or(now))
            && let Some(placed) = self.within(less as usize, most)?
        {
            best = Some(placed);
        }
        Ok(best)
    }

    /// Places general registers in fewer numbers: by another placement, by rematerialisation or in uniform
    /// registers, but never by spilling to memory, and not if the weight of the function is more than `most`
    /// then.
    fn within(&mut self, less: usize, most: u64) -> Result<Option<alloc::Assignment>, Stop> {
        if let Some(placed) = alloc::fit(self.m, self.groups, &self.facts, less, &self.placed) {
            return Ok(Some(placed));
        }
        let (live, across) = self.facts.most(self.m, File::Gpr);
        // Where no more are live, nothing is evicted.
        let evicts = |room: usize| live > room || across > self.facts.kept_of_calls(File::Gpr, room);
        let room = alloc::room(&self.facts, File::Gpr, less);
        let room = if evicts(room) { room } else { room.min(live) };
        let attempts = FREE.into_iter().filter(|s| room > s + LEAST);
        let rooms: SmallVec<[usize; FREE.len()]> = attempts.map(|s| room - s).filter(|&room| evicts(room)).collect();
        if rooms.is_empty() {
            return Ok(None);
        }
        let survey = spill::Survey::of(self.m, File::Gpr, self.native.isa);
        for room in rooms {
            let (tried, groups) = match spill::without_memory(self.m, self.groups, &survey, room)? {
                spill::WithoutMemory::Done(tried, groups) => (tried, groups),
                spill::WithoutMemory::Unchanged => continue,
                spill::WithoutMemory::NeedsMemory => return Ok(None),
            };
            if weight(&tried) > most {
                return Ok(None);
            }
            let facts = alloc::AllocInputs::of(&tried);
            let Some(before) = with_homes(&tried, &groups, &facts, &self.placed) else { return Ok(None) };
            if let Some(placed) = alloc::fit(&tried, &groups, &facts, less, &before) {
                (*self.m, *self.groups, self.facts, self.placed) = (*tried, groups, facts, before);
                return Ok(Some(placed));
            }
        }
        Ok(None)
    }
}

/// An assignment with numbers for the uniform registers that are homes of general ones, `None` if there are
/// too few.
fn with_homes(
    m: &MFunction,
    groups: &Groups,
    facts: &alloc::AllocInputs,
    placed: &alloc::Assignment,
) -> Option<alloc::Assignment> {
    if m.alike.is_empty() {
        return Some(placed.clone());
    }
    alloc::place(m, groups, facts, File::Ugpr, 0, &SecondaryMap::new(), placed).ok()
}

/// The most registers of a leaf of a function.
fn of_leaves(m: &MFunction) -> u16 {
    m.leaves.iter().map(|leaf| leaf.registers).max().unwrap_or(0)
}

/// The next step of occupancy, if an assignment is near it.
fn near(native: &Native, cta: u32, m: &MFunction, now: &alloc::Assignment) -> Option<u32> {
    let registers = u32::from(now.registers.max(of_leaves(m)));
    let less = pressure::below(&native.limits, cta, registers)?;
    (registers - less <= registers / NEAR && u32::from(of_leaves(m)) <= less).then_some(less)
}

/// [`near`] for a function of `f`, for which [`run`] has found an assignment.
pub(crate) fn step_below(native: &Native, f: &Function, m: &MFunction, now: &alloc::Assignment) -> Option<u32> {
    near(native, pressure::warps_of_cta(f), m, now)
}

/// Allocates with at most `limit` general registers, without spilling, if that leaves the weight of the
/// function near `before`.
///
/// # Errors
/// Those of [`run`].
pub(crate) fn within(
    cx: &Cx<'_>,
    native: &'static Native,
    m: &mut MFunction,
    groups: &mut Groups,
    limit: usize,
    before: u64,
) -> Result<Option<alloc::Assignment>, Stop> {
    let frame = m.frame;
    let mut work =
        Work { cx, native, facts: alloc::AllocInputs::of(m), m, groups, placed: alloc::Assignment::default() };
    for file in [File::Upred, File::Ugpr, File::Pred] {
        let Some(placed) = work.file(file, limit)? else { return Ok(None) };
        work.placed = placed;
    }
    let Some(placed) = alloc::fit(work.m, work.groups, &work.facts, limit, &work.placed) else { return Ok(None) };
    if m.frame > frame || weight(m) > more(before) {
        return Ok(None);
    }
    checked(m, "spill")?;
    alloc_check::check(m, &placed)?;
    alloc::drop_moves(m, &placed);
    Ok(Some(alloc::Assignment { registers: placed.registers.max(of_leaves(m)), ..placed }))
}

/// The most weight that a step of occupancy may leave a function that has a weight without it.
fn more(weight: u64) -> u64 {
    weight * (WORTH + 1) / WORTH
}

/// Counts the instructions of a function, weighted by block frequency.
pub(crate) fn weight(m: &MFunction) -> u64 {
    let often = graph::frequency(m);
    m.layout.iter().map(|&b| often[b] * m.blocks[b].insts.len() as u64).sum()
}
