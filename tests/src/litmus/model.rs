//! The axioms of the PTX memory model (PTX ISA 9.0, 8), applied to one candidate execution.
//!
//! A candidate consists of the events of all threads, the write that each read reads from, and the
//! order of each pair of morally strong `fence.sc`. These determine synchronisation, base causality
//! order and causality order, independently of the order of writes. The *coherence order* relates
//! overlapping writes that are related in causality order or are morally strong, and no others
//! (8.9.6), so only the direction of morally strong pairs remains to be chosen.
//!
//! An atomic is one event here that reads and then writes. An observer of its write is ordered
//! after its write, not after its read: this is the model as NVIDIA's authors formalised it (Lustig
//! and others, ASPLOS 2019); the text of the manual leaves it open.
//!
//! Everything uses the generic proxy, and two accesses are either of the same bytes or do not
//! overlap: of 8.9.4, two accesses of one place are related in causality order as in base causality
//! order, and the rest of that section does not apply.

use super::program::{Program, Scope, Sem};
use super::relation::{Relation, members};
use super::trace::{Kind, Trace};

/// An access: location, value read, value written.
type Access = (usize, Option<i64>, Option<i64>);

/// The events of all threads, and relations that do not depend on communication.
pub struct Events {
    /// `None` for a fence or barrier.
    access: Vec<Option<Access>>,
    /// The reads on which a write depends, by event.
    depends: Vec<u64>,
    /// The number of locations: their initial writes have the first numbers.
    locs: usize,
    po: Relation,
    /// Morally strong pairs.
    ms: Relation,
    /// Program order between accesses of the same place.
    po_loc: Relation,
    /// From the first operation of a release pattern to its last.
    release: Relation,
    /// From the first operation of an acquire pattern to its last.
    acquire: Relation,
    /// Fences in Fence-SC order.
    pub sc: u64,
    reads: u64,
    writes: u64,
    /// Barriers: event, thread block, round, resource, count, whether it only arrives, whether it
    /// waits forever.
    pub barriers: Vec<BarrierEvent>,
}

/// A barrier.
#[derive(Clone, Copy, Debug)]
pub struct BarrierEvent {
    /// Its number.
    pub event: usize,
    /// Thread block, round and resource.
    pub key: ([u32; 3], i64, i64),
    /// The number of threads that complete it.
    pub count: Option<usize>,
    /// Does not wait.
    pub arrive: bool,
    /// Whether it waits forever.
    pub stuck: bool,
}

/// Base causality order and causality order.
struct Order {
    base: Relation,
    cause: Relation,
}

/// The choices of a candidate.
pub struct Choice {
    /// The write that each read reads from, by event.
    pub rf: Vec<Option<usize>>,
    /// Fence-SC order between threads.
    pub sc: Relation,
    /// Synchronisation between barriers.
    pub barriers: Relation,
}

impl Events {
    /// The events of the given runs; `None` if there are more than 64.
    pub fn new(program: &Program, runs: &[&Trace]) -> Option<Events> {
        let locs = program.locs.len();
        let total = locs + runs.iter().map(|r| r.events.len()).sum::<usize>();
        if total > 64 {
            return None;
        }
        let mut e = Events {
            access: program.locs.iter().enumerate().map(|(n, l)| Some((n, None, Some(l.1)))).collect(),
            depends: vec![0; total],
            locs,
            po: Relation::empty(total),
            ms: Relation::empty(total),
            po_loc: Relation::empty(total),
            release: Relation::empty(total),
            acquire: Relation::empty(total),
            sc: 0,
            reads: 0,
            writes: (1 << locs) - 1,
            barriers: Vec::new(),
        };
        let mut strengths = vec![None; locs];
        for (t, run) in runs.iter().enumerate() {
            let first = e.access.len();
            for (n, event) in run.events.iter().enumerate() {
                let at = first + n;
                e.depends[at] = event.depends << first;
                for before in first..at {
                    e.po.add(before, at);
                }
                let strength = event.strength;
                strengths.push(Some((t, strength)));
                e.access.push(None);
                match event.kind {
                    Kind::Access { loc, read, write } => {
                        e.access[at] = Some((loc, read, write));
                        e.reads |= u64::from(read.is_some()) << at;
                        e.writes |= u64::from(write.is_some()) << at;
                    }
                    Kind::Fence => e.sc |= u64::from(strength.sem == Sem::Sc) << at,
                    Kind::Barrier { round, id, count, arrive, stuck } => {
                        let key = (program.threads[t].place, round, id);
                        e.barriers.push(BarrierEvent { event: at, key, count, arrive, stuck });
                        strengths[at] = None;
                    }
                }
            }
        }
        let reaches = |from: usize, scope: Scope, to: usize| program.threads[from].reaches(scope, &program.threads[to]);
        for a in locs..total {
            for b in locs..total {
                let (Some((ta, sa)), Some((tb, sb))) = (strengths[a], strengths[b]) else { continue };
                let apart = matches!((e.access[a], e.access[b]), (Some(x), Some(y)) if x.0 != y.0);
                if a == b || apart {
                    continue;
                }
                let both = sa.sem.strong() && sb.sem.strong() && reaches(ta, sa.scope, tb) && reaches(tb, sb.scope, ta);
                if ta == tb || both {
                    e.ms.add(a, b);
                }
                if e.po.has(a, b) && e.access[a].is_some() && e.access[b].is_some() {
                    e.po_loc.add(a, b);
                }
            }
        }
        e.patterns(&strengths.iter().map(|s| s.map(|s| s.1.sem)).collect::<Vec<_>>());
        Some(e)
    }

