//! The main loop: schedules warps, runs instructions, ends the grid.
//!
//! A few blocks are resident at a time; a seeded choice picks the next warp and how long it runs,
//! so that a program that relies on an order fails for some seed. All choices come from one
//! generator: the same seed gives the same run.

use raddle_target::Limits;

use super::barrier;
use super::block::{Block, Exec, Global, LaneFailure};
use super::exec_flow::Flow;
use super::exec_wgmma;
use super::hazard::{Found, Tracker};
use super::image::Image;
use super::late::Completion;
use super::quad::quads;
use super::resident::{Part, Resident};
use super::schedule::SubsetOrder;
use super::uop::{Kind, Program, Unit, Uop};
use super::warp::Warp;
use crate::failure::{Failure, FailureKind, Hazard, ThreadPos};
use crate::launch::OnFinding;

/// Blocks that run at the same time.
const RESIDENT: usize = 3;
/// Most instructions of a warp before another may run.
const QUANTUM: usize = 64;

/// An instruction before it runs, for traces.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// Block, flattened.
    pub block: u32,
    /// Warp in the block.
    pub warp: u32,
    /// Byte offset of the instruction.
    pub pc: u32,
    /// Lanes of the running subset.
    pub active: u32,
    /// Lanes whose guard holds.
    pub mask: u32,
    /// Issue clock of the warp.
    pub cycle: u64,
    /// The registers of the warp.
    pub registers: Registers<'a>,
}

/// The registers of a warp before an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Registers<'a>(&'a Warp);

impl Registers<'_> {
    /// The value of general register `n` in a lane, and its undefined bits.
    pub fn general(&self, n: u8, lane: u32) -> (u32, u32) {
        let lane = lane as usize % 32;
        (self.0.reg(n)[lane], self.0.reg_undef(n, lane))
    }

    /// The value of predicate `n` (0 to 7) in a lane, and whether it is undefined.
    pub fn predicate(&self, n: u8, lane: u32) -> (bool, bool) {
        let of = |rows: &[u32; 8]| rows[usize::from(n % 8)] >> (lane % 32) & 1 == 1;
        (of(&self.0.preds), of(&self.0.pred_undef))
    }
}

/// Settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// RunSettings hazards are handled.
    pub hazards: OnFinding,
    /// When variable-latency results arrive.
    pub completion: Completion,
    /// Which subset of a diverged warp runs next.
    pub order: SubsetOrder,
    /// Whether the lanes of a call come together where it returns.
    pub calls_converge: bool,
    /// [`super::Setup::regions_are_left`].
    pub regions_are_left: bool,
}

/// The machine of one launch.
pub struct Runner<'a, 'm, 't> {
    pub(super) image: &'a Image,
    pub(super) global: Global<'m>,
    pub(super) how: RunSettings,
    max_steps: u64,
    steps: u64,
    /// Finished blocks for reuse: all blocks of a launch have the same shape.
    pub(super) spare: Vec<Part>,
    trace: Option<&'t mut dyn FnMut(&Event<'_>)>,
    /// Hazards and races, if they are only warnings.
    pub warnings: Vec<String>,
}

