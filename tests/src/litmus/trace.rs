//! Runs one thread for given values of its reads: events in program order, and the final registers.

use std::collections::BTreeSet;

use super::program::{AtomOp, Instr, Operand, Strength, Thread};

/// An event of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its kind.
    pub kind: Kind,
    /// Semantics and scope.
    pub strength: Strength,
    /// The events of this thread, as bits by number, whose read values determine what it writes or
    /// whether it happens.
    pub depends: u64,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Accesses a location: value read, value written. An atomic has both, or only the first if it
    /// writes nothing.
    Access {
        /// The location.
        loc: usize,
        /// The value read.
        read: Option<i64>,
        /// The value written.
        write: Option<i64>,
    },
    /// A fence.
    Fence,
    /// A barrier.
    Barrier {
        /// The round.
        round: i64,
        /// The resource.
        id: i64,
        /// The number of threads that complete it.
        count: Option<usize>,
        /// Does not wait.
        arrive: bool,
        /// Waits forever: the thread ends here.
        stuck: bool,
    },
}

/// A run of a thread.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Its events.
    pub events: Vec<Event>,
    /// Its final registers.
    pub regs: Vec<i64>,
}

/// A limit of the checker that a program exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// More than 64 events.
    Events,
    /// Too many runs of a thread.
    Traces,
}

/// The most runs of a thread.
const TRACES: usize = 20_000;

/// The runs of a thread whose reads return values of the domain, with at most `turns` backward
/// jumps.
///
/// # Errors
/// A limit of the checker.
pub fn traces(thread: &Thread, domain: &[BTreeSet<i64>], turns: usize) -> Result<Vec<Trace>, Limit> {
    let regs = thread.regs.iter().map(|r| r.1).collect::<Vec<_>>();
    let taint = vec![0; regs.len()];
    let start = State { at: 0, turns, control: 0, taint, done: Trace { events: Vec::new(), regs } };
    let mut out = Vec::new();
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        state.run(thread, domain, &mut open, &mut out)?;
        if out.len() > TRACES {
            return Err(Limit::Traces);
        }
    }
    out.reverse();
    Ok(out)
}

#[derive(Clone)]
struct State {
    at: usize,
    turns: usize,
    control: u64,
    taint: Vec<u64>,
    done: Trace,
}

impl State {
    fn value(&self, operand: Operand) -> (i64, u64) {
        match operand {
            Operand::Reg(r) => (self.done.regs[r], self.taint[r]),
            Operand::Const(c) => (c, 0),
        }
    }

    fn set(&mut self, reg: usize, value: i64, taint: u64) {
        (self.done.regs[reg], self.taint[reg]) = (value, taint);
    }

    fn push(&mut self, kind: Kind, strength: Strength, depends: u64) -> Result<u64, Limit> {
        if self.done.events.len() >= 60 {
            return Err(Limit::Events);
        }
        self.done.events.push(Event { kind, strength, depends: depends | self.control });
        Ok(1 << (self.done.events.len() - 1))
    }

    /// Runs to the end, or to the next read, which gives one state for each value.
    fn run(
        mut self,
        thread: &Thread,
        domain: &[BTreeSet<i64>],
        open: &mut Vec<State>,
        out: &mut Vec<Trace>,
    ) -> Result<(), Limit> {
        while let Some(instr) = thread.code.get(self.at) {
            let mut next = self.at + 1;
            match *instr {
                Instr::Move(dst, a) => {
                    let (value, taint) = self.value(a);
                    self.set(dst, value, taint);
                }
                Instr::Add(dst, a, b) => {
                    let ((a, ta), (b, tb)) = (self.value(a), self.value(b));
                    self.set(dst, a + b, ta | tb);
                }
                Instr::Load(strength, dst, loc) => {
                    for &value in &domain[loc] {
                        let mut state = self.clone();
                        let bit = state.push(Kind::Access { loc, read: Some(value), write: None }, strength, 0)?;
                        state.set(dst, value, bit);
                        state.at = next;
                        open.push(state);
                    }
                    return Ok(());
                }
                Instr::Store(strength, loc, a) => {
                    let (value, taint) = self.value(a);
                    self.push(Kind::Access { loc, read: None, write: Some(value) }, strength, taint)?;
                }
                Instr::Atom { strength, op, dst, loc, args } => {
                    let [(a, ta), (b, tb)] = args.map(|a| self.value(a));
                    for &old in &domain[loc] {
                        let write = match op {
                            AtomOp::Add => Some(old + a),
                            AtomOp::Sub => Some(old - a),
                            AtomOp::Exch => Some(a),
                            AtomOp::Cas => (old == a).then_some(b),
                        };
                        let mut state = self.clone();
                        // The value that an exchange writes does not depend on the value it reads.
                        let own = if op == AtomOp::Exch { 0 } else { 1 << state.done.events.len() };
                        let bit = state.push(Kind::Access { loc, read: Some(old), write }, strength, ta | tb | own)?;
                        if let Some(dst) = dst {
                            state.set(dst, old, bit);
                        }
                        state.at = next;
                        open.push(state);
                    }
                    return Ok(());
                }
                Instr::Fence(strength) => {
                    self.push(Kind::Fence, strength, 0)?;
                }
                Instr::Barrier { round, id, count, arrive } => {
                    let (id, taint) = self.value(id);
                    let barrier = |stuck| Kind::Barrier { round, id, count, arrive, stuck };
                    if count.is_some() && !arrive && next == thread.code.len() {
                        let mut stuck = self.clone();
                        stuck.push(barrier(true), Strength::WEAK, taint)?;
                        out.push(stuck.done);
                    }
                    self.push(barrier(false), Strength::WEAK, taint)?;
                }
                Instr::Branch(equal, a, b, to) => {
                    let ((a, ta), (b, tb)) = (self.value(a), self.value(b));
                    self.control |= ta | tb;
                    if (a == b) == equal {
                        next = to;
                    }
                }
                Instr::Goto(to) => next = to,
            }
            if next <= self.at {
                let Some(left) = self.turns.checked_sub(1) else { return Ok(()) };
                self.turns = left;
            }
            self.at = next;
        }
        out.push(self.done);
        Ok(())
    }
}
