//! Computes the stack size of a kernel: its frame and the deepest chain of calls below it.

use std::collections::BTreeMap;

use raddle_cubin::unit::RelocKind;

use super::super::resolve::{Body, DefId, Program};
use super::layout::KernelLayout;

/// The bytes of stack of a kernel. A cycle of calls counts once, since its depth is unknown (ptxas
/// warns and does the same).
pub(super) fn size(program: &Program<'_>, kernel: &KernelLayout) -> u32 {
    let functions: Vec<DefId> = std::iter::once(kernel.def).chain(kernel.callees.iter().copied()).collect();
    let numbers: BTreeMap<DefId, usize> = functions.iter().enumerate().map(|(i, &id)| (id, i)).collect();
    let mut own = Vec::with_capacity(functions.len());
    let mut calls: Vec<Vec<usize>> = Vec::with_capacity(functions.len());
    for &id in &functions {
        let def = program.def(id);
        let Body::Function(f) = def.body else { return 0 };
        if id == kernel.def
            && let Some(size) = f.stack_size
        {
            return size;
        }
        let parts = f.parts.iter().map(|p| p.frame_size).max().unwrap_or(0);
        own.push(f.stack_size.unwrap_or(f.frame_size.saturating_add(parts)));
        let called = f.relocations.iter().filter(|r| matches!(r.kind, RelocKind::CallRel | RelocKind::CallAbs));
        let called = called.filter_map(|r| program.lookup(def.unit, r.symbol));
        let mut called: Vec<usize> = called.filter_map(|id| numbers.get(&id).copied()).collect();
        called.sort_unstable();
        called.dedup();
        calls.push(called);
    }
    deepest(&own, &calls)
}

/// The heaviest path from node 0, without edges back into the path. Depth-first search with an
/// explicit stack.
fn deepest(own: &[u32], calls: &[Vec<usize>]) -> u32 {
    const OPEN: u32 = u32::MAX;
    let mut done: Vec<Option<u32>> = vec![None; own.len()];
    let mut path = vec![(0, 0)];
    done[0] = Some(OPEN);
    while let Some(&mut (node, ref mut next)) = path.last_mut() {
        if let Some(&callee) = calls[node].get(*next) {
            *next += 1;
            if done[callee].is_none() {
                done[callee] = Some(OPEN);
                path.push((callee, 0));
            }
            continue;
        }
        let below = calls[node].iter().filter_map(|&c| done[c].filter(|&d| d != OPEN)).max().unwrap_or(0);
        done[node] = Some(own[node].saturating_add(below).min(OPEN - 1));
        path.pop();
    }
    done[0].unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::deepest;

    #[test]
    fn the_heaviest_chain_counts_and_cycles_end() {
        // 0 -> 1 -> 3, 0 -> 2, 3 -> 1 (a cycle).
        let calls = [vec![1, 2], vec![3], vec![], vec![1]];
        assert_eq!(deepest(&[16, 8, 100, 4], &calls), 116);
        assert_eq!(deepest(&[16, 8, 2, 4], &calls), 28);
    }
}
