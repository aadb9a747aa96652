//! Coalescing: merges registers connected by a move, so that the move vanishes.
//!
//! Problem: leaving SSA form, guarded definitions and register lists create moves
//! ([`crate::destruct`]), most of them between registers that could share a number. Strategy: moves
//! are tried in order of execution frequency. A *set* is a class of registers that share a number,
//! with its live ranges and its definitions; two sets may be merged unless a definition of one
//! writes while the other is live (Chaitin's interference), where a move from the other set does
//! not count. A set can be a member of a *group*: sets with contiguous aligned numbers. To merge
//! two members is to overlay their groups, which merges every pair of sets at one position.
//!
//! Invariants: registers of one set hold the same value wherever two of them are live; a set has
//! the same position in its group for all its registers; sizes of groups are powers of two, so an
//! overlaid group keeps its alignment. The cost of an attempt grows with the smaller set, times a
//! logarithm.

use raddle_entity::SecondaryMap;
use raddle_sass::row::{SlotKind, SlotRole};
use smallvec::SmallVec;

use crate::destruct::{Groups, WIDEST, alignment};
use crate::graph::frequency;
use crate::live::ranges;
use crate::mir::{MFunction, MGuard, MInst, MKind, MTerm, V};

/// Destination and source of a plain register move within one file.
pub fn as_copy(i: &MInst) -> Option<(V, V)> {
    use raddle_sass::Op;
    if i.guard != MGuard::Always || i.reloc.is_some() {
        return None;
    }
    let one = |role: SlotRole| match i.slot(role)? {
        o if o.neg || o.not || o.abs || o.sel != 0 => None,
        o => match &o.kind {
            MKind::Regs(vs) if vs.len() == 1 => Some(vs[0]),
            _ => None,
        },
    };
    let is = |role: SlotRole, kind: MKind| i.slot(role).is_some_and(|o| o.kind == kind && !o.not);
    let row = i.row();
    // A move between files is no copy: the two never share a number.
    let crosses = |role: SlotRole| row.slots.iter().any(|s| s.role == role && matches!(s.kind, SlotKind::UReg(_)));
    match row.op {
        Op::Mov if crosses(SlotRole::Rb) => None,
        Op::Mov | Op::Umov => Some((one(SlotRole::Rd)?, one(SlotRole::Rb)?)),
        Op::Plop3 => {
            let plain = is(SlotRole::Pq, MKind::Zero)
                && is(SlotRole::Pr, MKind::Zero)
                && is(SlotRole::Imm, MKind::Imm(0x80))
                && is(SlotRole::Imm2, MKind::Imm(0));
            let only = row.slots.iter().zip(&i.ops).filter(|(_, o)| matches!(o.kind, MKind::Regs(_))).count() == 2;
            if plain && only { Some((one(SlotRole::Pd)?, one(SlotRole::Pp)?)) } else { None }
        }
        _ => None,
    }
}

/// Registers that share a number.
#[derive(Clone, Debug, Default)]
struct Set {
    ranges: SmallVec<[(u32, u32); 2]>,
    /// Points at which it is written, with the source if the definition is a move.
    defs: SmallVec<[(u32, Option<V>); 1]>,
    /// Its group and position.
    group: Option<(u32, u32)>,
}

/// Merges a sorted list into another one; its items come after equal ones.
fn join_sorted<A: smallvec::Array>(into: &mut SmallVec<A>, from: &[A::Item], key: impl Fn(&A::Item) -> u32)
where
    A::Item: Copy,
{
    let (Some(first), Some(last)) = (from.first(), into.last()) else {
        return into.extend_from_slice(from);
    };
    if key(last) <= key(first) {
        return into.extend_from_slice(from);
    }
    let at = into.partition_point(|x| key(x) <= key(first));
    let mut tail: SmallVec<A> = SmallVec::from_slice(&into[at..]);
    tail.reverse();
    into.truncate(at);
    for x in from {
        while let Some(&y) = tail.last().filter(|y| key(y) <= key(x)) {
            into.push(y);
            tail.pop();
        }
        into.push(*x);
    }
    into.extend(tail.into_iter().rev());
}

