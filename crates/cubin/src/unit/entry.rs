//! Facts about kernels and their parameters.

use super::{RelocKind, SymbolId};

/// Facts about a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Parameters in declaration order, offsets from the start of the parameter area (constant bank
    /// 0, target's `params_at`).
    pub params: Vec<Param>,
    /// Whether the parameters, by their sizes and alignments, have more than 4,352 bytes: on some
    /// targets they are then stored elsewhere, and KPARAM_INFO_V2 describes them.
    pub many_params: bool,
    /// `.maxntid` as written; missing dimensions are 1.
    pub max_threads: Option<[u32; 3]>,
    /// `.reqntid` as written; missing dimensions are 1.
    pub required_threads: Option<[u32; 3]>,
    /// `.minnctapersm`; it affects only register allocation and has no attribute.
    pub min_ctas: Option<u32>,
    /// `.maxnreg`; without it the file has 255 (MAXREG_COUNT).
    pub max_registers: Option<u16>,
    /// `.reqnctapercluster`, sm_90 and later.
    pub cluster: Option<[u32; 3]>,
    /// `.maxclusterrank`.
    pub max_cluster_rank: Option<u32>,
    /// `.explicitcluster`: cluster dimensions must be given at launch.
    pub explicit_cluster: bool,
}

/// One kernel parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Byte offset from the first parameter.
    pub offset: u16,
    /// Size in bytes, at least 1 unless the driver binds it (KPARAM_INFO has 14 bits for it,
    /// KPARAM_INFO_V2 has 16).
    pub size: u16,
    /// `.ptr .align N`: binary logarithm of N, 0 if not given.
    pub log_align: u8,
    /// `.ptr` state space as numbered in the format, 0 if not given.
    pub space: u8,
    /// A texture, sampler or surface, which the driver binds: its symbol. It has no memory, and its
    /// space tells what it is ([`Param::BOUND`]).
    pub bound: Option<SymbolId>,
}

impl Param {
    /// Spaces of textures, samplers and surfaces, each with the kind of relocation to its word.
    pub const BOUND: [(u8, RelocKind); 3] =
        [(6, RelocKind::TextureWord), (8, RelocKind::SamplerWord), (7, RelocKind::SurfaceWord)];

    /// A parameter without `.ptr` attributes.
    pub fn new(offset: u16, size: u16) -> Self {
        Self { offset, size, log_align: 0, space: 0, bound: None }
    }
}
