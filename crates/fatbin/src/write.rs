//! Writes plain fatbins with uncompressed members.

use crate::Kind;
use crate::read::{HEADER, MAGIC, MEMBER};

/// A member to write.
#[derive(Clone, Copy, Debug)]
pub struct NewMember<'a> {
    /// Its kind.
    pub kind: Kind,
    /// SM number.
    pub sm: u32,
    /// Version of the PTX or of the ELF container: major and minor.
    pub version: (u16, u16),
    /// Contents.
    pub contents: &'a [u8],
}

/// Returns the bytes of a fatbin with these members, uncompressed.
pub fn write(members: &[NewMember<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for &NewMember { kind, sm, version: (major, minor), contents } in members {
        // PTX is NUL-terminated; every member is padded to eight bytes.
        let mut stored = contents.to_vec();
        if kind == Kind::Ptx {
            stored.push(0);
        }
        stored.resize(stored.len().next_multiple_of(8), 0);
        // PTX has offset and length of its options after the fixed part, empty here; cuobjdump
        // requires them.
        let header = if kind == Kind::Ptx { MEMBER + 16 } else { MEMBER };
        let mut head = Vec::with_capacity(header);
        head.extend(kind.number().to_le_bytes());
        head.extend(0x101u16.to_le_bytes());
        head.extend((header as u32).to_le_bytes());
        head.extend((stored.len() as u64).to_le_bytes());
        head.extend(0u32.to_le_bytes());
        head.extend(if kind == Kind::Ptx { MEMBER as u32 } else { 0 }.to_le_bytes());
        head.extend(minor.to_le_bytes());
        head.extend(major.to_le_bytes());
        head.extend(sm.to_le_bytes());
        head.extend([0; 8]);
        // 64-bit addresses, made on Linux.
        head.extend(0x11u64.to_le_bytes());
        head.resize(MEMBER, 0);
        if kind == Kind::Ptx {
            head.extend((MEMBER as u32 + 8).to_le_bytes());
        }
        head.resize(header, 0);
        body.extend(head);
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
        NewMember { kind, sm, version, contents }
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
