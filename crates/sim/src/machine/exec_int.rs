//! Integer, logic and move instructions, for the vector and the uniform datapath.
//!
//! A uniform instruction is the same operation on sources that are equal in all lanes; its result
//! is that of lane 0. Facts: nvdisasm's operand order, PTX ISA 9.0 for the operations, Mesa NAK's
//! `Foldable` rules for carries and shifts, ptxas 13.0.88 output for the mapping of PTX
//! instructions.

use super::uop::{Bool, IntKind, Kind, Uop};
use super::warp::{Lanes, Warp, each, mask_of, spread};
use crate::undefined;

/// Undefined bits of a result from the values and undefined bits of its three sources.
type Taint = fn(&[u32; 3], &[u32; 3]) -> u32;

/// Any undefined bit makes all of the result undefined.
pub fn all(_: &[u32; 3], u: &[u32; 3]) -> u32 {
    if u[0] | u[1] | u[2] != 0 { !0 } else { 0 }
}

/// For sums without an added one.
fn sum(v: &[u32; 3], u: &[u32; 3]) -> u32 {
    undefined::sum32(v, u, 0)
}

fn lop3(lut: u8, a: u32, b: u32, c: u32) -> u32 {
    let mut r = 0;
    for i in 0..8 {
        if lut >> i & 1 != 0 {
            let pick = |v: u32, bit: u32| if i >> bit & 1 != 0 { v } else { !v };
            r |= pick(a, 2) & pick(b, 1) & pick(c, 0);
        }
    }
    r
}

/// Bits of a truth table's result that depend on undefined bits.
fn lop3_undef(lut: u8, v: &[u32; 3], u: &[u32; 3]) -> u32 {
    let r = lop3(lut, v[0], v[1], v[2]);
    (1..8).fold(0, |acc, s: u32| {
        let flip = |i: usize| if s >> i & 1 != 0 { v[i] ^ u[i] } else { v[i] };
        acc | r ^ lop3(lut, flip(0), flip(1), flip(2))
    })
}

/// Byte-wise `PRMT`: four bits of `b` select each byte, the upper one of them its sign.
#[inline(always)]
fn prmt_index(a: u32, b: u32, c: u32) -> u32 {
    let bytes = u64::from(c) << 32 | u64::from(a);
    (0..4).fold(0, |r, i| {
        let s = b >> (4 * i);
        let v = (bytes >> (8 * (s & 7))) as u32;
        let sign = ((v << 24) as i32 >> 31) as u32;
        r | (if s & 8 != 0 { sign } else { v } & 0xff) << (8 * i)
    })
}

/// `PRMT` (PTX ISA 9.0, `prmt`): the eight bytes are those of `a`, then of `c`.
fn prmt(mode: u8, a: u32, b: u32, c: u32) -> u32 {
    if !(1..=6).contains(&mode) {
        return prmt_index(a, b, c);
    }
    let bytes = u64::from(c) << 32 | u64::from(a);
    let byte = |i: u32| (bytes >> (8 * (i & 7))) as u32 & 0xff;
    let n = b & 3;
    let pick = |i: u32| match mode {
        1 => byte(n + i),
        2 => byte(n.wrapping_sub(i)),
        3 => byte(n),
        4 => byte(i.max(n)),
        5 => byte(i.min(n)),
        _ => byte((n & 1) * 2 + (i & 1)),
    };
    (0..4).fold(0, |r, i| r | pick(i) << (8 * i))
}

/// Funnel shift of `high:low`.
fn shf(k: &Kind, low: u32, shift: u32, high: u32) -> u32 {
    let Kind::Shf { right, wrap, signed, wide, hi } = *k else { return 0 };
    let bits = if wide { 64 } else { 32 };
    let n = if wrap { shift & (bits - 1) } else { shift.min(bits) };
    let x = u64::from(high) << 32 | u64::from(low);
    let r = match (right, signed) {
        (true, true) => ((x as i64) >> n.min(63)) as u64,
        (true, false) => x.checked_shr(n).unwrap_or(0),
        (false, _) => x.checked_shl(n).unwrap_or(0),
    };
    if hi { (r >> 32) as u32 } else { r as u32 }
}

