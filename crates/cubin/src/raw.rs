//! A borrowed view of a cubin in memory: headers and names checked, nothing copied.
//!
//! [`Cubin`](crate::Cubin) is a model for inspection and modification; a linker of hundreds of
//! megabytes can afford neither the copies nor the typed payloads. [`Raw::parse`] borrows
//! everything from the file and decodes symbols and relocations on demand. Its guarantees are the
//! same: indices are in range, names are valid, work is linear in the file.

use std::borrow::Cow;

use crate::elf::{self, SHN_XINDEX, SYM_SIZE, sht, st, str_at, u16_at, u32_at, u64_at};
use crate::headers::{self, ReadError};
use crate::model::{Header, Reloc, SymbolPlace};

/// A cubin, borrowed.
#[derive(Clone, Debug)]
pub struct Raw<'a> {
    /// File header.
    pub header: Header,
    /// Sections in file order, the null section first.
    pub sections: Vec<Section<'a>>,
    /// Symbols, the null symbol first.
    pub symbols: Vec<Symbol<'a>>,
    /// The symbols' string table, which also has the prototypes.
    pub strings: &'a [u8],
}

/// A section.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// Name.
    pub name: &'a str,
    /// `sh_type` (see [`crate::elf::sht`]).
    pub kind: u32,
    /// `sh_flags` (see [`crate::elf::shf`]).
    pub flags: u64,
    /// `sh_size`; larger than `bytes` for memory without bytes in the file.
    pub size: u64,
    /// `sh_link`.
    pub link: u32,
    /// `sh_info`.
    pub info: u32,
    /// Alignment in bytes, at least 1.
    pub align: u64,
    /// Contents.
    pub bytes: &'a [u8],
}

/// A symbol.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<'a> {
    /// Name, empty for none.
    pub name: &'a str,
    /// Binding (see [`crate::elf::st`]).
    pub binding: u8,
    /// Type (see [`crate::elf::st`]).
    pub kind: u8,
    /// `st_other`.
    pub other: u8,
    /// The place of its definition.
    pub place: SymbolPlace,
    /// Offset in the section; the alignment of common symbols and shared variables.
    pub value: u64,
    /// Size in bytes.
    pub size: u64,
}

impl<'a> Raw<'a> {
    /// Reads the headers, section names and symbols.
    ///
    /// # Errors
    /// [`ReadError`] names the invalid table, section or symbol.
    pub fn parse(file: &'a [u8]) -> Result<Raw<'a>, ReadError> {
        let (header, raw, _) = headers::headers(file)?;
        let names = raw.get(header.shstrtab as usize).ok_or(ReadError::Reference {
            what: "file header",
            index: 0,
            target: "section",
            value: header.shstrtab,
        })?;
        let names = headers::contents(file, names, "section names".into())?;
        let mut sections = Vec::with_capacity(raw.len());
        let (mut total, mut symtab, mut wide) = (0u64, None, &[][..]);
        for (index, r) in raw.iter().enumerate() {
            let name = str_at(names, r.name as usize).ok_or(ReadError::Name { what: "section", index })?;
            let bytes = headers::contents(file, r, Cow::Borrowed("section contents"))?;
            total = total.saturating_add(bytes.len() as u64);
            if total > 2 * file.len() as u64 {
                return Err(ReadError::Overlap);
            }
            headers::check_references(r, index, raw.len())?;
            if r.kind == sht::SYMTAB && symtab.replace(index).is_some() {
                return Err(ReadError::SecondSymtab(name.to_owned()));
            }
            if r.kind == sht::SYMTAB_SHNDX {
                wide = bytes;
            }
            let entry = match r.kind {
                sht::REL => 16,
                sht::RELA | sht::SYMTAB => SYM_SIZE,
                sht::CUDA_CALLGRAPH | sht::CUDA_PROTOTYPE => 8,
                _ => 1,
            };
            if !bytes.len().is_multiple_of(entry) {
                return Err(ReadError::Ragged { name: name.to_owned(), size: r.size });
            }
            let (kind, flags, size, link, info) = (r.kind, r.flags, r.size, r.link, r.info);
            sections.push(Section { name, kind, flags, size, link, info, align: r.align.max(1), bytes });
        }
        let mut out = Raw { header, sections, symbols: Vec::new(), strings: &[] };
        if let Some(index) = symtab {
            let table = out.sections[index];
            out.strings = out.sections[table.link as usize].bytes;
            out.symbols = symbols(table.bytes, out.strings, wide, out.sections.len())?;
        }
        Ok(out)
    }

    /// The relocations in section `index`, in file order; none if it is not a relocation section.
    /// Symbol numbers are not checked.
    pub fn relocations(&self, index: u32) -> impl ExactSizeIterator<Item = Reloc> + use<'a> {
        let section = self.sections.get(index as usize).filter(|s| matches!(s.kind, sht::REL | sht::RELA));
        let (bytes, entry) = section.map_or((&[][..], 16), |s| (s.bytes, if s.kind == sht::RELA { 24 } else { 16 }));
        bytes.chunks_exact(entry).map(|b| Reloc {
            offset: u64_at(b, 0).unwrap_or(0),
            number: u32_at(b, 8).unwrap_or(0),
            symbol: u32_at(b, 12).unwrap_or(0),
            addend: u64_at(b, 16).unwrap_or(0) as i64,
        })
    }

