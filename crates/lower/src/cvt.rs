//! Conversions (PTX ISA 9.0, 9.7.9.21).
//!
//! Source registers may be wider than the source type, destination registers wider than the
//! destination type: then the low bits are read, and the result is extended with its sign or zeros.

use crate::build::Lower;
use crate::cvt_composed::Conversion;
use crate::reason::{Reason, not_yet, sign_of, unsupported, width_of};
use raddle_ir::{Cond, Cty, CvtRnd, Fty, Ftz, Op as I, Rnd, Sat, Sign, Value, Width};
use raddle_ptx::{InstId, Mod, Ty};

impl Lower<'_> {
    /// Lowers `cvt`.
    pub(crate) fn cvt(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let types = body.types(inst);
        let (to, from) = (types[0], types[1]);
        let has = |m| body.has(inst, m);
        if body.insts[inst].operand_count() == 3 {
            return self.pack(inst, to, from);
        }
        if from == Ty::F16x2 && matches!(to, Ty::E4m3x2 | Ty::E5m2x2) {
            return self.pack_halves(inst, to);
        }
        let (Some(d), Some(s)) = (cty(to), cty(from)) else {
            return unsupported(format!(".{}.{}", to.name(), from.name()));
        };
        let a = self.low_bits(inst, from)?;
        let dst = body.operand(inst, 0);
        if to.is_float() || from.is_float() {
            let sat = if has(Mod::Satfinite) {
                Sat::Finite
            } else if has(Mod::Relu) {
                Sat::Relu
            } else if has(Mod::Sat) {
                Sat::Yes
            } else {
                Sat::No
            };
            if to == Ty::Tf32 && has(Mod::Rna) && sat == Sat::No {
                let v = self.round_to_tf32(a);
                return self.set(inst, v);
            }
            let ftz = if has(Mod::Ftz) { Ftz::Yes } else { Ftz::No };
            let rnd = rounding(body.mods(inst));
            let finite = has(Mod::Satfinite);
            let clamp = if finite && has(Mod::Relu) {
                Sat::Relu
            } else if finite {
                Sat::No
            } else {
                sat
            };
            if let Some(v) = self.composed(Conversion { d, s, rnd, ftz, sat: clamp, finite }, a) {
                return self.set_resized(dst, v, sign_of(to));
            }
            if let (Ftz::Yes, Cty::S64 | Cty::U64, Cty::F32) = (ftz, d, s) {
                // Nor does it on the way to 64 bits.
                let a = self.flushed(a);
                let v = self.emit(I::Cvt(d, s, rnd, Ftz::No, sat), &[a], d.width());
                return self.set_resized(dst, v, sign_of(to));
            }
            if ftz == Ftz::Yes && sat == Sat::No {
                // Between f32 and f64 the machine does not flush: a multiplication of the f32 by
                // one does.
                match (d, s) {
                    (Cty::F64, Cty::F32) => {
                        let a = self.flushed(a);
                        let v = self.emit(I::Cvt(d, s, rnd, Ftz::No, sat), &[a], d.width());
                        return self.set_resized(dst, v, sign_of(to));
                    }
                    (Cty::F32, Cty::F64) => {
                        let v = self.narrowed_flushed(a, rnd);
                        return self.set_resized(dst, v, sign_of(to));
                    }
                    _ => {}
                }
            }
            if d == s && rnd == CvtRnd::None && sat == Sat::No && ftz == Ftz::No {
                return self.set_resized(dst, a, Sign::U);
            }
            let v = self.emit(I::Cvt(d, s, rnd, ftz, sat), &[a], d.width());
            return self.set_resized(dst, v, sign_of(to));
        }
        if has(Mod::Sat) && !contains(to, from) {
            let v = self.clamp_integer(a, to, from)?;
            let v = self.resize(v, width_of(to)?, sign_of(to));
            return self.set_resized(dst, v, sign_of(to));
        }
        // Integer to integer: extend to at least the destination's width, then truncate.
        let v = self.extend_low(a, from, width_of(from)?);
        let v = self.resize(v, width_of(to)?, sign_of(from));
        let v = self.extend_low(v, to, width_of(to)?);
        self.set_resized(dst, v, sign_of(to))
    }

    /// Returns the source operand, truncated to the width of its type.
    fn low_bits(&mut self, inst: InstId, ty: Ty) -> Result<Value, Reason> {
        self.operand(inst, 1, ty)
    }

    /// Extends the low eight bits of 8-bit types, whose values are 16 bits wide.
    pub(crate) fn extend_low(&mut self, v: Value, ty: Ty, width: Width) -> Value {
        if ty.bits() != 8 {
            return v;
        }
        self.emit(I::ExtLow(sign_of(ty), 8), &[v], width)
    }

    /// Lowers `cvt.rn.f16x2.f32 d, a, b`: a becomes the upper half.
    fn pack(&mut self, inst: InstId, to: Ty, from: Ty) -> Result<(), Reason> {
        let body = self.input.body;
        let d = match to {
            Ty::F16x2 => Cty::F16x2,
            Ty::Bf16x2 => Cty::Bf16x2,
            Ty::E4m3x2 => Cty::E4m3x2,
            Ty::E5m2x2 => Cty::E5m2x2,
            _ => return unsupported(format!("type .{}", to.name())),
        };
        if from != Ty::F32 {
            return not_yet();
        }
        let narrow = matches!(to, Ty::E4m3x2 | Ty::E5m2x2);
        let sat = match (body.has(inst, Mod::Satfinite), body.has(inst, Mod::Relu)) {
            // Conversions to eight bits always saturate to finite values.
            (true, true) if narrow => Sat::Relu,
            (true, false) if narrow => Sat::Finite,
            (true, false) => Sat::No,
            (_, true) => Sat::Relu,
            (false, false) => Sat::No,
        };
        let mut args = self.operands_from(inst, 1, 2, Ty::F32)?;
        if body.has(inst, Mod::Satfinite) && !narrow {
            args = args.into_iter().map(|a| self.finite(a, d)).collect();
        }
        let v = self.emit(I::CvtPack(d, rounding(body.mods(inst)), sat), &args, d.width());
        self.set(inst, v)
    }
}

