//! A static check of scheduled code, from its words alone: no path through the control flow reads a
//! result too early, reads or overwrites a register that a scoreboard still guards, or overwrites
//! sources that may not have been read.
//!
//! It shares the instruction table with the scheduler and no code with the simulator: states flow
//! forward over decoded words to a fixed point, joins take the worst of both. An indirect branch
//! has the targets in [`Jumps`]; without a row, every instruction after an unconditional end, where
//! a block without another predecessor begins.

use std::collections::{BTreeMap, BTreeSet};

use raddle_sass::effects::RegAccess;
use raddle_sass::latency::{Consumer, Producer, latency};
use raddle_sass::row::{File, SlotRole};
use raddle_sass::{Class, Inst, Isa, Kind, Op, decode};

/// Cycles after which every fixed-latency result has arrived.
const FOREVER: u32 = 64;
/// Marks a reader without a scoreboard to wait for.
const NO_SCOREBOARD: u8 = 1 << 7;

type Register = (File, u8);

#[derive(Clone, Default, PartialEq)]
struct State {
    /// Pending fixed-latency results: by register and producer, the least time since their issue.
    fixed: BTreeMap<(Register, (u8, bool)), (Producer, u32)>,
    /// Scoreboards that guard results.
    results: BTreeMap<Register, u8>,
    /// General registers that may not have been read, with scoreboards each of which guards the
    /// reader: that of its sources and that of its results. Other files are read at issue.
    sources: BTreeSet<(Register, u8)>,
    /// General registers that products of a warpgroup use, until a `WARPGROUP.DEPBAR`: whether they
    /// are written, and the least number of groups ended since.
    products: BTreeMap<(u8, bool), u8>,
    /// The least time since what keeps others at a distance.
    since: BTreeMap<Event, u32>,
}

/// What keeps later instructions at a distance without a result that they read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A `BSSY`: branches follow after four cycles.
    Bssy,
    /// A product of a warpgroup: the next one follows after four cycles, a wait after three.
    Product,
    /// A read of this register by the uniform data path: other writers follow after three cycles.
    Uniform(u8),
}

/// Longest distance of an [`Event`].
const APART: u32 = 4;

/// Whether it is a product of a warpgroup.
fn is_product(i: &Inst) -> bool {
    matches!(i.op(), Op::Hgmma | Op::Qgmma | Op::Igmma | Op::Bgmma)
}

