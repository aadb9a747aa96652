//! Execution: the lanes of a warp at the same step advance together.
//!
//! Strategy: a group is the set of running lanes at one call depth and step. It advances alone
//! until it diverges or reaches the next group, which it then joins; the deepest call and, within
//! it, the lowest step go first, so that lanes converge at the join of a branch. Programs without
//! races cannot distinguish this from independent threads. A group that makes others wait for long
//! goes last, so that spinning threads let those they wait for advance.

mod access;
mod asynchrony;
mod bulk;
mod cluster;
mod copies;
mod matrix;
mod mbarrier;
mod multimem;
mod stack;
mod sync;
mod system;
mod tensor;
mod texture;
mod wgmma;

use super::alu::{add_carry, sub_carry};
use super::asynchrony::Regions;
use super::code::*;
use super::cta::Cta;
use super::layout::function_at;
use super::order::Order;
use super::program::Program;
use super::specials::Position;
use super::warp::{Frame, LANES, Returns, Warp, lanes};
use super::{Event, Outcome, Registers};
use crate::failure::{Failure, FailureKind, ThreadPos};
use crate::launch::Launch;
use crate::mem::{Actor, Memory};
use crate::mufu::Mufu;
use std::collections::BTreeMap;

/// Steps of a group before others go first.
const PATIENCE: u32 = 256;

/// State shared by all blocks.
pub struct Machine<'p, 't> {
    pub program: &'p Program<'p>,
    pub launch: &'p Launch,
    pub mem: &'p mut Memory,
    pub mufu: Mufu,
    pub outcome: Outcome,
    pub trace: Option<&'t mut dyn FnMut(&Event<'_>)>,
    /// Time of accesses; see [`crate::mem::Actor`].
    pub now: u32,
    /// Time of the last fence or release of any thread.
    pub released: u32,
    pub steps: u64,
    pub order: Order,
    /// Whether there are several clusters.
    pub others: bool,
    /// Memory that asynchronous operations read or write.
    pub regions: Regions,
    /// The last proxy fence of each thread, for shared and for global memory.
    pub fences: [BTreeMap<u32, Actor>; 2],
    /// The last tensor map fence of each thread, by the map's address.
    pub map_fences: BTreeMap<(u64, u32), Actor>,
    /// Atomic operations on memory that was never written.
    pub unwritten: Vec<u32>,
}

/// A failure without its place: kind and lane.
pub struct LaneFailure {
    pub kind: FailureKind,
    pub lane: usize,
}

/// The result of a step.
pub type Step<T> = Result<T, LaneFailure>;

pub fn fault<T>(lane: usize, kind: FailureKind) -> Step<T> {
    Err(LaneFailure { kind, lane })
}

/// Lanes that advance together.
#[derive(Clone, Copy)]
pub struct Group {
    pub mask: u32,
    pub pc: u32,
    pub depth: u32,
    pub frame: usize,
}

impl Machine<'_, '_> {
    /// Runs a warp until its lanes have exited or wait, or for about `budget` steps.
    pub fn run_warp(&mut self, cta: &mut Cta, w: usize, budget: u32) -> Result<(), Failure> {
        let mut left = budget;
        let mut backwards = false;
        while left > 0 && cta.warps[w].running != 0 {
            let (mut group, next) = self.select(&mut cta.warps[w], backwards);
            let alone = group.mask == cta.warps[w].running;
            let slice = if alone { left } else { left.min(PATIENCE) };
            let mut taken = 0;
            let result = loop {
                let here = group.pc;
                match self.step(cta, w, &mut group) {
                    Err(fault) => break Err((here, fault)),
                    Ok(false) => break Ok(()),
                    Ok(true) => {}
                }
                taken += 1;
                if taken >= slice || group.pc >= next {
                    break Ok(());
                }
            };
            if let Err((pc, LaneFailure { kind, lane })) = result {
                return Err(self.failure(&cta.warps[w], pc, lane, kind));
            }
            let warp = &mut cta.warps[w];
            for lane in lanes(group.mask & warp.running) {
                warp.pc[lane] = group.pc;
            }
            // The longest waiting group goes first, once.
            backwards = !alone && taken >= PATIENCE && !backwards;
            left = left.saturating_sub(taken.max(1));
        }
        Ok(())
    }

