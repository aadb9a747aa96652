//! Removes machine instructions whose results are unused, in SSA form.
//!
//! Selection creates both halves of 64-bit values and all results of an instruction; the unused
//! ones are removed here.

use raddle_entity::EntityRef;
use smallvec::SmallVec;

use crate::mir::{MArg, MBlock, MFunction, MGuard, MTerm, V};

/// Where a register is defined.
#[derive(Clone, Copy)]
enum Definition {
    /// Not defined.
    None,
    /// By an instruction: the block's index in the layout, and the position.
    Inst(u32, u32),
    /// As a parameter, likewise.
    Param(u32, u32),
}

/// Runs the pass.
pub fn run(f: &mut MFunction) {
    let mut home = vec![Definition::None; f.vregs.len()];
    let mut live = vec![false; f.vregs.len()];
    let mut work: Vec<V> = Vec::new();
    let layout = f.layout.clone();
    for (n, &b) in layout.iter().enumerate() {
        for (k, &p) in f.blocks[b].params.iter().enumerate() {
            home[p.index()] = Definition::Param(n as u32, k as u32);
        }
        for (k, i) in f.blocks[b].insts.iter().enumerate() {
            i.for_each_def(|v| home[v.index()] = Definition::Inst(n as u32, k as u32));
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
        match home[v.index()] {
            Definition::Inst(n, k) => f.blocks[layout[n as usize]].insts[k as usize].for_each_use(|u| work.push(u)),
            Definition::Param(n, k) => {
                let to = layout[n as usize];
                for &p in &preds[to] {
                    for e in f.blocks[p].term.edges() {
                        if e.to == to
                            && let Some(MArg::Reg(a)) = e.args.get(k as usize)
                        {
                            work.push(*a);
                        }
                    }
                }
            }
            Definition::None => {}
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
            // A branch with both edges to this block is its predecessor twice.
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
