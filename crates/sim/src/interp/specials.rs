//! Special registers that are constant during a run (PTX ISA 9.0, section 10).

use crate::launch::Dim3;
use raddle_ptx::SpecialReg;

/// The position of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub grid: Dim3,
    /// Blocks of a cluster.
    pub cluster: Dim3,
    /// The block's rank in its cluster.
    pub rank: u32,
    pub block: Dim3,
    pub cta: [u32; 3],
    /// Flat index of the block.
    pub cta_index: u64,
    pub thread: [u32; 3],
    pub lane: u32,
    pub warp: u32,
    pub dynamic_shared: u32,
    pub total_shared: u32,
    /// Bytes reserved before the block's own shared memory.
    pub reserved_shared: u32,
    /// Most warps of a multiprocessor of the module's target.
    pub warps_per_sm: u32,
}

/// Whether [`value`] supports this register.
pub fn supported(reg: SpecialReg) -> bool {
    use SpecialReg::*;
    matches!(
        reg,
        Tid | Ntid
            | Ctaid
            | Nctaid
            | Laneid
            | Warpid
            | Nwarpid
            | Smid
            | Nsmid
            | Gridid
            | Clusterid
            | Nclusterid
            | ClusterCtaid
            | ClusterNctaid
            | ClusterCtarank
            | ClusterNctarank
            | LanemaskEq
            | LanemaskLe
            | LanemaskLt
            | LanemaskGe
            | LanemaskGt
            | DynamicSmemSize
            | TotalSmemSize
            | CurrentGraphExec
            | AggrSmemSize
            | IsExplicitCluster
            | ReservedSmemOffsetBegin
            | ReservedSmemOffsetEnd
            | ReservedSmemOffsetCap
            | ReservedSmemOffset0
            | ReservedSmemOffset1
            | Envreg(_)
    )
}

/// Returns the value of a special register for one thread. The device has one multiprocessor; the
/// driver's registers (`%envreg`) are zero.
pub fn value(reg: SpecialReg, component: u8, at: &Position) -> u64 {
    use SpecialReg::*;
    let dim = |d: Dim3| [d.x, d.y, d.z];
    let pick = |v: [u32; 3]| v.get(usize::from(component)).copied().unwrap_or(0);
    let below = (1u32 << at.lane) - 1;
    let value = match reg {
        Tid => pick(at.thread),
        Ntid => pick(dim(at.block)),
        Ctaid => pick(at.cta),
        Nctaid => pick(dim(at.grid)),
        Clusterid => pick(at.cta) / pick(dim(at.cluster)).max(1),
        ClusterCtaid => pick(at.cta) % pick(dim(at.cluster)).max(1),
        Nclusterid => pick(dim(at.grid)) / pick(dim(at.cluster)).max(1),
        ClusterNctaid => pick(dim(at.cluster)),
        ClusterCtarank => at.rank,
        ClusterNctarank => at.cluster.count() as u32,
        Laneid => at.lane,
        Warpid => at.warp,
        Nwarpid => at.warps_per_sm,
        Nsmid => 1,
        LanemaskEq => 1 << at.lane,
        LanemaskLt => below,
        LanemaskLe => below | 1 << at.lane,
        LanemaskGe => !below,
        LanemaskGt => !(below | 1 << at.lane),
        DynamicSmemSize => at.dynamic_shared,
        TotalSmemSize => at.total_shared,
        AggrSmemSize => at.total_shared + at.reserved_shared,
        // Below sm_90 the reserved part is after the block's own shared memory (ptxas 13.0.88
        // output: the whole size less the reserved part); it is empty here.
        ReservedSmemOffsetBegin
        | ReservedSmemOffset0
        | ReservedSmemOffset1
        | ReservedSmemOffsetEnd
        | ReservedSmemOffsetCap
            if at.reserved_shared == 0 =>
        {
            at.total_shared
        }
        ReservedSmemOffsetEnd | ReservedSmemOffset1 | ReservedSmemOffsetCap => at.reserved_shared,
        _ => 0,
    };
    u64::from(value)
}
