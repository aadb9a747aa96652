//! Shares constants in registers: one move for all uses that it dominates, and none in loops.
//!
//! Problem: selection moves a constant into a register wherever an operand cannot hold it, so
//! double-precision code, whose operands are pairs, moves the same words again and again. Strategy,
//! in SSA form: a move in a loop goes to the nearest dominating block in the fewest loops; a move
//! dominated by another one of the same constant is replaced by it. Members of one register list
//! are replaced together: two lists share a register only if they are equal, as a register has one
//! place in one group. None stays in a register across a call: it would take one that calls keep.
//!
//! Invariant: register pressure does not lower the occupancy. If it would for the whole function,
//! moves are shared within blocks only; if that is still too much, only the constants whose moves run
//! most often are shared, as many as there is room for.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::Block;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use raddle_sass::row::{File, SlotRole};
use raddle_target::Limits;
use smallvec::SmallVec;

use crate::convention::is_call;
use crate::graph::{b as ir_block, cfg};
use crate::mir::{MArg, MFunction, MGuard, MInst, MKind, MTerm, V};
use crate::pressure::{peak, target, warps};

/// Registers that allocation may need beyond the pressure: groups are aligned, and the stack
/// pointer takes one.
const SLACK: u32 = 4;
/// The same where only some constants are shared: those are moved again at their uses where allocation
/// finds no place for them.
const CLOSE: u32 = 1;
/// Most earlier moves of a constant that are tested for dominance; the latest are the likeliest.
const NEAREST: usize = 4;

/// A constant: immediate, word of a bank, or zero.
type Word = (u8, u8, u32);
/// A constant by itself, or the n-th of a list of constants.
type Key = (SmallVec<[Word; 4]>, usize);

/// Runs the pass for a kernel with CTAs of `cta` warps and at most `limit` registers.
pub fn run(f: &mut MFunction, limits: &Limits, cta: u32, limit: u32) {
    let Some(across) = share(f, true) else { return };
    let before = peak(f, File::Gpr) as u32;
    if before + SLACK > limit {
        return;
    }
    let rewritten = |shared: &Shared, slack: u32| {
        let mut tried = f.clone();
        rewrite(&mut tried, shared);
        let (before, after) = (before + slack, peak(&tried, File::Gpr) as u32 + slack);
        let room = target(limits, cta, before).min(limit);
        let fits = after <= room || warps(limits, cta, after) >= warps(limits, cta, before) && after <= limit;
        fits.then_some(tried)
    };
    let mut found = rewritten(&across, SLACK);
    if found.is_none() {
        let within = share(f, false);
        let some = |shared: &Shared| most(shared, |shared| rewritten(shared, CLOSE));
        found = within.as_ref().and_then(|within| rewritten(within, SLACK)).or_else(|| some(&across));
        found = found.or_else(|| some(&within?));
    }
    if let Some(shared) = found {
        *f = shared;
    }
}

/// The function after as many replacements as there is room for, the most useful first; none if there is
/// no room for a single one. All of them have been tried before.
fn most(shared: &Shared, rewritten: impl Fn(&Shared) -> Option<MFunction>) -> Option<MFunction> {
    let (mut fits, mut all, mut best) = (0, shared.ranks, None);
    while fits + 1 < all {
        let some = usize::midpoint(fits, all);
        match rewritten(&shared.first(some)) {
            Some(tried) => (fits, best) = (some, Some(tried)),
            None => all = some,
        }
    }
    best
}

/// A block, and how many of its calls are before a place in it.
type Place = (Block, usize);

/// The moves to share.
struct Shared {
    /// Replacements of registers.
    instead: FxHashMap<V, V>,
    /// Moves that go to the end of another block.
    moved: FxHashMap<V, Block>,
    /// The place of each constant in the order of use, by its register; that of a list is one place.
    rank: FxHashMap<V, usize>,
    /// The number of places.
    ranks: usize,
}

impl Shared {
    /// Only the constants in the first places.
    fn first(&self, ranks: usize) -> Shared {
        let is_in = |v: &V| self.rank.get(v).is_some_and(|&rank| rank < ranks);
        let instead = self.instead.iter().filter(|(_, w)| is_in(w)).map(|(v, w)| (*v, *w)).collect();
        let moved = self.moved.iter().filter(|(v, _)| is_in(v)).map(|(v, x)| (*v, *x)).collect();
        Shared { instead, moved, rank: FxHashMap::default(), ranks }
    }
}

