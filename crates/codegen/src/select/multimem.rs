//! Loads that combine the replicas of multicast memory (`LDGMC`).
//!
//! Stores and reductions of multicast memory are ordinary ones. All loads are of the scope of the
//! system, whatever their scope in PTX ("ptxas 13.0.88 output").

use raddle_ir::{Accum, Atom, AtomOp, Aty, Value};
use raddle_sass::row::SlotRole;

use super::{Select, words};
use crate::mir::MKind;
use crate::sass::{self, Mnemonic, tokens as t};

/// Returns `None` for combinations without a row.
fn row(a: &Atom, how: Accum) -> Option<Mnemonic> {
    let minmax = matches!(a.op, AtomOp::Min | AtomOp::Max);
    let int = match a.ty {
        Aty::S32 => t::CombineIntTy::S32,
        Aty::U32 => t::CombineIntTy::N32,
        Aty::S64 if minmax => t::CombineIntTy::S64,
        Aty::U64 | Aty::S64 => t::CombineIntTy::N64,
        _ => {
            let op = match (a.op, how) {
                (AtomOp::Add, Accum::Own) => t::CombineFloat::Add,
                (AtomOp::Add, Accum::F32) => t::CombineFloat::F32add,
                (AtomOp::Min, _) => t::CombineFloat::Min,
                (AtomOp::Max, _) => t::CombineFloat::Max,
                _ => return None,
            };
            let ty = match a.ty {
                Aty::F16x2 => t::CombineFloatTy::F16x2Rn,
                Aty::F16x4 => t::CombineFloatTy::F16x4Rn,
                Aty::F16x8 => t::CombineFloatTy::F16x8Rn,
                Aty::Bf16x2 => t::CombineFloatTy::Bf16x2Rn,
                Aty::Bf16x4 => t::CombineFloatTy::Bf16x4Rn,
                Aty::Bf16x8 => t::CombineFloatTy::Bf16x8Rn,
                Aty::F32 => t::CombineFloatTy::F32Rn,
                Aty::F32x2 => t::CombineFloatTy::F32x2Rn,
                Aty::F32x4 => t::CombineFloatTy::F32x4Rn,
                Aty::F64 => t::CombineFloatTy::F64Rn,
                _ => return None,
            };
            return Some(sass::ldgmc_float(op, ty));
        }
    };
    let op = match a.op {
        AtomOp::Add => t::CombineInt::Add,
        AtomOp::Min => t::CombineInt::Min,
        AtomOp::Max => t::CombineInt::Max,
        AtomOp::And => t::CombineInt::And,
        AtomOp::Or => t::CombineInt::Or,
        AtomOp::Xor => t::CombineInt::Xor,
        _ => return None,
    };
    Some(sass::ldgmc(op, int))
}

impl Select<'_> {
    pub(super) fn load_reduce(&mut self, a: Atom, how: Accum, base: Value, result: Value) {
        let Some(name) = row(&a, how).filter(|_| self.hopper()) else { return self.refuse() };
        let mut address = self.addr(base, a.space, a.offset);
        if let MKind::Addr { desc, .. } = &mut address.kind {
            // These rows take no descriptor.
            *desc = None;
        }
        let d = self.emit_wide(words(a.ty.width()), name, &[(SlotRole::Addr, address)]);
        self.acquired(a.order, a.scope);
        self.set_regs(result, &d);
    }
}
