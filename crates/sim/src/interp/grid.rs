//! Scheduling of blocks and warps, and deadlock detection.
//!
//! A block runs until it is done or its turn is over. Blocks are started one after another; one
//! that does not end within its turn shares the machine with the next ones, so that blocks which
//! wait for each other make progress. [`Order`] decides the length of turns and who is next.

use super::asynchrony::Regions;
use super::cta::{BARRIERS, Block, BlockBarrier, ClusterBarrier, Cta};
use super::exec::Machine;
use super::order::Order;
use super::program::Program;
use super::specials::Position;
use super::warp::{LANES, Waiting, Warp, lanes};
use super::{Outcome, Setup};
use crate::failure::{Failure, FailureKind};
use crate::launch::{Dim3, Launch};
use crate::mem::{Memory, Segment};
use std::collections::BTreeMap;

/// Most blocks that are started and not done.
const RESIDENT: usize = 64;

/// Most lines about a deadlock.
const LINES: usize = 8;

/// Runs all blocks of a launch.
pub fn run(program: &Program, launch: &Launch, mem: &mut Memory, setup: Setup<'_>) -> Result<Outcome, Failure> {
    check(program, launch)?;
    let mut machine = Machine {
        program,
        launch,
        mem,
        mufu: launch.mufu,
        outcome: Outcome::default(),
        trace: setup.trace,
        now: 1,
        released: 0,
        steps: 0,
        order: Order::of(launch.seed),
        others: program.grid != program.cluster,
        unwritten: Vec::new(),
        regions: Regions::default(),
        fences: Default::default(),
        map_fences: BTreeMap::new(),
    };
    let blocks = program.grid.count() / program.cluster.count();
    let mut next = 0;
    let mut resident: Vec<Cta> = Vec::new();
    let mut turn = 0;
    while next < blocks || !resident.is_empty() {
        let another = !resident.is_empty() && machine.order.now_and_then(2);
        if next < blocks && resident.len() < RESIDENT && !another {
            let block = machine.order.block(next, blocks);
            resident.push(machine.cluster(block));
            next += 1;
            turn = resident.len() - 1;
        } else {
            turn = machine.order.after(turn as u32, resident.len() as u32) as usize;
        }
        if machine.run_block(&mut resident[turn])? {
            machine.ended(&mut resident[turn])?;
            resident.swap_remove(turn);
        }
    }
    Ok(machine.outcome)
}

fn check(program: &Program, launch: &Launch) -> Result<(), Failure> {
    let fail = |text: String| Err(Failure::of_launch(&program.kernel, FailureKind::Launch(text)));
    let block = launch.block;
    if block.count() > 1024 {
        return fail(format!("{} threads in a block, at most 1024 are possible", block.count()));
    }
    if program.grid.count() >= 1 << 22 {
        return fail(format!("{} blocks, the interpreter runs fewer than {}", program.grid.count(), 1 << 22));
    }
    if let Some(required) = program.reqntid
        && required != [block.x, block.y, block.z]
    {
        let [x, y, z] = required;
        return fail(format!("block {block}, the kernel requires {x},{y},{z}"));
    }
    Ok(())
}

impl Machine<'_, '_> {
    /// Starts the blocks of a cluster.
    fn cluster(&mut self, number: u64) -> Cta {
        let Program { grid, cluster, .. } = *self.program;
        let corner = Dim3::new(grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z).unflatten(number);
        let threads = self.launch.block.count() as u32;
        let warps = threads.div_ceil(32);
        let shared = self.program.shared_static + self.launch.dyn_shared;
        let count = cluster.count() as usize;
        let all = count * warps as usize;
        let mut cta = Cta {
            warps: Vec::new(),
            blocks: Vec::new(),
            objects: BTreeMap::new(),
            pending: Vec::new(),
            warpgroups: BTreeMap::new(),
            barrier: ClusterBarrier { arrived: vec![0; all], passed: vec![0; all], ..ClusterBarrier::default() },
            effects: 0,
            gave_up: (0, 0),
        };
        for rank in 0..count {
            let inside = cluster.unflatten(rank as u64);
            let at = [0, 1, 2].map(|i| u64::from(corner[i] * [cluster.x, cluster.y, cluster.z][i] + inside[i]));
            let index = at[0] + u64::from(grid.x) * (at[1] + u64::from(grid.y) * at[2]);
            self.outcome.stats.ctas += 1;
            self.outcome.stats.warps += u64::from(warps);
            cta.warps.extend((0..warps).map(|w| self.warp((index, rank), w, threads, shared)));
            cta.blocks.push(Block {
                index,
                shared: Segment::undefined(shared as usize),
                barriers: (0..BARRIERS).map(|_| BlockBarrier::new(all)).collect(),
            });
        }
        cta
    }

