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
    let mut names = Names::of(f, split);
    let lists = lists(f);
    let near = names.neighbourhoods(&lists);
    names.join_positions(&lists, groups, &near);
    let renamed = names.registers(f);
    names.rename(f, &renamed);
    names.regroup(f, groups, &lists, near, &renamed)
}

/// The lists of several registers that operands name, in order.
fn lists(f: &MFunction) -> Vec<SmallVec<[V; 4]>> {
    let operands = f.layout.iter().flat_map(|&b| &f.blocks[b].insts).flat_map(|i| &i.ops);
    let list = operands.filter_map(|o| match &o.kind {
        MKind::Regs(vs) | MKind::Addr { base: vs, .. } if vs.len() > 1 => Some(vs.iter().copied().collect()),
        _ => None,
    });
    list.collect()
}

/// A name for each definition of a register that is split, and for each such register at the
/// beginning of a block. Joined, the names are webs, and each web becomes a register: until then, the
/// instructions name what does not exist.
struct Names {
    /// The register and the class of each new name; its number is `first` plus its position here.
    list: Vec<(V, usize)>,
    /// The first new number.
    first: usize,
    /// The webs: a class for each web, then one for each old register.
    classes: Classes,
    /// Number of the classes of webs.
    webs: usize,
}

impl Names {
    /// Gives each definition and use in the function its name.
    fn of(f: &mut MFunction, split: &SecondaryMap<V, bool>) -> Names {
        let live = Liveness::of(f);
        let mut classes = Classes::default();
        let mut begin: FxHashMap<(MBlock, V), usize> = FxHashMap::default();
        for &b in &f.layout {
            for v in live.live_in(b).filter(|v| split[*v]) {
                begin.insert((b, v), classes.add());
            }
        }
        let first = f.vregs.len();
        let mut list: Vec<(V, usize)> = Vec::new();
        for b in f.layout.clone() {
            let mut now: FxHashMap<V, usize> = FxHashMap::default();
            for v in live.live_in(b).filter(|v| split[*v]) {
                now.insert(v, begin[&(b, v)]);
            }
            let mut name = |v: V, class: usize| {
                list.push((v, class));
                V::new(first + list.len() - 1)
            };
            let data = &mut f.blocks[b];
            for i in &mut data.insts {
                let mut kept: SmallVec<[V; 1]> = SmallVec::new();
                i.for_each_def(|v| kept.extend(Some(v).filter(|v| i.is_kept(*v))));
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
                i.name.iter_mut().filter_map(|name| name.at.as_mut()).for_each(&mut read);
                // Both are the result, which stays one web with what it keeps.
                i.otherwise.iter_mut().flat_map(|(to, from)| [to, from]).for_each(&mut read);
                i.for_each_def_mut(|v| {
                    if split[*v] {
                        // What keeps its value stays one web.
                        let class = if kept.contains(v) { now[v] } else { classes.add() };
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
        let webs = classes.0.len();
        (0..first).for_each(|_| _ = classes.add());
        Names { list, first, classes, webs }
    }

    /// The register that a name stands for.
    fn origin(&self, v: V) -> V {
        if v.index() < self.first { v } else { self.list[v.index() - self.first].0 }
    }

    /// The class of a name or of an old register.
    fn class(&self, v: V) -> usize {
        if v.index() < self.first { self.webs + v.index() } else { self.list[v.index() - self.first].1 }
    }

    /// Joins the registers that are in one list.
    fn neighbourhoods(&self, lists: &[SmallVec<[V; 4]>]) -> Classes {
        let mut near = self.classes.clone();
        for l in lists {
            for v in &l[1..] {
                near.join(self.class(l[0]), self.class(*v));
            }
        }
        near
    }

    /// Joins webs so that each position of a neighbourhood has one.
    fn join_positions(&mut self, lists: &[SmallVec<[V; 4]>], groups: &Groups, near: &Classes) {
        let mut near = near.clone();
        let mut at: FxHashMap<(usize, u32), usize> = FxHashMap::default();
        for &v in lists.iter().flatten() {
            let Some((_, position)) = groups.of[self.origin(v)] else { continue };
            let n = self.class(v);
            let there = *at.entry((near.find(n), position)).or_insert(n);
            self.classes.join(there, n);
        }
    }

    /// Creates a register for each class, in the order of the first names. By name.
    fn registers(&mut self, f: &mut MFunction) -> Vec<V> {
        let mut of_class: FxHashMap<usize, V> = FxHashMap::default();
        let mut renamed: Vec<V> = Vec::with_capacity(self.list.len());
        for &(v, class) in &self.list {
            let class = self.classes.find(class);
            renamed.push(*of_class.entry(class).or_insert_with(|| f.vreg(f.vregs[v])));
        }
        renamed
    }

    fn renamed(&self, v: V, renamed: &[V]) -> V {
        if v.index() < self.first { v } else { renamed[v.index() - self.first] }
    }

    /// Puts the registers in place of the names.
    fn rename(&self, f: &mut MFunction, renamed: &[V]) {
        let rename = |v: &mut V| *v = self.renamed(*v, renamed);
        for b in f.layout.clone() {
            let data = &mut f.blocks[b];
            for i in &mut data.insts {
                if let MGuard::Virtual(v, _) = &mut i.guard {
                    rename(v);
                }
                i.ops.iter_mut().for_each(|o| o.for_each_mut(rename));
                i.for_each_beside_mut(rename);
            }
            if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = &mut data.term {
                rename(v);
            }
        }
    }

    /// The groups: members by neighbourhood and position, in order of appearance.
    fn regroup(
        &self,
        f: &mut MFunction,
        groups: &Groups,
        lists: &[SmallVec<[V; 4]>],
        mut near: Classes,
        renamed: &[V],
    ) -> Groups {
        let mut index: FxHashMap<usize, usize> = FxHashMap::default();
        let mut members: Vec<Vec<(u32, V)>> = Vec::new();
        for &v in lists.iter().flatten() {
            let Some((_, position)) = groups.of[self.origin(v)] else { continue };
            let k = *index.entry(near.find(self.class(v))).or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            if members[k].iter().all(|m| m.0 != position) {
                members[k].push((position, self.renamed(v, renamed)));
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
}
