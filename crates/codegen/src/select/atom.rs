//! Atomic operations on memory.
//!
//! Rows depend on the kind of computation: integers, floats and comparisons have different types,
//! and reductions (`RED`) and shared memory (`ATOMS`) have fewer of them.

use raddle_ir::{Atom, AtomOp, Aty, Order, Scope, Space, Value};
use raddle_sass::row::SlotRole;
use smallvec::SmallVec;

use super::{Part, Rb, Rc, Select, words};
use crate::mir::{Given, MKind};
use crate::sass::{self, Mnemonic, tokens as t};

/// The kind and type of a computation.
#[derive(Clone, Copy)]
enum Computed {
    Int(t::AtomInt, t::AtomIntTy),
    Float(t::AtomFloat, t::AtomFloatTy),
    Cas(t::CasTy),
}

/// Returns `None` for operations without a row.
fn computed(a: &Atom) -> Option<Computed> {
    let signed = matches!(a.op, AtomOp::Min | AtomOp::Max);
    let int = match a.ty {
        Aty::S32 if signed => t::AtomIntTy::S32,
        Aty::U32 | Aty::S32 => t::AtomIntTy::None,
        Aty::S64 if signed => t::AtomIntTy::S64,
        Aty::U64 | Aty::S64 => t::AtomIntTy::N64,
        Aty::B128 => t::AtomIntTy::N128,
        _ => {
            let op = match a.op {
                AtomOp::Add => t::AtomFloat::Add,
                AtomOp::Min => t::AtomFloat::Min,
                AtomOp::Max => t::AtomFloat::Max,
                _ => return None,
            };
            return float(a.ty).map(|ty| Computed::Float(op, ty));
        }
    };
    let op = match a.op {
        AtomOp::Add => t::AtomInt::Add,
        AtomOp::Min => t::AtomInt::Min,
        AtomOp::Max => t::AtomInt::Max,
        AtomOp::Inc => t::AtomInt::Inc,
        AtomOp::Dec => t::AtomInt::Dec,
        AtomOp::And => t::AtomInt::And,
        AtomOp::Or => t::AtomInt::Or,
        AtomOp::Xor => t::AtomInt::Xor,
        AtomOp::Exch => t::AtomInt::Exch,
        AtomOp::Cas => {
            return Some(Computed::Cas(match words(a.ty.width()) {
                1 => t::CasTy::None,
                2 => t::CasTy::N64,
                _ => t::CasTy::N128,
            }));
        }
    };
    Some(Computed::Int(op, int))
}

fn float(ty: Aty) -> Option<t::AtomFloatTy> {
    Some(match ty {
        Aty::F16x2 => t::AtomFloatTy::F16x2Rn,
        Aty::F16x4 => t::AtomFloatTy::F16x4Rn,
        Aty::F16x8 => t::AtomFloatTy::F16x8Rn,
        Aty::Bf16x2 => t::AtomFloatTy::Bf16x2Rn,
        Aty::Bf16x4 => t::AtomFloatTy::Bf16x4Rn,
        Aty::Bf16x8 => t::AtomFloatTy::Bf16x8Rn,
        Aty::F32 => t::AtomFloatTy::F32FtzRn,
        Aty::F32x2 => t::AtomFloatTy::F32x2FtzRn,
        Aty::F32x4 => t::AtomFloatTy::F32x4FtzRn,
        Aty::F64 => t::AtomFloatTy::F64Rn,
        _ => return None,
    })
}

/// The instruction in shared memory: 32 bits, or an exchange of up to 64.
fn shared(computed: Computed) -> Option<Mnemonic> {
    Some(match computed {
        Computed::Int(op, t::AtomIntTy::None) => sass::atoms(op, t::SharedTy::None),
        Computed::Int(op, t::AtomIntTy::S32) => sass::atoms(op, t::SharedTy::S32),
        Computed::Int(op @ t::AtomInt::Exch, t::AtomIntTy::N64) => sass::atoms(op, t::SharedTy::N64),
        Computed::Int(op @ t::AtomInt::Exch, t::AtomIntTy::N128) => sass::atoms(op, t::SharedTy::N128),
        Computed::Cas(t::CasTy::None) => sass::atoms_cas(t::SharedCasTy::None),
        Computed::Cas(t::CasTy::N64) => sass::atoms_cas(t::SharedCasTy::N64),
        Computed::Cas(t::CasTy::N128) => sass::atoms_cas(t::SharedCasTy::N128),
        _ => return None,
    })
}

