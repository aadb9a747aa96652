//! The state of the blocks (CTAs) of a cluster, which run together: their warps, shared memory and
//! barriers. Without clusters each block is one.

use super::asynchrony::{Mbarrier, Released, Transfer};
use super::place::SharedPlace;
use super::warp::Warp;
use super::wgmma::Issue;
use crate::mem::Segment;
use std::collections::BTreeMap;

/// Number of barriers of a block (PTX ISA 9.0, 9.7.13.1).
pub const BARRIERS: usize = 16;

/// A barrier of a block. Warps are those of the cluster.
pub struct BlockBarrier {
    /// Number of participating threads; `None` for all.
    pub threads: Option<u32>,
    pub aligned: bool,
    /// For each warp: lanes that arrived, those of them that wait, and where.
    pub arrived: Vec<u32>,
    pub waiting: Vec<u32>,
    pub places: Vec<u32>,
    /// Predicates for a reduction.
    pub votes: Vec<u32>,
    pub unknown: bool,
}

impl BlockBarrier {
    pub fn new(warps: usize) -> BlockBarrier {
        BlockBarrier {
            threads: None,
            aligned: false,
            arrived: vec![0; warps],
            waiting: vec![0; warps],
            places: vec![0; warps],
            votes: vec![0; warps],
            unknown: false,
        }
    }

    /// Returns the number of threads that arrived.
    pub fn count(&self) -> u32 {
        self.arrived.iter().map(|a| a.count_ones()).sum()
    }
}

/// The barrier of a cluster. Each thread arrives, then waits; a phase ends when all threads have
/// arrived. One mask of lanes for each warp.
#[derive(Default)]
pub struct ClusterBarrier {
    /// Lanes that have arrived, and have not waited yet.
    pub arrived: Vec<u32>,
    /// Those of them whose phase has ended.
    pub passed: Vec<u32>,
    /// What the arrivals of this phase and of the last one release, as times of accesses.
    pub open: u32,
    pub ended: u32,
}

/// A block that has started.
pub struct Block {
    /// Flat index in the grid.
    pub index: u64,
    pub shared: Segment,
    pub barriers: Vec<BlockBarrier>,
}

/// A valid mbarrier object, and the step that initialised it.
pub struct Object {
    pub state: Mbarrier,
    pub place: u32,
}

/// An asynchronous operation that has not taken effect.
pub struct Pending {
    /// The lane that started it, and where.
    pub warp: usize,
    pub lane: usize,
    pub place: u32,
    /// The mbarrier objects that it signals: one for each destination, or none.
    pub signals: Vec<SharedPlace>,
    pub effect: Effect,
}

/// The effect of an asynchronous operation.
pub enum Effect {
    /// The arrival of the lane's copies up to this number at an mbarrier object.
    Arrive { through: u64, released: Released },
    /// A copy or reduction.
    Transfer(Transfer),
}

/// The blocks of a cluster that have started.
pub struct Cta {
    /// The warps of all blocks, by rank.
    pub warps: Vec<Warp>,
    /// The blocks, by rank.
    pub blocks: Vec<Block>,
    /// Valid mbarrier objects.
    pub objects: BTreeMap<SharedPlace, Object>,
    /// Asynchronous operations that have not taken effect, the oldest first.
    pub pending: Vec<Pending>,
    /// The products of each warpgroup, by rank of its block and number in the block.
    pub warpgroups: BTreeMap<(usize, u32), Vec<Issue>>,
    /// The barrier of the cluster.
    pub barrier: ClusterBarrier,
    /// Number of actions that other threads can see, to detect waits without an end.
    pub effects: u64,
    /// That number when the waits at mbarrier objects last gave up, and how often they have since.
    pub gave_up: (u64, u32),
}
