//! Choices between floats, in one instruction with what is chosen from.
//!
//! A negation or an absolute value is a modifier of `FSEL`, and a choice between one and zero by a
//! comparison is the result of `FSET` or `HSET2`.

use raddle_entity::SecondaryMap;
use raddle_ir::{Fty, Ftz, Function, Op, Value, Width};

use super::float::{cond, ftz};
use super::{Part, Pp, Pred, Ra, Rb, Select};
use crate::mir::{MKind, MOp};
use crate::sass;

/// Values that are read by nothing but arithmetic of single precision, the result of which does not
/// depend on which NaN an operand is.
pub(super) struct OnlyFloats(SecondaryMap<Value, bool>);

impl OnlyFloats {
    fn of(f: &Function) -> OnlyFloats {
        let mut others: SecondaryMap<Value, bool> = SecondaryMap::new();
        for &b in &f.layout {
            for &i in &f.blocks[b].insts {
                let d = &f.insts[i];
                let is_float = matches!(
                    d.op,
                    Op::Fadd(Fty::F32, ..) | Op::Fmul(Fty::F32, ..) | Op::Ffma(Fty::F32, ..) | Op::Fcmp(Fty::F32, ..)
                );
                if !is_float {
                    d.args.iter().for_each(|&v| others[v] = true);
                }
            }
            f.term(b).for_each_use(|v| others[v] = true);
        }
        OnlyFloats(others)
    }

    fn has(&self, v: Value) -> bool {
        !self.0[v]
    }
}

impl Select<'_> {
    /// The choice `r = args[0] ? args[1] : args[2]` of floats, where one instruction does it together with
    /// what it chooses from; `None` for others, which are words as any.
    pub(super) fn float_choice(&mut self, args: &[Value], r: Value) -> Option<Part> {
        let (p, a, b) = (args[0], args[1], args[2]);
        match self.f.width(r) {
            Width::B32 => self.set_float(Fty::F32, p, a, b).or_else(|| self.modified(p, a, b, r)),
            Width::B16 => self.set_float(Fty::F16, p, a, b),
            _ => None,
        }
    }

    /// One where a comparison holds, else zero.
    fn set_float(&mut self, t: Fty, p: Value, a: Value, b: Value) -> Option<Part> {
        let one = if t == Fty::F32 { 0x3f80_0000 } else { 0x3c00 };
        let Some((Op::Fcmp(of, c, z), &[x, y])) = self.def(p) else { return None };
        let c = match (self.f.constant(a)?, self.f.constant(b)?) {
            _ if of != t => return None,
            (a, 0) if a == one => c,
            (0, b) if b == one => c.complement(),
            _ => return None,
        };
        if t == Fty::F32 {
            let (x, y) = (self.source(x, t), self.source(y, t));
            return Some(Part::Reg(self.emit1(sass::fset(cond(c), ftz(z)), &[(Ra, x), (Rb, y)])));
        }
        let (x, y) = (self.half_operand(x, t), self.half_operand(y, t));
        Some(Part::Reg(self.emit1(sass::hset2(cond(c), ftz(z)), &[(Ra, x), (Rb, y)])))
    }

    /// A choice of single-precision values of which one is a negation or an absolute value. The modifiers
    /// change the sign of a NaN, where the operations give a canonical one: it must not matter.
    fn modified(&mut self, p: Value, a: Value, b: Value, r: Value) -> Option<Part> {
        let is_modified =
            |v| matches!(self.def(v), Some((Op::Fneg(Fty::F32, Ftz::No) | Op::Fabs(Fty::F32, Ftz::No), _)));
        if !is_modified(a) && !is_modified(b) {
            return None;
        }
        let f = self.f;
        if !self.only_floats.get_or_insert_with(|| OnlyFloats::of(f)).has(r) {
            return None;
        }
        let p = self.pred(p);
        let (a, b) = (self.source(a, Fty::F32), self.source(b, Fty::F32));
        // An immediate can only be the second operand.
        let (p, a, b) = if is_immediate(&a) { (p.inverse(), b, a) } else { (p, a, b) };
        if matches!(p, Pred::Known(_)) || is_immediate(&a) {
            return None;
        }
        Some(Part::Reg(self.emit1(sass::fsel(), &[(Ra, a), (Rb, b), (Pp, p.op())])))
    }
}

fn is_immediate(o: &MOp) -> bool {
    matches!(o.kind, MKind::Imm(_))
}
