//! Copies of loop bodies before the loop, for passes that unroll a loop to its end.
//!
//! A copy of a body before a loop changes nothing: blocks and edges are copied, no operation is
//! looked at. Where the number of iterations is known, the loop itself is then never reached.

use raddle_entity::FxHashMap;
use raddle_ir::loops::Loops;
use raddle_ir::{Block, Function, Terminator, Value};

use crate::side::Side;

/// A function in which as many iterations as given come before the loop of a header; `None` if a
/// value of the loop is used after it in a way that needs more than a parameter.
pub fn peeled(f: &Function, header: Block, times: usize) -> Option<Function> {
    let side = Side::of(f);
    let loops = Loops::of(&side.cfg, &side.dom);
    let inside: Vec<Block> = side.cfg.rpo.iter().copied().filter(|&b| loops.contains(header, b)).collect();
    if inside.is_empty() || inside.iter().any(|&b| matches!(f.term(b), Terminator::Switch { .. })) {
        return None;
    }
    let mut f = closed(&side, &inside)?;
    let outside: Vec<Block> = side.cfg.rpo.iter().copied().filter(|b| !inside.contains(b)).collect();
    // The last copy first: its header is where the one before it goes back to.
    let mut next = header;
    for _ in 0..times {
        next = copied(&mut f, &inside, header, next);
    }
    for b in outside {
        if let Some(term) = &mut f.blocks[b].term {
            term.targets_mut().into_iter().filter(|t| t.block == header).for_each(|t| t.block = next);
        }
    }
    raddle_ir::verify::verify(&f).ok().map(|()| f)
}

/// The function with a parameter at a loop's exit for each value of the loop that is used after it.
fn closed(side: &Side<'_>, inside: &[Block]) -> Option<Function> {
    let mut f = side.f.clone();
    let is_inside = |v: Value| side.home[v].is_some_and(|b| inside.contains(&b));
    let exits: Vec<Block> = {
        let targets = inside.iter().flat_map(|&b| side.cfg.succs[b].iter().copied());
        let mut exits: Vec<Block> = targets.filter(|b| !inside.contains(b)).collect();
        exits.sort_unstable();
        exits.dedup();
        exits
    };
    let mut through: FxHashMap<(Block, Value), Value> = FxHashMap::default();
    for &b in side.cfg.rpo.iter().filter(|b| !inside.contains(b)) {
        let exit = exits
            .iter()
            .copied()
            .find(|&e| side.dom.dominates(e, b) && side.cfg.preds[e].iter().all(|p| inside.contains(p)));
        let mut map = |f: &mut Function, v: Value| -> Option<Value> {
            if !is_inside(v) {
                return Some(v);
            }
            let exit = exit?;
            if let Some(&known) = through.get(&(exit, v)) {
                return Some(known);
            }
            let width = f.width(v);
            let param = f.add_param(exit, width);
            for &p in inside {
                if let Some(term) = &mut f.blocks[p].term {
                    term.targets_mut().into_iter().filter(|t| t.block == exit).for_each(|t| t.args.push(v));
                }
            }
            through.insert((exit, v), param);
            Some(param)
        };
        for n in 0..f.blocks[b].insts.len() {
            let i = f.blocks[b].insts[n];
            for k in 0..f.insts[i].args.len() {
                let v = f.insts[i].args[k];
                f.insts[i].args[k] = map(&mut f, v)?;
            }
        }
        let mut used = Vec::new();
        f.term(b).for_each_use(|v| used.push(v));
        let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
        for v in used {
            let to = map(&mut f, v)?;
            replaced.insert(v, to);
        }
        if let Some(term) = &mut f.blocks[b].term {
            term.map_uses(|v| replaced.get(&v).copied().unwrap_or(v));
        }
    }
    Some(f)
}

/// Copies the blocks of a loop; edges back to the header lead to `next`. Returns the copy of the
/// header.
fn copied(f: &mut Function, inside: &[Block], header: Block, next: Block) -> Block {
    let mut blocks: FxHashMap<Block, Block> = FxHashMap::default();
    let mut values: FxHashMap<Value, Value> = FxHashMap::default();
    for &b in inside {
        let copy = f.add_block();
        blocks.insert(b, copy);
        for v in f.blocks[b].params.clone() {
            let width = f.width(v);
            values.insert(v, f.add_param(copy, width));
        }
    }
    for &b in inside {
        for i in f.blocks[b].insts.clone() {
            let d = f.insts[i].clone();
            let args: Vec<Value> = d.args.iter().map(|v| values.get(v).copied().unwrap_or(*v)).collect();
            let widths: Vec<_> = d.results.iter().map(|&v| f.width(v)).collect();
            let new = f.append(blocks[&b], d.op, &args, &widths, d.place);
            let results = f.insts[new].results.clone();
            values.extend(d.results.iter().copied().zip(results));
        }
        let mut term = f.term(b).clone();
        term.map_uses(|v| values.get(&v).copied().unwrap_or(v));
        for target in term.targets_mut() {
            target.block = match target.block {
                b if b == header => next,
                b => blocks.get(&b).copied().unwrap_or(b),
            };
        }
        f.blocks[blocks[&b]].term = Some(term);
    }
    blocks[&header]
}
