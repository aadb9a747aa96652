//! State shared by the warps of one block, and state shared by all blocks.

use super::cluster::Cluster;
use super::products::Issued;
use crate::failure::FailureKind;
use crate::launch::{Dim3, OnFinding};
use crate::mem::regions::Regions;
use crate::mem::{Actor, Memory, Segment};
use crate::stats::Stats;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A failure without thread, place and kernel, which the machine adds.
#[derive(Debug)]
pub struct LaneFailure {
    /// Lane it belongs to.
    pub lane: u32,
    /// The kind of failure.
    pub kind: FailureKind,
}

impl LaneFailure {
    /// Creates a boxed failure of one lane.
    pub fn new(lane: usize, kind: FailureKind) -> Box<LaneFailure> {
        Box::new(LaneFailure { lane: lane as u32, kind })
    }
}

/// Result of executing an instruction.
pub type Exec<T = ()> = Result<T, Box<LaneFailure>>;

/// A named barrier of a block.
#[derive(Clone, Debug, Default)]
pub struct NamedBarrier {
    /// Lanes that have arrived, per warp.
    pub arrived: Vec<u32>,
    /// Threads of warps whose live lanes have all arrived: 32 each.
    pub threads: u32,
    /// Threads it waits for; 0 before the first arrival, `u32::MAX` for the whole block.
    pub expected: u32,
    /// Lanes whose reduction predicate is true, per warp.
    pub votes: Vec<u32>,
    /// The reduction, if any arrival requested one.
    pub reduction: Option<super::uop::BarMode>,
}

/// One block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Index in the grid, flattened.
    pub index: u32,
    /// Index in the grid.
    pub ctaid: [u32; 3],
    /// Rank in the cluster.
    pub rank: usize,
    /// The state of the cluster, while the block runs.
    pub cluster: Cluster,
    /// Shared memory; its first byte is shared address 0.
    pub shared: Segment,
    /// Local memory per thread.
    pub local: Vec<Segment>,
    /// Address of the first byte of local memory.
    pub local_low: u32,
    /// Named barriers.
    pub bars: Vec<NamedBarrier>,
    /// What each warpgroup has issued.
    pub sequences: Vec<Vec<Issued>>,
}

impl Block {
    /// Resets it to a fresh block without allocating memory.
    pub fn reset(&mut self, index: u32, ctaid: [u32; 3]) {
        (self.index, self.ctaid) = (index, ctaid);
        self.shared.reset();
        self.local.iter_mut().for_each(Segment::reset);
        self.bars.fill(NamedBarrier::default());
        self.sequences.clear();
    }

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

/// The release by the last strong write to a location: accesses up to a time.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    /// Time up to which accesses of any thread are visible to all.
    pub all: u32,
    /// The block that wrote.
    pub block: u32,
    /// Time up to which accesses of that block are visible to its own threads.
    pub inside: u32,
}

/// State shared by all blocks.
pub struct Global<'m> {
    /// Global memory.
    pub mem: &'m mut Memory,
    /// Constant banks, by number.
    pub banks: &'m [Vec<u8>],
    /// Extent of the grid.
    pub grid: Dim3,
    /// Extent of a block.
    pub block: Dim3,
    /// First shared address that belongs to the kernel.
    pub shared_base: u32,
    /// Warps that fit on a multiprocessor of the target.
    pub warps_per_sm: u32,
    /// Time stamp: advances with every instruction of any warp.
    pub now: u32,
    /// Whether there is multicast memory.
    pub multicast: bool,
    /// RunSettings races are handled.
    pub races: OnFinding,
    /// Races found so far, if they are only warnings.
    pub warnings: Vec<String>,
    /// Atomic operations that have computed with memory that was never written.
    pub unwritten: Vec<u32>,
    /// For each strongly written location, the time up to which its writer's block is released. The
    /// key is block + 1 (0 for global memory) and the word's address.
    pub releases: FxHashMap<(u32, u64), Release>,
    /// Counters.
    pub stats: Stats,
    /// MUFU model.
    pub mufu: crate::mufu::Mufu,
    /// Bytes of shared memory of a block.
    pub smem_size: u32,
    /// Source of random choices.
    pub rng: Rng,
    /// Whether asynchronous operations take effect as late as possible.
    pub late: bool,
    /// Memory that asynchronous operations use.
    pub regions: Regions,
    /// The last fence of each thread that makes its writes to shared memory visible to asynchronous
    /// operations; then those to global memory.
    pub fences: [BTreeMap<u32, Actor>; 2],
    /// The last `UTMACCTL.IV` of each tensor map, by its address and thread.
    pub map_fences: BTreeMap<(u64, u32), Actor>,
    /// Number of the last copy by a thread.
    pub copies: u64,
}

/// A small deterministic generator (xorshift64*).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator; any seed is valid.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `n` (at least 1).
    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }
}
