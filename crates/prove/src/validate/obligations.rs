//! What has to hold at the ends of parts.

use std::collections::BTreeSet;

use raddle_entity::FxHashMap;
use raddle_ir::{Block, Kind as FunctionKind, Value};

use super::Pair;
use super::relation::{Relation, Second};
use crate::exec::{Exec, Frame, Stuck, part, shared_ends};
use crate::side::Side;
use crate::term::{Bank, Kind, Node, Sort, Term};

/// What a duty is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Whether both come to the same end.
    Path,
    /// A part of the state.
    State(usize),
    /// Whether an index stays inside its array.
    Inside,
    /// A value of the second function at the start of this number.
    Value(usize, Value),
}

impl Aim {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Aim::Path => "the path",
            Aim::State(part::WORLD) => "an effect",
            Aim::State(_) => "memory",
            Aim::Inside => "an index",
            Aim::Value(..) => "a value at a loop",
        }
    }
}

/// Two terms that have to be equal if a condition holds.
#[derive(Clone, Copy, Debug)]
pub struct Duty {
    /// The number of the start of the part.
    pub start: usize,
    /// What it is about.
    pub aim: Aim,
    /// Whether it is about the end of the thread, not about a cut.
    pub at_exit: bool,
    /// When they have to be equal.
    pub when: Term,
    /// In the first function.
    pub left: Term,
    /// In the second.
    pub right: Term,
}

