//! Waits and stalls: prevents all hazards, whatever the order of the code.
//!
//! Problem: a register may be touched only after its pending operations have completed, which may
//! have been issued in another block. Waiting for everything at block ends drains the pipeline in
//! every iteration of a loop. Strategy: a forward data flow. The state at a point is what is
//! pending there: for each register the scoreboards that guard its results and its readers, and how
//! long ago its fixed-latency writers issued. Where paths meet it is the union, with the least
//! time. A walk over a block turns the state at its beginning into waits, issue times and the
//! states at its branches and its end; blocks are walked until no initial state grows.
//!
//! Invariants: initial states only grow, so this ends; the last walk over a block starts from its
//! final initial state, so its waits hold for all paths. A block that branches or falls to another
//! inserts the pause that the first instruction there needs, so a path pays for its own latencies
//! only. Before an indirect branch everything is waited for.

use raddle_entity::SecondaryMap;
use raddle_ir::Stop;
use raddle_sass::latency::{Producer, latency};
use raddle_sass::{Class, Ctrl, Inst, Isa, Op};
use smallvec::SmallVec;

use super::accesses::{CELLS, Cell, Info, Touch, Touches};
use super::latency::{overtaking, overwriting, slowest};
use super::{LONGEST, SCOREBOARDS, legal, pause, wait_or_pause};
use crate::code::{CodeBlock, Item};
use crate::mir::MBlock;

/// Cycles after which every fixed-latency result has arrived.
const ARRIVED: i32 = 64;

/// The control-flow graph over positions in the list of blocks.
pub(super) struct Graph {
    /// Successors of a block.
    pub succs: Vec<SmallVec<[usize; 2]>>,
    /// Predecessors of a block.
    pub preds: Vec<SmallVec<[usize; 2]>>,
    /// The position of a block.
    position: SecondaryMap<MBlock, usize>,
    /// Whether the block ends in an indirect branch to its successors.
    indirect: Vec<bool>,
    /// Whether control can fall through to the next block.
    falls: Vec<bool>,
}

impl Graph {
    /// Builds the graph from branches and fall-throughs.
    pub(super) fn new(blocks: &[CodeBlock]) -> Graph {
        let mut position = SecondaryMap::new();
        blocks.iter().enumerate().for_each(|(n, b)| position[b.label] = n);
        let mut g = Graph {
            succs: vec![SmallVec::new(); blocks.len()],
            preds: vec![SmallVec::new(); blocks.len()],
            position,
            indirect: vec![false; blocks.len()],
            falls: vec![false; blocks.len()],
        };
        for (n, b) in blocks.iter().enumerate() {
            let mut to: SmallVec<[usize; 2]> = SmallVec::new();
            if let Some(table) = &b.table {
                // A checker of the words alone does not know the table: any instruction after an
                // end may be a target.
                g.indirect[n] = true;
                to.extend(table.targets.iter().map(|&t| g.position[t]));
                let behind = |k: &usize| blocks[k - 1].items.last().is_some_and(|i| ends(&i.inst));
                to.extend((1..blocks.len()).filter(behind));
            }
            let targets = b.items.iter().filter(|i| i.inst.op() == Op::Bra).filter_map(|i| i.target);
            to.extend(targets.map(|t| g.position[t]));
            if !g.indirect[n] {
                g.falls[n] = n + 1 < blocks.len() && !b.items.last().is_some_and(|i| ends(&i.inst));
                if g.falls[n] {
                    to.push(n + 1);
                }
            }
            to.sort_unstable();
            to.dedup();
            to.iter().for_each(|&s| g.preds[s].push(n));
            g.succs[n] = to;
        }
        g
    }
}

/// Whether control never continues after it.
fn ends(i: &Inst) -> bool {
    matches!(i.op(), Op::Bra | Op::Exit | Op::Brx | Op::Ret) && i.guard.is_always()
}

/// A pending reader: the scoreboards to wait for, and those of which each one covers it.
type Reader = (u8, u8);

/// Pending operations of one register.
#[derive(Clone, Debug, Default)]
struct Pending {
    /// Scoreboards of variable-latency writers.
    writers: u8,
    /// Variable-latency readers.
    readers: SmallVec<[Reader; 2]>,
    /// Fixed-latency writers and their issue times.
    fixed: SmallVec<[(Producer, i32); 2]>,
    /// When the uniform data path last read it.
    uniform: Option<i32>,
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.writers == 0 && self.readers.is_empty() && self.fixed.is_empty() && self.uniform.is_none()
    }
}

