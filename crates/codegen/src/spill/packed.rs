//! Homes of spilled predicates that share a general register, one bit each.
//!
//! Problem: code that masks each access of a tile by itself keeps more than 100 predicates at once,
//! and with a general register each they displace the tile. Strategy: a predicate with one
//! definition is stored into a register of up to 32 bits that is in use at that point for others. The
//! first store clears the register and sets its bit (`SEL`), the others set theirs (`@p LOP3`); a
//! reload tests the bit (`LOP3`). Predicates of a loop may share a register with some from before
//! it: then the first store of the loop clears the bits of the loop alone.
//!
//! Invariants: the first store runs before each of the others, once for every time that they run:
//! its block dominates theirs and is in the same loop. No bit that is still to be read is in the
//! register when a first store clears it.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;

use super::Home;
use super::apply::Stores;
use crate::graph::{b as ir_block, cfg, m as machine_block};
use crate::live::{Ranges, ranges};
use crate::mir::{MBlock, MFunction, V};

/// Bits of a register.
const BITS: usize = 32;
/// Predicates of a loop that share a register with others are at least this many: clearing their
/// bits takes an instruction.
const NESTED: usize = 4;
/// The registers that are tried for a predicate or a group, the latest first: with all of them, time
/// would grow with the square of their number.
const RECENT: usize = 64;

/// Predicates with adjacent bits, the first one stored first.
struct Group {
    /// The block and the point of the first store.
    block: MBlock,
    at: u32,
    members: Vec<V>,
}

/// A register and the groups that share it. The first store of the first group clears all bits.
struct Shared {
    of: V,
    groups: Vec<Group>,
}

impl Shared {
    fn members(&self) -> impl Iterator<Item = V> + '_ {
        self.groups.iter().flat_map(|g| g.members.iter().copied())
    }
}

/// Facts about the function.
struct Facts {
    live: Ranges,
    cfg: Cfg,
    dom: DomTree,
    loops: Loops,
}

impl Facts {
    fn is_live(&self, v: V, at: u32) -> bool {
        self.live.of(v).iter().any(|r| r.0 <= at && at < r.1)
    }

    fn any_live(&self, mut of: impl Iterator<Item = V>, at: u32) -> bool {
        of.any(|v| self.is_live(v, at))
    }

    fn dominates(&self, a: MBlock, b: MBlock) -> bool {
        self.dom.dominates(ir_block(a), ir_block(b))
    }

    fn same_loop(&self, a: MBlock, b: MBlock) -> bool {
        self.loops.innermost[ir_block(a)] == self.loops.innermost[ir_block(b)]
    }
}

/// Gives predicates bits instead of registers as homes.
pub fn run(f: &MFunction, stores: &Stores, homes: &mut FxHashMap<V, Home>) {
    let cfg = cfg(f);
    let dom = DomTree::dominators(&cfg);
    let facts = Facts { live: ranges(f), loops: Loops::of(&cfg, &dom), dom, cfg };
    let groups = groups(f, &facts, stores, homes);
    for s in shared(&facts, groups).iter().filter(|s| s.members().count() > 1) {
        let mut bit = 0;
        for (n, g) in s.groups.iter().enumerate() {
            let own = ((1u64 << g.members.len()) - 1) << bit;
            let mut clears = Some(if n == 0 { u32::MAX } else { own as u32 });
            for &v in &g.members {
                homes.insert(v, Home::Bit { of: s.of, bit, clears: clears.take() });
                bit += 1;
            }
        }
    }
}

