//! Barriers of a block, and operations at which the threads of a warp meet.

use super::super::alu::Alu;
use super::super::bits::mask;
use super::super::code::*;
use super::super::cta::{BARRIERS, BlockBarrier, Cta};
use super::super::warp::{Frame, LANES, Waiting, Warp, lanes};
use super::{Group, LaneFailure, Machine, Step, fault};
use crate::failure::FailureKind;
use crate::mufu::Mufu;

impl Machine<'_, '_> {
    /// Arrival of lanes at an operation at which they meet. Returns whether the group can continue
    /// at once.
    pub fn meet(&mut self, cta: &mut Cta, w: usize, group: &mut Group, sync: &WarpSync, mask: u32) -> Step<bool> {
        let warp = &mut cta.warps[w];
        for lane in lanes(mask) {
            let frame = &warp.frames[group.frame];
            if frame.get_undef(sync.members, lane) != 0 {
                return fault(lane, FailureKind::UndefinedOperand("the member mask"));
            }
            let members = frame.get(sync.members, lane) as u32;
            if members >> lane & 1 == 0 {
                let text = format!("lane {lane} is not in its own member mask {members:#010x}");
                return fault(lane, FailureKind::Convergence(text));
            }
            warp.reason[lane] = Some(Waiting::Meeting { number: sync.meeting, members });
            warp.pc[lane] = group.pc;
        }
        warp.running &= !mask;
        warp.waiting |= mask;
        for lane in lanes(group.mask & !mask) {
            warp.pc[lane] = group.pc + 1;
        }
        group.mask = 0;
        self.complete_meetings(cta, w)?;
        Ok(false)
    }

    /// Completes every meeting whose members have all arrived.
    fn complete_meetings(&mut self, cta: &mut Cta, w: usize) -> Step<()> {
        loop {
            let warp = &mut cta.warps[w];
            let live = warp.live();
            let complete = lanes(warp.waiting).find_map(|lane| {
                let Some(reason @ Waiting::Meeting { members, .. }) = warp.reason[lane] else { return None };
                let wanted = members & live;
                lanes(wanted).all(|other| warp.reason[other] == Some(reason)).then_some(wanted)
            });
            let Some(members) = complete else { return Ok(()) };
            self.execute_meeting(cta, w, members)?;
            let warp = &mut cta.warps[w];
            self.now += 1;
            let acquired = lanes(members).map(|l| warp.acquired[l]).max().unwrap_or(0);
            let block_sync = lanes(members).map(|l| warp.block_sync[l]).max().unwrap_or(0);
            for lane in lanes(members) {
                warp.reason[lane] = None;
                warp.pc[lane] += 1;
                warp.warp_sync[lane] = self.now - 1;
                warp.acquired[lane] = acquired;
                warp.block_sync[lane] = block_sync;
            }
            warp.waiting &= !members;
            warp.running |= members;
        }
    }

    /// Executes the operation for lanes that met, possibly at different instructions.
    fn execute_meeting(&mut self, cta: &mut Cta, w: usize, members: u32) -> Step<()> {
        let program = self.program;
        let warp = &mut cta.warps[w];
        let pc = warp.pc[members.trailing_zeros() as usize & 31];
        if let Kind::Warp(sync) = &program.code[pc as usize].kind
            && let SyncOp::Matrix(op) = &sync.op
        {
            return self.matrix(cta, w, pc, members, op);
        }
        let mut done = 0;
        // The inputs of all lanes, before anything is written.
        let inputs = Inputs::gather(self, warp, members)?;
        while done != members {
            let lead = (members & !done).trailing_zeros() as usize;
            let (pc, depth) = (warp.pc[lead], warp.depth[lead]);
            let same: u32 =
                lanes(members).filter(|&l| warp.pc[l] == pc && warp.depth[l] == depth).fold(0, |mask, l| mask | 1 << l);
            done |= same;
            let index = program.functions.partition_point(|f| f.start <= pc).saturating_sub(1);
            let frame = warp.frame(&program.functions[index], index as u32, depth);
            let Kind::Warp(sync) = &program.code[pc as usize].kind else { continue };
            inputs.finish(&sync.op, &mut warp.frames[frame], members, same, self.mufu);
        }
        Ok(())
    }

