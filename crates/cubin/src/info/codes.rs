//! Attribute codes, their names in NVIDIA's tools, and the shapes of their payloads.
//!
//! The table contains every code that `cuobjdump -elf` 13.4.92 has a name for; the shapes are those
//! observed in ptxas 13.0.88 output.

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => { $($(#[$doc])* pub const $name: u8 = $value;)* };
}

/// Codes of attributes that this crate generates or interprets, named as in cuobjdump (without
/// `EIATTR_`).
pub mod code {
    codes! {
        /// `%ctaid.z` is read; sm_8x.
        CTAIDZ_USED = 0x04;
        /// `.maxntid`: three words.
        MAX_THREADS = 0x05;
        /// Symbol of the constant bank 0 section, first byte and size of the parameters.
        PARAM_CBANK = 0x0a;
        /// Undefined functions called.
        EXTERNS = 0x0f;
        /// `.reqntid`: three words.
        REQNTID = 0x10;
        /// Bytes of a function's own frame.
        FRAME_SIZE = 0x11;
        /// The least stack size of a kernel, in bytes.
        MIN_STACK_SIZE = 0x12;
        /// One kernel parameter.
        KPARAM_INFO = 0x17;
        /// Size of all parameters in bytes.
        CBANK_PARAM_SIZE = 0x19;
        /// The register limit; 255.
        MAXREG_COUNT = 0x1b;
        /// Offsets of `EXIT`.
        EXIT_INSTR_OFFSETS = 0x1c;
        /// Offsets of reads of `%ctaid`.
        S2RCTAID_INSTR_OFFSETS = 0x1d;
        /// 0; present if the kernel has convergence barriers.
        CRS_STACK_SIZE = 0x1e;
        /// Bytes of stack of a function in a relocatable object.
        MAX_STACK_SIZE = 0x23;
        /// Offsets of warp-synchronous instructions.
        COOP_GROUP_INSTR_OFFSETS = 0x28;
        /// Mask registers of warp-synchronous instructions.
        COOP_GROUP_MASK_REGIDS = 0x29;
        /// PTX `wmma` is used.
        WMMA_USED = 0x2b;
        /// Emulated 16-bit compare-and-swap.
        ATOM16_EMUL_INSTR_REG_MAP = 0x2e;
        /// Registers of a function.
        REGCOUNT = 0x2f;
        /// Offsets of instructions executed once per warp.
        INT_WARP_WIDE_INSTR_OFFSETS = 0x31;
        /// Indirect branches and their targets.
        INDIRECT_BRANCH_TARGETS = 0x34;
        /// A work-around mark on sm_80 and sm_86, without payload (no name in cuobjdump).
        SW_WAR_SM80 = 0x35;
        /// Work-arounds applied, a bit mask; 8 on sm_90.
        SW_WAR = 0x36;
        /// 0x82: CUDA 13.0.
        CUDA_API_VERSION = 0x37;
        /// Number of mbarrier objects.
        NUM_MBARRIERS = 0x38;
        /// mbarrier instructions, four words each.
        MBARRIER_INSTR_OFFSETS = 0x39;
        /// `.reqnctapercluster`: three words.
        CTA_PER_CLUSTER = 0x3d;
        /// Cluster dimensions are given at launch or by CTA_PER_CLUSTER.
        EXPLICIT_CLUSTER = 0x3e;
        /// `.maxclusterrank`.
        MAX_CLUSTER_RANK = 0x3f;
        /// Shared memory reserved for the system is used.
        RESERVED_SMEM_USED = 0x41;
        /// Loads with unused bytes.
        UNUSED_LOAD_BYTE_OFFSET = 0x44;
        /// One kernel parameter, in kernels with more than 4,352 bytes of them.
        KPARAM_INFO_V2 = 0x45;
        /// Offsets of calls into the driver.
        SYSCALL_OFFSETS = 0x46;
        /// Named barriers used.
        NUM_BARRIERS = 0x4c;
        /// A sampler that the module declares, by symbol, and its settings.
        SAMPLER_INIT = 0x09;
        /// The bank with words of bound textures: 0.
        BINDLESS_TEXTURE_BANK = 0x15;
        /// The bank with words of bound surfaces: 0.
        BINDLESS_SURFACE_BANK = 0x16;
        /// The module has samplers apart from textures.
        TEXMODE_INDEPENDENT = 0x4d;
        /// 0; on sm_90.
        SPARSE_MMA_MASK = 0x50;
        /// `setmaxnreg` is used.
        REG_RECONFIG = 0x54;
        /// `.blocksareclusters`: the grid is given in clusters.
        BLOCKS_ARE_CLUSTERS = 0x5b;
        /// 0 on sm_8x, 0x0101 on sm_90 (no name in cuobjdump).
        X5F = 0x5f;
    }
}

/// Codes of `.nv.compat` attributes, in the order ptxas 13.0.88 writes them.
pub mod compat {
    codes! {
        /// 1 for architecture-specific targets (`sm_90a`).
        CUDA_ACCELERATOR_TARGET = 0x09;
        /// The class of instructions used; 1 for plain code.
        ISA_CLASS = 0x02;
        /// 5 on sm_90.
        INST_TCGEN05_MMA = 0x05;
        /// 0x0101 on sm_90 (no name in cuobjdump).
        X07 = 0x07;
        /// 0 on sm_90.
        INST_TENSORMAP_V1 = 0x03;
        /// 1.
        ENABLE_OPPORTUNISTIC_FINALIZATION = 0x06;
        /// Two zero words.
        CAN_FASTPATH_FINALIZE = 0x0b;
    }
}

/// Payload shapes of format 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Words,
    SymbolWord,
    Symbols,
    ParamBank,
    Param,
    ParamV2,
}

#[rustfmt::skip]
static ATTRIBUTES: &[(u8, &str, Shape)] = &[
    (0x00, "ERROR", Shape::Words),
    (0x01, "PAD", Shape::Words),
    (0x02, "IMAGE_SLOT", Shape::Words),
    (0x03, "JUMPTABLE_RELOCS", Shape::Words),
    (0x04, "CTAIDZ_USED", Shape::Words),
    (0x05, "MAX_THREADS", Shape::Words),
    (0x06, "IMAGE_OFFSET", Shape::Words),
    (0x07, "IMAGE_SIZE", Shape::Words),
    (0x08, "TEXTURE_NORMALIZED", Shape::Words),
    (0x09, "SAMPLER_INIT", Shape::Words),
    (0x0a, "PARAM_CBANK", Shape::ParamBank),
    (0x0b, "SMEM_PARAM_OFFSETS", Shape::Words),
    (0x0c, "CBANK_PARAM_OFFSETS", Shape::Words),
    (0x0d, "SYNC_STACK", Shape::Words),
    (0x0e, "TEXID_SAMPID_MAP", Shape::Words),
    (0x0f, "EXTERNS", Shape::Symbols),
    (0x10, "REQNTID", Shape::Words),
    (0x11, "FRAME_SIZE", Shape::SymbolWord),
    (0x12, "MIN_STACK_SIZE", Shape::SymbolWord),
    (0x13, "SAMPLER_FORCE_UNNORMALIZED", Shape::Words),
    (0x14, "BINDLESS_IMAGE_OFFSETS", Shape::Words),
    (0x15, "BINDLESS_TEXTURE_BANK", Shape::Words),
    (0x16, "BINDLESS_SURFACE_BANK", Shape::Words),
    (0x17, "KPARAM_INFO", Shape::Param),
    (0x18, "SMEM_PARAM_SIZE", Shape::Words),
    (0x19, "CBANK_PARAM_SIZE", Shape::Words),
    (0x1a, "QUERY_NUMATTRIB", Shape::Words),
    (0x1b, "MAXREG_COUNT", Shape::Words),
    (0x1c, "EXIT_INSTR_OFFSETS", Shape::Words),
    (0x1d, "S2RCTAID_INSTR_OFFSETS", Shape::Words),
    (0x1e, "CRS_STACK_SIZE", Shape::Words),
    (0x1f, "NEED_CNP_WRAPPER", Shape::Words),
    (0x20, "NEED_CNP_PATCH", Shape::Words),
    (0x21, "EXPLICIT_CACHING", Shape::Words),
    (0x22, "ISTYPEP_USED", Shape::Words),
    (0x23, "MAX_STACK_SIZE", Shape::SymbolWord),
    (0x24, "SUQ_USED", Shape::Words),
    (0x25, "LD_CACHEMOD_INSTR_OFFSETS", Shape::Words),
    (0x27, "ATOM_SYS_INSTR_OFFSETS", Shape::Words),
    (0x28, "COOP_GROUP_INSTR_OFFSETS", Shape::Words),
    (0x29, "COOP_GROUP_MASK_REGIDS", Shape::Words),
    (0x2b, "WMMA_USED", Shape::Words),
    (0x2c, "HAS_PRE_V10_OBJECT", Shape::Words),
    (0x2d, "ATOMF16_EMUL_INSTR_OFFSETS", Shape::Words),
    (0x2e, "ATOM16_EMUL_INSTR_REG_MAP", Shape::Words),
    (0x2f, "REGCOUNT", Shape::SymbolWord),
    (0x31, "INT_WARP_WIDE_INSTR_OFFSETS", Shape::Words),
    (0x33, "STATISTICS", Shape::Words),
    (0x34, "INDIRECT_BRANCH_TARGETS", Shape::Words),
    (0x36, "SW_WAR", Shape::Words),
    (0x37, "CUDA_API_VERSION", Shape::Words),
    (0x38, "NUM_MBARRIERS", Shape::Words),
    (0x39, "MBARRIER_INSTR_OFFSETS", Shape::Words),
    (0x3a, "COROUTINE_RESUME_ID_OFFSETS", Shape::Words),
    (0x3c, "PER_REG_TARGET_PERF_STATS", Shape::Words),
    (0x3d, "CTA_PER_CLUSTER", Shape::Words),
    (0x3e, "EXPLICIT_CLUSTER", Shape::Words),
    (0x3f, "MAX_CLUSTER_RANK", Shape::Words),
    (0x40, "INSTR_REG_MAP", Shape::Words),
    (0x41, "RESERVED_SMEM_USED", Shape::Words),
    (0x42, "RESERVED_SMEM_0_SIZE", Shape::Words),
    (0x43, "UCODE_SECTION_DATA", Shape::Words),
    (0x44, "UNUSED_LOAD_BYTE_OFFSET", Shape::Words),
    (0x45, "KPARAM_INFO_V2", Shape::ParamV2),
    (0x46, "SYSCALL_OFFSETS", Shape::Words),
    (0x48, "GRAPHICS_GLOBAL_CBANK", Shape::Words),
    (0x49, "SHADER_TYPE", Shape::Words),
    (0x4a, "VRC_CTA_INIT_COUNT", Shape::Words),
    (0x4b, "TOOLS_PATCH_FUNC", Shape::Words),
    (0x4c, "NUM_BARRIERS", Shape::Words),
    (0x4d, "TEXMODE_INDEPENDENT", Shape::Words),
    (0x4e, "PERF_STATISTICS", Shape::Words),
    (0x4f, "AT_ENTRY_FRAGMENTS", Shape::Words),
    (0x50, "SPARSE_MMA_MASK", Shape::Words),
    (0x51, "TCGEN05_1CTA_USED", Shape::Words),
    (0x52, "TCGEN05_2CTA_USED", Shape::Words),
    (0x53, "GEN_ERRBAR_AT_EXIT", Shape::Words),
    (0x54, "REG_RECONFIG", Shape::Words),
    (0x57, "STACK_CANARY_TRAP_OFFSETS", Shape::Words),
    (0x58, "STUB_FUNCTION_KIND", Shape::Words),
    (0x59, "LOCAL_CTA_ASYNC_STORE_OFFSETS", Shape::Words),
    (0x5b, "BLOCKS_ARE_CLUSTERS", Shape::Words),
    (0x5c, "SANITIZE", Shape::Words),
    (0x5d, "SYSCALLS_FALLBACK", Shape::Words),
    (0x5e, "CUDA_REQ", Shape::Words),
    (0x61, "RTCORE_ENTRY", Shape::Words),
    (0x62, "CLUSTER_LAUNCH_CONTROL_USED", Shape::Words),
    (0x64, "MIN_PER_CTA_MEMORY_SIZE", Shape::Words),
    (0x65, "IGNOREOOB_CP_ASYNC_BULK_INSTR_OFFSETS", Shape::Words),
    (0x66, "LANGUAGE", Shape::Words),
    (0x68, "GRID_ATTRIBUTES", Shape::Words),
    (0x69, "STACK_OFFSET", Shape::Words),
    (0x6a, "RT_LIVESTATE_SASS_MAP", Shape::Words),
    (0x6b, "NVSAL_SW_WAR", Shape::Words),
    (0x6c, "INSTR_OFFSETS", Shape::Words),
    (0x6d, "PREEXIT_USED", Shape::Words),
];

static COMPAT_NAMES: &[(u8, &str)] = &[
    (compat::ISA_CLASS, "ISA_CLASS"),
    (compat::INST_TENSORMAP_V1, "INST_TENSORMAP_V1"),
    (compat::INST_TCGEN05_MMA, "INST_TCGEN05_MMA"),
    (compat::ENABLE_OPPORTUNISTIC_FINALIZATION, "ENABLE_OPPORTUNISTIC_FINALIZATION"),
    (compat::CUDA_ACCELERATOR_TARGET, "CUDA_ACCELERATOR_TARGET"),
    (compat::CAN_FASTPATH_FINALIZE, "CAN_FASTPATH_FINALIZE"),
];

/// The shape of a code's payload; words if the code is not in the table.
pub(super) fn shape(code: u8) -> Shape {
    ATTRIBUTES.iter().find(|a| a.0 == code).map_or(Shape::Words, |a| a.2)
}

/// The name of an `.nv.info` code without `EIATTR_`, `None` if the tools have none.
pub fn name(code: u8) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|a| a.0 == code).map(|a| a.1)
}

/// The name of an `.nv.compat` code without `EICOMPAT_ATTR_`, `None` if the tools have none.
pub fn compat_name(code: u8) -> Option<&'static str> {
    COMPAT_NAMES.iter().find(|a| a.0 == code).map(|a| a.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(ATTRIBUTES.windows(2).all(|w| w[0].0 < w[1].0));
        assert_eq!(
            (name(code::EXTERNS), name(0x35), compat_name(9)),
            (Some("EXTERNS"), None, Some("CUDA_ACCELERATOR_TARGET"))
        );
    }
}
