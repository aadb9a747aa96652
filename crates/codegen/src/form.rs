//! Finds the row of the SASS table for a mnemonic and operands.
//!
//! Selection writes instructions as NVIDIA does (`"IADD3.X"`) and gives operands by role; this file finds the row whose
//! mnemonic can spell that and whose slots take those operands, and fills the slots that were not given with what ptxas puts
//! there when they are not used (`RZ`, `PT`, `!PT` for carries and for the predicate of `LOP3`).

use raddle_entity::FxHashMap;
use raddle_sass::inst::MAX_FIELDS;
use raddle_sass::row::{Access, NO_BIT, Part, Row, RowId, Show, Slot, SlotKind, SlotRole, Width};
use raddle_sass::{Isa, Mod, Op};
use smallvec::SmallVec;
use std::sync::LazyLock;

use crate::mir::{MKind, MOp};

/// Rows by base mnemonic.
static ROWS: LazyLock<FxHashMap<&'static str, Vec<RowId>>> = LazyLock::new(|| {
    let mut map: FxHashMap<&'static str, Vec<RowId>> = FxHashMap::default();
    for (i, row) in raddle_sass::r#gen::ROWS.iter().enumerate() {
        map.entry(row.op.text()).or_default().push(RowId(i as u16));
    }
    map
});

/// A row with its field values and operands.
pub struct Form {
    /// The row.
    pub row: RowId,
    /// Field values.
    pub fields: [u16; MAX_FIELDS],
    /// One operand for each slot.
    pub ops: SmallVec<[MOp; 6]>,
}

/// Operands by role.
pub type Given = SmallVec<[(SlotRole, MOp); 6]>;

/// The first row that spells `mnemonic` and takes `given`; `None` if the table has none for the machine.
pub fn find(isa: Isa, mnemonic: &str, given: &[(SlotRole, MOp)]) -> Option<Form> {
    let (head, rest) = mnemonic.split_once('.').unwrap_or((mnemonic, ""));
    for &id in ROWS.get(head)? {
        let row = id.row();
        if !row.isas.contains(isa) {
            continue;
        }
        let Some(fields) = spell(row, rest) else { continue };
        if let Some(ops) = place(row, &fields, given) {
            return Some(Form { row: id, fields, ops });
        }
    }
    None
}

/// Field values with which the row's mnemonic is this text.
fn spell(row: &Row, text: &str) -> Option<[u16; MAX_FIELDS]> {
    let mut fields = [0; MAX_FIELDS];
    let mut rest = text;
    for (i, f) in row.fields.iter().enumerate() {
        // A field that the mnemonic does not show keeps its silent value, or its lowest.
        fields[i] = f.values.value(Mod::None).or_else(|| f.values.list.first().map(|e| e.0))?;
    }
    for part in row.mnemonic {
        match *part {
            Part::Fixed(m) => rest = strip(rest, m.text())?,
            Part::Field(i) => {
                let f = &row.fields[usize::from(i)];
                let best = f
                    .values
                    .list
                    .iter()
                    .filter(|(_, m)| *m != Mod::None)
                    .filter_map(|(v, m)| strip(rest, m.text()).map(|r| (*v, r)))
                    .min_by_key(|(_, r)| r.len());
                match best {
                    Some((v, r)) => {
                        fields[usize::from(i)] = v;
                        rest = r;
                    }
                    None => fields[usize::from(i)] = f.values.value(Mod::None)?,
                }
            }
            Part::Alias(_) => {}
        }
    }
    rest.is_empty().then_some(fields)
}

/// `text` without the token and the dot behind it.
fn strip<'t>(text: &'t str, token: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(token)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

fn place(row: &Row, fields: &[u16; MAX_FIELDS], given: &[(SlotRole, MOp)]) -> Option<SmallVec<[MOp; 6]>> {
    if given.iter().any(|(role, _)| !row.slots.iter().any(|s| s.role == *role)) {
        return None;
    }
    row.slots
        .iter()
        .map(|slot| {
            let mut mine = given.iter().filter(|(role, _)| *role == slot.role).peekable();
            let several = row.slots.iter().filter(|s| s.role == slot.role).count() > 1;
            if mine.peek().is_none() {
                return default(row, slot);
            }
            match mine.find(|(_, op)| fits(slot, fields, op)) {
                Some((_, op)) => Some(op.clone()),
                None if several => default(row, slot),
                None => None,
            }
        })
        .collect()
}