    /// Arrival of lanes at a barrier of the block. Returns whether the group can continue at once.
    pub fn barrier(&mut self, cta: &mut Cta, w: usize, group: &mut Group, barrier: &Barrier, mask: u32) -> Step<bool> {
        let warp = &mut cta.warps[w];
        let lead = mask.trailing_zeros() as usize;
        let mut by_number = [0u32; BARRIERS];
        let mut threads = None;
        for lane in lanes(mask) {
            let frame = &warp.frames[group.frame];
            let unknown = |row: Row| frame.get_undef(row, lane) != 0;
            if unknown(barrier.number) || barrier.threads.is_some_and(unknown) {
                return fault(lane, FailureKind::UndefinedOperand("the barrier"));
            }
            let number = frame.get(barrier.number, lane) as usize;
            if number >= BARRIERS {
                let text = format!("barrier {number} does not exist");
                return fault(lane, FailureKind::Convergence(text));
            }
            by_number[number] |= 1 << lane;
            if let Some(row) = barrier.threads {
                let count = frame.get(row, lane) as u32;
                if count == 0 || !count.is_multiple_of(32) {
                    let text = format!("barrier of {count} threads, which is not a multiple of 32");
                    return fault(lane, FailureKind::Convergence(text));
                }
                threads = Some(count);
            }
        }
        for (number, &arrived) in by_number.iter().enumerate().filter(|(_, m)| **m != 0) {
            let warp = &mut cta.warps[w];
            let state = &mut cta.blocks[warp.block].barriers[number];
            if state.count() > 0 && state.threads != threads {
                let text = format!("barrier {number} is used with different numbers of threads");
                return fault(lead, FailureKind::Convergence(text));
            }
            state.threads = threads;
            state.aligned |= barrier.aligned;
            if state.arrived[w] & arrived != 0 {
                let text = format!("a thread arrives twice at barrier {number} before it completes");
                return fault(lead, FailureKind::Convergence(text));
            }
            if barrier.aligned && state.arrived[w] != 0 && state.places[w] != group.pc {
                let text = format!("threads of one warp come to barrier {number} at different instructions");
                return fault(lead, FailureKind::Convergence(text));
            }
            state.places[w] = group.pc;
            state.arrived[w] |= arrived;
            if let Some((_, by)) = barrier.reduce {
                let frame = &warp.frames[group.frame];
                state.votes[w] |= frame.pred(by) & arrived;
                state.unknown |= frame.pred_undefined(by) & arrived != 0;
            }
            if barrier.wait {
                state.waiting[w] |= arrived;
                for lane in lanes(arrived) {
                    warp.pc[lane] = group.pc;
                    warp.reason[lane] = Some(Waiting::Barrier(number as u32));
                }
                warp.running &= !arrived;
                warp.waiting |= arrived;
            } else {
                for lane in lanes(arrived) {
                    warp.pc[lane] = group.pc + 1;
                }
            }
        }
        let warp = &mut cta.warps[w];
        for lane in lanes(group.mask & !mask) {
            warp.pc[lane] = group.pc + 1;
        }
        group.mask = 0;
        let block = warp.block;
        cta.effects += 1;
        for (number, &arrived) in by_number.iter().enumerate() {
            if arrived != 0 {
                self.try_barrier(cta, block, number);
            }
        }
        Ok(false)
    }

    /// Completes a barrier of a block if all its threads have arrived.
    fn try_barrier(&mut self, cta: &mut Cta, block: usize, number: usize) {
        let state = &cta.blocks[block].barriers[number];
        if state.count() == 0 {
            return;
        }
        let complete = match state.threads {
            // All threads of the block that have not exited.
            None => {
                let mut warps = cta.warps.iter().zip(&state.arrived).filter(|(warp, _)| warp.block == block);
                warps.all(|(warp, &arrived)| warp.live() & !arrived == 0)
            }
            Some(threads) => {
                let present: u32 = cta
                    .warps
                    .iter()
                    .zip(&state.arrived)
                    .map(|(warp, &arrived)| match arrived {
                        0 => 0,
                        // Warps count as a whole, including lanes without a thread or after their
                        // exit.
                        _ if state.aligned => {
                            if warp.live() & !arrived == 0 {
                                32
                            } else {
                                0
                            }
                        }
                        _ => arrived.count_ones(),
                    })
                    .sum();
                present >= threads
            }
        };
        if complete {
            self.release_barrier(cta, block, number);
        }
    }

