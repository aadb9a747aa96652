//! Writes a [`Cubin`] as bytes.
//!
//! There are two steps. [`Cubin::lay_out`] adds what a file needs beyond its contents, as ptxas
//! 13.0.88 does: string tables, file offsets in section order, section headers after the last
//! section, program headers after those, one loadable segment per run of sections with equal
//! permissions. [`Cubin::write`] writes every part at the place in the model and adds nothing, so
//! that a model that was read gives the same bytes.

use std::borrow::Cow;

use raddle_entity::{Executor, FxHashMap, FxHashSet, Serial, map};

use crate::assemble::{Misplaced, Part, assemble};
use crate::elf::{
    EHDR_SIZE, EM_CUDA, PHDR_SIZE, SHDR_SIZE, SHN_LORESERVE, SHN_XINDEX, SYM_SIZE, align_up, pt, shf, sht,
};
use crate::info;
use crate::model::{Cubin, Header, Kind, Payload, Section, Segment, SymbolPlace};

/// The mapping of an executable's sections to segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentStyle {
    /// Whether the segment with the program headers precedes the others (sm_90) or follows them
    /// (sm_8x).
    pub headers_first: bool,
    /// Whether constant banks share a segment with code (sm_8x) or have their own (sm_90).
    pub constants_with_code: bool,
}

impl SegmentStyle {
    /// sm_80 to sm_89 and the old container (ptxas 13.0.88 output).
    pub const AMPERE: Self = Self { headers_first: false, constants_with_code: true };
    /// sm_90 (ptxas 13.0.88 output).
    pub const HOPPER: Self = Self { headers_first: true, constants_with_code: false };
}

/// The reason why a model cannot be written: it is inconsistent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A name that is not in the string table.
    #[error("{0:?} is not in its string table")]
    MissingName(String),
    /// Two parts of the file overlap, or a part is beyond the largest file size.
    #[error("{0} does not fit where the model puts it")]
    Placement(String),
    /// There is no string table where the header or the symbol table points.
    #[error("section {0} is not a string table")]
    NoStrings(u32),
}

impl Cubin {
    /// Makes string tables, offsets, and for executables program headers, from the contents.
    ///
    /// Expects the sections `.shstrtab` and `.strtab` (string tables) and `.symtab` (its `link` is
    /// `.strtab`).
    ///
    /// # Errors
    /// [`WriteError::NoStrings`] without string tables, [`WriteError::Placement`] for sizes beyond
    /// 64 bits.
    pub fn lay_out(&mut self, style: SegmentStyle) -> Result<(), WriteError> {
        self.lay_out_behind(&[], style)
    }

    /// The same with texts at the start of the symbols' string table: from offset 1 on, each
    /// NUL-terminated.
    ///
    /// # Errors
    /// As [`Cubin::lay_out`].
    pub fn lay_out_behind(&mut self, texts: &[String], style: SegmentStyle) -> Result<(), WriteError> {
        self.add_wide_indices();
        let section_names = table(self.sections.iter().map(|s| &*s.name));
        let symbol_names = table(texts.iter().map(|t| &**t).chain(self.symbols.iter().map(|s| &*s.name)));
        let strtab = self.sections.iter().find(|s| s.kind == sht::SYMTAB).map_or(0, |s| s.link);
        for (index, names) in [(self.header.shstrtab, section_names), (strtab, symbol_names)] {
            let section = self.sections.get_mut(index as usize).filter(|s| s.kind == sht::STRTAB);
            section.ok_or(WriteError::NoStrings(index))?.payload = Payload::Strings(names);
        }
        let mut at = EHDR_SIZE as u64;
        for s in self.sections.iter_mut().skip(1) {
            let size = if s.kind == sht::SYMTAB { (self.symbols.len() * SYM_SIZE) as u64 } else { s.size() };
            at = align_up(at, s.align).ok_or_else(|| WriteError::Placement(s.name.clone()))?;
            s.offset = at;
            if !matches!(s.payload, Payload::Reserve(_)) {
                at = at.checked_add(size).ok_or_else(|| WriteError::Placement(s.name.clone()))?;
            }
        }
        let headers = align_up(at, 8).ok_or_else(|| WriteError::Placement("section headers".into()))?;
        self.header.section_headers = headers;
        self.segments.clear();
        self.header.program_headers = 0;
        if self.header.kind == Kind::Executable {
            self.header.program_header_size = PHDR_SIZE as u16;
            self.header.program_headers = headers + (self.sections.len() * SHDR_SIZE) as u64;
            let shape = |s: &Section| Shape {
                flags: s.flags,
                offset: s.offset,
                size: s.size(),
                reserve: matches!(s.payload, Payload::Reserve(_)),
            };
            self.segments = segments(self.sections.iter().map(shape), self.header.program_headers, style);
        }
        Ok(())
    }