impl<'a, 'm, 't> Runner<'a, 'm, 't> {
    /// Creates a machine for an image.
    pub fn new(
        image: &'a Image,
        global: Global<'m>,
        how: RunSettings,
        max_steps: u64,
        trace: Option<&'t mut dyn FnMut(&Event<'_>)>,
    ) -> Self {
        Runner { image, global, how, max_steps, steps: 0, spare: Vec::new(), trace, warnings: Vec::new() }
    }

    /// Runs the grid to its end.
    pub fn run(mut self) -> Result<(crate::stats::Stats, Vec<String>), Failure> {
        let total = self.global.grid.count() / self.image.cluster.count();
        let mut next = 0;
        let mut resident: Vec<Resident> = Vec::new();
        loop {
            while resident.len() < RESIDENT && next < total {
                resident.push(self.start(next));
                next += 1;
            }
            if resident.is_empty() {
                break;
            }
            let Some((c, p, w)) = self.pick(&resident) else {
                if self.go_on(&mut resident)? || self.how.regions_are_left && self.leave_regions(&mut resident) {
                    continue;
                }
                return Err(self.deadlock(&mut resident));
            };
            let r = &mut resident[c];
            let quantum = 1 + self.global.rng.below(QUANTUM);
            r.exchange(p, true);
            self.run_warp(&mut r.parts[p], w, quantum)?;
            r.exchange(p, false);
            self.settle(r)?;
            if r.parts.iter().all(|part| part.warps.iter().all(|w| w.live == 0)) {
                self.finish(r)?;
                let done = resident.swap_remove(c);
                self.spare.extend(done.parts);
            }
        }
        let mut warnings = std::mem::take(&mut self.global.warnings);
        for &pc in &self.global.unwritten {
            let place = self.image.place(pc);
            warnings.push(format!("an atomic operation computes with memory that nothing was written to at {place}"));
        }
        warnings.append(&mut self.warnings);
        Ok((self.global.stats, warnings))
    }

    pub(super) fn failure(&self, t: LaneFailure, r: &Part, w: usize, pc: u32) -> Failure {
        let index = r.warps[w].index * 32 + t.lane;
        let kind = match t.kind {
            FailureKind::Asynchrony(text) => FailureKind::Asynchrony(self.image.name_all_places(&text)),
            FailureKind::Race { space, addr, access, earlier, near } => {
                FailureKind::Race { space, addr, access, earlier: self.image.name_places(&earlier), near }
            }
            kind => kind,
        };
        Failure {
            kernel: self.image.kernel.clone(),
            who: Some(ThreadPos {
                cta: r.block.ctaid,
                thread: self.global.block.unflatten(u64::from(index)),
                lane: t.lane,
            }),
            place: Box::new(self.image.place(pc)),
            kind: Box::new(kind),
        }
    }

    /// Runs warp `w` for up to `quantum` instructions, or until it cannot continue.
    fn run_warp(&mut self, r: &mut Part, w: usize, quantum: usize) -> Result<(), Failure> {
        exec_wgmma::now_and_then(&mut r.warps, &r.block, &mut self.global);
        if !r.warps[w].can_go_on() && !self.choose_subset(r, w) {
            return Ok(());
        }
        for _ in 0..quantum {
            let warp = &r.warps[w];
            let pc = warp.splits[warp.cur].pc;
            match self.step(r, w, pc) {
                Ok(Flow::Other | Flow::Done) => continue,
                Ok(Flow::Switch | Flow::MaySwitch) => {}
                Ok(Flow::Arrived(id)) => {
                    barrier::complete(&mut r.warps, usize::from(id), &mut r.block, &mut self.global);
                }
                Ok(Flow::Exited) => {
                    for id in 0..16 {
                        barrier::complete(&mut r.warps, id, &mut r.block, &mut self.global);
                    }
                }
                Err(t) => return Err(self.failure(*t, r, w, pc)),
            }
            if !self.choose_subset(r, w) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes a runnable subset of warp `w` the current one. Returns false if there is none.
    fn choose_subset(&mut self, r: &mut Part, w: usize) -> bool {
        // The running subset may be gone: the reuse cache is lost unless there is only one subset.
        if r.warps[w].splits.len() > 1 {
            r.trackers[w].switch();
        }
        r.warps[w].choose_subset(self.how.order, &mut self.global.rng)
    }

    /// Runs the instruction at `pc` for the running subset of warp `w`.
    #[inline(always)]
    fn step(&mut self, r: &mut Part, w: usize, pc: u32) -> Exec<Flow> {
        let program = &self.image.program;
        let Some(u) = program.code.get(pc as usize) else {
            return Err(LaneFailure::new(0, FailureKind::WildBranch(u64::from(pc) * 16)));
        };
        let Part { block, warps, trackers } = r;
        let (warp, tracker) = (&mut warps[w], &mut trackers[w]);
        self.count(warp)?;
        let active = warp.active();
        let mut waited = Ok(());
        if self.late() {
            // Results that this instruction waits for arrive before its guard is read.
            waited = tracker.waits(program, u, active);
            tracker.arrivals().into_iter().for_each(|a| warp.deliver(a));
        }
        if u.wait != 0 && !warp.copies.none() {
            warp.copies.waited(u.wait, block);
        }
        if u.wait != 0 && !warp.asynchronous.views.is_empty() {
            warp.viewed(u.wait, &mut self.global);
        }
        let issue = Issue::guarded(u, pc, warp);
        if u.unit == Unit::Async
            && let Some(wait) = warp.parks(u, issue.mask, block, &mut self.global)
        {
            warp.splits[warp.cur].wait = wait;
            return Ok(Flow::Switch);
        }
        let named = warp.count.saturating_sub(Limits::RESERVED_REGISTERS as u16);
        if u.top > named {
            let kind = FailureKind::Register { number: u.top - 1, count: warp.count };
            return Err(LaneFailure::new(active.trailing_zeros() as usize, kind));
        }
        let mask = issue.mask;
        self.global.stats.thread_insts += u64::from(mask.count_ones());
        if let Some(trace) = &mut self.trace {
            let (block, cycle, registers) = (block.index, tracker.clock(), Registers(warp));
            trace(&Event { block, warp: warp.index, pc: pc * 16, active, mask, cycle, registers });
        }
        self.track(&issue, waited, warp, tracker)?;
        if program.has_products && mask != 0 && u.unit != Unit::Warpgroup && self.how.hazards != OnFinding::Off {
            warp.products.touch(program, u).or_else(|found| self.report(&issue, found))?;
        }
        if issue.undef_guard != 0 && matches!(u.unit, Unit::Flow | Unit::Bar) {
            let kind = if u.unit == Unit::Flow { FailureKind::UndefinedBranch } else { FailureKind::UndefinedGuard };
            return Err(LaneFailure::new(issue.undef_guard.trailing_zeros() as usize, kind));
        }
        if let Kind::ActiveTo { quads: true, .. } = u.kind {
            tracker.lend(program, quads(active) & !active);
            tracker.arrivals().into_iter().for_each(|a| warp.deliver(a));
        }
        if let Some(n) = self.image.system_at(pc) {
            super::system::call(self.image, n, mask, warp, block, &mut self.global)?;
        }
        self.execute(&issue, r, w)
    }

    /// Whether results arrive as late as they may.
    #[inline(always)]
    fn late(&self) -> bool {
        self.how.completion == Completion::Late
    }

    /// Counts an instruction of a warp.
    #[inline(always)]
    fn count(&mut self, warp: &mut Warp) -> Exec {
        self.steps += 1;
        if self.steps > self.max_steps {
            return Err(LaneFailure::new(0, FailureKind::MaxSteps(self.max_steps)));
        }
        let g = &mut self.global;
        g.now += 1;
        g.stats.warp_insts += 1;
        if warp.splits.len() == 1 {
            warp.together = g.now;
        }
        Ok(())
    }

    /// Advances the warp's clock, applies the results that arrive, and reports hazards; `waited`
    /// is one that was found before.
    #[inline(always)]
    fn track(&mut self, i: &Issue<'_>, waited: Result<(), Found>, warp: &mut Warp, tracker: &mut Tracker) -> Exec {
        let late = self.late();
        if self.how.hazards == OnFinding::Off && !late {
            warp.cycle += u64::from(i.u.stall.max(1));
            return Ok(());
        }
        let program = &self.image.program;
        let found = waited.and_then(|()| tracker.issue(program, i.pc, i.u, i.active, i.mask));
        warp.cycle = tracker.clock();
        if late {
            tracker.arrivals().into_iter().for_each(|a| warp.deliver(a));
        }
        let found = found.and_then(|()| warp.check_uniform(program, i.u, i.active, i.mask).map_err(|h| (h, None)));
        match found {
            Err(found) if self.how.hazards != OnFinding::Off => self.report(i, found),
            _ => Ok(()),
        }
    }

    /// Reports a hazard as a failure, or as a warning.
    #[cold]
    fn report(&mut self, i: &Issue<'_>, (hazard, other): Found) -> Exec {
        let hazard = hazard.with_instruction(other.map(|o| self.image.text_at(o)));
        if self.how.hazards == OnFinding::Error {
            return Err(LaneFailure::new(i.active.trailing_zeros() as usize, FailureKind::Hazard(hazard)));
        }
        if self.warnings.len() < 100 {
            self.warnings.push(format!("{}: {hazard}", self.image.place(i.pc)));
        }
        Ok(())
    }

    /// Executes an instruction for the running subset of warp `w`, and moves its program counter.
    #[inline(always)]
    fn execute(&mut self, i: &Issue<'_>, r: &mut Part, w: usize) -> Exec<Flow> {
        let &Issue { u, pc, mask: m, undef_guard, .. } = i;
        let (program, late, g) = (&self.image.program, self.late(), &mut self.global);
        let Part { block, warps, .. } = r;
        let warp = &mut warps[w];
        match u.unit {
            Unit::Flow => {
                if m == 0 {
                    warp.splits[warp.cur].pc += 1;
                    return Ok(Flow::Other);
                }
                if u.kind == Kind::Unsupported {
                    return Err(LaneFailure::new(m.trailing_zeros() as usize, unsupported(program, pc)));
                }
                let flow = warp.exec_flow(u, m, program.code.len() as u32, g)?;
                if flow == Flow::Other {
                    warp.splits[warp.cur].pc += 1;
                }
                return Ok(flow);
            }
            Unit::Bar => {
                let Kind::Bar { mode, count } = u.kind else { return Ok(Flow::Other) };
                if m == 0 {
                    warp.splits[warp.cur].pc += 1;
                    return Ok(Flow::Other);
                }
                return barrier::arrive(warps, w, u, mode, count, m, block).map(Flow::Arrived);
            }
            Unit::Warpgroup => {
                let flow = exec_wgmma::run(warps, w, (u, pc, m), block, g)?;
                return flow.or_else(|found| self.report(i, found).map(|()| Flow::Other));
            }
            _ => warp.owning(program, u, m, |warp| compute(program, u, warp, (m, undef_guard), block, g))?,
        }
        if late && u.variable && m != 0 {
            warp.park(program, pc, u, m);
        }
        warp.splits[warp.cur].pc += 1;
        Ok(Flow::Other)
    }
}

/// An instruction of the running subset of a warp, with its lanes.
struct Issue<'p> {
    u: &'p Uop,
    pc: u32,
    /// Lanes of the running subset.
    active: u32,
    /// Lanes whose guard holds.
    mask: u32,
    /// Lanes whose guard is undefined.
    undef_guard: u32,
}

