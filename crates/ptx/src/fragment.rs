//! Fragments of matrices: vectors in braces whose registers have the type of the format.

use crate::body::Tag;
use crate::errors::{E0123, Finding};
use crate::parse::{Opnd, Parser};
use crate::table::Op;
use crate::tree::Shape;
use crate::ty::{Ty, TyClass};

/// Checks the fragments of a matrix instruction (ptxas 13.0.88).
pub(crate) fn check(p: &Parser<'_, '_, '_>, shape: &Shape) -> Result<(), Finding> {
    let fragments = match shape.op {
        Op::Mma | Op::WmmaMma => 0..4,
        Op::WgmmaMmaAsync => 1..2,
        Op::Ldmatrix => 0..1,
        Op::Stmatrix => 1..2,
        _ => return Ok(()),
    };
    for n in fragments {
        let Some(opnd) = p.opnds.get(n) else { continue };
        if opnd.word.tag() != Tag::Vec {
            // A matrix in shared memory has a descriptor.
            if matches!(shape.op, Op::WgmmaMmaAsync | Op::WmmaMma) {
                continue;
            }
            return Err((E0123, n, format!("expected a vector in braces, found {}", p.describe(opnd))));
        }
        let list = &p.items[opnd.first as usize..][..opnd.count as usize];
        let ty = shape.types.get(if shape.op == Op::Stmatrix { 0 } else { n }).copied();
        let reads = n > 0 && (shape.op != Op::Mma || n < 4);
        if let Some(text) = ty.filter(|_| reads).and_then(|ty| mismatch(shape.op, ty, list)) {
            return Err((E0123, n, format!("{text} in '{}'", shape.dotted)));
        }
    }
    Ok(())
}

/// Why a fragment that is read does not fit its format: an untyped register fits each, and so does
/// the vector that it is in; constants alone, and registers of numbers, fit their own types only.
fn mismatch(op: Op, ty: Ty, list: &[Opnd]) -> Option<&'static str> {
    let is_register = |o: &&Opnd| matches!(o.word.tag(), Tag::Reg | Tag::RegPart | Tag::Special);
    let untyped = |o: &Opnd| o.word.tag() == Tag::Special || o.ty.class() == TyClass::Bits || o.ty == Ty::F16x2;
    let registers: Vec<&Opnd> = list.iter().filter(is_register).collect();
    if registers.iter().any(|o| untyped(o)) {
        return None;
    }
    let numbers = matches!(ty, Ty::F32 | Ty::F64 | Ty::S32);
    if registers.is_empty() {
        return (!numbers).then_some("a fragment of constants needs one register at least");
    }
    let strict = op == Op::WgmmaMmaAsync && matches!(ty, Ty::F16 | Ty::E4m3 | Ty::E5m2);
    (matches!(ty, Ty::Bf16 | Ty::Tf32) || strict).then_some("registers of this fragment are .b32")
}
