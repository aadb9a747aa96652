//! `.nv.info` and `.nv.compat` attributes: typed values, read and written.
//!
//! An attribute is four bytes of format, code and a 16-bit half, and with format 4 that many bytes of payload behind it,
//! padded to four. The shape of a payload depends on the code only; the table names every code `cuobjdump -elf` 13.4.92
//! has a name for, and the shapes are those seen in ptxas 13.0.88 output. A code without a name, and a payload that does
//! not have its code's shape, are kept by number and as words or bytes: reading loses nothing and writing gives the same
//! bytes back.

use crate::elf::{u16_at, u32_at};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => { $($(#[$doc])* pub const $name: u8 = $value;)* };
}

/// Codes of attributes this crate makes or interprets, named as cuobjdump names them (`EIATTR_` left out).
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
        /// Bytes of stack a kernel needs at least.
        MIN_STACK_SIZE = 0x12;
        /// One kernel parameter.
        KPARAM_INFO = 0x17;
        /// Bytes of all parameters.
        CBANK_PARAM_SIZE = 0x19;
        /// Register ceiling; 255.
        MAXREG_COUNT = 0x1b;
        /// Offsets of `EXIT`.
        EXIT_INSTR_OFFSETS = 0x1c;
        /// Offsets of reads of `%ctaid`.
        S2RCTAID_INSTR_OFFSETS = 0x1d;
        /// 0; there when the kernel has convergence barriers.
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
        /// The system's own bytes of shared memory are used.
        RESERVED_SMEM_USED = 0x41;
        /// Loads some of whose bytes nobody uses.
        UNUSED_LOAD_BYTE_OFFSET = 0x44;
        /// One kernel parameter, in kernels with more than 4,352 bytes of them.
        KPARAM_INFO_V2 = 0x45;
        /// Offsets of calls into the driver.
        SYSCALL_OFFSETS = 0x46;
        /// Named barriers used.
        NUM_BARRIERS = 0x4c;
        /// 0; on sm_90.
        SPARSE_MMA_MASK = 0x50;
        /// `setmaxnreg` is used.
        REG_RECONFIG = 0x54;
        /// 0 on sm_8x, 0x0101 on sm_90 (no name in cuobjdump).
        X5F = 0x5f;
    }
}

/// Codes of `.nv.compat` attributes, in the order ptxas 13.0.88 writes them.
pub mod compat {
    codes! {
        /// 1 for architecture-specific targets (`sm_90a`).
        CUDA_ACCELERATOR_TARGET = 0x09;
        /// Which instructions are used; 1 for plain code.
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
enum Shape {
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

/// The name of an `.nv.info` code without `EIATTR_`, `None` when the tools have none.
pub fn name(code: u8) -> Option<&'static str> {
    ATTRIBUTES.iter().find(|a| a.0 == code).map(|a| a.1)
}

/// The name of an `.nv.compat` code without `EICOMPAT_ATTR_`, `None` when the tools have none.
pub fn compat_name(code: u8) -> Option<&'static str> {
    COMPAT_NAMES.iter().find(|a| a.0 == code).map(|a| a.1)
}

/// One attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Which fact (see [`code`] and [`compat`]).
    pub code: u8,
    /// The fact.
    pub value: Value,
}

/// An attribute's value. Symbols are indices into the file's symbol table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Format 1: the mark itself; the unused half.
    Mark(u16),
    /// Format 2: a byte; and the unused byte behind it.
    Byte(u8, u8),
    /// Format 3: 16 bits.
    Half(u16),
    /// Format 4: words.
    Words(Vec<u32>),
    /// Format 4: symbol and word.
    SymbolWord {
        /// Symbol index.
        symbol: u32,
        /// The word.
        value: u32,
    },
    /// Format 4: symbols.
    Symbols(Vec<u32>),
    /// Format 4: where the parameters are.
    ParamBank {
        /// Symbol of the `.nv.constant0` section.
        symbol: u32,
        /// First byte.
        offset: u16,
        /// Bytes.
        size: u16,
    },
    /// Format 4: one parameter.
    Param(ParamInfo),
    /// Format 4: one parameter of a kernel with many bytes of them. Its `bank` is not in the file and 0 here.
    ParamV2(ParamInfo),
    /// Format 4 payload whose size is not a multiple of four, or too short for its code's shape.
    Bytes(Vec<u8>),
}

