//! Selects floating-point operations.

use super::operands::{Reading, Why};
use super::select_int::{boolean, comparison, flag};
use super::uop::{Cmp, HalfKind, HalfKind32, HalfMode, Kind, MufuOp, PSrc, Part};
use super::uop_builder::UopBuilder;
use crate::float::{BF16, E4M3, E5M2, F16, F32, F64, Format, Mode, Rounding};
use raddle_sass::{Field, Inst, Mod, Op, SlotRole};

fn rounding(inst: &Inst) -> Result<Rounding, Why> {
    Ok(match inst.get(Field::Rnd) {
        None | Some(Mod::None) => Rounding::Nearest,
        Some(Mod::Rm | Mod::Floor) => Rounding::Down,
        Some(Mod::Rp | Mod::Ceil) => Rounding::Up,
        Some(Mod::Rz | Mod::Trunc) => Rounding::Zero,
        other => return Err(format!("rounding {other:?}")),
    })
}

fn mode(inst: &Inst) -> Result<Mode, Why> {
    if inst.get(Field::Fmz) == Some(Mod::Fmz) {
        return Err(".FMZ".to_string());
    }
    let ftz = flag(inst, Field::Ftz) || inst.get(Field::Fmz) == Some(Mod::Ftz);
    Ok(Mode { rounding: rounding(inst)?, ftz, sat: flag(inst, Field::Sat) })
}

/// A float format by its token.
fn format_of(m: Mod) -> Option<&'static Format> {
    Some(match m {
        Mod::F16 => &F16,
        Mod::Bf16 => &BF16,
        Mod::F32 => &F32,
        Mod::F64 => &F64,
        Mod::E4m3 => &E4M3,
        Mod::E5m2 => &E5M2,
        _ => return None,
    })
}

fn half_kind(inst: &Inst) -> Result<HalfKind, Why> {
    // `HADD2.F32` is a separate form.
    if inst.has(Mod::F32) {
        return Ok(HalfKind::F32);
    }
    Ok(match inst.get(Field::Fmt) {
        None | Some(Mod::None) => HalfKind::F16,
        Some(Mod::Bf16V2) => HalfKind::Bf16,
        other => return Err(format!("format {other:?}")),
    })
}

/// Halves come with printed selectors; a scalar half operand reads both.
fn half(d: &mut UopBuilder<'_>) -> Result<HalfMode, Why> {
    d.abc(Reading::Halves)?;
    Ok(HalfMode { kind: half_kind(d.inst)?, mode: mode(d.inst)?, relu: d.inst.has(Mod::Relu) })
}

/// The tokens of the mnemonic in print order: conversions name destination, then source.
fn tokens(inst: &Inst) -> Vec<Mod> {
    use raddle_sass::row::Part as P;
    let row = inst.row();
    row.mnemonic
        .iter()
        .filter_map(|p| match *p {
            P::Fixed(m) => Some(m),
            P::Field(i) => row.fields.get(usize::from(i)).and_then(|f| f.values.name(inst.fields[usize::from(i)])),
            P::Alias(..) => None,
        })
        .collect()
}

fn int_type(m: Option<Mod>) -> Result<(u8, bool), Why> {
    Ok(match m {
        Some(Mod::U8) => (8, false),
        Some(Mod::S8) => (8, true),
        Some(Mod::U16) => (16, false),
        Some(Mod::S16) => (16, true),
        Some(Mod::U32) => (32, false),
        None | Some(Mod::None | Mod::S32) => (32, true),
        Some(Mod::U64) => (64, false),
        Some(Mod::S64) => (64, true),
        other => return Err(format!("integer type {other:?}")),
    })
}

