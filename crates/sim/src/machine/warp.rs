//! The state of one warp: registers, predicates, undefined bits, divergent subsets.
//!
//! Undefined bits cost nothing while there are none: each register has a mask of lanes with
//! undefined bits, and the bits themselves are read only if that mask is not zero.

use super::asynchronous::Asynchronous;
use super::calls::Calls;
use super::copies::Copies;
pub use super::lanes::{Lanes, each, mask_of, spread};
use super::products::Products;
pub use super::subset::{Parked, Split, Wait};
use super::uop::{From, PSrc, Res, Src};

/// One warp.
#[derive(Clone, Debug)]
pub struct Warp {
    /// Index in the block.
    pub index: u32,
    /// General registers that the code names, and one that stays zero.
    regs: Vec<Lanes>,
    /// Lanes in which a register has undefined bits.
    undef_lanes: [u32; 256],
    /// The undefined bits, valid in the lanes of `undef_lanes` only.
    undef: Vec<Lanes>,
    /// Whether `undef` may have rows that are not all ones.
    partly: bool,
    /// Predicates as lane masks; entry 7 is all ones.
    pub preds: [u32; 8],
    /// Lanes in which a predicate is undefined.
    pub pred_undef: [u32; 8],
    /// Uniform registers; entry 63 stays zero.
    pub uregs: [u32; 64],
    /// Their undefined bits.
    pub ureg_undef: [u32; 64],
    /// Uniform predicates; bit 7 is one.
    pub upreds: u8,
    /// Undefined uniform predicates.
    pub upred_undef: u8,
    /// Convergence barriers: the lanes each lane waits for.
    pub bars: [Lanes; 16],
    /// When each of them was last set by `BSSY`, as the number of such instructions until then.
    pub opened: [u32; 16],
    /// What [`Warp::opened`] was where `BMOV` saved them, for those that will be restored.
    pub saved: [Vec<u32>; 16],
    /// The number of `BSSY` so far.
    pub regions: u32,
    /// Lanes that exist and have not exited.
    pub live: u32,
    /// Subsets; every live lane is in exactly one.
    pub splits: Vec<Split>,
    /// The running subset.
    pub cur: usize,
    /// Number of times it kept running where another subset could have been scheduled.
    pub stayed: u32,
    /// Whether it has ever diverged.
    pub parted: bool,
    /// Lanes whose last write to a uniform register is its present value ([`super::schedule`]).
    pub ureg_owners: [u32; 64],
    /// The same for uniform predicates.
    pub upred_owners: [u32; 8],
    /// Result of the last barrier reduction, per lane.
    pub bar_result: Lanes,
    /// Issue clock in cycles.
    pub cycle: u64,
    /// Time of the last barrier that orders this warp after its block.
    pub block_sync: u32,
    /// Time up to which an acquire orders accesses of all threads before this warp.
    pub acquired: u32,
    /// Time of its last fence with a scope wider than the block.
    pub fence: u32,
    /// Time of its last fence of any kind.
    pub block_fence: u32,
    /// Time up to which accesses of its block, released to it, are ordered before its own.
    pub block_acquired: u32,
    /// The last time all live lanes ran together.
    pub together: u32,
    /// Results that have not arrived yet ([`super::late`]).
    pub parked: Vec<Parked>,
    /// Copies that have not arrived yet ([`super::exec_copy`]).
    pub copies: Copies,
    /// Asynchronous operations.
    pub asynchronous: Asynchronous,
    /// Lanes that have waited in vain and go on.
    pub tired: u32,
    /// Its register count.
    pub count: u16,
    /// Its products as part of a warpgroup.
    pub products: Products,
    /// Calls that have not returned.
    pub calls: Calls,
}

impl Warp {
    /// Creates a warp whose lanes `exists` start at instruction `pc` with undefined registers; the
    /// code names the first `used`.
    pub fn new(index: u32, exists: u32, pc: u32, used: usize) -> Warp {
        let rows = used.min(255) + 1;
        let mut warp = Warp {
            index,
            regs: vec![[0; 32]; rows],
            undef_lanes: [!0; 256],
            undef: vec![[!0; 32]; rows],
            partly: false,
            preds: [0; 8],
            pred_undef: [!0; 8],
            uregs: [0; 64],
            ureg_undef: [!0; 64],
            upreds: 0x80,
            upred_undef: 0x7f,
            bars: [[0; 32]; 16],
            opened: [0; 16],
            saved: Default::default(),
            regions: 0,
            live: exists,
            splits: vec![Split { pc, mask: exists, lent: 0, wait: Wait::None, since: 0 }],
            cur: 0,
            stayed: 0,
            parted: false,
            ureg_owners: [!0; 64],
            upred_owners: [!0; 8],
            bar_result: [0; 32],
            cycle: 0,
            block_sync: 0,
            acquired: 0,
            fence: 0,
            block_fence: 0,
            block_acquired: 0,
            together: 0,
            parked: Vec::new(),
            copies: Default::default(),
            asynchronous: Asynchronous::default(),
            tired: 0,
            count: u16::MAX,
            products: Default::default(),
            calls: Default::default(),
        };
        warp.undef_lanes[255] = 0;
        warp.preds[7] = !0;
        warp.pred_undef[7] = 0;
        warp.ureg_undef[63] = 0;
        warp
    }

