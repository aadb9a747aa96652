//! Atomic operations on memory (PTX ISA 9.0, 9.7.13.5 and 9.7.13.6).

use crate::build::Lower;
use crate::memory::order_of;
use crate::reason::{Reason, not_yet, unsupported, width_of};
use raddle_ir::{Atom, AtomOp, Aty, Op as I, Order, Scope, Space, Value, Width};
use raddle_ptx::{InstId, Mod, Op, Ty};

impl Lower<'_> {
    /// Lowers `atom` and `red` (PTX ISA 9.0, 9.7.13.5 and 9.7.13.6).
    pub(crate) fn atomic(&mut self, inst: InstId) -> Result<(), Reason> {
        let body = self.input.body;
        let returns = body.op(inst) == Op::Atom;
        let pty = body.types(inst)[0];
        if let Some(lanes) = body.one_of(inst, &[Mod::V2, Mod::V4, Mod::V8]) {
            return self.vector_atomic(inst, pty, lanes);
        }
        let ty = scalar_type(pty)?;
        let at = usize::from(returns);
        let (atom, base) = self.atom(inst, ty, at)?;
        let op = atom.op;
        let mut args = vec![base];
        args.extend(self.operands_from(inst, at + 1, if op == AtomOp::Cas { 2 } else { 1 }, pty)?);
        if !returns {
            self.emit_many(I::Red(atom), &args, &[]);
            return Ok(());
        }
        let v = self.emit(I::Atom(atom), &args, ty.width());
        self.set(inst, v)
    }

    /// Returns an atomic operation and its address.
    fn atom(&mut self, inst: InstId, ty: Aty, at: usize) -> Result<(Atom, Value), Reason> {
        let body = self.input.body;
        let Some(op) = operation(body.mods(inst)) else { return not_yet() };
        let (space, base, offset) = self.address(inst, at)?;
        let (order, scope) = order_of(body.mods(inst), Order::Relaxed);
        let scope = if scope == Scope::None { Scope::Gpu } else { scope };
        Ok((Atom { op, ty, space, order, scope, offset }, base))
    }

    /// Lowers atomics on vectors of two to eight numbers (sm_90): each number is updated atomically
    /// by itself, in one access.
    fn vector_atomic(&mut self, inst: InstId, pty: Ty, lanes: Mod) -> Result<(), Reason> {
        let body = self.input.body;
        let ty = vector_type(pty, lanes)?;
        let returns = body.op(inst) == Op::Atom;
        let at = usize::from(returns);
        let (atom, base) = self.atom(inst, ty, at)?;
        // A generic address is one of global memory (PTX ISA 9.0, 9.7.13.5).
        if !matches!(atom.space, Space::Global | Space::Generic) {
            return unsupported("vectors in this state space");
        }
        let value = self.packed(inst, at + 1, pty, ty)?;
        if !returns {
            self.emit_many(I::Red(atom), &[base, value], &[]);
            return Ok(());
        }
        let result = self.emit(I::Atom(atom), &[base, value], ty.width());
        self.set_parts(inst, result, pty)
    }

    /// Returns the elements of an operand as one value of this type.
    pub(crate) fn packed(&mut self, inst: InstId, index: usize, pty: Ty, ty: Aty) -> Result<Value, Reason> {
        let mut values = Vec::new();
        for operand in self.parts(self.input.body.operand(inst, index)) {
            values.push(self.value(operand, pty)?);
        }
        // Pairwise until one value holds all.
        while values.len() > 1 {
            let width = Width::of_bits(self.f.width(values[0]).bits() * 2).ok_or(Reason(String::new()))?;
            values = values.chunks(2).map(|pair| self.emit(I::Pack, pair, width)).collect();
        }
        match values[..] {
            [value] if self.f.width(value) == ty.width() => Ok(value),
            _ => unsupported("another number of registers"),
        }
    }

    /// Sets the elements of the first operand to the parts of a value.
    pub(crate) fn set_parts(&mut self, inst: InstId, value: Value, pty: Ty) -> Result<(), Reason> {
        let part = width_of(pty)?;
        let mut results = vec![value];
        while self.f.width(results[0]) > part {
            let width = Width::of_bits(self.f.width(results[0]).bits() / 2).ok_or(Reason(String::new()))?;
            results = results.iter().flat_map(|&v| self.emit_many(I::Unpack, &[v], &[width, width])).collect();
        }
        for (operand, v) in self.parts(self.input.body.operand(inst, 0)).into_iter().zip(results) {
            self.set_operand(Some(operand), v)?;
        }
        Ok(())
    }
}

/// The operation that modifiers name.
pub(crate) fn operation(mods: &[Mod]) -> Option<AtomOp> {
    mods.iter().find_map(|m| {
        Some(match m {
            Mod::Add => AtomOp::Add,
            Mod::Min => AtomOp::Min,
            Mod::Max => AtomOp::Max,
            Mod::Inc => AtomOp::Inc,
            Mod::Dec => AtomOp::Dec,
            Mod::And => AtomOp::And,
            Mod::Or => AtomOp::Or,
            Mod::Xor => AtomOp::Xor,
            Mod::Exch => AtomOp::Exch,
            Mod::Cas => AtomOp::Cas,
            _ => return None,
        })
    })
}

/// The type of a vector of two to eight numbers.
pub(crate) fn vector_type(pty: Ty, lanes: Mod) -> Result<Aty, Reason> {
    Ok(match (pty, lanes) {
        (Ty::F32, Mod::V2) => Aty::F32x2,
        (Ty::F32, Mod::V4) => Aty::F32x4,
        (Ty::F16, Mod::V2) => Aty::F16x2,
        (Ty::F16, Mod::V4) | (Ty::F16x2, Mod::V2) => Aty::F16x4,
        (Ty::F16, Mod::V8) | (Ty::F16x2, Mod::V4) => Aty::F16x8,
        (Ty::Bf16, Mod::V2) => Aty::Bf16x2,
        (Ty::Bf16, Mod::V4) | (Ty::Bf16x2, Mod::V2) => Aty::Bf16x4,
        (Ty::Bf16, Mod::V8) | (Ty::Bf16x2, Mod::V4) => Aty::Bf16x8,
        _ => return unsupported(format!("vectors of .{}", pty.name())),
    })
}

/// The type of one number.
pub(crate) fn scalar_type(pty: Ty) -> Result<Aty, Reason> {
    Ok(match pty {
        Ty::F16 => Aty::F16,
        Ty::Bf16 => Aty::Bf16,
        Ty::B16 => Aty::B16,
        Ty::B128 => Aty::B128,
        Ty::U32 | Ty::B32 => Aty::U32,
        Ty::S32 => Aty::S32,
        Ty::U64 | Ty::B64 => Aty::U64,
        Ty::S64 => Aty::S64,
        Ty::F32 => Aty::F32,
        Ty::F64 => Aty::F64,
        Ty::F16x2 => Aty::F16x2,
        Ty::Bf16x2 => Aty::Bf16x2,
        _ => return unsupported(format!("type .{}", pty.name())),
    })
}
