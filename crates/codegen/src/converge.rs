//! Convergence barriers: `BSSY` before a divergent region, `BSYNC` where its threads converge.
//!
//! Problem: after a divergent branch the machine runs one subset of a warp at a time and joins
//! subsets only where it is told to. PTX guarantees no convergence by itself, but shuffles, votes,
//! matrix products and `bar.sync` are correct only if the threads that the source brings together
//! arrive together, and divergent code is slow.
//!
//! Rules (decision D4: barriers are inserted once, after the last change of control flow):
//! - The threads of a conditional branch X converge at J, its immediate post-dominator. **Early
//!   exits**: an edge from a block that can still reach a convergent operation to one that cannot
//!   is an exit edge and is ignored for post-dominance, as threads that take it are gone (the
//!   machine removes exited threads from barriers). Where that would leave a block without
//!   successors, its exit edges count again.
//! - All branches with the same J share one barrier. It is set at D, the nearest common dominator
//!   of them and J, moved up the dominator tree until no cycle through D avoids J (so the barrier
//!   of a loop is set before the loop, not in it).
//! - The pair (D, J) is used only if D dominates J, J post-dominates D, and every cycle through one
//!   of them contains the other. Loops are prepared for this: a header with several entries gets a
//!   preheader, one with several back edges a latch; a header that is entered by a branch past the
//!   loop gets a preheader where a region lacks a place for D. **Irreducible** regions that violate
//!   a condition get no barrier.
//! - A branch in a loop whose J is after the loop has a second region within the loop, which
//!   threads leave by `BREAK` ([`crate::breaks`]). It gets no barrier if it contains a call: a
//!   function that is called saves barriers, and would restore one without what `BREAK` did to it.
//! - If a divergent branch has no barrier, or lanes wait for different masks, operations of the
//!   whole warp (shuffles, votes, ...) synchronise its lanes first, by `WARPSYNC`: the function is
//!   selected again ([`Converged::unjoined`]).
//! - Lanes that call different functions through a register return one group after the other, as
//!   they may from a function of another compiler: such a call has its own region
//!   ([`crate::indirect_calls`], "ptxas 13.0.88 output").
//! - Two regions need different barrier registers if one's D lies where the other is open (between
//!   its D and its J, including code of threads that left early). Registers are assigned outermost
//!   first; beyond **16** a region gets none
//!   (15 where lanes run along with others: `select::quad`).
//! - Later edge splits only carry moves.
//! - Loops that threads leave one by one get yields ([`crate::yields`]).
//!
//! A uniform branch ([`crate::uniform`]) needs no barrier, nor does one whose J only ends the
//! thread.

use raddle_entity::{EntityRef, FxHashMap, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Stop};
use raddle_sass::form::find;
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Isa, Op};
use smallvec::SmallVec;

use crate::abi::Make;
use crate::breaks::{self, Region};
use crate::convention::{KEPT_BARRIER, QUAD_BARRIER, is_call};
use crate::graph::{b, cfg, m, succs};
use crate::indirect_calls;
use crate::mir::{MArg, MBlock, MBlockData, MEdge, MFunction, MGuard, MInst, MKind, MOp, MTerm};
use crate::sass::tokens::Clear;
use crate::sass::{self, Mnemonic};
use crate::uniform::Uniformity;
use crate::yields;

/// Convergence barrier registers of a warp.
const BARRIERS: usize = 16;

/// Most blocks visited to find regions, by all searches together. Regions in sequence or nested
/// need few visits each; if thousands overlap, the last ones get no barrier.
const LOOKED_AT: usize = 20_000_000;

/// The result of the pass.
#[derive(Clone, Debug, Default)]
pub struct Converged {
    /// Whether barriers are used.
    pub used: bool,
    /// Whether lanes may run separately without a barrier that joins them, in a function with
    /// operations that depend on the active lanes.
    pub unjoined: bool,
    /// Blocks at whose end threads diverge, with the block where a barrier joins all that have not
    /// exited.
    pub joined: SecondaryMap<Block, Option<Block>>,
}