    /// Resets it to a fresh warp without allocating memory.
    pub fn reset(&mut self, index: u32, exists: u32, pc: u32) {
        self.regs.fill([0; 32]);
        if std::mem::take(&mut self.partly) {
            self.undef.fill([!0; 32]);
        }
        self.undef_lanes[..255].fill(!0);
        self.preds[..7].fill(0);
        self.pred_undef[..7].fill(!0);
        self.uregs = [0; 64];
        self.ureg_undef[..63].fill(!0);
        (self.upreds, self.upred_undef) = (0x80, 0x7f);
        self.bars = [[0; 32]; 16];
        (self.opened, self.regions) = ([0; 16], 0);
        self.saved = Default::default();
        self.parked.clear();
        self.copies.clear();
        self.asynchronous = Asynchronous::default();
        (self.tired, self.count) = (0, u16::MAX);
        self.products = Products::default();
        self.calls.clear();
        self.splits.clear();
        self.splits.push(Split { pc, mask: exists, lent: 0, wait: Wait::None, since: 0 });
        (self.index, self.live, self.cur) = (index, exists, 0);
        (self.stayed, self.parted) = (0, false);
        (self.ureg_owners, self.upred_owners) = ([!0; 64], [!0; 8]);
        self.bar_result = [0; 32];
        (self.block_fence, self.block_acquired) = (0, 0);
        (self.cycle, self.block_sync, self.acquired, self.fence, self.together) = (0, 0, 0, 0, 0);
    }

    /// Returns the row of register `n`; RZ is the last row.
    #[inline(always)]
    fn row(&self, n: u8) -> usize {
        usize::from(n).min(self.regs.len() - 1)
    }

    /// Returns a register's raw values.
    #[inline(always)]
    pub fn reg(&self, n: u8) -> &Lanes {
        &self.regs[self.row(n)]
    }

    /// Undefined bits of register `n` in lane `l`.
    #[inline(always)]
    pub fn reg_undef(&self, n: u8, l: usize) -> u32 {
        if self.undef_lanes[n as usize] >> l & 1 != 0 { self.undef[self.row(n)][l] } else { 0 }
    }

    /// A 32-bit source with its modifiers.
    #[inline(always)]
    pub fn fetch(&self, s: &Src) -> Lanes {
        match s.from {
            From::Imm => [s.imm as u32; 32],
            From::Reg(n) => {
                let r = self.reg(n);
                if s.is_plain() { *r } else { s.apply_all(r) }
            }
            From::UReg(n) => [s.apply(self.uregs[n as usize]); 32],
        }
    }

    /// [`Warp::fetch`] without a copy where the register can be used directly; `room` holds other
    /// values.
    #[inline(always)]
    pub fn view<'a>(&'a self, s: &Src, room: &'a mut Lanes) -> &'a Lanes {
        match s.from {
            From::Reg(n) if s.is_plain() => self.reg(n),
            _ => {
                *room = self.fetch(s);
                room
            }
        }
    }

    /// A 64-bit source: register pair, uniform pair or 64-bit immediate; float modifiers apply to
    /// the upper word.
    #[inline(always)]
    pub fn fetch64(&self, s: &Src, lane: usize) -> u64 {
        let (lo, hi) = match s.from {
            From::Imm => return s.imm,
            From::Reg(255) => (0, 0),
            From::Reg(n) => (self.reg(n)[lane], self.reg(n | 1)[lane]),
            From::UReg(63) => (0, 0),
            From::UReg(n) => (self.uregs[n as usize], self.uregs[(n as usize | 1) & 63]),
        };
        let hi = (hi & s.and) ^ s.xor;
        let lo = if s.add != 0 || (s.xor == !0 && s.and == !0) { !lo } else { lo };
        (u64::from(hi) << 32 | u64::from(lo)).wrapping_add(u64::from(s.add))
    }

