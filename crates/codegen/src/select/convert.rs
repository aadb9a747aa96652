//! Conversions between number formats.

use raddle_ir::{Cty, CvtRnd, Fty, Ftz, Sat, Sign, Value, Width};
use raddle_sass::Isa;

use super::float::{ftz, saturate};
use super::int::u32_;
use super::{Ra, Rb, Rc, Select, imm};
use crate::mir::MOp;
use crate::sass::{self, Mnemonic, tokens as t};

impl Select<'_> {
    #[expect(clippy::too_many_arguments, reason = "the fields of one operation")]
    pub(super) fn cvt(&mut self, d: Cty, s: Cty, rnd: CvtRnd, z: Ftz, sat: Sat, a: Value, r: Value) {
        if d.int().is_none() && s.int().is_some() {
            return self.int_to_float(d, s, rnd, sat, a, r);
        }
        if d.int().is_some() && s.int().is_none() {
            return self.float_to_int(d, s, rnd, z, a, r);
        }
        // Rounding to an integer, or to the result's precision.
        let whole = match rnd {
            CvtRnd::Rni => Some(t::RoundInt::None),
            CvtRnd::Rzi => Some(t::RoundInt::Trunc),
            CvtRnd::Rmi => Some(t::RoundInt::Floor),
            CvtRnd::Rpi => Some(t::RoundInt::Ceil),
            CvtRnd::Rna => return self.refuse(),
            _ => None,
        };
        let mode = round(rnd);
        let v = match (d, s) {
            (Cty::F32, Cty::F32) => {
                let mut x = self.source(a, Fty::F32);
                if let Some(whole) = whole {
                    let v = self.emit1(sass::frnd(ftz(z), whole), &[(Rb, x)]);
                    if sat == Sat::No {
                        return self.set_regs(r, &[v]);
                    }
                    x = MOp::reg(v);
                }
                self.emit1(sass::fadd(ftz(z), t::Round::None, saturate(sat)), &[(Ra, x), (Rb, MOp::zero().negated())])
            }
            (Cty::F64, Cty::F64) if let (Some(whole), Sat::No) = (whole, sat) => {
                let x = self.source(a, Fty::F64);
                let v = self.emit_wide(2, sass::frnd_f64(whole), &[(Rb, x)]);
                return self.set_regs(r, &v);
            }
            (Cty::F16, Cty::F16) if let (Some(whole), Sat::No) = (whole, sat) => {
                let x = self.source(a, Fty::F16);
                self.emit1(sass::frnd_f16(whole), &[(Rb, x)])
            }
            (Cty::F64, Cty::F32) if sat == Sat::No => {
                let x = self.source(a, Fty::F32);
                let v = self.emit_wide(2, sass::f2f_f64_f32(ftz(z)), &[(Rb, x)]);
                return self.set_regs(r, &v);
            }
            (Cty::F32, Cty::F64) => {
                let Some(mode) = mode else { return self.refuse() };
                let x = self.source(a, Fty::F64);
                let v = self.emit1(sass::f2f_f32_f64(ftz(z), mode), &[(Rb, x)]);
                if sat == Sat::Yes {
                    self.emit1(
                        sass::fadd(t::Ftz::None, t::Round::None, t::Sat::Sat),
                        &[(Ra, MOp::reg(v)), (Rb, MOp::zero().negated())],
                    )
                } else {
                    v
                }
            }
            (Cty::F64, Cty::F16) if sat == Sat::No => {
                let x = self.source(a, Fty::F16);
                let v = self.emit_wide(2, sass::f2f_f64_f16(), &[(Rb, x)]);
                return self.set_regs(r, &v);
            }
            (Cty::F16, Cty::F64) if sat == Sat::No => {
                let Some(mode) = mode else { return self.refuse() };
                let x = self.source(a, Fty::F64);
                self.emit1(sass::f2f_f16_f64(mode), &[(Rb, x)])
            }
            (Cty::F32, Cty::F16) => {
                // Its `.FTZ` would flush halves; a single is never subnormal here.
                let x = self.half_operand(a, Fty::F16);
                self.emit1(sass::hadd2_f32(t::Ftz::None, saturate(sat)), &[(Ra, MOp::zero().negated()), (Rb, x)])
            }
            (Cty::F32, Cty::Bf16) if sat == Sat::No && z == Ftz::No => {
                let x = self.part(a);
                let x = self.op(x);
                self.emit1(sass::shf_l(), &[(Ra, x), (Rb, imm(16)), (Rc, MOp::zero())])
            }
            (Cty::F16 | Cty::Bf16, Cty::F32)
                if matches!(rnd, CvtRnd::Rn | CvtRnd::Rz | CvtRnd::None) && z == Ftz::No =>
            {
                let x = self.pack_source(a);
                let relu = match sat {
                    Sat::No => t::Relu::None,
                    Sat::Relu => t::Relu::Relu,
                    _ => return self.refuse(),
                };
                let mode = if rnd == CvtRnd::Rz { t::RoundZero::Rz } else { t::RoundZero::None };
                self.emit1(self.pack_name(d == Cty::Bf16, relu, mode), &[(Ra, MOp::zero()), (Rb, x)])
            }
            (Cty::F16 | Cty::Bf16, Cty::F32)
                if matches!(rnd, CvtRnd::Rm | CvtRnd::Rp) && z == Ftz::No && sat == Sat::No =>
            {
                let x = self.source(a, Fty::F32);
                let ty = if d == Cty::F16 { t::Float16::F16 } else { t::Float16::Bf16 };
                let mode = if rnd == CvtRnd::Rm { t::Round::Rm } else { t::Round::Rp };
                self.emit1(sass::f2f_16_f32(ty, mode), &[(Rb, x)])
            }
            (Cty::F16x2, Cty::E4m3x2 | Cty::E5m2x2) if matches!(sat, Sat::No) => {
                let ty = if s == Cty::E4m3x2 { t::Float8::E4m3 } else { t::Float8::E5m2 };
                let x = self.part(a);
                let x = MOp::reg(self.reg(x));
                self.emit1(sass::f2fp_unpack(ty), &[(Rb, x)])
            }
            (Cty::Tf32, Cty::F32) if rnd == CvtRnd::Rn || rnd == CvtRnd::Rz => return self.refuse(),
            _ => return self.refuse(),
        };
        self.set_regs(r, &[v]);
    }

    fn int_to_float(&mut self, d: Cty, s: Cty, rnd: CvtRnd, sat: Sat, a: Value, r: Value) {
        let Some(sign) = s.int() else { return self.refuse() };
        if sat != Sat::No {
            return self.refuse();
        }
        let mode = match round(rnd) {
            Some(mode) if rnd != CvtRnd::Rni => mode,
            _ => return self.refuse(),
        };
        let wide = s.width() == Width::B64;
        let x = if wide {
            let p = self.parts(a);
            self.regs(&p)
        } else {
            let p = self.part(a);
            let p = if s.bits() < 32 { self.ext_low(p, sign, s.bits()) } else { p };
            self.op(p)
        };
        let ty = match (wide, sign) {
            (false, Sign::S) => t::IntSource::None,
            (false, Sign::U) => t::IntSource::U32,
            (true, Sign::S) => t::IntSource::S64,
            (true, Sign::U) => t::IntSource::U64,
        };
        let v = match d {
            Cty::F32 if !wide && self.hopper() && matches!(mode, t::Round::None | t::Round::Rz) => {
                let ty = if sign == Sign::S { t::Int32::S32 } else { t::Int32::U32 };
                let mode = if mode == t::Round::Rz { t::RoundZero::Rz } else { t::RoundZero::None };
                self.emit1(sass::i2fp(ty, mode), &[(Rb, x)])
            }
            Cty::F32 => self.emit1(sass::i2f(ty, mode), &[(Rb, x)]),
            Cty::F64 => {
                let v = self.emit_wide(2, sass::i2f_f64(ty, mode), &[(Rb, x)]);
                return self.set_regs(r, &v);
            }
            Cty::F16 => self.emit1(sass::i2f_f16(ty, mode), &[(Rb, x)]),
            Cty::Bf16 if !wide => self.emit1(sass::i2f_bf16(u32_(sign), mode), &[(Rb, x)]),
            _ => return self.refuse(),
        };
        self.set_regs(r, &[v]);
    }

    fn float_to_int(&mut self, d: Cty, s: Cty, rnd: CvtRnd, z: Ftz, a: Value, r: Value) {
        let mode = match rnd {
            CvtRnd::Rni | CvtRnd::Rn | CvtRnd::None => t::RoundInt::None,
            CvtRnd::Rzi | CvtRnd::Rz => t::RoundInt::Trunc,
            CvtRnd::Rmi | CvtRnd::Rm => t::RoundInt::Floor,
            CvtRnd::Rpi | CvtRnd::Rp => t::RoundInt::Ceil,
            CvtRnd::Rna => return self.refuse(),
        };
        // ptxas 13.0.88 emits NTZ for 32-bit results of 16- and 32-bit sources.
        let (name, t): (Mnemonic, Fty) = match (s, result(d)) {
            (Cty::F32, Result::Narrow(d)) => (sass::f2i(ftz(z), d, mode), Fty::F32),
            (Cty::F16, Result::Narrow(d)) => (sass::f2i_f16(d, mode), Fty::F16),
            (Cty::F32, Result::Wide(d)) => (sass::f2i_64(d, mode), Fty::F32),
            (Cty::F16, Result::Wide(d)) => (sass::f2i_64_f16(d, mode), Fty::F16),
            (Cty::F64, d) => (sass::f2i_f64(d.any(), mode), Fty::F64),
            _ => return self.refuse(),
        };
        let x = self.source(a, t);
        let words = super::words(d.width());
        let mut v = self.emit_wide(words, name, &[(Rb, x)]);
        if (s, d) == (Cty::F64, Cty::S8) {
            // The bits above the byte are zero (an H100; ptxas 13.0.88 extends the sign likewise).
            let given = [(Ra, MOp::reg(v[0])), (Rb, imm(0x8880)), (Rc, MOp::zero())];
            v = std::iter::once(self.emit1(sass::prmt(t::Permute::None), &given)).collect();
        }
        self.set_regs(r, &v);
    }

    /// Packs two f32: the sm_80 and sm_86 forms name the narrow type only.
    fn pack_name(&self, brain: bool, relu: t::Relu, mode: t::RoundZero) -> Mnemonic {
        if self.isa() < Isa::Sm89 {
            sass::f2fp(relu, if brain { t::Brain::Bf16 } else { t::Brain::None }, mode)
        } else {
            sass::f2fp_f32(relu, if brain { t::Float16::Bf16 } else { t::Float16::F16 }, mode)
        }
    }

    /// An operand of `F2FP`, which allows no modifiers with `.RELU` or beside an immediate.
    fn pack_source(&mut self, v: Value) -> MOp {
        let part = self.part(v);
        self.op(part)
    }

    pub(super) fn cvt_pack(&mut self, d: Cty, rnd: CvtRnd, sat: Sat, args: &[Value], r: Value) {
        let mode = match rnd {
            CvtRnd::Rn | CvtRnd::None => t::RoundZero::None,
            CvtRnd::Rz => t::RoundZero::Rz,
            _ => return self.refuse(),
        };
        let (hi, lo) = (self.pack_source(args[0]), self.pack_source(args[1]));
        let relu = match sat {
            Sat::No => t::Relu::None,
            Sat::Relu => t::Relu::Relu,
            _ if matches!(d, Cty::E4m3x2 | Cty::E5m2x2) => t::Relu::None,
            _ => return self.refuse(),
        };
        let name = match d {
            Cty::F16x2 | Cty::Bf16x2 => self.pack_name(d == Cty::Bf16x2, relu, mode),
            Cty::E4m3x2 => sass::f2fp_8(relu, t::Float8::E4m3),
            Cty::E5m2x2 => sass::f2fp_8(relu, t::Float8::E5m2),
            _ => return self.refuse(),
        };
        let v = self.emit1(name, &[(Ra, hi), (Rb, lo)]);
        self.set_regs(r, &[v]);
    }
}

