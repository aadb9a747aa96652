//! Immediate operands: literals and constant expressions.

use crate::body::{PAYLOAD_BITS, Tag, Word};
use crate::decl::Fault;
use crate::errors::E0103;
use crate::parse::{Opnd, Parser};
use crate::tree::*;
use crate::ty::Ty;
use raddle_diag::quote;

impl Parser<'_, '_, '_> {
    /// Reads an operand that is a number or an expression of numbers.
    pub(crate) fn immediate(&mut self, start: usize) -> Result<Opnd, Fault> {
        // A plain literal first; anything else is an expression.
        let imm = if self.cur.peek().is_ascii_digit() {
            let imm = match self.cur.number() {
                Ok(imm) => imm,
                Err(_) => {
                    let text = quote(self.cur.slice(start, self.cur.pos()));
                    return Err(Fault::new(E0103, start, self.cur.pos(), format!("malformed number {text}")));
                }
            };
            let next = self.cur.peek();
            if matches!(next, b',' | b';' | b']' | b'}' | b')') {
                imm
            } else {
                self.cur.skip_space();
                if matches!(self.cur.peek(), b',' | b';' | b']' | b'}' | b')') {
                    imm
                } else {
                    crate::expr::expression(&mut self.cur, Some(imm))
                        .map_err(|what| Fault::expected(&self.cur, what))?
                }
            }
        } else {
            crate::expr::expression(&mut self.cur, None).map_err(|what| Fault::expected(&self.cur, what))?
        };
        let word = self.imm_word(imm, start)?;
        let mut opnd = self.opnd(word, start, self.cur.pos());
        opnd.ty = match imm.kind {
            ImmKind::Int => Ty::S64,
            ImmKind::F32 => Ty::F32,
            ImmKind::F64 => Ty::F64,
        };
        Ok(opnd)
    }

    fn imm_word(&mut self, imm: Imm, at: usize) -> Result<Word, Fault> {
        let (low, high) = (imm.bits as u32, (imm.bits >> 32) as u32);
        Ok(match imm.kind {
            ImmKind::Int => {
                let shift = 64 - PAYLOAD_BITS;
                let value = imm.bits as i64;
                if value << shift >> shift == value {
                    Word::new(Tag::SmallInt, low)
                } else {
                    Word::new(Tag::Int, self.pool(&[low, high], at)?)
                }
            }
            ImmKind::F32 => Word::new(Tag::F32, self.pool(&[low], at)?),
            ImmKind::F64 => Word::new(Tag::F64, self.pool(&[low, high], at)?),
        })
    }
}
