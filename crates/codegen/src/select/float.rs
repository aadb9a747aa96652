//! Floating point and the multi-function unit.

use raddle_ir::{Cond, Fty, Ftz, MinMode, Mufu, Op, Rnd, Sat, Value, Width};

use super::{Part, Pp, Pred, Ra, Rb, Rc, Select, imm};
use crate::mir::MOp;
use crate::sass::{self, tokens as t};

/// Raw selector of the lower half.
const H0: u8 = 2;

pub(super) fn ftz(z: Ftz) -> t::Ftz {
    if z == Ftz::Yes { t::Ftz::Ftz } else { t::Ftz::None }
}

pub(super) fn saturate(s: Sat) -> t::Sat {
    if s == Sat::Yes { t::Sat::Sat } else { t::Sat::None }
}

fn rnd(r: Rnd) -> Option<t::Round> {
    Some(match r {
        Rnd::Rn => t::Round::None,
        Rnd::Rz => t::Round::Rz,
        Rnd::Rm => t::Round::Rm,
        Rnd::Rp => t::Round::Rp,
        Rnd::Rna => return None,
    })
}

pub(super) fn cond(c: Cond) -> t::FloatCmp {
    match c {
        Cond::Eq => t::FloatCmp::Eq,
        Cond::Ne => t::FloatCmp::Ne,
        Cond::Lt => t::FloatCmp::Lt,
        Cond::Le => t::FloatCmp::Le,
        Cond::Gt => t::FloatCmp::Gt,
        Cond::Ge => t::FloatCmp::Ge,
        Cond::Equ => t::FloatCmp::Equ,
        Cond::Neu => t::FloatCmp::Neu,
        Cond::Ltu => t::FloatCmp::Ltu,
        Cond::Leu => t::FloatCmp::Leu,
        Cond::Gtu => t::FloatCmp::Gtu,
        Cond::Geu => t::FloatCmp::Geu,
        Cond::Num => t::FloatCmp::Num,
        Cond::Nan => t::FloatCmp::Nan,
    }
}

