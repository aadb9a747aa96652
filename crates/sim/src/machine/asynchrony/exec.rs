//! Instructions on mbarrier objects: `SYNCS`, `ARRIVES`; fences of the asynchronous proxy.

use super::super::async_op::{Amount, Arrive, AsyncOp, Weight};
use super::super::block::{Block, Exec, Global, LaneFailure};
use super::super::exec_mem::{Target, lanes};
use super::super::object::{Arrival, LIMIT, Object, Place, Released};
use super::super::operand::Addr;
use super::super::options::MemSpace;
use super::super::pending::{Effect, Pending};
use super::super::uop::Uop;
use super::super::warp::Warp;
use crate::failure::FailureKind;
use crate::launch::OnFinding;
use crate::mem::{Actor, Space};

/// Bytes of an object.
const BYTES: usize = 8;

/// A violation of the rules of this machinery.
pub fn refuse<T>(lane: usize, text: String) -> Exec<T> {
    Err(LaneFailure::new(lane, FailureKind::Asynchrony(text)))
}

impl Warp {
    /// Runs an instruction of this family in the lanes of `m`; what runs once is an access of `lane`.
    pub fn exec_async(
        &mut self,
        u: &Uop,
        op: &AsyncOp,
        (m, lane): (u32, usize),
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        use AsyncOp::{Check, ClusterWait, Invalidate, Registers, Rpc, View};
        if !matches!(op, Check { .. } | View { .. } | Rpc { .. } | ClusterWait | Invalidate | Registers { .. }) {
            blk.cluster.acted();
        }
        match op {
            AsyncOp::Init(at) => self.begin_object(u, at, lane, blk, g),
            AsyncOp::End(at) => lanes(m).try_for_each(|l| self.end_object(at, l, blk, g)),
            AsyncOp::Arrive(arrive) if arrive.combines => self.arrive_together(u, arrive, m, blk, g),
            AsyncOp::Arrive(arrive) => in_turn(m, g).into_iter().try_for_each(|l| self.arrive_at(u, arrive, l, blk, g)),
            AsyncOp::Check { at, tries } => self.check(u, at, *tries, m, blk, g),
            AsyncOp::CopiesArrive(at, weight) => lanes(m).try_for_each(|l| self.copies_arrive(at, *weight, l, blk, g)),
            AsyncOp::OlderArrive(at) => in_turn(m, g).into_iter().try_for_each(|l| self.older_arrive(u, at, l, blk, g)),
            AsyncOp::View { shared } => {
                self.begin_view(u, *shared, m, blk, g);
                Ok(())
            }
            AsyncOp::Rpc { high, to } => {
                self.rpc(u, usize::from(*high), *to, m);
                Ok(())
            }
            AsyncOp::Bulk(bulk) => self.bulk(bulk, lane, blk, g),
            AsyncOp::BulkPrefetch(at, size) => self.bulk_prefetch((*at, *size), lane, blk, g),
            AsyncOp::Tensor(tensor) => self.tensor(tensor, lane, blk, g),
            AsyncOp::Map { at, invalidate } => self.map_control((*at, *invalidate), m, blk, g),
            AsyncOp::Flush => {
                let open = std::mem::take(&mut self.asynchronous.open);
                self.asynchronous.groups.push_back(open);
                Ok(())
            }
            AsyncOp::Invalidate => self.invalidate(lane, blk, g),
            AsyncOp::Store(to, size) => {
                lanes(m).try_for_each(|l| self.store_async(u, to, usize::from(*size), l, blk, g))
            }
            AsyncOp::Reduce(to, op, ty, size) => {
                lanes(m).try_for_each(|l| self.reduce_async(u, to, (*op, *ty, usize::from(*size)), l, blk, g))
            }
            AsyncOp::ClusterArrive => self.cluster_arrive(m, blk),
            AsyncOp::ClusterWait => self.cluster_wait(m, blk),
            AsyncOp::Registers { count, grows } => self.registers(u, *count, *grows, m, blk, g),
        }
    }

