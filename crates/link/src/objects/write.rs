//! Writes the output in chunks that are made in parallel and written at their offsets.
//!
//! The file is cut into chunks of about 100 KB at the borders of sections' parts. A chunk is built
//! in its own buffer: parts of inputs are copied, relocations filled in, and those that are kept
//! written. So the link needs the inputs, its tables and one chunk per thread, but never the whole
//! output in memory.

use std::io;

use raddle_cubin::SegmentStyle;
use raddle_cubin::elf::{EHDR_SIZE, SHDR_SIZE, SHN_LORESERVE, SHN_XINDEX, align_up, sht};
use raddle_cubin::model::{Header, Kind, Reloc, Segment};
use raddle_cubin::write::{Shape, file_header, segment_bytes, segments};
use raddle_entity::{Executor, map};

use super::output_sections::{Content, Out, Part};
use super::relocs::{Context, Outcome, clear, fill};
use super::tables::{Strings, Symbols};

/// The destination of an output: parts are written in any order, from any thread.
pub trait Sink: Sync {
    /// Writes `bytes` at `offset` of the file.
    ///
    /// # Errors
    /// The I/O error of the destination.
    fn put(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;
}

/// The least size of a chunk: each thread has one, and 512 small objects are to be linked in 16
/// MiB.
const CHUNK: u64 = 96 << 10;

/// Parts from this size are separate chunks: written directly from the input, if nothing is filled
/// in.
const LARGE: u64 = 1 << 16;

/// An item in the file.
#[derive(Clone, Copy, Debug)]
enum Item {
    /// The bytes of a generated section.
    Made(u32),
    /// A part of a section.
    Part(u32, u32),
    /// Section headers, program headers.
    Headers,
    Segments,
}

/// A file with its layout.
#[derive(Debug)]
pub(crate) struct File {
    header: Header,
    segments: Vec<Segment>,
    names: Vec<u8>,
    name_places: Vec<u32>,
    /// Items with offset and size, ascending.
    items: Vec<(u64, u64, Item)>,
    pub size: u64,
}

/// Assigns every section its offset in the file.
pub(crate) fn lay_out(list: &mut [Out<'_>], shstrtab: u32, flags: u32, kind: Kind) -> File {
    let mut names = Strings::new();
    let name_places: Vec<u32> = list.iter().map(|s| names.place(&s.name)).collect();
    let names = std::mem::take(&mut names.bytes);
    let mut at = EHDR_SIZE as u64;
    let pieces = |s: &Out<'_>| match &s.content {
        Content::Parts(parts, _) | Content::Relocations(parts, _) => parts.len(),
        _ => 1,
    };
    let mut items = Vec::with_capacity(2 + list.iter().map(pieces).sum::<usize>());
    for (number, s) in list.iter_mut().enumerate().skip(1) {
        let number = number as u32;
        at = align_up(at, s.align).unwrap_or(at);
        s.offset = at;
        let size = if number == shstrtab { names.len() as u64 } else { s.size() };
        match &s.content {
            Content::Made(_) => items.push((at, size, Item::Made(number))),
            Content::Parts(parts, _) | Content::Relocations(parts, _) => {
                let mut place = at;
                for (index, part) in parts.iter().enumerate() {
                    let offset = if matches!(s.content, Content::Parts(..)) { at + part.base } else { place };
                    place = offset + part.size;
                    items.push((offset, part.size, Item::Part(number, index as u32)));
                }
            }
            Content::Null | Content::Reserve(_) => {}
        }
        if !s.is_reserve() {
            at += size;
        }
    }
    let headers = align_up(at, 8).unwrap_or(at);
    let end = headers + (list.len() * SHDR_SIZE) as u64;
    let shapes =
        list.iter().map(|s| Shape { flags: s.flags, offset: s.offset, size: s.size(), reserve: s.is_reserve() });
    // Relocatable output has no program headers.
    let (program_headers, segments) = match kind {
        Kind::Executable => (end, segments(shapes, end, SegmentStyle::AMPERE)),
        Kind::Relocatable => (0, Vec::new()),
    };
    let segments_size = segment_bytes(&segments).len() as u64;
    items.push((headers, end - headers, Item::Headers));
    items.push((end, segments_size, Item::Segments));
    let header = Header {
        kind,
        os_abi: 0x41,
        abi_version: 8,
        version: 1,
        flags,
        entry: 0,
        program_headers,
        program_header_size: raddle_cubin::elf::PHDR_SIZE as u16,
        section_headers: headers,
        shstrtab,
    };
    File { header, segments, names, name_places, items, size: end + segments_size }
}

impl File {
    /// The items of each chunk.
    fn chunks(&self) -> Vec<std::ops::Range<usize>> {
        let mut out: Vec<std::ops::Range<usize>> = Vec::new();
        let mut start = 0;
        for index in 0..self.items.len() {
            let next_is_large = self.items.get(index + 1).is_none_or(|next| next.1 >= LARGE);
            let (first, last) = (self.items[start], self.items[index]);
            if last.0 + last.1 - first.0 >= CHUNK || last.1 >= LARGE || next_is_large {
                out.push(start..index + 1);
                start = index + 1;
            }
        }
        out
    }

