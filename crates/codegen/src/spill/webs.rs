//! Gives each web of a split register its own name.
//!
//! Reloads are further definitions of the same register. A *web* is a maximal set of definitions
//! and uses connected by reaching; webs of one register are never live together and need not share
//! a number. Webs that are neighbours in a list keep the positions that coalescing gave them, and
//! two webs of one register with the same neighbours stay one.

use raddle_entity::{EntityRef, FxHashMap, SecondaryMap};
use smallvec::SmallVec;

use crate::destruct::Groups;
use crate::live::Liveness;
use crate::mir::{MBlock, MFunction, MGuard, MKind, MTerm, V};

/// Classes of numbers (union-find).
#[derive(Clone, Debug, Default)]
struct Classes(Vec<usize>);

impl Classes {
    fn add(&mut self) -> usize {
        self.0.push(self.0.len());
        self.0.len() - 1
    }
    fn find(&mut self, mut n: usize) -> usize {
        while self.0[n] != n {
            self.0[n] = self.0[self.0[n]];
            n = self.0[n];
        }
        n
    }
    /// Joins two classes. The lower number represents both, so that the outcome does not depend on
    /// the order.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Renames the webs of the registers in `split`, and recomputes the groups.
pub fn run(f: &mut MFunction, groups: &Groups, split: &SecondaryMap<V, bool>) -> Groups {
    // A name for each definition and for each register at each block's beginning; joined, they are
    // webs.
    let live = Liveness::of(f);
    let mut classes = Classes::default();
    let mut begin: FxHashMap<(MBlock, V), usize> = FxHashMap::default();
    for &b in &f.layout {
        for v in live.live_in(b).filter(|v| split[*v]) {
            begin.insert((b, v), classes.add());
        }
    }
    // The class and the register of each new name.
    let mut names: Vec<(V, usize)> = Vec::new();
    for b in f.layout.clone() {
        let mut now: FxHashMap<V, usize> = FxHashMap::default();
        for v in live.live_in(b).filter(|v| split[*v]) {
            now.insert(v, begin[&(b, v)]);
        }
        let MFunction { blocks, vregs, .. } = f;
        let mut name = |v: V, class: usize| {
            names.push((v, class));
            let file = vregs[v];
            vregs.push(file)
        };
        let data = &mut blocks[b];
        for i in &mut data.insts {
            let mut read = |v: &mut V| {
                if split[*v] {
                    let class = *now.entry(*v).or_insert_with(|| classes.add());
                    *v = name(*v, class);
                }
            };
            if let MGuard::Virtual(v, _) = &mut i.guard {
                read(v);
            }
            for n in 0..i.ops.len() {
                if !i.is_def(n) {
                    i.ops[n].for_each_mut(&mut read);
                }
            }
            i.for_each_def_mut(|v| {
                if split[*v] {
                    let class = classes.add();
                    now.insert(*v, class);
                    *v = name(*v, class);
                }
            });
        }
        if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = &mut data.term
            && split[*v]
        {
            let class = *now.entry(*v).or_insert_with(|| classes.add());
            *v = name(*v, class);
        }
        for s in data.term.successors() {
            for v in live.live_in(s).filter(|v| split[*v]) {
                let class = *now.entry(v).or_insert_with(|| classes.add());
                classes.join(class, begin[&(s, v)]);
            }
        }
    }
    let first_new = f.vregs.len() - names.len();
    let origin = |v: V| if v.index() < first_new { v } else { names[v.index() - first_new].0 };

    // Registers in one list are neighbours. Numbers above the classes represent registers that were
    // not split.
    let webs = classes.0.len();
    for _ in 0..first_new {
        classes.add();
    }
    let node = |v: V| if v.index() < first_new { webs + v.index() } else { names[v.index() - first_new].1 };
    let mut lists: Vec<SmallVec<[V; 4]>> = Vec::new();
    for i in f.layout.iter().flat_map(|&b| &f.blocks[b].insts) {
        for o in &i.ops {
            match &o.kind {
                MKind::Regs(vs) | MKind::Addr { base: vs, .. } if vs.len() > 1 => {
                    lists.push(vs.iter().copied().collect());
                }
                _ => {}
            }
        }
    }
    let mut near = classes.clone();
    for l in &lists {
        for v in &l[1..] {
            near.join(node(l[0]), node(*v));
        }
    }
    // Within one neighbourhood each position has one web.
    let mut at: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    for &v in lists.iter().flatten() {
        let Some((_, position)) = groups.of[origin(v)] else { continue };
        let n = node(v);
        let there = *at.entry((near.find(n), position)).or_insert(n);
        classes.join(there, n);
    }

    // One register for each class.
    let mut of_class: FxHashMap<usize, V> = FxHashMap::default();
    let mut renamed: Vec<V> = Vec::with_capacity(names.len());
    for (k, name) in names.iter().enumerate() {
        let class = classes.find(name.1);
        renamed.push(*of_class.entry(class).or_insert_with(|| V::new(first_new + k)));
    }
    let rename = |v: &mut V| {
        if v.index() >= first_new {
            *v = renamed[v.index() - first_new];
        }
    };
    for b in f.layout.clone() {
        let data = &mut f.blocks[b];
        for i in &mut data.insts {
            if let MGuard::Virtual(v, _) = &mut i.guard {
                rename(v);
            }
            i.ops.iter_mut().for_each(|o| o.for_each_mut(rename));
        }
        if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = &mut data.term {
            rename(v);
        }
    }

    // Members by neighbourhood and position, in order of appearance.
    let mut index: FxHashMap<usize, usize> = FxHashMap::default();
    let mut members: Vec<Vec<(u32, V)>> = Vec::new();
    for &v in lists.iter().flatten() {
        let Some((_, position)) = groups.of[origin(v)] else { continue };
        let k = *index.entry(near.find(node(v))).or_insert_with(|| {
            members.push(Vec::new());
            members.len() - 1
        });
        let mut v = v;
        rename(&mut v);
        if members[k].iter().all(|m| m.0 != position) {
            members[k].push((position, v));
        }
    }
    let mut out = Groups::default();
    for mut m in members {
        m.sort_unstable();
        let (low, high) = (m[0].0, m[m.len() - 1].0);
        let mut size = 1;
        while low / size != high / size {
            size *= 2;
        }
        let base = low / size * size;
        let file = f.vregs[m[0].1];
        let mut list: SmallVec<[V; 4]> = SmallVec::new();
        for (position, v) in m {
            // Positions used only by other webs stay empty.
            while (list.len() as u32) < position - base {
                list.push(f.vreg(file));
            }
            list.push(v);
        }
        out.make(&list);
    }
    out
}
