//! Scheduling of the subsets of a diverged warp, and validity of uniform registers.
//!
//! Problem: lanes of a warp have their own registers, but share uniform registers. Code that keeps
//! a value in one while the warp is diverged is correct only if no other subset writes it between
//! the write and the read. How far a compiler may rely on that depends on when the hardware can
//! switch subsets.
//!
//! Rule: a subset runs until it
//! - waits: at `BSYNC`, `WARPSYNC`, `BAR`; waiting for a scoreboard does not count;
//! - yields: `YIELD`, `NANOSLEEP`, or some of its lanes exit;
//! - diverges: at a branch that some of its lanes take, either side may run first;
//! - branches backwards or indirectly: a branch to itself or before, `BRX`, `CALL`, `RET`, so that
//!   a loop that waits for other lanes ends.
//!
//! At each of these points any runnable subset of the warp may be next; between them only the
//! running one. A uniform register may be read by lanes whose own last write to it is the last
//! write of the warp, or wrote the same value. Anything else is a [`Hazard::OtherSubset`]: under
//! another schedule the register has another value. What runs once for the subset (`SYNCS.EXCH`,
//! `UBLKCP`, `UIADD3`) may read what one of its lanes wrote: loops of ptxas 13.0.88 that take one
//! lane after another move that lane's operands under its predicate, and the others run along.
//!
//! Evidence: code of ptxas 13.0.88 for sm_80 to sm_90 keeps values in uniform registers across
//! waits for scoreboards in diverged code. Over the programs of FuzzX and our kernels (-O0 and -O3,
//! six seeds) this rule rejects three programs, in each of which a loop counter is in a uniform
//! register although lanes are in different iterations, and nothing else. That a subset runs until
//! it waits or yields was measured by public work on Turing and later (Shoushtary et al., "Control
//! Flow Management in Modern GPUs", 2024); the CUDA C++ Programming Guide guarantees progress of
//! each thread (Volta and later), hence the points in loops.
//!
//! Strategy: at each point one of three orders, selected by the seed ([`SubsetOrder`]), decides. The
//! lanes that wrote the present value of a uniform register are a mask per register; this costs
//! nothing in a warp that never diverged.

use super::block::Rng;
use super::hazard::resource;
use super::uop::{Program, RES_PRED, RES_UPRED, RES_UREG, Res, Uop};
use super::warp::{Wait, Warp};
use crate::failure::Hazard;

/// Points at which a subset may keep running before another one must.
const PATIENCE: u32 = 200;

/// The order of subsets at scheduling points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubsetOrder {
    /// Any runnable subset.
    Random,
    /// The running one as long as possible, so that others fall far behind.
    Stay,
    /// Another one each time, so that all advance in small steps.
    Leave,
}

impl SubsetOrder {
    /// Returns the order of a seed: of four successive seeds two are random, one stays and one
    /// leaves.
    pub fn of(seed: u64) -> SubsetOrder {
        match seed % 4 {
            0 | 1 => SubsetOrder::Random,
            2 => SubsetOrder::Stay,
            _ => SubsetOrder::Leave,
        }
    }
}

impl Warp {
    /// Whether the current subset can run.
    #[inline(always)]
    pub fn can_go_on(&self) -> bool {
        self.splits.get(self.cur).is_some_and(|s| s.wait == Wait::None)
    }

    /// Makes a runnable subset the current one, at a scheduling point. Returns false if there is
    /// none.
    pub fn choose_subset(&mut self, order: SubsetOrder, rng: &mut Rng) -> bool {
        let n = self.splits.len();
        if n <= 1 {
            self.cur = 0;
            return self.can_go_on();
        }
        let stays = match order {
            // A subset that diverged continues with either half.
            SubsetOrder::Stay => self.can_go_on() && self.stayed < PATIENCE && rng.below(16) != 0,
            SubsetOrder::Random | SubsetOrder::Leave => false,
        };
        if stays {
            self.stayed += 1;
            return true;
        }
        self.stayed = 0;
        let first = match order {
            SubsetOrder::Leave => self.cur + 1,
            SubsetOrder::Random | SubsetOrder::Stay => rng.below(n),
        };
        match (0..n).map(|i| (first + i) % n).find(|&i| self.splits[i].wait == Wait::None) {
            Some(i) => {
                self.cur = i;
                true
            }
            None => false,
        }
    }

