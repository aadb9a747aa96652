//! `UnitObject`: the output of code generation for one unit, and the only input that executables
//! are linked from (decision D5).
//!
//! Problem: kernels are compiled concurrently and independently, yet they share device globals,
//! constants and callees in one executable. So a unit returns its code with *symbolic* references
//! and *typed* facts; `link::finalize` alone lays out memory, applies relocations and writes the
//! file, also for a single kernel.
//!
//! Strategy: a unit owns a small symbol table ([`Symbols`]); functions and data objects refer to it
//! by [`SymbolId`]. Resource facts (registers, barriers, frame, parameters, instruction marks) are
//! plain values; the writer decides which `.nv.info` attribute they become on which architecture.
//! Relocations specify a kind ([`RelocKind`]); its ELF number is in a table per architecture
//! (`crate::reloc`).
//!
//! Invariants: every `SymbolId` of a unit indexes its own `symbols`; relocation offsets are inside
//! the bytes they patch; code length is a multiple of 16; nothing depends on the order of symbols.
//! [`UnitObject::verify`] checks them.

mod entry;
mod source;
mod unwind;
mod verify;

pub use entry::{Entry, Param};
pub use source::{DebugPlaces, LineRow, Lines, Local, RegisterRange, SourceFile, SourcePlace};
pub use unwind::{FrameRule, FrameStep};
pub use verify::UnitError;

use std::collections::BTreeMap;

use crate::elf::st;
use crate::info::Attribute;

/// Index of a name in [`UnitObject::symbols`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub u32);

/// The names that a unit defines or refers to, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    names: Vec<Box<str>>,
    index: BTreeMap<Box<str>, SymbolId>,
}

impl Symbols {
    /// The id of `name`, which is appended if it is new.
    pub fn intern(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.index.get(name) {
            return id;
        }
        let id = SymbolId(self.names.len() as u32);
        self.names.push(name.into());
        self.index.insert(name.into(), id);
        id
    }

    /// The id of `name` if the unit has it.
    pub fn find(&self, name: &str) -> Option<SymbolId> {
        self.index.get(name).copied()
    }

