//! Register allocation: numbers for virtual registers, by linear scan in order of start.
//!
//! Problem: groups of registers must be contiguous and aligned, live ranges have holes, and launch
//! bounds may limit the registers. Strategy: each group (or single register) is placed at the
//! lowest aligned number at which no member's range overlaps one placed there before; moves hint
//! that both sides share a number, so that most vanish. If there is no place, the registers in the
//! way are moved ([`recolor`]). If that fails, too, registers are spilled ([`crate::spill`]) and
//! allocation starts anew with shorter ranges; spill code itself is never spilled. Predicates come
//! first, as their spills need general registers.
//!
//! Invariant: two registers with one number are never live at once; physical numbers named by
//! instructions ([`Reserved`]) are not assigned.

mod inputs;
mod recolor;

use raddle_entity::SecondaryMap;
use raddle_sass::row::File;

pub use self::inputs::{AllocInputs, Reserved};
pub(crate) use self::inputs::{call_points, leaf_points, points};
use crate::coalesce::as_copy;
use crate::convention::is_kept;
use crate::destruct::{Groups, alignment};
use crate::live::Ranges;
use crate::mir::{MFunction, V};

/// An assignment of numbers to virtual registers.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// The number of each register, if it has one.
    pub number: SecondaryMap<V, Option<u8>>,
    /// Highest general register used, plus one.
    pub registers: u16,
}

/// The result of a failed placement.
#[derive(Clone, Debug, Default)]
pub struct Failed {
    /// Registers to spill.
    pub spill: Vec<V>,
}

/// Assignable predicates of either file: the last number is `PT`.
const PREDICATES: usize = 7;
/// Assignable uniform registers: the last number is `URZ`.
const UNIFORM: usize = 63;
/// Most numbers of a file.
const NUMBERS: usize = 256;
/// Numbers of the widest aligned groups.
const QUAD: usize = 4;

/// A range placed at a number, and its register; `None` for a call's clobber.
type Placed = (u32, u32, Option<V>);

struct Scan<'a> {
    f: &'a MFunction,
    groups: &'a Groups,
    facts: &'a AllocInputs,
    ranges: &'a Ranges,
    /// The ranges placed at each number, ascending.
    taken: Vec<Vec<Placed>>,
    /// Start and end of the last of them, beside each other: most places are refused by these.
    last: Vec<(u32, u32)>,
    /// The order, which says where narrow groups are placed.
    by: Order,
    assignment: Assignment,
    /// Registers that spilling created; not to be spilled again.
    fixed: &'a SecondaryMap<V, bool>,
}

/// Returns the count of numbers of a file, with general registers limited.
pub(crate) const fn numbers(file: File, limit: usize) -> usize {
    match file {
        File::Pred | File::Upred => PREDICATES,
        File::Ugpr => UNIFORM,
        File::Gpr | File::Barrier => limit,
    }
}

/// Returns how many registers of a file can be assigned to virtual registers.
pub fn room(facts: &AllocInputs, file: File, limit: usize) -> usize {
    (0..numbers(file, limit)).filter(|&n| !facts.reserved.has(file, n)).count()
}

/// Whether more registers of a file are live at once than it has numbers, or more are live across calls
/// than callees preserve.
pub fn is_hopeless(f: &MFunction, facts: &AllocInputs, file: File, limit: usize) -> bool {
    let room = room(facts, file, limit);
    // Most functions have fewer registers in all than there are numbers.
    if f.vregs.len() <= room && facts.calls.is_empty() && facts.leaf_calls.is_empty() {
        return false;
    }
    let (most, across) = facts.most(f, file);
    let kept = || (0..numbers(file, limit)).filter(|&n| is_kept(file, n) && !facts.reserved.has(file, n)).count();
    most > room || across > 0 && across > kept()
}