    pub fn failure(&self, warp: &Warp, pc: u32, lane: usize, kind: FailureKind) -> Failure {
        let at = &warp.at[lane];
        Failure {
            kernel: self.program.kernel.clone(),
            who: Some(ThreadPos { cta: at.cta, thread: at.thread, lane: lane as u32 }),
            place: Box::new(self.program.place(pc)),
            kind: Box::new(kind),
        }
    }

    /// Returns the next group, and the lowest step of another group of its depth.
    fn select(&mut self, warp: &mut Warp, backwards: bool) -> (Group, u32) {
        let depth = lanes(warp.running).map(|l| warp.depth[l]).max().unwrap_or(0);
        let at_depth = |l: &usize| warp.depth[*l] == depth;
        let steps = lanes(warp.running).filter(at_depth).map(|l| warp.pc[l]);
        let pc = steps.min().unwrap_or(0);
        if backwards {
            // The longest waiting lane, at any depth.
            let pick = lanes(warp.running).min_by_key(|&l| warp.ran[l]).unwrap_or(0);
            return (self.group_of(warp, pick), u32::MAX);
        }
        // Any group may run ahead of the others.
        if self.order.now_and_then(8) {
            let count = warp.running.count_ones();
            let pick = lanes(warp.running).nth(self.order.below(count) as usize).unwrap_or(0);
            return (self.group_of(warp, pick), u32::MAX);
        }
        let lead = lanes(warp.running).find(|&l| warp.depth[l] == depth && warp.pc[l] == pc).unwrap_or(0);
        let next = lanes(warp.running).filter(at_depth).map(|l| warp.pc[l]).filter(|&p| p > pc).min();
        (self.group_of(warp, lead), next.unwrap_or(u32::MAX))
    }

    fn group_of(&self, warp: &mut Warp, lead: usize) -> Group {
        let (pc, depth) = (warp.pc[lead], warp.depth[lead]);
        let mut mask = 0;
        for lane in lanes(warp.running) {
            if warp.pc[lane] == pc && warp.depth[lane] == depth {
                mask |= 1 << lane;
                warp.ran[lane] = self.steps;
            }
        }
        let functions = &self.program.functions;
        let index = functions.partition_point(|f| f.start <= pc).saturating_sub(1);
        let frame = warp.frame(&functions[index], index as u32, depth);
        Group { mask, pc, depth, frame }
    }

