//! The blocks of a cluster, which run together: each other's shared memory, the cluster's barrier,
//! mbarrier objects, and asynchronous operations under way. Without clusters each block is one.
//!
//! While a block runs it holds the state of its cluster ([`super::block::Block::cluster`]), and
//! that state holds the shared memory of the other blocks.
//!
//! A shared address has the rank of its block in bits 24 and up (ptxas 13.0.88 output: `SR_CgaCtaId`
//! shifted by 24 for own addresses, `PRMT` 0x654 for `mapa`).

use super::asynchrony::{Object, Pending};
use super::block::Block;
use crate::failure::FailureKind;
use crate::mem::regions::Ground;
use crate::mem::{Actor, Flight, Segment};
use std::collections::{BTreeMap, BTreeSet};

/// First bit of the rank in a shared address.
pub const RANK_SHIFT: u32 = 24;

/// A place in the shared memory of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Rank of the block.
    pub rank: usize,
    /// Offset in its shared memory.
    pub offset: usize,
}

impl Place {
    /// Returns the shared address.
    pub fn address(self) -> usize {
        self.rank << RANK_SHIFT | self.offset
    }
}

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

impl Block {
    /// Returns the shared memory of a block of the cluster.
    pub fn shared_of(&mut self, rank: usize) -> &mut Segment {
        if rank == self.rank { &mut self.shared } else { &mut self.cluster.blocks[rank].shared }
    }

    /// Takes over the state of the cluster, or gives it back: `own` is where it is otherwise, and
    /// `others` are the blocks of the cluster but this one.
    pub fn exchange<'a>(&mut self, own: &mut Cluster, others: impl Iterator<Item = &'a mut Block>, begins: bool) {
        if begins {
            std::mem::swap(&mut self.cluster, own);
        }
        for other in others {
            std::mem::swap(&mut self.cluster.blocks[other.rank].shared, &mut other.shared);
        }
        if !begins {
            std::mem::swap(&mut self.cluster, own);
        }
    }

    /// Lets a copy by a thread arrive, if it has not.
    pub fn arrive(&mut self, number: u64) {
        if let Some((rank, flight)) = self.cluster.flights.remove(&number) {
            flight.arrive(self.shared_of(rank));
        }
    }

    /// Returns the thread of an access for messages.
    pub fn thread_text(thread: u32) -> String {
        format!("thread {} of block {}", thread & 1023, thread >> 10)
    }

    /// The lane of an access.
    pub fn lane_of(actor: &Actor) -> usize {
        (actor.thread & 31) as usize
    }
}
