//! Instructions that communicate between lanes, special registers, and moves to and from the
//! uniform datapath.
//!
//! Facts: PTX ISA 9.0 (`shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`, `elect.sync`, special
//! registers); numbers of special registers from ptxas 13.0.88 output read with nvdisasm.

use super::block::{Block, Exec, Global, LaneFailure};
use super::exec_mem::lanes;
use super::uop::{Bool, Kind, PSrc, ReduxOp, ShflMode, Uop, VoteMode};
use super::warp::{Lanes, Warp, each, mask_of};
use crate::failure::FailureKind;
use crate::mem::SHARED_WINDOW_HI;

/// Whether this machine has a special register.
pub fn special_is_known(sr: u8) -> bool {
    matches!(
        sr,
        0x00 | 0x02
            | 0x03
            | 0x21..=0x23
            | 0x25..=0x27
            | 0x29..=0x2b
            | 0x2d..=0x2f
            | 0x32
            | 0x37..=0x3c
            | 0x43
            | 0x50..=0x53
            | 0x64..=0x6b
            | 0x88
            | 0xff
    )
}

impl Warp {
    /// Runs lane-crossing and special-register instructions in the lanes of `m`. `Ok(false)`: it is
    /// another instruction.
    pub fn exec_warp(&mut self, u: &Uop, m: u32, blk: &Block, g: &mut Global<'_>) -> Exec<bool> {
        match u.kind {
            Kind::S2r(sr) => {
                let v = self.special(sr, blk, g);
                self.put(u.d, m, &v);
            }
            Kind::Cs2r { sr, wide } => {
                let v = self.special(sr, blk, g);
                self.put(u.d, m, &v);
                if wide && u.d != 255 {
                    let high = if sr == 0xff { [0; 32] } else { self.special(sr + 1, blk, g) };
                    self.put(u.d | 1, m, &high);
                }
            }
            Kind::S2ur(sr) => {
                let v = self.special(sr, blk, g)[m.trailing_zeros() as usize & 31];
                self.put_ureg(u.d, v, 0);
            }
            Kind::Shfl(mode) => self.shfl(u, m, mode)?,
            Kind::Vote(mode) => {
                let (ballot, truth, undef) = self.vote(u, m, mode);
                self.put_pred(u.pd, m, if truth { !0 } else { 0 }, if undef != 0 { !0 } else { 0 });
                self.put(u.d, m, &[ballot; 32]);
                if undef != 0 {
                    for l in lanes(m) {
                        self.taint(u.d, l, undef);
                    }
                }
            }
            Kind::Voteu(mode) => {
                let (ballot, truth, undef) = self.vote(u, m, mode);
                self.put_upred(u.pd, truth, undef != 0);
                self.put_ureg(u.d, ballot, undef);
            }
            Kind::Match { all, wide } => self.matches(u, m, all, wide),
            Kind::Redux { op, signed } => {
                let a = self.fetch(&u.s[0]);
                let undef = self.src_undef_lanes(&u.s[0]) & m;
                let f = |x: u32, y: u32| match (op, signed) {
                    (ReduxOp::And, _) => x & y,
                    (ReduxOp::Or, _) => x | y,
                    (ReduxOp::Xor, _) => x ^ y,
                    (ReduxOp::Sum, _) => x.wrapping_add(y),
                    (ReduxOp::Min, false) => x.min(y),
                    (ReduxOp::Max, false) => x.max(y),
                    (ReduxOp::Min, true) => (x as i32).min(y as i32) as u32,
                    (ReduxOp::Max, true) => (x as i32).max(y as i32) as u32,
                };
                let v = lanes(m).map(|l| a[l]).reduce(f).unwrap_or(0);
                self.put_ureg(u.d, v, if undef != 0 { !0 } else { 0 });
            }
            Kind::R2ur { or } => {
                let l = m.trailing_zeros() as usize & 31;
                let a = self.fetch(&u.s[0]);
                let t = self.src_undef(&u.s[0], l);
                self.put_ureg(u.d, a[l], t);
                if u.pd != 7 {
                    // Lanes with another value than the one transferred; `.OR` adds them to the
                    // predicate. Learnt from the loop in ptxas 13.0.88 output that handles one
                    // value after the other.
                    let old = PSrc { n: u.pd, not: false, uniform: false };
                    let (old, old_undef) = if or { (self.pred(old), self.pred_undef(old)) } else { (0, 0) };
                    let undef = if t != 0 { m } else { self.src_undef_lanes(&u.s[0]) & m };
                    let differs = mask_of(|i| a[i] != a[l]);
                    self.put_pred(u.pd, m, old | differs, Bool::Or.undefined(old, old_undef, differs, undef));
                }
            }
            Kind::Elect => {
                let leader = m.trailing_zeros();
                self.put_pred(u.pd, m, 1 << leader, 0);
                self.put_ureg(u.d, leader, 0);
            }
            Kind::Umov => {
                let (v, t) = (self.fetch(&u.s[1])[0], self.src_undef(&u.s[1], 0));
                self.put_ureg(u.d, v, t);
            }
            Kind::Uiadd64 => {
                let v = [0, 1, 2].map(|i| self.fetch64(&u.s[i], 0));
                let t = crate::undefined::sum(v, [0, 1, 2].map(|i| self.src64_undef(&u.s[i], 0)), 0);
                let sum = v.iter().fold(0u64, |sum, &x| sum.wrapping_add(x));
                for (n, shift) in (0..).zip([0, 32]) {
                    self.put_ureg(u.d + n, (sum >> shift) as u32, (t >> shift) as u32);
                }
            }
            Kind::Up2ur { byte, mask } => {
                let field = u32::from(mask) << (8 * byte);
                let bits = u32::from(self.upreds & 0x7f) << (8 * byte);
                let t = u32::from(self.upred_undef & 0x7f) << (8 * byte);
                let (a, ta) = (self.fetch(&u.s[0])[0], self.src_undef(&u.s[0], 0));
                self.put_ureg(u.d, a & !field | bits & field, ta & !field | t & field);
            }
            Kind::Ur2up { byte, mask } => {
                let (a, t) = (self.fetch(&u.s[0])[0], self.src_undef(&u.s[0], 0));
                for i in (0..7u8).filter(|i| mask >> i & 1 != 0) {
                    let bit = 8 * byte + i;
                    self.put_upred(i, a >> bit & 1 != 0, t >> bit & 1 != 0);
                }
            }
            Kind::B2rResult => {
                let v = self.bar_result;
                self.put(u.d, m, &v);
                self.put_pred(u.pd, m, mask_of(|l| v[l] != 0), 0);
            }
            Kind::MovLanes(of) => self.move_lanes(u, m, of),
            Kind::Fswzadd(mode, signs) => self.add_in_quads(u, m, mode, signs),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn special(&self, sr: u8, blk: &Block, g: &Global<'_>) -> Lanes {
        let tid = |axis: usize| -> Lanes { each(|l| g.block.unflatten(u64::from(self.index * 32) + l as u64)[axis]) };
        match sr {
            0x00 => each(|l| l as u32),
            // `%nwarpid` is in bits 8 to 15 (ptxas 13.0.88 output for sm_90); the rest is unknown.
            0x02 => [g.warps_per_sm << 8; 32],
            0x03 => [self.index << 8; 32],
            0x21..=0x23 => tid(usize::from(sr - 0x21)),
            0x25..=0x27 => [blk.ctaid[usize::from(sr - 0x25)]; 32],
            0x29 => [g.block.x; 32],
            0x2a => [g.block.y; 32],
            0x2b => [g.block.z; 32],
            0x2d => [g.grid.x; 32],
            0x2e => [g.grid.y; 32],
            0x2f => [SHARED_WINDOW_HI; 32],
            0x32 => [g.smem_size; 32],
            // The lowest address of local memory: code of `ptxas -O0` compares the stack pointer
            // with it.
            0x37 => [blk.local_low; 32],
            0x38 => each(|l| 1 << l),
            0x88 => [blk.rank as u32; 32],
            0x39 => each(|l| (1 << l) - 1),
            0x3a => each(|l| ((2u64 << l) - 1) as u32),
            0x3b => each(|l| !((2u64 << l) - 1) as u32),
            0x3c => each(|l| !((1 << l) - 1)),
            0x50 | 0x52 => [self.cycle as u32; 32],
            0x51 | 0x53 => [(self.cycle >> 32) as u32; 32],
            _ => [0; 32],
        }
    }

    fn vote(&self, u: &Uop, m: u32, mode: VoteMode) -> (u32, bool, u32) {
        let (p, undef) = (self.pred(u.p[0]) & m, self.pred_undef(u.p[0]) & m);
        let truth = match mode {
            VoteMode::All => p == m,
            VoteMode::Any => p != 0,
            VoteMode::Eq => p == m || p == 0,
        };
        (p, truth, undef)
    }

    fn shfl(&mut self, u: &Uop, m: u32, mode: ShflMode) -> Exec {
        let (a, b, c) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.fetch(&u.s[2]));
        let control = (self.src_undef_lanes(&u.s[1]) | self.src_undef_lanes(&u.s[2])) & m;
        if control != 0 {
            let kind = FailureKind::UndefinedOperand("the lane or mask of a shuffle");
            return Err(LaneFailure::new(control.trailing_zeros() as usize, kind));
        }
        let from: [(usize, bool); 32] = each(|l| {
            let (lane, seg, clamp, n) = (l as u32, c[l] >> 8 & 31, c[l] & 31, b[l] & 31);
            let max = lane & seg | clamp & !seg;
            let (j, inside) = match mode {
                ShflMode::Up => (lane.wrapping_sub(n), lane as i32 - n as i32 >= max as i32),
                ShflMode::Down => (lane + n, lane + n <= max),
                ShflMode::Bfly => (lane ^ n, lane ^ n <= max),
                ShflMode::Idx => {
                    let j = lane & seg | n & !seg;
                    (j, j <= max)
                }
            };
            (if inside { j as usize & 31 } else { l }, inside)
        });
        let v: Lanes = each(|l| a[from[l].0]);
        // A source lane that does not take part gives an undefined value.
        let t: Lanes = each(|l| {
            let j = from[l].0;
            if m >> j & 1 == 0 { !0 } else { self.src_undef(&u.s[0], j) }
        });
        self.put(u.d, m, &v);
        for l in lanes(m) {
            self.taint(u.d, l, t[l]);
        }
        self.put_pred(u.pd, m, mask_of(|l| from[l].1), 0);
        Ok(())
    }

    fn matches(&mut self, u: &Uop, m: u32, all: bool, wide: bool) {
        let undef = if wide { self.src64_undef_lanes(&u.s[0]) } else { self.src_undef_lanes(&u.s[0]) } & m;
        let narrow = self.fetch(&u.s[0]);
        let v: [u64; 32] = each(|l| if wide { self.fetch64(&u.s[0], l) } else { narrow[l].into() });
        let same = |l: usize| lanes(m).fold(0, |r, j| r | u32::from(v[j] == v[l]) << j);
        if all {
            let equal = same(m.trailing_zeros() as usize & 31) == m;
            self.put(u.d, m, &[if equal { m } else { 0 }; 32]);
            self.put_pred(u.pd, m, if equal { !0 } else { 0 }, if undef != 0 { !0 } else { 0 });
        } else {
            let r: Lanes = each(|l| if m >> l & 1 != 0 { same(l) } else { 0 });
            self.put(u.d, m, &r);
        }
        if undef != 0 {
            self.taint_lanes(u.d, m);
        }
    }
}
