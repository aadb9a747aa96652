//! The hazard tracker: checks the control fields of the executed code.
//!
//! Problem: the hardware does not interlock fixed-latency results, and tracks variable-latency
//! results by scoreboards alone. Code with a stall too short or a missing wait gives wrong results
//! occasionally. Strategy: one clock per warp that advances by the stall fields alone (the earliest
//! the hardware may issue), and for each register the pending operations: the last fixed-latency
//! writer with its issue time, variable-latency writers not waited for, variable-latency readers
//! that may not have read yet. A use that is not covered is a failure.
//!
//! Operations stay pending over calls, returns and barriers, and are checked where their registers
//! are touched: ptxas 13.0.88 leaves loads pending while it calls its own slow paths. Operations
//! pending at the exit of a warp do not matter.
//!
//! Hazards are per lane: they concern the lanes in which producer and consumer both ran, so
//! divergent subsets do not affect each other. Time spent on another subset does not count.

use super::uop::{Program, Res, TrackedWrite, Uop};
use crate::failure::{Hazard, Resource};
use raddle_sass::Queue;

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Issue time of the last fixed-latency writer plus one; 0 for none.
    time: u64,
    /// Its lanes.
    lanes: u32,
    /// Its instruction.
    pc: u32,
    /// Its column in the latency table.
    key: u16,
    /// Pending variable-latency writers.
    writers: u16,
    /// Their lanes.
    writer_lanes: u32,
    /// Pending variable-latency readers.
    readers: u16,
    /// Their lanes.
    reader_lanes: u32,
}

/// A pending variable-latency instruction.
#[derive(Clone, Copy, Debug)]
struct Pending {
    pc: u32,
    wr: u8,
    rd: u8,
    /// The queue in which its results arrive in order.
    results: Option<Queue>,
    /// The queue in which its sources are read in order.
    sources: Option<Queue>,
    /// Lanes whose results have not arrived.
    writing: u32,
    /// Lanes whose sources may not have been read.
    reading: u32,
    /// Lanes that have not yet waited for its scoreboards. An instruction that runs in no lane
    /// still passes through its unit, and waiting for it covers earlier ones.
    token: u32,
    time: u64,
    /// Lanes that issued it the last time; its other lanes did so before.
    latest: u32,
}

/// The arrival of a pending instruction's results in some lanes.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The instruction.
    pub pc: u32,
    /// Time of issue.
    time: u64,
    /// The lanes.
    pub lanes: u32,
    /// Only the predicates that arrive when the sources have been read.
    pub early: bool,
}

/// The hazard state of one warp.
#[derive(Clone, Debug)]
pub struct Tracker {
    cells: Vec<Cell>,
    pending: Vec<Pending>,
    /// Scoreboards held by pending instructions and not waited for by all lanes.
    outstanding: u8,
    /// The last instruction and its lanes, if it overwrote a register in the reuse cache.
    spoiled: Option<(u32, u32)>,
    /// Earliest issue cycle of the next instruction. An endless loop of stalls exceeds 32 bits.
    clock: u64,
    /// Arrivals, if they are recorded.
    arrivals: Option<Vec<Arrival>>,
}

impl Pending {
    /// Scoreboards that some lane still has to wait for.
    fn scoreboards(&self) -> u8 {
        // 7 means none and is masked out.
        if self.token == 0 { 0 } else { (1u16 << self.wr | 1u16 << self.rd) as u8 & 0x3f }
    }
}

/// Converts a register for failure messages.
pub fn resource(res: Res) -> Resource {
    use super::uop::{RES_PRED, RES_UPRED, RES_UREG};
    if res < RES_UREG {
        Resource::Reg(res as u8)
    } else if res < RES_PRED {
        Resource::UReg((res - RES_UREG) as u8)
    } else if res < RES_UPRED {
        Resource::Pred((res - RES_PRED) as u8)
    } else {
        Resource::UPred((res - RES_UPRED) as u8)
    }
}

/// A hazard and the earlier instruction involved; the machine fills in its text.
pub type Found = (Hazard, Option<u32>);

impl Tracker {
    /// Creates a tracker for a program with this many registers; with `late` it records arrivals.
    pub fn new(cells: usize, late: bool) -> Tracker {
        Tracker {
            cells: vec![Cell::default(); cells],
            pending: Vec::new(),
            outstanding: 0,
            spoiled: None,
            clock: 1,
            arrivals: late.then(Vec::new),
        }
    }

    /// Resets the tracker.
    pub fn reset(&mut self) {
        self.cells.fill(Cell::default());
        self.pending.clear();
        self.outstanding = 0;
        self.spoiled = None;
        self.clock = 1;
        self.arrivals = self.arrivals.take().map(|_| Vec::new());
    }