    /// Takes one step; returns false if the group must be chosen anew.
    fn step(&mut self, cta: &mut Cta, w: usize, group: &mut Group) -> Step<bool> {
        let program = self.program;
        let ins = &program.code[group.pc as usize];
        let warp = &mut cta.warps[w];
        let frame = &mut warp.frames[group.frame];
        let mask = group.mask & frame.pred(ins.guard);
        let unknown = group.mask & frame.pred_undefined(ins.guard);
        if ins.first {
            if let Some(trace) = &mut self.trace {
                let place = program.place(group.pc);
                let frame = &warp.frames[group.frame];
                let registers = Registers { frame, function: &program.functions[frame.function as usize] };
                let (block, warp) = (warp.at[0].cta_index, warp.index);
                trace(&Event { block, warp, mask: group.mask, place, registers });
            }
            self.count(group, mask)?;
        }
        if unknown != 0 {
            accept_unknown_guard(&ins.kind, unknown)?;
        }
        if ins.first && mask != 0 {
            self.touch_products(&mut cta.warps[w], group, mask)?;
        }
        let warp = &mut cta.warps[w];
        let frame = &mut warp.frames[group.frame];
        match &ins.kind {
            Kind::Alu { op, dst, src, bits } => {
                self.alu(frame, op, *dst, src, *bits, mask);
                if unknown != 0 {
                    taint(frame, *dst, *bits, unknown);
                }
            }
            Kind::Setp(setp) => {
                compare(frame, setp, mask);
                for pred in [setp.p, setp.q].into_iter().flatten() {
                    frame.pred_undef[pred.0 as usize] |= unknown;
                }
            }
            Kind::PredLogic { op, dst, a, b } => {
                pred_logic(frame, *op, *dst, *a, *b, mask);
                frame.pred_undef[dst.0 as usize] |= unknown;
            }
            Kind::Selp { dst, a, b, by } => {
                select(frame, *dst, *a, *b, *by, mask);
                if unknown != 0 {
                    taint(frame, *dst, 64, unknown);
                }
            }
            Kind::Set(set) => {
                compare_to_row(frame, set, mask);
                if unknown != 0 {
                    taint(frame, set.dst, 64, unknown);
                }
            }
            Kind::Carry { .. } => carry(frame, &ins.kind, mask, self.mufu),
            Kind::Testp { .. } => classify(frame, &ins.kind, mask),
            Kind::Clock { dst, high, bits } => {
                let clock = self.order.clock(self.steps);
                let word = if *high { clock >> 32 } else { clock };
                fill(frame, *dst, word & u64::MAX >> (64 - bits), mask);
            }
            Kind::IsSpace { space, dst, a } => self.is_space((frame, &warp.at), *space, *dst, *a, mask),
            Kind::ActiveMask { dst } => fill(frame, *dst, u64::from(mask), mask),
            Kind::Load(load) => self.load(cta, w, group, load, mask)?,
            Kind::Store(store) => self.store(cta, w, group, store, mask)?,
            Kind::Clear { at, size } => self.clear(cta, w, group, (at, *size), mask)?,
            Kind::Atomic(atomic) => self.atomic(cta, w, group, atomic, mask)?,
            Kind::Multimem(access) => self.multimem(cta, w, group, access, mask)?,
            Kind::Copy(copy) => self.copy(cta, w, group, copy, mask)?,
            Kind::CommitCopies => lanes(mask).for_each(|lane| warp.copies[lane].commit()),
            Kind::WaitCopies { left } => {
                let shared = &mut cta.blocks[warp.block].shared;
                lanes(mask).for_each(|lane| warp.copies[lane].settle(*left, shared));
            }
            Kind::Nothing => {}
            Kind::Fence => self.fence(mask),
            Kind::Stack(op) => self.stack(warp, group, *op, mask)?,
            Kind::System(call) => self.system(cta, w, group, call, mask)?,
            Kind::Brx { index, targets } => {
                branch_by_table(warp, group, *index, targets, mask)?;
                return Ok(self.rest(warp, group, mask));
            }
            Kind::Call(call) => {
                self.call(warp, group, call, mask)?;
                return Ok(self.rest(warp, group, mask));
            }
            // Nothing of the others happens without lanes.
            _ if mask == 0 => {}
            Kind::Trap => return fault(mask.trailing_zeros() as usize, FailureKind::Trap),
            Kind::Exit => {
                warp.running &= !mask;
                self.exited(cta, w, mask)?;
                return Ok(self.rest(&mut cta.warps[w], group, mask));
            }
            Kind::Bra { target } => {
                if mask == group.mask {
                    group.pc = *target;
                    return Ok(true);
                }
                self.outcome.stats.divergent_branches += 1;
                lanes(mask).for_each(|lane| warp.pc[lane] = *target);
                return Ok(self.rest(warp, group, mask));
            }
            Kind::Ret => {
                self.ret(warp, group, mask)?;
                return Ok(self.rest(warp, group, mask));
            }
            Kind::Texture(op) => self.texture(cta, w, group, op, mask)?,
            Kind::Barrier(barrier) => return self.barrier(cta, w, group, barrier, mask),
            Kind::Warp(sync) => return self.meet(cta, w, group, sync, mask),
            Kind::Asynchronous(operation) => return self.asynchronous(cta, w, group, operation, mask),
        }
        group.pc += 1;
        Ok(true)
    }

    /// Counts an instruction that runs in the lanes of `mask`.
    #[inline]
    fn count(&mut self, group: &Group, mask: u32) -> Step<()> {
        self.outcome.stats.warp_insts += u64::from(group.mask.count_ones());
        self.outcome.stats.thread_insts += u64::from(mask.count_ones());
        self.steps += u64::from(group.mask.count_ones());
        if self.steps > self.launch.max_steps {
            return fault(group.mask.trailing_zeros() as usize, FailureKind::MaxSteps(self.launch.max_steps));
        }
        Ok(())
    }

