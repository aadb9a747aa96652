//! Mbarrier objects before sm_90: `ATOMS.ARRIVE.64`, `ARRIVES.LDGSTSBAR.64`, and polls.
//!
//! The object is a word of memory, which `STS.64` begins. It is known to be one once a thread
//! arrives there; from then on a load of four bytes of it is a poll, ordered like an atomic
//! operation.

use super::super::block::{Block, Exec, Global, Release};
use super::super::exec_mem::Target;
use super::super::object::{Place, Released};
use super::super::operand::Addr;
use super::super::uop::Uop;
use super::super::warp::Warp;
use super::word;

const BYTES: usize = 8;

impl Warp {
    /// Resolves the address of a word, and records the access.
    pub(super) fn older_word(&self, at: &Addr, lane: usize, blk: &mut Block, g: &mut Global<'_>) -> Exec<Place> {
        let (target, place, addr) = self.object_site(at, (false, "atomic"), lane, blk, g)?;
        if blk.cluster.words.insert(place.offset) {
            // Polls may have been before the first arrival.
            blk.shared.forget_reads(place.offset, BYTES);
            blk.cluster.watched = true;
        }
        let actor = self.actor(lane, true, self.splits[self.cur].pc, blk, g);
        self.record(&target, (addr, BYTES), true, "atomic", &actor, blk, g)?;
        Ok(place)
    }

    pub(super) fn older_arrive(
        &mut self,
        u: &Uop,
        at: &Addr,
        lane: usize,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let place = self.older_word(at, lane, blk, g)?;
        for offset in [place.offset, place.offset + 4] {
            self.release(&Target::Shared(offset), offset as u64, true, blk, g);
        }
        let (old, undefined) = word::arrive(&mut blk.shared, place.offset);
        blk.cluster.changed = true;
        if u.d != 255 {
            for i in 0..2 {
                self.put_lane(u.d + i, lane, (old >> (32 * i)) as u32);
                self.taint(u.d + i, lane, (undefined >> (32 * i)) as u32);
            }
        }
        Ok(())
    }
}

impl Block {
    /// Copies arrive at a word: polls that see it are ordered behind them.
    pub fn older_copies_arrive(&mut self, at: Place, released: Released, g: &mut Global<'_>) {
        word::arrive(self.shared_of(at.rank), at.offset);
        self.cluster.changed = true;
        let block = self.cluster.blocks[at.rank].index;
        for offset in [at.offset, at.offset + 4] {
            let key = (block + 1, offset as u64 >> 2);
            let none = Release { all: 0, block, inside: 0 };
            let release = g.releases.entry(key).or_insert(none);
            *release = Release { inside: release.inside.max(released.block), block, ..*release };
        }
    }

    /// Whether an access is a poll of a word.
    #[inline(always)]
    pub fn is_word(&self, t: &Target, size: usize) -> bool {
        match *t {
            Target::Shared(offset) if self.cluster.watched && size == 4 => self.cluster.words.contains(&(offset & !7)),
            _ => false,
        }
    }

    /// A store ends a word.
    #[inline(always)]
    pub fn end_word(&mut self, t: &Target, size: usize) {
        if let Target::Shared(offset) = *t
            && self.cluster.watched
        {
            for at in (offset & !7..offset + size).step_by(BYTES) {
                self.cluster.words.remove(&at);
            }
        }
    }
}
