//! Live ranges of virtual registers over a linear numbering of instructions.
//!
//! Instruction n reads at point 2n and writes at 2n+1; a block's terminator is numbered too. A
//! range is half open. Ranges have holes: a register is free between its last use on every path and
//! its next definition.
//!
//! Works in SSA form (parameters are written at the beginning of their block, arguments read by the
//! terminator) and outside of it. Bit sets hold only the registers that are live into some block,
//! so most temporaries cost nothing.

use raddle_entity::{EntityRef, SecondaryMap};
use smallvec::SmallVec;

use crate::mir::{MArg, MBlock, MFunction, MGuard, MTerm, V};

/// Live ranges, sorted and disjoint, of every virtual register, in one list ordered by register.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    all: Vec<(u32, u32)>,
    /// Where the ranges of each register begin in `all`; one more entry at the end.
    begin: Vec<u32>,
}

impl Ranges {
    /// Returns the ranges of a register; none if it is never written or read.
    pub fn of(&self, v: V) -> &[(u32, u32)] {
        match self.begin.get(v.index()..v.index() + 2) {
            Some(&[from, to]) => &self.all[from as usize..to as usize],
            _ => &[],
        }
    }

    /// Returns the first point at which the register is live.
    pub fn start(&self, v: V) -> u32 {
        self.of(v).first().map_or(u32::MAX, |r| r.0)
    }
}

/// Registers that are live into blocks.
pub struct Liveness {
    /// Registers that are live into some block; the others live within one.
    globals: Vec<V>,
    /// Words per set.
    words: usize,
    /// The live-in sets of all blocks.
    live_in: Vec<u64>,
    /// The index of a block's set.
    row: SecondaryMap<MBlock, u32>,
}

/// Returns the numbers in a set, ascending.
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            let n = (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(n)
        })
    })
}

/// Calls `f` on every register that a terminator reads.
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
    /// Computes the liveness of a function.
    pub fn of(f: &MFunction) -> Self {
        const NONE: u32 = u32::MAX;
        let mut index: Vec<u32> = vec![NONE; f.vregs.len()];
        let mut globals = Vec::new();
        // The last block so far that wrote each register.
        let mut written: Vec<u32> = vec![NONE; f.vregs.len()];
        // Upward-exposed uses of blocks, by number; the list of each block ends where the next
        // begins.
        let mut exposed: Vec<u32> = Vec::new();
        let mut ends: Vec<usize> = Vec::with_capacity(f.layout.len());
        for &b in &f.layout {
            let data = &f.blocks[b];
            let this = b.index() as u32;
            let mut read = |v: V, written: &[u32]| {
                if written[v.index()] != this {
                    let n = &mut index[v.index()];
                    if *n == NONE {
                        *n = globals.len() as u32;
                        globals.push(v);
                    }
                    exposed.push(*n);
                }
            };
            data.params.iter().for_each(|&v| written[v.index()] = this);
            for i in &data.insts {
                i.for_each_use(|v| read(v, &written));
                i.for_each_def(|v| written[v.index()] = this);
            }
            for_each_end_use(&data.term, |v| read(v, &written));
            ends.push(exposed.len());
        }
        let words = globals.len().div_ceil(64);
        let mut row: SecondaryMap<MBlock, u32> = SecondaryMap::new();
        let mut live_in: Vec<u64> = vec![0; words * f.layout.len()];
        let mut kept: Vec<u64> = vec![u64::MAX; words * f.layout.len()];
        let mut from = 0;
        for (n, (&b, to)) in f.layout.iter().zip(ends).enumerate() {
            row[b] = n as u32;
            let set = n * words..(n + 1) * words;
            for &k in &exposed[from..to] {
                live_in[set.start + k as usize / 64] |= 1 << (k % 64);
            }
            from = to;
            let kept = &mut kept[set];
            let mut write = |v: V| {
                let k = index[v.index()];
                if k != NONE {
                    kept[k as usize / 64] &= !(1 << (k % 64));
                }
            };
            f.blocks[b].params.iter().for_each(|&v| write(v));
            f.blocks[b].insts.iter().for_each(|i| i.for_each_def(&mut write));
        }
        let succs: Vec<SmallVec<[u32; 2]>> =
            f.layout.iter().map(|&b| f.blocks[b].term.successors().iter().map(|&s| row[s]).collect()).collect();
        let mut changed = words > 0;
        while changed {
            changed = false;
            for (n, succs) in succs.iter().enumerate().rev() {
                for &s in succs {
                    for w in 0..words {
                        let old = live_in[n * words + w];
                        let new = old | live_in[s as usize * words + w] & kept[n * words + w];
                        changed |= new != old;
                        live_in[n * words + w] = new;
                    }
                }
            }
        }
        Liveness { globals, words, live_in, row }
    }

    fn set(&self, b: MBlock) -> &[u64] {
        let row = self.row[b] as usize;
        &self.live_in[row * self.words..(row + 1) * self.words]
    }

    /// Returns the registers live into a block, without its parameters.
    pub fn live_in(&self, b: MBlock) -> impl Iterator<Item = V> + '_ {
        members(self.set(b)).map(|n| self.globals[n])
    }

    /// Returns the registers live out of a block.
    pub fn live_out(&self, f: &MFunction, b: MBlock) -> Vec<V> {
        let list = |set: &[u64]| members(set).map(|n| self.globals[n]).collect();
        match f.blocks[b].term.successors().as_slice() {
            [] => Vec::new(),
            [s] => list(self.set(*s)),
            [first, rest @ ..] => {
                let mut out: SmallVec<[u64; 16]> = SmallVec::from_slice(self.set(*first));
                for s in rest {
                    out.iter_mut().zip(self.set(*s)).for_each(|(x, y)| *x |= y);
                }
                list(&out)
            }
        }
    }
}

