//! Predicates: merges trees of `PLOP3`, comparisons with logic on their result, and logic whose
//! result is only tested.

use raddle_sass::row::{SlotRole, mask};
use raddle_sass::{Field, Mod, Op};
use smallvec::SmallVec;

use super::{Combine, field, unused};
use crate::mir::{MInst, MKind, MOp, V};
use crate::sass;
use crate::select::{Imm, Imm2, Pd, Pp, Pq, Pr, Ra, Rb, Rd};

/// The result of a `PLOP3` over up to three different registers.
struct Node {
    /// The different inputs.
    inputs: SmallVec<[V; 4]>,
    /// Truth table: bit n is the result where input k has bit k of n.
    table: u16,
}

impl Node {
    /// Returns the function of a `PLOP3`, with `inner` substituted for the register it defines.
    fn of(i: &MInst, inner: Option<(V, &Node)>) -> Option<Node> {
        let one = i.row().op == Op::Plop3 && unused(i, SlotRole::Pe) && i.slot(Pp).is_some();
        let (true, MKind::Imm(lut)) = (one, &i.slot(Imm)?.kind) else { return None };
        let slots = [i.slot(Pp)?, i.slot(Pq)?, i.slot(Pr)?];
        let mut inputs: SmallVec<[V; 4]> = SmallVec::new();
        let mut add = |v: V| {
            if !inputs.contains(&v) {
                inputs.push(v);
            }
        };
        for o in slots {
            match &o.kind {
                MKind::Zero => {}
                MKind::Regs(vs) => match inner {
                    Some((v, n)) if v == vs[0] => n.inputs.iter().copied().for_each(&mut add),
                    _ => add(vs[0]),
                },
                _ => return None,
            }
        }
        if inputs.len() > 3 {
            return None;
        }
        let mut table = 0;
        for n in 0..1u16 << inputs.len() {
            let bit = |v: V| inputs.iter().position(|x| *x == v).is_some_and(|k| n >> k & 1 == 1);
            let mut at = 0;
            for o in slots {
                let plain = match &o.kind {
                    MKind::Regs(vs) => match inner {
                        Some((v, node)) if v == vs[0] => {
                            let key = node.inputs.iter().enumerate().fold(0, |k, (p, v)| k | u16::from(bit(*v)) << p);
                            node.table >> key & 1 == 1
                        }
                        _ => bit(vs[0]),
                    },
                    _ => true,
                };
                at = at << 1 | u32::from(plain != o.not);
            }
            table |= ((lut >> at & 1) as u16) << n;
        }
        Some(Node { inputs, table })
    }
}

/// Merges two `PLOP3` over at most three registers.
pub(super) fn tree(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    for role in [Pp, Pq, Pr] {
        let Some(o) = i.slot(role) else { continue };
        let Some(s) = c.only_source(o) else { continue };
        let MKind::Regs(vs) = &o.kind else { continue };
        let Some(inner) = Node::of(s, None) else { continue };
        let Some(all) = Node::of(i, Some((vs[0], &inner))) else { continue };
        let mut lut = 0;
        for row in 0..8u32 {
            // Input k goes into slot k.
            let key = (0..3).fold(0, |key, k| key | (row >> (2 - k) & 1) << k) & ((1 << all.inputs.len()) - 1);
            lut |= u32::from(all.table >> key & 1) << row;
        }
        let input = |k: usize| all.inputs.get(k).map_or(MOp::zero(), |v| MOp::reg(*v));
        let given = [
            (Pd, i.slot(Pd)?.clone()),
            (Pp, input(0)),
            (Pq, input(1)),
            (Pr, input(2)),
            (Imm, MOp::imm(lut)),
            (Imm2, MOp::imm(0)),
        ];
        return c.build(i, sass::plop3(), &given);
    }
    None
}