    /// The name of `id`, `None` if the id belongs to another unit.
    pub fn name(&self, id: SymbolId) -> Option<&str> {
        self.names.get(id.0 as usize).map(|n| &**n)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Everything that a compilation unit contributes to an executable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitObject {
    /// Number of the PTX module that the unit comes from, in input order. `Linkage::Module` names
    /// of one module are the same object; those of different modules never are.
    pub module: u32,
    /// Names used below.
    pub symbols: Symbols,
    /// Kernels and device functions, in source order.
    pub functions: Vec<Function>,
    /// Variables that the unit defines or, with [`Definition::Extern`], only declares.
    pub data: Vec<DataObject>,
    /// Types of functions that the unit defines or refers to, in the notation of relocatable
    /// objects: `#`, the result or `v`, the parameters; `b`, `h`, `i`, `l` for 8 to 64 bits of
    /// integers, `f`, `d` for floats, `b` and a number for that many bytes; empty for a kernel
    /// ("ptxas 13.0.88 output").
    pub types: Vec<(SymbolId, String)>,
}

/// The visibility and merging of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Linkage {
    /// This unit alone: a variable declared in a function body, a private copy of a callee.
    Unit,
    /// Every unit of the same module: PTX names without `.visible`, `.weak`, `.common`, `.extern`.
    /// Several units may have the same definition (each kernel's closure has one); it is laid out
    /// once.
    #[default]
    Module,
    /// `.visible` in PTX: a global symbol.
    Visible,
    /// `.weak`: one of the definitions is chosen, a visible one first.
    Weak,
    /// `.common`: the largest definition is chosen (PTX ISA 9.0, 11.6.4).
    Common,
}

/// The code of a function and all facts about it for the object file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The symbol it defines.
    pub name: SymbolId,
    /// Its linkage. Kernels of an executable are always global.
    pub linkage: Linkage,
    /// Facts about a kernel; `None` for a device function with its own text section.
    pub entry: Option<Entry>,
    /// Instruction words, little endian, 16 bytes each, without the trailing self-branch and
    /// padding that the writer adds, unless `padded` is set.
    pub code: Vec<u8>,
    /// Whether `code` already ends with a self-branch and NOPs up to a multiple of 128 bytes.
    pub padded: bool,
    /// Fields of `code` for the linker to fill in.
    pub relocations: Vec<Relocation>,
    /// Named ranges inside `code`: private copies of callees (`$k$helper`) and slow paths
    /// (`$k$__internal_0_$__cuda_sm20_div_u64`), as ptxas names them; reached by relative calls.
    pub parts: Vec<Part>,
    /// Register count (REGCOUNT), 0..=255: that of the highest general register that is named, plus
    /// one, plus two that instructions cannot name. That of a kernel is at least that of every function copied after it: the linker takes the maximum.
    pub registers: u16,
    /// Named barriers used: highest index + 1, 0..=16.
    pub barriers: u8,
    /// Bytes of local memory the function's own frame takes below R1 at entry (local variables and
    /// spill slots).
    pub frame_size: u32,
    /// Stack size with all callees, in bytes, if the code generator knows better than the sum over
    /// the call graph; `None` lets the linker compute it.
    pub stack_size: Option<u32>,
    /// Bytes stored to and loaded from spill slots (static count, as `ptxas -v` prints them).
    pub spill_bytes: (u32, u32),
    /// Compiler-made constants of this function (bank 2: jump tables, literals), addressed with
    /// `c[2][..]` from offset 0.
    pub constants: ConstantPool,
    /// Shared memory laid out by the code generator itself, from offset 0 of the kernel's shared
    /// memory (the target's window base, 0x400 on sm_90, is *not* included). Shared [`DataObject`]s
    /// referred to by relocations come after it.
    pub shared: SharedArea,
    /// Functions called, each once, in any order: call graph edges in addition to those of
    /// relocations.
    pub callees: Vec<SymbolId>,
    /// Types of functions with indirect calls, as texts ([`UnitObject::types`]).
    pub indirect: Vec<String>,
    /// Aliases of the function, with the same linkage (`.alias`).
    pub aliases: Vec<SymbolId>,
    /// Instructions that the driver needs to know.
    pub marks: InstructionMarks,
    /// Source lines of instructions; `None` without line information.
    pub lines: Option<Lines>,
    /// Places of the names inside the function, for debug sections of the module.
    pub debug: Option<DebugPlaces>,
    /// How a device function changes its frame, in order; `None` if that is not known.
    pub unwind: Option<Vec<FrameStep>>,
}

impl Function {
    /// A function with default facts: no registers, no frame, no marks.
    pub fn new(name: SymbolId, linkage: Linkage, entry: Option<Entry>, code: Vec<u8>) -> Self {
        Self {
            name,
            linkage,
            entry,
            code,
            padded: false,
            relocations: Vec::new(),
            parts: Vec::new(),
            registers: 0,
            barriers: 0,
            frame_size: 0,
            stack_size: None,
            spill_bytes: (0, 0),
            constants: ConstantPool::default(),
            shared: SharedArea::default(),
            callees: Vec::new(),
            indirect: Vec::new(),
            aliases: Vec::new(),
            marks: InstructionMarks::default(),
            lines: None,
            debug: None,
            unwind: None,
        }
    }
}

/// A named range inside a function's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Symbol name, private to the unit.
    pub name: SymbolId,
    /// First byte within the function's code.
    pub offset: u32,
    /// Length in bytes.
    pub size: u32,
    /// Bytes of its own frame.
    pub frame_size: u32,
}

/// Compiler-made constants of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstantPool {
    /// Initial bytes.
    pub bytes: Vec<u8>,
    /// Power of two; 0 means 4.
    pub align: u32,
    /// Addresses inside, e.g. jump-table entries.
    pub relocations: Vec<Relocation>,
}

/// Shared memory placed by the code generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedArea {
    /// Bytes.
    pub size: u32,
    /// Power of two; 0 means 1.
    pub align: u32,
    /// Whether dynamic shared memory after it is used, by code that knows the offset (the size
    /// rounded up to the alignment of the variable).
    pub dynamic: bool,
}

