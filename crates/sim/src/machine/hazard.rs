//! The hazard tracker: whether the control fields of the code keep every promise.
//!
//! Problem: the hardware does not interlock fixed-latency results, and knows of variable-latency results only what
//! scoreboards tell. Code with a stall too short or a wait missing gives wrong numbers now and then. Strategy: one
//! clock per warp that advances by the stall fields alone (the earliest the hardware may issue), and for each
//! register what is still under way: the last fixed-latency writer with its issue time, variable-latency writers
//! not waited for, variable-latency readers that may not have read yet. A use that relies on luck is a failure.
//!
//! What is under way stays so over calls, returns and barriers, and is judged where it is touched: ptxas 13.0.88 leaves
//! loads pending while it calls its own slow paths. What is under way at the exit of a warp concerns nobody.
//!
//! Lanes matter: a hazard concerns the lanes in which producer and consumer both ran, so divergent subsets do not
//! disturb each other. Time spent on another subset is not counted in favour of the program.

use super::uop::{Program, Res, Uop};
use super::watch::{Mark, reads_late};
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
    /// Its column in the table of latencies.
    key: u16,
    /// Variable-latency writers under way.
    writers: u16,
    /// Their lanes.
    writer_lanes: u32,
    /// Variable-latency instructions that may still have to read it.
    readers: u16,
    /// Their lanes.
    reader_lanes: u32,
}

/// A variable-latency instruction under way.
#[derive(Clone, Copy, Debug)]
struct Pending {
    pc: u32,
    wr: u8,
    rd: u8,
    /// Its unit: results come in order within one.
    results: Option<Queue>,
    /// Its queue: sources are read in order within one.
    sources: Option<Queue>,
    /// Lanes whose results are not there yet.
    writing: u32,
    /// Lanes whose sources may not have been read.
    reading: u32,
    /// Lanes that have not yet waited for its scoreboards. An instruction that no lane's guard lets run goes through
    /// its unit all the same, and waiting for it covers what went before.
    token: u32,
    time: u64,
    /// Lanes that issued it then; others of its lanes did so before.
    latest: u32,
}

/// A pending instruction's results are there for some lanes.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The instruction.
    pub pc: u32,
    /// When it was issued.
    time: u64,
    /// The lanes.
    pub lanes: u32,
    /// Only the predicates that come with the reading of the sources.
    pub early: bool,
}

/// Hazards of one warp.
#[derive(Clone, Debug)]
pub struct Tracker {
    cells: Vec<Cell>,
    pending: Vec<Pending>,
    /// Scoreboards that some pending instruction has and not everybody has waited for.
    outstanding: u8,
    /// The last instruction and its lanes, if it overwrote what it had put into the reuse cache.
    spoiled: Option<(u32, u32)>,
    /// Cycle in which the next instruction issues, at the earliest. An endless loop of stalls overtakes 32 bits.
    clock: u64,
    /// What arrived, where somebody wants to know.
    arrivals: Option<Vec<Arrival>>,
}

impl Pending {
    /// Scoreboards that somebody still has to wait for.
    fn scoreboards(&self) -> u8 {
        // 7 stands for none and falls off.
        if self.token == 0 { 0 } else { (1u16 << self.wr | 1u16 << self.rd) as u8 & 0x3f }
    }
}

/// The register as failures name it.
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

/// A hazard and the instruction that causes it together with the one at hand; the machine fills in its text.
pub type Found = (Hazard, Option<u32>);

