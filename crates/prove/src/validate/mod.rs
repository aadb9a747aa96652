//! Translation validation: whether a function does after a pass what it did before.
//!
//! Both functions are cut at the same blocks, so that no cycle is left, and executed symbolically
//! from each cut to the next ([`crate::exec`]). A relation says, at each cut, which term over the
//! values of the first function each value of the second equals; it is proven as an invariant: if
//! it holds at a cut, then from there both functions come to the same cut, with the same state,
//! and it holds there again. Where they end, the effects and the memory that others see are the same.
//!
//! A value keeps its number through a pass, so the relation is mostly the identity. For values that
//! only the second function has, [`relation`] finds candidates.
//!
//! What this does not show: that a function ends; that an access is made only where the first
//! function makes one (a load that is moved up may be to an address that the first never reads).

mod obligations;
mod ranges;
mod relation;

use std::collections::BTreeSet;

use raddle_ir::{Block, Function, Slot, Space, Value};

use crate::exec::{Exec, Frame, State, Stuck, start_state};
use crate::side::Side;
use crate::solver::{Answer, Solver, SolverError};
use crate::term::{Bank, Term};
use obligations::{Aim, Duty};
use relation::{First, Relation};

/// What is known of a pair of functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The second does what the first did.
    Proven,
    /// For these values of what the functions read, they differ.
    Refuted(Vec<(String, String)>),
    /// Neither; the reason.
    Open(Reason),
}

/// Why nothing is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Reason {
    /// No blocks that both have cut all cycles of both.
    #[error("loops were changed")]
    Loops,
    /// A part cannot be executed, or a value has no counterpart.
    #[error("{0}")]
    Stuck(String),
    /// The solver has not answered in time.
    #[error("time-out")]
    Timeout,
    /// The solver has a difference, but it may come from what is not modelled, or from a state that
    /// cannot be reached.
    #[error("{0} may differ")]
    Difference(&'static str),
    /// Without a solver, what is not equal by its form is not known to be.
    #[error("no solver")]
    NoSolver,
}

impl From<Stuck> for Reason {
    fn from(stuck: Stuck) -> Reason {
        Reason::Stuck(match stuck {
            // Without numbers, so that reasons can be counted.
            Stuck::NoCounterpart(..) => "a value has no counterpart".to_owned(),
            Stuck::Ambiguous(_) => "a value may be old or new".to_owned(),
            other => other.to_string(),
        })
    }
}

/// Most changes of the relation before a pair is given up.
const ROUNDS: usize = 60;

/// Compares a function before a pass with the same after it.
///
/// # Errors
/// If the solver cannot be asked.
pub fn validate(before: &Function, after: &Function, solver: Option<&mut Solver>) -> Result<Verdict, SolverError> {
    let (a, b) = (Side::of(before), Side::of(after));
    let mut solver = solver;
    let mut last = Verdict::Open(Reason::Loops);
    for cuts in cut_sets(&a, &b) {
        let verdict = Pair::new(&a, &b, cuts).check(solver.as_deref_mut())?;
        if !matches!(verdict, Verdict::Open(_)) {
            return Ok(verdict);
        }
        if !matches!(&verdict, Verdict::Open(Reason::Loops)) {
            last = verdict;
        }
    }
    Ok(last)
}

/// Sets of blocks of both functions that cut all cycles of both.
fn cut_sets(a: &Side<'_>, b: &Side<'_>) -> Vec<Vec<Block>> {
    let is_common = |x: &Block| {
        let exists = |s: &Side<'_>| (x.as_u32() as usize) < s.f.blocks.len() && s.cfg.reachable(*x);
        exists(a) && exists(b)
    };
    let common = |mut blocks: Vec<Block>| {
        blocks.retain(is_common);
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    };
    let (of_a, of_b) = (common(a.back_targets()), common(b.back_targets()));
    let both = common(of_a.iter().chain(&of_b).copied().collect());
    let mut out = Vec::new();
    for cuts in [of_b, of_a, both] {
        if !out.contains(&cuts) && a.is_cut_by(&cuts) && b.is_cut_by(&cuts) {
            out.push(cuts);
        }
    }
    out
}

/// Two functions with their cuts.
struct Pair<'a, 'f> {
    a: &'a Side<'f>,
    b: &'a Side<'f>,
    /// Where execution begins in each; the first is the entry.
    starts: Vec<(Block, Block)>,
    cuts: Vec<Block>,
    private: Vec<Slot>,
    bank: Bank,
    start: State,
}

impl<'a, 'f> Pair<'a, 'f> {
    fn new(a: &'a Side<'f>, b: &'a Side<'f>, cuts: Vec<Block>) -> Self {
        let mut starts = vec![(a.f.entry(), b.f.entry())];
        starts.extend(cuts.iter().map(|&c| (c, c)));
        let escaped: BTreeSet<Slot> = a.escaped().into_iter().chain(b.escaped()).collect();
        // Shared memory changes at barriers, whoever knows its address.
        let is_private = |slot: &Slot| !escaped.contains(slot) && a.f.slots[*slot].space == Space::Local;
        let private: Vec<Slot> = a.f.slots.keys().filter(is_private).collect();
        let mut bank = Bank::default();
        let start = start_state(&mut bank, private.len());
        Pair { a, b, starts, cuts, private, bank, start }
    }

