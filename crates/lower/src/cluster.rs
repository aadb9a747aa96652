//! Clusters: addresses of other CTAs, the barrier, stores and reductions that signal an mbarrier
//! object (PTX ISA 9.0, 9.7.9.24, 9.7.13.4, 9.7.9.12).

use crate::build::Lower;
use crate::reason::{Reason, not_yet, unsupported};
use raddle_ir::{AtomOp, Aty, ClusterOp, Mty, Op as I, PrmtMode, Sign, Space, Width};
use raddle_ptx::{InstId, Mod, Op, Operand, Ty};

/// Bits of a shared address below the rank.
const RANK: u64 = 24;

impl Lower<'_> {
    /// Lowers an instruction of this family.
    pub(crate) fn cluster(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        match body.op(inst) {
            Op::Mapa => self.map_to_rank(inst),
            Op::Getctarank => {
                let at = self.shared_word(inst)?;
                let amount = self.constant(RANK, Width::B32);
                let rank = self.emit(I::Shr(Sign::U), &[at, amount], Width::B32);
                self.set(inst, rank)
            }
            Op::BarrierCluster => {
                let op = match (body.has(inst, Mod::Arrive), body.has(inst, Mod::Relaxed)) {
                    (true, false) => ClusterOp::Arrive,
                    (true, true) => ClusterOp::ArriveRelaxed,
                    (false, _) => ClusterOp::Wait,
                };
                self.emit_many(I::ClusterBar(op), &[], &[]);
                Ok(())
            }
            Op::StAsync => self.store_async(inst),
            Op::RedAsync => self.reduce_async(inst),
            Op::Setmaxnreg => {
                let Some(Operand::Imm(count)) = body.operand(inst, 0) else { return unsupported("this operand") };
                let count = count.bits as u16;
                let op = if body.has(inst, Mod::Inc) { I::TakeRegisters(count) } else { I::GiveRegisters(count) };
                self.emit_many(op, &[], &[]);
                Ok(())
            }
            _ => not_yet(),
        }
    }

    /// Returns the lower word of the address at operand 1.
    fn shared_word(&mut self, inst: InstId) -> Result<raddle_ir::Value, Reason> {
        match self.input.body.operand(inst, 1) {
            Some(Operand::Symbol(sym, offset)) => self.address_of(sym, offset),
            Some(operand) => {
                let ty = self.input.body.types(inst)[0];
                let v = self.value(operand, ty)?;
                Ok(self.resize(v, Width::B32, Sign::U))
            }
            None => unsupported("a missing operand"),
        }
    }

    /// Lowers `mapa`: the rank replaces the uppermost byte ("ptxas 13.0.88 output").
    fn map_to_rank(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let at = self.shared_word(inst)?;
        let rank = self.operand(inst, 2, Ty::U32)?;
        let selector = self.constant(0x4210, Width::B32);
        let mapped = self.emit(I::Prmt(PrmtMode::Index), &[at, rank, selector], Width::B32);
        if body.types(inst)[0].bits() == 32 {
            return self.set(inst, mapped);
        }
        let mapped = if body.has(inst, Mod::SharedCluster) {
            self.resize(mapped, Width::B64, Sign::U)
        } else {
            self.generic_address(Space::Shared, mapped)
        };
        self.set(inst, mapped)
    }

    fn store_async(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        let mty = if ty.bytes() == 8 { Mty::B64 } else { Mty::B32 };
        let mut args = vec![self.flat(inst, 0, Space::Shared)?, self.flat(inst, 2, Space::Shared)?];
        for part in self.parts(body.operand(inst, 1)) {
            args.push(self.value(part, ty)?);
        }
        if (args.len() - 2) * mty.bytes() as usize > 16 {
            return unsupported("more than 128 bits");
        }
        self.emit_many(I::StoreAsync(mty), &args, &[]);
        Ok(())
    }

    fn reduce_async(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = body.types(inst)[0];
        let aty = match ty {
            Ty::U32 | Ty::B32 => Aty::U32,
            Ty::S32 => Aty::S32,
            // A sum has the same bits with and without a sign.
            Ty::U64 | Ty::S64 => Aty::U64,
            _ => return unsupported(format!("type .{}", ty.name())),
        };
        let names = [
            (Mod::Add, AtomOp::Add),
            (Mod::Min, AtomOp::Min),
            (Mod::Max, AtomOp::Max),
            (Mod::Inc, AtomOp::Inc),
            (Mod::Dec, AtomOp::Dec),
            (Mod::And, AtomOp::And),
            (Mod::Or, AtomOp::Or),
            (Mod::Xor, AtomOp::Xor),
        ];
        let Some(&(_, op)) = names.iter().find(|(m, _)| body.has(inst, *m)) else { return not_yet() };
        let args = [self.flat(inst, 0, Space::Shared)?, self.flat(inst, 2, Space::Shared)?, self.operand(inst, 1, ty)?];
        self.emit_many(I::RedAsync(op, aty), &args, &[]);
        Ok(())
    }
}
