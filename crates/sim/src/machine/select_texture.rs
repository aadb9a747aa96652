//! Selects texture lookups and surface accesses.

use super::operands::{Why, register, width};
use super::options::AtomOp;
use super::texture::{Action, Combined, HandleAt, LevelAt, LookupOp, SurfaceOp, TextureOp};
use super::uop_builder::UopBuilder;
use crate::texture::{Clamp, Geometry};
use raddle_sass::texture::Argument;
use raddle_sass::{Field, Inst, Kind, Mod, Op, SlotRole};

const ZERO: u8 = 255;

/// The handle of an instruction whose arguments do not contain it.
fn handle(inst: &Inst, register: Option<u8>) -> Result<HandleAt, Why> {
    if let Some(register) = register {
        return Ok(HandleAt::Register(register));
    }
    let imm = |role| super::operands::immediate(inst, role);
    match inst.slot(SlotRole::Rc).map(|o| o.kind) {
        Some(Kind::UReg(n)) if imm(SlotRole::Imm2) == Some(0) => Ok(HandleAt::Uniform(n)),
        Some(Kind::Reg(n)) => Ok(HandleAt::Register(n)),
        None => match (imm(SlotRole::Imm3), imm(SlotRole::Imm2)) {
            (Some(bank), Some(word)) => Ok(HandleAt::Bank(bank as u8, (word * 4) as u16)),
            _ => Err("no handle".to_string()),
        },
        _ => Err("a handle in this form".to_string()),
    }
}

fn geometry(name: Option<Mod>) -> Result<(Geometry, bool), Why> {
    Ok(match name {
        Some(Mod::N1d) => (Geometry::D1, false),
        Some(Mod::N2d) => (Geometry::D2, false),
        Some(Mod::N3d) => (Geometry::D3, false),
        Some(Mod::Cube) => (Geometry::Cube, false),
        Some(Mod::Array1d | Mod::N1dArray) => (Geometry::D1, true),
        Some(Mod::Array2d | Mod::N2dArray) => (Geometry::D2, true),
        Some(Mod::ArrayCube) => (Geometry::Cube, true),
        other => return Err(format!("dimensions {other:?}")),
    })
}

/// Returns the instruction of this family, `None` if it is of another.
pub fn select(d: &UopBuilder<'_>) -> Result<Option<TextureOp>, Why> {
    match d.inst.op() {
        Op::Tex | Op::Tld | Op::Tld4 | Op::Txd => lookup(d.inst).map(|op| Some(TextureOp::Lookup(op))),
        Op::Txq => extents(d.inst).map(Some),
        Op::Suld | Op::Sust | Op::Sured => surface(d.inst).map(|op| Some(TextureOp::Surface(op))),
        _ => Ok(None),
    }
}

/// The arguments with their registers.
fn arguments(inst: &Inst) -> Result<Vec<(Argument, u8)>, Why> {
    let mut all = Vec::new();
    for (list, role) in inst.texture_arguments().iter().zip([SlotRole::Ra, SlotRole::Rb]) {
        if list.is_empty() {
            continue;
        }
        let first = register(inst, role).ok_or("an operand is missing")?;
        // `RZ` stands for one zero.
        let number = |n: usize| if first == ZERO { ZERO } else { first + n as u8 };
        all.extend(list.iter().enumerate().map(|(n, &argument)| (argument, number(n))));
    }
    Ok(all)
}

fn lookup(inst: &Inst) -> Result<LookupOp, Why> {
    let known = [None, Some(Mod::Lz), Some(Mod::Ll), Some(Mod::None)];
    let lod = inst.get(Field::Lod);
    let of_quad = inst.op() == Op::Tex && !matches!(lod, Some(Mod::Lz | Mod::Ll));
    if !known.contains(&lod) || inst.has(Mod::Ndv) != of_quad || inst.has(Mod::Ptp) {
        return Err("a lookup with this level of detail".to_string());
    }
    let (geometry, _) = geometry(inst.texture_dimension())?;
    let (mut at, mut derivatives) = ([ZERO; 3], [ZERO; 6]);
    let (mut layer, mut level, mut sample, mut offset, mut compare, mut bound) = (None, None, None, None, None, None);
    let gather = (inst.op() == Op::Tld4).then(|| match inst.get(Field::C) {
        Some(Mod::G) => 1,
        Some(Mod::B) => 2,
        Some(Mod::A) => 3,
        _ => 0,
    });
    let place = match inst.op() {
        Op::Txd => (16, 4, 4),
        Op::Tld4 => (0, 6, 8),
        _ => (0, 4, 4),
    };
    for (argument, register) in arguments(inst)? {
        match argument {
            Argument::Layer => layer = Some(register),
            Argument::Coordinate(n) => at[usize::from(n)] = register,
            Argument::Handle => bound = Some(register),
            Argument::Level => level = Some(register),
            Argument::Sample => sample = Some(register),
            Argument::Offset => offset = Some((register, place.0, place.1, place.2)),
            Argument::Compare => compare = Some(register),
            Argument::Derivative(n, y) => derivatives[usize::from(n) + 3 * usize::from(y)] = register,
        }
    }
    if inst.op() == Op::Txd && inst.has(Mod::Aoffi) {
        // With a layer, which is in the lower half.
        offset = offset.or(layer.map(|register| (register, place.0, place.1, place.2)));
    }
    Ok(LookupOp {
        handle: handle(inst, bound)?,
        geometry,
        layer,
        at,
        numbers: inst.op() == Op::Tld,
        level: match (inst.op(), level) {
            _ if of_quad => LevelAt::Quad,
            (Op::Txd, _) => LevelAt::Gradient(derivatives),
            (_, Some(register)) => LevelAt::Register(register),
            (_, None) => LevelAt::Zero,
        },
        sample,
        offset,
        compare,
        gather,
        mask: inst.texture_mask(),
        half: inst.has_half_results().then(|| inst.has(Mod::F16Rz)),
    })
}

