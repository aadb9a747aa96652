//! Writes fatbins (fatbinary 13.0.88 and libnvfatbin.so 13.0.85 output, which are the same).
//!
//! Name and options follow the fixed part of a member's header, each ended by a NUL, together padded
//! to eight bytes. Options have a place and a length of their own before them. The cubins of sm_100
//! and newer have one too, with an empty text, followed by their section `.nv.compat`, whose length
//! it is, and a flag for it.

use crate::read::{HEADER, MAGIC, MEMBER};
use crate::{Kind, Member, Packing, flag};
use object::{Object, ObjectSection};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// A member to write.
#[derive(Clone, Copy, Debug)]
pub struct NewMember<'a> {
    /// Its kind.
    pub kind: Kind,
    /// SM number.
    pub sm: u32,
    /// What follows the number in the name of the architecture: `a`, `f` or nothing.
    pub suffix: &'a str,
    /// Version of the PTX or of the ELF container: major and minor.
    pub version: (u16, u16),
    /// Contents; the NUL after PTX is added.
    pub contents: &'a [u8],
    /// The source file it was made from; empty if it is not named.
    pub name: &'a str,
    /// Options for ptxas that go with PTX, or for the optimiser with LTO-IR.
    pub options: &'a str,
    /// Flags of [`flag`], but for those of suffix and compression.
    pub flags: u64,
    /// Its compression: [`Packing::Plain`] or [`Packing::Zstd`], which is also written for
    /// [`Packing::Lz4`].
    pub packing: Packing,
}

impl<'a> NewMember<'a> {
    /// An uncompressed member without a name and options.
    pub fn new(kind: Kind, sm: u32, version: (u16, u16), contents: &'a [u8]) -> NewMember<'a> {
        let (suffix, name, options) = ("", "", "");
        let flags = flag::WIDE | flag::LINUX;
        NewMember { kind, sm, suffix, version, contents, name, options, flags, packing: Packing::Plain }
    }
}

/// Which members are compressed. Without a wish it is PTX alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compression {
    /// Cubins too.
    pub all: bool,
    /// None, which takes precedence.
    pub never: bool,
}

impl Compression {
    /// The compression of a member. LTO-IR has none: NVIDIA's libraries scramble it where they
    /// compress it, and read it plain as well.
    pub fn of(self, kind: Kind) -> Packing {
        let wanted = kind == Kind::Ptx || self.all && kind != Kind::LtoIr;
        if wanted && !self.never { Packing::Zstd } else { Packing::Plain }
    }
}

/// The version of a member's header.
const VERSION: u16 = 0x101;
/// The first architecture whose cubins have their section `.nv.compat` in the header.
const WITH_COMPAT: u32 = 100;

/// A text with its NUL.
fn ended(text: &str) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}

/// Pads to eight bytes.
fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(8), 0);
}

