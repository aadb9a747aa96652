//! Live registers while the instructions of a block issue in a new order, in SSA form.

use raddle_entity::{PrimaryMap, SecondaryMap};
use raddle_sass::row::File;
use smallvec::SmallVec;

use crate::live::members;
use crate::mir::{MArg, MBlock, MBlockData, MFunction, MGuard, MInst, MTerm, V};

/// Most bits of live sets; larger functions are left alone.
const LARGEST: usize = 1 << 29;

/// Registers that a missing predicate counts for: it becomes a register, by two instructions.
const SPILL: i32 = 8;

/// A difference in live registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Diff {
    pub(super) general: i32,
    pub(super) predicates: i32,
}

impl Diff {
    pub(super) fn add(&mut self, n: i32, weight: Need) {
        self.general += n * weight.general as i32;
        self.predicates += n * weight.predicates as i32;
    }

    /// What is missing of `room`, in registers.
    pub(super) fn beyond(self, room: Diff) -> u32 {
        let missing = |change: i32, room: i32| change.saturating_sub(room).max(0);
        let predicates = SPILL.saturating_mul(missing(self.predicates, room.predicates));
        missing(self.general, room.general).saturating_add(predicates) as u32
    }

    /// Whether both registers stay within `room`.
    pub(super) fn fits(self, room: Diff) -> bool {
        self.general <= room.general && self.predicates <= room.predicates
    }
}

/// Live registers of the two scarce files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) general: u32,
    pub(super) predicates: u32,
}

impl Need {
    pub(super) fn max(self, other: Need) -> Need {
        Need { general: self.general.max(other.general), predicates: self.predicates.max(other.predicates) }
    }

    /// What is left of `room`.
    pub(super) fn left_of(self, room: Need) -> Diff {
        let less = |room: u32, now: u32| i32::try_from(room).unwrap_or(i32::MAX).saturating_sub(now as i32);
        Diff { general: less(room.general, self.general), predicates: less(room.predicates, self.predicates) }
    }

    pub(super) fn fits(self, room: Need) -> bool {
        self.general <= room.general && self.predicates <= room.predicates
    }
}

/// Values live at block ends; only those used in several blocks are kept in sets.
pub(super) struct Live {
    /// The number of a value in the sets.
    index: SecondaryMap<V, Option<u32>>,
    values: Vec<V>,
    at_start: SecondaryMap<MBlock, Vec<u64>>,
    at_end: SecondaryMap<MBlock, Vec<u64>>,
}

pub(super) fn terminator_uses(t: &MTerm, mut f: impl FnMut(V)) {
    if let MTerm::Branch { guard: MGuard::Virtual(v, _), .. } = t {
        f(*v);
    }
    for e in t.edges() {
        e.args.iter().for_each(|a| {
            if let MArg::Reg(v) = a {
                f(*v);
            }
        });
    }
}

impl Live {
    pub(super) fn new(f: &MFunction) -> Option<Live> {
        let mut home: SecondaryMap<V, Option<MBlock>> = SecondaryMap::new();
        for &b in &f.layout {
            f.blocks[b].params.iter().for_each(|&v| home[v] = Some(b));
            f.blocks[b].insts.iter().for_each(|i| i.for_each_def(|v| home[v] = Some(b)));
        }
        let mut live = Live {
            index: SecondaryMap::new(),
            values: Vec::new(),
            at_start: SecondaryMap::new(),
            at_end: SecondaryMap::new(),
        };
        for &b in &f.layout {
            let mut used = |v: V| {
                if home[v] != Some(b) && live.index[v].is_none() {
                    live.index[v] = Some(live.values.len() as u32);
                    live.values.push(v);
                }
            };
            f.blocks[b].insts.iter().for_each(|i| i.for_each_use(&mut used));
            terminator_uses(&f.blocks[b].term, used);
        }
        let words = live.values.len().div_ceil(64);
        if words.saturating_mul(64).saturating_mul(f.layout.len()) > LARGEST {
            return None;
        }
        let mut known: SecondaryMap<MBlock, Vec<u64>> = SecondaryMap::new();
        for &b in &f.layout {
            let (mut start, mut own) = (vec![0u64; words], vec![0u64; words]);
            let put = |set: &mut Vec<u64>, v: V| {
                if let Some(n) = live.index[v] {
                    set[n as usize / 64] |= 1 << (n % 64);
                }
            };
            let foreign = |v: V| home[v] != Some(b);
            f.blocks[b].insts.iter().for_each(|i| {
                i.for_each_use(|v| {
                    if foreign(v) {
                        put(&mut start, v)
                    }
                })
            });
            terminator_uses(&f.blocks[b].term, |v| {
                if foreign(v) {
                    put(&mut start, v)
                }
            });
            f.blocks[b].params.iter().for_each(|&v| put(&mut own, v));
            f.blocks[b].insts.iter().for_each(|i| i.for_each_def(|v| put(&mut own, v)));
            live.at_start[b] = start;
            live.at_end[b] = vec![0; words];
            known[b] = own;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &b in f.layout.iter().rev() {
                for s in f.blocks[b].term.successors() {
                    for w in 0..words {
                        let new = live.at_start[s][w] & !live.at_end[b][w];
                        if new != 0 {
                            changed = true;
                            live.at_end[b][w] |= new;
                            live.at_start[b][w] |= new & !known[b][w];
                        }
                    }
                }
            }
        }
        Some(live)
    }

