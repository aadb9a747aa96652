//! Encoder and decoder of instruction words, by the rows of the table.
//!
//! Decoding selects the rows of the low 12 bits and takes the first whose constants match and whose
//! fields hold legal values; encoding writes the row's constants and every operand and field. Both
//! check everything: a word with an unknown bit is an error, and so is an instruction whose operand
//! does not fit its slot.

use crate::r#gen::{Field, INDEX, ORDER};
use crate::inst::{Ctrl, Guard, Inst, Kind, MAX_FIELDS, Operand, RZ, URZ};
use crate::row::{Bits, Isa, NO_BIT, Row, RowId, Slot, SlotKind, SlotRole, mask};
use smallvec::SmallVec;
use thiserror::Error;

/// Why a word cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// No row has this opcode (the low 12 bits).
    #[error("unknown opcode {opcode:#05x}")]
    Opcode {
        /// The low 12 bits of the word.
        opcode: u16,
    },
    /// The opcode is known, but constant bits differ from every row.
    #[error("unknown bits {unknown:#x} with opcode {opcode:#05x}")]
    Constant {
        /// The low 12 bits of the word.
        opcode: u16,
        /// Bits in which the word differs from the constants of the closest row.
        unknown: u128,
    },
    /// A field holds a value that no form has.
    #[error("field {field:?} of opcode {opcode:#05x} has the unknown value {value}")]
    Value {
        /// The low 12 bits of the word.
        opcode: u16,
        /// The field.
        field: Field,
        /// Its raw value.
        value: u16,
    },
    /// A scoreboard field of the control bits holds 6.
    #[error("control bits {bits:#x} are not legal")]
    Control {
        /// The 21 control bits.
        bits: u32,
    },
}

/// Why an instruction cannot be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// The architecture does not have this form.
    #[error("{} does not have this form of {op:?}", isa.name())]
    Isa {
        /// Base mnemonic.
        op: crate::r#gen::Op,
        /// The architecture.
        isa: Isa,
    },
    /// The number of operands differs from the row's.
    #[error("{op:?} takes {want} operands, not {got}")]
    Count {
        /// Base mnemonic.
        op: crate::r#gen::Op,
        /// Slots of the row.
        want: usize,
        /// Operands given.
        got: usize,
    },
    /// An operand is of the wrong kind, out of range, or has a modifier that its slot lacks.
    #[error("operand {role:?} of {op:?} does not fit: {operand:?}")]
    Operand {
        /// Base mnemonic.
        op: crate::r#gen::Op,
        /// Slot.
        role: SlotRole,
        /// The operand.
        operand: Operand,
    },
    /// A field value is not legal.
    #[error("field {field:?} of {op:?} cannot be {value}")]
    Field {
        /// Base mnemonic.
        op: crate::r#gen::Op,
        /// The field.
        field: Field,
        /// Raw value.
        value: u16,
    },
    /// Guard or control out of range.
    #[error("guard or control bits of {op:?} are out of range")]
    Control {
        /// Base mnemonic.
        op: crate::r#gen::Op,
    },
}

const GUARD_LO: u32 = 12;
const CTRL_LO: u32 = 105;

/// Decodes one 128-bit word.
///
/// # Errors
/// [`DecodeError`] if the table has no row for the word, or a bit has no meaning.
pub fn decode(isa: Isa, word: u128) -> Result<Inst, DecodeError> {
    let opcode = (word & 0xfff) as u16;
    let (start, count) = INDEX[usize::from(opcode)];
    let ctrl_bits = (word >> CTRL_LO) as u32 & 0x1f_ffff;
    let ctrl = Ctrl::from_bits(ctrl_bits).ok_or(DecodeError::Control { bits: ctrl_bits })?;
    let g = (word >> GUARD_LO) as u8 & 15;
    let guard = Guard { pred: g & 7, neg: g & 8 != 0 };
    let mut error = DecodeError::Opcode { opcode };
    for &n in &ORDER[usize::from(start)..usize::from(start) + usize::from(count)] {
        let row = &crate::r#gen::ROWS[usize::from(n)];
        if !row.isas.contains(isa) {
            continue;
        }
        let unknown = (word ^ row.bits) & row.mask;
        if unknown != 0 {
            error = match error {
                DecodeError::Opcode { .. } => DecodeError::Constant { opcode, unknown },
                DecodeError::Constant { unknown: old, .. } if unknown.count_ones() < old.count_ones() => {
                    DecodeError::Constant { opcode, unknown }
                }
                other => other,
            };
            continue;
        }
        match decode_row(row, word) {
            Ok((fields, operands)) => return Ok(Inst { row: RowId(n), guard, ctrl, operands, fields }),
            Err((field, value)) => error = DecodeError::Value { opcode, field, value },
        }
    }
    Err(error)
}

