//! What the warps of one block share, and what all blocks share.

use crate::failure::FailureKind;
use crate::launch::{Check, Dim3};
use crate::mem::{Memory, Segment};
use crate::stats::Stats;
use rustc_hash::FxHashMap;

/// A failure in the making: the machine adds thread, place and kernel.
#[derive(Debug)]
pub struct Trouble {
    /// Lane it belongs to.
    pub lane: u32,
    /// What.
    pub kind: FailureKind,
}

impl Trouble {
    /// A boxed trouble of one lane.
    pub fn new(lane: usize, kind: FailureKind) -> Box<Trouble> {
        Box::new(Trouble { lane: lane as u32, kind })
    }
}

/// Result of executing something.
pub type Exec<T = ()> = Result<T, Box<Trouble>>;

/// A named barrier of a block.
#[derive(Clone, Debug, Default)]
pub struct NamedBarrier {
    /// Lanes that have arrived, per warp.
    pub arrived: Vec<u32>,
    /// Warps of which all live lanes have arrived, as threads: 32 each.
    pub threads: u32,
    /// Threads it waits for; 0 while nobody has arrived, `u32::MAX` for all of the block.
    pub expected: u32,
    /// Lanes whose reduction predicate is true, per warp.
    pub votes: Vec<u32>,
    /// The reduction, if any arrival asked for one.
    pub reduction: Option<super::uop::BarMode>,
}

/// One block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Index in the grid, flattened.
    pub index: u32,
    /// Index in the grid.
    pub ctaid: [u32; 3],
    /// Shared memory; its first byte is shared address 0.
    pub shared: Segment,
    /// Local memory per thread.
    pub local: Vec<Segment>,
    /// Address of the first byte of local memory.
    pub local_low: u32,
    /// Named barriers.
    pub bars: Vec<NamedBarrier>,
}

impl Block {
    /// Makes it a fresh block again without new memory.
    pub fn reset(&mut self, index: u32, ctaid: [u32; 3]) {
        (self.index, self.ctaid) = (index, ctaid);
        self.shared.reset();
        self.local.iter_mut().for_each(Segment::reset);
        self.bars.fill(NamedBarrier::default());
    }
}

/// What the last strong write of a place released: accesses up to a time.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    /// Of anybody, to anybody.
    pub all: u32,
    /// The block that wrote.
    pub block: u32,
    /// Of that block, to its own threads.
    pub inside: u32,
}

/// What all blocks share.
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
    /// Instant: advances with every instruction of any warp.
    pub now: u32,
    /// What to do about races.
    pub races: Check,
    /// Races found so far when they are only warnings.
    pub warnings: Vec<String>,
    /// For each strongly written location, the time up to which its writer's block is released. The key is block + 1
    /// (0 for global memory) and the address of the word.
    pub releases: FxHashMap<(u32, u64), Release>,
    /// Counters.
    pub stats: Stats,
    /// MUFU model.
    pub mufu: crate::mufu::Mufu,
    /// Register count of the kernel, for clocks and the like.
    pub smem_size: u32,
    /// Source of random choices.
    pub rng: Rng,
}

/// A small deterministic generator (xorshift64*).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for a seed; every seed is fine.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n` (at least 1).
    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }
}