/// The constant that an instruction moves into a register.
fn word(i: &MInst) -> Option<(V, Word)> {
    if i.row().op != raddle_sass::Op::Mov || i.guard != MGuard::Always || i.reloc.is_some() {
        return None;
    }
    let MKind::Regs(d) = &i.slot(SlotRole::Rd)?.kind else { return None };
    let source = i.slot(SlotRole::Rb)?;
    if source.neg || source.not || source.abs || source.sel != 0 {
        return None;
    }
    let word = match source.kind {
        MKind::Zero => (0, 0, 0),
        MKind::Imm(bits) => (1, 0, bits),
        MKind::CBank { bank, offset, index: None } => (2, bank, offset as u32),
        _ => return None,
    };
    (d.len() == 1).then_some((d[0], word))
}

/// The number that an instruction moves into a register.
pub(crate) fn immediate(i: &MInst) -> Option<(V, u32)> {
    match word(i)? {
        (v, (0 | 1, _, bits)) => Some((v, bits)),
        _ => None,
    }
}

/// Chooses the moves to share, across blocks or within them; returns `None` if there are none.
fn share(f: &MFunction, across: bool) -> Option<Shared> {
    let mut words: FxHashMap<V, Word> = FxHashMap::default();
    for i in f.layout.iter().flat_map(|&x| &f.blocks[x].insts) {
        words.extend(word(i));
    }
    let keys = keys(f, &words);

    let cfg = cfg(f);
    let dom = DomTree::dominators(&cfg);
    let loops = Loops::of(&cfg, &dom);
    let order: SecondaryMap<Block, u32> = {
        let mut order = SecondaryMap::with_default(u32::MAX);
        dom.preorder().enumerate().for_each(|(n, x)| order[x] = n as u32);
        order
    };
    let calling = calling(f, &loops);
    let calls = calling.is_some();
    let calling = calling.unwrap_or_default();
    // Every move with its place; position `usize::MAX` is the end of a block.
    let mut moves: Vec<(u32, usize, V, Block, Place)> = Vec::new();
    for &x in &f.layout {
        let home = ir_block(x);
        if !cfg.reachable(home) {
            continue;
        }
        let up = if across { out_of_loops(&dom, &loops, &calling, home) } else { home };
        let mut before = 0;
        for (n, i) in f.blocks[x].insts.iter().enumerate() {
            before += usize::from(is_call(i));
            let Some((v, _)) = word(i) else { continue };
            if keys.contains_key(&v) {
                let (at, to) = if up == home { (n, (home, before)) } else { (usize::MAX, (up, usize::MAX)) };
                moves.push((order[up], at, v, home, to));
            }
        }
    }
    moves.sort_unstable();
    let mut met: FxHashMap<&Key, Vec<(V, Place)>> = FxHashMap::default();
    let mut instead: FxHashMap<V, V> = FxHashMap::default();
    let mut moved: FxHashMap<V, Block> = FxHashMap::default();
    for &(_, _, v, home, to) in &moves {
        let Some(key) = keys.get(&v) else { continue };
        let others = met.entry(key).or_default();
        let reaches = |&&(_, x): &&(V, Place)| x == to || (across && !calls && dom.dominates(x.0, to.0));
        match others.iter().rev().take(NEAREST).find(reaches) {
            Some(&(w, _)) => {
                instead.insert(v, w);
            }
            None => {
                others.push((v, to));
                if to.0 != home {
                    moved.insert(v, to.0);
                }
            }
        }
    }
    if instead.is_empty() && moved.is_empty() {
        return None;
    }
    // How often the moves run that each list saves, and its first register.
    let often = |x: Block| 1_u64 << (3 * loops.depth[x].min(8));
    let mut lists: FxHashMap<&[Word], (u64, V)> = FxHashMap::default();
    for &(.., v, home, _) in &moves {
        let Some((list, _)) = keys.get(&v) else { continue };
        let saved = match (instead.get(&v), moved.get(&v)) {
            (Some(_), _) => often(home),
            (None, Some(&to)) => often(home).saturating_sub(often(to)),
            (None, None) => 0,
        };
        lists.entry(list).or_insert((0, v)).0 += saved;
    }
    let mut ranked: Vec<(u64, V)> = lists.values().copied().filter(|(saved, _)| *saved > 0).collect();
    ranked.sort_unstable_by_key(|&(saved, v)| (std::cmp::Reverse(saved), v));
    let places: FxHashMap<V, usize> = ranked.iter().enumerate().map(|(n, &(_, v))| (v, n)).collect();
    let rank = keys.iter().filter_map(|(&v, (list, _))| Some((v, *places.get(&lists.get(&list[..])?.1)?)));
    let (rank, ranks) = (rank.collect(), ranked.len());
    Some(Shared { instead, moved, rank, ranks })
}