/// KPARAM_INFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Always 0.
    pub index: u32,
    /// Position in the parameter list.
    pub ordinal: u16,
    /// Byte offset from the first parameter.
    pub offset: u16,
    /// Binary logarithm of the alignment of what a pointer points to, 0 unknown.
    pub log_align: u8,
    /// State space of what a pointer points to, 4 bits: 0 not said.
    pub space: u8,
    /// 0x1f: parameters are in a constant bank.
    pub bank: u8,
    /// The bit above `bank`.
    pub high: bool,
    /// Bytes, 14 bits.
    pub size: u16,
}

impl ParamInfo {
    /// A parameter as ptxas 13.0.88 describes it when no `.ptr` attribute is given.
    pub fn new(ordinal: u16, offset: u16, size: u16) -> Self {
        Self { index: 0, ordinal, offset, log_align: 0, space: 0, bank: 0x1f, high: false, size }
    }

    fn from_words(index: u32, place: u32, bits: u32) -> Self {
        Self {
            index,
            ordinal: place as u16,
            offset: (place >> 16) as u16,
            log_align: bits as u8,
            space: (bits >> 8 & 0xf) as u8,
            bank: (bits >> 12 & 0x1f) as u8,
            high: bits >> 17 & 1 != 0,
            size: (bits >> 18) as u16,
        }
    }

    fn words(self) -> [u32; 3] {
        let bits = u32::from(self.log_align)
            | u32::from(self.space & 0xf) << 8
            | u32::from(self.bank & 0x1f) << 12
            | u32::from(self.high) << 17
            | u32::from(self.size) << 18;
        [self.index, u32::from(self.ordinal) | u32::from(self.offset) << 16, bits]
    }
}

impl ParamInfo {
    /// Words of the second version: the size has 16 bits; alignment and space are behind it.
    fn from_words_v2(index: u32, place: u32, bits: u32) -> Self {
        Self {
            index,
            ordinal: place as u16,
            offset: (place >> 16) as u16,
            log_align: (bits >> 16) as u8,
            space: (bits >> 24) as u8,
            bank: 0,
            high: false,
            size: bits as u16,
        }
    }

    fn words_v2(self) -> [u32; 3] {
        let bits = u32::from(self.size) | u32::from(self.log_align) << 16 | u32::from(self.space) << 24;
        [self.index, u32::from(self.ordinal) | u32::from(self.offset) << 16, bits]
    }
}

/// Why attributes could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InfoError {
    /// The section ends inside an attribute.
    #[error("attribute at {offset:#x} is cut off")]
    Truncated {
        /// Byte offset of the attribute.
        offset: usize,
    },
    /// Not one of the four formats.
    #[error("attribute at {offset:#x} has unknown format {format}")]
    Format {
        /// Byte offset of the attribute.
        offset: usize,
        /// The format byte.
        format: u8,
    },
}

/// Reads all attributes of a section.
pub fn read(bytes: &[u8]) -> Result<Vec<Attribute>, InfoError> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let truncated = InfoError::Truncated { offset: at };
        let (Some(&format), Some(&code), Some(half)) = (bytes.get(at), bytes.get(at + 1), u16_at(bytes, at + 2)) else {
            return Err(truncated);
        };
        let mut next = at + 4;
        let value = match format {
            1 => Value::Mark(half),
            2 => Value::Byte(half as u8, (half >> 8) as u8),
            3 => Value::Half(half),
            4 => {
                let payload = bytes.get(next..next + usize::from(half)).ok_or(truncated)?;
                // Payloads are padded to words; the last one of a section may go without.
                next = (next + usize::from(half).next_multiple_of(4)).min(bytes.len());
                payload_value(code, payload)
            }
            _ => return Err(InfoError::Format { offset: at, format }),
        };
        out.push(Attribute { code, value });
        at = next;
    }
    Ok(out)
}

fn payload_value(code: u8, payload: &[u8]) -> Value {
    if !payload.len().is_multiple_of(4) {
        return Value::Bytes(payload.to_vec());
    }
    let words: Vec<u32> = (0..payload.len() / 4).filter_map(|i| u32_at(payload, 4 * i)).collect();
    let shape = ATTRIBUTES.iter().find(|a| a.0 == code).map_or(Shape::Words, |a| a.2);
    match (shape, &words[..]) {
        (Shape::SymbolWord, &[symbol, value]) => Value::SymbolWord { symbol, value },
        (Shape::Symbols, _) => Value::Symbols(words),
        (Shape::ParamBank, &[symbol, place]) => {
            Value::ParamBank { symbol, offset: place as u16, size: (place >> 16) as u16 }
        }
        (Shape::Param, &[index, place, bits]) => Value::Param(ParamInfo::from_words(index, place, bits)),
        (Shape::ParamV2, &[index, place, bits]) => Value::ParamV2(ParamInfo::from_words_v2(index, place, bits)),
        (Shape::Words, _) => Value::Words(words),
        _ => Value::Bytes(payload.to_vec()),
    }
}