impl Select<'_> {
    pub(super) fn float(&mut self, op: &Op, args: &[Value], r: Value) {
        match *op {
            Op::Fcmp(t, c, z) => {
                let p = self.fcmp(t, c, z, args[0], args[1]);
                self.set_pred(r, p);
            }
            Op::Fchk => {
                let (a, b) = (self.source(args[0], Fty::F32), self.source(args[1], Fty::F32));
                let p = self.emit_pred(sass::fchk(), &[(Ra, a), (Rb, b)]);
                self.set_pred(r, p);
            }
            Op::Mufu(f) => {
                let a = self.source(args[0], Fty::F32);
                let v = self.emit1(sass::mufu(mufu(f)), &[(Rb, a)]);
                self.set_regs(r, &[v]);
            }
            Op::MufuHalf(f, t) => {
                let a = self.part(args[0]);
                let a = MOp::reg(self.reg(a));
                let Some(f) = mufu_16(f, t == Fty::Bf16) else { return self.refuse() };
                let v = self.emit1(sass::mufu_16(f), &[(Rb, a)]);
                self.set_regs(r, &[v]);
            }
            Op::Rro(z) => {
                let a = self.source(args[0], Fty::F32);
                let v = self.emit1(sass::fmul(ftz(z), t::Round::Rz, t::Sat::None), &[(Ra, a), (Rb, imm(0x3e22_f983))]);
                self.set_regs(r, &[v]);
            }
            Op::Cvt(d, s, rnd, z, sat) => self.cvt(d, s, rnd, z, sat, args[0], r),
            Op::CvtPack(d, rnd, sat) => self.cvt_pack(d, rnd, sat, args, r),
            Op::Fadd(t, ..)
            | Op::Fmul(t, ..)
            | Op::Ffma(t, ..)
            | Op::Fneg(t, _)
            | Op::Fabs(t, _)
            | Op::Fmin(t, ..)
            | Op::Fmax(t, ..) => match t {
                Fty::F32 => self.single(op, args, r),
                Fty::F64 => self.double(op, args, r),
                _ => self.half(t, op, args, r),
            },
            _ => self.refuse(),
        }
    }

    /// An operand with preceding negations and absolute values as modifiers, where that is exact.
    pub(super) fn source(&mut self, v: Value, t: Fty) -> MOp {
        let (mut v, mut neg, mut abs) = (v, false, false);
        while let Some((op, args)) = self.def(v) {
            match op {
                Op::Fneg(u, Ftz::No) if u == t => {
                    neg ^= !abs;
                    v = args[0];
                }
                Op::Fabs(u, Ftz::No) if u == t => {
                    abs = true;
                    v = args[0];
                }
                _ => break,
            }
        }
        let parts = self.parts(v);
        let mut o = match t {
            Fty::F64 => self.double_operand(&parts),
            _ if neg || abs => {
                if let Part::Imm(n) = parts[0] {
                    let sign = if t == Fty::F32 { 0x8000_0000 } else { 0x8000_8000 };
                    let n = if abs { n & !sign } else { n };
                    return self.op(Part::Imm(if neg { n ^ sign } else { n }));
                }
                self.op(parts[0])
            }
            _ => self.op(parts[0]),
        };
        o.neg = neg;
        o.abs = abs;
        o
    }

    /// As [`Self::source`], but the absolute value of a register for `.XORSIGN`: it compares what the
    /// modifiers give, and uses the signs in the registers ("ptxas 13.0.88 output"; an H100 compares
    /// signed values without the modifier).
    fn signed_source(&mut self, op: &Op, v: Value, t: Fty) -> MOp {
        let signs =
            matches!(op, Op::Fmin(_, _, m) | Op::Fmax(_, _, m) if matches!(m, MinMode::XorSign | MinMode::NanXorSign));
        if signs {
            let part = self.part(v);
            return MOp { abs: true, ..MOp::reg(self.reg(part)) };
        }
        self.source(v, t)
    }

    /// A 64-bit float operand: an immediate where the lower half is zero.
    fn double_operand(&mut self, parts: &[Part]) -> MOp {
        match (parts[0], parts[1]) {
            (Part::Imm(0), Part::Imm(0)) => MOp::zero(),
            _ => self.regs(parts),
        }
    }

    fn single(&mut self, op: &Op, args: &[Value], r: Value) {
        let s: Vec<MOp> = args.iter().map(|&a| self.signed_source(op, a, Fty::F32)).collect();
        let v = match *op {
            Op::Fadd(_, r, z, c) => {
                let Some(r) = rnd(r) else { return self.refuse() };
                let (a, b) = commute(&s[0], &s[1]);
                self.emit1(sass::fadd(ftz(z), r, saturate(c)), &[(Ra, a), (Rb, b)])
            }
            Op::Fmul(_, r, z, c) => {
                let Some(r) = rnd(r) else { return self.refuse() };
                let (a, b) = commute(&s[0], &s[1]);
                self.emit1(sass::fmul(ftz(z), r, saturate(c)), &[(Ra, a), (Rb, b)])
            }
            Op::Ffma(_, r, z, c) => {
                let Some(r) = rnd(r) else { return self.refuse() };
                let (a, b) = commute(&s[0], &s[1]);
                self.emit1(sass::ffma(ftz(z), r, saturate(c)), &[(Ra, a), (Rb, b), (Rc, s[2].clone())])
            }
            Op::Fneg(_, z) => {
                let a = s[0].clone().negated();
                self.emit1(sass::fadd(ftz(z), t::Round::None, t::Sat::None), &[(Ra, a), (Rb, MOp::zero().negated())])
            }
            Op::Fabs(_, z) => {
                let a = MOp { abs: true, neg: false, ..s[0].clone() };
                self.emit1(sass::fadd(ftz(z), t::Round::None, t::Sat::None), &[(Ra, a), (Rb, MOp::zero().negated())])
            }
            Op::Fmin(_, z, m) | Op::Fmax(_, z, m) => {
                let p = Pred::Known(matches!(op, Op::Fmin(..))).op();
                let (a, b) = commute(&s[0], &s[1]);
                let (nan, sign) = min_mode(m);
                self.emit1(sass::fmnmx(ftz(z), nan, sign), &[(Ra, a), (Rb, b), (Pp, p)])
            }
            _ => return self.refuse(),
        };
        self.set_regs(r, &[v]);
    }

    fn double(&mut self, op: &Op, args: &[Value], r: Value) {
        let s: Vec<MOp> = args.iter().map(|&a| self.source(a, Fty::F64)).collect();
        let v = match *op {
            Op::Fadd(_, m, ..) => {
                let Some(m) = rnd(m) else { return self.refuse() };
                self.emit_wide(2, sass::dadd(m), &[(Ra, s[0].clone()), (super::Rc, s[1].clone())])
            }
            Op::Fmul(_, m, ..) => {
                let Some(m) = rnd(m) else { return self.refuse() };
                self.emit_wide(2, sass::dmul(m), &[(Ra, s[0].clone()), (Rb, s[1].clone())])
            }
            Op::Ffma(_, m, ..) => {
                let Some(m) = rnd(m) else { return self.refuse() };
                let given = [(Ra, s[0].clone()), (Rb, s[1].clone()), (Rc, s[2].clone())];
                self.emit_wide(2, sass::dfma(m), &given)
            }
            Op::Fneg(..) => {
                let a = s[0].clone().negated();
                self.emit_wide(2, sass::dadd(t::Round::None), &[(Ra, MOp::zero().negated()), (super::Rc, a)])
            }
            Op::Fabs(..) => {
                let a = MOp { abs: true, neg: false, ..s[0].clone() };
                self.emit_wide(2, sass::dadd(t::Round::None), &[(Ra, MOp::zero().negated()), (super::Rc, a)])
            }
            Op::Fmin(_, _, MinMode::Num) | Op::Fmax(_, _, MinMode::Num) => {
                return self.double_min_max(matches!(op, Op::Fmin(..)), args, r);
            }
            _ => return self.refuse(),
        };
        self.set_regs(r, &v);
    }

    /// The minimum or maximum of two numbers: a number rather than NaN, -0 below +0.
    fn double_min_max(&mut self, least: bool, args: &[Value], r: Value) {
        let (a, b) = (self.parts(args[0]), self.parts(args[1]));
        let first = self.fcmp(Fty::F64, if least { Cond::Lt } else { Cond::Gt }, Ftz::No, args[0], args[1]);
        let same = self.fcmp(Fty::F64, Cond::Eq, Ftz::No, args[0], args[1]);
        let b_nan = self.fcmp(Fty::F64, Cond::Nan, Ftz::No, args[1], args[1]);
        let a_nan = self.fcmp(Fty::F64, Cond::Nan, Ftz::No, args[0], args[0]);
        let take_a = self.plop3(first, b_nan, Pred::Known(false), 0xf0 | 0xcc);
        // Equal numbers differ at most in the sign of zero: the minimum is negative if one is, the
        // maximum if both are.
        let signs = self.lop(a[1], b[1], if least { 0xfc } else { 0xc0 });
        let lo = self.sel(take_a, a[0], b[0]);
        let hi = self.sel(take_a, a[1], b[1]);
        let hi = self.sel(same, signs, hi);
        let both = self.plop3(a_nan, b_nan, Pred::Known(true), 0xf0 & 0xcc);
        let lo = self.sel(both, Part::Imm(0), lo);
        let hi = self.sel(both, Part::Imm(0xfff8_0000), hi);
        self.set(r, &[lo, hi]);
    }

    pub(super) fn half_operand(&mut self, v: Value, t: Fty) -> MOp {
        let o = self.source(v, t);
        Self::halves(o, t)
    }

    fn halves(mut o: MOp, t: Fty) -> MOp {
        // An immediate has both halves; of a register the lower half is selected.
        match &mut o.kind {
            crate::mir::MKind::Imm(n) if t.width() == Width::B16 => *n = (*n & 0xffff) | *n << 16,
            crate::mir::MKind::Regs(_) if t.width() == Width::B16 => o.sel = H0,
            _ => {}
        }
        o
    }

    fn half(&mut self, t: Fty, op: &Op, args: &[Value], r: Value) {
        let brain = matches!(t, Fty::Bf16 | Fty::Bf16x2);
        let fmt = if brain { t::Bf16V2::Bf16V2 } else { t::Bf16V2::None };
        let s: Vec<MOp> = args.iter().map(|&a| Self::halves(self.signed_source(op, a, t), t)).collect();
        let mods = |m: Rnd, z: Ftz, c: Sat| (m == Rnd::Rn).then(|| (ftz(z), saturate(c)));
        let one = if brain { 0x3f80_3f80 } else { 0x3c00_3c00 };
        let v = match *op {
            Op::Fadd(_, m, z, c) => {
                let Some((z, c)) = mods(m, z, c) else { return self.refuse() };
                if brain && !self.hopper() {
                    self.emit1(sass::hfma2(fmt, z, c), &[(Ra, s[0].clone()), (Rb, imm(one)), (Rc, s[1].clone())])
                } else {
                    self.emit1(sass::hadd2(fmt, z, c), &[(Ra, s[0].clone()), (Rb, s[1].clone())])
                }
            }
            Op::Fmul(_, m, z, c) => {
                let Some((z, c)) = mods(m, z, c) else { return self.refuse() };
                if brain && !self.hopper() {
                    let given = [(Ra, s[0].clone()), (Rb, s[1].clone()), (Rc, MOp::zero().negated())];
                    self.emit1(sass::hfma2(fmt, z, c), &given)
                } else {
                    self.emit1(sass::hmul2(fmt, z, c), &[(Ra, s[0].clone()), (Rb, s[1].clone())])
                }
            }
            Op::Ffma(_, m, z, c) => {
                let Some((z, s_)) = mods(m, z, c) else { return self.refuse() };
                let name = if c == Sat::Relu { sass::hfma2_relu(fmt, z) } else { sass::hfma2(fmt, z, s_) };
                self.emit1(name, &[(Ra, s[0].clone()), (Rb, s[1].clone()), (Rc, s[2].clone())])
            }
            Op::Fneg(..) | Op::Fabs(..) => {
                // Only the sign bit changes.
                let (p, q) = (self.part(args[0]), matches!(op, Op::Fneg(..)));
                let x = if q {
                    self.lop(p, Part::Imm(0x8000_8000), 0x3c)
                } else {
                    self.lop(p, Part::Imm(0x7fff_7fff), 0xc0)
                };
                return self.set(r, &[x]);
            }
            Op::Fmin(_, z, m) | Op::Fmax(_, z, m) => {
                let p = Pred::Known(matches!(op, Op::Fmin(..))).op();
                let given = [(Ra, s[0].clone()), (Rb, s[1].clone()), (Pp, p)];
                let (nan, sign) = min_mode(m);
                self.emit1(sass::hmnmx2(fmt, ftz(z), nan, sign), &given)
            }
            _ => return self.refuse(),
        };
        self.set_regs(r, &[v]);
    }

    fn fcmp(&mut self, t: Fty, c: Cond, z: Ftz, a: Value, b: Value) -> Pred {
        let name = match t {
            Fty::F32 => sass::fsetp(cond(c), ftz(z)),
            Fty::F64 => sass::dsetp(cond(c)),
            Fty::F16 => sass::hsetp2(t::Bf16V2::None, cond(c), ftz(z)),
            Fty::Bf16 => sass::hsetp2(t::Bf16V2::Bf16V2, cond(c), ftz(z)),
            _ => {
                self.refuse();
                return Pred::Known(false);
            }
        };
        let (x, y) = match t {
            Fty::F16 | Fty::Bf16 => (self.half_operand(a, t), self.half_operand(b, t)),
            _ => (self.source(a, t), self.source(b, t)),
        };
        self.emit_pred(name, &[(Ra, x), (Rb, y)])
    }
}