    /// The group's other lanes continue after the instruction; the group is done.
    fn rest(&self, warp: &mut Warp, group: &mut Group, gone: u32) -> bool {
        let stay = group.mask & !gone;
        for lane in lanes(stay) {
            warp.pc[lane] = group.pc + 1;
        }
        group.mask = 0;
        false
    }

    fn alu(&self, frame: &mut Frame, op: &super::alu::Alu, dst: Row, src: &[Row; 4], bits: u8, mask: u32) {
        let [a, b, c, d] = src.map(|row| row.0 as usize);
        let target = dst.0 as usize;
        let tainted = frame.tainted[a] || frame.tainted[b] || frame.tainted[c] || frame.tainted[d];
        let mut undef = [0; LANES];
        if tainted {
            let u = &frame.undef;
            let r = &frame.rows;
            for lane in lanes(mask) {
                let masks = [u[a][lane], u[b][lane], u[c][lane], u[d][lane]];
                if masks != [0; 4] {
                    let words = [r[a][lane], r[b][lane], r[c][lane], r[d][lane]];
                    undef[lane] = op.undefined(words, masks, u32::from(bits), self.mufu);
                }
            }
        }
        if mask == u32::MAX {
            let (ra, rb, rc, rd) = (&frame.rows[a], &frame.rows[b], &frame.rows[c], &frame.rows[d]);
            let mut out = [0; LANES];
            for (lane, word) in out.iter_mut().enumerate() {
                *word = op.eval([ra[lane], rb[lane], rc[lane], rd[lane]], self.mufu);
            }
            frame.rows[target] = out;
        } else {
            for lane in lanes(mask) {
                let r = &frame.rows;
                let word = op.eval([r[a][lane], r[b][lane], r[c][lane], r[d][lane]], self.mufu);
                frame.rows[target][lane] = word;
            }
        }
        if !tainted {
            frame.define(target, mask);
        } else {
            for lane in lanes(mask) {
                frame.undef[target][lane] = undef[lane];
            }
            frame.tainted[target] = frame.undef[target].iter().any(|&u| u != 0);
        }
    }

    fn is_space(&self, (frame, at): (&mut Frame, &[Position]), space: Window, dst: Pred, a: Row, mask: u32) {
        let (mut holds, mut undef) = (0, 0);
        for lane in lanes(mask) {
            let address = frame.get(a, lane);
            let constant = || self.mem.find(address, 1).is_some_and(|(id, _)| self.program.constants.contains(&id));
            let parameter = || self.mem.find(address, 1).is_some_and(|(id, _)| self.program.parameters == Some(id));
            let inside = match crate::mem::generic(address).0 {
                crate::mem::Space::Shared => self.is_shared(space, at, lane, address),
                crate::mem::Space::Local => space == Window::Local,
                crate::mem::Space::Global if space == Window::Const => constant(),
                crate::mem::Space::Global if space == Window::Param => parameter(),
                crate::mem::Space::Global => space == Window::Global && !constant(),
            };
            holds |= u32::from(inside) << lane;
            undef |= u32::from(frame.get_undef(a, lane) != 0) << lane;
        }
        frame.set_pred(dst.0, mask, holds, undef);
    }

    /// Calls functions: one frame for each callee.
    fn call(&mut self, warp: &mut Warp, group: &Group, call: &Call, mask: u32) -> Step<()> {
        let program = self.program;
        let depth = group.depth + 1;
        if depth as usize > warp.returns.len() {
            warp.returns.push(Returns::default());
        }
        for lane in lanes(mask) {
            let index = match call.callee {
                Ok(index) => index as usize,
                Err(row) => {
                    let frame = &warp.frames[group.frame];
                    if frame.get_undef(row, lane) != 0 {
                        return fault(lane, FailureKind::UndefinedBranch);
                    }
                    let address = frame.get(row, lane);
                    match function_at(address).filter(|&i| i < program.functions.len()) {
                        Some(index) => index,
                        None => return fault(lane, FailureKind::WildBranch(address)),
                    }
                }
            };
            let callee = &program.functions[index];
            let Some(base) = self.next_frame(warp, lane, callee) else {
                return fault(lane, FailureKind::Unsupported("call stack deeper than local memory".into()));
            };
            let saved = &mut warp.returns[depth as usize - 1];
            (saved.pc[lane], saved.frame[lane]) = (group.pc, (warp.base[lane], warp.top[lane]));
            let old_base = warp.base[lane];
            let new = warp.frame(callee, index as u32, depth);
            for offset in (base..base + callee.frame_bytes).step_by(16) {
                warp.local[lane].store(offset as usize, 16, 0, u128::MAX);
            }
            (warp.base[lane], warp.top[lane]) = (base, base + callee.frame_bytes);
            let (base_of, at) = (warp.base, &warp.at);
            warp.frames[new].enter(callee, 1 << lane, &base_of, at);
            for (actual, formal) in call.args.iter().zip(&callee.params) {
                transfer(warp, lane, (group.frame, old_base, *actual), (new, base, *formal));
            }
            warp.depth[lane] = depth;
            warp.pc[lane] = callee.start;
        }
        Ok(())
    }

