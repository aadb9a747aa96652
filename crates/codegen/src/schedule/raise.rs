//! Moves loads up in an order of a region, within a number of registers.
//!
//! Problem: where registers are scarce, a list schedule that looks at one instruction at a time
//! fills them early and then finds no order that fits, or one in which every load is next to its
//! first reader. Strategy: start from an order that fits. Each load whose first reader is too near
//! moves up as far as its latency, together with the instructions that compute its address there, and
//! less far if the registers that would then be live in between are too many.
//!
//! Invariant: the registers in use, computed here for each place of the order, are those that
//! [`Pressure`] counts.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::dag::Dag;
use super::live_registers::{Pressure, Touched};
use crate::mir::V;

/// The least cycles of a latency worth moving for: that of a load from shared memory.
const LONG: u32 = 28;
/// The farthest that an instruction moves, in instructions.
const REACH: usize = 256;
/// Most instructions that move together: loads alone leave more registers to other loads.
pub(super) const TOGETHER: [usize; 2] = [1, 12];
/// The distances that are tried to find the farthest with enough registers.
const TRIES: u32 = 6;

/// General registers in use at a place of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// Before the instruction issues.
    before: u32,
    /// While it issues.
    at: u32,
}

/// A region and one of its orders.
struct Order<'a> {
    touched: &'a Touched,
    /// Instructions by place.
    list: Vec<u32>,
    /// Places by instruction.
    place: Vec<u32>,
    places: Vec<Place>,
    /// The instructions that an instruction must follow.
    preds: Vec<SmallVec<[u32; 4]>>,
    /// How many general registers each instruction writes that nothing reads.
    unread: Vec<u32>,
    /// The readers of each general register that is not read after the region.
    readers: FxHashMap<V, SmallVec<[u32; 4]>>,
}

/// What is known of the instructions of a region, whatever their order.
pub(super) struct Region<'a> {
    pub touched: &'a Touched,
    pub dag: &'a Dag,
    /// The cycles until the results of each instruction arrive.
    pub latency: Vec<u32>,
    /// Whether only its operands say where an instruction may be.
    pub free: Vec<bool>,
}

/// Moves the instructions with a latency of [`LONG`] cycles or more up in `order`, where no more than
/// `limit` general registers are in use then; those that are free may move with one, `together` in all.
/// `pressure` is at the start of the region, and is so again.
pub(super) fn raise(
    region: &Region<'_>,
    pressure: &mut Pressure<'_>,
    order: Vec<u32>,
    limit: u32,
    together: usize,
) -> Vec<u32> {
    let mut order = Order::new(region, pressure, order);
    order.raise(region, limit, together);
    order.list
}

impl<'a> Order<'a> {
    fn new(region: &Region<'a>, pressure: &mut Pressure<'_>, list: Vec<u32>) -> Order<'a> {
        let touched = region.touched;
        let start = pressure.now;
        let mut places = Vec::with_capacity(list.len());
        let mut place = vec![0; list.len()];
        let mut readers: FxHashMap<V, SmallVec<[u32; 4]>> = FxHashMap::default();
        for (at, &n) in (0..).zip(&list) {
            place[n as usize] = at;
            let before = pressure.now.general;
            places.push(Place { before, at: pressure.issue_known(touched, n as usize).general });
            for u in touched.at(n as usize).0.iter().filter(|u| u.weight.general > 0) {
                readers.entry(u.v).or_default().push(n);
            }
        }
        readers.retain(|&v, _| pressure.left[v] == 0);
        pressure.back(start, touched);
        let unread =
            |n: usize| touched.at(n).1.iter().filter(|d| pressure.left[d.v] == 0).map(|d| d.weight.general).sum();
        let mut preds = vec![SmallVec::new(); list.len()];
        for (n, succs) in (0..).zip(&region.dag.succs) {
            succs.iter().for_each(|&(s, _)| preds[s as usize].push(n));
        }
        Order { touched, unread: (0..list.len()).map(unread).collect(), list, place, places, preds, readers }
    }

    fn raise(&mut self, region: &Region<'_>, limit: u32, together: usize) {
        let Region { dag, latency, free, .. } = region;
        for n in self.list.clone() {
            let latency_of = latency[n as usize];
            let from = self.place[n as usize] as usize;
            let reader = dag.succs[n as usize].iter().map(|&(s, _)| self.place[s as usize] as usize).min();
            // Higher up it would wait for nothing.
            let highest =
                reader.map_or(from, |r| r.saturating_sub(latency_of as usize)).max(from.saturating_sub(REACH));
            if latency_of < LONG || highest >= from {
                continue;
            }
            let (group, highest) = self.group(n, from, highest, together, |m| free[m] && latency[m] < LONG);
            // The farthest place with enough registers is found as if all below it had enough, too.
            let (mut fits, mut fails) = (from, highest);
            let mut to = highest;
            for _ in 0..TRIES {
                if self.move_up(&group, from, to, limit, false) {
                    fits = to;
                } else {
                    fails = to;
                }
                to = fails.midpoint(fits);
                if to == fails || to == fits || fits == highest {
                    break;
                }
            }
            self.move_up(&group, from, fits, limit, true);
        }
    }

    /// The instructions that an instruction at `from` must follow, from there up to `highest` or to the first one that
    /// may not move, and the place below that one.
    fn group(
        &self,
        n: u32,
        from: usize,
        highest: usize,
        most: usize,
        may_move: impl Fn(usize) -> bool,
    ) -> (Group, usize) {
        let mut group = Group::from_slice(&[n]);
        for at in (highest..from).rev() {
            let m = self.list[at];
            if group.iter().any(|&g| self.preds[g as usize].contains(&m)) {
                if group.len() == most || !may_move(m as usize) {
                    return (group, at + 1);
                }
                group.push(m);
            }
        }
        (group, highest)
    }

    /// Returns whether no more than `limit` registers are in use if what of a group is at `to` or below moves up to
    /// there, and moves it if it is to stay there.
    fn move_up(&mut self, group: &Group, from: usize, to: usize, limit: u32, stays: bool) -> bool {
        let moves = |n: &u32| group.contains(n);
        let old = self.list[to..=from].to_vec();
        let new = old.iter().filter(|&n| moves(n)).chain(old.iter().filter(|&n| !moves(n)));
        let new: Vec<u32> = new.copied().collect();
        self.put(to, &new);
        let places = self.count(to, from, limit);
        match &places {
            Some(places) if stays => self.places[to..=from].copy_from_slice(places),
            _ => self.put(to, &old),
        }
        places.is_some()
    }

    fn put(&mut self, to: usize, list: &[u32]) {
        self.list[to..to + list.len()].copy_from_slice(list);
        for (at, &n) in (to as u32..).zip(list) {
            self.place[n as usize] = at;
        }
    }

    /// Counts the registers in use from one place to another, unless they are more than `limit`.
    fn count(&self, to: usize, from: usize, limit: u32) -> Option<Vec<Place>> {
        let mut before = self.places[to].before;
        let mut places = Vec::with_capacity(from + 1 - to);
        for at in to..=from {
            let n = self.list[at] as usize;
            let (sources, results) = self.touched.at(n);
            let is_last = |v: &V| {
                self.readers.get(v).is_some_and(|r| !r.iter().rev().any(|&m| self.place[m as usize] > at as u32))
            };
            let ending = sources.iter().filter(|u| is_last(&u.v)).count() as u32;
            let results: u32 = results.iter().map(|d| d.weight.general).sum();
            let place = Place { before, at: before - ending + results };
            if place.at > limit {
                return None;
            }
            before = place.at - self.unread[n];
            places.push(place);
        }
        Some(places)
    }
}