    /// Adds the table of section indices that do not fit in 16 bits, after all other sections.
    fn add_wide_indices(&mut self) {
        let wide = |s: &crate::model::Symbol| match s.place {
            SymbolPlace::Section(i) if i >= u32::from(SHN_LORESERVE) => i,
            _ => 0,
        };
        let payload = Payload::Bytes(self.symbols.iter().flat_map(|s| wide(s).to_le_bytes()).collect());
        if let Some(table) = self.sections.iter_mut().find(|s| s.kind == sht::SYMTAB_SHNDX) {
            table.payload = payload;
            return;
        }
        let symtab = self.sections.iter().position(|s| s.kind == sht::SYMTAB);
        let (Some(symtab), true) = (symtab, self.sections.len() >= usize::from(SHN_LORESERVE)) else { return };
        self.sections.push(Section {
            name: ".symtab_shndx".to_owned(),
            kind: sht::SYMTAB_SHNDX,
            flags: 0,
            address: 0,
            offset: 0,
            link: symtab as u32,
            info: 0,
            align: 4,
            entry_size: 4,
            payload,
        });
    }

    /// Returns the file's bytes. Gaps between parts are zero.
    ///
    /// # Errors
    /// [`WriteError`] if the model is inconsistent; one that was read or laid out is not.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        self.write_on(&Serial)
    }

    /// Like [`Cubin::write`], on the threads of an executor, which does not affect the result.
    ///
    /// # Errors
    /// As [`Cubin::write`].
    pub fn write_on(&self, executor: &dyn Executor) -> Result<Vec<u8>, WriteError> {
        let header = file_header(&self.header, self.segments.len(), self.sections.len());
        let segments = segment_bytes(&self.segments);
        let of_sections = map(self.sections.len(), executor, |n| self.contents(&self.sections[n]));
        let part = |what, offset, data| Part { what, offset, data };
        let mut parts = Vec::with_capacity(self.sections.len() + 3);
        parts.push(part("file header", 0, Cow::Borrowed(&header[..])));
        for (section, contents) in self.sections.iter().zip(of_sections) {
            parts.push(part(&section.name, section.offset, contents?));
        }
        parts.push(part("section headers", self.header.section_headers, self.section_headers()?.into()));
        parts.push(part("program headers", self.header.program_headers, segments.into()));
        assemble(parts, executor).map_err(|Misplaced(part)| WriteError::Placement(part))
    }

    /// The bytes of a section in the file.
    fn contents<'a>(&'a self, s: &'a Section) -> Result<Cow<'a, [u8]>, WriteError> {
        Ok(Cow::Owned(match &s.payload {
            Payload::Null | Payload::Reserve(_) => Vec::new(),
            Payload::Bytes(b) => return Ok(Cow::Borrowed(b)),
            Payload::Strings(strings) => string_bytes(strings),
            Payload::Symbols => self.symbol_bytes(s)?,
            Payload::Attributes(a) => info::write(a),
            Payload::Relocations(relocs) => {
                let mut data = Vec::with_capacity(relocs.len() * 24);
                for r in relocs {
                    data.extend(r.offset.to_le_bytes());
                    data.extend(r.number.to_le_bytes());
                    data.extend(r.symbol.to_le_bytes());
                    if s.kind == sht::RELA {
                        data.extend(r.addend.to_le_bytes());
                    }
                }
                data
            }
            Payload::Pairs(pairs) => pairs.iter().flatten().flat_map(|w| w.to_le_bytes()).collect(),
        }))
    }

    fn section_headers(&self) -> Result<Vec<u8>, WriteError> {
        let names = self.names(self.header.shstrtab)?;
        let many = self.sections.len() >= usize::from(SHN_LORESERVE);
        let mut out = Vec::with_capacity(self.sections.len() * SHDR_SIZE);
        for (i, s) in self.sections.iter().enumerate() {
            let mut size = if s.kind == sht::SYMTAB { (self.symbols.len() * SYM_SIZE) as u64 } else { s.size() };
            let mut link = s.link;
            if i == 0 && many {
                (size, link) = (self.sections.len() as u64, self.header.shstrtab);
            }
            out.extend(offset_of(&names, &s.name)?.to_le_bytes());
            out.extend(s.kind.to_le_bytes());
            for v in [s.flags, s.address, s.offset, size] {
                out.extend(v.to_le_bytes());
            }
            out.extend(link.to_le_bytes());
            out.extend(s.info.to_le_bytes());
            out.extend(s.align.to_le_bytes());
            out.extend(s.entry_size.to_le_bytes());
        }
        Ok(out)
    }

    fn symbol_bytes(&self, symtab: &Section) -> Result<Vec<u8>, WriteError> {
        let names = self.names(symtab.link)?;
        let mut out = Vec::with_capacity(self.symbols.len() * SYM_SIZE);
        for s in &self.symbols {
            let place = match s.place {
                SymbolPlace::Undefined => 0,
                SymbolPlace::Section(i) if i < u32::from(SHN_LORESERVE) => i as u16,
                SymbolPlace::Section(_) => SHN_XINDEX,
                SymbolPlace::Reserved(n) => n,
            };
            out.extend(offset_of(&names, &s.name)?.to_le_bytes());
            out.extend([s.binding << 4 | s.kind & 0xf, s.other]);
            out.extend(place.to_le_bytes());
            out.extend(s.value.to_le_bytes());
            out.extend(s.size.to_le_bytes());
        }
        Ok(out)
    }

    fn names(&self, index: u32) -> Result<FxHashMap<&str, u32>, WriteError> {
        let strings = match self.sections.get(index as usize).map(|s| &s.payload) {
            Some(Payload::Strings(strings)) => strings,
            _ => return Err(WriteError::NoStrings(index)),
        };
        let mut out = FxHashMap::with_capacity_and_hasher(strings.len(), Default::default());
        let mut at = 0u32;
        for s in strings {
            out.entry(&**s).or_insert(at);
            at = at.saturating_add(s.len() as u32 + 1);
        }
        Ok(out)
    }
}