    /// Builds a chunk: its offset in the file and its bytes.
    fn chunk(&self, items: std::ops::Range<usize>, context: Context<'_, '_>, symbols: &Symbols<'_>) -> (u64, Vec<u8>) {
        let items = &self.items[items];
        let first = items.first().map_or(0, |i| i.0);
        let end = items.last().map_or(first, |i| i.0 + i.1);
        let mut bytes = vec![0; (end - first) as usize];
        for &(offset, size, item) in items {
            let start = (offset - first) as usize;
            self.item(item, &mut bytes[start..start + size as usize], context, symbols);
        }
        (first, bytes)
    }

    fn head(&self, context: Context<'_, '_>) -> [u8; EHDR_SIZE] {
        file_header(&self.header, self.segments.len(), context.sections.list.len())
    }

    /// Writes the whole file.
    pub fn write(
        &self,
        context: Context<'_, '_>,
        symbols: &Symbols<'_>,
        sink: &dyn Sink,
        executor: &dyn Executor,
    ) -> io::Result<()> {
        sink.put(0, &self.head(context))?;
        let chunks = self.chunks();
        let done = map(chunks.len(), executor, |i| {
            if let &[(offset, _, Item::Part(number, index))] = &self.items[chunks[i].clone()]
                && let Content::Parts(parts, _) = &context.sections.list[number as usize].content
                && is_untouched(context, parts[index as usize])
            {
                return sink.put(offset, source(context, parts[index as usize]));
            }
            let (offset, bytes) = self.chunk(chunks[i].clone(), context, symbols);
            sink.put(offset, &bytes)
        });
        done.into_iter().collect()
    }

    /// Returns the whole file in memory.
    pub fn bytes(&self, context: Context<'_, '_>, symbols: &Symbols<'_>, executor: &dyn Executor) -> Vec<u8> {
        let chunks = self.chunks();
        let mut out = self.head(context).to_vec();
        for (offset, bytes) in map(chunks.len(), executor, |i| self.chunk(chunks[i].clone(), context, symbols)) {
            out.resize(offset as usize, 0);
            out.extend(bytes);
        }
        out
    }

    fn item(&self, item: Item, into: &mut [u8], context: Context<'_, '_>, symbols: &Symbols<'_>) {
        let list = &context.sections.list;
        match item {
            Item::Headers => self.headers(list, into),
            Item::Segments => into.copy_from_slice(&segment_bytes(&self.segments)),
            Item::Made(number) if number == self.header.shstrtab => into.copy_from_slice(&self.names),
            Item::Made(number) => {
                if let Content::Made(bytes) = &list[number as usize].content {
                    into.copy_from_slice(bytes);
                }
            }
            Item::Part(number, index) => match &list[number as usize].content {
                Content::Parts(parts, _) => copy(context, parts[index as usize], into),
                Content::Relocations(parts, _) => {
                    let with_addends = list[number as usize].kind == sht::RELA;
                    relocations(context, symbols, parts[index as usize], with_addends, into);
                }
                _ => {}
            },
        }
    }

