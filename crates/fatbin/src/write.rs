//! Writes fatbins.

use crate::read::{HEADER, MAGIC, MEMBER, ZSTD};
use crate::{Kind, Packing};
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
    /// Contents.
    pub contents: &'a [u8],
    /// The source file it was made from; empty if it is not named.
    pub name: &'a str,
    /// Options for ptxas that go with PTX.
    pub options: &'a str,
    /// Whether it is marked as made for debugging.
    pub debug: bool,
    /// Its compression: [`Packing::Plain`] or [`Packing::Zstd`], which is also written for
    /// [`Packing::Lz4`].
    pub packing: Packing,
}

impl<'a> NewMember<'a> {
    /// An uncompressed member without a name and options.
    pub fn new(kind: Kind, sm: u32, version: (u16, u16), contents: &'a [u8]) -> NewMember<'a> {
        let (suffix, name, options) = ("", "", "");
        NewMember { kind, sm, suffix, version, contents, name, options, debug: false, packing: Packing::Plain }
    }
}

/// 64-bit addresses, made on Linux.
const FLAGS: u64 = 0x11;
/// Flag of a member made for debugging, and those of suffixes (fatbinary 13.0.88 output).
const DEBUG: u64 = 0x2;
const SPECIFIC: u64 = 0x10_0000;
const FAMILY: u64 = 0x120_0000;

/// A text with its NUL, padded to eight bytes.
fn padded(text: &str) -> Vec<u8> {
    let mut out = text.as_bytes().to_vec();
    out.resize((text.len() + 1).next_multiple_of(8), 0);
    out
}

/// Returns the bytes of a fatbin with these members.
pub fn write(members: &[NewMember<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for member in members {
        let NewMember { kind, sm, version: (major, minor), contents, name, options, .. } = *member;
        // PTX is NUL-terminated; every member is padded to eight bytes.
        let mut stored = contents.to_vec();
        if kind == Kind::Ptx {
            stored.push(0);
        }
        let (size, mut flags) = (stored.len(), FLAGS | if member.debug { DEBUG } else { 0 });
        flags |= match member.suffix {
            "a" => SPECIFIC,
            "f" => FAMILY,
            _ => 0,
        };
        let packed = member.packing != Packing::Plain;
        if packed {
            stored = compress_to_vec(&stored[..], CompressionLevel::Fastest);
            flags |= ZSTD;
        }
        let used = stored.len();
        stored.resize(used.next_multiple_of(8), 0);
        let name_text = if name.is_empty() { Vec::new() } else { padded(name) };
        // PTX has offset and length of its options after the name, even without any: cuobjdump
        // requires them.
        let place = (MEMBER + name_text.len()) as u32;
        let mut rest = name_text;
        if kind == Kind::Ptx {
            rest.extend((place + 8).to_le_bytes());
            rest.extend((options.len() as u32).to_le_bytes());
            rest.extend(padded(options));
        }
        body.extend(kind.number().to_le_bytes());
        body.extend(0x101u16.to_le_bytes());
        body.extend(((MEMBER + rest.len()) as u32).to_le_bytes());
        body.extend((stored.len() as u64).to_le_bytes());
        body.extend((if packed { used as u32 } else { 0 }).to_le_bytes());
        body.extend((if kind == Kind::Ptx { place } else { 0 }).to_le_bytes());
        body.extend(minor.to_le_bytes());
        body.extend(major.to_le_bytes());
        body.extend(sm.to_le_bytes());
        body.extend((if name.is_empty() { 0 } else { MEMBER as u32 }).to_le_bytes());
        body.extend((name.len() as u32).to_le_bytes());
        body.extend(flags.to_le_bytes());
        body.extend([0; 8]);
        body.extend((if packed { size as u64 } else { 0 }).to_le_bytes());
        body.extend(rest);
        body.extend(stored);
    }
    around(&body)
}

/// A fatbin of these bytes, members with their headers.
pub(crate) fn around(members: &[u8]) -> Vec<u8> {
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
            debug: true,
            ..member(Kind::Ptx, 90, (9, 0), text.as_bytes())
        };
        let cubin =
            NewMember { name: "12345678", packing: Packing::Zstd, ..member(Kind::Cubin, 90, (1, 8), &[7; 999]) };
        let bytes = write(&[ptx, cubin]);
        assert!(bytes.len() < 1000);
        let read = members(&bytes).unwrap();
        assert_eq!((read[0].name, read[0].options, read[1].name), (Some("a b.cu"), Some("-O2 -g"), Some("12345678")));
        assert_eq!(read[0].flags, FLAGS | DEBUG | SPECIFIC | ZSTD);
        assert_eq!(read[0].contents().unwrap(), text.as_bytes());
        assert_eq!(read[1].contents().unwrap(), [7; 999]);
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