fn offset_of(names: &FxHashMap<&str, u32>, name: &str) -> Result<u32, WriteError> {
    names.get(name).copied().ok_or_else(|| WriteError::MissingName(name.to_owned()))
}

fn string_bytes(strings: &[Box<str>]) -> Vec<u8> {
    strings.iter().flat_map(|s| s.bytes().chain([0])).collect()
}

/// The empty string and every name once, in order of first use.
fn table<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Box<str>> {
    let mut seen = FxHashSet::from_iter([""]);
    let mut out = vec![Box::from("")];
    out.extend(names.filter(|&n| seen.insert(n)).map(Box::<str>::from));
    out
}

/// The file header `h` of a file with these numbers of segments and sections.
pub fn file_header(h: &Header, segments: usize, sections: usize) -> [u8; EHDR_SIZE] {
    let mut out = [0; EHDR_SIZE];
    let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"\x7fELF\x02\x01\x01");
    put(7, &[h.os_abi, h.abi_version]);
    put(16, &(if h.kind == Kind::Relocatable { 1u16 } else { 2 }).to_le_bytes());
    put(18, &EM_CUDA.to_le_bytes());
    put(20, &h.version.to_le_bytes());
    put(24, &h.entry.to_le_bytes());
    put(32, &h.program_headers.to_le_bytes());
    put(40, &h.section_headers.to_le_bytes());
    put(48, &h.flags.to_le_bytes());
    put(52, &(EHDR_SIZE as u16).to_le_bytes());
    put(54, &h.program_header_size.to_le_bytes());
    put(56, &(segments as u16).to_le_bytes());
    put(58, &(SHDR_SIZE as u16).to_le_bytes());
    // Numbers that do not fit in 16 bits are in the null section header.
    let small = |v: usize, escape: u16| if v < usize::from(SHN_LORESERVE) { v as u16 } else { escape };
    put(60, &small(sections, 0).to_le_bytes());
    put(62, &small(h.shstrtab as usize, SHN_XINDEX).to_le_bytes());
    out
}