type Decoded = ([u16; MAX_FIELDS], SmallVec<[Operand; 6]>);

fn decode_row(row: &Row, word: u128) -> Result<Decoded, (Field, u16)> {
    let mut fields = [0u16; MAX_FIELDS];
    for (f, v) in row.fields.iter().zip(&mut fields) {
        *v = f.bits.get(word) as u16;
        if !f.values.is_legal(*v) {
            return Err((f.field, *v));
        }
    }
    let mut operands = SmallVec::new();
    for slot in row.slots {
        let bit = |b: u8| b != NO_BIT && word >> b & 1 != 0;
        let mut o = Operand {
            kind: decode_kind(&slot.kind, word)?,
            neg: bit(slot.neg),
            abs: bit(slot.abs),
            not: bit(slot.not),
            sel: 0,
        };
        if o.neg && slot.tilde.is_some_and(|f| fields[usize::from(f)] != 0) {
            (o.neg, o.not) = (false, true);
        }
        if let Some(sel) = &slot.sel {
            let v = sel.bits.get(word) as u16;
            if !sel.values.is_legal(v) {
                return Err((sel.field, v));
            }
            o.sel = v as u8;
        }
        operands.push(o);
    }
    Ok((fields, operands))
}

/// Sign-extends the low `width` bits.
fn sext(v: u64, width: u8) -> i64 {
    let s = 64 - u32::from(width);
    ((v << s) as i64) >> s
}

/// Whether nvdisasm 13.5.37 names a special register on sm_90 but not on sm_80 to sm_89.
#[must_use]
pub fn is_new_special(n: u8) -> bool {
    matches!(n, 65 | 134..=137 | 139)
}

fn decode_kind(kind: &SlotKind, word: u128) -> Result<Kind, (Field, u16)> {
    let reg = |b: Bits| if b.width() == 0 { RZ } else { b.get(word) as u8 };
    let ureg = |b: Bits| if b.width() == 0 { URZ } else { b.get(word) as u8 };
    Ok(match *kind {
        SlotKind::Reg(b) => Kind::Reg(b.get(word) as u8),
        SlotKind::UReg(b) | SlotKind::GDesc(b) | SlotKind::Desc(b) => Kind::UReg(b.get(word) as u8),
        SlotKind::Pred(b) => Kind::Pred(b.get(word) as u8),
        SlotKind::PredInv(b) => Kind::Pred(b.get(word) as u8 ^ 7),
        SlotKind::UPred(b) => Kind::UPred(b.get(word) as u8),
        SlotKind::UPredInv(b) => Kind::UPred(b.get(word) as u8 ^ 7),
        SlotKind::Barrier(b) => Kind::Barrier(b.get(word) as u8),
        SlotKind::UImm(b, s) => Kind::Imm((b.get(word) << s) as i64),
        SlotKind::SImm(b, s) => Kind::Imm(sext(b.get(word), b.width()) << s),
        SlotKind::F32(b) => Kind::F32(b.get(word) as u32),
        SlotKind::F64(b) => Kind::F64(b.get(word) as u32),
        SlotKind::F16(b) | SlotKind::F16x2(b, _) | SlotKind::Bf16x2(b) => Kind::F16x2(b.get(word) as u32),
        SlotKind::CBank(off, bank, s, _) => {
            let offset = (sext(off.get(word), off.width()) << s) as i32;
            Kind::CBank { bank: bank.get(word) as u8, base: RZ, handle: URZ, offset }
        }
        SlotKind::CBankIndexed(off, bank, base) => Kind::CBank {
            bank: bank.get(word) as u8,
            base: base.get(word) as u8,
            handle: URZ,
            offset: i32::from(off.get(word) as u16 as i16),
        },
        SlotKind::CBankUniform(off, bank, base) => Kind::CBank {
            bank: bank.get(word) as u8,
            base: RZ,
            handle: base.get(word) as u8,
            offset: i32::from(off.get(word) as u16 as i16),
        },
        SlotKind::CBankBindless(off, handle, s) => {
            Kind::CBank { bank: 0, base: RZ, handle: handle.get(word) as u8, offset: (off.get(word) << s) as i32 }
        }
        SlotKind::Addr { offset, base, ubase, desc, .. } => Kind::Addr {
            base: reg(base),
            ubase: ureg(ubase),
            desc: ureg(desc),
            offset: if offset.width() == 0 { 0 } else { sext(offset.get(word), offset.width()) as i32 },
        },
        SlotKind::Special(b, old) => {
            let n = b.get(word) as u8;
            if old && is_new_special(n) {
                return Err((Field::Sel, u16::from(n)));
            }
            Kind::Special(n)
        }
        SlotKind::Rel(b, s, _) => Kind::Rel(sext(b.get(word), b.width()) << s),
        SlotKind::Scoreboard(b) => Kind::Scoreboard(b.get(word) as u8),
        SlotKind::Named(b, values) => {
            let v = b.get(word) as u16;
            if !values.is_legal(v) {
                return Err((Field::Sel, v));
            }
            Kind::Named(v)
        }
        SlotKind::Set(b) => Kind::Set(b.get(word) as u32),
        SlotKind::PredFile => Kind::PredFile,
        SlotKind::UPredFile => Kind::UPredFile,
    })
}