    /// Returns the arrivals since the last call, oldest instruction first.
    pub fn arrivals(&mut self) -> Vec<Arrival> {
        let mut list = self.arrivals.as_mut().map(std::mem::take).unwrap_or_default();
        list.sort_by_key(|a| a.time);
        list
    }

    /// Returns the issue clock.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Switches to another subset: elapsed time counts only for the lanes that issued, which each
    /// record contains; the reuse cache is lost.
    pub fn switch(&mut self) {
        self.spoiled = None;
    }

    /// Applies a wait of `lanes` for scoreboard `sb`: the instructions that set it are done, and so
    /// are earlier ones of the same unit (results) or queue (sources).
    fn drain(&mut self, p: &Program, sb: u8, lanes: u32) {
        for i in 0..self.pending.len() {
            let e = self.pending[i];
            let (done, read) = (e.wr == sb, e.rd == sb);
            if !done && !read || e.token & lanes == 0 {
                continue;
            }
            for j in 0..self.pending.len() {
                let other = self.pending[j];
                if other.time > e.time {
                    continue;
                }
                if done && (i == j || returns_before(other.results, e.results)) {
                    self.finish(p, j, lanes, true);
                    self.finish(p, j, lanes, false);
                } else if i == j || in_one(other.sources, e.sources) {
                    self.finish(p, j, lanes, false);
                }
            }
        }
        for e in &mut self.pending {
            if e.wr == sb || e.rd == sb && (e.wr == 7 || e.writing == 0) {
                e.token &= !lanes;
            }
        }
        self.pending.retain(|e| e.writing | e.reading | e.token != 0);
        self.outstanding = self.pending.iter().fold(0, |all, e| all | e.scoreboards());
    }

    /// Applies a wait of `lanes` until at most `left` instructions of scoreboard `sb` are pending. It
    /// says which ones have completed only if their results arrive in the order of issue.
    fn drain_but(&mut self, p: &Program, sb: u8, left: u8, lanes: u32) {
        let of = |e: &Pending| e.wr == sb && e.token & lanes != 0;
        let queue = self.pending.iter().find(|e| of(e)).and_then(|e| e.results);
        if !self.pending.iter().filter(|e| of(e)).all(|e| in_one(e.results, queue)) {
            return;
        }
        let mut times: Vec<u64> = self.pending.iter().filter(|e| of(e)).map(|e| e.time).collect();
        times.sort_unstable();
        let Some(last) = times.len().checked_sub(usize::from(left) + 1).map(|n| times[n]) else { return };
        for i in 0..self.pending.len() {
            if of(&self.pending[i]) && self.pending[i].time <= last {
                self.finish(p, i, lanes, true);
                self.finish(p, i, lanes, false);
                self.pending[i].token &= !lanes;
            }
        }
        self.pending.retain(|e| e.writing | e.reading | e.token != 0);
        self.outstanding = self.pending.iter().fold(0, |all, e| all | e.scoreboards());
    }

    /// Marks pending instruction `i` as having written (or else read) its registers in `lanes`.
    fn finish(&mut self, p: &Program, i: usize, lanes: u32, write: bool) {
        let e = &mut self.pending[i];
        let u = &p.code[e.pc as usize];
        let left = if write { &mut e.writing } else { &mut e.reading };
        let now = *left & lanes;
        if now == 0 {
            return;
        }
        *left &= !lanes;
        let last = *left == 0;
        if let Some(list) = &mut self.arrivals {
            list.push(Arrival { pc: e.pc, time: e.time, lanes: now, early: !write });
        }
        if write {
            for d in p.defs_of(u).iter().filter(|d| !(u.early_pred && is_pred(d.res))) {
                let c = &mut self.cells[usize::from(d.cell)];
                c.writer_lanes &= !now;
                c.writers -= u16::from(last && c.writers > 0);
            }
        } else {
            for d in p.defs_of(u).iter().filter(|d| u.early_pred && is_pred(d.res)) {
                let c = &mut self.cells[usize::from(d.cell)];
                c.writer_lanes &= !now;
                c.writers -= u16::from(last && c.writers > 0);
            }
            for s in p.uses_of(u).iter().filter(|s| s.late) {
                let c = &mut self.cells[usize::from(s.cell)];
                c.reader_lanes &= !now;
                c.readers -= u16::from(last && c.readers > 0);
            }
        }
    }

