//! Asynchronous operations and the objects that count them (PTX ISA 9.0, 9.7.13.15 and
//! 9.7.9.25): the instructions in the form that [`super::exec`] runs.

mod columns;
mod mbarrier;
mod tensor_map;

use super::atomic::AtomOp;
use super::place::{Address, Pred, Row};
use super::wgmma::WgmmaOp;
pub use crate::mem::regions::{Ground, Region, Regions, Role, Signal};
pub use columns::MAP_BYTES;
pub use mbarrier::{Arrival, MAX_COUNT, Mbarrier, Released, Scope, Token, WordLayout};
use std::rc::Rc;
pub use tensor_map::{Element, Field, Piece, TensorMap, replace};

/// An instruction on an mbarrier object, or one that starts, counts or awaits asynchronous
/// operations.
#[derive(Clone, Debug)]
pub enum Operation {
    /// `mbarrier`, `cp.async.mbarrier.arrive`.
    Mbarrier(MbarrierOp),
    /// `cp.async.bulk`, `cp.reduce.async.bulk`.
    Bulk(Bulk),
    /// `cp.async.bulk.prefetch`.
    Prefetch {
        /// Memory that may be read.
        at: Address,
        /// Bytes.
        bytes: Row,
    },
    /// `cp.async.bulk.commit_group`.
    Commit,
    /// `cp.async.bulk.wait_group`.
    WaitGroups {
        /// Groups that may be pending.
        left: usize,
        /// Whether only their sources must have been read.
        read: bool,
    },
    /// `fence.proxy.async`.
    ProxyFence {
        /// Whether it is for shared memory.
        shared: bool,
        /// Whether it is for global memory.
        global: bool,
    },
    /// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`, `cp.async.bulk.prefetch.tensor`.
    Tensor(Tensor),
    /// `tensormap.replace`.
    Replace {
        /// The tensor map.
        at: Address,
        /// The field.
        field: Field,
        /// Its value.
        value: Row,
    },
    /// `st.async`, `red.async`.
    Store(AsyncStore),
    /// `mapa`: the address of the same place in another block.
    Map {
        /// The address there.
        dst: Row,
        /// An address of shared memory.
        a: Row,
        /// The rank of the block.
        rank: Row,
    },
    /// `barrier.cluster.arrive`.
    ClusterArrive {
        /// Whether it releases.
        release: bool,
    },
    /// `barrier.cluster.wait`, which acquires.
    ClusterWait,
    /// `fence.proxy.tensormap::generic.acquire` of a tensor map.
    MapFence(Address),
    /// `setmaxnreg`: registers per thread.
    SetRegisters(u64),
    /// `wgmma`.
    Wgmma(WgmmaOp),
}

/// `cp.async.bulk` and `cp.reduce.async.bulk`.
#[derive(Clone, Debug)]
pub struct Bulk {
    /// Destination.
    pub to: Address,
    /// Source.
    pub from: Address,
    /// Bytes, a multiple of 16.
    pub bytes: Row,
    /// A reduction of elements of this many bytes.
    pub reduce: Option<(AtomOp, usize)>,
    /// The mbarrier object that counts the bytes; without one the operation is part of the
    /// thread's bulk group.
    pub object: Option<Address>,
    /// The blocks that get the bytes, as a mask of ranks; without it, that of the destination.
    pub multicast: Option<Row>,
}

/// `st.async` and `red.async`.
#[derive(Clone, Debug)]
pub struct AsyncStore {
    /// Destination.
    pub to: Address,
    /// Bytes of an element.
    pub bytes: usize,
    /// Elements.
    pub src: Vec<Row>,
    /// The reduction, if it is one.
    pub reduce: Option<AtomOp>,
    /// The mbarrier object that counts the bytes.
    pub object: Address,
}

/// A tensor instruction.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The tensor map.
    pub map: Address,
    /// Coordinates of the box.
    pub at: Vec<Row>,
    /// In im2col mode the offsets; none of a store.
    pub columns: Option<Vec<Row>>,
    /// What it does.
    pub direction: Direction,
}

