//! Logic: merges trees of `LOP3` over at most three different inputs.

use raddle_sass::Op;
use raddle_sass::row::SlotRole;
use smallvec::SmallVec;

use super::{Combine, picky, unused};
use crate::mir::{MInst, MKind, MOp};
use crate::sass;
use crate::select::{Imm, Pd, Pp, Ra, Rb, Rc, Rd};

/// The different inputs of a tree.
type Leaves = SmallVec<[MOp; 4]>;

/// A `LOP3`: inputs and truth table.
struct Node {
    inputs: [MOp; 3],
    table: u32,
}

fn node(i: &MInst) -> Option<Node> {
    if i.row().op != Op::Lop3 {
        return None;
    }
    let MKind::Imm(table) = i.slot(Imm)?.kind else { return None };
    let input = |r: SlotRole| i.slot(r).cloned();
    Some(Node { inputs: [input(Ra)?, input(Rb)?, input(Rc)?], table })
}

/// An input of the outer node.
enum Input {
    /// A leaf, or a known bit.
    Leaf(usize),
    Known(bool),
    /// Another node over leaves.
    Inner([Box<Input>; 3], u32),
}

fn leaf(leaves: &mut Leaves, o: &MOp) -> Input {
    match o.kind {
        MKind::Zero => Input::Known(false),
        MKind::Imm(0) => Input::Known(false),
        MKind::Imm(u32::MAX) => Input::Known(true),
        _ => {
            let n = leaves.iter().position(|l| l == o).unwrap_or_else(|| {
                leaves.push(o.clone());
                leaves.len() - 1
            });
            Input::Leaf(n)
        }
    }
}

fn value(i: &Input, bits: u32) -> bool {
    match i {
        Input::Leaf(n) => bits >> n & 1 == 1,
        Input::Known(b) => *b,
        Input::Inner(xs, table) => {
            let at = xs.iter().fold(0, |at, x| at << 1 | u32::from(value(x, bits)));
            table >> at & 1 == 1
        }
    }
}

/// Merges one input that is itself logic into the node.
pub(super) fn tree(c: &Combine<'_>, i: &MInst) -> Option<MInst> {
    let outer = node(i)?;
    for k in 0..3 {
        let Some((v, s)) = c.source(&outer.inputs[k]) else { continue };
        let Some(inner) = node(s).filter(|_| unused(s, Pd)) else { continue };
        // A complement is free; anything else would be computed twice.
        let single = inner.inputs.iter().filter(|o| o.kind != MKind::Zero).count() == 1;
        if c.uses[v] != 1 && !single {
            continue;
        }
        let mut leaves = Leaves::new();
        let mut inputs = Vec::with_capacity(3);
        for (n, o) in outer.inputs.iter().enumerate() {
            let same = n == k || *o == outer.inputs[k];
            if same {
                let xs = inner.inputs.each_ref().map(|o| Box::new(leaf(&mut leaves, o)));
                inputs.push(Box::new(Input::Inner(xs, inner.table)));
            } else {
                inputs.push(Box::new(leaf(&mut leaves, o)));
            }
        }
        let Ok(inputs) = <[Box<Input>; 3]>::try_from(inputs) else { continue };
        if let Some(new) = rebuild(c, i, &leaves, &Input::Inner(inputs, outer.table)) {
            return Some(new);
        }
    }
    None
}

/// Builds one `LOP3` of these leaves; a non-register goes second.
fn rebuild(c: &Combine<'_>, i: &MInst, leaves: &Leaves, root: &Input) -> Option<MInst> {
    if leaves.len() > 3 || leaves.iter().filter(|o| picky(o)).count() > 1 {
        return None;
    }
    // The leaf in each slot.
    let mut at: [Option<usize>; 3] = [None; 3];
    at[1] = leaves.iter().position(picky);
    let order: &[usize] = if at[1].is_some() { &[0, 2] } else { &[0, 1, 2] };
    let mut slots = order.iter().copied();
    for n in 0..leaves.len() {
        if picky(&leaves[n]) {
            continue;
        }
        at[slots.next()?] = Some(n);
    }
    let mut table = 0;
    for row in 0..8u32 {
        let bits = (0..3).fold(0, |bits, n| match at[n] {
            Some(leaf) => bits | (row >> (2 - n) & 1) << leaf,
            None => bits,
        });
        table |= u32::from(value(root, bits)) << row;
    }
    let operand = |n: usize| at[n].map_or(MOp::zero(), |k| leaves[k].clone());
    let mut given: SmallVec<[(SlotRole, MOp); 7]> = SmallVec::from_iter([
        (Rd, i.slot(Rd)?.clone()),
        (Ra, operand(0)),
        (Rb, operand(1)),
        (Rc, operand(2)),
        (Imm, MOp::imm(table)),
        (Pp, i.slot(Pp)?.clone()),
    ]);
    given.push((Pd, i.slot(Pd)?.clone()));
    // With `.PAND` the predicate is a different one.
    if super::field(i, raddle_sass::Field::Pand) != 0 { None } else { c.build(i, sass::lop3(), &given) }
}