    fn check(mut self, mut solver: Option<&mut Solver>) -> Result<Verdict, SolverError> {
        let (cuts, private) = (self.cuts.clone(), self.private.clone());
        let frame = |side| Frame { side, cuts: &cuts, private: &private };
        let mut first = Vec::new();
        for &(start, _) in &self.starts {
            let mut leaves = First { f: self.a.f };
            match Exec::run(&mut self.bank, frame(self.a), start, &self.start, &mut leaves) {
                Ok(exec) => first.push(exec),
                Err(stuck) => return Ok(Verdict::Open(stuck.into())),
            }
        }
        let mut relation = Relation::default();
        for _ in 0..ROUNDS {
            if let Some(verdict) = self.round(&mut first, &mut relation, &frame, solver.as_deref_mut())? {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Open(Reason::Stuck("no relation found".to_owned())))
    }

    /// One attempt with a relation: a verdict, or nothing if the relation was changed.
    fn round<'x>(
        &mut self,
        first: &mut Vec<Exec<'x, 'f>>,
        relation: &mut Relation,
        frame: &dyn Fn(&'a Side<'f>) -> Frame<'x, 'f>,
        mut solver: Option<&mut Solver>,
    ) -> Result<Option<Verdict>, SolverError>
    where
        'a: 'x,
    {
        let mut second: Vec<Exec<'x, 'f>> = Vec::new();
        let executed = self.execute(first, &mut second, relation, frame);
        let mut duties = match executed.and_then(|()| self.duties(first, &mut second, relation)) {
            Ok(duties) => duties,
            Err(stuck) => return Ok(self.mended(stuck, first, &mut second, relation)),
        };
        self.choose_undefined(&mut duties);
        duties.retain(|d: &Duty| d.left != d.right && self.bank.constant(d.when) != Some(0));
        // Values of the second function may have other counterparts: those first.
        duties.sort_by_key(|d| !matches!(d.aim, Aim::Value(..)));
        let mut worst: Option<Verdict> = None;
        let mut wrong: BTreeSet<(usize, Value)> = BTreeSet::new();
        for duty in &duties {
            let aim = if let Aim::Value(cut, v) = duty.aim { Some((cut, v)) } else { None };
            if aim.is_some_and(|aim| wrong.contains(&aim)) {
                continue;
            }
            if aim.is_none() && !wrong.is_empty() {
                break;
            }
            let answer = match solver.as_deref_mut() {
                Some(solver) => Some(self.ask(solver, duty)?),
                None => None,
            };
            if answer == Some(Answer::Never) {
                continue;
            }
            let verdict = match answer {
                Some(Answer::For(values)) if self.is_real(duty) => return Ok(Some(Verdict::Refuted(values))),
                Some(Answer::For(_)) => Verdict::Open(Reason::Difference(duty.aim.name())),
                Some(_) => Verdict::Open(Reason::Timeout),
                None => Verdict::Open(Reason::NoSolver),
            };
            worst = worst.or(Some(verdict));
            match aim {
                Some(aim) => drop(wrong.insert(aim)),
                // The others are looked at only for a counterexample.
                None if duty.start != 0 => break,
                None => {}
            }
        }
        let mut changed = false;
        for (cut, v) in wrong {
            changed |= relation.other(self, first, &mut second, cut, v);
        }
        Ok(if changed { None } else { Some(worst.unwrap_or(Verdict::Proven)) })
    }

    /// Gives a value without counterpart one, if candidates are found.
    fn mended(
        &mut self,
        stuck: Stuck,
        first: &mut [Exec<'_, 'f>],
        second: &mut [Exec<'_, 'f>],
        relation: &mut Relation,
    ) -> Option<Verdict> {
        if let Stuck::NoCounterpart(v, b) = stuck
            && let Some(cut) = self.starts.iter().position(|s| s.1 == b)
            && relation.other(self, first, second, cut, v)
        {
            return None;
        }
        Some(Verdict::Open(stuck.into()))
    }

    /// Asks the solver whether a duty can fail.
    fn ask(&mut self, solver: &mut Solver, duty: &Duty) -> Result<Answer, SolverError> {
        for (when, left, right) in self.bank.split(duty.when, duty.left, duty.right) {
            let equal = self.bank.equal(left, right);
            let differ = self.bank.not(equal);
            let mut conditions = vec![when, differ];
            conditions.extend(ranges::of(&mut self.bank, &[when, differ], &self.a.f.bounds));
            let answer = solver.ask(&self.bank, &conditions)?;
            if answer != Answer::Never {
                return Ok(answer);
            }
        }
        Ok(Answer::Never)
    }

    /// Whether a difference that the solver found is one: from the entry on, and not by a function
    /// that is not modelled and that only one side has.
    fn is_real(&self, duty: &Duty) -> bool {
        if duty.start != 0 || matches!(duty.aim, Aim::Value(..)) {
            return false;
        }
        let functions = |t: Term| -> BTreeSet<Term> {
            self.bank.reachable(&[t]).into_iter().filter(|&t| self.bank.is_unmodelled(t)).collect()
        };
        functions(duty.left) == functions(duty.right)
    }
}

#[cfg(test)]
mod tests;
