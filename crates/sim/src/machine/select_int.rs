//! Selects integer operations.

use super::operands::{Reading, Why, immediate};
use super::uop::{Bool, Cmp, From, IntKind, Kind, PSrc, Src};
use super::uop_builder::UopBuilder;
use raddle_sass::{Field, Inst, Mod, Op, SlotRole};

/// Whether a one-bit field is set.
pub fn flag(inst: &Inst, field: Field) -> bool {
    inst.raw(field).is_some_and(|v| v != 0)
}

/// `.AND`, `.OR`, `.XOR`.
pub fn boolean(inst: &Inst) -> Bool {
    match inst.get(Field::Bool) {
        Some(Mod::Or) => Bool::Or,
        Some(Mod::Xor) => Bool::Xor,
        _ => Bool::And,
    }
}

/// A comparison by its token: orderings, then unordered.
pub fn comparison(m: Option<Mod>) -> Result<Cmp, Why> {
    let of = |lt, eq, gt, un| Ok(Cmp { lt, eq, gt, un });
    match m {
        Some(Mod::F) => of(false, false, false, false),
        Some(Mod::Lt) => of(true, false, false, false),
        Some(Mod::Eq) => of(false, true, false, false),
        Some(Mod::Le) => of(true, true, false, false),
        Some(Mod::Gt) => of(false, false, true, false),
        Some(Mod::Ne) => of(true, false, true, false),
        Some(Mod::Ge) => of(false, true, true, false),
        Some(Mod::Num) => of(true, true, true, false),
        Some(Mod::Nan) => of(false, false, false, true),
        Some(Mod::Ltu) => of(true, false, false, true),
        Some(Mod::Equ) => of(false, true, false, true),
        Some(Mod::Leu) => of(true, true, false, true),
        Some(Mod::Gtu) => of(false, false, true, true),
        Some(Mod::Neu) => of(true, false, true, true),
        Some(Mod::Geu) => of(false, true, true, true),
        Some(Mod::T) => of(true, true, true, true),
        other => Err(format!("comparison {other:?}")),
    }
}

/// Signedness by the field that prints `.U32`.
fn signed(inst: &Inst) -> bool {
    inst.get(Field::U32) != Some(Mod::U32)
}

fn minmax_kind(inst: &Inst) -> Result<IntKind, Why> {
    Ok(match inst.get(Field::Type) {
        Some(Mod::U32) => IntKind::U32,
        Some(Mod::None) => IntKind::S32,
        Some(Mod::U16x2) => IntKind::U16x2,
        Some(Mod::S16x2) => IntKind::S16x2,
        None => {
            if signed(inst) {
                IntKind::S32
            } else {
                IntKind::U32
            }
        }
        other => return Err(format!("type {other:?}")),
    })
}

fn int_type(m: Option<Mod>) -> Result<(u8, bool), Why> {
    Ok(match m {
        Some(Mod::U2) => (2, false),
        Some(Mod::S2) => (2, true),
        Some(Mod::U4) => (4, false),
        Some(Mod::S4) => (4, true),
        Some(Mod::U8) => (8, false),
        Some(Mod::S8) => (8, true),
        Some(Mod::U16) => (16, false),
        Some(Mod::S16) => (16, true),
        other => return Err(format!("type {other:?}")),
    })
}

