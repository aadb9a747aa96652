//! Finds the row for a mnemonic and operands by role.
//!
//! Problem: the code generator and hand-written machine code name an instruction as nvdisasm does
//! (`IADD3.X`) and give only the operands that matter, but rows differ in what their slots take and
//! have slots that are seldom used. Strategy: a [`Mnemonic`] consists of enum values, not text, so
//! that a misspelt token does not compile; [`find`] goes through the rows of its operation, takes
//! the first one that can have these tokens and whose slots take these operands, and fills unused
//! slots as ptxas 13.0.88 does. Operands are generic ([`SlotOperand`]): the matcher is the same for
//! physical and virtual registers.

use crate::code::operand_fits;
use crate::r#gen::{Field, Mod, OP_ROWS, Op, ROWS};
use crate::inst::{Ctrl, Guard, Inst, Kind, MAX_FIELDS, Operand, PT, RZ, URZ};
use crate::row::{Access, Isa, Part, Row, RowId, Show, Slot, SlotKind, SlotRole};
use smallvec::SmallVec;
use std::fmt;
use thiserror::Error;

/// Most tokens after the base mnemonic.
pub const MAX_TOKENS: usize = 8;

/// A mnemonic: the operation and its tokens in print order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mnemonic {
    op: Op,
    count: u8,
    tokens: [Mod; MAX_TOKENS],
}

impl Mnemonic {
    /// Creates a mnemonic of an operation with tokens; [`Mod::None`] means an absent token.
    ///
    /// # Panics
    /// If there are more than [`MAX_TOKENS`] tokens.
    #[inline]
    #[must_use]
    pub const fn new(op: Op, tokens: &[Mod]) -> Self {
        let mut m = Self { op, count: 0, tokens: [Mod::None; MAX_TOKENS] };
        let mut n = 0;
        while n < tokens.len() {
            if tokens[n] as u16 != Mod::None as u16 {
                m.tokens[m.count as usize] = tokens[n];
                m.count += 1;
            }
            n += 1;
        }
        m
    }

    /// Returns the operation.
    #[inline]
    #[must_use]
    pub const fn op(&self) -> Op {
        self.op
    }

    /// Returns the tokens, none of them [`Mod::None`].
    #[inline]
    #[must_use]
    pub fn tokens(&self) -> &[Mod] {
        &self.tokens[..usize::from(self.count)]
    }

    /// Returns the rows of the operation, in the order of the table.
    fn rows(&self) -> impl Iterator<Item = (RowId, &'static Row)> {
        let (start, count) = OP_ROWS[self.op as usize];
        (start..start + count).map(|n| (RowId(n), &ROWS[usize::from(n)]))
    }

    /// Whether a row of any architecture has this mnemonic.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.rows().any(|(_, row)| self.fields(row).is_some())
    }

    /// Returns the field values with which a row has this mnemonic; fields that are not part of it
    /// have their silent value, or their lowest.
    #[must_use]
    pub fn fields(&self, row: &Row) -> Option<[u16; MAX_FIELDS]> {
        let mut shown = [None; MAX_FIELDS];
        let mut left = self.tokens();
        for part in row.mnemonic {
            match *part {
                Part::Fixed(m) => left = left.strip_prefix(&[m])?,
                Part::Field(i) => {
                    let values = row.fields[usize::from(i)].values;
                    let value = match left.first().and_then(|&m| values.value(m)) {
                        Some(v) => {
                            left = &left[1..];
                            v
                        }
                        None => values.value(Mod::None)?,
                    };
                    shown[usize::from(i)] = Some(value);
                }
                // Determined by the operands.
                Part::Alias(_) => {}
            }
        }
        if !left.is_empty() {
            return None;
        }
        let mut fields = [0; MAX_FIELDS];
        for ((field, shown), spec) in fields.iter_mut().zip(shown).zip(row.fields) {
            *field = match shown {
                Some(v) => v,
                None => spec.values.value(Mod::None).or_else(|| spec.values.list.first().map(|e| e.0))?,
            };
        }
        Some(fields)
    }
}