    /// Issues an instruction in the lanes `m` (those whose guard holds) of a subset `active`.
    #[inline]
    pub fn issue(&mut self, p: &Program, pc: u32, u: &Uop, active: u32, m: u32) -> Result<(), Found> {
        let now = self.clock;
        let waited = self.waits(p, u, active);
        self.clock = now + u64::from(u.stall.max(1));
        waited?;
        for s in p.watches_of(u) {
            let c = &self.cells[usize::from(s.cell)];
            // The guard is read in all lanes, the rest only where it holds.
            let lanes = if s.guard { active } else { m };
            if c.writer_lanes & lanes != 0 && c.writers != 0 {
                return Err(self.not_waited(p, s.res, lanes, "read"));
            }
            if s.fixed && c.time != 0 && c.lanes & lanes != 0 {
                let (need, since) = (u64::from(p.watching.need(s.key, c.key)), now + 1 - c.time);
                if since < need {
                    let (what, early) = (resource(s.res), (need - since) as u32);
                    return Err((Hazard::ReadTooEarly { what, early, producer: String::new() }, Some(c.pc)));
                }
            }
        }
        if let Some((before, lanes)) = self.spoiled.take() {
            self.reuse(p, u, before, lanes & m)?;
        }
        for d in p.marks_of(u) {
            self.define(p, pc, u, d, m, now)?;
        }
        if u.spoils != 0 {
            self.spoiled = Some((pc, m));
        }
        if u.unit == super::uop::Unit::Warpgroup {
            // Its results have their own record: [`super::products`].
        } else if u.variable {
            self.start(p, pc, u, active, m, now);
        } else if u.syncs {
            // After a barrier, all sources of the warp's earlier memory instructions have been
            // read.
            for i in 0..self.pending.len() {
                if self.pending[i].sources == Some(Queue::Memory) {
                    self.finish(p, i, active, false);
                }
            }
        }
        Ok(())
    }

    /// Applies the waits of `u` in the lanes `active`.
    #[inline]
    pub fn waits(&mut self, p: &Program, u: &Uop, active: u32) -> Result<(), Found> {
        if let Some((sb, left)) = u.counted {
            self.drain_but(p, sb, left, active);
        }
        if u.wait & self.outstanding == 0 {
            return Ok(());
        }
        self.wait(p, u, active, self.clock)
    }

    fn wait(&mut self, p: &Program, u: &Uop, active: u32, now: u64) -> Result<(), Found> {
        for sb in (0..6).filter(|sb| u.wait >> sb & 1 != 0) {
            // `DEPBAR` checks its scoreboards when it runs, not when it issues: ptxas 13.0.88 leaves
            // one cycle between.
            if u.named >> sb & 1 != 0 {
                self.drain(p, sb, active);
                continue;
            }
            if let Some(e) = self.pending.iter().find(|e| {
                let set = (e.wr == sb || e.rd == sb) && e.token & e.latest & active != 0;
                set && now < e.time + 2
            }) {
                let early = (e.time + 2 - now) as u32;
                let what = Resource::Scoreboard(sb);
                return Err((Hazard::WaitTooSoon { what, early, producer: String::new() }, Some(e.pc)));
            }
            self.drain(p, sb, active);
        }
        Ok(())
    }

    /// Lanes begin to run along with the subset: what their registers hold is theirs whatever they wait
    /// for, so nothing of it is awaited.
    pub fn lend(&mut self, p: &Program, lanes: u32) {
        for i in 0..self.pending.len() {
            self.finish(p, i, lanes, true);
            self.finish(p, i, lanes, false);
        }
    }

    /// Checks that `u` does not take registers from the reuse cache that the last instruction,
    /// `before`, overwrote.
    fn reuse(&self, p: &Program, u: &Uop, before: u32, lanes: u32) -> Result<(), Found> {
        let cached = &p.code[before as usize];
        for s in p.uses_of(u).iter().filter(|s| s.reuse < 4 && cached.spoils >> s.reuse & 1 != 0) {
            if lanes != 0 && p.uses_of(cached).iter().any(|c| c.reuse == s.reuse && c.res == s.res) {
                return Err((Hazard::StaleReuse { what: resource(s.res), slot: s.reuse }, None));
            }
        }
        Ok(())
    }

    /// A register with a pending variable-latency write that was not waited for.
    fn not_waited(&self, p: &Program, res: Res, lanes: u32, used: &'static str) -> Found {
        let writes = |pc: u32| p.defs_of(&p.code[pc as usize]).iter().any(|d| d.res == res);
        let e = self.pending.iter().find(|e| e.writing & lanes != 0 && writes(e.pc));
        (Hazard::NotWaited { what: resource(res), used, producer: String::new() }, e.map(|e| e.pc))
    }

