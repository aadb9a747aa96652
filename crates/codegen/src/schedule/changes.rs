//! What each instruction of a region would change in the register pressure if it issued next.
//!
//! Problem: a list schedule asks this for every ready instruction before every issue. Strategy: the
//! answer is kept for each instruction. It changes only where a value has one reader left in the
//! region and no use after it: then that reader frees the value's register. The last reader is known
//! without a search, as the exclusive or of the numbers of all readers that have not issued.

use raddle_entity::SecondaryMap;

use super::live_registers::{Diff, Need, Pressure, Readers, Touched};
use crate::mir::V;

/// The change of pressure by an instruction that issues next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    /// At the instruction: its results have registers, the values that it reads last have none.
    pub(super) at: Diff,
    /// After it: results without a reader have none either.
    pub(super) after: Diff,
}

/// The changes by the instructions of a region.
pub(super) struct Changes<'a> {
    touched: &'a Touched,
    of: Vec<Change>,
}

impl<'a> Changes<'a> {
    /// Computes the changes at the start of a region of `count` instructions. `pressure.readers` is
    /// empty then, and is so again when all have issued.
    pub(super) fn new(touched: &'a Touched, count: usize, pressure: &mut Pressure<'_>) -> Changes<'a> {
        let of = (0..count).map(|n| change(touched, n, &pressure.left)).collect();
        for n in 0..count {
            for u in touched.at(n).0 {
                let readers = &mut pressure.readers[u.v];
                *readers = Readers { count: readers.count + 1, numbers: readers.numbers ^ n as u32 };
            }
        }
        Changes { touched, of }
    }

    /// Returns the change by an instruction that has not issued.
    pub(super) fn of(&self, n: usize) -> Change {
        self.of[n]
    }

    /// Ends before all instructions have issued: those that have not count as if they had.
    pub(super) fn give_up(&self, issued: &[u32], pressure: &mut Pressure<'_>) {
        let mut waiting = vec![true; self.of.len()];
        issued.iter().for_each(|&n| waiting[n as usize] = false);
        for n in (0..waiting.len()).filter(|&n| waiting[n]) {
            for u in self.touched.at(n).0 {
                pressure.left[u.v] -= u.times;
                pressure.readers[u.v] = Readers::default();
            }
        }
    }

    /// Issues an instruction; returns the registers in use at it.
    pub(super) fn issue(&mut self, n: usize, pressure: &mut Pressure<'_>) -> Need {
        let peak = pressure.issue_known(self.touched, n);
        for u in self.touched.at(n).0 {
            let readers = &mut pressure.readers[u.v];
            *readers = Readers { count: readers.count - 1, numbers: readers.numbers ^ n as u32 };
            if readers.count == 1 {
                let last = readers.numbers as usize;
                let reads = self.touched.at(last).0.iter().find(|r| r.v == u.v);
                if reads.is_some_and(|r| r.times == pressure.left[u.v]) {
                    self.of[last].at.add(-1, u.weight);
                    self.of[last].after.add(-1, u.weight);
                }
            }
        }
        peak
    }
}

fn change(touched: &Touched, n: usize, left: &SecondaryMap<V, u32>) -> Change {
    let (uses, defs) = touched.at(n);
    let mut at = Diff::default();
    uses.iter().filter(|u| left[u.v] == u.times).for_each(|u| at.add(-1, u.weight));
    defs.iter().for_each(|d| at.add(1, d.weight));
    let mut after = at;
    defs.iter().filter(|d| left[d.v] == 0).for_each(|d| after.add(-1, d.weight));
    Change { at, after }
}

#[cfg(test)]
mod tests {
    use raddle_entity::SplitMix;

    use super::super::live_registers::Live;
    use super::*;
    use crate::testing::{function, random_block};

    #[test]
    fn changes_stay_what_they_are_computed_anew() {
        for seed in 0..200 {
            let mut random = SplitMix(seed);
            let mut f = function(2);
            // Some values are read after the block, some after the region.
            random_block(&mut f, 0, 40, &mut random);
            let live = Live::new(&f).unwrap();
            let mut pressure = Pressure::new(&live, &f.vregs);
            let block = &f.blocks[f.layout[0]];
            pressure.enter(f.layout[0], block);
            let region = &block.insts[..30];
            let touched = Touched::of(region, &f.vregs);
            let mut changes = Changes::new(&touched, region.len(), &mut pressure);
            for n in 0..region.len() {
                for later in n..region.len() {
                    let fresh = change(&touched, later, &pressure.left);
                    assert_eq!(changes.of(later), fresh, "seed {seed}, {later} before {n}");
                }
                let (at, after) = pressure.effect_of(&touched, n);
                let Change { at: more, after: then } = changes.of(n);
                let moved = |d: Diff| {
                    let now = pressure.now;
                    (now.general.wrapping_add_signed(d.general), now.predicates.wrapping_add_signed(d.predicates))
                };
                assert_eq!([(at.general, at.predicates), (after.general, after.predicates)], [more, then].map(moved));
                changes.issue(n, &mut pressure);
            }
            assert!(pressure.readers.values().all(|r| r.count == 0 && r.numbers == 0));
            // Given up in the middle, a region counts as before.
            let before = Need { general: 9, predicates: 1 };
            pressure.back(before, &touched);
            let left = pressure.left.clone();
            let mut changes = Changes::new(&touched, region.len(), &mut pressure);
            let issued: Vec<u32> = (0..random.below(30) as u32).collect();
            issued.iter().for_each(|&n| _ = changes.issue(n as usize, &mut pressure));
            changes.give_up(&issued, &mut pressure);
            pressure.back(before, &touched);
            assert!(pressure.left.iter().eq(left.iter()) && pressure.now == before, "seed {seed}");
            assert!(pressure.readers.values().all(|r| r.count == 0 && r.numbers == 0));
        }
    }
}
