//! Conversions without a machine instruction: saturating ones, those of bf16 and tf32.
//!
//! Strategy: each is a chain of supported conversions and operations, rounded once. Clamping to [0,
//! 1] or to finite numbers is a separate step before or after; bf16 is converted through f32, which
//! represents all of its values; where a result must not be rounded twice, the first step rounds to
//! odd: truncated, with the last bit set if anything was lost, which keeps the second rounding
//! correct (S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums, 2008).

use crate::build::Lower;
use raddle_ir::{Cond, Cty, CvtRnd, Fty, Ftz, MinMode, Op as I, Rnd, Sat, Sign, Value, Width};

/// Largest finite numbers, as f32.
const MAX_F16: f32 = 65_504.0;
const MAX_BF16: f32 = 3.389_531_4e38;

/// A conversion to or from a float: destination, source, and modifiers.
#[derive(Clone, Copy)]
pub(crate) struct Conversion {
    pub d: Cty,
    pub s: Cty,
    pub rnd: CvtRnd,
    pub ftz: Ftz,
    pub sat: Sat,
    /// Whether it saturates to finite numbers, in addition to `sat`.
    pub finite: bool,
}

/// Whether it rounds to an integral number.
fn integral(rnd: CvtRnd) -> bool {
    matches!(rnd, CvtRnd::Rni | CvtRnd::Rzi | CvtRnd::Rmi | CvtRnd::Rpi)
}