impl<'p> Issue<'p> {
    /// Reads the guard of an instruction.
    #[inline(always)]
    fn guarded(u: &'p Uop, pc: u32, warp: &Warp) -> Self {
        let active = warp.active();
        let (mut mask, mut undef_guard) = (active, 0);
        if u.guard.n != 7 || u.guard.not {
            mask &= warp.pred(u.guard);
            undef_guard = warp.pred_undef(u.guard) & active;
        }
        Issue { u, pc, active, mask, undef_guard }
    }
}

/// Runs an instruction other than control flow in the lanes of `m`; the guard is undefined in those
/// of `undef_guard`.
#[inline(always)]
pub fn compute(
    program: &Program,
    u: &Uop,
    warp: &mut Warp,
    (m, undef_guard): (u32, u32),
    block: &mut Block,
    g: &mut Global<'_>,
) -> Exec {
    if undef_guard != 0 && matches!(u.unit, Unit::Mem | Unit::Tensor | Unit::Async) {
        return Err(LaneFailure::new(undef_guard.trailing_zeros() as usize, FailureKind::UndefinedGuard));
    }
    match u.unit {
        Unit::Nop | Unit::Flow | Unit::Bar => {}
        _ if m == 0 => {}
        Unit::Int => {
            warp.exec_int(u, m);
        }
        Unit::Float => {
            warp.exec_float(u, m, g.mufu);
        }
        Unit::Mem => {
            warp.exec_mem(u, m, block, g)?;
        }
        Unit::Warp => {
            warp.exec_warp(u, m, block, g)?;
        }
        Unit::Tensor => warp.exec_tensor(u, m, block, g)?,
        Unit::Warpgroup => {
            let why = "products of a warpgroup in a run of warps as if they shared nothing".to_owned();
            return Err(LaneFailure::new(0, FailureKind::Unsupported(why)));
        }
        Unit::Async => {
            if let Kind::Async(op) = &u.kind {
                let lane = warp.speakers(program, u, m).trailing_zeros() as usize & 31;
                warp.exec_async(u, op, (m, lane), block, g)?;
            }
        }
    }
    if undef_guard != 0 {
        // It is unknown whether the result was written: it becomes undefined in these lanes.
        for d in program.defs_of(u) {
            warp.taint_res(d.res, undef_guard);
        }
    }
    Ok(())
}

/// Returns the reason why an instruction cannot run.
pub fn unsupported(program: &Program, pc: u32) -> FailureKind {
    let why = program.unsupported.binary_search_by_key(&pc, |e| e.0);
    FailureKind::Unsupported(why.map_or(String::new(), |i| program.unsupported[i].1.clone()))
}

impl Hazard {
    /// Returns the hazard with the text of the other instruction filled in.
    fn with_instruction(mut self, text: Option<String>) -> Hazard {
        let text = text.unwrap_or_else(|| "an earlier instruction".to_string());
        match &mut self {
            Hazard::ReadTooEarly { producer, .. }
            | Hazard::WrittenTooEarly { producer, .. }
            | Hazard::NotWaited { producer, .. }
            | Hazard::InFlight { producer, .. }
            | Hazard::WaitTooSoon { producer, .. } => *producer = text,
            Hazard::Overwritten { reader, .. } => *reader = text,
            Hazard::StaleReuse { .. } | Hazard::OtherSubset { .. } | Hazard::NotArrived { .. } => {}
        }
        self
    }
}
