//! Fast runs of kernels whose threads do not communicate: all warps of a block in lockstep, without
//! the hazard tracker.
//!
//! Problem: `super::run` chooses a warp and a subset at random, checks every control field and
//! counts; for all 2^32 operands of a function that takes hours. Strategy: the warps of a block
//! advance together, at the lowest instruction that any of them has reached, so that an instruction
//! is dispatched once for hundreds of threads and branches are few; the semantics of an instruction
//! for a warp are the same code ([`super::run::compute`], [`Warp::exec_flow`]).
//!
//! Invariants: each thread computes the same as in `super::run`, as long as threads do not
//! communicate: named barriers are rejected. Undefined bits, bounds and alignment are checked;
//! hazards and races are not.

use super::block::{Block, Exec, Global, LaneFailure};
use super::cluster::Cluster;
use super::exec_flow::Flow;
use super::image::Image;
use super::run::{compute, unsupported};
use super::uop::{Kind, Unit};
use super::warp::{Wait, Warp};
use crate::failure::{Failure, FailureKind, ThreadPos};
use crate::mem::Segment;

/// A subset of a warp's lanes at the current instruction.
struct Group {
    warp: usize,
    active: u32,
}

/// The machine of one launch.
pub struct Lockstep<'a, 'm> {
    image: &'a Image,
    global: Global<'m>,
    steps: u64,
    max_steps: u64,
}

impl<'a, 'm> Lockstep<'a, 'm> {
    /// Creates a machine for an image.
    pub fn new(image: &'a Image, global: Global<'m>, max_steps: u64) -> Self {
        Lockstep { image, global, steps: 0, max_steps }
    }

    /// Runs the grid to its end, block by block.
    pub fn run(mut self) -> Result<crate::stats::Stats, Failure> {
        let threads = self.global.block.count() as u32;
        let exists = |i: u32| match threads - 32 * i {
            n if n < 32 => (1 << n) - 1,
            _ => !0,
        };
        let count = threads.div_ceil(32);
        let image = self.image;
        let mut warps: Vec<Warp> = (0..count).map(|i| Warp::new(i, exists(i), image.entry, image.registers)).collect();
        let local = if image.local_size == 0 { 0 } else { count as usize * 32 };
        let mut block = Block {
            index: 0,
            ctaid: [0; 3],
            rank: 0,
            cluster: Cluster::new(&[0], count as usize),
            shared: Segment::undefined(self.global.smem_size as usize),
            local: vec![Segment::undefined(image.local_size as usize); local],
            local_low: image.local_low(),
            bars: Vec::new(),
            sequences: Vec::new(),
        };
        let mut groups = Vec::with_capacity(warps.len());
        for index in 0..self.global.grid.count() {
            if index > 0 {
                (0..).zip(&mut warps).for_each(|(i, w)| w.reset(i, exists(i), image.entry));
            }
            block.reset(index as u32, self.global.grid.unflatten(index));
            self.global.stats.ctas += 1;
            self.global.stats.warps += u64::from(count);
            while let Some(pc) = gather(&mut warps, &mut groups) {
                self.straight(&mut warps, &groups, &mut block, pc).map_err(|(pc, w, t)| {
                    let index = warps[w].index * 32 + t.lane;
                    Failure {
                        kernel: image.kernel.clone(),
                        who: Some(ThreadPos {
                            cta: block.ctaid,
                            thread: self.global.block.unflatten(u64::from(index)),
                            lane: t.lane,
                        }),
                        place: Box::new(image.place(pc)),
                        kind: Box::new(t.kind),
                    }
                })?;
            }
            if warps.iter().any(|w| w.live != 0) {
                let why = "lanes wait for others that do not come".to_owned();
                return Err(Failure::of_launch(&image.kernel, FailureKind::Deadlock(why)));
            }
        }
        Ok(self.global.stats)
    }

    /// Runs the groups from `pc` through the next control-flow instruction.
    fn straight(
        &mut self,
        warps: &mut [Warp],
        groups: &[Group],
        block: &mut Block,
        mut pc: u32,
    ) -> Result<(), (u32, usize, Box<LaneFailure>)> {
        let program = &self.image.program;
        loop {
            let first = groups.first().map_or(0, |g| g.warp);
            let Some(u) = program.code.get(pc as usize) else {
                return Err((pc, first, LaneFailure::new(0, FailureKind::WildBranch(u64::from(pc) * 16))));
            };
            self.steps += groups.len() as u64;
            self.global.stats.warp_insts += groups.len() as u64;
            if self.steps > self.max_steps {
                return Err((pc, first, LaneFailure::new(0, FailureKind::MaxSteps(self.max_steps))));
            }
            self.global.now += 1;
            let guarded = u.guard.n != 7 || u.guard.not;
            let flow = matches!(u.unit, Unit::Flow | Unit::Bar);
            for group in groups {
                let warp = &mut warps[group.warp];
                let (mut m, mut undef) = (group.active, 0);
                if guarded {
                    m &= warp.pred(u.guard);
                    undef = warp.pred_undef(u.guard) & group.active;
                }
                self.global.stats.thread_insts += u64::from(m.count_ones());
                let done = if u.unit == Unit::Async && m != 0 {
                    let why = "asynchronous operations of threads that are run as if they shared nothing".to_owned();
                    Err(LaneFailure::new(m.trailing_zeros() as usize, FailureKind::Unsupported(why)))
                } else if flow {
                    warp.splits[warp.cur].pc = pc;
                    self.flow(warp, pc, m, undef)
                } else {
                    compute(program, u, warp, (m, undef), block, &mut self.global)
                };
                done.map_err(|t| (pc, group.warp, t))?;
            }
            if flow {
                return Ok(());
            }
            pc += 1;
        }
    }

    fn flow(&mut self, warp: &mut Warp, pc: u32, m: u32, undef: u32) -> Exec {
        let program = &self.image.program;
        let u = &program.code[pc as usize];
        if undef != 0 {
            return Err(LaneFailure::new(undef.trailing_zeros() as usize, FailureKind::UndefinedBranch));
        }
        let lane = m.trailing_zeros() as usize & 31;
        if m != 0 && matches!(u.kind, Kind::Bar { .. }) {
            let why = "a barrier among threads that are run as if they shared nothing".to_owned();
            return Err(LaneFailure::new(lane, FailureKind::Unsupported(why)));
        }
        if m != 0 && u.kind == Kind::Unsupported {
            return Err(LaneFailure::new(lane, unsupported(program, pc)));
        }
        let flow =
            if m == 0 { Flow::Other } else { warp.exec_flow(u, m, program.code.len() as u32, &mut self.global)? };
        if flow == Flow::Other {
            warp.splits[warp.cur].pc += 1;
        }
        Ok(())
    }
}

/// Finds the lowest instruction that lanes have reached and those lanes, one subset of a warp at a
/// time; each becomes its warp's current one.
fn gather(warps: &mut [Warp], groups: &mut Vec<Group>) -> Option<u32> {
    let runs = |w: &Warp| w.splits.iter().filter(|s| s.wait == Wait::None).map(|s| s.pc).min();
    let pc = warps.iter().filter_map(runs).min()?;
    groups.clear();
    for (at, w) in warps.iter_mut().enumerate() {
        if let Some(cur) = w.splits.iter().position(|s| s.wait == Wait::None && s.pc == pc) {
            w.cur = cur;
            groups.push(Group { warp: at, active: w.active() });
        }
    }
    Some(pc)
}
