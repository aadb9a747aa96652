//! Checks that the compiler's reordering rule is sound: a program with a swapped pair has no new
//! outcome.
//!
//! A pair is two adjacent memory operations of a thread that [`may_swap_by`] lets be reordered and
//! that share no register.
//!
//! **Races.** The model gives programs with data races a meaning too: racing writes are not in
//! coherence order, and a read may see either (PTX ISA 9.0, 8.9.6, 8.10). So racy programs are
//! checked by the same rule, without exception.

use std::collections::BTreeSet;

use raddle_ir::order::{Event, Rules, Strength, may_swap_by};

use super::decide::outcomes;
use super::program::{Instr, Outcome, Program, Sem};
use super::trace::Limit;

/// A pair whose exchange adds an outcome to a program.
#[derive(Clone, Debug)]
pub struct Unsound {
    /// The thread.
    pub thread: usize,
    /// The number of the first of the two instructions.
    pub at: usize,
    /// The new outcome.
    pub outcome: Outcome,
}

/// The compiler's view of an operation of a thread; `None` if it does not affect memory.
pub fn event(program: &Program, thread: usize, instr: &Instr) -> Option<Event> {
    let (sem, writes) = match instr {
        Instr::Load(s, ..) => (s.sem, false),
        Instr::Store(s, ..) => (s.sem, true),
        Instr::Atom { strength, .. } => (strength.sem, true),
        Instr::Fence(_) | Instr::Barrier { .. } => (Sem::Sc, false),
        _ => return None,
    };
    let strength = match sem {
        Sem::Weak => Strength::Weak,
        Sem::Volatile | Sem::Relaxed => Strength::Strong,
        Sem::Acquire => Strength::Acquire,
        Sem::Release => Strength::Release,
        Sem::AcqRel | Sem::Sc => Strength::Both,
    };
    // Treated as local memory: no other thread accesses it.
    let shared = |loc| {
        let threads = program.threads.iter().enumerate();
        threads.filter(|(n, _)| *n != thread).any(|(_, t)| t.code.iter().any(|i| i.loc() == Some(loc)))
    };
    Some(Event { strength, writes, private: instr.loc().is_some_and(|loc| !shared(loc)) })
}

/// The pairs that may be reordered: thread, number of the first instruction.
pub fn pairs(program: &Program, rules: Rules) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for (t, thread) in program.threads.iter().enumerate() {
        let target =
            |at: usize| thread.code.iter().any(|i| matches!(i, Instr::Branch(.., to) | Instr::Goto(to) if *to == at));
        for (n, pair) in thread.code.windows(2).enumerate() {
            let (Some(a), Some(b)) = (event(program, t, &pair[0]), event(program, t, &pair[1])) else { continue };
            let overlap = pair[0].loc().is_some() && pair[0].loc() == pair[1].loc();
            if !bound(&pair[0], &pair[1]) && !target(n + 1) && may_swap_by(rules, a, b, overlap) {
                out.push((t, n));
            }
        }
    }
    out
}

/// Whether two instructions share a register that one of them writes.
fn bound(a: &Instr, b: &Instr) -> bool {
    let uses = |i: &Instr, reg| i.uses().into_iter().any(|o| o == super::program::Operand::Reg(reg));
    a.def().is_some_and(|reg| uses(b, reg) || b.def() == Some(reg)) || b.def().is_some_and(|reg| uses(a, reg))
}

/// The pairs of a program that the rules allow although their exchange adds an outcome, and the
/// number of pairs tried.
///
/// # Errors
/// A limit of the checker.
pub fn unsound(program: &Program, rules: Rules, turns: usize) -> Result<(Vec<Unsound>, usize), Limit> {
    let pairs = pairs(program, rules);
    let mut out = Vec::new();
    let mut before: Option<BTreeSet<Outcome>> = None;
    for &(thread, at) in &pairs {
        let known = match before.take() {
            Some(known) => known,
            None => outcomes(program, turns)?.0,
        };
        let mut swapped = program.clone();
        swapped.threads[thread].code.swap(at, at + 1);
        let after = outcomes(&swapped, turns)?.0;
        out.extend(after.difference(&known).take(1).map(|o| Unsound { thread, at, outcome: o.clone() }));
        before = Some(known);
    }
    Ok((out, pairs.len()))
}
