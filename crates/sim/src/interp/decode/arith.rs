//! Decodes arithmetic, logic, comparison and data movement to [`Alu`].

use super::super::alu::{Alu, HalfOp, PrmtMode};
use super::super::bits::mask;
use super::super::code::*;
use super::super::compare::{Domain, Join, Relation};
use super::super::fpu::{Fpu, FpuOp};
use super::{Decoded, Decoder, float, int};
use crate::float::MinMax;
use raddle_ptx::{Mod, Op, Operand, Ty};

impl Decoder<'_> {
    /// Decodes an instruction of these families; returns false for others.
    pub(super) fn arithmetic(&mut self, op: Op) -> Decoded<bool> {
        match op {
            Op::Mov => self.mov()?,
            Op::Setp => self.setp()?,
            Op::Set => self.set()?,
            Op::Testp => self.testp()?,
            Op::Selp => {
                let ty = self.ty(0)?;
                let [d, a, b, p] = self.exactly()?;
                let (dst, a, b) = (self.target(d)?, self.source(a, ty)?, self.source(b, ty)?);
                let by = self.pred_source(p)?;
                self.push(Kind::Selp { dst, a, b, by });
            }
            Op::Slct => {
                let (ty, by) = (self.ty(0)?, self.ty(1)?);
                let [d, a, b, c] = self.exactly()?;
                let src = [self.source(a, ty)?, self.source(b, ty)?, self.source(c, by)?];
                let dst = self.target(d)?;
                let float = Alu::SlctFloat { ftz: self.has(Mod::Ftz) };
                self.alu(if by == Ty::F32 { float } else { Alu::SlctInt }, dst, &src);
            }
            Op::Cvt => self.cvt()?,
            Op::CvtPack => self.cvt_pack()?,
            Op::And | Op::Or | Op::Xor | Op::Not if self.ty(0)? == Ty::Pred => self.pred_logic(op)?,
            Op::Addc | Op::Subc | Op::Madc => self.carry(op)?,
            Op::Add | Op::Sub | Op::Mad if self.has(Mod::Cc) => self.carry(op)?,
            Op::Prmt => {
                let [d, a, b, c] = self.exactly()?;
                let src = [self.source(a, Ty::B32)?, self.source(b, Ty::B32)?, self.source(c, Ty::B32)?];
                let mode = self.prmt_mode();
                let dst = self.target(d)?;
                self.alu(Alu::Prmt(mode), dst, &src);
            }
            Op::Lop3 => self.lop3()?,
            Op::Vmad => self.vmad()?,
            _ => {
                let ty = match self.ty(0) {
                    Ok(ty) => ty,
                    Err(_) => return Ok(false),
                };
                let op = if ty.is_float() { self.float_op(op, ty)? } else { self.int_op(op, ty)? };
                let Some((alu, source_types)) = op else { return self.video() };
                let operands = self.operands();
                let Some((&dst, sources)) = operands.split_first() else { return Err("no destination".into()) };
                if sources.len() > 4 {
                    return Err(format!("{} sources", sources.len()));
                }
                let mut rows = [ZERO; 4];
                for (i, &source) in sources.iter().enumerate() {
                    rows[i] = self.source(source, source_types[i.min(3)])?;
                }
                let dst = self.target(dst)?;
                self.alu(alu, dst, &rows);
            }
        }
        Ok(true)
    }

    fn int_op(&mut self, op: Op, ty: Ty) -> Decoded<Option<(Alu, [Ty; 4])>> {
        let (sat, hi, wide) = (self.has(Mod::Sat), self.has(Mod::Hi), self.has(Mod::Wide));
        let same = [ty; 4];
        let bits = ty.bits();
        let (relu, signed) = (self.has(Mod::Relu), ty.is_signed());
        let packed = matches!(ty, Ty::U16x2 | Ty::S16x2);
        let clamp = self.has(Mod::Clamp);
        Ok(Some(match op {
            Op::Add if packed => (Alu::Halves(HalfOp::Add), same),
            Op::Min if packed => (Alu::Halves(HalfOp::Min { signed, relu }), same),
            Op::Max if packed => (Alu::Halves(HalfOp::Max { signed, relu }), same),
            Op::Add if sat => (Alu::AddSat(int(ty)?), same),
            Op::Sub if sat => (Alu::SubSat(int(ty)?), same),
            Op::Add => (Alu::Add(int(ty)?), same),
            Op::Sub => (Alu::Sub(int(ty)?), same),
            Op::Mul if wide => (Alu::MulWide(int(ty)?), same),
            Op::Mul if hi => (Alu::MulHi(int(ty)?), same),
            Op::Mul => (Alu::MulLo(int(ty)?), same),
            Op::Mad if wide => (Alu::MadWide(int(ty)?), [ty, ty, wider(ty), ty]),
            Op::Mad if hi && sat => (Alu::MadHiSat, same),
            Op::Mad if hi => (Alu::MadHi(int(ty)?), same),
            Op::Mad => (Alu::MadLo(int(ty)?), same),
            Op::Mul24 => (Alu::Mul24 { signed, hi }, same),
            Op::Mad24 => (Alu::Mad24 { signed, hi, sat }, same),
            Op::Sad => (Alu::Sad(int(ty)?), same),
            Op::Div => (Alu::Div(int(ty)?), same),
            Op::Rem => (Alu::Rem(int(ty)?), same),
            Op::Abs => (Alu::Abs(int(ty)?), same),
            Op::Neg => (Alu::Neg(int(ty)?), same),
            Op::Min => (Alu::Min { ty: int(ty)?, relu }, same),
            Op::Max => (Alu::Max { ty: int(ty)?, relu }, same),
            Op::Popc => (Alu::Popc, same),
            Op::Clz => (Alu::Clz { bits }, same),
            Op::Bfind => (Alu::Bfind { ty: int(ty)?, shiftamt: self.has(Mod::Shiftamt) }, same),
            Op::Fns => (Alu::Fns, [Ty::B32, Ty::B32, Ty::S32, ty]),
            Op::Brev => (Alu::Brev { bits }, same),
            Op::Bfe => (Alu::Bfe(int(ty)?), [ty, Ty::U32, Ty::U32, ty]),
            Op::Bfi => (Alu::Bfi { bits }, [ty, ty, Ty::U32, Ty::U32]),
            Op::Bmsk => (Alu::Bmsk { clamp }, [Ty::U32; 4]),
            Op::Szext => (Alu::Szext { signed, clamp }, [ty, Ty::U32, ty, ty]),
            Op::Dp4a => (Alu::Dp4a { a_signed: signed, b_signed: self.ty(1)?.is_signed() }, [Ty::B32; 4]),
            Op::Dp2a => (Alu::Dp2a { a_signed: signed, b_signed: self.ty(1)?.is_signed(), hi }, [Ty::B32; 4]),
            Op::And => (Alu::And, same),
            Op::Or => (Alu::Or, same),
            Op::Xor => (Alu::Xor, same),
            Op::Not => (Alu::Not { bits }, same),
            Op::Cnot => (Alu::Cnot { bits }, same),
            Op::Shl => (Alu::Shl { bits }, [ty, Ty::U32, ty, ty]),
            Op::Shr => (Alu::Shr(int(ty)?), [ty, Ty::U32, ty, ty]),
            Op::Shf => (Alu::Shf { right: self.has(Mod::R), clamp }, [Ty::B32; 4]),
            _ => return Ok(None),
        }))
    }

    fn float_op(&mut self, op: Op, ty: Ty) -> Decoded<Option<(Alu, [Ty; 4])>> {
        let (format, lanes) = match float(ty) {
            Ok(known) => known,
            Err(reason) => return if op == Op::Cvt { Ok(None) } else { Err(reason) },
        };
        let mode = self.mode();
        let (approx, full, double) = (self.has(Mod::Approx), self.has(Mod::Full), ty == Ty::F64);
        let relu = self.has(Mod::Relu);
        if self.has(Mod::Oob) {
            return Err("which NaN means out of bounds, and what others do, is not documented for sm_90".into());
        }
        let three = self.operands().len() == 4;
        let how = |max: bool, decoder: &Self| {
            let (abs, xorsign) = (decoder.has(Mod::Abs), decoder.has(Mod::Xorsign));
            let nan = decoder.has(Mod::NaN);
            let how = MinMax { max, ftz: mode.ftz, nan, xorsign_abs: abs && xorsign, abs: abs && !xorsign };
            if three { FpuOp::MinMax3(how) } else { FpuOp::MinMax(how) }
        };
        let op = match op {
            Op::Add => FpuOp::Add,
            Op::Sub => FpuOp::Sub,
            Op::Mul => FpuOp::Mul,
            // The interpreter never contracts; `mad` on floating point is the fused operation
            // (9.7.3.6).
            Op::Fma | Op::Mad => FpuOp::Fma { relu },
            Op::Div if approx => FpuOp::DivApprox,
            Op::Div if full => FpuOp::DivFull,
            Op::Div => FpuOp::Div,
            Op::Rcp if approx && double => FpuOp::Rcp64,
            Op::Rcp if approx => FpuOp::RcpApprox,
            Op::Rcp => FpuOp::Rcp,
            Op::Sqrt if approx => FpuOp::SqrtApprox,
            Op::Sqrt => FpuOp::Sqrt,
            Op::Rsqrt if double && mode.ftz => FpuOp::Rsqrt64,
            Op::Rsqrt if double => FpuOp::RsqrtApprox64,
            Op::Rsqrt => FpuOp::RsqrtApprox,
            Op::Sin => FpuOp::Sin,
            Op::Cos => FpuOp::Cos,
            Op::Lg2 => FpuOp::Lg2,
            Op::Ex2 => FpuOp::Ex2,
            Op::Tanh => FpuOp::Tanh,
            Op::Neg => FpuOp::Neg,
            Op::Abs => FpuOp::Abs,
            Op::Min => how(false, self),
            Op::Max => how(true, self),
            Op::Copysign => FpuOp::Copysign,
            _ => return Ok(None),
        };
        Ok(Some((Alu::Fpu(Fpu { op, format, mode, lanes }), [ty; 4])))
    }

    fn mov(&mut self) -> Decoded<()> {
        let ty = self.ty(0)?;
        let [d, a] = self.exactly()?;
        match (d, a) {
            (Operand::Vec(to), Operand::Vec(from)) => {
                // All parts are read before one is written.
                let (to, from) = (self.body.list(to), self.body.list(from));
                let mut values = Vec::with_capacity(from.len());
                for part in from {
                    let (value, row) = (self.scratch(64), self.source(part, ty)?);
                    self.alu(Alu::Mov, value, &[row]);
                    values.push(value);
                }
                for (part, value) in to.into_iter().zip(values) {
                    let dst = self.target(part)?;
                    self.alu(Alu::Mov, dst, &[value]);
                }
            }
            (Operand::Vec(to), Operand::Special(reg, None)) if reg.width() > 1 => {
                for (n, part) in self.body.list(to).into_iter().enumerate() {
                    let value = self.source(Operand::Special(reg, Some(n as u8)), ty)?;
                    let dst = self.target(part)?;
                    self.alu(Alu::Mov, dst, &[value]);
                }
            }
            (Operand::Reg(dst), _) if ty == Ty::Pred => {
                let (dst, a) = (self.pred(dst)?, self.pred_source(a)?);
                self.push(Kind::PredLogic { op: PredOp::And, dst, a, b: ALWAYS });
            }
            (_, Operand::Vec(parts)) => {
                let parts = self.body.list(parts);
                let part_bits = ty.bits() / parts.len().max(1) as u32;
                let rows =
                    parts.iter().map(|&part| self.source(part, bits_type(part_bits)?)).collect::<Decoded<Vec<_>>>()?;
                let dst = self.target(d)?;
                match (ty, rows.as_slice()) {
                    (Ty::B128, &[low, high]) => {
                        self.alu(Alu::Mov, dst, &[low]);
                        self.alu(Alu::Mov, Row(dst.0 + 1), &[high]);
                    }
                    (Ty::B128, &[a, b, c, d]) => {
                        self.alu(Alu::Pack { bits: 32 }, dst, &[a, b]);
                        self.alu(Alu::Pack { bits: 32 }, Row(dst.0 + 1), &[c, d]);
                    }
                    (_, rows @ ([_, _] | [_, _, _, _])) => self.alu(Alu::Pack { bits: part_bits }, dst, rows),
                    _ => return Err("vector length".into()),
                }
            }
            (Operand::Vec(parts), _) => {
                let parts = self.body.list(parts);
                let bits = ty.bits() / parts.len().max(1) as u32;
                let first = self.source(a, ty)?;
                for (i, &part) in parts.iter().enumerate() {
                    if part == Operand::Sink {
                        continue;
                    }
                    let dst = self.target(part)?;
                    let shift = i as u32 * bits;
                    let source = if ty == Ty::B128 { Row(first.0 + shift / 64) } else { first };
                    self.alu(Alu::Unpack { bits, shift: shift % 64 }, dst, &[source]);
                }
            }
            _ => {
                let (dst, low) = (self.target(d)?, self.source(a, ty)?);
                self.alu(Alu::Mov, dst, &[low]);
                if ty == Ty::B128 {
                    // A number has 64 bits, and the upper half is zero.
                    let upper = if matches!(a, Operand::Imm(_)) { self.constant(0) } else { Row(low.0 + 1) };
                    self.alu(Alu::Mov, Row(dst.0 + 1), &[upper]);
                }
            }
        }
        Ok(())
    }

    fn prmt_mode(&self) -> PrmtMode {
        let modes = [
            (Mod::F4e, PrmtMode::F4e),
            (Mod::B4e, PrmtMode::B4e),
            (Mod::Rc8, PrmtMode::Rc8),
            (Mod::Ecl, PrmtMode::Ecl),
            (Mod::Ecr, PrmtMode::Ecr),
            (Mod::Rc16, PrmtMode::Rc16),
        ];
        modes.iter().find(|(m, _)| self.has(*m)).map_or(PrmtMode::Default, |&(_, mode)| mode)
    }

    fn lop3(&mut self) -> Decoded<()> {
        let operands = self.operands();
        let [d, a, b, c, Operand::Imm(table), rest @ ..] = operands.as_slice() else {
            return Err("operands".into());
        };
        let src = [self.source(*a, Ty::B32)?, self.source(*b, Ty::B32)?, self.source(*c, Ty::B32)?];
        let (dst, p) = match *d {
            Operand::Pair(reg, p) => {
                let dst = match reg {
                    Some(reg) => self.row(reg)?,
                    None => self.scratch(32),
                };
                (dst, p.map(|p| self.pred(p)).transpose()?)
            }
            other => (self.target(other)?, None),
        };
        self.alu(Alu::Lop3(table.bits as u8), dst, &src);
        if let (Some(p), [q]) = (p, rest) {
            // p = (d != 0) BoolOp q
            let q = self.pred_source(*q)?;
            let join = self.join().ok_or("boolean operator")?;
            let domain = Domain::Int(int(Ty::B32)?);
            let relation = Relation { less: true, equal: false, greater: true, unordered: true };
            let (p, packed) = (Some(p), false);
            self.push(Kind::Setp(Box::new(Setp {
                domain,
                relation,
                join: Some((join, q)),
                p,
                q: None,
                a: dst,
                b: ZERO,
                packed,
            })));
        }
        Ok(())
    }

    fn pred_logic(&mut self, op: Op) -> Decoded<()> {
        let operands = self.operands();
        let (dst, a, b) = match *operands.as_slice() {
            [Operand::Reg(d), a, b] => (self.pred(d)?, self.pred_source(a)?, self.pred_source(b)?),
            [Operand::Reg(d), a] => {
                let a = self.pred_source(a)?;
                (self.pred(d)?, PredSrc { negated: !a.negated, ..a }, ALWAYS)
            }
            _ => return Err("operands".into()),
        };
        let op = match op {
            Op::Or => PredOp::Or,
            Op::Xor => PredOp::Xor,
            _ => PredOp::And,
        };
        self.push(Kind::PredLogic { op, dst, a, b });
        Ok(())
    }

    fn carry(&mut self, op: Op) -> Decoded<()> {
        let ty = self.ty(0)?;
        let operands = self.operands();
        let Some((&d, sources)) = operands.split_first() else { return Err("no destination".into()) };
        let mut src = [ZERO; 3];
        if sources.len() > 3 {
            return Err("operands".into());
        }
        for (row, &source) in src.iter_mut().zip(sources) {
            *row = self.source(source, ty)?;
        }
        let product = match op {
            Op::Mad | Op::Madc if self.has(Mod::Hi) => Some(Alu::MulHi(int(ty)?)),
            Op::Mad | Op::Madc => Some(Alu::MulLo(int(ty)?)),
            _ => None,
        };
        let dst = self.target(d)?;
        let (sub, carry_in) = (matches!(op, Op::Sub | Op::Subc), matches!(op, Op::Addc | Op::Subc | Op::Madc));
        let (bits, carry_out) = (ty.bits() as u8, self.has(Mod::Cc));
        self.push(Kind::Carry { sub, bits, dst, product, src, carry_in, carry_out });
        Ok(())
    }

    fn join(&self) -> Option<Join> {
        [(Mod::And, Join::And), (Mod::Or, Join::Or), (Mod::Xor, Join::Xor)]
            .into_iter()
            .find(|(m, _)| self.has(*m))
            .map(|(_, join)| join)
    }

    /// Returns domain, relation and width of a comparison of values of type `ty`.
    pub(super) fn relation(&self, ty: Ty) -> Decoded<(Domain, Relation, bool)> {
        let relation = |less, equal, greater, unordered| Relation { less, equal, greater, unordered };
        let mut unsigned = false;
        let found = self.body.mods(self.inst()).iter().find_map(|m| {
            Some(match m {
                Mod::Eq => relation(false, true, false, false),
                Mod::Ne => relation(true, false, true, false),
                Mod::Lt => relation(true, false, false, false),
                Mod::Le => relation(true, true, false, false),
                Mod::Gt => relation(false, false, true, false),
                Mod::Ge => relation(false, true, true, false),
                Mod::Lo => relation(true, false, false, false),
                Mod::Ls => relation(true, true, false, false),
                Mod::Hi => relation(false, false, true, false),
                Mod::Hs => relation(false, true, true, false),
                Mod::Equ => relation(false, true, false, true),
                Mod::Neu => relation(true, false, true, true),
                Mod::Ltu => relation(true, false, false, true),
                Mod::Leu => relation(true, true, false, true),
                Mod::Gtu => relation(false, false, true, true),
                Mod::Geu => relation(false, true, true, true),
                Mod::Num => relation(true, true, true, false),
                Mod::NanLower | Mod::NaN => relation(false, false, false, true),
                _ => return None,
            })
        });
        for m in [Mod::Lo, Mod::Ls, Mod::Hi, Mod::Hs] {
            unsigned |= self.has(m);
        }
        let relation = found.ok_or("comparison operator")?;
        if ty.is_float() {
            let (format, lanes) = float(ty)?;
            return Ok((Domain::Float { format, ftz: self.has(Mod::Ftz) }, relation, lanes == 2));
        }
        let mut ty = int(ty)?;
        ty.signed &= !unsigned;
        Ok((Domain::Int(ty), relation, false))
    }

    fn setp(&mut self) -> Decoded<()> {
        let ty = self.ty(0)?;
        let (domain, relation, packed) = self.relation(ty)?;
        let operands = self.operands();
        let (d, a, b, join) = match *operands.as_slice() {
            [d, a, b] => (d, a, b, None),
            [d, a, b, c] => (d, a, b, Some((self.join().ok_or("boolean operator")?, self.pred_source(c)?))),
            _ => return Err("operands".into()),
        };
        let (p, q) = match d {
            Operand::Reg(p) => (Some(self.pred(p)?), None),
            Operand::Pair(p, q) => (p.map(|p| self.pred(p)).transpose()?, q.map(|q| self.pred(q)).transpose()?),
            Operand::Sink => (None, None),
            other => return Err(format!("destination {other:?}")),
        };
        let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
        self.push(Kind::Setp(Box::new(Setp { domain, relation, join, p, q, a, b, packed })));
        Ok(())
    }

    fn set(&mut self) -> Decoded<()> {
        let (to, from) = (self.ty(0)?, self.ty(1)?);
        let (domain, relation, packed) = self.relation(from)?;
        let operands = self.operands();
        let (d, a, b, join) = match *operands.as_slice() {
            [d, a, b] => (d, a, b, None),
            [d, a, b, c] => (d, a, b, Some((self.join().ok_or("boolean operator")?, self.pred_source(c)?))),
            _ => return Err("operands".into()),
        };
        let bits = to.bits() / if packed { 2 } else { 1 };
        let yes = if to.is_float() { float(to)?.0.one() } else { mask(bits) };
        let (dst, a, b) = (self.target(d)?, self.source(a, from)?, self.source(b, from)?);
        self.push(Kind::Set(Box::new(Set { domain, relation, join, dst, a, b, yes, bits, packed })));
        Ok(())
    }

    fn testp(&mut self) -> Decoded<()> {
        let ty = self.ty(0)?;
        let (format, _) = float(ty)?;
        let [Operand::Reg(d), a] = self.exactly()? else { return Err("destination".into()) };
        let tests = [
            (Mod::Finite, Test::Finite),
            (Mod::Infinite, Test::Infinite),
            (Mod::Number, Test::Number),
            (Mod::Notanumber, Test::NotANumber),
            (Mod::Normal, Test::Normal),
            (Mod::Subnormal, Test::Subnormal),
        ];
        let test = tests.iter().find(|(m, _)| self.has(*m)).ok_or("test")?.1;
        let (dst, a) = (self.pred(d)?, self.source(a, ty)?);
        self.push(Kind::Testp { format, test, dst, a });
        Ok(())
    }
}

/// Returns the integer type of twice the width.
fn wider(ty: Ty) -> Ty {
    match ty {
        Ty::U16 => Ty::U32,
        Ty::S16 => Ty::S32,
        Ty::U32 => Ty::U64,
        _ => Ty::S64,
    }
}

/// Returns the untyped type of a width.
pub fn bits_type(bits: u32) -> Decoded<Ty> {
    Ok(match bits {
        8 => Ty::B8,
        16 => Ty::B16,
        32 => Ty::B32,
        64 => Ty::B64,
        _ => return Err(format!("parts of {bits} bits")),
    })
}