impl From<Op> for Mnemonic {
    fn from(op: Op) -> Self {
        Self::new(op, &[])
    }
}

impl fmt::Display for Mnemonic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.op.text())?;
        self.tokens().iter().try_for_each(|m| write!(f, ".{}", m.text()))
    }
}

impl fmt::Debug for Mnemonic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The contents of an unused slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unused {
    /// `RZ`, `URZ`, `PT` or `UPT`, depending on the slot.
    Zero,
    /// `!PT` or `!UPT`: a carry that is not added, a predicate that `LOP3` does not combine.
    Never,
    /// An immediate that is not printed.
    Imm(i64),
    /// An empty set.
    Set,
}

/// An operand type that [`find`] can put into slots.
pub trait SlotOperand: Clone {
    /// Whether the slot takes it, under these values of the row's fields.
    fn fits(&self, slot: &Slot, fields: &[u16; MAX_FIELDS]) -> bool;

    /// Returns the operand of an unused slot.
    fn unused(slot: &Slot, what: Unused) -> Self;
}

/// A row with its field values and one operand for each slot.
#[derive(Clone, Debug)]
pub struct Form<O> {
    /// The row.
    pub row: RowId,
    /// Field values.
    pub fields: [u16; MAX_FIELDS],
    /// One operand for each slot.
    pub ops: SmallVec<[O; 6]>,
}

/// Returns the first row that has this mnemonic and takes `given`; `None` if the architecture has
/// none.
pub fn find<O: SlotOperand>(isa: Isa, mnemonic: &Mnemonic, given: &[(SlotRole, O)]) -> Option<Form<O>> {
    mnemonic.rows().find_map(|(id, row)| {
        let has = |role: SlotRole| row.slots.iter().any(|s| s.role == role);
        if !row.isas.contains(isa) || !given.iter().all(|(role, _)| has(*role)) {
            return None;
        }
        let fields = mnemonic.fields(row)?;
        let chosen = place(row, &fields, given)?;
        let ops = row.slots.iter().zip(chosen).map(|(slot, choice)| match choice {
            Choice::Given(n) => given[n].1.clone(),
            Choice::Unused(what) => O::unused(slot, what),
        });
        Some(Form { row: id, fields, ops: ops.collect() })
    })
}

/// The contents of a slot.
#[derive(Clone, Copy)]
enum Choice {
    /// An operand by its number.
    Given(usize),
    /// Unused.
    Unused(Unused),
}

fn place<O: SlotOperand>(
    row: &Row,
    fields: &[u16; MAX_FIELDS],
    given: &[(SlotRole, O)],
) -> Option<SmallVec<[Choice; 8]>> {
    let mut chosen = SmallVec::new();
    for slot in row.slots {
        let mut mine = given.iter().enumerate().filter(|(_, (role, _))| *role == slot.role).peekable();
        let none = mine.peek().is_none();
        chosen.push(match mine.find(|(_, (_, op))| op.fits(slot, fields)) {
            Some((n, _)) => Choice::Given(n),
            // Another slot of the same role may take it.
            None if none || row.slots.iter().filter(|s| s.role == slot.role).count() > 1 => {
                Choice::Unused(unused(row, slot)?)
            }
            None => return None,
        });
    }
    Some(chosen)
}

/// Returns how ptxas 13.0.88 fills an unused slot; `None` for one that is always used.
fn unused(row: &Row, slot: &Slot) -> Option<Unused> {
    Some(match slot.kind {
        SlotKind::UPred(_)
            if slot.access == Access::Use && matches!(row.op, Op::Uiadd3 | Op::Uimad | Op::Ulea | Op::Ulop3) =>
        {
            Unused::Never
        }
        SlotKind::Pred(_)
            if slot.access == Access::Use && matches!(row.op, Op::Iadd3 | Op::Imad | Op::Lea | Op::Lop3) =>
        {
            Unused::Never
        }
        SlotKind::Reg(_)
        | SlotKind::UReg(_)
        | SlotKind::Pred(_)
        | SlotKind::PredInv(_)
        | SlotKind::UPred(_)
        | SlotKind::UPredInv(_) => Unused::Zero,
        SlotKind::UImm(..) | SlotKind::SImm(..) => match slot.show {
            Show::NotImm(v) => Unused::Imm(v),
            Show::NotZero => Unused::Imm(0),
            _ => return None,
        },
        SlotKind::Set(_) => Unused::Set,
        _ => return None,
    })
}

