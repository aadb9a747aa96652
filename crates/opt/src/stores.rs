//! Removes dead stores.
//!
//! Problem: a weak store whose bytes the same thread overwrites before they can be read has no
//! effect; nor does a store to local memory that no load follows.
//!
//! Strategy: backward data flow over the elements of weak accesses ([`crate::locations`]). An
//! element is *dead* if every path overwrites it before it is read, before a synchronisation makes
//! it visible to other threads, and before the thread ends. At the end of the thread its local
//! memory is dead; at the return of a called function, its own variables. A store of dead elements
//! only is removed.
//!
//! **Invariants.** Strong stores stay. Nothing is dead in code from which the thread cannot reach
//! its end. An address is that of the values it is computed from: where one of them is defined, it is no longer known
//! what the path behind overwrites, as in a loop the value before was another one.

use crate::address::Atom;
use crate::alias::{Aliases, Location};
use crate::bits::Bits;
use crate::locations::Locations;
use raddle_entity::{FxHashMap, FxHashSet, SecondaryMap};
use raddle_ir::cfg::Cfg;
use raddle_ir::{Block, Cx, Function, Inst, Kind, Op, Space, Stop, Value};
use smallvec::SmallVec;

/// Runs the pass.
///
/// # Errors
/// None.
pub fn run(_: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let cfg = Cfg::of(f);
    let aliases = Aliases::of(f, &cfg);
    let Some(mut locations) = Locations::of(f, &cfg, &aliases, |_| true) else { return Ok(()) };
    let stores = cfg.rpo.iter().flat_map(|&b| &f.blocks[b].insts).any(|&i| matches!(f.insts[i].op, Op::Store(_)));
    if !stores {
        return Ok(());
    }
    let n = locations.list.len();
    let mut at_exit = Bits::none(n);
    // In a called function, other local memory is the caller's.
    let ours = |l: &Location| l.space == Space::Local && (f.kind == Kind::Kernel || l.form.slot().is_some());
    for (k, l) in locations.list.iter().enumerate().filter(|(_, l)| ours(&l.location)) {
        debug_assert!(!l.constant);
        at_exit.insert(k as u32);
    }
    let varying = varying(&locations);
    let ends = cfg.reaches_exit();
    let mut dead_in: SecondaryMap<Block, Option<Bits>> = SecondaryMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for &b in cfg.rpo.iter().rev() {
            let mut dead = at_end(&cfg, &ends, &dead_in, b, &at_exit, n);
            walk(f, &aliases, &mut locations, &varying, b, &mut dead, None);
            if dead_in[b].as_ref() != Some(&dead) {
                dead_in[b] = Some(dead);
                changed = true;
            }
        }
    }
    for &b in &cfg.rpo {
        let mut dead = at_end(&cfg, &ends, &dead_in, b, &at_exit, n);
        let mut gone = FxHashSet::default();
        walk(f, &aliases, &mut locations, &varying, b, &mut dead, Some(&mut gone));
        f.blocks[b].insts.retain(|i| !gone.contains(i));
    }
    Ok(())
}

/// The locations whose addresses are computed from a value, by value.
type Varying = FxHashMap<Value, SmallVec<[u32; 4]>>;

fn varying(locations: &Locations) -> Varying {
    let mut out = Varying::default();
    for (k, l) in (0..).zip(&locations.list) {
        for (atom, _) in &l.location.form.terms {
            if let Atom::Value(v) | Atom::Zext(v) | Atom::Sext(v) = *atom {
                out.entry(v).or_default().push(k);
            }
        }
    }
    out
}

/// The locations that are dead at the end of a block.
fn at_end(
    cfg: &Cfg,
    ends: &SecondaryMap<Block, bool>,
    dead_in: &SecondaryMap<Block, Option<Bits>>,
    b: Block,
    at_exit: &Bits,
    n: usize,
) -> Bits {
    if !ends[b] {
        return Bits::none(n);
    }
    if cfg.succs[b].is_empty() {
        return at_exit.clone();
    }
    let mut dead = Bits::all(n);
    for &s in &cfg.succs[b] {
        if let Some(s) = &dead_in[s] {
            dead.intersect(s);
        }
    }
    dead
}

/// Moves a set of dead locations from the end of a block to its beginning; lists the stores of dead
/// elements.
fn walk(
    f: &Function,
    aliases: &Aliases,
    locations: &mut Locations,
    varying: &Varying,
    b: Block,
    dead: &mut Bits,
    mut gone: Option<&mut FxHashSet<Inst>>,
) {
    let defined = |v: &Value, dead: &mut Bits| varying.get(v).into_iter().flatten().for_each(|&k| dead.remove(k));
    for &i in f.blocks[b].insts.iter().rev() {
        if let (Op::Store(_), Some(list)) = (f.insts[i].op, locations.of.get(&i)) {
            if let Some(gone) = gone.as_mut().filter(|_| list.iter().all(|&k| dead.has(k))) {
                gone.insert(i);
            }
            list.iter().for_each(|&k| dead.insert(k));
        } else if let (Some(row), _) = locations.effect(f, aliases, i) {
            dead.subtract(locations.set(row));
        }
        f.insts[i].results.iter().for_each(|v| defined(v, dead));
    }
    f.blocks[b].params.iter().for_each(|v| defined(v, dead));
}

#[cfg(test)]
mod tests {
    use raddle_ir::text::{parse, print};