    /// The pairs of a call graph or prototype section.
    pub fn pairs(&self, index: u32) -> impl Iterator<Item = [u32; 2]> + use<'a> {
        let section = self.sections.get(index as usize);
        let section = section.filter(|s| matches!(s.kind, sht::CUDA_CALLGRAPH | sht::CUDA_PROTOTYPE));
        let bytes = section.map_or(&[][..], |s| s.bytes);
        bytes.chunks_exact(8).map(|b| [u32_at(b, 0).unwrap_or(0), u32_at(b, 4).unwrap_or(0)])
    }

    /// Names of the symbols that it refers to and does not define, and of those that others may refer to.
    pub fn shared(&self) -> impl Iterator<Item = String> {
        let shared = self.symbols.iter().filter(|s| s.binding != st::LOCAL && !s.name.is_empty());
        shared.map(|symbol| symbol.name.to_string())
    }

    /// The string at `offset` in the symbols' string table.
    pub fn string(&self, offset: u32) -> Option<&'a str> {
        str_at(self.strings, offset as usize)
    }
}

fn symbols<'a>(table: &[u8], names: &'a [u8], wide: &[u8], sections: usize) -> Result<Vec<Symbol<'a>>, ReadError> {
    let entries = table.chunks_exact(SYM_SIZE);
    // Collecting into a `Result` would reallocate repeatedly.
    let mut out = Vec::with_capacity(entries.len());
    for (index, entry) in entries.enumerate() {
        out.push(symbol(index, entry, names, wide, sections)?);
    }
    Ok(out)
}

/// Entry `index` of a symbol table; `wide` has the section numbers that do not fit in 16 bits.
pub(crate) fn symbol<'a>(
    index: usize,
    entry: &[u8],
    names: &'a [u8],
    wide: &[u8],
    sections: usize,
) -> Result<Symbol<'a>, ReadError> {
    let name = str_at(names, u32_at(entry, 0).unwrap_or(0) as usize);
    let place = match u16_at(entry, 6).unwrap_or(0) {
        0 => SymbolPlace::Undefined,
        SHN_XINDEX => SymbolPlace::Section(u32_at(wide, 4 * index).unwrap_or(u32::MAX)),
        n if n >= elf::SHN_LORESERVE => SymbolPlace::Reserved(n),
        n => SymbolPlace::Section(n.into()),
    };
    if let SymbolPlace::Section(s) = place
        && s as usize >= sections
    {
        return Err(ReadError::Reference { what: "symbol", index, target: "section", value: s });
    }
    Ok(Symbol {
        name: name.ok_or(ReadError::Name { what: "symbol", index })?,
        binding: entry[4] >> 4,
        kind: entry[4] & 0xf,
        other: entry[5],
        place,
        value: u64_at(entry, 8).unwrap_or(0),
        size: u64_at(entry, 16).unwrap_or(0),
    })
}

/// An undecoded attribute of `.nv.info`, for copying.
#[derive(Clone, Copy, Debug)]
pub struct RawAttribute<'a> {
    /// Format 1 to 4.
    pub format: u8,
    /// Its code.
    pub code: u8,
    /// The whole attribute with its header.
    pub bytes: &'a [u8],
}

impl<'a> RawAttribute<'a> {
    /// The value: the half after the code, or the payload of format 4.
    pub fn value(&self) -> &'a [u8] {
        if self.format == 4 { self.bytes.get(4..).unwrap_or(&[]) } else { self.bytes.get(2..).unwrap_or(&[]) }
    }

    /// Word number `at` of the value.
    pub fn word(&self, at: usize) -> Option<u32> {
        u32_at(self.value(), 4 * at)
    }
}

/// The attributes in a section; a truncated one or one of unknown format ends them with `Err`.
pub fn attributes<'a>(
    bytes: &'a [u8],
) -> impl Iterator<Item = Result<RawAttribute<'a>, crate::info::InfoError>> + use<'a> {
    use crate::info::InfoError;
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|r| !r.is_empty())?;
        let offset = std::mem::replace(&mut at, bytes.len());
        let Some(head) = rest.first_chunk::<4>() else { return Some(Err(InfoError::Truncated { offset })) };
        let size = match head[0] {
            1..=3 => 4,
            4 => 4 + usize::from(u16::from_le_bytes([head[2], head[3]])).next_multiple_of(4),
            format => return Some(Err(InfoError::Format { offset, format })),
        };
        let Some(bytes) = rest.get(..size) else { return Some(Err(InfoError::Truncated { offset })) };
        at = offset + size;
        Some(Ok(RawAttribute { format: head[0], code: head[1], bytes }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_cut_where_their_heads_say() {
        let bytes = [4, 0x1c, 4, 0, 0x20, 2, 0, 0, 3, 0x1b, 0xff, 0, 2, 0x4c, 1, 0];
        let found: Vec<_> = attributes(&bytes).map(|a| a.map(|a| (a.code, a.value().to_vec()))).collect();
        assert_eq!(found, [Ok((0x1c, vec![0x20, 2, 0, 0])), Ok((0x1b, vec![0xff, 0])), Ok((0x4c, vec![1, 0]))]);
        assert!(attributes(&bytes[..6]).next().is_some_and(|a| a.is_err()));
        let unknown: Vec<_> = attributes(&[9, 0, 0, 0, 1, 0, 0, 0]).collect();
        assert!(unknown.len() == 1 && unknown[0].is_err());
    }
}