/// The bytes of a section holding `attributes`.
pub fn write(attributes: &[Attribute]) -> Vec<u8> {
    let mut out = Vec::with_capacity(attributes.len() * 12);
    for a in attributes {
        let head = |out: &mut Vec<u8>, format: u8, half: [u8; 2]| out.extend([format, a.code, half[0], half[1]]);
        let words = |out: &mut Vec<u8>, words: &[u32]| {
            head(out, 4, ((words.len() * 4) as u16).to_le_bytes());
            out.extend(words.iter().flat_map(|w| w.to_le_bytes()));
        };
        match &a.value {
            Value::Mark(h) => head(&mut out, 1, h.to_le_bytes()),
            Value::Byte(b, pad) => head(&mut out, 2, [*b, *pad]),
            Value::Half(h) => head(&mut out, 3, h.to_le_bytes()),
            Value::Words(w) | Value::Symbols(w) => words(&mut out, w),
            Value::SymbolWord { symbol, value } => words(&mut out, &[*symbol, *value]),
            Value::ParamBank { symbol, offset, size } => {
                words(&mut out, &[*symbol, u32::from(*offset) | u32::from(*size) << 16]);
            }
            Value::Param(p) => words(&mut out, &p.words()),
            Value::ParamV2(p) => words(&mut out, &p.words_v2()),
            Value::Bytes(b) => {
                head(&mut out, 4, (b.len() as u16).to_le_bytes());
                out.extend(b);
                out.resize(out.len().next_multiple_of(4), 0);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_ptxas_wrote_and_writes_it_back() {
        // .nv.info.k of an sm_80 kernel with an indirect branch (ptxas 13.0.88 output).
        let bytes: Vec<u8> = [
            &[0x04, 0x37, 4, 0, 0x82, 0, 0, 0, 0x01, 0x35, 0, 0][..],
            &[0x04, 0x0a, 8, 0, 8, 0, 0, 0, 0x60, 0x01, 0x08, 0],
            &[0x03, 0x19, 8, 0, 0x04, 0x17, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xf0, 0x21, 0],
            &[0x02, 0x4c, 1, 0, 0x04, 0x1c, 4, 0, 0xb0, 1, 0, 0],
        ]
        .concat();
        let attributes = read(&bytes).unwrap();
        assert_eq!(
            attributes.iter().map(|a| &a.value).collect::<Vec<_>>(),
            [
                &Value::Words(vec![0x82]),
                &Value::Mark(0),
                &Value::ParamBank { symbol: 8, offset: 0x160, size: 8 },
                &Value::Half(8),
                &Value::Param(ParamInfo::new(0, 0, 8)),
                &Value::Byte(1, 0),
                &Value::Words(vec![0x1b0]),
            ]
        );
        assert_eq!(write(&attributes), bytes);
    }

    #[test]
    fn odd_payloads_survive() {
        let bytes = [4, 0x17, 3, 0, 1, 2, 3, 0, 4, 0xee, 4, 0, 9, 0, 0, 0];
        let attributes = read(&bytes).unwrap();
        assert_eq!(attributes[0].value, Value::Bytes(vec![1, 2, 3]));
        assert_eq!(attributes[1].value, Value::Words(vec![9]));
        assert_eq!(write(&attributes), bytes);
    }

    #[test]
    fn cut_off_and_unknown_formats_are_errors() {
        assert_eq!(read(&[4, 0x1c, 8, 0, 1, 0, 0, 0]), Err(InfoError::Truncated { offset: 0 }));
        assert_eq!(read(&[1, 0x35, 0, 0, 4]), Err(InfoError::Truncated { offset: 4 }));
        assert_eq!(read(&[9, 0, 0, 0]), Err(InfoError::Format { offset: 0, format: 9 }));
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(ATTRIBUTES.windows(2).all(|w| w[0].0 < w[1].0));
        assert_eq!(
            (name(code::EXTERNS), name(0x35), compat_name(9)),
            (Some("EXTERNS"), None, Some("CUDA_ACCELERATOR_TARGET"))
        );
    }
}