    fn release_barrier(&mut self, cta: &mut Cta, block: usize, number: usize) {
        let program = self.program;
        let warps = cta.warps.len();
        let state = std::mem::replace(&mut cta.blocks[block].barriers[number], BlockBarrier::new(warps));
        self.outcome.stats.barriers += 1;
        self.now += 1;
        let count: u32 = state.votes.iter().map(|v| v.count_ones()).sum();
        let all = count == state.count();
        let mut acquired = 0;
        for (warp, &arrived) in cta.warps.iter().zip(&state.arrived) {
            acquired = lanes(arrived).map(|l| warp.acquired[l]).fold(acquired, u32::max);
        }
        for (w, warp) in cta.warps.iter_mut().enumerate() {
            let waiting = state.waiting[w];
            for lane in lanes(waiting) {
                let pc = warp.pc[lane];
                if let Kind::Barrier(barrier) = &program.code[pc as usize].kind
                    && let Some((result, _)) = barrier.reduce
                {
                    let index = program.functions.partition_point(|f| f.start <= pc).saturating_sub(1);
                    let frame = warp.frame(&program.functions[index], index as u32, warp.depth[lane]);
                    let frame = &mut warp.frames[frame];
                    let bit = 1u32 << lane;
                    let undef = if state.unknown { u32::MAX } else { 0 };
                    let spread = |yes: bool| if yes { u32::MAX } else { 0 };
                    match result {
                        Reduce::And(p) => frame.set_pred(p.0, bit, spread(all), undef),
                        Reduce::Or(p) => frame.set_pred(p.0, bit, spread(count != 0), undef),
                        Reduce::Popc(row) => frame.set(row, lane, u64::from(count), u64::from(undef)),
                    }
                }
                warp.pc[lane] = pc + 1;
                warp.reason[lane] = None;
                warp.block_sync[lane] = self.now - 1;
                warp.acquired[lane] = acquired;
            }
            warp.waiting &= !waiting;
            warp.running |= waiting;
        }
        self.now += 1;
    }

    /// Threads have exited: others may have waited for them only.
    pub fn exited(&mut self, cta: &mut Cta, w: usize, mask: u32) -> Step<()> {
        for lane in lanes(mask) {
            cta.warps[w].reason[lane] = None;
        }
        self.complete_meetings(cta, w)?;
        self.try_cluster_barrier(cta);
        let block = cta.warps[w].block;
        for number in 0..BARRIERS {
            self.try_barrier(cta, block, number);
        }
        Ok(())
    }
}

/// The inputs of the lanes of a meeting.
struct Inputs {
    value: [u64; LANES],
    undef: [u64; LANES],
    /// Predicates for votes.
    votes: u32,
    votes_undef: u32,
    /// Second and third operand of `shfl`.
    lane: [u32; LANES],
    clamp: [u32; LANES],
    control_undef: u32,
}

impl Inputs {
    fn gather(machine: &Machine<'_, '_>, warp: &mut Warp, members: u32) -> Result<Inputs, LaneFailure> {
        let program = machine.program;
        let mut inputs = Inputs {
            value: [0; LANES],
            undef: [0; LANES],
            votes: 0,
            votes_undef: 0,
            lane: [0; LANES],
            clamp: [0; LANES],
            control_undef: 0,
        };
        for l in lanes(members) {
            let pc = warp.pc[l];
            let index = program.functions.partition_point(|f| f.start <= pc).saturating_sub(1);
            let frame = warp.frame(&program.functions[index], index as u32, warp.depth[l]);
            let frame = &warp.frames[frame];
            let Kind::Warp(sync) = &program.code[pc as usize].kind else { continue };
            match &sync.op {
                SyncOp::Wait | SyncOp::Elect { .. } | SyncOp::Matrix(_) => {}
                SyncOp::Vote { source, .. } => {
                    inputs.votes |= frame.pred(*source) & 1 << l;
                    inputs.votes_undef |= frame.pred_undefined(*source) & 1 << l;
                }
                SyncOp::Shfl { value, lane, clamp, .. } => {
                    inputs.lane[l] = frame.get(*lane, l) as u32;
                    inputs.clamp[l] = frame.get(*clamp, l) as u32;
                    let unknown = frame.get_undef(*lane, l) | frame.get_undef(*clamp, l);
                    inputs.control_undef |= u32::from(unknown != 0) << l;
                    (inputs.value[l], inputs.undef[l]) = (frame.get(*value, l), frame.get_undef(*value, l));
                }
                SyncOp::Match { value, .. } | SyncOp::Redux { value, .. } => {
                    (inputs.value[l], inputs.undef[l]) = (frame.get(*value, l), frame.get_undef(*value, l));
                }
            }
        }
        Ok(inputs)
    }