impl State {
    /// Takes the worst of both; returns whether that changed anything.
    fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (k, v) in &other.fixed {
            let mine = self.fixed.entry(*k).or_insert(*v);
            mine.1 = mine.1.min(v.1);
        }
        for (k, v) in &other.results {
            *self.results.entry(*k).or_default() |= v;
        }
        self.sources.extend(&other.sources);
        for (k, v) in &other.products {
            let mine = self.products.entry(*k).or_insert(*v);
            *mine = (*mine).min(*v);
        }
        for (k, v) in &other.since {
            let mine = self.since.entry(*k).or_insert(*v);
            *mine = (*mine).min(*v);
        }
        *self != before
    }

    /// Follows what keeps others at a distance ("ptxas 13.0.88 output": never less; all seen to go wrong on
    /// an H100); returns errors.
    fn distances(&mut self, i: &Inst, accesses: &[RegAccess]) -> Vec<String> {
        let mut wrong = Vec::new();
        let uniform = i.row().class == Class::Udp;
        let mut apart = |event: Event, cycles: u32, what: &str| {
            if let Some(elapsed) = self.since.get(&event).filter(|elapsed| **elapsed < cycles) {
                wrong.push(format!("{elapsed} cycles after {what}, {cycles} are needed"));
            }
        };
        if i.row().effects.branch && i.op() != Op::Bssy {
            apart(Event::Bssy, 4, "a BSSY");
        }
        if is_product(i) {
            apart(Event::Product, 4, "a product");
        }
        if i.op() == Op::Warpgroup {
            apart(Event::Product, 3, "a product");
        }
        let registers = |a: &RegAccess| a.first..a.first.saturating_add(a.count);
        let uniforms = accesses.iter().filter(|a| a.file == File::Ugpr);
        for a in uniforms.clone().filter(|a| a.written && !uniform) {
            registers(a).for_each(|n| apart(Event::Uniform(n), 3, "a read by the uniform data path"));
        }
        let reads = uniforms.filter(|a| a.read && uniform).flat_map(registers).map(Event::Uniform);
        let other = match i.op() {
            Op::Bssy => Some(Event::Bssy),
            _ => is_product(i).then_some(Event::Product),
        };
        let new: Vec<Event> = reads.chain(other).collect();
        self.since.extend(new.into_iter().map(|event| (event, 0)));
        for elapsed in self.since.values_mut() {
            *elapsed += u32::from(i.ctrl.stall);
        }
        self.since.retain(|_, elapsed| *elapsed < APART);
        wrong
    }

    /// Follows the registers of products of a warpgroup; returns an error.
    fn products(&mut self, i: &Inst) -> Option<String> {
        if i.op() == Op::Warpgroup {
            let left =
                i.operands.iter().find_map(|o| if let Kind::Imm(n) = o.kind { u8::try_from(n).ok() } else { None });
            if let Some(left) = left {
                self.products.retain(|_, ended| *ended <= left);
            }
            return None;
        }
        let accesses = i.accesses();
        let general = || accesses.iter().filter(|a| a.file == File::Gpr);
        let registers = |a: &RegAccess| a.first..a.first.saturating_add(a.count);
        // Products of one accumulator follow each other.
        let accumulator = |a: &RegAccess| {
            let role = i.row().slots.get(usize::from(a.slot)).map(|s| s.role);
            is_product(i) && matches!(role, Some(SlotRole::Rd | SlotRole::Rc))
        };
        let in_flight = |a: &RegAccess, n: u8| {
            self.products.contains_key(&(n, true)) && !accumulator(a)
                || a.written && self.products.contains_key(&(n, false))
        };
        let clash = general().find_map(|a| registers(a).find(|&n| in_flight(a, n)));
        if is_product(i) {
            for a in general() {
                registers(a).for_each(|n| _ = self.products.insert((n, accumulator(a)), 0));
            }
            if i.operands.iter().any(|o| o.kind == Kind::Named(0)) {
                self.products.values_mut().for_each(|ended| *ended = ended.saturating_add(1));
            }
        }
        clash.map(|n| format!("R{n} is used by a product that is not waited for"))
    }

    /// Runs one instruction; returns its errors.
    fn step(&mut self, isa: Isa, i: &Inst) -> Vec<String> {
        let mut wrong = Vec::new();
        self.results.retain(|_, bits| {
            *bits &= !i.ctrl.wait_mask;
            *bits != 0
        });
        self.sources.retain(|(_, guard)| guard & i.ctrl.wait_mask == 0);
        let accesses = i.accesses();
        for a in accesses.iter().filter(|a| a.file != File::Barrier) {
            for n in a.first..a.first.saturating_add(a.count) {
                let reg = (a.file, n);
                if self.results.contains_key(&reg) {
                    wrong.push(format!("{reg:?} is not waited for"));
                }
                if a.written && self.sources.range((reg, 0)..=(reg, u8::MAX)).next().is_some() {
                    wrong.push(format!("{reg:?} may not have been read"));
                }
                let Some(c) = Consumer::new(i, a, n) else { continue };
                for (_, (p, elapsed)) in self.fixed.range((reg, (0, false))..=(reg, (u8::MAX, true))) {
                    let need = u32::from(latency(isa, *p, c).schedule);
                    if *elapsed < need {
                        wrong.push(format!("{reg:?} is accessed after {elapsed} cycles, {need} are needed"));
                    }
                }
            }
        }
        wrong.extend(self.products(i));
        wrong.extend(self.distances(i, &accesses));
        let variable = i.row().effects.variable.contains(isa) && !is_product(i);
        let bit = |bar: Option<u8>| bar.map_or(0, |n| 1 << n);
        for a in accesses.iter().filter(|a| a.file != File::Barrier) {
            for n in a.first..a.first.saturating_add(a.count) {
                let reg = (a.file, n);
                if a.written {
                    let stale: Vec<_> =
                        self.fixed.range((reg, (0, false))..=(reg, (u8::MAX, true))).map(|(k, _)| *k).collect();
                    stale.into_iter().for_each(|k| {
                        self.fixed.remove(&k);
                    });
                    if variable {
                        let guard = if i.ctrl.wr_bar.is_some() { bit(i.ctrl.wr_bar) } else { NO_SCOREBOARD };
                        *self.results.entry(reg).or_default() |= guard;
                    } else if let Some(p) = Producer::new(isa, i, a, n) {
                        self.fixed.insert((reg, (p.class as u8, p.high)), (p, 0));
                    }
                } else if variable && a.file == File::Gpr {
                    // Once a result has arrived, the sources have been read.
                    let guard = bit(i.ctrl.rd_bar) | bit(i.ctrl.wr_bar);
                    self.sources.insert((reg, if guard == 0 { NO_SCOREBOARD } else { guard }));
                }
            }
        }
        for (_, elapsed) in self.fixed.values_mut() {
            *elapsed += u32::from(i.ctrl.stall);
        }
        self.fixed.retain(|_, (_, elapsed)| *elapsed < FOREVER);
        wrong
    }
}