/// Byte offsets, within the function's code, of instructions that the driver or tools look for;
/// each list is sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstructionMarks {
    /// Every `EXIT` (EXIT_INSTR_OFFSETS).
    pub exits: Vec<u32>,
    /// Warp-synchronous instructions: `SHFL`, `VOTE`, `MATCH`, `REDUX`, `WARPSYNC` and barriers
    /// made of them (COOP_GROUP_INSTR_OFFSETS and COOP_GROUP_MASK_REGIDS).
    pub coop_group: Vec<CoopGroup>,
    /// Instructions whose effect is per warp (INT_WARP_WIDE_INSTR_OFFSETS: leader-elected atomics,
    /// `VOTE`).
    pub warp_wide: Vec<u32>,
    /// `S2R`/`S2UR` of `SR_CTAID.*` (S2RCTAID_INSTR_OFFSETS).
    pub s2r_ctaid: Vec<u32>,
    /// `%ctaid.z` is read (CTAIDZ_USED on sm_8x).
    pub ctaid_z: bool,
    /// Calls into the driver's functions `vprintf`, `malloc`, `free`, `__assertfail`
    /// (SYSCALL_OFFSETS).
    pub syscalls: Vec<u32>,
    /// Indirect branches with the offset of each and its possible targets.
    pub indirect_branches: Vec<IndirectBranch>,
    /// mbarrier instructions: offset and the attribute's other three words
    /// (MBARRIER_INSTR_OFFSETS).
    pub mbarriers: Vec<[u32; 4]>,
    /// Number of mbarrier objects, 0xffff if unknown (NUM_MBARRIERS); written if `mbarriers` is not
    /// empty.
    pub mbarrier_count: u16,
    /// Loads with unused bytes: offset and byte mask (UNUSED_LOAD_BYTE_OFFSET, from `.pragma
    /// "used_bytes_mask"`).
    pub unused_load_bytes: Vec<[u32; 2]>,
    /// Value of SPARSE_MMA_MASK: 16 with `mma.sp` (ptxas 13.0.88 output for sm_90), else 0.
    pub sparse_mma: u16,
    /// Shared memory reserved for the system is used (RESERVED_SMEM_USED).
    pub reserved_shared: bool,
    /// `WMMA`/`HMMA` by PTX `wmma` (WMMA_USED).
    pub uses_wmma: bool,
    /// Uses convergence barriers (`BSSY`), for CRS_STACK_SIZE.
    pub uses_convergence: bool,
    /// `setmaxnreg` is used (REG_RECONFIG).
    pub reg_reconfig: bool,
    /// 16-bit compare-and-swap emulation (ATOM16_EMUL_INSTR_REG_MAP): offset and registers word.
    pub atom16: Vec<[u32; 2]>,
    /// The class of instructions that a device must support: 1 (or 0) plain code, 2 textures and
    /// tensor maps, 4 wgmma and f64 mma; the module's class is the highest (EICOMPAT ISA_CLASS in
    /// ptxas 13.0.88 output for sm_90).
    pub isa_class: u8,
    /// Bit 0: tensor maps are used; bit 1: `tensormap.replace` is (EICOMPAT INST_TENSORMAP_V1).
    pub tensormap: u8,
    /// Whether the module has samplers apart from textures (TEXMODE_INDEPENDENT).
    pub samplers: bool,
    /// The kernel reads the cluster's or the grid's launch-completion state (`griddepcontrol`).
    pub grid_dependency: bool,
    /// Attributes of an imported kernel without a field above: written unchanged.
    pub opaque: Vec<Attribute>,
}

/// A warp-synchronous instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoopGroup {
    /// Byte offset.
    pub offset: u32,
    /// `u32::MAX` if the member mask is not in a register; else the register's number with 0x05 in
    /// the top byte (ptxas 13.0.88 output).
    pub mask: u32,
}

/// A `BRX`/`JMX` and its possible targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndirectBranch {
    /// Offset of the branch.
    pub offset: u32,
    /// Offsets of its targets.
    pub targets: Vec<u32>,
}

/// The memory of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// `.global`: `.nv.global` or, with initial bytes, `.nv.global.init`.
    Global,
    /// `.const`: constant bank 3, one per module.
    Const,
    /// `.shared`: laid out per kernel that refers to it.
    Shared,
}