    #[inline]
    fn define(&mut self, p: &Program, pc: u32, u: &Uop, d: &TrackedWrite, m: u32, now: u64) -> Result<(), Found> {
        let c = &self.cells[usize::from(d.cell)];
        if c.writer_lanes & m != 0 && c.writers != 0 && !self.in_order(p, d.res, u, m, true) {
            return Err(self.not_waited(p, d.res, m, "written"));
        }
        if c.reader_lanes & m != 0 && c.readers != 0 && !self.in_order(p, d.res, u, m, false) {
            let reads = |pc: u32| p.uses_of(&p.code[pc as usize]).iter().any(|x| x.res == d.res);
            let e = self.pending.iter().find(|e| e.reading & m != 0 && reads(e.pc));
            return Err((Hazard::Overwritten { what: resource(d.res), reader: String::new() }, e.map(|e| e.pc)));
        }
        // Two results of one instruction may be the same register (`VIMNMX.S16x2 R0, P0, P0, ...`).
        let own = c.pc == pc && c.time == now + 1;
        if d.fixed && c.time != 0 && c.lanes & m != 0 && !own {
            let (need, since) = (u64::from(p.watching.overtaking(d.key, c.key)), now + 1 - c.time);
            if since < need {
                let (what, early) = (resource(d.res), (need - since) as u32);
                return Err((Hazard::WrittenTooEarly { what, early, producer: String::new() }, Some(c.pc)));
            }
        }
        if m != 0 {
            let c = &mut self.cells[usize::from(d.cell)];
            if u.variable {
                c.time = 0;
            } else {
                (c.time, c.lanes, c.pc, c.key) = (now + 1, m, pc, d.key);
            }
        }
        Ok(())
    }

    /// Adds a pending variable-latency instruction.
    fn start(&mut self, p: &Program, pc: u32, u: &Uop, active: u32, m: u32, now: u64) {
        let (defs, uses) = (p.defs_of(u), p.uses_of(u));
        let writing = !defs.is_empty();
        let reading = uses.iter().any(|s| s.late);
        let mut token = if u.wr == 7 && u.rd == 7 { 0 } else { active };
        if !writing && !reading && token == 0 {
            return;
        }
        // A repeated instruction whose last run was not waited for (a store in a loop) is one
        // entry. Lanes whose sources have been read have nothing to wait for now.
        let (mut writers, mut readers) = (m, m);
        let again = self.pending.iter().position(|e| e.pc == pc);
        if let Some(i) = again {
            let old = self.pending[i];
            self.finish(p, i, !0, true);
            self.finish(p, i, !0, false);
            self.pending.swap_remove(i);
            writers |= old.writing;
            readers |= old.reading;
            token |= old.token;
        }
        for d in defs {
            // An early predicate arrives when the sources have been read.
            let lanes = if u.early_pred && is_pred(d.res) { readers } else { writers };
            let c = &mut self.cells[usize::from(d.cell)];
            c.writers += u16::from(lanes != 0);
            c.writer_lanes |= lanes;
        }
        for s in uses.iter().filter(|s| s.late) {
            let c = &mut self.cells[usize::from(s.cell)];
            c.readers += u16::from(readers != 0);
            c.reader_lanes |= readers;
        }
        let entry = Pending {
            pc,
            wr: u.wr,
            rd: u.rd,
            results: u.results,
            sources: u.sources,
            writing: if writing { writers } else { 0 },
            reading: if reading { readers } else { 0 },
            token,
            time: now,
            latest: active,
        };
        self.outstanding |= entry.scoreboards();
        self.pending.push(entry);
    }

    /// Whether all pending conflicts of `u` precede it in its own unit or queue.
    fn in_order(&self, p: &Program, res: Res, u: &Uop, m: u32, writes: bool) -> bool {
        u.variable
            && self.pending.iter().all(|e| {
                let other = &p.code[e.pc as usize];
                if writes {
                    e.writing & m == 0 || in_one(e.results, u.results) || p.defs_of(other).iter().all(|d| d.res != res)
                } else {
                    e.reading & m == 0 || in_one(e.sources, u.sources) || p.uses_of(other).iter().all(|s| s.res != res)
                }
            })
    }
}

/// Whether the results of an instruction in a queue arrive before those of a later one in another: a
/// fragment before what shared memory returns after it ("ptxas 13.0.88 output": a wait for `SHFL`
/// covers an earlier `LDSM` without a scoreboard).
fn returns_before(earlier: Option<Queue>, later: Option<Queue>) -> bool {
    in_one(earlier, later) || (earlier, later) == (Some(Queue::Fragment), Some(Queue::Shared))
}

/// Whether two instructions keep their order in the queue of one of them.
fn in_one(a: Option<Queue>, b: Option<Queue>) -> bool {
    a.is_some() && a == b
}

fn is_pred(res: Res) -> bool {
    res >= super::uop::RES_PRED
}