/// Merges logic into a comparison whose result has no other use: `ISETP.LT.OR`.
pub(super) fn comparison(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    let all = Node::of(i, None)?;
    let [p, q] = all.inputs.as_slice() else { return None };
    for (k, (own, other)) in [(p, q), (q, p)].into_iter().enumerate() {
        let Some(s) = c.only_source(&MOp::reg(*own)) else { continue };
        let compares = matches!(s.row().op, Op::Isetp | Op::Fsetp | Op::Dsetp);
        if !compares || !unused(s, SlotRole::Pe) || !unused(s, Pp) || field(s, Field::Bool) != 0 {
            continue;
        }
        // Negating a 64-bit comparison's upper half would need negating the lower one.
        let both = field(s, Field::Ex) == 0;
        for (boolean, table) in [(0u16, 0b1000u16), (1, 0b1110), (2, 0b0110)] {
            for negate in [0u16, 1, 2, 3] {
                let (own_not, other_not) = (negate & 1 == 1, negate & 2 == 2);
                if own_not && (!both || boolean == 2) {
                    continue;
                }
                let want = (0..4u16).fold(0, |t, n| {
                    let (x, y) = (n >> k & 1, n >> (1 - k) & 1);
                    let at = (x ^ u16::from(own_not)) | (y ^ u16::from(other_not)) << 1;
                    t | (table >> at & 1) << n
                });
                if want != all.table {
                    continue;
                }
                let mut new = MInst { place: i.place, ..s.clone() };
                let row = new.row();
                let set = |new: &mut MInst, f: Field, v: u16| {
                    if let Some(n) = row.field_index(f) {
                        new.fields[n] = v;
                    }
                };
                set(&mut new, Field::Bool, boolean);
                if own_not {
                    let n = row.field_index(Field::Cmp)?;
                    // Conditions are paired from both ends of the table.
                    let all = mask(row.fields[n].width()) as u16;
                    new.fields[n] ^= all;
                }
                for (n, slot) in row.slots.iter().enumerate() {
                    if slot.role == Pd {
                        new.ops[n] = i.slot(Pd)?.clone();
                    } else if slot.role == Pp {
                        new.ops[n] = MOp { not: other_not, ..MOp::reg(*other) };
                    }
                }
                return Some(new);
            }
        }
    }
    None
}

/// Merges a comparison with zero into logic without other uses: the predicate of `LOP3`.
pub(super) fn nonzero(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    let s = tested(c, i, Mod::Ne)?;
    let mut new = MInst { place: i.place, ..s.clone() };
    for (n, slot) in s.row().slots.iter().enumerate() {
        match slot.role {
            Pd => new.ops[n] = i.slot(Pd)?.clone(),
            Rd => new.ops[n] = MOp::zero(),
            _ => {}
        }
    }
    Some(new)
}

/// Merges a test of logic for zero: the predicate it defines, and the negated test.
pub(super) fn zero(c: &Combine<'_>, i: &MInst) -> Option<(V, MInst)> {
    tested(c, i, Mod::Eq)?;
    let MKind::Regs(vs) = &i.slot(Pd)?.kind else { return None };
    let v = *vs.first().filter(|v| !c.passed[**v])?;
    let n = i.row().field_index(Field::Cmp)?;
    let mut new = i.clone();
    new.fields[n] ^= mask(i.row().fields[n].width()) as u16;
    Some((v, new))
}

/// The index of the predicate operand that an instruction defines.
pub(super) fn result(i: &MInst) -> usize {
    i.row().slots.iter().position(|s| s.role == Pd).unwrap_or(0)
}

/// The logic whose result only a comparison with zero reads.
fn tested<'c>(c: &'c Combine<'_>, i: &MInst, compare: Mod) -> Option<&'c MInst> {
    if i.row().op != Op::Isetp {
        return None;
    }
    let row = i.row();
    let name = row.field_index(Field::Cmp).and_then(|n| row.fields[n].values.name(i.fields[n]))?;
    let plain = field(i, Field::Ex) == 0 && field(i, Field::Bool) == 0 && unused(i, SlotRole::Pe) && unused(i, Pp);
    if !plain || name != compare || !unused(i, Rb) {
        return None;
    }
    c.only_source(i.slot(Ra)?).filter(|s| s.row().op == Op::Lop3 && unused(s, Pd))
}
