//! The blocks that run at the same time: whole clusters, which start and end together.

use super::block::Block;
use super::cluster::Cluster;
use super::hazard::Tracker;
use super::warp::{Wait, Warp};

/// A block with its warps.
pub struct Part {
    pub block: Block,
    pub warps: Vec<Warp>,
    pub trackers: Vec<Tracker>,
}

/// A cluster.
pub struct Resident {
    /// Its blocks, by rank.
    pub parts: Vec<Part>,
    /// What they share, while none of them runs.
    pub cluster: Cluster,
}

impl Resident {
    /// Begins or ends a run of a block: it holds the state of the cluster meanwhile.
    #[inline]
    pub fn exchange(&mut self, p: usize, begins: bool) {
        let (before, rest) = self.parts.split_at_mut(p);
        let Some((part, after)) = rest.split_first_mut() else { return };
        let others = before.iter_mut().chain(after).map(|other| &mut other.block);
        part.block.exchange(&mut self.cluster, others, begins);
    }

    /// Wakes lanes that wait for one of these.
    pub fn wake(&mut self, what: impl Fn(Wait) -> bool) -> u32 {
        let mut woken = 0;
        for part in &mut self.parts {
            for warp in &mut part.warps {
                for split in warp.splits.iter_mut().filter(|split| what(split.wait)) {
                    split.wait = Wait::None;
                    warp.tired |= split.mask;
                    woken += 1;
                }
            }
        }
        woken
    }

    /// Ends the phase of the cluster's barrier if all threads have arrived.
    pub fn end_barrier(&mut self) -> bool {
        let barrier = &mut self.cluster.barrier;
        let warps = self.parts.iter().flat_map(|part| &part.warps);
        let rows = barrier.arrived.iter().zip(&barrier.passed);
        let mut any = false;
        for (warp, (arrived, passed)) in warps.zip(rows) {
            let new = arrived & !passed;
            if warp.live & !new != 0 {
                return false;
            }
            any |= new != 0;
        }
        if any {
            barrier.ended = std::mem::take(&mut barrier.open);
            barrier.passed.clone_from(&barrier.arrived);
        }
        any
    }
}
