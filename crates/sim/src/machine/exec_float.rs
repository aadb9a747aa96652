//! Floating-point instructions, by the shared soft float ([`crate::float`]) and MUFU model
//! ([`crate::mufu`]).
//!
//! Any undefined bit in a source makes the result undefined, by halves for packed types. Facts:
//! nvdisasm's operand order; ptxas 13.0.88 output for the PTX instruction of the same meaning.

use super::exec_int::all;
use super::uop::{HalfKind, HalfKind32, HalfMode, Kind, MufuOp, Src, Uop};
use super::warp::{Lanes, Warp, each, mask_of, spread};
use crate::float::{self, BF16, F16, F32, F64, Format, IntType, MinMax, Mode, Rounding, TF32};
use crate::mufu::{Function, Mufu};

/// Scales by a power of two; exact but for overflow and underflow, which round once more.
fn scale(v: u64, by: i8, mode: Mode) -> u64 {
    let factor = ((127 + i32::from(by)) as u32) << 23;
    float::mul(&F32, v, u64::from(factor), Mode { sat: false, ..mode })
}

/// Whether the inline division sequence may be wrong for these operands, so that the slow path must
/// run: operands or intermediate results that are not normal. The hardware's exact condition is
/// unknown; this one is never too narrow (if it is false, the sequence's quotient, remainder and
/// reciprocal are normal).
fn needs_slow_division(a: u32, b: u32) -> bool {
    let (ea, eb) = ((a >> 23 & 0xff) as i32, (b >> 23 & 0xff) as i32);
    let difference = ea - eb;
    !(1..=252).contains(&eb) || !(26..=254).contains(&ea) || !(-124..=125).contains(&difference)
}

fn function(op: MufuOp) -> Function {
    match op {
        MufuOp::Cos => Function::Cos,
        MufuOp::Sin => Function::Sin,
        MufuOp::Ex2 => Function::Ex2,
        MufuOp::Lg2 => Function::Lg2,
        MufuOp::Rcp | MufuOp::Rcp64h => Function::Rcp,
        MufuOp::Rsq | MufuOp::Rsq64h => Function::Rsq,
        MufuOp::Sqrt => Function::Sqrt,
        MufuOp::Tanh => Function::Tanh,
    }
}

/// An undefined half makes the half of the result undefined.
fn halves(_: &[u32; 3], u: &[u32; 3]) -> u32 {
    let any = u[0] | u[1] | u[2];
    (if any & 0xffff != 0 { 0xffff } else { 0 }) | if any >> 16 != 0 { 0xffff_0000 } else { 0 }
}

/// An undefined bit among the lower ones of the second source makes the result undefined.
fn low_bits(bits: u32) -> impl Fn(&[u32; 3], &[u32; 3]) -> u32 {
    let read = if bits < 32 { (1 << bits) - 1 } else { !0 };
    move |_, u| if u[1] & read != 0 { !0 } else { 0 }
}

/// Applies `f` to both halves.
fn both(f: impl Fn(u32) -> u64) -> u32 {
    (f(0) as u32 & 0xffff) | (f(16) as u32) << 16
}

fn half(v: u32, at: u32) -> u64 {
    u64::from(v >> at & 0xffff)
}

/// Expands its body twice: for rounding to nearest as a compile-time constant, and for the others,
/// so that lanes can be vectorised.
macro_rules! nearest_apart {
    ($mode:expr, |$known:ident| $body:expr) => {
        if $mode.rounding == Rounding::Nearest {
            let $known = Mode { rounding: Rounding::Nearest, ..$mode };
            $body
        } else {
            let $known = $mode;
            $body
        }
    };
}