    fn warp(&self, (cta, rank): (u64, usize), index: u32, threads: u32, shared: u32) -> Warp {
        let launch = self.launch;
        let first = index * 32;
        let here = (threads - first).min(32);
        let exists = u32::MAX >> (32 - here);
        let at = (0..32)
            .map(|lane| Position {
                grid: self.program.grid,
                cluster: self.program.cluster,
                rank: rank as u32,
                block: launch.block,
                cta: self.program.grid.unflatten(cta),
                cta_index: cta,
                thread: launch.block.unflatten(u64::from(first + lane)),
                lane,
                warp: index,
                dynamic_shared: launch.dyn_shared,
                total_shared: shared,
                reserved_shared: self.program.shared_base,
                warps_per_sm: self.program.warps_per_sm,
            })
            .collect();
        let kernel = &self.program.functions[0];
        let mut warp = Warp {
            index,
            block: rank,
            running: exists,
            waiting: 0,
            reason: [None; LANES],
            pc: [kernel.start; LANES],
            depth: [0; LANES],
            frames: Vec::new(),
            returns: Vec::new(),
            base: [0; LANES],
            top: [kernel.frame_bytes; LANES],
            local: (0..32).map(|_| Segment::undefined(self.program.local_bytes)).collect(),
            at,
            gives_up: 0,
            ran: [0; LANES],
            block_sync: [0; LANES],
            warp_sync: [0; LANES],
            acquired: [0; LANES],
            copies: Default::default(),
            bulk: Default::default(),
            products: Default::default(),
        };
        let frame = warp.frame(kernel, 0, 0);
        let base = warp.base;
        warp.frames[frame].enter(kernel, exists, &base, &warp.at);
        warp
    }

    /// Runs a block for one turn; returns whether it is done.
    fn run_block(&mut self, cta: &mut Cta) -> Result<bool, Failure> {
        let count = cta.warps.len() as u32;
        let mut w = 0;
        for _ in 0..self.order.block_turn() {
            let Some(ready) = self.ready(cta, w) else {
                if cta.warps.iter().all(|warp| warp.live() == 0) {
                    return Ok(true);
                }
                if !self.land_awaited(cta)? && !self.give_up(cta) {
                    return Err(self.deadlock(cta));
                }
                continue;
            };
            let budget = self.order.warp_turn();
            self.run_warp(cta, ready as usize, budget)?;
            w = self.order.after(ready, count);
            if !cta.pending.is_empty() && self.order.now_and_then(4) {
                let index = self.order.below(cta.pending.len() as u32) as usize;
                self.land(cta, index)?;
            }
            self.multiply_now_and_then(cta)?;
        }
        self.land_awaited(cta)?;
        Ok(false)
    }

    /// Returns the first warp from `w` on that can run.
    fn ready(&self, cta: &Cta, w: u32) -> Option<u32> {
        let count = cta.warps.len() as u32;
        (0..count).map(|i| (w + i) % count).find(|&w| cta.warps[w as usize].running != 0)
    }

    /// Names the block of a warp, if there are several in a cluster.
    fn rank_text(&self, warp: &Warp) -> String {
        if self.program.cluster.count() == 1 {
            String::new()
        } else {
            format!(" of block {} of the cluster", warp.block)
        }
    }

    /// Says who waits for what: one line for all lanes of a warp that wait for the same at one place.
    fn deadlock(&self, cta: &Cta) -> Failure {
        let mut lines = Vec::new();
        let mut first = None;
        for warp in &cta.warps {
            let mut told = 0u32;
            for lane in lanes(warp.waiting) {
                let Some(reason) = warp.reason[lane].filter(|_| told >> lane & 1 == 0) else { continue };
                let place = self.program.place(warp.pc[lane]).to_string();
                let alike = |&other: &usize| warp.reason[other] == Some(reason) && warp.pc[other] == warp.pc[lane];
                let together = lanes(warp.waiting).filter(alike).fold(0u32, |mask, other| mask | 1 << other);
                told |= together;
                let what = match reason {
                    Waiting::Barrier(number) => format!("barrier {number}"),
                    Waiting::Cluster => "the barrier of the cluster".into(),
                    Waiting::Warpgroup => "the same wgmma.mma_async of the other warps of its warpgroup".into(),
                    Waiting::Mbarrier(object) => self.describe_object(cta, object),
                    Waiting::Meeting { members, .. } => format!("lanes {:#010x}", members & warp.live() & !together),
                };
                first = first.or(Some((warp, lane)));
                let who = match together == warp.live() {
                    true => format!("warp {}{} waits", warp.index, self.rank_text(warp)),
                    false => format!("lanes {together:#010x} of warp {}{} wait", warp.index, self.rank_text(warp)),
                };
                if lines.len() < LINES {
                    lines.push(format!("{who} for {what} at {}", place.trim_end_matches(';')));
                }
            }
        }
        let kind = FailureKind::Deadlock(lines.join("; "));
        match first {
            Some((warp, lane)) => self.failure(warp, warp.pc[lane], lane, kind),
            None => Failure::of_launch(&self.program.kernel, kind),
        }
    }
}