    fn ret(&mut self, warp: &mut Warp, group: &Group, mask: u32) -> Step<()> {
        let program = self.program;
        let from = group.frame;
        for lane in lanes(mask) {
            let saved = &warp.returns[group.depth as usize - 1];
            let (call_pc, (old_base, old_top)) = (saved.pc[lane], saved.frame[lane]);
            let Kind::Call(call) = &program.code[call_pc as usize].kind else {
                return fault(lane, FailureKind::WildBranch(u64::from(call_pc)));
            };
            let index = program.functions.partition_point(|f| f.start <= call_pc).saturating_sub(1);
            let to = warp.frame(&program.functions[index], index as u32, group.depth - 1);
            let callee = &program.functions[warp.frames[from].function as usize];
            let base = warp.base[lane];
            for (formal, actual) in callee.rets.iter().zip(&call.rets) {
                transfer(warp, lane, (from, base, *formal), (to, old_base, *actual));
            }
            (warp.base[lane], warp.top[lane]) = (old_base, old_top);
            warp.depth[lane] = group.depth - 1;
            warp.pc[lane] = call_pc + 1;
        }
        Ok(())
    }
}

/// Fails if an instruction must not have an undefined guard; it is undefined in the lanes of
/// `unknown`.
fn accept_unknown_guard(kind: &Kind, unknown: u32) -> Step<()> {
    let lane = unknown.trailing_zeros() as usize;
    match kind {
        Kind::Bra { .. } | Kind::Brx { .. } => fault(lane, FailureKind::UndefinedBranch),
        Kind::Alu { .. } | Kind::Selp { .. } | Kind::Setp(_) | Kind::Set(_) | Kind::PredLogic { .. } => Ok(()),
        Kind::Nothing => Ok(()),
        _ => fault(lane, FailureKind::UndefinedGuard),
    }
}

/// Sends the lanes of `mask` to the targets that their indices choose.
fn branch_by_table(warp: &mut Warp, group: &Group, index: Row, targets: &[u32], mask: u32) -> Step<()> {
    let frame = &warp.frames[group.frame];
    for lane in lanes(mask) {
        if frame.get_undef(index, lane) != 0 {
            return fault(lane, FailureKind::UndefinedBranch);
        }
        let n = frame.get(index, lane);
        let Some(&target) = usize::try_from(n).ok().and_then(|n| targets.get(n)) else {
            return fault(lane, FailureKind::WildBranch(n));
        };
        warp.pc[lane] = target;
    }
    Ok(())
}

/// Copies an argument or a result from one place to another; each is frame, base in local memory,
/// place.
fn transfer(warp: &mut Warp, lane: usize, from: (usize, u32, ArgPlace), to: (usize, u32, ArgPlace)) {
    let read = |warp: &Warp, at: u32, size: usize| match from.2 {
        ArgPlace::Frame { offset, .. } => warp.local[lane].load((from.1 + offset + at) as usize, size),
        ArgPlace::Row { row, .. } => {
            let frame = &warp.frames[from.0];
            (u128::from(frame.get(row, lane)), u128::from(frame.get_undef(row, lane)))
        }
        ArgPlace::Nowhere => (0, u128::MAX),
    };
    match to.2 {
        ArgPlace::Nowhere => {}
        ArgPlace::Row { row, bits } => {
            let (word, undef) = read(warp, 0, bits as usize / 8);
            let mask = u64::MAX >> (64 - bits);
            warp.frames[to.0].set(row, lane, word as u64 & mask, undef as u64 & mask);
        }
        ArgPlace::Frame { offset, bytes } => {
            let available = match from.2 {
                ArgPlace::Frame { bytes, .. } => bytes,
                _ => 8,
            };
            let mut at = 0;
            while at < bytes.min(available) {
                let size = (bytes.min(available) - at).min(8) as usize;
                let (word, undef) = read(warp, at, size);
                warp.local[lane].store((to.1 + offset + at) as usize, size, word, undef);
                at += 8;
            }
        }
    }
}

