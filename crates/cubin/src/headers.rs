//! Reads header, section headers and segments of a file, each after checking its extent, and
//! defines the errors of reading.

use std::borrow::Cow;

use crate::elf::{self, EHDR_SIZE, PHDR_SIZE, SHDR_SIZE, SHN_XINDEX, sht, u16_at, u32_at, u64_at};
use crate::info::InfoError;
use crate::model::{Header, Kind, Segment};

/// The reason why a file cannot be read as a cubin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Not ELF, not 64-bit little endian, or not for CUDA.
    #[error("not a cubin: {0}")]
    NotCubin(&'static str),
    /// An extensible whole program, ELF type 0xff00.
    #[error("an extensible whole program (ptxas --extensible-whole-program) is not supported")]
    Extensible,
    /// A table or section extends beyond the end of the file.
    #[error("{what} at {offset:#x} with {size:#x} bytes is outside the file of {len:#x} bytes")]
    Outside {
        /// The table or section.
        what: Cow<'static, str>,
        /// File offset.
        offset: u64,
        /// Size in bytes.
        size: u64,
        /// Size of the file in bytes.
        len: usize,
    },
    /// Sections overlap so much that reading them would take more than twice the file.
    #[error("sections overlap: their sizes add up to more than twice the file")]
    Overlap,
    /// A name that is missing, not terminated or not UTF-8.
    #[error("{what} {index}: bad name")]
    Name {
        /// Section or symbol.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// An index beyond its table.
    #[error("{what} {index}: refers to {target} {value}, which does not exist")]
    Reference {
        /// Section, symbol or relocation.
        what: &'static str,
        /// Its index.
        index: usize,
        /// The kind of its referent.
        target: &'static str,
        /// The invalid index.
        value: u32,
    },
    /// A table whose size is not a multiple of its entry size.
    #[error("section {name}: {size} bytes are not a multiple of the entry size")]
    Ragged {
        /// Section name.
        name: String,
        /// Its size.
        size: u64,
    },
    /// Two symbol tables.
    #[error("section {0}: second symbol table")]
    SecondSymtab(String),
    /// Attributes that cannot be read.
    #[error("section {section}: {error}")]
    Info {
        /// Section name.
        section: String,
        /// The error.
        error: InfoError,
    },
}

/// A section header whose contents have not been read.
pub(crate) struct RawSection {
    pub name: u32,
    pub kind: u32,
    pub flags: u64,
    pub address: u64,
    pub offset: u64,
    pub size: u64,
    pub link: u32,
    pub info: u32,
    pub align: u64,
    pub entry_size: u64,
}

pub(crate) type Headers = (Header, Vec<RawSection>, Vec<Segment>);

pub(crate) fn headers(file: &[u8]) -> Result<Headers, ReadError> {
    if file.len() < EHDR_SIZE || file[..4] != *b"\x7fELF" {
        return Err(ReadError::NotCubin("no ELF header"));
    }
    if file[4] != 2 || file[5] != 1 {
        return Err(ReadError::NotCubin("not 64-bit little endian"));
    }
    let half = |at| u16_at(file, at).unwrap_or(0);
    let word = |at| u32_at(file, at).unwrap_or(0);
    let long = |at| u64_at(file, at).unwrap_or(0);
    if half(18) != elf::EM_CUDA {
        return Err(ReadError::NotCubin("not for CUDA devices"));
    }
    let kind = match half(16) {
        1 => Kind::Relocatable,
        2 => Kind::Executable,
        // Written by `ptxas --extensible-whole-program` (ptxas 13.0.88 output).
        0xff00 => return Err(ReadError::Extensible),
        _ => return Err(ReadError::NotCubin("neither relocatable nor executable")),
    };
    let mut header = Header {
        kind,
        os_abi: file[7],
        abi_version: file[8],
        version: word(20),
        flags: word(48),
        entry: long(24),
        program_headers: long(32),
        program_header_size: half(54),
        section_headers: long(40),
        shstrtab: half(62).into(),
    };
    let mut count = u64::from(half(60));
    if header.section_headers == 0 {
        return Err(ReadError::NotCubin("no section headers"));
    }
    if (count != 0 && half(58) as usize != SHDR_SIZE) || (half(56) != 0 && half(54) as usize != PHDR_SIZE) {
        return Err(ReadError::NotCubin("unknown header sizes"));
    }
    // If there are more sections than fit in 16 bits, the null section has the numbers.
    let first = extent(file, header.section_headers, SHDR_SIZE as u64, "section headers".into())?;
    if count == 0 {
        count = u64_at(first, 32).unwrap_or(0);
    }
    if half(62) == SHN_XINDEX {
        header.shstrtab = u32_at(first, 40).unwrap_or(0);
    }
    let table_size = count.saturating_mul(SHDR_SIZE as u64);
    let table = extent(file, header.section_headers, table_size, "section headers".into())?;
    let sections = table.chunks_exact(SHDR_SIZE).map(raw_section).collect();
    let size = u64::from(half(56)) * PHDR_SIZE as u64;
    let table = extent(file, header.program_headers, size, "program headers".into())?;
    Ok((header, sections, table.chunks_exact(PHDR_SIZE).map(segment).collect()))
}

fn raw_section(b: &[u8]) -> RawSection {
    let word = |at| u32_at(b, at).unwrap_or(0);
    let long = |at| u64_at(b, at).unwrap_or(0);
    RawSection {
        name: word(0),
        kind: word(4),
        flags: long(8),
        address: long(16),
        offset: long(24),
        size: long(32),
        link: word(40),
        info: word(44),
        align: long(48),
        entry_size: long(56),
    }
}

fn segment(b: &[u8]) -> Segment {
    let word = |at| u32_at(b, at).unwrap_or(0);
    let long = |at| u64_at(b, at).unwrap_or(0);
    Segment {
        kind: word(0),
        flags: word(4),
        offset: long(8),
        address: long(16),
        physical: long(24),
        file_size: long(32),
        memory_size: long(40),
        align: long(48),
    }
}

fn extent<'a>(file: &'a [u8], offset: u64, size: u64, what: Cow<'static, str>) -> Result<&'a [u8], ReadError> {
    let range = usize::try_from(offset).ok().zip(offset.checked_add(size).and_then(|e| usize::try_from(e).ok()));
    range.and_then(|(start, end)| file.get(start..end)).ok_or(ReadError::Outside {
        what,
        offset,
        size,
        len: file.len(),
    })
}

/// The contents of a section in the file.
pub(crate) fn contents<'a>(file: &'a [u8], r: &RawSection, what: Cow<'static, str>) -> Result<&'a [u8], ReadError> {
    match r.kind {
        sht::NULL | sht::NOBITS => Ok(&[]),
        // In relocatable objects of ptxas these sections have a size but no bytes.
        sht::CUDA_GLOBAL | sht::CUDA_SHARED | CUDA_LOCAL => Ok(&[]),
        CUDA_SHARED_RESERVED if r.flags & FOR_FINALIZER == 0 => Ok(&[]),
        _ => extent(file, r.offset, r.size, what),
    }
}

/// `.nv.local`, between `.nv.global` and shared memory in the numbering.
pub(crate) const CUDA_LOCAL: u32 = 0x7000_0009;

/// `.nv.shared.reserved.0`: shared memory reserved for the system. It has no bytes, except in its
/// form for the finalizer (ptxas 13.0.88 output for sm_110).
pub(crate) const CUDA_SHARED_RESERVED: u32 = 0x7000_0015;

/// `sh_flags`: a section for the finalizer.
pub(crate) const FOR_FINALIZER: u64 = 0x1000_0000;

pub(crate) fn check_references(r: &RawSection, index: usize, count: usize) -> Result<(), ReadError> {
    let is_table = matches!(r.kind, sht::SYMTAB | sht::REL | sht::RELA);
    let info_is_section = matches!(r.kind, sht::REL | sht::RELA);
    let bad = |value: u32| ReadError::Reference { what: "section", index, target: "section", value };
    if is_table && r.link as usize >= count {
        return Err(bad(r.link));
    }
    if info_is_section && r.info as usize >= count {
        return Err(bad(r.info));
    }
    Ok(())
}