impl<'a, 'f> Pair<'a, 'f> {
    /// Executes all parts of the second function with the values of the relation.
    pub(super) fn execute<'x>(
        &mut self,
        first: &mut [Exec<'x, 'f>],
        second: &mut Vec<Exec<'x, 'f>>,
        relation: &Relation,
        frame: &dyn Fn(&'a Side<'f>) -> Frame<'x, 'f>,
    ) -> Result<(), Stuck>
    where
        'a: 'x,
    {
        for (n, &(_, start)) in self.starts.iter().enumerate() {
            let mut leaves = Second { a: self.a, b: self.b, relation, cut: n, at: start, first: &mut first[n] };
            second.push(Exec::run(&mut self.bank, frame(self.b), start, &self.start, &mut leaves)?);
        }
        Ok(())
    }

    /// All duties of all parts. Values that a part needs from before become duties of the parts
    /// that lead to it.
    pub(super) fn duties(
        &mut self,
        first: &mut [Exec<'_, 'f>],
        second: &mut [Exec<'_, 'f>],
        relation: &Relation,
    ) -> Result<Vec<Duty>, Stuck> {
        let mut out = Vec::new();
        for s in 0..self.starts.len() {
            self.state_duties(first, second, s, &mut out);
        }
        let mut done: BTreeSet<(usize, usize, Value)> = BTreeSet::new();
        loop {
            let before = done.len();
            for s in 0..self.starts.len() {
                for (e, a_end) in shared_ends(&first[s], &second[s]) {
                    let Some(cut) = self.cut_of(second[s].ends[e].target) else { continue };
                    let asked = second[cut].asked.clone();
                    for (v, _) in asked {
                        if done.insert((s, e, v)) {
                            out.push(self.value_duty(first, second, relation, (s, e, a_end), (cut, v))?);
                        }
                    }
                }
            }
            if done.len() == before {
                return Ok(out);
            }
        }
    }

    /// The number of the start that a target is.
    pub(super) fn cut_of(&self, target: Option<Block>) -> Option<usize> {
        let target = target?;
        self.starts.iter().skip(1).position(|s| s.1 == target).map(|n| n + 1)
    }

    fn state_duties(&mut self, first: &[Exec<'_, 'f>], second: &[Exec<'_, 'f>], s: usize, out: &mut Vec<Duty>) {
        let (yes, no) = (self.bank.bit(true), self.bank.bit(false));
        let targets: BTreeSet<Option<Block>> =
            first[s].ends.iter().chain(&second[s].ends).map(|end| end.target).collect();
        for &right in second[s].defined.iter().filter(|d| !first[s].defined.contains(d)) {
            out.push(Duty { start: s, aim: Aim::Inside, at_exit: false, when: yes, left: yes, right });
        }
        let is_read = |slot| second.iter().any(|exec| exec.loads(slot));
        for target in targets {
            let of = |exec: &Exec<'_, 'f>| exec.ends.iter().position(|end| end.target == target);
            let (a, b) = (of(&first[s]), of(&second[s]));
            let reached = [a.map(|n| first[s].ends[n].reached), b.map(|n| second[s].ends[n].reached)];
            let [left, right] = reached.map(|r| r.unwrap_or(no));
            let at_exit = target.is_none();
            out.push(Duty { start: s, aim: Aim::Path, at_exit, when: yes, left, right });
            let (Some(a), Some(b)) = (a, b) else { continue };
            let (x, y) = (&first[s].ends[a].state, &second[s].ends[b].state);
            for (n, (&left, &right)) in x.iter().zip(y).enumerate() {
                let matters = match n {
                    part::WORLD | part::GLOBAL | part::SHARED => true,
                    part::LOCAL => !at_exit || self.a.f.kind == FunctionKind::Called,
                    part::GRID => !at_exit,
                    n => !at_exit && is_read(self.private[n - part::SLOTS]),
                };
                if matters {
                    let when = first[s].ends[a].reached;
                    out.push(Duty { start: s, aim: Aim::State(n), at_exit, when, left, right });
                }
            }
        }
    }

    fn value_duty(
        &mut self,
        first: &mut [Exec<'_, 'f>],
        second: &mut [Exec<'_, 'f>],
        relation: &Relation,
        (s, e, a_end): (usize, usize, usize),
        (cut, v): (usize, Value),
    ) -> Result<Duty, Stuck> {
        let at = self.starts[s].1;
        let right = {
            let mut leaves = Second { a: self.a, b: self.b, relation, cut: s, at, first: &mut first[s] };
            second[s].at_end(&mut self.bank, &mut leaves, e, v)?
        };
        let wanted = {
            let at = self.starts[cut].1;
            let mut leaves = Second { a: self.a, b: self.b, relation, cut, at, first: &mut first[cut] };
            second[cut].old_value(&mut self.bank, &mut leaves, v)?
        };
        let left = self.image(first, (s, a_end), cut, wanted)?;
        Ok(Duty { start: s, aim: Aim::Value(cut, v), at_exit: false, when: first[s].ends[a_end].reached, left, right })
    }

    /// Whether a term of the first function is undefined contents of a variable at the entry, and
    /// the other an undefined value that only the second function has: the first may be anything,
    /// hence also what the second is.
    pub(super) fn may_choose(&self, left: Term, right: Term) -> bool {
        let slots = &self.start[part::SLOTS..];
        let undefined = |&name: &u32| self.bank.name(name).starts_with("undef ");
        matches!(self.bank.node(left), Node::Read(m, _) if slots.contains(m))
            && matches!(self.bank.node(right), Node::Var(name) if undefined(name))
    }

    /// Lets undefined contents at the entry be what the second function has in their place.
    pub(super) fn choose_undefined(&mut self, duties: &mut [Duty]) {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        for duty in duties.iter().filter(|d| d.start == 0) {
            // Words, which accesses have aligned: no two that are chosen share a byte.
            if self.may_choose(duty.left, duty.right) && self.bank.bits(duty.left) == 32 {
                map.entry(duty.left).or_insert(duty.right);
            }
        }
        if map.is_empty() {
            return;
        }
        let mut memo = FxHashMap::default();
        for duty in duties.iter_mut().filter(|d| d.start == 0) {
            duty.left = self.bank.replace(duty.left, &map, &mut memo);
            duty.when = self.bank.replace(duty.when, &map, &mut memo);
        }
    }

    /// What a term over the first function's values at a cut is at the end of a part that leads
    /// there.
    pub(super) fn image(
        &mut self,
        first: &mut [Exec<'_, 'f>],
        (s, end): (usize, usize),
        cut: usize,
        t: Term,
    ) -> Result<Term, Stuck> {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        for (&var, &now) in self.start.iter().zip(&first[s].ends[end].state) {
            map.insert(var, now);
        }
        let used: BTreeSet<Term> = self.bank.reachable(&[t]).into_iter().collect();
        for (v, var) in first[cut].asked.clone() {
            if used.contains(&var) {
                let mut leaves = super::relation::First { f: self.a.f };
                let now = first[s].at_end(&mut self.bank, &mut leaves, end, v)?;
                map.insert(var, now);
            }
        }
        Ok(self.bank.replace(t, &map, &mut FxHashMap::default()))
    }
}

/// Most equalities that one is split into.
const SPLITS: usize = 2000;

