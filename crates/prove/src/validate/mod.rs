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
//! Loops that a pass unrolls to their end are executed to their end ([`peel`]).
//!
//! What this does not show: that a function ends; that an access is made only where the first
//! function makes one (a load that is moved up may be to an address that the first never reads).

mod obligations;
mod peel;
mod relation;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use raddle_ir::{Block, Function, Slot, Space, Value};

use crate::exec::{End, Exec, Frame, State, Stuck, part, start_state};
use crate::ranges;
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

/// When a pair is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time that the solver may take for all questions about it.
    pub asking: Duration,
    /// The most instructions of the function before.
    pub instructions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { asking: Duration::from_secs(10), instructions: 6000 }
    }
}

/// Most changes of the relation before a pair is given up.
const ROUNDS: usize = 60;

/// Compares a function before a pass with the same after it.
///
/// # Errors
/// If the solver cannot be asked.
pub fn validate(
    before: &Function,
    after: &Function,
    solver: Option<&mut Solver>,
    limits: Limits,
) -> Result<Verdict, SolverError> {
    let mut solver = solver;
    if before.layout.iter().map(|&b| before.blocks[b].insts.len()).sum::<usize>() > limits.instructions {
        return Ok(Verdict::Open(Stuck::Size.into()));
    }
    let (a, b) = (Side::of(before), Side::of(after));
    let mut last = Verdict::Open(Reason::Loops);
    for cuts in cut_sets(&a, &b, &[]) {
        let verdict = Pair::new(&a, &b, cuts, limits, &[]).check(solver.as_deref_mut())?;
        if !matches!(verdict, Verdict::Open(_)) {
            return Ok(verdict);
        }
        last = verdict;
    }
    // Loops that the second function does not have are executed to their ends, if these are known.
    let kept = b.back_targets();
    let gone: Vec<Block> = a.back_targets().into_iter().filter(|h| !kept.contains(h)).collect();
    for times in PEELED {
        if gone.is_empty() || gone.len() > 4 {
            break;
        }
        let peeled = gone.iter().try_fold(before.clone(), |f, &header| peel::peeled(&f, header, times));
        let Some(peeled) = peeled else { break };
        let size: usize = peeled.layout.iter().map(|&b| peeled.blocks[b].insts.len()).sum();
        if size > limits.instructions {
            break;
        }
        let a = Side::of(&peeled);
        for cuts in cut_sets(&a, &b, &gone) {
            let verdict = Pair::new(&a, &b, cuts, limits, &gone).check(solver.as_deref_mut())?;
            if !matches!(verdict, Verdict::Open(_)) {
                return Ok(verdict);
            }
        }
    }
    Ok(last)
}

/// How many iterations are tried.
const PEELED: [usize; 6] = [2, 4, 8, 16, 32, 64];