/// The contents of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Initial bytes (global and constant space only).
    Bytes(Vec<u8>),
    /// This many zero bytes; in shared memory, bytes without a defined value.
    Zero(u64),
    /// Defined elsewhere; the size as declared, 0 if unspecified. Shared memory without a size is
    /// dynamic, and starts after the static variables.
    Extern(u64),
}

impl Definition {
    /// Size in bytes, 0 if defined elsewhere.
    pub fn size(&self) -> u64 {
        match self {
            Self::Bytes(b) => b.len() as u64,
            Self::Zero(n) => *n,
            Self::Extern(_) => 0,
        }
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataObject {
    /// The symbol it defines or declares.
    pub name: SymbolId,
    /// Memory.
    pub space: Space,
    /// Its linkage.
    pub linkage: Linkage,
    /// Contents or size.
    pub definition: Definition,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// Addresses in the initial bytes.
    pub relocations: Vec<Relocation>,
    /// Memory shared by host and device, managed by the driver (`.attribute(.managed)`).
    pub managed: bool,
}

/// A field to be filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Byte offset within the code, constant pool or initial data. For an instruction field: of the
    /// instruction, a multiple of 16.
    pub offset: u32,
    /// The value and its field.
    pub kind: RelocKind,
    /// The symbol whose address or slot is used.
    pub symbol: SymbolId,
    /// Added to the value.
    pub addend: i64,
}

/// The value of a relocation and its field. Positions are bit offsets in the 128-bit instruction
/// word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RelocKind {
    /// Data: the 64-bit address of a global or function (R_CUDA_64).
    Abs64,
    /// Data: the 64-bit *generic* address (R_CUDA_G64), the value of PTX `generic(x)` and plain `x`
    /// in a `.u64` initialiser.
    Generic64,
    /// Data: byte 0 of the address (R_CUDA_8_0), as PTX `0xFF(x)`.
    AbsByte0,
    /// Byte 1, as `0xFF00(x)`; the others follow.
    AbsByte1,
    /// Byte 2.
    AbsByte2,
    /// Byte 3.
    AbsByte3,
    /// Byte 4.
    AbsByte4,
    /// Byte 5.
    AbsByte5,
    /// Byte 6.
    AbsByte6,
    /// Byte 7.
    AbsByte7,
    /// Data: byte 0 of the generic address (R_CUDA_G8_0), as PTX `0xFF(generic(x))`.
    GenericByte0,
    /// Byte 1; the others follow.
    GenericByte1,
    /// Byte 2.
    GenericByte2,
    /// Byte 3.
    GenericByte3,
    /// Byte 4.
    GenericByte4,
    /// Byte 5.
    GenericByte5,
    /// Byte 6.
    GenericByte6,
    /// Byte 7.
    GenericByte7,
    /// Instruction: lower half of the address into the 32-bit immediate, bits 32-63
    /// (R_CUDA_ABS32_LO_32). The driver fills it in at load time for globals.
    Abs32Lo,
    /// Instruction: upper half of the address into the 32-bit immediate (R_CUDA_ABS32_HI_32).
    Abs32Hi,
    /// Instruction: the symbol's address through constant bank 4. The linker gives the symbol an
    /// 8-byte slot there that the driver fills, and puts the slot's offset + addend (0 low word, 4
    /// high word) into the constant-offset field of a `c[0x4][..]` operand. This is how ptxas
    /// addresses globals in executables on every architecture.
    AddressSlot,
    /// Instruction: the same slot offset + addend into the 32-bit immediate (for `MOV R, slot;
    /// LDC.64 R, c[0x4][R]`).
    AddressSlotImm,
    /// Instruction: offset of a `.const` variable + addend in bank 3 into the constant-offset field
    /// of a `c[0x3][..]` operand.
    ConstOffset,
    /// Instruction: the same offset into the 32-bit immediate (R_CUDA_ABS16_32: the lower 16 bits
    /// are written).
    ConstOffsetImm,
    /// Instruction: shared-window address of a shared variable + addend into the 32-bit immediate
    /// (R_CUDA_ABS32_32). Includes the target's window base.
    SharedImm,
    /// Instruction: the same into the 24-bit address offset, bits 40-63 (R_CUDA_ABS24_40).
    SharedOffset,
    /// Instruction: relative call or branch to a function in the same text section or another one;
    /// the distance from the next instruction into the branch's offset field.
    CallRel,
    /// Instruction: absolute call, target address into the branch's field (R_CUDA_ABS47_34, on
    /// sm_90 R_CUDA_ABS55_16_34).
    CallAbs,
    /// Instruction: offset of the function's constant pool in bank 2, plus addend, into the
    /// constant-offset field of a `c[0x2][..]` operand (R_CUDA_CONST_FIELD21_38); the symbol is the
    /// function's. Only in objects: in executables the pool is at the start of the bank.
    PoolOffset,
    /// Instruction: offset in constant bank 0 of the word of a bound texture, into the
    /// constant-offset field of a `c[0x0][..]` operand. The linker gives each texture a word behind
    /// the kernel's parameters, which the driver fills in (R_CUDA_TEX_HEADER_INDEX).
    TextureWord,
    /// The same of a sampler (R_CUDA_SAMP_HEADER_INDEX_0).
    SamplerWord,
    /// The same of a surface (R_CUDA_SURF_HEADER_INDEX).
    SurfaceWord,
    /// Instruction of sm_8x: the index in bank 0 of the word of a bound texture, in words, into bits
    /// 40-53 (R_CUDA_BINDLESSOFF14_40). Only code of ptxas has it.
    TextureIndex,
    /// The same of a surface.
    SurfaceIndex,
    /// Instruction: a size that the driver knows into the 32-bit immediate (R_CUDA_ABS32_32): that of a
    /// row in one of its tables.
    RowSize,
    /// Data: low 32 bits of the code offset of a label within the function itself (jump tables):
    /// the value is the addend.
    CodeOffset32,
}

