//! Integer arithmetic, bit operations, logic, selection and comparison (PTX ISA 9.0, 9.7.1, 9.7.2,
//! 9.7.5 to 9.7.8).

use crate::build::Lower;
use crate::reason::{Reason, fty_of, not_yet, sign_of, unsupported, width_of};
use raddle_ir::{Cond, Ftz, Op as I, PrmtMode, Sign, Value, Width};
use raddle_ptx::{InstId, Mod, Op, Operand, Ty};

impl Lower<'_> {
    /// Lowers the instructions on integers and bits.
    pub(crate) fn int(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let op = body.op(inst);
        let Some(&ty) = body.types(inst).first() else { return not_yet() };
        if matches!(ty, Ty::U16x2 | Ty::S16x2) {
            return self.integer_pairs(inst, ty);
        }
        if matches!(ty, Ty::U8x4 | Ty::S8x4) || ty.is_float() && op != Op::Selp {
            return unsupported(format!("type .{}", ty.name()));
        }
        let width = width_of(ty)?;
        let sign = sign_of(ty);
        let has = |m| body.has(inst, m);
        let relu = has(Mod::Relu);
        // Operations with one result of the operands' width.
        let plain = |op| Some((op, width));
        let word = |op| Some((op, Width::B32));
        let (op, result) = match op {
            Op::Add | Op::Sub | Op::Addc | Op::Subc => return self.add(inst, ty),
            Op::Mul | Op::Mad | Op::Madc => return self.multiply(inst, ty),
            Op::Mul24 | Op::Mad24 => return self.multiply24(inst, ty),
            Op::Div => plain(I::Div(sign)),
            Op::Rem => plain(I::Rem(sign)),
            Op::Abs => plain(I::Abs),
            Op::Neg => plain(I::Neg),
            Op::Min => plain(I::Min(sign)),
            Op::Max => plain(I::Max(sign)),
            Op::Sad => plain(I::Sad(sign)),
            Op::And => plain(I::And),
            Op::Or => plain(I::Or),
            Op::Xor => plain(I::Xor),
            Op::Not => plain(I::Not),
            Op::Popc => word(I::Popc),
            Op::Clz => word(I::Clz),
            Op::Brev => plain(I::Brev),
            Op::Bfind if has(Mod::Shiftamt) => word(I::BfindShift(sign)),
            Op::Bfind => word(I::Bfind(sign)),
            Op::Shl | Op::Shr => {
                let a = self.operand(inst, 1, ty)?;
                let b = self.operand(inst, 2, Ty::U32)?;
                let v = self.emit(if op == Op::Shl { I::Shl } else { I::Shr(sign) }, &[a, b], width);
                return self.set(inst, v);
            }
            Op::Bfe | Op::Bfi => {
                let values = if op == Op::Bfe { 1 } else { 2 };
                let mut args = self.operands_from(inst, 1, values, ty)?;
                args.extend(self.operands_from(inst, 1 + values, 2, Ty::U32)?);
                let v = self.emit(if op == Op::Bfe { I::Bfe(sign) } else { I::Bfi }, &args, width);
                return self.set(inst, v);
            }
            Op::Cnot => {
                let a = self.operand(inst, 1, ty)?;
                let (zero, one) = (self.constant(0, width), self.constant(1, width));
                let p = self.icmp(Cond::Eq, Sign::U, a, zero);
                let v = self.emit(I::Select, &[p, one, zero], width);
                return self.set(inst, v);
            }
            Op::Selp => {
                let args = self.operands_from(inst, 1, 2, ty)?;
                let p = self.operand(inst, 3, Ty::Pred)?;
                let v = self.emit(I::Select, &[p, args[0], args[1]], width);
                return self.set(inst, v);
            }
            Op::Shf => plain(match (has(Mod::L), has(Mod::Wrap)) {
                (true, true) => I::ShfL,
                (true, false) => I::ShfLClamp,
                (false, true) => I::ShfR,
                (false, false) => I::ShfRClamp,
            }),
            Op::Lop3 => return self.lop3(inst),
            Op::Prmt => plain(I::Prmt(prmt_mode(body.mods(inst)))),
            Op::Bmsk => plain(if has(Mod::Wrap) { I::BmskWrap } else { I::BmskClamp }),
            Op::Szext => {
                let a = self.operand(inst, 1, ty)?;
                let b = self.operand(inst, 2, Ty::U32)?;
                let op = if has(Mod::Wrap) { I::SzextWrap(sign) } else { I::SzextClamp(sign) };
                let v = self.emit(op, &[a, b], width);
                return self.set(inst, v);
            }
            Op::Dp4a | Op::Dp2a => {
                let other = sign_of(body.types(inst)[1]);
                plain(match (op, has(Mod::Hi)) {
                    (Op::Dp4a, _) => I::Dp4a(sign, other),
                    (_, true) => I::Dp2aHi(sign, other),
                    (_, false) => I::Dp2aLo(sign, other),
                })
            }
            _ => None,
        }
        .ok_or(Reason(String::new()))?;
        let count = body.insts[inst].operand_count() - 1;
        let args = self.operands_from(inst, 1, count, ty)?;
        let mut v = self.emit(op, &args, result);
        if relu {
            let zero = self.constant(0, result);
            v = self.emit(I::Max(Sign::S), &[v, zero], result);
        }
        self.set(inst, v)
    }

    /// Returns `count` operands of one type.
    pub(crate) fn operands_from(
        &mut self,
        inst: InstId,
        first: usize,
        count: usize,
        ty: Ty,
    ) -> Result<Vec<Value>, Reason> {
        (first..first + count).map(|i| self.operand(inst, i, ty)).collect()
    }

    fn add(&mut self, inst: InstId, ty: Ty) -> Result<(), Reason> {
        let body = self.input.body;
        let op = body.op(inst);
        let width = width_of(ty)?;
        let args = self.operands_from(inst, 1, 2, ty)?;
        let subtracts = matches!(op, Op::Sub | Op::Subc);
        if body.has(inst, Mod::Sat) {
            let v = self.emit(if subtracts { I::SubSat } else { I::AddSat }, &args, width);
            return self.set(inst, v);
        }
        let carries = matches!(op, Op::Addc | Op::Subc) || body.has(inst, Mod::Cc);
        if !carries {
            let v = self.emit(if subtracts { I::Sub } else { I::Add }, &args, width);
            return self.set(inst, v);
        }
        self.add_with_carry(inst, args[0], args[1], subtracts)
    }

    /// Emits a + b or a - b, reading and writing the carry flag as the instruction says. The flag
    /// is the carry of the adder: after a subtraction it means that there was no borrow ("ptxas
    /// 13.0.88 output").
    fn add_with_carry(&mut self, inst: InstId, a: Value, b: Value, subtracts: bool) -> Result<(), Reason> {
        let body = self.input.body;
        let width = self.f.width(a);
        let carry = match body.op(inst) {
            Op::Addc | Op::Subc | Op::Madc => self.carry()?,
            _ => self.constant(u64::from(subtracts), Width::P),
        };
        let op = if subtracts { I::SubC } else { I::AddC };
        let results = self.emit_many(op, &[a, b, carry], &[width, Width::P]);
        if body.has(inst, Mod::Cc) {
            self.set_carry(results[1])?;
        }
        self.set(inst, results[0])
    }

    fn multiply(&mut self, inst: InstId, ty: Ty) -> Result<(), Reason> {
        let body = self.input.body;
        let (op, sign, width) = (body.op(inst), sign_of(ty), width_of(ty)?);
        let has = |m| body.has(inst, m);
        let args = self.operands_from(inst, 1, 2, ty)?;
        if op == Op::Mul {
            let (op, width) = match (has(Mod::Wide), has(Mod::Hi)) {
                (true, _) => (I::MulWide(sign), doubled(width)?),
                (_, true) => (I::MulHi(sign), width),
                _ => (I::Mul, width),
            };
            let v = self.emit(op, &args, width);
            return self.set(inst, v);
        }
        let carries = op == Op::Madc || has(Mod::Cc);
        if has(Mod::Wide) {
            let c = self.operand(inst, 3, wide_type(ty)?)?;
            let v = self.emit(I::MadWide(sign), &[args[0], args[1], c], doubled(width)?);
            return self.set(inst, v);
        }
        let c = self.operand(inst, 3, ty)?;
        if carries {
            let product = self.emit(if has(Mod::Hi) { I::MulHi(sign) } else { I::Mul }, &args, width);
            return self.add_with_carry(inst, product, c, false);
        }
        if has(Mod::Sat) {
            let high = self.emit(I::MulHi(sign), &args, width);
            let v = self.emit(I::AddSat, &[high, c], width);
            return self.set(inst, v);
        }
        let op = if has(Mod::Hi) { I::MadHi(sign) } else { I::Mad };
        let v = self.emit(op, &[args[0], args[1], c], width);
        self.set(inst, v)
    }

    /// Lowers `mul24` and `mad24`: the low 24 bits of the operands, bits 0 to 31 or 16 to 47 of the
    /// product.
    fn multiply24(&mut self, inst: InstId, ty: Ty) -> Result<(), Reason> {
        let body = self.input.body;
        let sign = sign_of(ty);
        let mut args = self.operands_from(inst, 1, 2, ty)?;
        for a in &mut args {
            *a = self.emit(I::ExtLow(sign, 24), &[*a], Width::B32);
        }
        let mut v = if body.has(inst, Mod::Hi) {
            let wide = self.emit(I::MulWide(sign), &args, Width::B64);
            let by = self.constant(16, Width::B32);
            let high = self.emit(I::Shr(sign), &[wide, by], Width::B64);
            self.resize(high, Width::B32, sign)
        } else {
            self.emit(I::Mul, &args, Width::B32)
        };
        if body.op(inst) == Op::Mad24 {
            let c = self.operand(inst, 3, ty)?;
            v = self.emit(if body.has(inst, Mod::Sat) { I::AddSat } else { I::Add }, &[v, c], Width::B32);
        }
        self.set(inst, v)
    }

    fn lop3(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let args = self.operands_from(inst, 1, 3, Ty::B32)?;
        let table = match body.operand(inst, 4) {
            Some(Operand::Imm(imm)) => imm.bits as u8,
            _ => return unsupported("a truth table that is not a literal"),
        };
        let v = self.emit(I::Lop3(table), &args, Width::B32);
        let combine = match body.one_of(inst, &[Mod::And, Mod::Or]) {
            Some(Mod::And) => I::And,
            Some(_) => I::Or,
            None => return self.set(inst, v),
        };
        let q = self.operand(inst, 5, Ty::Pred)?;
        let zero = self.constant(0, Width::B32);
        let any = self.icmp(Cond::Ne, Sign::U, v, zero);
        let p = self.emit(combine, &[any, q], Width::P);
        self.set_pair(inst, v, p)
    }

    /// Lowers `set`, `setp`, `slct`.
    pub(crate) fn compare(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let types = body.types(inst);
        let op = body.op(inst);
        if op == Op::Slct {
            return self.slct(inst);
        }
        let ty = types[types.len() - 1];
        if matches!(ty, Ty::F16x2 | Ty::Bf16x2) {
            return self.compare_pairs(inst);
        }
        let a = self.operands_from(inst, 1, 2, ty)?;
        let cond = condition(body.mods(inst)).ok_or(Reason(String::new()))?;
        let ftz = if body.has(inst, Mod::Ftz) { Ftz::Yes } else { Ftz::No };
        let test = |lower: &mut Self, cond| -> Result<Value, Reason> {
            if ty.is_float() {
                return Ok(lower.emit(I::Fcmp(fty_of(ty)?, cond, ftz), &a, Width::P));
            }
            let (cond, sign) = integer_condition(cond, ty)?;
            Ok(lower.icmp(cond, sign, a[0], a[1]))
        };
        let combine = match body.one_of(inst, &[Mod::And, Mod::Or, Mod::Xor]) {
            Some(m) => {
                let c = self.operand(inst, 3, Ty::Pred)?;
                let op = match m {
                    Mod::And => I::And,
                    Mod::Or => I::Or,
                    _ => I::Xor,
                };
                Some((op, c))
            }
            None => None,
        };
        let joined = |lower: &mut Self, p| match combine {
            Some((op, c)) => lower.emit(op, &[p, c], Width::P),
            None => p,
        };
        let raw = test(self, cond)?;
        let p = joined(self, raw);
        if op == Op::Set {
            let (one, width) = match types[0] {
                Ty::F32 => (u64::from(1f32.to_bits()), Width::B32),
                Ty::U32 | Ty::S32 => (u64::MAX, Width::B32),
                Ty::U16 | Ty::S16 => (u64::MAX, Width::B16),
                Ty::F16 => (0x3c00, Width::B16),
                Ty::Bf16 => (0x3f80, Width::B16),
                other => return unsupported(format!("type .{}", other.name())),
            };
            let (one, zero) = (self.constant(one, width), self.constant(0, width));
            let v = self.emit(I::Select, &[p, one, zero], width);
            return self.set(inst, v);
        }
        let q = match body.operand(inst, 0) {
            Some(Operand::Pair(_, Some(_))) => {
                let not = self.emit(I::Not, &[raw], Width::P);
                joined(self, not)
            }
            _ => p,
        };
        self.set_pair(inst, p, q)
    }

    /// Lowers `slct`: a if c >= 0, else b.
    fn slct(&mut self, inst: InstId) -> Result<(), Reason> {
        let types = self.input.body.types(inst);
        let (ty, by) = (types[0], types[1]);
        let args = self.operands_from(inst, 1, 2, ty)?;
        let c = self.operand(inst, 3, by)?;
        let zero = self.constant(0, Width::B32);
        let p = if by == Ty::F32 {
            let ftz = if self.input.body.has(inst, Mod::Ftz) { Ftz::Yes } else { Ftz::No };
            self.emit(I::Fcmp(raddle_ir::Fty::F32, Cond::Ge, ftz), &[c, zero], Width::P)
        } else {
            self.icmp(Cond::Ge, Sign::S, c, zero)
        };
        let v = self.emit(I::Select, &[p, args[0], args[1]], width_of(ty)?);
        self.set(inst, v)
    }
}

