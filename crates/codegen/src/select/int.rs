//! Integers, bits, moves, predicates.

use raddle_ir::{Cond, Mty, Op, PrmtMode, Sign, Value, Width};
use raddle_sass::row::File;

use super::{Imm, Imm2, Part, Pp, Pq, Pr, Pred, Ra, Rb, Rc, Select, imm, words};
use crate::mir::{MOp, V};
use crate::sass::{self, Mnemonic, tokens as t};

/// `.U32` for unsigned forms.
pub(super) fn u32_(sign: Sign) -> t::Unsigned {
    if sign == Sign::U { t::Unsigned::U32 } else { t::Unsigned::None }
}

fn cond(c: Cond) -> t::IntCmp {
    match c {
        Cond::Eq | Cond::Equ => t::IntCmp::Eq,
        Cond::Ne | Cond::Neu => t::IntCmp::Ne,
        Cond::Lt | Cond::Ltu => t::IntCmp::Lt,
        Cond::Le | Cond::Leu => t::IntCmp::Le,
        Cond::Gt | Cond::Gtu => t::IntCmp::Gt,
        Cond::Ge | Cond::Geu => t::IntCmp::Ge,
        Cond::Num => t::IntCmp::T,
        Cond::Nan => t::IntCmp::F,
    }
}

