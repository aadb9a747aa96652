//! Symbolic execution of a part of a function without cycles: from a cut to the next ones.
//!
//! Every value and every part of the state becomes one term over what held at the start. Where
//! paths meet, a term chooses by the conditions of the branches, in the order in which they are
//! asked ([`Exec::gather`]): paths are never listed one by one, and functions that ask the same in
//! other blocks give the same terms.

mod elements;
mod graph;
mod step;

use raddle_entity::{FxHashMap, SecondaryMap};
use raddle_ir::{Block, Inst, Op, Slot, Terminator, Value, ValueDef};

use crate::side::Side;
use crate::term::{Bank, Sort, Term};
use graph::Graph;

/// Why a function cannot be executed so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// A cycle that no cut breaks.
    #[error("a cycle without a cut")]
    Cycle,
    /// A value that may be from before the start or from after it.
    #[error("{0} is old or new")]
    Ambiguous(Value),
    /// A value of the second function that no value of the first is known to equal.
    #[error("no counterpart of {0} at {1}")]
    NoCounterpart(Value, Block),
    /// Terms have become too many.
    #[error("too large")]
    Size,
}

/// Parts of the state, the first numbers of [`State`].
pub mod part {
    /// The effects so far.
    pub const WORLD: usize = 0;
    /// Global memory.
    pub const GLOBAL: usize = 1;
    /// Shared memory.
    pub const SHARED: usize = 2;
    /// Local memory.
    pub const LOCAL: usize = 3;
    /// Global memory that is read-only within a grid.
    pub const GRID: usize = 4;
    /// The first of the variables whose address stays in the function.
    pub const SLOTS: usize = 5;
}

/// One term for each part of the state.
pub type State = Vec<Term>;

/// The state at a start, as variables; both functions begin with the same.
pub fn start_state(bank: &mut Bank, slots: usize) -> State {
    let mut state = vec![bank.var("world", Sort::World)];
    for (name, bits) in [("global", 64), ("shared", 32), ("local", 32), ("grid", 64)] {
        state.push(bank.var(name, Sort::Memory(bits)));
    }
    (0..slots).for_each(|n| state.push(bank.var(&format!("slot{n} contents"), Sort::Memory(32))));
    state
}

/// Gives a term for a value from before the start that no operation can be executed for again.
pub trait Leaves {
    /// The term of a parameter, a loaded value, the result of an effect.
    ///
    /// # Errors
    /// [`Stuck::NoCounterpart`].
    fn leaf(&mut self, bank: &mut Bank, v: Value) -> Result<Term, Stuck>;
}

/// What an execution works with.
pub struct Frame<'a, 'f> {
    /// The function.
    pub side: &'a Side<'f>,
    /// The cuts.
    pub cuts: &'a [Block],
    /// The variables whose address stays in the function, in both functions.
    pub private: &'a [Slot],
}

/// Where a part of a function ends.
pub struct End {
    /// The next cut; `None`: the end of the thread.
    pub target: Option<Block>,
    /// Whether the execution comes here.
    pub reached: Term,
    /// The state here.
    pub state: State,
    /// The values passed to the parameters of the cut.
    pub params: Vec<Term>,
    /// The blocks with an edge to here.
    sources: Vec<usize>,
}

/// An executed part of a function.
pub struct Exec<'a, 'f> {
    frame: Frame<'a, 'f>,
    graph: Graph,
    /// Terms of the values computed since the start.
    env: FxHashMap<Value, Term>,
    /// Terms of values from before.
    old: FxHashMap<Value, Term>,
    /// The leaves that were asked for, in order.
    pub asked: Vec<(Value, Term)>,
    /// The state at the end of each block, by its place in the graph.
    after: Vec<State>,
    conds: Vec<Option<Term>>,
    /// Where it ends, in order of targets.
    pub ends: Vec<End>,
    loaded: SecondaryMap<Slot, bool>,
    /// Conditions that hold where a block is executed, as its accesses would be undefined without.
    inside: Vec<(usize, Term)>,
    /// Conditions that hold in every execution that is defined.
    pub defined: Vec<Term>,
}

/// Where edges are followed to.
#[derive(Clone, Copy)]
enum To {
    /// The block at this place.
    Block(usize),
    /// This end.
    End(Option<Block>),
}

