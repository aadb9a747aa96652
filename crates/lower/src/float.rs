//! Floating-point arithmetic (PTX ISA 9.0, 9.7.3 to 9.7.5).
//!
//! Approximate operations have their canonical expansion around the multi-function unit, which
//! takes subnormal inputs for zero: without `.ftz` they are scaled into its range and back ("ptxas
//! 13.0.88 output" of `ex2.approx.f32` etc.).

use crate::build::Lower;
use crate::reason::{Reason, fty_of, not_yet, unsupported, width_of};
use raddle_ir::{Cond, Fty, Ftz, MinMode, Mufu, Op as I, Rnd, Sat, Sign, Value, Width};
use raddle_ptx::{InstId, Mod, Op, Ty};

/// Smallest normal f32.
const MIN_NORMAL: u32 = 0x0080_0000;
/// 2^126: above it the reciprocal is subnormal.
const TWO_126: u32 = 0x7e80_0000;
const TWO_24: f32 = 16_777_216.0;

impl Lower<'_> {
    /// Lowers floating-point instructions except comparisons and conversions.
    pub(crate) fn float(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let op = body.op(inst);
        let ty = body.types(inst)[0];
        let has = |m| body.has(inst, m);
        match op {
            Op::Testp => return self.testp(inst, ty),
            Op::Copysign => return self.copysign(inst, ty),
            _ => {}
        }
        let fty = fty_of(ty)?;
        let width = fty.width();
        let ftz = if has(Mod::Ftz) { Ftz::Yes } else { Ftz::No };
        let rnd = rounding(body.mods(inst));
        let sat = match (has(Mod::Sat), has(Mod::Relu)) {
            (true, _) => Sat::Yes,
            (_, true) => Sat::Relu,
            _ => Sat::No,
        };
        if has(Mod::Oob) {
            // HFMA2.OOB, bits 76 and 80 of HFMA2 ("ptxas 13.0.88 output"). Tried: the manual,
            // which calls it "OOB NaN"; constant operands in each place, all f16 and bf16 NaNs and infinities,
            // of which ptxas folds none; public sources, whose GPU tests are for sm_100a and sm_120 (0x7ff7).
            return unsupported("which NaN means out of bounds, and what others do, is not documented for sm_90");
        }
        let count = body.insts[inst].operand_count() - 1;
        let args = self.operands_from(inst, 1, count, ty)?;
        let open = !body.mods(inst).iter().any(|m| matches!(m, Mod::Rn | Mod::Rz | Mod::Rm | Mod::Rp));
        let fused = match op {
            Op::Add | Op::Sub if open => self.contracted(fty, ftz, sat, [args[0], args[1]], op == Op::Sub),
            _ => None,
        };
        let v = match op {
            Op::Add | Op::Sub if let Some(fused) = fused => fused,
            Op::Add => self.emit(I::Fadd(fty, rnd, ftz, sat), &args, width),
            Op::Sub => {
                let b = self.emit(I::Fneg(fty, Ftz::No), &args[1..2], width);
                self.emit(I::Fadd(fty, rnd, ftz, sat), &[args[0], b], width)
            }
            Op::Mul => {
                let product = self.emit(I::Fmul(fty, rnd, ftz, sat), &args, width);
                if open && sat == Sat::No {
                    self.open_product(product);
                }
                product
            }
            Op::Fma | Op::Mad => self.emit(I::Ffma(fty, rnd, ftz, sat), &args, width),
            Op::Neg | Op::Abs => {
                let sign = if op == Op::Neg { I::Fneg(fty, ftz) } else { I::Fabs(fty, ftz) };
                let v = self.emit(sign, &args, width);
                match (fty, ftz) {
                    // Half-precision negation only changes the sign bit: adding -0 flushes.
                    (Fty::F16 | Fty::F16x2, Ftz::Yes) => {
                        let zero = self.constant(0x8000_8000 & width.mask(), width);
                        self.emit(I::Fadd(fty, Rnd::Rn, ftz, Sat::No), &[v, zero], width)
                    }
                    _ => v,
                }
            }
            Op::Min | Op::Max => {
                if args.len() != 2 {
                    return unsupported("three operands");
                }
                let mode = match (has(Mod::NaN), has(Mod::Xorsign)) {
                    (false, false) => MinMode::Num,
                    (true, false) => MinMode::Nan,
                    (false, true) => MinMode::XorSign,
                    (true, true) => MinMode::NanXorSign,
                };
                let op = if op == Op::Min { I::Fmin(fty, ftz, mode) } else { I::Fmax(fty, ftz, mode) };
                self.emit(op, &args, width)
            }
            _ if has(Mod::Approx) || has(Mod::Full) => self.approximate(op, fty, ftz, has(Mod::Full), &args)?,
            Op::Div => self.emit(I::Fdiv(fty, rnd, ftz), &args, width),
            Op::Rcp => self.emit(I::Frcp(fty, rnd, ftz), &args, width),
            Op::Sqrt => self.emit(I::Fsqrt(fty, rnd, ftz), &args, width),
            _ => return not_yet(),
        };
        self.set(inst, v)
    }

    fn f32(&mut self, x: f32) -> Value {
        self.constant(u64::from(x.to_bits()), Width::B32)
    }

    fn fmul(&mut self, a: Value, b: Value, ftz: Ftz) -> Value {
        self.emit(I::Fmul(Fty::F32, Rnd::Rn, ftz, Sat::No), &[a, b], Width::B32)
    }

    fn mufu(&mut self, function: Mufu, a: Value) -> Value {
        self.emit(I::Mufu(function), &[a], Width::B32)
    }

    /// Compares |a| with a constant.
    fn magnitude(&mut self, a: Value, cond: Cond, bits: u32, ftz: Ftz) -> Value {
        let abs = self.emit(I::Fabs(Fty::F32, Ftz::No), &[a], Width::B32);
        let bound = self.constant(u64::from(bits), Width::B32);
        self.emit(I::Fcmp(Fty::F32, cond, ftz), &[abs, bound], Width::P)
    }

    /// Emits `p ? v : v * factor`.
    fn scale_unless(&mut self, p: Value, v: Value, factor: f32) -> Value {
        let by = self.f32(factor);
        let scaled = self.fmul(v, by, Ftz::No);
        self.emit(I::Select, &[p, v, scaled], Width::B32)
    }

    /// Scales a subnormal by 2^24, applies the function, and removes the scale from the result.
    fn scaled(&mut self, a: Value, function: Mufu, back: impl Fn(&mut Self, Value) -> Value) -> Value {
        let normal = self.magnitude(a, Cond::Geu, MIN_NORMAL, Ftz::No);
        let x = self.scale_unless(normal, a, TWO_24);
        let y = self.mufu(function, x);
        let unscaled = back(self, y);
        self.emit(I::Select, &[normal, y, unscaled], Width::B32)
    }

    fn approximate(&mut self, op: Op, fty: Fty, ftz: Ftz, full: bool, args: &[Value]) -> Result<Value, Reason> {
        if fty == Fty::F64 {
            return self.approximate64(op, ftz, args);
        }
        if fty != Fty::F32 {
            return self.half_function(op, fty, args[0]);
        }
        let a = args[0];
        let flush = ftz == Ftz::Yes;
        Ok(match op {
            Op::Rcp if flush => self.mufu(Mufu::Rcp, a),
            Op::Rsqrt if flush => self.mufu(Mufu::Rsq, a),
            Op::Sqrt if flush => self.mufu(Mufu::Sqrt, a),
            Op::Ex2 if flush => self.mufu(Mufu::Ex2, a),
            Op::Lg2 if flush => self.mufu(Mufu::Lg2, a),
            Op::Tanh => self.mufu(Mufu::Tanh, a),
            Op::Sin | Op::Cos => {
                let reduced = self.emit(I::Rro(ftz), &[a], Width::B32);
                self.mufu(if op == Op::Sin { Mufu::Sin } else { Mufu::Cos }, reduced)
            }
            Op::Rcp => {
                // 2^24 below the normal range, 1/4 above 2^126, else 1, both before and after.
                let normal = self.magnitude(a, Cond::Geu, MIN_NORMAL, Ftz::No);
                let large = self.magnitude(a, Cond::Gt, TWO_126, Ftz::No);
                let (up, one, down) = (self.f32(TWO_24), self.f32(1.0), self.f32(0.25));
                let by = self.emit(I::Select, &[normal, one, up], Width::B32);
                let by = self.emit(I::Select, &[large, down, by], Width::B32);
                let x = self.fmul(a, by, Ftz::No);
                let y = self.mufu(Mufu::Rcp, x);
                self.fmul(by, y, Ftz::No)
            }
            Op::Rsqrt => self.scaled(a, Mufu::Rsq, |l, y| {
                let by = l.f32(4096.0);
                l.fmul(y, by, Ftz::No)
            }),
            Op::Sqrt => self.scaled(a, Mufu::Sqrt, |l, y| {
                let by = l.f32(1.0 / 4096.0);
                l.fmul(y, by, Ftz::No)
            }),
            Op::Lg2 => self.scaled(a, Mufu::Lg2, |l, y| {
                let by = l.f32(-24.0);
                l.emit(I::Fadd(Fty::F32, Rnd::Rn, Ftz::No, Sat::No), &[y, by], Width::B32)
            }),
            Op::Ex2 => {
                // Below -126 the result is subnormal: square the result for half the argument.
                let bound = self.f32(-126.0);
                let normal = self.emit(I::Fcmp(Fty::F32, Cond::Geu, Ftz::No), &[a, bound], Width::P);
                let x = self.scale_unless(normal, a, 0.5);
                let y = self.mufu(Mufu::Ex2, x);
                let squared = self.fmul(y, y, Ftz::No);
                self.emit(I::Select, &[normal, y, squared], Width::B32)
            }
            Op::Div => self.divide(args[0], args[1], ftz, full),
            _ => return not_yet(),
        })
    }

    /// Lowers `div.approx` and `div.full`: both operands scaled equally, then a * (1 / b).
    fn divide(&mut self, mut a: Value, mut b: Value, ftz: Ftz, full: bool) -> Value {
        let magnitude = b;
        if full {
            let large = self.magnitude(magnitude, Cond::Gt, TWO_126, ftz);
            let by = self.f32(0.25);
            for v in [&mut a, &mut b] {
                let scaled = self.fmul(*v, by, ftz);
                *v = self.emit(I::Select, &[large, scaled, *v], Width::B32);
            }
        }
        if ftz == Ftz::No {
            let normal = self.magnitude(magnitude, Cond::Geu, MIN_NORMAL, Ftz::No);
            a = self.scale_unless(normal, a, TWO_24);
            b = self.scale_unless(normal, b, TWO_24);
        }
        let inverse = self.mufu(Mufu::Rcp, b);
        self.fmul(a, inverse, ftz)
    }

    /// Lowers `rsqrt.approx.f64`: the unit's value y, and one step of third order, y + y e (3/8 e +
    /// 1/2) with e = 1 - x y^2; below the normal range scaled by 2^54 before and 2^27 after.
    fn inverse_root64(&mut self, a: Value) -> Value {
        let wide = Width::B64;
        let number = |l: &mut Self, x: f64| l.constant(x.to_bits(), wide);
        let fma = |l: &mut Self, args: &[Value]| l.emit(I::Ffma(Fty::F64, Rnd::Rn, Ftz::No, Sat::No), args, wide);
        let mul = |l: &mut Self, x, y| l.emit(I::Fmul(Fty::F64, Rnd::Rn, Ftz::No, Sat::No), &[x, y], wide);
        let least = number(self, f64::MIN_POSITIVE);
        let small = self.icmp(Cond::Lt, Sign::U, a, least);
        let up = number(self, 18_014_398_509_481_984.0);
        let scaled = mul(self, a, up);
        let x = self.emit(I::Select, &[small, scaled, a], wide);
        let halves = self.emit_many(I::Unpack, &[x], &[Width::B32, Width::B32]);
        let high = self.emit(I::Mufu(Mufu::Rsq64h), &[halves[1]], Width::B32);
        let low = self.constant(0, Width::B32);
        let y = self.emit(I::Pack, &[low, high], wide);
        let square = mul(self, y, y);
        let square = self.emit(I::Fneg(Fty::F64, Ftz::No), &[square], wide);
        let (one, half, three_eighths) = (number(self, 1.0), number(self, 0.5), number(self, 0.375));
        let e = fma(self, &[x, square, one]);
        let t = fma(self, &[e, three_eighths, half]);
        let step = mul(self, y, e);
        let root = fma(self, &[t, step, y]);
        let down = number(self, 134_217_728.0);
        let unscaled = mul(self, root, down);
        let root = self.emit(I::Select, &[small, unscaled, root], wide);
        // Zero gives infinity of its sign, infinity zero, NaN and negative numbers NaN.
        let (zero, infinity, nan) = (number(self, 0.0), number(self, f64::INFINITY), self.constant(0xfff8 << 48, wide));
        let (sign, magnitude) = (self.constant(1 << 63, wide), self.constant(!(1 << 63), wide));
        let root = {
            let infinite = self.icmp(Cond::Eq, Sign::U, a, infinity);
            self.emit(I::Select, &[infinite, zero, root], wide)
        };
        let ordinary = self.icmp(Cond::Le, Sign::U, a, infinity);
        let root = self.emit(I::Select, &[ordinary, root, nan], wide);
        let abs = self.emit(I::And, &[a, magnitude], wide);
        let is_zero = self.icmp(Cond::Eq, Sign::U, abs, zero);
        let sign = self.emit(I::And, &[a, sign], wide);
        let signed = self.emit(I::Or, &[sign, infinity], wide);
        self.emit(I::Select, &[is_zero, signed, root], wide)
    }

    /// Lowers `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`, on the upper halves only.
    fn approximate64(&mut self, op: Op, ftz: Ftz, args: &[Value]) -> Result<Value, Reason> {
        if op == Op::Rsqrt && ftz == Ftz::No {
            return Ok(self.inverse_root64(args[0]));
        }
        let function = match op {
            Op::Rcp if ftz == Ftz::Yes => Mufu::Rcp64h,
            Op::Rsqrt if ftz == Ftz::Yes => Mufu::Rsq64h,
            _ => return not_yet(),
        };
        let halves = self.emit_many(I::Unpack, &args[..1], &[Width::B32, Width::B32]);
        let high = self.mufu(function, halves[1]);
        let low = self.constant(0, Width::B32);
        Ok(self.emit(I::Pack, &[low, high], Width::B64))
    }

    /// Lowers `testp` (PTX ISA 9.0, 9.7.3.1), on the bits of the magnitude. Zero counts as normal.
    fn testp(&mut self, inst: InstId, ty: Ty) -> Result<(), Reason> {
        let body = self.input.body;
        let width = width_of(ty)?;
        let (infinity, min_normal) = match ty {
            Ty::F32 => (0x7f80_0000u64, 0x0080_0000u64),
            Ty::F64 => (0x7ff0_0000_0000_0000, 0x0010_0000_0000_0000),
            _ => return not_yet(),
        };
        let a = self.operand(inst, 1, ty)?;
        let mask = self.constant(width.mask() >> 1, width);
        let bits = self.emit(I::And, &[a, mask], width);
        let infinity_value = self.constant(infinity, width);
        let against = |l: &mut Self, cond| l.icmp(cond, Sign::U, bits, infinity_value);
        let p = match body
            .one_of(inst, &[Mod::Finite, Mod::Infinite, Mod::Number, Mod::Notanumber, Mod::Normal, Mod::Subnormal])
        {
            Some(Mod::Finite) => against(self, Cond::Lt),
            Some(Mod::Infinite) => against(self, Cond::Eq),
            Some(Mod::Number) => against(self, Cond::Le),
            Some(Mod::Notanumber) => against(self, Cond::Gt),
            Some(kind) => {
                let one = self.constant(1, width);
                let below = self.emit(I::Sub, &[bits, one], width);
                let limit = self.constant(min_normal - 1, width);
                let subnormal = self.icmp(Cond::Lt, Sign::U, below, limit);
                if kind == Mod::Subnormal {
                    subnormal
                } else {
                    let finite = against(self, Cond::Lt);
                    let not = self.emit(I::Not, &[subnormal], Width::P);
                    self.emit(I::And, &[finite, not], Width::P)
                }
            }
            None => return not_yet(),
        };
        self.set(inst, p)
    }

    /// Lowers `copysign d, a, b`: b with the sign of a (PTX ISA 9.0, 9.7.3.2).
    fn copysign(&mut self, inst: InstId, ty: Ty) -> Result<(), Reason> {
        let width = width_of(ty)?;
        let args = self.operands_from(inst, 1, 2, ty)?;
        let sign = self.constant(1 << (width.bits() - 1), width);
        let rest = self.constant(width.mask() >> 1, width);
        let a = self.emit(I::And, &[args[0], sign], width);
        let b = self.emit(I::And, &[args[1], rest], width);
        let v = self.emit(I::Or, &[a, b], width);
        self.set(inst, v)
    }
}

fn rounding(mods: &[Mod]) -> Rnd {
    mods.iter()
        .find_map(|m| {
            Some(match m {
                Mod::Rn => Rnd::Rn,
                Mod::Rz => Rnd::Rz,
                Mod::Rm => Rnd::Rm,
                Mod::Rp => Rnd::Rp,
                Mod::Rna => Rnd::Rna,
                _ => return None,
            })
        })
        .unwrap_or(Rnd::Rn)
}