impl Select<'_> {
    pub(super) fn int(&mut self, op: &Op, args: &[Value], results: &[Value]) {
        let r = results[0];
        let w = self.f.width(r);
        if w == Width::P && matches!(op, Op::And | Op::Or | Op::Xor | Op::Not | Op::Select) {
            let p = self.predicate_logic(op, args);
            return self.set_pred(r, p);
        }
        match *op {
            Op::Pack => self.pack(args, r),
            Op::Unpack => self.unpack(args[0], results),
            Op::Trunc => {
                let p = self.parts(args[0]);
                self.set(r, &p[..words(w)]);
            }
            Op::Zext | Op::Sext => self.extend(*op == Op::Sext, args[0], r),
            Op::ExtLow(sign, n) => {
                let a = self.part(args[0]);
                let v = self.ext_low(a, sign, u32::from(n));
                self.set(r, &[v]);
            }
            Op::Icmp(c, sign) => {
                let p = self.icmp(c, sign, args[0], args[1]);
                self.set_pred(r, p);
            }
            Op::AddC | Op::SubC => self.carry(*op == Op::SubC, args, results),
            Op::Select if let Some(chosen) = self.float_choice(args, r) => self.set(r, &[chosen]),
            _ if w == Width::B64 => self.int64(op, args, r),
            _ => {
                let v = self.int32(op, args, w);
                self.set(r, &[v]);
            }
        }
    }

    /// Extends the low 16 bits of a part.
    pub(crate) fn ext_low(&mut self, a: Part, sign: Sign, bits: u32) -> Part {
        if let Part::Imm(n) = a {
            let shift = 32 - bits;
            return Part::Imm(if sign == Sign::S {
                ((n << shift) as i32 >> shift) as u32
            } else {
                n << shift >> shift
            });
        }
        let o = self.op(a);
        Part::Reg(match (sign, bits) {
            (Sign::U, _) => self.emit1(sass::lop3(), &[(Ra, o), (Rb, imm((1 << bits) - 1)), (Imm, imm(0xc0))]),
            (Sign::S, 8) => self.emit1(sass::prmt(t::Permute::None), &[(Ra, o), (Rb, imm(0x8880)), (Rc, MOp::zero())]),
            (Sign::S, 16) => self.emit1(sass::prmt(t::Permute::None), &[(Ra, o), (Rb, imm(0x9910)), (Rc, MOp::zero())]),
            (Sign::S, n) => self.emit1(sass::sgxt(t::Wrap::None, t::Unsigned::None), &[(Ra, o), (Rb, imm(n))]),
        })
    }

    /// Returns the value in 32 bits: a 16-bit one is extended, unless its load did so.
    pub(crate) fn word(&mut self, v: Value, sign: Sign) -> Part {
        let p = self.part(v);
        if self.f.width(v) == Width::B16 && !self.is_extended(v, sign) { self.ext_low(p, sign, 16) } else { p }
    }

    /// Whether the register of this 16-bit value is extended already. Loads of single elements
    /// extend.
    fn is_extended(&self, v: Value, sign: Sign) -> bool {
        match self.def(v) {
            Some((Op::Load(m), _)) if m.count == 1 => match m.ty {
                Mty::U8 => true,
                Mty::U16 => sign == Sign::U,
                Mty::S8 | Mty::S16 => sign == Sign::S,
                _ => false,
            },
            _ => false,
        }
    }

    fn pack(&mut self, args: &[Value], r: Value) {
        if self.f.width(args[0]) != Width::B16 {
            let parts: Vec<Part> = args.iter().flat_map(|&a| self.parts(a)).collect();
            return self.set(r, &parts);
        }
        let parts: Vec<Part> = args
            .chunks(2)
            .map(|pair| {
                let (lo, hi) = (self.part(pair[0]), self.part(pair[1]));
                match (lo, hi) {
                    (Part::Imm(l), Part::Imm(h)) => Part::Imm(l & 0xffff | h << 16),
                    _ => {
                        let (l, h) = (self.op(lo), self.op(hi));
                        Part::Reg(self.emit1(sass::prmt(t::Permute::None), &[(Ra, l), (Rb, imm(0x5410)), (Rc, h)]))
                    }
                }
            })
            .collect();
        self.set(r, &parts);
    }

    fn unpack(&mut self, a: Value, results: &[Value]) {
        let parts = self.parts(a);
        let w = self.f.width(results[0]);
        if w != Width::B16 {
            for (&r, p) in results.iter().zip(parts.chunks(words(w))) {
                self.set(r, p);
            }
            return;
        }
        for (pair, &p) in results.chunks(2).zip(&parts) {
            self.set(pair[0], &[p]);
            let high = match p {
                Part::Imm(n) => Part::Imm(n >> 16),
                Part::Undef => Part::Undef,
                p => {
                    let o = self.op(p);
                    Part::Reg(self.emit1(sass::shf_r_hi(t::Int32::U32), &[(Ra, MOp::zero()), (Rb, imm(16)), (Rc, o)]))
                }
            };
            self.set(pair[1], &[high]);
        }
    }

    fn extend(&mut self, signed: bool, a: Value, r: Value) {
        let low = self.word(a, if signed { Sign::S } else { Sign::U });
        if self.f.width(r) == Width::B32 {
            return self.set(r, &[low]);
        }
        let high = if signed { self.sign_word(low) } else { Part::Imm(0) };
        self.set(r, &[low, high]);
    }

    /// 32 bits equal to the sign.
    pub(crate) fn sign_word(&mut self, p: Part) -> Part {
        match p {
            Part::Imm(n) => Part::Imm(((n as i32) >> 31) as u32),
            p => {
                let o = self.op(p);
                Part::Reg(self.emit1(sass::shf_r_hi(t::Int32::S32), &[(Ra, MOp::zero()), (Rb, imm(31)), (Rc, o)]))
            }
        }
    }

    fn predicate_logic(&mut self, op: &Op, args: &[Value]) -> Pred {
        let a = self.pred(args[0]);
        if *op == Op::Not {
            return a.inverse();
        }
        let b = self.pred(args[1]);
        let (c, table) = match *op {
            Op::And => (Pred::Known(true), 0xf0 & 0xcc),
            Op::Or => (Pred::Known(true), 0xf0 | 0xcc),
            Op::Xor => (Pred::Known(true), 0xf0 ^ 0xcc),
            _ => (self.pred(args[2]), (0xf0 & 0xcc) | (!0xf0 & 0xaa & 0xff)),
        };
        self.plop3(a, b, c, table)
    }

    /// Logic of three predicates by truth table.
    pub(crate) fn plop3(&mut self, a: Pred, b: Pred, c: Pred, table: u32) -> Pred {
        if let (Pred::Known(a), Pred::Known(b), Pred::Known(c)) = (a, b, c) {
            return Pred::Known(table >> (u32::from(a) << 2 | u32::from(b) << 1 | u32::from(c)) & 1 == 1);
        }
        self.emit_pred(sass::plop3(), &[(Pp, a.op()), (Pq, b.op()), (Pr, c.op()), (Imm, imm(table)), (Imm2, imm(0))])
    }

    pub(crate) fn icmp(&mut self, c: Cond, sign: Sign, a: Value, b: Value) -> Pred {
        if self.f.width(a) != Width::B64 {
            let (a, b) = (self.word(a, sign), self.word(b, sign));
            return self.icmp32(c, sign, a, b);
        }
        let (a, b) = (self.parts(a), self.parts(b));
        self.icmp64(c, sign, &a, &b)
    }

    pub(crate) fn icmp32(&mut self, c: Cond, sign: Sign, a: Part, b: Part) -> Pred {
        let (a, b) = (self.op(a), self.op(b));
        self.emit_pred(sass::isetp(cond(c), u32_(sign)), &[(Ra, a), (Rb, b)])
    }

    pub(crate) fn icmp64(&mut self, c: Cond, sign: Sign, a: &[Part], b: &[Part]) -> Pred {
        let low = self.icmp32(c, Sign::U, a[0], b[0]);
        let (x, y) = (self.op(a[1]), self.op(b[1]));
        self.emit_pred(sass::isetp_ex(cond(c), u32_(sign)), &[(Ra, x), (Rb, y), (Pr, low.op())])
    }

    /// `p ? a : b`.
    pub(crate) fn sel(&mut self, p: Pred, a: Part, b: Part) -> Part {
        match p {
            Pred::Known(true) => a,
            Pred::Known(false) => b,
            p if a == b => {
                let _ = p;
                a
            }
            p => {
                // An immediate can only be the second operand.
                let (p, a, b) = if matches!(a, Part::Imm(n) if n != 0) { (p.inverse(), b, a) } else { (p, a, b) };
                let (a, b) = (self.op(a), self.op(b));
                Part::Reg(self.emit1(sass::sel(), &[(Ra, a), (Rb, b), (Pp, p.op())]))
            }
        }
    }

    fn add3(&mut self, a: MOp, b: MOp) -> Part {
        Part::Reg(self.emit1(sass::iadd3(), &[(Ra, a), (Rb, b), (Rc, MOp::zero())]))
    }

    /// a + b, 32 bits.
    pub(crate) fn add32(&mut self, a: Part, b: Part) -> Part {
        match (a, b) {
            (x, Part::Imm(0)) | (Part::Imm(0), x) => x,
            (Part::Imm(x), Part::Imm(y)) => Part::Imm(x.wrapping_add(y)),
            (Part::Imm(_), _) => self.add32(b, a),
            _ => {
                let (a, b) = (self.op(a), self.op(b));
                self.add3(a, b)
            }
        }
    }

    /// a - b, 32 bits.
    pub(crate) fn sub32(&mut self, a: Part, b: Part) -> Part {
        match b {
            Part::Imm(n) => self.add32(a, Part::Imm(n.wrapping_neg())),
            _ => {
                let (a, b) = (self.op(a), self.op(b).negated());
                // Only the second operand can be an immediate; the negated one must be a register.
                Part::Reg(self.emit1(sass::iadd3(), &[(Ra, b), (Rb, a), (Rc, MOp::zero())]))
            }
        }
    }

    /// a & b, a | b, a ^ b, or any two-input logic, by truth table.
    pub(crate) fn lop(&mut self, a: Part, b: Part, table: u32) -> Part {
        let (a, b) =
            if matches!(a, Part::Imm(n) if n != 0) && matches!(table, 0xc0 | 0xfc | 0x3c) { (b, a) } else { (a, b) };
        if let (Part::Imm(x), Part::Imm(y)) = (a, b) {
            match table {
                0xc0 => return Part::Imm(x & y),
                0xfc => return Part::Imm(x | y),
                0x3c => return Part::Imm(x ^ y),
                _ => {}
            }
        }
        match (table, b) {
            (0xfc | 0x3c, Part::Imm(0)) | (0xc0, Part::Imm(u32::MAX)) => return a,
            (0xc0, Part::Imm(0)) => return b,
            _ => {}
        }
        let (a, b) = (self.op(a), self.op(b));
        Part::Reg(self.emit1(sass::lop3(), &[(Ra, a), (Rb, b), (Imm, imm(table))]))
    }

    pub(super) fn shift_left(&mut self, a: Part, b: Part) -> Part {
        let (a, b) = (self.op(a), self.op(b));
        Part::Reg(self.emit1(sass::shf_l(), &[(Ra, a), (Rb, b), (Rc, MOp::zero())]))
    }

    pub(super) fn shift_right(&mut self, sign: Sign, a: Part, b: Part) -> Part {
        let (a, b) = (self.op(a), self.op(b));
        let ty = if sign == Sign::U { t::Int32::U32 } else { t::Int32::S32 };
        Part::Reg(self.emit1(sass::shf_r_hi(ty), &[(Ra, MOp::zero()), (Rb, b), (Rc, a)]))
    }

    /// a * b + c, 32 bits.
    pub(crate) fn mad32(&mut self, a: Part, b: Part, c: Part) -> Part {
        let (a, b) = if matches!(a, Part::Imm(_)) { (b, a) } else { (a, b) };
        let (a, b, c) = (self.op(a), self.op(b), self.op(c));
        Part::Reg(self.emit1(sass::imad(), &[(Ra, a), (Rb, b), (Rc, c)]))
    }

    /// a * b + c, 64 bits from 32.
    pub(crate) fn mad_wide(&mut self, sign: Sign, a: Part, b: Part, c: &[Part]) -> [Part; 2] {
        let (a, b) = if matches!(a, Part::Imm(_)) { (b, a) } else { (a, b) };
        let b = match b {
            // A constant factor and an addend in the constant bank do not fit one instruction.
            Part::Imm(n) if self.in_bank(c) => Part::Reg(self.shared_constant(n)),
            b => b,
        };
        let c = self.pair(c);
        let (a, b) = (self.op(a), self.op(b));
        let d = self.emit_wide(2, sass::imad_wide(u32_(sign)), &[(Ra, a), (Rb, b), (Rc, c)]);
        [Part::Reg(d[0]), Part::Reg(d[1])]
    }

    pub(super) fn min_max(&mut self, least: bool, sign: Sign, a: Part, b: Part) -> Part {
        let (a, b) = if matches!(a, Part::Imm(_)) { (b, a) } else { (a, b) };
        let (a, b) = (self.op(a), self.op(b));
        let name = if self.hopper() { sass::vimnmx } else { sass::imnmx };
        let p = Pred::Known(least).op();
        Part::Reg(self.emit1(name(u32_(sign)), &[(Ra, a), (Rb, b), (Pp, p)]))
    }

    /// a * b, high half of 32 bits.
    pub(crate) fn mul_hi(&mut self, sign: Sign, a: Part, b: Part) -> Part {
        let (a, b) = if matches!(a, Part::Imm(_)) { (b, a) } else { (a, b) };
        let (a, b) = (self.op(a), self.op(b));
        Part::Reg(self.emit1(sass::imad_hi(u32_(sign)), &[(Ra, a), (Rb, b), (Rc, MOp::zero())]))
    }

    /// Operations with a 16- or 32-bit result.
    fn int32(&mut self, op: &Op, args: &[Value], w: Width) -> Part {
        let half = w == Width::B16;
        // Operands unextended (where the upper halves of 16-bit values do not matter), or as
        // numbers.
        let raw = |s: &mut Self, n: usize| s.part(args[n]);
        match *op {
            Op::Add => {
                let (a, b) = (raw(self, 0), raw(self, 1));
                self.add32(a, b)
            }
            Op::Sub => {
                let (a, b) = (raw(self, 0), raw(self, 1));
                self.sub32(a, b)
            }
            Op::AddSat | Op::SubSat => self.saturating(*op == Op::SubSat, args),
            Op::Neg => {
                let a = raw(self, 0);
                self.sub32(Part::Imm(0), a)
            }
            Op::Abs => {
                let a = self.word(args[0], Sign::S);
                let a = self.op(a);
                Part::Reg(self.emit1(sass::iabs(), &[(Rb, a)]))
            }
            Op::Mul | Op::Mad => {
                let (a, b) = (raw(self, 0), raw(self, 1));
                let c = if *op == Op::Mad { raw(self, 2) } else { Part::Imm(0) };
                self.mad32(a, b, c)
            }
            Op::MulHi(sign) | Op::MadHi(sign) => {
                let (a, b) = (self.word(args[0], sign), self.word(args[1], sign));
                let p = if half {
                    let p = self.mad32(a, b, Part::Imm(0));
                    self.shift_right(sign, p, Part::Imm(16))
                } else {
                    self.mul_hi(sign, a, b)
                };
                if matches!(op, Op::MadHi(_)) {
                    let c = raw(self, 2);
                    self.add32(p, c)
                } else {
                    p
                }
            }
            Op::MulWide(sign) | Op::MadWide(sign) => {
                let (a, b) = (self.word(args[0], sign), self.word(args[1], sign));
                let c = if matches!(op, Op::MadWide(_)) { raw(self, 2) } else { Part::Imm(0) };
                self.mad32(a, b, c)
            }
            Op::Min(sign) | Op::Max(sign) => {
                let (a, b) = (self.word(args[0], sign), self.word(args[1], sign));
                self.min_max(matches!(op, Op::Min(_)), sign, a, b)
            }
            Op::Sad(sign) => {
                let (a, b, c) = (self.word(args[0], sign), self.word(args[1], sign), raw(self, 2));
                let (a, b, c) = (self.op(a), self.op(b), self.op(c));
                Part::Reg(self.emit1(sass::vabsdiff(u32_(sign)), &[(Ra, a), (Rb, b), (Rc, c)]))
            }
            Op::And | Op::Or | Op::Xor => {
                let (a, b) = (raw(self, 0), raw(self, 1));
                let table = match *op {
                    Op::And => 0xc0,
                    Op::Or => 0xfc,
                    _ => 0x3c,
                };
                self.lop(a, b, table)
            }
            Op::Not => match raw(self, 0) {
                Part::Imm(n) => Part::Imm(!n),
                a => self.lop(Part::Imm(0), a, 0x33),
            },
            Op::Lop3(table) => {
                let (a, b, c) = (raw(self, 0), raw(self, 1), raw(self, 2));
                let (a, b, c) = (self.op(a), self.op(b), self.op(c));
                Part::Reg(self.emit1(sass::lop3(), &[(Ra, a), (Rb, b), (Rc, c), (Imm, imm(u32::from(table)))]))
            }
            Op::Shl => {
                let (a, b) = (raw(self, 0), raw(self, 1));
                self.shift_left(a, b)
            }
            Op::Shr(sign) => {
                let (a, b) = (self.word(args[0], sign), raw(self, 1));
                self.shift_right(sign, a, b)
            }
            Op::ShfL | Op::ShfR | Op::ShfLClamp | Op::ShfRClamp => {
                let name = match *op {
                    Op::ShfL => sass::funnel(t::Direction::L, t::Wrap::W, t::Half::Hi),
                    Op::ShfR => sass::funnel(t::Direction::R, t::Wrap::W, t::Half::None),
                    Op::ShfLClamp => sass::funnel(t::Direction::L, t::Wrap::None, t::Half::Hi),
                    _ => sass::funnel(t::Direction::R, t::Wrap::None, t::Half::None),
                };
                let (a, b, c) = (raw(self, 0), raw(self, 1), raw(self, 2));
                let (a, b, c) = (self.op(a), self.op(b), self.op(c));
                Part::Reg(self.emit1(name, &[(Ra, a), (Rb, c), (Rc, b)]))
            }
            Op::Popc | Op::Clz | Op::Bfind(_) | Op::BfindShift(_) => self.count(op, args[0]),
            Op::Brev => {
                let a = raw(self, 0);
                self.brev(a)
            }
            Op::Bfe(sign) => {
                let (a, pos, len) = (raw(self, 0), raw(self, 1), raw(self, 2));
                let (pos, len) = (self.low_byte(pos), self.low_byte(len));
                let x = self.shift_right(sign, a, pos);
                let (x, len) = (self.op(x), self.op(len));
                Part::Reg(self.emit1(sass::sgxt(t::Wrap::None, u32_(sign)), &[(Ra, x), (Rb, len)]))
            }
            Op::Bfi => {
                let (a, b, pos, len) = (raw(self, 0), raw(self, 1), raw(self, 2), raw(self, 3));
                let (pos, len) = (self.low_byte(pos), self.low_byte(len));
                let x = self.shift_left(a, pos);
                let (p, l) = (self.op(pos), self.op(len));
                let mask = self.emit1(sass::bmsk(t::Wrap::None), &[(Ra, p), (Rb, l)]);
                let (x, b) = (self.op(x), self.op(b));
                Part::Reg(self.emit1(sass::lop3(), &[(Ra, x), (Rb, MOp::reg(mask)), (Rc, b), (Imm, imm(0xe2))]))
            }
            Op::BmskWrap | Op::BmskClamp => {
                let (a, b) = (raw(self, 0), raw(self, 1));
                let (a, b) = (self.op(a), self.op(b));
                Part::Reg(self.emit1(
                    sass::bmsk(if *op == Op::BmskWrap { t::Wrap::W } else { t::Wrap::None }),
                    &[(Ra, a), (Rb, b)],
                ))
            }
            Op::SzextWrap(sign) | Op::SzextClamp(sign) => {
                let (a, b) = (raw(self, 0), raw(self, 1));
                let (a, b) = (self.op(a), self.op(b));
                let w = if matches!(op, Op::SzextWrap(_)) { t::Wrap::W } else { t::Wrap::None };
                Part::Reg(self.emit1(sass::sgxt(w, u32_(sign)), &[(Ra, a), (Rb, b)]))
            }
            Op::Prmt(mode) => {
                let (a, b, c) = (raw(self, 0), raw(self, 1), raw(self, 2));
                let (a, b, c) = (self.op(a), self.op(b), self.op(c));
                let mode = match mode {
                    PrmtMode::Index => t::Permute::None,
                    PrmtMode::F4e => t::Permute::F4e,
                    PrmtMode::B4e => t::Permute::B4e,
                    PrmtMode::Rc8 => t::Permute::Rc8,
                    PrmtMode::Ecl => t::Permute::Ecl,
                    PrmtMode::Ecr => t::Permute::Ecr,
                    PrmtMode::Rc16 => t::Permute::Rc16,
                };
                Part::Reg(self.emit1(sass::prmt(mode), &[(Ra, a), (Rb, c), (Rc, b)]))
            }
            Op::Dp4a(x, y) | Op::Dp2aLo(x, y) | Op::Dp2aHi(x, y) => {
                let (a, b, c) = (raw(self, 0), raw(self, 1), raw(self, 2));
                let (a, b, c) = (self.op(a), self.op(b), self.op(c));
                let byte = if y == Sign::S { t::Byte::S8 } else { t::Byte::U8 };
                let dot = match (op, x) {
                    (Op::Dp4a(..), Sign::S) => t::Dot::N4aS8,
                    (Op::Dp4a(..), Sign::U) => t::Dot::N4aU8,
                    (Op::Dp2aLo(..), Sign::S) => t::Dot::N2aLoS16,
                    (Op::Dp2aLo(..), Sign::U) => t::Dot::N2aLoU16,
                    (_, Sign::S) => t::Dot::N2aHiS16,
                    (_, Sign::U) => t::Dot::N2aHiU16,
                };
                Part::Reg(self.emit1(sass::idp(dot, byte), &[(Ra, a), (Rb, b), (Rc, c)]))
            }
            Op::Select => {
                let p = self.pred(args[0]);
                let (a, b) = (raw(self, 1), raw(self, 2));
                self.sel(p, a, b)
            }
            _ => {
                self.refuse();
                Part::Undef
            }
        }
    }

    /// `mask ? a : b`, bit by bit.
    pub(super) fn blend(&mut self, a: Part, mask: Part, b: Part) -> Part {
        let (a, m, b) = (self.op(a), self.op(mask), self.op(b));
        Part::Reg(self.emit1(sass::lop3(), &[(Ra, a), (Rb, m), (Rc, b), (Imm, imm(0xe2))]))
    }

    pub(super) fn low_byte(&mut self, p: Part) -> Part {
        match p {
            Part::Imm(n) => Part::Imm(n & 0xff),
            p => self.lop(p, Part::Imm(0xff), 0xc0),
        }
    }

    fn saturating(&mut self, subtract: bool, args: &[Value]) -> Part {
        let (a, b) = (self.part(args[0]), self.part(args[1]));
        let r = if subtract { self.sub32(a, b) } else { self.add32(a, b) };
        let (x, y, z) = (self.op(a), self.op(b), self.op(r));
        // Overflow: the result's sign differs from a's, and from b's (sum) or b's from a's
        // (difference).
        let table = if subtract { (0xf0 ^ 0xaa) & (0xf0 ^ 0xcc) } else { (0xf0 ^ 0xaa) & (0xcc ^ 0xaa) };
        let t = self.emit1(sass::lop3(), &[(Ra, x), (Rb, y), (Rc, z), (Imm, imm(table))]);
        let overflow = self.icmp32(Cond::Lt, Sign::S, Part::Reg(t), Part::Imm(0));
        let s = self.sign_word(r);
        let limit = self.lop(s, Part::Imm(0x8000_0000), 0x3c);
        self.sel(overflow, limit, r)
    }

    pub(super) fn brev(&mut self, a: Part) -> Part {
        let a = self.op(a);
        Part::Reg(self.emit1(sass::brev(), &[(Rb, a)]))
    }

    fn flo(&mut self, mnemonic: Mnemonic, a: Part) -> Part {
        let a = self.op(a);
        Part::Reg(self.emit1(mnemonic, &[(Rb, a)]))
    }

    fn count(&mut self, op: &Op, v: Value) -> Part {
        let parts = self.parts(v);
        if parts.len() == 1 {
            return match *op {
                Op::Popc => self.flo(sass::popc(), parts[0]),
                Op::Clz => {
                    let f = self.flo(sass::flo(t::Unsigned::U32, t::Distance::None), parts[0]);
                    self.sub32(Part::Imm(31), f)
                }
                Op::Bfind(sign) => self.flo(sass::flo(u32_(sign), t::Distance::None), parts[0]),
                Op::BfindShift(sign) => self.flo(sass::flo(u32_(sign), t::Distance::Sh), parts[0]),
                _ => Part::Undef,
            };
        }
        if *op == Op::Popc {
            let (a, b) = (self.flo(sass::popc(), parts[0]), self.flo(sass::popc(), parts[1]));
            return self.add32(a, b);
        }
        let (mut lo, mut hi) = (parts[0], parts[1]);
        if matches!(op, Op::Bfind(Sign::S) | Op::BfindShift(Sign::S)) {
            // The highest bit that differs from the sign is the highest set bit after an exclusive
            // or with the sign.
            let s = self.sign_word(hi);
            lo = self.lop(lo, s, 0x3c);
            hi = self.lop(hi, s, 0x3c);
        }
        let upper = self.icmp32(Cond::Ne, Sign::U, hi, Part::Imm(0));
        let x = self.sel(upper, hi, lo);
        match *op {
            Op::Clz => {
                let f = self.flo(sass::flo(t::Unsigned::U32, t::Distance::None), x);
                let base = self.sel(upper, Part::Imm(31), Part::Imm(63));
                self.sub32(base, f)
            }
            Op::Bfind(_) => {
                // For no bit FLO returns all ones, to which nothing is added.
                let f = self.flo(sass::flo(t::Unsigned::U32, t::Distance::None), x);
                let add = self.sel(upper, Part::Imm(32), Part::Imm(0));
                self.add32(f, add)
            }
            _ => {
                // 63 - position, or all ones.
                let f = self.flo(sass::flo(t::Unsigned::U32, t::Distance::None), x);
                let base = self.sel(upper, Part::Imm(31), Part::Imm(63));
                let shift = self.sub32(base, f);
                let none = self.icmp32(Cond::Eq, Sign::U, x, Part::Imm(0));
                self.sel(none, Part::Imm(u32::MAX), shift)
            }
        }
    }

    pub(super) fn new_pred(&mut self) -> V {
        self.m.vreg(File::Pred)
    }
}
