//! Floating point, conversions, the multi-function unit.

use raddle_ir::{Cond, Cty, CvtRnd, Fty, Ftz, MinMode, Mufu, Op, Rnd, Sat, Sign, Value, Width};

use raddle_sass::Isa;

use super::{Part, Pp, Pred, Ra, Rb, Rc, Select, imm};
use crate::mir::MOp;

/// Raw selector of the lower half.
const H0: u8 = 2;

fn ftz(z: Ftz) -> &'static str {
    if z == Ftz::Yes { ".FTZ" } else { "" }
}

fn rnd(r: Rnd) -> Option<&'static str> {
    Some(match r {
        Rnd::Rn => "",
        Rnd::Rz => ".RZ",
        Rnd::Rm => ".RM",
        Rnd::Rp => ".RP",
        Rnd::Rna => return None,
    })
}

fn cond(c: Cond) -> &'static str {
    match c {
        Cond::Eq => "EQ",
        Cond::Ne => "NE",
        Cond::Lt => "LT",
        Cond::Le => "LE",
        Cond::Gt => "GT",
        Cond::Ge => "GE",
        Cond::Equ => "EQU",
        Cond::Neu => "NEU",
        Cond::Ltu => "LTU",
        Cond::Leu => "LEU",
        Cond::Gtu => "GTU",
        Cond::Geu => "GEU",
        Cond::Num => "NUM",
        Cond::Nan => "NAN",
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
                let p = self.emit_pred("FCHK", &[(Ra, a), (Rb, b)]);
                self.set_pred(r, p);
            }
            Op::Mufu(f) => {
                let a = self.source(args[0], Fty::F32);
                let v = self.emit1(&format!("MUFU.{}", mufu(f)), &[(Rb, a)]);
                self.set_regs(r, &[v]);
            }
            Op::MufuHalf(f, t) => {
                let a = self.part(args[0]);
                let a = MOp::reg(self.reg(a));
                let format = if t == Fty::Bf16 { "BF16" } else { "F16" };
                let v = self.emit1(&format!("MUFU.{}.{format}", mufu(f)), &[(Rb, a)]);
                self.set_regs(r, &[v]);
            }
            Op::Rro(z) => {
                let a = self.source(args[0], Fty::F32);
                let v = self.emit1(&format!("FMUL{}.RZ", ftz(z)), &[(Ra, a), (Rb, imm(0x3e22_f983))]);
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

    /// An operand with the negations and absolute values in front of it as modifiers, where they do nothing else.
    fn source(&mut self, v: Value, t: Fty) -> MOp {
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

    /// As [`Self::source`], but plain for `.XORSIGN`, which looks at the signs in the registers, not behind the modifiers.
    fn signed_source(&mut self, op: &Op, v: Value, t: Fty) -> MOp {
        let signs =
            matches!(op, Op::Fmin(_, _, m) | Op::Fmax(_, _, m) if matches!(m, MinMode::XorSign | MinMode::NanXorSign));
        if signs {
            let part = self.part(v);
            return self.op(part);
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
        let sat_ = |s: Sat| if s == Sat::Yes { ".SAT" } else { "" };
        let v = match *op {
            Op::Fadd(_, r, z, c) => {
                let Some(r) = rnd(r) else { return self.refuse() };
                let (a, b) = commute(&s[0], &s[1]);
                self.emit1(&format!("FADD{}{r}{}", ftz(z), sat_(c)), &[(Ra, a), (Rb, b)])
            }
            Op::Fmul(_, r, z, c) => {
                let Some(r) = rnd(r) else { return self.refuse() };
                let (a, b) = commute(&s[0], &s[1]);
                self.emit1(&format!("FMUL{}{r}{}", ftz(z), sat_(c)), &[(Ra, a), (Rb, b)])
            }
            Op::Ffma(_, r, z, c) => {
                let Some(r) = rnd(r) else { return self.refuse() };
                let (a, b) = commute(&s[0], &s[1]);
                self.emit1(&format!("FFMA{}{r}{}", ftz(z), sat_(c)), &[(Ra, a), (Rb, b), (Rc, s[2].clone())])
            }
            Op::Fneg(_, z) => {
                let a = s[0].clone().negated();
                self.emit1(&format!("FADD{}", ftz(z)), &[(Ra, a), (Rb, MOp::zero().negated())])
            }
            Op::Fabs(_, z) => {
                let a = MOp { abs: true, neg: false, ..s[0].clone() };
                self.emit1(&format!("FADD{}", ftz(z)), &[(Ra, a), (Rb, MOp::zero().negated())])
            }
            Op::Fmin(_, z, m) | Op::Fmax(_, z, m) => {
                let p = Pred::Known(matches!(op, Op::Fmin(..))).op();
                let (a, b) = commute(&s[0], &s[1]);
                self.emit1(&format!("FMNMX{}{}", ftz(z), min_mode(m)), &[(Ra, a), (Rb, b), (Pp, p)])
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
                self.emit_wide(2, &format!("DADD{m}"), &[(Ra, s[0].clone()), (super::Rc, s[1].clone())])
            }
            Op::Fmul(_, m, ..) => {
                let Some(m) = rnd(m) else { return self.refuse() };
                self.emit_wide(2, &format!("DMUL{m}"), &[(Ra, s[0].clone()), (Rb, s[1].clone())])
            }
            Op::Ffma(_, m, ..) => {
                let Some(m) = rnd(m) else { return self.refuse() };
                let given = [(Ra, s[0].clone()), (Rb, s[1].clone()), (Rc, s[2].clone())];
                self.emit_wide(2, &format!("DFMA{m}"), &given)
            }
            Op::Fneg(..) => {
                let a = s[0].clone().negated();
                self.emit_wide(2, "DADD", &[(Ra, MOp::zero().negated()), (super::Rc, a)])
            }
            Op::Fabs(..) => {
                let a = MOp { abs: true, neg: false, ..s[0].clone() };
                self.emit_wide(2, "DADD", &[(Ra, MOp::zero().negated()), (super::Rc, a)])
            }
            Op::Fmin(_, _, MinMode::Num) | Op::Fmax(_, _, MinMode::Num) => {
                return self.double_min_max(matches!(op, Op::Fmin(..)), args, r);
            }
            _ => return self.refuse(),
        };
        self.set_regs(r, &v);
    }

    /// The lesser (greater) of two numbers, a number rather than NaN, -0 below +0.
    fn double_min_max(&mut self, least: bool, args: &[Value], r: Value) {
        let (a, b) = (self.parts(args[0]), self.parts(args[1]));
        let first = self.fcmp(Fty::F64, if least { Cond::Lt } else { Cond::Gt }, Ftz::No, args[0], args[1]);
        let same = self.fcmp(Fty::F64, Cond::Eq, Ftz::No, args[0], args[1]);
        let b_nan = self.fcmp(Fty::F64, Cond::Nan, Ftz::No, args[1], args[1]);
        let a_nan = self.fcmp(Fty::F64, Cond::Nan, Ftz::No, args[0], args[0]);
        let take_a = self.plop3(first, b_nan, Pred::Known(false), 0xf0 | 0xcc);
        // Equal numbers differ in the sign of zero only: any sign wins for the minimum, both are needed for the maximum.
        let signs = self.lop(a[1], b[1], if least { 0xfc } else { 0xc0 });
        let lo = self.sel(take_a, a[0], b[0]);
        let hi = self.sel(take_a, a[1], b[1]);
        let hi = self.sel(same, signs, hi);
        let both = self.plop3(a_nan, b_nan, Pred::Known(true), 0xf0 & 0xcc);
        let lo = self.sel(both, Part::Imm(0), lo);
        let hi = self.sel(both, Part::Imm(0xfff8_0000), hi);
        self.set(r, &[lo, hi]);
    }

    fn half_operand(&mut self, v: Value, t: Fty) -> MOp {
        let o = self.source(v, t);
        Self::halves(o, t)
    }

    fn halves(mut o: MOp, t: Fty) -> MOp {
        // Both halves of an immediate are used; a register's lower half is picked.
        match &mut o.kind {
            crate::mir::MKind::Imm(n) if t.width() == Width::B16 => *n = (*n & 0xffff) | *n << 16,
            crate::mir::MKind::Regs(_) if t.width() == Width::B16 => o.sel = H0,
            _ => {}
        }
        o
    }

    fn half(&mut self, t: Fty, op: &Op, args: &[Value], r: Value) {
        let brain = matches!(t, Fty::Bf16 | Fty::Bf16x2);
        let fmt = if brain { ".BF16_V2" } else { "" };
        let s: Vec<MOp> = args.iter().map(|&a| Self::halves(self.signed_source(op, a, t), t)).collect();
        let mods =
            |m: Rnd, z: Ftz, c: Sat| (m == Rnd::Rn).then(|| (ftz(z), if c == Sat::Yes { ".SAT" } else { "" }, c));
        let one = if brain { 0x3f80_3f80 } else { 0x3c00_3c00 };
        let v = match *op {
            Op::Fadd(_, m, z, c) => {
                let Some((z, c, _)) = mods(m, z, c) else { return self.refuse() };
                if brain && !self.hopper() {
                    self.emit1(&format!("HFMA2{fmt}{z}{c}"), &[(Ra, s[0].clone()), (Rb, imm(one)), (Rc, s[1].clone())])
                } else {
                    self.emit1(&format!("HADD2{fmt}{z}{c}"), &[(Ra, s[0].clone()), (Rb, s[1].clone())])
                }
            }
            Op::Fmul(_, m, z, c) => {
                let Some((z, c, _)) = mods(m, z, c) else { return self.refuse() };
                if brain && !self.hopper() {
                    let given = [(Ra, s[0].clone()), (Rb, s[1].clone()), (Rc, MOp::zero().negated())];
                    self.emit1(&format!("HFMA2{fmt}{z}{c}"), &given)
                } else {
                    self.emit1(&format!("HMUL2{fmt}{z}{c}"), &[(Ra, s[0].clone()), (Rb, s[1].clone())])
                }
            }
            Op::Ffma(_, m, z, c) => {
                let Some((z, c, mode)) = mods(m, z, c) else { return self.refuse() };
                let c = if mode == Sat::Relu { ".RELU" } else { c };
                self.emit1(&format!("HFMA2{fmt}{z}{c}"), &[(Ra, s[0].clone()), (Rb, s[1].clone()), (Rc, s[2].clone())])
            }
            Op::Fneg(..) | Op::Fabs(..) => {
                // The sign bits alone.
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
                self.emit1(&format!("HMNMX2{fmt}{}{}", ftz(z), min_mode(m)), &given)
            }
            _ => return self.refuse(),
        };
        self.set_regs(r, &[v]);
    }

    fn fcmp(&mut self, t: Fty, c: Cond, z: Ftz, a: Value, b: Value) -> Pred {
        let name = match t {
            Fty::F32 => format!("FSETP.{}{}.AND", cond(c), ftz(z)),
            Fty::F64 => format!("DSETP.{}.AND", cond(c)),
            Fty::F16 => format!("HSETP2.{}{}.AND", cond(c), ftz(z)),
            Fty::Bf16 => format!("HSETP2.BF16_V2.{}{}.AND", cond(c), ftz(z)),
            _ => {
                self.refuse();
                return Pred::Known(false);
            }
        };
        let (x, y) = match t {
            Fty::F16 | Fty::Bf16 => (self.half_operand(a, t), self.half_operand(b, t)),
            _ => (self.source(a, t), self.source(b, t)),
        };
        self.emit_pred(&name, &[(Ra, x), (Rb, y)])
    }

    // Conversions.

    #[expect(clippy::too_many_arguments, reason = "the fields of one operation")]
    fn cvt(&mut self, d: Cty, s: Cty, rnd: CvtRnd, z: Ftz, sat: Sat, a: Value, r: Value) {
        if d.int().is_none() && s.int().is_some() {
            return self.int_to_float(d, s, rnd, sat, a, r);
        }
        if d.int().is_some() && s.int().is_none() {
            return self.float_to_int(d, s, rnd, z, a, r);
        }
        let sat_ = if sat == Sat::Yes { ".SAT" } else { "" };
        let mode = match rnd {
            CvtRnd::None | CvtRnd::Rn => "",
            CvtRnd::Rz => ".RZ",
            CvtRnd::Rm => ".RM",
            CvtRnd::Rp => ".RP",
            CvtRnd::Rni => "",
            CvtRnd::Rzi => ".TRUNC",
            CvtRnd::Rmi => ".FLOOR",
            CvtRnd::Rpi => ".CEIL",
            CvtRnd::Rna => return self.refuse(),
        };
        let to_integer = matches!(rnd, CvtRnd::Rni | CvtRnd::Rzi | CvtRnd::Rmi | CvtRnd::Rpi);
        let v = match (d, s) {
            (Cty::F32, Cty::F32) if to_integer && sat == Sat::No => {
                let x = self.source(a, Fty::F32);
                self.emit1(&format!("FRND{}{mode}", ftz(z)), &[(Rb, x)])
            }
            (Cty::F32, Cty::F32) => {
                let x = if to_integer {
                    let x = self.source(a, Fty::F32);
                    MOp::reg(self.emit1(&format!("FRND{}{mode}", ftz(z)), &[(Rb, x)]))
                } else {
                    self.source(a, Fty::F32)
                };
                self.emit1(&format!("FADD{}{sat_}", ftz(z)), &[(Ra, x), (Rb, MOp::zero().negated())])
            }
            (Cty::F64, Cty::F64) if to_integer && sat == Sat::No => {
                let x = self.source(a, Fty::F64);
                let v = self.emit_wide(2, &format!("FRND.F64{mode}"), &[(Rb, x)]);
                return self.set_regs(r, &v);
            }
            (Cty::F16, Cty::F16) if to_integer && sat == Sat::No => {
                let x = self.source(a, Fty::F16);
                self.emit1(&format!("FRND.F16{mode}"), &[(Rb, x)])
            }
            (Cty::F64, Cty::F32) if sat == Sat::No => {
                let x = self.source(a, Fty::F32);
                let v = self.emit_wide(2, &format!("F2F.F64.F32{}", ftz(z)), &[(Rb, x)]);
                return self.set_regs(r, &v);
            }
            (Cty::F32, Cty::F64) => {
                let x = self.source(a, Fty::F64);
                let v = self.emit1(&format!("F2F.F32.F64{}{mode}", ftz(z)), &[(Rb, x)]);
                if sat == Sat::Yes {
                    self.emit1("FADD.SAT", &[(Ra, MOp::reg(v)), (Rb, MOp::zero().negated())])
                } else {
                    v
                }
            }
            (Cty::F64, Cty::F16) if sat == Sat::No => {
                let x = self.source(a, Fty::F16);
                let v = self.emit_wide(2, "F2F.F64.F16", &[(Rb, x)]);
                return self.set_regs(r, &v);
            }
            (Cty::F16, Cty::F64) if sat == Sat::No => {
                let x = self.source(a, Fty::F64);
                self.emit1(&format!("F2F.F16.F64{mode}"), &[(Rb, x)])
            }
            (Cty::F32, Cty::F16) => {
                let x = self.half_operand(a, Fty::F16);
                self.emit1(&format!("HADD2.F32{}{sat_}", ftz(z)), &[(Ra, MOp::zero().negated()), (Rb, x)])
            }
            (Cty::F32, Cty::Bf16) if sat == Sat::No && z == Ftz::No => {
                let x = self.part(a);
                let x = self.op(x);
                self.emit1("SHF.L.U32", &[(Ra, x), (Rb, imm(16)), (Rc, MOp::zero())])
            }
            (Cty::F16 | Cty::Bf16, Cty::F32)
                if matches!(rnd, CvtRnd::Rn | CvtRnd::Rz | CvtRnd::None) && z == Ftz::No =>
            {
                let x = self.pack_source(a);
                let relu = match sat {
                    Sat::No => "",
                    Sat::Relu => ".RELU",
                    _ => return self.refuse(),
                };
                let name = self.pack_name(d == Cty::Bf16);
                self.emit1(&format!("F2FP{relu}{name}{mode}"), &[(Ra, MOp::zero()), (Rb, x)])
            }
            (Cty::F16 | Cty::Bf16, Cty::F32)
                if matches!(rnd, CvtRnd::Rm | CvtRnd::Rp) && z == Ftz::No && sat == Sat::No =>
            {
                let x = self.source(a, Fty::F32);
                let ty = if d == Cty::F16 { "F16" } else { "BF16" };
                self.emit1(&format!("F2F.{ty}.F32{mode}"), &[(Rb, x)])
            }
            (Cty::F16x2, Cty::E4m3x2 | Cty::E5m2x2) if matches!(sat, Sat::No) => {
                let ty = if s == Cty::E4m3x2 { "E4M3" } else { "E5M2" };
                let x = self.part(a);
                let x = MOp::reg(self.reg(x));
                self.emit1(&format!("F2FP.F16.{ty}.UNPACK_B"), &[(Rb, x)])
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
        let mode = match rnd {
            CvtRnd::None | CvtRnd::Rn => "",
            CvtRnd::Rz => ".RZ",
            CvtRnd::Rm => ".RM",
            CvtRnd::Rp => ".RP",
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
            (false, Sign::S) => "",
            (false, Sign::U) => ".U32",
            (true, Sign::S) => ".S64",
            (true, Sign::U) => ".U64",
        };
        let v = match d {
            Cty::F32 if !wide && self.hopper() && matches!(mode, "" | ".RZ") => {
                let ty = if sign == Sign::S { "S32" } else { "U32" };
                self.emit1(&format!("I2FP.F32.{ty}{mode}"), &[(Rb, x)])
            }
            Cty::F32 => self.emit1(&format!("I2F{ty}{mode}"), &[(Rb, x)]),
            Cty::F64 => {
                let v = self.emit_wide(2, &format!("I2F.F64{ty}{mode}"), &[(Rb, x)]);
                return self.set_regs(r, &v);
            }
            Cty::F16 => self.emit1(&format!("I2F.F16{ty}{mode}"), &[(Rb, x)]),
            Cty::Bf16 if !wide => self.emit1(&format!("I2F.BF16{ty}{mode}"), &[(Rb, x)]),
            _ => return self.refuse(),
        };
        self.set_regs(r, &[v]);
    }

    fn float_to_int(&mut self, d: Cty, s: Cty, rnd: CvtRnd, z: Ftz, a: Value, r: Value) {
        let mode = match rnd {
            CvtRnd::Rni | CvtRnd::Rn | CvtRnd::None => "",
            CvtRnd::Rzi | CvtRnd::Rz => ".TRUNC",
            CvtRnd::Rmi | CvtRnd::Rm => ".FLOOR",
            CvtRnd::Rpi | CvtRnd::Rp => ".CEIL",
            CvtRnd::Rna => return self.refuse(),
        };
        let dst = match d {
            Cty::S8 => ".S8",
            Cty::U8 => ".U8",
            Cty::S16 => ".S16",
            Cty::U16 => ".U16",
            Cty::U32 => ".U32",
            Cty::S64 => ".S64",
            Cty::U64 => ".U64",
            _ => "",
        };
        let wide = d.width() == Width::B64;
        let (src, t) = match s {
            Cty::F32 => ("", Fty::F32),
            Cty::F64 => (".F64", Fty::F64),
            Cty::F16 => (".F16", Fty::F16),
            _ => return self.refuse(),
        };
        let x = self.source(a, t);
        // ptxas 13.0.88 writes NTZ for 32-bit results of 16- and 32-bit sources.
        let ntz = if wide || s == Cty::F64 { "" } else { ".NTZ" };
        let z = if s == Cty::F32 && !wide { ftz(z) } else { "" };
        let name = format!("F2I{z}{dst}{src}{mode}{ntz}");
        if wide {
            let v = self.emit_wide(2, &name, &[(Rb, x)]);
            self.set_regs(r, &v);
        } else {
            let v = self.emit1(&name, &[(Rb, x)]);
            self.set_regs(r, &[v]);
        }
    }

    /// How the target spells the packing of two f32: sm_80 and sm_86 name the lesser.
    fn pack_name(&self, brain: bool) -> &'static str {
        match (self.isa() < Isa::Sm89, brain) {
            (true, false) => ".PACK_AB",
            (true, true) => ".BF16.PACK_AB",
            (false, false) => ".F16.F32.PACK_AB",
            (false, true) => ".BF16.F32.PACK_AB",
        }
    }

    /// An operand of `F2FP`, which takes no modifiers with `.RELU` or beside an immediate.
    fn pack_source(&mut self, v: Value) -> MOp {
        let part = self.part(v);
        self.op(part)
    }

    fn cvt_pack(&mut self, d: Cty, rnd: CvtRnd, sat: Sat, args: &[Value], r: Value) {
        let mode = match rnd {
            CvtRnd::Rn | CvtRnd::None => "",
            CvtRnd::Rz => ".RZ",
            _ => return self.refuse(),
        };
        let (hi, lo) = (self.pack_source(args[0]), self.pack_source(args[1]));
        let relu = match sat {
            Sat::No => "",
            Sat::Relu => ".RELU",
            _ if matches!(d, Cty::E4m3x2 | Cty::E5m2x2) => "",
            _ => return self.refuse(),
        };
        let name = match d {
            Cty::F16x2 | Cty::Bf16x2 => format!("F2FP{relu}{}{mode}", self.pack_name(d == Cty::Bf16x2)),
            Cty::E4m3x2 => format!("F2FP.SATFINITE{relu}.E4M3.F32.PACK_AB_MERGE_C"),
            Cty::E5m2x2 => format!("F2FP.SATFINITE{relu}.E5M2.F32.PACK_AB_MERGE_C"),
            _ => return self.refuse(),
        };
        let v = self.emit1(&name, &[(Ra, hi), (Rb, lo)]);
        self.set_regs(r, &[v]);
    }
}

/// Puts an immediate second.
fn commute(a: &MOp, b: &MOp) -> (MOp, MOp) {
    if matches!(a.kind, crate::mir::MKind::Imm(_)) { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) }
}

fn min_mode(m: MinMode) -> &'static str {
    match m {
        MinMode::Num => "",
        MinMode::Nan => ".NAN",
        MinMode::XorSign => ".XORSIGN",
        MinMode::NanXorSign => ".NAN.XORSIGN",
    }
}

fn mufu(f: Mufu) -> &'static str {
    match f {
        Mufu::Rcp => "RCP",
        Mufu::Rsq => "RSQ",
        Mufu::Sqrt => "SQRT",
        Mufu::Ex2 => "EX2",
        Mufu::Lg2 => "LG2",
        Mufu::Sin => "SIN",
        Mufu::Cos => "COS",
        Mufu::Tanh => "TANH",
        Mufu::Rcp64h => "RCP64H",
        Mufu::Rsq64h => "RSQ64H",
    }
}
