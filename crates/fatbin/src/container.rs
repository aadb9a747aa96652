//! Finds fatbins in plain files, sections of host objects, clang's offload packages, and archives.

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};

use crate::read::{self, MAGIC};
use crate::{FatbinError, Kind, Member, Packing};

/// Sections of a host object with fatbins: of whole programs, of relocatable code (nvcc 13.0.88),
/// of clang.
const SECTIONS: &[&str] = &[".nv_fatbin", "__nv_relfatbin", ".hip_fatbin"];
/// Section of a host object with clang's offload packages.
const OFFLOADING: &str = ".llvm.offloading";
/// The first bytes of an offload package (Clang, "Offload Binary").
const OFFLOAD_MAGIC: [u8; 4] = [0x10, 0xff, 0x10, 0xad];
/// The image kinds of an offload package that may contain CUDA code: unspecified, object, bitcode,
/// cubin, fatbin, PTX.
const IMAGE_NONE: u16 = 0;
const IMAGE_OBJECT: u16 = 1;
const IMAGE_BITCODE: u16 = 2;
const IMAGE_CUBIN: u16 = 3;
const IMAGE_FATBIN: u16 = 4;
const IMAGE_PTX: u16 = 5;

/// Returns the members of every fatbin in a file, in file order: a fatbin, a host object, an
/// offload package, or an archive of objects.
///
/// # Errors
/// [`FatbinError::Unknown`] if it contains no fatbin, and other errors for damaged files.
pub fn members(data: &[u8]) -> Result<Vec<Member<'_>>, FatbinError> {
    let mut out = Vec::new();
    collect(data, &mut out)?;
    if is_archive(data) {
        for (_, contents) in archive(data)?.unwrap_or_default() {
            collect(contents, &mut out)?;
        }
    }
    if out.is_empty() { Err(FatbinError::Unknown) } else { Ok(out) }
}

/// Names and contents of an archive's members, in order.
pub type Files<'a> = Vec<(String, &'a [u8])>;

/// Whether a file is an archive.
pub fn is_archive(data: &[u8]) -> bool {
    data.starts_with(b"!<arch>\n")
}

/// Returns the members of an archive by name, `None` for any other file.
///
/// # Errors
/// [`FatbinError::Object`] for a damaged archive.
pub fn archive(data: &[u8]) -> Result<Option<Files<'_>>, FatbinError> {
    if !is_archive(data) {
        return Ok(None);
    }
    let damaged = |e: object::Error| FatbinError::Object(e.to_string());
    let mut out = Vec::new();
    // Every header may refer to the same long string.
    let mut names = 0;
    for file in ArchiveFile::parse(data).map_err(damaged)?.members() {
        let file = file.map_err(damaged)?;
        names += file.name().len();
        if names > data.len() {
            return Err(FatbinError::Object("the names of its members overlap".into()));
        }
        out.push((String::from_utf8_lossy(file.name()).into_owned(), file.data(data).map_err(damaged)?));
    }
    Ok(Some(out))
}

/// Collects the members in one file that is not an archive.
fn collect<'a>(data: &'a [u8], out: &mut Vec<Member<'a>>) -> Result<(), FatbinError> {
    if data.starts_with(&MAGIC.to_le_bytes()) {
        out.extend(read::parse(data)?);
    } else if data.starts_with(&OFFLOAD_MAGIC) {
        packages(data, out)?;
    } else if data.starts_with(b"\x7fELF") {
        let file = object::File::parse(data).map_err(|e| FatbinError::Object(e.to_string()))?;
        let (mut total, mut names) = (0u64, 0usize);
        for section in file.sections() {
            let name = section.name_bytes().unwrap_or_default();
            // Names may share a suffix, but not all may be the same long string.
            names = names.saturating_add(name.len());
            if names / 16 > data.len() {
                return Err(FatbinError::Object("the names of its sections overlap".into()));
            }
            let fat = SECTIONS.iter().any(|s| s.as_bytes() == name);
            if !fat && name != OFFLOADING.as_bytes() {
                continue;
            }
            let contents = section.data().map_err(|e| FatbinError::Object(e.to_string()))?;
            total = total.saturating_add(contents.len() as u64);
            if total > data.len() as u64 {
                return Err(FatbinError::Object("its sections overlap".into()));
            }
            if fat {
                out.extend(read::parse(contents)?);
            } else {
                packages(contents, out)?;
            }
        }
    }
    Ok(())
}

