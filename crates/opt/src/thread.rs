//! Jump threading: skips tests whose outcome is known on an edge.
//!
//! Problem: a flag that says why a loop ends, or which of two conditions failed, is set to a
//! constant on one path and tested where paths meet, perhaps more than once; and a condition may be
//! tested again after a branch on it.
//!
//! Strategy: a branch on the condition of a branch that dominates it through one edge alone becomes
//! a jump. An edge that passes a constant to a block of nothing but a test is redirected past the
//! tests that the constant decides.
//!
//! **Invariants.** An edge is only redirected to the immediate post-dominator of the test, where
//! all paths from it meet anyway, and only if that can be reached without the skipped tests. Lanes
//! that were together stay together, so no convergent operation runs with fewer (D4), and no value
//! of the tests is needed after them. Loop headers are not skipped, so no loop gets a second entry.
//! Every change recomputes dominators, within [`BUDGET`].

use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cx, Function, Stop, Target, Terminator, Value, Width};
use smallvec::SmallVec;

use crate::eval::eval;

/// Most instructions of a test.
const MAX_TEST: usize = 3;

/// Most tests that one edge may skip.
const MAX_HOPS: usize = 4;

/// Most dominators that are visited for one condition.
const MAX_DEPTH: usize = 16;

/// Work limit of all rounds together, in blocks visited.
const BUDGET: usize = 200_000;

/// Most rounds.
const ROUNDS: usize = 32;

/// Runs the pass.
///
/// # Errors
/// [`Stop::Fuel`], [`Stop::Cancelled`].
pub fn run(cx: &Cx<'_>, f: &mut Function) -> Result<(), Stop> {
    let mut looked = 0;
    for _ in 0..ROUNDS {
        cx.step(f.layout.len() as u64)?;
        looked += f.layout.len();
        let cfg = Cfg::of(f);
        let dom = DomTree::dominators(&cfg);
        let changed = known_again(f, &cfg, &dom) || lead_on(f, &cfg, &dom);
        if !changed || looked > BUDGET {
            break;
        }
    }
    Ok(())
}

/// Replaces branches whose condition a dominating branch has decided. No edge is redirected, so all
/// of them are done at once.
fn known_again(f: &mut Function, cfg: &Cfg, dom: &DomTree) -> bool {
    let mut changed = false;
    for &b in &cfg.rpo {
        let Terminator::Branch { cond, then, other, .. } = f.term(b) else { continue };
        let Some(holds) = decided(f, cfg, dom, b, *cond) else { continue };
        let to = if holds { then.clone() } else { other.clone() };
        f.blocks[b].term = Some(Terminator::Jump(to));
        changed = true;
    }
    changed
}

/// The value of a condition at the end of `b`, if the branches that dominate it decide it.
fn decided(f: &Function, cfg: &Cfg, dom: &DomTree, b: Block, cond: Value) -> Option<bool> {
    let mut at = b;
    for _ in 0..MAX_DEPTH {
        let above = dom.idom(at)?;
        if let [p] = cfg.preds[at][..]
            && let Terminator::Branch { cond: c, then, other, .. } = f.term(p)
            && *c == cond
            && then.block != other.block
        {
            return Some(then.block == at);
        }
        at = above;
    }
    None
}

/// Redirects one edge past the tests that it decides; returns false if there is none.
fn lead_on(f: &mut Function, cfg: &Cfg, dom: &DomTree) -> bool {
    let tests: Vec<Block> = cfg.rpo.iter().copied().filter(|&b| is_entered_test(f, cfg, dom, b)).collect();
    if tests.is_empty() {
        return false;
    }
    let post = DomTree::post_dominators(cfg, &cfg.succs);
    for b in tests {
        let Some(meet) = post.idom(b) else { continue };
        for &p in &cfg.preds[b] {
            let edges: SmallVec<[Target; 2]> =
                f.term(p).targets().into_iter().filter(|t| t.block == b).cloned().collect();
            for edge in edges {
                let Some(to) = follow(f, dom, &edge, meet) else { continue };
                let Some(term) = &mut f.blocks[p].term else { continue };
                term.targets_mut().into_iter().filter(|t| **t == edge).for_each(|t| *t = to.clone());
                return true;
            }
        }
    }
    false
}

/// Whether it is a test of a constant passed by a predecessor, and no loop header.
fn is_entered_test(f: &Function, cfg: &Cfg, dom: &DomTree, b: Block) -> bool {
    !f.blocks[b].params.is_empty()
        && is_test(f, b)
        && cfg.preds[b].iter().all(|&p| !dom.dominates(b, p))
        && cfg.preds[b].iter().any(|&p| {
            f.term(p).targets().iter().any(|t| t.block == b && t.args.iter().any(|&v| f.constant(v).is_some()))
        })
}

/// Whether a block only computes its branch.
fn is_test(f: &Function, b: Block) -> bool {
    matches!(f.term(b), Terminator::Branch { .. })
        && f.blocks[b].insts.len() <= MAX_TEST
        && f.blocks[b].insts.iter().all(|&i| f.insts[i].op.is_pure() && f.insts[i].results.len() == 1)
}

/// The target at `meet` of an edge to a test, with the values it passes there.
fn follow(f: &Function, dom: &DomTree, edge: &Target, meet: Block) -> Option<Target> {
    let mut path: SmallVec<[Block; MAX_HOPS]> = SmallVec::new();
    // The parameters of the blocks on the path, and their instructions with constant results.
    let mut passed: SmallVec<[(Value, Value); 8]> = SmallVec::new();
    let mut known: SmallVec<[(Value, u64); 8]> = SmallVec::new();
    let mut at = edge.clone();
    while path.len() < MAX_HOPS && !path.contains(&at.block) && is_test(f, at.block) {
        let b = at.block;
        path.push(b);
        passed.extend(f.blocks[b].params.iter().copied().zip(at.args.iter().copied()));
        let outer = |v: Value| passed.iter().find(|x| x.0 == v).map_or(v, |x| x.1);
        for &i in &f.blocks[b].insts {
            let d = &f.insts[i];
            let bits = |&v: &Value| known.iter().find(|x| x.0 == v).map(|x| x.1).or_else(|| f.constant(outer(v)));
            let args: Option<SmallVec<[u64; 4]>> = d.args.iter().map(bits).collect();
            let (Some(args), Some(&first)) = (args, d.args.first()) else { continue };
            let (from, to) = (f.width(first), f.width(d.results[0]));
            if let Some(bits) = eval(&d.op, &args, from, to).filter(|_| from <= Width::B64) {
                known.push((d.results[0], bits));
            }
        }
        let Terminator::Branch { cond, then, other, .. } = f.term(b) else { return None };
        let bits = known.iter().find(|x| x.0 == *cond).map(|x| x.1).or_else(|| f.constant(outer(*cond)))?;
        let next = if bits != 0 { then } else { other };
        // Results of the skipped tests are not available after them.
        let inside =
            |v: Value| path.iter().any(|&b| f.blocks[b].insts.iter().any(|&i| f.insts[i].results.contains(&v)));
        if next.args.iter().any(|&v| inside(v)) {
            return None;
        }
        at = Target { block: next.block, args: next.args.iter().map(|&v| outer(v)).collect() };
        if at.block == meet {
            return path.iter().all(|&b| !dom.dominates(b, meet)).then_some(at);
        }
    }
    None
}
