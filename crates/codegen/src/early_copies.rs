//! Copies of the left matrix of a product of a warpgroup, whose registers two products want in
//! different places.
//!
//! Problem: a copy is in flight as its source is. Made before its product in a loop that leaves a
//! group in flight, it would be made again while the product of the last round reads it; the
//! registers of a copy without uses after the product would be given away too early (both is
//! done by ptxas: triton-lang/triton#11781). Strategy: a copy is kept until each wait that its
//! source is kept until, and is made where its source is, if that is outside of the loop.

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::Stop;
use raddle_sass::Isa;
use raddle_sass::row::File;

use crate::copies::copy;
use crate::mir::{MArg, MBlock, MFunction, MGuard, V};
use crate::products::is_product;

/// The copies of a function.
pub struct EarlyCopies {
    /// The only definition of a register: its block, or none if there are several or one that a copy
    /// cannot follow.
    origin: FxHashMap<V, Option<MBlock>>,
    often: SecondaryMap<MBlock, u64>,
    /// Copies to make after the definition of each source.
    after: FxHashMap<V, Vec<V>>,
    /// All copies of each source.
    all: FxHashMap<V, Vec<V>>,
}

impl EarlyCopies {
    /// Finds definitions, if the function has products. `often` says how often a block runs.
    pub fn new(f: &MFunction, often: SecondaryMap<MBlock, u64>) -> EarlyCopies {
        let mut origin: FxHashMap<V, Option<MBlock>> = FxHashMap::default();
        let insts = || f.layout.iter().flat_map(|&b| f.blocks[b].insts.iter().map(move |i| (b, i)));
        if insts().any(|(_, i)| is_product(i)) {
            for (b, i) in insts() {
                let plain = matches!(i.guard, MGuard::Always) && !is_product(i);
                i.for_each_def(|v| {
                    let several = origin.contains_key(&v);
                    origin.insert(v, if plain && !several { Some(b) } else { None });
                });
            }
        }
        EarlyCopies { origin, often, after: FxHashMap::default(), all: FxHashMap::default() }
    }

    /// Takes note of a copy for a product in block `at`. Returns whether the pass makes it.
    pub fn take(&mut self, from: V, to: V, file: File, at: MBlock) -> bool {
        if file != File::Gpr {
            return false;
        }
        self.all.entry(from).or_default().push(to);
        let origin = self.origin.get(&from).copied().flatten();
        let early = origin.is_some_and(|b| self.often[b] < self.often[at]);
        if early {
            self.after.entry(from).or_default().push(to);
        }
        early
    }

    /// Makes the copies, and keeps all of them as long as their sources.
    ///
    /// # Errors
    /// [`Stop::Internal`] if the table lacks a move.
    pub fn place(self, f: &mut MFunction, isa: Isa) -> Result<(), Stop> {
        if self.all.is_empty() {
            return Ok(());
        }
        for b in f.layout.clone() {
            let mut out = Vec::with_capacity(f.blocks[b].insts.len());
            for mut i in std::mem::take(&mut f.blocks[b].insts) {
                let more: Vec<V> = i.kept.iter().filter_map(|v| self.all.get(v)).flatten().copied().collect();
                i.kept.extend(more);
                let mut sources = Vec::new();
                i.for_each_def(|v| sources.push(v));
                let place = i.place;
                out.push(i);
                for from in sources {
                    for &to in self.after.get(&from).into_iter().flatten() {
                        out.push(copy(isa, File::Gpr, to, MArg::Reg(from), place)?);
                    }
                }
            }
            f.blocks[b].insts = out;
        }
        Ok(())
    }
}
