//! Constants of double precision are held in uniform registers.
//!
//! Problem: an immediate of an instruction has the high word of a double only. Any other constant takes two moves
//! and a register pair of every lane, at each of its uses; the coefficients of one polynomial take more moves than
//! the polynomial has instructions. Strategy, in SSA form: where an operand is a pair of constants and the
//! instruction has a form with a uniform register in its place, it reads a pair of uniform registers. That pair is
//! written once, by two `UMOV`, in the nearest block that dominates all uses of the constant, is in no loop, and
//! is run by all lanes together. [`crate::dce`] then removes the moves.
//!
//! Cost rule: a constant is taken if its uses run more often, by estimate, than the block that writes it. Those
//! with the most uses come first, until [`MOST`] uniform registers may be live at once; the others stay, and
//! [`crate::constants`] shares their moves.
//!
//! Invariants: those of [`crate::uniformize`]: uniform registers are written only where all lanes of the warp that
//! have not exited run together, so functions with a `WARPSYNC`, with calls, and functions that are called have
//! none. Before sm_90, ptxas reads no uniform registers in double precision, and neither does this code.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::Block;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Isa, Op};

use crate::combine::operands::with_uniform;
use crate::constants;
use crate::convention::is_call;
use crate::graph::{b as ir_block, cfg, frequency, m as mir_block};
use crate::mir::{MBlock, MFunction, MInst, MKind, MOp, MTerm, V};
use crate::pressure::peak;
use crate::sass;
use crate::uniform::Uniformity;

/// Most uniform registers live at once: of 63, without those that are reserved, and with room for alignment.
const MOST: usize = 56;
/// Blocks above which a function is skipped: the sides of each divergent branch are walked.
const BLOCKS: usize = 4096;

/// A constant, low word first.
type Double = [u32; 2];

/// An operand that is a constant.
struct Use {
    block: MBlock,
    /// The instruction's place in the block.
    at: usize,
    /// The registers that hold the constant.
    pair: [V; 2],
}

/// A constant with its uses, in the order of the layout.
struct Constant {
    bits: Double,
    uses: Vec<Use>,
}

/// Runs the pass; `joined` is that of [`Uniformity::together`]. Returns whether anything changed.
pub fn run(f: &mut MFunction, isa: Isa, joined: &SecondaryMap<Block, Option<Block>>) -> bool {
    if isa < Isa::Sm90 || f.called || f.layout.len() > BLOCKS {
        return false;
    }
    let mut all = f.layout.iter().flat_map(|&b| &f.blocks[b].insts);
    if all.any(|i| is_call(i) || i.row().op == Op::Warpsync) {
        return false;
    }
    let found = collect(f, isa);
    if found.is_empty() {
        return false;
    }
    let often = frequency(f);
    let runs = |c: &Constant| c.uses.iter().map(|u| often[u.block]).sum::<u64>();
    let homes = Homes::of(f, joined);
    let mut ranked: Vec<(Constant, MBlock)> = found
        .into_iter()
        .filter_map(|c| {
            let home = homes.of_uses(&c.uses)?;
            (runs(&c) > often[home]).then_some((c, home))
        })
        .collect();
    // Stable: among equals, the first in the layout.
    ranked.sort_by_key(|(c, _)| std::cmp::Reverse(runs(c)));
    ranked.truncate(MOST.saturating_sub(peak(f, File::Ugpr)) / 2);
    let mut changed = false;
    let mut written: SecondaryMap<MBlock, Vec<(usize, MInst)>> = SecondaryMap::new();
    for (c, home) in ranked {
        if let Some(writes) = promote(f, isa, &c) {
            let at = place(f, &c, home);
            written[home].extend(writes.map(|i| (at, i)));
            changed = true;
        }
    }
    insert(f, written);
    changed
}