impl Warp {
    /// Runs a floating-point instruction in the lanes of `m`. Returns false for other instructions.
    #[inline(always)]
    pub fn exec_float(&mut self, u: &Uop, m: u32, mufu: Mufu) -> bool {
        match u.kind {
            Kind::Fadd(mode) => nearest_apart!(mode, |how| {
                self.tri(u, m, all, |a, b, _| float::add(&F32, a.into(), b.into(), how) as u32);
            }),
            Kind::Fmul(mode, 0) => nearest_apart!(mode, |how| {
                self.tri(u, m, all, |a, b, _| float::mul(&F32, a.into(), b.into(), how) as u32);
            }),
            Kind::Fmul(mode, by) => self.tri(u, m, all, |a, b, _| {
                let product = float::mul(&F32, a.into(), b.into(), Mode { sat: false, ..mode });
                let r = scale(product, by, mode);
                (if mode.sat { float::saturate(&F32, r) } else { r }) as u32
            }),
            Kind::Ffma(mode, _) => nearest_apart!(mode, |how| {
                self.tri(u, m, all, |a, b, c| float::fma(&F32, a.into(), b.into(), c.into(), how) as u32);
            }),
            Kind::Fmnmx { ftz, nan, xorsign } => self.fmnmx(u, m, ftz, nan, xorsign),
            Kind::Fsel { ftz } => self.fsel(u, m, ftz),
            Kind::Fsetp { .. } => self.fsetp(u, m),
            Kind::Fset { .. } => self.fset(u, m),
            Kind::Fchk => self.fchk(u, m),
            Kind::Mufu { .. } => self.mufu(u, m, mufu),
            Kind::Dadd(r) => self.double(u, m, r, |a, b, _, mode| float::add(&F64, a, b, mode), &[0, 1]),
            Kind::Dmul(r) => self.double(u, m, r, |a, b, _, mode| float::mul(&F64, a, b, mode), &[0, 1]),
            Kind::Dfma(r) => self.double(u, m, r, |a, b, c, mode| float::fma(&F64, a, b, c, mode), &[0, 1, 2]),
            Kind::Dsetp { .. } => self.dsetp(u, m),
            Kind::Hadd2(h) => self.half2(u, m, h, |f, a, b, _, mode| float::add(f, a, b, mode)),
            Kind::Hmul2(h) => self.half2(u, m, h, |f, a, b, _, mode| float::mul(f, a, b, mode)),
            Kind::Hfma2(h) => self.half2(u, m, h, float::fma),
            Kind::Hmnmx2 { .. } => self.hmnmx2(u, m),
            Kind::Hset2 { .. } => self.hset2(u, m),
            Kind::Hsetp2 { .. } => self.hsetp2(u, m),
            _ => return self.exec_convert(u, m),
        }
        true
    }

    fn exec_convert(&mut self, u: &Uop, m: u32) -> bool {
        match u.kind {
            Kind::F2f { from, to, mode } => match (from.bits(), to.bits()) {
                (64, 32) => self.convert(u, m, true, false, |x| float::to_float(&F64, &F32, x, mode, false)),
                (32, 64) => self.convert(u, m, false, true, |x| float::to_float(&F32, &F64, x, mode, false)),
                (a, b) => self.convert(u, m, a == 64, b == 64, |x| float::to_float(from, to, x, mode, false)),
            },
            Kind::F2fpPack { to, satfinite, .. } => match () {
                () if std::ptr::eq(to, &F16) && !satfinite => self.pack(u, m, &F16, false),
                () if std::ptr::eq(to, &BF16) && !satfinite => self.pack(u, m, &BF16, false),
                () => self.pack(u, m, to, satfinite),
            },
            Kind::F2fpUnpack { from, to, relu } => {
                let w = from.bits();
                let one = |x: u32| {
                    let r = float::to_float(from, to, u64::from(x) & ((1 << w) - 1), Mode::RN, false);
                    (if relu { float::relu(to, r) } else { r }) as u32
                };
                self.tri_with(u, m, low_bits(2 * w), |_, b, _| one(b) | one(b >> w) << 16);
            }
            Kind::F2fpTf32 { rounding, relu, satfinite } => self.tri(u, m, all, |_, b, _| {
                let r = float::to_float(&F32, &TF32, b.into(), Mode { rounding, ..Mode::RN }, satfinite);
                ((if relu { float::relu(&TF32, r) } else { r }) << 13) as u32
            }),
            Kind::F2i { from, bits, signed, rounding, ftz, ntz } => {
                let ty = IntType { bits: bits.into(), signed };
                let how = (ty, rounding, ftz, ntz);
                match (std::ptr::eq(from, &F32), bits) {
                    (true, 64) => self.convert(u, m, false, true, |x| nan_to_int(&F32, x, how)),
                    (true, _) => {
                        let convert = single_to_int(how);
                        self.tri(u, m, all, |_, b, _| convert(b));
                    }
                    // The bits above a byte from a double are zero (an H100).
                    (_, 8) if from.bits() == 64 => {
                        self.convert(u, m, true, false, |x| nan_to_int(from, x, how) & 0xff);
                    }
                    _ => self.convert(u, m, from.bits() == 64, bits == 64, |x| nan_to_int(from, x, how)),
                }
            }
            Kind::F2ip { signed, rounding, ftz, ntz } => {
                let ty = IntType { bits: 8, signed };
                let one = move |x: u32| {
                    let nan = ntz && F32.is_nan(x.into());
                    if nan { 0 } else { float::to_int(&F32, ty, x.into(), rounding, ftz) as u32 & 0xff }
                };
                self.tri(u, m, all, move |a, b, c| c << 16 | one(a) << 8 | one(b));
            }
            Kind::I2f { bits, signed, to, rounding } => {
                let ty = IntType { bits: bits.into(), signed };
                let mode = Mode { rounding, ..Mode::RN };
                if bits <= 32 && std::ptr::eq(to, &F32) {
                    let undef = low_bits(bits.into());
                    self.tri_with(u, m, undef, |_, b, _| float::from_int(ty, &F32, b.into(), mode) as u32);
                } else {
                    self.convert(u, m, bits == 64, to.bits() == 64, |x| float::from_int(ty, to, x, mode));
                }
            }
            Kind::Frnd { format, mode } if std::ptr::eq(format, &F32) => {
                self.tri(u, m, all, |_, b, _| float::round_to_integral(&F32, b.into(), mode) as u32);
            }
            Kind::Frnd { format, mode } => {
                let wide = format.bits() == 64;
                self.convert(u, m, wide, wide, |x| float::round_to_integral(format, x, mode));
            }
            _ => return false,
        }
        true
    }

