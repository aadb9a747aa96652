//! Decodes `alloca`, `stacksave` and `stackrestore` (PTX ISA 9.0, stack manipulation instructions).

use super::super::code::{Decoded, Kind, StackOp};
use super::Decoder;
use raddle_ptx::{Op, Operand};

/// Default alignment (PTX ISA 9.0, `alloca`).
const ALIGNMENT: u32 = 8;

impl Decoder<'_> {
    /// Decodes an instruction of this family; returns false for others.
    pub(super) fn stack(&mut self, op: Op) -> Decoded<bool> {
        let op = match (op, self.operands().as_slice()) {
            (Op::Alloca, &[d, size, ref align @ ..]) => {
                let align = match align {
                    [] => ALIGNMENT,
                    [Operand::Imm(imm)] => (imm.bits as u32).max(ALIGNMENT),
                    _ => return Err("alignment".into()),
                };
                let ty = self.ty(0)?;
                StackOp::Alloca { dst: self.target(d)?, size: self.source(size, ty)?, align }
            }
            (Op::Stacksave, &[d]) => StackOp::Save { dst: self.target(d)? },
            (Op::Stackrestore, &[s]) => {
                let ty = self.ty(0)?;
                StackOp::Restore { src: self.source(s, ty)? }
            }
            _ => return Ok(false),
        };
        self.push(Kind::Stack(op));
        Ok(true)
    }
}
