//! Control flow: predecessors and reverse postorder. Unreachable blocks are in neither.

use raddle_entity::SecondaryMap;
use smallvec::SmallVec;

use crate::func::{Block, Function};

/// A control-flow graph with an order in which, but for back edges, a block follows its
/// predecessors.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Predecessors, in layout order of the sources; one entry per edge.
    pub preds: SecondaryMap<Block, SmallVec<[Block; 2]>>,
    /// Successors.
    pub succs: SecondaryMap<Block, SmallVec<[Block; 2]>>,
    /// Reverse postorder from the entry.
    pub rpo: Vec<Block>,
}

impl Cfg {
    /// Returns the graph of a function.
    pub fn of(f: &Function) -> Self {
        let mut succs: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
        succs.resize(f.blocks.len());
        for &b in &f.layout {
            succs[b] = f.term(b).successors();
        }
        Self::from_succs(f.entry(), succs)
    }

    /// Returns the graph with these successors.
    pub fn from_succs(entry: Block, succs: SecondaryMap<Block, SmallVec<[Block; 2]>>) -> Self {
        let blocks = succs.iter().count();
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        seen.resize(blocks);
        let mut post = Vec::new();
        let mut stack = vec![(entry, 0usize)];
        seen[entry] = true;
        while let Some((b, next)) = stack.last_mut() {
            match succs[*b].get(*next) {
                Some(&s) => {
                    *next += 1;
                    if !seen[s] {
                        seen[s] = true;
                        stack.push((s, 0));
                    }
                }
                None => {
                    post.push(*b);
                    stack.pop();
                }
            }
        }
        post.reverse();
        let mut preds: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
        preds.resize(blocks);
        for &b in &post {
            for &s in &succs[b] {
                preds[s].push(b);
            }
        }
        Self { preds, succs, rpo: post }
    }

    /// Returns the reachable blocks from which a block without successors can be reached.
    pub fn reaches_exit(&self) -> SecondaryMap<Block, bool> {
        let mut out: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut work: Vec<Block> = self.rpo.iter().copied().filter(|&b| self.succs[b].is_empty()).collect();
        while let Some(b) = work.pop() {
            if !std::mem::replace(&mut out[b], true) {
                work.extend(&self.preds[b]);
            }
        }
        out
    }

    /// Whether the block is reachable from the entry.
    pub fn reachable(&self, b: Block) -> bool {
        self.rpo.first() == Some(&b) || !self.preds[b].is_empty()
    }
}