    fn stores(body: &str) -> usize {
        let head = "kernel k\n params 0:8 8:8\n slot s0 local 64 align 16 \"a\"\n slot s1 shared 64 align 16 \"b\"\nb0:\n \
            v0: b32 = slotaddr.s0.0\n v1: b32 = slotaddr.s1.0\n v2: b32 = const.0\n v3: b64 = load.param.b64.1.0 v2\n \
            v4: b64 = load.param.b64.1.8 v2\n v5: b32 = special.tid_x\n v6: p = icmp.lt.u v5, v2\n";
        let mut f = parse(&format!("{head}{body}end\n")).unwrap().remove(0);
        crate::tests::apply(super::run, &mut f);
        print(&f).matches(" store.").count()
    }

    #[test]
    fn overwritten_before_it_is_read() {
        assert_eq!(stores(" store.global.b32.1.0 v3, v5\n store.global.b32.1.0 v3, v2\n exit\n"), 1);
        assert_eq!(stores(" store.shared.b32.1.0 v1, v5\n store.shared.b32.1.0 v1, v2\n exit\n"), 1);
        // On both paths, on one of them after a store elsewhere.
        let two = " store.global.b32.1.0 v3, v5\n branch v6, b1, b2\nb1:\n store.global.b32.1.0 v3, v2\n exit\nb2:\n \
            store.global.b32.1.0 v4, v2\n store.global.b32.1.0 v3, v2\n exit\n";
        assert_eq!(stores(two), 3);
    }

    /// The store of one iteration and that after the loop have the same name for their addresses.
    #[test]
    fn the_address_of_another_iteration_is_another_one() {
        let of_a_parameter = " jump b1(v3, v5)\nb1(v7: b64, v8: b32):\n v9: b32 = add v8, v5\n v10: p = icmp.lt.u v9, v2\n \
            branch v10, b2, b3\nb2:\n store.global.b32.1.0 v7, v8\n v11: b64 = const.4\n v12: b64 = add v7, v11\n jump b1(v12, v9)\nb3:\n \
            store.global.b32.1.0 v7, v9\n exit\n";
        assert_eq!(stores(of_a_parameter), 2);
        let of_a_result = " jump b1(v5)\nb1(v8: b32):\n v7: b64 = load.global.b64.1.volatile.sys.0 v4\n v9: b32 = add v8, v5\n \
            v10: p = icmp.lt.u v9, v2\n branch v10, b2, b3\nb2:\n store.global.b32.1.0 v7, v8\n jump b1(v9)\nb3:\n \
            store.global.b32.1.0 v7, v9\n exit\n";
        assert_eq!(stores(of_a_result), 2);
        // One address in all iterations.
        let of_none = " jump b1(v5)\nb1(v8: b32):\n v9: b32 = add v8, v5\n v10: p = icmp.lt.u v9, v2\n branch v10, b2, b3\nb2:\n \
            store.global.b32.1.0 v3, v8\n jump b1(v9)\nb3:\n store.global.b32.1.0 v3, v9\n exit\n";
        assert_eq!(stores(of_none), 1);
    }

    #[test]
    fn local_memory_ends_with_the_thread() {
        assert_eq!(stores(" store.local.b32.1.0 v0, v5\n exit\n"), 0);
        assert_eq!(stores(" store.local.b32.1.0 v0, v5\n bar.sync v2, v2\n exit\n"), 0);
        assert_eq!(stores(" store.local.b32.1.0 v0, v5\n v9: b32 = load.local.b32.1.0 v0\n warpsync v9\n exit\n"), 1);
        assert_eq!(stores(" store.shared.b32.1.0 v1, v5\n exit\n"), 1);
        // A strong load reads its own bytes only.
        let strong = " store.local.b32.2.0 v0, v5, v5\n store.local.b32.1.8 v0, v5\n v9: b32 = load.local.b32.1.acquire.cta.4 v0\n exit\n";
        assert_eq!(stores(strong), 1);
    }

    #[test]
    fn what_may_be_seen_stays() {
        for between in [
            "v9: b32 = load.global.b32.1.0 v3",
            "v9: b32 = load.global.b32.1.0 v4",
            "v9: b32 = load.generic.b32.1.0 v4",
            "v9: b32 = atom.add.u32.global.relaxed.gpu.0 v4, v5",
            "fence.acqrel.gpu",
            "bar.sync v2, v2",
            "warpsync v5",
            "trap",
        ] {
            let text = format!(" store.global.b32.1.0 v3, v5\n {between}\n store.global.b32.1.0 v3, v2\n exit\n");
            assert_eq!(stores(&text), 2, "{between}");
        }
        // Volatile; in part; on one path; before an infinite loop.
        assert_eq!(stores(" store.global.b32.1.volatile.sys.0 v3, v5\n store.global.b32.1.0 v3, v2\n exit\n"), 2);
        assert_eq!(stores(" store.global.b32.1.0 v3, v5\n store.global.u16.1.0 v3, v2\n exit\n"), 2);
        assert_eq!(
            stores(
                " store.global.b32.1.0 v3, v5\n branch v6, b1, b2\nb1:\n store.global.b32.1.0 v3, v2\n exit\nb2:\n exit\n"
            ),
            2
        );
        assert_eq!(stores(" store.global.b32.1.0 v3, v5\n jump b1\nb1:\n jump b1\n"), 1);
    }
}
