//! The blocks of a cluster, which run together: each other's shared memory, the cluster's barrier,
//! mbarrier objects, and asynchronous operations under way. Without clusters each block is one.
//!
//! While a block runs it holds the state of its cluster ([`super::block::Block::cluster`]), and
//! that state holds the shared memory of the other blocks.

use super::object::{Object, Place};
use super::pending::Pending;
use crate::failure::FailureKind;
use crate::mem::regions::Ground;
use crate::mem::{Flight, Segment};
use std::collections::{BTreeMap, BTreeSet};

/// A block as the others of its cluster see it.
#[derive(Clone, Debug, Default)]
pub struct Mate {
    /// Flat index in the grid.
    pub index: u32,
    /// Its shared memory, while another block runs.
    pub shared: Segment,
    /// Whether any of its threads runs.
    pub runs: bool,
}

/// The barrier of a cluster (`UCGABAR_ARV`, `UCGABAR_WAIT`): each thread arrives, then waits.
#[derive(Clone, Debug, Default)]
pub struct ClusterBarrier {
    /// Lanes that have arrived and have not waited yet, by warp of the cluster.
    pub arrived: Vec<u32>,
    /// Those of them whose phase has ended.
    pub passed: Vec<u32>,
    /// Times up to which accesses are released by the arrivals of this phase and of the last one.
    pub open: u32,
    pub ended: u32,
}

/// The state that the blocks of a cluster share.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// The blocks, by rank.
    pub blocks: Vec<Mate>,
    /// Valid mbarrier objects of sm_90.
    pub objects: BTreeMap<Place, Object>,
    /// Offsets of mbarrier objects of older machines, which are plain words there, once a thread
    /// has arrived at them.
    pub words: BTreeSet<usize>,
    /// Whether there are any of either kind: loads and stores have to look.
    pub watched: bool,
    /// Asynchronous operations that have not taken effect, the oldest first.
    pub pending: Vec<Pending>,
    /// Copies by threads that have not arrived, by number: block and bytes.
    pub flights: BTreeMap<u64, (usize, Flight)>,
    /// The barrier.
    pub barrier: ClusterBarrier,
    /// Number of actions that other threads can see, to detect waits without an end.
    pub effects: u64,
    /// That number when the waits at mbarrier objects last gave up, and how often they have since.
    pub gave_up: (u64, u32),
    /// Whether lanes that wait have to look again.
    pub changed: bool,
    /// Registers per thread that warps have returned and none has taken, by block, times warps.
    pub registers: Vec<u32>,
}

impl Cluster {
    /// Creates the state for blocks with these flat indices and this many warps each.
    pub fn new(indices: &[u32], warps: usize) -> Cluster {
        let mate = |&index: &u32| Mate { index, shared: Segment::default(), runs: true };
        let all = indices.len() * warps;
        let barrier = ClusterBarrier { arrived: vec![0; all], passed: vec![0; all], open: 0, ended: 0 };
        let registers = vec![0; indices.len()];
        Cluster { blocks: indices.iter().map(mate).collect(), barrier, registers, ..Cluster::default() }
    }

    /// Fails if a block has ended, whose shared memory does not exist any more.
    pub fn runs(&self, rank: usize) -> Result<(), FailureKind> {
        if self.blocks[rank].runs {
            return Ok(());
        }
        let text = format!("an access to shared memory of block {rank} of the cluster, which has ended");
        Err(FailureKind::Asynchrony(text))
    }

    /// Returns the shared memory of a block for regions.
    pub fn ground(&self, rank: usize) -> Ground {
        Ground::Shared { index: self.blocks[rank].index.into(), rank }
    }

    /// Counts an action that other threads can see.
    pub fn acted(&mut self) {
        self.effects += 1;
    }
}