/// Returns the integer operation, `None` for other instructions.
pub fn select(d: &mut UopBuilder<'_>) -> Result<Option<Kind>, Why> {
    let inst = d.inst;
    let x = flag(inst, Field::X);
    let kind = match inst.op() {
        Op::Uiadd3 if inst.has(Mod::N64) => {
            d.abc(Reading::Long)?;
            // ptxas 13.0.88 adds negative numbers in two halves: how they are extended is not known.
            let carries = [SlotRole::Pd, SlotRole::Pe].iter().any(|&role| super::operands::dest_pred(inst, role) != 7);
            if carries || d.s[1].from == From::Imm && d.s[1].imm > i32::MAX as u64 {
                return Err("UIADD3.64 in this form".to_string());
            }
            Kind::Uiadd64
        }
        Op::Iadd3 | Op::Uiadd3 => {
            d.abc(Reading::Int)?;
            d.pqr(PSrc::FALSE);
            let mut ones = 0;
            // A negation is a complement plus one: the one takes part in the carry.
            for (s, role) in d.s.iter_mut().zip([SlotRole::Ra, SlotRole::Rb, SlotRole::Rc]) {
                if s.from != From::Imm && s.add == 1 {
                    s.add = 0;
                    ones += 1;
                } else if s.from == From::Imm && inst.slot(role).is_some_and(|o| o.neg) {
                    // Folded: -c is !c + 1.
                    s.imm = u64::from((s.imm as u32).wrapping_sub(1));
                    ones += 1;
                }
            }
            Kind::Iadd3 { x, ones }
        }
        Op::Imad | Op::Uimad => {
            let wide = inst.has(Mod::Wide);
            let hi = inst.has(Mod::Hi);
            d.source(0, SlotRole::Ra, Reading::Int)?;
            d.source(1, SlotRole::Rb, Reading::Int)?;
            d.source(2, SlotRole::Rc, if wide || hi { Reading::Long } else { Reading::Int })?;
            d.pqr(PSrc::FALSE);
            match (wide, hi) {
                (true, _) => Kind::ImadWide { signed: signed(inst), x },
                (_, true) => Kind::ImadHi { signed: signed(inst), x },
                _ => Kind::Imad { x },
            }
        }
        Op::Lea | Op::Ulea => {
            d.abc(Reading::Int)?;
            d.pqr(PSrc::FALSE);
            let neg = d.s[0].xor != 0;
            (d.s[0].xor, d.s[0].add) = (0, 0);
            // A negated addend is its complement and one more, which counts in the carry.
            let one = std::mem::take(&mut d.s[1].add) != 0;
            let shift = immediate(inst, SlotRole::Imm).unwrap_or(0) as u8 & 31;
            Kind::Lea { hi: inst.has(Mod::Hi), x, sx32: inst.has(Mod::Sx32), shift, neg, one }
        }
        Op::Lop3 | Op::Ulop3 => {
            d.abc(Reading::Int)?;
            d.pqr(PSrc::FALSE);
            Kind::Lop3 { lut: immediate(inst, SlotRole::Imm).unwrap_or(0) as u8, pand: flag(inst, Field::Pand) }
        }
        Op::Shf | Op::Ushf => {
            d.abc(Reading::Int)?;
            let ty = inst.get(Field::Type);
            Kind::Shf {
                right: inst.get(Field::Dir) == Some(Mod::R),
                wrap: flag(inst, Field::W),
                signed: matches!(ty, Some(Mod::S32 | Mod::S64)),
                wide: matches!(ty, Some(Mod::S64 | Mod::U64)),
                hi: flag(inst, Field::Hi),
            }
        }
        Op::Isetp | Op::Uisetp => {
            d.abc(Reading::Int)?;
            d.pqr(PSrc::TRUE);
            // The carry-in of `.EX` has its own slot.
            d.p[1] = d.p[2];
            let ex = flag(inst, Field::Ex);
            let mut cmp = comparison(inst.get(Field::Cmp))?;
            cmp.un = false;
            Kind::Isetp { cmp, signed: signed(inst), boolean: boolean(inst), ex }
        }
        Op::Sel | Op::Usel => {
            d.abc(Reading::Int)?;
            d.pqr(PSrc::TRUE);
            Kind::Sel
        }
        Op::Mov => {
            d.source(1, SlotRole::Rb, Reading::Int)?;
            match immediate(inst, SlotRole::Imm) {
                Some(of) if of & 15 != 15 => Kind::MovLanes(of as u8 & 15),
                _ => Kind::Mov,
            }
        }
        Op::Prmt | Op::Uprmt => {
            d.abc(Reading::Int)?;
            let mode = match inst.get(Field::Mode) {
                None | Some(Mod::None) => 0,
                Some(Mod::F4e) => 1,
                Some(Mod::B4e) => 2,
                Some(Mod::Rc8) => 3,
                Some(Mod::Ecl) => 4,
                Some(Mod::Ecr) => 5,
                Some(Mod::Rc16) => 6,
                other => return Err(format!("PRMT mode {other:?}")),
            };
            Kind::Prmt { mode }
        }
        Op::Viadd => {
            d.abc(Reading::Int)?;
            let packed = flag(inst, Field::F16x2);
            let neg = packed && d.s[1].add != 0;
            if neg {
                d.s[1].add = 0;
            }
            Kind::Viadd { packed, neg }
        }
        Op::Iabs => {
            d.abc(Reading::Int)?;
            Kind::Iabs
        }
        Op::Imnmx | Op::Vimnmx => {
            d.abc(Reading::Int)?;
            d.pqr(PSrc::TRUE);
            Kind::MinMax { kind: minmax_kind(inst)?, relu: flag(inst, Field::Relu) }
        }
        Op::Vimnmx3 => {
            d.abc(Reading::Int)?;
            d.pqr(PSrc::TRUE);
            Kind::MinMax3 { kind: minmax_kind(inst)?, relu: flag(inst, Field::Relu) }
        }
        Op::Viaddmnmx => {
            d.abc(Reading::Int)?;
            d.pqr(PSrc::TRUE);
            Kind::AddMinMax { kind: minmax_kind(inst)?, relu: flag(inst, Field::Relu) }
        }
        Op::Sgxt | Op::Usgxt => {
            d.abc(Reading::Int)?;
            Kind::Sgxt { signed: signed(inst), wrap: flag(inst, Field::W) }
        }
        Op::Bmsk | Op::Ubmsk => {
            d.abc(Reading::Int)?;
            Kind::Bmsk { wrap: flag(inst, Field::W) }
        }
        Op::Popc | Op::Upopc => {
            d.abc(Reading::Int)?;
            Kind::Popc
        }
        Op::Flo | Op::Uflo => {
            d.abc(Reading::Int)?;
            Kind::Flo { signed: signed(inst), sh: flag(inst, Field::Sh) }
        }
        Op::Brev | Op::Ubrev => {
            d.abc(Reading::Int)?;
            Kind::Brev
        }
        Op::Idp => {
            d.abc(Reading::Int)?;
            let (four, hi, a_signed) = match inst.get(Field::Mode) {
                Some(Mod::N4aU8) => (true, false, false),
                Some(Mod::N4aS8) => (true, false, true),
                Some(Mod::N2aLoU16) => (false, false, false),
                Some(Mod::N2aLoS16) => (false, false, true),
                Some(Mod::N2aHiU16) => (false, true, false),
                Some(Mod::N2aHiS16) => (false, true, true),
                other => return Err(format!("IDP mode {other:?}")),
            };
            Kind::Idp { four, hi, a_signed, b_signed: inst.get(Field::B) == Some(Mod::S8) }
        }
        Op::Vabsdiff => {
            d.abc(Reading::Int)?;
            Kind::Vabsdiff { signed: inst.get(Field::U32) != Some(Mod::U32) }
        }
        Op::Vabsdiff4 => {
            d.abc(Reading::Int)?;
            Kind::Vabsdiff4 { signed: !inst.has(Mod::U8), acc: inst.has(Mod::Acc) }
        }
        Op::Plop3 | Op::Uplop3 => {
            d.pqr(PSrc::TRUE);
            let sign = inst.slot(SlotRole::Ra).is_some();
            if sign {
                d.abc(Reading::Int)?;
            }
            let lut = immediate(inst, SlotRole::Imm).unwrap_or(0) as u8;
            let lut2 = immediate(inst, SlotRole::Imm2).unwrap_or(0) as u8;
            Kind::Plop3 { lut, lut2, sign }
        }
        Op::P2r | Op::R2p | Op::Up2ur | Op::Ur2up => {
            d.source(0, SlotRole::Ra, Reading::Int)?;
            let token = inst.get(Field::B).or_else(|| {
                let i = inst.row().slots.iter().position(|s| s.role == SlotRole::Ra)?;
                inst.selector(i)
            });
            let byte = match token {
                Some(Mod::B1) => 1,
                Some(Mod::B2) => 2,
                Some(Mod::B3) => 3,
                _ => 0,
            };
            // The byte is part of the operation, not a selection of the source.
            d.s[0] = Src { part: super::uop::Part::All, ..d.s[0] };
            let mask = immediate(inst, SlotRole::Imm).unwrap_or(0x7f) as u8 & 0x7f;
            match inst.op() {
                Op::P2r => Kind::P2r { byte, mask },
                Op::R2p => Kind::R2p { byte, mask },
                Op::Up2ur => Kind::Up2ur { byte, mask },
                _ => Kind::Ur2up { byte, mask },
            }
        }
        Op::I2i => {
            d.abc(Reading::Int)?;
            let (bits, dst_signed) = int_type(inst.get(Field::Dst))?;
            Kind::I2i { bits, dst_signed, src_signed: true }
        }
        Op::I2ip => {
            d.abc(Reading::Int)?;
            let (bits, dst_signed) = int_type(inst.get(Field::Ty))?;
            if !inst.has(Mod::Sat) {
                return Err("I2IP without .SAT".to_string());
            }
            Kind::I2ip { bits, dst_signed, src_signed: true }
        }
        _ => return Ok(None),
    };
    Ok(Some(kind))
}
