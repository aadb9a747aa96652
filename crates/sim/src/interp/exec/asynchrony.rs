//! Asynchronous operations: when they take effect, and waits that give up.
//!
//! An operation takes effect at a moment between its issue and the completion that a thread
//! observes. With seed 0 that is as late as possible: when all lanes wait, and one waits for it.
//! With other seeds it is any moment.

use super::super::asynchrony::{Arrival, Direction, Operation};
use super::super::code::Row;
use super::super::cta::{Cta, Effect, Pending};
use super::super::place::SharedPlace;
use super::super::warp::{Waiting, lanes};
use super::access::Accessor;
use super::{Group, LaneFailure, Machine, Step, fault};
use crate::failure::{Failure, FailureKind};

/// How often the waits of a cluster give up while none of its threads does anything that another
/// one can see, before that is a deadlock.
const ROUNDS: u32 = 256;

impl Machine<'_, '_> {
    /// Runs an instruction of this family. Returns whether the group can continue at once.
    pub(super) fn asynchronous(
        &mut self,
        cta: &mut Cta,
        w: usize,
        group: &mut Group,
        operation: &Operation,
        mask: u32,
    ) -> Step<bool> {
        self.now += 1;
        match operation {
            Operation::Mbarrier(op) => {
                if self.mbarrier(cta, w, group, op, mask)? {
                    group.pc += 1;
                    return Ok(true);
                }
                return Ok(false);
            }
            Operation::Bulk(bulk) => {
                cta.effects += 1;
                let plain = bulk.reduce.is_none() && bulk.object.is_none();
                let operands = [bulk.to.base, bulk.from.base, bulk.bytes];
                self.once_if_same(cta, group, (w, mask), plain.then_some(&operands), |m, cta, by| {
                    m.bulk(cta, by, bulk)
                })?;
            }
            Operation::Prefetch { at, bytes } => {
                for lane in lanes(mask) {
                    self.prefetch(cta, Accessor::new(w, lane, group), at, *bytes)?;
                }
            }
            Operation::Commit => Machine::commit_bulk(cta, w, mask),
            Operation::WaitGroups { left, read } => {
                cta.effects += 1;
                self.wait_bulk(cta, w, group, (*left, *read), mask)?;
            }
            Operation::ProxyFence { shared, global } => self.fence_proxy(cta, w, group.pc, [*shared, *global], mask),
            Operation::Tensor(tensor) => {
                cta.effects += 1;
                let operands = match &tensor.direction {
                    Direction::Store { from, reduce: None } => {
                        Some([&tensor.at[..], &[tensor.map.base, from.base]].concat())
                    }
                    _ => None,
                };
                self.once_if_same(cta, group, (w, mask), operands.as_deref(), |m, cta, by| m.tensor(cta, by, tensor))?;
            }
            Operation::Replace { at, field, value } => {
                cta.effects += 1;
                for lane in lanes(mask) {
                    self.replace_field(cta, Accessor::new(w, lane, group), at, (*field, *value))?;
                }
            }
            Operation::MapFence(at) => {
                for lane in lanes(mask) {
                    self.map_fence(cta, Accessor::new(w, lane, group), at)?;
                }
            }
            Operation::Store(store) => {
                cta.effects += 1;
                for lane in lanes(mask) {
                    self.store_async(cta, Accessor::new(w, lane, group), store)?;
                }
            }
            Operation::Map { dst, a, rank } => {
                Machine::map(&mut cta.warps[w].frames[group.frame], (*dst, *a, *rank), mask)
            }
            Operation::ClusterArrive { release } => self.cluster_arrive(cta, w, *release, mask)?,
            Operation::ClusterWait => return self.cluster_wait(cta, w, group, mask),
            Operation::Wgmma(op) => {
                if !self.wgmma(cta, w, group, op, mask)? {
                    return Ok(false);
                }
            }
            Operation::SetRegisters(count) => {
                if !(24..=256).contains(count) || count % 8 != 0 {
                    let text = format!("setmaxnreg of {count} registers: not a multiple of 8 from 24 to 256");
                    return fault(mask.trailing_zeros() as usize, FailureKind::Asynchrony(text));
                }
            }
        }
        group.pc += 1;
        Ok(true)
    }