fn min_max(kind: IntKind, relu: bool, a: u32, b: u32, min: bool) -> u32 {
    let pair = |f: &dyn Fn(u32, u32) -> u32| f(a & 0xffff, b & 0xffff) & 0xffff | f(a >> 16, b >> 16) << 16;
    let pick16 = |x: u32, y: u32| {
        let m = if ((x as i16) < (y as i16)) == min { x } else { y };
        if relu && (m as i16) < 0 { 0 } else { m }
    };
    match kind {
        IntKind::U32 => {
            if min {
                a.min(b)
            } else {
                a.max(b)
            }
        }
        IntKind::S32 => {
            let m = if min { (a as i32).min(b as i32) } else { (a as i32).max(b as i32) };
            if relu { m.max(0) as u32 } else { m as u32 }
        }
        IntKind::U16x2 => pair(&|x, y| if min { x.min(y) } else { x.max(y) }),
        IntKind::S16x2 => pair(&pick16),
    }
}

fn add16x2(a: u32, b: u32) -> u32 {
    (a.wrapping_add(b) & 0xffff) | ((a >> 16).wrapping_add(b >> 16) << 16)
}

/// Saturates a 32-bit value to a narrower type.
fn saturate(v: u32, bits: u8, dst_signed: bool, src_signed: bool) -> u32 {
    let x = if src_signed { i64::from(v as i32) } else { i64::from(v) };
    let (lo, hi) = if dst_signed { (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1) } else { (0, (1i64 << bits) - 1) };
    x.clamp(lo, hi) as u32
}

#[inline(always)]
fn byte_of(v: u32, i: u32, signed: bool) -> i32 {
    let b = v >> (8 * i);
    if signed { i32::from(b as i8) } else { i32::from(b as u8) }
}

/// `BMSK`: `width` ones from bit `pos` on.
#[inline(always)]
fn bmsk(pos: u32, width: u32, wrap: bool) -> u32 {
    let (pos, width) = if wrap { (pos & 31, width & 31) } else { (pos, width) };
    let ones = if width >= 32 { !0 } else { (1u32 << width) - 1 };
    ones.checked_shl(pos).unwrap_or(0)
}

/// `FLO`: the highest set bit, or the highest that differs from the sign; with `sh` its distance
/// from the top. All ones if there is none.
#[inline(always)]
fn flo(v: u32, signed: bool, sh: bool) -> u32 {
    let x = if signed && (v as i32) < 0 { !v } else { v };
    match (x, sh) {
        (0, _) => !0,
        (_, false) => 31 - x.leading_zeros(),
        (_, true) => x.leading_zeros(),
    }
}

/// The sum of the products of four bytes.
#[inline(always)]
fn dot4(a: u32, b: u32, a_signed: bool, b_signed: bool) -> u32 {
    (0..4).fold(0i32, |sum, i| sum.wrapping_add(byte_of(a, i, a_signed).wrapping_mul(byte_of(b, i, b_signed)))) as u32
}

/// The sum of the products of two halves and the lower two bytes.
#[inline(always)]
fn dot2(a: u32, b: u32, a_signed: bool, b_signed: bool) -> u32 {
    let product = |i: u32| {
        let half = a >> (16 * i) & 0xffff;
        let x = if a_signed { i32::from(half as i16) } else { half as i32 };
        x.wrapping_mul(byte_of(b, i, b_signed))
    };
    product(0).wrapping_add(product(1)) as u32
}

/// The absolute differences of bytes.
#[inline(always)]
fn bytes_apart(a: u32, b: u32, signed: bool) -> [u32; 4] {
    [0, 1, 2, 3].map(|i| byte_of(a, i, signed).abs_diff(byte_of(b, i, signed)))
}

/// The low bytes of four numbers.
#[inline(always)]
fn packed_bytes(v: [u32; 4]) -> u32 {
    (0..).zip(v).fold(0, |r, (i, v)| r | (v & 0xff) << (8 * i))
}

impl Warp {
    /// Writes a 32-bit result of the vector or uniform datapath; `undef` has the undefined bits of
    /// each lane, if there are any.
    #[inline(always)]
    pub fn result(&mut self, u: &Uop, m: u32, v: &Lanes, undef: Option<&Lanes>) {
        if u.uniform {
            self.put_ureg(u.d, v[0], undef.map_or(0, |t| t[0]));
            return;
        }
        self.put(u.d, m, v);
        if let Some(t) = undef {
            for (l, &bits) in t.iter().enumerate() {
                if m >> l & 1 != 0 {
                    self.taint(u.d, l, bits);
                }
            }
        }
    }

    /// Writes a predicate result of the vector or uniform datapath.
    #[inline(always)]
    pub fn result_pred(&mut self, u: &Uop, d: u8, m: u32, v: u32, undef: u32) {
        if u.uniform {
            self.put_upred(d, v & 1 != 0, undef & 1 != 0);
        } else {
            self.put_pred(d, m, v, undef);
        }
    }