/// The instruction in global memory, without a result.
fn reduction(computed: Computed, scope: t::AtomScope, hopper: bool) -> Option<Mnemonic> {
    match computed {
        Computed::Int(op, ty) => {
            let op = match op {
                t::AtomInt::Add => t::RedInt::Add,
                t::AtomInt::Min => t::RedInt::Min,
                t::AtomInt::Max => t::RedInt::Max,
                t::AtomInt::Inc => t::RedInt::Inc,
                t::AtomInt::Dec => t::RedInt::Dec,
                t::AtomInt::And => t::RedInt::And,
                t::AtomInt::Or => t::RedInt::Or,
                t::AtomInt::Xor => t::RedInt::Xor,
                t::AtomInt::Exch => return None,
            };
            let ty = match ty {
                t::AtomIntTy::None => t::RedIntTy::None,
                t::AtomIntTy::S32 => t::RedIntTy::S32,
                t::AtomIntTy::N64 => t::RedIntTy::N64,
                t::AtomIntTy::S64 => t::RedIntTy::S64,
                t::AtomIntTy::N128 => return None,
            };
            Some(if hopper { sass::redg(op, ty, scope) } else { sass::red(op, ty, scope) })
        }
        Computed::Float(op, ty) if hopper => Some(sass::redg_float(op, ty, scope)),
        Computed::Float(op, ty) => {
            let ty = match ty {
                t::AtomFloatTy::F16x2Rn => t::RedFloatTy::F16x2Rn,
                t::AtomFloatTy::F32FtzRn => t::RedFloatTy::F32FtzRn,
                t::AtomFloatTy::F64Rn => t::RedFloatTy::F64Rn,
                _ => return None,
            };
            Some(sass::red_float(op, ty, scope))
        }
        Computed::Cas(_) => None,
    }
}

impl Select<'_> {
    pub(super) fn atom(&mut self, a: Atom, args: &[Value], result: Option<Value>) {
        let Some(computed) = computed(&a) else { return self.refuse() };
        let scope = match a.scope {
            Scope::Cta if self.hopper() => t::AtomScope::StrongSm,
            Scope::Cta | Scope::Gpu | Scope::Cluster | Scope::None => t::AtomScope::StrongGpu,
            Scope::Sys => t::AtomScope::StrongSys,
        };
        let changes = !matches!(computed, Computed::Cas(_) | Computed::Int(t::AtomInt::Exch, _));
        let reduces = a.space == Space::Global && result.is_none() && changes;
        let name = match (a.space, computed) {
            (Space::Shared, computed) => shared(computed),
            (_, computed) if reduces => reduction(computed, scope, self.hopper()),
            (Space::Global, Computed::Int(op, ty)) => Some(sass::atomg(op, ty, scope)),
            (Space::Global, Computed::Float(op, ty)) => Some(sass::atomg_float(op, ty, scope)),
            (Space::Global, Computed::Cas(ty)) => Some(sass::atomg_cas(ty, scope)),
            (_, Computed::Int(op, ty)) => Some(sass::atom(op, ty, scope)),
            (_, Computed::Float(op, ty)) => Some(sass::atom_float(op, ty, scope)),
            (_, Computed::Cas(ty)) => Some(sass::atom_cas(ty, scope)),
        };
        let Some(name) = name else { return self.refuse() };
        let n = words(a.ty.width());
        if matches!(a.order, Order::Release | Order::AcqRel) {
            self.fence(Order::AcqRel, a.scope);
        }
        let mut address = self.addr(args[0], a.space, a.offset);
        if let (Computed::Cas(_), MKind::Addr { desc, .. }) = (computed, &mut address.kind) {
            // These rows take no descriptor.
            *desc = None;
        }
        let values: Vec<SmallVec<[Part; 2]>> = args[1..].iter().map(|&v| self.parts(v)).collect();
        let mut given = Given::new();
        for (parts, role) in values.iter().zip([Rb, Rc]) {
            let o = self.regs(parts);
            given.push((role, o));
        }
        given.push((SlotRole::Addr, address));
        let d = if reduces {
            self.emit(name, &given);
            None
        } else {
            Some(self.emit_wide(n, name, &given))
        };
        self.acquired(a.order, a.scope);
        if let (Some(r), Some(d)) = (result, d) {
            self.set_regs(r, &d);
        }
    }
}
