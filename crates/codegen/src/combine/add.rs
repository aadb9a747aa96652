//! Sums: three terms in one instruction, and products and shifts that add.

use raddle_sass::row::SlotRole;
use raddle_sass::{Field, Mod, Op};
use smallvec::SmallVec;

use super::{Combine, field, picky, unused};
use crate::mir::{MInst, MKind, MOp};
use crate::sass;
use crate::select::{Imm, Ra, Rb, Rc, Rd};

type Terms = SmallVec<[MOp; 4]>;

/// The terms of an `IADD3` without carry in or out.
fn terms(i: &MInst) -> Option<Terms> {
    let plain = i.row().op == Op::Iadd3 && field(i, Field::X) == 0;
    if !plain || !unused(i, SlotRole::Pd) || !unused(i, SlotRole::Pe) {
        return None;
    }
    Some([Ra, Rb, Rc].iter().filter_map(|r| i.slot(*r)).filter(|o| o.kind != MKind::Zero).cloned().collect())
}

/// Adds up the constants and puts them last.
fn gather(all: Terms) -> Terms {
    let mut sum = 0u32;
    let mut out = Terms::new();
    for o in all {
        match o.kind {
            MKind::Imm(n) => sum = sum.wrapping_add(if o.neg { n.wrapping_neg() } else { n }),
            _ => out.push(o),
        }
    }
    if sum != 0 {
        out.push(MOp::imm(sum));
    }
    out
}

/// Builds the sum of up to three terms in one instruction.
fn add(c: &Combine<'_>, like: &MInst, all: Terms) -> Option<MInst> {
    let all = gather(all);
    if all.len() > 3 || all.iter().filter(|o| picky(o)).count() > 1 {
        return None;
    }
    // A non-register goes second; at most one of the first two may be negated ("NAK sm70_encode").
    let (mut second, mut rest): (Terms, Terms) = all.into_iter().partition(picky);
    rest.sort_by_key(|o| o.neg);
    if rest.iter().filter(|o| o.neg).count() + usize::from(second.iter().any(|o| o.neg)) > 2 {
        return None;
    }
    let b = second.pop().or_else(|| if rest.len() > 1 { Some(rest.remove(0)) } else { None });
    // A negated second term needs a plain first one.
    let first = if b.as_ref().is_some_and(|b| b.neg) { 0 } else { rest.len().saturating_sub(1) };
    let a = if rest.is_empty() { None } else { Some(rest.remove(first)) };
    let third = rest.pop();
    if a.as_ref().is_some_and(|a| a.neg) && b.as_ref().is_some_and(|b| b.neg) {
        return None;
    }
    let or_zero = |o: Option<MOp>| o.unwrap_or(MOp::zero());
    let rd = like.slot(Rd)?.clone();
    c.build(like, sass::iadd3(), &[(Rd, rd), (Ra, or_zero(a)), (Rb, or_zero(b)), (Rc, or_zero(third))])
}

/// (a + b) + c
pub(super) fn sum(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    let all = terms(i)?;
    for (n, o) in all.iter().enumerate() {
        let Some(inner) = c.only_source(o).and_then(terms) else { continue };
        let mut new: Terms = all.iter().enumerate().filter(|(k, _)| *k != n).map(|(_, o)| o.clone()).collect();
        new.extend(inner.into_iter().map(|t| if o.neg { t.negated() } else { t }));
        if let Some(new) = add(c, i, new) {
            return Some(new);
        }
    }
    None
}

/// a * b + c
pub(super) fn product(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    let all = terms(i)?;
    let [x, y] = all.as_slice() else { return None };
    for (o, addend) in [(x, y), (y, x)] {
        let Some(p) = c.only_source(o).filter(|_| !o.neg) else { continue };
        if p.row().op != Op::Imad || p.slot(Rd)?.clone().list_mut()?.len() != 1 || field(p, Field::X) != 0 {
            continue;
        }
        if p.row().fixed.iter().any(|m| matches!(m, Mod::Wide | Mod::Hi)) || !unused(p, Rc) {
            continue;
        }
        let (a, b) = (p.slot(Ra)?.clone(), p.slot(Rb)?.clone());
        let given = [(Rd, i.slot(Rd)?.clone()), (Ra, a), (Rb, b), (Rc, addend.clone())];
        if let Some(new) = c.build(i, sass::imad(), &given) {
            return Some(new);
        }
    }
    None
}

/// (a << n) + b, and (a >> n) + b for the sign bits of divisions by powers of two.
pub(super) fn shifted(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    let all = terms(i)?;
    let [x, y] = all.as_slice() else { return None };
    for (o, addend) in [(x, y), (y, x)] {
        let Some((v, s)) = c.source(o).filter(|_| !o.neg) else { continue };
        if s.row().op != Op::Shf {
            continue;
        }
        let Some(MKind::Imm(n)) = s.slot(Rb).map(|o| o.kind.clone()) else { continue };
        if !(1..32).contains(&n) {
            continue;
        }
        let rd = i.slot(Rd)?.clone();
        let text = shift(s);
        let new = match text {
            Shift::Left => {
                let a = s.slot(Ra)?.clone();
                c.build(i, sass::lea(), &[(Rd, rd), (Ra, a), (Rb, addend.clone()), (Imm, MOp::imm(n))])
            }
            Shift::Right if c.uses[v] == 1 => {
                let a = s.slot(Rc)?.clone();
                let given = [(Rd, rd), (Ra, a), (Rb, addend.clone()), (Rc, MOp::zero()), (Imm, MOp::imm(32 - n))];
                c.build(i, sass::lea_hi(), &given)
            }
            _ => None,
        };
        if new.is_some() {
            return new;
        }
    }
    None
}

enum Shift {
    /// `SHF.L.U32 d, a, n, RZ`
    Left,
    /// `SHF.R.U32.HI d, RZ, n, a`
    Right,
    Other,
}

fn shift(s: &MInst) -> Shift {
    let value = |f: Field| {
        let row = s.row();
        row.field_index(f).and_then(|n| row.fields[n].values.name(s.fields[n]))
    };
    if value(Field::Type) != Some(Mod::U32) || field(s, Field::W) != 0 {
        return Shift::Other;
    }
    match (value(Field::Dir), field(s, Field::Hi)) {
        (Some(Mod::L), 0) if unused(s, Rc) => Shift::Left,
        (Some(Mod::R), 1) if unused(s, Ra) => Shift::Right,
        _ => Shift::Other,
    }
}