/// Moves an immediate to the second operand.
fn commute(a: &MOp, b: &MOp) -> (MOp, MOp) {
    if matches!(a.kind, crate::mir::MKind::Imm(_)) { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) }
}

fn min_mode(m: MinMode) -> (t::Nan, t::Xorsign) {
    match m {
        MinMode::Num => (t::Nan::None, t::Xorsign::None),
        MinMode::Nan => (t::Nan::Nan, t::Xorsign::None),
        MinMode::XorSign => (t::Nan::None, t::Xorsign::Xorsign),
        MinMode::NanXorSign => (t::Nan::Nan, t::Xorsign::Xorsign),
    }
}

fn mufu(f: Mufu) -> t::Function {
    match f {
        Mufu::Rcp => t::Function::Rcp,
        Mufu::Rsq => t::Function::Rsq,
        Mufu::Sqrt => t::Function::Sqrt,
        Mufu::Ex2 => t::Function::Ex2,
        Mufu::Lg2 => t::Function::Lg2,
        Mufu::Sin => t::Function::Sin,
        Mufu::Cos => t::Function::Cos,
        Mufu::Tanh => t::Function::Tanh,
        Mufu::Rcp64h => t::Function::Rcp64h,
        Mufu::Rsq64h => t::Function::Rsq64h,
    }
}

