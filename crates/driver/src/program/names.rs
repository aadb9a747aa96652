//! Finds the names in texts: identifiers, calls by address, and everything that the text of a
//! function reaches.

use raddle_ptx::{Outline, Symbol};
use std::collections::BTreeSet;

/// The rest of directives that appear in texts with calls by address, after `.call`.
const BY_ADDRESS: [&[u8]; 2] = [b"prototype", b"targets"];

/// The identifiers of a text.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii() && is_part_of_name(c as u8))).filter(|word| !word.is_empty())
}

/// Whether a byte is part of an identifier.
pub const fn is_part_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%')
}

/// Whether a text calls by address.
pub fn by_address(text: &str) -> bool {
    let begins = memchr::memmem::find_iter(text.as_bytes(), b".call");
    begins.into_iter().any(|at| BY_ADDRESS.iter().any(|rest| text.as_bytes()[at + 5..].starts_with(rest)))
}

/// The names that the texts of functions reach: all of the module's functions, once a reached one
/// calls by address.
///
/// Each text is read once, however many kernels reach it.
pub struct Reach<'a> {
    outline: &'a Outline,
    text: &'a str,
    seen: BTreeSet<&'a str>,
    /// Whether a call by address was reached, so that all functions are.
    all: bool,
}

impl<'a> Reach<'a> {
    /// Creates a search that has reached nothing.
    pub fn new(outline: &'a Outline, text: &'a str) -> Self {
        Self { outline, text, seen: BTreeSet::new(), all: false }
    }

    /// The names reached from this one that were not reached before, including itself.
    pub fn add(&mut self, from: &'a str) -> Vec<&'a str> {
        let mut new = Vec::new();
        self.see(from, &mut new);
        let mut next = 0;
        while let Some(&name) = new.get(next) {
            next += 1;
            let outline = self.outline;
            let range = match outline.symbol(name) {
                Some(Symbol::Func(id)) => Some(outline.funcs[outline.meant(id)].text.clone()),
                Some(Symbol::Global(id)) => outline.globals[id].init.clone(),
                None => None,
            };
            let Some(text) = range.and_then(|range| self.text.get(range)) else { continue };
            if !self.all && by_address(text) {
                self.all = true;
                outline.funcs.values().filter(|f| !f.entry).for_each(|f| self.see(&f.name, &mut new));
            }
            for word in identifiers(text).filter(|word| outline.symbol(word).is_some()) {
                self.see(word, &mut new);
            }
        }
        new
    }

    /// Whether a name was reached.
    pub fn has(&self, name: &str) -> bool {
        self.seen.contains(name)
    }

    fn see(&mut self, name: &'a str, new: &mut Vec<&'a str>) {
        if self.seen.insert(name) {
            new.push(name);
        }
    }
}
