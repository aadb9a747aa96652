//! The comparison shown by `raddle diff A B`: the differences in resources and instructions, kernel
//! by kernel.
//!
//! Instructions are compared as 128-bit words by the greedy algorithm of Myers ("An O(ND)
//! Difference Algorithm", 1986), after common prefixes and suffixes are removed. Two kernels
//! without common instructions would take time quadratic in their size, so beyond [`MAX_EDITS`]
//! edits the middle counts as one change.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::model::Cubin;
use crate::view::Kernel;

/// The number of edits at which the search gives up.
pub const MAX_EDITS: usize = 2000;

/// One of the two cubins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first one.
    A,
    /// The second one.
    B,
}

/// The differences of two cubins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The SM numbers, if they differ.
    pub sm: Option<(u16, u16)>,
    /// Functions that differ: those of A in A's order, then those that only B has.
    pub functions: Vec<FunctionDifference>,
    /// The number of equal functions.
    pub equal: usize,
}

/// The differences in one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionDifference {
    /// Symbol name.
    pub name: String,
    /// The cubin that has it, if only one does.
    pub only_in: Option<Side>,
    /// Facts that differ.
    pub facts: Vec<FactDifference>,
    /// Constant banks whose contents differ.
    pub banks: Vec<u8>,
    /// Runs of instructions that differ.
    pub changes: Vec<Change>,
    /// The number of instructions on each side, with padding.
    pub instructions: (usize, usize),
}

/// A figure that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FactDifference {
    /// The name of the figure.
    pub fact: &'static str,
    /// In A.
    pub a: u64,
    /// In B.
    pub b: u64,
}

/// Instructions `a` of A were replaced by instructions `b` of B. Both are ranges of instruction
/// indices (16 bytes each), and one may be empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// First and one past the last in A.
    pub a: (usize, usize),
    /// First and one past the last in B.
    pub b: (usize, usize),
}

impl Difference {
    /// Compares `a` with `b`.
    pub fn new(a: &Cubin, b: &Cubin) -> Self {
        let (ours, theirs) = (a.functions(), b.functions());
        let other: BTreeMap<&str, &Kernel<'_>> = theirs.iter().map(|k| (k.name, k)).collect();
        let known: BTreeSet<&str> = ours.iter().map(|k| k.name).collect();
        let mut functions = Vec::new();
        let mut equal = 0;
        for k in &ours {
            match other.get(k.name) {
                None => functions.push(only(k, Side::A)),
                Some(other) => match compare(k, other) {
                    Some(difference) => functions.push(difference),
                    None => equal += 1,
                },
            }
        }
        functions.extend(theirs.iter().filter(|k| !known.contains(k.name)).map(|k| only(k, Side::B)));
        let (sm_a, sm_b) = (a.header.sm(), b.header.sm());
        Self { sm: (sm_a != sm_b).then_some((sm_a, sm_b)), functions, equal }
    }

    /// Whether there are no differences.
    pub fn is_empty(&self) -> bool {
        self.sm.is_none() && self.functions.is_empty()
    }
}

fn only(k: &Kernel<'_>, side: Side) -> FunctionDifference {
    let count = k.code.len() / 16;
    FunctionDifference {
        name: k.name.to_owned(),
        only_in: Some(side),
        facts: Vec::new(),
        banks: Vec::new(),
        changes: Vec::new(),
        instructions: if side == Side::A { (count, 0) } else { (0, count) },
    }
}

fn facts(k: &Kernel<'_>) -> [(&'static str, u64); 8] {
    [
        ("registers", k.registers.into()),
        ("barriers", k.barriers.into()),
        ("frame bytes", k.frame_size.into()),
        ("stack bytes", k.stack_size.into()),
        ("shared bytes", k.shared_size),
        ("parameters", k.params.len() as u64),
        ("parameter bytes", k.param_size.into()),
        ("code bytes", k.code.len() as u64),
    ]
}

fn compare(a: &Kernel<'_>, b: &Kernel<'_>) -> Option<FunctionDifference> {
    let differing = facts(a).into_iter().zip(facts(b)).filter(|(x, y)| x.1 != y.1);
    let facts: Vec<_> = differing.map(|((fact, a), (_, b))| FactDifference { fact, a, b }).collect();
    let bank = |k: &Kernel<'_>, n: u8| k.const_banks.iter().find(|b| b.bank == n).map(|b| b.bytes.to_vec());
    // Bank 0 belongs to the driver and the parameters: its size is compared above.
    let banks: Vec<u8> = (1..=17).filter(|&n| bank(a, n) != bank(b, n)).collect();
    let words = |code: &[u8]| -> Vec<[u8; 16]> { code.chunks_exact(16).filter_map(|w| w.try_into().ok()).collect() };
    let (x, y) = (words(a.code), words(b.code));
    let changes = changes(&x, &y, MAX_EDITS);
    if facts.is_empty() && banks.is_empty() && changes.is_empty() {
        return None;
    }
    let instructions = (x.len(), y.len());
    Some(FunctionDifference { name: a.name.to_owned(), only_in: None, facts, banks, changes, instructions })
}