impl Tracker {
    /// A tracker of a program with so many registers; with `late` it reports arrivals.
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

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.cells.fill(Cell::default());
        self.pending.clear();
        self.outstanding = 0;
        self.spoiled = None;
        self.clock = 1;
        self.arrivals = self.arrivals.take().map(|_| Vec::new());
    }

    /// What arrived since the last time, oldest instruction first.
    pub fn arrivals(&mut self) -> Vec<Arrival> {
        let mut list = self.arrivals.as_mut().map(std::mem::take).unwrap_or_default();
        list.sort_by_key(|a| a.time);
        list
    }

    /// The issue clock.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Another subset takes over: what was issued so far is far enough in the past for its own lanes only, which
    /// the lanes of each record say; the reuse cache is lost.
    pub fn switch(&mut self) {
        self.spoiled = None;
    }

    /// What `lanes` know after waiting for scoreboard `sb`: the instructions that set it are done, and so is what went
    /// before them in the same unit (results) or queue (sources).
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
                if done && (i == j || in_one(other.results, e.results)) {
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

    /// Pending instruction `i` has written (or else read) its registers in `lanes`.
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
            for s in p.uses_of(u).iter().filter(|s| reads_late(s.res)) {
                let c = &mut self.cells[usize::from(s.cell)];
                c.reader_lanes &= !now;
                c.readers -= u16::from(last && c.readers > 0);
            }
        }
    }

    /// Accounts for an instruction issued by the lanes `m` (those whose guard holds) of a subset `active`.
    #[inline]
    pub fn issue(&mut self, p: &Program, pc: u32, u: &Uop, active: u32, m: u32) -> Result<(), Found> {
        let now = self.clock;
        let waited = self.waits(p, u, active);
        self.clock = now + u64::from(u.stall.max(1));
        waited?;
        for s in p.watches_of(u) {
            let c = &self.cells[usize::from(s.cell)];
            // The guard is read for all lanes, the rest only where it holds.
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
        if u.variable {
            self.start(p, pc, u, active, m, now);
        } else if u.syncs {
            // Past a barrier, everything its warp had sent to memory before has been read.
            for i in 0..self.pending.len() {
                if self.pending[i].sources == Some(Queue::Memory) {
                    self.finish(p, i, active, false);
                }
            }
        }
        Ok(())
    }

    /// The lanes `active` wait for the scoreboards of `u`, if they have not done so.
    #[inline]
    pub fn waits(&mut self, p: &Program, u: &Uop, active: u32) -> Result<(), Found> {
        if u.wait & self.outstanding == 0 {
            return Ok(());
        }
        self.wait(p, u, active, self.clock)
    }

    fn wait(&mut self, p: &Program, u: &Uop, active: u32, now: u64) -> Result<(), Found> {
        for sb in (0..6).filter(|sb| u.wait >> sb & 1 != 0) {
            // `DEPBAR.LE` looks at the scoreboard it names when it runs, not when it issues: ptxas 13.0.88 lets one cycle pass.
            let named = matches!(u.kind, super::uop::Kind::WaitCopies { scoreboard, .. } if scoreboard == sb);
            if named {
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

    /// The instruction `before`, the last one, overwrote registers it had put into the reuse cache: `u` may not take
    /// them from there.
    fn reuse(&self, p: &Program, u: &Uop, before: u32, lanes: u32) -> Result<(), Found> {
        let cached = &p.code[before as usize];
        for s in p.uses_of(u).iter().filter(|s| s.reuse < 4 && cached.spoils >> s.reuse & 1 != 0) {
            if lanes != 0 && p.uses_of(cached).iter().any(|c| c.reuse == s.reuse && c.res == s.res) {
                return Err((Hazard::StaleReuse { what: resource(s.res), slot: s.reuse }, None));
            }
        }
        Ok(())
    }

    /// A register that a variable-latency instruction writes is touched before that was waited for.
    fn not_waited(&self, p: &Program, res: Res, lanes: u32, used: &'static str) -> Found {
        let writes = |pc: u32| p.defs_of(&p.code[pc as usize]).iter().any(|d| d.res == res);
        let e = self.pending.iter().find(|e| e.writing & lanes != 0 && writes(e.pc));
        (Hazard::NotWaited { what: resource(res), used, producer: String::new() }, e.map(|e| e.pc))
    }

    #[inline]
    fn define(&mut self, p: &Program, pc: u32, u: &Uop, d: &Mark, m: u32, now: u64) -> Result<(), Found> {
        let c = &self.cells[usize::from(d.cell)];
        if c.writer_lanes & m != 0 && c.writers != 0 && !self.in_order(p, d.res, u, m, true) {
            return Err(self.not_waited(p, d.res, m, "written"));
        }
        if c.reader_lanes & m != 0 && c.readers != 0 && !self.in_order(p, d.res, u, m, false) {
            let reads = |pc: u32| p.uses_of(&p.code[pc as usize]).iter().any(|x| x.res == d.res);
            let e = self.pending.iter().find(|e| e.reading & m != 0 && reads(e.pc));
            return Err((Hazard::Overwritten { what: resource(d.res), reader: String::new() }, e.map(|e| e.pc)));
        }
        // Two results of one instruction may name one register (`VIMNMX.S16x2 R0, P0, P0, ...`).
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

    /// A variable-latency instruction begins.
    fn start(&mut self, p: &Program, pc: u32, u: &Uop, active: u32, m: u32, now: u64) {
        let (defs, uses) = (p.defs_of(u), p.uses_of(u));
        let writing = !defs.is_empty();
        let reading = uses.iter().any(|s| reads_late(s.res));
        let mut token = if u.wr == 7 && u.rd == 7 { 0 } else { active };
        if !writing && !reading && token == 0 {
            return;
        }
        // The same instruction again, its last run not waited for (a store in a loop), is one entry. Lanes whose sources were
        // read then have nothing to wait for now.
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
            // An early predicate comes with the reading of the sources.
            let lanes = if u.early_pred && is_pred(d.res) { readers } else { writers };
            let c = &mut self.cells[usize::from(d.cell)];
            c.writers += u16::from(lanes != 0);
            c.writer_lanes |= lanes;
        }
        for s in uses.iter().filter(|s| reads_late(s.res)) {
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

    /// Whether everything still under way that `u` would collide with goes before it in its own unit or queue.
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

/// Whether two instructions keep their order in the queue of one of them.
fn in_one(a: Option<Queue>, b: Option<Queue>) -> bool {
    a.is_some() && a == b
}

fn is_pred(res: Res) -> bool {
    res >= super::uop::RES_PRED
}