    fn headers(&self, list: &[Out<'_>], into: &mut [u8]) {
        let many = list.len() >= usize::from(SHN_LORESERVE);
        for ((number, s), out) in list.iter().enumerate().zip(into.chunks_exact_mut(SHDR_SIZE)) {
            let (mut size, mut link) = (s.size(), s.link);
            if number as u32 == self.header.shstrtab {
                size = self.names.len() as u64;
            }
            if number == 0 && many {
                (size, link) = (list.len() as u64, self.header.shstrtab);
            }
            let mut at = 0;
            let mut put = |bytes: &[u8]| {
                out[at..at + bytes.len()].copy_from_slice(bytes);
                at += bytes.len();
            };
            put(&self.name_places[number].to_le_bytes());
            put(&s.kind.to_le_bytes());
            for v in [s.flags, 0, s.offset, size] {
                put(&v.to_le_bytes());
            }
            put(&link.to_le_bytes());
            put(&s.info.to_le_bytes());
            put(&s.align.to_le_bytes());
            put(&s.entry_size.to_le_bytes());
        }
        debug_assert!(many || self.header.shstrtab < u32::from(SHN_XINDEX), "the section count fits 16 bits");
    }
}

/// The bytes of a part in its input.
fn source<'a>(context: Context<'_, 'a>, part: Part) -> &'a [u8] {
    context.program.objects[part.object as usize].raw.sections[part.section as usize].bytes
}

/// Whether a part is the same in the output as in its input.
fn is_untouched(context: Context<'_, '_>, part: Part) -> bool {
    let this = &context.program.objects[part.object as usize];
    let mut all = this.relocations_of(part.section).flat_map(|section| this.raw.relocations(section));
    all.all(|r| matches!(context.outcome(part.object, part.section, &r), Ok(Outcome::Keep(..) | Outcome::Drop)))
}

/// Copies a part and fills in known values.
fn copy(context: Context<'_, '_>, part: Part, into: &mut [u8]) {
    let this = &context.program.objects[part.object as usize];
    into.copy_from_slice(source(context, part));
    for section in this.relocations_of(part.section) {
        for r in this.raw.relocations(section) {
            // All errors were found when relocations were counted.
            let _ = match context.outcome(part.object, part.section, &r) {
                Ok(Outcome::Fill(value, bank)) => fill(into, &r, value, bank),
                Ok(Outcome::Clear) => clear(into, &r),
                _ => Ok(()),
            };
        }
    }
}

/// Writes the relocations of a part that are kept, in ascending order.
fn relocations(context: Context<'_, '_>, symbols: &Symbols<'_>, part: Part, with_addends: bool, into: &mut [u8]) {
    let this = &context.program.objects[part.object as usize];
    let target = this.raw.sections[part.section as usize].info;
    let mut kept: Vec<(u64, u32, u32, i64)> = Vec::with_capacity(into.len() / 16);
    for r in this.raw.relocations(part.section) {
        if let Ok(Outcome::Keep(number, to, addend)) = context.outcome(part.object, target, &r) {
            kept.push((r.offset.wrapping_add(part.base), number, symbols.number(to).unwrap_or(0), addend));
        }
    }
    kept.sort_unstable();
    let entry = if with_addends { 24 } else { 16 };
    for (&(offset, number, symbol, addend), out) in kept.iter().zip(into.chunks_exact_mut(entry)) {
        out[..8].copy_from_slice(&offset.to_le_bytes());
        out[8..12].copy_from_slice(&number.to_le_bytes());
        out[12..16].copy_from_slice(&symbol.to_le_bytes());
        if let Some(place) = out.get_mut(16..24) {
            place.copy_from_slice(&addend.to_le_bytes());
        }
    }
}

/// Whether a relocation's field is inside its section.
pub(crate) fn fits(r: &Reloc, size: usize) -> bool {
    let width = raddle_cubin::reloc::RelocType::by_number(r.number).map_or(0, |t| u64::from(t.width));
    r.offset.checked_add(width).is_some_and(|end| end <= size as u64)
}
