//! Lanes of a warp that run together, what they wait for, and results that have not arrived.

use super::lanes::Lanes;
use super::object::Place;
use super::uop::Res;

/// A result that has not arrived ([`super::late`]).
#[derive(Clone, Debug)]
pub struct Parked {
    pub pc: u32,
    pub res: Res,
    pub lanes: u32,
    /// Whether it is a predicate result that arrives when the sources have been read.
    pub early: bool,
    pub value: Lanes,
    pub undef: Lanes,
}

/// The reason why a subset of lanes waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// It does not wait.
    None,
    /// At `BSYNC` of this convergence barrier.
    Converge(u8),
    /// At `WARPSYNC` with this mask.
    WarpSync(u32),
    /// At the return of the call with this number, for its lanes ([`super::calls`]).
    Return(u32),
    /// At the named barrier.
    Barrier(u8),
    /// For the phase of an mbarrier object.
    Object(Place),
    /// At the barrier of the cluster.
    Cluster,
    /// For registers.
    Registers,
    /// For the other warps of its warpgroup.
    Warpgroup,
}

/// Lanes that run together.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// Next instruction.
    pub pc: u32,
    /// The lanes.
    pub mask: u32,
    /// Lanes that run along for the sake of their quads ([`super::quad`]).
    pub lent: u32,
    /// What it waits for.
    pub wait: Wait,
    /// Time at which its lanes last converged.
    pub since: u32,
}
