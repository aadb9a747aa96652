//! Regions of calls from which the lanes of a warp may return apart.
//!
//! Problem: a call through a register whose callee may differ between lanes runs once for each of
//! its callees, with the lanes that call it, and each group of lanes continues alone. So it is after
//! a call of a function of another compiler: functions of ptxas 13.0.88 with such a call inside often
//! bring their lanes together nowhere (`call-apart` in docs/ptxas.md); ours do before they return.
//! Strategy ("ptxas 13.0.88 output": `BSSY B6`, `CALL`, `BSYNC B6`): the call, with the moves of its
//! arguments and results, gets a block of its own. [`crate::converge`] sets a barrier at the end of
//! the block before it and waits at the beginning of the block after it.
//!
//! Invariant: moves to and from physical registers stay in the block of their call.

use raddle_sass::row::SlotRole;

use crate::convention::{FIRST_WORD, RETURN, WORDS, is_call};
use crate::mir::{MBlock, MBlockData, MEdge, MFunction, MInst, MKind, MReloc, MTarget, MTerm};
use crate::uniform::Uniformity;
use smallvec::SmallVec;

/// Splits blocks around calls from which lanes may return apart; returns the blocks before and after
/// each call.
pub fn split(f: &mut MFunction) -> Vec<(MBlock, MBlock)> {
    if !f.layout.iter().any(|&b| f.blocks[b].insts.iter().any(|i| may_return_apart(f, i))) {
        return Vec::new();
    }
    let uniform = Uniformity::of(f);
    let different = |i: &MInst| is_call(i) && callee(i).is_some_and(|vs| vs.iter().any(|&v| !uniform.same(v)));
    let (mut out, mut layout) = (Vec::new(), Vec::with_capacity(f.layout.len()));
    for mut b in std::mem::take(&mut f.layout) {
        layout.push(b);
        while let Some(at) = f.blocks[b].insts.iter().position(|i| different(i) || is_foreign(f, i)) {
            let (start, end) = span(&f.blocks[b].insts, at);
            let call = cut(f, b, start);
            let after = cut(f, call, end - start);
            layout.extend([call, after]);
            out.push((b, after));
            b = after;
        }
    }
    f.layout = layout;
    out
}

/// Whether it is a call from which lanes may return separately, whatever is known about its address.
pub(crate) fn may_return_apart(f: &MFunction, i: &MInst) -> bool {
    is_call(i) && callee(i).is_some() || is_foreign(f, i)
}

/// Whether it is a call of a function that another compiler may have compiled.
fn is_foreign(f: &MFunction, i: &MInst) -> bool {
    let named = || match &i.reloc {
        Some(MReloc { of: MTarget::Sym(sym), .. }) => f.foreign[*sym],
        _ => false,
    };
    is_call(i) && if callee(i).is_some() { f.foreign_addresses } else { named() }
}

/// The registers with the callee's address.
fn callee(i: &MInst) -> Option<&[crate::mir::V]> {
    match &i.slot(SlotRole::Ra)?.kind {
        MKind::Regs(vs) => Some(vs),
        _ => None,
    }
}

/// The range of instructions that belong to the call at `at`: from the first move of an argument or
/// the return address to the last move of a result.
fn span(insts: &[MInst], at: usize) -> (usize, usize) {
    let passes = |n: u8| (FIRST_WORD..FIRST_WORD + WORDS as u8).contains(&n) || n == RETURN || n == RETURN + 1;
    let numbers = |i: &MInst, written: bool| {
        let of =
            |(n, o): (usize, &crate::mir::MOp)| matches!(o.kind, MKind::Phys(r) if passes(r)) && i.is_def(n) == written;
        i.ops.iter().enumerate().any(of)
    };
    let before = insts[..at].iter().rposition(is_call).map_or(0, |n| n + 1);
    let start = insts[before..at].iter().position(|i| numbers(i, true)).map_or(at, |n| before + n);
    let after = insts[at + 1..].iter().position(|i| is_call(i) || numbers(i, true)).map_or(insts.len(), |n| at + 1 + n);
    let end = insts[at + 1..after].iter().rposition(|i| numbers(i, false)).map_or(at, |n| at + 1 + n);
    (start, end + 1)
}

/// Splits a block before its instruction `at`; returns the new block with the rest.
fn cut(f: &mut MFunction, b: MBlock, at: usize) -> MBlock {
    let place = f.blocks[b].place;
    let rest = f.blocks[b].insts.split_off(at);
    let new = f.blocks.push(MBlockData { params: SmallVec::new(), insts: rest, term: MTerm::Exit, place });
    let jump = MTerm::Jump(MEdge { to: new, args: SmallVec::new() });
    f.blocks[new].term = std::mem::replace(&mut f.blocks[b].term, jump);
    new
}