/// Does the slot take the operand?
pub fn fits(slot: &Slot, fields: &[u16; MAX_FIELDS], op: &MOp) -> bool {
    let kind = match (&op.kind, &slot.kind) {
        (
            MKind::Zero,
            SlotKind::Reg(_)
            | SlotKind::UReg(_)
            | SlotKind::Pred(_)
            | SlotKind::PredInv(_)
            | SlotKind::UPred(_)
            | SlotKind::UPredInv(_),
        ) => true,
        (
            MKind::Regs(_),
            SlotKind::Reg(_)
            | SlotKind::UReg(_)
            | SlotKind::Pred(_)
            | SlotKind::PredInv(_)
            | SlotKind::UPred(_)
            | SlotKind::UPredInv(_),
        ) => true,
        (MKind::Phys(_), SlotKind::Reg(_)) | (MKind::Uniform(_), SlotKind::UReg(_)) => true,
        (MKind::Imm(_), SlotKind::F32(_) | SlotKind::F64(_) | SlotKind::F16x2(..) | SlotKind::Bf16x2(_)) => true,
        (MKind::Imm(v), SlotKind::UImm(b, s)) => {
            u64::from(*v >> s) <= raddle_sass::row::mask(b.width()) && (*v >> s << s) == *v
        }
        (MKind::Imm(v), SlotKind::SImm(b, s)) => {
            let v = i64::from(*v as i32);
            let half = 1i64 << (b.width() - 1);
            v >> s << s == v && (-half..half).contains(&(v >> s))
        }
        (MKind::CBank { index: None, .. }, SlotKind::CBank(..)) => true,
        (MKind::CBank { .. }, SlotKind::CBankIndexed(..)) => true,
        (MKind::CBank { index: Some(_), .. }, SlotKind::CBankUniform(..)) => true,
        (MKind::Addr { base, desc: given, offset: at, .. }, SlotKind::Addr { offset, base: b, ubase, desc, .. }) => {
            let half = 1i64 << (offset.width().max(1) - 1);
            let registers = match slot.width {
                Width::Fixed(n) => n,
                Width::Field(f, n) => n.get(usize::from(fields[usize::from(f)])).copied().unwrap_or(1),
            };
            given.is_some() == (desc.width() > 0)
                && ubase.width() == 0
                && b.width() > 0
                && (-half..half).contains(&i64::from(*at))
                && (base.is_empty() || base.len() == usize::from(registers))
        }
        (MKind::Special(_), SlotKind::Special(..))
        | (MKind::Target(_) | MKind::FunctionStart, SlotKind::Rel(..))
        | (MKind::Barrier(_), SlotKind::Barrier(_))
        | (MKind::Scoreboard(_), SlotKind::Scoreboard(_))
        | (MKind::Set(_), SlotKind::Set(_)) => true,
        _ => false,
    };
    let tilde = slot.tilde.is_some_and(|f| fields[usize::from(f)] != 0);
    let neg = !op.neg || (slot.neg != NO_BIT && !tilde);
    let not = !op.not || slot.not != NO_BIT || (tilde && slot.neg != NO_BIT);
    let sel = op.sel == 0 || slot.sel.as_ref().is_some_and(|s| s.values.is_legal(u16::from(op.sel)));
    kind && neg && not && sel && (!op.abs || slot.abs != NO_BIT)
}

/// What stands in a slot that is not used.
fn default(row: &Row, slot: &Slot) -> Option<MOp> {
    Some(match slot.kind {
        SlotKind::UPred(_)
            if slot.access == Access::Use && matches!(row.op, Op::Uiadd3 | Op::Uimad | Op::Ulea | Op::Ulop3) =>
        {
            MOp::never()
        }
        SlotKind::Reg(_) | SlotKind::UReg(_) | SlotKind::UPred(_) | SlotKind::UPredInv(_) => MOp::zero(),
        SlotKind::Pred(_) | SlotKind::PredInv(_) if matches!(slot.access, Access::Def | Access::Both) => MOp::zero(),
        SlotKind::Pred(_) if matches!(row.op, Op::Iadd3 | Op::Imad | Op::Lea | Op::Lop3) => MOp::never(),
        SlotKind::Pred(_) | SlotKind::PredInv(_) => MOp::zero(),
        SlotKind::UImm(..) | SlotKind::SImm(..) => match slot.show {
            Show::NotImm(v) => MOp::imm(v as u32),
            Show::NotZero => MOp::imm(0),
            _ => return None,
        },
        SlotKind::Set(_) => MOp::new(MKind::Set(0)),
        _ => return None,
    })
}
