//! How operations take effect.

use super::super::async_op::Weight;
use super::super::block::{Block, Global};
use super::super::exec_atom::update;
use super::super::object::{Arrival, Object, Place};
use super::super::pending::{Effect, Pending, Transfer};
use crate::failure::FailureKind;
use crate::mem::Segment;
use crate::mem::regions::{Ground, Signal};

/// An operation that could not take effect.
#[derive(Debug)]
pub struct Unlanded {
    /// As in [`Pending`].
    pub who: (usize, u32, usize),
    /// The instruction.
    pub place: u32,
    /// What is wrong.
    pub kind: FailureKind,
}

fn memory<'a>(ground: Ground, blk: &'a mut Block, g: &'a mut Global<'_>) -> &'a mut Segment {
    match ground {
        Ground::Global(id) => &mut g.mem.alloc_mut(id).seg,
        Ground::Shared { rank, .. } => blk.shared_of(rank),
    }
}

impl Transfer {
    /// Reads the source, if it has not been read.
    pub fn take(&mut self, blk: &mut Block, g: &mut Global<'_>) {
        if self.taken.is_some() {
            return;
        }
        let Some(from) = &self.from else { return };
        let segment = memory(from.ground, blk, g);
        let read = |unit: usize| match from.places.of(unit, self.bytes) {
            Some(offset) => segment.load(offset, self.bytes),
            None => (self.fill, 0),
        };
        self.taken = Some((0..self.units).map(read).collect());
        if matches!(from.ground, Ground::Global(_)) {
            g.stats.global_read += (self.units * self.bytes) as u64;
        }
    }

    /// Writes the values.
    fn put(&self, blk: &mut Block, g: &mut Global<'_>) {
        let values = self.taken.as_deref().unwrap_or_default();
        for to in &self.to {
            if matches!(to.ground, Ground::Global(_)) {
                g.stats.global_written += (self.units * self.bytes) as u64;
            }
            let segment = memory(to.ground, blk, g);
            for (unit, &(value, undefined)) in values.iter().enumerate() {
                // What is outside of a tensor is not written.
                let Some(offset) = to.places.of(unit, self.bytes) else { continue };
                let (mut value, mut undefined) = (value, undefined);
                if let Some((op, ty)) = self.reduce {
                    let (old, unknown) = segment.load(offset, self.bytes);
                    value = update(op, ty, old, value);
                    undefined = if unknown | undefined != 0 { u128::MAX } else { 0 };
                }
                segment.store(offset, self.bytes, value, undefined);
            }
        }
    }
}

impl Block {
    /// Changes an object; lanes look again at what they wait for when a phase ends.
    pub fn change(&mut self, at: Place, by: &Arrival) -> Result<bool, FailureKind> {
        let refuse = |text: String| FailureKind::Asynchrony(format!("{text}, at shared {:#x}", at.address()));
        let Some(object) = self.cluster.objects.get_mut(&at) else {
            return Err(refuse("an operation on an mbarrier object that is not valid any more".into()));
        };
        let ended = object.change(by).map_err(refuse)?;
        self.cluster.changed |= ended;
        self.write_word(at);
        Ok(ended)
    }

    /// Writes the word of an object to memory.
    pub fn write_word(&mut self, at: Place) {
        if let Some((word, unknown)) = self.cluster.objects.get(&at).map(Object::word) {
            self.shared_of(at.rank).store(at.offset, 8, word.into(), unknown.into());
        }
    }

    /// Lets the pending operation with this index take effect.
    pub fn land(&mut self, index: usize, g: &mut Global<'_>) -> Result<(), Box<Unlanded>> {
        let pending = self.cluster.pending.remove(index);
        g.now += 1;
        self.cluster.acted();
        let (who, place) = (pending.who, pending.place);
        self.take_effect(pending, g).map_err(|kind| Box::new(Unlanded { who, place, kind }))
    }

    /// Lets an operation take effect that is not among the pending ones any more.
    fn take_effect(&mut self, pending: Pending, g: &mut Global<'_>) -> Result<(), FailureKind> {
        match pending.effect {
            Effect::Copies { numbers, weight, released } => {
                numbers.into_iter().for_each(|number| self.arrive(number));
                for &at in &pending.signals {
                    let by = match weight {
                        Weight::Arrival => Arrival { count: 1, released, ..Arrival::default() },
                        Weight::Transaction => Arrival { bytes: -1, released, ..Arrival::default() },
                        Weight::Older => {
                            self.older_copies_arrive(at, released, g);
                            continue;
                        }
                    };
                    self.change(at, &by)?;
                }
            }
            Effect::Transfer(mut transfer) => {
                transfer.take(self, g);
                if self.cluster.blocks.iter().any(|block| block.runs) {
                    for to in &transfer.to {
                        if let Ground::Shared { rank, .. } = to.ground {
                            self.cluster.runs(rank)?;
                        }
                    }
                }
                transfer.put(self, g);
                let phase = |at: &Place| self.cluster.objects.get(at).map_or(0, Object::phase);
                let signal = |at: &Place| -> Signal { (self.cluster.ground(at.rank), at.offset, phase(at)) };
                let signals: Vec<Signal> = pending.signals.iter().map(signal).collect();
                g.regions.signal(transfer.number, &signals);
                let by = Arrival { bytes: -((transfer.units * transfer.bytes) as i64), ..Arrival::default() };
                for &at in &pending.signals {
                    self.change(at, &by)?;
                }
            }
        }
        Ok(())
    }

    /// Lets a transfer take effect, or with `read` at least read its source, if it has not.
    pub fn settle(&mut self, number: u64, read: bool, g: &mut Global<'_>) -> Result<(), Box<Unlanded>> {
        let of = |p: &Pending| matches!(&p.effect, Effect::Transfer(t) if t.number == number);
        let Some(index) = self.cluster.pending.iter().position(of) else { return Ok(()) };
        if !read || g.rng.below(2) == 0 {
            return self.land(index, g);
        }
        let mut pending = self.cluster.pending.remove(index);
        if let Effect::Transfer(transfer) = &mut pending.effect {
            transfer.take(self, g);
        }
        self.cluster.pending.insert(index, pending);
        Ok(())
    }
}
