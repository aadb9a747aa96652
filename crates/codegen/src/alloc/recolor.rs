//! Makes room for a group by giving the registers in its way other numbers.
//!
//! Problem: each register gets its number once, in order; one that came early may break the last
//! aligned place of a group that comes late, although it would fit elsewhere. Strategy ("last chance
//! recolouring", as in LLVM's greedy allocator, one level deep): at each place that only groups of
//! the same width or narrower ones occupy, these are taken out, the group is placed, and they are
//! placed again. If one of them finds no place, everything is put back. Places with the fewest
//! registers in the way come first, at most [`TRIES`] of them.

use raddle_sass::row::File;
use smallvec::SmallVec;

use super::{Scan, leader};
use crate::destruct::alignment;
use crate::mir::V;

/// Places that are tried for a group.
const TRIES: usize = 8;

/// Registers in the way, each the leader of its group.
type InTheWay = SmallVec<[V; 8]>;

impl Scan<'_> {
    /// Places a register with its group, which [`Scan::assign`] could not, or leaves everything as it
    /// was and returns false.
    pub(super) fn recolor(&mut self, v: V, file: File) -> bool {
        if self.facts.pins[v].is_some() {
            return false;
        }
        let members: SmallVec<[V; 8]> = self.members(&v).into();
        let places = (0..self.taken.len()).step_by(alignment(members.len()));
        let mut places: Vec<(usize, usize, InTheWay)> = places
            .filter_map(|base| {
                let found = self.in_the_way(&members, base, file)?;
                Some((found.iter().map(|w| self.members(w).len()).sum(), base, found))
            })
            .collect();
        places.sort_by_key(|&(count, base, _)| (count, base));
        let registers = self.assignment.registers;
        for (_, base, found) in places.into_iter().take(TRIES) {
            let before: SmallVec<[(V, usize); 8]> = found.iter().filter_map(|&w| Some((w, self.base(w)?))).collect();
            found.iter().for_each(|&w| self.remove(w));
            self.put(&members, base, file);
            let placed = found.iter().take_while(|w| self.assign(**w, file)).count();
            if placed == found.len() {
                self.count(file);
                return true;
            }
            found[..placed].iter().for_each(|&w| self.remove(w));
            self.remove(v);
            for (w, base) in before {
                let members: SmallVec<[V; 8]> = self.members(&w).into();
                self.put(&members, base, file);
            }
            self.assignment.registers = registers;
        }
        false
    }

    /// The groups that have numbers at a place; `None` if one of them cannot be moved, or the place
    /// is out of bounds.
    fn in_the_way(&self, members: &[V], base: usize, file: File) -> Option<InTheWay> {
        let mut found = InTheWay::new();
        for (n, &m) in members.iter().enumerate() {
            let number = base + n;
            if number >= self.top(m) || self.facts.reserved.has(file, number) {
                return None;
            }
            for &(start, end) in self.ranges.of(m) {
                let taken = &self.taken[number];
                let first = taken.partition_point(|t| t.1 <= start);
                for t in taken[first..].iter().take_while(|t| t.0 < end) {
                    let w = t.2?;
                    let lead = self.groups.of[w].map_or(Some(w), |(g, _)| leader(self.groups, self.ranges, g))?;
                    let movable = self.members(&lead).len() <= members.len() && self.facts.pins[lead].is_none();
                    if !movable {
                        return None;
                    }
                    if !found.contains(&lead) {
                        found.push(lead);
                    }
                }
            }
        }
        Some(found)
    }

    /// The number of the first member of a register's group.
    fn base(&self, v: V) -> Option<usize> {
        let members = self.members(&v);
        let at = members.iter().position(|&m| m == v)?;
        usize::from(self.assignment.number[v]?).checked_sub(at)
    }

    /// Counts the general registers in use.
    fn count(&mut self, file: File) {
        if file == File::Gpr {
            let highest = self.taken.iter().rposition(|taken| taken.iter().any(|t| t.2.is_some()));
            self.assignment.registers = highest.map_or(0, |n| n as u16 + 1);
        }
    }
}
