//! 64-bit integers, by halves.

use raddle_ir::{Cond, Op, Sign, Value, Width};
use smallvec::SmallVec;

use super::{Imm, Part, Pd, Pp, Pred, Ra, Rb, Rc, Select, imm};
use crate::mir::MOp;
use crate::sass::{self, tokens as t};

impl Select<'_> {
    /// The low `len` bits (0 to 255) of 64, extended: shifted left, then right.
    fn low_bits64(&mut self, sign: Sign, a: &[Part], len: Part) -> [Part; 2] {
        let len =
            if let Part::Imm(n) = len { Part::Imm(n.min(64)) } else { self.min_max(true, Sign::U, len, Part::Imm(64)) };
        let by = self.sub32(Part::Imm(64), len);
        let up = self.shift64(&Op::Shl, a, by);
        self.shift64(&Op::Shr(sign), &up, by)
    }

    /// a + b, 64 bits.
    pub(crate) fn add64(&mut self, a: &[Part], b: &[Part]) -> [Part; 2] {
        if b[0] == Part::Imm(0) && b[1] == Part::Imm(0) {
            return [a[0], a[1]];
        }
        let (a, b) = if matches!(a[0], Part::Imm(n) if n != 0) { (b, a) } else { (a, b) };
        let p = self.new_pred();
        let (x, y) = (self.op(a[0]), self.op(b[0]));
        let lo = self.emit1(sass::iadd3(), &[(Pd, MOp::reg(p)), (Ra, x), (Rb, y), (Rc, MOp::zero())]);
        let (x, y) = (self.op(a[1]), self.op(b[1]));
        let (x, y) = if matches!(x.kind, crate::mir::MKind::Imm(_)) { (y, x) } else { (x, y) };
        let hi = self.emit1(sass::iadd3_x(), &[(Ra, x), (Rb, y), (Rc, MOp::zero()), (Pp, MOp::reg(p))]);
        [Part::Reg(lo), Part::Reg(hi)]
    }

    /// Matches a 64-bit value that is a product of two 32-bit ones: a wide product, or a left shift
    /// of an extended value.
    fn product(&mut self, v: Value) -> Option<(Sign, Part, Part)> {
        let (op, args) = self.def(v)?;
        let args: SmallVec<[Value; 2]> = SmallVec::from_slice(args);
        let extended = |s: &Self, v: Value| {
            let (op, args) = s.def(v)?;
            let sign = match op {
                Op::Sext => Sign::S,
                Op::Zext => Sign::U,
                _ => return None,
            };
            (s.f.width(args[0]) == Width::B32).then(|| (sign, args[0]))
        };
        match op {
            Op::MulWide(sign) if self.f.width(args[0]) == Width::B32 => {
                Some((sign, self.part(args[0]), self.part(args[1])))
            }
            Op::Sext | Op::Zext => extended(self, v).map(|(sign, x)| (sign, self.part(x), Part::Imm(1))),
            Op::Shl => {
                let (sign, x) = extended(self, args[0])?;
                // 1 << 31 would be negative.
                let n = self.f.constant(args[1]).filter(|n| *n < 31)?;
                Some((sign, self.part(x), Part::Imm(1 << n)))
            }
            _ => None,
        }
    }

    /// The sum of two 64-bit values: one instruction if one of them is a product, else two.
    fn sum64(&mut self, args: &[Value], x: &[Part], y: &[Part]) -> [Part; 2] {
        for (v, addend) in [(args[1], x), (args[0], y)] {
            // A constant would have to be moved into registers.
            if addend.iter().all(|p| matches!(p, Part::Reg(_)))
                && let Some((sign, a, b)) = self.product(v)
                && !matches!((a, b), (Part::Imm(_), Part::Imm(_)))
            {
                return self.mad_wide(sign, a, b, addend);
            }
        }
        for (v, addend) in [(args[1], x), (args[0], y)] {
            if let Some((Op::Shl, shifted)) = self.def(v)
                && let (y, Some(n @ 1..32)) = (shifted[0], self.f.constant(shifted[1]))
            {
                let y = self.parts(y);
                return self.lea64(&y, n as u32, addend);
            }
        }
        self.add64(x, y)
    }

    /// (a << n) + b, 64 bits, for n from 1 to 31.
    fn lea64(&mut self, a: &[Part], n: u32, b: &[Part]) -> [Part; 2] {
        let p = self.new_pred();
        let (lo, hi) = (self.op(a[0]), self.op(a[1]));
        let (x, y) = (self.op(b[0]), self.op(b[1]));
        let low = self.emit1(sass::lea(), &[(Pd, MOp::reg(p)), (Ra, lo.clone()), (Rb, x), (Imm, imm(n))]);
        let high = self.emit1(sass::lea_hi_x(), &[(Ra, lo), (Rb, y), (Rc, hi), (Imm, imm(n)), (Pp, MOp::reg(p))]);
        [Part::Reg(low), Part::Reg(high)]
    }

    /// a - b, 64 bits.
    pub(crate) fn sub64(&mut self, a: &[Part], b: &[Part]) -> [Part; 2] {
        if let (Part::Imm(lo), Part::Imm(hi)) = (b[0], b[1]) {
            let n = (u64::from(hi) << 32 | u64::from(lo)).wrapping_neg();
            return self.add64(a, &[Part::Imm(n as u32), Part::Imm((n >> 32) as u32)]);
        }
        let p = self.new_pred();
        let (b0, b1) = (self.reg(b[0]), self.reg(b[1]));
        let (x, y) = (self.op(a[0]), self.op(a[1]));
        let lo =
            self.emit1(sass::iadd3(), &[(Pd, MOp::reg(p)), (Ra, MOp::reg(b0).negated()), (Rb, x), (Rc, MOp::zero())]);
        let hi = self.emit1(
            sass::iadd3_x(),
            &[(Ra, MOp::reg(b1).complemented()), (Rb, y), (Rc, MOp::zero()), (Pp, MOp::reg(p))],
        );
        [Part::Reg(lo), Part::Reg(hi)]
    }

    /// Addition with carry in and out; subtraction as addition of the complement.
    pub(super) fn carry(&mut self, subtract: bool, args: &[Value], results: &[Value]) {
        let (a, b) = (self.parts(args[0]), self.parts(args[1]));
        let mut carry = self.pred(args[2]);
        let mut out = Vec::new();
        for (&x, &y) in a.iter().zip(&b) {
            let x = self.op(x);
            let y = MOp::reg(self.reg(y));
            let p = self.new_pred();
            let d = match (subtract, carry) {
                (false, Pred::Known(false)) => {
                    self.emit1(sass::iadd3(), &[(Pd, MOp::reg(p)), (Ra, y), (Rb, x), (Rc, MOp::zero())])
                }
                (true, Pred::Known(true)) => {
                    self.emit1(sass::iadd3(), &[(Pd, MOp::reg(p)), (Ra, y.negated()), (Rb, x), (Rc, MOp::zero())])
                }
                (_, c) => {
                    let y = if subtract { y.complemented() } else { y };
                    self.emit1(sass::iadd3_x(), &[(Pd, MOp::reg(p)), (Ra, y), (Rb, x), (Rc, MOp::zero()), (Pp, c.op())])
                }
            };
            carry = Pred::Reg(p, false);
            out.push(Part::Reg(d));
        }
        self.set(results[0], &out);
        self.set_pred(results[1], carry);
    }

    /// The low 64 bits of a product.
    pub(crate) fn mul64(&mut self, a: &[Part], b: &[Part]) -> [Part; 2] {
        let low = self.mad_wide(Sign::U, a[0], b[0], &[Part::Imm(0), Part::Imm(0)]);
        let mut hi = low[1];
        for (x, y) in [(a[0], b[1]), (a[1], b[0])] {
            if x != Part::Imm(0) && y != Part::Imm(0) {
                hi = self.mad32(x, y, hi);
            }
        }
        [low[0], hi]
    }

    /// The high 64 bits of a product.
    pub(crate) fn mul_hi64(&mut self, sign: Sign, a: &[Part], b: &[Part]) -> [Part; 2] {
        let zero = Part::Imm(0);
        let p = self.mad_wide(Sign::U, a[0], b[0], &[zero, zero]);
        let t = self.mad_wide(Sign::U, a[1], b[0], &[p[1], zero]);
        let u = self.mad_wide(Sign::U, a[0], b[1], &[t[0], zero]);
        let s = self.add64(&[t[1], zero], &[u[1], zero]);
        let r = self.mad_wide(Sign::U, a[1], b[1], &s);
        if sign == Sign::U {
            return r;
        }
        let mut r = r;
        for (x, y) in [(a, b), (b, a)] {
            let mask = self.sign_word(x[1]);
            let lo = self.lop(y[0], mask, 0xc0);
            let hi = self.lop(y[1], mask, 0xc0);
            r = self.sub64(&r, &[lo, hi]);
        }
        r
    }

    fn shift64(&mut self, op: &Op, a: &[Part], b: Part) -> [Part; 2] {
        let s = self.op(b);
        let (lo, hi) = (self.op(a[0]), self.op(a[1]));
        match *op {
            Op::Shl => {
                let h = self.emit1(sass::shf_l_u64_hi(), &[(Ra, lo), (Rb, s), (Rc, hi)]);
                let l = self.shift_left(a[0], b);
                [l, Part::Reg(h)]
            }
            Op::Shr(sign) => {
                let ty = if sign == Sign::S { t::Int64::S64 } else { t::Int64::U64 };
                let l = self.emit1(sass::shf_r_64(ty), &[(Ra, lo), (Rb, s), (Rc, hi)]);
                let h = self.shift_right(sign, a[1], b);
                [Part::Reg(l), h]
            }
            _ => [Part::Undef; 2],
        }
    }

    pub(super) fn int64(&mut self, op: &Op, args: &[Value], r: Value) {
        let a = self.f.width(args[0]);
        let v = match *op {
            Op::MulWide(sign) | Op::MadWide(sign) => {
                let (x, y) = (self.part(args[0]), self.part(args[1]));
                let c = if matches!(op, Op::MadWide(_)) {
                    self.parts(args[2])
                } else {
                    [Part::Imm(0); 2].into_iter().collect()
                };
                self.mad_wide(sign, x, y, &c)
            }
            Op::Select => {
                let p = self.pred(args[0]);
                let (x, y) = (self.parts(args[1]), self.parts(args[2]));
                [self.sel(p, x[0], y[0]), self.sel(p, x[1], y[1])]
            }
            _ if a != Width::B64 => {
                self.refuse();
                return;
            }
            Op::Shl if let Some((sign, a, b)) = self.product(r) => {
                self.mad_wide(sign, a, b, &[Part::Imm(0), Part::Imm(0)])
            }
            Op::Shl | Op::Shr(_) => {
                let (x, s) = (self.parts(args[0]), self.part(args[1]));
                self.shift64(op, &x, s)
            }
            Op::Bfe(sign) => {
                let (x, pos, len) = (self.parts(args[0]), self.part(args[1]), self.part(args[2]));
                let (pos, len) = (self.low_byte(pos), self.low_byte(len));
                let x = self.shift64(&Op::Shr(sign), &x, pos);
                self.low_bits64(sign, &x, len)
            }
            Op::Bfi => {
                let (x, y) = (self.parts(args[0]), self.parts(args[1]));
                let (pos, len) = (self.part(args[2]), self.part(args[3]));
                let (pos, len) = (self.low_byte(pos), self.low_byte(len));
                let ones = [Part::Imm(u32::MAX), Part::Imm(u32::MAX)];
                let low = self.low_bits64(Sign::U, &ones, len);
                let mask = self.shift64(&Op::Shl, &low, pos);
                let x = self.shift64(&Op::Shl, &x, pos);
                [self.blend(x[0], mask[0], y[0]), self.blend(x[1], mask[1], y[1])]
            }
            _ => {
                let x = self.parts(args[0]);
                let y = if args.len() > 1 { self.parts(args[1]) } else { x.clone() };
                match *op {
                    Op::Add => self.sum64(args, &x, &y),
                    Op::Sub => self.sub64(&x, &y),
                    Op::Neg => self.sub64(&[Part::Imm(0), Part::Imm(0)], &x),
                    Op::Abs => {
                        let n = self.sub64(&[Part::Imm(0), Part::Imm(0)], &x);
                        let negative = self.icmp32(Cond::Lt, Sign::S, x[1], Part::Imm(0));
                        [self.sel(negative, n[0], x[0]), self.sel(negative, n[1], x[1])]
                    }
                    Op::And | Op::Or | Op::Xor => {
                        let table = match *op {
                            Op::And => 0xc0,
                            Op::Or => 0xfc,
                            _ => 0x3c,
                        };
                        [self.lop(x[0], y[0], table), self.lop(x[1], y[1], table)]
                    }
                    Op::Not => [self.lop(Part::Imm(0), x[0], 0x33), self.lop(Part::Imm(0), x[1], 0x33)],
                    Op::Mul => self.mul64(&x, &y),
                    Op::Mad => {
                        let p = self.mul64(&x, &y);
                        let c = self.parts(args[2]);
                        self.add64(&p, &c)
                    }
                    Op::MulHi(sign) => self.mul_hi64(sign, &x, &y),
                    Op::MadHi(sign) => {
                        let p = self.mul_hi64(sign, &x, &y);
                        let c = self.parts(args[2]);
                        self.add64(&p, &c)
                    }
                    Op::Min(sign) | Op::Max(sign) => {
                        let c = if matches!(op, Op::Min(_)) { Cond::Lt } else { Cond::Gt };
                        let p = self.icmp64(c, sign, &x, &y);
                        [self.sel(p, x[0], y[0]), self.sel(p, x[1], y[1])]
                    }
                    Op::Sad(sign) => {
                        let p = self.icmp64(Cond::Gt, sign, &x, &y);
                        let (d, e) = (self.sub64(&x, &y), self.sub64(&y, &x));
                        let m = [self.sel(p, d[0], e[0]), self.sel(p, d[1], e[1])];
                        let c = self.parts(args[2]);
                        self.add64(&m, &c)
                    }
                    Op::Brev => [self.brev(x[1]), self.brev(x[0])],
                    _ => {
                        self.refuse();
                        return;
                    }
                }
            }
        };
        self.set(r, &v);
    }
}