/// Makes a row undefined in the lanes of `mask`.
fn taint(frame: &mut Frame, row: Row, bits: u8, mask: u32) {
    let row = row.0 as usize;
    for lane in lanes(mask) {
        frame.undef[row][lane] = u64::MAX >> (64 - bits);
    }
    frame.tainted[row] = true;
}

fn pred_logic(frame: &mut Frame, op: PredOp, dst: Pred, a: PredSrc, b: PredSrc, mask: u32) {
    let (x, y) = (frame.pred(a), frame.pred(b));
    let (u, v) = (frame.pred_undefined(a), frame.pred_undefined(b));
    let (value, undef) = match op {
        PredOp::And => (x & y, (u & (y | v)) | (v & (x | u))),
        PredOp::Or => (x | y, (u & (!y | v)) | (v & (!x | u))),
        PredOp::Xor => (x ^ y, u | v),
    };
    frame.set_pred(dst.0, mask, value, undef);
}

/// Returns the results of a comparison as lane masks, and where they are undefined. `half` selects
/// from a packed pair.
fn compared(
    frame: &Frame,
    how: (super::compare::Domain, super::compare::Relation),
    a: Row,
    b: Row,
    half: Option<u32>,
    mask: u32,
) -> (u32, u32) {
    let (domain, relation) = how;
    let (ra, rb) = (&frame.rows[a.0 as usize], &frame.rows[b.0 as usize]);
    let (shift, part) = half.map_or((0, u64::MAX), |h| (16 * h, 0xffff));
    let mut holds = 0;
    for lane in lanes(mask) {
        let (x, y) = (ra[lane] >> shift & part, rb[lane] >> shift & part);
        holds |= u32::from(relation.of(domain.order(x, y))) << lane;
    }
    let mut undef = 0;
    if frame.tainted[a.0 as usize] || frame.tainted[b.0 as usize] {
        for lane in lanes(mask) {
            let bits = (frame.get_undef(a, lane) | frame.get_undef(b, lane)) >> shift & part;
            undef |= u32::from(bits != 0) << lane;
        }
    }
    (holds, undef)
}

fn compare(frame: &mut Frame, setp: &Setp, mask: u32) {
    let how = (setp.domain, setp.relation);
    let low = compared(frame, how, setp.a, setp.b, setp.packed.then_some(0), mask);
    let high = if setp.packed { compared(frame, how, setp.a, setp.b, Some(1), mask) } else { (!low.0, low.1) };
    let (with, with_undef) = setp.join.map_or((0, 0), |(_, c)| (frame.pred(c), frame.pred_undefined(c)));
    for (pred, (value, undef)) in [(setp.p, low), (setp.q, high)] {
        let Some(pred) = pred else { continue };
        let (value, undef) = match setp.join {
            None => (value, undef),
            Some((join, _)) => joined(join, (value, undef), (with, with_undef)),
        };
        frame.set_pred(pred.0, mask, value, undef);
    }
}

fn joined(join: super::compare::Join, (x, u): (u32, u32), (y, v): (u32, u32)) -> (u32, u32) {
    use super::compare::Join;
    let undef = match join {
        Join::And => (u & (y | v)) | (v & (x | u)),
        Join::Or => (u & (!y | v)) | (v & (!x | u)),
        Join::Xor => u | v,
    };
    (join.of(x, y), undef)
}

