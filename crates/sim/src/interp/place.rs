//! Places of values: rows of a frame, and addresses.

/// A row of a frame: one 64-bit word for each lane. Row 0 is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub u32);

/// The row that is always zero.
pub const ZERO: Row = Row(0);

/// Windows of the generic address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    Generic,
    Global,
    /// Shared memory of the own block.
    Shared,
    /// Shared memory of all blocks of the cluster.
    Cluster,
    Local,
    Const,
    /// The parameters of the kernel.
    Param,
}

/// An address: a row plus an offset.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    pub window: Window,
    pub base: Row,
    pub offset: i64,
    /// Whether addresses are 32 bits wide and wrap there (shared and local memory).
    pub narrow: bool,
}

/// A place in the shared memory of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedPlace {
    /// The block's rank in its cluster.
    pub block: usize,
    /// Byte offset in its shared memory.
    pub offset: usize,
}

/// A predicate of a frame: one bit for each lane. Predicate 0 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pred(pub u32);

/// The predicate that is always true.
pub const TRUE: Pred = Pred(0);

/// A predicate as a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredSrc {
    pub pred: Pred,
    pub negated: bool,
}

/// A source that is always true.
pub const ALWAYS: PredSrc = PredSrc { pred: TRUE, negated: false };

/// The first bit of a block's rank in an address of the cluster's shared memory (ptxas 13.0.88
/// output).
pub const RANK_SHIFT: u32 = 24;
