//! The model of a cubin: the typed content of a file, with all references by index.
//!
//! Problem: the simulator loads cubins of any compiler, the linker makes new ones, and the tools
//! show and compare them; and a file must be written back byte for byte. So the model is the file's
//! own structure (sections in file order, symbols by index), with every known payload in typed
//! form; kernels, variables and images are *views* of it (`crate::view`, `crate::load`).
//!
//! Invariants after [`Cubin::parse`]: section 0 is the null section, so indices are ELF's; every
//! symbol's section, every relocation's symbol and every `link` and section-valued `info` is in
//! range.

use crate::info::Attribute;

/// A cubin: relocatable or executable device code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cubin {
    /// File header.
    pub header: Header,
    /// Sections in file order, the null section first.
    pub sections: Vec<Section>,
    /// The symbol table, the null symbol first.
    pub symbols: Vec<Symbol>,
    /// Program headers.
    pub segments: Vec<Segment>,
}

/// The purpose of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// ET_REL: input of a linker (`ptxas -c`).
    Relocatable,
    /// ET_EXEC: loaded by the driver.
    Executable,
}

/// The file header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Relocatable or executable.
    pub kind: Kind,
    /// `EI_OSABI`: 0x41 since CUDA 13, 0x33 before.
    pub os_abi: u8,
    /// `EI_ABIVERSION`: 8 since CUDA 13, 7 before; 2 where ptxas does not follow the calling
    /// convention because a function has several results (ptxas 13.0.88 output).
    pub abi_version: u8,
    /// `e_version`: 1 in new containers, the toolkit's number in old ones.
    pub version: u32,
    /// `e_flags`.
    pub flags: u32,
    /// Entry point, 0.
    pub entry: u64,
    /// File offset of the program headers, 0 if there are none.
    pub program_headers: u64,
    /// `e_phentsize`: 56, but 0 in relocatable objects for sm_90.
    pub program_header_size: u16,
    /// File offset of the section headers.
    pub section_headers: u64,
    /// Index of the section with the section names.
    pub shstrtab: u32,
}

impl Header {
    /// SM number of the code: bits 8 to 15 of the flags in new containers, bits 0 to 7 in old ones
    /// (ptxas 13.0.88 and 12 output).
    pub fn sm(&self) -> u16 {
        (if self.is_new() { self.flags >> 8 & 0xff } else { self.flags & 0xff }) as u16
    }

    /// The container of CUDA 13.
    pub fn is_new(&self) -> bool {
        self.os_abi == 0x41
    }

    /// SM number of the PTX: bits 16 to 23 of the flags in old containers, `None` in new ones,
    /// where a note has it (ptxas 12.9.86 and 13.0.88 output).
    pub fn virtual_sm(&self) -> Option<u16> {
        (!self.is_new()).then_some((self.flags >> 16 & 0xff) as u16)
    }

    /// Whether the code is architecture-specific (`sm_90a`), so that later machines may not run it:
    /// bit 11 of the flags in old containers, `None` in new ones, where `.nv.compat` has it (ptxas
    /// 12.9.86 output).
    pub fn is_accelerated(&self) -> Option<bool> {
        (!self.is_new()).then_some(self.flags >> 11 & 1 != 0)
    }
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Name.
    pub name: String,
    /// `sh_type` (see [`crate::elf::sht`]).
    pub kind: u32,
    /// `sh_flags` (see [`crate::elf::shf`]).
    pub flags: u64,
    /// `sh_addr`, 0.
    pub address: u64,
    /// File offset.
    pub offset: u64,
    /// `sh_link`.
    pub link: u32,
    /// `sh_info`.
    pub info: u32,
    /// Alignment in bytes.
    pub align: u64,
    /// Entry size of a table, 0 for others.
    pub entry_size: u64,
    /// Contents.
    pub payload: Payload,
}

/// The contents of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// The null section.
    Null,
    /// Memory of this size, without bytes in the file.
    Reserve(u64),
    /// Code, data, and all content without a typed form below.
    Bytes(Vec<u8>),
    /// Strings, each NUL-terminated in the file.
    Strings(Vec<Box<str>>),
    /// The symbol table: its entries are [`Cubin::symbols`].
    Symbols,
    /// `.nv.info` and `.nv.compat` attributes.
    Attributes(Vec<Attribute>),
    /// Relocations of the section `info`.
    Relocations(Vec<Reloc>),
    /// `.nv.callgraph` and `.nv.prototype`: pairs of words.
    Pairs(Vec<[u32; 2]>),
}

impl Section {
    /// Size in memory or file, in bytes. That of the symbol table is not known here and counts as
    /// 0.
    pub fn size(&self) -> u64 {
        match &self.payload {
            Payload::Null | Payload::Symbols => 0,
            Payload::Reserve(n) => *n,
            Payload::Bytes(b) => b.len() as u64,
            Payload::Strings(s) => s.iter().map(|s| s.len() as u64 + 1).sum(),
            Payload::Attributes(a) => crate::info::size(a),
            Payload::Relocations(r) => r.len() as u64 * if self.kind == crate::elf::sht::RELA { 24 } else { 16 },
            Payload::Pairs(p) => p.len() as u64 * 8,
        }
    }

    /// The raw bytes of code and data, empty for other payloads.
    pub fn bytes(&self) -> &[u8] {
        if let Payload::Bytes(b) = &self.payload { b } else { &[] }
    }
}

/// A relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reloc {
    /// Byte offset in the section it applies to.
    pub offset: u64,
    /// ELF relocation number (see [`crate::reloc`]).
    pub number: u32,
    /// Index into [`Cubin::symbols`].
    pub symbol: u32,
    /// Addend; 0 in REL sections, where ptxas 13.0.88 never stores one in the field.
    pub addend: i64,
}

/// The place of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolPlace {
    /// Not defined in this file.
    Undefined,
    /// In a section.
    Section(u32),
    /// A reserved index: absolute, common.
    Reserved(u16),
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name, empty for none.
    pub name: String,
    /// Binding (see [`crate::elf::st`]).
    pub binding: u8,
    /// Type (see [`crate::elf::st`]).
    pub kind: u8,
    /// `st_other`: visibility and CUDA's bits.
    pub other: u8,
    /// The place of its definition.
    pub place: SymbolPlace,
    /// Offset in the section.
    pub value: u64,
    /// Size in bytes.
    pub size: u64,
}

/// A program header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Type (see [`crate::elf::pt`]).
    pub kind: u32,
    /// Permissions.
    pub flags: u32,
    /// File offset.
    pub offset: u64,
    /// Virtual address, 0.
    pub address: u64,
    /// Physical address, 0.
    pub physical: u64,
    /// Size in the file, in bytes.
    pub file_size: u64,
    /// Size in memory, in bytes.
    pub memory_size: u64,
    /// Alignment.
    pub align: u64,
}

impl Cubin {
    /// Index of the first section named `name`.
    pub fn section_index(&self, name: &str) -> Option<u32> {
        self.sections.iter().position(|s| s.name == name).map(|i| i as u32)
    }

    /// The first section named `name`.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|s| s.name == name)
    }

    /// All relocations that apply to section `index`, in file order.
    pub fn relocations(&self, index: u32) -> impl Iterator<Item = &Reloc> {
        self.sections
            .iter()
            .filter(move |s| s.info == index)
            .filter_map(|s| if let Payload::Relocations(r) = &s.payload { Some(r) } else { None })
            .flatten()
    }
}