/// Rounding to the precision of the result; `None` for rounding to an integer other than the
/// nearest.
fn round(r: CvtRnd) -> Option<t::Round> {
    Some(match r {
        CvtRnd::None | CvtRnd::Rn | CvtRnd::Rni => t::Round::None,
        CvtRnd::Rz => t::Round::Rz,
        CvtRnd::Rm => t::Round::Rm,
        CvtRnd::Rp => t::Round::Rp,
        _ => return None,
    })
}

/// The result type of a conversion to an integer.
enum Result {
    Narrow(t::IntResult),
    Wide(t::Int64),
}

fn result(d: Cty) -> Result {
    Result::Narrow(match d {
        Cty::S64 => return Result::Wide(t::Int64::S64),
        Cty::U64 => return Result::Wide(t::Int64::U64),
        Cty::S8 => t::IntResult::S8,
        Cty::U8 => t::IntResult::U8,
        Cty::S16 => t::IntResult::S16,
        Cty::U16 => t::IntResult::U16,
        Cty::U32 => t::IntResult::U32,
        _ => t::IntResult::None,
    })
}

impl Result {
    fn any(self) -> t::IntResultAny {
        match self {
            Result::Narrow(t::IntResult::None) => t::IntResultAny::None,
            Result::Narrow(t::IntResult::U8) => t::IntResultAny::U8,
            Result::Narrow(t::IntResult::S8) => t::IntResultAny::S8,
            Result::Narrow(t::IntResult::U16) => t::IntResultAny::U16,
            Result::Narrow(t::IntResult::S16) => t::IntResultAny::S16,
            Result::Narrow(t::IntResult::U32) => t::IntResultAny::U32,
            Result::Wide(t::Int64::S64) => t::IntResultAny::S64,
            Result::Wide(t::Int64::U64) => t::IntResultAny::U64,
        }
    }
}
