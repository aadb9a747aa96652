//! A second, static check of control fields: whether weakening one of them causes a hazard.
//!
//! Problem: a mutant of machine code (a stall one lower, a wait bit or a read barrier dropped)
//! tests the simulator's hazard tracker only if the mutant is wrong, and the tracker must not
//! decide that itself. Strategy: this file uses the decoded words alone. It follows the code
//! forward from what the weakened field protected, along every path of the control-flow graph,
//! until another field protects it or a register is touched too early. It shares no code with the
//! simulator; both use the decoded operands, the queues and the measured latencies of
//! `raddle_sass`.
//!
//! It errs on the side of no finding: indirect branches end a path, and a consumer whose guard
//! excludes the producer's does not count. So "matters" means that a path in the code has the
//! hazard.

use raddle_sass::latency::{Consumer, Producer, latency};
use raddle_sass::row::File;
use raddle_sass::{Inst, Isa, Kind, Op, Queue};

/// A weakened control field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutation {
    /// The stall count is one less.
    Stall,
    /// Scoreboard n is not waited for.
    Wait(u8),
    /// The read barrier is not set.
    ReadBarrier,
}

/// Largest issue distance in any table.
const LONGEST: u32 = 64;
/// Most instructions visited by one search: beyond that the result is "does not matter".
const BUDGET: usize = 4000;

/// One register: file and number.
type Reg = (File, u8);

fn registers(inst: &Inst, written: bool) -> Vec<Reg> {
    let mut out = Vec::new();
    for a in inst.accesses().iter().filter(|a| if written { a.written } else { a.read }) {
        for i in 0..a.count {
            out.push((a.file, a.first.saturating_add(i)));
        }
    }
    out
}

fn is_variable(isa: Isa, inst: &Inst) -> bool {
    inst.row().effects.variable.contains(isa)
}

/// Whether the results of both arrive in the order of issue.
fn finishes_in_order(a: &Inst, b: &Inst) -> bool {
    let (a, b) = (a.row().effects.results, b.row().effects.results);
    a.is_some() && a == b
}

/// Whether the sources of both are read in the order of issue.
fn reads_in_order(a: &Inst, b: &Inst) -> bool {
    let (a, b) = (a.row().effects.sources, b.row().effects.sources);
    a.is_some() && a == b
}

/// The code of one section.
#[derive(Debug)]
pub struct Listing {
    isa: Isa,
    insts: Vec<Option<Inst>>,
}

impl Listing {
    /// Decodes 16-byte words; a word that cannot be decoded ends every path that reaches it.
    pub fn new(isa: Isa, code: &[u8]) -> Listing {
        let word = |w: &[u8]| w.iter().rev().fold(0u128, |v, &b| v << 8 | u128::from(b));
        let insts = code.chunks_exact(16).map(|w| raddle_sass::decode(isa, word(w)).ok()).collect();
        Listing { isa, insts }
    }

    /// Returns the instruction at index `i`.
    pub fn get(&self, i: usize) -> Option<&Inst> {
        self.insts.get(i)?.as_ref()
    }

    fn successors(&self, i: usize) -> Vec<usize> {
        let Some(inst) = self.get(i) else { return Vec::new() };
        let target = || match inst.operands.iter().map(|o| o.kind).find(|k| matches!(k, Kind::Rel(_))) {
            Some(Kind::Rel(r)) => usize::try_from(i as i64 + 1 + r / 16).ok(),
            _ => None,
        };
        let conditional = !inst.guard.is_always()
            || inst.operands.iter().any(|o| matches!(o.kind, Kind::Pred(p) | Kind::UPred(p) if p != 7 || o.not))
            || matches!(inst.operands.first().map(|o| o.kind), Some(Kind::UReg(_)))
            || inst.operands.iter().any(|o| matches!(o.kind, Kind::UReg(_)));
        let mut next = Vec::new();
        match inst.op() {
            Op::Bra => {
                next.extend(target());
                if conditional {
                    next.push(i + 1);
                }
            }
            Op::Call => next.extend(target()),
            Op::Exit if inst.guard.is_always() => {}
            Op::Brx | Op::Ret => {}
            _ => next.push(i + 1),
        }
        next.retain(|&n| n < self.insts.len());
        next
    }

    /// Whether the mutation at instruction `at` causes a hazard.
    pub fn matters(&self, at: usize, mutation: Mutation) -> bool {
        match mutation {
            Mutation::Stall => self.stall_matters(at),
            Mutation::Wait(sb) => self.wait_matters(at, sb),
            Mutation::ReadBarrier => self.read_barrier_matters(at),
        }
    }

