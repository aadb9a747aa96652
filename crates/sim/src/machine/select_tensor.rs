//! Selects matrix products and transfers of matrices.

use super::operands::{Reading, Why, address, immediate, predicate, width};
use super::tensor::{Arithmetic, Element, Layout, MatrixOp, Output, Rows, TransferOp, rule};
use super::uop_builder::UopBuilder;
use crate::float::Rounding;
use raddle_sass::{Field, Inst, Isa, Mod, Op, SlotRole};

/// Names of shapes: rows of A and columns of A.
const SHAPES: [(Mod, u8, u16); 15] = [
    (Mod::N1684, 16, 4),
    (Mod::N1688, 16, 8),
    (Mod::N16816, 16, 16),
    (Mod::N16832, 16, 32),
    (Mod::N16864, 16, 64),
    (Mod::N8816, 8, 16),
    (Mod::N8832, 8, 32),
    (Mod::N88128, 8, 128),
    (Mod::N168128, 16, 128),
    (Mod::N168256, 16, 256),
    (Mod::N16x8x16, 16, 16),
    (Mod::N8x8x4, 8, 4),
    (Mod::N884, 8, 4),
    (Mod::N16x8x4, 16, 4),
    (Mod::N16x8x8, 16, 8),
];

fn shape(inst: &Inst) -> Result<(u8, u16), Why> {
    let found = SHAPES.iter().find(|(name, ..)| inst.has(*name));
    found.map(|&(_, rows, inner)| (rows, inner)).ok_or_else(|| "an unknown shape".to_string())
}

fn integer(inst: &Inst, field: Field) -> Result<Element, Why> {
    let (bits, signed) = match inst.get(field) {
        Some(Mod::U8) => (8, false),
        Some(Mod::S8) => (8, true),
        Some(Mod::U4) => (4, false),
        Some(Mod::S4) => (4, true),
        other => return Err(format!("factors of type {other:?}")),
    };
    Ok(Element::Integer { bits, signed })
}

fn byte(inst: &Inst, field: Field) -> Result<Element, Why> {
    match inst.get(field) {
        Some(Mod::E4m3) => Ok(Element::Float(Layout::E4M3, 8)),
        Some(Mod::E5m2) => Ok(Element::Float(Layout::E5M2, 8)),
        other => Err(format!("factors of type {other:?}")),
    }
}

fn half(inst: &Inst) -> Element {
    if inst.has(Mod::Tf32) {
        Element::Float(Layout::TF32, 32)
    } else if inst.has(Mod::Bf16) {
        Element::Float(Layout::BF16, 16)
    } else {
        Element::Float(Layout::F16, 16)
    }
}

/// The types of A and B, and the arithmetic.
fn types(inst: &Inst, isa: Isa) -> Result<(Element, Element, Arithmetic), Why> {
    let floats = |a: Element, b: Element, wide: Output| {
        let output = if inst.has(Mod::F32) { wide } else { Output::Half };
        let Element::Float(layout, _) = a else { return Err("no float type".to_string()) };
        let found = rule(isa, layout, output).ok_or_else(|| format!("no such product on {}", isa.name()))?;
        Ok((a, b, Arithmetic::Float(found)))
    };
    match inst.op() {
        Op::Hmma => floats(half(inst), half(inst), Output::Single),
        Op::Qmma => floats(byte(inst, Field::A)?, byte(inst, Field::B)?, Output::Short),
        Op::Imma => {
            let clamped = inst.has(Mod::Sat);
            Ok((integer(inst, Field::A)?, integer(inst, Field::B)?, Arithmetic::Integer(clamped)))
        }
        Op::Bmma => Ok((Element::Bits, Element::Bits, Arithmetic::Popcount(!inst.has(Mod::And)))),
        _ => {
            let rounding = match inst.get(Field::Rnd) {
                None | Some(Mod::None) => Rounding::Nearest,
                Some(Mod::Rm) => Rounding::Down,
                Some(Mod::Rp) => Rounding::Up,
                Some(Mod::Rz) => Rounding::Zero,
                other => return Err(format!("rounding {other:?}")),
            };
            Ok((Element::Double, Element::Double, Arithmetic::Double(rounding)))
        }
    }
}

/// Returns the product that an instruction asks for, `None` if it is no product. Sources: A, B, C,
/// metadata.
pub fn select(d: &mut UopBuilder<'_>) -> Result<Option<MatrixOp>, Why> {
    let inst = d.inst;
    if !matches!(inst.op(), Op::Hmma | Op::Qmma | Op::Imma | Op::Bmma | Op::Dmma) {
        return Ok(None);
    }
    if predicate(inst, SlotRole::Pp).is_some_and(|p| p.n != 7 || p.not) {
        return Err("a product without its accumulator".to_string());
    }
    let (a, b, arithmetic) = types(inst, d.isa)?;
    let (rows, inner) = shape(inst)?;
    let inner = if a == Element::Bits { inner / 32 } else { inner } as u8;
    let selector = match inst.has(Mod::Sp) {
        false => None,
        true => {
            d.source(3, SlotRole::Rx, Reading::Int)?;
            let selector = immediate(inst, SlotRole::Imm).ok_or("no selector of metadata")?;
            Some(u8::try_from(selector).map_err(|_| "a selector of metadata that is too large")?)
        }
    };
    let mut op = MatrixOp { rows, inner, a, b, arithmetic, selector, negated: [false; 3], absolute: [false; 3] };
    let pair = if a == Element::Double { 2 } else { 1 };
    let roles = [SlotRole::Ra, SlotRole::Rb, SlotRole::Rc];
    for (i, (role, count)) in roles.into_iter().zip(op.registers()).enumerate() {
        let n = inst.row().slots.iter().position(|s| s.role == role).ok_or("an operand is missing")?;
        if width(inst, &inst.row().slots[n]) != count * pair {
            return Err(format!("{count} registers of operand {role:?} that the table does not have"));
        }
        let operand = inst.operands[n];
        (op.negated[i], op.absolute[i]) = (operand.neg, operand.abs);
        // Signs are changed element by element.
        d.source(i, role, Reading::Single)?;
        (d.s[i].and, d.s[i].xor) = (u32::MAX, 0);
    }
    Ok(Some(op))
}

/// Returns the transfer that an instruction asks for, `None` if it is none.
pub fn select_transfer(d: &mut UopBuilder<'_>) -> Result<Option<TransferOp>, Why> {
    let inst = d.inst;
    if inst.op() == Op::Movm {
        d.source(0, SlotRole::Ra, Reading::Int)?;
        return Ok(Some(TransferOp::Transpose));
    }
    let role = match inst.op() {
        Op::Ldsm => SlotRole::Rd,
        Op::Stsm => SlotRole::Rb,
        _ => return Ok(None),
    };
    let transposed = match inst.get(Field::Fmt) {
        Some(Mod::M88) => false,
        Some(Mod::Mt88) => true,
        other => return Err(format!("matrices of form {other:?}")),
    };
    let slot = inst.row().slots.iter().find(|s| s.role == role).ok_or("no register")?;
    let rows = Rows { addr: address(inst)?, count: width(inst, slot), transposed };
    d.source(1, SlotRole::Rb, Reading::Int)?;
    Ok(Some(if role == SlotRole::Rd { TransferOp::Load(rows) } else { TransferOp::Store(rows) }))
}
