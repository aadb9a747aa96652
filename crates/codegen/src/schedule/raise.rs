//! Moves loads up in an order of a region, within a number of registers.
//!
//! Problem: where registers are scarce, a list schedule that looks at one instruction at a time
//! fills them early and then finds no order that fits, or one in which every load is next to its
//! first reader. Strategy: start from an order that fits. Each load whose first reader is too near
//! moves up, past one instruction after another, as long as no source of it is defined there and the
//! registers that are live in between leave room for its results. Sources that it reads last become
//! free earlier, which makes room.
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
    /// How many general registers each instruction writes that are read later.
    kept: Vec<u32>,
    /// The readers of each general register that is not read after the region.
    readers: FxHashMap<V, SmallVec<[u32; 4]>>,
}

/// Moves the instructions with a latency of [`LONG`] cycles or more up in `order`, where no more than
/// `limit` general registers are in use then. `latency` is that of each instruction; `pressure` is at the
/// start of the region, and is so again.
pub(super) fn raise(
    touched: &Touched,
    dag: &Dag,
    latency: &[u32],
    pressure: &mut Pressure<'_>,
    order: Vec<u32>,
    limit: u32,
) -> Vec<u32> {
    raised(touched, dag, latency, pressure, order, limit).list
}

fn raised<'a>(
    touched: &'a Touched,
    dag: &Dag,
    latency: &[u32],
    pressure: &mut Pressure<'_>,
    order: Vec<u32>,
    limit: u32,
) -> Order<'a> {
    let mut order = Order::new(touched, dag, pressure, order);
    for from in 1..order.list.len() {
        let n = order.list[from] as usize;
        if latency[n] >= LONG {
            let to = order.highest(dag, n, from, latency[n], limit);
            order.move_up(n, from, to);
        }
    }
    order
}

impl<'a> Order<'a> {
    fn new(touched: &'a Touched, dag: &Dag, pressure: &mut Pressure<'_>, list: Vec<u32>) -> Order<'a> {
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
        let kept = |n: usize| touched.at(n).1.iter().filter(|d| pressure.left[d.v] > 0).map(|d| d.weight.general).sum();
        let mut preds = vec![SmallVec::new(); list.len()];
        for (n, succs) in (0..).zip(&dag.succs) {
            succs.iter().for_each(|&(s, _)| preds[s as usize].push(n));
        }
        Order { touched, kept: (0..list.len()).map(kept).collect(), list, place, places, preds, readers }
    }

    /// The places from which on the sources that an instruction reads last would be free if it were higher: after
    /// their last other readers.
    fn freed(&self, n: usize) -> Freed {
        let own = self.place[n];
        let sources = self.touched.at(n).0.iter().filter_map(|u| self.readers.get(&u.v));
        let others = sources.map(|r| r.iter().map(|&m| self.place[m as usize]).filter(|&p| p != own).max());
        Freed(others.filter(|&last| last.is_none_or(|p| p < own)).map(|last| last.map_or(0, |p| p + 1)).collect())
    }

    /// The number of general registers that an instruction writes.
    fn results(&self, n: usize) -> u32 {
        self.touched.at(n).1.iter().map(|d| d.weight.general).sum()
    }

    /// The highest place for an instruction that is at `from`.
    fn highest(&self, dag: &Dag, n: usize, from: usize, latency: u32, limit: u32) -> usize {
        let bound = self.preds[n].iter().map(|&p| self.place[p as usize] as usize + 1).max().unwrap_or(0);
        let reader = dag.succs[n].iter().map(|&(s, _)| self.place[s as usize] as usize).min();
        // Higher up it would wait for nothing.
        let bound = bound.max(reader.map_or(from, |r| r.saturating_sub(latency as usize)));
        let (freed, results) = (self.freed(n), self.results(n));
        let fits = |general: u32, place: usize| general <= limit + freed.before(place);
        let passed = (bound..from).rev().take_while(|&to| fits(self.places[to].at + self.kept[n], to + 1));
        passed.filter(|&to| fits(self.places[to].before + results, to)).last().unwrap_or(from)
    }

    fn move_up(&mut self, n: usize, from: usize, to: usize) {
        if from == to {
            return;
        }
        let (freed, results) = (self.freed(n), self.results(n));
        let with = |general: u32, place: usize| (general + self.kept[n]).saturating_sub(freed.before(place));
        let before = self.places[to].before;
        let own = Place { before, at: (before + results).saturating_sub(freed.before(to)) };
        for at in (to..from).rev() {
            let passed = self.places[at];
            self.places[at + 1] = Place { before: with(passed.before, at), at: with(passed.at, at + 1) };
        }
        self.places[to] = own;
        self.list[to..=from].rotate_right(1);
        for at in to..=from {
            self.place[self.list[at] as usize] = at as u32;
        }
    }
}

/// Places from which on sources of an instruction are free.
struct Freed(SmallVec<[u32; 4]>);

impl Freed {
    /// How many are free before an instruction at a place issues.
    fn before(&self, place: usize) -> u32 {
        self.0.iter().filter(|&&free| free as usize <= place).count() as u32
    }
}

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
            let region = &block.insts[..30];
            let touched = Touched::of(region, &f.vregs);
            let nodes: Vec<Node> = region.iter().map(node).collect();
            let long = |n: usize| if region[n].row().op.text().starts_with("LDS") { LONG } else { 1 };
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
            let order = raised(&touched, &dag, &latency, &mut pressure, list.clone(), limit);
            assert!(most(&mut pressure, &order.list) <= limit, "seed {seed}");
            // An instruction stays after those that it must follow, and others than loads do not overtake.
            let place = |n: u32| order.list.iter().position(|&m| m == n).unwrap();
            for n in 0..30 {
                assert!(dag.succs[n as usize].iter().all(|&(s, _)| place(n) < place(s)), "seed {seed}");
                assert_eq!(order.place[n as usize] as usize, place(n));
            }
            assert!(order.list.iter().filter(|&&n| long(n as usize) == 1).is_sorted(), "seed {seed}");
            moved += usize::from(order.list != list);
            let fresh = Order::new(&touched, &dag, &mut pressure, order.list.clone());
            assert_eq!(order.places, fresh.places, "seed {seed}");
        }
        assert!(moved > 100, "{moved} orders changed");
    }
}