/// The function for f16, or for bf16; `None` for those on halves of f64.
fn mufu_16(f: Mufu, brain: bool) -> Option<t::Function16> {
    Some(match (f, brain) {
        (Mufu::Rcp, false) => t::Function16::RcpF16,
        (Mufu::Rcp, true) => t::Function16::RcpBf16,
        (Mufu::Rsq, false) => t::Function16::RsqF16,
        (Mufu::Rsq, true) => t::Function16::RsqBf16,
        (Mufu::Sqrt, false) => t::Function16::SqrtF16,
        (Mufu::Sqrt, true) => t::Function16::SqrtBf16,
        (Mufu::Ex2, false) => t::Function16::Ex2F16,
        (Mufu::Ex2, true) => t::Function16::Ex2Bf16,
        (Mufu::Lg2, false) => t::Function16::Lg2F16,
        (Mufu::Lg2, true) => t::Function16::Lg2Bf16,
        (Mufu::Sin, false) => t::Function16::SinF16,
        (Mufu::Sin, true) => t::Function16::SinBf16,
        (Mufu::Cos, false) => t::Function16::CosF16,
        (Mufu::Cos, true) => t::Function16::CosBf16,
        (Mufu::Tanh, false) => t::Function16::TanhF16,
        (Mufu::Tanh, true) => t::Function16::TanhBf16,
        (Mufu::Rcp64h | Mufu::Rsq64h, _) => return None,
    })
}