/// Sets of blocks of both functions that cut all cycles of both, but for those that `gone` cuts.
fn cut_sets(a: &Side<'_>, b: &Side<'_>, gone: &[Block]) -> Vec<Vec<Block>> {
    let is_common = |x: &Block| {
        let exists = |s: &Side<'_>| (x.as_u32() as usize) < s.f.blocks.len() && s.cfg.reachable(*x);
        !gone.contains(x) && exists(a) && exists(b)
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
        let all: Vec<Block> = cuts.iter().chain(gone).copied().collect();
        if !out.contains(&cuts) && a.is_cut_by(&all) && b.is_cut_by(&cuts) {
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
    /// Cuts of the first function that it never comes to.
    gone: Vec<Block>,
    private: Vec<Slot>,
    bank: Bank,
    start: State,
    /// What the solver said of questions.
    answers: BTreeMap<(Term, Term, Term), Answer>,
    limits: Limits,
    /// The time that the solver took.
    asking: Duration,
    /// What holds, from each start, wherever the first function is defined.
    defined: Vec<Vec<Term>>,
}

impl<'a, 'f> Pair<'a, 'f> {
    fn new(a: &'a Side<'f>, b: &'a Side<'f>, cuts: Vec<Block>, limits: Limits, gone: &[Block]) -> Self {
        let mut starts = vec![(a.f.entry(), b.f.entry())];
        starts.extend(cuts.iter().map(|&c| (c, c)));
        let escaped: BTreeSet<Slot> = a.escaped().into_iter().chain(b.escaped()).collect();
        // Shared memory changes at barriers, even if no other thread was given its address.
        let is_private = |slot: &Slot| !escaped.contains(slot) && a.f.slots[*slot].space == Space::Local;
        let private: Vec<Slot> = a.f.slots.keys().filter(is_private).collect();
        let mut bank = Bank::default();
        let start = start_state(&mut bank, private.len());
        Pair {
            a,
            b,
            starts,
            gone: gone.to_vec(),
            cuts,
            private,
            bank,
            start,
            answers: BTreeMap::new(),
            limits,
            asking: Duration::ZERO,
            defined: Vec::new(),
        }
    }

    fn check(mut self, mut solver: Option<&mut Solver>) -> Result<Verdict, SolverError> {
        let (cuts, private) = (self.cuts.clone(), self.private.clone());
        let all: Vec<Block> = cuts.iter().chain(&self.gone).copied().collect();
        let frame = |side| Frame { side, cuts: &cuts, private: &private };
        let mut first = Vec::new();
        for &(start, _) in &self.starts {
            let mut leaves = First { f: self.a.f };
            let frame = Frame { side: self.a, cuts: &all, private: &private };
            match Exec::run(&mut self.bank, frame, start, &self.start, &mut leaves) {
                Ok(exec) => {
                    let comes = |end: &End| {
                        end.target.is_some_and(|b| self.gone.contains(&b)) && self.bank.constant(end.reached) != Some(0)
                    };
                    if exec.ends.iter().any(comes) {
                        return Ok(Verdict::Open(Reason::Loops));
                    }
                    self.defined.push(exec.defined.clone());
                    first.push(exec);
                }
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
        let Duty { left, right, .. } = *duty;
        // Only what the first function defines has to stay.
        let when = self.defined[duty.start].iter().fold(duty.when, |when, &d| self.bank.and(when, d));
        // Equal operands make equal results: the smallest questions that differ, if they suffice.
        let whole = [(when, left, right)];
        for deep in [true, false] {
            let parts = self.bank.split(when, left, right, deep);
            if parts != whole && self.all_equal(solver, &parts)? == Answer::Never {
                return Ok(Answer::Never);
            }
        }
        self.all_equal(solver, &whole)
    }

    fn all_equal(&mut self, solver: &mut Solver, parts: &[(Term, Term, Term)]) -> Result<Answer, SolverError> {
        for &(when, left, right) in parts {
            if let Some(known) = self.answers.get(&(when, left, right)) {
                if *known == Answer::Never {
                    continue;
                }
                return Ok(known.clone());
            }
            let answer = self.differ(solver, when, left, right)?;
            self.answers.insert((when, left, right), answer.clone());
            if answer != Answer::Never {
                return Ok(answer);
            }
        }
        Ok(Answer::Never)
    }

    /// Asks whether two terms can differ where a condition holds: first of all values in the place
    /// of memory, products and what is not modelled, which are mostly the same on both sides.
    fn differ(&mut self, solver: &mut Solver, when: Term, left: Term, right: Term) -> Result<Answer, SolverError> {
        if self.asking > self.limits.asking {
            return Ok(Answer::Unknown);
        }
        let start = Instant::now();
        let equal = self.bank.equal(left, right);
        let differ = self.bank.not(equal);
        let simple = self.bank.simplified(&[when, differ]);
        let mut answer = Answer::Unknown;
        for conditions in [simple, vec![when, differ]] {
            if conditions.iter().any(|&c| self.bank.constant(c) == Some(0)) {
                answer = Answer::Never;
                break;
            }
            let ranges = ranges::of(&mut self.bank, &conditions, &self.a.f.bounds);
            let all: Vec<Term> = conditions.iter().copied().chain(ranges).collect();
            answer = solver.ask(&self.bank, &all)?;
            if answer == Answer::Never || conditions == [when, differ] {
                break;
            }
        }
        self.asking += start.elapsed();
        Ok(answer)
    }

    /// Whether a difference that the solver found is one: from the entry on, seen by others, and not
    /// by a function that is not modelled and that only one side has. Memory at a cut may still be
    /// overwritten, and another cut be the beginning of the same.
    fn is_real(&self, duty: &Duty) -> bool {
        let seen = match duty.aim {
            Aim::Path => self.starts.len() == 1,
            Aim::State(part::WORLD) => true,
            Aim::State(_) => duty.at_exit,
            Aim::Value(..) | Aim::Inside => false,
        };
        if duty.start != 0 || !seen {
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
