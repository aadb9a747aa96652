//! Asynchronous copies: `LDGSTS`, `LDGDEPBAR`, `DEPBAR.LE`.
//!
//! A copy reads its source when it issues; its destination is undefined until its group is waited
//! for, so that too early reads are detected. Groups are counted per warp, like scoreboards.

use super::block::{Block, Exec, Global, LaneFailure};
use super::exec_mem::{Target, lanes};
use super::uop::{Access, Addr, Kind, MemSpace, Uop};
use super::warp::Warp;
use crate::failure::FailureKind;
use crate::mem::Flight;

impl Warp {
    /// Runs an asynchronous-copy instruction in the lanes of `m`. `Ok(false)`: it is another
    /// instruction.
    pub fn exec_copy(&mut self, u: &Uop, m: u32, blk: &mut Block, g: &mut Global<'_>) -> Exec<bool> {
        match u.kind {
            Kind::CopyAsync { to, from, size, partial } => self.copy(u, m, (&to, &from, size, partial), blk, g)?,
            Kind::CommitCopies => {
                let open = std::mem::take(&mut self.copies.open);
                self.copies.groups.push_back((u.wr, open));
            }
            Kind::WaitCopies { scoreboard, left } => {
                self.copies.settle(scoreboard, left.into(), blk);
                self.wait_bulk(scoreboard, left.into(), m, blk, g)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn copy(
        &mut self,
        u: &Uop,
        m: u32,
        (to, from, size, partial): (&Addr, &Addr, u8, bool),
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let pc = self.splits[self.cur].pc;
        let bytes = usize::from(size);
        let access = |space, addr: &Addr| Access { space, addr: *addr, size, signed: false, strong: false };
        let (to, from) = (access(MemSpace::Shared, to), access(MemSpace::Global, from));
        let undef = self.pred_undef(u.p[0]) & m;
        if undef != 0 {
            return Err(LaneFailure::new(undef.trailing_zeros() as usize, FailureKind::UndefinedGuard));
        }
        let reads = self.pred(u.p[0]);
        for l in lanes(m) {
            let actor = self.actor(l, false, pc, blk, g);
            let (mut value, mut undef) = (0, 0);
            if reads >> l & 1 != 0 {
                let at = self.address(&from.addr, l)?;
                let cut = if partial { at & (u64::from(size) - 1) } else { 0 };
                let (at, valid) = (at - cut, bytes - cut as usize);
                let t = self.locate(&from, at, bytes, l, "read", blk, g)?;
                self.note(&t, bytes, false, "read", &actor, at, blk, g)?;
                if let Target::Global(id, off) = t {
                    g.stats.global_read += valid as u64;
                    let mask = u128::MAX >> (128 - 8 * valid);
                    (value, undef) = g.mem.alloc(id).seg.load(off, bytes);
                    (value, undef) = (value & mask, undef & mask);
                }
            }
            let at = self.address(&to.addr, l)?;
            let t = self.locate(&to, at, bytes, l, "write", blk, g)?;
            self.note(&t, bytes, true, "write", &actor, at, blk, g)?;
            let Target::Shared(offset) = t else { continue };
            let flight = Flight::begin(&mut blk.shared, offset, bytes, value, undef);
            g.copies += 1;
            blk.cluster.flights.insert(g.copies, (blk.rank, flight));
            self.copies.open.push((l as u8, g.copies));
        }
        Ok(())
    }
}
