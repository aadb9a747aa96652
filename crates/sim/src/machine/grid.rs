//! Clusters start, run and end; asynchronous operations take effect between the turns of warps.

use super::asynchrony::{describe, using};
use super::block::{Block, LaneFailure, NamedBarrier};
use super::cluster::Cluster;
use super::exec_mem::lanes;
use super::hazard::Tracker;
use super::late::Completion;
use super::resident::{Part, Resident};
use super::run::Runner;
use super::warp::{Wait, Warp};
use crate::failure::{Failure, FailureKind};
use crate::launch::{Dim3, OnFinding};
use crate::mem::Segment;
use crate::mem::regions::Region;

/// How often the waits of a cluster give up while none of its threads does anything that another
/// one can see, before that is a deadlock.
const ROUNDS: u32 = 64;

impl Runner<'_, '_, '_> {
    /// Starts a cluster.
    pub(super) fn start(&mut self, number: u64) -> Resident {
        let (grid, cluster) = (self.global.grid, self.image.cluster);
        let corner = Dim3::new(grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z).unflatten(number);
        let size = [cluster.x, cluster.y, cluster.z];
        let mut parts = Vec::new();
        for rank in 0..cluster.count() {
            let inside = cluster.unflatten(rank);
            let at = [0, 1, 2].map(|i| corner[i] * size[i] + inside[i]);
            let index =
                u64::from(at[0]) + u64::from(grid.x) * (u64::from(at[1]) + u64::from(grid.y) * u64::from(at[2]));
            parts.push(self.start_block(index, rank as usize));
        }
        let indices: Vec<u32> = parts.iter().map(|part| part.block.index).collect();
        let cluster = Cluster::new(&indices, parts.first().map_or(0, |part| part.warps.len()));
        Resident { parts, cluster }
    }

    fn start_block(&mut self, index: u64, rank: usize) -> Part {
        let threads = self.global.block.count() as u32;
        let warps = threads.div_ceil(32);
        let exists = |i: u32| match threads - 32 * i {
            n if n < 32 => (1 << n) - 1,
            _ => !0,
        };
        self.global.stats.ctas += 1;
        self.global.stats.warps += u64::from(warps);
        let (image, ctaid) = (self.image, self.global.grid.unflatten(index));
        let mut part = self.spare.pop().unwrap_or_else(|| self.new_part(warps));
        for (i, w) in (0..).zip(&mut part.warps) {
            w.reset(i, exists(i), image.entry);
            w.calls.remembered = self.how.calls_converge;
            w.count = image.warp_registers;
        }
        part.trackers.iter_mut().for_each(Tracker::reset);
        part.block.reset(index as u32, ctaid);
        part.block.rank = rank;
        part
    }

    fn new_part(&self, warps: u32) -> Part {
        let image = self.image;
        let (cells, late) = (image.program.watching.cells, self.how.completion == Completion::Late);
        let local = if image.local_size == 0 { 0 } else { warps as usize * 32 };
        Part {
            block: Block {
                index: 0,
                ctaid: [0; 3],
                rank: 0,
                cluster: Cluster::default(),
                shared: Segment::undefined(self.global.smem_size as usize),
                local: vec![Segment::undefined(image.local_size as usize); local],
                local_low: image.local_low(),
                bars: vec![NamedBarrier::default(); 16],
                sequences: Vec::new(),
            },
            trackers: (0..warps).map(|_| Tracker::new(cells, late)).collect(),
            warps: (0..warps).map(|i| Warp::new(i, 0, image.entry, image.registers)).collect(),
        }
    }

    /// Picks a warp that can run, searching from a random one: numbers of cluster, block, warp.
    pub(super) fn pick(&mut self, resident: &[Resident]) -> Option<(usize, usize, usize)> {
        let from = |runner: &mut Self, n: usize| {
            let first = runner.global.rng.below(n);
            (0..n).map(move |i| (first + i) % n)
        };
        for c in from(self, resident.len()) {
            let parts = &resident[c].parts;
            for p in from(self, parts.len()) {
                let warps = &parts[p].warps;
                for w in from(self, warps.len()) {
                    if warps[w].splits.iter().any(|s| s.wait == Wait::None) {
                        return Some((c, p, w));
                    }
                }
            }
        }
        None
    }

    /// After a block has run: lanes whose waits may be over look again, and now and then an
    /// asynchronous operation takes effect.
    pub(super) fn settle(&mut self, r: &mut Resident) -> Result<(), Failure> {
        for (mate, part) in r.cluster.blocks.iter_mut().zip(&r.parts) {
            let runs = part.warps.iter().any(|w| w.live != 0);
            r.cluster.changed |= mate.runs != runs;
            mate.runs = runs;
        }
        if !r.cluster.pending.is_empty() {
            // What lanes wait for that cannot park, by polling, must take effect some day.
            let rate = match self.how.completion {
                Completion::Early => 4,
                Completion::Late if r.cluster.words.is_empty() => 512,
                Completion::Late => 64,
            };
            if self.global.rng.below(rate) == 0 {
                let index = self.global.rng.below(r.cluster.pending.len());
                self.land(r, index)?;
            }
        }
        self.look_again(r);
        // Others may wait for lanes that wait in vain, and would give up.
        if r.cluster.watched && self.global.rng.below(64) == 0 {
            r.wake(|wait| matches!(wait, Wait::Object(_)));
        }
        Ok(())
    }

    fn look_again(&mut self, r: &mut Resident) {
        if r.cluster.barrier.arrived.iter().any(|&arrived| arrived != 0) && r.end_barrier() {
            self.global.stats.barriers += 1;
            self.global.now += 1;
            r.cluster.changed = true;
        }
        if std::mem::take(&mut r.cluster.changed) {
            let waits = |wait| matches!(wait, Wait::Object(_) | Wait::Cluster | Wait::Registers);
            r.wake(waits);
            // They have not waited in vain.
            r.parts.iter_mut().flat_map(|part| &mut part.warps).for_each(|warp| warp.tired = 0);
        }
    }

    /// Lets a pending operation take effect.
    fn land(&mut self, r: &mut Resident, index: usize) -> Result<(), Failure> {
        r.exchange(0, true);
        let landed = r.parts[0].block.land(index, &mut self.global);
        r.exchange(0, false);
        landed.map_err(|unlanded| {
            let (rank, warp, lane) = unlanded.who;
            let failure = LaneFailure { lane: lane as u32, kind: unlanded.kind };
            self.failure(failure, &r.parts[rank], warp as usize, unlanded.place)
        })
    }

    /// No lane can run: an operation that lanes wait for takes effect, or waits give up. Returns
    /// whether anything can run now.
    pub(super) fn go_on(&mut self, resident: &mut [Resident]) -> Result<bool, Failure> {
        for r in resident.iter_mut() {
            let waits: Vec<Wait> = r
                .parts
                .iter()
                .flat_map(|part| &part.warps)
                .flat_map(|warp| warp.splits.iter().map(|split| split.wait))
                .collect();
            let awaited = |at| waits.contains(&Wait::Object(at));
            let all: Vec<usize> = (0..r.cluster.pending.len())
                .filter(|&i| r.cluster.pending[i].signals.iter().any(|&at| awaited(at)))
                .collect();
            if !all.is_empty() {
                let index = all[self.global.rng.below(all.len())];
                self.land(r, index)?;
                self.look_again(r);
                return Ok(true);
            }
        }
        for r in resident.iter_mut() {
            let cluster = &mut r.cluster;
            let rounds = if cluster.gave_up.0 == cluster.effects { cluster.gave_up.1 + 1 } else { 0 };
            cluster.gave_up = (cluster.effects, rounds);
            if rounds <= ROUNDS && r.wake(|wait| matches!(wait, Wait::Object(_) | Wait::Registers)) != 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// No lane can run: those that are outside of regions leave them. Returns whether any did.
    pub(super) fn leave_regions(&mut self, resident: &mut [Resident]) -> bool {
        let now = self.global.now;
        let parts = resident.iter_mut().flat_map(|r| &mut r.parts);
        let warps = parts.flat_map(|part| &mut part.warps);
        warps.filter_map(|warp| warp.leave_inner_regions(now).then_some(())).count() > 0
    }

    /// All threads of a cluster have ended: what is left takes effect. Shared memory must not be in
    /// use any more.
    pub(super) fn finish(&mut self, r: &mut Resident) -> Result<(), Failure> {
        while !r.cluster.pending.is_empty() {
            self.land(r, 0)?;
        }
        let longest = r.parts.iter().flat_map(|part| &part.trackers).map(Tracker::clock).max().unwrap_or(0);
        let s = &mut self.global.stats;
        s.cycles = s.cycles.max(longest);
        let blocks: Vec<u64> = r.parts.iter().map(|part| part.block.index.into()).collect();
        if self.global.regions.is_empty() {
            return Ok(());
        }
        match self.global.regions.end(&blocks) {
            Some(region) if self.global.races != OnFinding::Off => self.left(r, &region),
            _ => Ok(()),
        }
    }

    /// Reports an operation on shared memory that nothing has waited for.
    fn left(&mut self, r: &Resident, region: &Region) -> Result<(), Failure> {
        let text = format!("a block ends, whose shared memory {}: nothing has waited for it", using(region));
        if self.global.races == OnFinding::Warn {
            self.global.warnings.push(self.image.name_all_places(&text));
            return Ok(());
        }
        let (block, warp, lane) = (region.thread >> 10, (region.thread >> 5 & 31) as usize, region.thread & 31);
        let Some(part) = r.parts.iter().find(|part| part.block.index == block) else { return Ok(()) };
        Err(self.failure(LaneFailure { lane, kind: FailureKind::Asynchrony(text) }, part, warp, region.place))
    }

    /// Describes what all lanes wait for.
    pub(super) fn deadlock(&self, resident: &mut [Resident]) -> Failure {
        let mut text = String::new();
        for r in resident {
            let several = r.parts.len() > 1;
            for p in 0..r.parts.len() {
                r.exchange(p, true);
                for w in &r.parts[p].warps {
                    for (i, s) in w.splits.iter().enumerate() {
                        let missing = w.waits_for(i).map_or(0, |(needed, there)| needed & !there);
                        let what = match s.wait {
                            Wait::Barrier(id) => format!("at barrier {id}"),
                            Wait::Converge(b) => format!("for the lanes {missing:#010x} at convergence barrier B{b}"),
                            Wait::Return(_) => format!("for the lanes {missing:#010x} at the return of a call"),
                            Wait::WarpSync(m) => format!("for the lanes {missing:#010x} of {m:#010x} at WARPSYNC"),
                            Wait::None => continue,
                            other => describe(other, &r.parts[p].block),
                        };
                        if text.len() < 300 {
                            let sep = if text.is_empty() { "" } else { "; " };
                            let rank = if several { format!(" (rank {p})") } else { String::new() };
                            let index = r.parts[p].block.index;
                            let (warp, lanes) = (w.index, lanes(s.mask).fold(0u32, |m, l| m | 1 << l));
                            let place = self.image.place(s.pc);
                            text += &format!(
                                "{sep}block {index}{rank} warp {warp} lanes {lanes:#010x} wait {what}, at {place}"
                            );
                        }
                    }
                }
                r.exchange(p, false);
            }
        }
        Failure::of_launch(&self.image.kernel, FailureKind::Deadlock(text))
    }
}