/// Returns the floating-point operation, `None` for other instructions.
pub fn select(d: &mut UopBuilder<'_>) -> Result<Option<Kind>, Why> {
    let inst = d.inst;
    d.pqr(PSrc::TRUE);
    let ftz = flag(inst, Field::Ftz);
    let kind = match inst.op() {
        Op::Fadd => {
            d.abc(Reading::Single)?;
            Kind::Fadd(mode(inst)?)
        }
        Op::Fswzadd => {
            d.source(0, SlotRole::Ra, Reading::Single)?;
            d.source(1, SlotRole::Rc, Reading::Single)?;
            Kind::Fswzadd(mode(inst)?, super::quad::signs(inst)?)
        }
        Op::Fmul => {
            d.abc(Reading::Single)?;
            let scale = match inst.get(Field::Scale) {
                None | Some(Mod::None) => 0,
                Some(Mod::D2) => -1,
                Some(Mod::D4) => -2,
                Some(Mod::D8) => -3,
                Some(Mod::M2) => 1,
                Some(Mod::M4) => 2,
                Some(Mod::M8) => 3,
                other => return Err(format!("scale {other:?}")),
            };
            Kind::Fmul(mode(inst)?, scale)
        }
        Op::Ffma => {
            d.abc(Reading::Single)?;
            Kind::Ffma(mode(inst)?, false)
        }
        Op::Fmnmx => {
            d.abc(Reading::Single)?;
            Kind::Fmnmx { ftz, nan: flag(inst, Field::Nan), xorsign: xorsign(inst)? }
        }
        Op::Fsel => {
            d.abc(Reading::Single)?;
            Kind::Fsel { ftz }
        }
        Op::Fsetp => {
            d.abc(Reading::Single)?;
            Kind::Fsetp { cmp: comparison(inst.get(Field::Cmp))?, ftz, boolean: boolean(inst) }
        }
        Op::Fset => {
            d.abc(Reading::Single)?;
            let bf = inst.has(Mod::Bf);
            Kind::Fset { cmp: comparison(inst.get(Field::Cmp))?, ftz, boolean: boolean(inst), bf }
        }
        Op::Fchk => {
            d.abc(Reading::Single)?;
            Kind::Fchk
        }
        Op::Mufu => mufu(d)?,
        Op::Dadd | Op::Dmul | Op::Dfma => {
            d.abc(Reading::Double)?;
            let r = rounding(inst)?;
            match inst.op() {
                Op::Dadd => {
                    // The second addend is in the third position.
                    d.s[1] = d.s[2];
                    Kind::Dadd(r)
                }
                Op::Dmul => Kind::Dmul(r),
                _ => Kind::Dfma(r),
            }
        }
        Op::Dsetp => {
            d.abc(Reading::Double)?;
            if inst.slot(SlotRole::Rb).is_none() {
                d.s[1] = d.s[2];
            }
            let token = inst.get(Field::Cmp);
            let minmax = match token {
                Some(Mod::Min) => Some(false),
                Some(Mod::Max) => Some(true),
                _ => None,
            };
            let cmp = match minmax {
                Some(_) => Cmp { lt: false, eq: false, gt: false, un: false },
                None => comparison(token)?,
            };
            Kind::Dsetp { cmp, boolean: boolean(inst), minmax }
        }
        Op::Hadd2 => {
            let h = half(d)?;
            if inst.slot(SlotRole::Rb).is_none() {
                d.s[1] = d.s[2];
                d.s[2] = super::uop::Src::default();
            }
            Kind::Hadd2(h)
        }
        Op::Hmul2 => Kind::Hmul2(half(d)?),
        Op::Hfma2 => Kind::Hfma2(half(d)?),
        Op::Hmnmx2 => {
            d.abc(Reading::Halves)?;
            Kind::Hmnmx2 { kind: half_kind(inst)?, ftz, nan: flag(inst, Field::Nan), xorsign: xorsign(inst)? }
        }
        Op::Hset2 | Op::Hsetp2 => {
            d.abc(Reading::Halves)?;
            if inst.slot(SlotRole::Rb).is_none() {
                d.s[1] = d.s[2];
            }
            let (kind, cmp, boolean) = (half_kind(inst)?, comparison(inst.get(Field::Cmp))?, boolean(inst));
            if inst.op() == Op::Hset2 {
                Kind::Hset2 { kind, cmp, ftz, boolean, bf: flag(inst, Field::Bf) }
            } else {
                Kind::Hsetp2 { kind, cmp, ftz, boolean, h_and: inst.get(Field::Hand) == Some(Mod::HAnd) }
            }
        }
        Op::F2f => {
            let names: Vec<&'static Format> = tokens(inst).into_iter().filter_map(format_of).collect();
            let [to, from] = names[..] else { return Err("F2F formats".to_string()) };
            read_float(d, from)?;
            Kind::F2f { from, to, mode: Mode { sat: false, ..mode(inst)? } }
        }
        Op::F2fp => f2fp(d)?,
        Op::F2i => {
            let source = tokens(inst).into_iter().find_map(format_of).unwrap_or(&F32);
            read_float(d, source)?;
            let (bits, signed) = int_type(inst.get(Field::Dst))?;
            let ntz = flag(inst, Field::Ntz);
            Kind::F2i { from: source, bits, signed, rounding: rounding(inst)?, ftz, ntz }
        }
        Op::F2ip => {
            d.source(0, SlotRole::Ra, Reading::Single)?;
            d.source(1, SlotRole::Rb, Reading::Single)?;
            d.source(2, SlotRole::Rc, Reading::Int)?;
            let (bits, signed) = int_type(inst.get(Field::Ty))?;
            if bits != 8 {
                return Err("F2IP to other than bytes".to_string());
            }
            Kind::F2ip { signed, rounding: rounding(inst)?, ftz, ntz: flag(inst, Field::Ntz) }
        }
        Op::I2f | Op::I2fp => {
            // With an immediate the type is part of the opcode, not a field.
            let (bits, signed) = match inst.get(Field::Src) {
                None if inst.has(Mod::U32) => (32, false),
                Some(Mod::None | Mod::S32) => (32, true),
                other => int_type(other)?,
            };
            d.source(1, SlotRole::Rb, if bits == 64 { Reading::Long } else { Reading::Int })?;
            let to = tokens(inst).into_iter().find_map(format_of).unwrap_or(&F32);
            Kind::I2f { bits, signed, to, rounding: rounding(inst)? }
        }
        Op::Frnd => {
            let format = tokens(inst).into_iter().find_map(format_of).unwrap_or(&F32);
            read_float(d, format)?;
            Kind::Frnd { format, mode: mode(inst)? }
        }
        _ => return Ok(None),
    };
    Ok(Some(kind))
}