/// Returns the predicates that may share registers, by loop.
fn groups(f: &MFunction, facts: &Facts, stores: &Stores, homes: &FxHashMap<V, Home>) -> Vec<Shared> {
    let definitions = super::remat::definitions(f);
    // The point at which each block begins.
    let mut start: SecondaryMap<MBlock, u32> = SecondaryMap::new();
    let mut points = 0;
    for &b in &f.layout {
        start[b] = points;
        points += 2 * (f.blocks[b].insts.len() as u32 + 1);
    }
    let mut out: Vec<Shared> = Vec::new();
    for b in facts.cfg.rpo.iter().map(|&x| machine_block(x)) {
        for &(n, v) in &stores[b] {
            let Some(&Home::Register(of)) = homes.get(&v) else { continue };
            if definitions[v] != 1 || facts.is_live(v, start[b]) {
                continue;
            }
            let at = start[b] + 2 * n as u32 + 1;
            let takes = |s: &&mut Shared| {
                let g = &s.groups[0];
                g.members.len() < BITS
                    && facts.dominates(g.block, b)
                    && facts.same_loop(g.block, b)
                    && facts.any_live(s.members(), at)
                    && !facts.is_live(v, g.at)
            };
            match out.iter_mut().rev().take(RECENT).find(takes) {
                Some(s) => s.groups[0].members.push(v),
                None => out.push(Shared { of, groups: vec![Group { block: b, at, members: vec![v] }] }),
            }
        }
    }
    out
}