    /// Whether one cycle less between everything up to `at` and everything after it matters.
    fn stall_matters(&self, at: usize) -> bool {
        let Some(inst) = self.get(at) else { return false };
        if inst.ctrl.stall < 2 {
            return false;
        }
        // A scoreboard may be waited for two cycles after it is set at the earliest.
        let sets = |sb: u8| inst.ctrl.wr_bar == Some(sb) || inst.ctrl.rd_bar == Some(sb);
        if inst.ctrl.stall == 2 && is_variable(self.isa, inst) {
            let waits =
                |n: &usize| self.get(*n).is_some_and(|i| (0..6).any(|sb| i.ctrl.wait_mask >> sb & 1 != 0 && sets(sb)));
            if self.successors(at).iter().any(waits) {
                return true;
            }
        }
        // Producers from which `at` is reached in a straight line.
        let mut distance = 0;
        let mut p = at;
        loop {
            let Some(producer) = self.get(p) else { return false };
            if p != at {
                if matches!(producer.op(), Op::Bra | Op::Brx | Op::Call | Op::Ret) && producer.guard.is_always() {
                    return false;
                }
                distance += u32::from(producer.ctrl.stall.max(1));
            }
            if distance > LONGEST {
                return false;
            }
            if !is_variable(self.isa, producer) && self.too_early(p, at, distance) {
                return true;
            }
            match p.checked_sub(1) {
                Some(q) => p = q,
                None => return false,
            }
        }
    }

    /// Whether a consumer of `p`'s results after `at` comes exactly too early once `at` stalls one
    /// cycle less. `before` is the distance from `p` to `at`.
    fn too_early(&self, p: usize, at: usize, before: u32) -> bool {
        let (Some(producer), Some(weak)) = (self.get(p), self.get(at)) else { return false };
        for a in producer.accesses().iter().filter(|a| a.written) {
            for n in 0..a.count {
                let reg = (a.file, a.first.saturating_add(n));
                let Some(key) = Producer::new(self.isa, producer, a, reg.1) else { continue };
                // Overwritten between the producer and the weakened instruction: no hazard.
                let killed = (p + 1..=at)
                    .any(|i| self.get(i).is_some_and(|x| x.guard.is_always() && registers(x, true).contains(&reg)));
                if killed {
                    continue;
                }
                let start = before + u32::from(weak.ctrl.stall);
                let mut work: Vec<(usize, u32)> = self.successors(at).into_iter().map(|s| (s, start)).collect();
                let mut budget = 200;
                while let Some((i, d)) = work.pop() {
                    let Some(inst) = self.get(i) else { continue };
                    budget -= 1;
                    if d > LONGEST || budget == 0 {
                        continue;
                    }
                    let excluded = inst.guard.pred == producer.guard.pred
                        && inst.guard.neg != producer.guard.neg
                        && !producer.guard.is_always();
                    for u in inst.accesses().iter().filter(|u| u.read && u.file == reg.0) {
                        if reg.1 < u.first || reg.1 >= u.first.saturating_add(u.count) || excluded {
                            continue;
                        }
                        let Some(consumer) = Consumer::new(inst, u, reg.1) else { continue };
                        let need = u32::from(latency(self.isa, key, consumer).check);
                        if d >= need && d - 1 < need {
                            return true;
                        }
                    }
                    if inst.guard.is_always() && registers(inst, true).contains(&reg) {
                        continue;
                    }
                    let next = d + u32::from(inst.ctrl.stall.max(1));
                    work.extend(self.successors(i).into_iter().map(|s| (s, next)));
                }
            }
        }
        false
    }

    /// Returns the instructions that set scoreboard `sb` and reach `at` without a wait for it
    /// between.
    fn setters(&self, at: usize, sb: u8) -> Vec<usize> {
        let sets = |i: &Inst| i.ctrl.wr_bar == Some(sb) || i.ctrl.rd_bar == Some(sb);
        (0..self.insts.len()).filter(|&s| self.get(s).is_some_and(sets) && self.reaches(s, at, sb)).collect()
    }

    fn reaches(&self, from: usize, to: usize, sb: u8) -> bool {
        let mut seen = vec![false; self.insts.len()];
        let mut work = self.successors(from);
        while let Some(i) = work.pop() {
            if i == to {
                return true;
            }
            if std::mem::replace(&mut seen[i], true) {
                continue;
            }
            let Some(inst) = self.get(i) else { continue };
            let resets = inst.ctrl.wr_bar == Some(sb) || inst.ctrl.rd_bar == Some(sb);
            if inst.ctrl.wait_mask >> sb & 1 == 0 && !resets {
                work.extend(self.successors(i));
            }
        }
        false
    }