/// Encodes program headers.
pub fn segment_bytes(segments: &[Segment]) -> Vec<u8> {
    let mut data = Vec::with_capacity(segments.len() * PHDR_SIZE);
    for p in segments {
        data.extend(p.kind.to_le_bytes());
        data.extend(p.flags.to_le_bytes());
        for v in [p.offset, p.address, p.physical, p.file_size, p.memory_size, p.align] {
            data.extend(v.to_le_bytes());
        }
    }
    data
}

/// The facts about a section that determine segments.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// `sh_flags`.
    pub flags: u64,
    /// File offset.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Whether it has no bytes in the file.
    pub reserve: bool,
}

/// The permissions of a section's segment, `None` for sections that are not loaded.
fn rights(s: &Shape, style: SegmentStyle) -> Option<u32> {
    if s.flags & shf::ALLOC == 0 {
        return None;
    }
    Some(if s.flags & shf::WRITE != 0 {
        pt::R | pt::W
    } else if s.flags & shf::EXEC != 0 || style.constants_with_code {
        pt::R | pt::X
    } else {
        pt::R
    })
}

/// The segments of an executable with these sections, in file order.
pub fn segments(sections: impl Iterator<Item = Shape>, headers_offset: u64, style: SegmentStyle) -> Vec<Segment> {
    let mut loads: Vec<Segment> = Vec::new();
    let mut last = None;
    for s in sections {
        let flags = rights(&s, style);
        let Some(flags) = flags else {
            last = None;
            continue;
        };
        if last != Some(flags) {
            let (file_size, memory_size) = (0, 0);
            let kind = pt::LOAD;
            loads.push(Segment {
                kind,
                flags,
                offset: s.offset,
                address: 0,
                physical: 0,
                file_size,
                memory_size,
                align: 8,
            });
        }
        last = Some(flags);
        if let Some(load) = loads.last_mut() {
            if s.reserve {
                load.memory_size = load.memory_size.saturating_add(s.size);
            } else {
                // Padding between sections is included.
                load.file_size = s.offset + s.size - load.offset;
                load.memory_size = load.memory_size.max(load.file_size);
            }
        }
    }
    let flags = if style.headers_first { pt::R } else { pt::R | pt::X };
    let size = ((loads.len() + 2) * PHDR_SIZE) as u64;
    let of = |kind| Segment {
        kind,
        flags,
        offset: headers_offset,
        address: 0,
        physical: 0,
        file_size: size,
        memory_size: size,
        align: 8,
    };
    let mut out = vec![of(pt::PHDR)];
    if style.headers_first {
        out.push(of(pt::LOAD));
        out.extend(loads);
    } else {
        out.extend(loads);
        out.push(of(pt::LOAD));
    }
    out
}
