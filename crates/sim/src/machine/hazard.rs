//! The hazard tracker: whether the control fields of the code keep every promise.
//!
//! Problem: the hardware does not interlock fixed-latency results, and knows of variable-latency results only what
//! scoreboards tell. Code with a stall too short or a wait missing gives wrong numbers now and then. Strategy: one
//! clock per warp that advances by the stall fields alone (the earliest the hardware may issue), and for each
//! register what is still under way: the last fixed-latency writer with its issue time, variable-latency writers
//! not waited for, variable-latency readers that may not have read yet. A use that relies on luck is a failure.
//!
//! Lanes matter: a hazard concerns the lanes in which producer and consumer both ran, so divergent subsets do not
//! disturb each other. Time spent on another subset is not counted in favour of the program.

use super::latency::Latencies;
use super::operands::GUARD_SLOT;
use super::uop::{Def, NO_PIPE, Program, RES_COUNT, Res, Uop};
use crate::failure::{Hazard, Resource};

/// Longest fixed latency in any table, in cycles.
const LONGEST: u32 = 64;

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Issue time of the last fixed-latency writer plus one; 0 for none.
    time: u32,
    /// Its lanes.
    lanes: u32,
    /// Its instruction.
    pc: u32,
    /// Which register of its result.
    half: u8,
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
    pipe: u8,
    /// Its queue: sources are read in order within one.
    queue: u8,
    /// Lanes whose results are not there yet.
    writing: u32,
    /// Lanes whose sources may not have been read.
    reading: u32,
    /// Lanes that have not yet waited for its scoreboards. An instruction that no lane's guard lets run goes through
    /// its unit all the same, and waiting for it covers what went before.
    token: u32,
    time: u32,
}

/// What one entry of the reuse cache holds.
#[derive(Clone, Copy, Debug)]
struct Cached {
    res: Res,
    lanes: u32,
    /// The register was overwritten by the instruction that filled the entry.
    stale: bool,
}

/// Hazards of one warp.
#[derive(Clone, Debug)]
pub struct Tracker {
    cells: Vec<Cell>,
    pending: Vec<Pending>,
    reuse: [Option<Cached>; 4],
    /// Cycle in which the next instruction issues, at the earliest.
    clock: u32,
}