/// Most terms of a bank.
const MOST: usize = 3_000_000;

impl<'a, 'f> Exec<'a, 'f> {
    /// Executes from `start` to the next cuts. The parameters of `start` are leaves.
    ///
    /// # Errors
    /// See [`Stuck`].
    pub fn run(
        bank: &mut Bank,
        frame: Frame<'a, 'f>,
        start: Block,
        state: &State,
        leaves: &mut dyn Leaves,
    ) -> Result<Exec<'a, 'f>, Stuck> {
        let graph = Graph::of(&frame.side.cfg, start, frame.cuts).ok_or(Stuck::Cycle)?;
        let blocks = graph.blocks.len();
        let mut exec = Exec {
            frame,
            graph,
            env: FxHashMap::default(),
            old: FxHashMap::default(),
            asked: Vec::new(),
            after: Vec::with_capacity(blocks),
            conds: Vec::with_capacity(blocks),
            ends: Vec::new(),
            loaded: SecondaryMap::new(),
            inside: Vec::new(),
            defined: Vec::new(),
        };
        for n in 0..blocks {
            let b = exec.graph.blocks[n];
            let mut now = if n == 0 {
                for v in exec.frame.side.f.blocks[b].params.clone() {
                    let t = exec.leaf(bank, leaves, v)?;
                    exec.env.insert(v, t);
                }
                state.clone()
            } else {
                exec.join(bank, leaves, n)?
            };
            for i in exec.frame.side.f.blocks[b].insts.clone() {
                exec.inst(bank, leaves, n, i, &mut now)?;
            }
            exec.after.push(now);
            let cond = match exec.frame.side.f.term(b) {
                Terminator::Branch { cond: v, .. } | Terminator::Switch { index: v, .. } => {
                    Some(exec.value(bank, leaves, n, *v)?)
                }
                Terminator::Jump(_) | Terminator::Exit => None,
            };
            exec.conds.push(cond);
            if bank.len() > MOST {
                return Err(Stuck::Size);
            }
        }
        exec.end(bank, leaves)?;
        Ok(exec)
    }

    /// The variables that are read, but for those only written.
    pub fn loads(&self, slot: Slot) -> bool {
        self.loaded[slot]
    }

    /// All values computed since the start, in order.
    pub fn computed(&self) -> Vec<(Value, Term)> {
        let mut out: Vec<(Value, Term)> = self.env.iter().map(|(&v, &t)| (v, t)).collect();
        out.sort_unstable();
        out
    }

    fn leaf(&mut self, bank: &mut Bank, leaves: &mut dyn Leaves, v: Value) -> Result<Term, Stuck> {
        if let Some(&t) = self.old.get(&v) {
            return Ok(t);
        }
        let t = leaves.leaf(bank, v)?;
        self.old.insert(v, t);
        self.asked.push((v, t));
        Ok(t)
    }

    /// The term of a value at the start: operations without effects are executed on those of their
    /// operands, which have not changed since.
    pub fn old_value(&mut self, bank: &mut Bank, leaves: &mut dyn Leaves, v: Value) -> Result<Term, Stuck> {
        if let Some(&t) = self.old.get(&v) {
            return Ok(t);
        }
        let f = self.frame.side.f;
        match f.values[v].def {
            ValueDef::Result(i, n) if is_repeatable(&f.insts[i].op) => {
                let mut args = Vec::new();
                for &a in &f.insts[i].args {
                    args.push(self.old_value(bank, leaves, a)?);
                }
                let results = self.pure(bank, i, &args);
                for (&r, &t) in f.insts[i].results.iter().zip(&results) {
                    self.old.insert(r, t);
                }
                Ok(results[n as usize])
            }
            ValueDef::Param(b, n) => match self.frame.side.only_argument(b, n) {
                Some(same) if b != self.graph.blocks[0] => {
                    let t = self.old_value(bank, leaves, same)?;
                    self.old.insert(v, t);
                    Ok(t)
                }
                _ => self.leaf(bank, leaves, v),
            },
            _ => self.leaf(bank, leaves, v),
        }
    }

