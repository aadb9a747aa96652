//! Liveness: the values that are live at the beginning and the end of each block.
//!
//! Strategy: for each use, walk backwards from the block to the definition, marking; linear in the
//! size of the result (Boissinot et al., "Computing Liveness Sets for SSA-Form Programs", 2011, the
//! path-exploration variant). A parameter is defined by its block; a value passed on an edge is
//! used at the end of the edge's source.

use raddle_entity::{EntitySet, SecondaryMap};

use crate::cfg::Cfg;
use crate::func::{Block, Function, Inst, Value, ValueDef};

/// Live values at block boundaries.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// At the beginning of the block, parameters not included.
    pub live_in: SecondaryMap<Block, EntitySet<Value>>,
    /// At the end of the block, after its edges have taken their values.
    pub live_out: SecondaryMap<Block, EntitySet<Value>>,
}

impl Liveness {
    /// Computes the liveness of a function in SSA form.
    pub fn of(f: &Function, cfg: &Cfg) -> Self {
        let mut home: SecondaryMap<Inst, Option<Block>> = SecondaryMap::new();
        home.resize(f.insts.len());
        for &b in &cfg.rpo {
            for &i in &f.blocks[b].insts {
                home[i] = Some(b);
            }
        }
        let mut live = Self { live_in: SecondaryMap::new(), live_out: SecondaryMap::new() };
        let def_block = |v: Value| match f.values[v].def {
            ValueDef::Result(i, _) => home[i],
            ValueDef::Param(b, _) => Some(b),
        };
        let mut work: Vec<Block> = Vec::new();
        for &b in &cfg.rpo {
            let mut used = |v: Value| {
                let def = def_block(v);
                if def == Some(b) {
                    return;
                }
                work.push(b);
                while let Some(b) = work.pop() {
                    if def == Some(b) || !live.live_in[b].insert(v) {
                        continue;
                    }
                    for &p in &cfg.preds[b] {
                        live.live_out[p].insert(v);
                        work.push(p);
                    }
                }
            };
            for &i in &f.blocks[b].insts {
                f.insts[i].args.iter().for_each(|&v| used(v));
            }
            f.term(b).for_each_use(&mut used);
        }
        live
    }
}
