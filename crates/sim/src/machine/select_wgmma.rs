//! Selects the instructions of warpgroups.

use super::operands::{Reading, Why, immediate, predicate};
use super::tensor::{Arithmetic, Element, GmmaOp, Layout, Output, warpgroup_rule};
use super::uop::{Kind, PSrc};
use super::uop_builder::UopBuilder;
use raddle_sass::{Field, Inst, Kind as Operand, Mod, Op, SlotRole};

/// Returns the operation, `None` if it is another one.
pub fn select(d: &mut UopBuilder<'_>) -> Result<Option<Kind>, Why> {
    let inst = d.inst;
    Ok(Some(match inst.op() {
        Op::Warpgroup if inst.has(Mod::Arrive) => Kind::GmmaArrive,
        Op::Warpgroup => {
            let left = immediate(inst, SlotRole::Imm).ok_or("no number of groups")?;
            Kind::GmmaWait(u8::try_from(left).map_err(|_| "too many groups")?)
        }
        Op::Hgmma | Op::Qgmma | Op::Igmma | Op::Bgmma => Kind::Gmma(product(d)?),
        _ => return Ok(None),
    }))
}

fn element(inst: &Inst, field: Field) -> Result<Element, Why> {
    Ok(match inst.get(field) {
        Some(Mod::E4m3) => Element::Float(Layout::E4M3, 8),
        Some(Mod::E5m2) => Element::Float(Layout::E5M2, 8),
        Some(Mod::U8) => Element::Integer { bits: 8, signed: false },
        Some(Mod::S8) => Element::Integer { bits: 8, signed: true },
        other => return Err(format!("factors of type {other:?}")),
    })
}

fn types(inst: &Inst) -> Result<(Element, Element, Arithmetic), Why> {
    let float =
        |layout, wide| Arithmetic::Float(warpgroup_rule(layout, if inst.has(Mod::F32) { wide } else { Output::Half }));
    Ok(match inst.op() {
        Op::Hgmma => {
            let (layout, bits) = match inst.get(Field::Ty) {
                Some(Mod::Tf32) => (Layout::TF32, 32),
                Some(Mod::Bf16) => (Layout::BF16, 16),
                _ => (Layout::F16, 16),
            };
            let element = Element::Float(layout, bits);
            (element, element, float(layout, Output::Single))
        }
        Op::Qgmma => (element(inst, Field::A)?, element(inst, Field::B)?, float(Layout::E4M3, Output::Short)),
        Op::Igmma => (element(inst, Field::A)?, element(inst, Field::B)?, Arithmetic::Integer(inst.has(Mod::Sat))),
        _ => (Element::Bits, Element::Bits, Arithmetic::Popcount(false)),
    })
}

/// The sources are A in registers, and metadata.
fn product(d: &mut UopBuilder<'_>) -> Result<GmmaOp, Why> {
    let inst = d.inst;
    let (a, b, arithmetic) = types(inst)?;
    // `64x128x16`
    let shape = inst.get(Field::Sh).map(Mod::text).unwrap_or_default();
    let numbers: Vec<u16> = shape.split('x').filter_map(|n| n.parse().ok()).collect();
    let [64, columns, inner] = numbers[..] else { return Err(format!("shape {shape}")) };
    let inner = if a == Element::Bits { inner / 32 } else { inner } as u8;
    let slot = |role| inst.row().slots.iter().position(|s| s.role == role);
    let at = slot(SlotRole::Addr).ok_or("no descriptor")?;
    let Operand::UReg(descriptors) = inst.operands[at].kind else { return Err("no descriptor".to_string()) };
    let marks = inst.selector(at).map(Mod::text).unwrap_or_default();
    let has = |mark: &str| marks.split('.').any(|m| m == mark);
    let registers = slot(SlotRole::Ra);
    if registers.is_some() {
        d.source(0, SlotRole::Ra, Reading::Int)?;
        (d.s[0].and, d.s[0].xor, d.s[0].add) = (u32::MAX, 0, 0);
    }
    let negated_a = registers.map_or(has("negA"), |n| inst.operands[n].neg);
    let selector = match inst.has(Mod::Sp) {
        true => {
            d.source(1, SlotRole::Rx, Reading::Int)?;
            Some(immediate(inst, SlotRole::Imm).unwrap_or(0) as u8)
        }
        false => None,
    };
    d.p[0] = predicate(inst, SlotRole::Pp).unwrap_or(PSrc::TRUE);
    let register = |role| super::operands::register(inst, role).unwrap_or(255);
    let group = inst.operands.iter().zip(inst.row().slots).find_map(|(o, s)| match (o.kind, s.kind) {
        (Operand::Named(v), raddle_sass::row::SlotKind::Named(_, values)) => values.name(v).map(|m| m != Mod::None),
        _ => None,
    });
    Ok(GmmaOp {
        columns,
        inner,
        a,
        b,
        arithmetic,
        registers: registers.is_some(),
        d: register(SlotRole::Rd),
        c: register(SlotRole::Rc),
        descriptors,
        selector,
        turned: [has("tnspA"), has("tnspB")],
        negated: [negated_a, has("negB")],
        ends_group: group.unwrap_or(false),
    })
}