/// Whether a group must be the host of another one.
fn is_wider(a: &[V], b: &[V]) -> bool {
    let (wide, narrow) = (alignment(a.len()), alignment(b.len()));
    wide > narrow || wide == narrow && wide == WIDEST && a.len() > b.len()
}

struct Sets {
    parent: SecondaryMap<V, Option<V>>,
    of: SecondaryMap<V, Set>,
    /// The representatives of each group's members, in order.
    groups: Vec<SmallVec<[V; 4]>>,
}

/// Runs the pass: merges registers, removes the moves between them, and returns the remaining
/// groups. After the moves, pairs of registers of `ties` are merged where possible.
pub fn run(f: &mut MFunction, groups: &Groups, ties: &[(V, V)]) -> Groups {
    let mut sets = Sets::of(f, groups);
    let often = frequency(f);
    let pins = crate::leaf_places::pins(f);
    let mut copies: Vec<(u64, V, V)> = Vec::new();
    for &b in &f.layout {
        copies.extend(f.blocks[b].insts.iter().filter_map(as_copy).map(|(d, s)| (often[b], d, s)));
    }
    let free = |d: V, s: V| pins[d].is_none() && pins[s].is_none();
    // Stable: moves of equal frequency stay in order.
    copies.sort_by_key(|c| std::cmp::Reverse(c.0));
    for &(_, d, s) in copies.iter().filter(|c| free(c.1, c.2)) {
        sets.join(f, d, s);
    }
    for &(d, s) in ties.iter().filter(|t| free(t.0, t.1)) {
        sets.join(f, d, s);
    }
    if !f.alike.is_empty() {
        for v in f.vregs.keys() {
            let set = sets.find(v);
            f.alike[set] &= f.alike[v];
        }
    }
    rename(f, |v| sets.find(v));
    sets.regroup()
}

/// Renames every register, and removes moves of a register to itself.
fn rename(f: &mut MFunction, mut to: impl FnMut(V) -> V) {
    for b in f.layout.clone() {
        let data = &mut f.blocks[b];
        data.insts.retain_mut(|i| {
            if let MGuard::Virtual(v, _) = &mut i.guard {
                *v = to(*v);
            }
            for o in &mut i.ops {
                o.for_each_mut(|v| *v = to(*v));
            }
            i.for_each_beside_mut(|v| *v = to(*v));
            as_copy(i).is_none_or(|(d, s)| d != s)
        });
        if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = &mut data.term {
            *v = to(*v);
        }
    }
}

impl Sets {
    fn of(f: &MFunction, groups: &Groups) -> Self {
        let mut of: SecondaryMap<V, Set> = SecondaryMap::new();
        of.resize(f.vregs.len());
        let live = ranges(f);
        for v in f.vregs.keys() {
            of[v].ranges = live.of(v).into();
            of[v].group = groups.of[v];
        }
        let mut number = 0;
        for &b in &f.layout {
            for i in &f.blocks[b].insts {
                let source = as_copy(i).map(|(_, s)| s);
                i.for_each_def(|v| of[v].defs.push((2 * number + 1, source)));
                number += 1;
            }
            number += 1;
        }
        Sets { parent: SecondaryMap::new(), of, groups: groups.members.clone() }
    }

    fn find(&mut self, v: V) -> V {
        let mut root = v;
        while let Some(p) = self.parent[root] {
            root = p;
        }
        let mut v = v;
        while let Some(p) = self.parent[v] {
            self.parent[v] = Some(root);
            v = p;
        }
        root
    }