    /// Resolves the address of an object; with `cluster` it may be of any block.
    pub(super) fn object_site(
        &self,
        at: &Addr,
        (cluster, what): (bool, &'static str),
        lane: usize,
        blk: &Block,
        g: &Global<'_>,
    ) -> Exec<(Target, Place, u64)> {
        let addr = self.address(at, lane)?;
        let space = if cluster { MemSpace::Cluster } else { MemSpace::Shared };
        let target = self.locate_range(space, addr, (BYTES, BYTES), lane, what, blk, g)?;
        match target.place(blk) {
            Some(place) => Ok((target, place, addr)),
            None => refuse(lane, format!("an mbarrier object at {addr:#x}, which is no shared memory")),
        }
    }

    /// Returns the place of a valid object, after the access is recorded.
    pub(super) fn object(
        &self,
        at: &Addr,
        (cluster, what): (bool, &'static str),
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<Place> {
        let (target, place, addr) = self.object_site(at, (cluster, what), lane, blk, g)?;
        if !blk.cluster.objects.contains_key(&place) {
            return refuse(lane, format!("no valid mbarrier object at shared {addr:#x}"));
        }
        let actor = self.actor(lane, true, self.splits[self.cur].pc, blk, g);
        self.record(&target, (addr, BYTES), true, what, &actor, blk, g)?;
        Ok(place)
    }

    fn begin_object(&mut self, u: &Uop, at: &Addr, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let pc = self.splits[self.cur].pc;
        if self.src64_undef(&u.s[1], 0) != 0 {
            return Err(LaneFailure::new(lane, FailureKind::UndefinedOperand("the word of an mbarrier object")));
        }
        let (target, place, addr) = self.object_site(at, (false, "write"), lane, blk, g)?;
        if let Some((_, object)) = blk.object_in(place, BYTES) {
            let text = format!("an mbarrier object at shared {addr:#x} is initialised twice");
            return refuse(lane, format!("{text}: it is valid since instruction {}", object.place));
        }
        let actor = self.actor(lane, false, pc, blk, g);
        self.record(&target, (addr, BYTES), true, "write", &actor, blk, g)?;
        self.asynchronous.initialised = g.now;
        if u.d != 63 {
            let (old, undefined) = blk.shared.load(place.offset, BYTES);
            for i in 0..2 {
                self.put_ureg(u.d + i, (old >> (32 * i)) as u32, (undefined >> (32 * i)) as u32);
            }
        }
        match Object::begin(self.fetch64(&u.s[1], 0), pc) {
            Ok(object) => blk.cluster.objects.insert(place, object),
            Err(text) => return refuse(lane, format!("{text}, at shared {addr:#x}")),
        };
        blk.cluster.watched = true;
        blk.write_word(place);
        Ok(())
    }

    fn end_object(&mut self, at: &Addr, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let (target, place, addr) = self.object_site(at, (false, "write"), lane, blk, g)?;
        let Some(object) = blk.cluster.objects.get(&place) else {
            return refuse(lane, format!("no valid mbarrier object at shared {addr:#x}"));
        };
        let text = format!("the mbarrier object at shared {addr:#x} ({}) is invalidated", object.describe());
        if let Some(pending) = blk.cluster.pending.iter().find(|pending| pending.signals.contains(&place)) {
            let text = format!("{text} before an operation has arrived there: instruction {}", pending.place);
            return refuse(lane, text);
        }
        let actor = self.actor(lane, false, self.splits[self.cur].pc, blk, g);
        self.record(&target, (addr, BYTES), true, "write", &actor, blk, g)?;
        blk.cluster.objects.remove(&place);
        // Lanes that wait for it will find that it is gone.
        blk.cluster.changed = true;
        blk.shared.store(place.offset, BYTES, 0, u128::MAX);
        Ok(())
    }

    /// Returns the data operand of an arrival.
    fn amount(&self, u: &Uop, amount: Amount, lane: usize) -> Exec<u32> {
        match amount {
            Amount::Is(n) => Ok(n),
            Amount::Operand if self.src_undef(&u.s[1], lane) != 0 => {
                Err(LaneFailure::new(lane, FailureKind::UndefinedOperand("the operand of an arrival")))
            }
            Amount::Operand => {
                let value = self.fetch(&u.s[1])[lane];
                if value > LIMIT {
                    return refuse(
                        lane,
                        format!("the operand of an mbarrier operation is {value}, which is too large"),
                    );
                }
                Ok(value)
            }
        }
    }

    /// Returns what an arrival releases.
    fn released(&self, at: Place, blk: &Block, g: &Global<'_>) -> Released {
        if at.rank == blk.rank {
            Released { block: g.now, acquired: self.acquired, cluster: self.fence }
        } else {
            Released { block: 0, acquired: 0, cluster: self.fence }
        }
    }

    fn arrive_at(&mut self, u: &Uop, arrive: &Arrive, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let (count, bytes) = (self.amount(u, arrive.arrivals, lane)?, i64::from(self.amount(u, arrive.bytes, lane)?));
        let at = self.object(&arrive.at, (arrive.reduces, "atomic"), lane, blk, g)?;
        if let Some(object) = blk.cluster.objects.get(&at) {
            let (state, unknown) = object.state();
            self.put_state(u.d, lane, state, unknown);
        }
        if count == 0 && arrive.arrivals == Amount::Operand {
            return refuse(lane, format!("0 is no number of arrivals, at shared {:#x}", at.address()));
        }
        let released = if count == 0 { Released::default() } else { self.released(at, blk, g) };
        let bytes = if arrive.completes { -bytes } else { bytes };
        let by = Arrival { count, bytes, drops: arrive.drops, released };
        blk.change(at, &by).map(|_| ()).map_err(|kind| LaneFailure::new(lane, kind))
    }

    fn put_state(&mut self, d: u8, lane: usize, state: u64, unknown: u64) {
        if d == 255 {
            return;
        }
        for i in 0..2 {
            self.put_lane(d + i, lane, (state >> (32 * i)) as u32);
            self.taint(d + i, lane, (unknown >> (32 * i)) as u32);
        }
    }

    /// `.TMASK`: lanes with the same object and count arrive at once. The result is the state
    /// before that, with the mask of these lanes as its low word: from both, ptxas' code computes
    /// what each lane would have seen, had they arrived one after another. That lanes with another
    /// count are not in the mask is an assumption.
    fn arrive_together(&mut self, u: &Uop, arrive: &Arrive, m: u32, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let mut groups: Vec<(Place, u32, u32)> = Vec::new();
        for lane in lanes(m) {
            let count = self.amount(u, arrive.arrivals, lane)?;
            let at = self.object(&arrive.at, (arrive.reduces, "atomic"), lane, blk, g)?;
            match groups.iter_mut().find(|o| (o.0, o.1) == (at, count)) {
                Some(group) => group.2 |= 1 << lane,
                None => groups.push((at, count, 1 << lane)),
            }
        }
        for (at, count, mask) in groups {
            let lane = mask.trailing_zeros() as usize;
            let Some(object) = blk.cluster.objects.get(&at) else { continue };
            let (state, unknown) = object.state();
            for l in lanes(mask) {
                let known = !0xffff_ffff & unknown;
                self.put_state(u.d, l, state & !0xffff_ffff | u64::from(mask), known);
            }
            let count = count * mask.count_ones();
            let by = Arrival { count, bytes: 0, drops: arrive.drops, released: self.released(at, blk, g) };
            let ended = blk.change(at, &by).map_err(|kind| LaneFailure::new(lane, kind))?;
            if ended {
                return refuse(lane, "an arrival with .noComplete completes the phase".into());
            }
        }
        Ok(())
    }

    /// Whether the phase that a lane names is complete.
    pub(super) fn passes(&self, u: &Uop, at: Place, lane: usize, blk: &Block) -> Exec<bool> {
        if self.src_undef(&u.s[1], lane) >> 31 != 0 {
            return Err(LaneFailure::new(lane, FailureKind::UndefinedOperand("the phase of an mbarrier object")));
        }
        let Some(object) = blk.cluster.objects.get(&at) else {
            return refuse(lane, format!("no valid mbarrier object at shared {:#x}", at.address()));
        };
        let passed = object.passed(self.fetch(&u.s[1])[lane]);
        passed.or_else(|text| refuse(lane, format!("{text}, at shared {:#x}", at.address())))
    }

    fn check(&mut self, u: &Uop, at: &Addr, tries: bool, m: u32, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let mut passed = 0;
        self.tired &= !m;
        // Lanes with one object fail together: code of ptxas 13.0.88 at -O1 relies on it (it changes
        // uniform registers behind the branch out of a loop that waits).
        let mut fails: Vec<(Place, bool)> = Vec::new();
        for lane in lanes(m) {
            let place = self.object(at, (false, "read"), lane, blk, g)?;
            let passes = self.passes(u, place, lane, blk)?;
            let fails = match fails.iter().find(|found| found.0 == place) {
                Some(found) => found.1,
                None => {
                    let fail = tries && g.rng.below(4) == 0;
                    fails.push((place, fail));
                    fail
                }
            };
            if !passes || fails {
                continue;
            }
            passed |= 1 << lane;
            let Some(object) = blk.cluster.objects.get(&place) else { continue };
            let released = object.released();
            let signal = (blk.cluster.ground(place.rank), place.offset, object.phase());
            let actor = self.actor(lane, true, self.splits[self.cur].pc, blk, g);
            g.regions.observe(signal, &actor, true);
            self.block_acquired = self.block_acquired.max(released.block);
            self.acquired = self.acquired.max(released.acquired);
            self.asynchronous.cluster_acquired = self.asynchronous.cluster_acquired.max(released.cluster);
        }
        self.put_pred(u.pd, m, passed, 0);
        Ok(())
    }

    fn copies_arrive(&mut self, at: &Addr, weight: Weight, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        let pc = self.splits[self.cur].pc;
        let at = match weight {
            Weight::Older => self.older_word(at, lane, blk, g)?,
            Weight::Arrival | Weight::Transaction => self.object(at, (false, "atomic"), lane, blk, g)?,
        };
        let mut released = self.released(at, blk, g);
        released.block = g.now;
        self.copies.prune(blk);
        let numbers = self.copies.of_lane(lane);
        let effect = Effect::Copies { numbers, weight, released };
        let who = (blk.rank, self.index, lane);
        blk.cluster.pending.push(Pending { who, place: pc, signals: vec![at], effect });
        Ok(())
    }

    /// `FENCE.VIEW.ASYNC`: takes effect when its scoreboard is waited for.
    fn begin_view(&mut self, u: &Uop, shared: bool, m: u32, blk: &Block, g: &mut Global<'_>) {
        let pc = self.splits[self.cur].pc;
        // `.S` makes visible what `MEMBAR` has performed, `.G` all of the thread's writes: ptxas
        // 13.0.88 emits the former behind `MEMBAR` only.
        let (near, far) = (self.block_fence, self.fence);
        for lane in lanes(m) {
            let actor = self.actor(lane, false, pc, blk, g);
            if shared {
                self.asynchronous.views.push((u.wr, 0, Actor { now: near, ..actor }));
                self.asynchronous.views.push((u.wr, 1, Actor { now: far, ..actor }));
            } else {
                self.asynchronous.views.push((u.wr, 1, actor));
            }
        }
        if u.wr == 7 {
            self.viewed(!0, g);
        }
    }

    /// Fences with one of these scoreboards are done.
    pub fn viewed(&mut self, scoreboards: u8, g: &mut Global<'_>) {
        self.asynchronous.views.retain(|&(scoreboard, space, actor)| {
            let done = scoreboards >> scoreboard & 1 != 0;
            if done {
                g.fences[space].insert(actor.thread, actor);
            }
            !done
        });
    }

    fn rpc(&mut self, u: &Uop, half: usize, to: bool, m: u32) {
        if to {
            let value = self.fetch(&u.s[1]);
            for lane in lanes(m) {
                self.asynchronous.rpc[half][lane] = (value[lane], self.src_undef(&u.s[1], lane));
            }
            return;
        }
        for lane in lanes(m) {
            let (value, undefined) = self.asynchronous.rpc[half][lane];
            self.put_lane(u.d, lane, value);
            self.taint(u.d, lane, undefined);
        }
    }

    /// Reports a finding of an asynchronous operation, as races are.
    pub(super) fn finding(&self, lane: usize, text: String, g: &mut Global<'_>) -> Exec {
        match g.races {
            OnFinding::Error => return refuse(lane, text),
            OnFinding::Warn if g.warnings.len() < 100 => g.warnings.push(text),
            OnFinding::Warn | OnFinding::Off => {}
        }
        Ok(())
    }
}

impl Block {
    /// Returns a valid object that overlaps bytes at a place.
    pub fn object_in(&self, at: Place, size: usize) -> Option<(Place, &Object)> {
        let from = Place { offset: at.offset.saturating_sub(BYTES - 1), ..at };
        let end = Place { offset: at.offset + size, ..at };
        self.cluster.objects.range(from..end).next().map(|(&place, object)| (place, object))
    }

    /// Fails if an access touches a valid object, which only mbarrier instructions may do (PTX ISA
    /// 9.0, 9.7.13.15.1).
    #[inline(always)]
    pub fn not_an_object(&self, t: &Target, size: usize, addr: u64, what: &'static str, by: &Actor) -> Exec {
        if !self.cluster.watched {
            return Ok(());
        }
        let Some((at, object)) = t.place(self).and_then(|place| self.object_in(place, size)) else { return Ok(()) };
        let (since, state) = (object.place, object.describe());
        let object = format!("the mbarrier object at shared {:#x} ({state})", at.address());
        let text = format!("{what} of {} {addr:#x}, part of {object}, valid since instruction {since}", Space::Shared);
        refuse(Block::lane_of(by), format!("{text}: only mbarrier instructions may access it"))
    }
}

/// The lanes of a mask in some order.
fn in_turn(m: u32, g: &mut Global<'_>) -> Vec<usize> {
    let mut all: Vec<usize> = lanes(m).collect();
    if !all.is_empty() {
        let first = g.rng.below(all.len());
        all.rotate_left(first);
    }
    all
}
