//! Subroutines for rare cases: the full sequences of quotients and roots, once per kernel and
//! operation.
//!
//! Problem: a slow path of a hundred instructions at each use makes most of a kernel's code.
//! Strategy ("ptxas 13.0.88 output"): a *leaf* is the full sequence of one operation behind the
//! kernel's code. It is compiled first, by the same passes; a call of it lists the registers that it
//! reads and writes, and the allocator keeps other values out of those that the leaf uses
//! ([`Lost`]). No stack, no saved registers, no symbols.
//!
//! Convention: the words of arguments and results are in R4 and up, the return address, from the
//! start of the kernel, in R2 and R3, of which the leaf sets R3 (to zero) itself. Until then R3 holds
//! the predicates that the leaf writes: there are too few for values that live across a call. A leaf
//! uses neither barriers nor uniform registers, so that calls may be where threads have diverged.
//!
//! Invariant: where the leaf and the values around its calls need more registers than there are,
//! the kernel is compiled again with all sequences in place of their calls ([`crate::pipeline`]).

use raddle_entity::{EntityRef, SecondaryMap};
use raddle_ir::{Op, Stop};
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Inst, Isa, Kind, Operand, RZ};

use crate::code::CodeBlock;
use crate::convention::FIRST_WORD;
use crate::mir::{MBlock, MFunction, MKind, Regs, V};

/// The first of the two registers with the return address.
pub const RETURN: u8 = 2;

/// A call, beside the operands of its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafCall {
    /// Index of the leaf in [`MFunction::leaves`].
    pub of: usize,
    /// The words that it reads, in R4 and up.
    pub takes: Regs,
    /// The words that it writes, in R4 and up.
    pub gives: Regs,
}

/// Registers that a leaf does not preserve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    general: [u64; 4],
}

impl Lost {
    /// Whether register `n` of a file is not preserved.
    pub fn has(&self, file: File, n: usize) -> bool {
        file == File::Gpr && self.general[n / 64] >> (n % 64) & 1 == 1
    }

    /// The same but for this many words of results.
    #[must_use]
    pub fn without(mut self, results: usize) -> Self {
        self.general[0] &= !(((1 << results) - 1) << FIRST_WORD);
        self
    }

    /// Collects those of a leaf's code.
    fn of(blocks: &[CodeBlock]) -> Result<Self, Stop> {
        let mut lost = Lost::default();
        for a in blocks.iter().flat_map(|b| &b.items).flat_map(|item| item.inst.accesses()).filter(|a| a.written) {
            for n in a.first..a.first.saturating_add(a.count) {
                match a.file {
                    File::Gpr => lost.general[usize::from(n / 64)] |= 1 << (n % 64),
                    File::Pred => {}
                    File::Ugpr | File::Upred | File::Barrier => {
                        let what = format!("a leaf writes {n} of {:?}", a.file);
                        return Err(Stop::Internal { pass: "leaf", what });
                    }
                }
            }
        }
        // The caller writes the lower half of the return address.
        lost.general[0] |= 3 << RETURN;
        Ok(lost)
    }
}

/// A leaf of a kernel.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The operation that it computes.
    pub op: Op,
    /// Its code, scheduled; empty until it is compiled.
    pub code: Vec<CodeBlock>,
    /// The registers that it writes.
    pub lost: Lost,
    /// Highest general register that it uses, plus one.
    pub registers: u16,
}

impl Leaf {
    /// A leaf that is not compiled yet.
    pub fn new(op: Op) -> Self {
        Leaf { op, code: Vec::new(), lost: Lost::default(), registers: 0 }
    }

    /// Sets its code.
    ///
    /// # Errors
    /// [`Stop::Internal`] if the code writes other files than calls allow for.
    pub(crate) fn fill(&mut self, code: Vec<CodeBlock>, registers: u16) -> Result<(), Stop> {
        self.lost = Lost::of(&code)?;
        (self.code, self.registers) = (code, registers);
        Ok(())
    }
}

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
    let before: usize = f.leaves[..n].iter().map(|leaf| leaf.code.len()).sum();
    MBlock::new(f.blocks.len() + before)
}

/// Appends the code of the leaves to that of their function.
pub(crate) fn append(f: &MFunction, blocks: &mut Vec<CodeBlock>) {
    for (n, leaf) in f.leaves.iter().enumerate() {
        let first = label(f, n).index();
        let at = |b: MBlock| leaf.code.iter().position(|block| block.label == b);
        let named = |b: MBlock| at(b).map_or(b, |k| MBlock::new(first + k));
        for block in &leaf.code {
            let mut block = CodeBlock { label: named(block.label), ..block.clone() };
            for item in &mut block.items {
                item.target = item.target.map(named);
            }
            blocks.push(block);
        }
    }
}
