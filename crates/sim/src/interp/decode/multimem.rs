//! Decodes accesses to multicast memory (PTX ISA 9.0, 9.7.9.16 to 9.7.9.18).

use super::super::code::*;
use super::{Decoded, Decoder, float};
use raddle_ptx::{Mod, Op, Operand};

impl Decoder<'_> {
    /// Decodes a `multimem` instruction; returns false for others.
    pub(super) fn multimem(&mut self, op: Op) -> Decoded<bool> {
        if !matches!(op, Op::MultimemLdReduce | Op::MultimemRed | Op::MultimemSt) {
            return Ok(false);
        }
        let ty = self.ty(0)?;
        let operands = self.operands();
        let (how, a, values) = match (op, operands.as_slice()) {
            (Op::MultimemLdReduce, &[d, a]) => {
                let op = self.atom_op(ty)?;
                let wide = if self.has(Mod::AccF32) { Some(float(ty)?) } else { None };
                (Multicast::LoadReduce(op, wide), a, d)
            }
            (Op::MultimemRed, &[a, b]) => (Multicast::Reduce(self.atom_op(ty)?), a, b),
            (Op::MultimemSt, &[a, b]) => (Multicast::Store, a, b),
            _ => return Err("operands".into()),
        };
        // Without a state space the address is a generic one of global memory.
        let address = self.address_in(a, Window::Global, false)?;
        let mut rows = Vec::new();
        for element in self.elements(values) {
            rows.push(match how {
                Multicast::LoadReduce(..) if element == Operand::Sink => None,
                Multicast::LoadReduce(..) => Some(self.target(element)?),
                _ => Some(self.source(element, ty)?),
            });
        }
        let (bytes, order) = (ty.bytes(), self.order());
        self.push(Kind::Multimem(Box::new(Multimem { how, address, bytes, rows, order })));
        Ok(true)
    }
}