    /// Whether a definition of `a` destroys the value of `b`.
    fn destroys(&mut self, a: V, b: V) -> bool {
        let by_defs = self.of[a].defs.len() <= self.of[b].ranges.len();
        let mut hits: SmallVec<[V; 8]> = SmallVec::new();
        {
            let (defs, live) = (&self.of[a].defs, &self.of[b].ranges);
            if by_defs {
                for &(p, source) in defs {
                    let k = live.partition_point(|r| r.1 <= p);
                    if live.get(k).is_some_and(|r| r.0 <= p) {
                        let Some(source) = source else { return true };
                        hits.push(source);
                    }
                }
            } else {
                for r in live {
                    let k = defs.partition_point(|d| d.0 < r.0);
                    for &(_, source) in defs[k..].iter().take_while(|d| d.0 < r.1) {
                        let Some(source) = source else { return true };
                        hits.push(source);
                    }
                }
            }
        }
        hits.into_iter().any(|source| self.find(source) != b)
    }

    /// The pairs of sets that merging `a` and `b` would merge; `None` if their groups cannot be
    /// overlaid.
    fn pairs(&self, a: V, b: V) -> Option<SmallVec<[(V, V); 4]>> {
        let (Some((g, i)), Some((h, j))) = (self.of[a].group, self.of[b].group) else {
            return Some(SmallVec::from_slice(&[(a, b)]));
        };
        if g == h {
            return None;
        }
        let (host, guest) = (&self.groups[g as usize], &self.groups[h as usize]);
        if is_wider(guest, host) {
            return self.pairs(b, a);
        }
        let delta = i.checked_sub(j)? as usize;
        if !delta.is_multiple_of(alignment(guest.len())) {
            return None;
        }
        Some(guest.iter().enumerate().filter_map(|(q, &y)| Some((*host.get(q + delta)?, y))).collect())
    }

    /// Merges the sets of two registers if possible.
    fn join(&mut self, f: &MFunction, d: V, s: V) {
        let (a, b) = (self.find(d), self.find(s));
        if a == b || f.vregs[a] != f.vregs[b] {
            return;
        }
        let Some(pairs) = self.pairs(a, b) else { return };
        if pairs.iter().any(|&(x, y)| self.destroys(x, y) || self.destroys(y, x)) {
            return;
        }
        self.overlay(a, b);
        for (x, y) in pairs {
            self.merge(x, y);
        }
    }

    /// Adds the members of the narrower group to the wider one.
    fn overlay(&mut self, a: V, b: V) {
        let (Some((g, i)), Some((h, j))) = (self.of[a].group, self.of[b].group) else { return };
        if is_wider(&self.groups[h as usize], &self.groups[g as usize]) {
            return self.overlay(b, a);
        }
        let delta = i - j;
        let guests = std::mem::take(&mut self.groups[h as usize]);
        for (q, y) in guests.into_iter().enumerate() {
            let at = q as u32 + delta;
            self.of[y].group = Some((g, at));
            let host = &mut self.groups[g as usize];
            if at as usize == host.len() {
                host.push(y);
            }
        }
    }

    fn merge(&mut self, x: V, y: V) {
        // The set with fewer ranges is merged into the other.
        let (big, small) = if self.of[x].ranges.len() >= self.of[y].ranges.len() { (x, y) } else { (y, x) };
        let taken = std::mem::take(&mut self.of[small]);
        self.parent[small] = Some(big);
        let set = &mut self.of[big];
        if let Some((g, at)) = taken.group.or(set.group) {
            set.group = Some((g, at));
            self.groups[g as usize][at as usize] = big;
        }
        join_sorted(&mut set.ranges, &taken.ranges, |r| r.0);
        set.ranges.dedup_by(|next, last| {
            let meet = next.0 <= last.1;
            if meet {
                last.1 = last.1.max(next.1);
            }
            meet
        });
        join_sorted(&mut set.defs, &taken.defs, |d| d.0);
    }