impl Lower<'_> {
    /// Lowers the conversion in steps; returns `None` if it is one instruction.
    pub(crate) fn composed(&mut self, c: Conversion, a: Value) -> Option<Value> {
        use Cty::{Bf16, F16, F32, F64, Tf32};
        let step = |l: &mut Self, d: Cty, s: Cty, rnd, v| l.emit(I::Cvt(d, s, rnd, Ftz::No, Sat::No), &[v], d.width());
        match (c.d, c.s) {
            // Clamped to [0, 1].
            (F16 | F64, _) if c.sat == Sat::Yes => {
                let v = self.converted(Conversion { sat: Sat::No, ..c }, a);
                Some(self.clamped_to_one(v, c.d, Ftz::No))
            }
            (F32, s) if c.sat == Sat::Yes && (s.int().is_some() || (s == F64 && c.ftz == Ftz::Yes)) => {
                let flushed = s == F64 && c.ftz == Ftz::Yes;
                let v = if flushed { self.narrowed_flushed(a, c.rnd) } else { step(self, F32, s, c.rnd, a) };
                Some(self.clamped_to_one(v, F32, c.ftz))
            }
            // Clamped to the finite numbers: before it is rounded.
            (F16 | Bf16, F32) if c.finite => {
                let v = self.finite(a, c.d);
                Some(self.emit(I::Cvt(c.d, F32, c.rnd, Ftz::No, c.sat), &[v], c.d.width()))
            }
            // An f16 result is not flushed ("ptxas 13.0.88 output"): subnormal f32 numbers are far
            // below its own.
            (F16, F32) if c.ftz == Ftz::Yes => Some(self.converted(Conversion { ftz: Ftz::No, ..c }, a)),
            // Through f32.
            (F32, Bf16) if c.ftz == Ftz::Yes && c.sat == Sat::No => {
                let v = step(self, F32, Bf16, CvtRnd::None, a);
                Some(self.flushed(v))
            }
            (Bf16, Bf16) if integral(c.rnd) => {
                let v = step(self, F32, Bf16, CvtRnd::None, a);
                let v = step(self, F32, F32, c.rnd, v);
                Some(step(self, Bf16, F32, CvtRnd::Rz, v))
            }
            (F32 | Bf16, Bf16) => None,
            (_, Bf16) => {
                let v = step(self, F32, Bf16, CvtRnd::None, a);
                Some(self.converted(Conversion { s: F32, ..c }, v))
            }
            (Bf16, F16) => {
                let v = step(self, F32, F16, CvtRnd::None, a);
                let rnd = if c.rnd == CvtRnd::None { CvtRnd::Rn } else { c.rnd };
                Some(step(self, Bf16, F32, rnd, v))
            }
            (Bf16, F64) => {
                let v = self.odd_f32(a);
                Some(step(self, Bf16, F32, c.rnd, v))
            }
            (Bf16, Cty::S64 | Cty::U64) => {
                let v = self.odd_f64(a, c.s);
                let v = self.odd_f32(v);
                Some(step(self, Bf16, F32, c.rnd, v))
            }
            (Tf32, F32) => self.rounded_tf32(a, c),
            (Cty::F16x2, Cty::E4m3x2 | Cty::E5m2x2) if c.sat == Sat::Relu => {
                let v = step(self, c.d, c.s, c.rnd, a);
                let zero = self.constant(0, Width::B32);
                Some(self.emit(I::Fmax(Fty::F16x2, Ftz::No, MinMode::Nan), &[v, zero], Width::B32))
            }
            _ => None,
        }
    }

    /// Lowers the conversion, in as many steps as needed.
    fn converted(&mut self, c: Conversion, a: Value) -> Value {
        let trivial = c.d == c.s && !integral(c.rnd) && c.sat == Sat::No && c.ftz == Ftz::No;
        let flushed = c.d == Cty::F64 && c.s == Cty::F32 && c.ftz == Ftz::Yes;
        let a = if flushed { self.flushed(a) } else { a };
        match self.composed(c, a) {
            Some(v) => v,
            None if trivial => a,
            None => {
                let ftz = if flushed { Ftz::No } else { c.ftz };
                self.emit(I::Cvt(c.d, c.s, c.rnd, ftz, c.sat), &[a], c.d.width())
            }
        }
    }

    /// Clamps to [0, 1]; NaN becomes +0.
    fn clamped_to_one(&mut self, v: Value, ty: Cty, ftz: Ftz) -> Value {
        let width = ty.width();
        match ty {
            Cty::F64 => {
                let (zero, one) = (self.constant(0, width), self.constant(1f64.to_bits(), width));
                let v = self.emit(I::Fmax(Fty::F64, Ftz::No, MinMode::Num), &[v, zero], width);
                self.emit(I::Fmin(Fty::F64, Ftz::No, MinMode::Num), &[v, one], width)
            }
            Cty::F16 => {
                let zero = self.constant(0x8000, width);
                self.emit(I::Fadd(Fty::F16, Rnd::Rn, Ftz::No, Sat::Yes), &[v, zero], width)
            }
            _ => {
                let zero = self.constant(1 << 31, width);
                self.emit(I::Fadd(Fty::F32, Rnd::Rn, ftz, Sat::Yes), &[v, zero], width)
            }
        }
    }

    /// Clamps an f32 to the finite numbers of a 16-bit format; NaN stays.
    pub(crate) fn finite(&mut self, v: Value, ty: Cty) -> Value {
        let most = if matches!(ty, Cty::F16 | Cty::F16x2) { MAX_F16 } else { MAX_BF16 };
        let bound = |l: &mut Self, x: f32| l.constant(u64::from(x.to_bits()), Width::B32);
        let (low, high) = (bound(self, -most), bound(self, most));
        let v = self.emit(I::Fmax(Fty::F32, Ftz::No, MinMode::Nan), &[v, low], Width::B32);
        self.emit(I::Fmin(Fty::F32, Ftz::No, MinMode::Nan), &[v, high], Width::B32)
    }

    /// Returns `v` with its last bit set if `lost`.
    fn odd(&mut self, v: Value, lost: Value) -> Value {
        let width = self.f.width(v);
        let one = self.constant(1, width);
        let sticky = self.emit(I::Or, &[v, one], width);
        self.emit(I::Select, &[lost, sticky, v], width)
    }

    /// Converts an f64 to f32, rounded to odd.
    fn odd_f32(&mut self, a: Value) -> Value {
        let cut = self.emit(I::Cvt(Cty::F32, Cty::F64, CvtRnd::Rz, Ftz::No, Sat::No), &[a], Width::B32);
        let back = self.emit(I::Cvt(Cty::F64, Cty::F32, CvtRnd::None, Ftz::No, Sat::No), &[cut], Width::B64);
        let lost = self.emit(I::Fcmp(Fty::F64, Cond::Ne, Ftz::No), &[back, a], Width::P);
        self.odd(cut, lost)
    }

    /// Converts a 64-bit integer to f64, rounded to odd.
    fn odd_f64(&mut self, a: Value, ty: Cty) -> Value {
        let cut = self.emit(I::Cvt(Cty::F64, ty, CvtRnd::Rz, Ftz::No, Sat::No), &[a], Width::B64);
        let back = self.emit(I::Cvt(ty, Cty::F64, CvtRnd::Rzi, Ftz::No, Sat::No), &[cut], Width::B64);
        let lost = self.icmp(Cond::Ne, Sign::U, back, a);
        self.odd(cut, lost)
    }

    /// Converts f32 to tf32, its upper 19 bits: truncated, to nearest even, or ties away from zero
    /// and finite. NaN becomes the canonical one.
    fn rounded_tf32(&mut self, a: Value, c: Conversion) -> Option<Value> {
        let w = Width::B32;
        let number = |l: &mut Self, n: u32| l.constant(u64::from(n), w);
        let magnitude_mask = number(self, 0x7fff_ffff);
        let magnitude = self.emit(I::And, &[a, magnitude_mask], w);
        let infinity = number(self, f32::INFINITY.to_bits());
        let finite = self.icmp(Cond::Lt, Sign::U, magnitude, infinity);
        let is_nan = self.icmp(Cond::Gt, Sign::U, magnitude, infinity);
        let rounded = match c.rnd {
            CvtRnd::Rz => a,
            CvtRnd::Rna => {
                let half = number(self, 0x1000);
                self.emit(I::Add, &[a, half], w)
            }
            CvtRnd::Rn => {
                let (by, one, half) = (number(self, 13), number(self, 1), number(self, 0xfff));
                let last = self.emit(I::Shr(Sign::U), &[a, by], w);
                let last = self.emit(I::And, &[last, one], w);
                let sum = self.emit(I::Add, &[a, half], w);
                self.emit(I::Add, &[sum, last], w)
            }
            _ => return None,
        };
        let v = self.emit(I::Select, &[finite, rounded, a], w);
        let kept = number(self, 0xffff_e000);
        let mut v = self.emit(I::And, &[v, kept], w);
        if c.finite {
            // Infinities, also from rounding, become the largest number of their sign: one unit of
            // the last place below.
            let size = self.emit(I::And, &[v, magnitude_mask], w);
            let infinite = self.icmp(Cond::Eq, Sign::U, size, infinity);
            let unit = number(self, 0x2000);
            let below = self.emit(I::Sub, &[v, unit], w);
            v = self.emit(I::Select, &[infinite, below, v], w);
        }
        if c.sat == Sat::Relu {
            let zero = number(self, 0);
            v = self.emit(I::Max(Sign::S), &[v, zero], w);
        }
        let nan = number(self, 0x7fff_e000);
        Some(self.emit(I::Select, &[is_nan, nan, v], w))
    }
}
