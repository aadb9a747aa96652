//! Which term over the first function's values each value of the second equals, at each cut.

use std::collections::BTreeMap;

use raddle_ir::{Block, Function, Value};

use super::Pair;
use crate::exec::{Exec, Leaves, Stuck, part, shared_ends};
use crate::side::Side;
use crate::term::{Bank, Class, Sort, Term};

/// Values of the first function: variables.
pub struct First<'a> {
    /// The function.
    pub f: &'a Function,
}

impl Leaves for First<'_> {
    fn leaf(&mut self, bank: &mut Bank, v: Value) -> Result<Term, Stuck> {
        Ok(bank.var(&v.to_string(), Sort::Bits(self.f.width(v).bits() as u16)))
    }
}

/// Values of the second function at a cut: terms over those of the first.
pub struct Second<'s, 'a, 'f, 'x> {
    /// The first function.
    pub a: &'a Side<'f>,
    /// The second.
    pub b: &'a Side<'f>,
    /// What values equal.
    pub relation: &'s Relation,
    /// The number of the cut.
    pub cut: usize,
    /// Its block.
    pub at: Block,
    /// The execution of the first function from there.
    pub first: &'s mut Exec<'x, 'f>,
}

impl Leaves for Second<'_, '_, '_, '_> {
    fn leaf(&mut self, bank: &mut Bank, v: Value) -> Result<Term, Stuck> {
        if let Some(choice) = self.relation.of.get(&(self.cut, v)) {
            return choice.list.get(choice.at).copied().ok_or(Stuck::NoCounterpart(v, self.at));
        }
        // Available in the first function by the same number.
        if self.cut > 0 && self.a.is_available(v, self.at) && self.a.f.width(v) == self.b.f.width(v) {
            return self.first.old_value(bank, &mut First { f: self.a.f }, v);
        }
        Err(Stuck::NoCounterpart(v, self.at))
    }
}

/// Candidates, and which of them is tried.
#[derive(Default)]
struct Choice {
    list: Vec<Term>,
    at: usize,
    tried: usize,
}

/// The relation, but for what is equal by number.
#[derive(Default)]
pub struct Relation {
    of: BTreeMap<(usize, Value), Choice>,
}

/// Most candidates for a value.
const MOST: usize = 24;

impl Relation {
    /// Gives a value another counterpart; false if there is none.
    pub fn other<'a, 'f>(
        &mut self,
        pair: &mut Pair<'a, 'f>,
        first: &mut [Exec<'_, 'f>],
        second: &mut [Exec<'_, 'f>],
        cut: usize,
        v: Value,
    ) -> bool {
        if let Some(choice) = self.of.get_mut(&(cut, v)) {
            choice.tried += 1;
            choice.at = choice.tried % choice.list.len().max(1);
            // Twice: a candidate may have failed because of others.
            return choice.list.len() > 1 && choice.tried < 2 * choice.list.len();
        }
        let list = self.candidates(pair, first, second, cut, v);
        let found = !list.is_empty();
        self.of.insert((cut, v), Choice { list, at: 0, tried: 0 });
        found
    }

    /// The terms over the first function's values at a cut that equal a value of the second on a
    /// way there.
    fn candidates<'a, 'f>(
        &self,
        pair: &mut Pair<'a, 'f>,
        first: &mut [Exec<'_, 'f>],
        second: &mut [Exec<'_, 'f>],
        cut: usize,
        v: Value,
    ) -> Vec<Term> {
        let at = pair.starts[cut].1;
        let bits = pair.b.f.width(v).bits() as u16;
        for s in 0..second.len() {
            for (e, a_end) in shared_ends(&first[s], &second[s]) {
                if pair.cut_of(second[s].ends[e].target) != Some(cut) {
                    continue;
                }
                let known = {
                    let at = pair.starts[s].1;
                    let mut leaves = Second { a: pair.a, b: pair.b, relation: self, cut: s, at, first: &mut first[s] };
                    second[s].at_end(&mut pair.bank, &mut leaves, e, v)
                };
                let Ok(wanted) = known else { continue };
                let mut out = Vec::new();
                for t in pool(pair, first, cut, at, bits) {
                    if out.len() >= MOST {
                        break;
                    }
                    if !out.contains(&t)
                        && pair
                            .image(first, (s, a_end), cut, t)
                            .is_ok_and(|now| now == wanted || (s == 0 && pair.may_choose(now, wanted)))
                    {
                        out.push(t);
                    }
                }
                if pair.bank.constant(wanted).is_some() {
                    out.push(wanted);
                }
                return out;
            }
        }
        Vec::new()
    }
}

/// Terms of a width over the first function's values at a cut: values that are available there,
/// what it computes from there on, and the contents of variables whose address stays in it.
fn pool<'a, 'f>(pair: &mut Pair<'a, 'f>, first: &mut [Exec<'_, 'f>], cut: usize, at: Block, bits: u16) -> Vec<Term> {
    let mut out = Vec::new();
    let a = pair.a;
    for (v, data) in a.f.values.iter() {
        if data.width.bits() as u16 == bits && a.is_available(v, at) {
            let mut leaves = First { f: a.f };
            out.extend(first[cut].old_value(&mut pair.bank, &mut leaves, v));
        }
    }
    out.extend(first[cut].computed().into_iter().map(|(_, t)| t).filter(|&t| pair.bank.bits(t) == bits));
    if bits >= 8 {
        for n in 0..pair.private.len() {
            let slot = pair.private[n];
            let base = pair.bank.address(&format!("slot{}", slot.as_u32()), 32, Class::Variable);
            let memory = pair.start[part::SLOTS + n];
            for offset in (0..a.f.slots[slot].size.min(64)).step_by(usize::from(bits / 8)) {
                let at = pair.bank.plus(base, offset.into());
                out.push(pair.bank.read(memory, at, bits / 8));
            }
        }
    }
    out
}
