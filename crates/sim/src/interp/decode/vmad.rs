//! Decodes `vmad` (PTX ISA 9.0, scalar video instructions).

use super::super::alu::Alu;
use super::super::code::{Decoded, ZERO};
use super::super::vmad::Vmad;
use super::Decoder;
use raddle_ptx::{Mod, Operand, Ty};

impl Decoder<'_> {
    /// Decodes a `vmad`.
    pub(super) fn vmad(&mut self) -> Decoded<()> {
        let [d, a, b, c] = self.exactly()?;
        let signed = [1, 2].map(|n| self.body.types(self.inst()).get(n).is_some_and(|ty| ty.is_signed()));
        let plain = |operand: Operand| match operand {
            Operand::Neg(reg) => (Operand::Reg(reg), true),
            Operand::RegPart(reg, part, true) => (Operand::RegPart(reg, part, false), true),
            other => (other, false),
        };
        let [(a, minus_a), (b, minus_b), (c, minus_sum)] = [a, b, c].map(plain);
        let (a_row, a) = self.selected(a, 32, 0, signed[0])?;
        let (b_row, b) = self.selected(b, 32, 0, signed[1])?;
        let op = Vmad {
            a,
            b,
            minus_product: minus_a != minus_b,
            minus_sum,
            plus_one: self.has(Mod::Po),
            scale: if self.has(Mod::Shr7) {
                7
            } else if self.has(Mod::Shr15) {
                15
            } else {
                0
            },
            sat: self.has(Mod::Sat),
        };
        let rows = [a_row, b_row, self.source(c, Ty::B32)?, ZERO];
        let dst = self.target(d)?;
        self.alu(Alu::Vmad(op), dst, &rows);
        Ok(())
    }
}