    #[inline(always)]
    fn undef3(&self, u: &Uop, lanes: u32, values: [&Lanes; 3], rule: impl Fn(&[u32; 3], &[u32; 3]) -> u32) -> Lanes {
        each(|l| {
            if lanes >> l & 1 == 0 {
                return 0;
            }
            let t = [0, 1, 2].map(|i| self.src_undef(&u.s[i], l));
            rule(&values.map(|v| v[l]), &t)
        })
    }

    /// Runs a lane-wise operation of three sources.
    #[inline(always)]
    pub fn tri(&mut self, u: &Uop, m: u32, rule: Taint, f: impl Fn(u32, u32, u32) -> u32) {
        self.tri_with(u, m, rule, f);
    }

    #[inline(always)]
    pub fn tri_with(
        &mut self,
        u: &Uop,
        m: u32,
        rule: impl Fn(&[u32; 3], &[u32; 3]) -> u32,
        f: impl Fn(u32, u32, u32) -> u32,
    ) {
        let mut room = [[0; 32]; 3];
        let [x, y, z] = &mut room;
        let (a, b, c) = (self.view(&u.s[0], x), self.view(&u.s[1], y), self.view(&u.s[2], z));
        let v = each(|l| f(a[l], b[l], c[l]));
        let bad = (self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]) | self.src_undef_lanes(&u.s[2])) & m;
        if bad == 0 {
            self.result(u, m, &v, None);
        } else {
            let t = self.undef3(u, bad, [a, b, c], rule);
            self.result(u, m, &v, Some(&t));
        }
    }

    /// Writes a 64-bit result with its undefined bits.
    fn result64_with(&mut self, u: &Uop, m: u32, v: &[u64; 32], undef: Option<&[u64; 32]>) {
        self.result64(u, m, v, 0);
        let Some(undef) = undef else { return };
        if u.uniform {
            if u.d != 63 {
                self.put_ureg(u.d, v[0] as u32, undef[0] as u32);
                self.put_ureg(u.d | 1, (v[0] >> 32) as u32, (undef[0] >> 32) as u32);
            }
            return;
        }
        if u.d != 255 {
            for l in super::exec_mem::lanes(m) {
                self.taint(u.d, l, undef[l] as u32);
                self.taint(u.d | 1, l, (undef[l] >> 32) as u32);
            }
        }
    }

    /// Writes a 64-bit result; it is fully undefined in lanes with an undefined source.
    #[inline(always)]
    pub fn result64(&mut self, u: &Uop, m: u32, v: &[u64; 32], undef_lanes: u32) {
        if u.uniform {
            let t = if undef_lanes & 1 != 0 { !0 } else { 0 };
            self.put_ureg(u.d, v[0] as u32, t);
            if u.d != 63 {
                self.put_ureg(u.d | 1, (v[0] >> 32) as u32, t);
            }
            return;
        }
        if u.d == 255 {
            return;
        }
        self.put(u.d, m, &each(|l| v[l] as u32));
        self.put(u.d | 1, m, &each(|l| (v[l] >> 32) as u32));
        if undef_lanes & m != 0 {
            self.taint_lanes(u.d, undef_lanes & m);
            self.taint_lanes(u.d | 1, undef_lanes & m);
        }
    }

    /// Runs an integer instruction in the lanes of `m`. Returns false for other instructions.
    #[inline(always)]
    pub fn exec_int(&mut self, u: &Uop, m: u32) -> bool {
        match u.kind {
            Kind::Iadd3 { x, ones } => self.iadd3(u, m, x, ones),
            Kind::Imad { x: false } => self.tri(u, m, undefined::mad32, |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
            Kind::Imad { x: true } => self.imad_x(u, m),
            Kind::ImadWide { signed, x } => self.imad_wide(u, m, signed, x, false),
            Kind::ImadHi { signed, x } => self.imad_wide(u, m, signed, x, true),
            Kind::Lea { .. } => self.lea(u, m),
            Kind::Lop3 { lut, pand } => self.lop3(u, m, lut, pand),
            Kind::Shf { .. } => self.shf(u, m),
            Kind::Isetp { .. } => self.isetp(u, m),
            Kind::Sel => self.sel(u, m),
            Kind::Mov => self.tri(u, m, |_, t| t[1], |_, b, _| b),
            Kind::Prmt { mode: 0 } => {
                let undef =
                    |v: &[u32; 3], t: &[u32; 3]| if t[1] == 0 { prmt_index(t[0], v[1], t[2]) } else { all(v, t) };
                self.tri_with(u, m, undef, prmt_index);
            }
            Kind::Prmt { mode } => self.tri_with(u, m, all, |a, b, c| prmt(mode, a, b, c)),
            Kind::Viadd { packed: false, .. } => self.tri(u, m, sum, |a, b, _| a.wrapping_add(b)),
            Kind::Viadd { packed: true, neg } => {
                // Negation by halves: a complement, plus one in each of them.
                let one = if neg { 0x1_0001 } else { 0 };
                self.tri(u, m, all, |a, b, _| add16x2(add16x2(a, b), one));
            }
            Kind::Iabs => self.tri(u, m, all, |_, b, _| (b as i32).wrapping_abs() as u32),
            Kind::MinMax { kind, relu } => self.min_max(u, m, kind, relu),
            Kind::MinMax3 { kind, relu } => self.min_max3(u, m, kind, relu),
            Kind::AddMinMax { kind, relu } => self.add_min_max(u, m, kind, relu),
            Kind::Sgxt { signed, wrap } => self.sgxt(u, m, signed, wrap),
            Kind::Bmsk { wrap } => self.tri(u, m, all, |pos, width, _| bmsk(pos, width, wrap)),
            Kind::Popc => self.tri(u, m, all, |_, b, _| b.count_ones()),
            Kind::Flo { signed, sh } => self.tri_with(u, m, all, |_, b, _| flo(b, signed, sh)),
            Kind::Brev => self.tri(u, m, |_, t| t[1].reverse_bits(), |_, b, _| b.reverse_bits()),
            Kind::Idp { four: true, a_signed, b_signed, .. } => {
                self.tri_with(u, m, all, |a, b, c| c.wrapping_add(dot4(a, b, a_signed, b_signed)));
            }
            Kind::Idp { four: false, hi, a_signed, b_signed } => {
                let low = if hi { 16 } else { 0 };
                self.tri_with(u, m, all, |a, b, c| c.wrapping_add(dot2(a, b >> low, a_signed, b_signed)));
            }
            Kind::Vabsdiff { signed } => self.tri_with(u, m, all, |a, b, c| {
                let d = if signed { (a as i32).abs_diff(b as i32) } else { a.abs_diff(b) };
                d.wrapping_add(c)
            }),
            Kind::Vabsdiff4 { signed, acc } => self.tri_with(u, m, all, |a, b, c| {
                let d = bytes_apart(a, b, signed);
                if acc { d.iter().fold(c, |sum, d| sum.wrapping_add(*d)) } else { packed_bytes(d) }
            }),
            Kind::Plop3 { lut, lut2, sign } => self.plop3(u, m, lut, lut2, sign),
            Kind::P2r { byte, mask } => self.p2r(u, m, byte, mask),
            Kind::R2p { byte, mask } => self.r2p(u, m, byte, mask),
            Kind::I2i { bits, dst_signed, src_signed } => {
                self.tri_with(u, m, all, |_, b, _| saturate(b, bits, dst_signed, src_signed));
            }
            Kind::I2ip { bits, dst_signed, src_signed } => self.tri_with(u, m, all, |a, b, c| {
                let s = |v| saturate(v, bits, dst_signed, src_signed) & ((1u32 << bits) - 1);
                let rest = if bits == 16 { 0 } else { c << (2 * bits) };
                rest | s(a) << bits | s(b)
            }),
            _ => return false,
        }
        true
    }

    /// Writes a result that is undefined in lanes where a source or a predicate (`bad`) is.
    fn with_all(&mut self, u: &Uop, m: u32, v: &Lanes, bad: u32) {
        let lanes = (0..3).fold(bad, |acc, i| acc | self.src_undef_lanes(&u.s[i])) & m;
        let t = (lanes != 0).then(|| spread(lanes));
        self.result(u, m, v, t.as_ref());
    }

    fn imad_x(&mut self, u: &Uop, m: u32) {
        let (carry, bad) = (self.pred(u.p[0]), self.pred_undef(u.p[0]) & m);
        let (a, b, c) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.fetch(&u.s[2]));
        let v = each(|l| a[l].wrapping_mul(b[l]).wrapping_add(c[l]).wrapping_add(carry >> l & 1));
        self.with_all(u, m, &v, bad);
    }

    #[inline]
    fn min_max(&mut self, u: &Uop, m: u32, kind: IntKind, relu: bool) {
        let (a, b) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]));
        let (min, bad) = (self.pred(u.p[0]), self.pred_undef(u.p[0]));
        let v = each(|l| min_max(kind, relu, a[l], b[l], min >> l & 1 != 0));
        if u.pd != 7 || u.pe != 7 {
            // Whether the first operand is the result, in the lower and in the upper half (ptxas
            // 13.0.88 uses it for `__vibmax_s16x2` of the CUDA headers). If both name one
            // predicate, it gets that of the lower half, according to public reports of a wrong
            // branch on silicon (FuzzX, m058).
            let lanes = bad | self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]);
            let first = |mask: u32| mask_of(|l| (v[l] ^ a[l]) & mask == 0);
            let (low, high) = match kind {
                IntKind::S16x2 | IntKind::U16x2 => (first(0xffff), first(0xffff_0000)),
                IntKind::S32 | IntKind::U32 => (first(!0), first(!0)),
            };
            self.result_pred(u, u.pe, m, high, lanes & m);
            self.result_pred(u, u.pd, m, low, lanes & m);
        }
        self.with_all(u, m, &v, bad);
    }

    fn min_max3(&mut self, u: &Uop, m: u32, kind: IntKind, relu: bool) {
        let (a, b, c) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.fetch(&u.s[2]));
        let (min, bad) = (self.pred(u.p[0]), self.pred_undef(u.p[0]));
        let of_three = |l: usize| {
            let min = min >> l & 1 != 0;
            min_max(kind, relu, min_max(kind, false, a[l], b[l], min), c[l], min)
        };
        self.with_all(u, m, &each(of_three), bad);
    }

    fn add_min_max(&mut self, u: &Uop, m: u32, kind: IntKind, relu: bool) {
        let (a, b, c) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.fetch(&u.s[2]));
        let (min, bad) = (self.pred(u.p[0]), self.pred_undef(u.p[0]));
        let packed = matches!(kind, IntKind::S16x2 | IntKind::U16x2);
        let add = |a: u32, b: u32| if packed { add16x2(a, b) } else { a.wrapping_add(b) };
        let v = each(|l| min_max(kind, relu, add(a[l], b[l]), c[l], min >> l & 1 != 0));
        self.with_all(u, m, &v, bad);
    }

    fn iadd3(&mut self, u: &Uop, m: u32, x: bool, ones: u8) {
        if !x && u.pd == 7 && u.pe == 7 {
            let k = u32::from(ones);
            let undef = |v: &[u32; 3], t: &[u32; 3]| undefined::sum32(v, t, ones);
            self.tri_with(u, m, undef, |a, b, c| a.wrapping_add(b).wrapping_add(c).wrapping_add(k));
            return;
        }
        let (a, b, c) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.fetch(&u.s[2]));
        let (mut p, mut q, mut bad) = (0, 0, 0);
        if x {
            (p, q) = (self.pred(u.p[0]), self.pred(u.p[1]));
            bad = self.pred_undef(u.p[0]) | self.pred_undef(u.p[1]);
        }
        let sums: [u64; 32] = each(|l| {
            let carry_in = u64::from(p >> l & 1) + u64::from(q >> l & 1) + u64::from(ones);
            u64::from(a[l]) + u64::from(b[l]) + u64::from(c[l]) + carry_in
        });
        let dirty = (0..3).fold(bad, |acc, i| acc | self.src_undef_lanes(&u.s[i])) & m;
        let mut lanes = 0;
        if dirty == 0 {
            self.result(u, m, &each(|l| sums[l] as u32), None);
        } else {
            let t = self.undef3(u, dirty, [&a, &b, &c], |v, t| undefined::sum32(v, t, u8::from(x) | ones));
            let t = each(|l| if bad >> l & 1 != 0 { !0 } else { t[l] });
            lanes = mask_of(|l| t[l] >> 31 != 0);
            self.result(u, m, &each(|l| sums[l] as u32), Some(&t));
        }
        if u.pd != 7 {
            self.result_pred(u, u.pd, m, mask_of(|l| sums[l] >> 32 >= 1), lanes);
        }
        if u.pe != 7 {
            self.result_pred(u, u.pe, m, mask_of(|l| sums[l] >> 32 >= 2), lanes);
        }
    }

    fn imad_wide(&mut self, u: &Uop, m: u32, signed: bool, x: bool, hi: bool) {
        let (a, b) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]));
        let (mut p, mut bad) = (0, self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]));
        if x {
            p = self.pred(u.p[0]);
            bad |= self.pred_undef(u.p[0]);
        }
        let carries = if x { self.pred_undef(u.p[0]) } else { 0 };
        bad |= self.src64_undef_lanes(&u.s[2]);
        let c = self.fetch64_all(&u.s[2]);
        let product: [u64; 32] = if signed {
            each(|l| i64::from(a[l] as i32).wrapping_mul(i64::from(b[l] as i32)) as u64)
        } else {
            each(|l| u64::from(a[l]) * u64::from(b[l]))
        };
        let v: [u64; 32] = each(|l| product[l].wrapping_add(c[l]).wrapping_add(u64::from(p >> l & 1)));
        bad &= m;
        let extend = |v: u32| if signed { i64::from(v as i32) as u64 } else { u64::from(v) };
        let undef: [u64; 32] = each(|l| {
            if bad >> l & 1 == 0 {
                return 0;
            }
            if carries >> l & 1 != 0 || p >> l & 1 != 0 {
                return !0;
            }
            let factor = |v: &Lanes, s| (extend(v[l]), extend(self.src_undef(s, l)));
            let addend = (c[l], self.src64_undef(&u.s[2], l));
            undefined::mad((factor(&a, &u.s[0]), factor(&b, &u.s[1])), addend)
        });
        if hi {
            let t = (bad != 0).then(|| each(|l| (undef[l] >> 32) as u32));
            self.result(u, m, &each(|l| (v[l] >> 32) as u32), t.as_ref());
        } else {
            self.result64_with(u, m, &v, (bad != 0).then_some(&undef));
        }
        bad = mask_of(|l| undef[l] >> 63 != 0);
        if u.pd != 7 {
            let carry = mask_of(|l| (u128::from(product[l]) + u128::from(c[l]) + u128::from(p >> l & 1)) >> 64 != 0);
            self.result_pred(u, u.pd, m, carry, bad);
        }
    }

    fn lea(&mut self, u: &Uop, m: u32) {
        let Kind::Lea { hi, x, sx32, shift, neg, one } = u.kind else { return };
        if u.pd == 7 && !(hi || x || neg || one) {
            let n = shift & 31;
            let undef = |v: &[u32; 3], t: &[u32; 3]| undefined::sum32(&[v[0] << n, v[1], 0], &[t[0] << n, t[1], 0], 0);
            self.tri_with(u, m, undef, |a, b, _| (a << n).wrapping_add(b));
            return;
        }
        let (a, b, c) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.fetch(&u.s[2]));
        let (mut p, mut bad) = (0, 0);
        if x {
            p = self.pred(u.p[0]);
            bad = self.pred_undef(u.p[0]);
        }
        let sums: [u64; 32] = each(|l| {
            let top = if sx32 { ((a[l] as i32) >> 31) as u32 } else { c[l] };
            let shifted =
                if hi { ((u64::from(top) << 32 | u64::from(a[l])) << shift >> 32) as u32 } else { a[l] << shift };
            let (shifted, ones) = match (neg, x) {
                (false, _) => (shifted, 0),
                (true, false) => (!shifted, 1),
                (true, true) => (!shifted, 0),
            };
            u64::from(shifted) + u64::from(b[l]) + u64::from(p >> l & 1) + ones + u64::from(one)
        });
        let dirty = (0..3).fold(bad, |acc, i| acc | self.src_undef_lanes(&u.s[i])) & m;
        let t: Lanes = each(|l| {
            if dirty & !bad & 1 << l == 0 {
                return if bad >> l & 1 != 0 { !0 } else { 0 };
            }
            let [ta, tb, tc] = [0, 1, 2].map(|i| self.src_undef(&u.s[i], l));
            let top = if sx32 { ((ta as i32) >> 31) as u32 } else { tc };
            let moved = if hi { ((u64::from(top) << 32 | u64::from(ta)) << shift >> 32) as u32 } else { ta << shift };
            undefined::sum32(
                &[(sums[l] as u32).wrapping_sub(b[l]) & !moved, b[l], 0],
                &[moved, tb, 0],
                u8::from(neg || x) + u8::from(one),
            )
        });
        self.result(u, m, &each(|l| sums[l] as u32), (dirty != 0).then_some(&t));
        let lanes = mask_of(|l| t[l] >> 31 != 0);
        if u.pd != 7 {
            self.result_pred(u, u.pd, m, mask_of(|l| sums[l] >> 32 != 0), lanes);
        }
    }

    fn lop3(&mut self, u: &Uop, m: u32, lut: u8, pand: bool) {
        let mut room = [[0; 32]; 3];
        let [x, y, z] = &mut room;
        let (a, b, c) = (self.view(&u.s[0], x), self.view(&u.s[1], y), self.view(&u.s[2], z));
        let v: Lanes = match lut {
            0xc0 => each(|l| a[l] & b[l]),
            0xfc => each(|l| a[l] | b[l]),
            0x3c => each(|l| a[l] ^ b[l]),
            _ => {
                let row = |i: u32| if lut >> i & 1 != 0 { !0u32 } else { 0 };
                let t = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
                each(|l| {
                    let (a, b, c) = (a[l], b[l], c[l]);
                    let by_c = |i: usize| t[i] & !c | t[i + 1] & c;
                    let by_b = |i: usize| by_c(i) & !b | by_c(i + 2) & b;
                    by_b(0) & !a | by_b(4) & a
                })
            }
        };
        let bad = (0..3).fold(0, |acc, i| acc | self.src_undef_lanes(&u.s[i])) & m;
        let t = (bad != 0).then(|| self.undef3(u, bad, [a, b, c], |v, t| lop3_undef(lut, v, t)));
        if u.pd != 7 {
            let undef = t.map_or(0, |t| mask_of(|l| t[l] != 0)) | self.pred_undef(u.p[0]) & m;
            let (nonzero, p) = (mask_of(|l| v[l] != 0), self.pred(u.p[0]));
            self.result_pred(u, u.pd, m, if pand { nonzero & p } else { nonzero | p }, undef);
        }
        self.result(u, m, &v, t.as_ref());
    }

    fn shf(&mut self, u: &Uop, m: u32) {
        let k = u.kind;
        self.tri_with(
            u,
            m,
            |v, t| if t[1] != 0 { all(v, t) } else { shf(&k, t[0], v[1], t[2]) },
            |a, b, c| shf(&k, a, b, c),
        );
    }

    fn isetp(&mut self, u: &Uop, m: u32) {
        let Kind::Isetp { cmp, signed, boolean, ex } = u.kind else { return };
        let mut room = [[0; 32]; 2];
        let [x, y] = &mut room;
        let (a, b) = (self.view(&u.s[0], x), self.view(&u.s[1], y));
        let low = if ex { self.pred(u.p[1]) } else { 0 };
        let less = if signed { mask_of(|l| (a[l] as i32) < (b[l] as i32)) } else { mask_of(|l| a[l] < b[l]) };
        let equal = mask_of(|l| a[l] == b[l]);
        let (lt, eq, gt) = (cmp.lt, cmp.eq, cmp.gt);
        let chosen = |yes: bool, lanes: u32| if yes { lanes } else { 0 };
        let on_equal = if ex { low } else { chosen(eq, !0) };
        let r = chosen(lt, less) | equal & on_equal | chosen(gt, !(less | equal));
        let p = self.pred(u.p[0]);
        let mut bad = self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]);
        if ex {
            bad |= self.pred_undef(u.p[1]);
        }
        self.setp(u, m, boolean, (r, !r, bad), p);
    }

    /// Combines comparison results with the predicate operand and writes both results.
    #[inline(always)]
    pub fn setp(&mut self, u: &Uop, m: u32, boolean: Bool, (first, second, bad): (u32, u32, u32), p: u32) {
        let bad_p = self.pred_undef(u.p[0]);
        self.result_pred(u, u.pd, m, boolean.apply(first, p), boolean.undefined(first, bad, p, bad_p) & m);
        self.result_pred(u, u.pe, m, boolean.apply(second, p), boolean.undefined(second, bad, p, bad_p) & m);
    }

    fn sel(&mut self, u: &Uop, m: u32) {
        let (a, b) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]));
        let p = self.pred(u.p[0]);
        let k = spread(p);
        let v: Lanes = each(|l| a[l] & k[l] | b[l] & !k[l]);
        let q = self.pred_undef(u.p[0]) & m;
        let bad = (self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1])) & m | q;
        let t = (bad != 0).then(|| {
            each(|l| {
                let (ta, tb) = (self.src_undef(&u.s[0], l), self.src_undef(&u.s[1], l));
                let chosen = if p >> l & 1 != 0 { ta } else { tb };
                if q >> l & 1 != 0 { ta | tb | a[l] ^ b[l] } else { chosen }
            })
        });
        self.result(u, m, &v, t.as_ref());
    }

    fn sgxt(&mut self, u: &Uop, m: u32, signed: bool, wrap: bool) {
        let f = move |a: u32, n: u32| {
            let n = if wrap { n & 31 } else { n.min(32) };
            match n {
                0 => 0,
                32 => a,
                _ if signed => ((a << (32 - n)) as i32 >> (32 - n)) as u32,
                _ => a & ((1 << n) - 1),
            }
        };
        self.tri_with(u, m, |v, t| if t[1] != 0 { !0 } else { f(t[0], v[1]) }, |a, b, _| f(a, b));
    }

    fn plop3(&mut self, u: &Uop, m: u32, lut: u8, lut2: u8, sign: bool) {
        let input = |w: &Warp, i: usize| {
            if !sign {
                return (w.pred(u.p[i]), w.pred_undef(u.p[i]));
            }
            let v = w.fetch(&u.s[i]);
            (mask_of(|l| v[l] >> 31 != 0), w.src_undef_lanes(&u.s[i]))
        };
        let ((a, ta), (b, tb), (c, tc)) = (input(self, 0), input(self, 1), input(self, 2));
        let run = |lut: u8| {
            let undef = if ta | tb | tc == 0 { 0 } else { lop3_undef(lut, &[a, b, c], &[ta, tb, tc]) };
            (lop3(lut, a, b, c), undef)
        };
        let ((v, t), (v2, t2)) = (run(lut), run(lut2));
        self.result_pred(u, u.pd, m, v, t);
        self.result_pred(u, u.pe, m, v2, t2);
    }

    /// Moves predicates to one byte of a register: the bits of `mask` come from the predicates, all
    /// others from source a.
    fn p2r(&mut self, u: &Uop, m: u32, byte: u8, mask: u8) {
        let a = self.fetch(&u.s[0]);
        let bad = (0..7).filter(|i| mask >> i & 1 != 0).fold(0, |acc, i| acc | self.pred_undef[i]) & m;
        let field = u32::from(mask) << (8 * byte);
        let v: Lanes = each(|l| {
            let bits = (0..7).fold(0u32, |r, i| r | (self.preds[i] >> l & 1) << i);
            a[l] & !field | bits << (8 * byte) & field
        });
        let mut lanes = bad | self.src_undef_lanes(&u.s[0]) & m;
        let t: Lanes = each(|l| {
            let bits = (0..7).fold(0u32, |r, i| r | (self.pred_undef[i] >> l & 1) << i);
            self.src_undef(&u.s[0], l) & !field | bits << (8 * byte) & field
        });
        if t.iter().all(|&b| b == 0) {
            lanes = 0;
        }
        self.result(u, m, &v, (lanes != 0).then_some(&t));
    }

    /// Moves one byte of a register to the predicates of `mask`.
    fn r2p(&mut self, u: &Uop, m: u32, byte: u8, mask: u8) {
        let a = self.fetch(&u.s[0]);
        for i in (0..7).filter(|i| mask >> i & 1 != 0) {
            let bit = 8 * u32::from(byte) + i;
            let v = mask_of(|l| a[l] >> bit & 1 != 0);
            let t = mask_of(|l| self.src_undef(&u.s[0], l) >> bit & 1 != 0);
            self.result_pred(u, i as u8, m, v, t);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_tables() {
        assert_eq!(lop3(0xc0, 0xf0, 0x3c, 0), 0x30);
        assert_eq!(lop3(0x96, 1, 3, 7), 1 ^ 3 ^ 7);
        assert_eq!(lop3_undef(0xc0, &[0xff, 0x0f, 0], &[0xff, 0, 0]), 0x0f, "and with a defined mask");
        assert_eq!(lop3_undef(0x3c, &[5, 5, 0], &[1, 2, 0]), 3);
    }

    #[test]
    fn prmt_modes() {
        assert_eq!(prmt(0, 0x0403_0201, 0x5410, 0x0807_0605), 0x0605_0201);
        assert_eq!(prmt(0, 0x0000_0080, 0x8888, 0), 0xffff_ffff, "sign of byte 0");
        assert_eq!(prmt(1, 0x0403_0201, 1, 0x0807_0605), 0x0504_0302, "f4e");
        assert_eq!(prmt(2, 0x0403_0201, 0, 0x0807_0605), 0x0607_0801, "b4e");
    }

    #[test]
    fn funnel_shifts() {
        let k = |right, signed, wide, hi| Kind::Shf { right, wrap: false, signed, wide, hi };
        assert_eq!(shf(&k(true, false, false, true), 0, 4, 0x80), 8);
        assert_eq!(shf(&k(true, true, false, true), 0, 40, 0x8000_0000), !0, "clamped");
        assert_eq!(shf(&k(false, false, true, true), 0x8000_0000, 33, 0), 0);
        assert_eq!(shf(&k(false, false, true, true), 0x8000_0001, 33, 0), 2);
        assert_eq!(shf(&k(false, false, false, false), 1, 32, 0), 0);
    }

    #[test]
    fn saturation_and_extremes() {
        assert_eq!(saturate(300, 8, false, true), 255);
        assert_eq!(saturate(-300i32 as u32, 8, true, true), -128i32 as u32);
        assert_eq!(min_max(IntKind::S16x2, true, 0xffff_0005, 0x0001_0003, true), 0x0000_0003);
        assert_eq!(add16x2(0x0001_ffff, 0x0001_0001), 0x0002_0000);
    }
}
