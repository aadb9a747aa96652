//! Natural loops: a header that dominates the source of an edge to it, and the blocks that reach
//! that edge without passing the header.

use raddle_entity::SecondaryMap;

use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::func::Block;

/// Loop nesting. A loop is identified by its header.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Depth of each block; 0 = in no natural loop.
    pub depth: SecondaryMap<Block, u32>,
    /// Headers, outermost first within a nest, in reverse postorder.
    pub headers: Vec<Block>,
    /// The innermost loop around each block.
    pub innermost: SecondaryMap<Block, Option<Block>>,
    /// The loop around each loop.
    pub parent: SecondaryMap<Block, Option<Block>>,
}

impl Loops {
    /// Finds the natural loops of a graph. An irreducible cycle has no header and counts as no
    /// loop.
    pub fn of(cfg: &Cfg, dom: &DomTree) -> Self {
        let mut depth: SecondaryMap<Block, u32> = SecondaryMap::new();
        let mut headers = Vec::new();
        let mut innermost: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        let mut parent: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        // The last loop that each block was found in.
        let mut found: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        for &h in &cfg.rpo {
            let mut work: Vec<Block> = cfg.preds[h].iter().copied().filter(|&p| dom.dominates(h, p)).collect();
            if work.is_empty() {
                continue;
            }
            headers.push(h);
            // Outer loops come first, so the last one to claim a block is the innermost.
            parent[h] = innermost[h];
            work.push(h);
            found[h] = Some(h);
            innermost[h] = Some(h);
            depth[h] += 1;
            while let Some(b) = work.pop() {
                if b != h && found[b] == Some(h) {
                    continue;
                }
                if b != h {
                    found[b] = Some(h);
                    innermost[b] = Some(h);
                    depth[b] += 1;
                    work.extend(cfg.preds[b].iter().copied());
                }
            }
        }
        Self { depth, headers, innermost, parent }
    }

    /// Whether `b` is in the loop of header `h`. Takes time linear in the nesting depth.
    pub fn contains(&self, h: Block, b: Block) -> bool {
        let mut at = self.innermost[b];
        while let Some(l) = at {
            if l == h {
                return true;
            }
            at = self.parent[l];
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nests_are_known_by_their_headers() {
        let text = "kernel k\nb0:\n v0: p = undef\n jump b1\nb1:\n jump b2\nb2:\n branch v0, b2, b3\nb3:\n branch v0, b1, b4\nb4:\n \
                    branch v0, b4, b5\nb5:\n exit\nend\n";
        let f = crate::text::parse(text).unwrap().remove(0);
        let cfg = Cfg::of(&f);
        let loops = Loops::of(&cfg, &DomTree::dominators(&cfg));
        let b = Block::from_u32;
        assert_eq!(loops.headers, [b(1), b(2), b(4)]);
        assert_eq!((loops.parent[b(1)], loops.parent[b(2)], loops.parent[b(4)]), (None, Some(b(1)), None));
        assert_eq!(
            (loops.innermost[b(3)], loops.innermost[b(2)], loops.innermost[b(5)]),
            (Some(b(1)), Some(b(2)), None)
        );
        let depths: Vec<u32> = (0..6).map(|n| loops.depth[b(n)]).collect();
        assert_eq!(depths, [0, 1, 2, 1, 1, 0]);
        assert!(loops.contains(b(1), b(2)) && !loops.contains(b(2), b(1)) && !loops.contains(b(1), b(4)));
    }
}