/// Returns the bytes of a fatbin with these members.
pub fn write(members: &[NewMember<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    members.iter().for_each(|member| append(&mut body, member));
    around(&body)
}

/// Appends a member with its header; [`around`] makes a fatbin of all.
pub fn append(out: &mut Vec<u8>, member: &NewMember<'_>) {
    let mut stored = member.contents.to_vec();
    if member.kind == Kind::Ptx {
        stored.push(0);
    }
    let size = stored.len() as u64;
    let mut flags = member.flags;
    flags |= match member.suffix {
        "a" => flag::SPECIFIC,
        "f" => flag::FAMILY,
        _ => 0,
    };
    if member.packing != Packing::Plain {
        stored = compress_to_vec(&stored[..], CompressionLevel::Fastest);
        flags |= flag::ZSTD;
    }
    let object = (member.kind == Kind::Cubin && member.sm >= WITH_COMPAT)
        .then(|| object::File::parse(member.contents).ok())
        .flatten();
    let compat = object.as_ref().and_then(|object| object.section_by_name(".nv.compat")?.data().ok());
    let more = match compat {
        Some(compat) => More::Compat(compat),
        None if member.kind == Kind::Cubin => More::Nothing,
        None => More::Options(member.options),
    };
    let NewMember { kind, sm, version, name, .. } = *member;
    put(out, &Entry { kind, sm, version, name, more, flags, stored: &stored, size });
}

/// Appends a member of another fatbin as it is, as one of another kind, name and options.
pub fn append_as(out: &mut Vec<u8>, member: &Member<'_>, kind: Kind, name: &str) {
    let more = More::Options(member.options.unwrap_or_default());
    let Member { sm, version, flags, stored, size, .. } = *member;
    put(out, &Entry { kind, sm, version, name, more, flags, stored, size });
}

/// What follows the name in a header.
enum More<'a> {
    Nothing,
    /// PTX has them even if they are empty: cuobjdump requires them.
    Options(&'a str),
    Compat(&'a [u8]),
}

/// A member as it is in the file.
struct Entry<'a> {
    kind: Kind,
    sm: u32,
    version: (u16, u16),
    name: &'a str,
    more: More<'a>,
    flags: u64,
    stored: &'a [u8],
    size: u64,
}

/// Writes a member: header, name, options, contents, padding.
fn put(out: &mut Vec<u8>, entry: &Entry<'_>) {
    let mut rest = Vec::new();
    if !entry.name.is_empty() {
        rest.extend(ended(entry.name));
        pad(&mut rest);
    }
    let mut place = (MEMBER + rest.len()) as u32;
    let mut flags = entry.flags;
    let (length, text) = match entry.more {
        More::Nothing => (0, None),
        More::Options(options) => (options.len(), Some(ended(options))),
        More::Compat(compat) => {
            flags |= flag::COMPAT;
            (compat.len(), Some([&[0], compat].concat()))
        }
    };
    if let Some(text) = text {
        rest.extend((place + 8).to_le_bytes());
        rest.extend((length as u32).to_le_bytes());
        rest.extend(text);
        pad(&mut rest);
    } else {
        place = 0;
    }
    let packed = flags & (flag::ZSTD | flag::LZ4) != 0;
    let used = entry.stored.len();
    out.extend(entry.kind.number().to_le_bytes());
    out.extend(VERSION.to_le_bytes());
    out.extend(((MEMBER + rest.len()) as u32).to_le_bytes());
    out.extend((used.next_multiple_of(8) as u64).to_le_bytes());
    out.extend(if packed { used as u32 } else { 0 }.to_le_bytes());
    out.extend(place.to_le_bytes());
    out.extend(entry.version.1.to_le_bytes());
    out.extend(entry.version.0.to_le_bytes());
    out.extend(entry.sm.to_le_bytes());
    out.extend(if entry.name.is_empty() { 0 } else { MEMBER as u32 }.to_le_bytes());
    out.extend((entry.name.len() as u32).to_le_bytes());
    out.extend(flags.to_le_bytes());
    out.extend([0; 8]);
    out.extend(if packed { entry.size } else { 0 }.to_le_bytes());
    out.extend(rest);
    out.extend(entry.stored);
    pad(out);
}

/// A fatbin of these bytes, members with their headers.
pub fn around(members: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER + members.len());
    out.extend(MAGIC.to_le_bytes());
    out.extend(1u16.to_le_bytes());
    out.extend((HEADER as u16).to_le_bytes());
    out.extend((members.len() as u64).to_le_bytes());
    out.extend(members);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Member, choose, members};

    fn member(kind: Kind, sm: u32, version: (u16, u16), contents: &[u8]) -> NewMember<'_> {
        NewMember::new(kind, sm, version, contents)
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes =
            write(&[member(Kind::Ptx, 80, (9, 0), b".version 9.0\n"), member(Kind::Cubin, 90, (1, 8), &[7; 20])]);
        let read = members(&bytes).unwrap();
        let facts: Vec<_> = read.iter().map(|m: &Member<'_>| (m.kind, m.sm, m.version)).collect();
        assert_eq!(facts, [(Kind::Ptx, 80, (9, 0)), (Kind::Cubin, 90, (1, 8))]);
        assert_eq!(read[0].contents().unwrap(), b".version 9.0\n");
        assert_eq!(read[1].contents().unwrap()[..20], [7; 20]);
        let chosen = |sm| choose(&read, sm).map(|m| m.sm);
        assert_eq!([chosen(90), chosen(103), chosen(86), chosen(75)], [Some(90), Some(80), Some(80), None]);
    }

    #[test]
    fn names_options_and_compression_are_kept() {
        let text = ".version 9.0\n".repeat(1000);
        let ptx = NewMember {
            name: "a b.cu",
            options: "-O2 -g",
            packing: Packing::Zstd,
            suffix: "a",
            flags: flag::WIDE | flag::LINUX | flag::DEBUG,
            ..member(Kind::Ptx, 90, (9, 0), text.as_bytes())
        };
        let cubin =
            NewMember { name: "12345678", packing: Packing::Zstd, ..member(Kind::Cubin, 90, (1, 8), &[7; 999]) };
        let bytes = write(&[ptx, cubin]);
        assert!(bytes.len() < 1000);
        let read = members(&bytes).unwrap();
        assert_eq!((read[0].name, read[0].options, read[1].name), (Some("a b.cu"), Some("-O2 -g"), Some("12345678")));
        assert_eq!(read[0].flags, 0x13 | flag::SPECIFIC | flag::ZSTD);
        let mut copied = Vec::new();
        append_as(&mut copied, &read[0], Kind::Other(0x40), "id");
        let copied = around(&copied);
        let [copy] = &members(&copied).unwrap()[..] else { panic!() };
        assert_eq!((copy.kind, copy.name, copy.options), (Kind::Other(0x40), Some("id"), Some("-O2 -g")));
        assert_eq!((copy.stored, copy.size, copy.flags), (read[0].stored, read[0].size, read[0].flags));
        assert_eq!(read[0].contents().unwrap(), text.as_bytes());
        assert_eq!(read[1].contents().unwrap(), [7; 999]);
    }

    #[test]
    fn ptx_alone_is_compressed_unless_more_or_nothing_is_asked_for() {
        let of = |all, never| [Kind::Ptx, Kind::Cubin, Kind::LtoIr].map(|kind| Compression { all, never }.of(kind));
        let (plain, zstd) = (Packing::Plain, Packing::Zstd);
        assert_eq!(of(false, false), [zstd, plain, plain]);
        assert_eq!(of(true, false), [zstd, zstd, plain]);
        assert_eq!((of(false, true), of(true, true)), ([plain; 3], [plain; 3]));
    }

    #[test]
    fn every_prefix_and_every_flipped_byte_is_an_answer() {
        let bytes =
            write(&[member(Kind::Ptx, 80, (9, 0), b".version 9.0\n"), member(Kind::LtoIr, 90, (1, 0), &[1; 8])]);
        for length in 0..bytes.len() {
            assert!(members(&bytes[..length]).is_err(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0xff;
            if let Ok(members) = members(&bad) {
                members.iter().for_each(|m| drop(m.contents()));
            }
        }
        let alone = members(&bytes).unwrap()[1].contents().unwrap();
        let [lto] = &members(&alone).unwrap()[..] else { panic!() };
        assert_eq!((lto.kind, lto.sm, lto.stored), (Kind::LtoIr, 90, &[1; 8][..]));
    }
}
