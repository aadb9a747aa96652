//! Operand folding: replaces the result of a move by its source, where the table has such a form.
//!
//! Constants, words of constant banks, zeros and copies of other registers are tried slot by slot.
//! Where the slot takes registers only, the operands are swapped ([`SWAPS`] says how, by operation)
//! and the other slot is tried.

use raddle_sass::form::SlotOperand;
use raddle_sass::row::{Row, Slot, SlotKind, SlotRole, Width};
use raddle_sass::{Field, Isa, Mod, Op};

use super::{Combine, field};
use crate::mir::{MInst, MKind, MOp, V};
use crate::select::{Pp, Ra, Rb, Rc};
use crate::siblings::siblings;

/// What else changes when two operands are swapped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Swap {
    /// Nothing.
    Plain,
    /// The comparison is mirrored.
    Compare,
    /// The selecting predicate is negated.
    Choose,
    /// The truth table is permuted: the bits of the two inputs in its index.
    Table(u8, u8),
}

/// Operands that may be swapped.
const SWAPS: &[(Op, SlotRole, SlotRole, Swap)] = &[
    (Op::Iadd3, Ra, Rb, Swap::Plain),
    (Op::Iadd3, Rc, Rb, Swap::Plain),
    (Op::Imad, Ra, Rb, Swap::Plain),
    (Op::Lop3, Ra, Rb, Swap::Table(2, 1)),
    (Op::Lop3, Rc, Rb, Swap::Table(0, 1)),
    (Op::Isetp, Ra, Rb, Swap::Compare),
    (Op::Fsetp, Ra, Rb, Swap::Compare),
    (Op::Dsetp, Ra, Rb, Swap::Compare),
    (Op::Sel, Ra, Rb, Swap::Choose),
    (Op::Fsel, Ra, Rb, Swap::Choose),
    (Op::Imnmx, Ra, Rb, Swap::Plain),
    (Op::Vimnmx, Ra, Rb, Swap::Plain),
    (Op::Fadd, Ra, Rb, Swap::Plain),
    (Op::Fmul, Ra, Rb, Swap::Plain),
    (Op::Ffma, Ra, Rb, Swap::Plain),
    (Op::Dadd, Ra, Rc, Swap::Plain),
    (Op::Dmul, Ra, Rb, Swap::Plain),
    (Op::Dfma, Ra, Rb, Swap::Plain),
    (Op::Vabsdiff, Ra, Rb, Swap::Plain),
];

/// Replaces one operand by the source of its move.
pub(super) fn fold(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    // The addend of a product first: a constant-bank pair there saves two moves, a factor one.
    for n in (0..i.ops.len()).rev() {
        let Some(o) = source(c, i, n) else { continue };
        if let Some(new) = with(c, i, n, o.clone()) {
            return Some(new);
        }
        let role = i.row().slots[n].role;
        for &(op, from, to, swap) in SWAPS {
            if op != i.row().op || (role != from && role != to) {
                continue;
            }
            let Some((swapped, n)) = exchange(i, n, from, to, swap) else { continue };
            if let Some(new) = with(c, &swapped, n, o.clone()) {
                return Some(new);
            }
        }
    }
    None
}