    /// Writes results for the lanes of `same`, which are at one instruction.
    fn finish(&self, op: &SyncOp, frame: &mut Frame, members: u32, same: u32, mufu: Mufu) {
        match *op {
            SyncOp::Wait | SyncOp::Matrix(_) => {}
            SyncOp::Vote { op, .. } => {
                let undef = self.votes_undef != 0;
                let all = self.votes == members;
                let spread = |yes: bool| if yes { u32::MAX } else { 0 };
                match op {
                    VoteOp::All(p) => frame.set_pred(p.0, same, spread(all), spread(undef)),
                    VoteOp::Any(p) => frame.set_pred(p.0, same, spread(self.votes != 0), spread(undef)),
                    VoteOp::Uni(p) => frame.set_pred(p.0, same, spread(all || self.votes == 0), spread(undef)),
                    VoteOp::Ballot(row) => {
                        for l in lanes(same) {
                            frame.set(row, l, u64::from(self.votes), u64::from(self.votes_undef));
                        }
                    }
                }
            }
            SyncOp::Elect { dst, leader } => {
                let first = members.trailing_zeros();
                if let Some(dst) = dst {
                    lanes(same).for_each(|l| frame.set(dst, l, u64::from(first), 0));
                }
                if let Some(leader) = leader {
                    frame.set_pred(leader.0, same, 1 << first, 0);
                }
            }
            SyncOp::Redux { op, dst, .. } => {
                let words = lanes(members).map(|l| self.value[l]);
                let result = words.reduce(|a, b| op.eval([a, b, 0, 0], mufu)).unwrap_or(0);
                let undef = lanes(members).any(|l| self.undef[l] != 0);
                let undef = if undef { mask(32) } else { 0 };
                let result = canonical(op, result);
                lanes(same).for_each(|l| frame.set(dst, l, result, undef));
            }
            SyncOp::Match { all, dst, same: equal, .. } => {
                let undef = lanes(members).any(|l| self.undef[l] != 0);
                let first = self.value[members.trailing_zeros() as usize & 31];
                let together = lanes(members).all(|l| self.value[l] == first);
                for l in lanes(same) {
                    let matching = lanes(members)
                        .filter(|&other| self.value[other] == self.value[l])
                        .fold(0u32, |mask, other| mask | 1 << other);
                    let result = match (all, together) {
                        (true, true) => members,
                        (true, false) => 0,
                        (false, _) => matching,
                    };
                    if let Some(dst) = dst {
                        frame.set(dst, l, u64::from(result), if undef { mask(32) } else { 0 });
                    }
                }
                if let Some(equal) = equal {
                    let spread = |yes: bool| if yes { u32::MAX } else { 0 };
                    frame.set_pred(equal.0, same, spread(together), spread(undef));
                }
            }
            SyncOp::Shfl { mode, dst, valid, .. } => {
                for l in lanes(same) {
                    self.shuffle(mode, dst, valid, frame, members, l);
                }
            }
        }
    }

    /// Computes the source lane from the lane operand, clamped to a segment of the warp (PTX ISA
    /// 9.0, 9.7.9.6).
    fn shuffle(
        &self,
        mode: ShflMode,
        dst: Option<Row>,
        valid: Option<Pred>,
        frame: &mut Frame,
        members: u32,
        l: usize,
    ) {
        let lane = l as i32;
        let (by, clamp) = (self.lane[l] as i32 & 31, self.clamp[l]);
        let (limit, segment) = ((clamp & 31) as i32, (clamp >> 8 & 31) as i32);
        let max_lane = (lane & segment) | (limit & !segment);
        let min_lane = lane & segment;
        let (source, inside) = match mode {
            ShflMode::Up => (lane - by, lane - by >= max_lane),
            ShflMode::Down => (lane + by, lane + by <= max_lane),
            ShflMode::Bfly => (lane ^ by, lane ^ by <= max_lane),
            ShflMode::Idx => {
                let source = min_lane | (by & !segment);
                (source, source <= max_lane)
            }
        };
        let source = if inside { source as usize & 31 } else { l };
        if let Some(dst) = dst {
            // The value of a lane that does not take part is undefined.
            let strange = members >> source & 1 == 0 || self.control_undef >> l & 1 != 0;
            let undef = if strange { mask(32) } else { self.undef[source] };
            frame.set(dst, l, self.value[source] & mask(32), undef);
        }
        if let Some(valid) = valid {
            frame.set_pred(valid.0, 1 << l, u32::from(inside) << l, self.control_undef);
        }
    }
}

/// Makes NaNs canonical, also a single one that was not combined with anything.
fn canonical(op: Alu, word: u64) -> u64 {
    match op {
        Alu::Fpu(fpu) => fpu.format.canonical(word),
        _ => word,
    }
}
