//! Bitcode, and members that are whole files.

use crate::{Kind, Member, Packing};

/// The first bytes of LLVM bitcode, and of its wrapper (LLVM, "Bitcode File Format").
const BITCODE: &[&[u8]] = &[b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];

/// Whether a file is LLVM bitcode.
pub fn is_bitcode(data: &[u8]) -> bool {
    BITCODE.iter().any(|magic| data.starts_with(magic))
}

/// A member that is not in a fatbin, for any architecture.
pub(crate) fn whole(kind: Kind, stored: &[u8]) -> Member<'_> {
    let size = stored.len() as u64;
    Member {
        kind,
        sm: 0,
        suffix: "",
        version: (0, 0),
        flags: 1,
        packing: Packing::Plain,
        name: None,
        options: None,
        stored,
        entry: None,
        size,
    }
}