    /// Release and acquire patterns (8.7).
    fn patterns(&mut self, sems: &[Option<Sem>]) {
        let total = sems.len();
        let strong = (0..total).filter(|&n| sems[n].is_some_and(Sem::strong)).fold(0, |set, n| set | 1 << n);
        let (reads, writes) = (self.reads & strong, self.writes & strong);
        for (n, sem) in sems.iter().enumerate() {
            let Some(sem) = sem else { continue };
            let (after, own) = if self.access[n].is_some() { (&self.po_loc, 1 << n) } else { (&self.po, 0) };
            if sem.releases() && (own == 0 || self.writes & own != 0) {
                self.release.add_all(n, (after.of(n) | own) & writes);
            }
            if sem.acquires() && (own == 0 || self.reads & own != 0) {
                for first in members(reads).filter(|&r| own == 1 << r || after.has(r, n)) {
                    self.acquire.add(first, n);
                }
            }
        }
    }

    /// The events that read.
    pub fn reads(&self) -> u64 {
        self.reads
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.access.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.access.is_empty()
    }

    /// The writes that a read may read from, by place and value, without those that follow it in
    /// its thread, and those that its thread overwrites before it: the axioms would reject them
    /// later.
    pub fn sources(&self, read: usize) -> Vec<usize> {
        let Some((loc, value, _)) = self.access[read] else { return Vec::new() };
        let before = (0..self.len()).filter(|&w| self.writes >> w & 1 != 0 && self.po_loc.has(w, read)).max();
        let stale = |w: usize| before.is_some_and(|b| w < self.locs || self.po_loc.has(w, b));
        let fits = |w: &usize| {
            let w = *w;
            w != read
                && !self.po.has(read, w)
                && !stale(w)
                && self.access[w].is_some_and(|a| a.0 == loc && a.2 == value)
        };
        members(self.writes).filter(fits).collect()
    }

    /// Whether an atomic would read from a write from which another atomic, morally strong to it,
    /// reads. One of the two would come between the write and the other (8.10.3).
    pub fn taken(&self, rf: &[Option<usize>], read: usize, source: usize) -> bool {
        let first = source < self.locs;
        let rival = |other: usize| {
            rf[other] == Some(source)
                && self.ms.has(read, other)
                && (first || self.ms.has(source, read) && self.ms.has(source, other))
        };
        self.writes >> read & 1 != 0 && members(self.reads & self.writes).any(rival)
    }

    /// The pairs of fences of different threads in Fence-SC order, each once.
    pub fn fence_pairs(&self) -> Vec<(usize, usize)> {
        let pair = |a: usize| members(self.ms.of(a) & self.sc).map(move |b| (a, b));
        members(self.sc).flat_map(pair).filter(|&(a, b)| a < b && !self.po.has(a, b)).collect()
    }

    /// Whether no value comes out of thin air (8.10.4).
    pub fn grounded(&self, rf: &[Option<usize>]) -> bool {
        let mut from = Relation::empty(self.access.len());
        for write in members(self.writes) {
            for source in members(self.depends[write] & self.reads).filter_map(|read| rf[read]) {
                from.add(write, source);
            }
        }
        from.acyclic()
    }

    /// Passes the coherence orders with which a candidate satisfies all axioms to `found`, which
    /// returns whether to continue.
    pub fn consistent(&self, choice: &Choice, found: &mut dyn FnMut(&Relation)) {
        let Some(order) = self.causality(choice) else { return };
        let cause = &order.cause;
        // 8.10.1 Coherence: writes in causality order are in coherence order.
        let mut co = Relation::empty(self.access.len());
        for write in members(self.writes) {
            let same = self.same_place(write) & self.writes;
            co.add_all(write, if write < self.locs { same } else { cause.of(write) & same });
            if cause.has(write, write) {
                return;
            }
        }
        self.orient(co, choice, &order, found);
    }