/// Encodes an instruction.
///
/// # Errors
/// [`EncodeError`] if the instruction does not match its row.
pub fn encode(isa: Isa, inst: &Inst) -> Result<u128, EncodeError> {
    let row = inst.row();
    let op = row.op;
    if !row.isas.contains(isa) {
        return Err(EncodeError::Isa { op, isa });
    }
    if inst.operands.len() != row.slots.len() {
        return Err(EncodeError::Count { op, want: row.slots.len(), got: inst.operands.len() });
    }
    let ctrl = inst.ctrl.to_bits().ok_or(EncodeError::Control { op })?;
    let legal = (inst.ctrl.wr_bar.is_none() || row.effects.write_barrier)
        && (inst.ctrl.rd_bar.is_none() || row.effects.read_barrier)
        && (inst.ctrl.wait_mask == 0 || row.effects.waits)
        && inst.ctrl.is_legal();
    if inst.guard.pred > 7 || !legal {
        return Err(EncodeError::Control { op });
    }
    let mut word = row.bits
        | u128::from(inst.guard.pred | u8::from(inst.guard.neg) << 3) << GUARD_LO
        | u128::from(ctrl) << CTRL_LO;
    for (f, &v) in row.fields.iter().zip(&inst.fields) {
        if !f.values.is_legal(v) || u32::from(v) >> f.width() != 0 {
            return Err(EncodeError::Field { op, field: f.field, value: v });
        }
        word |= f.bits.put(u64::from(v));
    }
    for (slot, o) in row.slots.iter().zip(&inst.operands) {
        word |=
            encode_operand(&inst.fields, slot, o).ok_or(EncodeError::Operand { op, role: slot.role, operand: *o })?;
    }
    Ok(word)
}

/// Whether the slot takes this operand under these values of the row's fields.
pub(crate) fn operand_fits(fields: &[u16; MAX_FIELDS], slot: &Slot, o: &Operand) -> bool {
    encode_operand(fields, slot, o).is_some()
}

fn encode_operand(fields: &[u16; MAX_FIELDS], slot: &Slot, o: &Operand) -> Option<u128> {
    let mut word = encode_kind(&slot.kind, o.kind)?;
    if slot.nonzero && matches!(o.kind, Kind::Reg(RZ) | Kind::UReg(URZ) | Kind::Addr { base: RZ, .. }) {
        return None;
    }
    let tilde = slot.tilde.is_some_and(|f| fields[usize::from(f)] != 0);
    let (neg, not) = if tilde && slot.not == NO_BIT { (o.not, o.neg) } else { (o.neg, o.not) };
    for (on, bit) in [(neg, slot.neg), (o.abs, slot.abs), (not, slot.not)] {
        if on {
            if bit == NO_BIT {
                return None;
            }
            word |= 1u128 << bit;
        }
    }
    match &slot.sel {
        Some(sel) if sel.values.is_legal(u16::from(o.sel)) => word |= sel.bits.put(u64::from(o.sel)),
        None if o.sel == 0 => {}
        _ => return None,
    }
    Some(word)
}

/// Encodes an unsigned value; `None` if it does not fit.
fn unsigned(b: Bits, v: u64) -> Option<u128> {
    (v & !mask(b.width()) == 0).then(|| b.put(v))
}

