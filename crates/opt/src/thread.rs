//! Jumps over tests whose outcome is known where they come from.
//!
//! Problem: a flag that says why a loop ends, or which of two conditions failed, is set to a constant on one way and tested where the ways
//! meet, perhaps more than once; and behind a branch its condition may be tested again.
//!
//! Strategy: a branch on the condition of a branch that dominates it, by one of its edges alone, goes the known way. An edge that passes a constant
//! to a block of nothing but a test is followed through the tests that the constant decides.
//!
//! **Invariants.** An edge is only led to the place where all ways from the test meet again anyway (its immediate post-dominator), and only if it
//! can be reached without the tests that are passed over: lanes that were together there still are, so nothing convergent is seen by fewer (D4), and no
//! value of the tests is needed behind them. Headers of loops stay, so no loop gets a second entry. Every change computes dominators anew, within
//! [`BUDGET`].

use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::{Block, Cx, Function, Stop, Target, Terminator, Value, Width};
use smallvec::SmallVec;

use crate::eval::eval;

/// Instructions that a test may have.
const MAX_TEST: usize = 3;

/// Tests that one edge may pass over.
const MAX_HOPS: usize = 4;

/// Dominators that are asked for one condition.
const MAX_DEPTH: usize = 16;

/// Blocks that all rounds together may look at, in units of the function: rounds end when they have looked at more than this.
const BUDGET: usize = 200_000;

/// Rounds at most.
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

/// Branches whose condition a branch above has decided. No edge is led elsewhere, so all of them are done at once.
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

/// What a condition is known to be at the end of `b`, from the branches that lead there.
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

/// Leads one edge over the tests that it decides; false if there is none.
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

/// Is it a test of something that its predecessors pass, and no header of a loop?
fn is_entered_test(f: &Function, cfg: &Cfg, dom: &DomTree, b: Block) -> bool {
    !f.blocks[b].params.is_empty()
        && is_test(f, b)
        && cfg.preds[b].iter().all(|&p| !dom.dominates(b, p))
        && cfg.preds[b].iter().any(|&p| {
            f.term(p).targets().iter().any(|t| t.block == b && t.args.iter().any(|&v| f.constant(v).is_some()))
        })
}

/// Does a block only compute its branch?
fn is_test(f: &Function, b: Block) -> bool {
    matches!(f.term(b), Terminator::Branch { .. })
        && f.blocks[b].insts.len() <= MAX_TEST
        && f.blocks[b].insts.iter().all(|&i| f.insts[i].op.is_pure() && f.insts[i].results.len() == 1)
}

/// Where an edge to a test comes out at `meet`, and what it passes there.
fn follow(f: &Function, dom: &DomTree, edge: &Target, meet: Block) -> Option<Target> {
    let mut path: SmallVec<[Block; MAX_HOPS]> = SmallVec::new();
    // What parameters of the path are, and the constants that its instructions give.
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
        // What the tests compute is not there without them.
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