impl SlotOperand for Operand {
    fn fits(&self, slot: &Slot, fields: &[u16; MAX_FIELDS]) -> bool {
        operand_fits(fields, slot, self)
    }

    fn unused(slot: &Slot, what: Unused) -> Self {
        let kind = match (what, slot.kind) {
            (Unused::Imm(v), _) => Kind::Imm(v),
            (Unused::Set, _) => Kind::Set(0),
            (_, SlotKind::UReg(_)) => Kind::UReg(URZ),
            (_, SlotKind::Pred(_) | SlotKind::PredInv(_)) => Kind::Pred(PT),
            (_, SlotKind::UPred(_) | SlotKind::UPredInv(_)) => Kind::UPred(PT),
            _ => Kind::Reg(RZ),
        };
        Operand { not: what == Unused::Never, ..Operand::new(kind) }
    }
}

/// The error that no row of the table fits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} has no form of {mnemonic} with {operands:?}", isa.name())]
pub struct BuildError {
    /// The mnemonic.
    pub mnemonic: Mnemonic,
    /// The operands given.
    pub operands: Vec<(SlotRole, Operand)>,
    /// The architecture.
    pub isa: Isa,
}

/// Builds an instruction without guard and with zero control bits: `build(isa, Op::Imad,
/// &[Mod::Wide, Mod::U32], &[..])`.
///
/// # Errors
/// [`BuildError`] if [`find`] finds no row.
pub fn build(isa: Isa, op: Op, tokens: &[Mod], operands: &[(SlotRole, Operand)]) -> Result<Inst, BuildError> {
    let mnemonic = Mnemonic::new(op, tokens);
    match find(isa, &mnemonic, operands) {
        Some(Form { row, fields, ops }) => {
            let operands = ops.into_iter().collect();
            Ok(Inst { row, guard: Guard::ALWAYS, ctrl: Ctrl::default(), operands, fields })
        }
        None => Err(BuildError { mnemonic, operands: operands.to_vec(), isa }),
    }
}

impl Inst {
    /// Returns the same instruction with a guard.
    #[must_use]
    pub fn guarded(mut self, pred: u8, neg: bool) -> Self {
        self.guard = Guard { pred, neg };
        self
    }

    /// Returns the same instruction with these control bits.
    #[must_use]
    pub fn with_ctrl(mut self, ctrl: Ctrl) -> Self {
        self.ctrl = ctrl;
        self
    }