/// The sharing key of each constant in a register. A constant that is passed on an edge, or is in a
/// list with a register that is no constant, needs its own register and has none.
fn keys(f: &MFunction, words: &FxHashMap<V, Word>) -> FxHashMap<V, Key> {
    let mut keys: FxHashMap<V, Option<Key>> = FxHashMap::default();
    for &x in &f.layout {
        for o in f.blocks[x].insts.iter().flat_map(|i| &i.ops) {
            let (MKind::Regs(vs) | MKind::Addr { base: vs, .. }) = &o.kind else { continue };
            if vs.len() < 2 {
                continue;
            }
            let list: Option<SmallVec<[Word; 4]>> = vs.iter().map(|v| words.get(v).copied()).collect();
            for (n, &v) in vs.iter().enumerate().filter(|(_, v)| words.contains_key(*v)) {
                let key = list.clone().map(|l| (l, n));
                // In two different lists, or twice in one: not shared.
                keys.entry(v).and_modify(|k| *k = k.take().filter(|k| Some(k) == key.as_ref())).or_insert(key);
            }
        }
        // The arguments of leaves have registers of their own.
        for v in f.blocks[x].insts.iter().filter_map(|i| i.leaf.as_ref()).flat_map(|call| &call.takes) {
            keys.insert(*v, None);
        }
        for a in f.blocks[x].term.edges().iter().flat_map(|e| &e.args) {
            if let MArg::Reg(v) = a {
                keys.insert(*v, None);
            }
        }
    }
    let single = |v: &V, w: &Word| Some((SmallVec::from_slice(&[*w]), 0)).filter(|_| !keys.contains_key(v));
    let all = words.iter().filter_map(|(v, w)| {
        let key = single(v, w).or_else(|| keys.get(v).cloned().flatten())?;
        Some((*v, key))
    });
    all.collect()
}

/// The headers of loops with calls, if there is any call.
fn calling(f: &MFunction, loops: &Loops) -> Option<SecondaryMap<Block, bool>> {
    let mut out = None;
    for &x in f.layout.iter().filter(|&&x| f.blocks[x].insts.iter().any(is_call)) {
        let headers: &mut SecondaryMap<Block, bool> = out.get_or_insert_default();
        around(loops, ir_block(x)).for_each(|h| headers[h] = true);
    }
    out
}

/// The headers of the loops around a block, from the inside.
fn around(loops: &Loops, x: Block) -> impl Iterator<Item = Block> + '_ {
    std::iter::successors(loops.innermost[x], |&h| loops.parent[h])
}

/// The nearest block in the fewest loops that dominates `x`, within the loops that are `calling`.
fn out_of_loops(dom: &DomTree, loops: &Loops, calling: &SecondaryMap<Block, bool>, x: Block) -> Block {
    let mut best = x;
    let mut at = x;
    while loops.depth[best] > 0 {
        let Some(up) = dom.idom(at) else { break };
        if around(loops, x).any(|h| calling[h] && !loops.contains(h, up)) {
            break;
        }
        if loops.depth[up] < loops.depth[best] {
            best = up;
        }
        at = up;
    }
    best
}