/// Runs the pass.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks the instructions.
pub fn run(f: &mut MFunction, isa: Isa) -> Result<Converged, Stop> {
    let together = f.layout.iter().any(|&b| f.blocks[b].insts.iter().any(|i| i.row().effects.convergent));
    let calls = indirect_calls::split(f);
    prepare_loops(f);
    let mut found = Found::of(f, &calls);
    if found.without && split_entries(f) {
        found = Found::of(f, &calls);
    }
    let registers = assign(f, &found);
    let make = |name: Mnemonic, given: &[(SlotRole, MOp)], place| {
        let form = find(isa, &name, given)
            .ok_or_else(|| Stop::Internal { pass: "converge", what: format!("no row for {name}") })?;
        Ok(MInst::new(form, place))
    };
    let joined = insert_barriers(f, &found, &registers, &make)?;
    let used = registers.iter().flatten().fold(0, |all, r| all | 1 << r);
    if f.called {
        keep_barriers(f, used, &make)?;
    }
    yields::insert(f, &found.cfg, &found.dom, &found.parts, &make)?;
    let unjoined = together && (found.without || registers.contains(&None));
    Ok(Converged { used: used != 0, unjoined, joined })
}

/// Assigns barrier registers to the regions, in order. A region gets none if all are taken, or if
/// the searches were too long.
fn assign(f: &MFunction, found: &Found) -> Vec<Option<u8>> {
    let mut search = Search::new(&found.cfg);
    // By block: registers of barriers that are set in it, and of those that are open in it.
    let mut set_in: SecondaryMap<Block, u16> = SecondaryMap::new();
    let mut open_in: SecondaryMap<Block, u16> = SecondaryMap::new();
    let mut registers = Vec::with_capacity(found.regions.len());
    for &Region { set: d, meet: j, ref leaving } in &found.regions {
        let register = search.from(d, j).and_then(|()| {
            let taken = search.found.iter().fold(set_in[d] | open_in[d], |taken, x| taken | set_in[*x]);
            // Only callee-saved barriers can be open across a call, and they are used for nothing
            // else.
            let across = search.found.iter().any(|&x| f.blocks[m(x)].insts.iter().any(is_call));
            // What a callee restores names the lanes that have left meanwhile, for which others would
            // wait for ever.
            if across && leaving.iter().any(|&(_, to)| !ends(f, to)) {
                return None;
            }
            let from = if across { KEPT_BARRIER } else { 0 };
            let to = match f.called && !across {
                true => KEPT_BARRIER,
                false if f.quad_registers > 0 => QUAD_BARRIER,
                false => BARRIERS as u8,
            };
            (from..to).find(|r| taken >> r & 1 == 0)
        });
        if let Some(r) = register {
            set_in[d] |= 1 << r;
            search.found.iter().for_each(|&x| open_in[x] |= 1 << r);
        }
        registers.push(register);
    }
    registers
}

/// Whether a block only ends the thread.
fn ends(f: &MFunction, block: Block) -> bool {
    f.blocks[m(block)].insts.is_empty() && f.blocks[m(block)].term == MTerm::Exit
}

/// Inserts the barriers of regions that have a register. Returns [`Converged::joined`].
fn insert_barriers(
    f: &mut MFunction,
    found: &Found,
    registers: &[Option<u8>],
    make: Make<'_>,
) -> Result<SecondaryMap<Block, Option<Block>>, Stop> {
    let mut joined = SecondaryMap::new();
    let mut inserter = Inserter { f, make, split: FxHashMap::default() };
    for (region, register) in found.regions.iter().zip(registers) {
        let Some(register) = *register else { continue };
        if region.leaving.is_empty() {
            let branches = found.met.get(&(region.set, region.meet));
            branches.into_iter().flatten().for_each(|x| joined[*x] = Some(region.meet));
        }
        inserter.region(region, register)?;
    }
    Ok(joined)
}

/// Inserts the instructions of barriers.
struct Inserter<'a> {
    f: &'a mut MFunction,
    make: Make<'a>,
    /// Blocks inserted on edges of table jumps.
    split: FxHashMap<(Block, Block), MBlock>,
}