    /// Issues an operation in every lane of a mask. With the operands of a plain copy to global memory: lanes whose
    /// operands are the same share one operation, which is in the bulk group of each. The copies of
    /// such lanes would write the same bytes to the same place, and machine code makes one of them
    /// ("ptxas 13.0.88 output"); CUTLASS stores its tiles with whole warps.
    fn once_if_same(
        &mut self,
        cta: &mut Cta,
        group: &Group,
        (w, mask): (usize, u32),
        operands: Option<&[Row]>,
        mut issue: impl FnMut(&mut Self, &mut Cta, Accessor) -> Step<()>,
    ) -> Step<()> {
        let mut shared: Vec<(Vec<u64>, u64)> = Vec::new();
        for lane in lanes(mask) {
            let frame = &cta.warps[w].frames[group.frame];
            let defined = |rows: &&[Row]| rows.iter().all(|&row| frame.get_undef(row, lane) == 0);
            let values: Option<Vec<u64>> =
                operands.filter(defined).map(|rows| rows.iter().map(|&row| frame.get(row, lane)).collect());
            let same = values.as_ref().and_then(|v| shared.iter().find(|(other, _)| other == v));
            if let Some(&(_, number)) = same {
                cta.warps[w].bulk[lane].open.push(number);
                continue;
            }
            let before = cta.warps[w].bulk[lane].open.len();
            issue(self, cta, Accessor::new(w, lane, group))?;
            let made = cta.warps[w].bulk[lane].open.get(before);
            shared.extend(values.zip(made.copied()));
        }
        Ok(())
    }

    /// Lets an operation take effect.
    pub fn land(&mut self, cta: &mut Cta, index: usize) -> Result<(), Failure> {
        let pending = cta.pending.remove(index);
        let (w, lane, place) = (pending.warp, pending.lane, pending.place);
        let result = self.take_effect(cta, pending);
        result.map_err(|LaneFailure { kind, .. }| self.failure(&cta.warps[w], place, lane, kind))
    }

    pub(super) fn take_effect(&mut self, cta: &mut Cta, pending: Pending) -> Step<()> {
        let Pending { warp: w, lane, signals, effect, .. } = pending;
        self.now += 1;
        cta.effects += 1;
        match effect {
            Effect::Arrive { through, released } => {
                let warp = &mut cta.warps[w];
                warp.copies[lane].settle_through(through, &mut cta.blocks[warp.block].shared);
                let arrival = Arrival { count: 1, released, ..Arrival::default() };
                for &at in &signals {
                    self.change(cta, lane, at, |object| object.arrive(&arrival))?;
                }
                Ok(())
            }
            Effect::Transfer(transfer) => self.transfer(cta, lane, transfer, &signals),
        }
    }

    /// Lets the oldest operation take effect that a lane waits for; returns whether there is one.
    pub fn land_awaited(&mut self, cta: &mut Cta) -> Result<bool, Failure> {
        let awaited = |at: SharedPlace| {
            let waits = |reason: &Option<Waiting>| *reason == Some(Waiting::Mbarrier(at));
            cta.warps.iter().any(|warp| lanes(warp.waiting).any(|lane| waits(&warp.reason[lane])))
        };
        let index = cta.pending.iter().position(|pending| pending.signals.iter().copied().any(awaited));
        let Some(index) = index else { return Ok(false) };
        self.land(cta, index)?;
        Ok(true)
    }

    /// Lets all waits at mbarrier objects give up: they may, after a time. Returns false if there
    /// are none, or if they have done so for long without an effect.
    pub fn give_up(&mut self, cta: &mut Cta) -> bool {
        let rounds = if cta.gave_up.0 == cta.effects { cta.gave_up.1 + 1 } else { 0 };
        cta.gave_up = (cta.effects, rounds);
        if rounds > ROUNDS {
            return false;
        }
        let mut any = false;
        for warp in &mut cta.warps {
            for lane in lanes(warp.waiting) {
                if matches!(warp.reason[lane], Some(Waiting::Mbarrier(_))) {
                    warp.reason[lane] = None;
                    warp.waiting &= !(1 << lane);
                    warp.running |= 1 << lane;
                    warp.gives_up |= 1 << lane;
                    any = true;
                }
            }
        }
        any
    }
}
