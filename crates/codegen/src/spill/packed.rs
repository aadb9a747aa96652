//! Homes of spilled predicates that share a general register, one bit each.
//!
//! Problem: code that masks each access of a tile by itself keeps more than 100 predicates at once,
//! and with a general register each they displace the tile. Strategy: predicates that are stored
//! once, in one block, while the home of the one before is in use, share a register of up to 32
//! bits. The first store clears the register and sets its bit (`SEL`), the others set theirs
//! (`@p LOP3`); a reload tests the bit (`LOP3`).
//!
//! Invariant: the register holds no bit that is still to be read when the first store clears it. So
//! a predicate that is live into the block is not packed, nor one with a second definition.

use raddle_entity::{FxHashMap, SecondaryMap};

use super::Home;
use super::apply::Stores;
use crate::live::ranges;
use crate::mir::{MFunction, V};

/// Bits of a register.
const BITS: u8 = 32;

/// Gives predicates bits instead of registers as homes.
pub fn run(f: &MFunction, stores: &Stores, homes: &mut FxHashMap<V, Home>) {
    let live = ranges(f);
    let mut definitions: SecondaryMap<V, u32> = SecondaryMap::new();
    definitions.resize(f.vregs.len());
    for &b in &f.layout {
        f.blocks[b].insts.iter().for_each(|i| i.for_each_def(|v| definitions[v] += 1));
    }
    // The point at which a block begins.
    let mut start = 0;
    for &b in &f.layout {
        // The register that takes the next predicate, its bits, the end of their ranges, and the
        // predicate that is alone so far.
        let mut open: Option<(V, u8, u32, V)> = None;
        for &(n, v) in &stores[b] {
            let Some(&Home::Register(own)) = homes.get(&v) else { continue };
            let range = live.of(v);
            let enters = range.iter().any(|r| r.0 <= start && start < r.1);
            if definitions[v] != 1 || enters {
                continue;
            }
            let (at, end) = (start + 2 * n as u32 + 1, range.last().map_or(0, |r| r.1));
            open = match open {
                Some((of, bits, last, first)) if bits < BITS && at < last => {
                    homes.insert(first, Home::Bit { of, bit: 0, first: true });
                    homes.insert(v, Home::Bit { of, bit: bits, first: false });
                    Some((of, bits + 1, last.max(end), first))
                }
                _ => Some((own, 1, end, v)),
            };
        }
        start += 2 * (f.blocks[b].insts.len() as u32 + 1);
    }
}

#[cfg(test)]
mod tests {
    use raddle_sass::row::{File, SlotRole};

    use crate::mir::{MFunction, MOp, V};
    use crate::sass;
    use crate::spill::{Survey, run};
    use crate::testing::{ISA, function, jump, names, positive, push, store, value};
    use crate::{coalesce, destruct};

    /// Appends the store of a predicate as 0 or 1.
    fn tell(f: &mut MFunction, b: usize, p: V) {
        let v = f.vreg(File::Gpr);
        let given = [
            (SlotRole::Rd, MOp::reg(v)),
            (SlotRole::Ra, MOp::zero()),
            (SlotRole::Rb, MOp::imm(1)),
            (SlotRole::Pp, MOp::reg(p)),
        ];
        push(f, b, sass::sel(), &given);
        store(f, b, &[v]);
    }

    /// Spills predicates until two are live at once.
    fn squeeze(f: &mut MFunction) {
        let groups = destruct::run(f, ISA).unwrap();
        let groups = coalesce::run(f, &groups, &[]);
        let survey = Survey::of(f, File::Pred, ISA);
        run(f, &groups, &survey, 2).unwrap();
        crate::verify::check(f, "spill").unwrap();
    }

    fn count(f: &MFunction, b: usize, name: &str) -> usize {
        names(f, f.layout[b]).into_iter().filter(|n| *n == name).count()
    }

    #[test]
    fn predicates_of_a_block_share_registers() {
        let mut f = function(2);
        let ps: Vec<V> = (0..40)
            .map(|_| {
                let x = value(&mut f, 0);
                positive(&mut f, 0, x)
            })
            .collect();
        jump(&mut f, 0, 1, &[]);
        ps.iter().for_each(|&p| tell(&mut f, 1, p));
        squeeze(&mut f);
        // The first of 32 and the first of the rest clear their registers.
        let (clear, set) = (count(&f, 0, "SEL"), count(&f, 0, "LOP3"));
        assert_eq!((clear, clear + set, count(&f, 1, "LOP3")), (2, 38, 38));
        assert_eq!(count(&f, 1, "ISETP"), 0);
    }

    #[test]
    fn predicates_of_different_blocks_have_registers_of_their_own() {
        let mut f = function(5);
        let mut ps = Vec::new();
        for b in 0..4 {
            let x = value(&mut f, b);
            ps.push(positive(&mut f, b, x));
            jump(&mut f, b, b + 1, &[]);
        }
        ps.iter().for_each(|&p| tell(&mut f, 4, p));
        squeeze(&mut f);
        assert_eq!(count(&f, 4, "ISETP"), 2);
        assert_eq!((0..5).map(|b| count(&f, b, "LOP3")).sum::<usize>(), 0);
    }
}