    pub(super) fn members<'a>(&'a self, set: &'a [u64]) -> impl Iterator<Item = V> + 'a {
        members(set).map(|n| self.values[n])
    }

    /// Returns the values live at the end of a block.
    pub(super) fn end_values(&self, b: MBlock) -> impl Iterator<Item = V> + '_ {
        self.members(&self.at_end[b])
    }

    /// Returns the values live at the start of a block, without its parameters.
    pub(super) fn start_values(&self, b: MBlock) -> impl Iterator<Item = V> + '_ {
        self.members(&self.at_start[b])
    }
}

/// Readers of a value in the region that have not issued.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Readers {
    pub(super) count: u32,
    /// The exclusive or of their numbers.
    pub(super) numbers: u32,
}

/// Register pressure while the instructions of a block issue one by one.
pub(super) struct Pressure<'a> {
    pub(super) live: &'a Live,
    pub(super) files: &'a PrimaryMap<V, File>,
    /// Remaining uses of a value in the block; one more for a value that is live out of it.
    pub(super) left: SecondaryMap<V, u32>,
    /// Readers of a value in the region that is scheduled; none between schedules.
    pub(super) readers: SecondaryMap<V, Readers>,
    pub(super) now: Need,
}

impl<'a> Pressure<'a> {
    pub(super) fn new(live: &'a Live, files: &'a PrimaryMap<V, File>) -> Pressure<'a> {
        let (mut left, mut readers) = (SecondaryMap::new(), SecondaryMap::new());
        left.resize(files.len());
        readers.resize(files.len());
        Pressure { live, files, left, readers, now: Need::default() }
    }

    /// Counts values by file.
    pub(super) fn count(&self, values: impl Iterator<Item = V>) -> Need {
        let mut need = Need::default();
        for v in values {
            need.general += u32::from(self.files[v] == File::Gpr);
            need.predicates += u32::from(self.files[v] == File::Pred);
        }
        need
    }

    /// Enters a block.
    pub(super) fn enter(&mut self, b: MBlock, data: &MBlockData) {
        let mut seen = |v: V, n: u32| self.left[v] += n;
        data.insts.iter().for_each(|i| i.for_each_use(|v| seen(v, 1)));
        terminator_uses(&data.term, |v| seen(v, 1));
        let ends: Vec<V> = self.live.end_values(b).collect();
        ends.into_iter().for_each(|v| seen(v, 1));
        self.now = self.count(self.live.start_values(b).chain(data.params.iter().copied()));
    }

    /// Leaves a block and resets its counts.
    pub(super) fn leave(&mut self, b: MBlock, data: &MBlockData) {
        let mut gone = |v: V| self.left[v] = 0;
        data.insts.iter().for_each(|i| i.for_each_use(&mut gone));
        terminator_uses(&data.term, &mut gone);
        let ends: Vec<V> = self.live.end_values(b).collect();
        ends.into_iter().for_each(gone);
    }

    /// Counts the values whose last use is an instruction, which may name them more than once.
    pub(super) fn ending(&self, i: &MInst) -> Need {
        let mut uses: SmallVec<[V; 8]> = SmallVec::new();
        i.for_each_use(|v| uses.push(v));
        uses.sort_unstable();
        let groups = uses.chunk_by(|a, b| a == b);
        self.count(groups.filter(|g| self.left[g[0]] == g.len() as u32).map(|g| g[0]))
    }

    /// Returns the registers in use at and after an instruction that issues next.
    pub(super) fn effect(&self, i: &MInst) -> (Need, Need) {
        let mut defs: SmallVec<[V; 8]> = SmallVec::new();
        i.for_each_def(|v| defs.push(v));
        let (ending, defined) = (self.ending(i), self.count(defs.iter().copied()));
        let dead = self.count(defs.iter().copied().filter(|&v| self.left[v] == 0));
        let peak = |now: u32, ending: u32, defined: u32| now.saturating_sub(ending) + defined;
        let at = Need {
            general: peak(self.now.general, ending.general, defined.general),
            predicates: peak(self.now.predicates, ending.predicates, defined.predicates),
        };
        (at, Need { general: at.general - dead.general, predicates: at.predicates - dead.predicates })
    }

    /// Issues an instruction; returns the registers in use at it.
    pub(super) fn issue(&mut self, i: &MInst) -> Need {
        let (peak, after) = self.effect(i);
        i.for_each_use(|v| self.left[v] = self.left[v].saturating_sub(1));
        self.now = after;
        peak
    }

    /// [`Pressure::effect`] for an instruction of a region.
    pub(super) fn effect_of(&self, touched: &Touched, n: usize) -> (Need, Need) {
        let (uses, defs) = touched.at(n);
        let (mut at, mut after) = (self.now, Need::default());
        for u in uses {
            let ends = u32::from(self.left[u.v] == u.times);
            at.general -= (ends * u.weight.general).min(at.general);
            at.predicates -= (ends * u.weight.predicates).min(at.predicates);
        }
        for d in defs {
            let dead = u32::from(self.left[d.v] == 0);
            at.general += d.weight.general;
            at.predicates += d.weight.predicates;
            after.general += dead * d.weight.general;
            after.predicates += dead * d.weight.predicates;
        }
        (at, Need { general: at.general - after.general, predicates: at.predicates - after.predicates })
    }

    /// [`Pressure::issue`] for an instruction of a region.
    pub(super) fn issue_known(&mut self, touched: &Touched, n: usize) -> Need {
        let (peak, after) = self.effect_of(touched, n);
        for u in touched.at(n).0 {
            self.left[u.v] = self.left[u.v].saturating_sub(u.times);
        }
        self.now = after;
        peak
    }

    /// Undoes the issue of all instructions of a region; `now` registers were in use before.
    pub(super) fn back(&mut self, now: Need, touched: &Touched) {
        touched.list.iter().for_each(|t| self.left[t.v] += t.times);
        self.now = now;
    }
}

