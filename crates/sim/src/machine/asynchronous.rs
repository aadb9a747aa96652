//! Asynchronous operations of a warp.

use crate::mem::Actor;
use std::collections::VecDeque;

/// What a warp has to know of its asynchronous operations.
#[derive(Clone, Debug)]
pub struct Asynchronous {
    /// Bulk operations that are in no group yet.
    pub open: Vec<u64>,
    /// Groups of bulk operations, the oldest first.
    pub groups: VecDeque<Vec<u64>>,
    /// Bulk operations whose sources have been read: the groups were waited for.
    pub read: Vec<u64>,
    /// Fences of the asynchronous proxy with their scoreboards, until these are waited for; whether
    /// they are for global memory.
    pub views: Vec<(u8, usize, Actor)>,
    /// Time up to which `CCTL.IVALL` will order accesses of all threads before this warp.
    pub cluster_acquired: u32,
    /// When this warp has last initialised an mbarrier object. The next arrival at the barrier of the
    /// cluster releases it: `fence.mbarrier_init` leaves no instruction ("ptxas 13.0.88 output").
    pub initialised: u32,
    /// `Rpc`: two words per lane with their undefined bits.
    pub rpc: [[(u32, u32); 32]; 2],
}

impl Default for Asynchronous {
    fn default() -> Self {
        let (open, groups, read, views) = Default::default();
        Asynchronous { open, groups, read, views, cluster_acquired: 0, initialised: 0, rpc: [[(0, !0); 32]; 2] }
    }
}
