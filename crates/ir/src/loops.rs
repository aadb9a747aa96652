//! Natural loops: a header that dominates the source of an edge to it, and the blocks that reach that edge without the header.

use raddle_entity::SecondaryMap;

use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::func::Block;

/// Loop nesting.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Depth of each block; 0 = in no natural loop.
    pub depth: SecondaryMap<Block, u32>,
    /// Headers, outermost first within a nest, in reverse postorder.
    pub headers: Vec<Block>,
}

impl Loops {
    /// Finds the natural loops of a graph. An irreducible cycle has no header and counts as no loop.
    pub fn of(cfg: &Cfg, dom: &DomTree) -> Self {
        let mut depth: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut headers = Vec::new();
        for &h in &cfg.rpo {
            let mut work: Vec<Block> = cfg.preds[h].iter().copied().filter(|&p| dom.dominates(h, p)).collect();
            if work.is_empty() {
                continue;
            }
            headers.push(h);
            let mut body: SecondaryMap<Block, bool> = SecondaryMap::new();
            body[h] = true;
            depth[h] += 1;
            while let Some(b) = work.pop() {
                if body[b] {
                    continue;
                }
                body[b] = true;
                depth[b] += 1;
                work.extend(cfg.preds[b].iter().copied());
            }
        }
        Self { depth, headers }
    }
}
