//! Reads the fatbin format.
//!
//! | offset | fatbin header | | offset | member header |
//! |---|---|---|---|---|
//! | 0 | magic 0xba55ed50 | | 0 | kind, version 0x101 (2 bytes each) |
//! | 4 | version 1, header bytes (2 each) | | 4 | header bytes |
//! | 8 | bytes after the header (8) | | 8 | stored bytes with padding (8) |
//! | | | | 16 | compressed bytes, offset of the options' header |
//! | | | | 24 | minor, major version (2 each); 28: SM number |
//! | | | | 32 | offset and length of the name |
//! | | | | 40 | flags (8); 56: decompressed bytes (8) |

use crate::{FatbinError, Kind, Member, Packing, flag};

/// First word of a fatbin.
pub(crate) const MAGIC: u32 = 0xba55_ed50;
/// Bytes of a fatbin's header.
pub(crate) const HEADER: usize = 16;
/// Bytes of a member's header, without options and name.
pub(crate) const MEMBER: usize = 64;

fn bytes<const N: usize>(data: &[u8], at: usize) -> Result<[u8; N], FatbinError> {
    let found = data.get(at..).and_then(|d| d.first_chunk::<N>());
    found.copied().ok_or(FatbinError::Truncated(at as u64))
}

fn half(data: &[u8], at: usize) -> Result<u16, FatbinError> {
    bytes(data, at).map(u16::from_le_bytes)
}

fn word(data: &[u8], at: usize) -> Result<u32, FatbinError> {
    bytes(data, at).map(u32::from_le_bytes)
}

fn long(data: &[u8], at: usize) -> Result<u64, FatbinError> {
    bytes(data, at).map(u64::from_le_bytes)
}

/// Reads the members of all fatbins in `data`, concatenated with zero bytes between them.
///
/// # Errors
/// [`FatbinError`] with the offset.
pub fn parse(data: &[u8]) -> Result<Vec<Member<'_>>, FatbinError> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < data.len() {
        if data[at] == 0 {
            at += 1;
            continue;
        }
        if word(data, at)? != MAGIC {
            return Err(FatbinError::Unknown);
        }
        let version = half(data, at + 4)?;
        if version != 1 {
            return Err(FatbinError::Version(at as u64, version));
        }
        let cut = || FatbinError::Truncated(at as u64);
        let start = at + usize::from(half(data, at + 6)?).max(HEADER);
        let length = usize::try_from(long(data, at + 8)?).map_err(|_| cut())?;
        let end = start.checked_add(length).filter(|&e| e <= data.len()).ok_or_else(cut)?;
        members(data, start, end, &mut out)?;
        at = end;
    }
    Ok(out)
}

fn members<'a>(data: &'a [u8], start: usize, end: usize, out: &mut Vec<Member<'a>>) -> Result<(), FatbinError> {
    let mut at = start;
    let all = &data[..end];
    while at < end {
        let cut = || FatbinError::Truncated(at as u64);
        let header = word(all, at + 4)? as usize;
        if header < MEMBER {
            return Err(cut());
        }
        let stored = usize::try_from(long(all, at + 8)?).map_err(|_| cut())?;
        let body = at.checked_add(header).filter(|&b| b <= end).ok_or_else(cut)?;
        let next = body.checked_add(stored).filter(|&n| n <= end).ok_or_else(cut)?;
        let head = &all[at..body];
        let compressed = word(head, 16)? as usize;
        let flags = long(head, 40)?;
        let packing = match flags {
            f if f & flag::ZSTD != 0 => Packing::Zstd,
            f if f & flag::LZ4 != 0 => Packing::Lz4,
            _ => Packing::Plain,
        };
        let text = |place: usize, length: usize| {
            let range = place..place.checked_add(length)?;
            std::str::from_utf8(head.get(range).filter(|t| !t.is_empty())?).ok().map(|t| t.trim_end_matches('\0'))
        };
        let name = text(word(head, 32)? as usize, word(head, 36)? as usize);
        let options = match word(head, 20)? as usize {
            0 => None,
            // It is a section of the cubin.
            _ if flags & flag::COMPAT != 0 => None,
            place => match (word(head, place), word(head, place.saturating_add(4))) {
                (Ok(at), Ok(length)) => text(at as usize, length as usize),
                _ => None,
            },
        };
        let used = if packing == Packing::Plain { stored } else { compressed };
        out.push(Member {
            kind: Kind::of(half(head, 0)?),
            sm: word(head, 28)?,
            suffix: "",
            version: (half(head, 26)?, half(head, 24)?),
            flags,
            packing,
            name,
            options,
            stored: all.get(body..body.saturating_add(used)).filter(|_| used <= stored).ok_or_else(cut)?,
            entry: all.get(at..next),
            size: if packing == Packing::Plain { stored as u64 } else { long(head, 56)? },
        });
        at = next;
    }
    Ok(())
}
