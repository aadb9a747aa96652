//! Replaces operations by control flow.
//!
//! Invariant: the first part of a split block keeps its name; the other parts follow it in the
//! layout.

use raddle_ir::{Block, Function, Inst, Op, SourcePos, Target, Terminator, Value, Width};
use smallvec::SmallVec;

/// Appends operations and blocks to a function.
pub(super) struct Builder<'a> {
    /// The function.
    pub f: &'a mut Function,
    /// The block that operations are appended to.
    pub block: Block,
    /// The source location of what is appended.
    pub place: SourcePos,
}

/// Calls `expand` for the operations that `needs` it, in their place; the others stay.
pub(super) fn rebuild(f: &mut Function, needs: impl Fn(Op) -> bool, mut expand: impl FnMut(&mut Builder<'_>, Inst)) {
    let mut layout = Vec::with_capacity(f.layout.len());
    for b in std::mem::take(&mut f.layout) {
        layout.push(b);
        if !f.blocks[b].insts.iter().any(|&i| needs(f.insts[i].op)) {
            continue;
        }
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let term = f.blocks[b].term.take();
        let mut e = Builder { f, block: b, place: SourcePos::default() };
        for i in insts {
            e.place = e.f.insts[i].place;
            if needs(e.f.insts[i].op) { expand(&mut e, i) } else { e.push(i) }
        }
        let last = e.block;
        f.blocks[last].term = term;
        f.term_places[last] = f.term_places[b];
        // New blocks were appended to the layout.
        layout.append(&mut f.layout);
    }
    f.layout = layout;
}

impl Builder<'_> {
    /// Appends an operation with one result.
    pub(super) fn op(&mut self, op: Op, args: &[Value], width: Width) -> Value {
        self.f.append1(self.block, op, args, width, self.place)
    }

    /// Appends an operation without results.
    pub(super) fn effect(&mut self, op: Op, args: &[Value]) {
        self.f.append(self.block, op, args, &[], self.place);
    }

    /// Appends a constant.
    pub(super) fn constant(&mut self, bits: u64, width: Width) -> Value {
        self.op(Op::Const(bits & width.mask()), &[], width)
    }

    /// Appends an existing instruction.
    pub(super) fn push(&mut self, i: Inst) {
        let block = self.block;
        self.f.blocks[block].insts.push(i);
    }

    /// Appends an existing instruction as a copy of `value`, which keeps the uses of its result
    /// valid.
    pub(super) fn keep(&mut self, i: Inst, value: Value) {
        let zero = self.constant(0, self.f.width(value));
        self.f.insts[i].op = Op::Or;
        self.f.insts[i].args = SmallVec::from_slice(&[value, zero]);
        self.push(i);
    }

    /// Ends the block.
    pub(super) fn end(&mut self, term: Terminator) {
        self.f.blocks[self.block].term = Some(term);
        self.f.term_places[self.block] = self.place;
    }

    /// Ends the block by a branch.
    pub(super) fn branch(&mut self, cond: Value, then: Target, other: Target) {
        self.end(Terminator::Branch { cond, uniform: false, then, other });
    }
}