    /// The term of a value at a block of the graph; `at` may be one behind the last, for an end.
    fn value(&mut self, bank: &mut Bank, leaves: &mut dyn Leaves, at: usize, v: Value) -> Result<Term, Stuck> {
        let home = self.frame.side.home[v].and_then(|b| self.graph.place(b));
        match home {
            Some(home) if self.graph.dominates(home, at) => match self.env.get(&v) {
                Some(&t) => Ok(t),
                // The start computes it later: it is asked for as it was.
                None => self.old_value(bank, leaves, v),
            },
            Some(home) if self.graph.reaches(home, at) => Err(Stuck::Ambiguous(v)),
            _ => self.old_value(bank, leaves, v),
        }
    }

    /// The term of a value at an end.
    ///
    /// # Errors
    /// See [`Stuck`].
    pub fn at_end(&mut self, bank: &mut Bank, leaves: &mut dyn Leaves, end: usize, v: Value) -> Result<Term, Stuck> {
        let target = self.ends[end].target;
        if let (ValueDef::Param(b, n), Some(target)) = (self.frame.side.f.values[v].def, target)
            && b == target
        {
            return Ok(self.ends[end].params[n as usize]);
        }
        let home = self.frame.side.home[v].and_then(|b| self.graph.place(b));
        let sources = self.ends[end].sources.clone();
        let Some(home) = home else { return self.old_value(bank, leaves, v) };
        let over: Vec<bool> = sources.iter().map(|&s| self.graph.dominates(home, s)).collect();
        if over.iter().all(|&is| is) && self.env.contains_key(&v) {
            return Ok(self.env[&v]);
        }
        if sources.iter().any(|&s| self.graph.reaches(home, s)) {
            return Err(Stuck::Ambiguous(v));
        }
        self.old_value(bank, leaves, v)
    }

    /// Puts the values that paths bring to a block into its parameters; returns the state.
    fn join(&mut self, bank: &mut Bank, leaves: &mut dyn Leaves, n: usize) -> Result<State, Stuck> {
        let b = self.graph.blocks[n];
        let from = self.graph.idom(n);
        let mut all = self.gather(bank, leaves, from, To::Block(n))?.unwrap_or_default();
        let state = all.split_off(self.frame.side.f.blocks[b].params.len());
        for (k, t) in all.into_iter().enumerate() {
            self.env.insert(self.frame.side.f.blocks[b].params[k], t);
        }
        Ok(state)
    }

    /// What edges to a target bring (parameters, then state), chosen by the branches between
    /// `from` and them; branches that do not lead there do not matter.
    fn gather(
        &mut self,
        bank: &mut Bank,
        leaves: &mut dyn Leaves,
        from: usize,
        to: To,
    ) -> Result<Option<Vec<Term>>, Stuck> {
        let last = if let To::Block(n) = to { n } else { self.graph.blocks.len() };
        let mut found: FxHashMap<usize, Vec<Term>> = FxHashMap::default();
        for n in (from..last).rev() {
            if !self.graph.dominates(from, n) {
                continue;
            }
            let edges = self.edges(n);
            let mut arms: Vec<Option<Vec<Term>>> = Vec::with_capacity(edges.len());
            for (target, args) in edges {
                let inner = target.and_then(|t| self.graph.inner(n, t));
                let here = match to {
                    To::Block(m) => inner == Some(m),
                    To::End(end) => inner.is_none() && target == end,
                };
                if !here {
                    arms.push(inner.and_then(|m| found.get(&m).cloned()));
                    continue;
                }
                let mut all = Vec::new();
                for v in args {
                    all.push(self.value(bank, leaves, n, v)?);
                }
                all.extend(&self.after[n]);
                arms.push(Some(all));
            }
            if let Some(all) = self.choose(bank, n, arms) {
                found.insert(n, all);
            }
        }
        Ok(found.remove(&from))
    }

    /// Chooses between what the edges of a block lead to.
    fn choose(&self, bank: &mut Bank, n: usize, arms: Vec<Option<Vec<Term>>>) -> Option<Vec<Term>> {
        let is_switch = matches!(self.frame.side.f.term(self.graph.blocks[n]), Terminator::Switch { .. });
        let cond = self.conds[n];
        let mut out: Option<Vec<Term>> = None;
        for (k, arm) in arms.into_iter().enumerate().rev() {
            out = match (arm, out, cond) {
                (Some(yes), Some(no), Some(cond)) => {
                    let cond = if is_switch {
                        let k = bank.int(k as u128, bank.bits(cond));
                        bank.equal(cond, k)
                    } else {
                        cond
                    };
                    Some(yes.iter().zip(&no).map(|(&a, &b)| bank.ite(cond, a, b)).collect())
                }
                (arm, out, _) => arm.or(out),
            };
        }
        out
    }

