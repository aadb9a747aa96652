//! Where the words of leaves and of their calls are ([`crate::leaf`]).

use raddle_entity::{EntityRef, SecondaryMap};
use raddle_ir::Stop;
use raddle_sass::row::SlotRole;
use raddle_sass::{Inst, Isa, Kind, Operand, RZ};

use crate::convention::FIRST_WORD;
use crate::leaf::RETURN;
use crate::mir::{MBlock, MFunction, MKind, V};

/// The number that each operand of a call of a leaf has.
pub fn pins(f: &MFunction) -> SecondaryMap<V, Option<u8>> {
    let mut pins = SecondaryMap::new();
    if f.leaves.is_empty() {
        return pins;
    }
    for call in f.layout.iter().flat_map(|&b| &f.blocks[b].insts).filter_map(|i| i.leaf.as_ref()) {
        for words in [&call.takes, &call.gives] {
            words.iter().zip(FIRST_WORD..).for_each(|(&v, n)| pins[v] = Some(n));
        }
    }
    pins
}

/// The points between which the argument and result words of a leaf are in their registers: from the
/// start to the last read, and from the first write on. Code in several blocks keeps them always.
pub(crate) fn words(f: &MFunction) -> Vec<(u8, u32, u32)> {
    let mut words: Vec<(u8, u32, u32)> = Vec::new();
    let [b] = *f.layout.as_slice() else { return words };
    if !f.is_leaf {
        return words;
    }
    for (point, i) in (0..).step_by(2).zip(&f.blocks[b].insts) {
        for (n, o) in i.ops.iter().enumerate() {
            let MKind::Phys(number) = o.kind else { continue };
            let end = u32::MAX;
            match words.iter_mut().find(|w| w.0 == number && (w.2 == end) == i.is_def(n)) {
                Some(word) if i.is_def(n) => word.1 = word.1.min(point + 1),
                Some(word) => word.2 = word.2.max(point),
                None if i.is_def(n) => words.push((number, point + 1, end)),
                None => words.push((number, 0, point)),
            }
        }
    }
    words
}

/// The word that a register of a leaf is moved from or to, if any.
pub(crate) fn preferred(f: &MFunction) -> SecondaryMap<V, Option<u8>> {
    let mut preferred = SecondaryMap::new();
    for i in f.layout.iter().filter(|_| f.is_leaf).flat_map(|&b| &f.blocks[b].insts) {
        let (to, from) = (i.slot(SlotRole::Rd).map(|o| &o.kind), i.slot(SlotRole::Rb).map(|o| &o.kind));
        if let (Some(MKind::Regs(vs)), Some(MKind::Phys(n))) | (Some(MKind::Phys(n)), Some(MKind::Regs(vs))) =
            (to, from)
            && let [v] = vs.as_slice()
        {
            preferred[*v] = Some(*n);
        }
    }
    preferred
}

/// Saves the predicates of a mask in the upper half of the return address, and restores them.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks an instruction.
pub(crate) fn keep(isa: Isa, mask: u8) -> Result<[Inst; 2], Stop> {
    let operand = |kind| Operand { kind, neg: false, abs: false, not: false, sel: 0 };
    let (home, file) = (operand(Kind::Reg(RETURN + 1)), operand(Kind::PredFile));
    let mask = (SlotRole::Imm, operand(Kind::Imm(mask.into())));
    let save = [(SlotRole::Rd, home), (SlotRole::Misc, file), (SlotRole::Ra, operand(Kind::Reg(RZ))), mask];
    let restore = [(SlotRole::Misc, file), (SlotRole::Ra, home), mask];
    let build = |op, given: &[(SlotRole, Operand)]| {
        raddle_sass::build(isa, op, &[], given).map_err(|e| Stop::Internal { pass: "leaf", what: e.to_string() })
    };
    Ok([build(raddle_sass::Op::P2r, &save)?, build(raddle_sass::Op::R2p, &restore)?])
}

/// The label of the first block of leaf `n` behind the blocks of a function.
pub(crate) fn label(f: &MFunction, n: usize) -> MBlock {
    let before: usize = f.leaves[..n].iter().map(|leaf| leaf.blocks).sum();
    MBlock::new(f.blocks.len() + before)
}