    /// Sets a field by token; `None` if the row lacks it. [`Inst::set`] for chained calls.
    #[must_use]
    pub fn with(mut self, field: Field, m: Mod) -> Option<Self> {
        self.set(field, m).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode;
    use SlotRole::{Addr, Pp, Ra, Rb, Rc, Rd};

    fn text(op: Op, tokens: &[Mod], operands: &[(SlotRole, Operand)]) -> String {
        let inst = build(Isa::Sm90, op, tokens, operands).unwrap();
        encode(Isa::Sm90, &inst).unwrap();
        inst.to_string()
    }

    #[test]
    fn slots_without_an_operand_are_unused() {
        let r = Operand::reg;
        assert_eq!(text(Op::Iadd3, &[], &[(Rd, r(1)), (Ra, r(2)), (Rb, r(3))]), "IADD3 R1, R2, R3, RZ");
        assert_eq!(
            text(Op::Iadd3, &[Mod::X], &[(Rd, r(1)), (Ra, r(2)), (Rb, Operand::imm(5)), (Pp, Operand::pred(0))]),
            "IADD3.X R1, R2, 0x5, RZ, P0, !PT"
        );
        let product = [(Rd, r(2)), (Ra, r(4)), (Rb, r(5)), (Rc, r(6))];
        assert_eq!(text(Op::Imad, &[Mod::Wide, Mod::U32], &product), "IMAD.WIDE.U32 R2, R4, R5, R6");
        assert_eq!(text(Op::Exit, &[], &[]), "EXIT");
    }

    #[test]
    fn memory_rows_follow_the_address() {
        let desc = Operand::new(Kind::Addr { base: 2, ubase: URZ, desc: 4, offset: 16 });
        let load = [(Rd, Operand::reg(6)), (Addr, desc)];
        assert_eq!(text(Op::Ldg, &[Mod::E, Mod::N64], &load), "LDG.E.64 R6, desc[UR4][R2.64+0x10]");
        assert_eq!(text(Op::Lds, &[], &[(Rd, Operand::reg(6)), (Addr, Operand::addr(3, 4))]), "LDS R6, [R3+0x4]");
        // Below sm_90 the descriptor exists but is not printed: bit 101 is set only where ptxas
        // 13.0.88 abandons the calling convention.
        let access = [
            (Op::Ldg, [Mod::E, Mod::None], Rd, "LDG.E R6, [R2.64+0x10]"),
            (Op::Ld, [Mod::E, Mod::None], Rd, "LD.E R6, [R2.64+0x10]"),
            (Op::Stg, [Mod::E, Mod::None], Rb, "STG.E [R2.64+0x10], R6"),
            (Op::St, [Mod::E, Mod::None], Rb, "ST.E [R2.64+0x10], R6"),
            (Op::Red, [Mod::E, Mod::Add], Rb, "RED.E.ADD [R2.64+0x10], R6"),
        ];
        for (op, mods, role, text) in access {
            let mods: Vec<Mod> = mods.into_iter().filter(|m| *m != Mod::None).collect();
            let inst = build(Isa::Sm80, op, &mods, &[(role, Operand::reg(6)), (Addr, desc)]).unwrap();
            let word = encode(Isa::Sm80, &inst).unwrap();
            assert_eq!((&*inst.to_string(), word >> 101 & 1), (text, 0));
        }
    }

    #[test]
    fn the_bits_are_those_of_ptxas() {
        // ptxas 13.0.88, sm_90: IADD3 R0, R0, R4, R3 with the unused carries as ptxas sets them.
        let r = Operand::reg;
        let operands = [(Rd, r(6)), (Ra, r(0).neg()), (Rb, Operand::imm(0x1f))];
        let inst = build(Isa::Sm90, Op::Iadd3, &[], &operands).unwrap();
        let word = encode(Isa::Sm90, &inst).unwrap();
        assert_eq!(word & ((1 << 105) - 1), 0x0007ffe1ff0000001f00067810 & ((1 << 105) - 1));
    }

    #[test]
    fn what_does_not_exist_is_an_error() {
        let sum = [(Rd, Operand::reg(1)), (Ra, Operand::reg(2)), (Rb, Operand::imm(1))];
        assert!(build(Isa::Sm90, Op::Viadd, &[], &sum).is_ok());
        assert!(build(Isa::Sm80, Op::Viadd, &[], &sum).is_err());
        assert!(build(Isa::Sm90, Op::Fadd, &[Mod::Wide], &sum).is_err());
        assert!(build(Isa::Sm90, Op::Viadd, &[], &[(Rc, Operand::reg(1))]).is_err(), "no slot of this role");
    }

    #[test]
    fn a_mnemonic_knows_whether_a_row_has_it() {
        assert!(Mnemonic::new(Op::Isetp, &[Mod::Lt, Mod::None, Mod::And, Mod::Ex]).exists());
        let swapped = Mnemonic::new(Op::Isetp, &[Mod::And, Mod::Lt]);
        assert!(!swapped.exists(), "tokens stand in print order");
        assert_eq!(swapped.to_string(), "ISETP.AND.LT");
    }
}