    /// Converts two binary32 to a packed format.
    #[inline(always)]
    fn pack(&mut self, u: &Uop, m: u32, to: &'static Format, satfinite: bool) {
        let Kind::F2fpPack { rounding, relu, merge, .. } = u.kind else { return };
        let one = |x: u32| {
            let r = float::to_float(&F32, to, x.into(), Mode { rounding, ..Mode::RN }, satfinite);
            (if relu { float::relu(to, r) } else { r }) as u32
        };
        let w = to.bits();
        let merge_mask = if merge { (1u32 << w) - 1 } else { 0 };
        self.tri(u, m, all, |a, b, c| {
            let packed = one(a) << w | one(b);
            if merge_mask != 0 { (c & 0xffff) << 16 | packed & 0xffff } else { packed }
        });
    }

    /// Reads a source of `.XORSIGN` with its sign, which an absolute value would drop.
    fn fetch_raw_sign(&self, s: &Src, xorsign: bool) -> Lanes {
        if xorsign { self.fetch(&Src { and: !0, ..*s }) } else { self.fetch(s) }
    }

    #[inline]
    fn fsel(&mut self, u: &Uop, m: u32, ftz: bool) {
        let flush = |v: u32| if ftz { F32.flush(v.into()) as u32 } else { v };
        let (a, b, p) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.pred(u.p[0]));
        let v = each(|l| flush(if p >> l & 1 != 0 { a[l] } else { b[l] }));
        let undef = |s: &Src, lanes: u32| self.src_undef_lanes(s) & lanes;
        let bad = undef(&u.s[0], p) | undef(&u.s[1], !p) | self.pred_undef(u.p[0]);
        self.float_result(u, m, &v, bad);
    }

    fn fset(&mut self, u: &Uop, m: u32) {
        let Kind::Fset { cmp, ftz, boolean, bf } = u.kind else { return };
        let (a, b, p) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.pred(u.p[0]));
        let r = mask_of(|l| cmp.test(float::compare(&F32, a[l].into(), b[l].into(), ftz)));
        let (r, one) = (boolean.apply(r, p), if bf { 0x3f80_0000 } else { !0 });
        let v = each(|l| if r >> l & 1 != 0 { one } else { 0 });
        let bad = self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]) | self.pred_undef(u.p[0]);
        self.float_result(u, m, &v, bad);
    }

    fn fchk(&mut self, u: &Uop, m: u32) {
        let (a, b) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]));
        let r = mask_of(|l| needs_slow_division(a[l], b[l]));
        let bad = (self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1])) & m;
        self.result_pred(u, u.pd, m, r, bad);
    }

    #[inline]
    fn mufu(&mut self, u: &Uop, m: u32, mufu: Mufu) {
        let Kind::Mufu { op, format } = u.kind else { return };
        match (format, op) {
            (HalfKind32::F32, MufuOp::Rcp64h) => self.tri(u, m, all, |_, b, _| mufu.rcp64h(b)),
            (HalfKind32::F32, MufuOp::Rsq64h) => self.tri(u, m, all, |_, b, _| mufu.rsq64h(b)),
            (HalfKind32::F32, MufuOp::Rcp) => self.tri(u, m, all, |_, b, _| mufu.f32(Function::Rcp, b)),
            (HalfKind32::F32, MufuOp::Rsq) => self.tri(u, m, all, |_, b, _| mufu.f32(Function::Rsq, b)),
            (HalfKind32::F32, _) => self.tri(u, m, all, |_, b, _| mufu.f32(function(op), b)),
            (HalfKind32::F16, _) => self.tri(u, m, all, |_, b, _| mufu.half(&F16, function(op), b as u16).into()),
            (HalfKind32::Bf16, _) => self.tri(u, m, all, |_, b, _| mufu.half(&BF16, function(op), b as u16).into()),
        }
    }

    fn hmnmx2(&mut self, u: &Uop, m: u32) {
        let Kind::Hmnmx2 { kind, ftz, nan, xorsign } = u.kind else { return };
        let (a, b) = (self.fetch_raw_sign(&u.s[0], xorsign), self.fetch_raw_sign(&u.s[1], xorsign));
        let min = self.pred(u.p[0]);
        let f = kind.format();
        let v: Lanes = each(|l| {
            let how = MinMax { max: min >> l & 1 == 0, ftz, nan, xorsign_abs: xorsign, abs: false };
            both(|at| float::min_max(f, half(a[l], at), half(b[l], at), how))
        });
        let bad = self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]) | self.pred_undef(u.p[0]);
        self.half_result(u, m, &v, bad);
    }

    fn hset2(&mut self, u: &Uop, m: u32) {
        let Kind::Hset2 { kind, cmp, ftz, boolean, bf } = u.kind else { return };
        let (a, b, p) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.pred(u.p[0]));
        let f = kind.format();
        let one = if bf { f.one() } else { 0xffff };
        let v: Lanes = each(|l| {
            both(|at| {
                let r = u32::from(cmp.test(float::compare(f, half(a[l], at), half(b[l], at), ftz)));
                if boolean.apply(r, p >> l & 1) & 1 != 0 { one } else { 0 }
            })
        });
        let bad = self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]) | self.pred_undef(u.p[0]);
        self.half_result(u, m, &v, bad);
    }

    fn hsetp2(&mut self, u: &Uop, m: u32) {
        let Kind::Hsetp2 { kind, cmp, ftz, boolean, h_and } = u.kind else { return };
        let (a, b, p) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.pred(u.p[0]));
        let f = kind.format();
        let at = |at: u32| mask_of(|l| cmp.test(float::compare(f, half(a[l], at), half(b[l], at), ftz)));
        let (lo, hi) = (at(0), at(16));
        let undef = |bits: u32| {
            let of = |s: &Src, l| self.src_undef(s, l) & bits != 0;
            mask_of(|l| of(&u.s[0], l) || of(&u.s[1], l)) | self.pred_undef(u.p[0])
        };
        let clean = self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]) | self.pred_undef(u.p[0]);
        let (tl, th) = if clean & m == 0 { (0, 0) } else { (undef(0xffff), undef(0xffff_0000)) };
        if h_and {
            let r = boolean.apply(lo & hi, p);
            self.result_pred(u, u.pd, m, r, tl | th);
            self.result_pred(u, u.pe, m, boolean.apply(!(lo & hi), p), tl | th);
        } else {
            self.result_pred(u, u.pd, m, boolean.apply(lo, p), tl);
            self.result_pred(u, u.pe, m, boolean.apply(hi, p), th);
        }
    }

    fn fmnmx(&mut self, u: &Uop, m: u32, ftz: bool, nan: bool, xorsign: bool) {
        let (a, b) = (self.fetch_raw_sign(&u.s[0], xorsign), self.fetch_raw_sign(&u.s[1], xorsign));
        let min = self.pred(u.p[0]);
        let v: Lanes = each(|l| {
            let how = MinMax { max: min >> l & 1 == 0, ftz, nan, xorsign_abs: xorsign, abs: false };
            float::min_max(&F32, a[l].into(), b[l].into(), how) as u32
        });
        let bad = self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]) | self.pred_undef(u.p[0]);
        self.float_result(u, m, &v, bad);
    }

    fn fsetp(&mut self, u: &Uop, m: u32) {
        let Kind::Fsetp { cmp, ftz, boolean } = u.kind else { return };
        let (a, b, p) = (self.fetch(&u.s[0]), self.fetch(&u.s[1]), self.pred(u.p[0]));
        let r = mask_of(|l| cmp.test(float::compare(&F32, a[l].into(), b[l].into(), ftz)));
        let bad = self.src_undef_lanes(&u.s[0]) | self.src_undef_lanes(&u.s[1]);
        self.setp(u, m, boolean, (r, !r, bad), p);
    }

    fn dsetp(&mut self, u: &Uop, m: u32) {
        let Kind::Dsetp { cmp, boolean, minmax } = u.kind else { return };
        let bad = self.src64_undef_lanes(&u.s[0]) | self.src64_undef_lanes(&u.s[1]);
        let p = self.pred(u.p[0]);
        let pair = |l: usize| (self.fetch64(&u.s[0], l), self.fetch64(&u.s[1], l));
        let (r, second) = match minmax {
            None => {
                let r = mask_of(|l| cmp.test(float::compare(&F64, pair(l).0, pair(l).1, false)));
                (r, !r)
            }
            // `.MIN`, `.MAX`: whether the first operand is the result, and whether both are NaN
            // (ptxas 13.0.88 completes `min.f64` with these two).
            Some(max) => {
                let first = mask_of(|l| {
                    let (a, b) = pair(l);
                    let r = float::min_max(&F64, a, b, MinMax { max, ..MinMax::default() });
                    !F64.is_nan(a) && r == a
                });
                (first, mask_of(|l| F64.is_nan(pair(l).0) && F64.is_nan(pair(l).1)))
            }
        };
        self.setp(u, m, boolean, (r, second, bad), p);
    }

    fn double(
        &mut self,
        u: &Uop,
        m: u32,
        rounding: Rounding,
        f: impl Fn(u64, u64, u64, Mode) -> u64,
        sources: &[usize],
    ) {
        let bad = sources.iter().fold(0, |acc, &i| acc | self.src64_undef_lanes(&u.s[i]));
        let (a, b, c) = (self.fetch64_all(&u.s[0]), self.fetch64_all(&u.s[1]), self.fetch64_all(&u.s[2]));
        let v: [u64; 32] = if rounding == Rounding::Nearest {
            // The host's arithmetic: inactive lanes cost nothing.
            each(|l| f(a[l], b[l], c[l], Mode::RN))
        } else {
            each(|l| if m >> l & 1 == 0 { 0 } else { f(a[l], b[l], c[l], Mode { rounding, ..Mode::RN }) })
        };
        self.result64(u, m, &v, bad & m);
    }

    /// Converts source b between 32- and 64-bit registers.
    #[inline(always)]
    fn convert(&mut self, u: &Uop, m: u32, wide_src: bool, wide_dst: bool, f: impl Fn(u64) -> u64) {
        let s = &u.s[1];
        let (bad, v): (u32, [u64; 32]) = if wide_src {
            (self.src64_undef_lanes(s), self.fetch64_all(s))
        } else {
            let (narrow, any) = (self.fetch(s), self.src_undef_lanes(s) & m);
            // Only the bits that are read count for a half, a byte or a narrow integer.
            let read = match u.kind {
                Kind::I2f { bits, .. } if bits < 32 => (1u32 << bits) - 1,
                _ => !0,
            };
            let bad = if any == 0 { 0 } else { mask_of(|l| any >> l & 1 != 0 && self.src_undef(s, l) & read != 0) };
            (bad, each(|l| narrow[l].into()))
        };
        let v = each(|l| f(v[l]));
        if wide_dst {
            self.result64(u, m, &v, bad & m);
        } else {
            self.float_result(u, m, &each(|l| v[l] as u32), bad);
        }
    }

    fn half2(&mut self, u: &Uop, m: u32, h: HalfMode, f: impl Fn(&'static Format, u64, u64, u64, Mode) -> u64) {
        if h.kind == HalfKind::F32 {
            // With `.FTZ` an H100 flushes the halves.
            let flush = |x: u64| if h.mode.ftz { F16.flush(x) } else { x };
            let up = |x: u32| float::to_float(&F16, &F32, flush(half(x, 0)), Mode::RN, false);
            self.tri(
                u,
                m,
                |_, t| if (t[0] | t[1] | t[2]) & 0xffff != 0 { !0 } else { 0 },
                |a, b, c| f(&F32, up(a), up(b), up(c), h.mode) as u32,
            );
            return;
        }
        let format = h.kind.format();
        self.tri(u, m, halves, |a, b, c| {
            both(|at| {
                let r = f(format, half(a, at), half(b, at), half(c, at), h.mode);
                if h.relu { float::relu(format, r) } else { r }
            })
        });
    }

    fn float_result(&mut self, u: &Uop, m: u32, v: &Lanes, bad: u32) {
        let bad = bad & m;
        let t = (bad != 0).then(|| spread(bad));
        self.result(u, m, v, t.as_ref());
    }

    fn half_result(&mut self, u: &Uop, m: u32, v: &Lanes, bad: u32) {
        let bad = bad & m;
        let pred = self.pred_undef(u.p[0]);
        let t = (bad != 0).then(|| {
            each(|l| {
                let t = [self.src_undef(&u.s[0], l), self.src_undef(&u.s[1], l), 0];
                if pred >> l & 1 != 0 { !0 } else { halves(&[0; 3], &t) }
            })
        });
        self.result(u, m, v, t.as_ref());
    }
}

