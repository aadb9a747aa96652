//! The state of a block (CTA): its warps, shared memory and barriers.

use super::warp::Warp;
use crate::mem::Segment;

/// Number of barriers of a block (PTX ISA 9.0, 9.7.13.1).
pub const BARRIERS: usize = 16;

/// A barrier of a block.
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

/// A block that has started.
pub struct Cta {
    pub warps: Vec<Warp>,
    pub shared: Segment,
    pub barriers: Vec<BlockBarrier>,
}
