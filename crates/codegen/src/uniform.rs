//! Uniformity analysis: values that are the same in all threads of a warp that run together.
//!
//! Problem: a uniform branch needs no convergence barrier. Strategy: values differ between threads
//! by their source (the thread's index, its lane, its local memory, atomics, shuffles), by their
//! operands, and by control flow: a branch on a differing value makes the parameters differ of
//! blocks that threads reach from both of its sides before they converge, and what a loop that it
//! leaves computed differs after the loop. Loads return the same to all threads that load the same
//! address ("ptxas 13.0.88 output" relies on it).
//!
//! Invariant: a value that may differ is never called uniform; functions of more than
//! [`MOST_BLOCKS`] blocks are not analysed.

use std::cell::OnceCell;

use raddle_entity::SecondaryMap;
use raddle_ir::Block;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_sass::Op;
use raddle_sass::row::Space;
use smallvec::SmallVec;

use crate::graph::{b, cfg, m, succs};
use crate::mir::{MArg, MFunction, MGuard, MInst, MKind, MTerm, V};

/// Blocks of a function above which all values count as different.
const MOST_BLOCKS: usize = 2000;

/// Special registers that are the same for a whole CTA: its index, its shared memory, its
/// multiprocessor, its place in the cluster (numbers of `isa/special.txt`).
const SAME: &[u8] = &[37, 38, 39, 50, 67, 136];

/// The result of the analysis: values that may differ.
#[derive(Clone, Debug, Default)]
pub struct Uniformity {
    differs: SecondaryMap<V, bool>,
    unknown: bool,
}

impl Uniformity {
    /// Analyses a function in SSA form.
    pub fn of(f: &MFunction) -> Self {
        if f.layout.len() > MOST_BLOCKS {
            return Uniformity { unknown: true, ..Self::default() };
        }
        let cfg = cfg(f);
        let succs = succs(f);
        let post = DomTree::post_dominators(&cfg, &succs);
        let mut u = Uniformity::default();
        u.differs.resize(f.vregs.len());
        let uses = OnceCell::new();
        // Instructions whose results are still considered uniform.
        let mut open: Vec<&MInst> = cfg.rpo.iter().flat_map(|&x| &f.blocks[m(x)].insts).collect();
        let mut parted: SecondaryMap<Block, bool> = SecondaryMap::new();
        loop {
            let mut changed = u.flow(f, &cfg, &mut open);
            for &x in &cfg.rpo {
                let parts = match f.blocks[m(x)].term {
                    MTerm::Branch { guard: MGuard::Virtual(v, _), .. } => u.differs[v],
                    MTerm::Switch(_) => true,
                    _ => false,
                };
                if parts && !std::mem::replace(&mut parted[x], true) {
                    u.part(f, &cfg, &uses, x, post.idom(x));
                    changed = true;
                }
            }
            if !changed {
                return u;
            }
        }
    }

    /// Blocks that all threads of a warp that have not exited run together: only there may a
    /// uniform register be written. `joined` maps blocks at whose end threads diverge to the block
    /// in which a barrier joins them. Until they reach that block they run separately, also where
    /// an early exit of the region leads past it, and for good after a branch that is never joined.
    /// Threads that end at once are ignored.
    pub fn together(&self, f: &MFunction, joined: &SecondaryMap<Block, Option<Block>>) -> SecondaryMap<Block, bool> {
        let mut together: SecondaryMap<Block, bool> = SecondaryMap::new();
        together.resize(f.blocks.len());
        if self.unknown {
            return together;
        }
        let cfg = cfg(f);
        let succs = succs(f);
        cfg.rpo.iter().for_each(|&x| together[x] = true);
        for &x in cfg.rpo.iter().filter(|x| self.parts(f, **x)) {
            let stop = joined[x];
            for &s in &succs[x] {
                let side = reached(&cfg, s, stop);
                cfg.rpo.iter().filter(|y| side[**y] && Some(**y) != stop).for_each(|&y| together[y] = false);
            }
        }
        together
    }