    /// [`Warp::fetch64`] for all lanes.
    #[inline(always)]
    pub fn fetch64_all(&self, s: &Src) -> [u64; 32] {
        match s.from {
            From::Reg(n) if n != 255 => {
                let (lo, hi) = (self.reg(n), self.reg(n | 1));
                let (and, xor, add) = (s.and, s.xor, u64::from(s.add));
                let low = if s.add != 0 || (xor == !0 && and == !0) { !0 } else { 0 };
                each(|l| (u64::from((hi[l] & and) ^ xor) << 32 | u64::from(lo[l] ^ low)).wrapping_add(add))
            }
            _ => [self.fetch64(s, 0); 32],
        }
    }

    /// Lanes in which a 32-bit source has undefined bits.
    #[inline(always)]
    pub fn src_undef_lanes(&self, s: &Src) -> u32 {
        match s.from {
            From::Imm => 0,
            From::Reg(n) => self.undef_lanes[n as usize],
            From::UReg(n) => {
                if self.ureg_undef[n as usize] != 0 {
                    !0
                } else {
                    0
                }
            }
        }
    }

    /// Lanes in which a 64-bit source has undefined bits.
    #[inline(always)]
    pub fn src64_undef_lanes(&self, s: &Src) -> u32 {
        match s.from {
            From::Imm | From::Reg(255) | From::UReg(63) => 0,
            From::Reg(n) => self.undef_lanes[n as usize] | self.undef_lanes[n as usize | 1],
            From::UReg(n) => {
                if self.ureg_undef[n as usize] | self.ureg_undef[(n as usize | 1) & 63] != 0 {
                    !0
                } else {
                    0
                }
            }
        }
    }

    /// Undefined bits of a 32-bit source in one lane, after selection of its part. A negation
    /// spreads upwards.
    pub fn src_undef(&self, s: &Src, lane: usize) -> u32 {
        let raw = match s.from {
            From::Imm => 0,
            From::Reg(n) => self.reg_undef(n, lane),
            From::UReg(n) => self.ureg_undef[n as usize],
        };
        let u = s.select(raw) & s.and;
        if s.add != 0 { spread_up(u) } else { u }
    }

    /// Undefined bits of a 64-bit source in one lane. A negation spreads upwards.
    pub fn src64_undef(&self, s: &Src, lane: usize) -> u64 {
        let (lo, hi) = match s.from {
            From::Imm | From::Reg(255) | From::UReg(63) => return 0,
            From::Reg(n) => (self.reg_undef(n, lane), self.reg_undef(n | 1, lane)),
            From::UReg(n) => (self.ureg_undef[n as usize], self.ureg_undef[(n as usize | 1) & 63]),
        };
        let bits = u64::from(hi) << 32 | u64::from(lo);
        if s.add != 0 { bits | bits.wrapping_neg() } else { bits }
    }

    /// Writes a register in the lanes of `mask`, all bits defined.
    #[inline(always)]
    pub fn put(&mut self, d: u8, mask: u32, v: &Lanes) {
        if d == 255 {
            return;
        }
        if mask == !0 {
            self.regs[d as usize] = *v;
            self.undef_lanes[d as usize] = 0;
            return;
        }
        let (r, keep) = (&mut self.regs[d as usize], spread(!mask));
        for l in 0..32 {
            r[l] = r[l] & keep[l] | v[l] & !keep[l];
        }
        self.undef_lanes[d as usize] &= !mask;
    }

    /// Writes one lane, all bits defined.
    #[inline(always)]
    pub fn put_lane(&mut self, d: u8, lane: usize, v: u32) {
        if d != 255 {
            self.regs[d as usize][lane] = v;
            self.undef_lanes[d as usize] &= !(1 << lane);
        }
    }

    /// Marks a register wholly undefined, if the code names it.
    pub fn taint_if_any(&mut self, d: u8) {
        if usize::from(d) + 1 < self.regs.len() {
            self.taint_lanes(d, !0);
        }
    }

    /// Marks bits of one lane of a register undefined.
    pub fn taint(&mut self, d: u8, lane: usize, bits: u32) {
        if d != 255 && bits != 0 {
            self.undef_lanes[d as usize] |= 1 << lane;
            self.undef[d as usize][lane] = bits;
            self.partly = true;
        }
    }

    /// Marks a register wholly undefined in the lanes of `mask`.
    pub fn taint_lanes(&mut self, d: u8, mask: u32) {
        for l in 0..32 {
            if mask >> l & 1 != 0 {
                self.taint(d, l, !0);
            }
        }
    }