/// The changes that turn `a` into `b`, in order.
pub fn changes<T: PartialEq>(a: &[T], b: &[T], max_edits: usize) -> Vec<Change> {
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&a[prefix..], &b[prefix..]);
    let suffix = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (middle_a, middle_b) = (&rest_a[..rest_a.len() - suffix], &rest_b[..rest_b.len() - suffix]);
    if middle_a.is_empty() && middle_b.is_empty() {
        return Vec::new();
    }
    let whole = || vec![Change { a: (0, middle_a.len()), b: (0, middle_b.len()) }];
    let mut out = trace(middle_a, middle_b, max_edits).map_or_else(whole, |trace| walk(&trace, middle_a, middle_b));
    for change in &mut out {
        for end in [&mut change.a.0, &mut change.a.1, &mut change.b.0, &mut change.b.1] {
            *end += prefix;
        }
    }
    out
}

/// The furthest reaching points per number of edits: row `d` has diagonals `-d..=d`. `None` beyond
/// `max_edits`.
fn trace<T: PartialEq>(a: &[T], b: &[T], max_edits: usize) -> Option<Vec<Vec<usize>>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for d in 0..=max_edits.min(a.len() + b.len()) as isize {
        let mut row = vec![0; 2 * d as usize + 1];
        let last = rows.last();
        let reach = |k: isize| last.and_then(|r| r.get((k + d - 1) as usize)).copied();
        for k in (-d..=d).step_by(2) {
            let from_below = || reach(k + 1).unwrap_or(0);
            let from_left = || reach(k - 1).map_or(0, |x| x + 1);
            let mut x = match (d, k) {
                (0, _) => 0,
                (_, k) if k == -d => from_below(),
                (_, k) if k == d => from_left(),
                _ => from_below().max(from_left()),
            };
            while let (Some(p), Some(q)) = (a.get(x), usize::try_from(x as isize - k).ok().and_then(|y| b.get(y))) {
                if p != q {
                    break;
                }
                x += 1;
            }
            row[(k + d) as usize] = x;
            if x >= a.len() && x as isize - k >= b.len() as isize {
                rows.push(row);
                return Some(rows);
            }
        }
        rows.push(row);
    }
    None
}

/// Follows the furthest reaching points back to the start and merges adjacent edits.
fn walk<T>(rows: &[Vec<usize>], a: &[T], b: &[T]) -> Vec<Change> {
    let (mut x, mut y) = (a.len() as isize, b.len() as isize);
    let mut out: Vec<Change> = Vec::new();
    for d in (1..rows.len() as isize).rev() {
        let k = x - y;
        let reach = |k: isize| rows[d as usize - 1].get(usize::try_from(k + d - 1).unwrap_or(usize::MAX)).copied();
        let (below, left) = (reach(k + 1), reach(k - 1));
        let down = k == -d || (k != d && below.unwrap_or(0) >= left.map_or(0, |x| x + 1));
        let previous = if down { k + 1 } else { k - 1 };
        let px = reach(previous).unwrap_or(0) as isize;
        let py = px - previous;
        let (ex, ey) = if down { (px, py + 1) } else { (px + 1, py) };
        let edit = Change { a: (px as usize, ex as usize), b: (py as usize, ey as usize) };
        match out.last_mut() {
            // Edits come last first: this one ends where the next one in the file starts.
            Some(next) if next.a.0 == edit.a.1 && next.b.0 == edit.b.1 => (next.a.0, next.b.0) = (edit.a.0, edit.b.0),
            _ => out.push(edit),
        }
        (x, y) = (px, py);
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(a: &[u8], b: &[u8], changes: &[Change]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = 0;
        for c in changes {
            out.extend(&a[at..c.a.0]);
            out.extend(&b[c.b.0..c.b.1]);
            at = c.a.1;
        }
        out.extend(&a[at..]);
        out
    }

    #[test]
    fn changes_lead_from_one_to_the_other_and_are_few() {
        let cases: [(&[u8], &[u8], usize); 7] = [
            (b"", b"", 0),
            (b"abc", b"abc", 0),
            (b"abc", b"abxc", 1),
            (b"abcabba", b"cbabac", 4),
            (b"abcdef", b"abXdYf", 2),
            (b"", b"xyz", 1),
            (b"xyz", b"", 1),
        ];
        for (a, b, count) in cases {
            let c = changes(a, b, 100);
            assert_eq!(apply(a, b, &c), b, "{c:?}");
            assert!(c.len() <= count, "{c:?}");
        }
    }

    #[test]
    fn random_pairs_and_the_limit() {
        let mut state = 1u32;
        let mut random = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % n
        };
        for _ in 0..500 {
            let text =
                |random: &mut dyn FnMut(u32) -> u32| (0..random(30)).map(|_| random(4) as u8).collect::<Vec<_>>();
            let (a, b) = (text(&mut random), text(&mut random));
            let limit = random(40) as usize;
            assert_eq!(apply(&a, &b, &changes(&a, &b, limit)), b, "{a:?} {b:?}");
        }
    }
}
