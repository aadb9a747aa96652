//! Load elimination: redundant loads, store-to-load forwarding, and partial redundancy elimination
//! of loads.
//!
//! Problem: a value that was loaded or stored on every path, with nothing in between that may have
//! changed it, need not be loaded again; where only some paths have it, one load on the others
//! (before a loop, most of all) saves the later one.
//!
//! Strategy: element by element ([`crate::locations`]), the classical pair of bit-vector problems.
//! *Available*: on every path to here, loaded or stored and not clobbered since. *Anticipated*: on
//! every path from here, loaded before anything clobbers it. Where a location is anticipated at the
//! beginning of a block and available from some predecessors, the others get a load at their end,
//! if that is outside the block's loop and they have no other successor; then availability is
//! solved again. A load of available elements is replaced by their value ([`crate::promote`]).
//!
//! **Invariants.** A load is inserted only where the same bytes would be loaded anyway on every
//! path that follows, with an alignment that a load there has: no new bytes are read. No load moves
//! across a write that may touch its bytes ([`crate::alias`]); strong loads stay as they are.
//! Deterministic; sets are bounded by [`crate::locations`], rounds by [`ROUNDS`].

use crate::alias::Aliases;
use crate::bits::Bits;
use crate::locations::Locations;
use crate::promote::{Cell, Element, Promote};
use raddle_entity::{FxHashMap, FxHashSet, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use raddle_ir::{Block, Cx, Function, Inst, Mty, Op, Stop, Terminator, Value, ValueDef};
use smallvec::SmallVec;

/// Rounds of inserting loads: one for each loop of a nest that a load may leave.
const ROUNDS: usize = 3;

/// Most predecessors that get a load to make one in the block redundant.
const MAX_INSERTED: usize = 2;

/// Runs the pass.
///
/// # Errors
/// None.
pub fn run(_: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let aliases = Aliases::of(f, &cfg);
    let Some(locations) = Locations::of(f, &cfg, &aliases, |_| true) else { return Ok(()) };
    let mut pass = Pass { f, cfg: &cfg, aliases: &aliases, locations, blocks: SecondaryMap::new() };
    pass.summarize();
    let mut available = pass.available();
    for _ in 0..ROUNDS {
        if !pass.insert(&available) {
            break;
        }
        pass.summarize();
        available = pass.available();
    }
    pass.replace(&available);
    Ok(())
}

/// The effects of a block on locations.
#[derive(Clone)]
struct Summary {
    /// Clobbered somewhere in the block.
    killed: Bits,
    /// Loaded or stored, and not clobbered afterwards.
    made: Bits,
    /// Loaded before anything clobbers or stores it.
    exposed: Bits,
}

struct Pass<'a> {
    f: &'a mut Function,
    cfg: &'a Cfg,
    aliases: &'a Aliases,
    locations: Locations,
    blocks: SecondaryMap<Block, Option<Box<Summary>>>,
}