/// Computes the live ranges of every virtual register.
pub fn ranges(f: &MFunction) -> Ranges {
    const DEAD: u32 = u32::MAX;
    let live = Liveness::of(f);
    // Walk each block backwards.
    let mut found = Found { list: Vec::new(), last: vec![DEAD; f.vregs.len()], count: vec![0; f.vregs.len() + 1] };
    let mut number: u32 = f.layout.iter().map(|&b| f.blocks[b].insts.len() as u32 + 1).sum();
    // The end of the range that is open at the current point.
    let mut end_of: Vec<u32> = vec![DEAD; f.vregs.len()];
    // Registers found live in the block, perhaps no longer.
    let mut open: Vec<V> = Vec::new();
    for &b in f.layout.iter().rev() {
        let data = &f.blocks[b];
        open.clear();
        let mut read = |v: V, end: u32, end_of: &mut [u32]| {
            if end_of[v.index()] == DEAD {
                end_of[v.index()] = end;
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
                // An unused result still takes its register for an instant.
                let end = std::mem::replace(&mut end_of[v.index()], DEAD);
                found.add(v, at + 1, if end == DEAD { at + 2 } else { end });
            });
            i.for_each_use(|v| read(v, at + 1, &mut end_of));
        }
        let begin = 2 * number;
        for &v in &data.params {
            let end = std::mem::replace(&mut end_of[v.index()], DEAD);
            found.add(v, begin, if end == DEAD { begin + 1 } else { end });
        }
        for &v in &open {
            let end = std::mem::replace(&mut end_of[v.index()], DEAD);
            if end != DEAD {
                found.add(v, begin, end);
            }
        }
    }
    found.sorted()
}

/// Ranges in the order a backward walk finds them.
struct Found {
    list: Vec<(V, u32, u32)>,
    /// The index of each register's last range in the list.
    last: Vec<u32>,
    /// The number of each register's ranges.
    count: Vec<u32>,
}

impl Found {
    /// Adds a range before the register's others; adjacent ones are merged.
    fn add(&mut self, v: V, start: u32, end: u32) {
        let last = &mut self.last[v.index()];
        match self.list.get_mut(*last as usize) {
            Some(r) if r.1 <= end => r.1 = r.1.min(start),
            _ => {
                *last = self.list.len() as u32;
                self.list.push((v, start, end));
                self.count[v.index()] += 1;
            }
        }
    }

    /// Sorts the ranges by register, ascending.
    fn sorted(self) -> Ranges {
        let mut begin = self.count;
        let mut sum = 0;
        for n in &mut begin {
            sum += *n;
            *n = sum;
        }
        // Each number is where the next register begins: filled from the end, it becomes its own
        // beginning. The list has ranges in descending order, so it is read forwards.
        let mut all = vec![(0, 0); self.list.len()];
        for &(v, start, end) in &self.list {
            let at = &mut begin[v.index()];
            *at -= 1;
            all[*at as usize] = (start, end);
        }
        Ranges { all, begin }
    }
}