/// Whether it is a minimum or maximum with the signs of both operands. Of operands without the modifier for absolute
/// values an H100 makes something else, which PTX does not have.
fn xorsign(inst: &Inst) -> Result<bool, String> {
    let set = flag(inst, Field::Xorsign);
    let absolute = |role| inst.slot(role).is_some_and(|o| o.abs);
    if set && !(absolute(SlotRole::Ra) && absolute(SlotRole::Rb)) {
        return Err(".XORSIGN of operands that are not absolute values".to_string());
    }
    Ok(set)
}

/// Source b as one number of a format; a half comes from the lower or, with `.H1`, the upper half.
fn read_float(d: &mut UopBuilder<'_>, format: &'static Format) -> Result<(), Why> {
    let how = match format.bits() {
        64 => Reading::Double,
        32 => Reading::Single,
        _ => Reading::Halves,
    };
    d.source(1, SlotRole::Rb, how)?;
    if format.bits() == 16 && d.s[1].part == Part::All {
        d.s[1].part = Part::H0;
        if d.s[1].from == super::uop::From::Imm {
            d.s[1].part = Part::All;
            d.s[1].imm &= 0xffff;
        }
    }
    if format.bits() == 16 {
        d.s[1].and &= 0xffff;
        d.s[1].xor &= 0xffff;
    }
    Ok(())
}