/// The constants of a function that uniform registers could hold.
fn collect(f: &MFunction, isa: Isa) -> Vec<Constant> {
    let mut bits: SecondaryMap<V, Option<u32>> = SecondaryMap::new();
    let mut reads: SecondaryMap<V, u32> = SecondaryMap::new();
    for &b in &f.layout {
        for i in &f.blocks[b].insts {
            if let Some((v, n)) = constants::immediate(i) {
                bits[v] = Some(n);
            }
            i.for_each_use(|v| reads[v] += 1);
        }
        crate::live::for_each_end_use(&f.blocks[b].term, |v| reads[v] += 1);
    }
    let mut out: Vec<Constant> = Vec::new();
    let mut known: FxHashMap<Double, usize> = FxHashMap::default();
    for &block in &f.layout {
        for (at, i) in f.blocks[block].insts.iter().enumerate() {
            for (k, o) in i.ops.iter().enumerate() {
                let MKind::Regs(vs) = &o.kind else { continue };
                let (&[lo, hi], false) = (vs.as_slice(), i.is_def(k)) else { continue };
                let (Some(low), Some(high)) = (bits[lo], bits[hi]) else { continue };
                // A register that others read as well stays, and its move with it.
                if reads[lo] > 1 || reads[hi] > 1 || with_uniform(isa, i, k, vs).is_none() {
                    continue;
                }
                let n = *known.entry([low, high]).or_insert_with(|| {
                    out.push(Constant { bits: [low, high], uses: Vec::new() });
                    out.len() - 1
                });
                out[n].uses.push(Use { block, at, pair: [lo, hi] });
            }
        }
    }
    out
}

/// Where constants may be written.
struct Homes {
    dom: DomTree,
    /// Blocks that run once, by all lanes together.
    fits: SecondaryMap<Block, bool>,
}

impl Homes {
    fn of(f: &MFunction, joined: &SecondaryMap<Block, Option<Block>>) -> Self {
        let cfg = cfg(f);
        let dom = DomTree::dominators(&cfg);
        let loops = Loops::of(&cfg, &dom);
        let mut fits = Uniformity::of(f).together(f, joined);
        cfg.rpo.iter().for_each(|&x| fits[x] &= loops.depth[x] == 0);
        let entry = ir_block(f.entry());
        fits[entry] |= cfg.preds[entry].is_empty();
        Homes { dom, fits }
    }

    /// The nearest such block that dominates all uses.
    fn of_uses(&self, uses: &[Use]) -> Option<MBlock> {
        let mut blocks = uses.iter().map(|u| ir_block(u.block));
        let first = blocks.next()?;
        let mut at = blocks.try_fold(first, |x, y| self.dom.common(x, y))?;
        while !self.fits[at] {
            at = self.dom.idom(at)?;
        }
        Some(mir_block(at))
    }
}

/// Lets the uses of a constant read a new uniform pair; returns what writes that.
fn promote(f: &mut MFunction, isa: Isa, c: &Constant) -> Option<[MInst; 2]> {
    let us = [f.vreg(File::Ugpr), f.vreg(File::Ugpr)];
    let place = f.blocks[c.uses[0].block].insts[c.uses[0].at].place;
    let write = |n: usize| {
        let given = [(SlotRole::Rd, MOp::reg(us[n])), (SlotRole::Imm, MOp::imm(c.bits[n]))];
        find(isa, &sass::umov(), &given).map(|form| MInst::new(form, place))
    };
    let writes = [write(0)?, write(1)?];
    let mut read = false;
    for u in &c.uses {
        let i = &mut f.blocks[u.block].insts[u.at];
        let is_it = |o: &MOp| matches!(&o.kind, MKind::Regs(vs) if vs.as_slice() == u.pair);
        // Another operand may have become a uniform register by now, of which an instruction has only one.
        if let Some(new) = i.ops.iter().position(is_it).and_then(|k| with_uniform(isa, i, k, &us)) {
            *i = new;
            read = true;
        }
    }
    read.then_some(writes)
}

/// The place for what writes a constant: before its first use in the block, or at the end.
fn place(f: &MFunction, c: &Constant, home: MBlock) -> usize {
    let data = &f.blocks[home];
    // A jump through a table is an instruction, and stays last.
    let end = data.insts.len() - usize::from(matches!(data.term, MTerm::Switch(_)) && !data.insts.is_empty());
    c.uses.iter().filter(|u| u.block == home).map(|u| u.at).min().unwrap_or(end)
}