    /// Whether threads diverge at the end of a block.
    pub fn parts(&self, f: &MFunction, x: Block) -> bool {
        let differ = match f.blocks[m(x)].term {
            MTerm::Branch { guard: MGuard::Virtual(v, _), .. } => !self.same(v),
            MTerm::Switch(_) => true,
            _ => false,
        };
        let mut on = f.blocks[m(x)].term.successors();
        on.retain(|s| !(f.blocks[*s].insts.is_empty() && f.blocks[*s].term == MTerm::Exit));
        differ && on.iter().any(|s| *s != on[0])
    }

    /// Whether the register is uniform.
    pub fn same(&self, v: V) -> bool {
        !self.unknown && !self.differs[v]
    }

    fn mark(&mut self, v: V) -> bool {
        !std::mem::replace(&mut self.differs[v], true)
    }

    /// Propagates through instructions and edges once.
    fn flow(&mut self, f: &MFunction, cfg: &Cfg, open: &mut Vec<&MInst>) -> bool {
        let mut changed = false;
        open.retain(|i| {
            let mut differs = is_source(i) || f.called && names_register(i);
            if !differs && i.row().op != Op::Vote {
                i.for_each_use(|v| differs |= self.differs[v]);
            }
            if differs {
                i.for_each_def(|v| changed |= self.mark(v));
            }
            !differs
        });
        for &x in &cfg.rpo {
            for e in f.blocks[m(x)].term.edges() {
                for (a, &p) in e.args.iter().zip(&f.blocks[e.to].params) {
                    if matches!(*a, MArg::Reg(v) if self.differs[v]) {
                        changed |= self.mark(p);
                    }
                }
            }
        }
        changed
    }

    /// Marks what differs because threads diverge at the end of `x`, to converge at `meet` if
    /// anywhere.
    fn part(&mut self, f: &MFunction, cfg: &Cfg, uses: &OnceCell<Uses>, x: Block, meet: Option<Block>) {
        let mut sides: SmallVec<[SecondaryMap<Block, bool>; 2]> = SmallVec::new();
        for &s in &cfg.succs[x] {
            sides.push(reached(cfg, s, meet));
        }
        for &y in &cfg.rpo {
            if sides.iter().filter(|s| s[y]).count() > 1 {
                for &p in &f.blocks[m(y)].params {
                    self.mark(p);
                }
            }
        }
        // A loop that threads leave one by one: the blocks from which `x` is reached again.
        if !sides.iter().any(|s| s[x]) || meet == Some(x) {
            return;
        }
        let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut work = vec![x];
        while let Some(y) = work.pop() {
            if std::mem::replace(&mut inside[y], true) {
                continue;
            }
            work.extend(cfg.preds[y].iter().copied().filter(|p| sides.iter().any(|s| s[*p]) && Some(*p) != meet));
        }
        // Its definitions differ if they are read after the loop, and so do parameters there that
        // get them.
        let uses = uses.get_or_init(|| Uses::of(f, cfg));
        for &y in cfg.rpo.iter().filter(|y| inside[**y]) {
            let mut defined = |v: V| {
                self.differs[v] |= uses.reading(v).any(|at| !inside[at]);
                uses.passing(v).filter(|(to, _)| !inside[*to]).for_each(|(_, p)| self.differs[p] = true);
            };
            f.blocks[m(y)].params.iter().for_each(|&p| defined(p));
            f.blocks[m(y)].insts.iter().for_each(|i| i.for_each_def(&mut defined));
        }
    }
}

/// Uses of registers.
struct Uses {
    /// Pairs of a register and a block that reads it, ascending, without duplicates.
    read: Vec<(V, Block)>,
    /// A register, the target of an edge, and the parameter there that it is passed to; ascending.
    passed: Vec<(V, Block, V)>,
}