    /// Returns the groups that are left.
    fn regroup(&mut self) -> Groups {
        let mut out = Groups::default();
        for g in std::mem::take(&mut self.groups) {
            if !g.is_empty() {
                let members: SmallVec<[V; 4]> = g.iter().map(|&v| self.find(v)).collect();
                out.make(&members);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::destruct;
    use crate::testing::{ISA, add, branch, function, jump, names, params, positive, store, value};

    /// The register list of a block's last instruction.
    fn list(f: &MFunction, b: usize) -> Vec<V> {
        let mut out = Vec::new();
        f.blocks[f.layout[b]].insts.last().unwrap().for_each_use(|v| out.push(v));
        out
    }

    #[test]
    fn a_loop_carries_its_values_without_moves() {
        let mut f = function(3);
        let (i, sum) = (value(&mut f, 0), value(&mut f, 0));
        jump(&mut f, 0, 1, &[i, sum]);
        let p = params(&mut f, 1, 2);
        let next = add(&mut f, 1, p[1], p[0]);
        let less = add(&mut f, 1, p[0], p[0]);
        let more = positive(&mut f, 1, less);
        branch(&mut f, 1, more, (1, &[less, next]), (2, &[]));
        store(&mut f, 2, &[next]);
        let groups = destruct::run(&mut f, ISA).unwrap();
        run(&mut f, &groups, &[]);
        let body = f.layout.iter().flat_map(|&b| names(&f, b)).collect::<Vec<_>>();
        assert_eq!(body, ["LDS", "LDS", "IADD3", "IADD3", "ISETP", "STS"]);
    }

    #[test]
    fn values_that_swap_keep_their_moves() {
        let mut f = function(3);
        let (a, b) = (value(&mut f, 0), value(&mut f, 0));
        jump(&mut f, 0, 1, &[a, b]);
        let p = params(&mut f, 1, 2);
        let more = positive(&mut f, 1, p[0]);
        branch(&mut f, 1, more, (1, &[p[1], p[0]]), (2, &[]));
        store(&mut f, 2, &[p[0], p[1]]);
        let groups = destruct::run(&mut f, ISA).unwrap();
        run(&mut f, &groups, &[]);
        let moves = f.layout.iter().flat_map(|&b| names(&f, b)).filter(|n| *n == "MOV").count();
        assert_eq!(moves, 3, "two values swap through a third");
    }

    #[test]
    fn a_vector_is_computed_in_its_place() {
        let mut f = function(1);
        let vs: Vec<V> = (0..4).map(|_| value(&mut f, 0)).collect();
        // Two pairs and the vector of both.
        store(&mut f, 0, &vs[2..]);
        store(&mut f, 0, &vs[..2]);
        store(&mut f, 0, &vs);
        let groups = destruct::run(&mut f, ISA).unwrap();
        let groups = run(&mut f, &groups, &[]);
        assert_eq!(names(&f, f.layout[0]), ["LDS", "LDS", "LDS", "LDS", "STS", "STS", "STS"]);
        let positions: Vec<_> = list(&f, 0).iter().map(|&v| groups.of[v]).collect();
        let g = positions[0].unwrap().0;
        assert_eq!(positions, [Some((g, 0)), Some((g, 1)), Some((g, 2)), Some((g, 3))]);
    }

    #[test]
    fn what_stands_twice_in_a_vector_is_moved_once() {
        let mut f = function(1);
        let v = value(&mut f, 0);
        store(&mut f, 0, &[v, v]);
        let groups = destruct::run(&mut f, ISA).unwrap();
        run(&mut f, &groups, &[]);
        assert_eq!(names(&f, f.layout[0]), ["LDS", "MOV", "STS"]);
    }

    #[test]
    fn a_value_that_lives_on_is_not_overwritten() {
        let mut f = function(1);
        let (a, b) = (value(&mut f, 0), value(&mut f, 0));
        // The pair's first member cannot be at both places: the second store reads it as second
        // member.
        store(&mut f, 0, &[a, b]);
        store(&mut f, 0, &[b, a]);
        let groups = destruct::run(&mut f, ISA).unwrap();
        let groups = run(&mut f, &groups, &[]);
        let pair = list(&f, 0);
        assert_eq!(names(&f, f.layout[0]), ["LDS", "LDS", "STS", "MOV", "MOV", "STS"]);
        let (x, y) = (groups.of[pair[0]].unwrap(), groups.of[pair[1]].unwrap());
        assert_eq!((x.0, x.1 + 1), y);
    }
}
