//! Accesses to multicast memory (PTX ISA 9.0, 9.7.9.16 to 9.7.9.18).
//!
//! `multimem.st` and `multimem.red` are ordinary stores and reductions, with an address that stands
//! for one byte of every device; `multimem.ld_reduce` has an operation of its own.

use crate::atomic::{operation, scalar_type, vector_type};
use crate::build::Lower;
use crate::memory::{element, order_of};
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{Accum, Atom, Cache, Mem, Op as I, Order, Prefetch, Scope, Space};
use raddle_ptx::{InstId, Mod, Op, Operand};

impl Lower<'_> {
    /// Lowers `multimem`.
    pub(crate) fn multimem(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let pty = body.types(inst)[0];
        let lanes = body.one_of(inst, &[Mod::V2, Mod::V4, Mod::V8]);
        let op = body.op(inst);
        // A generic address is one of global memory.
        let at = usize::from(op == Op::MultimemLdReduce);
        let (space, base, offset) = self.address_in(inst, at, Some(Space::Global))?;
        let weakest = if op == Op::MultimemRed { Order::Relaxed } else { Order::Weak };
        let (order, scope) = order_of(body.mods(inst), weakest);
        if op == Op::MultimemSt {
            let ty = element(pty)?;
            let count = match lanes {
                Some(Mod::V2) => 2,
                Some(Mod::V4) => 4,
                Some(_) => 8,
                None => 1,
            };
            let (cache, prefetch) = (Cache::None, Prefetch::None);
            let mut args = vec![base];
            match body.operand(inst, 1) {
                Some(Operand::Vec(list)) if count > 1 => {
                    for part in body.list(list) {
                        args.push(self.stored(part, pty, ty)?);
                    }
                }
                Some(operand) => args.push(self.stored(operand, pty, ty)?),
                None => return unsupported("a missing value"),
            }
            let mem = Mem { space, ty, count, order, scope, cache, prefetch, offset };
            self.emit_many(I::Store(mem), &args, &[]);
            return Ok(());
        }
        let ty = match lanes {
            Some(lanes) => vector_type(pty, lanes)?,
            None => scalar_type(pty)?,
        };
        let Some(op) = operation(body.mods(inst)) else { return not_yet() };
        // The scope of the system, unless there is another ("ptxas 13.0.88 output").
        let scope = if scope == Scope::None { Scope::Sys } else { scope };
        let atom = Atom { op, ty, space, order, scope, offset };
        if at == 0 {
            let value = self.packed(inst, 1, pty, ty)?;
            self.emit_many(I::Red(atom), &[base, value], &[]);
            return Ok(());
        }
        let how = if body.has(inst, Mod::AccF32) { Accum::F32 } else { Accum::Own };
        let value = self.emit(I::LoadReduce(atom, how), &[base], ty.width());
        self.set_parts(inst, value, pty)
    }
}