impl Uses {
    fn of(f: &MFunction, cfg: &Cfg) -> Self {
        let (mut read, mut passed) = (Vec::new(), Vec::new());
        for &y in &cfg.rpo {
            let data = &f.blocks[m(y)];
            data.insts.iter().for_each(|i| i.for_each_use(|v| read.push((v, y))));
            if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = data.term {
                read.push((v, y));
            }
            for e in data.term.edges() {
                let pairs = e.args.iter().zip(&f.blocks[e.to].params);
                passed.extend(
                    pairs.filter_map(|(a, &p)| if let MArg::Reg(v) = *a { Some((v, b(e.to), p)) } else { None }),
                );
            }
        }
        read.sort_unstable();
        read.dedup();
        passed.sort_unstable();
        Uses { read, passed }
    }

    /// Returns the blocks whose instructions or branch read a register.
    fn reading(&self, v: V) -> impl Iterator<Item = Block> {
        let from = self.read.partition_point(|u| u.0 < v);
        self.read[from..].iter().take_while(move |u| u.0 == v).map(|u| u.1)
    }

    /// Returns the parameters to which a register is passed, with their blocks.
    fn passing(&self, v: V) -> impl Iterator<Item = (Block, V)> {
        let from = self.passed.partition_point(|u| u.0 < v);
        self.passed[from..].iter().take_while(move |u| u.0 == v).map(|u| (u.1, u.2))
    }
}

/// Returns the blocks reachable from `from`, itself included, not searching past `stop`.
fn reached(cfg: &Cfg, from: Block, stop: Option<Block>) -> SecondaryMap<Block, bool> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut work = vec![from];
    while let Some(y) = work.pop() {
        if std::mem::replace(&mut seen[y], true) || Some(y) == stop {
            continue;
        }
        work.extend(cfg.succs[y].iter().copied());
    }
    seen
}

/// Whether it names a physical general register. In a called function, threads may have different
/// stacks.
fn names_register(i: &MInst) -> bool {
    i.ops.iter().any(|o| matches!(o.kind, MKind::Phys(_)))
}

/// Whether its results differ between threads whatever its operands.
fn is_source(i: &MInst) -> bool {
    let row = i.row();
    match row.op {
        Op::S2r => !matches!(i.ops.last().map(|o| &o.kind), Some(MKind::Special(n)) if SAME.contains(n)),
        Op::Vote => false,
        // A value from a caller or from a call.
        Op::Mov if names_register(i) => true,
        // Uniform registers hold the results of one group of lanes; others may run at another time.
        Op::Mov if i.ops.iter().any(|o| matches!(o.kind, MKind::Uniform(_))) => true,
        _ => {
            let loads = matches!(row.effects.reads, Some(Space::Global | Space::Shared | Space::Const));
            let pure = row.effects.reads.is_none() && !row.effects.convergent;
            row.effects.atomic
                || !(pure || (loads && row.effects.writes.is_none() && !row.effects.convergent))
                || row.op == Op::Cs2r
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::MOp;
    use crate::testing::{branch, function, jump, positive, push, store, value};
    use raddle_sass::row::{File, SlotRole};

    #[test]
    fn code_that_an_early_exit_reaches_past_the_barrier_is_not_run_together() {
        // Lanes diverge at 0; those in 1 go on to 4 together or meet the others in 3.
        let mut f = function(5);
        let thread = f.vreg(File::Gpr);
        push(
            &mut f,
            0,
            crate::sass::s2r(),
            &[(SlotRole::Rd, MOp::reg(thread)), (SlotRole::Misc, MOp::new(MKind::Special(33)))],
        );
        let common = value(&mut f, 0);
        let parts = positive(&mut f, 0, thread);
        branch(&mut f, 0, parts, (1, &[]), (2, &[]));
        let leaves = positive(&mut f, 1, common);
        branch(&mut f, 1, leaves, (4, &[]), (3, &[]));
        jump(&mut f, 2, 3, &[]);
        jump(&mut f, 3, 4, &[]);
        store(&mut f, 4, &[common]);
        let at = |n: usize| b(f.layout[n]);
        let mut joined: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        joined[at(0)] = Some(at(3));
        let together = Uniformity::of(&f).together(&f, &joined);
        assert_eq!([0, 1, 2, 3, 4].map(|n| together[at(n)]), [true, false, false, true, false]);
    }
}