    /// Checks that the lanes of `m`, about to run `u`, read from uniform registers what they wrote.
    /// The guard is read by `active`.
    pub fn check_uniform(&self, p: &Program, u: &Uop, active: u32, m: u32) -> Result<(), Hazard> {
        if !self.parted {
            return Ok(());
        }
        for s in p.uses_of(u) {
            let Some(owners) = self.owners_of(s.res) else { continue };
            let readers = if s.slot.is_none() { active } else { m };
            let strangers = readers & !owners;
            let once = s.slot.is_some() && u.guard.uniform && self.sharers(p, u, m) != 0;
            if strangers != 0 && !once {
                return Err(Hazard::OtherSubset { what: resource(s.res), lanes: strangers });
            }
        }
        Ok(())
    }

    /// The lanes of `m` for which an instruction acts: if it runs once for all of them, those that own
    /// all its uniform operands. Other than `m` only in a warp that has diverged.
    pub fn speakers(&self, p: &Program, u: &Uop, m: u32) -> u32 {
        if !self.parted || !u.guard.uniform {
            return m;
        }
        let sharers = self.sharers(p, u, m);
        if sharers == 0 { m } else { sharers }
    }

    /// The lanes of `m` that own all uniform operands of an instruction.
    fn sharers(&self, p: &Program, u: &Uop, m: u32) -> u32 {
        let uses = p.uses_of(u).iter().filter(|s| s.slot.is_some());
        uses.filter_map(|s| self.owners_of(s.res)).fold(m, |lanes, owners| lanes & owners)
    }

    fn owners_of(&self, res: Res) -> Option<u32> {
        match res {
            RES_UREG..RES_PRED => Some(self.ureg_owners[usize::from(res - RES_UREG)]),
            RES_UPRED.. => Some(self.upred_owners[usize::from(res - RES_UPRED)]),
            _ => None,
        }
    }

    /// The value and undefined bits of a uniform register or predicate.
    fn uniform_value(&self, res: Res) -> (u32, u32) {
        if res < RES_PRED {
            let n = usize::from(res - RES_UREG);
            return (self.uregs[n], self.ureg_undef[n]);
        }
        let n = res - RES_UPRED;
        (u32::from(self.upreds >> n & 1), u32::from(self.upred_undef >> n & 1))
    }

    /// Runs `execute`, which writes the uniform results of `u` for the lanes of `m`, and records
    /// these lanes as owners.
    #[inline(always)]
    pub fn owning<T>(&mut self, p: &Program, u: &Uop, m: u32, execute: impl FnOnce(&mut Warp) -> T) -> T {
        // While all live lanes run together no other subset can write, and all lanes own the
        // result.
        self.parted |= self.splits.len() > 1;
        if !self.parted || m == 0 || !u.writes_uniform {
            return execute(self);
        }
        let uniform = |r: Res| (RES_UREG..RES_PRED).contains(&r) || r >= RES_UPRED;
        let mut before = [(0, 0); 8];
        let defs = || p.defs_of(u).iter().map(|d| d.res).filter(|&r| uniform(r));
        for (old, res) in before.iter_mut().zip(defs()) {
            *old = self.uniform_value(res);
        }
        let m = self.speakers(p, u, m);
        let result = execute(self);
        let whole = self.splits.len() == 1;
        for (at, res) in defs().enumerate() {
            let same = before.get(at) == Some(&self.uniform_value(res));
            let owners = if res < RES_PRED {
                &mut self.ureg_owners[usize::from(res - RES_UREG)]
            } else {
                &mut self.upred_owners[usize::from(res - RES_UPRED)]
            };
            *owners = match (whole, same) {
                (true, _) => !0,
                (false, true) => *owners | m,
                (false, false) => m,
            };
        }
        result
    }
}
