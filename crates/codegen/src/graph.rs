//! Control-flow facts of machine code, by the analyses of `ir` (blocks are numbered alike).

use raddle_entity::{EntityRef, SecondaryMap};
use raddle_ir::Block;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use smallvec::SmallVec;

use crate::mir::{MBlock, MFunction};

/// The block of `ir`'s analyses that stands for a machine block.
pub fn b(m: MBlock) -> Block {
    Block::from_u32(m.as_u32())
}

/// The machine block that a block of `ir`'s analyses stands for.
pub fn m(b: Block) -> MBlock {
    MBlock::new(b.index())
}

/// Successors of every block.
pub fn succs(f: &MFunction) -> SecondaryMap<Block, SmallVec<[Block; 2]>> {
    let mut out: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
    out.resize(f.blocks.len());
    for &x in &f.layout {
        out[b(x)] = f.blocks[x].term.successors().into_iter().map(b).collect();
    }
    out
}

/// Control flow of a function.
pub fn cfg(f: &MFunction) -> Cfg {
    Cfg::from_succs(b(f.entry()), succs(f))
}

/// How often a block runs, as far as loops tell: eight times as often as what is around its loop.
pub fn frequency(f: &MFunction) -> SecondaryMap<MBlock, u64> {
    let cfg = cfg(f);
    let loops = Loops::of(&cfg, &DomTree::dominators(&cfg));
    let mut out: SecondaryMap<MBlock, u64> = SecondaryMap::new();
    for &x in &f.layout {
        out[x] = 1 << (3 * loops.depth[b(x)].min(8));
    }
    out
}