    fn same_place(&self, n: usize) -> u64 {
        let Some((loc, ..)) = self.access[n] else { return 0 };
        let other = |m: &usize| *m != n && self.access[*m].is_some_and(|a| a.0 == loc);
        (0..self.access.len()).filter(other).fold(0, |set, m| set | 1 << m)
    }

    /// Causality order (8.9.5), `None` if Fence-SC order contradicts it (8.10.2).
    fn causality(&self, choice: &Choice) -> Option<Order> {
        let total = self.access.len();
        // Observation order (8.9.2): from a write, through atomics, to a read; each step morally
        // strong.
        let mut observed = Relation::empty(total);
        for read in members(self.reads) {
            if let Some(write) = choice.rf[read].filter(|&w| self.ms.has(w, read)) {
                observed.add(write, read);
            }
        }
        // Composition uses only atomics: every event that is both end and start of a step reads and
        // writes.
        observed.close();
        let mut base = self.po.clone();
        for first in 0..total {
            base.add_all(first, choice.barriers.of(first) | choice.sc.of(first));
            let read = observed.image(self.release.of(first));
            base.add_all(first, self.acquire.image(read) & self.ms.of(first));
        }
        base.close();
        if members(self.sc).any(|fence| base.has(fence, fence)) {
            return None;
        }
        let mut cause = base.clone();
        for first in 0..total {
            cause.add_all(first, base.image(observed.of(first)));
        }
        Some(Order { base, cause })
    }

    /// Chooses the direction of morally strong writes that are still unordered.
    fn orient(&self, mut co: Relation, choice: &Choice, order: &Order, found: &mut dyn FnMut(&Relation)) {
        co.close();
        if !co.irreflexive() {
            return;
        }
        for a in members(self.writes) {
            let open = self.ms.of(a) & self.writes & self.same_place(a);
            if let Some(b) = members(open).find(|&b| !co.has(a, b) && !co.has(b, a)) {
                for (x, y) in [(a, b), (b, a)] {
                    let mut chosen = co.clone();
                    chosen.add(x, y);
                    self.orient(chosen, choice, order, found);
                }
                return;
            }
        }
        if self.satisfies(&co, choice, order) {
            found(&co);
        }
    }

    /// Checks the axioms about the coherence order.
    fn satisfies(&self, co: &Relation, choice: &Choice, order: &Order) -> bool {
        let mut communication = co.clone();
        for read in members(self.reads) {
            let Some(write) = choice.rf[read] else { return false };
            let later = co.of(write) & !(1 << read);
            // 8.10.6 Causality: no read from a later write, none from an overwritten one. What
            // follows a read follows it in base causality order, since observation begins with
            // writes.
            if order.base.has(read, write) || members(later).any(|w| order.cause.has(w, read)) {
                return false;
            }
            // 8.10.3 Atomicity: nothing morally strong comes between the write that an atomic reads
            // from and itself.
            let between = |w: usize| co.has(w, read) && self.ms.has(w, read);
            if self.writes >> read & 1 != 0 && members(later).any(between) {
                return false;
            }
            communication.add(write, read);
            communication.add_all(read, later);
        }
        self.sequential_per_place(&communication)
    }

    /// 8.10.5 SC-per-location: among pairwise morally strong accesses of a place, communication
    /// must not contradict program order.
    fn sequential_per_place(&self, communication: &Relation) -> bool {
        let mut step = self.po_loc.clone();
        for a in 0..self.access.len() {
            step.add_all(a, communication.of(a) & self.ms.of(a));
        }
        // Without any cycle there is none among pairwise morally strong accesses.
        step.acyclic() || (0..self.access.len()).all(|a| !self.cycle(&step, a, a, self.ms.of(a) & self.same_place(a)))
    }

    /// Whether there is a path from `at` back to `start` through `allowed`, with each node morally
    /// strong to all others.
    fn cycle(&self, step: &Relation, start: usize, at: usize, allowed: u64) -> bool {
        let next = step.of(at);
        next >> start & 1 != 0 || members(next & allowed).any(|n| self.cycle(step, start, n, allowed & self.ms.of(n)))
    }

    /// The values that each location may have at the end: those of writes without a successor.
    pub fn last(&self, co: &Relation) -> Vec<Vec<i64>> {
        let mut last = vec![Vec::new(); self.locs];
        for write in members(self.writes).filter(|&w| co.of(w) == 0) {
            if let Some((loc, _, Some(value))) = self.access[write] {
                last[loc].push(value);
            }
        }
        last
    }
}