fn compare_to_row(frame: &mut Frame, set: &Set, mask: u32) {
    let how = (set.domain, set.relation);
    let with = set.join.map(|(join, c)| (join, (frame.pred(c), frame.pred_undefined(c))));
    let one = |half: Option<u32>| {
        let result = compared(frame, how, set.a, set.b, half, mask);
        with.map_or(result, |(join, c)| joined(join, result, c))
    };
    let (low, high) = if set.packed { (one(Some(0)), one(Some(1))) } else { (one(None), (0, 0)) };
    let all = super::bits::mask(set.bits);
    for lane in lanes(mask) {
        let pick = |bits: u32, word: u64| if bits >> lane & 1 != 0 { word } else { 0 };
        let word = pick(low.0, set.yes) | if set.packed { pick(high.0, set.yes) << set.bits } else { 0 };
        let undef = pick(low.1, all) | if set.packed { pick(high.1, all) << set.bits } else { 0 };
        frame.set(set.dst, lane, word, undef);
    }
}

fn select(frame: &mut Frame, dst: Row, a: Row, b: Row, by: PredSrc, mask: u32) {
    let (holds, unknown) = (frame.pred(by), frame.pred_undefined(by));
    let (a, b, target) = (a.0 as usize, b.0 as usize, dst.0 as usize);
    let tainted = frame.tainted[a] || frame.tainted[b] || unknown & mask != 0;
    for lane in lanes(mask) {
        let source = if holds >> lane & 1 != 0 { a } else { b };
        let other = if source == a { b } else { a };
        let (word, against) = (frame.rows[source][lane], frame.rows[other][lane]);
        if tainted {
            let mut undef = frame.undef[source][lane];
            if unknown >> lane & 1 != 0 {
                undef |= frame.undef[other][lane] | (word ^ against);
            }
            frame.undef[target][lane] = undef;
        }
        frame.rows[target][lane] = word;
    }
    if tainted {
        frame.tainted[target] = frame.undef[target].iter().any(|&u| u != 0);
    } else {
        frame.define(target, mask);
    }
}

fn carry(frame: &mut Frame, kind: &Kind, mask: u32, mufu: Mufu) {
    let Kind::Carry { sub, bits, dst, product, src, carry_in, carry_out } = kind else { return };
    for lane in lanes(mask) {
        let words = src.map(|row| frame.get(row, lane));
        let mut unknown = src.iter().any(|&row| frame.get_undef(row, lane) != 0);
        unknown |= *carry_in && frame.carry_undef >> lane & 1 != 0;
        let (a, b) = match product {
            Some(op) => (op.eval([words[0], words[1], 0, 0], mufu), words[2]),
            None => (words[0], words[1]),
        };
        // Without a carry in, a subtraction starts without borrow.
        let flag = if *carry_in { frame.carry >> lane & 1 != 0 } else { *sub };
        let step = if *sub { sub_carry } else { add_carry };
        let (result, out) = step(u32::from(*bits), a, b, flag);
        frame.set(*dst, lane, result, if unknown { u64::MAX >> (64 - bits) } else { 0 });
        if *carry_out {
            frame.carry = (frame.carry & !(1 << lane)) | u32::from(out) << lane;
            frame.carry_undef = (frame.carry_undef & !(1 << lane)) | u32::from(unknown) << lane;
        }
    }
}

/// Writes one defined word to the lanes of `mask`.
fn fill(frame: &mut Frame, row: Row, word: u64, mask: u32) {
    for lane in lanes(mask) {
        frame.set(row, lane, word, 0);
    }
}

fn classify(frame: &mut Frame, kind: &Kind, mask: u32) {
    let Kind::Testp { format, test, dst, a } = kind else { return };
    let (mut holds, mut undef) = (0, 0);
    for lane in lanes(mask) {
        holds |= u32::from(testp(format, *test, frame.get(*a, lane))) << lane;
        undef |= u32::from(frame.get_undef(*a, lane) != 0) << lane;
    }
    frame.set_pred(dst.0, mask, holds, undef);
}

fn testp(format: &crate::float::Format, test: Test, word: u64) -> bool {
    let magnitude = word & format.magnitude_mask();
    match test {
        Test::Finite => magnitude < format.infinity(),
        Test::Infinite => magnitude == format.infinity(),
        Test::Number => magnitude <= format.infinity(),
        Test::NotANumber => magnitude > format.infinity(),
        // Zeros count as normal (PTX ISA 9.0, 9.7.3.1; "ptxas 13.0.88 output").
        Test::Normal => magnitude < format.infinity() && !format.is_subnormal(word),
        Test::Subnormal => format.is_subnormal(word),
    }
}
