//! The blocks between cuts as a graph without cycles, with dominators.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::Block;
use raddle_ir::cfg::Cfg;

/// Blocks that can be reached from a start without passing a cut.
pub struct Graph {
    /// The blocks, each behind those with an edge to it; the start is first.
    pub blocks: Vec<Block>,
    places: FxHashMap<Block, usize>,
    idom: Vec<usize>,
    /// The blocks that can be reached from each, as bits.
    reach: Vec<Vec<u64>>,
    is_cut: Vec<Block>,
}

impl Graph {
    /// The graph from `start` to the cuts; `None` if it has a cycle.
    pub fn of(cfg: &Cfg, start: Block, cuts: &[Block]) -> Option<Graph> {
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut done: SecondaryMap<Block, bool> = SecondaryMap::new();
        let mut post = Vec::new();
        let mut stack = vec![(start, 0usize)];
        seen[start] = true;
        while let Some((b, next)) = stack.last_mut() {
            match cfg.succs[*b].get(*next) {
                Some(&s) => {
                    *next += 1;
                    if cuts.contains(&s) {
                        continue;
                    }
                    if s == start || (seen[s] && !done[s]) {
                        return None;
                    }
                    if !seen[s] {
                        seen[s] = true;
                        stack.push((s, 0));
                    }
                }
                None => {
                    done[*b] = true;
                    post.push(*b);
                    stack.pop();
                }
            }
        }
        post.reverse();
        let places: FxHashMap<Block, usize> = post.iter().enumerate().map(|(n, &b)| (b, n)).collect();
        let mut graph =
            Graph { idom: vec![0; post.len()], reach: Vec::new(), blocks: post, places, is_cut: cuts.to_vec() };
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); graph.blocks.len()];
        for n in 0..graph.blocks.len() {
            for &s in &cfg.succs[graph.blocks[n]] {
                if let Some(m) = graph.inner(n, s) {
                    preds[m].push(n);
                }
            }
        }
        for (n, preds) in preds.iter().enumerate().skip(1) {
            graph.idom[n] = preds.iter().copied().reduce(|a, b| graph.meet(a, b)).unwrap_or(0);
        }
        let words = graph.blocks.len().div_ceil(64);
        let mut reach = vec![vec![0u64; words]; graph.blocks.len()];
        for n in (0..graph.blocks.len()).rev() {
            reach[n][n / 64] |= 1 << (n % 64);
            for &p in &preds[n] {
                let of_n = reach[n].clone();
                reach[p].iter_mut().zip(&of_n).for_each(|(a, b)| *a |= b);
            }
        }
        graph.reach = reach;
        Some(graph)
    }

    /// The place of a block, if it is in the graph.
    pub fn place(&self, b: Block) -> Option<usize> {
        self.places.get(&b).copied()
    }

    /// The place of the target of an edge that stays in the graph.
    pub fn inner(&self, from: usize, to: Block) -> Option<usize> {
        self.place(to).filter(|&m| m > from && !self.is_cut.contains(&to))
    }

    /// The nearest block that every path to both passes.
    pub fn meet(&self, a: usize, b: usize) -> usize {
        let (mut a, mut b) = (a, b);
        while a != b {
            if a > b { a = self.idom[a] } else { b = self.idom[b] }
        }
        a
    }

    /// The last block that every path to a block passes before.
    pub fn idom(&self, n: usize) -> usize {
        self.idom[n]
    }

    /// Whether every path to `b` passes `a`.
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        let mut b = b;
        while b > a {
            b = self.idom[b];
        }
        a == b
    }

    /// Whether a path leads from `a` to `b`.
    pub fn reaches(&self, a: usize, b: usize) -> bool {
        self.reach[a][b / 64] >> (b % 64) & 1 == 1
    }
}