/// What a tensor instruction does with its box.
#[derive(Clone, Debug)]
pub enum Direction {
    /// From global to shared memory.
    Load {
        /// Destination.
        to: Address,
        /// The mbarrier object that counts the bytes.
        object: Address,
        /// The blocks that get the bytes, as a mask of ranks.
        multicast: Option<Row>,
    },
    /// From shared to global memory.
    Store {
        /// Source.
        from: Address,
        /// The reduction of each element type, by its number, where there is one.
        reduce: Option<Vec<Option<AtomOp>>>,
    },
    /// To the cache only.
    Prefetch,
}

/// Bytes of memory.
#[derive(Clone, Debug)]
pub struct Span {
    /// The memory.
    pub ground: Ground,
    /// Where they are.
    pub places: Places,
}

/// The places of bytes in a memory.
#[derive(Clone, Debug)]
pub enum Places {
    /// One after another from an offset on.
    From(usize),
    /// Elements, each at an offset; those without one are outside of a tensor.
    Each(Rc<[Option<usize>]>),
}

impl Places {
    /// Returns the offset of the bytes from `at` on, which are part number `at / one`.
    pub fn offset(&self, at: usize, one: usize) -> Option<usize> {
        match self {
            Places::From(offset) => Some(offset + at),
            Places::Each(all) => all[at / one],
        }
    }
}

/// A copy or reduction that was issued.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// Its number, as in [`Region`].
    pub number: u64,
    /// Source, if the bytes are not `taken`.
    pub from: Option<Span>,
    /// Destinations.
    pub to: Vec<Span>,
    /// Bytes.
    pub bytes: usize,
    /// Bytes that are read and written at once.
    pub one: usize,
    /// The reduction of each of these parts.
    pub reduce: Option<AtomOp>,
    /// The value of elements outside of a tensor.
    pub fill: u64,
    /// The source's bytes and their undefined bits, once they have been read.
    pub taken: Option<(Vec<u8>, Vec<u8>)>,
}

/// The count operand of an instruction on an mbarrier object.
#[derive(Clone, Copy, Debug)]
pub enum Count {
    /// One.
    One,
    /// The value of a row.
    Row(Row),
}

/// An instruction on an mbarrier object.
#[derive(Clone, Debug)]
pub enum MbarrierOp {
    /// `mbarrier.init`: expected arrivals.
    Init {
        /// The object.
        at: Address,
        /// Expected arrivals.
        count: Row,
    },
    /// `mbarrier.inval`.
    Inval {
        /// The object.
        at: Address,
    },
    /// `mbarrier.expect_tx`.
    Expect {
        /// The object.
        at: Address,
        /// Bytes.
        bytes: Row,
    },
    /// `mbarrier.complete_tx`.
    Complete {
        /// The object.
        at: Address,
        /// Bytes.
        bytes: Row,
    },
    /// `mbarrier.arrive` and `mbarrier.arrive_drop`.
    Arrive(Arrive),
    /// `mbarrier.test_wait` and `mbarrier.try_wait`.
    Wait(Wait),
    /// `mbarrier.pending_count`.
    PendingCount {
        /// The count.
        dst: Row,
        /// The token.
        token: Row,
    },
    /// `cp.async.mbarrier.arrive`; with `counted`, the arrival is one of the expected ones
    /// (`.noinc`).
    CopyArrive {
        /// The object.
        at: Address,
        /// Whether the expected arrivals contain it.
        counted: bool,
    },
}

/// `mbarrier.arrive` and `mbarrier.arrive_drop`.
#[derive(Clone, Debug)]
pub struct Arrive {
    /// The object.
    pub at: Address,
    /// Arrivals.
    pub count: Count,
    /// Bytes that are expected first (`.expect_tx`).
    pub expect: Option<Row>,
    /// Whether the expected arrivals of later phases drop (`arrive_drop`).
    pub drop: bool,
    /// Whether the phase must not complete (`.noComplete`).
    pub no_complete: bool,
    /// The state before it, as a token.
    pub token: Option<Row>,
    /// The scope of its release, if it is one.
    pub release: Option<Scope>,
}

/// `mbarrier.test_wait` and `mbarrier.try_wait`.
#[derive(Clone, Debug)]
pub struct Wait {
    /// The object.
    pub at: Address,
    /// The token, or the parity of the phase.
    pub phase: Row,
    /// Whether it is a parity.
    pub parity: bool,
    /// Whether it may give up early (`try_wait`).
    pub tries: bool,
    /// Whether the phase is complete.
    pub dst: Option<Pred>,
    /// The scope of its acquire, if it is one.
    pub acquire: Option<Scope>,
}