fn mufu(d: &mut UopBuilder<'_>) -> Result<Kind, Why> {
    let (op, format) = match d.inst.get(Field::Fn) {
        Some(Mod::Cos) => (MufuOp::Cos, HalfKind32::F32),
        Some(Mod::Sin) => (MufuOp::Sin, HalfKind32::F32),
        Some(Mod::Ex2) => (MufuOp::Ex2, HalfKind32::F32),
        Some(Mod::Lg2) => (MufuOp::Lg2, HalfKind32::F32),
        Some(Mod::Rcp) => (MufuOp::Rcp, HalfKind32::F32),
        Some(Mod::Rsq) => (MufuOp::Rsq, HalfKind32::F32),
        Some(Mod::Sqrt) => (MufuOp::Sqrt, HalfKind32::F32),
        Some(Mod::Tanh) => (MufuOp::Tanh, HalfKind32::F32),
        Some(Mod::Rcp64h) => (MufuOp::Rcp64h, HalfKind32::F32),
        Some(Mod::Rsq64h) => (MufuOp::Rsq64h, HalfKind32::F32),
        Some(Mod::CosF16) => (MufuOp::Cos, HalfKind32::F16),
        Some(Mod::SinF16) => (MufuOp::Sin, HalfKind32::F16),
        Some(Mod::Ex2F16) => (MufuOp::Ex2, HalfKind32::F16),
        Some(Mod::Lg2F16) => (MufuOp::Lg2, HalfKind32::F16),
        Some(Mod::RcpF16) => (MufuOp::Rcp, HalfKind32::F16),
        Some(Mod::RsqF16) => (MufuOp::Rsq, HalfKind32::F16),
        Some(Mod::SqrtF16) => (MufuOp::Sqrt, HalfKind32::F16),
        Some(Mod::TanhF16) => (MufuOp::Tanh, HalfKind32::F16),
        Some(Mod::CosBf16) => (MufuOp::Cos, HalfKind32::Bf16),
        Some(Mod::SinBf16) => (MufuOp::Sin, HalfKind32::Bf16),
        Some(Mod::Ex2Bf16) => (MufuOp::Ex2, HalfKind32::Bf16),
        Some(Mod::Lg2Bf16) => (MufuOp::Lg2, HalfKind32::Bf16),
        Some(Mod::RcpBf16) => (MufuOp::Rcp, HalfKind32::Bf16),
        Some(Mod::RsqBf16) => (MufuOp::Rsq, HalfKind32::Bf16),
        Some(Mod::SqrtBf16) => (MufuOp::Sqrt, HalfKind32::Bf16),
        Some(Mod::TanhBf16) => (MufuOp::Tanh, HalfKind32::Bf16),
        other => return Err(format!("MUFU {other:?}")),
    };
    match format {
        HalfKind32::F32 => {
            d.source(1, SlotRole::Rb, Reading::Single)?;
            // A 64-bit immediate means its upper word here.
            if let Some(raddle_sass::Kind::F64(hi)) = d.inst.slot(SlotRole::Rb).map(|o| o.kind) {
                d.s[1].imm = hi.into();
            }
        }
        HalfKind32::F16 => read_float(d, &F16)?,
        HalfKind32::Bf16 => read_float(d, &BF16)?,
    }
    Ok(Kind::Mufu { op, format })
}

fn f2fp(d: &mut UopBuilder<'_>) -> Result<Kind, Why> {
    let inst = d.inst;
    if inst.has(Mod::UnpackB) {
        d.source(1, SlotRole::Rb, Reading::Int)?;
        let from = tokens(inst).into_iter().filter_map(format_of).find(|f| f.bits() == 8).ok_or("F2FP format")?;
        return Ok(Kind::F2fpUnpack { from, to: &F16, relu: inst.has(Mod::Relu) });
    }
    let (relu, satfinite) = (inst.has(Mod::Relu), inst.has(Mod::Satfinite));
    if inst.has(Mod::Tf32) {
        d.source(1, SlotRole::Rb, Reading::Single)?;
        return Ok(Kind::F2fpTf32 { rounding: rounding(inst)?, relu, satfinite });
    }
    if inst.has(Mod::MergeC) && super::operands::register(inst, SlotRole::Rc) != Some(255) {
        return Err("F2FP.MERGE_C with a register to merge".to_string());
    }
    let to = match inst.get(Field::Ty) {
        None | Some(Mod::None) => &F16,
        Some(m) => format_of(m).ok_or_else(|| format!("F2FP {m:?}"))?,
    };
    d.source(0, SlotRole::Ra, Reading::Single)?;
    d.source(1, SlotRole::Rb, Reading::Single)?;
    d.source(2, SlotRole::Rc, Reading::Int)?;
    Ok(Kind::F2fpPack { to, rounding: rounding(inst)?, relu, satfinite, merge: inst.has(Mod::PackAbMergeC) })
}
