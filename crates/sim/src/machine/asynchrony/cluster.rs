//! Clusters: their barrier, asynchronous stores to other blocks, and `CCTL.IVALL`.

use super::super::block::{Block, Exec, Global, LaneFailure};
use super::super::object::Place;
use super::super::operand::Addr;
use super::super::options::{AtomOp, AtomType, MemSpace};
use super::super::pending::{Effect, Pending, Transfer};
use super::super::uop::Uop;
use super::super::warp::Warp;
use super::exec::refuse;
use crate::failure::FailureKind;
use crate::mem::Actor;
use crate::mem::regions::{ASYNC_PROXY, Role};

impl Warp {
    /// The number of the warp in the cluster.
    pub(super) fn cluster_row(&self, blk: &Block) -> usize {
        let warps = blk.cluster.barrier.arrived.len() / blk.cluster.blocks.len().max(1);
        blk.rank * warps + self.index as usize
    }

    /// `UCGABAR_ARV`: releases what `MEMBAR.ALL.GPU` has made visible, and mbarrier objects.
    pub(super) fn cluster_arrive(&mut self, m: u32, blk: &mut Block) -> Exec {
        let at = self.cluster_row(blk);
        let barrier = &mut blk.cluster.barrier;
        let twice = barrier.arrived[at] & m;
        if twice != 0 {
            let text = "a thread arrives twice at the barrier of the cluster without a wait".into();
            return Err(LaneFailure::new(twice.trailing_zeros() as usize, FailureKind::Convergence(text)));
        }
        barrier.arrived[at] |= m;
        barrier.open = barrier.open.max(self.fence).max(self.asynchronous.initialised);
        blk.cluster.changed = true;
        Ok(())
    }

    /// `UCGABAR_WAIT`, once the phase has ended.
    pub(super) fn cluster_wait(&mut self, m: u32, blk: &mut Block) -> Exec {
        let at = self.cluster_row(blk);
        let barrier = &mut blk.cluster.barrier;
        let without = m & !barrier.arrived[at];
        if without != 0 {
            let text = "a thread waits at the barrier of the cluster without an arrival".into();
            return Err(LaneFailure::new(without.trailing_zeros() as usize, FailureKind::Convergence(text)));
        }
        barrier.arrived[at] &= !m;
        barrier.passed[at] &= !m;
        self.asynchronous.cluster_acquired = self.asynchronous.cluster_acquired.max(barrier.ended);
        Ok(())
    }

    /// `CCTL.IVALL`: acquires what waits before it have seen released to the cluster, and sees the
    /// results of bulk operations that were waited for.
    pub(super) fn invalidate(&mut self, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        self.acquired = self.acquired.max(self.asynchronous.cluster_acquired);
        for number in std::mem::take(&mut self.asynchronous.read) {
            self.know(number, false, lane, blk, g)?;
        }
        Ok(())
    }

    /// The target and the object of an asynchronous store by a lane: the address operand is a pair
    /// of both.
    fn async_target(
        &self,
        to: &Addr,
        size: usize,
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec<(super::bulk::Range, Place)> {
        let low = Addr { wide: false, uwide: false, ..*to };
        let addr = self.address(&low, lane)?;
        let target = self.locate_range(MemSpace::Cluster, addr, (size, size), lane, "write", blk, g)?;
        let object = Addr { base: to.base | 1, offset: 0, ..low };
        let object = self.object(&object, (true, "atomic"), lane, blk, g)?;
        let range = super::bulk::Range { target, addr, size };
        if range.target.place(blk).map(|place| place.rank) != Some(object.rank) {
            let text = "destination and mbarrier object of an asynchronous store are not in one block";
            return refuse(lane, text.into());
        }
        Ok((range, object))
    }

    /// `STAS`.
    pub(super) fn store_async(
        &mut self,
        u: &Uop,
        to: &Addr,
        size: usize,
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        self.one_async(u, (to, size, None), lane, blk, g)
    }

    /// `REDAS`.
    pub(super) fn reduce_async(
        &mut self,
        u: &Uop,
        to: &Addr,
        (op, ty, size): (AtomOp, AtomType, usize),
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        self.one_async(u, (to, size, Some((op, ty))), lane, blk, g)
    }

    fn one_async(
        &mut self,
        u: &Uop,
        (to, size, reduce): (&Addr, usize, Option<(AtomOp, AtomType)>),
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let (range, object) = self.async_target(to, size, lane, blk, g)?;
        let role = if reduce.is_some() { Role::Reduced } else { Role::Target };
        let number = g.regions.number();
        let span = self.issue(&range, role, (number, false), lane, blk, g)?;
        let taken = Some(vec![self.data(u, 1, size, lane)]);
        let transfer = Transfer { number, from: None, to: vec![span], units: 1, bytes: size, reduce, fill: 0, taken };
        self.begin(transfer, vec![object], lane, blk, g)
    }

    /// Begins a transfer; without signals it is part of the warp's bulk group.
    pub(super) fn begin(
        &mut self,
        mut transfer: Transfer,
        signals: Vec<Place>,
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        if !g.late && g.rng.below(4) == 0 {
            transfer.take(blk, g);
        }
        if signals.is_empty() {
            self.asynchronous.open.push(transfer.number);
        }
        let (who, place) = ((blk.rank, self.index, lane), self.splits[self.cur].pc);
        blk.cluster.pending.push(Pending { who, place, signals, effect: Effect::Transfer(transfer) });
        Ok(())
    }

    /// A lane knows that an operation is done, or with `read` that it has read its source.
    pub(super) fn know(&mut self, number: u64, read: bool, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        blk.settle(number, read, g).map_err(|unlanded| LaneFailure::new(lane, unlanded.kind))?;
        for region in g.regions.take(number, read) {
            // From here on it is an access of this thread, by the asynchronous proxy.
            let pc = self.splits[self.cur].pc | ASYNC_PROXY;
            let actor = Actor { strong: region.role == Role::Reduced, ..self.actor(lane, false, pc, blk, g) };
            let segment = super::bulk::memory(region.ground, blk, g);
            for range in region.ranges() {
                if region.role == Role::Target {
                    segment.forget(range.start, range.len());
                }
                segment.note(range.start, range.len(), &actor, region.role != Role::Source);
            }
        }
        Ok(())
    }

    /// `DEPBAR.LE SB0` of bulk groups: at most `left` may have sources that are not read. Groups
    /// count in scoreboard 0 whatever the control field of `UTMACMDFLUSH` says: at -O0 ptxas
    /// 13.0.88 writes another one there.
    pub fn wait_bulk(&mut self, scoreboard: u8, left: usize, m: u32, blk: &mut Block, g: &mut Global<'_>) -> Exec {
        if scoreboard != 0 {
            return Ok(());
        }
        let lane = m.trailing_zeros() as usize & 31;
        while self.asynchronous.groups.len() > left {
            for number in self.asynchronous.groups.pop_front().unwrap_or_default() {
                self.know(number, true, lane, blk, g)?;
                self.asynchronous.read.push(number);
            }
        }
        Ok(())
    }
}