/// Encodes a signed value after an exact shift; `None` if it does not fit.
fn signed(b: Bits, v: i64, shift: u8) -> Option<u128> {
    let s = v >> shift;
    (s << shift == v && sext(s as u64 & mask(b.width()), b.width()) == s).then(|| b.put(s as u64))
}

fn encode_kind(slot: &SlotKind, kind: Kind) -> Option<u128> {
    let small = |b: Bits, v: u8| unsigned(b, u64::from(v));
    match (*slot, kind) {
        (SlotKind::Reg(b), Kind::Reg(v))
        | (SlotKind::UReg(b) | SlotKind::GDesc(b) | SlotKind::Desc(b), Kind::UReg(v))
        | (SlotKind::Pred(b), Kind::Pred(v))
        | (SlotKind::UPred(b), Kind::UPred(v))
        | (SlotKind::Barrier(b), Kind::Barrier(v))
        | (SlotKind::Scoreboard(b), Kind::Scoreboard(v)) => small(b, v),
        (SlotKind::Special(b, old), Kind::Special(v)) if !(old && is_new_special(v)) => small(b, v),
        (SlotKind::PredInv(b), Kind::Pred(v)) | (SlotKind::UPredInv(b), Kind::UPred(v)) if v < 8 => small(b, v ^ 7),
        (SlotKind::UImm(b, s), Kind::Imm(v)) => {
            let v = if b.width() == 32 && v < 0 && v >= i64::from(i32::MIN) { i64::from(v as u32) } else { v };
            if v < 0 || v >> s << s != v { None } else { unsigned(b, v as u64 >> s) }
        }
        (SlotKind::SImm(b, s), Kind::Imm(v)) => {
            let v =
                if b.width() == 32 && s == 0 && v > 0 && v <= i64::from(u32::MAX) { i64::from(v as i32) } else { v };
            signed(b, v, s)
        }
        (SlotKind::F32(b), Kind::F32(v))
        | (SlotKind::F64(b), Kind::F64(v))
        | (SlotKind::F16(b) | SlotKind::F16x2(b, _) | SlotKind::Bf16x2(b), Kind::F16x2(v))
        | (SlotKind::Set(b), Kind::Set(v)) => unsigned(b, u64::from(v)),
        (SlotKind::CBank(off, bank, s, _), Kind::CBank { bank: k, base: RZ, handle: URZ, offset }) => {
            // Offsets are 16 bits, printed signed; 0x8000 to 0xffff are the same bytes as negative
            // ones.
            let offset = if (0x8000..0x1_0000).contains(&offset) { offset - 0x1_0000 } else { offset };
            Some(signed(off, i64::from(offset), s)? | small(bank, k)?)
        }
        (SlotKind::CBankIndexed(off, bank, base), Kind::CBank { bank: k, base: r, handle: URZ, offset }) => {
            Some(signed(off, i64::from(offset), 0)? | small(bank, k)? | small(base, r)?)
        }
        (SlotKind::CBankUniform(off, bank, base), Kind::CBank { bank: k, base: RZ, handle, offset }) => {
            Some(signed(off, i64::from(offset), 0)? | small(bank, k)? | small(base, handle)?)
        }
        (SlotKind::CBankBindless(off, handle, s), Kind::CBank { bank: 0, base: RZ, handle: h, offset }) => {
            if offset < 0 || offset >> s << s != offset {
                return None;
            }
            Some(unsigned(off, offset as u64 >> s)? | small(handle, h)?)
        }
        (SlotKind::Addr { offset, base, ubase, desc, .. }, Kind::Addr { base: r, ubase: u, desc: d, offset: o }) => {
            let part = |b: Bits, v: u8, none: u8| if b.width() == 0 { (v == none).then_some(0) } else { small(b, v) };
            let off = if offset.width() == 0 { (o == 0).then_some(0)? } else { signed(offset, i64::from(o), 0)? };
            Some(off | part(base, r, RZ)? | part(ubase, u, URZ)? | part(desc, d, URZ)?)
        }
        (SlotKind::Rel(b, s, _), Kind::Rel(v)) => signed(b, v, s),
        (SlotKind::Named(b, values), Kind::Named(v)) if values.is_legal(v) => unsigned(b, u64::from(v)),
        (SlotKind::PredFile, Kind::PredFile) | (SlotKind::UPredFile, Kind::UPredFile) => Some(0),
        _ => None,
    }
}