impl Pass<'_> {
    fn none(&self) -> Bits {
        Bits::none(self.locations.list.len())
    }

    fn is_load(&self, i: Inst) -> bool {
        matches!(self.f.insts[i].op, Op::Load(_))
    }

    fn summarize(&mut self) {
        for &b in &self.cfg.rpo {
            let mut s = Summary { killed: self.none(), made: self.none(), exposed: self.none() };
            let mut ends = false;
            for &i in &self.f.blocks[b].insts {
                // Nothing after a trap is sure to run.
                ends |= self.f.insts[i].op == Op::Trap;
                let load = self.is_load(i);
                if let Some(list) = self.locations.of.get(&i).filter(|_| load) {
                    for &k in list {
                        if !ends && !s.killed.has(k) {
                            s.exposed.insert(k);
                        }
                        s.made.insert(k);
                    }
                    continue;
                }
                if let (_, Some(row)) = self.locations.effect(self.f, self.aliases, i) {
                    let row = self.locations.set(row);
                    s.killed.unite(row);
                    s.made.subtract(row);
                }
                for &k in self.locations.of.get(&i).into_iter().flatten() {
                    s.made.insert(k);
                }
            }
            if ends {
                s.killed = Bits::all(self.locations.list.len());
            }
            self.blocks[b] = Some(Box::new(s));
        }
    }

    /// The locations available at the beginning of each block.
    fn available(&self) -> SecondaryMap<Block, Option<Bits>> {
        let mut out: SecondaryMap<Block, Option<Bits>> = SecondaryMap::new();
        let mut at_end: SecondaryMap<Block, Option<Bits>> = SecondaryMap::new();
        let mut changed = true;
        while changed {
            changed = false;
            for (n, &b) in self.cfg.rpo.iter().enumerate() {
                let mut bits = if n == 0 { self.none() } else { Bits::all(self.locations.list.len()) };
                for &p in &self.cfg.preds[b] {
                    if let Some(p) = &at_end[p] {
                        bits.intersect(p);
                    }
                }
                let mut end = bits.clone();
                if let Some(s) = &self.blocks[b] {
                    end.subtract(&s.killed);
                    end.unite(&s.made);
                }
                out[b] = Some(bits);
                if at_end[b].as_ref() != Some(&end) {
                    at_end[b] = Some(end);
                    changed = true;
                }
            }
        }
        out
    }

    /// The locations available at the end of a block.
    fn at_end(&self, b: Block, available: &SecondaryMap<Block, Option<Bits>>) -> Bits {
        let mut end = available[b].clone().unwrap_or_else(|| self.none());
        if let Some(s) = &self.blocks[b] {
            end.subtract(&s.killed);
            end.unite(&s.made);
        }
        end
    }

    /// The locations anticipated at the beginning of each block.
    fn anticipated(&self) -> SecondaryMap<Block, Option<Bits>> {
        let ends = self.cfg.reaches_exit();
        let mut out: SecondaryMap<Block, Option<Bits>> = SecondaryMap::new();
        let mut changed = true;
        while changed {
            changed = false;
            for &b in self.cfg.rpo.iter().rev() {
                let succs = &self.cfg.succs[b];
                let mut bits =
                    if succs.is_empty() || !ends[b] { self.none() } else { Bits::all(self.locations.list.len()) };
                for &s in succs {
                    if let Some(s) = &out[s] {
                        bits.intersect(s);
                    }
                }
                if let Some(s) = &self.blocks[b] {
                    bits.subtract(&s.killed);
                    bits.unite(&s.exposed);
                }
                if out[b].as_ref() != Some(&bits) {
                    out[b] = Some(bits);
                    changed = true;
                }
            }
        }
        out
    }

    /// Inserts loads in predecessors that lack a location; returns whether it inserted any.
    fn insert(&mut self, available: &SecondaryMap<Block, Option<Bits>>) -> bool {
        let anticipated = self.anticipated();
        let dom = DomTree::dominators(self.cfg);
        let loops = Loops::of(self.cfg, &dom);
        let mut home: SecondaryMap<Inst, Option<Block>> = SecondaryMap::new();
        // The loads of each location, in reverse postorder.
        let mut loads: Vec<SmallVec<[Inst; 2]>> = vec![SmallVec::new(); self.locations.list.len()];
        for &b in &self.cfg.rpo {
            for &i in &self.f.blocks[b].insts {
                home[i] = Some(b);
                if self.is_load(i) {
                    for &k in self.locations.of.get(&i).into_iter().flatten() {
                        loads[k as usize].push(i);
                    }
                }
            }
        }
        let mut inserted: SecondaryMap<Block, Option<Bits>> = SecondaryMap::new();
        let mut any = false;
        for &b in &self.cfg.rpo {
            let preds = &self.cfg.preds[b];
            let (Some(wanted), Some(have)) = (&anticipated[b], &available[b]) else { continue };
            if preds.len() < 2 {
                continue;
            }
            let mut wanted = wanted.clone();
            wanted.subtract(have);
            let ends: Vec<Bits> = preds.iter().map(|&p| self.at_end(p, available)).collect();
            for k in wanted.iter().filter(|&k| (k as usize) < loads.len()) {
                let missing: SmallVec<[Block; 2]> =
                    preds.iter().zip(&ends).filter(|(_, end)| !end.has(k)).map(|(&p, _)| p).collect();
                let fits = |&p: &Block| {
                    !dom.dominates(b, p)
                        && loops.depth[p] <= loops.depth[b]
                        && matches!(self.f.term(p), Terminator::Jump(_))
                        && !inserted[p].as_ref().is_some_and(|bits| bits.has(k))
                };
                if missing.len() == preds.len() || missing.len() > MAX_INSERTED || !missing.iter().all(fits) {
                    continue;
                }
                let reaches = |v: Value, p: Block| match self.f.values[v].def {
                    ValueDef::Result(i, _) => home[i].is_some_and(|d| dom.dominates(d, p)),
                    ValueDef::Param(d, _) => dom.dominates(d, p),
                };
                let usable = |&&i: &&Inst| {
                    let Op::Load(mem) = self.f.insts[i].op else { return false };
                    let whole =
                        mem.count == 1 || home[i] == Some(b) && self.locations.of[&i].iter().all(|&k| wanted.has(k));
                    whole && missing.iter().all(|&p| reaches(self.f.insts[i].args[0], p))
                };
                let Some(&model) = loads[k as usize].iter().find(usable) else { continue };
                for &p in &missing {
                    let d = self.f.insts[model].clone();
                    let widths: SmallVec<[_; 4]> = d.results.iter().map(|&r| self.f.width(r)).collect();
                    let copy = self.f.append(p, d.op, &d.args, &widths, d.place);
                    self.locations.copy(model, copy);
                    let n = self.locations.list.len();
                    let done = inserted[p].get_or_insert_with(|| Bits::none(n));
                    self.locations.of[&copy].iter().for_each(|&k| done.insert(k));
                    any = true;
                }
            }
        }
        any
    }

    /// Replaces loads of which every element is available.
    fn replace(self, available: &SecondaryMap<Block, Option<Bits>>) {
        let Pass { f, cfg, aliases, mut locations, .. } = self;
        let mut gone: FxHashSet<Inst> = FxHashSet::default();
        let mut wanted = Bits::none(locations.list.len());
        for &b in &cfg.rpo {
            let mut now = available[b].clone().unwrap_or_else(|| Bits::none(locations.list.len()));
            for &i in &f.blocks[b].insts {
                let load = matches!(f.insts[i].op, Op::Load(_));
                if !load && let (_, Some(row)) = locations.effect(f, aliases, i) {
                    now.subtract(locations.set(row));
                }
                let Some(list) = locations.of.get(&i) else { continue };
                if load && list.iter().all(|&k| now.has(k)) {
                    gone.insert(i);
                    list.iter().for_each(|&k| wanted.insert(k));
                }
                list.iter().for_each(|&k| now.insert(k));
            }
        }
        if gone.is_empty() {
            return;
        }
        let mut cell_of: Vec<Option<u32>> = vec![None; locations.list.len()];
        let mut cells: Vec<Cell> = Vec::new();
        for (k, l) in locations.list.iter().enumerate().filter(|(k, _)| wanted.has(*k as u32)) {
            cell_of[k] = Some(cells.len() as u32);
            cells.push(l.ty);
        }
        let mut elements: FxHashMap<Inst, Vec<Element>> = FxHashMap::default();
        let mut keep: FxHashSet<Inst> = FxHashSet::default();
        for &b in &cfg.rpo {
            for &i in &f.blocks[b].insts {
                let Some(list) = locations.of.get(&i) else { continue };
                let (Op::Load(mem) | Op::Store(mem)) = f.insts[i].op else { continue };
                debug_assert!(mem.is_weak());
                if list.iter().all(|&k| cell_of[k as usize].is_none()) {
                    continue;
                }
                let element = |&k: &u32| {
                    let cells = cell_of[k as usize].into_iter().collect();
                    Element { cells, shift: 0, partial: false, ty: mem.ty }
                };
                elements.insert(i, list.iter().map(element).collect());
                if !gone.contains(&i) {
                    keep.insert(i);
                }
            }
        }
        debug_assert!(cells.iter().all(|ty| !matches!(ty, Mty::S8 | Mty::S16)));
        Promote::new(f, cfg, &cells, elements).keep(keep).run();
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn after(body: &str) -> String {
        let head = "kernel k\n params 0:8 8:8\n slot s0 shared 64 align 16 \"a\"\nb0:\n v0: b32 = slotaddr.s0.0\n \
            v2: b32 = const.0\n v3: b64 = load.param.b64.1.0 v2\n v4: b64 = load.param.b64.1.8 v2\n \
            v5: b32 = special.tid_x\n v6: p = icmp.lt.u v5, v2\n";
        let mut f = parse(&format!("{head}{body}end\n")).unwrap().remove(0);
        crate::tests::apply(super::run, &mut f);
        print(&f)
    }

    fn loads(text: &str) -> usize {
        text.matches(" load.").count() - text.matches(" load.param").count()
    }

    #[test]
    fn loaded_or_stored_before() {
        let text = after(
            " v7: b32 = load.global.b32.1.0 v3\n v8: b32 = load.global.b32.1.0 v3\n warpsync v7\n v9: b32 = add v7, v8\n \
             store.shared.b32.2.8 v0, v9, v5\n v10: b32 = load.shared.b32.1.12 v0\n v11: b32 = load.shared.b32.1.8 v0\n \
             v12: b32 = sub v10, v11\n warpsync v12\n exit\n",
        );
        assert_eq!(loads(&text), 1, "{text}");
        assert!(text.contains("v7: b32 = add v6, v6\n") && text.contains("v8: b32 = sub v4, v7\n"), "{text}");
    }

    #[test]
    fn narrow_stores_are_extended() {
        let text = after(" store.shared.u8.1.0 v0, v5\n v7: b32 = load.shared.s8.1.0 v0\n warpsync v7\n exit\n");
        assert!(text.contains("extlow.s.8 v4"), "{text}");
        let text = after(
            " v7: b32 = load.shared.s8.1.0 v0\n v8: b32 = load.shared.s8.1.0 v0\n v9: b32 = load.shared.u8.1.0 v0\n \
             v10: b32 = add v7, v8\n v11: b32 = add v10, v9\n warpsync v11\n exit\n",
        );
        assert_eq!((loads(&text), text.matches("extlow.u.8 v6").count()), (1, 1), "{text}");
    }

    #[test]
    fn what_may_have_changed_is_loaded_again() {
        for between in [
            "store.global.b32.1.0 v4, v5",
            "store.generic.b32.1.0 v4, v5",
            "store.global.u16.1.2 v3, v5",
            "v20: b32 = atom.add.u32.global.relaxed.gpu.0 v4, v5",
            "fence.acqrel.gpu",
            "bar.sync v2, v2",
            "warpsync v5",
        ] {
            let text = after(&format!(
                " v7: b32 = load.global.b32.1.0 v3\n {between}\n v8: b32 = load.global.b32.1.0 v3\n v9: b32 = add v7, v8\n \
                 store.shared.b32.1.0 v0, v9\n exit\n"
            ));
            assert_eq!(loads(&text), 2, "{between}");
        }
        let volatile =
            " v7: b32 = load.global.b32.1.volatile.sys.0 v3\n v8: b32 = load.global.b32.1.volatile.sys.0 v3\n exit\n";
        assert_eq!(loads(&after(volatile)), 2);
        // Another size.
        let sizes = " v7: b32 = load.global.b32.1.0 v3\n v8: b64 = load.global.b64.1.0 v3\n store.global.b64.1.0 v4, v8\n exit\n";
        assert_eq!(loads(&after(sizes)), 2);
    }

    #[test]
    fn values_meet_at_a_join() {
        let text = after(
            " branch v6, b1, b2\nb1:\n store.shared.b32.1.0 v0, v5\n jump b3\nb2:\n v7: b32 = load.shared.b32.1.0 v0\n \
             warpsync v7\n store.shared.b32.1.0 v0, v2\n jump b3\nb3:\n v8: b32 = load.shared.b32.1.0 v0\n warpsync v8\n exit\n",
        );
        assert!(text.contains("jump b3(v1)\nb3(v7: b32):\n  warpsync v7\n"), "{text}");
        // One way clobbers it.
        let text = after(
            " v9: b32 = load.shared.b32.1.0 v0\n branch v6, b1, b2\nb1:\n bar.sync v2, v2\n jump b2\nb2:\n \
             v8: b32 = load.shared.b32.1.0 v0\n v10: b32 = add v8, v9\n store.global.b32.1.0 v3, v10\n exit\n",
        );
        // The load moves to the way that needs it.
        assert!(text.contains("bar.sync v1, v1\n  v7: b32 = load.shared.b32.1.0 v0\n  jump b2(v7)\n"), "{text}");
    }

    const LOOP: &str = " jump b1(v5)\nb1(v10: b32):\n v11: b32 = load.global.b32.1.0 v3\n CLOBBER\n v12: b32 = add v10, v11\n \
        v13: p = icmp.lt.u v12, v5\n branch v13, b1(v12), b2\nb2:\n store.shared.b32.1.0 v0, v12\n exit\n";

    #[test]
    fn a_loop_that_changes_nothing_loads_once() {
        let text = after(&LOOP.replace("CLOBBER", "store.shared.b32.1.0 v0, v11"));
        assert!(text.contains("load.global.b32.1.0 v2\n  jump b1(v4)\nb1(v7"), "{text}");
        assert_eq!(loads(&text), 1, "{text}");
        for clobber in ["store.global.b32.1.0 v4, v11", "bar.sync v2, v2"] {
            let text = after(&LOOP.replace("CLOBBER", clobber));
            assert!(text.contains("jump b1(v4)\nb1(v6: b32):\n  v7: b32 = load.global"), "{text}");
        }
    }

    #[test]
    fn nothing_is_loaded_that_was_not() {
        // The body does not run for sure.
        let text = after(
            " jump b1(v5)\nb1(v10: b32):\n v13: p = icmp.lt.u v10, v5\n branch v13, b2, b3\nb2:\n v11: b32 = load.global.b32.1.0 v3\n \
             v12: b32 = add v10, v11\n jump b1(v12)\nb3:\n store.shared.b32.1.0 v0, v10\n exit\n",
        );
        assert!(text.contains("b2:\n  v8: b32 = load.global"), "{text}");
        // After a trap; before an infinite loop.
        let text = after(&LOOP.replace("v11: b32 = load", "trap\n v11: b32 = load").replace("CLOBBER", "nanosleep v5"));
        assert!(text.contains("trap\n  v7: b32 = load.global"), "{text}");
        let text = after(
            " branch v6, b1, b2\nb1:\n v11: b32 = load.global.b32.1.0 v3\n nanosleep v11\n jump b3\nb2:\n jump b3\nb3:\n \
             jump b4\nb4:\n jump b4\n",
        );
        assert_eq!(loads(&text), 1, "{text}");
    }
}