/// Collects the members of concatenated offload packages. A package has magic, version, size (8),
/// offset and size of the entry (8 each); an entry has the kinds of image and of offloading (2
/// each), flags (4), offset and number of its strings, offset and size of the image.
fn packages<'a>(data: &'a [u8], out: &mut Vec<Member<'a>>) -> Result<(), FatbinError> {
    let long = |data: &[u8], at: usize| {
        let bytes = data.get(at..).and_then(|d| d.first_chunk::<8>()).ok_or(FatbinError::Truncated(at as u64))?;
        usize::try_from(u64::from_le_bytes(*bytes)).map_err(|_| FatbinError::Truncated(at as u64))
    };
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
        let size = long(rest, 8)?;
        let package = rest.get(..size).filter(|_| size >= 32).ok_or_else(cut)?;
        let entry = package.get(long(package, 16)?..).ok_or_else(cut)?;
        let kind = entry.first_chunk::<2>().map(|k| u16::from_le_bytes(*k)).ok_or_else(cut)?;
        let (start, length) = (long(entry, 24)?, long(entry, 32)?);
        let image = start.checked_add(length).and_then(|end| package.get(start..end)).ok_or_else(cut)?;
        let plain = |kind| Member {
            kind,
            sm: arch(package, entry).unwrap_or(0),
            version: (0, 0),
            flags: 1,
            packing: Packing::Plain,
            name: None,
            options: None,
            stored: image,
            size: image.len() as u64,
        };
        match kind {
            IMAGE_FATBIN => out.extend(read::parse(image)?),
            // Packages may have code for several machines.
            IMAGE_BITCODE if is_device(package, entry) => out.push(plain(Kind::Bitcode)),
            IMAGE_CUBIN => out.push(plain(Kind::Cubin)),
            IMAGE_PTX => out.push(plain(Kind::Ptx)),
            // The packager determines the kind from the file suffix: other files are identified by
            // their contents.
            IMAGE_NONE | IMAGE_OBJECT => match image {
                _ if image.starts_with(&MAGIC.to_le_bytes()) => out.extend(read::parse(image)?),
                _ if image.starts_with(b"\x7fELF") => out.push(plain(Kind::Cubin)),
                _ if image.starts_with(b"BC\xc0\xde") && is_device(package, entry) => out.push(plain(Kind::Bitcode)),
                _ if image.trim_ascii_start().starts_with(b".version") => out.push(plain(Kind::Ptx)),
                _ => {}
            },
            _ => {}
        }
        rest = &rest[size..];
    }
    Ok(())
}

/// The SM number in an entry's string `arch`.
fn arch(package: &[u8], entry: &[u8]) -> Option<u32> {
    let value = std::str::from_utf8(string(package, entry, b"arch")?).ok()?;
    let digits = value.strip_prefix("sm_")?;
    digits.trim_end_matches(|c: char| c.is_ascii_lowercase()).parse().ok()
}

/// Whether an entry is for NVIDIA devices, by its string `triple`; without one it may be.
fn is_device(package: &[u8], entry: &[u8]) -> bool {
    string(package, entry, b"triple").is_none_or(|triple| triple.starts_with(b"nvptx"))
}

/// A string of an entry, by its key: strings are pairs of offsets of key and value.
fn string<'p>(package: &'p [u8], entry: &[u8], key: &[u8]) -> Option<&'p [u8]> {
    let long = |data: &[u8], at: usize| {
        let bytes = data.get(at..)?.first_chunk::<8>()?;
        usize::try_from(u64::from_le_bytes(*bytes)).ok()
    };
    // Keys and values are short, but entries may share a string of any length.
    let text = |at: usize| {
        let rest = package.get(at..)?;
        rest[..rest.len().min(64)].split(|&b| b == 0).next()
    };
    let (start, count) = (long(entry, 8)?, long(entry, 16)?);
    for i in 0..count.min(package.len() / 16) {
        let pair = start.checked_add(16 * i)?;
        if text(long(package, pair)?)? == key {
            return text(long(package, pair.checked_add(8)?)?);
        }
    }
    None
}