/// Places all registers of a file.
///
/// # Errors
/// The registers to spill before the next attempt.
pub fn place(
    f: &MFunction,
    groups: &Groups,
    facts: &AllocInputs,
    file: File,
    limit: usize,
    fixed: &SecondaryMap<V, bool>,
    assignment: &Assignment,
) -> Result<Assignment, Failed> {
    // Ends as soon as it leaves as many registers without a place as another attempt.
    let attempt = |by: Order, others: usize| {
        let mut scan = Scan::new(f, groups, facts, file, limit, fixed, assignment.clone());
        let mut failed = Failed::default();
        for v in scan.order(file, by) {
            if !scan.assign(v, file) && !scan.recolor(v, file) {
                scan.make_room(v, &mut failed);
                if failed.spill.len() >= others {
                    break;
                }
            }
        }
        if failed.spill.is_empty() { Ok(scan.assignment) } else { Err(failed) }
    };
    // The first of the attempts that leave the fewest registers without a place.
    let again = |by| {
        move |failed: Failed| {
            let missing = failed.spill.len();
            attempt(by, missing).map_err(|other| if other.spill.len() < missing { other } else { failed })
        }
    };
    attempt(Order::Start, usize::MAX)
        .or_else(again(Order::Wide))
        .or_else(again(Order::Packed))
        .or_else(again(Order::Apart))
}

/// Places all general registers in fewer numbers, if that is possible without spilling.
pub fn fit(
    f: &MFunction,
    groups: &Groups,
    facts: &AllocInputs,
    limit: usize,
    assignment: &Assignment,
) -> Option<Assignment> {
    let file = File::Gpr;
    if is_hopeless(f, facts, file, limit) {
        return None;
    }
    let fixed = SecondaryMap::new();
    [Order::Start, Order::Wide, Order::Packed, Order::Apart].into_iter().find_map(|by| {
        let mut scan = Scan::new(f, groups, facts, file, limit, &fixed, assignment.clone());
        let placed = scan.order(file, by).into_iter().all(|v| scan.assign(v, file) || scan.recolor(v, file));
        placed.then_some(scan.assignment)
    })
}

/// The order in which registers are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// By start, which wastes the fewest numbers where there are no groups.
    Start,
    /// Widest groups first, which then find aligned places.
    Wide,
    /// By start, narrow groups where they keep the fewest quads from wide ones.
    Packed,
    /// By start, narrow groups at the highest numbers: long-lived ones keep no quads from wide ones.
    Apart,
}

/// Start and end of the last range placed at a number; of an empty one before everything, if there is
/// none.
fn last_of(taken: &[Placed]) -> (u32, u32) {
    taken.last().map_or((0, 0), |&(start, end, _)| (start, end))
}

/// The first member of a group that has a live range.
fn leader(groups: &Groups, ranges: &Ranges, g: u32) -> Option<V> {
    groups.members[g as usize].iter().copied().find(|v| !ranges.of(*v).is_empty())
}

impl<'a> Scan<'a> {
    fn new(
        f: &'a MFunction,
        groups: &'a Groups,
        facts: &'a AllocInputs,
        file: File,
        limit: usize,
        fixed: &'a SecondaryMap<V, bool>,
        assignment: Assignment,
    ) -> Self {
        // Calls clobber the numbers that are not callee-saved.
        let lost: Vec<Placed> = facts.calls.iter().map(|&c| (c, c + 1, None)).collect();
        let taken = |n| {
            let mut taken = if is_kept(file, n) { Vec::new() } else { lost.clone() };
            let written = facts.leaf_calls.iter().filter(|(_, lost)| lost.has(file, n));
            taken.extend(written.map(|&(c, _)| (c, c + 1, None)));
            let words = facts.words.iter().filter(|w| file == File::Gpr && usize::from(w.0) == n && w.1 < w.2);
            taken.extend(words.map(|&(_, from, to)| (from, to, None)));
            taken.sort_unstable_by_key(|t: &Placed| t.0);
            taken
        };
        let taken: Vec<Vec<Placed>> = (0..numbers(file, limit)).map(taken).collect();
        let last = taken.iter().map(|taken| last_of(taken)).collect();
        Scan { f, groups, facts, ranges: &facts.ranges, taken, last, by: Order::Start, assignment, fixed }
    }