/// What is pending at the beginning of a block; times are relative to it, so never positive.
#[derive(Clone, Debug, Default)]
struct Entry {
    /// Pending registers, ascending.
    cells: Vec<(Cell, Pending)>,
    /// Scoreboards in use.
    busy: u8,
    /// When each scoreboard was last set.
    set: [i32; SCOREBOARDS as usize],
}

impl Entry {
    fn new() -> Entry {
        Entry { set: [-ARRIVED; SCOREBOARDS as usize], ..Entry::default() }
    }

    /// Merges the state of another path; returns whether that changed anything.
    fn join(&mut self, other: &Entry) -> bool {
        let mut grew = other.busy & !self.busy != 0;
        self.busy |= other.busy;
        for (mine, theirs) in self.set.iter_mut().zip(other.set) {
            grew |= theirs > *mine;
            *mine = theirs.max(*mine);
        }
        let mut at = 0;
        let mut new = Vec::new();
        for (cell, theirs) in &other.cells {
            while self.cells.get(at).is_some_and(|e| e.0 < *cell) {
                at += 1;
            }
            match self.cells.get_mut(at).filter(|e| e.0 == *cell) {
                Some((_, mine)) => grew |= join_pending(mine, theirs),
                None => new.push((*cell, theirs.clone())),
            }
        }
        grew |= !new.is_empty();
        self.cells.extend(new);
        self.cells.sort_by_key(|e| e.0);
        grew
    }
}

fn join_pending(mine: &mut Pending, theirs: &Pending) -> bool {
    let mut grew = theirs.writers & !mine.writers != 0;
    mine.writers |= theirs.writers;
    for r in &theirs.readers {
        if !mine.readers.contains(r) {
            mine.readers.push(*r);
            grew = true;
        }
    }
    if theirs.uniform > mine.uniform {
        mine.uniform = theirs.uniform;
        grew = true;
    }
    for &(p, at) in &theirs.fixed {
        match mine.fixed.iter_mut().find(|e| e.0 == p) {
            Some(e) => {
                grew |= at > e.1;
                e.1 = at.max(e.1);
            }
            None => {
                mine.fixed.push((p, at));
                grew = true;
            }
        }
    }
    grew
}

/// What is pending at a point of a walk.
struct State {
    isa: Isa,
    cells: Vec<Pending>,
    /// Registers that had anything pending, each once.
    active: Vec<Cell>,
    is_active: Vec<bool>,
    /// Scoreboards in use.
    busy: u8,
    set: [i32; SCOREBOARDS as usize],
    /// Earliest issue of the next instruction, by the last one's stall.
    ready: i32,
}

impl State {
    fn new(isa: Isa) -> State {
        State {
            isa,
            cells: vec![Pending::default(); CELLS],
            active: Vec::new(),
            is_active: vec![false; CELLS],
            busy: 0,
            set: [-ARRIVED; SCOREBOARDS as usize],
            ready: 0,
        }
    }

    /// Resets the state to the beginning of a block.
    fn enter(&mut self, entry: &Entry) {
        for cell in self.active.drain(..) {
            self.cells[usize::from(cell)] = Pending::default();
            self.is_active[usize::from(cell)] = false;
        }
        for (cell, pending) in &entry.cells {
            *self.pending(*cell) = pending.clone();
        }
        (self.busy, self.set, self.ready) = (entry.busy, entry.set, 0);
    }

    fn pending(&mut self, cell: Cell) -> &mut Pending {
        if !std::mem::replace(&mut self.is_active[usize::from(cell)], true) {
            self.active.push(cell);
        }
        &mut self.cells[usize::from(cell)]
    }

    /// The state in cycle `at`, relative to it, for the beginning of a block.
    fn leave(&self, at: i32) -> Entry {
        let mut cells: Vec<(Cell, Pending)> = Vec::new();
        for &cell in &self.active {
            let mut p = self.cells[usize::from(cell)].clone();
            p.fixed.iter_mut().for_each(|e| e.1 -= at);
            p.fixed.retain(|e| e.1 > -ARRIVED);
            p.uniform = p.uniform.map(|read| read - at).filter(|&read| read > -ARRIVED);
            if !p.is_empty() {
                cells.push((cell, p));
            }
        }
        cells.sort_by_key(|e| e.0);
        Entry { cells, busy: self.busy, set: self.set.map(|s| (s - at).max(-ARRIVED)) }
    }