    /// The edges of a block: target (none: the end of the thread), and the values passed.
    fn edges(&self, n: usize) -> Vec<(Option<Block>, Vec<Value>)> {
        match self.frame.side.f.term(self.graph.blocks[n]) {
            Terminator::Exit => vec![(None, Vec::new())],
            Terminator::Switch { targets, .. } => targets.iter().map(|&b| (Some(b), Vec::new())).collect(),
            term => term.targets().iter().map(|t| (Some(t.block), t.args.to_vec())).collect(),
        }
    }

    /// Computes the ends.
    fn end(&mut self, bank: &mut Bank, leaves: &mut dyn Leaves) -> Result<(), Stuck> {
        let mut targets: Vec<(Option<Block>, Vec<usize>)> = Vec::new();
        for n in 0..self.graph.blocks.len() {
            for (target, _) in self.edges(n) {
                if target.and_then(|t| self.graph.inner(n, t)).is_some() {
                    continue;
                }
                match targets.iter_mut().find(|t| t.0 == target) {
                    Some(known) => known.1.push(n),
                    None => targets.push((target, vec![n])),
                }
            }
        }
        targets.sort();
        for (target, sources) in targets {
            let from = sources.iter().copied().reduce(|a, b| self.graph.meet(a, b)).unwrap_or(0);
            let all = self.gather(bank, leaves, from, To::End(target))?.unwrap_or_default();
            let params = target.map_or(0, |b| self.frame.side.f.blocks[b].params.len());
            let (params, state) = (all[..params].to_vec(), all[params..].to_vec());
            let reached = self.reached(bank, target);
            self.ends.push(End { target, reached, state, params, sources });
        }
        for (n, holds) in std::mem::take(&mut self.inside) {
            let here = self.reaching(bank, Some(n), None);
            let (not, all) = (bank.not(here), bank.bit(true));
            let defined = bank.or(not, holds);
            if defined != all && !self.defined.contains(&defined) {
                self.defined.push(defined);
            }
        }
        Ok(())
    }

    /// Whether the execution comes to an end.
    fn reached(&self, bank: &mut Bank, target: Option<Block>) -> Term {
        self.reaching(bank, None, target)
    }

    /// Whether the execution comes to a block, or else to an end.
    fn reaching(&self, bank: &mut Bank, block: Option<usize>, target: Option<Block>) -> Term {
        let (yes, no) = (bank.bit(true), bank.bit(false));
        let mut is: Vec<Term> = vec![no; self.graph.blocks.len()];
        for n in (0..self.graph.blocks.len()).rev() {
            if block.is_some_and(|b| n >= b) {
                is[n] = if block == Some(n) { yes } else { no };
                continue;
            }
            let arms = self.edges(n).into_iter().map(|(t, _)| match t.and_then(|t| self.graph.inner(n, t)) {
                Some(m) => Some(vec![is[m]]),
                None => Some(vec![if block.is_none() && t == target { yes } else { no }]),
            });
            let arms: Vec<_> = arms.collect();
            is[n] = self.choose(bank, n, arms).map_or(no, |all| all[0]);
        }
        is[0]
    }

    fn result_bits(&self, i: Inst) -> Vec<u16> {
        let f = self.frame.side.f;
        f.insts[i].results.iter().map(|&v| f.width(v).bits() as u16).collect()
    }
}

/// Whether executing an operation again on the same operands gives the same.
fn is_repeatable(op: &Op) -> bool {
    op.is_pure()
}

/// The ends that both have: of the second, and of the first.
pub fn shared_ends(first: &Exec<'_, '_>, second: &Exec<'_, '_>) -> Vec<(usize, usize)> {
    let of_first = |target| first.ends.iter().position(|end| end.target == target);
    second.ends.iter().enumerate().filter_map(|(e, end)| Some((e, of_first(end.target)?))).collect()
}