fn rewrite(f: &mut MFunction, Shared { instead, moved, .. }: &Shared) {
    let new = |v: &mut V| {
        if let Some(&w) = instead.get(v) {
            *v = w;
        }
    };
    let mut arrivals: SecondaryMap<Block, Vec<MInst>> = SecondaryMap::new();
    for x in f.layout.clone() {
        let data = &mut f.blocks[x];
        data.insts.retain_mut(|i| {
            if let Some((v, _)) = word(i) {
                if instead.contains_key(&v) {
                    return false;
                }
                if let Some(&to) = moved.get(&v) {
                    arrivals[to].push(i.clone());
                    return false;
                }
            }
            i.ops.iter_mut().for_each(|o| o.for_each_mut(new));
            i.for_each_beside_mut(new);
            true
        });
    }
    for x in f.layout.clone() {
        let here = std::mem::take(&mut arrivals[ir_block(x)]);
        let data = &mut f.blocks[x];
        // A jump through a table is an instruction, and stays last.
        let at = data.insts.len() - usize::from(matches!(data.term, MTerm::Switch(_)) && !data.insts.is_empty());
        data.insts.splice(at..at, here);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{add, branch, constant, function, jump, names, positive, store, value};

    const HOPPER: Limits =
        Limits { warps_per_sm: 64, ctas_per_sm: 32, shared_per_sm: 233_472, shared_per_cta: 232_448 };

    #[test]
    fn a_loop_keeps_no_moves() {
        let mut f = function(3);
        jump(&mut f, 0, 1, &[]);
        let x = value(&mut f, 1);
        let c = constant(&mut f, 1, 7);
        let y = add(&mut f, 1, x, c);
        let d = constant(&mut f, 1, 7);
        let z = add(&mut f, 1, y, d);
        let p = positive(&mut f, 1, z);
        branch(&mut f, 1, p, (1, &[]), (2, &[]));
        run(&mut f, &HOPPER, 1, 255);
        crate::verify::check(&f, "constants").unwrap();
        assert_eq!(names(&f, f.layout[0]), ["MOV"]);
        assert_eq!(names(&f, f.layout[1]), ["LDS", "IADD3", "IADD3", "ISETP"]);
    }

    #[test]
    fn nothing_is_kept_across_calls() {
        let mut f = function(3);
        jump(&mut f, 0, 1, &[]);
        let x = value(&mut f, 1);
        let c = constant(&mut f, 1, 7);
        let y = add(&mut f, 1, x, c);
        crate::testing::call(&mut f, 1);
        let d = constant(&mut f, 1, 7);
        let z = add(&mut f, 1, y, d);
        let p = positive(&mut f, 1, z);
        branch(&mut f, 1, p, (1, &[]), (2, &[]));
        let before = f.blocks.clone();
        run(&mut f, &HOPPER, 1, 255);
        assert_eq!(f.blocks, before);
    }

    #[test]
    fn pairs_are_shared_whole_or_not_at_all() {
        let mut f = function(1);
        for high in [1, 1, 2] {
            let (a, b) = (constant(&mut f, 0, 9), constant(&mut f, 0, high));
            store(&mut f, 0, &[a, b]);
        }
        run(&mut f, &HOPPER, 1, 255);
        let moves = names(&f, f.layout[0]).iter().filter(|n| **n == "MOV").count();
        assert_eq!(moves, 4, "two pairs");
    }

    #[test]
    fn branches_share_only_what_is_before_them() {
        let mut f = function(4);
        let x = value(&mut f, 0);
        let p = positive(&mut f, 0, x);
        branch(&mut f, 0, p, (1, &[]), (2, &[]));
        for side in [1, 2] {
            let c = constant(&mut f, side, 5);
            let y = add(&mut f, side, x, c);
            store(&mut f, side, &[y]);
            jump(&mut f, side, 3, &[]);
        }
        run(&mut f, &HOPPER, 1, 255);
        for side in [1, 2] {
            assert_eq!(names(&f, f.layout[side]), ["MOV", "IADD3", "STS"]);
        }
    }

    #[test]
    fn registers_that_cost_warps_are_not_taken() {
        let mut f = function(1);
        // Many live values, and as many constants used twice, one of them three times: sharing all would
        // more than double the pressure.
        let vs: Vec<V> = (0..26).map(|_| value(&mut f, 0)).collect();
        for round in 0..3 {
            for (n, &v) in vs.iter().enumerate().skip(if round == 2 { 25 } else { 0 }) {
                let c = constant(&mut f, 0, 100 + n as u32);
                let y = add(&mut f, 0, v, c);
                store(&mut f, 0, &[y]);
            }
        }
        let moves = |f: &MFunction, n: u32| {
            let found = f.blocks[f.layout[0]].insts.iter().filter_map(immediate);
            found.filter(|(_, bits)| *bits == 100 + n).count()
        };
        let warps = |f: &MFunction| warps(&HOPPER, 1, peak(f, File::Gpr) as u32 + CLOSE);
        let before = warps(&f);
        run(&mut f, &HOPPER, 1, 255);
        assert_eq!((moves(&f, 25), warps(&f)), (1, before));
        let all: Vec<usize> = (0..25).map(|n| moves(&f, n)).collect();
        assert!(all.contains(&1) && all.contains(&2), "{all:?}");
    }
}
