//! Asynchronous operations, instructions on objects that count them, and clusters, as instructions ask
//! for them ([`super::asynchrony`] runs them).

use super::operand::Addr;
use super::options::{AtomOp, AtomType};

/// An instruction of this family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AsyncOp {
    /// `SYNCS.EXCH.64`: begins an object.
    Init(Addr),
    /// `SYNCS.CCTL.IV`: ends an object.
    End(Addr),
    /// `SYNCS.ARRIVE`.
    Arrive(Arrive),
    /// `SYNCS.PHASECHK`.
    Check {
        /// The object.
        at: Addr,
        /// Whether it may fail for a complete phase (`.TRYWAIT`).
        tries: bool,
    },
    /// `ARRIVES.LDGSTSBAR`: arrives when the earlier copies of the lane have.
    CopiesArrive(Addr, Weight),
    /// `ATOMS.ARRIVE.64`: arrives at an object of a machine before sm_90.
    OlderArrive(Addr),
    /// `FENCE.VIEW.ASYNC`: what `MEMBAR` has made visible is visible to asynchronous operations.
    View {
        /// `.S`, else `.G`.
        shared: bool,
    },
    /// `RPCMOV`: moves a word to or from `Rpc`.
    Rpc {
        /// Upper word.
        high: bool,
        /// Whether it is written.
        to: bool,
    },
    /// `UBLKCP`, `UBLKRED`.
    Bulk(Bulk),
    /// `UBLKPF`: address and size in uniform registers.
    BulkPrefetch(u8, u8),
    /// `UTMALDG`, `UTMASTG`, `UTMAREDG`, `UTMAPF`.
    Tensor(Tensor),
    /// `UTMACCTL`: the tensor map's address in a uniform register pair.
    Map {
        /// The pair.
        at: u8,
        /// `.IV`: writes to the map are visible to tensor operations after it; else a prefetch.
        invalidate: bool,
    },
    /// `UTMACMDFLUSH`: commits a group of bulk operations.
    Flush,
    /// `CCTL.IVALL`: what other threads and asynchronous operations have released to this one is
    /// visible.
    Invalidate,
    /// `STAS`: bytes stored.
    Store(Addr, u8),
    /// `REDAS`.
    Reduce(Addr, AtomOp, AtomType, u8),
    /// `UCGABAR_ARV`.
    ClusterArrive,
    /// `UCGABAR_WAIT`.
    ClusterWait,
    /// `USETMAXREG`.
    Registers {
        /// Registers per thread from here on.
        count: u16,
        /// `.TRY_ALLOC`, else `.DEALLOC`.
        grows: bool,
    },
}

/// What `ARRIVES.LDGSTSBAR` adds when the copies have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// An arrival (`.ARVCNT`).
    Arrival,
    /// A transaction that `SYNCS.ARRIVE.A0T1` has announced (`.TRANSCNT`).
    Transaction,
    /// An arrival at an object of a machine before sm_90.
    Older,
}

/// `SYNCS.ARRIVE.TRANS64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrive {
    /// The object.
    pub at: Addr,
    /// Arrivals.
    pub arrivals: Amount,
    /// Change of the tx-count.
    pub bytes: Amount,
    /// Whether the bytes are complete, not expected.
    pub completes: bool,
    /// `.OPTOUT`: later phases expect fewer arrivals.
    pub drops: bool,
    /// `.RED`: without a result, and of any block of the cluster.
    pub reduces: bool,
    /// `.TMASK`: one arrival of all lanes with the same object and count; the result has the mask
    /// of these lanes in its low word.
    pub combines: bool,
}

/// A count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A constant.
    Is(u32),
    /// The data operand.
    Operand,
}

/// `UBLKCP`, `UBLKRED`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bulk {
    /// First uniform register of the destination: a global address, or a shared address and that
    /// of the mbarrier object.
    pub to: u8,
    /// Whether that is global memory.
    pub to_global: bool,
    /// First uniform register of the source.
    pub from: u8,
    /// Whether that is global memory.
    pub from_global: bool,
    /// Uniform register with the size in units of 16 bytes, and the mask of blocks from bit 16 on.
    pub size: u8,
    /// `.MULTICAST`.
    pub multicast: bool,
    /// A reduction, with the bytes of its elements.
    pub reduce: Option<(AtomOp, AtomType, u8)>,
}

/// A tensor operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tensor {
    /// Uniform register pair with the address of the map.
    pub map: u8,
    /// First uniform register of the shared address, that of the object (loads), and the
    /// coordinates.
    pub operands: u8,
    /// Coordinates.
    pub dimensions: u8,
    /// Whether it is in im2col mode, and the uniform register with the offsets.
    pub columns: Option<Option<u8>>,
    /// What it does.
    pub direction: Direction,
}

/// What a tensor operation does with its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From global to shared memory; the register with the mask of blocks from bit 16 on.
    Load(Option<u8>),
    /// From shared to global memory, or a reduction there.
    Store(Option<AtomOp>),
    /// To the cache.
    Prefetch,
}