impl Inserter<'_> {
    /// Sets the barrier of a region, lets threads leave it, and waits at it.
    fn region(&mut self, region: &Region, register: u8) -> Result<(), Stop> {
        let (d, j) = (m(region.set), m(region.meet));
        let bar = MOp::new(MKind::Barrier(register));
        let set = [(SlotRole::Bar, bar.clone()), (SlotRole::Target, MOp::new(MKind::Target(j)))];
        let bssy = (self.make)(sass::bssy(), &set, self.f.blocks[d].place)?;
        let data = &mut self.f.blocks[d];
        let jumps = usize::from(matches!(data.term, MTerm::Switch(_)));
        data.insts.insert(data.insts.len() - jumps, bssy);
        for &(from, to) in &region.leaving {
            self.leave(&bar, from, to)?;
        }
        let bsync = (self.make)(sass::bsync(), &[(SlotRole::Bar, bar)], self.f.blocks[j].place)?;
        self.f.blocks[j].insts.insert(0, bsync);
        Ok(())
    }

    /// Lets threads leave a barrier that take an edge.
    fn leave(&mut self, bar: &MOp, from: Block, to: Block) -> Result<(), Stop> {
        let f = &mut *self.f;
        // Exiting threads leave the barrier anyway.
        if ends(f, to) {
            return Ok(());
        }
        let leave = (self.make)(sass::break_(), &[(SlotRole::Bar, bar.clone())], f.blocks[m(from)].place)?;
        match &f.blocks[m(from)].term {
            MTerm::Branch { guard: MGuard::Virtual(v, not), then, .. } => {
                let guard = MGuard::Virtual(*v, *not != (then.to != m(to)));
                f.blocks[m(from)].insts.push(MInst { guard, ..leave });
            }
            // A table jump has no guard that tells who leaves: a block on the edge does.
            MTerm::Switch(_) => {
                let via = *self.split.entry((from, to)).or_insert_with(|| merge_edges(f, m(to), &[from]));
                f.blocks[via].insts.push(leave);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Divergent branches and the regions where their threads converge.
struct Found {
    cfg: Cfg,
    dom: DomTree,
    /// Whether a block's branch is divergent.
    parts: SecondaryMap<Block, bool>,
    /// Branches with a common join, by region: where the barrier is set, and the join.
    met: FxHashMap<(Block, Block), Vec<Block>>,
    /// The regions, outermost first.
    regions: Vec<Region>,
    /// Whether a branch has no region.
    without: bool,
}

impl Found {
    fn of(f: &MFunction, calls: &[(MBlock, MBlock)]) -> Self {
        let cfg = cfg(f);
        let dom = DomTree::dominators(&cfg);
        let cut = without_exit_edges(f, &cfg);
        let post = DomTree::post_dominators(&cfg, &cut);
        let uniform = Uniformity::of(f);

        // Branches by their join.
        let mut groups: Vec<(Block, Vec<Block>)> = Vec::new();
        let mut index: FxHashMap<Block, usize> = FxHashMap::default();
        for &x in &cfg.rpo {
            let parts = match f.blocks[m(x)].term {
                MTerm::Branch { guard: MGuard::Virtual(v, _), .. } => !uniform.same(v),
                MTerm::Switch(_) => true,
                _ => false,
            };
            if cut[x].len() < 2 || !parts {
                continue;
            }
            let Some(j) = post.idom(x) else { continue };
            let data = &f.blocks[m(j)];
            if data.insts.is_empty() && data.term == MTerm::Exit {
                continue;
            }
            let n = *index.entry(j).or_insert_with(|| {
                groups.push((j, Vec::new()));
                groups.len() - 1
            });
            groups[n].1.push(x);
        }
        let mut search = Search::new(&cfg);
        let region = |(j, xs): &(Block, Vec<Block>)| {
            let set = start(&mut search, &dom, &post, *j, xs)?;
            Some(Region { set, meet: *j, leaving: Vec::new() })
        };
        let mut regions: Vec<Region> = groups.iter().filter_map(region).collect();
        let own = regions.iter().map(|r| ((r.set, r.meet), groups[index[&r.meet]].1.clone()));
        let met: FxHashMap<(Block, Block), Vec<Block>> = own.collect();
        let mut parts: SecondaryMap<Block, bool> = SecondaryMap::new();
        groups.iter().flat_map(|(_, xs)| xs).for_each(|&x| parts[x] = true);
        let (inner, without) = breaks::regions(&cfg, &dom, |x| parts[x], |x| post.idom(x));
        let without = without || regions.len() < groups.len() || waits_apart(f, &uniform);
        regions.extend(inner);
        regions.extend(calls.iter().map(|&(set, meet)| Region { set: b(set), meet: b(meet), leaving: Vec::new() }));
        let place: FxHashMap<Block, usize> = cfg.rpo.iter().enumerate().map(|(n, &x)| (x, n)).collect();
        regions.sort_by_key(|r| (place[&r.set], std::cmp::Reverse(place[&r.meet])));
        Found { cfg, dom, parts, met, regions, without }
    }
}

/// Whether the mask of a `WARPSYNC` differs between lanes, so that some continue without the
/// others.
fn waits_apart(f: &MFunction, uniform: &Uniformity) -> bool {
    let mut insts = f.layout.iter().flat_map(|&x| &f.blocks[x].insts).filter(|i| i.row().op == Op::Warpsync);
    insts.any(|i| {
        let mut differs = false;
        i.for_each_use(|v| differs |= !uniform.same(v));
        differs
    })
}

/// Saves callee-saved barriers in registers while the function uses them.
fn keep_barriers(f: &mut MFunction, used: u16, make: Make<'_>) -> Result<(), Stop> {
    for r in (KEPT_BARRIER..BARRIERS as u8).filter(|r| used >> r & 1 == 1) {
        let (bar, kept) = (MOp::new(MKind::Barrier(r)), MOp::reg(f.vreg(File::Gpr)));
        let store = make(
            sass::bmov(Clear::Clear),
            &[(SlotRole::Rd, kept.clone()), (SlotRole::Bar, bar.clone())],
            Default::default(),
        )?;
        let entry = f.entry();
        f.blocks[entry].insts.insert(0, store);
        for x in f.layout.clone() {
            if f.blocks[x].term == MTerm::Return {
                let place = f.blocks[x].place;
                let fetch = make(
                    sass::bmov(Clear::None),
                    &[(SlotRole::Bar, bar.clone()), (SlotRole::Rb, kept.clone())],
                    place,
                )?;
                f.blocks[x].insts.push(fetch);
            }
        }
    }
    Ok(())
}

/// The block that sets the barrier of the branches `xs` that converge at `j`; `None` if the
/// conditions cannot be met.
fn start(search: &mut Search<'_>, dom: &DomTree, post: &DomTree, j: Block, xs: &[Block]) -> Option<Block> {
    let mut d = j;
    for &x in xs {
        d = dom.common(d, x)?;
    }
    if d == j {
        // J dominates its branches: there is a cycle, and the barrier belongs before it.
        d = dom.idom(j)?;
    }
    // Blocks between D and J, without J.
    search.from(d, j)?;
    while search.has(d) {
        d = dom.idom(d)?;
        search.from(d, j)?;
    }
    search.from(j, d)?;
    (d != j && dom.dominates(d, j) && post.dominates(j, d) && !search.has(j)).then_some(d)
}

/// Forward searches in the graph, one after the other.
struct Search<'a> {
    cfg: &'a Cfg,
    /// The last search that visited a block.
    seen: SecondaryMap<Block, u32>,
    this: u32,
    /// The blocks found by the last search.
    found: Vec<Block>,
    /// Blocks that may still be visited.
    left: usize,
}

impl<'a> Search<'a> {
    fn new(cfg: &'a Cfg) -> Self {
        Search { cfg, seen: SecondaryMap::new(), this: 0, found: Vec::new(), left: LOOKED_AT }
    }

    /// Finds the blocks that are reachable from the successors of `from` without passing `stop`;
    /// `from` itself only through a cycle. Returns `None` if the work limit is exceeded.
    fn from(&mut self, from: Block, stop: Block) -> Option<()> {
        self.this += 1;
        self.found.clear();
        self.look(from, stop);
        let mut next = 0;
        while let Some(&x) = self.found.get(next) {
            next += 1;
            self.look(x, stop);
        }
        self.left = self.left.checked_sub(next)?;
        Some(())
    }

    fn look(&mut self, x: Block, stop: Block) {
        let cfg = self.cfg;
        for &s in &cfg.succs[x] {
            if s != stop && std::mem::replace(&mut self.seen[s], self.this) != self.this {
                self.found.push(s);
            }
        }
    }

    /// Whether the last search found it.
    fn has(&self, x: Block) -> bool {
        self.seen[x] == self.this
    }
}

/// Successors without exit edges.
fn without_exit_edges(f: &MFunction, cfg: &Cfg) -> SecondaryMap<Block, SmallVec<[Block; 2]>> {
    // Blocks that can reach a convergent operation.
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut work: Vec<Block> = Vec::new();
    for &x in &cfg.rpo {
        // Threads that return continue together in the caller.
        let returns = f.blocks[m(x)].term == MTerm::Return;
        if returns || f.blocks[m(x)].insts.iter().any(|i| i.row().effects.convergent || is_call(i)) {
            work.push(x);
        }
    }
    while let Some(x) = work.pop() {
        if !std::mem::replace(&mut inside[x], true) {
            work.extend(cfg.preds[x].iter().copied());
        }
    }
    let full = succs(f);
    let mut cut = full.clone();
    for &x in &cfg.rpo {
        if inside[x] {
            cut[x].retain(|s| inside[*s]);
        }
    }
    // Blocks that have lost all successors get their edges back.
    loop {
        let mut leaves: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut preds: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
        let mut work: Vec<Block> = Vec::new();
        for &x in &cfg.rpo {
            cut[x].iter().for_each(|&s| preds[s].push(x));
            if cut[x].is_empty() {
                work.push(x);
            }
        }
        while let Some(x) = work.pop() {
            if !std::mem::replace(&mut leaves[x], true) {
                work.extend(preds[x].iter().copied());
            }
        }
        let mut changed = false;
        for &x in &cfg.rpo {
            if !leaves[x] && cut[x].len() < full[x].len() {
                cut[x] = full[x].clone();
                changed = true;
            }
        }
        if !changed {
            return cut;
        }
    }
}

/// Gives a preheader to headers with several entries, and a latch to those with several back edges.
fn prepare_loops(f: &mut MFunction) {
    let cfg = cfg(f);
    let dom = DomTree::dominators(&cfg);
    for &h in &cfg.rpo {
        let (back, entry): (Vec<Block>, Vec<Block>) = cfg.preds[h].iter().partition(|&&p| dom.dominates(h, p));
        if back.is_empty() {
            continue;
        }
        if entry.len() > 1 {
            merge_edges(f, m(h), &entry);
        }
        if back.len() > 1 {
            merge_edges(f, m(h), &back);
        }
    }
}

/// Gives a preheader to headers that are entered by a branch past the loop: there is no other place
/// for a barrier that is set before the loop and reached by all threads that set it. Returns
/// whether there was one.
fn split_entries(f: &mut MFunction) -> bool {
    let cfg = cfg(f);
    let dom = DomTree::dominators(&cfg);
    let mut any = false;
    for &h in &cfg.rpo {
        let (back, entry): (Vec<Block>, Vec<Block>) = cfg.preds[h].iter().partition(|&&p| dom.dominates(h, p));
        if !back.is_empty() && entry.len() == 1 && cfg.succs[entry[0]].len() > 1 {
            merge_edges(f, m(h), &entry);
            any = true;
        }
    }
    any
}

/// Redirects the edges from `from` to `to` through a new block, which forwards the parameters.
fn merge_edges(f: &mut MFunction, to: MBlock, from: &[Block]) -> MBlock {
    let files: Vec<_> = f.blocks[to].params.iter().map(|&v| f.vregs[v]).collect();
    let params: SmallVec<[_; 4]> = files.into_iter().map(|file| f.vregs.push(file)).collect();
    let args = params.iter().map(|&v| MArg::Reg(v)).collect();
    let place = f.blocks[to].place;
    let via = f.blocks.push(MBlockData { params, insts: Vec::new(), term: MTerm::Jump(MEdge { to, args }), place });
    let last = from.iter().filter_map(|&p| f.layout.iter().position(|&x| x == m(p))).max();
    f.layout.insert(last.map_or(f.layout.len(), |n| n + 1), via);
    let mut done: Vec<Block> = Vec::new();
    for &p in from {
        if done.contains(&p) {
            continue;
        }
        done.push(p);
        f.blocks[m(p)].term.retarget(to, via);
    }
    debug_assert!(b(via).index() == via.index());
    via
}