fn doubled(width: Width) -> Result<Width, Reason> {
    Width::of_bits(width.bits() * 2).filter(|w| *w <= Width::B64).ok_or(Reason(String::new()))
}

fn wide_type(ty: Ty) -> Result<Ty, Reason> {
    Ok(match ty {
        Ty::U16 => Ty::U32,
        Ty::S16 => Ty::S32,
        Ty::U32 => Ty::U64,
        Ty::S32 => Ty::S64,
        _ => return not_yet(),
    })
}

fn prmt_mode(mods: &[Mod]) -> PrmtMode {
    mods.iter()
        .find_map(|m| {
            Some(match m {
                Mod::F4e => PrmtMode::F4e,
                Mod::B4e => PrmtMode::B4e,
                Mod::Rc8 => PrmtMode::Rc8,
                Mod::Ecl => PrmtMode::Ecl,
                Mod::Ecr => PrmtMode::Ecr,
                Mod::Rc16 => PrmtMode::Rc16,
                _ => return None,
            })
        })
        .unwrap_or(PrmtMode::Index)
}

/// Returns the condition of a comparison.
pub(crate) fn condition(mods: &[Mod]) -> Option<Cond> {
    mods.iter().find_map(|m| {
        Some(match m {
            Mod::Eq => Cond::Eq,
            Mod::Ne => Cond::Ne,
            Mod::Lt | Mod::Lo => Cond::Lt,
            Mod::Le | Mod::Ls => Cond::Le,
            Mod::Gt | Mod::Hi => Cond::Gt,
            Mod::Ge | Mod::Hs => Cond::Ge,
            Mod::Equ => Cond::Equ,
            Mod::Neu => Cond::Neu,
            Mod::Ltu => Cond::Ltu,
            Mod::Leu => Cond::Leu,
            Mod::Gtu => Cond::Gtu,
            Mod::Geu => Cond::Geu,
            Mod::Num => Cond::Num,
            Mod::NanLower => Cond::Nan,
            _ => return None,
        })
    })
}

/// Converts to an integer condition, of which there are six; `.lo .ls .hi .hs` exist for unsigned
/// types only.
fn integer_condition(cond: Cond, ty: Ty) -> Result<(Cond, Sign), Reason> {
    match cond {
        Cond::Eq | Cond::Ne | Cond::Lt | Cond::Le | Cond::Gt | Cond::Ge => Ok((cond, sign_of(ty))),
        _ => unsupported("an unordered comparison of integers"),
    }
}
