//! The ELF layer: constants of the format and bounds-checked little-endian access.
//!
//! Sources: the generic ELF-64 specification; machine, section and symbol types of CUDA as
//! `cuobjdump -elf` and `nvdisasm` print them for ptxas 13.0.88 output.

/// `e_machine` of CUDA device code.
pub const EM_CUDA: u16 = 190;
/// Size of the ELF header, in bytes.
pub const EHDR_SIZE: usize = 64;
/// Size of a section header, in bytes.
pub const SHDR_SIZE: usize = 64;
/// Size of a program header, in bytes.
pub const PHDR_SIZE: usize = 56;
/// Size of a symbol, in bytes.
pub const SYM_SIZE: usize = 24;

/// Section types (`sh_type`).
pub mod sht {
    /// Inactive header.
    pub const NULL: u32 = 0;
    /// Bytes of the program.
    pub const PROGBITS: u32 = 1;
    /// Symbol table.
    pub const SYMTAB: u32 = 2;
    /// String table.
    pub const STRTAB: u32 = 3;
    /// Relocations with addends.
    pub const RELA: u32 = 4;
    /// Notes.
    pub const NOTE: u32 = 7;
    /// Memory without bytes in the file.
    pub const NOBITS: u32 = 8;
    /// Relocations whose addend is stored in the field.
    pub const REL: u32 = 9;
    /// Section indices of symbols beyond 0xff00 sections.
    pub const SYMTAB_SHNDX: u32 = 18;
    /// `.nv.info*` attributes.
    pub const CUDA_INFO: u32 = 0x7000_0000;
    /// `.nv.callgraph`: caller and callee symbol pairs.
    pub const CUDA_CALLGRAPH: u32 = 0x7000_0001;
    /// `.nv.prototype`: symbol and string offset pairs.
    pub const CUDA_PROTOTYPE: u32 = 0x7000_0002;
    /// `.nv.global` of relocatable objects.
    pub const CUDA_GLOBAL: u32 = 0x7000_0007;
    /// `.nv.global.init` of relocatable objects.
    pub const CUDA_GLOBAL_INIT: u32 = 0x7000_0008;
    /// Shared memory of relocatable objects.
    pub const CUDA_SHARED: u32 = 0x7000_000a;
    /// `.nv.rel.action`: how to apply relocations newer than the driver.
    pub const CUDA_RELOCINFO: u32 = 0x7000_000b;
    /// `.nv.constant0` of relocatable objects; bank N is this + N.
    pub const CUDA_CONSTANT_B0: u32 = 0x7000_0064;
    /// `.nv.compat` attributes.
    pub const CUDA_COMPAT: u32 = 0x7000_0086;
}

/// Section flags (`sh_flags`).
pub mod shf {
    /// Writable.
    pub const WRITE: u64 = 1;
    /// Occupies memory.
    pub const ALLOC: u64 = 2;
    /// Code.
    pub const EXEC: u64 = 4;
    /// `sh_info` holds a section index.
    pub const INFO_LINK: u64 = 0x40;
    /// Code, in containers before CUDA 13: the number of named barriers, from bit [`BARRIERS_AT`]
    /// on.
    pub const BARRIERS: u64 = 0x7f << BARRIERS_AT;
    /// The lowest bit of [`BARRIERS`].
    pub const BARRIERS_AT: u32 = 20;
    /// The CUDA information note.
    pub const NV_CUINFO: u64 = 0x0100_0000;
    /// The toolkit information note.
    pub const NV_TKINFO: u64 = 0x0200_0000;
}

/// Symbol bindings, types and `st_other` bits.
pub mod st {
    /// Binding: local.
    pub const LOCAL: u8 = 0;
    /// Binding: global.
    pub const GLOBAL: u8 = 1;
    /// Binding: weak.
    pub const WEAK: u8 = 2;
    /// Type: none.
    pub const NOTYPE: u8 = 0;
    /// Type: variable.
    pub const OBJECT: u8 = 1;
    /// Type: function.
    pub const FUNC: u8 = 2;
    /// Type: section.
    pub const SECTION: u8 = 3;
    /// Type: texture without a place.
    pub const CUDA_TEXTURE: u8 = 10;
    /// Type: sampler without a place.
    pub const CUDA_SAMPLER: u8 = 11;
    /// Type: surface without a place.
    pub const CUDA_SURFACE: u8 = 12;
    /// Type: variable of a relocatable object; `st_other` has its space.
    pub const CUDA_OBJECT: u8 = 13;
    /// `st_other`: managed variable, a bit beside the others ("ptxas 13.0.88 output").
    pub const OTHER_MANAGED: u8 = 0x04;
    /// `st_other`: a kernel.
    pub const OTHER_ENTRY: u8 = 0x10;
    /// `st_other`: variable in global memory.
    pub const OTHER_GLOBAL: u8 = 0x20;
    /// `st_other`: variable in shared memory.
    pub const OTHER_SHARED: u8 = 0x40;
    /// `st_other`: variable in a constant bank.
    pub const OTHER_CONSTANT: u8 = 0x80;
    /// `st_other`: alias of the reserved shared memory.
    pub const OTHER_RESERVED_SHARED: u8 = 0xa0;
}

/// Program header types and flags.
pub mod pt {
    /// Loadable.
    pub const LOAD: u32 = 1;
    /// The program headers themselves.
    pub const PHDR: u32 = 6;
    /// Executable.
    pub const X: u32 = 1;
    /// Writable.
    pub const W: u32 = 2;
    /// Readable.
    pub const R: u32 = 4;
}

/// Escape value of 16-bit section indices.
pub const SHN_XINDEX: u16 = 0xffff;
/// First reserved section index.
pub const SHN_LORESERVE: u16 = 0xff00;
/// Common symbols.
pub const SHN_COMMON: u16 = 0xfff2;

/// The 16-bit word at `at`, `None` beyond the end.
pub fn u16_at(b: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(b.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

/// The 32-bit word at `at`, `None` beyond the end.
pub fn u32_at(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(b.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The 64-bit word at `at`, `None` beyond the end.
pub fn u64_at(b: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(b.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

/// The NUL-terminated UTF-8 string at `at`, `None` if it is not terminated or not UTF-8.
pub fn str_at(b: &[u8], at: usize) -> Option<&str> {
    let rest = b.get(at..)?;
    std::str::from_utf8(&rest[..rest.iter().position(|&c| c == 0)?]).ok()
}

/// `value` rounded up to a multiple of `align`, a power of two (0 counts as 1); `None` on overflow.
pub fn align_up(value: u64, align: u64) -> Option<u64> {
    let mask = align.max(1) - 1;
    Some(value.checked_add(mask)? & !mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_beyond_the_end_is_none() {
        let b = [1, 0, 0, 0, b'a', b'b', 0, b'c'];
        assert_eq!((u32_at(&b, 0), u32_at(&b, 5), u32_at(&b, usize::MAX)), (Some(1), None, None));
        assert_eq!((str_at(&b, 4), str_at(&b, 7), str_at(&b, 9)), (Some("ab"), None, None));
        assert_eq!((align_up(5, 8), align_up(5, 0), align_up(u64::MAX, 16)), (Some(8), Some(5), None));
    }
}