/// Puts groups of a loop into registers that are in use for others where the loop begins.
fn shared(facts: &Facts, groups: Vec<Shared>) -> Vec<Shared> {
    let mut out: Vec<Shared> = Vec::new();
    for s in groups {
        let g = &s.groups[0];
        let takes = |o: &&mut Shared| {
            let first = &o.groups[0];
            g.members.len() >= NESTED
                && o.members().count() + g.members.len() <= BITS
                && facts.dominates(first.block, g.block)
                && facts.any_live(o.members(), g.at)
                && !facts.any_live(s.members(), first.at)
        };
        match out.iter_mut().rev().take(RECENT).find(takes) {
            Some(o) => o.groups.extend(s.groups),
            None => out.push(s),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use raddle_sass::Op;
    use raddle_sass::row::{File, SlotRole};

    use crate::mir::{MFunction, MGuard, MInst, MKind, MOp, V};
    use crate::sass;
    use crate::spill::{Survey, run};
    use crate::testing::{ISA, branch, function, jump, names, positive, push, store, value};
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
    fn predicates_of_different_blocks_share_a_register() {
        let mut f = function(5);
        let mut ps = Vec::new();
        for b in 0..4 {
            let x = value(&mut f, b);
            ps.push(positive(&mut f, b, x));
            jump(&mut f, b, b + 1, &[]);
        }
        ps.iter().for_each(|&p| tell(&mut f, 4, p));
        squeeze(&mut f);
        // Two stay in place; of the others, one clears the register, one sets a bit, both are tested.
        assert_eq!(count(&f, 4, "ISETP"), 0);
        assert_eq!((0..4).map(|b| count(&f, b, "SEL")).sum::<usize>(), 1);
        assert_eq!((0..4).map(|b| count(&f, b, "LOP3")).sum::<usize>(), 1);
        assert_eq!(count(&f, 4, "LOP3"), 2);
    }

    /// Three predicates of block 0 are read after a loop of blocks 1 and 2, which makes `inside` of its
    /// own; two are live at once.
    fn with_loop(inside: usize) -> MFunction {
        let mut f = function(4);
        let x = value(&mut f, 0);
        let before: Vec<V> = (0..3).map(|_| positive(&mut f, 0, x)).collect();
        jump(&mut f, 0, 1, &[]);
        let y = value(&mut f, 1);
        let made: Vec<V> = (0..inside)
            .map(|_| {
                let x = value(&mut f, 1);
                positive(&mut f, 1, x)
            })
            .collect();
        jump(&mut f, 1, 2, &[]);
        made.iter().for_each(|&p| tell(&mut f, 2, p));
        let more = positive(&mut f, 2, y);
        branch(&mut f, 2, more, (1, &[]), (3, &[]));
        before.iter().for_each(|&p| tell(&mut f, 3, p));
        squeeze(&mut f);
        f
    }

    #[test]
    fn predicates_of_a_loop_do_not_share_a_register_with_those_before_it() {
        let f = with_loop(3);
        // The bit of the iteration before would still be set.
        let sets = |b: usize| (count(&f, b, "SEL"), count(&f, b, "LOP3"));
        assert!(sets(0).0 == 1 && sets(1).0 == 1, "{:?}", [sets(0), sets(1)]);
    }

    #[test]
    fn many_predicates_of_a_loop_share_a_register_with_those_before_it() {
        let f = with_loop(9);
        // In the loop one instruction clears the bits of the loop, each of the others sets one.
        let clears = |i: &&MInst| i.guard == MGuard::Always && i.row().op == Op::Lop3;
        let bits = |i: &MInst| i.slot(SlotRole::Rb).map(|o| o.kind.clone());
        let cleared: Vec<MKind> = f.blocks[f.layout[1]].insts.iter().filter(clears).filter_map(bits).collect();
        assert_eq!(count(&f, 1, "SEL"), 0);
        let [MKind::Imm(keeps)] = cleared[..] else { panic!("{cleared:?}") };
        let (sets, outside) = (count(&f, 1, "LOP3") as u32 - 1, count(&f, 0, "LOP3") as u32 + 1);
        assert_eq!(keeps, !(((1 << sets) - 1) << outside));
    }

    #[test]
    fn a_shared_register_that_is_spilled_keeps_its_bits() {
        let mut f = function(1);
        let x = value(&mut f, 0);
        let ps: Vec<V> = (0..6).map(|_| positive(&mut f, 0, x)).collect();
        let others: Vec<V> = (0..6).map(|_| value(&mut f, 0)).collect();
        others.iter().for_each(|&v| store(&mut f, 0, &[v]));
        ps.iter().for_each(|&p| tell(&mut f, 0, p));
        squeeze(&mut f);
        let sets = |f: &MFunction| {
            let insts = &f.blocks[f.layout[0]].insts;
            let of = |i: &MInst| i.guard != MGuard::Always && i.row().op == Op::Lop3;
            let kept = |i: &&MInst| {
                let mut kept = false;
                i.for_each_def(|v| kept |= i.is_kept(v));
                kept
            };
            let sets: Vec<&MInst> = insts.iter().filter(|i| of(i)).collect();
            (sets.len(), sets.into_iter().filter(kept).count())
        };
        let (count, kept) = sets(&f);
        assert!(count > 2 && kept == count);
        let shared: Vec<V> = {
            let mut found = Vec::new();
            f.blocks[f.layout[0]]
                .insts
                .iter()
                .for_each(|i| i.for_each_def(|v| found.extend(i.is_kept(v).then_some(v))));
            found.sort_unstable();
            found.dedup();
            found
        };
        // As what is evicted for a while, and as what never has a place.
        let mut evicted = f.clone();
        let groups = crate::destruct::Groups::default();
        let survey = Survey::of(&evicted, File::Gpr, ISA);
        run(&mut evicted, &groups, &survey, 5).unwrap();
        assert_eq!(sets(&evicted), (count, count));
        let mut groups = groups;
        crate::spill::everywhere::run(&mut f, &mut groups, ISA, &shared, &mut Default::default()).unwrap();
        assert_eq!(sets(&f), (count, count));
        assert_eq!(self::count(&f, 0, "LDL"), count + 4);
    }

    #[test]
    fn predicates_of_two_arms_do_not_share_a_register() {
        let mut f = function(4);
        let x = value(&mut f, 0);
        let which = positive(&mut f, 0, x);
        branch(&mut f, 0, which, (1, &[]), (2, &[]));
        for b in [1, 2] {
            let y = value(&mut f, b);
            let ps: Vec<V> = (0..3).map(|_| positive(&mut f, b, y)).collect();
            ps.iter().for_each(|&p| tell(&mut f, b, p));
            jump(&mut f, b, 3, &[]);
        }
        squeeze(&mut f);
        // Each arm clears its own.
        for b in [1, 2] {
            assert!(count(&f, b, "SEL") > 3, "{:?}", names(&f, f.layout[b]));
        }
    }
}