fn resource(res: Res) -> Resource {
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

impl Default for Tracker {
    fn default() -> Tracker {
        Tracker { cells: vec![Cell::default(); RES_COUNT], pending: Vec::new(), reuse: [None; 4], clock: 1 }
    }
}

impl Tracker {
    /// Forgets everything.
    pub fn reset(&mut self) {
        self.cells.fill(Cell::default());
        self.pending.clear();
        self.reuse = [None; 4];
        self.clock = 1;
    }

    /// The issue clock.
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Another subset takes over: what was issued so far is far enough in the past for its own lanes only, which
    /// the lanes of each record say; the reuse cache is lost.
    pub fn switch(&mut self) {
        self.reuse = [None; 4];
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
                if done && (i == j || other.pipe == e.pipe && e.pipe != NO_PIPE) {
                    self.finish(p, j, lanes, true);
                    self.finish(p, j, lanes, false);
                } else if i == j || other.queue == e.queue && e.queue != NO_PIPE {
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
        if write {
            for d in p.defs_of(u).iter().filter(|d| !(u.early_pred && is_pred(d.res))) {
                let c = &mut self.cells[usize::from(d.res)];
                c.writer_lanes &= !now;
                c.writers -= u16::from(last && c.writers > 0);
            }
        } else {
            for d in p.defs_of(u).iter().filter(|d| u.early_pred && is_pred(d.res)) {
                let c = &mut self.cells[usize::from(d.res)];
                c.writer_lanes &= !now;
                c.writers -= u16::from(last && c.writers > 0);
            }
            for s in p.uses_of(u).iter().filter(|s| reads_late(s.res)) {
                let c = &mut self.cells[usize::from(s.res)];
                c.reader_lanes &= !now;
                c.readers -= u16::from(last && c.readers > 0);
            }
        }
    }

    /// Accounts for an instruction issued by the lanes `m` (those whose guard holds) of a subset `active`.
    #[inline]
    pub fn issue(
        &mut self,
        p: &Program,
        pc: u32,
        u: &Uop,
        active: u32,
        m: u32,
        slots: &Latencies,
    ) -> Result<(), Found> {
        let now = self.clock;
        if u.wait != 0 && !self.pending.is_empty() {
            for sb in 0..6 {
                if u.wait >> sb & 1 != 0 {
                    if let Some(e) = self.pending.iter().find(|e| {
                        let set = (e.wr == sb || e.rd == sb) && e.token & active != 0;
                        set && now < e.time + 2
                    }) {
                        let early = e.time + 2 - now;
                        return Err((
                            Hazard::WaitTooSoon { what: Resource::Scoreboard(sb), early, producer: String::new() },
                            Some(e.pc),
                        ));
                    }
                    self.drain(p, sb, active);
                }
            }
        }
        let reuse = std::mem::take(&mut self.reuse);
        for s in p.uses_of(u) {
            let c = &self.cells[usize::from(s.res)];
            // The guard is read for all lanes, the rest only where it holds.
            let active = if s.slot == GUARD_SLOT { active } else { m };
            if c.writers != 0 && c.writer_lanes & active != 0 {
                let e = self.pending.iter().find(|e| {
                    e.writing & active != 0 && p.defs_of(&p.code[e.pc as usize]).iter().any(|d| d.res == s.res)
                });
                let what = resource(s.res);
                return Err((Hazard::NotWaited { what, used: "read", producer: String::new() }, e.map(|e| e.pc)));
            }
            if c.time + LONGEST > now && c.time != 0 && c.lanes & active != 0 {
                let producer = &p.code[c.pc as usize];
                let need = slots.get(s.res, producer.class, c.half, u.class, s.slot, s.high);
                let since = now + 1 - c.time;
                if since < need {
                    let what = resource(s.res);
                    let early = need - since;
                    return Err((Hazard::ReadTooEarly { what, early, producer: String::new() }, Some(c.pc)));
                }
            }
            if let Some(Some(c)) = reuse.get(usize::from(s.reuse))
                && c.stale
                && c.res == s.res
                && c.lanes & active != 0
            {
                return Err((Hazard::StaleReuse { what: resource(s.res), slot: s.reuse }, None));
            }
            if s.reuse < 4 && u.reuse >> s.reuse & 1 != 0 {
                self.reuse[usize::from(s.reuse)] = Some(Cached { res: s.res, lanes: active, stale: false });
            }
        }
        for d in p.defs_of(u) {
            self.define(p, pc, u, d, m, now)?;
            // An instruction that overwrites what it puts into the reuse cache makes the entry stale.
            for entry in self.reuse.iter_mut().flatten() {
                entry.stale |= entry.res == d.res;
            }
        }
        if u.variable {
            self.start(p, pc, u, active, m, now);
        } else if u.syncs {
            // Past a barrier, everything its warp had sent to memory before has been read.
            for i in 0..self.pending.len() {
                if self.pending[i].queue == 0 {
                    self.finish(p, i, active, false);
                }
            }
        }
        self.clock = now + u32::from(u.stall.max(1));
        Ok(())
    }

    #[inline]
    fn define(&mut self, p: &Program, pc: u32, u: &Uop, d: &Def, m: u32, now: u32) -> Result<(), Found> {
        let c = self.cells[usize::from(d.res)];
        if c.writers != 0 && c.writer_lanes & m != 0 && !self.in_order(p, d.res, u, m, true) {
            let e = self
                .pending
                .iter()
                .find(|e| e.writing & m != 0 && p.defs_of(&p.code[e.pc as usize]).iter().any(|x| x.res == d.res));
            let what = resource(d.res);
            return Err((Hazard::NotWaited { what, used: "written", producer: String::new() }, e.map(|e| e.pc)));
        }
        if c.readers != 0 && c.reader_lanes & m != 0 && !self.in_order(p, d.res, u, m, false) {
            let e = self
                .pending
                .iter()
                .find(|e| e.reading & m != 0 && p.uses_of(&p.code[e.pc as usize]).iter().any(|x| x.res == d.res));
            return Err((Hazard::Overwritten { what: resource(d.res), reader: String::new() }, e.map(|e| e.pc)));
        }
        let c = &mut self.cells[usize::from(d.res)];
        if !u.variable && m != 0 {
            c.time = now + 1;
            c.lanes = m;
            c.pc = pc;
            c.half = d.half;
        } else if m != 0 {
            c.time = 0;
        }
        Ok(())
    }

    /// A variable-latency instruction begins.
    fn start(&mut self, p: &Program, pc: u32, u: &Uop, active: u32, mut m: u32, now: u32) {
        let (defs, uses) = (p.defs_of(u), p.uses_of(u));
        let writing = !defs.is_empty();
        let reading = uses.iter().any(|s| reads_late(s.res));
        let mut token = if u.wr == 7 && u.rd == 7 { 0 } else { active };
        if !writing && !reading && token == 0 {
            return;
        }
        // The same instruction again, its last run not waited for (a store in a loop), is one entry.
        let again = self.pending.iter().position(|e| e.pc == pc);
        if let Some(i) = again {
            let old = self.pending[i];
            self.finish(p, i, !0, true);
            self.finish(p, i, !0, false);
            self.pending.swap_remove(i);
            m |= old.writing | old.reading;
            token |= old.token;
        }
        if m != 0 {
            for d in defs {
                let c = &mut self.cells[usize::from(d.res)];
                c.writers += 1;
                c.writer_lanes |= m;
            }
            for s in uses.iter().filter(|s| reads_late(s.res)) {
                let c = &mut self.cells[usize::from(s.res)];
                c.readers += 1;
                c.reader_lanes |= m;
            }
        }
        self.pending.push(Pending {
            pc,
            wr: u.wr,
            rd: u.rd,
            pipe: u.pipe,
            queue: u.queue,
            writing: if writing { m } else { 0 },
            reading: if reading { m } else { 0 },
            token,
            time: now,
        });
    }

    /// Whether everything still under way that `u` would collide with goes before it in its own unit or queue.
    fn in_order(&self, p: &Program, res: Res, u: &Uop, m: u32, writes: bool) -> bool {
        u.variable
            && self.pending.iter().all(|e| {
                let other = &p.code[e.pc as usize];
                if writes {
                    e.writing & m == 0
                        || e.pipe == u.pipe && e.pipe != NO_PIPE
                        || p.defs_of(other).iter().all(|d| d.res != res)
                } else {
                    e.reading & m == 0
                        || e.queue == u.queue && e.queue != NO_PIPE
                        || p.uses_of(other).iter().all(|s| s.res != res)
                }
            })
    }
}

fn is_pred(res: Res) -> bool {
    res >= super::uop::RES_PRED
}

/// Predicates and uniform registers are read at issue; general registers when the unit gets to the instruction.
fn reads_late(res: Res) -> bool {
    res < super::uop::RES_UREG
}
