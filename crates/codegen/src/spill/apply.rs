//! Applies a spill plan: inserts reloads where [`belady`](super::belady) planned them, and stores
//! where a reload can be reached.
//!
//! Invariant: a home is up to date wherever it is reloaded from. A reload on an edge is placed at
//! the end of its source, at the start of its target, or in a new block, in that order of
//! preference.

use raddle_entity::{EntityRef, SecondaryMap};
use raddle_ir::Stop;

use super::Traffic;
use super::plan::Plan;
use crate::destruct::split;
use crate::mir::{MBlock, MFunction, MInst, MTerm, V};

/// The definitions after which homes are stored, by block: index of the instruction, and register.
pub type Stores = SecondaryMap<MBlock, Vec<(usize, V)>>;

/// Applies a plan, with its [`stores`].
///
/// # Errors
/// [`Stop::Internal`] if the table lacks an instruction.
pub fn apply(f: &mut MFunction, plan: &Plan, stores: &Stores, traffic: &Traffic<'_>) -> Result<(), Stop> {
    let preds = f.preds();
    let mut at_end: SecondaryMap<MBlock, Vec<MInst>> = SecondaryMap::new();
    let mut at_start: SecondaryMap<MBlock, Vec<MInst>> = SecondaryMap::new();
    let mut via: SecondaryMap<MBlock, Vec<MBlock>> = SecondaryMap::new();
    for (x, n, to, what) in &plan.edges {
        let place = f.blocks[*x].place;
        let code: Result<Vec<MInst>, Stop> = what.iter().map(|&v| traffic.fetch(f, v, v, place)).collect();
        let switch = matches!(f.blocks[*x].term, MTerm::Switch(_));
        if f.blocks[*x].term.successors().len() == 1 && !switch {
            at_end[*x].extend(code?);
        } else if preds[*to].len() == 1 {
            at_start[*to].extend(code?);
        } else {
            // All table entries with this target use the new block of the first one.
            let new = split(f, *x, *n, *to, code?);
            if switch {
                f.blocks[*x].term.retarget(*to, new);
            }
            via[*x].push(new);
        }
    }
    let mut layout = Vec::with_capacity(f.layout.len());
    for x in f.layout.clone() {
        layout.push(x);
        layout.append(&mut via[x]);
        let insts = std::mem::take(&mut f.blocks[x].insts);
        let end = insts.len();
        let place = f.blocks[x].place;
        let mut out = std::mem::take(&mut at_start[x]);
        out.reserve(end + plan.fetches[x].len());
        let mut fetches = plan.fetches[x].iter().peekable();
        let mut keep = stores[x].iter().peekable();
        for (n, i) in insts.into_iter().enumerate() {
            let place = i.place;
            while let Some(&(_, v)) = fetches.next_if(|l| l.0 == n) {
                out.push(traffic.fetch(f, v, v, place)?);
            }
            out.push(i);
            while let Some(&(_, v)) = keep.next_if(|l| l.0 == n) {
                out.extend(traffic.store(f, v, v, place)?);
            }
        }
        for &(_, v) in fetches {
            out.push(traffic.fetch(f, v, v, place)?);
        }
        out.append(&mut at_end[x]);
        f.blocks[x].insts = out;
    }
    f.layout = layout;
    Ok(())
}

/// The definitions after which homes are stored: those from which a reload can be reached before
/// the next one.
pub fn stores(f: &MFunction, plan: &Plan) -> Stores {
    let mut index: SecondaryMap<V, Option<u32>> = SecondaryMap::new();
    plan.away.iter().enumerate().for_each(|(n, &v)| index[v] = Some(n as u32));
    let words = plan.away.len().div_ceil(64);
    let mut on_edges: SecondaryMap<MBlock, Vec<(MBlock, usize)>> = SecondaryMap::new();
    for (n, e) in plan.edges.iter().enumerate() {
        on_edges[e.0].push((e.2, n));
    }
    let mut out = Stores::new();
    let mut live_in: SecondaryMap<MBlock, Vec<u64>> = SecondaryMap::new();
    f.layout.iter().for_each(|&x| live_in[x] = vec![0; words]);
    let set = |bits: &mut [u64], n: u32, on: bool| {
        let bit = 1u64 << (n % 64);
        let word = &mut bits[n as usize / 64];
        *word = if on { *word | bit } else { *word & !bit };
    };
    let walk = |x: MBlock, live_in: &SecondaryMap<MBlock, Vec<u64>>, mut found: Option<&mut Vec<(usize, V)>>| {
        let mut live = vec![0u64; words];
        for s in f.blocks[x].term.successors() {
            live.iter_mut().zip(&live_in[s]).for_each(|(a, b)| *a |= b);
        }
        for &(_, n) in &on_edges[x] {
            plan.edges[n].3.iter().filter_map(|&v| index[v]).for_each(|n| set(&mut live, n, true));
        }
        let mut fetches = plan.fetches[x].iter().rev().peekable();
        let data = &f.blocks[x];
        let mut fetched = |live: &mut Vec<u64>, at: usize| {
            while let Some(&(_, v)) = fetches.next_if(|l| l.0 == at) {
                index[v].iter().for_each(|&n| set(live, n, true));
            }
        };
        fetched(&mut live, data.insts.len());
        for (n, i) in data.insts.iter().enumerate().rev() {
            i.for_each_def(|v| {
                let Some(k) = index[v] else { return };
                if live[k as usize / 64] >> (k % 64) & 1 == 1 {
                    if let Some(found) = &mut found {
                        found.push((n, v));
                    }
                    set(&mut live, k, false);
                }
            });
            fetched(&mut live, n);
        }
        live
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &x in f.layout.iter().rev() {
            let live = walk(x, &live_in, None);
            changed |= live != live_in[x];
            live_in[x] = live;
        }
    }
    for &x in &f.layout {
        let mut found = Vec::new();
        walk(x, &live_in, Some(&mut found));
        found.reverse();
        out[x] = found;
    }
    debug_assert!(plan.away.iter().all(|v| v.index() < f.vregs.len()));
    out
}