    fn wait_matters(&self, at: usize, sb: u8) -> bool {
        self.setters(at, sb).into_iter().any(|s| {
            let Some(setter) = self.get(s) else { return false };
            let results = setter.ctrl.wr_bar == Some(sb);
            self.touched(s, at, results, Some(at))
        })
    }

    fn read_barrier_matters(&self, at: usize) -> bool {
        let Some(inst) = self.get(at) else { return false };
        inst.ctrl.rd_bar.is_some()
            && is_variable(self.isa, inst)
            && self.successors(at).into_iter().any(|n| self.touched(at, n, false, None))
    }

    /// Whether, from instruction `start` on, a result (`results`) or a source of `s` is touched
    /// before something else makes that safe. `blind` is the instruction whose wait is dropped; if
    /// `None`, the read barrier of `s` is.
    fn touched(&self, s: usize, start: usize, results: bool, blind: Option<usize>) -> bool {
        let Some(setter) = self.get(s) else { return false };
        let (wr, rd) = (setter.ctrl.wr_bar, if blind.is_some() { setter.ctrl.rd_bar } else { None });
        let defs: Vec<Reg> = if results { registers(setter, true) } else { Vec::new() };
        let sources: Vec<Reg> = registers(setter, false).into_iter().filter(|r| r.0 == File::Gpr).collect();
        // Scoreboards of later instructions that imply that this one is done, collected along each
        // path.
        let mut seen = vec![0u64; self.insts.len()];
        let mut budget = BUDGET;
        let mut work = vec![(start, 0u8)];
        while let Some((i, proofs)) = work.pop() {
            let Some(inst) = self.get(i) else { continue };
            if seen[i] >> proofs & 1 != 0 || budget == 0 {
                continue;
            }
            seen[i] |= 1 << proofs;
            budget -= 1;
            if i == s && i != start {
                continue;
            }
            let mut waits = inst.ctrl.wait_mask;
            if blind == Some(i) {
                let dropped = if results { wr } else { rd };
                waits &= !dropped.map_or(0, |b| 1 << b);
            }
            let done = |b: Option<u8>| b.is_some_and(|b| waits >> b & 1 != 0);
            if done(wr) || !results && done(rd) || waits & proofs != 0 {
                continue;
            }
            let excluded =
                inst.guard.pred == setter.guard.pred && inst.guard.neg != setter.guard.neg && !setter.guard.is_always();
            let variable = is_variable(self.isa, inst);
            if !excluded {
                let own_order = variable && finishes_in_order(inst, setter);
                let (reads, writes) = (registers(inst, false), registers(inst, true));
                if defs.iter().any(|d| reads.contains(d) || writes.contains(d) && !own_order) {
                    return true;
                }
                let read_order = variable && reads_in_order(inst, setter);
                if !results && !read_order && sources.iter().any(|r| writes.contains(r)) {
                    return true;
                }
            }
            if !results && inst.op() == Op::Bar && setter.row().effects.sources == Some(Queue::Memory) {
                continue;
            }
            let mut proofs = proofs;
            if variable && i != s {
                let mut learn = |b: Option<u8>| proofs |= b.map_or(0, |b| 1 << b);
                if finishes_in_order(inst, setter) {
                    learn(inst.ctrl.wr_bar);
                }
                if !results && reads_in_order(inst, setter) {
                    learn(inst.ctrl.wr_bar);
                    learn(inst.ctrl.rd_bar);
                }
            }
            work.extend(self.successors(i).into_iter().map(|n| (n, proofs)));
        }
        false
    }
}

/// Weakens one control field in a machine word; returns `None` if the field cannot be weakened.
pub fn mutate(word: u128, mutation: Mutation) -> Option<u128> {
    let stall = word >> 105 & 15;
    match mutation {
        Mutation::Stall => (stall >= 2).then(|| word - (1 << 105)),
        Mutation::Wait(sb) => {
            let bit = 1u128 << (116 + sb);
            (sb < 6 && word & bit != 0).then_some(word & !bit)
        }
        Mutation::ReadBarrier => (word >> 113 & 7 != 7).then_some(word | 7 << 113),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_touch_their_field_only() {
        let word = 5u128 << 105 | 0b100 << 116 | 2 << 113 | 7 << 110;
        assert_eq!(mutate(word, Mutation::Stall), Some(word - (1 << 105)));
        assert_eq!(mutate(word, Mutation::Wait(2)), Some(word & !(1 << 118)));
        assert_eq!(mutate(word, Mutation::Wait(1)), None);
        assert_eq!(mutate(word, Mutation::ReadBarrier), Some(word | 7 << 113));
        assert_eq!(mutate(1 << 105 | 7 << 113, Mutation::Stall), None);
        assert_eq!(mutate(1 << 105 | 7 << 113, Mutation::ReadBarrier), None);
    }
}
