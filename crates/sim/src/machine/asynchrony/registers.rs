//! `USETMAXREG`: warps return registers to their block, and take them.
//!
//! Registers from the count on are not accessible; new ones are undefined (PTX ISA 9.0,
//! `setmaxnreg`). Whether registers of warps that have exited can be taken is not known: here they
//! cannot.

use super::super::block::{Block, Exec, Global, LaneFailure};
use super::super::uop::Uop;
use super::super::warp::Warp;
use super::exec::refuse;
use crate::failure::FailureKind;

impl Warp {
    /// Whether the block has registers for this count.
    pub(super) fn can_grow(&self, count: u16, blk: &Block) -> bool {
        u32::from(count.saturating_sub(self.count)) <= blk.cluster.registers[blk.rank]
    }

    pub(super) fn registers(
        &mut self,
        u: &Uop,
        count: u16,
        grows: bool,
        m: u32,
        blk: &mut Block,
        g: &mut Global<'_>,
    ) -> Exec {
        let lane = m.trailing_zeros() as usize & 31;
        if m != self.live {
            let text = "USETMAXREG needs all threads of the warp".into();
            return Err(LaneFailure::new(lane, FailureKind::Convergence(text)));
        }
        if !(24..=256).contains(&count) || !count.is_multiple_of(8) {
            return refuse(lane, format!("{count} registers: not a multiple of 8 from 24 to 256"));
        }
        let old = self.count;
        let pool = &mut blk.cluster.registers[blk.rank];
        if !grows {
            if count > old {
                return refuse(lane, format!("USETMAXREG.DEALLOC to {count} registers in a warp that has {old}"));
            }
            *pool += u32::from(old - count);
            blk.cluster.changed = true;
        } else {
            if count < old {
                return refuse(lane, format!("USETMAXREG.TRY_ALLOC of {count} registers in a warp that has {old}"));
            }
            self.tired &= !m;
            let more = u32::from(count - old);
            let succeeds = more <= *pool && g.rng.below(4) != 0;
            self.put_upred(u.pd, succeeds, false);
            if !succeeds {
                return Ok(());
            }
            *pool -= more;
        }
        blk.cluster.acted();
        self.count = count;
        for register in count.min(old)..255 {
            self.taint_if_any(register as u8);
        }
        Ok(())
    }
}
