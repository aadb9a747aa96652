//! Register pressure and its cost: the number of warps on a multiprocessor.
//!
//! Problem: registers below the next step of occupancy are free, those that cross one cost warps.
//! Scheduling before allocation and allocation itself use the same functions, so that they agree on
//! costs.
//!
//! A warp gets registers in units of [`Limits::REGISTER_UNIT`] from one of four banks of the
//! multiprocessor (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability";
//! the occupancy calculator of the CUDA toolkit).

use raddle_entity::{EntityRef, PrimaryMap, SecondaryMap};
use raddle_ir::Function;
use raddle_sass::row::File;
use raddle_target::Limits;

use crate::bounds;
use crate::live::{Liveness, for_each_end_use};
use crate::mir::{MBlock, MFunction, V};

/// The live registers of one file at a point of a walk through a block.
pub(crate) struct LiveSet<'a> {
    files: &'a PrimaryMap<V, File>,
    file: File,
    /// The walk in which each register was last found live, if it still is.
    walk: Vec<u32>,
    this: u32,
    count: usize,
}

impl<'a> LiveSet<'a> {
    /// Creates an empty set.
    pub(crate) fn of(f: &'a MFunction, file: File) -> Self {
        LiveSet { files: &f.vregs, file, walk: vec![0; f.vregs.len()], this: 0, count: 0 }
    }

    /// Returns how many registers are live.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Starts a new walk with an empty set.
    pub(crate) fn clear(&mut self) {
        self.this += 1;
        self.count = 0;
    }

    /// Marks a register live, if it belongs to the file.
    pub(crate) fn insert(&mut self, v: V) {
        if self.files[v] == self.file && std::mem::replace(&mut self.walk[v.index()], self.this) != self.this {
            self.count += 1;
        }
    }

    /// Marks a register dead.
    pub(crate) fn remove(&mut self, v: V) {
        if self.walk[v.index()] == self.this {
            self.walk[v.index()] = 0;
            self.count -= 1;
        }
    }

    /// Whether it belongs to the file and is not live.
    fn is_missing(&self, v: V) -> bool {
        self.files[v] == self.file && self.walk[v.index()] != self.this
    }
}

/// Returns the highest pressure of a file in each block; in SSA form or outside of it.
pub fn per_block(f: &MFunction, file: File) -> SecondaryMap<MBlock, usize> {
    let live = Liveness::of(f);
    let mut out: SecondaryMap<MBlock, usize> = SecondaryMap::new();
    let mut now = LiveSet::of(f, file);
    for &x in &f.layout {
        let data = &f.blocks[x];
        now.clear();
        live.live_out(f, x).into_iter().for_each(|v| now.insert(v));
        for_each_end_use(&data.term, |v| now.insert(v));
        let mut most = now.count;
        for i in data.insts.iter().rev() {
            // An unused result takes its register for an instant.
            let mut unread = 0;
            i.for_each_def(|v| unread += usize::from(now.is_missing(v)));
            most = most.max(now.count + unread);
            i.for_each_def(|v| now.remove(v));
            i.for_each_use(|v| now.insert(v));
            most = most.max(now.count);
        }
        data.params.iter().for_each(|&v| now.insert(v));
        out[x] = most.max(now.count);
    }
    out
}

/// Returns the highest pressure of a file: no allocation needs less without spilling.
pub fn peak(f: &MFunction, file: File) -> usize {
    let blocks = per_block(f, file);
    f.layout.iter().map(|&x| blocks[x]).max().unwrap_or(0)
}

/// Returns the warps of a CTA by the launch bounds; 1 without any.
pub fn warps_of_cta(f: &Function) -> u32 {
    bounds::warps_of(&f.bounds).unwrap_or(1)
}

/// Returns how many warps a multiprocessor holds, in whole CTAs, if the code of a thread names this
/// many registers.
pub fn warps(limits: &Limits, cta: u32, registers: u32) -> u32 {
    let warp = ((registers + Limits::RESERVED_REGISTERS) * Limits::WARP).next_multiple_of(Limits::REGISTER_UNIT);
    let room = (Limits::REGISTERS_PER_SM / Limits::PARTITIONS / warp * Limits::PARTITIONS).min(limits.warps_per_sm);
    room / cta.max(1) * cta.max(1)
}

/// Returns the most registers that allow as many warps as `registers` do.
pub fn target(limits: &Limits, cta: u32, registers: u32) -> u32 {
    let want = warps(limits, cta, registers);
    let unit = Limits::REGISTER_UNIT / Limits::WARP;
    let mut best = whole_units(registers);
    while best < Limits::NAMED_REGISTERS && warps(limits, cta, best + unit) == want {
        best += unit;
    }
    best.min(Limits::NAMED_REGISTERS)
}

/// Returns the registers that code may name if those it names are allocated in whole units.
fn whole_units(registers: u32) -> u32 {
    let unit = Limits::REGISTER_UNIT / Limits::WARP;
    (registers + Limits::RESERVED_REGISTERS).next_multiple_of(unit) - Limits::RESERVED_REGISTERS
}

/// Returns the most registers that allow more warps than `registers` do, if there are any.
pub fn below(limits: &Limits, cta: u32, registers: u32) -> Option<u32> {
    let now = warps(limits, cta, registers);
    let unit = Limits::REGISTER_UNIT / Limits::WARP;
    let mut less = whole_units(registers).checked_sub(unit)?;
    while less > 0 && warps(limits, cta, less) == now {
        less = less.saturating_sub(unit);
    }
    (less > 0).then_some(less)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOPPER: Limits =
        Limits { warps_per_sm: 64, ctas_per_sm: 32, shared_per_sm: 233_472, shared_per_cta: 232_448 };

    #[test]
    fn occupancy_falls_in_steps() {
        let warps: Vec<u32> = [14, 30, 31, 38, 46, 62, 63, 126, 253].iter().map(|&r| warps(&HOPPER, 1, r)).collect();
        assert_eq!(warps, [64, 64, 48, 48, 40, 32, 28, 16, 8]);
    }

    #[test]
    fn registers_below_a_step_are_free() {
        assert_eq!(target(&HOPPER, 1, 10), 30);
        assert_eq!(target(&HOPPER, 1, 31), 38);
        assert_eq!(target(&HOPPER, 1, 127), 166);
        // Four CTAs of 512 threads fit at a register count of 32, three at 40, two up to 64.
        assert_eq!(target(&HOPPER, 16, 46), 62);
        assert_eq!(below(&HOPPER, 1, 34), Some(30));
        assert_eq!(below(&HOPPER, 16, 54), Some(38));
        assert_eq!(below(&HOPPER, 1, 28), None);
    }
}
