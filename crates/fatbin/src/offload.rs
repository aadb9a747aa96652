//! Reads clang's offload packages.
//!
//! | offset | package header | | offset | entry |
//! |---|---|---|---|---|
//! | 0 | magic 10 FF 10 AD, version (4) | | 0 | kind of image, of offloading (2 each), flags (4) |
//! | 8 | size of the package (8) | | 8 | offset and number of its strings (8 each) |
//! | 16 | offset of the entries (8) | | 24 | offset and size of its image (8 each) |
//! | 24 | version 1: size of the entry; 2: number of entries | | | |
//!
//! A string is a pair of offsets, of key and value, and from version 2 on the size of the value.
//! Offsets count from the start of the package (LLVM, `llvm/Object/OffloadBinary.h`; output of
//! clang-offload-packager 19 for version 1).

use crate::bitcode::{is_bitcode, whole};
use crate::read::{self, MAGIC};
use crate::{FatbinError, Kind, Member};

/// The first bytes of an offload package.
pub(crate) const OFFLOAD_MAGIC: [u8; 4] = [0x10, 0xff, 0x10, 0xad];
/// Bytes of a package's header and of an entry.
const HEADER: usize = 32;
const ENTRY: usize = 40;
/// The flag of an entry without an image.
const METADATA: u32 = 1;
/// The image kinds that may contain CUDA code: unspecified, object, bitcode, cubin, fatbin, PTX.
const IMAGE_NONE: u16 = 0;
const IMAGE_OBJECT: u16 = 1;
const IMAGE_BITCODE: u16 = 2;
const IMAGE_CUBIN: u16 = 3;
const IMAGE_FATBIN: u16 = 4;
const IMAGE_PTX: u16 = 5;

fn long(data: &[u8], at: usize) -> Option<usize> {
    let bytes = data.get(at..)?.first_chunk::<8>()?;
    usize::try_from(u64::from_le_bytes(*bytes)).ok()
}

fn word(data: &[u8], at: usize) -> Option<u32> {
    data.get(at..)?.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Collects the members of concatenated packages.
pub(crate) fn packages<'a>(data: &'a [u8], out: &mut Vec<Member<'a>>) -> Result<(), FatbinError> {
    let mut rest = data;
    while !rest.is_empty() {
        if rest[0] == 0 {
            rest = &rest[1..];
            continue;
        }
        if !rest.starts_with(&OFFLOAD_MAGIC) {
            return Err(FatbinError::Unknown);
        }
        let at = (data.len() - rest.len()) as u64;
        let cut = || FatbinError::Truncated(at);
        let version = word(rest, 4).ok_or_else(cut)?;
        let size = long(rest, 8).filter(|&size| size >= HEADER).ok_or_else(cut)?;
        let package = rest.get(..size).ok_or_else(cut)?;
        let count = match version {
            1 => Some(1),
            2 => long(package, 24),
            _ => return Err(FatbinError::PackageVersion(at, version)),
        };
        let bytes = count.and_then(|count| count.checked_mul(ENTRY)).ok_or_else(cut)?;
        let start = long(package, 16).ok_or_else(cut)?;
        let entries = start.checked_add(bytes).and_then(|end| package.get(start..end)).ok_or_else(cut)?;
        // Entries may share an image: each is counted.
        let mut total = 0;
        for entry in entries.chunks_exact(ENTRY) {
            let image = image(package, entry).ok_or_else(cut)?;
            total += image.len();
            if total > package.len() {
                return Err(FatbinError::Object("the images of an offload package overlap".into()));
            }
            member(package, version, entry, image, out)?;
        }
        rest = &rest[size..];
    }
    Ok(())
}

fn image<'a>(package: &'a [u8], entry: &[u8]) -> Option<&'a [u8]> {
    let (start, length) = (long(entry, 24)?, long(entry, 32)?);
    package.get(start..start.checked_add(length)?)
}

/// Adds what an entry contains, if it is code for NVIDIA's devices.
fn member<'a>(
    package: &'a [u8],
    version: u32,
    entry: &[u8],
    image: &'a [u8],
    out: &mut Vec<Member<'a>>,
) -> Result<(), FatbinError> {
    let number = u16::from_le_bytes([entry[0], entry[1]]);
    let has_image = version == 1 || word(entry, 4).is_some_and(|flags| flags & METADATA == 0);
    let kind = match number {
        _ if !has_image => None,
        IMAGE_FATBIN => return read::parse(image).map(|members| out.extend(members)),
        IMAGE_CUBIN => Some(Kind::Cubin),
        IMAGE_PTX => Some(Kind::Ptx),
        IMAGE_BITCODE => Some(Kind::Bitcode),
        // The packager determines the kind from the file suffix: other files are identified by
        // their contents.
        IMAGE_NONE | IMAGE_OBJECT if image.starts_with(&MAGIC.to_le_bytes()) => {
            return read::parse(image).map(|members| out.extend(members));
        }
        IMAGE_NONE | IMAGE_OBJECT if image.starts_with(b"\x7fELF") => Some(Kind::Cubin),
        IMAGE_NONE | IMAGE_OBJECT if is_bitcode(image) => Some(Kind::Bitcode),
        IMAGE_NONE | IMAGE_OBJECT if image.trim_ascii_start().starts_with(b".version") => Some(Kind::Ptx),
        _ => None,
    };
    let Some(kind) = kind else { return Ok(()) };
    let strings = Strings { package, version, entry };
    // Bitcode may be for any device; other kinds are NVIDIA's.
    if kind == Kind::Bitcode && strings.value(b"triple").is_some_and(|triple| !triple.starts_with("nvptx")) {
        return Ok(());
    }
    let arch = strings.value(b"arch").and_then(|arch| arch.strip_prefix("sm_")).unwrap_or_default();
    let suffix = arch.trim_start_matches(|c: char| c.is_ascii_digit());
    let sm = arch[..arch.len() - suffix.len()].parse().unwrap_or(0);
    out.push(Member { sm, suffix, ..whole(kind, image) });
    Ok(())
}

/// The strings of an entry.
struct Strings<'a, 'e> {
    package: &'a [u8],
    version: u32,
    entry: &'e [u8],
}

impl<'a> Strings<'a, '_> {
    /// Keys and values are short and few, but entries may share a string of any length, and any
    /// number of strings.
    const MOST: usize = 64;

    fn value(&self, wanted: &[u8]) -> Option<&'a str> {
        let text = |at: usize| {
            let rest = self.package.get(at..)?;
            rest[..rest.len().min(Self::MOST)].split(|&b| b == 0).next()
        };
        let (start, count) = (long(self.entry, 8)?, long(self.entry, 16)?);
        let size = if self.version == 1 { 16 } else { 24 };
        for i in 0..count.min(Self::MOST) {
            let pair = start.checked_add(size * i)?;
            if text(long(self.package, pair)?)? == wanted {
                let value = text(long(self.package, pair.checked_add(8)?)?)?;
                let value = match self.version {
                    1 => value,
                    _ => &value[..value.len().min(long(self.package, pair.checked_add(16)?)?)],
                };
                return std::str::from_utf8(value).ok();
            }
        }
        None
    }
}
