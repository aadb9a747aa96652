//! Makes instructions from mnemonic, tokens and operands: the way of the code generator and of tests.
//!
//! [`build`] takes what nvdisasm would print, in that order, and finds the row: `build(isa, Op::Imad, &[Mod::Wide,
//! Mod::U32], &[..])`. Operands that are not printed (an unused carry) may be left out and get their silent value.

use crate::code::operand_fits;
use crate::r#gen::{Field, Mod, OP_ROWS, Op, ROWS};
use crate::inst::{Ctrl, Guard, Inst, Kind, MAX_FIELDS, Operand, PT, RZ, URZ};
use crate::row::{Isa, Part, Row, RowId, Show, Slot, SlotKind, SlotRole};
use smallvec::SmallVec;
use thiserror::Error;

/// No row of the table fits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{op:?} with {mods:?} and {operands:?} does not exist on {}", isa.name())]
pub struct BuildError {
    /// Base mnemonic.
    pub op: Op,
    /// Tokens given.
    pub mods: Vec<Mod>,
    /// Operands given.
    pub operands: Vec<Operand>,
    /// The machine.
    pub isa: Isa,
}

/// Finds the first row of `op` that has these tokens, in print order, and takes these operands, in print order.
///
/// # Errors
/// [`BuildError`] if there is none.
pub fn build(isa: Isa, op: Op, mods: &[Mod], operands: &[Operand]) -> Result<Inst, BuildError> {
    let (start, count) = OP_ROWS[op as usize];
    for n in start..start + count {
        let row = &ROWS[usize::from(n)];
        if row.isas.contains(isa)
            && let Some(inst) = try_row(RowId(n), row, mods, operands)
        {
            return Ok(inst);
        }
    }
    Err(BuildError { op, mods: mods.to_vec(), operands: operands.to_vec(), isa })
}

fn try_row(id: RowId, row: &'static Row, mods: &[Mod], operands: &[Operand]) -> Option<Inst> {
    let mut fields = [0u16; MAX_FIELDS];
    for (f, v) in row.fields.iter().zip(&mut fields) {
        // The silent value, or the first one of a field that always prints something.
        *v = f.values.value(Mod::None).or_else(|| f.values.list.first().map(|e| e.0))?;
    }
    let mut left = mods;
    for part in row.mnemonic {
        match *part {
            Part::Fixed(m) => left = left.strip_prefix(&[m])?,
            Part::Field(i) => {
                let spec = &row.fields[usize::from(i)];
                match left.first().and_then(|m| spec.values.value(*m)) {
                    Some(v) if left[0] != Mod::None => {
                        fields[usize::from(i)] = v;
                        left = &left[1..];
                    }
                    _ if spec.values.value(Mod::None).is_some() => {}
                    _ => return None,
                }
            }
            Part::Alias(list) => {
                if left.first().is_some_and(|m| list.iter().any(|e| e.1 == *m)) {
                    left = &left[1..];
                }
            }
        }
    }
    if !left.is_empty() {
        return None;
    }
    let mut inst = Inst { row: id, guard: Guard::ALWAYS, ctrl: Ctrl::default(), operands: SmallVec::new(), fields };
    let mut rest = operands;
    for slot in row.slots {
        let hidden = match slot.show {
            Show::Never => true,
            Show::Field(f, m) => m >> fields[usize::from(f)] & 1 == 0,
            _ => false,
        };
        let optional = matches!(slot.show, Show::NotTrue | Show::NotZero | Show::NotImm(_))
            || matches!(slot.kind, SlotKind::Named(_, v) if v.value(Mod::None).is_some());
        match rest.first() {
            Some(o) if !hidden && operand_fits(&inst, slot, o) => {
                inst.operands.push(*o);
                rest = &rest[1..];
            }
            _ if hidden || optional => inst.operands.push(silent(slot)),
            _ => return None,
        }
    }
    rest.is_empty().then_some(inst)
}

