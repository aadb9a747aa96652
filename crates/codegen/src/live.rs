//! Live ranges of virtual registers over a linear numbering of instructions.
//!
//! Instruction n reads at point 2n and writes at 2n+1; a block's terminator has a number too. A range is half open. Ranges have
//! holes: a register is free between its last use on every path and its next definition.

use raddle_entity::{EntityRef, SecondaryMap};

use crate::mir::{MBlock, MFunction, MGuard, MTerm, V};

/// Live ranges, sorted and disjoint, per virtual register.
#[derive(Clone, Debug, Default)]
pub struct Ranges(pub SecondaryMap<V, Vec<(u32, u32)>>);

impl Ranges {
    /// The first point at which the register is live.
    pub fn start(&self, v: V) -> u32 {
        self.0[v].first().map_or(u32::MAX, |r| r.0)
    }
}

/// Do two sorted lists of ranges meet?
pub fn overlap(a: &[(u32, u32)], b: &[(u32, u32)]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].1 <= b[j].0 {
            i += 1;
        } else if b[j].1 <= a[i].0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}

/// A set of virtual registers as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(n: usize) -> Self {
        Bits(vec![0; n.div_ceil(64)])
    }
    fn insert(&mut self, v: V) {
        self.0[v.index() / 64] |= 1 << (v.index() % 64);
    }
    fn remove(&mut self, v: V) {
        self.0[v.index() / 64] &= !(1 << (v.index() % 64));
    }
    fn contains(&self, v: V) -> bool {
        self.0[v.index() / 64] >> (v.index() % 64) & 1 == 1
    }
    /// Adds what `b` has and `not` has not; true if anything was new.
    fn add_without(&mut self, b: &Bits, not: &Bits) -> bool {
        let mut changed = false;
        for ((x, y), n) in self.0.iter_mut().zip(&b.0).zip(&not.0) {
            let new = *x | (y & !n);
            changed |= new != *x;
            *x = new;
        }
        changed
    }
    fn add(&mut self, b: &Bits) {
        for (x, y) in self.0.iter_mut().zip(&b.0) {
            *x |= y;
        }
    }
    fn iter(&self) -> impl Iterator<Item = V> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(w, &bits)| (0..64).filter(move |b| bits >> b & 1 == 1).map(move |b| V::new(w * 64 + b)))
    }
}

/// Computes the live ranges of every virtual register (SSA form has been left).
pub fn ranges(f: &MFunction) -> Ranges {
    let n = f.vregs.len();
    let mut live_in: SecondaryMap<MBlock, Option<Bits>> = SecondaryMap::new();
    let mut defs: SecondaryMap<MBlock, Option<Bits>> = SecondaryMap::new();
    for &b in &f.layout {
        let (mut used, mut defined) = (Bits::new(n), Bits::new(n));
        for i in &f.blocks[b].insts {
            i.for_each_use(|v| {
                if !defined.contains(v) {
                    used.insert(v);
                }
            });
            i.for_each_def(|v| defined.insert(v));
        }
        if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = f.blocks[b].term
            && !defined.contains(v)
        {
            used.insert(v);
        }
        live_in[b] = Some(used);
        defs[b] = Some(defined);
    }
    let empty = Bits::new(n);
    let live_out = |b: MBlock, live_in: &SecondaryMap<MBlock, Option<Bits>>| {
        let mut out = Bits::new(n);
        for s in f.blocks[b].term.successors() {
            out.add(live_in[s].as_ref().unwrap_or(&empty));
        }
        out
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &b in f.layout.iter().rev() {
            let out = live_out(b, &live_in);
            if let (Some(x), Some(d)) = (&mut live_in[b], &defs[b]) {
                changed |= x.add_without(&out, d);
            }
        }
    }
    // Walk each block backwards.
    let mut ranges = Ranges::default();
    let mut number: u32 = f.layout.iter().map(|&b| f.blocks[b].insts.len() as u32 + 1).sum();
    let mut end_of: SecondaryMap<V, u32> = SecondaryMap::with_default(0);
    for &b in f.layout.iter().rev() {
        let data = &f.blocks[b];
        let mut live = live_out(b, &live_in);
        let end = 2 * number;
        for v in live.iter() {
            end_of[v] = end;
        }
        number -= 1;
        if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = data.term
            && !live.contains(v)
        {
            live.insert(v);
            end_of[v] = 2 * number + 1;
        }
        for i in data.insts.iter().rev() {
            number -= 1;
            let at = 2 * number;
            i.for_each_def(|v| {
                // A result that nobody reads still takes its register for an instant.
                let end = if live.contains(v) { end_of[v] } else { at + 2 };
                push(&mut ranges.0[v], (at + 1, end));
                live.remove(v);
            });
            i.for_each_use(|v| {
                if !live.contains(v) {
                    live.insert(v);
                    end_of[v] = at + 1;
                }
            });
        }
        let begin = 2 * number;
        for v in live.iter() {
            push(&mut ranges.0[v], (begin, end_of[v]));
        }
    }
    for v in f.vregs.keys() {
        ranges.0[v].reverse();
    }
    ranges
}

/// Adds a range in front (ranges come from the back to the front, so the list is in reverse).
fn push(list: &mut Vec<(u32, u32)>, r: (u32, u32)) {
    match list.last_mut() {
        Some(last) if last.0 <= r.1 => last.0 = last.0.min(r.0),
        _ => list.push(r),
    }
}