fn extents(inst: &Inst) -> Result<TextureOp, Why> {
    if inst.texture_dimension() != Some(Mod::TexHeaderDimension) {
        return Err("TXQ of another field".to_string());
    }
    let (mut bound, mut level) = (None, ZERO);
    for (argument, register) in arguments(inst)? {
        match argument {
            Argument::Handle => bound = Some(register),
            _ => level = register,
        }
    }
    Ok(TextureOp::Extents { handle: handle(inst, bound)?, level, mask: inst.texture_mask() })
}

fn surface(inst: &Inst) -> Result<SurfaceOp, Why> {
    let (geometry, array) = geometry(inst.get(Field::Dim))?;
    let address = super::operands::address(inst)?;
    let clamp = match inst.get(Field::Clamp) {
        Some(Mod::Ign) => Clamp::Zero,
        Some(Mod::Trap) => Clamp::Trap,
        _ => Clamp::Clamp,
    };
    let action = match inst.op() {
        Op::Sured => reduction(inst)?,
        Op::Sust if inst.has(Mod::P) => match inst.get(Field::Rgba) {
            Some(Mod::R) => Action::Channels(1),
            Some(Mod::Rg) => Action::Channels(2),
            None | Some(Mod::None) => Action::Channels(4),
            other => return Err(format!("channels {other:?}")),
        },
        op => {
            let (size, signed) = match inst.get(Field::Sz) {
                Some(Mod::U8) => (1, false),
                Some(Mod::S8) => (1, true),
                Some(Mod::U16) => (2, false),
                Some(Mod::S16) => (2, true),
                None | Some(Mod::None) => (4, false),
                Some(Mod::N64) => (8, false),
                Some(Mod::N128) => (16, false),
                other => return Err(format!("access size {other:?}")),
            };
            if op == Op::Suld { Action::Load(size, signed) } else { Action::Store(size) }
        }
    };
    let bytes = inst.has(Mod::Ba);
    Ok(SurfaceOp { handle: handle(inst, None)?, geometry, array, at: address.base, bytes, clamp, action })
}

fn reduction(inst: &Inst) -> Result<Action, Why> {
    let op = match inst.get(Field::Op) {
        Some(Mod::Add) => AtomOp::Add,
        Some(Mod::Min) => AtomOp::Min,
        Some(Mod::Max) => AtomOp::Max,
        Some(Mod::And) => AtomOp::And,
        Some(Mod::Or) => AtomOp::Or,
        Some(Mod::Xor) => AtomOp::Xor,
        Some(Mod::Inc) => AtomOp::Inc,
        Some(Mod::Dec) => AtomOp::Dec,
        other => return Err(format!("SURED {other:?}")),
    };
    let ty = match inst.get(Field::Ty) {
        None | Some(Mod::None) => Combined::Unsigned(4),
        Some(Mod::S32) => Combined::Signed(4),
        Some(Mod::U64) => Combined::Unsigned(8),
        Some(Mod::S64) => Combined::Signed(8),
        Some(Mod::Sd32) => Combined::Surface(4),
        Some(Mod::Sd64) => Combined::Surface(8),
        other => return Err(format!("SURED of type {other:?}")),
    };
    let data = inst.row().slots.iter().find(|slot| slot.role == SlotRole::Rb).ok_or("no operand")?;
    if width(inst, data) * 4 != ty.bytes() {
        return Err("SURED of another width".to_string());
    }
    Ok(Action::Reduce(op, ty))
}