/// A register that an instruction touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) v: V,
    /// How often it is read; 0 for a result.
    pub(super) times: u32,
    /// What it adds to the pressure.
    pub(super) weight: Need,
}

/// The registers that the instructions of a region read and write, each once per instruction.
pub(super) struct Touched {
    list: Vec<Touch>,
    /// The ends of each instruction's reads and results in the list.
    ends: Vec<(u32, u32)>,
}

impl Touched {
    pub(super) fn of(insts: &[MInst], files: &PrimaryMap<V, File>) -> Touched {
        let mut out = Touched { list: Vec::with_capacity(4 * insts.len()), ends: Vec::with_capacity(insts.len()) };
        let weight =
            |v: V| Need { general: u32::from(files[v] == File::Gpr), predicates: u32::from(files[v] == File::Pred) };
        for i in insts {
            let from = out.list.len();
            i.for_each_use(|v| match out.list[from..].iter_mut().find(|t| t.v == v) {
                Some(t) => t.times += 1,
                None => out.list.push(Touch { v, times: 1, weight: weight(v) }),
            });
            let reads = out.list.len() as u32;
            i.for_each_def(|v| out.list.push(Touch { v, times: 0, weight: weight(v) }));
            out.ends.push((reads, out.list.len() as u32));
        }
        out
    }

    /// Returns the reads and results of an instruction.
    pub(super) fn at(&self, n: usize) -> (&[Touch], &[Touch]) {
        let from = if n == 0 { 0 } else { self.ends[n - 1].1 as usize };
        let (reads, end) = (self.ends[n].0 as usize, self.ends[n].1 as usize);
        (&self.list[from..reads], &self.list[reads..end])
    }
}
