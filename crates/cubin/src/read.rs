//! Reads bytes into a [`Cubin`], with all references checked.
//!
//! Hostile input gives an error, in time and memory linear in the file: a table is read only after
//! its extent is checked, section contents may not overlap to more than twice the file's size, and
//! there is no recursion.

use std::borrow::Cow;

use crate::elf::{SYM_SIZE, sht, str_at, u32_at, u64_at};
use crate::headers::{
    CUDA_LOCAL, CUDA_SHARED_RESERVED, FOR_FINALIZER, RawSection, ReadError, check_references, contents, headers,
};
use crate::info;
use crate::model::{Cubin, Payload, Reloc, Section, Symbol};
use crate::raw;

impl Cubin {
    /// Reads a cubin.
    ///
    /// # Errors
    /// [`ReadError`] names the invalid table, section or symbol.
    pub fn parse(file: &[u8]) -> Result<Cubin, ReadError> {
        let (mut header, raw, segments) = headers(file)?;
        let names = raw.get(header.shstrtab as usize).ok_or(ReadError::Reference {
            what: "file header",
            index: 0,
            target: "section",
            value: header.shstrtab,
        })?;
        let names = contents(file, names, "section names".into())?;
        let mut total = 0u64;
        let mut sections = Vec::with_capacity(raw.len());
        let mut symtab = None;
        for (index, r) in raw.iter().enumerate() {
            let name = str_at(names, r.name as usize).ok_or(ReadError::Name { what: "section", index })?;
            let data = contents(file, r, Cow::Owned(format!("section {name}")))?;
            total = total.saturating_add(data.len() as u64);
            if total > 2 * file.len() as u64 {
                return Err(ReadError::Overlap);
            }
            check_references(r, index, raw.len())?;
            if r.kind == sht::SYMTAB && symtab.replace(index).is_some() {
                return Err(ReadError::SecondSymtab(name.to_owned()));
            }
            sections.push(Section {
                name: name.to_owned(),
                kind: r.kind,
                flags: r.flags,
                address: r.address,
                offset: r.offset,
                link: r.link,
                info: r.info,
                align: r.align,
                entry_size: r.entry_size,
                payload: payload(name, r, data)?,
            });
        }
        let symbols = match symtab {
            Some(index) => symbols(file, &raw, index)?,
            None => Vec::new(),
        };
        for (index, s) in sections.iter().enumerate() {
            if let Payload::Relocations(relocs) = &s.payload
                && let Some(r) = relocs.iter().find(|r| r.symbol as usize >= symbols.len().max(1))
            {
                return Err(ReadError::Reference {
                    what: "relocations in section",
                    index,
                    target: "symbol",
                    value: r.symbol,
                });
            }
        }
        header.shstrtab = header.shstrtab.min(raw.len() as u32);
        Ok(Cubin { header, sections, symbols, segments })
    }
}

fn payload(name: &str, r: &RawSection, data: &[u8]) -> Result<Payload, ReadError> {
    let whole = |entry: usize| {
        if data.len().is_multiple_of(entry) {
            Ok(())
        } else {
            Err(ReadError::Ragged { name: name.to_owned(), size: r.size })
        }
    };
    let word = |b: &[u8], at| u32_at(b, at).unwrap_or(0);
    let long = |b: &[u8], at| u64_at(b, at).unwrap_or(0);
    Ok(match r.kind {
        sht::NULL => Payload::Null,
        sht::NOBITS | sht::CUDA_GLOBAL | sht::CUDA_SHARED | CUDA_LOCAL => Payload::Reserve(r.size),
        CUDA_SHARED_RESERVED if r.flags & FOR_FINALIZER == 0 => Payload::Reserve(r.size),
        sht::SYMTAB => Payload::Symbols,
        sht::STRTAB => strings(data).map_or_else(|| Payload::Bytes(data.to_vec()), Payload::Strings),
        sht::REL => {
            whole(16)?;
            let reloc = |b| Reloc { offset: long(b, 0), number: word(b, 8), symbol: word(b, 12), addend: 0 };
            Payload::Relocations(data.chunks_exact(16).map(reloc).collect())
        }
        sht::RELA => {
            whole(24)?;
            let reloc =
                |b| Reloc { offset: long(b, 0), number: word(b, 8), symbol: word(b, 12), addend: long(b, 16) as i64 };
            Payload::Relocations(data.chunks_exact(24).map(reloc).collect())
        }
        sht::CUDA_INFO | sht::CUDA_COMPAT => {
            Payload::Attributes(info::read(data).map_err(|error| ReadError::Info { section: name.to_owned(), error })?)
        }
        sht::CUDA_CALLGRAPH | sht::CUDA_PROTOTYPE => {
            whole(8)?;
            Payload::Pairs(data.chunks_exact(8).map(|b| [word(b, 0), word(b, 4)]).collect())
        }
        _ => Payload::Bytes(data.to_vec()),
    })
}

/// All strings of a table in order, `None` if it does not end in NUL or is not UTF-8.
fn strings(data: &[u8]) -> Option<Vec<Box<str>>> {
    let text = std::str::from_utf8(data).ok()?;
    let Some(body) = text.strip_suffix('\0') else {
        return text.is_empty().then(Vec::new);
    };
    Some(body.split('\0').map(Into::into).collect())
}

fn symbols(file: &[u8], sections: &[RawSection], index: usize) -> Result<Vec<Symbol>, ReadError> {
    let table = contents(file, &sections[index], "symbol table".into())?;
    if table.len() % SYM_SIZE != 0 {
        return Err(ReadError::Ragged { name: ".symtab".to_owned(), size: table.len() as u64 });
    }
    let names = contents(file, &sections[sections[index].link as usize], "symbol names".into())?;
    let wide = match sections.iter().find(|r| r.kind == sht::SYMTAB_SHNDX) {
        Some(r) => contents(file, r, "symbol section indices".into())?,
        None => &[],
    };
    let entries = table.chunks_exact(SYM_SIZE).enumerate();
    let owned = entries.map(|(i, entry)| {
        let raw::Symbol { name, binding, kind, other, place, value, size } =
            raw::symbol(i, entry, names, wide, sections.len())?;
        Ok(Symbol { name: name.to_owned(), binding, kind, other, place, value, size })
    });
    owned.collect()
}