/// The possible replacement of register operand `n`, with its modifiers.
fn source(c: &Combine<'_>, i: &MInst, n: usize) -> Option<MOp> {
    let o = &i.ops[n];
    let MKind::Regs(vs) = &o.kind else { return None };
    if i.is_def(n) {
        return None;
    }
    let slot = &i.row().slots[n];
    let kind = match vs.as_slice() {
        [v] => {
            let from = c.moved(*v)?;
            if from.neg || from.abs || from.not || from.sel != 0 || matches!(from.kind, MKind::Phys(_)) {
                return None;
            }
            from.kind.clone()
        }
        [lo, hi] if matches!(slot.role, Ra | Rb | Rc) && !i.row().effects.reads.is_some_and(|_| true) => {
            let (lo, hi) = (c.moved(*lo)?, c.moved(*hi)?);
            match (&lo.kind, &hi.kind) {
                (MKind::Zero, MKind::Zero) if arithmetic(i.row()) => MKind::Zero,
                (MKind::Zero, MKind::Imm(bits)) if double(i.row()) => MKind::Imm(*bits),
                (
                    MKind::CBank { bank, offset, index: None },
                    MKind::CBank { bank: other, offset: next, index: None },
                ) if bank == other && *next == offset + 4 && offset % 8 == 0 && arithmetic(i.row()) => {
                    MKind::CBank { bank: *bank, offset: *offset, index: None }
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(MOp { kind, ..o.clone() })
}

/// Whether it computes with 64-bit pairs, which may be zero or a constant-bank pair.
fn arithmetic(row: &Row) -> bool {
    double(row) || row.op == Op::Imad
}

fn double(row: &Row) -> bool {
    matches!(row.op, Op::Dadd | Op::Dmul | Op::Dfma | Op::Dsetp)
}

/// Returns the instruction with another operand `n`, in a form that takes it.
fn with(c: &Combine<'_>, i: &MInst, n: usize, o: MOp) -> Option<MInst> {
    // `.XORSIGN` uses the sign that the absolute value of a number does not have.
    if matches!(i.row().op, Op::Fmnmx | Op::Hmnmx2) && o.abs && matches!(o.kind, MKind::Imm(_)) {
        return None;
    }
    for id in siblings(i.row) {
        let row = id.row();
        if !row.isas.contains(c.isa) {
            continue;
        }
        let slot = &row.slots[n];
        let Some(o) = constant(slot, &i.fields, &o) else { continue };
        if o.kind == MKind::Zero && slot.nonzero {
            continue;
        }
        let at = |k: usize| if k == n { &o } else { &i.ops[k] };
        let takes = row.slots.iter().enumerate().all(|(k, slot)| at(k).fits(slot, &i.fields));
        if takes && legal(row, at) {
            let mut new = MInst { row: *id, ..i.clone() };
            new.ops[n] = o;
            return Some(new);
        }
    }
    None
}

/// Returns the instruction with uniform registers as operand `n`, or as its counterpart where
/// operands may be swapped; all others keep their kind. Returns `None` if the table has no such
/// form.
pub(crate) fn with_uniform(isa: Isa, i: &MInst, n: usize, us: &[V]) -> Option<MInst> {
    let uniform = |i: &MInst, n: usize| {
        let o = MOp { kind: MKind::Regs(us.into()), ..i.ops[n].clone() };
        siblings(i.row).iter().find_map(|id| {
            let row = id.row();
            let at = |k: usize| if k == n { &o } else { &i.ops[k] };
            let takes = row.slots.iter().enumerate().all(|(k, slot)| {
                let is_uniform = matches!(slot.kind, SlotKind::UReg(_));
                is_uniform == (k == n || matches!(i.row().slots[k].kind, SlotKind::UReg(_)))
                    && at(k).fits(slot, &i.fields)
            });
            (row.isas.contains(isa) && takes && legal(row, at)).then(|| {
                let mut new = MInst { row: *id, ..i.clone() };
                new.ops[n] = o.clone();
                new
            })
        })
    };
    let role = i.row().slots[n].role;
    uniform(i, n).or_else(|| {
        SWAPS.iter().filter(|s| s.0 == i.row().op && (s.1 == role || s.2 == role)).find_map(|&(_, from, to, swap)| {
            let (swapped, n) = exchange(i, n, from, to, swap)?;
            uniform(&swapped, n)
        })
    })
}

/// A rule that is not in the table: at most one of the first two terms of a sum is negated ("NAK
/// sm70_encode").
fn legal<'o>(row: &Row, at: impl Fn(usize) -> &'o MOp) -> bool {
    let negated = |role: SlotRole| row.slots.iter().enumerate().any(|(k, s)| s.role == role && at(k).neg);
    row.op != Op::Iadd3 || !(negated(Ra) && negated(Rb))
}

/// Applies an operand's modifiers to a constant; returns anything else unchanged.
fn constant(slot: &Slot, fields: &[u16], o: &MOp) -> Option<MOp> {
    let bits = match o.kind {
        MKind::Imm(bits) => bits,
        // Zero in a register slot is `RZ`, with all its modifiers.
        MKind::Zero if matches!(slot.kind, SlotKind::Reg(_)) => return Some(o.clone()),
        MKind::Zero => 0,
        _ => return Some(o.clone()),
    };
    let tilde = slot.tilde.is_some_and(|f| fields[usize::from(f)] != 0);
    let (neg, abs, not) = (o.neg && !tilde, o.abs, o.not || (o.neg && tilde));
    let (signs, float) = match slot.kind {
        SlotKind::F32(_) => (0x8000_0000, true),
        SlotKind::F64(_) if matches!(slot.width, Width::Fixed(2)) => (0x8000_0000, true),
        SlotKind::F16x2(..) | SlotKind::Bf16x2(_) => {
            // A half selector would have to be applied here.
            if o.sel != 0 {
                return None;
            }
            (0x8000_8000, true)
        }
        SlotKind::UImm(..) | SlotKind::SImm(..) => (0, false),
        // A number is not allowed here.
        _ => return None,
    };
    if o.sel != 0 {
        return None;
    }
    let bits = match (float, neg) {
        (true, _) if not => return None,
        (true, _) => {
            let plain = if abs { bits & !signs } else { bits };
            if neg { plain ^ signs } else { plain }
        }
        (false, true) if abs || not => return None,
        (false, _) if abs => return None,
        (false, true) => bits.wrapping_neg(),
        (false, false) if not => !bits,
        (false, false) => bits,
    };
    Some(MOp::imm(bits))
}

/// Returns the instruction with two operands swapped, and the new position of operand `n`.
fn exchange(i: &MInst, n: usize, from: SlotRole, to: SlotRole, swap: Swap) -> Option<(MInst, usize)> {
    let at = |role: SlotRole| i.row().slots.iter().position(|s| s.role == role);
    let (x, y) = (at(from)?, at(to)?);
    // A uniform register stays where it is: the other slot takes general ones only.
    let uniform = |k: usize| matches!(i.row().slots[k].kind, SlotKind::UReg(_));
    if i.ops[x].sel != 0 || i.ops[y].sel != 0 || uniform(x) || uniform(y) {
        return None;
    }
    let mut new = i.clone();
    new.ops.swap(x, y);
    match swap {
        Swap::Plain => {
            // The `.X` forms are not swapped.
            if i.row().op == Op::Imad && field(i, Field::X) != 0 {
                return None;
            }
        }
        Swap::Compare => {
            if field(i, Field::Ex) != 0 && i.row().op != Op::Isetp {
                return None;
            }
            let k = i.row().field_index(Field::Cmp)?;
            let values = &i.row().fields[k].values;
            let name = values.name(i.fields[k])?;
            let turned = match name {
                Mod::Lt => Mod::Gt,
                Mod::Gt => Mod::Lt,
                Mod::Le => Mod::Ge,
                Mod::Ge => Mod::Le,
                Mod::Ltu => Mod::Gtu,
                Mod::Gtu => Mod::Ltu,
                Mod::Leu => Mod::Geu,
                Mod::Geu => Mod::Leu,
                // Constant conditions do not compare.
                Mod::T | Mod::F => return None,
                same => same,
            };
            new.fields[k] = values.value(turned)?;
            if field(i, Field::Ex) != 0 {
                // The lower half would have to be mirrored as well.
                return if turned == name { Some((new, if n == x { y } else { x })) } else { None };
            }
        }
        Swap::Choose => {
            let k = at(Pp)?;
            new.ops[k].not = !new.ops[k].not;
        }
        Swap::Table(p, q) => {
            let k = i.row().slots.iter().position(|s| s.role == SlotRole::Imm)?;
            let MKind::Imm(table) = i.ops[k].kind else { return None };
            let permuted = (0..8u32).fold(0, |t, row| {
                let (a, b) = (row >> p & 1, row >> q & 1);
                let old = row & !(1 << p | 1 << q) | a << q | b << p;
                t | (table >> old & 1) << row
            });
            new.ops[k] = MOp::imm(permuted);
        }
    }
    Some((new, if n == x { y } else { x }))
}