/// Targets of indirect branches, all as instruction indices.
pub type Jumps = BTreeMap<usize, Vec<usize>>;

/// [`check_with`] without known targets of indirect branches.
pub fn check(isa: Isa, code: &[Inst]) -> Vec<String> {
    check_with(isa, code, &Jumps::new())
}

/// Returns the errors of a function: a line each, in the order of the code.
pub fn check_with(isa: Isa, code: &[Inst], jumps: &Jumps) -> Vec<String> {
    let leaders = leaders(code, jumps);
    // States at the beginnings of blocks; within a block there is a single path.
    let mut states: Vec<Option<State>> = vec![None; code.len()];
    let Some(first) = states.first_mut() else { return Vec::new() };
    *first = Some(State::default());
    let mut work = vec![0];
    let mut wrong = BTreeMap::new();
    while let Some(mut at) = work.pop() {
        let Some(mut state) = states[at].clone() else { continue };
        loop {
            let i = &code[at];
            for what in state.step(isa, i) {
                wrong.insert((at, what.clone()), format!("{:#06x} {i}: {what}", at * 16));
            }
            let mut next = targets(code, jumps, at);
            at += 1;
            let falls = at < code.len() && !ends(i);
            if falls && leaders[at] {
                next.push(at);
            }
            for n in next {
                let changed = match &mut states[n] {
                    Some(s) => s.join(&state),
                    slot => {
                        *slot = Some(state.clone());
                        true
                    }
                };
                if changed {
                    work.push(n);
                }
            }
            if !falls || leaders[at] {
                break;
            }
        }
    }
    wrong.into_values().collect()
}

/// Returns the possible successors of the instruction at `at`, except the next one.
fn targets(code: &[Inst], jumps: &Jumps, at: usize) -> Vec<usize> {
    let i = &code[at];
    let mut out: Vec<usize> = match (i.op(), jumps.get(&at)) {
        (Op::Bra, _) => {
            let relative = i.operands.iter().filter_map(|o| if let Kind::Rel(n) = o.kind { Some(n) } else { None });
            relative.map(|distance| (at as i64 + 1 + distance / 16) as usize).collect()
        }
        (Op::Brx, Some(known)) => known.clone(),
        (Op::Brx, None) => (1..code.len()).filter(|n| ends(&code[n - 1])).collect(),
        _ => Vec::new(),
    };
    out.retain(|n| *n < code.len());
    out
}

/// Instructions at which paths may meet.
fn leaders(code: &[Inst], jumps: &Jumps) -> Vec<bool> {
    let mut leaders = vec![false; code.len()];
    for at in 0..code.len() {
        targets(code, jumps, at).into_iter().for_each(|n| leaders[n] = true);
    }
    leaders
}

/// Whether control never continues after it.
fn ends(i: &Inst) -> bool {
    matches!(i.op(), Op::Bra | Op::Exit | Op::Brx) && i.guard.is_always()
}

/// Decodes the instructions of a section, 16 bytes each.
///
/// # Errors
/// The offset of the first word that cannot be decoded.
pub fn instructions(isa: Isa, code: &[u8]) -> Result<Vec<Inst>, usize> {
    let word = |w: &[u8]| w.iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b));
    code.chunks_exact(16).enumerate().map(|(n, w)| decode(isa, word(w)).map_err(|_| n * 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_sass::{Ctrl, Operand, build};

    fn errors(stall: u8) -> Vec<String> {
        let isa = Isa::Sm90;
        let target = |at: i64| (SlotRole::Target, Operand::new(Kind::Rel(at)));
        let bar = (SlotRole::Bar, Operand::new(Kind::Barrier(0)));
        let make = |op, given: &[_]| build(isa, op, &[], given).unwrap();
        let bssy = make(Op::Bssy, &[bar, target(0)]).with_ctrl(Ctrl { stall, ..Ctrl::default() });
        check(isa, &[bssy, make(Op::Bra, &[target(0)]), make(Op::Exit, &[])])
    }

    #[test]
    fn branches_keep_a_distance_from_bssy() {
        assert!(errors(1)[0].contains("1 cycles after a BSSY, 4 are needed"), "{:?}", errors(1));
        assert!(errors(4).is_empty(), "{:?}", errors(4));
    }
}
