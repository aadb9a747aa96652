//! Scoreboard assignment for variable-latency instructions.
//!
//! Problem: a warp has six scoreboards, and waiting for one waits for every instruction that holds
//! it. Two loads of which one is used at once and the other much later should not share one; two
//! that are used by the same instruction may. A scoreboard for the *sources* of an instruction is
//! needed only if one of them is overwritten before its results are waited for.
//!
//! Strategy: for every register, the distance in instructions to its next use or write and to its
//! next write, along the nearest path of the control-flow graph (a fixed point). An instruction's
//! results are waited for where the first of them is touched. Scoreboards are then assigned in
//! layout order: one that is waited for at the same place, else a free one, else the one where
//! sharing delays least by typical latencies. Loads share one rather than take the last free one, so
//! that the registers of one address can be written again while many loads are under way.
//!
//! One decision is final: an instruction gets no scoreboard for sources that are never written
//! again. [`super::waits`] checks that.

use raddle_sass::{Inst, Op};

use super::SCOREBOARDS;
use super::accesses::{CELLS, Touches};
use super::latency::{SOURCES_READ, typical};
use super::waits::Graph;
use crate::code::CodeBlock;

/// A distance in instructions; [`NEVER`] if there is no such touch.
type Distance = u16;
const NEVER: Distance = Distance::MAX;
/// Distances from here on are treated as equal.
const FAR: Distance = 2000;

/// Distances from a point to the next touch and the next write of every register.
#[derive(Clone, PartialEq)]
struct Next {
    touch: [Distance; CELLS],
    write: [Distance; CELLS],
}

impl Next {
    fn never() -> Next {
        Next { touch: [NEVER; CELLS], write: [NEVER; CELLS] }
    }

    /// Keeps the smaller distance of both.
    fn join(&mut self, other: &Next) {
        for (mine, theirs) in [(&mut self.touch, &other.touch), (&mut self.write, &other.write)] {
            for (x, y) in mine.iter_mut().zip(theirs) {
                *x = (*x).min(*y);
            }
        }
    }

    /// Moves from after `len` instructions to before them, whose own touches are nearer.
    fn over(&mut self, own: &Next, len: usize) {
        let len = Distance::try_from(len).unwrap_or(FAR).min(FAR);
        for (mine, own) in [(&mut self.touch, &own.touch), (&mut self.write, &own.write)] {
            for (x, &o) in mine.iter_mut().zip(own) {
                if o != NEVER {
                    *x = o;
                } else if *x != NEVER {
                    *x = (*x + len).min(FAR);
                }
            }
        }
    }
}

/// First touches and writes within a block.
fn own(touches: &Touches) -> Next {
    let mut next = Next::never();
    for n in (0..touches.infos.len()).rev() {
        let at = Distance::try_from(n).unwrap_or(FAR).min(FAR);
        for t in touches.of(n) {
            let cell = usize::from(t.cell);
            next.touch[cell] = at;
            if t.written {
                next.write[cell] = at;
            }
        }
    }
    next
}

/// Distances from the end of every block.
fn distances(touches: &[Touches], graph: &Graph) -> Vec<Next> {
    let owns: Vec<Next> = touches.iter().map(own).collect();
    let mut at_end: Vec<Next> = vec![Next::never(); touches.len()];
    let mut at_start: Vec<Next> = owns.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..touches.len()).rev() {
            let mut end = Next::never();
            graph.succs[b].iter().for_each(|&s| end.join(&at_start[s]));
            if end == at_end[b] {
                continue;
            }
            changed = true;
            at_end[b] = end.clone();
            end.over(&owns[b], touches[b].infos.len());
            at_start[b] = end;
        }
    }
    at_end
}

/// A scoreboard in use; positions are instructions from the beginning of the current block.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// The position where it is waited for.
    until: i32,
    /// When its results are available, in typical cycles.
    ready: i32,
}

#[derive(Clone, Debug, Default)]
struct Board([Option<Held>; SCOREBOARDS as usize]);

/// Typical cycles that an instruction takes to issue.
const CYCLES: i32 = 2;
/// Cycles of latency from which on an instruction leaves the last free scoreboard to those with less,
/// above all to sources that are overwritten soon, if sharing another one costs less than [`LAST`].
const LONG: u32 = 100;
/// The cost of the last free scoreboard for such an instruction, in cycles of delay by sharing.
const LAST: i32 = 20;

