//! `vmad` (PTX ISA 9.0, scalar video instructions): multiply-add on parts of words, negated, scaled
//! and clamped.
//!
//! Without clamping only the low bits matter, for which 64 bits suffice. With clamping 64 bits hold
//! every result but that of a negated product of two unsigned words, or of one from which a value
//! is subtracted: there a product above 2^62 is reduced to that, which clamps to the same result.

use crate::build::Lower;
use crate::reason::Reason;
use raddle_ir::{Op as I, Sign, Value, Width};
use raddle_ptx::{InstId, Mod, Operand, Ty};

impl Lower<'_> {
    /// Lowers one `vmad`.
    pub(crate) fn vmad(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let wide = Width::B64;
        let sign = [1, 2].map(|n| match body.types(inst).get(n) {
            Some(ty) if ty.is_signed() => Sign::S,
            _ => Sign::U,
        });
        let (a, minus_a) = self.selected_of(inst, 1, sign[0])?;
        let (b, minus_b) = self.selected_of(inst, 2, sign[1])?;
        let (c, minus_c) = match body.operand(inst, 3) {
            Some(Operand::Neg(reg)) => (self.value(Operand::Reg(reg), Ty::B32)?, true),
            _ => (self.operand(inst, 3, Ty::B32)?, false),
        };
        let minus = minus_a != minus_b;
        let unsigned = sign == [Sign::U; 2];
        let result = if unsigned && !minus && !minus_c { Sign::U } else { Sign::S };
        let (scale, sat) = match (body.has(inst, Mod::Shr7), body.has(inst, Mod::Shr15)) {
            (true, _) => (7, body.has(inst, Mod::Sat)),
            (_, true) => (15, body.has(inst, Mod::Sat)),
            _ => (0, body.has(inst, Mod::Sat)),
        };
        let mut product = self.emit(I::Mul, &[a, b], wide);
        if sat && unsigned && result == Sign::S {
            let most = self.constant(1 << 62, wide);
            product = self.emit(I::Min(Sign::U), &[product, most], wide);
        }
        let c = self.resize(c, wide, result);
        let mut v = match (minus, minus_c) {
            (true, _) => self.emit(I::Sub, &[c, product], wide),
            (_, true) => self.emit(I::Sub, &[product, c], wide),
            _ => self.emit(I::Add, &[product, c], wide),
        };
        if body.has(inst, Mod::Po) {
            let one = self.constant(1, wide);
            v = self.emit(I::Add, &[v, one], wide);
        }
        if scale > 0 {
            let by = self.constant(scale, Width::B32);
            v = self.emit(I::Shr(result), &[v, by], wide);
        }
        if sat {
            v = self.clamped(v, result);
        }
        let v = self.resize(v, Width::B32, result);
        self.set(inst, v)
    }

    /// Returns a factor in 64 bits, and whether it is negated.
    fn selected_of(&mut self, inst: InstId, index: usize, sign: Sign) -> Result<(Value, bool), Reason> {
        let (operand, minus) = match self.input.body.operand(inst, index) {
            Some(Operand::Neg(reg)) => (Some(Operand::Reg(reg)), true),
            Some(Operand::RegPart(reg, part, minus)) => (Some(Operand::RegPart(reg, part, false)), minus),
            other => (other, false),
        };
        let source = self.selected(operand, 32, 0, sign)?;
        Ok((self.unit(source, source.first_unit(), Width::B64), minus))
    }

    /// Clamps a 64-bit value to the 32-bit range of the same signedness.
    fn clamped(&mut self, v: Value, sign: Sign) -> Value {
        match sign {
            Sign::S => self.clamp(v, 32, sign, Width::B64),
            Sign::U => {
                let most = self.constant(u32::MAX.into(), Width::B64);
                self.emit(I::Min(Sign::U), &[v, most], Width::B64)
            }
        }
    }
}