/// Instructions that move together, the lowest first.
type Group = SmallVec<[u32; 12]>;

#[cfg(test)]
mod tests {
    use raddle_entity::{EntityRef, SplitMix};

    use super::super::dag::{Dep, Node};
    use super::super::effects::Role;
    use super::super::live_registers::Live;
    use super::*;
    use crate::mir::MInst;
    use crate::testing::{function, random_block};

    fn node(i: &MInst) -> Node {
        let (mut reads, mut writes) = (SmallVec::new(), SmallVec::new());
        i.for_each_use(|v| reads.push(v.index() as u32));
        i.for_each_def(|v| writes.push(v.index() as u32));
        Node { reads, writes, role: Role::Free, access: None }
    }

    #[test]
    fn loads_move_up_within_the_limit_and_the_count_is_that_of_the_pressure() {
        let mut moved = 0;
        for seed in 0..200 {
            let mut random = SplitMix(seed);
            let mut f = function(2);
            random_block(&mut f, 0, 40, &mut random);
            let live = Live::new(&f).unwrap();
            let mut pressure = Pressure::new(&live, &f.vregs);
            let block = &f.blocks[f.layout[0]];
            pressure.enter(f.layout[0], block);
            let insts = &block.insts[..30];
            let touched = Touched::of(insts, &f.vregs);
            let nodes: Vec<Node> = insts.iter().map(node).collect();
            let long = |n: usize| if insts[n].row().op.text().starts_with("LDS") { LONG } else { 1 };
            let dag = Dag::new(&nodes, |dep, n, _| if matches!(dep, Dep::Read(_)) { long(n) } else { 1 });
            let start = pressure.now;
            let most = |pressure: &mut Pressure<'_>, list: &[u32]| {
                let most = list.iter().map(|&n| pressure.issue_known(&touched, n as usize).general).max();
                pressure.back(start, &touched);
                most.unwrap()
            };
            let list: Vec<u32> = (0..30).collect();
            let latency: Vec<u32> = (0..30).map(long).collect();
            let limit = most(&mut pressure, &list) + random.below(3) as u32;
            let region = Region { touched: &touched, dag: &dag, latency, free: vec![true; 30] };
            let mut order = Order::new(&region, &mut pressure, list.clone());
            order.raise(&region, limit, TOGETHER[seed as usize % 2]);
            assert!(most(&mut pressure, &order.list) <= limit, "seed {seed}");
            // An instruction stays after those that it must follow.
            let place = |n: u32| order.list.iter().position(|&m| m == n).unwrap();
            for n in 0..30 {
                assert!(dag.succs[n as usize].iter().all(|&(s, _)| place(n) < place(s)), "seed {seed}");
                assert_eq!(order.place[n as usize] as usize, place(n));
            }
            moved += usize::from(order.list != list);
            let fresh = Order::new(&region, &mut pressure, order.list.clone());
            assert_eq!(order.places, fresh.places, "seed {seed}");
        }
        assert!(moved > 90, "{moved} orders changed");
    }
}
