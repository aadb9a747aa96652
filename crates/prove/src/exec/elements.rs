//! Elements of small arrays whose address stays in the function, by an index.
//!
//! Such an access is inside the array and aligned: PTX does not define others. So it is to one of
//! few elements, and a choice among them says the same as an access at a computed address, in a form
//! that a solver need not think about. That the second function stays inside is a duty of its own.

use raddle_ir::Slot;

use super::{Exec, State, part};
use crate::term::{Bank, Class, Term};

/// The size of elements.
const BYTES: u32 = 4;

/// Most elements that are chosen among.
const MOST: u32 = 16;

/// An access by an index.
pub struct Element {
    /// The part of the state that is the array.
    pub part: usize,
    base: Term,
    index: Term,
    elements: u32,
}

impl Exec<'_, '_> {
    /// The variable that an address points into, if its address stays in both functions, with its
    /// address and the distance from there.
    pub(super) fn within(&self, bank: &mut Bank, at: Term) -> Option<(Slot, Term, Term)> {
        let (base, class) = bank.base(at)?;
        let is_it = |slot: &&Slot| bank.is_named(base, &format!("slot{}", slot.as_u32()));
        let slot = self.frame.private.iter().find(is_it).copied().filter(|_| class == Class::Variable)?;
        let index = bank.sub(at, base);
        Some((slot, base, index))
    }

    /// The element of an access of this size at an address that is no constant.
    pub(super) fn element(&self, bank: &mut Bank, at: Term, bytes: u32) -> Option<Element> {
        let (slot, base, index) = self.within(bank, at)?;
        let data = &self.frame.side.f.slots[slot];
        let fits = bytes == BYTES && data.align >= BYTES && data.size.is_multiple_of(BYTES);
        let elements = data.size / BYTES;
        let place = self.frame.private.iter().position(|&s| s == slot)?;
        let indexed = bank.constant(index).is_none() && (1..=MOST).contains(&elements);
        (fits && indexed).then_some(Element { part: part::SLOTS + place, base, index, elements })
    }
}

impl Element {
    fn each(&self, bank: &mut Bank) -> Vec<(Term, Term)> {
        let one = |n: u32| {
            let offset = bank.int((n * BYTES).into(), 32);
            let is = bank.equal(self.index, offset);
            (is, bank.plus(self.base, (n * BYTES).into()))
        };
        (0..self.elements).map(one).collect()
    }

    /// The value of the element.
    pub fn read(&self, bank: &mut Bank, now: &State) -> Term {
        let mut value = None;
        for (is, at) in self.each(bank) {
            let element = bank.read(now[self.part], at, BYTES as u16);
            value = Some(value.map_or(element, |before| bank.ite(is, element, before)));
        }
        value.unwrap_or(self.index)
    }

    /// Writes the element.
    pub fn write(&self, bank: &mut Bank, value: Term, now: &mut State) {
        for (is, at) in self.each(bank) {
            let old = bank.read(now[self.part], at, BYTES as u16);
            let new = bank.ite(is, value, old);
            now[self.part] = bank.write(now[self.part], at, new);
        }
    }
}