impl Bank {
    /// Equalities of parts that imply one of wholes: the operands of effects and of writes, the
    /// arms of choices by the same condition. `deep`: those of every operation on both sides, though
    /// the wholes may be equal without them.
    pub fn split(&mut self, when: Term, left: Term, right: Term, deep: bool) -> Vec<(Term, Term, Term)> {
        let mut out = Vec::new();
        let mut seen: BTreeSet<(Term, Term, Term)> = BTreeSet::new();
        let mut work = vec![(when, left, right)];
        while let Some((now, a, b)) = work.pop() {
            if a == b || self.constant(now) == Some(0) || !seen.insert((now, a, b)) {
                continue;
            }
            if seen.len() > SPLITS {
                return vec![(when, left, right)];
            }
            match (self.node(a).clone(), self.node(b).clone()) {
                (Node::Apply(f, x), Node::Apply(g, y))
                    if f == g && (deep || self.sort(a) == Sort::World) && self.same_sorts(&x, &y) =>
                {
                    work.extend(x.iter().zip(&y).map(|(&x, &y)| (now, x, y)));
                }
                (Node::Write(m, p, v), Node::Write(n, q, w)) if (deep || p == q) && self.bits(v) == self.bits(w) => {
                    work.extend([(now, m, n), (now, p, q), (now, v, w)]);
                }
                (Node::Read(m, p), Node::Read(n, q)) if deep && self.bits(a) == self.bits(b) => {
                    work.extend([(now, m, n), (now, p, q)]);
                }
                (Node::Op(Kind::Ite, x), Node::Op(Kind::Ite, y))
                    if x[0] == y[0] && (deep || !matches!(self.sort(a), Sort::Bits(_))) =>
                {
                    let not = self.not(x[0]);
                    let (yes, no) = (self.and(now, x[0]), self.and(now, not));
                    work.extend([(yes, x[1], y[1]), (no, x[2], y[2])]);
                }
                (Node::Op(k, x), Node::Op(l, y)) if deep && k == l && self.same_sorts(&x, &y) => {
                    work.extend(paired(k, &x, &y).into_iter().map(|(x, y)| (now, x, y)));
                }
                (Node::Sum(x, c), Node::Sum(y, d)) if deep && c == d && x.len() == y.len() => {
                    let rest = |a: &[(Term, u128)], b: &[(Term, u128)]| -> Vec<(Term, u128)> {
                        a.iter().filter(|p| !b.contains(p)).copied().collect()
                    };
                    let (x, y) = (rest(&x, &y), rest(&y, &x));
                    if x.iter().map(|p| p.1).eq(y.iter().map(|p| p.1)) {
                        work.extend(x.iter().zip(&y).map(|(x, y)| (now, x.0, y.0)));
                    } else {
                        out.push((now, a, b));
                    }
                }
                _ => out.push((now, a, b)),
            }
        }
        out
    }

    /// The conditions with a variable in the place of each outermost read, product, quotient and
    /// unknown function. If they cannot hold for any values of these, they cannot hold.
    pub fn simplified(&mut self, conditions: &[Term]) -> Vec<Term> {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        for t in self.reachable(conditions) {
            let hard = matches!(
                self.node(t),
                Node::Read(..)
                    | Node::Apply(..)
                    | Node::Op(Kind::Mul | Kind::UDiv | Kind::URem | Kind::SDiv | Kind::SRem, _)
            );
            if hard {
                let sort = self.sort(t);
                let var = self.var(&format!("any {}", t.index()), sort);
                map.insert(t, var);
            }
        }
        let mut memo = map.clone();
        conditions.iter().map(|&c| self.replace(c, &map, &mut memo)).collect()
    }

    fn same_sorts(&self, x: &[Term], y: &[Term]) -> bool {
        x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.sort(x) == self.sort(y))
    }

    /// Whether the term is a function that is not modelled: neither memory nor what an effect gave.
    pub fn is_unmodelled(&self, t: Term) -> bool {
        matches!(self.node(t), Node::Apply(_, args)
            if matches!(self.sort(t), Sort::Bits(_))
                && args.first().is_none_or(|&a| self.sort(a) != Sort::World))
    }
}

/// The operands of two operations of a kind, side by side; where they may be exchanged and one is
/// the same, the others.
fn paired(kind: Kind, x: &[Term], y: &[Term]) -> Vec<(Term, Term)> {
    let exchanges = matches!(kind, Kind::Mul | Kind::And | Kind::Or | Kind::Xor | Kind::Eq);
    match (x, y) {
        (&[a, b], &[c, d]) if exchanges && a == d => vec![(b, c)],
        (&[a, b], &[c, d]) if exchanges && b == c => vec![(a, d)],
        _ => x.iter().copied().zip(y.iter().copied()).collect(),
    }
}