impl RelocKind {
    /// The bytes of an address in data, from the lowest on.
    pub const ABS_BYTES: [RelocKind; 8] = [
        RelocKind::AbsByte0,
        RelocKind::AbsByte1,
        RelocKind::AbsByte2,
        RelocKind::AbsByte3,
        RelocKind::AbsByte4,
        RelocKind::AbsByte5,
        RelocKind::AbsByte6,
        RelocKind::AbsByte7,
    ];
    /// The bytes of a generic address in data, from the lowest on.
    pub const GENERIC_BYTES: [RelocKind; 8] = [
        RelocKind::GenericByte0,
        RelocKind::GenericByte1,
        RelocKind::GenericByte2,
        RelocKind::GenericByte3,
        RelocKind::GenericByte4,
        RelocKind::GenericByte5,
        RelocKind::GenericByte6,
        RelocKind::GenericByte7,
    ];

    /// The number of the byte of an address that is stored in data, and whether the address is a
    /// generic one; `None` for other kinds.
    pub fn byte(self) -> Option<(u32, bool)> {
        let within = |bytes: &[RelocKind]| (0..).zip(bytes).find(|(_, kind)| **kind == self).map(|(n, _)| n);
        let abs = within(&RelocKind::ABS_BYTES).map(|n| (n, false));
        abs.or_else(|| within(&RelocKind::GENERIC_BYTES).map(|n| (n, true)))
    }

    /// Whether an address, or a byte of one, is stored in data.
    pub fn is_address_in_data(self) -> bool {
        matches!(self, RelocKind::Abs64 | RelocKind::Generic64) || self.byte().is_some()
    }

    /// Returns the ELF type of the symbol of a bound texture, sampler or surface, and the number of
    /// the relocation of its word; `None` for other kinds.
    pub fn bound(self) -> Option<(u8, u32)> {
        match self {
            RelocKind::TextureWord | RelocKind::TextureIndex => Some((st::CUDA_TEXTURE, 6)),
            RelocKind::SamplerWord => Some((st::CUDA_SAMPLER, 101)),
            RelocKind::SurfaceWord | RelocKind::SurfaceIndex => Some((st::CUDA_SURFACE, 52)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_interned_once() {
        let mut s = Symbols::default();
        let a = s.intern("a");
        assert_eq!(s.intern("b"), SymbolId(1));
        assert_eq!(s.intern("a"), a);
        assert_eq!((s.len(), s.name(SymbolId(1)), s.name(SymbolId(2))), (2, Some("b"), None));
    }
}
