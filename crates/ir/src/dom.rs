//! Dominators and post-dominators.
//!
//! Strategy: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the graph
//! or on its reverse with a virtual exit after every block without successors. Dominance queries
//! use depth-first numbers of the tree.

use raddle_entity::SecondaryMap;
use raddle_entity::packed_option::ReservedValue;
use smallvec::SmallVec;

use crate::cfg::Cfg;
use crate::func::Block;

const NONE: u32 = u32::MAX;

/// A dominator tree.
#[derive(Clone, Debug)]
pub struct DomTree {
    /// Immediate dominator by position in `order`; the root's is itself.
    idom: Vec<u32>,
    order: Vec<Block>,
    position: SecondaryMap<Block, u32>,
    enter: Vec<u32>,
    leave: Vec<u32>,
    /// Whether the first item of `order` is the virtual exit.
    virtual_root: bool,
}

impl DomTree {
    /// Computes the dominators of all reachable blocks.
    pub fn dominators(cfg: &Cfg) -> Self {
        Self::build(cfg.rpo.clone(), |b, out| out.extend(cfg.preds[b].iter().copied()), false)
    }

    /// Computes the post-dominators of the blocks from which a block without successors can be
    /// reached. `succs` may omit edges of `cfg`.
    pub fn post_dominators(cfg: &Cfg, succs: &SecondaryMap<Block, SmallVec<[Block; 2]>>) -> Self {
        let mut preds: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
        let mut exits = Vec::new();
        for &b in &cfg.rpo {
            for &s in &succs[b] {
                preds[s].push(b);
            }
            if succs[b].is_empty() {
                exits.push(b);
            }
        }
        // Reverse postorder of the reversed graph, from the virtual exit.
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut post = Vec::new();
        for &e in &exits {
            if seen[e] {
                continue;
            }
            seen[e] = true;
            let mut stack = vec![(e, 0usize)];
            while let Some((b, next)) = stack.last_mut() {
                match preds[*b].get(*next) {
                    Some(&p) => {
                        *next += 1;
                        if !seen[p] {
                            seen[p] = true;
                            stack.push((p, 0));
                        }
                    }
                    None => {
                        post.push(*b);
                        stack.pop();
                    }
                }
            }
        }
        let virtual_exit = Block::reserved_value();
        post.push(virtual_exit);
        post.reverse();
        Self::build(
            post,
            |b, out| {
                if succs[b].is_empty() {
                    out.push(virtual_exit);
                }
                out.extend(succs[b].iter().copied());
            },
            true,
        )
    }

    fn build(order: Vec<Block>, preds: impl Fn(Block, &mut Vec<Block>), virtual_root: bool) -> Self {
        let mut position: SecondaryMap<Block, u32> = SecondaryMap::with_default(NONE);
        let skip = usize::from(virtual_root);
        for (i, &b) in order.iter().enumerate().skip(skip) {
            position[b] = i as u32;
        }
        if !virtual_root && let Some(&b) = order.first() {
            position[b] = 0;
        }
        let place = |b: Block| if virtual_root && b == Block::reserved_value() { 0 } else { position[b] };
        let mut idom = vec![NONE; order.len()];
        if !idom.is_empty() {
            idom[0] = 0;
        }
        let mut changed = true;
        let mut ps = Vec::new();
        while changed {
            changed = false;
            for i in 1..order.len() {
                ps.clear();
                preds(order[i], &mut ps);
                let mut new = NONE;
                for &p in &ps {
                    let p = place(p);
                    if p == NONE || idom[p as usize] == NONE {
                        continue;
                    }
                    new = if new == NONE { p } else { intersect(&idom, p, new) };
                }
                if new != idom[i] {
                    idom[i] = new;
                    changed = true;
                }
            }
        }
        let (enter, leave) = number(&idom);
        Self { idom, order, position, enter, leave, virtual_root }
    }

    fn place(&self, b: Block) -> Option<u32> {
        let p = self.position[b];
        (p != NONE && self.idom[p as usize] != NONE).then_some(p)
    }

    /// Returns the immediate dominator; `None` for the root, for children of the virtual exit, and
    /// for blocks outside the tree.
    pub fn idom(&self, b: Block) -> Option<Block> {
        let p = self.place(b)?;
        let d = self.idom[p as usize];
        if d == p || (self.virtual_root && d == 0) { None } else { Some(self.order[d as usize]) }
    }

    /// Whether `a` dominates `b` (reflexively); false if either is outside the tree.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (Some(a), Some(b)) = (self.place(a), self.place(b)) else { return false };
        self.enter[a as usize] <= self.enter[b as usize] && self.leave[b as usize] <= self.leave[a as usize]
    }

    /// Returns the nearest block that dominates both; `None` if there is none or it is the virtual
    /// exit.
    pub fn common(&self, a: Block, b: Block) -> Option<Block> {
        let c = intersect(&self.idom, self.place(a)?, self.place(b)?);
        if self.virtual_root && c == 0 { None } else { Some(self.order[c as usize]) }
    }

    /// Returns the blocks of the tree in depth-first order: after a block come all that it
    /// dominates (without the virtual exit).
    pub fn depth_first(&self) -> Vec<Block> {
        let mut places: Vec<usize> =
            (usize::from(self.virtual_root)..self.order.len()).filter(|&i| self.idom[i] != NONE).collect();
        places.sort_unstable_by_key(|&i| self.enter[i]);
        places.into_iter().map(|i| self.order[i]).collect()
    }

    /// Returns the blocks of the tree, dominators first (without the virtual exit).
    pub fn preorder(&self) -> impl Iterator<Item = Block> + '_ {
        self.order.iter().skip(usize::from(self.virtual_root)).copied()
    }
}

fn intersect(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

/// Computes depth-first entry and exit numbers of the tree.
fn number(idom: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let n = idom.len();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    for i in (1..n).rev() {
        if idom[i] != NONE {
            children[idom[i] as usize].push(i as u32);
        }
    }
    let (mut enter, mut leave) = (vec![0; n], vec![0; n]);
    let mut clock = 0;
    let mut stack: Vec<(u32, bool)> = if n > 0 { vec![(0, false)] } else { Vec::new() };
    while let Some((i, done)) = stack.pop() {
        clock += 1;
        if done {
            leave[i as usize] = clock;
        } else {
            enter[i as usize] = clock;
            stack.push((i, true));
            stack.extend(children[i as usize].iter().map(|&c| (c, false)));
        }
    }
    (enter, leave)
}