impl Board {
    /// Takes the best scoreboard for an instruction issued at `at`, waited for at `until`, with
    /// this latency in cycles.
    fn take(&mut self, available: u8, at: i32, until: i32, latency: u32) -> u8 {
        let ready = at * CYCLES + latency as i32;
        let is_free = |n: &u8| self.0[usize::from(*n)].is_none_or(|h| h.until <= at);
        let free = (0..SCOREBOARDS).filter(|n| available >> n & 1 == 1 && is_free(n)).count();
        let cost = |n: u8| -> (i32, u8) {
            let cost = match self.0[usize::from(n)].filter(|h| h.until > at) {
                Some(h) if h.until == until => 0,
                None if free == 1 && latency >= LONG => LAST,
                None => 1,
                // The earlier wait waits for both.
                Some(h) if h.until < until => 2 + (ready - h.ready).max(0),
                Some(h) => 2 + (h.ready - ready).max(0),
            };
            (cost, n)
        };
        let best = (0..SCOREBOARDS).filter(|n| available >> n & 1 == 1).min_by_key(|&n| cost(n));
        let n = best.unwrap_or(SCOREBOARDS - 1);
        let slot = &mut self.0[usize::from(n)];
        *slot = Some(match slot.filter(|h| h.until > at) {
            Some(h) => Held { until: h.until.min(until), ready: h.ready.max(ready) },
            None => Held { until, ready },
        });
        n
    }

    /// Merges the scoreboards in use on two paths.
    fn join(&mut self, other: &Board) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = match (*mine, *theirs) {
                (Some(a), Some(b)) => Some(Held { until: a.until.min(b.until), ready: a.ready.max(b.ready) }),
                (a, b) => a.or(b),
            };
        }
    }

    /// The same, seen `len` instructions later.
    fn behind(&self, len: i32) -> Board {
        let shifted = |h: Held| Held { until: h.until - len, ready: h.ready - len * CYCLES };
        Board(self.0.map(|h| h.map(shifted).filter(|h| h.until >= 0)))
    }
}

/// Returns the scoreboards, for results and sources, of an instruction that commits a group of
/// asynchronous copies: `DEPBAR.LE` counts the groups of scoreboard 0 ("ptxas 13.0.88 output").
pub(super) fn counts_groups(i: &Inst) -> Option<(Option<u8>, Option<u8>)> {
    match i.op() {
        Op::Ldgdepbar => Some((Some(0), None)),
        Op::Utmacmdflush => Some((None, Some(0))),
        _ => None,
    }
}

/// Assigns scoreboards to all variable-latency instructions.
pub(super) fn assign(blocks: &mut [CodeBlock], touches: &[Touches], graph: &Graph) {
    let copies = blocks.iter().flat_map(|b| &b.items).any(|i| counts_groups(&i.inst).is_some());
    let available = if copies { 0b11_1110 } else { 0b11_1111 };
    let at_end = distances(touches, graph);
    let mut exits: Vec<Option<Board>> = vec![None; blocks.len()];
    for b in 0..blocks.len() {
        let mut board = Board::default();
        graph.preds[b].iter().filter_map(|&p| exits[p].as_ref()).for_each(|exit| board.join(exit));
        let len = touches[b].infos.len();
        let guards = guards(blocks, touches, b, &at_end[b]);
        for (n, item) in blocks[b].items.iter_mut().enumerate() {
            let ctrl = &mut item.inst.ctrl;
            (ctrl.wr_bar, ctrl.rd_bar) = (None, None);
            if let Some(bars) = counts_groups(&item.inst) {
                (item.inst.ctrl.wr_bar, item.inst.ctrl.rd_bar) = bars;
                continue;
            }
            let row = item.inst.row();
            if let Some(until) = guards[n].results {
                item.inst.ctrl.wr_bar = Some(board.take(available, n as i32, until, typical(row)));
            }
            if let Some(until) = guards[n].sources {
                item.inst.ctrl.rd_bar = Some(board.take(available, n as i32, until, SOURCES_READ));
            }
        }
        exits[b] = Some(board.behind(len as i32));
    }
}

/// The positions where an instruction's results and sources are waited for, if they need a
/// scoreboard.
#[derive(Clone, Copy, Debug, Default)]
struct Guards {
    results: Option<i32>,
    sources: Option<i32>,
}

fn guards(blocks: &[CodeBlock], touches: &[Touches], b: usize, at_end: &Next) -> Vec<Guards> {
    let touches = &touches[b];
    let len = touches.infos.len() as i32;
    let place = |d: Distance| if d == NEVER { i32::MAX } else { len + i32::from(d) };
    let mut touch: Vec<i32> = at_end.touch.iter().map(|&d| place(d)).collect();
    let mut write: Vec<i32> = at_end.write.iter().map(|&d| place(d)).collect();
    let mut out = vec![Guards::default(); touches.infos.len()];
    for n in (0..touches.infos.len()).rev() {
        let own = touches.of(n);
        if touches.infos[n].variable {
            let effects = blocks[b].items[n].inst.row().effects;
            let results = own.iter().filter(|t| t.written).map(|t| touch[usize::from(t.cell)]).min();
            out[n].results = results.filter(|_| effects.write_barrier);
            let sources = own.iter().filter(|t| !t.written && t.late);
            let sources = sources.map(|t| write[usize::from(t.cell)]).min().filter(|&w| w != i32::MAX);
            // Once results have arrived, the sources have been read.
            let covered = |w: i32| out[n].results.is_some_and(|r| r <= w);
            out[n].sources = sources.filter(|&w| effects.read_barrier && !covered(w));
        }
        for t in own {
            touch[usize::from(t.cell)] = n as i32;
            if t.written {
                write[usize::from(t.cell)] = n as i32;
            }
        }
    }
    out
}
