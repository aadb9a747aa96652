//! `alloca`, `stacksave` and `stackrestore` (PTX ISA 9.0, stack manipulation instructions): stack
//! memory of a size known at run time.
//!
//! A function frees its allocations when it returns. If it is inlined, the caller does that.

use crate::build::Lower;
use crate::callees::Callee;
use crate::reason::{Reason, unsupported};
use raddle_ir::{Function, Op as I, Sign, Value, Width};
use raddle_ptx::{InstId, Op, Operand};

/// Default and least alignment (PTX ISA 9.0, `alloca`).
const ALIGNMENT: u32 = 8;

/// Whether a function allocates stack memory.
fn takes(f: &Function) -> bool {
    f.layout.iter().flat_map(|&b| &f.blocks[b].insts).any(|&i| matches!(f.insts[i].op, I::StackAlloc(_)))
}

impl Lower<'_> {
    /// Lowers an instruction of the family.
    pub(crate) fn stack(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        let short = |this: &mut Self, v: Value| this.resize(v, Width::B32, Sign::U);
        let result = match body.op(inst) {
            Op::Alloca => {
                let size = self.operand(inst, 1, ty)?;
                let size = short(self, size);
                let align = match body.operand(inst, 2) {
                    None => ALIGNMENT,
                    Some(Operand::Imm(imm)) => (imm.bits as u32).max(ALIGNMENT),
                    Some(_) => return unsupported("an alignment that is not a literal"),
                };
                self.emit(I::StackAlloc(align.trailing_zeros() as u8), &[size], Width::B32)
            }
            Op::Stacksave => self.emit(I::StackSave, &[], Width::B32),
            _ => {
                let to = self.operand(inst, 0, ty)?;
                let to = short(self, to);
                self.emit_many(I::StackRestore, &[to], &[]);
                return Ok(());
            }
        };
        self.set_resized(body.operand(inst, 0), result, Sign::U)
    }

    /// Saves the stack pointer before an inlined function that allocates stack memory.
    pub(crate) fn keep_stack(&mut self, callee: &Callee) -> Option<Value> {
        takes(&callee.f).then(|| self.emit(I::StackSave, &[], Width::B32))
    }

    /// Restores the stack pointer after it.
    pub(crate) fn give_back_stack(&mut self, kept: Option<Value>) {
        if let Some(kept) = kept {
            self.emit_many(I::StackRestore, &[kept], &[]);
        }
    }
}
