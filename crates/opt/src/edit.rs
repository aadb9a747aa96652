//! Shared tools of passes: renaming of values, the block of each instruction, use counts.

use raddle_entity::SecondaryMap;
use raddle_ir::{Block, Function, Inst, Value, ValueDef};

/// A map from replaced values to their replacements.
///
/// A pass records replacements while it walks and applies them once at the end; operands that it
/// reads in between go through [`Renames::get`]. Chains of replacements are followed and shortened.
#[derive(Default)]
pub struct Renames {
    to: SecondaryMap<Value, Option<Value>>,
    count: usize,
}

impl Renames {
    /// Replaces `old` by `new`; does nothing if they are the same value already.
    pub fn set(&mut self, old: Value, new: Value) {
        let (old, new) = (self.get(old), self.get(new));
        if old != new {
            self.to[old] = Some(new);
            self.count += 1;
        }
    }

    /// Returns the replacement of `v`, or `v`.
    pub fn get(&mut self, v: Value) -> Value {
        let mut last = v;
        while let Some(next) = self.to[last] {
            last = next;
        }
        let mut at = v;
        while let Some(next) = self.to[at].filter(|&next| next != last) {
            self.to[at] = Some(last);
            at = next;
        }
        last
    }

    /// Whether any value has been replaced.
    pub fn any(&self) -> bool {
        self.count > 0
    }

    /// Renames the operands of one instruction.
    pub fn inst(&mut self, f: &mut Function, i: Inst) {
        for v in &mut f.insts[i].args {
            *v = self.get(*v);
        }
    }

    /// Renames the uses of a block's terminator.
    pub fn term(&mut self, f: &mut Function, b: Block) {
        if let Some(term) = &mut f.blocks[b].term {
            term.map_uses(|v| self.get(v));
        }
    }

    /// Renames every use in the function.
    pub fn apply(&mut self, f: &mut Function) {
        if !self.any() {
            return;
        }
        for n in 0..f.layout.len() {
            let b = f.layout[n];
            for k in 0..f.blocks[b].insts.len() {
                self.inst(f, f.blocks[b].insts[k]);
            }
            self.term(f, b);
        }
    }
}

/// Returns the block of every instruction that is in one.
pub fn homes(f: &Function) -> SecondaryMap<Inst, Option<Block>> {
    let mut home = SecondaryMap::new();
    home.resize(f.insts.len());
    for &b in &f.layout {
        for &i in &f.blocks[b].insts {
            home[i] = Some(b);
        }
    }
    home
}

/// Returns the block that defines `v`; `None` if its instruction is in none.
pub fn def_block(f: &Function, home: &SecondaryMap<Inst, Option<Block>>, v: Value) -> Option<Block> {
    match f.values[v].def {
        ValueDef::Result(i, _) => home[i],
        ValueDef::Param(b, _) => Some(b),
    }
}

/// Returns the number of uses of each value, edges and conditions included.
pub fn use_counts(f: &Function) -> SecondaryMap<Value, u32> {
    let mut uses: SecondaryMap<Value, u32> = SecondaryMap::new();
    uses.resize(f.values.len());
    for &b in &f.layout {
        for &i in &f.blocks[b].insts {
            f.insts[i].args.iter().for_each(|&v| uses[v] += 1);
        }
        f.term(b).for_each_use(|v| uses[v] += 1);
    }
    uses
}

/// Removes the parameters of `b` for which `keep` is false from the block and from every edge to
/// it.
pub fn retain_params(f: &mut Function, preds: &[Block], b: Block, keep: &[bool]) {
    if keep.iter().all(|&k| k) {
        return;
    }
    for (v, _) in std::mem::take(&mut f.blocks[b].params).into_iter().zip(keep).filter(|(_, k)| **k) {
        f.values[v].def = ValueDef::Param(b, f.blocks[b].params.len() as u32);
        f.blocks[b].params.push(v);
    }
    let mut done = None;
    for &p in preds {
        // Both edges of one branch are adjacent in the list.
        if done.replace(p) == Some(p) {
            continue;
        }
        let Some(term) = &mut f.blocks[p].term else { continue };
        for t in term.targets_mut() {
            if t.block == b {
                let mut k = keep.iter();
                t.args.retain(|_| k.next().copied().unwrap_or(true));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_names_end_at_the_last() {
        let mut r = Renames::default();
        let v = Value::from_u32;
        r.set(v(1), v(2));
        r.set(v(2), v(3));
        r.set(v(3), v(1));
        assert_eq!((r.get(v(1)), r.get(v(2)), r.get(v(4))), (v(3), v(3), v(4)));
        assert!(r.any());
    }
}
