//! Control-flow analyses of machine code, by those of `ir` (blocks have the same numbers).

use raddle_entity::{EntityRef, SecondaryMap};
use raddle_ir::Block;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use smallvec::SmallVec;

use crate::mir::{MBlock, MFunction};

/// Converts a machine block to a block of `ir`'s analyses.
pub fn b(m: MBlock) -> Block {
    Block::from_u32(m.as_u32())
}

/// Converts a block of `ir`'s analyses to a machine block.
pub fn m(b: Block) -> MBlock {
    MBlock::new(b.index())
}

/// Returns the successors of every block.
pub fn succs(f: &MFunction) -> SecondaryMap<Block, SmallVec<[Block; 2]>> {
    let mut out: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
    out.resize(f.blocks.len());
    for &x in &f.layout {
        out[b(x)] = f.blocks[x].term.successors().into_iter().map(b).collect();
    }
    out
}

/// Returns the control-flow graph of a function.
pub fn cfg(f: &MFunction) -> Cfg {
    Cfg::from_succs(b(f.entry()), succs(f))
}

/// Estimates how often each block runs: eight times as often per level of loop nesting.
pub fn frequency(f: &MFunction) -> SecondaryMap<MBlock, u64> {
    let cfg = cfg(f);
    let loops = Loops::of(&cfg, &DomTree::dominators(&cfg));
    let mut out: SecondaryMap<MBlock, u64> = SecondaryMap::new();
    for &x in &f.layout {
        out[x] = 1 << (3 * loops.depth[b(x)].min(8));
    }
    out
}
