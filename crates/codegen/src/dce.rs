//! Removes machine instructions whose results nobody reads, in SSA form.
//!
//! Selection makes both halves of 64-bit values and every result of an instruction; what was not needed goes away here.

use raddle_entity::{EntityRef, FxHashMap};
use smallvec::SmallVec;

use crate::mir::{MArg, MBlock, MFunction, MGuard, MTerm, V};

/// Runs the pass.
pub fn run(f: &mut MFunction) {
    // Where a register is defined: an instruction, or a parameter (block, position).
    let mut inst_of: FxHashMap<V, (usize, usize)> = FxHashMap::default();
    let mut param_of: FxHashMap<V, (usize, usize)> = FxHashMap::default();
    let mut live = vec![false; f.vregs.len()];
    let mut work: Vec<V> = Vec::new();
    let layout = f.layout.clone();
    for (n, &b) in layout.iter().enumerate() {
        for (k, &p) in f.blocks[b].params.iter().enumerate() {
            param_of.insert(p, (n, k));
        }
        for (k, i) in f.blocks[b].insts.iter().enumerate() {
            i.for_each_def(|v| {
                inst_of.insert(v, (n, k));
            });
            if i.has_effect() {
                i.for_each_use(|v| work.push(v));
            }
        }
        if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = f.blocks[b].term {
            work.push(v);
        }
    }
    let preds = f.preds();
    while let Some(v) = work.pop() {
        if std::mem::replace(&mut live[v.index()], true) {
            continue;
        }
        if let Some(&(n, k)) = inst_of.get(&v) {
            f.blocks[layout[n]].insts[k].for_each_use(|u| work.push(u));
        } else if let Some(&(n, k)) = param_of.get(&v) {
            for &p in &preds[layout[n]] {
                for e in f.blocks[p].term.edges() {
                    if e.to == layout[n]
                        && let Some(MArg::Reg(a)) = e.args.get(k)
                    {
                        work.push(*a);
                    }
                }
            }
        }
    }
    for &b in &layout {
        let data = &mut f.blocks[b];
        data.insts.retain(|i| {
            let mut needed = i.has_effect();
            i.for_each_def(|v| needed |= live[v.index()]);
            needed
        });
        let keep: Vec<bool> = data.params.iter().map(|v| live[v.index()]).collect();
        if keep.iter().all(|k| *k) {
            continue;
        }
        let mut k = keep.iter();
        data.params.retain(|_| k.next().copied().unwrap_or(true));
        let mut done: SmallVec<[MBlock; 4]> = SmallVec::new();
        for &p in &preds[b] {
            // A branch both of whose edges come here is one predecessor twice.
            if done.contains(&p) {
                continue;
            }
            done.push(p);
            for e in f.blocks[p].term.edges_mut() {
                if e.to == b {
                    let mut k = keep.iter();
                    e.args.retain(|_| k.next().copied().unwrap_or(true));
                }
            }
        }
    }
}