    /// Writes a uniform register with its undefined bits.
    #[inline(always)]
    pub fn put_ureg(&mut self, d: u8, v: u32, undef: u32) {
        if d != 63 {
            self.uregs[d as usize] = v;
            self.ureg_undef[d as usize] = undef;
        }
    }

    /// A predicate source as a lane mask.
    #[inline(always)]
    pub fn pred(&self, p: PSrc) -> u32 {
        let m = if p.uniform { 0u32.wrapping_sub(u32::from(self.upreds >> p.n & 1)) } else { self.preds[p.n as usize] };
        if p.not { !m } else { m }
    }

    /// Lanes in which a predicate source is undefined.
    #[inline(always)]
    pub fn pred_undef(&self, p: PSrc) -> u32 {
        if p.uniform {
            0u32.wrapping_sub(u32::from(self.upred_undef >> p.n & 1))
        } else {
            self.pred_undef[p.n as usize]
        }
    }

    /// Writes a predicate in the lanes of `mask`; `undef` are the lanes in which it is undefined.
    #[inline(always)]
    pub fn put_pred(&mut self, d: u8, mask: u32, v: u32, undef: u32) {
        if d != 7 {
            let p = &mut self.preds[d as usize];
            *p = *p & !mask | v & mask;
            let u = &mut self.pred_undef[d as usize];
            *u = *u & !mask | undef & mask;
        }
    }

    /// Writes a uniform predicate.
    #[inline(always)]
    pub fn put_upred(&mut self, d: u8, v: bool, undef: bool) {
        if d != 7 {
            self.upreds = self.upreds & !(1 << d) | u8::from(v) << d;
            self.upred_undef = self.upred_undef & !(1 << d) | u8::from(undef) << d;
        }
    }

    /// Makes all registers that driver functions do not preserve undefined in the lanes of `m`,
    /// except the result. Other functions clobber some registers from R32 on, but callers of these
    /// rely on all of them (ptxas 13.0.88 output).
    pub fn lose(&mut self, m: u32, result: std::ops::Range<u8>) {
        for n in 0..self.regs.len().saturating_sub(1) as u8 {
            let kept = matches!(n, 1 | 2 | 16..);
            if !kept && !result.contains(&n) {
                self.taint_lanes(n, m);
            }
        }
        (0..7).for_each(|n| self.pred_undef[n] |= m);
        self.ureg_undef[..16].fill(!0);
    }

    /// The lanes that the next instruction of the running subset runs in.
    #[inline(always)]
    pub fn active(&self) -> u32 {
        let split = &self.splits[self.cur];
        split.mask | split.lent
    }
}

/// Sets all bits from the lowest set bit upwards: those that carries of an undefined bit can reach.
#[inline(always)]
fn spread_up(bits: u32) -> u32 {
    bits | bits.wrapping_neg()
}

impl Warp {
    /// Time up to which accesses of the same warp are ordered before one at `now`: all earlier ones
    /// while the lanes run together, else those before the warp diverged or the subset last
    /// converged.
    pub fn warp_sync(&self, now: u32) -> u32 {
        if self.splits.len() == 1 { now - 1 } else { self.together.max(self.splits[self.cur].since) }
    }
}

impl Warp {
    /// Marks a register or predicate undefined in some lanes.
    pub fn taint_res(&mut self, res: Res, lanes: u32) {
        use super::uop::{RES_PRED, RES_UPRED, RES_UREG};
        if res < RES_UREG {
            self.taint_lanes(res as u8, lanes);
        } else if res < RES_PRED {
            self.ureg_undef[usize::from(res - RES_UREG)] = !0;
        } else if res < RES_UPRED {
            self.pred_undef[usize::from(res - RES_PRED)] |= lanes;
        } else {
            self.upred_undef |= 1 << (res - RES_UPRED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_and_lanes_are_each_others_inverse() {
        for m in [0, !0, 1, 0x8000_0000, 0x1234_5678, 0xaaaa_5555] {
            assert_eq!(mask_of(|l| m >> l & 1 != 0), m);
            let lanes = spread(m);
            assert_eq!(mask_of(|l| lanes[l] != 0), m);
        }
    }

    #[test]
    fn registers_the_code_does_not_name_read_as_zero() {
        let mut w = Warp::new(0, !0, 0, 4);
        w.put(3, 0xffff, &[7; 32]);
        assert_eq!((w.reg(3)[15], w.reg(3)[16], w.reg(255)[0]), (7, 0, 0));
        assert_eq!(w.reg_undef(3, 15), 0);
        assert_eq!(w.reg_undef(3, 16), !0);
    }
}
