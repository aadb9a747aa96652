//! Yields in loops that threads leave one by one.
//!
//! Problem: threads that left such a loop wait after it for the rest, and the rest may wait for
//! them: for a lock that one of them holds. Strategy: before an atomic operation whose result is
//! used there, a yield lets other threads of the warp run ("ptxas 13.0.88 output").

use raddle_entity::SecondaryMap;
use raddle_ir::cfg::Cfg;
use raddle_ir::dom::DomTree;
use raddle_ir::loops::Loops;
use raddle_ir::{Block, Stop};

use crate::abi::Make;
use crate::graph::m;
use crate::mir::{MArg, MBlock, MFunction, MInst, V};
use crate::sass;

/// Inserts the yields. `parts` says which blocks end with a divergent branch; `cfg` and `dom` may
/// be those before blocks were inserted on edges.
///
/// # Errors
/// [`Stop::Internal`] if the table lacks the instruction.
pub fn insert(
    f: &mut MFunction,
    cfg: &Cfg,
    dom: &DomTree,
    parts: &SecondaryMap<Block, bool>,
    make: Make<'_>,
) -> Result<(), Stop> {
    if !f.layout.iter().any(|&x| f.blocks[x].insts.iter().any(|i| i.row().effects.atomic)) {
        return Ok(());
    }
    let waiting = left_one_by_one(cfg, dom, parts);
    if waiting.is_empty() {
        return Ok(());
    }
    let read = read_values(f);
    for x in waiting {
        let yields = make(sass::yield_(), &[], f.blocks[x].place)?;
        let waits = |i: &MInst| {
            let mut result = false;
            i.for_each_def(|v| result |= read[v]);
            i.row().effects.atomic && result
        };
        let insts = std::mem::take(&mut f.blocks[x].insts);
        let before = |i: MInst| if waits(&i) { [Some(yields.clone()), Some(i)] } else { [None, Some(i)] };
        f.blocks[x].insts = insts.into_iter().flat_map(before).flatten().collect();
    }
    Ok(())
}

/// The blocks of loops that threads leave one by one, and of loops within them.
fn left_one_by_one(cfg: &Cfg, dom: &DomTree, parts: &SecondaryMap<Block, bool>) -> Vec<MBlock> {
    let loops = Loops::of(cfg, dom);
    let mut one_by_one: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &x in cfg.rpo.iter().filter(|x| parts[**x]) {
        let mut at = loops.innermost[x];
        while let Some(h) = at.filter(|h| cfg.succs[x].iter().any(|s| !loops.contains(*h, *s))) {
            one_by_one[h] = true;
            at = loops.parent[h];
        }
    }
    let waits = |x: &Block| {
        let mut around = std::iter::successors(loops.innermost[*x], |h| loops.parent[*h]);
        around.any(|h| one_by_one[h])
    };
    cfg.rpo.iter().copied().filter(waits).map(m).collect()
}

/// The values that an instruction reads, or that are passed to a block.
fn read_values(f: &MFunction) -> SecondaryMap<V, bool> {
    let mut read: SecondaryMap<V, bool> = SecondaryMap::new();
    for &x in &f.layout {
        f.blocks[x].insts.iter().for_each(|i| i.for_each_use(|v| read[v] = true));
        let args = f.blocks[x].term.edges().into_iter().flat_map(|e| &e.args);
        args.for_each(|a| {
            if let MArg::Reg(v) = a {
                read[*v] = true;
            }
        });
    }
    read
}