    /// Returns the scoreboards that the instruction has to wait for, and its earliest issue; `None`
    /// if it overwrites an unguarded source.
    fn needs(&self, info: &Info, touches: &[Touch]) -> Option<(u8, i32)> {
        let mut wait = if info.drains { self.busy } else { 0 };
        let mut at = self.ready;
        for t in touches {
            let p = &self.cells[usize::from(t.cell)];
            wait |= p.writers;
            for &(wanted, any) in p.readers.iter().filter(|_| t.written) {
                if any == 0 {
                    return None;
                }
                wait |= wanted;
            }
            for &(producer, issued) in &p.fixed {
                if let Some(c) = t.read {
                    at = at.max(issued + i32::from(latency(self.isa, producer, c).schedule));
                }
                if t.written {
                    at = at.max(issued + overtaking(self.isa, producer, t.fixed) as i32);
                }
            }
            if let Some(read) = p.uniform.filter(|_| t.written) {
                at = at.max(read + overwriting(Class::Udp, t.fixed.map(|p| p.class)) as i32);
            }
        }
        for n in (0..SCOREBOARDS).filter(|n| wait >> n & 1 == 1) {
            // At least two cycles from setting to waiting.
            at = at.max(self.set[usize::from(n)] + 2);
        }
        Some((wait, at))
    }

    /// The earliest cycle in which every scoreboard in use can be waited for.
    fn waitable(&self) -> i32 {
        let used = (0..SCOREBOARDS).filter(|n| self.busy >> n & 1 == 1);
        used.map(|n| self.set[usize::from(n)] + 2).max().unwrap_or(0)
    }

    /// The cycle in which all fixed-latency results have arrived for every reader.
    fn settled(&self) -> i32 {
        let fixed = self.active.iter().flat_map(|&c| &self.cells[usize::from(c)].fixed);
        fixed.map(|&(p, at)| at + slowest(self.isa, p) as i32).max().unwrap_or(0)
    }

    /// Removes scoreboards that were waited for.
    fn waited(&mut self, mask: u8) {
        if mask == 0 {
            return;
        }
        self.busy &= !mask;
        let (cells, is_active) = (&mut self.cells, &mut self.is_active);
        self.active.retain(|&cell| {
            let p = &mut cells[usize::from(cell)];
            p.writers &= !mask;
            p.readers.retain(|r| r.1 & mask == 0);
            is_active[usize::from(cell)] = !p.is_empty();
            !p.is_empty()
        });
    }

    /// Records an instruction that issues in cycle `at`.
    fn issue(&mut self, info: &Info, touches: &[Touch], ctrl: Ctrl, at: i32) {
        let bit = |bar: Option<u8>| bar.map_or(0, |n| 1u8 << n);
        let (wr, rd) = (bit(ctrl.wr_bar), bit(ctrl.rd_bar));
        self.busy |= wr | rd;
        for n in (0..SCOREBOARDS).filter(|n| (wr | rd) >> n & 1 == 1) {
            self.set[usize::from(n)] = at;
        }
        for t in touches.iter().filter(|t| t.written) {
            let p = self.pending(t.cell);
            // It has waited for all pending operations but those that complete before its own.
            p.fixed.clear();
            p.uniform = None;
            if let Some(producer) = t.fixed {
                p.fixed.push((producer, at));
            } else if info.variable {
                p.writers |= wr;
            }
        }
        for t in touches.iter().filter(|t| !t.written && t.read.is_some_and(|c| c.class == Class::Udp)) {
            self.pending(t.cell).uniform = Some(at);
        }
        if info.variable {
            for t in touches.iter().filter(|t| t.read.is_some() && t.late) {
                let reader = (if rd != 0 { rd } else { wr }, rd | wr);
                let p = self.pending(t.cell);
                if !p.readers.contains(&reader) {
                    p.readers.push(reader);
                }
            }
        }
        self.ready = at + info.stall as i32;
    }
}

/// The result of a walk over a block.
#[derive(Clone, Debug, Default)]
struct Walk {
    /// Cycles before the first instruction.
    lead: i32,
    /// Waits, by instruction.
    waits: Vec<u8>,
    /// Cycles after each instruction.
    cycles: Vec<i32>,
}

struct Flow<'a> {
    touches: &'a [Touches],
    graph: &'a Graph,
    state: State,
    entries: Vec<Option<Entry>>,
}