/// [`nan_to_int`] from binary32 to at most 32 bits, as a function of the operand.
#[inline(always)]
fn single_to_int((ty, rounding, ftz, ntz): (IntType, Rounding, bool, bool)) -> impl Fn(u32) -> u32 {
    let convert = float::short_to_int(ty, rounding, ftz);
    let of_nan = if ntz { 0 } else { 1 << (ty.bits - 1) };
    let unused = if ty.signed { 32 - ty.bits } else { 0 };
    move |x| {
        let r = if x & 0x7fff_ffff > 0x7f80_0000 { of_nan } else { convert(x) };
        ((r << unused) as i32 >> unused) as u32
    }
}

/// Converts to an integer, extended to the register, after `.FTZ`. A NaN becomes the value with
/// only the top bit set, or zero with `.NTZ` (the last flag); ptxas 13.0.88 uses the two forms
/// according to PTX ISA 9.0, `cvt`.
#[inline(always)]
fn nan_to_int(from: &'static Format, x: u64, (ty, rounding, ftz, ntz): (IntType, Rounding, bool, bool)) -> u64 {
    let of_nan = if ntz { 0 } else { 1 << (ty.bits - 1) };
    let r = if from.is_nan(x) { of_nan } else { float::to_int(from, ty, x, rounding, ftz) };
    let unused = if ty.signed && ty.bits < 32 { 64 - ty.bits } else { 0 };
    ((r << unused) as i64 >> unused) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_division_is_taken_for_ordinary_numbers_only() {
        let slow = |a: f32, b: f32| needs_slow_division(a.to_bits(), b.to_bits());
        assert!(!slow(1.0, 3.0) && !slow(-1e10, 7e-5));
        for (a, b) in [(1.0, 0.0), (0.0, 1.0), (f32::NAN, 1.0), (1.0, f32::INFINITY), (1e-38, 3.0), (1e30, 1e-30)] {
            assert!(slow(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn scaling_is_exact() {
        assert_eq!(scale(1.5f32.to_bits().into(), -1, Mode::RN), u64::from(0.75f32.to_bits()));
        assert_eq!(scale(1.5f32.to_bits().into(), 3, Mode::RN), u64::from(12f32.to_bits()));
    }
}