    /// The registers of a file, one per group.
    fn order(&mut self, file: File, by: Order) -> Vec<V> {
        self.by = by;
        let live = self.f.vregs.iter().filter(|(v, fl)| **fl == file && !self.ranges.of(*v).is_empty()).map(|(v, _)| v);
        let groups = self.groups;
        let leaders = live.filter(|v| groups.of[*v].is_none_or(|(g, _)| leader(groups, self.ranges, g) == Some(*v)));
        // Operands of leaves first: no other number will do.
        let mut order: Vec<(std::cmp::Reverse<usize>, u32, V)> = leaders
            .map(|v| {
                let wide = if by == Order::Wide { self.members(&v).len() } else { 0 };
                let wide = if self.facts.pins[v].is_some() { usize::MAX } else { wide };
                (std::cmp::Reverse(wide), self.first(v), v)
            })
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, _, v)| v).collect()
    }

    /// Returns the members of a register's group, or the register alone.
    fn members<'v>(&self, v: &'v V) -> &'v [V]
    where
        'a: 'v,
    {
        match self.groups.of[*v] {
            Some((g, _)) => &self.groups.members[g as usize],
            None => std::slice::from_ref(v),
        }
    }

    fn first(&self, v: V) -> u32 {
        self.members(&v).iter().map(|&m| self.ranges.start(m)).min().unwrap_or(u32::MAX)
    }

    /// Whether `number` is free over all ranges of `v`.
    fn is_free(&self, v: V, number: usize) -> bool {
        let Some(&(start, end)) = self.last.get(number) else { return false };
        // Placed ranges are disjoint: only the last one that begins before a range ends can overlap
        // it.
        self.ranges.of(v).iter().all(|&(s, e)| {
            let taken = || &self.taken[number];
            let before = || taken()[..taken().partition_point(|t| t.0 < e)].last();
            end <= s || start > s && before().is_none_or(|t| t.1 <= s)
        })
    }

    /// The register that has `number` at a point.
    fn holder(&self, number: usize, at: u32) -> Option<V> {
        let taken = self.taken.get(number)?;
        let &(_, end, v) = taken[..taken.partition_point(|t| t.0 <= at)].last()?;
        v.filter(|_| at < end)
    }

    /// One more than the highest number that a register may have.
    fn top(&self, v: V) -> usize {
        self.taken.len().saturating_sub(self.facts.below[v] as usize)
    }

    fn fits(&self, members: &[V], base: usize, file: File) -> bool {
        members.iter().enumerate().all(|(n, &m)| {
            let number = base + n;
            number < self.top(m) && !self.facts.reserved.has(file, number) && self.is_free(m, number)
        })
    }

    /// Places a register with its group; returns false if there is no place.
    fn assign(&mut self, v: V, file: File) -> bool {
        let members = self.members(&v);
        let align = alignment(members.len());
        let hinted = members.iter().enumerate().flat_map(|(n, m)| self.facts.hints[*m].iter().map(move |h| (n, *h)));
        let mut base = None;
        if let Some(number) = self.facts.pins[v].map(usize::from) {
            if !self.fits(members, number, file) {
                return false;
            }
            base = Some(number);
        }
        if base.is_none() {
            let preferred = members.iter().enumerate().filter_map(|(n, m)| Some((n, self.facts.preferred[*m]?)));
            let places = preferred.filter_map(|(n, number)| usize::from(number).checked_sub(n));
            base = places.filter(|b| b % align == 0).find(|&b| self.fits(members, b, file));
        }
        for (n, h) in hinted.filter(|_| base.is_none()) {
            if let Some(number) = self.assignment.number[h]
                && self.f.vregs[h] == file
                && let Some(b) = usize::from(number).checked_sub(n)
                && b % align == 0
                && self.fits(members, b, file)
            {
                base = Some(b);
                break;
            }
        }
        let place = match self.by {
            Order::Packed if align < QUAD => Self::tightest,
            Order::Apart if align < QUAD => Self::highest,
            Order::Start if file != File::Gpr => Self::oldest,
            _ => Self::lowest,
        };
        let base = base.or_else(|| place(self, members, align, file));
        let Some(base) = base else { return false };
        self.put(members, base, file);
        true
    }

    /// Gives the members of a group their numbers.
    fn put(&mut self, members: &[V], base: usize, file: File) {
        for (n, &m) in members.iter().enumerate() {
            let number = base + n;
            self.assignment.number[m] = Some(number as u8);
            let ranges = self.ranges.of(m);
            if file == File::Gpr && !ranges.is_empty() {
                self.assignment.registers = self.assignment.registers.max(number as u16 + 1);
            }
            let taken = &mut self.taken[number];
            for &(s, e) in ranges {
                match taken.last() {
                    Some(last) if last.0 > s => taken.insert(taken.partition_point(|t| t.0 < s), (s, e, Some(m))),
                    _ => taken.push((s, e, Some(m))),
                }
            }
            self.last[number] = last_of(taken);
        }
    }

    /// Takes the numbers of a register's group back.
    fn remove(&mut self, v: V) {
        let groups = self.groups;
        let members = groups.of[v].map_or(std::slice::from_ref(&v), |(g, _)| &groups.members[g as usize]);
        for &m in members {
            if let Some(n) = self.assignment.number[m].take() {
                let taken = &mut self.taken[usize::from(n)];
                for r in self.ranges.of(m) {
                    if let Ok(at) = taken.binary_search_by_key(&r.0, |t| t.0) {
                        taken.remove(at);
                    }
                }
                self.last[usize::from(n)] = last_of(taken);
            }
        }
    }

    /// The places at which a group fits, from the lowest.
    fn places(&self, members: &[V], align: usize, file: File) -> impl DoubleEndedIterator<Item = usize> {
        // The first range of the first member refuses most places; see `is_free`.
        let first = self.ranges.of(members[0]).first().map(|&(start, _)| start);
        let free = move |&(start, end): &(u32, u32)| first.is_none_or(|at| end <= at || start > at);
        let bases = (0..self.last.len()).step_by(align).filter(move |&base| free(&self.last[base]));
        bases.filter(move |&base| self.fits(members, base, file))
    }

    /// The lowest place. A single register prefers one whose neighbour is in use, to keep pairs
    /// whole, if that does not raise the register count.
    fn lowest(&self, members: &[V], align: usize, file: File) -> Option<usize> {
        let mut places = self.places(members, align, file);
        let first = places.next()?;
        if align > 1 {
            return Some(first);
        }
        let at = self.ranges.start(members[0]);
        let broken = |n: usize| self.facts.reserved.has(file, n ^ 1) || self.holder(n ^ 1, at).is_some();
        let top = usize::from(self.assignment.registers);
        let better = std::iter::once(first).chain(places).take_while(|&n| n < top).find(|&n| broken(n));
        Some(better.unwrap_or(first))
    }

    /// The place that has been free for the longest time: the scheduler can move an instruction up past those that
    /// touched it. Only general registers cost occupancy.
    fn oldest(&self, members: &[V], align: usize, file: File) -> Option<usize> {
        let free_since = |&base: &usize| self.last[base..base + members.len()].iter().map(|last| last.1).max();
        self.places(members, align, file).min_by_key(free_since)
    }

    /// The highest place.
    fn highest(&self, members: &[V], align: usize, file: File) -> Option<usize> {
        self.places(members, align, file).next_back()
    }

    /// The place at which members narrower than a quad keep their quad from wider groups for the
    /// fewest points: beside registers that are in use for as long.
    fn tightest(&self, members: &[V], align: usize, file: File) -> Option<usize> {
        let at = self.first(members[0]);
        let ends = members.iter().flat_map(|m| self.ranges.of(*m)).map(|r| r.1);
        let end = ends.max().unwrap_or(at);
        let places = self.places(members, align, file);
        places.min_by_key(|&b| {
            let quad = b - b % QUAD;
            let others = (quad..quad + QUAD).filter_map(|n| match self.facts.reserved.has(file, n) {
                true => Some(u32::MAX),
                false => self.held_until(n, at),
            });
            end.saturating_sub(others.max().unwrap_or(at))
        })
    }

    /// The end of the range that has `number` at a point.
    fn held_until(&self, number: usize, at: u32) -> Option<u32> {
        let taken = self.taken.get(number)?;
        let &(_, end, _) = taken[..taken.partition_point(|t| t.0 <= at)].last()?;
        (at < end).then_some(end)
    }

    /// Chooses what to spill so that `v` can be placed: the cheapest per point live at its start.
    fn make_room(&mut self, v: V, failed: &mut Failed) {
        let at = self.first(v);
        let mut best: Option<(u64, V)> = None;
        let mut consider = |scan: &Self, m: V| {
            let members = scan.members(&m);
            if members.iter().any(|x| scan.fixed[*x]) {
                return;
            }
            let uses: u64 = members.iter().map(|x| scan.facts.uses(scan.f)[*x]).sum();
            let length: u64 =
                members.iter().flat_map(|x| scan.ranges.of(*x)).map(|r| u64::from(r.1 - r.0)).sum::<u64>().max(1);
            let cost = uses * 1_000_000 / length;
            if best.is_none_or(|b| (cost, m) < b) {
                best = Some((cost, m));
            }
        };
        consider(self, v);
        // A value that is live across a call can only be in callee-saved registers.
        let file = self.f.vregs[v];
        let crosses = self.members(&v).iter().any(|&m| self.facts.crosses(m));
        for number in (0..self.top(v)).filter(|&n| !crosses || is_kept(file, n)) {
            if let Some(m) = self.holder(number, at) {
                consider(self, m);
            }
        }
        let Some((_, victim)) = best else {
            // Nothing may be spilled: the caller reports that registers do not suffice.
            return failed.spill.push(v);
        };
        let members = self.members(&victim);
        failed.spill.extend_from_slice(members);
        self.remove(victim);
        if !self.members(&victim).contains(&v) {
            let file = self.f.vregs[v];
            let placed = self.assign(v, file);
            if !placed {
                failed.spill.extend(self.members(&v).iter().filter(|m| !self.fixed[**m]));
            }
        }
    }
}

