//! Wide products of which one half is unused.

use raddle_sass::{Field, Mod};

use super::{Combine, field, unused};
use crate::mir::{MGuard, MInst, MKind, MOp};
use crate::sass::{self, tokens::Unsigned};
use crate::select::{Pd, Ra, Rb, Rc, Rd};

/// `IMAD.HI` or `IMAD` for an `IMAD.WIDE` of which only the high or the low half is used: it writes one
/// register, whose number need not be odd or even.
pub(super) fn half(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    let plain = i.guard == MGuard::Always && field(i, Field::X) == 0 && unused(i, Pd);
    if !plain || !i.row().fixed.contains(&Mod::Wide) {
        return None;
    }
    let MKind::Regs(results) = &i.slot(Rd)?.kind else { return None };
    let &[low, high] = results.as_slice() else { return None };
    let (a, b, addend) = (i.slot(Ra)?.clone(), i.slot(Rb)?.clone(), i.slot(Rc)?.clone());
    if c.uses[low] == 0 {
        let signed = field(i, Field::U32) != 0;
        let name = sass::imad_hi(if signed { Unsigned::None } else { Unsigned::U32 });
        return c.build(i, name, &[(Rd, MOp::reg(high)), (Ra, a), (Rb, b), (Rc, addend)]);
    }
    if c.uses[high] > 0 {
        return None;
    }
    let kind = match &addend.kind {
        MKind::Regs(pair) => MKind::Regs(pair.iter().take(1).copied().collect()),
        kind @ (MKind::Zero | MKind::CBank { .. }) => kind.clone(),
        _ => return None,
    };
    c.build(i, sass::imad(), &[(Rd, MOp::reg(low)), (Ra, a), (Rb, b), (Rc, MOp { kind, ..addend })])
}
