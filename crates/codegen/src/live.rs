//! Live ranges of virtual registers over a linear numbering of instructions.
//!
//! Instruction n reads at point 2n and writes at 2n+1; a block's terminator has a number too. A range is half open. Ranges have
//! holes: a register is free between its last use on every path and its next definition.
//!
//! Works in SSA form (parameters are written where their block begins, arguments read by the terminator) and outside of it. Sets
//! of bits hold only the registers that are live into some block, so most temporaries cost nothing.

use raddle_entity::{EntityRef, SecondaryMap};

use crate::mir::{MArg, MBlock, MFunction, MGuard, MTerm, V};

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

/// A set of small numbers as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(n: usize) -> Self {
        Bits(vec![0; n.div_ceil(64)])
    }
    fn insert(&mut self, n: u32) {
        self.0[n as usize / 64] |= 1 << (n % 64);
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
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(w, &bits)| (0..64).filter(move |b| bits >> b & 1 == 1).map(move |b| w * 64 + b))
    }
}

/// Registers that are live into blocks.
pub struct Liveness {
    /// Registers that are live into some block; the others live within one.
    globals: Vec<V>,
    live_in: SecondaryMap<MBlock, Bits>,
}

/// Calls `f` on every register that the end of a block reads.
pub fn for_each_end_use(term: &MTerm, mut f: impl FnMut(V)) {
    if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = term {
        f(*v);
    }
    for e in term.edges() {
        for a in &e.args {
            if let MArg::Reg(v) = *a {
                f(v);
            }
        }
    }
}

impl Liveness {
    /// Of a function.
    pub fn of(f: &MFunction) -> Self {
        const NONE: u32 = u32::MAX;
        let mut index: SecondaryMap<V, u32> = SecondaryMap::with_default(NONE);
        let mut globals = Vec::new();
        // The block that wrote a register last, so far.
        let mut written: SecondaryMap<V, u32> = SecondaryMap::with_default(NONE);
        let mut used: SecondaryMap<MBlock, Vec<u32>> = SecondaryMap::new();
        for &b in &f.layout {
            let data = &f.blocks[b];
            let exposed = &mut used[b];
            let mut read = |v: V, written: &SecondaryMap<V, u32>| {
                if written[v] != b.index() as u32 {
                    if index[v] == NONE {
                        index[v] = globals.len() as u32;
                        globals.push(v);
                    }
                    exposed.push(index[v]);
                }
            };
            data.params.iter().for_each(|&v| written[v] = b.index() as u32);
            for i in &data.insts {
                i.for_each_use(|v| read(v, &written));
                i.for_each_def(|v| written[v] = b.index() as u32);
            }
            for_each_end_use(&data.term, |v| read(v, &written));
        }
        let mut live_in: SecondaryMap<MBlock, Bits> = SecondaryMap::new();
        let mut defs: SecondaryMap<MBlock, Bits> = SecondaryMap::new();
        for &b in &f.layout {
            let (mut up, mut def) = (Bits::new(globals.len()), Bits::new(globals.len()));
            used[b].iter().for_each(|&n| up.insert(n));
            let mut write = |v: V| {
                if index[v] != NONE {
                    def.insert(index[v]);
                }
            };
            f.blocks[b].params.iter().for_each(|&v| write(v));
            f.blocks[b].insts.iter().for_each(|i| i.for_each_def(&mut write));
            live_in[b] = up;
            defs[b] = def;
        }
        let mut live = Liveness { globals, live_in };
        let mut changed = true;
        while changed {
            changed = false;
            for &b in f.layout.iter().rev() {
                let out = live.out(f, b);
                changed |= live.live_in[b].add_without(&out, &defs[b]);
            }
        }
        live
    }

    fn out(&self, f: &MFunction, b: MBlock) -> Bits {
        let mut out = Bits::new(self.globals.len());
        for s in f.blocks[b].term.successors() {
            out.add(&self.live_in[s]);
        }
        out
    }

    /// Registers live into a block, beside its parameters.
    pub fn live_in(&self, b: MBlock) -> impl Iterator<Item = V> + '_ {
        self.live_in[b].iter().map(|n| self.globals[n])
    }

    /// Registers live out of a block into any of those behind it.
    pub fn live_out(&self, f: &MFunction, b: MBlock) -> Vec<V> {
        self.out(f, b).iter().map(|n| self.globals[n]).collect()
    }
}

/// Computes the live ranges of every virtual register.
pub fn ranges(f: &MFunction) -> Ranges {
    const DEAD: u32 = u32::MAX;
    let live = Liveness::of(f);
    // Walk each block backwards.
    let mut ranges = Ranges::default();
    let mut number: u32 = f.layout.iter().map(|&b| f.blocks[b].insts.len() as u32 + 1).sum();
    // Where the range ends that is open at the point of the walk.
    let mut end_of: SecondaryMap<V, u32> = SecondaryMap::with_default(DEAD);
    // What was found live in the block, perhaps no longer.
    let mut open: Vec<V> = Vec::new();
    for &b in f.layout.iter().rev() {
        let data = &f.blocks[b];
        open.clear();
        let mut read = |v: V, end: u32, end_of: &mut SecondaryMap<V, u32>| {
            if end_of[v] == DEAD {
                end_of[v] = end;
                open.push(v);
            }
        };
        for v in live.live_out(f, b) {
            read(v, 2 * number, &mut end_of);
        }
        number -= 1;
        for_each_end_use(&data.term, |v| read(v, 2 * number + 1, &mut end_of));
        for i in data.insts.iter().rev() {
            number -= 1;
            let at = 2 * number;
            i.for_each_def(|v| {
                // A result that nobody reads still takes its register for an instant.
                let end = if end_of[v] == DEAD { at + 2 } else { end_of[v] };
                push(&mut ranges.0[v], (at + 1, end));
                end_of[v] = DEAD;
            });
            i.for_each_use(|v| read(v, at + 1, &mut end_of));
        }
        let begin = 2 * number;
        for &v in &data.params {
            let end = if end_of[v] == DEAD { begin + 1 } else { end_of[v] };
            push(&mut ranges.0[v], (begin, end));
            end_of[v] = DEAD;
        }
        for &v in &open {
            if end_of[v] != DEAD {
                push(&mut ranges.0[v], (begin, end_of[v]));
                end_of[v] = DEAD;
            }
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
