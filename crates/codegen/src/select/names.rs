//! The values of PTX registers, with `-g`: each is in a register where it gets its name
//! ([`crate::names`]), constants too, as ptxas has it.

use raddle_ir::{Value, Width};

use super::{Part, Pred, Select};
use crate::mir::{MInst, Name, V};
use crate::sass;

impl Select<'_> {
    /// Selects [`raddle_ir::Op::Names`].
    pub(super) fn names(&mut self, of: u32, value: Value) {
        let parts: Vec<Option<V>> = match self.f.width(value) {
            Width::P => match self.pred(value) {
                // An undefined predicate is a constant to selection: it has no value.
                _ if self.is_undefined(value) => vec![None],
                Pred::Reg(v, false) => vec![Some(v)],
                other => vec![Some(self.copy_pred(other))],
            },
            _ => {
                let parts = self.parts(value);
                parts.iter().map(|&part| if part == Part::Undef { None } else { Some(self.reg(part)) }).collect()
            }
        };
        for (part, at) in parts.into_iter().enumerate() {
            self.emit(sass::nop(), &[]);
            let last: Option<&mut MInst> = self.m.blocks[self.cur].insts.last_mut();
            if let Some(last) = last {
                last.name = Some(Name { of, part: part as u8, at });
            }
        }
    }

    fn is_undefined(&self, value: Value) -> bool {
        matches!(self.def(value), Some((raddle_ir::Op::Undef, _)))
    }
}