/// Removes moves of a register to itself.
pub fn drop_moves(f: &mut MFunction, assignment: &Assignment) {
    for b in f.layout.clone() {
        f.blocks[b].insts.retain(|i| as_copy(i).is_none_or(|(d, s)| assignment.number[d] != assignment.number[s]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::destruct;
    use crate::testing::{ISA, function, store, value};

    #[test]
    fn narrow_groups_leave_quads_whole() {
        let mut f = function(1);
        let first: Vec<V> = (0..4).map(|_| value(&mut f, 0)).collect();
        store(&mut f, 0, &first);
        let long = value(&mut f, 0);
        let pair = [value(&mut f, 0), value(&mut f, 0)];
        let short = value(&mut f, 0);
        store(&mut f, 0, &pair);
        // Its first place is beside the short one, in the only quad; the pair's places are free.
        let late = value(&mut f, 0);
        store(&mut f, 0, &[short]);
        let quad: Vec<V> = (0..4).map(|_| value(&mut f, 0)).collect();
        store(&mut f, 0, &quad);
        store(&mut f, 0, &[late]);
        store(&mut f, 0, &[long]);
        let groups = destruct::run(&mut f, ISA).unwrap();
        let groups = crate::coalesce::run(&mut f, &groups, &[]);
        let facts = AllocInputs::of(&f);
        let fixed = SecondaryMap::new();
        let fits = |by, moves: bool| {
            let file = File::Gpr;
            let mut scan = Scan::new(&f, &groups, &facts, file, 8, &fixed, Assignment::default());
            let placed =
                scan.order(file, by).into_iter().all(|v| scan.assign(v, file) || moves && scan.recolor(v, file));
            placed.then_some(scan.assignment)
        };
        assert!(fits(Order::Start, false).is_none());
        assert!(fits(Order::Packed, false).is_some());
        // The register in the way moves.
        let moved = fits(Order::Start, true).unwrap();
        crate::alloc_check::check(&f, &moved).unwrap();
        assert!(moved.registers <= 8);
    }
}