impl Flow<'_> {
    /// The first instruction at or after the beginning of a block.
    fn first(&self, mut b: usize) -> Option<(&Info, &[Touch])> {
        loop {
            match self.touches[b].infos.first() {
                Some(info) => return Some((info, self.touches[b].of(0))),
                None if self.graph.falls[b] => b += 1,
                None => return None,
            }
        }
    }

    /// The earliest cycle, seen from here, in which control may arrive at a block.
    fn arrival(&self, b: usize) -> Result<i32, Stop> {
        match self.first(b) {
            Some((info, touches)) => Ok(self.state.needs(info, touches).ok_or_else(unguarded)?.1),
            None => Ok(self.state.ready),
        }
    }

    /// Walks over a block; collects the states for its successors.
    fn walk(&mut self, b: usize, blocks: &[CodeBlock], out: &mut Vec<(usize, Entry)>) -> Result<Walk, Stop> {
        let touches = &self.touches[b];
        let mut w = Walk::default();
        self.state.enter(self.entries[b].as_ref().unwrap_or(&Entry::new()));
        let mut before = 0;
        let count = touches.infos.len();
        for n in 0..count {
            let info = &touches.infos[n];
            let (mut wait, mut at) = self.state.needs(info, touches.of(n)).ok_or_else(unguarded)?;
            if let Some(to) = info.target.map(|t| self.graph.position[t]) {
                // A longer delay than a stall after the branch allows goes before it.
                at = at.max(self.arrival(to)? - LONGEST as i32);
            } else if info.leaves || (self.graph.indirect[b] && n + 1 == count) {
                wait |= self.state.busy;
                at = at.max(self.state.settled() - info.stall as i32).max(self.state.waitable());
            }
            if n > 0 {
                w.cycles.push(at - before);
            } else {
                w.lead = at;
            }
            self.state.waited(wait);
            self.state.issue(info, touches.of(n), blocks[b].items[n].inst.ctrl, at);
            w.waits.push(wait);
            before = at;
            if let Some(to) = info.target.map(|t| self.graph.position[t]) {
                self.state.ready = self.state.ready.max(self.arrival(to)?).max(self.state.waitable());
                out.push((to, self.state.leave(self.state.ready)));
            }
        }
        // Another path may make the successor wait for any scoreboard, which must not follow its
        // setting at once.
        let mut at = self.state.ready.max(self.state.waitable());
        let next = b + 1;
        if self.graph.falls[b] {
            at = at.max(self.arrival(next)?);
            out.push((next, self.state.leave(at)));
        } else if self.graph.indirect[b] {
            for &s in &self.graph.succs[b] {
                out.push((s, self.state.leave(at)));
            }
        }
        if count > 0 {
            w.cycles.push(at - before);
        }
        Ok(w)
    }
}

fn unguarded() -> Stop {
    Stop::Internal { pass: "schedule", what: "an unguarded register is overwritten".into() }
}

/// Fills in waits and stalls; scoreboards are assigned already.
///
/// # Errors
/// [`Stop::Internal`] if an unguarded source is overwritten.
pub(super) fn run(
    blocks: &mut [CodeBlock],
    touches: &[Touches],
    graph: &Graph,
    isa: Isa,
    nop: &Inst,
) -> Result<(), Stop> {
    let mut flow = Flow { touches, graph, state: State::new(isa), entries: vec![None; blocks.len()] };
    let mut walks: Vec<Walk> = vec![Walk::default(); blocks.len()];
    // Unreachable blocks are walked once, too: their words must be legal.
    let mut stale = vec![true; blocks.len()];
    let mut out = Vec::new();
    while let Some(first) = stale.iter().position(|&s| s) {
        for b in first..blocks.len() {
            if !std::mem::replace(&mut stale[b], false) {
                continue;
            }
            walks[b] = flow.walk(b, blocks, &mut out)?;
            for (s, exit) in out.drain(..) {
                stale[s] |= flow.entries[s].get_or_insert_with(Entry::new).join(&exit);
            }
        }
    }
    for (block, walk) in blocks.iter_mut().zip(&walks) {
        emit(block, walk, nop);
    }
    Ok(())
}

/// Writes the result of a walk into the control fields; pauses too long for a stall become
/// instructions.
fn emit(block: &mut CodeBlock, walk: &Walk, nop: &Inst) {
    let items = std::mem::take(&mut block.items);
    if !items.is_empty() {
        pauses(&mut block.items, nop, walk.lead);
    }
    for (mut item, (&wait_mask, &cycles)) in items.into_iter().zip(walk.waits.iter().zip(&walk.cycles)) {
        let stall = cycles.clamp(1, LONGEST as i32);
        let wait_mask = wait_or_pause(&mut block.items, nop, &item.inst, wait_mask);
        item.inst.ctrl = legal(Ctrl { stall: stall as u8, wait_mask, yield_: false, ..item.inst.ctrl });
        block.items.push(item);
        pauses(&mut block.items, nop, cycles - stall);
    }
}

/// Appends `NOP`s for this many cycles.
fn pauses(items: &mut Vec<Item>, nop: &Inst, mut cycles: i32) {
    while cycles > 0 {
        let stall = cycles.min(LONGEST as i32);
        items.push(pause(nop, stall as u32, 0));
        cycles -= stall;
    }
}
