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
mod kind;
mod source;
mod unwind;
mod verify;

pub use entry::{Entry, Param};
pub use kind::RelocKind;
pub use source::{DebugPlaces, LineRow, Lines, Local, RegisterRange, SourceFile, SourcePlace};
pub use unwind::{FrameRule, FrameStep};
pub use verify::UnitError;

use std::collections::BTreeMap;

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
