//! Regions within loops that some threads leave by a `break`: where the others converge.
//!
//! Problem: a branch in a loop, one side of which can leave the loop, has its post-dominator after
//! the loop, so that threads that took different sides of an `if` would run the rest of the loop
//! separately. Strategy: for such a branch, threads converge where they would if none left: at the
//! immediate post-dominator in the loop's body without its back edge and exit edges. Each edge on
//! which threads do leave the region removes them from the barrier (`BREAK`, "ptxas 13.0.88
//! output").
//!
//! Invariants: D dominates J and all branches of the region, J post-dominates D in that graph, and
//! every cycle goes through both of them or neither, as in [`crate::converge`].

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::Block;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use smallvec::SmallVec;

/// Loops times blocks above which no region is searched for.
const MOST: usize = 4_000_000;

type Succs = SecondaryMap<Block, SmallVec<[Block; 2]>>;

/// A region that threads enter and leave together, except by its leaving edges.
#[derive(Clone, Debug)]
pub struct Region {
    /// The block that sets the barrier.
    pub set: Block,
    /// The block where the threads converge.
    pub meet: Block,
    /// Edges that leave it.
    pub leaving: Vec<(Block, Block)>,
}

/// Returns the regions of divergent branches within a loop whose join, by `meets`, is after the
/// loop; and whether such a branch has none.
pub fn regions(
    cfg: &Cfg,
    dom: &DomTree,
    parts: impl Fn(Block) -> bool,
    meets: impl Fn(Block) -> Option<Block>,
) -> (Vec<Region>, bool) {
    let loops = Loops::of(cfg, dom);
    let (mut out, mut without) = (Vec::new(), false);
    if loops.headers.len() * cfg.rpo.len() > MOST {
        return (out, true);
    }
    let mut headers = loops.headers.clone();
    headers.sort_by_key(|h| loops.depth[*h]);
    let bodies: Vec<SecondaryMap<Block, bool>> = headers.iter().map(|&h| body(cfg, dom, h)).collect();
    let mut innermost: SecondaryMap<Block, Option<usize>> = SecondaryMap::new();
    for (n, body) in bodies.iter().enumerate() {
        cfg.rpo.iter().filter(|x| body[**x]).for_each(|&x| innermost[x] = Some(n));
    }
    for (n, body) in bodies.iter().enumerate() {
        let header = headers[n];
        let candidate = |x: Block| {
            let stays = cfg.succs[x].iter().filter(|s| body[**s] && **s != header).count();
            innermost[x] == Some(n) && stays > 1 && parts(x) && meets(x).is_none_or(|j| !body[j])
        };
        let branches: Vec<Block> = cfg.rpo.iter().copied().filter(|&x| candidate(x)).collect();
        if branches.is_empty() {
            continue;
        }
        let mut succs: Succs = SecondaryMap::new();
        for &x in cfg.rpo.iter().filter(|x| body[**x]) {
            succs[x] = cfg.succs[x].iter().copied().filter(|s| body[*s] && *s != header).collect();
        }
        let post = DomTree::post_dominators(cfg, &succs);
        let mut index: FxHashMap<Block, usize> = FxHashMap::default();
        let mut groups: Vec<(Block, Block)> = Vec::new();
        for x in branches {
            let Some(j) = post.idom(x).filter(|j| body[*j]) else {
                without = true;
                continue;
            };
            match index.get(&j) {
                Some(&g) => groups[g].1 = dom.common(groups[g].1, x).unwrap_or(header),
                None => {
                    index.insert(j, groups.len());
                    groups.push((j, x));
                }
            }
        }
        for (j, d) in groups {
            match region(cfg, dom, &post, &succs, body, j, d) {
                Some(r) => out.push(r),
                None => without = true,
            }
        }
    }
    (out, without)
}

/// Finds the region from `d`, or a dominator of it, to `j`.
fn region(
    cfg: &Cfg,
    dom: &DomTree,
    post: &DomTree,
    succs: &Succs,
    body: &SecondaryMap<Block, bool>,
    j: Block,
    mut d: Block,
) -> Option<Region> {
    let mut between = reached(succs, d, j);
    while between[d] {
        d = dom.idom(d).filter(|d| body[*d])?;
        between = reached(succs, d, j);
    }
    let fine = d != j && dom.dominates(d, j) && post.dominates(j, d) && !reached(succs, j, d)[j];
    if !fine {
        return None;
    }
    let mut leaving = Vec::new();
    for &y in cfg.rpo.iter().filter(|y| **y == d || between[**y]) {
        for &z in &cfg.succs[y] {
            if z != j && !between[z] {
                leaving.push((y, z));
            }
        }
    }
    Some(Region { set: d, meet: j, leaving })
}

/// The blocks of the loop with this header.
fn body(cfg: &Cfg, dom: &DomTree, header: Block) -> SecondaryMap<Block, bool> {
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    inside[header] = true;
    let mut work: Vec<Block> = cfg.preds[header].iter().copied().filter(|p| dom.dominates(header, *p)).collect();
    while let Some(x) = work.pop() {
        if !std::mem::replace(&mut inside[x], true) {
            work.extend(cfg.preds[x].iter().copied().filter(|p| cfg.reachable(*p)));
        }
    }
    inside
}

/// Blocks reachable from the successors of `from` without passing `stop`.
fn reached(succs: &Succs, from: Block, stop: Block) -> SecondaryMap<Block, bool> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut work: Vec<Block> = succs[from].to_vec();
    while let Some(x) = work.pop() {
        if x != stop && !std::mem::replace(&mut seen[x], true) {
            work.extend(succs[x].iter().copied());
        }
    }
    seen
}