/// Inserts instructions, each before the one that has its place now.
fn insert(f: &mut MFunction, mut new: SecondaryMap<MBlock, Vec<(usize, MInst)>>) {
    for b in f.layout.clone() {
        let mut list = std::mem::take(&mut new[b]);
        list.sort_by_key(|e| e.0);
        // From the end, so that places before stay what they are.
        for (at, i) in list.into_iter().rev() {
            f.blocks[b].insts.insert(at, i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sass::tokens::Round;
    use crate::testing::{ISA, branch, constant, function, jump, names, positive, push, store, value};

    /// Appends `x * x + c`, with the constant in two moves.
    fn polynomial(f: &mut MFunction, b: usize, x: [V; 2], c: Double) -> [V; 2] {
        let c = c.map(|word| constant(f, b, word));
        let to = [f.vreg(File::Gpr), f.vreg(File::Gpr)];
        let given = [(SlotRole::Rd, to), (SlotRole::Ra, x), (SlotRole::Rb, x), (SlotRole::Rc, c)];
        push(f, b, sass::dfma(Round::None), &given.map(|(role, vs)| (role, MOp::regs(&vs))));
        to
    }

    fn double(f: &mut MFunction, b: usize) -> [V; 2] {
        [value(f, b), value(f, b)]
    }

    fn promoted(mut f: MFunction, isa: Isa) -> MFunction {
        crate::verify::check(&f, "test").unwrap();
        run(&mut f, isa, &SecondaryMap::new());
        crate::dce::run(&mut f);
        crate::verify::check(&f, "uniform constants").unwrap();
        f
    }

    /// A loop with one use of a constant.
    fn looped() -> MFunction {
        let mut f = function(3);
        let x = double(&mut f, 0);
        jump(&mut f, 0, 1, &[]);
        let y = polynomial(&mut f, 1, x, [7, 8]);
        store(&mut f, 1, &y);
        let p = positive(&mut f, 1, y[1]);
        branch(&mut f, 1, p, (1, &[]), (2, &[]));
        f
    }

    #[test]
    fn a_constant_of_a_loop_is_written_before_it() {
        let f = promoted(looped(), ISA);
        assert_eq!(names(&f, f.layout[0]), ["LDS", "LDS", "UMOV", "UMOV"]);
        assert_eq!(names(&f, f.layout[1]), ["DFMA", "STS", "ISETP"]);
    }

    #[test]
    fn older_machines_keep_their_moves() {
        let f = promoted(looped(), Isa::Sm89);
        assert_eq!(names(&f, f.layout[1]), ["MOV", "MOV", "DFMA", "STS", "ISETP"]);
    }

    #[test]
    fn a_constant_that_is_used_once_stays() {
        let mut f = function(1);
        let x = double(&mut f, 0);
        let y = polynomial(&mut f, 0, x, [7, 8]);
        store(&mut f, 0, &y);
        let f = promoted(f, ISA);
        assert_eq!(names(&f, f.layout[0]), ["LDS", "LDS", "MOV", "MOV", "DFMA", "STS"]);
    }

    #[test]
    fn nothing_is_written_where_lanes_go_their_own_ways() {
        let mut f = function(3);
        let lane = f.vreg(File::Gpr);
        let given = [(SlotRole::Rd, MOp::reg(lane)), (SlotRole::Misc, MOp::new(MKind::Special(33)))];
        push(&mut f, 0, sass::s2r(), &given);
        let x = double(&mut f, 0);
        let p = positive(&mut f, 0, lane);
        branch(&mut f, 0, p, (1, &[]), (2, &[]));
        let y = polynomial(&mut f, 1, x, [7, 8]);
        let z = polynomial(&mut f, 1, y, [7, 8]);
        store(&mut f, 1, &z);
        store(&mut f, 2, &x);
        let f = promoted(f, ISA);
        assert_eq!(names(&f, f.layout[0]), ["S2R", "LDS", "LDS", "ISETP", "UMOV", "UMOV"]);
        assert_eq!(names(&f, f.layout[1]), ["DFMA", "DFMA", "STS"]);
    }

    #[test]
    fn those_with_the_most_uses_get_what_there_is() {
        let mut f = function(1);
        let mut x = double(&mut f, 0);
        for uses in [2, 3] {
            for n in 0..20 * uses {
                x = polynomial(&mut f, 0, x, [n % 20 + 1, uses]);
            }
        }
        store(&mut f, 0, &x);
        let f = promoted(f, ISA);
        let count = |name: &str| names(&f, f.layout[0]).iter().filter(|n| **n == name).count();
        // Of the twenty with two uses, eight have a place.
        assert_eq!((count("UMOV"), count("MOV")), (MOST, 12 * 2 * 2));
    }
}
