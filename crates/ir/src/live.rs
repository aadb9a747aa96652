//! Liveness: the values that are live at the beginning and the end of each block.
//!
//! Strategy: for each use, walk backwards from the block to the definition, marking; linear in the
//! size of the result (Boissinot et al., "Computing Liveness Sets for SSA-Form Programs", 2011, the
//! path-exploration variant). A parameter is defined by its block; a value passed on an edge is
//! used at the end of the edge's source. Bit sets hold only the values that are live into some
//! block, so most temporaries cost nothing.

use raddle_entity::SecondaryMap;

use crate::cfg::Cfg;
use crate::func::{Block, Function, Inst, Value, ValueDef};

/// Live values at block boundaries.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Values that are live into some block.
    values: Vec<Value>,
    /// Those at the beginning of each block, its parameters not included, by their place in `values`.
    live_in: SecondaryMap<Block, Vec<u64>>,
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
        let def_block = |v: Value| match f.values[v].def {
            ValueDef::Result(i, _) => home[i],
            ValueDef::Param(b, _) => Some(b),
        };
        // Uses outside of the block of the definition, by block.
        let mut number: SecondaryMap<Value, Option<u32>> = SecondaryMap::new();
        number.resize(f.values.len());
        let mut values: Vec<Value> = Vec::new();
        let mut uses: Vec<(Block, u32)> = Vec::new();
        for &b in &cfg.rpo {
            let mut used = |v: Value| {
                if def_block(v) != Some(b) {
                    let n = *number[v].get_or_insert_with(|| {
                        values.push(v);
                        values.len() as u32 - 1
                    });
                    uses.push((b, n));
                }
            };
            for &i in &f.blocks[b].insts {
                f.insts[i].args.iter().for_each(|&v| used(v));
            }
            f.term(b).for_each_use(&mut used);
        }
        let mut live_in: SecondaryMap<Block, Vec<u64>> = SecondaryMap::new();
        live_in.resize(f.blocks.len());
        cfg.rpo.iter().for_each(|&b| live_in[b] = vec![0; values.len().div_ceil(64)]);
        let mut work: Vec<Block> = Vec::new();
        for (b, n) in uses {
            let def = def_block(values[n as usize]);
            work.push(b);
            while let Some(b) = work.pop() {
                let (word, bit) = (n as usize / 64, 1 << (n % 64));
                if def != Some(b) && live_in[b][word] & bit == 0 {
                    live_in[b][word] |= bit;
                    work.extend(&cfg.preds[b]);
                }
            }
        }
        Self { values, live_in }
    }

    /// Returns the values live at the beginning of a block, without its parameters.
    pub fn live_in(&self, b: Block) -> impl Iterator<Item = Value> + '_ {
        self.members(move |word| self.live_in[b][word], self.live_in[b].len())
    }

    /// Returns the values live at the end of a block, after its edges have taken theirs.
    pub fn live_out<'a>(&'a self, cfg: &'a Cfg, b: Block) -> impl Iterator<Item = Value> + 'a {
        let succs = &cfg.succs[b];
        let words = succs.first().map_or(0, |s| self.live_in[*s].len());
        self.members(move |word| succs.iter().fold(0, |bits, &s| bits | self.live_in[s][word]), words)
    }

    /// Returns the values of a set of `words` words.
    fn members<'a>(&'a self, set: impl Fn(usize) -> u64 + 'a, words: usize) -> impl Iterator<Item = Value> + 'a {
        (0..words).flat_map(move |word| {
            let mut bits = set(word);
            std::iter::from_fn(move || {
                let n = (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(self.values[n])
            })
        })
    }
}