impl Lower<'_> {
    /// Flushes subnormal f32 to zeros of their sign.
    pub(crate) fn flushed(&mut self, a: Value) -> Value {
        let one = self.constant(u64::from(1f32.to_bits()), Width::B32);
        self.emit(I::Fmul(Fty::F32, Rnd::Rn, Ftz::Yes, Sat::No), &[a, one], Width::B32)
    }

    /// Lowers `cvt.ftz.f32.f64`. A result is tiny if it would be below the normal numbers when
    /// rounded to 24 bits with unlimited exponent; the f32 result does not show that, as rounding
    /// may have made it normal. The bounds are those of ptxas (13.0.88 output).
    pub(crate) fn narrowed_flushed(&mut self, a: Value, rnd: CvtRnd) -> Value {
        let v = self.emit(I::Cvt(Cty::F32, Cty::F64, rnd, Ftz::No, Sat::No), &[a], Width::B32);
        let (bound, all) = match rnd {
            CvtRnd::Rn => (0x380f_ffff_f000_0000, v),
            CvtRnd::Rm | CvtRnd::Rp => (0x380f_ffff_e000_0001, self.flushed(v)),
            _ => return self.flushed(v),
        };
        let magnitude = self.emit(I::Fabs(Fty::F64, Ftz::No), &[a], Width::B64);
        let bound = self.constant(bound, Width::B64);
        let tiny = self.emit(I::Fcmp(Fty::F64, Cond::Lt, Ftz::No), &[magnitude, bound], Width::P);
        let sign = self.constant(1 << 31, Width::B32);
        let zero = self.emit(I::And, &[v, sign], Width::B32);
        self.emit(I::Select, &[tiny, zero, all], Width::B32)
    }

    /// Lowers `cvt.rn.satfinite.e4m3x2.f16x2`: exactly to f32, then rounded once.
    fn pack_halves(&mut self, inst: InstId, to: Ty) -> Result<(), Reason> {
        let d = if to == Ty::E4m3x2 { Cty::E4m3x2 } else { Cty::E5m2x2 };
        let sat = if self.input.body.has(inst, Mod::Relu) { Sat::Relu } else { Sat::Finite };
        let a = self.operand(inst, 1, Ty::F16x2)?;
        let halves = self.emit_many(I::Unpack, &[a], &[Width::B16, Width::B16]);
        let wide = [1, 0]
            .map(|n| self.emit(I::Cvt(Cty::F32, Cty::F16, CvtRnd::None, Ftz::No, Sat::No), &[halves[n]], Width::B32));
        let v = self.emit(I::CvtPack(d, CvtRnd::Rn, sat), &wide, d.width());
        self.set(inst, v)
    }
}

/// Whether `to` can represent every value of `from` (integers).
fn contains(to: Ty, from: Ty) -> bool {
    match (to.is_signed(), from.is_signed()) {
        (true, false) => to.bits() > from.bits(),
        (false, true) => false,
        _ => to.bits() >= from.bits(),
    }
}

fn cty(ty: Ty) -> Option<Cty> {
    Some(match ty {
        Ty::S8 => Cty::S8,
        Ty::U8 => Cty::U8,
        Ty::S16 => Cty::S16,
        Ty::U16 => Cty::U16,
        Ty::S32 => Cty::S32,
        Ty::U32 => Cty::U32,
        Ty::S64 => Cty::S64,
        Ty::U64 => Cty::U64,
        Ty::F16 => Cty::F16,
        Ty::Bf16 => Cty::Bf16,
        Ty::Tf32 => Cty::Tf32,
        Ty::F32 => Cty::F32,
        Ty::F64 => Cty::F64,
        Ty::F16x2 => Cty::F16x2,
        Ty::Bf16x2 => Cty::Bf16x2,
        Ty::E4m3x2 => Cty::E4m3x2,
        Ty::E5m2x2 => Cty::E5m2x2,
        _ => return None,
    })
}

fn rounding(mods: &[Mod]) -> CvtRnd {
    mods.iter()
        .find_map(|m| {
            Some(match m {
                Mod::Rn => CvtRnd::Rn,
                Mod::Rz => CvtRnd::Rz,
                Mod::Rm => CvtRnd::Rm,
                Mod::Rp => CvtRnd::Rp,
                Mod::Rna => CvtRnd::Rna,
                Mod::Rni => CvtRnd::Rni,
                Mod::Rzi => CvtRnd::Rzi,
                Mod::Rmi => CvtRnd::Rmi,
                Mod::Rpi => CvtRnd::Rpi,
                _ => return None,
            })
        })
        .unwrap_or(CvtRnd::None)
}