/// The value of an operand that is not printed; what ptxas 13.0.88 writes there.
fn silent(slot: &Slot) -> Operand {
    let kind = match slot.kind {
        SlotKind::Reg(_) => Kind::Reg(RZ),
        SlotKind::UReg(_) | SlotKind::GDesc(_) => Kind::UReg(URZ),
        SlotKind::Pred(_) | SlotKind::PredInv(_) => Kind::Pred(PT),
        SlotKind::UPred(_) | SlotKind::UPredInv(_) => Kind::UPred(PT),
        SlotKind::Scoreboard(_) => Kind::Scoreboard(0),
        SlotKind::Set(_) => Kind::Set(0),
        SlotKind::Named(_, v) => Kind::Named(v.value(Mod::None).unwrap_or(0)),
        _ => Kind::Imm(match slot.show {
            Show::NotImm(v) => v,
            _ => 0,
        }),
    };
    // A carry that is not added is `!PT`, a predicate that is not tested is `PT`.
    let carry = matches!(slot.show, Show::Field(..)) && matches!(slot.role, SlotRole::Pp | SlotRole::Pq);
    Operand { not: carry, ..Operand::new(kind) }
}

impl Inst {
    /// The same instruction under a guard.
    #[must_use]
    pub fn guarded(mut self, pred: u8, neg: bool) -> Self {
        self.guard = Guard { pred, neg };
        self
    }

    /// The same instruction with these control bits.
    #[must_use]
    pub fn with_ctrl(mut self, ctrl: Ctrl) -> Self {
        self.ctrl = ctrl;
        self
    }

    /// Sets a field by token and returns whether the row has it; as [`Inst::set`], for chains.
    #[must_use]
    pub fn with(mut self, field: Field, m: Mod) -> Option<Self> {
        self.set(field, m).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode;

    fn text(op: Op, mods: &[Mod], operands: &[Operand]) -> String {
        let inst = build(Isa::Sm90, op, mods, operands).unwrap();
        encode(Isa::Sm90, &inst).unwrap();
        inst.to_string()
    }

    #[test]
    fn silent_operands_may_be_left_out() {
        let r = Operand::reg;
        assert_eq!(text(Op::Iadd3, &[], &[r(1), r(2), r(3), r(RZ)]), "IADD3 R1, R2, R3, RZ");
        assert_eq!(
            text(Op::Iadd3, &[Mod::X], &[r(1), r(2), Operand::imm(5), r(RZ), Operand::pred(0), Operand::not_pt()]),
            "IADD3.X R1, R2, 0x5, RZ, P0, !PT"
        );
        assert_eq!(text(Op::Imad, &[Mod::Wide, Mod::U32], &[r(2), r(4), r(5), r(6)]), "IMAD.WIDE.U32 R2, R4, R5, R6");
        assert_eq!(text(Op::Exit, &[], &[]), "EXIT");
    }

    #[test]
    fn memory_rows_follow_the_address() {
        let desc = Operand::new(Kind::Addr { base: 2, ubase: URZ, desc: 4, offset: 16 });
        assert_eq!(text(Op::Ldg, &[Mod::E, Mod::N64], &[Operand::reg(6), desc]), "LDG.E.64 R6, desc[UR4][R2.64+0x10]");
        assert_eq!(text(Op::Lds, &[], &[Operand::reg(6), Operand::addr(3, 4)]), "LDS R6, [R3+0x4]");
    }

    #[test]
    fn the_bits_are_those_of_ptxas() {
        // ptxas 13.0.88, sm_90: IADD3 R0, R0, R4, R3 with the unused carries set as ptxas sets them.
        let r = Operand::reg;
        let inst = build(Isa::Sm90, Op::Iadd3, &[], &[r(6), r(0).neg(), Operand::imm(0x1f), r(RZ)]).unwrap();
        let word = encode(Isa::Sm90, &inst).unwrap();
        assert_eq!(word & ((1 << 105) - 1), 0x0007ffe1ff0000001f00067810 & ((1 << 105) - 1));
    }

    #[test]
    fn what_does_not_exist_is_an_error() {
        assert!(build(Isa::Sm80, Op::Viadd, &[], &[Operand::reg(1), Operand::reg(2), Operand::imm(1)]).is_err());
        assert!(
            build(Isa::Sm90, Op::Fadd, &[Mod::Wide], &[Operand::reg(1), Operand::reg(2), Operand::reg(3)]).is_err()
        );
    }
}
